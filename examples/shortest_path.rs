//! The length of a shortest path from `S` to `E` on a map where `#` is a wall. A step goes to one of the four sides.

use proconio::input;
use std::collections::VecDeque;
use std::io::Write;
use stones::direction::Direction;
use stones::grid::Grid;
use stones::input::{Outcome, Tokens, Within};

fn main() {
    stones::input::run(solve);
}

/// Reads the map and prints the length, or -1 if there is no path.
pub(crate) fn solve(source: &mut Tokens, out: &mut dyn Write) -> Outcome {
    // The source is only lent by `&mut *`, so that more can be read from it.
    input! { from &mut *source, rows: Within<1, 1000>, cols: Within<1, 1000> }
    let map = Grid::read(source, rows, cols, ".#SE");
    match shortest_path(&map)? {
        Some(steps) => writeln!(out, "{}", steps)?,
        None => writeln!(out, "-1")?,
    }
    Ok(())
}

/// Squares are visited in the order of their distance, so the first visit to each is by a shortest path.
fn shortest_path(map: &Grid<char>) -> Result<Option<usize>, &'static str> {
    let start = map.find(&'S').ok_or("the map has no S")?;
    let end = map.find(&'E').ok_or("the map has no E")?;
    let mut steps = map.same_size_with(None);
    steps[start] = Some(0);
    let mut queue = VecDeque::new();
    queue.push_back((start, 0));
    while let Some((pos, distance)) = queue.pop_front() {
        for next in map.neighbours(pos, &Direction::SIDES) {
            if map[next] != '#' && steps[next].is_none() {
                steps[next] = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    Ok(steps[end])
}
