//! What procedural macros produce, written down while cargo builds.
//!
//! A procedural macro is compiled from a copy of its package in which every exported function also writes down where it
//! was called, with what, and what came of it. Nothing else in its code changes, and if the copy does not compile, the
//! package itself is taken. This works on stable compilers from 1.88 on, which can tell the place of a call.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result};
use proc_macro2::Delimiter;

use crate::text::{Edits, Kind as TokenKind, Tokens};

/// The variable that names the file in which a crate's expansions are written down.
pub const VARIABLE: &str = "CARGO_PASTE_EXPANSIONS";

/// A larger file is no source of a procedural macro.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// What stands at the end of the copy's root file.
pub const RECORDER: &str = r#"
#[allow(warnings)]
mod cargo_paste_record {
    extern crate proc_macro;
    extern crate std;
    use self::std::io::Write as _;
    use self::std::prelude::v1::*;
    pub use self::proc_macro::TokenStream;

    fn field(line: &mut String, text: &str) {
        for letter in text.chars() {
            match letter {
                '\\' => line.push_str("\\\\"),
                '\n' => line.push_str("\\n"),
                '\r' => line.push_str("\\r"),
                '\t' => line.push_str("\\t"),
                _ => line.push(letter),
            }
        }
        line.push('\t');
    }

    pub fn record(kind: &str, name: &str, input: &str, output: &TokenStream) {
        let path = match self::std::env::var_os("CARGO_PASTE_EXPANSIONS") {
            Some(path) => path,
            None => return,
        };
        let place = self::proc_macro::Span::call_site();
        let file = match place.local_file() {
            Some(file) => file.to_string_lossy().into_owned(),
            None => place.file(),
        };
        let mut line = String::new();
        field(&mut line, kind);
        field(&mut line, name);
        field(&mut line, &file);
        field(&mut line, &place.line().to_string());
        field(&mut line, &place.column().to_string());
        field(&mut line, input);
        field(&mut line, &output.to_string());
        line.push('\n');
        let file = self::std::fs::OpenOptions::new().create(true).append(true).open(path);
        if let Ok(mut file) = file {
            let _ = file.write_all(line.as_bytes());
        }
    }
}
"#;

/// What kind of procedural macro something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Called as `name!(…)`.
    Call,
    /// Written as `#[name]`.
    Attribute,
    /// Written as `#[derive(Name)]`.
    Derive,
}

impl Kind {
    /// Each kind, its attribute, and how the recorder writes it down.
    const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Call, "proc_macro", "call"),
        (Self::Attribute, "proc_macro_attribute", "attribute"),
        (Self::Derive, "proc_macro_derive", "derive"),
    ];
}

/// One use of a procedural macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// What kind of macro it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// The attributes that a derive reads.
    pub helpers: Vec<String>,
    /// The file it is used in.
    pub file: PathBuf,
    /// The line of its use, from 1 on.
    pub line: usize,
    /// The letter in that line, from 1 on.
    pub column: usize,
    /// What it was given.
    pub input: String,
    /// What it made of that.
    pub output: String,
}

impl Expansion {
    /// How it is written in the source.
    #[must_use]
    pub fn shown(&self) -> String {
        match self.kind {
            Kind::Call => format!("{}!", self.name),
            Kind::Attribute => format!("#[{}]", self.name),
            Kind::Derive => format!("#[derive({})]", self.name),
        }
    }
}

/// The file beside a crate's other outputs that its expansions are written to.
#[must_use]
pub fn file(folder: &Path, stem: &str) -> PathBuf {
    folder.join(format!("{stem}.expansions"))
}

/// Reads what was written down while the compiler ran in `folder`.
#[must_use]
pub fn read(text: &str, folder: &Path) -> Vec<Expansion> {
    text.lines().filter_map(|line| read_line(line, folder)).collect()
}

fn read_line(line: &str, folder: &Path) -> Option<Expansion> {
    let fields: Vec<String> = line.split('\t').map(unescape).collect();
    let [kind, name, file, line, column, input, output, _] = fields.as_slice() else {
        return None;
    };
    let (kind, ..) = Kind::ALL.into_iter().find(|(_, _, word)| word == kind)?;
    // A derive is noted with its helpers: `Error, attributes(error, source)`.
    let mut words =
        name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '#')).filter(|word| !word.is_empty());
    let name = words.next()?.to_owned();
    let helpers = words.skip(1).map(str::to_owned).collect();
    let file = folder.join(file);
    Some(Expansion {
        kind,
        name,
        helpers,
        file: file.canonicalize().unwrap_or(file),
        line: line.parse().ok()?,
        column: column.parse().ok()?,
        input: input.clone(),
        // A mark for lints, which complain where it stands on an `impl` without a trait.
        output: output.replace("#[automatically_derived]", ""),
    })
}

pub(crate) fn unescape(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut letters = field.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next().map(|letter| match letter {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            })),
            _ => text.push(letter),
        }
    }
    text
}

/// Whether a compiled procedural macro calls one of the functions that list all arguments or all variables. Their names
/// are in it just as the compiler writes them: lengths and words.
#[must_use]
pub fn is_nosy(library: &[u8]) -> bool {
    let names = ["3env4args", "3env7args_os", "3env4vars", "3env7vars_os"];
    library.windows(12).any(|part| names.iter().any(|name| part.starts_with(name.as_bytes())))
}

/// The names that a procedural macro's package exports, as far as its text tells. If a `macro_rules!` of the
/// package fills in a name, the name stands in a call of it. Then the words in all macro calls of the text count, too.
#[must_use]
pub fn exports(text: &str) -> Vec<String> {
    let Ok(stream) = text.parse() else { return Vec::new() };
    let tokens = Tokens::new(text, stream);
    let mut names = Vec::new();
    let mut by_macro = false;
    for at in 0..tokens.list.len() {
        let Some(found) = exported_at(&tokens, at) else { continue };
        let name = if found.kind == Kind::Derive { found.attribute + 2 } else { found.name };
        by_macro |= tokens.is(name, '$') || found.name_is_variable;
        names.push(tokens.text(name).to_owned());
    }
    if by_macro {
        for at in 0..tokens.list.len() {
            if let (true, Some(TokenKind::Open(_, close))) =
                (tokens.is_ident(at) && tokens.is(at + 1, '!'), tokens.list.get(at + 2).map(|token| token.kind))
            {
                names.extend((at + 3..close).filter(|&at| tokens.is_ident(at)).map(|at| tokens.text(at).to_owned()));
            }
        }
    }
    names.retain(|name| name != "$");
    names.sort();
    names.dedup();
    names
}

/// An exported function, by its tokens.
struct Function {
    kind: Kind,
    /// Its attribute's name.
    attribute: usize,
    /// Its own name.
    name: usize,
    name_is_variable: bool,
    /// What its parameters are called; nothing where one has no name.
    parameters: Vec<Option<usize>>,
    /// The braces of its body.
    body: (usize, usize),
}

/// The function whose attribute `#[proc_macro…]` starts at token `at`.
fn exported_at(tokens: &Tokens<'_>, at: usize) -> Option<Function> {
    let close = tokens.group(at + 1, Delimiter::Bracket).filter(|_| tokens.is(at, '#'))?;
    // It may stand in `#[cfg_attr(not(test), proc_macro…)]`, too.
    let conditional = tokens.text(at + 2) == "cfg_attr";
    let is_known = |&at: &usize| Kind::ALL.iter().any(|(_, word, _)| tokens.text(at) == *word);
    let attribute = if conditional { (at + 3..close).find(is_known)? } else { at + 2 };
    let (kind, ..) = Kind::ALL.into_iter().find(|(_, word, _)| tokens.text(attribute) == *word)?;
    let mut at = close + 1;
    while tokens.text(at) != "fn" {
        at = match tokens.list.get(at)?.kind {
            TokenKind::Open(Delimiter::Brace, _) | TokenKind::Punct(';', _) | TokenKind::Close(_) => return None,
            TokenKind::Open(_, close) => close + 1,
            _ => at + 1,
        };
    }
    let name_is_variable = tokens.is(at + 1, '$');
    let name = at + 1 + usize::from(name_is_variable);
    let open = name + 1;
    let close = tokens.group(open, Delimiter::Parenthesis)?;
    let mut parameters = Vec::new();
    let mut next = open + 1;
    while next < close {
        if tokens.text(next) == "mut" {
            next += 1;
        }
        let named = tokens.is_ident(next) && tokens.text(next) != "_" && tokens.is(next + 1, ':');
        parameters.push(named.then_some(next));
        while next < close && !tokens.is(next, ',') {
            next = match tokens.list[next].kind {
                TokenKind::Open(_, close) => close + 1,
                _ => next + 1,
            };
        }
        next += 1;
    }
    let mut at = close + 1;
    let body = loop {
        match tokens.list.get(at)?.kind {
            TokenKind::Open(Delimiter::Brace, close) => break (at, close),
            TokenKind::Punct(';', _) | TokenKind::Close(_) => return None,
            _ => at += 1,
        }
    };
    Some(Function { kind, attribute, name, name_is_variable, parameters, body })
}

/// The text of a procedural macro's file, changed so that every exported function records its calls. Nothing if it has
/// none.
fn recording(text: &str) -> Option<String> {
    if !text.contains("proc_macro") {
        return None;
    }
    let tokens = Tokens::new(text, text.parse().ok()?);
    let mut edits = Edits::default();
    let mut found = false;
    for at in 0..tokens.list.len() {
        let Some(function) = exported_at(&tokens, at) else { continue };
        found = true;
        let (_, _, word) = Kind::ALL.into_iter().find(|(kind, ..)| *kind == function.kind)?;
        let name = if function.kind == Kind::Derive {
            let close = tokens.group(function.attribute + 1, Delimiter::Parenthesis)?;
            tokens.list[function.attribute + 1].range.end..tokens.list[close].range.start
        } else {
            let start = function.name - usize::from(function.name_is_variable);
            tokens.list[start].range.start..tokens.list[function.name].range.end
        };
        let name = &text[name];
        // The last parameter is what the macro stands on or is called with.
        let input = match function.parameters.last() {
            Some(&Some(at)) => format!("{}.to_string()", tokens.text(at)),
            _ => "::std::string::String::new()".to_owned(),
        };
        let (open, close) = function.body;
        let home = "crate::cargo_paste_record";
        edits.append(
            tokens.list[open].range.end,
            format!(
                " let cargo_paste_input = {input}; let cargo_paste_output: {home}::TokenStream = \
                 (move || -> {home}::TokenStream {{"
            ),
        );
        edits.insert(
            tokens.list[close].range.start,
            format!(
                "\n}})(); {home}::record(\"{word}\", stringify!({name}), &cargo_paste_input, &cargo_paste_output); \
                 cargo_paste_output "
            ),
        );
    }
    found.then(|| edits.apply(text))
}

/// Whether a folder belongs to the package around it: neither hidden, nor what cargo built, nor another package.
fn is_of_package(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    !name.starts_with('.') && name != "target" && !folder.join("Cargo.toml").is_file() && !leads_back(folder)
}

/// Whether a folder is a link to one that it is in. Following it would never end.
pub(crate) fn leads_back(folder: &Path) -> bool {
    let around = folder.parent().and_then(|parent| parent.canonicalize().ok());
    folder.is_symlink() && around.zip(folder.canonicalize().ok()).is_none_or(|(around, to)| around.starts_with(to))
}

/// Copies a package, and makes its exported functions record. `root` is the root file below `from`.
fn copy(from: &Path, to: &Path, root: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let target = to.join(&name);
        let data = fs::metadata(&path)?;
        if data.is_dir() {
            if is_of_package(&path) {
                copy(&path, &target, root)?;
            }
            continue;
        }
        if data.len() > MOST_BYTES {
            continue;
        }
        let bytes = fs::read(&path)?;
        let source = path.extension().is_some_and(|end| end == "rs");
        let text = source.then(|| String::from_utf8(bytes.clone()).ok()).flatten();
        let changed = text.and_then(|text| {
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
            let changed = recording(&text);
            if path == root { Some(changed.unwrap_or(text) + RECORDER) } else { changed }
        });
        fs::write(&target, changed.map_or(bytes, String::into_bytes))?;
    }
    Ok(())
}

/// Compiles a procedural macro so that it records. `source` is its root file, `folder` its package, `copied` where the
/// copy goes and `notes` the compiler's list of files. Gives nothing if it has to be compiled as it is.
#[must_use]
pub fn compile(
    mut rustc: Command,
    words: &[OsString],
    source: &Path,
    folder: &Path,
    copied: &Path,
    notes: &Path,
) -> Option<ExitStatus> {
    let (folder, root) = (folder.canonicalize().ok()?, source.canonicalize().ok()?);
    let below = root.strip_prefix(&folder).ok()?;
    let _ = fs::remove_dir_all(copied);
    copy(&folder, copied, &root).ok()?;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--cap-lints" {
            words.next();
        } else if Path::new(word) == source {
            rustc.arg(copied.join(below));
        } else if !word.to_string_lossy().starts_with("--cap-lints=") {
            rustc.arg(word);
        }
    }
    let output = rustc.args(["--cap-lints", "allow"]).output().ok()?;
    if !output.status.success() {
        return None;
    }
    // Cargo has to know of the package's own files, not of their copies.
    let text = fs::read_to_string(notes).ok()?;
    let written = |path: &Path| path.display().to_string().replace(' ', "\\ ");
    fs::write(notes, text.replace(&written(copied), &written(&folder))).ok()?;
    let _ = std::io::stdout().write_all(&output.stdout);
    let _ = std::io::stderr().write_all(&output.stderr);
    Some(output.status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_functions_record_and_nothing_else_changes() {
        let text = "#[proc_macro_attribute]\npub fn a(_: T, mut item: T) -> T { item }\nfn b(x: T) -> T { x }\n";
        let changed = recording(text).unwrap();
        assert!(changed.contains("cargo_paste_input = item.to_string()"), "{changed}");
        assert!(changed.contains("record(\"attribute\", stringify!(a),"), "{changed}");
        assert!(changed.ends_with("fn b(x: T) -> T { x }\n"), "{changed}");
        assert_eq!(recording("fn proc_macro() {}"), None);
    }

    #[test]
    fn exports_are_found_in_macros_too() {
        let text = "macro_rules! make { ($t:ident, $f:ident) => { #[proc_macro_derive($t)] pub fn $f(i: T) -> T { i } } }\n\
                    make!(Display, display);\n#[proc_macro_derive(Error, attributes(e))] pub fn error(i: T) -> T { i }\n\
                    #[cfg_attr(not(test), proc_macro_derive(From))] pub fn from(i: T) -> T { i }";
        assert_eq!(exports(text), ["Display", "Error", "From", "display"]);
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let line = "derive\tError, attributes(error, source)\tsrc/a.rs\t3\t10\tenum E {}\timpl X for E\\n{ '\\\\t' }\t";
        let found = read(line, Path::new("/nowhere")).pop().unwrap();
        assert_eq!((found.name.as_str(), found.line, found.column), ("Error", 3, 10));
        assert_eq!(found.helpers, ["error", "source"]);
        assert_eq!(found.file, Path::new("/nowhere/src/a.rs"));
        assert_eq!(found.output, "impl X for E\n{ '\\t' }");
    }
}
