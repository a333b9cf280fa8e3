//! Third stage: the compiler says what is dead, and it goes.
//!
//! First what the lints name, round by round. Then what they cannot see (impls, derives, overriding methods) goes all
//! at once, unless a function in it is compiled into the program, and what the errors name comes back.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use anyhow::Result;

use crate::nodes::{Kind, Nodes};
use crate::rustc::{Diagnostic, Outcome};

/// The bundle with some of its nodes taken out.
#[derive(Debug)]
pub struct Shaken<'a> {
    text: &'a str,
    nodes: &'a Nodes,
    gone: Vec<bool>,
    /// Nodes that came back and stay.
    pinned: Vec<bool>,
    /// Functions that are compiled into the program.
    alive: Vec<bool>,
    /// Nodes whose name nothing mentions that is left.
    swept: Vec<bool>,
    /// How far repairs may guess.
    boldest: u8,
    /// Imports that came back once.
    kept: Vec<bool>,
    /// What was gone when the compiler was last asked.
    asked: Vec<bool>,
}

/// Which nodes are gone, swept, pinned and kept.
type State = [Vec<bool>; 4];

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
    /// Nothing is gone yet. The program has functions from the lines in `live`.
    #[must_use]
    pub fn new(text: &'a str, nodes: &'a Nodes, live: &HashSet<usize>) -> Self {
        let count = nodes.list.len();
        let on_live_line = |node: &crate::nodes::Node| {
            node.lines.as_ref().is_some_and(|lines| lines.clone().any(|line| live.contains(&line)))
        };
        let alive = nodes.list.iter().map(on_live_line).collect();
        let none = vec![false; count];
        Self {
            text,
            nodes,
            gone: none.clone(),
            pinned: none.clone(),
            alive,
            swept: none.clone(),
            boldest: 1,
            kept: none.clone(),
            asked: none,
        }
    }

    /// Finds what is named by nothing that is left, so that the compiler need not be asked about it.
    fn sweep(&mut self) {
        let nodes = self.nodes;
        let mut defined: HashSet<&str> = HashSet::new();
        let mut ours: HashSet<&str> = HashSet::new();
        for node in &nodes.list {
            if matches!(node.kind, Kind::Type | Kind::Trait) {
                defined.insert(&node.name);
            }
            if matches!(node.kind, Kind::Type | Kind::Trait | Kind::Function | Kind::Constant | Kind::Variant) {
                ours.insert(&node.name);
            }
        }
        let mut wanted: HashSet<&str> = nodes.solution_words.iter().map(String::as_str).collect();
        let mut reached = vec![false; nodes.list.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (index, node) in nodes.list.iter().enumerate() {
                let outside = node.parent.is_some_and(|parent| !reached[parent]);
                if reached[index] || self.gone[index] || outside {
                    continue;
                }
                let known = |name: &str| !defined.contains(name) || wanted.contains(name);
                let reach = match node.kind {
                    _ if self.pinned[index] => true,
                    Kind::Function => self.alive[index] || wanted.contains(node.name.as_str()),
                    Kind::Constant | Kind::Type | Kind::Trait | Kind::Macro => wanted.contains(node.name.as_str()),
                    Kind::Impl | Kind::TraitImpl => known(&node.of_type) && known(&node.of_trait),
                    // A trait of the standard library is wanted for its methods, not by its name.
                    Kind::Import => {
                        self.kept[index] || !ours.contains(node.name.as_str()) || wanted.contains(node.name.as_str())
                    }
                    _ => true,
                };
                if reach {
                    reached[index] = true;
                    changed = true;
                    // The words around a group of imports are modules.
                    if node.kind != Kind::Use {
                        wanted.extend(nodes.words[index].iter().map(String::as_str));
                    }
                }
            }
        }
        let reached_parent = |index: usize| nodes.list[index].parent.is_none_or(|parent| reached[parent]);
        self.swept =
            (0..nodes.list.len()).map(|index| !reached[index] && !self.gone[index] && reached_parent(index)).collect();
    }

    fn state(&self) -> State {
        [self.gone.clone(), self.swept.clone(), self.pinned.clone(), self.kept.clone()]
    }

    fn reset(&mut self, state: State) {
        [self.gone, self.swept, self.pinned, self.kept] = state;
    }

    /// Whether nothing of the node is left: itself gone, or all it holds.
    fn empty(&self, index: usize) -> bool {
        if self.gone[index] || self.swept[index] {
            return true;
        }
        let container =
            matches!(self.nodes.list[index].kind, Kind::Use | Kind::Derives | Kind::Impl | Kind::Module | Kind::Macro);
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
            Kind::Type => matches!(other.kind, Kind::Impl | Kind::TraitImpl) && other.of_type == node.name,
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
        if self.nodes.list[index].kind == Kind::Derive && self.nodes.list[index].of_trait == "Clone" {
            // A derived `Clone` is another one beside a derived `Copy`.
            let around = self.nodes.list[index].parent.map(|parent| self.nodes.children[parent].clone());
            for sibling in around.unwrap_or_default() {
                if self.nodes.list[sibling].of_trait == "Copy" {
                    any |= self.bring_back(sibling);
                }
            }
        }
        let mut at = Some(index);
        while let Some(found) = at {
            if self.gone[found] || self.swept[found] {
                self.gone[found] = false;
                self.swept[found] = false;
                any = true;
            }
            // An import may turn out to be unused after all, but not twice.
            let import = self.nodes.list[found].kind == Kind::Import;
            if !import || any && std::mem::replace(&mut self.kept[found], true) {
                self.pinned[found] = true;
            }
            at = self.nodes.list[found].parent;
        }
        any
    }

    fn is_gone(&self, index: usize) -> bool {
        let mut at = Some(index);
        while let Some(found) = at {
            if self.gone[found] || self.swept[found] {
                return true;
            }
            at = self.nodes.list[found].parent;
        }
        false
    }

    /// Brings back what the errors of `outcome` name. Returns whether anything changed.
    fn repair(&mut self, rendered: &Rendered, outcome: &Outcome) -> bool {
        let before = (self.gone.clone(), self.swept.clone());
        self.asked = (0..self.nodes.list.len()).map(|index| self.is_gone(index)).collect();
        for guess in 0..=self.boldest {
            for error in outcome.errors() {
                self.repair_one(rendered, error, guess);
            }
            if self.gone != before.0 || self.swept != before.1 {
                return true;
            }
        }
        false
    }

    fn repair_one(&mut self, rendered: &Rendered, error: &Diagnostic, guess: u8) -> bool {
        let primary: Vec<_> = error.spans.iter().filter(|span| span.is_primary).collect();
        let place = primary.first().map(|span| rendered.origin(span.byte_start));
        let mut any = false;
        for span in &primary {
            if let Some(dead) = self.dead_around(rendered.origin(span.call_site().byte_start)) {
                any |= self.take_with_dependents(dead);
            }
        }
        if any {
            return true;
        }
        match error.name() {
            "E0432" | "E0433" | "E0364" | "E0365" => {
                let uses: Vec<usize> =
                    place.map(|place| self.nodes.touching(Kind::Use, place..place + 1).collect()).unwrap_or_default();
                for parent in uses {
                    for &import in &self.nodes.children[parent] {
                        any |= self.nodes.list[import].kind == Kind::Import && self.take(import);
                    }
                }
                any || self.bring_back_named(&quoted(&labels_or_message(error)), None)
            }
            "E0407" | "E0437" | "E0438" => {
                let members: Vec<usize> = place
                    .map(|place| self.nodes.touching(Kind::ImplMember, place..place + 1).collect())
                    .unwrap_or_default();
                for member in members {
                    // What the program uses stays, and what it needs comes back.
                    any |= !self.alive[member] && self.take(member);
                }
                any || self.bring_back_named(&quoted(&error.message), Some(Kind::TraitMember))
            }
            "E0004" => {
                let wanted = words(&error.message);
                self.bring_back_where(|shaken, index| {
                    let node = &shaken.nodes.list[index];
                    node.kind == Kind::MatchArm && node.mentions.iter().any(|name| wanted.contains(name))
                })
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
                for member in members {
                    any |= self.bring_back(member);
                }
                any
            }
            // A trait's member that is named in a path.
            "E0576" if self.bring_back_named(&quoted(&error.message), Some(Kind::TraitMember)) => true,
            "E0405" | "E0412" | "E0425" | "E0576" | "E0531" | "E0532" | "E0423" | "E0422" | "E0574" | "E0573"
            | "E0408" | "E0220" | "E0404" => {
                self.bring_back_named(&quoted(&error.message), None) || self.bring_back_impls(error, guess)
            }
            "E0599" | "E0609" | "E0610" | "E0615" => {
                let named = first_quoted(&error.message);
                self.bring_back_members(&named, error, guess) || self.bring_back_impls(error, guess)
            }
            "" => {
                // Macro errors have no code.
                let rendered = error.rendered.as_deref().unwrap_or_default();
                let words = words(&format!("{}\n{rendered}", error.full_text()));
                self.bring_back_macros(&quoted(&error.full_text())) || guess > 0 && self.bring_back_macros(&words)
            }
            _ => {
                self.bring_back_impls(error, guess) || guess > 2 && self.bring_back_named(&quoted(&error.message), None)
            }
        }
    }

    /// Brings back the gone nodes that are `wanted`. Returns whether there were any when the compiler was asked.
    fn bring_back_where(&mut self, wanted: impl Fn(&Self, usize) -> bool) -> bool {
        let found: Vec<usize> =
            (0..self.nodes.list.len()).filter(|&node| self.asked[node] && wanted(self, node)).collect();
        for &node in &found {
            self.bring_back(node);
            if self.nodes.list[node].kind == Kind::Variant {
                self.bring_back_arms(node);
            }
        }
        !found.is_empty()
    }

    /// The arms that went with a variant.
    fn bring_back_arms(&mut self, variant: usize) {
        let name = &self.nodes.list[variant].name;
        for index in 0..self.nodes.list.len() {
            let node = &self.nodes.list[index];
            if self.gone[index] && node.kind == Kind::MatchArm && node.mentions.contains(name) {
                self.gone[index] = false;
            }
        }
    }

    fn bring_back_named(&mut self, names: &HashSet<String>, kind: Option<Kind>) -> bool {
        self.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            let free = matches!(
                node.kind,
                Kind::Function
                    | Kind::Constant
                    | Kind::Type
                    | Kind::Trait
                    | Kind::Module
                    | Kind::Import
                    | Kind::Macro
                    | Kind::Variant
            );
            let inside = node.parent.is_none_or(|parent| {
                !shaken.asked[parent] || matches!(shaken.nodes.list[parent].kind, Kind::Module | Kind::Use)
            });
            names.contains(&node.name) && inside && kind.map_or(free, |kind| kind == node.kind)
        })
    }

    fn bring_back_members(&mut self, name: &str, error: &Diagnostic, guess: u8) -> bool {
        let words = words(&error.full_text());
        let member = |shaken: &Self, index: usize| {
            let node = &shaken.nodes.list[index];
            let member = matches!(node.kind, Kind::Member | Kind::ImplMember | Kind::TraitMember | Kind::Variant);
            member && node.name == name
        };
        let traits: HashSet<&str> = self
            .nodes
            .list
            .iter()
            .filter(|node| node.kind == Kind::TraitMember && node.name == name)
            .map(|node| node.of_trait.as_str())
            .collect();
        self.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            let about_type = words.contains(&node.of_type);
            let by_trait = node.kind == Kind::TraitImpl && traits.contains(node.of_trait.as_str());
            let derives = node.kind == Kind::Derive && derived(name) == node.name;
            member(shaken, index) && (about_type || node.kind == Kind::TraitMember && words.contains(&node.of_trait))
                || by_trait && (about_type || node.blanket)
                || derives && about_type
        }) || guess > 1 && self.bring_back_where(member)
    }

    fn bring_back_impls(&mut self, error: &Diagnostic, guess: u8) -> bool {
        let words = words(&error.full_text());
        let is_impl = |shaken: &Self, index: usize| {
            matches!(shaken.nodes.list[index].kind, Kind::TraitImpl | Kind::Derive)
                && shaken.nodes.list[index]
                    .parent
                    .is_none_or(|parent| shaken.nodes.list[index].kind != Kind::Derive || !shaken.is_gone_above(parent))
        };
        let about_trait = |shaken: &Self, index: usize| words.contains(&shaken.nodes.list[index].of_trait);
        let about_type = |shaken: &Self, index: usize| words.contains(&shaken.nodes.list[index].of_type);
        self.bring_back_where(|shaken, index| {
            is_impl(shaken, index)
                && about_trait(shaken, index)
                && (about_type(shaken, index) || shaken.nodes.list[index].blanket)
        }) || guess > 0 && self.bring_back_calls(&words)
            || guess > 1 && self.bring_back_where(|shaken, index| is_impl(shaken, index) && about_trait(shaken, index))
            || guess > 2 && self.bring_back_where(|shaken, index| is_impl(shaken, index) && about_type(shaken, index))
    }

    /// Whether the thing a derive stands on is gone.
    fn is_gone_above(&self, derives: usize) -> bool {
        self.nodes.list[derives].parent.is_some_and(|parent| self.is_gone(parent))
    }

    /// Macro calls in the place of items, which may define anything: those that two names of types or traits in an
    /// error lead to, in the call or in the macro.
    fn bring_back_calls(&mut self, words: &HashSet<String>) -> bool {
        let capital = |word: &&String| word.len() > 1 && word.starts_with(char::is_uppercase);
        let named: HashSet<&String> = words.iter().filter(capital).collect();
        let mut definitions: HashMap<&str, HashSet<String>> = HashMap::new();
        for node in self.nodes.list.iter().filter(|node| node.kind == Kind::Macro) {
            let inside = crate::shake::words(&self.text[node.range.clone()]);
            definitions.entry(&node.name).or_default().extend(inside);
        }
        self.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            let definition = definitions.get(node.name.as_str());
            node.kind == Kind::MacroCall
                && named
                    .iter()
                    .filter(|word| {
                        node.mentions.contains(**word) || definition.is_some_and(|inside| inside.contains(**word))
                    })
                    .count()
                    >= 2
        })
    }

    fn bring_back_macros(&mut self, names: &HashSet<String>) -> bool {
        self.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            match node.kind {
                Kind::Macro | Kind::Import => names.contains(&node.name),
                Kind::MacroArm => node.parent.is_some_and(|parent| {
                    let name = &shaken.nodes.list[parent].name;
                    names.contains(name)
                        || names.iter().any(|short| !short.is_empty() && name.ends_with(&format!("_{short}")))
                }),
                _ => false,
            }
        })
    }

    /// The innermost node around a byte of the bundle that the program can do without, as far as is known.
    fn dead_around(&self, place: usize) -> Option<usize> {
        let around = (0..self.nodes.list.len()).rev().filter(|&index| self.nodes.list[index].range.contains(&place));
        for index in around {
            match self.nodes.list[index].kind {
                _ if self.pinned[index] || self.alive[index] => return None,
                Kind::Import | Kind::Function | Kind::Member | Kind::MacroCall => {
                    return Some(index);
                }
                Kind::TraitMember | Kind::ImplMember if self.nodes.list[index].lines.is_some() => {
                    return Some(index);
                }
                Kind::TraitImpl => {
                    let lives = self.nodes.children[index].iter().any(|&child| self.alive[child]);
                    return if lives { None } else { Some(index) };
                }
                Kind::Constant | Kind::Type | Kind::Trait | Kind::Macro => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether the program can do without the node, as far as its functions tell.
    fn is_candidate(&self, index: usize) -> bool {
        let node = &self.nodes.list[index];
        match node.kind {
            Kind::TraitImpl => !self.nodes.children[index].iter().any(|&child| self.alive[child]),
            Kind::Derive => true,
            Kind::MacroArm => node.mentions.contains("compile_error"),
            Kind::Function | Kind::Member | Kind::ImplMember | Kind::TraitMember => {
                node.lines.is_some() && !self.alive[index]
            }
            _ => false,
        }
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
    text.split('`')
        .skip(1)
        .step_by(2)
        .map(|name| name.rsplit("::").next().unwrap_or(name).trim_end_matches('!').to_owned())
        .collect()
}

/// All names in a text.
fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// How many compiler calls are left for a bundle.
pub type Budget = usize;

/// Shakes: all that no function of the program needs goes at once, what the errors name comes back, and what the
/// lints name then goes too. Returns whether what is left compiles; if not, nothing has changed.
///
/// Macro calls may define anything, so they go too. `boldest` says how far guesses go about what is missed; where there
/// are none left, this fails.
///
/// # Errors
/// Fails only if the compiler cannot be run.
pub fn shake(
    shaken: &mut Shaken<'_>,
    ask: &mut dyn FnMut(&str) -> Result<Outcome>,
    left: &mut Budget,
    boldest: u8,
) -> Result<bool> {
    let goes = |index: usize| shaken.is_candidate(index) || shaken.nodes.list[index].kind == Kind::MacroCall;
    let batch: Vec<usize> = (0..shaken.nodes.list.len()).filter(|&index| goes(index)).collect();
    let before = shaken.state();
    shaken.boldest = boldest;
    let compiles = settle(shaken, &batch, ask, left)?;
    if !compiles {
        shaken.reset(before);
    }
    Ok(compiles)
}

/// Shakes as [`shake`] does, but macro calls stay, and what cannot be taken out at once is taken out in parts.
///
/// # Errors
/// Fails only if the compiler cannot be run.
pub fn shake_carefully(
    shaken: &mut Shaken<'_>,
    ask: &mut dyn FnMut(&str) -> Result<Outcome>,
    left: &mut Budget,
) -> Result<()> {
    let batch: Vec<usize> = (0..shaken.nodes.list.len()).filter(|&index| shaken.is_candidate(index)).collect();
    shaken.boldest = 3;
    attempt(shaken, &batch, ask, left)
}

/// Keeps the crates whole that are named in the functions by which a program `differs`. Returns their modules' names.
pub fn keep_whole(shaken: &mut Shaken<'_>, differs: &BTreeSet<String>) -> BTreeSet<String> {
    let words: HashSet<String> = differs.iter().flat_map(|function| words(function)).collect();
    let mut kept = BTreeSet::new();
    for index in 0..shaken.nodes.list.len() {
        let root = &shaken.nodes.list[shaken.nodes.root(index)];
        if words.contains(&root.name) {
            if !shaken.pinned[index] {
                kept.insert(root.name.clone());
            }
            shaken.gone[index] = false;
            shaken.swept[index] = false;
            shaken.pinned[index] = true;
        }
    }
    kept
}

/// Brings back what is named in the functions by which a program `differs`. Returns whether there was any of it.
pub fn bring_back_functions(shaken: &mut Shaken<'_>, differs: &BTreeSet<String>) -> bool {
    shaken.asked = (0..shaken.nodes.list.len()).map(|index| shaken.is_gone(index)).collect();
    let mut any = false;
    for function in differs {
        let words = words(function);
        any |= shaken.bring_back_where(|shaken, index| {
            let node = &shaken.nodes.list[index];
            let about = words.contains(&node.of_type) || node.of_type.is_empty() || node.blanket;
            match node.kind {
                Kind::Function | Kind::Member | Kind::ImplMember | Kind::TraitMember => {
                    words.contains(&node.name) && about
                }
                Kind::Derive => words.contains(&node.of_trait) && about,
                // The standard library does other things with a type that has a marker such as `FusedIterator`.
                Kind::TraitImpl => shaken.nodes.children[index].is_empty() && words.contains(&node.of_type),
                _ => false,
            }
        });
    }
    any
}

/// Takes `batch` out, and half of it if that cannot be made to compile.
fn attempt(
    shaken: &mut Shaken<'_>,
    batch: &[usize],
    ask: &mut dyn FnMut(&str) -> Result<Outcome>,
    left: &mut usize,
) -> Result<()> {
    let before = shaken.state();
    if settle(shaken, batch, ask, left)? {
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

/// Takes `batch` out, brings back what is missed, and takes out what is unused then. Returns whether it compiles.
fn settle(
    shaken: &mut Shaken<'_>,
    batch: &[usize],
    ask: &mut dyn FnMut(&str) -> Result<Outcome>,
    left: &mut usize,
) -> Result<bool> {
    for &node in batch {
        shaken.take(node);
    }
    let mut good = None;
    while *left > 0 {
        *left -= 1;
        shaken.sweep();
        let rendered = shaken.render();
        let outcome = ask(&rendered.text)?;
        if outcome.success {
            good = Some(shaken.state());
            if !shaken.take_unused(&rendered, &outcome) {
                return Ok(true);
            }
        } else if !shaken.repair(&rendered, &outcome) {
            break;
        }
    }
    let compiles = good.is_some();
    if let Some(good) = good {
        shaken.reset(good);
    }
    Ok(compiles)
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
