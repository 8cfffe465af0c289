//! Bounds for sliding tiles: moves along columns and moves along rows are bounded separately and added.
//!
//! Along columns the bound is the greater of two. One is the tiles' distances from their rows, plus two moves for each tile
//! that must leave its row to let another pass (linear conflict). The other is the walking distance of the rows.

use std::collections::HashMap;

use crate::Flaw;
use crate::certificate::tables::{SETS, Tables};
use crate::certificate::{no_bound, too_large};
use crate::tiles::Tiles;

/// Most squares of a board.
pub(crate) const SQUARES: usize = 36;
/// Most rows, and most columns.
const SIDE: usize = 6;

/// A board and the components of its bound.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) tiles: [u8; SQUARES],
    pub(crate) blank: usize,
    axes: [Axis; 2],
    /// Indices into the tables.
    indices: [u32; SETS],
}

/// The components along one axis: axis 0 has the rows as lines, axis 1 the columns.
#[derive(Clone, Copy, Default)]
struct Axis {
    /// The sum of the tiles' distances from their goal lines.
    away: u32,
    /// Moves added by linear conflicts.
    conflicts: u32,
    /// By line: the code of the tiles that belong in it.
    codes: [u32; SIDE],
    /// The state of the walking distance.
    walking: u32,
}

/// The tables of a board.
pub(crate) struct Bounds {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The goal square of each tile.
    home: Vec<usize>,
    axes: [AxisTables; 2],
    /// Pattern databases, if the evidence has some.
    pub(crate) patterns: Option<Tables>,
}

/// The tables of an axis with this many lines of this many squares each.
struct AxisTables {
    squares: usize,
    /// By the code of a line: moves added by its conflicts.
    conflicts: Vec<u8>,
    walking: Option<Walking>,
}

impl Bounds {
    pub(crate) fn new(tiles: &Tiles, bound: &str) -> Result<Self, Flaw> {
        let (rows, columns) = (tiles.rows.len(), tiles.rows[0].len());
        if rows.max(columns) > SIDE {
            return too_large("a side of more than 6");
        }
        let mut home = vec![0; rows * columns];
        for (square, &tile) in tiles.goal.iter().enumerate() {
            home[tile] = square;
        }
        let walks = match bound {
            "linear-conflict" => false,
            "walking-distance" if rows.max(columns) <= 4 => true,
            "walking-distance" => return too_large("walking distance is for sides up to 4"),
            _ => return no_bound("tiles", bound),
        };
        let axis = |lines: usize, squares: usize, blank: usize| AxisTables {
            squares,
            conflicts: conflicts(squares),
            walking: walks.then(|| Walking::new(lines, squares, blank)),
        };
        let axes = [axis(rows, columns, home[0] / columns), axis(columns, rows, home[0] % columns)];
        Ok(Self { rows, columns, home, axes, patterns: None })
    }

    /// The line of a square along an axis, and its place in the line.
    fn line(&self, axis: usize, square: usize) -> (usize, usize) {
        let (row, column) = (square / self.columns, square % self.columns);
        if axis == 0 { (row, column) } else { (column, row) }
    }

    /// A tile's part of the code of the line it stands in.
    fn digit(&self, axis: usize, tile: usize, square: usize) -> u32 {
        let ((line, place), (home, home_place)) = (self.line(axis, square), self.line(axis, self.home[tile]));
        let base = self.axes[axis].squares as u32 + 1;
        if tile == 0 || line != home { 0 } else { (home_place as u32 + 1) * base.pow(place as u32) }
    }

    /// The board with these tiles; `None` if the walking distance does not know it, which is impossible for a legal board.
    pub(crate) fn node(&self, tiles: &[u8]) -> Option<Node> {
        let blank = tiles.iter().position(|&tile| tile == 0)?;
        let mut node = Node { tiles: [0; SQUARES], blank, axes: [Axis::default(); 2], indices: [0; SETS] };
        node.tiles[..tiles.len()].copy_from_slice(tiles);
        for (square, &tile) in tiles.iter().enumerate() {
            self.toggle(&mut node, usize::from(tile), square);
        }
        for (axis, tables) in self.axes.iter().enumerate() {
            let here = &mut node.axes[axis];
            for (square, &tile) in tiles.iter().enumerate().filter(|(_, tile)| **tile != 0) {
                let (line, home) =
                    (self.line(axis, square).0, self.line(axis, self.home[usize::from(tile)]).0);
                here.away += line.abs_diff(home) as u32;
                here.codes[line] += self.digit(axis, usize::from(tile), square);
            }
            here.conflicts = here.codes.iter().map(|&code| u32::from(tables.conflicts[code as usize])).sum();
            if let Some(walking) = &tables.walking {
                let lines =
                    tiles.iter().enumerate().filter(|(_, tile)| **tile != 0).map(|(square, &tile)| {
                        (self.line(axis, square).0, self.line(axis, self.home[usize::from(tile)]).0)
                    });
                here.walking = walking.state(lines)?;
            }
        }
        Some(node)
    }

    /// Moves the tile on the square `from` to the adjacent blank.
    pub(crate) fn slide(&self, node: &mut Node, from: usize) {
        let (to, tile) = (node.blank, usize::from(node.tiles[from]));
        for (axis, tables) in self.axes.iter().enumerate() {
            let here = &mut node.axes[axis];
            let (old, new) = (self.line(axis, from).0, self.line(axis, to).0);
            let home = self.line(axis, self.home[tile]).0;
            let before = |axis: &Axis| {
                let of = |line: usize| u32::from(tables.conflicts[axis.codes[line] as usize]);
                of(old) + if old == new { 0 } else { of(new) }
            };
            here.conflicts -= before(here);
            here.codes[old] -= self.digit(axis, tile, from);
            here.codes[new] += self.digit(axis, tile, to);
            here.conflicts += before(here);
            if old != new {
                here.away = here.away + new.abs_diff(home) as u32 - old.abs_diff(home) as u32;
                if let Some(walking) = &tables.walking {
                    here.walking = walking.next[here.walking as usize][usize::from(old > new)][home];
                }
            }
        }
        self.toggle(node, tile, from);
        self.toggle(node, tile, to);
        node.tiles[to] = tile as u8;
        node.tiles[from] = 0;
        node.blank = from;
    }

    pub(crate) fn bound(&self, node: &Node) -> u32 {
        let along = |(axis, tables): (&Axis, &AxisTables)| {
            let walking = tables.walking.as_ref().map_or(0, |w| u32::from(w.far[axis.walking as usize]));
            walking.max(axis.away + axis.conflicts)
        };
        let lines: u32 = node.axes.iter().zip(&self.axes).map(along).sum();
        lines.max(self.patterns.as_ref().map_or(0, |tables| tables.sum(&node.indices)))
    }

    fn toggle(&self, node: &mut Node, tile: usize, square: usize) {
        if let Some(tables) = &self.patterns {
            tables.toggle(&mut node.indices, tile, square);
        }
    }

    pub(crate) fn is_goal(&self, node: &Node) -> bool {
        (0..self.home.len()).all(|tile| usize::from(node.tiles[self.home[tile]]) == tile)
    }

    /// The adjacent squares.
    pub(crate) fn beside(&self, square: usize) -> impl Iterator<Item = usize> + use<> {
        let size = (self.rows, self.columns);
        let at = (square / size.1, square % size.1);
        "lrud".chars().filter_map(move |way| crate::beside(at, way, size)).map(move |(r, c)| r * size.1 + c)
    }
}

/// By code of a line: two moves for each tile beyond the longest sequence in goal order. A digit is 0 for a tile that does not
/// belong in the line, else 1 plus its goal place.
fn conflicts(squares: usize) -> Vec<u8> {
    let base = squares + 1;
    let codes = 0..base.pow(squares as u32);
    let of = |mut code: usize| {
        let mut places = Vec::new();
        while code > 0 {
            places.extend(Some(code % base).filter(|&place| place > 0));
            code /= base;
        }
        // The longest ascending sequence that ends at each place.
        let mut longest: Vec<u8> = Vec::new();
        for (i, place) in places.iter().enumerate() {
            let before = (0..i).filter(|&j| places[j] < *place).map(|j| longest[j]).max();
            longest.push(before.unwrap_or(0) + 1);
        }
        2 * (places.len() as u8 - longest.into_iter().max().unwrap_or(0))
    };
    codes.map(of).collect()
}

/// Walking distance: tiles of one goal line are indistinguishable, and moves within a line are free. A state counts the tiles
/// of each goal line in each line; its distance is the number of moves between lines.
struct Walking {
    number: HashMap<u64, u32>,
    far: Vec<u8>,
    /// By state, by whether the tile goes to the next line (0) or the previous one (1), and by its goal line: the state after.
    next: Vec<[[u32; 4]; 2]>,
}

impl Walking {
    /// Breadth-first search from the goal. Every move is reversible.
    fn new(lines: usize, squares: usize, blank: usize) -> Self {
        let mut goal = [[0u8; 4]; 4];
        for (line, row) in goal.iter_mut().enumerate().take(lines) {
            row[line] = (squares - usize::from(line == blank)) as u8;
        }
        let mut all = Self { number: HashMap::from([(key(&goal), 0)]), far: vec![0], next: Vec::new() };
        let mut queue = vec![(goal, blank)];
        let mut head = 0;
        while let Some(&(state, blank)) = queue.get(head) {
            let mut next = [[u32::MAX; 4]; 2];
            let from = [blank.checked_sub(1), Some(blank + 1).filter(|&line| line < lines)];
            for (back, from) in from.into_iter().enumerate() {
                let Some(from) = from else { continue };
                for home in (0..lines).filter(|&home| state[from][home] > 0) {
                    let mut after = state;
                    after[from][home] -= 1;
                    after[blank][home] += 1;
                    let fresh = all.far.len() as u32;
                    let number = *all.number.entry(key(&after)).or_insert(fresh);
                    if number == fresh {
                        all.far.push(all.far[head] + 1);
                        queue.push((after, from));
                    }
                    next[back][home] = number;
                }
            }
            all.next.push(next);
            head += 1;
        }
        all
    }

    /// The state of tiles given by line and goal line.
    fn state(&self, tiles: impl Iterator<Item = (usize, usize)>) -> Option<u32> {
        let mut counts = [[0u8; 4]; 4];
        tiles.for_each(|(line, home)| counts[line][home] += 1);
        self.number.get(&key(&counts)).copied()
    }
}

fn key(counts: &[[u8; 4]; 4]) -> u64 {
    counts.iter().flatten().fold(0, |key, &count| key << 3 | u64::from(count))
}
