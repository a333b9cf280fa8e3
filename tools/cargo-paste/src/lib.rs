//! A solution as one file that a judge takes, shown to be the program that cargo builds.
//!
//! The stages are the modules, in the order the data flows: [`build`] has cargo build the binary and writes down what
//! it does, [`inline`] makes one text of the crates, [`shake`] takes out what is not needed, [`emit`] writes the text
//! in its final form, and [`prove`] compares that with cargo's build, body by body. [`cells`] says what holds on which
//! compiler.

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
mod search;
pub mod shake;
pub mod text;
pub mod workspace;
pub mod wrapper;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use proc_macro2::Delimiter;
use serde::{Deserialize, Serialize};

use build::{Crate, Program};
use cells::{Cell, Reading, Reference, Verdict};
use inline::Bundle;
use prove::llvm::Code;
use prove::{Comparison, Difference};
use rustc::{Bench, Compiler, Edition, Newest, beside};
use text::{Tokens, plain};
use workspace::Workspace;

/// Above this size, the summary says which crate takes how much.
const LARGE: usize = 32 * 1024;
/// Codeforces takes no larger file.
const LIMIT: usize = 64 * 1024;
/// The compilers get at least this long.
const LEAST: Duration = Duration::from_secs(10);

/// What is said of a program with functions such as `powf`.
const INEXACT: &str = "the last digits of functions such as `powf` and `sin` may differ: Rust leaves them open, and a paste is \
                       compiled as one crate";

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Options {
    /// Crates that the judge has.
    pub keep: BTreeSet<String>,
    /// Whether to build one's own packages again, and to do the work after that even if its result is known.
    pub fresh: bool,
    /// Whether to give the file even if it is not shown to be the same program.
    pub unproven: bool,
    /// About how many seconds the work may take after cargo's build.
    pub seconds: u64,
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
    /// The size of the solution and of all crates that it names, directly or through others. Comments in crates, tests,
    /// and what a `cfg` leaves out do not count.
    pub before: usize,
    /// How many functions were compared with cargo's build.
    pub functions: usize,
    /// Whether all of them are the same, on the current compiler in the solution's own edition.
    pub proven: bool,
    /// What is known on each compiler in each edition.
    pub cells: Vec<Cell>,
    /// The crates in it.
    pub crates: Vec<Part>,
    /// Whether taking out was stopped after half of the time.
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
    /// One sentence that says what is wrong and where, and what the user can do, if anything.
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
pub(crate) type Made = Result<Paste, Refusal>;

/// A program on its way to a paste.
pub struct Job {
    /// What cargo built.
    pub program: Program,
    /// The compilers that are asked, the current one first.
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
            || Program::build(workspace, binary, &current, options.fresh),
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
    /// Fails with a [`Refusal`] if it cannot be pasted, which says why. Fails with another error if a
    /// file cannot be read or a compiler cannot be run.
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
            // If the time ran out, more of it may give a paste, a smaller one, or one that more is known of. So this is
            // not kept.
            let late = outcome.as_ref().map_or_else(|_| self.is_late(), |paste| paste.late);
            if !late && !self.is_over() {
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
        self.program.only_linked(&bundle.named);
        self.bench.newest = self.newest(&bundle);
        self.refuse_libraries(&bundle)?;
        self.refuse_twins(&bundle)?;
        let mut code = self.stage("reading cargo's build", progress, |job, _| job.program.code())?;
        // If only `dbg!` asks for the name of the file, the places that it prints are not compared.
        if prove::wording::prints_own_file_on_stderr(&bundle.text.text) {
            for file in self.program.own_files() {
                code[0] = prove::debug::without_places(&code[0], file);
            }
            self.bench.debugs = true;
        }
        let files = self.program.files(0..self.program.crates.len());
        let kept = self.program.kept(&self.options.keep)?;
        let reference = Reference {
            code: Code::read(code.iter().map(String::as_str), &files),
            kept: kept.iter().map(|&index| code[index].as_str()).collect(),
            kept_files: self.program.files(kept),
        };
        let in_folder = "it contains the name of the folder that it is built in, for example from `OUT_DIR`; a judge builds it in another folder";
        let in_folder = format!("{}: {in_folder}", self.program.binary.name);
        if reference.code.says(&self.program.folder) {
            return Err(refusal(in_folder, false));
        }
        let found = search::search(self, &bundle, &reference, progress)?;
        // The compiled code may contain only what was computed from the name, such as its length. So the text of the
        // paste is searched, too.
        if found.text.contains(&self.program.folder) {
            return Err(refusal(in_folder, false));
        }
        if let Some(outside) = bundle.outside.iter().find(|outside| found.text.contains(&outside.marker)) {
            let late = "; perhaps it is not needed, but the time for taking out unused code was over, and --seconds gives more";
            let (name, late) = (&self.program.binary.name, if found.late { late } else { "" });
            return Err(refusal(format!("{name}: {}{late}", outside.complaint), false));
        }
        self.finish(&bundle, &reference, found, progress)
    }

    /// The parts of the paste that are surely of 2024. Nothing if no code is of an older edition.
    fn newest(&self, bundle: &Bundle) -> Option<Newest> {
        let is_mixed = self.program.editions().first().is_some_and(|oldest| *oldest < Edition::E2024);
        let is_sure = !bundle.has_older && !self.program.has_older_produce();
        let is_newest = |index: usize| is_sure && self.program.crates[index].edition == Edition::E2024;
        let crates = bundle.modules.iter().map(|(index, module)| (plain(module).to_owned(), is_newest(*index)));
        is_mixed.then(|| Newest { solution: is_newest(0), crates: crates.collect() })
    }

    /// Refuses what a judge's linker would not find, and crates that look like the standard library.
    fn refuse_libraries(&self, bundle: &Bundle) -> Result<()> {
        let name = &self.program.binary.name;
        let refuse = |what: String| Err(refusal(format!("{name}: {what}"), false));
        let linked = || self.program.linked.union(&bundle.named).map(|&index| &self.program.crates[index]);
        let is_standard = |krate: &Crate| ["core", "alloc", "std"].contains(&krate.name.as_str());
        if is_standard(&self.program.crates[0]) {
            return refuse(
                "the program is called like a crate of the standard library; give it another name".to_owned(),
            );
        }
        if let Some(krate) = linked().find(|krate| is_standard(krate)) {
            return refuse(format!("a crate is called `{}` like one of the standard library", krate.name));
        }
        let asked = links(&bundle.text.text);
        // On other systems it is not known what the standard library itself links.
        let counts = |link: &&str| cfg!(target_os = "linux") || asked.iter().any(|asked| asked.name == *link);
        let by_script = linked().find_map(|krate| krate.links.first());
        let by_linker = || self.program.libraries_linked().find(counts);
        if let Some(link) = by_script.map(String::as_str).or_else(by_linker) {
            return refuse(format!("cargo's build links `{link}`, which a judge may not have"));
        }
        // A static library becomes a part of its crate, so the linker is not told of it.
        if let Some(link) = asked.iter().find(|link| link.is_static) {
            return refuse(format!("it links the static library `{}`, which a judge does not have", link.name));
        }
        // Cargo passes on all folders where build scripts want libraries to be looked for. They only matter if
        // something is linked.
        match (linked().find_map(|krate| krate.searches.first()), asked.first()) {
            (Some(search), Some(link)) => {
                refuse(format!("it links `{}` and looks for it in `{search}`, which a judge does not have", link.name))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a crate in the paste that a kept crate depends on, too: it would be in the program twice.
    fn refuse_twins(&self, bundle: &Bundle) -> Result<()> {
        let mut below: Vec<usize> = self.program.kept(&self.options.keep)?;
        let mut next = 0;
        while let Some(&index) = below.get(next) {
            next += 1;
            for &(twin, _) in &bundle.modules {
                if self.program.crates[index].dependencies.values().any(|&found| found == twin) {
                    let (kept, twin) = (&self.program.crates[index].about.name, &self.program.crates[twin].about.name);
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

    /// Whether it is time to prove what there is. The second half of the time is for that and for the other compilers.
    fn is_late(&self) -> bool {
        self.built.elapsed() > self.limit() / 2
    }

    /// How long it may take after cargo's build, as far as the user says.
    fn limit(&self) -> Duration {
        Duration::from_secs(self.options.seconds)
    }

    /// Whether the compilers are being stopped.
    fn is_over(&self) -> bool {
        self.built.elapsed() > self.limit().max(LEAST)
    }

    /// Why there is nothing when the time is up.
    fn time_is_up(&self) -> anyhow::Error {
        let name = &self.program.binary.name;
        let what = if self.is_over() { "the time was up" } else { "half of the time was up, and nothing compiled" };
        refusal(format!("{name}: {what}; --seconds gives it more, and --keep leaves a crate out"), false)
    }

    /// Asks the other compilers and editions, and puts it all together.
    fn finish(
        &mut self,
        bundle: &Bundle,
        reference: &Reference<'_>,
        found: search::Found,
        progress: Progress<'_>,
    ) -> Result<Paste> {
        let search::Found { late, mut text, comparison, mut readings, mut notes, parts } = found;
        let proven = comparison.differences.is_empty();
        if !proven && !self.options.unproven {
            let hint =
                if late { "; half of the time was over, so no more was tried, and --seconds gives more" } else { "" };
            return Err(refusal(self.unproven(&comparison) + hint, true));
        }
        if !proven {
            let warning = "// NOT PROVEN: cargo-paste could not show that this is the program that cargo builds.\n";
            text.insert_str(0, warning);
            readings.clear();
        }
        let known: BTreeSet<Edition> = readings.iter().map(|reading| reading.edition).collect();
        let rest: Vec<Edition> =
            self.compilers[0].editions().iter().copied().filter(|edition| !known.contains(edition)).collect();
        let cells = self.stage("asking other editions and compilers", progress, |job, _| {
            readings.extend(Reading::all(&job.bench, &job.compilers[0], &rest, &text)?);
            readings.sort_by_key(|reading| reading.edition);
            cells::judge(&job.bench, &job.program, &job.compilers, reference, readings, &text, &mut notes)
        })?;
        if !self.program.left_out.is_empty() {
            notes.push(format!(
                "settings of the profile or of rustflags do not come along, since a judge does not have them: {}",
                self.program.left_out.join(", ")
            ));
        }
        if self.bench.debugs {
            notes.push("`dbg!` is left in the solution; it prints on stderr, which takes time".to_owned());
        }
        if !bundle.modules.is_empty() && reference.code.is_inexact() {
            notes.push(INEXACT.to_owned());
        }
        if let (false, Some(name)) = (bundle.modules.is_empty(), reference.code.shows_sign_of_nan()) {
            notes.push(format!("the sign of a NaN may differ, since Rust leaves it open, and `{name}` shows it"));
        }
        let kept: Vec<String> = self
            .program
            .kept(&self.options.keep)?
            .into_iter()
            .filter(|index| self.program.linked.contains(index))
            .map(|index| self.program.crates[index].about.to_string())
            .collect();
        if !kept.is_empty() {
            notes.push(format!(
                "it uses crates of the judge; here only the compiler that cargo uses was asked, with {}, and whether other \
                 versions do the same is not known",
                kept.join(", ")
            ));
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
        self.program.without_macros().filter(|krate| krate.edition < self.program.edition())
    }

    /// The crates from edition `since` on, if the solution is of an older one.
    fn newer(&self, since: Edition) -> impl Iterator<Item = &Crate> {
        let is_older = self.program.edition() < since;
        self.program.without_macros().filter(move |krate| is_older && krate.edition >= since)
    }

    fn unproven(&self, comparison: &Comparison) -> String {
        let differences = &comparison.differences;
        let hopeless = comparison.hopeless();
        // If there is a reason, only what it is about is named.
        let about: Vec<&Difference> =
            differences.iter().filter(|found| hopeless.is_none() || found.reason == hopeless).collect();
        let mut names: Vec<String> = about
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
        if about.len() > names.len() {
            names.push(format!("{} more", about.len() - names.len()));
        }
        let verdict = match (hopeless, about.len()) {
            (Some(reason), _) => format!("cannot be shown to be the same as in cargo's build, since {reason}"),
            (None, count) => {
                let are = if count == 1 { "is" } else { "are" };
                let reason = self.likely_reason(differences);
                format!("{are} not the same as in cargo's build, perhaps because {reason}")
            }
        };
        let (name, names) = (&self.program.binary.name, names.join(", "));
        format!("{name}: not pasted: {names} {verdict}; --unproven prints the file anyway")
    }

    fn likely_reason(&self, differences: &BTreeSet<Difference>) -> String {
        let of_ids = |name: &str| name.contains("core::any::Any") || name.contains("core::any::TypeId");
        if differences.iter().any(|difference| of_ids(&difference.function)) {
            return "a `TypeId` is hashed, ordered or printed, and it is another number in a paste".to_owned();
        }
        let own = self.program.edition();
        let of_another = || self.program.crates.iter().filter(|krate| krate.edition != own && !krate.proc_macro);
        // A function of the standard library may be about a type of a crate.
        let is_about = |krate: &&Crate| {
            differences.iter().any(|found| {
                let is_in = |file: &PathBuf| krate.sources().any(|one| one == *file);
                let mut words = found.function.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                found.place.as_ref().is_some_and(|(file, _)| is_in(file)) || words.any(|word| word == krate.name)
            })
        };
        match of_another().find(is_about) {
            Some(krate) => format!(
                "crate {} is edition {theirs} and the solution {own}; edition = \"{theirs}\" in the solution's Cargo.toml may help",
                krate.about.name,
                theirs = krate.edition
            ),
            None if self.asks_for_itself() => "the code asks for its own file, line, module or type".to_owned(),
            None => "cargo-paste put the crates together in a wrong way, which is a limit of the tool".to_owned(),
        }
    }

    /// Whether some source asks for what is not the same in a paste.
    fn asks_for_itself(&self) -> bool {
        let words =
            ["file!", "line!", "column!", "module_path!", "type_name", "Location", "location()", "dbg!", "caller"];
        let named = self.program.linked.iter().flat_map(|&index| self.program.crates[index].sources());
        let texts = named.filter_map(|file| std::fs::read_to_string(file).ok());
        texts.into_iter().any(|text| words.iter().any(|word| text.contains(word)))
    }
}

/// What a `#[link(…)]` asks for.
struct Link {
    /// The library, or words for it if a macro's variable stands there.
    name: String,
    /// Whether it may be a static library.
    is_static: bool,
}

/// The `#[link(…)]` in a text, those in macros too.
fn links(text: &str) -> Vec<Link> {
    let Ok(stream) = text.parse() else { return Vec::new() };
    let tokens = Tokens::new(text, stream);
    let link_at = |at: usize| {
        let close = tokens.group(at + 1, Delimiter::Parenthesis).filter(|_| tokens.text(at) == "link")?;
        let inside = || at + 2..close;
        let value =
            |word: &str| inside().find(|&at| tokens.text(at) == word && tokens.is(at + 1, '=')).map(|at| at + 2);
        let string = |at: usize| syn::parse_str::<syn::LitStr>(tokens.text(at)).ok().map(|text| text.value());
        let name = value("name");
        // In a macro, what a variable stands for may be anything.
        let varies = inside().any(|at| tokens.is(at, '$') && Some(at) != name);
        let is_static = varies || value("kind").and_then(string).is_some_and(|kind| kind == "static");
        let name = name.and_then(string).unwrap_or_else(|| "a macro's variable".to_owned());
        Some(Link { name, is_static })
    };
    (0..tokens.list.len()).filter_map(link_at).collect()
}

fn refusal(message: String, unproven: bool) -> anyhow::Error {
    anyhow!(Refusal { message, unproven })
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
            let _ = write!(text, "\n  its crates: {}", shares.join(", "));
        }
        let most = self.crates.iter().max_by_key(|part| part.bytes);
        if let (true, Some(most)) = (self.bytes > LIMIT, most) {
            let _ = write!(
                text,
                "\n  warning: some judges take no more than {}; the largest crate is {}, and --keep {} leaves that out where \
                 the judge has it",
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
            // For another compiler, leave out how the reason begins, so that editions with the same result are shown
            // together.
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
