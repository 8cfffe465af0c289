//! Additive pattern databases (Korf & Felner 2002), combined for a search.
//!
//! A partition of the tiles into patterns gives an estimate: the sum of its entries. Several partitions may be combined and may
//! share patterns; the maximum of the sums counts. A square board may be transposed, so the same databases serve its mirror
//! image, too. A partition of the board or of its mirror image is a *lane*.
//!
//! An entry is the number of a pattern's moves beyond the Manhattan distance of its tiles, in pairs. So the search carries the
//! slack of the bound over the Manhattan distance, as the plain search does, and cuts a child off when a sum exceeds it. A move
//! changes one tile, therefore one entry in each lane; the others carry over.
//!
//! Each lane costs a look-up at every node, and of many lanes a few cut off nearly everything. Which ones depends on the board.
//! With many lanes, the first rounds use all of them and count which lanes cut which children off. The other rounds, which take
//! nearly all the time, use only the few that together cut off the most.
//!
//! This file defines nodes; `batch` makes children, and [`super::search`] determines the order.

use beeline_search::clock::Instant;
use beeline_search::{Budget, Limit};

use super::super::board::Step;
use super::super::move_fsm::MoveFsm;
use super::super::table_free::Found;
use super::batch::BatchTree;
use super::form::Form;
use super::places::MAX_TILES;
use super::search::{Head, Search};

/// Most squares of a board with databases.
pub(super) const MAX_SQUARES: usize = 32;
/// The board itself and its mirror image.
pub(super) const VIEWS: usize = 2;
/// Most lanes.
pub(super) const MAX_LANES: usize = 16;
/// Most patterns of a lane.
pub(super) const PER_LANE: usize = 4;
/// The number of lanes that are selected if there are more.
const CHOSEN: usize = 2;
/// Nodes of the rounds that sample the lanes.
const SAMPLE: u64 = 50_000;

/// A tile's data for look-ups.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Member {
    /// The index of its pattern within the lane.
    pub(super) slot: u8,
    /// The pattern.
    pub(super) pattern: u8,
    /// The tile's [`Form::weight`].
    pub(super) weight: u32,
}

/// A partition of the board or of its mirror image.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    /// The board itself (0) or its mirror image (1).
    pub(super) view: usize,
    /// The number of patterns, and their indices.
    count: usize,
    patterns: [u8; PER_LANE],
    /// By tile.
    pub(super) members: [Member; MAX_SQUARES],
}

/// Databases of one form.
#[derive(Debug)]
pub struct Additive<F> {
    rows: usize,
    columns: usize,
    pub(super) databases: F,
    pub(super) lanes: Vec<Lane>,
    /// By view and square: the square in the database.
    pub(super) square: [[u8; MAX_SQUARES]; VIEWS],
    /// By blank square and step: the tiles that the step brings nearer to home.
    pub(super) nearer: [[u32; 4]; MAX_SQUARES],
    pub(super) offsets: [isize; 4],
    pub(super) order: [Step; 4],
    pub(super) machine: MoveFsm,
}

/// A node of the search, with room for `L` lanes and their `S` patterns.
#[derive(Clone, Copy)]
pub(super) struct Node<P, const S: usize, const L: usize> {
    pub(super) cells: [u8; MAX_SQUARES],
    /// By lane and pattern of the lane: the placement of its tiles, and its entry.
    pub(super) places: [P; S],
    pub(super) extra: [u8; S],
    /// By lane: the sum of its entries.
    pub(super) sums: [u8; L],
    pub(super) blank: u8,
    pub(super) machine: u16,
    pub(super) head: Head,
}

impl<F: Form> Additive<F> {
    /// A search on boards whose goal has the blank first. `partitions` lists the databases of each partition, which must
    /// contain every tile once. `None` if one is no partition, or there are too many.
    pub fn new(databases: F, partitions: &[Vec<usize>], machine: MoveFsm, order: [Step; 4]) -> Option<Self> {
        let (rows, columns) = databases.sides();
        let squares = rows * columns;
        if !(2..=MAX_SQUARES).contains(&squares) {
            return None;
        }
        let views = if rows == columns { VIEWS } else { 1 };
        if !(1..=MAX_LANES).contains(&(views * partitions.len())) {
            return None;
        }
        let mut tables = Self {
            rows,
            columns,
            databases,
            lanes: Vec::new(),
            square: [[0; MAX_SQUARES]; VIEWS],
            nearer: [[0; 4]; MAX_SQUARES],
            offsets: [-1, 1, -(columns as isize), columns as isize],
            order,
            machine,
        };
        for (s, (own, image)) in (0..squares).map(|s| (s, (s, s % columns * rows + s / columns))) {
            tables.square[0][s] = own as u8;
            tables.square[1][s] = image as u8;
        }
        tables.find_nearer();
        for partition in partitions {
            for view in 0..views {
                let lane = tables.lane(partition, view)?;
                tables.lanes.push(lane);
            }
        }
        Some(tables)
    }

    /// A partition in one view; `None` if it is no partition.
    fn lane(&self, partition: &[usize], view: usize) -> Option<Lane> {
        let squares = self.rows * self.columns;
        let mut lane = Lane { view, ..Lane::default() };
        let mut taken = 1u64;
        for (slot, &pattern) in partition.iter().enumerate() {
            *lane.patterns.get_mut(slot)? = pattern as u8;
            lane.count += 1;
            for (place, &name) in self.databases.tiles(pattern).iter().enumerate() {
                if name >= squares || taken >> name & 1 == 1 {
                    return None;
                }
                taken |= 1 << name;
                // The tile whose image has this name; mirroring is its own inverse.
                let tile = usize::from(self.square[view][name]);
                lane.members[tile] =
                    Member { slot: slot as u8, pattern: pattern as u8, weight: self.databases.weight(place) };
            }
        }
        (taken == (1 << squares) - 1).then_some(lane)
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

    /// The Manhattan distance between two squares.
    fn apart(&self, a: usize, b: usize) -> usize {
        (a / self.columns).abs_diff(b / self.columns) + (a % self.columns).abs_diff(b % self.columns)
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

    /// The node of a board in some lanes, without slack. `S` must be [`PER_LANE`] times `L`.
    pub(super) fn root<const S: usize, const L: usize>(
        &self,
        lanes: &[Lane],
        cells: &[u8],
    ) -> Node<F::Place, S, L> {
        let count = (self.rows * self.columns).min(cells.len());
        let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
        let mut node = Node {
            cells: [0; MAX_SQUARES],
            places: [F::Place::default(); S],
            extra: [0; S],
            sums: [0; L],
            blank: blank as u8,
            machine: self.machine.start(blank),
            head: Head { distance: self.manhattan(cells) as u8, ..Head::default() },
        };
        node.cells[..count].copy_from_slice(&cells[..count]);
        let mut at = [0; MAX_SQUARES];
        for (square, &tile) in cells.iter().enumerate().take(count) {
            at[usize::from(tile) % MAX_SQUARES] = square;
        }
        for (number, lane) in lanes.iter().enumerate().take(L) {
            for slot in 0..lane.count {
                let (place, extra) = self.look_up(lane, slot, &at);
                node.places[number * PER_LANE + slot] = place;
                node.extra[number * PER_LANE + slot] = extra;
                node.sums[number] += extra;
            }
        }
        node
    }

    /// The placement of a lane's pattern and its entry, given the squares of all tiles and of the blank.
    fn look_up(&self, lane: &Lane, slot: usize, at: &[usize; MAX_SQUARES]) -> (F::Place, u8) {
        let map = &self.square[lane.view];
        let pattern = usize::from(lane.patterns[slot]);
        let tiles = self.databases.tiles(pattern);
        let mut squares = [0; MAX_TILES];
        for (square, &name) in squares.iter_mut().zip(tiles) {
            // The tile whose image has this name; mirroring is its own inverse.
            *square = usize::from(map[at[usize::from(map[name])]]);
        }
        let blank = usize::from(map[at[0]]);
        let place = self.databases.place(pattern, &squares[..tiles.len().min(MAX_TILES)]);
        let asked = self.databases.ask(pattern, place, blank);
        (place, self.databases.answer(pattern, place, asked, blank))
    }

    /// The estimate of a board.
    pub fn estimate(&self, cells: &[u8]) -> u32 {
        let node = self.root::<{ MAX_LANES * PER_LANE }, MAX_LANES>(&self.lanes, cells);
        self.manhattan(cells) + 2 * u32::from(node.needs())
    }

    /// Searches for a shortest plan with threads, given that no plan is shorter than `known`. The board must be solvable; its
    /// goal has the blank first.
    pub fn search(
        &self,
        cells: &[u8],
        known: u32,
        threads: usize,
        budget: &Budget,
    ) -> (Found, Option<Limit>) {
        if self.lanes.len() <= CHOSEN {
            return self.search_in(&self.lanes, cells, known, threads, budget);
        }
        let started = Instant::now();
        let all = BatchTree::<F, { MAX_LANES * PER_LANE }, MAX_LANES>::recording(self, &self.lanes);
        let (first, limit) = Search(&all).sample(cells, SAMPLE, budget);
        if first.plan.is_some() || limit.is_some() {
            return (first, limit);
        }
        let lanes: Vec<Lane> = all.best(CHOSEN).into_iter().map(|lane| self.lanes[lane]).collect();
        let known = first.rounds.last().map_or(known, |round| known.max(round.bound as u32));
        let left = budget.after(started.elapsed(), first.expanded);
        let (mut found, limit) = self.search_in(&lanes, cells, known, threads, &left);
        found.expanded += first.expanded;
        found.generated += first.generated;
        // The last round of the sample was not finished: its work is part of the first round of the search.
        let mut rounds = first.rounds;
        if let (Some(unfinished), Some(round)) = (rounds.pop(), found.rounds.first_mut()) {
            round.expanded += unfinished.expanded;
            round.generated += unfinished.generated;
        }
        found.rounds.splice(0..0, rounds);
        (found, limit)
    }

    /// Searches in some lanes.
    fn search_in(
        &self,
        lanes: &[Lane],
        cells: &[u8],
        known: u32,
        threads: usize,
        budget: &Budget,
    ) -> (Found, Option<Limit>) {
        // With exact sizes the loops over lanes are unrolled, and nodes have minimal size.
        match lanes.len() {
            1 => Search(&BatchTree::<F, 4, 1>::new(self, lanes)).deepen(cells, known, threads, budget),
            _ => Search(&BatchTree::<F, 8, CHOSEN>::new(self, lanes)).deepen(cells, known, threads, budget),
        }
    }
}

impl<P, const S: usize, const L: usize> Node<P, S, L> {
    /// The slack that the entries require.
    pub(super) fn needs(&self) -> u8 {
        self.sums.iter().copied().max().unwrap_or(0)
    }
}

impl<P, const S: usize, const L: usize> AsRef<Head> for Node<P, S, L> {
    #[inline(always)]
    fn as_ref(&self) -> &Head {
        &self.head
    }
}

impl<P, const S: usize, const L: usize> AsMut<Head> for Node<P, S, L> {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
