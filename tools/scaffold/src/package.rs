//! The package at the root of the current workspace: where its problems are, and how files are added to it.

use anyhow::{Context, Result, bail, ensure};
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file to write: its path from the package's root, and its text.
pub type NewFile = (PathBuf, String);

/// A package in which every binary is a problem.
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
        let why = String::from_utf8_lossy(&found.stderr);
        let why = why.lines().next().unwrap_or_default();
        ensure!(found.status.success(), "there is no package to add to: {}", why.trim_start_matches("error: "));
        let manifest = PathBuf::from(String::from_utf8(found.stdout)?.trim_end());
        Ok(Package { root: manifest.with_file_name("") })
    }

    /// Where a path of the package is on this machine.
    #[must_use]
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// The names of its problems, each `src/bin/<name>.rs` or `src/bin/<name>/main.rs`.
    fn problems(&self) -> Result<Vec<String>> {
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
        let meant = nearest(problem, &problems);
        ensure!(meant.is_empty(), "there is no problem {problem}; did you mean {}?", meant.join(" or "));
        bail!("there is no problem {problem} in src/bin; `cargo scaffold` adds one")
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

/// The known names that `wanted` is a part of, or else the nearest one, if it is a few typing mistakes away.
fn nearest<'a>(wanted: &str, known: &'a [String]) -> Vec<&'a str> {
    let known = known.iter().map(String::as_str);
    let containing: Vec<_> = known.clone().filter(|name| name.contains(wanted)).collect();
    if !containing.is_empty() {
        return containing;
    }
    let slips = |name: &&str| strsim::damerau_levenshtein(wanted, name);
    let closest = known.min_by_key(slips);
    closest.filter(|name| slips(name) <= 1 + name.len() / 4).into_iter().collect()
}

fn create(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    File::create_new(path)?.write_all(text.as_bytes()).inspect_err(|_| remove(path))?;
    Ok(())
}

/// Removes what was just created, and its directory if that is now empty. Errors are ignored, since a failure is being
/// reported already.
fn remove(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = path.parent().map(fs::remove_dir);
}
