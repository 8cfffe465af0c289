//! Breadth-first search: the states in the order of their distance from the start.
//!
//! After *Artificial Intelligence: A Modern Approach* (4th ed.), figure 3.9. The goal test runs when a state is generated (line
//! 9), which is safe because the first plan found has the fewest moves.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::Knight;
//!
//! let outcome = Search::new(&Knight::across(8)).run("bfs")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost == 6 && plan.is_optimal()));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::budget::Meter;
use crate::core::evaluator::Evaluator;
use crate::core::frontier::Fifo;
use crate::strategies::graph::{self, GoalTest, Policy, Parts};
use crate::core::heuristic::{Blind, Heuristic};
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome};
use crate::core::prune::Prune;
use crate::core::seen::Table;
use crate::core::space::Space;

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "bfs",
    title: "breadth-first search",
    about: "Looks at all states one move away, then two, then three. The first plan it meets has the fewest moves. It \
            remembers every state, so memory is what ends it; with --disk its layers lie on disk.",
    optimal: Optimal::UnitCosts,
    complete: Complete::Yes,
    informed: false,
    pseudocode: "\
queue <- start; seen <- {start}
while the queue is not empty
    take the first state s
    for each move m of s, in order
        t <- s after m
        if t is a goal: return the way to t
        if t is not in seen: put t in seen and at the end of the queue
return none
(after Russell & Norvig, AIMA 4th ed., fig. 3.9)",
    cost: "time O(b^d), memory O(b^d)",
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
        frontier: Fifo::default(),
        seen: Table::new(),
        heuristic: &Blind,
        prune: task.prune,
        observer: task.observer,
        evaluator: Evaluator::NONE,
        policy: Policy { goal_test: GoalTest::WhenMade, record_start: true, reopen: false },
    };
    let done = graph::search(parts, &mut meter);
    let verdict = done.verdict(task.space, task.space.unit_cost());
    Ok(outcome(verdict, done.stats, &meter))
}
