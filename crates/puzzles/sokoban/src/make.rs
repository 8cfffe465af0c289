//! Makes solvable levels: rooms with random walls, whose boxes are pulled away from the goals.

use super::board::{Board, Cell, DIRS, Dir};
use super::kind::Sokoban;
use beeline_puzzle::puzzle::{Job, Puzzle};
use beeline_puzzle::recipe::{Made, Measure, NotMade, Recipe, Scale, Trial};
use beeline_search::Random;

/// Expansions per candidate; a level that takes more is rejected, so that making one stays quick.
const MOST_EXPANSIONS: u64 = 60_000;
/// Expansions over all candidates: thousands of small levels, or a few seconds of large ones.
const MOST_EXPANSIONS_IN_ALL: u64 = 4_000_000;
/// A person solves a level of a dozen moves at sight. Of 200 usual candidates one takes 30 moves.
const SCALE: Scale =
    Scale { least: 3, medium: Measure { plan: 12, effort: 5 }, hard: Measure { plan: 30, effort: 50 } };
/// Default size, outer walls included.
const DEFAULT_SIZE: (usize, usize) = (8, 7);

/// Makes a level for a recipe. An unsolvable level has its boxes placed at random.
pub(super) fn recipe(recipe: &Recipe) -> Result<Made, NotMade> {
    recipe.refuse("sokoban", true, true, false)?;
    let ((width, height), boxes) = (recipe.size_or(DEFAULT_SIZE), recipe.pieces.unwrap_or(3));
    let trial = Trial {
        job: Job::default(),
        expansions: MOST_EXPANSIONS,
        expansions_in_all: MOST_EXPANSIONS_IN_ALL,
        scale: SCALE,
    };
    recipe.select(&trial, |random, _| {
        let seed = random.bits();
        let level = |board: Board| -> Box<dyn Puzzle> {
            if !recipe.unsolvable {
                return Box::new(Sokoban::new(board));
            }
            let mut squares: Vec<u16> =
                (0..board.squares() as u16).filter(|&s| s != board.player()).collect();
            random.shuffle(&mut squares);
            squares.truncate(board.boxes().len());
            squares.sort_unstable();
            Box::new(Sokoban::new(board.with(board.player(), &squares)))
        };
        Ok(make(width, height, boxes, seed).map(level))
    })
}

/// A number below `sides`, or 0 if that is 0. It takes the remainder instead of calling [`Random::below`], so
/// that seeds keep making the same levels.
fn below(random: &mut Random, sides: usize) -> usize {
    (random.bits() % sides.max(1) as u64) as usize
}

/// A solvable level of at most this size (outer walls included) with this many boxes. `None` if the size has
/// no room for it.
pub fn make(width: usize, height: usize, boxes: usize, seed: u64) -> Option<Board> {
    if !(4..=200).contains(&width) || !(4..=200).contains(&height) || boxes == 0 {
        return None;
    }
    let mut random = Random::new(seed);
    (0..200).find_map(|_| attempt(width, height, boxes, &mut random))
}

fn attempt(width: usize, height: usize, boxes: usize, random: &mut Random) -> Option<Board> {
    let mut cells = vec![Cell::WALL; width * height];
    for row in 1..height - 1 {
        for column in 1..width - 1 {
            if below(random, 6) > 0 {
                cells[row * width + column] = Cell::FLOOR;
            }
        }
    }
    let open: Vec<usize> = (0..cells.len()).filter(|&c| !cells[c].wall).collect();
    if open.len() < boxes + 2 {
        return None;
    }
    let player = open[below(random, open.len())];
    cells[player].player = true;
    for _ in 0..boxes {
        let at = open[below(random, open.len())];
        if at == player || cells[at].boxed {
            return None;
        }
        cells[at].goal = true;
        cells[at].boxed = true;
    }
    let solved = Board::new(width, cells).ok()?;
    if solved.boxes().len() != boxes {
        return None;
    }
    scramble(&solved, random)
}

/// Walks backwards from the solved position and pulls boxes along.
fn scramble(board: &Board, random: &mut Random) -> Option<Board> {
    let mut player = board.player();
    let mut boxed = vec![false; board.squares()];
    for &at in board.boxes() {
        boxed[at as usize] = true;
    }
    let free = |boxed: &[bool], at: u16| at != super::board::NOWHERE && !boxed[at as usize];
    let mut dir = DIRS[below(random, 4)];
    for _ in 0..40 * board.squares() {
        // The direction changes in one step of three. A box can only be pulled in a straight line.
        if below(random, 3) == 0 {
            dir = DIRS[below(random, 4)];
        }
        let to = board.next(player, dir);
        if !free(&boxed, to) {
            continue;
        }
        let behind: u16 = board.next(player, Dir::back(dir));
        if below(random, 4) > 0 && behind != super::board::NOWHERE && boxed[behind as usize] {
            boxed[behind as usize] = false;
            boxed[player as usize] = true;
        }
        player = to;
    }
    let places: Vec<u16> = (0..board.squares() as u16).filter(|&s| boxed[s as usize]).collect();
    let moved = places.iter().any(|&b| !board.is_goal(b));
    moved.then(|| board.with(player, &places))
}
