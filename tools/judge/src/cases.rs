//! Finds the binaries of a package and their test data, so that nothing has to be registered.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// One input with the output it must lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The binary it is for, which is also the directory it is in.
    pub binary: String,
    /// Its file name without the extension.
    pub name: String,
    /// The file for standard input.
    pub input: PathBuf,
    /// The file with the expected output.
    pub output: PathBuf,
}

/// The names of the package's binaries: `src/bin/<name>.rs` and `src/bin/<name>/main.rs`.
///
/// # Errors
/// If a directory cannot be read.
pub fn binaries(package: &Path) -> io::Result<BTreeSet<String>> {
    let sources = entries(&package.join("src/bin"))?;
    Ok(sources
        .iter()
        .filter(|path| has_extension(path, "rs") || path.join("main.rs").is_file())
        .map(|path| stem(path))
        .collect())
}

/// Every complete case under `testdata/`, and a sentence for each fault: a binary without cases, a directory without a
/// binary, half a pair, a stray file.
///
/// # Errors
/// If a directory cannot be read.
pub fn discover(package: &Path) -> io::Result<(Vec<Case>, Vec<String>)> {
    let mut cases = Vec::new();
    let mut faults = Vec::new();
    let mut untested = binaries(package)?;
    for directory in entries(&package.join("testdata"))? {
        if !directory.is_dir() {
            faults.push(format!("{} belongs in a directory named after a binary", directory.display()));
            continue;
        }
        let binary = stem(&directory);
        if !untested.remove(&binary) {
            faults.push(format!("{} has no binary src/bin/{binary}.rs", directory.display()));
            continue;
        }
        let mut names = BTreeSet::new();
        for file in entries(&directory)? {
            if has_extension(&file, "in") || has_extension(&file, "out") {
                names.insert(stem(&file));
            } else {
                faults.push(format!("{} is neither an .in nor an .out file", file.display()));
            }
        }
        if names.is_empty() {
            faults.push(format!("{} holds no case", directory.display()));
        }
        for name in names {
            let input = directory.join(format!("{name}.in"));
            let output = directory.join(format!("{name}.out"));
            if !input.is_file() {
                faults.push(format!("{} has no .in file", output.display()));
            } else if !output.is_file() {
                faults.push(format!("{} has no .out file", input.display()));
            } else {
                let binary = binary.clone();
                cases.push(Case { binary, name, input, output });
            }
        }
    }
    faults.extend(untested.iter().map(|binary| format!("{binary} has no testdata/{binary}/<case>.in with its .out")));
    Ok((cases, faults))
}

/// Where cargo put the binary of that name, for an integration test to run.
///
/// # Panics
/// If there is none, which cargo rules out for a binary of the package under test.
#[must_use]
pub fn executable(binary: &str) -> PathBuf {
    // Recent versions of cargo say where it is, whatever the target directory and profile.
    if let Some(path) = env::var_os(format!("CARGO_BIN_EXE_{binary}")) {
        return path.into();
    }
    // Older ones put it beside the directory of the test's own executable.
    let test = env::current_exe().expect("a running test has a path");
    let path = test
        .ancestors()
        .skip(1)
        .take(2)
        .map(|directory| directory.join(binary).with_extension(env::consts::EXE_EXTENSION))
        .find(|candidate| candidate.is_file());
    path.unwrap_or_else(|| panic!("no executable {binary} beside {}", test.display()))
}

fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let in_context = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", directory.display()));
    let mut paths = fs::read_dir(directory)
        .map_err(in_context)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    // What file managers and editors leave behind, such as `.DS_Store`, is nobody's test data.
    paths.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    paths.sort();
    Ok(paths)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension() == Some(OsStr::new(extension))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package with these files, all empty.
    fn package(files: &[&str]) -> tempfile::TempDir {
        let package = tempfile::tempdir().unwrap();
        for directory in ["src/bin", "testdata"] {
            fs::create_dir_all(package.path().join(directory)).unwrap();
        }
        for file in files {
            let path = package.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        package
    }

    fn only_fault(files: &[&str]) -> String {
        let package = package(files);
        let (_, faults) = discover(package.path()).unwrap();
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults[0].clone()
    }

    #[test]
    fn a_pair_is_found_for_either_kind_of_binary() {
        let package = package(&[
            "src/bin/go.rs",
            "src/bin/hex/main.rs",
            "testdata/go/one.in",
            "testdata/go/one.out",
            "testdata/hex/sample-1.in",
            "testdata/hex/sample-1.out",
        ]);
        let (cases, faults) = discover(package.path()).unwrap();
        assert_eq!(faults, Vec::<String>::new());
        let names: Vec<_> = cases.iter().map(|case| (case.binary.as_str(), case.name.as_str())).collect();
        assert_eq!(names, [("go", "one"), ("hex", "sample-1")]);
    }

    #[test]
    fn a_binary_without_test_data_is_a_fault() {
        assert!(only_fault(&["src/bin/go.rs"]).contains("go has no testdata"));
    }

    #[test]
    fn a_directory_without_a_binary_is_a_fault() {
        assert!(only_fault(&["testdata/go/one.in", "testdata/go/one.out"]).contains("no binary"));
    }

    #[test]
    fn half_a_pair_is_a_fault() {
        let binary = "src/bin/go.rs";
        assert!(only_fault(&[binary, "testdata/go/one.in"]).contains("no .out"));
        assert!(only_fault(&[binary, "testdata/go/one.out"]).contains("no .in"));
    }

    #[test]
    fn a_stray_file_is_a_fault() {
        let pair = ["src/bin/go.rs", "testdata/go/one.in", "testdata/go/one.out"];
        assert!(only_fault(&[&pair[..], &["testdata/go/one.txt"]].concat()).contains("neither"));
        assert!(only_fault(&[&pair[..], &["testdata/one.in"]].concat()).contains("belongs"));
    }

    #[test]
    fn an_empty_directory_is_a_fault() {
        let package = package(&["src/bin/go.rs"]);
        fs::create_dir(package.path().join("testdata/go")).unwrap();
        assert!(discover(package.path()).unwrap().1[0].contains("holds no case"));
    }
}
