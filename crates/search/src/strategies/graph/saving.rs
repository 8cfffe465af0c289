//! Checkpoints of a graph search: its nodes, its frontier and its figures.

use super::{Layer, Loop, Parts};
use crate::core::arena::{Keys, NO_NODE, NodeId};
use crate::core::budget::{Limit, Meter};
use crate::core::checkpoint::{Damage, In, Out, Start, Unloadable, read_stats, write_stats};
use crate::core::frontier::{Frontier, Waiting};
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::Stats;
use crate::core::prune::Prune;
use crate::core::seen::Seen;
use crate::core::space::Space;

/// A moment at which a search can resume: the number of nodes, how many of them wait, and the figures.
pub(super) struct Mark {
    pub(super) nodes: usize,
    pub(super) waiting: usize,
    pub(super) layer: Layer,
    pub(super) open: Option<Open>,
    pub(super) stats: Stats,
}

/// The node that was being expanded, and how many of its successors were settled.
pub(super) type Open = (Waiting, u32);

/// Work of putting a loaded node back into the tables, in units of [`Meter::work`].
const WORK_PER_NODE: u64 = 1 << 7;

/// The head of a checkpoint, before its nodes. It is compiled once and not for every search.
fn write_head(mark: &Mark, peak: usize, width: usize, start: &Start, out: &mut Out) {
    let stats = Stats { bytes: mark.stats.bytes.max(peak), ..mark.stats.clone() };
    out.u64(width as u64);
    start.write(out);
    write_stats(&stats, out);
    out.u32(mark.layer.cost);
    out.u32(mark.layer.end);
    let (open, settled) = mark.open.unwrap_or((Waiting { id: NO_NODE, cost: 0 }, 0));
    for number in [open.id, open.cost, settled] {
        out.u32(number);
    }
}

/// The head of a checkpoint of a search with such keys from this start.
fn read_head(from: &mut In, width: usize, start: &Start) -> Result<(Stats, Layer, Open), Damage> {
    from.expect(width as u64, "its states are of another size")?;
    start.expect(from)?;
    let stats = read_stats(from)?;
    let layer = Layer { cost: from.u32()?, end: from.u32()? };
    let open = Waiting { id: from.u32()?, cost: from.u32()? };
    Ok((stats, layer, (open, from.u32()?)))
}

/// Puts loaded nodes back into the set of known states and the rules. It is compiled once for all frontiers and estimates.
fn recall<S: Space, T: Seen<S>, P: Prune<S>>(
    space: &S,
    keys: &Keys<S::Key>,
    first: NodeId,
    (seen, prune): (&mut T, &mut P),
    meter: &mut Meter,
) -> Result<(), Limit> {
    let mut state = space.start();
    for id in first..keys.len() as NodeId {
        let key = keys.get(id);
        space.unpack_into(&key, &mut state);
        if id > 0 {
            prune.recall(space, &state, meter)?;
        }
        let digest = seen.digest(space, &state, &key, keys);
        seen.insert(&mut meter.ledger, keys, digest, id)?;
        meter.work(WORK_PER_NODE)?;
    }
    Ok(())
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
        let start = Start::new(&self.parts.space.pack(&self.parts.space.start()));
        let peak = meter.ledger.peak();
        meter.save(&mut |out| {
            write_head(mark, peak, self.arena.keys.width(), &start, out);
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
    ) -> Result<(Layer, Option<Open>), Unloadable> {
        let Parts { space, heuristic, policy, .. } = self.parts;
        let mut state = space.start();
        let start = Start::new(&space.pack(&state));
        let (stats, layer, open) = read_head(from, self.arena.keys.width(), &start)?;
        self.parts.prune.begin(space, &state, meter)?;
        self.stats = stats;
        meter.go_on_from(self.stats.expanded);
        let scratch = &mut self.scratch;
        self.arena.load(from, meter, &mut |key| {
            if size_of::<H::Memo>() == 0 {
                return H::Memo::default();
            }
            space.unpack_into(key, &mut state);
            heuristic.root(space, &state, scratch)
        })?;
        let nodes = self.arena.len() as NodeId;
        let waiting = from.u32()?;
        self.parts.frontier.restore(from, &mut meter.ledger, nodes, waiting)?;
        let known = (&mut self.parts.seen, &mut self.parts.prune);
        recall(space, &self.arena.keys, NodeId::from(!policy.record_start), known, meter)?;
        match open.0.id {
            NO_NODE => Ok((layer, None)),
            id if id < nodes => Ok((layer, Some(open))),
            _ => Err(Damage::Torn.into()),
        }
    }
}
