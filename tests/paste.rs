//! Pastes every binary and holds it to what a judge does: each compiler found, each edition it knows, all test data.
//!
//! Jutge compiles with 1.63. Where that is not installed the test says so and goes on; in CI it fails instead.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use cargo_paste::resolve::Workspace;
use cargo_paste::rustc::Compiler;
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

fn oldest_compiler() -> Result<(), Failed> {
    let found = Compiler::all()?.iter().any(|compiler| compiler.version < (1, 64, 0));
    if found {
        return Ok(());
    }
    let missing = "no rustc 1.63 here, so nothing was compiled as Jutge does; Debian 12 has it as /usr/bin/rustc";
    if env::var("CI").as_deref() == Ok("true") {
        return Err(missing.into());
    }
    println!("skipped: {missing}");
    Ok(())
}

fn same_everywhere(binary: &str) -> Result<(), Failed> {
    let (program, pasted) = paste(&workspace(), binary, &Options::default(), &mut |_| {})?;
    let cases = check::cases(&program)?;
    if cases.is_empty() {
        return Err(format!("testdata/{binary}/ has no cases").into());
    }
    if pasted.text.len() > MOST_BYTES {
        return Err(format!("{} bytes, more than {MOST_BYTES}", pasted.text.len()).into());
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("paste-{binary}"));
    fs::create_dir_all(&dir)?;
    let source = dir.join("paste.rs");
    fs::write(&source, &pasted.text)?;
    for compiler in Compiler::all()? {
        for &edition in compiler.editions() {
            let executable = dir.join("paste");
            check::compile(&compiler.path, edition, &source, &executable, &[])
                .map_err(|error| format!("rustc {compiler}, edition {edition}: {error:#}"))?;
            for case in &cases {
                if check::run(&executable, &case.input)? != case.output {
                    let name = &case.name;
                    return Err(format!("rustc {compiler}, edition {edition}: wrong on {name}").into());
                }
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
