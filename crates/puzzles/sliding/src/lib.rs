//! The sliding-block engine: the common part of Impassable Gate and sliding bricks.
//!
//! A [`Layout`] is the content of a file: walls, pieces of any shape, who may enter which cell, what must be covered. A
//! [`Board`] is the layout prepared for search: the open cells are numbered and become bits of a [`Mask`]. Each shape gets a
//! table of its reachable places (its *anchors*) with a neighbour in each direction. Based on a board there are
//! - [`Slide`], the space that every strategy of the engine can search,
//! - [`Blockers`](bounds::Blockers), an admissible estimate,
//! - [`shortest`](solve::shortest), the strongest solver, which merges pieces of one shape.
//!
//! Not in this crate: file formats, names of moves, move counters. A puzzle adds those by a [`Face`].

pub mod board;
pub mod bounds;
pub mod bricks;
mod closed;
mod environment;
mod far;
pub mod gate;
mod job;
mod layer;
mod line;
pub mod mask;
mod mirror;
#[cfg(all(test, feature = "model"))]
mod model;
mod packing;
mod parallel;
mod rank;
pub mod solve;
pub mod space;
mod units;

pub use beeline_boards::sliding as layout;
pub use board::{AnyBoard, Board, Shape};
pub use layout::{BadLayout, Dir, Ground, Layout, MAX_OPEN, MAX_PIECES, Target};
pub use mask::Mask;
pub use space::{Face, Metric, Move, Roomy, Slide, State};
