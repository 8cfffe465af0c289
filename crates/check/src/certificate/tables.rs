//! Pattern databases as evidence (Korf & Felner 2002): a table for each of several disjoint sets of tiles, verified before use.
//!
//! A table maps each placement of its tiles to a number. Two conditions are verified: the goal has the number 0, and a move of
//! one of these tiles to a square that none of them holds changes the number by at most 1. Then no number exceeds the moves
//! that its tiles still need. Each move of a plan moves one tile, so the numbers of disjoint sets may be added.

use super::lines::SQUARES;
use super::{ENDED, Fault, GoOn};
use crate::tiles::Tiles;

/// Most sets of tiles.
pub(crate) const SETS: usize = 8;
/// Most bits of an index: a table takes 32 MiB.
const INDEX_BITS: u32 = 25;

/// The tables.
pub(crate) struct Tables {
    /// Bits of a square in an index.
    bits: u32,
    squares: usize,
    beside: Vec<Vec<usize>>,
    /// By tile: its set, and the position of its square in an index.
    place: [Option<(usize, u32)>; SQUARES],
    /// The tiles of each set.
    sets: Vec<Vec<usize>>,
    /// By set and index: the number.
    numbers: Vec<Vec<u8>>,
}

impl Tables {
    /// Reads the sets (`1,2,5/3,4,8`) and the numbers of all placements in index order, and verifies them.
    pub(super) fn new(tiles: &Tiles, sets: &str, blocks: &[&[u8]], go_on: GoOn<'_>) -> Result<Self, Fault> {
        let fault = |why: &str| Fault::at("evidence", why);
        let (rows, columns) = (tiles.rows.len(), tiles.rows[0].len());
        let squares = rows * columns;
        let parsed: Option<Vec<Vec<usize>>> =
            sets.split('/').map(|set| set.split(',').map(|tile| tile.parse().ok()).collect()).collect();
        let sets = parsed
            .filter(|sets| sets.len() <= SETS)
            .ok_or_else(|| fault("the sets of tiles cannot be read"))?;
        let bits = usize::BITS - (squares - 1).leading_zeros();
        let mut place = [None; SQUARES];
        for (i, set) in sets.iter().enumerate() {
            if set.len() as u32 * bits > INDEX_BITS {
                return Err(fault("a set has too many tiles"));
            }
            for (j, &tile) in set.iter().enumerate() {
                let free = (1..squares.min(SQUARES)).contains(&tile) && place[tile].is_none();
                place[if free { tile } else { return Err(fault("a tile twice, or no tile")) }] =
                    Some((i, j as u32 * bits));
            }
        }
        let size = (rows, columns);
        let beside = (0..squares).map(|at| {
            let near =
                "lrud".chars().filter_map(|way| crate::beside((at / columns, at % columns), way, size));
            near.map(|(r, c)| r * columns + c).collect()
        });
        let beside = beside.collect();
        let mut tables = Self { bits, squares, beside, place, sets, numbers: Vec::new() };
        let mut numbers = blocks.iter().copied().flatten().copied();
        for set in 0..tables.sets.len() {
            let length = 1 << (tables.sets[set].len() as u32 * bits);
            let mut table = vec![u8::MAX; length];
            for index in (0..length as u32).filter(|&index| tables.placement(set, index).is_some()) {
                table[index as usize] = numbers.next().ok_or_else(|| fault("a table is cut off"))?;
            }
            tables.numbers.push(table);
            let goal = tables.indices(&tiles.goal)[set];
            if tables.numbers[set][goal as usize] != 0 {
                return Err(fault("the goal has another number than 0"));
            }
            tables.verify(set, go_on)?;
        }
        if numbers.next().is_some() { Err(fault("numbers behind the last table")) } else { Ok(tables) }
    }

    /// The squares of an index as a bit set, if they are on the board and all different.
    fn placement(&self, set: usize, index: u32) -> Option<u64> {
        let mut held = 0u64;
        for j in 0..self.sets[set].len() as u32 {
            let square = index >> (j * self.bits) & ((1 << self.bits) - 1);
            if square as usize >= self.squares || held >> square & 1 == 1 {
                return None;
            }
            held |= 1 << square;
        }
        Some(held)
    }

    /// Verifies with all cores that no move changes a number by more than 1.
    fn verify(&self, set: usize, go_on: GoOn<'_>) -> Result<(), Fault> {
        let table = &self.numbers[set];
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let part = |first: usize| {
            for index in (first..table.len()).step_by(cores) {
                if index % (1 << 16) == first && !go_on(index as u64, table.len() as u64) {
                    return Err(Fault::at("table", ENDED));
                }
                let Some(held) = self.placement(set, index as u32) else { continue };
                for j in 0..self.sets[set].len() as u32 {
                    let shift = j * self.bits;
                    let from = index >> shift & ((1 << self.bits) - 1);
                    for &to in self.beside[from].iter().filter(|&&to| held >> to & 1 == 0) {
                        let after = table[index ^ (from ^ to) << shift];
                        if table[index] > after.saturating_add(1) {
                            let place = format!("table {}, placement {index:#x}", set + 1);
                            let why = format!("{} is more than one move above {after}", table[index]);
                            return Err(Fault::at(place, why));
                        }
                    }
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..cores).map(|first| scope.spawn(move || part(first))).collect();
            let own = part(0);
            let lost = || Err(Fault::at("verification", "a thread ended early"));
            others.into_iter().try_for_each(|other| other.join().unwrap_or_else(|_| lost())).and(own)
        })
    }

    /// The index of each set for tiles row by row.
    pub(crate) fn indices(&self, tiles: &[usize]) -> [u32; SETS] {
        let mut indices = [0; SETS];
        for (square, &tile) in tiles.iter().enumerate() {
            self.toggle(&mut indices, tile, square);
        }
        indices
    }

    /// Puts a tile on a square in the indices, or removes it.
    pub(crate) fn toggle(&self, indices: &mut [u32; SETS], tile: usize, square: usize) {
        if let Some((set, shift)) = self.place[tile] {
            indices[set] ^= (square as u32) << shift;
        }
    }

    /// The sum of all numbers.
    pub(crate) fn sum(&self, indices: &[u32; SETS]) -> u32 {
        self.numbers.iter().zip(indices).map(|(table, &index)| u32::from(table[index as usize])).sum()
    }
}
