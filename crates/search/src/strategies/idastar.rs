//! IDA*: depth-first rounds under a growing bound on f.
//!
//! After Korf (1985) and AIMA (4th ed.), section 3.5.5. A round searches depth-first and cuts off where f > bound (never at
//! equality). The least f that was cut off is the next bound. Memory holds only the path. Moves that only undo the last one are
//! skipped where the space names them.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::{Knight, Leaps};
//!
//! let outcome = Search::new(&Knight::across(8)).heuristic(Leaps).run("idastar")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost == 6 && plan.is_optimal()));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome, trusts};
use crate::core::budget::Meter;
use crate::strategies::depth::{self, End, Parts};
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, DEAD, Optimal, Outcome, Solution, Stats, Verdict};
use crate::core::prune::Prune;
use crate::core::space::{Cost, Space};

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "idastar",
    title: "IDA*",
    about: "Searches depth-first, only as far as the sum of path and estimate stays within a bound; then again with the next \
            bound. As optimal as A*, with next to no memory; it may meet a state again and again.",
    optimal: Optimal::Admissible,
    complete: Complete::Semi,
    informed: true,
    pseudocode: "\
bound <- h(start)
repeat
    search depth-first from the start, cutting off where g + h > bound
    if a goal was met: return the way to it
    bound <- the least g + h that was cut off (none: return none)
(after Korf 1985; Russell & Norvig, AIMA 4th ed., section 3.5.5)",
    cost: "time O(b^d) with a smaller b the better the estimate, memory O(d)",
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
    let mut parts: Parts<'_, S, _, P, O, _, true> = Parts {
        space: task.space,
        heuristic: task.heuristic,
        prune: task.prune,
        observer: task.observer,
        memory: (),
    };
    let start = task.space.start();
    if let Err(limit) = parts.prune.begin(task.space, &start, &mut meter) {
        return Ok(outcome(Verdict::Stopped(limit), stats, &meter));
    }
    let mut bound = match meter.resumed_round() {
        Some((bound, ..)) => Cost::try_from(bound).unwrap_or(DEAD),
        None => task.heuristic.estimate(task.space, &start),
    };
    let verdict = loop {
        if bound == DEAD {
            break if sound { Verdict::Exhausted } else { Verdict::GaveUp };
        }
        parts.observer.round(u64::from(bound));
        meter.begin_round(u64::from(bound), 0, &Stats::default());
        let end = depth::search(&mut parts, bound, &mut meter, &mut stats);
        stats.end_round(u64::from(bound));
        match end {
            End::Goal(moves, cost) => {
                let lower_bound = if trusts(task.heuristic) && sound { cost } else { 0 };
                break Verdict::Solved(Solution { moves, cost, lower_bound });
            }
            End::Over(next) => bound = next.unwrap_or(DEAD),
            End::Limit(limit) => break Verdict::Stopped(limit),
        }
    };
    Ok(outcome(verdict, stats, &meter))
}
