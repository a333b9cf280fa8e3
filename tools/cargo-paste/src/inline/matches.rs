//! `if let` as `match`, for crates of older editions below a solution of 2024.
//!
//! Since 2024, temporary values in the condition of `if let` are dropped before its `else`. In older editions they are
//! dropped at its end. Those of `match` are dropped at its end in every edition.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprIf};

/// What to change in `text`, at the places that are wanted.
pub(super) fn edits(text: &str, is_wanted: &dyn Fn(usize) -> bool) -> Option<Vec<(Range<usize>, String)>> {
    let file = syn::parse_file(text).ok()?;
    let mut finder = Finder { text, is_wanted, edits: Vec::new() };
    finder.visit_file(&file);
    Some(finder.edits).filter(|edits| !edits.is_empty())
}

struct Finder<'a> {
    text: &'a str,
    is_wanted: &'a dyn Fn(usize) -> bool,
    edits: Vec<(Range<usize>, String)>,
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_if(&mut self, item: &'ast ExprIf) {
        visit::visit_expr_if(self, item);
        let start = item.if_token.span.byte_range().start;
        let Expr::Let(condition) = &*item.cond else { return };
        if !(self.is_wanted)(start) {
            return;
        }
        let looked_at = condition.expr.span().byte_range();
        let block = item.then_branch.span().byte_range();
        let pattern = &self.text[condition.pat.span().byte_range()];
        self.edits.push((start..looked_at.start, "match ".to_owned()));
        self.edits.push((looked_at.end..block.start, format!(" {{ {pattern} => ")));
        match &item.else_branch {
            Some((word, other)) => {
                let end = other.span().byte_range().end;
                self.edits.push((word.span.byte_range(), "_ =>".to_owned()));
                self.edits.push((end..end, " }".to_owned()));
            }
            None => self.edits.push((block.end..block.end, " _ => {} }".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Edits;

    #[test]
    fn if_let_becomes_match() {
        let changed = |text: &str| {
            let mut all = Edits::default();
            for (range, with) in edits(text, &|_| true)? {
                all.replace(range, with);
            }
            Some(all.apply(text))
        };
        for (text, wanted) in [
            (
                "fn f() { if let Some(x) = a.b() { x } else { c } }",
                "fn f() { match a.b() { Some(x) => { x } _ => { c } } }",
            ),
            ("fn f() { if let A | B = c { d(); } }", "fn f() { match c { A | B => { d(); } _ => {} } }"),
            (
                "fn f() { if let A = b { c } else if let D = e { g } else { h } }",
                "fn f() { match b { A => { c } _ => match e { D => { g } _ => { h } } } }",
            ),
        ] {
            assert_eq!(changed(text).unwrap(), wanted);
        }
        assert_eq!(changed("fn f() { if a { b } else { c } }"), None);
    }
}
