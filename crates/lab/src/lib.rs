//! Experiments: suites × strategies → records → tables, figures, fits and a report.
//!
//! Data flow in one direction. A [`spec`] names what to run, and [`suite`] turns it into instances. [`run`] gives every run its
//! own process and appends one line to a file of [`record`]s. [`table`], [`figure`], [`fit`] and [`report`] only read
//! records and run nothing, so their output can always be made again from the file.
//!
//! The lab neither searches nor prints: the puzzles search, and the command prints.

// Texts are built once per table, figure or page, so the plainest way of writing them is fast enough.
#![allow(clippy::format_push_string)]

pub mod batch;
pub mod classic;
pub mod column;
pub mod figure;
pub mod fit;
pub mod one;
pub mod plots;
pub mod record;
pub mod report;
pub mod run;
pub mod spec;
pub mod suite;
pub mod summary;
pub mod table;
pub mod task;

pub use record::Record;
pub use spec::Spec;
