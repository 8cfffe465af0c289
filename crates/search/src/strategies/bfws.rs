//! Best-first width search: first what is new, then what looks near.
//!
//! After Lipovetzky and Geffner (2017), BFWS(⟨w, h⟩): states are sorted by their novelty among the states with the same
//! estimate, then by the estimate. Nothing is dropped, so it is complete. Novelty is told apart up to `--width` (2 by
//! default); everything above counts as equally old.
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
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::arena::{Arena, NO_NODE};
use crate::core::budget::{Limit, Meter};
use crate::core::frontier::{Buckets, Frontier, Priority, Waiting};
use crate::core::heuristic::Heuristic;
use crate::strategies::novelty::{Novelty, Numbering};
use crate::core::observer::{Observer, NodeView};
use crate::core::outcome::{Complete, DEAD, Optimal, Outcome, Solution, Stats, Verdict};
use crate::core::prune::{Prune, Ruling};
use crate::core::seen::Table;
use crate::core::space::{Cost, Space};

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

/// There may be many tables, so each array of bits is kept small.
const TABLE_MOST: usize = 16 << 20;

/// One table of atoms for each value of the estimate.
struct Novelties {
    numbering: Arc<Numbering>,
    width: usize,
    by_estimate: BTreeMap<Cost, Novelty>,
    values: Vec<u32>,
}

impl Novelties {
    /// The novelty of a state among those with its estimate; `width + 1` if nothing up to `width` is new.
    fn measure<S: Space>(
        &mut self,
        space: &S,
        state: &S::State,
        estimate: Cost,
        meter: &mut Meter,
    ) -> Result<u64, Limit> {
        let novelty = match self.by_estimate.entry(estimate) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert(Novelty::within(&self.numbering, TABLE_MOST, &mut meter.ledger))
            }
        };
        space.values(state, &mut self.values);
        let new = novelty.record(&self.values, None, meter)?;
        Ok(new.unwrap_or(self.width + 1) as u64)
    }
}

/// A plan and what it costs.
type Costed<S> = (Vec<<S as Space>::Move>, u64);

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
    let mut search = Search {
        arena: Arena::new(task.space.key_width(), true),
        seen: Table::new(),
        frontier: Buckets::default(),
        novelties: Novelties {
            values: vec![0; domains.len()],
            numbering,
            width,
            by_estimate: BTreeMap::new(),
        },
        stats: Stats::default(),
        task,
    };
    let verdict = match search.run(&mut meter) {
        Ok(Some((moves, cost))) => {
            search.task.observer.found(cost);
            Verdict::Solved(Solution { moves, cost, lower_bound: 0 })
        }
        Ok(None) if search.task.prune.is_sound() => Verdict::Exhausted,
        Ok(None) => Verdict::GaveUp,
        Err(limit) => Verdict::Stopped(limit),
    };
    let mut stats = search.stats;
    stats.stored = search.arena.len() as u64;
    Ok(outcome(verdict, stats, &meter))
}

struct Search<'a, S: Space, H: Heuristic<S>, P, O> {
    task: Task<'a, S, H, P, O>,
    arena: Arena<S::Key, H::Memo>,
    seen: Table,
    frontier: Buckets,
    novelties: Novelties,
    stats: Stats,
}

impl<S: Space, H: Heuristic<S>, P: Prune<S>, O: Observer<S>> Search<'_, S, H, P, O> {
    /// A plan and its cost.
    fn run(&mut self, meter: &mut Meter) -> Result<Option<Costed<S>>, Limit> {
        let space = self.task.space;
        let mut state = space.start();
        self.task.prune.begin(space, &state, meter)?;
        if space.is_goal(&state) {
            return Ok(Some((Vec::new(), 0)));
        }
        let memo = self.task.heuristic.root(space, &state);
        self.add(meter, &state, NO_NODE, 0, memo)?;
        loop {
            if meter.due() {
                meter.look()?;
                self.stats.stored = self.arena.len() as u64;
                self.stats.close(meter);
                self.task.observer.tick(&self.stats);
            }
            let Some(Waiting { id, cost }) = self.frontier.pop() else { return Ok(None) };
            space.unpack_into(&self.arena.keys.get(id), &mut state);
            meter.count();
            self.stats.expanded += 1;
            self.stats.depth = self.stats.depth.max(u64::from(cost));
            let memo = self.arena.memo(id);
            let estimate = self.task.heuristic.value(memo);
            self.task.observer.expanded(&NodeView { state: &state, cost, estimate });
            self.task.prune.enter(space, &state);
            for mv in space.moves(&state) {
                self.stats.generated += 1;
                let child_cost = cost.saturating_add(space.cost(&state, mv));
                let token = space.apply(&mut state, mv);
                if space.is_goal(&state) {
                    return Ok(Some(self.arena.plan(space, id, Some(mv))));
                }
                let child_memo = self.task.heuristic.step(space, &state, mv, memo);
                let fate = self.consider(meter, &state, mv, id, child_cost, child_memo)?;
                space.undo(&mut state, mv, token);
                let node = NodeView { state: &state, cost, estimate };
                match fate {
                    Fate::Kept => self.task.observer.generated(&node, mv),
                    Fate::Known => self.task.observer.duplicate(&node, mv),
                    Fate::Dropped(rule) => self.task.observer.pruned(&node, mv, rule),
                }
            }
        }
    }

    fn consider(
        &mut self,
        meter: &mut Meter,
        after: &S::State,
        mv: S::Move,
        parent: u32,
        cost: Cost,
        memo: H::Memo,
    ) -> Result<Fate, Limit> {
        let space = self.task.space;
        let mut ruling = self.task.prune.judge(space, after, mv, cost, meter)?;
        if ruling == Ruling::Keep && self.task.heuristic.value(memo) == DEAD {
            ruling = Ruling::Drop("bound");
        }
        if let Ruling::Drop(rule) = ruling {
            self.stats.add_pruned(rule, 1);
            return Ok(Fate::Dropped(rule));
        }
        if self.add(meter, after, parent, cost, memo)? {
            Ok(Fate::Kept)
        } else {
            self.stats.duplicates += 1;
            Ok(Fate::Known)
        }
    }

    /// Stores a state and puts it in the frontier, unless it is known.
    fn add(
        &mut self,
        meter: &mut Meter,
        state: &S::State,
        parent: u32,
        cost: Cost,
        memo: H::Memo,
    ) -> Result<bool, Limit> {
        let key = self.task.space.pack(state);
        let hash = self.arena.keys.hash(&key);
        if self.seen.lookup(&self.arena.keys, hash, &key).is_some() {
            return Ok(false);
        }
        let id = self.arena.push(&mut meter.ledger, &key, parent, cost, memo)?;
        self.seen.record(&mut meter.ledger, &self.arena.keys, hash, id)?;
        let estimate = self.task.heuristic.value(memo);
        let novelty = self.novelties.measure(self.task.space, state, estimate, meter)?;
        let priority = Priority { key: novelty, tie: estimate };
        self.frontier.push(&mut meter.ledger, Waiting { id, cost }, priority)?;
        self.stats.frontier_peak = self.stats.frontier_peak.max(self.frontier.len() as u64);
        Ok(true)
    }
}

enum Fate {
    Kept,
    Known,
    Dropped(&'static str),
}
