//! A small board library for problems from online judges.
//!
//! - [`direction`]: the eight ways across a board
//! - [`grid`]: squares, boards, and rays that walk across them
//! - [`stone`]: black and white
//! - [`othello`]: the rules that two of the problems share
//! - [`input`]: from standard input to typed values; wrong input ends in one message
//!
//! Each problem is a program of its own with its editorial on top:
//! [BOJ 15671 Othello](../boj_15671_othello/index.html), [BOJ 2615 Omok](../boj_2615_omok/index.html),
//! [BOJ 32115 stone ring](../boj_32115_stone_ring/index.html),
//! [Jutge P18992 Othello on n×n](../jutge_p18992_othello_n/index.html).
//! All of them have the shape of this one, which counts the stones that a queen on the first black stone would see:
//!
//! ```
//! use proconio::input;
//! use std::io::Write;
//! use stones::direction::Direction;
//! use stones::grid::Grid;
//! use stones::input::{attempt, Outcome, Tokens, Within};
//! use stones::stone::{Cell, Stone};
//!
//! fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
//!     input! { from source, n: Within<1, 100>, cells: [Cell; n * n] }
//!     Ok(writeln!(out, "{}", seen(&Grid::from_cells(n, cells)).ok_or("no black stone")?)?)
//! }
//!
//! fn seen(board: &Grid<Option<Stone>>) -> Option<usize> {
//!     let queen = board.positions().find(|&pos| board[pos] == Some(Stone::Black))?;
//!     let sees = |&&way: &&Direction| board.ray(queen, way).any(|pos| board[pos].is_some());
//!     Some(Direction::ALL.iter().filter(sees).count())
//! }
//!
//! // A program's main is `stones::input::run(solve)`; in memory, the same goes as follows.
//! let mut answer = Vec::new();
//! attempt(solve, "3  0 1 0  0 0 2  1 2 0".as_bytes(), &mut answer)?;
//! assert_eq!(answer, b"2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod direction;
pub mod grid;
pub mod input;
pub mod othello;
pub mod stone;
