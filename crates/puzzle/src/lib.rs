//! The traits of a puzzle: the interface for all code that is independent of the kind.
//!
//! A puzzle knows its rules, its file format, its bounds and its dead ends. It describes a [`Scene`] but does not draw or
//! print, and strategies search it without knowing it. The commands, the terminal, the page and the lab use only these traits.

pub mod environment;
pub mod game;
pub mod puzzle;
pub mod recipe;

pub use beeline_boards::{Scene, TextError, encoding, file, quote, scene, text};
pub use environment::{Acting, Distances, Environment, Position, SpaceEnvironment};
pub use game::{Game, Notation, SpaceGame, Stroke, Way};
pub use puzzle::{
    Choice, Event, EventKind, Example, Goal, Job, Kind, Offer, Preparation, Puzzle, Relay, Watcher,
};
pub use recipe::{Hardness, Made, Measure, NotMade, Recipe, Scale};
