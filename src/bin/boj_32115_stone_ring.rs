//! # BOJ 32115 · Stone ring
//!
//! <https://www.acmicpc.net/problem/32115>: black and white take turns on a ring of valued cells, each putting a stone
//! next to one of their own; what do both score under best play? Black begins, and whoever cannot move passes. A score
//! is the sum of the values under one's stones.
//!
//! The stones at the start cut the ring into gaps, and no move ever reaches across a stone. Between two stones of one
//! colour the gap is out of the opponent's reach: all of it goes to that colour, sooner or later. Between two colours a
//! step from one end can be answered from the other, so nobody gets past the middle: each has the half on their side.
//!
//! ```text
//! ● 5 1 4 ●    all 10 to black
//! ● 5 1 4 2 ○  5 + 1 to black, 4 + 2 to white
//! ● 5 1 4 ○    5 to black, 4 to white; the 1 in the middle is contested
//! ```
//!
//! Only the contested middles are left to fight for. Each takes one move, so they go to black and white in turn, the
//! largest first. Sorting them makes it O(N log N). (The tests play out every ring of 3 to 5 cells with values 0 to 2.)
//!
#![cfg_attr(doc, doc = include_str!("../../docs/ring.svg"))]

use itertools::Itertools;
use proconio::input;
use std::io::Write;
use stones::input::{Outcome, Tokens, Within};
use stones::list::List;
use stones::stone::{Cell, Stone};

fn main() {
    stones::input::run(solve);
}

fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    input! { from &mut *source, n: Within<3, 200_000> }
    input! { from source.words(n), cells: List<Cell> }
    input! { from source.words(n), values: List<Within<0, 1_000_000_000>> }
    let [black, white] = scores(cells, values);
    writeln!(out, "{} {}", black, white)?;
    Ok(())
}

fn scores(mut cells: Vec<Option<Stone>>, mut values: Vec<usize>) -> [u64; 2] {
    // Let the ring go on to its first stone again, so that no gap runs across the seam.
    let first = cells.iter().position(Option::is_some).unwrap_or(0);
    cells.extend_from_within(..=first);
    values.extend_from_within(..first);
    let stones = cells.iter().enumerate().filter_map(|(at, &cell)| Some((at, cell? as usize))).collect_vec();
    let mut scores = [0; 2];
    let mut contested = Vec::new();
    // Each stone with the next one. Its own value counts with the gap after it. A lone stone is its own next one.
    for (&(from, left), &(to, right)) in stones.iter().zip(stones.iter().skip(1)) {
        if left == right {
            scores[left] += sum(&values[from..to]);
        } else {
            let half = (to - from - 1) / 2;
            scores[left] += sum(&values[from..=from + half]);
            scores[right] += sum(&values[to - half..to]);
            if (from + to) % 2 == 0 {
                contested.push(values[(from + to) / 2]);
            }
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

#[cfg(test)]
mod tests {
    use super::solve;
    use judge::generate::{ring, ring_text};
    use judge::run::Outcome;
    use judge::{check, oracle};
    use proptest::prelude::*;
    use stones::input::attempt;

    fn answer(input: &[u8]) -> Outcome {
        check::buffered(input, |reader, out| attempt(solve, reader, out))
    }

    /// Both scores of a ring of states and values.
    fn scores(ring: &[(u64, u64)]) -> (u64, u64) {
        let printed = answer(ring_text(ring).as_bytes()).answer();
        let (black, white) = printed.trim_end().split_once(' ').unwrap();
        (black.parse().unwrap(), white.parse().unwrap())
    }

    #[test]
    fn random_rings_end_as_the_game_played_out_in_every_way() {
        check::agreement("boj_32115_stone_ring", 10_000, answer);
    }

    #[test]
    fn broken_input_is_answered_or_refused_as_the_oracle_says() {
        check::hostility("boj_32115_stone_ring", answer);
    }

    #[test]
    fn long_random_rings_are_divided_by_distance() {
        check::random(1_000, ring(11..=200), |ring| {
            let (states, values): (Vec<_>, Vec<_>) = ring.iter().copied().unzip();
            prop_assert_eq!(scores(&ring), oracle::ring::by_distance(&states, &values));
            Ok(())
        });
        println!("checked: boj_32115_stone_ring: 1000 random rings of 11 to 200 cells, by distance");
    }

    /// Compares every ring of that many cells with values from 0 to 2.
    fn compare_all(cells: u32) {
        // A cell is one of nine: three states, and three values.
        for number in 0..9_u64.pow(cells) {
            let cell = |index| number / 9_u64.pow(index) % 9;
            let ring: Vec<_> = (0..cells).map(|index| (cell(index) / 3, cell(index) % 3)).collect();
            let (states, values): (Vec<_>, Vec<_>) = ring.iter().copied().unzip();
            let expected = oracle::ring::by_playing(&states, &values);
            assert_eq!(scores(&ring), expected, "{:?}", ring);
        }
        let rings = 9_u64.pow(cells);
        println!("checked: boj_32115_stone_ring: {} rings, all of {} cells with values 0 to 2", rings, cells);
    }

    #[test]
    fn every_ring_of_three_to_five_cells_ends_as_the_game_played_out() {
        for cells in 3..=5 {
            compare_all(cells);
        }
    }

    #[test]
    #[ignore = "half a million rings take a while"]
    fn every_ring_of_six_cells_ends_as_the_game_played_out() {
        compare_all(6);
    }

    #[test]
    fn rotating_or_mirroring_a_ring_changes_no_score() {
        check::random(2_000, (ring(3..=100), 0..100_usize), |(ring, steps)| {
            let mut moved = ring.clone();
            moved.rotate_left(steps % ring.len());
            prop_assert_eq!(scores(&moved), scores(&ring));
            moved.reverse();
            prop_assert_eq!(scores(&moved), scores(&ring));
            Ok(())
        });
        println!("checked: boj_32115_stone_ring: 2000 random rings rotated and mirrored");
    }

    #[test]
    fn scaling_all_values_scales_both_scores() {
        check::random(2_000, (ring(3..=100), 0..=1000_u64), |(ring, scale)| {
            // Small enough for the scaled values to stay in range.
            let ring: Vec<_> = ring.iter().map(|&(state, value)| (state, value / 1000)).collect();
            let (black, white) = scores(&ring);
            let scaled: Vec<_> = ring.iter().map(|&(state, value)| (state, value * scale)).collect();
            prop_assert_eq!(scores(&scaled), (black * scale, white * scale));
            Ok(())
        });
        println!("checked: boj_32115_stone_ring: 2000 random rings scaled");
    }

    #[test]
    fn both_scores_together_are_the_sum_of_all_values() {
        check::random(2_000, ring(3..=100), |ring| {
            let (black, white) = scores(&ring);
            let all = ring.iter().map(|(_, value)| value).sum();
            let stones = ring.iter().any(|&(state, _)| state != 0);
            prop_assert_eq!(black + white, if stones { all } else { 0 });
            Ok(())
        });
        println!("checked: boj_32115_stone_ring: 2000 random rings summed");
    }

    #[test]
    fn the_largest_ring_of_the_largest_values_is_divided_to_the_last_cell() {
        let mut ring = vec![(0, 1_000_000_000); 200_000];
        assert_eq!(scores(&ring), (0, 0));
        ring[7].0 = 1;
        assert_eq!(scores(&ring), (200_000_000_000_000, 0));
        // Two gaps of 99 999 cells each: both have a middle, and each player takes one.
        ring[100_007].0 = 2;
        assert_eq!(scores(&ring), (100_000_000_000_000, 100_000_000_000_000));
        // One gap of 99 998 cells without a middle, and one of 99 999 whose middle goes to black.
        ring[8].0 = 1;
        assert_eq!(scores(&ring), (100_001_000_000_000, 99_999_000_000_000));
    }
}
