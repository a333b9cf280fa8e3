//! Writes out calls of `macro_rules!` macros that stand in the place of items or members. Then what they make can be
//! taken out piece by piece.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, Item, TraitItem};

use super::rules::Rules;
use crate::text::{Edits, Kind, Mapped, Tokens, literals, plain};

/// How deep macro calls may be nested in what macros make. The compiler's own limit is the same.
const DEEPEST: usize = 128;
/// How often the text is read again, because a macro made macros.
const MOST_PASSES: usize = 4;
/// A call that makes more than this many bytes stays as it is.
const LARGEST: usize = 200_000;

/// A file's number, and bytes of it.
pub(super) type InFile = (usize, Range<usize>);

/// The text with the calls from byte `start` on written out, and the places of the macros in their files. Nothing if
/// there is no such call. `newest` are the modules of the crates of 2024. A call stays if a crate of 2024 calls a
/// macro of an older crate, or the other way round: no body shows when the temporary values in it end.
pub(super) fn write_out(text: &Mapped, start: usize, newest: &BTreeSet<String>) -> Option<(Mapped, Vec<InFile>)> {
    let mut written: Option<(Mapped, Vec<InFile>)> = None;
    for _ in 0..MOST_PASSES {
        let text = written.as_ref().map_or(text, |(text, _)| text);
        let Some(Pass { text, macros, more }) = pass(text, start, newest) else { break };
        written = Some((text, macros));
        if !more {
            break;
        }
    }
    written
}

/// The text after one pass.
struct Pass {
    text: Mapped,
    macros: Vec<InFile>,
    /// Whether macros were made. Other calls may name them.
    more: bool,
}

fn pass(text: &Mapped, start: usize, newest: &BTreeSet<String>) -> Option<Pass> {
    if !text.text[start..].contains("macro_rules!") {
        return None;
    }
    let file = syn::parse_file(&text.text).ok()?;
    let tokens = Tokens::new(&text.text, text.text.parse().ok()?);
    let mut definitions = Definitions::default();
    let crates = || {
        let items = file.items.iter().filter(|item| item.span().byte_range().start >= start);
        items.filter_map(|item| if let Item::Mod(module) = item { Some(module) } else { None })
    };
    for module in crates() {
        let name = module.ident.to_string();
        definitions.find(&tokens, module, plain(&name), text.text.len());
    }
    let writer = Writer { text, tokens: &tokens, definitions: &definitions, newest, made_macros: Cell::new(false) };
    let edits = crates().fold(Edits::default(), |edits, module| writer.root(module, edits));
    // If a macro made this one, its text comes from several places.
    let macros = definitions.all.values().flatten().flat_map(|definition| text.origins(definition.bytes.clone()));
    let (macros, more) = (macros.collect(), writer.made_macros.get());
    (!edits.is_empty()).then(|| Pass { text: edits.apply_on(text), macros, more })
}

/// A macro and where it can be called by its name alone.
struct Definition {
    rules: Rules,
    /// The module of its crate.
    root: String,
    bytes: Range<usize>,
    visible: Range<usize>,
}

/// The macros by their names.
#[derive(Default)]
struct Definitions {
    all: HashMap<String, Vec<Definition>>,
}

impl Definitions {
    /// Finds the macros in a module of crate `root`. Those of a `#[macro_use]` module are seen up to byte `end`.
    fn find(&mut self, tokens: &Tokens<'_>, module: &syn::ItemMod, root: &str, end: usize) {
        let Some((brace, items)) = &module.content else { return };
        let shared = module.attrs.iter().any(|attr| attr.path().is_ident("macro_use"));
        let end = if shared { end } else { brace.span.close().byte_range().start };
        for item in items {
            match item {
                Item::Mod(item) => self.find(tokens, item, root, end),
                Item::Macro(item) => self.define(tokens, item, root, end),
                _ => {}
            }
        }
    }

    fn define(&mut self, tokens: &Tokens<'_>, item: &syn::ItemMacro, root: &str, end: usize) {
        let Some(ident) = item.ident.as_ref().filter(|_| item.mac.path.is_ident("macro_rules")) else { return };
        let inside = inside(tokens, &item.mac);
        let Some(rules) = Rules::read(tokens, inside) else { return };
        let bytes = item.span().byte_range();
        let definition = Definition { rules, root: root.to_owned(), visible: bytes.end..end, bytes };
        self.all.entry(plain(&ident.to_string()).to_owned()).or_default().push(definition);
    }

    /// The macro that `path` means at byte `place` of crate `root`, if that is sure enough.
    fn meant(&self, path: &syn::Path, root: &str, place: usize) -> Option<&Definition> {
        let name = path.segments.last().map(|segment| segment.ident.to_string())?;
        let name = plain(&name);
        let of_name = || self.all.get(name).into_iter().flatten();
        let near = of_name().filter(|definition| definition.visible.contains(&place));
        if let Some(found) = near.max_by_key(|definition| definition.bytes.start).filter(|_| path.segments.len() == 1) {
            return Some(found);
        }
        // Otherwise an import or a path leads to it. An exported macro may be called `crate_macro` in the bundle.
        let named = path.segments.iter().rev().nth(1).map(|segment| segment.ident.to_string());
        let roots = [named.as_deref().unwrap_or(root), root];
        for root in roots {
            let hidden = self.all.get(&format!("{root}_{name}")).into_iter().flatten();
            let mut found = of_name().chain(hidden).filter(|definition| definition.root == root);
            if let Some(only) = found.next() {
                return found.next().is_none().then_some(only);
            }
        }
        let mut found = of_name();
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }
}

/// The tokens between the delimiters of a macro.
fn inside(tokens: &Tokens<'_>, mac: &syn::Macro) -> Range<usize> {
    let open = mac.delimiter.span().open().byte_range().start;
    let open = tokens.list.partition_point(|token| token.range.start < open);
    match tokens.list.get(open).map(|token| token.kind) {
        Some(Kind::Open(_, close)) => open + 1..close,
        _ => open..open,
    }
}

/// Where a call stands in the bundle. A call that a macro made stands where that macro is called.
#[derive(Clone, Copy)]
struct Place<'p> {
    byte: usize,
    /// The crate's module.
    root: &'p str,
}

/// What a call stands for.
#[derive(Clone, Copy)]
enum Slot {
    Items,
    Members,
    TraitMembers,
}

impl Slot {
    /// What has to be written before and after it so that it can be parsed as a file.
    fn around(self) -> (&'static str, &'static str) {
        match self {
            Self::Items => ("", ""),
            Self::Members => ("impl X {", "}"),
            Self::TraitMembers => ("trait X {", "}"),
        }
    }
}

/// A text whose calls are being written out.
struct Page<'p> {
    text: &'p Mapped,
    /// Where the text stands. For the whole bundle only `root` is used, since each call there has a byte of its own.
    place: Place<'p>,
    depth: usize,
    edits: Edits,
}

struct Writer<'w> {
    text: &'w Mapped,
    tokens: &'w Tokens<'w>,
    definitions: &'w Definitions,
    /// The modules of the crates of 2024.
    newest: &'w BTreeSet<String>,
    /// Whether a call made macros.
    made_macros: Cell<bool>,
}

impl Writer<'_> {
    /// Writes out the calls in a crate.
    fn root(&self, module: &syn::ItemMod, edits: Edits) -> Edits {
        let name = module.ident.to_string();
        let place = Place { byte: 0, root: plain(&name) };
        let mut page = Page { text: self.text, place, depth: 0, edits };
        self.items(content(module), &mut page);
        page.edits
    }

    fn items(&self, items: &[Item], page: &mut Page<'_>) {
        for item in items {
            match item {
                Item::Mod(module) => self.items(content(module), page),
                Item::Macro(item) if item.ident.is_none() => {
                    self.call(&item.mac, &item.attrs, item.span().byte_range(), Slot::Items, page);
                }
                Item::Impl(item) => {
                    for member in &item.items {
                        if let ImplItem::Macro(member) = member {
                            self.call(&member.mac, &member.attrs, member.span().byte_range(), Slot::Members, page);
                        }
                    }
                }
                Item::Trait(item) => {
                    for member in &item.items {
                        if let TraitItem::Macro(member) = member {
                            self.call(&member.mac, &member.attrs, member.span().byte_range(), Slot::TraitMembers, page);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn call(&self, mac: &syn::Macro, attrs: &[Attribute], range: Range<usize>, slot: Slot, page: &mut Page<'_>) {
        let mut place = page.place;
        if page.depth == 0 {
            place.byte = range.start;
        }
        if attrs.iter().all(|attr| attr.path().is_ident("doc"))
            && let Some(made) = self.made(mac, slot, page.text, place, page.depth)
        {
            page.edits.replace(range, made);
        }
    }

    /// What a call in `text` makes. Nothing if that cannot be said.
    fn made(&self, mac: &syn::Macro, slot: Slot, text: &Mapped, place: Place<'_>, depth: usize) -> Option<Mapped> {
        let definition = self.definitions.meant(&mac.path, place.root, place.byte)?;
        if self.newest.contains(&definition.root) != self.newest.contains(place.root) {
            return None;
        }
        let delimiters = mac.delimiter.span();
        let inside = delimiters.open().byte_range().end..delimiters.close().byte_range().start;
        let made = definition.rules.make(self.text, self.tokens, &text.slice(inside), "crate")?;
        if made.text.len() > LARGEST {
            return None;
        }
        let (before, after) = slot.around();
        let mut whole = Mapped::from(before);
        whole.push(&made);
        whole.push_str(after);
        let file = syn::parse_file(&whole.text).ok()?;
        // Calls beside a new macro may be calls of that one, which the next pass knows.
        let makes_macros = file.items.iter().any(|item| matches!(item, Item::Macro(item) if item.ident.is_some()));
        // A function with a macro of its own is one of many that differ little. They are smaller as a macro.
        if !makes_macros && made.text.contains("macro_rules") {
            return None;
        }
        self.made_macros.set(self.made_macros.get() || makes_macros);
        let mut page = Page { text: &whole, place, depth: depth + 1, edits: Edits::default() };
        if depth < DEEPEST && !makes_macros {
            self.items(&file.items, &mut page);
        }
        let done = page.edits.apply_on(&whole);
        Some(outdented(&done.slice(before.len()..done.text.len() - after.len())))
    }
}

/// Takes off the blanks that all lines start with, which are the macro's own indentation.
fn outdented(text: &Mapped) -> Mapped {
    let literals = literals(&text.text);
    let starts = || {
        let starts = text.text.match_indices('\n').map(|(at, _)| at + 1);
        starts.filter(|start| !literals.iter().any(|literal| literal.contains(start)))
    };
    let indent = |start: usize| {
        let line = text.text[start..].split('\n').next().unwrap_or_default();
        (line.len() - line.trim_start_matches(' ').len(), line.trim().is_empty())
    };
    let least = starts().map(indent).filter(|(_, blank)| !blank).map(|(indent, _)| indent).min().unwrap_or(0);
    let mut edits = Edits::default();
    for start in starts() {
        edits.remove(start..start + least.min(indent(start).0));
    }
    edits.apply_on(text)
}

fn content(module: &syn::ItemMod) -> &[Item] {
    module.content.as_ref().map_or(&[], |(_, items)| items)
}
