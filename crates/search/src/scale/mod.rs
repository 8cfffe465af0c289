//! Search beyond one thread or one memory: parallel search, layers on disk, and whole spaces at two bits a state.

pub mod census;
pub(crate) mod disk;
pub mod parallel;
