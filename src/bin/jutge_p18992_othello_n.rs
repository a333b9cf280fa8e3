//! # Jutge P18992 · Othello on an n×n board
//!
//! <https://jutge.org/problems/P18992>: a game on a board of any even side is replayed, and every position printed with
//! its count of discs. A player who cannot move is skipped without a word in the log.
//!
//! The rules are [`stones::othello`]. What remains is not to drown in output: a full game on 100×100 prints 101 MB, while
//! a move changes a handful of squares. So the board is kept a second time the way it is printed, line ends included; a
//! move touches only the squares it turns, and each position is one write.
//!
//! ```text
//! . . . . ⏎
//! . B N . ⏎   the bytes for n = 4: square (row, col) is at row * 5 + col
//! . N B . ⏎
//! . . . . ⏎
//! ```
//!
//! The cost is the bytes printed. The board has to hold n² squares, however long the game.

use proconio::input;
use proconio::source::{Readable, Source};
use std::io::{self, BufRead, Write};
use std::iter;
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
        return Err("a board of odd side has no centre".into());
    }
    let mut board = Board::new(n);
    let mut picture = picture(&board);
    let mut turn = Stone::Black;
    print(&mut picture, &board, out)?;
    while !source.is_empty() {
        input! { from &mut *source, stone: Player, pos: Pos }
        if stone != turn && board.can_move(turn) {
            return Err("it is the other player's turn".into());
        }
        for turned in board.play(stone, pos)?.iter().chain(iter::once(&pos)) {
            picture[turned.row as usize * (n + 1) + turned.col as usize] = letter(Some(stone));
        }
        print(&mut picture, &board, out)?;
        turn = stone.opponent();
    }
    Ok(())
}

fn picture(board: &Board) -> Vec<u8> {
    let rows = board.squares().rows();
    let lines = rows.map(|row| row.iter().copied().map(letter).chain(iter::once(b'\n')));
    lines.flatten().collect()
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
    let [black, white] = [Stone::Black, Stone::White].map(|stone| board.count(stone));
    write!(picture, "{}:{}\n\n", black, white)?;
    out.write_all(picture)?;
    picture.truncate(length);
    Ok(())
}

/// How `input!` reads who moves: `N` for black, `B` for white.
enum Player {}

impl Readable for Player {
    type Output = Stone;

    fn read<R: BufRead, S: Source<R>>(source: &mut S) -> Stone {
        match next_word(source) {
            "N" => Stone::Black,
            "B" => Stone::White,
            other => expected("a player, N or B", other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::solve;
    use judge::check;
    use std::io::Cursor;
    use stones::input::attempt;

    fn answer(input: &[u8]) -> check::Printed {
        let mut out = Vec::new();
        match attempt(solve, Cursor::new(input.to_vec()), &mut out) {
            Ok(()) => Ok(out),
            Err(_) => Err(out),
        }
    }

    #[test]
    fn random_games_with_passes_go_as_the_oracle_says() {
        check::agreement("jutge_p18992_othello_n", file!(), 10_000, answer);
    }

    #[test]
    fn broken_input_is_answered_or_refused_as_the_oracle_says() {
        check::hostility("jutge_p18992_othello_n", file!(), answer);
    }
}
