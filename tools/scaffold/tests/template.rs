//! The template keeps what it promises, in a copy of this repository: a new problem is formatted, gets no warning
//! from clippy, passes its sample and its brute force, and can be pasted.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// One of each judge, since the title and the link in the solution depend on the judge.
const PROBLEMS: [&str; 5] = [
    "boj 1234 some_name",
    "jutge P12345 some_name",
    "atcoder abc123_a some_name",
    "codeforces 1234A some_name",
    "kattis reversi some_name",
];

#[test]
#[ignore = "builds a copy of the repository, which takes minutes"]
fn a_new_problem_is_clean_and_passes_and_can_be_pasted() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Always in the same place, so that a second run compiles only the repository's own crates again.
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("repository");
    let _ = fs::remove_dir_all(&copy);
    copy_directory(&repository, &copy);

    for problem in PROBLEMS {
        cargo(&copy, &format!("scaffold {problem}"));
    }
    cargo(&copy, "fmt --check");
    cargo(&copy, "clippy --bins --tests -- -D warnings");
    cargo(&copy, "doc --no-deps --bins");
    let name = "boj_1234_some_name";
    let tests = cargo(&copy, &format!("test --test * {name}"));
    let sample = format!("test {name}::sample-1 ");
    let passed = |line: &str| line.starts_with(&sample) && line.ends_with(" ok");
    assert!(tests.lines().any(passed), "{tests}");
    let tests = cargo(&copy, &format!("test --bin {name}"));
    assert!(tests.contains("answered_as_the_brute_force_does ... ok"), "{tests}");
    let bundle = copy.join("pasted.rs");
    fs::write(&bundle, cargo(&copy, &format!("paste {name}"))).unwrap();
    assert_eq!(answer(&bundle, &copy.join(format!("testdata/{name}/sample-1.in"))), "3\n");
}

/// Runs cargo as a user of the copy does, and returns what it prints.
fn cargo(directory: &Path, arguments: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments.split(' '))
        .current_dir(directory)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", directory.with_file_name("repository-target"))
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()
        .unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "cargo {arguments}:\n{stdout}{stderr}");
    stdout
}

/// Compiles a single file without crates, runs it, and returns what it prints.
fn answer(source: &Path, input: &Path) -> String {
    let program = source.with_extension(env::consts::EXE_EXTENSION);
    let rustc = Command::new("rustc").args(["-O", "-o"]).arg(&program).arg(source).status();
    assert!(rustc.unwrap().success());
    let input = fs::File::open(input).unwrap();
    let output = Command::new(program).stdin(Stdio::from(input)).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn copy_directory(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if path.is_file() && name != ".git" {
            fs::copy(&path, to.join(name)).unwrap();
        } else if path.is_dir() && name != ".git" && name != "target" {
            copy_directory(&path, &to.join(name));
        }
    }
}
