//! Numbers board positions, with pieces of one shape merged.
//!
//! The anchors of the pieces are kept in *slots*: shape by shape, ascending inside a shape. Such a position is a choice of k
//! anchors out of A for each shape. So it has a number without gaps: the sum of binomial coefficients C(aᵢ, i + 1) inside a
//! shape, and mixed radix between shapes. It takes one table look-up per slot, and a move changes one or two summands.
//!
//! On a symmetric board a position has the smaller of its own number and its image's. Where numbers would be too large, single
//! cells are numbered among the cells that the larger pieces leave.

use super::board::{Board, STUCK};
use super::layout::MAX_PIECES;
use super::mask::Mask;
use super::mirror::Mirror;
use super::space::Metric;
use super::units::Units;

mod order;

/// Most anchors of a shape: a slot is a byte.
const MOST_ANCHORS: usize = 256;
/// Positions are numbered in at least this many bits, so that bit mixing is effective.
const LEAST_BITS: u32 = 16;

/// A position: the anchor of each slot. The last byte tells how it was reached, see [`Tables::successors`].
pub(super) type Node<const P: usize> = [u8; P];

/// The `reached` byte of a position that no move led to.
pub(super) const NO_MOVE: u8 = u8::MAX;

/// One anchor of a shape, with all data that a step from it needs.
#[derive(Clone, Debug)]
struct Place<const N: usize> {
    mask: Mask<N>,
    /// By direction: the cells that a step newly covers; all of them if there is no such step.
    entered: [Mask<N>; 4],
    next: [u8; 4],
    /// The directions in which a step is possible, as bits.
    ways: u8,
    /// The index of each step in the order of all steps, see `order`.
    order: [u16; 4],
}

impl<const N: usize> Place<N> {
    /// The directions in which the piece can step among these other pieces, as bits.
    #[inline(always)]
    fn ways_among(&self, others: &Mask<N>) -> u64 {
        let mut ways = 0;
        for dir in 0..4 {
            ways |= u64::from(!self.entered[dir].meets(others)) << dir;
        }
        ways & u64::from(self.ways)
    }

    /// Can the piece step in this direction among these other pieces? (An empty set blocks nothing.)
    #[inline(always)]
    fn free(&self, dir: usize, others: &Mask<N>) -> bool {
        (self.ways >> dir & 1 == 1) & !self.entered[dir].meets(others)
    }
}

/// The slots of one shape.
#[derive(Clone, Copy, Debug)]
struct Slots {
    first: u8,
    end: u8,
    /// The index of the shape's first place.
    places: u32,
}

/// How a position's number derives from the plain one.
#[derive(Debug)]
enum Numbering<const N: usize> {
    /// It is the plain number.
    Plain,
    /// The smaller one of the position's and its image's.
    Mirror {
        /// The image of each place, as an anchor.
        images: Vec<u8>,
        /// By slot: the first slot of its shape's image.
        first: [u8; MAX_PIECES],
        /// The symmetry itself.
        mirror: Mirror,
    },
    /// Single cells, in these slots, numbered among the cells that larger pieces leave.
    Units(Units<N>, Slots),
}

/// A position being expanded, with the data for its successors' numbers.
struct View<const N: usize, const P: usize> {
    rank: u64,
    occupied: Mask<N>,
    /// The image, the slot of each of the position's slots in it, and the image's number.
    image: Node<P>,
    image_slots: [u8; P],
    image_rank: u64,
    /// The cells covered by pieces of more than one cell.
    large: Mask<N>,
}

/// Bits of a number above which the slower numbering by single cells is used.
const WIDE: u32 = 48;

/// The search tables of a board.
#[derive(Debug)]
pub(super) struct Tables<const N: usize> {
    slots: Vec<Slots>,
    /// The index of the first place of each slot. As long as the longest position, so that no look-up is out of bounds.
    base: [u32; MAX_PIECES],
    places: Vec<Place<N>>,
    /// By slot and anchor: its contribution to the number of the position.
    weights: Vec<[u64; MOST_ANCHORS]>,
    targets: Vec<(Slots, Mask<N>)>,
    bits: u32,
    metric: Metric,
    numbering: Numbering<N>,
}

/// A successor before it is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// The slot of the piece before the move.
    pub slot: u8,
    /// The target anchor.
    pub to: u8,
    /// Its slot after the move.
    pub new_slot: u8,
    /// The `reached` byte of the successor.
    pub reached: u8,
}

fn binomial(n: u64, k: u64) -> Option<u64> {
    let mut result = 1u128;
    for i in 0..k {
        result = result.checked_mul(u128::from(n.saturating_sub(i)))? / u128::from(i + 1);
    }
    u64::try_from(result).ok()
}

impl<const N: usize> Tables<N> {
    /// `None` if a shape has too many anchors, there are too many pieces, or positions do not fit into 64 bits. Mirror images
    /// share a number only if `mirrored`.
    pub(super) fn new(board: &Board<N>, metric: Metric, mirrored: bool) -> Option<Self> {
        let mirror = Mirror::of(board).filter(|_| mirrored);
        let plain = Self::numbered(board, metric, None);
        let mut tables = match plain {
            Some(plain) if plain.bits <= WIDE || mirror.is_some() => plain,
            plain => {
                Units::of(board).and_then(|units| Self::numbered(board, metric, Some(units))).or(plain)?
            }
        };
        if let (Some(mirror), Numbering::Plain) = (mirror, &tables.numbering) {
            tables.reflect_by(mirror);
        }
        tables.set_order(board);
        Some(tables)
    }

    fn numbered(board: &Board<N>, metric: Metric, mut units: Option<Units<N>>) -> Option<Self> {
        let mut tables = Self {
            slots: Vec::new(),
            base: [0; MAX_PIECES],
            places: Vec::new(),
            weights: Vec::new(),
            targets: Vec::new(),
            bits: 0,
            metric,
            numbering: Numbering::Plain,
        };
        let mut radix = 1u64;
        let mut ranges = Vec::new();
        for (k, shape) in board.shapes.iter().enumerate() {
            if shape.len() > MOST_ANCHORS || board.pieces() >= MAX_PIECES {
                return None;
            }
            let first = tables.slots.len();
            let range = Slots {
                first: first as u8,
                end: (first + shape.pieces.len()) as u8,
                places: tables.places.len() as u32,
            };
            ranges.push(range);
            let apart = units.as_ref().is_some_and(|u| u.shape == k);
            for i in 0..shape.pieces.len() {
                let mut weights = [0; MOST_ANCHORS];
                for (a, weight) in weights.iter_mut().enumerate().take(shape.len()).filter(|_| !apart) {
                    *weight = binomial(a as u64, i as u64 + 1)?.checked_mul(radix)?;
                }
                tables.weights.push(weights);
                tables.base[tables.slots.len()] = range.places;
                tables.slots.push(range);
            }
            if !apart {
                radix = radix.checked_mul(binomial(shape.len() as u64, shape.pieces.len() as u64)?)?;
            }
            for (mask, next) in shape.masks.iter().zip(&shape.next) {
                let entered = next.map(|to| match to {
                    STUCK => Mask::FULL,
                    to => shape.masks[to as usize].without(mask),
                });
                let ways = (0..4).fold(0, |ways, dir| ways | u8::from(next[dir] != STUCK) << dir);
                tables.places.push(Place {
                    mask: *mask,
                    entered,
                    next: next.map(|to| to as u8),
                    ways,
                    order: [0; 4],
                });
            }
        }
        if let Some(mut units) = units.take() {
            units.radix = radix;
            radix = radix.checked_mul(units.count)?;
            let range = ranges[units.shape];
            tables.numbering = Numbering::Units(units, range);
        }
        tables.bits = (u64::BITS - radix.saturating_sub(1).leading_zeros()).max(LEAST_BITS);
        tables.targets = board.targets.iter().map(|(shape, mask)| (ranges[*shape], *mask)).collect();
        Some(tables)
    }

    fn reflect_by(&mut self, mirror: Mirror) {
        let starts: Vec<u8> = {
            let mut firsts: Vec<u8> = self.slots.iter().map(|s| s.first).collect();
            firsts.dedup();
            firsts
        };
        let mut first = [0; MAX_PIECES];
        for (slot, range) in self.slots.iter().enumerate() {
            let shape = starts.iter().position(|&f| f == range.first).unwrap_or(0);
            first[slot] = starts[mirror.shapes[shape]];
        }
        self.numbering = Numbering::Mirror { images: mirror.anchors.concat(), first, mirror };
    }

    /// The image of a move, given by shape and two anchors; the move itself if the board has no symmetry.
    pub(super) fn image(&self, shape: usize, from: u16, to: u16) -> (usize, u16, u16) {
        let Numbering::Mirror { mirror, .. } = &self.numbering else { return (shape, from, to) };
        let anchor = |a: u16| u16::from(mirror.anchors[shape][a as usize]);
        (mirror.shapes[shape], anchor(from), anchor(to))
    }

    /// The number of slots.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The most bits of a number.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// The position with the pieces at these anchors.
    #[allow(clippy::unused_self)] // reads better at the call
    pub(super) fn node<const P: usize>(&self, board: &Board<N>, at: &[u16]) -> Node<P> {
        let mut node = [0; P];
        let mut slot = 0;
        for shape in &board.shapes {
            let first = slot;
            for &piece in &shape.pieces {
                node[slot] = at[piece] as u8;
                slot += 1;
            }
            node[first..slot].sort_unstable();
        }
        node[P - 1] = NO_MOVE;
        node
    }

    /// The anchors of all pieces; those of one shape are assigned in ascending order.
    #[allow(clippy::unused_self)] // reads better at the call
    pub(super) fn anchors<const P: usize>(&self, board: &Board<N>, node: &Node<P>) -> Vec<u16> {
        let mut at = vec![0; board.pieces()];
        let pieces = board.shapes.iter().flat_map(|s| &s.pieces);
        for (&piece, &anchor) in pieces.zip(node) {
            at[piece] = u16::from(anchor);
        }
        at
    }

    /// Computes the view of a position.
    #[inline(always)]
    fn view<const P: usize>(&self, node: &Node<P>) -> View<N, P> {
        let (mut rank, mut occupied) = (0u64, Mask::EMPTY);
        for (slot, (weights, &anchor)) in self.weights.iter().zip(node).enumerate() {
            rank = rank.wrapping_add(weights[anchor as usize]);
            occupied = occupied.with(&self.place(slot, anchor).mask);
        }
        let mut view = View {
            rank,
            occupied,
            image: [0; P],
            image_slots: [0; P],
            image_rank: u64::MAX,
            large: Mask::EMPTY,
        };
        match &self.numbering {
            Numbering::Plain => {}
            Numbering::Mirror { images, first, .. } => self.reflect(images, first, node, &mut view),
            Numbering::Units(_, range) => {
                view.large = occupied;
                let own = range.first as usize..range.end as usize;
                for (slot, &anchor) in own.clone().zip(&node[own]) {
                    view.large = view.large.without(&self.place(slot, anchor).mask);
                }
            }
        }
        view
    }

    /// Computes the image of a position, sorted like every position.
    #[inline(always)]
    fn reflect<const P: usize>(
        &self,
        images: &[u8],
        first: &[u8; MAX_PIECES],
        node: &Node<P>,
        view: &mut View<N, P>,
    ) {
        // The slot of an image is the number of images of its shape before it. Counting them takes no branch, which would be
        // unpredictable.
        let mut images_of = [0u8; P];
        for (slot, image) in images_of.iter_mut().enumerate().take(self.slots.len()) {
            *image = images[self.base[slot % MAX_PIECES] as usize + node[slot] as usize];
            view.image_slots[slot] = first[slot % MAX_PIECES];
        }
        for (slot, range) in self.slots.iter().enumerate() {
            for other in slot + 1..range.end as usize {
                let later = u8::from(images_of[slot] > images_of[other % P]);
                view.image_slots[slot] += later;
                view.image_slots[other % P] += 1 - later;
            }
        }
        view.image_rank = 0;
        for (&anchor, &slot) in images_of.iter().zip(&view.image_slots).take(self.slots.len()) {
            let i = slot as usize % P;
            view.image[i] = anchor;
            view.image_rank = view.image_rank.wrapping_add(self.weights[i][anchor as usize]);
        }
    }

    /// The number of the position after a piece moves to another anchor, which changes the plain number by `change`.
    #[inline(always)]
    fn number<const P: usize>(
        &self,
        node: &Node<P>,
        view: &View<N, P>,
        slot: usize,
        to: u8,
        change: u64,
    ) -> u64 {
        let rank = view.rank.wrapping_add(change);
        match &self.numbering {
            Numbering::Plain => rank,
            Numbering::Mirror { images, .. } => {
                let image = images[self.base[slot % MAX_PIECES] as usize + to as usize];
                let (_, change) = self.relocate(&view.image, view.image_slots[slot] as usize, image);
                rank.min(view.image_rank.wrapping_add(change))
            }
            Numbering::Units(units, _) => {
                let (old, new) = (&self.place(slot, node[slot]).mask, &self.place(slot, to).mask);
                let occupied = view.occupied.without(old).with(new);
                let large =
                    if view.large.meets(old) { view.large.without(old).with(new) } else { view.large };
                rank.wrapping_add(units.rank(&occupied, &large))
            }
        }
    }

    /// The number of a position.
    pub(super) fn rank<const P: usize>(&self, node: &Node<P>) -> u64 {
        let view = self.view(node);
        match &self.numbering {
            Numbering::Units(units, _) => view.rank.wrapping_add(units.rank(&view.occupied, &view.large)),
            _ => view.rank.min(view.image_rank),
        }
    }

    /// The number of positions that share this one's number: it and its image, if different.
    #[inline(always)]
    pub(super) fn weight<const P: usize>(&self, node: &Node<P>) -> u64 {
        if !matches!(self.numbering, Numbering::Mirror { .. }) {
            return 1;
        }
        let view = self.view(node);
        1 + u64::from(view.rank != view.image_rank)
    }

    /// Mixes the bits of a number: a bijection, so no two positions collide.
    #[inline(always)]
    pub(super) fn mix(&self, rank: u64) -> u64 {
        let mask = u64::MAX >> (64 - self.bits);
        let half = self.bits / 2 + 1;
        let x = (rank ^ rank >> half).wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
        let x = (x ^ x >> half).wrapping_mul(0xD6E8_FEB8_6659_FD93) & mask;
        x ^ x >> half
    }

    #[inline(always)]
    fn place(&self, slot: usize, anchor: u8) -> &Place<N> {
        &self.places[self.base[slot % MAX_PIECES] as usize + anchor as usize]
    }

    /// Are all targets covered?
    #[inline(always)]
    pub(super) fn is_goal<const P: usize>(&self, node: &Node<P>) -> bool {
        self.targets.iter().all(|(range, cells)| {
            let mut covered = Mask::EMPTY;
            for &anchor in &node[range.first as usize..range.end as usize] {
                covered = covered.with(&self.places[range.places as usize + anchor as usize].mask);
            }
            covered.covers(cells)
        })
    }

    /// The slot that a piece gets at another anchor, and the change of the number.
    #[inline(always)]
    fn relocate<const P: usize>(&self, node: &Node<P>, slot: usize, to: u8) -> (usize, u64) {
        let Slots { first, end, .. } = self.slots[slot];
        let weight = |s: usize, a: u8| self.weights[s][a as usize];
        let mut s = slot;
        let mut change = weight(slot, node[slot]).wrapping_neg();
        while s + 1 < end as usize && node[s + 1] < to {
            change = change.wrapping_add(weight(s, node[s + 1])).wrapping_sub(weight(s + 1, node[s + 1]));
            s += 1;
        }
        while s > first as usize && node[s - 1] > to {
            change = change.wrapping_add(weight(s, node[s - 1])).wrapping_sub(weight(s - 1, node[s - 1]));
            s -= 1;
        }
        (s, change.wrapping_add(weight(s, to)))
    }

    /// Builds the successor.
    #[inline(always)]
    #[allow(clippy::unused_self)] // reads better at the call
    pub(super) fn apply<const P: usize>(&self, node: &Node<P>, hop: Hop) -> Node<P> {
        let mut child = *node;
        let (slot, new_slot) = (hop.slot as usize, hop.new_slot as usize);
        for s in slot..new_slot {
            child[s] = child[s + 1];
        }
        for s in (new_slot..slot).rev() {
            child[s + 1] = child[s];
        }
        child[new_slot] = hop.to;
        child[P - 1] = hop.reached;
        child
    }

    /// Calls `f` with the successors and their numbers. Omits those that the last move makes redundant: the reverse step, the
    /// same piece again (moves), the same piece along the same axis again (lines).
    #[inline(always)]
    pub(super) fn successors<const P: usize>(&self, node: &Node<P>, f: impl FnMut(Hop, u64)) {
        match self.metric {
            Metric::Steps => self.steps(node, f),
            Metric::Lines => self.lines(node, f),
            Metric::Moves => self.moves(node, f),
        }
    }

    /// The possible steps of a group of sixteen slots, bit `4 * slot + direction`. Without branches, which would be
    /// unpredictable.
    #[inline(always)]
    fn possible<const P: usize>(&self, node: &Node<P>, first: usize, occupied: &Mask<N>) -> u64 {
        let mut bits = 0;
        let group = &node[first..self.slots.len().min(first + 16)];
        for (i, &anchor) in group.iter().enumerate() {
            bits |= self.place(first + i, anchor).ways_among(occupied) << (4 * i);
        }
        bits
    }

    #[inline(always)]
    fn steps<const P: usize>(&self, node: &Node<P>, mut f: impl FnMut(Hop, u64)) {
        let view = self.view(node);
        let occupied = view.occupied;
        let reached = node[P - 1] as usize;
        for first in (0..self.slots.len()).step_by(16) {
            let mut bits = self.possible(node, first, &occupied);
            if reached / 64 == first / 16 {
                bits &= !(1 << (reached % 64));
            }
            bits = self.needed(node, first, bits);
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (slot, dir) = (first + bit / 4, bit % 4);
                let to = self.place(slot, node[slot]).next[dir];
                let (new_slot, change) = self.relocate(node, slot, to);
                let back = (4 * new_slot + (dir ^ 1)) as u8;
                let hop = Hop { slot: slot as u8, to, new_slot: new_slot as u8, reached: back };
                f(hop, self.number(node, &view, slot, to, change));
            }
        }
    }

    #[inline(always)]
    fn lines<const P: usize>(&self, node: &Node<P>, mut f: impl FnMut(Hop, u64)) {
        let view = self.view(node);
        let occupied = view.occupied;
        let reached = node[P - 1] as usize;
        for first in (0..self.slots.len()).step_by(16) {
            let mut bits = self.possible(node, first, &occupied);
            if reached / 32 == first / 16 {
                bits &= !(3 << (2 * (reached % 32)));
            }
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (slot, dir) = (first + bit / 4, bit % 4);
                let mut place = self.place(slot, node[slot]);
                let others = occupied.without(&place.mask);
                loop {
                    let to = place.next[dir];
                    let (new_slot, change) = self.relocate(node, slot, to);
                    let axis = (2 * new_slot + dir / 2) as u8;
                    let hop = Hop { slot: slot as u8, to, new_slot: new_slot as u8, reached: axis };
                    f(hop, self.number(node, &view, slot, to, change));
                    place = self.place(slot, to);
                    if !place.free(dir, &others) {
                        break;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn moves<const P: usize>(&self, node: &Node<P>, mut f: impl FnMut(Hop, u64)) {
        let view = self.view(node);
        let occupied = view.occupied;
        let reached = node[P - 1] as usize;
        let mut todo = [0u8; MOST_ANCHORS];
        for first in (0..self.slots.len()).step_by(16) {
            let mut bits = self.possible(node, first, &occupied);
            if reached / 16 == first / 16 {
                bits &= !(15 << (4 * (reached % 16)));
            }
            while bits != 0 {
                let i = bits.trailing_zeros() as usize / 4;
                let mut ways = bits >> (4 * i) & 15;
                bits &= !(15 << (4 * i));
                let slot = first + i;
                let mut place = self.place(slot, node[slot]);
                let others = occupied.without(&place.mask);
                let mut met = [0u64; MOST_ANCHORS / 64];
                met[node[slot] as usize / 64] |= 1 << (node[slot] % 64);
                let (mut head, mut end) = (0, 0);
                loop {
                    while ways != 0 {
                        let to = place.next[ways.trailing_zeros() as usize % 4];
                        ways &= ways - 1;
                        let (word, bit) = (to as usize / 64, 1 << (to % 64));
                        if met[word] & bit != 0 {
                            continue;
                        }
                        met[word] |= bit;
                        todo[end % MOST_ANCHORS] = to;
                        end += 1;
                        let (new_slot, change) = self.relocate(node, slot, to);
                        let hop =
                            Hop { slot: slot as u8, to, new_slot: new_slot as u8, reached: new_slot as u8 };
                        f(hop, self.number(node, &view, slot, to, change));
                    }
                    if head == end {
                        break;
                    }
                    place = self.place(slot, todo[head]);
                    head += 1;
                    ways = place.ways_among(&others);
                }
            }
        }
    }
}
