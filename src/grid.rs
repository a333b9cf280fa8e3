//! Cells in rows and columns, and walking across them in a straight line.

use crate::direction::Direction;
use crate::input::Within;
use proconio::source::{Readable, Source};
use std::fmt;
use std::io::BufRead;
use std::iter;
use std::ops::{Add, Index, IndexMut};

/// The longest side a board read from the input may have.
///
/// Jutge states no limit, yet a board has to fit into memory. Five thousand is far beyond any test a judge can run, since
/// one position already prints 25 MB.
pub const MAX_SIDE: usize = 5_000;

/// A square, counted from 0 at the top left.
///
/// Signed, so that stepping off the board is ordinary; [`Grid::get`] decides what is on it. People and judges count from
/// 1: that is how a `Pos` is read by `input!` and how it is written.
///
/// ```
/// use proconio::input;
/// use stones::direction::Direction;
/// use stones::grid::Pos;
/// use stones::input::Tokens;
///
/// input! { from Tokens::new("1 3".as_bytes()), corner: Pos }
/// assert_eq!(corner, Pos { row: 0, col: 2 });
/// assert_eq!(corner + Direction::North, Pos { row: -1, col: 2 });
/// assert_eq!(corner.to_string(), "1 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pos {
    /// Rows below the top one.
    pub row: isize,
    /// Columns to the right of the leftmost one.
    pub col: isize,
}

impl Add<Direction> for Pos {
    type Output = Pos;

    #[inline]
    fn add(self, direction: Direction) -> Pos {
        let (down, right) = direction.offset();
        Pos { row: self.row + down, col: self.col + right }
    }
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.row + 1, self.col + 1)
    }
}

impl Readable for Pos {
    type Output = Pos;

    fn read<R: BufRead, S: Source<R>>(source: &mut S) -> Pos {
        let mut coordinate = || Within::<1, MAX_SIDE>::read(source) as isize - 1;
        Pos { row: coordinate(), col: coordinate() }
    }
}

/// A rectangle of cells.
///
/// ```
/// use stones::direction::Direction;
/// use stones::grid::{Grid, Pos};
///
/// let grid = Grid::from_cells(3, "abcdef".chars().collect());
/// let e = Pos { row: 1, col: 1 };
/// assert_eq!(grid[e], 'e');
/// assert_eq!(grid.get(e + Direction::South), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    size: Size,
    cells: Vec<T>,
}

impl<T> Grid<T> {
    /// Lays out `cells` row by row, `cols` of them in each.
    ///
    /// # Panics
    ///
    /// If `cols` is 0 or the cells do not fill whole rows.
    #[must_use]
    pub fn from_cells(cols: usize, cells: Vec<T>) -> Grid<T> {
        let rows = cells.len() / cols;
        assert_eq!(rows * cols, cells.len(), "the last row is not full");
        Grid { size: Size { rows, cols }, cells }
    }

    /// The cell at `pos`, or `None` off the board.
    #[must_use]
    pub fn get(&self, pos: Pos) -> Option<&T> {
        self.size.index(pos).map(|index| &self.cells[index])
    }

    /// The board as text: a letter for each cell, and a line end behind each row.
    ///
    /// ```
    /// let grid = stones::grid::Grid::from_cells(2, vec![true, false, false, true]);
    /// assert_eq!(grid.text(|&stone| if stone { b'#' } else { b'.' }), b"#.\n.#\n");
    /// ```
    pub fn text(&self, letter: impl Fn(&T) -> u8) -> Vec<u8> {
        let rows = self.cells.chunks(self.size.cols);
        rows.flat_map(|row| row.iter().map(&letter).chain(iter::once(b'\n'))).collect()
    }

    /// Every square, row by row.
    pub fn positions(&self) -> impl Iterator<Item = Pos> {
        let Size { rows, cols } = self.size;
        (0..rows as isize).flat_map(move |row| (0..cols as isize).map(move |col| Pos { row, col }))
    }

    /// The squares after `from` in a straight line, up to the edge.
    ///
    /// The ray holds no borrow, so the walk may change the cells it passes.
    ///
    /// ```
    /// use stones::direction::Direction;
    /// use stones::grid::{Grid, Pos};
    ///
    /// let mut grid = Grid::from_cells(4, vec![b'.'; 12]);
    /// for pos in grid.ray(Pos { row: 0, col: 0 }, Direction::SouthEast) {
    ///     grid[pos] = b'#';
    /// }
    /// assert_eq!(grid.text(|&letter| letter), b"....\n.#..\n..#.\n");
    /// ```
    #[must_use]
    pub fn ray(&self, from: Pos, direction: Direction) -> Ray {
        Ray { next: from + direction, direction, size: self.size }
    }
}

impl<T> Index<Pos> for Grid<T> {
    type Output = T;

    /// # Panics
    ///
    /// Off the board, on either axis.
    fn index(&self, pos: Pos) -> &T {
        &self.cells[self.size.index_on_board(pos)]
    }
}

impl<T> IndexMut<Pos> for Grid<T> {
    /// # Panics
    ///
    /// Off the board, on either axis.
    fn index_mut(&mut self, pos: Pos) -> &mut T {
        &mut self.cells[self.size.index_on_board(pos)]
    }
}

/// The squares in a straight line, made by [`Grid::ray`].
#[derive(Clone, Debug)]
pub struct Ray {
    next: Pos,
    direction: Direction,
    size: Size,
}

impl Iterator for Ray {
    type Item = Pos;

    #[inline]
    fn next(&mut self) -> Option<Pos> {
        let pos = self.next;
        self.size.index(pos)?;
        self.next = pos + self.direction;
        Some(pos)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    rows: usize,
    cols: usize,
}

impl Size {
    /// Where the cell of `pos` is stored. Both axes are checked: a column too far must not become the next row.
    #[inline]
    fn index(self, pos: Pos) -> Option<usize> {
        // Below zero becomes larger than any side.
        let (row, col) = (pos.row as usize, pos.col as usize);
        (row < self.rows && col < self.cols).then(|| row * self.cols + col)
    }

    #[inline]
    fn index_on_board(self, pos: Pos) -> usize {
        self.index(pos).unwrap_or_else(|| panic!("{:?} is not on a board of {:?}", pos, self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters() -> Grid<char> {
        Grid::from_cells(3, "abcdef".chars().collect())
    }

    #[test]
    fn get_is_none_one_step_off_every_side() {
        let grid = letters();
        for (row, col) in [(-1, 0), (2, 0), (0, -1), (0, 3), (1, 3), (isize::MIN, 0), (0, isize::MAX)] {
            assert_eq!(grid.get(Pos { row, col }), None, "{row} {col}");
        }
    }

    #[test]
    #[should_panic(expected = "Pos { row: 0, col: 3 } is not on a board of Size { rows: 2, cols: 3 }")]
    fn a_column_too_far_does_not_wrap_into_the_next_row() {
        let _ = letters()[Pos { row: 0, col: 3 }];
    }

    #[test]
    #[should_panic(expected = "Pos { row: -1, col: 1 } is not on a board")]
    fn writing_above_the_board_panics() {
        letters()[Pos { row: -1, col: 1 }] = 'x';
    }

    #[test]
    #[should_panic(expected = "the last row is not full")]
    fn cells_must_fill_whole_rows() {
        let _ = Grid::from_cells(4, vec![0; 6]);
    }

    #[test]
    fn positions_visit_every_cell_in_storage_order() {
        let grid = letters();
        assert_eq!(grid.positions().map(|pos| grid[pos]).collect::<String>(), "abcdef");
    }

    #[test]
    fn a_ray_leaves_out_its_start_and_ends_at_the_edge() {
        let grid = letters();
        let seen =
            |row, col, direction| -> String { grid.ray(Pos { row, col }, direction).map(|pos| grid[pos]).collect() };
        assert_eq!(seen(0, 0, Direction::East), "bc");
        assert_eq!(seen(0, 0, Direction::SouthEast), "e");
        assert_eq!(seen(1, 1, Direction::NorthWest), "a");
        assert_eq!(seen(1, 2, Direction::West), "ed");
        assert_eq!(seen(0, 1, Direction::North), "");
    }
}
