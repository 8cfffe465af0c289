//! The engine's tests, in one program: every strategy is compiled once for the spaces that they share.
#![allow(clippy::unwrap_used)] // a test that cannot go on should say so

mod agreement;
mod checkpoint;
mod common;
mod disk;
mod documented;
mod layering;
mod limits;
#[cfg(feature = "model")]
mod model;
mod oracles;
mod parallel;
mod signature;
