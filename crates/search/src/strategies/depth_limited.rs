//! Depth-limited search: depth-first, but no further than a given cost.
//!
//! After AIMA (4th ed.), figure 3.12. Each state is remembered with the most cost that remained there. It is searched again
//! only where the limit leaves more than before.
//!
//! ```
//! use beeline_search::example::Knight;
//! use beeline_search::{Search, Settings, Verdict};
//!
//! let within = |depth| {
//!     let settings = Settings { depth: Some(depth), ..Settings::default() };
//!     Search::new(&Knight::across(8)).settings(settings).run("dls")
//! };
//! assert!(within(6)?.solution().is_some());
//! assert_eq!(within(5)?.verdict, Verdict::GaveUp);
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::budget::Meter;
use crate::strategies::depth::{self, End, Parts, SlackTable};
use crate::core::heuristic::{Blind, Heuristic};
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome, Solution, Stats, Verdict};
use crate::core::prune::Prune;
use crate::core::space::{Cost, Space};

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "dls",
    title: "depth-limited search",
    about: "Depth-first search that goes no further than --depth. Finds a plan if there is one within the limit, not \
            necessarily the shortest.",
    optimal: Optimal::No,
    complete: Complete::No,
    informed: false,
    pseudocode: "\
search(s, room)
    if s is a goal: return the way to s
    if s was searched with as much room before: return none
    for each move m of s that room allows
        if search(s after m, room - cost(m)) finds a goal: return it
    return none, and whether anything was cut off
(after Russell & Norvig, AIMA 4th ed., fig. 3.12, with a table of room)",
    cost: "time O(n d), memory O(n)",
};

/// Runs it.
pub fn run<S, H, P, O>(task: Task<'_, S, H, P, O>) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    let depth = task.settings.depth.ok_or_else(|| Unsupported::needs(ABOUT.name, "it needs a --depth"))?;
    let bound = Cost::try_from(depth).unwrap_or(Cost::MAX - 1).min(Cost::MAX - 1);
    let mut meter = Meter::keeping(task.budget);
    let mut stats = Stats::default();
    let sound = task.prune.is_sound();
    let mut parts: Parts<'_, S, _, P, O, _, false> = Parts {
        space: task.space,
        heuristic: &Blind,
        prune: task.prune,
        observer: task.observer,
        memory: SlackTable::new(task.space),
    };
    if let Err(limit) = parts.prune.begin(task.space, &task.space.start(), &mut meter) {
        return Ok(outcome(Verdict::Stopped(limit), stats, &meter));
    }
    let verdict = match depth::search(&mut parts, bound, &mut meter, &mut stats) {
        End::Goal(moves, cost) => Verdict::Solved(Solution { moves, cost, lower_bound: 0 }),
        End::Over(None) if sound => Verdict::Exhausted,
        End::Over(_) => Verdict::GaveUp,
        End::Limit(limit) => Verdict::Stopped(limit),
    };
    Ok(outcome(verdict, stats, &meter))
}
