//! The second of the two engines: depth-first search in place.
//!
//! One working state, edited by moves and undone on the way back; no arena. Depth-limited search, iterative deepening and
//! IDA* are loops around it that set the bound. It keeps its own stack, so that a deep path costs memory that can be
//! counted, not the program's stack.

use crate::arena::{Keys, NodeId};
use crate::budget::{Limit, Meter};
use crate::heuristic::Heuristic;
use crate::memory::{Ledger, OutOfMemory};
use crate::observer::{Observer, Seen as Node};
use crate::outcome::{DEAD, Stats};
use crate::prune::{Prune, Ruling};
use crate::seen::Table;
use crate::space::{Cost, Space};

/// What a depth-first search remembers of the states it met.
pub trait Memory<S: Space> {
    /// Is a state with this much cost to spare worth searching? Remembers that it was, if so.
    fn admit(
        &mut self,
        space: &S,
        state: &S::State,
        slack: Cost,
        ledger: &mut Ledger,
    ) -> Result<bool, OutOfMemory>;
    /// Forgets everything, before a round with another bound.
    fn clear(&mut self);
    /// How many states are held.
    fn stored(&self) -> u64;
}

/// Remembers nothing: the tree search of IDA*.
impl<S: Space> Memory<S> for () {
    #[inline(always)]
    fn admit(&mut self, _: &S, _: &S::State, _: Cost, _: &mut Ledger) -> Result<bool, OutOfMemory> {
        Ok(true)
    }
    fn clear(&mut self) {}
    fn stored(&self) -> u64 {
        0
    }
}

/// Remembers each state with the most cost that was to spare there. A state is searched again only if more is to spare
/// now: with a plain set of visited states, a depth-limited search would miss plans.
#[derive(Debug)]
pub struct SlackTable<S: Space> {
    keys: Keys<S::Key>,
    slack: Vec<Cost>,
    table: Table,
}

impl<S: Space> SlackTable<S> {
    /// An empty table.
    pub fn new(space: &S) -> Self {
        Self { keys: Keys::new(space.key_width()), slack: Vec::new(), table: Table::new() }
    }
}

impl<S: Space> Memory<S> for SlackTable<S> {
    fn admit(
        &mut self,
        space: &S,
        state: &S::State,
        slack: Cost,
        ledger: &mut Ledger,
    ) -> Result<bool, OutOfMemory> {
        let key = space.pack(state);
        let hash = self.keys.hash(&key);
        if let Some(id) = self.table.lookup(&self.keys, hash, &key) {
            let known = &mut self.slack[id as usize];
            let more = slack > *known;
            if more {
                *known = slack;
            }
            return Ok(more);
        }
        ledger.push(&mut self.slack, slack)?;
        let id: NodeId = self.keys.push(ledger, &key)?;
        self.table.record(ledger, &self.keys, hash, id)?;
        Ok(true)
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.slack.clear();
        self.table.clear();
    }

    fn stored(&self) -> u64 {
        self.slack.len() as u64
    }
}

/// The parts of a depth-first search that stay the same from round to round.
pub struct Parts<'a, S: Space, H, P, O, M> {
    /// Where to search.
    pub space: &'a S,
    /// The estimate.
    pub heuristic: &'a H,
    /// The rules that drop successors.
    pub prune: P,
    /// Who watches.
    pub observer: O,
    /// What is remembered.
    pub memory: M,
    /// Leave out moves that only take the last one back?
    pub skip_undoing: bool,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<M> {
    /// A goal within the bound: the plan and its cost.
    Goal(Vec<M>, u64),
    /// No goal within the bound; the least cost above it that was met (none: nothing was cut off).
    Over(Option<Cost>),
    /// A limit.
    Limit(Limit),
}

/// A state on the path whose later moves still wait.
struct Frame<S: Space, M> {
    moves: S::Moves,
    mv: S::Move,
    token: S::Undo,
    memo: M,
    cost: Cost,
}

/// Searches depth-first for a goal whose cost (path plus estimate) is within `bound`, and adds what it counts to `stats`.
pub fn search<S, H, P, O, M>(
    parts: &mut Parts<'_, S, H, P, O, M>,
    bound: Cost,
    meter: &mut Meter,
    stats: &mut Stats,
) -> End<S::Move>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    M: Memory<S>,
{
    let mut stack: Vec<Frame<S, H::Memo>> = Vec::new();
    let end = descend(parts, bound, meter, stats, &mut stack);
    stats.stored = stats.stored.max(parts.memory.stored());
    meter.ledger.forget(stack);
    if let End::Goal(_, cost) = &end {
        parts.observer.found(*cost);
    }
    end
}

#[inline]
fn descend<S, H, P, O, M>(
    parts: &mut Parts<'_, S, H, P, O, M>,
    bound: Cost,
    meter: &mut Meter,
    stats: &mut Stats,
    stack: &mut Vec<Frame<S, H::Memo>>,
) -> End<S::Move>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    M: Memory<S>,
{
    let Parts { space, heuristic, prune, observer, memory, skip_undoing } = parts;
    let (space, heuristic, skip_undoing) = (*space, *heuristic, *skip_undoing);
    let mut state = space.start();
    let mut memo = heuristic.root(space, &state);
    let first = heuristic.value(memo);
    if first > bound {
        return End::Over((first != DEAD).then_some(first));
    }
    if space.is_goal(&state) {
        return End::Goal(Vec::new(), 0);
    }
    let (mut generated, mut next_bound) = (0u64, DEAD);
    let mut cost: Cost = 0;
    let mut deepest: Cost = 0;
    macro_rules! leave {
        ($end:expr) => {{
            stats.generated += generated;
            stats.depth = stats.depth.max(u64::from(deepest));
            stats.frontier_peak = stats.frontier_peak.max(stack.capacity() as u64);
            return $end;
        }};
    }
    match memory.admit(space, &state, bound, &mut meter.ledger) {
        Ok(_) => {}
        Err(OutOfMemory) => leave!(End::Limit(Limit::Memory)),
    }
    if let Err(limit) = meter.look() {
        leave!(End::Limit(limit));
    }
    meter.count();
    stats.expanded += 1;
    observer.expanded(&Node { state: &state, cost, estimate: first });
    prune.enter(space, &state);
    let mut moves = space.moves(&state);
    loop {
        let Some(mv) = moves.next() else {
            let Some(frame) = stack.pop() else {
                leave!(End::Over((next_bound != DEAD).then_some(next_bound)));
            };
            space.undo(&mut state, frame.mv, frame.token);
            (moves, memo, cost) = (frame.moves, frame.memo, frame.cost);
            continue;
        };
        generated += 1;
        let child_cost = cost + space.cost(&state, mv);
        let mut child_memo = memo;
        if H::PEEKS {
            child_memo = heuristic.peek(space, &state, mv, memo);
            let f = child_cost.saturating_add(heuristic.value(child_memo));
            if f > bound {
                next_bound = next_bound.min(f);
                continue;
            }
        }
        let token = space.apply(&mut state, mv);
        if !H::PEEKS {
            child_memo = heuristic.step(space, &state, mv, memo);
            let f = child_cost.saturating_add(heuristic.value(child_memo));
            if f > bound {
                space.undo(&mut state, mv, token);
                next_bound = next_bound.min(f);
                continue;
            }
        }
        match prune.judge(space, &state, mv, child_cost, &mut meter.ledger) {
            Ok(Ruling::Keep) => {}
            Ok(Ruling::Drop(rule)) => {
                space.undo(&mut state, mv, token);
                stats.add_pruned(rule, 1);
                observer.pruned(&Node { state: &state, cost, estimate: heuristic.value(memo) }, mv, rule);
                continue;
            }
            Err(OutOfMemory) => leave!(End::Limit(Limit::Memory)),
        }
        if space.is_goal(&state) {
            let mut plan: Vec<S::Move> = stack.iter().map(|frame| frame.mv).collect();
            plan.push(mv);
            leave!(End::Goal(plan, u64::from(child_cost)));
        }
        match memory.admit(space, &state, bound - child_cost, &mut meter.ledger) {
            Ok(true) => {}
            Ok(false) => {
                space.undo(&mut state, mv, token);
                stats.duplicates += 1;
                observer.duplicate(&Node { state: &state, cost, estimate: heuristic.value(memo) }, mv);
                continue;
            }
            Err(OutOfMemory) => leave!(End::Limit(Limit::Memory)),
        }
        if meter.due() {
            if let Err(limit) = meter.look() {
                leave!(End::Limit(limit));
            }
            stats.generated += generated;
            generated = 0;
            stats.depth = stats.depth.max(u64::from(deepest));
            stats.stored = memory.stored();
            stats.close(meter);
            observer.tick(stats);
        }
        if meter.ledger.push(stack, Frame { moves, mv, token, memo, cost }).is_err() {
            leave!(End::Limit(Limit::Memory));
        }
        meter.count();
        stats.expanded += 1;
        (memo, cost) = (child_memo, child_cost);
        deepest = deepest.max(cost);
        observer.expanded(&Node { state: &state, cost, estimate: heuristic.value(memo) });
        prune.enter(space, &state);
        moves = if skip_undoing { space.moves_after(&state, mv) } else { space.moves(&state) };
    }
}
