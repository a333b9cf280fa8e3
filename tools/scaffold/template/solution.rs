//! # {title}
//!
//! {link}:
//! TODO what is given, and what is asked for? In two sentences of your own.
//!
//! TODO the idea, for someone who is stuck and has not read the code.
//!
//! ```text
//! ● . ○   TODO a small picture, where one helps
//! ```
//!
//! TODO the cost. Here, each of the n² cells is looked at once.

use proconio::input;
use std::io::Write;
use stones::grid::{Grid, Pos};
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

/// TODO what is asked for. Here, the number of black stones.
fn answer(board: &Grid<Option<Stone>>) -> usize {
    let black = |&pos: &Pos| board[pos] == Some(Stone::Black);
    board.positions().filter(black).count()
}
