//! The stone ring: the real game, played out in every way. Long rings are answered by a short cut.

use std::collections::HashMap;

use super::{Answer, Words};

/// Rings up to this length are answered by playing the game out, longer ones by distance.
pub const MOST_CELLS: usize = 10;

/// The answer to an input of BOJ 32115.
///
/// # Errors
/// If the input is not a ring.
pub fn answer(input: &[u8]) -> Answer {
    let mut words = Words::new(input);
    let cells = words.number(3, 200_000)?;
    let states: Vec<u64> = (0..cells).map(|_| words.cell()).collect::<Result<_, _>>()?;
    let values: Vec<u64> = (0..cells).map(|_| words.number(0, 1_000_000_000)).collect::<Result<_, _>>()?;
    let (black, white) =
        if states.len() <= MOST_CELLS { by_playing(&states, &values) } else { by_distance(&states, &values) };
    Ok(words.answer(format!("{black} {white}\n")))
}

/// Both scores under best play, from the rules of the game alone: every order of moves is tried.
#[must_use]
pub fn by_playing(states: &[u64], values: &[u64]) -> (u64, u64) {
    let [_, black, white] = best(states.to_vec(), 1, values, &mut HashMap::new());
    (black, white)
}

/// The final scores, at the index of each player's number, when `player` is to move.
fn best(states: Vec<u64>, player: u64, values: &[u64], known: &mut HashMap<(Vec<u64>, u64), [u64; 3]>) -> [u64; 3] {
    let key = (states, player);
    if let Some(&scores) = known.get(&key) {
        return scores;
    }
    let states = &key.0;
    let opponent = 3 - player;
    let me = if player == 1 { 1 } else { 2 };
    let scores = if let Some(scores) = moves(states, player)
        .into_iter()
        .map(|cell| {
            let mut after = states.clone();
            after[cell] = player;
            best(after, opponent, values, known)
        })
        .max_by_key(|scores| scores[me])
    {
        scores
    } else if !moves(states, opponent).is_empty() {
        best(states.clone(), opponent, values, known)
    } else {
        let sum = |player| {
            let cells = states.iter().zip(values);
            cells.filter(|(&state, _)| state == player).map(|(_, value)| value).sum()
        };
        [0, sum(1), sum(2)]
    };
    known.insert(key, scores);
    scores
}

/// The empty cells next to a stone of the player.
fn moves(states: &[u64], player: u64) -> Vec<usize> {
    let cells = states.len();
    (0..cells)
        .filter(|&cell| {
            let before = states[(cell + cells - 1) % cells];
            let after = states[(cell + 1) % cells];
            states[cell] == 0 && (before == player || after == player)
        })
        .collect()
}

/// The same by a short cut, for rings too long to play out: a cell goes to the colour of the nearest stone, and the
/// cells that are as near to black as to white are taken in turns, the most valuable first. Black begins.
///
/// `every_small_ring_is_divided_by_distance` shows for small rings that best play leads to this.
#[must_use]
pub fn by_distance(states: &[u64], values: &[u64]) -> (u64, u64) {
    let cells = states.len();
    let mut scores = [0, 0, 0];
    let mut contested = Vec::new();
    for cell in 0..cells {
        let near = (0..cells)
            .map(|steps| (states[(cell + steps) % cells], states[(cell + cells - steps) % cells]))
            .find(|&(one, other)| one != 0 || other != 0);
        match near {
            None => {}
            Some((1 | 0, 1) | (1, 0)) => scores[1] += values[cell],
            Some((2 | 0, 2) | (2, 0)) => scores[2] += values[cell],
            Some(_) => contested.push(values[cell]),
        }
    }
    contested.sort_unstable();
    for (taken, value) in contested.iter().rev().enumerate() {
        scores[1 + taken % 2] += value;
    }
    (scores[1], scores[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every list of `length` numbers below `base`.
    fn lists(base: u64, length: usize) -> impl Iterator<Item = Vec<u64>> {
        let count = base.pow(u32::try_from(length).unwrap());
        (0..count).map(move |number| {
            let mut rest = number;
            (0..length)
                .map(|_| {
                    let digit = rest % base;
                    rest /= base;
                    digit
                })
                .collect()
        })
    }

    #[test]
    fn every_small_ring_is_divided_by_distance() {
        let mut rings = 0;
        // Up to 5 cells with all values from 0 to 2, longer rings with two lists of powers of two.
        for length in 3..=5 {
            for states in lists(3, length) {
                for values in lists(3, length) {
                    assert_eq!(by_playing(&states, &values), by_distance(&states, &values));
                    rings += 1;
                }
            }
        }
        for length in 6..=9 {
            let rising: Vec<u64> = (0..length).map(|cell| 1 << cell).collect();
            let mixed: Vec<u64> = (0..length).map(|cell| 1 << (cell * 4 % length)).collect();
            for states in lists(3, length) {
                for values in [&rising, &mixed] {
                    assert_eq!(by_playing(&states, values), by_distance(&states, values));
                    rings += 1;
                }
            }
        }
        println!("checked: boj_32115_stone_ring: {rings} small rings, one oracle against the other");
    }
}
