//! Fourth stage: proof that the paste is the same program, and on which compilers it is one at all.

use std::collections::BTreeSet;

use anyhow::Result;

/// The functions in a program's LLVM code, by their readable names.
#[must_use]
pub fn functions(llvm: &str) -> BTreeSet<String> {
    llvm.lines()
        .filter(|line| line.starts_with("define "))
        .filter_map(|line| {
            let name = line.split('@').nth(1)?;
            let name = name.strip_prefix('"').map_or_else(|| name.split('(').next(), |rest| rest.split('"').next())?;
            Some(format!("{:#}", rustc_demangle::demangle(name)))
        })
        .collect()
}

#[allow(dead_code)]
fn unused() -> Result<()> { Ok(()) }
