//! A small board library for problems from online judges.
//!
//! - [`direction`]: the eight ways across a board
//! - [`grid`]: squares, boards, and rays that walk across them
//! - [`stone`]: black and white
//! - [`othello`]: the rules that two of the problems share
//! - [`input`]: from standard input to typed values; wrong input ends in one message
//! - [`list`]: long lists, read many words at a time
//!
//! Each problem is a program of its own with its editorial on top:
//! [BOJ 15671 Othello](../boj_15671_othello/index.html), [BOJ 2615 Omok](../boj_2615_omok/index.html),
//! [BOJ 32115 stone ring](../boj_32115_stone_ring/index.html),
//! [Jutge P18992 Othello on n×n](../jutge_p18992_othello_n/index.html).
//! All of them have the shape of this one, which is `examples/shortest_path.rs`:
//!
//! ```no_run
#![cfg_attr(doc, doc = include_str!("../examples/shortest_path.rs"))]
//! ```

pub mod direction;
pub mod grid;
pub mod input;
pub mod list;
pub mod othello;
pub mod stone;
