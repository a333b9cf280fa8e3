//! From standard input to typed values, and what happens when the input is wrong.

use proconio::source::{Readable, Source};
use std::error::Error;
use std::io::{self, BufRead, BufWriter, ErrorKind, Write};
use std::panic::{self, AssertUnwindSafe};

/// How a solution ends: all is written, or there is a reason why there is no answer.
pub type Outcome<T = ()> = Result<T, Reason>;

/// Why there is no answer. `?` turns any error and any text into one.
pub type Reason = Box<dyn Error + Send + Sync>;

/// A solution: reads the words of the input and writes the answer.
pub type Solution = fn(&mut Tokens, &mut dyn Write) -> Outcome;

/// Runs a solution from standard input to standard output.
///
/// Wrong input ends the program with exit code 1 and one line on standard error: what is wrong, and where. The place is
/// the refused word or letter, or else the last word read, or the end of an input that is too short. Words after a
/// complete input only lead to one line of warning.
pub fn run(solve: Solution) {
    // Few large writes: a long answer takes longer in pieces of the usual 8 KiB.
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let outcome = attempt(solve, io::stdin().lock(), &mut out);
    match outcome {
        Ok(None) => {}
        Ok(Some(warning)) => eprintln!("warning: {}", warning),
        Err(error) => {
            // What is still in the buffer is not written: after an error, nothing more is printed.
            eprintln!("error: {}", error);
            std::process::exit(1);
        }
    }
}

/// Runs a solution from any reader to any writer. Returns a warning if words stand after the input.
///
/// # Errors
///
/// What is wrong with the input, or why it could not be read, or why the answer could not be written. A pipe that
/// closes early is no error.
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
///
/// let warning = attempt(double, "21 x".as_bytes(), &mut answer).unwrap();
/// assert_eq!(warning.unwrap(), "line 1, column 4: expected the end of the input, found \"x\"");
/// ```
pub fn attempt(solve: Solution, reader: impl BufRead + 'static, out: &mut dyn Write) -> Outcome<Option<String>> {
    let mut source = Tokens::new(reader);
    let mut answered = false;
    // `Readable::read` of proconio returns a value and not a `Result`. So the only way to refuse a word is to unwind.
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        solve(&mut source, out)?;
        out.flush()?;
        answered = true;
        source.next_token().map_or(Ok(()), |word| expected("the end of the input", word))
    }));
    let (address, error) = match outcome {
        Ok(Ok(())) => return Ok(None),
        Ok(Err(error)) => (0, error),
        Err(payload) => *payload.downcast::<(usize, Reason)>().unwrap_or_else(|bug| panic::resume_unwind(bug)),
    };
    // If a word was refused, `address` is inside of the text. If not, the place is that of the last word, or the end if
    // there was none left: then `text` is empty.
    let before = source.text.get(..address.wrapping_sub(source.text.as_ptr() as usize));
    let (line, column) = after(source.begin, before.unwrap_or(&source.text[..source.word]));
    let placed = format!("line {}, column {}: {}", line, column, error);
    match error.downcast_ref().map(io::Error::kind) {
        // Whoever reads the answer, such as `head`, has seen enough.
        Some(ErrorKind::BrokenPipe) => Ok(None),
        // This has no place in the input.
        Some(_) => Err(format!("reading or writing failed: {}", error).into()),
        None if answered => Ok(Some(placed)),
        None => Err(placed.into()),
    }
}

/// The words of the input, for proconio's `input! { from source, … }`.
///
/// ASCII blanks and line ends separate words, and mean nothing else. Reads as it goes, so memory does not grow with the
/// input. A word may have up to 4 MiB.
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
    pub(crate) text: String,
    /// Where in `text` the unread part begins.
    pub(crate) unread: usize,
    /// Where in `text` the last word that was asked for begins.
    word: usize,
    /// The line and the column, in bytes, where `text` begins, counted from 1.
    begin: (usize, usize),
}

impl Tokens {
    /// Takes the words from `reader`.
    pub fn new(reader: impl BufRead + 'static) -> Tokens {
        Tokens { reader: Box::new(reader), text: String::new(), unread: 0, word: 0, begin: (1, 1) }
    }

    /// Reads the next piece of the input, up to a blank so that no word is cut. Returns whether there was any.
    #[cold] // called once per piece; inlined, it would slow down every word
    fn read_on(&mut self) -> bool {
        self.begin = after(self.begin, &self.text);
        self.unread = 0;
        self.word = 0;
        let mut bytes = Vec::new();
        loop {
            let piece = match self.reader.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue, // by a signal
                Err(error) => refuse("", error),
            };
            let blank = piece.iter().rposition(|&byte| is_blank(byte));
            let whole = blank.map_or(piece.len(), |blank| blank + 1);
            bytes.extend_from_slice(&piece[..whole]);
            self.reader.consume(whole);
            if blank.is_some() || whole == 0 {
                break;
            }
            // Endless input must not fill the memory. The longest words of a judge have a few million letters.
            if bytes.len() > 1 << 22 {
                refuse("", "a word of more than 4 MiB");
            }
        }
        // What is not UTF-8 becomes a sign that no number and no cell has, so both refuse it.
        self.text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        !self.text.is_empty()
    }
}

impl Source<Box<dyn BufRead>> for Tokens {
    #[inline]
    fn next_token(&mut self) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        self.word = self.unread;
        let unread = &self.text[self.word..];
        let length = unread.bytes().position(is_blank).unwrap_or(unread.len());
        self.unread += length + 1; // and over the blank after it
        Some(&unread[..length])
    }

    #[inline]
    fn is_empty(&mut self) -> bool {
        loop {
            match self.text.as_bytes().get(self.unread).copied() {
                Some(byte) if is_blank(byte) => self.unread += 1,
                None if self.read_on() => {}
                next => return next.is_none(),
            }
        }
    }
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The next word of the input, for what implements proconio's `Readable`.
///
/// Refuses input that has none.
#[inline]
pub fn next_word<R: BufRead, S: Source<R>>(source: &mut S) -> &str {
    source.next_token().unwrap_or_else(|| refuse("", "the input ends too early"))
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

    #[inline]
    fn read<R: BufRead, S: Source<R>>(source: &mut S) -> usize {
        let word = next_word(source);
        let number = word.parse().ok().filter(|number| (LOW..=HIGH).contains(number) && !word.starts_with('+'));
        number.unwrap_or_else(|| expected(&format!("a number from {} to {}", LOW, HIGH), word))
    }
}

/// How `input!` reads a whole number from `LOW` to `HIGH` that may be below zero.
///
/// ```
/// use proconio::input;
/// use stones::input::{SignedWithin, Tokens};
///
/// input! { from Tokens::new("-3 4".as_bytes()), steps: [SignedWithin<-9, 9>; 2] }
/// assert_eq!(steps, [-3, 4]);
/// ```
pub enum SignedWithin<const LOW: i64, const HIGH: i64> {}

impl<const LOW: i64, const HIGH: i64> Readable for SignedWithin<LOW, HIGH> {
    type Output = i64;

    fn read<R: BufRead, S: Source<R>>(source: &mut S) -> i64 {
        let word = next_word(source);
        let number = word.parse().ok().filter(|number| (LOW..=HIGH).contains(number) && !word.starts_with('+'));
        number.unwrap_or_else(|| expected(&format!("a number from {} to {}", LOW, HIGH), word))
    }
}

/// Refuses a word, saying what should stand in its place.
pub fn expected(what: &str, found: &str) -> ! {
    let shown: String = found.chars().take(40).collect();
    refuse(found, format!("expected {}, found {:?}", what, shown))
}

/// Ends the solution. It unwinds without the message of a panic, since wrong input is not a bug of the program.
/// [`attempt`] catches it and adds the place of `word`.
#[cold]
fn refuse(word: &str, why: impl Into<Reason>) -> ! {
    let why: Reason = why.into();
    panic::resume_unwind(Box::new((word.as_ptr() as usize, why)))
}

/// The line and the column where `text` ends, if it begins at these.
fn after((line, column): (usize, usize), text: &str) -> (usize, usize) {
    // A sum of at most 224 ones fits into a byte. 224 is seven times 32, so the compiler can add 32 bytes at a time.
    let ends = |part: &[u8]| usize::from(part.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>());
    match text.as_bytes().chunks(224).map(ends).sum() {
        0 => (line, column + text.len()),
        lines => (line + lines, text.len() - text.rfind('\n').unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor};

    fn one_number(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
        writeln!(out, "{}", Within::<0, 9>::read(source))?;
        Ok(())
    }

    fn refusal(input: &str) -> String {
        let reader = Cursor::new(input.to_owned());
        let outcome = attempt(one_number, reader, &mut Vec::new());
        outcome.unwrap_err().to_string()
    }

    #[test]
    fn a_last_word_may_be_as_long_as_the_limit_and_not_a_byte_longer() {
        let longest = "7".repeat(1 << 22);
        assert!(refusal(&longest).contains("expected a number"));
        assert!(refusal(&(longest + "7")).contains("a word of more than 4 MiB"));
    }

    #[test]
    fn a_refused_word_is_shown_up_to_its_fortieth_character() {
        let digits = "12345678901234567890123456789012345678901";
        assert!(refusal(&digits[..40]).ends_with(&format!("found {:?}", &digits[..40])));
        assert!(refusal(digits).ends_with(&format!("found {:?}", &digits[..40])));
    }

    #[test]
    fn an_answer_that_cannot_be_written_is_not_blamed_on_the_input() {
        let outcome = attempt(one_number, "7".as_bytes(), &mut [].as_mut_slice());
        assert_eq!(outcome.unwrap_err().to_string(), "reading or writing failed: failed to write whole buffer");
    }

    #[test]
    fn signed_numbers_end_at_their_limits() {
        let signed = |source: &mut Tokens, out: &mut dyn Write| -> Outcome {
            writeln!(out, "{}", SignedWithin::<{ i64::MIN }, 9>::read(source))?;
            Ok(())
        };
        for (input, good) in [
            ("9", true),
            ("10", false),
            ("-9223372036854775808", true),
            ("-9223372036854775809", false),
            ("+1", false),
            ("-", false),
            ("1.5", false),
        ] {
            let mut answer = Vec::new();
            assert_eq!(attempt(signed, input.as_bytes(), &mut answer).is_ok(), good, "{input}");
            assert_eq!(answer == format!("{input}\n").as_bytes(), good);
        }
    }

    /// Fails to read in this way, and then has a text.
    struct Failing(ErrorKind, &'static [u8]);

    impl io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            unreachable!("it is read piece by piece")
        }
    }

    impl BufRead for Failing {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            match std::mem::replace(&mut self.0, ErrorKind::Other) {
                ErrorKind::Other => Ok(self.1),
                failure => Err(failure.into()),
            }
        }

        fn consume(&mut self, bytes: usize) {
            self.1 = &self.1[bytes..];
        }
    }

    #[test]
    fn a_signal_while_reading_does_no_harm() {
        let mut answer = Vec::new();
        assert_eq!(attempt(one_number, Failing(ErrorKind::Interrupted, b"7"), &mut answer).unwrap(), None);
        assert_eq!(answer, b"7\n");
    }

    #[test]
    fn input_that_cannot_be_read_is_not_blamed_on_a_line() {
        let outcome = attempt(one_number, Failing(ErrorKind::PermissionDenied, b"7"), &mut Vec::new());
        assert_eq!(outcome.unwrap_err().to_string(), "reading or writing failed: permission denied");
    }

    #[test]
    fn a_pipe_that_closes_early_is_no_error() {
        struct Closed;

        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        assert_eq!(attempt(one_number, "7".as_bytes(), &mut Closed).unwrap(), None);
    }

    #[test]
    fn words_after_the_input_are_a_warning_that_says_where_the_first_is() {
        for (input, warning) in [
            ("7", None),
            ("7 \r\n\n", None),
            ("7 8 9", Some("line 1, column 3: expected the end of the input, found \"8\"")),
            ("7\r\n\u{1a}", Some("line 2, column 1: expected the end of the input, found \"\\u{1a}\"")),
            ("7\n\0\0", Some("line 2, column 1: expected the end of the input, found \"\\0\\0\"")),
        ] {
            let mut answer = Vec::new();
            let outcome = attempt(one_number, input.as_bytes(), &mut answer);
            assert_eq!(outcome.unwrap().as_deref(), warning);
            assert_eq!(answer, b"7\n");
        }
    }

    #[test]
    fn the_place_of_a_wrong_word_is_its_line_and_column_however_the_input_comes() {
        for (input, place) in [
            ("x", "line 1, column 1:"),
            ("1    x", "line 1, column 6:"),
            ("\r\n\n \tx", "line 3, column 3:"),
            ("1\n  \n   x", "line 3, column 4:"),
        ] {
            for capacity in 1..=16 {
                let reader = BufReader::with_capacity(capacity, Cursor::new(input));
                let message = match attempt(one_number, reader, &mut Vec::new()) {
                    Ok(warning) => warning.unwrap(),
                    Err(error) => error.to_string(),
                };
                assert!(message.starts_with(place), "{}: {}", capacity, message);
            }
        }
    }

    #[test]
    fn words_are_the_same_wherever_a_piece_ends() {
        for first in ["x", "\0", "\u{1a}", "é", "\u{120}", "~"] {
            for last in ["x", "\u{1f}", "!", "é", "\u{7f}"] {
                let words =
                    [1, 2, 5, 6, 7, 8, 9, 14, 15, 16, 17].map(|length| format!("{first}{}{last}", "5".repeat(length)));
                for blank in [" ", "\n", "\r\n", "\t \u{b}\u{c}"] {
                    for (capacity, end) in (1..=40).flat_map(|capacity| [(capacity, ""), (capacity, blank)]) {
                        let input = words.join(blank) + end;
                        let mut source = Tokens::new(BufReader::with_capacity(capacity, Cursor::new(input)));
                        for word in &words {
                            assert_eq!(source.next_token(), Some(&word[..]), "{capacity} {blank:?}");
                        }
                        assert_eq!(source.next_token(), None);
                        assert!(source.is_empty());
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_utf_8_is_shown_as_a_mark() {
        let mut source = Tokens::new(&b"12345678\xff 1\x80 \xfe2345678 3"[..]);
        for word in ["12345678\u{fffd}", "1\u{fffd}", "\u{fffd}2345678", "3"] {
            assert_eq!(source.next_token(), Some(word));
        }
        assert_eq!(source.next_token(), None);
    }

    #[test]
    fn numbers_have_digits_and_nothing_else_and_fit() {
        let read = |word: &str| {
            let solve: Solution = |source, out| Ok(write!(out, "{}", Within::<0, { usize::MAX }>::read(source))?);
            let mut answer = Vec::new();
            attempt(solve, Cursor::new(word.to_owned()), &mut answer).ok()?;
            String::from_utf8(answer).ok()
        };
        let most = usize::MAX.to_string();
        assert_eq!(read(&most).as_ref(), Some(&most));
        assert_eq!(read(&most.replace('5', "6")), None);
        for length in 1..=20 {
            let digits = &"98765432109876543210"[..length];
            assert_eq!(read(digits).as_deref(), Some(digits).filter(|_| length < most.len()));
            assert_eq!(read(&"0".repeat(length)).as_deref(), Some("0"));
            // The neighbours of the digits, and what differs from a digit by one bit.
            for place in 0..length {
                for wrong in ["/", ":", "+", "-", "?", "p", "\0", "\u{7f}", "é", "\u{fffd}"] {
                    let word = format!("{}{wrong}{}", &digits[..place], &digits[place + 1..]);
                    assert_eq!(read(&word), None, "{word}");
                }
            }
        }
    }
}
