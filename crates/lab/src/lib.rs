//! Experiments: suites × strategies → records → tables, figures, fits and a report.
//!
//! One direction: a [`spec`] names what to run; [`suite`] turns it into instances; [`run`] gives every run a process of its own
//! and appends one line to a file of [`record`]s. From there on only records are read: [`table`], [`figure`], [`fit`] and
//! [`report`] never run anything, so what they say can always be made again from the file.
//!
//! Nothing here searches and nothing here prints: the command does the printing, the puzzles do the searching.

// Texts are put together once a table, a figure or a page; the plainest way of writing that is the best.
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
