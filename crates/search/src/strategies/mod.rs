//! The strategies, by name.
//!
//! Each strategy is a file here and a line in [`STRATEGIES`]. Choice by name happens once, in [`run`]; inside,
//! everything is monomorphic.

use crate::budget::Budget;
use crate::heuristic::Heuristic;
use crate::observer::Observer;
use crate::outcome::{Complete, Optimal, Outcome};
use crate::prune::Prune;
use crate::space::Space;

/// What can be set besides the budget. A strategy uses what concerns it.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Iterated Width: the one width to search with, instead of 1, 2, … in turn.
    pub width: Option<usize>,
    /// Weighted A*: how much the estimate counts, at least 1.
    pub weight: f64,
    /// Depth-limited search: the limit in moves. Random walk: the number of moves.
    pub depth: Option<u64>,
    /// Random walk: the seed.
    pub seed: u64,
    /// How many threads may be used.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { width: None, weight: 2.0, depth: None, seed: 0, threads: 1 }
    }
}

/// A job that a strategy cannot do, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// There is no strategy (or heuristic, objective, rule) of this name.
    #[error("there is no {what} called '{name}'")]
    Unknown {
        /// What was asked for: "strategy".
        what: &'static str,
        /// The name that was given.
        name: String,
    },
    /// The strategy needs something that this space does not have.
    #[error("{strategy} cannot be used here: {why}")]
    Needs {
        /// Which strategy.
        strategy: String,
        /// What is missing.
        why: String,
    },
}

/// What `beeline explain` tells of a strategy.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// What it is, in a few sentences.
    pub about: &'static str,
    /// Is its plan the cheapest?
    pub optimal: Optimal,
    /// Does it find a plan whenever there is one?
    pub complete: Complete,
    /// Does it use a heuristic?
    pub informed: bool,
    /// The pseudocode that it implements, and whose it is.
    pub pseudocode: &'static str,
    /// Time and memory, in the usual letters (b branching, d depth of the plan, m deepest path, n states).
    pub cost: &'static str,
}

/// Every strategy there is.
pub static STRATEGIES: &[&Strategy] = &[];

/// The strategy with this name.
pub fn strategy(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().copied().find(|s| s.name == name)
}

/// Runs a strategy by name.
pub fn run<S, H, P, O>(
    name: &str,
    space: &S,
    heuristic: &H,
    prune: P,
    settings: &Settings,
    budget: &Budget,
    observer: O,
) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    let _ = (space, heuristic, prune, settings, budget, observer);
    Err(Unsupported::Unknown { what: "strategy", name: name.to_owned() })
}
