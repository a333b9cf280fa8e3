//! What must hold of the library whatever the input: on every small board, in every reachable 4×4 game, under every
//! symmetry of the square.

use std::collections::HashSet;
use std::panic::catch_unwind;

use itertools::Itertools;
use judge::check;
use judge::generate::othello;
use judge::oracle::othello::Game;
use proptest::prelude::*;
use stones::direction::Direction;
use stones::grid::{Grid, Pos};
use stones::othello::Board;
use stones::stone::Stone;

/// Every board of up to five rows and columns, each cell with a number of its own.
fn small_grids() -> impl Iterator<Item = (isize, isize, Grid<isize>)> {
    (1..=5).flat_map(|rows| {
        (1..=5).map(move |cols| (rows, cols, Grid::from_cells(cols as usize, (0..rows * cols).collect())))
    })
}

/// Every square of such a board, and two rows and columns around it.
fn around(rows: isize, cols: isize) -> impl Iterator<Item = Pos> {
    (-2..rows + 2).flat_map(move |row| (-2..cols + 2).map(move |col| Pos { row, col }))
}

#[test]
fn each_of_the_eight_directions_is_an_eighth_turn_from_the_one_before() {
    for (number, direction) in Direction::ALL.into_iter().enumerate() {
        let (down, right) = direction.offset();
        let (next_down, next_right) = Direction::ALL[(number + 1) % 8].offset();
        assert!(down.abs().max(right.abs()) == 1);
        // The next step is an eighth turn to the right of this one. Rows grow downwards, so the cross product of the
        // two is 1 and not -1.
        assert_eq!(right * next_down - down * next_right, 1, "{direction:?}");
    }
}

#[test]
fn the_way_back_is_four_eighth_turns_away_and_the_way_back_of_that_is_the_first_way() {
    for (number, direction) in Direction::ALL.into_iter().enumerate() {
        let (down, right) = direction.offset();
        assert_eq!(direction.opposite(), Direction::ALL[(number + 4) % 8]);
        assert_eq!(direction.opposite().opposite(), direction);
        assert_eq!(direction.opposite().offset(), (-down, -right));
    }
}

#[test]
fn of_each_way_and_its_way_back_one_is_an_axis() {
    for direction in Direction::ALL {
        let axis = Direction::AXES.contains(&direction);
        assert_ne!(axis, Direction::AXES.contains(&direction.opposite()));
        // An axis starts at the leftmost square, or at the topmost of a column.
        let (down, right) = direction.offset();
        assert_eq!(axis, (right, down) > (0, 0));
    }
}

#[test]
fn a_step_there_and_back_again_leads_nowhere() {
    for pos in around(5, 5) {
        for direction in Direction::ALL {
            assert_ne!(pos + direction, pos);
            assert_eq!(pos + direction + direction.opposite(), pos);
        }
    }
}

#[test]
fn positions_can_be_cloned_to_make_every_pair_of_squares() {
    for (rows, cols, grid) in small_grids() {
        let squares = rows * cols;
        assert_eq!(grid.positions().array_combinations::<2>().count() as isize, squares * (squares - 1) / 2);
    }
}

#[test]
fn the_neighbours_are_the_squares_of_the_board_one_step_away() {
    for (_, _, grid) in small_grids() {
        for pos in grid.positions() {
            let near = |most: isize| {
                let steps = move |other: &Pos| (other.row - pos.row).abs().max((other.col - pos.col).abs());
                let sides = move |other: &Pos| (other.row - pos.row).abs() + (other.col - pos.col).abs();
                grid.positions().filter(move |other| steps(other) == 1 && sides(other) <= most).collect::<HashSet<_>>()
            };
            assert_eq!(grid.neighbours(pos, &Direction::SIDES).collect::<HashSet<_>>(), near(1));
            assert_eq!(grid.neighbours(pos, &Direction::ALL).collect::<HashSet<_>>(), near(2));
        }
    }
}

#[test]
fn a_ray_reaches_the_edge_from_every_square_in_every_direction() {
    for (rows, cols, grid) in small_grids() {
        for pos in grid.positions() {
            for direction in Direction::ALL {
                let (down, right) = direction.offset();
                let room = |step, at, side| match step {
                    -1 => at,
                    0 => isize::MAX,
                    _ => side - 1 - at,
                };
                let length = room(down, pos.row, rows).min(room(right, pos.col, cols));
                let expected = (1..=length).map(|step| Pos { row: pos.row + down * step, col: pos.col + right * step });
                assert!(grid.ray(pos, direction).eq(expected), "{pos:?} {direction:?}");
            }
        }
    }
}

#[test]
fn a_cell_is_found_on_the_board_and_nowhere_else_whichever_way_it_is_asked_for() {
    for (rows, cols, grid) in small_grids() {
        for pos in around(rows, cols) {
            let Pos { row, col } = pos;
            let on_board = (0..rows).contains(&row) && (0..cols).contains(&col);
            let expected = on_board.then_some(row * cols + col);
            assert_eq!(grid.get(pos).copied(), expected);
            assert_eq!(grid.positions().any(|other| other == pos), on_board);
            if on_board {
                assert_eq!(Some(grid[pos]), expected);
                let mut changed = grid.clone();
                changed[pos] = -1;
                let differing = grid.positions().filter(|&other| grid[other] != changed[other]);
                assert!(differing.eq([pos]));
            } else if (rows, cols) == (2, 3) {
                // One board is enough: every panic leaves its trace in the output.
                assert!(catch_unwind(|| grid[pos]).is_err());
                assert!(catch_unwind(|| grid.clone()[pos] = -1).is_err());
            }
        }
        let letter = |&cell: &isize| b'a' + u8::try_from(cell).expect("a small board");
        let text = grid.text(letter);
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        assert!(lines.clone().all(|line| line.len() == cols as usize + 1));
        let letters = lines.flat_map(|line| &line[..line.len() - 1]);
        assert!(grid.positions().map(|pos| letter(&grid[pos])).eq(letters.copied()));
    }
}

fn letter(square: Option<Stone>) -> u8 {
    match square {
        None => b'.',
        Some(Stone::Black) => b'N',
        Some(Stone::White) => b'B',
    }
}

fn stone(letter: u8) -> Stone {
    if letter == b'N' {
        Stone::Black
    } else {
        Stone::White
    }
}

/// Compares a position with the oracle's in all that can be asked of it, every legal and illegal move included.
fn assert_same(board: &Board, game: &Game) {
    for pos in board.squares().positions() {
        let (row, col) = (pos.row as usize, pos.col as usize);
        assert_eq!(letter(board.squares()[pos]), game.at(row, col));
        for player in [b'N', b'B'] {
            let mut after = board.clone();
            let mut expected = game.turned(player, row, col);
            match after.play(stone(player), pos) {
                Err(_) => {
                    assert!(expected.is_empty());
                    assert_eq!(after.squares(), board.squares());
                }
                Ok(turned) => {
                    let mut turned: Vec<_> = turned.iter().map(|pos| (pos.row as usize, pos.col as usize)).collect();
                    turned.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(turned, expected);
                    // One disc more, and at least one turned; nothing else comes or goes.
                    let (mine, theirs) = (stone(player), stone(player).opponent());
                    assert!(!turned.is_empty());
                    assert_eq!(after.count(mine), board.count(mine) + turned.len() + 1);
                    assert_eq!(after.count(theirs) + turned.len(), board.count(theirs));
                }
            }
        }
    }
    for player in [b'N', b'B'] {
        assert_eq!(board.count(stone(player)), game.count(player));
        assert_eq!(board.can_move(stone(player)), !game.moves(player).is_empty());
    }
    let squares = || board.squares().positions().map(|pos| board.squares()[pos]);
    let empty = squares().filter(Option::is_none).count();
    assert_eq!(board.count(Stone::Black) + board.count(Stone::White) + empty, squares().count());
}

#[test]
fn every_position_of_every_4x4_game_agrees_with_the_oracle() {
    let mut unseen = vec![(Board::new(4), Game::new(4, b'N', b'B'))];
    let mut seen = HashSet::new();
    let mut ends = 0;
    while let Some((board, game)) = unseen.pop() {
        if !seen.insert((game.board(), game.turn)) {
            continue;
        }
        assert_same(&board, &game);
        let mut player = game.turn;
        if game.moves(player).is_empty() {
            player = game.other(player);
        }
        let moves = game.moves(player);
        ends += usize::from(moves.is_empty());
        for (row, col) in moves {
            let (mut board, mut game) = (board.clone(), game.clone());
            let pos = Pos { row: row as isize, col: col as isize };
            board.play(stone(player), pos).unwrap();
            game.play(player, row, col);
            unseen.push((board, game));
        }
    }
    let positions = seen.len();
    println!("checked: othello: {positions} positions, all of the 4×4 game, {ends} of them final");
}

fn side(log: &str) -> usize {
    log.lines().next().unwrap().parse().unwrap()
}

/// The moves of a generated game: player, row and column, counted from 0.
fn moves(log: &str) -> Vec<(Stone, isize, isize)> {
    let words: Vec<_> = log.split_whitespace().collect();
    let number = |word: &str| word.parse::<isize>().unwrap() - 1;
    words[1..].chunks(3).map(|word| (stone(word[0].as_bytes()[0]), number(word[1]), number(word[2]))).collect()
}

#[test]
fn turning_and_mirroring_a_game_turns_and_mirrors_its_boards() {
    check::random(500, othello(), |log| {
        let side = side(&log);
        let last = side as isize - 1;
        for symmetry in 0..8 {
            let image = |row: isize, col: isize| {
                let (row, col) = if symmetry & 1 == 0 { (row, col) } else { (col, row) };
                let row = if symmetry & 2 == 0 { row } else { last - row };
                let col = if symmetry & 4 == 0 { col } else { last - col };
                Pos { row, col }
            };
            // If exactly one axis is mirrored, the two diagonals of the start change places, and so the colours are
            // swapped.
            let colour = |stone: Stone| {
                if matches!(symmetry & 6, 2 | 4) {
                    stone.opponent()
                } else {
                    stone
                }
            };
            let mut board = Board::new(side);
            let mut reflected = Board::new(side);
            for (stone, row, col) in moves(&log) {
                let turned = board.play(stone, Pos { row, col }).unwrap().len();
                let turned_there = reflected.play(colour(stone), image(row, col));
                prop_assert_eq!(turned_there.map(<[Pos]>::len), Ok(turned));
                for pos in board.squares().positions() {
                    let there = reflected.squares()[image(pos.row, pos.col)];
                    prop_assert_eq!(board.squares()[pos].map(colour), there);
                }
                prop_assert_eq!(board.can_move(stone), reflected.can_move(colour(stone)));
            }
        }
        Ok(())
    });
    println!("checked: othello: 500 random games under 8 symmetries; some of these swap the colours");
}

#[test]
fn random_games_agree_with_the_oracle_move_by_move_and_reach_full_boards_and_passes() {
    let full = std::cell::Cell::new(0);
    let passes = std::cell::Cell::new(0);
    check::random(500, othello(), |log| {
        let side = side(&log);
        let (mut board, mut game) = (Board::new(side), Game::new(side, b'N', b'B'));
        for (stone, row, col) in moves(&log) {
            assert_same(&board, &game);
            let player = letter(Some(stone));
            passes.set(passes.get() + usize::from(player != game.turn));
            board.play(stone, Pos { row, col }).unwrap();
            game.play(player, row as usize, col as usize);
        }
        assert_same(&board, &game);
        full.set(full.get() + usize::from(game.count(b'.') == 0));
        Ok(())
    });
    let (full, passes) = (full.get(), passes.get());
    assert!(full > 0 && passes > 0, "{full} full boards, {passes} passes");
    println!("checked: othello: 500 random games move by move, {full} full boards, {passes} passes");
}
