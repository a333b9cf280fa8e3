//! A solution as one file that a judge takes, shown to be the program that cargo builds.
//!
//! The stages are the modules, in the order the data flows: [`build`] has cargo build the binary and writes down what it
//! does, [`inline`] makes one text of the crates, [`shake`] takes out what is not needed, [`prove`] compares the result
//! with cargo's build body by body, and [`emit`] writes it down. [`cells`] says what holds on which compiler.

pub mod build;
mod cache;
pub mod cells;
pub mod check;
pub mod emit;
pub mod inline;
pub mod licence;
pub mod nodes;
pub mod prove;
pub mod reach;
pub mod recorder;
pub mod rustc;
pub mod shake;
pub mod text;
pub mod workspace;
pub mod wrapper;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use proc_macro2::Delimiter;
use serde::{Deserialize, Serialize};

use build::{Crate, Program};
use cells::{Cell, Reading, Reference, Verdict};
use emit::Emitted;
use inline::Bundle;
use nodes::{Live, Nodes};
use prove::llvm::{Code, readable};
use prove::{Comparison, Difference};
use rustc::{Bench, Compiler, Edition, Task, beside};
use shake::{Rendered, Round, Shaken};
use text::Tokens;
use workspace::Workspace;

/// Above this size, the summary says which crate takes how much.
const LARGE: usize = 32 * 1024;
/// The smallest limit of a judge that is known: that of Codeforces.
const LIMIT: usize = 64 * 1024;
/// How often crates may be written anew for the solution's edition: one mended error may uncover another.
const MOST_UPDATES: usize = 8;

/// What is said of a program with functions such as `powf`.
const INEXACT: &str = "the last digits of functions such as `powf` and `sin` may differ: Rust leaves them open, and a paste is \
                       compiled as one crate";

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Options {
    /// Crates that the judge has.
    pub keep: BTreeSet<String>,
    /// Whether to do all the work even if its result is known.
    pub fresh: bool,
    /// Whether to give the file even if it is not shown to be the same program.
    pub unproven: bool,
    /// About how many seconds the work may take after cargo's build.
    pub seconds: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { keep: BTreeSet::new(), fresh: false, unproven: false, seconds: 60 }
    }
}

/// A crate's share of a paste.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Part {
    /// The package.
    pub name: String,
    /// Its version.
    pub version: String,
    /// How much of the paste it is.
    pub bytes: usize,
}

/// A stage of the work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Stage {
    /// What was done.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
}

/// A finished paste and what is known about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Paste {
    /// The binary.
    pub name: String,
    /// The file.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub text: String,
    /// Its size.
    pub bytes: usize,
    /// The size of the solution and all crates before anything was taken out.
    pub before: usize,
    /// How many functions were compared with cargo's build.
    pub functions: usize,
    /// Whether all of them are the same, on the current compiler in the solution's own edition.
    pub proven: bool,
    /// What is known on each compiler in each edition.
    pub cells: Vec<Cell>,
    /// The crates in it.
    pub crates: Vec<Part>,
    /// Whether the time was up before all was tried.
    pub late: bool,
    /// What a user should know besides.
    pub notes: Vec<String>,
    /// How long each stage took.
    pub stages: Vec<Stage>,
    /// How often a compiler was called, cargo's build aside.
    pub calls: usize,
    /// How long all of it took.
    pub seconds: f64,
    /// Whether the result was known already.
    pub cached: bool,
}

/// Why there is no paste.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refusal {
    /// One sentence that says what, where, and what to do.
    pub message: String,
    /// Whether there is a file that compiles but was not shown to be the same program.
    pub unproven: bool,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// What comes of a job. The cache remembers it.
pub(crate) type Outcome = Result<Paste, Refusal>;

/// A program on its way to a paste.
pub struct Job {
    /// What cargo built.
    pub program: Program,
    /// The compilers on this machine, the current one first.
    pub compilers: Vec<Compiler>,
    /// Where pastes are compiled.
    pub bench: Bench,
    options: Options,
    start: Instant,
    /// When cargo's build was ready. The time limit counts from then on.
    built: Instant,
    stages: Vec<Stage>,
}

/// Called with a few words on what is being done.
pub type Progress<'p> = &'p mut dyn FnMut(&str);

impl Job {
    /// Has cargo build the binary `name`.
    ///
    /// # Errors
    /// Fails if there is no such binary, or with the compiler's own message if it does not compile.
    pub fn new(workspace: &Workspace, name: &str, options: &Options, progress: Progress<'_>) -> Result<Self> {
        let start = Instant::now();
        progress("building with cargo");
        let binary = workspace.find(name)?;
        let current = Compiler::current()?;
        let (compilers, program) = beside(
            // The other compilers are not asked where the judge has to have crates.
            || if options.keep.is_empty() { Compiler::all() } else { Ok(vec![current.clone()]) },
            || Program::build(workspace, binary, &current),
        );
        let (compilers, program) = (compilers?, program?);
        let libraries = program.libraries(&options.keep)?;
        let bench = Bench::new(&program.target_dir, &program.binary.name, libraries, program.variables())?;
        let stages = vec![Stage { name: "cargo".to_owned(), seconds: start.elapsed().as_secs_f64() }];
        Ok(Self { program, compilers, bench, options: options.clone(), start, built: Instant::now(), stages })
    }

    /// Pastes the program.
    ///
    /// # Errors
    /// Fails with a [`Refusal`] that says what cannot be pasted, where it is and what to do about it.
    pub fn paste(&mut self, progress: Progress<'_>) -> Result<Paste> {
        let name = self.program.binary.name.clone();
        let key = cache::key(&self.program, &self.options, &self.compilers);
        let target = self.program.target_dir.clone();
        let known = cache::read(&target, &name, &self.options, &key).filter(|_| !self.options.fresh);
        let cached = known.is_some();
        let outcome = if let Some(known) = known {
            known
        } else {
            self.bench.deadline = Some(self.built + self.limit().max(LEAST));
            let made = self.make(progress);
            self.bench.deadline = None;
            let outcome = match made {
                Ok(paste) => Ok(paste),
                Err(error) => Err(error.downcast::<Refusal>()?),
            };
            // With more time there may be a paste, or a smaller one, so this outcome is not kept.
            if !outcome.as_ref().map_or_else(|_| self.is_late(), |paste| paste.late) {
                cache::write(&target, &name, &self.options, &key, &outcome);
            }
            outcome
        };
        let mut paste = outcome?;
        paste.seconds = self.start.elapsed().as_secs_f64();
        paste.cached = cached;
        Ok(paste)
    }

    fn stage<T>(
        &mut self,
        name: &str,
        progress: Progress<'_>,
        work: impl FnOnce(&mut Self, Progress<'_>) -> Result<T>,
    ) -> Result<T> {
        progress(name);
        let start = Instant::now();
        let result = work(self, progress)?;
        self.stages.push(Stage { name: name.to_owned(), seconds: start.elapsed().as_secs_f64() });
        Ok(result)
    }

    fn make(&mut self, progress: Progress<'_>) -> Result<Paste> {
        let bundle = self.stage("inlining", progress, |job, _| {
            inline::inline(&job.program, &job.compilers[0].cfgs()?, &job.options.keep)
        })?;
        // A crate that nothing names is not even read by the compiler.
        self.program.only_named(&bundle.named);
        let links = |&index: &usize| self.program.crates[index].links.first().map(|link| (index, link));
        if let Some((index, link)) = bundle.named.iter().find_map(links) {
            let message = format!(
                "{}: the build script of {} links `{link}`, which a judge does not have",
                self.program.binary.name, self.program.crates[index].package
            );
            return Err(refusal(message, false));
        }
        self.refuse_twins(&bundle)?;
        // If only `dbg!` asks for the name of the file, the paste is compiled under the name that the file has in cargo's
        // build.
        let own = self.program.own_file().filter(|own| {
            let text = &bundle.text.text;
            prove::wording::prints_own_file_on_stderr(text) && !text.contains(*own)
        });
        if let Some(own) = own {
            own.clone_into(&mut self.bench.file);
        }
        let code = self.program.code()?;
        let files = self.program.files(0..self.program.crates.len());
        let kept = self.program.kept(&self.options.keep)?;
        let reference = Reference {
            code: Code::read(code.iter().map(String::as_str), &files),
            kept: kept.iter().map(|&index| code[index].as_str()).collect(),
            kept_files: self.program.files(kept),
        };
        if reference.code.says(&self.program.folder) {
            let name = &self.program.binary.name;
            let message = "it contains the name of the folder that it is built in, for example from `OUT_DIR`; a judge builds it in another";
            return Err(refusal(format!("{name}: {message}"), false));
        }
        let found = self.search(&bundle, &reference, progress)?;
        if let Some(outside) = bundle.outside.iter().find(|outside| found.text.contains(&outside.marker)) {
            return Err(refusal(outside.complaint.clone(), false));
        }
        // Cargo names the folders of all build scripts, but only what is linked has to be in one of them.
        let mut searches = bundle.named.iter().flat_map(|&index| &self.program.crates[index].searches);
        if let (Some(search), Some(link)) = (searches.next(), linked(&found.text)) {
            let name = &self.program.binary.name;
            let message =
                format!("{name}: it links `{link}` and looks for it in `{search}`, which a judge does not have");
            return Err(refusal(message, false));
        }
        self.finish(&bundle, &reference, found, progress)
    }

    /// A crate that is in the paste must not be below a kept one, too: then it would be in the program twice.
    fn refuse_twins(&self, bundle: &Bundle) -> Result<()> {
        let mut below: Vec<usize> = self.program.kept(&self.options.keep)?;
        let mut next = 0;
        while let Some(&index) = below.get(next) {
            next += 1;
            for &(twin, _) in &bundle.modules {
                if self.program.crates[index].dependencies.values().any(|&found| found == twin) {
                    let (kept, twin) = (&self.program.crates[index].package, &self.program.crates[twin].package);
                    let message = format!(
                        "{}: `{kept}` uses `{twin}`, which would be in the program twice; --keep {twin} as well, if the \
                         judge has it",
                        self.program.binary.name
                    );
                    return Err(refusal(message, false));
                }
            }
            let more = self.program.crates[index].dependencies.values().copied();
            let more: Vec<usize> = more.filter(|found| !below.contains(found)).collect();
            below.extend(more);
        }
        Ok(())
    }

    /// Looks for a small text. Often little of what a macro makes is used, and that little is smaller than the macro.
    /// So calls of macros are written out first. If that does not give the same program, the macros stay.
    fn search(&mut self, bundle: &Bundle, reference: &Reference<'_>, progress: Progress<'_>) -> Result<Found> {
        let written = self.stage("writing out macros", progress, |_, _| Ok(bundle.with_calls_written_out()))?;
        let Some(written) = written else { return Search::new(bundle, reference).run(self, progress) };
        let first = Search { macros_written_out: true, ..Search::new(&written, reference) }.run(self, progress);
        if let Ok(found) = &first
            && (found.comparison.differences.is_empty() || found.comparison.hopeless().is_some())
        {
            return first;
        }
        if self.is_late() && first.is_ok() {
            return first;
        }
        let second = Search::new(bundle, reference).run(self, progress);
        match (first, second) {
            (_, Ok(second)) if second.comparison.differences.is_empty() => Ok(second),
            // What compiles says more about what is wrong.
            (Ok(first), _) => Ok(first),
            (_, second) => second,
        }
    }

    /// Whether it is time to prove what there is. The last third of the time is for that and for the other compilers.
    fn is_late(&self) -> bool {
        self.built.elapsed() > self.limit() * 2 / 3
    }

    /// How long it may take after cargo's build, as far as the user says.
    fn limit(&self) -> Duration {
        Duration::from_secs(self.options.seconds)
    }

    /// Why there is nothing when the time is up.
    fn time_is_up(&self) -> anyhow::Error {
        let name = &self.program.binary.name;
        refusal(format!("{name}: the time was up; --seconds gives it more, and --keep leaves a crate out"), false)
    }

    /// Asks the other compilers and editions, and puts it all together.
    fn finish(
        &mut self,
        bundle: &Bundle,
        reference: &Reference<'_>,
        found: Found,
        progress: Progress<'_>,
    ) -> Result<Paste> {
        let Found { late, mut text, comparison, mut readings, mut notes, parts } = found;
        let proven = comparison.differences.is_empty();
        if !proven && !self.options.unproven {
            let hint = if late { "; the time was up, and --seconds gives it more" } else { "" };
            return Err(refusal(self.unproven(&comparison) + hint, true));
        }
        let known: BTreeSet<Edition> = readings.iter().map(|reading| reading.edition).collect();
        let rest: Vec<Edition> =
            self.compilers[0].editions().iter().copied().filter(|edition| !known.contains(edition)).collect();
        let cells = self.stage("asking other editions and compilers", progress, |job, _| {
            readings.extend(Reading::all(&job.bench, &job.compilers[0], &rest, &text)?);
            readings.sort_by_key(|reading| reading.edition);
            cells::judge(&job.bench, &job.program, &job.compilers, reference, readings, &text, &mut notes)
        })?;
        if !proven {
            text.insert_str(
                0,
                "// NOT PROVEN: cargo-paste could not show that this is the program that cargo builds.\n",
            );
        }
        if !self.program.left_out.is_empty() {
            notes.push(format!(
                "settings of the profile or of rustflags do not come along, since a judge does not have them: {}",
                self.program.left_out.join(", ")
            ));
        }
        if self.bench.has_own_name() {
            notes.push("`dbg!` is left in the solution; it prints on stderr, which takes time".to_owned());
        }
        if !bundle.modules.is_empty() && reference.code.is_inexact() {
            notes.push(INEXACT.to_owned());
        }
        let kept: Vec<String> = self
            .program
            .kept(&self.options.keep)?
            .into_iter()
            .filter(|index| self.program.named.contains(index))
            .map(|index| format!("{} {}", self.program.crates[index].package, self.program.crates[index].version))
            .collect();
        if !kept.is_empty() {
            let message = "it uses crates of the judge; here it was compiled with";
            notes.push(format!("{message} {}, and whether other versions do the same is not known", kept.join(", ")));
        }
        Ok(Paste {
            name: self.program.binary.name.clone(),
            bytes: text.len(),
            before: bundle.before,
            functions: comparison.functions,
            proven,
            cells,
            crates: parts,
            late,
            notes,
            stages: self.stages.clone(),
            calls: self.bench.calls(),
            seconds: 0.0,
            cached: false,
            text,
        })
    }

    /// The crates of an older edition than the solution's.
    fn older(&self) -> impl Iterator<Item = &Crate> {
        self.program.crates.iter().filter(|krate| krate.edition < self.program.edition())
    }

    fn unproven(&self, comparison: &Comparison) -> String {
        let differences = &comparison.differences;
        let mut names: Vec<String> = differences
            .iter()
            .take(3)
            .map(|difference| match &difference.place {
                // The source of the standard library may not be on this machine.
                Some((file, line)) if file.is_file() => {
                    let file = file.strip_prefix(&self.program.binary.dir).unwrap_or(file);
                    format!("`{}` ({}:{line})", difference.function, file.display())
                }
                _ if difference.reason.is_some() => difference.function.clone(),
                _ => format!("`{}`", difference.function),
            })
            .collect();
        if differences.len() > names.len() {
            names.push(format!("{} more", differences.len() - names.len()));
        }
        let reason = match comparison.hopeless() {
            Some(reason) => format!("since {reason}"),
            None => format!("perhaps because {}", self.likely_reason(differences)),
        };
        format!(
            "{}: not pasted: {} {} not the same as in cargo's build, {reason}; --unproven prints the file anyway",
            self.program.binary.name,
            names.join(", "),
            if differences.len() == 1 { "is" } else { "are" },
        )
    }

    fn likely_reason(&self, differences: &BTreeSet<Difference>) -> String {
        let of_ids = |name: &str| name.contains("core::any::Any") || name.contains("core::any::TypeId");
        if differences.iter().any(|difference| of_ids(&difference.function)) {
            return "a `TypeId` is hashed, ordered or printed, and it is another number in a paste".to_owned();
        }
        let own = self.program.edition();
        let places = differences.iter().filter_map(|difference| difference.place.as_ref());
        let mut crates = places
            .filter_map(|(file, _)| self.program.crates.iter().find(|krate| krate.sources().any(|one| one == *file)));
        match crates.find(|krate| krate.edition != own) {
            Some(krate) => format!("crate {} is edition {} and the solution {own}", krate.package, krate.edition),
            None if self.asks_for_itself() => "the code asks for its own file, line, module or type".to_owned(),
            None => "cargo-paste put the crates together in a wrong way, which is a limit of the tool".to_owned(),
        }
    }

    /// Whether some source asks for what is not the same in a paste.
    fn asks_for_itself(&self) -> bool {
        let words = ["file!", "line!", "column!", "module_path!", "type_name", "Location", "dbg!", "caller"];
        let named = self.program.named.iter().flat_map(|&index| self.program.crates[index].sources());
        let texts = named.filter_map(|file| std::fs::read_to_string(file).ok());
        texts.into_iter().any(|text| words.iter().any(|word| text.contains(word)))
    }
}

/// What the first `#[link(name = "…")]` names, in a macro's body too.
fn linked(text: &str) -> Option<String> {
    let tokens = Tokens::new(text, text.parse().ok()?);
    let name_in = |at: usize| {
        let close = tokens.group(at + 1, Delimiter::Parenthesis).filter(|_| tokens.text(at) == "link")?;
        (at + 2..close).find(|&at| tokens.text(at) == "name" && tokens.is(at + 1, '='))
    };
    (0..tokens.list.len()).find_map(name_in).map(|at| tokens.text(at + 2).trim_matches('"').to_owned())
}

fn refusal(message: String, unproven: bool) -> anyhow::Error {
    anyhow!(Refusal { message, unproven })
}

/// The smallest text that was found.
struct Found {
    late: bool,
    text: String,
    comparison: Comparison,
    readings: Vec<Reading>,
    notes: Vec<String>,
    parts: Vec<Part>,
}

/// A text on trial.
struct Tried {
    emitted: Emitted,
    /// What came of comparing it; nothing if it does not compile in the solution's own edition.
    comparison: Option<Comparison>,
    readings: Vec<Reading>,
}

/// The functions of cargo's build, found again in the bundle.
struct LiveLines<'a> {
    bundle: &'a Bundle,
    /// For each line, the words in the name of each function that starts there.
    lines: HashMap<(PathBuf, usize), Vec<HashSet<String>>>,
    impls: HashSet<(String, String)>,
}

impl<'a> LiveLines<'a> {
    fn new(bundle: &'a Bundle, code: &Code<'_>) -> Self {
        let mut live = Self { bundle, lines: HashMap::new(), impls: HashSet::new() };
        let mut real: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for symbol in code.reached() {
            if code.kind(symbol) != prove::llvm::Kind::Function {
                continue;
            }
            let name = readable(symbol.name);
            live.impls.extend(implemented(&name));
            if let Some((file, line)) = code.place(symbol) {
                let known = real.entry(file.clone()).or_insert_with(|| file.canonicalize().unwrap_or(file));
                live.lines.entry((known.clone(), line)).or_default().push(shake::words(&name));
            }
        }
        live
    }

    /// The words in the names of the functions that start in these bytes, line by line; nothing if it is not known
    /// where the bytes come from.
    fn names(&self, range: Range<usize>) -> Option<impl Iterator<Item = &Vec<HashSet<String>>>> {
        let (file, first) = self.bundle.place(range.start)?;
        let (_, last) = self.bundle.place(range.end.saturating_sub(1))?;
        let file = file.to_owned();
        Some((first..=last).filter_map(move |line| self.lines.get(&(file.clone(), line))))
    }
}

impl Live for LiveLines<'_> {
    fn in_bytes(&self, range: Range<usize>) -> bool {
        // What a procedural macro produced may be alive.
        let Some(mut names) = self.names(range.clone()) else { return self.bundle.is_produced(range.start) };
        names.next().is_some()
    }

    fn words_in(&self, range: Range<usize>) -> HashSet<String> {
        self.names(range).into_iter().flatten().flatten().flatten().cloned().collect()
    }

    fn function(&self, range: Range<usize>, names: &[String]) -> bool {
        let ends = [range.start, range.end.saturating_sub(1)];
        if !ends.iter().any(|&place| self.bundle.is_in_macro(place)) {
            return self.in_bytes(range);
        }
        // The function's first word may come from the macro and its name from the call.
        let places = ends.iter().filter_map(|&place| self.bundle.place(place));
        let mut found = places.filter_map(|(file, line)| self.lines.get(&(file.to_owned(), line))).flatten();
        found.any(|known| names.iter().all(|name| known.contains(name)))
    }

    fn in_impl(&self, of_type: &str, of_trait: &str) -> bool {
        self.impls.contains(&(of_type.to_owned(), of_trait.to_owned()))
    }
}

/// The type and the trait of `<a::Type<X> as b::Trait<Y>>::method`: here `Type` and `Trait`.
fn implemented(name: &str) -> Option<(String, String)> {
    let inside = name.strip_prefix('<')?;
    let mut depth = 0_usize;
    let mut at = None;
    for (place, letter) in inside.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if !inside[..place].ends_with('-') => depth = depth.checked_sub(1)?,
            ' ' if depth == 0 && inside[place..].starts_with(" as ") => {
                at = Some(place);
                break;
            }
            _ => {}
        }
    }
    let at = at?;
    let own = |path: &str| {
        let path = path.trim_start_matches(['&', '*', ' ']);
        let path = path.split(['<', '>']).next().unwrap_or(path);
        path.rsplit("::").next().unwrap_or(path).to_owned()
    };
    Some((own(&inside[..at]), own(&inside[at + 4..])))
}

/// So long the compilers may take in any case.
const LEAST: Duration = Duration::from_secs(10);

/// The search for the smallest text that is still the same program.
struct Search<'s, 't> {
    bundle: &'s Bundle,
    reference: &'s Reference<'t>,
    /// How often crates were written anew for the solution's edition.
    updates: usize,
    /// Whether `if let` became `match` in them, too.
    matched: bool,
    /// Whether calls of macros are written out in the bundle.
    macros_written_out: bool,
}

impl<'s, 't> Search<'s, 't> {
    fn new(bundle: &'s Bundle, reference: &'s Reference<'t>) -> Self {
        Self { bundle, reference, updates: 0, matched: false, macros_written_out: false }
    }

    fn run(&self, job: &mut Job, progress: Progress<'_>) -> Result<Found> {
        let live = LiveLines::new(self.bundle, &self.reference.code);
        let text = &self.bundle.text.text;
        let nodes = Nodes::new(text, self.bundle.solution_end, &live)?;
        let mut shaken = Shaken::new(text, &nodes);
        let mut kept = BTreeSet::new();
        let mut late = false;
        for attempt in 0.. {
            let settled = job.stage("shaking", progress, |job, progress| self.settle(job, &mut shaken, progress))?;
            match settled {
                Settled::Stuck(error) => return Err(self.explain(job, error.as_ref())),
                Settled::Older(edits) => {
                    let bundle = self.bundle.edited(edits);
                    return Search { bundle: &bundle, updates: self.updates + 1, ..*self }.run(job, progress);
                }
                // Nothing compiled in time. So this search ends. The next one keeps everything, and the macros as they are.
                Settled::Late(false) if self.macros_written_out => {
                    return Err(job.time_is_up());
                }
                Settled::Late(_) => late = true,
                Settled::Done => {}
            }
            let tried = job.stage("proving", progress, |job, _| self.prove(job, &shaken.render().text))?;
            let Some(comparison) = tried.comparison else {
                if job.built.elapsed() > job.limit().max(LEAST) {
                    return Err(job.time_is_up());
                }
                let own = tried.readings.iter().find(|reading| reading.edition == job.program.edition());
                // Emitting moves everything but the solution, and that too if something is put above it.
                let above = tried.emitted.text.find(&self.bundle.text.text[..self.bundle.solution_end]);
                let origin = |place: usize| {
                    let place = place.checked_sub(above.unwrap_or(0))?;
                    Some(place).filter(|&place| place < self.bundle.solution_end)
                };
                let error = own.and_then(|reading| Fault::first(reading.outcome(), origin));
                return Err(self.explain(job, error.as_ref()));
            };
            let differences = &comparison.differences;
            if let Some(bundle) = self.with_matches(job, differences).filter(|_| !late) {
                return Search { bundle: &bundle, matched: true, ..*self }.run(job, progress);
            }
            // What the paste lacks comes back: first what the functions that differ name, then their crates, then all.
            // When the time is up, it is left at that.
            let again = !differences.is_empty()
                && !late
                && comparison.hopeless().is_none()
                && (attempt < 4 && shaken.bring_back_functions(differences) || {
                    let mut whole = shaken.keep_whole(differences);
                    if whole.is_empty() && kept.len() < self.bundle.modules.len() {
                        whole = self.bundle.modules.iter().map(|(_, name)| name.clone()).collect();
                        shaken.give_up();
                    }
                    let more = !whole.is_subset(&kept);
                    kept.extend(whole);
                    more
                });
            if !again {
                let Emitted { text: written, parts, warnings } = tried.emitted;
                return Ok(Found {
                    late,
                    text: written,
                    comparison,
                    readings: tried.readings,
                    notes: remarks(&kept, late, &parts, warnings),
                    parts,
                });
            }
        }
        unreachable!("the last attempt returns")
    }

    /// Shakes until nothing is left to take out, or the time is up.
    fn settle(&self, job: &Job, shaken: &mut Shaken<'_>, progress: Progress<'_>) -> Result<Settled> {
        let edition = job.program.edition().max(Edition::E2018);
        let mut good: Option<Shaken<'_>> = None;
        let mut last = None;
        let mut updates = Vec::new();
        loop {
            if job.is_late() {
                let compiled = good.is_some();
                match good {
                    Some(good) => *shaken = good,
                    None => shaken.give_up(),
                }
                shaken.sweep();
                return Ok(Settled::Late(compiled));
            }
            let before = shaken.clone();
            let mut ask = |rendered: &Rendered| {
                progress(&format!("shaking, {} left", kilobytes(rendered.text.len())));
                let outcome = job.bench.compile(&job.compilers[0], edition, Task::Unused, &rendered.text)?;
                last = Fault::first(&outcome, |place| Some(rendered.origin(place)));
                updates = self.updates_in(job, &outcome, rendered);
                Ok(outcome)
            };
            let round = shaken.round(&mut ask)?;
            if !updates.is_empty() && self.updates < MOST_UPDATES {
                return Ok(Settled::Older(updates));
            }
            match round {
                Round::Settled => return Ok(Settled::Done),
                Round::Stuck => return Ok(Settled::Stuck(last)),
                Round::Smaller => good = Some(before),
                // Such a bold guess brings back nearly everything. The last text that compiled has less in it.
                Round::Repaired(boldness) if boldness > shake::BOLD && good.is_some() => {
                    *shaken = good.unwrap_or(before);
                    shaken.sweep();
                    return Ok(Settled::Done);
                }
                Round::Repaired(_) => {}
            }
        }
    }

    /// The crate of an older edition than the solution's that byte `place` of the bundle is in.
    fn older<'j>(&self, job: &'j Job, place: usize) -> Option<&'j Crate> {
        if place < self.bundle.solution_end {
            return None;
        }
        // What was put in, such as the start of a path, comes from no file, but what follows it does.
        let (file, _) = (place..self.bundle.text.text.len()).find_map(|place| self.bundle.place(place))?;
        job.older().find(|krate| file.starts_with(&krate.dir))
    }

    /// The bundle with `match` in place of `if let` in the crates of an older edition where something differs.
    fn with_matches(&self, job: &Job, differences: &BTreeSet<Difference>) -> Option<Bundle> {
        if self.matched || job.program.edition() < Edition::E2024 {
            return None;
        }
        let files = differences.iter().filter_map(|difference| difference.place.as_ref());
        let differing: BTreeSet<&Path> = files
            .filter_map(|(file, _)| job.older().find(|krate| file.starts_with(&krate.dir)))
            .map(|krate| krate.dir.as_path())
            .collect();
        let wanted = |place: usize| self.older(job, place).is_some_and(|krate| differing.contains(krate.dir.as_path()));
        self.bundle.with_matches(&wanted).filter(|_| !differing.is_empty())
    }

    /// What to change in crates of an older edition than the solution's, where there is no doubt what to write.
    fn updates_in(&self, job: &Job, outcome: &rustc::Outcome, rendered: &Rendered) -> Vec<Edit> {
        // Errors that come from the edition alone have no code, or are E0782 or E0783. But E0782 before `::` only means that
        // the trait lacks the member that the path names.
        let goes_on = |error: &rustc::Diagnostic| {
            let end = error.primary().map(|span| span.byte_end);
            end.and_then(|end| rendered.text.get(end..)).is_some_and(|rest| rest.starts_with("::"))
        };
        let by_edition = |error: &&rustc::Diagnostic| match error.name() {
            "E0782" => !goes_on(error),
            name => matches!(name, "" | "E0783"),
        };
        let mut edits = BTreeSet::new();
        for error in outcome.errors().filter(by_edition) {
            let mut remedy = error.remedy();
            // Since 2024 a block of foreign functions has to be `unsafe`, and the compiler offers no remedy.
            let start = error.primary().filter(|span| span.file_name == outcome.file).map(|span| span.byte_start);
            if let (true, Some(start)) = (remedy.is_empty(), start)
                && rendered.text[start..].starts_with("extern ")
            {
                remedy.push((start..start, "unsafe "));
            }
            let remedy = remedy.into_iter().map(|(range, with)| {
                let start = rendered.origin(range.start);
                (start, start + range.len(), with.to_owned())
            });
            let remedy: Vec<(usize, usize, String)> = remedy.collect();
            if remedy.iter().all(|(start, _, _)| self.older(job, *start).is_some()) {
                edits.extend(remedy);
            }
        }
        edits.into_iter().map(|(start, end, with)| (start..end, with)).collect()
    }

    /// Writes a shaken text down and compares it with cargo's build.
    fn prove(&self, job: &Job, shaken: &str) -> Result<Tried> {
        let own = job.program.edition();
        let editions = job.program.editions();
        let known = job.compilers[0].editions();
        // Older and newer editions are compared by way of 2018 and 2021.
        let older = editions.first().is_some_and(|edition| *edition < Edition::E2021);
        let needed = |edition: &Edition| {
            editions.contains(edition) || *edition == Edition::E2021 || older && *edition == Edition::E2018
        };
        let (wanted, rest): (Vec<Edition>, Vec<Edition>) = known.iter().partition(|edition| needed(edition));
        let mut allowed = emit::Allowed::default();
        loop {
            let emitted = emit::emit(&job.program, self.bundle, shaken, &allowed)?;
            let mut readings = Reading::all(&job.bench, &job.compilers[0], &wanted, &emitted.text)?;
            let mut comparison = self.reference.compare(&readings, own, &editions);
            let differs = comparison.as_ref().is_some_and(|found| !found.differences.is_empty());
            if let (true, Some(whole)) = (differs, Reading::with_whole_captures(&readings, &emitted.text)) {
                Reading::add_whole(&mut readings, &job.bench, &job.compilers[0], Some(&whole))?;
                comparison = self.reference.compare(&readings, own, &editions);
            }
            if comparison.as_ref().is_some_and(|found| found.differences.is_empty()) {
                readings.extend(Reading::all(&job.bench, &job.compilers[0], &rest, &emitted.text)?);
            }
            // Cargo lets no lint stop a crate from a registry, and any other crate may switch a lint off for itself.
            let lints: BTreeSet<String> = readings.iter().flat_map(|reading| reading.outcome().forbidden()).collect();
            let known = lints.is_subset(&allowed.lints);
            if lints.is_empty() || known && allowed.everywhere {
                return Ok(Tried { emitted, comparison, readings });
            }
            allowed.everywhere |= known;
            allowed.lints.extend(lints);
        }
    }

    /// Why there is no file that compiles: the reason if it is known, or else the place of the first error.
    fn explain(&self, job: &Job, error: Option<&Fault>) -> anyhow::Error {
        let name = &job.program.binary.name;
        if let Some(first) = self.bundle.macros_left.first() {
            return refusal(format!("{name}: {first}"), false);
        }
        let place = error.and_then(|fault| self.bundle.place(fault.place?));
        let at = place.map_or(String::new(), |(file, line)| {
            let file = file.strip_prefix(&job.program.binary.dir).unwrap_or(file);
            format!(" at {}:{line}", file.display())
        });
        // An unknown macro is an error without a code.
        let nameless = error.is_some_and(|fault| fault.code.is_empty());
        // So is a file or a variable that is not there.
        if let (true, Some(first)) = (nameless, self.bundle.unread.first()) {
            return refusal(format!("{name}: {first}"), false);
        }
        let word = error.and_then(|fault| Some(shake::word_at(&self.bundle.text.text, fault.place?)));
        let is_macro = |word: &str| job.program.crates.iter().any(|krate| krate.macros.contains(word));
        if nameless && word.is_some_and(is_macro) {
            return refusal(
                format!(
                    "{name}: what a procedural macro makes{at} could not be written out; try rustc 1.88 or newer, or \
                     write it by hand"
                ),
                false,
            );
        }
        let code =
            error.filter(|fault| !fault.code.is_empty()).map_or(String::new(), |fault| format!(" {}", fault.code));
        refusal(
            format!(
                "{name}: its crates do not compile as one file: error{code}{at}; this is a limit of cargo-paste, and \
                 `--keep` can leave a crate out"
            ),
            false,
        )
    }
}

/// An error in a text that should compile.
struct Fault {
    /// Such as `E0277`, or nothing.
    code: String,
    /// The byte of the bundle that it is about, as far as it is known.
    place: Option<usize>,
}

impl Fault {
    /// The first error of `outcome`. `origin` knows which byte of the bundle a byte of the text comes from.
    fn first(outcome: &rustc::Outcome, origin: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let error = outcome.errors().next()?;
        let place = error.primary().and_then(|span| origin(span.call_site().byte_start));
        Some(Self { code: error.name().to_owned(), place })
    }
}

/// What a user should know about what is still in a paste.
fn remarks(kept: &BTreeSet<String>, late: bool, parts: &[Part], warnings: Vec<String>) -> Vec<String> {
    let sizes = |wanted: &dyn Fn(&str) -> bool| -> Vec<String> {
        let parts = parts.iter().filter(|part| wanted(&part.name));
        parts.map(|part| format!("{} ({})", part.name, kilobytes(part.bytes))).collect()
    };
    let mut notes = warnings;
    let module = |name: &str| kept.contains(&name.replace('-', "_"));
    let whole = sizes(&module);
    if !whole.is_empty() {
        notes
            .push(format!("kept all of {}: could not prove that the program is the same without it", whole.join(", ")));
    }
    if late {
        notes.push(format!(
            "the time was up, so parts that are not used may still be in it: {}",
            sizes(&|_| true).join(", ")
        ));
    }
    notes
}

/// Bytes of the bundle, and what should stand there instead.
type Edit = (Range<usize>, String);

enum Settled {
    /// It compiles, and nothing more will be taken out.
    Done,
    /// The time was up before everything unused was found. Says whether anything compiled before that.
    Late(bool),
    /// It does not compile, and this is the first error.
    Stuck(Option<Fault>),
    /// A crate has to be written anew for the solution's edition, in this way.
    Older(Vec<Edit>),
}

/// A size as people read it: 13 303 bytes are 13.3 KB.
#[must_use]
pub fn kilobytes(bytes: usize) -> String {
    let tenths = (bytes + 50) / 100;
    if bytes >= 100_000 {
        format!("{} KB", (bytes + 500) / 1000)
    } else {
        format!("{}.{} KB", tenths / 10, tenths % 10)
    }
}

impl Paste {
    /// What was done and what holds, a line per compiler.
    #[must_use]
    pub fn summary(&self) -> String {
        let cost = if self.cached { "from the cache".to_owned() } else { format!("{} compiler calls", self.calls) };
        let proof = if self.proven {
            format!("all {} functions are the same as in cargo's build", self.functions)
        } else {
            "NOT PROVEN to be the same as cargo's build".to_owned()
        };
        let mut text = format!(
            "{}: {} → {} in {:.1} s ({cost}); {proof}",
            self.name,
            kilobytes(self.before),
            kilobytes(self.bytes),
            self.seconds
        );
        let mut compilers: Vec<&str> = self.cells.iter().map(|cell| cell.compiler.as_str()).collect();
        compilers.dedup();
        for compiler in compilers {
            let _ = write!(text, "\n  rustc {compiler}: {}", self.range(compiler));
        }
        if self.bytes > LARGE {
            let shares: Vec<String> =
                self.crates.iter().map(|part| format!("{} {}", part.name, kilobytes(part.bytes))).collect();
            let _ = write!(text, "\n  of that: {}", shares.join(", "));
        }
        let most = self.crates.iter().max_by_key(|part| part.bytes);
        if let (true, Some(most)) = (self.bytes > LIMIT, most) {
            let _ = write!(
                text,
                "\n  warning: some judges take no more than {}; most of it is {}, and --keep {} leaves that out where the \
                 judge has it",
                kilobytes(LIMIT),
                most.name,
                most.name
            );
        }
        for note in &self.notes {
            let _ = write!(text, "\n  note: {note}");
        }
        text
    }

    /// What is known on one compiler: each verdict with its editions, and the reason where the verdict is not `same`.
    #[must_use]
    pub fn range(&self, compiler: &str) -> String {
        let mut groups: Vec<(Verdict, &str, Vec<&str>)> = Vec::new();
        for cell in self.cells.iter().filter(|cell| cell.compiler == compiler) {
            let reason = if cell.verdict == Verdict::Same { "" } else { cell.reason.as_str() };
            // For another compiler, only say what was tried, also where another edition was tried in its place.
            let reason = match (cell.verdict, reason.split_once(": ")) {
                (Verdict::Tested, Some((bodies, tried))) if bodies.starts_with("has the bodies of") => tried,
                (Verdict::Tested, _) => reason.strip_prefix("another compiler; ").unwrap_or(reason),
                _ => reason,
            };
            match groups.iter_mut().find(|(verdict, known, _)| *verdict == cell.verdict && *known == reason) {
                Some((_, _, editions)) => editions.push(cell.edition.year()),
                None => groups.push((cell.verdict, reason, vec![cell.edition.year()])),
            }
        }
        let parts: Vec<String> = groups
            .into_iter()
            .map(|(verdict, reason, editions)| {
                let word = format!("{verdict:?}").to_lowercase();
                let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
                format!("{word} in edition {}{reason}", editions.join(", "))
            })
            .collect();
        parts.join("; ")
    }
}
