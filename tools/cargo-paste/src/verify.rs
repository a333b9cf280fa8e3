//! Fourth stage: proof that the paste is the same program, and on which compilers and editions it is one.
//!
//! That a shaken file compiles proves nothing: without an impl, a call may mean another method. What does is the set
//! of functions that the compiler makes of the program, generic ones once for every type they are used with. It has to
//! be the same before and after.

use std::collections::{BTreeSet, HashMap, HashSet};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::rustc::{Bench, Compiler, Edition, Emit};

/// The compiled form of a program, as far as it is reachable from `main`.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The functions, by their readable names.
    pub functions: BTreeSet<String>,
    /// The lines of the source they come from, if that was asked for.
    pub lines: HashSet<usize>,
}

/// The symbols that a line of LLVM code mentions.
fn symbols(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('@').filter_map(|(at, _)| {
        let rest = &line[at + 1..];
        if let Some(quoted) = rest.strip_prefix('"') {
            return quoted.split('"').next();
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-')));
        let name = &rest[..end.unwrap_or(rest.len())];
        (!name.is_empty()).then_some(name)
    })
}

impl Compiled {
    /// Reads LLVM code and follows it from `main`.
    #[must_use]
    pub fn read(llvm: &str) -> Self {
        let mut mentions: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut defined: HashMap<&str, Option<&str>> = HashMap::new();
        let mut inside = None;
        for line in llvm.lines() {
            if line.starts_with("define ") {
                let mut names = symbols(line);
                inside = names.next();
                if let Some(name) = inside {
                    let place = line.rsplit_once("!dbg ").and_then(|(_, rest)| rest.split(' ').next());
                    defined.insert(name, place);
                    mentions.entry(name).or_default().extend(names);
                }
            } else if line.starts_with('}') {
                inside = None;
            } else if let Some(name) = inside {
                mentions.entry(name).or_default().extend(symbols(line));
            } else if line.starts_with('@') {
                let mut names = symbols(line);
                if let Some(name) = names.next() {
                    mentions.entry(name).or_default().extend(names);
                }
            }
        }
        let mut reached: HashSet<&str> = HashSet::new();
        let mut queue = vec!["main"];
        while let Some(name) = queue.pop() {
            if reached.insert(name) {
                queue.extend(mentions.get(name).into_iter().flatten());
            }
        }
        let live: Vec<_> = defined.into_iter().filter(|(name, _)| reached.contains(name)).collect();
        let functions = live.iter().map(|(name, _)| readable(name)).collect();
        let places: HashSet<&str> = live.iter().filter_map(|(_, place)| *place).collect();
        Self { functions, lines: lines(llvm, &places) }
    }
}

/// A symbol as a person would write it. A trait's own method and one that takes its place read the same, so they are
/// told apart.
fn readable(symbol: &str) -> String {
    let mut name = format!("{:#}", rustc_demangle::demangle(symbol));
    let mut rest = symbol.strip_prefix("_R").unwrap_or_default();
    while let Some(inner) = rest.strip_prefix('I').or_else(|| rest.strip_prefix('N').and_then(|rest| rest.get(1..))) {
        rest = inner;
    }
    if rest.starts_with('Y') {
        name.push_str(" as the trait has it");
    }
    name
}

/// The lines of the debug information entries in `places`, where those are in our file.
fn lines(llvm: &str, places: &HashSet<&str>) -> HashSet<usize> {
    let entries = || llvm.lines().filter(|line| line.starts_with('!'));
    let files: HashSet<&str> = entries()
        .filter(|line| line.contains("!DIFile(filename: \"") && line.contains("paste.rs"))
        .filter_map(|line| line.split(' ').next())
        .collect();
    entries()
        .filter(|line| line.contains("!DISubprogram("))
        .filter(|line| line.split(' ').next().is_some_and(|name| places.contains(name)))
        .filter_map(|line| {
            let field = |name: &str| line.split(name).nth(1)?.split([',', ')']).next();
            let file = field(" file: ")?;
            if files.contains(file) { field(" line: ")?.parse().ok() } else { None }
        })
        .collect()
}

/// What one compiler says of a paste in one edition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// No error and no warning and, where it could be seen, the same functions.
    Same,
    /// Compiles, but means something else: the number of functions that differ.
    Different(usize),
    /// The first error or warning.
    Refused(String),
}

/// One compiler and edition, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The compiler's version, such as `1.63`.
    pub compiler: String,
    /// Where it is.
    pub path: std::path::PathBuf,
    /// The edition.
    pub edition: Edition,
    /// What it said.
    pub verdict: Verdict,
}

/// Asks every compiler about `text` in every edition it takes. The first one also lists the functions, which have to
/// be `reference`.
///
/// # Errors
/// Fails only if a compiler cannot be run.
pub fn cells(bench: &Bench, compilers: &[Compiler], reference: &BTreeSet<String>, text: &str) -> Result<Vec<Cell>> {
    let mut tasks = Vec::new();
    for (index, compiler) in compilers.iter().enumerate() {
        tasks.extend(compiler.editions().iter().map(|&edition| (index, compiler, edition)));
    }
    let one = |&(index, compiler, edition): &(usize, &Compiler, Edition)| -> Result<Cell> {
        let emit = if index == 0 { Emit::Functions } else { Emit::Strict };
        let outcome = bench.compile(compiler, edition, emit, text)?;
        let verdict = if !outcome.success {
            Verdict::Refused(outcome.first_error())
        } else if index == 0 {
            let found = Compiled::read(&outcome.output).functions;
            let differ = found.symmetric_difference(reference).filter(|name| !is_panic_plumbing(name));
            match differ.count() {
                0 => Verdict::Same,
                count => Verdict::Different(count),
            }
        } else {
            Verdict::Same
        };
        let path = compiler.path.clone();
        Ok(Cell { compiler: compiler.to_string(), path, edition, verdict })
    };
    let half = tasks.len().div_ceil(2);
    let (first, second) = tasks.split_at(half);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| second.iter().map(one).collect::<Result<Vec<Cell>>>());
        let mut all: Vec<Cell> = first.iter().map(one).collect::<Result<_>>()?;
        match other.join() {
            Ok(rest) => all.extend(rest?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        Ok(all)
    })
}

/// Whether a function only carries the message of a `panic!`, which takes another way below edition 2021.
fn is_panic_plumbing(name: &str) -> bool {
    name.starts_with("core::panicking::")
        || name.starts_with("<core::fmt::Arguments>::")
        || name.contains("std::panicking::begin_panic")
        || name.contains("std::rt::begin_panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LLVM: &str = r#"
@vtable.0 = private unnamed_addr constant { ptr, ptr } { ptr @drop, ptr @"_RNvC5paste3dyn" }
@dead = constant ptr @only_from_dead
define i32 @main() unnamed_addr !dbg !7 {
  call void @_RNvC5paste4used()
  ret i32 0
}
define internal void @_RNvC5paste4used() !dbg !8 {
  store ptr @vtable.0, ptr %x
}
define void @"_RNvC5paste3dyn"() { ret void
}
define void @only_from_dead() {
}
!3 = !DIFile(filename: "/x/paste.rs", directory: "/")
!7 = distinct !DISubprogram(name: "main", scope: !1, file: !3, line: 4, type: !2)
!8 = distinct !DISubprogram(name: "used", scope: !1, file: !9, line: 5, type: !2)
"#;

    #[test]
    fn only_what_main_reaches_counts_vtables_included() {
        let compiled = Compiled::read(LLVM);
        let expected = ["main", "paste::used", "paste::dyn"].map(str::to_owned);
        assert_eq!(compiled.functions, expected.into());
        assert_eq!(compiled.lines, [4].into());
    }
}
