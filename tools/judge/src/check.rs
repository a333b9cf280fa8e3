//! Holds programs to their oracles, in this process or as executables, and says how often.

use proptest::strategy::Strategy;
use proptest::test_runner::{
    Config, FileFailurePersistence, TestCaseError, TestCaseResult, TestRunner,
};

use crate::generate::Input;
use crate::hostile;
use crate::oracle::{self, Answer};
use crate::run::Outcome;

/// What a program printed, and whether it refused.
pub type Printed = Result<Vec<u8>, Vec<u8>>;

/// Runs a check on random values. A failing one is shrunk, and its seed is saved next to `source`, to be tried first
/// from then on.
///
/// # Panics
/// If the check fails.
pub fn random<S: Strategy>(
    source: &'static str,
    cases: u32,
    strategy: S,
    check: impl Fn(S::Value) -> TestCaseResult,
) {
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

/// Checks a solution against its oracle on random inputs, and prints how many.
///
/// # Panics
/// If they differ, or if fewer than `valid` of the inputs were valid ones.
pub fn agreement(
    binary: &str,
    source: &'static str,
    valid: u32,
    inputs: impl Strategy<Value = Input>,
    solution: impl Fn(&[u8]) -> Printed,
) {
    let oracle = oracle::of(binary).expect("this problem has an oracle");
    let answered = std::cell::Cell::new(0);
    // A few inputs are there to be refused.
    random(source, valid + valid / 5, inputs, |Input(input)| {
        let expected = oracle(&input);
        if expected.is_ok() {
            answered.set(answered.get() + 1);
        }
        follows(&expected, solution(&input)).map_err(TestCaseError::fail)
    });
    let answered = answered.get();
    assert!(answered >= valid, "only {answered} inputs were valid");
    println!("checked: {binary}: {answered} random valid inputs against the oracle");
}

/// Checks a solution against its oracle on broken versions of random inputs, and prints how many.
///
/// # Panics
/// If they differ.
pub fn hostility(
    binary: &str,
    source: &'static str,
    inputs: impl Strategy<Value = Input>,
    solution: impl Fn(&[u8]) -> Printed,
) {
    let oracle = oracle::of(binary).expect("this problem has an oracle");
    let cases = 5_000;
    random(source, cases, hostile::broken(inputs), |Input(input)| {
        follows(&oracle(&input), solution(&input)).map_err(TestCaseError::fail)
    });
    println!("checked: {binary}: {cases} random broken inputs against the oracle");
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

/// Whether an executable behaved on any input, valid or not: it ended by itself and either printed an answer, or
/// refused with a non-zero exit code and one line on stderr. Where there is an oracle, whether that was right.
///
/// # Errors
/// What it did instead.
pub fn behaves(expected: Option<&Answer>, outcome: &Outcome) -> Result<(), String> {
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
            return Err(format!(
                "exit code {code}, but not one line that says where: {stderr:?}"
            ));
        }
        Err(outcome.stdout.clone())
    };
    match expected {
        Some(expected) => follows(expected, printed),
        None => Ok(()),
    }
}
