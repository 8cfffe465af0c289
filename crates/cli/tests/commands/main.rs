//! Tests of the command `beeline`: output, exit codes, errors, behaviour on a terminal.

// Texts are built once per test, so the plainest way of writing them is fast enough.
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
