//! Impassable Gate: slide the pieces until piece 0 covers the goal.
//!
//! The rules are those of the [sliding](crate) engine with every piece allowed everywhere and one target, that of piece 0.
//! [`text`] reads files, and moves have names such as `0l` (piece 0 to the left, [`plan`]).

mod atoms;
pub mod classic;
mod kind;
pub mod make;

pub use beeline_boards::gate::{plan, text};
pub use kind::{Digits, Gate, GateKind, KIND};
