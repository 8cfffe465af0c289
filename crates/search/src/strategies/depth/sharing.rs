//! Work sharing: one searcher donates a branch of the tree, and another searches it.

use super::hot_loop::{Frame, Here};
use super::{End, Memory, Parts, Run};
use crate::core::budget::{Limit, Meter};
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::Stats;
use crate::core::prune::Prune;
use crate::core::space::{Cost, Space};

/// A branch of the tree that another searcher takes over: the state that `prefix` leads to, and its moves behind `after` (all
/// of them, if it is `None`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch<M> {
    pub(crate) prefix: Vec<M>,
    pub(crate) after: Option<M>,
}

/// The searchers that share one tree. Called only when the meter looks at its limits.
pub(crate) trait Sharing<M>: Sync {
    /// Runs before the meter looks: is there a reason to stop, and may more states be expanded?
    fn look(&self, meter: &mut Meter) -> Result<(), Limit>;
    /// Does an idle searcher wait for a branch?
    fn wants(&self) -> bool;
    /// Donates a branch.
    fn take(&self, branch: Branch<M>);
}

/// One searcher's view: the shared tree, and the path to its branch.
pub(super) type Share<'r, M> = (&'r dyn Sharing<M>, &'r [M]);

/// Searches one branch as [`search`] would. The donor has counted the states on the path to the branch.
pub(crate) fn search_branch<S, H, P, O, M, const SKIP_UNDOING: bool>(
    parts: &mut Parts<'_, S, H, P, O, M, SKIP_UNDOING>,
    branch: &Branch<S::Move>,
    sharing: &dyn Sharing<S::Move>,
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
    let space = parts.space;
    let mut state = space.start();
    let mut scratch = H::Scratch::default();
    let mut memo = parts.heuristic.root(space, &state, &mut scratch);
    let mut room = u64::from(bound);
    for &mv in &branch.prefix {
        room = room.saturating_sub(u64::from(space.cost(&state, mv)));
        if H::PEEKS {
            memo = parts.heuristic.peek(space, &state, mv, memo);
        }
        space.apply(&mut state, mv);
        if !H::PEEKS {
            memo = parts.heuristic.step(space, &state, mv, memo, &mut scratch);
        }
    }
    let last = branch.prefix.last().copied();
    let mut moves = Run::<S, H, P, O, M, SKIP_UNDOING>::moves(space, &state, last);
    if let Some(after) = branch.after {
        moves.by_ref().find(|&mv| mv == after);
    }
    let mut run = Run::new(parts, scratch, bound, meter, stats, Some((sharing, &branch.prefix)));
    if let Err(limit) = run.look() {
        return End::Limit(limit);
    }
    match run.descend(Here { state, moves, memo, room, path: Vec::new() }) {
        End::Goal(below, cost) => {
            let moves: Vec<_> = branch.prefix.iter().copied().chain(below).collect();
            End::Goal(moves, cost)
        }
        end => end,
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
    /// Donates the topmost untried moves: the largest part of the tree.
    ///
    /// The moves are counted on a copy, and exactly so many are taken: an iterator that has ended must not be advanced again.
    pub(super) fn donate(&mut self, path: &mut [Frame<S, H::Memo>]) {
        let Some((sharing, prefix)) = self.sharing.filter(|(sharing, _)| sharing.wants()) else { return };
        // A state without moves is never left by another move. So the common prefix still has none.
        let same = self.exhausted.iter().zip(&*path).take_while(|(mv, frame)| **mv == frame.mv).count();
        self.exhausted.truncate(same);
        let space = self.parts.space;
        let mut state = space.start();
        let mut last = None;
        for &mv in prefix.iter().chain(&self.exhausted) {
            space.apply(&mut state, mv);
            last = Some(mv);
        }
        for at in same..path.len() {
            let mv = path[at].mv;
            self.exhausted.push(mv);
            let mut moves = Self::moves(space, &state, last);
            moves.by_ref().find(|&other| other == mv);
            let waiting = moves.count();
            if waiting > 0 {
                path[at].moves.by_ref().take(waiting).for_each(drop);
                let above = prefix.iter().copied().chain(path[..at].iter().map(|frame| frame.mv));
                return sharing.take(Branch { prefix: above.collect(), after: Some(mv) });
            }
            space.apply(&mut state, mv);
            last = Some(mv);
        }
    }
}
