//! What `dbg!` prints of its place: the file, the line and the column. They differ in a paste. That does no harm, since
//! `dbg!` prints on stderr.

/// LLVM code without the places in what `dbg!` prints. `file` is the name that the source had when it was compiled.
///
/// The compiler puts the place into the text that `dbg!` prints, and the length of that text before it:
/// `c"\17[src/main.rs:67:9] x = …"`. A text of 128 bytes or more has a longer length before it: `\80`, then two bytes.
#[must_use]
pub fn without_places(code: &str, file: &str) -> String {
    let mark = format!("[{file}:");
    let lines = code.split_inclusive('\n').map(|line| without_place(line, &mark).unwrap_or_else(|| line.to_owned()));
    lines.collect()
}

/// The line without the place. Nothing if there is none.
fn without_place(line: &str, mark: &str) -> Option<String> {
    let start = line.find(mark)?;
    let rest = &line[start + 1..];
    let from = mark.len() - 1;
    let end = from + rest[from..].find(']')?;
    let numbers = &rest[from..end];
    let (row, column) = numbers.split_once(':')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(row) || !is_number(column) {
        return None;
    }
    let quote = line[..start].rfind("c\"")? + 2;
    let (length, prefix) = match *bytes(&line[quote..start])?.as_slice() {
        [length] if length < 0x80 => (usize::from(length), 1),
        [0x80, low, high] => (usize::from(u16::from_le_bytes([low, high])), 3),
        _ => return None,
    };
    // The sizes of the constant stand in the line as well: `[40 x i8]`.
    let size = line[..quote].rsplit_once(" x i8] c\"").and_then(|(before, _)| before.rsplit_once('['))?.1;
    let less = size.parse::<usize>().ok()?.checked_sub(end + prefix)?;
    let head = line[..quote].replace(&format!("[{size} x i8]"), &format!("[{less} x i8]"));
    Some(format!("{head}{} [{}", length.checked_sub(end)?, &rest[end..]))
}

/// The bytes of a string as LLVM writes it: a letter stands for itself, or `\` comes before two hexadecimal digits.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    let mut letters = text.bytes();
    while let Some(letter) = letters.next() {
        let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        found.push(match letter {
            b'\\' => digit(letters.next()?)? << 4 | digit(letters.next()?)?,
            _ => letter,
        });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_places_of_one_debugging_line_are_the_same() {
        let line = |size: usize, length: &str, place: &str| {
            format!("@alloc_1 = private constant [{size} x i8] c\"{length}[{place}] x = \\C0\\01\\0A\\00\", align 1\n")
        };
        let ours = without_places(&line(28, "\\17", "src/main.rs:67:9"), "src/main.rs");
        assert_eq!(ours, "@alloc_1 = private constant [11 x i8] c\"7 [] x = \\C0\\01\\0A\\00\", align 1\n");
        // The letter `0` is the byte 48.
        let long = format!("{}.rs", "f".repeat(30));
        assert_eq!(without_places(&line(53, "0", &format!("{long}:1700:18")), &long), ours);
        let longer = format!("{}.rs", "f".repeat(130));
        assert_eq!(without_places(&line(155, "\\80\\94\\00", &format!("{longer}:1700:18")), &longer), ours);
    }

    #[test]
    fn what_only_looks_like_a_place_stays() {
        for text in [
            "@a = constant [20 x i8] c\"[src/main.rs:67:9] x\"\n",
            "@a = constant [20 x i8] c\"\\17[src/main.rs:67] x\"\n",
            "@a = constant [20 x i8] c\"\\17[src/bin/main.rs:67:9] x\"\n",
            "@a = constant [20 x i8] c\"\\17[src/main.rs:no place\"\n",
        ] {
            assert_eq!(without_places(text, "src/main.rs"), text);
        }
    }
}
