//! Last stage: proof that the paste is the program that cargo built, and what holds in other editions.
//!
//! Both programs are walked side by side from their roots. Two functions are the same if their bodies are the same,
//! word by word, and if whatever they name is the same in turn: other functions, constants, statics, vtables. Names are
//! compared only for what one of the programs does not define itself, such as the standard library. [`llvm`] lists what
//! a body does not contain. Beyond that, four things may differ:
//! - the place of a panic, if the program never asks for places: the paste has other lines;
//! - the place that `dbg!` prints on stderr, if nothing else in the program asks for the name of its file ([`debug`]);
//! - the identity of a type, a number made from the crate's name: only in functions of the standard library that are
//!   about a type of the program. The same two must always stand for each other, and the program may only ask whether
//!   identities are equal;
//! - the name of a type in the message of a panic or of a failed assertion, if the program does nothing else with
//!   it and reads no messages.

pub mod address;
pub mod captures;
pub mod debug;
mod effect;
pub mod llvm;
mod message;
pub mod temporaries;
#[cfg(test)]
mod tests;
pub mod wording;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

use address::Addresses;
pub use effect::Effect;
use llvm::{Code, Kind, Symbol, Token, parts_of_impl, readable};
use wording::Wording;

use crate::rustc::Edition;

/// Something that is not the same in both programs, or that cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The function's name, or in words what cannot be compared.
    pub function: String,
    /// Where it stands in the source that cargo built.
    pub place: Option<(PathBuf, usize)>,
    /// What it names only in cargo's build.
    pub missing: Vec<String>,
    /// What it names only in the paste.
    pub extra: Vec<String>,
    /// Why it is of no use to put more into the paste, if that is so.
    pub reason: Option<&'static str>,
}

/// What came of comparing two programs.
#[derive(Debug, Default)]
pub struct Comparison {
    /// How many functions were compared.
    pub functions: usize,
    /// Those that are not the same.
    pub differences: BTreeSet<Difference>,
    /// Effects of the edition that were found and are harmless.
    pub effects: BTreeSet<Effect>,
}

/// A paste as one edition compiles it.
#[derive(Clone, Copy)]
pub struct Compiled<'c, 't> {
    /// Its code.
    pub code: &'c Code<'t>,
    /// The code where closures capture whole variables, if it was made.
    pub whole: Option<&'c Code<'t>>,
    /// The edition.
    pub edition: Edition,
    /// Whether the compiler, asked below 2021, found no closure for which captures matter, and no closure makes raw
    /// pointers.
    pub captures_harmless: bool,
    /// Whether its source declares a foreign function in two ways. The code of one crate has only one declaration of
    /// each.
    pub clashes: bool,
    /// What its text asks for.
    pub wording: Wording,
    /// What the program does with addresses of functions and vtables.
    pub addresses: &'c Addresses,
    /// What the compiler read beside the text: a file or a variable, if there was one.
    pub read_besides: Option<&'c str>,
    /// The first function in which a temporary value may end too early.
    pub ends_early: Option<&'c str>,
}

/// Compares `reference`, mostly cargo's build, with a paste. `paste` is the paste in the edition in question, `others`
/// is the paste in further editions. When `reference` is cargo's build, these are the other editions that the crates of
/// that build are written in. A function may differ in `paste` if it has the reference's body in one of the `others`,
/// and if what differs between these two bodies is harmless. `all` is the paste in every edition in which it was
/// compiled.
#[must_use]
pub fn compare<'p>(
    reference: &Code<'_>,
    paste: Compiled<'_, 'p>,
    others: &[Compiled<'_, 'p>],
    all: &[Compiled<'_, 'p>],
) -> Comparison {
    let mut editions = vec![paste];
    editions.extend_from_slice(others);
    let names: Vec<String> = all_names(reference).into_iter().map(readable).collect();
    let mut walk = Walk {
        reference,
        editions: &editions,
        all,
        places_matter: paste.wording.places
            || calls_caller(reference)
            || names.iter().any(|name| observes_places(name)),
        names_matter: paste.wording.ids || message::are_read(&names) || !message::has_only_names_in_panics(reference),
        ids_matter: names.iter().any(|name| observes_ids(name)),
        ids: HashMap::new(),
        back: HashMap::new(),
        statics: HashMap::new(),
        statics_back: HashMap::new(),
        seen: HashSet::new(),
        queue: Vec::new(),
        result: Comparison::default(),
    };
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    // The program forces a backtrace. Or it prints one and may set `RUST_BACKTRACE`, for itself or for a program that
    // it starts.
    let sets_variable = ["std::env::set_var", "setenv", "putenv", "std::process::Command"].into_iter().any(has);
    if sets_variable && has("std::backtrace::Backtrace as core::fmt")
        || has("std::backtrace::Backtrace>::force_capture")
        || names.iter().any(|name| lists_calls(name))
    {
        walk.never_the_same("a backtrace", "it names every function that was called");
    }
    if let Some(read) = paste.read_besides {
        walk.never_the_same(read, "it is read while the paste is compiled, and a judge does not have it");
    }
    if let Some(function) = paste.ends_early {
        walk.never_the_same(&format!("`{function}`"), temporaries::EARLY);
    }
    if let Some(name) = reference.named_like_c() {
        walk.never_the_same(
            &format!("`{name}`"),
            "C may have a function of this name, and the compiler assumes that it does what C's does",
        );
    }
    if paste.clashes {
        walk.never_the_same("a foreign function", "two crates declare it in different ways");
    }
    if paste.addresses.matter(&names) {
        walk.never_the_same(
            "an address of a function or vtable",
            "Rust leaves open whether two functions or vtables have the same address",
        );
    }
    walk.start();
    while let Some(pair) = walk.queue.pop() {
        walk.visit(&pair);
    }
    walk.result
}

/// Whether this is a function of the standard library that is about a type of the program. Only there may the identity
/// of a type be another number. Identities of all other types are the same in every program. In the program's own
/// functions, the code does not show which type an identity belongs to.
fn is_about_own_type(name: &str) -> bool {
    const STD: [&str; 3] = ["core::", "alloc::", "std::"];
    // Only the standard library implements these two methods.
    const OF_STD: [&str; 2] = ["core::any::Any>::type_id", "core::error::Error>::type_id"];
    let is_of_std = match parts_of_impl(name) {
        Some((_, method)) => OF_STD.contains(&method),
        None => STD.iter().any(|root| name.trim_start_matches(['<', '&']).trim_start_matches("dyn ").starts_with(root)),
    };
    let mut roots = name.match_indices("::").filter_map(|(end, _)| {
        let before = &name[..end];
        let start = before.rfind(|letter: char| !(letter.is_alphanumeric() || letter == '_')).map_or(0, |at| at + 1);
        (!before[..start].ends_with("::") && start < end).then(|| &name[start..end + 2])
    });
    is_of_std && roots.any(|root| !STD.contains(&root))
}

/// Whether this is a function of C that lists the functions that were called, or knows them by their addresses.
fn lists_calls(name: &str) -> bool {
    name.starts_with("_Unwind_") || matches!(name, "backtrace" | "dladdr" | "dl_iterate_phdr")
}

/// All names that a program defines or uses.
fn all_names<'t>(code: &Code<'t>) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    for symbol in code.reached() {
        names.insert(symbol.name);
        names.extend(code.tokens(symbol).iter().filter_map(Token::symbol));
    }
    names
}

/// Whether a function tells the program more about the identities of types than whether two are equal.
fn observes_ids(name: &str) -> bool {
    let id = "core::any::TypeId as core::";
    ["cmp::Ord", "cmp::PartialOrd", "hash::Hash", "fmt::"].iter().any(|of| name.contains(&format!("{id}{of}")))
}

/// Whether a function tells the program about lines of its own source.
fn observes_places(name: &str) -> bool {
    // Before 1.81, what a hook gets was called `PanicInfo`.
    let of_hook =
        |kind: &str| [" as core::fmt", ">::location"].iter().any(|told| name.contains(&format!("{kind}{told}")));
    name.contains("core::panic::location::Location") && !name.contains("Location>::caller")
        || of_hook("PanicHookInfo")
        || of_hook("PanicInfo")
}

/// Whether the program itself, and not only the standard library, asks where it was called.
fn calls_caller<'t>(code: &Code<'t>) -> bool {
    let asks = |token: &Token<'_>| matches!(token, Token::Symbol(name) if name.contains("8Location6caller"));
    let own = |symbol: Symbol<'t>| {
        let place = if code.kind(symbol) == Kind::Function { code.place(symbol) } else { None };
        !place.is_some_and(|(file, _)| file.starts_with("/rustc/"))
    };
    code.reached().into_iter().any(|symbol| code.tokens(symbol).iter().any(asks) && own(symbol))
}

/// Two symbols that are still to be compared: `ours` is in cargo's build, `theirs` is in the paste.
struct Pair<'r, 'p> {
    ours: Symbol<'r>,
    theirs: Symbol<'p>,
    /// The edition in which they were found.
    edition: usize,
    /// The function that needs them.
    user: Symbol<'r>,
}

struct Walk<'c, 'r, 'p> {
    reference: &'c Code<'r>,
    editions: &'c [Compiled<'c, 'p>],
    all: &'c [Compiled<'c, 'p>],
    places_matter: bool,
    names_matter: bool,
    ids_matter: bool,
    /// Which identity of a type stands for which, there and back.
    ids: HashMap<(&'r str, &'r str), (&'p str, &'p str)>,
    back: HashMap<(&'p str, &'p str), (&'r str, &'r str)>,
    /// Which static stands for which, there and back: two statics that can change must not become one.
    statics: HashMap<Symbol<'r>, Symbol<'p>>,
    statics_back: HashMap<Symbol<'p>, Symbol<'r>>,
    /// What was compared, and in which edition: a constant without a name of its own is another one in every edition.
    seen: HashSet<(Symbol<'r>, Symbol<'p>, usize)>,
    queue: Vec<Pair<'r, 'p>>,
    result: Comparison,
}

/// Two bodies are the same only if the two symbols of each of these pairs are the same.
type Pairs<'r, 'p> = Vec<(Symbol<'r>, Symbol<'p>)>;

impl Comparison {
    /// Why it is of no use to put more into the paste, if that is so.
    #[must_use]
    pub fn hopeless(&self) -> Option<&'static str> {
        self.differences.iter().find_map(|difference| difference.reason)
    }
}

impl<'r, 'p> Walk<'_, 'r, 'p> {
    fn start(&mut self) {
        let (called, used) = self.reference.roots();
        let (their_called, their_used) = self.editions[0].code.roots();
        let all: BTreeSet<&str> = called.keys().chain(their_called.keys()).copied().collect();
        for name in all {
            match (called.get(name), their_called.get(name)) {
                (Some(&ours), Some(&theirs)) => self.queue.push(Pair { ours, theirs, edition: 0, user: ours }),
                _ => self.only_one(name, called.contains_key(name)),
            }
        }
        for unseen in self.reference.unseen().chain(self.editions[0].code.unseen()) {
            self.never_the_same(unseen, "it is in no function, so it cannot be compared");
        }
        let placed: BTreeSet<Symbol<'r>> = self.reference.placed().filter(|symbol| !used.contains(symbol)).collect();
        for symbol in placed {
            let reason = match self.reference.kind(symbol) {
                Kind::Data => "it is in a section of its own without `#[used]`, so it may be taken out",
                Kind::Function => "it is in a section of its own, and other code may look for it there",
            };
            self.never_the_same(&format!("`{}`", readable(symbol.name)), reason);
        }
        let sections: Vec<_> = used.iter().filter_map(|&symbol| self.reference.section(symbol)).collect();
        // The linker puts `.init_array`, `.init_array.65536` and `.init_array.late` together.
        let start = |section: &'r str| section.trim_start_matches('.').split('.').next();
        if let Some(section) =
            sections.iter().find(|section| sections.iter().filter(|other| start(other) == start(section)).count() > 1)
        {
            self.never_the_same(&format!("the order in the section {section}"), "the linker decides it");
        }
        if used.len() == their_used.len() {
            let pairs = used.into_iter().zip(their_used);
            self.queue.extend(pairs.map(|(ours, theirs)| Pair { ours, theirs, edition: 0, user: ours }));
        } else {
            self.only_one("what #[used] keeps", used.len() > their_used.len());
        }
    }

    fn only_one(&mut self, name: &str, ours: bool) {
        let name = readable(name);
        let (missing, extra) = if ours { (vec![name.clone()], vec![]) } else { (vec![], vec![name.clone()]) };
        self.result.differences.insert(Difference { function: name, place: None, missing, extra, reason: None });
    }

    fn never_the_same(&mut self, what: &str, reason: &'static str) {
        let (missing, extra) = (Vec::new(), Vec::new());
        let what = what.to_owned();
        self.result.differences.insert(Difference {
            function: what,
            place: None,
            missing,
            extra,
            reason: Some(reason),
        });
    }

    fn visit(&mut self, pair: &Pair<'r, 'p>) {
        let Pair { ours, theirs, edition, .. } = *pair;
        if self.reference.kind(ours) == Kind::Data {
            // What has a name is compared as it is in the edition in question.
            let named = self.reference.is_named(ours);
            let edition = if named && self.editions[0].code.has(theirs) { 0 } else { edition };
            if !self.seen.insert((ours, theirs, edition)) {
                return;
            }
            // What is not mangled goes by its name in the whole program.
            let may_stand = ours.name.starts_with("_R") || ours.name == theirs.name;
            let alone = !named
                || may_stand
                    && *self.statics.entry(ours).or_insert(theirs) == theirs
                    && *self.statics_back.entry(theirs).or_insert(ours) == ours;
            let code = self.editions[edition].code;
            let aligned = code.alignment(theirs) >= self.reference.alignment(ours);
            match self.same(ours, theirs, code).filter(|_| alone && aligned) {
                Some(pairs) => self.go_on(pairs, edition, pair.user),
                None => self.differs(&Pair { edition, ..*pair }),
            }
            return;
        }
        if !self.seen.insert((ours, theirs, 0)) {
            return;
        }
        self.result.functions += 1;
        if !self.names_matter && message::gives_name(ours.name) && message::gives_name(theirs.name) {
            return;
        }
        for edition in 0..self.editions.len() {
            let code = self.editions[edition].code;
            if !code.has(theirs) {
                continue;
            }
            let pairs = self.same(ours, theirs, code).or_else(|| self.same_but_for_panics(ours, theirs, code));
            let Some(pairs) = pairs else { continue };
            // If the edition in question does not have this function, nothing there calls it, since its callers were
            // compared, too. Then no effect is needed.
            if edition > 0 && self.editions[0].code.has(theirs) {
                match effect::between(self.editions[0], self.editions[edition], self.all, theirs) {
                    Some(effect) => self.result.effects.insert(effect),
                    None => break,
                };
            }
            return self.go_on(pairs, edition, ours);
        }
        self.differs(pair);
    }

    fn go_on(&mut self, pairs: Pairs<'r, 'p>, edition: usize, user: Symbol<'r>) {
        self.queue.extend(pairs.into_iter().map(|(ours, theirs)| Pair { ours, theirs, edition, user }));
    }

    /// Whether two bodies are the same, word by word; gives the pairs of symbols that also have to be the same.
    fn same(&mut self, ours: Symbol<'r>, theirs: Symbol<'p>, code: &Code<'p>) -> Option<Pairs<'r, 'p>> {
        self.same_words(ours, theirs, code, &self.reference.tokens(ours), &code.tokens(theirs))
    }

    /// The same, where a panic with a fixed message may be entered in any of the ways that editions have for it.
    fn same_but_for_panics(&mut self, ours: Symbol<'r>, theirs: Symbol<'p>, code: &Code<'p>) -> Option<Pairs<'r, 'p>> {
        let one = effect::plain_panics(self.reference, ours);
        let pairs = self.same_words(ours, theirs, code, &one, &effect::plain_panics(code, theirs))?;
        self.result.effects.insert(Effect::PanicEntry);
        Some(pairs)
    }

    fn same_words(
        &mut self,
        ours: Symbol<'r>,
        theirs: Symbol<'p>,
        code: &Code<'p>,
        one: &[Token<'r>],
        other: &[Token<'p>],
    ) -> Option<Pairs<'r, 'p>> {
        if one.len() != other.len() {
            return None;
        }
        let mut pairs = Vec::new();
        for pair in one.iter().zip(other) {
            let (Token::Symbol(one), Token::Symbol(other)) = pair else {
                if pair.0 == pair.1 {
                    continue;
                }
                return None;
            };
            match (self.reference.resolve(ours, one), code.resolve(theirs, other)) {
                (Some(one), Some(other)) if self.reference.kind(one) == code.kind(other) => {
                    if !self.stands_for(ours, one, other, code)? {
                        pairs.push((one, other));
                    }
                }
                (None, None) if one == other => {
                    if self.reference.declaration(ours, one) != code.declaration(theirs, other) {
                        return None;
                    }
                }
                // A generic function of the standard library may be taken ready-made from one of its own crates, or be
                // made here. It is the same if only the crate that made it differs.
                (None, _) | (_, None) if instance(one) == instance(other) => {}
                _ => return None,
            }
        }
        Some(pairs)
    }

    /// Whether two constants may differ: places of panics and identities of types. Nothing if they are identities that
    /// do not stand for each other.
    fn stands_for(&mut self, user: Symbol<'r>, ours: Symbol<'r>, theirs: Symbol<'p>, code: &Code<'p>) -> Option<bool> {
        if code.kind(theirs) == Kind::Function {
            return Some(false);
        }
        if let (Some(one), Some(other)) = (self.reference.type_id(ours), code.type_id(theirs)) {
            let there = *self.ids.entry(one).or_insert(other);
            let back = *self.back.entry(other).or_insert(one);
            let may_differ = !self.ids_matter && is_about_own_type(&readable(user.name));
            return (there == other && back == one && (one == other || may_differ)).then_some(true);
        }
        // The paste's file has a name that no file of cargo's build has. So two constants that name the same file are
        // not places, and a difference between them counts.
        let files = (self.reference.file_of_location(ours), code.file_of_location(theirs));
        Some(!self.places_matter && matches!(files, (Some(one), Some(other)) if one != other))
    }

    fn differs(&mut self, pair: &Pair<'r, 'p>) {
        let one = names(self.reference, pair.ours);
        let other = names(self.editions[pair.edition].code, pair.theirs);
        // For a constant without a name, the function that uses it is named.
        let named = match self.reference.kind(pair.ours) {
            Kind::Data if !pair.ours.name.starts_with("_R") => pair.user,
            _ => pair.ours,
        };
        self.result.differences.insert(Difference {
            function: readable(named.name),
            place: self.reference.place(named),
            missing: one.difference(&other).cloned().collect(),
            extra: other.difference(&one).cloned().collect(),
            reason: None,
        });
    }
}

/// A symbol without its last part, the crate that made this copy of a generic function: `Cs<number>_<length><name>`.
fn instance(symbol: &str) -> &str {
    let is_crate = |text: &str| {
        let name = text.strip_prefix("Cs").and_then(|rest| rest.split_once('_')).map(|(_, name)| name)?;
        let digits = name.find(|c: char| !c.is_ascii_digit())?;
        let length: usize = name[..digits].parse().ok()?;
        (name[digits..].trim_start_matches('_').len() == length || name.len() - digits == length).then_some(())
    };
    let starts = symbol.rmatch_indices("Cs").map(|(at, _)| at).filter(|_| symbol.starts_with("_R"));
    let found = starts.take(3).find(|&at| is_crate(&symbol[at..]).is_some());
    found.map_or(symbol, |at| &symbol[..at])
}

/// What a function or a constant names.
fn names<'t>(code: &Code<'t>, symbol: Symbol<'t>) -> BTreeSet<String> {
    let tokens = if code.has(symbol) { code.tokens(symbol) } else { Rc::default() };
    let names = tokens.iter().filter_map(Token::symbol).map(readable);
    names.collect()
}
