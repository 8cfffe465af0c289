//! The solvers in a browser's thread.
//!
//! A Web Worker loads this crate as a WebAssembly module and carries the messages of `beeline-messages` between the page and it. There is
//! one search at a time in a module; several searches are several workers. [`Host`] is what the module needs of the worker:
//! somebody to tell events to. The functions that the worker calls stand in `exports.rs`.
//!
//! Nothing here knows a puzzle, and nothing is kept between two questions but tables that a solver built.

#[cfg(target_family = "wasm")]
mod exports;
#[cfg(target_family = "wasm")]
mod memory;
mod session;

pub use session::{Host, LIMITS, Question, answer};
