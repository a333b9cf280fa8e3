//! First stage: which crates, with which features, make up a binary.
//!
//! Cargo itself is asked, twice. `cargo metadata` knows names, versions, renames and licences; `cargo check` knows
//! which features and which build-script settings this very binary is built with, and whether it compiles at all.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use cargo_metadata::{DependencyKind, Message, Metadata, MetadataCommand, Package, PackageId, Target, TargetKind};

use crate::rustc::Edition;

/// One crate of the program: the solution or something it depends on.
#[derive(Debug, Clone)]
pub struct Crate {
    /// The name in code, underscores and all.
    pub name: String,
    /// The package's name.
    pub package: String,
    /// The package's version.
    pub version: String,
    /// The licence expression of the manifest.
    pub license: Option<String>,
    /// The manifest's authors.
    pub authors: Vec<String>,
    /// The manifest's repository.
    pub repository: Option<String>,
    /// The edition it is written in.
    pub edition: Edition,
    /// Its root file.
    pub root: PathBuf,
    /// The folder of its manifest.
    pub dir: PathBuf,
    /// The features this build turns on.
    pub features: BTreeSet<String>,
    /// What its build script added, as `name` or `name="value"`.
    pub cfgs: BTreeSet<String>,
    /// Where its build script may have left generated code.
    pub out_dir: Option<PathBuf>,
    /// The names it knows its dependencies by, as indices into [`Program::crates`].
    pub dependencies: BTreeMap<String, usize>,
    /// Whether it is a procedural macro.
    pub proc_macro: bool,
    /// Where it comes from, if that is neither a registry nor a path.
    pub foreign_source: Option<String>,
}

/// A binary with everything it is built from.
#[derive(Debug, Clone)]
pub struct Program {
    /// The binary's name.
    pub name: String,
    /// The package's folder, where `testdata/` is.
    pub dir: PathBuf,
    /// The manifest that was used.
    pub manifest: PathBuf,
    /// Whether this is an example rather than a binary.
    pub example: bool,
    /// The features it cannot be built without.
    pub features: Vec<String>,
    /// Cargo's target folder.
    pub target_dir: PathBuf,
    /// The crates, the solution first.
    pub crates: Vec<Crate>,
}

/// A package's binaries, before one is chosen.
#[derive(Debug)]
pub struct Workspace {
    metadata: Metadata,
    /// The only package that counts, if one was named.
    chosen: Option<PackageId>,
}

fn is_program(target: &Target) -> bool {
    target.is_bin() || target.is_example()
}

fn ask_metadata(manifest: Option<&Path>, features: &[String]) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.other_options(vec!["--filter-platform".to_owned(), crate::rustc::host()?]);
    if let Some(manifest) = manifest {
        command.manifest_path(manifest);
    }
    if !features.is_empty() {
        command.features(cargo_metadata::CargoOpt::SomeFeatures(features.to_vec()));
    }
    command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => {
            let words = stderr.trim();
            anyhow!("{}", words.strip_prefix("error: ").unwrap_or(words))
        }
        other => anyhow!(other),
    })
}

impl Workspace {
    /// Reads the manifest at `manifest`, or the one of the current folder.
    ///
    /// # Errors
    /// Fails with cargo's own words if the manifest cannot be read.
    pub fn load(manifest: Option<&Path>) -> Result<Self> {
        let metadata = ask_metadata(manifest, &[])?;
        Ok(Self { metadata, chosen: None })
    }

    /// Only the binaries of the package `name`.
    ///
    /// # Errors
    /// Fails with the packages there are if that is none of them.
    pub fn only(mut self, name: &str) -> Result<Self> {
        let members = self.metadata.workspace_packages();
        let Some(package) = members.iter().find(|package| package.name == name) else {
            let names: Vec<&str> = members.iter().map(|package| package.name.as_str()).collect();
            bail!("there is no package `{name}` in this workspace, which has {}", names.join(", "));
        };
        self.chosen = Some(package.id.clone());
        Ok(self)
    }

    /// The folder cargo builds in.
    #[must_use]
    pub fn target_dir(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// The packages whose binaries are meant: the one named, the manifest's own, or the default members of a virtual
    /// workspace.
    fn packages(&self) -> Vec<&Package> {
        match (&self.chosen, self.metadata.root_package()) {
            (Some(chosen), _) => vec![&self.metadata[chosen]],
            (None, Some(root)) => vec![root],
            (None, None) => self.metadata.workspace_default_packages(),
        }
    }

    /// The names `--all` stands for, in order.
    #[must_use]
    pub fn binaries(&self) -> Vec<String> {
        let names: BTreeSet<String> = self
            .packages()
            .iter()
            .flat_map(|package| &package.targets)
            .filter(|target| target.is_bin())
            .map(|target| target.name.clone())
            .collect();
        names.into_iter().collect()
    }

    fn find(&self, name: &str) -> Result<(&Package, &Target)> {
        let far = if self.chosen.is_some() { Vec::new() } else { self.metadata.workspace_packages() };
        let rings = [self.packages(), far];
        for ring in &rings {
            let mut found = Vec::new();
            for &package in ring {
                let same = package.targets.iter().filter(|target| is_program(target) && target.name == name);
                found.extend(same.max_by_key(|target| target.is_bin()).map(|target| (package, target)));
            }
            match found.as_slice() {
                [] => {}
                [one] => return Ok(*one),
                several => {
                    let names: Vec<&str> = several.iter().map(|(package, _)| package.name.as_str()).collect();
                    bail!("`{name}` is in the packages {}; choose one with --package", names.join(" and "));
                }
            }
        }
        let all = rings.iter().flatten().flat_map(|package| &package.targets).filter(|target| is_program(target));
        let names: BTreeSet<&str> = all.map(|target| target.name.as_str()).collect();
        let nearness = |other: &str| strsim::jaro_winkler(name, other);
        let nearest = names.iter().max_by(|one, other| nearness(one).total_cmp(&nearness(other)));
        match nearest {
            Some(nearest) if nearness(nearest) > 0.7 => {
                bail!("there is no binary `{name}`; did you mean `{nearest}`?")
            }
            Some(_) => {
                let names: Vec<&str> = names.into_iter().collect();
                bail!("there is no binary `{name}`; there are {}", names.join(", "))
            }
            None => bail!(
                "there is no binary `{name}`: {} has none; write one in src/bin/{name}.rs",
                self.metadata.workspace_root
            ),
        }
    }

    /// Resolves the binary `name`: compiles it with `cargo check` and gathers its crates.
    ///
    /// # Errors
    /// Fails if there is no such binary, or with the compiler's own message if it does not compile.
    pub fn resolve(&self, name: &str) -> Result<Program> {
        let (package, target) = self.find(name)?;
        let features = &target.required_features;
        // Without its features, cargo does not say what the optional dependencies are called.
        let asked_again;
        let metadata = if features.is_empty() {
            &self.metadata
        } else {
            asked_again = ask_metadata(Some(package.manifest_path.as_std_path()), features)?;
            &asked_again
        };
        let mut program = Program {
            name: name.to_owned(),
            dir: folder(package)?,
            manifest: package.manifest_path.clone().into_std_path_buf(),
            example: target.is_example(),
            features: features.clone(),
            target_dir: self.target_dir().to_owned(),
            crates: Vec::new(),
        };
        let built = Built::ask_cargo(&program)?;
        let mut gather = Gather { metadata, built: &built, program: &mut program, known: HashMap::new() };
        gather.add(package, target)?;
        Ok(program)
    }
}

impl Program {
    /// A command of cargo about this binary, with messages for machines.
    fn cargo(&self, words: &[&str]) -> Command {
        let mut command = crate::rustc::cargo();
        command.args(words).arg("--quiet").arg("--manifest-path").arg(&self.manifest);
        command.args([if self.example { "--example" } else { "--bin" }, &self.name]);
        if !self.features.is_empty() {
            command.arg("--features").arg(self.features.join(","));
        }
        command
    }

    fn artifacts(&self) -> Result<Vec<cargo_metadata::Artifact>> {
        let mut command = self.cargo(&["build", "--release", "--message-format=json-render-diagnostics"]);
        let output = run(&mut command)?;
        if !output.status.success() {
            bail!("cargo cannot build {}:\n{}", self.name, String::from_utf8_lossy(&output.stderr).trim());
        }
        let messages = Message::parse_stream(output.stdout.as_slice()).filter_map(Result::ok);
        let artifacts = messages.filter_map(|message| match message {
            Message::CompilerArtifact(artifact) => Some(artifact),
            _ => None,
        });
        Ok(artifacts.collect())
    }

    /// Builds the binary with cargo and says where it is.
    ///
    /// # Errors
    /// Fails if cargo does.
    pub fn executable(&self) -> Result<PathBuf> {
        let artifacts = self.artifacts()?;
        let found = artifacts
            .into_iter()
            .find_map(|artifact| artifact.executable.filter(|_| artifact.target.name == self.name));
        Ok(found.with_context(|| format!("cargo built no {}", self.name))?.into())
    }

    /// The crates in `keep` with their versions.
    ///
    /// # Errors
    /// Fails if a name in `keep` is no crate of the program.
    pub fn kept(&self, keep: &BTreeSet<String>) -> Result<Vec<String>> {
        let find = |name: &String| {
            let found = self.crates[1..].iter().find(|krate| krate.package == *name || krate.name == *name);
            let krate = found.with_context(|| format!("--keep {name}: {} has no such dependency", self.name))?;
            Ok(format!("{} {}", krate.package, krate.version))
        };
        keep.iter().map(find).collect()
    }

    /// Builds the binary with cargo and says how a compiler is told of the libraries in `keep`.
    ///
    /// # Errors
    /// Fails if cargo does, or if a name in `keep` is no crate of the program.
    pub fn libraries(&self, keep: &BTreeSet<String>) -> Result<Vec<std::ffi::OsString>> {
        let mut arguments = Vec::new();
        if self.kept(keep)?.is_empty() {
            return Ok(arguments);
        }
        for artifact in self.artifacts()? {
            let library = artifact.filenames.iter().find(|file| file.extension() == Some("rlib"));
            let Some(library) = library else { continue };
            let krate = self.crates[1..].iter().find(|krate| krate.root == artifact.target.src_path.as_std_path());
            let Some(krate) = krate else { continue };
            if keep.contains(&krate.name) || keep.contains(&krate.package) {
                let names = self.crates[0].dependencies.iter();
                let alias =
                    names.filter(|(_, index)| self.crates[**index].root == krate.root).map(|(name, _)| name).next();
                arguments.push("--extern".into());
                arguments.push(format!("{}={library}", alias.unwrap_or(&krate.name)).into());
            }
            if let Some(folder) = library.parent() {
                arguments.push("-L".into());
                arguments.push(format!("dependency={}", folder.join("deps")).into());
                arguments.push("-L".into());
                arguments.push(format!("dependency={folder}").into());
            }
        }
        Ok(arguments)
    }
}

fn folder(package: &Package) -> Result<PathBuf> {
    let parent = package.manifest_path.parent();
    Ok(parent.with_context(|| format!("{} has no folder", package.manifest_path))?.into())
}

/// What `cargo check` said about each package.
#[derive(Default)]
struct Built {
    features: HashMap<PackageId, BTreeSet<String>>,
    scripts: HashMap<PackageId, (BTreeSet<String>, PathBuf)>,
}

impl Built {
    fn ask_cargo(program: &Program) -> Result<Self> {
        let output = run(&mut program.cargo(&["check", "--message-format=json"]))?;
        let mut built = Self::default();
        let mut complaints = String::new();
        for message in Message::parse_stream(output.stdout.as_slice()) {
            match message.context("cannot read cargo's messages")? {
                Message::CompilerArtifact(artifact) => {
                    let features = artifact.features.iter().cloned().collect();
                    let custom = artifact.target.is_custom_build();
                    if !custom {
                        built.features.insert(artifact.package_id, features);
                    }
                }
                Message::BuildScriptExecuted(script) => {
                    let cfgs = script.cfgs.into_iter().collect();
                    built.scripts.insert(script.package_id, (cfgs, script.out_dir.into()));
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
            bail!("{} does not compile, so it cannot be pasted:\n{}", program.name, complaints.trim_end());
        }
        Ok(built)
    }
}

fn run(command: &mut Command) -> Result<std::process::Output> {
    command.output().with_context(|| format!("cannot run {}", command.get_program().to_string_lossy()))
}

struct Gather<'a> {
    metadata: &'a Metadata,
    built: &'a Built,
    program: &'a mut Program,
    known: HashMap<PackageId, usize>,
}

impl Gather<'_> {
    fn add(&mut self, package: &Package, target: &Target) -> Result<usize> {
        let index = self.program.crates.len();
        let solution = is_program(target);
        if !solution {
            self.known.insert(package.id.clone(), index);
        }
        let source = package.source.as_ref().map(|source| source.repr.clone());
        let script = self.built.scripts.get(&package.id);
        self.program.crates.push(Crate {
            name: target.name.replace('-', "_"),
            package: package.name.to_string(),
            version: package.version.to_string(),
            license: package.license.clone(),
            authors: package.authors.clone(),
            repository: package.repository.clone(),
            edition: Edition::parse(target.edition.as_str()),
            root: target.src_path.clone().into(),
            dir: folder(package)?,
            features: self.built.features.get(&package.id).cloned().unwrap_or_default(),
            cfgs: script.map(|(cfgs, _)| cfgs.clone()).unwrap_or_default(),
            out_dir: script.map(|(_, folder)| folder.clone()),
            dependencies: BTreeMap::new(),
            proc_macro: target.is_proc_macro(),
            foreign_source: source.filter(|source| !source.starts_with("registry+") && !source.starts_with("sparse+")),
        });
        if target.is_proc_macro() {
            return Ok(index);
        }
        let mut dependencies = BTreeMap::new();
        if solution && let Some(own) = package.targets.iter().find(|target| is_library(target)) {
            let own_index = self.add(package, own)?;
            dependencies.insert(own.name.replace('-', "_"), own_index);
        }
        let resolve = self.metadata.resolve.as_ref().context("cargo metadata resolved nothing")?;
        let node = resolve.nodes.iter().find(|node| node.id == package.id);
        let example = solution && target.is_example();
        for edge in node.map(|node| node.deps.as_slice()).unwrap_or_default() {
            let wanted = edge.dep_kinds.is_empty()
                || edge.dep_kinds.iter().any(|kind| {
                    kind.kind == DependencyKind::Normal || example && kind.kind == DependencyKind::Development
                });
            if !wanted || !self.built.features.contains_key(&edge.pkg) {
                continue;
            }
            let dependency = &self.metadata[&edge.pkg];
            let Some(library) = dependency.targets.iter().find(|target| is_library(target)) else {
                continue;
            };
            let known = self.known.get(&edge.pkg).copied();
            let found = match known {
                Some(found) => found,
                None => self.add(dependency, library)?,
            };
            dependencies.insert(edge.name.replace('-', "_"), found);
        }
        self.program.crates[index].dependencies = dependencies;
        Ok(index)
    }
}

fn is_library(target: &Target) -> bool {
    target.kind.iter().any(|kind| {
        matches!(
            kind,
            TargetKind::Lib
                | TargetKind::RLib
                | TargetKind::DyLib
                | TargetKind::CDyLib
                | TargetKind::StaticLib
                | TargetKind::ProcMacro
        )
    })
}
