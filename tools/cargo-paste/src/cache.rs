//! What was pasted before, by content: the same bundle, compilers and tool give the same paste.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::Paste;
use crate::inline::Bundle;
use crate::rustc::Compiler;

/// A name for all that decides what a paste looks like.
pub(crate) fn key(bundle: &Bundle, keep: &BTreeSet<String>, compilers: &[Compiler]) -> String {
    let tool = std::env::current_exe().and_then(fs::read).unwrap_or_default();
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        tool.hash(&mut hasher);
        bundle.text.hash(&mut hasher);
        bundle.solution_end.hash(&mut hasher);
        keep.hash(&mut hasher);
        for compiler in compilers {
            compiler.path.hash(&mut hasher);
            compiler.verbose.hash(&mut hasher);
        }
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(1), half(2))
}

/// One file per binary and set of kept crates, so that these do not push each other out.
fn file(target: &Path, name: &str, keep: &BTreeSet<String>) -> PathBuf {
    let mut words = vec![name];
    words.extend(keep.iter().map(String::as_str));
    target.join("paste").join(format!("{}.json", words.join("+")))
}

/// The paste of `name`, if it was made from the same things.
pub(crate) fn read(target: &Path, name: &str, keep: &BTreeSet<String>, key: &str) -> Option<Paste> {
    let text = fs::read_to_string(file(target, name, keep)).ok()?;
    let (known, paste) = serde_json::from_str::<(String, Paste)>(&text).ok()?;
    (known == key).then_some(paste)
}

/// Remembers a paste. If that fails, the next run is slower and nothing else.
pub(crate) fn write(target: &Path, keep: &BTreeSet<String>, key: &str, paste: &Paste) {
    if let Ok(text) = serde_json::to_string(&(key, paste)) {
        let path = file(target, &paste.name, keep);
        let fresh = path.with_extension(format!("{}.new", std::process::id()));
        if fs::write(&fresh, text).is_ok() {
            drop(fs::rename(fresh, path));
        }
    }
}
