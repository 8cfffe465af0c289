//! The first of the two loops: graph search with a frontier and a set of known states.
//!
//! Breadth-first, depth-first, uniform-cost, greedy, A*, weighted A* and best-first width search are compositions of this loop with a
//! [`Frontier`], an [`Evaluator`], a [`Seen`] set, a [`Heuristic`] and a [`Prune`]; Iterated Width is the loop with a novelty rule inside a
//! loop over widths.
//!
//! The loop works in two passes so that memory latencies overlap. The first pass generates successors and announces their
//! look-ups; the second looks them up in the same order. A queue does so for several nodes at a time, because a node's
//! successors cannot change which node is next.

mod saving;

use crate::core::arena::{Arena, NO_NODE, NodeId};
use crate::core::budget::{Limit, Meter};
use crate::core::checkpoint::Unloadable;
use crate::core::evaluator::Evaluator;
use crate::core::frontier::{Frontier, Waiting};
use crate::core::heuristic::Heuristic;
use crate::core::observer::{NodeView, Observer};
use crate::core::outcome::{DEAD, Solution, Stats, Verdict};
use crate::core::prune::{Prune, Ruling};
use crate::core::seen::Seen;
use crate::core::space::{Cost, Space};
use saving::{Mark, Open};

/// When the goal test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalTest {
    /// When a state is generated: right where the first plan found is as good as any later one.
    WhenMade,
    /// When a state is taken from the frontier: required by uniform-cost search and A*.
    WhenTaken,
}

/// The options of the loop. The frontier and the evaluator determine its order.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// When the goal test runs.
    pub goal_test: GoalTest,
    /// Is the start recorded as seen? (Always, except in two of the classic reports.)
    pub record_start: bool,
    /// Is a known state reopened when a cheaper way to it is found?
    pub reopen: bool,
}

/// The parts of a graph search.
pub struct Parts<'a, S: Space, F, T, H, P, O> {
    /// The space.
    pub space: &'a S,
    /// The frontier.
    pub frontier: F,
    /// The known states.
    pub seen: T,
    /// The estimate.
    pub heuristic: &'a H,
    /// The rules that drop successors.
    pub prune: P,
    /// The observer.
    pub observer: O,
    /// The frontier's sort key.
    pub evaluator: Evaluator<'a, S>,
    /// The options of the loop.
    pub policy: Policy,
}

/// How the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<M> {
    /// A goal: the last stored node on the way, the move from it (`None` if the node is the goal itself), the cost.
    Goal(NodeId, Option<M>, u64),
    /// The frontier is empty.
    Empty,
    /// A limit.
    Limit(Limit),
}

/// A finished graph search, with its nodes and parts for inspection.
pub struct Finished<S: Space, F, T, H: Heuristic<S>, P, O> {
    /// How it ended.
    pub end: End<S::Move>,
    /// The nodes.
    pub arena: Arena<S::Key, H::Memo>,
    /// The counters (time and bytes are the meter's).
    pub stats: Stats,
    /// The frontier.
    pub frontier: F,
    /// The states met.
    pub seen: T,
    /// The rules.
    pub prune: P,
    /// The observer.
    pub observer: O,
}

impl<S: Space, F, T, H: Heuristic<S>, P: Prune<S>, O> Finished<S, F, T, H, P, O> {
    /// The verdict of a search that proves its plan the cheapest if `optimal`. Unsound rules remove that promise, and the proof
    /// that there is no plan.
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

/// Successors of one node that are not charged: nodes of most spaces have fewer. Each further one costs [`WORK_PER_SUCCESSOR`].
const FEW: u64 = 32;
/// Work of a successor beyond the first [`FEW`], in units of [`Meter::work`]. An estimate on a large board can take a
/// millisecond, so the clock is looked at after about 16 of them.
const WORK_PER_SUCCESSOR: u64 = 1 << 14;

/// Nodes of a queue expanded between two rounds of look-ups.
const BATCH: usize = 16;

struct Loop<'a, S: Space, F, T, H: Heuristic<S>, P, O> {
    parts: Parts<'a, S, F, T, H, P, O>,
    arena: Arena<S::Key, H::Memo>,
    scratch: H::Scratch,
    stats: Stats,
    pending: Vec<Child<S, H::Memo>>,
    /// Pending successors settled when a limit was reached, and the number of nodes then.
    settled: (usize, usize),
    /// Does the observer need single states?
    watched: bool,
}

/// The position in a queue: the path cost of the current layer, and the first node behind it.
#[derive(Clone, Copy)]
struct Layer {
    cost: Cost,
    end: NodeId,
}

/// Runs the loop until a goal, the end of the frontier or a limit.
pub fn search<S, F, T, H, P, O>(
    parts: Parts<'_, S, F, T, H, P, O>,
    meter: &mut Meter,
) -> Finished<S, F, T, H, P, O>
where
    S: Space,
    F: Frontier,
    T: Seen<S>,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    let arena = Arena::new(parts.space.key_width(), !F::IN_ORDER);
    let watched = parts.observer.watches_states();
    let (stats, pending) = (Stats::default(), Vec::new());
    let mut run =
        Loop { parts, arena, scratch: H::Scratch::default(), stats, pending, settled: (0, 0), watched };
    let start = match meter.resume() {
        Some(mut saved) => run.resume(&mut saved, meter).map(|(layer, open)| (false, layer, open)),
        None => {
            run.begin(meter).map(|goal| (goal, Layer { cost: 0, end: 1 }, None)).map_err(Unloadable::from)
        }
    };
    let end = match start {
        Ok((true, ..)) => End::Goal(0, None, 0),
        Ok((false, layer, _)) if F::IN_ORDER => run.by_layers(meter, layer),
        Ok((false, _, open)) => run.one_by_one(meter, open),
        Err(Unloadable::Limit(limit)) => End::Limit(limit),
        Err(Unloadable::Damage(damage)) => {
            meter.refuse(damage);
            End::Limit(Limit::Cancelled)
        }
    };
    run.stats.stored = run.arena.len() as u64;
    if let End::Goal(_, _, cost) = end {
        run.parts.observer.found(cost);
    }
    let Loop { parts, arena, stats, .. } = run;
    let Parts { frontier, seen, prune, observer, .. } = parts;
    Finished { end, arena, stats, frontier, seen, prune, observer }
}

impl<S, F, T, H, P, O> Loop<'_, S, F, T, H, P, O>
where
    S: Space,
    F: Frontier,
    T: Seen<S>,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    /// Adds the start; `true` if it is a goal and the goal test runs on generation.
    fn begin(&mut self, meter: &mut Meter) -> Result<bool, Limit> {
        let Parts { space, heuristic, policy, .. } = self.parts;
        let start = space.start();
        self.parts.prune.begin(space, &start, meter)?;
        let memo = heuristic.root(space, &start, &mut self.scratch);
        let key = space.pack(&start);
        let id = self.arena.push(&mut meter.ledger, &key, NO_NODE, 0, memo)?;
        if policy.record_start {
            let digest = self.parts.seen.digest(space, &start, &key, &self.arena.keys);
            self.parts.seen.insert(&mut meter.ledger, &self.arena.keys, digest, id)?;
        }
        let priority = match &mut self.parts.evaluator {
            Evaluator::Weighted(weights) => weights.priority(0, heuristic.value(memo)),
            Evaluator::Own(own) => own.priority(space, &start, 0, heuristic.value(memo), meter)?,
        };
        self.parts.frontier.push(&mut meter.ledger, Waiting { id, cost: 0 }, priority)?;
        self.stats.frontier_peak = 1;
        Ok(policy.goal_test == GoalTest::WhenMade && space.is_goal(&start))
    }

    /// The loop of a queue: whole batches inside a layer, because the path cost of a node is its layer.
    fn by_layers(&mut self, meter: &mut Meter, mut layer: Layer) -> End<S::Move> {
        let mut state = self.parts.space.start();
        loop {
            // A resumed search starts at the beginning of a batch, so that its batches are the same.
            let mark = meter.keeps().then(|| self.mark(layer));
            if meter.save_due()
                && let Some(mark) = &mark
            {
                self.save(meter, mark);
            }
            match self.batch(meter, &mut state, &mut layer) {
                Ok(None) if self.parts.frontier.is_empty() => return End::Empty,
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(limit) => {
                    if let Some(mark) = &mark {
                        self.save(meter, mark);
                    }
                    return End::Limit(limit);
                }
            }
        }
    }

    /// Expands a few nodes of a queue and settles their successors.
    #[inline]
    fn batch(
        &mut self,
        meter: &mut Meter,
        state: &mut S::State,
        layer: &mut Layer,
    ) -> Result<Option<End<S::Move>>, Limit> {
        let mut goal = None;
        for _ in 0..if self.watched { 1 } else { BATCH } {
            self.look(meter)?;
            let Some(Waiting { id, .. }) = self.parts.frontier.pop() else { break };
            if id >= layer.end {
                *layer = Layer { cost: layer.cost.saturating_add(1), end: self.arena.len() as NodeId };
            }
            goal = self.expand(meter, state, id, layer.cost)?;
            // The end of the next layer is known only when all successors of this layer are stored.
            if goal.is_some() || id + 1 == layer.end {
                break;
            }
        }
        self.settle(meter, state)?;
        Ok(goal)
    }

    /// The loop of every other frontier: one node at a time, because its successors may come next.
    fn one_by_one(&mut self, meter: &mut Meter, mut open: Option<Open>) -> End<S::Move> {
        let mut state = self.parts.space.start();
        let nowhere = Layer { cost: 0, end: 0 };
        loop {
            let looked = self.look(meter);
            if meter.save_due() || (looked.is_err() && meter.keeps()) {
                let mark = Mark { open, ..self.mark(nowhere) };
                self.save(meter, &mark);
            }
            if let Err(limit) = looked {
                return End::Limit(limit);
            }
            let (node, settled) = match open.take() {
                Some(open) => open,
                None => match self.parts.frontier.pop() {
                    // Stale: the node was reached more cheaply since.
                    Some(node) if node.cost != self.arena.cost(node.id) => continue,
                    Some(node) => (node, 0),
                    None => return End::Empty,
                },
            };
            let before = meter.keeps().then(|| self.stats.clone());
            match self.expand_fully(meter, &mut state, node, settled) {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(limit) => {
                    if let Some(before) = before {
                        let mark = self.mark_inside(node, &before);
                        self.save(meter, &mark);
                    }
                    return End::Limit(limit);
                }
            }
        }
    }

    /// Expands a node and settles its successors except the first few, which were settled before.
    #[inline]
    fn expand_fully(
        &mut self,
        meter: &mut Meter,
        state: &mut S::State,
        node: Waiting,
        settled: u32,
    ) -> Result<Option<End<S::Move>>, Limit> {
        self.settled = (settled as usize, self.arena.len());
        let end = self.expand(meter, state, node.id, node.cost)?;
        if settled > 0 {
            self.pending.drain(..(settled as usize).min(self.pending.len()));
        }
        let settled_before = settled as usize;
        let result = self.settle(meter, state);
        self.settled.0 += if result.is_err() { settled_before } else { 0 };
        result?;
        Ok(end)
    }

    #[inline(always)]
    fn look(&mut self, meter: &mut Meter) -> Result<(), Limit> {
        if meter.due() {
            meter.look()?;
            self.stats.stored = self.arena.len() as u64;
            self.stats.close(meter);
            self.parts.observer.tick(&self.stats);
        }
        Ok(())
    }

    /// First pass: generates the successors of a node and announces their look-ups.
    #[inline]
    fn expand(
        &mut self,
        meter: &mut Meter,
        state: &mut S::State,
        id: NodeId,
        cost: Cost,
    ) -> Result<Option<End<S::Move>>, Limit> {
        let Parts { space, heuristic, policy, .. } = self.parts;
        space.unpack_into(&self.arena.keys.get(id), state);
        if policy.goal_test == GoalTest::WhenTaken && space.is_goal(state) {
            return Ok(Some(End::Goal(id, None, u64::from(cost))));
        }
        meter.count();
        self.stats.expanded += 1;
        self.stats.depth = self.stats.depth.max(u64::from(cost));
        let memo = self.arena.memo(id);
        self.parts.observer.expanded(&NodeView { state, cost, estimate: heuristic.value(memo) });
        self.parts.prune.enter(space, state);
        let few = self.stats.generated + FEW;
        for mv in space.moves(state) {
            if self.stats.generated > few {
                meter.work(WORK_PER_SUCCESSOR)?;
            }
            let child_cost = cost.saturating_add(space.cost(state, mv));
            self.stats.generated += 1;
            let token = space.apply(state, mv);
            if policy.goal_test == GoalTest::WhenMade && space.is_goal(state) {
                space.undo(state, mv, token);
                return Ok(Some(End::Goal(id, Some(mv), u64::from(child_cost))));
            }
            let mut ruling = self.parts.prune.judge(space, state, mv, child_cost, meter)?;
            let child_memo = heuristic.step(space, state, mv, memo, &mut self.scratch);
            if ruling == Ruling::Keep && heuristic.value(child_memo) == DEAD {
                ruling = Ruling::Drop("bound");
            }
            if let Ruling::Drop(rule) = ruling {
                space.undo(state, mv, token);
                self.stats.add_pruned(rule, 1);
                let node = NodeView { state, cost, estimate: heuristic.value(memo) };
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

    /// Second pass: looks up the successors in the order of generation and keeps the new ones.
    #[inline]
    fn settle(&mut self, meter: &mut Meter, state: &mut S::State) -> Result<(), Limit> {
        for child in &self.pending {
            self.parts.seen.approach(&self.arena.keys, child.digest);
        }
        let mut pending = std::mem::take(&mut self.pending);
        let result = pending.iter().enumerate().try_for_each(|(i, child)| {
            self.settled = (i, self.arena.len());
            self.settle_one(meter, state, child)
        });
        pending.clear();
        self.pending = pending;
        self.stats.frontier_peak = self.stats.frontier_peak.max(self.parts.frontier.len() as u64);
        result
    }

    #[inline(always)]
    fn settle_one(
        &mut self,
        meter: &mut Meter,
        state: &mut S::State,
        child: &Child<S, H::Memo>,
    ) -> Result<(), Limit> {
        let Child { key, digest, parent, mv, cost, memo } = child;
        let ledger = &mut meter.ledger;
        let found = self.parts.seen.find(&self.arena.keys, *digest, key);
        // Only an observer or evaluator of states needs the parent. They get nodes one by one, so `state` still is the parent.
        let parent_cost = if self.watched { self.arena.cost(*parent) } else { 0 };
        let parent_estimate =
            if self.watched { self.parts.heuristic.value(self.arena.memo(*parent)) } else { 0 };
        let id = match found {
            Some(old) if self.parts.policy.reopen && *cost < self.arena.cost(old) => old,
            Some(_) => {
                self.stats.duplicates += 1;
                let node = NodeView { state, cost: parent_cost, estimate: parent_estimate };
                self.parts.observer.duplicate(&node, *mv);
                return Ok(());
            }
            None => {
                let id = self.arena.push(ledger, key, *parent, *cost, *memo)?;
                self.parts.seen.insert(ledger, &self.arena.keys, *digest, id)?;
                id
            }
        };
        let estimate = self.parts.heuristic.value(*memo);
        let priority = match &mut self.parts.evaluator {
            Evaluator::Weighted(weights) => weights.priority(*cost, estimate),
            Evaluator::Own(own) => {
                let space = self.parts.space;
                let token = space.apply(state, *mv);
                let priority = own.priority(space, state, *cost, estimate, meter);
                space.undo(state, *mv, token);
                priority?
            }
        };
        self.parts.frontier.push(&mut meter.ledger, Waiting { id, cost: *cost }, priority)?;
        if found.is_some() {
            // Last, because it cannot fail: a successor is settled wholly or not at all.
            self.arena.rewire(id, *parent, *cost, *memo);
            self.stats.reopened += 1;
        }
        let node = NodeView { state, cost: parent_cost, estimate: parent_estimate };
        self.parts.observer.generated(&node, *mv);
        Ok(())
    }
}
