//! Compiled programs: the LLVM code of their crates, read as definitions and tokens.
//!
//! What is left out of a body is listed here and nowhere else, with the reason:
//! - comments, metadata (`!dbg`, `!range`, …) and attribute groups (`#3`): notes for the optimiser and the debugger;
//! - linkage and visibility (`internal`, `hidden`, …): how one file sees another, and a paste is one file;
//! - a function's own name at its head, which says nothing about what it does;
//! - that a constant without a name is aligned more strictly in the paste: its strictest user decides, and in a paste
//!   it has other users;
//! - the names of local values, labels and LLVM types: values and labels are numbered in order of appearance, and a
//!   type's definition stands in place of its name.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

/// One word of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token<'t> {
    /// An instruction, a type, a number, a string, a punctuation mark.
    Word(&'t str),
    /// A function, constant or static, by its name in the file.
    Symbol(&'t str),
    /// A local value or label, by its number in order of appearance.
    Local(usize),
    /// The end of an instruction.
    End,
}

impl<'t> Token<'t> {
    /// The name of a function, constant or static.
    pub(super) fn symbol(&self) -> Option<&'t str> {
        match self {
            Token::Symbol(name) => Some(name),
            _ => None,
        }
    }
}

/// A function, constant or static: its file and its name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol<'t> {
    module: usize,
    /// The name that the linker would see.
    pub name: &'t str,
}

/// What a name may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Code.
    Function,
    /// A constant, a static, a vtable.
    Data,
}

struct Definition<'t> {
    kind: Kind,
    text: &'t str,
}

impl<'t> Definition<'t> {
    /// The first words at its head. Those about linkage are among them.
    fn linkage(&self) -> impl Iterator<Item = &'t str> {
        let head = self.text.lines().next().unwrap_or_default();
        let words = match self.kind {
            Kind::Function => head.split('@').next(),
            Kind::Data => Some(content(head)),
        };
        words.unwrap_or_default().split(' ').take(4)
    }

    /// Whether this is a constant that has no name in the source.
    fn is_nameless_constant(&self) -> bool {
        let has = |wanted: &str| self.linkage().any(|word| word == wanted);
        self.kind == Kind::Data && !self.text.starts_with("@_R") && has("private") && has("constant")
    }

    /// The section of the program that it is put into, if it names one.
    fn section(&self) -> Option<&'t str> {
        let head = self.text.lines().next()?;
        let (_, section) = head.rsplit_once(" section \"")?;
        section.split('"').next()
    }

    /// How a constant is aligned, in bytes.
    fn alignment(&self) -> u64 {
        let head = self.text.lines().next().unwrap_or_default();
        let number = head.rsplit_once(", align ").map(|(_, number)| number.split(',').next().unwrap_or(number));
        number.and_then(|number| number.trim().parse().ok()).unwrap_or(1)
    }
}

#[derive(Default)]
struct Module<'t> {
    types: HashMap<&'t str, &'t str>,
    defined: HashMap<&'t str, Definition<'t>>,
    /// How functions that are not defined in this file are declared.
    declared: HashMap<&'t str, &'t str>,
    /// Groups of attributes by their number, with the `#`.
    attributes: HashMap<&'t str, &'t str>,
    /// The debugger's notes by their number.
    notes: HashMap<&'t str, &'t str>,
    /// What no body shows, so that it cannot be compared.
    unseen: BTreeSet<&'static str>,
}

/// All LLVM files of a program.
pub struct Code<'t> {
    modules: Vec<Module<'t>>,
    /// Where a name that other files can see is defined.
    visible: HashMap<&'t str, usize>,
    /// The names of the source files, as the compiler writes them into panics.
    files: &'t HashSet<String>,
    /// Whether such names end with a zero.
    zeros: bool,
    tokens: RefCell<HashMap<Symbol<'t>, Rc<Vec<Token<'t>>>>>,
}

/// Linkage, visibility and the like, at the head of a definition.
const LINKAGE: [&str; 14] = [
    "define",
    "private",
    "internal",
    "hidden",
    "protected",
    "dso_local",
    "external",
    "unnamed_addr",
    "local_unnamed_addr",
    "weak_odr",
    "linkonce_odr",
    "available_externally",
    "appending",
    "comdat",
];

/// Whether a name may be that of a function of C that LLVM knows. Few of them have an underscore inside.
fn may_be_of_c(name: &str) -> bool {
    // LLVM takes the name after this mark as it is.
    let name = name.strip_prefix("\\01").unwrap_or(name);
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let starts = ["_", "memset_pattern", "aligned_", "posix_", "vec_"].into_iter().any(|start| name.starts_with(start));
    let ends = ["_unlocked", "_r"].into_iter().any(|end| name.ends_with(end)) || name.contains("_num");
    !name.starts_with("_R") && (plain || starts || ends)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-')
}

/// The end of the word that starts at byte `from`: a quoted one, or one of name characters.
fn word_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    if bytes.get(from) == Some(&b'"') {
        return text[from + 1..].find('"').map_or(text.len(), |end| from + end + 2);
    }
    bytes[from..].iter().position(|&byte| !is_name(byte)).map_or(text.len(), |end| from + end)
}

fn unquoted(name: &str) -> &str {
    name.trim_matches('"')
}

/// What stands after the name of a constant or static: `@name = …`. The name may be quoted and have anything in it.
fn content(line: &str) -> &str {
    line.get(word_end(line, 1)..).and_then(|rest| rest.strip_prefix(" = ")).unwrap_or_default()
}

/// The first symbol that a line defines.
fn defined_name(line: &str) -> Option<&str> {
    let at = line.find('@')? + 1;
    Some(unquoted(&line[at..word_end(line, at)]))
}

impl<'t> Module<'t> {
    fn read(text: &'t str) -> Self {
        let mut module = Self::default();
        let mut place = 0;
        let mut function: Option<(usize, &'t str)> = None;
        for line in text.split_inclusive('\n') {
            let start = place;
            place += line.len();
            if let Some((from, name)) = function {
                if line.starts_with('}') {
                    module.defined.insert(name, Definition { kind: Kind::Function, text: &text[from..place] });
                    function = None;
                }
                continue;
            }
            match line.as_bytes().first() {
                Some(b'm') if line.starts_with("module asm ") => drop(module.unseen.insert("global_asm!")),
                Some(b'a') => {
                    if line.contains("\"no-builtins\"") {
                        module.unseen.insert("#![no_builtins]");
                    }
                    if let Some((number, group)) =
                        line.strip_prefix("attributes ").and_then(|line| line.split_once(" = "))
                    {
                        module.attributes.insert(number, group.trim_end());
                    }
                }
                Some(b'd') if line.starts_with("declare ") => {
                    if let Some(name) = defined_name(line) {
                        module.declared.insert(name, line.trim_end());
                    }
                }
                Some(b'd') if line.starts_with("define ") => function = defined_name(line).map(|name| (start, name)),
                Some(b'@') => {
                    let definition = Definition { kind: Kind::Data, text: line };
                    // What is `external` stands in another file.
                    let elsewhere = definition.linkage().any(|word| word.starts_with("extern"));
                    if let (Some(name), false) = (defined_name(line), elsewhere) {
                        module.defined.insert(name, definition);
                    }
                }
                Some(b'%') => {
                    if let Some((name, definition)) = line.split_once(" = type ") {
                        module.types.insert(unquoted(&name[1..]), definition.trim_end());
                    }
                }
                Some(b'!') => {
                    if let Some((name, note)) = line.split_once(" = ") {
                        module.notes.insert(name, note);
                    }
                }
                _ => {}
            }
        }
        module
    }

    /// The words of a definition.
    fn read_words(&self, definition: &Definition<'t>) -> Vec<Token<'t>> {
        let mut reader = Reader { module: self, tokens: Vec::new(), locals: HashMap::new(), described: HashSet::new() };
        let mut lines = definition.text.lines();
        if let Some(head) = lines.next() {
            let head = if definition.kind == Kind::Data { content(head) } else { head };
            let aligned = head.rsplit_once(", align ").filter(|_| definition.is_nameless_constant());
            let head = aligned.map_or(head, |(content, _)| content);
            reader.line(head, true);
        }
        for line in lines {
            if line.starts_with(' ') || line.starts_with('}') {
                reader.line(line, false);
            } else if let Some(end) = line.find(':').filter(|_| !line.starts_with(';')) {
                let label = reader.local(unquoted(&line[..end]));
                reader.tokens.extend([label, Token::Word(":"), Token::End]);
            }
        }
        reader.tokens
    }
}

struct Reader<'m, 't> {
    module: &'m Module<'t>,
    tokens: Vec<Token<'t>>,
    locals: HashMap<&'t str, usize>,
    /// The types whose definition is among the tokens.
    described: HashSet<&'t str>,
}

impl<'t> Reader<'_, 't> {
    fn local(&mut self, name: &'t str) -> Token<'t> {
        let next = self.locals.len();
        Token::Local(*self.locals.entry(name).or_insert(next))
    }

    fn line(&mut self, line: &'t str, head: bool) {
        // `#dbg_declare(…)` is a line of its own for the debugger.
        if line.trim_start().starts_with("#dbg_") {
            return;
        }
        let bytes = line.as_bytes();
        let mut at = 0;
        let mut named = false;
        while at < bytes.len() {
            match bytes[at] {
                b' ' | b'\t' => at += 1,
                b';' => break,
                b'@' => {
                    let end = word_end(line, at + 1);
                    let name = unquoted(&line[at + 1..end]);
                    // The first name in the head is the function's own.
                    if !(head && line.starts_with("define ") && !named) {
                        self.tokens.push(Token::Symbol(name));
                    }
                    named = true;
                    at = end;
                }
                b'%' => {
                    let end = word_end(line, at + 1);
                    let name = unquoted(&line[at + 1..end]);
                    match self.module.types.get(name) {
                        // Compilers before 1.70 have pointers to types, so a type may hold itself.
                        Some(definition) if definition.contains('*') && !self.described.insert(name) => {
                            self.tokens.push(Token::Word(name));
                        }
                        Some(definition) => {
                            self.line(definition, false);
                            self.tokens.pop();
                        }
                        None => {
                            let token = self.local(name);
                            self.tokens.push(token);
                        }
                    }
                    at = end;
                }
                // `, !dbg !7`: the comma before it goes, too.
                b'!' => {
                    if self.tokens.last() == Some(&Token::Word(",")) {
                        self.tokens.pop();
                    }
                    at = word_end(line, at + 1).max(at + 1);
                    let rest = &line[at..];
                    let blank = rest.len() - rest.trim_start().len();
                    if rest.trim_start().starts_with('!') {
                        at = word_end(line, at + blank + 1);
                    }
                }
                b'#' => at = word_end(line, at + 1),
                b'"' => {
                    let end = word_end(line, at);
                    self.tokens.push(Token::Word(&line[at..end]));
                    at = end;
                }
                b'c' if bytes.get(at + 1) == Some(&b'"') => {
                    let end = word_end(line, at + 1);
                    self.tokens.push(Token::Word(&line[at..end]));
                    at = end;
                }
                byte if is_name(byte) => {
                    let mut end = word_end(line, at);
                    // `2.000000e+01` is one word, and so is `-2.000000e+01`.
                    let is_number =
                        line[at..].trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit());
                    if is_number && line[..end].ends_with('e') && bytes.get(end) == Some(&b'+') {
                        end = word_end(line, end + 1);
                    }
                    let word = &line[at..end];
                    if !(head && LINKAGE.contains(&word)) {
                        self.tokens.push(Token::Word(word));
                    }
                    at = end;
                }
                _ => {
                    self.tokens.push(Token::Word(&line[at..=at]));
                    at += 1;
                }
            }
        }
        self.tokens.push(Token::End);
    }
}

impl<'t> Code<'t> {
    /// Reads the LLVM code of a program's crates. `files` are the names of their source files.
    pub fn read(texts: impl IntoIterator<Item = &'t str>, files: &'t HashSet<String>) -> Self {
        let mut zeros = false;
        let read = |text: &'t str| {
            zeros |= text.contains(".rs\\00\"") || version(text) >= ENDS_WITH_ZERO;
            Module::read(text)
        };
        let modules: Vec<Module<'t>> = texts.into_iter().map(read).collect();
        let mut visible = HashMap::new();
        for (index, module) in modules.iter().enumerate() {
            for (&name, definition) in &module.defined {
                let inside = definition.linkage().any(|word| word == "private" || word == "internal");
                if !inside {
                    visible.entry(name).or_insert(index);
                }
            }
        }
        Self { modules, visible, files, zeros, tokens: RefCell::default() }
    }

    /// What `name` means to `user`; nothing if it is defined outside of the program, as the standard library is.
    #[must_use]
    pub fn resolve(&self, user: Symbol<'t>, name: &'t str) -> Option<Symbol<'t>> {
        if self.modules[user.module].defined.contains_key(name) {
            return Some(Symbol { module: user.module, name });
        }
        self.visible.get(name).map(|&module| Symbol { module, name })
    }

    /// How a function of another language is declared in the file of `user`, with its attributes.
    #[must_use]
    pub fn declaration(&self, user: Symbol<'t>, name: &str) -> Option<Vec<&'t str>> {
        let module = &self.modules[user.module];
        // `rust_eh_personality` is in every Rust program, but a crate without the standard library knows less of it.
        let foreign = !name.starts_with("_R") && !name.starts_with("llvm.") && name != "rust_eh_personality";
        let line = module.declared.get(name).filter(|_| foreign)?;
        Some(line.split(' ').map(|word| module.attributes.get(word).copied().unwrap_or(word)).collect())
    }

    /// Whether the program has this symbol, which may come from the same paste in another edition.
    #[must_use]
    pub fn has(&self, symbol: Symbol<'_>) -> bool {
        self.modules.get(symbol.module).is_some_and(|module| module.defined.contains_key(symbol.name))
    }

    /// Whether a symbol has a name that comes from the source or that other files can see. Other names are only numbers
    /// within one file.
    #[must_use]
    pub fn is_named(&self, symbol: Symbol<'_>) -> bool {
        symbol.name.starts_with("_R") || self.visible.contains_key(symbol.name)
    }

    /// A function that the program defines and that may have the name of a function of C. The compiler knows what these
    /// do, and it may call them where the program does not name them.
    #[must_use]
    pub fn named_like_c(&self) -> Option<&'t str> {
        let is_function = |name: &str, at: usize| self.modules[at].defined[name].kind == Kind::Function;
        let functions = self.visible.iter().filter(|&(&name, &at)| name != "main" && is_function(name, at));
        functions.map(|(&name, _)| name).filter(|name| may_be_of_c(name)).min()
    }

    /// What is in the program and in no body.
    pub fn unseen(&self) -> impl Iterator<Item = &'static str> {
        self.modules.iter().flat_map(|module| module.unseen.iter().copied())
    }

    /// How a constant is aligned, in bytes.
    #[must_use]
    pub fn alignment(&self, symbol: Symbol<'t>) -> u64 {
        self.modules[symbol.module].defined[symbol.name].alignment()
    }

    /// The section of the program that a function or static is put into, if it names one.
    #[must_use]
    pub fn section(&self, symbol: Symbol<'t>) -> Option<&'t str> {
        self.modules[symbol.module].defined[symbol.name].section()
    }

    /// The functions and statics that name a section, where the linker or the system may look for them.
    pub fn placed(&self) -> impl Iterator<Item = Symbol<'t>> + '_ {
        let numbered = self.modules.iter().enumerate();
        numbered.flat_map(|(module, known)| {
            let placed = known.defined.iter().filter(|(name, definition)| {
                definition.section().is_some() && !name.starts_with("__rustc_debug_") && !name.starts_with("llvm.")
            });
            placed.map(move |(&name, _)| Symbol { module, name })
        })
    }

    /// Whether a symbol is code or data.
    #[must_use]
    pub fn kind(&self, symbol: Symbol<'t>) -> Kind {
        self.modules[symbol.module].defined[symbol.name].kind
    }

    /// The body of a function or the content of a constant, word by word.
    #[must_use]
    pub fn tokens(&self, symbol: Symbol<'t>) -> Rc<Vec<Token<'t>>> {
        if let Some(known) = self.tokens.borrow().get(&symbol) {
            return Rc::clone(known);
        }
        let module = &self.modules[symbol.module];
        let tokens = Rc::new(module.read_words(&module.defined[symbol.name]));
        self.tokens.borrow_mut().insert(symbol, Rc::clone(&tokens));
        tokens
    }

    /// Where a program starts: `main`, what other languages could call, the allocator, and what `#[used]` asks for.
    ///
    /// What is `#[used]` is sorted by its readable name, and goes by its place in that order; all else goes by its
    /// name.
    #[must_use]
    pub fn roots(&self) -> (BTreeMap<&'t str, Symbol<'t>>, Vec<Symbol<'t>>) {
        let mut named = BTreeMap::new();
        let mut used = Vec::new();
        for (&name, &module) in &self.visible {
            let symbol = Symbol { module, name };
            // A program may export a name that only starts like a mangled one.
            let mangled = name.starts_with("_R") && rustc_demangle::try_demangle(name).is_ok();
            let plain = !mangled && !name.starts_with("llvm.") && !name.starts_with("__rustc_debug_");
            if plain || name.contains("7___rustc") {
                named.insert(name, symbol);
            }
        }
        for (module, known) in self.modules.iter().enumerate() {
            for list in ["llvm.used", "llvm.compiler.used"] {
                if let Some((&name, _)) = known.defined.get_key_value(list) {
                    let list = Symbol { module, name };
                    used.extend(self.tokens(list).iter().filter_map(|token| self.resolve(list, token.symbol()?)));
                }
            }
        }
        used.retain(|symbol| !named.contains_key(symbol.name));
        used.sort_by_key(|symbol| {
            let name = readable(symbol.name);
            // In a paste, the program's own name stands before all others. Cargo's build has it in the first file only.
            let rest = name.split_once("::").filter(|_| symbol.module == 0).map(|(_, rest)| rest.to_owned());
            rest.unwrap_or(name)
        });
        used.dedup();
        (named, used)
    }

    /// All that the program's roots reach.
    #[must_use]
    pub fn reached(&self) -> HashSet<Symbol<'t>> {
        let (named, used) = self.roots();
        let mut reached = HashSet::new();
        let mut queue: Vec<Symbol<'t>> = named.into_values().chain(used).collect();
        while let Some(symbol) = queue.pop() {
            if reached.insert(symbol) {
                queue.extend(self.tokens(symbol).iter().filter_map(|token| self.resolve(symbol, token.symbol()?)));
            }
        }
        reached
    }

    /// Whether a constant that the program reaches has `words` in it. Names of source files do not count.
    #[must_use]
    pub fn says(&self, words: &str) -> bool {
        let is_file = |text: &str| self.files.contains(text.trim_end_matches('\0'));
        let data = self.reached().into_iter().filter(|&symbol| self.kind(symbol) == Kind::Data);
        data.filter_map(|symbol| self.string(symbol)).any(|text| text.contains(words) && !is_file(&text))
    }

    /// Whether the program calls a function on floats whose last digits are left open, and which LLVM knows by its
    /// name.
    #[must_use]
    pub fn is_inexact(&self) -> bool {
        let is_open = |name: &str| {
            let name = name.strip_prefix("llvm.").map_or(name, |rest| rest.split('.').next().unwrap_or(rest));
            INEXACT.contains(&name.strip_suffix('f').unwrap_or(name))
        };
        let asks = |token: &Token<'_>| matches!(token, Token::Symbol(name) if is_open(name));
        self.reached().into_iter().any(|symbol| self.tokens(symbol).iter().any(asks))
    }

    /// The first function on floats that the program calls and that tells one NaN from another.
    #[must_use]
    pub fn shows_sign_of_nan(&self) -> Option<&'static str> {
        let shown = |symbol: Symbol<'t>| {
            let name = readable(symbol.name);
            let name = name.strip_prefix("<f64>::").or_else(|| name.strip_prefix("<f32>::"))?;
            SIGN_OF_NAN.into_iter().find(|known| *known == name)
        };
        self.reached().into_iter().filter_map(shown).min()
    }

    /// The source file and line of a function, as the debugger would show it.
    #[must_use]
    pub fn place(&self, symbol: Symbol<'t>) -> Option<(PathBuf, usize)> {
        let module = &self.modules[symbol.module];
        let definition = &module.defined[symbol.name];
        let head = definition.text.lines().next()?;
        let (_, note) = head.rsplit_once("!dbg ")?;
        let note = module.notes.get(note.split(' ').next()?)?;
        let field = |note: &'t str, name: &str| note.split(name).nth(1)?.split([',', ')']).next();
        let line = field(note, " line: ")?.parse().ok()?;
        let file = module.notes.get(field(note, " file: ")?)?;
        let quoted = |name: &str| file.split(name).nth(1)?.split('"').nth(1).map(unescaped);
        Some((PathBuf::from(quoted("directory: ")?).join(quoted("filename: ")?), line))
    }

    /// Whether a constant is the place of a panic: a file of the program, its line and its column.
    #[must_use]
    pub fn is_location(&self, symbol: Symbol<'t>) -> bool {
        self.file_of_location(symbol).is_some()
    }

    /// The name of the file in the place of a panic, if this constant is one.
    #[must_use]
    pub fn file_of_location(&self, symbol: Symbol<'t>) -> Option<String> {
        let tokens = self.tokens(symbol);
        let mut symbols = tokens.iter().filter_map(Token::symbol);
        let (Some(file), None) = (symbols.next(), symbols.next()) else { return None };
        // A static of the program may look the same.
        if symbol.name.starts_with("_R") {
            return None;
        }
        let shape = self.modules[symbol.module].defined[symbol.name].text;
        let shaped = ["constant <{ ptr, [16 x i8] }> <{ ptr @", "constant <{ ptr, [12 x i8] }> <{ ptr @"];
        if !shaped.iter().any(|shaped| shape.contains(shaped)) {
            return None;
        }
        let file = self.resolve(symbol, file)?;
        // Newer compilers end the name of the file with a zero, which no string of the program has by chance.
        let known = |text: &String| match text.strip_suffix('\0') {
            Some(name) => self.files.contains(name),
            None => !self.zeros && self.files.contains(text),
        };
        self.string(file).filter(known)
    }

    /// The identity of a type, if this constant is one: two numbers in the place of pointers.
    #[must_use]
    pub fn type_id(&self, symbol: Symbol<'t>) -> Option<(&'t str, &'t str)> {
        let text = self.modules[symbol.module].defined[symbol.name].text;
        let (_, content) = text.split_once("constant <{ ptr, ptr }> <{ ptr inttoptr (i64 ")?;
        let (one, rest) = content.split_once(" to ptr), ptr inttoptr (i64 ")?;
        Some((one, rest.split_once(" to ptr) }>")?.0))
    }

    /// The text of a constant, if it is one string.
    fn string(&self, symbol: Symbol<'t>) -> Option<String> {
        let tokens = self.tokens(symbol);
        let mut strings = tokens.iter().filter_map(|token| match token {
            Token::Word(word) => word.strip_prefix("c\""),
            _ => None,
        });
        match (strings.next(), strings.next()) {
            (Some(text), None) => Some(unescaped(text.trim_end_matches('"'))),
            _ => None,
        }
    }
}

/// Functions on floats that tell one NaN from another.
const SIGN_OF_NAN: [&str; 7] =
    ["copysign", "is_sign_negative", "is_sign_positive", "to_be_bytes", "to_bits", "to_le_bytes", "total_cmp"];

/// Functions on floats, by their names in LLVM and in C. In C there is also one with an `f` at the end, for `f32`.
const INEXACT: [&str; 26] = [
    "powi", "pow", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "hypot", "tgamma",
];

/// From this release on, the file name in a place surely ends with a zero.
const ENDS_WITH_ZERO: u32 = 90;

/// The second number of the release that made a file: 95 for 1.95.0.
fn version(text: &str) -> u32 {
    let number = text.split_once("!\"rustc version 1.").and_then(|(_, rest)| rest.split('.').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// `\5C` and the like as the bytes they stand for.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let code = tail.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) if byte == b'\\' => {
                bytes.push(code);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A symbol as a person would write it, without the numbers of crates.
#[must_use]
pub fn readable(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

/// The type, and the trait with all that follows it, of a readable name such as `<Type as Trait>::method`.
#[must_use]
pub fn parts_of_impl(name: &str) -> Option<(&str, &str)> {
    let inside = name.strip_prefix('<')?;
    let mut depth = 0_usize;
    for (at, letter) in inside.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if !inside[..at].ends_with('-') => depth = depth.checked_sub(1)?,
            ' ' if depth == 0 => {
                if let Some(rest) = inside[at..].strip_prefix(" as ") {
                    return Some((&inside[..at], rest));
                }
            }
            _ => {}
        }
    }
    None
}
