//! The package that the current directory is in: where its problems are, and how files are added to it.

use anyhow::{Context, Result, bail, ensure};
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file to be: its path from the package's root, and what will be in it.
pub type NewFile = (PathBuf, String);

/// A package with one problem to a binary.
#[derive(Debug)]
pub struct Package {
    root: PathBuf,
}

impl Package {
    /// The package at the root of the workspace that the current directory is in.
    ///
    /// # Errors
    /// If there is none.
    pub fn find() -> Result<Package> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let found = Command::new(cargo)
            .args(["locate-project", "--workspace", "--message-format", "plain"])
            .output()
            .context("cannot run cargo")?;
        let said = if found.status.success() {
            &found.stdout
        } else {
            &found.stderr
        };
        let said = String::from_utf8_lossy(said);
        let said = said.lines().next().unwrap_or_default();
        match Path::new(said).parent() {
            Some(root) if found.status.success() => Ok(Package::at(root)),
            _ => bail!(
                "there is no package to add to: {}",
                said.trim_start_matches("error: ")
            ),
        }
    }

    /// The package with its `Cargo.toml` in `root`.
    #[must_use]
    pub fn at(root: &Path) -> Package {
        Package { root: root.into() }
    }

    /// Where a path of the package is on this machine.
    #[must_use]
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// The names of its problems, each `src/bin/<name>.rs` or `src/bin/<name>/main.rs`.
    ///
    /// # Errors
    /// If `src/bin` cannot be read.
    pub fn problems(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        let sources = fs::read_dir(self.path("src/bin"))
            .with_context(|| format!("cannot read src/bin in {}", self.root.display()))?;
        for source in sources {
            let path = source?.path();
            if path.extension() == Some(OsStr::new("rs")) || path.join("main.rs").is_file() {
                names.extend(path.file_stem().map(|name| name.to_string_lossy().into()));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Checks that the package has this problem.
    ///
    /// # Errors
    /// If it has not, with the name that was probably meant.
    pub fn require(&self, problem: &str) -> Result<()> {
        let problems = self.problems()?;
        if problems.iter().any(|name| name == problem) {
            return Ok(());
        }
        match nearest(problem, &problems) {
            Some(name) => bail!("there is no problem {problem}; did you mean {name}?"),
            None => bail!(
                "there is no problem {problem}; `cargo scaffold` adds one, and src/bin has those that are there"
            ),
        }
    }

    /// Writes all of the files or none of them, and never over anything that is there.
    ///
    /// # Errors
    /// If one is there already or cannot be written.
    pub fn add(&self, files: &[NewFile]) -> Result<()> {
        for (path, _) in files {
            self.require_free(path)?;
        }
        for (written, (path, text)) in files.iter().enumerate() {
            if let Err(error) = create(&self.path(path), text) {
                for (path, _) in &files[..written] {
                    remove(&self.path(path));
                }
                return Err(error.context(format!("cannot write {}", path.display())));
            }
        }
        Ok(())
    }

    /// Checks that a path is not taken.
    ///
    /// # Errors
    /// If it is.
    pub fn require_free(&self, path: &Path) -> Result<()> {
        ensure!(
            // Unlike `exists`, this sees a link that leads nowhere.
            self.path(path).symlink_metadata().is_err(),
            "{} is already there, and nothing is overwritten; choose another name, or move it away first",
            path.display()
        );
        Ok(())
    }
}

/// The known name that comes closest to `wanted`: the only one that it is a part of, or one a few letters away.
fn nearest<'a>(wanted: &str, known: &'a [String]) -> Option<&'a String> {
    let mut containing = known.iter().filter(|name| name.contains(wanted));
    if let (Some(name), None) = (containing.next(), containing.next()) {
        return Some(name);
    }
    let likeness = |name: &&String| strsim::jaro_winkler(wanted, name);
    known
        .iter()
        .filter(|name| likeness(name) > 0.7)
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

fn create(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let mut file = File::create_new(path)?;
    if let Err(error) = file.write_all(text.as_bytes()) {
        remove(path);
        return Err(error.into());
    }
    Ok(())
}

/// Removes what was just created, and its directory if that is now empty: a failure is being reported already.
fn remove(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = path.parent().map(fs::remove_dir);
}
