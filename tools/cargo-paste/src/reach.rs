//! What the program can name: from what is compiled, along every path that is written, import by import.
//!
//! The compiler knows this best, but it reports only one layer at a time. A path is looked up here as the compiler does
//! it, except that all things of a name count, whatever kind of thing is asked for. So this finds a little too much,
//! and what it misses in macros comes back by the compiler's errors.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::nodes::{Kind, Names, Node, Nodes};

/// Paths are looked up in this scope if they start at the file's own level, where each crate is a module.
const FILE: usize = usize::MAX;

/// How many imports may lead to one another.
const LONGEST: usize = 32;

/// A search for all that can be named.
pub struct Reach<'a> {
    nodes: &'a Nodes,
    /// Whether a node and all around it are in the text.
    present: &'a [bool],
    /// Whether a path may lead to a node. A node that was taken out counts, too: a path that ends there means that
    /// node, and no other of its name is looked for.
    nameable: Vec<bool>,
    /// Whether a node is needed.
    pub reached: Vec<bool>,
    /// Whether a path leads to a module or through it, so that it has to be there even if nothing is in it.
    pub stepped: Vec<bool>,
    /// For each import of the solution, what it may mean, apart from modules.
    pub imported: Vec<BTreeSet<usize>>,
    /// The modules and imports on the way to what [`Reach::imported`] lists.
    pub on_the_way: BTreeSet<usize>,
    words: HashSet<&'a str>,
    queue: Vec<usize>,
    /// What was found already under a name in a scope.
    known: HashMap<(usize, &'a str), Found>,
    /// The names that are being looked up.
    open: HashSet<(usize, &'a str)>,
    /// The imports that are being followed.
    importing: HashSet<usize>,
    /// For each scope, all that its imports with a `*` lead to.
    globs: HashMap<usize, Vec<Glob>>,
    /// The scopes whose `globs` are known for sure.
    sure: HashSet<usize>,
    /// How many scopes are being looked through for such imports. While there is one, no name is known for sure.
    unsure: usize,
}

/// What a name stands for.
#[derive(Debug, Clone, Default)]
struct Found {
    /// The nodes.
    items: BTreeSet<usize>,
    /// The imports and modules that lead there.
    way: BTreeSet<usize>,
    /// Whether there is such a name, even if what it names is not in the bundle.
    any: bool,
}

/// Something that imports with a `*` lead to.
#[derive(Debug, Clone)]
struct Glob {
    /// The module, or the type with variants.
    to: usize,
    /// The imports and modules that lead there.
    way: BTreeSet<usize>,
}

impl Found {
    fn add(&mut self, other: Self) {
        self.items.extend(other.items);
        self.way.extend(other.way);
        self.any |= other.any;
    }
}

impl<'a> Reach<'a> {
    /// Finds all that `roots` and the solution need, among what is `present`.
    #[must_use]
    pub fn new(nodes: &'a Nodes, present: &'a [bool], roots: impl Iterator<Item = usize>) -> Self {
        let count = nodes.list.len();
        let nameable = |(index, node): (usize, &Node)| {
            present[index] || node.kind != Kind::Import && node.parent.is_none_or(|parent| present[parent])
        };
        let mut reach = Self {
            nodes,
            present,
            nameable: nodes.list.iter().enumerate().map(nameable).collect(),
            reached: vec![false; count],
            stepped: vec![false; count],
            imported: Vec::new(),
            on_the_way: BTreeSet::new(),
            words: HashSet::new(),
            queue: Vec::new(),
            known: HashMap::new(),
            open: HashSet::new(),
            importing: HashSet::new(),
            globs: HashMap::new(),
            sure: HashSet::new(),
            unsure: 0,
        };
        for root in roots {
            reach.reach(root);
        }
        reach.solution();
        reach.run();
        reach
    }

    fn reach(&mut self, index: usize) {
        let mut at = Some(index).filter(|&index| self.present[index]);
        while let Some(found) = at.filter(|&found| !self.reached[found]) {
            self.reached[found] = true;
            self.queue.push(found);
            at = self.nodes.list[found].parent;
        }
    }

    fn reach_all(&mut self, found: &Found) {
        for &index in found.way.iter().chain(&found.items) {
            self.reach(index);
            self.stepped[index] = true;
        }
    }

    fn run(&mut self) {
        let nodes = self.nodes;
        let candidates: Vec<usize> = (0..nodes.list.len())
            .filter(|&index| {
                self.present[index] && matches!(nodes.list[index].kind, Kind::Import | Kind::Member | Kind::Foreign)
            })
            .collect();
        loop {
            while let Some(index) = self.queue.pop() {
                self.names_of(index);
            }
            for &index in candidates.iter().filter(|&&index| !self.reached[index]).collect::<Vec<_>>() {
                if self.is_wanted(index) {
                    self.reach(index);
                }
            }
            if self.queue.is_empty() {
                return;
            }
        }
    }

    /// Reaches what the node's own text names, and the parts that it cannot be without.
    fn names_of(&mut self, index: usize) {
        let nodes = self.nodes;
        let node = &nodes.list[index];
        match &node.import {
            Some(import) => {
                let found = self.resolve(nodes.scope(index), &import.path, 0);
                self.reach_all(&found);
            }
            None => self.names(nodes.scope(index), &nodes.names[index], &mut HashSet::new()),
        }
        for &child in &nodes.children[index] {
            if matches!(
                nodes.list[child].kind,
                Kind::MacroArm | Kind::Derives | Kind::Derive | Kind::TraitMember | Kind::ImplMember | Kind::Body
            ) {
                self.reach(child);
            }
        }
    }

    /// Reaches what `names` mean in `scope`. What a macro's body names is looked up where the macro is called.
    fn names(&mut self, scope: usize, names: &'a Names, expanded: &mut HashSet<&'a str>) {
        let nodes = self.nodes;
        self.words.extend(names.words.iter().map(String::as_str));
        for path in &names.paths {
            let found = self.resolve(scope, path, 0);
            self.reach_all(&found);
        }
        for call in &names.calls {
            let called = nodes.by_name.get(call).into_iter().flatten().copied();
            for index in called.filter(|&index| nodes.list[index].kind == Kind::Macro) {
                if !self.present[index] || scope == FILE || nodes.root(index) != nodes.root(scope) {
                    continue;
                }
                self.reach(index);
                if expanded.insert(call) {
                    self.names(scope, &nodes.names[index], expanded);
                    for &arm in &nodes.children[index] {
                        self.names(scope, &nodes.names[arm], expanded);
                    }
                }
            }
        }
    }

    /// Whether something is needed although no path leads to it.
    fn is_wanted(&mut self, index: usize) -> bool {
        let nodes = self.nodes;
        let node = &nodes.list[index];
        let scope = nodes.scope(index);
        match &node.import {
            // A trait is imported for its methods, not for its name.
            Some(import) if scope == FILE || self.reached[scope] => {
                let found = self.resolve(scope, &import.path, 0);
                let own = matches!(import.path.first().map(String::as_str), Some("crate" | "self" | "super"));
                let foreign = found.items.is_empty() && (found.any || !own);
                if import.glob {
                    foreign && !found.any || found.items.iter().any(|&item| self.has_trait(item))
                } else {
                    foreign && import.name.starts_with(|letter: char| letter.is_uppercase() || letter == '_')
                        || self.is_reached_trait(&found)
                }
            }
            Some(_) => false,
            // What a crate links is needed if anything else of the crate is.
            None if node.kind == Kind::Foreign => node.is_alive() && self.reached[nodes.root(index)],
            None => {
                let of_type = node.parent.map(|parent| &nodes.list[parent].type_path);
                self.words.contains(node.name.as_str())
                    && of_type.is_some_and(|path| {
                        let found = self.resolve(scope, path, 0);
                        found.items.iter().any(|&item| self.reached[item])
                            || found.items.is_empty() && !self.is_type(path, nodes.root(index))
                    })
            }
        }
    }

    /// Whether crate `root` declares a type of this name. If `path` does not lead to it, an import on the way was
    /// taken out.
    fn is_type(&self, path: &[String], root: usize) -> bool {
        let nodes = self.nodes;
        let named = path.last().and_then(|name| nodes.by_name.get(name)).into_iter().flatten();
        named.into_iter().any(|&other| nodes.list[other].kind == Kind::Type && nodes.root(other) == root)
    }

    fn is_reached_trait(&self, found: &Found) -> bool {
        found.items.iter().any(|&item| self.reached[item] && self.nodes.list[item].kind == Kind::Trait)
    }

    /// Whether a trait that is needed can be imported from a module with `*`.
    fn has_trait(&mut self, module: usize) -> bool {
        let nodes = self.nodes;
        let mut modules: Vec<usize> = self.globs(module, 0).into_iter().map(|glob| glob.to).collect();
        modules.push(module);
        modules.into_iter().any(|module| {
            let inside = nodes.scopes.get(&module).into_iter().flat_map(|scope| scope.items.values().flatten());
            inside.copied().any(|item| match &nodes.list[item].import {
                _ if !self.present[item] => false,
                None => nodes.list[item].kind == Kind::Trait && self.reached[item],
                Some(import) => {
                    let found = self.resolve(module, &import.path, 0);
                    self.is_reached_trait(&found)
                }
            })
        })
    }

    /// What `path` means in `scope`.
    fn resolve(&mut self, scope: usize, path: &'a [String], depth: usize) -> Found {
        let nodes = self.nodes;
        let mut rest = path.iter().map(String::as_str).peekable();
        let mut module = nodes.module_around(scope);
        let mut found = Found::default();
        if depth > LONGEST {
            return found;
        }
        match rest.next() {
            None | Some("Self") => return found,
            Some("crate" | "") => module = FILE,
            Some("self") => {}
            Some("super") => module = nodes.module_above(module),
            Some(name) => {
                let mut at = scope;
                loop {
                    found = self.find(at, name, depth);
                    if found.any || at == module {
                        break;
                    }
                    at = nodes.list[at].parent.unwrap_or(FILE);
                }
                if !found.any {
                    found = self.find(FILE, name, depth);
                    found.items.retain(|&item| nodes.list[item].kind == Kind::Module);
                }
            }
        }
        while rest.peek().is_some_and(|next| *next == "super") {
            module = nodes.module_above(module);
            rest.next();
        }
        if !found.any {
            match (path.first().map(String::as_str), rest.next()) {
                (Some("crate" | "" | "self" | "super"), Some(name)) => found = self.find(module, name, depth),
                (Some("crate" | "" | "self" | "super"), None) if module != FILE => {
                    found.items.insert(module);
                    found.any = true;
                }
                _ => return found,
            }
        }
        for name in rest {
            let (modules, others): (BTreeSet<usize>, BTreeSet<usize>) =
                found.items.iter().partition(|&&item| nodes.list[item].kind == Kind::Module);
            // What follows the name of a type or a trait is a member.
            let mut next = Found { any: !others.is_empty(), items: others, way: found.way };
            for &module in &modules {
                next.way.insert(module);
                let inner = self.find(module, name, depth);
                next.add(inner);
            }
            found = next;
        }
        found
    }

    /// What `name` means right in `scope`: what is declared there, what is imported, and what comes with a `*`.
    fn find(&mut self, scope: usize, name: &'a str, depth: usize) -> Found {
        if let Some(known) = self.known.get(&(scope, name)) {
            return known.clone();
        }
        let mut found = self.declared(scope, name, depth);
        if !self.nodes.scopes.contains_key(&scope) || !self.open.insert((scope, name)) {
            return found;
        }
        for glob in self.globs(scope, depth) {
            let mut inner = match self.nodes.list[glob.to].kind {
                Kind::Module => self.declared(glob.to, name, depth),
                // A variant.
                _ if self.nodes.names[glob.to].words.contains(name) => {
                    Found { items: BTreeSet::from([glob.to]), any: true, ..Found::default() }
                }
                _ => continue,
            };
            if inner.any {
                inner.way.extend(glob.way);
                found.add(inner);
            }
        }
        self.open.remove(&(scope, name));
        if self.unsure == 0 && self.open.is_empty() && self.importing.is_empty() {
            self.known.insert((scope, name), found.clone());
        }
        found
    }

    /// What is declared as `name` right in `scope`, or imported by this name.
    fn declared(&mut self, scope: usize, name: &str, depth: usize) -> Found {
        let nodes = self.nodes;
        let mut found = Found::default();
        let named = nodes.scopes.get(&scope).and_then(|inside| inside.items.get(name));
        for &index in named.into_iter().flatten() {
            if !self.nameable[index] {
                continue;
            }
            found.any = true;
            match &nodes.list[index].import {
                Some(import) => {
                    found.way.insert(index);
                    // An import may have the name of the module that it imports from.
                    if self.importing.insert(index) {
                        let inner = self.resolve(scope, &import.path, depth + 1);
                        found.add(inner);
                        self.importing.remove(&index);
                    }
                }
                None => {
                    found.items.insert(index);
                }
            }
        }
        found
    }

    /// All that the imports with a `*` in `scope` lead to, also by way of further ones.
    fn globs(&mut self, scope: usize, depth: usize) -> Vec<Glob> {
        if let Some(known) = self.globs.get(&scope) {
            return known.clone();
        }
        // A path may lead through what an import beside it brings, so each round knows what the one before it found.
        self.unsure += 1;
        let mut found = Vec::new();
        loop {
            let before = found.len();
            self.globs.insert(scope, found);
            found = self.globs_once(scope, depth);
            if found.len() <= before {
                break;
            }
        }
        self.unsure -= 1;
        if self.unsure == 0 {
            // What other scopes got meanwhile may not be complete, so it is forgotten.
            self.globs.retain(|scope, _| self.sure.contains(scope));
            self.sure.insert(scope);
        }
        self.globs.insert(scope, found.clone());
        found
    }

    fn globs_once(&mut self, scope: usize, depth: usize) -> Vec<Glob> {
        let nodes = self.nodes;
        let mut found: Vec<Glob> = Vec::new();
        let mut next = 0;
        let mut at = (scope, BTreeSet::new());
        loop {
            for &glob in nodes.scopes.get(&at.0).into_iter().flat_map(|inside| &inside.globs) {
                let Some(import) = nodes.list[glob].import.as_ref().filter(|_| self.nameable[glob]) else { continue };
                let from = self.resolve(at.0, &import.path, depth + 1);
                for &to in &from.items {
                    let kind = nodes.list[to].kind;
                    let new = to != scope && found.iter().all(|known| known.to != to);
                    if new && matches!(kind, Kind::Module | Kind::Type) {
                        let mut way: BTreeSet<usize> = from.way.union(&at.1).copied().collect();
                        way.extend([glob, to]);
                        found.push(Glob { to, way });
                    }
                }
            }
            let Some(glob) = found.get(next) else { return found };
            at = (glob.to, glob.way.clone());
            next += 1;
        }
    }

    /// Reaches what the solution names. Its modules are not looked at one by one: what any of them imports counts for
    /// all of them.
    fn solution(&mut self) {
        let nodes = self.nodes;
        let mut names: HashMap<&str, Found> = HashMap::new();
        let mut globs = Vec::new();
        for import in &nodes.solution_imports {
            let found = self.resolve(FILE, &import.path, 0);
            for &index in &found.way {
                // An import inside a crate that is on the way stays, but what it imports is not needed just because of
                // it.
                if nodes.list[index].import.is_some() && self.present[index] {
                    self.reached[index] = true;
                    nodes.list[index].parent.into_iter().for_each(|around| self.reach(around));
                } else {
                    self.reach(index);
                }
                self.stepped[index] = true;
            }
            let (modules, others): (BTreeSet<usize>, BTreeSet<usize>) =
                found.items.iter().partition(|&&item| nodes.list[item].kind == Kind::Module);
            for &module in &modules {
                self.reach(module);
                self.stepped[module] = true;
            }
            if import.glob {
                globs.extend(modules);
            } else {
                self.imported.push(others);
                self.on_the_way.extend(&found.way);
                names.entry(&import.name).or_default().add(found);
            }
        }
        let own = &nodes.solution;
        self.words.extend(own.words.iter().map(String::as_str));
        let alone = own.words.iter().map(std::slice::from_ref);
        for path in own.paths.iter().map(Vec::as_slice).chain(alone) {
            let (first, rest) = path.split_first().expect("a path has a name");
            let mut found = names.get(first.as_str()).cloned().unwrap_or_default();
            for &module in &globs {
                let inner = self.find(module, first, 0);
                found.add(inner);
            }
            for name in rest {
                let modules: Vec<usize> =
                    found.items.iter().copied().filter(|&item| nodes.list[item].kind == Kind::Module).collect();
                for module in modules {
                    let inner = self.find(module, name, 0);
                    found.add(inner);
                }
            }
            self.reach_all(&found);
            if path.len() > 1 {
                let found = self.resolve(FILE, path, 0);
                self.reach_all(&found);
            }
        }
        // Macros may come by `#[macro_use]`, without an import.
        for call in &own.calls {
            let called = nodes.by_name.get(call).into_iter().flatten().copied();
            for index in called.filter(|&index| nodes.list[index].kind == Kind::Macro).collect::<Vec<_>>() {
                self.reach(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::nodes::Live;

    /// A program of which nothing but the solution is known to be compiled.
    struct Nothing;

    impl Live for Nothing {
        fn in_bytes(&self, _: Range<usize>) -> bool {
            false
        }

        fn function(&self, _: Range<usize>, _: &[String]) -> bool {
            false
        }

        fn words_in(&self, _: Range<usize>) -> HashSet<String> {
            HashSet::new()
        }

        fn in_impl(&self, _: &str, _: &str) -> bool {
            false
        }
    }

    /// The names of the types, constants and functions in `crates` that `solution` needs.
    fn needed(solution: &str, crates: &str) -> Vec<String> {
        let text = format!("{solution}\n{crates}");
        let nodes = Nodes::new(&text, solution.len() + 1, &Nothing).unwrap();
        let present = vec![true; nodes.list.len()];
        let reach = Reach::new(&nodes, &present, std::iter::empty());
        let item = |index: &usize| matches!(nodes.list[*index].kind, Kind::Type | Kind::Constant | Kind::Function);
        let found = (0..present.len()).filter(|&index| reach.reached[index]).filter(item);
        found.map(|index| nodes.list[index].name.clone()).collect()
    }

    #[test]
    fn a_path_leads_to_what_it_names_and_to_nothing_else_of_that_name() {
        let crates = "mod a { pub mod b { pub struct S; } pub mod c { pub struct S; pub const LEFT: u8 = 0; } }";
        assert_eq!(needed("fn main() { a::b::S; }", crates), ["S"]);
        assert_eq!(needed("use a::c; fn main() { c::LEFT; }", crates), ["LEFT"]);
        assert!(needed("use a::c::*; use a::b::S as T; fn main() {}", crates).is_empty());
    }

    #[test]
    fn imports_are_followed_through_stars_and_circles() {
        let crates = "mod a { pub use self::one::*; mod one { pub use super::two::*; pub use self::deep::*; } \
                      mod two { pub use super::*; pub mod deep { pub struct Far(super::Near); } struct Near; } }";
        assert_eq!(needed("fn main() { a::Far; }", crates), ["Far", "Near"]);
    }

    #[test]
    fn an_import_that_is_out_does_not_make_a_member_needed() {
        let crates = "mod a { pub fn new() {} pub use self::t::*; mod t { pub struct T; } \
                      mod i { use super::T; impl T { pub fn new() { only() } } fn only() {} } }";
        let solution = "fn main() { a::new(); }\n";
        let text = format!("{solution}{crates}");
        let nodes = Nodes::new(&text, solution.len(), &Nothing).unwrap();
        let star = nodes.list.iter().position(|node| node.import.as_ref().is_some_and(|import| import.glob)).unwrap();
        for out in [false, true] {
            let present: Vec<bool> = (0..nodes.list.len()).map(|index| index != star || !out).collect();
            let reach = Reach::new(&nodes, &present, std::iter::empty());
            assert!(!reach.reached[nodes.by_name["only"][0]], "{out}");
        }
    }

    #[test]
    fn an_import_may_have_the_name_of_its_module() {
        let crates = "mod a { pub use self::gcd::gcd; mod gcd { pub fn gcd() { help() } fn help() {} fn rest() {} } }";
        assert_eq!(needed("use a::gcd; fn main() { gcd(); }", crates), ["gcd", "help"]);
    }

    #[test]
    fn what_a_macro_names_is_looked_up_where_it_is_called() {
        let crates = "mod a { macro_rules! make { () => { Made } } \
                      pub mod b { pub struct Made; pub const C: Made = make!(); } pub mod c { pub struct Made; } }";
        assert_eq!(needed("fn main() { a::b::C; }", crates), ["Made", "C"]);
    }
}
