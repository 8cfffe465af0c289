//! Best-first width search: ordered by novelty, then by estimate.
//!
//! After Lipovetzky and Geffner (2017), BFWS(⟨w, h⟩). States are sorted by their novelty among the states with the same
//! estimate, then by the estimate. Nothing is dropped, so it is complete. Novelty is computed up to `--width` (2 by default);
//! all greater values count as equal.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::{Knight, Leaps};
//!
//! let outcome = Search::new(&Knight::across(8)).heuristic(Leaps).run("bfws")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost >= 6));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::budget::{Limit, Meter};
use crate::core::evaluator::{Evaluate, Evaluator, Priority};
use crate::core::frontier::Buckets;
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome, Stats, Verdict};
use crate::core::prune::Prune;
use crate::core::seen::Table;
use crate::core::space::{Cost, Space};
use crate::strategies::graph::{self, GoalTest, Parts, Policy};
use crate::strategies::novelty::{Novelty, Numbering};

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "bfws",
    title: "best-first width search",
    about: "Expands first the states in which few facts (1, then 2, ... up to --width, 2 by default) are true together for the \
            first time among the states with the same estimate; among those, the ones with the least estimate. Finds plans \
            in very large spaces; promises nothing about their length.",
    optimal: Optimal::No,
    complete: Complete::Yes,
    informed: true,
    pseudocode: "\
frontier <- start; seen <- {start}
while the frontier is not empty
    take the state s with the least (w(s), h(s))
    for each move m of s
        t <- s after m
        if t is a goal: return the way to t
        if t is not in seen: put t in seen and in the frontier
return none
where w(t) is the novelty of t among the states with the same h
(after Lipovetzky & Geffner 2017, BFWS)",
    cost: "time and memory O(n), usually far less",
};

/// Bytes of one array of bits. There may be many tables, so each is small.
const TABLE_MOST: usize = 16 << 20;

/// One table of atoms for each value of the estimate.
struct Novelties {
    numbering: Arc<Numbering>,
    /// The greatest novelty that is computed.
    width: usize,
    by_estimate: BTreeMap<Cost, Novelty>,
    values: Vec<u32>,
}

impl<S: Space> Evaluate<S> for Novelties {
    /// The novelty of a state among those with its estimate (`width + 1` if no tuple up to `width` is new), then the estimate.
    fn priority(
        &mut self,
        space: &S,
        state: &S::State,
        _: Cost,
        estimate: Cost,
        meter: &mut Meter,
    ) -> Result<Priority, Limit> {
        let fresh = || Novelty::within(&self.numbering, TABLE_MOST, &mut meter.ledger);
        let novelty = self.by_estimate.entry(estimate).or_insert_with(fresh);
        space.values(state, &mut self.values);
        let new = novelty.record(&self.values, None, meter)?;
        Ok(Priority { key: new.unwrap_or(self.width + 1) as u64, tie: estimate })
    }
}

/// Runs it.
pub fn run<S, H, P, O>(task: Task<'_, S, H, P, O>) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    let Some(domains) = task.space.domains() else {
        return Err(Unsupported::needs(ABOUT.name, "the states of this space are not made of variables"));
    };
    if task.settings.width == Some(0) {
        return Err(Unsupported::needs(ABOUT.name, "the width must be at least 1"));
    }
    let width = task.settings.width.unwrap_or(2).min(domains.len());
    let mut meter = Meter::new(task.budget);
    let numbering = match Numbering::new(&domains, width, &mut meter.ledger) {
        Ok(numbering) => Arc::new(numbering),
        Err(full) => return Ok(outcome(Verdict::Stopped(full.into()), Stats::default(), &meter)),
    };
    let values = vec![0; domains.len()];
    let mut novelties = Novelties { numbering, width, by_estimate: BTreeMap::new(), values };
    let parts = Parts {
        space: task.space,
        frontier: Buckets::default(),
        seen: Table::new(),
        heuristic: task.heuristic,
        prune: task.prune,
        observer: task.observer,
        evaluator: Evaluator::Own(&mut novelties),
        policy: Policy { goal_test: GoalTest::WhenMade, record_start: true, reopen: false },
    };
    let done = graph::search(parts, &mut meter);
    let verdict = done.verdict(task.space, false);
    Ok(outcome(verdict, done.stats, &meter))
}
