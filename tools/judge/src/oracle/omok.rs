//! Omok: every cell is tried as the first of five, in each of the four orientations.

use super::{Answer, Refusal, Words};

/// The side of the board.
pub const SIDE: usize = 19;

/// Rows of 0, 1 and 2.
pub type Board = [[u64; SIDE]; SIDE];

/// East, south, south-east and north-east: the first stone is the leftmost, or the topmost of a column.
const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

/// One winning five: whose, and where its stones stand, the leftmost (or topmost) first. Counted from 0.
pub type Five = (u64, [(i32, i32); 5]);

/// The answer to an input of BOJ 2615.
///
/// # Errors
/// If the input is not a board with at most one five.
pub fn answer(input: &[u8]) -> Answer {
    let mut words = Words::new(input);
    let mut board = [[0; SIDE]; SIDE];
    for cell in board.iter_mut().flatten() {
        *cell = words.cell()?;
    }
    match fives(&board)[..] {
        [] => Ok(words.answer("0\n".to_string())),
        [(winner, [(row, col), ..])] => Ok(words.answer(format!("{winner}\n{} {}\n", row + 1, col + 1))),
        _ => Err(Refusal::default()),
    }
}

/// Every line of exactly five.
#[must_use]
pub fn fives(board: &Board) -> Vec<Five> {
    let at = |row: i32, col: i32| {
        let row = board.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    };
    let mut fives = Vec::new();
    for row in 0..19 {
        for col in 0..19 {
            for (down, right) in STEPS {
                let stones = [0, 1, 2, 3, 4].map(|step| (row + down * step, col + right * step));
                for colour in [1, 2] {
                    if stones.iter().all(|&(row, col)| at(row, col) == Some(colour))
                        && at(row - down, col - right) != Some(colour)
                        && at(row + down * 5, col + right * 5) != Some(colour)
                    {
                        fives.push((colour, stones));
                    }
                }
            }
        }
    }
    fives
}
