//! Crates of one edition, written so that they do the same in a solution of another: mostly `if let`.
//!
//! Since 2024, temporary values in the condition of `if let` are dropped before its `else`. In older editions they are
//! dropped at the end of the statement around it. Those of `match` are dropped there in every edition. Those of a
//! statement that is an `if let` without `else` are dropped before the next statement in every edition.
//!
//! Only since 2024 may `&&` stand beside `let`. And since 2024, temporary values in the last expression of a block are
//! dropped before the block's variables. In older editions they are dropped after them, often at the end of the
//! statement around the block.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Expr, ExprBreak, ExprContinue, ExprForLoop, ExprIf, ExprLoop, ExprMethodCall, ExprWhile, Label, Stmt,
};

use crate::prove::captures::HANDS_ON;

/// The label of a block that is put in the place of an `if`.
const BLOCK: &str = "'cargo_paste";
/// The label of a block that is put inside another.
const END: &str = "'cargo_paste_end";
/// The label of a loop that has none and is left from inside such a block.
const LOOP: &str = "'cargo_paste_loop";

/// What is written in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewrite {
    /// `if let` with `else`: in every edition, temporary values are dropped before `else`.
    Early,
    /// `if let`: in every edition, temporary values are dropped at the end of the statement around it.
    Late,
    /// Conditions with `&&` beside `let`. Temporary values are still dropped when 2024 drops them.
    Chains,
    /// `[…].into_iter()`, also for a constant: in every edition, it gives values, as it does since 2021.
    Arrays,
    /// The last expression of a block: in every edition, temporary values are dropped before the block's variables.
    Ends,
}

/// What to change in `text`, at the places that are wanted. `may_point` says whether there may be raw pointers to
/// temporary values.
pub fn edits(
    text: &str,
    rewrite: Rewrite,
    may_point: bool,
    is_wanted: &dyn Fn(usize) -> bool,
) -> Vec<(Range<usize>, String)> {
    let Ok(file) = syn::parse_file(text) else { return Vec::new() };
    let mut finder = Finder {
        text,
        rewrite,
        is_wanted,
        after_else: BTreeSet::new(),
        may_point,
        loops: Vec::new(),
        labels: BTreeSet::new(),
        edits: Vec::new(),
    };
    finder.visit_file(&file);
    let labels = finder.labels.into_iter().map(|(place, label)| (place..place, label));
    finder.edits.into_iter().chain(labels).collect()
}

struct Finder<'a> {
    text: &'a str,
    rewrite: Rewrite,
    is_wanted: &'a dyn Fn(usize) -> bool,
    /// Where an `if` starts that follows `else`. No block with a label may stand there.
    after_else: BTreeSet<usize>,
    /// Whether there may be raw pointers to temporary values.
    may_point: bool,
    /// Where each of the loops around starts, and its label.
    loops: Vec<(usize, Option<String>)>,
    /// Labels to put in.
    labels: BTreeSet<(usize, String)>,
    edits: Vec<(Range<usize>, String)>,
}

impl Finder<'_> {
    fn edit(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.edits.push((range, with.into()));
    }

    /// An `if` as a block: where the condition holds, the block is left with the value of the first part.
    fn as_block(&mut self, item: &ExprIf) {
        let start = item.if_token.span.byte_range().start;
        let block = item.then_branch.span().byte_range();
        let (open, close) = if self.after_else.contains(&start) { ("{ ", " }") } else { ("", "") };
        self.edit(start..start, format!("{open}{BLOCK}: {{ "));
        let ends = self.nest(&item.cond);
        self.edit(block.start..block.start, format!("{{ break {BLOCK} ("));
        match &item.else_branch {
            Some((word, other)) => {
                let end = other.span().byte_range().end;
                self.edit(block.end..word.span.byte_range().end, format!(") }}{ends}"));
                self.edit(end..end, format!(" }}{close}"));
            }
            None => self.edit(block.end..block.end, format!(") }}{ends} {{}} }}{close}")),
        }
        self.name_loop(|leaving| leaving.visit_expr_if(item));
    }

    /// Writes a condition with `&&` beside `let` as one `if` in another. Returns what closes the inner ones.
    fn nest(&mut self, condition: &Expr) -> String {
        let places = chain(condition);
        let ends = " }".repeat(places.len());
        for place in places {
            self.edit(place, "{ if");
        }
        ends
    }

    /// Inside a block with a label, `break` and `continue` need the label of the loop that they are about.
    fn name_loop(&mut self, visit: impl FnOnce(&mut Leaving)) {
        let mut leaving = Leaving::default();
        visit(&mut leaving);
        let Some((start, label)) = self.loops.last() else { return };
        if label.is_none() && !leaving.0.is_empty() {
            self.labels.insert((*start, format!("{LOOP}: ")));
        }
        let label = label.as_deref().unwrap_or(LOOP);
        self.labels.extend(leaving.0.into_iter().map(|place| (place, format!(" {label}"))));
    }

    fn around(&mut self, start: usize, label: Option<&Label>, visit: impl FnOnce(&mut Self)) {
        self.loops.push((start, label.map(|label| label.name.to_string())));
        visit(self);
        self.loops.pop();
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_if(&mut self, item: &'ast ExprIf) {
        if let Some((_, other)) = &item.else_branch {
            self.after_else.insert(other.span().byte_range().start);
        }
        visit::visit_expr_if(self, item);
        let start = item.if_token.span.byte_range().start;
        if !(self.is_wanted)(start) {
            return;
        }
        let block = item.then_branch.span().byte_range();
        let early = matches!(self.rewrite, Rewrite::Early | Rewrite::Chains);
        if early && self.may_point && block_extends(&item.then_branch) {
            return;
        }
        match (self.rewrite, &*item.cond) {
            (Rewrite::Early, Expr::Let(_)) if item.else_branch.is_some() => self.as_block(item),
            (Rewrite::Chains, condition) if !chain(condition).is_empty() => self.as_block(item),
            (Rewrite::Late, Expr::Let(condition)) => {
                let looked_at = condition.expr.span().byte_range();
                let pattern = &self.text[condition.pat.span().byte_range()];
                let (open, close) = if self.after_else.contains(&start) { ("{ ", " }") } else { ("", "") };
                self.edit(start..looked_at.start, format!("{open}match "));
                self.edit(looked_at.end..block.start, format!(" {{ {pattern} => "));
                match &item.else_branch {
                    Some((word, other)) => {
                        let end = other.span().byte_range().end;
                        self.edit(word.span.byte_range(), "_ =>");
                        self.edit(end..end, format!(" }}{close}"));
                    }
                    None => self.edit(block.end..block.end, format!(" _ => {{}} }}{close}")),
                }
            }
            _ => {}
        }
    }

    fn visit_expr_method_call(&mut self, item: &'ast ExprMethodCall) {
        visit::visit_expr_method_call(self, item);
        let is_constant = |path: &syn::ExprPath| {
            let name = path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
            !name.contains(char::is_lowercase)
        };
        let is_array = match &*item.receiver {
            Expr::Array(_) | Expr::Repeat(_) => true,
            Expr::Path(path) => is_constant(path),
            _ => false,
        };
        let array = item.receiver.span().byte_range();
        if self.rewrite == Rewrite::Arrays && is_array && item.method == "into_iter" && (self.is_wanted)(array.start) {
            self.edit(array.start..array.start, "::std::iter::IntoIterator::into_iter(");
            self.edit(array.end..item.span().byte_range().end, ")");
        }
    }

    fn visit_block(&mut self, item: &'ast Block) {
        visit::visit_block(self, item);
        let Some(Stmt::Expr(last, None)) = item.stmts.last() else { return };
        if self.rewrite != Rewrite::Ends || !calls(last) || self.may_point && extends(last) {
            return;
        }
        let last = last.span().byte_range();
        if (self.is_wanted)(last.start) {
            let (open, close) = (item.brace_token.span.open().byte_range(), item.brace_token.span.close().byte_range());
            self.edit(open.end..open.end, format!(" {END}: {{"));
            self.edit(last.start..last.start, format!("break {END} ("));
            self.edit(last.end..last.end, ");");
            self.edit(close.start..close.start, "} ");
            self.name_loop(|leaving| leaving.visit_block(item));
        }
    }

    fn visit_expr_while(&mut self, item: &'ast ExprWhile) {
        let word = item.while_token.span.byte_range();
        if self.rewrite != Rewrite::Chains || chain(&item.cond).is_empty() || !(self.is_wanted)(word.start) {
            return self.around(word.start, item.label.as_ref(), |finder| visit::visit_expr_while(finder, item));
        }
        let (label, first) = match &item.label {
            Some(label) => (label.name.to_string(), String::new()),
            None => (LOOP.to_owned(), format!("{LOOP}: ")),
        };
        self.loops.push((word.start, Some(label.clone())));
        visit::visit_expr_while(self, item);
        let block = item.body.span().byte_range();
        self.edit(word, format!("{first}loop {{ {BLOCK}: {{ if"));
        let ends = self.nest(&item.cond);
        self.edit(block.start..block.start, format!("{{ break {BLOCK} ("));
        self.edit(block.end..block.end, format!(") }}{ends} break {label} }} }}"));
        self.name_loop(|leaving| leaving.visit_block(&item.body));
        self.loops.pop();
    }

    fn visit_expr_loop(&mut self, item: &'ast ExprLoop) {
        let start = item.loop_token.span.byte_range().start;
        self.around(start, item.label.as_ref(), |finder| visit::visit_expr_loop(finder, item));
    }

    fn visit_expr_for_loop(&mut self, item: &'ast ExprForLoop) {
        let start = item.for_token.span.byte_range().start;
        self.around(start, item.label.as_ref(), |finder| visit::visit_expr_for_loop(finder, item));
    }
}

/// Whether an expression has calls in it, which may make temporary values. Operators may make some, too; they are not
/// looked for, and the proof finds what that changes.
fn calls(expression: &Expr) -> bool {
    struct Calls(bool);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr(&mut self, item: &'ast Expr) {
            self.0 |= matches!(item, Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Struct(_));
            visit::visit_expr(self, item);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(expression);
    calls.0
}

/// Whether an expression may borrow a temporary value that lives as long as the variable of a `let` around it. With
/// `break` in front of the expression, the value would end there. If a reference leads to it, the compiler reports
/// that. If a raw pointer does, nothing reports it.
fn extends(expression: &Expr) -> bool {
    match expression {
        Expr::Reference(of) => !is_place(&of.expr),
        Expr::RawAddr(of) => !is_place(&of.expr),
        Expr::Range(range) => [&range.start, &range.end].into_iter().flatten().any(|end| extends(end)),
        Expr::Paren(inside) => extends(&inside.expr),
        Expr::Group(inside) => extends(&inside.expr),
        Expr::Cast(cast) => extends(&cast.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().any(extends),
        Expr::Array(array) => array.elems.iter().any(extends),
        Expr::Repeat(repeat) => extends(&repeat.expr),
        Expr::Struct(item) => item.fields.iter().any(|field| extends(&field.expr)),
        // It may make a tuple struct.
        Expr::Call(call) => call.args.iter().any(extends),
        Expr::Block(block) => block_extends(&block.block),
        Expr::Unsafe(block) => block_extends(&block.block),
        Expr::If(item) => {
            block_extends(&item.then_branch) || item.else_branch.as_ref().is_some_and(|(_, other)| extends(other))
        }
        Expr::Match(item) => item.arms.iter().any(|arm| extends(&arm.body)),
        // What another macro makes is not known.
        Expr::Macro(call) => !HANDS_ON.iter().any(|known| call.mac.path.is_ident(known)),
        _ => false,
    }
}

fn block_extends(block: &Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(last, None)) if extends(last))
}

/// Whether an expression names something that lives longer than itself: a variable or a part of it, or what a variable
/// points to. A constant does not count: each time it is named, it may be a new value.
fn is_place(expression: &Expr) -> bool {
    match expression {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| !name.to_string().starts_with(char::is_uppercase)),
        Expr::Lit(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr),
        Expr::Paren(inside) => is_place(&inside.expr),
        Expr::Unary(item) => matches!(item.op, syn::UnOp::Deref(_)) && is_place(&item.expr),
        _ => false,
    }
}

/// The places of `&&` beside `let` in a condition.
fn chain(condition: &Expr) -> Vec<Range<usize>> {
    match condition {
        Expr::Binary(both) => match &both.op {
            BinOp::And(word) => {
                let mut places = chain(&both.left);
                if is_let(&both.right) || ends_in_let(&both.left) {
                    places.push(word.span().byte_range());
                }
                places
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn is_let(condition: &Expr) -> bool {
    matches!(condition, Expr::Let(_))
}

/// Whether the last part of conditions with `&&` between them is a `let`.
fn ends_in_let(condition: &Expr) -> bool {
    match condition {
        Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => is_let(&both.right),
        _ => is_let(condition),
    }
}

/// The ends of the words `break` and `continue` that have no label and leave the loop around this.
#[derive(Default)]
struct Leaving(Vec<usize>);

impl<'ast> Visit<'ast> for Leaving {
    fn visit_expr_break(&mut self, item: &'ast ExprBreak) {
        if item.label.is_none() {
            self.0.push(item.break_token.span.byte_range().end);
        }
        visit::visit_expr_break(self, item);
    }

    fn visit_expr_continue(&mut self, item: &'ast ExprContinue) {
        if item.label.is_none() {
            self.0.push(item.continue_token.span.byte_range().end);
        }
    }

    fn visit_expr(&mut self, item: &'ast Expr) {
        match item {
            Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Closure(_) | Expr::Async(_) => {}
            _ => visit::visit_expr(self, item),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Edits;

    fn changed(text: &str, rewrite: Rewrite, is_wanted: impl Fn(usize) -> bool) -> String {
        let mut all = Edits::default();
        for (range, with) in edits(text, rewrite, false, &is_wanted) {
            all.replace(range, with);
        }
        all.apply(text)
    }

    #[test]
    fn a_value_that_a_raw_pointer_may_lead_to_keeps_its_end() {
        for (value, lives_longer) in [
            ("&make() as *const _", false),
            ("&*make() as *const _", false),
            ("&raw const *make()", false),
            ("&raw const (*&make())", false),
            ("&CELL as *const _", false),
            ("&own::CELL as *const _", false),
            ("&make() as *const _ ..", false),
            ("Some(&make().1 as *const _)", false),
            ("&a as *const _", true),
            ("&raw const a.b[c()]", true),
            ("&*a as *const _", true),
        ] {
            let text = format!("fn f() {{ let p = {{ g(); ({value}, h()) }}; }}");
            assert_eq!(edits(&text, Rewrite::Ends, true, &|_| true).is_empty(), !lives_longer, "{value}");
            let text = format!("fn f() {{ let p = if let A = b && c {{ {value} }} else {{ d }}; }}");
            assert_eq!(edits(&text, Rewrite::Chains, true, &|_| true).is_empty(), !lives_longer, "{value}");
        }
    }

    #[test]
    fn if_let_becomes_a_block() {
        let text = "fn f() { if let A = b { c } else if let D = e { g } else { h } if let I = j { k(); } }";
        let wanted = "fn f() { 'cargo_paste: { if let A = b { break 'cargo_paste ({ c }) } \
            { 'cargo_paste: { if let D = e { break 'cargo_paste ({ g }) } { h } } } } if let I = j { k(); } }";
        assert_eq!(changed(text, Rewrite::Early, |_| true), wanted);
        let text = "fn f() { if a { b } else if let C = d { e } else { g } }";
        let wanted =
            "fn f() { if a { b } else { 'cargo_paste: { if let C = d { break 'cargo_paste ({ e }) } { g } } } }";
        assert_eq!(changed(text, Rewrite::Early, |_| true), wanted);
    }

    #[test]
    fn a_loop_that_is_left_from_a_block_has_a_label() {
        for (text, wanted) in [
            ("loop { X }", "'cargo_paste_loop: loop { X }"),
            ("'a: loop { X }", "'a: loop { X }"),
            ("while b { X }", "'cargo_paste_loop: while b { X }"),
            ("for b in c { X }", "'cargo_paste_loop: for b in c { X }"),
        ] {
            let label = if text.starts_with('\'') { "'a" } else { "'cargo_paste_loop" };
            for (inside, left) in [
                ("break", format!("break {label}")),
                ("continue", format!("continue {label}")),
                ("break 1 + d", format!("break {label} 1 + d")),
                ("loop { break }", "loop { break }".to_owned()),
                ("break 'out", "break 'out".to_owned()),
            ] {
                let wanted = if left.contains(label) { wanted } else { text };
                let text = format!(
                    "fn f() {{ {} }}",
                    text.replace('X', &format!("if let E = g {{ {inside}; }} else {{ h }}"))
                );
                let block =
                    format!("'cargo_paste: {{ if let E = g {{ break 'cargo_paste ({{ {left}; }}) }} {{ h }} }}");
                let wanted = format!("fn f() {{ {} }}", wanted.replace('X', &block));
                assert_eq!(changed(&text, Rewrite::Early, |_| true), wanted);
            }
        }
    }

    #[test]
    fn an_array_gives_values() {
        let text = "fn f() { [a, b].into_iter().map(g); NEAR.into_iter(); near.into_iter(); }";
        let wanted = "fn f() { ::std::iter::IntoIterator::into_iter([a, b]).map(g); \
            ::std::iter::IntoIterator::into_iter(NEAR); near.into_iter(); }";
        assert_eq!(changed(text, Rewrite::Arrays, |_| true), wanted);
    }

    #[test]
    fn a_block_ends_with_break() {
        let text = "fn f() { for a in b { let c = d; if c { continue } else { e() } } { g } }";
        let wanted = "fn f() { 'cargo_paste_loop: for a in b { 'cargo_paste_end: { let c = d; \
            break 'cargo_paste_end (if c { continue 'cargo_paste_loop } else { 'cargo_paste_end: { break 'cargo_paste_end (e()); } }); } } { g } }";
        assert_eq!(changed(text, Rewrite::Ends, |_| true), wanted);
    }

    #[test]
    fn a_condition_with_several_parts_becomes_one_if_in_another() {
        for (text, wanted) in [
            (
                "if let A = b && c { d(); }",
                "'cargo_paste: { if let A = b { if c { break 'cargo_paste ({ d(); }) } } {} }",
            ),
            (
                "if a && b && let C = d && e && g { h(); }",
                "'cargo_paste: { if a && b { if let C = d { if e && g { break 'cargo_paste ({ h(); }) } } } {} }",
            ),
            (
                "if let A = b && let C = d { e } else { g }",
                "'cargo_paste: { if let A = b { if let C = d { break 'cargo_paste ({ e }) } } { g } }",
            ),
            (
                "'a: while let B = c && d { e(); }",
                "'a: loop { 'cargo_paste: { if let B = c { if d { break 'cargo_paste ({ e(); }) } } break 'a } }",
            ),
        ] {
            let [text, wanted] = [text, wanted].map(|text| format!("fn f() {{ {text} }}"));
            assert_eq!(changed(&text, Rewrite::Chains, |_| true), wanted);
        }
        let text = "fn f() { if let A = b { c } else { d } }";
        assert_eq!(changed(text, Rewrite::Chains, |_| true), text);
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
                "fn f() { match b { A => { c } _ => { match e { D => { g } _ => { h } } } } }",
            ),
            (
                "fn f() { if a { b } else if let C = d { e } else { g } }",
                "fn f() { if a { b } else { match d { C => { e } _ => { g } } } }",
            ),
        ] {
            assert_eq!(changed(text, Rewrite::Late, |_| true), wanted);
        }
        let text = "fn f() { if a { b } else { c } }";
        assert_eq!(changed(text, Rewrite::Late, |_| true), text);
    }
}
