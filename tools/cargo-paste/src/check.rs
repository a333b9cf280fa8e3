//! `--check`: the paste as the judge would have it, compiled everywhere and run on the package's test data.
//!
//! Test data of the binary `name` is in `testdata/name/` beside the manifest: `case.in` with `case.out`.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::Paste;
use crate::resolve::Program;
use crate::rustc::Edition;

/// One input and the output it wants.
#[derive(Debug, Clone)]
pub struct Case {
    /// The case's name.
    pub name: String,
    /// The file to read.
    pub input: PathBuf,
    /// What has to come out.
    pub output: Vec<u8>,
}

/// The test data of a program.
///
/// # Errors
/// Fails if an input has no output, or a file cannot be read.
pub fn cases(program: &Program) -> Result<Vec<Case>> {
    let dir = program.dir.join("testdata").join(&program.name);
    let mut inputs: Vec<PathBuf> = match fs::read_dir(&dir) {
        Ok(entries) => entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "in"))
            .collect(),
        Err(_) => Vec::new(),
    };
    inputs.sort();
    inputs
        .into_iter()
        .map(|input| {
            let output = input.with_extension("out");
            let name = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let output =
                fs::read(&output).with_context(|| format!("{} has no {}", input.display(), output.display()))?;
            Ok(Case { name, input, output })
        })
        .collect()
}

/// Runs a program on one input.
///
/// # Errors
/// Fails if it cannot be started or the input cannot be read.
pub fn run(executable: &Path, input: &Path) -> Result<Vec<u8>> {
    let stdin = fs::File::open(input).with_context(|| format!("cannot read {}", input.display()))?;
    let output = Command::new(executable)
        .stdin(stdin)
        .stderr(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", executable.display()))?;
    Ok(output.stdout)
}

/// Compiles a paste as a judge does, optimised. The compiler's words are the error.
///
/// # Errors
/// Fails if the compiler refuses it.
pub fn compile(
    rustc: &Path,
    edition: Edition,
    source: &Path,
    executable: &Path,
    extra: &[std::ffi::OsString],
) -> Result<()> {
    let output = Command::new(rustc)
        .args(["--edition", edition.year(), "-O", "-D", "warnings", "--crate-name", "paste"])
        .args(extra)
        .arg("-o")
        .arg(executable)
        .arg(source)
        .output()
        .with_context(|| format!("cannot run {}", rustc.display()))?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// Compiles and runs `paste` everywhere. Returns the table and whether all of it is right.
///
/// # Errors
/// Fails if cargo cannot build the binary or a file cannot be used.
pub fn check(
    program: &Program,
    paste: &Paste,
    extra: &[std::ffi::OsString],
    progress: &mut dyn FnMut(&str),
) -> Result<(String, bool)> {
    let cases = cases(program)?;
    progress("building with cargo");
    let original = program.executable()?;
    let dir = program.target_dir.join("paste").join(format!("check-{}", std::process::id()));
    fs::create_dir_all(&dir)?;
    let result = table(program, paste, extra, &cases, &original, &dir, progress);
    match fs::remove_dir_all(&dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => result,
    }
}

fn table(
    program: &Program,
    paste: &Paste,
    extra: &[std::ffi::OsString],
    cases: &[Case],
    original: &Path,
    dir: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<(String, bool)> {
    let source = dir.join("paste.rs");
    fs::write(&source, &paste.text)?;
    let mut text = String::new();
    let mut good = true;
    let mut expected = Vec::new();
    let mut wrong = Vec::new();
    for case in cases {
        let output = run(original, &case.input)?;
        if output != case.output {
            wrong.push(case.name.as_str());
        }
        expected.push(output);
    }
    if !wrong.is_empty() {
        good = false;
        let _ = writeln!(text, "the cargo build itself is wrong on {}", wrong.join(", "));
    }
    for cell in &paste.cells {
        progress(&format!("running with rustc {} edition {}", cell.compiler, cell.edition));
        let executable = dir.join(format!("paste{}", std::env::consts::EXE_SUFFIX));
        let compiled = compile(&cell.path, cell.edition, &source, &executable, extra);
        let verdict = if let Err(error) = compiled {
            let words = error.to_string();
            format!("does not compile: {}", words.lines().next().unwrap_or_default())
        } else {
            let mut differs = Vec::new();
            for (case, expected) in cases.iter().zip(&expected) {
                if run(&executable, &case.input)? != *expected {
                    differs.push(case.name.as_str());
                }
            }
            good &= differs.is_empty();
            match (cases.len(), differs.is_empty()) {
                (0, _) => format!("compiles; no test data in testdata/{}/", program.name),
                (count, true) => {
                    format!("compiles; same output as cargo's build on {count} of {count} cases")
                }
                (_, false) => format!("compiles; OTHER OUTPUT on {}", differs.join(", ")),
            }
        };
        let _ = writeln!(text, "  rustc {:<5} edition {}  {verdict}", cell.compiler, cell.edition);
    }
    Ok((text, good))
}
