//! The positions visited by all searches of a level, from the start and from the goals.
//!
//! All searches record their positions here, also those between two open positions. A position visited from
//! both ends makes a plan, whichever searches visited it.

use beeline_search::arena::{Arena, Column, NO_NODE, NodeId};
use beeline_search::memory::Ledger;
use beeline_search::seen::Table;
use beeline_search::{Limit, Space};

use super::advisors::{Move, NO_MOVE};
use super::macro_plan;
use super::push_state::PushState;
use crate::Steps;
use crate::board::Dir;
use crate::field::Field;
use crate::macro_moves::MoveKind;
use crate::walk::zobrist;

/// The positions visited from one end, with the moves that led to them.
struct SearchTree<const N: usize> {
    arena: Arena<[u64; N], ()>,
    moves: Column<Move>,
    table: Table,
}

impl<const N: usize> SearchTree<N> {
    fn new(space: &Steps<N>) -> Self {
        Self { arena: Arena::new(space.key_width(), false), moves: Column::default(), table: Table::new() }
    }

    fn find(&self, key: &[u64; N]) -> Option<NodeId> {
        self.table.lookup(&self.arena.keys, self.arena.keys.hash(key), key)
    }

    fn add(&mut self, ledger: &mut Ledger, key: &[u64; N], before: NodeId, mv: Move) -> Result<(), Limit> {
        let hash = self.arena.keys.hash(key);
        let id = self.arena.push(ledger, key, before, 0, ())?;
        self.moves.push(ledger, mv)?;
        self.table.record(ledger, &self.arena.keys, hash, id)?;
        Ok(())
    }

    /// The path to a position, from the root on.
    fn path(&self, id: NodeId) -> impl DoubleEndedIterator<Item = (NodeId, Move)> + '_ {
        self.arena.lineage(id).into_iter().map(|id| (id, self.moves.get(id)))
    }
}

/// A position whose moves are probed.
pub(crate) struct ParentNode<const N: usize> {
    kind: MoveKind,
    id: NodeId,
    key: [u64; N],
    hash: u64,
}

/// Positions one pull away from the backward tree, hashed by their boxes. The table has no collision chains:
/// a new entry overwrites an old one.
#[derive(Default)]
struct PullSuccessors {
    slots: Vec<(u64, NodeId, Move)>,
    full: usize,
}

/// Slots at most: 100 MB.
const MOST_SLOTS: usize = 1 << 22;
/// An empty slot.
const EMPTY_SLOT: (u64, NodeId, Move) = (0, NO_NODE, NO_MOVE);

impl PullSuccessors {
    fn put(&mut self, ledger: &mut Ledger, hash: u64, id: NodeId, mv: Move) -> Result<(), Limit> {
        if 2 * self.full >= self.slots.len() && self.slots.len() < MOST_SLOTS {
            let larger = (2 * self.slots.len()).max(1 << 12);
            let old = std::mem::replace(&mut self.slots, ledger.filled(EMPTY_SLOT, larger)?);
            self.full = 0;
            old.iter().filter(|slot| slot.1 != NO_NODE).for_each(|&(hash, id, mv)| self.set(hash, id, mv));
            ledger.forget(old);
        }
        self.set(hash, id, mv);
        Ok(())
    }

    fn set(&mut self, hash: u64, id: NodeId, mv: Move) {
        let at = hash as usize & (self.slots.len() - 1);
        self.full += usize::from(self.slots[at].1 == NO_NODE);
        self.slots[at] = (hash, id, mv);
    }

    fn get(&self, hash: u64) -> Option<(NodeId, Move)> {
        let slot = self.slots.get(hash as usize & self.slots.len().wrapping_sub(1))?;
        (slot.0 == hash && slot.1 != NO_NODE).then_some((slot.1, slot.2))
    }
}

/// The positions visited from both ends of a level.
pub(crate) struct Visited<'a, const N: usize> {
    state: PushState<'a, N>,
    pull_successors: PullSuccessors,
    /// In the order of [`MoveKind`]: by pushes from the start, by pulls from the goals.
    trees: [SearchTree<N>; 2],
    bytes: usize,
    /// A position that lies on a path from the start to the goals.
    met: Option<[u64; N]>,
}

impl<'a, const N: usize> Visited<'a, N> {
    /// For a level, with the roots of both ends recorded.
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, ledger: &mut Ledger) -> Result<Self, Limit> {
        let mut visited = Self {
            state: PushState::new(space, field),
            pull_successors: PullSuccessors::default(),
            trees: [SearchTree::new(space), SearchTree::new(space)],
            bytes: 0,
            met: None,
        };
        let used = ledger.used();
        let board = field.board();
        // With more goals than boxes the final squares of the boxes are not known.
        let ways = if board.boxes().len() == board.goals().len() { 2 } else { 1 };
        for kind in [MoveKind::Push, MoveKind::Pull].into_iter().take(ways) {
            for key in kind.roots(space, field) {
                visited.trees[kind as usize].add(ledger, &key, NO_NODE, NO_MOVE)?;
            }
        }
        visited.bytes = ledger.used() - used;
        Ok(visited)
    }

    /// Bytes claimed.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Records a position after a move from a recorded one; roots are recorded from the beginning. Returns
    /// `true` if there is a plan now. A position whose predecessor is not recorded is ignored.
    pub(crate) fn record(
        &mut self,
        ledger: &mut Ledger,
        kind: MoveKind,
        key: &[u64; N],
        before: Option<&[u64; N]>,
        mv: Move,
    ) -> Result<bool, Limit> {
        let tree = &mut self.trees[kind as usize];
        if tree.find(key).is_none() {
            let Some(before) = before.and_then(|key| tree.find(key)) else { return Ok(false) };
            let used = ledger.used();
            tree.add(ledger, key, before, mv)?;
            self.bytes += ledger.used() - used;
        }
        let space = self.state.space;
        let solved = || kind == MoveKind::Push && space.is_goal(&space.unpack(key));
        let met = self.trees[kind.back() as usize].find(key).is_some() || solved();
        if met {
            self.met = Some(*key);
        }
        Ok(met)
    }

    /// The data needed to probe the moves of a position; `None` if the position is not recorded.
    pub(crate) fn parent(&self, kind: MoveKind, key: &[u64; N]) -> Option<ParentNode<N>> {
        let id = self.trees[kind as usize].find(key)?;
        let (_, boxes) = self.state.space.parts(key);
        let hash = boxes.iter().fold(0, |hash, at| hash ^ zobrist(at));
        Some(ParentNode { kind, id, key: *key, hash })
    }

    /// Tests whether a move completes a plan, without making it. Pulls are remembered. A push that leads to
    /// the same position as a remembered pull makes a plan.
    pub(crate) fn probe(
        &mut self,
        ledger: &mut Ledger,
        parent: &ParentNode<N>,
        mv: Move,
    ) -> Result<bool, Limit> {
        let hash = parent.hash ^ zobrist(mv.from) ^ zobrist(mv.to);
        if parent.kind == MoveKind::Pull {
            let used = ledger.used();
            self.pull_successors.put(ledger, hash, parent.id, mv)?;
            self.bytes += ledger.used() - used;
            return Ok(false);
        }
        let Some((id, back)) = self.pull_successors.get(hash) else { return Ok(false) };
        let before = self.trees[MoveKind::Pull as usize].arena.keys.get(id);
        let (here, there) = (self.after(&parent.key, mv), self.after(&before, back));
        if here != there {
            return Ok(false);
        }
        self.record(ledger, MoveKind::Pull, &there, Some(&before), back)?;
        self.record(ledger, MoveKind::Push, &here, Some(&parent.key), mv)
    }

    /// The key of the position after a move.
    fn after(&mut self, key: &[u64; N], mv: Move) -> [u64; N] {
        self.state.load_after(key, mv);
        self.state.key()
    }

    /// The plan, once there is one.
    pub(crate) fn plan(&self, field: &Field) -> Option<Vec<Dir>> {
        let met = self.met?;
        let [from, to] = &self.trees;
        let mut moves: Vec<Move> = from.path(from.find(&met)?).skip(1).map(|(_, mv)| mv).collect();
        if let Some(id) = to.find(&met) {
            // Each pull is reversed into a push, with the player where it was before the pull.
            let path: Vec<(NodeId, Move)> = to.path(id).collect();
            let player = |id: NodeId| self.state.space.parts(&to.arena.keys.get(id)).0;
            moves.extend(path.windows(2).rev().map(|pair| {
                let (before, mv) = (pair[0].0, pair[1].1);
                Move { from: mv.to, to: mv.from, player: player(before), ..mv }
            }));
        }
        Some(macro_plan::steps_of(field, &moves))
    }
}
