//! Paths: every name of a crate becomes the name of its module, in code and in macros alike.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::Delimiter;

use super::walk::Walk;
use crate::rustc::Edition;
use crate::text::{Kind, Tokens, plain};

/// Names of the 2021 prelude and the trait each needs.
const PRELUDE: [(&str, &str); 6] = [
    ("TryFrom", "TryFrom"),
    ("try_from", "TryFrom"),
    ("TryInto", "TryInto"),
    ("try_into", "TryInto"),
    ("FromIterator", "FromIterator"),
    ("from_iter", "FromIterator"),
];

/// The trait of the 2021 prelude that `name` needs.
fn needs(name: &str) -> Option<&'static str> {
    PRELUDE.iter().find(|(word, _)| *word == name).map(|(_, needed)| *needed)
}

/// The traits of the 2021 prelude that each macro of a text names.
pub(super) fn macro_preludes(text: &str) -> Vec<(String, BTreeSet<&'static str>)> {
    let known = text.contains("macro_rules!") && PRELUDE.iter().any(|(word, _)| text.contains(word));
    let Some(stream) = known.then(|| text.parse().ok()).flatten() else { return Vec::new() };
    let tokens = Tokens::new(text, stream);
    let starts = (0..tokens.list.len()).filter(|&at| tokens.text(at) == "macro_rules" && tokens.is(at + 1, '!'));
    let of_macro = |at: usize| match tokens.list.get(at + 3)?.kind {
        Kind::Open(_, close) => {
            let needed: BTreeSet<_> = (at + 4..close).filter_map(|inner| needs(tokens.text(inner))).collect();
            (!needed.is_empty()).then(|| (plain(tokens.text(at + 2)).to_owned(), needed))
        }
        _ => None,
    };
    starts.filter_map(of_macro).collect()
}

/// A file that is larger than this is not written in the place of `include_str!` and the like.
const MOST_BYTES: usize = 32 * 1024;

/// How a path begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// In code.
    Plain,
    /// After `use`.
    Use { in_module: bool },
    /// After a leading `::`.
    Global,
}

impl Walk<'_, '_> {
    /// Rewrites every path, token by token, so that macros are covered too.
    pub(super) fn rewrite_paths(&mut self) {
        let mut at = 0;
        let mut macro_end = 0;
        let mut macro_inner = false;
        let mut macro_name = "";
        while at < self.tokens.list.len() {
            if let Some(end) = self.absent_until(at) {
                at = end;
                continue;
            }
            match self.tokens.list[at].kind {
                Kind::Punct('$', _) if self.tokens.text(at + 1) == "crate" => {
                    if let Some(module) = self.module_name() {
                        let end = self.tokens.list[at + 1].range.end;
                        self.edits.append(end, format!("::{module}"));
                    }
                    at += 2;
                }
                Kind::Punct('$', _) if self.tokens.is_ident(at + 1) => {
                    let fragment = at + 3;
                    if self.tokens.is(at + 2, ':') && self.tokens.text(fragment) == "pat" {
                        self.pattern_fragment(fragment);
                        at += 4;
                    } else {
                        at += 2;
                    }
                }
                Kind::Punct('\'', _) => at += 2,
                Kind::Ident => {
                    let name = self.tokens.text(at);
                    if name == "macro_rules" && self.tokens.is(at + 1, '!') {
                        let open = at + 3;
                        if let Some(Kind::Open(_, close)) = self.tokens.list.get(open).map(|token| token.kind) {
                            macro_end = close;
                            let defined = plain(self.tokens.text(at + 2));
                            macro_name = defined;
                            macro_inner =
                                self.shared.macros.iter().any(|item| item.local_inner && plain(&item.name) == defined);
                        }
                        at += 3;
                        continue;
                    }
                    if name == "use" && !self.tokens.is(at + 1, '<') {
                        at = self.use_tree(at);
                        continue;
                    }
                    let reads = matches!(name, "include" | "include_str" | "include_bytes" | "env" | "option_env");
                    if reads && self.tokens.is(at + 1, '!') {
                        self.write_in(at);
                    }
                    if matches!(name, "cfg" | "cfg_attr") && !self.matched.iter().any(|range| range.contains(&at)) {
                        self.cfg(at, if at < macro_end { macro_name } else { "" });
                    }
                    self.note_prelude(at);
                    self.ident(at, at < macro_end, macro_inner);
                    at += 1;
                }
                _ => at += 1,
            }
        }
        self.keep_messages();
    }

    /// Writes out the message of an assertion in which a path from the crate's root has to change. Only where it is
    /// sure how the compiler prints it: the proof would refuse anything else.
    fn keep_messages(&mut self) {
        if self.module_name().is_none() {
            return;
        }
        for range in self.quotes.clone() {
            let at_root = |at: usize| {
                self.tokens.text(at) == "crate" && self.tokens.is_colons(at + 1) && !self.tokens.is(at - 1, '$')
            };
            if self.tokens.text(range.start - 3) != "assert" || !range.clone().any(at_root) {
                continue;
            }
            let last = if self.tokens.is(range.end - 1, ',') { range.end - 2 } else { range.end - 1 };
            let end = self.tokens.list[last].range.end;
            let text = &self.tokens.text[self.tokens.list[range.start].range.start..end];
            // In a message, braces stand for values, or for themselves, depending on the edition.
            if !text.contains(['\n', '{', '}']) && !text.contains("/*") {
                let message = format!("assertion failed: {}", spaced(text).as_deref().unwrap_or(text));
                self.edits.append(end, format!(", {message:?}"));
            }
        }
    }

    /// If `cfg` says that the code around token `at` is not there: the first token after that code. Such code names no
    /// crate.
    fn absent_until(&self, at: usize) -> Option<usize> {
        let place = self.tokens.list[at].range.start;
        let range = self.absent.iter().find(|range| range.contains(&place))?;
        Some(self.token_at(range.end))
    }

    /// Whether token `at` stands in a macro call that prints its own text.
    fn is_quoted(&self, at: usize) -> bool {
        self.quotes.iter().any(|range| range.contains(&at))
    }

    /// Calls of macros that print their own text, as tokens. Those in a `macro_rules!` are left out: they may be in any
    /// module.
    pub(super) fn find_quotes(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
        let (mut quotes, mut macro_end) = (Vec::new(), 0);
        for at in 0..tokens.list.len() {
            let close = |open: usize| match tokens.list.get(open).map(|token| token.kind) {
                Some(Kind::Open(_, close)) if tokens.is(at + 1, '!') => Some(close),
                _ => None,
            };
            if let ("macro_rules", Some(close)) = (tokens.text(at), close(at + 3)) {
                macro_end = close;
            } else if let ("assert" | "debug_assert" | "dbg", Some(close), true) =
                (tokens.text(at), close(at + 2), at >= macro_end)
            {
                let inside = at + 3..close;
                // If such a call has a message of its own, it prints that instead.
                if tokens.text(at) == "dbg" || !has_several(tokens, inside.clone()) {
                    quotes.push(inside);
                }
            }
        }
        quotes
    }

    /// Where `cfg` is a word that a macro of this file expects to be called with: in what the macro matches, and in its
    /// calls in this file.
    pub(super) fn find_matched_cfgs(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
        let (mut found, mut names) = (Vec::new(), BTreeSet::new());
        let group = |at: usize| match tokens.list.get(at).map(|token| token.kind) {
            Some(Kind::Open(_, close)) => Some(at..close),
            _ => None,
        };
        for at in (0..tokens.list.len()).filter(|&at| tokens.text(at) == "macro_rules" && tokens.is(at + 1, '!')) {
            let Some(rules) = group(at + 3) else { continue };
            let mut rule = rules.start + 1;
            // One rule after another: `(what it matches) => { what it makes };`
            while let (true, Some(matched)) = (rule < rules.end, group(rule)) {
                let Some(body) = group(matched.end + 3) else { break };
                if matched.clone().any(|at| matches!(tokens.text(at), "cfg" | "cfg_attr")) {
                    names.insert(tokens.text(at + 2));
                    found.push(matched);
                }
                rule = if tokens.is(body.end + 1, ';') { body.end + 2 } else { body.end + 1 };
            }
        }
        let calls = (0..tokens.list.len()).filter(|&at| tokens.is(at + 1, '!') && names.contains(tokens.text(at)));
        found.extend(calls.filter_map(|at| group(at + 2)));
        found
    }

    fn module_name(&self) -> Option<String> {
        self.inliner.names[self.index].clone()
    }

    /// `pat` takes fewer patterns below 2021 than later; `pat_param` takes the same in every edition.
    fn pattern_fragment(&mut self, at: usize) {
        if self.index != 0 && self.edition < Edition::E2021 {
            self.edits.replace(self.tokens.list[at].range.clone(), "pat_param");
        }
    }

    /// Decides a condition, and writes the result in its place. In macros and for `cfg!(…)`, nothing else decides it.
    fn cfg(&mut self, at: usize, macro_name: &str) {
        let Some(close) = self.tokens.group(at + 1, Delimiter::Parenthesis) else {
            let bang = self.tokens.is(at + 1, '!');
            let close = self.tokens.group(at + 2, Delimiter::Parenthesis);
            if let (true, "cfg", Some(close)) = (bang, self.tokens.text(at), close) {
                let inside = self.tokens.list[at + 2].range.end..self.tokens.list[close].range.start;
                if let Some(value) = self.decide(&self.tokens.text[inside]) {
                    let range = self.tokens.list[at].range.start..self.tokens.list[close].range.end;
                    self.edits.replace(range, value.to_string());
                }
            }
            return;
        };
        let predicate = &self.tokens.text[self.tokens.list[at + 1].range.end..self.tokens.list[close].range.start];
        let attribute = at > 0 && self.tokens.group(at - 1, Delimiter::Bracket).is_some();
        if !attribute && !predicate.contains(['=', '(']) {
            return; // a function of that name
        }
        let mut end = close;
        if self.tokens.text(at) == "cfg_attr" {
            let mut inner = at + 2;
            while inner < close && !self.tokens.is(inner, ',') {
                inner = match self.tokens.list[inner].kind {
                    Kind::Open(_, close) => close + 1,
                    _ => inner + 1,
                };
            }
            end = inner;
        }
        let range = self.tokens.list[at + 1].range.end..self.tokens.list[end].range.start;
        let predicate = &self.tokens.text[range.clone()];
        if let Some(value) = self.decide(predicate) {
            self.edits.replace(range, if value { "all()" } else { "any()" });
        } else if let Some(value) = self.decide_for_calls(predicate, macro_name) {
            // The parameter in the condition stays: it may be what tells how often a `$(…)*` around it is repeated.
            self.edits.insert(range.start, if value { "any(all(), " } else { "all(any(), " });
            self.edits.append(range.end, ")");
        }
    }

    /// The value of `feature = $name` in a macro, if it is the same for all strings that the macro is called with.
    fn decide_for_calls(&self, predicate: &str, macro_name: &str) -> Option<bool> {
        let (start, rest) = predicate.split_once('$').filter(|_| self.index != 0)?;
        let end = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        let mut found = None;
        for at in 0..self.tokens.list.len() {
            let called = plain(self.tokens.text(at)) == macro_name && self.tokens.is(at + 1, '!');
            let Some(Kind::Open(_, close)) = self.tokens.list.get(at + 2).map(|token| token.kind) else { continue };
            if !called {
                continue;
            }
            for word in (at + 3..close).map(|at| self.tokens.text(at)).filter(|word| word.starts_with('"')) {
                let value = self.decide(&format!("{start}{word}{end}"))?;
                if found.replace(value).is_some_and(|known| known != value) {
                    return None;
                }
            }
        }
        found
    }

    /// Something that reads a file or a variable when it is compiled: what it reads is written in its place.
    fn write_in(&mut self, at: usize) {
        let Some(Kind::Open(_, close)) = self.tokens.list.get(at + 2).map(|token| token.kind) else {
            return;
        };
        let start = super::included::call_start(&self.tokens, at);
        let range = self.tokens.list[start].range.start..self.tokens.list[close].range.end;
        // A paste needs no documentation, so the file is not read.
        let in_attribute = |at: usize| at >= 2 && self.tokens.is(at - 2, '#') && self.tokens.text(at) == "doc";
        if start >= 4 && self.tokens.is(start - 1, '=') && in_attribute(start - 2) {
            self.edits.replace(range, "\"\"");
            return;
        }
        let first = (at + 3..close).find(|&token| self.tokens.is(token, ',')).unwrap_or(close);
        let argument = match self.tokens.text(at) {
            "env" | "option_env" => at + 3..first,
            _ => at + 3..close,
        };
        let Some(value) = self.evaluate(argument.clone()) else {
            if argument.clone().any(|at| self.tokens.is(at, '$')) {
                self.unread(range);
            }
            return;
        };
        let written = match self.tokens.text(at) {
            "env" => self.variable(&value).map(|value| format!("{value:?}")),
            "option_env" => Some(match self.variable(&value) {
                Some(value) => self.global(range.start, &format!("std::option::Option::Some({value:?})")),
                None => self.global(range.start, "std::option::Option::None::<&'static str>"),
            }),
            name => self.content(name, &value, range.start),
        };
        if let Some(written) = written {
            self.edits.replace(range, written);
        }
    }

    /// Notes that a macro reads what its parameter names, which is not written out.
    fn unread(&mut self, range: Range<usize>) {
        let krate = self.inliner.krate(self.index);
        let line = self.line(range.start);
        let file = self.source_file().strip_prefix(&krate.dir).unwrap_or(self.source_file()).display();
        let complaint = format!(
            "crate {}: {file}:{line} uses `{}` in a macro, and what that reads is not written out; write it without the \
             macro",
            krate.about, &self.tokens.text[range]
        );
        self.inliner.unread.push(complaint);
    }

    /// The value of a variable when the crate was compiled.
    fn variable(&self, name: &str) -> Option<String> {
        self.inliner.krate(self.index).variables.get(name).cloned().flatten()
    }

    /// A text made of literals, `concat!` and `env!`.
    fn evaluate(&self, tokens: std::ops::Range<usize>) -> Option<String> {
        super::included::evaluate(&self.tokens, tokens, &self.inliner.krate(self.index).variables)
    }

    /// The content of a file as `include_str!`, `include_bytes!` or `include!` would have it.
    fn content(&mut self, macro_name: &str, name: &str, place: usize) -> Option<String> {
        let path = self.source_file().parent()?.join(name);
        let bytes = std::fs::read(&path).ok()?;
        if bytes.len() > MOST_BYTES {
            let krate = self.inliner.krate(self.index);
            let line = self.line(place);
            let file = self.source_file().strip_prefix(&krate.dir).unwrap_or(self.source_file()).display().to_string();
            let marker = format!("{:?}", path.display().to_string());
            let complaint = format!(
                "crate {}: {file}:{line} uses `{macro_name}!({name:?})`, a file of {} bytes, and a paste takes in no more than \
                 {MOST_BYTES}; write what is needed of it in the source",
                krate.about,
                bytes.len()
            );
            self.inliner.outside.push(super::Outside { marker: marker.clone(), complaint });
            return Some(format!("{macro_name}!({marker})"));
        }
        match macro_name {
            "include_str" => Some(format!("{:?}", String::from_utf8(bytes).ok()?)),
            "include_bytes" => {
                let escaped: String =
                    bytes.iter().flat_map(|&byte| std::ascii::escape_default(byte)).map(char::from).collect();
                Some(format!("b\"{escaped}\""))
            }
            _ => {
                let text = String::from_utf8(bytes).ok()?;
                let text = text.trim();
                // The last line may end in a comment.
                let comment = text.lines().last().is_some_and(|line| line.contains("//"));
                Some(if comment { format!("({text}\n)") } else { format!("({text})") })
            }
        }
    }

    fn decide(&self, predicate: &str) -> Option<bool> {
        self.settings.decide(predicate.parse().ok()?)
    }

    fn scope_at(&self, place: usize) -> usize {
        let inside = self.scopes.iter().enumerate().filter(|(_, scope)| scope.range.contains(&place));
        inside.min_by_key(|(_, scope)| scope.range.len()).map_or(0, |(index, _)| index)
    }

    fn note_prelude(&mut self, at: usize) {
        if self.edition < Edition::E2021 {
            return;
        }
        let name = self.tokens.text(at);
        let mut needed: Vec<&'static str> = needs(name).into_iter().collect();
        // A macro's own names mean what they mean where it is called.
        if self.tokens.is(at + 1, '!') {
            needed.extend(self.inliner.macro_preludes.get(plain(name)).into_iter().flatten());
        }
        if !needed.is_empty() {
            let scope = self.scope_at(self.tokens.list[at].range.start);
            self.scopes[scope].prelude.extend(needed);
        }
    }

    fn ident(&mut self, at: usize, in_macro: bool, macro_inner: bool) {
        let name = self.tokens.text(at);
        let before_colons = self.tokens.is_colons(at + 1);
        let after_colons = at >= 2 && self.tokens.is_colons(at - 2);
        let called = self.tokens.is(at + 1, '!')
            && !self.tokens.is(at + 2, '=')
            && matches!(self.tokens.list.get(at + 2).map(|token| token.kind), Some(Kind::Open(..)));
        if called && !after_colons {
            self.macro_call(at, in_macro, macro_inner);
            return;
        }
        let global_name = after_colons && self.edition == Edition::E2015;
        if !before_colons && !global_name {
            return;
        }
        if after_colons {
            if self.is_path_start(at - 2) {
                self.path(at, Start::Global);
            }
        } else if !self.after_dot(at) {
            // `pub(in a::b)` counts from the root below 2018, as `use` does.
            let within = at >= 2 && self.tokens.text(at - 1) == "in" && self.tokens.text(at - 2) == "(";
            self.path(at, if within { Start::Use { in_module: true } } else { Start::Plain });
        } else if name == "crate" {
            self.path(at, Start::Plain);
        }
    }

    fn after_dot(&self, at: usize) -> bool {
        at >= 1 && self.tokens.is(at - 1, '.') && !(at >= 2 && self.tokens.is(at - 2, '.'))
    }

    /// Whether `::` at `at` begins a path rather than going on with one.
    fn is_path_start(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        match self.tokens.list[before].kind {
            Kind::Ident => {
                let word = self.tokens.text(before);
                let variable = before >= 1 && self.tokens.is(before - 1, '$');
                !variable && is_keyword(word)
            }
            Kind::Punct('>', _) => self.is_arrow(before) || self.ends_parameters(before),
            Kind::Close(_) | Kind::Literal => false,
            _ => true,
        }
    }

    fn is_arrow(&self, at: usize) -> bool {
        at >= 1 && matches!(self.tokens.list[at - 1].kind, Kind::Punct('-' | '=', true))
    }

    /// Whether the `>` at `at` ends the parameters of `impl<…>` or `for<…>`, after which a path begins.
    fn ends_parameters(&self, at: usize) -> bool {
        let mut depth = 0_usize;
        for place in (0..=at).rev() {
            if self.tokens.is(place, '>') && !self.is_arrow(place) {
                depth += 1;
            } else if self.tokens.is(place, '<') {
                depth -= 1;
                if depth == 0 {
                    return place >= 1 && matches!(self.tokens.text(place - 1), "impl" | "for");
                }
            } else if self.tokens.is(place, ';') {
                break;
            }
        }
        false
    }

    /// A call of a macro by its bare name.
    fn macro_call(&mut self, at: usize, in_macro: bool, macro_inner: bool) {
        let range = self.tokens.list[at].range.clone();
        let name = plain(self.tokens.text(at)).to_owned();
        let root = if in_macro { "$crate" } else { "crate" };
        let own = self.shared.macros.iter().any(|item| plain(&item.name) == name);
        if let (true, Some(module)) = (own && (self.index != 0 || macro_inner), self.module_name()) {
            self.edits.insert(range.start, format!("{root}::{module}::"));
            return;
        }
        // If two crates have it, the later one counts.
        let foreign = self.shared.foreign_macros.iter().rfind(|(known, _)| plain(known) == name);
        if let Some(&(_, dependency)) = foreign
            && !self.is_defined_above(at, &name)
            && let Some(module) = self.inliner.names[dependency].clone()
        {
            self.inliner.mark_used(dependency);
            self.edits.insert(range.start, format!("{root}::{module}::"));
        }
    }

    /// Whether a `macro_rules!` above token `at` defines the macro `name` for it.
    fn is_defined_above(&self, at: usize, name: &str) -> bool {
        // A macro is known up to the end of the block or module around it.
        let has_ended = |rules: usize| {
            let groups = self.tokens.list[..rules].iter().map(|token| token.kind);
            groups.into_iter().any(|kind| matches!(kind, Kind::Open(_, close) if (rules..at).contains(&close)))
        };
        (0..at).any(|rules| {
            self.tokens.text(rules) == "macro_rules"
                && self.tokens.is(rules + 1, '!')
                && plain(self.tokens.text(rules + 2)) == name
                && !has_ended(rules)
        })
    }

    /// Rewrites what a `use` starts with; returns the index after it.
    fn use_tree(&mut self, at: usize) -> usize {
        let in_module = self.module_uses.contains(&self.tokens.list[at].range.start);
        let mut end = at + 1;
        while end < self.tokens.list.len() && !self.tokens.is(end, ';') {
            end = match self.tokens.list[end].kind {
                Kind::Open(_, close) => close + 1,
                Kind::Close(_) => break,
                _ => end + 1,
            };
        }
        self.use_start(at + 1, in_module);
        end
    }

    fn use_start(&mut self, at: usize, in_module: bool) {
        if self.tokens.is(at, '$') {
            if let (true, Some(module)) = (self.tokens.text(at + 1) == "crate", self.module_name()) {
                self.edits.append(self.tokens.list[at + 1].range.end, format!("::{module}"));
            }
        } else if self.tokens.is_colons(at) {
            if self.tokens.is_ident(at + 2) {
                self.path(at + 2, Start::Global);
            } else if let Some(close) = self.tokens.group(at + 2, Delimiter::Brace) {
                let colons = self.tokens.list[at].range.start..self.tokens.list[at + 1].range.end;
                self.edits.remove(colons);
                self.use_group(at + 2, close, in_module);
            }
        } else if let Some(close) = self.tokens.group(at, Delimiter::Brace) {
            self.use_group(at, close, in_module);
        } else if self.tokens.is_ident(at) {
            self.path(at, Start::Use { in_module });
        }
    }

    fn use_group(&mut self, open: usize, close: usize, in_module: bool) {
        let mut at = open + 1;
        while at < close {
            self.use_start(at, in_module);
            while at < close && !self.tokens.is(at, ',') {
                at = match self.tokens.list[at].kind {
                    Kind::Open(_, close) => close + 1,
                    _ => at + 1,
                };
            }
            at += 1;
        }
    }

    /// Rewrites the path whose first name is token `at`.
    fn path(&mut self, at: usize, start: Start) {
        let word = self.tokens.text(at);
        let name = plain(word).to_owned();
        let range = self.tokens.list[at].range.clone();
        let scope = self.scope_at(range.start);
        if word == "crate" {
            if let Some(module) = self.module_name() {
                self.edits.append(range.end, format!("::{module}"));
            }
            return;
        }
        if matches!(word, "self" | "super" | "Self") {
            return;
        }
        let with_colons = match start {
            Start::Global => self.tokens.list[at - 2].range.start..range.end,
            _ => range.clone(),
        };
        let local = self.scopes[scope].names.contains(&name);
        let solution_root = self.index == 0 && self.scopes[scope].root;
        // A macro for other crates may call its own crate by its name.
        let itself = (start == Start::Global && name == self.inliner.krate(self.index).name).then_some(self.index);
        let dependency = self.shared.dependencies.get(&name).copied().or(itself);
        let own_root = self.module_name().map_or("crate".to_owned(), |module| format!("crate::{module}"));
        if self.edition == Edition::E2015 && (start == Start::Global || matches!(start, Start::Use { .. })) {
            // Below 2018 such a path starts at the crate's root, where `extern crate` has put the other crates.
            let in_root = self.shared.root_names.contains(&name);
            if self.shared.sysroot.contains(&name) && !in_root {
                self.edits.replace(with_colons, if start == Start::Global { "::std" } else { "std" });
            } else if let (false, Some(dependency)) = (in_root, dependency) {
                self.dependency(with_colons, dependency, &name, start, solution_root);
            } else if let (true, true, Some(dependency)) = (in_root, solution_root, dependency) {
                self.dependency(with_colons, dependency, &name, start, true);
            } else if !solution_root || start == Start::Global {
                self.edits.replace(with_colons, format!("{own_root}::{word}"));
            }
            return;
        }
        let is_crate = !local && (dependency.is_some() || self.shared.sysroot.contains(&name));
        if start == Start::Plain
            && is_crate
            && self.is_quoted(at)
            && let Some(import) = self.import_as_written(dependency, &name, solution_root)
        {
            self.scopes[scope].crates.insert(import);
            return;
        }
        match start {
            Start::Plain if local => {}
            Start::Use { .. } if local => {
                // If the import gives it another name, something else makes the name local.
                let renamed = self.tokens.text(at + 1) == "as" && plain(self.tokens.text(at + 2)) != name;
                if !solution_root && (renamed || !self.is_bare_import(at)) {
                    self.edits.insert(range.start, "self::");
                } else if !solution_root && (dependency.is_some() || self.shared.sysroot.contains(&name)) {
                    self.extern_name(with_colons, dependency, &name, start, solution_root);
                }
            }
            _ if dependency.is_none()
                && self.shared.sysroot.contains(&name)
                && self.imports_itself(at, &name, start) =>
            {
                self.edits.replace(with_colons, format!("std as {name}"));
            }
            _ if dependency.is_some() || self.shared.sysroot.contains(&name) => {
                self.extern_name(with_colons, dependency, &name, start, solution_root);
            }
            // `pub use name;` of a macro that the crate exports.
            Start::Use { .. }
                if self.is_bare_import(at)
                    && self.index != 0
                    && self.shared.macros.iter().any(|item| plain(&item.name) == name) =>
            {
                self.edits.insert(range.start, format!("{own_root}::"));
            }
            Start::Use { in_module: true }
                if !solution_root && !matches!(name.as_str(), "Option" | "Result") && !self.is_bare_import(at) =>
            {
                self.edits.insert(range.start, "self::");
            }
            _ => {}
        }
    }

    /// The import that lets the path of a crate stay as it is, if the crate is not known by that name anyway.
    fn import_as_written(&mut self, dependency: Option<usize>, name: &str, solution_root: bool) -> Option<String> {
        let imported = |at: usize| {
            self.tokens.text(at) == "use" && plain(self.tokens.text(at + 1)) == name && self.tokens.is(at + 2, ';')
        };
        if solution_root || (0..self.tokens.list.len()).any(imported) {
            return None;
        }
        let Some(dependency) = dependency else {
            return Some(if name == "std" { "use std;".to_owned() } else { format!("use std as {name};") });
        };
        let module = self.inliner.names[dependency].clone()?;
        self.inliner.mark_used(dependency);
        Some(if module == name { format!("use crate::{module};") } else { format!("use crate::{module} as {name};") })
    }

    /// Whether the path in a `use` is a single name, as in `use name;`.
    fn is_bare_import(&self, at: usize) -> bool {
        !self.tokens.is_colons(at + 1)
    }

    /// Whether `use core;` stands here. What is written instead has to import the same name.
    fn imports_itself(&self, at: usize, name: &str, start: Start) -> bool {
        let renamed = self.tokens.text(at + 1) == "as";
        name != "std" && self.index != 0 && start != Start::Plain && self.is_bare_import(at) && !renamed
    }

    /// `::path` for byte `place`. Right after the colon of `x:path` it needs a blank, since `:::` is not Rust.
    fn global(&self, place: usize, path: &str) -> String {
        let blank = if self.tokens.text[..place].ends_with(':') { " " } else { "" };
        format!("{blank}::{path}")
    }

    fn extern_name(
        &mut self,
        range: std::ops::Range<usize>,
        dependency: Option<usize>,
        name: &str,
        start: Start,
        solution_root: bool,
    ) {
        if let Some(dependency) = dependency {
            self.dependency(range, dependency, name, start, solution_root);
        } else if self.index != 0 || !solution_root || self.is_produced(range.start) {
            let std =
                if matches!(start, Start::Use { .. }) { "std".to_owned() } else { self.global(range.start, "std") };
            self.edits.replace(range, std);
        }
    }

    fn dependency(
        &mut self,
        range: std::ops::Range<usize>,
        dependency: usize,
        name: &str,
        start: Start,
        solution_root: bool,
    ) {
        self.inliner.mark_used(dependency);
        // The solution is no module. `extern crate self as name;` may have given it a name.
        let itself = (dependency == 0).then(|| "crate".to_owned());
        let Some(module) = self.inliner.names[dependency].clone().or(itself) else {
            if self.inliner.is_kept(dependency) && start == Start::Plain && !solution_root {
                let global = self.global(range.start, name);
                self.edits.replace(range, global);
            }
            return;
        };
        let alias = if module == name { String::new() } else { format!(" as {name}") };
        let next = self.token_at(range.end);
        // What is written for `use name;` and `use name::{self};` has to import the same name.
        let bare = start != Start::Plain && !self.tokens.is_colons(next) && self.tokens.text(next) != "as";
        if let (true, Some(close)) = (start != Start::Plain, self.tokens.group(next + 2, Delimiter::Brace)) {
            for at in (next + 3..close).filter(|&at| self.tokens.text(at) == "self") {
                let alone = matches!(self.tokens.text(at - 1), "{" | ",") && self.tokens.text(at + 1) != "as";
                let inner = (next + 3..at)
                    .any(|open| matches!(self.tokens.list[open].kind, Kind::Open(_, close) if close > at));
                if alone && !inner {
                    self.edits.append(self.tokens.list[at].range.end, alias.clone());
                }
            }
        }
        let alias = if bare { alias.as_str() } else { "" };
        if solution_root && start != Start::Global {
            if module != name {
                self.edits.replace(range, format!("{module}{alias}"));
            }
        } else if dependency == 0 {
            self.edits.replace(range, format!("crate{alias}"));
        } else {
            self.edits.replace(range, format!("crate::{module}{alias}"));
        }
    }
}

/// Whether there is a comma between two things in a range of tokens.
fn has_several(tokens: &Tokens<'_>, range: Range<usize>) -> bool {
    let mut at = range.start;
    while at < range.end {
        if tokens.is(at, ',') && at + 1 < range.end {
            return true;
        }
        at = match tokens.list[at].kind {
            Kind::Open(_, close) => close + 1,
            _ => at + 1,
        };
    }
    false
}

/// Keywords that can stand before a path.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "as" | "await"
            | "break"
            | "const"
            | "dyn"
            | "else"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "match"
            | "move"
            | "mut"
            | "ref"
            | "return"
            | "static"
            | "unsafe"
            | "use"
            | "where"
            | "while"
            | "yield"
            | "box"
            | "extern"
    )
}

/// An expression with blanks where the compiler prints them, if that is one line.
fn spaced(expression: &str) -> Option<String> {
    let file = syn::parse_file(&format!("const X: bool = {expression};")).ok()?;
    let line = prettyplease::unparse(&file);
    let line = line.trim_end().strip_prefix("const X: bool = ")?.strip_suffix(';')?;
    (!line.contains('\n')).then(|| line.to_owned())
}
