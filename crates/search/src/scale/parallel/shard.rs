//! The states that one rank owns, and those of them that wait to be expanded.

use crate::core::arena::{Arena, Column, NodeId, hash_words};
use crate::core::frontier::{Buckets, Frontier, Priority, Waiting};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::seen::Table;
use crate::core::space::{Cost, Key};

/// The owner of a state, from the hash of its key. The table takes lines and tags from bits of the hash, so the owner must not
/// be a run of its bits. A product with an odd number mixes all of them.
#[inline(always)]
pub(super) fn owner(hash: u64, size: usize) -> usize {
    let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((u128::from(mixed) * size as u128) >> 64) as usize
}

/// A successor that is not yet looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<K> {
    pub(super) key: K,
    pub(super) hash: u64,
    /// The parent's number on the rank that generated the child.
    pub(super) parent: NodeId,
    pub(super) cost: Cost,
    pub(super) estimate: Cost,
}

/// The layout of a child in a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// Bytes of a key.
    pub(super) width: usize,
    /// Are path cost and estimate written? Otherwise the layer determines them.
    pub(super) costs: bool,
}

impl Record {
    /// Bytes behind the last record of a batch: keys are read in whole words.
    pub(super) const PAD: usize = 8;

    pub(super) fn bytes(self) -> usize {
        4 + if self.costs { 8 } else { 0 } + self.width
    }

    #[inline]
    pub(super) fn write<K: Key>(self, to: &mut Vec<u8>, child: &Child<K>) {
        to.extend_from_slice(&child.parent.to_le_bytes());
        if self.costs {
            to.extend_from_slice(&child.cost.to_le_bytes());
            to.extend_from_slice(&child.estimate.to_le_bytes());
        }
        let end = to.len() + self.width;
        for i in 0..K::WORDS {
            if 8 * i < self.width {
                to.extend_from_slice(&child.key.word(i).to_le_bytes());
            }
        }
        to.truncate(end);
    }

    /// Reads the record at the front of `from`, which has at least [`PAD`](Self::PAD) bytes behind it.
    #[inline]
    pub(super) fn read<K: Key>(self, from: &[u8], layer_cost: Cost) -> Child<K> {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&from[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let (cost, estimate, at) = if self.costs {
            let both = word(4);
            (both as Cost, (both >> 32) as Cost, 12)
        } else {
            (layer_cost, 0, 4)
        };
        let key = K::from_words(|i| {
            let left = self.width.saturating_sub(8 * i);
            match left {
                0 => 0,
                1..8 => word(at + 8 * i) & ((1 << (8 * left)) - 1),
                _ => word(at + 8 * i),
            }
        });
        Child { key, hash: hash_words(&key, self.width), parent: word(0) as NodeId, cost, estimate }
    }
}

/// The states that wait.
#[derive(Debug)]
pub(super) enum Open {
    /// Breadth-first: the nodes of this layer, up to `end`. All later numbers are the next layer.
    Queue { next: NodeId, end: NodeId },
    /// Best-first, by path cost plus estimate.
    Buckets(Buckets),
}

/// The result of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    New,
    Reopened,
    Duplicate,
}

/// The nodes of one rank.
#[derive(Debug)]
pub(super) struct Shard<K> {
    pub(super) arena: Arena<K>,
    /// The rank that holds the parent.
    parent_ranks: Column<u16>,
    table: Table,
    pub(super) open: Open,
}

impl<K: Key> Shard<K> {
    pub(super) fn new(width: usize, queue: bool) -> Self {
        let open = if queue { Open::Queue { next: 0, end: 0 } } else { Open::Buckets(Buckets::default()) };
        Self { arena: Arena::new(width, !queue), parent_ranks: Column::default(), table: Table::new(), open }
    }

    /// Prefetches the memory of a look-up.
    #[inline(always)]
    pub(super) fn announce(&self, child: &Child<K>) {
        self.table.prefetch(child.hash);
    }

    /// Prefetches the key that a look-up will compare.
    #[inline(always)]
    pub(super) fn approach(&self, child: &Child<K>) {
        self.table.prefetch_keys(&self.arena.keys, child.hash);
    }

    /// Keeps a child that is new or reached more cheaply. Goals are kept but never wait.
    #[inline]
    pub(super) fn settle(
        &mut self,
        ledger: &mut Ledger,
        child: &Child<K>,
        maker: usize,
        goal: bool,
    ) -> Result<(Lookup, NodeId), OutOfMemory> {
        let &Child { ref key, hash, parent, cost, estimate } = child;
        let (fate, id) = if let Some(old) = self.table.lookup(&self.arena.keys, hash, key) {
            let queue = matches!(self.open, Open::Queue { .. });
            if queue || cost >= self.arena.cost(old) {
                return Ok((Lookup::Duplicate, old));
            }
            self.arena.rewire(old, parent, cost, ());
            self.parent_ranks.set(old, maker as u16);
            (Lookup::Reopened, old)
        } else {
            let id = self.arena.push(ledger, key, parent, cost, ())?;
            self.parent_ranks.push(ledger, maker as u16)?;
            self.table.record(ledger, &self.arena.keys, hash, id)?;
            (Lookup::New, id)
        };
        if let Open::Buckets(buckets) = &mut self.open
            && !goal
        {
            let key = u64::from(cost) + u64::from(estimate);
            buckets.push(ledger, Waiting { id, cost }, Priority { key, tie: estimate })?;
        }
        Ok((fate, id))
    }

    /// The next state to expand and its path cost, if its f is within `ceiling` (in a queue: the layer).
    #[inline]
    pub(super) fn pop(&mut self, ceiling: u64) -> Option<(NodeId, Cost)> {
        match &mut self.open {
            Open::Queue { next, end } => (*next < *end).then(|| {
                *next += 1;
                (*next - 1, ceiling as Cost)
            }),
            Open::Buckets(buckets) => loop {
                if buckets.least()? > ceiling {
                    return None;
                }
                let Waiting { id, cost } = buckets.pop()?;
                // Stale: the node was reached more cheaply since.
                if cost == self.arena.cost(id) {
                    return Some((id, cost));
                }
            },
        }
    }

    /// Is there anything to expand within `ceiling`?
    pub(super) fn has_work(&self, ceiling: u64) -> bool {
        match &self.open {
            Open::Queue { next, end } => next < end,
            Open::Buckets(buckets) => buckets.least().is_some_and(|least| least <= ceiling),
        }
    }

    /// The least f that waits behind this layer.
    pub(super) fn least(&self, layer: u64) -> Option<u64> {
        match &self.open {
            Open::Queue { end, .. } => (self.arena.len() > *end as usize).then_some(layer + 1),
            Open::Buckets(buckets) => buckets.least(),
        }
    }

    /// Begins a new layer. In a queue it consists of everything added since the last one.
    pub(super) fn next_layer(&mut self) {
        if let Open::Queue { end, .. } = &mut self.open {
            *end = self.arena.len() as NodeId;
        }
    }

    /// How many states wait.
    pub(super) fn waiting(&self) -> usize {
        match &self.open {
            Open::Queue { next, .. } => self.arena.len() - *next as usize,
            Open::Buckets(buckets) => buckets.len(),
        }
    }

    /// The rank that holds the parent of a node, and the parent's number there.
    pub(super) fn parent_of(&self, id: NodeId) -> (usize, NodeId) {
        (usize::from(self.parent_ranks.get(id)), self.arena.parent(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        for (width, costs) in [(11, true), (11, false), (8, true), (3, false), (16, true)] {
            let record = Record { width, costs };
            let mut key = [0u8; 16];
            key[..width].iter_mut().enumerate().for_each(|(i, b)| *b = 7 * i as u8 + 1);
            let (cost, estimate) = if costs { (5, 9) } else { (3, 0) };
            let child = Child { key, hash: hash_words(&key, width), parent: 77, cost, estimate };
            let mut bytes = Vec::new();
            record.write(&mut bytes, &child);
            record.write(&mut bytes, &child);
            assert_eq!(bytes.len(), 2 * record.bytes());
            bytes.extend([0xFF; Record::PAD]);
            let back: Child<[u8; 16]> = record.read(&bytes[record.bytes()..], 3);
            assert_eq!(format!("{back:?}"), format!("{child:?}"));
        }
    }

    #[test]
    fn owners_are_even() {
        let mut counts = [0u32; 7];
        for i in 0..70_000u64 {
            counts[owner(hash_words(&i, 8), 7)] += 1;
        }
        assert!(counts.iter().all(|c| (9_500..10_500).contains(c)), "{counts:?}");
    }
}
