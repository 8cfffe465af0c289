//! Checkpoints of a graph search: its nodes, its frontier and its figures.

use super::{Layer, Loop, Parts};
use crate::core::arena::{NO_NODE, NodeId};
use crate::core::budget::Meter;
use crate::core::checkpoint::{Damage, In, Unloadable, read_stats, write_stats};
use crate::core::frontier::{Frontier, Waiting};
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::Stats;
use crate::core::prune::Prune;
use crate::core::seen::Seen;
use crate::core::space::{Key, Space};

/// A moment at which a search can resume: the number of nodes, how many of them wait, and the figures.
pub(super) struct Mark {
    pub(super) nodes: usize,
    pub(super) waiting: usize,
    pub(super) layer: Layer,
    /// The node that was being expanded, and how many of its successors were settled.
    pub(super) open: Option<(Waiting, u32)>,
    pub(super) stats: Stats,
}

/// Work of putting a loaded node back into the tables, in units of [`Meter::work`].
const WORK_PER_NODE: u64 = 1 << 7;

impl<S, F, T, H, P, O> Loop<'_, S, F, T, H, P, O>
where
    S: Space,
    F: Frontier,
    T: Seen<S>,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
{
    /// This moment, between two nodes.
    pub(super) fn mark(&self, layer: Layer) -> Mark {
        let stats = self.stats.clone();
        Mark { nodes: self.arena.len(), waiting: self.parts.frontier.len(), layer, open: None, stats }
    }

    /// The moment inside an expansion at which a limit was reached. The node is counted when it is expanded again.
    pub(super) fn mark_inside(&self, node: Waiting, before: &Stats) -> Mark {
        let (settled, nodes) = self.settled;
        let Stats { duplicates, reopened, .. } = self.stats;
        let stats = Stats { duplicates, reopened, ..before.clone() };
        let open = Some((node, settled as u32));
        Mark { nodes, open, stats, ..self.mark(Layer { cost: 0, end: 0 }) }
    }

    /// Saves everything that a search needs to resume at a mark.
    #[cold]
    pub(super) fn save(&self, meter: &mut Meter, mark: &Mark) {
        let space = self.parts.space;
        let stats = Stats { bytes: mark.stats.bytes.max(meter.ledger.peak()), ..mark.stats.clone() };
        let start = space.pack(&space.start());
        meter.save(&mut |out| {
            out.u64(self.arena.keys.width() as u64);
            (0..S::Key::WORDS).for_each(|word| out.u64(start.word(word)));
            write_stats(&stats, out);
            out.u32(mark.layer.cost);
            out.u32(mark.layer.end);
            let (open, settled) = mark.open.unwrap_or((Waiting { id: NO_NODE, cost: 0 }, 0));
            for number in [open.id, open.cost, settled] {
                out.u32(number);
            }
            self.arena.save(out, mark.nodes);
            out.u32(mark.waiting as NodeId);
            self.parts.frontier.save(out);
        });
    }

    /// Returns to a saved moment.
    #[cold]
    pub(super) fn resume(
        &mut self,
        from: &mut In,
        meter: &mut Meter,
    ) -> Result<(Layer, Option<(Waiting, u32)>), Unloadable> {
        let Parts { space, heuristic, policy, .. } = self.parts;
        let mut state = space.start();
        from.expect(self.arena.keys.width() as u64, "its states are of another size")?;
        let key = space.pack(&state);
        for word in 0..S::Key::WORDS {
            from.expect(key.word(word), "it starts from another state")?;
        }
        self.parts.prune.begin(space, &state, meter)?;
        self.stats = read_stats(from)?;
        meter.go_on_from(self.stats.expanded);
        let layer = Layer { cost: from.u32()?, end: from.u32()? };
        let (id, cost, settled) = (from.u32()?, from.u32()?, from.u32()?);
        let scratch = &mut self.scratch;
        self.arena.load(from, meter, |key| {
            if size_of::<H::Memo>() == 0 {
                return H::Memo::default();
            }
            space.unpack_into(key, &mut state);
            heuristic.root(space, &state, scratch)
        })?;
        let nodes = self.arena.len() as NodeId;
        let waiting = from.u32()?;
        self.parts.frontier.restore(from, &mut meter.ledger, nodes, waiting)?;
        for id in NodeId::from(!policy.record_start)..nodes {
            let key = self.arena.keys.get(id);
            space.unpack_into(&key, &mut state);
            if id > 0 {
                self.parts.prune.recall(space, &state, meter)?;
            }
            let digest = self.parts.seen.digest(space, &state, &key, &self.arena.keys);
            self.parts.seen.insert(&mut meter.ledger, &self.arena.keys, digest, id)?;
            meter.work(WORK_PER_NODE)?;
        }
        match id {
            NO_NODE => Ok((layer, None)),
            id if id < nodes => Ok((layer, Some((Waiting { id, cost }, settled)))),
            _ => Err(Damage::Torn.into()),
        }
    }
}
