//! What every fuzz target does: the solution and the oracle get the same bytes and must agree.

use std::io::{Cursor, Write};

use judge::{check, oracle};
use stones::input::{attempt, Outcome, Tokens};

/// Panics where the solution differs from the oracle.
pub fn agree(
    binary: &str,
    solve: fn(&mut Tokens, &mut dyn Write) -> Outcome,
    input: &[u8],
    streams: bool,
) {
    let mut out = Vec::new();
    let printed = match attempt(solve, Cursor::new(input.to_vec()), &mut out) {
        Ok(()) => Ok(out),
        // Only what is printed on the way leaves the buffer of `run`.
        Err(_) if streams => Err(out),
        Err(_) => Err(Vec::new()),
    };
    let oracle = oracle::of(binary).expect("every target has an oracle");
    if let Err(fault) = check::follows(&oracle(input), printed) {
        panic!("{fault}");
    }
}
