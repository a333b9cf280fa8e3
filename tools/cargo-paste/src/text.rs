//! Source text as tokens with places, and edits by byte range, so that what is not touched stays as written.

use std::ops::Range;

use proc_macro2::{Delimiter, LineColumn, Spacing, Span, TokenStream, TokenTree};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Ident,
    /// One character of punctuation; `true` if the next one follows without a gap.
    Punct(char, bool),
    /// A literal.
    Literal,
    /// An opening delimiter; holds the index of its closing one.
    Open(Delimiter, usize),
    /// A closing delimiter.
    Close(Delimiter),
    /// A doc comment.
    Doc,
}

/// A token and where it stands.
#[derive(Debug, Clone)]
pub struct Token {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// The tokens of a text, delimiters included, in order.
#[derive(Debug)]
pub struct Tokens<'a> {
    /// The text.
    pub text: &'a str,
    /// Its tokens.
    pub list: Vec<Token>,
}

/// The lines of a text. Bytes are counted from them, since `Span::byte_range` is slow in a large text.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// Whether each letter is one byte.
    plain: bool,
}

impl Lines<'_> {
    fn bytes(&self, span: Span) -> Range<usize> {
        self.byte(span.start())..self.byte(span.end())
    }

    fn byte(&self, place: LineColumn) -> usize {
        let Some(&start) = self.starts.get(place.line.wrapping_sub(1)) else { return 0 };
        if self.plain {
            return start + place.column;
        }
        let line = &self.text[start..];
        start + line.char_indices().nth(place.column).map_or(line.len(), |(at, _)| at)
    }
}

impl<'a> Tokens<'a> {
    /// Flattens `stream`, which was read from `text`.
    #[must_use]
    pub fn new(text: &'a str, stream: TokenStream) -> Self {
        let mut tokens = Self { text, list: Vec::new() };
        tokens.flatten(stream, &Lines { text, starts: crate::nodes::line_starts(text), plain: text.is_ascii() });
        tokens
    }

    fn flatten(&mut self, stream: TokenStream, lines: &Lines<'_>) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let range = lines.bytes(tree.span());
            match tree {
                TokenTree::Ident(_) => self.list.push(Token { range, kind: Kind::Ident }),
                TokenTree::Literal(_) => self.list.push(Token { range, kind: Kind::Literal }),
                TokenTree::Punct(punct) => {
                    if range.len() > 1 && punct.as_char() == '#' {
                        // A doc comment is handed out as `#[doc = "…"]`, every token of it with the comment's place.
                        while trees.peek().is_some_and(|next| lines.bytes(next.span()) == range) {
                            trees.next();
                        }
                        self.list.push(Token { range, kind: Kind::Doc });
                    } else {
                        let joint = punct.spacing() == Spacing::Joint;
                        self.list.push(Token { range, kind: Kind::Punct(punct.as_char(), joint) });
                    }
                }
                TokenTree::Group(group) => {
                    let delimiter = group.delimiter();
                    let open = self.list.len();
                    let range = lines.bytes(group.span_open());
                    self.list.push(Token { range, kind: Kind::Open(delimiter, 0) });
                    self.flatten(group.stream(), lines);
                    self.list[open].kind = Kind::Open(delimiter, self.list.len());
                    let range = lines.bytes(group.span_close());
                    self.list.push(Token { range, kind: Kind::Close(delimiter) });
                }
            }
        }
    }

    /// The text of token `index`, empty past the end.
    #[must_use]
    pub fn text(&self, index: usize) -> &'a str {
        self.list.get(index).map_or("", |token| &self.text[token.range.clone()])
    }

    /// Whether token `index` is the punctuation `wanted`.
    #[must_use]
    pub fn is(&self, index: usize, wanted: char) -> bool {
        matches!(self.list.get(index), Some(Token { kind: Kind::Punct(found, _), .. }) if *found == wanted)
    }

    /// Whether `::` starts at token `index`.
    #[must_use]
    pub fn is_colons(&self, index: usize) -> bool {
        matches!(self.list.get(index), Some(Token { kind: Kind::Punct(':', true), .. })) && self.is(index + 1, ':')
    }

    /// Whether token `index` is a name or keyword.
    #[must_use]
    pub fn is_ident(&self, index: usize) -> bool {
        matches!(self.list.get(index), Some(Token { kind: Kind::Ident, .. }))
    }

    /// The closing index of the group that opens at `index`, if one with `delimiter` does.
    #[must_use]
    pub fn group(&self, index: usize, delimiter: Delimiter) -> Option<usize> {
        match self.list.get(index)?.kind {
            Kind::Open(found, close) if found == delimiter => Some(close),
            _ => None,
        }
    }
}

/// The bytes of the literals in a text.
#[must_use]
pub fn literals(text: &str) -> Vec<Range<usize>> {
    let tokens = text.parse().map(|stream| Tokens::new(text, stream).list).unwrap_or_default();
    tokens.into_iter().filter(|token| token.kind == Kind::Literal).map(|token| token.range).collect()
}

/// A text that knows of each byte which file it comes from, if any.
#[derive(Debug, Clone, Default)]
pub struct Mapped {
    /// The text.
    pub text: String,
    /// Where each piece starts, and the file and the byte in it that the piece comes from, if any.
    pieces: Vec<(usize, Option<(usize, usize)>)>,
}

impl<T: Into<String>> From<T> for Mapped {
    fn from(text: T) -> Self {
        Self { text: text.into(), pieces: vec![(0, None)] }
    }
}

impl Mapped {
    /// The text of a file.
    #[must_use]
    pub fn of_file(text: &str, file: usize) -> Self {
        Self { text: text.to_owned(), pieces: vec![(0, Some((file, 0)))] }
    }

    /// A part of it, with its places.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let first = self.pieces.partition_point(|(start, _)| *start <= range.start).saturating_sub(1);
        let pieces = self.pieces[first.min(self.pieces.len())..].iter().take_while(|(start, _)| *start < range.end);
        let pieces = pieces.map(|&(start, origin)| {
            let skipped = range.start.saturating_sub(start);
            (start.max(range.start) - range.start, origin.map(|(file, from)| (file, from + skipped)))
        });
        Self { pieces: pieces.collect(), text: self.text[range.clone()].to_owned() }
    }

    /// For a text that comes from one file: where byte `from` of the file stands now, if it is still there.
    #[must_use]
    pub fn find(&self, from: usize) -> Option<usize> {
        let ends = self.pieces.iter().skip(1).map(|(start, _)| *start).chain([self.text.len()]);
        self.pieces.iter().zip(ends).find_map(|(&(start, origin), end)| {
            let (_, first) = origin?;
            let place = start + from.checked_sub(first)?;
            (place < end).then_some(place)
        })
    }

    /// The files and the bytes in them that `range` comes from, piece by piece.
    #[must_use]
    pub fn origins(&self, range: Range<usize>) -> Vec<(usize, Range<usize>)> {
        let part = self.slice(range);
        let ends = part.pieces.iter().skip(1).map(|(start, _)| *start).chain([part.text.len()]);
        let pieces = part.pieces.iter().zip(ends);
        pieces
            .filter_map(|(&(start, origin), end)| origin.map(|(file, from)| (file, from..from + end - start)))
            .collect()
    }

    /// Adds text that comes from no file.
    pub fn push_str(&mut self, text: &str) {
        self.pieces.push((self.text.len(), None));
        self.text.push_str(text);
    }

    /// Adds another text with its places.
    pub fn push(&mut self, other: &Self) {
        let start = self.text.len();
        self.pieces.extend(other.pieces.iter().map(|&(at, origin)| (start + at, origin)));
        self.text.push_str(&other.text);
    }

    /// Takes blanks off the end.
    pub fn trim_end(&mut self) {
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        self.pieces.retain(|(start, _)| *start < end);
    }

    /// The file and the byte in it that byte `place` comes from.
    #[must_use]
    pub fn origin(&self, place: usize) -> Option<(usize, usize)> {
        let piece = self.pieces.partition_point(|(start, _)| *start <= place).checked_sub(1)?;
        let (start, origin) = self.pieces[piece];
        origin.map(|(file, from)| (file, from + (place - start)))
    }
}

/// Replacements, each of a range of bytes.
#[derive(Debug, Default)]
pub struct Edits {
    list: Vec<(Range<usize>, Order, Mapped)>,
}

/// Which of several edits at one place comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// Belongs to what stands before it, and is left out if that is taken out.
    After,
    Replace,
    /// Belongs to what follows it, and is left out if that is taken out or replaced.
    Before,
}

impl Edits {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Puts `with` in place of `range`.
    pub fn replace(&mut self, range: Range<usize>, with: impl Into<Mapped>) {
        self.list.push((range, Order::Replace, with.into()));
    }

    /// Takes `range` out.
    pub fn remove(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Puts `text` before the byte at `place`, unless that is taken out or replaced.
    pub fn insert(&mut self, place: usize, text: impl Into<Mapped>) {
        self.list.push((place..place, Order::Before, text.into()));
    }

    /// Puts `text` after what ends at `place`, unless that is taken out.
    pub fn append(&mut self, place: usize, text: impl Into<Mapped>) {
        self.list.push((place..place, Order::After, text.into()));
    }

    /// The text with all edits made. Where two overlap, the one that starts first counts, and of two that start
    /// together the wider one.
    #[must_use]
    pub fn apply(self, text: &str) -> String {
        self.apply_to(text, 0).text
    }

    /// The same for the text of a file, so that every byte remembers where it comes from.
    #[must_use]
    pub fn apply_to(self, text: &str, file: usize) -> Mapped {
        self.apply_on(&Mapped::of_file(text, file))
    }

    /// The same for a text whose bytes already know where they come from.
    #[must_use]
    pub fn apply_on(mut self, text: &Mapped) -> Mapped {
        self.list.sort_by_key(|(range, order, _)| (range.start, *order, std::cmp::Reverse(range.end)));
        let mut result = Mapped::default();
        let mut done = 0;
        let mut removed = false;
        for (range, order, with) in &self.list {
            let swallowed = *order == Order::After && range.start == done && removed;
            if range.start < done || swallowed {
                continue;
            }
            removed &= range.start == done;
            result.push(&text.slice(done..range.start));
            result.push(with);
            done = range.end;
            if !range.is_empty() {
                removed = with.text.is_empty();
            }
        }
        result.push(&text.slice(done..text.text.len()));
        result
    }
}

/// `ident` without `r#`.
#[must_use]
pub fn plain(ident: &str) -> &str {
    ident.strip_prefix("r#").unwrap_or(ident)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_where_proc_macro2_says() {
        for text in ["a b\n  (c, 1)\n/// d\nfn e() {}\n", "let ä = \"ö\n ü\"; // é\n{ ß }", ""] {
            let tokens = Tokens::new(text, text.parse().unwrap());
            let trees: TokenStream = text.parse().unwrap();
            for tree in trees {
                let range = tree.span().byte_range();
                assert!(tokens.list.iter().any(|token| token.range.start == range.start), "{text:?} {range:?}");
            }
            let words: Vec<&str> = tokens.list.iter().map(|token| &text[token.range.clone()]).collect();
            assert!(words.iter().all(|word| !word.is_empty() && word.trim() == *word), "{words:?}");
        }
    }

    #[test]
    fn the_wider_of_two_edits_counts() {
        let mut edits = Edits::default();
        edits.replace(2..3, "x");
        edits.remove(1..4);
        edits.insert(1, "-");
        edits.append(1, "+");
        edits.append(4, "*");
        edits.insert(5, "!");
        edits.insert(0, ">");
        assert_eq!(edits.apply("abcdef"), ">a+e!f");
        // What was taken out earlier has nothing to do with what is put in later.
        let mut edits = Edits::default();
        edits.remove(1..3);
        edits.append(5, "+");
        edits.append(5, "*");
        assert_eq!(edits.apply("abcdef"), "ade+*f");
    }

    #[test]
    fn an_edited_text_knows_where_its_bytes_come_from() {
        let mut edits = Edits::default();
        edits.remove(1..3);
        edits.insert(4, "new ");
        let edited = edits.apply_to("abcdef", 7);
        assert_eq!(edited.text, "adnew ef");
        let origins: Vec<_> = (0..8).map(|place| edited.origin(place).map(|(file, place)| file * 10 + place)).collect();
        assert_eq!(origins, [Some(70), Some(73), None, None, None, None, Some(74), Some(75)]);
    }

    #[test]
    fn a_text_that_is_edited_twice_knows_it_too() {
        let mut first = Edits::default();
        first.replace(1..3, "new");
        let once = first.apply_to("abcdef", 0);
        assert_eq!((once.find(0), once.find(1), once.find(3), once.find(5)), (Some(0), None, Some(4), Some(6)));
        let mut second = Edits::default();
        second.remove(0..2);
        second.append(5, "!");
        let twice = second.apply_on(&once);
        assert_eq!(twice.text, "ewd!ef");
        let origins: Vec<_> = (0..6).map(|place| twice.origin(place).map(|(_, place)| place)).collect();
        assert_eq!(origins, [None, None, Some(3), None, Some(4), Some(5)]);
    }

    #[test]
    fn doc_comments_are_one_token_and_comments_none() {
        let text = "/// doc\nfn f() {} // plain\n";
        let tokens = Tokens::new(text, text.parse().unwrap());
        let kinds: Vec<&str> = (0..tokens.list.len()).map(|index| tokens.text(index)).collect();
        assert_eq!(kinds, ["/// doc", "fn", "f", "(", ")", "{", "}"]);
    }
}
