//! Where the searches of a level have been, from the start and from the goals, and how they got there.
//!
//! All searches note their positions here, also those that work between two open positions. So a plan need not be found by one
//! search alone: a position that was met from both ends makes one, whichever searches met it.

use beeline_search::arena::{Arena, Column, NO_NODE, NodeId};
use beeline_search::memory::Ledger;
use beeline_search::seen::Table;
use beeline_search::{Limit, Space};

use super::super::Steps;
use super::super::board::{Dir, Square};
use super::super::field::Field;
use super::super::walk::{Position, Walk};
use super::advice::Move;
use super::carry::Way;
use super::write;

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

/// The positions that were met from either end of a level.
pub(crate) struct Trails<'a, const N: usize> {
    space: &'a Steps<N>,
    /// In the order of [`Way`]: by pushes from the start, by pulls from the goals.
    ends: [End<N>; 2],
    bytes: usize,
    /// A position from which both the start and the goals are known to be in reach.
    met: Option<[u64; N]>,
}

impl<'a, const N: usize> Trails<'a, N> {
    /// For a level, with its start and its end noted.
    pub(crate) fn new(space: &'a Steps<N>, field: &Field, ledger: &mut Ledger) -> Result<Self, Limit> {
        let mut trails = Self { space, ends: [End::new(space), End::new(space)], bytes: 0, met: None };
        let used = ledger.used();
        let board = field.board();
        // With more goals than boxes it is not known where the boxes will be.
        let ways = if board.boxes().len() == board.goals().len() { 2 } else { 1 };
        let (mut position, mut walk) = (Position::new(field), Walk::new(field));
        for way in [Way::Pushing, Way::Pulling].into_iter().take(ways) {
            for mut root in way.roots(space) {
                position.clear();
                root.boxes.iter().for_each(|at| position.put(at));
                walk.flood(field, &position, root.player);
                root.player = walk.region();
                let (key, end) = (space.pack(&root), &mut trails.ends[way as usize]);
                if end.find(&key).is_none() {
                    end.add(ledger, &key, NO_NODE, Move { from: 0, to: 0, player: root.player })?;
                }
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
        let solved = || way == Way::Pushing && self.space.is_goal(&self.space.unpack(key));
        let met = self.ends[way.back() as usize].find(key).is_some() || solved();
        if met {
            self.met = Some(*key);
        }
        Ok(met)
    }

    /// The plan, once there is one.
    pub(crate) fn plan(&self, field: &Field) -> Option<Vec<Dir>> {
        let met = self.met?;
        let [from, to] = &self.ends;
        let mut moves: Vec<Move> = from.line(from.find(&met)?).skip(1).map(|(_, mv)| mv).collect();
        if let Some(id) = to.find(&met) {
            // Each pull the other way round, with the player where it was before it.
            let line: Vec<(NodeId, Move)> = to.line(id).collect();
            let player = |id: NodeId| -> Square { self.space.unpack(&to.arena.keys.get(id)).player };
            moves.extend(line.windows(2).rev().map(|pair| {
                let (before, mv) = (pair[0].0, pair[1].1);
                Move { from: mv.to, to: mv.from, player: player(before) }
            }));
        }
        Some(write::carried(field, &moves))
    }
}
