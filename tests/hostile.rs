//! Throws broken input at the real binaries, within a limit of time and memory: each must answer as its oracle does or
//! refuse with one line on stderr and a non-zero exit code. `HOSTILE=100000 cargo test --release --test hostile` throws
//! more of it.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use judge::cases::{binaries, discover, executable};
use judge::check::behaves;
use judge::generate::Input;
use judge::hostile::{limits, offences, withstands};
use judge::oracle::{self, Answer};
use judge::run::run;
use libtest_mimic::{Arguments, Failed, Trial};

/// Longer inputs take longer and break in no other way.
const LONGEST_SEED: usize = 1 << 10;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let inputs =
        env::var("HOSTILE").map_or(1_000, |number| number.parse().expect("HOSTILE is a number"));
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (cases, _) = discover(package).expect("testdata/ is readable");
    let mut trials = Vec::new();
    for binary in binaries(package).expect("src/bin/ is readable") {
        let pairs: Vec<(Vec<u8>, Vec<u8>)> = cases
            .iter()
            .filter(|case| case.binary == binary)
            .map(|case| {
                (
                    fs::read(&case.input).unwrap(),
                    fs::read(&case.output).unwrap(),
                )
            })
            .collect();
        let seeds: Vec<Input> = pairs
            .iter()
            .map(|(input, _)| input.clone())
            .filter(|input| input.len() <= LONGEST_SEED)
            .map(Input)
            .collect();

        let name = binary.clone();
        trials.push(Trial::test(
            format!("{name}::survives_broken_input"),
            move || {
                withstands(&name, &executable(&name), &seeds, inputs, file!());
                Ok(())
            },
        ));
        // Without an oracle nobody knows what is an offence.
        let Some(oracle) = oracle::of(&binary) else {
            continue;
        };
        let name = format!("{binary}::has_an_oracle_that_knows_the_test_data");
        trials.push(Trial::test(name, move || knows(oracle, &pairs)));
        let name = format!("{binary}::refuses_every_named_offence");
        trials.push(Trial::test(name, move || refuses(&binary, oracle)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn refuses(binary: &str, oracle: fn(&[u8]) -> Answer) -> Result<(), Failed> {
    let offences = offences(binary);
    for (what, input) in &offences {
        let expected = oracle(input);
        if expected.is_ok() {
            return Err(format!("the oracle itself accepts {what}").into());
        }
        let outcome = run(&executable(binary), input, limits(binary))?;
        behaves(Some(&expected), &outcome).map_err(|fault| format!("{what}: {fault}"))?;
    }
    println!(
        "checked: {binary}: {} named offences refused",
        offences.len()
    );
    Ok(())
}

fn knows(oracle: fn(&[u8]) -> Answer, pairs: &[(Vec<u8>, Vec<u8>)]) -> Result<(), Failed> {
    for (input, output) in pairs {
        let answer = oracle(input).map_err(|_| "the oracle refuses a case of the test data")?;
        if answer.as_bytes() != output {
            return Err(format!("the oracle says\n{answer}").into());
        }
    }
    Ok(())
}
