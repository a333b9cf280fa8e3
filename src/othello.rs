//! The rules of Othello, on any square board with a centre.

use crate::direction::Direction;
use crate::grid::{Grid, Pos};
use crate::stone::Stone;
use std::error::Error;
use std::fmt;

/// A position of an Othello game.
///
/// ```
/// use stones::grid::Pos;
/// use stones::othello::Board;
/// use stones::stone::Stone::{Black, White};
///
/// let mut board = Board::new(6)?;
/// let turned = board.play(Black, Pos { row: 1, col: 2 })?;
/// assert_eq!(turned, [Pos { row: 2, col: 2 }]);
/// assert_eq!((board.count(Black), board.count(White)), (4, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    squares: Grid<Option<Stone>>,
    counts: [usize; 2],
}

impl Board {
    /// The start: white on the falling diagonal of the four centre squares, black on the rising one.
    ///
    /// # Errors
    ///
    /// If `side` is odd or 0: such a board has no four centre squares.
    pub fn new(side: usize) -> Result<Board, NoCentre> {
        if side == 0 || side % 2 == 1 {
            return Err(NoCentre(side));
        }
        let mut squares = Grid::from_cells(side, vec![None; side * side]);
        let (low, high) = (side as isize / 2 - 1, side as isize / 2);
        for (row, col, stone) in [
            (low, low, Stone::White),
            (low, high, Stone::Black),
            (high, low, Stone::Black),
            (high, high, Stone::White),
        ] {
            squares[Pos { row, col }] = Some(stone);
        }
        Ok(Board {
            squares,
            counts: [2, 2],
        })
    }

    /// The squares, each empty or with a disc on it.
    #[must_use]
    pub fn squares(&self) -> &Grid<Option<Stone>> {
        &self.squares
    }

    /// How many discs show this colour.
    #[must_use]
    pub fn count(&self, stone: Stone) -> usize {
        self.counts[stone as usize]
    }

    /// Puts a disc of colour `stone` on `pos` and turns all that it captures. Returns the squares turned.
    ///
    /// # Errors
    ///
    /// Why the move breaks the rules; the board is then as it was.
    pub fn play(&mut self, stone: Stone, pos: Pos) -> Result<Vec<Pos>, IllegalMove> {
        match self.squares.get(pos) {
            None => return Err(IllegalMove::OffBoard(pos)),
            Some(Some(_)) => return Err(IllegalMove::Occupied(pos)),
            Some(None) => {}
        }
        let captures = self.captures(stone, pos);
        if captures.is_empty() {
            return Err(IllegalMove::NoCapture(pos));
        }
        self.squares[pos] = Some(stone);
        for &captured in &captures {
            self.squares[captured] = Some(stone);
        }
        self.counts[stone as usize] += captures.len() + 1;
        self.counts[stone.opponent() as usize] -= captures.len();
        Ok(captures)
    }

    /// Whether this colour has a legal move anywhere.
    #[must_use]
    pub fn can_move(&self, stone: Stone) -> bool {
        self.squares
            .positions()
            .any(|pos| self.squares[pos].is_none() && !self.captures(stone, pos).is_empty())
    }

    /// In each direction: the unbroken run of the opponent's discs, if one of our own stands behind it.
    fn captures(&self, stone: Stone, pos: Pos) -> Vec<Pos> {
        let mut captures = Vec::new();
        for direction in Direction::ALL {
            let ray = self.squares.ray(pos, direction);
            let shows = |colour: Stone| move |pos: &Pos| self.squares[*pos] == Some(colour);
            let run = ray.clone().take_while(shows(stone.opponent())).count();
            if ray.clone().nth(run).filter(shows(stone)).is_some() {
                captures.extend(ray.take(run));
            }
        }
        captures
    }
}

/// The side of a board that has no four centre squares to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCentre(pub usize);

impl fmt::Display for NoCentre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a board of side {} has no four centre squares", self.0)
    }
}

impl Error for NoCentre {}

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// There is no such square.
    OffBoard(Pos),
    /// A disc is there already.
    Occupied(Pos),
    /// No run of the opponent's discs would be closed in.
    NoCapture(Pos),
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::OffBoard(pos) => write!(f, "square {} is not on the board", pos),
            IllegalMove::Occupied(pos) => write!(f, "square {} is occupied", pos),
            IllegalMove::NoCapture(pos) => write!(f, "a disc on square {} captures nothing", pos),
        }
    }
}

impl Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stone::Stone::{Black, White};

    fn pos(row: isize, col: isize) -> Pos {
        Pos { row, col }
    }

    #[test]
    fn a_board_without_four_centre_squares_is_refused() {
        for side in [0, 1, 5] {
            assert_eq!(Board::new(side).unwrap_err(), NoCentre(side));
        }
    }

    #[test]
    fn an_illegal_move_says_why_and_changes_nothing() {
        let mut board = Board::new(4).unwrap();
        let before = board.clone();
        let mut why = |row, col| board.play(Black, pos(row, col)).unwrap_err().to_string();
        assert_eq!(why(0, 4), "square 1 5 is not on the board");
        assert_eq!(why(-1, 0), "square 0 1 is not on the board");
        assert_eq!(why(1, 1), "square 2 2 is occupied");
        assert_eq!(why(0, 2), "a disc on square 1 3 captures nothing");
        assert_eq!(board.squares, before.squares);
        assert_eq!(board.counts, before.counts);
    }

    #[test]
    fn both_colours_can_move_at_the_start_and_none_without_a_disc_to_capture() {
        let mut board = Board::new(4).unwrap();
        assert!(board.can_move(Black) && board.can_move(White));
        for at in board.squares.positions() {
            board.squares[at] = board.squares[at].map(|_| Black);
        }
        assert!(!board.can_move(Black) && !board.can_move(White));
    }
}
