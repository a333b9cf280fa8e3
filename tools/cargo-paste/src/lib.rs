//! Any solution as one file that every judge takes.
//!
//! The stages are the modules, in the order the data flows: [`resolve`] finds the crates, [`inline`] makes one text of
//! them, [`shake`] takes out what the compiler does not need, [`verify`] proves that it is still the same program, and
//! [`emit`] writes it down. [`check`] runs the result on test data.

mod cache;
pub mod check;
pub mod emit;
pub mod inline;
pub mod licence;
pub mod nodes;
pub mod resolve;
pub mod rustc;
pub mod shake;
pub mod text;
pub mod verify;

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::time::Instant;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use inline::Bundle;
use nodes::Nodes;
use resolve::{Program, Workspace};
use rustc::{Bench, Compiler, Edition, Emit, Outcome};
use shake::{Budget, Shaken};
use verify::{Cell, Compiled, Verdict};

/// How many compiler calls shaking may take, each time it is tried.
const BUDGET: Budget = 40;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Crates that the judge has.
    pub keep: BTreeSet<String>,
    /// Whether to do all the work even if its result is known.
    pub fresh: bool,
}

/// A finished paste and what is known about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Paste {
    /// The binary.
    pub name: String,
    /// The file.
    pub text: String,
    /// The size of the bundle before shaking.
    pub before: usize,
    /// How often a compiler was called.
    pub calls: usize,
    /// How many functions the program has; they are the same as before shaking.
    pub functions: usize,
    /// What every compiler found says.
    pub cells: Vec<Cell>,
    /// What a user should know besides.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: f64,
    /// Whether the result was known already.
    #[serde(default)]
    pub cached: bool,
}

/// Pastes the binary `name`. `progress` hears what is being done.
///
/// # Errors
/// Fails with a sentence that says what cannot be pasted, where it is and what to do about it.
pub fn paste(
    workspace: &Workspace,
    name: &str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<(Program, Paste)> {
    let start = Instant::now();
    progress("asking cargo");
    let program = workspace.resolve(name)?;
    let mut compilers = Compiler::all()?;
    if !options.keep.is_empty() {
        compilers.truncate(1);
    }
    progress("inlining");
    let bundle = inline::inline(&program, &compilers[0].cfgs()?, &options.keep)?;
    let key = cache::key(&bundle, &options.keep, &compilers);
    let known = if options.fresh { None } else { cache::read(&program.target_dir, name, &options.keep, &key) };
    if let Some(mut known) = known {
        known.seconds = start.elapsed().as_secs_f64();
        known.cached = true;
        return Ok((program, known));
    }
    let bench = Bench::new(&program.target_dir, program.libraries(&options.keep)?)?;
    let mut job = Job { program: &program, bundle: &bundle, compilers: &compilers, bench: &bench, progress };
    let mut paste = job.run()?;
    paste.calls = bench.calls();
    let kept = program.kept(&options.keep)?;
    if !kept.is_empty() {
        paste.notes.push(format!("the judge has to have {}, which is what it was compiled with", kept.join(", ")));
    }
    cache::write(&program.target_dir, &options.keep, &key, &paste);
    paste.seconds = start.elapsed().as_secs_f64();
    Ok((program, paste))
}

struct Job<'a> {
    program: &'a Program,
    bundle: &'a Bundle,
    compilers: &'a [Compiler],
    bench: &'a Bench,
    progress: &'a mut dyn FnMut(&str),
}

impl Job<'_> {
    fn run(&mut self) -> Result<Paste> {
        (self.progress)("compiling the bundle");
        let (edition, reference) = self.reference()?;
        let (text, mut remarks) = self.shrink(edition, &reference)?;
        self.refuse_outside(&text)?;
        let mut text = emit::emit(self.program, self.bundle, &text)?;
        (self.progress)("verifying");
        let mut cells = verify::cells(self.bench, self.compilers, &reference.functions, &text)?;
        if !cells.iter().any(|cell| cell.verdict == Verdict::Same) {
            // The solution's own warnings are its own business.
            let allowed = format!("#![allow(warnings)]\n{text}");
            let again = verify::cells(self.bench, self.compilers, &reference.functions, &allowed)?;
            if again.iter().any(|cell| cell.verdict == Verdict::Same) {
                remarks.push("the solution has warnings of its own, so its first line allows them".to_owned());
                (text, cells) = (allowed, again);
            }
        }
        if !cells.iter().any(|cell| cell.verdict == Verdict::Same) {
            let reason = cells.iter().find_map(|cell| match &cell.verdict {
                Verdict::Refused(reason) => Some(reason.clone()),
                Verdict::Different(count) => Some(format!("{count} functions differ")),
                Verdict::Same => None,
            });
            bail!(
                "{}: the crates were inlined, but no compiler takes the result as the same program: {}; \
                 this is a limit of cargo-paste, and `--keep` can leave a crate out",
                self.program.name,
                reason.unwrap_or_default()
            );
        }
        Ok(Paste {
            name: self.program.name.clone(),
            before: self.bundle.text.len(),
            text,
            calls: 0,
            functions: reference.functions.len(),
            cells,
            notes: remarks,
            seconds: 0.0,
            cached: false,
        })
    }

    /// Compiles the whole bundle: the program that the paste has to be.
    fn reference(&self) -> Result<(Edition, Compiled)> {
        let own = self.program.crates[0].edition.max(Edition::E2018);
        let others = [Edition::E2021, Edition::E2024, Edition::E2018].into_iter().filter(|&other| other != own);
        let mut first: Option<Outcome> = None;
        for edition in std::iter::once(own).chain(others) {
            let outcome =
                self.bench.compile(&self.compilers[0], edition, Emit::FunctionsAndLines, &self.bundle.text)?;
            if outcome.success {
                return Ok((edition, Compiled::read(&outcome.output)));
            }
            first.get_or_insert(outcome);
        }
        let Some(outcome) = first else { bail!("no edition to compile with") };
        self.explain(&outcome)
    }

    fn explain<T>(&self, outcome: &Outcome) -> Result<T> {
        let name = &self.program.name;
        let mut text = String::new();
        for error in outcome.errors().take(3) {
            let _ = write!(text, "\n{}", error.rendered.as_deref().unwrap_or(&error.message).trim_end());
        }
        if let Some(first) = self.bundle.proc_macros.first() {
            let line = outcome.errors().flat_map(|error| &error.spans).map(|span| span.line_start).next();
            let solution =
                self.program.crates[0].root.strip_prefix(&self.program.dir).unwrap_or(&self.program.crates[0].root);
            let inside = line.filter(|&line| line <= self.bundle.text[..self.bundle.solution_end].lines().count());
            let place = inside.map(|line| format!(" ({}:{line})", solution.display())).unwrap_or_default();
            bail!(
                "{name} needs the procedural macro {first}{place}, which runs inside the compiler and cannot be \
                 inlined; turn off the feature that brings it in, or write by hand what it generates{text}"
            );
        }
        bail!(
            "{name}: its crates do not compile as one file, which is a limit of cargo-paste; `--keep` can leave a crate out{text}"
        )
    }

    /// The bundle with as little in it as can be shown to be the same program, and remarks about that.
    fn shrink(&mut self, edition: Edition, reference: &Compiled) -> Result<(String, Vec<String>)> {
        let whole = &self.bundle.text;
        if let Ok(found) = self.shake(edition, reference, whole, &reference.lines, false)? {
            return Ok(found);
        }
        (self.progress)("writing macro calls out");
        let expanded = inline::expand(whole, self.bundle.solution_end);
        let outcome = self.bench.compile(&self.compilers[0], edition, Emit::FunctionsAndLines, &expanded)?;
        let compiled = Compiled::read(&outcome.output);
        if compiled.functions == reference.functions
            && let Ok(found) = self.shake(edition, reference, &expanded, &compiled.lines, true)?
            && found.0.len() < whole.len()
        {
            return Ok(found);
        }
        Ok(match self.shake(edition, reference, whole, &reference.lines, true)? {
            Ok(found) => found,
            Err(reason) => (whole.clone(), vec![format!("the crates are whole, for without what is unused {reason}")]),
        })
    }

    /// Shakes `text`, whose functions are on `lines`. Gives the result and remarks about it, or why there is none that
    /// can be shown to be the same program.
    fn shake(
        &mut self,
        edition: Edition,
        reference: &Compiled,
        text: &str,
        lines: &HashSet<usize>,
        carefully: bool,
    ) -> Result<Result<(String, Vec<String>), String>> {
        let (bench, compiler) = (self.bench, &self.compilers[0]);
        let nodes = Nodes::new(text, self.bundle.solution_end)?;
        let mut shaken = Shaken::new(text, &nodes, lines);
        let mut left = BUDGET;
        let mut kept = BTreeSet::new();
        let mut differs = String::new();
        for round in 0..6 {
            let progress = &mut *self.progress;
            let mut ask = |text: &str| {
                progress(&format!("shaking, {} bytes left", text.len()));
                bench.compile(compiler, edition, Emit::Unused, text)
            };
            if !shake::shake(&mut shaken, &mut ask, &mut left, if carefully { 3 } else { 1 })? {
                if !carefully {
                    return Ok(Err("it does not compile".to_owned()));
                }
                left = left.max(BUDGET / 2);
                shake::shake_carefully(&mut shaken, &mut ask, &mut left)?;
            }
            let text = shaken.render().text;
            let outcome = bench.compile(compiler, edition, Emit::FunctionsAndLines, &text)?;
            if !outcome.success {
                return Ok(Err(format!("they do not compile: {}", outcome.first_error())));
            }
            let functions = Compiled::read(&outcome.output).functions;
            if functions == reference.functions {
                let remarks = kept.iter().map(|name| format!("{name} is whole, for it resists shaking")).collect();
                return Ok(Ok((text, remarks)));
            }
            let changed: BTreeSet<String> = reference.functions.symmetric_difference(&functions).cloned().collect();
            differs = changed.first().cloned().unwrap_or_default();
            if round < 3 && shake::bring_back_functions(&mut shaken, &changed) {
                continue;
            }
            let whole = shake::keep_whole(&mut shaken, &changed);
            if whole.is_empty() {
                break;
            }
            kept.extend(whole);
        }
        Ok(Err(format!("it is another program: `{differs}` differs")))
    }

    fn refuse_outside(&self, text: &str) -> Result<()> {
        match self.bundle.outside.iter().find(|outside| text.contains(&outside.marker)) {
            Some(outside) => bail!("{}", outside.complaint),
            None => Ok(()),
        }
    }
}

fn kilobytes(bytes: usize) -> String {
    let tenths = (bytes + 50) / 100;
    if bytes >= 100_000 {
        format!("{} KB", (bytes + 500) / 1000)
    } else {
        format!("{}.{} KB", tenths / 10, tenths % 10)
    }
}

impl Paste {
    /// One line about it; everything in it was checked.
    #[must_use]
    pub fn summary(&self) -> String {
        let cost = if self.cached { "cached".to_owned() } else { format!("{} compiler calls", self.calls) };
        let mut line = format!(
            "{}: {} → {}, {cost}, {:.1} s; same {} functions; {}",
            self.name,
            kilobytes(self.before),
            kilobytes(self.text.len()),
            self.seconds,
            self.functions,
            self.range()
        );
        for note in &self.notes {
            let _ = write!(line, "; {note}");
        }
        line
    }

    /// The compilers and editions that take it.
    #[must_use]
    pub fn range(&self) -> String {
        let mut compilers: Vec<&str> = Vec::new();
        for cell in &self.cells {
            if !compilers.contains(&cell.compiler.as_str()) {
                compilers.push(&cell.compiler);
            }
        }
        let all_same = self.cells.iter().all(|cell| cell.verdict == Verdict::Same);
        if let (true, Some(oldest)) = (all_same, compilers.last()) {
            let editions = self.editions_of(&self.cells[0].compiler);
            return match compilers.len() {
                1 => format!("rustc {oldest} (no older one here to check), {editions}"),
                _ => format!("rustc {oldest}+, {editions}"),
            };
        }
        let parts: Vec<String> = compilers
            .iter()
            .map(|compiler| {
                let editions = self.editions_of(compiler);
                let refusal = self.cells.iter().filter(|cell| cell.compiler == *compiler).find_map(|cell| {
                    let reason = match &cell.verdict {
                        Verdict::Same => return None,
                        Verdict::Different(_) => "another program".to_owned(),
                        Verdict::Refused(reason) => reason.clone(),
                    };
                    Some(format!("{}: {reason}", cell.edition))
                });
                match refusal {
                    Some(refusal) => format!("rustc {compiler}: {editions} ({refusal})"),
                    None => format!("rustc {compiler}: {editions}"),
                }
            })
            .collect();
        parts.join(", ")
    }

    fn editions_of(&self, compiler: &str) -> String {
        let good: Vec<Edition> = self
            .cells
            .iter()
            .filter(|cell| cell.compiler == compiler && cell.verdict == Verdict::Same)
            .map(|cell| cell.edition)
            .collect();
        match good.as_slice() {
            [] => "no edition".to_owned(),
            [only] => format!("edition {only}"),
            [first, .., last]
                if Edition::ALL.iter().filter(|edition| (first..=last).contains(edition)).count() == good.len() =>
            {
                format!("editions {first}–{last}")
            }
            some => format!("editions {}", some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
        }
    }
}
