//! What outgrows one thread or one memory: search by several, layers on disk, whole spaces with bits for states.

pub mod census;
pub(crate) mod disk;
pub mod parallel;
