//! The command line of `cargo paste`.

use std::cell::RefCell;
use std::fs;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cargo_paste::workspace::Workspace;
use cargo_paste::{Job, Options, Paste, Refusal, check, rustc, wrapper};
use clap::builder::NonEmptyStringValueParser;
use clap::{Parser, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

/// What the summary and the exit codes mean.
const AFTER_HELP: &str = "\
The summary on stderr says for each compiler and edition what was shown:
  same      every function has the same body as in cargo's build, but for harmless effects of the edition
  tested    it prints what cargo's build prints, on all test data
  compiles  it compiles; nothing more is known
  refused   it does not compile, prints something else, ends in another way or takes too long, or the time was up

Exit codes: 0 the file was written; 2 it could not be shown to be cargo's program, or the command line cannot be read;
1 anything else, such as a failed --check, or --all where one binary was not pasted";

/// Makes one file of a program, for judges that have no crates: your code, and the parts of the crates that it uses.
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Parser)]
#[command(name = "cargo paste", bin_name = "cargo paste", version, after_help = AFTER_HELP)]
struct Arguments {
    /// The binary or example to paste; may be left out where there is only one binary, or where default-run names one
    name: Option<String>,
    /// Put it on the clipboard instead of the standard output
    #[arg(long)]
    copy: bool,
    /// Also run it on testdata/NAME/*.in, with every compiler and edition of the summary. Write nothing if it fails
    /// where the verdict is "same" or "tested", if cargo's build does not print what the .out files say or ends with an
    /// error, or if one of these files is missing
    #[arg(long)]
    check: bool,
    /// Paste every binary of the package
    #[arg(long, conflicts_with_all = ["name", "copy"], requires = "out_dir")]
    all: bool,
    /// Write NAME.rs into this folder instead of the standard output
    #[arg(long, value_name = "DIR", conflicts_with = "copy")]
    out_dir: Option<PathBuf>,
    /// Crates that the judge has, with commas between; they stay outside of the file
    #[arg(long, value_name = "CRATE", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    keep: Vec<String>,
    /// The package of the workspace to look in
    #[arg(long, short, value_name = "NAME")]
    package: Option<String>,
    /// The manifest of the package
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Build your own packages again, and do all other work again after that, even if the result is known
    #[arg(long)]
    fresh: bool,
    /// Print the file even if it could not be shown to be the program that cargo builds
    #[arg(long)]
    unproven: bool,
    /// How many seconds it may take after cargo's build. After half of N, the file is not made smaller any more; after
    /// N, but never before 10, the compilers are stopped
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = value_parser!(u64).range(..=86_400))]
    seconds: u64,
    /// Also say how long each stage took
    #[arg(long)]
    timings: bool,
    /// The form of the summary on stderr
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = ["human", "json"])]
    message_format: String,
}

fn main() -> ExitCode {
    let mut words: Vec<_> = std::env::args_os().collect();
    // Cargo calls us in place of the compiler, and of build scripts, while it builds the binary.
    if std::env::var_os(wrapper::MARK).is_some() {
        let done = wrapper::run_script(&words).and_then(|()| wrapper::run(&words[1..]));
        return done.unwrap_or_else(|error| fail(&error, None, false));
    }
    // Cargo calls `cargo-paste paste …`, and so does an alias such as the one in this repository.
    if words.get(1).is_some_and(|word| word == "paste") {
        words.remove(1);
    }
    let interrupted = || {
        let _ended = check::end_programs();
        let _held = rustc::clean_up();
        std::process::exit(130);
    };
    drop(ctrlc::set_handler(interrupted));
    let arguments = Arguments::parse_from(words);
    let mut name = arguments.name.clone();
    let result = run(&arguments, &mut name);
    // An interrupt also ends the compilers, which looks like a failure. Its handler may be late, and ends the process
    // while we wait here.
    if result.is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(rustc::clean_up());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error, name.as_deref(), arguments.json()),
    }
}

impl Arguments {
    fn json(&self) -> bool {
        self.message_format == "json"
    }
}

fn fail(error: &anyhow::Error, name: Option<&str>, json: bool) -> ExitCode {
    if json {
        eprintln!("{}", in_json(error, name));
    } else {
        eprintln!("error: {error:#}");
    }
    if is_unproven(error) { ExitCode::from(2) } else { ExitCode::FAILURE }
}

fn is_unproven(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Refusal>().is_some_and(|refusal| refusal.unproven)
}

/// Why there is no paste of `name`, in one line.
fn in_json(error: &anyhow::Error, name: Option<&str>) -> serde_json::Value {
    serde_json::json!({ "name": name, "error": format!("{error:#}"), "unproven": is_unproven(error) })
}

/// Does what is asked. `current` gets the name of a binary that fails.
fn run(arguments: &Arguments, current: &mut Option<String>) -> Result<()> {
    let mut workspace = Workspace::load(arguments.manifest_path.as_deref())?;
    if let Some(package) = &arguments.package {
        workspace = workspace.only(package)?;
    }
    let names = match &arguments.name {
        Some(name) => vec![name.clone()],
        None if arguments.all => workspace.binaries(),
        None => workspace.default_binary().map_or_else(|| workspace.binaries(), |name| vec![name]),
    };
    match names.as_slice() {
        [] => bail!("there are no binaries here; write one in src/bin/NAME.rs, or choose a --package"),
        [_] => {}
        several if !arguments.all => bail!("which one? There are {}", several.join(", ")),
        _ => {}
    }
    if let Some(dir) = &arguments.out_dir {
        fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    }
    let mut failed = Vec::new();
    for name in &names {
        match one(arguments, &workspace, name) {
            Ok(()) => {}
            // With --all, a binary that cannot be pasted does not stop the others.
            Err(error) if arguments.all => {
                if arguments.json() {
                    eprintln!("{}", in_json(&error, Some(name)));
                } else {
                    let text = format!("{error:#}");
                    // Most messages begin with the name.
                    let told = text.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with([':', ' ']));
                    eprintln!("error: {}{text}", if told { String::new() } else { format!("{name}: ") });
                }
                failed.push(name.as_str());
            }
            Err(error) => {
                *current = Some(name.clone());
                return Err(error);
            }
        }
    }
    if !failed.is_empty() {
        bail!("{} of {} were not pasted: {}", failed.len(), names.len(), failed.join(", "));
    }
    Ok(())
}

fn one(arguments: &Arguments, workspace: &Workspace, name: &str) -> Result<()> {
    let options = Options {
        keep: arguments.keep.iter().cloned().collect(),
        fresh: arguments.fresh,
        unproven: arguments.unproven,
        seconds: arguments.seconds,
    };
    let json = arguments.json();
    let reporter = Reporter::new(name, json);
    let mut progress = |what: &str| reporter.say(what);
    let result = Job::new(workspace, name, &options, &mut progress).and_then(|mut job| {
        let paste = job.paste(&mut progress)?;
        let table = if arguments.check {
            Some(check::check(&job.program.binary, &job.bench, &job.compilers, &paste, &mut progress)?)
        } else {
            None
        };
        Ok((paste, table))
    });
    reporter.bar.finish_and_clear();
    let (paste, table) = result?;
    let failure = "the check failed, so no file was written; without --check it would be";
    if let (true, Some((table, false))) = (json, &table) {
        // One object for each paste.
        bail!("{failure}:\n{}", table.trim_end());
    }
    if json {
        let mut quiet = paste.clone();
        quiet.text.clear();
        eprintln!("{}", serde_json::to_string(&quiet)?);
    } else {
        eprintln!("{}", paste.summary());
        if arguments.timings {
            if paste.cached {
                eprintln!("  the stages, when the paste was made:");
            }
            for stage in &paste.stages {
                eprintln!("  {:>6.2} s  {}", stage.seconds, stage.name);
            }
        }
    }
    if let Some((table, right)) = table {
        if !json {
            eprint!("{table}");
        }
        if !right {
            bail!(failure);
        }
    }
    deliver(arguments, &paste)
}

/// Says what is being done: on a terminal in one line that changes, elsewhere in a line for each stage of a long run.
struct Reporter {
    name: String,
    start: Instant,
    bar: ProgressBar,
    quiet: bool,
    last: RefCell<String>,
}

impl Reporter {
    fn new(name: &str, quiet: bool) -> Self {
        let bar = if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_prefix(name.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { name: name.to_owned(), start: Instant::now(), bar, quiet, last: RefCell::default() }
    }

    fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        let stage = what.split(',').next().unwrap_or(what);
        let long = self.start.elapsed() > Duration::from_secs(4);
        if self.bar.is_hidden() && !self.quiet && long && *self.last.borrow() != stage {
            eprintln!("{}: {stage} …", self.name);
            stage.clone_into(&mut self.last.borrow_mut());
        }
    }
}

fn deliver(arguments: &Arguments, paste: &Paste) -> Result<()> {
    if let Some(dir) = &arguments.out_dir {
        let file = dir.join(format!("{}.rs", paste.name));
        fs::write(&file, &paste.text).with_context(|| format!("cannot write {}", file.display()))?;
        if !arguments.json() {
            eprintln!("  written to {}", file.display());
        }
        Ok(())
    } else if arguments.copy {
        let program = copy(&paste.text)?;
        if !arguments.json() {
            eprintln!("copied to the clipboard with {program}");
        }
        Ok(())
    } else {
        let mut out = std::io::stdout().lock();
        match out.write_all(paste.text.as_bytes()).and_then(|()| out.flush()) {
            // The reader, such as `head`, has stopped reading.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.context("cannot write to the standard output"),
        }
    }
}

/// Hands the text to the first clipboard program that takes it.
fn copy(text: &str) -> Result<&'static str> {
    let programs: [&[&'static str]; 5] = [
        &["pbcopy"],
        &["wl-copy"],
        &["xclip", "-selection", "clipboard"],
        &["xsel", "--clipboard", "--input"],
        &["clip.exe"],
    ];
    for words in programs {
        // `clip.exe` gets UTF-16. Windows would read any other bytes as text in its old code page.
        let bytes = match words[0] {
            "clip.exe" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => text.as_bytes().to_vec(),
        };
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { continue };
        let written = child.stdin.take().is_some_and(|mut stdin| stdin.write_all(&bytes).is_ok());
        if child.wait().is_ok_and(|status| status.success()) && written {
            return Ok(words[0]);
        }
    }
    bail!(
        "no clipboard here: none of pbcopy, wl-copy, xclip, xsel or clip.exe works; \
         leave out --copy and redirect the output to a file"
    )
}
