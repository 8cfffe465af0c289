//! Expands many nodes at once.
//!
//! A node-by-node search waits for memory at each look-up and mispredicts each test. Here a batch of nodes passes through the
//! same stages together. First the children that the move FSM and the Manhattan distance allow. Then look-up by look-up, first
//! all addresses, then all values; only children that pass one look-up reach the next. Many memory accesses overlap, and
//! nothing branches on whether a child is cut off.

use std::sync::atomic::{AtomicU32, Ordering};

use super::super::move_fsm::FORBIDDEN;
use super::additive::{Additive, Lane, MAX_LANES, MAX_SQUARES, Node, PER_LANE};
use super::form::Form;
use super::search::{BATCH, Head, Tree};

/// Most children of a batch.
const MOST_CHILDREN: usize = 4 * BATCH;

/// A child that is not cut off so far.
#[derive(Clone, Copy, Default)]
struct Child {
    /// Its parent's index in the batch.
    parent: u16,
    machine: u16,
    to: u8,
    tile: u8,
    step: u8,
    slack: u8,
    distance: u8,
}

/// Working memory of the stages, for `L` lanes.
pub(super) struct Stages<P, const L: usize> {
    children: [Child; MOST_CHILDREN],
    /// Indices of the children that are left, in order.
    left: [u16; MOST_CHILDREN],
    /// By lane and child.
    places: [[P; MOST_CHILDREN]; L],
    extra: [[u8; MOST_CHILDREN]; L],
    asked: [u32; MOST_CHILDREN],
    /// The largest entry that a child may have.
    most: [i8; MOST_CHILDREN],
    /// The lanes that cut a child off.
    cut_by: [u16; MOST_CHILDREN],
}

impl<P: Copy + Default, const L: usize> Stages<P, L> {
    fn new() -> Box<Self> {
        Box::new(Self {
            children: [Child::default(); MOST_CHILDREN],
            left: [0; MOST_CHILDREN],
            places: [[P::default(); MOST_CHILDREN]; L],
            extra: [[0; MOST_CHILDREN]; L],
            asked: [0; MOST_CHILDREN],
            most: [0; MOST_CHILDREN],
            cut_by: [0; MOST_CHILDREN],
        })
    }
}

/// The search tree with at most `L` lanes, which have `S` patterns.
pub(super) struct BatchTree<'a, F, const S: usize, const L: usize> {
    tables: &'a Additive<F>,
    lanes: &'a [Lane],
    /// By set of lanes: the number of children that exactly these cut off. Empty if not recorded.
    record: Vec<AtomicU32>,
}

impl<'a, F: Form, const S: usize, const L: usize> BatchTree<'a, F, S, L> {
    /// The tree with these lanes.
    pub(super) fn new(tables: &'a Additive<F>, lanes: &'a [Lane]) -> Self {
        Self { tables, lanes: &lanes[..lanes.len().min(L)], record: Vec::new() }
    }

    /// The same with a record of the lanes that cut children off. Then all children are looked up in all lanes.
    pub(super) fn recording(tables: &'a Additive<F>, lanes: &'a [Lane]) -> Self {
        let record = (0..1 << MAX_LANES).map(|_| AtomicU32::new(0)).collect();
        Self { record, ..Self::new(tables, lanes) }
    }

    /// The lanes that together cut off the most, the best first: each adds the most to those before.
    pub(super) fn best(&self, count: usize) -> Vec<usize> {
        let mut chosen = Vec::new();
        let mut covered = 0;
        while chosen.len() < count.min(self.lanes.len()) {
            let worth = |lane: usize| -> u64 {
                let sets = self.record.iter().enumerate();
                let new = sets.filter(|(set, _)| set >> lane & 1 == 1 && set & covered == 0);
                new.map(|(_, count)| u64::from(count.load(Ordering::Relaxed))).sum()
            };
            let rest = (0..self.lanes.len()).rev().filter(|lane| covered >> lane & 1 == 0);
            // Of equally good lanes, the first.
            let Some(best) = rest.max_by_key(|&lane| worth(lane)) else { break };
            covered |= 1 << best;
            chosen.push(best);
        }
        chosen
    }

    /// The children that the move FSM and the Manhattan distance allow, and the number that the move FSM allows.
    #[inline(always)]
    fn allowed(&self, batch: &[Node<F::Place, S, L>], children: &mut [Child; MOST_CHILDREN]) -> (usize, u64) {
        let tables = self.tables;
        let (mut count, mut made) = (0, 0);
        for (parent, node) in batch.iter().enumerate() {
            let blank = usize::from(node.blank) % MAX_SQUARES;
            for step in tables.order {
                let machine = tables.machine.after(node.machine, step as usize);
                let to = blank.wrapping_add_signed(tables.offsets[step as usize]) % MAX_SQUARES;
                let tile = node.cells[to];
                let good = (tables.nearer[blank][step as usize] >> (tile & 31) & 1) as u8;
                let room = node.head.slack + good;
                children[count % MOST_CHILDREN] = Child {
                    parent: parent as u16,
                    machine,
                    to: to as u8,
                    tile,
                    step: step as u8,
                    slack: room.wrapping_sub(1),
                    distance: node.head.distance.wrapping_add(1).wrapping_sub(2 * good),
                };
                made += u64::from(machine != FORBIDDEN);
                count += usize::from(machine != FORBIDDEN) & usize::from(room > 0);
            }
        }
        (count, made)
    }

    /// Prefetches one entry of each remaining child.
    #[inline(always)]
    fn ask(
        &self,
        number: usize,
        left: usize,
        batch: &[Node<F::Place, S, L>],
        stages: &mut Stages<F::Place, L>,
    ) {
        let (tables, lane) = (self.tables, &self.lanes[number]);
        let map = &tables.square[lane.view];
        let places = &mut stages.places[number];
        for &child in &stages.left[..left.min(MOST_CHILDREN)] {
            let at = usize::from(child) % MOST_CHILDREN;
            let child = &stages.children[at];
            let node = &batch[usize::from(child.parent)];
            let member = &lane.members[usize::from(child.tile) % MAX_SQUARES];
            let slot = (number * PER_LANE + usize::from(member.slot)) % S;
            let from = usize::from(map[usize::from(child.to) % MAX_SQUARES]);
            let here = usize::from(map[usize::from(node.blank) % MAX_SQUARES]);
            let pattern = usize::from(member.pattern);
            let place = tables.databases.slide(pattern, node.places[slot], member.weight, from, here);
            stages.asked[at] = tables.databases.ask(pattern, place, from);
            places[at] = place;
            // The slack left for this entry after the others of the lane.
            let others = node.sums[number] - node.extra[slot];
            stages.most[at] = (child.slack as i8).wrapping_sub(others as i8);
        }
    }

    /// Reads the entries and returns the number of remaining children.
    #[inline(always)]
    fn answer(&self, number: usize, left: usize, stages: &mut Stages<F::Place, L>, all: bool) -> usize {
        let (databases, lane) = (&self.tables.databases, &self.lanes[number]);
        let map = &self.tables.square[lane.view];
        let (places, extras) = (&stages.places[number], &mut stages.extra[number]);
        let mut kept = 0;
        for i in 0..left.min(MOST_CHILDREN) {
            let at = usize::from(stages.left[i]) % MOST_CHILDREN;
            let child = &stages.children[at];
            let pattern = usize::from(lane.members[usize::from(child.tile) % MAX_SQUARES].pattern);
            let blank = usize::from(map[usize::from(child.to) % MAX_SQUARES]);
            let extra = databases.answer(pattern, places[at], stages.asked[at], blank);
            extras[at] = extra;
            let fits = extra as i8 <= stages.most[at];
            if all {
                stages.cut_by[at] |= u16::from(!fits) << number;
            }
            stages.left[kept % MOST_CHILDREN] = at as u16;
            kept += usize::from(fits | all);
        }
        kept
    }

    /// Builds the node of a child that passed all look-ups.
    #[inline(always)]
    fn enter(
        &self,
        at: usize,
        batch: &[Node<F::Place, S, L>],
        stages: &Stages<F::Place, L>,
        stack: &mut Vec<Node<F::Place, S, L>>,
    ) {
        let child = &stages.children[at];
        // Copied to its place at once, and changed there.
        stack.extend_from_slice(std::slice::from_ref(&batch[usize::from(child.parent)]));
        let Some(node) = stack.last_mut() else { return };
        for (number, lane) in self.lanes.iter().enumerate().take(L) {
            let member = &lane.members[usize::from(child.tile) % MAX_SQUARES];
            let slot = (number * PER_LANE + usize::from(member.slot)) % S;
            let extra = stages.extra[number][at];
            node.sums[number] = node.sums[number] + extra - node.extra[slot];
            node.places[slot] = stages.places[number][at];
            node.extra[slot] = extra;
        }
        node.cells[usize::from(node.blank) % MAX_SQUARES] = child.tile;
        node.cells[usize::from(child.to) % MAX_SQUARES] = 0;
        node.blank = child.to;
        node.machine = child.machine;
        node.head =
            Head { slack: child.slack, distance: child.distance, step: child.step, task: node.head.task };
    }
}

impl<F: Form, const S: usize, const L: usize> Tree for BatchTree<'_, F, S, L> {
    type Node = Node<F::Place, S, L>;
    type Stages = Box<Stages<F::Place, L>>;

    fn stages(&self) -> Self::Stages {
        Stages::new()
    }

    fn root(&self, cells: &[u8]) -> Self::Node {
        self.tables.root(self.lanes, cells)
    }

    fn needs(&self, node: &Self::Node) -> u8 {
        node.needs()
    }

    #[inline(never)]
    fn expand(&self, batch: &[Self::Node], stages: &mut Self::Stages, stack: &mut Vec<Self::Node>) -> u64 {
        let batch = &batch[..batch.len().min(BATCH)];
        let (count, made) = self.allowed(batch, &mut stages.children);
        for (i, left) in stages.left.iter_mut().enumerate().take(count) {
            *left = i as u16;
        }
        let all = !self.record.is_empty();
        if all {
            stages.cut_by = [0; MOST_CHILDREN];
        }
        let mut left = count;
        for number in 0..L.min(self.lanes.len()) {
            self.ask(number, left, batch, stages);
            left = self.answer(number, left, stages, all);
        }
        for i in (0..left).rev() {
            let at = usize::from(stages.left[i % MOST_CHILDREN]) % MOST_CHILDREN;
            match self.record.get(usize::from(stages.cut_by[at])) {
                Some(count) if stages.cut_by[at] != 0 => {
                    count.fetch_add(1, Ordering::Relaxed);
                }
                _ => self.enter(at, batch, stages, stack),
            }
        }
        made
    }
}
