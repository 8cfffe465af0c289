//! Search strategies that know no puzzle.
//!
//! Describe a problem once as a [`Space`]; every strategy then runs on it. All strategies count the same things, account for
//! every byte, stop at limits, and say what they proved. This crate never prints or exits, and never panics on a limit.
//!
//! Not in this crate: puzzles, file formats, drawing.
//!
//! # A problem of your own
//!
//! Two jugs hold 3 and 5 litres. How are 4 litres measured in the fewest steps?
//!
//! ```
//! use beeline_search::{Search, Space};
//!
//! struct Jugs;
//!
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! enum Step {
//!     Fill(usize),
//!     Empty(usize),
//!     /// From this jug into the other one, until that one is full or this one empty.
//!     Pour(usize),
//! }
//!
//! const LITRES: [u8; 2] = [3, 5];
//!
//! impl Space for Jugs {
//!     type State = [u8; 2];
//!     type Move = Step;
//!     type Undo = [u8; 2]; // the state before the step
//!     type Moves = std::array::IntoIter<Step, 6>;
//!     type Key = [u8; 2];
//!
//!     fn start(&self) -> [u8; 2] {
//!         [0, 0]
//!     }
//!     fn moves(&self, _: &[u8; 2]) -> Self::Moves {
//!         use Step::{Empty, Fill, Pour};
//!         [Fill(0), Fill(1), Empty(0), Empty(1), Pour(0), Pour(1)].into_iter()
//!     }
//!     fn apply(&self, jugs: &mut [u8; 2], step: Step) -> [u8; 2] {
//!         let before = *jugs;
//!         match step {
//!             Step::Fill(jug) => jugs[jug] = LITRES[jug],
//!             Step::Empty(jug) => jugs[jug] = 0,
//!             Step::Pour(jug) => {
//!                 let poured = jugs[jug].min(LITRES[1 - jug] - jugs[1 - jug]);
//!                 jugs[jug] -= poured;
//!                 jugs[1 - jug] += poured;
//!             }
//!         }
//!         before
//!     }
//!     fn undo(&self, jugs: &mut [u8; 2], _: Step, before: [u8; 2]) {
//!         *jugs = before;
//!     }
//!     fn is_goal(&self, jugs: &[u8; 2]) -> bool {
//!         jugs[1] == 4
//!     }
//!     fn pack(&self, jugs: &[u8; 2]) -> [u8; 2] {
//!         *jugs
//!     }
//!     fn unpack(&self, key: &[u8; 2]) -> [u8; 2] {
//!         *key
//!     }
//! }
//!
//! let outcome = Search::new(&Jugs).run("bfs")?;
//! let plan = outcome.solution().expect("there is a way");
//! assert_eq!(plan.cost, 6);
//! assert!(plan.is_optimal());
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```
//!
//! # The three parts
//!
//! * `core`: what every search is made of: [`space`], [`heuristic`], [`budget`], [`arena`], [`seen`], [`frontier`], [`checkpoint`].
//! * [`strategies`]: the loops over graphs and in depth ([`graph`], [`depth`]), and what is composed of them.
//! * `scale`: what outgrows one thread or one memory: [`parallel`], layers on disk, [`census`].
//!
//! `strategies` uses `core`, `scale` uses both, and [`search`] chooses between them. A test enforces this on every `use`.
//!
//! [`Search`] adds an estimate, limits, rules and an observer; [`strategies`] lists the strategies. A larger example with every
//! optional method is `docs/sixth-puzzle.md`.

mod core;
pub mod example;
mod scale;
pub mod search;
pub mod strategies;

pub use crate::core::{
    COMPACT, FILES, arena, atomic_file, budget, clock, evaluator, frontier, heuristic, memory, observer,
    outcome, pages, prefetch, prune, random, seen, space, sync, team,
};
pub use scale::{census, parallel};
pub use strategies::{depth, graph, novelty};

/// Checkpoints: the files, and the strategies that can resume from one.
pub mod checkpoint {
    pub use crate::core::checkpoint::*;
    pub use crate::strategies::RESUMABLE;
}

pub use budget::{Budget, Cancel, Limit, Meter};
pub use checkpoint::Checkpoint;
pub use heuristic::{Blind, Claim, Heuristic};
pub use observer::Observer;
pub use outcome::{Complete, DEAD, Optimal, Outcome, Round, Share, Solution, Stats, Verdict};
pub use prune::{Prune, Ruling};
pub use random::Random;
pub use search::Search;
pub use space::{Cost, Key, Ranked, Space};
pub use strategies::{Settings, Unsupported};
