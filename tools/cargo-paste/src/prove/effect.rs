//! What an edition may change in a body without changing what it does: a short closed list.
//!
//! Bodies are compared block by block in the order in which they are reached, since the compiler numbers blocks anew
//! when one is gone.

use std::collections::{HashMap, HashSet};

use super::Compiled;
use super::llvm::{Code, Kind, Symbol, Token, readable};
use crate::rustc::Edition;

/// Why a body may differ between two editions and still do the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// A closure captures whole variables below 2021 and parts of them from then on. Nothing else differs, which is
    /// shown with the changed copy that [`super::captures`] makes. The same calls, branches and arithmetic come in the
    /// same order. Offsets into variables are not compared, since closures have other sizes. The compiler's own lint
    /// says that nothing else depends on the captures. And no closure makes raw pointers.
    Captures,
    /// A panic with a fixed message is entered through another function below 2021, and through a third one in a crate
    /// without the standard library. All else is the same.
    PanicEntry,
}

/// The effect that makes `function` differ between two editions of one paste; nothing if the difference is not on the
/// list. `all` is the paste in every edition in which it was compiled.
pub(super) fn between<'t>(
    one: Compiled<'_, 't>,
    other: Compiled<'_, 't>,
    all: &[Compiled<'_, 't>],
    function: Symbol<'t>,
) -> Option<Effect> {
    if same_in(one.code, other.code, function) {
        return Some(Effect::PanicEntry);
    }
    let (old, new) = if one.edition < other.edition { (one, other) } else { (other, one) };
    if old.edition >= Edition::E2021 || new.edition < Edition::E2021 {
        return None;
    }
    // 2015 and 2024 have effects of other kinds. So the body in 2015 has to be that of 2018, and in 2024 that of 2021.
    let find = |edition| all.iter().find(|compiled| compiled.edition == edition);
    let (in_2018, in_2021) = (find(Edition::E2018)?, find(Edition::E2021)?);
    let as_in = |one: Compiled<'_, 't>, known: &Compiled<'_, 't>| {
        one.edition == known.edition || same_in(one.code, known.code, function)
    };
    let only_captures = as_in(old, in_2018)
        && as_in(new, in_2021)
        && old.captures_harmless
        && same_in(in_2018.whole?, in_2021.whole?, function)
        && skeleton(old.code, function) == skeleton(new.code, function);
    only_captures.then_some(Effect::Captures)
}

/// Whether a function is the same in both, but for the entries of panics.
fn same_in<'t>(one: &Code<'t>, other: &Code<'t>, function: Symbol<'t>) -> bool {
    one.has(function) && other.has(function) && spelled(one, function) == spelled(other, function)
}

type Instruction<'t> = Vec<Token<'t>>;

/// The instructions of a function, its blocks in the order in which they are reached.
fn body<'t>(code: &Code<'t>, function: Symbol<'t>) -> Vec<Instruction<'t>> {
    let tokens = code.tokens(function);
    let mut blocks: Vec<Vec<Instruction<'t>>> = vec![Vec::new()];
    let mut labels: HashMap<usize, usize> = HashMap::new();
    let lines = tokens.split(|token| *token == Token::End);
    for words in lines.filter(|words| !words.is_empty() && *words != [Token::Word("}")]) {
        if let [Token::Local(label), Token::Word(":")] = words {
            labels.insert(*label, blocks.len());
            blocks.push(Vec::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push(words.to_vec());
        }
    }
    let mut order = Vec::new();
    let mut seen: HashSet<usize> = HashSet::new();
    // The head comes first, then the block where the function starts.
    let mut stack = vec![1, 0];
    while let Some(at) = stack.pop() {
        if at >= blocks.len() || !seen.insert(at) {
            continue;
        }
        order.push(at);
        let words = blocks[at].iter().flat_map(|words| words.windows(2));
        let next: Vec<usize> = words
            .filter_map(|pair| match pair {
                [Token::Word("label"), Token::Local(label)] => labels.get(label).copied(),
                _ => None,
            })
            .collect();
        stack.extend(next.into_iter().rev());
    }
    order.into_iter().flat_map(|at| std::mem::take(&mut blocks[at])).collect()
}

/// How a call takes part in a panic.
enum Panic {
    /// `panic_fmt(message, place)`, whose message was made by the call before it.
    Formatted,
    /// `begin_panic(message, place)` or `core::panicking::panic(message, place)`.
    Literal,
    /// The making of a fixed message.
    Message,
}

fn panic_entry(words: &[Token<'_>]) -> Option<Panic> {
    let callee = words.iter().find_map(Token::symbol).map(readable)?;
    match callee.as_str() {
        "core::panicking::panic_fmt" => Some(Panic::Formatted),
        "std::panicking::begin_panic::<&str>" | "core::panicking::panic" => Some(Panic::Literal),
        "<core::fmt::Arguments>::from_str" => Some(Panic::Message),
        _ => None,
    }
}

/// What a call hands over: the last word of each argument.
fn arguments<'t>(words: &[Token<'t>]) -> Vec<Token<'t>> {
    let callee = words.iter().position(|token| matches!(token, Token::Symbol(_)));
    let Some([Token::Word("("), handed @ ..]) = callee.map(|callee| &words[callee + 1..]) else { return Vec::new() };
    let end = handed.iter().rposition(|token| *token == Token::Word(")")).unwrap_or(handed.len());
    handed[..end].split(|token| *token == Token::Word(",")).filter_map(|argument| argument.last().copied()).collect()
}

/// A fixed message on its way into a panic.
struct Message<'t> {
    /// Where it was made.
    from: usize,
    /// What it says, and how long that is.
    text: [Token<'t>; 2],
    /// The values that it is in, whole or in parts.
    values: Vec<Token<'t>>,
}

/// The instructions, with each panic with a fixed message as one instruction. It has the message, its length, and the
/// place, which the caller may have handed over.
fn with_plain_panics<'t>(body: &[Instruction<'t>]) -> Vec<Instruction<'t>> {
    let as_one = |text: [Token<'t>; 2], place: Token<'t>| vec![Token::Word("panic"), text[0], text[1], place];
    let mut out: Vec<Instruction<'t>> = Vec::new();
    let mut message: Option<Message<'t>> = None;
    for words in body {
        let pending = message.take();
        match (panic_entry(words), pending, arguments(words).as_slice()) {
            (Some(Panic::Message), _, &[text @ Token::Symbol(_), length @ Token::Word(_)]) => {
                message = Some(Message { from: out.len(), text: [text, length], values: words[..1].to_vec() });
            }
            (Some(Panic::Formatted), Some(message), &[ref values @ .., place])
                if values.iter().all(|value| message.values.contains(value)) =>
            {
                out.truncate(message.from);
                out.push(as_one(message.text, place));
                continue;
            }
            (Some(Panic::Literal), _, &[text @ Token::Symbol(_), length @ Token::Word(_), place]) => {
                out.push(as_one([text, length], place));
                continue;
            }
            (None, Some(mut pending), _) => {
                // Between the two calls, the message is only taken apart. If something has to be dropped when the first
                // one fails, a new block begins after it.
                message = match words.as_slice() {
                    [Token::Local(_), Token::Word(":")] | [Token::Word("to"), ..] => Some(pending),
                    [part, Token::Word("="), Token::Word("extractvalue"), rest @ ..]
                        if rest.iter().any(|token| pending.values.contains(token)) =>
                    {
                        pending.values.push(*part);
                        Some(pending)
                    }
                    _ => None,
                };
            }
            _ => {}
        }
        out.push(words.clone());
    }
    out
}

/// A body with every panic with a fixed message as one instruction, word by word.
pub(super) fn plain_panics<'t>(code: &Code<'t>, function: Symbol<'t>) -> Vec<Token<'t>> {
    let mut locals: HashMap<usize, usize> = HashMap::new();
    let instructions = with_plain_panics(&body(code, function));
    let words = instructions.into_iter().flat_map(|words| words.into_iter().chain([Token::End]));
    words
        .map(|token| match token {
            Token::Local(number) => {
                let next = locals.len();
                Token::Local(*locals.entry(number).or_insert(next))
            }
            other => other,
        })
        .collect()
}

/// The instructions as text: locals numbered anew, the content of constants in place of their names.
fn spelled<'t>(code: &Code<'t>, function: Symbol<'t>) -> Vec<Vec<String>> {
    let mut locals: HashMap<usize, usize> = HashMap::new();
    let mut word = |token: &Token<'t>| match token {
        Token::Local(number) => {
            let next = locals.len();
            format!("%{}", locals.entry(*number).or_insert(next))
        }
        other => spell(code, function, *other, &mut Vec::new()),
    };
    let body = with_plain_panics(&body(code, function));
    body.iter().map(|words| words.iter().map(&mut word).collect()).collect()
}

fn spell<'t>(code: &Code<'t>, user: Symbol<'t>, token: Token<'t>, around: &mut Vec<Symbol<'t>>) -> String {
    match token {
        Token::Word(word) => word.to_owned(),
        Token::Local(number) => format!("%{number}"),
        Token::End => String::new(),
        Token::Symbol(name) => match code.resolve(user, name) {
            // Data that only one file sees has a name that means nothing.
            Some(data) if code.kind(data) == Kind::Data && !code.is_named(data) && !around.contains(&data) => {
                if code.is_location(data) {
                    return "@place".to_owned();
                }
                around.push(data);
                let words: Vec<String> =
                    code.tokens(data).iter().map(|&token| spell(code, data, token, around)).collect();
                around.pop();
                format!("@({} aligned {})", words.join(" "), code.alignment(data))
            }
            Some(_) => format!("@{name}"),
            // A foreign function is declared in some way, which no body shows.
            None => format!("@{name} {}", code.declaration(user, name).unwrap_or_default().join(" ")),
        },
    }
}

/// What a body does, without where it keeps its values: calls, branches, arithmetic, and the constants in them.
fn skeleton<'t>(code: &Code<'t>, function: Symbol<'t>) -> Vec<Vec<String>> {
    spelled(code, function).into_iter().skip(1).filter_map(|words| bone(&words)).collect()
}

fn bone(words: &[String]) -> Option<Vec<String>> {
    let operation = words.iter().find(|word| !word.starts_with('%') && *word != "=")?;
    let symbols = words.iter().filter(|word| word.starts_with('@'));
    let values = (0..words.len()).filter(|&at| is_value(words, at)).map(|at| &words[at]);
    let moves = words.iter().any(|word| word.starts_with("@llvm.memcpy") || word.starts_with("@llvm.lifetime"));
    let some = |kept: Vec<String>| (!kept.is_empty()).then_some(kept);
    match operation.as_str() {
        _ if moves => some(symbols.filter(|name| !name.starts_with("@llvm.")).cloned().collect()),
        // The program works out the place of an element of an array, perhaps from the size of a closure.
        "getelementptr" if is_in_array(words) => some(symbols.chain(values).cloned().collect()),
        "load" | "alloca" | "getelementptr" | "extractvalue" | "bitcast" | "ptrtoint" | "inttoptr" => {
            some(symbols.cloned().collect())
        }
        "store" | "insertvalue" => some(symbols.chain(values).cloned().collect()),
        "call" | "invoke" | "br" | "switch" | "ret" => {
            Some(std::iter::once(operation).chain(symbols).chain(values).cloned().collect())
        }
        _ => Some(words.iter().filter(|word| !word.starts_with('%')).cloned().collect()),
    }
}

/// Whether a `getelementptr` is about an element of an array. Parts of other types are found by an offset in
/// bytes, of type `i8`, and without `nuw`. Older compilers never write `nuw`.
fn is_in_array(words: &[String]) -> bool {
    if words.iter().any(|word| word == "nuw") {
        return true;
    }
    let comma = words.iter().position(|word| word == ",");
    let kind = comma.and_then(|comma| words.get(comma.checked_sub(1)?));
    kind.is_some_and(|kind| {
        let number = kind.strip_prefix('i').is_some_and(|bits| bits != "8" && bits.parse::<u32>().is_ok());
        number || matches!(kind.as_str(), "ptr" | "float" | "double" | "]")
    })
}

/// Whether word `at` is a value, and not a part of a type or of a note such as `align 8`.
fn is_value(words: &[String], at: usize) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = words[at].trim_start_matches('-');
    if digits(word) {
        // A whole number comes after its type. Between the two there may be words on how it is handed over.
        let before = words[..at].iter().rev().find(|word| !matches!(word.as_str(), "zeroext" | "signext" | "noundef"));
        return before.is_some_and(|kind| kind.strip_prefix('i').is_some_and(digits));
    }
    // All other values are known by how they look.
    matches!(word, "true" | "false" | "null") || word.starts_with(|first: char| first.is_ascii_digit())
}
