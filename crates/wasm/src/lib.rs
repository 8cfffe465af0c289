//! The solvers in a thread of a browser.
//!
//! A Web Worker loads this crate as a WebAssembly module and carries the messages of `beeline-messages` between the page and the
//! module. A module runs one search at a time; several searches take several workers. [`Host`] is the worker's side: it
//! receives the events. `exports.rs` holds the functions that the worker calls.
//!
//! This crate knows no puzzle. Between two requests it keeps nothing but tables that a solver has built.

#[cfg(target_family = "wasm")]
mod exports;
#[cfg(target_family = "wasm")]
mod memory;
mod session;

pub use session::{Host, LIMITS, Question, answer};
