//! The inner loop of depth-first search: next move, bound check, apply, rules, descend; undo on the way back.

use super::{Memory, Parts, Run};
use crate::core::budget::Limit;
use crate::core::heuristic::Heuristic;
use crate::core::memory::OutOfMemory;
use crate::core::observer::{NodeView, Observer};
use crate::core::outcome::DEAD;
use crate::core::prune::{Prune, Ruling};
use crate::core::space::{Cost, Space};

/// The current position of the search.
pub(super) struct Here<S: Space, M> {
    pub(super) state: S::State,
    /// The untried moves.
    pub(super) moves: S::Moves,
    pub(super) memo: M,
    /// The cost that is left under the bound. In 64 bits no sum of two costs overflows, so none is checked.
    pub(super) room: u64,
    /// The states above the current one.
    pub(super) path: Vec<Frame<S, M>>,
}

/// A state on the path with its untried moves, its values, and the move by which the search left it.
pub(super) struct Frame<S: Space, M> {
    pub(super) moves: S::Moves,
    pub(super) mv: S::Move,
    pub(super) token: S::Undo,
    pub(super) memo: M,
    pub(super) room: u64,
}

/// Why the loop pauses.
pub(super) enum Pause<S: Space, M> {
    /// The path must grow before it can take this frame. The search already stands on the state below it.
    Full(Frame<S, M>),
    /// A look at the limits is due before the current state is expanded.
    Due,
    /// The search is over.
    Stop(Stop<S::Move>),
}

/// Why the search is over.
#[derive(Clone, Copy)]
pub(super) enum Stop<M> {
    /// The last move of a plan and the plan's cost.
    Goal(M, u64),
    Over,
    /// A limit was reached while the successor by this move was judged or stored.
    Limit(M, Limit),
}

/// What happens to a successor that is not entered.
enum Fate<M> {
    Enter,
    Skip,
    Stop(Stop<M>),
}

/// Counts the successors cut off at the bound. (Dropped and entered successors have counters of their own, so these are exactly
/// the rest.)
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) count: u64,
    /// The least excess over the bound.
    pub(super) over: u64,
}

impl Cut {
    /// Is a successor that needs `need` cut off with `room` left?
    #[inline(always)]
    pub(super) fn off(&mut self, need: u64, room: u64) -> bool {
        if need <= room {
            return false;
        }
        self.count += 1;
        if need - room < self.over {
            // A branch that is hardly ever taken is cheaper here than a conditional move at every step.
            cold_path();
            self.over = need - room;
        }
        true
    }

    /// The least bound under which a further successor would be entered.
    pub(super) fn next_bound(self, bound: Cost) -> Option<Cost> {
        let next = self.over.checked_add(u64::from(bound))?;
        Cost::try_from(next).ok().filter(|&next| next != DEAD)
    }
}

impl<S, H, P, O, M, const SKIP_UNDOING: bool> Run<'_, '_, S, H, P, O, M, SKIP_UNDOING>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    M: Memory<S>,
{
    /// Runs the loop until a rare event pauses it. It calls only the parts, and everything it changes at every step is a local
    /// variable. So with small parts it runs in registers. (A rare call in the loop would spill half of them: measured, a tenth
    /// more instructions.)
    #[inline(never)]
    pub(super) fn run_until_pause(
        &mut self,
        here: Here<S, H::Memo>,
    ) -> (Here<S, H::Memo>, Pause<S, H::Memo>) {
        let (space, heuristic) = (self.parts.space, self.parts.heuristic);
        let Here { mut state, mut moves, mut memo, mut room, mut path } = here;
        let mut cut = self.cut;
        let mut left = self.left;
        let mut deepest = self.deepest;
        let pause = loop {
            let Some(mv) = moves.next() else {
                let Some(frame) = path.pop() else { break Pause::Stop(Stop::Over) };
                space.undo(&mut state, frame.mv, frame.token);
                (moves, memo, room) = (frame.moves, frame.memo, frame.room);
                // The rules last entered a state below. The remaining moves are judged as this state's.
                self.parts.prune.enter(space, &state);
                continue;
            };
            let cost = u64::from(space.cost(&state, mv));
            let mut child_memo = memo;
            if H::PEEKS {
                child_memo = heuristic.peek(space, &state, mv, memo);
                let need = cost + u64::from(heuristic.value(child_memo));
                if cut.off(need, room) {
                    continue;
                }
            }
            let token = space.apply(&mut state, mv);
            if !H::PEEKS {
                child_memo = heuristic.step(space, &state, mv, memo, &mut self.scratch);
                let need = cost + u64::from(heuristic.value(child_memo));
                if cut.off(need, room) {
                    space.undo(&mut state, mv, token);
                    continue;
                }
            }
            let child_room = room - cost;
            match self.consider(&mut state, mv, token, (room, memo), child_room) {
                Fate::Enter => {}
                Fate::Skip => continue,
                Fate::Stop(stop) => break Pause::Stop(stop),
            }
            let frame = Frame { moves, mv, token, memo, room };
            (memo, room) = (child_memo, child_room);
            moves = if SKIP_UNDOING { space.moves_after(&state, mv) } else { space.moves(&state) };
            if path.len() == path.capacity() {
                break Pause::Full(frame);
            }
            path.push(frame);
            if path.len() > deepest {
                cold_path();
                deepest = path.len();
            }
            left -= 1;
            if left == 0 {
                break Pause::Due;
            }
            self.enter(&state, room, memo);
        };
        (self.cut, self.left, self.deepest) = (cut, left, deepest);
        (Here { state, moves, memo, room, path }, pause)
    }

    /// Checks a state within the bound, reached by `mv`: rules, goal, memory. (Within the bound, a cost fits its type.)
    #[inline(always)]
    fn consider(
        &mut self,
        state: &mut S::State,
        mv: S::Move,
        token: S::Undo,
        (room, memo): (u64, H::Memo),
        child_room: u64,
    ) -> Fate<S::Move> {
        let Parts { space, heuristic, prune, observer, memory, .. } = &mut *self.parts;
        let child_cost = self.bound - child_room as Cost;
        let ruling = match prune.judge(space, state, mv, child_cost, self.meter) {
            Ok(ruling) => ruling,
            Err(limit) => return Fate::Stop(Stop::Limit(mv, limit)),
        };
        if ruling == Ruling::Keep {
            if space.is_goal(state) {
                self.stats.generated += 1;
                return Fate::Stop(Stop::Goal(mv, u64::from(child_cost)));
            }
            match memory.admit(space, state, child_room as Cost, &mut self.meter.ledger) {
                Ok(true) => return Fate::Enter,
                Ok(false) => {}
                Err(OutOfMemory) => return Fate::Stop(Stop::Limit(mv, Limit::Memory)),
            }
        }
        space.undo(state, mv, token);
        self.stats.generated += 1;
        let cost = self.bound - room as Cost;
        let node = NodeView { state, cost, estimate: heuristic.value(memo) };
        if let Ruling::Drop(rule) = ruling {
            self.stats.add_pruned(rule, 1);
            observer.pruned(&node, mv, rule);
        } else {
            self.stats.duplicates += 1;
            observer.duplicate(&node, mv);
        }
        Fate::Skip
    }

    /// Announces that the moves of the working state are about to be tried.
    #[inline(always)]
    pub(super) fn enter(&mut self, state: &S::State, room: u64, memo: H::Memo) {
        let Parts { space, heuristic, prune, observer, .. } = &mut *self.parts;
        let cost = self.bound - room as Cost;
        observer.expanded(&NodeView { state, cost, estimate: heuristic.value(memo) });
        prune.enter(space, state);
    }

    /// The moves of a state on the path that was entered by `last`.
    pub(super) fn moves(space: &S, state: &S::State, last: Option<S::Move>) -> S::Moves {
        match last {
            Some(last) if SKIP_UNDOING => space.moves_after(state, last),
            _ => space.moves(state),
        }
    }
}

/// Marks a branch as unlikely (`std::hint::cold_path` is newer than our minimum Rust version).
#[cold]
#[inline(never)]
const fn cold_path() {}
