//! The large inputs, made from a seed so that every machine measures the same bytes.

use std::fmt::Write as _;

use fastrand::Rng;

/// A stone ring of `size` cells, three of five empty and the rest of either colour, with values up to 10^9.
///
/// `separator` stands between the numbers of a line: a blank as the judge has it, or a newline.
pub fn ring(size: usize, separator: &str) -> String {
    let mut random = Rng::with_seed(32115);
    let states: Vec<_> = (0..size).map(|_| ["0", "0", "0", "1", "2"][random.usize(..5)]).collect();
    let values: Vec<_> = (0..size).map(|_| random.u32(..=1_000_000_000).to_string()).collect();
    format!("{size}\n{}\n{}\n", states.join(separator), values.join(separator))
}

/// A random Othello game on a `size`×`size` board that fills it, with at least one pass on the way.
pub fn othello(size: usize) -> String {
    // Nearly every random game fills the board, and many have a pass.
    (0..1000)
        .map(|seed| othello_game(size, seed))
        .find(|log| {
            let mut colours: Vec<_> = log.lines().skip(1).map(|line| &line[..1]).collect();
            let moves = colours.len();
            colours.dedup();
            moves == size * size - 4 && colours.len() < moves
        })
        .expect("a full game with a pass among a thousand")
}

/// Random legal moves until neither player has one.
///
/// On purpose without the library: if that refused a legal move, the move would never be tried.
fn othello_game(size: usize, seed: u64) -> String {
    const EMPTY: u8 = b'.';
    let mut random = Rng::with_seed(seed);
    // A border all round ends every run, so that a step needs no bounds check.
    let stride = size + 2;
    let mut board = vec![b'#'; stride * stride];
    for row in board.chunks_mut(stride).skip(1).take(size) {
        row[1..=size].fill(EMPTY);
    }
    let steps = [1, stride - 1, stride, stride + 1].map(|step| [step, step.wrapping_neg()]);
    let steps = steps.as_flattened();
    let along = |cell: usize, step: usize, distance| cell.wrapping_add(step.wrapping_mul(distance));
    // The empty squares beside a disc: on no other square is a move legal.
    let mut frontier = Vec::new();
    let place = |board: &mut [u8], frontier: &mut Vec<usize>, cell, disc| {
        board[cell] = disc;
        frontier.retain(|&known| known != cell);
        for &step in steps {
            let next = along(cell, step, 1);
            if board[next] == EMPTY && !frontier.contains(&next) {
                frontier.push(next);
            }
        }
    };
    let centre = size / 2 * (stride + 1);
    for (offset, disc) in [(0, b'B'), (1, b'N'), (stride, b'N'), (stride + 1, b'B')] {
        place(&mut board, &mut frontier, centre + offset, disc);
    }

    let mut log = format!("{size}\n");
    let (mut mover, mut other) = (b'N', b'B');
    let mut passed = false;
    loop {
        // How many discs turn from `cell` along `step`.
        let run = |board: &[u8], cell, step| {
            let at = |distance| board[along(cell, step, distance)];
            let end = (1..stride).find(|&distance| at(distance) != other);
            end.filter(|&end| at(end) == mover).map_or(0, |end| end - 1)
        };
        random.shuffle(&mut frontier);
        let legal = |&&cell: &&usize| steps.iter().any(|&step| run(&board, cell, step) > 0);
        let chosen = frontier.iter().find(legal).copied();
        if let Some(cell) = chosen {
            for &step in steps {
                for distance in 1..=run(&board, cell, step) {
                    board[along(cell, step, distance)] = mover;
                }
            }
            place(&mut board, &mut frontier, cell, mover);
            let (row, column) = (cell / stride, cell % stride);
            writeln!(log, "{} {row} {column}", char::from(mover)).expect("a string takes all");
        } else if passed {
            return log;
        }
        passed = chosen.is_none();
        (mover, other) = (other, mover);
    }
}

#[cfg(test)]
mod tests {
    use super::{othello, ring};

    #[test]
    fn the_same_size_gives_the_same_input() {
        assert_eq!(ring(100, " "), ring(100, " "));
        assert_eq!(othello(8), othello(8));
    }

    #[test]
    fn separators_are_all_that_layouts_differ_in() {
        let words = |input: String| input.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(ring(100, " ")), words(ring(100, "\n")));
        assert_eq!(words(ring(100, " ")).len(), 201);
    }

    #[test]
    fn a_game_takes_every_square_once() {
        let game = othello(8);
        let mut squares: Vec<_> = game.lines().skip(1).map(|line| &line[2..]).collect();
        squares.sort_unstable();
        squares.dedup();
        assert_eq!(squares.len(), 60);
    }
}
