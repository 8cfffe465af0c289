//! The puzzles, each in a folder of its own, all behind the same few traits.
//!
//! A puzzle knows its rules, its file format, its bounds and its dead ends. It does not draw (it describes a [`Scene`]),
//! does not print, and is searched by strategies that do not know it.
//!
//! A new puzzle is a folder here and a line in [`KINDS`].

pub mod bricks;
pub mod flow;
pub mod game;
pub mod gate;
pub mod puzzle;
pub mod recipe;
pub mod scene;
pub mod sliding;
pub mod sokoban;
pub mod text;
pub mod tiles;

pub use game::{Game, Notation, SpaceGame};
pub use puzzle::{Choice, Event, EventKind, Example, Job, Kind, Puzzle, Relay, Watcher, by_name};
pub use recipe::{Hardness, Made, Recipe};
pub use scene::Scene;
pub use text::TextError;

/// Every kind of puzzle there is.
pub static KINDS: &[&dyn Kind] =
    &[&gate::GateKind, &tiles::TILES, &flow::FLOW, &sokoban::KIND, &bricks::BricksKind];

/// The kind with this name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|k| k.name() == name)
}
