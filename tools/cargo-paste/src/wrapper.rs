//! What stands between cargo and the compiler: every call of the real release build, written down.
//!
//! Cargo calls us instead of `rustc`. Each crate of the program is compiled as cargo says, but without the flags that
//! a judge does not have (`panic=abort`, `target-cpu=native`, …), without optimising, and with its LLVM code beside it.
//! What cargo said is written down next to that.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::recorder;
use crate::rustc::Compiler;

/// The variable that tells this program to be the wrapper. Its value is the second number of the compiler's release.
pub const MARK: &str = "CARGO_PASTE_WRAPS_RUSTC";

/// The variables that are changed for cargo, so that it calls us and takes no flags of the user's.
const OURS: [&str; 4] =
    ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER", FLAGS_OF_CARGO];

/// The variable that has the flags that cargo passes to the compiler.
const FLAGS_OF_CARGO: &str = "CARGO_ENCODED_RUSTFLAGS";

/// The variable that names the compiler that we call. Cargo may know it by another name, which build scripts see.
const COMPILER: &str = "CARGO_PASTE_CALLS_RUSTC";

/// The user's own value of each of [`OURS`] is kept in a variable whose name starts with this.
const USERS: &str = "CARGO_PASTE_HIDES_";

/// Puts `program` between cargo and the compiler.
pub fn wrap<'c>(cargo: &'c mut Command, program: &Path, compiler: &Compiler) -> &'c mut Command {
    for name in OURS {
        if let Some(value) = std::env::var_os(name) {
            cargo.env(format!("{USERS}{name}"), value);
        }
    }
    // Cargo takes an empty value for none, even if a file of settings names a wrapper.
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "").env_remove("CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER");
    // The compiler itself: rustup's stand-in would look for a `rust-toolchain` file beside every crate.
    cargo.env("RUSTC_WRAPPER", program).env(COMPILER, &compiler.path).env(MARK, compiler.version.1.to_string())
}

/// Lets the compiler see the variables as they were before [`wrap`], since code may ask for them.
fn restore_variables(rustc: &mut Command) {
    for name in OURS {
        let hidden = format!("{USERS}{name}");
        match std::env::var_os(&hidden) {
            Some(value) => rustc.env(name, value).env_remove(hidden),
            None => rustc.env_remove(name),
        };
    }
    rustc.env_remove(MARK).env_remove(COMPILER).env_remove(ANSWER);
}

/// The variable that names a file. The flags that cargo passes to every call for the program are written there.
pub const ANSWER: &str = "CARGO_PASTE_WANTS_FLAGS";

/// How every crate is compiled, by cargo and in a paste, so that the two can be compared.
pub const FLAGS: [&str; 8] = [
    "opt-level=0",
    "codegen-units=1",
    "debug-assertions=off",
    "overflow-checks=off",
    "debuginfo=1",
    "symbol-mangling-version=v0",
    "no-prepopulate-passes",
    "embed-bitcode=no",
];

/// One call of the compiler.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Unit {
    /// The crate's name.
    pub name: String,
    /// Its root file, as cargo names it.
    pub source: PathBuf,
    /// The folder in which the compiler ran.
    pub folder: PathBuf,
    /// The year of its edition, 2015 if cargo names none.
    pub edition: String,
    /// `bin`, `lib`, …
    pub crate_types: Vec<String>,
    /// What `--cfg` sets, features included.
    pub cfgs: Vec<String>,
    /// The crates it may name, each with the file it is in.
    pub externs: Vec<(String, PathBuf)>,
    /// Cargo's variables for it: `CARGO_PKG_NAME`, `OUT_DIR` and so on.
    pub variables: BTreeMap<String, String>,
    /// Flags that do not come along, because a judge does not have them.
    pub left_out: Vec<String>,
    /// What a build script wants to be linked.
    pub links: Vec<String>,
    /// Where it wants libraries to be looked for.
    pub searches: Vec<String>,
}

/// The name of the file beside a crate's other outputs that holds its [`Unit`].
#[must_use]
pub fn record(folder: &Path, stem: &str) -> PathBuf {
    folder.join(format!("{stem}.unit.json"))
}

/// Flags whose value may be a word of its own.
const VALUED: [&str; 27] = [
    "-C",
    "--codegen",
    "-Z",
    "-L",
    "-l",
    "-o",
    "-A",
    "-W",
    "-D",
    "-F",
    "--allow",
    "--warn",
    "--deny",
    "--forbid",
    "--cfg",
    "--check-cfg",
    "--extern",
    "--edition",
    "--target",
    "--emit",
    "--crate-name",
    "--crate-type",
    "--out-dir",
    "--cap-lints",
    "--error-format",
    "--json",
    "--remap-path-prefix",
];

/// The name of the file beside a program that says what was linked.
#[must_use]
pub fn linked(folder: &Path, stem: &str) -> PathBuf {
    folder.join(format!("{stem}.linked"))
}

/// The first release that can write what it links into a file.
const TELLS_LINKED: u32 = 74;

/// The name of the file beside a procedural macro that has its edition and what it exports, each on a line.
#[must_use]
pub fn exports(folder: &Path, stem: &str) -> PathBuf {
    folder.join(format!("{stem}.exports"))
}

fn macros_of(unit: &Unit) -> String {
    let text = fs::read_to_string(unit.folder.join(&unit.source)).unwrap_or_default();
    format!("{}\n{}", unit.edition, recorder::exports(&text).join("\n"))
}

/// A call's arguments, by what they are about.
#[derive(Default)]
struct Call {
    unit: Option<Unit>,
    out_dir: PathBuf,
    extra: String,
    for_target: bool,
    arguments: Vec<OsString>,
}

/// Whether a setting of code generation stays. Only those stay that are needed to find and link a crate. [`FLAGS`]
/// stand in the place of the others.
fn stays(setting: &str) -> bool {
    let name = setting.split('=').next().unwrap_or(setting);
    matches!(
        name,
        "metadata" | "extra-filename" | "linker" | "link-arg" | "link-args" | "linker-flavor" | "prefer-dynamic"
    )
}

/// What every release build has, or what only changes how it is built. Nobody needs to be told that it is left out.
fn is_usual(setting: &str) -> bool {
    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
    match name {
        "opt-level" | "embed-bitcode" | "strip" | "codegen-units" | "lto" | "linker-plugin-lto" | "debuginfo"
        | "incremental" | "split-debuginfo" => true,
        "debug-assertions" | "overflow-checks" => matches!(value, "off" | "no" | "n" | "false"),
        "panic" => value == "unwind",
        _ => false,
    }
}

impl Call {
    fn read(words: &[OsString]) -> Self {
        let mut call = Self::default();
        let mut unit = Unit {
            name: String::new(),
            source: PathBuf::new(),
            folder: std::env::current_dir().unwrap_or_default(),
            edition: "2015".to_owned(),
            crate_types: Vec::new(),
            cfgs: Vec::new(),
            externs: Vec::new(),
            variables: BTreeMap::new(),
            left_out: Vec::new(),
            links: Vec::new(),
            searches: Vec::new(),
        };
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy().into_owned();
            // `--name=value`, `--name value`, `-Cvalue` and `-C value` are all in use.
            let short = ["-C", "-Z", "-L", "-l"].into_iter().find(|flag| text.starts_with(flag) && text.len() > 2);
            let (flag, inline) = match (short, text.split_once('=')) {
                (Some(flag), _) => (flag.to_owned(), Some(text[2..].to_owned())),
                (None, Some((flag, value))) if flag.starts_with("--") => (flag.to_owned(), Some(value.to_owned())),
                _ => (text.clone(), None),
            };
            let value = match inline {
                Some(value) => Some(value),
                None if VALUED.contains(&flag.as_str()) => words.next().map(|word| word.to_string_lossy().into_owned()),
                None => None,
            };
            let value_text = value.clone().unwrap_or_default();
            match flag.as_str() {
                "--crate-name" => unit.name.clone_from(&value_text),
                "--edition" => unit.edition.clone_from(&value_text),
                "--crate-type" => unit.crate_types.push(value_text.clone()),
                "--cfg" => unit.cfgs.push(value_text.clone()),
                "--target" => call.for_target = true,
                "--out-dir" => call.out_dir = PathBuf::from(&value_text),
                "--extern" => {
                    let (name, path) = value_text.split_once('=').unwrap_or((&value_text, ""));
                    let name = name.rsplit(':').next().unwrap_or(name);
                    unit.externs.push((name.to_owned(), PathBuf::from(path)));
                }
                "--emit" => {
                    call.arguments.push(format!("--emit={value_text},llvm-ir").into());
                    continue;
                }
                "-C" | "--codegen" if !stays(&value_text) => {
                    if !is_usual(&value_text) {
                        unit.left_out.push(value_text);
                    }
                    continue;
                }
                // It is used here, but it does not come along.
                "-C" | "--codegen" if value_text.starts_with("linker=") => unit.left_out.push(value_text.clone()),
                "-l" => unit.links.push(value_text.clone()),
                // With `dependency=` cargo itself says where the crates are.
                "-L" if !value_text.starts_with("dependency=") => unit.searches.push(value_text.clone()),
                "-C" | "--codegen" if value_text.starts_with("link-arg") => unit.links.push(value_text.clone()),
                "-Z" | "--remap-path-prefix" => {
                    unit.left_out.push(format!("{flag} {value_text}"));
                    continue;
                }
                _ => {
                    if !text.starts_with('-') && Path::new(&text).extension().is_some_and(|end| end == "rs") {
                        unit.source = PathBuf::from(&text);
                    }
                }
            }
            if let Some(extra) = value_text.strip_prefix("extra-filename=").filter(|_| flag == "-C") {
                extra.clone_into(&mut call.extra);
            }
            call.arguments.push(flag.into());
            call.arguments.extend(value.map(OsString::from));
        }
        let known = |name: &str| name.starts_with("CARGO_PKG_") || matches!(name, "CARGO_MANIFEST_DIR" | "OUT_DIR");
        let as_text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
        unit.variables = std::env::vars_os().filter_map(as_text).filter(|(name, _)| known(name)).collect();
        let real = !unit.source.as_os_str().is_empty() && call.out_dir != Path::new("");
        call.unit = Some(unit).filter(|unit| real && !unit.name.is_empty());
        call
    }
}

/// The flags in cargo's question about the machine that the program is for. Flags may depend on the answer.
/// Then cargo asks again with them, so the last question has all.
fn asked_with(words: &[OsString]) -> Option<String> {
    let place = |wanted: &str| words.iter().rposition(|word| word == wanted);
    let (start, end) = (place("--print=file-names")? + 1, place("--target")?);
    let flags: Vec<_> = words.get(start..end)?.iter().map(|word| word.to_string_lossy()).collect();
    Some(flags.join(" "))
}

/// The folder that a build script is moved to. This program takes the script's old place, runs the script, and hides
/// from it that the compiler is wrapped. A script may look at its own path. So the new folder stands beside the old
/// one, and its name has the same length: each digit of the hash at its end is replaced by another.
#[cfg(unix)]
fn script_folder(script: &Path) -> Result<PathBuf> {
    let folder = script.parent().context("a build script is in a folder")?;
    let name = folder.file_name().context("the folder of a build script has a name")?.to_string_lossy();
    let hash = name.rfind('-').map_or(0, |dash| dash + 1);
    let other = |digit: char| digit.to_digit(16).and_then(|digit| char::from_digit(15 - digit, 16)).unwrap_or(digit);
    let moved = name[hash..].chars().map(other).collect::<String>();
    let end = if moved == name[hash..] { "-script" } else { "" };
    Ok(folder.with_file_name(format!("{}{moved}{end}", &name[..hash])))
}

/// Puts this program in the place of a build script, which cargo calls by `name`.
#[cfg(unix)]
fn launch(script: &Path, name: &str) -> Result<()> {
    let folder = script_folder(script)?;
    fs::create_dir_all(&folder)?;
    fs::rename(script, folder.join(name))?;
    // A copy, not a link: a link has the old time of this program, and cargo builds a script again that is older than
    // its sources.
    fs::copy(std::env::current_exe()?, script)?;
    Ok(())
}

/// On other systems a build script can see that the compiler is wrapped.
#[cfg(not(unix))]
fn launch(_: &Path, _: &str) -> Result<()> {
    Ok(())
}

/// Runs the build script in whose place this program is. Returns only if there is none, or if that fails.
///
/// # Errors
/// Fails if the script cannot be run.
#[cfg(unix)]
pub fn run_script(words: &[OsString]) -> Result<()> {
    use std::os::unix::process::CommandExt;
    // It has the name by which cargo calls us.
    let own = std::env::current_exe()?;
    let script = script_folder(&own).ok().and_then(|folder| Some(folder.join(own.file_name()?)));
    let Some(script) = script.filter(|script| script.is_file()) else { return Ok(()) };
    let mut command = Command::new(&script);
    let (name, words) = words.split_first().context("cargo called a build script without a name")?;
    command.arg0(name).args(words);
    restore_variables(&mut command);
    // Cargo tells a build script which flags it has, and which wrappers its settings name.
    command.envs(std::env::var_os(FLAGS_OF_CARGO).map(|flags| (FLAGS_OF_CARGO, flags)));
    for name in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
        let is_set = std::env::var_os(format!("{USERS}{name}")).is_some();
        // Where a file of settings names the wrapper, the build script does not see it.
        let setting = format!("CARGO_BUILD_{name}");
        let setting = std::env::var_os(format!("{USERS}{setting}")).or_else(|| std::env::var_os(setting));
        if let Some(wrapper) = setting.filter(|wrapper| !is_set && !wrapper.is_empty()) {
            command.env(name, wrapper);
        }
    }
    Err(command.exec()).with_context(|| format!("cannot run {}", script.display()))
}

/// On other systems this program is in no build script's place.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn run_script(_: &[OsString]) -> Result<()> {
    Ok(())
}

/// Does what cargo asks of the compiler. `words` is what cargo called us with: the compiler and its arguments.
///
/// # Errors
/// Fails if the compiler cannot be run or nothing can be written down.
pub fn run(words: &[OsString]) -> Result<ExitCode> {
    let (named, words) = words.split_first().context("cargo named no compiler")?;
    let rustc = std::env::var_os(COMPILER).unwrap_or_else(|| named.clone());
    if let Some(file) = std::env::var_os(ANSWER)
        && let Some(flags) = asked_with(words)
    {
        fs::write(&file, flags).with_context(|| format!("cannot write {}", file.to_string_lossy()))?;
    }
    let call = Call::read(words);
    let compiler = || {
        let mut command = Command::new(&rustc);
        restore_variables(&mut command);
        command
    };
    let stem = format!("{}{}", call.unit.as_ref().map_or("", |unit| unit.name.as_str()), call.extra);
    if let Some(unit) = call.unit.as_ref().filter(|unit| unit.crate_types.iter().any(|kind| kind == "proc-macro")) {
        let folder = PathBuf::from(unit.variables.get("CARGO_MANIFEST_DIR").map_or("", String::as_str));
        fs::write(exports(&call.out_dir, &stem), macros_of(unit)).context("cannot write down what cargo did")?;
        let copied = std::path::absolute(call.out_dir.join(format!("{stem}.recording")))?;
        let notes = call.out_dir.join(format!("{stem}.d"));
        if recorder::compile(compiler(), words, &unit.source, &folder, &copied, &notes).is_some() {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let is_script = |unit: &Unit| unit.name.starts_with("build_script_") && unit.crate_types == ["bin"];
    let script = call.unit.as_ref().filter(|unit| !call.for_target && is_script(unit));
    let script = script.map(|unit| (call.out_dir.join(&stem), unit.name.replace('_', "-")));
    let mut command = compiler();
    match call.unit.filter(|_| call.for_target) {
        // What is not for the program itself is passed on as it is: questions, build scripts, procedural macros whose
        // copy does not compile, and the libraries of both.
        None => command.args(words),
        Some(unit) => {
            let expansions = std::path::absolute(recorder::file(&call.out_dir, &stem))?;
            // What an earlier call wrote there does not count.
            let _ = fs::remove_file(&expansions);
            command.env(recorder::VARIABLE, expansions);
            let file = record(&call.out_dir, &stem);
            fs::write(&file, serde_json::to_vec(&unit)?).with_context(|| format!("cannot write {}", file.display()))?;
            let release = std::env::var(MARK).ok().and_then(|release| release.parse::<u32>().ok());
            if unit.crate_types == ["bin"] && release >= Some(TELLS_LINKED) {
                command.arg(format!("--print=link-args={}", linked(&call.out_dir, &stem).display()));
            }
            command.args(&call.arguments).args(FLAGS.iter().flat_map(|flag| [OsStr::new("-C"), OsStr::new(flag)]))
        }
    };
    let status = command.status().with_context(|| format!("cannot run {}", rustc.to_string_lossy()))?;
    if let Some((script, name)) = script.filter(|(script, _)| status.success() && script.is_file()) {
        launch(&script, &name).with_context(|| format!("cannot replace {}", script.display()))?;
    }
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1))
    })
}
