//! Second stage: the crates become modules below the solution.
//!
//! The result is one text in the *asking form*. It compiles from edition 2018 on, and the compiler's lints can see
//! everything in it that is not used. The emit stage turns it into the form that every edition takes.

mod calls;
mod cfg;
mod editions;
mod expanded;
mod included;
mod made;
mod paths;
mod rules;
mod walk;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, Result, anyhow, bail};
use proc_macro2::Delimiter;
use syn::spanned::Spanned;
use syn::{Attribute, Item, ItemMod, Meta, UseTree};

use crate::build::{Crate, Program};
use crate::prove::temporaries;
use crate::recorder::Expansion;
use crate::rustc::Edition;
use crate::text::{Edits, Kind, Mapped, Tokens, plain};
use cfg::Settings;
pub use editions::{Rewrite, edits};

/// A program as one text.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The text in the asking form: the solution, then the crates as modules.
    pub text: Mapped,
    /// The size of the text before calls of macros were written out.
    pub before: usize,
    /// The files it was made from.
    pub files: Rc<[Origin]>,
    /// Where the solution ends.
    pub solution_end: usize,
    /// The crates in the text, as indices into [`Program::crates`], with their modules' names.
    pub modules: Vec<(usize, String)>,
    /// All crates that some text names, the solution included, and all dependencies of those left outside.
    pub named: BTreeSet<usize>,
    /// The macros that other crates can see.
    pub exported: Vec<Exported>,
    /// Where the macros of the crates are defined, by their files' numbers. Empty if no calls are written out.
    macros: Vec<calls::InFile>,
    /// The modules of the crates that are of 2024.
    newest: BTreeSet<String>,
    /// Whether a crate of 2024 may have code that a macro of an older crate made.
    pub has_older: bool,
    /// Whether crates stay outside.
    keeps: bool,
    /// Uses of procedural macros that could not be written out, or only as a new `macro_rules!` that may not take every
    /// call: what, where, and what to do.
    pub macros_left: Vec<String>,
    /// Places that include a file too large for a paste.
    pub outside: Vec<Outside>,
    /// Calls such as `include_str!($file)` in macros, whose file is not known: what, where, and what to do.
    pub unread: Vec<String>,
}

/// A file that is in the bundle.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Where it is.
    pub path: PathBuf,
    /// The byte each of its lines starts at.
    lines: Vec<usize>,
    /// Its text as [`Inliner::read`] leaves it. What was produced, included or put in comes from no byte of the file.
    text: Mapped,
}

impl Bundle {
    /// The same program, with macro calls that stand where items may stand written out. Nothing if there are none.
    #[must_use]
    pub fn with_calls_written_out(&self) -> Option<Self> {
        let (text, macros) = calls::write_out(&self.text, self.solution_end, &self.newest)?;
        Some(Self { text, macros, ..self.clone() })
    }

    /// The file and the line that byte `place` comes from.
    #[must_use]
    pub fn place(&self, place: usize) -> Option<(&Path, usize)> {
        let (file, byte) = self.text.origin(place)?;
        let file = &self.files[file];
        let (_, byte) = file.text.origin(byte)?;
        Some((&file.path, file.lines.partition_point(|&start| start <= byte)))
    }

    /// The same with other text in some places.
    #[must_use]
    pub fn edited(&self, places: impl IntoIterator<Item = (Range<usize>, String)>) -> Self {
        let mut edits = Edits::default();
        let mut solution_end = self.solution_end;
        for (range, with) in places {
            if range.end <= self.solution_end {
                solution_end = solution_end + with.len() - range.len();
            }
            edits.replace(range, with);
        }
        Self { text: edits.apply_on(&self.text), solution_end, ..self.clone() }
    }

    /// What to change so that the `wanted` places are written in another way.
    #[must_use]
    pub fn edits_for(&self, rewrite: Rewrite, wanted: &dyn Fn(usize) -> bool) -> Vec<(Range<usize>, String)> {
        let text = &self.text.text;
        edits(text, rewrite, self.keeps || temporaries::matter(text), wanted)
    }

    /// Whether byte `place` comes from the definition of a macro. Then each call may have brought the same byte into
    /// the text once more. Never if no calls are written out.
    #[must_use]
    pub fn is_in_macro(&self, place: usize) -> bool {
        let origin = self.text.origin(place);
        origin.is_some_and(|(file, byte)| {
            self.macros.iter().any(|(defined, range)| *defined == file && range.contains(&byte))
        })
    }

    /// Whether byte `place` is not from its file: a procedural macro produced it, or it was included or put in.
    #[must_use]
    pub fn is_produced(&self, place: usize) -> bool {
        let origin = self.text.origin(place);
        origin.is_some_and(|(file, byte)| self.files[file].text.origin(byte).is_none())
    }
}

/// A place that includes a file too large for a paste.
#[derive(Debug, Clone)]
pub struct Outside {
    /// The text that tells whether it is still there.
    pub marker: String,
    /// What it is, where, and the way out.
    pub complaint: String,
}

/// A macro with `#[macro_export]`: known by a name of its own across the file.
#[derive(Debug, Clone)]
pub struct Exported {
    /// Its name in the crate.
    pub name: String,
    /// Its name in the file.
    pub hidden: String,
    /// The modules it is defined in, below the crate's.
    pub path: Vec<String>,
    /// Whether macros it calls are looked up in its own crate.
    pub local_inner: bool,
}

impl Exported {
    /// The import beside the macro in the asking form.
    #[must_use]
    pub fn import_beside(&self) -> String {
        format!("pub(crate) use {};", self.hidden)
    }

    /// The import in the crate's root in the asking form.
    #[must_use]
    pub fn import_at_root(&self) -> String {
        let mut path = self.path.join("::");
        if !path.is_empty() {
            path.push_str("::");
        }
        format!("pub(crate) use self::{path}{} as {};", self.hidden, self.name)
    }
}

/// A source file, read once.
struct Parsed {
    path: PathBuf,
    /// Its number among the files.
    number: usize,
    text: String,
    file: syn::File,
}

struct Inliner<'a> {
    program: &'a Program,
    host: &'a BTreeSet<String>,
    keep: &'a BTreeSet<String>,
    files: HashMap<PathBuf, Rc<Parsed>>,
    origins: Vec<Origin>,
    /// The module each crate becomes; `None` for the solution, procedural macros and what stays outside.
    names: Vec<Option<String>>,
    exported: HashMap<usize, Rc<Vec<Exported>>>,
    /// Crates that some text names, in the order of their appearance.
    used: Vec<usize>,
    /// Uses of procedural macros that could not be written out, or only as a new `macro_rules!`.
    macros_left: Vec<String>,
    /// What [`Inliner::is_only_macro`] has found, by crate and name.
    defined: HashMap<(usize, String), bool>,
    outside: Vec<Outside>,
    unread: Vec<String>,
    /// The largest `#![recursion_limit]` of the crates, if one of them has it.
    recursion_limit: Option<usize>,
    /// Whether a macro of an older crate may have made something in a crate of 2024.
    has_older: Cell<bool>,
    /// The macros that each crate can call.
    makers: RefCell<HashMap<usize, Rc<made::Makers>>>,
    /// The texts of each crate that define macros.
    macro_texts: RefCell<HashMap<usize, Rc<Vec<Rc<str>>>>>,
    /// What macros name of the 2021 prelude, by the macro's name.
    macro_preludes: HashMap<String, BTreeSet<&'static str>>,
}

/// Makes one text of `program`, leaving the crates in `keep` outside.
///
/// # Errors
/// Fails with the crate, the file and the line if something cannot be inlined.
pub fn inline(program: &Program, host: &BTreeSet<String>, keep: &BTreeSet<String>) -> Result<Bundle> {
    let mut inliner = Inliner {
        program,
        host,
        keep,
        files: HashMap::new(),
        origins: Vec::new(),
        names: Vec::new(),
        exported: HashMap::new(),
        used: Vec::new(),
        macros_left: Vec::new(),
        defined: HashMap::new(),
        outside: Vec::new(),
        unread: Vec::new(),
        recursion_limit: None,
        has_older: Cell::new(false),
        makers: RefCell::default(),
        macro_texts: RefCell::default(),
        macro_preludes: HashMap::new(),
    };
    inliner.name_modules()?;
    let mut text = walk::Walk::root(&mut inliner, 0)?;
    text.trim_end();
    text.push_str("\n");
    let solution_end = text.text.len();
    let mut modules = Vec::new();
    let mut exported = Vec::new();
    let mut next = 0;
    while let Some(&index) = inliner.used.get(next) {
        next += 1;
        let Some(name) = inliner.names[index].clone() else {
            continue;
        };
        let mut body = walk::Walk::root(&mut inliner, index)?;
        body.trim_end();
        text.push_str(&format!("\nmod {name} {{\n"));
        text.push(&body);
        text.push_str("\n}\n");
        exported.extend(inliner.exported(index)?.iter().cloned());
        modules.push((index, name));
    }
    let length = text.text.len();
    let text = with_recursion_limit(text, solution_end, inliner.recursion_limit);
    let solution_end = solution_end + text.text.len() - length;
    let before = text.text.len();
    let named = inliner.with_dependencies();
    let (files, outside, unread) = (inliner.origins, inliner.outside, inliner.unread);
    let macros_left = inliner.macros_left;
    let macros = Vec::new();
    let is_newest = |(index, _): &&(usize, String)| program.crates[*index].edition == Edition::E2024;
    let newest = modules.iter().filter(is_newest).map(|(_, name)| plain(name).to_owned()).collect();
    Ok(Bundle {
        text,
        before,
        files: files.into(),
        solution_end,
        modules,
        named,
        exported,
        macros,
        newest,
        has_older: inliner.has_older.get(),
        keeps: !keep.is_empty(),
        macros_left,
        outside,
        unread,
    })
}

/// What `#![recursion_limit = "…"]` says, and where.
fn recursion_limit(attrs: &[Meta]) -> Option<(usize, std::ops::Range<usize>)> {
    attrs.iter().find_map(|meta| match meta {
        Meta::NameValue(pair) if pair.path.is_ident("recursion_limit") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                Some((text.value().parse().ok()?, text.span().byte_range()))
            }
            _ => None,
        },
        _ => None,
    })
}

/// Gives the whole file the largest recursion limit of its crates. The solution, which ends at `end`, may have a
/// smaller one or none.
fn with_recursion_limit(text: Mapped, end: usize, wanted: Option<usize>) -> Mapped {
    let (Some(wanted), Ok(solution)) = (wanted, syn::parse_file(&text.text[..end])) else { return text };
    let attrs: Vec<Meta> = solution.attrs.iter().map(|attr| attr.meta.clone()).collect();
    let mut edits = Edits::default();
    match recursion_limit(&attrs) {
        Some((own, _)) if own >= wanted => return text,
        Some((_, place)) => edits.replace(place, format!("\"{wanted}\"")),
        None => edits.insert(0, format!("#![recursion_limit = \"{wanted}\"]\n")),
    }
    edits.apply_on(&text)
}

/// Names that later editions made keywords, written so that every edition reads them as names.
fn raw_keywords(text: Mapped, edition: Edition) -> Mapped {
    let fresh: &[&str] = match edition {
        Edition::E2015 => &["async", "await", "try", "gen"],
        Edition::E2018 | Edition::E2021 => &["gen"],
        Edition::E2024 => &[],
    };
    if !fresh.iter().any(|word| text.text.contains(word)) {
        return text;
    }
    let Ok(stream) = text.text.parse() else {
        return text;
    };
    let tokens = Tokens::new(&text.text, stream);
    let mut edits = Edits::default();
    let mut printed_until = 0;
    for (at, token) in tokens.list.iter().enumerate() {
        if tokens.text(at) == "stringify"
            && tokens.is(at + 1, '!')
            && let Some(Kind::Open(_, close)) = tokens.list.get(at + 2).map(|token| token.kind)
        {
            printed_until = close;
        }
        let stays = at < printed_until || at > 0 && (tokens.is(at - 1, '$') || tokens.is(at - 1, '\''));
        if tokens.is_ident(at) && !stays && fresh.contains(&tokens.text(at)) {
            edits.insert(token.range.start, "r#");
        }
    }
    edits.apply_on(&text)
}

/// Below 2021 `Box<Fn()>` may stand for `Box<dyn Fn()>`. Writes the second, which every edition reads, and syn too.
fn with_dyn(text: Mapped, edition: Edition) -> Mapped {
    if edition >= Edition::E2021 || !text.text.contains("Fn") {
        return text;
    }
    let Ok(stream) = text.text.parse() else { return text };
    let tokens = Tokens::new(&text.text, stream);
    let mut edits = Edits::default();
    for at in 1..tokens.list.len() {
        let is_trait =
            matches!(tokens.text(at), "Fn" | "FnMut" | "FnOnce") && opens(&tokens, at + 1, Delimiter::Parenthesis);
        let before = if tokens.text(at - 1) == "mut" { at - 2 } else { at - 1 };
        // A lifetime is two tokens.
        let before = if before > 1 && tokens.is(before - 1, '\'') { before - 2 } else { before };
        if is_trait && (tokens.is(before, '&') || tokens.is(at - 1, '<')) {
            edits.insert(tokens.list[at].range.start, "dyn ");
        }
    }
    edits.apply_on(&text)
}

/// Below 2018 a parameter of a trait's method may have a type and no name. Gives it one that every edition reads.
fn named_parameters(text: Mapped, edition: Edition) -> Mapped {
    if edition != Edition::E2015 || !text.text.contains("trait") {
        return text;
    }
    let Ok(stream) = text.text.parse() else { return text };
    let tokens = Tokens::new(&text.text, stream);
    let mut edits = Edits::default();
    let mut trait_end = 0;
    for at in 0..tokens.list.len() {
        match tokens.text(at) {
            "trait" => {
                let body =
                    (at..tokens.list.len()).find(|&at| tokens.is(at, ';') || opens(&tokens, at, Delimiter::Brace));
                trait_end = body.and_then(|body| tokens.group(body, Delimiter::Brace)).unwrap_or(trait_end);
            }
            "fn" if at < trait_end && tokens.is_ident(at + 1) => {
                let Some(parameters) = parameters(&tokens, at + 2) else { continue };
                for parameter in parameters {
                    if is_nameless(&tokens, parameter.clone()) {
                        edits.insert(tokens.list[parameter.start].range.start, "_: ");
                    }
                }
            }
            _ => {}
        }
    }
    edits.apply_on(&text)
}

fn opens(tokens: &Tokens<'_>, at: usize, delimiter: Delimiter) -> bool {
    tokens.group(at, delimiter).is_some()
}

/// How much deeper in angle brackets the token after `at` is.
fn angle(tokens: &Tokens<'_>, at: usize) -> isize {
    match tokens.text(at) {
        "<" => 1,
        ">" if at > 0 && !tokens.is(at - 1, '-') => -1,
        _ => 0,
    }
}

/// The tokens of each parameter of a function, whose generics or parameters start at token `at`.
fn parameters(tokens: &Tokens<'_>, mut at: usize) -> Option<Vec<Range<usize>>> {
    let mut depth = 0;
    let close = loop {
        let close = tokens.group(at, Delimiter::Parenthesis);
        if let (0, Some(close)) = (depth, close) {
            break close;
        }
        depth += angle(tokens, at);
        at = close.map_or(at + 1, |close| close + 1);
        if at >= tokens.list.len() {
            return None;
        }
    };
    let mut found = Vec::new();
    let mut start = at + 1;
    let mut next = start;
    while next <= close {
        if next == close || depth == 0 && tokens.is(next, ',') {
            if next > start {
                found.push(start..next);
            }
            start = next + 1;
        }
        depth += angle(tokens, next);
        next = match tokens.list[next].kind {
            Kind::Open(_, close) => close + 1,
            _ => next + 1,
        };
    }
    Some(found)
}

/// Whether a parameter is only a type.
fn is_nameless(tokens: &Tokens<'_>, parameter: Range<usize>) -> bool {
    let mut depth = 0;
    let mut at = parameter.start;
    while at < parameter.end {
        let colons = tokens.is_colons(at);
        if depth == 0 && tokens.is(at, ':') && !colons {
            return false;
        }
        depth += angle(tokens, at);
        at = match tokens.list[at].kind {
            Kind::Open(_, close) => close + 1,
            _ if colons => at + 2,
            _ => at + 1,
        };
    }
    let last = tokens.text(parameter.end - 1);
    let macro_made = tokens.is(parameter.start, '$');
    last != "self" && !macro_made
}

/// The effective attributes after `cfg` and `cfg_attr` are decided.
struct Attributes {
    /// Whether the thing they stand on is there at all.
    present: bool,
    /// The plain attributes, and those that `cfg_attr` leaves.
    metas: Vec<Meta>,
}

fn attributes(settings: &Settings, attrs: &[Attribute]) -> Attributes {
    let mut result = Attributes { present: true, metas: Vec::new() };
    let mut queue: Vec<Meta> = attrs.iter().rev().map(|attr| attr.meta.clone()).collect();
    while let Some(meta) = queue.pop() {
        match &meta {
            Meta::List(list) if list.path.is_ident("cfg") => {
                if settings.decide(list.tokens.clone()) == Some(false) {
                    result.present = false;
                }
            }
            Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let mut parts = cfg::split(list.tokens.clone()).into_iter();
                let predicate = parts.next().unwrap_or_default();
                if settings.decide(predicate) == Some(true) {
                    let inner: Vec<Meta> = parts.filter_map(|part| syn::parse2(part).ok()).collect();
                    queue.extend(inner.into_iter().rev());
                }
            }
            _ => result.metas.push(meta),
        }
    }
    result
}

/// Adds the names that a `use` gives to `macros`.
fn imported_macros(tree: &UseTree, macros: &HashSet<String>, names: &mut HashSet<String>) {
    let mut import = |from: &syn::Ident, to: &syn::Ident| {
        if macros.contains(plain(&from.to_string())) {
            names.insert(plain(&to.to_string()).to_owned());
        }
    };
    match tree {
        UseTree::Path(path) => imported_macros(&path.tree, macros, names),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported_macros(tree, macros, names)),
        UseTree::Name(leaf) => import(&leaf.ident, &leaf.ident),
        UseTree::Rename(leaf) => import(&leaf.ident, &leaf.rename),
        UseTree::Glob(_) => {}
    }
}

impl Inliner<'_> {
    fn settings(&self, index: usize) -> Settings {
        let krate = &self.program.crates[index];
        let mut set = self.host.clone();
        set.extend(krate.cfgs.iter().cloned());
        Settings { set, keep_machine: index == 0 }
    }

    fn read(&mut self, index: usize, path: &Path) -> Result<Rc<Parsed>> {
        if let Some(known) = self.files.get(path) {
            return Ok(Rc::clone(known));
        }
        let krate = &self.program.crates[index];
        let bytes =
            fs::read(path).with_context(|| format!("crate {}: cannot read {}", krate.about.name, path.display()))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| anyhow!("crate {}: {} is not UTF-8", krate.about.name, path.display()))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
        let text = match text.strip_prefix("#!") {
            Some(rest) if !rest.trim_start().starts_with('[') => {
                rest.split_once('\n').map_or(String::new(), |(_, rest)| format!("\n{rest}"))
            }
            _ => text,
        };
        let lines = crate::nodes::line_starts(&text);
        let number = self.origins.len();
        let (text, left) = self.write_out(index, path, &text);
        let settings = self.settings(index);
        let take_in = |text: Mapped| {
            included::take_in(text, path, &krate.variables, &settings)
                .with_context(|| format!("crate {}", krate.about.name))
        };
        // A macro may be in an included file, and may include one itself.
        let text = take_in(self.made_modules(index, made::decide(take_in(text)?, &settings)))?;
        let text = with_dyn(raw_keywords(text, krate.edition), krate.edition);
        let text = named_parameters(text, krate.edition);
        let file = syn::parse_file(&text.text).map_err(|error| {
            let line = error.span().start().line;
            anyhow!("crate {}: {}:{line} cannot be read: {error}", krate.about.name, path.display())
        })?;
        self.macros_left.extend(left);
        if krate.edition >= Edition::E2021 {
            for (name, needed) in paths::macro_preludes(&text.text) {
                self.macro_preludes.entry(name).or_default().extend(needed);
            }
        }
        let parsed = Rc::new(Parsed { path: path.to_owned(), number, text: text.text.clone(), file });
        // Cargo's build knows a file by its real place.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.origins.push(Origin { path: real, lines, text });
        self.files.insert(path.to_owned(), Rc::clone(&parsed));
        Ok(parsed)
    }

    /// The texts of a crate that define macros.
    fn macro_texts(&self, index: usize) -> Rc<Vec<Rc<str>>> {
        if let Some(known) = self.macro_texts.borrow().get(&index) {
            return Rc::clone(known);
        }
        let texts = self.program.crates[index].sources().filter_map(|file| fs::read_to_string(file).ok());
        let found: Rc<Vec<Rc<str>>> =
            Rc::new(texts.filter(|text| text.contains("macro_rules!")).map(Rc::from).collect());
        self.macro_texts.borrow_mut().insert(index, Rc::clone(&found));
        found
    }

    /// Writes out the macro calls of a file that make modules.
    fn made_modules(&self, index: usize, text: Mapped) -> Mapped {
        let krate = &self.program.crates[index];
        let known = self.makers.borrow().get(&index).cloned();
        let makers = known.unwrap_or_else(|| {
            let own = self.macro_texts(index);
            let mut files: Vec<_> = own.iter().map(|text| (Rc::clone(text), "crate".to_owned())).collect();
            for (name, &dependency) in &krate.dependencies {
                let below = self.macro_texts(dependency);
                files.extend(below.iter().map(|text| (Rc::clone(text), format!("::{name}"))));
            }
            let makers = Rc::new(made::Makers::new(files));
            self.makers.borrow_mut().insert(index, Rc::clone(&makers));
            makers
        });
        let before = text.text.len();
        let made = made::write_out(text, &makers);
        let is_older = |index: &usize| self.program.crates[*index].edition < Edition::E2024;
        if made.text.len() != before && krate.edition == Edition::E2024 && krate.dependencies.values().any(is_older) {
            self.has_older.set(true);
        }
        made
    }

    /// The text of a file with what procedural macros produced, and what could not be written out.
    fn write_out(&self, index: usize, path: &Path, text: &str) -> (Mapped, Vec<String>) {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let all: Vec<&Expansion> = self.program.expansions.iter().filter(|expansion| expansion.file == real).collect();
        if all.is_empty() {
            return (Mapped::of_file(text, 0), Vec::new());
        }
        let krate = &self.program.crates[index];
        let expanded::Written { text, left } = expanded::write_out(text, &all, index == 0);
        let file = path.strip_prefix(&krate.dir).unwrap_or(path).display();
        let complain = |(macro_use, reason): (&Expansion, &str)| {
            format!(
                "crate {}: {file}:{} uses the procedural macro `{}`, {reason}; write by hand what it makes, or --keep \
                 the crate if the judge has it",
                krate.about,
                macro_use.line,
                macro_use.shown()
            )
        };
        (text, left.into_iter().map(complain).collect())
    }

    /// Gives every crate a module's name that nothing else in the solution's root has.
    fn name_modules(&mut self) -> Result<()> {
        let solution = &self.program.crates[0];
        let parsed = self.read(0, &solution.root)?;
        let settings = self.settings(0);
        let mut taken = walk::local_names(&settings, &parsed.file.items, true);
        for name in solution.dependencies.keys() {
            // `use proconio;` at the root is not a clash; the walk takes it out.
            if walk::imports_crate(&parsed.file.items, name) {
                taken.remove(name);
            }
        }
        taken.extend(["std", "core", "alloc", "crate", "self", "super"].map(str::to_owned));
        self.names = vec![None; self.program.crates.len()];
        let direct: BTreeMap<usize, &String> =
            solution.dependencies.iter().map(|(name, &index)| (index, name)).collect();
        let mut order: Vec<usize> = (1..self.program.crates.len()).collect();
        order.sort_by_key(|index| (!direct.contains_key(index), *index));
        for index in order {
            let krate = &self.program.crates[index];
            if krate.proc_macro || self.is_kept(index) {
                continue;
            }
            let wanted = direct.get(&index).map_or(&krate.name, |name| *name);
            let version = krate.about.version.replace(['.', '-', '+'], "_");
            let mut candidates = [wanted.clone(), format!("{wanted}_crate"), format!("{wanted}_{version}")]
                .into_iter()
                .chain((2..).map(|count| format!("{wanted}_{count}")));
            let name = candidates.find(|name| !taken.contains(name));
            let name = name.unwrap_or_else(|| wanted.clone());
            taken.insert(name.clone());
            self.names[index] = Some(name);
        }
        Ok(())
    }

    /// The crates that some text names, with all dependencies of those that are left outside.
    fn with_dependencies(&self) -> BTreeSet<usize> {
        let mut named: BTreeSet<usize> = std::iter::once(0).chain(self.used.iter().copied()).collect();
        let mut queue: Vec<usize> = self.used.iter().copied().filter(|&index| self.is_kept(index)).collect();
        while let Some(index) = queue.pop() {
            let below = self.program.crates[index].dependencies.values();
            queue.extend(below.copied().filter(|&index| named.insert(index)));
        }
        named
    }

    fn is_kept(&self, index: usize) -> bool {
        self.keep.iter().any(|name| self.program.crates[index].is_called(name))
    }

    /// Notes that the text names crate `index`.
    fn mark_used(&mut self, index: usize) {
        if !self.program.crates[index].proc_macro && !self.used.contains(&index) {
            self.used.push(index);
        }
    }

    /// Whether crate `index` gives `name` to others as a procedural macro and as nothing else.
    fn is_only_macro(&mut self, index: usize, name: &str) -> bool {
        let key = (index, name.to_owned());
        if let Some(&known) = self.defined.get(&key) {
            return known;
        }
        let mut reached = vec![index];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for &dependency in self.program.crates[at].dependencies.values() {
                if !reached.contains(&dependency) {
                    reached.push(dependency);
                }
            }
        }
        let crates = || reached.iter().map(|&index| &self.program.crates[index]);
        let known = crates().any(|krate| krate.proc_macro && krate.macros.contains(name))
            && !crates().any(|krate| krate.sources().any(|file| expanded::defines(&file, name)));
        self.defined.insert(key, known);
        known
    }

    /// The macros crate `index` exports.
    fn exported(&mut self, index: usize) -> Result<Rc<Vec<Exported>>> {
        if let Some(known) = self.exported.get(&index) {
            return Ok(Rc::clone(known));
        }
        let mut found = Vec::new();
        if index != 0 && !self.program.crates[index].proc_macro {
            let root = self.program.crates[index].root.clone();
            let parsed = self.read(index, &root)?;
            let place = Place::root(&root);
            self.scan(index, &parsed.file.items, &place, &mut Vec::new(), &mut found)?;
        }
        let found = Rc::new(found);
        self.exported.insert(index, Rc::clone(&found));
        Ok(found)
    }

    /// The macros that `#[macro_use] extern crate` gives to others from crate `index`: its own, and those that its root
    /// imports from other crates.
    fn handed_on(&mut self, index: usize, seen: &mut BTreeSet<usize>) -> Result<HashSet<String>> {
        let mut names: HashSet<String> = self.exported(index)?.iter().map(|item| item.name.clone()).collect();
        if !seen.insert(index) || self.program.crates[index].proc_macro {
            return Ok(names);
        }
        let mut macros = names.clone();
        self.add_exported_below(index, &mut BTreeSet::new(), &mut macros)?;
        let settings = self.settings(index);
        let parsed = self.read(index, &self.program.crates[index].root.clone())?;
        for item in &parsed.file.items {
            let Item::Use(item) = item else { continue };
            if !matches!(item.vis, syn::Visibility::Public(_)) || !attributes(&settings, &item.attrs).present {
                continue;
            }
            imported_macros(&item.tree, &macros, &mut names);
            if let UseTree::Path(path) = &item.tree
                && let UseTree::Glob(_) = *path.tree
                && let Some(&below) = self.program.crates[index].dependencies.get(&path.ident.to_string())
            {
                names.extend(self.handed_on(below, seen)?);
            }
        }
        Ok(names)
    }

    /// Adds the names of the macros that all crates below crate `index` export.
    fn add_exported_below(
        &mut self,
        index: usize,
        seen: &mut BTreeSet<usize>,
        names: &mut HashSet<String>,
    ) -> Result<()> {
        let below: Vec<usize> = self.program.crates[index].dependencies.values().copied().collect();
        for index in below {
            if seen.insert(index) {
                names.extend(self.exported(index)?.iter().map(|item| item.name.clone()));
                self.add_exported_below(index, seen, names)?;
            }
        }
        Ok(())
    }

    fn scan(
        &mut self,
        index: usize,
        items: &[Item],
        place: &Place,
        path: &mut Vec<String>,
        found: &mut Vec<Exported>,
    ) -> Result<()> {
        let settings = self.settings(index);
        for item in items {
            match item {
                Item::Macro(item) => {
                    let Some(ident) = &item.ident else { continue };
                    let attrs = attributes(&settings, &item.attrs);
                    let export = attrs.metas.iter().find(|meta| meta.path().is_ident("macro_export"));
                    if let (true, Some(export)) = (attrs.present, export) {
                        let module = self.names[index].clone().unwrap_or_default();
                        let name = ident.to_string();
                        // There are two of one name if their conditions could not be decided. Then the last one counts.
                        found.retain(|known: &Exported| known.name != name);
                        found.push(Exported {
                            // Not with an underscore in front: the compiler never calls such a macro's arms unused.
                            hidden: format!("{module}_{}", crate::text::plain(&name)),
                            name,
                            path: path.clone(),
                            local_inner: matches!(export, Meta::List(_)),
                        });
                    }
                }
                Item::Mod(item) => {
                    let attrs = attributes(&settings, &item.attrs);
                    if !attrs.present {
                        continue;
                    }
                    path.push(item.ident.to_string());
                    if let Some((_, items)) = &item.content {
                        self.scan(index, items, &place.inside(item, &attrs), path, found)?;
                    } else {
                        let (file, place) = self.child(index, item, &attrs, place)?;
                        let parsed = self.read(index, &file)?;
                        self.scan(index, &parsed.file.items, &place, path, found)?;
                    }
                    path.pop();
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The file of `mod name;` and where its own modules are looked for.
    fn child(&self, index: usize, item: &ItemMod, attrs: &Attributes, place: &Place) -> Result<(PathBuf, Place)> {
        if let Some(path) = path_attribute(attrs) {
            let file = place.explicit.join(path);
            let dir = file.parent().map(Path::to_owned).unwrap_or_default();
            return Ok((file.clone(), Place { implicit: dir.clone(), explicit: dir, file }));
        }
        let ident = item.ident.to_string();
        let name = crate::text::plain(&ident);
        let dir = place.implicit.join(name);
        let flat = place.implicit.join(format!("{name}.rs"));
        let nested = dir.join("mod.rs");
        let file = if flat.is_file() { flat } else { nested };
        if !file.is_file() {
            let krate = &self.program.crates[index];
            bail!(
                "crate {}: {}:{} declares `mod {name};`, but there is no file for it",
                krate.about.name,
                place.file.display(),
                item.span().start().line
            );
        }
        let explicit = file.parent().map(Path::to_owned).unwrap_or_default();
        Ok((file.clone(), Place { implicit: dir, explicit, file }))
    }

    fn krate(&self, index: usize) -> &Crate {
        &self.program.crates[index]
    }

    fn edition(&self, index: usize) -> Edition {
        self.program.crates[index].edition
    }
}

fn path_attribute(attrs: &Attributes) -> Option<String> {
    attrs.metas.iter().find_map(|meta| match meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// Where a file's modules are looked for.
#[derive(Debug, Clone)]
struct Place {
    file: PathBuf,
    /// For `mod name;`.
    implicit: PathBuf,
    /// For `#[path = "…"] mod name;`.
    explicit: PathBuf,
}

impl Place {
    fn root(file: &Path) -> Self {
        let dir = file.parent().map(Path::to_owned).unwrap_or_default();
        Self { file: file.to_owned(), implicit: dir.clone(), explicit: dir }
    }

    /// Within an inline module.
    fn inside(&self, item: &ItemMod, attrs: &Attributes) -> Self {
        let ident = item.ident.to_string();
        let dir = match path_attribute(attrs) {
            Some(path) => self.explicit.join(path),
            None => self.implicit.join(crate::text::plain(&ident)),
        };
        Self { file: self.file.clone(), implicit: dir.clone(), explicit: dir }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_without_a_name_gets_one() {
        let text = "trait T: Fn(u8) { fn f<F: Fn(u8)>(&'a mut self, u8, &[T], Map<A, B>, x: ::a::B, ::a::C) -> Fn(u8); fn g(self); } fn h(u: u8) {}";
        let named = named_parameters(Mapped::from(text), Edition::E2015).text;
        assert_eq!(
            named,
            "trait T: Fn(u8) { fn f<F: Fn(u8)>(&'a mut self, _: u8, _: &[T], _: Map<A, B>, x: ::a::B, _: ::a::C) -> Fn(u8); fn g(self); } fn h(u: u8) {}"
        );
    }

    #[test]
    fn a_trait_in_the_place_of_a_type_gets_its_dyn() {
        let text =
            "fn f<F: Fn(u8)>(a: Box<Fn(u8) -> u8 + Send>, b: &Fn(), c: &'a mut FnMut(), d: &dyn Fn()) where F: Fn() {}";
        let wanted = "fn f<F: Fn(u8)>(a: Box<dyn Fn(u8) -> u8 + Send>, b: &dyn Fn(), c: &'a mut dyn FnMut(), d: &dyn Fn()) where F: Fn() {}";
        assert_eq!(with_dyn(Mapped::from(text), Edition::E2018).text, wanted);
        assert_eq!(with_dyn(Mapped::from(text), Edition::E2021).text, text);
    }
}
