//! # BOJ 32115 · Stone ring
//!
//! <https://www.acmicpc.net/problem/32115>: black and white take turns on a ring of valued cells, each putting a stone
//! next to one of their own; what do both score under best play?
//!
//! The stones at the start cut the ring into gaps, and no move ever reaches across a stone. Between two stones of one
//! colour the gap is out of the opponent's reach: all of it goes to that colour, whenever they find the time. Between two
//! colours both advance from their own end, so each gets the half on their side.
//!
//! ```text
//! ● 5 1 4 ●    all 10 to black
//! ● 5 1 4 2 ○  5 + 1 to black, 4 + 2 to white
//! ● 5 1 4 ○    5 to black, 4 to white; the 1 in the middle is contested
//! ```
//!
//! The contested middle cells are all that is left to fight for, and each is worth one move: they go in falling order to
//! black and white in turn. With no stones at all nobody can move. Sorting them makes it O(N log N).
#![cfg_attr(doc, doc = include_str!("../../docs/ring.svg"))]

use itertools::Itertools;
use proconio::input;
use std::io::Write;
use stones::input::{Outcome, Tokens, Within};
use stones::stone::{Cell, Stone};

fn main() {
    stones::input::run(solve);
}

fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    input! {
        from source,
        n: Within<3, 200_000>,
        cells: [Cell; n],
        values: [Within<0, 1_000_000_000>; n],
    }
    let [black, white] = scores(&cells, &values);
    Ok(writeln!(out, "{} {}", black, white)?)
}

fn scores(cells: &[Option<Stone>], values: &[usize]) -> [u64; 2] {
    let mut scores = [0; 2];
    let mut contested: Vec<usize> = Vec::new();
    let twice_around = values.repeat(2); // so that a gap across the seam is a slice as well
    let stones = (0..)
        .zip(cells)
        .filter_map(|(at, cell)| cell.map(|stone| (at, stone as usize)));
    for [(from, left), (to, right)] in stones.circular_array_windows() {
        let to = if from < to { to } else { to + values.len() };
        let gap = &twice_around[from + 1..to];
        scores[left] += values[from] as u64;
        if left == right {
            scores[left] += sum(gap);
        } else {
            let half = gap.len() / 2;
            scores[left] += sum(&gap[..half]);
            scores[right] += sum(&gap[gap.len() - half..]);
            contested.extend(&gap[half..gap.len() - half]);
        }
    }
    for (turn, value) in contested.into_iter().sorted_unstable().rev().enumerate() {
        scores[turn % 2] += value as u64;
    }
    scores
}

fn sum(values: &[usize]) -> u64 {
    values.iter().map(|&value| value as u64).sum()
}
