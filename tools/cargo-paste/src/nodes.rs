//! What can be taken out of a bundle: items, members, imports, derives, macro arms, each with its bytes.
//!
//! Variants, fields, match arms and all attributes but `#[derive]` are no nodes, so they stay.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use anyhow::{Result, anyhow};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{ImplItem, Item, Meta, TraitItem, Type, UseTree};

use crate::text::{Kind as TokenKind, Tokens, plain};

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A free function.
    Function,
    /// A constant or a static.
    Constant,
    /// A struct, enum, union or alias.
    Type,
    /// A trait.
    Trait,
    /// A module.
    Module,
    /// `impl Type`.
    Impl,
    /// `impl Trait for Type`.
    TraitImpl,
    /// A member of `impl Type`.
    Member,
    /// A member of a trait.
    TraitMember,
    /// A member of `impl Trait for Type`.
    ImplMember,
    /// A `use`, or a group within one.
    Use,
    /// One imported name.
    Import,
    /// `macro_rules!`.
    Macro,
    /// One arm of it.
    MacroArm,
    /// A macro called in the place of an item.
    MacroCall,
    /// A `#[derive(…)]`.
    Derives,
    /// One derived trait.
    Derive,
    /// `extern "C" { … }`.
    Foreign,
    /// What stands between the braces of a function that is not compiled.
    Body,
}

/// Whether a node is compiled into the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// It has no code of its own, or nothing is known about it.
    Unknown,
    /// It has a body, of which nothing is compiled.
    Dead,
    /// Nothing of it is compiled, but it may be called by the compiler: a `const fn`.
    AtCompileTime,
    /// It is compiled.
    Live,
    /// The linker or the compiler asks for it, so it stays. A block with `#[link]` stays only if something else of its
    /// crate does.
    Root,
}

/// A part of the bundle that can be taken out.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its bytes, attributes and trailing comma included.
    pub range: Range<usize>,
    /// Its name, or nothing.
    pub name: String,
    /// Where its name stands.
    pub name_at: Range<usize>,
    /// The trait it is about.
    pub of_trait: String,
    /// The type it is about. For an import under another name, the original name.
    pub of_type: String,
    /// For an impl, the names in its trait and its type. For a trait, the traits that it requires.
    pub header: Vec<String>,
    /// Whether there is a reference among an impl's types.
    pub reference: bool,
    /// Whether a function in it is compiled into the program.
    pub life: Life,
    /// The node around it.
    pub parent: Option<usize>,
    /// The names in a macro call. For a macro arm that only makes an error, `compile_error`.
    pub mentions: HashSet<String>,
    /// Those of them that are declared in it, as by `struct Name`.
    pub declares: HashSet<String>,
    /// Whether this is an impl for a type parameter, as in `impl<T> Trait for T`.
    pub blanket: bool,
    /// What an import imports.
    pub import: Option<Imported>,
    /// For an impl, the path of its type.
    pub type_path: Vec<String>,
}

/// One imported name.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The whole path; for a `*`, without that. It starts with an empty name if it is written with `::` before it.
    pub path: Vec<String>,
    /// The name that it gets.
    pub name: String,
    /// Whether it is a `*`.
    pub glob: bool,
}

/// What a text names.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// All names.
    pub words: HashSet<String>,
    /// The paths, imports aside. One that starts with `::` has an empty name first.
    pub paths: HashSet<Vec<String>>,
    /// The macros that are called.
    pub calls: HashSet<String>,
}

/// What is declared and imported right in a module or a block.
#[derive(Debug, Default)]
pub struct Scope {
    /// The nodes of each name.
    pub items: HashMap<String, Vec<usize>>,
    /// The imports with a `*`.
    pub globs: Vec<usize>,
}

impl Node {
    /// Whether the program has code of it.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        matches!(self.life, Life::Live | Life::Root)
    }

    fn live_if(&mut self, lives: bool) {
        self.life = if lives { Life::Live } else { Life::Dead };
    }
}

/// All nodes of a bundle, outer before inner.
#[derive(Debug)]
pub struct Nodes {
    /// The nodes.
    pub list: Vec<Node>,
    /// Those within each.
    pub children: Vec<Vec<usize>>,
    /// For each node, the names in its own text, without those in nodes inside of it.
    pub names: Vec<Names>,
    /// The names in the solution, imports aside.
    pub solution: Names,
    /// What the solution imports.
    pub solution_imports: Vec<Imported>,
    /// What each module or block declares; `usize::MAX` is the file.
    pub scopes: HashMap<usize, Scope>,
    /// The nodes of each name.
    pub by_name: HashMap<String, Vec<usize>>,
    /// The nodes of each kind.
    pub by_kind: HashMap<Kind, Vec<usize>>,
    /// The names in each macro, by the macro's name.
    pub definitions: HashMap<String, HashSet<String>>,
    by_name_start: HashMap<usize, usize>,
}

impl Nodes {
    /// Finds the nodes of `text` from byte `start` on. `live` says what the compiler made functions of.
    ///
    /// # Errors
    /// Fails if the text is not Rust.
    pub fn new(text: &str, start: usize, live: &dyn Live) -> Result<Self> {
        let file = syn::parse_file(text)
            .map_err(|error| anyhow!("the bundle cannot be read at line {}: {error}", error.span().start().line))?;
        let stream = text.parse().map_err(|error| anyhow!("the bundle cannot be read: {error}"))?;
        let tokens = Tokens::new(text, stream);
        let mut aliases = Aliases::default();
        aliases.visit_file(&file);
        let mut finder = Finder { tokens, list: Vec::new(), parent: None, live, header: Vec::new(), aliases };
        for item in &file.items {
            if item.span().byte_range().start >= start {
                finder.visit_item(item);
            }
        }
        let (mut list, tokens) = (finder.list, finder.tokens);
        revive_macros(&mut list, text, live);
        let (names, solution) = names_of(&list, &tokens, start);
        let mut imports = Imports::default();
        for item in file.items.iter().filter(|item| item.span().byte_range().start < start) {
            imports.visit_item(item);
        }
        let mut children = vec![Vec::new(); list.len()];
        let mut by_name_start = HashMap::new();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_kind: HashMap<Kind, Vec<usize>> = HashMap::new();
        let mut definitions: HashMap<String, HashSet<String>> = HashMap::new();
        for (index, node) in list.iter().enumerate() {
            by_name.entry(node.name.clone()).or_default().push(index);
            by_kind.entry(node.kind).or_default().push(index);
            let around = if node.kind == Kind::MacroArm { node.parent } else { Some(index) };
            if let Some(around) = around.map(|around| &list[around]).filter(|around| around.kind == Kind::Macro) {
                definitions.entry(around.name.clone()).or_default().extend(names[index].words.iter().cloned());
            }
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
            if !node.name_at.is_empty() && !matches!(node.kind, Kind::Import | Kind::Derive) {
                by_name_start.insert(node.name_at.start, index);
            }
        }
        let scopes = scopes_of(&list);
        let solution_imports = imports.found;
        Ok(Self {
            list,
            children,
            names,
            solution,
            solution_imports,
            scopes,
            by_name,
            by_kind,
            definitions,
            by_name_start,
        })
    }

    /// The node whose name starts at byte `place`.
    #[must_use]
    pub fn named_at(&self, place: usize) -> Option<usize> {
        self.by_name_start.get(&place).copied()
    }

    /// The nodes of `kind` that share bytes with `range`.
    pub fn touching(&self, kind: Kind, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let all = self.list.iter().enumerate();
        all.filter(move |(_, node)| node.kind == kind && node.range.start < range.end && range.start < node.range.end)
            .map(|(index, _)| index)
    }

    /// Whether node `index` is in node `around`, or is it.
    #[must_use]
    pub fn within(&self, index: usize, around: usize) -> bool {
        index == around || self.list[index].parent.is_some_and(|parent| self.within(parent, around))
    }

    /// The node around `index` of one of `kinds`, itself included.
    #[must_use]
    pub fn around(&self, index: usize, kinds: &[Kind]) -> Option<usize> {
        let mut at = Some(index);
        while let Some(found) = at {
            if kinds.contains(&self.list[found].kind) {
                return Some(found);
            }
            at = self.list[found].parent;
        }
        None
    }

    /// Whether a trait of this name is defined in the bundle.
    #[must_use]
    pub fn has_trait(&self, name: &str) -> bool {
        let named = self.by_name.get(name).into_iter().flatten();
        named.into_iter().any(|&index| self.list[index].kind == Kind::Trait)
    }

    /// The outermost module around a node: its crate.
    #[must_use]
    pub fn root(&self, index: usize) -> usize {
        let mut at = index;
        while let Some(parent) = self.list[at].parent {
            at = parent;
        }
        at
    }

    /// Where the names in a node's text are looked up: in the node, and then around it.
    #[must_use]
    pub fn scope(&self, index: usize) -> usize {
        match self.list[index].kind {
            Kind::Import | Kind::Use => around(&self.list, index),
            _ => index,
        }
    }

    /// The module that a scope is or is in.
    #[must_use]
    pub fn module_around(&self, scope: usize) -> usize {
        if scope >= self.list.len() {
            return scope;
        }
        self.around(scope, &[Kind::Module]).unwrap_or(usize::MAX)
    }

    /// The module around a module.
    #[must_use]
    pub fn module_above(&self, module: usize) -> usize {
        let parent = self.list.get(module).and_then(|module| module.parent);
        parent.map_or(usize::MAX, |parent| self.module_around(parent))
    }

    /// The module around a node.
    #[must_use]
    pub fn module(&self, index: usize) -> Option<usize> {
        let parent = self.list[index].parent?;
        self.around(parent, &[Kind::Module])
    }
}

/// What the compiler made functions of.
pub trait Live {
    /// Whether a function starts in these bytes of the bundle.
    fn in_bytes(&self, range: Range<usize>) -> bool;
    /// Whether a function starts in these bytes. If a macro made several functions of the same text, only one whose
    /// compiled name contains all of `names` counts.
    fn function(&self, range: Range<usize>, names: &[String]) -> bool;
    /// The words in the names of the functions that start in these bytes.
    fn words_in(&self, range: Range<usize>) -> HashSet<String>;
    /// Whether the type called `of_type` has a compiled function of `of_trait`.
    fn in_impl(&self, of_type: &str, of_trait: &str) -> bool;
}

/// A macro's functions stand in its definition. So if one is compiled, all calls of the macro live, and all calls of
/// macros that call it. Where a word in the functions' names tells calls apart, such as `i64`, only calls with such a
/// word live.
fn revive_macros(list: &mut [Node], text: &str, live: &dyn Live) {
    let words = |node: &Node| crate::shake::words(&text[node.range.clone()]);
    let macros: Vec<(String, HashSet<String>)> =
        list.iter().filter(|node| node.kind == Kind::Macro).map(|node| (node.name.clone(), words(node))).collect();
    // For each macro that has compiled functions, the words in their names.
    let mut names: HashMap<String, HashSet<String>> = HashMap::new();
    for node in list.iter().filter(|node| node.kind == Kind::Macro && node.is_alive()) {
        names.entry(node.name.clone()).or_default().extend(live.words_in(node.range.clone()));
    }
    loop {
        let mut more: Vec<(String, HashSet<String>)> = Vec::new();
        for (name, words) in &macros {
            let called = names.iter().filter(|(called, _)| *called != name && words.contains(*called));
            let inner: HashSet<String> = called.clone().flat_map(|(_, inner)| inner.iter().cloned()).collect();
            let known = names.get(name);
            if called.count() > 0 && known.is_none_or(|known| !inner.is_subset(known)) {
                more.push((name.clone(), inner));
            }
        }
        if more.is_empty() {
            break;
        }
        for (name, inner) in more {
            names.entry(name).or_default().extend(inner);
        }
    }
    for (called, names) in &names {
        let is_call = |node: &Node| {
            node.kind == Kind::MacroCall && (*called == node.name || called.ends_with(&format!("_{}", node.name)))
        };
        let told = |node: &Node| node.mentions.iter().any(|name| name != called && names.contains(name));
        let any_told = list.iter().any(|node| is_call(node) && told(node));
        for node in list.iter_mut() {
            if is_call(node) && (!any_told || told(node) || node.mentions.len() < 2) {
                node.life = Life::Live;
            }
        }
    }
}

/// The names in each node's own text, and those before `start`.
fn names_of(list: &[Node], tokens: &Tokens<'_>, start: usize) -> (Vec<Names>, Names) {
    let mut found = vec![Names::default(); list.len()];
    let mut solution = Names::default();
    let mut import_end = 0;
    let mut path_end = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by_key(|&index| (list[index].range.start, std::cmp::Reverse(list[index].range.end)));
    for (at, token) in tokens.list.iter().enumerate() {
        let place = token.range.start;
        while open.last().is_some_and(|&index| list[index].range.end <= place) {
            open.pop();
        }
        while let Some(&index) = order.get(next).filter(|&&index| list[index].range.start <= place) {
            if list[index].range.contains(&place) {
                open.push(index);
            }
            next += 1;
        }
        if token.kind != TokenKind::Ident {
            continue;
        }
        let names = match open.last() {
            Some(&index) => &mut found[index],
            None if place < start => &mut solution,
            None => continue,
        };
        let word = plain(tokens.text(at)).to_owned();
        if word == "use" {
            let end = (at..tokens.list.len()).find(|&at| tokens.is(at, ';'));
            import_end = end.unwrap_or(at);
        }
        if at < import_end {
            if !open.is_empty() {
                names.words.insert(word);
            }
            continue;
        }
        let name = at > 0 && tokens.is(at - 1, '$') && word != "crate";
        if tokens.is(at + 1, '!') {
            names.calls.insert(word.clone());
        }
        names.words.insert(word);
        // What follows `<Type>::` or `$name::` is a member.
        let after = at >= 2 && tokens.is_colons(at - 2);
        let global = after && (at < 3 || !tokens.is(at - 3, '>') && !tokens.is_ident(at - 3));
        if at < path_end || name || after && !global {
            continue;
        }
        let mut path: Vec<String> = if global { vec![String::new()] } else { Vec::new() };
        let mut end = at;
        loop {
            path.push(plain(tokens.text(end)).to_owned());
            if !(tokens.is_colons(end + 1) && tokens.is_ident(end + 3)) {
                break;
            }
            end += 3;
        }
        path_end = end + 1;
        names.paths.insert(path);
    }
    (found, solution)
}

/// What is declared and imported where.
fn scopes_of(list: &[Node]) -> HashMap<usize, Scope> {
    let mut scopes: HashMap<usize, Scope> = HashMap::new();
    for (index, node) in list.iter().enumerate() {
        let names: Vec<&String> = match node.kind {
            Kind::Function | Kind::Constant | Kind::Type | Kind::Trait | Kind::Module | Kind::Import | Kind::Macro => {
                vec![&node.name]
            }
            // What a macro call declares is there if the call is.
            Kind::MacroCall => node.declares.iter().collect(),
            _ => continue,
        };
        let scope = scopes.entry(around(list, index)).or_default();
        if node.import.as_ref().is_some_and(|import| import.glob) {
            scope.globs.push(index);
            continue;
        }
        for name in names {
            scope.items.entry(name.clone()).or_default().push(index);
        }
    }
    // Any macro may be exported, and then it belongs to its crate's root, wherever it stands.
    for (index, node) in list.iter().enumerate().filter(|(_, node)| node.kind == Kind::Macro) {
        let mut root = index;
        while let Some(parent) = list[root].parent {
            root = parent;
        }
        if root != around(list, index) && root != index {
            let scope = scopes.entry(root).or_default();
            scope.items.entry(node.name.clone()).or_default().push(index);
        }
    }
    scopes
}

/// The module or block that a node stands in; `usize::MAX` is the file.
fn around(list: &[Node], index: usize) -> usize {
    let mut at = list[index].parent;
    while let Some(parent) = at.filter(|&parent| matches!(list[parent].kind, Kind::Use | Kind::Foreign)) {
        at = list[parent].parent;
    }
    at.unwrap_or(usize::MAX)
}

/// The imports of the solution.
#[derive(Default)]
struct Imports {
    found: Vec<Imported>,
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut path = Vec::new();
        self.walk(&item.tree, &mut path);
    }
}

impl Imports {
    fn walk(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(inner) => {
                // `crate`, `self` and `super` are dropped: every path is looked up where the crates are.
                let name = inner.ident.to_string();
                let relative = matches!(name.as_str(), "crate" | "self" | "super");
                if !relative {
                    path.push(plain(&name).to_owned());
                }
                self.walk(&inner.tree, path);
                if !relative {
                    path.pop();
                }
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.walk(tree, path)),
            leaf => self.found.extend(imported(leaf, path)),
        }
    }
}

/// What the end of an import imports, where `path` stands before it.
fn imported(leaf: &UseTree, path: &[String]) -> Option<Imported> {
    let (last, name) = match leaf {
        UseTree::Name(leaf) => (Some(&leaf.ident), &leaf.ident),
        UseTree::Rename(leaf) => (Some(&leaf.ident), &leaf.rename),
        UseTree::Glob(_) => return Some(Imported { path: path.to_vec(), name: String::new(), glob: true }),
        _ => return None,
    };
    let plainly = |name: &syn::Ident| plain(&name.to_string()).to_owned();
    let mut path = path.to_vec();
    let mut name = plainly(name);
    match last.map(plainly) {
        Some(last) if last == "self" => {
            if name == "self" {
                name = path.last().cloned().unwrap_or_default();
            }
        }
        last => path.extend(last),
    }
    Some(Imported { path, name, glob: false })
}

/// The byte each line starts at.
#[must_use]
pub fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

struct Finder<'a> {
    tokens: Tokens<'a>,
    list: Vec<Node>,
    parent: Option<usize>,
    live: &'a dyn Live,
    /// The names that stand in the compiled name of every function of the impl around.
    header: Vec<String>,
    aliases: Aliases,
}

/// Names that stand for other types. The compiled names of functions have those types instead.
#[derive(Default)]
struct Aliases {
    names: HashSet<String>,
}

impl<'ast> Visit<'ast> for Aliases {
    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.names.insert(item.ident.to_string());
    }

    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        self.names.insert(rename.rename.to_string());
    }

    fn visit_block(&mut self, _: &'ast syn::Block) {}
}

/// The last names of the paths in a type, and the numbers.
#[derive(Default)]
struct TypeNames {
    found: Vec<String>,
    /// Whether there is a reference among them.
    reference: bool,
}

impl<'ast> Visit<'ast> for TypeNames {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        // An associated type stands for another one.
        if path.segments.first().is_none_or(|first| first.ident != "Self") {
            self.found.push(last(path));
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        if path.qself.is_none() {
            syn::visit::visit_type_path(self, path);
        }
    }

    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        self.reference = true;
        syn::visit::visit_type_reference(self, reference);
    }

    /// The length of an array is in a function's name as a number.
    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) = expr {
            self.found.push(number.base10_digits().to_owned());
        }
    }
}

/// Stands for the body of a function that is never called.
pub const NO_BODY: &str = " unreachable!() ";

/// The words before the name of an item.
const DECLARING: [&str; 9] = ["const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union"];

/// Attributes by which the linker or the compiler asks for an item.
const ROOTS: [&str; 6] = ["no_mangle", "used", "global_allocator", "link_section", "export_name", "panic_handler"];

fn is_root(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let path = attr.path();
        let inner = match &attr.meta {
            Meta::List(list) if path.is_ident("unsafe") => list.tokens.to_string(),
            _ => String::new(),
        };
        ROOTS.iter().any(|root| path.is_ident(root) || inner.starts_with(root))
    })
}

impl Finder<'_> {
    fn add(&mut self, kind: Kind, range: Range<usize>, name: Option<&syn::Ident>) -> usize {
        self.list.push(Node {
            kind,
            range,
            name: name.map(|name| plain(&name.to_string()).to_owned()).unwrap_or_default(),
            name_at: name.map_or(0..0, |name| name.span().byte_range()),
            of_trait: String::new(),
            of_type: String::new(),
            header: Vec::new(),
            reference: false,
            life: Life::Unknown,
            parent: self.parent,
            mentions: HashSet::new(),
            declares: HashSet::new(),
            blanket: false,
            import: None,
            type_path: Vec::new(),
        });
        self.list.len() - 1
    }

    fn within(&mut self, node: usize, walk: impl FnOnce(&mut Self)) {
        let outside = self.parent.replace(node);
        walk(self);
        self.parent = outside;
    }

    fn with_comma(&self, range: Range<usize>) -> Range<usize> {
        let next = self.tokens.list.partition_point(|token| token.range.start < range.end);
        if self.tokens.is(next, ',') { range.start..self.tokens.list[next].range.end } else { range }
    }

    fn signature(&mut self, node: usize, vis: Range<usize>, signature: &syn::Signature) {
        let start = if vis.is_empty() { signature.span().byte_range().start } else { vis.start };
        let end = signature.ident.span().byte_range().end;
        if self.list[node].life != Life::Root {
            let mut names = self.header.clone();
            names.push(plain(&signature.ident.to_string()).to_owned());
            self.list[node].life = match (self.live.function(start..end, &names), signature.constness) {
                (true, _) => Life::Live,
                (false, Some(_)) => Life::AtCompileTime,
                (false, None) => Life::Dead,
            };
        }
    }

    /// Walks through the body of function `node`. If the function is not compiled, its body may go.
    fn body(&mut self, node: usize, signature: &syn::Signature, block: &syn::Block) {
        let span = block.brace_token.span;
        let range = span.open().byte_range().end..span.close().byte_range().start;
        // Only the body says which type `impl Trait` is.
        let named = match &signature.output {
            syn::ReturnType::Default => true,
            syn::ReturnType::Type(_, output) => !matches!(**output, Type::ImplTrait(_)),
        };
        let long = range.len() > NO_BODY.len();
        self.within(node, |finder| {
            if finder.list[node].life == Life::Dead && named && long && signature.asyncness.is_none() {
                let body = finder.add(Kind::Body, range, None);
                finder.list[body].name = finder.list[node].name.clone();
                finder.list[body].life = Life::Dead;
                finder.within(body, |finder| finder.visit_block(block));
            } else {
                finder.visit_block(block);
            }
        });
    }

    fn import(&mut self, tree: &UseTree, in_group: bool, path: &mut Vec<String>) {
        let range = tree.span().byte_range();
        let range = if in_group { self.with_comma(range) } else { range };
        match tree {
            UseTree::Path(inner) => {
                path.push(plain(&inner.ident.to_string()).to_owned());
                if in_group {
                    let node = self.add(Kind::Use, range, None);
                    self.within(node, |finder| finder.import(&inner.tree, false, path));
                } else {
                    self.import(&inner.tree, false, path);
                }
                path.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, true, path);
                }
            }
            leaf => {
                let Some(import) = imported(leaf, path) else { return };
                let node = self.add(Kind::Import, range, None);
                self.list[node].name.clone_from(&import.name);
                if let UseTree::Rename(leaf) = leaf {
                    plain(&leaf.ident.to_string()).clone_into(&mut self.list[node].of_type);
                }
                self.list[node].import = Some(import);
            }
        }
    }

    fn derives(&mut self, attrs: &[syn::Attribute], of_type: &syn::Ident) {
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
            let Meta::List(list) = &attr.meta else {
                continue;
            };
            let all = self.add(Kind::Derives, attr.span().byte_range(), None);
            let start = list.delimiter.span().open().byte_range().end;
            let end = list.delimiter.span().close().byte_range().start;
            self.within(all, |finder| {
                let mut at = finder.tokens.list.partition_point(|token| token.range.start < start);
                while at < finder.tokens.list.len() && finder.tokens.list[at].range.start < end {
                    let begin = at;
                    let mut tail = at;
                    while finder.tokens.list[at].range.start < end && !finder.tokens.is(at, ',') {
                        tail = at;
                        at += 1;
                    }
                    let range = finder.tokens.list[begin].range.start..finder.tokens.list[tail].range.end;
                    let range = finder.with_comma(range);
                    let name = finder.tokens.text(tail).to_owned();
                    let node = finder.add(Kind::Derive, range, None);
                    finder.list[node].of_trait.clone_from(&name);
                    finder.list[node].name = name;
                    finder.list[node].of_type = of_type.to_string();
                    let lives = finder.live.in_impl(&of_type.to_string(), &finder.list[node].of_trait);
                    finder.list[node].live_if(lives);
                    at += 1;
                }
            });
        }
    }

    fn macro_arms(&mut self, node: usize, mac: &syn::Macro) {
        let span = mac.delimiter.span();
        let start = span.open().byte_range().end;
        let end = span.close().byte_range().start;
        let mut at = self.tokens.list.partition_point(|token| token.range.start < start);
        self.within(node, |finder| {
            while at < finder.tokens.list.len() && finder.tokens.list[at].range.start < end {
                let from = finder.tokens.list[at].range.start;
                let mut last = at;
                let mut next = at;
                while next < finder.tokens.list.len() && finder.tokens.list[next].range.start < end {
                    last = match finder.tokens.list[next].kind {
                        TokenKind::Open(_, close) => close,
                        _ => next,
                    };
                    next = last + 1;
                    if finder.tokens.is(last, ';') {
                        break;
                    }
                }
                let range = from..finder.tokens.list[last].range.end;
                let node = finder.add(Kind::MacroArm, range, None);
                // `matcher => { compile_error!(…) }`: a program that compiles never gets there.
                let body = (at..last).find(|&token| finder.tokens.is(token, '=') && finder.tokens.is(token + 1, '>'));
                if body.is_some_and(|body| finder.tokens.text(body + 3) == "compile_error") {
                    finder.list[node].mentions.insert("compile_error".to_owned());
                }
                at = next;
            }
        });
    }
}

/// The last name of a path.
fn last(path: &syn::Path) -> String {
    path.segments.last().map(|segment| plain(&segment.ident.to_string()).to_owned()).unwrap_or_default()
}

/// The name a type goes by; empty for what has none.
fn head(ty: &Type) -> String {
    match ty {
        Type::Path(path) => last(&path.path),
        Type::Reference(reference) => head(&reference.elem),
        Type::Paren(paren) => head(&paren.elem),
        Type::Group(group) => head(&group.elem),
        _ => String::new(),
    }
}

/// The path of the type that [`head`] is the name of.
fn path_of(ty: &Type) -> Vec<String> {
    match ty {
        Type::Path(path) => {
            path.path.segments.iter().map(|segment| plain(&segment.ident.to_string()).to_owned()).collect()
        }
        Type::Reference(reference) => path_of(&reference.elem),
        Type::Paren(paren) => path_of(&paren.elem),
        Type::Group(group) => path_of(&group.elem),
        _ => Vec::new(),
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let range = item.span().byte_range();
        match item {
            Item::Fn(item) => {
                let node = self.add(Kind::Function, range, Some(&item.sig.ident));
                if is_root(&item.attrs) {
                    self.list[node].life = Life::Root;
                }
                self.signature(node, item.vis.span().byte_range(), &item.sig);
                self.body(node, &item.sig, &item.block);
            }
            Item::Const(item) => {
                let node = self.add(Kind::Constant, range, Some(&item.ident));
                self.within(node, |finder| finder.visit_expr(&item.expr));
            }
            Item::Static(item) => {
                let node = self.add(Kind::Constant, range, Some(&item.ident));
                if is_root(&item.attrs) {
                    self.list[node].life = Life::Root;
                }
                self.within(node, |finder| finder.visit_expr(&item.expr));
            }
            Item::Struct(item) => {
                let node = self.add(Kind::Type, range, Some(&item.ident));
                self.within(node, |finder| finder.derives(&item.attrs, &item.ident));
            }
            Item::Union(item) => {
                let node = self.add(Kind::Type, range, Some(&item.ident));
                self.within(node, |finder| finder.derives(&item.attrs, &item.ident));
            }
            Item::Type(item) => {
                self.add(Kind::Type, range, Some(&item.ident));
            }
            Item::Enum(item) => {
                let node = self.add(Kind::Type, range, Some(&item.ident));
                self.within(node, |finder| finder.derives(&item.attrs, &item.ident));
            }
            Item::Trait(item) => {
                let node = self.add(Kind::Trait, range, Some(&item.ident));
                let supers = item.supertraits.iter().filter_map(|bound| match bound {
                    syn::TypeParamBound::Trait(bound) => Some(last(&bound.path)),
                    _ => None,
                });
                self.list[node].header = supers.collect();
                self.within(node, |finder| {
                    for member in &item.items {
                        finder.trait_member(member, &item.ident);
                    }
                });
            }
            Item::Impl(item) => self.impl_item(item, range),
            Item::Mod(item) => {
                let node = self.add(Kind::Module, range, Some(&item.ident));
                if let Some((_, items)) = &item.content {
                    self.within(node, |finder| {
                        for item in items {
                            finder.visit_item(item);
                        }
                    });
                }
            }
            Item::ForeignMod(item) if item.attrs.iter().any(|attribute| attribute.path().is_ident("link")) => {
                let node = self.add(Kind::Foreign, range, None);
                self.list[node].life = Life::Root;
            }
            Item::ForeignMod(item) if item.attrs.is_empty() => {
                let node = self.add(Kind::Foreign, range, None);
                self.within(node, |finder| {
                    for item in &item.items {
                        finder.foreign(item);
                    }
                });
            }
            Item::Use(item) => {
                let node = self.add(Kind::Use, range, None);
                let mut path = if item.leading_colon.is_some() { vec![String::new()] } else { Vec::new() };
                self.within(node, |finder| finder.import(&item.tree, false, &mut path));
            }
            Item::Macro(item) => {
                if item.mac.path.is_ident("macro_rules") {
                    let node = self.add(Kind::Macro, range.clone(), item.ident.as_ref());
                    self.list[node].live_if(self.live.in_bytes(range));
                    self.macro_arms(node, &item.mac);
                } else {
                    let node = self.add(Kind::MacroCall, range.clone(), None);
                    self.list[node].live_if(self.live.in_bytes(range.clone()));
                    let first = self.tokens.list.partition_point(|token| token.range.start < range.start);
                    let end = self.tokens.list.partition_point(|token| token.range.start < range.end);
                    for at in (first..end).filter(|&at| self.tokens.is_ident(at)) {
                        let word = plain(self.tokens.text(at)).to_owned();
                        if at > first && DECLARING.contains(&self.tokens.text(at - 1)) {
                            self.list[node].declares.insert(word.clone());
                        }
                        self.list[node].mentions.insert(word);
                    }
                    self.list[node].name = last(&item.mac.path);
                }
            }
            _ => {}
        }
    }
}

impl Finder<'_> {
    fn foreign(&mut self, item: &syn::ForeignItem) {
        let range = item.span().byte_range();
        match item {
            syn::ForeignItem::Fn(item) => self.add(Kind::Function, range, Some(&item.sig.ident)),
            syn::ForeignItem::Static(item) => self.add(Kind::Constant, range, Some(&item.ident)),
            syn::ForeignItem::Type(item) => self.add(Kind::Type, range, Some(&item.ident)),
            _ => {
                let node = self.add(Kind::MacroCall, range, None);
                self.list[node].life = Life::Root;
                node
            }
        };
    }

    fn trait_member(&mut self, member: &TraitItem, of_trait: &syn::Ident) {
        let range = member.span().byte_range();
        let node = match member {
            TraitItem::Fn(item) => {
                let node = self.add(Kind::TraitMember, range, Some(&item.sig.ident));
                if let Some(block) = &item.default {
                    self.signature(node, 0..0, &item.sig);
                    self.body(node, &item.sig, block);
                }
                node
            }
            TraitItem::Const(item) => self.add(Kind::TraitMember, range, Some(&item.ident)),
            TraitItem::Type(item) => self.add(Kind::TraitMember, range, Some(&item.ident)),
            _ => return,
        };
        plain(&of_trait.to_string()).clone_into(&mut self.list[node].of_trait);
    }

    fn impl_item(&mut self, item: &syn::ItemImpl, range: Range<usize>) {
        let of_trait = item.trait_.as_ref().map(|(path, _)| last(path));
        let of_type = head(&item.self_ty);
        let (outer, inner) = match of_trait {
            Some(_) => (Kind::TraitImpl, Kind::ImplMember),
            None => (Kind::Impl, Kind::Member),
        };
        let of_trait = of_trait.unwrap_or_default();
        let node = self.add(outer, range, None);
        self.list[node].of_trait.clone_from(&of_trait);
        self.list[node].of_type.clone_from(&of_type);
        self.list[node].type_path = path_of(&item.self_ty);
        self.list[node].blanket = item.generics.type_params().any(|param| param.ident == of_type);
        let (header, reference) = self.header_of(item);
        self.list[node].header.clone_from(&header);
        self.list[node].reference = reference;
        let outside = std::mem::replace(&mut self.header, header);
        self.within(node, |finder| {
            for member in &item.items {
                let range = member.span().byte_range();
                let node = match member {
                    ImplItem::Fn(item) => {
                        let node = finder.add(inner, range, Some(&item.sig.ident));
                        finder.signature(node, item.vis.span().byte_range(), &item.sig);
                        finder.body(node, &item.sig, &item.block);
                        node
                    }
                    ImplItem::Const(item) => finder.add(inner, range, Some(&item.ident)),
                    ImplItem::Type(item) => finder.add(inner, range, Some(&item.ident)),
                    _ => continue,
                };
                finder.list[node].of_trait.clone_from(&of_trait);
                finder.list[node].of_type.clone_from(&of_type);
            }
        });
        self.header = outside;
    }

    /// The names that the compiled name of every function of an impl contains, and whether there is a reference among
    /// the types.
    fn header_of(&self, item: &syn::ItemImpl) -> (Vec<String>, bool) {
        let mut names = TypeNames::default();
        if let Some((path, _)) = &item.trait_ {
            names.visit_path(path);
        }
        names.visit_type(&item.self_ty);
        let parameters: HashSet<String> = item
            .generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                syn::GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
                syn::GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect();
        names.found.retain(|name| !parameters.contains(name) && !self.aliases.names.contains(name));
        (names.found, names.reference)
    }
}
