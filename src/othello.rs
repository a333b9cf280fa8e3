//! The rules of Othello, on any square board of even side.

use crate::direction::Direction;
use crate::grid::{Grid, Pos};
use crate::stone::Stone;

/// A position of an Othello game.
///
/// ```
/// use stones::grid::Pos;
/// use stones::othello::Board;
/// use stones::stone::Stone::{Black, White};
///
/// let mut board = Board::new(6);
/// let turned = board.play(Black, Pos { row: 1, col: 2 })?;
/// assert_eq!(turned, [Pos { row: 2, col: 2 }]);
/// assert_eq!((board.count(Black), board.count(White)), (4, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    squares: Grid<Option<Stone>>,
    counts: [usize; 2],
    /// What the last move turned, kept so that most moves allocate nothing.
    turned: Vec<Pos>,
}

impl Board {
    /// The start: white on the falling diagonal of the four centre squares, black on the rising one.
    ///
    /// # Panics
    ///
    /// If `side` is odd or 0: such a board has no four centre squares.
    #[must_use]
    pub fn new(side: usize) -> Board {
        // With a value in the message, the panic is the same code in every edition; with a fixed text it is not.
        assert!(side > 0 && side % 2 == 0, "side {} has no four centre squares", side);
        let mut squares = Grid::new(side, side, None);
        let centre = [side as isize / 2 - 1, side as isize / 2];
        for row in centre {
            for col in centre {
                let stone = if row == col { Stone::White } else { Stone::Black };
                squares[Pos { row, col }] = Some(stone);
            }
        }
        Board { squares, counts: [2, 2], turned: Vec::new() }
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
    pub fn play(&mut self, stone: Stone, pos: Pos) -> Result<&[Pos], &'static str> {
        match self.squares.get(pos) {
            None => return Err("the square is not on the board"),
            Some(Some(_)) => return Err("the square is occupied"),
            Some(None) => {}
        }
        self.turned.clear();
        for &direction in &Direction::ALL {
            let mut captured = pos;
            for _ in 0..self.closed_run(stone, pos, direction) {
                captured = captured + direction;
                self.squares[captured] = Some(stone);
                self.turned.push(captured);
            }
        }
        if self.turned.is_empty() {
            return Err("the move captures nothing");
        }
        self.squares[pos] = Some(stone);
        self.counts[stone as usize] += self.turned.len() + 1;
        self.counts[stone.opponent() as usize] -= self.turned.len();
        Ok(&self.turned)
    }

    /// Whether this colour has a legal move anywhere.
    #[must_use]
    pub fn can_move(&self, stone: Stone) -> bool {
        let side = 0..self.squares.rows() as isize;
        let captures = |pos| Direction::ALL.iter().any(|&direction| self.closed_run(stone, pos, direction) > 0);
        let legal = |pos| self.squares[pos].is_none() && captures(pos);
        side.clone().any(|row| side.clone().any(|col| legal(Pos { row, col })))
    }

    /// The length of the opponent's unbroken run after `pos`, if a disc of colour `stone` stands behind it, and 0
    /// otherwise.
    ///
    /// Like all walks in this file it is written by hand. With [`Grid::ray`] and [`Grid::positions`], the paste of
    /// P18992 would be some 500 bytes longer, and so over its limit of 16 384. A game would take up to 4 % more
    /// instructions.
    fn closed_run(&self, stone: Stone, pos: Pos, direction: Direction) -> usize {
        let mut next = pos + direction;
        let mut run = 0;
        while let Some(&Some(disc)) = self.squares.get(next) {
            if disc == stone {
                return run;
            }
            run += 1;
            next = next + direction;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stone::Stone::{Black, White};

    fn pos(row: isize, col: isize) -> Pos {
        Pos { row, col }
    }

    #[test]
    #[should_panic(expected = "no four centre squares")]
    fn a_board_of_odd_side_has_no_start() {
        let _ = Board::new(5);
    }

    #[test]
    #[should_panic(expected = "no four centre squares")]
    fn a_board_of_no_squares_has_no_start() {
        let _ = Board::new(0);
    }

    #[test]
    fn an_illegal_move_says_why_and_changes_nothing() {
        let mut board = Board::new(4);
        let before = board.clone();
        let mut why = |row, col| board.play(Black, pos(row, col)).unwrap_err();
        assert_eq!(why(0, 4), "the square is not on the board");
        assert_eq!(why(-1, 0), "the square is not on the board");
        assert_eq!(why(1, 1), "the square is occupied");
        assert_eq!(why(0, 2), "the move captures nothing");
        assert_eq!(board.squares, before.squares);
        assert_eq!(board.counts, before.counts);
    }

    #[test]
    fn both_colours_can_move_at_the_start_and_none_without_a_disc_to_capture() {
        let mut board = Board::new(4);
        assert!(board.can_move(Black) && board.can_move(White));
        for at in board.squares.positions() {
            board.squares[at] = board.squares[at].map(|_| Black);
        }
        assert!(!board.can_move(Black) && !board.can_move(White));
    }
}
