//! The commands: `beeline` and the five classic ones. They read arguments, call the other crates and print.

#[cfg(feature = "terminal")]
pub mod classic;
pub mod commands;
mod leave;
pub mod memory;
mod report;
mod watchdog;
