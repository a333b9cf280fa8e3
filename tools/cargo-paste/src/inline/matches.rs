//! `if let` written in another way, for crates of older editions in a solution of 2024, and the other way round.
//!
//! Since 2024, temporary values in the condition of `if let` are dropped before its `else`. In older editions they are
//! dropped at the end of the statement around it. Those of `match` are dropped there in every edition. Those of a
//! statement that is an `if let` without `else` are dropped before the next statement in every edition.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprIf};

/// What to change in `text`, at the places that are wanted, so that temporary values are dropped `early` or late.
pub(super) fn edits(text: &str, early: bool, is_wanted: &dyn Fn(usize) -> bool) -> Option<Vec<(Range<usize>, String)>> {
    let file = syn::parse_file(text).ok()?;
    let mut finder = Finder { text, early, is_wanted, edits: Vec::new() };
    finder.visit_file(&file);
    Some(finder.edits).filter(|edits| !edits.is_empty())
}

struct Finder<'a> {
    text: &'a str,
    early: bool,
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
        if self.early {
            if let Some((word, other)) = &item.else_branch
                && !leaves_loop(item)
            {
                let block = item.then_branch.span().byte_range();
                let end = other.span().byte_range().end;
                self.edits.push((start..start, "'cargo_paste: { ".to_owned()));
                self.edits.push((block.start..block.start, "{ break 'cargo_paste (".to_owned()));
                self.edits.push((block.end..word.span.byte_range().end, ") }".to_owned()));
                self.edits.push((end..end, " }".to_owned()));
            }
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

/// Whether a `break` or `continue` without a label leaves this `if`. It may not leave a block that has a label.
fn leaves_loop(item: &ExprIf) -> bool {
    struct Leaving(bool);
    impl<'ast> Visit<'ast> for Leaving {
        fn visit_expr(&mut self, item: &'ast Expr) {
            match item {
                Expr::Break(item) if item.label.is_none() => self.0 = true,
                Expr::Continue(item) if item.label.is_none() => self.0 = true,
                Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Closure(_) | Expr::Async(_) => {}
                _ => visit::visit_expr(self, item),
            }
        }

        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut leaving = Leaving(false);
    leaving.visit_expr_if(item);
    leaving.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Edits;

    fn changed(text: &str, early: bool) -> Option<String> {
        let mut all = Edits::default();
        for (range, with) in edits(text, early, &|_| true)? {
            all.replace(range, with);
        }
        Some(all.apply(text))
    }

    #[test]
    fn if_let_becomes_a_block() {
        let text = "fn f() { if let A = b { c } else if let D = e { g } else { h } if let I = j { k(); } }";
        let wanted = "fn f() { 'cargo_paste: { if let A = b { break 'cargo_paste ({ c }) } \
            'cargo_paste: { if let D = e { break 'cargo_paste ({ g }) } { h } } } if let I = j { k(); } }";
        assert_eq!(changed(text, true).unwrap(), wanted);
        for (kept, text) in [(true, "break"), (true, "continue"), (false, "loop { break }"), (false, "break 'out")] {
            let text = format!("fn f() {{ 'out: loop {{ if let A = b {{ {text}; }} else {{ c() }} }} }}");
            assert_eq!(changed(&text, true).is_none(), kept, "{text}");
        }
    }

    #[test]
    fn if_let_becomes_match() {
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
            assert_eq!(changed(text, false).unwrap(), wanted);
        }
        assert_eq!(changed("fn f() { if a { b } else { c } }", false), None);
    }
}
