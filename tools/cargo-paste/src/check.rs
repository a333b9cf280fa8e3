//! Test data, and `--check`: the paste as the judge would have it, compiled everywhere and run.
//!
//! Test data of the binary `name` is in `testdata/name/` beside the manifest: `case.in` with `case.out`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::Paste;
use crate::cells::Verdict;
use crate::rustc::{Bench, Compiler, Task};
use crate::workspace::Binary;

/// A program that runs longer than this on one input is stopped.
const LIMIT: Duration = Duration::from_secs(10);
/// A program that prints this many bytes on one input has to wait, until it is stopped for its time.
const MOST: u64 = 256 << 20;

/// One input and the output it wants.
#[derive(Debug, Clone)]
pub struct Case {
    /// The case's name.
    pub name: String,
    /// The file to read.
    pub input: PathBuf,
    /// What has to come out, if that is known.
    pub output: Option<Vec<u8>>,
}

/// What a program did with an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Printed {
    /// It ended: what it printed, and how it ended.
    Ended(Vec<u8>, ExitStatus),
    /// It was stopped.
    TooSlow,
}

/// The test data of a program.
///
/// # Errors
/// Fails if a file cannot be read.
pub fn cases(binary: &Binary) -> Result<Vec<Case>> {
    let dir = binary.dir.join("testdata").join(&binary.name);
    let entries = fs::read_dir(&dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut inputs: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "in")).collect();
    inputs.sort();
    let case = |input: PathBuf| {
        let output = input.with_extension("out");
        let name = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let read = || fs::read(&output).with_context(|| format!("cannot read {}", output.display()));
        let output = output.exists().then(read).transpose()?;
        Ok(Case { name, input, output })
    };
    inputs.into_iter().map(case).collect()
}

/// Programs that are running.
type Running = Vec<Arc<Mutex<Child>>>;

static RUNNING: Mutex<Running> = Mutex::new(Vec::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs that are running. None is started while the result is held.
pub fn end_programs() -> MutexGuard<'static, Running> {
    let running = locked(&RUNNING);
    for child in running.iter() {
        drop(locked(child).kill());
    }
    running
}

/// Runs a program on one input, for no longer than `limit`.
fn run(executable: &Path, input: &Path, limit: Duration) -> Result<Printed> {
    let stdin = fs::File::open(input).with_context(|| format!("cannot read {}", input.display()))?;
    let mut running = locked(&RUNNING);
    let mut child = Command::new(executable)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot run {}", executable.display()))?;
    let mut stdout = child.stdout.take().context("the program has no output")?;
    let child = Arc::new(Mutex::new(child));
    running.push(Arc::clone(&child));
    drop(running);
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // The pipe stays open: closed, it would end the program in a way of its own.
        stdout.by_ref().take(MOST).read_to_end(&mut bytes).map(|_| (bytes, stdout))
    });
    let start = Instant::now();
    let status = loop {
        let ended = locked(&child).try_wait()?;
        // A process that it left behind may still have its output open.
        if let (Some(status), true) = (ended, reader.is_finished()) {
            break Some(status);
        }
        if start.elapsed() > limit {
            locked(&child).kill()?;
            locked(&child).wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    locked(&RUNNING).retain(|other| !Arc::ptr_eq(other, &child));
    let Some(status) = status else { return Ok(Printed::TooSlow) };
    let (bytes, _stdout) = reader.join().map_err(|_| anyhow::anyhow!("the program's output could not be read"))??;
    Ok(if bytes.len() as u64 == MOST { Printed::TooSlow } else { Printed::Ended(bytes, status) })
}

/// What a program prints on each case.
///
/// # Errors
/// Fails if it cannot be started.
pub fn outputs(executable: &Path, cases: &[Case]) -> Result<Vec<Printed>> {
    cases.iter().map(|case| run(executable, &case.input, LIMIT)).collect()
}

/// The same, but once the program takes too long, or `deadline` has come, the other cases are not tried.
///
/// # Errors
/// Fails if it cannot be started.
pub fn quick_outputs(executable: &Path, cases: &[Case], deadline: Option<Instant>) -> Result<Vec<Printed>> {
    let mut found = Vec::new();
    for case in cases {
        let slow = found.last() == Some(&Printed::TooSlow);
        let left = deadline.map_or(LIMIT, |deadline| deadline.saturating_duration_since(Instant::now()));
        found.push(if slow { Printed::TooSlow } else { run(executable, &case.input, left.min(LIMIT))? });
    }
    Ok(found)
}

/// Compiles and runs `paste` everywhere. Returns the table, and whether cargo's build and all claimed cells are right.
///
/// # Errors
/// Fails if cargo cannot build the binary or a file cannot be used.
pub fn check(
    binary: &Binary,
    bench: &Bench,
    compilers: &[Compiler],
    paste: &Paste,
    progress: &mut dyn FnMut(&str),
) -> Result<(String, bool)> {
    let cases = cases(binary)?;
    let wanted = |case: &Case| {
        let output = case.output.clone();
        let output = output.with_context(|| format!("{} has no {}.out", case.input.display(), case.name))?;
        Ok(Printed::Ended(output, ExitStatus::default()))
    };
    let wanted: Vec<Printed> = cases.iter().map(wanted).collect::<Result<_>>()?;
    progress("building with cargo");
    let original = crate::build::release(binary)?;
    let mut text = format!("  {:<14}{:<9}{:<10}{:<10}test data\n", "compiler", "edition", "verdict", "warnings");
    let mut row = |compiler: &str, edition: &str, verdict: &str, warnings: &str, data: &str| {
        let line = format!("  {compiler:<14}{edition:<9}{verdict:<10}{warnings:<10}{data}");
        text.push_str(line.trim_end());
        text.push('\n');
    };
    let found = outputs(&original, &cases)?;
    let (mut good, data) = compare(binary, &cases, &found, &wanted, "as in .out");
    row("cargo", "", "", "", &data);
    for cell in &paste.cells {
        progress(&format!("running with rustc {} edition {}", cell.compiler, cell.edition));
        let name = format!("rustc {}", cell.compiler);
        let (edition, verdict) = (cell.edition.year(), format!("{:?}", cell.verdict).to_lowercase());
        let compiler = compilers.iter().find(|compiler| compiler.path == cell.path);
        let compiler = compiler.with_context(|| format!("{name} is gone"))?;
        let outcome = bench.compile(compiler, cell.edition, Task::Program, &paste.text)?;
        // Only what the summary claims has to hold.
        let claimed = matches!(cell.verdict, Verdict::Same | Verdict::Tested);
        if !outcome.success {
            good &= !claimed;
            row(&name, edition, &verdict, "", &crate::cells::first_error(&outcome, &paste.text));
            continue;
        }
        let warnings =
            outcome.diagnostics.iter().filter(|said| said.level == "warning" && !said.spans.is_empty()).count();
        let warnings = if warnings == 0 { "none".to_owned() } else { warnings.to_string() };
        // The paste has to do as cargo's build does, even where that is wrong.
        let (right, data) = compare(binary, &cases, &outputs(&outcome.made, &cases)?, &found, "as cargo's build");
        good &= right || !claimed;
        row(&name, edition, &verdict, &warnings, &data);
    }
    Ok((text, good))
}

/// Whether all cases came out as wanted, and the same in words; `as_what` says what was wanted.
fn compare(binary: &Binary, cases: &[Case], found: &[Printed], wanted: &[Printed], as_what: &str) -> (bool, String) {
    let wrong: Vec<&str> = (0..cases.len()).filter(|&i| found[i] != wanted[i]).map(|i| &*cases[i].name).collect();
    let words = match (cases.len(), wrong.len()) {
        (0, _) => format!("none in testdata/{}", binary.name),
        (all, 0) => format!("{all} of {all} {as_what}"),
        (all, bad) => format!("{} of {all} {as_what}, WRONG on {}", all - bad, wrong.join(", ")),
    };
    (wrong.is_empty(), words)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_prints_too_much_is_stopped_and_its_output_is_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let input = dir.path().join("1.in");
        let file = fs::File::create(&input).unwrap();
        // `cat` prints what it reads. More than this many bytes it cannot get rid of.
        for (bytes, is_kept) in [(MOST - 1, true), (MOST, false), (MOST + (1 << 20), false)] {
            file.set_len(bytes).unwrap();
            let limit = Duration::from_secs(if bytes > MOST { 1 } else { 60 });
            let printed = run(Path::new("/bin/cat"), &input, limit).unwrap();
            assert_eq!(matches!(printed, Printed::Ended(text, _) if text.len() as u64 == bytes), is_kept, "{bytes}");
        }
    }
}
