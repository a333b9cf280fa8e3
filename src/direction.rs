//! The eight ways across a board.

/// A step from a square to one of its eight neighbours.
///
/// ```
/// use stones::direction::Direction;
///
/// assert_eq!(Direction::ALL.len(), 8);
/// assert_eq!(Direction::NorthEast.offset(), (-1, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Up, towards row 0.
    North,
    /// Up and to the right.
    NorthEast,
    /// To the right.
    East,
    /// Down and to the right.
    SouthEast,
    /// Down.
    South,
    /// Down and to the left.
    SouthWest,
    /// To the left, towards column 0.
    West,
    /// Up and to the left.
    NorthWest,
}

use self::Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

impl Direction {
    /// All eight, clockwise from north.
    pub const ALL: [Direction; 8] = [North, NorthEast, East, SouthEast, South, SouthWest, West, NorthWest];

    /// The four to the sides, clockwise from north: the steps of a walk without diagonals.
    ///
    /// ```
    /// use stones::direction::Direction;
    ///
    /// assert!(Direction::SIDES.iter().all(|way| way.offset().0 == 0 || way.offset().1 == 0));
    /// ```
    pub const SIDES: [Direction; 4] = [North, East, South, West];

    /// The four that walk a line from its leftmost stone, or from its topmost if it is a column.
    ///
    /// Every line of a board runs along exactly one of them. Two of them are diagonals: for the steps to the four sides
    /// there is [`Direction::SIDES`].
    ///
    /// ```
    /// use stones::direction::Direction;
    ///
    /// for axis in Direction::AXES {
    ///     let (down, right) = axis.offset();
    ///     assert!(right > 0 || (right == 0 && down > 0));
    ///     assert!(!Direction::AXES.contains(&axis.opposite()));
    /// }
    /// ```
    pub const AXES: [Direction; 4] = [NorthEast, East, SouthEast, South];

    /// The step as (rows down, columns to the right).
    #[must_use]
    pub fn offset(self) -> (isize, isize) {
        const OFFSETS: [(isize, isize); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];
        OFFSETS[self as usize]
    }

    /// The way back.
    ///
    /// ```
    /// use stones::direction::Direction;
    ///
    /// assert_eq!(Direction::NorthEast.opposite(), Direction::SouthWest);
    /// ```
    #[must_use]
    pub fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 4) % 8]
    }
}
