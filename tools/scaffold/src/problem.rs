//! A new problem: its full name and the files that it starts with. The name is made of the judge, the judge's number
//! and a short name.

use crate::package::NewFile;
use crate::sample;
use anyhow::{Context, Result, bail, ensure};

/// File names have a limit, and people have to type this one.
const LONGEST_NAME: usize = 64;

/// A problem as its judge knows it, and as this package does.
#[derive(Debug)]
pub struct Problem {
    /// The full name: that of its binary, its file and its test data, such as `boj_2615_omok`.
    pub name: String,
    /// Where its statement is, if the judge is a known one.
    pub link: Option<String>,
    title: String,
}

impl Problem {
    /// The problem `number` of `judge`. Its full name ends with the short one, `name`.
    ///
    /// # Errors
    /// If these do not make a name for a binary, or the judge has no such numbers.
    ///
    /// ```
    /// let omok = scaffold::problem::Problem::new("boj", "2615", "omok")?;
    /// assert_eq!(omok.name, "boj_2615_omok");
    /// assert_eq!(omok.link.as_deref(), Some("https://www.acmicpc.net/problem/2615"));
    /// # anyhow::Ok(())
    /// ```
    pub fn new(judge: &str, number: &str, name: &str) -> Result<Problem> {
        let judge = judge.to_lowercase();
        let mut number = number.to_lowercase();
        if judge == "jutge" && is_digits(&number) {
            number.insert(0, 'p');
        }
        ensure!(
            is_word(&judge) && !judge.starts_with(|first: char| first.is_ascii_digit()),
            "{judge:?} cannot be the name of a judge: such a name is one word of letters and digits, a letter first, like boj"
        );
        if !is_snake_case(name) {
            let better = snake_case(name);
            let better = if better.is_empty() { "some_name" } else { &better };
            bail!(
                "{name:?} cannot be the name of a problem: such a name has only lower-case letters and digits, with a single _ \
                 between words; try {better}"
            );
        }
        let (place, link) = locate(&judge, &number)?;
        let full_name = format!("{judge}_{number}_{name}");
        ensure!(
            full_name.len() <= LONGEST_NAME,
            "{full_name} has {} characters, and a name may have at most {LONGEST_NAME}; choose a shorter one",
            full_name.len()
        );
        Ok(Problem { name: full_name, link, title: format!("{place} · {}", capitalised(&name.replace('_', " "))) })
    }

    /// The files that it starts with: the solution, which is a placeholder, and a sample that it passes.
    #[must_use]
    pub fn files(&self) -> Vec<NewFile> {
        let link = self.link.as_ref().map(|link| format!("<{link}>"));
        let solution = include_str!("../template/solution.rs")
            .replace("{title}", &self.title)
            .replace("{name}", &self.name)
            .replace("{link}", link.as_deref().unwrap_or("TODO the link"));
        let mut files = vec![(format!("src/bin/{}.rs", self.name).into(), solution)];
        files.extend(sample::placeholder(&self.name, "sample-1"));
        files
    }
}

/// How a person writes the problem's judge and number, and its link if the judge is a known one.
fn locate(judge: &str, number: &str) -> Result<(String, Option<String>)> {
    let upper = number.to_uppercase();
    let (example, known) = match judge {
        "boj" => {
            let title = format!("BOJ {number}");
            let link = format!("https://www.acmicpc.net/problem/{number}");
            ("2615", is_number(number).then_some((title, link)))
        }
        "jutge" => {
            let title = format!("Jutge {upper}");
            let link = format!("https://jutge.org/problems/{upper}");
            let digits = number.trim_start_matches(['p', 'x']);
            let valid = is_digits(digits) && digits.len() == 5 && number.len() == 6;
            ("P18992", valid.then_some((title, link)))
        }
        "atcoder" => {
            let (contest, task) = number.split_once('_').unwrap_or_default();
            let title = format!("AtCoder {}", upper.replace('_', " "));
            let link = format!("https://atcoder.jp/contests/{contest}/tasks/{number}");
            let valid = is_word(contest) && is_word(task);
            ("abc123_a", valid.then_some((title, link)))
        }
        "codeforces" => {
            let letter = number.find(|letter: char| !letter.is_ascii_digit());
            let (contest, index) = upper.split_at(letter.unwrap_or(0));
            let title = format!("Codeforces {upper}");
            let link = format!("https://codeforces.com/problemset/problem/{contest}/{index}");
            let valid = is_number(contest) && is_word(number);
            ("1234A", valid.then_some((title, link)))
        }
        _ => {
            ensure!(
                is_snake_case(number),
                "{number:?} cannot be the number of a problem: such a number has only letters, digits \
                 and single _ between them, like 1234"
            );
            let title = format!("{} {}", capitalised(judge), number.replace('_', " "));
            return Ok((title, None));
        }
    };
    let (title, link) = known
        .with_context(|| format!("{judge} numbers its problems like {example}, and {number:?} is not like that"))?;
    Ok((title, Some(link)))
}

fn is_number(text: &str) -> bool {
    !text.starts_with('0') && is_digits(text)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_word(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    !text.is_empty() && text.bytes().all(allowed)
}

fn is_snake_case(text: &str) -> bool {
    text.split('_').all(is_word)
}

/// The name that someone who wrote `text` may have meant.
fn snake_case(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

fn capitalised(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(judge: &str, number: &str, name: &str) -> String {
        Problem::new(judge, number, name).unwrap_err().to_string()
    }

    #[test]
    fn known_judges_have_links() {
        for (judge, number, name, link) in [
            ("boj", "2615", "boj_2615_x", "https://www.acmicpc.net/problem/2615"),
            ("BOJ", "2615", "boj_2615_x", "https://www.acmicpc.net/problem/2615"),
            ("jutge", "P18992", "jutge_p18992_x", "https://jutge.org/problems/P18992"),
            ("jutge", "18992", "jutge_p18992_x", "https://jutge.org/problems/P18992"),
            ("jutge", "x00123", "jutge_x00123_x", "https://jutge.org/problems/X00123"),
            ("atcoder", "abc123_a", "atcoder_abc123_a_x", "https://atcoder.jp/contests/abc123/tasks/abc123_a"),
            ("codeforces", "1234A", "codeforces_1234a_x", "https://codeforces.com/problemset/problem/1234/A"),
            ("codeforces", "1234a2", "codeforces_1234a2_x", "https://codeforces.com/problemset/problem/1234/A2"),
        ] {
            let problem = Problem::new(judge, number, "x").unwrap();
            assert_eq!((&*problem.name, problem.link.as_deref()), (name, Some(link)));
            assert!(problem.files()[0].1.contains(&format!("//! <{link}>:\n")));
        }
    }

    #[test]
    fn an_unknown_judge_leaves_the_link_to_the_author() {
        let problem = Problem::new("kattis", "reversi", "two_words").unwrap();
        assert_eq!((&*problem.name, problem.link.as_deref()), ("kattis_reversi_two_words", None));
        assert!(problem.files()[0].1.starts_with("//! # Kattis reversi · Two words\n//!\n//! TODO the link:\n"));
    }

    #[test]
    fn numbers_that_a_judge_does_not_have_are_refused() {
        for (judge, number) in [
            ("boj", ""),
            ("boj", "02615"),
            ("boj", "-1"),
            ("boj", "omok"),
            ("jutge", "1899"),
            ("jutge", "pp8992"),
            ("jutge", "q18992"),
            ("atcoder", "abc123"),
            ("atcoder", "abc123_"),
            ("atcoder", "abc123_a_b"),
            ("codeforces", "1234"),
            ("codeforces", "a"),
            ("codeforces", "1234/a"),
            ("codeforces", "12é"),
        ] {
            let why = refusal(judge, number, "x");
            assert!(why.contains("numbers its problems like"), "{judge} {number}: {why}");
        }
        assert!(refusal("kattis", "../x", "x").contains("cannot be the number"));
    }

    #[test]
    fn a_name_that_is_not_snake_case_comes_back_as_one() {
        for (name, better) in [
            ("Some-Name", "some_name"),
            ("some__name", "some_name"),
            ("_name.rs", "name_rs"),
            ("../omok", "omok"),
            ("오목", "some_name"),
            ("", "some_name"),
        ] {
            let why = refusal("boj", "1", name);
            assert!(why.ends_with(&format!("try {better}")), "{why}");
        }
        assert!(refusal("boj", "1", &"x".repeat(64)).contains("shorter"));
    }

    #[test]
    fn a_judge_is_one_word() {
        for judge in ["", "1boj", "bo_j", "bo-j", "../boj"] {
            assert!(refusal(judge, "1", "x").contains("name of a judge"), "{judge}");
        }
    }
}
