//! Both commands as a user has them. Each test has a package of its own in a temporary directory.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const SCAFFOLD: &str = env!("CARGO_BIN_EXE_scaffold");
const SAMPLE: &str = env!("CARGO_BIN_EXE_sample");

/// A package with these files, all with the text `theirs`.
fn package(files: &[&str]) -> TempDir {
    let package = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"games\"\nedition = \"2021\"\n";
    fs::write(package.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir_all(package.path().join("src/bin")).unwrap();
    fs::write(package.path().join("src/lib.rs"), "").unwrap();
    for file in files {
        let path = package.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "theirs").unwrap();
    }
    package
}

fn command(program: &str, directory: &Path, arguments: &str) -> Command {
    let mut command = Command::new(program);
    command.args(arguments.split_whitespace()).current_dir(directory).stdin(Stdio::null());
    command
}

fn succeed(program: &str, directory: &Path, arguments: &str) -> String {
    let output = command(program, directory, arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn fail(program: &str, directory: &Path, arguments: &str) -> String {
    refusal(&command(program, directory, arguments).output().unwrap())
}

fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(error.starts_with("error: ") && error.lines().count() == 1, "{error}");
    error
}

/// All files of a package with their texts, without those that every package has.
fn files(directory: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(next) = directories.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if !path.ends_with("Cargo.toml") && !path.ends_with("src/lib.rs") {
                let name = path.strip_prefix(directory).unwrap().to_str().unwrap().replace('\\', "/");
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn names(directory: &Path) -> Vec<String> {
    files(directory).into_iter().map(|(name, _)| name).collect()
}

const NEW: [&str; 3] = [
    "src/bin/boj_1234_some_name.rs",
    "testdata/boj_1234_some_name/sample-1.in",
    "testdata/boj_1234_some_name/sample-1.out",
];

#[test]
fn scaffold_starts_a_problem_and_says_what_to_type_next() {
    let package = package(&[]);
    let said = succeed(SCAFFOLD, package.path(), "boj 1234 some_name");
    assert_eq!(names(package.path()), NEW);
    for line in NEW.map(|file| format!("Created {file}\n")) {
        assert!(said.contains(&line), "{said}");
    }
    for next in ["test", "sample", "paste"] {
        assert!(said.contains(&format!("  cargo {next} boj_1234_some_name ")), "{said}");
    }
}

#[test]
fn scaffold_and_sample_work_from_a_directory_further_down() {
    let package = package(&["docs/notes/day.md"]);
    let below = package.path().join("docs/notes");
    succeed(SCAFFOLD, &below, "boj 1234 some_name");
    fs::write(below.join("a"), "1").unwrap();
    succeed(SAMPLE, &below, "boj_1234_some_name one --in a --out a");
    assert!(package.path().join("testdata/boj_1234_some_name/one.in").is_file());
}

#[test]
fn outside_a_package_both_say_so() {
    let nowhere = tempfile::tempdir().unwrap();
    assert!(fail(SCAFFOLD, nowhere.path(), "boj 1234 x").contains("could not find `Cargo.toml`"));
    assert!(fail(SAMPLE, nowhere.path(), "boj_1234_x").contains("could not find `Cargo.toml`"));
}

#[test]
fn scaffold_writes_nothing_where_anything_is_in_the_way() {
    for theirs in [
        "src/bin/boj_1234_some_name.rs",
        "src/bin/boj_1234_some_name/main.rs",
        "testdata/boj_1234_some_name/other.in",
        "testdata/boj_1234_some_name",
    ] {
        let package = package(&[theirs]);
        let why = fail(SCAFFOLD, package.path(), "boj 1234 some_name");
        assert!(why.contains("already there"), "{why}");
        assert_eq!(files(package.path()), [(theirs.to_owned(), "theirs".to_owned())]);
    }
}

#[test]
fn scaffold_takes_back_what_it_has_written_when_it_cannot_go_on() {
    let package = package(&["testdata"]);
    assert!(fail(SCAFFOLD, package.path(), "boj 1234 some_name").contains("cannot write testdata"));
    assert_eq!(names(package.path()), ["testdata"]);
}

#[test]
fn scaffold_refuses_a_bad_name_with_a_better_one() {
    let package = package(&[]);
    assert!(fail(SCAFFOLD, package.path(), "boj 1234 Some-Name").contains("try some_name"));
    assert_eq!(names(package.path()), [""; 0]);
}

#[test]
fn the_first_sample_takes_the_place_of_the_placeholder_and_the_next_comes_after_it() {
    let package = package(&["theirs/1.in", "theirs/1.out"]);
    succeed(SCAFFOLD, package.path(), "boj 1234 some_name");
    let add = "boj_1234_some_name --in theirs/1.in --out theirs/1.out";
    assert!(succeed(SAMPLE, package.path(), add).starts_with("Replaced the placeholders"));
    fs::write(package.path().join("theirs/1.in"), "more").unwrap();
    let said = succeed(SAMPLE, package.path(), add);
    assert!(said.starts_with("Added testdata/boj_1234_some_name/sample-2.in"), "{said}");
    assert!(said.contains("cargo test boj_1234_some_name"), "{said}");
    for (case, input) in [("sample-1", "theirs\n"), ("sample-2", "more\n")] {
        let path = package.path().join("testdata/boj_1234_some_name").join(case);
        assert_eq!(fs::read_to_string(path.with_extension("in")).unwrap(), input);
        assert_eq!(fs::read_to_string(path.with_extension("out")).unwrap(), "theirs\n");
    }
}

#[test]
fn a_sample_is_taken_once() {
    let package = package(&[]);
    succeed(SCAFFOLD, package.path(), "boj 1 x");
    fs::write(package.path().join("a.in"), "1 2\n").unwrap();
    fs::write(package.path().join("a.out"), "3\n").unwrap();
    succeed(SAMPLE, package.path(), "boj_1_x --in a.in --out a.out");
    let why = fail(SAMPLE, package.path(), "boj_1_x --in a.in --out a.out");
    assert!(why.contains("sample-1.in has the same input"), "{why}");
    assert!(!package.path().join("testdata/boj_1_x/sample-2.in").exists());
}

#[test]
fn a_placeholder_that_someone_has_edited_stays() {
    let package = package(&[]);
    succeed(SCAFFOLD, package.path(), "boj 1234 some_name");
    fs::write(package.path().join(NEW[2]), "4\n").unwrap();
    let before = files(package.path());
    let why = fail(SAMPLE, package.path(), "boj_1234_some_name sample-1");
    assert!(why.contains("already there"), "{why}");
    assert_eq!(files(package.path()), before);
}

#[test]
fn half_a_case_is_in_the_way_of_a_whole_one() {
    let package = package(&["src/bin/go.rs", "testdata/go/sample-1.out"]);
    assert!(fail(SAMPLE, package.path(), "go sample-1").contains("sample-1.out is already there"));
    assert!(succeed(SAMPLE, package.path(), "go --in src/bin/go.rs --out src/bin/go.rs").contains("sample-2"));
}

#[test]
fn files_lose_their_carriage_returns_and_keep_the_blank_lines_of_the_output() {
    let package = package(&["src/bin/go.rs"]);
    fs::write(package.path().join("1"), "\u{feff}1\r\n2").unwrap();
    fs::write(package.path().join("2"), "3\r\n\r\n").unwrap();
    succeed(SAMPLE, package.path(), "go two_newlines --in 1 --out 2");
    let case = package.path().join("testdata/go/two_newlines");
    assert_eq!(fs::read_to_string(case.with_extension("in")).unwrap(), "1\n2\n");
    assert_eq!(fs::read_to_string(case.with_extension("out")).unwrap(), "3\n\n");
}

#[test]
fn input_and_output_can_come_through_one_pipe() {
    let package = package(&["src/bin/go.rs"]);
    let pipe = |text: &str| {
        fs::write(package.path().join("piped"), text).unwrap();
        let piped = fs::File::open(package.path().join("piped")).unwrap();
        command(SAMPLE, package.path(), "go").stdin(piped).output().unwrap()
    };
    assert!(pipe("1\n---\n2\n").status.success());
    assert!(refusal(&pipe("1\n2\n")).contains("need a line ---"));
    let both = files(&package.path().join("testdata"));
    let expected = [("go/sample-1.in", "1\n"), ("go/sample-1.out", "2\n")];
    assert_eq!(both, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

#[test]
fn a_file_that_is_missing_is_named() {
    let package = package(&["src/bin/go.rs"]);
    assert!(fail(SAMPLE, package.path(), "go --in no.in --out no.out").contains("cannot read no.in"));
    assert_eq!(names(package.path()), ["src/bin/go.rs"]);
}

#[test]
fn a_problem_that_is_not_there_brings_up_the_one_that_was_meant() {
    let package = package(&["src/bin/boj_2615_omok.rs", "src/bin/boj_15671_othello/main.rs"]);
    for (wanted, meant) in [
        ("boj_2615", "boj_2615_omok"),
        ("omok", "boj_2615_omok"),
        ("boj", "boj_15671_othello or boj_2615_omok"),
        ("boj_2615_omuk", "boj_2615_omok"),
        ("boj_15761_othello", "boj_15671_othello"),
    ] {
        let why = fail(SAMPLE, package.path(), wanted);
        assert!(why.contains(&format!("did you mean {meant}?")), "{why}");
    }
    for unlike in ["chess", "boj_9999_chess"] {
        assert!(fail(SAMPLE, package.path(), unlike).contains("`cargo scaffold` adds one"));
    }
}

/// A script takes the place of a program that reads the clipboard. It gives another text each time.
#[cfg(unix)]
#[test]
fn the_clipboard_has_first_the_input_and_then_the_output() {
    use std::os::unix::fs::PermissionsExt;

    let package = package(&["src/bin/go.rs", "enter"]);
    let programs = tempfile::tempdir().unwrap();
    let reader = programs.path().join("xsel");
    let script = "#!/bin/sh\necho x >>reads\nif [ \"$(grep -c x reads)\" = 1 ]; then echo '1 2'; else echo 3; fi\n";
    fs::write(&reader, script).unwrap();
    fs::set_permissions(&reader, fs::Permissions::from_mode(0o755)).unwrap();

    let copied = |path: &str| {
        fs::write(package.path().join("enter"), "\n").unwrap();
        command(SAMPLE, package.path(), "go --clipboard")
            .env("PATH", path)
            .env("CARGO", env!("CARGO"))
            .stdin(fs::File::open(package.path().join("enter")).unwrap())
            .output()
            .unwrap()
    };
    assert!(refusal(&copied("")).contains("pbpaste, wl-paste, xclip, xsel"));
    let path = format!("{}:/usr/bin:/bin", programs.path().display());
    let output = copied(&path);
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("Now copy the output"));
    let case = package.path().join("testdata/go/sample-1");
    assert_eq!(fs::read_to_string(case.with_extension("in")).unwrap(), "1 2\n");
    assert_eq!(fs::read_to_string(case.with_extension("out")).unwrap(), "3\n");
}
