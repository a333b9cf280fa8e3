//! Inputs that no judge should send: valid ones broken at random, named offences, and words after the end.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, Index};

use crate::check::{file_name, Check};
use crate::generate::Input;
use crate::oracle;
use crate::run::{run, Ending, Limits};

/// Words that stand where they should not: extremes, near misses, other alphabets, other formats.
#[rustfmt::skip] // One on each line would be a page of them.
const WORDS: [&[u8]; 49] = [
    b"", b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"18", b"19", b"20", b"32", b"33",
    b"5001", b"5002", b"200000", b"200001", b"1000000000", b"1000000001", b"4294967295",
    b"4294967296", b"9223372036854775807", b"9223372036854775808", b"18446744073709551615",
    b"18446744073709551616", b"1234567890123456789012345678901234567890",
    b"0000000000000000000000000000000000000001", b"-0", b"-1", b"-9223372036854775809", b"+1",
    b"1.0", b"1e9", b"0x1", b"N", b"B", b"n", b"NB", b"W", b".", b"NaN", b"\0", b"\xff",
    b"\xc3\x28", "\u{feff}1".as_bytes(), "\u{ff11}".as_bytes(), "\u{3000}".as_bytes(),
];

/// One way to break an input.
#[derive(Clone, Debug)]
enum Damage {
    /// Ends there.
    Cut(Index),
    /// A piece appears twice.
    Double(Index, Index),
    /// A piece is missing.
    Remove(Index, Index),
    /// Two words change places.
    Swap(Index, Index),
    /// A word becomes another.
    Replace(Index, &'static [u8]),
    /// A word too many.
    Insert(Index, &'static [u8]),
    /// One bit changes.
    Flip(Index, u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    let word = || select(&WORDS[..]);
    let place = any::<Index>;
    prop_oneof![
        1 => place().prop_map(Damage::Cut),
        1 => (place(), place()).prop_map(|(from, to)| Damage::Double(from, to)),
        1 => (place(), place()).prop_map(|(from, to)| Damage::Remove(from, to)),
        1 => (place(), place()).prop_map(|(one, other)| Damage::Swap(one, other)),
        3 => (place(), word()).prop_map(|(at, word)| Damage::Replace(at, word)),
        1 => (place(), word()).prop_map(|(at, word)| Damage::Insert(at, word)),
        1 => (place(), 0..8_u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
    ]
}

impl Damage {
    fn apply(&self, input: &mut Vec<u8>) {
        let span = |from: &Index, to: &Index| {
            let (from, to) = (from.index(input.len() + 1), to.index(input.len() + 1));
            from.min(to)..from.max(to)
        };
        match self {
            Damage::Cut(at) => input.truncate(at.index(input.len() + 1)),
            Damage::Double(from, to) => {
                let span = span(from, to);
                let piece = input[span.clone()].to_vec();
                input.splice(span.end..span.end, piece);
            }
            Damage::Remove(from, to) => {
                input.drain(span(from, to));
            }
            Damage::Flip(at, bit) => {
                if !input.is_empty() {
                    let at = at.index(input.len());
                    input[at] ^= 1 << bit;
                }
            }
            Damage::Swap(one, other) => in_words(input, |words| {
                let (one, other) = (one.index(words.len()), other.index(words.len()));
                words.swap(one, other);
            }),
            Damage::Replace(at, word) => in_words(input, |words| {
                let at = at.index(words.len());
                words[at] = word.to_vec();
            }),
            Damage::Insert(at, word) => in_words(input, |words| {
                words.insert(at.index(words.len()), word.to_vec());
            }),
        }
    }
}

/// Lets `change` edit the words of the input. The spaces and line feeds between them keep their order.
fn in_words(input: &mut Vec<u8>, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let blanks: Vec<u8> = input.iter().copied().filter(|byte| b" \n".contains(byte)).collect();
    let mut words: Vec<Vec<u8>> = input.split(|byte| b" \n".contains(byte)).map(<[u8]>::to_vec).collect();
    change(&mut words);
    *input = Vec::new();
    for (number, word) in words.iter().enumerate() {
        if number > 0 {
            input.push(blanks.get(number - 1).copied().unwrap_or(b' '));
        }
        input.extend(word);
    }
}

/// Inputs made by breaking these in one to three ways.
pub fn broken(seeds: impl Strategy<Value = Input>) -> impl Strategy<Value = Input> {
    (seeds, vec(damage(), 1..=3)).prop_map(|(Input(mut input), damages)| {
        for damage in damages {
            damage.apply(&mut input);
        }
        Input(input)
    })
}

/// What a program may use on hostile input: the usual time, and 16 MiB of memory. A word that is too long may take 8 of
/// them. Where the judge does not limit the board, the program may use more: a side of 5000 is 25 MB of squares and as
/// much to print.
#[must_use]
pub fn limits(binary: &str) -> Limits {
    let mebibytes = if binary == "jutge_p18992_othello_n" { 96 } else { 16 };
    Limits { memory: mebibytes << 20, ..Limits::default() }
}

/// The input with the largest ring, or with the largest board and no moves played. Like any other, it must be answered
/// within the [`limits`]. `None` where all inputs are small.
#[must_use]
pub fn largest(binary: &str) -> Option<Vec<u8>> {
    match binary {
        "jutge_p18992_othello_n" => Some(b"5000\n".to_vec()),
        "boj_32115_stone_ring" => {
            let states = "1 0 2 0\n".repeat(50_000);
            let values = "1000000000 ".repeat(200_000);
            Some(format!("200000\n{states}{values}").into_bytes())
        }
        _ => None,
    }
}

/// Throws broken versions of `seeds` at an executable (the binary's cargo build, or its paste), and prints how many.
///
/// # Panics
/// If it does anything but answer or refuse as the oracle does, within its [`limits`]; or if the binary has no oracle.
pub fn withstands(program: &Path, binary: &str, inputs: u32, seeds: &[Input]) {
    let oracle = oracle::of(binary).expect("this problem has an oracle");
    let refused = AtomicU32::new(0);
    let check = Check { binary, program: Some(program), kind: "broken" };
    check.compare(inputs, broken(select(seeds.to_vec())), oracle, |input| {
        let outcome = run(program, input, limits(binary))?;
        refused.fetch_add(u32::from(outcome.ending != Ending::Success), Ordering::Relaxed);
        Ok(outcome)
    });
    let refused = refused.into_inner();
    println!("checked: {}: {inputs} hostile inputs survived, {refused} of them refused", file_name(program));
}

/// What may follow a complete input without harm, and what to call it. A problem that reads to the end of its input
/// refuses all of these, since there each of them is a broken move.
#[must_use]
pub fn stray_words() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a number too many", b" 0\n".to_vec()),
        ("a line of words", b"\n\nend of test\n".to_vec()),
        ("Ctrl-Z", b"\n\x1a".to_vec()),
        ("Ctrl-Z after the line end of Windows", b"\r\n\x1a\r\n".to_vec()),
        ("zero bytes", b"\n\0\0\0\0".to_vec()),
        ("a megabyte of zero bytes", [&b"\n"[..], &[0; 1 << 20]].concat()),
        ("bytes that are not UTF-8", b"\n\xff\xfe\n".to_vec()),
        ("a second test", b"\n3\n1 2 0\n1 1 1\n".to_vec()),
    ]
}

/// Inputs that must be refused, with what is wrong about each.
#[must_use]
pub fn offences(binary: &str) -> Vec<(&'static str, Vec<u8>)> {
    let mut offences: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("only blanks", b" \r\n\t\n".to_vec()),
        ("a word for the first number", b"one\n".to_vec()),
        ("a negative first number", b"-1\n".to_vec()),
        ("a first number of forty digits", vec![b'1'; 40]),
        ("bytes that are not UTF-8", b"\xff\xfe\n".to_vec()),
        ("a word of a megabyte", vec![b'7'; 1 << 20]),
        ("a word beyond the limit", vec![b'7'; 5 << 20]),
    ];
    let specific: &[(&str, &str)] = match binary {
        "boj_15671_othello" => &[
            ("no moves", "0\n"),
            ("more moves than squares", "33\n2 3\n"),
            ("fewer moves than announced", "2\n2 3\n"),
            ("half a move", "1\n2\n"),
            ("a word for a row", "1\nx 3\n"),
            ("a signed number", "1\n+2 3\n"),
            ("row 0", "1\n0 3\n"),
            ("column 7", "1\n2 7\n"),
            ("a row of twenty digits", "1\n18446744073709551618 3\n"),
            ("an occupied square", "1\n3 3\n"),
            ("a move that captures nothing", "1\n1 1\n"),
            ("a move of white's for black", "1\n2 4\n"),
            ("a level score", "2\n2 3\n2 2\n"),
        ],
        "boj_32115_stone_ring" => &[
            ("two cells", "2\n1 2\n1 1\n"),
            ("more cells than allowed", "200001\n"),
            ("absurdly many cells", "1000000000\n"),
            ("2^64 - 1 cells", "18446744073709551615\n"),
            ("2^64 cells", "18446744073709551616\n"),
            ("the most cells and none of them", "200000\n"),
            ("a state of 3", "3\n0 3 1\n1 1 1\n"),
            ("a state of two digits", "3\n0 01 2\n1 1 1\n"),
            ("a negative state", "3\n0 -1 1\n1 1 1\n"),
            ("too large a value", "3\n0 1 2\n1 1000000001 1\n"),
            ("a negative value", "3\n0 1 2\n1 -1 1\n"),
            ("a fraction", "3\n0 1 2\n1 1.5 1\n"),
            ("no values", "3\n0 1 2\n"),
            ("a value too few", "3\n0 1 2\n1 1\n"),
        ],
        "jutge_p18992_othello_n" => &[
            ("a side of 0", "0\n"),
            ("a side of 2", "2\n"),
            ("an odd side", "5\n"),
            ("a side of 10^9", "1000000000\n"),
            ("a side of 10^18", "1000000000000000000\n"),
            ("a side of 2^64 - 1", "18446744073709551615\n"),
            ("a side of 2^64", "18446744073709551616\n"),
            ("a letter that is neither", "4\nX 1 2\n"),
            ("a small letter", "4\nn 1 2\n"),
            ("two letters in one", "4\nNB 1 2\n"),
            ("a letter alone", "4\nN\n"),
            ("half a move", "4\nN 1\n"),
            ("white first", "4\nB 1 3\n"),
            ("black twice while white could move", "4\nN 1 2\nN 3 4\n"),
            ("an occupied square", "4\nN 2 2\n"),
            ("a move that captures nothing", "4\nN 1 1\n"),
            ("row 0", "4\nN 0 2\n"),
            ("column 5", "4\nN 1 5\n"),
            ("a row of twenty digits", "4\nN 18446744073709551617 2\n"),
            ("a word for a column", "4\nN 1 two\n"),
            ("Ctrl-Z after the last move", "4\nN 1 2\n\u{1a}"),
            ("a zero byte after the last move", "4\nN 1 2\n\0"),
            ("a word after the last move", "4\nN 1 2\nend\n"),
        ],
        _ => &[],
    };
    offences.extend(specific.iter().map(|&(what, input)| (what, input.as_bytes().to_vec())));
    if binary == "boj_2615_omok" {
        let board = |lines: &[usize], cell: &str| {
            let mut cells = vec!["0"; 19 * 19];
            for &line in lines {
                cells[line..line + 5].fill("1");
            }
            cells[360] = cell;
            cells.join(" ")
        };
        offences.extend(
            [
                ("a cell too few", board(&[], "")),
                ("a cell of 3", board(&[], "3")),
                ("a cell of two digits", board(&[], "00")),
                ("a negative cell", board(&[], "-1")),
                ("a letter for a cell", board(&[], "B")),
                ("a signed cell", board(&[], "+1")),
                ("two fives", board(&[0, 100], "0")),
            ]
            .map(|(what, text)| (what, text.into_bytes())),
        );
    }
    offences
}
