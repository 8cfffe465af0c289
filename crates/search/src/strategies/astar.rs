//! A*: best-first search by path cost plus estimate.
//!
//! After Hart, Nilsson and Raphael (1968) and AIMA (4th ed.), figure 3.7 with f = g + h. Among equal f the smaller estimate
//! goes first, then the newer state. A known state that is reached more cheaply is reopened. So the estimate must be admissible
//! but need not be consistent.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::{Knight, Leaps};
//!
//! let outcome = Search::new(&Knight::across(8)).heuristic(Leaps).run("astar")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost == 6 && plan.is_optimal()));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome, trusts};
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
    name: "astar",
    title: "A*",
    about: "Expands the state with the least sum of the way so far and the estimate of the way to go. With an estimate that \
            never overestimates, its plan is the cheapest, and no search with the same estimate can do with fewer states.",
    optimal: Optimal::Admissible,
    complete: Complete::Yes,
    informed: true,
    pseudocode: "\
frontier <- start with cost 0
while the frontier is not empty
    take the state s with the least f(s) = g(s) + h(s)
    if s is a goal: return the way to s
    for each move m of s
        t <- s after m; c <- g(s) + cost(m)
        if t is new, or c < g(t): g(t) <- c; put t in the frontier
return none
(after Hart, Nilsson & Raphael 1968; Russell & Norvig, AIMA 4th ed., fig. 3.7)",
    cost: "time and memory O(states with f below the plan's cost)",
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
        evaluator: Evaluator::SUM,
        policy: Policy { goal_test: GoalTest::WhenTaken, record_start: true, reopen: true },
    };
    let done = graph::search(parts, &mut meter);
    let verdict = done.verdict(task.space, trusts(task.heuristic));
    Ok(outcome(verdict, done.stats, &meter))
}
