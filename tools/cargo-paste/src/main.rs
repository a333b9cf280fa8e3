//! The command line of `cargo paste`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use cargo_paste::resolve::Workspace;
use cargo_paste::{Options, Paste, check};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

/// Any solution as one file that every judge takes: the crates it uses come along, the parts it does not use stay behind.
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Parser)]
#[command(name = "cargo paste", bin_name = "cargo paste", version)]
struct Arguments {
    /// The binary or example to paste
    #[arg(required_unless_present = "all")]
    name: Option<String>,
    /// Put it on the clipboard instead of the standard output
    #[arg(long)]
    copy: bool,
    /// Also compile it with every compiler and edition found, and run it on testdata/NAME/*.in
    #[arg(long)]
    check: bool,
    /// Paste every binary of the package
    #[arg(long, conflicts_with_all = ["name", "copy"], requires = "out_dir")]
    all: bool,
    /// Write NAME.rs into this folder instead of the standard output
    #[arg(long, value_name = "DIR", conflicts_with = "copy")]
    out_dir: Option<PathBuf>,
    /// Crates that the judge has, to be left as they are
    #[arg(long, value_name = "CRATE", value_delimiter = ',')]
    keep: Vec<String>,
    /// The manifest of the package
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Do all the work again, even if the result is known
    #[arg(long)]
    fresh: bool,
}

fn main() -> ExitCode {
    // Cargo calls `cargo-paste paste …`; an alias calls it without.
    let mut words: Vec<_> = std::env::args_os().collect();
    let as_subcommand = std::env::var_os("CARGO").is_some() && words.len() > 2;
    if as_subcommand && words.get(1).is_some_and(|word| word == "paste") {
        words.remove(1);
    }
    match run(&Arguments::parse_from(words)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
            eprintln!("error: {}", causes.join(": "));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let workspace = Workspace::load(arguments.manifest_path.as_deref())?;
    let options = Options { keep: arguments.keep.iter().cloned().collect::<BTreeSet<_>>(), fresh: arguments.fresh };
    let names = match &arguments.name {
        Some(name) => vec![name.clone()],
        None => workspace.binaries(),
    };
    if names.is_empty() {
        bail!("this package has no binaries; name one, or use --manifest-path");
    }
    let mut good = true;
    for name in &names {
        let bar = bar(name);
        let mut progress = |what: &str| bar.set_message(what.to_owned());
        let result = cargo_paste::paste(&workspace, name, &options, &mut progress).and_then(|(program, paste)| {
            let table = if arguments.check {
                let extra = program.libraries(&options.keep)?;
                Some(check::check(&program, &paste, &extra, &mut progress)?)
            } else {
                None
            };
            Ok((paste, table))
        });
        bar.finish_and_clear();
        let (paste, table) = match result {
            Ok(done) => done,
            // With --all, one that cannot be pasted does not keep the others from it.
            Err(error) if arguments.all => {
                eprintln!("error: {error:#}");
                good = false;
                continue;
            }
            Err(error) => return Err(error),
        };
        eprintln!("{}", paste.summary());
        if let Some((table, right)) = table {
            eprint!("{table}");
            good &= right;
        }
        deliver(arguments, &paste)?;
    }
    Ok(good)
}

fn bar(name: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.set_prefix(name.to_owned());
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn deliver(arguments: &Arguments, paste: &Paste) -> Result<()> {
    if let Some(dir) = &arguments.out_dir {
        fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
        let file = dir.join(format!("{}.rs", paste.name));
        fs::write(&file, &paste.text).with_context(|| format!("cannot write {}", file.display()))
    } else if arguments.copy {
        copy(&paste.text)
    } else {
        std::io::stdout().write_all(paste.text.as_bytes()).context("cannot write to the standard output")
    }
}

/// Hands the text to the first clipboard program there is.
fn copy(text: &str) -> Result<()> {
    let programs: [&[&str]; 5] = [
        &["pbcopy"],
        &["wl-copy"],
        &["xclip", "-selection", "clipboard"],
        &["xsel", "--clipboard", "--input"],
        &["clip.exe"],
    ];
    for words in programs {
        let child = Command::new(words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = child else { continue };
        let written = child.stdin.take().is_some_and(|mut stdin| stdin.write_all(text.as_bytes()).is_ok());
        if written && child.wait().is_ok_and(|status| status.success()) {
            eprintln!("copied to the clipboard with {}", words[0]);
            return Ok(());
        }
    }
    bail!(
        "no clipboard here: none of pbcopy, wl-copy, xclip, xsel or clip.exe works; leave out --copy and redirect the output to a file"
    )
}
