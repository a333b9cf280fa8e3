//! The compilers: which there are, and how one is asked about a file.

use std::collections::{BTreeSet, HashMap};
use std::env::consts::EXE_EXTENSION;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::prove::debug::without_places;

/// A Rust edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Edition {
    /// 2015, which a compiler assumes if it is told none.
    #[serde(rename = "2015")]
    E2015,
    /// 2018.
    #[serde(rename = "2018")]
    E2018,
    /// 2021.
    #[serde(rename = "2021")]
    E2021,
    /// 2024.
    #[serde(rename = "2024")]
    E2024,
}

impl Edition {
    /// All of them, oldest first.
    pub const ALL: [Self; 4] = [Self::E2015, Self::E2018, Self::E2021, Self::E2024];

    /// The edition called `name`; anything newer than known counts as the newest.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        match name {
            "2015" => Self::E2015,
            "2018" => Self::E2018,
            "2021" => Self::E2021,
            _ => Self::E2024,
        }
    }

    /// The year, as the compiler's `--edition` takes it.
    #[must_use]
    pub const fn year(self) -> &'static str {
        match self {
            Self::E2015 => "2015",
            Self::E2018 => "2018",
            Self::E2021 => "2021",
            Self::E2024 => "2024",
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.year())
    }
}

/// The cargo to run: the one that runs us, if any.
#[must_use]
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn current_rustc() -> PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
}

fn text_of(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A compiler found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// How to call it.
    pub path: PathBuf,
    /// Such as `1.63.0` or `1.97.0-nightly`.
    pub release: String,
    /// Major, minor, patch.
    pub version: (u32, u32, u32),
    /// All it says about itself.
    pub verbose: String,
    /// The platform it builds for.
    pub host: String,
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.release)
    }
}

impl Compiler {
    /// Asks the program at `path` what it is.
    ///
    /// # Errors
    /// Fails if it is not a Rust compiler.
    pub fn at(path: &Path) -> Result<Self> {
        let verbose = text_of(Command::new(path).arg("-vV"))?;
        let field = |name: &str| {
            let line = verbose.lines().find_map(|line| line.strip_prefix(name));
            line.map(str::to_owned).with_context(|| format!("{} names no {name}", path.display()))
        };
        let release = field("release: ")?;
        let mut numbers = release.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or_default());
        let mut next = || numbers.next().unwrap_or_default();
        let version = (next(), next(), next());
        let host = field("host: ")?;
        Ok(Self { path: path.to_owned(), release, version, host, verbose })
    }

    /// The compiler that cargo would use.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn current() -> Result<Self> {
        static CURRENT: OnceLock<Compiler> = OnceLock::new();
        if let Some(known) = CURRENT.get() {
            return Ok(known.clone());
        }
        let named = current_rustc();
        let missing = "no Rust compiler found; install one from https://rustup.rs";
        // Behind rustup's stand-in is the compiler itself, which starts sooner.
        let sysroot = text_of(Command::new(&named).args(["--print", "sysroot"])).context(missing)?;
        let real = Path::new(sysroot.trim()).join("bin").join(format!("rustc{}", std::env::consts::EXE_SUFFIX));
        let found = Self::at(if real.is_file() { &real } else { &named }).context(missing)?;
        Ok(CURRENT.get_or_init(|| found).clone())
    }

    /// The compilers that are asked: the current one, then the newest and the oldest of the other stable releases, from
    /// 1.59 on. Each release is asked once. They are looked for on the `PATH`, in `/usr/bin` and among rustup's
    /// toolchains.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn all() -> Result<Vec<Self>> {
        let current = Self::current()?;
        let mut places: Vec<PathBuf> = Vec::new();
        if let Some(path) = std::env::var_os("PATH") {
            places.extend(std::env::split_paths(&path));
        }
        places.push("/usr/bin".into());
        let rustup = std::env::var_os("RUSTUP_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".rustup")));
        if let Some(toolchains) = rustup.and_then(|home| fs::read_dir(home.join("toolchains")).ok()) {
            places.extend(toolchains.flatten().map(|entry| entry.path().join("bin")));
        }
        let name = format!("rustc{}", std::env::consts::EXE_SUFFIX);
        let files: BTreeSet<PathBuf> = places
            .iter()
            .map(|place| place.join(&name))
            .filter(|file| file.is_file())
            .map(|file| {
                file.canonicalize().map_or(file.clone(), |real| {
                    // Rustup's stand-in does what its file name says, so that name has to stay.
                    if real.file_name() == file.file_name() { real } else { file }
                })
            })
            .collect();
        let files: Vec<PathBuf> = files.into_iter().filter(|file| *file != current.path).collect();
        let others = in_parallel(&files, |file| Ok(Self::at(file).ok()))?;
        Ok(Self::chosen(current, others.into_iter().flatten().collect()))
    }

    /// Picks the compilers to ask from those that were found.
    fn chosen(current: Self, mut others: Vec<Self>) -> Vec<Self> {
        let is_stable = |other: &Self| !other.release.contains('-');
        // Compilers before 1.59 do not name functions in a way that can be read.
        let is_readable = |other: &Self| other.version >= (1, 59, 0);
        // The current one may be there again, under another name.
        others.retain(|other| is_stable(other) && is_readable(other) && other.release != current.release);
        others.sort_by_key(|other| std::cmp::Reverse(other.version));
        others.dedup_by(|one, other| one.release == other.release);
        let newest = others.first().cloned();
        let oldest = others.split_first().and_then(|(_, rest)| rest.last().cloned());
        std::iter::once(current).chain(newest).chain(oldest).collect()
    }

    /// The editions it takes.
    #[must_use]
    pub fn editions(&self) -> &'static [Edition] {
        let known = match self.version {
            (1, minor, _) if minor < 31 => 1,
            (1, minor, _) if minor < 56 => 2,
            (1, minor, _) if minor < 85 => 3,
            _ => 4,
        };
        &Edition::ALL[..known]
    }

    /// What `cfg` it sets for an optimised build.
    ///
    /// # Errors
    /// Fails if the compiler does.
    pub fn cfgs(&self) -> Result<BTreeSet<String>> {
        let text = text_of(Command::new(&self.path).args(["-O", "--print", "cfg"]))?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}

/// What a compiler says about a place in a file.
#[derive(Debug, Clone, Deserialize)]
pub struct Span {
    /// First byte.
    pub byte_start: usize,
    /// One past the last byte.
    pub byte_end: usize,
    /// Whether this is what the message is about.
    pub is_primary: bool,
    /// What is written beside it.
    pub label: Option<String>,
    /// The macro call this comes from.
    pub expansion: Option<Box<Expansion>>,
    /// The file.
    pub file_name: String,
    /// What the compiler would write there instead.
    suggested_replacement: Option<String>,
    /// How sure it is of that.
    suggestion_applicability: Option<String>,
}

impl Span {
    /// The place in the code, outside of any macro.
    #[must_use]
    pub fn call_site(&self) -> &Self {
        let mut at = self;
        while let Some(expansion) = &at.expansion {
            at = &expansion.span;
        }
        at
    }
}

/// The macro call a span comes from.
#[derive(Debug, Clone, Deserialize)]
pub struct Expansion {
    /// The call.
    pub span: Span,
}

/// A lint's or an error's name.
#[derive(Debug, Clone, Deserialize)]
pub struct Code {
    /// Such as `E0277` or `dead_code`.
    pub code: String,
}

/// One message of the compiler.
#[derive(Debug, Clone, Deserialize)]
pub struct Diagnostic {
    /// The first line.
    pub message: String,
    /// Its name, if it has one.
    pub code: Option<Code>,
    /// `error`, `warning`, …
    pub level: String,
    /// The places it speaks of.
    pub spans: Vec<Span>,
    /// Notes and help.
    pub children: Vec<Diagnostic>,
    /// As a terminal would show it.
    pub rendered: Option<String>,
}

impl Diagnostic {
    /// An error that no compiler reported.
    fn error(message: &str) -> Self {
        let (code, spans, children) = (None, Vec::new(), Vec::new());
        Self { message: message.to_owned(), code, level: "error".to_owned(), spans, children, rendered: None }
    }

    /// Whether this stops compilation.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.level.starts_with("error")
    }

    /// The name of the lint or error, or nothing.
    #[must_use]
    pub fn name(&self) -> &str {
        self.code.as_ref().map_or("", |code| code.code.as_str())
    }

    /// The place that it is about.
    #[must_use]
    pub fn primary(&self) -> Option<&Span> {
        self.spans.iter().find(|span| span.is_primary)
    }

    /// What would mend it: bytes, and what should stand there instead. Only what the compiler offers with this
    /// `certainty` counts; of several ways, the last.
    #[must_use]
    pub fn remedy(&self, certainty: &str) -> Vec<(Range<usize>, &str)> {
        let sure = |span: &&Span| span.suggestion_applicability.as_deref() == Some(certainty);
        let edit = |span: &'_ Span| span.byte_start..span.byte_end;
        let ways = self.children.iter().map(|child| child.spans.iter().filter(sure));
        let ways =
            ways.map(|spans| spans.filter_map(|span| Some((edit(span), span.suggested_replacement.as_deref()?))));
        ways.map(Iterator::collect).rfind(|way: &Vec<_>| !way.is_empty()).unwrap_or_default()
    }

    /// If an `impl Trait` captures a lifetime without naming it: where the `impl Trait` ends, and what names the
    /// lifetime.
    #[must_use]
    pub fn captured_lifetime(&self) -> Option<(usize, String)> {
        let opaque = self.spans.iter().find(|span| !span.is_primary).filter(|_| self.name() == "E0700")?;
        let quotes = self.children.iter().flat_map(|child| child.message.split('`').skip(1).step_by(2));
        let lifetime = quotes.filter(|quoted| quoted.starts_with('\'')).last()?;
        Some((opaque.byte_end, format!(" + {lifetime}")))
    }

    /// What it says of itself, without notes and advice.
    #[must_use]
    pub fn stated(&self) -> String {
        let mut text = self.message.clone();
        for label in self.spans.iter().filter_map(|span| span.label.as_deref()) {
            text.push('\n');
            text.push_str(label);
        }
        text
    }

    /// Everything it says, notes and labels included.
    #[must_use]
    pub fn full_text(&self) -> String {
        let mut text = self.stated();
        for child in &self.children {
            text.push('\n');
            text.push_str(&child.full_text());
        }
        text
    }
}

/// What to make of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Type-check it and name what is unused.
    Unused,
    /// Its LLVM code, made as cargo's build was.
    Code,
    /// The compiler's own code, which shows when values end.
    Mir,
    /// A program, made as a judge does it.
    Program,
}

/// Lints that name what nothing uses.
const UNUSED: [&str; 4] = ["dead_code", "unused_imports", "unused_macros", "unused_macro_rules"];
/// The lint that says when it matters what a closure captures.
const CAPTURES: &str = "rust_2021_incompatible_closure_captures";

/// Whether a text speaks of lints such as [`CAPTURES`].
fn names_lints(text: &str) -> bool {
    text.contains("rust_20")
}

/// The lint that finds foreign functions which are declared in two ways.
const CLASHING: &str = "clashing_extern_declarations";

/// The parts of a paste that are of edition 2024 for sure.
#[derive(Debug, Default)]
pub struct Newest {
    /// Whether the solution is.
    pub solution: bool,
    /// Whether a crate is, by the crate's module.
    pub crates: HashMap<String, bool>,
}

/// A folder of one's own to compile in, and a count of how often that happened.
#[derive(Debug)]
pub struct Bench {
    dir: Folder,
    calls: AtomicUsize,
    /// What every call gets besides: the crates that are kept.
    extra: Vec<OsString>,
    /// Variables that a judge's compiler does not have.
    hidden: Vec<String>,
    /// The name of a paste's crate while it is compiled. It is not the program's own: with the same name, a program
    /// that prints it would look unchanged here, although it prints another one at a judge.
    name: String,
    /// The name of a paste's file while it is compiled, which panics and `dbg!` show.
    pub file: String,
    /// Whether the places that `dbg!` prints are left out of the code.
    pub debugs: bool,
    /// What of the paste is of 2024, if there is code of older editions, too.
    pub newest: Option<Newest>,
    /// When to stop the compiler.
    pub deadline: Option<Instant>,
}

/// The outcome of one compiler call.
#[derive(Debug)]
pub struct Outcome {
    /// The name of the file that was compiled.
    pub file: String,
    /// Whether it succeeded.
    pub success: bool,
    /// Whether it was asked about [`CAPTURES`].
    asked: bool,
    /// What it said.
    pub diagnostics: Vec<Diagnostic>,
    /// The file it made.
    pub made: PathBuf,
}

impl Outcome {
    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error())
    }

    /// The lints that stop the compiler, if there are no other errors.
    #[must_use]
    pub fn forbidden(&self) -> BTreeSet<String> {
        let names: BTreeSet<String> = self.errors().map(|error| error.name().to_owned()).collect();
        let is_lint = |name: &String| name.starts_with(|first: char| first.is_ascii_lowercase());
        let lints: BTreeSet<String> = names.iter().filter(|name| is_lint(name)).cloned().collect();
        // The last line says how many errors there were, and has no name.
        if names.iter().all(|name| name.is_empty() || is_lint(name)) { lints } else { BTreeSet::new() }
    }

    /// The code that was made, or nothing if it does not compile.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub fn code(&self) -> Result<String> {
        let bytes = if self.success { fs::read(&self.made)? } else { Vec::new() };
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The compiler's own code, which has the types that LLVM's code lacks.
    ///
    /// # Errors
    /// Fails if it was not made.
    pub fn mir(&self) -> Result<String> {
        fs::read_to_string(self.made.with_extension("mir")).context("the compiler made no MIR")
    }

    /// What the compiler read beside the text: a file or a variable, if there was one.
    ///
    /// # Errors
    /// Fails if the compiler did not write down what it read.
    pub fn read_besides(&self) -> Result<Option<String>> {
        let notes =
            fs::read_to_string(self.made.with_extension("d")).context("the compiler did not say what it read")?;
        Ok(notes.lines().find_map(|line| {
            if let Some(variable) = line.strip_prefix("# env-dep:") {
                return Some(format!("the variable `{}`", variable.split('=').next().unwrap_or(variable)));
            }
            let file = line.strip_suffix(':').filter(|&file| file != self.file)?;
            Some(format!("the file `{}`", file.replace("\\ ", " ")))
        }))
    }

    /// Whether the compiler was asked about captures and found no closure where they matter. It is asked below edition
    /// 2021, unless the text itself names such lints.
    #[must_use]
    pub fn captures_harmless(&self) -> bool {
        self.asked && self.diagnostics.iter().all(|diagnostic| diagnostic.name() != CAPTURES)
    }

    /// Whether foreign functions are declared in two ways.
    #[must_use]
    pub fn clashes(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.name() == CLASHING)
    }
}

/// The folders in use. They are removed at the end, after an interrupt too.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The lock on the folders in use. While it is held, no other thread makes a folder or ends the process.
pub type Folders = MutexGuard<'static, Vec<PathBuf>>;

/// Waits for the lock.
pub fn folders() -> Folders {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder in use. It is removed when this value is dropped, and after an interrupt.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// Makes the folder `path`.
    ///
    /// # Errors
    /// Fails if it cannot be made.
    pub fn new(path: PathBuf) -> Result<Self> {
        let mut folders = folders();
        folders.push(path.clone());
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let mut folders = folders();
        folders.retain(|folder| *folder != self.0);
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Removes every folder in use. Nothing stays behind if the process ends while the result is held.
pub fn clean_up() -> Folders {
    let mut folders = folders();
    for folder in folders.drain(..) {
        // A compiler that still runs may write into it.
        for _ in 0..100 {
            drop(fs::remove_dir_all(&folder));
            if !folder.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    folders
}

/// Removes what killed processes left behind, where `/proc` shows that they are gone.
fn remove_orphans(folder: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let process = name.strip_prefix("work-").and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        if process.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists()) {
            drop(fs::remove_dir_all(&path));
        }
    }
}

impl Bench {
    /// A new folder under `target` for the program `name`. Every call gets `extra` arguments and sees none of the
    /// `hidden` variables.
    ///
    /// # Errors
    /// Fails if it cannot be made.
    pub fn new(target: &Path, name: &str, extra: Vec<OsString>, hidden: Vec<String>) -> Result<Self> {
        static SERIAL: AtomicUsize = AtomicUsize::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        remove_orphans(&target.join("paste"));
        let dir = Folder::new(target.join("paste").join(format!("work-{}-{serial}", std::process::id())))?;
        // A program has this name in its text only by chance.
        let name = format!("paste_{}_of_{}", std::process::id(), name.replace('-', "_"));
        let file = format!("{name}.rs");
        Ok(Self {
            dir,
            calls: AtomicUsize::new(0),
            extra,
            hidden,
            name,
            file,
            debugs: false,
            newest: None,
            deadline: None,
        })
    }

    /// The LLVM code that came of a call, as it is compared.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub fn code_of(&self, outcome: &Outcome) -> Result<String> {
        let code = outcome.code()?;
        Ok(if self.debugs { without_places(&code, &self.file) } else { code })
    }

    /// Whether crates stay outside of the paste.
    #[must_use]
    pub fn keeps(&self) -> bool {
        !self.extra.is_empty()
    }

    /// How often a compiler was called.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Compiles `source` with `compiler`.
    ///
    /// # Errors
    /// Fails if a file cannot be written or the compiler cannot be run. What the compiler says is in the outcome.
    pub fn compile(&self, compiler: &Compiler, edition: Edition, task: Task, source: &str) -> Result<Outcome> {
        let serial = self.calls.fetch_add(1, Ordering::Relaxed);
        let dir = self.dir.0.join(serial.to_string());
        let held = folders();
        let file = dir.join(&self.file);
        fs::create_dir_all(file.parent().unwrap_or(&dir))?;
        fs::write(file, source)?;
        drop(held);
        let made = dir.join("made").with_extension(if task == Task::Program { EXE_EXTENSION } else { "" });
        let mut command = Command::new(&compiler.path);
        command.args(["--error-format=json", "--crate-name", &self.name]);
        // A judge that names no edition means 2015.
        if edition != Edition::E2015 {
            command.args(["--edition", edition.year()]);
        }
        if task == Task::Program {
            command.arg("-O");
        }
        // Asking for the lint makes it a warning, even where the text wants an error.
        let asked = task == Task::Code && edition < Edition::E2021 && !names_lints(source);
        match task {
            Task::Unused => {
                command.args(["--emit=metadata", "-C", "debug-assertions=off", "--cap-lints=warn"]);
                command.args(UNUSED.iter().flat_map(|lint| ["--force-warn", lint]));
            }
            Task::Code => {
                command.arg("--emit=llvm-ir=made,mir=made.mir,dep-info=made.d");
                command.args(crate::wrapper::FLAGS.iter().flat_map(|flag| ["-C", flag]));
                if asked {
                    command.args(["--force-warn", CAPTURES]);
                }
                command.args(["--force-warn", CLASHING]);
            }
            Task::Mir => {
                command.args(["--emit=mir=made.mir", "--cap-lints=warn"]);
                command.args(["-C", "opt-level=1", "-C", "debug-assertions=off"]);
            }
            Task::Program => {}
        }
        if matches!(task, Task::Unused | Task::Program) {
            command.arg("-o").arg(&made);
        }
        command.args(&self.extra).arg(&self.file).current_dir(&dir);
        // This variable would let a stable compiler take what on a judge only a nightly one takes.
        command.env_remove("RUSTC_BOOTSTRAP");
        for name in &self.hidden {
            command.env_remove(name);
        }
        let ended = self.wait(command).with_context(|| format!("cannot run {}", compiler.path.display()))?;
        let (success, diagnostics) = match ended {
            Some((success, said)) => {
                (success, said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
            }
            None => (false, vec![Diagnostic::error("the time was up")]),
        };
        Ok(Outcome { file: self.file.clone(), success, asked, diagnostics, made })
    }

    /// Whether a program succeeded, and what it said on stderr. Nothing if the time was up.
    fn wait(&self, mut command: Command) -> Result<Option<(bool, String)>> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut stderr = child.stderr.take();
        let reader = std::thread::spawn(move || {
            let mut said = Vec::new();
            let read = stderr.as_mut().map(|stderr| stderr.read_to_end(&mut said));
            read.unwrap_or(Ok(0)).map(|_| String::from_utf8_lossy(&said).into_owned())
        });
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let said = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Some((status.success(), said)))
    }
}

/// Does both at the same time.
pub fn beside<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
    })
}

/// Does `work` on all `tasks`, as many at a time as there are cores. The results come in the order of the tasks.
///
/// # Errors
/// Fails with the first error of any of them.
pub fn in_parallel<T: Sync, R: Send>(tasks: &[T], work: impl Fn(&T) -> Result<R> + Sync) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R>)>> = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(tasks.len());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some((index, task)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    tasks.get(index).map(|task| (index, task))
                } {
                    let result = work(task);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_the_newest_and_the_oldest_compiler_are_asked() {
        let compiler = |name: &str| {
            let mut numbers = name.split(['.', '-']).map(|part| part.parse().unwrap_or(0));
            let mut next = || numbers.next().unwrap();
            let version = (next(), next(), next());
            Compiler {
                path: name.into(),
                release: name.to_owned(),
                version,
                host: String::new(),
                verbose: String::new(),
            }
        };
        for (others, wanted) in [
            ("", "1.80.0"),
            ("1.63.0", "1.80.0 1.63.0"),
            ("1.63.0 1.95.0 1.70.0", "1.80.0 1.95.0 1.63.0"),
            ("1.58.1 1.59.0 1.97.0-nightly 1.96.0-beta.2 1.95.0", "1.80.0 1.95.0 1.59.0"),
            // Rustup's stand-in leads to a compiler that is also found by its own path. Debian may have the same
            // release.
            ("1.80.0 1.80.0 1.63.0 1.63.0", "1.80.0 1.63.0"),
            ("1.80.1", "1.80.0 1.80.1"),
        ] {
            let others = others.split_whitespace().map(compiler).collect();
            let chosen = Compiler::chosen(compiler("1.80.0"), others);
            let names: Vec<&str> = chosen.iter().map(|found| found.path.to_str().unwrap()).collect();
            assert_eq!(names.join(" "), wanted);
        }
    }

    #[test]
    fn no_folder_is_made_while_they_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let bench = Bench::new(dir.path(), "main", Vec::new(), Vec::new()).unwrap();
        let compiler = Compiler::current().unwrap();
        std::thread::scope(|scope| {
            let held = clean_up();
            scope.spawn(|| bench.compile(&compiler, Edition::E2021, Task::Unused, "fn main() {}"));
            std::thread::sleep(Duration::from_millis(100));
            assert!(!bench.dir.0.exists());
            drop(held);
        });
    }
}
