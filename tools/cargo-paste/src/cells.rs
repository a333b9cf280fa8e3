//! What holds on which compiler and in which edition: the same, tested, compiles, or refused.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::build::Program;
use crate::check::{self, Case, Printed};
use crate::emit;
use crate::prove::address::Addresses;
use crate::prove::llvm::Code;
use crate::prove::{self, Comparison, Compiled, Effect, captures, temporaries, wording::Wording};
use crate::rustc::{Bench, Compiler, Edition, Newest, Outcome, Task, beside, in_parallel};

/// What is known of a paste on one compiler in one edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every function has the body that it has in cargo's build, or differs only by an effect of the edition.
    Same,
    /// It compiles, and prints on all test data what cargo's build prints.
    Tested,
    /// It compiles. Nothing more is known.
    Compiles,
    /// It does not compile, it does something else, or it takes too long.
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

/// A paste compiled in one edition.
pub struct Reading {
    /// The edition.
    pub edition: Edition,
    outcome: Outcome,
    /// The LLVM code, if it compiles.
    text: String,
    /// The LLVM code of the text whose closures capture whole variables, if it was made.
    whole: Option<String>,
    /// What its text asks for.
    wording: Wording,
    /// What it does with addresses of functions and vtables.
    addresses: Addresses,
    /// What was read to compile it, beside its own text.
    read_besides: Option<String>,
    /// Whether its closures make raw pointers.
    pointers_in_closures: bool,
    /// The first function in which a temporary value may end too early, as far as that was looked for.
    ends_early: Option<String>,
}

impl Reading {
    /// Compiles `text` in each of `editions`.
    ///
    /// # Errors
    /// Fails if the compiler cannot be run or a file cannot be used.
    pub fn all(bench: &Bench, compiler: &Compiler, editions: &[Edition], text: &str) -> Result<Vec<Self>> {
        let wording = Wording::of(text);
        in_parallel(editions, |&edition| {
            let outcome = bench.compile(compiler, edition, Task::Code, text)?;
            let text = bench.code_of(&outcome)?;
            let (mut addresses, mut read_besides, mut pointers_in_closures) = (Addresses::default(), None, false);
            if outcome.success {
                let mir = outcome.mir()?;
                addresses = Addresses::read(&mir);
                pointers_in_closures = captures::make_pointers(&mir);
                read_besides = outcome.read_besides()?;
            }
            Ok(Self {
                edition,
                outcome,
                text,
                whole: None,
                wording,
                addresses,
                read_besides,
                pointers_in_closures,
                ends_early: None,
            })
        })
    }

    /// Looks for temporary values that end too early in 2024, if that is one of the editions, and if it matters.
    ///
    /// # Errors
    /// Fails if the compiler cannot be run or a file cannot be used.
    pub fn add_ends(readings: &mut [Self], bench: &Bench, compiler: &Compiler, text: &str) -> Result<()> {
        let is_meant = |reading: &&mut Self| reading.edition == Edition::E2024 && reading.outcome.success;
        if let (Some(newest), Some(reading)) = (&bench.newest, readings.iter_mut().find(is_meant))
            && (bench.keeps() || temporaries::matter(text))
            && reading.ends_early.is_none()
        {
            reading.ends_early = ends_early(bench, compiler, newest, text)?;
        }
        Ok(())
    }

    /// `text`, changed so that its closures capture whole variables in every edition. What they capture is known from a
    /// reading below 2021. Nothing if there is no such reading or no such closure.
    #[must_use]
    pub fn with_whole_captures(readings: &[Self], text: &str) -> Option<String> {
        let older = |reading: &&Self| reading.edition < Edition::E2021 && reading.outcome.success;
        captures::whole(text, &readings.iter().find(older)?.outcome.mir().ok()?)
    }

    /// Compiles `whole`, the text whose closures capture whole variables, in 2018 and 2021.
    ///
    /// # Errors
    /// Fails if the compiler cannot be run or a file cannot be used.
    pub fn add_whole(readings: &mut [Self], bench: &Bench, compiler: &Compiler, whole: Option<&str>) -> Result<()> {
        let Some(whole) = whole else { return Ok(()) };
        // These two stand for the older and the newer editions.
        let asked = [Edition::E2018, Edition::E2021];
        let missing: Vec<&mut Self> = readings
            .iter_mut()
            .filter(|reading| asked.contains(&reading.edition) && reading.outcome.success && reading.whole.is_none())
            .collect();
        let editions: Vec<Edition> = missing.iter().map(|reading| reading.edition).collect();
        let made = in_parallel(&editions, |&edition| {
            let outcome = bench.compile(compiler, edition, Task::Code, whole)?;
            bench.code_of(&outcome)
        })?;
        for (reading, code) in missing.into_iter().zip(made) {
            reading.whole = Some(code);
        }
        Ok(())
    }

    fn compiled<'c, 't>(&'c self, code: &'c Code<'t>, whole: Option<&'c Code<'t>>) -> Compiled<'c, 't> {
        Compiled {
            code,
            whole,
            edition: self.edition,
            captures_harmless: self.outcome.captures_harmless() && !self.pointers_in_closures,
            clashes: self.outcome.clashes(),
            wording: self.wording,
            addresses: &self.addresses,
            read_besides: self.read_besides.as_deref(),
            ends_early: self.ends_early.as_deref(),
        }
    }

    /// What the compiler said.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }
}

/// The first function of `text` in which a temporary value may end too early in 2024. Only code of older editions is
/// looked at. If the text does not compile in both 2021 and 2024, nothing is known, and `main` stands for all
/// functions.
fn ends_early(bench: &Bench, compiler: &Compiler, newest: &Newest, text: &str) -> Result<Option<String>> {
    let text = temporaries::for_2021(text, newest);
    let made =
        in_parallel(&[Edition::E2021, Edition::E2024], |&edition| bench.compile(compiler, edition, Task::Mir, &text))?;
    if made.iter().all(|outcome| outcome.success) {
        return Ok(temporaries::ends_too_early(&made[0].mir()?, &made[1].mir()?));
    }
    Ok(Some("main".to_owned()))
}

/// The program that a paste has to match.
pub struct Reference<'t> {
    /// Its code, as cargo built it.
    pub code: Code<'t>,
    /// The code of the crates that stay outside of the paste.
    pub kept: Vec<&'t str>,
    /// The names of those crates' source files.
    pub kept_files: HashSet<String>,
}

impl Reference<'_> {
    /// Compares the reading in `edition` with cargo's build. The others help where a crate is of another edition.
    ///
    /// Nothing if the paste does not compile in that edition.
    #[must_use]
    pub fn compare(&self, readings: &[Reading], edition: Edition, editions: &BTreeSet<Edition>) -> Option<Comparison> {
        let files: HashSet<String> = self.kept_files.iter().cloned().chain(own_files(readings)).collect();
        let codes = codes(readings, &self.kept, &files);
        let compiled: Vec<Compiled<'_, '_>> = compiled(&codes).collect();
        let asked = compiled.iter().find(|compiled| compiled.edition == edition)?;
        let others: Vec<Compiled<'_, '_>> = compiled
            .iter()
            .filter(|compiled| compiled.edition != edition && editions.contains(&compiled.edition))
            .copied()
            .collect();
        Some(prove::compare(&self.code, *asked, &others, &compiled))
    }
}

/// The names that the file of a paste had while it was compiled.
fn own_files(readings: &[Reading]) -> impl Iterator<Item = String> + '_ {
    readings.iter().map(|reading| reading.outcome.file.clone())
}

/// A reading that compiles, its code, and its code where closures capture whole variables.
type Read<'r> = (&'r Reading, Code<'r>, Option<Code<'r>>);

fn codes<'r>(readings: &'r [Reading], kept: &[&'r str], files: &'r HashSet<String>) -> Vec<Read<'r>> {
    let read = |text: &'r str| Code::read(std::iter::once(text).chain(kept.iter().copied()), files);
    let good = readings.iter().filter(|reading| reading.outcome.success);
    good.map(|reading| (reading, read(&reading.text), reading.whole.as_deref().map(read))).collect()
}

fn compiled<'c, 'r>(codes: &'c [Read<'r>]) -> impl Iterator<Item = Compiled<'c, 'r>> {
    codes.iter().map(|(reading, code, whole)| reading.compiled(code, whole.as_ref()))
}

/// A cell whose program has to be run on the test data, and the cells whose programs are the same as this one.
struct Trial<'c> {
    compiler: &'c Compiler,
    cell: usize,
    followers: Vec<usize>,
    /// The program, if it is compiled already.
    program: Option<Outcome>,
}

/// What another compiler made of a paste.
struct Asked {
    readings: Vec<Reading>,
    /// The program in the oldest edition. It nearly always has to be tried, so it is made beside the readings.
    program: Option<Outcome>,
}

impl Asked {
    fn new(bench: &Bench, compiler: &Compiler, text: &str, whole: Option<&str>, tried: bool) -> Result<Self> {
        let (program, readings) = beside(
            || tried.then(|| bench.compile(compiler, Edition::E2015, Task::Program, text)).transpose(),
            || {
                let mut readings = Reading::all(bench, compiler, compiler.editions(), text)?;
                Reading::add_whole(&mut readings, bench, compiler, whole)?;
                Reading::add_ends(&mut readings, bench, compiler, text)?;
                Ok(readings)
            },
        );
        let readings: Result<_> = readings;
        Ok(Self { readings: readings?, program: program? })
    }
}

/// Says what is known of `text` on every compiler in every edition. `readings` are of the current compiler. If the
/// paste has to be run, and cargo's build does not print what an `.out` file says, `notes` gets a line.
///
/// # Errors
/// Fails if a compiler or a program cannot be run, if cargo's build fails, or if test data cannot be read.
pub fn judge(
    bench: &Bench,
    program: &Program,
    compilers: &[Compiler],
    reference: &Reference<'_>,
    mut readings: Vec<Reading>,
    text: &str,
    notes: &mut Vec<String>,
) -> Result<Vec<Cell>> {
    let (mut cells, mut trials) = (Vec::new(), Vec::new());
    let cases = check::cases(&program.binary)?;
    let own = readings.iter().find(|reading| reading.edition == program.edition());
    let lines = |reading: &Reading| own_lines(&Code::read([reading.text.as_str()], &HashSet::new()), &bench.file);
    let own = own.map(lines).unwrap_or_default();
    let Some((ours, others)) = compilers.split_first() else { return Ok(cells) };
    let tried = !cases.is_empty();
    let whole = Reading::with_whole_captures(&readings, text);
    let quick = || check::quick_outputs(&program.executable, &cases, bench.deadline);
    // The others compile while the current compiler's code is compared, and what cargo built is run. Without others, it
    // may be that nothing has to be tried.
    let ((asked, printed), compared) = beside(
        || {
            beside(
                || in_parallel(others, |compiler| Asked::new(bench, compiler, text, whole.as_deref(), tried)),
                || if others.is_empty() { Ok(Vec::new()) } else { quick() },
            )
        },
        || {
            Reading::add_whole(&mut readings, bench, ours, whole.as_deref())?;
            Reading::add_ends(&mut readings, bench, ours, text)?;
            current(program, ours, reference, &readings, text, &mut cells, &mut trials);
            Ok(())
        },
    );
    let compared: Result<()> = compared;
    compared?;
    for (compiler, asked) in others.iter().zip(asked?) {
        another(compiler, asked, text, &own, &mut cells, &mut trials);
    }
    if cases.is_empty() {
        for trial in &trials {
            for &cell in trial.followers.iter().chain([&trial.cell]) {
                cells[cell].reason.push_str("; there is no test data to try it on");
            }
        }
        return Ok(cells);
    }
    if trials.is_empty() {
        return Ok(cells);
    }
    let mut wanted = if others.is_empty() { quick()? } else { printed? };
    let tried = in_parallel(&trials, |trial| {
        let made;
        let outcome = if let Some(known) = &trial.program {
            known
        } else {
            made = bench.compile(trial.compiler, cells[trial.cell].edition, Task::Program, text)?;
            &made
        };
        Ok(if outcome.success {
            Ok(check::quick_outputs(&outcome.made, &cases, bench.deadline)?)
        } else {
            Err(first_error(outcome, text))
        })
    })?;
    // Without optimising, a deep recursion may run out of stack, last digits may differ, and some inputs may take too
    // long. Then cargo's optimised build decides.
    let is_wrong = |(case, printed): (&Case, &Printed)| match printed {
        Printed::Ended(printed, status) => {
            !status.success() || case.output.as_ref().is_some_and(|right| right != printed)
        }
        Printed::TooSlow => true,
    };
    let differs = tried.iter().flatten().any(|found| *found != wanted);
    if differs || reference.code.is_inexact() || cases.iter().zip(&wanted).any(is_wrong) {
        wanted = check::quick_outputs(&program.optimised()?, &cases, bench.deadline)?;
    }
    if let Some((case, _)) = cases.iter().zip(&wanted).find(|&(case, printed)| {
        matches!((&case.output, printed), (Some(right), Printed::Ended(printed, _)) if right != printed)
    }) {
        notes.push(format!(
            "the program is wrong on {}: cargo's build does not print what the .out file says",
            case.name
        ));
    }
    let tried = tried.into_iter().map(|found| match found {
        Ok(found) => verdict(&found, &cases, &wanted),
        Err(error) => (Verdict::Refused, error),
    });
    for (trial, (verdict, reason)) in trials.iter().zip(tried) {
        let leader = cells[trial.cell].edition;
        for &cell in &trial.followers {
            cells[cell].verdict = verdict;
            cells[cell].reason = format!("has the bodies of edition {leader} on this compiler: {reason}");
        }
        cells[trial.cell].verdict = verdict;
        cells[trial.cell].reason = format!("{}; {reason}", cells[trial.cell].reason);
    }
    Ok(cells)
}

fn cell(compiler: &Compiler, edition: Edition, verdict: Verdict, reason: String) -> Cell {
    Cell { compiler: compiler.to_string(), path: compiler.path.clone(), edition, verdict, reason }
}

/// Why a paste does not compile: the compiler's own words where they are about the solution, or else the crate.
#[must_use]
pub fn first_error(outcome: &Outcome, paste: &str) -> String {
    let Some(error) = outcome.errors().next() else { return "the compiler failed".to_owned() };
    let span = error.primary().map(|span| if span.file_name == outcome.file { span } else { span.call_site() });
    match span.and_then(|span| emit::owner(paste, span.byte_start)) {
        Some(krate) => format!("{krate} does not compile there"),
        None => error.message.clone(),
    }
}

/// The compiler that cargo used: its bodies can be compared with cargo's.
fn current<'c>(
    program: &Program,
    compiler: &'c Compiler,
    reference: &Reference<'_>,
    readings: &[Reading],
    text: &str,
    cells: &mut Vec<Cell>,
    trials: &mut Vec<Trial<'c>>,
) {
    let editions = program.editions();
    for reading in readings {
        let edition = reading.edition;
        let (verdict, reason) = match reference.compare(readings, edition, &editions) {
            Some(comparison) if comparison.differences.is_empty() => (Verdict::Same, same_because(&comparison)),
            Some(comparison) => (Verdict::Compiles, differs(&comparison)),
            None => (Verdict::Refused, first_error(&reading.outcome, text)),
        };
        if verdict == Verdict::Compiles {
            trials.push(Trial { compiler, cell: cells.len(), followers: Vec::new(), program: None });
        }
        cells.push(cell(compiler, edition, verdict, reason));
    }
}

/// Another compiler. Its bodies cannot be compared with cargo's, but its editions can be compared with each other.
fn another<'c>(
    compiler: &'c Compiler,
    Asked { readings, mut program }: Asked,
    text: &str,
    own: &BTreeSet<usize>,
    cells: &mut Vec<Cell>,
    trials: &mut Vec<Trial<'c>>,
) {
    let files: HashSet<String> = own_files(&readings).collect();
    let codes = codes(&readings, &[], &files);
    let all: Vec<Compiled<'_, '_>> = compiled(&codes).collect();
    let mut leaders: Vec<(Compiled<'_, '_>, usize)> = Vec::new();
    for reading in &readings {
        let mut known = cell(compiler, reading.edition, Verdict::Compiles, "another compiler".to_owned());
        // This compiler may leave out a call that can never happen. If what it makes calls a function that cargo's
        // build does not call, the text may mean something else to it.
        let strange = |code: &Code<'_>| {
            let line = own_lines(code, &reading.outcome.file).difference(own).next().copied()?;
            text.lines().nth(line - 1)
        };
        match all.iter().find(|here| here.edition == reading.edition) {
            None => {
                known.verdict = Verdict::Refused;
                known.reason = first_error(&reading.outcome, text);
            }
            Some(here) => {
                if let Some(line) = strange(here.code) {
                    let line = line.trim();
                    known.reason = format!(
                        "on this compiler, the paste calls functions that cargo's build does not call: `{line}`"
                    );
                } else if let Some((_, trial)) = leaders
                    .iter()
                    .find(|(leader, _)| prove::compare(leader.code, *here, &[*leader], &all).differences.is_empty())
                {
                    trials[*trial].followers.push(cells.len());
                } else {
                    leaders.push((*here, trials.len()));
                    let program = if reading.edition == Edition::E2015 { program.take() } else { None };
                    trials.push(Trial { compiler, cell: cells.len(), followers: Vec::new(), program });
                }
            }
        }
        cells.push(known);
    }
}

fn same_because(comparison: &Comparison) -> String {
    let mut reason = format!("{} functions have the bodies of cargo's build", comparison.functions);
    for effect in &comparison.effects {
        reason.push_str(match effect {
            Effect::Captures => {
                "; closures capture other parts of variables, and the compiler says that this does not matter here"
            }
            Effect::PanicEntry => "; panics with a fixed message go through another function",
        });
    }
    reason
}

fn differs(comparison: &Comparison) -> String {
    if let Some(found) = comparison.differences.iter().find(|found| found.reason.is_some()) {
        return format!("{} cannot be compared with cargo's build", found.function);
    }
    let first = comparison.differences.iter().next().map(|difference| difference.function.clone()).unwrap_or_default();
    match comparison.differences.len() {
        1 => format!("`{first}` differs from cargo's build"),
        count => format!("{count} functions differ from cargo's build, `{first}` for one"),
    }
}

/// The lines of a paste that functions of the program start on.
fn own_lines(code: &Code<'_>, own: &str) -> BTreeSet<usize> {
    let places = code.reached().into_iter().filter_map(|symbol| code.place(symbol));
    places.filter(|(file, _)| file.ends_with(own)).map(|(_, line)| line).collect()
}

/// Compares what a program printed on the test data with what cargo's build printed.
fn verdict(found: &[Printed], cases: &[Case], wanted: &[Printed]) -> (Verdict, String) {
    // After a case that takes too long, the others are not tried.
    let slow = (0..cases.len()).find(|&index| wanted[index] == Printed::TooSlow);
    let wrong = |&index: &usize| wanted[index] != Printed::TooSlow && found[index] != wanted[index];
    if let Some(first) = (0..cases.len()).find(wrong) {
        let what = match (&found[first], &wanted[first]) {
            (Printed::TooSlow, _) => "takes too long",
            (Printed::Ended(one, _), Printed::Ended(other, _)) if one == other => "does not end as cargo's build does",
            _ => "prints something else than cargo's build",
        };
        (Verdict::Refused, format!("{what} on {}", cases[first].name))
    } else if let Some(slow) = slow {
        (Verdict::Compiles, format!("cargo's build did not end in time on {}", cases[slow].name))
    } else {
        let all = if cases.len() == 1 { "its one case".to_owned() } else { format!("all {} cases", cases.len()) };
        (Verdict::Tested, format!("prints what cargo's build prints on {all}"))
    }
}
