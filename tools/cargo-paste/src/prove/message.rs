//! Names of types that only the message of a panic shows.
//!
//! `type_name` gives another name in a paste, where a crate is a module. proconio puts such a name into the message for
//! input that cannot be read. What a panic prints on stderr is not compared, so there the name may differ. But it must
//! go nowhere else: after the call of `type_name`, the function only makes the message and panics. `PhantomData` shows
//! such a name in its `Debug`. That does no harm if only failed assertions and `unwrap` show the values that contain
//! it.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::llvm::{Code, Kind, Symbol, Token, readable};

/// Whether a function of the standard library is there to give or show the name of a type.
pub(super) fn gives_name(name: &str) -> bool {
    is_type_name(name) || is_phantom(name)
}

/// The instance of `type_name` for one type.
fn is_type_name(name: &str) -> bool {
    readable(name).starts_with("core::any::type_name::<")
}

/// Whether a program reads the messages of panics itself. `names` are those of all that it defines or uses.
pub(super) fn are_read(names: &[String]) -> bool {
    names.iter().any(|name| {
        let hook =
            ["panicking::set_hook", "panicking::update_hook", "PanicHookInfo"].iter().any(|hook| name.contains(hook));
        hook || name.contains("core::any::Any") && name.contains("alloc::string::String")
    })
}

/// Whether all functions that ask for the name of a type put it into the message of a panic and do nothing else with
/// it.
pub(super) fn has_only_names_in_panics(code: &Code<'_>) -> bool {
    let asks = |token: &Token<'_>| matches!(token, Token::Symbol(name) if is_type_name(name));
    let mut asking = code.reached().into_iter().filter(|&symbol| code.tokens(symbol).iter().any(asks));
    asking.all(|symbol| {
        let function = || Function::new(code, symbol);
        let panics = || function().only_panics() && Flow::new(&function()).ends_in_messages();
        code.kind(symbol) == Kind::Function && (is_phantom(symbol.name) || panics())
    }) && are_shown_by_failures_only(
        code,
        code.reached().into_iter().filter(|symbol| is_phantom(symbol.name)).collect(),
    )
}

/// The `Debug` of `PhantomData` for one type.
fn is_phantom(name: &str) -> bool {
    let name = readable(name);
    name.starts_with("<core::marker::PhantomData<") && name.ends_with(" as core::fmt::Debug>::fmt")
}

/// Whether what the `Debug`s in `queue` write is only seen where an assertion or an `unwrap` fails.
fn are_shown_by_failures_only<'t>(code: &Code<'t>, mut queue: Vec<Symbol<'t>>) -> bool {
    if queue.is_empty() {
        return true;
    }
    let mut users: HashMap<Symbol<'t>, HashSet<Symbol<'t>>> = HashMap::new();
    for user in code.reached() {
        for token in code.tokens(user).iter() {
            if let Token::Symbol(name) = token
                && let Some(used) = code.resolve(user, name)
            {
                users.entry(used).or_default().insert(user);
            }
        }
    }
    let mut seen: HashSet<Symbol<'t>> = queue.iter().copied().collect();
    while let Some(shown) = queue.pop() {
        for &user in users.get(&shown).into_iter().flatten() {
            let name = readable(user.name);
            // What shows a value shows its parts. What uses a vtable may show the value.
            let is_debug = name.starts_with("<core::fmt::builders::") || is_debug(user.name) && only_shows(code, user);
            if code.kind(user) == Kind::Data || is_debug {
                if seen.insert(user) {
                    queue.push(user);
                }
            } else if !name.starts_with("core::panicking::assert_failed::<") && !only_unwraps(code, user, shown) {
                return false;
            }
        }
    }
    true
}

fn is_debug(name: &str) -> bool {
    readable(name).ends_with(" as core::fmt::Debug>::fmt")
}

/// Whether a `Debug` only writes with the formatter that it gets: it calls nothing else, and changes no static.
fn only_shows<'t>(code: &Code<'t>, function: Symbol<'t>) -> bool {
    let writes = |name: &str| {
        let shown = readable(name);
        // `core::fmt::write` could write elsewhere.
        shown.starts_with("core::fmt::") && shown != "core::fmt::write"
            || shown.starts_with("<core::fmt::")
            || is_debug(name)
            || name.starts_with("llvm.")
    };
    let tokens = code.tokens(function);
    tokens.split(|token| *token == Token::End).skip(1).all(|words| {
        let is = |wanted: &str| words.contains(&Token::Word(wanted));
        let to = words.iter().rfind(|token| matches!(token, Token::Symbol(_) | Token::Local(_)));
        if is("call") || is("invoke") {
            callee(words).is_some_and(writes)
        } else {
            !(is("atomicrmw") || is("cmpxchg") || is("store") && matches!(to, Some(Token::Symbol(_))))
        }
    })
}

/// Whether a function hands `shown` to the failure of `unwrap` and does nothing else with it.
fn only_unwraps<'t>(code: &Code<'t>, user: Symbol<'t>, shown: Symbol<'t>) -> bool {
    let names = |token: &Token<'t>| matches!(token, Token::Symbol(name) if code.resolve(user, name) == Some(shown));
    let tokens = code.tokens(user);
    let mut naming = tokens.split(|token| *token == Token::End).filter(|words| words.iter().any(names));
    naming.all(|words| callee(words).is_some_and(|name| readable(name) == "core::result::unwrap_failed"))
}

struct Function<'t> {
    /// The instructions of each block.
    blocks: Vec<Vec<Vec<Token<'t>>>>,
    labels: HashMap<usize, usize>,
    /// Its variables: the values that point to them.
    variables: Vec<usize>,
    /// All values that point into its variables.
    own: HashSet<usize>,
}

impl<'t> Function<'t> {
    fn new(code: &Code<'t>, function: Symbol<'t>) -> Self {
        let mut made =
            Self { blocks: vec![Vec::new()], labels: HashMap::new(), variables: Vec::new(), own: HashSet::new() };
        // The head is no instruction.
        for words in code.tokens(function).split(|token| *token == Token::End).skip(1) {
            match words {
                [Token::Local(label), Token::Word(":")] => {
                    made.labels.insert(*label, made.blocks.len());
                    made.blocks.push(Vec::new());
                }
                [Token::Local(value), Token::Word("="), Token::Word("alloca"), ..] => {
                    made.variables.push(*value);
                    made.own.insert(*value);
                }
                [Token::Local(value), Token::Word("="), Token::Word("getelementptr"), rest @ ..] => {
                    if first_local(rest).is_some_and(|base| made.own.contains(&base)) {
                        made.own.insert(*value);
                    }
                    made.push(words);
                }
                [] | [Token::Word("}")] => {}
                _ => made.push(words),
            }
        }
        made
    }

    fn push(&mut self, words: &[Token<'t>]) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(words.to_vec());
        }
    }

    /// Whether after each call of `type_name` only a message is made, and then the function panics.
    fn only_panics(&self) -> bool {
        let asks = |words: &Vec<Token<'t>>| callee(words).is_some_and(is_type_name);
        // It may only be called, and not be handed on.
        let names = |token: &&Token<'t>| matches!(token, Token::Symbol(name) if is_type_name(name));
        if self.blocks.iter().flatten().any(|words| words.iter().filter(names).count() > usize::from(asks(words))) {
            return false;
        }
        let starts = self.blocks.iter().enumerate().filter_map(|(at, block)| Some((at, block.iter().position(asks)?)));
        starts.into_iter().all(|(block, from)| {
            let mut seen = HashSet::new();
            let mut queue = vec![(block, from)];
            while let Some((block, from)) = queue.pop() {
                let rest = &self.blocks[block][from..];
                if !rest.iter().all(|words| self.is_harmless(words)) {
                    return false;
                }
                let pairs = rest.iter().flat_map(|words| words.windows(2));
                let next = pairs.filter_map(|pair| match pair {
                    [Token::Word("label"), Token::Local(label)] => self.labels.get(label).copied(),
                    _ => None,
                });
                queue.extend(next.filter(|&block| seen.insert(block)).map(|block| (block, 0)));
            }
            true
        })
    }

    /// Whether an instruction belongs to making a message or to panicking.
    fn is_harmless(&self, words: &[Token<'t>]) -> bool {
        let after = if words.get(1) == Some(&Token::Word("=")) { &words[2..] } else { words };
        let Some(Token::Word(operation)) = after.first() else { return false };
        match *operation {
            "call" | "invoke" => callee(words).is_some_and(|name| match name.strip_prefix("llvm.") {
                Some(known) if known.starts_with("mem") => self.is_own(first_local(after)),
                Some(_) => true,
                None => makes_message(&readable(name)),
            }),
            // The last word before the alignment is where it goes.
            "store" => {
                matches!(stored(words).1.first(), Some(Token::Local(place)) if self.own.contains(place))
            }
            // These act elsewhere, or leave the function in another way than by panicking.
            operation => !matches!(operation, "ret" | "atomicrmw" | "cmpxchg" | "callbr" | "indirectbr" | "va_arg"),
        }
    }

    fn is_own(&self, place: Option<usize>) -> bool {
        place.is_some_and(|place| self.own.contains(&place))
    }
}

/// What a value may be, as far as the name of a type is concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// The name, or a part of it.
    Name,
    /// A pointer into a variable of the function, and how many bytes into it, if that is known.
    Pointer(usize, Option<u64>),
}

impl Value {
    /// Whether this is the name, or points into one of the variables that lead to it.
    fn leads_to(self, holders: &HashSet<usize>) -> bool {
        match self {
            Self::Name => true,
            Self::Pointer(variable, _) => holders.contains(&variable),
        }
    }
}

/// Where the name of a type goes in a function: into variables, and from there into which calls.
struct Flow<'f, 't> {
    function: &'f Function<'t>,
    values: HashMap<usize, BTreeSet<Value>>,
    /// What is in the variables, by variable and byte.
    cells: HashMap<(usize, Option<u64>), BTreeSet<Value>>,
}

impl<'f, 't> Flow<'f, 't> {
    fn new(function: &'f Function<'t>) -> Self {
        let mut flow = Self { function, values: HashMap::new(), cells: HashMap::new() };
        for &variable in &function.variables {
            flow.values.entry(variable).or_default().insert(Value::Pointer(variable, Some(0)));
        }
        let size = |flow: &Self| flow.values.values().chain(flow.cells.values()).map(BTreeSet::len).sum::<usize>();
        loop {
            let before = size(&flow);
            for words in flow.instructions() {
                flow.follow(words);
            }
            if size(&flow) == before {
                return flow;
            }
        }
    }

    fn instructions(&self) -> impl Iterator<Item = &'f Vec<Token<'t>>> + use<'f, 't> {
        self.function.blocks.iter().flatten()
    }

    /// All that the locals among `words` may be.
    fn all(&self, words: &[Token<'t>]) -> BTreeSet<Value> {
        let locals = words.iter().filter_map(|token| match token {
            Token::Local(value) => self.values.get(value),
            _ => None,
        });
        locals.flatten().copied().collect()
    }

    /// Goes one instruction further.
    fn follow(&mut self, words: &[Token<'t>]) {
        if let [Token::Word("store"), ..] = words {
            let (value, place) = stored(words);
            let value = self.all(value);
            for pointer in self.all(place) {
                if let Value::Pointer(variable, byte) = pointer {
                    self.cells.entry((variable, byte)).or_default().extend(&value);
                }
            }
            return;
        }
        if callee(words).is_some_and(|name| name.starts_with("llvm.mem")) {
            let mut pointers = words.iter().filter(|token| matches!(token, Token::Local(_)));
            let (to, from) = (pointers.next().copied(), pointers.next().copied());
            let moved = self.read(&self.all(from.as_slice()), true);
            for pointer in self.all(to.as_slice()) {
                if let Value::Pointer(variable, _) = pointer {
                    self.cells.entry((variable, None)).or_default().extend(&moved);
                }
            }
            return;
        }
        if callee(words).is_some_and(|name| is_part_of_message(&readable(name))) {
            // What is made of the name shows the name. It may be put into a variable that the call gets a pointer to.
            let handed = self.all(words.get(2..).unwrap_or_default());
            if self.lead_to_name(&handed) {
                if let [Token::Local(made), Token::Word("="), ..] = words {
                    self.values.entry(*made).or_default().insert(Value::Name);
                }
                for value in self.all(words) {
                    if let Value::Pointer(variable, _) = value {
                        self.cells.entry((variable, None)).or_default().insert(Value::Name);
                    }
                }
            }
            return;
        }
        let [Token::Local(made), Token::Word("="), Token::Word(operation), rest @ ..] = words else { return };
        let known = match *operation {
            "call" | "invoke" if callee(words).is_some_and(is_type_name) => BTreeSet::from([Value::Name]),
            // Other calls do not get the name, so they do not give it either.
            "call" | "invoke" => BTreeSet::new(),
            "load" => {
                let pointers = self.all(rest);
                let mut known = self.read(&pointers, false);
                // What is in the name is the name, too.
                known.extend(pointers.contains(&Value::Name).then_some(Value::Name));
                known
            }
            "getelementptr" => {
                let step = match rest {
                    [
                        ..,
                        Token::Word("i8"),
                        Token::Word(","),
                        Token::Word("ptr"),
                        _,
                        Token::Word(","),
                        Token::Word("i64"),
                        Token::Word(step),
                    ] => step.parse::<u64>().ok(),
                    _ => None,
                };
                let further = |value| match value {
                    Value::Pointer(variable, at) => Value::Pointer(variable, at.zip(step).map(|(at, step)| at + step)),
                    Value::Name => Value::Name,
                };
                self.all(rest).into_iter().map(further).collect()
            }
            _ => self.all(rest),
        };
        self.values.entry(*made).or_default().extend(known);
    }

    /// What is in the variables at the places that `pointers` point to. If `whole` is set, what is anywhere in these
    /// variables.
    fn read(&self, pointers: &BTreeSet<Value>, whole: bool) -> BTreeSet<Value> {
        let at = |pointer: &Value, (variable, byte): (usize, Option<u64>)| match *pointer {
            Value::Pointer(of, at) => of == variable && (whole || at.is_none() || byte.is_none() || at == byte),
            Value::Name => false,
        };
        let cells = self.cells.iter().filter(|(cell, _)| pointers.iter().any(|pointer| at(pointer, **cell)));
        cells.flat_map(|(_, known)| known).copied().collect()
    }

    /// Whether one of the values is the name or leads to it.
    fn lead_to_name(&self, values: &BTreeSet<Value>) -> bool {
        let holders = self.holders();
        values.iter().any(|value| value.leads_to(&holders))
    }

    /// The variables that lead to the name.
    fn holders(&self) -> HashSet<usize> {
        let mut holders: HashSet<usize> = HashSet::new();
        loop {
            let leads = |value: &Value| value.leads_to(&holders);
            let more: Vec<usize> = self
                .cells
                .iter()
                .filter(|(_, known)| known.iter().any(leads))
                .map(|((variable, _), _)| *variable)
                .collect();
            let before = holders.len();
            holders.extend(more);
            if holders.len() == before {
                return holders;
            }
        }
    }

    /// Whether the name, and what points to it, goes only into the message of a panic, and only as text.
    fn ends_in_messages(&self) -> bool {
        let holders = self.holders();
        let leads = |value: &Value| value.leads_to(&holders);
        self.instructions().all(|words| {
            let is_call = words.contains(&Token::Word("call")) || words.contains(&Token::Word("invoke"));
            let handed =
                if let [Token::Local(_), Token::Word("="), rest @ ..] = words.as_slice() { rest } else { words };
            let touched = self.all(handed).iter().any(leads);
            match (words.first(), callee(words)) {
                (Some(Token::Word("store")), _) => {
                    let (value, place) = stored(words);
                    !self.all(value).iter().any(leads) || !self.all(place).is_empty()
                }
                (Some(Token::Word("ret" | "resume")), _) => !touched,
                (_, Some(name)) => !touched || name.starts_with("llvm.") || takes_text(&readable(name)),
                (_, None) => !touched || !is_call && moves(handed),
            }
        })
    }
}

/// Whether a function makes an argument of a message from a text, makes a message from arguments, or panics with one.
fn takes_text(name: &str) -> bool {
    let of_text =
        ["display", "debug"].iter().any(|way| name == format!("<core::fmt::rt::Argument>::new_{way}::<&str>"));
    of_text || name.starts_with("<core::fmt::Arguments>::new") || name == "core::panicking::panic_fmt"
}

/// Whether a function makes a message or an argument of one.
fn is_part_of_message(name: &str) -> bool {
    name.starts_with("<core::fmt::rt::Argument>::new") || name.starts_with("<core::fmt::Arguments>::new")
}

/// Whether an instruction only moves what it gets. Any other could act on it.
fn moves(words: &[Token<'_>]) -> bool {
    matches!(words.first(), Some(Token::Word("load" | "getelementptr" | "insertvalue" | "extractvalue")))
}

/// What an instruction stores, and where: `store ptr %1, ptr %2, align 8`.
fn stored<'w, 't>(words: &'w [Token<'t>]) -> (&'w [Token<'t>], &'w [Token<'t>]) {
    let end = words.iter().position(|word| *word == Token::Word("align")).unwrap_or(words.len() + 1);
    words.get(..end.saturating_sub(1)).unwrap_or(words).split_at(end.saturating_sub(2).min(words.len()))
}

fn first_local(words: &[Token<'_>]) -> Option<usize> {
    words.iter().find_map(|token| match token {
        Token::Local(value) => Some(*value),
        _ => None,
    })
}

/// The function that an instruction calls by its name, which stands before its arguments.
fn callee<'t>(words: &[Token<'t>]) -> Option<&'t str> {
    words.windows(2).find_map(|pair| match pair {
        [Token::Symbol(name), Token::Word("(")] => Some(*name),
        _ => None,
    })
}

fn makes_message(name: &str) -> bool {
    [
        "core::any::type_name::<",
        "<core::fmt::rt::Argument>::new",
        "<core::fmt::Arguments>::",
        "core::ptr::drop_in_place",
    ]
    .iter()
    .any(|start| name.starts_with(start))
        || name == "core::panicking::panic_fmt"
}
