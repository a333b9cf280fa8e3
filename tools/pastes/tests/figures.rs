//! What `cargo figures` does with arguments, of which it takes none.

use std::process::Command;

/// The exit code, and what is printed on stdout and stderr.
fn figures(argument: &str) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_figures")).arg(argument).output().expect("cargo has built it");
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code(), stdout, stderr)
}

#[test]
fn a_call_for_help_is_answered_on_stdout() {
    for argument in ["--help", "-h"] {
        let (code, stdout, stderr) = figures(argument);
        assert_eq!((code, &*stderr), (Some(0), ""), "{argument}");
        assert!(stdout.contains("refreshes the table of problems"), "{argument}: {stdout}");
    }
}

#[test]
fn any_other_argument_is_refused_on_stderr() {
    let (code, stdout, stderr) = figures("boj_2615_omok");
    assert_eq!((code, &*stdout), (Some(2), ""));
    assert!(stderr.contains("takes no arguments"), "{stderr}");
}
