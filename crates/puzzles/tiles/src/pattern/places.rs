//! Numbers the placements of a few tiles on a board.
//!
//! A placement of `k` tiles is a *shape* (the squares they occupy) and an *arrangement* (which tile is on which of them). Its
//! number is shape × k! + arrangement. Sliding a tile along a row changes only the shape. Along a column the tile also passes
//! the tiles between in reading order, which changes the arrangement in one of a few fixed ways. So a search updates the number
//! with two look-ups per move, and a builder processes a whole shape, k! placements, in one loop.
//!
//! The free squares around a shape form *regions* that are separate from each other: the blank moves freely within its region
//! without moving the tiles.

use std::convert::Infallible;
use std::ops::{Add, Deref};

use beeline_search::{Limit, Meter};

use super::shapes::Shapes;
pub use super::shapes::Squares;

/// Most tiles of a pattern.
pub const MAX_TILES: usize = 8;
/// Most regions around a shape.
pub const MAX_REGIONS: usize = 8;

/// Work for the regions around a shape, in units of [`Meter::work`].
const FLOODS: u64 = 512;

/// The numbering for one size of board and number of tiles.
#[derive(Debug)]
pub struct Places {
    shapes: Shapes,
    /// k!.
    pub arrangements: usize,
    /// By shape: the region of each free square, as three bit planes; and the number of regions of all earlier shapes.
    regions: Vec<Regions>,
    /// By two indexes: the arrangement after a tile moved from the first index to the second.
    shifts: Vec<u16>,
}

/// The regions around one shape.
#[derive(Clone, Copy, Debug, Default)]
pub struct Regions {
    /// Regions of all shapes before this one.
    pub before: u32,
    planes: [u32; 3],
}

impl Regions {
    /// The region of a free square.
    #[inline(always)]
    pub fn of(&self, square: usize) -> u32 {
        let bit = |plane: u32| plane >> square & 1;
        bit(self.planes[0]) | bit(self.planes[1]) << 1 | bit(self.planes[2]) << 2
    }
}

impl Deref for Places {
    type Target = Shapes;
    #[inline(always)]
    fn deref(&self) -> &Shapes {
        &self.shapes
    }
}

impl Places {
    /// The numbering for boards of these sides (at most 32 squares) and this many tiles, without limits.
    pub fn new(rows: usize, columns: usize, tiles: usize) -> Option<Self> {
        let Ok(places) = Self::build::<Infallible>(rows, columns, tiles, &mut |_| Ok(()));
        places
    }

    /// The same within a time limit; it takes a tenth of a second for six tiles of the 24-puzzle.
    pub fn within(
        rows: usize,
        columns: usize,
        tiles: usize,
        meter: &mut Meter,
    ) -> Result<Option<Self>, Limit> {
        Self::build(rows, columns, tiles, &mut |units| meter.work(units))
    }

    /// Calls `work` before each part with its cost in units of [`Meter::work`].
    fn build<E>(
        rows: usize,
        columns: usize,
        tiles: usize,
        work: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let Some(shapes) = Shapes::build(rows, columns, tiles, work)? else { return Ok(None) };
        let arrangements: usize = (1..=tiles).product();
        let mut places = Self { shapes, arrangements, regions: Vec::new(), shifts: Vec::new() };
        let numbered = places.find_regions(work)?;
        places.find_shifts();
        Ok(numbered.then_some(places))
    }

    /// Finds the regions around every shape; `false` if one has too many.
    fn find_regions<E>(&mut self, work: &mut dyn FnMut(u64) -> Result<(), E>) -> Result<bool, E> {
        let mut before = 0;
        for shape in 0..self.shapes() {
            work(FLOODS)?;
            let mut regions = Regions { before, planes: [0; 3] };
            let mut count = 0;
            for (label, region) in self.shapes.regions_around(shape).enumerate() {
                for (bit, plane) in regions.planes.iter_mut().enumerate() {
                    if label >> bit & 1 == 1 {
                        *plane |= region as u32;
                    }
                }
                count += 1;
            }
            if count as usize > MAX_REGIONS {
                return Ok(false);
            }
            self.regions.push(regions);
            before += count;
        }
        let end = Regions { before, planes: [0; 3] };
        self.regions.push(end);
        Ok(true)
    }

    /// A tile passes others one by one: the tables of adjacent indexes determine all others.
    fn find_shifts(&mut self) {
        let (tiles, arrangements) = (self.tiles, self.arrangements);
        let at = |from: usize, to: usize| (from * tiles + to) * arrangements;
        let mut shifts = vec![0; tiles * tiles * arrangements];
        for arrangement in 0..arrangements {
            let indexes = self.indexes(arrangement);
            for index in 0..tiles {
                shifts[at(index, index) + arrangement] = arrangement as u16;
            }
            for index in 1..tiles {
                let mut moved = indexes;
                for tile in &mut moved[..tiles] {
                    *tile = shifted(*tile, index - 1, index);
                }
                let after = rank(&moved[..tiles]) as u16;
                shifts[at(index - 1, index) + arrangement] = after;
                shifts[at(index, index - 1) + arrangement] = after;
            }
        }
        for distance in 2..tiles {
            for low in 0..tiles - distance {
                let high = low + distance;
                for (from, between, to) in [(low, high - 1, high), (high, low + 1, low)] {
                    for arrangement in 0..arrangements {
                        let near = usize::from(shifts[at(from, between) + arrangement]);
                        shifts[at(from, to) + arrangement] = shifts[at(between, to) + near];
                    }
                }
            }
        }
        self.shifts = shifts;
    }

    /// The number of placements.
    pub fn placements(&self) -> usize {
        self.shapes() * self.arrangements
    }

    /// The number of regions of all shapes together.
    pub fn regions(&self) -> usize {
        self.regions.last().map_or(0, |r| r.before as usize)
    }

    /// The regions around a shape.
    #[inline(always)]
    pub fn regions_of(&self, shape: usize) -> &Regions {
        &self.regions[shape]
    }

    /// The number of regions around a shape.
    pub fn region_count(&self, shape: usize) -> usize {
        (self.regions[shape + 1].before - self.regions[shape].before) as usize
    }

    /// The arrangement after the tile with index `from` among the squares of its shape moves to index `to`.
    #[inline(always)]
    pub fn shift(&self, from: usize, to: usize, arrangement: usize) -> usize {
        usize::from(self.shifts[(from * self.tiles + to) * self.arrangements + arrangement])
    }

    /// The same for all arrangements.
    pub fn shifts(&self, from: usize, to: usize) -> &[u16] {
        let at = (from * self.tiles + to) * self.arrangements;
        &self.shifts[at..at + self.arrangements]
    }

    /// By tile: its index among the squares of the shape.
    pub fn indexes(&self, arrangement: usize) -> [usize; MAX_TILES] {
        let mut rest = arrangement;
        let mut digits = [0; MAX_TILES];
        for tile in (0..self.tiles).rev() {
            digits[tile] = rest % (self.tiles - tile);
            rest /= self.tiles - tile;
        }
        // The free indexes, one per byte.
        let mut free = 0x0706_0504_0302_0100u64;
        for digit in &mut digits[..self.tiles] {
            let before = (1 << (8 * *digit)) - 1;
            *digit = (free >> (8 * *digit)) as usize % MAX_TILES;
            free = free & before | free >> 8 & !before;
        }
        digits
    }

    /// Shape squares and arrangement of tiles on these squares (in the order of the pattern's tiles).
    pub fn place(&self, squares: &[usize]) -> (Squares, usize) {
        let shape = squares.iter().fold(0, |m, &s| m | 1u64 << s);
        let mut indexes = [0; MAX_TILES];
        for (index, &square) in indexes.iter_mut().zip(squares) {
            *index = (shape & ((1 << square) - 1)).count_ones() as usize;
        }
        (shape, rank(&indexes[..squares.len().min(MAX_TILES)]))
    }

    /// For every arrangement of a shape, in order: the sum over its tiles of `of` by tile and square.
    pub fn sums<T: Copy + Default + Add<Output = T>>(
        &self,
        shape: usize,
        of: impl Fn(usize, usize) -> T,
        out: &mut [T],
    ) {
        let mut by_index = [[T::default(); MAX_TILES]; MAX_TILES];
        let squares = (0..self.rows * self.columns).filter(|&s| self.shapes.squares(shape) >> s & 1 == 1);
        for (index, square) in squares.enumerate() {
            for (tile, by_index) in by_index.iter_mut().enumerate().take(self.tiles) {
                by_index[index] = of(tile, square);
            }
        }
        sums(&by_index[..self.tiles], 0x0706_0504_0302_0100, T::default(), out);
    }

    /// Bytes that the numbering takes.
    pub fn bytes(&self) -> usize {
        self.shapes.bytes() + 16 * self.regions.len() + 2 * self.shifts.len()
    }
}

/// For every arrangement, in order: the sum over its tiles of `of` by tile and index. The first tile takes each free index in
/// turn, then the others follow. `free` has one index per byte. The recursion is as deep as there are tiles.
fn sums<T: Copy + Add<Output = T>>(of: &[[T; MAX_TILES]], free: u64, sum: T, out: &mut [T]) {
    let at = |tile: &[T; MAX_TILES], place: usize| tile[(free >> (8 * place)) as usize % MAX_TILES];
    match (of, &mut *out) {
        ([last], [out]) => *out = sum + at(last, 0),
        ([a, b], [first, second]) => {
            *first = sum + at(a, 0) + at(b, 1);
            *second = sum + at(a, 1) + at(b, 0);
        }
        ([first, rest @ ..], out) if !out.is_empty() => {
            for (i, out) in out.chunks_mut(out.len() / of.len()).enumerate() {
                let before = (1 << (8 * i)) - 1;
                let left = free & before | free >> 8 & !before;
                sums(rest, left, sum + at(first, i), out);
            }
        }
        _ => {}
    }
}

/// The new index of the tile with index `index` after the one at `from` moves to `to`.
fn shifted(index: usize, from: usize, to: usize) -> usize {
    if index == from {
        to
    } else if from < index && index <= to {
        index - 1
    } else if to <= index && index < from {
        index + 1
    } else {
        index
    }
}

/// The number of an arrangement, given the index of each tile.
fn rank(indexes: &[usize]) -> usize {
    let mut number = 0;
    for (tile, &index) in indexes.iter().enumerate() {
        let smaller = indexes[..tile].iter().filter(|&&other| other < index).count();
        number = number * (indexes.len() - tile) + index - smaller;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_followed_from_move_to_move() {
        for (rows, columns, tiles) in [(3, 3, 4), (4, 4, 6), (4, 4, 8), (5, 5, 6), (2, 5, 3)] {
            let places = Places::new(rows, columns, tiles).unwrap();
            let squares = rows * columns;
            let mut at: Vec<usize> = (0..tiles).map(|t| (t * 7 + 3) % squares).collect();
            at.sort_unstable();
            at.dedup();
            if at.len() < tiles {
                at = (0..tiles).collect();
            }
            let (mut shape, mut arrangement) = places.place(&at);
            let mut random = 1u64;
            for _ in 0..2000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let tile = (random >> 40) as usize % tiles;
                let beside: Vec<usize> = places.beside(at[tile]).filter(|s| !at.contains(s)).collect();
                let Some(&to) = beside.get((random >> 33) as usize % beside.len().max(1)) else { continue };
                let from = at[tile];
                let old = (shape & ((1 << from) - 1)).count_ones() as usize;
                shape ^= 1 << from | 1 << to;
                let new = (shape & ((1 << to) - 1)).count_ones() as usize;
                arrangement = places.shift(old, new, arrangement);
                at[tile] = to;
                assert_eq!(places.place(&at), (shape, arrangement));
                assert_eq!(places.squares(places.shape(shape)), shape);
                let indexes = places.indexes(arrangement);
                assert_eq!(rank(&indexes[..tiles]), arrangement);
            }
        }
    }

    #[test]
    fn the_sizes_are_the_known_ones() {
        let places = Places::new(5, 5, 6).unwrap();
        assert_eq!((places.placements(), places.regions() * 720), (127_512_000, 181_008_000));
        assert_eq!(Places::new(4, 4, 8).unwrap().placements(), 518_918_400);
        assert!(Places::new(6, 6, 3).is_none());
        assert!(Places::new(4, 4, 9).is_none());
    }
}
