//! Crates that solutions use, each pasted, compiled in every cell the paste claims and run on an input.
//!
//! Slow, and they need crates that nothing else here does, so they wait to be asked for:
//! `cargo test -p cargo-paste --test wide -- --ignored --nocapture --test-threads 1`, which prints the README's table.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use cargo_paste::resolve::Workspace;
use cargo_paste::verify::Verdict;
use cargo_paste::{Options, check, paste};

/// Pastes a binary of the fixture. `most` is the size in bytes that it must not exceed.
fn holds(name: &str, input: &str, output: &str, most: usize) {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wide/Cargo.toml");
    let workspace = Workspace::load(Some(&manifest)).unwrap();
    let (_, made) = paste(&workspace, name, &Options { fresh: true, ..Options::default() }, &mut |_| {}).unwrap();
    println!(
        "| `{name}` | {} | {} | {} | {:.0} s | {} |",
        made.before,
        made.text.len(),
        made.calls,
        made.seconds,
        made.range()
    );
    assert_eq!(made.notes, [""; 0]);
    assert!(made.text.len() <= most, "{name} has {} bytes, more than {most}", made.text.len());
    let dir = tempfile::tempdir().unwrap();
    let (source, executable) = (dir.path().join("paste.rs"), dir.path().join("paste"));
    std::fs::write(&source, &made.text).unwrap();
    let claimed: Vec<_> = made.cells.iter().filter(|cell| cell.verdict == Verdict::Same).collect();
    assert!(claimed.len() > 2, "{name} is for {}", made.range());
    for cell in claimed {
        check::compile(&cell.path, cell.edition, &source, &executable, &[]).unwrap();
        let mut child = Command::new(&executable).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let found = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&found.stdout), output, "{name}, {} {}", cell.compiler, cell.edition);
    }
}

#[test]
#[ignore = "slow"]
fn the_rest_of_proconio() {
    let input = "2\nabc xyz\n3 0\n5 1\n-6 2\n1 2\n3 4\n2 7 8\n0\n99\n";
    let output = "3 [120, 121, 122] 2 -1 [(5, 0), (-6, 1)] [[1, 2], [3, 4]] [[7, 8], []]\n99 true\n";
    holds("proconio_rest", input, output, 16_384);
}

#[test]
#[ignore = "slow"]
fn bit_sets_and_hashes() {
    holds("sets", "4\n3 99 3 7\n", "3 [3, 7, 99] 3\n", 20_000);
}

#[test]
#[ignore = "slow"]
fn many_adaptors_of_itertools() {
    let output = "\
[-1, 1, 2, 3]
[2, -1, -1, 4]
Some(9)
[[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
[(-1, 1), (1, 1), (2, 1), (3, 2)]
[(true, 4), (false, 1)]
3,1,2,3,-1
[2, 5, 6, 7, 6]
false
7
[-1, 1, 2]
25
";
    holds("itertools_many", "5\n3 1 2 3 -1\n", output, 50_000);
}

#[test]
#[ignore = "slow"]
fn a_solution_with_ac_library_itertools_and_proconio() {
    holds("acl", "6 3\n1 2\n3 4\n2 3\n", "4 1 1 3 3 585053916\n", 60_000);
}

#[test]
#[ignore = "slow"]
fn numbers_by_their_traits() {
    holds("numbers", "12 18\n", "6 36 3 (0, 12) 1728\n", 70_000);
}
