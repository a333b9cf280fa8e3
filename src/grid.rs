//! Cells in rows and columns, and walking across them in a straight line.

use crate::direction::Direction;
use crate::input::{expected, next_word, Tokens, Within};
use proconio::source::{Readable, Source};
use std::fmt;
use std::io::BufRead;
use std::ops::{Add, Index, IndexMut};
use std::slice;

/// The largest row or column in a [`Pos`] of the input, and the longest side of a board in Jutge P18992.
///
/// Jutge states no limit, yet a board has to fit into memory. With a side of five thousand, one board already prints
/// 25 MB.
pub const MAX_SIDE: usize = 5_000;

/// A square, counted from 0 at the top left.
///
/// Signed, so that stepping off the board is ordinary; [`Grid::get`] returns `None` there. People and judges count from
/// 1: that is how a `Pos` is read by `input!` and how it is written. A row or column above [`MAX_SIDE`] is refused.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.row + 1, self.col + 1)
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
/// let mut grid = Grid::new(2, 3, '.');
/// let corner = Pos { row: 1, col: 2 };
/// grid[corner] = '#';
/// assert_eq!((grid.rows(), grid.cols()), (2, 3));
/// assert_eq!(grid.find(&'#'), Some(corner));
/// assert_eq!(grid.get(corner + Direction::South), None);
/// assert!(!grid.contains(corner + Direction::South));
///
/// let mut seen = grid.same_size_with(false);
/// seen[corner] = true;
/// assert_eq!(seen.positions().filter(|&pos| seen[pos]).count(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    size: Size,
    cells: Vec<T>,
}

impl<T> Grid<T> {
    /// A board with `value` in every cell.
    #[must_use]
    pub fn new(rows: usize, cols: usize, value: T) -> Grid<T>
    where
        T: Clone,
    {
        Grid { size: Size { rows, cols }, cells: vec![value; rows * cols] }
    }

    /// Lays out `cells` row by row, `cols` of them in each.
    ///
    /// ```
    /// let grid = stones::grid::Grid::from_cells(3, "abcdef".chars().collect());
    /// assert_eq!(grid.rows(), 2);
    /// ```
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

    /// Another board of this size, with `value` in every cell.
    #[must_use]
    pub fn same_size_with<U: Clone>(&self, value: U) -> Grid<U> {
        Grid::new(self.size.rows, self.size.cols, value)
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.size.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.size.cols
    }

    /// Whether `pos` is on the board.
    #[must_use]
    pub fn contains(&self, pos: Pos) -> bool {
        self.size.index(pos).is_some()
    }

    /// The cell at `pos`, or `None` off the board.
    #[must_use]
    pub fn get(&self, pos: Pos) -> Option<&T> {
        self.size.index(pos).map(|index| &self.cells[index])
    }

    /// The first square with this value, row by row.
    #[must_use]
    pub fn find(&self, value: &T) -> Option<Pos>
    where
        T: PartialEq,
    {
        self.positions().find(|&pos| self[pos] == *value)
    }

    /// The board as text: a letter for each cell, and a line end after each row.
    ///
    /// ```
    /// let grid = stones::grid::Grid::from_cells(2, vec![true, false, false, true]);
    /// assert_eq!(grid.text(|&stone| if stone { b'#' } else { b'.' }), b"#.\n.#\n");
    /// ```
    ///
    /// # Panics
    ///
    /// If the board has no columns.
    pub fn text(&self, letter: impl Fn(&T) -> u8) -> Vec<u8> {
        let rows = self.cells.chunks(self.size.cols);
        rows.flat_map(|row| row.iter().map(&letter).chain([b'\n'])).collect()
    }

    /// Every square, row by row.
    ///
    /// Like all walks over a board it holds no borrow of the board, so the cells may change on the way.
    #[must_use]
    pub fn positions(&self) -> Positions {
        Positions(self.ray(Pos { row: 0, col: -1 }, Direction::East))
    }

    /// The squares one step away in these directions, as far as they are on the board.
    ///
    /// ```
    /// use stones::direction::Direction;
    /// use stones::grid::{Grid, Pos};
    ///
    /// let grid = Grid::new(3, 3, 0);
    /// let corner = Pos { row: 0, col: 0 };
    /// let beside: Vec<_> = grid.neighbours(corner, &Direction::SIDES).collect();
    /// assert_eq!(beside, [Pos { row: 0, col: 1 }, Pos { row: 1, col: 0 }]);
    /// assert_eq!(grid.neighbours(corner, &Direction::ALL).count(), 3);
    /// ```
    #[must_use]
    pub fn neighbours<'a>(&self, pos: Pos, ways: &'a [Direction]) -> Neighbours<'a> {
        Neighbours { pos, ways: ways.iter(), size: self.size }
    }

    /// The squares after `from` in a straight line, up to the edge.
    ///
    /// The ray holds no borrow, so the walk may change the cells it passes.
    ///
    /// ```
    /// use stones::direction::Direction;
    /// use stones::grid::{Grid, Pos};
    ///
    /// let mut grid = Grid::new(3, 4, b'.');
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

impl Grid<char> {
    /// Reads `rows` words of `cols` letters each, all of them out of `letters`.
    ///
    /// Refuses a row of another length and any other letter, with its line and column.
    ///
    /// ```
    /// use std::io::Write;
    /// use stones::grid::{Grid, Pos};
    /// use stones::input::{attempt, Outcome, Tokens};
    ///
    /// fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    ///     let map = Grid::read(source, 2, 3, ".#");
    ///     writeln!(out, "{}", map[Pos { row: 1, col: 0 }])?;
    ///     Ok(())
    /// }
    ///
    /// let mut answer = Vec::new();
    /// attempt(solve, "..#\n#..\n".as_bytes(), &mut answer).unwrap();
    /// assert_eq!(answer, b"#\n");
    ///
    /// let error = attempt(solve, "..#\n#.\n".as_bytes(), &mut answer).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 1: expected a row of 3 letters, found \"#.\"");
    /// let error = attempt(solve, "..#\n#x.\n".as_bytes(), &mut answer).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 2: expected one of the letters \".#\", found \"x\"");
    /// ```
    pub fn read(source: &mut Tokens, rows: usize, cols: usize, letters: &str) -> Grid<char> {
        let mut cells = Vec::new();
        for _ in 0..rows {
            let row = next_word(source);
            if row.chars().count() != cols {
                expected(&format!("a row of {} letters", cols), row);
            }
            if let Some(wrong) = row.matches(|letter| !letters.contains(letter)).next() {
                expected(&format!("one of the letters {:?}", letters), wrong);
            }
            cells.extend(row.chars());
        }
        Grid { size: Size { rows, cols }, cells }
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

/// Every square of a board, made by [`Grid::positions`]: a ray to the east through each row.
#[derive(Clone, Debug)]
pub struct Positions(Ray);

impl Iterator for Positions {
    type Item = Pos;

    #[inline]
    fn next(&mut self) -> Option<Pos> {
        let ray = &mut self.0;
        ray.next().or_else(|| {
            ray.next = Pos { row: ray.next.row + 1, col: 0 };
            ray.next()
        })
    }
}

/// The squares one step away, made by [`Grid::neighbours`].
#[derive(Clone, Debug)]
pub struct Neighbours<'a> {
    pos: Pos,
    ways: slice::Iter<'a, Direction>,
    size: Size,
}

impl Iterator for Neighbours<'_> {
    type Item = Pos;

    fn next(&mut self) -> Option<Pos> {
        let (pos, size) = (self.pos, self.size);
        self.ways.by_ref().map(|&way| pos + way).find(|&next| size.index(next).is_some())
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
    fn a_board_is_as_large_as_its_cells_and_contains_no_step_off_any_side() {
        let grid = letters();
        assert_eq!((grid.rows(), grid.cols()), (2, 3));
        assert!(grid.positions().all(|pos| grid.contains(pos) && grid.get(pos).is_some()));
        for (row, col) in [(-1, 0), (2, 0), (0, -1), (0, 3), (1, 3), (isize::MIN, 0), (0, isize::MAX)] {
            let pos = Pos { row, col };
            assert!(!grid.contains(pos) && grid.get(pos).is_none(), "{row} {col}");
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
    fn a_board_without_cells_has_no_squares() {
        for (rows, cols) in [(0, 0), (0, 3), (3, 0)] {
            assert_eq!(Grid::new(rows, cols, 0).positions().next(), None);
        }
    }

    #[test]
    fn walks_hold_no_borrow() {
        let mut grid = Grid::new(2, 2, 0);
        for pos in grid.positions() {
            for next in grid.neighbours(pos, &Direction::SIDES) {
                grid[next] += 1;
            }
        }
        assert_eq!(grid, Grid::new(2, 2, 2));
    }

    #[test]
    fn find_takes_the_first_row_by_row() {
        let grid = Grid::from_cells(2, vec![1, 2, 2, 3]);
        assert_eq!(grid.find(&2), Some(Pos { row: 0, col: 1 }));
        assert_eq!(grid.find(&4), None);
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
