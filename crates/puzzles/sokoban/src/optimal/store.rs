//! Closed list of the push searches: each box set is stored once, with the players met with it.
//!
//! Several states share their boxes and differ only in the player's square, and both ends of a search meet on
//! equal boxes. So a box set is stored once, with a short list of (player, end, cost). Parents are not
//! stored; the plan is reconstructed from the costs. While a box set has one player, its entry lies in the
//! record of the set. From the second player on, the record holds the index of the list.

use beeline_search::Space;
use beeline_search::arena::{Column, Keys, NodeId};
use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::seen::{Seen, Table};

use super::codec::Codec;
use crate::Steps;
use crate::bits::Bits;
use crate::board::Square;
use crate::optimal::{COST_BITS, Cost};

/// A type that stores path costs.
pub(crate) trait Stored: Copy + Default + std::fmt::Debug {
    /// The record of a box set: a cost and a player, or the head of a list.
    type Record: Copy + Default + std::fmt::Debug;
    /// The largest cost that fits.
    const MOST: Cost;
    fn of(cost: Cost) -> Self;
    fn get(self) -> Cost;
    fn single(self, tag: u16) -> Self::Record;
    fn listed(head: u32) -> Self::Record;
    /// Reads the only entry, or the head of the list.
    fn read(record: Self::Record) -> Result<(Self, u16), u32>;
}

impl Stored for u16 {
    type Record = u32;
    const MOST: Cost = Self::MAX as Cost;
    #[inline(always)]
    fn of(cost: Cost) -> Self {
        cost as Self
    }
    #[inline(always)]
    fn get(self) -> Cost {
        Cost::from(self)
    }
    #[inline(always)]
    fn single(self, tag: u16) -> u32 {
        u32::from(self) << TAG_BITS | u32::from(tag)
    }
    #[inline(always)]
    fn listed(head: u32) -> u32 {
        head | 1 << 31
    }
    #[inline(always)]
    fn read(record: u32) -> Result<(Self, u16), u32> {
        if record >> 31 == 0 {
            Ok(((record >> TAG_BITS) as Self, record as u16 & TAG_MASK))
        } else {
            Err(record & (u32::MAX >> 1))
        }
    }
}

/// A cost of [`COST_BITS`] bits in three parts, so that an entry takes twelve bytes and a record eight.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wide([u16; 3]);

impl Stored for Wide {
    type Record = u64;
    const MOST: Cost = (1 << COST_BITS) - 1;
    #[inline(always)]
    fn of(cost: Cost) -> Self {
        Self([cost as u16, (cost >> 16) as u16, (cost >> 32) as u16])
    }
    #[inline(always)]
    fn get(self) -> Cost {
        let [low, middle, high] = self.0.map(Cost::from);
        low | middle << 16 | high << 32
    }
    #[inline(always)]
    fn single(self, tag: u16) -> u64 {
        self.get() << TAG_BITS | u64::from(tag)
    }
    #[inline(always)]
    fn listed(head: u32) -> u64 {
        u64::from(head) | 1 << 63
    }
    #[inline(always)]
    fn read(record: u64) -> Result<(Self, u16), u32> {
        if record >> 63 == 0 {
            Ok((Self::of(record >> TAG_BITS), record as u16 & TAG_MASK))
        } else {
            Err(record as u32)
        }
    }
}

/// The end from which a state was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// From the start; the player has just pushed.
    Front,
    /// From the goal; the player is about to push.
    Back,
}

impl End {
    /// The other one.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
        }
    }
}

const PLAYER: u16 = (1 << 13) - 1;
const EMPTY: u16 = PLAYER;
const BACK: u16 = 1 << 13;
const CLOSED: u16 = 1 << 14;
/// Bits of a tag: the player, the end and whether the entry is closed.
const TAG_BITS: u32 = 15;
const TAG_MASK: u16 = (1 << TAG_BITS) - 1;
/// Entries in all lists, at most.
const MOST_LISTED: usize = (u32::MAX >> 1) as usize;

/// One player of a box set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry<C> {
    /// One more than the index of the next entry, or 0.
    next: u32,
    cost: C,
    /// The player, the end and whether it is closed.
    tag: u16,
}

impl<C: Stored> Entry<C> {
    #[inline(always)]
    pub(crate) fn player(&self) -> Square {
        self.tag & PLAYER
    }
    #[inline(always)]
    pub(crate) fn end(&self) -> End {
        if self.tag & BACK == 0 { End::Front } else { End::Back }
    }
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        self.tag & CLOSED != 0
    }
    #[inline(always)]
    pub(crate) fn cost(&self) -> Cost {
        self.cost.get()
    }
}

/// The location of an entry: the record of its box set (0), or the lists (one more than its index).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    set: NodeId,
    listed: u32,
}

/// The result of an insertion.
pub(crate) enum Inserted {
    New(NodeId),
    /// The state was stored at a higher cost; was it closed?
    Cheaper(NodeId, bool),
    Old,
    /// The cost does not fit into the store.
    CostOverflow,
}

/// The states met from both ends.
#[derive(Debug)]
pub(crate) struct Store<const N: usize, C: Stored> {
    codec: Codec,
    sets: Keys<[u64; N]>,
    table: Table,
    records: Column<C::Record>,
    lists: Column<Entry<C>>,
    /// Box sets that have a list.
    with_list: usize,
}

impl<const N: usize, C: Stored> Store<N, C> {
    pub(crate) fn new(codec: &Codec) -> Self {
        Self {
            codec: codec.clone(),
            sets: Keys::new(codec.width()),
            table: Table::thrifty(),
            records: Column::default(),
            lists: Column::default(),
            with_list: 0,
        }
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.records.len() - self.with_list + self.lists.len()
    }

    #[inline]
    pub(crate) fn boxes(&self, set: NodeId) -> Bits<N> {
        self.codec.set(&self.sets.get(set))
    }

    /// The key of a box set, and its hash.
    #[inline]
    pub(crate) fn key(&self, boxes: &Bits<N>) -> ([u64; N], u64) {
        let key = self.codec.key(boxes);
        (key, self.sets.hash(&key))
    }

    /// Prefetches the slot of a hash.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        fn ask<S: Space>(table: &Table, hash: u64) {
            Seen::<S>::announce(table, hash);
        }
        ask::<Steps<N>>(&self.table, hash);
    }

    #[inline]
    pub(crate) fn find(&self, boxes: &Bits<N>) -> Option<NodeId> {
        let (key, hash) = self.key(boxes);
        self.table.lookup(&self.sets, hash, &key)
    }

    #[inline]
    pub(crate) fn first(&self, set: NodeId) -> Slot {
        let listed = C::read(self.records.get(set)).err().map_or(0, |head| head + 1);
        Slot { set, listed }
    }

    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Entry<C> {
        if slot.listed > 0 {
            return self.lists.get(slot.listed - 1);
        }
        let (cost, tag) = C::read(self.records.get(slot.set)).unwrap_or_default();
        Entry { next: 0, cost, tag }
    }

    #[inline]
    fn put(&mut self, slot: Slot, entry: Entry<C>) {
        if slot.listed == 0 {
            self.records.set(slot.set, entry.cost.single(entry.tag));
        } else {
            self.lists.set(slot.listed - 1, entry);
        }
    }

    #[inline]
    pub(crate) fn next_slot(slot: Slot, entry: &Entry<C>) -> Option<Slot> {
        (entry.next != 0).then_some(Slot { set: slot.set, listed: entry.next })
    }

    #[inline]
    pub(crate) fn close(&mut self, slot: Slot) {
        let mut entry = self.get(slot);
        entry.tag |= CLOSED;
        self.put(slot, entry);
    }

    #[inline]
    pub(crate) fn reopen(&mut self, slot: Slot) {
        let mut entry = self.get(slot);
        entry.tag &= !CLOSED;
        self.put(slot, entry);
    }

    /// The entries of a box set.
    pub(crate) fn entries(&self, set: NodeId) -> impl Iterator<Item = (Slot, Entry<C>)> + '_ {
        let mut at = Some(self.first(set));
        std::iter::from_fn(move || {
            let slot = at?;
            let entry = self.get(slot);
            at = Self::next_slot(slot, &entry);
            Some((slot, entry))
        })
    }

    /// The cost of this state of a box set from this end, if it is stored.
    pub(crate) fn cost(&self, set: NodeId, end: End, player: Square) -> Option<Cost> {
        let (_, entry) = self.entries(set).find(|(_, e)| e.end() == end && e.player() == player)?;
        Some(entry.cost())
    }

    /// Appends a state to a box set whose last entry is `last`.
    fn add(&mut self, ledger: &mut Ledger, last: Slot, cost: C, tag: u16) -> Result<(), OutOfMemory> {
        if self.lists.len() + 2 > MOST_LISTED {
            return Err(OutOfMemory);
        }
        let mut entry = self.get(last);
        let new = Entry { next: 0, cost, tag };
        if last.listed == 0 {
            let head = self.lists.len() as u32;
            entry.next = head + 2;
            self.lists.push(ledger, entry)?;
            self.records.set(last.set, C::listed(head));
            self.with_list += 1;
        } else {
            entry.next = self.lists.len() as u32 + 1;
            self.put(last, entry);
        }
        self.lists.push(ledger, new)
    }

    /// Inserts a state, or lowers its cost.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        ledger: &mut Ledger,
        (key, hash): (&[u64; N], u64),
        (end, player): (End, Square),
        cost: Cost,
    ) -> Result<Inserted, OutOfMemory> {
        if cost > C::MOST {
            return Ok(Inserted::CostOverflow);
        }
        if player >= EMPTY {
            return Err(OutOfMemory);
        }
        let tag = player | if end == End::Back { BACK } else { 0 };
        let Some(set) = self.table.lookup(&self.sets, hash, key) else {
            let set = self.sets.push(ledger, key)?;
            self.records.push(ledger, C::of(cost).single(tag))?;
            self.table.record(ledger, &self.sets, hash, set)?;
            return Ok(Inserted::New(set));
        };
        let mut slot = self.first(set);
        loop {
            let mut entry = self.get(slot);
            if entry.tag & !CLOSED == tag {
                if entry.cost() <= cost {
                    return Ok(Inserted::Old);
                }
                let closed = entry.is_closed();
                entry.cost = C::of(cost);
                entry.tag = tag;
                self.put(slot, entry);
                return Ok(Inserted::Cheaper(set, closed));
            }
            let Some(next) = Self::next_slot(slot, &entry) else {
                self.add(ledger, slot, C::of(cost), tag)?;
                return Ok(Inserted::New(set));
            };
            slot = next;
        }
    }
}
