//! # BOJ 2615 · Omok
//!
//! <https://www.acmicpc.net/problem/2615>: who has won a 19×19 game of five in a row, and where does the five begin?
//! Exactly five count; six or more in a row are no win, and no five inside them is either.
//!
//! Every line has one first stone: the leftmost, or the topmost of a column. So ask of each stone and each of the four
//! directions in which lines are read from there: is this the first stone, and are there exactly five?
//!
//! ```text
//! . ● ● ● ● ● .   the cell before the first differs, and the run is 5 long: a win
//! . ● ● ● ● ● ●   the run is 6 long
//!     ^           the run is 5 long, but the cell before is of the same colour: not the first stone
//! ```
//!
//! Each stone is walked over at most once per direction and first stone: 4 × 361 steps in all.
#![cfg_attr(doc, doc = include_str!("../../docs/five.svg"))]

use itertools::iproduct;
use proconio::input;
use std::io::Write;
use stones::direction::Direction;
use stones::grid::{Grid, Pos};
use stones::input::{Outcome, Tokens};
use stones::stone::{Cell, Stone};

type Board = Grid<Option<Stone>>;

fn main() {
    stones::input::run(solve);
}

fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    input! { from source, cells: [Cell; 19 * 19] }
    match winning_five(&Grid::from_cells(19, cells))? {
        Some((stone, first)) => writeln!(out, "{}\n{}", stone as usize + 1, first)?,
        None => writeln!(out, "0")?,
    }
    Ok(())
}

/// The winner and the first stone of their five.
fn winning_five(board: &Board) -> Result<Option<(Stone, Pos)>, String> {
    let mut fives = iproduct!(board.positions(), Direction::AXES)
        .filter(|&(first, axis)| is_five(board, first, axis))
        .filter_map(|(first, _)| board[first].map(|stone| (stone, first)));
    match (fives.next(), fives.next()) {
        (Some((_, one)), Some((_, other))) => {
            Err(format!("two fives, at {} and at {}", one, other))
        }
        (five, _) => Ok(five),
    }
}

/// Whether exactly five stones of one colour stand in a row from `first` on.
fn is_five(board: &Board, first: Pos, axis: Direction) -> bool {
    let same = |pos: &Pos| board[*pos] == board[first];
    let before = board.ray(first, axis.opposite()).next();
    board[first].is_some()
        && !before.map_or(false, |pos| same(&pos))
        && board.ray(first, axis).take_while(same).count() == 4
}
