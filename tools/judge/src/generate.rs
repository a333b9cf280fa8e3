//! Random inputs. Shrinking works on what they are made of, so a failing game shrinks to a shorter game.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, Index};

use crate::oracle::omok;
use crate::oracle::othello::Game;
use crate::oracle::ring::MOST_CELLS;

/// The bytes of an input, shown as text when a check fails on them.
#[derive(Clone)]
pub struct Input(pub Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "b\"{}\"", self.0.escape_ascii())
    }
}

/// Ways to separate two words, all of which mean the same.
const BLANKS: [&str; 8] = [" ", "\n", "\r\n", "\t", "  \n\n ", "\x0b", "\x0c", " \r\n\t"];

/// Random inputs for a binary in any layout, if its problem has a generator. Nearly all of them are valid.
#[must_use]
pub fn inputs(binary: &str) -> Option<BoxedStrategy<Input>> {
    match binary {
        "boj_15671_othello" => Some(laid_out(short_othello()).boxed()),
        "boj_2615_omok" => Some(laid_out(omok()).boxed()),
        "boj_32115_stone_ring" => {
            let rings = ring(3..=MOST_CELLS).prop_map(|ring| ring_text(&ring));
            Some(laid_out(rings).boxed())
        }
        "jutge_p18992_othello_n" => Some(laid_out(othello()).boxed()),
        _ => None,
    }
}

/// The texts as they are, or with other blanks between their words. In that case there may also be blanks before the
/// first word and after the last.
fn laid_out(texts: impl Strategy<Value = String>) -> impl Strategy<Value = Input> {
    let ends = (select(&["", "\n", " \r\n"][..]), select(&["\n", "", "\r\n\n"][..]));
    let blanks = (vec(select(&BLANKS[..]), 1..5), ends);
    // Shrinking ends in the first, the plain layout.
    let layout = prop_oneof![1 => Just(None), 3 => blanks.prop_map(Some)];
    (texts, layout).prop_map(|(text, layout)| {
        let Some((blanks, (before, after))) = layout else {
            return Input(text.into_bytes());
        };
        let mut other = before.to_string();
        for (number, word) in text.split_whitespace().enumerate() {
            if number > 0 {
                other.push_str(blanks[number % blanks.len()]);
            }
            other.push_str(word);
        }
        other.push_str(after);
        Input(other.into_bytes())
    })
}

/// Games for BOJ 15671: legal, without a pass, not level; a third of them as long as they get.
fn short_othello() -> impl Strategy<Value = String> {
    choices(32).prop_map(|choices| {
        let mut game = Game::new(6, b'B', b'W');
        let mut decided = 0;
        let mut squares = Vec::new();
        for choice in choices {
            let moves = game.moves(game.turn);
            if moves.is_empty() {
                break;
            }
            let (row, col) = *choice.get(&moves);
            game.play(game.turn, row, col);
            squares.extend([row + 1, col + 1]);
            if game.count(b'B') != game.count(b'W') {
                decided = squares.len();
            }
        }
        squares.truncate(decided);
        let moves = squares.chunks(2).map(|square| format!("{} {}\n", square[0], square[1]));
        format!("{}\n{}", decided / 2, moves.collect::<String>())
    })
}

/// Games for Jutge P18992: legal, with passes where they happen, on boards of 4 to 10; a third of them to the end.
pub fn othello() -> impl Strategy<Value = String> {
    let side = prop_oneof![6 => Just(4), 3 => Just(6), 1 => Just(8), 1 => Just(10)];
    side.prop_flat_map(|side| (Just(side), choices(side * side - 4))).prop_map(|(side, choices)| {
        let mut game = Game::new(side, b'N', b'B');
        let mut log = vec![format!("{side}\n")];
        for choice in choices {
            let mut moves = game.moves(game.turn);
            if moves.is_empty() {
                game.turn = game.other(game.turn);
                moves = game.moves(game.turn);
            }
            if moves.is_empty() {
                break;
            }
            let (row, col) = *choice.get(&moves);
            log.push(format!("{} {} {}\n", char::from(game.turn), row + 1, col + 1));
            game.play(game.turn, row, col);
        }
        log.concat()
    })
}

/// What to play at each move, out of the legal ones.
fn choices(most: usize) -> impl Strategy<Value = Vec<Index>> {
    prop_oneof![
        2 => vec(any::<Index>(), 1..=most),
        1 => vec(any::<Index>(), most),
    ]
}

/// Positions for BOJ 2615: scattered stones and straight lines over them. A few have two fives and must be refused.
fn omok() -> impl Strategy<Value = String> {
    omok_board().prop_map(|board| board.iter().map(|row| line(row)).collect())
}

/// Numbers on a line of their own.
fn line(numbers: &[u64]) -> String {
    let words: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    words.join(" ") + "\n"
}

/// The positions of `omok`, as boards.
pub fn omok_board() -> impl Strategy<Value = omok::Board> {
    let steps = select(&[(0, 1), (1, 0), (1, 1), (-1, 1)][..]);
    // The rule is about lines of exactly five.
    let length = prop_oneof![1 => 1..=19_i32, 3 => 4..=6];
    let line = (1..=2_u64, 0..19_i32, 0..19_i32, steps, length);
    let scattered = vec((1..=2_u64, 0..19_usize, 0..19_usize), 0..60);
    (scattered, vec(line, 0..4)).prop_map(|(scattered, lines)| {
        let mut board = [[0; omok::SIDE]; omok::SIDE];
        for (colour, row, col) in scattered {
            board[row][col] = colour;
        }
        for (colour, row, col, (down, right), length) in lines {
            for step in 0..length {
                let row = usize::try_from(row + down * step).unwrap_or(usize::MAX);
                let col = usize::try_from(col + right * step).unwrap_or(usize::MAX);
                if let Some(cell) = board.get_mut(row).and_then(|row| row.get_mut(col)) {
                    *cell = colour;
                }
            }
        }
        board
    })
}

/// Rings for BOJ 32115 of these lengths, as states and values, from crowded to nearly empty.
pub fn ring(cells: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<(u64, u64)>> {
    let state = |empty: u32| prop_oneof![empty => Just(0), 1 => Just(1), 1 => Just(2)];
    let value = || prop_oneof![0..=3_u64, 0..=1_000_000_000_u64, Just(1_000_000_000_u64)];
    prop_oneof![
        vec((state(2), value()), cells.clone()),
        vec((state(6), value()), cells.clone()),
        vec((state(40), value()), cells),
    ]
}

/// A ring as input.
#[must_use]
pub fn ring_text(ring: &[(u64, u64)]) -> String {
    let (states, values): (Vec<_>, Vec<_>) = ring.iter().copied().unzip();
    format!("{}\n{}{}", ring.len(), line(&states), line(&values))
}
