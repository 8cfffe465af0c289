//! Sliding bricks: slide the bricks until the master brick covers the goal.
//!
//! The rules are those of the [sliding](crate) engine; only the master brick (number 2) may stand on goal cells
//! and doors. Files are read in [`text`] and [`letters`], moves have names such as `(2,left)` ([`plan`]). The homework's functions on a
//! matrix are those of [`Grid`], its searches with their counters stand in [`classic`].

pub mod classic;
mod examples;
mod kind;
pub mod make;
pub mod space;

pub use beeline_boards::bricks::{
    Blocked, DOOR, FREE, GOAL, Grid, MASTER, Step, WALL, grid, letters, parsed, plan, text,
};
pub use examples::LEVELS;
pub use kind::{Bricks, BricksKind, KIND, Numbers};

#[cfg(test)]
mod tests;
