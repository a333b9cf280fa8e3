//! # BOJ 15671 · Othello
//!
//! <https://www.acmicpc.net/problem/15671>: the log of a 6×6 game is replayed; what does the board look like at its
//! end, and who has more discs?
//!
//! A move looks along all eight directions. Where an unbroken run of the opponent's discs ends on a disc of the
//! mover's, the run turns; where it ends on an empty square or at the edge, nothing turns. Black plays `*`:
//!
//! ```text
//! B W W *   the run ends on a B: both W turn
//! . W W *   it ends on an empty square: nothing turns
//!   W W *   it ends at the edge: nothing turns
//! ```
//!
//! The rules are in [`stones::othello`]. The judge promises that no game has a pass and that none ends level. So the
//! colours alternate. A move walks at most 8 rays of 5 squares.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/captures.svg"))]

use proconio::input;
use std::cmp::Ordering;
use std::io::Write;
use stones::grid::Pos;
use stones::input::{Outcome, Tokens, Within};
use stones::othello::Board;
use stones::stone::Stone;

fn main() {
    stones::input::run(solve);
}

fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    input! { from &mut *source, n: Within<1, 32> }
    let mut board = Board::new(6);
    let mut turn = Stone::Black;
    for _ in 0..n {
        input! { from &mut *source, pos: Pos }
        board.play(turn, pos)?;
        turn = turn.opponent();
    }
    out.write_all(&board.squares().text(|&square| letter(square)))?;
    writeln!(out, "{}", winner(&board)?)?;
    Ok(())
}

fn letter(square: Option<Stone>) -> u8 {
    match square {
        None => b'.',
        Some(Stone::Black) => b'B',
        Some(Stone::White) => b'W',
    }
}

fn winner(board: &Board) -> Result<&'static str, String> {
    let [black, white] = [Stone::Black, Stone::White].map(|stone| board.count(stone));
    match black.cmp(&white) {
        Ordering::Greater => Ok("Black"),
        Ordering::Less => Ok("White"),
        Ordering::Equal => Err(format!("the game ends level, {} to {}", black, white)),
    }
}

#[cfg(test)]
mod tests {
    use super::solve;
    use judge::check;
    use judge::run::Outcome;
    use stones::input::attempt;

    fn answer(input: &[u8]) -> Outcome {
        check::buffered(input, |reader, out| attempt(solve, reader, out))
    }

    #[test]
    fn random_games_end_as_the_oracle_says() {
        check::agreement("boj_15671_othello", 10_000, answer);
    }

    #[test]
    fn broken_input_is_answered_or_refused_as_the_oracle_says() {
        check::hostility("boj_15671_othello", answer);
    }
}
