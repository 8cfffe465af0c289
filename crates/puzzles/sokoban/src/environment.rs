//! Sokoban as a reinforcement-learning environment with four actions, the directions of the player. Cells
//! hold 1 for the player and 2 for a box.

use beeline_puzzle::environment::Acting;

use super::board::{Board, DIRS, Dir, Square};
use super::{State, Steps};

const PLAYER: u8 = 1;
const BOX: u8 = 2;

/// The squares of the board that hold this value.
fn squares(board: &Board, things: &[u8], thing: u8) -> Vec<Square> {
    let held = things.iter().enumerate().filter(|(_, held)| **held == thing);
    held.filter_map(|(cell, _)| board.square(cell / board.width(), cell % board.width())).collect()
}

impl<const N: usize> Acting for Steps<N> {
    fn shape(&self) -> (usize, usize) {
        (self.board.height(), self.board.width())
    }

    fn actions(&self) -> usize {
        DIRS.len()
    }

    fn action_name(&self, action: usize) -> String {
        DIRS[action].letter(false).to_string()
    }

    #[inline]
    fn action(&self, dir: Dir) -> usize {
        dir as usize
    }

    fn write(&self, state: &State<N>, board: &mut [u8]) {
        let width = self.board.width();
        let mut put = |square: Square, thing: u8| {
            let (row, column) = self.board.place(square);
            board[row * width + column] = thing;
        };
        state.boxes.iter().for_each(|at| put(at, BOX));
        put(state.player, PLAYER);
        if self.board.lost() > 0 {
            // Boxes that the player can never reach stand on no square.
            for cell in 0..width * self.board.height() {
                let (row, column) = (cell / width, cell % width);
                if self.board.square(row, column).is_none() && self.board.cell(row, column).boxed {
                    board[cell] = BOX;
                }
            }
        }
    }

    fn read(&self, board: &[u8]) -> Option<State<N>> {
        let things = board.get(..self.board.width() * self.board.height())?;
        match squares(&self.board, things, PLAYER)[..] {
            [player] => Some(self.state(player, &squares(&self.board, things, BOX))),
            _ => None,
        }
    }
}
