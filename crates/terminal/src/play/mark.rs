//! A cell cursor for puzzles whose move is the press of a cell: arrow keys move it, space presses the cell.

use beeline_puzzle::scene::{Ground, Scene};
use beeline_puzzle::{Game, Way};

/// The marked cell; `None` on a board without pressable cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mark(Option<usize>);

impl Mark {
    /// Marks the first cell, if cells can be pressed in this game.
    pub(crate) fn new(game: &dyn Game) -> Self {
        Self(game.press(0).map(|_| 0))
    }

    /// The marked cell.
    pub(crate) fn cell(&self) -> Option<usize> {
        self.0
    }

    /// Moves the mark one cell, unless it is at the edge of the board. Returns whether there is a mark.
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

    /// The scene with the marked cell drawn as a goal, and a sign on its thing.
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
