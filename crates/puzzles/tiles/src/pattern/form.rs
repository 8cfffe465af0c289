//! The interface of databases to a search: the placement of a pattern's tiles, its update by a move, and its entry. Prefetching
//! an entry and reading it are two steps, so that memory accesses overlap.
//!
//! The same databases have two forms: *compact*, as they are built and stored, and sparse ("spread",
//! [`super::direct`]).

use std::sync::Arc;

use beeline_search::prefetch::prefetch;

use super::database::Database;
use super::places::Squares;

/// Databases of some patterns.
pub trait Form: Send + Sync {
    /// The placement of a pattern's tiles.
    type Place: Copy + Default + Send + Sync;

    /// Rows and columns of the board.
    fn sides(&self) -> (usize, usize);
    /// The number of patterns.
    fn patterns(&self) -> usize;
    /// The tiles of a pattern.
    fn tiles(&self, pattern: usize) -> &[usize];
    /// Does every entry belong to one region of the blank? Then the estimate is consistent.
    fn exact(&self) -> bool;
    /// Bytes of all entries.
    fn bytes(&self) -> usize;
    /// A tile's constant for [`Form::slide`], given its index in the pattern.
    fn weight(&self, tile: usize) -> u32;
    /// The placement of tiles on these squares, in the order of the pattern.
    fn place(&self, pattern: usize, at: &[usize]) -> Self::Place;
    /// The placement after the tile of this weight slid.
    fn slide(&self, pattern: usize, place: Self::Place, weight: u32, from: usize, to: usize) -> Self::Place;
    /// Prefetches the entry of a placement with the blank on this square, and returns its address.
    fn ask(&self, pattern: usize, place: Self::Place, blank: usize) -> u32;
    /// The entry at the address from [`Form::ask`]: moves beyond the Manhattan distance, in pairs.
    fn answer(&self, pattern: usize, place: Self::Place, asked: u32, blank: usize) -> u8;
}

/// The compact form. A placement is the squares of the tiles as bits, and their arrangement.
#[derive(Debug)]
pub struct Compact(pub Vec<Arc<Database>>);

impl Form for Compact {
    type Place = (u32, u32);

    fn sides(&self) -> (usize, usize) {
        self.0.first().map_or((0, 0), |first| (first.numbering().rows, first.numbering().columns))
    }

    fn patterns(&self) -> usize {
        self.0.len()
    }

    fn tiles(&self, pattern: usize) -> &[usize] {
        self.0[pattern].tiles()
    }

    fn exact(&self) -> bool {
        self.0.iter().all(|database| database.aware())
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|database| database.data().len()).sum()
    }

    fn weight(&self, _: usize) -> u32 {
        0
    }

    fn place(&self, pattern: usize, at: &[usize]) -> (u32, u32) {
        let (squares, arrangement) = self.0[pattern].numbering().place(at);
        (squares as u32, arrangement as u32)
    }

    #[inline(always)]
    fn slide(&self, pattern: usize, place: (u32, u32), _: u32, from: usize, to: usize) -> (u32, u32) {
        let (before, arrangement) = place;
        let squares = before ^ 1 << from ^ 1 << to;
        // Along a row no tile is passed; along a column those between the two squares are.
        let (low, high) = if from < to { (from, to) } else { (to, from) };
        if before & ((1 << high) - (2 << low)) == 0 {
            return (squares, arrangement);
        }
        let old = (before & ((1 << from) - 1)).count_ones() as usize;
        let new = (squares & ((1 << to) - 1)).count_ones() as usize;
        (squares, self.0[pattern].numbering().shift(old, new, arrangement as usize) as u32)
    }

    #[inline(always)]
    fn ask(&self, pattern: usize, (squares, arrangement): (u32, u32), blank: usize) -> u32 {
        let database = &self.0[pattern];
        let entry = database.entry(Squares::from(squares), arrangement as usize, blank);
        prefetch(database.data(), entry / 2);
        entry as u32
    }

    #[inline(always)]
    fn answer(&self, pattern: usize, _: (u32, u32), asked: u32, _: usize) -> u8 {
        self.0[pattern].extra(asked as usize)
    }
}
