//! Text in macros that editions read in different ways, though all of them compile it.
//!
//! Outside of macros, what an edition reads differently shows in the functions that are called, or does not compile. In a
//! macro it may decide which of two variables is meant. So where a text has any of this, no difference between editions
//! is put down to captures.

use proc_macro2::TokenStream;

use crate::rustc::Edition;
use crate::text::{Edits, Kind, Tokens};

/// Which of that a text has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differences {
    /// Something that changes with 2021, such as `c"text"`, which was two tokens.
    since_2021: bool,
    /// Something that changes with 2018: a word that became a keyword, or an import that started at the root.
    since_2018: bool,
    /// The text with every macro's `pat` as `pat_param`, which is what it was before 2021; nothing if there is none.
    pub older_patterns: Option<String>,
}

impl Differences {
    /// Looks for it in `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let Ok(stream) = text.parse::<TokenStream>() else {
            return Self { since_2021: true, since_2018: true, older_patterns: None };
        };
        let tokens = Tokens::new(text, stream);
        let mut found = Self { since_2021: tokens_differ(&tokens), ..Self::default() };
        let mut patterns = Edits::default();
        let mut any = false;
        let inside = inside_macros(&tokens);
        for index in (0..tokens.list.len()).filter(|&index| inside[index]) {
            found.since_2018 |= is_new_keyword(&tokens, index) || is_open_import(&tokens, index);
            if tokens.text(index) == "pat" {
                if index > 2 && tokens.is(index - 1, ':') && tokens.is(index - 3, '$') {
                    patterns.replace(tokens.list[index].range.clone(), "pat_param");
                    any = true;
                } else {
                    // Handed to a macro that makes a macro of it.
                    found.since_2021 = true;
                }
            }
        }
        found.older_patterns = any.then(|| patterns.apply(text));
        found
    }

    /// Whether the text may mean something else in `edition` than from 2021 on.
    #[must_use]
    pub fn matter_in(&self, edition: Edition) -> bool {
        self.since_2021 || self.since_2018 && edition < Edition::E2018
    }
}

/// Which tokens stand in the definition or in a call of a macro.
fn inside_macros(tokens: &Tokens<'_>) -> Vec<bool> {
    let mut inside = vec![false; tokens.list.len()];
    for bang in (1..tokens.list.len()).filter(|&index| tokens.is(index, '!') && tokens.is_ident(index - 1)) {
        let open = if tokens.is_ident(bang + 1) { bang + 2 } else { bang + 1 };
        if let Some(Kind::Open(_, close)) = tokens.list.get(open).map(|token| token.kind) {
            inside[open..close].fill(true);
        }
    }
    inside
}

/// Whether something was several tokens before 2021 and is one now, or an error: `c"text"`, `word"text"`, `word#`,
/// `'r#name`.
fn tokens_differ(tokens: &Tokens<'_>) -> bool {
    (0..tokens.list.len()).any(|index| {
        let touches = tokens.list.get(index + 1).is_some_and(|next| next.range.start == tokens.list[index].range.end);
        let next = tokens.text(index + 1);
        match tokens.list[index].kind {
            Kind::Literal => tokens.text(index).starts_with('c'),
            Kind::Ident => touches && next.starts_with(['"', '\'', '#']),
            Kind::Punct('\'', _) => touches && next.starts_with("r#"),
            _ => false,
        }
    })
}

/// Whether a word is a keyword from 2018 on, in a place where it could be a name.
fn is_new_keyword(tokens: &Tokens<'_>, index: usize) -> bool {
    let next = tokens.text(index + 1);
    match tokens.text(index) {
        "dyn" => !(tokens.is_ident(index + 1) || tokens.is_colons(index + 1) || matches!(next, "$" | "'" | "?")),
        "async" => !matches!(next, "move" | "fn" | "unsafe" | "extern" | "{" | "|"),
        "await" => index == 0 || !tokens.is(index - 1, '.'),
        "try" => true,
        _ => false,
    }
}

/// Whether an import starts with a name that is looked for at the root in 2015, and not only there from 2018 on.
fn is_open_import(tokens: &Tokens<'_>, index: usize) -> bool {
    let first = tokens.text(index + 1);
    let fixed = matches!(first, "crate" | "self" | "super" | "std" | "core" | "alloc")
        || tokens.is_colons(index + 1)
        || first == "$" && tokens.text(index + 2) == "crate";
    tokens.text(index) == "use" && tokens.is_ident(index) && !fixed
}

/// Whether a text may make a constant that looks like the place of a panic, which has a file's name and a zero byte: it
/// asks for its file's name, and has a zero in some text.
#[must_use]
pub fn may_forge_places(text: &str) -> bool {
    let zero = ["\\0", "\\x00", "\\u{0"].iter().any(|zero| text.contains(zero));
    zero && text.contains("concat!") && text.contains("file!")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matters(text: &str) -> (bool, bool) {
        let found = Differences::of(text);
        (found.matter_in(Edition::E2015), found.matter_in(Edition::E2018))
    }

    #[test]
    fn tokens_that_editions_split_in_different_ways_are_found() {
        for text in ["m!(c\"s\")", "m!(k\"s\")", "m!('r#s)", "m!(x#)"] {
            assert_eq!(matters(text), (true, true), "{text}");
        }
        for text in ["m!(b\"s\", br#\"s\"#, r#type, 'a, b'x')", "fn f<'a>(x: &'a str) { print!(\"{}\", x) }"] {
            assert_eq!(matters(text), (false, false), "{text}");
        }
    }

    #[test]
    fn words_that_became_keywords_are_found_in_macros() {
        for text in
            ["m!(dyn)", "m!(x dyn + y)", "m!(async)", "m!(await)", "m!(try)", "m!(use $a::$b;)", "m!(use a::b;)"]
        {
            assert_eq!(matters(text), (true, false), "{text}");
        }
        for text in [
            "m!(Box<dyn Fn()>, &dyn ::std::fmt::Debug, async move {}, x.await, use crate::a; use $crate::a;)",
            "use a::b; fn f(x: Box<dyn A>) {}",
        ] {
            assert_eq!(matters(text), (false, false), "{text}");
        }
    }

    #[test]
    fn patterns_are_written_as_they_were() {
        let older = |text: &str| Differences::of(text).older_patterns;
        let text = "macro_rules! m { ($p : /* a */ pat, $q:pat_param) => { } }";
        assert_eq!(older(text).unwrap(), text.replace("/* a */ pat,", "/* a */ pat_param,"));
        assert_eq!(older("fn f(pat: &str) -> bool { pat.is_empty() }"), None);
        assert_eq!(matters("macro_rules! m { ($f:ident) => { mk!($f) } } m!(pat);"), (true, true));
    }

    #[test]
    fn a_file_name_with_a_zero_may_be_forged() {
        assert!(may_forge_places("concat!(file!(), \"\\0\")"));
        assert!(!may_forge_places("concat!(file!(), \":\", line!())"));
    }
}
