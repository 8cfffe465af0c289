//! Deadlock rules. Each is sound: it never rejects a position that can be solved.
//!
//! | module | what it recognises |
//! |---|---|
//! | `freeze` | boxes that can never move again, one of them off its goal |
//! | `pairs` | two boxes that form a deadlock wherever the others are, as a table of the board |
//! | `diagonals` | closed diagonals of boxes and walls |
//! | `corral` | corrals whose boxes cannot all get to goals |
//! | `pi_corral` | PI-corrals (Brian Damgaard): corrals to deal with first, so that no other push is tried |
//! | `patterns` | sets of boxes that were proved to be deadlocks during this search |
//! | `subset_solver` | the search that proves a set of boxes a deadlock, with all others off the board |
//! | `deadlocks` | all of these for the satisficing solver: quick, thorough, and by search |
//! | `prune` | the rules by name, for the general strategies |
//!
//! Dead squares come with the distances of lone boxes ([`field`](mod@crate::field)).

pub mod corral;
pub(crate) mod deadlocks;
pub mod diagonals;
pub mod freeze;
pub mod pairs;
mod patterns;
pub mod pi_corral;
pub mod prune;
mod subset_solver;
