//! Third stage, a guess: what the program does not need goes.
//!
//! Functions that were not compiled go at once; what the compiler then misses comes back; what nothing names, or what
//! lints call unused, goes, too. Messages are read by their code, their places and the names in them. Every
//! step may be wrong, and only the proof says whether the result is still the same program.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use anyhow::Result;

use crate::nodes::{Kind, Life, NO_BODY, Node, Nodes};
use crate::prove::Difference;
use crate::reach::Reach;
use crate::rustc::{Diagnostic, Outcome};

/// Whether a node is in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In, for now.
    In,
    /// Taken out.
    Out,
    /// Out because nothing that is left mentions its name; decided anew in every round.
    Unnamed,
    /// In again, because it was missed. A lint may still take it out.
    Back,
    /// In again, because it may be what was missed. It goes if there is an error in it.
    Guessed,
    /// Taken out for the second time. If it is missed again, it stays.
    OutAgain,
    /// In for good.
    Pinned,
}

/// Members that traits of the standard library require, and that have optional ones beside them.
const REQUIRED: [&str; 14] = [
    "next",
    "next_back",
    "eq",
    "cmp",
    "partial_cmp",
    "hash",
    "clone",
    "extend",
    "finish",
    "write",
    "write_str",
    "fill_buf",
    "consume",
    "read",
];

/// Operators, also with `Assign` after the name. No code of the standard library calls them for types of other crates.
const OPERATORS: [&str; 12] =
    ["Add", "Sub", "Mul", "Div", "Rem", "Neg", "Not", "BitAnd", "BitOr", "BitXor", "Shl", "Shr"];

/// Traits of the standard library that require others.
const FOUNDATIONS: [(&str, &[&str]); 11] = [
    ("Ord", &["PartialOrd", "Eq"]),
    ("PartialOrd", &["PartialEq"]),
    ("Eq", &["PartialEq"]),
    ("Copy", &["Clone"]),
    ("Error", &["Debug", "Display"]),
    ("DerefMut", &["Deref"]),
    ("IndexMut", &["Index"]),
    ("BorrowMut", &["Borrow"]),
    ("DoubleEndedIterator", &["Iterator"]),
    ("ExactSizeIterator", &["Iterator"]),
    ("FusedIterator", &["Iterator"]),
];

/// How far a repair may guess, from what an error names to everything there is.
const BOLDEST: u8 = 5;

/// The bundle with some of its nodes taken out.
#[derive(Debug, Clone)]
pub struct Shaken<'a> {
    text: &'a str,
    nodes: &'a Nodes,
    states: Vec<State>,
    /// The modules that some path leads to or through.
    stepped: Vec<bool>,
    /// What is out, but imported by the solution, which never mentions it again.
    stand_ins: BTreeSet<usize>,
    /// What leads to the things that the solution imports.
    on_the_way: BTreeSet<usize>,
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

/// What one round of shaking came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// It does not compile yet; something came back, or something with an error in it went. The number says how bold
    /// the guess was.
    Repaired(u8),
    /// It compiles, and something else went.
    Smaller,
    /// It compiles, and nothing is unused.
    Settled,
    /// It does not compile, although everything is back.
    Stuck,
}

impl<'a> Shaken<'a> {
    /// Takes out functions that were not compiled, and trait impls, derives and macro calls without a compiled
    /// function.
    #[must_use]
    pub fn new(text: &'a str, nodes: &'a Nodes) -> Self {
        let mut shaken = Self {
            text,
            nodes,
            states: vec![State::In; nodes.list.len()],
            stepped: vec![false; nodes.list.len()],
            stand_ins: BTreeSet::new(),
            on_the_way: BTreeSet::new(),
        };
        for index in 0..nodes.list.len() {
            if nodes.list[index].life == Life::Root && nodes.list[index].kind != Kind::Foreign {
                shaken.pin(index);
            }
        }
        for index in 0..nodes.list.len() {
            if shaken.is_candidate(index) {
                shaken.take(index);
            }
        }
        shaken
    }

    fn node(&self, index: usize) -> &'a Node {
        &self.nodes.list[index]
    }

    fn is_out(&self, index: usize) -> bool {
        matches!(self.states[index], State::Out | State::Unnamed | State::OutAgain)
    }

    /// Whether the node was missed when it was out, or has to stay.
    fn is_back(&self, index: usize) -> bool {
        matches!(self.states[index], State::Pinned | State::Back | State::Guessed)
    }

    /// Whether the node or something around it is out.
    fn is_gone(&self, index: usize) -> bool {
        self.is_out(index) || self.node(index).parent.is_some_and(|parent| self.is_gone(parent))
    }

    fn has_live_child(&self, index: usize) -> bool {
        self.nodes.children[index].iter().any(|&child| self.node(child).is_alive())
    }

    /// Whether the program can do without the node, as far as its functions tell.
    fn is_candidate(&self, index: usize) -> bool {
        let node = self.node(index);
        match node.kind {
            Kind::TraitImpl => !self.has_live_child(index),
            // Beside a derived `Copy`, a derived `Clone` has another body.
            Kind::Derive if node.of_trait == "Copy" => {
                !self.twin(index).is_some_and(|clone| self.node(clone).is_alive())
            }
            Kind::Derive | Kind::MacroCall => !node.is_alive(),
            Kind::MacroArm => node.mentions.contains("compile_error"),
            Kind::Body => !self.holds(index, &Node::is_alive) && !self.is_for_others(index),
            Kind::ImplMember => node.life == Life::Dead && !self.is_required(index),
            Kind::Function | Kind::Member | Kind::TraitMember => node.life == Life::Dead,
            _ => false,
        }
    }

    /// The members of this name that traits of the bundle declare.
    fn declarations(&self, index: usize) -> impl Iterator<Item = &'a Node> + use<'a> {
        let (nodes, node) = (self.nodes, self.node(index));
        let named = nodes.by_name.get(&node.name).into_iter().flatten().map(|&other| &nodes.list[other]);
        named.filter(|other| other.kind == Kind::TraitMember && other.of_trait == node.of_trait)
    }

    fn is_declared(&self, index: usize) -> bool {
        self.declarations(index).next().is_some()
    }

    /// Whether a trait's impl has to have this member.
    fn is_required(&self, index: usize) -> bool {
        if self.is_declared(index) {
            return self.declarations(index).any(|other| other.life == Life::Unknown);
        }
        let node = self.node(index);
        let beside = node.parent.map_or(0, |parent| self.nodes.children[parent].len());
        beside == 1 || REQUIRED.contains(&node.name.as_str())
    }

    /// Whether a body belongs to a member that another release of the standard library may call.
    fn is_for_others(&self, index: usize) -> bool {
        self.node(index).parent.is_some_and(|member| {
            let node = self.node(member);
            let operator = node.of_trait.strip_suffix("Assign").unwrap_or(&node.of_trait);
            node.kind == Kind::ImplMember && !OPERATORS.contains(&operator) && !self.is_declared(member)
        })
    }

    /// The derived `Clone` or `Copy` beside the other one.
    fn twin(&self, index: usize) -> Option<usize> {
        let other = match self.node(index).of_trait.as_str() {
            "Copy" => "Clone",
            "Clone" => "Copy",
            _ => return None,
        };
        let beside = &self.nodes.children[self.node(index).parent?];
        beside.iter().copied().find(|&beside| self.node(beside).of_trait == other)
    }

    /// Whether the node or something in it is as `wanted`, or something in it has come back.
    fn holds(&self, index: usize, wanted: &dyn Fn(&Node) -> bool) -> bool {
        let mut queue = vec![index];
        while let Some(at) = queue.pop() {
            let pinned = at != index && self.is_back(at);
            if pinned || wanted(self.node(at)) {
                return true;
            }
            queue.extend(&self.nodes.children[at]);
        }
        false
    }

    /// Finds what nothing that is left names, so that the compiler need not be asked about it.
    pub fn sweep(&mut self) {
        let nodes = self.nodes;
        let mut present = vec![false; nodes.list.len()];
        for (index, node) in nodes.list.iter().enumerate() {
            let out = matches!(self.states[index], State::Out | State::OutAgain);
            present[index] = !out && node.parent.is_none_or(|parent| present[parent]);
        }
        let states = &self.states;
        let is_root = |&index: &usize| {
            let node = &nodes.list[index];
            matches!(states[index], State::Pinned | State::Back | State::Guessed)
                || node.is_alive() && !matches!(node.kind, Kind::Macro | Kind::Foreign)
                || node.kind == Kind::TraitImpl
        };
        let Reach { reached, stepped, imported, on_the_way, .. } =
            Reach::new(nodes, &present, (0..nodes.list.len()).filter(is_root));
        self.stepped = stepped;
        self.on_the_way = on_the_way;
        for (index, state) in self.states.iter_mut().enumerate() {
            let inside = nodes.list[index].parent.is_none_or(|parent| reached[parent]);
            match state {
                State::In | State::Unnamed if inside => {
                    *state = if reached[index] { State::In } else { State::Unnamed }
                }
                State::Unnamed => *state = State::In,
                _ => {}
            }
        }
        // A name that the solution imports has to be there, even if it means nothing.
        let needless = imported.iter().filter(|group| !group.iter().any(|&item| reached[item]));
        let is_item = |&&item: &&usize| nodes.module(item) == nodes.list[item].parent;
        self.stand_ins = needless.filter_map(|group| group.iter().find(is_item).copied()).collect();
    }

    /// Whether nothing of the node is left: it is out, or all that it holds is.
    fn is_empty(&self, index: usize) -> bool {
        if self.is_out(index) {
            return true;
        }
        let container = matches!(
            self.node(index).kind,
            Kind::Use | Kind::Derives | Kind::Impl | Kind::Module | Kind::Macro | Kind::Foreign
        );
        let children = &self.nodes.children[index];
        // A path may lead to a module or through it.
        let stepped = self.node(index).kind == Kind::Module && self.stepped[index];
        container && !stepped && !children.is_empty() && children.iter().all(|&child| self.is_empty(child))
    }

    /// The text without what is out.
    #[must_use]
    pub fn render(&self) -> Rendered {
        let mut cuts: Vec<(Range<usize>, String)> = Vec::new();
        for (index, node) in self.nodes.list.iter().enumerate() {
            let covered = cuts.last().is_some_and(|(cut, _)| node.range.end <= cut.end);
            if !covered && self.is_empty(index) {
                cuts.push((node.range.clone(), self.instead_of(index)));
            }
        }
        let mut rendered = Rendered { text: String::with_capacity(self.text.len()), pieces: Vec::new() };
        let mut from = 0;
        for (cut, instead) in cuts {
            if cut.start < from {
                continue;
            }
            rendered.pieces.push((rendered.text.len(), from));
            rendered.text.push_str(&self.text[from..cut.start]);
            if !instead.is_empty() {
                rendered.pieces.push((rendered.text.len(), cut.start));
                rendered.text.push_str(&instead);
            }
            from = cut.end;
        }
        rendered.pieces.push((rendered.text.len(), from));
        rendered.text.push_str(&self.text[from..]);
        rendered
    }

    /// What stands in the place of a node that is out.
    fn instead_of(&self, index: usize) -> String {
        let node = self.node(index);
        match node.kind {
            Kind::Body => NO_BODY.to_owned(),
            _ if !self.stand_ins.contains(&index) => String::new(),
            Kind::Macro => format!("macro_rules! {} {{ () => {{}} }}", node.name),
            // Anything would do, but a function does not clash with a module of that name.
            Kind::Function | Kind::Constant => format!("pub fn {}() {{}}", node.name),
            Kind::Type | Kind::Trait => format!("pub struct {} {{}}", node.name),
            _ => String::new(),
        }
    }

    fn take(&mut self, index: usize) -> bool {
        let taken = match self.states[index] {
            State::In | State::Unnamed => State::Out,
            State::Back | State::Guessed => State::OutAgain,
            State::Out | State::OutAgain | State::Pinned => return false,
        };
        self.states[index] = taken;
        true
    }

    fn pin(&mut self, index: usize) {
        let mut at = Some(index);
        while let Some(found) = at {
            self.states[found] = State::Pinned;
            at = self.node(found).parent;
        }
    }

    /// Brings a node back, with what is around it. Returns whether anything came back.
    fn bring_back(&mut self, index: usize) -> bool {
        let mut any = false;
        let was_out = self.is_out(index);
        if self.node(index).kind == Kind::TraitImpl && was_out {
            self.bring_back_members(index);
        }
        let mut at = Some(index);
        while let Some(found) = at {
            any |= self.is_out(found);
            self.states[found] = match self.states[found] {
                State::Out | State::Unnamed => State::Back,
                State::OutAgain => State::Pinned,
                other => other,
            };
            at = self.node(found).parent;
        }
        if self.node(index).kind == Kind::Derive && self.node(index).of_trait == "Clone" {
            any |= self.twin(index).is_some_and(|copy| self.is_out(copy) && self.bring_back(copy));
        }
        if was_out && matches!(self.node(index).kind, Kind::TraitImpl | Kind::Derive) {
            self.bring_back_foundations(index);
        }
        any
    }

    /// Brings back what an impl cannot be without.
    fn bring_back_members(&mut self, index: usize) {
        let nodes = self.nodes;
        let required = |name: &str| REQUIRED.contains(&name);
        let known = nodes.children[index].iter().any(|&member| required(&nodes.list[member].name));
        for &member in &nodes.children[index] {
            // A trait from outside of the bundle may ask for any of them.
            let foreign = !known && !self.is_declared(member);
            if self.states[member] == State::Out && (foreign || self.is_required(member)) {
                self.states[member] = State::Back;
            }
        }
    }

    /// Brings back impls of the traits that the trait of an impl requires, for the same type.
    fn bring_back_foundations(&mut self, index: usize) {
        let nodes = self.nodes;
        let node = &nodes.list[index];
        let named = nodes.by_name.get(&node.of_trait).into_iter().flatten().map(|&other| &nodes.list[other]);
        let declared: Vec<&Node> = named.filter(|other| other.kind == Kind::Trait).collect();
        let mut below: HashSet<&str> =
            declared.iter().flat_map(|other| other.header.iter().map(String::as_str)).collect();
        if declared.is_empty() {
            let known = FOUNDATIONS.iter().filter(|(name, _)| *name == node.of_trait);
            below.extend(known.flat_map(|(_, below)| *below));
        }
        if below.is_empty() {
            return;
        }
        let root = nodes.root(index);
        for (other, found) in nodes.list.iter().enumerate() {
            let is_impl =
                matches!(found.kind, Kind::TraitImpl | Kind::Derive) && below.contains(found.of_trait.as_str());
            let others = found.header.iter().any(|name| *name != found.of_trait && *name != node.of_type);
            let about = found.of_type == node.of_type && !others && found.reference == node.reference || found.blanket;
            if is_impl && about && !node.blanket && nodes.root(other) == root && self.is_out(other) {
                self.bring_back(other);
            }
        }
    }

    /// Takes out what the lints of `outcome` name, with all that cannot be without it.
    fn take_unused(&mut self, rendered: &Rendered, outcome: &Outcome) -> bool {
        let mut any = false;
        for warning in &outcome.diagnostics {
            let lint = warning.name();
            for span in warning.spans.iter().filter(|span| span.is_primary && span.expansion.is_none()) {
                let place = rendered.origin(span.byte_start);
                let range = place..place + (span.byte_end - span.byte_start);
                let kind = match lint {
                    "unused_imports" => Kind::Import,
                    "unused_macro_rules" => Kind::MacroArm,
                    "dead_code" | "unused_macros" => {
                        if let Some(node) = self.nodes.named_at(place).filter(|&node| !self.is_in_vtable(node)) {
                            any |= self.take_with_dependents(node);
                        }
                        continue;
                    }
                    _ => continue,
                };
                // What leads to something that the solution imports stays, used or not.
                let needless = |node: &usize| !self.on_the_way.contains(node);
                let touched: Vec<usize> = self.nodes.touching(kind, range).filter(needless).collect();
                for node in touched {
                    any |= self.take(node);
                }
            }
        }
        any
    }

    /// Whether this is a method that nothing calls but that is compiled all the same: it has a place in a vtable.
    fn is_in_vtable(&self, index: usize) -> bool {
        let node = self.node(index);
        let implements =
            |other: &Node| other.kind == Kind::ImplMember && other.of_trait == node.of_trait && other.name == node.name;
        let is_method = matches!(node.kind, Kind::TraitMember | Kind::ImplMember);
        is_method && (node.is_alive() || self.nodes.list.iter().any(|other| implements(other) && other.is_alive()))
    }

    fn take_with_dependents(&mut self, index: usize) -> bool {
        if self.is_out(index) || !self.take(index) {
            return false;
        }
        let node = self.node(index);
        let depends = |other: &Node| match node.kind {
            Kind::Trait => other.kind == Kind::TraitImpl && other.of_trait == node.name,
            Kind::Type => matches!(other.kind, Kind::Impl | Kind::TraitImpl) && other.of_type == node.name,
            Kind::Macro => other.kind == Kind::Import && [&other.name, &other.of_type].contains(&&node.name),
            Kind::TraitMember => {
                other.kind == Kind::ImplMember && other.of_trait == node.of_trait && other.name == node.name
            }
            _ => false,
        };
        let twins = self.nodes.list.iter().filter(|other| other.kind == node.kind && other.name == node.name).count();
        let dependents: Vec<usize> = (0..self.nodes.list.len())
            .filter(|&other| depends(self.node(other)))
            .filter(|&other| {
                let near = self.nodes.module(other) == self.nodes.module(index);
                twins < 2
                    || near
                    || node.kind == Kind::Macro
                    || node.kind == Kind::TraitMember && self.nodes.root(other) == self.nodes.root(index)
            })
            .collect();
        for dependent in dependents {
            self.take(dependent);
        }
        true
    }

    /// For each error of `outcome`, takes out what it is in if that seems not to be needed, or else brings back what it
    /// misses. Returns how bold it had to be, or nothing if nothing changed.
    fn repair(&mut self, rendered: &Rendered, outcome: &Outcome) -> Option<u8> {
        let before = self.states.clone();
        let gone: Vec<bool> = (0..self.nodes.list.len()).map(|index| self.is_gone(index)).collect();
        for boldness in 0..=BOLDEST {
            for error in outcome.errors() {
                Repair { shaken: self, gone: &gone, rendered, error, boldness }.run();
            }
            if self.states != before {
                return Some(boldness);
            }
        }
        None
    }

    /// Of the nodes around byte `place` of the bundle, the innermost that the program does not seem to need.
    fn dead_around(&self, place: usize) -> Option<usize> {
        let around = (0..self.nodes.list.len()).rev().filter(|&index| self.node(index).range.contains(&place));
        for index in around {
            let node = self.node(index);
            match node.kind {
                // What came back is needed, so it does not go again. What it names has to come back, too.
                _ if self.is_back(index) && self.states[index] != State::Guessed || node.is_alive() => return None,
                Kind::Import | Kind::Function | Kind::Member | Kind::MacroCall => return Some(index),
                // An impl cannot be without such a member, so it goes as a whole.
                Kind::ImplMember if self.is_required(index) => {}
                Kind::TraitMember | Kind::ImplMember if node.life != Life::Unknown => return Some(index),
                Kind::TraitImpl => return (!self.has_live_child(index)).then_some(index),
                Kind::Constant | Kind::Type | Kind::Trait | Kind::Macro => return None,
                _ => {}
            }
        }
        None
    }

    /// One round: `ask` the compiler about what is left, and do as it says.
    ///
    /// # Errors
    /// Fails if the compiler cannot be run or a file cannot be used.
    pub fn round(&mut self, ask: &mut dyn FnMut(&Rendered) -> Result<Outcome>) -> Result<Round> {
        self.sweep();
        let rendered = self.render();
        let outcome = ask(&rendered)?;
        Ok(match outcome.success {
            true if self.take_unused(&rendered, &outcome) => Round::Smaller,
            true => Round::Settled,
            false => self.repair(&rendered, &outcome).map_or(Round::Stuck, Round::Repaired),
        })
    }

    /// Puts everything back.
    pub fn give_up(&mut self) {
        self.states.fill(State::Pinned);
    }

    /// Brings back what differing functions name in cargo's build and not in the paste. If there is nothing of that
    /// kind, brings back what their own text names. Returns whether anything came back.
    pub fn bring_back_functions(&mut self, differences: &BTreeSet<Difference>) -> bool {
        let gone: Vec<bool> = (0..self.nodes.list.len()).map(|index| self.is_gone(index)).collect();
        let mut any = false;
        for name in differences.iter().flat_map(|one| one.missing.iter().chain([&one.function])) {
            let words = words(name);
            for index in (0..gone.len()).filter(|&index| gone[index]) {
                let node = self.node(index);
                let about = words.contains(&node.of_type) || node.of_type.is_empty() || node.blanket;
                let wanted = match node.kind {
                    Kind::Function | Kind::Member | Kind::ImplMember | Kind::TraitMember | Kind::Constant => {
                        words.contains(&node.name) && about
                    }
                    Kind::Body => words.contains(&node.name) && self.is_body_of(index, &words),
                    Kind::Derive => words.contains(&node.of_trait) && about,
                    // The standard library does other things with a type that has a marker such as `FusedIterator`.
                    Kind::TraitImpl => self.nodes.children[index].is_empty() && words.contains(&node.of_type),
                    _ => false,
                };
                any |= wanted && self.bring_back(index);
            }
        }
        any || self.bring_back_what_is_written(differences, &gone)
    }

    /// Whether a body is that of a function about one of these types.
    fn is_body_of(&self, index: usize, words: &HashSet<String>) -> bool {
        let function = self.node(index).parent.map(|parent| self.node(parent));
        function.is_some_and(|node| words.contains(&node.of_type) || node.of_type.is_empty() || node.blanket)
    }

    /// Brings back what stands in the text of functions and constants that differ.
    fn bring_back_what_is_written(&mut self, differences: &BTreeSet<Difference>, gone: &[bool]) -> bool {
        let names: HashSet<&str> = differences.iter().filter_map(|one| one.function.rsplit("::").next()).collect();
        let written: HashSet<String> = (0..gone.len())
            .filter(|&index| !gone[index] && names.contains(self.node(index).name.as_str()))
            .flat_map(|index| words(&self.text[self.node(index).range.clone()]))
            .collect();
        let mut any = false;
        for index in (0..gone.len()).filter(|&index| gone[index]) {
            let free = matches!(
                self.node(index).kind,
                Kind::Function | Kind::Constant | Kind::Macro | Kind::Import | Kind::Member
            );
            any |= free && written.contains(&self.node(index).name) && self.bring_back(index);
        }
        any
    }

    /// Keeps all of each crate that is named in differing functions. Returns the names of these crates' modules.
    pub fn keep_whole(&mut self, differences: &BTreeSet<Difference>) -> BTreeSet<String> {
        let names = differences.iter().flat_map(|one| one.missing.iter().chain([&one.function]));
        let words: HashSet<String> = names.flat_map(|name| words(name)).collect();
        let mut kept = BTreeSet::new();
        for index in 0..self.nodes.list.len() {
            let root = self.node(self.nodes.root(index));
            if words.contains(&root.name) && self.states[index] != State::Pinned {
                kept.insert(root.name.clone());
                self.states[index] = State::Pinned;
            }
        }
        kept
    }
}

/// The search for what one error misses.
struct Repair<'s, 'a, 'e> {
    shaken: &'s mut Shaken<'a>,
    /// What was gone when the compiler was asked.
    gone: &'e [bool],
    rendered: &'e Rendered,
    error: &'e Diagnostic,
    boldness: u8,
}

impl Repair<'_, '_, '_> {
    fn run(&mut self) {
        let primary: Vec<_> = self.error.spans.iter().filter(|span| span.is_primary).collect();
        let mut any = false;
        for span in &primary {
            if let Some(dead) = self.shaken.dead_around(self.rendered.origin(span.call_site().byte_start)) {
                any |= self.shaken.take_with_dependents(dead);
            }
        }
        if any {
            return;
        }
        let place = primary.first().map(|span| self.rendered.origin(span.byte_start));
        // What stands at the place of the error, as far as it is a name.
        let here: HashSet<String> = primary
            .iter()
            .filter_map(|span| {
                // Where a module is missing, what the path names in it is missing, too. Where a path names a
                // member that a trait lacks, the compiler takes the trait for a type (E0782).
                let goes_on = matches!(self.error.name(), "E0433" | "E0782");
                let path = if goes_on { rest_of_path(&self.rendered.text, span.byte_end) } else { 0 };
                self.rendered.text.get(span.byte_start..span.byte_end + path)
            })
            .flat_map(words)
            .collect();
        let named = match self.error.name() {
            "E0432" | "E0433" | "E0364" | "E0365" => {
                self.named(&here) || self.named(&self.quoted()) || self.take_import(place)
            }
            // A member that its trait does not declare. If it is compiled, the declaration comes back.
            "E0407" | "E0437" | "E0438" => self.take_member(place) || self.of_kind(&self.quoted(), Kind::TraitMember),
            "E0046" => self.missing_members(place),
            // A trait's member that is named in a path.
            "E0576" | "E0782" if self.of_kind(&here, Kind::TraitMember) => true,
            "E0405" | "E0412" | "E0425" | "E0576" | "E0531" | "E0532" | "E0423" | "E0422" | "E0574" | "E0573"
            | "E0408" | "E0220" | "E0404" => self.named(&here) || self.named(&self.quoted()),
            "E0599" | "E0609" | "E0610" | "E0615" => self.siblings(&here, place) || self.members(&here),
            // A type that should be `Copy` has a part that is not. One of the error's places names that part's type.
            "E0204" | "E0740" => self.copies(),
            // Something is moved that was copied. The error often does not name its type.
            "E0505" | "E0507" | "E0508" | "E0509" => self.moves(),
            // What cannot be dereferenced lacks a trait that the error does not name.
            "E0614" => self.dereferencing(),
            // Errors about macros have no code.
            "" => self.macros(&here) || self.macros(&self.quoted()) || self.boldness > 0 && self.macros(&self.words()),
            _ => self.boldness > 2 && self.named(&self.quoted()),
        };
        if !named && !self.impls() && self.boldness > 3 {
            self.crates(place);
        }
    }

    /// The names that the error quotes, each the last of its path.
    fn quoted(&self) -> HashSet<String> {
        let names = self.quotes();
        names.map(|name| name.rsplit("::").next().unwrap_or(name).trim_end_matches('!').to_owned()).collect()
    }

    /// The pieces of Rust that the error quotes.
    fn quotes(&self) -> impl Iterator<Item = &str> {
        let labels = self.error.spans.iter().filter_map(|span| span.label.as_deref());
        let texts = std::iter::once(self.error.message.as_str()).chain(labels);
        texts.flat_map(|text| text.split('`').skip(1).step_by(2))
    }

    /// The traits of the operators that the error quotes. Often it does not name them.
    fn operators(&self) -> impl Iterator<Item = String> {
        const SIGNS: [(&str, &str); 11] = [
            ("+", "Add"),
            ("-", "Sub"),
            ("*", "Mul"),
            ("/", "Div"),
            ("%", "Rem"),
            ("!", "Not"),
            ("&", "BitAnd"),
            ("|", "BitOr"),
            ("^", "BitXor"),
            ("<<", "Shl"),
            (">>", "Shr"),
        ];
        self.quotes().filter_map(|quoted| {
            let (sign, end) = quoted.strip_suffix('=').map_or((quoted, ""), |sign| (sign, "Assign"));
            let (_, name) = SIGNS.iter().find(|(known, _)| *known == sign)?;
            Some(format!("{name}{end}"))
        })
    }

    /// All names in the error, its notes included.
    fn words(&self) -> HashSet<String> {
        words(&format!("{}\n{}", self.error.full_text(), self.error.rendered.as_deref().unwrap_or_default()))
    }

    /// Brings back the gone nodes of `kinds` that are `wanted`. Returns whether there were any when the compiler was
    /// asked.
    fn bring(&mut self, kinds: &[Kind], wanted: impl Fn(&Shaken<'_>, usize, &Node) -> bool) -> bool {
        let nodes = self.shaken.nodes;
        let found = kinds.iter().filter_map(|kind| nodes.by_kind.get(kind)).flatten().copied();
        self.bring_among(found, wanted)
    }

    /// The same for nodes with one of `names`.
    fn bring_named(&mut self, names: &HashSet<String>, wanted: impl Fn(&Shaken<'_>, usize, &Node) -> bool) -> bool {
        let nodes = self.shaken.nodes;
        let found = names.iter().filter_map(|name| nodes.by_name.get(name)).flatten().copied();
        self.bring_among(found.collect::<BTreeSet<usize>>(), wanted)
    }

    fn bring_among(
        &mut self,
        among: impl IntoIterator<Item = usize>,
        wanted: impl Fn(&Shaken<'_>, usize, &Node) -> bool,
    ) -> bool {
        let shaken = &*self.shaken;
        // Crates of which nothing is left may have things of the same name; they are the last to be asked.
        let near = |index: usize| {
            let root = shaken.nodes.root(index);
            self.boldness > 2 || root == index || !self.gone[root]
        };
        let found: Vec<usize> = among
            .into_iter()
            .filter(|&index| self.gone[index] && near(index) && wanted(shaken, index, shaken.node(index)))
            .collect();
        for &node in &found {
            self.shaken.bring_back(node);
            let guessed = self.boldness > 1 || self.shaken.node(node).kind == Kind::MacroCall;
            if guessed && self.shaken.states[node] == State::Back {
                self.shaken.states[node] = State::Guessed;
            }
        }
        !found.is_empty()
    }

    fn named(&mut self, names: &HashSet<String>) -> bool {
        let gone = self.gone;
        self.bring_named(names, |shaken, _, node| {
            let free = matches!(
                node.kind,
                Kind::Function | Kind::Constant | Kind::Type | Kind::Trait | Kind::Module | Kind::Import | Kind::Macro
            );
            let inside = node
                .parent
                .is_none_or(|parent| !gone[parent] || matches!(shaken.node(parent).kind, Kind::Module | Kind::Use));
            free && inside
        }) | self.declaring(names)
            || self.boldness > 0 && self.calls(names, 1)
    }

    /// Brings back macro calls that declare one of `names`.
    fn declaring(&mut self, names: &HashSet<String>) -> bool {
        self.bring(&[Kind::MacroCall], |_, _, node| names.iter().any(|name| node.declares.contains(name)))
    }

    fn of_kind(&mut self, names: &HashSet<String>, kind: Kind) -> bool {
        self.bring_named(names, |_, _, node| node.kind == kind)
    }

    /// An import of something that is nowhere goes, with all that is imported through it.
    fn take_import(&mut self, place: Option<usize>) -> bool {
        let Some(place) = place else { return false };
        let nodes = self.shaken.nodes;
        let Some(innermost) = nodes.touching(Kind::Use, place..place + 1).last() else { return false };
        let imports: Vec<usize> = (0..nodes.list.len())
            .filter(|&index| nodes.list[index].kind == Kind::Import && nodes.list[index].range.end > place)
            .filter(|&index| nodes.within(index, innermost))
            .collect();
        let mut any = false;
        for import in imports {
            any |= self.shaken.take(import);
        }
        any
    }

    /// A member that its trait does not declare goes, unless it is compiled.
    fn take_member(&mut self, place: Option<usize>) -> bool {
        let Some(place) = place else { return false };
        let members: Vec<usize> = self.shaken.nodes.touching(Kind::ImplMember, place..place + 1).collect();
        let mut any = false;
        for member in members {
            any |= !self.shaken.node(member).is_alive() && self.shaken.take(member);
        }
        any
    }

    fn missing_members(&mut self, place: Option<usize>) -> bool {
        let wanted = self.quoted();
        let within = place.and_then(|place| self.shaken.nodes.touching(Kind::TraitImpl, place..place + 1).last());
        self.bring_named(&wanted, |_, _, node| node.parent == within)
    }

    /// Brings back members of the trait that the error is in.
    fn siblings(&mut self, names: &HashSet<String>, place: Option<usize>) -> bool {
        let Some(place) = place else { return false };
        let around = self.shaken.nodes.touching(Kind::Trait, place..place + 1).last();
        around.is_some()
            && self.bring_named(names, |_, _, node| node.kind == Kind::TraitMember && node.parent == around)
    }

    fn members(&mut self, names: &HashSet<String>) -> bool {
        let words = words(&self.error.full_text());
        let member = |node: &Node| {
            matches!(node.kind, Kind::Member | Kind::ImplMember | Kind::TraitMember) && names.contains(&node.name)
        };
        let list = &self.shaken.nodes.list;
        let traits: HashSet<&str> = list
            .iter()
            .filter(|node| node.kind == Kind::TraitMember && names.contains(&node.name))
            .map(|node| node.of_trait.as_str())
            .collect();
        self.bring(&[Kind::Member, Kind::ImplMember, Kind::TraitMember, Kind::TraitImpl, Kind::Derive], |_, _, node| {
            let about_type = words.contains(&node.of_type);
            let by_trait = node.kind == Kind::TraitImpl && traits.contains(node.of_trait.as_str());
            let derives = node.kind == Kind::Derive && names.iter().any(|name| derived(name) == node.name);
            member(node) && (about_type || node.kind == Kind::TraitMember && words.contains(&node.of_trait))
                || by_trait && (about_type || node.blanket || node.of_type.is_empty())
                || derives && about_type
        }) || self.boldness > 1 && self.bring_named(names, |_, _, node| member(node))
    }

    fn impls(&mut self) -> bool {
        let stated = words(&self.error.stated());
        let mut words = words(&self.error.full_text());
        words.extend(self.operators());
        let by_reference = self.error.stated().contains('&');
        let by_tuple = self.error.stated().contains('(');
        let boldness = self.boldness;
        let gone = self.gone;
        let found = self.bring(&[Kind::TraitImpl, Kind::Derive], |shaken, index, node| {
            let is_impl = match node.kind {
                Kind::TraitImpl => true,
                // The type that a derive stands on has to be there.
                Kind::Derive => {
                    node.parent.and_then(|derives| shaken.node(derives).parent).is_none_or(|derived| !gone[derived])
                }
                _ => false,
            };
            let about_trait = words.contains(&node.of_trait);
            let about_type = words.contains(&node.of_type);
            // Advice names types that the error is not about.
            let exactly = || {
                let names = node.header.iter().chain([&node.of_type]).filter(|name| **name != node.of_trait);
                let mut names = names.filter(|name| !(name.is_empty() || node.blanket && **name == node.of_type));
                // A crate may implement a trait of the standard library for all tuples, which have no name.
                let is_for_tuples = node.of_type.is_empty() && !shaken.nodes.has_trait(&node.of_trait);
                let shown = (!node.reference || by_reference) && (!is_for_tuples || by_tuple);
                names.all(|name| stated.contains(name)) && shown
            };
            // The error is about a type that contains this one, and only a note names this one.
            let marker = about_type && node.kind == Kind::TraitImpl && shaken.nodes.children[index].is_empty();
            is_impl
                && match boldness {
                    0 => about_trait && (exactly() || marker),
                    1 => about_trait && (about_type || node.blanket),
                    2 => about_trait,
                    _ => about_type || about_trait,
                }
        });
        found | self.implementing() || boldness > 0 && self.bounds(&words) || boldness > 1 && self.calls(&words, 2)
    }

    /// Starts from the traits in `words`, and adds the traits that their impls name, and so on. Brings back the impls
    /// of all these traits for the types in `words`, and their blanket impls. If several impls might fit, the error
    /// does not say what each of them lacks.
    fn bounds(&mut self, words: &HashSet<String>) -> bool {
        let nodes = self.shaken.nodes;
        let is_trait = |name: &&str| nodes.has_trait(name);
        let operators: Vec<String> = self.operators().collect();
        let traits = words.iter().map(String::as_str).filter(is_trait);
        let mut asked: HashSet<&str> = traits.chain(operators.iter().map(String::as_str)).collect();
        let mut found = asked.clone();
        while !found.is_empty() {
            let impls = nodes.by_kind.get(&Kind::TraitImpl).into_iter().flatten().copied();
            let impls = impls.filter(|&index| !self.gone[index] && found.contains(nodes.list[index].of_trait.as_str()));
            let names = impls.flat_map(|index| nodes.names[index].paths.iter().filter_map(|path| path.last()));
            let next: HashSet<&str> = names.map(String::as_str).filter(is_trait).collect();
            found = next.difference(&asked).copied().collect();
            asked.extend(&found);
        }
        // `{float}` and `{integer}` may be any of these.
        let may_be = |kind: &str| {
            words.contains("float") && ["f32", "f64"].contains(&kind)
                || words.contains("integer")
                    && matches!(kind.strip_prefix(['i', 'u']), Some("8" | "16" | "32" | "64" | "128" | "size"))
        };
        self.bring(&[Kind::TraitImpl, Kind::Derive], |_, _, node| {
            let about_type = node.blanket || words.contains(&node.of_type) || may_be(&node.of_type);
            asked.contains(node.of_trait.as_str()) && about_type
        })
    }

    fn copies(&mut self) -> bool {
        let places = self.error.spans.iter().filter_map(|span| self.rendered.text.get(span.byte_start..span.byte_end));
        let words: HashSet<String> = places.flat_map(words).collect();
        self.bring(&[Kind::TraitImpl, Kind::Derive], |_, _, node| {
            node.of_trait == "Copy" && words.contains(&node.of_type)
        })
    }

    fn moves(&mut self) -> bool {
        let words = self.words();
        let kinds = [Kind::TraitImpl, Kind::Derive];
        self.bring(&kinds, |_, _, node| node.of_trait == "Copy" && words.contains(&node.of_type))
            || self.bring(&kinds[..1], |_, _, node| node.of_trait == "Copy")
    }

    fn dereferencing(&mut self) -> bool {
        let words = words(&self.error.message);
        self.bring(&[Kind::TraitImpl], |_, _, node| {
            words.contains(&node.of_type) && matches!(node.of_trait.as_str(), "Deref" | "DerefMut")
        })
    }

    /// Brings back macro calls that may implement a trait for a type, both of which the error quotes as in `u32:
    /// Trait`.
    fn implementing(&mut self) -> bool {
        let Some(bound) = self.quotes().find(|quote| quote.contains(": ")) else { return false };
        let paths = bound.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | ':')));
        let names = paths.filter_map(|path| path.trim_matches(':').rsplit("::").next());
        let names: HashSet<String> = names.filter(|name| name.len() > 1).map(str::to_owned).collect();
        let definitions = &self.shaken.nodes.definitions;
        self.bring(&[Kind::MacroCall], |_, _, node| {
            let definition = definitions.get(node.name.as_str());
            let known =
                |name: &String| node.mentions.contains(name) || definition.is_some_and(|inside| inside.contains(name));
            let about = names.iter().any(|name| node.mentions.contains(name)) && names.iter().all(known);
            // A macro named like a trait is there to implement it.
            about || names.contains(&node.name)
        })
    }

    /// Brings back macro calls in the place of items, which may define anything: those where at least `enough` of
    /// `names` stand in the call or in the macro.
    fn calls(&mut self, names: &HashSet<String>, enough: usize) -> bool {
        let telling = |word: &&String| word.len() > 1 && (enough == 1 || word.starts_with(char::is_uppercase));
        let clues: HashSet<&String> = names.iter().filter(telling).collect();
        let definitions = &self.shaken.nodes.definitions;
        self.bring(&[Kind::MacroCall], |_, _, node| {
            let definition = definitions.get(node.name.as_str());
            let leads = |word: &&&String| {
                node.mentions.contains(**word) || definition.is_some_and(|inside| inside.contains(**word))
            };
            clues.iter().filter(leads).count() >= enough
        })
    }

    fn macros(&mut self, names: &HashSet<String>) -> bool {
        self.bring(&[Kind::Macro, Kind::Import, Kind::MacroArm], |shaken, _, node| match node.kind {
            Kind::Macro | Kind::Import => names.contains(&node.name),
            Kind::MacroArm => node.parent.is_some_and(|parent| {
                let name = &shaken.node(parent).name;
                names.contains(name)
                    || names.iter().any(|short| !short.is_empty() && name.ends_with(&format!("_{short}")))
            }),
            _ => false,
        })
    }

    /// Brings back all that is gone from the crate the error is in, or from all crates.
    fn crates(&mut self, place: Option<usize>) {
        let within = |node: &Node| place.is_some_and(|place| node.range.contains(&place));
        let everything = self.boldness > 4;
        self.bring_among(0..self.gone.len(), |shaken, index, _| {
            everything || within(shaken.node(shaken.nodes.root(index)))
        });
    }
}

/// The trait whose derive makes method `name`.
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

/// How many bytes of a path follow after `place`.
fn rest_of_path(text: &str, place: usize) -> usize {
    let rest = text.get(place..).unwrap_or_default();
    let in_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
    if rest.starts_with("::") { rest.len() - rest.trim_start_matches(in_path).len() } else { 0 }
}

/// How far a guess may go once there is a text that compiles.
pub const BOLD: u8 = 2;

/// The name that starts at byte `place` of a text.
pub(crate) fn word_at(text: &str, place: usize) -> &str {
    let rest = text.get(place..).unwrap_or_default();
    rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// All names in a text.
pub(crate) fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
