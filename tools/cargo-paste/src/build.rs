//! First stage: what cargo really builds, crate by crate, with the code that the compiler makes of it.
//!
//! Cargo makes the release build of the binary in a folder of our own, with [`crate::wrapper`] in place of the
//! compiler. Nothing here is a guess: editions, conditions, names of dependencies and variables are what cargo said.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;

use crate::recorder::{self, Expansion};
use crate::rustc::{Compiler, Edition};
use crate::workspace::{About, Binary, Watched, Workspace};
use crate::wrapper::{self, Unit};

/// One crate of the program: the solution or something it depends on.
#[derive(Debug, Clone)]
pub struct Crate {
    /// The name in code, with underscores.
    pub name: String,
    /// What its manifest says about its package.
    pub about: About,
    /// The edition it is written in.
    pub edition: Edition,
    /// Its root file.
    pub root: PathBuf,
    /// The folder of its manifest.
    pub dir: PathBuf,
    /// What is set for it, features included, as `name` or `name="value"`.
    pub cfgs: BTreeSet<String>,
    /// The variables that its code reads when it is compiled, and those that tell of its package; nothing where one is
    /// not set.
    pub variables: BTreeMap<String, Option<String>>,
    /// The names it knows its dependencies by, as indices into [`Program::crates`].
    pub dependencies: BTreeMap<String, usize>,
    /// Whether it is a procedural macro.
    pub proc_macro: bool,
    /// If it is one, the macros it exports, and maybe other words.
    pub macros: BTreeSet<String>,
    /// What its build script wants to be linked.
    pub links: Vec<String>,
    /// Where its build script, or one of a crate below it, wants libraries to be looked for.
    pub searches: Vec<String>,
    /// The compiled library, if it is one.
    library: PathBuf,
    /// The LLVM code that the compiler made of it.
    code: PathBuf,
    /// The files it is made from, as the compiler names them.
    files: BTreeSet<String>,
    /// The folder in which the compiler ran.
    folder: PathBuf,
}

impl Crate {
    /// Its source files.
    pub fn sources(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let files = self.files.iter().map(|file| self.folder.join(file));
        files.filter(|file| file.extension().is_some_and(|end| end == "rs"))
    }

    /// Whether the crate or its package is called `name`.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.about.name == name || self.name == name
    }

    /// The length and the time of its code, which tell one build from another.
    pub(crate) fn built(&self) -> Option<(u64, Option<SystemTime>)> {
        fs::metadata(&self.code).ok().map(|code| (code.len(), code.modified().ok()))
    }
}

/// A binary with everything it is built from.
#[derive(Debug)]
pub struct Program {
    /// The binary.
    pub binary: Binary,
    /// What cargo built.
    pub executable: PathBuf,
    /// Cargo's target folder.
    pub target_dir: PathBuf,
    /// The name of the folder for this build, which is in cargo's target folder.
    pub folder: String,
    /// The crates, the solution first.
    pub crates: Vec<Crate>,
    /// Those that were linked: all, until that is known. The compiler does not even read the others.
    pub linked: BTreeSet<usize>,
    /// How the linker was called, if the compiler can tell.
    link_line: String,
    /// Settings of the profile or of `rustflags` that a judge does not have.
    pub left_out: Vec<String>,
    /// All that cargo said about the crates, for the cache.
    pub records: String,
    /// What procedural macros produced in all of them, in the order of their crates.
    pub expansions: Vec<Expansion>,
}

/// Cargo's command about a binary.
fn cargo(binary: &Binary, words: &[&str]) -> Command {
    let mut command = crate::rustc::cargo();
    command.args(words).args(["--quiet", "--release", "--message-format=json"]);
    command.args(&binary.selection);
    command.args([if binary.example { "--example" } else { "--bin" }, &binary.name]);
    if !binary.features.is_empty() {
        command.arg("--features").arg(binary.features.join(","));
    }
    command
}

/// Has cargo put everything into `folder`, also where the user's settings name another place for intermediate files.
fn build_in(command: &mut Command, folder: &Path) {
    command.arg("--target-dir").arg(folder);
    let folder = folder.to_string_lossy();
    // Cargo takes what stands in braces there for the name of a variable.
    if !folder.contains(['{', '}']) {
        // A string in JSON is one in TOML, too.
        command.arg("--config").arg(format!("build.build-dir={}", serde_json::Value::from(folder)));
    }
}

/// Makes cargo build those of the packages in [`Workspace::watched`] again that may read something that has changed
/// since the last build in `folder`. Cargo itself only goes by the times of files, and does not know which variables of
/// the environment a procedural macro or a build script reads. If the work is to be done anew, all of one's own
/// packages are built again.
fn forget_changed(workspace: &Workspace, folder: &Path, system: &str, fresh: bool) -> Result<()> {
    let environment = state_of_environment();
    for Watched { name, folder: package, own } in workspace.watched(fresh) {
        let files = if own { crate::cache::state_of(&package) } else { String::new() };
        let state = format!("{files} {environment}");
        let noted =
            folder.join(format!("{name}-{}.state", &crate::cache::hash([package.as_os_str().as_encoded_bytes()])[..8]));
        let known = fs::read_to_string(&noted).ok();
        let again = fresh && own;
        if known.as_ref() == Some(&state) && !again {
            continue;
        }
        if known.is_some() || again {
            for release in [folder.join("release"), folder.join(system).join("release")] {
                let Ok(entries) = fs::read_dir(release.join(".fingerprint")) else { continue };
                for entry in entries.flatten() {
                    let file = entry.file_name().to_string_lossy().into_owned();
                    if file.rsplit_once('-').is_some_and(|(package, _)| package == name) {
                        fs::remove_dir_all(entry.path()).context("cannot have cargo build a package again")?;
                    }
                }
            }
        }
        fs::write(&noted, state).with_context(|| format!("cannot write {}", noted.display()))?;
    }
    Ok(())
}

/// A hash of the environment's variables, except those that change with every command, and of cargo's settings, which
/// may set variables as well.
fn state_of_environment() -> String {
    let mut all: Vec<_> = std::env::vars_os().collect();
    all.retain(|(name, _)| !["_", "PWD", "OLDPWD", "SHLVL"].iter().any(|volatile| name == volatile));
    all.sort();
    let here = std::env::current_dir().unwrap_or_default();
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let folders = here.ancestors().map(|folder| folder.join(".cargo")).chain(home);
    let settings = folders.flat_map(|folder| ["config", "config.toml"].map(|name| fs::read(folder.join(name))));
    let settings: Vec<Vec<u8>> = settings.map(Result::unwrap_or_default).collect();
    let variables = all.iter().flat_map(|(name, value)| [name.as_encoded_bytes(), value.as_encoded_bytes()]);
    crate::cache::hash(variables.chain(settings.iter().map(Vec::as_slice)))
}

/// Runs a build of cargo and gives the executable it made.
fn executable(binary: &Binary, command: &mut Command) -> Result<PathBuf> {
    let output = command.output().with_context(|| format!("cannot run {}", command.get_program().to_string_lossy()))?;
    let mut complaints = String::new();
    let mut made = None;
    for message in Message::parse_stream(output.stdout.as_slice()) {
        match message.context("cannot read cargo's messages")? {
            Message::CompilerArtifact(artifact) if artifact.target.name == binary.name => {
                made = artifact.executable.or(made);
            }
            Message::CompilerMessage(message)
                if matches!(
                    message.message.level,
                    cargo_metadata::diagnostic::DiagnosticLevel::Error
                        | cargo_metadata::diagnostic::DiagnosticLevel::Ice
                ) =>
            {
                complaints.push_str(message.message.rendered.as_deref().unwrap_or_default());
            }
            _ => {}
        }
    }
    if !output.status.success() {
        if complaints.is_empty() {
            complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        }
        bail!("{} does not compile, so it cannot be pasted:\n{}", binary.name, complaints.trim_end());
    }
    Ok(made.with_context(|| format!("cargo built no {}", binary.name))?.into())
}

/// Makes cargo's ordinary release build and says where the executable is.
///
/// # Errors
/// Fails if cargo does.
pub fn release(binary: &Binary) -> Result<PathBuf> {
    executable(binary, &mut cargo(binary, &["build"]))
}

/// The same without the settings of the profile that a judge does not have. Those for single packages stay. It has a
/// folder of its own.
fn plain_release(binary: &Binary, target_dir: &Path) -> Result<PathBuf> {
    let mut command = cargo(binary, &["build"]);
    build_in(&mut command, &target_dir.join("paste").join("plain"));
    command.env("CARGO_ENCODED_RUSTFLAGS", "");
    for (setting, value) in [("PANIC", "unwind"), ("OVERFLOW_CHECKS", "false"), ("DEBUG_ASSERTIONS", "false")] {
        command.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    executable(binary, &mut command)
}

impl Program {
    /// Has cargo build `binary` and reads what it did.
    ///
    /// # Errors
    /// Fails with the compiler's own message if it does not compile.
    pub fn build(workspace: &Workspace, binary: Binary, compiler: &Compiler, fresh: bool) -> Result<Self> {
        let target_dir = workspace.target_dir().to_owned();
        let mut command = cargo(&binary, &["build", "--target", &compiler.host]);
        // Another set of flags is another build, and so is another wrapper.
        let flags = &crate::cache::hash([
            include_str!("wrapper.rs").as_bytes(),
            wrapper::FLAGS.join(" ").as_bytes(),
            compiler.verbose.as_bytes(),
            include_str!("recorder.rs").as_bytes(),
        ])[..8];
        let folder = format!("build-{flags}");
        let place = target_dir.join("paste").join(&folder);
        build_in(&mut command, &place);
        // Another paste may be built there at the same time, in another environment.
        fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
        let lock = fs::File::create(place.join("lock")).context("cannot make a file that locks a folder")?;
        lock.lock().context("cannot lock a folder")?;
        forget_changed(workspace, &place, &compiler.host, fresh)?;
        // A judge does not have the user's rustflags. If this variable is set, even to nothing, cargo takes no flags
        // from elsewhere.
        wrapped(&mut command, compiler)?.env("CARGO_ENCODED_RUSTFLAGS", "");
        let made = executable(&binary, &mut command)?;
        let mut program = Self {
            binary,
            executable: made,
            target_dir,
            folder,
            crates: Vec::new(),
            linked: BTreeSet::new(),
            link_line: String::new(),
            left_out: Vec::new(),
            records: String::new(),
            expansions: Vec::new(),
        };
        let (folder, stem) = program.own_unit()?;
        program.link_line = read_text(&wrapper::linked(&folder, &stem)).unwrap_or_default();
        // An example has a folder of its own, beside the one where the libraries are.
        let deps = folder.parent().unwrap_or(&folder).join("deps");
        let mut reader = Reader { program: &mut program, workspace, deps, known: HashMap::new(), nosy: Vec::new() };
        reader.add(&folder, &stem)?;
        reader.refuse_nosy()?;
        if !workspace.flags.is_empty() {
            program.left_out.push(format!("rustflags ({})", workspace.flags));
        }
        program.linked = (0..program.crates.len()).collect();
        Ok(program)
    }

    /// The folder of the crates' files, and the name that the binary's own files have in it. The executable that cargo
    /// shows is a copy of one of them.
    fn own_unit(&self) -> Result<(PathBuf, String)> {
        let made = self.executable.as_path();
        let folder = made.parent().unwrap_or(made);
        let deps = if self.binary.example { folder.to_owned() } else { folder.join("deps") };
        let name = self.binary.name.replace('-', "_");
        let mut stems: Vec<String> = fs::read_dir(&deps)
            .with_context(|| format!("cannot read {}", deps.display()))?
            .flatten()
            .filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(".unit.json").map(str::to_owned))
            .filter(|stem| stem.rsplit_once('-').is_some_and(|(start, _)| start == name))
            .collect();
        stems.sort();
        if stems.len() > 1 {
            let wanted = fs::read(made)?;
            let same = |stem: &String| {
                let file = deps.join(format!("{stem}{}", std::env::consts::EXE_SUFFIX));
                fs::read(file).is_ok_and(|found| found == wanted)
            };
            stems.retain(same);
        }
        let stem = stems.pop().with_context(|| format!("cargo left no record of {}", self.binary.name))?;
        Ok((deps, stem))
    }

    /// Makes the release build, optimised as cargo does it, and says where the executable is.
    ///
    /// # Errors
    /// Fails if cargo does.
    pub fn optimised(&self) -> Result<PathBuf> {
        if self.left_out.is_empty() { release(&self.binary) } else { plain_release(&self.binary, &self.target_dir) }
    }

    /// The names by which cargo calls the files of the solution.
    pub fn own_files(&self) -> impl Iterator<Item = &str> {
        self.crates[0].files.iter().map(String::as_str)
    }

    /// The edition of the solution.
    #[must_use]
    pub fn edition(&self) -> Edition {
        self.crates[0].edition
    }

    /// The editions that its code is written in: those of its crates, and of the macros that made some of it.
    #[must_use]
    pub fn editions(&self) -> BTreeSet<Edition> {
        let written = |index: &usize| {
            let krate = &self.crates[*index];
            self.linked.contains(index) && !krate.proc_macro || krate.proc_macro && !self.expansions.is_empty()
        };
        (0..self.crates.len()).filter(written).map(|index| self.crates[index].edition).collect()
    }

    /// Whether procedural macros of editions before 2024 may have produced a part of it.
    #[must_use]
    pub fn has_older_produce(&self) -> bool {
        let makes = |krate: &Crate| krate.proc_macro && krate.edition < Edition::E2024;
        !self.expansions.is_empty() && self.crates.iter().any(makes)
    }

    /// The libraries that were linked, apart from crates. Those of the standard library do not count: a paste has them,
    /// too.
    pub fn libraries_linked(&self) -> impl Iterator<Item = &str> {
        let standard = ["c", "m", "rt", "pthread", "util", "dl", "gcc", "gcc_s", "gcc_eh"];
        let words = self.link_line.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        words.filter_map(|word| word.strip_prefix("-l")).filter(move |library| !standard.contains(library))
    }

    /// Sets [`Program::linked`] to the crates that the linker got, or to all of `named` if that is not known.
    ///
    /// The linker also gets crates that no text seems to name: a link in a doc comment is enough.
    pub fn only_linked(&mut self, named: &BTreeSet<usize>) {
        let is_in_it = |index: &usize| {
            let library = self.crates[*index].library.file_name().unwrap_or_default().to_string_lossy();
            *index == 0 || !library.is_empty() && self.link_line.contains(&*library)
        };
        self.linked =
            if self.link_line.is_empty() { named.clone() } else { (0..self.crates.len()).filter(is_in_it).collect() };
    }

    /// The LLVM code of each crate. It is empty for procedural macros and for crates that were not
    /// [linked](Self::linked).
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn code(&self) -> Result<Vec<String>> {
        let text = |index: usize| match &self.crates[index] {
            krate if krate.proc_macro || !self.linked.contains(&index) => Ok(String::new()),
            krate => read_text(&krate.code),
        };
        (0..self.crates.len()).map(text).collect()
    }

    /// The variables of its crates and cargo's own, which a judge does not have.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        let read = self.crates.iter().flat_map(|krate| krate.variables.keys().cloned());
        let own = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let names: BTreeSet<String> = read.chain(own.filter(|name| name.starts_with("CARGO_PKG_"))).collect();
        names.into_iter().chain(["CARGO_MANIFEST_DIR", "OUT_DIR", "CARGO_CRATE_NAME"].map(str::to_owned)).collect()
    }

    /// The names of the source files of `crates`, as panics show them.
    #[must_use]
    pub fn files(&self, crates: impl IntoIterator<Item = usize>) -> HashSet<String> {
        crates.into_iter().flat_map(|index| self.crates[index].files.iter().cloned()).collect()
    }

    /// The source files and what else the crates were made from.
    pub fn inputs(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.crates.iter().flat_map(|krate| krate.files.iter().map(|file| krate.folder.join(file)))
    }

    /// All crates but the procedural macros.
    pub fn without_macros(&self) -> impl Iterator<Item = &Crate> {
        self.crates.iter().filter(|krate| !krate.proc_macro)
    }

    /// The crates in `keep`, as indices.
    ///
    /// # Errors
    /// Fails if a name in `keep` is no crate of the program.
    pub fn kept(&self, keep: &BTreeSet<String>) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        for name in keep {
            let called = (1..self.crates.len()).filter(|&index| self.crates[index].is_called(name));
            let before = found.len();
            found.extend(called);
            if found.len() == before {
                bail!("--keep {name}: {} has no such dependency", self.binary.name);
            }
        }
        Ok(found)
    }

    /// How a compiler is told of the crates in `keep`.
    ///
    /// # Errors
    /// Fails if a name in `keep` is no crate of the program.
    pub fn libraries(&self, keep: &BTreeSet<String>) -> Result<Vec<OsString>> {
        let mut arguments: Vec<OsString> = Vec::new();
        let kept = self.kept(keep)?;
        for &index in &kept {
            let krate = &self.crates[index];
            // Another release of the crate may have the same name, and be used by kept crates only.
            let pasted = (0..self.crates.len()).filter(|user| !kept.contains(user)).map(|user| &self.crates[user]);
            let named: Vec<(&Crate, &String)> = pasted
                .flat_map(|user| user.dependencies.iter().map(move |(name, found)| (user, name, *found)))
                .filter_map(|(user, name, found)| (found == index).then_some((user, name)))
                .collect();
            if let Some((user, name)) = named.iter().find(|(_, name)| **name != krate.name) {
                let (kept, user) = (&krate.about.name, &user.about.name);
                bail!("--keep {kept}: {user} calls it `{name}`, but a judge has it as `{}`", krate.name);
            }
            if !named.is_empty() {
                let mut library = OsString::from(format!("{}=", krate.name));
                library.push(&krate.library);
                arguments.extend(["--extern".into(), library]);
            }
            // The folder of the crate, and that of the procedural macros it may use, which are built for this machine:
            // `<target>/<system>/release/deps` and `<target>/release/deps`.
            let deps = krate.library.parent().unwrap_or(&krate.library);
            let target = deps.ancestors().nth(3).unwrap_or(deps);
            for folder in [deps.to_owned(), target.join("release/deps")] {
                let mut search = OsString::from("dependency=");
                search.push(folder);
                arguments.extend(["-L".into(), search]);
            }
        }
        Ok(arguments)
    }
}

/// Puts us between cargo and the compiler.
pub(crate) fn wrapped<'c>(command: &'c mut Command, compiler: &Compiler) -> Result<&'c mut Command> {
    let own = std::env::current_exe().context("cannot find cargo-paste itself")?;
    Ok(wrapper::wrap(command, &own, compiler))
}

fn read_text(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

struct Reader<'a> {
    program: &'a mut Program,
    workspace: &'a Workspace,
    deps: PathBuf,
    known: HashMap<String, usize>,
    /// Procedural macros that may have seen how the compiler was called.
    nosy: Vec<usize>,
}

impl Reader<'_> {
    /// Refuses a procedural macro that may read the arguments or variables of the compiler. They are not those of
    /// cargo's own build, so it may make something else.
    fn refuse_nosy(&self) -> Result<()> {
        let Program { crates, expansions, .. } = &*self.program;
        for krate in self.nosy.iter().map(|&index| &crates[index]) {
            // If it is not known what the crate exports, it may be any of them.
            let is_of = |name: &String| krate.macros.is_empty() || krate.macros.contains(name);
            if let Some(used) = expansions.iter().find(|used| is_of(&used.name)) {
                bail!(
                    "{}:{} uses the procedural macro `{}` of {}, which can read all arguments or all variables of the \
                     compiler; write by hand what it makes",
                    used.file.display(),
                    used.line,
                    used.shown(),
                    krate.name
                );
            }
        }
        Ok(())
    }

    /// Reads the crate whose files are called `stem`, and all it names.
    fn add(&mut self, folder: &Path, stem: &str) -> Result<usize> {
        let text = read_text(&wrapper::record(folder, stem))?;
        let unit: Unit = serde_json::from_str(&text).context("cannot read what cargo did")?;
        let notes = read_text(&folder.join(format!("{stem}.d")))?;
        self.program.records.push_str(&text);
        // Most settings hold for all crates. The solution is read first, so a crate is only named where it differs.
        let solution = self.program.crates.is_empty();
        for setting in &unit.left_out {
            let known = self.program.left_out.contains(setting);
            let setting = if solution { setting.clone() } else { format!("{setting} (of {})", unit.name) };
            if !known && !self.program.left_out.contains(&setting) {
                self.program.left_out.push(setting);
            }
        }
        let dir = PathBuf::from(unit.variables.get("CARGO_MANIFEST_DIR").cloned().unwrap_or_default());
        let mut read: BTreeMap<String, Option<String>> = environment(&notes);
        // Cargo's own variables are there whether or not the compiler says that they were read.
        for (name, value) in &unit.variables {
            read.entry(name.clone()).or_insert_with(|| Some(value.clone()));
        }
        // What a manifest says about people and licences may change without anything being compiled again.
        let about = self.workspace.package_in(&dir);
        if let Ok(text) = fs::read_to_string(recorder::file(folder, stem)) {
            self.program.records.push_str(&text);
            self.program.expansions.extend(recorder::read(&text, &unit.folder));
        }
        let krate = Crate {
            name: unit.name.clone(),
            about,
            edition: Edition::parse(&unit.edition),
            links: unit.links.clone(),
            searches: unit.searches.clone(),
            root: unit.folder.join(&unit.source),
            dir,
            cfgs: unit.cfgs.iter().cloned().collect(),
            variables: read,
            dependencies: BTreeMap::new(),
            proc_macro: false,
            macros: BTreeSet::new(),
            library: folder.join(format!("lib{stem}.rlib")),
            code: folder.join(format!("{stem}.ll")),
            files: sources(&notes),
            folder: unit.folder.clone(),
        };
        let index = self.program.crates.len();
        self.program.crates.push(krate);
        for (name, file) in &unit.externs {
            // A library goes by its `.rmeta` to other libraries and by its `.rlib` to the linker. The stem is the same.
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let stem = stem.strip_prefix("lib").unwrap_or(&stem);
            let found = match self.known.get(stem) {
                Some(&found) => found,
                None => self.dependency(name, stem, file)?,
            };
            self.known.insert(stem.to_owned(), found);
            self.program.crates[index].dependencies.insert(name.clone(), found);
        }
        Ok(index)
    }

    fn dependency(&mut self, name: &str, stem: &str, file: &Path) -> Result<usize> {
        if wrapper::record(&self.deps, stem).is_file() {
            return self.add(&self.deps.clone(), stem);
        }
        // What has no record is a procedural macro: it runs in the compiler and is no part of the program.
        let mut krate = self.program.crates[0].clone();
        name.clone_into(&mut krate.name);
        krate.about = About { name: name.to_owned(), ..About::default() };
        krate.proc_macro = true;
        let exports = wrapper::exports(file.parent().unwrap_or(file), stem);
        let exports = fs::read_to_string(exports).unwrap_or_default();
        let mut exports = exports.lines();
        krate.edition = exports.next().map_or(krate.edition, Edition::parse);
        krate.macros = exports.map(str::to_owned).collect();
        krate.dependencies.clear();
        krate.files.clear();
        let index = self.program.crates.len();
        self.program.crates.push(krate);
        if fs::read(file).is_ok_and(|library| recorder::is_nosy(&library)) {
            self.nosy.push(index);
        }
        Ok(index)
    }
}

/// The variables that a crate's code asked for, as the compiler notes them down.
fn environment(notes: &str) -> BTreeMap<String, Option<String>> {
    let lines = notes.lines().filter_map(|line| line.strip_prefix("# env-dep:"));
    lines
        .map(|line| match line.split_once('=') {
            // Cargo's own build does not have what this tool sets.
            Some((name, _)) if name.starts_with("CARGO_PASTE_") => (name.to_owned(), None),
            Some((name, value)) => (name.to_owned(), Some(recorder::unescape(value))),
            None => (line.to_owned(), None),
        })
        .collect()
}

/// The files that a crate was made from, as the compiler notes them down: `output: file file …`.
fn sources(notes: &str) -> BTreeSet<String> {
    let line = notes.lines().find_map(|line| line.split_once(": ")).map_or("", |(_, files)| files);
    let mut files = BTreeSet::new();
    let mut file = String::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&' ') => file.extend(letters.next()),
            ' ' => {
                files.insert(std::mem::take(&mut file));
            }
            _ => file.push(letter),
        }
    }
    files.insert(file);
    files.remove("");
    files
}
