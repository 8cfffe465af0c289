//! Sokoban against oracles: exhaustive search by independent code, on small levels.

#![allow(clippy::unwrap_used)] // a test that cannot read its own level should fail

mod agreement;
mod maps;
mod oracle;
mod plans;
mod rules;
mod solver;
mod space;
