//! Holds the README to what it says: its links lead somewhere, its commands print what it shows, and the figures in its
//! table of problems are those of this state of the repository.

use std::process::Command;

use pastes::{read, readme, root};

#[test]
fn every_link_to_a_file_leads_somewhere() {
    for page in ["README.md", "CONTRIBUTING.md"] {
        let text = read(page);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let mut files = 0;
        for link in links.filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap_or(link);
            assert!(root().join(file).exists(), "{page}: {link} does not exist");
            files += 1;
        }
        assert!(files > 0, "{page}: no link to a file was found");
    }
}

/// Blocks marked `console` are transcripts: lines with `$ ` are run, what follows is what they print.
#[test]
fn every_transcript_prints_what_it_shows() {
    let text = read("README.md");
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut commands = 0;
    for entry in blocks.flat_map(|block| block.split("$ ").skip(1)) {
        let (command, shown) = entry.split_once('\n').expect("a command ends its line");
        let output = Command::new("bash").args(["-c", command]).current_dir(root()).output().expect("bash runs");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), shown, "{command}");
        commands += 1;
    }
    assert!(commands > 0, "no transcript was found");
}

#[test]
fn the_table_of_problems_has_the_figures_of_today() {
    let text = read("README.md");
    for row in text.lines() {
        let fresh = readme::refreshed(row).unwrap_or_else(|error| panic!("{error}"));
        assert!(fresh == row, "\nREADME.md has\n{row}\nand should have\n{fresh}\nTo mend it: cargo figures");
    }
    assert!(!readme::problems(&text).is_empty(), "no row was found");
}
