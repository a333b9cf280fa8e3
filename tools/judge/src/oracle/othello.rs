//! Othello: a plain array of letters and loops over coordinates.

use std::fmt::Write;

use super::{Answer, Refusal, Words};

/// A game on a board of letters.
#[derive(Clone, Debug)]
pub struct Game {
    side: usize,
    squares: Vec<Vec<u8>>,
    black: u8,
    white: u8,
    /// Whose move it is, unless that player has none.
    pub turn: u8,
}

impl Game {
    /// The start of a game, with the letters that stand for black and for white.
    #[must_use]
    pub fn new(side: usize, black: u8, white: u8) -> Game {
        let mut squares = vec![vec![b'.'; side]; side];
        let half = side / 2;
        squares[half - 1][half - 1] = white;
        squares[half - 1][half] = black;
        squares[half][half - 1] = black;
        squares[half][half] = white;
        Game { side, squares, black, white, turn: black }
    }

    /// The other player's letter.
    #[must_use]
    pub fn other(&self, player: u8) -> u8 {
        if player == self.black {
            self.white
        } else {
            self.black
        }
    }

    /// What stands on a square, counted from 0.
    #[must_use]
    pub fn at(&self, row: usize, col: usize) -> u8 {
        self.squares[row][col]
    }

    /// How many squares show this letter.
    #[must_use]
    pub fn count(&self, letter: u8) -> usize {
        self.squares.iter().flatten().filter(|&&square| square == letter).count()
    }

    /// The squares that a move would turn: none if it is not legal. Counted from 0.
    #[must_use]
    pub fn turned(&self, player: u8, row: usize, col: usize) -> Vec<(usize, usize)> {
        let mut turned = Vec::new();
        if self.squares[row][col] != b'.' {
            return turned;
        }
        for down in [-1, 0, 1] {
            for right in [-1, 0, 1] {
                let mut run = Vec::new();
                let (mut y, mut x) = (row, col);
                loop {
                    // One step further, unless that is off the board.
                    match (y.checked_add_signed(down), x.checked_add_signed(right)) {
                        (Some(below), Some(beside)) if below < self.side && beside < self.side => {
                            (y, x) = (below, beside);
                        }
                        _ => break,
                    }
                    if self.squares[y][x] == player {
                        turned.append(&mut run);
                    }
                    // The step (0, 0) stands still. It ends here too, since the square itself is empty.
                    if self.squares[y][x] != self.other(player) {
                        break;
                    }
                    run.push((y, x));
                }
            }
        }
        turned
    }

    /// The legal moves of a player, counted from 0.
    #[must_use]
    pub fn moves(&self, player: u8) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        for row in 0..self.side {
            for col in 0..self.side {
                if !self.turned(player, row, col).is_empty() {
                    moves.push((row, col));
                }
            }
        }
        moves
    }

    /// Makes a move on a square, counted from 0, if it is legal, and says whether it was.
    pub fn play(&mut self, player: u8, row: usize, col: usize) -> bool {
        let turned = self.turned(player, row, col);
        if turned.is_empty() {
            return false;
        }
        self.squares[row][col] = player;
        for (row, col) in turned {
            self.squares[row][col] = player;
        }
        self.turn = self.other(player);
        true
    }

    /// The board, one line per row.
    #[must_use]
    pub fn board(&self) -> String {
        let mut board = String::new();
        for row in &self.squares {
            board.extend(row.iter().copied().map(char::from));
            board.push('\n');
        }
        board
    }
}

/// The answer to an input of BOJ 15671.
///
/// # Errors
/// If the input is not a legal game without passes that somebody wins.
pub fn last_board(input: &[u8]) -> Answer {
    let mut words = Words::new(input);
    let mut game = Game::new(6, b'B', b'W');
    for _ in 0..words.number(1, 32)? {
        let (row, col) = square(&mut words, 6)?;
        if !game.play(game.turn, row, col) {
            return Err(Refusal::default());
        }
    }
    let (black, white) = (game.count(b'B'), game.count(b'W'));
    if black == white {
        return Err(Refusal::default());
    }
    let winner = if black > white { "Black" } else { "White" };
    Ok(words.answer(format!("{}{winner}\n", game.board())))
}

/// The answer to an input of Jutge P18992.
///
/// # Errors
/// If the input is not a legal game on a board with an even side. The refusal has what was printed up to the offence.
pub fn every_board(input: &[u8]) -> Answer {
    let mut words = Words::new(input);
    let mut printed = String::new();
    match replay(&mut words, &mut printed) {
        Ok(()) => Ok(words.answer(printed)),
        Err(_) => Err(Refusal { printed }),
    }
}

fn replay(words: &mut Words, printed: &mut String) -> Result<(), Refusal> {
    let side = words.number(4, 5000)?;
    if side % 2 == 1 {
        return Err(Refusal::default());
    }
    let mut game = Game::new(usize::try_from(side).expect("at most 5000"), b'N', b'B');
    loop {
        let (black, white) = (game.count(b'N'), game.count(b'B'));
        let _ = write!(printed, "{}{black}:{white}\n\n", game.board());
        let Ok(letter) = words.word() else {
            return Ok(());
        };
        let player = match letter {
            b"N" => b'N',
            b"B" => b'B',
            _ => return Err(Refusal::default()),
        };
        let (row, col) = square(words, side)?;
        // Only a player without a move is passed over.
        let out_of_turn = player != game.turn && !game.moves(game.turn).is_empty();
        if out_of_turn || !game.play(player, row, col) {
            return Err(Refusal::default());
        }
    }
}

/// Reads a square, which people count from 1, and returns it counted from 0.
fn square(words: &mut Words, side: u64) -> Result<(usize, usize), Refusal> {
    let mut coordinate =
        || -> Result<usize, Refusal> { Ok(usize::try_from(words.number(1, side)? - 1).expect("within the board")) };
    Ok((coordinate()?, coordinate()?))
}
