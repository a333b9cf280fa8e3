//! Modules and exported macros that a macro call makes: the call is written out, so that they are found like any other.
//!
//! Conditions in the form of `cfg_if!` are decided by the settings of the build. Any other macro is written out by its
//! rules.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use proc_macro2::Delimiter;

use super::cfg::Settings;
use super::rules::Rules;
use crate::text::{Edits, Kind, Mapped, Tokens, plain};

/// How deep such calls may be nested.
const DEEPEST: usize = 8;

/// Puts the chosen branch of `name! { if #[cfg(…)] { … } else { … } }` in place of the call.
pub(super) fn decide(text: Mapped, settings: &Settings) -> Mapped {
    if !text.text.contains("if #[cfg(") {
        return text;
    }
    let Ok(stream) = text.text.parse() else { return text };
    let tokens = Tokens::new(&text.text, stream);
    let mut edits = Edits::default();
    for bang in 1..tokens.list.len() {
        let called = tokens.is(bang, '!') && tokens.is_ident(bang - 1) && tokens.text(bang + 2) == "if";
        let Some(Kind::Open(_, close)) = tokens.list.get(bang + 1).map(|token| token.kind) else { continue };
        let Some(chosen) = called.then(|| branch(&tokens, bang + 2..close, settings)).flatten() else { continue };
        let start = tokens.list[path_start(&tokens, bang - 1)].range.start;
        let last = if tokens.is(close + 1, ';') { close + 1 } else { close };
        let end = tokens.list[last].range.end;
        if chosen.is_empty() {
            edits.remove(start..end);
        } else {
            edits.remove(start..tokens.list[chosen.start].range.end);
            edits.remove(tokens.list[chosen.end].range.start..end);
        }
    }
    edits.apply_on(&text)
}

/// The braces of the branch that is taken, or an empty range if no branch is. Nothing if it cannot be decided.
fn branch(tokens: &Tokens<'_>, inside: Range<usize>, settings: &Settings) -> Option<Range<usize>> {
    let mut at = inside.start;
    while at < inside.end {
        if tokens.text(at) == "else" {
            at += 1;
        }
        let mut taken = true;
        if tokens.text(at) == "if" {
            let close = tokens.group(at + 2, Delimiter::Bracket)?;
            let condition = tokens.group(at + 4, Delimiter::Parenthesis).filter(|_| tokens.text(at + 3) == "cfg")?;
            let predicate = tokens.list[at + 4].range.end..tokens.list[condition].range.start;
            taken = settings.decide(tokens.text[predicate].parse().ok()?)?;
            at = close + 1;
        }
        let close = tokens.group(at, Delimiter::Brace)?;
        if taken {
            return Some(at..close);
        }
        at = close + 1;
    }
    Some(0..0)
}

/// The first token of the path that ends at `at`.
fn path_start(tokens: &Tokens<'_>, mut at: usize) -> usize {
    while at >= 2 && tokens.is_colons(at - 2) {
        at -= 2;
        if at >= 1 && tokens.is_ident(at - 1) {
            at -= 1;
        }
    }
    at
}

/// The macros of a crate and of the crates it uses. A text is split into tokens only if one of its macros may make a
/// module or an exported macro, or if the name that is asked for stands in it.
pub(super) struct Makers {
    /// The texts that define macros, each with what `$crate` means there.
    files: Vec<(Rc<str>, String)>,
    rules: RefCell<HashMap<String, Option<Rc<Maker>>>>,
    /// The macros that have a module or an exported macro in their own rules.
    making: HashSet<String>,
}

struct Maker {
    /// Its rules as they are written, without the delimiters.
    rules: String,
    /// What `$crate` means in it.
    root: String,
    /// Whether a module or an exported macro stands in its own rules.
    makes: bool,
}

impl Maker {
    /// What the macro makes of `call`, if that is items.
    fn make(&self, call: &Mapped) -> Option<Mapped> {
        let tokens = Tokens::new(&self.rules, self.rules.parse().ok()?);
        let rules = Rules::read(&tokens, 0..tokens.list.len())?;
        let made = rules.make(&Mapped::from(self.rules.as_str()), &tokens, call, &self.root)?;
        syn::parse_file(&made.text).is_ok().then_some(made)
    }
}

impl Makers {
    /// Takes the texts of crates, each with what `$crate` means there, and finds which macros make modules or exported
    /// macros.
    pub(super) fn new(files: Vec<(Rc<str>, String)>) -> Self {
        let mut makers = Self { files, rules: RefCell::default(), making: HashSet::new() };
        for (text, root) in makers.files.iter().filter(|(text, _)| may_declare(text)) {
            for (name, maker) in defined(text, root) {
                if maker.makes {
                    makers.making.insert(name);
                }
            }
        }
        makers
    }

    /// The macro called `name`.
    fn get(&self, name: &str) -> Option<Rc<Maker>> {
        if let Some(known) = self.rules.borrow().get(name) {
            return known.clone();
        }
        let files = self.files.iter().filter(|(text, _)| text.contains(name));
        let found = files.flat_map(|(text, root)| defined(text, root)).find(|(defined, _)| defined == name);
        let found = found.map(|(_, maker)| Rc::new(maker));
        self.rules.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }
}

/// Whether `mod name;` or an exported macro may stand in a macro of a text.
fn may_declare(text: &str) -> bool {
    text.contains("macro_export") && text.matches("macro_rules!").nth(1).is_some()
        || text.match_indices("mod ").any(|(at, word)| {
            let rest = text[at + word.len()..].trim_start_matches(['$', ' ']);
            rest.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_')
                .trim_start()
                .starts_with(';')
        })
}

/// The macros that a text defines.
fn defined(text: &str, root: &str) -> Vec<(String, Maker)> {
    let Ok(stream) = text.parse() else { return Vec::new() };
    let tokens = Tokens::new(text, stream);
    let starts = (0..tokens.list.len()).filter(|&at| tokens.text(at) == "macro_rules" && tokens.is(at + 1, '!'));
    let found = starts.filter_map(|at| {
        let Kind::Open(_, close) = tokens.list.get(at + 3)?.kind else { return None };
        let rules = text[tokens.list[at + 3].range.end..tokens.list[close].range.start].to_owned();
        let exports = exports(&tokens, at + 4..close);
        let makes = exports || declares(&tokens, at + 4..close);
        // In a macro that it makes, `$crate` has to stay.
        let root = if exports { "$crate" } else { root };
        Some((plain(tokens.text(at + 2)).to_owned(), Maker { rules, root: root.to_owned(), makes }))
    });
    found.collect()
}

/// Whether `mod name;` stands in these tokens.
fn declares(tokens: &Tokens<'_>, range: Range<usize>) -> bool {
    range.into_iter().any(|at| {
        let name = if tokens.is(at + 1, '$') { at + 2 } else { at + 1 };
        tokens.text(at) == "mod" && tokens.is_ident(name) && tokens.is(name + 1, ';')
    })
}

/// Whether an exported macro stands in these tokens.
fn exports(tokens: &Tokens<'_>, mut range: Range<usize>) -> bool {
    range.any(|at| tokens.text(at) == "macro_export")
}

/// Writes out the calls that make modules or exported macros.
pub(super) fn write_out(mut text: Mapped, makers: &Makers) -> Mapped {
    for _ in 0..DEEPEST {
        let Ok(stream) = text.text.parse() else { break };
        let tokens = Tokens::new(&text.text, stream);
        let mut edits = Edits::default();
        let mut any = false;
        let mut rules_end = 0;
        for bang in 1..tokens.list.len() {
            if tokens.text(bang - 1) == "macro_rules"
                && let Some(Kind::Open(_, close)) = tokens.list.get(bang + 2).map(|token| token.kind)
            {
                rules_end = close;
            }
            if bang < rules_end || !tokens.is(bang, '!') || !tokens.is_ident(bang - 1) {
                continue;
            }
            let Some(Kind::Open(_, close)) = tokens.list.get(bang + 1).map(|token| token.kind) else { continue };
            let called = plain(tokens.text(bang - 1));
            let given = bang + 2..close;
            if !makers.making.contains(called) && !declares(&tokens, given.clone()) && !exports(&tokens, given) {
                continue;
            }
            let inside = tokens.list[bang + 1].range.end..tokens.list[close].range.start;
            let Some(made) = makers.get(called).and_then(|maker| maker.make(&text.slice(inside))) else { continue };
            let start = tokens.list[path_start(&tokens, bang - 1)].range.start;
            let last = if tokens.is(close + 1, ';') { close + 1 } else { close };
            edits.replace(start..tokens.list[last].range.end, made);
            any = true;
        }
        if !any {
            break;
        }
        text = edits.apply_on(&text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branch_that_is_set_is_taken() {
        let text = "cfg_if::cfg_if! { if #[cfg(windows)] { mod a; } else if #[cfg(unix)] { mod b; } else { mod c; } } fn f() {}";
        let settings = Settings { set: ["unix".to_owned()].into(), keep_machine: false };
        assert_eq!(decide(Mapped::from(text), &settings).text.trim(), "mod b;  fn f() {}");
        let solution = Settings { keep_machine: true, ..settings };
        assert_eq!(decide(Mapped::from(text), &solution).text, text);
    }
}
