//! Fourth stage: the form that every edition takes, formatted, with the notice that the licences of its crates ask for.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::ops::Range;

use anyhow::{Result, anyhow};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Item, ItemUse, Meta, UseTree};

use crate::Part;
use crate::build::{Crate, Program};
use crate::inline::Bundle;
use crate::licence::{self, Package};
use crate::text::{Edits, Kind, Tokens};

const WIDTH: usize = 100;
/// The end of the line above each crate.
const CHANGED: &str = "), changed";

/// A paste in its final form.
#[derive(Debug)]
pub struct Emitted {
    /// The file.
    pub text: String,
    /// How much of it each crate takes.
    pub parts: Vec<Part>,
    /// What is unclear about licences.
    pub warnings: Vec<String>,
}

pub(crate) fn package(krate: &Crate) -> Package {
    let about = &krate.about;
    let (repository, commit) = match about.checkout.as_deref().and_then(|source| source.rsplit_once('#')) {
        Some((address, commit)) => (Some(address.to_owned()), Some(commit.to_owned())),
        None => (about.repository.clone(), None),
    };
    Package {
        name: about.name.clone(),
        version: about.version.clone(),
        license: about.license.clone(),
        license_file: about.license_file.clone(),
        folder: krate.dir.clone(),
        root: krate.root.clone(),
        authors: about.authors.clone(),
        repository,
        commit,
        local: about.local,
    }
}

/// Lints that are errors unless they are switched off.
#[derive(Debug, Default)]
pub struct Allowed {
    /// Their names.
    pub lints: BTreeSet<String>,
    /// Whether they are switched off in the solution, too: a macro of a crate may make code there that they forbid.
    pub everywhere: bool,
}

/// Writes the shaken text of `bundle` in its final form. Warnings are off in crates, and so are the lints in `allowed`.
///
/// # Errors
/// Fails if the text is not Rust.
pub fn emit(program: &Program, bundle: &Bundle, shaken: &str, allowed: &Allowed) -> Result<Emitted> {
    let (solution, rest) = shaken.split_at(bundle.solution_end);
    let tidied = tidy(&portable(bundle, rest)?)?;
    let lints: Vec<&str> = allowed.lints.iter().map(String::as_str).collect();
    let mut out = String::new();
    if allowed.everywhere {
        let _ = writeln!(out, "#![allow({})]", lints.join(", "));
    }
    out.push_str(solution);
    if bundle.modules.is_empty() {
        return Ok(Emitted { text: out, parts: Vec::new(), warnings: Vec::new() });
    }
    let file = parse(&tidied)?;
    let mut modules = Vec::new();
    let mut loose = String::new();
    for item in &file.items {
        let text = &tidied[item.span().byte_range()];
        if let Item::Mod(item) = item {
            let name = item.ident.to_string();
            let found = bundle.modules.iter().find(|(_, module)| *module == name);
            modules.push((found.map(|(index, _)| &program.crates[*index]), text));
        } else {
            loose.push_str(text);
            loose.push('\n');
        }
    }
    let crates: Vec<&Crate> = modules.iter().filter_map(|(krate, _)| *krate).collect();
    out.push_str(&loose);
    out.push('\n');
    let packages: Vec<Package> = crates.iter().map(|krate| package(krate)).collect();
    let notice = licence::notice(&packages, &program.crates[0].dir);
    out.push_str(&notice.text);
    let mut parts = Vec::new();
    for (krate, text) in modules {
        if let Some(krate) = krate {
            let (name, version) = (krate.about.name.clone(), krate.about.version.clone());
            parts.push(Part { name, version, bytes: text.len() });
        }
        out.push('\n');
        if let Some(krate) = krate {
            let license = krate.about.license.as_deref().unwrap_or("no licence given");
            let _ = writeln!(out, "// {} ({license}{CHANGED}", krate.about);
        }
        let all: Vec<&str> = std::iter::once("warnings").chain(lints.iter().copied()).collect();
        let _ = writeln!(out, "#[allow({})]\n{text}", all.join(", "));
    }
    Ok(Emitted { text: out, parts, warnings: notice.warnings })
}

/// The crate, with its version, that byte `place` of a paste is a part of; nothing where that is the solution.
#[must_use]
pub fn owner(paste: &str, place: usize) -> Option<&str> {
    paste.get(..place)?.lines().rev().find_map(heading)
}

/// The crate, with its version, that a line stands above.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("// ").filter(|_| line.ends_with(CHANGED))?.split(" (").next()
}

fn parse(text: &str) -> Result<syn::File> {
    syn::parse_file(text).map_err(|error| anyhow!("the paste cannot be read: {error}"))
}

/// Writes imports, derives and exported macros in a form that every edition takes.
fn portable(bundle: &Bundle, text: &str) -> Result<String> {
    let file = parse(text)?;
    let mut bare = BareMacros::default();
    bare.visit_file(&file);
    bare.imported.retain(|name| bare.defined.get(name) == Some(&1));
    let mut rewriter = Rewriter { bundle, text, bare: bare.imported, edits: Edits::default() };
    rewriter.visit_file(&file);
    Ok(rewriter.edits.apply(text))
}

/// Macros that are imported by their bare name, which edition 2015 cannot do.
#[derive(Default)]
struct BareMacros {
    defined: HashMap<String, usize>,
    imported: HashSet<String>,
}

impl<'ast> Visit<'ast> for BareMacros {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        match &item.tree {
            UseTree::Name(leaf) => self.imported.insert(leaf.ident.to_string()),
            UseTree::Rename(leaf) => self.imported.insert(leaf.ident.to_string()),
            _ => false,
        };
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if let Some(ident) = &item.ident {
            *self.defined.entry(ident.to_string()).or_default() += 1;
        }
    }
}

struct Rewriter<'a> {
    bundle: &'a Bundle,
    text: &'a str,
    bare: HashSet<String>,
    edits: Edits,
}

impl<'ast> Visit<'ast> for Rewriter<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let range = item.span().byte_range();
        let mut lines = Vec::new();
        for attr in &item.attrs {
            lines.push(self.text[attr.span().byte_range()].to_owned());
        }
        let line = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = self.text[line..range.start].len();
        let is_private = matches!(item.vis, syn::Visibility::Inherited);
        let public = if is_private { "" } else { &self.text[item.vis.span().byte_range()] };
        let global = if item.leading_colon.is_some() { "::" } else { "" };
        let mut tree = print(&item.tree);
        // Below edition 2018 an import starts at the root, where the prelude is not.
        for (name, home) in [("Option::", "std::option::"), ("Result::", "std::result::")] {
            if tree.starts_with(name) {
                tree.insert_str(0, home);
            }
        }
        for exported in &self.bundle.exported {
            if tree == exported.hidden {
                self.edits.remove(range.clone());
                return;
            }
            let suffix = format!("{} as {}", exported.hidden, exported.name);
            if tree.starts_with("self::") && tree.ends_with(&suffix) {
                tree = format!("crate::{suffix}");
            }
        }
        if self.bare.contains(tree.split(' ').next().unwrap_or_default()) {
            tree.insert_str(0, "crate::");
        }
        let space = if public.is_empty() { "" } else { " " };
        let text = format!("{public}{space}use {global}{tree};");
        let text = wrap(&text, indent);
        lines.push(text);
        self.edits.replace(range, lines.join("\n"));
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if let Some(ident) = &item.ident
            && (self.bare.contains(&ident.to_string())
                || self.bundle.exported.iter().any(|exported| *ident == exported.hidden))
        {
            let start = item.span().byte_range().start;
            let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
            // Other items may stand before it on its line.
            let indent: String = self.text[line..start].chars().take_while(|c| c.is_whitespace()).collect();
            self.edits.insert(start, format!("#[macro_export]\n{indent}"));
        }
    }

    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        if let (true, Meta::List(list)) = (attr.path().is_ident("derive"), &attr.meta) {
            let names: Vec<String> = list
                .tokens
                .to_string()
                .split(',')
                .map(|name| name.replace(' ', ""))
                .filter(|name| !name.is_empty())
                .collect();
            self.edits.replace(attr.span().byte_range(), format!("#[derive({})]", names.join(", ")));
        }
        visit::visit_attribute(self, attr);
    }
}

/// A `use` tree without what was cut from it.
fn print(tree: &UseTree) -> String {
    match tree {
        UseTree::Path(path) => {
            let rest = print(&path.tree);
            match rest.strip_prefix("self") {
                // `a::{self}` and `a::{self as b}`, with nothing else left in the braces.
                Some(rest) if rest.is_empty() || rest.starts_with(" as ") => format!("{}{rest}", path.ident),
                _ => format!("{}::{rest}", path.ident),
            }
        }
        UseTree::Name(name) => name.ident.to_string(),
        UseTree::Rename(rename) => format!("{} as {}", rename.ident, rename.rename),
        UseTree::Group(group) => {
            let parts: Vec<String> = group.items.iter().map(print).collect();
            match parts.as_slice() {
                [only] => only.clone(),
                parts => format!("{{{}}}", parts.join(", ")),
            }
        }
        UseTree::Glob(_) => "*".to_owned(),
    }
}

/// Breaks an import that is too long, name by name.
fn wrap(text: &str, indent: usize) -> String {
    if indent + text.len() <= WIDTH {
        return text.to_owned();
    }
    let Some((head, names)) = text.split_once('{') else {
        return text.to_owned();
    };
    let Some(names) = names.strip_suffix("};") else {
        return text.to_owned();
    };
    let blank = " ".repeat(indent);
    let mut out = format!("{head}{{");
    let mut line = String::new();
    for name in names.split(", ") {
        if !line.is_empty() && indent + 4 + line.len() + name.len() + 2 > WIDTH {
            let _ = write!(out, "\n{blank}    {}", line.trim_end());
            line.clear();
        }
        let _ = write!(line, "{name}, ");
    }
    let _ = write!(out, "\n{blank}    {}\n{blank}}};", line.trim_end());
    out
}

/// Closes the gaps that cuts have left.
fn tidy(text: &str) -> Result<String> {
    let stream = text.parse().map_err(|error| anyhow!("the paste cannot be read: {error}"))?;
    let mut fixed: Vec<Range<usize>> = Vec::new();
    for token in Tokens::new(text, stream).list {
        if token.kind == Kind::Literal && text[token.range.clone()].contains('\n') {
            fixed.push(token.range);
        }
    }
    let in_literal = |place: usize| fixed.iter().any(|range| range.contains(&place) && range.start < place);
    let mut out = String::with_capacity(text.len());
    let mut place = 0;
    let mut blank = false;
    let mut first = true;
    for line in text.split('\n') {
        let start = place;
        place += line.len() + 1;
        if in_literal(start) {
            out.push('\n');
            out.push_str(line);
            continue;
        }
        let ends_in_literal = in_literal(place - 1);
        let trimmed = if ends_in_literal { line } else { line.trim_end() };
        if trimmed.trim().is_empty() {
            blank = true;
            continue;
        }
        let opens = out.ends_with('{') || out.ends_with('(') || out.ends_with('[');
        let closes = trimmed.trim_start().starts_with(['}', ')', ']']);
        if !first {
            out.push('\n');
        }
        let among_imports = is_use(trimmed) && out.rsplit('\n').nth(1).is_some_and(is_use);
        if blank && !opens && !closes && !first && !among_imports {
            out.push('\n');
        }
        // Tabs instead of spaces, because judges count bytes.
        let columns = trimmed.len() - trimmed.trim_start_matches(' ').len();
        out.push_str(&"\t".repeat(columns / 4));
        out.push_str(&trimmed[columns / 4 * 4..]);
        blank = false;
        first = false;
    }
    out.push('\n');
    Ok(out)
}

fn is_use(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("use ") || line.starts_with("pub(crate) use ")
}
