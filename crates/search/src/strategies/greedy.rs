//! Greedy best-first search: ordered by the estimate alone.
//!
//! After AIMA (4th ed.), figure 3.7 with f = h.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::{Knight, Leaps};
//!
//! let outcome = Search::new(&Knight::across(8)).heuristic(Leaps).run("greedy")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost >= 6));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::budget::Meter;
use crate::core::evaluator::Evaluator;
use crate::core::frontier::Buckets;
use crate::strategies::graph::{self, GoalTest, Policy, Parts};
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome};
use crate::core::prune::Prune;
use crate::core::seen::Table;
use crate::core::space::Space;

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "greedy",
    title: "greedy best-first search",
    about: "Always expands the state with the least estimate. Often quick, promises nothing about the plan.",
    optimal: Optimal::No,
    complete: Complete::Yes,
    informed: true,
    pseudocode: "\
frontier <- start; seen <- {start}
while the frontier is not empty
    take the state s with the least estimate h(s)
    if s is a goal: return the way to s
    for each move m of s
        t <- s after m
        if t is not in seen: put t in seen and in the frontier
return none
(after Russell & Norvig, AIMA 4th ed., fig. 3.7 with f = h)",
    cost: "time and memory O(n), usually far less",
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
        heuristic: task.heuristic,
        prune: task.prune,
        observer: task.observer,
        evaluator: Evaluator::ESTIMATE,
        policy: Policy { goal_test: GoalTest::WhenTaken, record_start: true, reopen: false },
    };
    let done = graph::search(parts, &mut meter);
    let verdict = done.verdict(task.space, false);
    Ok(outcome(verdict, done.stats, &meter))
}
