//! Puzzles as files describe them: parsed boards, their text formats in both directions, and plans as text.
//!
//! Every other crate of ours is above this one. It neither searches nor draws: the puzzle crates turn a board into a space, and
//! the view crate draws the [`Scene`] that a puzzle describes.
//!
//! Shared by all puzzles: reading a [`mod@file`] within bounds, its [`encoding`], errors with their place ([`text`]),
//! quotations in errors ([`quote`]), and the [`scene`].

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
