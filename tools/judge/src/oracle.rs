//! The right answer to any input, found from the rules in the simplest way. Only long rings need a short cut.
//!
//! Every oracle takes the bytes a program would get and says what it must print, or that it must refuse. None of them
//! uses the library, or code of the solution that it checks.

pub mod omok;
pub mod othello;
pub mod ring;

/// What a program must do with an input: answer it, or refuse.
pub type Answer = Result<Right, Refusal>;

/// Says what must be done with an input.
pub type Oracle = fn(&[u8]) -> Answer;

/// The right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Right {
    /// What must be printed.
    pub printed: String,
    /// Whether words follow the complete input. They do no harm, but a program warns of them.
    pub stray_words: bool,
}

/// The input breaks a rule of the problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// What a program that prints as it reads has printed before it met the offence.
    pub printed: String,
}

/// The oracle for a binary, if its problem has one.
#[must_use]
pub fn of(binary: &str) -> Option<Oracle> {
    match binary {
        "boj_15671_othello" => Some(othello::last_board),
        "boj_2615_omok" => Some(omok::answer),
        "boj_32115_stone_ring" => Some(ring::answer),
        "jutge_p18992_othello_n" => Some(othello::every_board),
        _ => None,
    }
}

/// The words of an input, one after the other.
struct Words<'a>(std::vec::IntoIter<&'a [u8]>);

impl<'a> Words<'a> {
    fn new(input: &'a [u8]) -> Words<'a> {
        let words = input.split(|byte| b" \t\n\x0b\x0c\r".contains(byte));
        Words(words.filter(|word| !word.is_empty()).collect::<Vec<_>>().into_iter())
    }

    fn word(&mut self) -> Result<&'a [u8], Refusal> {
        self.0.next().ok_or_else(Refusal::default)
    }

    /// A number in decimal digits, from `low` to `high`. It may start with zeros.
    fn number(&mut self, low: u64, high: u64) -> Result<u64, Refusal> {
        let word = self.word()?;
        let mut number = 0_u64;
        for digit in word {
            if !digit.is_ascii_digit() {
                return Err(Refusal::default());
            }
            number = number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
        }
        if low <= number && number <= high {
            Ok(number)
        } else {
            Err(Refusal::default())
        }
    }

    /// A cell, which is one of three words and not a number that may be written in many ways.
    fn cell(&mut self) -> Result<u64, Refusal> {
        match self.word()? {
            b"0" => Ok(0),
            b"1" => Ok(1),
            b"2" => Ok(2),
            _ => Err(Refusal::default()),
        }
    }

    /// The answer to an input that is complete. The words that were not read yet, if any, are stray words.
    fn answer(mut self, printed: String) -> Right {
        Right { printed, stray_words: self.0.next().is_some() }
    }
}
