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
        .arg(Arg::new("JUDGE").required(true).help("boj, jutge, atcoder, codeforces, or any other in one word"))
        .arg(Arg::new("NUMBER").required(true).help("What the judge calls the problem: 1234, P18992, abc123_a, 1234A"))
        .arg(Arg::new("NAME").required(true).help("The last part of the name that it gets here, in snake_case"))
        .get_matches();
    scaffold::finish(run(&arguments))
}

fn run(arguments: &ArgMatches) -> Result<String> {
    let [judge, number, name] =
        ["JUDGE", "NUMBER", "NAME"].map(|id| arguments.get_one::<String>(id).expect("required"));
    let problem = Problem::new(judge, number, name)?;
    let name = &problem.name;
    let package = Package::find()?;
    let files = problem.files();
    // A name is also taken by a solution with a directory of its own, and by test data alone.
    for parent in ["src/bin", "testdata"] {
        package.require_free(&Path::new(parent).join(name))?;
    }
    package.add(&files)?;

    let mut message = String::new();
    for (path, _) in files {
        writeln!(message, "Created {}", path.display())?;
    }
    writeln!(
        message,
        "\nIf the problem has a map of letters, such as . and #, replace everything above `#[cfg(test)]` by \
         examples/shortest_path.rs. Below it, replace `inputs` by the random maps of tests/example.rs. Then write \
         your own `brute_force`."
    )?;
    if problem.link.is_none() {
        writeln!(
            message,
            "\nThe judge {judge} is not known here. If the name is right, put the link to the problem into the first lines \
             of src/bin/{}.rs.",
            problem.name
        )?;
    }
    write!(
        message,
        "
Next:
  cargo test {name}        passes: the solution is a placeholder, and so is its sample
  cargo test --bin {name}  compares it with the brute force in its file, which is a placeholder too
  cargo sample {name}      puts the judge's sample in the place of the placeholder
  cargo paste {name}       turns it into the one file that the judge takes"
    )?;
    Ok(message)
}
