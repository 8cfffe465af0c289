//! New boards from a seed.

use beeline_search::random::Random;
use beeline_search::{Budget, Verdict};

use super::Gate;
use crate::on_board;
use crate::solve::shortest;
use crate::{Ground, Layout, Metric, Target};

/// Boards that are tried for one that is kept.
const TRIES: usize = 40;
/// A board that takes more expansions than this is passed over, so that making one stays quick.
const MOST_EXPANSIONS: u64 = 60_000;

/// A solvable board of this size (walls included) with this many pieces: of a few dozen random ones, that with the longest
/// shortest plan. The same seed makes the same board. `None` if the size leaves no room for the pieces.
pub fn make(width: usize, height: usize, pieces: usize, seed: u64) -> Option<Gate> {
    let mut random = Random::new(seed);
    let mut best: Option<(u64, Gate)> = None;
    for _ in 0..TRIES {
        let Some(gate) = scatter(width, height, pieces, &mut random) else { continue };
        let budget = Budget { nodes: Some(MOST_EXPANSIONS), ..Budget::default() };
        let found = on_board!(gate.board(), b => shortest(b, Metric::Steps, 1, &budget, &mut |_| {}));
        let Some(Verdict::Solved(solution)) = found.map(|f| f.verdict) else { continue };
        if best.as_ref().is_none_or(|(cost, _)| solution.cost > *cost) {
            best = Some((solution.cost, gate));
        }
    }
    best.map(|(_, gate)| gate)
}

/// A random board, solvable or not: a ring of walls, a few more inside, pieces of one to five cells, a goal of piece 0's
/// shape somewhere else. `None` if there was no room.
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
    let targets = vec![Target { piece: 0, cells: goal }];
    let layout = Layout::new(width, ground, placed, targets).ok()?;
    Some(Gate::new(layout, (0..pieces as u8).collect(), Vec::new()))
}

/// One to five free cells that hang together; they are free no longer.
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

/// Another place, open all over, for a piece of this shape.
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
        // A shift that carries a cell over the edge of a row lands on the ring of walls, or crosses it.
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
    fn the_seed_makes_the_board() {
        let text = |seed| make(7, 6, 4, seed).map(|g| g.print());
        assert!(text(3).is_some());
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
        assert!(make(2, 6, 4, 1).is_none() && make(7, 6, 11, 1).is_none() && make(3, 3, 2, 1).is_none());
    }

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
