//! Procedural macros, written out: what they produced stands in the source in their place.
//!
//! All of it goes by tokens, so that uses inside `macro_rules` and inside what other macros produced are found as well.
//! What the author wrote stays as written wherever a macro hands it on unchanged.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use proc_macro2::Delimiter;

use crate::recorder::{Expansion, Kind};
use crate::text::{Edits, Kind as TokenKind, Mapped, Tokens, literals, plain};

/// Stands for the author's text while the text around it is formatted. As `name!();` it can be a statement, a member or
/// an item.
const PLACEHOLDER: &str = "cargo_paste_placeholder";

/// A file with its macros written out.
pub(super) struct Written<'e> {
    pub text: Mapped,
    /// What could not be written out, or only as a new `macro_rules!` that may not take every call, and why.
    pub left: Vec<(&'e Expansion, &'static str)>,
}

/// Puts what macros produced into the text of a file. `expansions` are in the order of their making.
pub(super) fn write_out<'e>(text: &str, expansions: &[&'e Expansion], solution: bool) -> Written<'e> {
    let lines = crate::nodes::line_starts(text);
    let mut written = Written { text: Mapped::of_file(text, 0), left: Vec::new() };
    for (number, expansion) in expansions.iter().enumerate() {
        let same = |other: &&Expansion| {
            (other.kind, other.line, other.column, &other.name)
                == (expansion.kind, expansion.line, expansion.column, &expansion.name)
        };
        let mut earlier = expansions[..number].iter().filter(|other| same(other)).peekable();
        let again = earlier.peek().is_some();
        if earlier.any(|other| other.output == expansion.output) {
            continue;
        }
        let place = lines.get(expansion.line.wrapping_sub(1)).and_then(|&start| {
            let line = text[start..].split('\n').next().unwrap_or_default();
            let (at, _) = line.char_indices().nth(expansion.column.wrapping_sub(1))?;
            Some(start + at)
        });
        let Ok(stream) = written.text.text.parse() else {
            written.left.push((expansion, "which stands in text that cannot be read"));
            continue;
        };
        let tokens = Tokens::new(&written.text.text, stream);
        let page = Page { opens: opens(&tokens), tokens, text: &written.text, solution };
        let spot = place.and_then(|place| page.at_place(expansion, written.text.find(place)?));
        let varies = expansions.iter().any(|other| same(other) && other.output != expansion.output);
        if let Some(spot) = spot.filter(|&spot| varies && page.in_macro_rules(spot)) {
            // The rules that are written here may not take every call. If the paste then does not compile, this is why.
            written.left.push((expansion, "which makes something else each time the macro around it is called"));
            let all: Vec<&Expansion> = expansions.iter().copied().filter(same).collect();
            if let Some(edits) = page.rules(&all, spot).filter(|_| !again) {
                written.text = edits.apply_on(&written.text);
            }
            continue;
        }
        let done = spot.or_else(|| page.by_content(expansion)).and_then(|spot| page.edit(expansion, spot));
        match done {
            Some(edits) => written.text = edits.apply_on(&written.text),
            None => written.left.push((expansion, "whose place in the source cargo-paste cannot find")),
        }
    }
    written
}

/// Whether a source file defines something of this name.
pub(super) fn defines(file: &Path, name: &str) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    if !text.contains(name) {
        return false;
    }
    let Ok(stream) = text.parse() else { return true };
    let tokens = Tokens::new(&text, stream);
    (1..tokens.list.len()).any(|at| {
        if !tokens.is_ident(at) || plain(tokens.text(at)) != name {
            return false;
        }
        let before = tokens.text(at - 1);
        let item = matches!(before, "struct" | "enum" | "trait" | "type" | "fn" | "mod" | "union" | "const" | "static");
        item || (before == "!" && at >= 2 && tokens.text(at - 2) == "macro_rules")
    })
}

/// The opening index of each closing token.
fn opens(tokens: &Tokens<'_>) -> Vec<usize> {
    let mut opens: Vec<usize> = (0..tokens.list.len()).collect();
    for (at, token) in tokens.list.iter().enumerate() {
        if let TokenKind::Open(_, close) = token.kind {
            opens[close] = at;
        }
    }
    opens
}

/// An item with its attributes, by its tokens.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// Its first attribute.
    start: usize,
    /// What follows its attributes.
    core: usize,
    /// Its last token.
    end: usize,
}

/// A file that is being rewritten, as tokens.
struct Page<'t> {
    tokens: Tokens<'t>,
    opens: Vec<usize>,
    text: &'t Mapped,
    solution: bool,
}

impl<'t> Page<'t> {
    /// The token at byte `place` if the macro is used there.
    fn at_place(&self, expansion: &Expansion, place: usize) -> Option<usize> {
        let at = self.tokens.list.binary_search_by_key(&place, |token| token.range.start).ok()?;
        match expansion.kind {
            // In `cfg_attr`, the place that was recorded is that of the macro's name.
            Kind::Attribute if self.tokens.is_ident(at) => {
                let mut open = self.around(at)?;
                while self.attribute_of(open).is_none() {
                    open = self.around(open)?;
                }
                self.attribute_of(open)
            }
            Kind::Attribute => {
                self.tokens.group(at + 1, Delimiter::Bracket).filter(|_| self.tokens.is(at, '#')).map(|_| at)
            }
            Kind::Derive => self.list_of(at).map(|_| at),
            Kind::Call => self.call(at).map(|_| at),
        }
    }

    /// The token where the macro is used, found by what the macro was given. Another macro may have lost the places of
    /// what it handed on, so produced text is searched first, and then the whole text.
    fn by_content(&self, expansion: &Expansion) -> Option<usize> {
        let input = expansion.input.parse().ok()?;
        let input = Tokens::new(&expansion.input, input);
        let wanted = shape(&input, 0..input.list.len());
        let is_use = |at: usize| match expansion.kind {
            Kind::Attribute => {
                let Some(close) = self.attribute_end(at) else { return false };
                let name = (at + 2..close).take_while(|&at| self.tokens.is_ident(at) || self.tokens.is(at, ':')).last();
                name.is_some_and(|name| plain(self.tokens.text(name)) == expansion.name)
                    && self.item(at).is_some_and(|item| shape(&self.tokens, item.core..item.end + 1) == wanted)
            }
            Kind::Derive => {
                let Some(open) = self.list_of(at) else { return false };
                let (first, last) = self.element(at, open);
                let named = first == at && plain(self.tokens.text(last)) == expansion.name;
                named
                    && self.around(open).and_then(|bracket| self.attribute_of(bracket)).is_some_and(|attribute| {
                        let item = self.item(attribute);
                        item.is_some_and(|item| {
                            let found = shape(&self.tokens, item.core..item.end + 1);
                            found == wanted || named_type(&found) == named_type(&wanted)
                        })
                    })
            }
            Kind::Call => {
                let path_goes_on = at > 1 && self.tokens.is_colons(at - 2);
                !path_goes_on
                    && self.call(at).is_some_and(|(open, close)| {
                        plain(self.tokens.text(open - 2)) == expansion.name
                            && words(&self.tokens, open + 1..close) == words(&input, 0..input.list.len())
                    })
            }
        };
        let produced = |at: usize| self.text.origin(self.tokens.list[at].range.start).is_none();
        let mut all = 0..self.tokens.list.len();
        all.clone().find(|&at| produced(at) && is_use(at)).or_else(|| all.find(|&at| is_use(at)))
    }

    fn edit(&self, expansion: &Expansion, at: usize) -> Option<Edits> {
        match expansion.kind {
            Kind::Attribute => self.attribute(expansion, at),
            Kind::Derive => self.derive(expansion, at),
            Kind::Call => self.function(expansion, at),
        }
    }

    /// The opening of the group around token `at`.
    fn around(&self, at: usize) -> Option<usize> {
        let mut before = at;
        while before > 0 {
            before -= 1;
            match self.tokens.list[before].kind {
                TokenKind::Open(..) => return Some(before),
                TokenKind::Close(_) => before = self.opens[before],
                _ => {}
            }
        }
        None
    }

    /// The `#` of the attribute whose bracket opens at `open`.
    fn attribute_of(&self, open: usize) -> Option<usize> {
        self.tokens.group(open, Delimiter::Bracket)?;
        open.checked_sub(1).filter(|&at| self.tokens.is(at, '#'))
    }

    /// The last token of the attribute that starts at `at`.
    fn attribute_end(&self, at: usize) -> Option<usize> {
        self.tokens.group(at + 1, Delimiter::Bracket).filter(|_| self.tokens.is(at, '#'))
    }

    /// Whether token `at` is the doc comment of what follows.
    fn is_doc(&self, at: usize) -> bool {
        let text = self.tokens.text(at);
        self.tokens.list.get(at).is_some_and(|token| token.kind == TokenKind::Doc)
            && !text.starts_with("//!")
            && !text.starts_with("/*!")
    }

    /// The item with an attribute at `at`.
    fn item(&self, at: usize) -> Option<Item> {
        let mut start = at;
        while start > 0 {
            let before = start - 1;
            let attribute = matches!(self.tokens.list[before].kind, TokenKind::Close(Delimiter::Bracket))
                .then(|| self.attribute_of(self.opens[before]))
                .flatten();
            start = match attribute {
                Some(attribute) => attribute,
                None if self.is_doc(before) => before,
                None => break,
            };
        }
        let mut core = at;
        loop {
            core = match self.attribute_end(core) {
                Some(close) => close + 1,
                None if self.is_doc(core) => core + 1,
                None => break,
            };
        }
        Some(Item { start, core, end: self.item_end(core)? })
    }

    /// The last token of the item that starts at `core`.
    fn item_end(&self, core: usize) -> Option<usize> {
        let tokens = &self.tokens;
        let mut at = core;
        if tokens.text(at) == "pub" {
            at = tokens.group(at + 1, Delimiter::Parenthesis).unwrap_or(at) + 1;
        }
        let function = matches!(tokens.text(at + 1), "fn" | "unsafe" | "extern" | "async");
        let to_semicolon = match tokens.text(at) {
            "use" | "static" | "type" | "let" => true,
            "const" => !function,
            "extern" => tokens.text(at + 1) == "crate",
            _ => false,
        };
        let mut last = None;
        // `Board<{ N }>` has braces that are no body. A comma before the brace does not tell them apart, since a
        // `where` may end with one, too.
        let mut angles = 0_usize;
        while let Some(token) = tokens.list.get(at) {
            match token.kind {
                TokenKind::Punct(';', _) => return Some(at),
                TokenKind::Punct('<', _) => angles += 1,
                TokenKind::Punct('>', _) if !tokens.is(at - 1, '-') => angles = angles.saturating_sub(1),
                TokenKind::Open(Delimiter::Brace, close) if !to_semicolon && angles == 0 => return Some(close),
                TokenKind::Open(_, close) => at = close,
                TokenKind::Close(_) => break,
                _ => {}
            }
            last = Some(at);
            at += 1;
        }
        last
    }

    /// The parenthesis of `derive(…)` around token `at`.
    fn list_of(&self, at: usize) -> Option<usize> {
        let open = self.around(at)?;
        self.tokens.group(open, Delimiter::Parenthesis)?;
        (open > 0 && self.tokens.text(open - 1) == "derive").then_some(open)
    }

    /// The first and the last token of the element around `at` in the list that opens at `open`.
    fn element(&self, at: usize, open: usize) -> (usize, usize) {
        let close = self.tokens.group(open, Delimiter::Parenthesis).unwrap_or(at + 1);
        let first = (open + 1..=at).rev().take_while(|&at| !self.tokens.is(at, ',')).last().unwrap_or(at);
        let last = (at..close).take_while(|&at| !self.tokens.is(at, ',')).last().unwrap_or(at);
        (first, last)
    }

    /// The group of the macro call whose path starts at `at`.
    fn call(&self, at: usize) -> Option<(usize, usize)> {
        // The path may start with `$crate`.
        let mut bang = at + usize::from(self.tokens.is(at, '$'));
        while self.tokens.is_ident(bang) || self.tokens.is(bang, ':') {
            bang += 1;
        }
        let open = bang + 1;
        match self.tokens.list.get(open)?.kind {
            TokenKind::Open(_, close) if self.tokens.is(bang, '!') && bang > at => Some((open, close)),
            _ => None,
        }
    }

    /// The openings around `at` that belong to macro calls or definitions, from the inside out.
    fn macros_around(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = at;
        while let Some(open) = self.around(at) {
            let called = open > 1 && self.tokens.is(open - 1, '!') && self.tokens.is_ident(open - 2);
            if called || self.defines_macro(open) {
                found.push(open);
            }
            at = open;
        }
        found
    }

    fn defines_macro(&self, open: usize) -> bool {
        open > 2 && self.tokens.is(open - 2, '!') && self.tokens.text(open - 3) == "macro_rules"
    }

    fn in_macro_rules(&self, at: usize) -> bool {
        self.macros_around(at).into_iter().any(|open| self.defines_macro(open))
    }

    /// The bytes from token `first` to token `last`.
    fn bytes(&self, first: usize, last: usize) -> Range<usize> {
        self.tokens.list[first].range.start..self.tokens.list[last].range.end
    }

    /// The bytes of something that is taken out, and the line it leaves empty.
    fn with_line(&self, first: usize, last: usize) -> Range<usize> {
        let mut range = self.bytes(first, last);
        let text = &self.text.text;
        let line = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[range.end..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if text[line..range.start].trim().is_empty() && rest[blank..].starts_with('\n') {
            range = line..range.end + blank + 1;
        } else {
            range.end += blank;
        }
        range
    }

    /// The blanks at the start of the line that `place` is on.
    fn indent(&self, place: usize) -> &'t str {
        let text = &self.text.text;
        let line = text[..place].rfind('\n').map_or(0, |at| at + 1);
        let blank = text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len();
        &text[line..(line + blank).min(place)]
    }

    /// The line that introduces what a macro produced, in the solution.
    fn comment(&self, expansion: &Expansion, at: usize, indent: &str) -> String {
        let written = self.text.origin(self.tokens.list[at].range.start).is_some();
        if self.solution && written && self.macros_around(at).is_empty() {
            format!("// written out: {}\n{indent}", expansion.shown())
        } else {
            String::new()
        }
    }

    /// `#[name]` on an item becomes what the macro made of the item.
    fn attribute(&self, expansion: &Expansion, at: usize) -> Option<Edits> {
        let item = self.item(at)?;
        let output = Tokens::new(&expansion.output, expansion.output.parse().ok()?);
        let (start, close) = (self.bytes(item.start, item.start).start, self.attribute_end(at)?);
        let indent = self.indent(start);
        let mut edits = Edits::default();
        // Derives that stand before the attribute were expanded first, so the macro did not see them.
        let mut kept = Vec::new();
        let mut others = Vec::new();
        let mut next = item.start;
        while next < item.core {
            let last = self.attribute_end(next).unwrap_or(next);
            if next < at && self.tokens.text(next + 2) == "derive" {
                kept.push(self.text.text[self.bytes(next, last)].to_owned());
            } else if next != at {
                others.extend(words(&self.tokens, next..last + 1));
            }
            next = last + 1;
        }
        let core = words(&self.tokens, item.core..item.end + 1);
        let all = words(&output, 0..output.list.len());
        if let Some(run) = all.windows(core.len()).position(|run| run == core)
            && all[..run] == others
            && self.tokens.text(at + 2) != "cfg_attr"
        {
            // The item is handed on as it is, and something may follow.
            edits.remove(self.with_line(at, close));
            let rest = output.list.get(run + core.len());
            if let Some(rest) = rest {
                let made = pretty(&expansion.output[rest.range.start..]);
                let comment = self.comment(expansion, at, indent);
                let end = self.bytes(item.end, item.end).end;
                edits.append(end, format!("\n\n{indent}{comment}{}", indented(&made, indent)));
            }
            return Some(edits);
        }
        let mut text = Mapped::from(self.comment(expansion, at, indent));
        for derive in kept {
            text.push_str(&format!("{derive}\n{indent}"));
        }
        text.push(&self.around_body(expansion, &output, item.end, indent));
        edits.replace(start..self.bytes(item.end, item.end).end, text);
        Some(edits)
    }

    /// What a macro made of an item that ends with token `end`; its body as written if the macro hands it on.
    fn around_body(&self, expansion: &Expansion, output: &Tokens<'_>, end: usize, indent: &str) -> Mapped {
        let whole = || Mapped::from(indented(&pretty(&expansion.output), indent));
        let open = self.opens[end];
        let body = words(&self.tokens, open..end + 1);
        let found = (0..output.list.len()).find_map(|at| {
            let close = output.group(at, Delimiter::Brace)?;
            (body.len() > 2 && words(output, at..close + 1) == body).then_some((at, close))
        });
        let Some((first, last)) = found else { return whole() };
        let range = output.list[first].range.end..output.list[last].range.start;
        let mut shell = expansion.output.clone();
        shell.replace_range(range, &format!(" {PLACEHOLDER}!(); "));
        let shell = indented(&pretty(&shell), indent);
        let Ok(stream) = shell.parse() else { return whole() };
        let tokens = Tokens::new(&shell, stream);
        let Some(at) = (0..tokens.list.len()).find(|&at| tokens.text(at) == PLACEHOLDER) else { return whole() };
        // `{ placeholder ! ( ) ; }`
        let Some(close) = at.checked_sub(1).and_then(|open| tokens.group(open, Delimiter::Brace)) else {
            return whole();
        };
        if close != at + 5 {
            return whole();
        }
        let mut edits = Edits::default();
        let body = self.text.slice(self.bytes(open, end));
        edits.replace(tokens.list[at - 1].range.start..tokens.list[close].range.end, body);
        edits.apply_on(&Mapped::from(shell.as_str()))
    }

    /// A name is taken out of `#[derive(…)]`, and what its macro made follows the item.
    fn derive(&self, expansion: &Expansion, at: usize) -> Option<Edits> {
        let open = self.list_of(at)?;
        let close = self.tokens.group(open, Delimiter::Parenthesis)?;
        let (first, last) = self.element(at, open);
        let mut bracket = self.around(open)?;
        while self.attribute_of(bracket).is_none() {
            bracket = self.around(bracket)?;
        }
        let attribute = self.attribute_of(bracket)?;
        let item = self.item(attribute)?;
        let mut edits = Edits::default();
        let only = first == open + 1 && (last + 1 == close || (last + 2 == close && self.tokens.is(last + 1, ',')));
        if only && bracket + 2 == open {
            edits.remove(self.with_line(attribute, self.attribute_end(attribute)?));
        } else if self.tokens.is(last + 1, ',') {
            let next = self.tokens.list[last + 2].range.start;
            edits.remove(self.bytes(first, last).start..next);
        } else if first > open + 1 {
            edits.remove(self.bytes(first - 1, last));
        } else {
            edits.remove(self.bytes(first, last));
        }
        let default_derived =
            (item.start..item.core).any(|at| self.tokens.text(at) == "Default" && self.list_of(at).is_some());
        for at in item.start..item.end {
            let Some(close) = self.attribute_end(at) else { continue };
            let name = plain(self.tokens.text(at + 2));
            let path_goes_on = self.tokens.is_colons(at + 3);
            let of_default = name == "default" && default_derived;
            if !path_goes_on && !of_default && expansion.helpers.iter().any(|helper| plain(helper) == name) {
                edits.remove(self.with_line(at, close));
            }
        }
        if expansion.output.trim().is_empty() {
            return Some(edits);
        }
        // It goes after the item, or after the macro call that the item is an argument of.
        let around = self.macros_around(attribute);
        let mut end = item.end;
        if let (Some(&outermost), false) = (around.last(), self.in_macro_rules(attribute)) {
            end = self.tokens.group(outermost, Delimiter::Brace).unwrap_or_else(|| {
                match self.tokens.list[outermost].kind {
                    TokenKind::Open(_, close) => close,
                    _ => item.end,
                }
            });
            end += usize::from(self.tokens.is(end + 1, ';'));
        }
        let indent = self.indent(self.bytes(if end == item.end { item.start } else { end }, end).start);
        let comment = self.comment(expansion, attribute, indent);
        let made = indented(&pretty(&expansion.output), indent);
        edits.append(self.bytes(end, end).end, format!("\n\n{indent}{comment}{made}"));
        Some(edits)
    }

    /// A call inside a macro gets different input each time. It becomes a call of a new macro with one rule for each
    /// input.
    fn rules(&self, all: &[&Expansion], at: usize) -> Option<Edits> {
        let (open, close) = self.call(at)?;
        let around = self.macros_around(at).into_iter().find(|&open| self.defines_macro(open))?;
        let item = self.item(around - 3)?;
        let first = all.first().filter(|first| first.kind == Kind::Call)?;
        let outer = plain(self.tokens.text(around - 1));
        let name = format!("{outer}_{}_{}_{}", first.name, first.line, first.column);
        let mut known = BTreeMap::new();
        for expansion in all {
            let input = Tokens::new(&expansion.input, expansion.input.parse().ok()?);
            let mut without_docs = Edits::default();
            for (first, last) in docs(&input, 0..input.list.len()) {
                without_docs.replace(input.list[first].range.start..input.list[last].range.end, " ");
            }
            let input = without_docs.apply(&expansion.input);
            if input.contains('$') || *known.entry(input).or_insert(&expansion.output) != &expansion.output {
                return None;
            }
        }
        let exported = (item.start..item.core).any(|at| self.tokens.text(at) == "macro_export");
        let (export, path) = if exported { ("#[macro_export]\n", "$crate::") } else { ("", "") };
        let mut rules = String::new();
        for (input, output) in known {
            let _ = writeln!(rules, "    ({input}) => {{{output}}};");
        }
        let mut edits = Edits::default();
        let start = self.bytes(item.start, item.start).start;
        edits.insert(start, format!("{export}macro_rules! {name} {{\n{rules}}}\n"));
        edits.replace(self.bytes(at, open - 2), format!("{path}{name}"));
        // A rule would have to repeat what is in a comment.
        for (first, last) in docs(&self.tokens, open + 1..close) {
            edits.remove(self.with_line(first, last));
        }
        Some(edits)
    }

    /// `name!(…)` becomes what it made.
    fn function(&self, expansion: &Expansion, at: usize) -> Option<Edits> {
        let (_, close) = self.call(at)?;
        let mut range = self.bytes(at, close);
        let indent = self.indent(range.start);
        let first = match at.checked_sub(1).map(|before| self.tokens.list[before].kind) {
            None
            | Some(
                TokenKind::Punct(';', _)
                | TokenKind::Open(Delimiter::Brace, _)
                | TokenKind::Close(Delimiter::Brace)
                | TokenKind::Doc,
            ) => true,
            Some(TokenKind::Close(Delimiter::Bracket)) => self.attribute_of(self.opens[at - 1]).is_some(),
            Some(_) => false,
        };
        let semicolon = self.tokens.is(close + 1, ';');
        let last = match self.tokens.list.get(close + 1).map(|token| token.kind) {
            None | Some(TokenKind::Close(_)) => true,
            _ => semicolon,
        };
        let braces = matches!(self.tokens.list[close].kind, TokenKind::Close(Delimiter::Brace));
        let mut edits = Edits::default();
        if first && (last || braces) {
            let mut made = pretty(&expansion.output);
            let items = syn::parse_file(&expansion.output).is_ok();
            if items && semicolon {
                range.end = self.bytes(close, close + 1).end;
            } else if !items && !last && ends_with_value(&expansion.output) {
                made.push(';');
            }
            let comment = self.comment(expansion, at, indent);
            edits.replace(range, format!("{comment}{}", indented(&made, indent)));
            return Some(edits);
        }
        let output = Tokens::new(&expansion.output, expansion.output.parse().ok()?);
        let single = match output.list.first()?.kind {
            TokenKind::Open(_, close) => close + 1 == output.list.len(),
            _ => output.list.len() == 1,
        };
        let made = if single { expansion.output.clone() } else { format!("({})", expansion.output) };
        let comment = self.comment(expansion, at, "");
        let comment = if comment.is_empty() { comment } else { format!("/*{} */ ", comment[2..].trim_end()) };
        edits.replace(range, format!("{comment}{made}"));
        Some(edits)
    }
}

/// The doc comments and `#[doc …]` among tokens, each from its first to its last token.
fn docs(tokens: &Tokens<'_>, range: Range<usize>) -> Vec<(usize, usize)> {
    let doc = |at: usize| match tokens.group(at + 1, Delimiter::Bracket) {
        Some(close) if tokens.is(at, '#') && tokens.text(at + 2) == "doc" => Some((at, close)),
        _ => (tokens.list[at].kind == TokenKind::Doc).then_some((at, at)),
    };
    range.filter_map(doc).collect()
}

/// Whether the last statement is a value without a semicolon.
fn ends_with_value(text: &str) -> bool {
    let block = syn::parse_str::<syn::Block>(&format!("{{{text}}}"));
    block.is_ok_and(|block| matches!(block.stmts.last(), Some(syn::Stmt::Expr(_, None))))
}

/// The texts of tokens.
fn words<'t>(tokens: &Tokens<'t>, range: Range<usize>) -> Vec<&'t str> {
    range.map(|at| tokens.text(at)).collect()
}

/// The texts of tokens without attributes and doc comments.
fn shape<'t>(tokens: &Tokens<'t>, range: Range<usize>) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let bracket = at + 1 + usize::from(tokens.is(at + 1, '!'));
        if let Some(close) = tokens.group(bracket, Delimiter::Bracket).filter(|_| tokens.is(at, '#')) {
            at = close + 1;
            continue;
        }
        if tokens.list[at].kind != TokenKind::Doc {
            found.push(tokens.text(at));
        }
        at += 1;
    }
    found
}

/// The name of the type that a shape defines.
fn named_type<'t>(shape: &[&'t str]) -> Option<&'t str> {
    let at = shape.iter().position(|word| matches!(*word, "struct" | "enum" | "union"))?;
    shape.get(at + 1).copied()
}

/// What a macro produced, formatted where it can be read as items, members or statements.
fn pretty(text: &str) -> String {
    if let Ok(file) = syn::parse_file(text) {
        return prettyplease::unparse(&file).trim().to_owned();
    }
    for head in ["impl Placeholder", "fn placeholder()"] {
        if let Ok(file) = syn::parse_file(&format!("{head} {{{text}}}")) {
            let made = prettyplease::unparse(&file);
            let inside =
                made.split_once('{').and_then(|(_, rest)| rest.rsplit_once('}')).map_or("", |(inside, _)| inside);
            return by_line(inside, |line| line.strip_prefix("    ").unwrap_or(line).to_owned()).trim().to_owned();
        }
    }
    text.to_owned()
}

/// The text with every line but the first moved to the right.
fn indented(text: &str, indent: &str) -> String {
    let mut first = true;
    by_line(text, |line| {
        let moved = !std::mem::take(&mut first) && !line.is_empty();
        if moved { format!("{indent}{line}") } else { line.to_owned() }
    })
}

/// Changes each line that does not start inside a literal.
fn by_line(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    let literals = literals(text);
    let mut place = 0;
    let lines = text.split('\n').map(|line| {
        let start = place;
        place += line.len() + 1;
        let fixed = literals.iter().any(|literal| literal.start < start && start < literal.end);
        if fixed { line.to_owned() } else { change(line) }
    });
    lines.collect::<Vec<String>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expansion(kind: Kind, name: &str, place: (usize, usize), input: &str, output: &str) -> Expansion {
        let (input, output) = (input.to_owned(), output.to_owned());
        let helpers = vec!["help".to_owned()];
        let (line, column) = place;
        Expansion { kind, name: name.to_owned(), helpers, file: "a.rs".into(), line, column, input, output }
    }

    fn written(text: &str, expansions: &[Expansion]) -> String {
        let expansions: Vec<&Expansion> = expansions.iter().collect();
        let written = write_out(text, &expansions, true);
        assert!(written.left.is_empty(), "{:?}", written.left);
        written.text.text
    }

    #[test]
    fn a_body_that_is_handed_on_stays_as_written() {
        let text = "use x;\n\n#[fast]\nfn main() {\n    // why\n    let x   = 1;\n}\n";
        let output = "fn main() { let out = 1 ; let r = { let x = 1; } ; return r ; }";
        let one = expansion(Kind::Attribute, "fast", (3, 1), "fn main() { let x = 1; }", output);
        assert_eq!(
            written(text, &[one]),
            "use x;\n\n// written out: #[fast]\nfn main() {\n    let out = 1;\n    let r = {\n    // why\n    let x   = 1;\n};\n    \
             return r;\n}\n"
        );
    }

    #[test]
    fn an_item_that_is_handed_on_stays_and_the_rest_follows() {
        let text = "#[derive(Debug)]\n#[read]\nstruct P { x: i32 } // two\nfn f() {}\n";
        let output = "struct P { x: i32 } impl Read for P { fn r() {} }";
        let one = expansion(Kind::Attribute, "read", (2, 1), "struct P { x: i32 }", output);
        assert_eq!(
            written(text, &[one]),
            "#[derive(Debug)]\nstruct P { x: i32 }\n\n// written out: #[read]\nimpl Read for P {\n    fn r() {}\n} // two\nfn \
             f() {}\n"
        );
    }

    #[test]
    fn an_item_ends_with_its_body() {
        for item in [
            "impl<T> T\nwhere\n    T: Iterator<Item = u8>,\n    T: Fn(u8) -> u8,\n{ fn f() {} }",
            "impl Board<{ N }, 3> for Other<A, { M }> { fn f() {} }",
        ] {
            let text = format!("#[read]\n{item}\nfn g() {{}}\n");
            let one = expansion(Kind::Attribute, "read", (1, 1), item, "trait Made {}");
            assert_eq!(written(&text, &[one]), "// written out: #[read]\ntrait Made {}\nfn g() {}\n");
        }
    }

    #[test]
    fn a_derive_goes_with_its_helpers() {
        let text = "#[derive(Clone, Make, Debug)]\n#[help(1)]\nenum E {\n    #[help(2)]\n    A,\n}\n";
        let one = expansion(Kind::Derive, "Make", (1, 17), "enum E { A }", "impl Make for E {}");
        assert_eq!(
            written(text, &[one]),
            "#[derive(Clone, Debug)]\nenum E {\n    A,\n}\n\n// written out: #[derive(Make)]\nimpl Make for E {}\n"
        );
    }

    #[test]
    fn calls_are_written_out_by_where_they_stand() {
        let text = "make!(a);\nfn main() {\n    let x = make!(b) * 2;\n    make!(c);\n}\n";
        let all = [
            expansion(Kind::Call, "make", (1, 1), "a", "fn a() {}"),
            expansion(Kind::Call, "make", (3, 13), "b", "1 + 2"),
            expansion(Kind::Call, "make", (4, 5), "c", "let y = 1; f(y)"),
        ];
        assert_eq!(
            written(text, &all),
            "// written out: make!\nfn a() {}\nfn main() {\n    let x = /* written out: make! */ (1 + 2) * 2;\n    // written \
             out: make!\n    let y = 1;\n    f(y);\n}\n"
        );
    }

    #[test]
    fn the_second_of_two_attributes_is_found_in_what_the_first_made() {
        let text = "#[a]\n#[b]\nfn f() {}\n";
        let all = [
            expansion(Kind::Attribute, "a", (1, 1), "#[b] fn f() {}", "fn g() {} #[b] fn f() { 1; }"),
            expansion(Kind::Attribute, "b", (2, 1), "fn f() { 1; }", "fn f() { 2; }"),
        ];
        assert_eq!(written(text, &all), "// written out: #[a]\nfn g() {}\nfn f() {\n    2;\n}\n");
    }

    #[test]
    fn a_call_in_a_macro_gets_a_rule_for_each_thing_it_is_given() {
        let text =
            "#[macro_export]\nmacro_rules! m { ($n:ident) => { x::make! {\n    /// Docs.\n    a $n\n} } }\nm!(b);\n";
        let all = [
            expansion(Kind::Call, "make", (2, 34), "#[doc = r\" Docs.\"] a b", "fn ab() {}"),
            expansion(Kind::Call, "make", (2, 34), "#[doc = r\" Docs.\"] a c", "fn ac() {}"),
        ];
        let all: Vec<&Expansion> = all.iter().collect();
        assert_eq!(
            write_out(text, &all, true).text.text,
            "#[macro_export]\nmacro_rules! m_make_2_34 {\n    (  a b) => {fn ab() {}};\n    (  a c) => {fn ac() {}};\n}\n\
             #[macro_export]\nmacro_rules! m { ($n:ident) => { $crate::m_make_2_34! {\n    a $n\n} } }\nm!(b);\n"
        );
    }

    #[test]
    fn a_macro_that_makes_several_things_is_left() {
        let text = "macro_rules! m { ($n:ident) => { #[derive(Make)] struct $n; } }\nm!(A); m!(B);\n";
        let all = [
            expansion(Kind::Derive, "Make", (1, 43), "struct A;", "impl Make for A {}"),
            expansion(Kind::Derive, "Make", (1, 43), "struct B;", "impl Make for B {}"),
        ];
        let all: Vec<&Expansion> = all.iter().collect();
        let found = write_out(text, &all, true);
        assert_eq!((found.text.text.as_str(), found.left.len()), (text, 2));
    }
}
