//! A board for the search over packings: larger pieces with their places, single cells, and the room they share.

use std::ops::RangeInclusive;

use beeline_search::random::Random;

use super::super::board::{Board, STUCK};
use super::bits::{Bits, Plain};
use super::holes::{MOST_CELLS, MOST_SETS, choose};

/// Most larger pieces: a packing has a byte for each.
pub(super) const MOST_LARGE: usize = 16;

/// The places of the larger pieces: shape by shape, ascending inside a shape, so that pieces of one shape are merged.
pub(super) type Key = [u8; MOST_LARGE];

/// Cells of the board as bits.
pub(super) type Cells = u64;

/// One place of a larger piece.
#[derive(Debug)]
struct Place {
    mask: Cells,
    next: [u16; 4],
    /// The directions in which a step is possible, as bits.
    ways: u64,
    /// By direction: the cells that a step newly covers, and those of them where single cells can stand.
    entered: [Cells; 4],
    taken: [Cells; 4],
    /// By direction: the cells that a step uncovers for single cells.
    given: [Cells; 4],
    /// Its contribution to the hash of a packing.
    hash: u64,
}

/// The slot of a larger piece in a packing.
#[derive(Clone, Copy, Debug)]
struct Slot {
    shape: usize,
    /// The slots of its shape.
    first: usize,
    end: usize,
    /// The index of the first place of its shape.
    places: usize,
}

/// The board.
#[derive(Debug)]
pub(in super::super) struct Field<'a> {
    pub(super) board: &'a Board<1>,
    /// The shape of the single cells, and their number.
    units: usize,
    pub(super) count: usize,
    /// The cells where single cells can stand, and the anchor of each such cell.
    room: Cells,
    anchors: [u16; 64],
    /// By such cell: its neighbours.
    near: [Cells; 64],
    slots: Vec<Slot>,
    places: Vec<Place>,
    /// The fewest and the most cells of the room that larger pieces can leave free.
    pub(super) least: usize,
    pub(super) most: usize,
}

/// The derived data of a packing.
#[derive(Debug)]
pub(super) struct View {
    large: Cells,
    /// The free cells of the room.
    pub(super) free: Cells,
    pub(super) hash: u64,
}

/// A step of a larger piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    pub(super) slot: usize,
    pub(super) to: u8,
    /// The free cells that must be gaps, as indices among the free cells before the step.
    pub(super) taken: u32,
    /// The cells that become gaps, as indices among the free cells after it.
    pub(super) given: u32,
    /// The number of free cells after it.
    pub(super) cells: usize,
    /// The hash of the packing after it.
    pub(super) hash: u64,
}

/// A step of some piece: its shape and two anchors.
pub(super) type Hop = (usize, u16, u16);

impl<'a> Field<'a> {
    /// The board for a search over packings. `None` if that is impossible, or if the number of gap sets of the start is not in
    /// `useful_sets`.
    pub(in super::super) fn of(board: &'a Board<1>, useful_sets: &RangeInclusive<u64>) -> Option<Self> {
        let single = |k: &usize| board.shapes[*k].masks.first().is_some_and(|m| m.len() == 1);
        let units = (1..board.shapes.len()).find(single)?;
        let count = board.shapes[units].pieces.len();
        // A single cell with a target is not interchangeable with the others.
        let wanted =
            board.targets.iter().any(|t| t.0 == units) || (units + 1..board.shapes.len()).any(|k| single(&k));
        let few = board.shapes.iter().all(|s| s.len() <= 256) && board.pieces() - count <= MOST_LARGE;
        if wanted || !few {
            return None;
        }
        let room = board.shapes[units].masks.iter().fold(0, |room, m| room | m.0[0]);
        let others = (0..board.pieces()).filter(|&p| board.shape_of[p] as usize != units);
        let usual = others.fold(room, |free, p| free & !board.shape(p).masks[board.start[p] as usize].0[0]);
        let sets = |cells: usize| choose(cells, cells.checked_sub(count)?);
        sets(usual.count_ones() as usize).filter(|sets| useful_sets.contains(sets))?;
        let open = room.count_ones() as usize;
        let mut field = Self {
            board,
            units,
            count,
            room,
            anchors: [0; 64],
            near: [0; 64],
            slots: Vec::new(),
            places: Vec::new(),
            least: open,
            most: open,
        };
        field.set_cells();
        field.set_slots();
        let fits = field.most <= MOST_CELLS && sets(field.most).is_some_and(|sets| sets <= MOST_SETS);
        fits.then_some(field)
    }

    fn set_cells(&mut self) {
        let shape = &self.board.shapes[self.units];
        for (anchor, (mask, next)) in shape.masks.iter().zip(&shape.next).enumerate() {
            let cell = mask.0[0].trailing_zeros() as usize % 64;
            let neighbours = next.iter().filter(|&&to| to != STUCK);
            self.anchors[cell] = anchor as u16;
            self.near[cell] = neighbours.fold(0, |near, &to| near | shape.masks[to as usize].0[0]);
        }
    }

    fn set_slots(&mut self) {
        // Any fixed pseudo-random numbers will do.
        let mut random = Random::new(0x5EED);
        for (k, shape) in self.board.shapes.iter().enumerate().filter(|(k, _)| *k != self.units) {
            let (first, places) = (self.slots.len(), self.places.len());
            let end = first + shape.pieces.len();
            self.slots.extend((first..end).map(|_| Slot { shape: k, first, end, places }));
            for (mask, next) in shape.masks.iter().zip(&shape.next) {
                let mask = mask.0[0];
                let there = next.map(|to| shape.masks.get(to as usize).map(|m| m.0[0]));
                let entered = there.map(|there| there.map_or(Cells::MAX, |there| there & !mask));
                self.places.push(Place {
                    mask,
                    next: *next,
                    ways: (0..4).fold(0, |ways, dir| ways | u64::from(next[dir] != STUCK) << dir),
                    entered,
                    taken: entered.map(|cells| cells & self.room),
                    given: there.map(|there| there.map_or(0, |there| mask & !there & self.room)),
                    hash: random.bits(),
                });
            }
            let covered = shape.masks.iter().map(|m| (m.0[0] & self.room).count_ones() as usize);
            let (fewest, most) = covered.fold((usize::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
            self.most = self.most.saturating_sub(fewest * shape.pieces.len());
            self.least = self.least.saturating_sub(most * shape.pieces.len());
        }
        self.least = self.least.max(self.count);
    }

    /// The number of larger pieces.
    pub(super) fn large(&self) -> usize {
        self.slots.len()
    }

    #[inline(always)]
    fn place(&self, slot: usize, anchor: u8) -> &Place {
        &self.places[self.slots[slot].places + anchor as usize]
    }

    /// The packing of the start.
    pub(super) fn start(&self) -> Key {
        let mut key = [0; MOST_LARGE];
        let shapes = self.board.shapes.iter().enumerate().filter(|(k, _)| *k != self.units);
        let anchors = shapes.flat_map(|(_, s)| {
            let mut at: Vec<u16> = s.pieces.iter().map(|&p| self.board.start[p]).collect();
            at.sort_unstable();
            at
        });
        for (place, anchor) in key.iter_mut().zip(anchors) {
            *place = anchor as u8;
        }
        key
    }

    /// The gaps of the start.
    pub(super) fn start_gaps(&self) -> u32 {
        let free = self.view(&self.start()).free;
        let shape = &self.board.shapes[self.units];
        let units = shape.pieces.iter().map(|&p| shape.masks[self.board.start[p] as usize].0[0]);
        order::<Plain>(free, units.fold(free, |gaps, unit| gaps & !unit))
    }

    /// The anchors of all pieces in a position.
    pub(super) fn at(&self, key: &Key, gaps: u32) -> Vec<u16> {
        let free = self.view(key).free;
        let cells = (0..64).filter(|c| free >> c & 1 == 1).enumerate();
        let covered = cells.filter(|(i, _)| gaps >> i & 1 == 0).map(|(_, c)| self.anchors[c]);
        let mut at = vec![0; self.board.pieces()];
        for (&piece, anchor) in self.board.shapes[self.units].pieces.iter().zip(covered) {
            at[piece] = anchor;
        }
        for (i, (slot, &anchor)) in self.slots.iter().zip(key).enumerate() {
            at[self.board.shapes[slot.shape].pieces[i - slot.first]] = u16::from(anchor);
        }
        at
    }

    /// Computes the view of a packing.
    #[inline(always)]
    pub(super) fn view(&self, key: &Key) -> View {
        let (mut large, mut hash) = (0, 0u64);
        for (slot, &anchor) in self.slots.iter().zip(key) {
            let place = &self.places[slot.places + anchor as usize];
            large |= place.mask;
            hash = hash.wrapping_add(place.hash);
        }
        View { large, free: self.room & !large, hash }
    }

    /// Is the goal reached? Single cells do not matter.
    #[inline(always)]
    pub(super) fn is_goal(&self, key: &Key) -> bool {
        self.board.targets.iter().all(|(shape, cells)| {
            let own = self.slots.iter().zip(key).filter(|(slot, _)| slot.shape == *shape);
            let covered = own.fold(0, |m, (slot, &a)| m | self.places[slot.places + a as usize].mask);
            cells.0[0] & !covered == 0
        })
    }

    /// By free cell, in order: the adjacent free cells.
    #[inline(always)]
    pub(super) fn beside<B: Bits>(&self, free: Cells, beside: &mut [u32; MOST_CELLS]) {
        let mut bits = free;
        for beside in beside {
            if bits == 0 {
                break;
            }
            let cell = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            *beside = order::<B>(free, self.near[cell]);
        }
    }

    /// Calls `f` with every step of a larger piece that is not blocked by another larger piece and passes `may`, which gets the
    /// free cells that the step takes.
    #[inline(always)]
    pub(super) fn shifts<B: Bits>(
        &self,
        key: &Key,
        view: &View,
        may: impl Fn(u32) -> bool,
        mut f: impl FnMut(Shift),
    ) {
        // Collects the possible steps as bits first, without branches: branch prediction would fail on them.
        let mut possible = 0u64;
        for (slot, &anchor) in (0..self.slots.len()).zip(key) {
            let place = self.place(slot, anchor);
            let mut ways = 0;
            for dir in 0..4 {
                ways |= u64::from(place.entered[dir] & view.large == 0) << dir;
            }
            possible |= (ways & place.ways) << (4 * slot);
        }
        while possible != 0 {
            let bit = possible.trailing_zeros() as usize;
            possible &= possible - 1;
            let (slot, dir) = (bit / 4, bit % 4);
            let place = self.place(slot, key[slot]);
            let taken = order::<B>(view.free, place.taken[dir]);
            if !may(taken) {
                continue;
            }
            let to = place.next[dir] as u8;
            let free = view.free & !place.taken[dir] | place.given[dir];
            let given = order::<B>(free, place.given[dir]);
            let hash = view.hash.wrapping_sub(place.hash).wrapping_add(self.place(slot, to).hash);
            f(Shift { slot, to, taken, given, cells: free.count_ones() as usize, hash });
        }
    }

    /// The packing after a step.
    #[inline(always)]
    pub(super) fn shifted(&self, key: &Key, shift: &Shift) -> Key {
        let mut key = *key;
        let range = self.slots[shift.slot];
        let mut slot = shift.slot;
        while slot + 1 < range.end && key[slot + 1] < shift.to {
            key[slot] = key[slot + 1];
            slot += 1;
        }
        while slot > range.first && key[slot - 1] > shift.to {
            key[slot] = key[slot - 1];
            slot -= 1;
        }
        key[slot] = shift.to;
        key
    }

    /// A step as shape and anchors.
    pub(super) fn shift_hop(&self, key: &Key, shift: &Shift) -> Hop {
        (self.slots[shift.slot].shape, u16::from(key[shift.slot]), u16::from(shift.to))
    }

    /// A single cell's step from one free cell to another, as shape and anchors.
    pub(super) fn unit_hop(&self, free: Cells, from: u32, to: u32) -> Hop {
        let anchor = |i: u32| {
            let cell = (0..64).filter(|c| free >> c & 1 == 1).nth(i as usize);
            cell.map_or(0, |c| self.anchors[c])
        };
        (self.units, anchor(from), anchor(to))
    }
}

impl View {
    /// The number of free cells of the room.
    #[inline(always)]
    pub(super) fn cells(&self) -> usize {
        self.free.count_ones() as usize
    }
}

/// The free ones of some cells, as indices among all free cells.
#[inline(always)]
fn order<B: Bits>(free: Cells, cells: Cells) -> u32 {
    B::gather(cells, free) as u32
}
