//! Iterative deepening: depth-limited search with a growing limit.
//!
//! After Korf (1985) and AIMA (4th ed.), figure 3.12. Before each round the table of states is cleared. It holds the most cost
//! that remained at each state. With a plain set of visited states the first plan found would not be the shortest.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::Knight;
//!
//! let outcome = Search::new(&Knight::across(8)).run("ids")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost == 6 && plan.is_optimal()));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::budget::Meter;
use crate::strategies::depth::{self, End, Memory, Parts, SlackTable};
use crate::core::heuristic::{Blind, Heuristic};
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome, Solution, Stats, Verdict};
use crate::core::prune::Prune;
use crate::core::space::{Cost, Space};

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "ids",
    title: "iterative deepening",
    about: "Depth-limited search with limit 0, 1, 2, … until a plan is found, which then is the shortest. Each round \
            remembers how much room each state had, so that it is not searched twice for nothing.",
    optimal: Optimal::Yes,
    complete: Complete::Yes,
    informed: false,
    pseudocode: "\
limit <- 0
repeat
    search depth-first from the start within the limit
    if a goal was met: return the way to it
    limit <- the least cost that was cut off (none: return none)
(after Russell & Norvig, AIMA 4th ed., fig. 3.12; Korf 1985)",
    cost: "time O(n d^2), memory O(n)",
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
    let mut stats = Stats::default();
    let sound = task.prune.is_sound();
    let start = task.space.start();
    let mut parts: Parts<'_, S, _, P, O, _, false> = Parts {
        space: task.space,
        heuristic: &Blind,
        prune: task.prune,
        observer: task.observer,
        memory: SlackTable::new(task.space),
    };
    if let Err(limit) = parts.prune.begin(task.space, &start, &mut meter) {
        return Ok(outcome(Verdict::Stopped(limit), stats, &meter));
    }
    let (bound, mut within) = meter.resumed_round().map_or((0, 0), |(bound, within, _)| (bound, within));
    let mut bound = Cost::try_from(bound).unwrap_or(Cost::MAX - 1);
    let verdict = loop {
        parts.observer.round(u64::from(bound));
        meter.begin_round(u64::from(bound), within, &Stats::default());
        parts.memory.clear();
        let end = depth::search(&mut parts, bound, &mut meter, &mut stats);
        stats.end_round(u64::from(bound));
        match end {
            End::Goal(moves, cost) => {
                let lower_bound = if sound { cost } else { 0 };
                break Verdict::Solved(Solution { moves, cost, lower_bound });
            }
            End::Over(next) => {
                // A round visits exactly the states within its bound. Where every move costs 1, a round that visited no more
                // than the previous one has visited them all, although long paths through them are still cut off.
                let met_all = task.space.unit_cost() && parts.memory.stored() == within;
                within = parts.memory.stored();
                match next {
                    Some(next) if !met_all => bound = next,
                    _ if sound => break Verdict::Exhausted,
                    _ => break Verdict::GaveUp,
                }
            }
            End::Limit(limit) => break Verdict::Stopped(limit),
        }
    };
    Ok(outcome(verdict, stats, &meter))
}
