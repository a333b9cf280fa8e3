//! Procedural macros, written out: small packages with macros of their own, and programs with those of real crates.
//!
//! The latter are slow and only run when asked for: `cargo test -p cargo-paste --test macros -- --ignored`.

mod support;

use std::path::Path;
use std::process::Command;

use support::{CASE, Case, Lib, lib};

/// A crate of procedural macros that need no other crate.
const fn macros<'a>(edition: &'a str, source: &'a str) -> Lib<'a> {
    Lib { name: "made", edition, manifest: "[lib]\nproc-macro = true\n", source }
}

/// Macros of every kind. They work on text, which is enough here.
const MADE: &str = r##"
use proc_macro::{TokenStream, TokenTree};

fn name(item: &TokenStream) -> String {
    let mut words = item.clone().into_iter().map(|tree| tree.to_string());
    words.find(|word| word == "struct" || word == "enum" || word == "fn");
    words.next().unwrap()
}

/// A list of squares.
#[proc_macro]
pub fn squares(input: TokenStream) -> TokenStream {
    let count: u64 = input.to_string().trim().parse().unwrap();
    let list: Vec<String> = (0..count).map(|i| (i * i).to_string()).collect();
    format!("[{}]", list.join(", ")).parse().unwrap()
}

#[proc_macro]
pub fn function(input: TokenStream) -> TokenStream {
    format!("fn {input}() -> &'static str {{ \"{input}\" }}").parse().unwrap()
}

/// Functions, and how many there are.
#[proc_macro]
pub fn functions(input: TokenStream) -> TokenStream {
    let count = input.to_string().matches("fn ").count();
    format!("pub const COUNT: usize = {count}; {input}").parse().unwrap()
}

#[proc_macro]
pub fn variable(input: TokenStream) -> TokenStream {
    format!("let {input} = 40; let mut {input} = {input} + 1; {input} += 1;").parse().unwrap()
}

#[proc_macro]
pub fn sum(input: TokenStream) -> TokenStream {
    input.to_string().replace(',', "+").parse().unwrap()
}

/// Says what is called.
#[proc_macro_attribute]
pub fn loud(_: TokenStream, item: TokenStream) -> TokenStream {
    let name = name(&item);
    let trees: Vec<TokenTree> = item.into_iter().collect();
    let (body, head) = trees.split_last().unwrap();
    let head: TokenStream = head.iter().cloned().collect();
    format!("{head} {{ println!(\"{{}}\", \"{name}\"); let result = {body}; result }}").parse().unwrap()
}

/// Adds a function that counts what is in the braces.
#[proc_macro_attribute]
pub fn counted(args: TokenStream, item: TokenStream) -> TokenStream {
    let count = item.to_string().matches(',').count();
    format!("{item} fn count_{}() -> usize {{ {count} + {args} }}", name(&item).to_lowercase()).parse().unwrap()
}

/// Changes nothing.
#[proc_macro_attribute]
pub fn mark(_attr: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Uses another macro in what it makes.
#[proc_macro_attribute]
pub fn twice(_: TokenStream, item: TokenStream) -> TokenStream {
    format!("#[made::loud] {item} #[derive(made::Named)] struct Twice;").parse().unwrap()
}

/// The name and the titles.
#[proc_macro_derive(Named, attributes(title))]
pub fn named(item: TokenStream) -> TokenStream {
    let titles = item.to_string().matches("title").count();
    let name = name(&item);
    format!("impl {name} {{ pub fn named() -> (&'static str, usize) {{ (\"{name}\", {titles}) }} }}").parse().unwrap()
}

/// Implements a trait of `shapes` that has the same name.
#[cfg_attr(not(test), proc_macro_derive(Area))]
pub fn area(item: TokenStream) -> TokenStream {
    format!("impl ::shapes::Area for {} {{ fn area(&self) -> u32 {{ self.0 * self.1 }} }}", name(&item)).parse().unwrap()
}
"##;

#[test]
fn a_closure_that_an_older_macro_made_captures_what_it_did() {
    let source = "use proc_macro::TokenStream;\n#[proc_macro]\npub fn first(_: TokenStream) -> TokenStream { \"(|| pair.0 + 1)()\".parse().unwrap() }";
    let main = "fn main() { let pair = (1_u32, String::from(\"x\")); println!(\"{} {}\", made::first!(), pair.1); }";
    for edition in ["2021", "2024"] {
        Case { edition, main, libs: &[macros("2018", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_macro_asks_how_it_is_compiled() {
    let source = "use proc_macro::TokenStream;\n#[proc_macro]\npub fn asked(_: TokenStream) -> TokenStream {\n\
        let known = [option_env!(\"RUSTC_WRAPPER\"), option_env!(\"RUSTC\"), option_env!(\"CARGO_PASTE_WRAPS_RUSTC\")];\n\
        format!(\"{}\", known.iter().flatten().count()).parse().unwrap() }";
    let main = "fn main() { println!(\"{}\", made::asked!()); }";
    Case { main, libs: &[macros("2021", source)], ..CASE }.is_pasted();
}

#[test]
fn an_older_macro_makes_a_closure_around_a_newer_closure() {
    let source = r#"
use proc_macro::{Delimiter, Group, TokenStream, TokenTree};
#[proc_macro_attribute]
pub fn inside(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = item.into_iter().collect();
    let body = trees.pop().unwrap();
    let mut closure: TokenStream = "||".parse().unwrap();
    closure.extend([body]);
    let group = |delimiter, inside| TokenTree::Group(Group::new(delimiter, inside));
    let call = [group(Delimiter::Parenthesis, closure), group(Delimiter::Parenthesis, TokenStream::new())];
    trees.push(group(Delimiter::Brace, call.iter().cloned().collect()));
    trees.into_iter().collect()
}
"#;
    let main = "#[made::inside]\nfn best(from: usize, to: usize, costs: &[u32]) -> u32 {\n    \
        (from..to).map(|i| costs[i] + costs[to] - costs[from]).min().unwrap_or(0)\n}\n\
        fn main() { println!(\"{}\", best(1, 3, &[4, 1, 5, 9])); }";
    for edition in ["2021", "2024"] {
        Case { edition, main, libs: &[macros("2018", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn function_like_macros_are_written_out_wherever_they_may_stand() {
    let main = r#"
use made::{function, squares, sum, variable};

function!(hello);

struct Board;
impl Board {
    made::function! { board }
}

fn main() {
    let list = squares!(6);
    variable!(x);
    function! { inner }
    println!("{} {} {:?}", hello(), Board::board(), list);
    println!("{} {} {}", x, inner(), 2 * sum!(1, 2, 3));
    let value = { sum!(x, 1) };
    println!("{value} {}", match value { 43 => squares![2][1], _ => 7 });
}
"#;
    Case { main, libs: &[macros("2021", MADE)], ..CASE }.is_pasted();
}

#[test]
fn attributes_are_written_out_alone_and_together() {
    let main = r#"
use made::counted;
use made::{loud, mark};

#[loud]
fn one(x: i32) -> i32 {
    // stays as written
    x  +  1
}

/// Both.
#[counted(10)]
#[derive(Debug, Clone)]
#[allow(dead_code)]
struct Pair { a: i32, b: i32, }

#[derive(Debug)]
#[counted(20)]
#[mark]
enum Way { Up, Down, }

struct Holder(i32);
impl Holder {
    #[made::loud]
    fn get(&self) -> i32 { self.0 }
    #[mark]
    fn plain(&self) -> i32 { -self.0 }
}

#[mark]
#[loud]
#[mark]
fn two() -> Vec<&'static str> { vec!["a
    b", r"c"] }

#[mark]
mod inside {
    #[super::mark]
    pub const X: [u8; 2] = { [1, 2] };
}

fn main() {
    println!("{} {:?} {:?}", one(1), Pair { a: 1, b: 2 }.clone(), (Way::Up, Way::Down));
    println!("{} {} {:?} {:?}", count_pair(), count_way(), two(), inside::X);
    println!("{} {}", Holder(3).get(), Holder(3).plain());
}
"#;
    Case { main, libs: &[macros("2018", MADE)], ..CASE }.is_pasted();
}

#[test]
fn derives_may_have_attributes_of_their_own() {
    let main = r#"
use made::Named;

#[derive(Debug, Named, Clone, Default)]
#[title = "x"]
enum Kind {
    #[title("a")]
    A { #[title] value: i32 },
    #[default]
    B,
}

#[derive(Named)]
struct Alone<const N: usize = { 1 + 2 }>([u8; N]);
impl Alone<3> { fn size(&self) -> usize { self.0.len() } }

#[derive(made::Named)] struct Third;

fn main() {
    println!("{:?} {:?} {:?}", Kind::named(), Kind::A { value: 1 }.clone(), Kind::default());
    println!("{:?} {:?} {}", Alone::named(), Third::named(), Alone([1, 2, 3]).size());
}
"#;
    // `Named` writes `impl Alone` without parameters, so `N` has a default.
    Case { main, libs: &[macros("2021", MADE)], ..CASE }.is_pasted();
}

#[test]
fn macros_in_a_library_and_in_its_exported_macro_are_written_out() {
    let library = Lib {
        name: "library",
        edition: "2018",
        manifest: "[dependencies]\nmade = { path = \"../made\" }\n",
        source: r"
pub use made::Named;
pub use made::*;
mod types {
    use made::{loud, Named};
    /// Docs.
    #[derive(Debug, Named)]
    pub struct Stone {
        /// More docs.
        #[title]
        pub x: i32,
    }
    #[loud]
    pub fn stone(x: i32) -> Stone { Stone { x } }
    #[derive(Named)]
    pub struct Unused;
}
pub use types::{stone, Stone};
#[macro_export]
macro_rules! make_one {
    ($name:ident) => {
        #[derive($crate::Named)]
        struct $name;
    };
}
",
    };
    let main = r#"
use library::{mark, stone, Named, Stone};
#[mark]
#[derive(Named)]
struct Own;
library::make_one!(Made);
fn main() {
    println!("{:?} {:?} {:?} {:?}", stone(4), Stone::named(), Own::named(), Made::named());
}
"#;
    Case { main, libs: &[macros("2021", MADE), library], ..CASE }.is_pasted();
}

#[test]
fn macros_in_what_macros_make_are_written_out() {
    let main = r#"
macro_rules! wrapped {
    ($($item:item)*) => { $($item)* };
}
macro_rules! one {
    () => {
        #[made::loud]
        fn from_one() -> i32 { made::sum!(1, 2) }
    };
}
wrapped! {
    #[derive(made::Named, Debug)]
    struct Inside { #[title] x: i32 }
}
one!();

#[made::twice]
fn both() -> i32 { 5 }

fn main() {
    println!("{:?} {:?} {} {} {:?}", Inside::named(), Inside { x: 1 }, from_one(), both(), Twice::named());
}
"#;
    Case { main, libs: &[macros("2021", MADE)], ..CASE }.is_pasted();
}

#[test]
fn a_macro_and_a_trait_may_have_one_name() {
    let shapes = Lib {
        name: "shapes",
        edition: "2021",
        manifest: "[dependencies]\nmade = { path = \"../made\" }\n",
        source: "pub use made::Area;\npub trait Area { fn area(&self) -> u32; }\n",
    };
    let main = "use shapes::Area;\n#[derive(Area)]\nstruct Rectangle(u32, u32);\n\
        fn main() { println!(\"{}\", Rectangle(6, 7).area()); }\n";
    Case { main, libs: &[macros("2021", MADE), shapes], ..CASE }.is_pasted();
}

#[test]
fn macros_of_edition_2015_may_be_made_by_a_macro() {
    let source = r#"
extern crate proc_macro;
use proc_macro::TokenStream;
macro_rules! export {
    ($name:ident, $function:ident, $($helper:ident),*) => {
        #[proc_macro_derive($name, attributes($($helper),*))]
        pub fn $function(item: TokenStream) -> TokenStream {
            let text = item.to_string();
            if text.is_empty() { return TokenStream::new(); }
            "impl ::Answer for Question { fn answer(&self) -> u32 { 42 } }".parse().unwrap()
        }
    };
}
export!(Answer, derive_answer, hint, other);
"#;
    let main = "#[macro_use]\nextern crate made;\npub trait Answer { fn answer(&self) -> u32; }\n\
        #[derive(Answer)]\n#[hint = \"6 * 7\"]\nstruct Question;\n\
        fn main() { println!(\"{}\", Question.answer()); }\n";
    Case { main, edition: "2015", libs: &[macros("2015", source)], ..CASE }.is_pasted();
}

#[test]
fn a_call_in_a_macro_is_given_something_else_each_time() {
    let library = Lib {
        name: "library",
        edition: "2018",
        manifest: "[dependencies]\nmade = { path = \"../made\" }\n",
        source: r"
pub use made;
#[macro_export]
macro_rules! total { ($($number:tt),*) => { $crate::made::sum!($($number),*) }; }
macro_rules! module { ($module:ident, $($name:ident)*) => {
    pub mod $module {
        made::functions! {
            $(
                /// Docs.
                pub fn $name() -> &'static str { stringify!($name) }
            )*
        }
    }
}; }
module!(colours, black white);
module!(sizes, large);
pub fn own() -> i32 { total!(4, 5) }
",
    };
    let main = r#"
macro_rules! list { ($count:tt) => { made::squares!($count) }; }
macro_rules! named { ($($name:ident),*) => { $( made::function!($name); )* }; }
named!(one, two);
fn main() {
    println!("{} {} {:?} {:?}", one(), two(), list!(2), list!(3));
    println!("{} {} {}", library::total!(1, 2), library::total!(3), library::own());
    println!("{} {} {}", library::colours::COUNT, library::sizes::COUNT, library::colours::white());
}
"#;
    Case { main, libs: &[macros("2021", MADE), library], ..CASE }.is_pasted();
}

#[test]
fn a_macro_that_makes_something_else_each_time_is_right_or_refused() {
    let main = r#"
macro_rules! types {
    ($($name:ident),*) => { $(#[derive(made::Named)] struct $name;)* };
}
types!(First, Second);
fn main() { println!("{:?} {:?}", First::named(), Second::named()); }
"#;
    Case { main, libs: &[macros("2021", MADE)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_macro_that_sees_how_the_compiler_was_called_is_right_or_refused() {
    let main = "fn main() { println!(\"{}\", made::seen!()); }\n";
    for seen in
        ["args().count()", "args_os().count()", "vars().count()", "vars_os().map(|it| it.0.len()).sum::<usize>()"]
    {
        let source = format!(
            "use proc_macro::TokenStream;\nuse std::env::*;\n\
             #[proc_macro]\npub fn seen(_: TokenStream) -> TokenStream {{ {seen}.to_string().parse().unwrap() }}"
        );
        Case { main, libs: &[macros("2021", &source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_macro_that_is_exported_by_a_macro_of_another_file_is_right_or_refused() {
    let main = "fn main() { println!(\"{}\", made::seen!()); }\n";
    let make = "macro_rules! make { ($name:ident) => { #[proc_macro]\npub fn $name(_: proc_macro::TokenStream) -> proc_macro::TokenStream \
        { std::env::vars().count().to_string().parse().unwrap() } } }\n";
    let libs = [macros("2021", "#[macro_use] mod make;\nmake!(seen);\n")];
    Case { main, libs: &libs, files: &[("made/src/make.rs", make)], ..CASE }.is_right_or_refused();
}

#[test]
fn the_edition_of_a_macro_says_nothing_about_the_crates_beside_it() {
    // An array gives references in edition 2018, and the macro is of 2021.
    let source = "pub trait Kind { fn kind(&self) -> &'static str; }\nimpl Kind for u8 { fn kind(&self) -> &'static str { \"value\" } }\n\
        impl<'a> Kind for &'a u8 { fn kind(&self) -> &'static str { \"reference\" } }\nfn name<T: Kind>(item: T) -> &'static str { item.kind() }\n\
        #[allow(array_into_iter)] pub fn kinds() -> Vec<&'static str> { [1u8, 2].into_iter().map(name).collect() }";
    let main = "#[derive(made::Named)] struct First;\nfn main() { println!(\"{:?} {:?}\", First::named(), arrays::kinds()); }\n";
    let libs = [macros("2021", MADE), lib("arrays", "2018", source)];
    Case { edition: "2018", main, libs: &libs, ..CASE }.is_pasted();
}

#[test]
fn a_crate_that_only_hands_on_macros_may_do_more() {
    let facade = "pub use made::*;\nextern \"C\" fn start() { println!(\"started\"); }\n\
        #[used] #[link_section = \".init_array\"] static START: extern \"C\" fn() = start;";
    let facade = Lib { manifest: "[dependencies]\nmade = { path = \"../made\" }\n", ..lib("facade", "2021", facade) };
    for main in [
        "#[derive(facade::Named)] struct First;\nfn main() { println!(\"{:?}\", First::named()); }\n",
        "fn main() { println!(\"{:?}\", facade::squares!(3)); }\n",
    ] {
        Case { main, libs: &[facade, macros("2021", MADE)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_crate_without_macros_does_not_notice() {
    let main = "fn main() { println!(\"{}\", plain::three()); }\n";
    let plain = lib("plain", "2021", "pub fn three() -> u32 { 3 }");
    Case { main, libs: &[macros("2021", MADE), plain], ..CASE }.is_pasted();
}

/// Pastes a program with real crates, compiles it as a judge does, and runs it. `part` must stand in it.
#[track_caller]
fn holds(name: &str, input: &str, output: &str, part: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/produced");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-paste"));
    let pasted = command.args(["paste", name, "--fresh"]).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&pasted.stderr);
    assert!(pasted.status.success(), "{said}");
    let text = String::from_utf8(pasted.stdout).unwrap();
    assert!(text.contains(part), "{text}");
    let dir = tempfile::tempdir().unwrap();
    let (source, program, stdin) =
        (dir.path().join("program.rs"), dir.path().join("program"), dir.path().join("input"));
    std::fs::write(&source, text).unwrap();
    std::fs::write(&stdin, input).unwrap();
    let built = Command::new("rustc").args(["--edition", "2021", "-O", "-o"]).arg(&program).arg(&source).status();
    assert!(built.unwrap().success());
    let found = Command::new(&program).stdin(std::fs::File::open(&stdin).unwrap()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), output);
}

const FAST: &str = "3 -1\nPair(7, Point { x: 8, y: 9 })\nSome(Point { x: 2, y: 1 })\n";

#[test]
#[ignore = "slow"]
fn proconio_0_3() {
    holds("fast_03", "2\n1 -2\n2 1\n7 8 9\n", FAST, "// written out: #[fastout]");
}

#[test]
#[ignore = "slow"]
fn proconio_0_4() {
    holds("fast_04", "2\n1 -2\n2 1\n7 8 9\n", FAST, "// written out: #[derive_readable]");
}

#[test]
#[ignore = "slow"]
fn proconio_0_5() {
    holds("fast_05", "2\n1 -2\n2 1\n7 8 9\n", FAST, "    // The sum of all of them.\n    let x: i64 =");
}

#[test]
#[ignore = "slow"]
fn proconio_0_6() {
    holds("fast_06", "2\n1 -2\n2 1\n7 8 9\n", FAST, "use proconio::input;\n");
}

#[test]
#[ignore = "slow"]
fn memoise() {
    holds("memory", "10 12\n", "646646\n19\n", "// written out: #[memoise_map]");
}

#[test]
#[ignore = "slow"]
fn easy_ext() {
    holds("extended", "4\n1 12 345 6\n", "1 7\n", "// written out: #[ext]");
}

#[test]
#[ignore = "slow"]
fn thiserror() {
    let output = "7\n`x` is no number: true\n200 is too large, at most 100: false\nnothing to read\n";
    holds("errors", "7 x 200\n", output, "// written out: #[derive(Error)]");
}

#[test]
#[ignore = "slow"]
fn derive_more() {
    let output = "Vector { x: 6, y: 10 }\n<7> 7 up to <7> down\n";
    holds("derived", "2\n1 2\n3 4\n", output, "// written out: #[derive(Display)]");
}

#[test]
#[ignore = "slow"]
fn cargo_snippet() {
    holds("snippets", "4 6 10\n", "60\n", "\nfn gcd(a: u64, b: u64) -> u64 {\n    // Euclid's\n");
}

#[test]
#[ignore = "slow"]
fn strum_and_num_derive_and_derive_new() {
    let output = "Some(Stone { colour: Red, moves: 0 })\nSome(Stone { colour: Blue, moves: 0 })\nNone\n3 [0, 1, 7]\n\
        Some(Blue) None\n";
    holds("named", "red b x\n", output, "// written out: #[derive(new)]");
}
