//! New boards from a seed.

use beeline_search::{Limit, Random};

use super::Bricks;
use super::grid::{FREE, GOAL, Grid, MASTER, WALL};
use super::space::Graph;
use crate::Metric;
use beeline_puzzle::puzzle::Job;
use beeline_puzzle::recipe::{Hardness, Made, NotMade, Recipe, Spending};

/// The usual board, walls included.
const USUAL: (usize, usize) = (6, 6);
/// A board with more states than this is passed over, so that making one stays quick.
const MOST_STATES: u64 = 30_000;

/// A board as the recipe has it. Where a hard one or a distance is asked for, every candidate is the state of its box of
/// bricks from which the shortest plan is the longest: the whole space is explored for it.
pub(super) fn make(recipe: &Recipe) -> Result<Made, NotMade> {
    recipe.refuse("bricks", true, true, false)?;
    let (size, bricks) = (recipe.size_or(USUAL), recipe.pieces.unwrap_or(6));
    let far = recipe.hardness == Hardness::Hard || recipe.distance.is_some();
    recipe.select(&Job::default(), MOST_STATES, |random, spending| {
        let start = scatter(size, bricks, random).and_then(|grid| Bricks::new(&grid).ok());
        let board = match start {
            Some(start) if far && !recipe.unsolvable => farthest(&start, spending)?,
            start => start,
        };
        Ok(board.map(|board| Box::new(board) as _))
    })
}

/// The hardest state that can be reached.
fn farthest(start: &Bricks, spending: &mut Spending<'_>) -> Result<Option<Bricks>, Limit> {
    let budget = spending.search(MOST_STATES)?;
    let explored = Graph::reachable(start, Metric::Steps, false, &budget);
    let states = explored.as_ref().map_or(MOST_STATES, |graph| graph.len() as u64);
    spending.count(states, explored.as_ref().err().copied())?;
    let hardest = explored.ok().and_then(|graph| graph.hardest()).filter(|(_, length)| *length > 0);
    Ok(hardest.and_then(|(grid, _)| Bricks::new(&grid).ok()))
}

/// A random box of bricks, solvable or not: a ring of walls with a gap of goal cells that the master fits through, bricks of
/// one to four cells. `None` if there was no room.
pub fn scatter((width, height): (usize, usize), bricks: usize, random: &mut Random) -> Option<Grid> {
    if !(4..=18).contains(&width) || !(4..=18).contains(&height) || !(1..=60).contains(&bricks) {
        return None;
    }
    let mut cells = vec![FREE; width * height];
    for (cell, n) in cells.iter_mut().enumerate() {
        let (row, column) = (cell / width, cell % width);
        if row == 0 || row == height - 1 || column == 0 || column == width - 1 || random.below(24) == 0 {
            *n = WALL;
        }
    }
    let (mut tall, mut wide) = (1, 1);
    for number in MASTER..MASTER + bricks as i32 {
        let (rows, columns) = *random.pick(&[(1, 1), (1, 1), (1, 2), (2, 1), (1, 2), (2, 1), (2, 2)])?;
        let place = put(&mut cells, width, (rows, columns), number, random)?;
        if number == MASTER {
            (tall, wide) = (rows, columns);
        } else if random.below(6) == 0 {
            // One cell less or more makes a hook, or two parts.
            let spare = place + random.below(rows) * width + random.below(columns);
            if rows * columns > 1 {
                cells[spare] = FREE;
            }
        }
    }
    let mut under: Vec<i32> = cells.iter().map(|&n| if n >= MASTER { FREE } else { n }).collect();
    let gap: Vec<usize> = match random.below(4) {
        0 => (0..wide).map(|i| 1 + (width - 1 - wide) / 2 + i).collect(),
        1 => (0..wide).map(|i| (height - 1) * width + 1 + (width - 1 - wide) / 2 + i).collect(),
        2 => (0..tall).map(|i| (1 + (height - 1 - tall) / 2 + i) * width).collect(),
        _ => (0..tall).map(|i| (1 + (height - 1 - tall) / 2 + i) * width + width - 1).collect(),
    };
    for cell in gap {
        cells[cell] = GOAL;
        under[cell] = GOAL;
    }
    let targets = vec![0; cells.len()];
    Some(Grid { width, height, cells, under, targets, lengthwise: false })
}

/// Puts a rectangle somewhere; its first cell.
fn put(
    cells: &mut [i32],
    width: usize,
    (rows, columns): (usize, usize),
    number: i32,
    random: &mut Random,
) -> Option<usize> {
    for _ in 0..20 {
        let first = random.below(cells.len());
        let all: Vec<usize> =
            (0..rows).flat_map(|r| (0..columns).map(move |c| first + r * width + c)).collect();
        // The ring of walls keeps a rectangle from running over the edge.
        if all.iter().all(|&c| cells.get(c) == Some(&FREE)) {
            for c in all {
                cells[c] = number;
            }
            return Some(first);
        }
    }
    None
}
