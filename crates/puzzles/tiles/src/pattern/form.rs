//! Databases as a search sees them: where the tiles of a pattern stand, how a move changes that, and what the entry says.
//! Asking for an entry and reading the answer are two steps, so that the memory has time to bring it.
//!
//! There are two forms of the same databases: *compact*, as they are built and kept, and spread out ([`super::direct`]).

use std::sync::Arc;

use beeline_search::prefetch::prefetch;

use super::database::Database;
use super::places::Squares;

/// Databases of some patterns.
pub trait Form: Send + Sync {
    /// Where the tiles of a pattern stand.
    type Place: Copy + Default + Send + Sync;

    /// Rows and columns of the board.
    fn sides(&self) -> (usize, usize);
    /// How many patterns there are.
    fn patterns(&self) -> usize;
    /// The tiles of a pattern.
    fn tiles(&self, pattern: usize) -> &[usize];
    /// Does every entry stand for one region of the blank? Then the estimate is consistent.
    fn exact(&self) -> bool;
    /// Bytes of all entries.
    fn bytes(&self) -> usize;
    /// What [`Form::slide`] wants to know about a tile, given its place in the pattern.
    fn weight(&self, tile: usize) -> u32;
    /// The place of tiles on these squares, in the order of the pattern.
    fn place(&self, pattern: usize, at: &[usize]) -> Self::Place;
    /// The place after the tile of this weight slid.
    fn slide(&self, pattern: usize, place: Self::Place, weight: u32, from: usize, to: usize) -> Self::Place;
    /// Asks the memory for the entry of a place, with the blank on this square.
    fn ask(&self, pattern: usize, place: Self::Place, blank: usize) -> u32;
    /// The entry: moves beyond the Manhattan distance, in pairs.
    fn answer(&self, pattern: usize, place: Self::Place, asked: u32, blank: usize) -> u8;
}

/// The compact form. A place is the squares of the tiles as bits, and their arrangement.
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
