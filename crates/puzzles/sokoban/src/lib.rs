//! Sokoban: push every box onto a goal.
//!
//! [`Steps`] is the puzzle as the general strategies see it: a step of the player is a move and costs 1. The strong solvers search
//! pushes instead. [`optimal`] proves the fewest moves or pushes, [`satisficing`] finds some plan soon, [`improve`] shortens a plan.
//! They share the [`board`], the distances of lone boxes ([`mod@field`]) and the deadlock [`rules`].

pub mod bits;
pub mod bounds;
pub mod classic;
mod combinations;
mod environment;
pub mod field;
pub mod improve;
mod kind;
mod macro_moves;
pub mod make;
pub mod matching;
pub mod optimal;
pub mod rules;
pub mod satisficing;
mod solve;
pub mod space;
mod threads;
pub mod walk;

pub use beeline_boards::sokoban::{Level, Recorded, board, plan, scene, text};
pub use kind::{KIND, Sokoban};
pub use rules::prune;
pub(crate) use space::with_words;
pub use space::{Open, State, Steps, WIDEST, state_bits};
