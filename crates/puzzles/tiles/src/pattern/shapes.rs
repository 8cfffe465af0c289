//! Numbers the sets of squares that a few tiles can occupy, and finds the regions that they leave for the blank.

use beeline_search::{Limit, Meter};

use super::places::MAX_TILES;

/// A set of squares, one bit each.
pub type Squares = u64;

/// The numbered sets of a fixed number of squares of a board.
#[derive(Debug)]
pub struct Shapes {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// The number of tiles: squares in a set.
    pub tiles: usize,
    low_bits: u32,
    low: Vec<u32>,
    high: Vec<u32>,
    sets: Vec<Squares>,
}

impl Shapes {
    /// The numbering for boards of these sides (at most 32 squares) and this many tiles; `None` if there is none.
    pub fn within(
        rows: usize,
        columns: usize,
        tiles: usize,
        meter: &mut Meter,
    ) -> Result<Option<Self>, Limit> {
        Self::build(rows, columns, tiles, &mut |units| meter.work(units))
    }

    /// Calls `work` before each part with its cost in units of [`Meter::work`].
    pub(super) fn build<E>(
        rows: usize,
        columns: usize,
        tiles: usize,
        work: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let squares = rows * columns;
        if !(1..=MAX_TILES).contains(&tiles) || tiles >= squares || squares > 32 {
            return Ok(None);
        }
        let low_bits = squares.div_ceil(2) as u32;
        let high_bits = squares as u32 - low_bits;
        let low = ranks(low_bits, squares);
        // The lower halves by their number of squares, ascending.
        let mut by_count = vec![Vec::new(); squares + 1];
        for word in 0..1u64 << low_bits {
            by_count[word.count_ones() as usize].push(word);
        }
        let mut high = vec![0; 1 << high_bits];
        let mut sets = Vec::new();
        for (top, base) in high.iter_mut().enumerate() {
            *base = sets.len() as u32;
            if let Some(rest) = tiles.checked_sub((top as u64).count_ones() as usize) {
                work(by_count[rest].len() as u64)?;
                sets.extend(by_count[rest].iter().map(|low| (top as u64) << low_bits | low));
            }
        }
        Ok(Some(Self { rows, columns, tiles, low_bits, low, high, sets }))
    }

    /// The number of shapes.
    pub fn shapes(&self) -> usize {
        self.sets.len()
    }

    /// The squares of a shape.
    #[inline(always)]
    pub fn squares(&self, shape: usize) -> Squares {
        self.sets[shape]
    }

    /// The number of a shape.
    #[inline(always)]
    pub fn shape(&self, squares: Squares) -> usize {
        let low = squares & ((1 << self.low_bits) - 1);
        (self.high[(squares >> self.low_bits) as usize] + self.low[low as usize]) as usize
    }

    /// The squares that a shape leaves free.
    pub fn free(&self, shape: usize) -> Squares {
        !self.sets[shape] & ((1 << (self.rows * self.columns)) - 1)
    }

    /// The regions into which a shape divides the free squares, by their first squares.
    pub fn regions_around(&self, shape: usize) -> impl Iterator<Item = Squares> {
        let mut free = self.free(shape);
        std::iter::from_fn(move || {
            let region = (free != 0).then(|| self.flood(free & free.wrapping_neg(), free))?;
            free ^= region;
            Some(region)
        })
    }

    /// All squares of `free` that are connected with `from`.
    fn flood(&self, from: Squares, free: Squares) -> Squares {
        let first = (0..self.rows).fold(0, |m, row| m | 1 << (row * self.columns));
        let last = first << (self.columns - 1);
        let mut region = from;
        loop {
            let beside = (region & !first) >> 1 | (region & !last) << 1;
            let grown = region | ((beside | region >> self.columns | region << self.columns) & free);
            if grown == region {
                return region;
            }
            region = grown;
        }
    }

    /// The adjacent squares.
    pub fn beside(&self, square: usize) -> impl Iterator<Item = usize> {
        let (row, column) = (square / self.columns, square % self.columns);
        let (rows, columns) = (self.rows, self.columns);
        let open = [column > 0, column + 1 < columns, row > 0, row + 1 < rows];
        let to = [square.wrapping_sub(1), square + 1, square.wrapping_sub(columns), square + columns];
        (0..4).filter(move |&i| open[i]).map(move |i| to[i])
    }

    /// Bytes that the numbering takes.
    pub fn bytes(&self) -> usize {
        4 * (self.low.len() + self.high.len()) + 8 * self.sets.len()
    }
}

/// For each word of this many bits: its number among the words with as many ones.
fn ranks(bits: u32, most: usize) -> Vec<u32> {
    let mut by_count = vec![0u32; most + 1];
    let mut numbers = vec![0; 1 << bits];
    for (word, number) in numbers.iter_mut().enumerate() {
        let next = &mut by_count[(word as u64).count_ones() as usize];
        *number = *next;
        *next += 1;
    }
    numbers
}
