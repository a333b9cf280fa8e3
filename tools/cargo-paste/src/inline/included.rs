//! Files that hold items and are included, such as those that a build script wrote: their text is taken in.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::text::{Edits, Kind, Mapped, Tokens};

/// The values of a crate's variables.
type Variables = BTreeMap<String, Option<String>>;

/// Puts the content of `include!("…");` in its place wherever it stands for items. `path` is the file that `text` is of.
pub(super) fn take_in(text: Mapped, path: &Path, variables: &Variables) -> Mapped {
    if !text.text.contains("include!") {
        return text;
    }
    let Ok(stream) = text.text.parse() else { return text };
    let tokens = Tokens::new(&text.text, stream);
    let mut edits = Edits::default();
    for at in 0..tokens.list.len() {
        let Some(Kind::Open(_, close)) = tokens.list.get(at + 2).map(|token| token.kind) else { continue };
        let start = call_start(&tokens, at);
        let first = match start.checked_sub(1).map(|before| tokens.list[before].kind) {
            None | Some(Kind::Punct(';', _) | Kind::Doc | Kind::Open(..) | Kind::Close(_)) => true,
            Some(_) => false,
        };
        let called = tokens.text(at) == "include" && tokens.is(at + 1, '!') && tokens.is(close + 1, ';');
        if !first || !called {
            continue;
        }
        let Some(name) = evaluate(&tokens, at + 3..close, variables) else { continue };
        let file = path.parent().unwrap_or(path).join(name);
        let Ok(content) = std::fs::read_to_string(&file) else { continue };
        if syn::parse_file(&content).is_ok_and(|file| file.attrs.is_empty()) {
            let inner = take_in(Mapped::from(content), &file, variables);
            edits.replace(tokens.list[start].range.start..tokens.list[close + 1].range.end, inner);
        }
    }
    edits.apply_on(&text)
}

/// Where the call of the macro named at token `at` starts: `std::env!` is `env!`.
pub(super) fn call_start(tokens: &Tokens<'_>, at: usize) -> usize {
    let in_std = at >= 3 && tokens.is_colons(at - 2) && matches!(tokens.text(at - 3), "std" | "core");
    match at {
        _ if !in_std => at,
        5.. if tokens.is_colons(at - 5) => at - 5,
        _ => at - 3,
    }
}

/// A text made of literals, `concat!` and `env!`.
pub(super) fn evaluate(tokens: &Tokens<'_>, range: Range<usize>, variables: &Variables) -> Option<String> {
    let mut text = String::new();
    let mut at = range.start;
    while at < range.end {
        let call = match tokens.list.get(at + 2).map(|token| token.kind) {
            Some(Kind::Open(_, close)) if tokens.is(at + 1, '!') => Some(close),
            _ => None,
        };
        match (tokens.text(at), call) {
            ("concat", Some(close)) => {
                text.push_str(&evaluate(tokens, at + 3..close, variables)?);
                at = close + 1;
            }
            ("env", Some(close)) => {
                let name = evaluate(tokens, at + 3..close, variables)?;
                text.push_str(variables.get(&name)?.as_ref()?);
                at = close + 1;
            }
            (",", _) => at += 1,
            ("std" | "core", _) if tokens.is_colons(at + 1) => at += 3,
            (word, _) => {
                text.push_str(&syn::parse_str::<syn::LitStr>(word).ok()?.value());
                at += 1;
            }
        }
    }
    Some(text)
}
