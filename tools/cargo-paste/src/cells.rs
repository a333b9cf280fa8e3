//! What holds on which compiler and in which edition: the same, tested, compiles, or refused.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::build::Program;
use crate::check::{self, Case};
use crate::prove::llvm::Code;
use crate::prove::{self, Comparison, Compiled, Effect};
use crate::rustc::{Bench, Compiler, Edition, FILE, Outcome, Task, in_parallel};

/// What is known of a paste on one compiler in one edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every function has the body that it has in cargo's build.
    Same,
    /// It compiles, and prints on all test data what cargo's build prints.
    Tested,
    /// It compiles. Nothing more is known.
    Compiles,
    /// It does not compile, or it does something else.
    Refused,
}

/// One compiler and edition, and what is known of the paste there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The compiler's version, such as `1.63.0`.
    pub compiler: String,
    /// Where it is.
    pub path: PathBuf,
    /// The edition.
    pub edition: Edition,
    /// What is known.
    pub verdict: Verdict,
    /// How it is known, or why no more is, in a few words.
    pub reason: String,
}

/// A paste compiled by the current compiler in one edition.
pub struct Reading {
    /// The edition.
    pub edition: Edition,
    outcome: Outcome,
    text: String,
}

impl Reading {
    /// Compiles `text` in each of `editions`.
    ///
    /// # Errors
    /// Fails only if the compiler cannot be run.
    pub fn all(bench: &Bench, compiler: &Compiler, editions: &[Edition], text: &str) -> Result<Vec<Self>> {
        in_parallel(editions, |&edition| {
            let outcome = bench.compile(compiler, edition, Task::Code, text)?;
            let bytes = if outcome.success { std::fs::read(&outcome.made)? } else { Vec::new() };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(Self { edition, outcome, text })
        })
    }

    /// What the compiler said.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }
}

/// The program that a paste has to be.
pub struct Reference<'t> {
    /// Its code, as cargo built it.
    pub code: Code<'t>,
    /// The code of the crates that stay outside of the paste.
    pub kept: Vec<&'t str>,
    /// The names of the source files.
    pub files: &'t HashSet<String>,
}

impl Reference<'_> {
    /// Compares the reading in `edition` with cargo's build. The others help where a crate is of another edition.
    ///
    /// Nothing if it does not compile in that edition.
    #[must_use]
    pub fn compare(&self, readings: &[Reading], edition: Edition, editions: &BTreeSet<Edition>) -> Option<Comparison> {
        let files: HashSet<String> = self.files.iter().cloned().chain([FILE.to_owned()]).collect();
        let good: Vec<(&Reading, Code<'_>)> = readings
            .iter()
            .filter(|reading| reading.outcome.success)
            .map(|reading| {
                let texts = std::iter::once(reading.text.as_str()).chain(self.kept.iter().copied());
                (reading, Code::read(texts, &files))
            })
            .collect();
        let harmless = |reading: &Reading| reading.edition < Edition::E2021 && reading.outcome.captures_harmless();
        let (reading, code) = good.iter().find(|(reading, _)| reading.edition == edition)?;
        let asked = Compiled { code, captures_harmless: harmless(reading) };
        let others: Vec<Compiled<'_, '_>> = good
            .iter()
            .filter(|(reading, _)| reading.edition != edition && editions.contains(&reading.edition))
            .map(|(reading, code)| Compiled { code, captures_harmless: harmless(reading) })
            .collect();
        Some(prove::compare(&self.code, asked, &others))
    }
}

/// Says what is known of `text` on every compiler in every edition. `readings` are of the current compiler.
///
/// # Errors
/// Fails only if a compiler or a program cannot be run.
pub fn judge(
    bench: &Bench,
    program: &Program,
    compilers: &[Compiler],
    reference: &Reference<'_>,
    readings: &[Reading],
    text: &str,
) -> Result<Vec<Cell>> {
    let editions: BTreeSet<Edition> = program.editions();
    let mut cells = Vec::new();
    let mut open = Vec::new();
    for (index, compiler) in compilers.iter().enumerate() {
        for &edition in compiler.editions() {
            let mut cell = Cell {
                compiler: compiler.to_string(),
                path: compiler.path.clone(),
                edition,
                verdict: Verdict::Compiles,
                reason: "another compiler".to_owned(),
            };
            if index == 0 {
                match reference.compare(readings, edition, &editions) {
                    Some(comparison) if comparison.differences.is_empty() => {
                        cell.verdict = Verdict::Same;
                        cell.reason = same_because(&comparison);
                    }
                    Some(comparison) => cell.reason = differs(&comparison),
                    None => {
                        cell.verdict = Verdict::Refused;
                        cell.reason = readings
                            .iter()
                            .find(|reading| reading.edition == edition)
                            .map(|reading| reading.outcome.first_error())
                            .unwrap_or_default();
                    }
                }
            }
            if cell.verdict == Verdict::Compiles {
                open.push((cells.len(), compiler, edition));
            }
            cells.push(cell);
        }
    }
    let cases = check::cases(&program.binary)?;
    let wanted = check::outputs(&program.executable, &cases)?;
    let own = own_lines(readings.iter().find(|reading| reading.edition == program.edition()), reference.files);
    let judged = in_parallel(&open, |&(index, compiler, edition)| {
        let mut cell: Cell = cells[index].clone();
        test(bench, compiler, edition, text, (&cases, &wanted), &own, &mut cell)?;
        Ok((index, cell))
    })?;
    for (index, cell) in judged {
        cells[index] = cell;
    }
    Ok(cells)
}

fn same_because(comparison: &Comparison) -> String {
    let mut reason = format!("{} functions have the bodies of cargo's build", comparison.functions);
    for effect in &comparison.effects {
        reason.push_str(match effect {
            Effect::Captures => "; closures capture more or less, which the compiler says does not matter here",
            Effect::PanicEntry => "; panics with a fixed message take another way in",
        });
    }
    reason
}

fn differs(comparison: &Comparison) -> String {
    let first = comparison.differences.iter().next().map(|difference| difference.function.clone()).unwrap_or_default();
    match comparison.differences.len() {
        1 => format!("`{first}` differs from cargo's build"),
        count => format!("{count} functions differ from cargo's build, `{first}` for one"),
    }
}

/// The lines of a paste that functions of the program start on.
fn own_lines(reading: Option<&Reading>, files: &HashSet<String>) -> BTreeSet<usize> {
    reading.map(|reading| lines_of(&reading.text, files)).unwrap_or_default()
}

fn lines_of(text: &str, files: &HashSet<String>) -> BTreeSet<usize> {
    let code = Code::read([text], files);
    let places = code.reached().into_iter().filter_map(|symbol| code.place(symbol));
    places.filter(|(file, _)| file.ends_with(FILE)).map(|(_, line)| line).collect()
}

/// Compiles a paste as a judge would and runs it on the test data.
fn test(
    bench: &Bench,
    compiler: &Compiler,
    edition: Edition,
    text: &str,
    (cases, wanted): (&[Case], &[check::Printed]),
    own: &BTreeSet<usize>,
    cell: &mut Cell,
) -> Result<()> {
    let outcome = bench.compile(compiler, edition, Task::Program, text)?;
    if !outcome.success {
        cell.verdict = Verdict::Refused;
        cell.reason = outcome.first_error();
        return Ok(());
    }
    if cell.reason == "another compiler" {
        let code = bench.compile(compiler, edition, Task::Code, text)?;
        let bytes = if code.success { std::fs::read(&code.made)? } else { Vec::new() };
        let found = lines_of(&String::from_utf8_lossy(&bytes), &HashSet::new());
        // Another compiler may leave out a call that can never happen. One that calls what nobody called before has
        // found another meaning.
        if let Some(line) = found.difference(own).next() {
            let line = text.lines().nth(line - 1).unwrap_or_default().trim();
            cell.reason = format!("this compiler calls functions that cargo's build does not: `{line}`");
            return Ok(());
        }
    }
    if cases.is_empty() {
        cell.reason.push_str("; there is no test data to try it on");
        return Ok(());
    }
    let found = check::outputs(&outcome.made, cases)?;
    let wrong: Vec<&str> = (0..cases.len())
        .filter(|&index| found[index] != wanted[index])
        .map(|index| cases[index].name.as_str())
        .collect();
    let slow = wanted.iter().filter(|printed| **printed == check::Printed::TooSlow).count();
    if let Some(first) = wrong.first() {
        cell.verdict = Verdict::Refused;
        cell.reason = format!("it prints something else than cargo's build on {first}");
    } else if slow > 0 {
        cell.reason = format!("cargo's build takes too long on {slow} of {} cases", cases.len());
    } else {
        cell.verdict = Verdict::Tested;
        cell.reason = format!("{}; prints what cargo's build prints on all {} cases", cell.reason, cases.len());
    }
    Ok(())
}
