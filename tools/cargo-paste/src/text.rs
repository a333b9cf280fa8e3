//! Source text as tokens with places, and edits by byte range, so that what is not touched stays as written.

use std::ops::Range;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

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

impl<'a> Tokens<'a> {
    /// Flattens `stream`, which was read from `text`.
    #[must_use]
    pub fn new(text: &'a str, stream: TokenStream) -> Self {
        let mut tokens = Self { text, list: Vec::new() };
        tokens.flatten(stream);
        tokens
    }

    fn flatten(&mut self, stream: TokenStream) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let range = tree.span().byte_range();
            match tree {
                TokenTree::Ident(_) => self.list.push(Token { range, kind: Kind::Ident }),
                TokenTree::Literal(_) => self.list.push(Token { range, kind: Kind::Literal }),
                TokenTree::Punct(punct) => {
                    if range.len() > 1 && punct.as_char() == '#' {
                        // A doc comment is handed out as `#[doc = "…"]`, every token of it with the comment's place.
                        while trees.peek().is_some_and(|next| next.span().byte_range() == range) {
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
                    let range = group.span_open().byte_range();
                    self.list.push(Token { range, kind: Kind::Open(delimiter, 0) });
                    self.flatten(group.stream());
                    self.list[open].kind = Kind::Open(delimiter, self.list.len());
                    let range = group.span_close().byte_range();
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

/// Replacements, each of a range of bytes.
#[derive(Debug, Default)]
pub struct Edits {
    list: Vec<(Range<usize>, Order, String)>,
}

/// Which of several edits at one place comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// Belongs to what stands before it.
    After,
    Replace,
    /// Belongs to what stands behind it, and goes with it.
    Before,
}

impl Edits {
    /// Puts `with` in place of `range`.
    pub fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.list.push((range, Order::Replace, with.into()));
    }

    /// Takes `range` out.
    pub fn remove(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Puts `text` before the byte at `place`, unless that is taken out.
    pub fn insert(&mut self, place: usize, text: impl Into<String>) {
        self.list.push((place..place, Order::Before, text.into()));
    }

    /// Puts `text` after what ends at `place`, unless that is taken out.
    pub fn append(&mut self, place: usize, text: impl Into<String>) {
        self.list.push((place..place, Order::After, text.into()));
    }

    /// The text with all of it done. Where two edits overlap the wider one counts.
    #[must_use]
    pub fn apply(mut self, text: &str) -> String {
        self.list.sort_by_key(|(range, order, _)| (range.start, *order, std::cmp::Reverse(range.end)));
        let mut result = String::with_capacity(text.len());
        let mut done = 0;
        let mut removed = false;
        for (range, order, with) in &self.list {
            let swallowed = *order == Order::After && range.start == done && removed;
            if range.start < done || swallowed {
                continue;
            }
            result.push_str(&text[done..range.start]);
            result.push_str(with);
            done = range.end;
            if !range.is_empty() {
                removed = with.is_empty();
            }
        }
        result.push_str(&text[done..]);
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
    }

    #[test]
    fn doc_comments_are_one_token_and_comments_none() {
        let text = "/// doc\nfn f() {} // plain\n";
        let tokens = Tokens::new(text, text.parse().unwrap());
        let kinds: Vec<&str> = (0..tokens.list.len()).map(|index| tokens.text(index)).collect();
        assert_eq!(kinds, ["/// doc", "fn", "f", "(", ")", "{", "}"]);
    }
}
