//! Whether a program looks at addresses of functions or vtables.
//!
//! Rust leaves open whether two functions that do the same have one address, and whether a type has one vtable or
//! several. A paste is optimised as one crate, so the answer may not be the one of cargo's build. The bodies do not
//! show this, and LLVM's code does not tell a pointer to a function from any other. MIR, from which the compiler makes
//! LLVM's code, does.

use std::collections::{BTreeSet, HashMap, HashSet};

/// What stands in MIR for a comparison.
const COMPARISONS: [&str; 9] = ["Eq(", "Ne(", "Lt(", "Le(", "Gt(", "Ge(", "Cmp(", "std::ptr::eq::<", "addr_eq::<"];

/// Stands for a function that is not known or is generic.
const UNKNOWN: &str = "";

/// The functions that a variable may point to.
fn pointed_to<'m>(variable: &str, pointers: &HashMap<&'m str, HashSet<&'m str>>) -> Vec<&'m str> {
    pointers.get(variable).map_or_else(|| vec![UNKNOWN], |functions| functions.iter().copied().collect())
}

/// What a program does with the addresses of functions and vtables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addresses {
    /// Whether it compares them or makes numbers of them.
    looked_at: bool,
    /// Functions that compare pointers or make numbers of them. Pointers to plain types such as `u8` do not count. In a
    /// generic function, a pointer may lead to a `dyn`.
    comparing: BTreeSet<String>,
    /// Each type `T` for which a pointer to a function is cast to a pointer to `T`.
    turned: BTreeSet<String>,
}

impl Addresses {
    /// Reads what the functions in `mir` do. If an address of a function becomes a number only once in the whole
    /// program, as in some hashers, and the function is known, there is no second address to compare it with.
    #[must_use]
    pub fn read(mir: &str) -> Self {
        let mut types: HashMap<&str, &str> = HashMap::new();
        // What a function's variables point to, which of them become numbers, and all functions that become numbers.
        let mut pointers: HashMap<&str, HashSet<&str>> = HashMap::new();
        let (mut becoming, mut numbers) = (Vec::new(), Vec::new());
        // `turned` is as in the struct. `looked_at` has the types of what is compared or becomes a number.
        let (mut turned, mut looked_at) = (HashSet::new(), HashSet::new());
        let (mut comparing, mut casts, mut function) = (BTreeSet::new(), Vec::new(), "");
        // The statements of a function, and its variables that were made from pointers to functions.
        let (mut statements, mut made) = (Vec::new(), Vec::new());
        let mut used = false;
        // The last line ends the last function.
        for line in mir.lines().chain(["end"]) {
            if line.starts_with(|first: char| first.is_ascii_alphabetic()) {
                used |= !are_only_kept(std::mem::take(&mut made), &statements);
                statements.clear();
                types = parameters(line);
                function = line.split_once('(').map_or("", |(path, _)| path.rsplit([':', ' ']).next().unwrap_or(path));
                numbers.extend(becoming.drain(..).flat_map(|variable| pointed_to(variable, &pointers)));
                pointers.clear();
                continue;
            }
            let line = line.trim();
            if let Some((name, kind)) = line.strip_prefix("let ").and_then(|rest| rest.split_once(": ")) {
                types.insert(name.trim_start_matches("mut "), kind.trim_end_matches(';'));
                continue;
            }
            statements.push(line);
            let Some((variable, value)) = line.split_once(" = ") else { continue };
            if is_function(type_of(variable, &types)) {
                let named = value.split_once(" as ").map(|(operand, _)| operand);
                let named = named.filter(|operand| !operand.contains(['<', '{', ' ']));
                pointers.entry(variable).or_default().insert(named.unwrap_or(UNKNOWN));
            }
            if COMPARISONS.iter().any(|comparison| value.starts_with(comparison)) {
                let operands = value.split_once(">(").or_else(|| value.split_once('(')).map_or(value, |(_, rest)| rest);
                let kind = type_of(operands.split(", ").next().unwrap_or(operands), &types);
                looked_at.insert(kind);
                // The name of a generic function does not say what `<X as Trait>::Type` is.
                used |= pointee(kind).is_some_and(|to| to.contains(" as "));
                if pointee(kind).is_some_and(|to| !is_plain(to)) {
                    comparing.insert(function.to_owned());
                }
            } else if let Some((_, operands)) =
                value.split_once(">::cast::<").and_then(|(_, rest)| rest.split_once('('))
            {
                casts
                    .push((type_of(operands.split(')').next().unwrap_or(operands), &types), type_of(variable, &types)));
            } else if let Some((operand, to)) = value.split_once(" as ") {
                let is_transmuted = to.ends_with(" (Transmute);");
                let (from, to) = (type_of(operand, &types), to.rsplit_once(" (").map_or(to, |(to, _)| to));
                // A vtable becomes something else.
                used |= is_transmuted && from.contains("dyn ") && !to.contains("dyn ");
                match (is_function(from), pointee(to)) {
                    (true, None) if !is_function(to) => {
                        becoming.push(operand.trim_start_matches("move ").trim_start_matches("copy "));
                    }
                    (true, Some(to)) => {
                        // Symbols name other types in another way than MIR does.
                        used |= to != "()" && !is_plain(to);
                        turned.insert(to);
                        made.push(variable);
                    }
                    (_, None) if !is_function(to) => {
                        looked_at.insert(from);
                        // A parameter such as `T` has no path.
                        let is_parameter = |to: &str| !is_plain(to) && to.chars().all(char::is_alphanumeric);
                        if pointee(from).is_some_and(is_parameter) {
                            comparing.insert(function.to_owned());
                        }
                    }
                    _ => casts.push((from, to)),
                }
            }
        }
        // A pointer may be cast again and again.
        let casts: Vec<_> = casts.into_iter().filter_map(|(from, to)| Some((pointee(from)?, pointee(to)?))).collect();
        while let Some((_, to)) = casts.iter().find(|(from, to)| turned.contains(from) && !turned.contains(to)) {
            turned.insert(to);
        }
        // What a pointer leads to may also end in a `dyn`, as in `RefCell<dyn Trait>`.
        let is_open = |kind: &str| turned.contains(kind) || kind.contains("dyn ");
        let any = looked_at.into_iter().any(|kind| is_function(kind) || pointee(kind).is_some_and(is_open));
        Self {
            looked_at: any || used || numbers.len() > 1 || numbers.contains(&UNKNOWN),
            comparing,
            turned: turned.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Whether the program may learn whether two functions or vtables have one address. `names` are those of the
    /// functions that it calls.
    #[must_use]
    pub fn matter(&self, names: &[String]) -> bool {
        self.looked_at || names.iter().any(|name| self.are_shown_by(name) || self.are_compared_in(name))
    }

    /// Whether this is a function that compares pointers, for a type with a `dyn` or one that pointers to functions are
    /// cast to.
    fn are_compared_in(&self, name: &str) -> bool {
        let (mut path, mut depth) = (name.trim_end_matches('>'), 0);
        // Without its own generic arguments: `same` in `shapes::same::<dyn shapes::Shape>`.
        for (at, letter) in name.char_indices().rev().take_while(|_| name.ends_with('>')) {
            depth += i32::from(letter == '>') - i32::from(letter == '<');
            if depth == 0 {
                path = name[..at].trim_end_matches("::");
                break;
            }
        }
        let is_meant =
            |kind: &String| ["<", "*const ", "*mut ", ", "].iter().any(|by| name.contains(&format!("{by}{kind}")));
        (name.contains("dyn ") || self.turned.iter().any(is_meant))
            && path.rsplit("::").next().is_some_and(|last| self.comparing.contains(last))
    }

    /// Whether a function of the standard library, known by its name, compares, hashes or prints such an address.
    fn are_shown_by(&self, name: &str) -> bool {
        let is_open = |kind: &str| kind.contains("dyn ") || self.turned.contains(kind);
        if name.contains("core::sync::atomic::Atomic") && (name.contains("compare_") || name.contains("_update")) {
            return self
                .turned
                .iter()
                .any(|kind| ["<", "*mut "].iter().any(|by| name.contains(&format!("{by}{kind}>"))));
        }
        // A waker has functions in it, and two wakers can be compared.
        if name.starts_with("<core::task::wake::")
            && (name.contains(" as core::cmp::") || name.ends_with("::will_wake"))
        {
            return true;
        }
        let inside = name.strip_prefix('<').unwrap_or_default();
        match inside.split_once(" as core::") {
            Some((kind, of)) if ["cmp::", "hash::", "fmt::"].iter().any(|shown| of.starts_with(shown)) => {
                is_function(kind) || pointee(kind).is_some_and(is_open)
            }
            _ => {
                let shows = [">::addr", ">::expose_provenance"].iter().any(|shown| name.ends_with(shown));
                let kind = inside.rsplit_once(">::").map_or("", |(kind, _)| kind);
                let compares = name.strip_prefix("core::ptr::eq::<").and_then(|rest| rest.strip_suffix('>'));
                name.starts_with("core::ptr::fn_addr_eq::")
                    || compares.is_some_and(is_open)
                    || shows && pointee(kind).is_some_and(is_open)
            }
        }
    }
}

/// Whether pointers that were made from pointers to functions are only kept in an `AtomicPtr` or made into pointers to
/// functions again. `made` are the variables that hold them.
fn are_only_kept<'m>(mut made: Vec<&'m str>, statements: &[&'m str]) -> bool {
    let mut seen = HashSet::new();
    while let Some(variable) = made.pop() {
        if !seen.insert(variable) {
            continue;
        }
        // `_0` is what the function returns.
        if !matches!(variable.strip_prefix('_').map(str::parse::<u32>), Some(Ok(1..))) {
            return false;
        }
        for &statement in statements.iter().filter(|statement| names(statement, variable)) {
            let is_note = ["debug ", "StorageLive(", "StorageDead("].iter().any(|note| statement.starts_with(note));
            match statement.split_once(" = ") {
                _ if is_note => {}
                Some((_, value)) if !names(value, variable) => {}
                Some((_, value)) if value.starts_with("AtomicPtr::<") => {}
                Some((_, value)) if value.ends_with(" (Transmute);") => {
                    let to = value.split_once(" as ").map_or("", |(_, to)| to);
                    if !is_function(to) {
                        return false;
                    }
                }
                Some((other, value))
                    if [format!("copy {variable};"), format!("move {variable};")].contains(&value.to_owned()) =>
                {
                    made.push(other);
                }
                _ => return false,
            }
        }
    }
    true
}

/// Whether a statement names a variable.
fn names(statement: &str, variable: &str) -> bool {
    statement.match_indices(variable).any(|(at, _)| {
        let (before, after) = (&statement[..at], &statement[at + variable.len()..]);
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })
}

/// The parameters of a function and their types, from its first line: `fn f(_1: usize, _2: fn() -> i32) -> bool {`.
fn parameters(line: &str) -> HashMap<&str, &str> {
    let mut types = HashMap::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(": ") {
        let kind = after.split(", _").next().unwrap_or(after);
        types.insert(before.rsplit(['(', ' ']).next().unwrap_or(before), kind);
        rest = after;
    }
    types
}

/// The type of a place, such as `copy _1`, `move (*_2)` or `copy (_3.0: fn())`; empty if it is not known.
fn type_of<'m>(operand: &'m str, types: &HashMap<&'m str, &'m str>) -> &'m str {
    let place = operand.trim_start_matches("move ").trim_start_matches("copy ");
    if let Some((_, kind)) = place.rsplit_once(": ") {
        return kind.trim_end_matches(')');
    }
    let name = place.trim_start_matches(['(', '*']);
    let name = name.find([')', '[']).map_or(name, |end| &name[..end]);
    let kind = types.get(name).copied().unwrap_or_default();
    let kind = if place.starts_with("(*") { kind.trim_start_matches(['&', '*']) } else { kind };
    kind.trim_start_matches("mut ").trim_start_matches("const ").trim_start_matches('[')
}

/// Whether a type is a pointer to a function: `fn()`, `for<'a> unsafe extern "C" fn(&'a str) -> usize`.
fn is_function(kind: &str) -> bool {
    let kind = kind.strip_prefix("for<").and_then(|rest| rest.split_once("> ")).map_or(kind, |(_, rest)| rest);
    let kind = kind.trim_start_matches("unsafe ");
    let kind = kind.strip_prefix("extern ").and_then(|rest| rest.split_once("\" ")).map_or(kind, |(_, rest)| rest);
    kind.starts_with("fn(")
}

/// What a raw pointer points to.
fn pointee(kind: &str) -> Option<&str> {
    let wrapped = kind.strip_prefix("core::ptr::non_null::NonNull<").and_then(|inside| inside.strip_suffix('>'));
    wrapped.or_else(|| kind.strip_prefix("*const ")).or_else(|| kind.strip_prefix("*mut "))
}

/// Whether a type is a plain one, such as `u8`, and so no `dyn` in any case.
fn is_plain(kind: &str) -> bool {
    let bits = kind.strip_prefix(['u', 'i', 'f']);
    matches!(kind, "bool" | "char" | "str" | "()" | "usize" | "isize")
        || bits.is_some_and(|bits| bits.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    /// What the program with this `main` and two functions does.
    fn read(main: &str) -> Addresses {
        let dir = tempfile::tempdir().unwrap();
        let text = format!(
            "fn f() -> i32 {{ 1 }} fn g() -> i32 {{ 1 }} #[derive(PartialEq)] struct Wrapped<F>(F); fn main() {{ \
             let p: fn() -> i32 = f; let q: fn() -> i32 = g; {main} }}"
        );
        fs::write(dir.path().join("main.rs"), text).unwrap();
        let flags = ["--edition=2021", "-Cdebug-assertions=off", "--emit=mir=mir", "-Awarnings", "main.rs"];
        assert!(Command::new("rustc").args(flags).current_dir(dir.path()).status().unwrap().success(), "{main}");
        Addresses::read(&fs::read_to_string(dir.path().join("mir")).unwrap())
    }

    /// Whether it looks at functions, without help of the standard library.
    fn looks(main: &str) -> bool {
        read(main).looked_at
    }

    #[test]
    fn only_pointers_that_may_lead_to_a_dyn_count_in_generic_functions() {
        let found = read(
            "fn find(from: *const u8, to: *const u8) -> bool { from == to } \
             fn same<T: ?Sized>(one: *const T, two: *const T) -> bool { std::ptr::addr_eq(one, two) } \
             print!(\"{} {}\", find(b\"a\".as_ptr(), b\"b\".as_ptr()), same(&1, &2));",
        );
        assert_eq!(found.comparing, BTreeSet::from(["same".to_owned()]));
    }

    #[test]
    fn a_comparison_of_functions_is_found() {
        for main in [
            "print!(\"{}\", p == q);",
            "print!(\"{}\", p != q);",
            "print!(\"{}\", p < q);",
            "let pair = (p, q); print!(\"{}\", pair.0 == pair.1);",
            "let all = [p, q]; for i in 1..2 { print!(\"{}\", all[i] == all[i - 1]); }",
            "let all = &mut vec![p, q][..]; print!(\"{}\", all[0] == all[1]);",
            "let (p, q) = (&p, &q); print!(\"{}\", *p == *q);",
            "print!(\"{}\", f as usize == g as usize);",
            "print!(\"{}\", p as usize == q as usize);",
            "let r = if p() > 1 { f as fn() -> i32 } else { g } as usize; print!(\"{}\", r == g as usize);",
            "let mut r: fn() -> i32 = f; for _ in 0..2 { print!(\"{}\", r as usize); r = q; }",
            "print!(\"{}\", p as *const u8 == q as *const u8);",
            "print!(\"{}\", p as *const () as usize % 2);",
            "print!(\"{}\", p as *const () as *const u8 == q as *const () as *const u8);",
            "let (p, q) = ((p as *const ()).cast::<u8>(), (q as *const ()).cast::<u8>()); print!(\"{}\", p == q);",
            "print!(\"{}\", f as usize % 2 + f as fn() -> i32 as usize % 2);",
            "print!(\"{}\", std::ptr::eq(p as *const (), q as *const ()));",
            "print!(\"{}\", std::ptr::addr_eq(p as *const (), q as *const ()));",
            "fn same<T>(p: *const T, q: *const T) -> bool { p == q } print!(\"{}\", same(p as *const u8, q as *const u8));",
            "fn number<T>(p: *const T) -> usize { p as usize } print!(\"{}\", number(f as *const ()) % 2);",
            "print!(\"{}\", (p as *const u8).align_offset(64));",
            "let slice = |p| std::ptr::slice_from_raw_parts(p as fn() -> i32 as *const u8, 1); print!(\"{}\", slice(p) == slice(q));",
            "trait To { type To: ?Sized; fn to(&self) -> *const Self::To; } impl To for u8 { type To = dyn Send; fn to(&self) -> *const dyn Send { self } } \
             fn same<T: To>(a: &T, b: &T) -> bool { a.to() == b.to() } print!(\"{}\", same(&1, &2));",
            "use std::sync::atomic::{AtomicPtr, Ordering::*}; let kept = AtomicPtr::new(p as *mut String); let other = AtomicPtr::new(q as *mut String); \
             print!(\"{}\", Some(kept.load(Relaxed)) == Some(other.load(Relaxed)));",
            "let all = [p as *const (), q as *const ()]; print!(\"{:?}\", all);",
            "fn cast<T>(p: fn() -> i32) -> *const T { p as *const T } print!(\"{:?}\", cast::<u8>(p));",
            "let a: &dyn Send = &1; print!(\"{:?}\", unsafe { std::mem::transmute::<&dyn Send, (usize, usize)>(a) });",
            "use std::mem::transmute as t; print!(\"{}\", unsafe { t::<fn() -> i32, usize>(p) == t::<fn() -> i32, usize>(q) });",
            "let (a, b): (&dyn Send, &dyn Send) = (&1, &2); print!(\"{}\", std::ptr::eq(a, b));",
            "let a: *const dyn Send = &1; print!(\"{}\", a == a);",
            "use std::cell::Cell; let a: *const Cell<dyn Send> = &Cell::new(1); print!(\"{}\", a == a);",
            "let s: for<'a> unsafe extern \"C\" fn(&'a u8) = s; unsafe extern \"C\" fn s(_: &u8) {} print!(\"{}\", s == s);",
        ] {
            assert!(looks(main), "{main}");
        }
    }

    #[test]
    fn a_call_of_a_function_is_no_comparison() {
        for main in [
            "print!(\"{}\", p() == q());",
            "let all = [p, q]; print!(\"{}\", all.iter().map(|f| f()).max() == Some(1));",
            "let p: Box<dyn Fn() -> i32> = Box::new(p); print!(\"{}\", p() as u8 == 1);",
            "let a = [1u8, 2]; print!(\"{}\", a.as_ptr() == a.as_ptr());",
            "let kept = p as *mut (); print!(\"{}\", unsafe { std::mem::transmute::<*mut (), fn() -> i32>(kept) }());",
            "use std::sync::atomic::{AtomicPtr, Ordering::*}; let kept = AtomicPtr::new(p as *mut ()); kept.store(q as *mut (), Relaxed); \
             print!(\"{}\", unsafe { std::mem::transmute::<*mut (), fn() -> i32>(kept.load(Relaxed)) }());",
            "print!(\"{}\", Wrapped(p).0());",
            "print!(\"{}\", f as usize % 2);",
        ] {
            assert!(!looks(main), "{main}");
        }
    }

    #[test]
    fn the_standard_library_s_own_comparisons_go_by_their_names() {
        let addresses = Addresses { turned: BTreeSet::from(["()".to_owned()]), ..Addresses::default() };
        for name in [
            "<fn() -> i32 as core::cmp::PartialEq>::eq",
            "<unsafe extern \"C\" fn(u8) as core::hash::Hash>::hash::<std::hash::random::DefaultHasher>",
            "<fn() as core::fmt::Pointer>::fmt",
            "core::ptr::fn_addr_eq::<fn(), fn()>",
            "<*const dyn core::any::Any as core::cmp::PartialEq>::eq",
            "<*const () as core::cmp::PartialEq>::eq",
            "<core::ptr::non_null::NonNull<()> as core::cmp::PartialEq>::eq",
            "<*const ()>::addr",
            "<*const core::cell::RefCell<dyn app::Piece> as core::cmp::PartialEq>::eq",
            "<core::sync::atomic::AtomicPtr<()>>::compare_exchange",
            "<core::task::wake::RawWakerVTable as core::cmp::PartialEq>::eq",
            "<core::task::wake::Waker>::will_wake",
        ] {
            assert!(addresses.are_shown_by(name), "{name}");
        }
        for name in [
            "<i32 as core::cmp::PartialEq>::eq",
            "<fn() -> i32 as core::ops::function::FnOnce<()>>::call_once",
            "<*const u8 as core::cmp::PartialEq>::eq",
            "<*const u8>::addr",
            "<core::sync::atomic::AtomicPtr<u8>>::compare_exchange",
            "<*const () as core::clone::Clone>::clone",
        ] {
            assert!(!addresses.are_shown_by(name), "{name}");
        }
    }
}
