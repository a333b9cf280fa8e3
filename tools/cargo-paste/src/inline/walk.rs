//! One source file on its way into the bundle: `cfg` is decided, modules are pulled in, noise goes.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use anyhow::{Result, anyhow};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ImplItem, Item, Meta, Stmt, TraitItem, UseTree, Visibility};

use super::cfg::Settings;
use super::{Attributes, Exported, Inliner, Parsed, Place, attributes};
use crate::rustc::Edition;
use crate::text::{Edits, Kind, Mapped, Tokens, plain};

/// A module and the names it declares or imports.
pub(super) struct Scope {
    /// Where its items stand.
    pub range: Range<usize>,
    pub names: HashSet<String>,
    /// Whether this is the root of the crate.
    pub root: bool,
    /// Names of the prelude of 2021 that its text uses.
    pub prelude: BTreeSet<&'static str>,
    /// Imports of crates whose names have to stay as they are written.
    pub crates: BTreeSet<String>,
}

/// The walk through one file.
pub(super) struct Walk<'a, 'p> {
    pub inliner: &'a mut Inliner<'p>,
    /// The crate.
    pub index: usize,
    pub edition: Edition,
    pub settings: Settings,
    pub tokens: Tokens<'a>,
    pub edits: Edits,
    pub scopes: Vec<Scope>,
    /// Where the `use` items directly in a module start.
    pub module_uses: HashSet<usize>,
    pub shared: Rc<Shared>,
    /// What `cfg` says is not there.
    pub absent: Vec<Range<usize>>,
    /// What macro calls print of themselves, as tokens.
    pub quotes: Vec<Range<usize>>,
    /// Tokens in which `cfg` is no condition, but a word that a macro matches.
    pub matched: Vec<Range<usize>>,
    /// The file's number.
    number: usize,
    place: Place,
    path: Vec<String>,
    error: Option<anyhow::Error>,
}

/// What all files of a crate share.
pub(super) struct Shared {
    /// The crate's exported macros.
    pub macros: Rc<Vec<Exported>>,
    /// Macros that come from `#[macro_use] extern crate`, with their crate.
    pub foreign_macros: Vec<(String, usize)>,
    /// Names for the standard library in this crate.
    pub sysroot: HashSet<String>,
    /// Names for its dependencies, as the manifest or `extern crate` gives them.
    pub dependencies: Rc<BTreeMap<String, usize>>,
    /// The names in the crate's root.
    pub root_names: Rc<HashSet<String>>,
}

/// Where a group has its `self`, up to what follows, and whether there is anything else in it.
fn itself(tree: &UseTree) -> Option<(Range<usize>, bool)> {
    let UseTree::Group(group) = tree else { return None };
    let at = group.items.iter().position(|tree| matches!(tree, UseTree::Name(leaf) if leaf.ident == "self"))?;
    let range = group.items[at].span().byte_range();
    let end = group.items.get(at + 1).map_or(range.end, |next| next.span().byte_range().start);
    Some((range.start..end, group.items.len() > 1))
}

/// Whether the items import the crate `name` by its bare name.
pub(super) fn imports_crate(items: &[Item], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::Use(item) => match &item.tree {
            UseTree::Name(leaf) => leaf.ident == name,
            UseTree::Path(path) => path.ident == name && itself(&path.tree).is_some(),
            _ => false,
        },
        Item::ExternCrate(item) => item.ident == name && item.rename.is_none(),
        _ => false,
    })
}

/// The names of the types, traits and modules among items, and all names that the items import. In `use gcd::gcd`, the
/// first `gcd` is a crate and the second is imported from it. Such a name is left out unless `own` is set, so that
/// `gcd::…` still means the crate.
pub(super) fn local_names(settings: &Settings, items: &[Item], own: bool) -> HashSet<String> {
    let mut names = HashSet::new();
    for item in items {
        if !attributes(settings, item_attrs(item)).present {
            continue;
        }
        let ident = match item {
            Item::Enum(item) => &item.ident,
            Item::Mod(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::TraitAlias(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Use(item) => {
                let mut imported = HashSet::new();
                imported_names(&item.tree, None, &mut imported);
                match &item.tree {
                    UseTree::Path(path) if !own => {
                        imported.remove(plain(&path.ident.to_string()));
                    }
                    // `pub use core;` gives the standard library the name it has.
                    UseTree::Name(leaf) if ["std", "core", "alloc"].iter().any(|name| leaf.ident == name) => continue,
                    _ => {}
                }
                names.extend(imported);
                continue;
            }
            _ => continue,
        };
        names.insert(plain(&ident.to_string()).to_owned());
    }
    names
}

fn imported_names(tree: &UseTree, parent: Option<&syn::Ident>, names: &mut HashSet<String>) {
    match tree {
        UseTree::Path(path) => imported_names(&path.tree, Some(&path.ident), names),
        UseTree::Group(group) => {
            for tree in &group.items {
                imported_names(tree, parent, names);
            }
        }
        UseTree::Name(leaf) => {
            let ident = if leaf.ident == "self" { parent.unwrap_or(&leaf.ident) } else { &leaf.ident };
            names.insert(plain(&ident.to_string()).to_owned());
        }
        UseTree::Rename(leaf) => {
            names.insert(plain(&leaf.rename.to_string()).to_owned());
        }
        UseTree::Glob(_) => {}
    }
}

impl Walk<'_, '_> {
    /// The text of crate `index`: its root file with all its modules in it.
    pub(super) fn root(inliner: &mut Inliner<'_>, index: usize) -> Result<Mapped> {
        let root = inliner.krate(index).root.clone();
        let parsed = inliner.read(index, &root)?;
        let settings = inliner.settings(index);
        let mut sysroot: HashSet<String> = ["std", "core", "alloc"].map(str::to_owned).into();
        let mut foreign_macros = Vec::new();
        let mut dependencies = inliner.krate(index).dependencies.clone();
        for item in &parsed.file.items {
            let Item::ExternCrate(item) = item else {
                continue;
            };
            let attrs = attributes(&settings, &item.attrs);
            if !attrs.present {
                continue;
            }
            let name = item.ident.to_string();
            if let (true, Some((_, rename))) = (sysroot.contains(&name), &item.rename) {
                sysroot.insert(rename.to_string());
            }
            let itself = (name == "self").then_some(index);
            let dependency = inliner.krate(index).dependencies.get(&name).copied().or(itself);
            if let (Some(dependency), Some((_, rename))) = (dependency, &item.rename) {
                dependencies.insert(rename.to_string(), dependency);
            }
            let macro_use = attrs.metas.iter().any(|meta| meta.path().is_ident("macro_use"));
            if let (true, Some(dependency)) = (macro_use, dependency) {
                let mut names = inliner.handed_on(dependency, &mut BTreeSet::new())?;
                let uses = || attrs.metas.iter().filter(|meta| meta.path().is_ident("macro_use"));
                if uses().all(|meta| meta.require_list().is_ok()) {
                    let lists = uses().filter_map(|meta| meta.require_list().ok());
                    let listed: HashSet<String> =
                        lists.flat_map(|list| list.tokens.clone()).map(|token| token.to_string()).collect();
                    names.retain(|name| listed.contains(name));
                }
                foreign_macros.extend(names.into_iter().map(|name| (name, dependency)));
            }
        }
        let shared = Rc::new(Shared {
            macros: inliner.exported(index)?,
            foreign_macros,
            sysroot,
            dependencies: Rc::new(dependencies),
            root_names: Rc::new(local_names(&settings, &parsed.file.items, false)),
        });
        let place = Place::root(&root);
        Walk::file(inliner, index, shared, &parsed, place, Vec::new())
    }

    fn file(
        inliner: &mut Inliner<'_>,
        index: usize,
        shared: Rc<Shared>,
        parsed: &Parsed,
        place: Place,
        path: Vec<String>,
    ) -> Result<Mapped> {
        let text = parsed.text.clone();
        let stream = text.parse().map_err(|error| anyhow!("{}: {error}", parsed.path.display()))?;
        let root = path.is_empty();
        let settings = inliner.settings(index);
        let attrs = attributes(&settings, &parsed.file.attrs);
        if !attrs.present {
            return Ok(Mapped::default());
        }
        if root && index != 0 {
            let limit = super::recursion_limit(&attrs.metas).map(|(limit, _)| limit);
            inliner.recursion_limit = inliner.recursion_limit.max(limit);
        }
        let tokens = Tokens::new(&text, stream);
        let mut walk = Walk {
            edition: inliner.edition(index),
            index,
            settings,
            absent: Vec::new(),
            quotes: Walk::find_quotes(&tokens),
            matched: Walk::find_matched_cfgs(&tokens),
            tokens,
            edits: Edits::default(),
            scopes: Vec::new(),
            module_uses: HashSet::new(),
            shared,
            number: parsed.number,
            inliner,
            place,
            path,
            error: None,
        };
        walk.enter(&parsed.file.items, 0..text.len(), root);
        walk.attributes(&parsed.file.attrs);
        for item in &parsed.file.items {
            walk.visit_item(item);
        }
        if let Some(error) = walk.error {
            return Err(error);
        }
        walk.rewrite_paths();
        if index != 0 {
            walk.strip_comments();
        }
        let (first, last) = walk.add_imports();
        let mut body = walk.edits.apply_to(&text, parsed.number);
        body.trim_end();
        let mut text = Mapped::from(first);
        text.push(&body);
        text.push_str(&last);
        Ok(text)
    }

    fn enter(&mut self, items: &[Item], range: Range<usize>, root: bool) {
        let names = local_names(&self.settings, items, false);
        for item in items {
            if let Item::Use(item) = item {
                self.module_uses.insert(item.use_token.span().byte_range().start);
            }
        }
        self.scopes.push(Scope { range, names, root, prelude: BTreeSet::new(), crates: BTreeSet::new() });
    }

    /// Adds imports to each module: what is in the prelude only since 2021, crates whose names stay
    /// as they are written, and exported macros. Returns what has to stand before and after the whole file.
    fn add_imports(&mut self) -> (String, String) {
        let (mut first, mut last) = (String::new(), "\n".to_owned());
        for scope in &self.scopes {
            let mut lines: Vec<String> = scope
                .prelude
                .iter()
                .filter(|name| !scope.names.contains(**name))
                .map(|name| {
                    let module = if *name == "FromIterator" { "iter" } else { "convert" };
                    format!("use std::{module}::{name};")
                })
                .collect();
            lines.extend(scope.crates.iter().cloned());
            if self.index == 0 {
                for line in &mut lines {
                    line.insert_str(0, "#[allow(unused_imports)]\n");
                }
            } else if scope.root {
                lines.extend(self.shared.macros.iter().map(Exported::import_at_root));
            }
            if lines.is_empty() {
                continue;
            }
            let lines = lines.join("\n");
            // In the solution, inner attributes stay, and nothing may stand before them.
            let text = self.tokens.text[scope.range.clone()].trim_start();
            let attributes = self.index == 0 && ["#!", "//!", "/*!"].iter().any(|start| text.starts_with(start));
            if attributes && scope.range.start > 0 {
                self.edits.append(scope.range.end, format!("\n{lines}\n"));
            } else if attributes || self.index == 0 && scope.root {
                last = format!("\n\n{lines}\n");
            } else if scope.range.start == 0 {
                first = format!("{lines}\n");
            } else {
                self.edits.replace(scope.range.start - 1..scope.range.start, format!("{{\n{lines}\n"));
            }
        }
        (first, last)
    }

    /// The file.
    pub(super) fn source_file(&self) -> &std::path::Path {
        &self.place.file
    }

    /// The line of byte `place` in the file, into which others may have been included.
    pub(super) fn line(&self, place: usize) -> usize {
        let file = &self.inliner.origins[self.number];
        let lines = |starts: &[usize], place: usize| starts.partition_point(|&start| start <= place);
        match file.text.origin(place) {
            Some((_, byte)) => lines(&file.lines, byte),
            None => lines(&crate::nodes::line_starts(self.tokens.text), place),
        }
    }

    /// Whether byte `place` is not from its file: a procedural macro produced it, or it was included or put in.
    pub(super) fn is_produced(&self, place: usize) -> bool {
        self.inliner.origins[self.number].text.origin(place).is_none()
    }

    /// The first token at or after byte `place`.
    pub(super) fn token_at(&self, place: usize) -> usize {
        self.tokens.list.partition_point(|token| token.range.start < place)
    }

    /// Removes `range` and, for list elements, the comma. If nothing follows on the line, the line's end goes, too.
    fn remove(&mut self, range: Range<usize>, comma: bool) {
        let mut end = range.end;
        let next = self.token_at(end);
        if comma && self.tokens.is(next, ',') {
            end = self.tokens.list[next].range.end;
        }
        let rest = &self.tokens.text[end..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if rest[blank..].starts_with('\n') {
            end += blank + 1;
            // A paragraph that is gone leaves one empty line, not two.
            let before = &self.tokens.text[..range.start];
            let alone = before.is_empty() || before.ends_with("\n\n");
            if alone && self.tokens.text[end..].starts_with('\n') {
                end += 1;
            }
        }
        self.edits.remove(range.start..end);
    }

    /// Removes an attribute. In a crate, all text up to the next token goes, too.
    fn remove_attribute(&mut self, range: Range<usize>, until: usize) {
        if self.index == 0 {
            // An empty line of documentation that only led to it goes, too.
            let (before, after) = (&self.tokens.text[..range.start], &self.tokens.text[range.end..]);
            if before.ends_with("\n//!\n") && !after.trim_start().starts_with("//!") {
                self.edits.remove(range.start - "//!\n".len()..range.start);
            }
            self.remove(range, false);
        } else {
            self.edits.remove(range.start..until);
        }
    }

    /// Decides what attributes say. Returns whether the thing at `range` is there.
    fn gate(&mut self, attrs: &[Attribute], range: Range<usize>, comma: bool) -> bool {
        if attrs.is_empty() {
            return true;
        }
        if !attributes(&self.settings, attrs).present {
            self.absent.push(range.clone());
            self.remove(range, comma);
            return false;
        }
        self.attributes(attrs);
        true
    }

    /// Takes out attributes that are decided or say nothing in a paste.
    fn attributes(&mut self, attrs: &[Attribute]) {
        let solution = self.index == 0;
        for attr in attrs {
            let range = attr.span().byte_range();
            if self.tokens.text[range.clone()].starts_with('/') {
                continue; // a doc comment, dealt with as a token
            }
            let inner = matches!(attr.style, syn::AttrStyle::Inner(_));
            let after = self.token_at(range.end);
            let until = self.tokens.list.get(after).map_or(range.end, |token| token.range.start);
            match &attr.meta {
                Meta::List(list)
                    if list.path.is_ident("cfg") && self.settings.decide(list.tokens.clone()).is_some() =>
                {
                    self.remove_attribute(range, until);
                }
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    let parts = super::cfg::split(list.tokens.clone());
                    let Some(predicate) = parts.first() else {
                        continue;
                    };
                    match self.settings.decide(predicate.clone()) {
                        Some(true) => {
                            let only = std::slice::from_ref(attr);
                            let Attributes { metas, .. } = attributes(&self.settings, only);
                            let bang = if inner { "!" } else { "" };
                            let mut kept = String::new();
                            for meta in metas.iter().filter(|meta| solution || !is_noise(meta, inner)) {
                                let text = &self.tokens.text[meta.span().byte_range()];
                                let _ = write!(kept, "#{bang}[{text}] ");
                            }
                            self.edits.replace(range.start..until, kept);
                        }
                        Some(false) => self.remove_attribute(range, until),
                        None => {}
                    }
                }
                meta if !solution && is_noise(meta, inner) => self.remove_attribute(range, until),
                // At the top of the solution, such lints would hold for the crates too, which are not written for them.
                // Elsewhere they do nothing, since cargo has built the program.
                Meta::List(list)
                    if inner && ["warn", "deny", "forbid"].iter().any(|level| list.path.is_ident(level)) =>
                {
                    self.remove_attribute(range, until);
                }
                // The judge's command names the crate, or the name of the file does.
                Meta::NameValue(pair) if inner && pair.path.is_ident("crate_name") => {
                    self.remove_attribute(range, until);
                }
                _ => {}
            }
        }
    }

    fn fail(&mut self, error: anyhow::Error) {
        self.error.get_or_insert(error);
    }

    fn module(&mut self, item: &syn::ItemMod) {
        let attrs = attributes(&self.settings, &item.attrs);
        self.path.push(item.ident.to_string());
        let exports = self.shared.macros.iter().any(|known| known.path.starts_with(&self.path));
        if let (Visibility::Inherited, true) = (&item.vis, self.index != 0 && exports) {
            // An exported macro is at the root, wherever it stands.
            self.edits.insert(item.mod_token.span().byte_range().start, "pub(crate) ");
        }
        if let Some((brace, items)) = &item.content {
            let range = brace.span.open().byte_range().end..brace.span.close().byte_range().start;
            self.enter(items, range, false);
            let inside = self.place.inside(item, &attrs);
            let outside = std::mem::replace(&mut self.place, inside);
            for item in items {
                self.visit_item(item);
            }
            self.place = outside;
        } else if let Some(semi) = &item.semi {
            let result = self.pull_in(item, &attrs);
            match result {
                Ok(mut text) => {
                    text.trim_end();
                    let mut body = Mapped::from(" {\n");
                    body.push(&text);
                    body.push_str("\n}");
                    self.edits.replace(semi.span().byte_range(), body);
                }
                Err(error) => self.fail(error),
            }
            for attr in &item.attrs {
                if attr.path().is_ident("path") {
                    self.edits.remove(attr.span().byte_range());
                }
            }
        }
        self.path.pop();
    }

    fn pull_in(&mut self, item: &syn::ItemMod, attrs: &Attributes) -> Result<Mapped> {
        let (file, place) = self.inliner.child(self.index, item, attrs, &self.place)?;
        let parsed = self.inliner.read(self.index, &file)?;
        let shared = Rc::clone(&self.shared);
        Walk::file(self.inliner, self.index, shared, &parsed, place, self.path.clone())
    }

    fn extern_crate(&mut self, item: &syn::ItemExternCrate) {
        let range = item.span().byte_range();
        let name = item.ident.to_string();
        let alias = item.rename.as_ref().map_or_else(|| name.clone(), |(_, alias)| alias.to_string());
        let public = if matches!(item.vis, Visibility::Inherited) { "" } else { "pub(crate) " };
        let quiet = if self.index == 0 { "#[allow(unused_imports)]\n" } else { "" };
        if self.shared.sysroot.contains(&name) {
            if self.index == 0 && item.rename.is_none() && self.scopes.len() == 1 {
                return;
            }
            self.edits.replace(range, format!("{public}use ::std as {alias};"));
        } else if let Some(&dependency) = self.shared.dependencies.get(&name) {
            self.inliner.mark_used(dependency);
            match self.inliner.names[dependency].clone() {
                Some(module) if self.index == 0 && module == alias && self.path.is_empty() => self.remove(range, false),
                Some(_) if alias == "_" => self.remove(range, false),
                // Only paths like `self::name` still need it, so it may be unused.
                Some(module) => self.edits.replace(range, format!("{quiet}{public}use crate::{module} as {alias};")),
                None if self.inliner.krate(dependency).proc_macro => self.remove(range, false),
                None => {}
            }
        } else if name == "self" {
            let path =
                self.inliner.names[self.index].clone().map_or("crate".to_owned(), |module| format!("crate::{module}"));
            self.edits.replace(range, format!("{quiet}{public}use {path} as {alias};"));
        }
    }

    fn use_item(&mut self, item: &syn::ItemUse) {
        let first = match &item.tree {
            UseTree::Path(path) => Some(path.ident.to_string()),
            UseTree::Name(leaf) => Some(leaf.ident.to_string()),
            _ => None,
        };
        let Some(first) = first else { return };
        let at_root = self.path.is_empty();
        if let (UseTree::Name(_), true) = (&item.tree, at_root && self.index != 0) {
            // An exported macro is at the root already.
            if self.shared.macros.iter().any(|exported| exported.name == first) {
                return self.remove(item.span().byte_range(), false);
            }
        }
        let dependency = self.shared.dependencies.get(plain(&first)).copied();
        let Some(dependency) = dependency else {
            // The solution may hand a macro on from module to module.
            if self.index == 0 && matches!(first.as_str(), "crate" | "self" | "super") {
                self.drop_macros(item, 0);
            }
            return;
        };
        if self.inliner.krate(dependency).proc_macro {
            self.remove(item.span().byte_range(), false);
            return;
        }
        self.drop_macros(item, dependency);
        if self.index == 0
            && self.inliner.names[dependency].as_deref() == Some(&first)
            && self.scopes.iter().all(|scope| scope.root || !scope.range.contains(&item.span().byte_range().start))
        {
            // `use proconio;` and `use proconio::{self, …};` would now import the module beside itself.
            let (range, more) = match &item.tree {
                UseTree::Name(_) => (item.span().byte_range(), false),
                UseTree::Path(path) => match itself(&path.tree) {
                    Some(found) => found,
                    None => return,
                },
                _ => return,
            };
            self.inliner.mark_used(dependency);
            if more {
                self.edits.remove(range);
            } else {
                self.remove(item.span().byte_range(), false);
            }
        }
    }

    /// Takes procedural macros out of what is imported from `dependency`.
    fn drop_macros(&mut self, item: &syn::ItemUse, dependency: usize) {
        let mut macros = Vec::new();
        if self.macro_imports(&item.tree, dependency, &mut macros) {
            self.remove(item.span().byte_range(), false);
        }
        for range in macros {
            self.edits.remove(range);
        }
    }

    /// Whether all that `tree` imports are procedural macros, which are written out and gone. If not, `found` gets the
    /// places of those that are.
    fn macro_imports(&mut self, tree: &UseTree, dependency: usize, found: &mut Vec<Range<usize>>) -> bool {
        match tree {
            UseTree::Path(path) => self.macro_imports(&path.tree, dependency, found),
            UseTree::Name(leaf) => self.inliner.is_only_macro(dependency, plain(&leaf.ident.to_string())),
            UseTree::Rename(leaf) => self.inliner.is_only_macro(dependency, plain(&leaf.ident.to_string())),
            UseTree::Glob(_) => false,
            UseTree::Group(group) => {
                let start = found.len();
                let gone: Vec<bool> =
                    group.items.iter().map(|tree| self.macro_imports(tree, dependency, found)).collect();
                if gone.iter().all(|gone| *gone) && !gone.is_empty() {
                    found.truncate(start);
                    return true;
                }
                let ranges: Vec<Range<usize>> = group.items.iter().map(|tree| tree.span().byte_range()).collect();
                let only =
                    gone.iter().position(|gone| !gone).filter(|_| gone.iter().filter(|gone| !**gone).count() == 1);
                let is_self = |tree: &UseTree| matches!(tree, UseTree::Name(leaf) if leaf.ident == "self");
                if let Some(only) = only.filter(|&only| gone.len() > 1 && !is_self(&group.items[only])) {
                    // One name needs no braces.
                    let around = group.brace_token.span.join().byte_range();
                    found.push(around.start..ranges[only].start);
                    found.push(ranges[only].end..around.end);
                    return false;
                }
                let last_kept = gone.iter().rposition(|gone| !gone).unwrap_or_default();
                for (at, range) in ranges.iter().enumerate().filter(|(at, _)| gone[*at]) {
                    found.push(match ranges.get(at + 1) {
                        Some(next) if at < last_kept => range.start..next.start,
                        _ => ranges[at - 1].end..range.end,
                    });
                }
                false
            }
        }
    }

    fn macro_rules(&mut self, item: &syn::ItemMacro) {
        let Some(ident) = &item.ident else { return };
        let name = ident.to_string();
        let exports =
            item.attrs.iter().any(|attr| attr.path().is_ident("macro_export") || attr.path().is_ident("cfg_attr"));
        let macros = Rc::clone(&self.shared.macros);
        let found = macros.iter().find(|known| known.name == name && known.path == self.path);
        if let (true, Some(exported)) = (exports, found) {
            self.edits.replace(ident.span().byte_range(), exported.hidden.clone());
            let end = item.span().byte_range().end;
            self.edits.append(end, format!("\n{}\n", exported.import_beside()));
            for attr in item.attrs.iter().filter(|attr| attr.path().is_ident("macro_export")) {
                self.edits.remove(attr.span().byte_range());
            }
        }
    }

    /// Takes comments out of what is not the solution, keeping lines apart.
    fn strip_comments(&mut self) {
        let text = self.tokens.text;
        let mut last = 0;
        let ends =
            self.tokens.list.iter().map(|token| token.range.clone()).chain(std::iter::once(text.len()..text.len()));
        let mut gaps = Vec::new();
        for token in ends {
            let gap = last..token.start;
            last = token.end;
            if gap.is_empty() {
                continue;
            }
            let blank = &text[gap.clone()];
            if !blank.contains('/') {
                continue;
            }
            let lines: Vec<&str> = blank.split('\n').collect();
            let tail = lines.last().copied().unwrap_or_default();
            let indent: String = tail.chars().take_while(|c| c.is_whitespace()).collect();
            let inner_blank = lines.len() > 2 && lines[1..lines.len() - 1].iter().any(|line| line.trim().is_empty());
            gaps.push((
                gap,
                match (lines.len(), inner_blank) {
                    (1, _) => " ".to_owned(),
                    (_, false) => format!("\n{indent}"),
                    (_, true) => format!("\n\n{indent}"),
                },
            ));
        }
        for (gap, with) in gaps {
            self.edits.replace(gap, with);
        }
        // Within a macro call, doc comments are tokens like any others.
        let mut call_end = 0;
        for index in 0..self.tokens.list.len() {
            if self.tokens.is(index, '!')
                && index > 0
                && self.tokens.text(index - 1) != "macro_rules"
                && let Some(Kind::Open(_, close)) = self.tokens.list.get(index + 1).map(|token| token.kind)
            {
                call_end = call_end.max(close);
            }
            if self.tokens.list[index].kind == Kind::Doc && index >= call_end {
                let start = self.tokens.list[index].range.start;
                let next = self.tokens.list.get(index + 1);
                let end = next.map_or(text.len(), |token| token.range.start);
                self.edits.remove(start..end);
            }
        }
    }
}

/// Whether an attribute of a crate says nothing in a paste.
fn is_noise(meta: &Meta, inner: bool) -> bool {
    let path = meta.path();
    let first = path.segments.first().map(|segment| segment.ident.to_string()).unwrap_or_default();
    inner
        || matches!(
            first.as_str(),
            "doc"
                | "allow"
                | "warn"
                | "deny"
                | "forbid"
                | "expect"
                | "must_use"
                | "deprecated"
                | "non_exhaustive"
                | "automatically_derived"
                | "rustfmt"
                | "clippy"
                | "diagnostic"
                | "rustc_on_unimplemented"
        )
}

impl Walk<'_, '_> {
    /// Whether an import starts with the name of a crate.
    fn is_of_crate(&self, tree: &UseTree) -> bool {
        let UseTree::Path(path) = tree else { return false };
        self.inliner.krate(self.index).dependencies.contains_key(&path.ident.to_string())
    }
}

impl<'ast> Visit<'ast> for Walk<'_, '_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !self.gate(item_attrs(item), item.span().byte_range(), false) {
            return;
        }
        match item {
            Item::Mod(item) => return self.module(item),
            Item::ExternCrate(item) => return self.extern_crate(item),
            Item::Macro(item) => self.macro_rules(item),
            Item::Use(item) => {
                match &item.vis {
                    // In a crate, the compiler never calls a `pub` import unused. In the solution, an import of what is
                    // now `pub(crate)` may not be `pub`.
                    Visibility::Public(public) if self.index != 0 || self.is_of_crate(&item.tree) => {
                        self.edits.replace(public.span().byte_range(), "pub(crate)");
                    }
                    // What is imported may be private to the crate's root, which is a module now.
                    Visibility::Restricted(public) if public.in_token.is_none() && public.path.is_ident("crate") => {
                        if let Some(module) = self.inliner.names[self.index].as_deref() {
                            self.edits.replace(public.span().byte_range(), format!("pub(in crate::{module})"));
                        }
                    }
                    _ => {}
                }
                self.use_item(item);
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attrs = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => return,
        };
        if self.gate(attrs, item.span().byte_range(), false) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attrs = match item {
            TraitItem::Const(item) => &item.attrs,
            TraitItem::Fn(item) => &item.attrs,
            TraitItem::Type(item) => &item.attrs,
            TraitItem::Macro(item) => &item.attrs,
            _ => return,
        };
        if self.gate(attrs, item.span().byte_range(), false) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if self.gate(&field.attrs, field.span().byte_range(), true) {
            visit::visit_field(self, field);
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        if self.gate(&variant.attrs, variant.span().byte_range(), true) {
            visit::visit_variant(self, variant);
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if self.gate(&arm.attrs, arm.span().byte_range(), true) {
            visit::visit_arm(self, arm);
        }
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        if self.gate(&field.attrs, field.span().byte_range(), true) {
            visit::visit_field_value(self, field);
        }
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        if self.gate(&field.attrs, field.span().byte_range(), true) {
            visit::visit_field_pat(self, field);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        let attrs: &[Attribute] = match stmt {
            Stmt::Local(local) => &local.attrs,
            Stmt::Macro(stmt) => &stmt.attrs,
            Stmt::Expr(expr, _) => expr_attrs(expr),
            Stmt::Item(_) => &[],
        };
        if self.gate(attrs, stmt.span().byte_range(), false) {
            visit::visit_stmt(self, stmt);
        }
    }
}

pub(super) fn item_attrs(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn expr_attrs(expr: &Expr) -> &[Attribute] {
    match expr {
        Expr::Assign(expr) => &expr.attrs,
        Expr::Binary(expr) => &expr.attrs,
        Expr::Block(expr) => &expr.attrs,
        Expr::Call(expr) => &expr.attrs,
        Expr::ForLoop(expr) => &expr.attrs,
        Expr::If(expr) => &expr.attrs,
        Expr::Loop(expr) => &expr.attrs,
        Expr::Macro(expr) => &expr.attrs,
        Expr::Match(expr) => &expr.attrs,
        Expr::MethodCall(expr) => &expr.attrs,
        Expr::Path(expr) => &expr.attrs,
        Expr::Return(expr) => &expr.attrs,
        Expr::Try(expr) => &expr.attrs,
        Expr::Unsafe(expr) => &expr.attrs,
        Expr::While(expr) => &expr.attrs,
        _ => &[],
    }
}
