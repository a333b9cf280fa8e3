//! Holds the README to what it says: its links lead somewhere, its commands print what it shows, and the figures in its
//! table of problems are those of this state of the repository.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use judge::cases::discover;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn readme() -> String {
    fs::read_to_string(Path::new(ROOT).join("README.md")).expect("README.md is readable")
}

#[test]
fn every_link_to_a_file_leads_somewhere() {
    let text = readme();
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut files = 0;
    for link in links.filter(|link| !link.contains("://") && !link.starts_with('#')) {
        assert!(Path::new(ROOT).join(link).exists(), "{link} does not exist");
        files += 1;
    }
    assert!(files > 0, "no link to a file was found");
}

/// Blocks marked `console` are transcripts: lines with `$ ` are run, what follows is what they print.
#[test]
fn every_transcript_prints_what_it_shows() {
    let text = readme();
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut commands = 0;
    for entry in blocks.flat_map(|block| block.split("$ ").skip(1)) {
        let (command, shown) = entry.split_once('\n').expect("a command ends its line");
        let output = Command::new("bash").args(["-c", command]).current_dir(ROOT).output().expect("bash runs");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), shown, "{command}");
        commands += 1;
    }
    assert!(commands > 0, "no transcript was found");
}

/// `UPDATE_README=1 cargo test --test readme` writes the figures instead of checking them.
#[test]
fn the_table_of_problems_has_the_figures_of_today() {
    let (cases, _) = discover(Path::new(ROOT)).expect("testdata/ is readable");
    let text = readme();
    let mut updated = text.clone();
    for row in text.lines().filter(|line| line.contains("](src/bin/")) {
        let mut cells: Vec<&str> = row.split('|').collect();
        let binary = cells[3].split(['[', ']']).nth(1).expect("the third cell links the source");
        let tenths = cargo_paste(binary).len().div_ceil(100);
        let paste = format!(" {}.{} KB ", tenths / 10, tenths % 10);
        let cases = format!(" {} ", cases.iter().filter(|case| case.binary == binary).count());
        let speed = format!(" {} ", against_the_floor(binary));
        cells.splice(4..=6, [&*paste, &cases, &speed]);
        updated = updated.replace(row, &cells.join("|"));
    }
    if env::var_os("UPDATE_README").is_some() {
        fs::write(Path::new(ROOT).join("README.md"), updated).expect("README.md is writable");
    } else {
        assert_eq!(text, updated, "to mend it: UPDATE_README=1 cargo test --test readme");
    }
}

fn cargo_paste(binary: &str) -> Vec<u8> {
    let output = Command::new(env!("CARGO")).args(["paste", binary]).current_dir(ROOT).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The instructions of the release build on the first of the binary's inputs in multiples of the floor, if `cargo speed`
/// has measured it.
fn against_the_floor(binary: &str) -> String {
    let measured = fs::read_to_string(Path::new(ROOT).join("docs/speed.md")).expect("docs/speed.md is readable");
    let mut rows = measured.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let ours =
        |cells: &Vec<&str>| cells.len() == 9 && cells[1].starts_with(binary) && cells[2] == "**Stones**, release";
    rows.find(ours).map_or("–", |cells| cells[4]).to_owned()
}
