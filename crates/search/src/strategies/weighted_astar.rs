//! Weighted A*: the estimate counts more than the path cost, so the plan may cost more by that factor.
//!
//! After Pohl (1970): f = g + w·h. With an admissible estimate, the plan costs at most w times the cheapest. The weight is
//! rounded to hundredths, so that all arithmetic is integral.
//!
//! ```
//! use beeline_search::example::{Knight, Leaps};
//! use beeline_search::{Search, Settings};
//!
//! let settings = Settings { weight: 1.5, ..Settings::default() };
//! let outcome = Search::new(&Knight::across(8)).heuristic(Leaps).settings(settings).run("wastar")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost <= 9));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome, trusts};
use crate::core::budget::Meter;
use crate::core::evaluator::{Evaluator, Weights};
use crate::core::frontier::{Buckets, Frontier};
use crate::strategies::graph::{self, GoalTest, Policy, Parts};
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome, Verdict};
use crate::core::prune::Prune;
use crate::core::seen::Table;
use crate::core::space::Space;

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "wastar",
    title: "weighted A*",
    about: "A* with the estimate multiplied by a weight (--weight, 2 by default). Finds a plan with fewer states than A*; the \
            plan costs at most the weight times the cheapest, and the outcome says which bound was proved.",
    optimal: Optimal::Bounded,
    complete: Complete::Yes,
    informed: true,
    pseudocode: "\
as A*, with f(s) = g(s) + w * h(s)
(after Pohl 1970)",
    cost: "time and memory usually far below A*'s",
};

/// Hundredths in a weight of 1.
const UNIT: u32 = 100;

/// Runs it.
pub fn run<S, H, P, O>(task: Task<'_, S, H, P, O>) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    let weight = task.settings.weight;
    if !(1.0..=1_000_000.0).contains(&weight) {
        return Err(Unsupported::needs(ABOUT.name, "the weight must be at least 1 and at most a million"));
    }
    let weight = (weight * f64::from(UNIT)).round() as u32;
    let mut meter = Meter::keeping(task.budget);
    let parts = Parts {
        space: task.space,
        frontier: Buckets::default(),
        seen: Table::new(),
        heuristic: task.heuristic,
        prune: task.prune,
        observer: task.observer,
        evaluator: Evaluator::Weighted(Weights { cost: UNIT, estimate: weight, break_ties: true }),
        policy: Policy { goal_test: GoalTest::WhenTaken, record_start: true, reopen: true },
    };
    let done = graph::search(parts, &mut meter);
    let mut verdict = done.verdict(task.space, false);
    if let Verdict::Solved(solution) = &mut verdict
        && trusts(task.heuristic)
        && done.prune.is_sound()
    {
            // A waiting state lies on a cheapest plan, and its weighted f is at most w times that plan's cost. The goal was
            // taken before it. So both the goal's cost and the least waiting f bound that plan from below.
            let least = done.frontier.least().map_or(u64::MAX, |key| key.div_ceil(u64::from(weight)));
            solution.lower_bound = least.max((u64::from(UNIT) * solution.cost).div_ceil(u64::from(weight))).min(solution.cost);
    }
    Ok(outcome(verdict, done.stats, &meter))
}
