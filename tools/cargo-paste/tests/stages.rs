//! Each stage on tiny crates of our own: what has to come out of it, and what has to be noticed.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_paste::nodes::Nodes;
use cargo_paste::resolve::{Program, Workspace};
use cargo_paste::rustc::{Bench, Compiler, Edition, Emit};
use cargo_paste::shake::{self, Shaken};
use cargo_paste::verify::{Compiled, Verdict, cells};
use cargo_paste::{Options, check, emit, inline, paste};

fn fixture(name: &str) -> Workspace {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name).join("Cargo.toml");
    Workspace::load(Some(&manifest)).unwrap()
}

fn bundle(name: &str) -> (Program, inline::Bundle) {
    let program = fixture("app").resolve(name).unwrap();
    let host = Compiler::current().unwrap().cfgs().unwrap();
    let bundle = inline::inline(&program, &host, &BTreeSet::new()).unwrap();
    (program, bundle)
}

/// Pastes a binary of the fixture, compiles it everywhere and compares its output with cargo's build.
fn pasted(name: &str) -> String {
    let (program, made) =
        paste(&fixture("app"), name, &Options { fresh: true, ..Options::default() }, &mut |_| {}).unwrap();
    for cell in &made.cells {
        assert_eq!(cell.verdict, Verdict::Same, "{} {} of {name}:\n{}", cell.compiler, cell.edition, made.text);
    }
    let expected = Command::new(program.executable().unwrap()).output().unwrap().stdout;
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("paste.rs");
    std::fs::write(&source, &made.text).unwrap();
    for cell in &made.cells {
        let executable = dir.path().join("paste");
        check::compile(&cell.path, cell.edition, &source, &executable, &[]).unwrap();
        let found = Command::new(&executable).output().unwrap().stdout;
        assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(&expected));
    }
    made.text
}

#[test]
fn resolve_finds_renamed_crates_two_versions_and_features() {
    let program = fixture("app").resolve("simple").unwrap();
    let solution = &program.crates[0];
    let known = |name: &str| &program.crates[solution.dependencies[name]];
    assert_eq!(known("nickname").package, "renamed-target");
    assert_eq!(known("twin").version, "1.0.0");
    assert_eq!(known("twin_again").version, "2.0.0");
    assert_eq!(known("modern").edition, Edition::E2024);
    assert!(known("modern").features.contains("extra"));
    assert!(!known("modern").features.contains("absent"));
}

#[test]
fn an_unknown_binary_is_answered_with_the_nearest_name() {
    let error = fixture("app").resolve("simpel").unwrap_err();
    assert_eq!(error.to_string(), "there is no binary `simpel`; did you mean `simple`?");
}

#[test]
fn the_solution_comes_first_and_verbatim_but_for_its_tests() {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/app/src/bin/simple.rs");
    let source = std::fs::read_to_string(source).unwrap();
    let (own, tests) = source.split_once("#[cfg(test)]").unwrap();
    assert!(tests.contains("proptest"));
    let (_, bundle) = bundle("simple");
    assert!(bundle.text.starts_with(own.trim_end()));
    assert!(!bundle.text.contains("proptest"));
}

#[test]
fn inlining_decides_cfg_and_drops_comments_docs_and_tests_of_crates() {
    let (_, bundle) = bundle("simple");
    let crates = &bundle.text[bundle.solution_end..];
    for gone in
        ["a block comment", "trailing", "Never called", "pub z", "no_std", "mod tests", "missing_docs", "not a comment"]
    {
        assert!(!crates.contains(gone), "{gone:?} is still there");
    }
    for kept in ["\"//\"", "    // two", "r#match", "r#async", "if true { r#type + 1 }"] {
        assert!(crates.contains(kept), "{kept:?} is missing");
    }
}

#[test]
fn inlining_rewrites_paths_in_code_imports_and_macros() {
    let (_, bundle) = bundle("simple");
    for line in [
        "use crate::modern::moved::TEXT;",
        "pub(in crate::modern::private) fn hidden()",
        "($x:expr) => { $crate::macros::times($x, $x) };",
        "($x:expr) => { $crate::macros::square!($x) + $crate::macros::square!($x) };",
        "use std::vec::Vec;",
        "::std::cmp::max($a, $b)",
        "crate::old::helper(crate::macros::Tool)",
        "$a:pat_param | $b:pat_param",
    ] {
        assert!(bundle.text.contains(line), "{line:?} is missing from\n{}", bundle.text);
    }
}

#[test]
fn crates_of_every_edition_make_one_file_for_every_edition() {
    let text = pasted("simple");
    let crates = text.split_once("put here by cargo-paste").unwrap().1;
    for dead in
        ["fn dead", "fn silent", "unused) =>", "derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash"]
    {
        assert!(!crates.contains(dead), "{dead:?} is still there:\n{crates}");
    }
    for alive in ["impl Drop for Noisy", "// modern 1.2.3 (MIT OR Apache-2.0)", "Copyright (c) Ada, Grace"] {
        assert!(crates.contains(alive), "{alive:?} is missing:\n{crates}");
    }
    assert!(!crates.contains("old: Copyright"), "a licence that asks for nothing gets no notice");
}

#[test]
fn items_of_the_solution_may_be_named_like_crates() {
    let text = pasted("clash");
    assert!(text.contains("mod twin_crate {") && text.contains("mod modern_crate {"), "{text}");
}

#[test]
fn a_solution_in_several_files_becomes_one() {
    let text = pasted("nested");
    assert!(text.contains("mod helper {") && text.contains("pub mod far {"), "{text}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let fresh = Options { fresh: true, ..Options::default() };
    let (_, one) = paste(&fixture("app"), "nested", &fresh, &mut |_| {}).unwrap();
    let (_, other) = paste(&fixture("app"), "nested", &fresh, &mut |_| {}).unwrap();
    assert_eq!(one.text, other.text);
    let (_, cached) = paste(&fixture("app"), "nested", &Options::default(), &mut |_| {}).unwrap();
    assert!(cached.cached && cached.text == one.text);
}

const PROGRAM: &str = "\
fn main() { lib::live(); let _ = lib::Kept.clone(); }

mod lib {
    pub fn live() { helper() }
    fn helper() { println!(\"{}\", LIMIT) }
    const LIMIT: u32 = 3;
    pub fn dead() { also_dead() }
    fn also_dead() {}
    #[derive(Clone, Debug, PartialEq)]
    pub struct Kept;
    pub struct Unused;
    impl Unused { pub fn new() -> Unused { Unused } }
    impl Default for Kept { fn default() -> Kept { Kept } }
}
";

fn compile(text: &str) -> Compiled {
    let bench = Bench::new(Path::new(env!("CARGO_TARGET_TMPDIR")), Vec::new()).unwrap();
    let compiler = Compiler::current().unwrap();
    let outcome = bench.compile(&compiler, Edition::E2021, Emit::FunctionsAndLines, text).unwrap();
    assert!(outcome.success, "{}", outcome.first_error());
    Compiled::read(&outcome.output)
}

#[test]
fn shaking_takes_what_is_dead_and_nothing_that_lives() {
    let reference = compile(PROGRAM);
    let nodes = Nodes::new(PROGRAM, PROGRAM.find("mod lib").unwrap()).unwrap();
    let mut shaken = Shaken::new(PROGRAM, &nodes, &reference.lines);
    let bench = Bench::new(Path::new(env!("CARGO_TARGET_TMPDIR")), Vec::new()).unwrap();
    let compiler = Compiler::current().unwrap();
    let mut ask = |text: &str| bench.compile(&compiler, Edition::E2021, Emit::Unused, text);
    assert!(shake::shake(&mut shaken, &mut ask, &mut 30, 1).unwrap());
    let left: Vec<String> = shake::left(&shaken).into_iter().collect();
    assert_eq!(left, ["Clone", "Kept", "LIMIT", "helper", "lib", "live"]);
    assert_eq!(compile(&shaken.render().text).functions, reference.functions);
}

#[test]
fn the_proof_notices_a_lost_function_and_a_call_that_means_another() {
    let before = "\
use m::Named;
fn main() { println!(\"{}\", m::Thing.name()) }
mod m {
    pub struct Thing;
    pub trait Named { fn name(&self) -> u32 { 1 } }
    impl Named for Thing { fn name(&self) -> u32 { 2 } }
}
";
    let overridden = before.replace("{ fn name(&self) -> u32 { 2 } }", "{}");
    let reference = compile(before).functions;
    assert_eq!(compile(&format!("{before}// a comment changes nothing\n")).functions, reference);
    assert_ne!(compile(&overridden).functions, reference);
    let bench = Bench::new(Path::new(env!("CARGO_TARGET_TMPDIR")), Vec::new()).unwrap();
    let current = [Compiler::current().unwrap()];
    let verdicts = |text: &str| -> HashSet<bool> {
        let cells = cells(&bench, &current, &reference, text).unwrap();
        cells.iter().map(|cell| cell.verdict == Verdict::Same).collect()
    };
    assert_eq!(verdicts(before), [true].into());
    assert_eq!(verdicts(&overridden), [false].into());
}

#[test]
fn the_proof_notices_what_an_edition_changes() {
    let text = "fn main() { for x in [1_u8, 2].into_iter() { println!(\"{}\", x) } }\n";
    let reference = compile(text).functions;
    let bench = Bench::new(Path::new(env!("CARGO_TARGET_TMPDIR")), Vec::new()).unwrap();
    let cells = cells(&bench, &[Compiler::current().unwrap()], &reference, text).unwrap();
    let same: Vec<Edition> =
        cells.iter().filter(|cell| cell.verdict == Verdict::Same).map(|cell| cell.edition).collect();
    assert_eq!(same, [Edition::E2021, Edition::E2024]);
}

#[test]
fn a_bundle_can_be_emitted_whole() {
    let (program, bundle) = bundle("nested");
    let text = emit::emit(&program, &bundle, &bundle.text).unwrap();
    let bench = Bench::new(Path::new(env!("CARGO_TARGET_TMPDIR")), Vec::new()).unwrap();
    let compiler = Compiler::current().unwrap();
    for edition in Edition::ALL {
        let outcome = bench.compile(&compiler, edition, Emit::Strict, &text).unwrap();
        assert!(outcome.success, "{edition}: {}\n{text}", outcome.first_error());
    }
}

/// A package in a folder of its own with one binary.
fn package(manifest: &str, files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
    let dir = tempfile::tempdir().unwrap();
    let head = "[package]\nname = \"solo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(dir.path().join("Cargo.toml"), format!("{head}{manifest}")).unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let workspace = Workspace::load(Some(&dir.path().join("Cargo.toml"))).unwrap();
    (dir, workspace)
}

fn refusal(manifest: &str, files: &[(&str, &str)]) -> String {
    let (_dir, workspace) = package(manifest, files);
    paste(&workspace, "solo", &Options::default(), &mut |_| {}).unwrap_err().to_string()
}

#[test]
fn code_that_does_not_compile_gets_the_compilers_own_message() {
    let error = refusal("", &[("src/main.rs", "fn main() { let x: u8 = \"text\"; }\n")]);
    assert!(error.contains("does not compile") && error.contains("E0308"), "{error}");
}

#[test]
fn a_file_a_judge_does_not_have_is_refused_with_its_place() {
    let main = "fn main() {\n    println!(\"{}\", include_str!(\"data.txt\"));\n}\n";
    let error = refusal("", &[("src/main.rs", main), ("src/data.txt", "x")]);
    assert!(error.contains("src/main.rs:2") && error.contains("include_str!(\"data.txt\")"), "{error}");
    let main = "fn main() {\n    println!(env!(\"CARGO_PKG_VERSION\"));\n}\n";
    let error = refusal("", &[("src/main.rs", main)]);
    assert!(error.contains("src/main.rs:2") && error.contains("CARGO_PKG_VERSION"), "{error}");
}

#[test]
fn what_a_dead_function_reads_is_no_reason_to_refuse() {
    let library = "pub fn dead() -> &'static str { include_str!(\"data.txt\") }\npub fn live() -> u32 { 4 }\n";
    let main = "fn main() { println!(\"{}\", solo::live()) }\n";
    let files = [("src/main.rs", main), ("src/lib.rs", library), ("src/data.txt", "x")];
    let (_dir, workspace) = package("", &files);
    let (_, made) = paste(&workspace, "solo", &Options::default(), &mut |_| {}).unwrap();
    assert!(!made.text.contains("data.txt"));
}

#[test]
fn a_build_script_that_only_sets_conditions_is_followed() {
    let script = "fn main() { println!(\"cargo:rustc-cfg=fast\"); println!(\"cargo:rustc-check-cfg=cfg(fast)\"); }\n";
    let library = "#[cfg(fast)]\npub fn speed() -> u32 { 9 }\n#[cfg(not(fast))]\npub fn speed() -> u32 { 1 }\n";
    let main = "fn main() { println!(\"{}\", solo::speed()) }\n";
    let files = [("build.rs", script), ("src/main.rs", main), ("src/lib.rs", library)];
    let (_dir, workspace) = package("", &files);
    let (_, made) = paste(&workspace, "solo", &Options::default(), &mut |_| {}).unwrap();
    assert!(made.text.contains("{ 9 }") && !made.text.contains("{ 1 }"), "{}", made.text);
}

#[test]
fn a_procedural_macro_is_refused_by_name() {
    let derive = "[package]\nname = \"magic\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n";
    let source = "use proc_macro::TokenStream;\n#[proc_macro]\npub fn spell(_: TokenStream) -> TokenStream { \"5\".parse().unwrap() }\n";
    let main = "use magic::spell;\n\nfn main() { println!(\"{}\", spell!()) }\n";
    let files = [("magic/Cargo.toml", derive), ("magic/src/lib.rs", source), ("src/main.rs", main)];
    let error = refusal("[dependencies]\nmagic = { path = \"magic\" }\n", &files);
    assert!(error.contains("procedural macro magic 0.1.0") && error.contains("by hand"), "{error}");
}
