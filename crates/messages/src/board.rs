//! A scene as JSON: what stands where, with the colours of the view crate. The page draws it and chooses nothing.

use beeline_puzzles::scene::{Cell, Form, Ground, Scene};
use beeline_view::colour::Paints;
use serde::Serialize;

/// A board.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Board {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cells: Vec<Square>,
    /// By cell the sides on which a thin wall stands, as the bits of a piece's links; empty where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sides: Vec<u8>,
}

/// One cell of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Square {
    ground: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thing: Option<Piece>,
}

/// What stands in a cell.
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

/// One cell with its colours.
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

/// The name of a form.
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
