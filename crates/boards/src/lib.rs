//! Puzzles as files describe them: parsed boards, their text formats in both directions, and plans as people write them.
//!
//! This crate is below every other one of ours. No rule is searched here and nothing is drawn: the puzzle crates turn a board into a
//! space, and the view crate draws the [`Scene`] that a puzzle describes.
//!
//! What all puzzles share: reading a [`file`] within bounds, its [`encoding`], errors with their place ([`text`]), what an error
//! quotes ([`quote`]), and the [`scene`].

pub mod encoding;
pub mod file;
pub mod quote;
pub mod scene;
pub mod text;

pub use scene::Scene;
pub use text::TextError;
