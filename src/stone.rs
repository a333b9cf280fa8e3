//! Black and white.

use crate::input::{expected, next_word};
use proconio::source::{Readable, Source};
use std::io::BufRead;

/// A stone, by the colour of its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stone {
    /// Black, who moves first.
    Black,
    /// White.
    White,
}

impl Stone {
    /// The other colour.
    ///
    /// ```
    /// use stones::stone::Stone;
    ///
    /// assert_eq!(Stone::Black.opponent(), Stone::White);
    /// ```
    #[must_use]
    pub fn opponent(self) -> Stone {
        match self {
            Stone::Black => Stone::White,
            Stone::White => Stone::Black,
        }
    }
}

/// How `input!` reads a cell that is written as a number: 0 empty, 1 black, 2 white.
///
/// ```
/// use proconio::input;
/// use stones::input::Tokens;
/// use stones::stone::{Cell, Stone};
///
/// input! { from Tokens::new("0 1 2".as_bytes()), cells: [Cell; 3] }
/// assert_eq!(cells, [None, Some(Stone::Black), Some(Stone::White)]);
/// ```
pub enum Cell {}

impl Readable for Cell {
    type Output = Option<Stone>;

    fn read<R: BufRead, S: Source<R>>(source: &mut S) -> Option<Stone> {
        match next_word(source) {
            "0" => None,
            "1" => Some(Stone::Black),
            "2" => Some(Stone::White),
            other => expected("a cell (0, 1 or 2)", other),
        }
    }
}
