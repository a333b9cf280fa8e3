//! A new problem: its name, made from its judge, its number there and a name, and the files that it starts with.

use crate::package::NewFile;
use crate::sample;
use anyhow::{Result, bail, ensure};

const SOLUTION: &str = include_str!("../template/solution.rs");

/// The name of a file has its limits, and so has the patience of whoever types it.
const LONGEST_NAME: usize = 64;

/// A problem as its judge knows it, and as this package does.
#[derive(Debug)]
pub struct Problem {
    /// The one name of its binary, its file and its test data, such as `boj_2615_omok`.
    pub name: String,
    /// Where its statement is, if the judge is a known one.
    pub link: Option<String>,
    title: String,
}

impl Problem {
    /// The problem `number` of `judge`, to be called `name`.
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
        let number = number.to_lowercase();
        ensure!(
            is_word(&judge) && judge.starts_with(|first: char| first.is_ascii_alphabetic()),
            "{judge:?} cannot be the name of a judge: that is one word of letters and digits, such as boj"
        );
        if !is_snake_case(name) {
            let better = snake_case(name);
            let hint = if better.is_empty() { "some_name" } else { &better };
            bail!(
                "{name:?} cannot be the name of a problem: that is lower-case letters and digits, with a single _ \
                 between words; try {hint}"
            );
        }
        let known = Known::new(&judge, &number)?;
        let full_name = format!("{judge}_{}_{name}", known.number);
        ensure!(
            full_name.len() <= LONGEST_NAME,
            "{full_name} has {} letters, and {LONGEST_NAME} are enough; choose a shorter name",
            full_name.len()
        );
        Ok(Problem {
            name: full_name,
            link: known.link,
            title: format!("{} · {}", known.title, capitalised(&name.replace('_', " "))),
        })
    }

    /// The files that it starts with: the solution, which is a placeholder, and a sample that it passes.
    #[must_use]
    pub fn files(&self) -> Vec<NewFile> {
        let link = match &self.link {
            Some(link) => format!("<{link}>"),
            None => "TODO: the link".to_owned(),
        };
        let solution = SOLUTION
            .replace("{title}", &self.title)
            .replace("<{link}>", &link);
        let mut files = vec![(format!("src/bin/{}.rs", self.name).into(), solution)];
        files.extend(sample::placeholder(&self.name, "sample-1"));
        files
    }
}

/// What a judge's number stands for.
struct Known {
    /// As in the name of the binary.
    number: String,
    /// As a person writes it.
    title: String,
    link: Option<String>,
}

impl Known {
    fn new(judge: &str, number: &str) -> Result<Known> {
        let upper = number.to_uppercase();
        let (title, link) = match judge {
            "boj" => {
                ensure!(
                    is_number(number),
                    "boj has plain numbers, such as 2615; {number:?} is none"
                );
                (
                    format!("BOJ {number}"),
                    format!("https://www.acmicpc.net/problem/{number}"),
                )
            }
            "jutge" => {
                let digits = number.strip_prefix(['p', 'x']).unwrap_or(number);
                ensure!(
                    is_digits(digits) && digits.len() == 5,
                    "jutge has numbers of five digits, such as P18992; {number:?} is none"
                );
                if digits == number {
                    return Known::new(judge, &format!("p{number}"));
                }
                (
                    format!("Jutge {upper}"),
                    format!("https://jutge.org/problems/{upper}"),
                )
            }
            "atcoder" => {
                let Some((contest, task)) = number
                    .split_once('_')
                    .filter(|(contest, task)| is_word(contest) && is_word(task))
                else {
                    bail!("atcoder has numbers such as abc123_a, contest and task; {number:?} is none");
                };
                (
                    format!("AtCoder {} {}", contest.to_uppercase(), task.to_uppercase()),
                    format!("https://atcoder.jp/contests/{contest}/tasks/{number}"),
                )
            }
            "codeforces" => {
                let index = upper.trim_start_matches(|c: char| c.is_ascii_digit());
                let contest = &upper[..upper.len() - index.len()];
                ensure!(
                    is_number(contest)
                        && is_word(number)
                        && index.starts_with(|first: char| first.is_ascii_uppercase()),
                    "codeforces has numbers such as 1234A, contest and letter; {number:?} is none"
                );
                (
                    format!("Codeforces {upper}"),
                    format!("https://codeforces.com/problemset/problem/{contest}/{index}"),
                )
            }
            _ => {
                ensure!(
                    is_snake_case(number),
                    "{number:?} cannot be the number of a problem: that is letters and digits, such as 1234 or p1234"
                );
                return Ok(Known {
                    number: number.to_owned(),
                    title: format!("{} {}", capitalised(judge), number.replace('_', " ")),
                    link: None,
                });
            }
        };
        Ok(Known {
            number: number.to_owned(),
            title,
            link: Some(link),
        })
    }
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
