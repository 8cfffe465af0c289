//! Random walk: a random move, repeated.
//!
//! The baseline of every comparison, and the homework's first exercise. Stops at the first goal.
//!
//! ```
//! use beeline_search::example::Knight;
//! use beeline_search::{Search, Settings};
//!
//! let settings = Settings { seed: 1, depth: Some(100_000), ..Settings::default() };
//! let outcome = Search::new(&Knight::across(8)).settings(settings).run("walk")?;
//! assert!(outcome.solution().is_some());
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::budget::{Limit, Meter};
use crate::core::heuristic::Heuristic;
use crate::core::observer::{Observer, NodeView};
use crate::core::outcome::{Complete, Optimal, Outcome, Solution, Stats, Verdict};
use crate::core::prune::{Prune, Ruling};
use crate::core::random::Random;
use crate::core::space::{Cost, Space};

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "walk",
    title: "random walk",
    about: "Plays random moves (--seed, --depth of them, 10,000 by default) and stops if it happens to meet a goal.",
    optimal: Optimal::No,
    complete: Complete::No,
    informed: false,
    pseudocode: "\
s <- start
repeat at most n times
    if s is a goal: return the way to s
    s <- s after one of its moves, each as likely as the others
return none",
    cost: "time O(n), memory O(n)",
};

const MOVES: u64 = 10_000;

/// Runs it.
pub fn run<S, H, P, O>(task: Task<'_, S, H, P, O>) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    let Task { space, mut prune, settings, budget, mut observer, .. } = task;
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let mut random = Random::new(settings.seed);
    let (mut state, mut cost) = (space.start(), 0u64);
    let (mut plan, mut open): (Vec<S::Move>, Vec<S::Move>) = (Vec::new(), Vec::new());
    if let Err(limit) = prune.begin(space, &state, &mut meter) {
        return Ok(outcome(Verdict::Stopped(limit), stats, &meter));
    }
    let verdict = 'walk: loop {
        if space.is_goal(&state) {
            observer.found(cost);
            break Verdict::Solved(Solution { moves: plan, cost, lower_bound: 0 });
        }
        if plan.len() as u64 >= settings.depth.unwrap_or(MOVES) {
            break Verdict::GaveUp;
        }
        if meter.due() {
            if let Err(limit) = meter.look() {
                break Verdict::Stopped(limit);
            }
            stats.close(&meter);
            observer.tick(&stats);
        }
        meter.count();
        stats.expanded += 1;
        let here = Cost::try_from(cost).unwrap_or(Cost::MAX);
        stats.depth = stats.depth.max(cost);
        observer.expanded(&NodeView { state: &state, cost: here, estimate: 0 });
        prune.enter(space, &state);
        open.clear();
        for mv in space.moves(&state) {
            stats.generated += 1;
            let token = space.apply(&mut state, mv);
            let ruling = prune.judge(space, &state, mv, here.saturating_add(1), &mut meter);
            space.undo(&mut state, mv, token);
            match ruling {
                Ok(Ruling::Keep) if meter.ledger.push(&mut open, mv).is_ok() => {}
                Ok(Ruling::Drop(rule)) => stats.add_pruned(rule, 1),
                Ok(Ruling::Keep) => break 'walk Verdict::Stopped(Limit::Memory),
                Err(limit) => break 'walk Verdict::Stopped(limit),
            }
        }
        let Some(&mv) = random.pick(&open) else { break Verdict::GaveUp };
        cost += u64::from(space.cost(&state, mv));
        space.apply(&mut state, mv);
        if meter.ledger.push(&mut plan, mv).is_err() {
            break Verdict::Stopped(Limit::Memory);
        }
    };
    Ok(outcome(verdict, stats, &meter))
}
