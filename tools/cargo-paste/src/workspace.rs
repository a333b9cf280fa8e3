//! The packages here and their binaries, before one is chosen.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId, Target};

use crate::rustc::{Compiler, Folder};
use crate::{build, wrapper};

/// The packages of a workspace and their binaries.
#[derive(Debug)]
pub struct Workspace {
    metadata: Metadata,
    /// The manifest, if one was named.
    manifest: Option<PathBuf>,
    /// The only package that counts, if one was named.
    chosen: Option<PackageId>,
    /// The flags for the compiler that cargo would pass, wherever they are set. A paste is compiled without them.
    pub flags: String,
}

/// A package that may have to be built although cargo sees no change.
pub struct Watched {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Whether it is one's own: neither from a registry nor from git.
    pub own: bool,
}

/// What a manifest says about its package.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The package's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The licence expression.
    pub license: Option<String>,
    /// The file that it names as its licence.
    pub license_file: Option<PathBuf>,
    /// The authors.
    pub authors: Vec<String>,
    /// The repository and commit it was taken from, if not from a registry or a folder.
    pub checkout: Option<String>,
    /// The `repository` that its manifest names.
    pub repository: Option<String>,
    /// Whether it is a path dependency: neither from a registry nor from git.
    pub local: bool,
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// One binary or example.
#[derive(Debug, Clone)]
pub struct Binary {
    /// Its name.
    pub name: String,
    /// The package's folder, where `testdata/` is.
    pub dir: PathBuf,
    /// The words that choose its package for cargo, the same as the user's: they decide which features are on.
    pub selection: Vec<OsString>,
    /// Whether this is an example rather than a binary.
    pub example: bool,
    /// The features it cannot be built without.
    pub features: Vec<String>,
}

fn is_program(target: &Target) -> bool {
    target.is_bin() || target.is_example()
}

impl Workspace {
    /// Reads the manifest at `manifest`, or the one of the current folder.
    ///
    /// # Errors
    /// Fails with cargo's own words if the manifest cannot be read.
    pub fn load(manifest: Option<&Path>) -> Result<Self> {
        let compiler = Compiler::current()?;
        let mut command = MetadataCommand::new();
        command.other_options(vec!["--filter-platform".to_owned(), compiler.host.clone()]);
        if let Some(manifest) = manifest {
            command.manifest_path(manifest);
        }
        // Cargo asks the compiler about the machine with the very flags that it builds with, and we listen.
        let folder = Folder::new(std::env::temp_dir().join(format!("cargo-paste-{}", std::process::id())))?;
        let answer = folder.0.join("flags");
        let mut command = command.cargo_command();
        build::wrapped(&mut command, &compiler)?.env(wrapper::ANSWER, &answer).env("CARGO_CACHE_RUSTC_INFO", "0");
        let output = command.output().context("cannot run cargo")?;
        let flags = fs::read_to_string(&answer);
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            let words = words.trim();
            bail!("{}", words.strip_prefix("error: ").unwrap_or(words));
        }
        let metadata = MetadataCommand::parse(String::from_utf8_lossy(&output.stdout))?;
        let flags = flags.context("cargo did not say which flags it has")?;
        Ok(Self { metadata, manifest: manifest.map(Path::to_owned), chosen: None, flags })
    }

    /// Only the binaries of the package `name`.
    ///
    /// # Errors
    /// Fails if there is no such package, and lists those there are.
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

    /// The packages that may have to be built although cargo sees no change, since they run while others are compiled:
    /// procedural macros, one's own packages with a build script, and one's own packages that any of these depend on.
    /// If the work is to be done anew, all of one's own packages.
    ///
    /// One's own packages are those in folders, neither from a registry nor from git.
    #[must_use]
    pub fn watched(&self, fresh: bool) -> Vec<Watched> {
        let own = || self.metadata.packages.iter().filter(|package| package.source.is_none());
        let folder = |package: &Package| package.manifest_path.parent().map(cargo_metadata::camino::Utf8Path::to_owned);
        let runs = |package: &&Package| {
            let is_own = package.source.is_none();
            is_own && fresh
                || package.targets.iter().any(|target| target.is_proc_macro() || is_own && target.is_custom_build())
        };
        let mut found: Vec<&Package> = self.metadata.packages.iter().filter(runs).collect();
        let mut at = 0;
        while let Some(package) = found.get(at) {
            let folders: Vec<_> =
                package.dependencies.iter().filter_map(|dependency| dependency.path.clone()).collect();
            for needed in own().filter(|package| folder(package).is_some_and(|folder| folders.contains(&folder))) {
                if !found.iter().any(|known| known.id == needed.id) {
                    found.push(needed);
                }
            }
            at += 1;
        }
        let watched = found.into_iter().filter_map(|package| {
            let (name, folder) = (package.name.to_string(), folder(package)?.into());
            Some(Watched { name, folder, own: package.source.is_none() })
        });
        watched.collect()
    }

    /// What the manifest in the folder `dir` says about its package.
    #[must_use]
    pub fn package_in(&self, dir: &Path) -> About {
        // One folder may have several names, by way of links.
        let real = |dir: &Path| dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        let inside = |package: &&Package| {
            package
                .manifest_path
                .parent()
                .is_some_and(|folder| folder == dir || real(folder.as_std_path()) == real(dir))
        };
        let Some(package) = self.metadata.packages.iter().find(inside) else { return About::default() };
        About {
            name: package.name.to_string(),
            version: package.version.to_string(),
            license: package.license.clone(),
            license_file: package.license_file().map(cargo_metadata::camino::Utf8PathBuf::into_std_path_buf),
            authors: package.authors.clone(),
            checkout: package.source.as_ref().and_then(|source| source.repr.strip_prefix("git+").map(str::to_owned)),
            repository: package.repository.clone(),
            local: package.source.is_none(),
        }
    }

    /// The packages whose binaries are meant: the one named, the manifest's own, or the default members of a workspace
    /// if the manifest is that of the workspace.
    fn packages(&self) -> Vec<&Package> {
        match (&self.chosen, self.metadata.root_package()) {
            (Some(chosen), _) => vec![&self.metadata[chosen]],
            (None, Some(root)) if root.manifest_path.parent() != Some(&self.metadata.workspace_root) => vec![root],
            (None, _) => self.metadata.workspace_default_packages(),
        }
    }

    /// The names `--all` stands for, in order.
    #[must_use]
    pub fn binaries(&self) -> Vec<String> {
        let targets = self.packages().into_iter().flat_map(|package| &package.targets);
        let names: BTreeSet<String> =
            targets.filter(|target| target.is_bin()).map(|target| target.name.clone()).collect();
        names.into_iter().collect()
    }

    /// The binary that `default-run` names in the manifest.
    #[must_use]
    pub fn default_binary(&self) -> Option<String> {
        self.packages().into_iter().find_map(|package| package.default_run.clone())
    }

    /// The binary or example called `name`.
    ///
    /// # Errors
    /// Fails if there is none, and then gives the nearest name or all names. Fails if there are several.
    pub fn find(&self, name: &str) -> Result<Binary> {
        let far = if self.chosen.is_some() { Vec::new() } else { self.metadata.workspace_packages() };
        for ring in [self.packages(), far] {
            let mut found = Vec::new();
            for package in ring {
                let same = package.targets.iter().filter(|target| is_program(target) && target.name == name);
                found.extend(same.max_by_key(|target| target.is_bin()).map(|target| (package, target)));
            }
            match found.as_slice() {
                [] => {}
                [(package, target)] => return Ok(self.binary(package, target)),
                several => {
                    let names: Vec<&str> = several.iter().map(|(package, _)| package.name.as_str()).collect();
                    bail!("`{name}` is in the packages {}; choose one with --package", names.join(" and "));
                }
            }
        }
        let near = self.packages();
        let targets = near.iter().flat_map(|package| &package.targets).filter(|target| is_program(target));
        let names: BTreeSet<&str> = targets.map(|target| target.name.as_str()).collect();
        let nearness = |other: &str| strsim::jaro_winkler(name, other);
        let nearest = names.iter().max_by(|one, other| nearness(one).total_cmp(&nearness(other)));
        let meant: Vec<String> =
            names.iter().filter(|other| other.contains(name)).map(|other| format!("`{other}`")).collect();
        match nearest {
            Some(_) if !meant.is_empty() => {
                bail!("there is no binary `{name}`; did you mean {}?", meant.join(" or "))
            }
            Some(nearest) if nearness(nearest) > 0.7 => {
                bail!("there is no binary `{name}`; did you mean `{nearest}`?")
            }
            Some(_) => {
                let names: Vec<&str> = names.into_iter().collect();
                bail!("there is no binary `{name}`; there are {}", names.join(", "))
            }
            None => {
                let place = match near.as_slice() {
                    [package] => format!("the package `{}`", package.name),
                    _ => self.metadata.workspace_root.to_string(),
                };
                bail!("there is no binary `{name}`: {place} has none; write one in src/bin/{name}.rs")
            }
        }
    }

    fn binary(&self, package: &Package, target: &Target) -> Binary {
        let mut selection: Vec<OsString> = Vec::new();
        if let Some(manifest) = &self.manifest {
            selection.extend(["--manifest-path".into(), manifest.into()]);
        }
        // What cargo does not choose by itself has to be named.
        let by_itself = self.chosen.is_none() && self.packages().iter().any(|near| near.id == package.id);
        if !by_itself {
            selection.extend(["--package".into(), package.id.repr.clone().into()]);
        }
        Binary {
            name: target.name.clone(),
            dir: package.manifest_path.parent().map(|dir| dir.as_std_path().to_owned()).unwrap_or_default(),
            selection,
            example: target.is_example(),
            features: target.required_features.clone(),
        }
    }
}
