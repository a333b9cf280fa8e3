//! Whether unsafe code may follow a pointer to a temporary value that edition 2024 ends early.
//!
//! Since 2024, temporary values in the last expression of a block, or in the condition of an `if let` with `else`, end
//! earlier than before. The compiler checks references in every edition, but it does not check raw pointers. Bodies
//! that are not optimised do not show when a value ends. The compiler's own code (MIR) does, where it optimises. So the
//! MIR of one text is walked in 2021 and in 2024, side by side. From where a value ends in 2024 to where it ends in
//! 2021, nothing may be called and no pointer may be followed. That a value lives longer than in cargo's build does no
//! harm.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, Item, ItemFn, Macro, Signature};

use super::captures;
use crate::inline::{Rewrite, edits};
use crate::rustc::Newest;
use crate::text::{Edits, Tokens, plain};

/// Why a paste cannot be the same if a value ends too early.
pub const EARLY: &str = "unsafe code may still point to a temporary value that edition 2024 ends earlier";

/// Whether a text may follow raw pointers.
#[must_use]
pub fn matter(text: &str) -> bool {
    text.contains("unsafe")
}

/// `text` as 2021 takes it: `&&` beside `let` is written in another way, and functions of 2024 have no body. A function
/// keeps its body in three cases. It calls a macro that is not known to be of the standard library, so that it may be
/// of an older edition. Or only the body says what type the function gives (`impl Trait`). Or it is a `const fn`, which
/// the compiler may call to work out a constant.
#[must_use]
pub fn for_2021(text: &str, newest: &Newest) -> String {
    let (Ok(file), Ok(stream)) = (syn::parse_file(text), text.parse()) else { return text.to_owned() };
    let standard = captures::hands_on(&Tokens::new(text, stream));
    let mut finder = Bodies { text, standard, found: Vec::new() };
    for item in &file.items {
        let krate =
            if let Item::Mod(module) = item { newest.crates.get(plain(&module.ident.to_string())) } else { None };
        if *krate.unwrap_or(&newest.solution) {
            finder.visit_item(item);
        }
    }
    let mut without_bodies = Edits::default();
    for body in finder.found {
        without_bodies.replace(body, "{ loop {} }");
    }
    let text = without_bodies.apply(text);
    let mut changed = Edits::default();
    for (range, with) in edits(&text, Rewrite::Chains, true, &|_| true) {
        changed.replace(range, with);
    }
    changed.apply(&text)
}

/// Finds the bodies that [`for_2021`] takes out.
struct Bodies<'a> {
    text: &'a str,
    /// Macros of the standard library that only hand on what they are called with.
    standard: HashSet<&'static str>,
    found: Vec<Range<usize>>,
}

impl Bodies<'_> {
    /// Whether the body is taken out.
    fn takes(&mut self, signature: &Signature, body: &Block) -> bool {
        let mut macros = Macros { standard: &self.standard, are_standard: true };
        macros.visit_block(body);
        let takes = macros.are_standard
            && signature.constness.is_none()
            && !self.text[signature.output.span().byte_range()].contains("impl ");
        if takes {
            self.found.push(body.span().byte_range());
        }
        takes
    }
}

impl<'ast> Visit<'ast> for Bodies<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !self.takes(&item.sig, &item.block) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if !self.takes(&item.sig, &item.block) {
            visit::visit_impl_item_fn(self, item);
        }
    }
}

/// Whether all macros that are called are of the standard library, as far as that can be seen.
struct Macros<'a> {
    standard: &'a HashSet<&'static str>,
    are_standard: bool,
}

impl<'ast> Visit<'ast> for Macros<'_> {
    fn visit_macro(&mut self, item: &'ast Macro) {
        let is_known = item.path.get_ident().is_some_and(|name| self.standard.iter().any(|known| name == known));
        // What it is called with may have macros in it.
        self.are_standard &= is_known && !item.tokens.to_string().contains('!');
    }
}

/// The first function in which a value may be looked at that has ended in 2024, but not in 2021. Both are MIR of one
/// text. A function of which this cannot be seen counts, too.
#[must_use]
pub fn ends_too_early(in_2021: &str, in_2024: &str) -> Option<String> {
    // A function that is called `gen` has `r#` before its name in 2024.
    let [in_2021, in_2024] = [in_2021, in_2024].map(|mir| mir.replace("r#gen", "gen"));
    let (older, newer) = (bodies(&in_2021), bodies(&in_2024));
    let mut all: Vec<&(&str, usize)> = older.keys().chain(newer.keys()).collect();
    all.sort();
    let is_harmless = |key: &(&str, usize)| match (older.get(key), newer.get(key)) {
        (Some(older), Some(newer)) => older == newer || Walk::is_harmless(older, newer),
        _ => false,
    };
    all.into_iter().find(|&key| !is_harmless(key)).map(|(head, _)| name(head))
}

/// The name of a function, from its first line. Lines and columns of an `impl` are left out.
fn name(head: &str) -> String {
    let head = head.trim_end_matches([' ', '{', '=']);
    let head = head.split_once('(').map_or(head, |(path, _)| path);
    let path = head.split_once(' ').map_or(head, |(_, path)| path);
    let parts = path.split("<impl at ").enumerate();
    parts.map(|(at, part)| if at == 0 { part } else { part.split_once(">::").map_or(part, |(_, rest)| rest) }).collect()
}

/// A function, or a constant that the compiler works out.
#[derive(Debug, Default, PartialEq, Eq)]
struct Body<'m> {
    /// Its variables with their types.
    variables: Vec<&'m str>,
    /// Its blocks by name: what is done in each, line by line. The last line says where it goes on.
    blocks: HashMap<&'m str, Vec<&'m str>>,
}

/// The bodies in `mir` by their first line. Those with the same first line are counted.
fn bodies(mir: &str) -> HashMap<(&str, usize), Body<'_>> {
    let mut bodies: HashMap<(&str, usize), Body<'_>> = HashMap::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut lines = mir.lines();
    while let Some(head) = lines.next() {
        if !head.starts_with(|first: char| first.is_ascii_alphabetic()) || !head.ends_with('{') {
            continue;
        }
        let (mut body, mut block) = (Body::default(), None);
        for line in lines.by_ref().take_while(|line| *line != "}").map(str::trim) {
            match (line.strip_suffix(": {"), block) {
                (Some(name), _) => block = name.split(' ').next(),
                (None, _) if matches!(line, "" | "}") => {}
                (None, Some(block)) => body.blocks.entry(block).or_default().push(line),
                (None, None) => body.variables.push(line),
            }
        }
        let count = counts.entry(head).or_default();
        bodies.insert((head, *count), body);
        *count += 1;
    }
    bodies
}

/// A place in a body, and the variables that have ended before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Place<'m> {
    block: &'m str,
    line: usize,
    ended: BTreeSet<&'m str>,
}

impl<'m> Place<'m> {
    /// Goes on to the next line that does something, and notes which variables end on the way. Says whether this is the
    /// last line of its block. Nothing in a loop that does nothing.
    fn advance(&mut self, body: &Body<'m>) -> Option<(&'m str, bool)> {
        let mut jumps = 0;
        while jumps <= body.blocks.len() {
            let lines = body.blocks.get(self.block)?;
            let line = *lines.get(self.line)?;
            let inside = |name: &str| line.strip_prefix(name).and_then(|rest| rest.strip_suffix(");"));
            if let Some(variable) = inside("StorageDead(") {
                self.ended.insert(variable);
            } else if let Some(variable) = inside("StorageLive(") {
                self.ended.remove(variable);
            } else if let Some(block) = line.strip_prefix("goto -> ") {
                (self.block, self.line) = (block.trim_end_matches(';'), 0);
                jumps += 1;
                continue;
            } else if line != "nop;" {
                return Some((line, self.line + 1 == lines.len()));
            }
            self.line += 1;
        }
        None
    }
}

/// One function in 2021 and in 2024, walked side by side.
struct Walk<'m> {
    bodies: [&'m Body<'m>; 2],
    /// The variables that something may point to.
    pointed_to: HashSet<&'m str>,
}

impl<'m> Walk<'m> {
    fn is_harmless(older: &'m Body<'m>, newer: &'m Body<'m>) -> bool {
        if older.variables != newer.variables {
            return false;
        }
        let lines = [older, newer].into_iter().flat_map(|body| body.blocks.values().flatten());
        let walk = Self { bodies: [older, newer], pointed_to: lines.flat_map(|line| borrowed(line)).collect() };
        let start = Place { block: "bb0", line: 0, ended: BTreeSet::new() };
        let mut places = vec![[start.clone(), start]];
        let mut seen = HashSet::new();
        while let Some(place) = places.pop() {
            if seen.insert(place.clone()) {
                let Some(next) = walk.step(place) else { return false };
                places.extend(next);
            }
        }
        true
    }

    /// Where the next lines lead. Nothing if they do different things, or if they may look at a variable that has ended
    /// only in 2024.
    fn step(&self, [mut older, mut newer]: [Place<'m>; 2]) -> Option<Vec<[Place<'m>; 2]>> {
        let lines = [older.advance(self.bodies[0]), newer.advance(self.bodies[1])];
        let [Some((line, is_last)), Some((other, other_is_last))] = lines else {
            return (lines == [None, None]).then(Vec::new);
        };
        // What has ended in both does not matter any more.
        let both: BTreeSet<&str> = older.ended.intersection(&newer.ended).copied().collect();
        older.ended.retain(|variable| !both.contains(variable));
        newer.ended.retain(|variable| !both.contains(variable));
        if newer.ended.iter().any(|variable| self.pointed_to.contains(variable)) && may_follow(line, is_last) {
            return None;
        }
        if !is_last && !other_is_last {
            (older.line, newer.line) = (older.line + 1, newer.line + 1);
            return (line == other).then(|| vec![[older, newer]]);
        }
        let ((does, leads), (does_too, leads_too)) = (parts(line), parts(other));
        if is_last != other_is_last || does != does_too || leads.len() != leads_too.len() {
            return None;
        }
        let to = |block, place: &Place<'m>| Place { block, line: 0, ended: place.ended.clone() };
        Some(leads.into_iter().zip(leads_too).map(|(one, other)| [to(one, &older), to(other, &newer)]).collect())
    }
}

/// What the last line of a block does, and the blocks that it leads to. Those after a panic do not count: no variable
/// ends there.
fn parts(line: &str) -> (String, Vec<&str>) {
    let (does, leads) = line.rsplit_once(" -> ").unwrap_or((line, ""));
    let (mut does, mut blocks) = (does.to_owned(), Vec::new());
    for lead in leads.trim_end_matches(';').trim_matches(['[', ']']).split(", ") {
        let (label, block) = lead.rsplit_once(": ").unwrap_or(("", lead));
        if label != "unwind" && block.starts_with("bb") {
            does = format!("{does} {label}");
            blocks.push(block);
        }
    }
    (does, blocks)
}

/// The variables of which a line takes the address, as `_2` in `_3 = &_2;` and `_3 = &raw mut ((_2 as Some).0: u8);`.
/// `&(*_2)` does not count: what a variable points to is not a part of it.
fn borrowed(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('&').filter_map(|(at, _)| {
        let place =
            line[at + 1..].trim_start_matches(|letter: char| letter.is_ascii_lowercase() || " -(".contains(letter));
        let digits = place.strip_prefix('_')?;
        let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        Some(&place[..=end])
    })
}

/// Whether a line may look at what a pointer leads to. A call may, and so may whatever is not known. A failed `assert`
/// may call a function of the program, too.
fn may_follow(line: &str, is_last: bool) -> bool {
    let is_plain = if is_last {
        matches!(line, "return;" | "unreachable;") || line.starts_with("switchInt(")
    } else {
        line.starts_with(['_', '(']) || line.starts_with("discriminant(")
    };
    !is_plain || line.contains("(*")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::rustc::Compiler;

    /// What is found in a program with this `main`.
    fn found(main: &str) -> Option<String> {
        let dir = tempfile::tempdir().unwrap();
        let text = format!(
            "fn make(n: i32) -> i32 {{ n * 2 }} fn show(p: *const i32, _: i32) {{ print!(\"{{}}\", unsafe {{ *p }}); }} \
             struct Cell(i32); impl Cell {{ fn get(&self) -> Option<&i32> {{ Some(&self.0) }} }} \
             fn cell() -> Cell {{ Cell(make(1)) }} fn main() {{ {main} }}"
        );
        fs::write(dir.path().join("main.rs"), text).unwrap();
        let compiler = Compiler::current().unwrap();
        let mir = ["2021", "2024"].map(|edition| {
            let mut command = std::process::Command::new(&compiler.path);
            command.args(["--edition", edition, "-Copt-level=1", "--emit=mir=mir", "-Awarnings", "main.rs"]);
            assert!(command.current_dir(dir.path()).status().unwrap().success(), "{main}");
            fs::read_to_string(dir.path().join("mir")).unwrap()
        });
        ends_too_early(&mir[0], &mir[1])
    }

    #[test]
    fn a_value_that_is_looked_at_after_its_end_is_found() {
        for main in [
            "show({ &make(1) as *const i32 }, make(2));",
            "show(unsafe { std::mem::transmute::<&i32, *const i32>(&make(1)) }, make(2));",
            "let n = unsafe { *{ &make(1) as *const i32 } }; print!(\"{}\", n);",
            "match { &make(1) as *const i32 } { p => show(p, 3) }",
            "match { &make(1) as *const i32 } { p => print!(\"{}\", unsafe { p.read() }) }",
            "let mut p = std::ptr::null(); if let Some(7) = ({ p = &make(3) }, Some(1)).1 {} else { show(p, 1) }",
            "for n in 0..2 { show({ &make(n) as *const i32 }, make(2)); }",
            "let f = |n| show({ &make(n) as *const i32 }, make(2)); f(3)",
        ] {
            let found = found(main);
            assert!(found.is_some_and(|name| name.starts_with("main")), "{main}");
        }
    }

    #[test]
    fn what_ends_at_another_time_without_harm_is_not_found() {
        for main in [
            // Nothing happens between the two ends.
            "let p = { &make(1) as *const i32 }; print!(\"{}\", p.is_null());",
            "let n = { *cell().get().unwrap() }; show(&n, n)",
            "let n = match make(1) { 2 => { cell().get().copied() } _ => None }; print!(\"{:?}\", n);",
            // Nothing points to it.
            "if let 3 = make(1) { show(&1, 2) } else { show(&make(1), 3) }",
            // It ends at the same time.
            "show(&make(1), make(2));",
            "if let Some(n) = cell().get() { show(n, make(2)) }",
        ] {
            assert_eq!(found(main), None, "{main}");
        }
    }

    #[test]
    fn a_function_is_named_without_lines_of_the_source() {
        for (head, wanted) in [
            ("fn main() -> () {", "main"),
            (
                "fn board::<impl at paste_1_of_a.rs:3:1: 3:10>::walk::{closure#0}(_1: &u8) -> u8 {",
                "board::walk::{closure#0}",
            ),
            ("const main::promoted[0]: &i32 = {", "main::promoted[0]: &i32"),
        ] {
            assert_eq!(name(head), wanted);
        }
    }
}
