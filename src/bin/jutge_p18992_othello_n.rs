//! # Jutge P18992 · Othello on an n×n board
//!
//! <https://jutge.org/problems/P18992>: a game on a board of any even side is replayed, and every position printed with
//! its count of discs. A player who cannot move is skipped without a word in the log.
//!
//! The rules are [`stones::othello`]. What remains is not to drown in output: a full game on 100×100 prints 101 MB, while
//! a move changes a handful of squares. So the board is kept a second time the way it is printed, as a grid of bytes whose
//! last column is the line ends; a move touches only the squares it turns, and each position is one write.
//!
//! ```text
//! . . . . ⏎
//! . B N . ⏎   the grid of bytes for n = 4: four rows, five columns
//! . N B . ⏎
//! . . . . ⏎
//! ```
//!
//! The cost is the bytes printed. The board has to hold n² squares, however long the game.

use proconio::input;
use proconio::source::{Readable, Source};
use std::io::{self, BufRead, Write};
use std::iter;
use stones::grid::{Grid, Pos, MAX_SIDE};
use stones::input::{expected, next_word, Outcome, Tokens, Within};
use stones::othello::Board;
use stones::stone::Stone;

fn main() {
    stones::input::run(solve);
}

fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    input! { from &mut *source, n: Within<4, MAX_SIDE> }
    let mut board = Board::new(n)?;
    let mut picture = picture(n, &board);
    let mut turn = Stone::Black;
    print(&picture, &board, out)?;
    for number in 1.. {
        if source.is_empty() {
            break;
        }
        input! { from &mut *source, stone: Player, pos: Pos }
        let illegal = |why| format!("move {}: {}", number, why);
        if stone != turn && board.can_move(turn) {
            return Err(illegal("the other player's turn".to_string()).into());
        }
        let turned = board
            .play(stone, pos)
            .map_err(|why| illegal(why.to_string()))?;
        for pos in iter::once(pos).chain(turned) {
            picture[pos] = letter(Some(stone));
        }
        print(&picture, &board, out)?;
        turn = stone.opponent();
    }
    Ok(())
}

fn picture(n: usize, board: &Board) -> Grid<u8> {
    let rows = board.squares().rows();
    let lines = rows.map(|row| row.iter().copied().map(letter).chain(iter::once(b'\n')));
    Grid::from_cells(n + 1, lines.flatten().collect())
}

fn letter(square: Option<Stone>) -> u8 {
    match square {
        None => b'.',
        Some(Stone::Black) => b'N',
        Some(Stone::White) => b'B',
    }
}

fn print(picture: &Grid<u8>, board: &Board, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(picture.cells())?;
    let [black, white] = [Stone::Black, Stone::White].map(|stone| board.count(stone));
    writeln!(out, "{}:{}\n", black, white)
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
    use judge::{check, generate};
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
        let games = generate::laid_out(generate::othello());
        check::agreement("jutge_p18992_othello_n", file!(), 10_000, games, answer);
    }

    #[test]
    fn broken_input_is_answered_or_refused_as_the_oracle_says() {
        check::hostility(
            "jutge_p18992_othello_n",
            file!(),
            generate::laid_out(generate::othello()),
            answer,
        );
    }
}
