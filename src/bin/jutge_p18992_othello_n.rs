//! # Jutge P18992 · Othello on an n×n board
//!
//! <https://jutge.org/problems/P18992>: a game on a board of any even side from 4 on is replayed, and every position is
//! printed with its count of discs. A player who cannot move is skipped without a word in the log.
//!
//! The rules are in [`stones::othello`]. A full game on 100×100 prints 101 MB, but a move changes only a few squares.
//! So the board is also kept as the text that is printed: a move changes a few letters of it, and a position is one
//! write.
//!
//! The time grows with the bytes printed. The memory is for n² squares, however long the game is.

use proconio::input;
use proconio::source::{Readable, Source};
use std::io::{self, BufRead, Write};
use stones::grid::{Pos, MAX_SIDE};
use stones::input::{expected, next_word, Outcome, Tokens, Within};
use stones::othello::Board;
use stones::stone::Stone;

fn main() {
    stones::input::run(solve);
}

fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    input! { from &mut *source, n: Within<4, MAX_SIDE> }
    if n % 2 == 1 {
        return Err("a board of odd side has no four centre squares".into());
    }
    let mut board = Board::new(n);
    let mut picture = board.squares().text(|&square| letter(square));
    let mut turn = Stone::Black;
    print(&mut picture, &board, out)?;
    while !source.is_empty() {
        input! { from &mut *source, (stone, pos): Move }
        if stone != turn && board.can_move(turn) {
            return Err("it is the other player's turn".into());
        }
        for turned in board.play(stone, pos)?.iter().chain(&[pos]) {
            picture[turned.row as usize * (n + 1) + turned.col as usize] = letter(Some(stone));
        }
        print(&mut picture, &board, out)?;
        turn = stone.opponent();
    }
    Ok(())
}

/// How `input!` reads a move: who, and where.
enum Move {}

impl Readable for Move {
    type Output = (Stone, Pos);

    fn read<R: BufRead, S: Source<R>>(source: &mut S) -> (Stone, Pos) {
        let stone = match next_word(source) {
            "N" => Stone::Black,
            "B" => Stone::White,
            other => expected("a player (N or B)", other),
        };
        (stone, Pos::read(source))
    }
}

fn letter(square: Option<Stone>) -> u8 {
    match square {
        None => b'.',
        Some(Stone::Black) => b'N',
        Some(Stone::White) => b'B',
    }
}

/// Prints the picture and the count below it, in one piece.
fn print(picture: &mut Vec<u8>, board: &Board, out: &mut dyn Write) -> io::Result<()> {
    let length = picture.len();
    push_decimal(picture, board.count(Stone::Black));
    picture.push(b':');
    push_decimal(picture, board.count(Stone::White));
    picture.extend(b"\n\n");
    out.write_all(picture)?;
    picture.truncate(length);
    Ok(())
}

/// By hand, since `write!` is slower.
fn push_decimal(text: &mut Vec<u8>, mut number: usize) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    while number > 0 || first == digits.len() {
        first -= 1;
        digits[first] = b"0123456789"[number % 10];
        number /= 10;
    }
    text.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::solve;
    use judge::check;
    use judge::run::Outcome;
    use stones::input::attempt;

    fn answer(input: &[u8]) -> Outcome {
        check::outcome(input, |reader, out| attempt(solve, reader, out))
    }

    #[test]
    fn random_games_with_passes_go_as_the_oracle_says() {
        check::agreement("jutge_p18992_othello_n", 10_000, answer);
    }

    #[test]
    fn broken_input_is_answered_or_refused_as_the_oracle_says() {
        check::hostility("jutge_p18992_othello_n", answer);
    }
}
