//! Names of types that only the message of a panic shows.
//!
//! `type_name` gives another name in a paste, where a crate is a module. proconio puts such a name into the message for
//! input that cannot be read. What a panic prints on stderr is not compared, so there the name may differ. But it must
//! go nowhere else: after the call of `type_name`, the function only makes the message and panics.

use std::collections::{HashMap, HashSet};

use super::llvm::{Code, Kind, Symbol, Token, readable};

/// The instance of `type_name` for one type.
pub(super) fn is_type_name(name: &str) -> bool {
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

/// Whether all functions that ask for the name of a type put it into the message of a panic and do nothing else with it.
pub(super) fn has_only_names_in_panics(code: &Code<'_>) -> bool {
    let asks = |token: &Token<'_>| matches!(token, Token::Symbol(name) if is_type_name(name));
    let mut asking = code.reached().into_iter().filter(|&symbol| code.tokens(symbol).iter().any(asks));
    asking.all(|symbol| code.kind(symbol) == Kind::Function && Function::new(code, symbol).only_panics())
}

struct Function<'t> {
    /// The instructions of each block.
    blocks: Vec<Vec<Vec<Token<'t>>>>,
    labels: HashMap<usize, usize>,
    /// Values that point to the function's own variables.
    own: HashSet<usize>,
}

impl<'t> Function<'t> {
    fn new(code: &Code<'t>, function: Symbol<'t>) -> Self {
        let mut made = Self { blocks: vec![Vec::new()], labels: HashMap::new(), own: HashSet::new() };
        // The head is no instruction.
        for words in code.tokens(function).split(|token| *token == Token::End).skip(1) {
            match words {
                [Token::Local(label), Token::Word(":")] => {
                    made.labels.insert(*label, made.blocks.len());
                    made.blocks.push(Vec::new());
                }
                [Token::Local(value), Token::Word("="), Token::Word("alloca"), ..] => drop(made.own.insert(*value)),
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
                let end = words.iter().position(|word| *word == Token::Word("align")).unwrap_or(words.len() + 1);
                matches!(words.get(end.wrapping_sub(2)), Some(Token::Local(place)) if self.own.contains(place))
            }
            // Not what has an effect elsewhere, or leaves the function in another way than by panicking.
            operation => !matches!(operation, "ret" | "atomicrmw" | "cmpxchg" | "callbr" | "indirectbr" | "va_arg"),
        }
    }

    fn is_own(&self, place: Option<usize>) -> bool {
        place.is_some_and(|place| self.own.contains(&place))
    }
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
