//! Sliding bricks: boards as matrices and in letters, and plans.

pub mod grid;
pub mod letters;
pub mod parsed;
pub mod plan;
pub mod text;

pub use grid::{Blocked, DOOR, FREE, GOAL, Grid, MASTER, Step, WALL};
pub use parsed::{Parsed, grid_of};
