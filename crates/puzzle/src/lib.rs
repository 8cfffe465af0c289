//! What a puzzle is to everybody who does not know it.
//!
//! A puzzle knows its rules, its file format, its bounds and its dead ends. It does not draw (it describes a [`Scene`]),
//! does not print, and is searched by strategies that do not know it. The commands, the terminal, the page and the lab know
//! these traits and nothing else.

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
