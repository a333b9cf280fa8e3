//! Throws broken input at the real binaries, within a limit of time and, on Linux, of memory. Each must answer as its
//! oracle does, with one line of warning where words follow the input. Or it must refuse, if the oracle does, with one
//! line on stderr and a non-zero exit code.
//!
//! `HOSTILE=10000 cargo test --test hostile` throws more of it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use judge::cases::{binaries, discover, executable, Case};
use judge::check::{agreement_of, behaves};
use judge::generate::Input;
use judge::hostile::{largest, limits, offences, stray_words, withstands};
use judge::oracle::{self, Oracle};
use judge::run::run;
use libtest_mimic::{Arguments, Failed, Trial};

/// Longer inputs take longer and break in no other way.
const LONGEST_SEED: usize = 1 << 10;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let number = env::var("HOSTILE").unwrap_or_else(|_| "500".to_string());
    let number = number.parse().expect("HOSTILE is a number");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (cases, _) = discover(package).expect("testdata/ is readable");
    let mut trials = Vec::new();
    for binary in binaries(package).expect("src/bin/ is readable") {
        // Without an oracle nobody knows what is an offence.
        let Some(oracle) = oracle::of(&binary) else {
            continue;
        };
        let mut add = |title: &str, check: fn(&Problem) -> Result<(), Failed>| {
            let cases = cases.iter().filter(|case| case.binary == binary);
            let problem = Problem {
                program: executable(&binary),
                binary: binary.clone(),
                oracle,
                cases: cases.cloned().collect(),
                number,
            };
            trials.push(Trial::test(format!("{binary}::{title}"), move || check(&problem)));
        };
        add("has_an_oracle_that_knows_the_test_data", oracle_knows_the_test_data);
        add("answers_random_input", |problem| {
            let valid = problem.number / 5;
            agreement_of(&problem.program, &problem.binary, valid);
            Ok(())
        });
        add("refuses_every_named_offence", refuses_every_named_offence);
        add("warns_of_words_after_the_input", warns_of_words_after_the_input);
        if largest(&binary).is_some() {
            add("answers_the_largest_input", answers_the_largest_input);
        }
        add("survives_broken_input", survives_broken_input);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

struct Problem {
    binary: String,
    program: PathBuf,
    oracle: Oracle,
    cases: Vec<Case>,
    /// How many broken inputs to try.
    number: u32,
}

fn oracle_knows_the_test_data(problem: &Problem) -> Result<(), Failed> {
    for case in &problem.cases {
        let answer = (problem.oracle)(&fs::read(&case.input)?);
        let answer = answer.map_err(|_| format!("the oracle refuses {}", case.name))?;
        if answer.printed.as_bytes() != fs::read(&case.output)? {
            return Err(format!("{}: the oracle says\n{}", case.name, answer.printed).into());
        }
    }
    Ok(())
}

fn refuses_every_named_offence(problem: &Problem) -> Result<(), Failed> {
    let binary = &problem.binary;
    let offences = offences(binary);
    for (what, input) in &offences {
        let expected = (problem.oracle)(input);
        if expected.is_ok() {
            return Err(format!("the oracle itself accepts {what}").into());
        }
        let outcome = run(&problem.program, input, limits(binary))?;
        behaves(&expected, &outcome).map_err(|report| format!("{what}: {}", report.render(false)))?;
    }
    println!("checked: {binary}: {} named offences refused", offences.len());
    Ok(())
}

/// A problem that reads to the end of its input refuses such words instead, and its oracle says so.
fn warns_of_words_after_the_input(problem: &Problem) -> Result<(), Failed> {
    let binary = &problem.binary;
    let case = problem.cases.first().ok_or("no test data")?;
    let input = fs::read(&case.input)?;
    let mut warned = 0;
    for (what, words) in stray_words() {
        let input = [&input[..], &words].concat();
        let expected = (problem.oracle)(&input);
        let outcome = run(&problem.program, &input, limits(binary))?;
        behaves(&expected, &outcome).map_err(|report| format!("{what}: {}", report.render(false)))?;
        warned += usize::from(matches!(expected, Ok(right) if right.stray_words));
    }
    if warned > 0 {
        println!("checked: {binary}: {warned} kinds of words after the input answered with a warning");
    }
    Ok(())
}

fn answers_the_largest_input(problem: &Problem) -> Result<(), Failed> {
    let binary = &problem.binary;
    let input = largest(binary).ok_or("all its inputs are small")?;
    let outcome = run(&problem.program, &input, limits(binary))?;
    behaves(&(problem.oracle)(&input), &outcome).map_err(|report| report.render(false).into())
}

fn survives_broken_input(problem: &Problem) -> Result<(), Failed> {
    let inputs = problem.cases.iter().map(|case| fs::read(&case.input).map(Input));
    let mut seeds = inputs.collect::<Result<Vec<_>, _>>()?;
    seeds.retain(|Input(input)| input.len() <= LONGEST_SEED);
    withstands(&problem.program, &problem.binary, problem.number, &seeds);
    Ok(())
}
