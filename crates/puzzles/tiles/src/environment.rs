//! Sliding tiles as a reinforcement-learning environment: the four steps of the blank.

use beeline_puzzle::environment::{Acting, FLOOR, GOAL};

use super::board::{Step, tile_at_home};
use super::{Sliding, Tiles};

impl Acting for Sliding {
    fn shape(&self) -> (usize, usize) {
        (self.board.rows(), self.board.columns())
    }

    fn actions(&self) -> usize {
        4
    }

    fn action_name(&self, action: usize) -> String {
        Step::from_index(action).letter().to_string()
    }

    #[inline]
    fn action(&self, step: Step) -> usize {
        step as usize
    }

    fn states(&self) -> Option<u64> {
        // Half of all orders have the parity of the start.
        (1..=self.board.squares() as u64)
            .try_fold(1u64, u64::checked_mul)
            .map_or(Some(u64::MAX), |all| Some(all / 2))
    }

    fn write(&self, state: &Tiles, board: &mut [u8]) {
        let squares = self.board.squares();
        let (things, ground) = board.split_at_mut(squares);
        things.copy_from_slice(&state.cells[..squares]);
        for (square, (&tile, ground)) in things.iter().zip(ground).enumerate() {
            let home = tile == tile_at_home(square, squares, self.board.goal);
            *ground = if home { GOAL } else { FLOOR };
        }
    }

    fn read(&self, board: &[u8]) -> Option<Tiles> {
        let squares = self.board.squares();
        let tiles = board.get(..squares)?;
        let all =
            tiles.iter().filter(|&&tile| usize::from(tile) < squares).fold(0u64, |all, tile| all | 1 << tile);
        (all.count_ones() as usize == squares).then(|| self.state(tiles))
    }
}
