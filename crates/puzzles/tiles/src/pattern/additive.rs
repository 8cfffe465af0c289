//! Additive pattern databases, put together for a search.
//!
//! The tiles are cut into *parts*. For each part there are one or more *alternatives*: sets of patterns that hold its tiles once.
//! The entries of an alternative add up, the largest sum counts for the part, and the parts add up. With two parts and two
//! alternatives for each, four partitions are looked up at the price of two. On a square board all of it is looked up a
//! second time: rows and columns may be exchanged, so the same databases serve the transposed board, the mirror. The
//! larger of the two *views* counts.
//!
//! An entry is what a pattern needs beyond the Manhattan distance of its tiles, in pairs of moves. So the search carries the
//! slack of the bound over the Manhattan distance, as in the plain search, and a child falls out when a sum exceeds it. A
//! move changes one tile, therefore one entry of each alternative of its part, in both views; the others are carried along.
//!
//! What a node is is said here; how children are made in `herd`, and the order of it all in [`super::search`].

use super::super::board::Step;
use super::super::machine::Machine;
use super::form::Form;

/// The most squares of a board that has databases.
pub(super) const MAX_SQUARES: usize = 32;
/// The board as it is, and its mirror image.
pub(super) const VIEWS: usize = 2;
/// The most parts of a view.
const MAX_PARTS: usize = 4;
/// The parts of all views.
pub(super) const ALL_PARTS: usize = VIEWS * MAX_PARTS;
/// The most look-ups for a child: one for each alternative, in each view.
pub(super) const MAX_LOOKUPS: usize = 8;
/// The most patterns of all alternatives and views together.
pub(super) const MAX_SLOTS: usize = 32;
/// The most alternatives of all parts and views together.
pub(super) const MAX_COLUMNS: usize = 16;

/// What a look-up wants to know about a tile.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Member {
    /// The slot of its pattern.
    pub(super) slot: u8,
    /// The alternative of its part that the pattern belongs to.
    pub(super) column: u8,
    /// Its part.
    pub(super) part: u8,
    /// What the database wants to know.
    pub(super) weight: u32,
}

/// Databases of one form.
#[derive(Debug)]
pub struct Additive<F> {
    rows: usize,
    columns: usize,
    pub(super) databases: F,
    /// Look-ups for a child. View by view in turn, alternative by alternative.
    pub(super) lookups: usize,
    pub(super) views: usize,
    /// How many slots there are: patterns, once for each view.
    slots: usize,
    /// By slot: its pattern, and its view.
    pub(super) pattern: [u8; MAX_SLOTS],
    view_of: [u8; MAX_SLOTS],
    /// By look-up and tile.
    pub(super) members: [[Member; MAX_SQUARES]; MAX_LOOKUPS],
    /// By view and square: the square in the database.
    pub(super) square: [[u8; MAX_SQUARES]; VIEWS],
    /// By square of the blank and step: the tiles that come nearer to home by it.
    pub(super) nearer: [[u32; 4]; MAX_SQUARES],
    pub(super) offsets: [isize; 4],
    pub(super) order: [Step; 4],
    pub(super) machine: Machine,
}

/// A node of the search, with room for `S` slots.
#[derive(Clone, Copy)]
pub(super) struct Node<P, const S: usize> {
    pub(super) cells: [u8; MAX_SQUARES],
    pub(super) places: [P; S],
    pub(super) extra: [u8; S],
    /// By column: the sum of its entries.
    pub(super) columns: [u8; MAX_COLUMNS],
    /// By view and part: the largest column.
    pub(super) parts: [u8; ALL_PARTS],
    /// By view: the sum of its parts.
    pub(super) sums: [u8; VIEWS],
    pub(super) blank: u8,
    pub(super) machine: u16,
    /// What is left of the bound over the Manhattan distance, in pairs of moves.
    pub(super) slack: u8,
    /// The Manhattan distance.
    pub(super) distance: u8,
    /// The step that led here.
    pub(super) step: u8,
    /// The task that it belongs to.
    pub(super) task: u16,
}

impl<P: Copy + Default, const S: usize> Default for Node<P, S> {
    fn default() -> Self {
        Self {
            cells: [0; MAX_SQUARES],
            places: [P::default(); S],
            extra: [0; S],
            columns: [0; MAX_COLUMNS],
            parts: [0; ALL_PARTS],
            sums: [0; VIEWS],
            blank: 0,
            machine: 0,
            slack: 0,
            distance: 0,
            step: 0,
            task: 0,
        }
    }
}

/// A set of tiles, as bits.
type Tiles = u64;

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
        let views = if rows == columns { 2 } else { 1 };
        let mut tables = Self {
            rows,
            columns,
            databases,
            lookups: 0,
            views,
            slots: 0,
            pattern: [0; MAX_SLOTS],
            view_of: [0; MAX_SLOTS],
            members: [[Member::default(); MAX_SQUARES]; MAX_LOOKUPS],
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
        let partitions = tables.partitions()?;
        let parts = parts(&partitions);
        tables.lookups = views * partitions.len();
        if tables.lookups > MAX_LOOKUPS {
            return None;
        }
        for (alternative, partition) in partitions.iter().enumerate() {
            for view in 0..views {
                tables.add(alternative, partitions.len(), partition, &parts, view)?;
            }
        }
        Some(tables)
    }

    /// The patterns, cut into partitions: by partition, the number and the tiles of each pattern.
    fn partitions(&self) -> Option<Vec<Vec<(usize, Tiles)>>> {
        let squares = self.rows * self.columns;
        let all: Tiles = (1 << squares) - 2;
        let mut partitions = Vec::new();
        let (mut partition, mut taken) = (Vec::new(), 0);
        for pattern in 0..self.databases.patterns() {
            let names = self.databases.tiles(pattern);
            let tiles: Tiles = names.iter().filter(|&&t| t < squares).fold(0, |set, &tile| set | 1 << tile);
            if tiles & taken != 0 || tiles.count_ones() as usize != names.len() {
                return None;
            }
            partition.push((pattern, tiles));
            taken |= tiles;
            if taken == all {
                partitions.push(std::mem::take(&mut partition));
                taken = 0;
            }
        }
        (partition.is_empty() && !partitions.is_empty()).then_some(partitions)
    }

    /// Adds an alternative of every part, in one view.
    fn add(
        &mut self,
        alternative: usize,
        alternatives: usize,
        partition: &[(usize, Tiles)],
        parts: &[Tiles],
        view: usize,
    ) -> Option<()> {
        let lookup = alternative * self.views + view;
        for &(pattern, tiles) in partition {
            let part = parts.iter().position(|part| part & tiles != 0)?;
            let column = (view * parts.len() + part) * alternatives + alternative;
            if self.slots == MAX_SLOTS || part >= MAX_PARTS || column >= MAX_COLUMNS {
                return None;
            }
            for (place, &name) in self.databases.tiles(pattern).iter().enumerate() {
                // The tile whose image has this name; mirroring twice changes nothing.
                let tile = usize::from(*self.square[view].get(name)?);
                *self.members.get_mut(lookup)?.get_mut(tile)? = Member {
                    slot: self.slots as u8,
                    column: column as u8,
                    part: (view * MAX_PARTS + part) as u8,
                    weight: self.databases.weight(place),
                };
            }
            self.pattern[self.slots] = pattern as u8;
            self.view_of[self.slots] = view as u8;
            self.slots += 1;
        }
        Some(())
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

    /// How many slots a node needs.
    pub(super) fn slots(&self) -> usize {
        self.slots
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
    pub(super) fn root<const S: usize>(&self, cells: &[u8]) -> Node<F::Place, S> {
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
            let pattern = usize::from(self.pattern[slot]);
            let map = &self.square[usize::from(self.view_of[slot])];
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
        }
        self.sum(&mut node);
        node
    }

    /// Fills in the sums of a node from its entries.
    fn sum<const S: usize>(&self, node: &mut Node<F::Place, S>) {
        let mut counted = 0u64;
        let tiles = 1..self.rows * self.columns;
        for member in self.members[..self.lookups].iter().flat_map(|members| &members[tiles.clone()]) {
            let (slot, column, part) =
                (usize::from(member.slot), usize::from(member.column), usize::from(member.part));
            if counted >> slot & 1 == 0 && slot < S {
                counted |= 1 << slot;
                node.columns[column] += node.extra[slot];
            }
            // Later tiles only add to the column.
            node.parts[part] = node.parts[part].max(node.columns[column]);
        }
        for view in 0..VIEWS {
            node.sums[view] = node.parts[view * MAX_PARTS..(view + 1) * MAX_PARTS].iter().sum();
        }
    }

    /// The estimate of a board.
    pub fn estimate(&self, cells: &[u8]) -> u32 {
        let node = self.root::<MAX_SLOTS>(cells);
        self.manhattan(cells) + 2 * u32::from(node.needs())
    }
}

/// The finest parts that no pattern of any partition lies across, when tiles are taken in the order of the partitions.
fn parts(partitions: &[Vec<(usize, Tiles)>]) -> Vec<Tiles> {
    let beginnings = |partition: &[(usize, Tiles)]| -> Vec<Tiles> {
        let mut taken = 0;
        partition
            .iter()
            .map(|(_, tiles)| {
                taken |= tiles;
                taken
            })
            .collect()
    };
    let all: Vec<Vec<Tiles>> = partitions.iter().map(|p| beginnings(p)).collect();
    let mut parts = Vec::new();
    let mut before = 0;
    for &beginning in all.first().into_iter().flatten() {
        let shared = all.iter().all(|others| others.contains(&beginning));
        let room = parts.len() + 1 < MAX_PARTS || all.iter().any(|others| others.last() == Some(&beginning));
        if shared && room {
            parts.push(beginning & !before);
            before = beginning;
        }
    }
    parts
}

impl<P, const S: usize> Node<P, S> {
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
