//! # {title}
//!
//! {link}:
//! TODO what is given, and what is asked for? In two sentences of your own.
//!
//! TODO the idea, for someone who is stuck and has not read the code.
//!
//! ```text
//! ● . ○   TODO a small picture, where one helps
//! ```
//!
//! TODO the cost. Here, each of the n² cells is looked at once.

use proconio::input;
use std::io::Write;
use stones::grid::{Grid, Pos};
use stones::input::{Outcome, Tokens, Within};
use stones::stone::{Cell, Stone};

fn main() {
    stones::input::run(solve);
}

fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    // TODO what is given. Where more is read later, write `from &mut *source`; `Grid::read` reads rows of letters.
    input! { from source, n: Within<1, 100>, cells: [Cell; n * n] }
    let board = Grid::from_cells(n, cells);
    writeln!(out, "{}", answer(&board))?;
    Ok(())
}

/// TODO what is asked for. Here, the number of black stones.
fn answer(board: &Grid<Option<Stone>>) -> usize {
    let black = |&pos: &Pos| board[pos] == Some(Stone::Black);
    board.positions().filter(black).count()
}

#[cfg(test)]
mod tests {
    use super::solve;
    use judge::check;
    use proptest::prelude::*;
    use stones::input::attempt;

    /// TODO the answer, found in the simplest way: slow, but plainly right. Here, how many words are a 1.
    fn brute_force(input: &str) -> String {
        let words = input.split_whitespace().skip(1);
        format!("{}\n", words.filter(|&word| word == "1").count())
    }

    #[test]
    fn random_inputs_are_answered_as_the_brute_force_does() {
        // TODO random inputs as the judge writes them, small enough for the brute force.
        // Here, n, and then n lines of n cells.
        let inputs = (1..=5_usize).prop_flat_map(|n| {
            let row = prop::collection::vec("[012]", n).prop_map(|cells| cells.join(" ") + "\n");
            prop::collection::vec(row, n).prop_map(move |rows| format!("{}\n{}", n, rows.concat()))
        });
        // If the two differ, the smallest input where they do is shown and saved.
        check::brute_force("{name}", inputs, brute_force, |input| {
            check::buffered(input, |reader, out| attempt(solve, reader, out))
        });
    }
}
