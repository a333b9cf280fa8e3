//! `cargo sample boj_1234_some_name`: adds a sample to the test data of a problem.

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use scaffold::clipboard;
use scaffold::package::Package;
use scaffold::sample::{Case, Sample};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let file = |id, help| Arg::new(id).long(id).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help);
    let arguments = Command::new("sample")
        .bin_name("cargo sample")
        .about("Adds a sample to the test data of a problem")
        .after_help(
            "Without options, asks for input and output on a terminal, or reads both from a pipe, with a line --- \
             between them.",
        )
        .arg(Arg::new("PROBLEM").required(true).help("The problem, such as boj_2615_omok"))
        .arg(Arg::new("CASE").help("What to call the case [default: the next free sample-N]"))
        .arg(file("in", "Take the input from this file").requires("out"))
        .arg(file("out", "Take the output from this file, with the blank lines at its end").requires("in"))
        .arg(
            Arg::new("clipboard")
                .long("clipboard")
                .action(ArgAction::SetTrue)
                .conflicts_with_all(["in", "out"])
                .help("Take the input from the clipboard, and then the output"),
        )
        .get_matches();
    scaffold::finish(run(&arguments))
}

fn run(arguments: &ArgMatches) -> Result<String> {
    let text = |id| arguments.get_one::<String>(id).map(String::as_str);
    let problem = text("PROBLEM").expect("required");
    let package = Package::find()?;
    // Before anybody is asked to paste anything.
    let case = Case::new(&package, problem, text("CASE"))?;
    case.add(read(arguments)?)?;

    let [input, output] = [&case.input, &case.output].map(|path| path.display());
    let done = if case.placeholder { "Replaced the placeholders" } else { "Added" };
    Ok(format!("{done} {input} and {output}\n\nNext:\n  cargo test {problem}"))
}

fn read(arguments: &ArgMatches) -> Result<Sample> {
    let file = |id| arguments.get_one::<PathBuf>(id);
    let mut stdin = io::stdin().lock();
    if let (Some(input), Some(output)) = (file("in"), file("out")) {
        Sample::from_files(input, output)
    } else if arguments.get_flag("clipboard") {
        Sample::copied(clipboard::read, &mut stdin)
    } else if stdin.is_terminal() {
        Sample::typed(&mut stdin)
    } else {
        Sample::from_one_text(&io::read_to_string(stdin)?)
    }
}
