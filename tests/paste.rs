//! Pastes every binary and holds it to what a judge does: each compiler found, each edition it knows, all test data.
//!
//! Pasting itself compiles without warnings everywhere. To also run all test data everywhere takes a minute, so only the
//! newest compiler with its newest edition and the oldest with none named do that here, and all of them in CI
//! (`CI=true cargo test --test paste`).
//!
//! Jutge compiles with 1.63. Where that is not installed the test says so and goes on; in CI it fails instead.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use cargo_paste::resolve::Workspace;
use cargo_paste::rustc::{Compiler, Edition};
use cargo_paste::verify::Verdict;
use cargo_paste::{check, paste, Options};
use judge::check::agreement_of;
use judge::generate::Input;
use judge::{hostile, oracle};
use libtest_mimic::{Arguments, Failed, Trial};

/// What the smallest of the judges' limits leaves room for several times over.
const MOST_BYTES: usize = 16 * 1024;

fn workspace() -> Workspace {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    Workspace::load(Some(&manifest)).expect("cargo reads the manifest")
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let pastes = workspace().binaries().into_iter().map(|name| {
        let binary = name.clone();
        Trial::test(format!("{name}::is_the_same_on_every_compiler_and_edition"), move || same_everywhere(&binary))
    });
    let trials = pastes.chain([Trial::test("the_oldest_judges_compiler_is_here", oldest_compiler)]);
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn in_ci() -> bool {
    env::var("CI").as_deref() == Ok("true")
}

fn oldest_compiler() -> Result<(), Failed> {
    let found = Compiler::all()?.iter().any(|compiler| compiler.version < (1, 64, 0));
    if found {
        return Ok(());
    }
    let missing = "no rustc 1.63 here, so nothing was compiled as Jutge does; Debian 12 has it as /usr/bin/rustc";
    if in_ci() {
        return Err(missing.into());
    }
    println!("skipped: {missing}");
    Ok(())
}

fn same_everywhere(binary: &str) -> Result<(), Failed> {
    let (program, pasted) = paste(&workspace(), binary, &Options::default(), &mut |_| {})?;
    if let Some(cell) = pasted.cells.iter().find(|cell| cell.verdict != Verdict::Same) {
        return Err(format!(
            "rustc {}, edition {}: {:?}. If it is input! without a source, which proconio builds on Rust 1.70: \
             write input! {{ from source, … }} as the other solutions do",
            cell.compiler, cell.edition, cell.verdict
        )
        .into());
    }
    let cases = check::cases(&program)?;
    if cases.is_empty() {
        return Err(format!("testdata/{binary}/ has no cases").into());
    }
    if pasted.text.len() > MOST_BYTES {
        return Err(format!(
            "{} bytes, but ours stay below {MOST_BYTES}. The judges take 65536: if the problem needs it, raise MOST_BYTES; \
             else see with `cargo paste {binary}` which crate brings so much, and use less of it",
            pasted.text.len()
        )
        .into());
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("paste-{binary}"));
    fs::create_dir_all(&dir)?;
    let source = dir.join("paste.rs");
    fs::write(&source, &pasted.text)?;
    let compilers = Compiler::all()?;
    for (compiler, edition) in cells(&compilers) {
        let executable = dir.join("paste");
        check::compile(&compiler.path, edition, &source, &executable, &[])
            .map_err(|error| format!("rustc {compiler}, edition {edition}: {error:#}"))?;
        for case in &cases {
            if check::run(&executable, &case.input)?.as_ref() != Some(&case.output) {
                return Err(format!("rustc {compiler}, edition {edition}: wrong on {}", case.name).into());
            }
        }
        // The judge's own compiler is held to the rules too: the last executable is as good as any of its others.
        if compiler.version < (1, 64, 0) && oracle::of(binary).is_some() {
            let program = dir.join(format!("{binary}-pasted"));
            fs::rename(dir.join("paste"), &program)?;
            let inputs = cases.iter().map(|case| fs::read(&case.input).map(Input));
            let seeds = inputs.collect::<Result<Vec<_>, _>>()?;
            agreement_of(&program, binary, file!(), 100);
            hostile::withstands(&program, binary, file!(), 200, &seeds);
        }
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}

/// The compilers and editions to run with: all of them in CI, else the two furthest apart.
fn cells(compilers: &[Compiler]) -> Vec<(&Compiler, Edition)> {
    let of = |compiler| Compiler::editions(compiler).iter().map(move |&edition| (compiler, edition));
    let all: Vec<_> = compilers.iter().flat_map(of).collect();
    if in_ci() {
        return all;
    }
    let newest = all.iter().max_by_key(|(compiler, edition)| (compiler.version, *edition));
    let oldest = all.iter().min_by_key(|(compiler, edition)| (compiler.version, *edition));
    newest.into_iter().chain(oldest).copied().collect()
}
