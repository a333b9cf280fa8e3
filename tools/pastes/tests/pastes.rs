//! Pastes every binary by `cargo paste` and holds it to what a judge does: each compiler found, each edition it knows, all
//! test data. On Jutge's compiler it also faces its oracle and hostile input.
//!
//! Where Rust 1.63 is not installed a test says so and passes; in CI it fails instead.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use judge::cases::{Case, binaries, discover};
use judge::check::agreement_of;
use judge::generate::Input;
use judge::run::{Limits, run};
use judge::verdict::{Verdict, judge};
use judge::{hostile, oracle};
use libtest_mimic::{Arguments, Failed, Trial};
use pastes::{Compiler, Paste, paste, read, readme, root};

/// What the README promises of the problems in its table.
const PROMISED_BYTES: usize = 16 * 1024;
/// What the strictest judge takes.
const JUDGES_BYTES: usize = 64 * 1024;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (cases, _) = discover(&root()).expect("testdata/ is readable");
    let promised = readme::problems(&read("README.md"));
    let mut trials = vec![
        Trial::test("the_oldest_judges_compiler_is_here", oldest_compiler),
        Trial::test("the_shortest_path_of_the_docs_can_be_pasted", shortest_path),
    ];
    for binary in binaries(&root()).expect("src/bin/ is readable") {
        let cases: Vec<Case> = cases.iter().filter(|case| case.binary == binary).cloned().collect();
        let is_promised = promised.contains(&binary);
        let name = format!("{binary}::does_the_same_on_every_compiler_and_edition");
        trials.push(Trial::test(name, move || same_everywhere(&binary, &cases, is_promised)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn oldest_compiler() -> Result<(), Failed> {
    if Compiler::all().iter().any(Compiler::is_oldest) {
        return Ok(());
    }
    let missing = "no rustc 1.63 here, so nothing was compiled as Jutge does; Debian 12 has it as /usr/bin/rustc, and \
                   `rustup toolchain install 1.63` brings it anywhere";
    if env::var("CI").as_deref() == Ok("true") {
        return Err(missing.into());
    }
    println!("skipped: {missing}");
    Ok(())
}

fn same_everywhere(binary: &str, cases: &[Case], is_promised: bool) -> Result<(), Failed> {
    let pasted = paste(binary)?;
    if cases.is_empty() {
        return Err(format!("testdata/{binary}/ has no cases").into());
    }
    everywhere(binary, &pasted, is_promised, |compiler, edition, program| {
        for case in cases {
            let outcome = run(program, &fs::read(&case.input)?, Limits::default())?;
            let report = judge(&fs::read(&case.output)?, &outcome);
            if report.verdict != Verdict::Accepted {
                let name = &case.name;
                let page = report.render(false);
                return Err(format!("rustc {}, edition {edition}: {name}\n{page}", compiler.version).into());
            }
        }
        if compiler.is_oldest() && oracle::of(binary).is_some() {
            let inputs = cases.iter().map(|case| fs::read(&case.input).map(Input));
            agreement_of(program, binary, 100);
            hostile::withstands(program, binary, 200, &inputs.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(())
    })?;
    // What is right comes before what is small.
    let bytes = pasted.text.len();
    if is_promised {
        claims(&pasted)?;
        if bytes >= PROMISED_BYTES {
            return Err(format!("{bytes} bytes, but the README promises less than {PROMISED_BYTES}").into());
        }
    } else if bytes > JUDGES_BYTES {
        println!(
            "warning: {binary}: the paste has {bytes} bytes, and Codeforces takes {JUDGES_BYTES}. \
             `cargo paste {binary} --message-format json` shows the bytes of each crate; use less of the largest, or \
             `--keep` it for a judge that has it"
        );
    }
    Ok(())
}

/// Compiles a paste with every compiler in every edition, and calls `check` with each executable. What is not promised has
/// to hold only where the summary claims it, and may have warnings.
fn everywhere(
    name: &str,
    pasted: &Paste,
    is_promised: bool,
    check: impl Fn(&Compiler, &str, &Path) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let directory = tempfile::tempdir()?;
    let source = directory.path().join("paste.rs");
    fs::write(&source, &pasted.text)?;
    for compiler in Compiler::all() {
        for edition in compiler.editions() {
            if !is_promised && !["same", "tested"].contains(&pasted.verdict(&compiler, edition)) {
                continue;
            }
            let program = format!("{name}-{}-{edition}{}", compiler.version, env::consts::EXE_SUFFIX);
            let program = directory.path().join(program);
            compiler
                .compile(edition, &source, &program, is_promised)
                .map_err(|error| format!("rustc {}, edition {edition}:\n{error}", compiler.version))?;
            check(&compiler, edition, &program)?;
        }
    }
    Ok(())
}

/// The README promises that its problems are the same program in every edition of the current compiler, and at least
/// tested in those of Jutge's.
fn claims(pasted: &Paste) -> Result<(), Failed> {
    for (number, compiler) in Compiler::all().iter().enumerate() {
        for edition in compiler.editions() {
            let found = pasted.verdict(compiler, edition);
            let enough = match number {
                0 => found == "same",
                _ => !compiler.is_oldest() || ["same", "tested"].contains(&found),
            };
            if !enough {
                let summary = &pasted.summary;
                return Err(format!("rustc {}, edition {edition}: {found}\n{summary:#}", compiler.version).into());
            }
        }
    }
    Ok(())
}

/// The worked example of the library's documentation.
fn shortest_path() -> Result<(), Failed> {
    let pasted = paste("shortest_path")?;
    everywhere("shortest_path", &pasted, true, |compiler, edition, program| {
        for (input, answer) in [("3 5\nS.#..\n#.#.#\n....E\n", "6\n"), ("1 3\nS#E\n", "-1\n")] {
            let outcome = run(program, input.as_bytes(), Limits::default())?;
            let report = judge(answer.as_bytes(), &outcome);
            if report.verdict != Verdict::Accepted {
                let page = report.render(false);
                return Err(format!("rustc {}, edition {edition}:\n{page}", compiler.version).into());
            }
        }
        Ok(())
    })
}
