//! Holds the worked example of the library's documentation to a brute force.

#[allow(dead_code, reason = "its main")]
#[path = "../examples/shortest_path.rs"]
mod shortest_path;

use judge::check;
use judge::run::Outcome;
use proptest::prelude::*;
use stones::input::attempt;

fn answer(input: &[u8]) -> Outcome {
    check::buffered(input, |reader, out| attempt(shortest_path::solve, reader, out))
}

/// In each round the reached squares spread by one step, until `E` is reached or there were more rounds than squares.
fn spread(input: &str) -> String {
    let map: Vec<Vec<char>> = input.lines().skip(1).map(|line| line.chars().collect()).collect();
    let squares: Vec<(usize, usize)> =
        (0..map.len()).flat_map(|row| (0..map[row].len()).map(move |col| (row, col))).collect();
    let mut reached = vec![vec![false; map[0].len()]; map.len()];
    for steps in 0..=squares.len() {
        let before = reached.clone();
        for &(row, col) in &squares {
            let near = squares.iter().any(|&(y, x)| before[y][x] && y.abs_diff(row) + x.abs_diff(col) == 1);
            let start = steps == 0 && map[row][col] == 'S';
            reached[row][col] |= start || (near && map[row][col] != '#');
            if reached[row][col] && map[row][col] == 'E' {
                return format!("{steps}\n");
            }
        }
    }
    "-1\n".to_owned()
}

#[test]
fn shortest_paths_are_those_of_the_brute_force() {
    let maps = (1..=5_usize, 2..=5_usize).prop_flat_map(|(rows, cols)| {
        let letters = proptest::collection::vec(prop::sample::select(vec!['.', '.', '#']), rows * cols);
        let ends = Just((0..rows * cols).collect::<Vec<_>>()).prop_shuffle();
        (letters, ends).prop_map(move |(mut letters, ends)| {
            letters[ends[0]] = 'S';
            letters[ends[1]] = 'E';
            let lines = letters.chunks(cols).map(|line| line.iter().collect::<String>() + "\n");
            format!("{rows} {cols}\n{}", lines.collect::<String>())
        })
    });
    check::brute_force("shortest_path", maps, spread, answer);
}

#[test]
fn a_map_that_is_not_whole_is_refused_with_its_place() {
    for (input, message) in [
        ("2 2\nS.\nE", "error: line 3, column 1: expected a row of 2 letters, found \"E\"\n"),
        ("2 2\nS.\n.x", "error: line 3, column 2: expected one of the letters \".#SE\", found \"x\"\n"),
        ("1 2\nS.", "error: line 2, column 1: the map has no E\n"),
    ] {
        assert_eq!(String::from_utf8_lossy(&answer(input.as_bytes()).stderr), message);
    }
}
