//! Search strategies that know no puzzle.
//!
//! Describe a problem once as a [`Space`]; every strategy then runs on it, counts the same things in the same words,
//! keeps its memory to the byte, stops when told, and says what it proved. Nothing in here prints, exits or panics on a
//! limit.
//!
//! What is not in here: any puzzle, any file format, any drawing.

pub mod arena;
pub mod budget;
pub mod checkpoint;
pub mod depth;
mod disk;
pub mod frontier;
pub mod graph;
pub mod heuristic;
pub mod memory;
pub mod novelty;
mod numbers;
pub mod observer;
pub mod outcome;
pub mod pages;
pub mod parallel;
pub mod prefetch;
pub mod prune;
pub mod random;
pub mod seen;
pub mod space;
pub mod strategies;
pub mod sync;
pub mod team;
pub mod whole;
pub mod whole_file;

pub use budget::{Budget, Cancel, Limit, Meter};
pub use checkpoint::Checkpoint;
pub use heuristic::{Blind, Claim, Heuristic};
pub use observer::Observer;
pub use outcome::{Complete, DEAD, Optimal, Outcome, Round, Share, Solution, Stats, Verdict};
pub use prune::{Prune, Ruling};
pub use random::Random;
pub use space::{Cost, Key, Ranked, Space};
