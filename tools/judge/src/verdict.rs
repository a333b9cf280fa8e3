//! Compares what a program printed with what it should have, and shows the difference.
//!
//! The comparison is literal: a board is full of dots, and a dot stands for itself.

use std::fmt::{self, Write};
use std::str;

use anstyle::{AnsiColor, Style};

use crate::run::{Ending, Outcome};

/// How many lines of a long output are shown, and how many of them stand before the first difference.
const LINES: usize = 16;
const LINES_BEFORE: usize = 4;
/// How many characters of a long line are shown, in each of the columns "expected" and "got". Together they fit into a
/// terminal of 80 columns.
const CELLS: usize = 34;
/// How much of an input or a message is shown: enough for a board of Omok.
const MOST_LINES: usize = 24;
const MOST_CELLS: usize = 76;

/// What a judge would say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Identical, except that `\r\n` counts as `\n`.
    Accepted,
    /// The words differ. Or the program did not refuse or warn where it must, did so in the wrong form, or warned
    /// without need. A refusal without need is a runtime error.
    WrongAnswer,
    /// The same words with other blanks between them.
    PresentationError,
    /// The program failed.
    RuntimeError,
    /// The program did not end.
    TimeLimitExceeded,
    /// It is not known what is right.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Verdict::Accepted => "AC",
            Verdict::WrongAnswer => "WA",
            Verdict::PresentationError => "PE",
            Verdict::RuntimeError => "RE",
            Verdict::TimeLimitExceeded => "TLE",
            Verdict::Unknown => "no verdict",
        })
    }
}

/// A verdict with everything that explains it.
#[derive(Debug)]
pub struct Report {
    /// What a judge would say.
    pub verdict: Verdict,
    /// What is wrong, where the two outputs do not show it.
    note: Option<String>,
    /// What the output is compared with; nothing where that would not help.
    expected: Option<String>,
    got: String,
    stderr: String,
}

/// Compares the output of a program with the expected one, byte by byte but for CRLF line ends.
#[must_use]
pub fn judge(expected: &[u8], outcome: &Outcome) -> Report {
    // Both are spelt in the same way. Otherwise bytes that differ could look the same.
    let both_are_text = [expected, &outcome.stdout].iter().all(|bytes| str::from_utf8(bytes).is_ok());
    let shown = if both_are_text { text } else { spelt_out };
    let expected = shown(expected);
    let got = shown(&outcome.stdout);
    let (verdict, note) = match &outcome.ending {
        Ending::Killed(limit) => (Verdict::TimeLimitExceeded, Some(format!("stopped after {limit:?}"))),
        Ending::Crash(how) => (Verdict::RuntimeError, Some(how.clone())),
        Ending::Code(code) => (Verdict::RuntimeError, Some(format!("exit code {code}"))),
        Ending::Success if got == expected => (Verdict::Accepted, None),
        Ending::Success if got.split_whitespace().eq(expected.split_whitespace()) => (Verdict::PresentationError, None),
        Ending::Success => (Verdict::WrongAnswer, None),
    };
    Report { verdict, note, expected: Some(expected), got, stderr: text(&outcome.stderr) }
}

/// The bytes as text with LF line ends. If they are not UTF-8, they are spelt out.
#[must_use]
pub fn text(bytes: &[u8]) -> String {
    str::from_utf8(bytes).map_or_else(|_| spelt_out(bytes), |text| text.replace("\r\n", "\n"))
}

/// The bytes as ASCII with LF line ends, such as `\xff` for the byte 255.
fn spelt_out(bytes: &[u8]) -> String {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').map(|line| match line.strip_suffix(b"\n") {
        Some(line) => format!("{}\n", line.strip_suffix(b"\r").unwrap_or(line).escape_ascii()),
        None => line.escape_ascii().to_string(),
    });
    lines.collect()
}

impl Report {
    /// A wrong answer for a reason that comparing two outputs does not show.
    #[must_use]
    pub fn wrong(note: &str, outcome: &Outcome) -> Report {
        let [got, stderr] = [&outcome.stdout, &outcome.stderr].map(|bytes| text(bytes));
        Report { verdict: Verdict::WrongAnswer, note: Some(note.to_string()), expected: None, got, stderr }
    }

    /// An answer that cannot be judged, for this reason.
    #[must_use]
    pub fn unknown(note: &str, outcome: &Outcome) -> Report {
        Report { verdict: Verdict::Unknown, ..Report::wrong(note, outcome) }
    }

    /// The verdict, the two outputs side by side around the first difference, and what the program said on stderr.
    /// Differing cells are coloured or, without colour, underlined with `^`.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let mut page = String::new();
        // A String takes any text.
        let _ = self.write(&mut page, colour);
        page
    }

    fn write(&self, page: &mut String, colour: bool) -> fmt::Result {
        let heading = if colour { AnsiColor::Red.on_default().bold() } else { Style::new() };
        write!(page, "{heading}{}{heading:#}", self.verdict)?;
        if let Some(note) = &self.note {
            write!(page, ": {note}")?;
        }
        match &self.expected {
            Some(expected) => self.compare(page, expected, colour)?,
            None if self.got.is_empty() => writeln!(page)?,
            None => write!(page, "\nprinted:\n{}", excerpt(&self.got))?,
        }
        if !self.stderr.is_empty() {
            write!(page, "stderr:\n{}", excerpt(&self.stderr))?;
        }
        Ok(())
    }

    fn compare(&self, page: &mut String, expected: &str, colour: bool) -> fmt::Result {
        let blanks_only = without_blanks(expected) == without_blanks(&self.got);
        let expected = cells(expected);
        let got = cells(&self.got);
        let Some(first) = (0..expected.len().max(got.len())).find(|&line| expected.get(line) != got.get(line)) else {
            return writeln!(page);
        };
        write!(page, "{} ", if self.note.is_some() { ";" } else { ":" })?;
        if self.got.is_empty() {
            write!(page, "nothing was printed")?;
        } else {
            write!(page, "line {} is the first that differs", first + 1)?;
        }
        writeln!(page, "{}", if blanks_only { "; only whitespace differs" } else { "" })?;
        Table { expected: &expected, got: &got, first, blanks_only, colour }.write(page)
    }
}

/// The first lines of a text, indented, with control characters shown as pictures or as `�`.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().take(MOST_LINES) {
        let cells = line.chars().take(MOST_CELLS).map(|cell| glyph(cell, false)).collect::<String>();
        lines.push(format!("  {cells}{}\n", if line.chars().nth(MOST_CELLS).is_some() { "…" } else { "" }));
    }
    match text.lines().count().saturating_sub(MOST_LINES) {
        0 => {}
        more => lines.push(format!("  … and {more} more\n")),
    }
    lines.concat()
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The characters of each line. Line feeds are kept, since one may be all that is missing.
fn cells(text: &str) -> Vec<Vec<char>> {
    text.split_inclusive('\n').map(|line| line.chars().collect()).collect()
}

/// How a character is shown: control characters by their pictures or as `�`, blanks only where they are the point.
fn glyph(cell: char, show_blanks: bool) -> char {
    match cell {
        '\n' if !show_blanks => ' ',
        ' ' if show_blanks => '␠',
        '\0'..='\x1f' => char::from_u32('\u{2400}' as u32 + cell as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '␡',
        // These have no pictures.
        '\u{80}'..='\u{9f}' => '�',
        _ => cell,
    }
}

/// The two outputs side by side.
struct Table<'a> {
    expected: &'a [Vec<char>],
    got: &'a [Vec<char>],
    first: usize,
    blanks_only: bool,
    colour: bool,
}

impl Table<'_> {
    fn write(&self, page: &mut String) -> fmt::Result {
        let lines = self.expected.len().max(self.got.len());
        let start = self.first.saturating_sub(LINES_BEFORE);
        let end = lines.min(start + LINES);
        let line_of = |side: &[Vec<char>], line: usize| side.get(line).cloned().unwrap_or_default();

        // Every line is cut at the same columns, so that a board stays a board.
        let widest = |side: &[Vec<char>]| (start..end).map(|line| line_of(side, line).len()).max().unwrap_or(0);
        let left = match widest(self.expected).max(widest(self.got)) {
            width if width <= CELLS => 0,
            _ => {
                let (one, other) = (line_of(self.expected, self.first), line_of(self.got, self.first));
                let column = (0..one.len()).find(|&cell| one.get(cell) != other.get(cell)).unwrap_or(one.len());
                column.saturating_sub(CELLS / 2)
            }
        };
        let width = widest(self.expected).saturating_sub(left).clamp("expected".len(), CELLS);

        if left > 0 {
            writeln!(page, "  from column {}:", left + 1)?;
        }
        writeln!(page, "{:>6} | {:width$} | got", "line", "expected")?;
        if start > 0 {
            writeln!(page, "{:>6} |", "…")?;
        }
        for line in start..end {
            let (mut expected, mut got) = (line_of(self.expected, line), line_of(self.got, line));
            let flag = if expected == got { ' ' } else { '>' };
            // A line end takes no column, unless nothing else differs.
            let bare = |line: &[char]| line.strip_suffix(&['\n']).unwrap_or(line).to_vec();
            let show_blanks = self.blanks_only || (expected != got && bare(&expected) == bare(&got));
            if !show_blanks {
                (expected, got) = (bare(&expected), bare(&got));
            }
            let differs: Vec<bool> = (left..left + CELLS).map(|cell| expected.get(cell) != got.get(cell)).collect();
            let one = self.side(&expected, left, width, &differs, show_blanks, AnsiColor::Green);
            let other = self.side(&got, left, 0, &differs, show_blanks, AnsiColor::Red);
            writeln!(page, "{}", format!("{flag}{:>5} | {one} | {other}", line + 1).trim_end())?;
            if !self.colour && differs.contains(&true) {
                let carets = |side: &[char]| -> String {
                    let marks = differs.iter().enumerate().map(|(cell, &differs)| {
                        // Where this side has nothing there is nothing to point at.
                        if differs && left + cell < side.len() {
                            '^'
                        } else {
                            ' '
                        }
                    });
                    marks.collect::<String>().trim_end().to_string()
                };
                let row = format!("{:>6} | {:width$} | {}", "", carets(&expected), carets(&got));
                writeln!(page, "{}", row.trim_end())?;
            }
        }
        if end < lines {
            writeln!(page, "{:>6} | and {} more", "…", lines - end)?;
        }
        Ok(())
    }

    /// One side of one line, padded to the width.
    fn side(
        &self,
        line: &[char],
        left: usize,
        width: usize,
        differs: &[bool],
        show_blanks: bool,
        colour: AnsiColor,
    ) -> String {
        let style = colour.on_default().bold().invert();
        let shown = line.iter().skip(left).take(CELLS);
        let count = shown.len();
        let mut side = String::new();
        for (&cell, &differs) in shown.zip(differs) {
            let cell = glyph(cell, show_blanks);
            if differs && self.colour {
                let _ = write!(side, "{style}{cell}{style:#}");
            } else {
                side.push(cell);
            }
        }
        side + &" ".repeat(width.saturating_sub(count))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ended(ending: Ending, stdout: &[u8], stderr: &[u8]) -> Outcome {
        Outcome { ending, stdout: stdout.to_vec(), stderr: stderr.to_vec() }
    }

    fn printed(stdout: &[u8]) -> Outcome {
        ended(Ending::Success, stdout, b"")
    }

    #[test]
    fn identical_bytes_are_accepted() {
        assert_eq!(judge(b"..B\n", &printed(b"..B\n")).verdict, Verdict::Accepted);
    }

    #[test]
    fn line_ends_of_either_kind_are_accepted() {
        assert_eq!(judge(b"1\r\n3 7\r\n", &printed(b"1\n3 7\n")).verdict, Verdict::Accepted);
        assert_eq!(judge(b"1\n3 7\n", &printed(b"1\r\n3 7\r\n")).verdict, Verdict::Accepted);
    }

    #[test]
    fn a_dot_is_no_wildcard() {
        assert_eq!(judge(b"...\n...\n", &printed(b".B.\n...\n")).verdict, Verdict::WrongAnswer);
        assert_eq!(judge(b"...\n", &printed(b"...\n...\n")).verdict, Verdict::WrongAnswer);
    }

    #[test]
    fn the_same_words_with_other_blanks_are_a_presentation_error() {
        for got in [&b"1\n3 7"[..], b"1\n3 7 \n", b"1 3 7\n", b"1\n\n3 7\n"] {
            let report = judge(b"1\n3 7\n", &printed(got));
            assert_eq!(report.verdict, Verdict::PresentationError);
            assert!(report.render(false).contains("only whitespace differs"));
        }
    }

    #[test]
    fn numbers_that_run_together_are_wrong_and_the_hint_says_that_only_blanks_differ() {
        let report = judge(b"1 23\n", &printed(b"12 3\n"));
        assert_eq!(report.verdict, Verdict::WrongAnswer);
        assert!(report.render(false).contains("only whitespace differs"));
    }

    #[test]
    fn a_failure_is_a_runtime_error_even_with_the_right_output() {
        let report = judge(b"0\n", &ended(Ending::Code(1), b"0\n", b"error: line 1\n"));
        assert_eq!(report.verdict, Verdict::RuntimeError);
        assert_eq!(report.render(false), "RE: exit code 1\nstderr:\n  error: line 1\n");
    }

    #[test]
    fn a_signal_is_named() {
        let crash = Ending::Crash("signal: 6 (SIGABRT)".to_string());
        let page = judge(b"0\n", &ended(crash, b"0\n", b"")).render(false);
        assert_eq!(page, "RE: signal: 6 (SIGABRT)\n");
    }

    #[test]
    fn a_killed_program_is_over_its_time() {
        let report = judge(b"0\n", &ended(Ending::Killed(Duration::from_secs(20)), b"0\n", b""));
        assert_eq!(report.verdict, Verdict::TimeLimitExceeded);
        assert_eq!(report.render(false), "TLE: stopped after 20s\n");
    }

    #[test]
    fn boards_stand_side_by_side_with_the_differing_cells_underlined() {
        let expected = b"......\n..WB..\n..BW..\nBlack\n";
        let got = b"......\n..WW..\n..BB..\nWhite\n";
        let page = judge(expected, &printed(got)).render(false);
        let drawing = "\
WA: line 2 is the first that differs
  line | expected | got
     1 | ......   | ......
>    2 | ..WB..   | ..WW..
       |    ^     |    ^
>    3 | ..BW..   | ..BB..
       |    ^     |    ^
>    4 | Black    | White
       | ^^^^^    | ^^^^^
";
        assert_eq!(page, drawing);
    }

    #[test]
    fn missing_blanks_are_made_visible() {
        let page = judge(b"1 2\n", &printed(b"1 2")).render(false);
        let drawing = "\
PE: line 1 is the first that differs; only whitespace differs
  line | expected | got
>    1 | 1␠2␊     | 1␠2
       |    ^     |
";
        assert_eq!(page, drawing);
    }

    #[test]
    fn nothing_printed_at_all_is_shown_as_missing_lines() {
        let page = judge(b"0\n", &printed(b"")).render(false);
        assert!(page.contains(">    1 | 0        |\n       | ^        |\n"), "{page}");
    }

    #[test]
    fn a_line_end_is_marked_only_where_nothing_else_differs() {
        let page = judge(b"12\n34\n", &printed(b"1\n34")).render(false);
        let drawing = "\
WA: line 1 is the first that differs
  line | expected | got
>    1 | 12       | 1
       |  ^       |
>    2 | 34␊      | 34
       |   ^      |
";
        assert_eq!(page, drawing);
        let page = judge(b"12\n34\n", &printed(b"1\n34\n")).render(true);
        assert!(page.contains("| 1\n"), "nothing is coloured behind a short line: {page:?}");
    }

    #[test]
    fn an_answer_where_none_was_expected_is_shown_as_printed() {
        let page = Report::wrong("it must refuse", &ended(Ending::Success, b"7\n", b"warning\n")).render(false);
        assert_eq!(page, "WA: it must refuse\nprinted:\n  7\nstderr:\n  warning\n");
    }

    #[test]
    fn long_texts_are_cut_and_say_so() {
        let page = excerpt(&format!("{}\n{}", "x".repeat(100), "y\n".repeat(30)));
        assert!(page.starts_with(&format!("  {}…\n  y\n", "x".repeat(76))), "{page}");
        assert!(page.ends_with("  y\n  … and 7 more\n"), "{page}");
    }

    #[test]
    fn with_colour_the_differing_cells_are_coloured_and_there_are_no_carets() {
        let page = judge(b".B\n", &printed(b".W\n")).render(true);
        assert!(page.contains("| .\x1b[1m\x1b[7m\x1b[32mB\x1b[0m"), "{page:?}");
        assert!(page.contains("| .\x1b[1m\x1b[7m\x1b[31mW\x1b[0m"), "{page:?}");
        assert!(!page.contains('^'));
        assert!(!judge(b".B\n", &printed(b".W\n")).render(false).contains('\x1b'));
    }

    #[test]
    fn escapes_in_the_output_do_not_reach_the_terminal() {
        let page = judge(b"0\n", &ended(Ending::Success, b"\x1b[2J\n", b"\x1b[2J\n")).render(false);
        assert!(!page.contains('\x1b'), "{page:?}");
        let page = judge(b"0\n", &printed(b"\x7f\n")).render(false);
        assert!(page.contains('␡') && !page.contains('\x7f'), "{page:?}");
        // Some terminals take this one character for the first two of an escape.
        let csi = "\u{9b}2J\n".as_bytes();
        let page = judge(b"0\n", &ended(Ending::Success, csi, csi)).render(false);
        assert!(page.contains("�2J") && !page.contains('\u{9b}'), "{page:?}");
        assert_eq!(excerpt("\u{80}\u{9f}\u{a0}"), "  ��\u{a0}\n");
    }

    #[test]
    fn long_outputs_are_cut_around_the_first_difference() {
        let expected = "same\n".repeat(1000);
        let got = expected.replacen("same\n", "same\r\n", 700) + "more\n";
        let page = judge(expected.as_bytes(), &printed(got.as_bytes())).render(false);
        assert!(page.starts_with("WA: line 1001 is"), "{page}");
        assert!(page.contains("   997 | same     | same"), "{page}");
        assert!(!page.contains("   996 |"), "{page}");

        let page = judge(b"1\n", &printed("0\n".repeat(1000).as_bytes())).render(false);
        assert!(page.contains("… | and 984 more"), "{page}");
    }

    #[test]
    fn long_lines_are_cut_around_the_first_difference() {
        let mut got = [b'.'; 500];
        got[300] = b'B';
        let page = judge(&[b'.'; 500], &printed(&got)).render(false);
        assert!(page.contains("from column 284:"), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        assert!(page.contains('B'), "{page}");
    }

    #[test]
    fn bytes_that_are_not_text_are_spelt_out() {
        let report = judge(b"\xfe\n", &printed(b"\xff\n"));
        assert_eq!(report.verdict, Verdict::WrongAnswer);
        assert!(report.render(false).contains(r"\xfe"));
        // To print the spelling is not to print the byte.
        let report = judge(b"\xff\n", &printed(b"\\xff\n"));
        assert_eq!(report.verdict, Verdict::WrongAnswer);
        assert!(report.render(false).contains(r"1 | \xff     | \\xff"), "{}", report.render(false));
        assert_eq!(judge(b"\xff\r\n", &printed(b"\xff\n")).verdict, Verdict::Accepted);
    }
}
