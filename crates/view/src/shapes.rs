//! Which cells form one shape.

use beeline_boards::scene::{Cell, Form, Ground, Scene};

/// The shape that a cell is part of. Neighbours with the same shape are drawn without an edge between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// Floor, or a thing that is drawn inside its cell.
    Open,
    /// Wall, or what lies outside the board.
    Wall,
    /// A block, by its number.
    Block(u16),
    /// A tile, by its cell: tiles never merge.
    Tile(usize),
}

impl Shape {
    /// Is it a piece with an edge of its own?
    pub(crate) fn is_piece(self) -> bool {
        matches!(self, Self::Block(_) | Self::Tile(_))
    }
}

/// The shape of a cell.
pub(crate) fn shape(scene: &Scene, row: usize, column: usize) -> Shape {
    match scene.at(row, column) {
        Cell { thing: Some(thing), .. } if thing.form == Form::Block => Shape::Block(thing.id),
        Cell { thing: Some(thing), .. } if thing.form == Form::Tile => {
            Shape::Tile(row * scene.width + column)
        }
        Cell { ground: Ground::Wall, thing: None } => Shape::Wall,
        _ => Shape::Open,
    }
}

/// The shape one step (`dr`, `dc`) away, if that is on the board.
pub(crate) fn neighbour(scene: &Scene, row: usize, column: usize, dr: isize, dc: isize) -> Option<Shape> {
    let row = row.checked_add_signed(dr).filter(|&r| r < scene.height)?;
    let column = column.checked_add_signed(dc).filter(|&c| c < scene.width)?;
    Some(shape(scene, row, column))
}

/// Are there blocks or tiles?
pub(crate) fn has_pieces(scene: &Scene) -> bool {
    has(scene, |f| matches!(f, Form::Block | Form::Tile))
}

/// Does the scene have a thing of such a form?
pub(crate) fn has(scene: &Scene, test: impl Fn(Form) -> bool) -> bool {
    scene.cells.iter().any(|c| c.thing.as_ref().is_some_and(|t| test(t.form)))
}

/// Does the board need a frame because nothing on its edge shows where it ends?
pub(crate) fn wants_frame(scene: &Scene) -> bool {
    let edge = |r: usize, c: usize| r == 0 || c == 0 || r + 1 == scene.height || c + 1 == scene.width;
    (0..scene.height)
        .flat_map(|r| (0..scene.width).map(move |c| (r, c)))
        .filter(|&(r, c)| edge(r, c))
        .all(|(r, c)| !matches!(scene.at(r, c).ground, Ground::Wall | Ground::Outside))
}

/// Does this cell carry the label of its block? That is the block's first cell, row by row.
pub(crate) fn is_first(scene: &Scene, row: usize, column: usize) -> bool {
    let Shape::Block(_) = shape(scene, row, column) else { return true };
    let id = scene.at(row, column).thing.as_ref().map(|t| t.id);
    let same = |c: &Cell| c.thing.as_ref().is_some_and(|t| t.form == Form::Block && Some(t.id) == id);
    scene.cells.iter().position(same) == Some(row * scene.width + column)
}
