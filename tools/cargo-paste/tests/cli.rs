//! The program itself, as a user calls it, on small packages.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const ADD: &str = "\
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!(\"{}\", line.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum::<i32>());
}
";

fn write(dir: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// A package `solo` in a folder of its own.
fn package(manifest: &str, files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let head = "[package]\nname = \"solo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    write(dir.path(), &[("Cargo.toml", &format!("{head}{manifest}"))]);
    write(dir.path(), files);
    dir
}

fn command(dir: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-paste"));
    command.arg("paste").args(words).current_dir(dir).env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What goes to the standard output and to the standard error of a call that succeeds.
fn good(dir: &Path, words: &[&str]) -> (String, String) {
    let Output { status, stdout, stderr } = command(dir, words).output().unwrap();
    assert!(status.success(), "{words:?}: {}", text(&stderr));
    (text(&stdout), text(&stderr))
}

/// What a call that fails says on stderr. Its stdout must be empty.
fn bad(dir: &Path, words: &[&str]) -> String {
    let Output { status, stdout, stderr } = command(dir, words).output().unwrap();
    assert!(!status.success(), "{words:?} succeeded:\n{}", text(&stdout));
    assert_eq!(text(&stdout), "", "{words:?}");
    text(&stderr)
}

#[test]
fn the_file_is_on_the_standard_output_and_a_summary_on_the_standard_error() {
    let dir = package("", &[("src/main.rs", ADD)]);
    let (out, err) = good(dir.path(), &["solo"]);
    assert_eq!(out, ADD);
    let line = err.lines().find(|line| line.starts_with("solo: 0.2 KB → 0.2 KB in ")).expect(&err);
    assert!(line.ends_with(" functions are the same as in cargo's build"), "{err}");
    assert!(err.lines().any(|line| line.ends_with(": same in edition 2015, 2018, 2021, 2024")), "{err}");
    assert!(good(dir.path(), &["solo", "--timings"]).1.contains(" s  cargo\n"));
    assert_eq!(good(dir.path(), &[]).0, ADD, "the only binary need not be named");
    assert!(good(dir.path(), &["solo"]).1.contains(" (from the cache); "));
}

#[test]
fn types_and_matches_stay_as_they_are_written_and_only_functions_go() {
    let types = "\
#[repr(u8)]
pub enum Side {
    Left,
    Right = 5,
    Nobody,
}

pub struct Point {
    pub x: i32,
    pub y: i32,
    pub name: Option<&'static str>,
}

pub fn turned(side: Side) -> Side {
    match side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
        other => other,
    }
}
";
    let lib = format!("{types}\npub fn unused(side: Side) -> bool {{\n    matches!(side, Side::Nobody)\n}}\n");
    let main = "use shapes::{turned, Point, Side};\n\nfn main() {\n    let point = Point { x: 1, y: 2, name: None };\n\
                \x20   println!(\"{} {}\", turned(Side::Left) as u8, point.x + point.y);\n}\n";
    let manifest = "[package]\nname = \"shapes\"\nversion = \"0.1.0\"\nedition = \"2021\"\nlicense = \"MIT-0\"\n";
    let files = [("src/main.rs", main), ("shapes/Cargo.toml", manifest), ("shapes/src/lib.rs", &lib)];
    let dir = package("[dependencies]\nshapes = { path = \"shapes\" }\n", &files);
    let (out, _) = good(dir.path(), &["solo"]);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&out).contains(&words(types)), "{out}");
    assert!(!out.contains("fn unused"), "{out}");
}

#[test]
fn it_works_from_a_folder_below_and_from_elsewhere() {
    let dir = package("", &[("src/main.rs", ADD)]);
    assert_eq!(good(&dir.path().join("src"), &["solo"]).0, ADD);
    let elsewhere = tempfile::tempdir().unwrap();
    let manifest = dir.path().join("Cargo.toml");
    assert_eq!(good(elsewhere.path(), &["solo", "--manifest-path", manifest.to_str().unwrap()]).0, ADD);
    let error = bad(elsewhere.path(), &["solo"]);
    assert!(error.starts_with("error: could not find `Cargo.toml` in "), "{error}");
}

#[test]
fn a_binary_is_found_by_name_and_by_package() {
    let dir = tempfile::tempdir().unwrap();
    let manifest = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let main = |name: &str| format!("fn main() {{\n    println!(\"{name}\");\n}}\n");
    write(dir.path(), &[("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\", \"empty\"]\nresolver = \"2\"\n")]);
    for name in ["one", "two"] {
        let both = format!("{name}/src/bin/both.rs");
        let own = format!("{name}/src/bin/{name}_own.rs");
        let files = [(format!("{name}/Cargo.toml"), manifest(name)), (both, main(name)), (own, main(name))];
        for (path, text) in &files {
            write(dir.path(), &[(path, text)]);
        }
    }
    write(dir.path(), &[("empty/Cargo.toml", &manifest("empty")), ("empty/src/lib.rs", "")]);
    assert_eq!(good(dir.path(), &["two_own"]).0, main("two"));
    let root = format!("{}[workspace]\nmembers = [\"one\"]\ndefault-members = [\"one\"]\n", manifest("root"));
    let chosen = tempfile::tempdir().unwrap();
    write(chosen.path(), &[("Cargo.toml", &root), ("src/main.rs", &main("root"))]);
    write(chosen.path(), &[("one/Cargo.toml", &manifest("one")), ("one/src/main.rs", &main("one"))]);
    assert_eq!(good(chosen.path(), &["one"]).0, main("one"));
    assert_eq!(good(chosen.path(), &["root"]).0, main("root"), "cargo would not choose it by itself");
    let error = bad(dir.path(), &["both"]);
    assert_eq!(error, "error: `both` is in the packages one and two; choose one with --package\n");
    assert_eq!(good(dir.path(), &["both", "-p", "two"]).0, main("two"));
    assert_eq!(
        good(&dir.path().join("one"), &["both"]).0,
        main("one"),
        "the package of the current folder comes first"
    );
    assert_eq!(good(&dir.path().join("one"), &["two_own"]).0, main("two"));
    let error = bad(dir.path(), &["two_own", "--package", "one"]);
    assert_eq!(error, "error: there is no binary `two_own`; did you mean `one_own`?\n");
    let error = bad(dir.path(), &["own"]);
    assert_eq!(error, "error: there is no binary `own`; did you mean `one_own` or `two_own`?\n");
    let error = bad(dir.path(), &["both", "--package", "three"]);
    assert_eq!(error, "error: there is no package `three` in this workspace, which has empty, one, two\n");
    assert_eq!(bad(&dir.path().join("one"), &[]), "error: which one? There are both, one_own\n");
    let chosen = manifest("one").replace("[package]\n", "[package]\ndefault-run = \"one_own\"\n");
    write(dir.path(), &[("one/Cargo.toml", &chosen)]);
    assert_eq!(good(&dir.path().join("one"), &[]).0, main("one"));
    assert!(bad(dir.path(), &["-p", "empty"]).starts_with("error: there are no binaries here; "));
    let error = bad(dir.path(), &["x", "-p", "empty"]);
    assert_eq!(error, "error: there is no binary `x`: the package `empty` has none; write one in src/bin/x.rs\n");
}

#[test]
fn all_go_to_a_folder_and_one_that_fails_does_not_stop_the_others() {
    let files = [("src/bin/a.rs", ADD), ("src/bin/b.rs", "fn main() { no }\n"), ("src/bin/c.rs", ADD)];
    let dir = package("", &files);
    let error = bad(dir.path(), &["--all", "--out-dir", "out/put"]);
    assert!(error.contains("cannot find value `no`") && error.ends_with("1 of 3 were not pasted: b\n"), "{error}");
    assert!(error.contains("\nerror: b does not compile, "), "{error}");
    assert!(error.contains("  written to out/put/a.rs\n") && !error.contains("put/b.rs"), "{error}");
    let mut made: Vec<_> = fs::read_dir(dir.path().join("out/put")).unwrap().map(|file| file.unwrap().path()).collect();
    made.sort();
    assert_eq!(made, ["a.rs", "c.rs"].map(|name| dir.path().join("out/put").join(name)));
    assert_eq!(fs::read_to_string(&made[1]).unwrap(), ADD);
    let error = bad(dir.path(), &["a", "--out-dir", "Cargo.toml"]);
    assert!(error.starts_with("error: cannot create Cargo.toml: "), "{error}");
    fs::create_dir_all(dir.path().join("taken/a.rs")).unwrap();
    let error = bad(dir.path(), &["a", "--out-dir", "taken"]);
    assert!(error.contains("error: cannot write taken/a.rs: "), "{error}");
    assert!(bad(dir.path(), &["--all"]).contains("--out-dir"));
}

#[test]
fn the_check_prints_a_table_and_fails_where_a_case_is_wrong() {
    let dir = package("", &[("src/main.rs", ADD)]);
    let (out, err) = good(dir.path(), &["solo", "--check"]);
    assert_eq!(out, ADD);
    assert!(err.contains("same      none      none in testdata/solo\n"), "{err}");
    write(dir.path(), &[("testdata/solo/a.in", "1 2\n"), ("testdata/solo/a.out", "3\n")]);
    let (_, err) = good(dir.path(), &["solo", "--check"]);
    assert!(err.contains("\n  compiler      edition  verdict   warnings  test data\n"), "{err}");
    assert!(err.lines().any(|line| line.starts_with("  cargo  ") && line.ends_with("  1 of 1 as in .out")), "{err}");
    for edition in ["2015", "2018", "2021", "2024"] {
        let row = format!("  {edition}     same      none      1 of 1 as cargo's build");
        assert!(err.lines().any(|line| line.ends_with(&row)), "{row} is not in\n{err}");
    }
    write(dir.path(), &[("testdata/solo/b.in", "1 2\n"), ("testdata/solo/b.out", "4\n")]);
    let error = bad(dir.path(), &["solo", "--check", "--message-format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&error).expect("one object on one line");
    assert!(object["error"].as_str().unwrap().contains("the check failed"), "{error}");
    let error = bad(dir.path(), &["solo", "--check"]);
    let wrong = |line: &str| line.starts_with("  cargo  ") && line.ends_with("  1 of 2 as in .out, WRONG on b");
    assert!(error.lines().any(wrong), "{error}");
    write(dir.path(), &[("testdata/solo/c.in", "1 2\n")]);
    assert!(bad(dir.path(), &["solo", "--check"]).contains("c.out"));
}

#[test]
fn a_program_that_is_wrong_on_its_own_test_data_is_pasted_with_a_note() {
    let files = [
        ("src/main.rs", "fn main() {\n    println!(\"3\");\n}\n"),
        ("testdata/solo/a.in", ""),
        ("testdata/solo/a.out", "4\n"),
    ];
    let (_, err) = good(package("", &files).path(), &["solo"]);
    let said = err.contains("note: the program is wrong on a: cargo's build does not print what the .out file says");
    // Where there is only the current compiler, nothing is run.
    assert_eq!(said, err.contains(": tested in edition"), "{err}");
}

#[test]
fn the_check_shows_what_an_edition_refuses_and_does_not_hold_it_against_the_paste() {
    let main = "fn main() {\n    drop(async { 3 });\n}\n";
    let dir = package("", &[("src/main.rs", main)]);
    let (_, err) = good(dir.path(), &["solo", "--check"]);
    assert!(err.lines().any(|line| line.contains("2015     refused ") && line.contains("expected")), "{err}");
    assert!(err.lines().any(|line| line.contains("2021     same      none")), "{err}");
}

#[cfg(unix)]
fn stand_in(dir: &Path, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn the_clipboard_gets_it_from_the_first_program_that_works() {
    let main = ADD.replace("fn main", "// ●\nfn main");
    let dir = package("", &[("src/main.rs", &main)]);
    let bin = tempfile::tempdir().unwrap();
    let clip = bin.path().join("clip");
    let call = || {
        let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap());
        let mut command = command(dir.path(), &["solo", "--copy"]);
        let Output { status, stdout, stderr } = command.env("PATH", path).env("CLIP", &clip).output().unwrap();
        assert_eq!(text(&stdout), "");
        (status.success(), text(&stderr))
    };
    for name in ["pbcopy", "wl-copy", "xclip", "xsel", "clip.exe"] {
        stand_in(bin.path(), name, "exit 1");
    }
    let (success, err) = call();
    assert!(!success && err.contains("error: no clipboard here"), "{err}");
    stand_in(bin.path(), "clip.exe", "cat > \"$CLIP\"");
    assert!(call().1.ends_with("copied to the clipboard with clip.exe\n"));
    let words: Vec<u16> =
        fs::read(&clip).unwrap().chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    assert_eq!(String::from_utf16(&words).unwrap(), main);
    stand_in(bin.path(), "xclip", "echo \"$@\" > \"$CLIP\"; cat >> \"$CLIP\"");
    assert!(call().1.ends_with("copied to the clipboard with xclip\n"));
    assert_eq!(fs::read_to_string(&clip).unwrap(), format!("-selection clipboard\n{main}"));
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let long = format!("{ADD}{}", "// A line to fill the pipe.\n".repeat(10_000));
    let dir = package("", &[("src/main.rs", &long)]);
    let mut child = command(dir.path(), &["solo"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    assert!(status.success(), "{}", text(&stderr));
    assert!(text(&stderr).lines().all(|line| !line.starts_with("error")), "{}", text(&stderr));
}

/// A crate `helper` beside the package, and what the solution does with it.
fn with_helper(manifest: &str, library: &str, main: &str) -> TempDir {
    let helper = "[package]\nname = \"helper\"\nversion = \"0.3.1\"\nedition = \"2021\"\nlicense = \"MIT\"\n";
    let files =
        [("helper/Cargo.toml", &*format!("{helper}{manifest}")), ("helper/src/lib.rs", library), ("src/main.rs", main)];
    package("[dependencies]\nhelper = { path = \"helper\" }\n", &files)
}

#[test]
fn a_type_that_must_be_copy_does_not_bring_all_its_impls_back() {
    let library = "use std::fmt;\npub struct Vector<T> { pub x: T, pub y: T }\n\
        impl<T: Copy> Copy for Vector<T> {}\n\
        impl<T: Clone> Clone for Vector<T> { fn clone(&self) -> Self { Vector { x: self.x.clone(), y: self.y.clone() } } }\n\
        impl<T: fmt::Debug> fmt::Debug for Vector<T> {\n    \
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, \"{:?} {:?}\", self.x, self.y) }\n}\n\
        impl Vector<i64> {\n    pub fn cross(self, other: Self) -> i64 { self.x * other.y - self.y * other.x }\n}\n\
        impl<T: Default> Default for Vector<T> { fn default() -> Self { Vector { x: T::default(), y: T::default() } } }\n";
    let main = "use helper::Vector;\n\nfn main() {\n    let v = Vector { x: 1, y: 2 };\n    \
        println!(\"{:?} {}\", v, v.cross(Vector { x: 1, y: 5 }));\n}\n";
    let dir = with_helper("", library, main);
    let (out, _) = good(dir.path(), &["solo"]);
    assert!(out.contains("Copy for Vector") && !out.contains("Default for Vector"), "{out}");
}

#[test]
fn a_kept_crate_stays_outside_and_is_compiled_against() {
    let main = "use helper::three;\n\nfn main() {\n    println!(\"{}\", three());\n}\n";
    let dir = with_helper("", "pub fn three() -> u8 { 3 }\n", main);
    write(dir.path(), &[("testdata/solo/a.in", ""), ("testdata/solo/a.out", "3\n")]);
    let (out, err) = good(dir.path(), &["solo", "--keep", "helper", "--check"]);
    assert_eq!(out, main);
    assert!(
        err.contains("note: it uses crates of the judge; here only the compiler that cargo uses was asked, with helper 0.3.1, and whether"),
        "{err}"
    );
    assert!(err.contains("2021     same      none      1 of 1"), "{err}");
    let (out, err) = good(dir.path(), &["solo"]);
    assert!(out.contains("mod helper {") && !err.contains("crates of the judge"), "{err}");
    let error = bad(dir.path(), &["solo", "--keep", "helpre"]);
    assert_eq!(error, "error: --keep helpre: solo has no such dependency\n");
    let renamed = "[package]\nname = \"solo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n\
        h = { package = \"helper\", path = \"helper\" }\n";
    write(dir.path(), &[("Cargo.toml", renamed), ("src/main.rs", &main.replace("helper", "h"))]);
    let error = bad(dir.path(), &["solo", "--keep", "helper"]);
    assert_eq!(error, "error: --keep helper: solo calls it `h`, but a judge has it as `helper`\n");
}

#[test]
fn a_macro_of_a_kept_crate_may_follow_a_pointer_to_a_value_that_2024_ends_early() {
    let library = "pub fn one() -> u8 { 1 }\n#[macro_export]\nmacro_rules! get { ($p:expr) => { unsafe { *$p } } }\n";
    let main = "fn make(n: u64) -> [u64; 8] { [n; 8] }\n\
        fn show(p: *const [u64; 8], q: [u64; 8]) { println!(\"{:?} {:?}\", helper::get!(p)[3], q[3]); }\n\
        fn main() { println!(\"{}\", helper::one()); show({ &make(1) as *const _ }, make(2)); }\n";
    let dir = with_helper("", library, main);
    let (_, err) = good(dir.path(), &["solo", "--keep", "helper"]);
    assert!(err.contains("compiles in edition 2024 (`main` cannot be compared"), "{err}");
}

#[test]
fn a_kept_crate_may_be_there_in_two_releases() {
    let main = "fn main() {\n    println!(\"{} {}\", shared::count(), helper::count());\n}\n";
    // Outside of the package: two members of a workspace cannot have one name.
    let outside = tempfile::tempdir().unwrap();
    let [older, newer] = [1, 2].map(|release| {
        let folder = outside.path().join(release.to_string());
        let manifest = format!("[package]\nname = \"shared\"\nversion = \"{release}.0.0\"\nlicense = \"MIT\"\n");
        let source = format!("pub fn count() -> u8 {{ {release} }}\n");
        write(&folder, &[("Cargo.toml", &manifest), ("src/lib.rs", &source)]);
        format!("shared = {{ path = {folder:?} }}\n")
    });
    let dir = with_helper(&format!("[dependencies]\n{older}"), "pub use shared::count;\n", main);
    let manifest = fs::read_to_string(dir.path().join("Cargo.toml")).unwrap() + &newer;
    write(dir.path(), &[("Cargo.toml", &manifest), ("testdata/solo/a.in", ""), ("testdata/solo/a.out", "2 1\n")]);
    let (out, err) = good(dir.path(), &["solo", "--keep", "helper,shared", "--check"]);
    assert_eq!(out, main);
    assert!(err.contains("2021     same      none      1 of 1"), "{err}");
}

#[test]
fn a_crate_below_a_kept_one_is_not_pasted_beside_it() {
    let main = "fn main() {\n    shared::count();\n    println!(\"{}\", helper::count());\n}\n";
    let dir = with_helper("[dependencies]\nshared = { path = \"../shared\" }\n", "pub use shared::count;\n", main);
    let count = "use std::sync::atomic::{AtomicU8, Ordering};\nstatic COUNT: AtomicU8 = AtomicU8::new(0);\n\
        pub fn count() -> u8 { COUNT.fetch_add(1, Ordering::Relaxed) }\n";
    let manifest = fs::read_to_string(dir.path().join("Cargo.toml")).unwrap() + "shared = { path = \"shared\" }\n";
    let shared = "[package]\nname = \"shared\"\nversion = \"0.1.0\"\nedition = \"2021\"\nlicense = \"MIT\"\n";
    write(dir.path(), &[("shared/Cargo.toml", shared), ("shared/src/lib.rs", count), ("Cargo.toml", &manifest)]);
    let error = bad(dir.path(), &["solo", "--keep", "helper"]);
    assert!(
        error.contains("`helper` uses `shared`, which would be in the program twice; --keep shared as well"),
        "{error}"
    );
    assert_eq!(good(dir.path(), &["solo", "--keep", "helper,shared"]).0, main);
}

#[test]
fn features_are_those_of_the_packages_that_cargo_chooses() {
    let dir = tempfile::tempdir().unwrap();
    let member = |name: &str, feature: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n\
             dep = {{ path = \"../dep\", features = [{feature}] }}\n"
        )
    };
    let dep = "[package]\nname = \"dep\"\nversion = \"0.1.0\"\nedition = \"2021\"\nlicense = \"MIT\"\n[features]\nmore = []\n";
    let main = "fn main() {\n    println!(\"{}\", dep::count());\n}\n";
    write(
        dir.path(),
        &[
            ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"2\"\n"),
            ("one/Cargo.toml", &member("one", "")),
            ("two/Cargo.toml", &member("two", "\"more\"")),
            ("one/src/main.rs", main),
            ("two/src/main.rs", main),
            ("dep/Cargo.toml", dep),
            ("dep/src/lib.rs", "pub fn count() -> u8 { if cfg!(feature = \"more\") { 22 } else { 11 } }\n"),
        ],
    );
    // The first command builds for all members at once, the others for one of them.
    assert!(good(dir.path(), &["one"]).0.contains("if true { 22 }"));
    for words in [&["one", "--package", "one"][..], &["one", "--manifest-path", "one/Cargo.toml"]] {
        assert!(good(dir.path(), words).0.contains("if false { 22 }"), "{words:?}");
    }
}

#[test]
fn the_reason_names_the_crate_that_does_not_compile() {
    let library = "pub fn three() -> u8 {\n    drop(async { 3 });\n    3\n}\n";
    let dir = with_helper("", library, "fn main() {\n    println!(\"{}\", helper::three());\n}\n");
    let (_, err) = good(dir.path(), &["solo"]);
    assert!(err.contains("refused in edition 2015 (helper 0.3.1 does not compile there)"), "{err}");
}

#[test]
fn a_crate_and_parts_of_it_are_imported_at_once() {
    let library = "pub fn three() -> u8 { 3 }\npub fn four() -> u8 { 4 }\n";
    let main = "use helper::{self, four};\n\nfn main() {\n    println!(\"{} {}\", helper::three(), four());\n}\n";
    let (out, _) = good(with_helper("", library, main).path(), &["solo"]);
    assert!(out.starts_with(&main.replace("self, ", "")), "{out}");
}

#[test]
fn what_a_procedural_macro_behind_a_feature_produces_is_written_out() {
    let manifest = "[features]\ndefault = [\"derive\"]\nderive = [\"dep:magic\"]\n\
                    [dependencies]\nmagic = { path = \"../magic\", optional = true }\n";
    let library = "#[cfg(feature = \"derive\")]\npub use magic::*;\npub fn three() -> u8 { 3 }\n";
    let plain = "fn main() {\n    println!(\"{}\", helper::three());\n}\n";
    let dir = with_helper(manifest, library, plain);
    let magic = "[package]\nname = \"magic\"\nversion = \"0.2.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n";
    let source = "use proc_macro::TokenStream;\n#[proc_macro_attribute]\n\
                  pub fn fast(_: TokenStream, item: TokenStream) -> TokenStream { item }\n";
    write(dir.path(), &[("magic/Cargo.toml", magic), ("magic/src/lib.rs", source)]);
    assert!(good(dir.path(), &["solo"]).0.starts_with(plain));
    write(dir.path(), &[("src/main.rs", &format!("use helper::fast;\n\n#[fast]\n{plain}"))]);
    let (out, _) = good(dir.path(), &["solo"]);
    assert!(out.starts_with(plain) && !out.contains("fast"), "{out}");
}

#[test]
fn code_that_a_build_script_writes_is_taken_in() {
    let script = "fn main() {\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(out + \"/made.rs\", \"3\").unwrap();\n}\n";
    let library = "pub fn three() -> u8 { include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\")) }\n";
    let dir = with_helper("", library, "fn main() {\n    println!(\"{}\", helper::three());\n}\n");
    write(dir.path(), &[("helper/build.rs", script)]);
    let (out, _) = good(dir.path(), &["solo"]);
    assert!(out.contains("pub fn three() -> u8 { (3) }"), "{out}");
}

#[test]
fn files_and_variables_that_are_read_while_compiling_are_written_out() {
    let main = "fn main() {\n    println!(\"{} {:?} {} {:?} {:?}\", include_str!(\"a.txt\"), include_bytes!(\"a.txt\"), \
                env!(\"CARGO_PKG_VERSION\"), option_env!(\"SOLO_SET\"), option_env!(\"SOLO_UNSET\"));\n}\n";
    let dir = package("", &[("src/main.rs", main), ("src/a.txt", "a \"b\"\n")]);
    let made = || {
        let output = command(dir.path(), &["solo"]).env("SOLO_SET", "on").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    };
    let (out, _) = made();
    for part in [r#""a \"b\"\n""#, r#"b"a \"b\"\n""#, "\"0.1.0\"", "Some(\"on\")", "None::<&'static str>"] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
    assert!(made().1.contains("from the cache"));
    write(dir.path(), &[("src/a.txt", "c")]);
    let (out, err) = made();
    assert!(out.contains("\"c\"") && !err.contains("from the cache"), "{err}{out}");
}

#[test]
fn what_is_not_proven_is_not_printed() {
    let main = "fn main() {\n    println!(\"{}\", line!());\n}\n";
    let helped = format!("use helper::three;\n{main}").replace("line!()", "line!() + three()");
    let dir = with_helper("", "pub fn three() -> u32 { line!() }\n", &helped);
    let output = command(dir.path(), &["solo"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    let error = text(&output.stderr);
    assert!(error.contains("`helper::three` (helper/src/lib.rs:1)") && error.contains("--unproven"), "{error}");
    let (out, err) = good(dir.path(), &["solo", "--unproven"]);
    assert!(out.starts_with("// NOT PROVEN: ") && err.contains("NOT PROVEN"), "{err}{out}");
    let output = command(dir.path(), &["solo"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "what the cache knows of one call is not taken for another");
    assert!(
        good(dir.path(), &["solo", "--unproven"]).1.contains(" (from the cache); "),
        "a call without --unproven does not remove what the cache has for one with it"
    );
}

#[test]
fn a_method_that_only_a_vtable_needs_is_not_taken_out_and_fetched_back() {
    let library = "pub trait Piece { fn value(&self) -> u8; fn name(&self) -> &str { \"piece\" } }\n\
        pub struct Rook;\nimpl Piece for Rook { fn value(&self) -> u8 { 5 } fn name(&self) -> &str { \"rook\" } }\n\
        pub struct King;\nimpl Piece for King { fn value(&self) -> u8 { 0 } }\n\
        pub fn all() -> Vec<Box<dyn Piece>> { vec![Box::new(Rook), Box::new(King)] }\n";
    let main = "fn main() {\n    println!(\"{}\", helper::all().iter().map(|piece| piece.value()).sum::<u8>());\n}\n";
    let dir = with_helper("", library, main);
    let (out, err) = good(dir.path(), &["solo", "--message-format", "json"]);
    assert!(out.contains("\"rook\""), "{out}");
    assert_eq!(err.matches("\"proving\"").count(), 1, "{err}");
}

#[test]
fn a_script_reads_the_summary_as_json() {
    let dir =
        with_helper("", "pub fn three() -> u8 { 3 }\n", "fn main() {\n    println!(\"{}\", helper::three());\n}\n");
    let (out, err) = good(dir.path(), &["solo", "--message-format", "json"]);
    let summary: serde_json::Value = serde_json::from_str(&err).unwrap();
    assert_eq!(summary["name"], "solo");
    assert_eq!(summary["bytes"], out.len());
    assert_eq!(summary["cached"], false);
    assert!(summary["functions"].as_u64().unwrap() > 2);
    assert_eq!(summary["crates"][0]["name"], "helper");
    assert_eq!(summary["crates"][0]["version"], "0.3.1");
    assert!(summary["crates"][0]["bytes"].as_u64().unwrap() > 10);
    assert!(summary["stages"].as_array().unwrap().iter().all(|stage| stage["seconds"].is_number()));
    let cells = summary["cells"].as_array().unwrap();
    for edition in ["2015", "2018", "2021", "2024"] {
        assert!(cells.iter().any(|cell| cell["edition"] == edition && cell["verdict"] == "same"), "{err}");
    }
    assert!(cells.iter().all(|cell| !cell["path"].as_str().unwrap().is_empty() && cell["reason"].is_string()));
}

#[test]
fn a_script_reads_a_refusal_as_json() {
    let dir =
        with_helper("", "pub fn three() -> u32 { line!() }\n", "\nfn main() { println!(\"{}\", helper::three()); }\n");
    let error = bad(dir.path(), &["--message-format", "json"]);
    let refusal: serde_json::Value = serde_json::from_str(&error).unwrap();
    assert_eq!((&refusal["name"], &refusal["unproven"]), (&"solo".into(), &true.into()), "{error}");
    assert!(refusal["error"].as_str().unwrap().contains("`helper::three`"), "{error}");
    let error = bad(dir.path(), &["other", "--message-format", "json"]);
    let refusal: serde_json::Value = serde_json::from_str(&error).unwrap();
    assert_eq!((&refusal["name"], &refusal["unproven"]), (&"other".into(), &false.into()), "{error}");
}

#[test]
fn when_the_time_is_up_the_rest_stays_and_is_proven() {
    let library = "pub fn three() -> u8 { 3 }\npub fn never() -> u8 { 4 }\n";
    let dir = with_helper("", library, "fn main() {\n    println!(\"{}\", helper::three());\n}\n");
    let (out, err) = good(dir.path(), &["solo", "--seconds", "0"]);
    assert!(out.contains("fn never") && err.contains("functions are the same as in cargo's build"), "{err}{out}");
    assert!(err.contains("there was no time to take out more") && err.contains("helper (0.1 KB)"), "{err}");
    assert!(!good(dir.path(), &["solo"]).0.contains("fn never"));
}

#[test]
fn nothing_stale_is_handed_out() {
    let dir =
        with_helper("", "pub fn three() -> u8 { 3 }\n", "fn main() {\n    println!(\"{}\", helper::three());\n}\n");
    let manifest = |license: &str, edition: &str| {
        format!("[package]\nname = \"helper\"\nversion = \"0.3.1\"\nedition = \"{edition}\"\nlicense = \"{license}\"\n")
    };
    good(dir.path(), &["solo"]);
    assert!(good(dir.path(), &["solo"]).1.contains("from the cache"));
    write(dir.path(), &[("helper/Cargo.toml", &manifest("Zlib", "2021"))]);
    let (out, err) = good(dir.path(), &["solo"]);
    assert!(out.contains("(Zlib)") && !err.contains("from the cache"), "{err}{out}");
    write(dir.path(), &[("helper/Cargo.toml", &manifest("Zlib", "2018"))]);
    assert!(!good(dir.path(), &["solo"]).1.contains("from the cache"));
    // Licence texts are also looked for in the folders above, up to the one that has `.git`.
    write(dir.path(), &[(".git", ""), ("LICENSE", "The zlib text of the folder above.\n")]);
    let (out, err) = good(dir.path(), &["solo"]);
    assert!(out.contains("The zlib text of the folder above.") && !err.contains("from the cache"), "{err}{out}");
    write(dir.path(), &[("helper/LICENSE", "The zlib text of helper.\n")]);
    let (out, err) = good(dir.path(), &["solo"]);
    assert!(out.contains("The zlib text of helper.") && !err.contains("from the cache"), "{err}{out}");
    fs::rename(dir.path().join("helper/LICENSE"), dir.path().join("helper/NOTICE")).unwrap();
    assert!(!good(dir.path(), &["solo"]).1.contains("from the cache"));
    write(dir.path(), &[(".cargo/config.toml", "[build]\nrustflags = [\"--cfg\", \"special\"]\n")]);
    let (_, err) = good(dir.path(), &["solo"]);
    assert!(err.contains("rustflags (--cfg special)") && !err.contains("from the cache"), "{err}");
    for name in ["testdata/solo/1.in", "testdata/solo/1.out"] {
        write(dir.path(), &[(name, "")]);
        assert!(!good(dir.path(), &["solo"]).1.contains("from the cache"), "{name}, which is empty");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_process_left_behind_is_removed() {
    let dir = package("", &[("src/main.rs", ADD)]);
    // No process of Linux has a number as large as five million.
    write(dir.path(), &[("target/paste/work-5000000-0/1/main.rs", ""), ("target/paste/work-1-0/1/main.rs", "")]);
    good(dir.path(), &["solo"]);
    let exists = |name: &str| dir.path().join("target/paste").join(name).exists();
    assert!(!exists("work-5000000-0") && exists("work-1-0"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_folder_behind() {
    let dir =
        with_helper("", "pub fn three() -> u8 { 3 }\n", "fn main() {\n    println!(\"{}\", helper::three());\n}\n");
    let temporary = dir.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    // One folder is there while cargo is asked about its flags, the other one after cargo's build.
    for (folder, start) in [(&temporary, "cargo-paste-"), (&dir.path().join("target/paste"), "work-")] {
        let mut child = command(dir.path(), &["solo"]);
        child.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        let left = || {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(start)).count()
        };
        while left() == 0 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let signalled = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        let status = child.wait().unwrap();
        assert!(signalled.success() && status.code() == Some(130), "{status:?}");
        assert_eq!(left(), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_program_that_is_run() {
    let main = "fn main() {\n    println!(\"started\");\n    loop {}\n}\n";
    let dir = package("", &[("src/main.rs", main), ("testdata/solo/1.in", "")]);
    let mut child = command(dir.path(), &["solo"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // Programs whose file is in the package, as Linux lists them.
    let running = || {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let files = processes.filter_map(|process| fs::read_link(process.path().join("exe")).ok());
        files.filter(|file| file.starts_with(dir.path()) && file.file_stem().is_some_and(|name| name == "solo")).count()
    };
    while running() == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert_eq!(running(), 1);
    let signalled = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    assert!(signalled.success() && status.code() == Some(130), "{status:?}");
    // The system may take a moment to end it.
    while running() > 0 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_the_folder_that_it_is_in_is_not_followed() {
    let dir = package(
        "[dependencies]\nmade = { path = \"made\" }\n",
        &[
            ("src/main.rs", "fn main() {\n    println!(\"{}\", made::three!());\n}\n"),
            (
                "made/Cargo.toml",
                "[package]\nname = \"made\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n",
            ),
            (
                "made/src/lib.rs",
                "use proc_macro::TokenStream;\n#[proc_macro]\npub fn three(_: TokenStream) -> TokenStream {\n    \
                 \"3\".parse().unwrap()\n}\n",
            ),
        ],
    );
    for name in ["one", "two"] {
        std::os::unix::fs::symlink(".", dir.path().join("made/src").join(name)).unwrap();
    }
    good(dir.path(), &["solo"]);
}

#[test]
fn a_crate_from_git_comes_with_its_commit() {
    let git = |dir: &Path, words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(dir).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let upstream = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"helper\"\nversion = \"0.3.1\"\nedition = \"2021\"\nlicense = \"MIT\"\n";
    write(upstream.path(), &[("Cargo.toml", manifest), ("src/lib.rs", "pub fn three() -> u8 { 3 }\n")]);
    git(upstream.path(), &["init", "--quiet"]);
    git(upstream.path(), &["add", "."]);
    let who = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
    git(upstream.path(), &[&who[..], &["commit", "--quiet", "-m", "Start"]].concat());
    let commit = git(upstream.path(), &["rev-parse", "HEAD"]);
    let home = tempfile::tempdir().unwrap();
    let dependency = format!("[dependencies]\nhelper = {{ git = \"file://{}\" }}\n", upstream.path().display());
    let dir = package(&dependency, &[("src/main.rs", "fn main() {\n    println!(\"{}\", helper::three());\n}\n")]);
    let mut command = command(dir.path(), &["solo"]);
    let output = command.env("CARGO_HOME", home.path()).env("CARGO_NET_OFFLINE", "false").output().unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success() && out.contains(&commit[..12]), "{err}{out}");
}

#[test]
fn a_picture_for_the_documentation_is_left_out_and_comments_are_not() {
    let main =
        format!("//! Text.\n//!\n#![cfg_attr(doc, doc = include_str!(\"picture.svg\"))]\n// A comment.\n\n{ADD}");
    let dir = package("", &[("src/main.rs", &main)]);
    assert_eq!(good(dir.path(), &["solo"]).0, format!("//! Text.\n// A comment.\n\n{ADD}"));
}

#[test]
fn what_a_solution_forbids_itself_is_not_asked_of_crates() {
    let main = "//! Text.\n\nfn main() {\n    println!(\"{}\", helper::three());\n}\n";
    let library = "pub fn three() -> u8 { let x = 3_u8; unsafe { *(&x as *const u8) } }\n";
    let strict = format!("#![forbid(unsafe_code)]\n#![deny(missing_docs, unused)]\n{main}");
    let (out, err) = good(with_helper("", library, &strict).path(), &["solo"]);
    assert!(out.starts_with(main), "{err}{out}");
}

#[test]
fn features_that_a_binary_requires_are_on() {
    let manifest = "[features]\nextra = [\"dep:nick\"]\n[[bin]]\nname = \"solo\"\nrequired-features = [\"extra\"]\n\
                    path = \"src/main.rs\"\n[dependencies]\n\
                    nick = { path = \"helper\", package = \"helper\", optional = true }\n";
    let helper = "[package]\nname = \"helper\"\nversion = \"0.3.1\"\nedition = \"2021\"\n[lib]\nname = \"other\"\n";
    let main = "fn main() {\n    println!(\"{}\", nick::three());\n}\n";
    let files = [
        ("helper/Cargo.toml", helper),
        ("helper/src/lib.rs", "pub fn three() -> u8 { 3 }\n"),
        ("src/main.rs", main),
        ("testdata/solo/a.in", ""),
        ("testdata/solo/a.out", "3\n"),
    ];
    let (out, err) = good(package(manifest, &files).path(), &["solo", "--check"]);
    assert!(out.contains("mod nick {") && err.contains("1 of 1"), "{out}{err}");
}

#[test]
fn an_example_may_use_what_only_tests_and_examples_can() {
    let helper = "[package]\nname = \"helper\"\nversion = \"0.3.1\"\nedition = \"2021\"\n";
    let main = "fn main() {\n    println!(\"{}\", helper::three());\n}\n";
    let files = [
        ("helper/Cargo.toml", helper),
        ("helper/src/lib.rs", "pub fn three() -> u8 { 3 }\n"),
        ("src/lib.rs", ""),
        ("examples/show.rs", main),
    ];
    let dir = package("[dev-dependencies]\nhelper = { path = \"helper\" }\n", &files);
    assert!(good(dir.path(), &["show"]).0.contains("mod helper {"));
}

#[test]
fn what_a_macro_or_a_build_script_made_is_not_kept_when_a_file_comes_back_with_its_old_time() {
    let package_called =
        |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let manifest = package_called("made") + "[lib]\nproc-macro = true\n[dependencies]\nunit = { path = \"../unit\" }\n";
    let source = |number: u8| {
        format!(
            "use proc_macro::TokenStream;\n#[proc_macro]\n\
             pub fn number(_: TokenStream) -> TokenStream {{ format!(\"{number}{{}}\", unit::UNIT).parse().unwrap() }}\n"
        )
    };
    let script = "fn main() {\n    println!(\"cargo:rerun-if-changed=word.txt\");\n    \
                  println!(\"cargo:rustc-env=WORD={}\", std::fs::read_to_string(\"word.txt\").unwrap());\n}\n";
    let main = "fn main() {\n    println!(\"{} {}\", made::number!(), env!(\"WORD\"));\n}\n";
    let files = [
        ("made/Cargo.toml", manifest.as_str()),
        ("made/src/lib.rs", &source(1)),
        ("unit/Cargo.toml", &package_called("unit")),
        ("unit/src/lib.rs", "pub const UNIT: &str = \"u8\";\n"),
        ("build.rs", script),
        ("word.txt", "one"),
        ("src/main.rs", main),
    ];
    let dir = package("[dependencies]\nmade = { path = \"made\" }\n", &files);
    let first = good(dir.path(), &[]).0;
    assert!(first.contains("1u8, \"one\""), "{first}");
    for (file, now, shown) in [
        ("made/src/lib.rs", source(2), "2u8, \"one\""),
        ("unit/src/lib.rs", "pub const UNIT: &str = \"u16\";\n".to_owned(), "1u16, \"one\""),
        ("word.txt", "two".to_owned(), "1u8, \"two\""),
    ] {
        let path = dir.path().join(file);
        let (text, time) = (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
        fs::write(&path, now).unwrap();
        assert!(good(dir.path(), &[]).0.contains(shown));
        fs::write(&path, text).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        assert_eq!(good(dir.path(), &[]).0, first, "{file}");
    }
}

#[test]
fn what_is_built_is_not_built_again() {
    let manifest = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[build-dependencies]\n{more}")
    };
    let files = [
        ("src/main.rs", "fn main() {\n    println!(\"{}\", scripted::SET);\n}\n"),
        ("scripted/Cargo.toml", &manifest("scripted", "tool = { path = \"../tool\" }\n")),
        ("scripted/build.rs", "fn main() {\n    println!(\"cargo:rustc-env=SET={}\", tool::three());\n}\n"),
        ("scripted/src/lib.rs", "pub const SET: &str = env!(\"SET\");\n"),
        ("tool/Cargo.toml", &manifest("tool", "")),
        ("tool/src/lib.rs", "pub fn three() -> u8 { 3 }\n"),
    ];
    let dir = package("[dependencies]\nscripted = { path = \"scripted\" }\n", &files);
    let built = || -> Vec<_> {
        let folders = fs::read_dir(dir.path().join("target/paste")).unwrap().flatten().map(|entry| entry.path());
        let build = folders.into_iter().find(|path| path.to_string_lossy().contains("build-")).unwrap();
        let systems = fs::read_dir(&build).unwrap().flatten().map(|entry| entry.path().join("release/deps"));
        let files = systems.filter(|deps| deps.is_dir()).flat_map(|deps| fs::read_dir(deps).unwrap().flatten());
        let mut times: Vec<_> =
            files.map(|file| (file.file_name(), file.metadata().unwrap().modified().unwrap())).collect();
        times.sort();
        times
    };
    good(dir.path(), &[]);
    let first = built();
    assert!(first.iter().any(|(name, _)| name.to_string_lossy().starts_with("libscripted")), "{first:?}");
    fs::remove_file(dir.path().join("target/paste/solo.json")).unwrap();
    good(dir.path(), &[]);
    assert_eq!(built(), first);
    good(dir.path(), &["--fresh"]);
    assert_ne!(built(), first);
}

#[test]
fn what_runs_while_compiling_runs_again_in_another_environment() {
    let read = "std::env::var(\"MODE\").unwrap()";
    let made = "[package]\nname = \"made\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n";
    let files = [
        ("src/main.rs", "fn main() {\n    println!(\"{} {}\", env!(\"SET\"), made::mode!());\n}\n"),
        ("build.rs", &format!("fn main() {{ println!(\"cargo:rustc-env=SET={{}}\", {read}); }}\n")),
        ("made/Cargo.toml", made),
        (
            "made/src/lib.rs",
            &format!(
                "use proc_macro::*;\n#[proc_macro]\npub fn mode(_: TokenStream) -> TokenStream {{\n\
                 TokenTree::from(Literal::string(&{read})).into()\n}}\n"
            ),
        ),
    ];
    let dir = package("[dependencies]\nmade = { path = \"made\" }\n", &files);
    for mode in ["one", "two"] {
        let output = command(dir.path(), &[]).env("MODE", mode).output().unwrap();
        let wanted = format!("\"{mode}\", \"{mode}\"");
        assert!(text(&output.stdout).contains(&wanted), "{}{}", text(&output.stdout), text(&output.stderr));
    }
}

#[test]
fn the_work_is_done_again_where_cargo_sees_no_change() {
    let files = [
        ("solo/Cargo.toml", "[package]\nname = \"solo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n"),
        ("solo/src/main.rs", "fn main() {\n    println!(\"{}\", env!(\"SET\"));\n}\n"),
        (
            "solo/build.rs",
            "fn main() { println!(\"cargo:rustc-env=SET={}\", std::fs::read_to_string(\"../outside\").unwrap()); }\n",
        ),
        ("outside", "one"),
    ];
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files);
    let solo = dir.path().join("solo");
    assert!(good(&solo, &[]).0.contains("\"one\""));
    write(dir.path(), &[("outside", "two")]);
    assert!(good(&solo, &["--fresh"]).0.contains("\"two\""));
}

#[test]
fn a_folder_may_have_braces_in_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"solo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    write(dir.path(), &[("{y}/Cargo.toml", manifest), ("{y}/src/main.rs", ADD)]);
    assert_eq!(good(&dir.path().join("{y}"), &[]).0, ADD);
}

#[test]
fn a_wrapper_of_the_user_s_is_not_called() {
    let settings = "[build]\nrustc-wrapper = \"nobody-has-this\"\nrustc-workspace-wrapper = \"nor-this\"\n";
    let dir = package("", &[("src/main.rs", ADD), (".cargo/config.toml", settings)]);
    assert_eq!(good(dir.path(), &[]).0, ADD);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let dir = package("", &[("src/main.rs", ADD), ("src/bin/core.rs", ADD)]);
    for words in [&["solo", "--seconds", "18446744073709551615"][..], &["solo", "--keep", "helper,"]] {
        assert_eq!(command(dir.path(), words).output().unwrap().status.code(), Some(2), "{words:?}");
    }
    assert_eq!(
        bad(dir.path(), &["core"]),
        "error: core: the program is called like a crate of the standard library; give it another name\n"
    );
}
