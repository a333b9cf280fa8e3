//! Solutions that use known crates, and solutions that use crates and modules of their author. Each is pasted by the
//! real cargo-paste, compiled in every cell that is claimed, and run on its test data.
//!
//! They are slow and need crates that nothing else here needs, so they only run when asked for. `cargo test -p
//! cargo-paste --test wide -- --ignored --nocapture` runs them and prints the README's table. `WIDE=name,name` tries
//! only those. Nothing is downloaded, so `cargo fetch --manifest-path tools/cargo-paste/tests/fixtures/wide/Cargo.toml`
//! has to come first.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use support::clean;

/// What `--seconds` is unless a program needs more.
const USUAL: &str = "60";

/// A program, the package it is in, the size that its paste must not exceed, and what `--seconds` is.
struct Program {
    package: &'static str,
    name: &'static str,
    most: usize,
    seconds: &'static str,
}

const fn program(package: &'static str, name: &'static str, most: usize) -> Program {
    Program { package, name, most, seconds: USUAL }
}

/// A program that may need longer than usual when the machine is busy.
const fn slow(package: &'static str, name: &'static str, most: usize) -> Program {
    Program { seconds: "300", ..program(package, name, most) }
}

/// The programs, in the order of the README's table. The last three are not in it.
const PROGRAMS: &[Program] = &[
    program("script", "included", 1_000),
    program("own", "own_modules", 3_000),
    program("wide", "stdin_of_proconio_03", 12_000),
    program("wide", "stdin_of_proconio_04", 12_000),
    program("wide", "stdin_of_proconio_05", 12_000),
    program("wide", "stdin_of_proconio_06", 12_000),
    program("wide", "proconio_rest", 16_384),
    program("wide", "orders", 12_000),
    program("wide", "bounds", 16_384),
    program("wide", "globs", 16_384),
    program("wide", "unused_imports", 16_384),
    program("wide", "lazy", 20_000),
    program("wide", "bit_sets", 20_000),
    program("wide", "lanes", 4_000),
    program("wide", "find_byte", 24_000),
    program("script", "generated", 16_384),
    program("older", "macro_use", 16_384),
    program("older", "same_name", 32_000),
    program("own", "made_modules", 24_000),
    program("own", "own_macros", 20_000),
    program("own", "own_crates", 32_000),
    program("own", "own_matrix", 32_000),
    program("own", "own_facade", 36_000),
    program("wide", "itertools_many", 50_000),
    program("wide", "acl", 60_000),
    program("wide", "sets", 20_000),
    program("wide", "gcd_of_num", 24_000),
    program("wide", "small_vectors", 28_000),
    program("wide", "flows", 50_000),
    program("wide", "hashes", 60_000),
    program("wide", "ordered_map", 64_000),
    program("wide", "graphs", 80_000),
    program("wide", "routes", 32_000),
    program("wide", "ordered", 16_000),
    program("wide", "numbers", 16_384),
    program("wide", "dice", 20_000),
    program("wide", "shuffled", 92_000),
    program("wide", "drawn", 112_000),
    program("wide", "noise", 24_000),
    program("wide", "fractions", 24_000),
    program("wide", "complex", 24_000),
    program("own", "own_library", 8_000),
    program("wide", "byte_strings", 64_000),
    program("wide", "floats", 80_000),
    program("wide", "big_numbers", 92_000),
    program("wide", "facade_of_num", 90_000),
    program("wide", "bits", 96_000),
    program("wide", "quick_hashes", 200_000),
    program("wide", "persistent", 280_000),
    slow("wide", "matrices", 250_000),
    slow("wide", "arrays", 600_000),
    slow("wide", "patterns", 1_600_000),
];

#[derive(Deserialize)]
struct Summary {
    bytes: usize,
    before: usize,
    proven: bool,
    calls: usize,
    seconds: f64,
    cached: bool,
    cells: Vec<Cell>,
    crates: Vec<Part>,
    stages: Vec<Stage>,
}

#[derive(Deserialize)]
struct Cell {
    compiler: String,
    path: PathBuf,
    edition: String,
    verdict: String,
}

impl Cell {
    fn claimed(&self) -> bool {
        matches!(self.verdict.as_str(), "same" | "tested")
    }
}

#[derive(Deserialize)]
struct Part {
    name: String,
}

#[derive(Deserialize)]
struct Stage {
    name: String,
    seconds: f64,
}

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wide")
}

impl Program {
    /// Pastes it and tries the paste everywhere. Gives its row of the table, or what is wrong.
    fn row(&self) -> Result<String, String> {
        let package = fixture().join(if self.package == "wide" { "" } else { self.package });
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wide");
        // What is known of it. With `--fresh`, cargo would also build all packages of the fixture again.
        let _ = fs::remove_file(target.join("paste").join(self.name).with_extension("json"));
        let output = clean(env!("CARGO_BIN_EXE_cargo-paste"))
            .args(["paste", self.name, "--message-format", "json", "--seconds", self.seconds])
            .env("CARGO_TARGET_DIR", &target)
            .current_dir(&package)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().rfind(|line| line.starts_with('{')).filter(|_| output.status.success());
        let line = line.ok_or_else(|| said.trim().to_owned())?;
        let summary: Summary = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        if !summary.proven || summary.cached {
            return Err("it is not proven, or was known already".to_owned());
        }
        if summary.bytes > self.most {
            return Err(format!("it has {} bytes, more than {}", summary.bytes, self.most));
        }
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("paste.rs"), &output.stdout).unwrap();
        let claimed = summary.cells.iter().filter(|cell| cell.claimed());
        for cell in claimed {
            self.run(cell, &package, dir.path())?;
        }
        Ok(self.written(&summary))
    }

    /// Compiles the paste as a judge does and runs it on the test data.
    fn run(&self, cell: &Cell, package: &Path, dir: &Path) -> Result<(), String> {
        let name = format!("rustc {} edition {}", cell.compiler, cell.edition);
        let made = clean(&cell.path)
            .args(["--edition", &cell.edition, "-O", "-o", "paste", "paste.rs"])
            .current_dir(dir)
            .output()
            .unwrap();
        if !made.status.success() {
            return Err(format!(
                "{name} is {} and does not compile: {}",
                cell.verdict,
                String::from_utf8_lossy(&made.stderr)
            ));
        }
        let data = package.join("testdata").join(self.name);
        let input = fs::File::open(data.join("1.in")).unwrap();
        let expected = fs::read_to_string(data.join("1.out")).unwrap();
        let found = Command::new(dir.join("paste")).stdin(input).output().unwrap();
        let found = String::from_utf8_lossy(&found.stdout).into_owned();
        if found == expected { Ok(()) } else { Err(format!("{name} is {} and prints {found:?}", cell.verdict)) }
    }

    fn written(&self, summary: &Summary) -> String {
        let cargo: f64 = summary.stages.iter().filter(|stage| stage.name == "cargo").map(|stage| stage.seconds).sum();
        let crates: Vec<&str> = summary.crates.iter().map(|part| part.name.as_str()).collect();
        let mut cells = String::new();
        let mut compilers: Vec<&str> = summary.cells.iter().map(|cell| cell.compiler.as_str()).collect();
        compilers.dedup();
        for compiler in compilers {
            let of = || summary.cells.iter().filter(|cell| cell.compiler == compiler);
            let (claimed, all) = (of().filter(|cell| cell.claimed()).count(), of().count());
            let _ = write!(cells, "{}{compiler}: {claimed} of {all}", if cells.is_empty() { "" } else { ", " });
        }
        format!(
            "| `{}` | {} | {} | {} | {:.0} | {} | {cells} |",
            self.name,
            crates.join(", "),
            cargo_paste::kilobytes(summary.before),
            cargo_paste::kilobytes(summary.bytes),
            summary.seconds - cargo,
            summary.calls,
        )
    }
}

#[test]
#[ignore = "slow"]
fn all_of_them_are_pasted() {
    let chosen = std::env::var("WIDE").unwrap_or_default();
    let wanted = |program: &&Program| chosen.is_empty() || chosen.split(',').any(|name| name == program.name);
    println!("| program | crates in the paste | before | after | seconds | compiler calls | editions claimed |");
    println!("|---|---|---|---|---|---|---|");
    let mut wrong = String::new();
    for program in PROGRAMS.iter().filter(wanted) {
        match program.row() {
            Ok(row) => println!("{row}"),
            Err(reason) => {
                println!("| `{}` | not pasted |", program.name);
                let _ = writeln!(wrong, "{}: {reason}", program.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_program_of_the_fixture_is_listed() {
    let mut found: Vec<String> = Vec::new();
    for package in ["", "own", "older", "script"] {
        let files = fs::read_dir(fixture().join(package).join("src/bin")).unwrap().flatten();
        found.extend(files.map(|file| file.path().file_stem().unwrap().to_string_lossy().into_owned()));
    }
    found.sort();
    let mut tried: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
    tried.sort_unstable();
    assert_eq!(found, tried);
}

#[test]
fn every_program_but_the_slow_ones_has_a_row_in_the_readme() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let rows: Vec<&str> = rows.filter(|name| PROGRAMS.iter().any(|program| program.name == *name)).collect();
    let in_table = PROGRAMS.iter().filter(|program| program.seconds == USUAL);
    assert_eq!(rows, in_table.map(|program| program.name).collect::<Vec<_>>());
}
