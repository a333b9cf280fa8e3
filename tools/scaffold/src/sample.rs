//! A sample of a problem: how it is read from files, a pipe, a terminal or the clipboard, and where it goes.

use crate::package::{NewFile, Package};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// The line between the input and the output where both come in one text.
const SEPARATOR: &str = "---";

/// An input and the output that it must lead to.
#[derive(Debug, PartialEq, Eq)]
pub struct Sample {
    input: String,
    output: String,
}

impl Sample {
    /// Reads two files. The output keeps the blank lines at its end, since some judges compare bytes. A last line
    /// without a line end gets one.
    ///
    /// # Errors
    /// If one cannot be read, or is not text.
    pub fn from_files(input: &Path, output: &Path) -> Result<Sample> {
        let read = |path: &Path| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
        Ok(Sample::exact(&read(input)?, &read(output)?))
    }

    /// Splits a text at its line `---`. The output keeps the blank lines at its end.
    ///
    /// # Errors
    /// If there is not exactly one such line.
    ///
    /// ```
    /// use scaffold::sample::Sample;
    ///
    /// assert!(Sample::from_one_text("1 2\n---\n3\n").is_ok());
    /// assert!(Sample::from_one_text("1 2\n3\n").is_err());
    /// ```
    pub fn from_one_text(text: &str) -> Result<Sample> {
        match &split(text)[..] {
            [input, output] => Ok(Sample::exact(input, output)),
            [_] => bail!(
                "the input and the output need a line {SEPARATOR} between them; or use --in and --out, or --clipboard"
            ),
            _ => {
                bail!("more than one line is {SEPARATOR}, so it is not clear where the input ends; use --in and --out")
            }
        }
    }

    /// Asks for the input and then for the output on a terminal, each until the user ends it with a key.
    ///
    /// # Errors
    /// If one of them is empty or not text.
    pub fn typed(terminal: &mut dyn Read) -> Result<Sample> {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        let mut ask = |what| {
            eprintln!("Paste the {what}, then {end} on a line of its own:");
            let mut text = String::new();
            terminal.read_to_string(&mut text)?;
            pasted(what, &text)
        };
        Ok(Sample { input: ask("input")?, output: ask("output")? })
    }

    /// Takes the input from the clipboard, and the output as soon as the user has copied that and pressed Enter. If
    /// there is a line `---` on the clipboard, both are there already.
    ///
    /// # Errors
    /// If the clipboard cannot be read, one of them is empty, or the terminal ends first.
    pub fn copied(clipboard: impl Fn() -> Result<String>, terminal: &mut dyn BufRead) -> Result<Sample> {
        let first = clipboard()?;
        if let [input, output] = &split(&first)[..] {
            eprintln!("Took both from the clipboard, parted at the line {SEPARATOR}.");
            return Ok(Sample { input: pasted("input", input)?, output: pasted("output", output)? });
        }
        let input = pasted("input", &first)?;
        let mut copy_output = |message| {
            eprintln!("{message}");
            let pressed = terminal.read_line(&mut String::new())?;
            ensure!(pressed > 0, "nobody pressed Enter, so there is no output; nothing was written");
            clipboard()
        };
        let mut second = copy_output("Took the input. Now copy the output, then press Enter:")?;
        if second == first {
            second = copy_output(
                "That is still the input. Copy the output, then press Enter (just Enter if both are the same):",
            )?;
        }
        Ok(Sample { input, output: pasted("output", &second)? })
    }

    fn exact(input: &str, output: &str) -> Sample {
        let whole = |text: &str| {
            let text = unix_lines(text);
            if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
        };
        Sample { input: whole(input), output: whole(output) }
    }
}

/// A case that is about to be in the test data of a problem.
#[derive(Debug)]
pub struct Case<'a> {
    package: &'a Package,
    /// The file for the input, from the package's root.
    pub input: PathBuf,
    /// The file for the output, from the package's root.
    pub output: PathBuf,
    /// Whether the files are still the placeholder that `cargo scaffold` wrote.
    pub placeholder: bool,
}

impl Case<'_> {
    /// The case of this name, or the next `sample-N` that is free.
    ///
    /// A placeholder that nobody has edited counts as free: a real solution would only fail it.
    ///
    /// # Errors
    /// If there is no such problem, or the case is there already, or cannot have this name.
    pub fn new<'a>(package: &'a Package, problem: &str, name: Option<&str>) -> Result<Case<'a>> {
        package.require(problem)?;
        if let Some(name) = name {
            check_name(name)?;
            return Case::named(package, problem, name);
        }
        (1..)
            .find_map(|number| Case::named(package, problem, &format!("sample-{number}")).ok())
            .context("there are too many samples")
    }

    fn named<'a>(package: &'a Package, problem: &str, name: &str) -> Result<Case<'a>> {
        let [input, output] = paths(problem, name);
        let placeholder = placeholder(problem, name)
            .iter()
            .all(|(path, text)| fs::read_to_string(package.path(path)).is_ok_and(|there| there == *text));
        if !placeholder {
            package.require_free(&input)?;
            package.require_free(&output)?;
        }
        Ok(Case { package, input, output, placeholder })
    }

    /// Writes a sample to its two files.
    ///
    /// # Errors
    /// If that fails, or if another case has the same input.
    pub fn add(&self, sample: Sample) -> Result<()> {
        self.require_new(&sample)?;
        if self.placeholder {
            fs::remove_file(self.package.path(&self.input))?;
            fs::remove_file(self.package.path(&self.output))?;
        }
        self.package.add(&[(self.input.clone(), sample.input), (self.output.clone(), sample.output)])
    }

    /// Checks that no other case of the problem has this input.
    fn require_new(&self, sample: &Sample) -> Result<()> {
        let folder = self.input.parent().unwrap_or(&self.input);
        for entry in fs::read_dir(self.package.path(folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            let is_input = path != self.input && path.extension() == Some("in".as_ref());
            let same = || fs::read_to_string(entry.path()).is_ok_and(|text| unix_lines(&text) == sample.input);
            ensure!(!(is_input && same()), "{} has the same input; nothing was written", path.display());
        }
        Ok(())
    }
}

/// The placeholder sample of a new problem, which the scaffold's solution passes.
#[must_use]
pub fn placeholder(problem: &str, case: &str) -> [NewFile; 2] {
    let [input, output] = paths(problem, case);
    [
        (input, include_str!("../template/sample-1.in").to_owned()),
        (output, include_str!("../template/sample-1.out").to_owned()),
    ]
}

fn paths(problem: &str, case: &str) -> [PathBuf; 2] {
    ["in", "out"].map(|extension| format!("testdata/{problem}/{case}.{extension}").into())
}

/// Names of cases become file names on every system, and names of tests.
fn check_name(name: &str) -> Result<()> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-';
    ensure!(
        name.bytes().all(allowed) && name.starts_with(|first: char| first.is_ascii_alphanumeric()) && name.len() <= 64,
        "{name:?} cannot be the name of a case: such a name has up to 64 lower-case letters, digits, _ and -, a letter or \
         digit first, such as full_board"
    );
    let numbered = name.strip_prefix("com").or(name.strip_prefix("lpt"));
    ensure!(
        !["aux", "con", "nul", "prn"].contains(&name)
            && !numbered.is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9'])),
        "{name} is the name of a device on Windows, where no file can be called that; choose another"
    );
    Ok(())
}

/// The parts of a text between its lines `---`.
fn split(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let parts = lines.split(|line| line.trim_end() == SEPARATOR);
    parts.map(<[&str]>::concat).collect()
}

/// A text that was copied by hand, with one line end at its end: how many it had is an accident.
fn pasted(what: &str, text: &str) -> Result<String> {
    let text = unix_lines(text);
    let kept = text.trim_end_matches('\n');
    ensure!(!kept.is_empty(), "the {what} is empty; nothing was written");
    if text.len() > kept.len() + 1 {
        eprintln!("Dropped the blank lines at the end of the {what}; --in and --out would keep them.");
    }
    Ok(format!("{kept}\n"))
}

/// The text without what Windows adds: a carriage return before a line end, a mark at the beginning.
fn unix_lines(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::VecDeque;

    fn sample(input: &str, output: &str) -> Sample {
        let [input, output] = [input, output].map(str::to_owned);
        Sample { input, output }
    }

    /// A clipboard that holds these texts, one after the other.
    fn clipboard<const N: usize>(texts: [&str; N]) -> impl Fn() -> Result<String> {
        let texts = RefCell::new(VecDeque::from(texts.map(str::to_owned)));
        move || Ok(texts.borrow_mut().pop_front().expect("another text"))
    }

    /// A terminal where each text ends with Ctrl-D: it reads as an end, and goes on after that.
    struct Terminal<'a>(Vec<&'a [u8]>);

    impl Read for Terminal<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let Some(text) = self.0.first_mut() else {
                return Ok(0);
            };
            let length = text.read(buffer)?;
            if length == 0 {
                self.0.remove(0);
            }
            Ok(length)
        }
    }

    #[test]
    fn one_text_is_parted_at_its_only_separator_and_the_output_kept_to_the_byte() {
        let parted = Sample::from_one_text("1 2\r\n---\r\n3\r\n\r\n").unwrap();
        assert_eq!(parted, sample("1 2\n", "3\n\n"));
        assert_eq!(Sample::from_one_text("1 2\n---\n3").unwrap(), sample("1 2\n", "3\n"));
        // An empty board of three by three, where the separator is a row.
        let board = Sample::from_one_text("---\n---\n---\n---\n0\n").unwrap_err();
        assert!(board.to_string().contains("--in and --out"));
    }

    #[test]
    fn a_terminal_is_asked_twice() {
        let mut terminal = Terminal(vec![b"1 2\n", b"3\n\n"]);
        assert_eq!(Sample::typed(&mut terminal).unwrap(), sample("1 2\n", "3\n"));
        let nothing = Sample::typed(&mut Terminal(vec![b"1 2\n"])).unwrap_err();
        assert!(nothing.to_string().contains("output is empty"));
    }

    #[test]
    fn the_clipboard_is_read_again_for_the_output() {
        let copied = Sample::copied(clipboard(["1 2", "3\r\n"]), &mut "\n".as_bytes());
        assert_eq!(copied.unwrap(), sample("1 2\n", "3\n"));
        let copied = Sample::copied(clipboard(["1 2\n---\n3"]), &mut "".as_bytes());
        assert_eq!(copied.unwrap(), sample("1 2\n", "3\n"));
    }

    #[test]
    fn a_forgotten_copy_is_noticed() {
        let copied = Sample::copied(clipboard(["1", "1", "2"]), &mut "\n\n".as_bytes());
        assert_eq!(copied.unwrap(), sample("1\n", "2\n"));
        let same = Sample::copied(clipboard(["1", "1", "1"]), &mut "\n\n".as_bytes());
        assert_eq!(same.unwrap(), sample("1\n", "1\n"));
        let nobody = Sample::copied(clipboard(["1"]), &mut "".as_bytes()).unwrap_err();
        assert!(nobody.to_string().contains("nothing was written"));
    }

    #[test]
    fn names_of_cases_are_file_names_everywhere() {
        for name in ["sample-1", "full_board", "6x6", "com", "com0", "com10", "come", "console"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "a b", "Board", "../x", "-x", "x.in", "con", "nul", "com1", "lpt9", "é"] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
