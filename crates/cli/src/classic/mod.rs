//! The classic commands: the exact command lines, formats and figures of the assignments that Beeline grew from.
//!
//! One file a command, each with a `main` that the binary of that name calls.

mod caret;
pub mod fifteen;
pub mod flow;
pub mod gate;
pub mod hw1;
mod screen;
pub mod sokoban;
