//! Holds programs to their oracles, in this process or as executables, and says how often.

use std::cell::Cell;
use std::io::Cursor;
use std::path::Path;

use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, FileFailurePersistence, TestCaseError, TestCaseResult, TestRunner};

use crate::generate::{self, Input};
use crate::hostile;
use crate::oracle::{self, Answer, Oracle};
use crate::run::{run, Limits, Outcome};

/// What a program printed, and whether it refused.
pub type Printed = Result<Vec<u8>, Vec<u8>>;

/// What a solution prints for this input, run in memory.
///
/// # Errors
/// What it had written when it refused.
pub fn printed<E>(input: &[u8], solution: impl FnOnce(Cursor<Vec<u8>>, &mut Vec<u8>) -> Result<(), E>) -> Printed {
    let mut out = Vec::new();
    match solution(Cursor::new(input.to_vec()), &mut out) {
        Ok(()) => Ok(out),
        Err(_) => Err(out),
    }
}

/// Runs a check on random values. A failing one is shrunk, and its seed is saved next to `source`, to be tried first
/// from then on.
///
/// # Panics
/// If the check fails.
pub fn random<S: Strategy>(source: &'static str, cases: u32, strategy: S, check: impl Fn(S::Value) -> TestCaseResult) {
    // Beside a test of its own, but not among the solutions.
    let seeds = if source.starts_with("tests") {
        FileFailurePersistence::WithSource("proptest-regressions")
    } else {
        FileFailurePersistence::SourceParallel("proptest-regressions")
    };
    let mut runner = TestRunner::new(Config {
        cases,
        source_file: Some(source),
        failure_persistence: Some(Box::new(seeds)),
        ..Config::default()
    });
    if let Err(failure) = runner.run(&strategy, check) {
        panic!("{failure}");
    }
}

/// Checks a solution against its oracle on random inputs, and prints how many of them were valid.
///
/// # Panics
/// If they differ, or if fewer than `valid` of the inputs were valid ones.
pub fn agreement(binary: &str, source: &'static str, valid: u32, solution: impl Fn(&[u8]) -> Printed) {
    let answered = agree(binary, source, valid, |input, expected| follows(expected, solution(input)));
    println!("checked: {binary}: {answered} random valid inputs against the oracle");
}

/// The same for an executable of the binary: its cargo build, or its paste.
///
/// # Panics
/// If they differ, or if fewer than `valid` of the inputs were valid ones.
pub fn agreement_of(program: &Path, binary: &str, source: &'static str, valid: u32) {
    let answered = agree(binary, source, valid, |input, expected| {
        let outcome = run(program, input, Limits::default()).map_err(|error| error.to_string())?;
        behaves(expected, &outcome)
    });
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    println!("checked: {program}: {answered} random valid inputs against the oracle");
}

fn agree(binary: &str, source: &'static str, valid: u32, check: impl Fn(&[u8], &Answer) -> Result<(), String>) -> u32 {
    let (oracle, inputs) = known(binary);
    let answered = Cell::new(0);
    // A few inputs are there to be refused.
    random(source, valid + valid / 5, inputs, |Input(input)| {
        let expected = oracle(&input);
        if expected.is_ok() {
            answered.set(answered.get() + 1);
        }
        check(&input, &expected).map_err(TestCaseError::fail)
    });
    let answered = answered.get();
    assert!(answered >= valid, "only {answered} inputs were valid");
    answered
}

/// Checks a solution against its oracle on broken versions of random inputs, and prints how many.
///
/// # Panics
/// If they differ.
pub fn hostility(binary: &str, source: &'static str, solution: impl Fn(&[u8]) -> Printed) {
    let (oracle, inputs) = known(binary);
    let cases = 5_000;
    random(source, cases, hostile::broken(inputs), |Input(input)| {
        follows(&oracle(&input), solution(&input)).map_err(TestCaseError::fail)
    });
    println!("checked: {binary}: {cases} random broken inputs against the oracle");
}

fn known(binary: &str) -> (Oracle, BoxedStrategy<Input>) {
    let oracle = oracle::of(binary).expect("this problem has an oracle");
    let inputs = generate::inputs(binary).expect("this problem has a generator");
    (oracle, inputs)
}

/// Whether what a program printed is what the oracle says.
///
/// # Errors
/// How it differs.
pub fn follows(expected: &Answer, printed: Printed) -> Result<(), String> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|error| error.to_string());
    match (expected, printed) {
        (Ok(expected), Ok(printed)) => {
            let printed = text(printed)?;
            if *expected == printed {
                Ok(())
            } else {
                Err(format!("expected:\n{expected}\nprinted:\n{printed}"))
            }
        }
        (Err(refusal), Err(printed)) => {
            let printed = text(printed)?;
            if refusal.printed.starts_with(&printed) {
                Ok(())
            } else {
                Err(format!("refused, but printed before:\n{printed}"))
            }
        }
        (Ok(expected), Err(_)) => Err(format!("refused, expected:\n{expected}")),
        (Err(_), Ok(printed)) => Err(format!("accepted, printed:\n{}", text(printed)?)),
    }
}

/// Whether an executable behaved on any input, valid or not: it ended by itself and either printed the oracle's answer, or
/// refused, rightly, with a non-zero exit code and one line on stderr.
///
/// # Errors
/// What it did instead.
pub fn behaves(expected: &Answer, outcome: &Outcome) -> Result<(), String> {
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let code = match outcome.status {
        None => return Err("it hung".to_string()),
        // No code means that a signal ended it.
        Some(status) => status.code().ok_or_else(|| format!("{status}: {stderr}"))?,
    };
    let printed = if code == 0 {
        if !stderr.is_empty() {
            return Err(format!("it succeeded and still complained: {stderr}"));
        }
        Ok(outcome.stdout.clone())
    } else {
        let message = stderr.strip_suffix('\n').unwrap_or_default();
        // A message that names the place has a number in it.
        if message.contains('\n') || !message.contains(|letter: char| letter.is_ascii_digit()) {
            return Err(format!("exit code {code}, but not one line that says where: {stderr:?}"));
        }
        Err(outcome.stdout.clone())
    };
    follows(expected, printed)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;
    use crate::oracle::Refusal;

    fn outcome(wait_status: i32, stdout: &str, stderr: &str) -> Outcome {
        Outcome { status: Some(ExitStatus::from_raw(wait_status)), stdout: stdout.into(), stderr: stderr.into() }
    }

    fn refusal(printed: &str) -> Answer {
        let printed = printed.to_string();
        Err(Refusal { printed })
    }

    const FAILED: i32 = 1 << 8;

    #[test]
    fn the_right_answer_and_a_refusal_in_one_line_are_good() {
        let answer = Ok("7\n".to_string());
        assert_eq!(behaves(&answer, &outcome(0, "7\n", "")), Ok(()));
        let message = "error: line 1\n";
        assert_eq!(behaves(&refusal(""), &outcome(FAILED, "", message)), Ok(()));
        let streamed = outcome(FAILED, "..", message);
        assert_eq!(behaves(&refusal("....\n"), &streamed), Ok(()));
    }

    #[test]
    fn a_wrong_answer_is_caught_and_so_is_one_too_many_or_none() {
        let answer = Ok("7\n".to_string());
        for (expected, outcome) in [
            (&answer, outcome(0, "8\n", "")),
            (&answer, outcome(0, "7", "")),
            (&answer, outcome(0, "7\n", "7 it is\n")),
            (&answer, outcome(FAILED, "", "error: line 1\n")),
            (&refusal(""), outcome(0, "7\n", "")),
            (&refusal(""), outcome(FAILED, "7\n", "error: line 1\n")),
        ] {
            assert!(behaves(expected, &outcome).is_err(), "{outcome:?}");
        }
    }

    #[test]
    fn a_refusal_without_one_line_that_names_a_place_is_caught() {
        for stderr in ["", "error: line 1", "error: bad input\n", "line 1\nline 2\n"] {
            assert!(behaves(&refusal(""), &outcome(FAILED, "", stderr)).is_err(), "{stderr:?}");
        }
    }

    #[test]
    fn a_signal_and_a_hang_are_caught() {
        let aborted = outcome(6, "", "error: line 1\n");
        assert!(behaves(&refusal(""), &aborted).is_err());
        let hung = Outcome { status: None, ..aborted };
        assert!(behaves(&refusal(""), &hung).is_err());
    }
}
