//! The figures in the README's table of problems.

use judge::cases::discover;

use crate::{paste, read, root};

/// The binary that a row of the table is about, if the line is one.
#[must_use]
pub fn problem(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix('|')?.split_once("](src/bin/")?;
    rest.split_once(".rs)").map(|(binary, _)| binary)
}

/// The binaries that have a row.
#[must_use]
pub fn problems(readme: &str) -> Vec<String> {
    readme.lines().filter_map(problem).map(str::to_owned).collect()
}

/// Bytes in thousands, with one digit after the point: 13 303 bytes are 13.3 KB.
#[must_use]
pub fn kilobytes(bytes: usize) -> String {
    let tenths = (bytes + 50) / 100;
    format!("{}.{} KB", tenths / 10, tenths % 10)
}

/// A row with the figures of today: the size of the paste, the number of cases, and what `cargo speed` has measured.
///
/// # Errors
/// What `cargo paste` said when it refused.
pub fn refreshed(row: &str) -> Result<String, String> {
    let Some(binary) = problem(row) else { return Ok(row.to_owned()) };
    let (cases, _) = discover(&root()).map_err(|error| error.to_string())?;
    let cases = cases.iter().filter(|case| case.binary == binary).count();
    let [instructions, time] = measured(&read("docs/speed.md"), binary);
    let figures = [kilobytes(paste(binary, &[])?.text.len()), cases.to_string(), instructions, time];
    let mut cells: Vec<String> = row.split('|').map(str::to_owned).collect();
    // The last cell is the empty one after the last bar.
    let first = cells.len() - 1 - figures.len();
    for (cell, figure) in cells[first..].iter_mut().zip(figures) {
        *cell = format!(" {figure} ");
    }
    Ok(cells.join("|"))
}

/// The instructions of the release build on the first of the binary's inputs, in multiples of the floor, and its
/// shortest time, as far as the page of `cargo speed` has them.
fn measured(page: &str, binary: &str) -> [String; 2] {
    let mut rows = page.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let work = format!("{binary},");
    let ours =
        |cells: &Vec<&str>| cells.len() == 10 && cells[1].starts_with(&work) && cells[2] == "**Stones**, release";
    match rows.find(ours) {
        Some(cells) => [cells[4].to_owned(), format!("{} ms", cells[5])],
        None => ["–", "–"].map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_rounded_to_the_nearest_tenth() {
        assert_eq!(kilobytes(13_303), "13.3 KB");
        assert_eq!(kilobytes(16_384), "16.4 KB");
        assert_eq!(kilobytes(12_950), "13.0 KB");
    }

    #[test]
    fn a_row_is_known_by_its_link_to_a_source() {
        assert_eq!(problem("| [x](src/bin/boj_2615_omok.rs) | 1 |"), Some("boj_2615_omok"));
        assert_eq!(problem("| [x](src/lib.rs) | 1 |"), None);
        assert_eq!(problem("see [x](src/bin/boj_2615_omok.rs)"), None);
    }

    #[test]
    fn the_figures_of_a_longer_name_are_not_taken() {
        let row = |binary, times, time| {
            format!("| {binary}, `a` | **Stones**, release | 1 | {times} | {time} | 1.0 | 1 | 1.0 |\n")
        };
        let page = row("boj_1_x2", "2.00×", "2.0") + &row("boj_1_x", "3.00×", "3.0");
        assert_eq!(measured(&page, "boj_1_x"), ["3.00×", "3.0 ms"]);
        assert_eq!(measured(&page, "boj_1"), ["–", "–"]);
    }
}
