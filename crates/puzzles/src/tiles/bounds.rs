//! Estimates for the engine's strategies.
//!
//! These serve every board and every strategy. The solver of [`super::solve`] has faster forms of the same estimates.

use beeline_search::{Claim, Cost, Heuristic};

use super::board::{MAX_SQUARES, home_of_tile};
use super::{Sliding, Step, Tiles};

/// The sum of the tiles' distances from home, each counted along rows and columns.
#[derive(Clone, Debug)]
pub struct Manhattan {
    /// By tile and square.
    distance: Vec<[u8; MAX_SQUARES]>,
}

impl Manhattan {
    /// The distances on this board.
    pub fn new(space: &Sliding) -> Self {
        let board = space.board();
        let (squares, columns) = (board.squares(), board.columns());
        let mut distance = vec![[0; MAX_SQUARES]; squares];
        for tile in 1..squares {
            let home = home_of_tile(tile as u8, squares, board.goal);
            for square in 0..squares {
                let rows = (square / columns).abs_diff(home / columns);
                let cols = (square % columns).abs_diff(home % columns);
                distance[tile][square] = (rows + cols) as u8;
            }
        }
        Self { distance }
    }

    #[inline(always)]
    fn of(&self, tile: u8, square: usize) -> Cost {
        Cost::from(self.distance[usize::from(tile)][square])
    }
}

impl Heuristic<Sliding> for Manhattan {
    type Memo = Cost;
    const PEEKS: bool = true;

    fn root(&self, space: &Sliding, state: &Tiles) -> Cost {
        (0..space.board().squares()).map(|s| self.of(state.tile(s), s)).sum()
    }

    #[inline(always)]
    fn peek(&self, space: &Sliding, before: &Tiles, step: Step, memo: Cost) -> Cost {
        let (to, from) = (before.blank(), space.target(before.blank(), step));
        let tile = before.tile(from);
        memo + self.of(tile, to) - self.of(tile, from)
    }

    #[inline(always)]
    fn step(&self, space: &Sliding, after: &Tiles, step: Step, memo: Cost) -> Cost {
        let (from, to) = (after.blank(), space.target(after.blank(), step.back()));
        let tile = after.tile(to);
        memo + self.of(tile, to) - self.of(tile, from)
    }

    #[inline(always)]
    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}
