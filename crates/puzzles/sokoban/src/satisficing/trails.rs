//! Where the searches of a level have been, from the start and from the goals, and how they got there.
//!
//! All searches note their positions here, also those that work between two open positions. So a plan need not be found by one
//! search alone: a position that was met from both ends makes one, whichever searches met it.

use beeline_search::arena::{Arena, Column, NO_NODE, NodeId};
use beeline_search::memory::Ledger;
use beeline_search::seen::Table;
use beeline_search::{Limit, Space};

use super::advisors::{Move, NO_MOVE};
use super::push_state::PushState;
use super::write;
use crate::Steps;
use crate::board::{Dir, Square};
use crate::field::Field;
use crate::macro_moves::Way;

/// What was met from one end.
struct End<const N: usize> {
    arena: Arena<[u64; N], ()>,
    moves: Column<Move>,
    table: Table,
}

impl<const N: usize> End<N> {
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

    /// The positions on the way to one, from the root on.
    fn line(&self, id: NodeId) -> impl DoubleEndedIterator<Item = (NodeId, Move)> + '_ {
        self.arena.lineage(id).into_iter().map(|id| (id, self.moves.get(id)))
    }
}

/// A position whose moves are looked at.
pub(crate) struct Scout<const N: usize> {
    way: Way,
    id: NodeId,
    key: [u64; N],
    hash: u64,
}

/// Positions one move away from the trail from the goals, by their boxes: a table that forgets what is overwritten.
#[derive(Default)]
struct Rim {
    slots: Vec<(u64, NodeId, Move)>,
    full: usize,
}

/// The most slots of the rim: 100 MB.
const LARGEST: usize = 1 << 22;
/// An empty slot.
const EMPTY: (u64, NodeId, Move) = (0, NO_NODE, NO_MOVE);

impl Rim {
    fn put(&mut self, ledger: &mut Ledger, hash: u64, id: NodeId, mv: Move) -> Result<(), Limit> {
        if 2 * self.full >= self.slots.len() && self.slots.len() < LARGEST {
            let larger = (2 * self.slots.len()).max(1 << 12);
            let old = std::mem::replace(&mut self.slots, ledger.filled(EMPTY, larger)?);
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

/// A number for a box on a square; a set of boxes has all of theirs, one upon the other.
fn mark(square: Square) -> u64 {
    let mixed = (u64::from(square) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The positions that were met from either end of a level.
pub(crate) struct Trails<'a, const N: usize> {
    state: PushState<'a, N>,
    rim: Rim,
    /// In the order of [`Way`]: by pushes from the start, by pulls from the goals.
    ends: [End<N>; 2],
    bytes: usize,
    /// A position from which both the start and the goals are known to be in reach.
    met: Option<[u64; N]>,
}

impl<'a, const N: usize> Trails<'a, N> {
    /// For a level, with its start and its end noted.
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, ledger: &mut Ledger) -> Result<Self, Limit> {
        let mut trails = Self {
            state: PushState::new(space, field),
            rim: Rim::default(),
            ends: [End::new(space), End::new(space)],
            bytes: 0,
            met: None,
        };
        let used = ledger.used();
        let board = field.board();
        // With more goals than boxes it is not known where the boxes will be.
        let ways = if board.boxes().len() == board.goals().len() { 2 } else { 1 };
        for way in [Way::Pushing, Way::Pulling].into_iter().take(ways) {
            for key in way.roots(space, field) {
                trails.ends[way as usize].add(ledger, &key, NO_NODE, NO_MOVE)?;
            }
        }
        trails.bytes = ledger.used() - used;
        Ok(trails)
    }

    /// The bytes that were claimed for all this.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Notes a position that a move leads to from one that was noted before; a root of a search has none before it. Is there a
    /// plan now? Positions of searches that began elsewhere than on a trail are of no use.
    pub(crate) fn note(
        &mut self,
        ledger: &mut Ledger,
        way: Way,
        key: &[u64; N],
        before: Option<&[u64; N]>,
        mv: Move,
    ) -> Result<bool, Limit> {
        let end = &mut self.ends[way as usize];
        if end.find(key).is_none() {
            let Some(before) = before.and_then(|key| end.find(key)) else { return Ok(false) };
            let used = ledger.used();
            end.add(ledger, key, before, mv)?;
            self.bytes += ledger.used() - used;
        }
        let space = self.state.space;
        let solved = || way == Way::Pushing && space.is_goal(&space.unpack(key));
        let met = self.ends[way.back() as usize].find(key).is_some() || solved();
        if met {
            self.met = Some(*key);
        }
        Ok(met)
    }

    /// What is needed to look at the moves of a position; nothing if it is not on a trail.
    pub(crate) fn scout(&self, way: Way, key: &[u64; N]) -> Option<Scout<N>> {
        let id = self.ends[way as usize].find(key)?;
        let (_, boxes) = self.state.space.parts(key);
        let hash = boxes.iter().fold(0, |hash, at| hash ^ mark(at));
        Some(Scout { way, id, key: *key, hash })
    }

    /// Looks where a move leads, without going there. Moves from the goals are remembered; if a move from the start leads to
    /// where one of those does, there is a plan.
    pub(crate) fn look(&mut self, ledger: &mut Ledger, scout: &Scout<N>, mv: Move) -> Result<bool, Limit> {
        let hash = scout.hash ^ mark(mv.from) ^ mark(mv.to);
        if scout.way == Way::Pulling {
            let used = ledger.used();
            self.rim.put(ledger, hash, scout.id, mv)?;
            self.bytes += ledger.used() - used;
            return Ok(false);
        }
        let Some((id, back)) = self.rim.get(hash) else { return Ok(false) };
        let before = self.ends[Way::Pulling as usize].arena.keys.get(id);
        let (here, there) = (self.after(&scout.key, mv), self.after(&before, back));
        if here != there {
            return Ok(false);
        }
        self.note(ledger, Way::Pulling, &there, Some(&before), back)?;
        self.note(ledger, Way::Pushing, &here, Some(&scout.key), mv)
    }

    /// Where a move leads.
    fn after(&mut self, key: &[u64; N], mv: Move) -> [u64; N] {
        self.state.load_after(key, mv);
        self.state.key()
    }

    /// The plan, once there is one.
    pub(crate) fn plan(&self, field: &Field) -> Option<Vec<Dir>> {
        let met = self.met?;
        let [from, to] = &self.ends;
        let mut moves: Vec<Move> = from.line(from.find(&met)?).skip(1).map(|(_, mv)| mv).collect();
        if let Some(id) = to.find(&met) {
            // Each pull the other way round, with the player where it was before it.
            let line: Vec<(NodeId, Move)> = to.line(id).collect();
            let player = |id: NodeId| self.state.space.parts(&to.arena.keys.get(id)).0;
            moves.extend(line.windows(2).rev().map(|pair| {
                let (before, mv) = (pair[0].0, pair[1].1);
                Move { from: mv.to, to: mv.from, player: player(before) }
            }));
        }
        Some(write::carried(field, &moves))
    }
}
