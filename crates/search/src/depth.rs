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

/// The parts of a depth-first search that stay the same from round to round. With `SKIP_UNDOING`, moves that only take the
/// last one back are left out ([`Space::moves_after`]).
pub struct Parts<'a, S: Space, H, P, O, M, const SKIP_UNDOING: bool> {
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

/// A state on the path whose later moves still wait: those moves, what it had, and the move by which it was left.
struct Frame<S: Space, M> {
    moves: S::Moves,
    mv: S::Move,
    token: S::Undo,
    memo: M,
}

/// Searches depth-first for a goal whose cost (path plus estimate) is within `bound`, and adds what it counts to `stats`.
pub fn search<S, H, P, O, M, const SKIP_UNDOING: bool>(
    parts: &mut Parts<'_, S, H, P, O, M, SKIP_UNDOING>,
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
    let state = parts.space.start();
    let memo = parts.heuristic.root(parts.space, &state);
    let estimate = parts.heuristic.value(memo);
    if estimate > bound {
        return End::Over((estimate != DEAD).then_some(estimate));
    }
    if parts.space.is_goal(&state) {
        parts.observer.found(0);
        return End::Goal(Vec::new(), 0);
    }
    let end = match begin(parts, &state, bound, meter, stats) {
        Err(limit) => End::Limit(limit),
        Ok(()) => Run { parts, bound, meter, stats }.descend(state, memo),
    };
    if let End::Goal(_, cost) = &end {
        parts.observer.found(*cost);
    }
    end
}

/// Books the start as expanded.
fn begin<S, H, P, O, M, const SKIP_UNDOING: bool>(
    parts: &mut Parts<'_, S, H, P, O, M, SKIP_UNDOING>,
    start: &S::State,
    bound: Cost,
    meter: &mut Meter,
    stats: &mut Stats,
) -> Result<(), Limit>
where
    S: Space,
    M: Memory<S>,
{
    parts.memory.admit(parts.space, start, bound, &mut meter.ledger)?;
    meter.look()?;
    meter.count();
    stats.expanded += 1;
    // So that the loop starts with at least one expansion to spend.
    if meter.due() { meter.look() } else { Ok(()) }
}

struct Run<'r, 'a, S: Space, H, P, O, M, const SKIP_UNDOING: bool> {
    parts: &'r mut Parts<'a, S, H, P, O, M, SKIP_UNDOING>,
    bound: Cost,
    meter: &'r mut Meter,
    stats: &'r mut Stats,
}

/// A value that is wanted seldom: a branch that is hardly ever taken is cheaper here than a conditional move at every step.
#[inline(always)]
fn seldom<T>(value: T) -> T {
    std::hint::cold_path();
    value
}

/// What became of a successor, when it is not simply entered.
enum Fate<M> {
    Enter,
    Skip,
    End(End<M>),
}

impl<S, H, P, O, M, const SKIP_UNDOING: bool> Run<'_, '_, S, H, P, O, M, SKIP_UNDOING>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    M: Memory<S>,
{
    /// The loop. Everything it changes at every step is a local variable, so that it can live in registers.
    fn descend(&mut self, mut state: S::State, mut memo: H::Memo) -> End<S::Move> {
        let (space, heuristic) = (self.parts.space, self.parts.heuristic);
        let bound = u64::from(self.bound);
        let mut stack: Vec<Frame<S, H::Memo>> = Vec::new();
        let mut deepest = 0;
        // Costs are summed in 64 bits: no sum of two can overflow, so none is checked.
        let mut cost = 0u64;
        // A successor is cut off, dropped or entered; only the first is counted here, the others are counted anyway.
        let (mut cut, mut next_bound) = (0u64, u64::MAX);
        // Expansions until the meter wants to be looked at.
        let mut left = self.meter.until_look();
        let mut moves = space.moves(&state);
        self.enter(&state, cost, memo);
        let end = loop {
            let Some(mv) = moves.next() else {
                let Some(frame) = stack.pop() else {
                    break End::Over(Cost::try_from(next_bound).ok().filter(|&next| next != DEAD));
                };
                space.undo(&mut state, frame.mv, frame.token);
                // What the move cost is asked again: cheaper than keeping it on the stack.
                cost -= u64::from(space.cost(&state, frame.mv));
                (moves, memo) = (frame.moves, frame.memo);
                continue;
            };
            let child_cost = cost + u64::from(space.cost(&state, mv));
            let mut child_memo = memo;
            if H::PEEKS {
                child_memo = heuristic.peek(space, &state, mv, memo);
                let f = child_cost + u64::from(heuristic.value(child_memo));
                if f > bound {
                    cut += 1;
                    if f < next_bound {
                        next_bound = seldom(f);
                    }
                    continue;
                }
            }
            let token = space.apply(&mut state, mv);
            if !H::PEEKS {
                child_memo = heuristic.step(space, &state, mv, memo);
                let f = child_cost + u64::from(heuristic.value(child_memo));
                if f > bound {
                    space.undo(&mut state, mv, token);
                    cut += 1;
                    if f < next_bound {
                        next_bound = seldom(f);
                    }
                    continue;
                }
            }
            match self.consider(&stack, &mut state, mv, token, (cost, memo), child_cost) {
                Fate::Enter => {}
                Fate::Skip => continue,
                Fate::End(end) => break end,
            }
            if stack.len() == stack.capacity() && self.meter.ledger.reserve(&mut stack, 1).is_err() {
                break End::Limit(Limit::Memory);
            }
            stack.push(Frame { moves, mv, token, memo });
            if stack.len() > deepest {
                deepest = seldom(stack.len());
            }
            (memo, cost) = (child_memo, child_cost);
            moves = if SKIP_UNDOING { space.moves_after(&state, mv) } else { space.moves(&state) };
            left -= 1;
            if left == 0 {
                self.stats.generated += std::mem::take(&mut cut);
                match self.look(deepest) {
                    Ok(more) => left = more,
                    Err(limit) => break End::Limit(limit),
                }
            }
            self.enter(&state, cost, memo);
        };
        self.stats.generated += cut;
        self.settle(left, deepest);
        self.meter.ledger.forget(stack);
        end
    }

    /// A state within the bound was made by `mv`: rules, goal, memory. (Within the bound, a cost fits its type.)
    #[inline(always)]
    fn consider(
        &mut self,
        stack: &[Frame<S, H::Memo>],
        state: &mut S::State,
        mv: S::Move,
        token: S::Undo,
        (cost, memo): (u64, H::Memo),
        child_cost: u64,
    ) -> Fate<S::Move> {
        let Parts { space, heuristic, prune, observer, memory, .. } = &mut *self.parts;
        let ledger = &mut self.meter.ledger;
        let ruling = match prune.judge(space, state, mv, child_cost as Cost, ledger) {
            Ok(ruling) => ruling,
            Err(OutOfMemory) => return Fate::End(End::Limit(Limit::Memory)),
        };
        if ruling == Ruling::Keep {
            if space.is_goal(state) {
                self.stats.generated += 1;
                let plan = stack.iter().map(|frame| frame.mv).chain([mv]).collect();
                return Fate::End(End::Goal(plan, child_cost));
            }
            match memory.admit(space, state, self.bound - child_cost as Cost, ledger) {
                Ok(true) => return Fate::Enter,
                Ok(false) => {}
                Err(OutOfMemory) => return Fate::End(End::Limit(Limit::Memory)),
            }
        }
        space.undo(state, mv, token);
        self.stats.generated += 1;
        let node = Node { state, cost: cost as Cost, estimate: heuristic.value(memo) };
        if let Ruling::Drop(rule) = ruling {
            self.stats.add_pruned(rule, 1);
            observer.pruned(&node, mv, rule);
        } else {
            self.stats.duplicates += 1;
            observer.duplicate(&node, mv);
        }
        Fate::Skip
    }

    /// The moves of the working state are about to be tried.
    #[inline(always)]
    fn enter(&mut self, state: &S::State, cost: u64, memo: H::Memo) {
        let Parts { space, heuristic, prune, observer, .. } = &mut *self.parts;
        observer.expanded(&Node { state, cost: cost as Cost, estimate: heuristic.value(memo) });
        prune.enter(space, state);
    }

    /// Books the expansions since the last look, of which `left` were not made.
    fn settle(&mut self, left: u64, deepest: usize) {
        let made = self.meter.until_look() - left;
        self.meter.count_many(made);
        self.stats.expanded += made;
        self.stats.generated += made;
        self.stats.depth = self.stats.depth.max(deepest as u64);
        self.stats.stored = self.stats.stored.max(self.parts.memory.stored());
    }

    /// Looks at the limits; the expansions until the next look, at least one.
    #[cold]
    #[inline(never)]
    fn look(&mut self, deepest: usize) -> Result<u64, Limit> {
        self.settle(0, deepest);
        self.meter.look()?;
        self.stats.close(self.meter);
        self.parts.observer.tick(self.stats);
        Ok(self.meter.until_look())
    }
}
