//! # {title}
//!
//! <{link}>: TODO: the problem in two sentences of your own. What is given, and what is asked for?
//!
//! TODO: the idea that makes it easy, so that someone who is stuck can go on without reading the code.
//!
//! ```text
//! ● . ○   TODO: a small picture, if one helps
//! ```
//!
//! TODO: the cost. Here, each of the n² cells is looked at once.

use proconio::input;
use std::io::Write;
use stones::grid::Grid;
use stones::input::{Outcome, Tokens, Within};
use stones::stone::{Cell, Stone};

fn main() {
    stones::input::run(solve);
}

fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    input! { from source, n: Within<1, 100>, cells: [Cell; n * n] }
    let board = Grid::from_cells(n, cells);
    Ok(writeln!(out, "{}", answer(&board))?)
}

/// TODO: what is asked for, in the words of the game. Here, the number of black stones.
fn answer(board: &Grid<Option<Stone>>) -> usize {
    let black = |cell: &&Option<Stone>| **cell == Some(Stone::Black);
    board.cells().iter().filter(black).count()
}
