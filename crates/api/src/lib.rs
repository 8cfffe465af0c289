//! What programs need of a puzzle: a checked [`answer`], exact distances ([`oracle`]), boards to act in ([`batch`]) and training
//! data ([`data`]). [`job`] and [`figures`] define how a job and its figures are written as JSON.
//!
//! Other modules serve every interface: [`units`] and [`csv`] read and write figures, and [`usage`] measures what the process
//! has used.
//!
//! The command, the page, the lab and the Python package share this crate. It knows no kind of puzzle, and prints nothing.

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
