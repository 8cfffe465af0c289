//! Where the push searches keep their states: box sets once, and for each the players that were met with it.
//!
//! Several states share their boxes and differ only in where the player is, and both ends of a search meet on equal
//! boxes. So a box set is stored once, with a short list of (player, side, cost). Parents are not kept: a plan is found
//! again from the costs. The first entry of a list lies in the record of its box set.

use beeline_search::Space;
use beeline_search::arena::{Column, Keys, NodeId};
use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::seen::{Seen, Table};

use super::super::Steps;
use super::super::bits::Bits;
use super::super::board::Square;
use super::super::field::Field;
use super::super::walk::Position;

/// How box sets become keys: a bit for every square where a box may usefully stand.
#[derive(Clone, Debug)]
pub(crate) struct Codec {
    bit_of: Vec<Square>,
    square_of: Vec<Square>,
}

impl Codec {
    pub(crate) fn new(field: &Field) -> Self {
        let mut bit_of = vec![0; field.squares()];
        let mut square_of = Vec::new();
        for square in 0..field.squares() as Square {
            if field.useful(square) {
                bit_of[square as usize] = square_of.len() as Square;
                square_of.push(square);
            }
        }
        Self { bit_of, square_of }
    }

    pub(crate) fn bits(&self) -> usize {
        self.square_of.len()
    }

    /// The bits of a set of boxes; all of them must stand on useful squares.
    #[inline]
    pub(crate) fn pack<const N: usize>(&self, boxes: impl Iterator<Item = Square>) -> Bits<N> {
        let mut bits = Bits::default();
        for at in boxes {
            bits.set(self.bit_of[at as usize]);
        }
        bits
    }

    /// The bits after one box has moved.
    #[inline]
    pub(crate) fn moved<const N: usize>(&self, mut bits: Bits<N>, from: Square, to: Square) -> Bits<N> {
        bits.clear(self.bit_of[from as usize]);
        bits.set(self.bit_of[to as usize]);
        bits
    }

    /// Sets up the boxes of a position.
    #[inline]
    pub(crate) fn unpack<const N: usize>(&self, bits: &Bits<N>, position: &mut Position) {
        position.clear();
        for bit in bits.iter() {
            position.put(self.square_of[bit as usize]);
        }
    }
}

/// A path cost as it is stored.
pub(crate) trait Stored: Copy + Default + std::fmt::Debug {
    /// The largest cost that fits.
    const MOST: u32;
    fn of(cost: u32) -> Self;
    fn get(self) -> u32;
}

impl Stored for u16 {
    const MOST: u32 = u16::MAX as u32;
    #[inline(always)]
    fn of(cost: u32) -> Self {
        cost as Self
    }
    #[inline(always)]
    fn get(self) -> u32 {
        u32::from(self)
    }
}

impl Stored for u32 {
    const MOST: u32 = u32::MAX >> 1;
    #[inline(always)]
    fn of(cost: u32) -> Self {
        cost
    }
    #[inline(always)]
    fn get(self) -> u32 {
        self
    }
}

/// From which end a state was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// From the start; the player has just pushed.
    Front,
    /// From the goal; the player is about to push.
    Back,
}

const PLAYER: u16 = (1 << 13) - 1;
const EMPTY: u16 = PLAYER;
const BACK: u16 = 1 << 13;
const CLOSED: u16 = 1 << 14;

/// One player of a box set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry<C> {
    /// One more than the number of the next entry, or 0.
    next: u32,
    cost: C,
    /// Player, end and whether it is closed.
    who: u16,
}

impl<C: Stored> Entry<C> {
    #[inline(always)]
    pub(crate) fn player(&self) -> Square {
        self.who & PLAYER
    }
    #[inline(always)]
    pub(crate) fn end(&self) -> End {
        if self.who & BACK == 0 { End::Front } else { End::Back }
    }
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        self.who & CLOSED != 0
    }
    #[inline(always)]
    pub(crate) fn cost(&self) -> u32 {
        self.cost.get()
    }
}

/// Where an entry lies: in the record of its box set (0), or among the others (one more than its number).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    set: NodeId,
    other: u32,
}

/// What became of a state that was brought in.
pub(crate) enum Met {
    New(NodeId),
    /// It was there at a higher cost; was it closed?
    Cheaper(NodeId, bool),
    Old,
}

/// The states met from both ends.
#[derive(Debug)]
pub(crate) struct Store<const N: usize, C: Stored> {
    sets: Keys<[u64; N]>,
    table: Table,
    first: Column<Entry<C>>,
    others: Column<Entry<C>>,
}

impl<const N: usize, C: Stored> Store<N, C> {
    pub(crate) fn new(codec: &Codec) -> Self {
        Self {
            sets: Keys::new(codec.bits().div_ceil(8)),
            table: Table::new(),
            first: Column::default(),
            others: Column::default(),
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.first.len() + self.others.len()
    }

    #[inline]
    pub(crate) fn boxes(&self, set: NodeId) -> Bits<N> {
        Bits(self.sets.get(set))
    }

    #[inline]
    pub(crate) fn hash(&self, boxes: &Bits<N>) -> u64 {
        self.sets.hash(&boxes.0)
    }

    /// Announces a look-up.
    #[inline]
    pub(crate) fn announce(&self, hash: u64) {
        fn ask<S: Space>(table: &Table, hash: u64) {
            Seen::<S>::announce(table, hash);
        }
        ask::<Steps<N>>(&self.table, hash);
    }

    #[inline]
    pub(crate) fn find(&self, boxes: &Bits<N>) -> Option<NodeId> {
        self.table.lookup(&self.sets, self.hash(boxes), &boxes.0)
    }

    #[inline]
    pub(crate) fn first(set: NodeId) -> Slot {
        Slot { set, other: 0 }
    }

    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Entry<C> {
        if slot.other == 0 { self.first.get(slot.set) } else { self.others.get(slot.other - 1) }
    }

    #[inline]
    fn put(&mut self, slot: Slot, entry: Entry<C>) {
        if slot.other == 0 {
            self.first.set(slot.set, entry);
        } else {
            self.others.set(slot.other - 1, entry);
        }
    }

    #[inline]
    pub(crate) fn after(slot: Slot, entry: &Entry<C>) -> Option<Slot> {
        (entry.next != 0).then_some(Slot { set: slot.set, other: entry.next })
    }

    #[inline]
    pub(crate) fn close(&mut self, slot: Slot) {
        let mut entry = self.get(slot);
        entry.who |= CLOSED;
        self.put(slot, entry);
    }

    /// The entries of a box set.
    pub(crate) fn entries(&self, set: NodeId) -> impl Iterator<Item = (Slot, Entry<C>)> + '_ {
        let mut at = Some(Self::first(set));
        std::iter::from_fn(move || {
            let slot = at?;
            let entry = self.get(slot);
            at = Self::after(slot, &entry);
            Some((slot, entry))
        })
    }

    /// The cost at which this state was met from this end.
    pub(crate) fn cost(&self, boxes: &Bits<N>, end: End, player: Square) -> Option<u32> {
        let set = self.find(boxes)?;
        let (_, entry) = self.entries(set).find(|(_, e)| e.end() == end && e.player() == player)?;
        Some(entry.cost())
    }

    /// Brings a state in.
    #[inline]
    pub(crate) fn meet(
        &mut self,
        ledger: &mut Ledger,
        boxes: &Bits<N>,
        hash: u64,
        (end, player): (End, Square),
        cost: u32,
    ) -> Result<Met, OutOfMemory> {
        if cost > C::MOST || player >= EMPTY {
            return Err(OutOfMemory);
        }
        let who = player | if end == End::Back { BACK } else { 0 };
        let Some(set) = self.table.lookup(&self.sets, hash, &boxes.0) else {
            let set = self.sets.push(ledger, &boxes.0)?;
            self.first.push(ledger, Entry { next: 0, cost: C::of(cost), who })?;
            self.table.record(ledger, &self.sets, hash, set)?;
            return Ok(Met::New(set));
        };
        let mut slot = Self::first(set);
        loop {
            let mut entry = self.get(slot);
            if entry.who & !CLOSED == who {
                if entry.cost() <= cost {
                    return Ok(Met::Old);
                }
                let closed = entry.is_closed();
                entry.cost = C::of(cost);
                entry.who = who;
                self.put(slot, entry);
                return Ok(Met::Cheaper(set, closed));
            }
            let Some(next) = Self::after(slot, &entry) else {
                self.others.push(ledger, Entry { next: 0, cost: C::of(cost), who })?;
                entry.next = self.others.len() as u32;
                self.put(slot, entry);
                return Ok(Met::New(set));
            };
            slot = next;
        }
    }
}
