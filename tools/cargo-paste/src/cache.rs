//! What was pasted before: the same inputs, compilers and tool give the same result, a failure included.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::build::Program;
use crate::recorder::leads_back;
use crate::rustc::{Compiler, folders};
use crate::{Made, Options, emit, licence};

/// Of a longer file only the length and the time are looked at.
const MOST_READ: u64 = 1 << 20;

/// A hash of all files of a package. Packages below it, what cargo builds and what git keeps do not count.
#[must_use]
pub(crate) fn state_of(package: &Path) -> String {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut folders = vec![package.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let Ok(data) = fs::metadata(&path) else { continue };
            if data.is_dir() {
                let left_out = [".git", "target"].iter().any(|name| path.ends_with(name));
                if !left_out && !path.join("Cargo.toml").is_file() && !leads_back(&path) {
                    folders.push(path);
                }
                continue;
            }
            parts.push(path.as_os_str().as_encoded_bytes().to_vec());
            let short = Some(&path).filter(|_| data.len() <= MOST_READ).and_then(|path| fs::read(path).ok());
            parts.push(short.unwrap_or_else(|| format!("{} {:?}", data.len(), data.modified().ok()).into_bytes()));
        }
    }
    hash(parts.iter().map(Vec::as_slice))
}

/// A name for some bytes. Only the same bytes have the same name.
pub(crate) fn hash<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut name = String::new();
    for byte in hasher.finalize() {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// A name for all that decides what a paste looks like: what cargo said, every file the crates are made from, their
/// licences, the test data, the compilers, what was asked for, and this tool.
pub(crate) fn key(program: &Program, options: &Options, compilers: &[Compiler]) -> String {
    let tool = std::env::current_exe().and_then(fs::metadata).ok();
    let mut parts: Vec<Vec<u8>> = vec![
        format!("{:?}", tool.map(|tool| (tool.len(), tool.modified().ok()))).into_bytes(),
        program.records.clone().into_bytes(),
        program.left_out.join("\n").into_bytes(),
        format!("{:?} {} {}", options.keep, options.unproven, options.seconds).into_bytes(),
    ];
    for krate in &program.crates {
        parts.push(format!("{krate:?}").into_bytes());
        // A file may have been saved after the compiler had read it.
        parts.push(format!("{:?}", krate.built()).into_bytes());
    }
    let licences = program.crates.iter().flat_map(|krate| licence::paths(&emit::package(krate)));
    for file in program.inputs().chain(licences) {
        parts.push(file.to_string_lossy().into_owned().into_bytes());
        parts.push(fs::read(file).unwrap_or_default());
    }
    for case in crate::check::cases(&program.binary).unwrap_or_default() {
        parts.push(fs::read(&case.input).unwrap_or_default());
        parts.push(format!("{} {:?}", case.name, case.output).into_bytes());
    }
    for compiler in compilers {
        parts.push(format!("{} {}", compiler.path.display(), compiler.verbose).into_bytes());
    }
    hash(parts.iter().map(Vec::as_slice))
}

/// One file for each binary and set of kept crates, with and without `--unproven`, so that these do not push each other
/// out.
fn file(target: &Path, name: &str, options: &Options) -> PathBuf {
    let mut words = vec![name];
    words.extend(options.keep.iter().map(String::as_str));
    words.extend(options.unproven.then_some("--unproven"));
    target.join("paste").join(format!("{}.json", words.join("+")))
}

/// What came of `name`, if it was made from the same things.
pub(crate) fn read(target: &Path, name: &str, options: &Options, key: &str) -> Option<Made> {
    let text = fs::read_to_string(file(target, name, options)).ok()?;
    let (known, outcome) = serde_json::from_str::<(String, Made)>(&text).ok()?;
    (known == key).then_some(outcome)
}

/// Remembers what came of `name`. If that fails, the next run is only slower.
pub(crate) fn write(target: &Path, name: &str, options: &Options, key: &str, outcome: &Made) {
    if let Ok(text) = serde_json::to_string(&(key, outcome)) {
        let path = file(target, name, options);
        // An interrupt waits for this lock, so no half-written file stays behind.
        let _held = folders();
        let fresh = path.with_extension(format!("{}.new", std::process::id()));
        if fs::write(&fresh, text).is_ok() {
            drop(fs::rename(fresh, path));
        }
    }
}
