//! The compilers: which there are, and how one is asked about a file.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// A Rust edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Edition {
    /// What a compiler assumes that is not told.
    E2015,
    /// 2018.
    E2018,
    /// 2021.
    E2021,
    /// 2024.
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

/// The platform the current compiler builds for.
///
/// # Errors
/// Fails if there is no compiler.
pub fn host() -> Result<String> {
    Ok(Compiler::current()?.host)
}

/// A compiler found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// How to call it.
    pub path: PathBuf,
    /// Major, minor, patch.
    pub version: (u32, u32, u32),
    /// All it says about itself.
    pub verbose: String,
    host: String,
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.version.0, self.version.1)
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
        Ok(Self { path: path.to_owned(), version, host, verbose })
    }

    /// The compiler that cargo would use.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn current() -> Result<Self> {
        Self::at(&current_rustc()).context("no Rust compiler found; install one from https://rustup.rs")
    }

    /// The compilers on this machine that matter: the current one, then the newest and the oldest of the others.
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
                    // A rustup proxy is told what to be by its name, so it has to keep it.
                    if real.file_name() == file.file_name() { real } else { file }
                })
            })
            .collect();
        let mut found = vec![current];
        let mut others: Vec<Self> = files.iter().filter_map(|file| Self::at(file).ok()).collect();
        others.retain(|other| !other.verbose.contains("-nightly") && !other.verbose.contains("-beta"));
        others.sort_by_key(|other| std::cmp::Reverse(other.version));
        // What the newest and the oldest take, those between take too.
        let ends = [others.first().cloned(), others.last().cloned()];
        for other in ends.into_iter().flatten() {
            if found.iter().all(|known| known.verbose != other.verbose) {
                found.push(other);
            }
        }
        Ok(found)
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
    /// Counted from one.
    pub line_start: usize,
    /// Whether this is what the message is about.
    pub is_primary: bool,
    /// What is written beside it.
    pub label: Option<String>,
    /// The macro call this comes from.
    pub expansion: Option<Box<Expansion>>,
    /// The file.
    pub file_name: String,
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

    /// Everything it says, notes and labels included.
    #[must_use]
    pub fn full_text(&self) -> String {
        let mut text = self.message.clone();
        for label in self.spans.iter().filter_map(|span| span.label.as_deref()) {
            text.push('\n');
            text.push_str(label);
        }
        for child in &self.children {
            text.push('\n');
            text.push_str(&child.full_text());
        }
        text
    }
}

/// What to make of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emit {
    /// Type-check it and name what is unused.
    Unused,
    /// Type-check it with warnings as errors.
    Strict,
    /// Its functions, unoptimised, with warnings as errors.
    Functions,
    /// The same with the line each comes from.
    FunctionsAndLines,
}

/// A folder of one's own to compile in, and a count of how often that happened.
#[derive(Debug)]
pub struct Bench {
    dir: PathBuf,
    calls: AtomicUsize,
    serial: AtomicUsize,
    /// What every call gets besides: the crates that are kept.
    extra: Vec<std::ffi::OsString>,
}

impl Drop for Bench {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.dir));
    }
}

/// The outcome of one compiler call.
#[derive(Debug)]
pub struct Outcome {
    /// Whether it succeeded.
    pub success: bool,
    /// What it said.
    pub diagnostics: Vec<Diagnostic>,
    /// What it made, where that is text.
    pub output: String,
}

impl Outcome {
    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error())
    }

    /// The first error's first line.
    #[must_use]
    pub fn first_error(&self) -> String {
        self.errors().next().map_or_else(|| "the compiler failed".to_owned(), |error| error.message.clone())
    }
}

static BENCHES: AtomicUsize = AtomicUsize::new(0);

impl Bench {
    /// A new folder under `target`. Every call gets `extra` arguments.
    ///
    /// # Errors
    /// Fails if it cannot be made.
    pub fn new(target: &Path, extra: Vec<std::ffi::OsString>) -> Result<Self> {
        let serial = BENCHES.fetch_add(1, Ordering::Relaxed);
        let dir = target.join("paste").join(format!("work-{}-{serial}", std::process::id()));
        fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
        Ok(Self { dir, calls: AtomicUsize::new(0), serial: AtomicUsize::new(0), extra })
    }

    /// How often a compiler was called.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Compiles `source` with `compiler`.
    ///
    /// # Errors
    /// Fails only if the compiler cannot be run: its verdict is in the outcome.
    pub fn compile(&self, compiler: &Compiler, edition: Edition, emit: Emit, source: &str) -> Result<Outcome> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        let dir = self.dir.join(serial.to_string());
        fs::create_dir_all(&dir)?;
        let file = dir.join("paste.rs");
        fs::write(&file, source)?;
        let made = dir.join("made");
        let mut command = Command::new(&compiler.path);
        command.args(["--crate-name", "paste", "--crate-type", "bin", "--error-format=json"]);
        command.args(["--edition", edition.year(), "-C", "debug-assertions=off"]);
        match emit {
            Emit::Unused => {
                command.arg("--emit=metadata");
                for lint in ["dead_code", "unused_imports", "unused_macros", "unused_macro_rules"] {
                    command.args(["--force-warn", lint]);
                }
            }
            Emit::Strict => {
                command.args(["--emit=metadata", "-D", "warnings"]);
            }
            Emit::Functions | Emit::FunctionsAndLines => {
                command.args(["--emit=llvm-ir", "-C", "symbol-mangling-version=v0"]);
                command.args(["-C", "opt-level=0", "-C", "codegen-units=1", "-D", "warnings"]);
                if emit == Emit::FunctionsAndLines {
                    command.args(["-C", "debuginfo=1", "--cap-lints=allow"]);
                }
            }
        }
        command.args(&self.extra).arg("-o").arg(&made).arg(&file);
        // Code that asks for these is refused if it survives; until then it has to compile.
        for name in ["NAME", "VERSION", "AUTHORS", "DESCRIPTION", "HOMEPAGE", "REPOSITORY"] {
            command.env(format!("CARGO_PKG_{name}"), "");
        }
        for name in ["MAJOR", "MINOR", "PATCH", "PRE"] {
            command.env(format!("CARGO_PKG_VERSION_{name}"), "0");
        }
        command.env("CARGO_MANIFEST_DIR", &dir).env("CARGO_CRATE_NAME", "paste");
        command.env_remove("RUSTC_WRAPPER");
        let output =
            command.stdin(Stdio::null()).output().with_context(|| format!("cannot run {}", compiler.path.display()))?;
        let diagnostics = String::from_utf8_lossy(&output.stderr)
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let text = match emit {
            Emit::Functions | Emit::FunctionsAndLines if output.status.success() => {
                fs::read_to_string(&made).with_context(|| format!("{} made no output", compiler.path.display()))?
            }
            _ => String::new(),
        };
        fs::remove_dir_all(&dir)?;
        Ok(Outcome { success: output.status.success(), diagnostics, output: text })
    }
}
