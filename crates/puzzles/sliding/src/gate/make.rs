//! Generates boards from a seed.

use beeline_search::random::Random;

use super::Gate;
use crate::far::{self, farthest};
use crate::{Ground, Layout, Target};
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::recipe::{Made, NotMade, Recipe};

/// The usual board, walls included.
const USUAL: (usize, usize) = (8, 7);

/// A board that fits the recipe. Unless it is to be easy, a candidate is the reachable position of a random board with the
/// longest shortest plan.
pub(super) fn make(recipe: &Recipe) -> Result<Made, NotMade> {
    recipe.refuse("a gate", true, true, false)?;
    let ((width, height), pieces) = (recipe.size_or(USUAL), recipe.pieces.unwrap_or(4));
    recipe.select(&far::trial(), |random, spending| {
        let Some(gate) = scatter(width, height, pieces, random) else { return Ok(None) };
        if !far::wanted(recipe) {
            return Ok(Some(Box::new(gate) as Box<dyn Puzzle>));
        }
        let layout = farthest(&gate.layout, spending)?;
        let digits = gate.digits.0;
        Ok(layout.map(|layout| Box::new(Gate::new(layout, digits, Vec::new())) as Box<dyn Puzzle>))
    })
}

/// A random board, solvable or not: a ring of walls, a few more inside, pieces of one to five cells, and a goal of piece 0's
/// shape at another place. `None` if there was no room.
pub fn scatter(width: usize, height: usize, pieces: usize, random: &mut Random) -> Option<Gate> {
    if !(3..=64).contains(&width) || !(3..=64).contains(&height) || !(1..=10).contains(&pieces) {
        return None;
    }
    let edge = |c: usize| {
        let (row, column) = (c / width, c % width);
        row == 0 || row == height - 1 || column == 0 || column == width - 1
    };
    let mut ground: Vec<Ground> =
        (0..width * height).map(|c| if edge(c) { Ground::Wall } else { Ground::Floor }).collect();
    for cell in (0..ground.len()).filter(|&c| !edge(c)) {
        if random.below(12) == 0 {
            ground[cell] = Ground::Wall;
        }
    }
    let mut free: Vec<bool> = ground.iter().map(|&g| g == Ground::Floor).collect();
    let mut placed = Vec::new();
    for _ in 0..pieces {
        placed.push(grow_piece(width, &mut free, random)?);
    }
    let goal = goal_for(width, height, &ground, &placed[0], random)?;
    let targets = vec![Target { piece: 0, exact: false, cells: goal }];
    let layout = Layout::new(width, ground, placed, targets).ok()?;
    Some(Gate::new(layout, (0..pieces as u8).collect(), Vec::new()))
}

/// Takes one to five connected free cells.
fn grow_piece(width: usize, free: &mut [bool], random: &mut Random) -> Option<Vec<usize>> {
    let room: Vec<usize> = (0..free.len()).filter(|&c| free[c]).collect();
    let mut cells = vec![*random.pick(&room)?];
    free[cells[0]] = false;
    for _ in 0..random.below(5) {
        // The ring of walls keeps every neighbour on the board.
        let beside: Vec<usize> =
            cells.iter().flat_map(|&c| [c - width, c - 1, c + 1, c + width]).filter(|&c| free[c]).collect();
        let Some(&cell) = random.pick(&beside) else { break };
        free[cell] = false;
        cells.push(cell);
    }
    cells.sort_unstable();
    Some(cells)
}

/// Another place, entirely open, for a piece of this shape.
fn goal_for(
    width: usize,
    height: usize,
    ground: &[Ground],
    piece: &[usize],
    random: &mut Random,
) -> Option<Vec<usize>> {
    let mut places = Vec::new();
    for first in (0..width * height).filter(|&c| c != piece[0]) {
        let shifted = piece.iter().map(|&c| (c + first).checked_sub(piece[0]));
        let cells: Option<Vec<usize>> = shifted.collect();
        let Some(cells) = cells else { continue };
        // A shift that carries a cell across the edge of a row hits the ring of walls.
        let columns = |c: usize| c % width;
        let straight = piece
            .iter()
            .zip(&cells)
            .all(|(&a, &b)| columns(a) + columns(first) == columns(b) + columns(piece[0]));
        if straight && cells.iter().all(|&c| ground.get(c) == Some(&Ground::Floor)) {
            places.push(cells);
        }
    }
    random.pick(&places).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_a_file() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let Some(gate) = scatter(8, 7, 5, &mut random) else { continue };
            let again = Gate::parse(&gate.print()).unwrap();
            assert_eq!((again.layout(), again.digits()), (gate.layout(), gate.digits()));
            assert!(again.warnings.is_empty(), "{:?}", again.warnings);
        }
    }
}
