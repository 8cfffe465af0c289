//! Sliding bricks: slide the bricks until the master brick covers the goal.
//!
//! The rules are those of the [sliding](crate) engine. Only the master brick (number 2) may stand on goal cells and doors.
//! [`text`] and [`letters`] read files, and moves have names such as `(2,left)` ([`plan`]). [`Grid`] has the homework's
//! functions on a matrix, and [`classic`] its searches with their counters.

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
