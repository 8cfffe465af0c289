//! The first of the two engines: graph search with a frontier and a memory of states.
//!
//! Breadth-first, depth-first, uniform-cost, greedy, A* and weighted A* are compositions of this loop with a
//! [`Frontier`], a [`Seen`] set, a [`Heuristic`] and a [`Prune`]; Iterated Width is the loop with a novelty rule inside a
//! loop over widths.
//!
//! The loop works in two passes so that waits for memory overlap: the first makes successors and announces their
//! look-ups, the second looks them up in the same order. A queue may do so for several nodes at a time, since nothing
//! that a node's successors do can change which node is next.

use crate::arena::{Arena, NodeId};
use crate::budget::{Limit, Meter};
use crate::frontier::{Frontier, Priority, Waiting};
use crate::heuristic::Heuristic;
use crate::memory::OutOfMemory;
use crate::observer::{Observer, Seen as Node};
use crate::outcome::{DEAD, Solution, Stats, Verdict};
use crate::prune::{Prune, Ruling};
use crate::seen::Seen;
use crate::space::{Cost, Space};

/// When a state is asked whether it is a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalTest {
    /// As soon as it is made: right where the first plan found is as good as any later one.
    WhenMade,
    /// When it is taken from the frontier: what uniform cost and A* need.
    WhenTaken,
}

/// How the loop behaves; the parts that change its order are the frontier and the priority.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// When to ask for the goal.
    pub goal_test: GoalTest,
    /// Is the start recorded as seen? (It is everywhere but in two of the classic reports.)
    pub record_start: bool,
    /// Is a known state taken up again when a cheaper way to it is found?
    pub reopen: bool,
}

/// The parts of a graph search.
pub struct Parts<'a, S: Space, F, T, H, P, O, Q> {
    /// Where to search.
    pub space: &'a S,
    /// Who is next.
    pub frontier: F,
    /// Who was there.
    pub seen: T,
    /// The estimate.
    pub heuristic: &'a H,
    /// The rules that drop successors.
    pub prune: P,
    /// Who watches.
    pub observer: O,
    /// The priority of a state with this path cost and this estimate.
    pub priority: Q,
    /// How the loop behaves.
    pub habits: Habits,
}

/// How the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<M> {
    /// A goal: the last stored node on the way, the move from it (none if the node is the goal itself), the cost.
    Goal(NodeId, Option<M>, u64),
    /// Nothing waits any more.
    Empty,
    /// A limit.
    Limit(Limit),
}

/// A finished graph search: how it ended, its nodes and its parts, for whoever wants to look into them.
pub struct Finished<S: Space, F, T, H: Heuristic<S>, P, O> {
    /// How it ended.
    pub end: End<S::Move>,
    /// The nodes.
    pub arena: Arena<S::Key, H::Memo>,
    /// The counters (time and bytes are the meter's).
    pub stats: Stats,
    /// What still waited.
    pub frontier: F,
    /// The states met.
    pub seen: T,
    /// The rules.
    pub prune: P,
    /// The observer.
    pub observer: O,
}

impl<S: Space, F, T, H: Heuristic<S>, P: Prune<S>, O> Finished<S, F, T, H, P, O> {
    /// The verdict of a search that proves its plan the cheapest if `optimal`; rules that may drop the way to a goal take
    /// that promise away, and the proof that there is no plan.
    pub fn verdict(&self, space: &S, optimal: bool) -> Verdict<S::Move> {
        let sound = self.prune.is_sound();
        match self.end {
            End::Goal(id, last, _) => {
                let (moves, cost) = self.arena.plan(space, id, last);
                let lower_bound = if optimal && sound { cost } else { 0 };
                Verdict::Solved(Solution { moves, cost, lower_bound })
            }
            End::Empty if sound => Verdict::Exhausted,
            End::Empty => Verdict::GaveUp,
            End::Limit(limit) => Verdict::Stopped(limit),
        }
    }
}

/// A successor between the two passes.
struct Child<S: Space, M> {
    key: S::Key,
    digest: u64,
    parent: NodeId,
    mv: S::Move,
    cost: Cost,
    memo: M,
}

/// How many nodes of a queue are expanded between two rounds of look-ups.
const BATCH: usize = 16;

struct Loop<'a, S: Space, F, T, H: Heuristic<S>, P, O, Q> {
    parts: Parts<'a, S, F, T, H, P, O, Q>,
    arena: Arena<S::Key, H::Memo>,
    stats: Stats,
    pending: Vec<Child<S, H::Memo>>,
    /// Does the observer look at single states?
    watched: bool,
}

/// Runs the loop until a goal, the end of the frontier or a limit.
pub fn search<S, F, T, H, P, O, Q>(
    parts: Parts<'_, S, F, T, H, P, O, Q>,
    meter: &mut Meter,
) -> Finished<S, F, T, H, P, O>
where
    S: Space,
    F: Frontier,
    T: Seen<S>,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    Q: Fn(Cost, Cost) -> Priority,
{
    let arena = Arena::new(parts.space.key_width(), !F::IN_ORDER);
    let watched = parts.observer.watches_states();
    let mut run = Loop { parts, arena, stats: Stats::default(), pending: Vec::new(), watched };
    let end = match run.begin(meter) {
        Ok(true) => End::Goal(0, None, 0),
        Ok(false) if F::IN_ORDER => run.by_layers(meter),
        Ok(false) => run.one_by_one(meter),
        Err(OutOfMemory) => End::Limit(Limit::Memory),
    };
    run.stats.stored = run.arena.len() as u64;
    if let End::Goal(_, _, cost) = end {
        run.parts.observer.found(cost);
    }
    let Loop { parts, arena, stats, .. } = run;
    let Parts { frontier, seen, prune, observer, .. } = parts;
    Finished { end, arena, stats, frontier, seen, prune, observer }
}

impl<S, F, T, H, P, O, Q> Loop<'_, S, F, T, H, P, O, Q>
where
    S: Space,
    F: Frontier,
    T: Seen<S>,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    Q: Fn(Cost, Cost) -> Priority,
{
    /// Puts the start in; `true` if it is a goal and that is asked when a state is made.
    fn begin(&mut self, meter: &mut Meter) -> Result<bool, OutOfMemory> {
        let Parts { space, heuristic, habits, .. } = self.parts;
        let start = space.start();
        self.parts.prune.begin(space, &start, &mut meter.ledger)?;
        let memo = heuristic.root(space, &start);
        let key = space.pack(&start);
        let id = self.arena.push(&mut meter.ledger, &key, crate::arena::NO_NODE, 0, memo)?;
        if habits.record_start {
            let digest = self.parts.seen.digest(space, &start, &key, &self.arena.keys);
            self.parts.seen.insert(&mut meter.ledger, &self.arena.keys, digest, id)?;
        }
        let priority = (self.parts.priority)(0, heuristic.value(memo));
        self.parts.frontier.push(&mut meter.ledger, Waiting { id, cost: 0 }, priority)?;
        self.stats.frontier_peak = 1;
        Ok(habits.goal_test == GoalTest::WhenMade && space.is_goal(&start))
    }

    /// The loop of a queue: whole batches inside a layer, since the path cost of a node is its layer.
    fn by_layers(&mut self, meter: &mut Meter) -> End<S::Move> {
        let mut state = self.parts.space.start();
        let batch = if self.watched { 1 } else { BATCH };
        let mut layer: Cost = 0;
        let mut layer_end = self.arena.len() as NodeId;
        loop {
            let mut goal = None;
            for _ in 0..batch {
                if let Some(end) = self.look(meter) {
                    return end;
                }
                let Some(Waiting { id, .. }) = self.parts.frontier.pop() else { break };
                if id >= layer_end {
                    layer += 1;
                    layer_end = self.arena.len() as NodeId;
                }
                goal = match self.expand(meter, &mut state, id, layer) {
                    Ok(goal) => goal,
                    Err(OutOfMemory) => return End::Limit(Limit::Memory),
                };
                // The next layer's end is known only when this layer's successors are all in.
                if goal.is_some() || id + 1 == layer_end {
                    break;
                }
            }
            if self.settle(meter, &state).is_err() {
                return End::Limit(Limit::Memory);
            }
            if let Some(end) = goal {
                return end;
            }
            if self.parts.frontier.is_empty() {
                return End::Empty;
            }
        }
    }

    /// The loop of every other frontier: one node at a time, since its successors may come next.
    fn one_by_one(&mut self, meter: &mut Meter) -> End<S::Move> {
        let mut state = self.parts.space.start();
        loop {
            if let Some(end) = self.look(meter) {
                return end;
            }
            let Some(Waiting { id, cost }) = self.parts.frontier.pop() else { return End::Empty };
            if cost != self.arena.cost(id) {
                continue; // stale: the node was reached more cheaply since
            }
            let result = self.expand(meter, &mut state, id, cost);
            let settled = self.settle(meter, &state);
            match (result, settled) {
                (Ok(Some(end)), Ok(())) => return end,
                (Ok(None), Ok(())) => {}
                _ => return End::Limit(Limit::Memory),
            }
        }
    }

    #[inline(always)]
    fn look(&mut self, meter: &mut Meter) -> Option<End<S::Move>> {
        if meter.due() {
            if let Err(limit) = meter.look() {
                return Some(End::Limit(limit));
            }
            self.stats.stored = self.arena.len() as u64;
            self.stats.close(meter);
            self.parts.observer.tick(&self.stats);
        }
        None
    }

    /// First pass: makes the successors of a node and announces their look-ups.
    #[inline]
    fn expand(
        &mut self,
        meter: &mut Meter,
        state: &mut S::State,
        id: NodeId,
        cost: Cost,
    ) -> Result<Option<End<S::Move>>, OutOfMemory> {
        let Parts { space, heuristic, habits, .. } = self.parts;
        space.unpack_into(&self.arena.keys.get(id), state);
        if habits.goal_test == GoalTest::WhenTaken && space.is_goal(state) {
            return Ok(Some(End::Goal(id, None, u64::from(cost))));
        }
        meter.count();
        self.stats.expanded += 1;
        self.stats.depth = self.stats.depth.max(u64::from(cost));
        let memo = self.arena.memo(id);
        self.parts.observer.expanded(&Node { state, cost, estimate: heuristic.value(memo) });
        self.parts.prune.enter(space, state);
        for mv in space.moves(state) {
            let child_cost = cost.saturating_add(space.cost(state, mv));
            self.stats.generated += 1;
            let token = space.apply(state, mv);
            if habits.goal_test == GoalTest::WhenMade && space.is_goal(state) {
                space.undo(state, mv, token);
                return Ok(Some(End::Goal(id, Some(mv), u64::from(child_cost))));
            }
            let mut ruling = self.parts.prune.judge(space, state, mv, child_cost, &mut meter.ledger)?;
            let child_memo = heuristic.step(space, state, mv, memo);
            if ruling == Ruling::Keep && heuristic.value(child_memo) == DEAD {
                ruling = Ruling::Drop("bound");
            }
            if let Ruling::Drop(rule) = ruling {
                space.undo(state, mv, token);
                self.stats.add_pruned(rule, 1);
                let node = Node { state, cost, estimate: heuristic.value(memo) };
                self.parts.observer.pruned(&node, mv, rule);
                continue;
            }
            let key = space.pack(state);
            let digest = self.parts.seen.digest(space, state, &key, &self.arena.keys);
            self.parts.seen.announce(digest);
            space.undo(state, mv, token);
            let child = Child { key, digest, parent: id, mv, cost: child_cost, memo: child_memo };
            meter.ledger.push(&mut self.pending, child)?;
        }
        Ok(None)
    }

    /// Second pass: looks the successors up, in the order in which they were made, and keeps the new ones.
    #[inline]
    fn settle(&mut self, meter: &mut Meter, state: &S::State) -> Result<(), OutOfMemory> {
        for child in &self.pending {
            self.parts.seen.approach(&self.arena.keys, child.digest);
        }
        let mut pending = std::mem::take(&mut self.pending);
        let result = pending.iter().try_for_each(|child| self.settle_one(meter, state, child));
        pending.clear();
        self.pending = pending;
        self.stats.frontier_peak = self.stats.frontier_peak.max(self.parts.frontier.len() as u64);
        result
    }

    #[inline(always)]
    fn settle_one(
        &mut self,
        meter: &mut Meter,
        state: &S::State,
        child: &Child<S, H::Memo>,
    ) -> Result<(), OutOfMemory> {
        let Child { key, digest, parent, mv, cost, memo } = child;
        let ledger = &mut meter.ledger;
        let found = self.parts.seen.find(&self.arena.keys, *digest, key);
        // Only an observer of states needs the parent; it is handed nodes one by one, so `state` is the parent still.
        let parent_node = Node {
            state,
            cost: if self.watched { self.arena.cost(*parent) } else { 0 },
            estimate: if self.watched { self.parts.heuristic.value(self.arena.memo(*parent)) } else { 0 },
        };
        let id = match found {
            Some(old) if self.parts.habits.reopen && *cost < self.arena.cost(old) => {
                self.arena.rewire(old, *parent, *cost, *memo);
                self.stats.reopened += 1;
                old
            }
            Some(_) => {
                self.stats.duplicates += 1;
                self.parts.observer.duplicate(&parent_node, *mv);
                return Ok(());
            }
            None => {
                let id = self.arena.push(ledger, key, *parent, *cost, *memo)?;
                self.parts.seen.insert(ledger, &self.arena.keys, *digest, id)?;
                id
            }
        };
        let priority = (self.parts.priority)(*cost, self.parts.heuristic.value(*memo));
        self.parts.frontier.push(ledger, Waiting { id, cost: *cost }, priority)?;
        self.parts.observer.generated(&parent_node, *mv);
        Ok(())
    }
}
