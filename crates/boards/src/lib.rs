//! Puzzles as files describe them: parsed boards, their text formats in both directions, and plans as people write them.
//!
//! This crate is below every other one of ours. No rule is searched here and nothing is drawn: the puzzle crates turn a board into a
//! space, and the view crate draws the [`Scene`] that a puzzle describes.
//!
//! What all puzzles share: reading a [`mod@file`] within bounds, its [`encoding`], errors with their place ([`text`]), what an error
//! quotes ([`quote`]), and the [`scene`].

pub mod bricks;
pub mod encoding;
pub mod file;
pub mod flow;
pub mod gate;
pub mod quote;
pub mod scene;
pub mod sliding;
pub mod sokoban;
pub mod text;
pub mod tiles;

pub use scene::Scene;
pub use text::TextError;
