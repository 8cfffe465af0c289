//! Iterative-deepening A* with additive pattern databases, for any board that has some.
//!
//! A *group* is a partition of the tiles into patterns: their entries add up. Several groups are looked up and the largest
//! sum counts. The second group is usually the first one seen in the mirror: on a square board, rows and columns may be
//! exchanged, so the same databases serve the transposed board.
//!
//! An entry is what a pattern needs beyond the Manhattan distance of its tiles, in pairs of moves. So the search carries the
//! slack of the bound over the Manhattan distance, as in the plain search, and a child falls out when a group's sum exceeds
//! it. A move changes one tile, therefore one entry a group; the others are carried along.

use std::sync::Arc;

use beeline_search::prefetch::prefetch;
use beeline_search::{Budget, Limit, Meter};

use super::super::board::{MAX_SQUARES, Step};
use super::super::light::Found;
use super::super::machine::{Machine, NO};
use super::database::Database;

/// The most groups that are looked up.
pub const MAX_GROUPS: usize = 2;
/// The most patterns of all groups together.
const MAX_SLOTS: usize = 16;
/// Expansions between two looks at the meter.
const PATIENCE: u32 = 1 << 10;

/// A pattern in a group: its database, looked up on the board or on its mirror image.
#[derive(Debug)]
struct Slot {
    database: Arc<Database>,
    mirrored: bool,
}

/// The databases, ready to search with.
#[derive(Debug)]
pub struct Additive {
    rows: usize,
    columns: usize,
    groups: usize,
    slots: Vec<Slot>,
    /// By group and tile: its slot.
    slot_of: [[u8; MAX_SQUARES]; MAX_GROUPS],
    /// By mirroring and square: the square in the database.
    square: [[u8; MAX_SQUARES]; 2],
    /// By tile and square: its distance from home.
    distance: Vec<[u8; MAX_SQUARES]>,
    offsets: [isize; 4],
    order: [Step; 4],
    machine: Arc<Machine>,
}

/// Where everything stands, changed in place.
#[derive(Clone)]
struct State {
    cells: [u8; MAX_SQUARES],
    squares: [u64; MAX_SLOTS],
    arrangement: [u32; MAX_SLOTS],
    extra: [u8; MAX_SLOTS],
    sums: [u32; MAX_GROUPS],
}

/// A child that is within the Manhattan bound; its entries are on their way from memory.
#[derive(Clone, Copy, Default)]
struct Child {
    to: u8,
    step: u8,
    tile: u8,
    state: u16,
    slack: u32,
    distance: u32,
    slot: [u8; MAX_GROUPS],
    squares: [u64; MAX_GROUPS],
    arrangement: [u32; MAX_GROUPS],
    entry: [usize; MAX_GROUPS],
}

struct Walk<'a> {
    tables: &'a Additive,
    state: State,
    plan: Vec<Step>,
    generated: u64,
    expanded: u64,
    patience: u32,
    meter: Meter,
    nodes: u64,
    stopped: Option<Limit>,
}

impl Additive {
    /// A search on boards of these sides (blank first in the goal) with one partition of the tiles; on a square board
    /// its mirror image is looked up too, if `mirror`. `None` if the patterns are no partition.
    pub fn new(
        databases: &[Arc<Database>],
        mirror: bool,
        machine: Arc<Machine>,
        order: [Step; 4],
    ) -> Option<Self> {
        let first = databases.first()?;
        let (rows, columns) = (first.places().rows, first.places().columns);
        let squares = rows * columns;
        let mirror = mirror && rows == columns;
        let mut square = [[0; MAX_SQUARES]; 2];
        let [plain, mirrored] = &mut square;
        for (s, (plain, mirrored)) in plain.iter_mut().zip(mirrored).enumerate().take(squares) {
            *plain = s as u8;
            *mirrored = if mirror { (s % columns * columns + s / columns) as u8 } else { s as u8 };
        }
        let groups = 1 + usize::from(mirror);
        let mut tables = Self {
            rows,
            columns,
            groups,
            slots: Vec::new(),
            slot_of: [[u8::MAX; MAX_SQUARES]; MAX_GROUPS],
            square,
            distance: vec![[0; MAX_SQUARES]; squares],
            offsets: [-1, 1, -(columns as isize), columns as isize],
            order,
            machine,
        };
        for (group, squares_of) in square.iter().enumerate().take(groups) {
            for database in databases {
                let slot = tables.slots.len() as u8;
                tables.slots.push(Slot { database: Arc::clone(database), mirrored: group == 1 });
                for (tile, &name) in squares_of.iter().enumerate().take(squares).skip(1) {
                    if database.tiles().contains(&usize::from(name)) {
                        if tables.slot_of[group][tile] != u8::MAX {
                            return None;
                        }
                        tables.slot_of[group][tile] = slot;
                    }
                }
            }
            if tables.slot_of[group][1..squares].contains(&u8::MAX) {
                return None;
            }
        }
        for tile in 1..squares {
            for s in 0..squares {
                let down = (s / columns).abs_diff(tile / columns);
                tables.distance[tile][s] = (down + (s % columns).abs_diff(tile % columns)) as u8;
            }
        }
        (tables.slots.len() <= MAX_SLOTS).then_some(tables)
    }

    /// Bytes of all databases.
    pub fn bytes(&self) -> usize {
        self.slots.iter().filter(|s| !s.mirrored).map(|s| s.database.bytes()).sum()
    }

    fn root(&self, cells: &[u8]) -> State {
        let mut state = State {
            cells: [0; MAX_SQUARES],
            squares: [0; MAX_SLOTS],
            arrangement: [0; MAX_SLOTS],
            extra: [0; MAX_SLOTS],
            sums: [0; MAX_GROUPS],
        };
        let count = (self.rows * self.columns).min(cells.len());
        state.cells[..count].copy_from_slice(&cells[..count]);
        let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
        for (i, slot) in self.slots.iter().enumerate() {
            let map = &self.square[usize::from(slot.mirrored)];
            let mut at = vec![0; slot.database.tiles().len()];
            for (square, &tile) in cells.iter().enumerate().take(count) {
                let name = usize::from(map[usize::from(tile)]);
                if let Some(index) = slot.database.tiles().iter().position(|&t| t == name && tile != 0) {
                    at[index] = usize::from(map[square]);
                }
            }
            let (squares, arrangement) = slot.database.places().place(&at);
            state.squares[i] = squares;
            state.arrangement[i] = arrangement as u32;
            let entry = slot.database.entry(squares, arrangement, usize::from(map[blank]));
            state.extra[i] = slot.database.extra(entry);
            let group = usize::from(slot.mirrored);
            state.sums[group] += u32::from(state.extra[i]);
        }
        state
    }

    fn manhattan(&self, cells: &[u8]) -> u32 {
        let far = |(square, &tile): (usize, &u8)| u32::from(self.distance[usize::from(tile)][square]);
        cells.iter().enumerate().map(far).sum()
    }

    /// The estimate of a board.
    pub fn estimate(&self, cells: &[u8]) -> u32 {
        let state = self.root(cells);
        self.manhattan(cells) + 2 * state.sums.iter().copied().max().unwrap_or(0)
    }

    /// The child by a step, if the Manhattan distance allows it; asks the memory for its entries.
    #[inline(always)]
    fn child<const G: usize>(
        &self,
        state: &State,
        blank: usize,
        step: Step,
        after: u16,
        slack: u32,
        distance: u32,
    ) -> Option<Child> {
        let to = blank.wrapping_add_signed(self.offsets[step as usize]);
        let tile = state.cells[to];
        let distances = &self.distance[usize::from(tile)];
        let good = distances[blank] < distances[to];
        let slack = slack.checked_sub(u32::from(!good))?;
        let distance = if good { distance - 1 } else { distance + 1 };
        let (step, to8) = (step as u8, to as u8);
        let mut child = Child { to: to8, step, tile, state: after, slack, distance, ..Child::default() };
        for group in 0..G {
            let slot = self.slot_of[group][usize::from(tile)];
            let at = usize::from(slot) & (MAX_SLOTS - 1);
            let database = &*self.slots[usize::from(slot)].database;
            let (from, here) = (self.square[group][to], self.square[group][blank]);
            let before = state.squares[at];
            let squares = before ^ 1 << from ^ 1 << here;
            let old = (before & ((1 << from) - 1)).count_ones() as usize;
            let new = (squares & ((1 << here) - 1)).count_ones() as usize;
            let mut arrangement = state.arrangement[at] as usize;
            if old != new {
                arrangement = database.places().shift(old, new, arrangement);
            }
            let entry = database.entry(squares, arrangement, usize::from(from));
            prefetch(database.data(), entry / 2);
            child.slot[group] = slot;
            child.squares[group] = squares;
            child.arrangement[group] = arrangement as u32;
            child.entry[group] = entry;
        }
        Some(child)
    }

    /// Searches for a shortest plan. The board must be solvable; its goal has the blank first.
    pub fn search(&self, cells: &[u8], budget: &Budget) -> (Found, Option<Limit>) {
        self.search_from(cells, 0, budget)
    }

    /// The same, when it is known already that no plan is shorter than `known`.
    pub fn search_from(&self, cells: &[u8], known: u32, budget: &Budget) -> (Found, Option<Limit>) {
        let distance = self.manhattan(cells);
        let state = self.root(cells);
        let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
        let first = *state.sums.iter().max().unwrap_or(&0);
        let first = first.max(known.saturating_sub(distance).div_ceil(2));
        let mut walk = Walk {
            tables: self,
            state,
            plan: Vec::new(),
            generated: 0,
            expanded: 0,
            patience: PATIENCE,
            meter: Meter::new(budget),
            nodes: budget.nodes.unwrap_or(u64::MAX),
            stopped: None,
        };
        let mut found = Found::default();
        for slack in first.. {
            found.bounds.push(distance + 2 * slack);
            let start = self.machine.start(blank);
            let ended = distance == 0
                || match self.groups {
                    1 => walk.below::<1>(blank, start, slack, distance),
                    _ => walk.below::<2>(blank, start, slack, distance),
                };
            if ended {
                break;
            }
        }
        walk.plan.reverse();
        found.generated = walk.generated;
        found.expanded = walk.expanded;
        found.plan = walk.stopped.is_none().then_some(walk.plan);
        (found, walk.stopped)
    }
}

impl Walk<'_> {
    #[cold]
    fn look(&mut self) -> bool {
        self.patience = PATIENCE;
        self.stopped = self.meter.look().err();
        if self.expanded >= self.nodes {
            self.stopped = Some(Limit::Nodes);
        }
        self.stopped.is_some()
    }

    /// Everything below a node. The depth is at most the bound.
    fn below<const G: usize>(&mut self, blank: usize, at: u16, slack: u32, distance: u32) -> bool {
        self.expanded += 1;
        self.patience -= 1;
        if self.patience == 0 && self.look() {
            return true;
        }
        let tables = self.tables;
        let mut children = [Child::default(); 4];
        let mut count = 0;
        for step in tables.order {
            let after = tables.machine.after(at, step as usize);
            if after == NO {
                continue;
            }
            self.generated += 1;
            if let Some(child) = tables.child::<G>(&self.state, blank, step, after, slack, distance) {
                children[count & 3] = child;
                count += 1;
            }
        }
        for child in &children[..count] {
            if self.enter::<G>(child, blank) {
                return true;
            }
        }
        false
    }

    /// Looks at a child's entries, and goes below it if they allow.
    #[inline(always)]
    fn enter<const G: usize>(&mut self, child: &Child, blank: usize) -> bool {
        let mut extra = [0; G];
        let mut sums = self.state.sums;
        for group in 0..G {
            let slot = usize::from(child.slot[group]);
            extra[group] = self.tables.slots[slot].database.extra(child.entry[group]);
            let old = self.state.extra[slot & (MAX_SLOTS - 1)];
            sums[group] = sums[group] + u32::from(extra[group]) - u32::from(old);
            if sums[group] > child.slack {
                return false;
            }
        }
        let mut saved = [(0, 0, 0); G];
        for group in 0..G {
            let slot = usize::from(child.slot[group]) & (MAX_SLOTS - 1);
            saved[group] = (self.state.squares[slot], self.state.arrangement[slot], self.state.extra[slot]);
            self.state.squares[slot] = child.squares[group];
            self.state.arrangement[slot] = child.arrangement[group];
            self.state.extra[slot] = extra[group];
        }
        let before = std::mem::replace(&mut self.state.sums, sums);
        let to = usize::from(child.to);
        self.state.cells[blank] = child.tile;
        self.state.cells[to] = 0;
        if child.distance == 0 || self.below::<G>(to, child.state, child.slack, child.distance) {
            self.plan.push(Step::from_index(usize::from(child.step)));
            return true;
        }
        self.state.cells[to] = child.tile;
        self.state.cells[blank] = 0;
        self.state.sums = before;
        for (&slot, saved) in child.slot.iter().zip(saved) {
            let slot = usize::from(slot) & (MAX_SLOTS - 1);
            (self.state.squares[slot], self.state.arrangement[slot], self.state.extra[slot]) = saved;
        }
        false
    }
}
