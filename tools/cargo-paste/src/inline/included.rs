//! Files that hold items and are included, such as those that a build script wrote: their text is taken in.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use anyhow::{Result, bail};
use proc_macro2::Delimiter;
use syn::Item;

use super::cfg::Settings;
use crate::text::{Edits, Kind, Mapped, Tokens};

/// The values of a crate's variables.
type Variables = BTreeMap<String, Option<String>>;

/// Puts the content of `include!("…");` in its place wherever it stands for items. `path` is the file that `text`
/// comes from.
///
/// # Errors
/// Fails if such a file has modules in files of their own, which are beside it and not beside `path`.
pub(super) fn take_in(text: Mapped, path: &Path, variables: &Variables, settings: &Settings) -> Result<Mapped> {
    if !text.text.contains("include!") {
        return Ok(text);
    }
    let Ok(stream) = text.text.parse() else { return Ok(text) };
    let tokens = Tokens::new(&text.text, stream);
    let mut edits = Edits::default();
    for at in 0..tokens.list.len() {
        let Some(Kind::Open(_, close)) = tokens.list.get(at + 2).map(|token| token.kind) else { continue };
        let start = call_start(&tokens, at);
        let first = match start.checked_sub(1).map(|before| tokens.list[before].kind) {
            None | Some(Kind::Punct(';', _) | Kind::Doc | Kind::Open(..) | Kind::Close(_)) => true,
            Some(_) => false,
        };
        let semicolon = tokens.is(close + 1, ';');
        let ends = semicolon || tokens.group(at + 2, Delimiter::Brace).is_some();
        let called = tokens.text(at) == "include" && tokens.is(at + 1, '!') && ends;
        if !first || !called {
            continue;
        }
        let Some(name) = evaluate(&tokens, at + 3..close, variables) else { continue };
        let file = path.parent().unwrap_or(path).join(name);
        let Ok(content) = std::fs::read_to_string(&file) else { continue };
        let Some(parsed) = syn::parse_file(&content).ok().filter(|file| file.attrs.is_empty()) else { continue };
        if let Some(module) = module_elsewhere(&parsed.items, settings) {
            bail!(
                "{} includes {}, which has `mod {module};`, a module in another file; move that line out of the included file",
                path.display(),
                file.display()
            );
        }
        let inner = take_in(Mapped::from(content), &file, variables, settings)?;
        let end = if semicolon { close + 1 } else { close };
        edits.replace(tokens.list[start].range.start..tokens.list[end].range.end, inner);
    }
    Ok(edits.apply_on(&text))
}

/// The first module that is in a file of its own.
fn module_elsewhere(items: &[Item], settings: &Settings) -> Option<String> {
    items.iter().find_map(|item| {
        let Item::Mod(item) = item else { return None };
        let attrs = super::attributes(settings, &item.attrs);
        // A whole path means the same wherever it stands.
        let anywhere = super::path_attribute(&attrs).is_some_and(|path| Path::new(&path).is_absolute());
        match &item.content {
            _ if !attrs.present || anywhere => None,
            Some((_, items)) => module_elsewhere(items, settings),
            None => Some(item.ident.to_string()),
        }
    })
}

/// The first token of the call of the macro whose name is token `at`: for `std::env!` that is `std`.
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
