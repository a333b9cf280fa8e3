//! Small programs in LLVM's language, compared.

use std::collections::HashSet;

use super::address::Addresses;
use super::llvm::{Code, parts_of_impl};
use super::wording::Wording;
use super::{Comparison, Compiled, Effect, compare, is_about_own_type};
use crate::rustc::Edition;

fn files() -> HashSet<String> {
    ["src/main.rs", "paste.rs"].map(str::to_owned).into()
}

/// Compares a program in several files with a paste and with the same paste in other editions.
fn compared(reference: &[&str], editions: &[&str]) -> Comparison {
    let (files, addresses) = (files(), Addresses::default());
    let reference = Code::read(reference.iter().copied(), &files);
    let pastes: Vec<Code<'_>> = editions.iter().map(|text| Code::read([*text], &files)).collect();
    let compiled: Vec<Compiled<'_, '_>> = pastes
        .iter()
        .zip(Edition::ALL)
        .map(|(code, edition)| Compiled {
            code,
            whole: None,
            edition,
            captures_harmless: true,
            clashes: false,
            wording: Wording::default(),
            addresses: &addresses,
            read_besides: None,
            ends_early: None,
        })
        .collect();
    compare(&reference, compiled[0], &compiled[1..], &compiled)
}

fn names(comparison: &Comparison) -> Vec<&str> {
    comparison.differences.iter().map(|difference| difference.function.as_str()).collect()
}

const MAIN: &str = "
@alloc_1 = private unnamed_addr constant [2 x i8] c\"hi\", align 1
@vtable.7 = private unnamed_addr constant <{ ptr, ptr }> <{ ptr @alloc_1, ptr @_RNvC3lib4draw }>, align 8
define i32 @main() unnamed_addr #0 !dbg !7 {
start:
  %x = alloca ptr, align 8
  store ptr @vtable.7, ptr %x, align 8, !dbg !9
  call void @outside()
  ret i32 0
}
declare void @_RNvC3lib4draw()
";
const LIB: &str = "
define void @_RNvC3lib4draw() {
start:
  call void @_RNvC3lib6helper(i32 3)
  ret void
}
define internal void @_RNvC3lib6helper(i32 %n) {
start:
  ret void
}
define void @_RNvC3lib6unused() {
  unreachable
}
";
/// The same in one file: other names, other numbers, another order.
const PASTE: &str = "
@vtable.0 = private constant <{ ptr, ptr }> <{ ptr @alloc_9, ptr @_RNvNtC3app3lib4draw }>, align 8
@alloc_9 = private unnamed_addr constant [2 x i8] c\"hi\", align 1
define internal void @_RNvNtC3app3lib6helper(i32 %0) {
start:
  ret void
}
define internal void @_RNvNtC3app3lib4draw() unnamed_addr {
begin:
  call void @_RNvNtC3app3lib6helper(i32 3)
  ret void
}
define i32 @main() {
start:
  %y = alloca ptr, align 8
  store ptr @vtable.0, ptr %y, align 8
  call void @outside() #4
  ret i32 0
}
";

#[test]
fn a_hook_of_any_release_may_tell_places() {
    for name in [
        "<std::panic::PanicHookInfo as core::fmt::Display>::fmt",
        "<core::panic::panic_info::PanicInfo as core::fmt::Display>::fmt",
        "<core::panic::panic_info::PanicInfo>::location",
    ] {
        assert!(super::observes_places(name), "{name}");
    }
    assert!(!super::observes_places("<core::panic::location::Location>::caller"));
}

#[test]
fn names_of_what_is_inside_do_not_count_and_all_that_is_reached_does() {
    let same = compared(&[MAIN, LIB], &[PASTE]);
    assert_eq!((same.functions, names(&same)), (3, vec![]));
    for (there, instead, function) in [
        ("i32 3", "i32 4", "lib::draw"),
        ("c\"hi\"", "c\"ho\"", "main"),
        ("@outside", "@elsewhere", "main"),
        ("align 8\n  store", "align 16\n  store", "main"),
        (
            "  ret void\n}\ndefine internal void @_RNvNtC3app3lib4draw",
            "  unreachable\n}\ndefine internal void @_RNvNtC3app3lib4draw",
            "lib::helper",
        ),
    ] {
        let paste = PASTE.replacen(there, instead, 1);
        assert_ne!(paste, PASTE);
        assert_eq!(names(&compared(&[MAIN, LIB], &[&paste])), [function], "{instead}");
    }
    let only_here = format!("{PASTE}define void @exported() {{\n  ret void\n}}\n");
    assert_eq!(names(&compared(&[MAIN, LIB], &[&only_here])), ["exported"]);
}

const PLACES: &str = "
@alloc_f = private constant [12 x i8] c\"src/main.rs\\00\", align 1
@alloc_p = private constant <{ ptr, [16 x i8] }> <{ ptr @alloc_f, [16 x i8] c\"\\0B\\00\\00\\00\\00\\00\\00\\00\\09\\00\\00\\00\\11\\00\\00\\00\" }>, align 8
define i32 @main() {
start:
  call void @take(ptr @alloc_p)
  ret i32 0
}
";

#[test]
fn the_place_of_a_panic_counts_only_where_the_program_asks_for_it() {
    let paste = PLACES.replace("[12 x i8]", "[9 x i8]").replace("src/main.rs", "paste.rs").replace("\\09", "\\44");
    assert!(compared(&[PLACES], &[&paste]).differences.is_empty());
    let other = paste.replace("paste.rs", "other.rs");
    assert_eq!(names(&compared(&[PLACES], &[&other])), ["main"], "a string that is no file of the program");
    // `<core::panic::location::Location>::line`
    let asks = "call void @_RNvMs4_NtNtCsgEmfK2I1SDS_4core5panic8locationNtB5_8Location4line(ptr @alloc_p)";
    let asking = |text: &str| text.replace("call void @take(ptr @alloc_p)", asks);
    assert_eq!(names(&compared(&[&asking(PLACES)], &[&asking(&paste)])), ["main"]);
}

#[test]
fn identities_of_types_of_the_program_may_be_others_but_not_be_mixed_up() {
    /// `<core::any::TypeId>::of::<app::T>`
    const OWN: &str = "_RINvMs8_NtCsgEmfK2I1SDS_4core3anyNtB6_6TypeId2ofNtCsli3NGoEiSOP_3app1TEBM_";
    /// `<core::any::TypeId>::of::<alloc::string::String>`
    const STRING: &str =
        "_RINvMs8_NtCsgEmfK2I1SDS_4core3anyNtB6_6TypeId2ofNtNtCslNYArtu3iFV_5alloc6string6StringECsli3NGoEiSOP_3app";
    let program = |user: &str, one: &str, two: &str, three: &str| {
        let id = |name: &str, number: &str| {
            format!(
                "@alloc_{name} = private constant <{{ ptr, ptr }}> <{{ ptr inttoptr (i64 {number} to ptr), ptr inttoptr (i64 7 to ptr) }}>, align 8\n"
            )
        };
        let ids = [id("a", one), id("b", two), id("c", three)].concat();
        let take = "call void @take(ptr @alloc_a, ptr @alloc_b, ptr @alloc_c)";
        let (call, rest) = match user {
            "main" => (take.to_owned(), String::new()),
            _ => (
                format!("call void @{user}()"),
                format!("define void @{user}() {{\nstart:\n  {take}\n  ret void\n}}\n"),
            ),
        };
        format!("{ids}define i32 @main() {{\nstart:\n  {call}\n  ret i32 0\n}}\n{rest}")
    };
    let differs = |user: &str, [one, other]: [[&str; 3]; 2]| {
        let text = |[one, two, three]: [&str; 3]| program(user, one, two, three);
        !compared(&[&text(one)], &[&text(other)]).differences.is_empty()
    };
    assert!(!differs(OWN, [["1", "2", "1"], ["5", "6", "5"]]));
    assert!(differs(OWN, [["1", "2", "1"], ["5", "6", "6"]]));
    assert!(differs(OWN, [["1", "2", "3"], ["5", "6", "5"]]));
    for user in [STRING, "main"] {
        assert!(differs(user, [["1", "2", "1"], ["5", "6", "5"]]), "{user}");
        assert!(!differs(user, [["1", "2", "1"], ["1", "2", "1"]]), "{user}");
    }
}

const FIXED: &str = "
@alloc_m = private constant [4 x i8] c\"stop\", align 1
define i32 @main() {
start:
  br i1 %x, label %bb1, label %bb2
bb1:
  %0 = call { ptr, ptr } @_RNvMs4_NtCsgEmfK2I1SDS_4core3fmtNtB5_9Arguments8from_strC3app(ptr @alloc_m, i64 4)
  %1 = extractvalue { ptr, ptr } %0, 0
  call void @_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt(ptr %1, ptr null)
  unreachable
bb2:
  ret i32 0
}
";
const OLD: &str = "
@alloc_m = private constant [4 x i8] c\"stop\", align 1
define i32 @main() {
start:
  br i1 %x, label %bb2, label %bb1
bb1:
  ret i32 0
bb2:
  call void @_RINvNtCsjrHSEGnQ3l9_3std9panicking11begin_panicReEB4_(ptr @alloc_m, i64 4, ptr null)
  unreachable
}
";

#[test]
fn a_panic_with_a_fixed_message_may_take_another_way_in() {
    let same = compared(&[FIXED], &[OLD, FIXED]);
    assert!(same.differences.is_empty(), "{same:?}");
    assert_eq!(same.effects, [Effect::PanicEntry].into());
    assert!(compared(&[FIXED], &[OLD]).differences.is_empty(), "also if no edition has it as cargo does");
    let without_std = OLD
        .replace("_RINvNtCsjrHSEGnQ3l9_3std9panicking11begin_panicReEB4_", "_RNvNtCsgEmfK2I1SDS_4core9panicking5panic");
    assert_ne!(without_std, OLD);
    assert!(compared(&[&without_std], &[FIXED]).differences.is_empty(), "a crate without the standard library");
    let others = [
        ("c\"stop\"", "c\"step\""),
        ("ret i32 0", "ret i32 1"),
        ("begin_panicReEB4_", "other_panicReEB4_"),
        ("i64 4", "i64 3"),
    ];
    for (there, instead) in others {
        assert!(OLD.contains(there), "{there}");
        for paste in [vec![OLD.replace(there, instead)], vec![OLD.replace(there, instead), FIXED.to_owned()]] {
            let paste: Vec<&str> = paste.iter().map(String::as_str).collect();
            assert_eq!(names(&compared(&[FIXED], &paste)), ["main"], "{instead}");
        }
    }
}

#[test]
fn a_generic_function_of_std_is_the_same_whoever_made_it() {
    let program = |callee: &str| format!("define i32 @main() {{\nstart:\n  call void @{callee}()\n  ret i32 0\n}}\n");
    let made_here = |callee: &str| format!("{}define internal void @{callee}() {{\n  ret void\n}}\n", program(callee));
    let freed = "_RNvMs2_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner10deallocate";
    let (gimli, own) = (format!("{freed}CsduwmD7cSIQq_5gimli"), format!("{freed}Cs6vzXrMD0jZp_3app"));
    assert!(compared(&[&made_here(&own)], &[&program(&gimli)]).differences.is_empty());
    assert!(compared(&[&program(&gimli)], &[&made_here(&own)]).differences.is_empty());
    let grown = own.replace("10deallocate", "4grow");
    assert_eq!(names(&compared(&[&made_here(&grown)], &[&program(&gimli)])), ["main"]);
}

#[test]
fn the_name_of_a_method_says_its_type_and_trait() {
    for (name, parts) in [
        ("<app::Dog as app::Animal>::cry", Some(("app::Dog", "app::Animal>::cry"))),
        ("<fn(u8) -> Vec<u8> as Call<A>>::call", Some(("fn(u8) -> Vec<u8>", "Call<A>>::call"))),
        ("<(A, <B as C>::D) as E>::f", Some(("(A, <B as C>::D)", "E>::f"))),
        ("<app::Dog>::cry", None),
        ("app::f::<<A as B>::C>", None),
    ] {
        assert_eq!(parts_of_impl(name), parts, "{name}");
    }
}

#[test]
fn only_functions_of_std_about_types_of_the_program_may_hold_other_identities() {
    for (name, may_differ) in [
        ("<app::Dog as core::any::Any>::type_id", true),
        ("<dyn core::any::Any>::is::<app::Dog>", true),
        ("core::any::type_id::<alloc::vec::Vec<app::Dog>>", true),
        ("<dyn core::any::Any>::is::<u8>", false),
        ("<alloc::string::String as core::any::Any>::type_id", false),
        ("<core::option::Option<app::Dog> as app::Named>::name", false),
        ("<app::Dog as core::cmp::PartialEq<alloc::boxed::Box<dyn core::any::Any>>>::eq", false),
        ("app::main", false),
    ] {
        assert_eq!(is_about_own_type(name), may_differ, "{name}");
    }
}
