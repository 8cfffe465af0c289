//! Depth-first graph search: the newest state first.
//!
//! After AIMA (4th ed.), section 3.4.3 and figure 3.7 with a last-in-first-out frontier. It remembers every state, so it cannot
//! loop. The plan may be very long.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::Knight;
//!
//! let outcome = Search::new(&Knight::across(8)).run("dfs")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost >= 6));
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
    name: "dfs",
    title: "depth-first search",
    about: "Always goes on from the state it made last, and turns back only where nothing new is left. Finds some plan, \
            often a very long one.",
    optimal: Optimal::No,
    complete: Complete::Yes,
    informed: false,
    pseudocode: "\
stack <- start; seen <- {start}
while the stack is not empty
    take the newest state s
    if s is a goal: return the way to s
    for each move m of s
        t <- s after m
        if t is not in seen: put t in seen and on the stack
return none
(after Russell & Norvig, AIMA 4th ed., fig. 3.7 with a stack)",
    cost: "time O(n), memory O(n)",
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
        evaluator: Evaluator::NONE,
        policy: Policy { goal_test: GoalTest::WhenTaken, record_start: true, reopen: false },
    };
    let done = graph::search(parts, &mut meter);
    let verdict = done.verdict(task.space, false);
    Ok(outcome(verdict, done.stats, &meter))
}
