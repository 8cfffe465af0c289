//! Generates boards from a seed.

use beeline_search::Random;

use super::Bricks;
use super::grid::{FREE, GOAL, Grid, MASTER, WALL};
use crate::far::{self, farthest};
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::recipe::{Made, NotMade, Recipe};

/// The usual board, walls included.
const USUAL: (usize, usize) = (6, 6);

/// A board that fits the recipe. Unless it is to be easy, a candidate is the reachable position of a random board with the
/// longest shortest plan.
pub(super) fn make(recipe: &Recipe) -> Result<Made, NotMade> {
    recipe.refuse("bricks", true, true, false)?;
    let (size, bricks) = (recipe.size_or(USUAL), recipe.pieces.unwrap_or(6));
    recipe.select(&far::trial(), |random, spending| {
        let start = scatter(size, bricks, random).and_then(|grid| Bricks::new(&grid).ok());
        let Some(start) = start else { return Ok(None) };
        if !far::wanted(recipe) {
            return Ok(Some(Box::new(start) as Box<dyn Puzzle>));
        }
        let layout = farthest(&start.layout, spending)?;
        // In normal form, as a person would number the bricks.
        let grid = layout.map(|layout| start.numbers.grid(&layout).normal());
        Ok(grid.and_then(|grid| Bricks::new(&grid).ok()).map(|board| Box::new(board) as Box<dyn Puzzle>))
    })
}

/// Free cells left after all bricks are placed: with fewer, hardly anything moves.
const ROOM: usize = 2;

/// A random board, solvable or not: a ring of walls with a gap of goal cells wide enough for the master, and bricks of one to
/// four cells. `None` if there was no room.
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
        let free = cells.iter().filter(|&&n| n == FREE).count();
        // Every later brick takes at least one cell.
        let after = (MASTER + bricks as i32 - number - 1) as usize;
        let most = free.checked_sub(after + ROOM)?;
        let mut shapes = [(1, 1), (1, 1), (1, 2), (2, 1), (1, 2), (2, 1), (2, 2)];
        random.shuffle(&mut shapes);
        let mut fitting = shapes.into_iter().filter(|(rows, columns)| rows * columns <= most);
        let ((rows, columns), place) =
            fitting.find_map(|shape| Some((shape, put(&mut cells, width, shape, number, random)?)))?;
        if number == MASTER {
            (tall, wide) = (rows, columns);
        } else if random.below(6) == 0 {
            // One cell less makes a hook or two parts.
            let spare = place + random.below(rows) * width + random.below(columns);
            if rows * columns > 1 {
                cells[spare] = FREE;
            }
        }
    }
    let gap: Vec<usize> = match random.below(4) {
        0 => (0..wide).map(|i| 1 + (width - 1 - wide) / 2 + i).collect(),
        1 => (0..wide).map(|i| (height - 1) * width + 1 + (width - 1 - wide) / 2 + i).collect(),
        2 => (0..tall).map(|i| (1 + (height - 1 - tall) / 2 + i) * width).collect(),
        _ => (0..tall).map(|i| (1 + (height - 1 - tall) / 2 + i) * width + width - 1).collect(),
    };
    for cell in gap {
        cells[cell] = GOAL;
    }
    Some(Grid::new(width, cells))
}

/// Puts a rectangle on free cells, at a random place with room; returns its first cell.
fn put(
    cells: &mut [i32],
    width: usize,
    (rows, columns): (usize, usize),
    number: i32,
    random: &mut Random,
) -> Option<usize> {
    let covered =
        |first: usize| (0..rows).flat_map(move |r| (0..columns).map(move |c| first + r * width + c));
    // The ring of walls keeps a rectangle from crossing the edge.
    let free = |first: &usize| covered(*first).all(|c| cells.get(c) == Some(&FREE));
    let places: Vec<usize> = (0..cells.len()).filter(free).collect();
    let &first = random.pick(&places)?;
    for c in covered(first) {
        cells[c] = number;
    }
    Some(first)
}
