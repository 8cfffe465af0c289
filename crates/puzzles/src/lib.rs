//! Every kind of puzzle there is.
//!
//! Each puzzle is a crate of its own in a folder beside this one, so that work on one does not build the others. A new puzzle
//! is such a folder and a line in [`KINDS`].

pub mod pddl;
mod recognise;

pub use beeline_flow as flow;
pub use beeline_puzzle::*;
pub use beeline_sliding as sliding;
pub use beeline_sliding::{bricks, gate};
pub use beeline_sokoban as sokoban;
pub use beeline_tiles as tiles;
pub use recognise::{Parsed, Unrecognised, recognise};

/// Every kind of puzzle there is.
pub static KINDS: &[&dyn Kind] = &[&gate::KIND, &tiles::KIND, &flow::KIND, &sokoban::KIND, &bricks::KIND];

/// The kind with this name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|k| k.name() == name)
}
