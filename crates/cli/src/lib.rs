//! The commands: `beeline` and the five classic ones. Thin: they read arguments, call the other rooms and print.

#[cfg(feature = "terminal")]
pub mod classic;
pub mod commands;
mod leave;
pub mod memory;
mod report;
mod watchdog;
