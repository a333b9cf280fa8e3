//! The notice above the inlined crates: what their licences ask of a copy.
//!
//! A paste is a copy of parts of each crate. Of the licences that a crate offers, the least demanding one is taken, and
//! what it asks for is written down: the holder's line and the text from the package's own licence file. What is not
//! understood is named in a warning, and the package's licence files are printed as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use spdx::expression::{ExprNode, Operator};
use spdx::{Expression, LicenseReq, ParseMode};

/// How long a line of the notice may be.
const WIDTH: usize = 120;

const HEADER: &str = "// Below are crates, or parts of them, that a judge may not have. cargo-paste put them here.\n";

/// What the notice needs to know about the package of an inlined crate.
#[derive(Debug, Clone, Default)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// `license` in its manifest, an expression.
    pub license: Option<String>,
    /// `license-file` in its manifest; a relative path starts in `folder`.
    pub license_file: Option<PathBuf>,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// The root file of its crate.
    pub root: PathBuf,
    /// `authors` in its manifest.
    pub authors: Vec<String>,
    /// Where its source is: the address in git, or else `repository` in its manifest.
    pub repository: Option<String>,
    /// The commit, if it came from git.
    pub commit: Option<String>,
    /// Whether it is a path dependency. It may be the user's own, so it may lack a licence.
    pub local: bool,
}

/// The notice and what to say about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notice {
    /// Comment lines, to stand above the inlined modules.
    pub text: String,
    /// Sentences for the standard error.
    pub warnings: Vec<String>,
}

/// Writes down what the licences of `packages` ask for. The solution in the folder `home` uses these packages. Their
/// order does not matter.
#[must_use]
pub fn notice(packages: &[Package], home: &Path) -> Notice {
    let mut sorted: Vec<&Package> = packages.iter().collect();
    sorted.sort_by_key(|package| (&package.name, &package.version, &package.folder));
    let mut writer = Writer::default();
    for package in &sorted {
        let twins = sorted.iter().filter(|other| other.name == package.name).count();
        let mut label = package.name.clone();
        if twins > 1 {
            let _ = write!(label, " {}", package.version);
        }
        if let Some(commit) = &package.commit {
            let _ = write!(label, " (commit {})", commit.get(..12).unwrap_or(commit));
        }
        writer.package(package, &label, home);
    }
    Notice { text: writer.print(), warnings: writer.warnings }
}

/// How much a licence asks for, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Demand {
    /// Nothing.
    Free,
    /// The holder and one well-known text.
    Mit,
    /// The holder and the package's own text.
    Text,
    /// The holder, the name and the address of the licence, the changes, and the package's NOTICE.
    Apache,
    /// A fixed sentence and where the source is.
    Mpl,
    /// More than a paste can do. The notice has the holder, the licence's name and address, and where the source is.
    Copyleft,
    /// Not known: a licence of the package's own, or one that cannot be read.
    Unknown,
}

const FREE: [&str; 6] = ["Unlicense", "CC0-1.0", "0BSD", "MIT-0", "WTFPL", "CC-PDDC"];

fn demand(req: &LicenseReq) -> Demand {
    let Some(id) = req.license.id() else { return Demand::Unknown };
    match id.name {
        name if FREE.contains(&name) => Demand::Free,
        "MIT" => Demand::Mit,
        "Apache-2.0" => Demand::Apache,
        "MPL-2.0" => Demand::Mpl,
        _ if id.is_copyleft() || id.is_gnu() => Demand::Copyleft,
        _ => Demand::Text,
    }
}

/// The licences of `expression` that ask for the least together, or nothing if it is not understood.
///
/// `missing` says that the text of a licence is needed and not there, so that another one is better.
fn choose(expression: &str, missing: &dyn Fn(&LicenseReq) -> bool) -> Option<Vec<LicenseReq>> {
    let cost = |reqs: &BTreeSet<LicenseReq>| {
        let mut demands: Vec<_> = reqs.iter().map(|req| (missing(req), demand(req))).collect();
        demands.sort_by(|one, other| other.cmp(one));
        demands
    };
    let parsed = Expression::parse_mode(expression, ParseMode::LAX).ok()?;
    let mut stack: Vec<BTreeSet<LicenseReq>> = Vec::new();
    // Operators come after what they join.
    for node in parsed.iter() {
        match node {
            ExprNode::Req(req) => stack.push([req.req.clone()].into()),
            ExprNode::Op(operator) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                stack.push(match operator {
                    Operator::And => &left | &right,
                    Operator::Or if cost(&right) < cost(&left) => right,
                    Operator::Or => left,
                });
            }
        }
    }
    Some(stack.pop()?.into_iter().collect())
}

/// A licence file of a package.
#[derive(Debug)]
struct File {
    /// Its name in small letters.
    name: String,
    text: String,
}

impl File {
    fn read(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
        Some(Self { name, text })
    }
}

/// The folder where the licence files of `package` are. In a workspace that may be the folder of the repository.
fn licence_folder(package: &Package) -> Option<&Path> {
    let repository = package.folder.ancestors().find(|folder| folder.join(".git").exists());
    let top = repository.filter(|_| package.local || package.commit.is_some()).unwrap_or(&package.folder);
    let mut folders = package.folder.ancestors().take_while(|folder| folder.starts_with(top));
    folders.find(|folder| !licence_paths(folder).is_empty())
}

/// The files that are about the licence of `package`.
pub(crate) fn paths(package: &Package) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = package.license_file.iter().map(|path| package.folder.join(path)).collect();
    if paths.is_empty() || licence_folder(package) == Some(&package.folder) {
        paths.extend(licence_folder(package).map(licence_paths).unwrap_or_default());
    }
    paths.extend(licence_paths(&package.folder.join("LICENSES")));
    paths
}

/// What is in these files, each text once.
fn files(package: &Package) -> Vec<File> {
    let mut found = Vec::new();
    for path in paths(package) {
        if let Some(file) = File::read(&path)
            && found.iter().all(|known: &File| known.text != file.text)
        {
            found.push(file);
        }
    }
    found
}

fn licence_paths(folder: &Path) -> Vec<PathBuf> {
    let all_count = folder.file_name().is_some_and(|name| name == "LICENSES");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
            let source = path.extension().is_some_and(|extension| extension == "rs");
            let known = ["licen", "copying", "copyright", "unlicense", "notice"];
            path.is_file() && !source && (all_count || known.iter().any(|start| name.starts_with(start)))
        })
        .collect();
    paths.sort();
    paths
}

/// Words by which the text of a licence is known. The BSD licences share some.
const HALLMARKS: [(&str, &str); 11] = [
    ("MIT", "obtaining a copy of this software and associated documentation files"),
    ("BSD-3-Clause", "endorse or promote products derived from"),
    ("BSD-2-Clause", "redistribution and use in source and binary forms"),
    ("BSD-1-Clause", "redistribution and use in source and binary forms"),
    ("ISC", "permission to use copy modify and or distribute this software"),
    ("ISC", "permission to use copy modify and distribute this software"),
    ("Zlib", "altered source versions must be plainly marked"),
    ("BSL-1.0", "boost software license version 1 0"),
    ("Apache-2.0", "apache license version 2 0"),
    ("MPL-2.0", "mozilla public license"),
    ("Unicode-3.0", "unicode license v3"),
];

/// The words of a text in small letters, to compare texts whatever their layout.
fn words(text: &str) -> String {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// The file that has the text of the licence `id`.
fn text_of<'a>(id: &str, files: &'a [File]) -> Option<&'a File> {
    let marks: Vec<&str> = HALLMARKS.iter().filter(|(licence, _)| *licence == id).map(|(_, mark)| *mark).collect();
    let key = id.split('-').next().unwrap_or(id).to_lowercase();
    let own = |file: &&File| file.name.contains(&key) && !file.name.starts_with("notice");
    if marks.is_empty() {
        let texts: Vec<&File> = files.iter().filter(|file| is_text(file)).collect();
        return files.iter().find(own).or(if texts.len() == 1 { texts.first().copied() } else { None });
    }
    let marked = |file: &&File| {
        let words = words(&file.text);
        marks.iter().any(|mark| words.contains(mark))
    };
    files.iter().filter(own).find(marked).or_else(|| files.iter().find(marked))
}

fn is_text(file: &File) -> bool {
    !file.name.starts_with("notice") && !file.name.starts_with("copyright")
}

/// Whether a line of a licence file names a holder, and is not part of the licence's own text.
fn is_copyright(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("Copyright").or(line.strip_prefix('©')) else { return false };
    if !rest.starts_with([' ', ':', ',']) {
        return false;
    }
    let next = rest.trim_start_matches([' ', ':', ',']).split([' ', ',']).next().unwrap_or_default().to_lowercase();
    let prose = ["notice", "notices", "holder", "holders", "owner", "license", "law", "laws", "and", "statement"];
    // `Copyright [yyyy] [name of copyright owner]` is a form that nobody has filled in.
    let form = ["[", "{yyyy}", "<year>", "<copyright"].iter().any(|open| line.contains(open));
    !form && !prose.contains(&next.as_str()) && line.len() <= 200
}

/// A line without the marks of Markdown or of a comment before it.
fn bare(line: &str) -> &str {
    line.trim().trim_start_matches(['#', '*', '>', '/', '-']).trim()
}

/// The lines that name the holders in a text. Where one has a year and no name, `authors` is the name.
fn holders(text: &str, authors: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(bare).collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if !is_copyright(line) {
            continue;
        }
        let mut holder = clean(line);
        let lower = holder.to_lowercase().replace("copyright", "").replace("(c)", "");
        if !lower.chars().any(char::is_alphabetic) {
            // The name may stand on the next line.
            let next = lines.get(at + 1).copied().unwrap_or_default();
            let next = if next.is_empty() || is_copyright(next) { authors } else { next };
            let _ = write!(holder, " {}", clean(next));
        }
        // The name is enough without the address, and judges count bytes.
        if let (Some(open), Some(close)) = (holder.find(" <"), holder.find('>'))
            && holder.get(open..close).is_some_and(|address| address.contains('@'))
        {
            holder.replace_range(open..=close, "");
        }
        let holder = holder.trim_end_matches("All rights reserved.").trim_end().to_owned();
        if !found.contains(&holder) {
            found.push(holder);
        }
    }
    found
}

/// A line without the characters that a comment must not have.
fn clean(line: &str) -> String {
    let hidden = |letter: &char| matches!(*letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    line.replace('\t', "    ").chars().filter(|letter| !letter.is_control() && !hidden(letter)).collect()
}

/// The text of a licence file without its title and the holders' lines, which stand elsewhere.
fn body(text: &str) -> String {
    let mut out = String::new();
    let mut begun = false;
    for line in text.lines() {
        let plain = bare(line);
        let title = !begun && plain.len() <= 60 && words(plain).contains("license");
        if is_copyright(plain) || plain.to_lowercase() == "all rights reserved." || title {
            continue;
        }
        begun |= !plain.is_empty();
        out.push_str(line);
        out.push('\n');
    }
    reflow(&out)
}

/// Fills the lines of every paragraph.
fn reflow(text: &str) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let line = clean(line);
        let line = line.trim();
        let first = line.split_whitespace().next().unwrap_or_default();
        let point = matches!(first, "*" | "-")
            || (first.len() <= 4
                && first.ends_with(['.', ')'])
                && first.starts_with(|c: char| c == '(' || c.is_ascii_digit()));
        if line.is_empty() {
            open = false;
        } else if let (true, false, Some(last)) = (open, point, paragraphs.last_mut()) {
            last.push(' ');
            last.push_str(line);
        } else {
            paragraphs.push(line.to_owned());
            open = true;
        }
    }
    let lines: Vec<String> = paragraphs.iter().map(|paragraph| fill(paragraph)).collect();
    lines.join("\n\n")
}

fn fill(paragraph: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in paragraph.split_whitespace() {
        let long = word.chars().count();
        if column > 0 && "// ".len() + column + 1 + long > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += long;
    }
    out
}

/// A text as it is, without blank lines that say nothing.
fn verbatim(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = clean(line).trim_end().to_owned();
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end().to_owned()
}

/// What is printed once, and for whom.
#[derive(Debug)]
struct Block {
    text: String,
    /// The labels of the packages, by what is said of them.
    lines: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Default)]
struct Writer {
    /// By how much they ask for and the words of their text.
    blocks: BTreeMap<(Demand, String), Block>,
    warnings: Vec<String>,
}

impl Writer {
    fn add(&mut self, demand: Demand, label: &str, line: &str, text: &str) {
        let block = self
            .blocks
            .entry((demand, words(text)))
            .or_insert_with(|| Block { text: text.to_owned(), lines: BTreeMap::new() });
        block.lines.entry(line.to_owned()).or_default().push(label.to_owned());
    }

    fn warn(&mut self, package: &Package, what: &str) {
        self.warnings.push(format!("licence of {} {}: {what}", package.name, package.version));
    }

    fn package(&mut self, package: &Package, label: &str, home: &Path) {
        let files = files(package);
        let missing = |req: &LicenseReq| {
            let id = req.license.id();
            demand(req) == Demand::Text && id.is_none_or(|id| text_of(id.name, &files).is_none())
        };
        match &package.license {
            Some(expression) => {
                let Some(reqs) = choose(expression, &missing) else {
                    let why = format!("the expression `{expression}` is not understood");
                    self.everything(package, label, &format!("licence `{}`", clean(expression)), &why, &files);
                    return;
                };
                for req in reqs {
                    self.licence(package, label, &req, &files);
                }
            }
            None if package.license_file.is_some() => {
                let named = package.license_file.iter().find_map(|path| File::read(&package.folder.join(path)));
                if let Some(file) = named {
                    let holder = holder(package, Some(&file), &files);
                    self.add(Demand::Unknown, label, &holder, &verbatim(&file.text));
                } else {
                    let why = "the file that `license-file` names is not in the package";
                    self.everything(package, label, "licence of its own", why, &files);
                }
            }
            // If the licence file is in a folder that also contains the solution, it is the user's own, and the user's
            // own code needs no notice.
            None if package.local && licence_folder(package).is_none_or(|folder| home.starts_with(folder)) => {
                self.add(Demand::Free, label, "no licence given", "");
            }
            None => self.everything(package, label, "no licence given", "its manifest names none", &files),
        }
    }

    /// One licence that was chosen.
    fn licence(&mut self, package: &Package, label: &str, req: &LicenseReq, files: &[File]) {
        let demand = demand(req);
        let id = req.license.id().map_or("", |id| id.name);
        let file = text_of(id, files);
        let holder = holder(package, file, files);
        match demand {
            Demand::Free => self.add(demand, label, &req.to_string(), ""),
            Demand::Mit => {
                let own = file.map(|file| body(&file.text)).filter(|own| !words(own).contains(&words(MIT)));
                self.add(demand, label, &holder, &own.unwrap_or_else(|| reflow(MIT)));
            }
            Demand::Text => match file {
                Some(file) => self.add(demand, label, &holder, &body(&file.text)),
                None => self.without_text(package, label, &holder, req, files),
            },
            Demand::Apache => {
                let mut text = APACHE.to_owned();
                if let Some(exception) = &req.addition {
                    let _ = write!(text, " With the {exception}: https://spdx.org/licenses/{exception}.html");
                }
                let mut text = reflow(&text);
                for file in files.iter().filter(|file| file.name.starts_with("notice")) {
                    let _ = write!(text, "\n\nNOTICE of {}:\n{}", package.name, verbatim(&file.text));
                }
                self.add(demand, label, &holder, &text);
            }
            Demand::Mpl => {
                let line = format!("{holder}; source: {}", source(package));
                self.add(demand, label, &line, &reflow(MPL));
            }
            Demand::Copyleft => {
                let line = format!("{holder}; source: {}", source(package));
                self.add(demand, label, &line, &format!("Licensed under {req}: https://spdx.org/licenses/{id}.html"));
                let what = format!("{req} asks for more than a notice; read it before you hand the paste on");
                self.warn(package, &what);
            }
            Demand::Unknown => {
                let why = format!("`{req}` is not a licence that is known");
                self.everything(package, label, &format!("{holder}; licence {req}"), &why, files);
            }
        }
    }

    /// The licence's text is needed, and no file of the package is known to have it.
    fn without_text(&mut self, package: &Package, label: &str, holder: &str, req: &LicenseReq, files: &[File]) {
        let id = req.license.id().map_or("", |id| id.name);
        let line = format!("{holder}; {req}, https://spdx.org/licenses/{id}.html");
        let why = format!("{req} asks for its text, which is not found in the package");
        self.everything(package, label, &line, &why, files);
    }

    /// All licence files there are, since nothing better is known.
    fn everything(&mut self, package: &Package, label: &str, line: &str, why: &str, files: &[File]) {
        let texts: Vec<String> = files.iter().map(|file| verbatim(&file.text)).collect();
        let then = if texts.is_empty() { "it has no licence file" } else { "its licence files are in the paste" };
        self.warn(package, &format!("{why}; {then}"));
        self.add(Demand::Unknown, label, line, &texts.join("\n\n"));
    }

    fn print(&self) -> String {
        let mut out = HEADER.to_owned();
        let mut first = true;
        for block in self.blocks.values() {
            // Lines under a text would seem to belong to it.
            if !first && !out.ends_with("//\n") {
                out.push_str("//\n");
            }
            first = false;
            for (line, labels) in &block.lines {
                for line in fill(&format!("{}: {line}", labels.join(", "))).lines() {
                    let _ = writeln!(out, "// {line}");
                }
            }
            if !block.text.is_empty() {
                out.push_str("//\n");
            }
            for line in block.text.lines() {
                out.push_str(format!("// {line}").trim_end());
                out.push('\n');
            }
        }
        out
    }
}

/// The holder's line: from the licence's own file, another one, the head of the source, or the manifest.
fn holder(package: &Package, file: Option<&File>, files: &[File]) -> String {
    let authors: Vec<&str> = package
        .authors
        .iter()
        .map(|author| author.split('<').next().unwrap_or(author).trim())
        .filter(|author| !author.is_empty())
        .collect();
    let authors = if authors.is_empty() { format!("the authors of {}", package.name) } else { authors.join(", ") };
    let source = fs::read_to_string(&package.root).unwrap_or_default();
    let head: Vec<&str> = source.lines().take_while(|line| line.trim().is_empty() || line.starts_with("//")).collect();
    let head = head.join("\n");
    let texts = file.into_iter().chain(files).map(|file| file.text.as_str()).chain([head.as_str()]);
    let found = texts.map(|text| holders(text, &authors)).find(|found| !found.is_empty());
    found.map_or_else(|| clean(&format!("Copyright (c) {authors}")), |found| found.join("; "))
}

/// Where the source of a package is.
fn source(package: &Package) -> String {
    let place = match &package.repository {
        Some(repository) => clean(repository),
        None => format!("the package {} {}", package.name, package.version),
    };
    match &package.commit {
        Some(commit) => format!("{place} at {commit}"),
        None => place,
    }
}

const MIT: &str = "\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

const APACHE: &str = "\
Licensed under the Apache License, Version 2.0, http://www.apache.org/licenses/LICENSE-2.0, on an \"AS IS\" BASIS, WITHOUT
WARRANTIES OR CONDITIONS OF ANY KIND. The files were modified, and parts of them may be missing.";

const MPL: &str = "\
This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/. The files were modified.";

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(packages: &[Package]) -> Notice {
        super::notice(packages, Path::new("/solution"))
    }

    /// A package in a folder of its own with these files.
    fn package(root: &Path, name: &str, license: &str, files: &[(&str, &str)]) -> Package {
        let folder = root.join(name);
        for (file, text) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let license = Some(license.to_owned()).filter(|license| !license.is_empty());
        Package {
            name: name.to_owned(),
            version: "1.2.3".to_owned(),
            license,
            root: folder.join("src/lib.rs"),
            folder,
            ..Package::default()
        }
    }

    fn mit(holder: &str) -> String {
        // Another layout than ours, as files have it.
        let text = words_kept(MIT).join("\n").replace("conditions:", "conditions:\n\n");
        format!("The MIT License (MIT)\n\n{holder}\n\n{text}\n")
    }

    fn words_kept(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    const BSD: &str = "BSD 3-Clause License\n\nCopyright (c) 2019, Ada\nAll rights reserved.\n\n\
        Redistribution and use in source and binary forms, with or\nwithout modification, are permitted:\n\n\
        * Redistributions of source code must retain this list.\n* Neither the name of the holder may be used to\n  \
        endorse or promote products derived from this software.\n";

    #[test]
    fn the_least_demanding_licence_is_taken() {
        let chosen = |expression: &str| {
            let reqs = choose(expression, &|_| false)?;
            Some(reqs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "))
        };
        let table = [
            ("MIT OR Apache-2.0", "MIT"),
            ("Apache-2.0 OR MIT", "MIT"),
            ("MIT/Apache-2.0", "MIT"),
            ("Apache-2.0 / MIT", "MIT"),
            ("Unlicense OR MIT", "Unlicense"),
            ("MIT OR Apache-2.0 OR 0BSD", "0BSD"),
            ("MIT OR Zlib OR Apache-2.0", "MIT"),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", "MIT + Unicode-3.0"),
            ("(MIT AND Zlib) OR MPL-2.0", "MIT + Zlib"),
            ("MIT AND (GPL-3.0-only OR BSD-3-Clause)", "BSD-3-Clause + MIT"),
            ("MIT OR Apache-2.0 OR LGPL-2.1-or-later", "MIT"),
            ("Apache-2.0 WITH LLVM-exception", "Apache-2.0 WITH LLVM-exception"),
            ("GPL-2.0+", "GPL-2.0-or-later"),
        ];
        for (expression, expected) in table {
            assert_eq!(chosen(expression).as_deref(), Some(expected), "{expression}");
        }
        for expression in ["", "MIT OR", "do what you like", "MIT, Apache-2.0"] {
            assert_eq!(chosen(expression), None, "{expression}");
        }
    }

    #[test]
    fn a_licence_whose_text_is_missing_is_not_chosen_if_another_will_do() {
        let root = tempfile::tempdir().unwrap();
        let two = package(root.path(), "two", "BSD-3-Clause OR Apache-2.0", &[("LICENSE-APACHE", "Apache License")]);
        let made = notice(&[two]);
        assert!(made.text.contains("Apache License, Version 2.0") && made.warnings.is_empty(), "{made:?}");
        let two = package(root.path(), "both", "Apache-2.0 OR BSD-3-Clause", &[("LICENSE-BSD", BSD)]);
        let made = notice(&[two]);
        assert!(made.text.contains("Redistribution and use") && !made.text.contains("Apache"), "{made:?}");
    }

    #[test]
    fn two_mit_crates_share_one_text_and_take_no_more_room_than_before() {
        let root = tempfile::tempdir().unwrap();
        let mut one = package(root.path(), "proconio", "MIT OR Apache-2.0", &[]);
        one.authors = vec!["statiolake <statiolake@example.org>".to_owned()];
        let file = mit("Copyright (c) 2015");
        let mut two = package(root.path(), "itertools", "MIT OR Apache-2.0", &[("LICENSE-MIT", &file)]);
        two.authors = vec!["bluss".to_owned()];
        let made = notice(&[one.clone(), two.clone()]);
        assert_eq!(made.warnings, [""; 0]);
        let head = "// Below are crates, or parts of them, that a judge may not have. cargo-paste put them here.\n\
            // itertools: Copyright (c) 2015 bluss\n// proconio: Copyright (c) statiolake\n//\n\
            // Permission is hereby granted, free of charge, ";
        assert!(made.text.starts_with(head), "{}", made.text);
        assert_eq!(made.text.matches("Permission is hereby granted").count(), 1);
        // An earlier version, which named no holder from a file, had this many bytes.
        assert!(made.text.len() <= 1230, "{} bytes", made.text.len());
        assert!(made.text.lines().all(|line| line.starts_with("//") && line.len() <= WIDTH), "{}", made.text);
        assert_eq!(notice(&[two, one]), made, "the order does not matter");
    }

    #[test]
    fn the_holder_is_found_where_it_stands() {
        let filled = "Apache License\nVersion 2.0\n\n   \"Licensor\" shall mean the\n   copyright owner\n\n\
            Copyright [yyyy] [name of copyright owner]\n\nCopyright 2017 Grace\n";
        let table: [(&str, &str, &str); 13] = [
            (
                "LICENSE-MIT",
                "Copyright (c) 2014 The Rust Project Developers\n",
                "Copyright (c) 2014 The Rust Project Developers",
            ),
            ("LICENSE.md", "# MIT\n\n> Copyright © 2020 Ada\n", "Copyright © 2020 Ada"),
            ("license-mit", "Copyright (c) 2016-2020\nAda and others\n", "Copyright (c) 2016-2020 Ada and others"),
            ("LICENSE", "Copyright (c) [year] [fullname]\n", "Copyright (c) the authors of x"),
            ("LICENSE", "Copyright (c) 2015\n\nPermission\n", "Copyright (c) 2015 the authors of x"),
            ("COPYING", "Copyright 2018 A\nCopyright 2019 B\n", "Copyright 2018 A; Copyright 2019 B"),
            ("LICENSE", "COPYRIGHT HOLDERS BE LIABLE\nCopyright notice\n", "Copyright (c) the authors of x"),
            ("LICENSE", "Copyright (c) 2020 Ada. All rights reserved.\n", "Copyright (c) 2020 Ada."),
            ("LICENSE", "(c) You must retain\nCopyrights in it are retained\n", "Copyright (c) the authors of x"),
            ("LICENSE", "Copyright 2019 Ada <ada@example.org>\n", "Copyright 2019 Ada"),
            ("LICENSE-APACHE", filled, "Copyright 2017 Grace"),
            ("src/lib.rs", "// Copyright 2017 Alan\n//\nfn main() {}\n", "Copyright 2017 Alan"),
            ("src/lib.rs", "fn main() {}\n// Copyright 2017 Alan\n", "Copyright (c) the authors of x"),
        ];
        for (name, text, expected) in table {
            let root = tempfile::tempdir().unwrap();
            let package = package(root.path(), "x", "MIT", &[(name, text)]);
            let files = files(&package);
            assert_eq!(holder(&package, None, &files), expected, "{name}: {text}");
        }
    }

    #[test]
    fn a_mit_file_with_other_words_keeps_them() {
        let root = tempfile::tempdir().unwrap();
        let other = mit("Copyright (c) 2020 Ada").replace("Software.", "Software, and in its advertisements.");
        let plain = package(root.path(), "plain", "MIT", &[("LICENSE", &mit("Copyright (c) 2020 Ada"))]);
        let own = package(root.path(), "own", "MIT", &[("LICENSE", &other)]);
        let made = notice(&[plain, own]);
        assert_eq!(made.text.matches("Permission is hereby granted").count(), 2);
        assert!(made.text.contains("and in its advertisements."), "{}", made.text);
        assert!(!made.text.contains("The MIT License"), "a title says nothing: {}", made.text);
    }

    #[test]
    fn crates_that_ask_for_nothing_get_a_line() {
        let root = tempfile::tempdir().unwrap();
        let license = "Unlicense OR MIT";
        let packages = ["b", "a"].map(|name| package(root.path(), name, license, &[("UNLICENSE", "Free!")]));
        let made = notice(&packages);
        assert_eq!(made.text, format!("{HEADER}// a, b: Unlicense\n"));
        assert_eq!(made.warnings, [""; 0]);
    }

    #[test]
    fn texts_of_other_licences_come_from_the_package_once_for_all() {
        let root = tempfile::tempdir().unwrap();
        let other = BSD.replace("2019, Ada", "2020, Bob").replace("with or\nwithout", "with\nor without");
        let packages = [("one", BSD), ("two", &other)]
            .map(|(name, text)| package(root.path(), name, "BSD-3-Clause", &[("LICENSE", text)]));
        let made = notice(&packages);
        let expected = "// one: Copyright (c) 2019, Ada\n// two: Copyright (c) 2020, Bob\n//\n\
            // Redistribution and use in source and binary forms, with or without modification, are permitted:\n//\n\
            // * Redistributions of source code must retain this list.\n//\n\
            // * Neither the name of the holder may be used to endorse or promote products derived from this software.\n";
        assert_eq!(made.text, format!("{HEADER}{expected}"));
        assert_eq!(made.warnings, [""; 0]);
    }

    #[test]
    fn and_means_both() {
        let root = tempfile::tempdir().unwrap();
        let files = [
            ("LICENSE-MIT", mit("Copyright (c) 2020 Ada")),
            ("LICENSE-UNICODE", "UNICODE LICENSE V3\n\nBe fair.".into()),
        ];
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        let made = notice(&[package(root.path(), "ident", "(MIT OR Apache-2.0) AND Unicode-3.0", &files)]);
        assert!(made.text.contains("Permission is hereby granted") && made.text.contains("// Be fair.\n"), "{made:?}");
        assert_eq!(made.warnings, [""; 0]);
    }

    #[test]
    fn apache_names_the_holder_the_licence_the_changes_and_the_notice() {
        let root = tempfile::tempdir().unwrap();
        let files =
            [("LICENSE", "Apache License\nVersion 2.0\n"), ("NOTICE", "Contains work\n  of Ada\n\n\n\nThanks.\n")];
        let mut one = package(root.path(), "one", "Apache-2.0 WITH LLVM-exception", &files);
        one.authors = vec!["Grace".to_owned()];
        let made = notice(&[one]);
        for part in [
            "// one: Copyright (c) Grace\n",
            "http://www.apache.org/licenses/LICENSE-2.0",
            "The files were modified",
            "LLVM-exception",
            "// NOTICE of one:\n// Contains work\n//   of Ada\n//\n// Thanks.\n",
        ] {
            assert!(made.text.contains(part), "{part}: {}", made.text);
        }
        assert_eq!(made.warnings, [""; 0]);
    }

    #[test]
    fn the_mozilla_licence_says_where_the_source_is() {
        let root = tempfile::tempdir().unwrap();
        let mut one = package(root.path(), "one", "MPL-2.0", &[]);
        one.repository = Some("https://example.org/one".to_owned());
        one.commit = Some("0123456789abcdef0123456789abcdef01234567".to_owned());
        let made = notice(&[one]);
        let line = "// one (commit 0123456789ab): Copyright (c) the authors of one; source: https://example.org/one at\n\
            // 0123456789abcdef0123456789abcdef01234567\n";
        assert!(made.text.contains(line) && made.text.contains("https://mozilla.org/MPL/2.0/"), "{}", made.text);
    }

    #[test]
    fn a_licence_file_of_its_own_is_printed() {
        let root = tempfile::tempdir().unwrap();
        let mut one = package(root.path(), "one", "", &[("terms/OWN.txt", "Be kind.\r\n\tAlways\u{c}.\n")]);
        one.license_file = Some("terms/OWN.txt".into());
        let made = notice(&[one.clone()]);
        assert!(
            made.text.ends_with("// one: Copyright (c) the authors of one\n//\n// Be kind.\n//     Always.\n"),
            "{made:?}"
        );
        assert_eq!(made.warnings, [""; 0]);
        one.license_file = Some("gone.txt".into());
        let made = notice(&[one]);
        let warning =
            "licence of one 1.2.3: the file that `license-file` names is not in the package; it has no licence file";
        assert_eq!(made.warnings, [warning]);
        assert!(made.text.contains("// one: "), "{}", made.text);
    }

    #[test]
    fn what_is_not_understood_is_said_and_printed() {
        let root = tempfile::tempdir().unwrap();
        let table = [
            ("odd", "see file", "the expression `see file` is not understood; its licence files are in the paste"),
            (
                "reference",
                "LicenseRef-Mine",
                "`LicenseRef-Mine` is not a licence that is known; its licence files are in the paste",
            ),
            (
                "zlib",
                "Zlib",
                "Zlib asks for its text, which is not found in the package; its licence files are in the paste",
            ),
            ("none", "", "its manifest names none; its licence files are in the paste"),
        ];
        for (name, license, warning) in table {
            let made =
                notice(&[package(root.path(), name, license, &[("LICENSE", "Be kind."), ("COPYING", "Or not.")])]);
            assert_eq!(made.warnings, [format!("licence of {name} 1.2.3: {warning}")]);
            assert!(made.text.contains("// Or not.\n//\n// Be kind.\n"), "{}", made.text);
            let made = notice(&[package(root.path(), &format!("{name}_bare"), license, &[])]);
            assert!(made.text.contains(&format!("// {name}_bare: ")), "{}", made.text);
            assert!(made.warnings.len() == 1 && made.warnings[0].ends_with("; it has no licence file"), "{made:?}");
        }
        let made = notice(&[package(root.path(), "gnu", "GPL-3.0-only", &[])]);
        assert!(made.text.contains("Licensed under GPL-3.0-only: https://spdx.org/licenses/"), "{}", made.text);
        assert_eq!(made.warnings.len(), 1);
    }

    #[test]
    fn a_path_dependency_without_a_licence_is_no_reason_to_warn() {
        let root = tempfile::tempdir().unwrap();
        let mut own = package(root.path(), "own", "", &[]);
        own.local = true;
        let made = notice(&[own]);
        assert_eq!(made, Notice { text: format!("{HEADER}// own: no licence given\n"), warnings: Vec::new() });
    }

    #[test]
    fn the_users_own_crates_need_no_notice() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(".git")).unwrap();
        fs::write(root.path().join("LICENSE"), mit("Copyright (c) 2026 Me")).unwrap();
        let mut own = package(&root.path().join("crates"), "own", "", &[("src/lib.rs", "")]);
        own.local = true;
        let text = format!("{HEADER}// own: no licence given\n");
        let made = super::notice(&[own.clone()], &root.path().join("contest"));
        assert_eq!(made, Notice { text, warnings: Vec::new() });
        let made = notice(&[own]);
        assert!(made.text.contains("Copyright (c) 2026 Me"), "{}", made.text);
        let mut taken = package(&root.path().join("crates"), "taken", "", &[("LICENSE", "Be kind.")]);
        taken.local = true;
        let made = super::notice(&[taken], &root.path().join("contest"));
        assert!(made.text.contains("Be kind."), "{}", made.text);
    }

    #[test]
    fn a_package_of_a_repository_may_have_its_licence_at_the_top() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("repo/.git")).unwrap();
        fs::write(root.path().join("repo/LICENSE-MIT"), mit("Copyright (c) 2026 Team")).unwrap();
        fs::write(root.path().join("LICENSE"), "Copyright (c) 1999 Somebody Else").unwrap();
        let mut one = package(&root.path().join("repo/tools"), "one", "MIT", &[("src/lib.rs", "")]);
        assert!(notice(&[one.clone()]).text.contains("Copyright (c) the authors of one\n"), "from a registry");
        one.local = true;
        assert!(notice(&[one]).text.contains("// one: Copyright (c) 2026 Team\n"));
    }

    #[test]
    fn versions_of_one_crate_are_told_apart() {
        let root = tempfile::tempdir().unwrap();
        let mut old = package(root.path(), "rand", "Unlicense", &[]);
        let new = old.clone();
        old.version = "0.7.0".to_owned();
        assert_eq!(notice(&[new, old]).text, format!("{HEADER}// rand 0.7.0, rand 1.2.3: Unlicense\n"));
    }
}
