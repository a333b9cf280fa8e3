//! The pastes as a user gets them: by the command `cargo paste`, and compiled as a judge compiles them. And the figures
//! of the README.

pub mod readme;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// A paste and what `cargo paste` says of it.
pub struct Paste {
    /// The file.
    pub text: String,
    /// The summary, as `--message-format json` writes it.
    pub summary: Value,
}

impl Paste {
    /// What the summary says of it for a compiler and an edition.
    #[must_use]
    pub fn verdict(&self, compiler: &Compiler, edition: &str) -> &str {
        let cells = self.summary["cells"].as_array().map(Vec::as_slice).unwrap_or_default();
        let cell = cells.iter().find(|cell| cell["compiler"] == *compiler.version && cell["edition"] == edition);
        cell.and_then(|cell| cell["verdict"].as_str()).unwrap_or("missing")
    }
}

/// Pastes a binary or an example of the repository, with these `flags` besides.
///
/// # Errors
/// What `cargo paste` said when it refused.
pub fn paste(name: &str, flags: &[&str]) -> Result<Paste, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["paste", name, "--message-format", "json"];
    let output = Command::new(cargo).args(words).args(flags).current_dir(root()).output();
    let output = output.map_err(|error| format!("cannot run cargo: {error}"))?;
    let [text, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if !output.status.success() {
        return Err(said);
    }
    let summary = said.lines().rev().find_map(|line| serde_json::from_str(line).ok());
    Ok(Paste { text, summary: summary.ok_or_else(|| format!("cargo paste wrote no summary:\n{said}"))? })
}

/// A compiler that a judge may have.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The executable.
    pub path: PathBuf,
    /// Its version, such as `1.63.0`.
    pub version: String,
}

impl Compiler {
    /// Every compiler that is looked for and is there, one of each version: the current `rustc`; Debian's, which is
    /// `/usr/bin/rustc`; and rustup's 1.63, since that is the version of Debian 12 and Jutge.
    #[must_use]
    pub fn all() -> Vec<Compiler> {
        let rustup = Command::new("rustup").args(["which", "--toolchain", "1.63", "rustc"]).output();
        let rustup = rustup.ok().filter(|output| output.status.success());
        let rustup = rustup.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        let mut found: Vec<Compiler> = Vec::new();
        for path in ["rustc".to_owned(), "/usr/bin/rustc".to_owned()].into_iter().chain(rustup) {
            let Ok(output) = Command::new(&path).arg("--version").output() else { continue };
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let Some(version) = said.split_whitespace().nth(1) else { continue };
            if found.iter().all(|other| other.version != version) {
                found.push(Compiler { path: path.into(), version: version.to_owned() });
            }
        }
        found
    }

    /// Whether it is the one that Jutge runs.
    #[must_use]
    pub fn is_jutges(&self) -> bool {
        self.version.starts_with("1.63.")
    }

    /// The editions that it knows.
    #[must_use]
    pub fn editions(&self) -> &'static [&'static str] {
        let minor = self.version.split('.').nth(1).and_then(|minor| minor.parse().ok());
        let editions = &["2015", "2018", "2021", "2024"];
        if minor.unwrap_or(0) >= 85 { editions } else { &editions[..3] }
    }

    /// Compiles a file as a judge does, optimised. If it is `strict`, a warning is an error.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn compile(&self, edition: &str, source: &Path, executable: &Path, strict: bool) -> Result<(), String> {
        let mut command = Command::new(&self.path);
        // Some judges name no edition, which means 2015.
        if edition != "2015" {
            command.args(["--edition", edition]);
        }
        if strict {
            command.args(["-D", "warnings"]);
        }
        command.args(["-O", "--crate-name", "paste", "-o"]).arg(executable).arg(source);
        let output = command.output().map_err(|error| format!("{}: {error}", self.path.display()))?;
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }
}

/// The text of a file of the repository.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
