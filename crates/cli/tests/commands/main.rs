//! Tests of the command `beeline`: its output, its exit codes, its errors, its manners on a terminal.

// Texts are put together here; the plainest way of writing that is the best.
#![allow(clippy::format_push_string)]

mod certificates;
mod commands;
mod errors;
mod exits;
mod formats;
#[cfg(unix)]
mod guide;
mod harness;
mod keep;
mod lab;
mod process;
mod seventh;
mod toy;
