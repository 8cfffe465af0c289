//! Generates boards: random ones, random walks, and boards at an exact distance from the goal.

use beeline_search::budget::Meter;
use beeline_search::census::{UNREACHED, distances};
use beeline_search::{Random, Ranked};

use super::board::{Board, Goal};
use super::{Sliding, TilesPuzzle};
use beeline_puzzle::puzzle::{Job, Puzzle};
use beeline_puzzle::recipe::{Hardness, Made, Measure, NotMade, Recipe, Scale, Spending, Trial};

/// Expansions above which a board is skipped.
const MOST_EXPANSIONS: u64 = 20_000_000;
/// Expansions for all candidates together: a quarter of a minute to a minute.
const MOST_EXPANSIONS_IN_ALL: u64 = 100_000_000;
/// Squares above which boards come from walks: the distance of a random one is unknown.
const LARGEST_AT_RANDOM: usize = 16;
/// Most squares of boards that are enumerated completely for a required distance: 1,814,400 boards of 2 x 5.
const LARGEST_WHOLE: usize = 10;

/// A board that fits the recipe.
pub(super) fn make(recipe: &Recipe) -> Result<Made, NotMade> {
    recipe.refuse("tiles", false, true, true)?;
    let (rows, columns) = recipe.size_or((4, 4));
    let solved = Board::solved(rows, columns, Goal::BlankFirst);
    let solved = solved.ok_or("a board of tiles has 2 to 6 rows and columns")?;
    let trial = Trial {
        job: job(&solved),
        expansions: MOST_EXPANSIONS,
        expansions_in_all: MOST_EXPANSIONS_IN_ALL,
        scale: scale(&solved),
    };
    if let Some(distance) = recipe.distance.filter(|_| solved.squares() <= LARGEST_WHOLE) {
        let mut there = Some(at_distance(&solved, distance, recipe)?);
        return recipe.select(&trial, |_, _| Ok(there.take()));
    }
    let walk = match (recipe.walk, recipe.distance) {
        (Some(steps), _) => Some(steps),
        (None, _) if solved.squares() <= LARGEST_AT_RANDOM => None,
        (None, Some(distance)) => Some(2 * distance + 10),
        (None, None) => Some(usual_walk(recipe.hardness)),
    };
    recipe.select(&trial, |random, _| {
        Ok(match walk {
            _ if recipe.unsolvable => scattered(&solved, false, random),
            Some(steps) => Some(walked(&solved, steps, random)),
            None => scattered(&solved, true, random),
        })
    })
}

/// Random steps from the goal on a large board: twice as many as the plan should have, because few are wasted.
fn usual_walk(hardness: Hardness) -> u64 {
    match hardness {
        Hardness::Easy => 30,
        Hardness::Medium => 60,
        Hardness::Hard => 90,
    }
}

/// The levels, by the figures of a random board of the size: the average Manhattan distance is medium, 1.6 times as much is
/// hard. Boards larger than 4 x 4 cannot be solved so far from their goal; for them the levels are 30 and 44 steps.
fn scale(board: &Board) -> Scale {
    let (rows, columns) = (board.rows() as u64, board.columns() as u64);
    // The rows of a tile and of its goal are (n² - 1) / 3n apart on average; 60 is divided by 3n for all sides.
    let apart = |n: u64| 60 * (n * n - 1) / (3 * n);
    let usual = (apart(rows) + apart(columns)) * (rows * columns - 1) / 60;
    let (medium, hard) = if board.squares() > LARGEST_AT_RANDOM { (30, 44) } else { (usual, usual * 8 / 5) };
    Scale {
        least: 3.min(medium - 1),
        medium: Measure { plan: medium, effort: medium },
        hard: Measure { plan: hard, effort: 2 * hard },
    }
}

/// A random board among all at this distance from the goal.
fn at_distance(solved: &Board, distance: u64, recipe: &Recipe) -> Result<Box<dyn Puzzle>, NotMade> {
    let space = Sliding::new(solved);
    let mut meter = Meter::new(&Spending::new(&recipe.budget).left()?);
    let all = distances(&space, &mut meter)?;
    let there = |&rank: &u64| u64::from(all[rank as usize]) == distance;
    let ranks: Vec<u64> = (0..space.states()).filter(there).collect();
    let farthest = all.iter().filter(|&&d| d != UNREACHED).max().copied().unwrap_or(0);
    let Some(&rank) = Random::new(recipe.seed).pick(&ranks) else {
        let (rows, columns) = (solved.rows(), solved.columns());
        return Err(
            format!("no board of {rows} x {columns} is farther than {farthest} steps from its goal").into()
        );
    };
    let cells = space.unrank(rank).cells[..solved.squares()].to_vec();
    let board = Board::new(solved.rows(), solved.columns(), cells, solved.goal);
    board
        .map(|board| Box::new(TilesPuzzle::new(board)) as _)
        .ok_or_else(|| "the numbering of boards is wrong".into())
}

/// The strongest search whose plan depends neither on the clock nor on tables.
fn job(board: &Board) -> Job {
    let (strategy, heuristic) = match (board.rows(), board.columns()) {
        (4, 4) => (None, "improved"),
        (rows, columns) if rows * columns <= 12 => (Some("astar"), "walking-distance"),
        (rows, columns) if rows * columns <= 16 => (Some("idastar"), "walking-distance"),
        _ => (Some("idastar"), "linear-conflict"),
    };
    let strategy = strategy.map(str::to_owned);
    Job { strategy, heuristic: Some(heuristic.to_owned()), ..Job::default() }
}

/// A uniformly random solvable, or unsolvable, board.
fn scattered(solved: &Board, solvable: bool, random: &mut Random) -> Option<Box<dyn Puzzle>> {
    let mut cells = solved.cells().to_vec();
    random.shuffle(&mut cells);
    let board = |cells| Board::new(solved.rows(), solved.columns(), cells, solved.goal);
    let drawn = board(cells.clone())?;
    if drawn.is_solvable() == solvable {
        return Some(Box::new(TilesPuzzle::new(drawn)));
    }
    // Exchanging two tiles changes the parity.
    let tiles: Vec<usize> = (0..cells.len()).filter(|&s| cells[s] != 0).take(2).collect();
    cells.swap(*tiles.first()?, *tiles.get(1)?);
    Some(Box::new(TilesPuzzle::new(board(cells)?)))
}

/// This many random steps from the goal, none of which undoes the last one.
fn walked(solved: &Board, steps: u64, random: &mut Random) -> Box<dyn Puzzle> {
    let mut game = TilesPuzzle::new(solved.clone()).game();
    let mut back: Option<&str> = None;
    for _ in 0..steps {
        let legal: Vec<String> = game.legal().into_iter().filter(|s| Some(s.as_str()) != back).collect();
        let Some(step) = random.pick(&legal) else { break };
        if game.play(step).is_err() {
            break;
        }
        back = match step.as_str() {
            "L" => Some("R"),
            "R" => Some("L"),
            "U" => Some("D"),
            _ => Some("U"),
        };
    }
    game.here()
}
