//! A scene as JSON: the cells and the things in them, with the colours of the view crate. The page draws it and chooses nothing.

use beeline_puzzles::scene::{Cell, Form, Ground, Scene};
use beeline_view::colour::Paints;
use serde::Serialize;

/// A board in a message.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Board {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cells: Vec<Square>,
    /// For each cell the sides with a thin wall, as bits like those of a thing's links. Empty if there are no thin walls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sides: Vec<u8>,
}

/// One cell of a board.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Square {
    ground: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thing: Option<Piece>,
}

/// The thing in a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
struct Piece {
    id: u16,
    form: &'static str,
    label: String,
    links: u8,
    fill: String,
    edge: String,
    ink: String,
}

impl Board {
    pub(crate) fn new(scene: &Scene) -> Self {
        let paints = Paints::of(scene);
        let cells = scene.cells.iter().map(|cell| square(cell, paints)).collect();
        Self { width: scene.width, height: scene.height, cells, sides: scene.sides.clone() }
    }
}

/// Converts one cell, with its colours.
pub(crate) fn square(cell: &Cell, paints: Paints) -> Square {
    let ground = match cell.ground {
        Ground::Outside => "outside",
        Ground::Wall => "wall",
        Ground::Floor => "floor",
        Ground::Goal => "goal",
    };
    let thing = cell.thing.as_ref().zip(paints.thing(cell)).map(|(thing, paint)| Piece {
        id: thing.id,
        form: form(thing.form),
        label: thing.label.clone(),
        links: thing.links,
        fill: paint.css(),
        edge: paint.shade(0.78).css(),
        ink: paint.ink().css(),
    });
    Square { ground, thing }
}

/// The name of a form in messages.
pub(crate) fn form(form: Form) -> &'static str {
    match form {
        Form::Block => "block",
        Form::Tile => "tile",
        Form::Dot => "dot",
        Form::Pipe => "pipe",
        Form::Crate => "crate",
        Form::Player => "player",
    }
}
