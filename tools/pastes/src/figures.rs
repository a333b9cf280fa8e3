//! `cargo figures`: refreshes the figures in the README's table of problems, and says which rows changed.

use std::fs;
use std::process::ExitCode;

use pastes::{read, readme, root};

fn main() -> ExitCode {
    if let Some(argument) = std::env::args().nth(1) {
        let about = "cargo figures takes no arguments; it refreshes the table of problems in README.md";
        if ["--help", "-h"].contains(&argument.as_str()) {
            println!("{about}");
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {about}");
        return ExitCode::from(2);
    }
    let text = read("README.md");
    let mut lines = Vec::new();
    let mut changed = 0;
    for line in text.lines() {
        match readme::refreshed(line) {
            Ok(fresh) => {
                if fresh != line {
                    println!("{fresh}");
                    changed += 1;
                }
                lines.push(fresh + "\n");
            }
            Err(error) => {
                eprintln!("error: {}", error.trim_end());
                return ExitCode::FAILURE;
            }
        }
    }
    if let Err(error) = fs::write(root().join("README.md"), lines.concat()) {
        eprintln!("error: README.md: {error}");
        return ExitCode::FAILURE;
    }
    println!("changed rows of README.md: {changed}");
    ExitCode::SUCCESS
}
