//! Macro calls in the place of items, written out, so that what they define can be taken out piece by piece.
//!
//! This follows `macro_rules!` only as far as crates need it. It may be wrong about names that a macro hides, so its
//! result counts only if it is proven to be the same program.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item, Macro, TraitItem};

use crate::text::{Edits, plain};

/// Macros that call themselves more often than this are left alone.
const ROUNDS: usize = 64;
/// So are those that would make more text than this.
const MOST_BYTES: usize = 4 << 20;

/// Writes out the macro calls in the place of items behind byte `start`, as far as they are understood.
#[must_use]
pub fn expand(text: &str, start: usize) -> String {
    let mut text = text.to_owned();
    for _ in 0..ROUNDS {
        let Ok(file) = syn::parse_file(&text) else { break };
        let mut finder = Finder::default();
        for item in file.items.iter().filter(|item| item.span().byte_range().start >= start) {
            finder.visit_item(item);
        }
        let mut edits = Edits::default();
        let mut any = false;
        for call in &finder.calls {
            if let Some(expansion) = finder.rules_for(call).and_then(|rules| rules.expand(&text, call)) {
                edits.replace(call.range.clone(), expansion);
                any = true;
            }
        }
        let next = edits.apply(&text);
        if !any || next.len() > MOST_BYTES || syn::parse_file(&next).is_err() {
            break;
        }
        text = next;
    }
    text
}

/// Types that look like variables.
const PRIMITIVE: [&str; 17] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "bool",
    "char", "str",
];

/// A `macro_rules!`.
struct Rules {
    name: String,
    start: usize,
    /// The module around it.
    module: Range<usize>,
    arms: Vec<(Vec<TokenTree>, Group)>,
}

struct Call {
    name: String,
    range: Range<usize>,
    arguments: Vec<TokenTree>,
}

#[derive(Default)]
struct Finder {
    rules: Vec<Rules>,
    calls: Vec<Call>,
    module: Range<usize>,
    root: String,
}

impl Finder {
    /// The macro that a call means: the last one before it, rather from a module around it.
    fn rules_for(&self, call: &Call) -> Option<&Rules> {
        let before =
            || self.rules.iter().rev().filter(|rules| rules.name == call.name && rules.start < call.range.start);
        before().find(|rules| rules.module.contains(&call.range.start)).or_else(|| before().next())
    }

    fn call(&mut self, mac: &Macro, range: Range<usize>) {
        let Some(name) = mac.path.segments.last() else { return };
        let name = plain(&name.ident.to_string()).to_owned();
        self.calls.push(Call { name, range, arguments: mac.tokens.clone().into_iter().collect() });
    }

    fn definition(&mut self, name: String, mac: &Macro, start: usize) {
        let mut arms = Vec::new();
        let trees: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
        for arm in trees.split(|tree| is_punct(tree, ';')) {
            match arm {
                [] => {}
                [TokenTree::Group(matcher), TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Group(body)] => {
                    // What is written differently must not be read as text.
                    if mentions(&body.stream(), "stringify") {
                        return;
                    }
                    arms.push((matcher.stream().into_iter().collect(), body.clone()));
                }
                _ => return,
            }
        }
        self.rules.push(Rules { name, start, module: self.module.clone(), arms });
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast Item) {
        let range = item.span().byte_range();
        match item {
            Item::Macro(item) => match &item.ident {
                Some(name) => {
                    let name = plain(&name.to_string()).to_owned();
                    let short = name.strip_prefix(&format!("{}_", self.root)).map(str::to_owned);
                    self.definition(name, &item.mac, range.start);
                    if let Some(short) = short {
                        self.definition(short, &item.mac, range.start);
                    }
                }
                None if item.attrs.is_empty() => self.call(&item.mac, range),
                None => {}
            },
            Item::Mod(item) => {
                if self.module.is_empty() {
                    self.root = item.ident.to_string();
                }
                let outside = std::mem::replace(&mut self.module, range);
                visit::visit_item_mod(self, item);
                self.module = outside;
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if let ImplItem::Macro(item) = item {
            self.call(&item.mac, item.span().byte_range());
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if let TraitItem::Macro(item) = item {
            self.call(&item.mac, item.span().byte_range());
        }
    }

    fn visit_block(&mut self, _: &'ast syn::Block) {}
}

fn is_punct(tree: &TokenTree, wanted: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn mentions(stream: &TokenStream, name: &str) -> bool {
    stream.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// What a variable of a macro stands for.
#[derive(Debug, Clone)]
enum Bound {
    Name(String),
    Text(String),
    /// Once for every repetition.
    Each(Vec<Bound>),
}

type Bindings = HashMap<String, Bound>;

/// `$( … ) separator operator`, and how many trees it takes after the group.
struct Repetition<'a> {
    inner: &'a Group,
    separator: Option<&'a TokenTree>,
    at_most_once: bool,
    length: usize,
}

/// Reads a repetition whose `$` is the first of `trees`.
fn repetition(trees: &[TokenTree]) -> Option<Repetition<'_>> {
    let [dollar, TokenTree::Group(inner), rest @ ..] = trees else { return None };
    if !is_punct(dollar, '$') || inner.delimiter() != Delimiter::Parenthesis {
        return None;
    }
    let operator = |tree: &TokenTree| ['*', '+', '?'].into_iter().find(|&operator| is_punct(tree, operator));
    let (separator, operator, length) = match rest {
        [first, ..] if operator(first).is_some() => (None, operator(first), 3),
        [separator, second, ..] if operator(second).is_some() => (Some(separator), operator(second), 4),
        _ => return None,
    };
    Some(Repetition { inner, separator, at_most_once: operator == Some('?'), length })
}

impl Rules {
    fn expand(&self, text: &str, call: &Call) -> Option<String> {
        self.arms.iter().find_map(|(matcher, body)| {
            let mut bindings = Bindings::new();
            let used = matches(text, matcher, &call.arguments, &mut bindings)?;
            if used < call.arguments.len() {
                return None;
            }
            let inside = body.span_open().byte_range().end..body.span_close().byte_range().start;
            let mut writer = Writer { text, passed: HashSet::new(), out: String::new() };
            for bound in bindings.values() {
                writer.pass(bound);
            }
            writer.passed.retain(|name| !has_field(&text[inside.clone()], name));
            writer.write(inside, &body.stream().into_iter().collect::<Vec<_>>(), &bindings)?;
            Some(writer.out)
        })
    }
}

/// How many of `trees` the matcher takes.
fn matches(text: &str, matcher: &[TokenTree], trees: &[TokenTree], bindings: &mut Bindings) -> Option<usize> {
    let mut at = 0;
    let mut next = 0;
    while next < matcher.len() {
        if let Some(repetition) = repetition(&matcher[next..]) {
            at += match_repetition(text, &repetition, &trees[at..], bindings)?;
            next += repetition.length;
            continue;
        }
        match &matcher[next..] {
            [dollar, TokenTree::Ident(name), colon, TokenTree::Ident(fragment), ..]
                if is_punct(dollar, '$') && is_punct(colon, ':') =>
            {
                let fragment = fragment.to_string();
                let length = fragment_length(&fragment, &trees[at..])?;
                let taken = &trees[at..at + length];
                let source = match taken {
                    [] => "",
                    [first, .., last] => &text[first.span().byte_range().start..last.span().byte_range().end],
                    [only] => &text[only.span().byte_range()],
                };
                let bound = match fragment.as_str() {
                    "ident" => Bound::Name(source.to_owned()),
                    "expr" if length > 1 => Bound::Text(format!("({source})")),
                    _ => Bound::Text(source.to_owned()),
                };
                bindings.insert(name.to_string(), bound);
                at += length;
                next += 4;
            }
            [TokenTree::Group(wanted), ..] => {
                let Some(TokenTree::Group(found)) = trees.get(at) else { return None };
                if wanted.delimiter() != found.delimiter() {
                    return None;
                }
                let wanted: Vec<TokenTree> = wanted.stream().into_iter().collect();
                let found: Vec<TokenTree> = found.stream().into_iter().collect();
                if matches(text, &wanted, &found, bindings)? < found.len() {
                    return None;
                }
                at += 1;
                next += 1;
            }
            [wanted, ..] => {
                if trees.get(at)?.to_string() != wanted.to_string() {
                    return None;
                }
                at += 1;
                next += 1;
            }
            [] => {}
        }
    }
    Some(at)
}

fn match_repetition(
    text: &str,
    repetition: &Repetition<'_>,
    trees: &[TokenTree],
    bindings: &mut Bindings,
) -> Option<usize> {
    let inner: Vec<TokenTree> = repetition.inner.stream().into_iter().collect();
    let mut names = Vec::new();
    variables(&inner, &mut names);
    let mut each: HashMap<String, Vec<Bound>> = names.into_iter().map(|name| (name, Vec::new())).collect();
    let mut at = 0;
    let mut count = 0;
    while at < trees.len() && !(repetition.at_most_once && count == 1) {
        let mut from = at;
        if let (Some(separator), true) = (repetition.separator, count > 0) {
            if trees[at].to_string() != separator.to_string() {
                break;
            }
            from += 1;
        }
        let mut found = Bindings::new();
        let Some(length) = matches(text, &inner, &trees[from..], &mut found).filter(|&length| length > 0) else {
            break;
        };
        for (name, bound) in found {
            each.get_mut(&name)?.push(bound);
        }
        at = from + length;
        count += 1;
    }
    bindings.extend(each.into_iter().map(|(name, all)| (name, Bound::Each(all))));
    Some(at)
}

/// The variables that a matcher binds.
fn variables(matcher: &[TokenTree], names: &mut Vec<String>) {
    for (index, tree) in matcher.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => variables(&group.stream().into_iter().collect::<Vec<_>>(), names),
            TokenTree::Ident(name)
                if index > 0
                    && is_punct(&matcher[index - 1], '$')
                    && matcher.get(index + 1).is_some_and(|tree| is_punct(tree, ':')) =>
            {
                names.push(name.to_string());
            }
            _ => {}
        }
    }
}

/// How many of `trees` a fragment takes.
fn fragment_length(fragment: &str, trees: &[TokenTree]) -> Option<usize> {
    match (fragment, trees) {
        ("vis", _) => parsed_length::<syn::Visibility>(trees),
        (_, []) => None,
        ("tt", [quote, TokenTree::Ident(_), ..]) if is_punct(quote, '\'') => Some(2),
        ("tt", _) => Some(1),
        ("ident", [TokenTree::Ident(name), ..]) => (name != "_").then_some(1),
        ("lifetime", [quote, TokenTree::Ident(_), ..]) if is_punct(quote, '\'') => Some(2),
        ("ty", _) => parsed_length::<syn::Type>(trees),
        ("expr", _) => parsed_length::<syn::Expr>(trees),
        ("path", _) => parsed_length::<syn::Path>(trees),
        ("literal", _) => parsed_length::<syn::Lit>(trees),
        ("block", _) => parsed_length::<syn::Block>(trees),
        ("item", _) => parsed_length::<Item>(trees),
        ("meta", _) => parsed_length::<syn::Meta>(trees),
        _ => None,
    }
}

fn parsed_length<T: Parse>(trees: &[TokenTree]) -> Option<usize> {
    let stream: TokenStream = trees.iter().cloned().collect();
    let rest = |input: ParseStream<'_>| {
        input.parse::<T>()?;
        input.parse::<TokenStream>()
    };
    let rest = rest.parse2(stream).ok()?;
    Some(trees.len() - rest.into_iter().count())
}

/// Whether `name` is a field of something in `text`.
fn has_field(text: &str, name: &str) -> bool {
    text.match_indices(&format!(".{name}")).any(|(at, found)| {
        let next = text[at + found.len()..].chars().next();
        next.is_none_or(|next| !(next.is_alphanumeric() || matches!(next, '_' | '(' | ':')))
    })
}

struct Writer<'a> {
    text: &'a str,
    /// Names that the call passes. A variable of the macro's own that is named like one is another.
    passed: HashSet<String>,
    out: String,
}

impl Writer<'_> {
    fn pass(&mut self, bound: &Bound) {
        match bound {
            Bound::Name(name)
                if name.starts_with(|c: char| c.is_lowercase()) && !PRIMITIVE.contains(&name.as_str()) =>
            {
                // Keywords, `self` among them, are no names.
                self.passed.extend(syn::parse_str::<syn::Ident>(name).map(|name| name.to_string()));
            }
            Bound::Name(_) | Bound::Text(_) => {}
            Bound::Each(all) => {
                for bound in all {
                    self.pass(bound);
                }
            }
        }
    }

    /// Writes `range` of the text, which holds `body`, with the variables replaced.
    fn write(&mut self, range: Range<usize>, body: &[TokenTree], bindings: &Bindings) -> Option<()> {
        let mut done = range.start;
        let mut at = 0;
        while at < body.len() {
            let place = body[at].span().byte_range();
            if let Some(repetition) = repetition(&body[at..])
                && let Some(rounds) = rounds(&repetition, bindings)
            {
                self.out.push_str(&self.text[done..place.start]);
                self.repeat(&repetition, rounds, bindings)?;
                at += repetition.length;
                done = body[at - 1].span().byte_range().end;
                continue;
            }
            match (&body[at], body.get(at + 1)) {
                (dollar, Some(TokenTree::Ident(name))) if is_punct(dollar, '$') => {
                    let with = match bindings.get(&name.to_string()) {
                        Some(Bound::Name(with) | Bound::Text(with)) => Some(with.as_str()),
                        Some(Bound::Each(_)) => return None,
                        None => (name == "crate").then_some("crate"),
                    };
                    if let Some(with) = with {
                        self.out.push_str(&self.text[done..place.start]);
                        self.out.push_str(with);
                        done = name.span().byte_range().end;
                    }
                    at += 1;
                }
                (TokenTree::Group(group), _) => {
                    let inside = group.span_open().byte_range().end..group.span_close().byte_range().start;
                    self.out.push_str(&self.text[done..inside.start]);
                    done = inside.end;
                    self.write(inside, &group.stream().into_iter().collect::<Vec<_>>(), bindings)?;
                }
                (TokenTree::Ident(name), next) if self.passed.contains(&name.to_string()) => {
                    let before = self.text[..place.start].trim_end();
                    let member = before.ends_with('.') || before.ends_with("::") || before.ends_with("fn");
                    let path = next.is_some_and(|next| is_punct(next, '!'))
                        || self.text[place.end..].trim_start().starts_with("::");
                    if !member && !path {
                        self.out.push_str(&self.text[done..place.end]);
                        self.out.push_str("_own");
                        done = place.end;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.out.push_str(&self.text[done..range.end]);
        Some(())
    }

    fn repeat(&mut self, repetition: &Repetition<'_>, rounds: usize, bindings: &Bindings) -> Option<()> {
        let inner: Vec<TokenTree> = repetition.inner.stream().into_iter().collect();
        let inside = repetition.inner.span_open().byte_range().end..repetition.inner.span_close().byte_range().start;
        for round in 0..rounds {
            if let (Some(separator), true) = (repetition.separator, round > 0) {
                self.out.push_str(&separator.to_string());
            }
            let one: Bindings = bindings
                .iter()
                .filter_map(|(name, bound)| match bound {
                    Bound::Name(_) | Bound::Text(_) => Some((name.clone(), bound.clone())),
                    Bound::Each(all) => Some((name.clone(), all.get(round)?.clone())),
                })
                .collect();
            self.write(inside.clone(), &inner, &one)?;
            self.out.push(' ');
        }
        Some(())
    }
}

/// How often a repetition is written: as often as the variables in it were matched, if there are any.
fn rounds(repetition: &Repetition<'_>, bindings: &Bindings) -> Option<usize> {
    fn most(stream: TokenStream, bindings: &Bindings) -> Option<usize> {
        let mut after_dollar = false;
        let mut found = None;
        for tree in stream {
            found = found.max(match &tree {
                TokenTree::Group(group) => most(group.stream(), bindings),
                TokenTree::Ident(name) if after_dollar => match bindings.get(&name.to_string()) {
                    Some(Bound::Each(all)) => Some(all.len()),
                    _ => None,
                },
                _ => None,
            });
            after_dollar = is_punct(&tree, '$');
        }
        found
    }
    most(repetition.inner.stream(), bindings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(macros: &str, call: &str) -> String {
        let text = format!("fn main() {{}}\nmod m {{\n{macros}\n{call}\n}}\n");
        let start = text.find("mod m").unwrap();
        let all = expand(&text, start);
        let tail = all[all.find(macros).unwrap() + macros.len()..].trim_end();
        tail.strip_suffix('}').unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn repetitions_fragments_and_crate_are_written_out() {
        let rules = "macro_rules! r { ($($t:ty => $e:expr),* $(,)?) => { $(impl T for $t { const N: u8 = $crate::m::f($e) * 2; })* }; }";
        let text = expanded(rules, "r!(u8 => 1 + 1, Vec<u8> => 3,);");
        assert_eq!(
            text,
            "impl T for u8 { const N: u8 = crate::m::f((1 + 1)) * 2; } impl T for Vec<u8> { const N: u8 = crate::m::f(3) * 2; }"
        );
    }

    #[test]
    fn macros_that_call_themselves_end() {
        let rules = "macro_rules! r { ($x:ident,) => {}; ($x:ident, $($y:ident,)*) => { r!($($y,)*); fn $x() {} }; }";
        assert_eq!(expanded(rules, "r!(a, b, c,);"), "fn b() {} fn a() {}");
        let endless = "macro_rules! e { () => { e!(); }; }";
        assert_eq!(expanded(endless, "e!();"), "e!();");
    }

    #[test]
    fn what_is_not_understood_stays() {
        let rules = "macro_rules! r { ($x:ident) => { fn name() -> &'static str { stringify!($x) } }; }";
        assert_eq!(expanded(rules, "r!(a);"), "r!(a);");
        assert_eq!(expanded("macro_rules! r { (a) => { fn a() {} }; }", "r!(b);"), "r!(b);");
    }

    #[test]
    fn a_variable_of_the_macro_is_not_the_one_that_is_passed() {
        let rules = "macro_rules! r { ($x:ident) => { fn f($x: u8) -> u8 { let i = 1; g.i() + $x + i } }; }";
        assert_eq!(expanded(rules, "r!(i);"), "fn f(i: u8) -> u8 { let i_own = 1; g.i() + i + i_own }");
    }

    #[test]
    fn a_macro_in_a_macro_keeps_its_own_variables() {
        let rules = "macro_rules! r { ($x:ident) => { fn $x() { macro_rules! i { ($y:expr) => { $y + $x() }; } } }; }";
        assert_eq!(expanded(rules, "r!(a);"), "fn a() { macro_rules! i { ($y:expr) => { $y + a() }; } }");
    }
}
