//! Uniform-cost search (Dijkstra's algorithm for one goal): states in the order of their path cost.
//!
//! After AIMA (4th ed.), figure 3.7 with f = g. The goal test runs when a state is taken, and a known state reached more
//! cheaply is reopened.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::Knight;
//!
//! let outcome = Search::new(&Knight::across(8)).run("ucs")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost == 6 && plan.is_optimal()));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::budget::Meter;
use crate::core::evaluator::Evaluator;
use crate::core::frontier::Buckets;
use crate::strategies::graph::{self, GoalTest, Policy, Parts};
use crate::core::heuristic::{Blind, Heuristic};
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome};
use crate::core::prune::Prune;
use crate::core::seen::Table;
use crate::core::space::Space;

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "ucs",
    title: "uniform-cost search",
    about: "Dijkstra's algorithm for one goal: expands states in the order of what the way to them costs. Like breadth-first \
            search, for moves that cost different amounts.",
    optimal: Optimal::Yes,
    complete: Complete::Yes,
    informed: false,
    pseudocode: "\
frontier <- start with cost 0
while the frontier is not empty
    take the state s with the least cost g(s)
    if s is a goal: return the way to s
    for each move m of s
        t <- s after m; c <- g(s) + cost(m)
        if t is new, or c < g(t): g(t) <- c; put t in the frontier
return none
(after Russell & Norvig, AIMA 4th ed., fig. 3.7 with f = g; Dijkstra 1959)",
    cost: "time and memory O(states with g at most the plan's cost)",
};

/// Runs it.
pub fn run<S, H, P, O>(task: Task<'_, S, H, P, O>) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    let mut meter = Meter::keeping(task.budget);
    let parts = Parts {
        space: task.space,
        frontier: Buckets::default(),
        seen: Table::new(),
        heuristic: &Blind,
        prune: task.prune,
        observer: task.observer,
        evaluator: Evaluator::COST,
        policy: Policy { goal_test: GoalTest::WhenTaken, record_start: true, reopen: true },
    };
    let done = graph::search(parts, &mut meter);
    let verdict = done.verdict(task.space, true);
    Ok(outcome(verdict, done.stats, &meter))
}
