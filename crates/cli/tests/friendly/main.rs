//! Tests of the friendly command: its output, its exit codes, its errors, its manners on a terminal.

mod commands;
mod errors;
mod exits;
#[cfg(unix)]
mod guide;
mod harness;
mod process;
mod toy;
