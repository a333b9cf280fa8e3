//! `cargo scaffold boj 1234 some_name`: starts a new problem.

use anyhow::Result;
use clap::{Arg, ArgMatches, Command};
use scaffold::package::Package;
use scaffold::problem::Problem;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Command::new("scaffold")
        .bin_name("cargo scaffold")
        .about("Starts a new problem: a solution to fill in, and a sample that it passes")
        .arg(
            Arg::new("judge")
                .required(true)
                .help("boj, jutge, atcoder, codeforces, or any other in one word"),
        )
        .arg(
            Arg::new("number")
                .required(true)
                .help("What the judge calls the problem: 1234, P18992, abc123_a, 1234A"),
        )
        .arg(
            Arg::new("name")
                .required(true)
                .help("What to call it here, in snake_case"),
        )
        .get_matches();
    scaffold::finish(run(&arguments))
}

fn run(arguments: &ArgMatches) -> Result<String> {
    let [judge, number, name] =
        ["judge", "number", "name"].map(|id| arguments.get_one::<String>(id).expect("required"));
    let problem = Problem::new(judge, number, name)?;
    let name = &problem.name;
    let package = Package::find()?;
    // Test data without a solution, or a solution that is a directory, is not in the way of any file: but of the name.
    for taken in [format!("src/bin/{name}"), format!("testdata/{name}")] {
        package.require_free(Path::new(&taken))?;
    }
    let files = problem.files();
    package.add(&files)?;

    let mut message = String::new();
    for (path, _) in files {
        writeln!(message, "Created {}", path.display())?;
    }
    if problem.link.is_none() {
        writeln!(
            message,
            "\nWhere {judge} keeps its problems is not known here: put the link into the first lines."
        )?;
    }
    write!(
        message,
        "
Next:
  cargo test {name}    passes: the solution is a placeholder, and so is its sample
  cargo sample {name}  puts the judge's sample in the place of that one
  cargo paste {name}   makes one file for the judge of it"
    )?;
    Ok(message)
}
