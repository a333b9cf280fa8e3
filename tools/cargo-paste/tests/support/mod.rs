//! Packages from strings, built by cargo and pasted by the real cargo-paste. Both results are run.
//!
//! A cell is one compiler in one edition. It is claimed if the summary calls it `same` or `tested`. The one rule: where
//! a cell is claimed, the paste prints and ends there as cargo's own build does.
//!
//! `PASTE_BINARY` names another build of cargo-paste to test, such as one that was broken on purpose.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;
use tempfile::TempDir;

/// How long a program may run. A deadlock is a difference too.
const RUN_LIMIT: Duration = Duration::from_secs(10);

/// A crate that the solution depends on, by path.
#[derive(Debug, Clone, Copy)]
pub struct Lib<'a> {
    pub name: &'a str,
    pub edition: &'a str,
    /// What stands in its manifest besides the package.
    pub manifest: &'a str,
    /// `src/lib.rs`.
    pub source: &'a str,
}

/// A crate with nothing special in its manifest.
pub const fn lib<'a>(name: &'a str, edition: &'a str, source: &'a str) -> Lib<'a> {
    Lib { name, edition, manifest: "", source }
}

/// A package called `app`, how it is built and run, and what `cargo paste` must say of it.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    pub edition: &'a str,
    /// `src/main.rs`.
    pub main: &'a str,
    /// The crates it depends on. What a crate depends on stands in that crate's own manifest.
    pub libs: &'a [Lib<'a>],
    /// What stands in its manifest before the dependencies.
    pub manifest: &'a str,
    /// More files, or others instead of those above, by their path.
    pub files: &'a [(&'a str, &'a str)],
    /// The environment of both builds. A judge does not have it.
    pub env: &'a [(&'a str, &'a str)],
    /// More arguments for `cargo build`, which makes the program that the paste is compared with.
    pub reference: &'a [&'a str],
    /// What `cargo paste` must say on the standard error.
    pub says: &'a str,
    /// The input of the program.
    pub input: &'a str,
    /// Whether the case is about the oldest compiler of a judge.
    pub old_compiler: bool,
}

/// The case that the others are written as differences to.
pub const CASE: Case = Case {
    edition: "2021",
    main: "",
    libs: &[],
    manifest: "",
    files: &[],
    env: &[],
    reference: &[],
    says: "",
    input: "",
    old_compiler: false,
};

/// What a program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub stdout: String,
    /// The exit code; none if it was ended by a signal or by us.
    pub code: Option<i32>,
}

impl Run {
    /// The first thing that is not as expected.
    fn against(&self, expected: &Run) -> String {
        let (mut found, mut wanted) = (self.stdout.lines(), expected.stdout.lines());
        for line in 1.. {
            match (found.next(), wanted.next()) {
                (None, None) => break,
                (one, other) if one == other => {}
                (one, other) => return format!("line {line} is {one:?} instead of {other:?}"),
            }
        }
        format!("it ends with {:?} instead of {:?}", self.code, expected.code)
    }
}

#[derive(Debug, Deserialize)]
struct Summary {
    cells: Vec<Cell>,
}

#[derive(Debug, Deserialize)]
struct Cell {
    compiler: String,
    path: PathBuf,
    edition: String,
    verdict: String,
    #[serde(default)]
    reason: Option<String>,
}

impl Cell {
    fn claimed(&self) -> bool {
        assert!(
            ["same", "tested", "compiles", "refused"].contains(&self.verdict.as_str()),
            "there is no verdict {:?}",
            self.verdict
        );
        self.verdict == "same" || self.verdict == "tested"
    }
}

/// What came of a case.
#[derive(Debug)]
pub struct Outcome {
    /// Whether it is claimed with the current compiler in the solution's own edition.
    pub pasted: bool,
    /// Why not, or what the cells say.
    pub report: String,
}

/// The oldest compiler of a judge, if it is on this machine.
fn old_compiler() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain([PathBuf::from("/usr/bin")]);
    let mut compilers = places.map(|place| place.join("rustc")).filter(|file| file.is_file());
    compilers.find(|file| version(file, Path::new(".")).starts_with("1.63."))
}

/// The release of a compiler, as in `1.63.0`.
fn version(rustc: &Path, dir: &Path) -> String {
    let output = Command::new(rustc).arg("-V").current_dir(dir).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().nth(1).unwrap_or_default().to_owned()
}

/// A command without the variables that cargo sets for this test, except `CARGO` and `CARGO_HOME`, and without
/// variables that hold flags or wrappers.
pub fn clean(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let cargo = text.starts_with("CARGO") && text != "CARGO_HOME" && text != "CARGO";
        if cargo || ["RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUST_BACKTRACE"].contains(&text.as_ref())
        {
            command.env_remove(&name);
        }
    }
    command.env("CARGO_NET_OFFLINE", "true").stdin(Stdio::null());
    command
}

/// Runs a program on an input for a limited time.
fn run(executable: &Path, input: &str) -> Run {
    let (stdin, stdout) = (executable.with_extension("stdin"), executable.with_extension("stdout"));
    fs::write(&stdin, input).unwrap();
    let mut child = Command::new(executable)
        .stdin(fs::File::open(&stdin).unwrap())
        .stdout(fs::File::create(&stdout).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if start.elapsed() > RUN_LIMIT {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    Run { stdout: String::from_utf8_lossy(&fs::read(&stdout).unwrap()).into_owned(), code }
}

impl Case<'_> {
    /// It must be pasted: claimed with the current compiler in its own edition, and right wherever it is claimed.
    #[track_caller]
    pub fn is_pasted(&self) {
        let outcome = self.outcome();
        assert!(outcome.pasted, "not pasted: {}", outcome.report);
    }

    /// It must be refused, for this reason.
    #[track_caller]
    pub fn is_refused(&self, why: &str) {
        let outcome = self.outcome();
        assert!(!outcome.pasted && outcome.report.contains(why), "not refused as it should be: {}", outcome.report);
    }

    /// It may be refused, and must be right wherever it is claimed.
    #[track_caller]
    pub fn is_right_or_refused(&self) {
        let outcome = self.outcome();
        eprintln!("{}: {}", if outcome.pasted { "pasted" } else { "refused" }, outcome.report);
    }

    /// Builds, pastes, compiles and runs.
    ///
    /// # Panics
    /// If a claimed cell does otherwise than cargo's build.
    #[track_caller]
    pub fn outcome(&self) -> Outcome {
        let dir = self.write();
        let expected = self.cargo(dir.path());
        assert!(
            !expected.stdout.is_empty(),
            "the program prints nothing, so there is nothing to compare: {expected:?}"
        );
        self.compare(dir.path(), &expected)
    }

    /// The package in a folder of its own.
    fn write(&self) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        let package = |name: &str, edition: &str| {
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n")
        };
        let mut manifest = format!("{}[workspace]\n{}\n[dependencies]\n", package("app", self.edition), self.manifest);
        let mut files: Vec<(String, String)> = vec![("src/main.rs".into(), self.main.into())];
        for lib in self.libs {
            if !self.manifest.contains(&format!("path = \"{}\"", lib.name)) {
                let _ = writeln!(manifest, "{0} = {{ path = \"{0}\" }}", lib.name);
            }
            let own = format!("{}{}\n", package(lib.name, lib.edition), lib.manifest);
            files.push((format!("{}/Cargo.toml", lib.name), own));
            files.push((format!("{}/src/lib.rs", lib.name), lib.source.into()));
        }
        files.push(("Cargo.toml".into(), manifest));
        files.extend(self.files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    /// What cargo's own release build does.
    fn cargo(&self, dir: &Path) -> Run {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = clean(cargo);
        command.args(["build", "--release", "--quiet", "--target-dir", "built"]).args(self.reference).current_dir(dir);
        if !self.reference.is_empty() {
            // With an empty list of flags here, cargo does not use those in the package's own settings.
            command.env("CARGO_ENCODED_RUSTFLAGS", "");
        }
        let output = command.envs(self.env.iter().copied()).output().unwrap();
        assert!(output.status.success(), "cargo does not build it: {}", String::from_utf8_lossy(&output.stderr));
        run(&dir.join("built/release/app"), self.input)
    }

    /// Pastes it, and holds every claimed cell to what is expected.
    fn compare(&self, dir: &Path, expected: &Run) -> Outcome {
        let binary = std::env::var_os("PASTE_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_cargo-paste").into());
        let output = clean(binary)
            .args(["paste", "app", "--message-format", "json"])
            .current_dir(dir)
            .envs(self.env.iter().copied())
            .output()
            .unwrap();
        let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
        assert!(!said.contains("panicked at"), "the tool itself fails: {said}");
        assert!(!said.trim().is_empty(), "it says nothing, with exit code {:?}", output.status.code());
        match output.status.code() {
            Some(0) => {}
            Some(1 | 2) => {
                assert_eq!(text, "", "nothing may be printed with an error: {said}");
                return Outcome { pasted: false, report: said.trim().to_owned() };
            }
            other => panic!("there is no exit code {other:?}: {said}"),
        }
        assert!(said.contains(self.says), "it does not say `{}`: {said}", self.says);
        let line = said.lines().rfind(|line| line.starts_with('{')).unwrap_or_else(|| panic!("no summary: {said}"));
        let summary: Summary = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.check_old_compiler(&summary);
        fs::write(dir.join("program.rs"), &text).unwrap();
        let mut report = String::new();
        let mut wrong = String::new();
        let current = version(Path::new("rustc"), dir);
        let mut pasted = false;
        for cell in &summary.cells {
            let name = format!("{} edition {} {}", cell.compiler, cell.edition, cell.verdict);
            let _ = writeln!(report, "{name} {}", cell.reason.as_deref().unwrap_or_default());
            if !cell.claimed() {
                continue;
            }
            pasted |= cell.compiler == current && cell.edition == self.edition;
            match judge(cell, dir) {
                Err(error) => {
                    let _ = writeln!(wrong, "{name}, and does not compile: {error}");
                }
                Ok(executable) => {
                    let found = run(&executable, self.input);
                    if found != *expected {
                        let _ = writeln!(wrong, "{name}, but differs from cargo's build: {}", found.against(expected));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong}\n{report}\n{text}");
        if !pasted {
            let _ = writeln!(report, "rustc {current} edition {} is not claimed", self.edition);
        }
        Outcome { pasted, report }
    }

    /// A case about the old compiler proves nothing where that is not installed. This says so then, and fails in CI.
    fn check_old_compiler(&self, summary: &Summary) {
        let tried = summary.cells.iter().any(|cell| cell.compiler.starts_with("1.63"));
        if !self.old_compiler || tried {
            return;
        }
        assert!(old_compiler().is_none(), "rustc 1.63 is on this machine and was not tried: {summary:?}");
        assert!(std::env::var_os("CI").is_none(), "this case needs rustc 1.63, which is not on this machine");
        eprintln!("skipped for rustc 1.63, which is not on this machine");
    }
}

/// Compiles the paste as a judge does.
fn judge(cell: &Cell, dir: &Path) -> Result<PathBuf, String> {
    let executable = dir.join("program");
    let mut command = clean(&cell.path);
    if cell.edition != "2015" {
        command.args(["--edition", &cell.edition]);
    }
    command.env_remove("CARGO").arg("-O").arg("-o").arg(&executable).arg("program.rs").current_dir(dir);
    let output = command.output().unwrap();
    if output.status.success() { Ok(executable) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
