//! `cfg` predicates, decided for an optimised build on this machine, not for a test.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What is set for one crate.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Lines as `rustc --print cfg` writes them: `unix`, `target_os="linux"`, `feature="std"`.
    pub set: BTreeSet<String>,
    /// Whether predicates about the machine are left to the judge's compiler, as the solution wrote them.
    pub keep_machine: bool,
}

/// Names that the compiler itself sets; in the solution they are left to the judge.
fn is_machine(name: &str) -> bool {
    name.starts_with("target_")
        || matches!(name, "unix" | "windows" | "debug_assertions" | "panic" | "overflow_checks" | "miri")
}

impl Settings {
    /// The value of a predicate; `None` if it cannot be read or is left to the judge's compiler.
    #[must_use]
    pub fn decide(&self, predicate: TokenStream) -> Option<bool> {
        let mut trees = predicate.into_iter();
        let TokenTree::Ident(name) = trees.next()? else {
            return None;
        };
        let name = name.to_string();
        match (trees.next(), trees.next()) {
            (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Parenthesis => {
                let values: Vec<Option<bool>> =
                    split(group.stream()).into_iter().map(|part| self.decide(part)).collect();
                match name.as_str() {
                    "not" => values.first().copied().flatten().map(|value| !value),
                    "all" if values.contains(&Some(false)) => Some(false),
                    "any" if values.contains(&Some(true)) => Some(true),
                    "all" | "any" if values.contains(&None) => None,
                    "all" => Some(true),
                    "any" => Some(false),
                    _ => None,
                }
            }
            (None, None) if name == "true" || name == "false" => Some(name == "true"),
            (None, None) => self.lookup(&name, &name),
            (Some(TokenTree::Punct(_)), Some(TokenTree::Literal(value))) => {
                self.lookup(&name, &format!("{name}={value}"))
            }
            _ => None,
        }
    }

    fn lookup(&self, name: &str, line: &str) -> Option<bool> {
        if self.keep_machine && is_machine(name) {
            return None;
        }
        Some(self.set.contains(line))
    }
}

/// The parts between top-level commas.
#[must_use]
pub fn split(stream: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for tree in stream {
        match &tree {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => {
                if let Some(last) = parts.last_mut() {
                    last.extend([tree]);
                }
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(keep_machine: bool, predicate: &str) -> Option<bool> {
        let set = ["unix", "feature=\"std\""].map(str::to_owned).into();
        Settings { set, keep_machine }.decide(predicate.parse().unwrap())
    }

    #[test]
    fn predicates_are_decided_by_what_is_set() {
        assert_eq!(decide(false, "feature = \"std\""), Some(true));
        assert_eq!(decide(false, "feature = \"serde\""), Some(false));
        assert_eq!(decide(false, "all(unix, not(test))"), Some(true));
        assert_eq!(decide(false, "any(test, debug_assertions,)"), Some(false));
        assert_eq!(decide(false, "any()"), Some(false));
        assert_eq!(decide(false, "all()"), Some(true));
        assert_eq!(decide(false, "$name"), None);
    }

    #[test]
    fn the_solution_keeps_what_its_machine_decides() {
        assert_eq!(decide(true, "debug_assertions"), None);
        assert_eq!(decide(true, "all(test, unix)"), Some(false));
        assert_eq!(decide(true, "any(feature = \"std\", windows)"), Some(true));
    }
}
