//! Third stage: the compiler says what is dead, and it goes.
//!
//! First what the lints name, round by round. Then what they cannot see (impls, derives, overriding methods) goes all
//! at once, unless a function in it is compiled into the program, and what the errors name comes back.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use anyhow::Result;

use crate::nodes::{Kind, Nodes, line_starts};
use crate::rustc::{Diagnostic, Outcome};

/// The bundle with some of its nodes taken out.
#[derive(Debug)]
pub struct Shaken<'a> {
    text: &'a str,
    nodes: &'a Nodes,
    gone: Vec<bool>,
    /// Nodes that came back and stay.
    pinned: Vec<bool>,
}

/// A text made from the bundle, and where each of its bytes comes from.
#[derive(Debug)]
pub struct Rendered {
    /// The text.
    pub text: String,
    pieces: Vec<(usize, usize)>,
}

impl Rendered {
    /// The byte of the bundle that byte `place` comes from.
    #[must_use]
    pub fn origin(&self, place: usize) -> usize {
        let piece = self.pieces.partition_point(|(start, _)| *start <= place).saturating_sub(1);
        let (start, origin) = self.pieces[piece];
        origin + (place - start)
    }
}

impl<'a> Shaken<'a> {
    /// Nothing is gone yet.
    #[must_use]
    pub fn new(text: &'a str, nodes: &'a Nodes) -> Self {
        let count = nodes.list.len();
        Self { text, nodes, gone: vec![false; count], pinned: vec![false; count] }
    }

    /// Which nodes are gone.
    #[must_use]
    pub fn state(&self) -> Vec<bool> {
        self.gone.clone()
    }

    /// Goes back to an earlier state.
    pub fn reset(&mut self, state: Vec<bool>) {
        self.gone = state;
    }

    /// Whether nothing of the node is left: itself gone, or all it holds.
    fn empty(&self, index: usize) -> bool {
        if self.gone[index] {
            return true;
        }
        let container = matches!(
            self.nodes.list[index].kind,
            Kind::Use | Kind::Derives | Kind::Impl | Kind::Module | Kind::Macro
        );
        let children = &self.nodes.children[index];
        container && !children.is_empty() && children.iter().all(|&child| self.empty(child))
    }

    /// The text without what is gone.
    #[must_use]
    pub fn render(&self) -> Rendered {
        let mut cuts: Vec<Range<usize>> = Vec::new();
        for (index, node) in self.nodes.list.iter().enumerate() {
            let covered = cuts.last().is_some_and(|cut| node.range.end <= cut.end);
            if !covered && self.empty(index) {
                cuts.push(node.range.clone());
            }
        }
        let mut rendered = Rendered { text: String::with_capacity(self.text.len()), pieces: Vec::new() };
        let mut from = 0;
        for cut in cuts {
            if cut.start < from {
                continue;
            }
            rendered.pieces.push((rendered.text.len(), from));
            rendered.text.push_str(&self.text[from..cut.start]);
            from = cut.end;
        }
        rendered.pieces.push((rendered.text.len(), from));
        rendered.text.push_str(&self.text[from..]);
        rendered
    }

    fn take(&mut self, index: usize) -> bool {
        let fresh = !self.gone[index] && !self.pinned[index];
        if fresh {
            self.gone[index] = true;
        }
        fresh
    }

    /// Takes out what the lints of `outcome` name, with all that cannot be without it.
    fn take_unused(&mut self, rendered: &Rendered, outcome: &Outcome) -> bool {
        let mut any = false;
        for warning in &outcome.diagnostics {
            let lint = warning.name();
            for span in warning.spans.iter().filter(|span| span.is_primary && span.expansion.is_none()) {
                let place = rendered.origin(span.byte_start);
                let range = place..place + (span.byte_end - span.byte_start);
                match lint {
                    "unused_imports" => {
                        let imports: Vec<usize> = self.nodes.touching(Kind::Import, range).collect();
                        for import in imports {
                            any |= self.take(import);
                        }
                    }
                    "dead_code" | "unused_macros" => {
                        if let Some(node) = self.nodes.named_at(place) {
                            any |= self.take_with_dependents(node);
                        }
                    }
                    "unused_macro_rules" => {
                        let arms: Vec<usize> = self.nodes.touching(Kind::MacroArm, range).collect();
                        for arm in arms {
                            any |= self.take(arm);
                        }
                    }
                    _ => {}
                }
            }
        }
        any
    }

    fn take_with_dependents(&mut self, index: usize) -> bool {
        if self.gone[index] || self.pinned[index] {
            return false;
        }
        let node = self.nodes.list[index].clone();
        let taken = self.take(index);
        let same_name = |other: &crate::nodes::Node| match node.kind {
            Kind::Trait => other.kind == Kind::TraitImpl && other.of_trait == node.name,
            Kind::Type => {
                matches!(other.kind, Kind::Impl | Kind::TraitImpl) && other.of_type == node.name
            }
            Kind::TraitMember => {
                other.kind == Kind::ImplMember && other.of_trait == node.of_trait && other.name == node.name
            }
            Kind::Variant => other.kind == Kind::MatchArm && other.mentions.contains(&node.name),
            _ => false,
        };
        let twins = self.nodes.list.iter().filter(|other| other.kind == node.kind && other.name == node.name).count();
        let dependents: Vec<usize> = (0..self.nodes.list.len())
            .filter(|&other| same_name(&self.nodes.list[other]))
            .filter(|&other| {
                let near = self.nodes.module(other) == self.nodes.module(index);
                twins < 2 || near || node.kind == Kind::TraitMember && self.nodes.root(other) == self.nodes.root(index)
            })
            .collect();
        for dependent in dependents {
            self.take(dependent);
        }
        taken
    }

    /// Brings a node back for good, with what is around it.
    fn bring_back(&mut self, index: usize) -> bool {
        let mut any = false;
        let mut at = Some(index);
        while let Some(found) = at {
            if self.gone[found] {
                self.gone[found] = false;
                any = true;
            }
            // An import may turn out to be unused after all.
            if self.nodes.list[found].kind != Kind::Import {
                self.pinned[found] = true;
            }
            at = self.nodes.list[found].parent;
        }
        any
    }

    fn is_gone(&self, index: usize) -> bool {
        let mut at = Some(index);
        while let Some(found) = at {
            if self.gone[found] {
                return true;
            }
            at = self.nodes.list[found].parent;
        }
        false
    }

    /// Brings back what the errors of `outcome` name. Returns whether anything changed.
    fn repair(&mut self, rendered: &Rendered, outcome: &Outcome) -> bool {
        let mut any = false;
        for error in outcome.errors() {
            any |= self.repair_one(rendered, error);
        }
        any
    }

    fn repair_one(&mut self, rendered: &Rendered, error: &Diagnostic) -> bool {
        let primary = error.spans.iter().find(|span| span.is_primary);
        let place = primary.map(|span| rendered.origin(span.byte_start));
        match error.name() {
            "E0432" | "E0433" | "E0364" | "E0365" => {
                let imports: Vec<usize> = place
                    .map(|place| self.nodes.touching(Kind::Import, place..place + 1).collect())
                    .unwrap_or_default();
                let mut any = false;
                for import in imports {
                    any |= self.take(import);
                }
                any || self.bring_back_named(&quoted(&labels_or_message(error)), None)
            }
            "E0407" | "E0437" | "E0438" => {
                let members: Vec<usize> = place
                    .map(|place| self.nodes.touching(Kind::ImplMember, place..place + 1).collect())
                    .unwrap_or_default();
                let mut any = false;
                for member in members {
                    any |= self.take(member);
                }
                any || self.bring_back_named(&quoted(&error.message), Some(Kind::TraitMember))
            }
            "E0046" => {
                let wanted = quoted(&error.message);
                let within = place.and_then(|place| self.nodes.touching(Kind::TraitImpl, place..place + 1).last());
                let members: Vec<usize> = within
                    .map(|parent| self.nodes.children[parent].clone())
                    .unwrap_or_default()
                    .into_iter()
                    .filter(|&member| wanted.contains(&self.nodes.list[member].name))
                    .collect();
                let mut any = false;
                for member in members {
                    any |= self.bring_back(member);
                }
                any
            }
            "E0405" | "E0412" | "E0425" | "E0576" | "E0531" | "E0532" | "E0423" | "E0422" | "E0574" | "E0573"
            | "E0408" | "E0220" | "E0404" => {
                self.bring_back_named(&quoted(&error.message), None) || self.bring_back_impls(error)
            }
            "E0599" | "E0609" | "E0610" | "E0615" => {
                let named = first_quoted(&error.message);
                self.bring_back_members(&named, error) || self.bring_back_impls(error)
            }
            "" => {
                // Macro errors have no code.
                let words = words(&format!("{}\n{}", error.full_text(), error.rendered.as_deref().unwrap_or_default()));
                self.bring_back_macros(&quoted(&error.full_text())) || self.bring_back_macros(&words)
            }
            _ => self.bring_back_impls(error) || self.bring_back_named(&quoted(&error.message), None),
        }
    }

    fn bring_back_where(&mut self, wanted: impl Fn(&Self, usize) -> bool) -> bool {
        let found: Vec<usize> =
            (0..self.nodes.list.len()).filter(|&node| self.is_gone(node) && wanted(self, node)).collect();
        let mut any = false;
        for node in found {
            any |= self.bring_back(node);
        }
        any
    }

    fn bring_back_named(&mut self, names: &HashSet<String>, kind: Option<Kind>) -> bool {
        self.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            let ordinary = !matches!(node.kind, Kind::Derive | Kind::MacroCall | Kind::ImplMember | Kind::MatchArm);
            let alive = node.parent.is_none_or(|parent| !shaken.is_gone(parent)) || node.kind != Kind::Import;
            names.contains(&node.name) && ordinary && alive && kind.is_none_or(|kind| kind == node.kind)
        })
    }

    fn bring_back_members(&mut self, name: &str, error: &Diagnostic) -> bool {
        let words = words(&error.full_text());
        let exact = |shaken: &Self, index: usize| {
            let node = &shaken.nodes.list[index];
            let member = matches!(node.kind, Kind::Member | Kind::ImplMember | Kind::TraitMember | Kind::Variant);
            member && node.name == name
        };
        self.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            exact(shaken, index)
                && (words.contains(&node.of_type) || node.kind == Kind::TraitMember && words.contains(&node.of_trait))
        }) || self.bring_back_where(exact)
            || self.bring_back_where(|shaken, index| {
                let node = &shaken.nodes.list[index];
                node.kind == Kind::Derive && derived(name) == node.name && words.contains(&node.of_type)
            })
    }

    fn bring_back_impls(&mut self, error: &Diagnostic) -> bool {
        let words = words(&error.full_text());
        let is_impl = |shaken: &Self, index: usize| {
            matches!(shaken.nodes.list[index].kind, Kind::TraitImpl | Kind::Derive)
                && shaken.nodes.list[index].parent.is_none_or(|parent| {
                    shaken.nodes.list[index].kind != Kind::Derive || !shaken.is_gone_above(parent)
                })
        };
        let about_trait = |shaken: &Self, index: usize| words.contains(&shaken.nodes.list[index].of_trait);
        let about_type = |shaken: &Self, index: usize| words.contains(&shaken.nodes.list[index].of_type);
        self.bring_back_where(|shaken, index| {
            is_impl(shaken, index) && about_trait(shaken, index) && about_type(shaken, index)
        }) || self.bring_back_where(|shaken, index| is_impl(shaken, index) && about_trait(shaken, index))
            || self.bring_back_calls(&words)
            || self.bring_back_where(|shaken, index| is_impl(shaken, index) && about_type(shaken, index))
    }

    /// Whether the thing a derive stands on is gone.
    fn is_gone_above(&self, derives: usize) -> bool {
        self.nodes.list[derives].parent.is_some_and(|parent| self.is_gone(parent))
    }

    /// Macro calls in the place of items, which may define anything: those that a word leads to.
    fn bring_back_calls(&mut self, words: &HashSet<String>) -> bool {
        let defining: HashSet<String> = self
            .nodes
            .list
            .iter()
            .filter(|node| node.kind == Kind::Macro)
            .filter(|node| crate::shake::words(&self.text[node.range.clone()]).iter().any(|word| words.contains(word)))
            .map(|node| node.name.clone())
            .collect();
        self.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            node.kind == Kind::MacroCall
                && (defining.contains(&node.name) || node.mentions.iter().any(|word| words.contains(word)))
        })
    }

    fn bring_back_macros(&mut self, names: &HashSet<String>) -> bool {
        self.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            match node.kind {
                Kind::Macro => names.contains(&node.name),
                Kind::MacroArm => node.parent.is_some_and(|parent| {
                    let name = &shaken.nodes.list[parent].name;
                    names.contains(name) || names.iter().any(|short| !short.is_empty() && name.ends_with(&format!("_{short}")))
                }),
                Kind::Import => names.contains(&node.name),
                _ => false,
            }
        })
    }

    /// What the lints do not see: gone unless a function in it is on one of the `live` lines.
    fn hidden_candidates(&self, live: &HashSet<usize>) -> Vec<usize> {
        let alive = |index: usize| {
            let node = &self.nodes.list[index];
            node.lines.as_ref().is_some_and(|lines| lines.clone().any(|line| live.contains(&line)))
        };
        (0..self.nodes.list.len())
            .filter(|&index| !self.is_gone(index))
            .filter(|&index| {
                let node = &self.nodes.list[index];
                match node.kind {
                    Kind::TraitImpl => {
                        node.of_trait != "Drop" && !self.nodes.children[index].iter().any(|&child| alive(child))
                    }
                    Kind::Derive | Kind::MacroCall => true,
                    Kind::Function | Kind::Member | Kind::ImplMember | Kind::TraitMember => {
                        node.lines.is_some() && !alive(index)
                    }
                    _ => false,
                }
            })
            .collect()
    }
}

/// The trait that derives method `name`.
fn derived(name: &str) -> &'static str {
    match name {
        "clone" | "clone_from" => "Clone",
        "eq" | "ne" => "PartialEq",
        "partial_cmp" | "lt" | "le" | "gt" | "ge" => "PartialOrd",
        "cmp" | "max" | "min" | "clamp" => "Ord",
        "hash" => "Hash",
        "fmt" => "Debug",
        "default" => "Default",
        _ => "",
    }
}

fn labels_or_message(error: &Diagnostic) -> String {
    let label = error.spans.iter().find(|span| span.is_primary).and_then(|span| span.label.clone());
    let text = label.filter(|label| label.contains('`')).unwrap_or_else(|| error.message.clone());
    // "no `Left` in `either`": what is missing comes first.
    let mut parts = text.splitn(3, '`');
    match (parts.next(), parts.next()) {
        (Some(_), Some(name)) => format!("`{name}`"),
        _ => text,
    }
}

fn first_quoted(text: &str) -> String {
    text.split('`').nth(1).map(|name| name.rsplit("::").next().unwrap_or(name).to_owned()).unwrap_or_default()
}

/// The names between backticks, each the last of its path.
fn quoted(text: &str) -> HashSet<String> {
    text.split('`').skip(1).step_by(2).map(|name| name.rsplit("::").next().unwrap_or(name).trim_end_matches('!').to_owned()).collect()
}

/// All names in a text.
fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// How far shaking may go.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Compiler calls for one bundle.
    pub calls: usize,
}

/// Shakes what the lints name. Returns whether the bundle compiled at all.
///
/// # Errors
/// Fails only if the compiler cannot be run.
pub fn by_lints(
    shaken: &mut Shaken<'_>,
    ask: &mut dyn FnMut(&str) -> Result<Outcome>,
    budget: Budget,
) -> Result<bool> {
    let mut good = None;
    for _ in 0..budget.calls {
        let rendered = shaken.render();
        let outcome = ask(&rendered.text)?;
        if outcome.success {
            good = Some(shaken.state());
            if !shaken.take_unused(&rendered, &outcome) {
                return Ok(true);
            }
        } else if good.is_none() || !shaken.repair(&rendered, &outcome) {
            break;
        }
    }
    let compiles = good.is_some();
    if let Some(good) = good {
        shaken.reset(good);
    }
    Ok(compiles)
}

/// Takes out what lints do not see, guided by the `live` lines of the compiled program.
///
/// # Errors
/// Fails only if the compiler cannot be run.
pub fn by_errors(
    shaken: &mut Shaken<'_>,
    live: &HashSet<usize>,
    ask: &mut dyn FnMut(&str) -> Result<Outcome>,
    budget: Budget,
) -> Result<()> {
    let batch = shaken.hidden_candidates(live);
    let mut left = budget.calls;
    attempt(shaken, &batch, ask, &mut left)
}

fn attempt(
    shaken: &mut Shaken<'_>,
    batch: &[usize],
    ask: &mut dyn FnMut(&str) -> Result<Outcome>,
    left: &mut usize,
) -> Result<()> {
    let before = shaken.state();
    for &node in batch {
        shaken.take(node);
    }
    let mut good = None;
    while *left > 0 {
        *left -= 1;
        let rendered = shaken.render();
        let outcome = ask(&rendered.text)?;
        if outcome.success {
            good = Some(shaken.state());
            if !shaken.take_unused(&rendered, &outcome) {
                return Ok(());
            }
        } else if !shaken.repair(&rendered, &outcome) {
            break;
        }
    }
    if let Some(good) = good {
        shaken.reset(good);
        return Ok(());
    }
    shaken.reset(before);
    if batch.len() > 1 && *left > 0 {
        let (one, other) = batch.split_at(batch.len() / 2);
        attempt(shaken, one, ask, left)?;
        attempt(shaken, other, ask, left)?;
    }
    Ok(())
}

/// The lines of `text` that the compiled program has functions from, read from its debug information.
#[must_use]
pub fn live_lines(llvm: &str) -> HashSet<usize> {
    let files: HashSet<&str> = llvm
        .lines()
        .filter(|line| line.contains("!DIFile(filename: \"") && line.contains("paste.rs"))
        .filter_map(|line| line.split(' ').next())
        .collect();
    llvm.lines()
        .filter(|line| line.contains("!DISubprogram("))
        .filter_map(|line| {
            let field = |name: &str| line.split(name).nth(1)?.split([',', ')']).next();
            let file = field(" file: ")?;
            if files.contains(file) { field(" line: ")?.parse().ok() } else { None }
        })
        .collect()
}

/// The lines of the bundle that hold `names`' definitions; for tests and messages.
#[must_use]
pub fn line_of(text: &str, place: usize) -> usize {
    line_starts(text).partition_point(|&start| start <= place)
}

/// The names of nodes that are left, in order; for tests.
#[must_use]
pub fn left(shaken: &Shaken<'_>) -> BTreeSet<String> {
    (0..shaken.nodes.list.len())
        .filter(|&index| !shaken.is_gone(index) && !shaken.empty(index))
        .map(|index| shaken.nodes.list[index].name.clone())
        .filter(|name| !name.is_empty())
        .collect()
}
