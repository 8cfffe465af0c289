//! Children of many nodes at once.
//!
//! A search that goes from node to node waits for memory at each look-up and guesses wrong at each test. Here a herd of nodes is
//! taken through the same stages together: children that the machine and the Manhattan distance allow; then look-up by
//! look-up, first all addresses, then all answers, and only who passed one look-up comes to the next. Memory brings many
//! entries at once, and nothing branches on whether a child falls out.

use super::super::machine::NO;
use super::additive::{ALL_PARTS, Additive, MAX_COLUMNS, MAX_SQUARES, Node};
use super::form::Form;

/// The largest herd.
pub(super) const HERD: usize = 64;
/// The most children of a herd.
const MOST: usize = 4 * HERD;

/// A child that has not fallen out yet.
#[derive(Clone, Copy, Default)]
struct Child {
    /// Its parent's number in the herd.
    parent: u16,
    machine: u16,
    to: u8,
    tile: u8,
    step: u8,
    slack: u8,
    distance: u8,
}

/// Memory for the stages, for `L` look-ups.
pub(super) struct Stages<P, const L: usize> {
    children: [Child; MOST],
    /// Numbers of those children that are left, in order.
    left: [u16; MOST],
    /// By look-up and child.
    places: [[P; MOST]; L],
    extra: [[u8; MOST]; L],
    asked: [u32; MOST],
    /// The largest entry that a child may have.
    most: [i8; MOST],
}

impl<P: Copy + Default, const L: usize> Stages<P, L> {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            children: [Child::default(); MOST],
            left: [0; MOST],
            places: [[P::default(); MOST]; L],
            extra: [[0; MOST]; L],
            asked: [0; MOST],
            most: [0; MOST],
        })
    }
}

impl<F: Form> Additive<F> {
    /// Puts the children of a herd on top of the stack, the first child of the first node topmost, and gives how many the
    /// machine allowed. There are `V` views and at most `L` look-ups; with exact numbers the loops over them are unrolled.
    #[inline(never)]
    pub(super) fn expand<const S: usize, const L: usize, const V: usize>(
        &self,
        herd: &[Node<F::Place, S>],
        stages: &mut Stages<F::Place, L>,
        stack: &mut Vec<Node<F::Place, S>>,
    ) -> u64 {
        let herd = &herd[..herd.len().min(HERD)];
        let (count, made) = self.allowed::<S, L>(herd, stages);
        for (i, left) in stages.left.iter_mut().enumerate().take(count) {
            *left = i as u16;
        }
        let mut left = count;
        for lookup in 0..L.min(self.lookups) {
            self.ask::<S, L, V>(lookup, left, herd, stages);
            left = self.answer::<S, L, V>(lookup, left, stages);
        }
        for i in (0..left).rev() {
            self.enter::<S, L, V>(usize::from(stages.left[i % MOST]) % MOST, herd, stages, stack);
        }
        made
    }

    /// The children that the machine and the Manhattan distance allow, and how many the machine does.
    #[inline(always)]
    fn allowed<const S: usize, const L: usize>(
        &self,
        herd: &[Node<F::Place, S>],
        stages: &mut Stages<F::Place, L>,
    ) -> (usize, u64) {
        let children = &mut stages.children;
        let (mut count, mut made) = (0, 0);
        for (parent, node) in herd.iter().enumerate() {
            let blank = usize::from(node.blank) % MAX_SQUARES;
            for step in self.order {
                let machine = self.machine.after(node.machine, step as usize);
                let to = blank.wrapping_add_signed(self.offsets[step as usize]) % MAX_SQUARES;
                let tile = node.cells[to];
                let good = (self.nearer[blank][step as usize] >> (tile & 31) & 1) as u8;
                let room = node.slack + good;
                children[count % MOST] = Child {
                    parent: parent as u16,
                    machine,
                    to: to as u8,
                    tile,
                    step: step as u8,
                    slack: room.wrapping_sub(1),
                    distance: node.distance.wrapping_add(1).wrapping_sub(2 * good),
                };
                made += u64::from(machine != NO);
                count += usize::from(machine != NO) & usize::from(room > 0);
            }
        }
        (count, made)
    }

    /// Asks the memory for one entry of each child that is left.
    #[inline(always)]
    fn ask<const S: usize, const L: usize, const V: usize>(
        &self,
        lookup: usize,
        left: usize,
        herd: &[Node<F::Place, S>],
        stages: &mut Stages<F::Place, L>,
    ) {
        let view = lookup % V;
        let map = &self.square[view];
        let members = &self.members[lookup];
        let places = &mut stages.places[lookup];
        for &number in &stages.left[..left.min(MOST)] {
            let number = usize::from(number) % MOST;
            let child = &stages.children[number];
            let node = &herd[usize::from(child.parent)];
            let member = &members[usize::from(child.tile) % MAX_SQUARES];
            let slot = usize::from(member.slot) % S;
            let from = usize::from(map[usize::from(child.to) % MAX_SQUARES]);
            let here = usize::from(map[usize::from(node.blank) % MAX_SQUARES]);
            let pattern = usize::from(self.pattern[slot]);
            let place = self.databases.slide(pattern, node.places[slot], member.weight, from, here);
            stages.asked[number] = self.databases.ask(pattern, place, from);
            places[number] = place;
            // What the other parts need, and the other patterns of this alternative.
            let rest = node.sums[view] - node.parts[usize::from(member.part) % ALL_PARTS];
            let others = node.columns[usize::from(member.column) % MAX_COLUMNS] - node.extra[slot];
            stages.most[number] = (child.slack as i8).wrapping_sub((rest + others) as i8);
        }
    }

    /// Reads the entries and gives how many children are left.
    #[inline(always)]
    fn answer<const S: usize, const L: usize, const V: usize>(
        &self,
        lookup: usize,
        left: usize,
        stages: &mut Stages<F::Place, L>,
    ) -> usize {
        let map = &self.square[lookup % V];
        let members = &self.members[lookup];
        let (places, extras) = (&stages.places[lookup], &mut stages.extra[lookup]);
        let mut kept = 0;
        for i in 0..left.min(MOST) {
            let number = usize::from(stages.left[i]) % MOST;
            let child = &stages.children[number];
            let slot = usize::from(members[usize::from(child.tile) % MAX_SQUARES].slot) % S;
            let blank = usize::from(map[usize::from(child.to) % MAX_SQUARES]);
            let pattern = usize::from(self.pattern[slot]);
            let extra = self.databases.answer(pattern, places[number], stages.asked[number], blank);
            extras[number] = extra;
            stages.left[kept % MOST] = number as u16;
            kept += usize::from(extra as i8 <= stages.most[number]);
        }
        kept
    }

    /// Makes a child that passed all look-ups a node.
    #[inline(always)]
    fn enter<const S: usize, const L: usize, const V: usize>(
        &self,
        number: usize,
        herd: &[Node<F::Place, S>],
        stages: &Stages<F::Place, L>,
        stack: &mut Vec<Node<F::Place, S>>,
    ) {
        let child = &stages.children[number];
        // Copied to its place at once, and changed there.
        stack.extend_from_slice(std::slice::from_ref(&herd[usize::from(child.parent)]));
        let Some(node) = stack.last_mut() else { return };
        let tile = usize::from(child.tile) % MAX_SQUARES;
        for view in 0..V {
            let mut largest = 0;
            let mut part = 0;
            for lookup in (view..L.min(self.lookups)).step_by(V) {
                let member = &self.members[lookup][tile];
                let (slot, column) = (usize::from(member.slot) % S, usize::from(member.column) % MAX_COLUMNS);
                let extra = stages.extra[lookup][number];
                node.columns[column] = node.columns[column] + extra - node.extra[slot];
                node.places[slot] = stages.places[lookup][number];
                node.extra[slot] = extra;
                largest = largest.max(node.columns[column]);
                part = usize::from(member.part) % ALL_PARTS;
            }
            node.sums[view] = node.sums[view] + largest - node.parts[part];
            node.parts[part] = largest;
        }
        node.cells[usize::from(node.blank) % MAX_SQUARES] = child.tile;
        node.cells[usize::from(child.to) % MAX_SQUARES] = 0;
        node.blank = child.to;
        node.machine = child.machine;
        node.slack = child.slack;
        node.distance = child.distance;
        node.step = child.step;
    }
}
