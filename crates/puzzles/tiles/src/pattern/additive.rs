//! Additive pattern databases, put together for a search.
//!
//! A *group* is a partition of the tiles into patterns: their entries add up. Several groups are looked up and the largest
//! sum counts. On a square board each partition makes two groups: rows and columns may be exchanged, so the same databases
//! serve the transposed board, the mirror.
//!
//! An entry is what a pattern needs beyond the Manhattan distance of its tiles, in pairs of moves. So the search carries the
//! slack of the bound over the Manhattan distance, as in the plain search, and a child falls out when a group's sum exceeds
//! it. A move changes one tile, therefore one entry a group; the others are carried along.
//!
//! What a node and its children are is said here; the order in which they are visited is in [`super::search`].

use super::super::board::Step;
use super::super::machine::{Machine, NO};
use super::form::Form;

/// The most squares of a board that has databases.
const MAX_SQUARES: usize = 32;
/// The most groups that are looked up.
pub(super) const MAX_GROUPS: usize = 4;
/// The most patterns of all groups together.
pub(super) const MAX_SLOTS: usize = 16;

/// A tile in a group: its slot, and what the database wants to know about it.
#[derive(Clone, Copy, Debug, Default)]
struct Member {
    slot: u8,
    weight: u32,
}

/// Databases of one form.
#[derive(Debug)]
pub struct Additive<F> {
    rows: usize,
    columns: usize,
    groups: usize,
    databases: F,
    /// How many slots there are: patterns, once for each group they are in.
    slots: usize,
    /// By slot: its pattern, and its group.
    pattern: [u8; MAX_SLOTS],
    group_of: [u8; MAX_SLOTS],
    /// By group and tile.
    members: [[Member; MAX_SQUARES]; MAX_GROUPS],
    /// By group and square: the square in the database. Odd groups are mirrored where there are mirrors.
    square: [[u8; MAX_SQUARES]; MAX_GROUPS],
    /// By square of the blank and step: the tiles that come nearer to home by it.
    nearer: [[u32; 4]; MAX_SQUARES],
    offsets: [isize; 4],
    order: [Step; 4],
    machine: Machine,
}

/// A node of the search. `G` groups are looked up, of at most `S` patterns in all.
#[derive(Clone, Copy)]
pub(super) struct Node<P, const G: usize, const S: usize> {
    cells: [u8; MAX_SQUARES],
    places: [P; S],
    extra: [u8; S],
    sums: [u8; G],
    blank: u8,
    machine: u16,
    /// What is left of the bound over the Manhattan distance, in pairs of moves.
    slack: u8,
    /// The Manhattan distance.
    pub(super) distance: u8,
    /// The step that led here.
    pub(super) step: u8,
}

/// A child that is within the Manhattan bound; its entries are on their way from memory.
#[derive(Clone, Copy)]
pub(super) struct Child<P, const G: usize> {
    places: [P; G],
    asked: [u32; G],
    slots: [u8; G],
    extra: [u8; G],
    sums: [u8; G],
    to: u8,
    tile: u8,
    step: u8,
    slack: u8,
    distance: u8,
    machine: u16,
}

impl<P: Copy + Default, const G: usize, const S: usize> Default for Node<P, G, S> {
    fn default() -> Self {
        Self {
            cells: [0; MAX_SQUARES],
            places: [P::default(); S],
            extra: [0; S],
            sums: [0; G],
            blank: 0,
            machine: 0,
            slack: 0,
            distance: 0,
            step: 0,
        }
    }
}

impl<P: Copy + Default, const G: usize> Default for Child<P, G> {
    fn default() -> Self {
        Self {
            places: [P::default(); G],
            asked: [0; G],
            slots: [0; G],
            extra: [0; G],
            sums: [0; G],
            to: 0,
            tile: 0,
            step: 0,
            slack: 0,
            distance: 0,
            machine: 0,
        }
    }
}

impl<F: Form> Additive<F> {
    /// A search on boards whose goal has the blank first, with partitions of the tiles: patterns in a row that hold every tile
    /// once. On a square board their mirror images are looked up too. `None` if something is no partition, or there are too
    /// many.
    pub fn new(databases: F, machine: Machine, order: [Step; 4]) -> Option<Self> {
        let (rows, columns) = databases.sides();
        let squares = rows * columns;
        if !(2..=MAX_SQUARES).contains(&squares) {
            return None;
        }
        let mut tables = Self {
            rows,
            columns,
            groups: 0,
            databases,
            slots: 0,
            pattern: [0; MAX_SLOTS],
            group_of: [0; MAX_SLOTS],
            members: [[Member::default(); MAX_SQUARES]; MAX_GROUPS],
            square: [[0; MAX_SQUARES]; MAX_GROUPS],
            nearer: [[0; 4]; MAX_SQUARES],
            offsets: [-1, 1, -(columns as isize), columns as isize],
            order,
            machine,
        };
        tables.find_nearer();
        let images = if rows == columns { &[false, true][..] } else { &[false] };
        let mut first = 0;
        while first < tables.databases.patterns() {
            let mut end = first;
            for &mirrored in images {
                end = tables.add_group(first, mirrored)?;
            }
            first = end;
        }
        Some(tables)
    }

    /// Adds a group: the patterns from `first` on that hold every tile once. Gives where they end.
    fn add_group(&mut self, first: usize, mirrored: bool) -> Option<usize> {
        let (squares, columns, group) = (self.rows * self.columns, self.columns, self.groups);
        let map = self.square.get_mut(group)?;
        for (s, image) in map.iter_mut().enumerate().take(squares) {
            *image = if mirrored { (s % columns * columns + s / columns) as u8 } else { s as u8 };
        }
        let mut taken = 1u64;
        let mut pattern = first;
        while taken != (1 << squares) - 1 {
            let (slot, end) = (self.slots, self.databases.patterns());
            if pattern == end || slot == MAX_SLOTS {
                return None;
            }
            for (place, &name) in self.databases.tiles(pattern).iter().enumerate() {
                // The tile whose mirror image has this name; mirroring twice changes nothing.
                let tile = usize::from(*self.square[group][..squares].get(name)?);
                if taken >> tile & 1 == 1 {
                    return None;
                }
                taken |= 1 << tile;
                self.members[group][tile] = Member { slot: slot as u8, weight: self.databases.weight(place) };
            }
            self.pattern[slot] = pattern as u8;
            self.group_of[slot] = group as u8;
            self.slots += 1;
            pattern += 1;
        }
        self.groups += 1;
        Some(pattern)
    }

    fn find_nearer(&mut self) {
        let squares = self.rows * self.columns;
        for (blank, from) in (0..squares).flat_map(|blank| (0..squares).map(move |from| (blank, from))) {
            let away = from as isize - blank as isize;
            let (Some(step), 1) = (self.offsets.iter().position(|&o| o == away), self.apart(blank, from))
            else {
                continue;
            };
            for tile in 1..squares {
                let nearer = self.apart(tile, blank) < self.apart(tile, from);
                self.nearer[blank][step] |= u32::from(nearer) << tile;
            }
        }
    }

    /// How many moves two squares are apart.
    fn apart(&self, a: usize, b: usize) -> usize {
        (a / self.columns).abs_diff(b / self.columns) + (a % self.columns).abs_diff(b % self.columns)
    }

    /// How many groups are looked up.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// Is the estimate consistent?
    pub fn consistent(&self) -> bool {
        self.databases.exact()
    }

    /// Bytes of all databases.
    pub fn bytes(&self) -> usize {
        self.databases.bytes()
    }

    /// The sum of the Manhattan distances.
    pub(super) fn manhattan(&self, cells: &[u8]) -> u32 {
        let far = |(square, &tile): (usize, &u8)| if tile == 0 { 0 } else { self.apart(tile.into(), square) };
        cells.iter().enumerate().map(far).sum::<usize>() as u32
    }

    /// The node of a board, without slack. `S` must be enough for the patterns.
    pub(super) fn root<const G: usize, const S: usize>(&self, cells: &[u8]) -> Node<F::Place, G, S> {
        let count = (self.rows * self.columns).min(cells.len());
        let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
        let mut node = Node {
            blank: blank as u8,
            machine: self.machine.start(blank),
            distance: self.manhattan(cells) as u8,
            ..Node::default()
        };
        node.cells[..count].copy_from_slice(&cells[..count]);
        for slot in 0..self.slots.min(S) {
            let (pattern, group) =
                (usize::from(self.pattern[slot]), usize::from(self.group_of[slot]).min(G - 1));
            let map = &self.square[group];
            let tiles = self.databases.tiles(pattern);
            let mut at = vec![0; tiles.len()];
            for (square, &tile) in cells.iter().enumerate().take(count).filter(|(_, tile)| **tile != 0) {
                let name = usize::from(map[usize::from(tile)]);
                if let Some(place) = tiles.iter().position(|&t| t == name) {
                    at[place] = usize::from(map[square]);
                }
            }
            let blank = usize::from(map[blank]);
            let place = self.databases.place(pattern, &at);
            let asked = self.databases.ask(pattern, place, blank);
            node.places[slot] = place;
            node.extra[slot] = self.databases.answer(pattern, place, asked, blank);
            node.sums[group] += node.extra[slot];
        }
        node
    }

    /// The estimate of a board.
    pub fn estimate(&self, cells: &[u8]) -> u32 {
        let node = self.root::<MAX_GROUPS, MAX_SLOTS>(cells);
        self.manhattan(cells) + 2 * u32::from(node.needs())
    }

    /// Makes the children of a node that the machine and the Manhattan distance allow, and asks for their entries. Gives how
    /// many there are, and how many the machine allows.
    #[inline(always)]
    pub(super) fn children<const G: usize, const S: usize>(
        &self,
        node: &Node<F::Place, G, S>,
        children: &mut [Child<F::Place, G>; 4],
    ) -> (u8, u8) {
        let blank = usize::from(node.blank) & (MAX_SQUARES - 1);
        let (mut count, mut made) = (0, 0);
        // Which steps are worth taking cannot be foretold, so nothing branches on it.
        for step in self.order {
            let machine = self.machine.after(node.machine, step as usize);
            let to = blank.wrapping_add_signed(self.offsets[step as usize]) & (MAX_SQUARES - 1);
            let tile = node.cells[to];
            let good = (self.nearer[blank][step as usize] >> (tile & 31) & 1) as u8;
            let room = node.slack + good;
            let child = &mut children[count & 3];
            child.to = to as u8;
            child.tile = tile;
            child.step = step as u8;
            child.slack = room.wrapping_sub(1);
            child.distance = node.distance.wrapping_add(1).wrapping_sub(2 * good);
            child.machine = machine;
            made += u8::from(machine != NO);
            count += usize::from(machine != NO) & usize::from(room > 0);
        }
        for child in &mut children[..count.min(4)] {
            let (to, tile) = (usize::from(child.to) & 31, usize::from(child.tile) & 31);
            for group in 0..G {
                let Member { slot, weight } = self.members[group][tile];
                let (slot, map) = (usize::from(slot) & (S - 1), &self.square[group]);
                let (from, here) = (usize::from(map[to]), usize::from(map[blank]));
                let pattern = usize::from(self.pattern[slot]);
                let place = self.databases.slide(pattern, node.places[slot], weight, from, here);
                child.asked[group] = self.databases.ask(pattern, place, from);
                child.places[group] = place;
                child.slots[group] = slot as u8;
            }
        }
        (count as u8, made)
    }

    /// Reads the entries of the first `count` children and keeps those that they allow, in order. Gives how many.
    #[inline(always)]
    pub(super) fn keep<const G: usize, const S: usize>(
        &self,
        node: &Node<F::Place, G, S>,
        children: &mut [Child<F::Place, G>; 4],
        count: u8,
    ) -> u8 {
        let mut kept = 0;
        for i in 0..usize::from(count).min(4) {
            let mut child = children[i];
            let to = usize::from(child.to) & (MAX_SQUARES - 1);
            let mut within = true;
            for group in 0..G {
                let slot = usize::from(child.slots[group]) & (S - 1);
                let blank = usize::from(self.square[group][to]);
                let pattern = usize::from(self.pattern[slot]);
                let extra = self.databases.answer(pattern, child.places[group], child.asked[group], blank);
                child.extra[group] = extra;
                child.sums[group] = node.sums[group] + extra - node.extra[slot];
                within &= child.sums[group] <= child.slack;
            }
            children[kept] = child;
            kept += usize::from(within);
        }
        kept as u8
    }
}

impl<P: Copy, const G: usize> Child<P, G> {
    /// Its node, if it was kept.
    #[inline(always)]
    pub(super) fn enter<const S: usize>(&self, node: &Node<P, G, S>, into: &mut Node<P, G, S>) {
        *into = *node;
        for group in 0..G {
            let slot = usize::from(self.slots[group]) & (S - 1);
            into.places[slot] = self.places[group];
            into.extra[slot] = self.extra[group];
        }
        into.sums = self.sums;
        into.cells[usize::from(node.blank) & (MAX_SQUARES - 1)] = self.tile;
        into.cells[usize::from(self.to) & (MAX_SQUARES - 1)] = 0;
        into.blank = self.to;
        into.machine = self.machine;
        into.slack = self.slack;
        into.distance = self.distance;
        into.step = self.step;
    }
}

impl<P, const G: usize, const S: usize> Node<P, G, S> {
    /// The slack that the entries ask for.
    pub(super) fn needs(&self) -> u8 {
        self.sums.iter().copied().max().unwrap_or(0)
    }

    /// The same node with so much slack.
    #[must_use]
    pub(super) fn with_slack(self, slack: u32) -> Self {
        Self { slack: slack as u8, ..self }
    }
}
