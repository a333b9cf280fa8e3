//! # BOJ 2615 · Omok
//!
//! <https://www.acmicpc.net/problem/2615>: who has won a 19×19 game of five in a row, and where does the five begin?
//! Exactly five count: six or more in a row are no win, nor is a five inside them. At most one five is promised.
//!
//! Every line has one first stone: the leftmost, or the topmost of a column. So for each stone and each of the four
//! directions in which lines are read, ask: is this the first stone of a line, and has the line exactly five?
//!
//! ```text
//! . ● ● ● ● ● .   counted from its first stone, it is 5 long: a win
//! . ● ● ● ● ● ●   it is 6 long: no win
//!     ^           from here it is 5 long, but this is not the first stone
//! ```
//!
//! A run is walked from its first stone only, so every stone is passed at most once per direction: 4 × 361 steps, and
//! as many looks at the cell before a stone.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/five.svg"))]

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
    let mut fives = Vec::new();
    for first in board.positions() {
        if let Some(stone) = board[first] {
            for axis in Direction::AXES {
                if is_five(board, stone, first, axis) {
                    fives.push((stone, first));
                }
            }
        }
    }
    match fives[..] {
        [] => Ok(None),
        [five] => Ok(Some(five)),
        [(_, one), (_, other), ..] => Err(format!("two fives, at {} and at {}", one, other)),
    }
}

/// Whether `first` begins a row of exactly five.
fn is_five(board: &Board, stone: Stone, first: Pos, axis: Direction) -> bool {
    let run = |direction| board.ray(first, direction).take_while(|&pos| board[pos] == Some(stone));
    run(axis.opposite()).next().is_none() && run(axis).count() == 4 // and `first` itself
}

#[cfg(test)]
mod tests {
    use super::solve;
    use judge::oracle::omok::{fives, Board, SIDE};
    use judge::run::Outcome;
    use judge::{check, generate};
    use proptest::prelude::*;
    use stones::input::attempt;

    fn answer(input: &[u8]) -> Outcome {
        check::buffered(input, |reader, out| attempt(solve, reader, out))
    }

    fn answer_to(board: &Board) -> String {
        let words = board.iter().flatten().map(ToString::to_string);
        answer(words.collect::<Vec<_>>().join(" ").as_bytes()).answer()
    }

    /// Random boards with at most one five.
    fn decided() -> impl Strategy<Value = Board> {
        generate::omok_board().prop_filter("two fives", |board| fives(board).len() <= 1)
    }

    #[test]
    fn random_positions_are_decided_as_the_oracle_says() {
        check::agreement("boj_2615_omok", 10_000, answer);
    }

    #[test]
    fn broken_input_is_answered_or_refused_as_the_oracle_says() {
        check::hostility("boj_2615_omok", answer);
    }

    #[test]
    fn of_all_single_lines_those_of_five_win_from_their_first_stone() {
        let mut lines = 0;
        for (row, col) in (0..SIDE * SIDE).map(|cell| (cell / SIDE, cell % SIDE)) {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (-1, 1)] {
                for colour in [1, 2] {
                    let mut board = [[0; SIDE]; SIDE];
                    let mut square = Some((row, col));
                    let mut length = 0;
                    while let Some((y, x)) = square.filter(|&(y, x)| y < SIDE && x < SIDE) {
                        board[y][x] = colour;
                        length += 1;
                        lines += 1;
                        let wins = format!("{}\n{} {}\n", colour, row + 1, col + 1);
                        let expected = if length == 5 { &wins } else { "0\n" };
                        assert_eq!(answer_to(&board), expected, "{length} stones from {} {}", row + 1, col + 1);
                        square = y.checked_add_signed(down).map(|y| (y, x + right));
                    }
                }
            }
        }
        println!("checked: boj_2615_omok: {lines} single lines, all there are");
    }

    #[test]
    fn turning_and_mirroring_the_board_moves_the_five_along() {
        check::random(1_000, decided(), |board| {
            for symmetry in 0..8 {
                let image = |(row, col): (usize, usize)| {
                    let (row, col) = if symmetry & 1 == 0 { (row, col) } else { (col, row) };
                    let row = if symmetry & 2 == 0 { row } else { SIDE - 1 - row };
                    let col = if symmetry & 4 == 0 { col } else { SIDE - 1 - col };
                    (row, col)
                };
                let mut turned = [[0; SIDE]; SIDE];
                for (row, col) in (0..SIDE * SIDE).map(|cell| (cell / SIDE, cell % SIDE)) {
                    let (y, x) = image((row, col));
                    turned[y][x] = board[row][col];
                }
                let expected = match fives(&board).first() {
                    None => "0\n".to_owned(),
                    Some((winner, stones)) => {
                        let images = stones.map(|(row, col)| image((row as usize, col as usize)));
                        let first = images.iter().min_by_key(|&&(row, col)| (col, row));
                        let (row, col) = first.copied().unwrap_or_default();
                        format!("{}\n{} {}\n", winner, row + 1, col + 1)
                    }
                };
                prop_assert_eq!(answer_to(&turned), expected);
            }
            Ok(())
        });
        println!("checked: boj_2615_omok: 1000 random positions under 8 symmetries");
    }

    #[test]
    fn swapping_the_colours_swaps_the_winner() {
        check::random(1_000, decided(), |board| {
            let swapped = board.map(|row| row.map(|cell| if cell == 0 { 0 } else { 3 - cell }));
            let answer = answer_to(&board);
            let (winner, place) = answer.split_at(answer.len().min(1));
            let other = match winner {
                "1" => "2",
                "2" => "1",
                nobody => nobody,
            };
            prop_assert_eq!(answer_to(&swapped), format!("{}{}", other, place));
            Ok(())
        });
        println!("checked: boj_2615_omok: 1000 random positions with the colours swapped");
    }
}
