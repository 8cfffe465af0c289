//! Sokoban: levels, collections and plans.

pub mod board;
mod collection;
pub mod plan;
pub mod scene;
pub mod text;
mod xml;

pub use board::{Board, Dir, Square};
pub use text::{Level, Recorded};

#[cfg(test)]
mod tests;
