//! What a `macro_rules!` macro makes of a call. The text of the macro and of the call stays as it is written.
//!
//! Every piece of the result remembers where it comes from. If a call is read in another way here than by the compiler,
//! the program is another one, and the proof finds that.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::Expr;
use syn::buffer::{Cursor, TokenBuffer};
use syn::parse::{Parse, ParseStream, Parser};

use crate::text::{Edits, Kind, Mapped, Tokens, plain};

/// Punctuation of several characters that `tt` takes as one, the longest first.
const OPERATORS: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "^=", "&=", "|=", "<<", ">>", "..",
];

/// The rules of a macro, as tokens of the text it is defined in.
#[derive(Debug)]
pub(super) struct Rules {
    arms: Vec<Arm>,
}

#[derive(Debug)]
struct Arm {
    matcher: Vec<Matcher>,
    /// What it makes, without the delimiters.
    body: Range<usize>,
}

/// A part of what an arm takes.
#[derive(Debug)]
enum Matcher {
    /// A token as it is written.
    Token(String),
    Group(Delimiter, Vec<Matcher>),
    /// `$name:kind`.
    Fragment(String, String),
    /// `$(…)`, what stands between two of them, and how many there may be.
    Repeat(Vec<Matcher>, Vec<Matcher>, char),
}

/// What a name stands for.
#[derive(Debug, Clone)]
enum Bound {
    /// Bytes of the call.
    One(Range<usize>, Shape),
    /// One for each repetition.
    Many(Vec<Bound>),
}

/// What has to be written around a fragment so that it stays one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Nothing.
    Plain,
    /// Parentheses beside an operator.
    Operation,
    /// Angle brackets before `::`.
    Type,
}

type Bindings = HashMap<String, Bound>;

impl Rules {
    /// Reads the rules that stand in tokens `inside` of a definition.
    pub(super) fn read(tokens: &Tokens<'_>, inside: Range<usize>) -> Option<Self> {
        let mut arms = Vec::new();
        let mut at = inside.start;
        while at < inside.end {
            let Kind::Open(_, close) = tokens.list[at].kind else { return None };
            let arrow = tokens.is(close + 1, '=') && tokens.is(close + 2, '>');
            let Kind::Open(_, end) = tokens.list.get(close + 3).filter(|_| arrow)?.kind else { return None };
            arms.push(Arm { matcher: matchers(tokens, at + 1..close)?, body: close + 4..end });
            at = if tokens.is(end + 1, ';') { end + 2 } else { end + 1 };
        }
        Some(Self { arms })
    }

    /// What the macro, defined in `definition`, makes of `call`, with `root` for `$crate`. Nothing if no arm takes it,
    /// or if the first one that does cannot be written out.
    pub(super) fn make(&self, definition: &Mapped, tokens: &Tokens<'_>, call: &Mapped, root: &str) -> Option<Mapped> {
        let call = &without_docs(call.clone());
        let stream: TokenStream = call.text.parse().ok()?;
        let buffer = TokenBuffer::new2(stream);
        let (arm, bindings) = self.arms.iter().find_map(|arm| {
            let mut bindings = Bindings::new();
            let rest = take_all(&arm.matcher, buffer.begin(), &mut bindings)?;
            rest.eof().then_some((arm, bindings))
        })?;
        let mut writer = Writer { definition, tokens, call, root, out: Mapped::default() };
        writer.write(arm.body.clone(), &bindings)?;
        Some(writer.out)
    }
}

/// A call without its doc comments. Most macros take the call without these, too. If one counts or needs them, the
/// proof finds that.
fn without_docs(text: Mapped) -> Mapped {
    if !text.text.contains("///") && !text.text.contains("/**") {
        return text;
    }
    let Ok(stream) = text.text.parse() else { return text };
    let mut edits = Edits::default();
    for token in Tokens::new(&text.text, stream).list {
        if token.kind == Kind::Doc {
            edits.remove(token.range);
        }
    }
    edits.apply_on(&text)
}

/// Reads the left side of an arm.
fn matchers(tokens: &Tokens<'_>, range: Range<usize>) -> Option<Vec<Matcher>> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let dollar = tokens.is(at, '$');
        match tokens.list[at].kind {
            Kind::Punct(..) if dollar && tokens.group(at + 1, Delimiter::Parenthesis).is_some() => {
                let close = tokens.group(at + 1, Delimiter::Parenthesis)?;
                let (separator, count) = repetition(tokens, close + 1);
                let between = (close + 1..separator).map(|at| Matcher::Token(tokens.text(at).to_owned())).collect();
                found.push(Matcher::Repeat(matchers(tokens, at + 2..close)?, between, count?));
                at = separator + 1;
            }
            Kind::Punct(..) if dollar && tokens.is(at + 2, ':') => {
                let kind = tokens.text(at + 3).to_owned();
                found.push(Matcher::Fragment(plain(tokens.text(at + 1)).to_owned(), kind));
                at += 4;
            }
            Kind::Open(delimiter, close) => {
                found.push(Matcher::Group(delimiter, matchers(tokens, at + 1..close)?));
                at = close + 1;
            }
            Kind::Doc | Kind::Close(_) => return None,
            _ => {
                found.push(Matcher::Token(tokens.text(at).to_owned()));
                at += 1;
            }
        }
    }
    Some(found)
}

/// Where `*`, `+` or `?` stands after a group that ends before token `at`, and which of them it is.
fn repetition(tokens: &Tokens<'_>, at: usize) -> (usize, Option<char>) {
    let count = |at: usize| ['*', '+', '?'].into_iter().find(|&count| tokens.is(at, count));
    let end = (at..at + 3).find(|&at| count(at).is_some()).unwrap_or(at);
    (end, count(end))
}

/// Follows `matchers` from `cursor` on. Gives what comes after.
fn take_all<'c>(matchers: &[Matcher], mut cursor: Cursor<'c>, bindings: &mut Bindings) -> Option<Cursor<'c>> {
    for matcher in matchers {
        cursor = match matcher {
            Matcher::Token(wanted) => take_token(wanted, cursor)?,
            Matcher::Group(delimiter, inner) => {
                let (inside, _, after) = cursor.group(*delimiter)?;
                take_all(inner, inside, bindings).filter(|rest| rest.eof())?;
                after
            }
            Matcher::Fragment(name, kind) => {
                let (taken, shape, after) = take_fragment(kind, cursor)?;
                bindings.insert(name.clone(), Bound::One(taken, shape));
                after
            }
            Matcher::Repeat(inner, between, count) => take_repeated(inner, between, *count, cursor, bindings)?,
        };
    }
    Some(cursor)
}

fn take_repeated<'c>(
    inner: &[Matcher],
    between: &[Matcher],
    count: char,
    mut cursor: Cursor<'c>,
    bindings: &mut Bindings,
) -> Option<Cursor<'c>> {
    let mut found: Vec<Bindings> = Vec::new();
    while !(cursor.eof() || count == '?' && !found.is_empty()) {
        let mut next = Bindings::new();
        let start = if found.is_empty() { Some(cursor) } else { take_all(between, cursor, &mut next) };
        let Some(after) = start.and_then(|start| take_all(inner, start, &mut next)) else { break };
        found.push(next);
        if after == cursor {
            break;
        }
        cursor = after;
    }
    if count == '+' && found.is_empty() {
        return None;
    }
    let mut names = BTreeSet::new();
    declared(inner, &mut names);
    for name in names {
        let all = found.iter().filter_map(|one| one.get(name).cloned()).collect();
        bindings.insert(name.to_owned(), Bound::Many(all));
    }
    Some(cursor)
}

/// The names that matchers bind.
fn declared<'m>(matchers: &'m [Matcher], names: &mut BTreeSet<&'m str>) {
    for matcher in matchers {
        match matcher {
            Matcher::Token(_) => {}
            Matcher::Fragment(name, _) => {
                names.insert(name);
            }
            Matcher::Group(_, inner) | Matcher::Repeat(inner, _, _) => declared(inner, names),
        }
    }
}

fn take_token<'c>(wanted: &str, cursor: Cursor<'c>) -> Option<Cursor<'c>> {
    match cursor.token_tree()? {
        (TokenTree::Group(_), _) => None,
        (token, rest) => (token.to_string() == wanted).then_some(rest),
    }
}

/// Where a token stands.
fn bytes(token: &TokenTree) -> Range<usize> {
    token.span().byte_range()
}

/// Takes a `tt`: a group, or one token, which may have several characters, as `<<=` has.
fn take_tree(cursor: Cursor<'_>) -> Option<(Range<usize>, Cursor<'_>)> {
    if let Some((lifetime, rest)) = cursor.lifetime() {
        return Some((lifetime.span().byte_range(), rest));
    }
    let (first, rest) = cursor.token_tree()?;
    let TokenTree::Punct(punct) = &first else { return Some((bytes(&first), rest)) };
    let mut ends = vec![(bytes(&first).end, rest)];
    let mut text = punct.as_char().to_string();
    let mut joint = punct.spacing() == Spacing::Joint;
    while let (true, true, Some((punct, rest))) = (joint, text.len() < 3, ends[ends.len() - 1].1.punct()) {
        text.push(punct.as_char());
        ends.push((punct.span().byte_range().end, rest));
        joint = punct.spacing() == Spacing::Joint;
    }
    let length = OPERATORS.iter().find(|operator| text.starts_with(**operator)).map_or(1, |operator| operator.len());
    let (end, rest) = ends.swap_remove(length - 1);
    Some((bytes(&first).start..end, rest))
}

/// Takes a fragment. Gives its bytes, what has to be written around it, and what comes after.
fn take_fragment<'c>(kind: &str, cursor: Cursor<'c>) -> Option<(Range<usize>, Shape, Cursor<'c>)> {
    let plainly = |found: Option<(Range<usize>, Cursor<'c>)>| found.map(|(range, rest)| (range, Shape::Plain, rest));
    match kind {
        "tt" => plainly(take_tree(cursor)),
        "ident" => {
            let (ident, rest) = cursor.ident().filter(|(ident, _)| ident != "_")?;
            Some((ident.span().byte_range(), Shape::Plain, rest))
        }
        "lifetime" => cursor.lifetime().map(|(name, rest)| (name.span().byte_range(), Shape::Plain, rest)),
        "block" => plainly(cursor.group(Delimiter::Brace).and_then(|_| take_tree(cursor))),
        "literal" => take_parsed(cursor, |input| {
            input.parse::<Option<syn::Token![-]>>()?;
            input.parse::<syn::Lit>().map(|_| Shape::Plain)
        }),
        "ty" => take_parsed(cursor, |input| {
            Ok(match input.parse::<syn::Type>()? {
                syn::Type::Path(path) if path.qself.is_none() && is_simple(&path.path) => Shape::Plain,
                _ => Shape::Type,
            })
        }),
        "expr" | "expr_2021" => take_parsed(cursor, |input| {
            Ok(match input.parse::<Expr>()? {
                Expr::Assign(_)
                | Expr::Binary(_)
                | Expr::Cast(_)
                | Expr::Range(_)
                | Expr::Closure(_)
                | Expr::Unary(_)
                | Expr::Reference(_) => Shape::Operation,
                _ => Shape::Plain,
            })
        }),
        "path" => take_parsed(cursor, |input| input.parse::<syn::TypePath>().map(|_| Shape::Plain)),
        "pat" => take_parsed(cursor, |input| syn::Pat::parse_multi_with_leading_vert(input).map(|_| Shape::Plain)),
        "pat_param" => take_parsed(cursor, |input| syn::Pat::parse_single(input).map(|_| Shape::Plain)),
        "vis" => take_parsed(cursor, |input| input.parse::<syn::Visibility>().map(|_| Shape::Plain)),
        "item" => take_parsed(cursor, |input| input.parse::<syn::Item>().map(|_| Shape::Plain)),
        "meta" => take_parsed(cursor, |input| input.parse::<syn::Meta>().map(|_| Shape::Plain)),
        _ => None,
    }
}

/// Whether a path is names only.
fn is_simple(path: &syn::Path) -> bool {
    path.segments.iter().all(|segment| segment.arguments.is_none())
}

/// Takes what `parse` reads.
fn take_parsed(
    cursor: Cursor<'_>,
    parse: impl Fn(ParseStream<'_>) -> syn::Result<Shape>,
) -> Option<(Range<usize>, Shape, Cursor<'_>)> {
    let all = cursor.token_stream();
    let count = all.clone().into_iter().count();
    let read = |input: ParseStream<'_>| {
        let shape = parse(input)?;
        Ok((shape, TokenStream::parse(input)?.into_iter().count()))
    };
    let (shape, left) = read.parse2(all).ok()?;
    let mut rest = cursor;
    let mut range: Option<Range<usize>> = None;
    for _ in left..count {
        let (token, next) = rest.token_tree()?;
        let place = bytes(&token);
        range = Some(range.map_or(place.clone(), |known| known.start..place.end));
        rest = next;
    }
    Some((range.unwrap_or(0..0), shape, rest))
}

/// Writes what an arm makes.
struct Writer<'w> {
    definition: &'w Mapped,
    tokens: &'w Tokens<'w>,
    call: &'w Mapped,
    /// What `$crate` means.
    root: &'w str,
    out: Mapped,
}

impl Writer<'_> {
    /// Writes the tokens of `range` with `bindings` in the places of their names.
    fn write(&mut self, range: Range<usize>, bindings: &Bindings) -> Option<()> {
        let Some(first) = self.tokens.list.get(range.start).filter(|_| !range.is_empty()) else { return Some(()) };
        let mut from = first.range.start;
        let mut at = range.start;
        while at < range.end {
            let place = self.tokens.list[at].range.start;
            if self.tokens.list[at].kind == Kind::Doc {
                self.copy(from..place);
                from = self.tokens.list[at].range.end;
            }
            if !self.tokens.is(at, '$') {
                at += 1;
                continue;
            }
            let name = plain(self.tokens.text(at + 1));
            if let Some(close) = self.tokens.group(at + 1, Delimiter::Parenthesis) {
                self.copy(from..place);
                let (end, count) = repetition(self.tokens, close + 1);
                count?;
                self.repeat(at + 2..close, close + 1..end, bindings)?;
                at = end + 1;
            } else if name == "crate" {
                self.copy(from..place);
                self.push(&Mapped::from(self.root));
                at += 2;
            } else if let Some(bound) = bindings.get(name) {
                self.copy(from..place);
                let Bound::One(bytes, shape) = bound else { return None };
                self.fragment(at, bytes.clone(), *shape);
                at += 2;
            } else if self.tokens.is_ident(at + 1) {
                // This `$` belongs to a macro within the macro.
                at += 1;
                continue;
            } else {
                // Syntax that is newer than this code.
                return None;
            }
            from = self.tokens.list[at - 1].range.end;
        }
        self.copy(from..self.tokens.list[range.end - 1].range.end);
        Some(())
    }

    /// Copies bytes of the definition.
    fn copy(&mut self, range: Range<usize>) {
        self.push(&self.definition.slice(range));
    }

    /// Adds a piece. Two names do not become one.
    fn push(&mut self, piece: &Mapped) {
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        if self.out.text.ends_with(is_name) && piece.text.starts_with(is_name) {
            self.out.push_str(" ");
        }
        if !piece.text.is_empty() {
            self.out.push(piece);
        }
    }

    fn repeat(&mut self, inside: Range<usize>, between: Range<usize>, bindings: &Bindings) -> Option<()> {
        let mut count = None;
        for at in inside.clone().filter(|&at| self.tokens.is(at, '$')) {
            if let Some(Bound::Many(all)) = bindings.get(plain(self.tokens.text(at + 1))) {
                count = Some(count.unwrap_or(0).max(all.len()));
            }
        }
        for number in 0..count? {
            let mut one = bindings.clone();
            for at in inside.clone().filter(|&at| self.tokens.is(at, '$')) {
                let name = plain(self.tokens.text(at + 1));
                if let Some(Bound::Many(all)) = bindings.get(name) {
                    one.insert(name.to_owned(), all.get(number)?.clone());
                }
            }
            if number > 0 {
                self.write(between.clone(), &one)?;
                self.out.push_str("\n");
            }
            self.write(inside.clone(), &one)?;
        }
        Some(())
    }

    /// Writes a fragment in place of the name at token `at`.
    fn fragment(&mut self, at: usize, bytes: Range<usize>, shape: Shape) {
        let (open, close) = match shape {
            Shape::Operation if !self.stands_alone(at) => ("(", ")"),
            Shape::Type if self.tokens.is_colons(at + 2) => ("<", ">"),
            _ => ("", ""),
        };
        self.out.push_str(open);
        self.push(&self.call.slice(bytes));
        self.out.push_str(close);
    }

    /// Whether what stands around the name at token `at` leaves an expression in one piece.
    fn stands_alone(&self, at: usize) -> bool {
        let before = self.tokens.list.get(at.wrapping_sub(1)).map(|token| token.kind);
        let before = matches!(before, Some(Kind::Open(..) | Kind::Punct(',' | ';', _)))
            || self.tokens.is(at.wrapping_sub(1), '=') && !matches!(before, Some(Kind::Punct(_, true)));
        let after = self.tokens.list.get(at + 2).map(|token| token.kind);
        before && matches!(after, Some(Kind::Close(_) | Kind::Punct(',' | ';', _)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(rules: &str, call: &str) -> Option<String> {
        let tokens = Tokens::new(rules, rules.parse().unwrap());
        let rules_read = Rules::read(&tokens, 0..tokens.list.len()).unwrap();
        let made = rules_read.make(&Mapped::from(rules), &tokens, &Mapped::from(call), "crate")?;
        Some(made.text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_first_arm_that_takes_a_call_makes_something_of_it() {
        let rules = "(a) => { one } ; ($x:ident) => { two $x } ; ($($x:ty),+ $(,)?) => { $(impl A for $x {})* }";
        assert_eq!(made(rules, "a").as_deref(), Some("one"));
        assert_eq!(made(rules, "b").as_deref(), Some("two b"));
        assert_eq!(made(rules, "&'a u8, Vec<A, B>,").as_deref(), Some("impl A for &'a u8 {} impl A for Vec<A, B> {}"));
        assert_eq!(made(rules, "+"), None);
    }

    #[test]
    fn repetitions_are_nested() {
        let rules = "($($name:ident: $($arm:expr => $t:tt),*;)*) => { $(fn $name() { $($t * $arm);* })* }";
        let text = made(rules, "a: 1 + 2 => (x), f(3) => 'y; b: ;");
        assert_eq!(text.as_deref(), Some("fn a() { (x) * (1 + 2); 'y * f(3) } fn b() { }"));
    }

    #[test]
    fn a_fragment_stays_one_piece() {
        let rules = "($t:ty, $e:expr, $v:vis) => { $v const A: $t = $t::new($e, -$e); }";
        let text = made(rules, "Vec<u8>, 1 - 2, pub(crate)");
        assert_eq!(text.as_deref(), Some("pub(crate) const A: Vec<u8> = <Vec<u8>>::new(1 - 2, -(1 - 2));"));
        assert_eq!(made("($t:tt $($u:tt)*) => { $t }", "<<= 1").as_deref(), Some("<<="));
    }
}
