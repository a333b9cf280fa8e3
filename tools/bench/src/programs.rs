//! What is measured: the solutions as cargo builds them and as a judge compiles their pastes, and their peers.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

/// What a program was made from. The order is the order of a table's rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An empty Rust `main`: what any program costs before its first line.
    Empty,
    /// Written for speed alone.
    C,
    /// The solution, by `cargo build --release`.
    Release,
    /// The same solution as one file, by `rustc -O`, as a judge compiles it.
    Paste,
    /// The same file by Rust 1.63, the compiler of Jutge.
    OldPaste,
    /// What a good C++ user hands in.
    Cpp,
    /// What a good Python user hands in.
    Python,
}

impl Kind {
    /// The name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty Rust `main`",
            Self::C => "C",
            Self::Release => "**Stones**, release",
            Self::Paste => "**Stones**, paste",
            Self::OldPaste => "**Stones**, paste, Rust 1.63",
            Self::Cpp => "C++",
            Self::Python => "Python",
        }
    }
}

/// Something to run: reads standard input, writes standard output.
#[derive(Clone)]
pub struct Program {
    /// What it was made from.
    pub kind: Kind,
    /// The executable and its arguments.
    pub command: Vec<OsString>,
}

/// The programs of each problem.
pub type Programs = BTreeMap<String, Vec<Program>>;

/// The program of that kind, where there is one.
pub fn find(programs: &[Program], kind: Kind) -> Option<&Program> {
    programs.iter().find(|program| program.kind == kind)
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Builds all solutions into cargo's own folder, and the pastes and peers of the problems whose name contains `filter`
/// into `directory`. Also gives a line for each of these that could not be made.
pub fn build(directory: &Path, filter: &str) -> Result<(Programs, Vec<String>)> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    eprintln!("building the solutions");
    let status = Command::new(&cargo).args(["build", "--release", "--bins"]).current_dir(root()).status()?;
    if !status.success() {
        bail!("the solutions do not build");
    }
    // Cargo has put this program beside them, whatever the target directory.
    let here = env::current_exe()?;
    let releases = here.parent().context("an executable is in a directory")?;

    let mut left_out = Vec::new();
    let mut by_problem = BTreeMap::new();
    for problem in problems()?.into_iter().filter(|name| name.contains(filter)) {
        eprintln!("{problem}: pasting it, and building its peers");
        let mut built = vec![
            (Kind::Empty, prepare(Kind::Empty, &peers().join("empty.rs"), directory)),
            (Kind::Release, Ok(vec![releases.join(&problem).into()])),
        ];
        match paste(&cargo, &problem, directory) {
            Ok(source) => {
                built.push((Kind::Paste, prepare(Kind::Paste, &source, directory)));
                built.push((Kind::OldPaste, prepare(Kind::OldPaste, &source, directory)));
            }
            Err(reason) => built.push((Kind::Paste, Err(reason))),
        }
        for (kind, extension) in [(Kind::C, "c"), (Kind::Cpp, "cpp"), (Kind::Python, "py")] {
            let source = peers().join(&problem).with_extension(extension);
            if source.exists() {
                built.push((kind, prepare(kind, &source, directory)));
            }
        }
        let mut programs = Vec::new();
        for (kind, command) in built {
            match command {
                Ok(command) => programs.push(Program { kind, command }),
                Err(reason) => left_out.push(format!("{problem}, {}: {reason}", kind.name())),
            }
        }
        programs.sort_by_key(|program| program.kind);
        by_problem.insert(problem, programs);
    }
    if by_problem.is_empty() {
        bail!("no solution's name contains `{filter}`");
    }
    Ok((by_problem, left_out))
}

fn peers() -> PathBuf {
    root().join("tools/bench/peers")
}

/// One name for each `src/bin/<name>.rs` or `src/bin/<name>/main.rs`, so that a new problem is measured without being
/// registered.
fn problems() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("src/bin")).context("src/bin has the solutions")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").is_file() {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Makes a source ready to run.
fn prepare(kind: Kind, source: &Path, directory: &Path) -> Result<Vec<OsString>> {
    match kind {
        Kind::C => compile(&["gcc", "-O2"], source, directory),
        Kind::Cpp => compile(&["g++", "-O2", "-std=c++17"], source, directory),
        Kind::Python => {
            // The interpreter itself: a version manager's shim would be measured in its place.
            let print = "import sys; print(sys.executable, end='')";
            let python = run(Command::new("python3").args(["-c", print]))?;
            Ok(vec![String::from_utf8(python)?.into(), source.into()])
        }
        Kind::OldPaste => {
            // Under a name of its own, so that the executable gets one too.
            let copy = source.with_extension("old.rs");
            fs::copy(source, &copy)?;
            compile(&[&old_compiler()?, "-O", "--crate-name=old"], &copy, directory)
        }
        Kind::Empty | Kind::Release | Kind::Paste => compile(&["rustc", "-O"], source, directory),
    }
}

/// Rust 1.63 as Debian 12 installs it, or as rustup does.
fn old_compiler() -> Result<String> {
    let rustup = run(Command::new("rustup").args(["which", "--toolchain", "1.63", "rustc"]));
    let rustup = rustup.map(|path| String::from_utf8_lossy(&path).trim().to_owned());
    for compiler in rustup.into_iter().chain(["/usr/bin/rustc".to_owned()]) {
        let version = run(Command::new(&compiler).arg("--version")).unwrap_or_default();
        if version.starts_with(b"rustc 1.63.") {
            return Ok(compiler);
        }
    }
    bail!("no Rust 1.63")
}

fn compile(compiler: &[&str], source: &Path, directory: &Path) -> Result<Vec<OsString>> {
    let mut executable = source.file_name().context("a source is a file")?.to_owned();
    executable.push(".exe");
    let executable = directory.join(executable);
    run(Command::new(compiler[0]).args(&compiler[1..]).arg("-o").args([&executable, source]))?;
    Ok(vec![executable.into()])
}

/// Pastes `problem` into `directory` and returns the file.
fn paste(cargo: &OsString, problem: &str, directory: &Path) -> Result<PathBuf> {
    let text = run(Command::new(cargo).args(["paste", problem]).current_dir(root()))?;
    let source = directory.join(format!("{problem}.rs"));
    fs::write(&source, text)?;
    Ok(source)
}

/// Standard output, or a one-line reason.
fn run(command: &mut Command) -> Result<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("no {name}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let error = message.lines().find(|line| line.contains("error"));
        bail!("{}", error.unwrap_or("fails, and no line of its output has the word error"));
    }
    Ok(output.stdout)
}
