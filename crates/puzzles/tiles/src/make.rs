//! New boards: random ones, random walks, and boards at an exact distance from the goal.

use beeline_search::Random;

use super::board::{Board, Goal};
use beeline_puzzle::puzzle::{Job, Puzzle};
use beeline_puzzle::recipe::{Made, NotMade, Recipe};

/// A board that takes more expansions than this is passed over.
const MOST_EXPANSIONS: u64 = 20_000_000;
/// Larger boards are walked from the goal: nobody knows how far away a random one is.
const LARGEST_AT_RANDOM: usize = 16;
/// The usual walk on a large board.
const USUAL_WALK: u64 = 60;

/// A board as the recipe has it.
pub(super) fn make(recipe: &Recipe) -> Result<Made, NotMade> {
    recipe.refuse("tiles", false, true, true)?;
    let (rows, columns) = recipe.size_or((4, 4));
    let solved = Board::solved(rows, columns, Goal::BlankFirst);
    let solved = solved.ok_or("a board of tiles has 2 to 6 rows and columns")?;
    let walk = match (recipe.walk, recipe.distance) {
        (Some(steps), _) => Some(steps),
        (None, _) if solved.squares() <= LARGEST_AT_RANDOM => None,
        (None, distance) => Some(distance.map_or(USUAL_WALK, |d| 2 * d + 10)),
    };
    recipe.select(&job(&solved), MOST_EXPANSIONS, |random, _| {
        Ok(match walk {
            _ if recipe.unsolvable => scattered(&solved, false, random),
            Some(steps) => Some(walked(&solved, steps, random)),
            None => scattered(&solved, true, random),
        })
    })
}

/// The strongest search whose plan does not depend on the clock or on tables.
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

/// Any board that can be solved, or any that cannot, all equally likely.
fn scattered(solved: &Board, solvable: bool, random: &mut Random) -> Option<Box<dyn Puzzle>> {
    let mut cells = solved.cells().to_vec();
    random.shuffle(&mut cells);
    let board = |cells| Board::new(solved.rows(), solved.columns(), cells, solved.goal);
    let drawn = board(cells.clone())?;
    if drawn.is_solvable() == solvable {
        return Some(Box::new(drawn));
    }
    // Two tiles that change places change the parity.
    let tiles: Vec<usize> = (0..cells.len()).filter(|&s| cells[s] != 0).take(2).collect();
    cells.swap(*tiles.first()?, *tiles.get(1)?);
    Some(Box::new(board(cells)?))
}

/// So many random steps from the goal, none of which takes the last one back.
fn walked(solved: &Board, steps: u64, random: &mut Random) -> Box<dyn Puzzle> {
    let mut game = solved.game();
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
