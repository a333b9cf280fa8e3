//! `--check`: the paste as the judge would have it, compiled everywhere and run on the package's test data.
//!
//! Test data of the binary `name` is in `testdata/name/` beside the manifest: `case.in` with `case.out`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::Paste;
use crate::resolve::Program;
use crate::rustc::Edition;
use crate::verify::Verdict;

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

/// Runs a program on one input. What it prints counts only if it ends well.
///
/// # Errors
/// Fails if it cannot be started or the input cannot be read.
pub fn run(executable: &Path, input: &Path) -> Result<Option<Vec<u8>>> {
    let stdin = fs::File::open(input).with_context(|| format!("cannot read {}", input.display()))?;
    let output = Command::new(executable)
        .stdin(stdin)
        .stderr(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", executable.display()))?;
    Ok(output.status.success().then_some(output.stdout))
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
    let mut command = Command::new(rustc);
    if edition != Edition::E2015 {
        command.args(["--edition", edition.year()]);
    }
    let output = command
        .args(["-O", "-D", "warnings", "--crate-name", "paste"])
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
    let executable = dir.join(format!("paste{}", std::env::consts::EXE_SUFFIX));
    let mut text = format!("  {:<12}{:<9}{:<10}{:<10}test data\n", "compiler", "edition", "compiles", "warnings");
    let mut good = true;
    let mut row = |compiler: &str, edition: &str, compiles: &str, warnings: &str, data: &str| {
        let line = format!("  {compiler:<12}{edition:<9}{compiles:<10}{warnings:<10}{data}");
        text.push_str(line.trim_end());
        text.push('\n');
    };
    let wanted: Vec<Option<Vec<u8>>> = cases.iter().map(|case| Some(case.output.clone())).collect();
    let found = outputs(original, cases)?;
    let (right, data) = compare(program, cases, &found, &wanted);
    good &= right;
    row("cargo", program.crates[0].edition.year(), "yes", "", &data);
    for cell in &paste.cells {
        progress(&format!("running with rustc {} edition {}", cell.compiler, cell.edition));
        let (compiler, edition) = (format!("rustc {}", cell.compiler), cell.edition.year());
        let strict = compile(&cell.path, cell.edition, &source, &executable, extra);
        let tolerant = || {
            let extra: Vec<_> = extra.iter().cloned().chain(["--cap-lints".into(), "warn".into()]).collect();
            compile(&cell.path, cell.edition, &source, &executable, &extra)
        };
        // Only what the summary claims has to hold.
        let claimed = cell.verdict == Verdict::Same;
        good &= strict.is_ok() || !claimed;
        let warnings = if strict.is_ok() { "none" } else { "yes" };
        if let Err(error) = strict.or_else(|_| tolerant()) {
            let message = error.to_string();
            row(&compiler, edition, "no", "", message.lines().next().unwrap_or_default());
            continue;
        }
        // The paste has to do as cargo's build does, even where that is wrong.
        let (right, data) = compare(program, cases, &outputs(&executable, cases)?, &found);
        good &= right || !claimed;
        row(&compiler, edition, "yes", warnings, &data);
    }
    Ok((text, good))
}

fn outputs(executable: &Path, cases: &[Case]) -> Result<Vec<Option<Vec<u8>>>> {
    cases.iter().map(|case| run(executable, &case.input)).collect()
}

/// Whether all cases came out as wanted, and the same in words.
fn compare(program: &Program, cases: &[Case], found: &[Option<Vec<u8>>], wanted: &[Option<Vec<u8>>]) -> (bool, String) {
    let wrong: Vec<&str> = (0..cases.len()).filter(|&i| found[i] != wanted[i]).map(|i| &*cases[i].name).collect();
    let words = match (cases.len(), wrong.len()) {
        (0, _) => format!("none in testdata/{}", program.name),
        (all, 0) => format!("{all} of {all}"),
        (all, bad) => format!("{} of {all}, WRONG on {}", all - bad, wrong.join(", ")),
    };
    (wrong.is_empty(), words)
}
