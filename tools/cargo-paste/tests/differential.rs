//! Random programs, each with a random library: cargo's build and the paste must print the same in every claimed cell.
//!
//! `DIFFERENTIAL=N` makes N programs, by default 12; `DIFFERENTIAL_SEED=S` starts with number S. A number gives the
//! same program on every machine.

mod support;

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use support::{CASE, Case, lib};

const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];

/// Names that other enums, and `Option` and `Result`, have too.
const VARIANTS: [&str; 12] =
    ["None", "Some", "Ok", "Err", "Wall", "Free", "North", "South", "Left", "Idle", "Done", "Less"];

/// A linear congruential generator: its high bits are random enough for this.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// True once in `of` times.
    fn once_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// `count` different ones, in a random order.
    fn some<T: Clone>(&mut self, from: &[T], count: usize) -> Vec<T> {
        let mut left = from.to_vec();
        (0..count.min(from.len())).map(|_| left.remove(self.below(left.len()))).collect()
    }
}

/// A type of the library: where it is and how values of it are made.
#[derive(Clone)]
struct Type {
    path: String,
    values: Vec<String>,
    /// Whether it can be copied, compared, hashed and printed.
    plain: bool,
}

/// A program in the making.
struct Program {
    random: Random,
    /// Whether the solution may have code whose meaning depends on the edition.
    sensitive: bool,
    /// Whether the library may.
    lib_sensitive: bool,
    lib: String,
    /// Statements of the solution. Each of them prints something.
    statements: Vec<String>,
    types: Vec<Type>,
    names: usize,
}

impl Program {
    fn number(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    /// Puts an item into the library, at its root or in a module, and says where it is.
    fn item(&mut self, name: &str, text: &str) -> String {
        match self.random.below(3) {
            0 => {
                let _ = writeln!(self.lib, "{text}");
                format!("gen_lib::{name}")
            }
            1 => {
                let module = format!("m{}", self.number());
                let _ = writeln!(self.lib, "pub mod {module} {{\n{text}}}");
                format!("gen_lib::{module}::{name}")
            }
            _ => {
                let (module, inner) = (format!("m{}", self.number()), format!("n{}", self.number()));
                let _ = writeln!(
                    self.lib,
                    "mod {module} {{ pub mod {inner} {{\n{text}}} pub use self::{inner}::*; }}\npub use self::{module}::*;"
                );
                format!("gen_lib::{name}")
            }
        }
    }

    fn say(&mut self, statement: String) {
        self.statements.push(statement);
    }

    /// An enum of which the program makes only some variants.
    fn an_enum(&mut self) {
        let name = format!("Enum{}", self.number());
        let count = 3 + self.random.below(4);
        let variants = self.random.some(&VARIANTS, count);
        let unit = self.random.once_in(2);
        let mut list = String::new();
        let mut arms = String::new();
        let mut values = Vec::new();
        for (place, variant) in variants.iter().enumerate() {
            let weight = self.random.below(90);
            if unit {
                let number = if self.random.once_in(3) { format!(" = {}", place * 10 + 5) } else { String::new() };
                let _ = write!(list, "{variant}{number}, ");
                values.push(format!("{name}::{variant}"));
                let _ = write!(arms, "{name}::{variant} => {weight}, ");
            } else {
                match self.random.below(3) {
                    0 => {
                        let _ = write!(list, "{variant}, ");
                        let _ = write!(arms, "{name}::{variant} => {weight}, ");
                        values.push(format!("{name}::{variant}"));
                    }
                    1 => {
                        let _ = write!(list, "{variant}(u8, i64), ");
                        let _ = write!(arms, "{name}::{variant}(a, b) => {weight} + *a as i64 - *b, ");
                        values.push(format!(
                            "{name}::{variant}({}, {})",
                            self.random.below(200),
                            self.random.below(99)
                        ));
                    }
                    _ => {
                        let _ = write!(list, "{variant} {{ size: u32 }}, ");
                        let _ = write!(arms, "{name}::{variant} {{ size }} => {weight} * *size as i64, ");
                        values.push(format!("{name}::{variant} {{ size: {} }}", self.random.below(50)));
                    }
                }
            }
        }
        let bare = if unit && self.random.once_in(2) {
            // All variants but the last have an arm of their own.
            let shown = variants.len() - 1;
            let mut arms = String::new();
            for (place, variant) in variants.iter().take(shown).enumerate() {
                let _ = write!(arms, "{name}::{variant} => {place}, ");
            }
            format!("    pub fn group(self) -> i64 {{ match self {{ {arms}_ => -1 }} }}\n")
        } else {
            "    pub fn group(self) -> i64 { 0 }\n".to_owned()
        };
        let as_number = if unit { "    pub fn number(self) -> i64 { self as i64 }\n" } else { "" };
        let text = format!(
            "#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum {name} {{ {list}}}\n\
             impl {name} {{\n    pub fn score(&self) -> i64 {{ match self {{ {arms}}} }}\n{bare}{as_number}    \
             pub fn never(&self) -> bool {{ *self == {} }}\n}}\n",
            self.random.pick(&values)
        );
        let path = self.item(&name, &text);
        let used = 1 + self.random.below(values.len() - 1);
        let module = path.rsplit_once("::").map_or("", |(module, _)| module).to_owned();
        let values: Vec<String> =
            self.random.some(&values, used).iter().map(|value| format!("{module}::{value}")).collect();
        for value in &values {
            self.say(format!("println!(\"{{:?}} {{}} {{}}\", {value}, {value}.score(), {value}.group());"));
            if unit {
                self.say(format!("println!(\"number {{}}\", {value}.number());"));
            }
        }
        let list = values.join(", ");
        self.say(format!(
            "{{ let mut all = vec![{list}]; all.sort(); println!(\"{{:?}} {{}} {{}}\", all, ::std::mem::size_of::<{path}>(), hash(&all)); }}"
        ));
        self.types.push(Type { path, values, plain: true });
    }

    /// A value of a type that was made before, and the type, as the solution names them.
    fn value(&mut self) -> (String, String) {
        let plain: Vec<Type> = self.types.iter().filter(|of| of.plain).cloned().collect();
        if plain.is_empty() {
            return ("7u8".to_owned(), "u8".to_owned());
        }
        let of = self.random.pick(&plain).clone();
        (self.random.pick(&of.values).clone(), of.path)
    }

    /// The same, as the library names them.
    fn inner_value(&mut self) -> (String, String) {
        let (value, path) = self.value();
        (value.replace("gen_lib::", "crate::"), path.replace("gen_lib::", "crate::"))
    }

    /// A struct that says when it is dropped, with fields that nobody reads.
    fn a_struct_that_drops(&mut self) {
        let name = format!("Noisy{}", self.number());
        let (inner, path) = self.inner_value();
        let dropper = "{ name: &'static str, pub weight: i64, unread: Part, extra: Option<Box<Part>>, kind: KIND }";
        let body = dropper.replace("KIND", &path).replace("Part", &format!("Part{name}"));
        let order = if self.random.once_in(2) { "extra: None" } else { "extra: Some(Box::new(PartNAME(2)))" };
        let order = order.replace("NAME", &name);
        let text = format!(
            "pub struct Part{name}(u8);\nimpl Drop for Part{name} {{ fn drop(&mut self) {{ println!(\"part {{}}\", self.0); }} }}\n\
             pub struct {name} {body}\nimpl {name} {{\n    \
             pub fn new(name: &'static str) -> {name} {{ {name} {{ {order}, unread: Part{name}(1), name: name, weight: name.len() as i64, kind: {inner} }} }}\n    \
             pub fn weight(&self) -> i64 {{ self.weight * 3 }}\n    pub fn maybe(&self) -> Option<i64> {{ self.weight.checked_rem(self.weight - 3) }}\n    \
             pub fn into_weight(self) -> i64 {{ self.weight }}\n}}\n\
             impl Drop for {name} {{ fn drop(&mut self) {{ println!(\"drop {{}} {{:?}}\", self.name, self.kind); }} }}\n"
        );
        let path = self.item(&name, &text);
        let made = |name: &str| format!("{path}::new(\"{name}\")");
        let statement = match self.random.below(5) {
            0 => format!(
                "{{ let _a = {}; let _ = {}; let b = {}; println!(\"{{}}\", b.weight()); }}",
                made("a"),
                made("bb"),
                made("c")
            ),
            1 => format!(
                "{{ let list = vec![{}, {}]; println!(\"{{}}\", list.iter().map(|one| one.weight()).sum::<i64>()); }}",
                made("x"),
                made("yyyy")
            ),
            2 => format!("println!(\"{{}} {{}}\", {}.into_weight(), {}.weight());", made("into"), made("temporary")),
            3 => {
                format!("{{ let mut slot = Some({}); slot = None; println!(\"{{}}\", slot.is_none()); }}", made("slot"))
            }
            _ => format!(
                "{{ let a = {}; let b = {}; ::std::mem::drop(a); println!(\"{{}}\", b.weight); }}",
                made("first"),
                made("second")
            ),
        };
        self.say(statement);
        if self.sensitive {
            let (value, inner) = (made("last"), made("else"));
            self.say(format!("println!(\"{{}}\", {{ let _local = {value}; {value}.weight() }});"));
            self.say(format!("if let Some(value) = {inner}.maybe() {{ println!(\"{{}}\", value); }} else {{ println!(\"otherwise\"); }}"));
            self.say(format!(
                "if let Some(value) = {}.maybe() {{ println!(\"{{}}\", value); }} else {{ println!(\"otherwise\"); }}",
                made("odd")
            ));
        }
        if self.lib_sensitive {
            let inside = path.replace("gen_lib::", "crate::");
            let text = format!(
                "pub fn last_{name}() -> i64 {{ let _local = {inside}::new(\"inner local\"); {inside}::new(\"inner last\").weight() }}\n\
                 pub fn other_{name}() -> i64 {{ if let Some(value) = {inside}::new(\"odd\").maybe() {{ value }} else {{ println!(\"inner else\"); 4 }} }}\n"
            );
            let module = self.item("", &text);
            self.say(format!("println!(\"{{}} {{}}\", {module}last_{name}(), {module}other_{name}());"));
        }
        if self.random.once_in(2) {
            let pair = format!("Pair{}", self.number());
            let text = format!(
                "pub struct {pair} {{ pub one: crate::{0}, pub two: crate::{0}, pub count: i64 }}\n\
                 pub fn use_{pair}(pair: {pair}) -> i64 {{ let read = || pair.one.weight() + pair.count; let sum = read() + pair.two.weight(); println!(\"used\"); sum }}\n",
                path.trim_start_matches("gen_lib::")
            );
            let module = self.item("", &text);
            let (one, two) = (made("one"), made("two"));
            self.say(format!(
                "println!(\"{{}}\", {module}use_{pair}({module}{pair} {{ two: {two}, one: {one}, count: 5 }}));"
            ));
        }
        self.types.push(Type { values: vec![made("kept")], path, plain: false });
    }

    /// A trait with methods of its own, and types that override some.
    fn a_trait(&mut self) {
        let name = format!("Rate{}", self.number());
        let factor = self.random.below(9);
        let mut text = format!(
            "pub trait {name} {{\n    const BASE: i64 = {factor};\n    fn rate(&self, by: i64) -> i64 {{ self.step() * by + Self::BASE }}\n    \
             fn step(&self) -> i64 {{ {} }}\n    fn label(&self) -> String {{ String::from(\"plain\") }}\n    fn unused(&self) -> i64 {{ -1 }}\n}}\n",
            self.random.below(20)
        );
        let mut makers = Vec::new();
        for place in 0..2 + self.random.below(3) {
            let own = format!("{name}Impl{place}");
            let _ = write!(text, "pub struct {own}(pub i64);\nimpl {name} for {own} {{ ");
            if self.random.once_in(2) {
                let _ = write!(text, "const BASE: i64 = {}; ", self.random.below(100));
            }
            if self.random.once_in(2) {
                let _ = write!(text, "fn step(&self) -> i64 {{ self.0 + {} }} ", self.random.below(10));
            }
            if self.random.once_in(3) {
                let _ = write!(text, "fn rate(&self, by: i64) -> i64 {{ self.0 - by }} ");
            }
            if self.random.once_in(2) {
                let _ = write!(text, "fn label(&self) -> String {{ format!(\"own {{}}\", self.0) }} ");
            }
            let _ = writeln!(text, "}}");
            makers.push(format!("{own}({})", self.random.below(50)));
        }
        // The same without constants, so that it can be an object.
        let _ = writeln!(
            text,
            "pub trait {name}Object {{ fn go(&self, by: i64) -> i64; fn text(&self) -> String {{ String::new() }} fn idle(&self) {{}} }}\n\
             impl<T: {name}> {name}Object for T {{ fn go(&self, by: i64) -> i64 {{ self.rate(by) }} fn text(&self) -> String {{ self.label() }} }}\n\
             pub fn total<T: {name}>(all: &[T]) -> i64 {{ all.iter().map(|one| one.rate(2)).sum() }}"
        );
        let text = text.replace("fn total<", &format!("fn total_{name}<"));
        let path = self.item(&name, &text);
        let module = path.trim_end_matches(&name).to_owned();
        let used = 1 + self.random.below(makers.len());
        let makers = self.random.some(&makers, used);
        for maker in &makers {
            let by = self.random.below(7);
            self.say(format!(
                "{{ use {path}; println!(\"{{}} {{}}\", {module}{maker}.rate({by}), {module}{maker}.label()); }}"
            ));
            self.say(format!("println!(\"{{}}\", {module}total_{name}(&[{module}{maker}, {module}{maker}]));"));
        }
        let boxes: Vec<String> = makers.iter().map(|maker| format!("Box::new({module}{maker})")).collect();
        self.say(format!(
            "{{ use {path}Object; let all: Vec<Box<dyn {path}Object>> = vec![{}]; for one in &all {{ println!(\"{{}} {{}} {{}}\", one.go(3), one.text(), ::std::mem::size_of_val(&**one)); }} }}",
            boxes.join(", ")
        ));
    }

    /// Statics, and constants made by constant functions. One of the functions hides one that a glob imports.
    fn constants(&mut self) {
        let number = self.number();
        let (one, two, three) = (self.random.below(30) + 1, self.random.below(30) + 1, self.random.below(9));
        let text = format!(
            "pub mod base{number} {{ pub const fn size{number}() -> usize {{ {one} }} pub const STEP{number}: usize = {three}; }}\n\
             pub mod real{number} {{\n    use super::base{number}::*;\n    const fn size{number}() -> usize {{ {two} }}\n    \
             pub const CELLS: usize = size{number}() * 2 + STEP{number};\n    \
             pub static TABLE: [usize; 3] = [size{number}(), CELLS, STEP{number}];\n    \
             pub fn cells() -> [u8; CELLS] {{ [1; CELLS] }}\n}}\n\
             pub static NEXT{number}: ::std::sync::atomic::AtomicUsize = ::std::sync::atomic::AtomicUsize::new(real{number}::CELLS);\n\
             pub fn next{number}() -> usize {{ NEXT{number}.fetch_add({one}, ::std::sync::atomic::Ordering::SeqCst) }}\n"
        );
        let module = self.item("", &text);
        let (base, real) = (format!("{module}base{number}"), format!("{module}real{number}"));
        self.say(format!("println!(\"{{}} {{:?}} {{}}\", {real}::CELLS, {real}::TABLE, {real}::cells().len());"));
        self.say(format!("println!(\"{{}} {{}}\", {base}::size{number}(), {base}::STEP{number});"));
        self.say(format!("println!(\"{{}} {{}}\", {module}next{number}(), {module}next{number}());"));
    }

    /// Generic code, used with a type that was made before.
    fn generics(&mut self) {
        let number = self.number();
        let text = format!(
            "#[derive(Debug, Clone, PartialEq)] pub struct Stack{number}<T> {{ items: Vec<T>, limit: usize }}\n\
             impl<T: Clone> Stack{number}<T> {{\n    pub fn new(limit: usize) -> Self {{ Stack{number} {{ items: Vec::new(), limit: limit }} }}\n    \
             pub fn push(&mut self, item: T) -> Result<usize, T> {{ if self.items.len() < self.limit {{ self.items.push(item); Ok(self.items.len()) }} else {{ Err(item) }} }}\n    \
             pub fn pop(&mut self) -> Option<T> {{ match self.items.pop() {{ None => None, Some(item) => Some(item) }} }}\n    \
             pub fn map<U: Clone, F: Fn(&T) -> U>(&self, f: F) -> Stack{number}<U> {{ Stack{number} {{ items: self.items.iter().map(|item| f(item)).collect(), limit: self.limit }} }}\n    \
             pub fn clear(&mut self) {{ self.items.clear() }}\n}}\n\
             pub fn rotate{number}<T: Copy, const N: usize>(list: [T; N], by: usize) -> [T; N] {{ let mut out = list; for place in 0..N {{ out[place] = list[(place + by) % N]; }} out }}\n"
        );
        let module = self.item("", &text);
        let (value, _) = self.value();
        let limit = 1 + self.random.below(3);
        self.say(format!(
            "{{ let mut stack = {module}Stack{number}::new({limit}); for _ in 0..3 {{ match stack.push({value}) {{ Ok(size) => println!(\"ok {{}}\", size), Err(item) => println!(\"full {{:?}}\", item) }} }} \
             println!(\"{{:?}} {{:?}}\", stack.map(|item| hash(item) % 7), stack.pop()); }}"
        ));
        let by = self.random.below(5);
        self.say(format!("println!(\"{{:?}} {{:?}}\", {module}rotate{number}([1, 2, 3, 4], {by}), {module}rotate{number}([{value}; 2], 1));"));
    }

    /// Macros: exported ones, which call each other and functions of the crate. The solution may have one of the same
    /// name.
    fn macros(&mut self) {
        let number = self.number();
        let (one, two) = (self.random.below(40), 1 + self.random.below(8));
        let _ = writeln!(
            self.lib,
            "#[doc(hidden)] pub fn help{number}(x: i64) -> i64 {{ x * {two} }}\n\
             #[macro_export] macro_rules! calc{number} {{ ($e:expr) => {{ $crate::help{number}($e) + $crate::add{number}!($e, 1) }}; ($name:ident : $($rest:expr),*) => {{ [$((stringify!($name), $crate::calc{number}!($rest))),*] }} }}\n\
             #[macro_export] macro_rules! add{number} {{ ($a:expr, $b:expr) => {{{{ let x = $a; x + $b + {one} }}}} }}\n\
             macro_rules! make{number} {{ ($($(#[$meta:meta])* $name:ident => $value:expr;)*) => {{ $($(#[$meta])* pub fn $name() -> i64 {{ $value }})* pub fn all{number}() -> Vec<(&'static str, i64)> {{ vec![$((stringify!($name), $name())),*] }} }} }}\n\
             make{number}! {{ /// The first.\n first{number} => add{number}!(2, 3); #[inline] second{number} => help{number}({one}); third{number} => 3; }}"
        );
        let x = self.random.below(30);
        self.say(format!("{{ let x = {x}; println!(\"{{}} {{:?}}\", gen_lib::calc{number}!(x + 1), gen_lib::calc{number}!(word: x, 2)); }}"));
        self.say(format!("println!(\"{{:?}}\", gen_lib::all{number}());"));
        self.say(format!("println!(\"{{}}\", gen_lib::second{number}());"));
        if self.random.once_in(2) {
            self.say(format!(
                "{{ macro_rules! add{number} {{ ($a:expr, $b:expr) => {{ $a * 1000 + $b }} }} println!(\"{{}} {{}}\", add{number}!(1, 2), gen_lib::calc{number}!(4)); }}"
            ));
        }
    }

    /// Closures that take their surroundings along in several ways.
    fn closures(&mut self) {
        let number = self.number();
        let step = 1 + self.random.below(9);
        let text = format!(
            "pub struct Counter{number} {{ pub count: i64, pub log: Vec<i64>, pub name: String }}\n\
             impl Counter{number} {{ pub fn new() -> Self {{ Counter{number} {{ count: 0, log: Vec::new(), name: String::from(\"counter\") }} }} }}\n\
             pub fn adder{number}(by: i64) -> Box<dyn Fn(i64) -> i64> {{ Box::new(move |x| x * {step} + by) }}\n\
             pub fn drive{number}(counter: &mut Counter{number}, times: i64) -> i64 {{ let mut bump = |by: i64| {{ counter.count += by; counter.log.push(by * {step}); }}; for by in 0..times {{ bump(by); }} counter.log.iter().sum() }}\n\
             pub fn fold{number}<F: FnMut(i64) -> i64>(mut f: F) -> i64 {{ (1..4).map(|x| f(x)).fold(0, |sum, x| sum * 10 + x) }}\n"
        );
        let module = self.item("", &text);
        let times = 1 + self.random.below(5);
        self.say(format!("println!(\"{{}} {{}}\", {module}adder{number}({times})(7), {module}fold{number}({module}adder{number}(1)));"));
        self.say(format!("{{ let mut counter = {module}Counter{number}::new(); println!(\"{{}} {{}} {{}}\", {module}drive{number}(&mut counter, {times}), counter.count, counter.name); }}"));
        self.say(format!("{{ let mut seen = Vec::new(); println!(\"{{}}\", {module}fold{number}(|x| {{ seen.push(x); x + seen.len() as i64 }})); println!(\"{{:?}}\", seen); }}"));
    }

    /// A module imports two items of one name by two globs, and has one itself, which is the one that is used.
    fn globs(&mut self) {
        let number = self.number();
        let [one, two, three] = [self.random.below(99), self.random.below(99), self.random.below(99)];
        let _ = writeln!(
            self.lib,
            "pub mod left{number} {{ pub fn pick{number}() -> i64 {{ {one} }} pub fn only{number}() -> i64 {{ super::right{number}::pick{number}() + 1 }} }}\n\
             pub mod right{number} {{ pub fn pick{number}() -> i64 {{ {two} }} pub struct Unit{number}; impl Unit{number} {{ pub fn id(&self) -> i64 {{ pick{number}() }} }} }}\n\
             pub mod front{number} {{ pub use crate::left{number}::*; pub use crate::right{number}::*; pub fn pick{number}() -> i64 {{ {three} }} pub use crate::right{number}::Unit{number} as Thing; }}"
        );
        self.say(format!("{{ use gen_lib::front{number}::*; println!(\"{{}} {{}}\", pick{number}(), Thing.id()); }}"));
        self.say(format!("println!(\"{{}}\", gen_lib::front{number}::only{number}());"));
    }

    /// Guards of a `RefCell` in conditions and at the ends of blocks.
    fn guards(&mut self) {
        let number = self.number();
        let text = format!(
            "pub struct Shared{number} {{ pub list: ::std::cell::RefCell<Vec<i64>> }}\nimpl Shared{number} {{\n    \
             pub fn new() -> Self {{ Shared{number} {{ list: ::std::cell::RefCell::new(vec![1, 2, 3]) }} }}\n    \
             pub fn last(&self) -> Option<i64> {{ let list = self.list.borrow(); list.last().map(|last| *last) }}\n    \
             pub fn grow(&self) -> usize {{ let next = self.last().unwrap_or(0); self.list.borrow_mut().push(next * 2); let list = self.list.borrow(); list.len() }}\n    \
             pub fn busy(&self) -> bool {{ self.list.try_borrow_mut().is_err() }}\n}}\n"
        );
        let path = self.item(&format!("Shared{number}"), &text);
        self.say(format!("{{ let shared = {path}::new(); shared.grow(); println!(\"{{}} {{:?}} {{}}\", shared.grow(), shared.last(), shared.busy()); }}"));
        if self.sensitive {
            self.say(format!(
                "{{ let shared = {path}::new(); if let Some(x) = shared.list.borrow().get(9) {{ println!(\"{{}}\", x); }} else {{ println!(\"busy {{}}\", shared.busy()); }} println!(\"then {{}}\", shared.busy()); }}"
            ));
        }
    }

    fn build(mut self) -> (String, String) {
        let makers: [fn(&mut Self); 8] = [
            Self::an_enum,
            Self::a_struct_that_drops,
            Self::a_trait,
            Self::constants,
            Self::generics,
            Self::macros,
            Self::closures,
            Self::globs,
        ];
        self.an_enum();
        for _ in 0..3 + self.random.below(4) {
            let make = *self.random.pick(&makers);
            make(&mut self);
        }
        self.guards();
        self.an_enum();
        // Only a part of it all is used.
        let count = self.statements.len();
        let used = count / 3 + 1 + self.random.below(count / 3 + 1);
        let statements = std::mem::take(&mut self.statements);
        let statements = self.random.some(&statements, used);
        let mut main = String::from(
            "#![allow(warnings)]\n#[macro_use] extern crate gen_lib;\n\
             fn hash<T: ::std::hash::Hash>(value: &T) -> u64 { use std::hash::Hasher; let mut hasher = ::std::collections::hash_map::DefaultHasher::new(); value.hash(&mut hasher); hasher.finish() }\n",
        );
        let mut body = String::new();
        for (place, statement) in statements.iter().enumerate() {
            let _ = writeln!(main, "fn part{place}() {{\n    {statement}\n}}");
            let _ = writeln!(body, "    part{place}();");
        }
        let _ = writeln!(main, "fn main() {{\n    println!(\"start\");\n{body}}}");
        (format!("#![allow(warnings)]\n{}", self.lib), main)
    }
}

/// The program with that number: the solution's edition, the library's, the library and the solution.
fn program(seed: u64) -> (&'static str, &'static str, String, String) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66);
    // This number is not used. It is drawn so that each seed goes on making the program that it has always made.
    random.below(2);
    let edition = *random.pick(&EDITIONS[1..]);
    let other = if random.once_in(2) { edition } else { *random.pick(&EDITIONS) };
    let sensitive = random.once_in(2);
    // If the two editions differ, a library whose meaning depends on the edition is often refused. At most a third of
    // the programs may be refused, so there are few such libraries.
    let lib_sensitive = if edition == other { sensitive } else { random.once_in(4) };
    let program = Program {
        random,
        sensitive,
        lib_sensitive,
        lib: String::new(),
        statements: Vec::new(),
        types: Vec::new(),
        names: 0,
    };
    let (lib, main) = program.build();
    (edition, other, lib, main)
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

#[test]
fn random_programs_print_the_same() {
    let (first, count) = (setting("DIFFERENTIAL_SEED", 0), setting("DIFFERENTIAL", 12));
    let next = AtomicU64::new(first);
    let (wrong, refused) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::SeqCst);
            if seed >= first + count {
                return;
            }
            let (edition, other, source, main) = program(seed);
            let case = Case { edition, main: &main, libs: &[lib("gen_lib", other, &source)], ..CASE };
            match catch_unwind(AssertUnwindSafe(|| case.outcome())) {
                Err(_) => wrong.lock().unwrap().push(seed),
                Ok(outcome) if !outcome.pasted => {
                    println!(
                        "program {seed}, edition {edition} with a library of {other}, is refused: {}",
                        outcome.report
                    );
                    refused.lock().unwrap().push(seed);
                }
                Ok(_) => {}
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let (mut wrong, mut refused) = (wrong.into_inner().unwrap(), refused.into_inner().unwrap());
    wrong.sort_unstable();
    refused.sort_unstable();
    println!("of {count} programs, refused: {refused:?}");
    assert!(wrong.is_empty(), "wrong: {wrong:?}; DIFFERENTIAL_SEED=S DIFFERENTIAL=1 makes one of them alone");
    let limit = usize::try_from(count).unwrap() / 3;
    assert!(refused.len() <= limit, "more than a third of {count} is refused: {refused:?}");
}

#[test]
fn a_number_makes_the_same_program_again() {
    assert_eq!(program(3), program(3));
    assert_ne!(program(3), program(4));
}
