//! What the text of a paste asks for and no body shows, since the compiler works it out.

use super::captures;
use crate::text::{Kind, Tokens, plain};

/// What a text may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wording {
    /// The name of its file or a place in it, so a constant may look like the place of a panic.
    pub places: bool,
    /// `type_id`, by which a program may read the message of a panic although no symbol shows that.
    pub ids: bool,
}

impl Wording {
    /// Reads a text. A macro may be renamed by an import, or be called by another macro.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let Ok(stream) = text.parse() else { return Self { places: true, ids: true } };
        let tokens = Tokens::new(text, stream);
        let in_macros = captures::in_macros(&tokens);
        let hands_on = captures::hands_on(&tokens);
        // For each group that is open, whether it is a call of a macro, and whether that only hands on what it gets.
        let mut around: Vec<(bool, bool)> = Vec::new();
        let mut in_import = false;
        let mut found = Self::default();
        let (mut calls, mut names) = (false, false);
        for (at, &in_macro) in in_macros.iter().enumerate() {
            match tokens.list[at].kind {
                Kind::Open(..) => {
                    let call = at > 1 && captures::is_call(&tokens, at - 1);
                    around.push((call, call && hands_on.contains(tokens.text(at - 2))));
                }
                Kind::Close(_) => drop(around.pop()),
                _ => {}
            }
            // A `file!()` right in such a call is printed while the program runs, so the bodies have it.
            let shown = around.last() == Some(&(true, true)) && around.iter().all(|(call, handed)| call == handed);
            in_import = tokens.text(at) == "use" || in_import && !tokens.is(at, ';');
            match plain(tokens.text(at)) {
                // `module_path!()` may be the file's name without `.rs`: both may be `app`.
                "file" | "module_path" => {
                    let called = tokens.is(at + 1, '!');
                    found.places |= in_import || (in_macro || called) && !(called && shown);
                }
                // In a constant, `Location::caller()` leaves no call in any body.
                "caller" => calls |= in_import || in_macro || at > 1 && tokens.is_colons(at - 2),
                "Location" => names = true,
                "type_id" => found.ids = true,
                _ => {}
            }
        }
        found.places |= calls && names;
        found
    }
}

/// Whether a text has `dbg!`, which prints the name of its file on stderr, and nothing else in it asks for that name.
#[must_use]
pub fn prints_own_file_on_stderr(text: &str) -> bool {
    if !text.contains("dbg!") || Wording::of(text).places {
        return false;
    }
    let Ok(stream) = text.parse() else { return false };
    let tokens = Tokens::new(text, stream);
    let tokens = &tokens;
    let named = |name| (0..tokens.list.len()).filter(move |&at| plain(tokens.text(at)) == name);
    let mut called = named("dbg").map(|at| tokens.is(at + 1, '!')).peekable();
    let asks = ["file", "module_path"].into_iter().flat_map(named).any(|at| tokens.is(at + 1, '!'));
    // `dbg!` may stand only in a comment. And a macro of that name could be defined, imported or handed on.
    called.peek().is_some() && called.all(|called| called) && !asks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dbg_may_ask_for_a_place() {
        for (text, wanted) in [
            ("fn f(line: u8) { dbg!(line); }", true),
            ("fn f() { // dbg!(1)\n }", false),
            ("fn f() { dbg!(1); println!(\"{}\", concat!(file!(), 1)); }", false),
            ("fn f() { dbg!(1); println!(\"[{}:1:1]\", file!()); }", false),
            ("fn f() { dbg!(1); println!(\"[{}.rs:1:1]\", module_path!()); }", false),
            ("use std::dbg as d; fn f() { dbg!(1); }", false),
            ("macro_rules! m { ($n:ident) => { std::$n!() } } fn f() { m!(dbg); dbg!(1); }", false),
        ] {
            assert_eq!(prints_own_file_on_stderr(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_text_may_ask_for_its_own_file_in_many_ways() {
        for text in [
            "const FILE: &str = file!();",
            "use std::file as f;",
            "const FILE: &str = concat!(module_path!(), \".rs\");",
            "use std::{column, file};",
            "macro_rules! m { ($n:ident) => { std::$n!() } } fn f() { m!(file); }",
            "const FILE: &str = std::panic::Location::caller().file();",
            "macro_rules! m { ($n:ident) => { std::panic::Location::$n() } } fn f() { m!(caller); }",
            "fn f() { println!(\"{}\", concat!(file!(), \"0\")); }",
            "macro_rules! m { () => { own! { eprintln!(\"{}\", file!()); } } }",
            "macro_rules! eprintln { ($($t:tt)*) => {} } fn f() { eprintln!(\"{}\", file!()); }",
            "fn f() { println!(\"{}\", { const F: &str = file!(); F }); }",
        ] {
            assert!(Wording::of(text).places, "{text}");
        }
        for text in [
            "fn f(file: u8) { let rank = file as u32; println!(\"{}\", file); }",
            "// file!()",
            "#[track_caller] fn f(caller: u8) -> u8 { own!(caller) }",
            "macro_rules! debug { ($x:expr) => { if cfg!(debug_assertions) { eprintln!(\"{} {}\", file!(), $x); } } }",
        ] {
            assert!(!Wording::of(text).places, "{text}");
        }
    }
}
