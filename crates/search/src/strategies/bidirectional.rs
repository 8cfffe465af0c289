//! Bidirectional breadth-first search: from the start and from the goals at once, until they meet.
//!
//! After Pohl (1971) and AIMA (4th ed.), section 3.4.5. Whole layers are searched, always on the side whose next layer is
//! smaller. At the first meeting, every shorter plan would have met before. So with moves of cost 1 the first meeting is a
//! shortest plan.
//!
//! ```
//! use beeline_search::Search;
//! use beeline_search::example::Knight;
//!
//! let outcome = Search::new(&Knight::across(8)).run("bidirectional")?;
//! assert!(outcome.solution().is_some_and(|plan| plan.cost == 6 && plan.is_optimal()));
//! # Ok::<(), beeline_search::Unsupported>(())
//! ```

use super::{Strategy, Task, Unsupported, outcome};
use crate::core::arena::{Arena, NO_NODE, NodeId, replay};
use crate::core::budget::{Limit, Meter};
use crate::core::heuristic::Heuristic;
use crate::core::observer::{Observer, NodeView};
use crate::core::outcome::{Complete, Optimal, Outcome, Solution, Stats, Verdict};
use crate::core::prune::{Prune, Ruling};
use crate::core::seen::Table;
use crate::core::space::{Cost, Space};

/// What it is.
pub const ABOUT: Strategy = Strategy {
    name: "bidirectional",
    title: "bidirectional breadth-first search",
    about: "Searches breadth-first from the start and backwards from all goals at once, a layer at a time on the smaller \
            side, until the two meet. For spaces whose moves can be taken back and whose goals can be listed.",
    optimal: Optimal::Yes,
    complete: Complete::Yes,
    informed: false,
    pseudocode: "\
A <- layers from the start; B <- layers from the goals
repeat
    take the side whose last layer is smaller
    for each state s of that layer, for each move m of s
        t <- s after m
        if t is on the other side: return the way through t
        if t is new on this side: put t in its next layer
    if the next layer is empty: return none
(after Pohl 1971; Russell & Norvig, AIMA 4th ed., section 3.4.5)",
    cost: "time and memory O(b^(d/2))",
};

/// One of the two searches.
struct Side<S: Space> {
    arena: Arena<S::Key>,
    table: Table,
    layer: std::ops::Range<NodeId>,
    depth: u64,
}

impl<S: Space> Side<S> {
    fn new(space: &S) -> Self {
        Self { arena: Arena::new(space.key_width(), false), table: Table::new(), layer: 0..0, depth: 0 }
    }

    fn find(&self, key: &S::Key) -> Option<NodeId> {
        self.table.lookup(&self.arena.keys, self.arena.keys.hash(key), key)
    }

    /// Adds a state unless it is there.
    fn add(&mut self, meter: &mut Meter, key: &S::Key, parent: NodeId) -> Result<Option<NodeId>, Limit> {
        if self.find(key).is_some() {
            return Ok(None);
        }
        let id = self.arena.push(&mut meter.ledger, key, parent, 0, ())?;
        self.table.record(&mut meter.ledger, &self.arena.keys, self.arena.keys.hash(key), id)?;
        Ok(Some(id))
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
    let Task { space, prune, budget, observer, .. } = task;
    let refuse = |why: &str| Err(Unsupported::needs(ABOUT.name, why));
    if !space.reversible() {
        return refuse("the moves of this space cannot be taken back");
    }
    if !space.unit_cost() {
        return refuse("the moves of this space do not all cost 1");
    }
    let Some(goals) = space.goals() else {
        return refuse("the goals of this space cannot be listed");
    };
    let mut meter = Meter::new(budget);
    let sound = prune.is_sound();
    let mut search = Search {
        space,
        prune,
        observer,
        stats: Stats::default(),
        sides: [Side::new(space), Side::new(space)],
    };
    let verdict = match search.run(&mut meter, &goals) {
        Ok(Some(keys)) => {
            let (moves, cost) = replay(space, &mut space.start(), keys.into_iter());
            search.observer.found(cost);
            Verdict::Solved(Solution { moves, cost, lower_bound: if sound { cost } else { 0 } })
        }
        Ok(None) if sound => Verdict::Exhausted,
        Ok(None) => Verdict::GaveUp,
        Err(limit) => Verdict::Stopped(limit),
    };
    let mut stats = search.stats;
    stats.stored = search.sides.iter().map(|side| side.arena.len() as u64).sum();
    Ok(outcome(verdict, stats, &meter))
}

struct Search<'a, S: Space, P, O> {
    space: &'a S,
    prune: P,
    observer: O,
    stats: Stats,
    /// From the start, and from the goals.
    sides: [Side<S>; 2],
}

impl<S: Space, P: Prune<S>, O: Observer<S>> Search<'_, S, P, O> {
    /// The keys of a shortest plan, start excluded.
    fn run(&mut self, meter: &mut Meter, goals: &[S::State]) -> Result<Option<Vec<S::Key>>, Limit> {
        let start = self.space.start();
        self.prune.begin(self.space, &start, meter)?;
        let key = self.space.pack(&start);
        self.sides[0].add(meter, &key, NO_NODE)?;
        for goal in goals {
            self.sides[1].add(meter, &self.space.pack(goal), NO_NODE)?;
        }
        if self.sides[1].find(&key).is_some() {
            return Ok(Some(Vec::new()));
        }
        for side in &mut self.sides {
            side.layer = 0..side.arena.len() as NodeId;
        }
        loop {
            let here = usize::from(self.sides[1].layer.len() < self.sides[0].layer.len());
            if self.sides[here].layer.is_empty() {
                return Ok(None);
            }
            if let Some((mine, theirs)) = self.layer(meter, here)? {
                let (from_start, from_goal) = if here == 0 { (mine, theirs) } else { (theirs, mine) };
                return Ok(Some(self.keys(from_start, from_goal)));
            }
        }
    }

    /// Searches one layer of one side. Gives the two nodes that meet, one move apart, if the sides meet.
    fn layer(&mut self, meter: &mut Meter, here: usize) -> Result<Option<(NodeId, NodeId)>, Limit> {
        let mut state = self.space.start();
        for id in self.sides[here].layer.clone() {
            if meter.due() {
                meter.look()?;
                self.stats.close(meter);
                self.observer.tick(&self.stats);
            }
            meter.count();
            self.stats.expanded += 1;
            let cost = Cost::try_from(self.sides[here].depth).unwrap_or(Cost::MAX);
            self.stats.depth = self.stats.depth.max(self.sides[0].depth + self.sides[1].depth);
            self.space.unpack_into(&self.sides[here].arena.keys.get(id), &mut state);
            self.observer.expanded(&NodeView { state: &state, cost, estimate: 0 });
            self.prune.enter(self.space, &state);
            for mv in self.space.moves(&state) {
                self.stats.generated += 1;
                let token = self.space.apply(&mut state, mv);
                // Seen from the start a dead end may be dropped. Seen from a goal it is only an unreachable state.
                let ruling = if here == 0 {
                    self.prune.judge(self.space, &state, mv, cost.saturating_add(1), meter)?
                } else {
                    Ruling::Keep
                };
                let key = self.space.pack(&state);
                self.space.undo(&mut state, mv, token);
                let node = NodeView { state: &state, cost, estimate: 0 };
                if let Ruling::Drop(rule) = ruling {
                    self.stats.add_pruned(rule, 1);
                    self.observer.pruned(&node, mv, rule);
                } else if let Some(other) = self.sides[1 - here].find(&key) {
                    return Ok(Some((id, other)));
                } else if self.sides[here].add(meter, &key, id)?.is_some() {
                    self.observer.generated(&node, mv);
                } else {
                    self.stats.duplicates += 1;
                    self.observer.duplicate(&node, mv);
                }
            }
        }
        let side = &mut self.sides[here];
        side.layer = side.layer.end..side.arena.len() as NodeId;
        side.depth += 1;
        let waiting = self.sides.iter().map(|side| side.layer.len() as u64).sum();
        self.stats.frontier_peak = self.stats.frontier_peak.max(waiting);
        Ok(None)
    }

    fn keys(&self, from_start: NodeId, from_goal: NodeId) -> Vec<S::Key> {
        let [ahead, back] = &self.sides;
        let there = ahead.arena.lineage(from_start).into_iter().skip(1).map(|id| ahead.arena.keys.get(id));
        let mut home = back.arena.lineage(from_goal);
        home.reverse();
        there.chain(home.into_iter().map(|id| back.arena.keys.get(id))).collect()
    }
}
