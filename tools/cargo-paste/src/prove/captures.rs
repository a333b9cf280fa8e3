//! A text whose closures capture the same in every edition.
//!
//! Below 2021 a closure captures whole variables, from then on only the parts that it uses. That makes bodies differ,
//! and other differences between editions could hide behind it. So a paste is also compiled with `let _ = &x;` at the
//! start of each closure that captures `x`, which makes 2021 capture all of `x`, too. A function that differs has to be
//! the same there in 2018 and 2021, but for how panics are entered. Then in the paste it differs in what closures
//! capture and in nothing else.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure};

use crate::nodes::line_starts;
use crate::text::{Edits, Kind, Tokens};

/// Macros of the standard library that hand on the expressions they are called with.
pub const HANDS_ON: [&str; 16] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Whether a closure in `mir` makes raw pointers. Then it may go from one captured part of a variable to the next,
/// which are only side by side if the whole variable is captured.
#[must_use]
pub fn make_pointers(mir: &str) -> bool {
    let mut inside = false;
    mir.lines().any(|line| {
        if line.starts_with("fn ") {
            inside = line.contains("{closure#");
        }
        inside && ["&raw ", "Transmute"].iter().any(|sign| line.contains(sign))
    })
}

/// `text`, changed so that its closures capture whole variables in every edition. `mir`, which the compiler made of
/// `text` in an edition below 2021, says what each of them captures. Nothing if there is no closure to change.
#[must_use]
pub fn whole(text: &str, mir: &str) -> Option<String> {
    let found = edits(text, mir, &|_| true);
    let mut edits = Edits::default();
    for (place, with) in &found {
        edits.insert(*place, with);
    }
    (!found.is_empty()).then(|| edits.apply(text))
}

/// What to put where in `text`, so that its closures capture whole variables in every edition. `is_wanted` is
/// asked with the byte at which a closure starts, and says whether that closure is to be changed.
///
/// A macro could look at what it is called with, so closures in calls of macros stay as they are, except in `HANDS_ON`.
#[must_use]
pub fn edits(text: &str, mir: &str, is_wanted: &dyn Fn(usize) -> bool) -> Vec<(usize, String)> {
    let Ok(parsed) = text.parse() else { return Vec::new() };
    let tokens = Tokens::new(text, parsed);
    let in_macros = in_macros(&tokens);
    let lines = line_starts(text);
    let mut edits = Vec::new();
    for ((line, column), names) in closures(mir) {
        let found = lines.get(line - 1).and_then(|&start| {
            let place = start + text[start..].char_indices().nth(column - 1)?.0;
            let first = tokens.list.binary_search_by_key(&place, |token| token.range.start).ok()?;
            (!in_macros[first] && is_wanted(place)).then(|| closure_at(&tokens, first)).flatten()
        });
        let Some((body, is_block)) = found else { continue };
        let uses = names.iter().fold(String::new(), |mut uses, name| {
            let _ = write!(uses, " let _ = &{name};");
            uses
        });
        if is_block {
            edits.push((body.start + 1, uses));
        } else {
            edits.push((body.start, format!("{{{uses} ")));
            edits.push((body.end, " }".to_owned()));
        }
    }
    edits
}

/// The line and column of each closure that captures something, and the names of what it captures, in the order of its
/// fields.
///
/// Where a closure is made, MIR has all the names, but not in the order of its fields: `_5 = {closure@file.rs:1:2: 1:5}
/// { x: move _3, y: move _4 };`. The order is known where its own code begins: `fn f::{closure#0}(_1:
/// &{closure@file.rs:1:2: 1:5}) -> u8 {` and then `debug y => (*((*_1).0: &u8));`. If only a part of `y` is captured,
/// `y__part` stands there.
fn closures(mir: &str) -> BTreeMap<(usize, usize), Vec<&str>> {
    let mut found: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    let mut fields: HashMap<(usize, usize), Vec<&str>> = HashMap::new();
    let mut lines = mir.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some((_, rest)) = line.split_once(" = {closure@") {
            let Some((place, captured)) = rest.split_once("} { ") else { continue };
            let Some(place) = start_of(place) else { continue };
            let names = captured.split(", ").filter_map(|field| field.split_once(": "));
            found.insert(place, names.map(|(name, _)| name).collect());
        } else if line.starts_with("fn ") {
            let Some((_, rest)) = line.split_once("(_1: ") else { continue };
            let argument = rest.split([',', ')']).next().unwrap_or(rest);
            let place = argument.split_once("{closure@").and_then(|(_, rest)| rest.split_once('}'));
            let Some(place) = place.and_then(|(place, _)| start_of(place)) else { continue };
            let names = fields.entry(place).or_default();
            while let Some(known) = lines.next_if(|line| line.starts_with("    debug ")) {
                let known = known["    debug ".len()..].split_once(" => ");
                names.extend(known.filter(|(_, from)| from.contains("_1")).map(|(name, _)| name));
            }
        }
    }
    for (place, names) in &mut found {
        let fields = fields.remove(place).unwrap_or_default();
        let is_of = |field: &str, name: &str| {
            field.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("__"))
        };
        names.sort_by_key(|name| fields.iter().position(|field| is_of(field, name)).unwrap_or(usize::MAX));
    }
    found
}

/// The line and column where a closure starts. `place` is `file:line:column: line:column`: first the start, then the
/// end.
fn start_of(place: &str) -> Option<(usize, usize)> {
    let mut numbers = place.rsplit(':').map(|number| number.trim().parse::<usize>());
    let column = numbers.nth(2)?.ok()?;
    // Macros of the standard library make closures, too.
    (!place.starts_with("/rustc/")).then_some((numbers.next()?.ok()?, column))
}

/// Whether token `index` is the `!` of a macro call.
pub(super) fn is_call(tokens: &Tokens<'_>, index: usize) -> bool {
    tokens.is(index, '!') && index > 0 && tokens.is_ident(index - 1)
}

/// The macros of `HANDS_ON` that are those of the standard library for sure.
pub(super) fn hands_on(tokens: &Tokens<'_>) -> HashSet<&'static str> {
    // A name that also stands outside of calls may be defined or imported there.
    let elsewhere: HashSet<&str> = (0..tokens.list.len())
        .filter(|&index| {
            tokens.is_ident(index) && !is_call(tokens, index + 1) || is_call(tokens, index.wrapping_sub(1))
        })
        .map(|index| tokens.text(index))
        .collect();
    HANDS_ON.into_iter().filter(|name| !elsewhere.contains(name)).collect()
}

/// Which tokens stand in the definition of a macro, or in the call of one that may look at them.
pub(super) fn in_macros(tokens: &Tokens<'_>) -> Vec<bool> {
    let hands_on = hands_on(tokens);
    let mut inside = vec![false; tokens.list.len()];
    for bang in (0..tokens.list.len()).filter(|&index| is_call(tokens, index)) {
        if hands_on.contains(tokens.text(bang - 1)) {
            continue;
        }
        let open = if tokens.is_ident(bang + 1) { bang + 2 } else { bang + 1 };
        if let Some(Kind::Open(_, close)) = tokens.list.get(open).map(|token| token.kind) {
            inside[open..close].fill(true);
        }
    }
    inside
}

/// The bytes of the body of the closure that starts with token `first`, and whether that body is a block.
fn closure_at(tokens: &Tokens<'_>, first: usize) -> Option<(std::ops::Range<usize>, bool)> {
    // The group around the closure ends with the first closing delimiter whose opening one stands before `first`.
    let mut end = first;
    while let Some(token) = tokens.list.get(end) {
        match token.kind {
            Kind::Open(_, close) => end = close + 1,
            Kind::Close(_) => break,
            _ => end += 1,
        }
    }
    let start = tokens.list[first].range.start;
    let stop = tokens.list.get(end).map_or(tokens.text.len(), |token| token.range.start);
    let read = |input: ParseStream<'_>| {
        let closure: ExprClosure = input.parse()?;
        input.parse::<TokenStream>()?;
        Ok(closure)
    };
    let closure = read.parse_str(&tokens.text[start..stop]).ok()?;
    let body = closure.body.span().byte_range();
    let is_block = matches!(&*closure.body, Expr::Block(block) if block.label.is_none() && block.attrs.is_empty());
    Some((start + body.start..start + body.end, is_block))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, captured: &str) -> Option<String> {
        let column = text[..text.find('|').unwrap()].chars().count() + 1;
        whole(text, &format!("        _5 = {{closure@paste.rs:1:{column}: 1:{column}}} {{ {captured} }};\n"))
    }

    #[test]
    fn a_closure_names_what_it_captures() {
        for (text, wanted) in [
            ("fn f() { g(|y| x.a + y, 2); }", "fn f() { g(|y| { let _ = &x; x.a + y }, 2); }"),
            ("fn f() { let h = |y| x.a + y; }", "fn f() { let h = |y| { let _ = &x; x.a + y }; }"),
            ("fn f() { let h = || { x.a }; }", "fn f() { let h = || { let _ = &x; x.a }; }"),
            ("fn f() { println!(\"{}\", g(|| x.a)); }", "fn f() { println!(\"{}\", g(|| { let _ = &x; x.a })); }"),
            ("fn f() { let é = |y| -> u8 { x.a }; }", "fn f() { let é = |y| -> u8 { let _ = &x; x.a }; }"),
        ] {
            assert_eq!(at(text, "x: move _3").as_deref(), Some(wanted), "{text}");
        }
        assert_eq!(
            at("fn f() { g(|| a + b) }", "a: move _3, b: copy _1").unwrap(),
            "fn f() { g(|| { let _ = &a; let _ = &b; a + b }) }"
        );
    }

    #[test]
    fn a_macro_sees_what_it_was_called_with() {
        for text in [
            "fn f() { pick!(|| x.a); }",
            "macro_rules! m { () => { || x.a } }",
            "macro_rules! vec { ($e:expr) => { $e } } fn f() { vec!(|| x.a); }",
            "use own::vec; fn f() { vec![|| x.a]; }",
            "fn f() { own!(println!(\"{}\", g(|| x.a))); }",
        ] {
            assert_eq!(at(text, "x: move _3"), None, "{text}");
        }
    }
}
