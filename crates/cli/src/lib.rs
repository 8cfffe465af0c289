//! The commands: `beeline` and the five classic ones. Thin: they read arguments, call the other rooms and print.

pub mod classic;
pub mod commands;
pub mod memory;
mod report;
mod watchdog;
