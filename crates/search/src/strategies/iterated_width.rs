//! Iterated Width: breadth-first search that drops states without novelty.
//!
//! After Lipovetzky and Geffner (2012). IW(w) is breadth-first search that drops every state whose novelty is above w; IW runs
//! IW(1), IW(2), … until one finds a plan. With w the number of variables, IW(w) is plain breadth-first search. So the last
//! round proves what it finds, or that there is no plan.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::Knight;
//!
//! let outcome = Search::new(&Knight::across(8)).run("iw")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost >= 6));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::budget::Meter;
use crate::core::checkpoint::Damage;
use crate::core::evaluator::Evaluator;
use crate::core::frontier::Fifo;
use crate::strategies::graph::{self, GoalTest, Policy, Parts};
use crate::core::heuristic::{Blind, Heuristic};
use crate::strategies::novelty::{NoveltyRule, Record};
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome, Round, Stats, Verdict};
use crate::core::prune::Prune;
use crate::core::seen::Unseen;
use crate::core::space::Space;

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "iw",
    title: "Iterated Width",
    about: "Breadth-first search that keeps a state only if some w facts are true together in it for the first time: first \
            with w = 1, then 2, and so on (--width sets one w). Looks at few states where the problem's width is small. Its \
            plan is the shortest only if w reaches the width of the problem, which the search cannot know.",
    optimal: Optimal::No,
    complete: Complete::Yes,
    informed: false,
    pseudocode: "\
for w <- 1, 2, ..., number of variables
    search breadth-first, dropping each new state in which
        every set of at most w atoms was true together before
    if a goal was met: return the way to it
return none
(after Lipovetzky & Geffner 2012)",
    cost: "time and memory O(a^w) for a atoms",
};

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
    let most = domains.len().max(1);
    let widths = match task.settings.width {
        Some(0) => return Err(Unsupported::needs(ABOUT.name, "the width must be at least 1")),
        Some(width) => width.min(most)..=width.min(most),
        None => 1..=most,
    };
    let mut meter = Meter::keeping(task.budget);
    let (first, mut stats) = match meter.resumed_round() {
        Some((width, _, before)) => (width as usize, before),
        None => (*widths.start(), Stats::default()),
    };
    if !widths.contains(&first) {
        meter.refuse(Damage::Misfit("it searched with another width"));
    }
    let (mut observer, mut prune) = (task.observer, task.prune);
    let sound = prune.is_sound();
    let mut verdict = Verdict::GaveUp;
    for width in first..=*widths.end() {
        observer.round(width as u64);
        meter.begin_round(width as u64, 0, &stats);
        let before = meter.ledger.used();
        let parts = Parts {
            space: task.space,
            frontier: Fifo::default(),
            seen: Unseen,
            heuristic: &Blind,
            prune: (&mut prune, NoveltyRule::new(domains.clone(), width, Record::All, true)),
            observer: &mut observer,
            evaluator: Evaluator::NONE,
            policy: Policy { goal_test: GoalTest::WhenMade, record_start: true, reopen: false },
        };
        let done = graph::search(parts, &mut meter);
        stats.rounds.push(Round {
            bound: width as u64,
            expanded: done.stats.expanded,
            generated: done.stats.generated,
            duplicates: done.stats.pruned_total(),
        });
        stats.absorb(&done.stats);
        // Only the round with all variables drops nothing but duplicates: it is breadth-first search.
        verdict = done.verdict(task.space, width >= most && sound && task.space.unit_cost());
        if !matches!(verdict, Verdict::GaveUp) {
            break;
        }
        meter.ledger.rewind(before);
    }
    Ok(outcome(verdict, stats, &meter))
}
