//! Puzzles whose move is the press of a cell: arrow keys lead a mark over the board, space presses.

use beeline_puzzle::scene::{Ground, Scene};
use beeline_puzzle::{Game, Way};

/// The marked cell of a board whose cells can be pressed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mark(Option<usize>);

impl Mark {
    /// In the first corner; nowhere if cells are not pressed in this game.
    pub(crate) fn new(game: &dyn Game) -> Self {
        Self(game.press(0).map(|_| 0))
    }

    /// The marked cell.
    pub(crate) fn cell(&self) -> Option<usize> {
        self.0
    }

    /// Goes one cell this way, if there is a mark and the board goes on; was there a mark?
    pub(crate) fn go(&mut self, way: Way, scene: &Scene) -> bool {
        let Some(cell) = &mut self.0 else { return false };
        let (down, right) = way.delta();
        let row = (*cell / scene.width).checked_add_signed(down).filter(|&row| row < scene.height);
        let column = (*cell % scene.width).checked_add_signed(right).filter(|&column| column < scene.width);
        if let (Some(row), Some(column)) = (row, column) {
            *cell = row * scene.width + column;
        }
        true
    }

    /// The picture with the marked cell drawn as a goal, and a sign on what stands there.
    pub(crate) fn shown(&self, scene: &Scene) -> Option<Scene> {
        let mut marked = scene.clone();
        let cell = marked.cells.get_mut(self.0?)?;
        cell.ground = Ground::Goal;
        if let Some(thing) = &mut cell.thing {
            "+".clone_into(&mut thing.label);
        }
        Some(marked)
    }
}
