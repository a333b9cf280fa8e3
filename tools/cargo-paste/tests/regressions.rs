//! Small packages that were pasted wrong once, or might be: each is built by cargo, pasted, and run in every cell that
//! is claimed. `is_pasted` wants a paste, `is_refused` a refusal. `is_right_or_refused` takes both, but no wrong paste.

mod support;

use support::{CASE, Case, Lib, lib};

// Enums: their variants, numbers and layout.

/// The library of the search below: eight directions, found by their number.
const BOARD: &str = r#"
pub mod direction {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Direction { North, NorthEast, East, SouthEast, South, SouthWest, West, NorthWest }
    use self::Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    impl Direction {
        pub const ALL: [Direction; 8] = [North, NorthEast, East, SouthEast, South, SouthWest, West, NorthWest];
        pub const AXES: [Direction; 4] = [NorthEast, East, SouthEast, South];
        pub fn offset(self) -> (isize, isize) {
            const OFFSETS: [(isize, isize); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];
            OFFSETS[self as usize]
        }
        pub fn opposite(self) -> Direction { Direction::ALL[(self as usize + 4) % 8] }
    }
}
pub mod grid {
    use crate::direction::Direction;
    use std::ops::{Add, Index};
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Pos { pub row: isize, pub col: isize }
    impl Add<Direction> for Pos {
        type Output = Pos;
        fn add(self, direction: Direction) -> Pos {
            let (down, right) = direction.offset();
            Pos { row: self.row + down, col: self.col + right }
        }
    }
    pub struct Grid<T> { pub cols: usize, pub cells: Vec<T> }
    impl<T> Grid<T> {
        pub fn get(&self, pos: Pos) -> Option<&T> {
            if pos.row < 0 || pos.col < 0 || pos.col as usize >= self.cols { return None; }
            self.cells.get(pos.row as usize * self.cols + pos.col as usize)
        }
        pub fn number(&self, pos: Pos) -> usize { pos.row as usize * self.cols + pos.col as usize }
    }
    impl<T> Index<Pos> for Grid<T> {
        type Output = T;
        fn index(&self, pos: Pos) -> &T { self.get(pos).expect("on the board") }
    }
}
"#;

#[test]
fn a_search_in_four_of_eight_directions_is_pasted() {
    let main = r#"
use board::direction::Direction::{self, East, North, South, West};
use board::grid::{Grid, Pos};
use std::collections::VecDeque;

fn main() {
    let rows = ["...#....", ".#.#.##.", ".#...#..", ".#####.#", "........"];
    let grid = Grid { cols: 8, cells: rows.concat().into_bytes() };
    let start = Pos { row: 0, col: 0 };
    let mut far = vec![usize::MAX; grid.cells.len()];
    far[0] = 0;
    let mut queue = VecDeque::from(vec![start]);
    while let Some(pos) = queue.pop_front() {
        for direction in [North, East, South, West] {
            let next = pos + direction;
            if grid.get(next) == Some(&b'.') && far[grid.number(next)] == usize::MAX {
                far[grid.number(next)] = far[grid.number(pos)] + 1;
                queue.push_back(next);
            }
        }
    }
    println!("{:?} {}", far, far.iter().filter(|&&steps| steps < usize::MAX).count());
    println!("{:?}", [North, East, South, West].map(Direction::offset));
}
"#;
    Case { main, libs: &[lib("board", "2021", BOARD)], ..CASE }.is_pasted();
}

#[test]
fn a_variant_is_an_index_though_others_are_not_used() {
    let source = "#[derive(Clone, Copy)] pub enum Dir { N, NE, E, SE, S, SW, W, NW }\n\
        pub const D8: [(i32, i32); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];";
    let main = "use dirs::{Dir, D8};\n\
        fn main() { for dir in [Dir::E, Dir::S, Dir::W] { println!(\"{} {:?}\", dir as usize, D8[dir as usize]); } }";
    Case { main, libs: &[lib("dirs", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn an_arm_stays_though_another_enum_has_an_unused_variant_of_its_name() {
    let source = r"
pub enum Tile { Floor, Wall, Door }
impl Tile { pub fn letter(&self) -> char { match self { Tile::Floor => '.', Tile::Wall => '#', Tile::Door => '+' } } }
pub enum Cell { Free, Wall, Door }
use self::Cell::*;
pub fn cost(cell: &Cell) -> u32 { match cell { Wall => 100, Door => 10, _ => 1 } }
pub fn sum(cells: &[Cell]) -> u32 { cells.iter().map(|cell| match *cell { Wall | Door => cost(cell), _ => 0 }).sum() }
";
    let main = "use maze::{cost, sum, Cell, Tile};\nfn main() {\n\
        println!(\"{} {} {}\", Tile::Floor.letter(), cost(&Cell::Wall), sum(&[Cell::Wall, Cell::Door, Cell::Free]));\n}";
    Case { main, libs: &[lib("maze", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn the_none_of_option_stays_though_another_none_is_not_used() {
    let source = r"
#[derive(Debug)] pub enum Op { None, Push(i32), Pop, Some(i32) }
pub fn first(values: &[i32]) -> i32 { match values.first() { None => -1, Some(4) => 1, _ => 0 } }
pub fn run(ops: &[Op]) -> Vec<i32> {
    let mut stack = Vec::new();
    for op in ops {
        match op { Op::None => {} Op::Some(value) | Op::Push(value) => stack.push(*value), Op::Pop => match stack.pop() { None => stack.push(-7), _ => {} } }
    }
    stack
}
";
    let main = "use machine::{first, run, Op};\n\
        fn main() { println!(\"{} {} {:?}\", first(&[]), first(&[4]), run(&[Op::Pop, Op::Push(2), Op::Push(3), Op::Pop])); }";
    Case { main, libs: &[lib("machine", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn the_ok_and_err_of_result_stay_though_others_are_not_used() {
    let source = r#"
pub enum Reply { Ok, Err, Wait }
pub fn parse(text: &str) -> i32 { match text.parse::<i32>() { Err(_) => -1, Ok(12) => 12, _ => 0 } }
pub fn answer(reply: &Reply) -> &'static str { match reply { Reply::Ok => "ok", Reply::Err => "err", Reply::Wait => "wait" } }
"#;
    let main = "use net::{answer, parse, Reply};\n\
        fn main() { println!(\"{} {} {}\", parse(\"12\"), parse(\"x\"), answer(&Reply::Wait)); }";
    Case { main, libs: &[lib("net", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn discriminants_count_on_from_unused_variants() {
    let source = "#[derive(Clone, Copy)] pub enum Key { A, B = 7, C, D, E = -3, F }\n\
        pub fn number(key: Key) -> i64 { key as i64 }";
    let main = "use keys::{number, Key};\n\
        fn main() { println!(\"{} {} {}\", number(Key::D), number(Key::F), Key::D as u8); }";
    Case { main, libs: &[lib("keys", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_number_becomes_an_enum_by_transmute() {
    let source = r"
#[repr(u8)] #[derive(Debug, Clone, Copy, PartialEq)] pub enum Suit { Clubs, Diamonds, Hearts, Spades }
pub fn suit(number: u8) -> Suit { assert!(number < 4); unsafe { std::mem::transmute(number) } }
";
    let main = "fn main() { for number in 0..4 { println!(\"{:?}\", cards::suit(number)); } }";
    Case { main, libs: &[lib("cards", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_number_becomes_an_enum_through_a_pointer() {
    let source = r"
#[repr(u16)] #[derive(Debug, Clone, Copy)] pub enum Level { Low = 2, Middle, High = 9, Top }
pub fn level(number: u16) -> Level { unsafe { *(&number as *const u16 as *const Level) } }
";
    let main =
        "fn main() { println!(\"{:?} {:?} {}\", levels::level(3), levels::level(10), levels::level(9) as u16); }";
    Case { main, libs: &[lib("levels", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn derived_order_compares_variants_by_their_place() {
    let source = "#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)] pub enum Rank { Two, Three, Jack(u8), Queen, King }";
    let main = r#"
use ranks::Rank;
fn main() {
    let mut hand = vec![Rank::King, Rank::Jack(4), Rank::Two, Rank::Jack(2)];
    hand.sort();
    println!("{:?} {:?} {:?}", hand, hand.iter().max(), Rank::Two.cmp(&Rank::Jack(0)));
}
"#;
    Case { main, libs: &[lib("ranks", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn derived_hashes_give_a_map_its_order() {
    let source = r"
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
#[derive(Default, Clone, Copy)] pub struct FxHasher { hash: usize }
impl FxHasher { fn add(&mut self, word: usize) { self.hash = (self.hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95); } }
impl Hasher for FxHasher {
    fn write(&mut self, bytes: &[u8]) { for byte in bytes { self.add(*byte as usize); } }
    fn write_u32(&mut self, word: u32) { self.add(word as usize); }
    fn write_isize(&mut self, word: isize) { self.add(word as usize); }
    fn write_usize(&mut self, word: usize) { self.add(word); }
    fn finish(&self) -> u64 { self.hash as u64 }
}
pub type FxHashMap<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)] pub enum Colour { Black, Red, Green, Blue(u32), White, Grey { level: u32 } }
";
    let main = r#"
use fx::{Colour, FxHashMap};
fn main() {
    let mut map = FxHashMap::default();
    for (place, colour) in [Colour::White, Colour::Blue(3), Colour::Red, Colour::Blue(9)].iter().enumerate() { map.insert(*colour, place); }
    for (colour, place) in &map { println!("{:?} {}", colour, place); }
}
"#;
    Case { main, libs: &[lib("fx", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_derived_hash_is_the_number_it_was() {
    let source = "#[derive(Hash)] pub enum State { Idle, Busy(u8), Done, Failed { code: u32 } }\n\
        #[derive(Hash)] pub struct Job { pub id: u64, pub state: State, pub note: Option<&'static str> }";
    let main = r#"
use jobs::{Job, State};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
fn main() {
    for job in [Job { id: 1, state: State::Done, note: None }, Job { id: 2, state: State::Failed { code: 3 }, note: Some("x") }] {
        let mut hasher = DefaultHasher::new();
        job.hash(&mut hasher);
        println!("{}", hasher.finish());
    }
}
"#;
    Case { main, libs: &[lib("jobs", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn sizes_count_what_is_never_used() {
    let source = r"
pub enum Shape { Dot, Line(u16, u16), Image([u64; 9]) }
pub struct Record { pub id: u8, pub spare: [u32; 5], note: u64 }
impl Record { pub fn new(id: u8) -> Record { Record { id, spare: [0; 5], note: 1 } } }
pub union Word { pub byte: u8, pub wide: u128 }
pub enum Flag { On, Off, Unknown }
";
    let main = r#"
use shapes::{Flag, Record, Shape, Word};
use std::mem::{align_of, size_of, size_of_val};
fn main() {
    let (record, word, flag) = (Record::new(4), Word { byte: 3 }, Flag::On);
    println!("{} {} {}", size_of::<Shape>(), size_of_val(&Shape::Dot), size_of::<Option<Shape>>());
    println!("{} {} {} {}", record.id, size_of_val(&record), align_of::<Record>(), size_of_val(&word));
    println!("{} {}", size_of::<Option<Option<Flag>>>(), match flag { Flag::On => 1, _ => 0 });
}
"#;
    Case { main, libs: &[lib("shapes", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn fields_of_a_c_struct_keep_their_places() {
    let source = r"
#[repr(C)] pub struct Header { magic: u16, flags: u8, spare: u8, length: u32, pub tail: u64 }
impl Header { pub fn new() -> Header { Header { magic: 0x1234, flags: 7, spare: 9, length: 77, tail: 5 } } }
";
    let main = r#"
fn main() {
    let header = header::Header::new();
    let start = &header as *const header::Header as *const u8;
    let bytes = unsafe { std::slice::from_raw_parts(start, 16) };
    println!("{} {:?} {}", header.tail, bytes, std::mem::size_of::<header::Header>());
}
"#;
    Case { main, libs: &[lib("header", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_field_that_only_a_derive_reads_stays() {
    let source = "#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)] pub struct Item { weight: u32, pub name: &'static str }\n\
        impl Item { pub fn new(weight: u32, name: &'static str) -> Item { Item { weight, name } } }";
    let main = "use items::Item;\nfn main() {\n    let mut all = vec![Item::new(3, \"a\"), Item::new(1, \"b\"), Item::new(2, \"c\")];\n    \
        all.sort();\n    println!(\"{:?} {}\", all, all[0].name);\n}";
    Case { main, libs: &[lib("items", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn enums_of_the_solution_itself_stay_as_they_are() {
    let main = r#"
#[allow(dead_code)] #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)] enum Piece { None, Pawn, Rook, King }
fn value(piece: Option<Piece>) -> u32 { match piece { None => 0, Some(Piece::None) => 1, Some(other) => 10 * other as u32 } }
fn main() { println!("{} {} {:?}", value(None), value(Some(Piece::King)), unsafe { std::mem::transmute::<u8, Piece>(2) }); }
"#;
    Case { main, libs: &[lib("unused", "2021", "pub fn f() {}")], ..CASE }.is_pasted();
}

// Editions.

const NOISY: &str = r#"
pub struct Noisy(pub &'static str);
impl Noisy { pub fn len(&self) -> usize { self.0.len() } pub fn some(&self) -> Option<usize> { self.0.len().checked_sub(4) } }
impl Drop for Noisy { fn drop(&mut self) { println!("drop {}", self.0); } }
"#;

#[test]
fn a_guard_in_if_let_is_gone_before_else_in_2024() {
    let main = r#"
use std::cell::RefCell;
fn main() {
    let cell = RefCell::new(vec![1]);
    if let Some(value) = cell.borrow().get(3).copied() { println!("{}", value); } else { cell.borrow_mut().push(2); }
    println!("{:?}", cell);
}
"#;
    Case { edition: "2024", main, ..CASE }.is_pasted();
}

#[test]
fn a_mutex_in_if_let_is_free_before_else_in_2024() {
    let main = r#"
use std::sync::Mutex;
fn main() {
    let queue = Mutex::new(vec![1]);
    for _ in 0..3 {
        if let Some(value) = queue.lock().unwrap().pop() { println!("{}", value); } else { queue.lock().unwrap().push(9); }
    }
    println!("{:?}", queue.lock().unwrap());
}
"#;
    Case { edition: "2024", main, ..CASE }.is_pasted();
}

#[test]
fn a_value_in_if_let_drops_when_the_solutions_edition_says() {
    let main = "use noisy::Noisy;\nfn main() {\n    \
        if let Some(over) = Noisy(\"abc\").some() { println!(\"{}\", over); } else { println!(\"else\"); }\n    println!(\"end\");\n}";
    for edition in ["2021", "2024"] {
        Case { edition, main, libs: &[lib("noisy", "2021", NOISY)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_value_in_the_last_expression_drops_when_the_solutions_edition_says() {
    let main = "use noisy::Noisy;\nfn size() -> usize { let _local = Noisy(\"local\"); Noisy(\"last\").len() }\n\
        fn main() { println!(\"{}\", size()); let value = { let _inner = Noisy(\"inner\"); Noisy(\"block\").len() }; println!(\"{}\", value); }";
    for edition in ["2018", "2021", "2024"] {
        Case { edition, main, libs: &[lib("noisy", "2021", NOISY)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_guard_in_the_last_expression_is_gone_before_the_variables_in_2024() {
    let main = r#"
use std::cell::RefCell;
struct Undo<'a>(&'a RefCell<Vec<i32>>);
impl Drop for Undo<'_> { fn drop(&mut self) { println!("{:?}", self.0.try_borrow_mut().map(|mut list| list.pop()).is_ok()); } }
fn size(list: &RefCell<Vec<i32>>) -> usize { let _undo = Undo(list); list.borrow().len() }
fn main() { let list = RefCell::new(vec![1, 2]); println!("{} {:?}", size(&list), list); }
"#;
    for edition in ["2021", "2024"] {
        Case { edition, main, ..CASE }.is_pasted();
    }
}

#[test]
fn a_dependency_of_2024_drops_earlier_than_a_solution_of_2021() {
    let source = format!("{NOISY}pub fn size() -> usize {{ let _local = Noisy(\"local\"); Noisy(\"last\").len() }}\n");
    let main = "fn size() -> usize { let _local = late::Noisy(\"my local\"); late::Noisy(\"my last\").len() }\n\
        fn main() { println!(\"{} {}\", late::size(), size()); }";
    Case { main, libs: &[lib("late", "2024", &source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_dependency_of_2021_drops_later_than_a_solution_of_2024() {
    let source = format!(
        "{NOISY}pub fn check() {{ if let Some(over) = Noisy(\"abc\").some() {{ println!(\"{{}}\", over); }} else {{ println!(\"else\"); }} }}\n"
    );
    let main = "fn main() { old::check(); if let Some(over) = old::Noisy(\"ab\").some() { println!(\"{}\", over); } else { println!(\"my else\"); } }";
    Case { edition: "2024", main, libs: &[lib("old", "2021", &source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_plain_dependency_of_another_edition_is_pasted() {
    let source = "use std::collections::BTreeMap;\npub struct Count { map: BTreeMap<String, usize> }\n\
        impl Count {\n    pub fn new() -> Self { Count { map: BTreeMap::new() } }\n    \
        pub fn add(&mut self, word: &str) { *self.map.entry(word.to_owned()).or_insert(0) += 1; }\n    \
        pub fn top(&self) -> Option<(&str, usize)> { let best = self.map.iter().max_by_key(|pair| *pair.1)?; Some((best.0.as_str(), *best.1)) }\n}";
    let main = "fn main() {\n    let mut count = words::Count::new();\n    for word in \"a b a c b a\".split(' ') { count.add(word); }\n    \
        println!(\"{:?}\", count.top());\n}";
    for (own, other) in [("2021", "2024"), ("2021", "2018"), ("2024", "2021"), ("2018", "2021")] {
        Case { edition: own, main, libs: &[lib("words", other, source)], ..CASE }.is_pasted();
    }
}

/// Says whether a value or a reference came.
const KIND: &str = "pub trait Kind { fn kind(&self) -> &'static str; }\n\
    impl Kind for u8 { fn kind(&self) -> &'static str { \"value\" } }\n\
    impl<'a> Kind for &'a u8 { fn kind(&self) -> &'static str { \"reference\" } }\n";

#[test]
fn an_array_gives_references_in_a_dependency_of_2018() {
    let source = format!(
        "{KIND}fn name<T: Kind>(item: T) -> &'static str {{ item.kind() }}\n\
         #[allow(array_into_iter)] pub fn kinds() -> Vec<&'static str> {{ [1u8, 2].into_iter().map(name).collect() }}"
    );
    let main = "use arrays::Kind;\nfn name<T: Kind>(item: T) -> &'static str { item.kind() }\n\
        fn main() { println!(\"{:?} {:?}\", arrays::kinds(), [3u8].into_iter().map(name).collect::<Vec<_>>()); }";
    Case { main, libs: &[lib("arrays", "2018", &source)], ..CASE }.is_right_or_refused();
}

#[test]
fn an_array_gives_references_in_a_solution_of_2018() {
    let main = format!(
        "{KIND}fn name<T: Kind>(item: T) -> &'static str {{ item.kind() }}\n\
         #[allow(array_into_iter)] fn main() {{ println!(\"{{:?}}\", [1u8, 2].into_iter().map(name).collect::<Vec<_>>()); }}"
    );
    for edition in ["2015", "2018", "2021"] {
        Case { edition, main: &main, ..CASE }.is_pasted();
    }
}

#[test]
fn a_boxed_slice_gives_values_only_in_2024() {
    let main = format!(
        "{KIND}fn name<T: Kind>(item: T) -> &'static str {{ item.kind() }}\n\
         #[allow(boxed_slice_into_iter)] fn main() {{ let boxed: Box<[u8]> = vec![1, 2].into();\n\
         println!(\"{{:?}}\", boxed.into_iter().map(name).collect::<Vec<_>>()); }}"
    );
    for edition in ["2021", "2024"] {
        Case { edition, main: &main, ..CASE }.is_pasted();
    }
}

#[test]
fn a_closure_takes_a_part_of_a_struct_since_2021() {
    let main = "use noisy::Noisy;\nstruct Pair { one: Noisy, two: Noisy }\nfn main() {\n    \
        let pair = Pair { one: Noisy(\"one\"), two: Noisy(\"two\") };\n    \
        { let closure = move || println!(\"{}\", pair.one.len()); closure(); println!(\"called\"); }\n    println!(\"end\");\n}";
    for edition in ["2018", "2021"] {
        Case { edition, main, libs: &[lib("noisy", "2021", NOISY)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_closure_of_a_dependency_of_2018_takes_the_whole_struct() {
    let source = format!(
        "{NOISY}pub struct Pair {{ pub one: Noisy, pub two: Noisy }}\npub fn call(pair: Pair) {{\n    \
         {{ let closure = move || println!(\"{{}}\", pair.one.len()); closure(); println!(\"called\"); }}\n    println!(\"end\");\n}}"
    );
    let main = "fn main() { whole::call(whole::Pair { one: whole::Noisy(\"one\"), two: whole::Noisy(\"two\") }); }";
    Case { main, libs: &[lib("whole", "2018", &source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_closure_of_an_older_crate_may_outlive_what_it_captures() {
    let source = "pub struct Words { pub first: Vec<u32>, pub rest: Vec<String> }\n\
        impl Words { pub fn later(self) -> Box<dyn FnOnce() -> usize> { Box::new(move || self.first.len()) } }";
    let main =
        "fn main() { println!(\"{}\", words::Words { first: vec![1, 2], rest: vec![String::new()] }.later()()); }";
    for edition in ["2021", "2024"] {
        Case { edition, main, libs: &[lib("words", "2018", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_closure_that_needs_only_a_part_leaves_the_rest_usable() {
    let main = r#"
struct Graph { edges: Vec<Vec<usize>>, seen: Vec<bool>, order: Vec<usize> }
fn main() {
    let mut graph = Graph { edges: vec![vec![1, 2], vec![3], vec![3], vec![]], seen: vec![false; 4], order: vec![] };
    let mut stack = vec![0];
    while let Some(node) = stack.pop() {
        let mut visit = |next: usize| if !graph.seen[next] { graph.seen[next] = true; stack.push(next); };
        for next in &graph.edges[node] { visit(*next); }
        graph.order.push(node);
    }
    println!("{:?}", graph.order);
}
"#;
    Case { main, ..CASE }.is_pasted();
}

#[test]
fn dependencies_of_two_editions_are_pasted_and_of_all_four_right_or_refused() {
    let old = "extern crate newer;\nmod deep { pub fn two() -> u32 { ::one() + ::newer::three() - 3 + 1 } pub fn dyn() -> u32 { 0 } }\n\
        fn one() -> u32 { 1 }\npub fn sum() -> u32 { deep::two() + ::deep::dyn() }";
    let newer = "mod inner { pub(crate) fn three() -> u32 { 3 } }\npub fn three() -> u32 { crate::inner::three() }\n\
        pub fn each(f: &dyn Fn(u32) -> u32) -> Vec<u32> { (0..3).map(f).collect() }";
    let today = "pub fn pick(values: &[u32]) -> Option<u32> { let [first, .., last] = values else { return None }; Some(first * 10 + last) }";
    let latest = "pub fn both(a: Option<u32>, b: Option<u32>) -> u32 { if let Some(a) = a && let Some(b) = b { a + b } else { 0 } }";
    let main = "fn main() { println!(\"{} {:?} {:?} {}\", oldest::sum(), newer::each(&|n| n * n), today::pick(&[1, 2, 3]), latest::both(Some(1), Some(2))); }";
    let oldest = Lib { manifest: "[dependencies]\nnewer = { path = \"../newer\" }", ..lib("oldest", "2015", old) };
    let libs = [oldest, lib("newer", "2018", newer), lib("today", "2021", today), lib("latest", "2024", latest)];
    Case { main, libs: &libs, ..CASE }.is_right_or_refused();
    let main = "fn main() { println!(\"{:?} {:?}\", newer::each(&|n| n * n), today::pick(&[1, 2, 3])); }";
    Case { main, libs: &[libs[1], libs[2]], ..CASE }.is_pasted();
}

#[test]
fn an_old_crate_with_words_that_became_keywords_is_right_or_refused() {
    let source = "pub fn async(x: u32) -> u32 { x + 1 }\npub fn await() -> u32 { 2 }\npub struct Try { pub try: u32 }\n\
        pub trait Named { fn name(&self, u32) -> u32; }\nimpl Named for Try { fn name(&self, more: u32) -> u32 { self.try + more } }\n\
        pub fn object(x: u32) -> Box<Named> { Box::new(Try { try: async(x) + await() }) }";
    Case {
        main: "fn main() { println!(\"{}\", old::object(3).name(4)); }",
        libs: &[lib("old", "2015", source)],
        ..CASE
    }
    .is_right_or_refused();
}

#[test]
fn a_solution_of_2015_with_its_own_paths_is_pasted() {
    let source = "pub mod deep { pub fn two() -> u32 { 2 } }\n#[macro_export] macro_rules! twice { ($e:expr) => { $e * $crate::deep::two() } }";
    let main = "#[macro_use] extern crate helper;\nmod own { pub fn go() -> u32 { ::top() + ::helper::deep::two() } }\n\
        fn top() -> u32 { 1 }\nfn main() { println!(\"{} {}\", own::go(), twice!(4)); }";
    Case { edition: "2015", main, libs: &[lib("helper", "2015", source)], ..CASE }.is_pasted();
}

#[test]
fn what_a_panic_carries_stays_the_same_in_2018_and_2021() {
    let main = r#"
use std::panic;
fn what(payload: Box<dyn std::any::Any + Send>) -> String {
    match payload.downcast::<String>() { Ok(text) => format!("String {}", text), Err(other) => format!("str {:?}", other.downcast::<&'static str>()) }
}
fn main() {
    panic::set_hook(Box::new(|_| {}));
    let x = 5;
    println!("{}", what(panic::catch_unwind(|| panic!("{x}")).unwrap_err()));
    println!("{}", what(panic::catch_unwind(|| panic!("{{}}")).unwrap_err()));
    println!("{}", what(panic::catch_unwind(move || panic!("{} {}", x, "y")).unwrap_err()));
    println!("{}", what(panic::catch_unwind(|| assert!(1 > 2, "{{not}}")).unwrap_err()));
}
"#;
    for edition in ["2018", "2021"] {
        Case { edition, main: &format!("#![allow(warnings)]\n{main}"), ..CASE }.is_pasted();
    }
}

#[test]
fn a_panic_of_a_dependency_of_2018_keeps_its_braces() {
    let source =
        "#![allow(warnings)]\npub fn fail(x: u32) { if x > 1 { panic!(\"{x}\") } assert!(x > 7, \"{x} {{}}\"); }";
    let main = "use std::panic;\nfn main() {\n    panic::set_hook(Box::new(|_| {}));\n    for x in 0..3 {\n        \
        let payload = panic::catch_unwind(move || fails::fail(x)).unwrap_err();\n        \
        println!(\"{:?} {:?}\", payload.downcast_ref::<String>(), payload.downcast_ref::<&'static str>());\n    }\n}";
    Case { main, libs: &[lib("fails", "2018", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_macro_counts_other_tokens_in_another_edition() {
    let main = "macro_rules! count { () => { 0 }; ($first:tt $($rest:tt)*) => { 1 + count!($($rest)*) } }\n\
        fn main() { println!(\"{} {}\", count!(c\"x\"), count!(a b)); }";
    for edition in ["2018", "2021"] {
        Case { edition, main, ..CASE }.is_pasted();
    }
}

#[test]
fn an_expression_of_2024_is_more_than_one_of_2021() {
    let source = "#[macro_export] macro_rules! kind { ($e:expr) => { \"expression\" }; (const $b:block) => { \"const\" }; (_) => { \"hole\" } }\n\
        pub fn kinds() -> Vec<&'static str> { vec![kind!(1 + 1), kind!(const { 2 }), kind!(_)] }";
    let main = "macro_rules! mine { ($e:expr) => { \"expression\" }; (const $b:block) => { \"const\" }; (_) => { \"hole\" } }\n\
        fn main() { println!(\"{:?} {} {}\", exprs::kinds(), exprs::kind!(_), exprs::kind!(const { 3 })); println!(\"{} {}\", mine!(_), mine!(const { 3 })); }";
    for (own, other) in [("2021", "2024"), ("2024", "2021")] {
        Case { edition: own, main, libs: &[lib("exprs", other, source)], ..CASE }.is_right_or_refused();
    }
    Case { main, libs: &[lib("exprs", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_pattern_of_a_macro_has_alternatives_since_2021() {
    let source = "#[macro_export] macro_rules! arms { ($v:expr, $a:pat | $b:pat) => { match $v { $a => 1, $b => 2, _ => 3 } }; ($v:expr, $a:pat) => { match $v { $a => 4, _ => 5 } } }";
    let main = "fn main() { println!(\"{} {} {}\", pats::arms!(2, 1 | 2), pats::arms!(1, 1 | 2), pats::arms!(7, 7)); }";
    Case { main, libs: &[lib("pats", "2018", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_trait_of_2018_has_a_method_of_the_later_prelude() {
    let source = "pub trait Convert { fn try_into(&self) -> Result<u16, ()>; }\nimpl Convert for u8 { fn try_into(&self) -> Result<u16, ()> { Ok(*self as u16 + 1000) } }\n\
        pub fn convert(x: u8) -> u16 { x.try_into().unwrap() }";
    Case { main: "fn main() { println!(\"{}\", conv::convert(7)); }", libs: &[lib("conv", "2018", source)], ..CASE }
        .is_right_or_refused();
}

#[test]
fn a_solution_of_2024_with_its_own_words_is_pasted() {
    let source = "pub fn r#gen(seed: u32) -> u32 { seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) }\n\
        pub fn evens() -> impl Iterator<Item = u32> { (0..).step_by(2) }\n#[unsafe(no_mangle)] pub extern \"C\" fn suite_of_2024(x: u32) -> u32 { x + 1 }";
    let main = "unsafe extern \"C\" { safe fn suite_of_2024(x: u32) -> u32; }\n\
        fn main() { println!(\"{} {:?} {}\", random::r#gen(7), random::evens().take(3).collect::<Vec<_>>(), suite_of_2024(4)); }";
    Case { edition: "2024", main, libs: &[lib("random", "2024", source)], ..CASE }.is_pasted();
}

/// Shows the bytes of a number through a pointer to a temporary value, which 2024 ends before they are shown.
const BYTES: &str = r#"
pub fn shown(n: u32) -> String {
    show(unsafe { std::slice::from_raw_parts(&n.to_be() as *const u32 as *const u8, 4) }, &[n; 64])
}
fn show(bytes: &[u8], more: &[u32]) -> String { format!("{:?} {}", bytes, more.len()) }
"#;

#[test]
fn a_pointer_to_a_value_that_2024_ends_early_is_not_claimed_there() {
    let main = format!("{BYTES} fn main() {{ println!(\"{{}}\", shown(7)); }}");
    let outcome = Case { main: &main, ..CASE }.outcome();
    assert!(outcome.pasted && outcome.report.contains("edition 2024 compiles `shown` cannot"), "{}", outcome.report);
    let main = "fn main() { println!(\"{}\", old::shown(7)); }";
    Case { edition: "2024", main, libs: &[lib("old", "2018", BYTES)], ..CASE }
        .is_refused("`shown` cannot be shown to be the same as in cargo's build, since unsafe code");
}

#[test]
fn a_crate_that_keeps_its_values_longer_than_2024_is_written_so() {
    let source = "pub fn near(all: &[i32], n: &i32) -> i32 { if let Some(x) = all.iter().find(|x| *x == n) { *x } else { far(all) } }\n\
        fn far(all: &[i32]) -> i32 { unsafe { *all.as_ptr().add(all.len() - 1) } }";
    let main = "fn main() { println!(\"{} {}\", old::near(&[1, 2], &2), old::near(&[1, 2], &3)); }";
    Case { edition: "2024", main, libs: &[lib("old", "2018", source)], ..CASE }.is_pasted();
}

#[test]
fn a_function_called_gen_is_compared_with_itself() {
    let source = "pub struct Even;\npub trait Give<T> { fn give(&self) -> T; }\nimpl Give<u32> for Even { fn give(&self) -> u32 { last(&[1, 2]) } }\n\
        pub trait Random { fn gen<T>(&mut self) -> T where Even: Give<T> { Even.give() } }\npub struct Source;\nimpl Random for Source {}\n\
        fn last(all: &[u32]) -> u32 { unsafe { *all.as_ptr().add(all.len() - 1) } }";
    let main = "use old::Random;\nfn main() { println!(\"{}\", old::Source.r#gen::<u32>()); }";
    Case { edition: "2024", main, libs: &[lib("old", "2018", source)], ..CASE }.is_pasted();
}

#[test]
fn older_crates_are_checked_even_if_the_solution_does_not_compile_in_2021() {
    let source = "pub fn last(all: &[i32]) -> i32 { unsafe { *all.as_ptr().add(all.len() - 1) } }";
    let old = lib("old", "2018", source);
    let chain = "fn main() { let all = vec![1, 2]; if let Some(x) = all.first() && *x == 1 { println!(\"{}\", old::last(&all)); } }";
    let guard = "use std::cell::RefCell;\nfn size() -> usize { let all = RefCell::new(vec![1]); all.borrow().len() }\n\
        fn main() { println!(\"{} {}\", size(), old::last(&[1, 2])); }";
    for main in [chain, guard] {
        Case { edition: "2024", main, libs: &[old], ..CASE }.is_pasted();
    }
    let main = guard.replace("last(&[1, 2])", "shown(7)");
    Case { edition: "2024", main: &main, libs: &[lib("old", "2018", BYTES)], ..CASE }
        .is_refused("`shown` cannot be shown to be the same as in cargo's build, since unsafe code");
    // A macro of an older crate keeps that crate's edition where the solution calls it.
    let source = "#[macro_export] macro_rules! bytes { ($n:expr) => { unsafe { std::slice::from_raw_parts(&$n as *const u32 as *const u8, 4) } } }";
    let main = guard.replace("old::last(&[1, 2])", "show(old::bytes!(7u32.to_be()))")
        + "fn show(bytes: &[u8]) -> String { format!(\"{:?}\", bytes) }";
    Case { edition: "2024", main: &main, libs: &[lib("old", "2018", source)], ..CASE }
        .is_refused("`main` cannot be shown to be the same as in cargo's build, since unsafe code");
}

/// Shows four numbers through a pointer to a temporary value, and four others.
const SHOWN: &str = r#"
#[inline(never)] pub fn make(n: u64) -> [u64; 4] { std::hint::black_box([n; 4]) }
#[inline(never)] pub fn show(p: *const [u64; 4], q: &[u64; 4]) { println!("{:?} {:?}", unsafe { (*p)[3] }, std::hint::black_box(q)[3]); }
"#;

#[test]
fn a_value_that_lives_as_long_as_its_variable_still_does_in_an_older_solution() {
    for body in [
        "let p = if let Some(x) = o && x > 0 { &make(x) as *const [u64; 4] } else { &make(50) as *const [u64; 4] }; show(p, &make(2));",
        "let (p, n) = { let c = RefCell::new(vec![7]); (&make(o.unwrap_or(9)) as *const [u64; 4], c.borrow().len()) }; show(p, &make(n as u64));",
        "let p = if let Some(x) = o && x > 0 { &*boxed(x) as *const [u64; 4] } else { &*boxed(50) as *const [u64; 4] }; show(p, &make(2));",
        "let p = if let Some(x) = o && x > 0 { &raw const (*&make(x)) } else { &raw const (*&make(50)) }; show(p, &make(2));",
        "let p = if let Some(x) = o && x > 0 { &make(x) as *const [u64; 4].. } else { &make(50) as *const [u64; 4].. }; show(p.start, &make(2));",
    ] {
        let source = format!(
            "use std::cell::RefCell;\nuse std::mem::ManuallyDrop;\n{SHOWN}\npub fn go(o: Option<u64>) {{ {body} }}\n\
             pub fn cell() -> RefCell<u8> {{ RefCell::new(1) }}\n\
             pub fn boxed(n: u64) -> ManuallyDrop<[u64; 4]> {{ ManuallyDrop::new(make(n)) }}"
        );
        for edition in ["2018", "2021"] {
            let main = "fn main() { l::go(Some(1)); l::go(None); println!(\"{:?}\", l::cell()); }";
            Case { edition, main, libs: &[lib("l", "2024", &source)], ..CASE }.is_right_or_refused();
        }
    }
}

#[test]
fn a_macro_of_an_older_crate_may_make_functions_of_a_crate_of_2024() {
    let def = "#[macro_export] macro_rules! def { ($f:ident, $a:expr, $b:expr) => { pub fn $f() { show({ &make($a) as *const _ }, &make($b)) } } }";
    let source = format!("{SHOWN}\nm::def!(go, 1, 2);");
    let below = Lib { manifest: "[dependencies]\nm = { path = \"../m\" }", ..lib("k", "2024", &source) };
    Case { edition: "2024", main: "fn main() { k::go(); }", libs: &[below, lib("m", "2018", def)], ..CASE }
        .is_right_or_refused();
    // Another part of the tool, made.rs, writes out macros that make a macro or a module.
    let making = "#[macro_export] macro_rules! def { ($f:ident, $a:expr, $b:expr) => {\n\
        #[macro_export] macro_rules! one { () => { 1 } }\n pub fn $f() { show({ &make($a) as *const _ }, &make($b)) } } }";
    Case { edition: "2024", main: "fn main() { k::go(); }", libs: &[below, lib("m", "2018", making)], ..CASE }
        .is_right_or_refused();
}

#[test]
fn a_comment_that_looks_like_the_heading_of_a_crate_is_a_comment() {
    let main = format!("// n 0.1.0 (MIT), changed\nfn main() {{ println!(\"{{}}\", shown(n::seven())); }}\n{BYTES}");
    let manifest = "license = \"MIT\"";
    let n = Lib { manifest, ..lib("n", "2024", "pub fn seven() -> u32 { 7 }") };
    Case { main: &main, libs: &[n], ..CASE }.is_pasted();
}

#[test]
fn a_constant_is_still_worked_out_where_older_crates_are_looked_at() {
    let main = "const fn factorials() -> [u64; 9] { let mut f = [1; 9]; let mut i = 1; while i < 9 { f[i] = f[i - 1] * i as u64; i += 1; } f }\n\
        const ALL: [u64; 9] = factorials();\n\
        fn main() { println!(\"{:?} {}\", ALL, old::last(&[1, 2])); }";
    let source = "pub fn last(all: &[i32]) -> i32 { unsafe { *all.as_ptr().add(all.len() - 1) } }";
    Case { edition: "2024", main, libs: &[lib("old", "2018", source)], ..CASE }.is_pasted();
}

/// A macro that means one thing below 2021 and another one since.
const CHOOSE: &str = "macro_rules! pick { ([$($a:tt)*] [$($b:tt)*] $p:pat) => { $($a)* }; ([$($a:tt)*] [$($b:tt)*] $($t:tt)*) => { $($b)* } }";

#[cfg(unix)]
#[test]
fn a_foreign_function_that_an_edition_declares_in_another_way_is_another_one() {
    let source = format!(
        "{CHOOSE}\ntype Order = extern \"C-unwind\" fn(*const i32, *const i32) -> i32;\n\
        extern \"C-unwind\" fn order(a: *const i32, b: *const i32) -> i32 {{ unsafe {{ if *a == 7 || *b == 7 {{ std::panic::panic_any(7u8) }} (*a).cmp(&*b) as i32 }} }}\n\
        fn sort(v: *mut i32, n: usize) {{ pick!([extern \"C-unwind\" {{ fn qsort(base: *mut i32, n: usize, size: usize, order: Order); }}] [extern \"C\" {{ fn qsort(base: *mut i32, n: usize, size: usize, order: Order); }}] 1 | 2); unsafe {{ qsort(v, n, 4, order) }} }}\n\
        pub fn has_seven() -> bool {{ std::panic::catch_unwind(|| {{ let mut v = [1, 7, 3]; sort(v.as_mut_ptr(), 3) }}).is_err() }}"
    );
    let main = "fn main() { println!(\"{}\", q::has_seven()); }";
    Case { edition: "2018", main, libs: &[lib("q", "2021", &source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_constant_that_an_edition_aligns_in_another_way_is_another_one() {
    let source = format!(
        "{CHOOSE}\n#[repr(align(64))] struct Big([u8; 64]); struct Small([u8; 64]);\n\
        fn show(p: *const u8, n: u32) {{ println!(\"{{}} {{}}\", p as usize % 64, n); }}\n\
        fn odd() -> &'static [u8; 3] {{ &[1, 2, 3] }}\n\
        pub fn go() {{ let by = (3u32, 9u32); let f = |v: u32| v * by.1;\n\
        show(pick!([&Big([7; 64]) as *const Big as *const u8] [&Small([7; 64]) as *const Small as *const u8] 1 | 2), f(2)); println!(\"{{}}\", odd()[1]); }}"
    );
    Case { edition: "2018", main: "fn main() { q::go(); }", libs: &[lib("q", "2021", &source)], ..CASE }
        .is_right_or_refused();
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn a_function_whose_exported_name_looks_mangled_is_compared() {
    let main = "use std::arch::asm;\nmacro_rules! pick { ($p:pat) => { 7 }; ($($t:tt)*) => { 8 } }\n\
        #[export_name = \"_Rhelper\"] pub extern \"C\" fn helper() -> u64 { pick!(1 | 2) }\n\
        pub fn get() -> u64 { let r: u64; unsafe { asm!(\"call _Rhelper\", out(\"rax\") r, clobber_abi(\"C\")) } r }\n\
        fn main() { println!(\"{}\", get()); }";
    Case { main, ..CASE }.is_pasted();
}

#[test]
fn statics_of_one_name_are_kept_in_two_crates() {
    for name in ["alpha", "zeta"] {
        let main = format!("#[used] static A: u8 = 1;\nfn main() {{ println!(\"{{}} {{}}\", A, {name}::get()); }}");
        let libs = [lib(name, "2021", "#[used] static A: u8 = 2; pub fn get() -> u8 { A }")];
        Case { main: &main, libs: &libs, ..CASE }.is_pasted();
    }
}

#[test]
fn a_closure_that_walks_over_what_it_captures_captures_all_of_it() {
    let source = "#[derive(Clone, Copy)] #[repr(C)] pub struct P { pub x: f64, pub y: f64, pub z: f64 }\n\
        pub fn run(k: f64) -> f64 { let p = P { x: k, y: k + 1.0, z: k + 2.0 };\n\
        let at = move |i: usize| unsafe { *std::ptr::addr_of!(p.x).add(i) }; at(0) + at(1) * 10.0 + at(2) * 100.0 }";
    let main = "fn main() { println!(\"{}\", l::run(std::hint::black_box(2.0))); }";
    for edition in ["2021", "2024"] {
        Case { edition, main, libs: &[lib("l", "2018", source)], ..CASE }.is_pasted();
    }
    let main = format!("{source} fn main() {{ println!(\"{{}}\", run(std::hint::black_box(2.0))); }}");
    Case { edition: "2018", main: &main, ..CASE }.is_pasted();
}

#[test]
fn a_boxed_closure_of_an_older_crate_may_capture_a_large_value() {
    let source = "pub struct M { pub a: u32, pub b: u32, pub c: u32, pub d: u32 }\n\
        pub fn get(m: M) -> Box<dyn Fn(u32) -> u32> { Box::new(move |i| m.a + i) }";
    let main = "fn main() { println!(\"{}\", l::get(l::M { a: 1, b: 2, c: 3, d: 4 })(5)); }";
    Case { main, libs: &[lib("l", "2018", source)], ..CASE }.is_pasted();
}

#[test]
fn macros_of_older_editions_may_make_the_pointer() {
    let ending = "fn len() -> usize { let c = std::cell::RefCell::new(String::from(\"abc\")); c.borrow().len() }\n";
    let source =
        "#[macro_export] macro_rules! ptr { ($a:expr) => { { &$a as *const _ } } } pub fn one() -> usize { 1 }";
    let main = format!(
        "{SHOWN}{ending}fn main() {{ println!(\"{{}}\", len() + m::one()); show(m::ptr!(make(1)), &make(2)); }}"
    );
    Case { edition: "2024", main: &main, libs: &[lib("m", "2021", source)], ..CASE }.is_refused("since unsafe code");
    let source = "use proc_macro::*;\n#[proc_macro] pub fn ptr(t: TokenStream) -> TokenStream { format!(\"{{ &{} as *const _ }}\", t).parse().unwrap() }";
    let main = main.replace(" + m::one()", "");
    let made = Lib { manifest: "[lib]\nproc-macro = true", ..lib("m", "2021", source) };
    Case { edition: "2024", main: &main, libs: &[made], ..CASE }.is_refused("since unsafe code");
}

#[test]
fn a_hook_may_look_at_a_value_when_an_assertion_fails() {
    let main = "static mut P: *mut *const [u64; 8] = std::ptr::null_mut();\n\
        #[inline(never)] fn f(a: u64, b: u64) -> u64 { let mut slot: *const [u64; 8] = std::ptr::null(); unsafe { P = &mut slot; }\n\
        let r = ({ slot = &[a + 6; 8] }, a / b).1; r }\n\
        fn main() { std::panic::set_hook(Box::new(|_| { println!(\"{}\", unsafe { (**P)[3] }); })); println!(\"{}\", f(6, std::hint::black_box(3)));\n\
        println!(\"{}\", std::panic::catch_unwind(|| f(1, std::hint::black_box(0))).is_err()); }";
    let outcome = Case { main, ..CASE }.outcome();
    assert!(outcome.pasted && outcome.report.contains("edition 2024 compiles"), "{}", outcome.report);
}

#[test]
fn a_solution_of_2024_may_drop_early_beside_unsafe_code_of_older_crates() {
    let source = "pub fn last(all: &[u64]) -> u64 { unsafe { *all.as_ptr().add(all.len() - 1) } }";
    let main = "use std::{cell::RefCell, collections::HashMap};\nstruct S { m: RefCell<HashMap<u64, u64>> }\n\
        impl S { fn f(&self, n: u64) -> u64 { if n < 2 { return n; }\n\
        if let Some(&x) = self.m.borrow().get(&n) { x } else { let r = self.f(n - 1) + self.f(n - 2); self.m.borrow_mut().insert(n, r); r } } }\n\
        fn main() { println!(\"{}\", S { m: Default::default() }.f(old::last(&[1, 50]))); }";
    Case { edition: "2024", main, libs: &[lib("old", "2021", source)], ..CASE }.is_pasted();
}

// Macros in the place of items, which are written out.

#[test]
fn a_macro_makes_impls_for_types_that_are_not_used() {
    let source = r"
pub trait Unit { fn one() -> Self; fn name(&self) -> &'static str; }
pub trait Twice: Unit + Copy { fn twice(self) -> Self; fn never(self) -> Self; }
macro_rules! units { ($($t:ty => $one:expr),* $(,)?) => { $(unit! { $t, $one })* } }
macro_rules! unit { ($t:ty, $one:expr) => {
    impl Unit for $t { fn one() -> Self { $one * 3 } fn name(&self) -> &'static str { stringify!($t) } }
    impl Twice for $t { fn twice(self) -> Self { self + self } fn never(self) -> Self { <$t>::one() - self } }
} }
units! { u8 => 1, u32 => 1 + 1, i64 => -1, u64 => 5 }
pub fn four<T: Twice>() -> (T, &'static str) { let one = T::one(); (one.twice(), one.name()) }
";
    let main = "fn main() { println!(\"{:?} {:?}\", units::four::<u32>(), units::four::<i64>()); }";
    Case { main, libs: &[lib("units", "2018", source)], ..CASE }.is_pasted();
}

#[test]
fn macros_of_one_name_make_different_items() {
    let source = r"
#[macro_use] mod macros {
    macro_rules! give { ($name:ident) => { pub fn $name() -> u32 { 1 } } }
    macro_rules! twice { ($a:expr) => { pub const TWICE: u32 = $a * 2; } }
}
give!(first);
macro_rules! give { ($name:ident) => { pub fn $name() -> u32 { 2 } } }
give!(second);
pub mod deep {
    give!(third);
    macro_rules! give { ($name:ident) => { pub fn $name() -> u32 { 3 } }; ($($name:ident),+ ; $by:tt) => { $(give!($name);)+ } }
    give!(fourth, fifth; 7);
    twice!(1 + 2);
}
";
    let main = "use names::deep::*;\nfn main() { println!(\"{} {} {} {} {}\", names::first(), names::second(), third(), fourth() + fifth(), TWICE); }";
    Case { main, libs: &[lib("names", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_macro_makes_members() {
    let source = r#"
pub trait Shape { fn area(&self) -> u32; fn name(&self) -> &'static str; fn unused(&self) -> u32; }
macro_rules! named { ($name:literal) => { fn name(&self) -> &'static str { $name } fn unused(&self) -> u32 { helper(self.area()) } } }
fn helper(x: u32) -> u32 { x + 1 }
pub struct Square(pub u32);
impl Shape for Square { fn area(&self) -> u32 { self.0 * self.0 } named!("square"); }
"#;
    let main = "use shapes::Shape;\nfn main() { let s = shapes::Square(3); println!(\"{} {}\", s.area(), s.name()); }";
    Case { main, libs: &[lib("shapes", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_member_that_is_never_called_hands_out_an_unnamed_type() {
    let source = r"
pub trait Walk { fn steps(&self) -> u32; fn path(&self) -> Box<dyn Iterator<Item = u32>>; }
pub struct Line(pub u32);
impl Walk for Line {
    fn steps(&self) -> u32 { self.0 }
    fn path(&self) -> Box<dyn Iterator<Item = u32>> { Box::new(self.each()) }
}
impl Line { pub fn each(&self) -> impl Iterator<Item = u32> + 'static { let end = self.0; (0..end).map(move |x| x * x) } }
";
    let main = "use walks::Walk;\nfn main() { println!(\"{}\", walks::Line(4).steps()); }";
    Case { main, libs: &[lib("walks", "2021", source)], ..CASE }.is_pasted();
}

// What other compilers do.

#[test]
fn a_solution_has_its_own_ilog2_which_std_has_since_1_67() {
    let main = "#[allow(unstable_name_collisions, dead_code)]\ntrait Ext { fn ilog2(self) -> u32; }\nimpl Ext for u32 { fn ilog2(self) -> u32 { 1000 } }\n\
        #[allow(unstable_name_collisions)]\nfn main() { println!(\"{}\", 8u32.ilog2()); }";
    Case { main, old_compiler: true, ..CASE }.is_pasted();
}

#[test]
fn a_crate_has_its_own_div_ceil_which_std_has_since_1_73() {
    let source = "#![allow(warnings)]\npub trait Ext { fn div_ceil(self, by: Self) -> Self; }\nimpl Ext for u64 { fn div_ceil(self, by: u64) -> u64 { (self + by) / by } }\n\
        pub fn pages(items: u64) -> u64 { items.div_ceil(10) }";
    let main = "#![allow(warnings)]\nuse maths::Ext;\nfn main() { println!(\"{} {}\", maths::pages(20), 20u64.div_ceil(10)); }";
    Case { main, libs: &[lib("maths", "2021", source)], old_compiler: true, ..CASE }.is_pasted();
}

#[test]
fn a_crate_has_its_own_isqrt_which_std_has_since_1_84() {
    let source = "#![allow(warnings)]\npub trait Root: Copy { fn isqrt(self) -> u64; }\nimpl Root for u64 { fn isqrt(self) -> u64 { (self as f64).sqrt() as u64 + 100 } }\n\
        pub fn generic<T: Root>(x: T) -> u64 { x.isqrt() }";
    let main = "#![allow(warnings)]\nuse roots::Root;\nfn main() { println!(\"{} {}\", roots::generic(81u64), 81u64.isqrt()); }";
    Case { main, libs: &[lib("roots", "2021", source)], old_compiler: true, ..CASE }.is_pasted();
}

#[test]
fn a_solution_has_its_own_is_some_and_which_std_has_since_1_70() {
    let main = "#![allow(warnings)]\ntrait Ask<T> { fn is_some_and<F: FnOnce(&T) -> bool>(&self, f: F) -> bool; }\n\
        impl<T> Ask<T> for Option<T> { fn is_some_and<F: FnOnce(&T) -> bool>(&self, f: F) -> bool { !self.as_ref().map_or(false, f) } }\n\
        fn main() { println!(\"{}\", Some(3u8).is_some_and(|x| x.count_ones() == 2)); }";
    Case { main, old_compiler: true, ..CASE }.is_pasted();
}

#[test]
fn a_warning_that_only_the_newest_compiler_has_does_no_harm() {
    let main = "struct List { items: Vec<u32> }\nimpl List { fn iter(&self) -> std::slice::Iter<u32> { self.items.iter() } }\n\
        static mut CALLS: u32 = 0;\nfn call() -> u32 { unsafe { CALLS += 1; let now = &CALLS; *now } }\n\
        fn main() { let list = List { items: vec![1, 2] }; println!(\"{:?} {}\", list.iter().sum::<u32>(), call() + call()); }";
    Case { main, old_compiler: true, ..CASE }.is_pasted();
}

#[test]
fn a_generic_constant_asserts_while_compiling() {
    let main = "struct Check<const N: usize>;\nimpl<const N: usize> Check<N> { const SMALL: () = assert!(std::mem::size_of::<Option<[u8; N]>>() < 100 && N < 10); }\n\
        fn make<const N: usize>() -> [u8; N] { let () = Check::<N>::SMALL; [7; N] }\nfn main() { println!(\"{:?}\", make::<4>()); }";
    Case { main, old_compiler: true, ..CASE }.is_pasted();
}

#[test]
fn a_crate_without_std_has_its_own_roots() {
    let source = "#![no_std]\n#![allow(warnings)]\npub trait Float { fn sqrt(self) -> Self; fn powi(self, n: i32) -> Self; }\n\
        impl Float for f64 { fn sqrt(self) -> f64 { self + 1000.0 } fn powi(self, n: i32) -> f64 { self - 1.0 } }\n\
        pub fn length(x: f64, y: f64) -> f64 { (x * x + y * y).sqrt() + x.powi(2) }";
    Case {
        main: "fn main() { println!(\"{}\", floats::length(3.0, 4.0)); }",
        libs: &[lib("floats", "2021", source)],
        ..CASE
    }
    .is_right_or_refused();
}

#[test]
fn a_crate_without_std_has_its_own_sorting() {
    let source = "#![no_std]\n#![allow(warnings)]\npub trait Slice { fn sort(&mut self); fn to_vec(&self) -> usize; }\n\
        impl Slice for [u8] { fn sort(&mut self) { self.reverse(); } fn to_vec(&self) -> usize { 99 } }\n\
        pub trait Text { fn to_uppercase(&self) -> usize; }\nimpl Text for str { fn to_uppercase(&self) -> usize { self.len() } }\n\
        pub fn go(data: &mut [u8]) -> usize { data.sort(); data.to_vec() + \"abc\".to_uppercase() }";
    let main = "fn main() { let mut data = [2, 3, 1]; println!(\"{} {:?}\", bare::go(&mut data), data); }";
    Case { main, libs: &[lib("bare", "2021", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_crate_without_std_has_integers_of_its_own() {
    let source = "#![no_std]\n#![allow(warnings)]\npub trait Int { fn ilog10(self) -> u32; fn midpoint(self, other: Self) -> Self; }\n\
        impl Int for u32 { fn ilog10(self) -> u32 { 77 } fn midpoint(self, other: u32) -> u32 { 55 } }\n\
        pub fn go(x: u32) -> u32 { x.ilog10() + x.midpoint(9) }";
    Case {
        main: "fn main() { println!(\"{}\", ints::go(1000)); }",
        libs: &[lib("ints", "2021", source)],
        old_compiler: true,
        ..CASE
    }
    .is_pasted();
}

// Names.

#[test]
fn a_const_fn_used_only_in_constants_is_chosen_over_a_glob() {
    let source = r"
pub mod base { pub const fn size() -> usize { 3 } pub const fn seed() -> u32 { 1 } pub const STEP: usize = 4; }
pub mod board {
    use super::base::*;
    const fn size() -> usize { 5 }
    const fn seed() -> u32 { 9 }
    const STEP: usize = 8;
    pub const CELLS: usize = size() * size();
    pub static TABLE: [u32; 2] = [seed(), seed() + 1];
    pub fn cells() -> [u8; CELLS + STEP] { [1; CELLS + STEP] }
}
";
    let main = "fn main() { println!(\"{} {:?} {} {} {}\", sizes::board::CELLS, sizes::board::TABLE, sizes::board::cells().len(), sizes::base::size(), sizes::base::seed()); }";
    Case { main, libs: &[lib("sizes", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_constant_of_a_type_is_chosen_over_its_trait() {
    let source = "pub trait Sized2 { const N: usize = 3; fn n(&self) -> usize { Self::N } }\npub struct Board;\nimpl Board { pub const N: usize = 5; }\n\
        impl Sized2 for Board {}\npub fn cells() -> usize { [0u8; Board::N].len() }";
    Case {
        main: "use consts::Sized2;\nfn main() { println!(\"{} {}\", consts::cells(), consts::Board.n()); }",
        libs: &[lib("consts", "2021", source)],
        ..CASE
    }
    .is_pasted();
}

#[test]
fn a_macro_of_the_solution_has_the_name_of_an_exported_one() {
    let source = "#[macro_export] macro_rules! double { ($e:expr) => { $e * 2 } }\npub fn four() -> u32 { double!(2) }";
    let main = "use tools::four;\nmacro_rules! double { ($e:expr) => { $e + 100 } }\n\
        fn main() { println!(\"{} {} {}\", four(), double!(1), tools::double!(1)); }";
    Case { main, libs: &[lib("tools", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_macro_is_defined_again_after_macro_use() {
    let source = r"
#[macro_use] mod macros { macro_rules! value { () => { 1 } } macro_rules! other { () => { 10 } } }
pub fn before() -> u32 { value!() + other!() }
macro_rules! value { () => { 2 } }
pub fn after() -> u32 { value!() + other!() }
pub mod inner {
    macro_rules! other { () => { 20 } }
    pub fn deep() -> u32 { value!() + other!() }
}
pub fn last() -> u32 { value!() + other!() }
";
    let main = "fn main() { println!(\"{} {} {} {}\", order::before(), order::after(), order::inner::deep(), order::last()); }";
    Case { main, libs: &[lib("order", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn macro_use_brings_the_macros_that_a_crate_imports_from_another() {
    let source = "#[macro_export] macro_rules! one { () => { 1 }; }\n#[macro_export] macro_rules! two { () => { $crate::one!() + 1 }; }";
    for import in ["pub use b::{one, two};", "pub use b::*;"] {
        let above = Lib { manifest: "[dependencies]\nb = { path = \"../b\" }", ..lib("c", "2021", import) };
        for edition in ["2015", "2021"] {
            let main = "#[macro_use] extern crate c;\nfn main() { println!(\"{} {}\", one!(), two!()); }";
            Case { edition, main, libs: &[above, lib("b", "2021", source)], ..CASE }.is_pasted();
        }
    }
}

#[test]
fn macro_use_brings_no_functions() {
    let source = "mod imp { pub fn concat(a: &str) -> &str { a } pub fn pow(a: u32) -> u32 { a } }\npub use imp::{concat, pow};\n\
        #[macro_export] macro_rules! one { () => { 1 }; }";
    let main = "#[macro_use] extern crate c;\nmacro_rules! pow { ($a:expr) => { $a * $a }; }\n\
        fn main() { println!(\"{} {} {} {} {}\", concat!(\"a\", \"b\"), pow!(3), one!(), c::concat(\"c\"), c::pow(5)); }";
    for edition in ["2015", "2021"] {
        Case { edition, main, libs: &[lib("c", "2021", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn macro_use_brings_only_the_macros_that_it_lists() {
    let one = "#[macro_export] macro_rules! one { () => { 1 }; }\n#[macro_export] macro_rules! two { () => { 2 }; }";
    let other =
        "#[macro_export] macro_rules! one { () => { -1 }; }\n#[macro_export] macro_rules! two { () => { -2 }; }";
    let libs = [lib("a", "2021", one), lib("b", "2018", other)];
    for uses in [
        "#[macro_use(one)] extern crate a; #[macro_use(two)] extern crate b;",
        "#[macro_use] extern crate a; #[macro_use] extern crate b;",
        "#[macro_use] extern crate a; #[macro_use(two)] extern crate b;",
        "#[macro_use] extern crate a; #[macro_use(one)] #[macro_use(two)] extern crate b;",
    ] {
        let main = format!("{uses}\nfn main() {{ println!(\"{{}} {{}}\", one!(), two!()); }}");
        Case { main: &main, libs: &libs, ..CASE }.is_pasted();
    }
}

#[test]
fn a_macro_above_macro_use_stays_the_one_that_is_called() {
    let source = "#[macro_export] macro_rules! one { () => { 1 }; }\n#[macro_export] macro_rules! two { () => { 2 }; }";
    let main = "macro_rules! one { () => { -1 }; }\n#[macro_use] extern crate a;\nmod inner { pub fn f() -> i32 { one!() } }\n\
        mod ended { macro_rules! two { () => { -2 }; } pub fn f() -> i32 { two!() } }\n\
        fn main() { println!(\"{} {} {} {}\", one!(), inner::f(), ended::f(), two!()); }";
    Case { main, libs: &[lib("a", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_macro_shadows_one_that_macro_use_brought() {
    let source = "#[macro_export] macro_rules! say { () => { \"crate\" } }\n#[macro_export] macro_rules! ask { () => { \"crate asks\" } }";
    let main = "#[macro_use] extern crate speech;\nmod early { pub fn f() -> &'static str { say!() } }\nmacro_rules! say { () => { \"own\" } }\n\
        fn main() { println!(\"{} {} {}\", early::f(), say!(), ask!()); }";
    for edition in ["2015", "2021"] {
        Case { edition, main, libs: &[lib("speech", "2018", source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_local_macro_of_a_function_has_the_name_of_an_exported_one() {
    let source = "#[macro_export] macro_rules! pick { () => { 1 } }\npub fn outer() -> u32 { macro_rules! pick { () => { 2 } } pick!() + $crate_free() }\n\
        fn crate_free() -> u32 { pick!() }"
        .replace("$crate_free", "crate_free");
    let main = "use picks::pick;\nfn inner() -> u32 { macro_rules! pick { () => { 30 } } pick!() }\nfn main() { println!(\"{} {} {}\", picks::outer(), inner(), pick!()); }";
    Case { main, libs: &[lib("picks", "2021", &source)], ..CASE }.is_right_or_refused();
}

#[test]
fn macros_that_call_each_other_across_crates() {
    let source = r"
#[doc(hidden)] pub fn helper(x: u32) -> u32 { x + 5 }
#[macro_export] macro_rules! outer { ($x:expr) => { $crate::middle!($x, inner) } }
#[macro_export] macro_rules! middle { ($x:expr, $how:ident) => { $crate::$how!($crate::helper($x)) } }
#[macro_export] macro_rules! inner { ($x:expr) => {{ let x = 3; $x * x }} }
#[macro_export(local_inner_macros)] macro_rules! old_style { ($x:expr) => { inner!($x) + inner!(1) } }
";
    let main = "fn main() { let x = 2; println!(\"{} {}\", calls::outer!(x), calls::old_style!(x)); }";
    Case { main, libs: &[lib("calls", "2018", source)], ..CASE }.is_pasted();
}

/// A crate whose name other things in these tests have, too.
const BETA: Lib = lib("beta", "2021", "pub fn name() -> &'static str { \"crate\" }\npub fn only_here() -> u32 { 7 }");

#[test]
fn a_module_of_the_solution_is_named_like_a_crate() {
    let main = "mod beta { pub fn name() -> &'static str { \"module\" } pub fn deep() -> &'static str { ::beta::name() } }\n\
        fn main() { println!(\"{} {} {} {}\", beta::name(), ::beta::name(), beta::deep(), ::beta::only_here()); }";
    Case { main, libs: &[BETA], ..CASE }.is_pasted();
}

#[test]
fn a_module_of_a_crate_is_named_like_its_dependency() {
    let source = "pub mod beta { pub fn name() -> &'static str { \"module\" } }\npub fn both() -> (&'static str, &'static str) { (beta::name(), ::beta::name()) }\n\
        pub mod inner { pub fn outer() -> &'static str { beta::name() } }";
    let alpha = Lib { manifest: "[dependencies]\nbeta = { path = \"../beta\" }", ..lib("alpha", "2021", source) };
    Case {
        main: "fn main() { println!(\"{:?} {}\", alpha::both(), alpha::inner::outer()); }",
        libs: &[alpha, BETA],
        ..CASE
    }
    .is_pasted();
}

#[test]
fn a_glob_brings_a_name_like_a_crate() {
    let main = "mod shapes { pub mod beta { pub fn name() -> &'static str { \"glob\" } } }\nmod user { use crate::shapes::*; pub fn go() -> (&'static str, u32) { (beta::name(), ::beta::only_here()) } }\n\
        fn main() { println!(\"{:?} {}\", user::go(), beta::name()); }";
    Case { main, libs: &[BETA], ..CASE }.is_right_or_refused();
}

#[test]
fn a_use_in_a_block_is_named_like_a_crate() {
    let source = "mod inner { pub mod beta { pub fn name() -> &'static str { \"block\" } } }\n\
        pub fn go() -> (&'static str, &'static str) { let early = beta::name(); { use inner::beta; (early, beta::name()) } }\n\
        pub fn plain() -> &'static str { beta::name() }";
    let alpha = Lib { manifest: "[dependencies]\nbeta = { path = \"../beta\" }", ..lib("alpha", "2021", source) };
    Case { main: "fn main() { println!(\"{:?} {}\", alpha::go(), alpha::plain()); }", libs: &[alpha, BETA], ..CASE }
        .is_right_or_refused();
}

#[test]
fn a_generic_parameter_is_named_like_a_crate() {
    let source = "#![allow(non_camel_case_types)]\npub trait Name { fn name() -> &'static str; }\nimpl Name for u8 { fn name() -> &'static str { \"parameter\" } }\n\
        pub fn go<beta: Name>() -> (&'static str, &'static str) { (beta::name(), ::beta::name()) }\npub fn local() -> u32 { let beta = 3; beta + beta::only_here() }";
    let alpha = Lib { manifest: "[dependencies]\nbeta = { path = \"../beta\" }", ..lib("alpha", "2021", source) };
    Case {
        main: "fn main() { println!(\"{:?} {}\", alpha::go::<u8>(), alpha::local()); }",
        libs: &[alpha, BETA],
        ..CASE
    }
    .is_right_or_refused();
}

#[test]
fn a_function_is_named_like_its_crate() {
    let source = "pub fn gcd(a: u64, b: u64) -> u64 { if b == 0 { a } else { gcd(b, a % b) } }\npub trait Gcd { fn gcd(self, other: Self) -> Self; }\nimpl Gcd for u64 { fn gcd(self, other: u64) -> u64 { gcd(self, other) } }";
    let main = "use gcd::{gcd, Gcd};\nfn main() { println!(\"{} {}\", gcd(12, 18), 7u64.gcd(21)); }";
    Case { main, libs: &[lib("gcd", "2018", source)], ..CASE }.is_pasted();
    let main = "use gcd::gcd;\nfn main() { println!(\"{} {}\", gcd(12, 18), gcd::gcd(5, 10)); }";
    Case { main, libs: &[lib("gcd", "2018", source)], ..CASE }.is_pasted();
}

#[test]
fn a_macro_is_named_like_its_crate() {
    let source = r"
use std::sync::Once;
use std::cell::Cell;
pub struct Lazy<T: Sync>(pub Cell<Option<T>>, pub Once);
impl<T: Sync> Lazy<T> { pub fn get(&'static self, make: fn() -> T) -> &'static T { self.1.call_once(|| self.0.set(Some(make()))); unsafe { (*self.0.as_ptr()).as_ref().unwrap() } } }
unsafe impl<T: Sync> Sync for Lazy<T> {}
#[macro_export] macro_rules! lazy_static { ($(static ref $name:ident: $t:ty = $e:expr;)*) => { $(
    #[allow(non_camel_case_types)] struct $name { _private: () }
    static $name: $name = $name { _private: () };
    impl ::std::ops::Deref for $name { type Target = $t; fn deref(&self) -> &$t {
        static LAZY: $crate::Lazy<$t> = $crate::Lazy(::std::cell::Cell::new(None), ::std::sync::Once::new()); LAZY.get(|| $e) } }
)* } }
";
    let main = "use lazy_static::lazy_static;\nlazy_static! { static ref TABLE: Vec<u32> = (0..5).map(|n| n * n).collect(); }\nfn main() { println!(\"{:?} {}\", *TABLE, TABLE.len()); }";
    Case { main, libs: &[lib("lazy_static", "2015", source)], ..CASE }.is_pasted();
}

#[test]
fn a_macro_and_a_type_come_in_one_use_from_a_crate_of_their_name() {
    let source = "pub struct SmallVec<T> { pub items: Vec<T> }\nimpl<T> SmallVec<T> { pub fn new() -> Self { SmallVec { items: Vec::new() } } pub fn push(&mut self, item: T) { self.items.push(item); } pub fn len(&self) -> usize { self.items.len() } }\n\
        #[macro_export] macro_rules! smallvec { ($($x:expr),*) => {{ #[allow(unused_mut)] let mut vec = $crate::SmallVec::new(); $(vec.push($x);)* vec }} }";
    let main = "use smallvec::{smallvec, SmallVec};\nfn main() { let list: SmallVec<u32> = smallvec![1, 2, 3]; println!(\"{} {:?}\", list.len(), list.items); }";
    Case { main, libs: &[lib("smallvec", "2018", source)], ..CASE }.is_pasted();
}

#[test]
fn a_module_is_imported_as_itself_under_another_name() {
    let source = "use std::fmt::{self as f, Write as _};\nuse std::collections::{self as c, BTreeMap};\npub struct Hex(pub u32);\n\
        impl f::Display for Hex { fn fmt(&self, out: &mut f::Formatter<'_>) -> f::Result { out.write_str(\"0x\")?; write!(out, \"{:x}\", self.0) } }\n\
        pub fn both() -> (BTreeMap<u8, u8>, c::BTreeSet<u8>) { (c::BTreeMap::new(), Default::default()) }";
    Case { main: "use std::fmt::{self as f};\nfn show(x: &dyn f::Display) -> String { x.to_string() }\nfn main() { println!(\"{} {:?}\", show(&hex::Hex(255)), hex::both()); }", libs: &[lib("hex", "2021", source)], ..CASE }
        .is_pasted();
}

#[test]
fn a_crate_allows_literals_that_overflow() {
    let source = "#![allow(overflowing_literals)]\n#![allow(arithmetic_overflow)]\npub const MASK: i32 = 0xFFFF_FFF0;\npub fn low(x: i32) -> i8 { x as i8 ^ 0x80 }";
    Case {
        main: "fn main() { println!(\"{} {}\", bits::MASK, bits::low(5)); }",
        libs: &[lib("bits", "2021", source)],
        ..CASE
    }
    .is_pasted();
}

#[test]
fn an_item_of_a_module_is_chosen_over_two_globs() {
    let source = "mod one { pub fn pick() -> u32 { 1 } pub fn only() -> u32 { 10 } }\nmod two { pub fn pick() -> u32 { 2 } pub struct Unit; impl Unit { pub fn id(&self) -> u32 { 20 } } }\n\
        pub use one::*;\npub use two::*;\npub fn pick() -> u32 { 3 }\npub mod api { pub use super::*; pub use super::two::Unit as Thing; }";
    Case {
        main: "use globs::api::*;\nfn main() { println!(\"{} {} {} {}\", pick(), only(), Thing.id(), Unit.id()); }",
        libs: &[lib("globs", "2021", source)],
        ..CASE
    }
    .is_pasted();
}

#[test]
fn two_crates_have_one_package_name_and_a_third_has_a_dash() {
    let manifest = "exclude = [\"twin_one\", \"twin_two\"]\n[dependencies.one]\npackage = \"twin\"\npath = \"twin_one\"\n[dependencies.two]\npackage = \"twin\"\npath = \"twin_two\"\n[dependencies.with-dash]\npath = \"with-dash\"\n";
    let files = [
        ("twin_one/Cargo.toml", "[package]\nname = \"twin\"\nversion = \"1.0.0\"\nedition = \"2021\"\n"),
        ("twin_one/src/lib.rs", "#[derive(Debug)] pub struct Same; pub fn which() -> u32 { 1 }"),
        ("twin_two/Cargo.toml", "[package]\nname = \"twin\"\nversion = \"2.0.0\"\nedition = \"2018\"\n"),
        ("twin_two/src/lib.rs", "#[derive(Debug)] pub struct Same(pub u8); pub fn which() -> u32 { 2 }"),
        (
            "with-dash/Cargo.toml",
            "[package]\nname = \"with-dash\"\nversion = \"2.0.0\"\nedition = \"2018\"\n[lib]\nname = \"dashed\"\n",
        ),
        ("with-dash/src/lib.rs", "pub fn dash() -> &'static str { \"-\" }"),
    ];
    let main = "fn main() { println!(\"{} {} {:?} {:?} {}\", one::which(), two::which(), one::Same, two::Same(4), dashed::dash()); }";
    Case { main, manifest, files: &files, ..CASE }.is_pasted();
}

// What cargo decides.

#[test]
fn a_feature_in_an_exported_macro_is_the_callers() {
    let fast = Lib {
        manifest: "[features]\ndefault = [\"fast\"]\nfast = []",
        ..lib(
            "speed",
            "2021",
            "#[macro_export] macro_rules! mode { () => { (cfg!(feature = \"fast\"), cfg!(feature = \"slow\")) } }\npub fn own() -> (bool, bool) { mode!() }",
        )
    };
    let main = "fn main() { println!(\"{:?} {:?}\", speed::mode!(), speed::own()); }";
    Case { main, libs: &[fast], ..CASE }.is_right_or_refused();
    Case { main, manifest: "[features]\ndefault = [\"slow\"]\nslow = []", libs: &[fast], ..CASE }.is_right_or_refused();
}

#[test]
fn only_the_features_that_were_asked_for_are_on() {
    let parts = Lib {
        manifest: "[features]\ndefault = [\"a\"]\na = []\nb = []",
        ..lib(
            "parts",
            "2021",
            "#[cfg(feature = \"a\")] pub fn which() -> &'static str { \"a\" }\n#[cfg(all(feature = \"b\", not(feature = \"a\")))] pub fn which() -> &'static str { \"b\" }",
        )
    };
    let manifest = "[dependencies.parts]\npath = \"parts\"\ndefault-features = false\nfeatures = [\"b\"]\n";
    Case { main: "fn main() { println!(\"{}\", parts::which()); }", manifest, libs: &[parts], ..CASE }.is_pasted();
}

#[test]
fn code_for_tests_and_debugging_is_not_there() {
    let source = "#[cfg(debug_assertions)] pub fn level() -> u32 { 1 }\n#[cfg(not(debug_assertions))] pub fn level() -> u32 { 2 }\n\
        pub const DEBUG: bool = cfg!(debug_assertions);\npub fn check(x: u32) -> u32 { debug_assert!(x > 100, \"small\"); if cfg!(test) { 0 } else { x.wrapping_sub(7) } }\n\
        pub fn wrap(x: u8) -> u8 { x + 200 }";
    let main = "fn main() { let x = std::env::args().count() as u8 * 100; println!(\"{} {} {} {}\", modes::level(), modes::DEBUG, modes::check(3), modes::wrap(x)); }";
    Case { main, libs: &[lib("modes", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_build_script_looks_at_the_profile() {
    let source = "pub fn mode() -> &'static str { if cfg!(tuned) { \"tuned\" } else { \"plain\" } }\n#[cfg(level = \"3\")] pub fn level() -> u32 { 3 }\n#[cfg(not(level = \"3\"))] pub fn level() -> u32 { 0 }";
    let script = "fn main() {\n    println!(\"cargo:rustc-check-cfg=cfg(tuned)\");\n    println!(\"cargo:rustc-check-cfg=cfg(level, values(any()))\");\n    \
        if std::env::var(\"PROFILE\").unwrap() == \"release\" { println!(\"cargo:rustc-cfg=tuned\"); }\n    \
        println!(\"cargo:rustc-cfg=level=\\\"{}\\\"\", std::env::var(\"OPT_LEVEL\").unwrap());\n}";
    let main = "fn main() { println!(\"{} {}\", tuned::mode(), tuned::level()); }";
    Case { main, libs: &[lib("tuned", "2021", source)], files: &[("tuned/build.rs", script)], ..CASE }.is_pasted();
}

#[test]
fn one_crate_is_a_build_dependency_and_a_dependency() {
    let shared = Lib {
        manifest: "[features]\nhost = []",
        ..lib(
            "shared",
            "2021",
            "pub fn side() -> &'static str { if cfg!(feature = \"host\") { \"host\" } else { \"target\" } }",
        )
    };
    let manifest = "resolver = \"2\"\n[build-dependencies.shared]\npath = \"shared\"\nfeatures = [\"host\"]\n[dependencies.shared]\npath = \"shared\"\n";
    let script = "fn main() {\n    println!(\"cargo:rustc-check-cfg=cfg(built_on_host)\");\n    if shared::side() == \"host\" { println!(\"cargo:rustc-cfg=built_on_host\"); }\n}";
    let main = "fn main() { println!(\"{} {}\", shared::side(), cfg!(built_on_host)); }";
    Case { main, manifest, libs: &[shared], files: &[("build.rs", script)], ..CASE }.is_pasted();
}

/// A judge compiles without the package's profile and cargo's settings. So the paste is compared with a build where
/// these are switched off.
const PLAIN: &[&str] = &[
    "--config",
    "profile.release.overflow-checks=false",
    "--config",
    "profile.release.debug-assertions=false",
    "--config",
    "profile.release.panic=\"unwind\"",
];

#[test]
fn checks_for_overflow_do_not_come_along() {
    let source = "pub fn add(x: u8) -> u8 { x + 200 }";
    let main = "fn main() { let x = std::env::args().count() as u8 * 100; println!(\"start\"); println!(\"{} {}\", sums::add(x), x.wrapping_add(1)); }";
    let manifest = "[profile.release]\noverflow-checks = true\n";
    Case { main, manifest, libs: &[lib("sums", "2021", source)], reference: PLAIN, says: "overflow-checks", ..CASE }
        .is_pasted();
}

#[test]
fn assertions_for_debugging_do_not_come_along() {
    let source =
        "pub fn mode() -> bool { debug_assert!(std::env::args().count() > 5, \"few\"); cfg!(debug_assertions) }";
    let main = "fn main() { println!(\"start\"); println!(\"{} {}\", debug::mode(), cfg!(debug_assertions)); }";
    let manifest = "[profile.release]\ndebug-assertions = true\n";
    Case { main, manifest, libs: &[lib("debug", "2021", source)], reference: PLAIN, says: "debug-assertions", ..CASE }
        .is_pasted();
}

#[test]
fn a_panic_that_aborts_does_not_come_along() {
    let main = "fn main() {\n    println!(\"start {}\", cfg!(panic = \"abort\"));\n    let caught = std::panic::catch_unwind(|| { if std::env::args().count() == 1 { panic!(\"no\") } 4 });\n    println!(\"{}\", caught.is_err());\n}";
    let manifest = "[profile.release]\npanic = \"abort\"\n";
    Case { main, manifest, reference: PLAIN, says: "panic", ..CASE }.is_pasted();
}

#[test]
fn flags_for_the_compiler_do_not_come_along() {
    let source = "#![allow(unexpected_cfgs)]\npub fn mode() -> &'static str { if cfg!(special) { \"special\" } else { \"plain\" } }";
    let main = "#![allow(unexpected_cfgs)]\nfn main() { println!(\"{} {}\", flags::mode(), cfg!(special)); }";
    let files =
        [(".cargo/config.toml", "[build]\nrustflags = [\"--cfg\", \"special\", \"-C\", \"overflow-checks=on\"]\n")];
    Case { main, libs: &[lib("flags", "2021", source)], files: &files, reference: PLAIN, says: "rustflags", ..CASE }
        .is_pasted();
}

#[test]
fn variables_that_are_read_while_building_are_right_or_refused() {
    let source = "pub fn team() -> (Option<&'static str>, Option<&'static str>) { (option_env!(\"SUITE_TEAM\"), option_env!(\"SUITE_NOT_SET\")) }";
    let main =
        "fn main() { println!(\"{:?} {:?} {}\", teams::team(), option_env!(\"SUITE_TEAM\"), env!(\"SUITE_ROUND\")); }";
    let env = [("SUITE_TEAM", "blue"), ("SUITE_ROUND", "7")];
    Case { main, libs: &[lib("teams", "2021", source)], env: &env, ..CASE }.is_right_or_refused();
}

#[test]
fn a_variable_of_a_crate_alone_is_taken_in() {
    let source = "pub fn team() -> &'static str { match option_env!(\"SUITE_TEAM\") { Some(team) => team, None => \"nobody\" } }";
    let main = "fn main() { println!(\"{}\", teams::team()); }";
    Case { main, libs: &[lib("teams", "2021", source)], env: &[("SUITE_TEAM", "red")], ..CASE }.is_right_or_refused();
    Case { main, libs: &[lib("teams", "2021", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn variables_that_cargo_and_a_build_script_set_are_right_or_refused() {
    let source = "pub fn about() -> (&'static str, &'static str, Option<&'static str>) { (env!(\"CARGO_PKG_NAME\"), env!(\"SUITE_STAMP\"), option_env!(\"CARGO_PKG_VERSION\")) }";
    let files = [
        ("about/build.rs", "fn main() { println!(\"cargo:rustc-env=SUITE_STAMP=42\"); }"),
        (".cargo/config.toml", "[env]\nSUITE_SETTING = \"from the settings\"\n"),
    ];
    let main = "fn main() { println!(\"{:?} {:?} {:?}\", about::about(), option_env!(\"CARGO_PKG_NAME\"), option_env!(\"SUITE_SETTING\")); }";
    Case { main, libs: &[lib("about", "2021", source)], files: &files, ..CASE }.is_right_or_refused();
}

#[test]
fn a_file_that_is_included_is_right_or_refused() {
    let source = "pub const WORDS: &str = include_str!(\"words.txt\");\npub static BYTES: &[u8] = include_bytes!(\"words.txt\");\npub mod table { include!(\"table.in\"); }";
    let files = [
        ("texts/src/words.txt", "one \"two\"\n\\three\n"),
        ("texts/src/table.in", "pub const TABLE: [u8; 3] = [1, 2, 3];\n"),
    ];
    let main = "fn main() { println!(\"{:?} {} {:?}\", texts::WORDS, texts::BYTES.len(), texts::table::TABLE); }";
    Case { main, libs: &[lib("texts", "2021", source)], files: &files, ..CASE }.is_right_or_refused();
}

#[test]
fn modules_in_files_of_their_own_are_pasted() {
    let files = [
        (
            "src/board.rs",
            "pub mod cell;\n#[path = \"odd name.rs\"] pub mod odd;\npub fn size() -> u32 { self::cell::one() * 8 }",
        ),
        ("src/board/cell.rs", "pub fn one() -> u32 { super::odd::odd() - 2 }"),
        ("src/odd name.rs", "pub fn odd() -> u32 { 3 }"),
        ("src/board/odd name.rs", "pub fn odd() -> u32 { 3000 }"),
        ("rules/src/score/mod.rs", "pub mod points;\npub use self::points::points;"),
        ("rules/src/score/points.rs", "pub fn points(n: u32) -> u32 { n * n }"),
    ];
    let main = "mod board;\nfn main() { println!(\"{} {}\", board::size(), rules::score::points(5)); }";
    Case { main, libs: &[lib("rules", "2021", "pub mod score;")], files: &files, ..CASE }.is_pasted();
}

// Tokens.

#[test]
fn a_name_that_becomes_a_keyword_is_still_printed_as_it_is() {
    let source = "pub fn gen() -> &'static str { stringify!(gen) }\n#[macro_export] macro_rules! named { ($($name:ident)*) => { [$((stringify!($name), $name())),*] } }\n\
        pub fn all() -> [(&'static str, &'static str); 1] { named!(gen) }\n#[derive(Debug)] pub struct Dice { pub gen: u32 }";
    let main = "fn main() { println!(\"{} {:?} {:?} {}\", words::gen(), words::all(), words::Dice { gen: 1 }, stringify!(gen async)); }";
    Case { main, libs: &[lib("words", "2021", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn comments_for_documentation_are_tokens_of_macros() {
    let source = r#"
#[macro_export] macro_rules! described {
    ($(#[doc = $text:expr])* fn $name:ident) => { $(#[doc = $text])* pub fn $name() -> &'static str { concat!($($text, "|"),*) } };
}
macro_rules! count { ($(#[$meta:meta])* $name:ident) => { pub const $name: usize = 0 $(+ { let _ = stringify!($meta); 1 })*; } }
described! {
    /// First line
    /// and second
    fn both
}
count! {
    /// one
    #[allow(unused)]
    /** two */
    NOTES
}
macro_rules! documented { ($x:expr, $name:ident) => { #[doc = $x] pub struct $name; } }
documented!(concat!("a", "b"), Thing);
"#;
    Case {
        main: "fn main() { let _ = docs::Thing; println!(\"{} {}\", docs::both(), docs::NOTES); }",
        libs: &[lib("docs", "2021", source)],
        ..CASE
    }
    .is_pasted();
}

#[test]
fn lines_and_columns_of_a_crate_are_right_or_refused() {
    let source = "pub fn place() -> (u32, u32) {\n    let line = line!();\n    (line, column!())\n}\n#[macro_export] macro_rules! here { () => { line!() } }";
    Case { main: "fn main() { println!(\"{:?}\", places::place()); }", libs: &[lib("places", "2021", source)], ..CASE }
        .is_right_or_refused();
}

#[test]
fn lines_of_the_solution_are_right_or_refused() {
    let main = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn none() {}\n}\nuse std::panic::Location;\n#[track_caller]\nfn caller() -> u32 { Location::caller().line() }\n\
        fn main() {\n    println!(\"{} {}\", line!(), column!());\n    println!(\"{}\", caller());\n}\n";
    Case { main, libs: &[lib("unused", "2021", "pub fn f() {}")], ..CASE }.is_right_or_refused();
}

#[test]
fn the_name_of_a_type_of_a_crate_is_right_or_refused() {
    let source = "pub struct Thing;\npub fn name<T>(_: &T) -> &'static str { std::any::type_name::<T>() }\npub fn path() -> &'static str { module_path!() }";
    Case {
        main: "fn main() { println!(\"{} {}\", types::name(&types::Thing), types::path()); }",
        libs: &[lib("types", "2021", source)],
        ..CASE
    }
    .is_right_or_refused();
}

// What the linker sees.

#[test]
fn an_allocator_of_a_crate_is_pasted() {
    let source = r"
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
pub static BIG: AtomicUsize = AtomicUsize::new(0);
struct Counting;
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 { if layout.size() == 12_345 { BIG.fetch_add(1, Ordering::SeqCst); } System.alloc(layout) }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) { if layout.size() == 12_345 { BIG.fetch_add(100, Ordering::SeqCst); } System.dealloc(place, layout) }
}
#[global_allocator] static GLOBAL: Counting = Counting;
pub fn count() -> usize { BIG.load(Ordering::SeqCst) }
";
    let main = "fn main() { { let v: Vec<u8> = Vec::with_capacity(12_345); std::hint::black_box(&v); } println!(\"{}\", counting::count()); }";
    Case { main, libs: &[lib("counting", "2021", source)], ..CASE }.is_pasted();
    // The same with the allocator in the solution itself.
    let main = format!(
        "{source}fn main() {{ {{ let v: Vec<u8> = Vec::with_capacity(12_345); std::hint::black_box(&v); }} println!(\"{{}}\", count()); }}"
    );
    Case { main: &main, libs: &[lib("unused", "2021", "pub fn f() {}")], ..CASE }.is_pasted();
}

#[test]
fn a_function_runs_before_main() {
    let source = r#"
use std::sync::atomic::{AtomicUsize, Ordering};
static STARTED: AtomicUsize = AtomicUsize::new(0);
pub fn started() -> usize { STARTED.load(Ordering::SeqCst) }
extern "C" fn start() { STARTED.fetch_add(41, Ordering::SeqCst); }
#[used] #[cfg_attr(target_os = "linux", link_section = ".init_array")] static START: extern "C" fn() = start;
"#;
    Case { main: "fn main() { println!(\"{}\", early::started()); }", libs: &[lib("early", "2021", source)], ..CASE }
        .is_pasted();
    let main = format!("{source}fn main() {{ println!(\"{{}}\", started()); }}");
    Case { main: &main, libs: &[lib("unused", "2021", "pub fn f() {}")], ..CASE }.is_pasted();
}

#[test]
fn a_function_is_called_by_its_symbol() {
    let source = "fn base() -> u32 { 30 }\n#[no_mangle] pub extern \"C\" fn suite_add(x: u32) -> u32 { x + base() }\n#[no_mangle] pub static SUITE_TABLE: [u32; 3] = [4, 5, 6];\n\
        #[export_name = \"suite_other\"] pub extern \"C\" fn named(x: u32) -> u32 { x * 2 }\npub fn touch() {}";
    let main = "extern \"C\" { fn suite_add(x: u32) -> u32; fn suite_other(x: u32) -> u32; static SUITE_TABLE: [u32; 3]; }\n\
        fn main() { symbols::touch(); unsafe { println!(\"{} {} {:?}\", suite_add(4), suite_other(5), SUITE_TABLE); } }";
    Case { main, libs: &[lib("symbols", "2021", source)], ..CASE }.is_pasted();
}

// Traits, drops and statics.

#[test]
fn a_table_of_methods_has_all_of_them() {
    let source = r#"
pub trait Shape { fn area(&self) -> u32; fn name(&self) -> String { "shape".to_owned() } fn unused(&self) -> u32 { 1 } fn twice(&self) -> u32 { self.area() * 2 } }
pub struct Square(pub u32);
pub struct Dot;
impl Shape for Square { fn area(&self) -> u32 { self.0 * self.0 } fn name(&self) -> String { format!("square {}", self.0) } fn unused(&self) -> u32 { 2 } }
impl Shape for Dot { fn area(&self) -> u32 { 0 } fn twice(&self) -> u32 { 7 } }
pub fn shapes() -> Vec<Box<dyn Shape>> { vec![Box::new(Square(3)), Box::new(Dot)] }
"#;
    let main = "fn main() { for shape in figures::shapes() { println!(\"{} {} {}\", shape.name(), shape.twice(), std::mem::size_of_val(&*shape)); } }";
    Case { main, libs: &[lib("figures", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn an_overriding_method_is_called_in_generic_code_only() {
    let source = "pub trait Solve { fn step(&self) -> u32 { 1 } fn solve(&self, n: u32) -> u32 { (0..n).map(|_| self.step()).sum() } }\npub struct Slow;\npub struct Fast;\nimpl Solve for Slow {}\nimpl Solve for Fast { fn step(&self) -> u32 { 5 } }\n\
        pub trait Label { const LABEL: &'static str = \"none\"; }\nimpl Label for Slow {}\nimpl Label for Fast { const LABEL: &'static str = \"fast\"; }\npub fn label<T: Label>(_: &T) -> &'static str { T::LABEL }";
    let main = "use solve::{label, Fast, Slow, Solve};\nfn run<T: Solve>(x: T) -> u32 { x.solve(3) }\nfn main() { println!(\"{} {} {} {}\", run(Slow), run(Fast), label(&Slow), label(&Fast)); }";
    Case { main, libs: &[lib("solve", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_method_is_chosen_by_how_many_references_it_takes() {
    let source = "pub struct Wrap<T>(pub T);\npub trait ByText { fn kind(&self) -> &'static str; }\nimpl<T: ToString> ByText for Wrap<T> { fn kind(&self) -> &'static str { \"text\" } }\n\
        pub trait ByAny { fn kind(&self) -> &'static str; }\nimpl<T> ByAny for &Wrap<T> { fn kind(&self) -> &'static str { \"any\" } }\n#[macro_export] macro_rules! kind { ($e:expr) => {{ use $crate::{ByAny as _, ByText as _}; (&$crate::Wrap($e)).kind() }} }";
    Case {
        main: "struct Plain;\nfn main() { println!(\"{} {}\", kinds::kind!(5), kinds::kind!(Plain)); }",
        libs: &[lib("kinds", "2021", source)],
        ..CASE
    }
    .is_pasted();
}

#[test]
fn fields_that_nobody_reads_are_dropped_in_their_order() {
    let source = format!(
        "{NOISY}pub struct Team {{ first: Noisy, pub size: u32, second: Noisy, _third: Noisy }}\n\
         impl Team {{ pub fn new() -> Team {{ Team {{ second: Noisy(\"second\"), first: Noisy(\"first\"), _third: Noisy(\"third\"), size: 3 }} }} }}\n\
         pub struct Guard(Noisy);\npub fn guard() -> Guard {{ Guard(Noisy(\"guard\")) }}\npub enum Slot {{ Empty, Full(Noisy), Broken }}\npub fn slot(full: bool) -> Slot {{ if full {{ Slot::Full(Noisy(\"slot\")) }} else {{ Slot::Empty }} }}"
    );
    let main = "fn main() {\n    let team = teams::Team::new();\n    let _guard = teams::guard();\n    let _ = teams::guard();\n    let slots = [teams::slot(true), teams::slot(false)];\n    \
        println!(\"{} {}\", team.size, slots.len());\n    drop(slots);\n    println!(\"end\");\n}";
    Case { main, libs: &[lib("teams", "2021", &source)], ..CASE }.is_pasted();
}

#[test]
fn statics_and_constants_keep_their_own_state() {
    let source = r#"
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
pub static NEXT: AtomicUsize = AtomicUsize::new(start());
const fn start() -> usize { 40 }
pub fn next() -> usize { NEXT.fetch_add(1, Ordering::SeqCst) }
pub const FRESH: Cell<u32> = Cell::new(5);
thread_local! { pub static LOG: RefCell<Vec<usize>> = RefCell::new(vec![start() * 2]); }
pub fn log(value: usize) -> usize { LOG.with(|log| { log.borrow_mut().push(value); log.borrow().iter().sum() }) }
pub static mut RAW: [u8; 4] = *b"abcd";
pub fn first() -> u8 { unsafe { RAW[0] } }
"#;
    let main = "fn main() { let cell = state::FRESH; cell.set(9); state::FRESH.set(7); let ids = [state::next(), state::next()];\n\
        println!(\"{:?} {} {} {} {} {}\", ids, cell.get(), state::FRESH.get(), state::log(1), state::log(2), state::first()); }";
    Case { main, libs: &[lib("state", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_static_of_a_crate_is_read_in_the_solution() {
    let source = "pub static TABLE: [u32; 3] = [4, 5, 6];";
    let main = "fn main() { println!(\"{:?}\", tables::TABLE); }";
    Case { main, libs: &[lib("tables", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_program_that_fails_ends_as_it_did() {
    let source = "#[derive(Debug)] pub enum Fault { Empty, TooBig(u32) }\nimpl std::fmt::Display for Fault { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{:?}\", self) } }\nimpl std::error::Error for Fault {}\n\
        pub fn check(x: u32) -> Result<u32, Fault> { if x == 0 { Err(Fault::Empty) } else if x > 9 { Err(Fault::TooBig(x)) } else { Ok(x) } }";
    let tails = [
        "println!(\"{}\", faults::check(11)?); Ok(())",
        "faults::check(12).unwrap(); Ok(())",
        "std::process::exit(faults::check(3)? as i32)",
    ];
    for tail in tails {
        let main = format!(
            "fn main() -> Result<(), Box<dyn std::error::Error>> {{ println!(\"{{}}\", faults::check(4)?); {tail} }}"
        );
        Case { main: &main, libs: &[lib("faults", "2021", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn no_order_of_type_ids_is_promised() {
    let source = "use std::any::TypeId;\npub struct A; pub struct B; pub struct C; pub struct D; pub struct E; pub struct F;\n\
        pub fn order() -> String { let mut ids = vec![(TypeId::of::<A>(), 'a'), (TypeId::of::<B>(), 'b'), (TypeId::of::<C>(), 'c'), (TypeId::of::<D>(), 'd'), (TypeId::of::<E>(), 'e'), (TypeId::of::<F>(), 'f')]; ids.sort(); ids.iter().map(|pair| pair.1).collect() }";
    Case { main: "fn main() { println!(\"{}\", ids::order()); }", libs: &[lib("ids", "2021", source)], ..CASE }
        .is_right_or_refused();
}

#[test]
fn values_of_any_type_are_told_apart() {
    let source = "use std::any::{Any, TypeId};\npub struct Left; pub struct Right;\npub fn which(value: &dyn Any) -> &'static str { if value.is::<Left>() { \"left\" } else if value.downcast_ref::<Right>().is_some() { \"right\" } else if value.type_id() == TypeId::of::<u32>() { \"number\" } else { \"other\" } }";
    Case { main: "fn main() { println!(\"{} {} {} {}\", anys::which(&anys::Left), anys::which(&anys::Right), anys::which(&4u32), anys::which(&\"x\")); }", libs: &[lib("anys", "2021", source)], ..CASE }
        .is_pasted();
}

#[test]
fn input_is_read_as_cargos_build_reads_it() {
    let source = "use std::io::{self, BufRead};\npub struct Reader<R> { inner: R, line: String }\nimpl Reader<io::BufReader<io::Stdin>> { pub fn stdin() -> Self { Reader { inner: io::BufReader::new(io::stdin()), line: String::new() } } }\n\
        impl<R: BufRead> Reader<R> { pub fn numbers(&mut self) -> Option<Vec<i64>> { self.line.clear(); if self.inner.read_line(&mut self.line).ok()? == 0 { return None; } Some(self.line.split_whitespace().filter_map(|word| word.parse().ok()).collect()) } }";
    let main = "fn main() { let mut reader = scan::Reader::stdin(); while let Some(numbers) = reader.numbers() { println!(\"{}\", numbers.iter().sum::<i64>()); } }";
    let files = [("testdata/app/one.in", "1 2\n3\n"), ("testdata/app/one.out", "3\n3\n")];
    Case { main, libs: &[lib("scan", "2021", source)], input: "5 6 x\n\n-7\n", files: &files, ..CASE }.is_pasted();
}

#[test]
fn an_edition_that_differs_elsewhere_than_on_the_test_data_is_not_the_same() {
    // In 2015 and 2018 the closure captures all of `pair`, so `two` is dropped earlier. The test data do not reach
    // this.
    let main = "use noisy::Noisy;\nstruct Pair { one: Noisy, two: Noisy }\nfn main() {\n    let mut line = String::new();\n    std::io::stdin().read_line(&mut line).unwrap();\n    \
        if line.trim() == \"quiet\" { println!(\"quiet\"); return; }\n    let pair = Pair { one: Noisy(\"one\"), two: Noisy(\"two\") };\n    \
        { let closure = move || println!(\"{}\", pair.one.len()); closure(); println!(\"called\"); }\n    println!(\"end\");\n}";
    let files = [("testdata/app/one.in", "quiet\n"), ("testdata/app/one.out", "quiet\n")];
    let outcome =
        Case { main, libs: &[lib("noisy", "2021", NOISY)], files: &files, input: "quiet\n", ..CASE }.outcome();
    let is_same = |year: &str| outcome.report.contains(&format!("edition {year} same"));
    assert!(outcome.pasted && is_same("2021") && !is_same("2015") && !is_same("2018"), "{}", outcome.report);
}

// What looks the same word by word and is not.

/// Becomes its first word if `$p:pat` takes `1 | 2`, which it does from 2021 on. Otherwise it becomes its second.
const PICK: &str =
    "macro_rules! pick { ($a:ident $b:ident $p:pat) => { $a }; ($a:ident $b:ident $($t:tt)*) => { $b } }\n";

#[test]
fn other_captures_do_not_excuse_another_argument() {
    let source = format!(
        "{PICK}pub fn scaled(x: u32, y: u32) -> u32 {{ let by = (3_u32, 9_u32); let f = |v: u32| v * by.0; f(pick!(x y 1 | 2)) }}"
    );
    for (solution, krate) in [("2018", "2021"), ("2021", "2018"), ("2024", "2018")] {
        let libs = [lib("scale", krate, &source)];
        let main = "fn main() { println!(\"{}\", scale::scaled(10, 20)); }";
        Case { edition: solution, main, libs: &libs, ..CASE }.is_right_or_refused();
    }
    let main = format!("{source}\nfn main() {{ println!(\"{{}}\", scaled(10, 20)); }}");
    for edition in ["2018", "2021"] {
        let files = [("testdata/app/1.in", ""), ("testdata/app/1.out", "")];
        Case { edition, main: &main, files: &files, ..CASE }.is_pasted();
    }
}

#[test]
fn other_captures_do_not_excuse_another_order_of_drops() {
    let source = r#"
pub fn length() -> usize {
    let by = (1, 2);
    let f = |x: usize| x + by.0;
    let _local = Loud("local");
    f(Loud("temporary").len())
}
struct Loud(&'static str);
impl Loud { fn len(&self) -> usize { self.0.len() } }
impl Drop for Loud { fn drop(&mut self) { println!("drop {}", self.0); } }
"#;
    let main = "fn main() { println!(\"{}\", loud::length()); }";
    for (solution, krate) in [("2024", "2018"), ("2018", "2024"), ("2024", "2021")] {
        Case { edition: solution, main, libs: &[lib("loud", krate, source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_static_that_depends_on_the_edition_is_compared() {
    let source = "macro_rules! kind { ($p:pat) => { 1 }; ($($t:tt)*) => { 2 } }\n\
        static KINDS: [u32; 1] = [kind!(1 | 2)];\n\
        pub fn kind(x: u32) -> u32 { if x == 0 { panic!(\"zero\"); } KINDS[0] }";
    let main = "fn main() { println!(\"{}\", kinds::kind(3)); }";
    for (solution, krate) in [("2018", "2021"), ("2021", "2018")] {
        Case { edition: solution, main, libs: &[lib("kinds", krate, source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn two_statics_do_not_become_one() {
    let source = r"
use std::sync::atomic::{AtomicUsize, Ordering};
macro_rules! counter { ($name:ident) => { pub static $name: super::AtomicUsize = super::AtomicUsize::new(0); } }
pub mod all { use super::*; pub static COUNT: AtomicUsize = AtomicUsize::new(0); pub fn hit() -> usize { COUNT.fetch_add(1, Ordering::SeqCst) } }
pub mod some {
    use super::all::*;
    use super::Ordering;
    counter!(COUNT);
    pub fn hit() -> usize { COUNT.fetch_add(1, Ordering::SeqCst) }
}
";
    let main = "fn main() { println!(\"{} {} {} {}\", hits::all::hit(), hits::some::hit(), hits::all::hit(), hits::some::hit()); }";
    Case { main, libs: &[lib("hits", "2021", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn two_generators_of_random_numbers_do_not_become_one() {
    const RANDOM: &str = "fn random() -> u64 {\n    \
        thread_local! { static STATE: std::cell::Cell<u64> = std::cell::Cell::new(88_172_645_463_325_252); }\n    \
        STATE.with(|state| { let mut x = state.get(); x ^= x << 13; x ^= x >> 7; x ^= x << 17; state.set(x); x })\n}\n";
    let source = format!(
        "pub(crate) {RANDOM}#[derive(Default)] pub struct Heap(pub Vec<u64>);\n\
         impl Heap {{ pub fn push(&mut self) {{ self.0.push(random() % 1000); }} }}"
    );
    let main = format!(
        "mod own {{\n{RANDOM}pub fn pick() -> u64 {{ use heap::*; let _ = Heap::default(); random() % 1000 }}\n}}\n\
         fn main() {{\n    let mut heap = heap::Heap::default();\n    \
         for _ in 0..3 {{ heap.push(); println!(\"{{}}\", own::pick()); }}\n    println!(\"{{:?}}\", heap.0);\n}}"
    );
    Case { main: &main, libs: &[lib("heap", "2021", &source)], ..CASE }.is_right_or_refused();
}

#[test]
fn what_assembly_puts_into_the_program_counts() {
    let source = r#"
use std::sync::atomic::{AtomicU32, Ordering};
static STARTED: AtomicU32 = AtomicU32::new(0);
#[no_mangle] extern "C" fn early_start() { STARTED.store(7, Ordering::SeqCst); }
core::arch::global_asm!(".pushsection .init_array,\"aw\"", ".quad early_start", ".popsection");
pub fn started() -> u32 { STARTED.load(Ordering::SeqCst) }
"#;
    let main = "fn main() { println!(\"{}\", early::started()); }";
    Case { main, libs: &[lib("early", "2021", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn the_order_in_which_crates_start_counts() {
    let start = |name: &str| {
        format!(
            "pub fn touch() {{}}\nextern \"C\" fn start() {{ println!(\"{name}\"); }}\n\
             #[used] #[link_section = \".init_array\"] static START: extern \"C\" fn() = start;\n"
        )
    };
    let (one, two) = (start("one"), start("two"));
    let main = start("solution") + "fn main() { one::touch(); two::touch(); touch(); }";
    Case { main: &main, libs: &[lib("one", "2021", &one), lib("two", "2021", &two)], ..CASE }.is_right_or_refused();
}

#[test]
fn the_name_of_the_program_and_places_in_statics_count() {
    let main = "struct Own;\nfn main() { println!(\"{} {}\", std::any::type_name::<Own>(), module_path!()); }";
    Case { main, ..CASE }.is_right_or_refused();
    let main = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn none() {}\n}\n\
        static HERE: (&str, u32, u32) = (file!(), line!(), column!());\nfn main() { println!(\"{:?}\", HERE); }";
    Case { main, ..CASE }.is_right_or_refused();
    let main = "fn show(at: &(&str, u64)) { println!(\"{} {}\", at.0, at.1); }\n\
        #[cfg(test)]\nmod tests {}\nfn main() { show(&(file!(), line!() as u64)); }";
    Case { main, ..CASE }.is_right_or_refused();
}

// All other things.

#[test]
fn a_library_that_a_build_script_links_is_refused() {
    let libs = [Lib {
        name: "dice",
        edition: "2021",
        manifest: "build = \"build.rs\"\n",
        source: "extern \"C\" { fn cos(x: f64) -> f64; }\npub fn roll() -> f64 { unsafe { cos(0.0) } }",
    }];
    let files = [("dice/build.rs", "fn main() { println!(\"cargo::rustc-link-lib=m\"); }")];
    Case { main: "fn main() { println!(\"{}\", dice::roll()); }", libs: &libs, files: &files, ..CASE }
        .is_refused("links `m`");
}

#[test]
fn an_assertion_says_what_it_said() {
    let source = "pub fn even(x: u32) -> bool { x % 2 == 0 }\n\
        pub fn half(x: u32) -> u32 { assert!(std::cmp::max(x, 3) > 2); assert!(core::cmp::min(x, 3) < 9,); x / 2 }";
    let main = "mod inner {\n    #![allow(dead_code)]\n    pub fn f(x: u32) -> u32 { assert!(parity::even(x)); assert!(std::cmp::max(x, 3) > 2); x }\n}\n\
        mod file;\nfn main() { std::panic::set_hook(Box::new(|info| println!(\"{}\", info.payload().downcast_ref::<&str>().unwrap())));\n\
        println!(\"{} {}\", file::g(4), parity::half(4)); inner::f(5); }";
    let files = [(
        "src/file.rs",
        "//! A file.\n#![allow(dead_code)]\npub fn g(x: u32) -> u32 { assert!(parity::even(std::cmp::min(x, 8))); x }\n",
    )];
    Case { main, libs: &[lib("parity", "2021", source)], files: &files, ..CASE }.is_pasted();
}

#[test]
fn a_crate_that_only_tests_name_does_not_run() {
    let early = "pub fn one() -> u32 { 1 }\nextern \"C\" fn start() { println!(\"early\"); }\n\
        #[used] #[link_section = \".init_array\"] static START: extern \"C\" fn() = start;";
    let middle =
        "pub fn three() -> u32 { 3 }\n#[cfg(test)] mod tests { #[test] fn one() { assert_eq!(early::one(), 1); } }";
    let middle = Lib {
        name: "middle",
        edition: "2021",
        manifest: "[dependencies]\nearly = { path = \"../early\" }",
        source: middle,
    };
    let main = "fn main() { println!(\"{}\", middle::three()); }\n#[cfg(test)] mod tests { #[test] fn one() { early::one(); } }";
    Case { main, libs: &[middle, lib("early", "2021", early)], ..CASE }.is_pasted();
}

#[test]
fn an_assertion_of_a_crate_names_its_root() {
    let source = "pub const MOST: u32 = 9;\npub fn even(x: u32) -> bool { x % 2 == 0 }\npub mod deep { pub fn f(x: u32) -> u32 {\n    \
        assert!(crate::even(x) && std::cmp::max(x, 3) > 2);\n    assert!(x<crate::MOST&&crate::even(x));\n    assert!(!crate::even(x + 1),);\n    x } }";
    let main = "fn main() { std::panic::set_hook(Box::new(|info| println!(\"{}\", info.payload().downcast_ref::<&str>().unwrap())));\n\
        println!(\"{}\", parity::deep::f(4)); let _ = std::panic::catch_unwind(|| parity::deep::f(10)); parity::deep::f(5); }";
    Case { main, libs: &[lib("parity", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn flags_and_settings_are_reported_wherever_they_are_set() {
    let main = "fn main() { println!(\"{} {}\", cfg!(special), sums::less(3)); }";
    let source = "pub fn less(x: u8) -> u8 { debug_assert!(x > 9); x - 2 }";
    let libs = [lib("sums", "2021", source)];
    let says = "rustflags (--cfg special)";
    for text in [
        "build = { rustflags = [\"--cfg\", \"special\"] }\n",
        "[build]\n\"rustflags\" = [\"--cfg\", \"special\"]\n",
        "[target.'cfg(not(windows))']\nrustflags = \"--cfg special\"\n",
    ] {
        let files = [(".cargo/config.toml", text)];
        Case { main, libs: &libs, files: &files, reference: PLAIN, says, ..CASE }.is_pasted();
    }
    let manifest = "[profile.release.package.sums]\ndebug-assertions = true\n";
    let plain = [PLAIN, &["--config", "profile.release.package.sums.debug-assertions=false"]].concat();
    let says = "debug-assertions=on (of sums)";
    Case { main, libs: &libs, manifest, reference: &plain, says, ..CASE }.is_pasted();
}

#[test]
fn an_exit_code_is_a_part_of_what_is_tested() {
    // On the old compiler `u128` has another alignment, so the exit code differs.
    let main = "fn main() { println!(\"x\"); std::process::exit(std::mem::align_of::<u128>() as i32) }";
    let files = [("testdata/app/1.in", "")];
    Case { main, files: &files, old_compiler: true, ..CASE }.is_pasted();
}

#[test]
fn test_data_may_need_an_optimised_program() {
    // Far below a second if it is optimised, far above ten if not.
    let main = "fn main() { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); let n: u64 = line.trim().parse().unwrap_or(7);\n\
        let mut v = [0u64; 1000]; let mut t = 0;\n\
        for k in 0..n { for (i, x) in v.iter_mut().enumerate() { *x = x.wrapping_mul(31).wrapping_add(i as u64 ^ k); } t ^= v[(k % 1000) as usize]; }\n\
        println!(\"{t}\"); }";
    let files = [("testdata/app/1.in", "2000000\n"), ("testdata/app/1.out", "")];
    let outcome = Case { main, files: &files, old_compiler: true, ..CASE }.outcome();
    assert!(outcome.pasted && !outcome.report.contains(" refused "), "{}", outcome.report);
}

#[test]
fn an_included_expression_may_end_in_a_comment() {
    let main = "fn main() { println!(\"{:?}\", include!(\"table.in\")); }";
    let files = [("src/table.in", "[1, 2,\n3] // the table")];
    Case { main, files: &files, ..CASE }.is_pasted();
}

#[test]
fn what_is_read_by_the_path_of_std_is_written_out() {
    let source = "pub const NAME: &str = ::std::env!(\"CARGO_PKG_NAME\");\npub const WORDS: &str = std::include_str!(std::concat!(\"words\", \".txt\"));\n\
        std::include!(\"items.in\");";
    let main = "fn main() { println!(\"{} {} {} {:?}\", words::NAME, words::WORDS, words::five(), core::option_env!(\"CARGO_PKG_VERSION\")); }";
    let files = [("words/src/words.txt", "one two"), ("words/src/items.in", "pub fn five() -> u32 { 5 }\n")];
    Case { main, libs: &[lib("words", "2021", source)], files: &files, ..CASE }.is_pasted();
}

#[test]
fn a_renamed_dependency_is_handed_on_by_its_new_name() {
    let middle = Lib {
        name: "middle",
        edition: "2021",
        manifest: "[dependencies]\nother = { path = \"../orig\", package = \"orig\" }",
        source: "pub use other;\npub mod sub { pub use other::{self, four}; pub fn five() -> u32 { other::four() + 1 } }\npub mod global { pub use ::other; }",
    };
    let main = "fn main() { println!(\"{} {} {} {}\", middle::other::four(), middle::sub::other::four() + middle::sub::four(), middle::sub::five(), middle::global::other::four()); }";
    let orig = ("orig/src/lib.rs", "pub fn four() -> u32 { 4 }");
    let manifest = ("orig/Cargo.toml", "[package]\nname = \"orig\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    Case { main, libs: &[middle], files: &[orig, manifest], ..CASE }.is_pasted();
}

#[test]
fn a_crate_of_an_older_edition_is_written_as_the_newer_one_wants_it() {
    let patterns = "pub enum S { A { x: Vec<i32>, n: usize }, B }\n\
        pub fn f(s: &mut S) -> usize { match s { S::A { ref mut x, n } => { x.push(1); *n + x.len() }, S::B => 0 } }\n\
        pub fn h(v: &Option<&i32>) -> i32 { if let Some(&x) = v { x } else { 0 } }";
    let main = "fn main() { println!(\"{} {} {}\", old::f(&mut old::S::A { x: vec![], n: 3 }), old::f(&mut old::S::B), old::h(&Some(&4))); }";
    Case { edition: "2024", main, libs: &[lib("old", "2018", patterns)], ..CASE }.is_pasted();
    let ranges = "#![allow(bare_trait_objects, ellipsis_inclusive_range_patterns)]\nuse std::fmt::Debug;\n\
        pub fn show(x: &Debug) -> String { format!(\"{:?}\", x) }\n\
        pub fn small(x: i32) -> bool { match x { 0...5 => true, _ => false } }";
    let main = "fn main() { println!(\"{} {}\", old::show(&3), old::small(5)); }";
    Case { main, libs: &[lib("old", "2018", ranges)], ..CASE }.is_pasted();
    let paths =
        "#![allow(bare_trait_objects)]\npub fn read(x: &str) -> Result<i32, Box<std::error::Error>> { Ok(x.parse()?) }";
    let main = "fn main() { println!(\"{:?} {}\", old::read(\"7\").ok(), old::read(\"x\").is_err()); }";
    Case { main, libs: &[lib("old", "2018", paths)], ..CASE }.is_pasted();
    let foreign =
        "extern \"C\" { fn abs(x: i32) -> i32; }\npub fn distance(a: i32, b: i32) -> i32 { unsafe { abs(a - b) } }";
    let main = "fn main() { println!(\"{}\", old::distance(3, 8)); }";
    Case { edition: "2024", main, libs: &[lib("old", "2021", foreign)], ..CASE }.is_pasted();
}

#[test]
fn a_panic_with_a_fixed_message_may_be_at_the_callers_place() {
    // The trait declares `index_mut` with `#[track_caller]`, which holds for this impl, too.
    let source = "use std::ops::{Index, IndexMut};\npub struct V(pub Vec<u64>);\n\
        impl Index<usize> for V { type Output = u64; fn index(&self, i: usize) -> &u64 { &self.0[i] } }\n\
        impl IndexMut<usize> for V { fn index_mut(&mut self, i: usize) -> &mut u64 { match self.0.get_mut(i) { Some(value) => value, None => panic!(\"out of bounds\") } } }";
    let main = "fn main() { let mut v = v::V(vec![1]); v[0] = 3; println!(\"{}\", v[0]); }";
    Case { main, libs: &[lib("v", "2018", source)], ..CASE }.is_pasted();
}

#[test]
fn closures_of_an_older_crate_are_pasted_beside_a_solution_that_needs_the_newer_captures() {
    let source = "pub fn swap_all(list: &mut [u32], by: (usize, usize), pairs: &Vec<(usize, usize)>) -> u32 {\n    \
        (0..pairs.len()).for_each(|i| { let (one, other) = pairs[i]; list.swap(one + by.0, other + by.1); });\n    \
        list.iter().map(|x| x * by.0 as u32).sum()\n}";
    let main = "struct Both { one: Vec<u32>, other: Vec<(usize, usize)> }\nfn main() {\n    \
        let mut both = Both { one: vec![1, 2, 3, 4], other: vec![(0, 1), (1, 2)] };\n    let kept = &both.other;\n    \
        let mut push = |x: u32| both.one.push(x);\n    push(5);\n    \
        println!(\"{}\", order::swap_all(&mut both.one, (1, 0), kept));\n    println!(\"{:?}\", both.one);\n}";
    for (solution, krate) in [("2021", "2018"), ("2021", "2015"), ("2024", "2018")] {
        Case { edition: solution, main, libs: &[lib("order", krate, source)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_closure_among_branches_captures_less_in_a_newer_edition() {
    let source = r#"
use std::cell::Cell; use std::fmt;
pub struct Format<'a, I> { pub sep: &'a str, pub inner: Cell<Option<I>> }
impl<I: Iterator> Format<'_, I> {
    fn format(&self, f: &mut fmt::Formatter<'_>, cb: fn(&I::Item, &mut fmt::Formatter<'_>) -> fmt::Result) -> fmt::Result {
        let mut iter = match self.inner.take() { Some(t) => t, None => panic!("Format: was already formatted once") };
        if let Some(fst) = iter.next() {
            cb(&fst, f)?;
            iter.try_for_each(|elt| {
                if !self.sep.is_empty() { f.write_str(self.sep)?; }
                cb(&elt, f)
            })?;
        }
        Ok(())
    }
}
impl<'a, I: Iterator> fmt::Display for Format<'a, I> where I::Item: fmt::Display { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.format(f, fmt::Display::fmt) } }
"#;
    let main = "fn main() { println!(\"{}\", fm::Format { sep: \",\", inner: std::cell::Cell::new(Some([1i64, 2].iter())) }); }";
    Case { main, libs: &[lib("fm", "2018", source)], ..CASE }.is_pasted();
}

/// A function with two variables and a closure. A macro picks one of the variables by the last words of its call,
/// `end`. Editions compile the closure in two ways.
fn picked(pick: &str, end: &str) -> String {
    format!(
        "{pick}\npub fn scaled(x: u32, y: u32) -> u32 {{ let by = (3_u32, 9_u32); let f = |v: u32| v * by.0; let a = x - y; \
         let b = pick!(x y {end}); a * 2 + b + f(1) }}"
    )
}

#[test]
fn what_a_macro_picks_by_the_edition_is_not_put_down_to_closures() {
    let or = "macro_rules! pick { ($a:ident $b:ident $e:expr) => { $a }; ($a:ident $b:ident $($t:tt)*) => { $b } }";
    let made = "macro_rules! mk { ($d:tt $f:ident) => { macro_rules! pick { ($d a:ident $d b:ident $d p:$f) => { $d a }; \
                ($d a:ident $d b:ident $d($d t:tt)*) => { $d b } } } }\nmk!($ pat);";
    let cases = [
        (
            "2018",
            "macro_rules! pick { ($a:ident $b:ident $p:ident $l:literal) => { $a }; ($a:ident $b:ident $l:literal) => { $b } }",
            "c\"s\"",
        ),
        (
            "2018",
            "macro_rules! pick { ($a:ident $b:ident $p:lifetime # $l:ident) => { $a }; ($a:ident $b:ident $l:lifetime) => { $b } }",
            "'r#s",
        ),
        (
            "2018",
            "macro_rules! pick { ($a:ident $b:ident $p:/* a */pat) => { $a }; ($a:ident $b:ident $($t:tt)*) => { $b } }",
            "1 | 2",
        ),
        ("2018", made, "1 | 2"),
        ("2015", or, "dyn"),
    ];
    for (edition, pick, end) in cases {
        let (source, main) = (picked(pick, end), "fn main() { println!(\"{}\", sc::scaled(20, 10)); }");
        Case { main, libs: &[lib("sc", edition, &source)], ..CASE }.is_right_or_refused();
        let main = format!("{source}\nfn main() {{ println!(\"{{}}\", scaled(20, 10)); }}");
        Case { edition, main: &main, ..CASE }.is_pasted();
    }
}

#[test]
fn constants_of_every_kind_count_beside_a_closure() {
    let main = "mod config { pub const SCALE: f64 = 2.0; pub const ON: bool = true; }\n\
        macro_rules! load { ($a:ident, $b:ident) => { use $a::$b; } }\n\
        mod solver {\n    mod config { #[allow(dead_code)] pub const SCALE: f64 = 3.0; #[allow(dead_code)] pub const ON: bool = false; }\n    \
        fn show(x: f64, z: bool, y: u32) { println!(\"{} {} {}\", x, z, y); }\n    pub fn run() { load!(config, SCALE); load!(config, ON); \
        let by = (3u32, 9u32); let f = |v: u32| v * by.0; show(SCALE, ON, f(4)); }\n}\nfn main() { solver::run(); }";
    Case { edition: "2015", main, ..CASE }.is_pasted();
}

#[test]
fn a_panic_with_a_variable_has_no_fixed_message() {
    let boom = "macro_rules! pick { ($a:ident $b:ident $e:expr) => { $a }; ($a:ident $b:ident $($t:tt)*) => { $b } }\n\
        pub fn boom(x: &'static str, y: &'static str) -> u32 { panic!(pick!(x y dyn)) }";
    let main = "fn main() { std::panic::set_hook(Box::new(|_| {})); let r = std::panic::catch_unwind(|| boom(\"one\", \"two\")); \
        println!(\"{:?}\", r.unwrap_err().downcast_ref::<&str>()); }";
    Case { edition: "2018", main: &format!("use b::boom;\n{main}"), libs: &[lib("b", "2015", boom)], ..CASE }
        .is_refused("`b::boom`");
    Case { edition: "2015", main: &format!("{boom}\n{main}"), ..CASE }.is_pasted();
}

#[test]
fn constants_that_look_like_the_place_of_a_panic_count() {
    let above = "#[cfg(test)]\nmod tests {\n}\n";
    let here = "struct Here { file: &'static str, line: u32, col: u32 }\n\
        macro_rules! here { () => { &Here { file: concat!(file!(), \"\\0\"), line: line!(), col: column!() } } }\n\
        fn log(h: &'static Here) { println!(\"{} {}\", h.line, h.col); let _ = h.file; }\nfn main() { log(here!()); }";
    let rules = "pub struct Rule { pub file: &'static core::ffi::CStr, pub a: u32, pub b: u32 }\n\
        pub const RULES: [&Rule; 1] = [&Rule { file: c\"l/src/lib.rs\", a: line!(), b: 2 }];";
    let main = "fn main() { for r in l::RULES { println!(\"{:?} {} {}\", r.file, r.a, r.b); } }";
    let pointer = "use std::panic::Location;\n#[track_caller]\n\
        fn here() -> [u64; 3] { unsafe { *(Location::caller() as *const Location as *const [u64; 3]) } }\n\
        fn main() { println!(\"{}\", here()[2] as u32); }";
    let renamed = here.replace("file!()", "name!()").replace("struct Here", "use std::file as name;\nstruct Here");
    let appended = "pub struct Place(&'static str, u32, u32);\n\
        fn show(place: &'static Place) -> u32 { if place.0.len() > 3 { place.1 } else { place.2 } }\nconst NAME: &str = file!();\n\
        const BYTES: [u8; NAME.len() + 1] = { let mut all = [0; NAME.len() + 1]; let mut i = 0; \
        while i < NAME.len() { all[i] = NAME.as_bytes()[i]; i += 1; } all };\n\
        const ENDED: &str = match std::str::from_utf8(&BYTES) { Ok(name) => name, Err(_) => \"\" };\n\
        pub fn second() -> u32 { show(&Place(ENDED, line!(), column!())) }";
    let second = "fn main() { println!(\"{}\", l::second()); }";
    Case { main: &format!("{above}{here}"), ..CASE }.is_refused("`app::main`");
    Case { main: &format!("{above}{renamed}"), ..CASE }.is_refused("`app::main`");
    Case { main: second, libs: &[lib("l", "2021", appended)], ..CASE }.is_refused("`l::second`");
    Case { main, libs: &[lib("l", "2021", rules)], ..CASE }.is_refused("`app::main`");
    Case { main: &format!("{above}{pointer}"), ..CASE }.is_refused("`app::");
}

#[test]
fn macros_go_as_deep_as_their_crate_lets_them() {
    let source = format!(
        "#![recursion_limit = \"512\"]\nmacro_rules! count {{ () => {{ 0u32 }}; ($h:tt $($t:tt)*) => {{ 1u32 + count!($($t)*) }}; }}\n\
         pub fn n() -> u32 {{ count!({}) }}",
        "x ".repeat(200)
    );
    for start in ["", "//! Words.\n#![recursion_limit = \"130\"]\n"] {
        let main = format!("{start}fn main() {{ println!(\"{{}}\", deep::n()); }}");
        Case { main: &main, libs: &[lib("deep", "2021", &source)], ..CASE }.is_pasted();
    }
}

#[cfg(unix)]
#[test]
fn a_build_script_does_not_see_who_calls_the_compiler() {
    let script = "use std::env::var;\nfn main() { println!(\"cargo::rustc-check-cfg=cfg(plain)\");\n\
        for name in [\"RUSTC_WRAPPER\", \"RUSTC_WORKSPACE_WRAPPER\", \"CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER\"] { println!(\"cargo::rustc-env=SEEN_{name}={:?}\", var(name)); }\n\
        let rustc = var(\"RUSTC\").unwrap(); if std::process::Command::new(rustc).arg(\"-V\").status().unwrap().success() { println!(\"cargo::rustc-cfg=plain\"); } }";
    let main = "fn main() { println!(\"{} {} {} {}\", env!(\"SEEN_RUSTC_WRAPPER\"), env!(\"SEEN_RUSTC_WORKSPACE_WRAPPER\"), \
        env!(\"SEEN_CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER\"), cfg!(plain)); }";
    for env in [
        &[][..],
        &[("RUSTC_WRAPPER", ""), ("RUSTC_WORKSPACE_WRAPPER", "")],
        &[("RUSTC_WRAPPER", "/usr/bin/env"), ("RUSTC_WORKSPACE_WRAPPER", "/usr/bin/env")],
        &[("CARGO_BUILD_RUSTC_WRAPPER", "/usr/bin/env"), ("CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER", "/usr/bin/env")],
    ] {
        Case { main, env, files: &[("build.rs", script)], ..CASE }.is_pasted();
    }
}

#[cfg(unix)]
#[test]
fn a_build_script_finds_folders_from_its_own_path() {
    let script = "fn main() { let exe = std::env::current_exe().unwrap();\n\
        let folders: Vec<_> = exe.ancestors().skip(2).take(2).map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();\n\
        println!(\"cargo::rustc-env=FOLDERS={:?}\", folders); println!(\"cargo::rustc-env=LONG={}\", exe.parent().unwrap().file_name().unwrap().len()); }";
    let main = "fn main() { println!(\"{} {}\", env!(\"FOLDERS\"), env!(\"LONG\")); }";
    Case { main, files: &[("build.rs", script)], ..CASE }.is_pasted();
}

#[test]
fn the_refusal_says_where_it_does_not_compile_as_one_file() {
    let source = "pub fn four() -> u32 { 4 }\n#[macro_export] macro_rules! five { () => { dep::four() + 1 } }";
    let main = "mod deep {\n    use dep::five as add; pub fn five() -> u32 { add!() }\n}\nfn main() { println!(\"{}\", deep::five()); }";
    Case { main, libs: &[lib("dep", "2021", source)], ..CASE }
        .is_refused("do not compile as one file: error E0433 at src/main.rs:2 (");
}

#[test]
fn a_path_may_stand_right_after_a_colon() {
    let source = "pub fn show<T:std::fmt::Debug>(x:T, _y:core::option::Option<u8>) -> String { format!(\"{x:?}\") }\n\
        pub struct Set { pub by:Option<&'static str> }\npub fn set() -> Set { Set { by:option_env!(\"NOT_SET_ANYWHERE\") } }";
    let main = "mod inner { pub struct E; impl From<std::num::ParseIntError> for E { fn from(_:std::num::ParseIntError) -> E { E } } }\n\
        fn parse(text: &str) -> Result<u8, inner::E> { Ok(text.parse::<u8>()?) }\n\
        fn main() { println!(\"{} {} {:?}\", colon::show(7, None), parse(\"x\").is_err(), colon::set().by); }";
    Case { main, libs: &[lib("colon", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn an_exported_macro_need_not_be_first_on_its_line() {
    let source = "pub fn z() -> u32 { 3 } #[macro_export] macro_rules! three { () => { $crate::z() } } pub mod m { macro_rules! own { () => { 4 } } pub(crate) use own; }\n\
        pub fn four() -> u32 { m::own!() }";
    let main = "fn main() { println!(\"{} {}\", line::three!(), line::four()); }";
    Case { main, libs: &[lib("line", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_judge_has_no_unstable_features() {
    let main = "#![feature(never_type)]\nfn f() -> Result<u8, !> { Ok(3) }\nfn main() { println!(\"{:?}\", f()); }";
    Case { main, env: &[("RUSTC_BOOTSTRAP", "1")], ..CASE }.is_refused("error E0554 at src/main.rs:1");
}

#[test]
fn a_library_that_a_crate_links_and_its_build_script_looks_for_is_refused() {
    let with = |source| Lib { name: "nat", edition: "2021", manifest: "build = \"build.rs\"\n", source };
    let files = [("nat/build.rs", "fn main() { println!(\"cargo::rustc-link-search=native=/usr/lib\"); }")];
    let main = "fn main() { println!(\"{}\", nat::one()); }";
    let linked =
        "#[link(name = \"m\")] extern \"C\" { fn cos(x: f64) -> f64; }\npub fn one() -> f64 { unsafe { cos(0.0) } }";
    Case { main, libs: &[with(linked)], files: &files, ..CASE }
        .is_refused("it links `m` and looks for it in `native=/usr/lib`");
    Case { main, libs: &[with("pub fn one() -> u32 { 1 }")], files: &files, ..CASE }.is_pasted();
}

#[test]
fn a_crate_hands_on_what_is_private() {
    // The name of the crate, `house`, has `use` in it.
    let source = "mod door { pub fn open() -> u32 { 3 } pub mod lock { pub const KEY: u32 = 4; } }\n\
        pub(crate) use self::door as entry;\npub(in crate) use crate::door::lock;\n\
        pub mod room { pub(crate) use crate::entry::open; pub(in crate::room) use crate::lock::KEY; pub fn both() -> u32 { open() + KEY } }\n\
        pub use room::both;";
    let main = "fn main() { println!(\"{}\", house::both()); }";
    for edition in ["2018", "2021"] {
        Case { main, edition, libs: &[lib("house", "2021", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_crate_may_name_itself() {
    let source = "extern crate self as own;\npub mod deep { pub fn six() -> u32 { own::three() + ::own::three() } }\n\
        pub fn three() -> u32 { 3 }\n#[macro_export] macro_rules! nine { () => { ::own::three() + ::own::deep::six() } }";
    let main = "extern crate self as me;\nmod t { use me::{self as all, w as ww}; pub fn v() -> u32 { me::w() + ::me::w() + ww() + all::w() } }\n\
        fn w() -> u32 { 1 }\nfn main() { println!(\"{} {} {} {}\", t::v(), me::w(), own::deep::six(), own::nine!()); }";
    Case { main, libs: &[lib("own", "2021", source)], ..CASE }.is_pasted();
    let source = "pub fn three() -> u32 { 3 }\n#[macro_export] macro_rules! three { () => { ::own::three() } }";
    let main = "fn main() { println!(\"{}\", own::three!()); }";
    Case { main, libs: &[lib("own", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_refusal_names_the_other_edition_if_a_function_of_the_standard_library_differs() {
    let source = "pub fn sum(a: &[u64], by: (&str, u64)) -> u64 { std::thread::scope(|s| { let all: Vec<_> = a.chunks(2).map(|c| s.spawn(move || c.iter().map(|x| x * by.1).sum::<u64>())).collect(); all.into_iter().map(|one| one.join().unwrap()).sum::<u64>() + by.0.len() as u64 }) }";
    let main = "fn main() { println!(\"{}\", threads::sum(&[1, 2, 3], (\"ab\", 2))); }";
    Case { edition: "2018", main, libs: &[lib("threads", "2021", source)], ..CASE }
        .is_refused("perhaps because crate threads is edition 2021 and the solution 2018; edition");
}

#[test]
fn a_refusal_names_the_other_edition() {
    // Calls of macros inside functions are not written out.
    let source = "use std::cell::RefCell;\nmacro_rules! pop { ($list:expr) => { if let Some(x) = $list.borrow_mut().pop() { x } else { $list.borrow_mut().push(1); 0 } }; }\n\
        pub fn pop(list: &RefCell<Vec<u32>>) -> u32 { pop!(list) + pop!(list) }";
    let main = "fn main() { println!(\"{}\", stack::pop(&Default::default())); }";
    Case { main, libs: &[lib("stack", "2024", source)], ..CASE }.is_refused(
        "not the same as in cargo's build, perhaps because crate stack is edition 2024 and the solution 2021; edition = \\\"2024\\\" in the solution's Cargo.toml may help",
    );
}

#[test]
fn a_crate_is_a_name_in_the_module_that_declares_it() {
    let main = "mod inner { extern crate unit; pub fn two() -> u32 { self::unit::one() + unit::one() } }\n\
        fn main() { println!(\"{}\", inner::two()); }";
    for edition in ["2015", "2018"] {
        Case { edition, main, libs: &[lib("unit", "2018", "pub fn one() -> u32 { 1 }")], ..CASE }.is_pasted();
    }
}

#[test]
fn items_are_included_in_braces_too() {
    let source =
        "pub mod one { include!{\"t.rs\"} }\npub mod two { include!{\"t.rs\"} pub fn five() -> u32 { FOUR + 1 } }";
    let main = "fn main() { println!(\"{} {}\", four::one::FOUR, four::two::five()); }";
    let files = [("four/src/t.rs", "pub const FOUR: u32 = 4;\n")];
    Case { main, libs: &[lib("four", "2021", source)], files: &files, ..CASE }.is_pasted();
}

#[test]
fn what_is_read_while_compiling_and_not_written_out_is_named() {
    let main = "include!(\"a/body.in\");\nfn main() { println!(\"{}\", x::y()); }";
    let files = [("src/a/body.in", "pub mod x;\n"), ("src/a/x.rs", "pub fn y() -> u32 { 1 }"), ("src/x.rs", "")];
    Case { main, files: &files, ..CASE }.is_refused("which has `mod x;`, a module in another file; move");
    let source = "macro_rules! read { ($f:literal) => { include_str!($f) } }\npub const T: &str = read!(\"t.txt\");";
    let main = "fn main() { println!(\"{}\", table::T); }";
    Case { main, libs: &[lib("table", "2021", source)], files: &[("table/src/t.txt", "x")], ..CASE }
        .is_refused("crate table 0.1.0: src/lib.rs:1 uses `include_str!($f)` in a macro, and");
}

#[test]
fn a_refusal_names_the_type_id_that_is_hashed() {
    let source = "pub struct T;\npub fn map() -> std::collections::HashMap<std::any::TypeId, u32> { std::iter::once((std::any::TypeId::of::<T>(), 1)).collect() }";
    let main = "fn main() { println!(\"{}\", types::map()[&std::any::TypeId::of::<types::T>()]); }";
    Case { main, libs: &[lib("types", "2021", source)], ..CASE }.is_refused("perhaps because a `TypeId` is hashed");
}

#[test]
fn whether_two_functions_have_one_address_is_left_open() {
    let source = "pub fn one(n: u32) -> u32 { n.wrapping_mul(3) ^ 5 }";
    for equal in [
        "one::one as usize == two::one as usize",
        "(one::one as fn(u32) -> u32) == two::one",
        "Some(one::one as fn(u32) -> u32) == Some(two::one)",
        "same(one::one, two::one)",
        "vec![pointer(one::one)].contains(&pointer(two::one))",
        "pointer(one::one).addr() == pointer(two::one).addr()",
        "format!(\"{:?}\", pointer(one::one)) == format!(\"{:?}\", pointer(two::one))",
        "std::ptr::NonNull::new(pointer(one::one)) == std::ptr::NonNull::new(pointer(two::one))",
        "[pointer(one::one), pointer(two::one)].into_iter().collect::<std::collections::HashSet<_>>().len() == 1",
    ] {
        let main = format!(
            "#[allow(dead_code)] fn pointer(f: fn(u32) -> u32) -> *mut () {{ f as *mut () }}\n#[allow(dead_code)] fn same(f: fn(u32) -> u32, g: fn(u32) -> u32) -> bool {{ f as *const () == g as *const () }}\n\
             fn main() {{ println!(\"{{}}\", {equal}); }}"
        );
        Case { main: &main, libs: &[lib("one", "2021", source), lib("two", "2021", source)], ..CASE }
            .is_refused("since Rust leaves open whether two functions or vtables have the same address");
    }
    let main = "fn main() { let all: [fn(u32) -> u32; 2] = [one::one, two::one]; \
        println!(\"{:?}\", all.map(|f| f(4))); }";
    Case { main, libs: &[lib("one", "2021", source), lib("two", "2021", source)], ..CASE }.is_pasted();
    // A hasher may use the address of a function as a number that nobody can guess. No two addresses are compared.
    let seed = "fn begin() -> u32 { 3 }\npub fn seed() -> usize { begin as usize | 1 }";
    let main = "fn main() { println!(\"{}\", hasher::seed() % 2); }";
    Case { main, libs: &[lib("hasher", "2021", seed)], ..CASE }.is_pasted();
}

#[test]
fn no_other_difference_between_editions_hides_behind_captures() {
    let choose = |arms: &str, call: &str| {
        format!(
            "macro_rules! pick {{ {arms} ($a:ident $b:ident $($t:tt)*) => {{ $b }} }}\n\
             fn choose(x: u32, y: u32) -> u32 {{ let by = (3_u32, 9_u32); let f = |p: u32, q: u32| p * by.0 + q; \
             let _a = f(x, y); pick!(x y {call}) }}\nfn main() {{ println!(\"{{}}\", choose(20, 10)); }}"
        )
    };
    let one = "($a:ident $b:ident $e:expr) => { $a };";
    let two = "($a:ident $b:ident $e:expr, $f:expr) => { $a };";
    for main in [
        choose(one, "dyn::z"),
        choose(one, "dyn as u32"),
        choose(one, "dyn?"),
        choose(two, "async |p, q| r"),
        "mod a { pub const AT: usize = 0; }\nmod z { pub mod a { pub const AT: usize = 1; } }\n\
         mod m { use super::z::*; pub struct S { pub x: [u32; 4], pub y: u64 } \
         pub fn f(s: S) -> u32 { use a::AT; let c = || s.x[AT]; c() } }\n\
         fn main() { println!(\"{}\", m::f(m::S { x: [10, 20, 30, 40], y: 1 })); let _ = a::AT; }"
            .to_owned(),
    ] {
        Case { main: &main, ..CASE }.is_pasted();
    }
}

#[test]
fn file_is_refused_though_the_solution_is_called_paste_rs() {
    let manifest = "[[bin]]\nname = \"app\"\npath = \"paste.rs\"\n";
    let main = "fn main() { println!(\"{}\", file!()); }";
    Case { files: &[("paste.rs", main)], manifest, ..CASE }.is_refused("file, line, module or type");
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_that_a_judge_may_not_have_is_refused() {
    let source = "mod sys { #[link(name = \"resolv\")] extern \"C\" {} }\nextern \"C\" { fn ns_get16(at: *const u8) -> u32; }\n\
        pub fn get(bytes: &[u8; 2]) -> u32 { unsafe { ns_get16(bytes.as_ptr()) } }";
    let main = "fn main() { println!(\"{}\", names::get(&[1, 2])); }";
    Case { main, libs: &[lib("names", "2021", source)], ..CASE }
        .is_refused("links `resolv`, which a judge may not have");
}

#[test]
fn variables_of_one_name_do_not_hide_that_only_captures_differ() {
    let source = "pub fn f(s: &[u32], k: usize) -> u32 {\n    let g = |i: usize| s[i] + k as u32;\n    let mut t = 0;\n    \
        for i in 0..s.len() { t += g(i); }\n    let s = t * 2;\n    for i in 0..3u32 { t += i * s; }\n    t\n}";
    let main = "fn main() { println!(\"{}\", old::f(&[1, 2, 3], 2)); }";
    for edition in ["2021", "2024"] {
        Case { edition, main, libs: &[lib("old", "2018", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_backtrace_that_the_program_asked_for_by_a_variable_counts() {
    let main = "#[inline(never)] fn deep() -> String { std::backtrace::Backtrace::capture().to_string() }\n\
        fn main() { std::env::set_var(\"RUST_BACKTRACE\", \"1\"); println!(\"{}\", deep().contains(\"app::deep\")); }";
    Case { main, ..CASE }.is_refused("a backtrace");
    let main = main.replace(
        "std::env::set_var(\"RUST_BACKTRACE\", \"1\")",
        "unsafe { setenv(c\"RUST_BACKTRACE\".as_ptr(), c\"1\".as_ptr(), 1) }",
    );
    let main = format!(
        "extern \"C\" {{ fn setenv(name: *const std::ffi::c_char, value: *const std::ffi::c_char, over: i32) -> i32; }}\n{main}"
    );
    Case { main: &main, ..CASE }.is_refused("a backtrace");
}

#[test]
#[cfg(target_os = "linux")]
fn a_static_in_a_section_may_run_without_being_used() {
    let source = "use std::sync::atomic::{AtomicU32, Ordering};\nstatic VALUE: AtomicU32 = AtomicU32::new(1);\n\
        extern \"C\" fn start() { VALUE.store(7, Ordering::Relaxed); }\n\
        #[link_section = \".init_array\"] pub static START: extern \"C\" fn() = start;\n\
        pub fn value() -> u32 { VALUE.load(Ordering::Relaxed) }";
    let main = "fn main() { println!(\"{}\", setup::value()); }";
    Case { main, libs: &[lib("setup", "2021", source)], ..CASE }.is_refused("`setup::START`");
}

#[test]
fn code_sees_the_variables_of_the_user_and_none_of_the_tool() {
    let asked =
        ["RUSTC_WRAPPER", "RUSTC", "CARGO_ENCODED_RUSTFLAGS", "CARGO_PASTE_WRAPS_RUSTC", "CARGO_PASTE_HIDES_RUSTC"];
    let asked = asked.map(|name| format!("option_env!(\"{name}\").is_some()")).join(", ");
    let main = format!("fn main() {{ println!(\"{{:?}}\", [{asked}]); }}");
    Case { main: &main, ..CASE }.is_pasted();
    Case { main: &main, env: &[("RUSTC", "rustc")], ..CASE }.is_pasted();
    let main = "fn main() { println!(\"{}\", option_env!(\"CARGO_PASTE_EXPANSIONS\").is_some()); }";
    Case { main, ..CASE }.is_refused("the folder that it is built in");
}

#[test]
fn the_folder_of_a_build_script_is_another_one_in_a_paste() {
    let script = ("build.rs", "fn main() {}");
    for main in [
        "fn main() { println!(\"{}\", env!(\"OUT_DIR\").contains(\"paste\")); }",
        "const LONG: usize = env!(\"OUT_DIR\").len();\nfn main() { println!(\"{}\", LONG); }",
    ] {
        Case { main, files: &[script], ..CASE }.is_refused("OUT_DIR");
    }
}

#[test]
fn a_guard_in_a_newer_crate_is_gone_before_else() {
    let source = "use std::cell::RefCell;\npub struct Guard<'a>(pub &'a RefCell<String>);\n\
        impl Guard<'_> { pub fn get(&self, x: u32) -> Option<u32> { self.0.borrow_mut().push('g'); x.checked_sub(9) } }\n\
        impl Drop for Guard<'_> { fn drop(&mut self) { self.0.borrow_mut().push('d'); } }\n\
        pub fn f(log: &RefCell<String>, x: u32) -> u32 { let sum = if let Some(x) = Guard(log).get(x) { x } \
        else if let Some(y) = Guard(log).get(x + 5) { log.borrow_mut().push('y'); y } else { log.borrow_mut().push('e'); 0 };\n\
        for i in 0..3 { if let Some(y) = x.checked_sub(i) { if y > 1 { break; } } else { continue; } } sum }";
    let main = "use std::cell::RefCell;\nfn main() { for x in [1, 5, 10] { let log = RefCell::new(String::new()); \
        println!(\"{} {}\", guards::f(&log, x), log.borrow()); } }";
    for edition in ["2018", "2021"] {
        Case { edition, main, libs: &[lib("guards", "2024", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_newer_crate_has_conditions_of_several_parts() {
    let source = "use std::cell::RefCell;\npub struct Guard<'a>(pub &'a RefCell<String>, pub char);\n\
        impl Guard<'_> { pub fn get(&self, x: u32) -> Option<u32> { self.0.borrow_mut().push(self.1); x.checked_sub(3) } }\n\
        impl Drop for Guard<'_> { fn drop(&mut self) { self.0.borrow_mut().push('d'); } }\n\
        pub fn three(log: &RefCell<String>, x: u32) -> u32 {\n\
        if x > 2 && let Some(y) = Guard(log, 'a').get(x) && y != 4 && let Some(z) = Guard(log, 'b').get(y) \
        { log.borrow_mut().push('t'); z } else if x % 2 == 0 { 100 } else { log.borrow_mut().push('e'); 0 } }\n\
        pub fn two(log: &RefCell<String>, x: u32) -> u32 {\n\
        if x % 2 == 0 { 100 } else if let Some(z) = Guard(log, 'c').get(x) && z > 3 { z } else { log.borrow_mut().push('e'); 0 } }\n\
        pub fn all(log: &RefCell<String>, mut x: u32) -> u32 { let mut sum = 0;\n\
        while let Some(y) = Guard(log, 'w').get(x) && y != 5 { x = y; if x % 2 == 1 { continue; } sum += x; if sum > 20 { break; } } sum }\n\
        pub fn some(log: &RefCell<String>, x: u32) -> u32 { let mut sum = 0;\n\
        if let Some(y) = Guard(log, 's').get(x) && y > 0 { sum += 1000; } sum }";
    let main = "use chains::*;\nuse std::cell::RefCell;\nfn main() { for x in 0..20 { let log = RefCell::new(String::new()); \
        println!(\"{} {}\", [three, two, all, some].map(|f| f(&log, x)).iter().sum::<u32>(), log.borrow()); } }";
    for edition in ["2018", "2021"] {
        Case { edition, main, libs: &[lib("chains", "2024", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn the_last_expression_of_a_newer_crate_borrows_a_variable() {
    let source = "use std::cell::RefCell;\nuse std::sync::Mutex;\n\
        pub fn long(x: u32) -> usize { let c = RefCell::new(vec![x; 3]); c.borrow().len() }\n\
        pub fn first(x: u32) -> u32 { let p = (RefCell::new(vec![x]), 1); match p.0.borrow().first() { Some(x) => *x, None => p.1 } }\n\
        pub fn locked(x: u32) -> bool { let p = Mutex::new(x); if let Ok(x) = p.lock() { *x == 3 } else { false } }";
    let main =
        "fn main() { for x in 2..4 { println!(\"{} {} {}\", last::long(x), last::first(x), last::locked(x)); } }";
    for edition in ["2018", "2021"] {
        Case { edition, main, libs: &[lib("last", "2024", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_guard_in_the_last_expression_of_a_newer_crate_is_gone_before_the_variables() {
    let source = "use std::cell::RefCell;\nuse std::collections::HashMap;\n\
        #[derive(Default)]\npub struct Memo { known: RefCell<HashMap<Vec<u32>, u32>> }\n\
        impl Memo { pub fn get(&self, x: u32) -> Option<u32> { let key = vec![x, x / 2]; self.known.borrow().get(&key).copied() }\n\
        pub fn put(&self, x: u32) -> u32 { let mut known = self.known.borrow_mut(); known.insert(vec![x, x / 2], x); x } }\n\
        pub struct Noisy<'a>(pub &'a RefCell<String>, pub char);\n\
        impl Drop for Noisy<'_> { fn drop(&mut self) { self.0.borrow_mut().push(self.1); } }\n\
        pub fn late(log: &RefCell<String>, x: u32) -> char { let _a = Noisy(log, 'a'); for i in 0..x { let _b = Noisy(log, 'b'); \
        if let 'x' = Noisy(log, 'c').1 { continue } else if i > 2 { break } else { Noisy(log, 'd'); } } Noisy(log, 'e').1 }\n\
        pub fn first(list: &RefCell<Vec<u32>>) -> u32 { if let Some(x) = list.borrow().first() { *x } else { list.borrow_mut().push(3); list.borrow().len() as u32 + 7 } }";
    let main = "use std::cell::RefCell;\nfn main() { let memo = memo::Memo::default(); memo.put(4); let log = RefCell::new(String::new());\n\
        println!(\"{:?} {:?} {}\", memo.get(4), memo.get(5), memo::late(&log, 5));\n\
        println!(\"{} {}\", log.borrow(), memo::first(&RefCell::default())); }";
    for edition in ["2018", "2021"] {
        Case { edition, main, libs: &[lib("memo", "2024", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn an_iterator_of_a_newer_crate_captures_lifetimes_that_it_does_not_name() {
    let source = "pub struct Graph<T> { edges: Vec<Vec<(usize, T)>> }\nimpl<T: Copy> Graph<T> {\n\
        pub fn new(n: usize) -> Self { Self { edges: vec![Vec::new(); n] } }\n\
        pub fn add(&mut self, a: usize, b: usize, w: T) { self.edges[a].push((b, w)); }\n\
        pub fn next(&self, a: usize) -> impl Iterator<Item = usize> { self.edges[a].iter().map(|e| e.0) }\n\
        pub fn both<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = T> { self.edges[0].iter().chain(&other.edges[0]).map(|e| e.1) } }\n\
        pub fn lengths(text: &str) -> impl Iterator<Item = usize> { text.split(' ').map(str::len) }\n\
        pub fn odd(text: &str) -> impl Iterator<Item = (usize, char)> { text.chars().enumerate().filter(|(i, _)| i % 2 == 1) }\n\
        pub fn but<T: Copy + PartialEq>(list: &[T], one: T) -> impl Iterator<Item = T> { list.iter().copied().filter(move |item| *item != one) }";
    let main = "fn main() { let mut g = graph::Graph::new(3); g.add(0, 1, 5); g.add(0, 2, 7);\n\
        println!(\"{:?} {} {}\", g.next(0).collect::<Vec<_>>(), g.both(&g).sum::<i32>(), graph::lengths(\"aa b\").count());\n\
        println!(\"{:?} {}\", graph::odd(\"abcd\").collect::<Vec<_>>(), graph::but(&[1, 2, 3], 2).sum::<i32>()); }";
    for edition in ["2018", "2021"] {
        Case { edition, main, libs: &[lib("graph", "2024", source)], ..CASE }.is_pasted();
    }
}

#[test]
fn an_iterator_of_an_older_crate_captures_no_lifetimes() {
    let source = "pub fn places(list: &[u32]) -> impl Iterator<Item = usize> { 0..list.len() }\n\
        pub struct Bag<T>(pub Vec<T>);\nimpl<T> Bag<T> { pub fn ids(&self) -> impl Iterator<Item = usize> { (0..self.0.len()).rev() } }";
    let main = "fn main() { let mut list = vec![1, 2]; for i in old::places(&list) { list[i] += 1; }\n\
        let mut bag = old::Bag(vec![1, 2]); for i in bag.ids() { bag.0[i] *= i; } println!(\"{list:?} {:?}\", bag.0); }";
    Case { edition: "2024", main, libs: &[lib("old", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn arrays_of_a_newer_crate_give_values() {
    let source = "const NEAR: [(i32, i32); 2] = [(0, 1), (1, 0)];\n\
        pub fn near(x: i32) -> impl Iterator<Item = i32> { [(0, 1), (1, 0), (0, -1)].into_iter().filter_map(move |(a, b): (i32, i32)| (x + a + b > 0).then_some(x + a)) }\n\
        pub fn names(x: &str) -> Vec<String> { [x.to_owned(), \"b\".to_owned()].into_iter().rev().collect() }\n\
        pub fn sum() -> i32 { NEAR.into_iter().map(|(a, b)| a + 2 * b).sum() }";
    let main =
        "fn main() { println!(\"{:?} {:?} {}\", near::near(1).collect::<Vec<_>>(), near::names(\"a\"), near::sum()); }";
    for krate in ["2021", "2024"] {
        Case { edition: "2018", main, libs: &[lib("near", krate, source)], ..CASE }.is_pasted();
    }
}

#[test]
fn a_loop_is_left_from_if_let_with_else_in_a_newer_crate() {
    let source = "use std::cell::RefCell;\npub fn pop(list: &RefCell<Vec<u32>>) -> u32 { loop { \
        if let Some(x) = list.borrow_mut().pop() { if x > 1 { continue; } break x } else { list.borrow_mut().push(1) } } }\n\
        pub fn all(list: &RefCell<Vec<u32>>) -> u32 { let mut sum = 0; 'out: for i in 0..9 { for j in 0..3 { \
        if sum > 40 { break; } else if let Some(x) = list.borrow_mut().pop() { if x == 5 { continue 'out; } if x > j { break; } sum += x; } \
        else { list.borrow_mut().push(i); continue; } sum += 10; } } sum }";
    let main =
        "fn main() { println!(\"{} {}\", stack::pop(&Default::default()), stack::all(&vec![3, 5, 0, 1].into())); }";
    Case { main, libs: &[lib("stack", "2024", source)], ..CASE }.is_pasted();
}

#[test]
fn a_macro_makes_an_exported_macro() {
    let source = "#[macro_export]\nmacro_rules! sum { ($($word:tt)*) => { 0 $(+ $crate::value!($word))* }; }\n\
        pub fn times(x: u32) -> u32 { x * 10 }\n\
        macro_rules! values { ($(($word:tt, $value:expr)),*) => {\n    #[macro_export]\n    macro_rules! value { \
        $( ($word) => { $crate::times($value) }; )* ($other:tt) => { 7 }; }\n}; }\nvalues! { (one, 1), (two, 2) }\n\
        macro_rules! given { ($item:item) => { $item }; }\n\
        given! { #[macro_export]\nmacro_rules! tenfold { ($x:expr) => { $crate::times($x) }; } }";
    let main =
        "fn main() { println!(\"{} {} {}\", words::sum!(one two three), words::value!(two), words::tenfold!(4)); }";
    Case { main, libs: &[lib("words", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_guard_in_an_older_crate_is_held_as_long_as_in_its_edition() {
    let source = "use std::cell::RefCell;\npub struct Guard<'a>(&'a RefCell<String>);\n\
        impl Drop for Guard<'_> { fn drop(&mut self) { self.0.borrow_mut().push('d'); } }\n\
        impl Guard<'_> { fn get(&self) -> Option<u32> { None } }\n\
        pub fn f(log: &RefCell<String>, x: u32) -> u32 { if let Some(x) = Guard(log).get() { x } \
        else if let 7 = x { log.borrow_mut().push('7'); 7 } else { log.borrow_mut().push('e'); 0 } }\n\
        pub fn g(log: &RefCell<String>, x: u32) -> u32 { if x > 5 { 5 } else if let Some(x) = Guard(log).get() { x } else { log.borrow_mut().push('g'); 2 } }";
    let main = "use std::cell::RefCell;\nfn main() { let log = RefCell::new(String::new()); let sum = old::f(&log, 7) + old::f(&log, 1) + old::g(&log, 6) + old::g(&log, 1); println!(\"{} {}\", log.borrow(), sum); }";
    Case { edition: "2024", main, libs: &[lib("old", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_note_says_that_last_digits_may_differ() {
    let source = "pub fn grow(rate: f64, years: i32) -> f64 { rate.powi(years) }";
    let main = "fn main() { println!(\"{:.3}\", bank::grow(1.05, 30)); }";
    let says = "the last digits of functions such as `powf`";
    Case { main, libs: &[lib("bank", "2021", source)], says, ..CASE }.is_pasted();
}

#[test]
fn a_note_says_that_the_sign_of_a_nan_may_differ() {
    let source = "pub fn sorted(mut list: Vec<f64>) -> Vec<f64> { list.sort_by(|a, b| a.total_cmp(b)); list }";
    let main = "fn main() { println!(\"{:?}\", rank::sorted(vec![2.5, 1.5])); }";
    let says = "the sign of a NaN may differ, since Rust leaves it open, and `total_cmp` shows it";
    Case { main, libs: &[lib("rank", "2021", source)], says, ..CASE }.is_pasted();
}

#[test]
fn a_paste_reads_no_files_and_no_variables() {
    let source = "macro_rules! table { ($f:literal) => { include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/\", $f)) } }\n\
        pub fn text() -> &'static str { table!(\"t.txt\") }\n\
        macro_rules! ask { ($ask:ident $name:literal) => { $ask!($name) } }\n\
        pub fn name() -> Option<&'static str> { ask!(option_env \"HOME\") }";
    for (call, refused) in [("table::text()", "t.txt` cannot be"), ("table::name().is_some()", "the variable `HOME`")] {
        let main = format!("fn main() {{ println!(\"{{}}\", {call}); }}");
        let files = [("table/t.txt", "three")];
        Case { main: &main, libs: &[lib("table", "2021", source)], files: &files, ..CASE }.is_refused(refused);
    }
}

#[test]
fn addresses_of_functions_are_compared_in_ways_that_hide_their_types() {
    let libs = [("one", "pub fn f(x: u32) -> u32 { x * 3 }"), ("two", "pub fn f(x: u32) -> u32 { x * 3 }")];
    let libs = libs.map(|(name, source)| lib(name, "2021", source));
    for main in [
        "fn same<T>(a: *const T, b: *const T) -> bool { a == b }\n\
         fn main() { println!(\"{} {}\", one::f(3) + two::f(4), same(one::f as *const u8, two::f as *const u8)); }",
        "trait Id { fn id(self) -> usize; }\nimpl<T> Id for *const T { fn id(self) -> usize { self as usize } }\n\
         fn main() { println!(\"{} {}\", one::f(3) + two::f(4), (one::f as *const ()).id() == (two::f as *const ()).id()); }",
        "struct Key<T>(*const T);\nimpl<T> PartialEq for Key<T> { fn eq(&self, other: &Self) -> bool { self.0 == other.0 } }\n\
         fn main() { println!(\"{} {}\", one::f(3) + two::f(4), Key(one::f as *const ()) == Key(two::f as *const ())); }",
        "fn main() { let slice = |f: fn(u32) -> u32| std::ptr::slice_from_raw_parts(f as *const u8, 1);\n\
         println!(\"{} {}\", one::f(3) + two::f(4), slice(one::f) == slice(two::f)); }",
    ] {
        Case { main, libs: &libs, ..CASE }.is_refused("an address of a function or vtable");
    }
}

#[test]
fn an_impl_of_the_program_compares_a_type_id() {
    let main = "use std::any::{Any, TypeId};\n\
        macro_rules! pick { ($p:pat) => { String }; ($a:ident | $b:ident) => { &'static str } }\nstruct Kind;\n\
        impl PartialEq<Box<dyn Any + Send>> for Kind { fn eq(&self, other: &Box<dyn Any + Send>) -> bool { (**other).type_id() == const { TypeId::of::<pick!(A | B)>() } } }\n\
        fn main() { println!(\"{}\", Kind == std::panic::catch_unwind(|| panic!(\"x\")).unwrap_err()); }";
    Case { main, ..CASE }.is_right_or_refused();
}

#[test]
fn the_name_of_a_type_is_printed_on_its_way_into_a_panic() {
    let library = |shown: &str| {
        format!(
            "use std::fmt;\npub struct Unit;\nstruct Note<'a>(fmt::Arguments<'a>);\n\
             impl fmt::Display for Note<'_> {{ fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{ println!(\"{{}}\", self.0); f.write_fmt(self.0) }} }}\n\
             struct Out;\nimpl fmt::Write for Out {{ fn write_str(&mut self, s: &str) -> fmt::Result {{ print!(\"{{}}\", s); Ok(()) }} }}\n\
             #[derive(PartialEq)] struct Tag<T>(std::marker::PhantomData<T>, u8);\n\
             impl<T> fmt::Debug for Tag<T> {{ fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{ let d: &dyn fmt::Debug = &self.0; \
             let _ = fmt::write(&mut Out, format_args!(\"{{:?}}\", d)); f.write_str(\"Tag\") }} }}\n\
             pub fn fail<T: PartialEq>() {{ {shown} }}\nimpl PartialEq for Unit {{ fn eq(&self, _: &Self) -> bool {{ true }} }}"
        )
    };
    let main = "fn main() { println!(\"{}\", std::panic::catch_unwind(|| shape::fail::<shape::Unit>()).is_err()); }";
    for shown in [
        "panic!(\"no {}\", Note(format_args!(\"{}\", std::any::type_name::<T>())))",
        "assert_eq!(Tag::<T>(std::marker::PhantomData, 1), Tag(std::marker::PhantomData, 2))",
    ] {
        Case { main, libs: &[lib("shape", "2021", &library(shown))], ..CASE }.is_right_or_refused();
    }
    let plain = library("panic!(\"no {}\", std::any::type_name::<T>())");
    Case { main, libs: &[lib("shape", "2021", &plain)], ..CASE }.is_pasted();
}

#[test]
#[cfg(target_os = "linux")]
fn a_note_names_a_linker_of_the_user() {
    let files = [(".cargo/config.toml", "[target.'cfg(all())']\nlinker = \"cc\"\n")];
    Case { main: "fn main() { println!(\"{}\", 3); }", files: &files, says: "linker=cc", ..CASE }.is_pasted();
}

#[test]
fn a_constant_is_aligned_as_its_type_wants() {
    let main = "macro_rules! pick { ([$($a:tt)*] [$($b:tt)*] $p:pat) => { $($a)* }; ([$($a:tt)*] [$($b:tt)*] $($p:tt)*) => { $($b)* } }\n\
        #[allow(dead_code)] #[repr(align(64))] struct Big([u8; 64]);\n#[allow(dead_code)] struct Small([u8; 64]);\n\
        fn main() { let odd: &'static [u8; 3] = &[1, 2, 3];\n\
        let place: *const u8 = pick!([{ static B: &Big = &Big([7; 64]); B as *const Big as *const u8 }] \
        [{ static B: &Small = &Small([7; 64]); B as *const Small as *const u8 }] 1 | 2);\n\
        println!(\"{} {}\", place as usize % 64, odd[1]); }";
    Case { main, ..CASE }.is_right_or_refused();
}

#[test]
#[cfg(target_os = "linux")]
fn functions_that_run_before_main_in_an_order_of_the_linker_are_refused() {
    let source = |name: &str, section: &str, more: &str| {
        format!(
            "extern \"C\" fn start() {{ println!(\"{name}\"); }}\npub fn go() {{ {more} }}\n\
             #[used] #[link_section = \"{section}\"] static START: extern \"C\" fn() = start;"
        )
    };
    let main = "fn main() { late::go(); first::go(); }";
    for section in [".init_array.65536", ".init_array.late"] {
        let (one, two) = (source("first", section, ""), source("late", ".init_array", ""));
        let libs = [lib("first", "2021", &one), lib("late", "2021", &two)];
        Case { main, libs: &libs, ..CASE }.is_refused("the order in the section .init_array");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn functions_in_a_section_of_their_own_are_refused() {
    let source = "#[link_section = \"suite\"] pub fn one(x: u32) -> u32 { x + 1 }\n#[link_section = \"suite\"] pub fn two(x: u32) -> u32 { x * 77 }";
    let main = "extern \"C\" { static __start_suite: u8; static __stop_suite: u8; }\n\
        fn main() { println!(\"{} {}\", placed::one(3), unsafe { &__stop_suite as *const u8 != &__start_suite as *const u8 }); }";
    Case { main, libs: &[lib("placed", "2021", source)], ..CASE }.is_refused("it is in a section of its own");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_visits_its_own_stack_frames_is_refused() {
    let main = "use std::ffi::c_void;\ntype Stop = extern \"C-unwind\" fn(i32, i32, u64, *mut c_void, *mut c_void, *mut c_void) -> i32;\n\
        extern \"C-unwind\" { fn _Unwind_ForcedUnwind(what: *mut c_void, stop: Stop, with: *mut c_void) -> i32; }\n\
        extern \"C-unwind\" fn stop(_: i32, _: i32, _: u64, _: *mut c_void, _: *mut c_void, _: *mut c_void) -> i32 { println!(\"called\"); 0 }\n\
        fn main() { let what = Box::leak(Box::new([0_u128; 8])); unsafe { _Unwind_ForcedUnwind(what as *mut _ as *mut c_void, stop, std::ptr::null_mut()); } }";
    Case { main, ..CASE }.is_refused("it names every function that was called");
}

#[test]
fn two_statics_of_one_content_are_told_apart_by_their_names() {
    let source = "use std::sync::atomic::{AtomicU32, Ordering::Relaxed};\n\
        #[no_mangle] pub static FIRST_COUNT: AtomicU32 = AtomicU32::new(0);\n\
        #[no_mangle] pub static OTHER_COUNT: AtomicU32 = AtomicU32::new(0);\n\
        fn first() -> &'static AtomicU32 { &FIRST_COUNT }\nfn other() -> &'static AtomicU32 { &OTHER_COUNT }\n\
        macro_rules! make { ($name:ident, $of:expr) => { pub fn $name() { let first = other; let _ = first; $of().fetch_add(1, Relaxed); } } }\n\
        make!(count, first);\npub fn show() { println!(\"{} {}\", first().load(Relaxed), other().load(Relaxed)); }";
    let main = "fn main() { counters::count(); counters::count(); counters::show(); }";
    Case { main, libs: &[lib("counters", "2021", source)], ..CASE }.is_pasted();
}

#[test]
#[cfg(target_os = "linux")]
fn a_crate_that_is_named_and_not_linked_does_not_run() {
    let source = "extern \"C\" fn start() { println!(\"start\"); }\n\
        #[used] #[link_section = \".init_array\"] static START: extern \"C\" fn() = start;\npub fn hello() -> u32 { 1 }";
    for named in ["macro_rules! never { () => { dep::hello() } }", "#[cfg(windows)] fn never() -> u32 { dep::hello() }"]
    {
        let main = format!("#![allow(unused_macros)]\n{named}\nfn main() {{ println!(\"main\"); }}");
        Case { main: &main, libs: &[lib("dep", "2021", source)], ..CASE }.is_refused("what #[used] keeps");
    }
}

#[test]
fn after_a_case_that_never_ends_no_other_is_tried() {
    let main = "fn main() { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); println!(\"{}\", line.len()); while line.len() > 3 {} }";
    let files = [("testdata/app/a.in", "1\n"), ("testdata/app/b.in", "loop\n"), ("testdata/app/c.in", "loop again\n")];
    let outcome = Case { main, files: &files, old_compiler: true, ..CASE }.outcome();
    assert!(outcome.pasted && outcome.report.contains("cargo's build did not end in time on b"), "{}", outcome.report);
}

#[test]
fn a_deep_recursion_is_tested_with_an_optimised_program() {
    let main = "fn deep(n: u64) -> u64 { let a = [n; 20]; if n == 0 { 0 } else { a[(n % 20) as usize] + deep(n - 1) } }\n\
        fn main() { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); println!(\"{}\", deep(line.trim().parse().unwrap_or(3))); }";
    let files = [("testdata/app/1.in", "30000\n"), ("testdata/app/1.out", "450015000\n")];
    let outcome = Case { main, files: &files, old_compiler: true, ..CASE }.outcome();
    assert!(outcome.pasted && !outcome.report.contains("refused"), "{}", outcome.report);
}

#[test]
fn cfg_may_be_a_word_that_a_macro_is_called_with() {
    let source = "macro_rules! make { ($name:ident #[cfg(target_pointer_width = $width:literal)]) => \
        { #[cfg(target_pointer_width = $width)] pub fn $name() -> u32 { $width.len() as u32 } } }\n\
        make!(size #[cfg(target_pointer_width = \"64\")]);\nmake!(size #[cfg(target_pointer_width = \"32\")]);";
    let main = "fn main() { println!(\"{}\", made::size()); }";
    Case { main, libs: &[lib("made", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_macro_that_makes_modules_may_include_a_file() {
    let script = "fn main() { std::fs::write(std::path::Path::new(&std::env::var(\"OUT_DIR\").unwrap()).join(\"x.rs\"), \
        \"pub mod inside {\\n pub use crate::a::*;\\n}\\n\").unwrap(); }";
    let source =
        "macro_rules! root { () => { pub mod a; include!(concat!(env!(\"OUT_DIR\"), \"/x.rs\")); } }\nroot!();";
    let manifest = "build = \"build.rs\"\n";
    let made = Lib { name: "made", edition: "2021", manifest, source };
    let files = [("made/build.rs", script), ("made/src/a.rs", "pub fn three() -> u32 { 3 }")];
    let main = "fn main() { println!(\"{}\", made::inside::three()); }";
    Case { main, libs: &[made], files: &files, ..CASE }.is_pasted();
}

#[test]
fn the_name_of_a_type_may_differ_in_the_message_of_a_panic() {
    let source = "use std::str::FromStr;\npub fn read<T: FromStr>(word: &str) -> T { match word.parse() { Ok(value) => value, \
        Err(_) => panic!(\"no {} in {}\", std::any::type_name::<T>(), word) } }";
    let own = "#[derive(Debug)] struct Own(u32);\nimpl std::str::FromStr for Own { type Err = (); \
        fn from_str(s: &str) -> Result<Own, ()> { s.parse().map(Own).map_err(|_| ()) } }\n";
    let case = |main: &str, read: &str| {
        let main = format!("{own}fn main() {{ {main} }}");
        Case { main: &main, libs: &[lib("reader", "2021", read)], ..CASE }.outcome()
    };
    let main = "println!(\"{:?}\", reader::read::<Own>(\"7\"));";
    assert!(case(main, source).pasted);
    let hook = "std::panic::set_hook(Box::new(|info| println!(\"{}\", info))); let x: Own = reader::read(\"x\"); println!(\"{:?}\", x);";
    let caught = "let error = std::panic::catch_unwind(|| { reader::read::<Own>(\"x\"); }).unwrap_err(); \
        println!(\"{}\", error.downcast_ref::<String>().unwrap());";
    for main in [hook, caught] {
        assert!(!case(main, source).pasted, "{main}");
    }
    let told = "pub struct Tell(pub &'static str);\nimpl std::fmt::Display for Tell { \
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { println!(\"{}\", self.0); f.write_str(self.0) } }\n\
        pub fn read<T>(word: &str) -> T { panic!(\"no {} {}\", word, Tell(std::any::type_name::<T>())) }";
    let main = "let _ = std::panic::catch_unwind(|| reader::read::<Own>(\"x\").0);";
    assert!(!case(main, told).pasted);
    for (from, to) in [
        ("panic!(", "{ println!(\"{}\", std::any::type_name::<T>()); panic!("),
        ("panic!(", "{ SEEN.with(|seen| seen.set(std::any::type_name::<T>())); panic!("),
        ("panic!(", "{ let name: fn() -> &'static str = std::any::type_name::<T>; tell(name); panic!("),
    ] {
        let changed = source.replace(from, to).replace("word) }", "word) } }");
        let changed = format!(
            "{changed}\nthread_local! {{ pub static SEEN: std::cell::Cell<&'static str> = std::cell::Cell::new(\"\"); }}\n\
             #[allow(dead_code)] fn tell(name: fn() -> &'static str) {{ println!(\"{{}}\", name()); }}"
        );
        let main = "let _ = std::panic::catch_unwind(|| { reader::read::<Own>(\"x\"); }); println!(\"{}\", reader::SEEN.with(|seen| seen.get()));";
        assert!(!case(main, &changed).pasted, "{to}");
    }
}

#[test]
fn a_macro_of_a_crate_may_make_what_a_lint_forbids() {
    let source = "#[macro_export] macro_rules! two { () => { $crate::pair(1, 2); } }\npub fn pair(a: i32, b: i32) -> (i32, i32) { (a, b) }";
    let main = "fn main() { let x = own::two!(); println!(\"{}\", x.0 + x.1); }";
    Case { main, libs: &[lib("own", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_solution_may_hand_on_what_a_crate_hands_on() {
    let source = "mod inner { pub struct S(pub u32); }\npub use inner::S;";
    let main = "pub use own::S;\npub mod again { pub use own::S as T; }\nfn main() { println!(\"{}\", S(3).0 + again::T(4).0); }";
    Case { main, libs: &[lib("own", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_symbol_may_have_any_name() {
    let source = "#[export_name = \"a = ;b\"] pub static LINE: u32 = line!();\npub fn line() -> u32 { LINE }";
    let above = "/// Words.\n#[cfg(test)]\nmod tests {\n}\n";
    let main = "fn main() { println!(\"{}\", named::line()); }";
    Case { main, libs: &[lib("named", "2021", &format!("{above}{source}"))], ..CASE }
        .is_refused("the same as in cargo's build");
}

#[test]
fn the_name_of_a_module_may_be_that_of_its_file() {
    let manifest = "[[bin]]\nname = \"app\"\npath = \"app.rs\"\n";
    for main in [
        "#[cfg(test)]\nmod tests {}\nfn show(at: &'static (&'static str, u32, u32)) { println!(\"{} {}\", at.0.len(), at.1); }\n\
         fn main() { show(&(concat!(module_path!(), \".rs\\0\"), line!(), column!())); }",
        "fn main() { dbg!(1); println!(\"[{}.rs:{}:{}] {}\", module_path!(), line!(), column!(), 1 + std::env::args().count()); }",
    ] {
        Case { main: "", manifest, files: &[("app.rs", main)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_crate_may_be_called_like_the_standard_library() {
    let source = "pub mod panicking { pub fn panic_fmt(m: std::fmt::Arguments<'_>) -> ! { println!(\"{}\", m); std::process::exit(0) } }";
    let main = "struct Own;\nfn tell<T>() -> ! { mine::panicking::panic_fmt(format_args!(\"{}\", std::any::type_name::<T>())) }\nfn main() { tell::<Own>() }";
    let manifest = "[dependencies.mine]\npath = \"core\"\npackage = \"core\"\n";
    let core = "[package]\nname = \"core\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let files = [("core/Cargo.toml", core), ("core/src/lib.rs", source)];
    Case { main, manifest, files: &files, ..CASE }.is_right_or_refused();
}

#[cfg(target_os = "linux")] // for `ar`, and for the linker's way with libraries
#[test]
fn a_static_library_may_be_all_that_a_crate_brings() {
    let script = r##"
use std::process::Command;
fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    let run = |command: &mut Command| assert!(command.current_dir(&out).status().unwrap().success());
    std::fs::write(format!("{out}/given.rs"), "#[no_mangle] pub extern \"C\" fn given_number() -> u32 { 7 }").unwrap();
    run(Command::new("rustc").args(["-O", "--crate-type=lib", "--emit=obj", "-Cpanic=abort", "given.rs"]));
    run(Command::new("ar").args(["crs", "libgiven.a", "given.o"]));
    println!("cargo:rustc-link-search=native={out}");
}
"##;
    let sources = [
        "#[link(name = \"given\", kind = \"static\")] extern \"C\" {}",
        "macro_rules! link { ($name:literal, $kind:literal) => { #[link(name = $name, kind = $kind)] extern \"C\" {} } }\n\
         pub fn links() { link!(\"given\", \"static\"); }",
        "macro_rules! link { ($($all:tt)*) => { #[link($($all)*)] extern \"C\" {} } }\n\
         pub fn links() { link!(name = \"given\", kind = r\"static\"); }",
    ];
    let user = "extern crate linker as _;\nextern \"C\" { fn given_number() -> u32; }\npub fn number() -> u32 { unsafe { given_number() } }";
    let user = Lib { manifest: "[dependencies]\nlinker = { path = \"../linker\" }\n", ..lib("user", "2021", user) };
    let main = "fn main() { println!(\"{}\", user::number()); }";
    for source in sources {
        let libs = [user, lib("linker", "2021", source)];
        Case { main, libs: &libs, files: &[("linker/build.rs", script)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_dbg_may_move_to_another_line() {
    // The tests go, and so do the lines that they take.
    let main = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {}\n}\n\nfn main() {\n    let x = dbg!(1 + 1);\n    println!(\"{}\", \
        dbg!(vec![x; 3]).iter().map(|x| dbg!(x, 3).0).sum::<i32>());\n}\n";
    Case { main, says: "`dbg!` is left in the solution", ..CASE }.is_pasted();
}

#[test]
fn a_forgotten_dbg_does_no_harm() {
    let main = "fn main() { let x = dbg!(one::one() + 1); println!(\"{}\", dbg!(x) * 2); }";
    let source = "pub fn one() -> u32 { 1 }";
    let says = "`dbg!` is left in the solution";
    Case { main, libs: &[lib("one", "2021", source)], says, ..CASE }.is_pasted();
    for (name, place) in [
        ("", "println!(\"{}\", std::panic::Location::caller().file());"),
        ("", "println!(\"{}\", file!());"),
        ("", "println!(\"[{}:{}:{}] x\", file!(), line!(), column!());"),
        ("", "println!(\"{}\", std::any::type_name::<S>());"),
        ("macro_rules! dbg { ($x:expr) => { println!(\"{} {}\", file!(), $x) } }\n", ""),
    ] {
        let main = format!("{name}#[allow(dead_code)] struct S;\nfn main() {{ dbg!(one::one()); {place} }}");
        Case { main: &main, libs: &[lib("one", "2021", source)], ..CASE }.is_refused("the same as in cargo's build");
    }
}

#[test]
fn equal_constants_may_become_one_with_the_larger_alignment() {
    let source = "pub fn is_zero(x: &[f32; 2]) -> bool { *x == [0., 0.] }";
    let main =
        "fn zero() -> &'static u64 { &0 }\nfn main() { println!(\"{} {}\", zeros::is_zero(&[0., 1.]), zero()); }";
    Case { main, libs: &[lib("zeros", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn documentation_may_be_read_from_files() {
    let source = "macro_rules! documented { ($name:ident, $file:literal) => { #[doc = include_str!(concat!(\"../\", $file))] pub fn $name() -> u32 { 4 } } }\n\
        documented!(four, \"four.md\");\n#[doc = include_str!(\"../four.md\")] pub fn five() -> u32 { four() + 1 }";
    let main = "fn main() { println!(\"{}\", docs::five()); }";
    Case { main, libs: &[lib("docs", "2021", source)], files: &[("docs/four.md", "Four.\n")], ..CASE }.is_pasted();
}

#[test]
fn a_crate_may_import_again_what_only_its_root_sees() {
    let source = "struct P(u32);\nmod a { pub(super) fn x() -> u32 { 1 } }\npub(crate) use a::x;\n\
        pub(crate) mod m { pub(crate) use super::{q, P}; }\nfn q() -> P { P(3) }\n\
        pub fn f() -> u32 { let p: m::P = m::q(); p.0 + x() }";
    let main = "fn main() { println!(\"{}\", own::f()); }";
    Case { main, libs: &[lib("own", "2021", source)], ..CASE }.is_pasted();
}

#[test]
fn a_place_may_be_known_while_compiling() {
    let source = "use std::panic::Location;\n\
        pub const P: (&str, u32, u32) = { let l = Location::caller(); (l.file(), l.line(), l.column()) };\n\
        pub fn place() -> &'static (&'static str, u32, u32) { &P }";
    let main = "fn main() { println!(\"{:?}\", places::place()); }";
    Case { main, libs: &[lib("places", "2021", source)], ..CASE }.is_refused("the same as in cargo's build");
    let main = "const FILE: &str = std::panic::Location::caller().file();\n\
        fn main() { let n = dbg!(1 + 1); println!(\"{} {}\", n, FILE); }";
    Case { main, ..CASE }.is_refused("the same as in cargo's build");
}

#[test]
fn the_name_of_a_type_decides_nothing_before_a_panic() {
    let deciding = "let name = std::any::type_name::<X>(); let (_, length): (usize, usize) = unsafe { std::mem::transmute(name) }; \
        if length > 8 { panic!(\"long\") } else { panic!(\"short\") }";
    let reading = "let name = std::any::type_name::<X>(); let (first, _): (*const u8, usize) = unsafe { std::mem::transmute(name) }; \
        if unsafe { *first } == b'n' { panic!(\"own\") } else { panic!(\"not own\") }";
    let asked = "println!(\"{:?}\", payload.downcast_ref::<&str>());";
    let taken = "if (*payload).type_id() == std::any::TypeId::of::<String>() { println!(\"{}\", unsafe { &*(&*payload as *const _ as *const String) }); }";
    for (body, found) in [(deciding, asked), (reading, asked), ("panic!(\"no {}\", std::any::type_name::<X>())", taken)]
    {
        let source = format!("pub struct T;\npub fn fail<X>() {{ {body} }}");
        let main = format!(
            "use std::any::Any;\nfn main() {{ println!(\"it fails\"); let payload: Box<dyn Any + Send> = std::panic::catch_unwind(|| names::fail::<names::T>()).unwrap_err(); {found} }}"
        );
        Case { main: &main, libs: &[lib("names", "2021", &source)], ..CASE }.is_refused("the same as in cargo's build");
    }
}

#[test]
fn the_size_of_a_closure_may_be_an_index() {
    let source = "use std::mem::size_of;\n#[derive(Clone, Copy)] pub struct S { a: [u64; 4], b: [u64; 4] }\nstruct Size<F>(F);\n\
        impl<F> Size<F> { const N: usize = size_of::<F>(); }\n\
        fn pick<F: Fn() -> u64>(f: F, table: &[u64; 100]) -> u64 { f() + table[Size::<F>::N] }\n\
        pub fn picked() -> u64 { let mut table = [0; 100]; for i in 0..100 { table[i] = i as u64 * 100; } \
        let s = S { a: [1; 4], b: [2; 4] }; pick(move || s.a[0], &table) + s.b[0] }";
    for edition in ["2018", "2021"] {
        let main = "fn main() { println!(\"{}\", sizes::picked()); }";
        Case { main, libs: &[lib("sizes", edition, source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_foreign_function_is_declared_in_one_way() {
    let main = "fn main() { println!(\"{}\", one::first(b\"PATH\\0\")); println!(\"{}\", other::has(b\"SURELY_NOT_SET_ANYWHERE\\0\")); }";
    let one = "use std::os::raw::c_char;\nextern \"C\" { fn getenv(name: *const c_char) -> &'static c_char; }\n\
        #[inline(never)] pub fn first(name: &[u8]) -> bool { *unsafe { getenv(name.as_ptr() as *const c_char) } != 0 }";
    let other = "use std::os::raw::c_char;\nextern \"C\" { fn getenv(name: *const c_char) -> *const c_char; }\n\
        #[inline(never)] pub fn has(name: &[u8]) -> bool { !unsafe { getenv(name.as_ptr() as *const c_char) }.is_null() }";
    let libs = &[lib("one", "2021", one), lib("other", "2021", other)];
    Case { main, libs, ..CASE }.is_refused("two crates declare it in different ways");
    let main = "fn main() { let mut v = vec![3, 7, 1]; one::sort(&mut v); println!(\"{:?}\", v); println!(\"{}\", other::has_seven(&mut v)); }";
    let declared = |abi: &str| {
        format!(
            "extern \"{abi}\" {{ fn qsort(base: *mut i32, n: usize, size: usize, order: extern \"{abi}\" fn(*const i32, *const i32) -> i32); }}\n"
        )
    };
    let one = declared("C")
        + "extern \"C\" fn order(a: *const i32, b: *const i32) -> i32 { unsafe { (*a).cmp(&*b) as i32 } }\n\
        pub fn sort(v: &mut [i32]) { unsafe { qsort(v.as_mut_ptr(), v.len(), 4, order) } }";
    let other = declared("C-unwind")
        + "extern \"C-unwind\" fn order(a: *const i32, b: *const i32) -> i32 { unsafe { if *a == 7 || *b == 7 { panic!(\"seven\") } (*a).cmp(&*b) as i32 } }\n\
        pub fn has_seven(v: &mut [i32]) -> bool { std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| unsafe { qsort(v.as_mut_ptr(), v.len(), 4, order) })).is_err() }";
    let libs = &[lib("one", "2021", &one), lib("other", "2021", &other)];
    Case { main, libs, ..CASE }.is_refused("the same as in cargo's build");
}

#[test]
fn a_lint_may_be_an_error_in_an_older_edition() {
    let main = "#[deny(rust_2021_compatibility)]\nmod tools {\n    pub struct Noisy(pub u8);\n    impl Drop for Noisy { fn drop(&mut self) { println!(\"{}\", self.0); } }\n    \
        #[allow(dead_code)]\n    pub fn later() { let t = (Noisy(1), Noisy(2)); let d = move || { let _x = &t.0; }; d(); }\n}\n\
        fn main() { drop(tools::Noisy(3)); }";
    Case { main, ..CASE }.is_pasted();
}

#[test]
fn a_phantom_may_name_its_type_in_a_failed_assertion() {
    let source = "use std::marker::PhantomData;\n#[derive(Debug, Clone, Copy, PartialEq)] pub struct Mint<M> { v: u64, p: PhantomData<M> }\n\
        #[derive(Debug, Clone, Copy, PartialEq)] pub struct M7;\n\
        impl<M> Mint<M> { pub fn new(v: u64) -> Self { Mint { v, p: PhantomData } } pub fn half(self) -> Result<u64, Self> { if self.v % 2 == 0 { Ok(self.v / 2) } else { Err(self) } } }";
    let main = "use mint::{Mint, M7};\nfn main() { let x: Mint<M7> = Mint::new(4); assert_eq!(x, Mint::new(4)); println!(\"{}\", x.half().unwrap()); SHOWN }";
    let libs = &[lib("mint", "2021", source)];
    Case { main: &main.replace("SHOWN", ""), libs, ..CASE }.is_pasted();
    for shown in [
        "println!(\"{:?}\", x);",
        "println!(\"{:?}\", vec![Some(x)]);",
        "println!(\"{}\", format!(\"{:?}\", x).len());",
    ] {
        Case { main: &main.replace("SHOWN", shown), libs, ..CASE }.is_refused("the same as in cargo's build");
    }
}

#[test]
fn addresses_are_compared_in_more_than_one_way() {
    let shared =
        "pub trait Tr { fn f(&self) -> u32; }\npub struct S(pub u32);\nimpl Tr for S { fn f(&self) -> u32 { self.0 } }";
    let source = "use std::rc::Rc;\nuse std::cell::RefCell;\npub fn share(s: &Rc<RefCell<shared::S>>) -> Rc<RefCell<dyn shared::Tr>> { s.clone() }";
    let one = Lib { manifest: "[dependencies]\nshared = { path = \"../shared\" }", ..lib("one", "2021", source) };
    let other = Lib { name: "other", ..one };
    let main = "use std::rc::Rc;\nuse std::cell::RefCell;\nfn main() { let s = Rc::new(RefCell::new(shared::S(8))); \
        println!(\"{} {}\", Rc::as_ptr(&one::share(&s)) == Rc::as_ptr(&other::share(&s)), one::share(&s).borrow().f()); }";
    Case { main, libs: &[lib("shared", "2021", shared), one, other], ..CASE }.is_refused("the same address");
    let source = "pub fn add(a: i64, b: i64) -> i64 { a + b * 3 }";
    let libs = &[lib("one", "2021", source), lib("other", "2021", source)];
    for compared in [
        "std::sync::atomic::AtomicPtr::new(one::add as *mut ()).compare_exchange(other::add as *mut (), std::ptr::null_mut(), std::sync::atomic::Ordering::SeqCst, std::sync::atomic::Ordering::SeqCst).is_ok()",
        "(if std::env::args().count() > 0 { one::add as fn(i64, i64) -> i64 } else { other::add }) as usize == other::add as fn(i64, i64) -> i64 as usize",
    ] {
        let main = format!("fn main() {{ println!(\"{{}} {{}}\", {compared}, one::add(1, 2) + other::add(3, 4)); }}");
        Case { main: &main, libs, ..CASE }.is_refused("the same address");
    }
}

#[test]
fn settings_of_cargo_may_name_another_folder_and_the_solution_its_crate() {
    let main = "#![crate_name = \"app\"]\nfn main() { println!(\"{}\", two::two()); }";
    let files = &[(".cargo/config.toml", "[build]\nbuild-dir = \"elsewhere\"\n")];
    Case { main, libs: &[lib("two", "2021", "pub fn two() -> u32 { 2 }")], files, ..CASE }.is_pasted();
}

#[test]
fn a_macro_for_debugging_may_name_its_file() {
    let main = "macro_rules! debug { ($x:expr) => { if cfg!(debug_assertions) { eprintln!(\"{}:{} {}\", file!(), line!(), $x); } } }\n\
        fn main() { let all = [1, 2, 3]; debug!(all[0]); println!(\"{}\", places::second(&all)); }";
    let source = "pub fn second(all: &[u32]) -> u32 { all[1] }";
    let libs = &[lib("places", "2021", source)];
    Case { main, libs, ..CASE }.is_pasted();
    let shown = main.replace("cfg!(debug_assertions)", "true").replace("eprintln", "println");
    Case { main: &shown, libs, ..CASE }.is_refused("the same as in cargo's build");
}

#[test]
fn the_linker_reads_the_numbers_of_sections() {
    let starting = |name: &str, number: &str| {
        format!(
            "#[used] #[link_section = \".init_array.{number}\"] static START: extern \"C\" fn() = {{ extern \"C\" fn start() {{ println!(\"{name} starts\") }} start }};\npub fn run() {{}}"
        )
    };
    let main = "fn main() { one::run(); other::run(); println!(\"runs\"); }";
    let (one, other) = (starting("one", "65000"), starting("other", "065000"));
    let libs = &[lib("one", "2021", &one), lib("other", "2021", &other)];
    Case { main, libs, ..CASE }.is_refused("the linker decides it");
}

#[test]
fn a_build_script_sees_what_it_sees_in_cargos_build() {
    let script = r#"
use std::env::{args, current_exe, var, vars_os};
fn main() {
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    println!("cargo:rustc-env=ROOT={}", name(&var("PWD").unwrap()));
    println!("cargo:rustc-env=DOTTED={:?}", var("my.var"));
    println!("cargo:rustc-env=NAMES={} {}", name(&args().next().unwrap()), name(current_exe().unwrap().to_str().unwrap()));
    println!("cargo:rustc-env=WRAPPER={:?} {}", var("RUSTC_WRAPPER"), args().count());
    println!("cargo:rustc-env=OURS={}", vars_os().filter(|(name, _)| name.to_string_lossy().contains("PASTE")).count());
}
"#;
    let source = "pub const SEEN: [&str; 5] = [env!(\"ROOT\"), env!(\"DOTTED\"), env!(\"NAMES\"), env!(\"WRAPPER\"), env!(\"OURS\")];";
    let main = "fn main() { println!(\"{:?}\", scripted::SEEN); }";
    let files = [("scripted/build.rs", script)];
    let env = [("my.var", "5"), ("PWD", "/some/where")];
    Case { main, libs: &[lib("scripted", "2021", source)], files: &files, env: &env, ..CASE }.is_pasted();
}

#[test]
fn a_build_script_sees_the_compiler_by_the_name_that_it_was_given() {
    let script = "fn main() { println!(\"cargo:rustc-env=NAMED={}\", std::env::var(\"RUSTC\").unwrap()); }";
    let main = "fn main() { println!(\"{}\", env!(\"NAMED\")); }";
    for env in [&[("RUSTC", "rustc")][..], &[]] {
        Case { main, files: &[("build.rs", script)], env, ..CASE }.is_pasted();
    }
}

#[test]
fn a_debug_that_prints_by_itself_shows_the_name_of_a_type() {
    let source = r#"
use std::{fmt, marker::PhantomData};
pub struct K;
pub struct X<T>(u32, PhantomData<T>);
impl<T> X<T> { pub fn new(x: u32) -> Self { X(x, PhantomData) } }
impl<T> PartialEq for X<T> { fn eq(&self, o: &Self) -> bool { self.0 == o.0 } }
impl<T> fmt::Debug for X<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: [&dyn fmt::Debug; 2] = [&self.0, &self.1];
        for part in parts { println!("{:?}", part); }
        f.write_str("X")
    }
}
"#;
    let main = r#"
fn main() {
    let failed = std::panic::catch_unwind(|| { assert_eq!(shown::X::<shown::K>::new(1), shown::X::<shown::K>::new(2)); });
    println!("{}", failed.is_err());
}
"#;
    Case { main, libs: &[lib("shown", "2021", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_constant_beside_dbg_may_depend_on_the_edition() {
    let main = "macro_rules! m { ($e:expr) => { 1 }; (_) => { 2 } }\n\
        const T: (&str, u64) = (concat!(\"src\", \"/main.rs\\0\"), m!(_));\n\
        fn show(t: &'static (&'static str, u64)) { println!(\"{}\", t.1); }\nfn main() { dbg!(3); show(&T); }";
    Case { main, ..CASE }.is_right_or_refused();
}

#[test]
fn a_function_of_c_may_be_defined_anywhere() {
    let apply = lib("b", "2021", "pub fn floor(x: f64) -> f64 { if x == 77.0 { println!(); } x.floor() }");
    let main = "fn main() { println!(\"{}\", b::floor(1.5)); }\n";
    for name in ["#[no_mangle] pub extern \"C\" fn floor", "#[export_name = \"\\x01floor\"] pub extern \"C\" fn other"]
    {
        let defined = format!("{name}(x: f64) -> f64 {{ x * 3.0 + 100.0 }}");
        Case { main: &format!("{main}{defined}"), libs: &[apply], ..CASE }
            .is_refused("C may have a function of this name");
        let dep = lib("dep", "2021", &defined);
        let main = "use dep as _;\nfn main() { println!(\"{}\", b::floor(1.5)); }";
        Case { main, libs: &[apply, dep], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn an_identity_of_a_type_of_std_is_the_same_everywhere() {
    let pick = "use std::any::TypeId;\nmacro_rules! pick { ($e:expr) => { TypeId::of::<String>() }; (_) => { TypeId::of::<&'static str>() }; }\n";
    let main = "fn main() { let p = std::panic::catch_unwind(|| if std::env::args().count() < 9 { panic!(\"hello\") }).unwrap_err(); \
        println!(\"{}\", (*p).type_id() == a::id()); }";
    for id in ["pub fn id() -> TypeId { pick!(_) }", "const ID: TypeId = pick!(_);\npub fn id() -> TypeId { ID }"] {
        let source = format!("{pick}{id}");
        Case { edition: "2024", main, libs: &[lib("a", "2021", &source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_type_may_depend_on_the_edition_where_pointers_have_types() {
    let main = "macro_rules! t { ($p:pat) => { 8 }; ($($t:tt)*) => { 16 } }\n\
        pub struct P { pub p: *const u8, pub a: [u8; t!(1 | 2)] }\n\
        fn main() { let p = 4096usize as *const P; println!(\"{}\", p.wrapping_add(1) as usize); }";
    let files = [("testdata/app/1.in", ""), ("testdata/app/1.out", "4120\n")];
    Case { edition: "2018", main, files: &files, old_compiler: true, ..CASE }.is_right_or_refused();
}

#[test]
fn a_constant_beside_dbg_may_look_like_a_place() {
    let source = "\n\npub fn at() -> &'static (&'static str, u32, u32) {\n    &(concat!(\"src/\", \"main.rs\\0\"), line!(), 5)\n}\n";
    let main = "fn main() { let x = dbg!(1); println!(\"{} {}\", placed::at().1, x); }";
    Case { main, libs: &[lib("placed", "2021", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_hook_may_read_the_place_of_a_panic_as_plain_data() {
    let source = "\npub fn f(x: u32) -> u32 { if x == 0 { panic!(\"zero\") } 10 / x }";
    let main = r#"
fn main() {
    std::panic::set_hook(Box::new(|info| if let Some(place) = info.location() {
        let place: &(&str, u32, u32) = unsafe { std::mem::transmute(place) };
        println!("{}", place.1);
    }));
    println!("{}", std::panic::catch_unwind(|| divided::f(0)).is_err());
}
"#;
    Case { main, libs: &[lib("divided", "2021", source)], ..CASE }.is_right_or_refused();
}

#[test]
fn a_generic_comparison_of_pointers_may_see_vtables() {
    let source = r"
use std::rc::Rc;
pub trait Shape { fn area(&self) -> u32; }
pub struct Square(pub u32);
impl Shape for Square { fn area(&self) -> u32 { self.0 * self.0 } }
#[inline(never)] pub fn shape(s: Rc<Square>) -> Rc<dyn Shape> { s }
pub struct ById<T: ?Sized>(pub Rc<T>);
impl<T: ?Sized> PartialEq for ById<T> { fn eq(&self, o: &Self) -> bool { Rc::as_ptr(&self.0) == Rc::as_ptr(&o.0) } }
pub fn same<T: ?Sized>(a: &T, b: &T) -> bool { std::ptr::eq(a, b) }
pub fn equal<T: ?Sized>(a: *const T, b: *const T) -> bool { a == b }
";
    for seen in ["ById(a.clone()) == ById(b.clone())", "same(&*a, &*b)", "equal(&*a, &*b)"] {
        let main = format!(
            "use shapes::*; use std::rc::Rc; struct Dot; impl Shape for Dot {{ fn area(&self) -> u32 {{ 0 }} }}\n\
             fn main() {{ let s = Rc::new(Square(3)); let a: Rc<dyn Shape> = s.clone(); let b = shape(s);\n\
             let c: Rc<dyn Shape> = Rc::new(Dot); println!(\"{{}} {{}}\", {seen}, a.area() + c.area()); }}"
        );
        Case { main: &main, libs: &[lib("shapes", "2021", source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn casts_do_not_hide_the_address_of_a_function() {
    let source = "#[inline(never)] pub fn f(x: u32) -> u32 { (0..x).map(|y| y * y ^ x).sum() }\n\
        #[inline] pub fn h(x: u32) -> u32 { (0..x).map(|y| y * y ^ x).sum() }\n\
        #[inline(never)] pub fn addr() -> usize { h as fn(u32) -> u32 as usize }";
    for seen in [
        "g as fn(u32) -> u32 as *const () as *const u8 == lib::f as fn(u32) -> u32 as *const () as *const u8",
        "(g as fn(u32) -> u32 as *const ()).cast::<u8>() == (lib::f as fn(u32) -> u32 as *const ()).cast::<u8>()",
        "lib::h as fn(u32) -> u32 as usize == lib::addr()",
    ] {
        let main = format!(
            "#[inline(never)] pub fn g(x: u32) -> u32 {{ (0..x).map(|y| y * y ^ x).sum() }}\n\
             fn main() {{ println!(\"{{}} {{}}\", {seen}, g(3) + lib::f(3)); }}"
        );
        Case { main: &main, libs: &[lib("lib", "2021", source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_program_may_count_the_calls_it_is_in() {
    let source = r#"
use std::ffi::c_void;
extern "C" { fn _Unwind_Backtrace(f: extern "C" fn(*mut c_void, *mut c_void) -> i32, p: *mut c_void) -> i32; }
extern "C" fn one(_: *mut c_void, p: *mut c_void) -> i32 { unsafe { *(p as *mut u32) += 1; } 0 }
pub fn depth(k: u32) -> u32 {
    let mut n = 0u32;
    for _ in 0..k { n = 0; unsafe { _Unwind_Backtrace(one, &mut n as *mut u32 as *mut c_void); } }
    n
}
"#;
    let main = "fn main() { println!(\"{}\", frames::depth(2)); }";
    Case { main, libs: &[lib("frames", "2021", source)], ..CASE }.is_right_or_refused();
}

#[cfg(target_os = "linux")] // for a function in glibc's libresolv
#[test]
fn a_crate_may_do_nothing_but_link() {
    let user = r#"
extern crate linker;
use std::ffi::{c_char, c_int, c_ulong, CStr};
extern "C" { fn ns_format_ttl(seconds: c_ulong, text: *mut c_char, length: usize) -> c_int; }
pub fn shown(seconds: c_ulong) -> String {
    let mut text = [0; 40];
    unsafe { ns_format_ttl(seconds, text.as_mut_ptr(), 40); CStr::from_ptr(text.as_ptr()) }.to_str().unwrap().to_owned()
}
"#;
    let user = Lib { manifest: "[dependencies]\nlinker = { path = \"../linker\" }\n", ..lib("user", "2021", user) };
    // What is not compiled does not link anything.
    let main = "#[cfg(windows)] #[link(name = \"resolv\")] extern \"C\" {}\nfn main() { println!(\"{}\", user::shown(3700)); }";
    for source in [
        "#[link(name = \"resolv\")] extern \"C\" {}",
        "#[link(name = r\"resolv\")] extern \"C\" {}",
        "macro_rules! link { ($name:literal) => { #[link(name = $name)] extern \"C\" {} } } link!(\"resolv\");",
    ] {
        Case { main, libs: &[user, lib("linker", "2021", source)], ..CASE }.is_right_or_refused();
    }
}

#[test]
fn a_crate_may_be_linked_because_a_doc_comment_names_it() {
    let source = "pub fn thing() {}\nextern \"C\" fn start() { println!(\"started\"); }\n\
        #[used] #[link_section = \".init_array\"] static START: extern \"C\" fn() = start;";
    let user = lib("user", "2021", "/// See [started::thing].\npub fn one() -> u32 { 1 }");
    let user = Lib { manifest: "[dependencies]\nstarted = { path = \"../started\" }\n", ..user };
    let main = "fn main() { println!(\"{}\", user::one()); }";
    Case { main, libs: &[user, lib("started", "2021", source)], ..CASE }.is_right_or_refused();
}
