//! Sliding tiles: the 15-puzzle and its variants from 2×2 to 6×6.
//!
//! [`Sliding`] is the space for the engine's strategies. Estimates are in [`bounds`], the strongest solver in [`solve`].

pub mod bounds;
pub mod census;
pub mod count;
mod environment;
pub mod improved;
mod kind;
mod make;
#[cfg(all(test, feature = "model"))]
mod model;
pub mod move_fsm;
pub mod pattern;
mod rank;
pub mod solve;
pub mod space;
pub mod table_free;
pub mod walking;
pub mod word;

pub use beeline_boards::tiles::{Board, Goal, Step, board, plan, text};
pub use kind::{KIND, TilesPuzzle};
pub use space::{Sliding, Steps, Tiles};
