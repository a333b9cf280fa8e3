//! Pastes every binary by `cargo paste` and holds it to what a judge does: each compiler found, each edition it knows,
//! all test data. On Jutge's compiler it also faces its oracle and hostile input.
//!
//! Where Rust 1.63 is not installed a test says so and passes; in CI it fails instead.

use std::path::Path;
use std::process::{Command, ExitCode};
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
/// What Codeforces takes: the smallest limit of a judge that is known here.
const JUDGES_BYTES: usize = 64 * 1024;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // The commands in a failure are for this folder.
    env::set_current_dir(root()).expect("the repository is readable");
    let (cases, _) = discover(&root()).expect("testdata/ is readable");
    let promised = readme::problems(&read("README.md"));
    let mut trials = vec![
        Trial::test("the_oldest_compiler_of_a_judge_is_here", oldest_compiler),
        Trial::test("the_shortest_path_of_the_docs_can_be_pasted", shortest_path),
    ];
    for binary in binaries(&root()).expect("src/bin/ is readable") {
        let cases: Vec<Case> = cases.iter().filter(|case| case.binary == binary).cloned().collect();
        let is_promised = promised.contains(&binary);
        if is_promised {
            let (binary, cases) = (binary.clone(), cases.clone());
            let name = format!("{binary}::does_the_same_with_the_crates_of_atcoder");
            trials.push(Trial::test(name, move || with_atcoders_crates(&binary, &cases)).with_ignored_flag(true));
        }
        let name = format!("{binary}::does_the_same_on_every_compiler_and_edition");
        trials.push(Trial::test(name, move || same_everywhere(&binary, &cases, is_promised)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn oldest_compiler() -> Result<(), Failed> {
    if Compiler::all().iter().any(Compiler::is_jutges) {
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
    let pasted = paste(binary, &[])?;
    if cases.is_empty() {
        return Err(format!("testdata/{binary}/ has no cases").into());
    }
    everywhere(binary, &pasted, is_promised, |compiler, edition, program| {
        for case in cases {
            let place = format!("rustc {}, edition {edition}: {}", compiler.version, case.name);
            accepted(program, &fs::read(&case.input)?, &fs::read(&case.output)?, &place)?;
        }
        if compiler.is_jutges() && oracle::of(binary).is_some() {
            let inputs = cases.iter().map(|case| fs::read(&case.input).map(Input));
            agreement_of(program, binary, 100);
            hostile::withstands(program, binary, 200, &inputs.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(())
    })?;
    // The size is checked last: a wrong answer is the worse failure.
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

/// Runs a program on an input. `place` says in a failure what was run.
fn accepted(program: &Path, input: &[u8], answer: &[u8], place: &str) -> Result<(), Failed> {
    let report = judge(answer, &run(program, input, Limits::default())?);
    if report.verdict == Verdict::Accepted { Ok(()) } else { Err(format!("{place}\n{}", report.render(false)).into()) }
}

/// Leaves proconio and itertools out, and builds what is left with the versions of them that `AtCoder` has.
fn with_atcoders_crates(binary: &str, cases: &[Case]) -> Result<(), Failed> {
    let pasted = paste(binary, &["--keep", "proconio,itertools"])?;
    let fixture = root().join("tools/pastes/tests/fixtures/atcoder");
    let package = tempfile::tempdir()?;
    for file in ["Cargo.toml", "Cargo.lock"] {
        fs::copy(fixture.join(file), package.path().join(file))?;
    }
    fs::create_dir(package.path().join("src"))?;
    fs::write(package.path().join("src/main.rs"), &pasted.text)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--offline", "--locked", "--target-dir", "target"])
        .current_dir(package.path())
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let fetch = format!("cargo fetch --manifest-path {}", fixture.join("Cargo.toml").display());
        let hint = format!("if a crate is missing: nothing is downloaded here, so run `{fetch}` first");
        return Err(format!("{said}\n{hint}").into());
    }
    let program = package.path().join(format!("target/release/main{}", env::consts::EXE_SUFFIX));
    for case in cases {
        accepted(&program, &fs::read(&case.input)?, &fs::read(&case.output)?, &case.name)?;
    }
    Ok(())
}

/// Compiles a paste with every compiler in every edition, and calls `check` with each executable. For a problem that
/// is not in the README's table, that is done only where the summary claims it, and warnings are allowed.
fn everywhere(
    name: &str,
    pasted: &Paste,
    is_promised: bool,
    check: impl Fn(&Compiler, &str, &Path) -> Result<(), Failed>,
) -> Result<(), Failed> {
    // A failure says how to run the program again, so it stays.
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory)?;
    let source = directory.join("paste.rs");
    fs::write(&source, &pasted.text)?;
    for compiler in Compiler::all() {
        for edition in compiler.editions() {
            if !is_promised && !["same", "tested"].contains(&pasted.verdict(&compiler, edition)) {
                continue;
            }
            let program = format!("{name}-{}-{edition}{}", compiler.version, env::consts::EXE_SUFFIX);
            let program = directory.join(program);
            compiler
                .compile(edition, &source, &program, is_promised)
                .map_err(|error| format!("rustc {}, edition {edition}:\n{error}", compiler.version))?;
            check(&compiler, edition, &program)?;
        }
    }
    Ok(())
}

/// Checks that a paste is `same` on the current compiler and at least `tested` on Jutge's, in every edition.
fn claims(pasted: &Paste) -> Result<(), Failed> {
    for (number, compiler) in Compiler::all().iter().enumerate() {
        for edition in compiler.editions() {
            let found = pasted.verdict(compiler, edition);
            let enough = match number {
                0 => found == "same",
                _ => !compiler.is_jutges() || ["same", "tested"].contains(&found),
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
    let pasted = paste("shortest_path", &[])?;
    everywhere("shortest_path", &pasted, true, |compiler, edition, program| {
        for (input, answer) in [("3 5\nS.#..\n#.#.#\n....E\n", "6\n"), ("1 3\nS#E\n", "-1\n")] {
            let place = format!("rustc {}, edition {edition}", compiler.version);
            accepted(program, input.as_bytes(), answer.as_bytes(), &place)?;
        }
        Ok(())
    })
}
