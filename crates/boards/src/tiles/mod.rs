//! Sliding tiles: boards and plans.

pub mod board;
pub mod plan;
pub mod text;

pub use board::{Board, Goal, Step};
