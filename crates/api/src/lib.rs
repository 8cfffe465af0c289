//! What programs ask of a puzzle: a checked [`answer`], exact distances ([`oracle`]), boards to act in ([`batch`]), data to learn
//! from ([`data`]); and how a [`job`] and its [`figures`] are written as JSON.
//!
//! Beside them stand what every interface needs: how figures are written and read ([`units`], [`csv`]), and what the process has used
//! ([`usage`]).
//!
//! The command, the page, the lab and the Python package share it. It knows no kind of puzzle, and prints nothing.

pub mod answer;
pub mod batch;
pub mod csv;
pub mod data;
pub mod figures;
pub mod job;
pub mod machine;
pub mod oracle;
pub mod parquet;
pub mod units;
pub mod usage;

pub use answer::{Ending, Plan, Promise};
pub use oracle::{NoDistance, Oracle};
