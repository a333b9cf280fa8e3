//! What every fuzz target does: the solution and the oracle get the same bytes and must agree.

use std::io::Cursor;

use judge::{check, oracle};
use stones::input::{attempt, Solution};

/// Panics where the solution differs from the oracle.
pub fn agree(binary: &str, solve: Solution, input: &[u8], streams: bool) {
    let run = |reader: Cursor<Vec<u8>>, out: &mut Vec<u8>| attempt(solve, reader, out);
    // A solution that prints as it reads has printed something before it refuses. The others have not.
    let outcome = if streams { check::outcome(input, run) } else { check::buffered(input, run) };
    let oracle = oracle::of(binary).expect("every target has an oracle");
    if let Err(report) = check::behaves(&oracle(input), &outcome) {
        panic!("{}", report.render(false));
    }
}
