//! From standard input to typed values, and what happens when the input is wrong.

use proconio::source::{Readable, Source};
use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufWriter, Write};
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::process;

/// What a solution ends in: all is written, or the reason why there is no answer.
pub type Outcome = Result<(), Box<dyn Error>>;

/// Runs a solution from standard input to standard output.
///
/// Wrong input ends the program with exit code 1 and one line on standard error that says where and what.
pub fn run(solve: fn(&mut Tokens, &mut dyn Write) -> Outcome) {
    let mut out = BufWriter::new(io::stdout().lock());
    if let Err(error) = attempt(solve, io::stdin().lock(), &mut out) {
        let _ = out.flush();
        eprintln!("error: {}", error);
        process::exit(1);
    }
}

/// Runs a solution from any reader to any writer.
///
/// # Errors
///
/// What is wrong with the input, or that it could not be read or the answer not be written.
///
/// ```
/// use proconio::input;
/// use stones::input::{attempt, Outcome, Tokens, Within};
///
/// fn double(source: &mut Tokens, out: &mut dyn std::io::Write) -> Outcome {
///     input! { from source, number: Within<0, 100> }
///     Ok(writeln!(out, "{}", number * 2)?)
/// }
///
/// let mut answer = Vec::new();
/// attempt(double, "21".as_bytes(), &mut answer).unwrap();
/// assert_eq!(answer, b"42\n");
///
/// let error = attempt(double, "\n  x".as_bytes(), &mut answer).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 3: expected a number from 0 to 100, found \"x\"",
/// );
/// ```
pub fn attempt(
    solve: fn(&mut Tokens, &mut dyn Write) -> Outcome,
    reader: impl BufRead + 'static,
    out: &mut dyn Write,
) -> Outcome {
    let mut source = Tokens::new(reader);
    // proconio reads values, not results, so what refuses a token can only leave by unwinding.
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        solve(&mut source, out)?;
        if let Some(word) = source.next_token() {
            expected("the end of the input", word);
        }
        Ok(out.flush()?)
    }));
    outcome.unwrap_or_else(|payload| match payload.downcast::<Refusal>() {
        Ok(refusal) => Err(format!("{}: {}", source.place(), refusal.0).into()),
        Err(bug) => panic::resume_unwind(bug),
    })
}

/// The words of the input, for proconio's `input! { from source, … }`.
///
/// Blanks are those of ASCII, and they only separate: line ends mean nothing. Reads as it goes, so memory does not grow
/// with the input.
///
/// ```
/// use proconio::input;
/// use stones::input::Tokens;
///
/// input! { from Tokens::new("2\r\n\t7 8".as_bytes()), n: usize, numbers: [u8; n] }
/// assert_eq!(numbers, [7, 8]);
/// ```
pub struct Tokens {
    reader: Box<dyn BufRead>,
    /// Whole words read ahead.
    text: String,
    /// Where in `text` the last word begins that was asked for.
    word: usize,
    /// Where in `text` the unread part begins.
    unread: usize,
    /// Where `text` begins in the input.
    begin: Place,
}

/// A word longer than this has no place in any of the problems; without a limit, endless input would fill the memory.
const LONGEST_WORD: usize = 1 << 16;

impl Tokens {
    /// Takes the words from `reader`.
    pub fn new(reader: impl BufRead + 'static) -> Tokens {
        Tokens {
            reader: Box::new(reader),
            text: String::new(),
            word: 0,
            unread: 0,
            begin: Place { line: 1, column: 1 },
        }
    }

    /// Reads the next piece of the input, up to a blank so that no word is cut. Returns whether there was any.
    fn read_on(&mut self) -> bool {
        self.begin = self.begin.after(&self.text);
        self.unread = 0;
        let mut bytes = mem::take(&mut self.text).into_bytes();
        bytes.clear();
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) => refuse(format!("cannot read the input: {}", error)),
            };
            let blank = chunk.iter().rposition(|&byte| is_blank(byte));
            let whole = blank.map_or(chunk.len(), |blank| blank + 1);
            bytes.extend_from_slice(&chunk[..whole]);
            self.reader.consume(whole);
            if blank.is_some() || whole == 0 {
                break;
            }
            if bytes.len() > LONGEST_WORD {
                refuse(format!("a word of more than {} bytes", LONGEST_WORD));
            }
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.text = text,
            Err(error) => {
                self.word = error.utf8_error().valid_up_to();
                self.text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                refuse("the input is not UTF-8 text".to_owned());
            }
        }
        !self.text.is_empty()
    }

    /// Where the last word that was asked for begins.
    fn place(&self) -> Place {
        self.begin.after(&self.text[..self.word])
    }
}

impl Source<Box<dyn BufRead>> for Tokens {
    fn next_token(&mut self) -> Option<&str> {
        let empty = self.is_empty();
        self.word = self.unread;
        if empty {
            return None;
        }
        let unread = &self.text[self.word..];
        let length = unread.bytes().position(is_blank);
        let word = &unread[..length.unwrap_or(unread.len())];
        self.unread += word.len();
        Some(word)
    }

    fn is_empty(&mut self) -> bool {
        loop {
            let mut unread = self.text.as_bytes()[self.unread..].iter();
            if let Some(blanks) = unread.position(|&byte| !is_blank(byte)) {
                self.unread += blanks;
                return false;
            }
            self.unread = self.text.len();
            if !self.read_on() {
                return true;
            }
        }
    }

    fn next_token_unwrap(&mut self) -> &str {
        match self.next_token() {
            Some(word) => word,
            None => refuse("the input ends too early".to_owned()),
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// How `input!` reads a whole number from `LOW` to `HIGH`.
///
/// ```
/// use proconio::input;
/// use stones::input::{Tokens, Within};
///
/// input! { from Tokens::new("3 1 4 1".as_bytes()), n: Within<1, 5>, digits: [Within<0, 9>; n] }
/// assert_eq!(digits, [1, 4, 1]);
/// ```
pub enum Within<const LOW: usize, const HIGH: usize> {}

impl<const LOW: usize, const HIGH: usize> Readable for Within<LOW, HIGH> {
    type Output = usize;

    fn read<R: BufRead, S: Source<R>>(source: &mut S) -> usize {
        let word = source.next_token_unwrap();
        match word.parse() {
            Ok(number) if (LOW..=HIGH).contains(&number) => number,
            _ => expected(&format!("a number from {} to {}", LOW, HIGH), word),
        }
    }
}

/// Refuses a word, saying what should stand in its place.
pub fn expected(what: &str, found: &str) -> ! {
    let mut shown: String = found.chars().take(24).collect();
    if shown.len() < found.len() {
        shown.push('…');
    }
    refuse(format!("expected {}, found {:?}", what, shown))
}

/// Ends the solution; [`attempt`] adds the place. Not a panic, since wrong input is not a bug of the program.
fn refuse(why: String) -> ! {
    panic::resume_unwind(Box::new(Refusal(why)))
}

struct Refusal(String);

/// A line and a column, counted from 1 in characters.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    /// The place where what follows `text` begins, if `text` begins here.
    fn after(self, text: &str) -> Place {
        match text.rsplit_once('\n') {
            Some((lines, rest)) => Place {
                line: self.line + 1 + lines.matches('\n').count(),
                column: 1 + rest.chars().count(),
            },
            None => Place {
                line: self.line,
                column: self.column + text.chars().count(),
            },
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
