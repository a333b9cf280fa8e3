//! Long lists, read many words at a time.
//!
//! In `input!`, `[Cell; n]` asks for one word after another, which is quick enough for a few thousand words. For
//! megabytes there is [`List`]. It asks [`Words`] for many words at once. [`Item::take`] takes them together as long as
//! they are plain: valid, and with one blank behind each. The others are read one by one, as `[Cell; n]` does it.

use crate::input::{is_blank, next_word, Tokens, Within};
use crate::stone::{Cell, Stone};
use proconio::source::{Readable, Source};
use std::convert::TryFrom; // in the prelude only from edition 2021 on
use std::io::BufRead;

/// How `input!` reads the words of [`Tokens::words`]. The same as `[T; n]`, but quicker where one blank is between two
/// words.
///
/// ```
/// use proconio::input;
/// use stones::input::{Tokens, Within};
/// use stones::list::List;
///
/// let mut source = Tokens::new("3\n10 9 8 7".as_bytes());
/// input! { from &mut source, n: Within<1, 5> }
/// input! { from source.words(n), numbers: List<Within<0, 10>> }
/// assert_eq!(numbers, [10, 9, 8]);
/// ```
pub struct List<T>(T);

impl<T: Item> Readable for List<T> {
    type Output = Vec<T::Output>;

    fn read<R: BufRead, S: Source<R>>(source: &mut S) -> Vec<T::Output> {
        let mut list = Vec::new();
        while !source.is_empty() {
            let mut words = next_word(source);
            while !words.is_empty() {
                words = &words[T::take(&mut list, words.as_bytes())..];
                let (word, rest) = words.split_at(words.bytes().position(is_blank).unwrap_or(words.len()));
                if !word.is_empty() {
                    list.push(T::read(&mut Word(Some(word))));
                }
                words = rest.get(1..).unwrap_or(""); // without the blank
            }
        }
        list
    }
}

/// A single word as a source.
struct Word<'w>(Option<&'w str>);

impl Source<&[u8]> for Word<'_> {
    fn next_token(&mut self) -> Option<&str> {
        self.0.take()
    }

    fn is_empty(&mut self) -> bool {
        self.0.is_none()
    }
}

/// The next words of the input. A token may be many of them at once, with all that is between them.
pub struct Words<'t> {
    source: &'t mut Tokens,
    left: usize,
}

impl Tokens {
    /// The next `count` words, for a [`List`].
    pub fn words(&mut self, count: usize) -> Words<'_> {
        Words { source: self, left: count }
    }
}

impl Source<Box<dyn BufRead>> for Words<'_> {
    fn next_token(&mut self) -> Option<&str> {
        let source = &mut *self.source;
        if self.left == 0 || source.is_empty() {
            return None;
        }
        let begin = source.unread;
        let ahead = &source.text.as_bytes()[begin..];
        // A word and the blank behind it are at least two bytes. So `2 * left - 1` bytes hold at most `left - 1` words
        // with a blank behind them. The last word always comes alone.
        let most = &ahead[..ahead.len().min(self.left.saturating_mul(2) - 1)];
        if let Some(blank) = most.iter().rposition(|&byte| is_blank(byte)) {
            self.left -= count(&most[..=blank]);
            source.unread += blank;
            return source.text.get(begin..source.unread);
        }
        self.left -= 1;
        source.next_token()
    }

    fn is_empty(&mut self) -> bool {
        self.left == 0
    }
}

/// How many words there are in a text that ends with a blank.
///
/// Every byte below the space counts as a blank here. So a word that has such a byte may be counted wrongly. Every
/// [`Item`] refuses such a word, so that does no harm.
fn count(text: &[u8]) -> usize {
    // A word ends where a blank follows. A sum of at most 224 ones fits into a byte, so the compiler can add many bytes
    // at a time.
    let ends = |(text, next): (&[u8], &[u8])| {
        text.iter().zip(next).map(|(&byte, &next)| u8::from(byte > b' ' && next <= b' ')).sum::<u8>()
    };
    text.chunks(224).zip(text[1..].chunks(224)).map(ends).map(usize::from).sum()
}

/// What a [`List`] reads. A word that has a byte below the space must be refused, since it may be counted wrongly.
pub trait Item: Readable {
    /// Adds the words at the front of a text to the list, as long as they are plain: valid, and with one blank behind
    /// each. Returns how many bytes it took. It need not take all of them.
    fn take(list: &mut Vec<Self::Output>, text: &[u8]) -> usize;
}

impl Item for Cell {
    fn take(list: &mut Vec<Option<Stone>>, text: &[u8]) -> usize {
        let mut taken = 0;
        // All of a block or nothing, without a branch in it, so that the compiler can handle many bytes at a time.
        for block in text.chunks_exact(64) {
            let words = block.chunks_exact(2);
            let plain = |word: &[u8]| matches!(word[0], b'0'..=b'2') & matches!(word[1], b' ' | b'\n');
            if !words.clone().fold(true, |all, word| all & plain(word)) {
                break;
            }
            list.extend(words.map(|word| match word[0] {
                b'0' => None,
                b'1' => Some(Stone::Black),
                _ => Some(Stone::White),
            }));
            taken += block.len();
        }
        taken
    }
}

impl<const LOW: usize, const HIGH: usize> Item for Within<LOW, HIGH> {
    fn take(list: &mut Vec<usize>, text: &[u8]) -> usize {
        let mut taken = 0;
        while let Some((number, length)) = number(&text[taken..]) {
            match usize::try_from(number) {
                Ok(number) if (LOW..=HIGH).contains(&number) => list.push(number),
                _ => break,
            }
            taken += length + 1;
        }
        taken
    }
}

/// The number at the front of a text, up to a blank, and its length.
#[inline]
fn number(text: &[u8]) -> Option<(u64, usize)> {
    // With sixteen bytes at hand, no step has to ask whether the text is over.
    let front = <&[u8; 16]>::try_from(text.get(..16)?).ok()?;
    match eight_digits(front) {
        Some(number) => go_on::<8>(number, front),
        None => go_on::<0>(0, front),
    }
}

/// Goes on after the first `DONE` digits of a number, by up to eight bytes. As `DONE` is known while compiling, the
/// loop becomes eight steps in a row.
#[inline]
fn go_on<const DONE: usize>(mut number: u64, text: &[u8; 16]) -> Option<(u64, usize)> {
    for (place, &byte) in text.iter().enumerate().skip(DONE).take(8) {
        match byte {
            b'0'..=b'9' => number = number * 10 + u64::from(byte - b'0'),
            _ if is_blank(byte) && place > 0 => return Some((number, place)),
            _ => break,
        }
    }
    None
}

/// The number that the first eight bytes are, if all of them are digits.
#[inline]
fn eight_digits(front: &[u8; 16]) -> Option<u64> {
    let eight = <[u8; 8]>::try_from(&front[..8]).ok()?;
    // The first digit is in the lowest byte. The XOR turns the digit '0' into the number 0, '1' into 1, and so on.
    let digits = u64::from_le_bytes(eight) ^ 0x3030_3030_3030_3030;
    // What is above 9 has its highest bit set, or gets it by adding 118.
    if (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    // Neighbours join to pairs, pairs to fours, and fours to one number.
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((fours * 10_000 + (fours >> 32)) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{attempt, Outcome};
    use proconio::input;
    use std::fmt::Debug;
    use std::io::{BufReader, Cursor, Write};

    /// Prints a list, or says after reading it that it is wrong.
    fn print(list: &[impl Debug], out: &mut dyn Write) -> Outcome {
        if list.len() == 7 {
            return Err("a list of seven".into());
        }
        Ok(writeln!(out, "{:?}", list)?)
    }

    fn by_list<T: Item<Output = impl Debug>>(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
        input! { from &mut *source, n: Within<0, 500> }
        input! { from source.words(n), list: List<T> }
        print(&list, out)
    }

    fn by_word<T: Item<Output = impl Debug>>(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
        input! { from source, n: Within<0, 500>, list: [T; n] }
        print(&list, out)
    }

    /// Reads the input in both ways and in pieces of many lengths: the same answer, the same warning, the same refusal.
    fn compare<T: Item<Output = impl Debug>>(input: &[u8]) {
        for capacity in [1, 7, 8, 9, 16, 17, 64, 1000] {
            let [list, words] = [by_list::<T>, by_word::<T>].map(|solve| {
                let mut answer = Vec::new();
                let reader = BufReader::with_capacity(capacity, Cursor::new(input.to_vec()));
                let outcome = attempt(solve, reader, &mut answer).map_err(|error| error.to_string());
                (outcome, String::from_utf8(answer))
            });
            assert_eq!(list, words, "{}, in pieces of {capacity}", String::from_utf8_lossy(input));
        }
    }

    /// Inputs that say `length` and then have these words, with one blank or more between them.
    fn inputs(length: usize, words: &[Vec<u8>]) -> impl Iterator<Item = Vec<u8>> + '_ {
        [" ", "\n", "\r\n", "  ", "\t \u{b}\u{c}"].into_iter().flat_map(move |blank| {
            let input = [length.to_string().as_bytes(), &words.join(blank.as_bytes())].join(blank.as_bytes());
            [input.clone(), [&input, blank.as_bytes()].concat()]
        })
    }

    /// Lists with this word at the front, in the middle and at the end of others, or beyond the list.
    fn compare_among<T: Item<Output = impl Debug>>(word: &[u8], others: &[Vec<u8>]) {
        for place in [0, others.len() / 2, others.len()] {
            let mut words = others.to_vec();
            words.insert(place, word.to_vec());
            for length in [words.len() - 1, words.len(), words.len() + 1] {
                inputs(length, &words).for_each(|input| compare::<T>(&input));
            }
        }
    }

    #[test]
    fn cells_in_a_list_are_the_same_as_one_by_one() {
        let cells: Vec<_> = (0..100).map(|number| (number * number % 7 % 3).to_string().into_bytes()).collect();
        for word in ["0", "1", "2", "3", "/", "00", "10", "p", "\0", "é", "\u{7f}", "\u{1a}"] {
            for others in [0, 6, 32, 33, 100] {
                compare_among::<Cell>(word.as_bytes(), &cells[..others]);
            }
        }
        compare_among::<Cell>(b"\x80", &cells);
        compare_among::<Cell>(b"1\xff", &cells);
    }

    #[test]
    fn numbers_in_a_list_are_the_same_as_one_by_one() {
        let digits = "98765432109876543210";
        let numbers: Vec<_> =
            [1, 2, 7, 8, 9, 10, 16, 17, 18, 19].map(|length| digits.as_bytes()[..length].to_vec()).into();
        for length in [1, 2, 7, 8, 9, 15, 16, 17, 19, 20] {
            let digits = &digits[..length];
            for word in [digits, &"0".repeat(length), &"9".repeat(length), &format!("{:0length$}", 5)] {
                compare_among::<Within<0, { usize::MAX }>>(word.as_bytes(), &numbers);
            }
            // The neighbours of the digits, what differs from a digit by one bit, and what is not ASCII or not UTF-8.
            for place in [0, length / 2, length - 1] {
                for wrong in
                    [&b"/"[..], b":", b"+", b"-", b"?", b"p", b"\0", b"\x7f", b"\x80", b"\xb0", b"\xff", "é".as_bytes()]
                {
                    let word = [&digits.as_bytes()[..place], wrong, &digits.as_bytes()[place + 1..]].concat();
                    inputs(3, &[numbers[5].clone(), word, numbers[0].clone()])
                        .for_each(|input| compare::<Within<0, { usize::MAX }>>(&input));
                }
            }
        }
    }

    #[test]
    fn numbers_in_a_list_end_at_their_limits() {
        let numbers = ["5", "1000000000"].map(|number| number.as_bytes().to_vec());
        for word in ["4", "5", "05", "999999999", "1000000000", "1000000001", "01000000000", "10000000000"] {
            compare_among::<Within<5, 1_000_000_000>>(word.as_bytes(), &numbers);
        }
    }

    #[test]
    fn plain_words_are_taken_together_up_to_the_first_that_is_not_plain() {
        let mut cells = Vec::new();
        assert_eq!(Cell::take(&mut cells, "0 1\n2 1 ".repeat(16).as_bytes()), 128);
        let four = [None, Some(Stone::Black), Some(Stone::White), Some(Stone::Black)];
        assert_eq!(cells, four.repeat(16));
        let mut numbers = Vec::new();
        let text = b"5 1234567\n12345678 123456789 123456789012345 42 ............";
        assert_eq!(Within::<5, { usize::MAX }>::take(&mut numbers, text), text.len() - 15);
        assert_eq!(numbers, [5, 1_234_567, 12_345_678, 123_456_789, 123_456_789_012_345]);
        assert_eq!(Within::<6, 9>::take(&mut numbers, b"7 5 8 .............."), 2);
        assert_eq!(eight_digits(b"12345678........"), Some(12_345_678));
        assert_eq!(eight_digits(b"1234567\xb0........"), None);
    }

    #[test]
    fn a_single_word_is_there_once() {
        let mut word = Word(Some("7"));
        assert!(!word.is_empty());
        assert_eq!(word.next_token(), Some("7"));
        assert!(word.is_empty());
        assert_eq!(word.next_token(), None);
    }

    #[test]
    fn words_are_counted_by_their_ends() {
        for (text, words) in [("a ", 1), ("a\n", 1), ("a b\r\nc\t\t", 3), ("é\u{7f} ~ ", 2)] {
            for times in [1, 100, 223, 224, 225, 1000] {
                assert_eq!(count(text.repeat(times).as_bytes()), words * times, "{text:?}");
            }
        }
    }
}
