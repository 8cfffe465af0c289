//! Numbers the placements of the single cells among the cells that the larger pieces leave free.
//!
//! Free cells are indexed in the order of the board. What is numbered is the set of gaps: the free cells without a single cell.
//! Gap sets of one size over the same number of cells are ordered by their bits as a number. So the number of a set is a sum of
//! binomial coefficients, which takes two look-ups.

/// Most free cells that can be numbered.
pub(super) const MOST_CELLS: usize = 26;
/// Most gap sets: a packing keeps three bits for each.
pub(super) const MOST_SETS: u64 = 1 << 16;

/// The binomial coefficient "n choose k", if it fits.
pub(super) fn choose(n: usize, k: usize) -> Option<u64> {
    (0..k as u64).try_fold(1u64, |all, i| Some(all.checked_mul((n as u64).checked_sub(i)?)? / (i + 1)))
}

/// All sets of a fixed number of gaps among a fixed number of cells.
#[derive(Debug)]
pub(super) struct Holes {
    /// The sets by their numbers; bit i is the i-th free cell.
    sets: Vec<u32>,
    /// The contribution of the lower cells to a number, and that of the upper ones by the number of gaps below them.
    low: Vec<u32>,
    high: Vec<u32>,
    /// The number of lower cells, and of upper cells.
    half: u32,
    rest: u32,
    /// By cell: the numbers of the sets with a gap there, as bits.
    with: Vec<u64>,
    /// All valid numbers, as bits.
    all: Vec<u64>,
}

impl Holes {
    /// The sets of `gaps` among `cells`; `None` if they are too many.
    pub(super) fn new(cells: usize, gaps: usize) -> Option<Self> {
        let count =
            choose(cells, gaps).filter(|&c| gaps <= cells && cells <= MOST_CELLS && c <= MOST_SETS)?;
        let mut sets = Vec::with_capacity(count as usize);
        let end = 1u64 << cells;
        let mut set = (1u64 << gaps) - 1;
        while set < end {
            sets.push(set as u32);
            if set == 0 {
                break;
            }
            // The next number with as many bits (Gosper): the lowest run of ones loses one to the left.
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            set = ripple | ((set ^ ripple) / lowest) >> 2;
        }
        let half = cells as u32 / 2;
        let rest = cells as u32 - half;
        // What a gap adds to the number: the sets with as many gaps, all of them below it. No set has more than `gaps`.
        let mut terms = [[0; MOST_CELLS + 1]; MOST_CELLS];
        for (cell, terms) in terms.iter_mut().enumerate() {
            for (gap, term) in terms.iter_mut().enumerate().take(gaps + 1) {
                *term = choose(cell, gap).unwrap_or(0) as u32;
            }
        }
        // By the bits of some cells from `first` on, with `below` gaps under them: the sum without the highest gap, and what that
        // adds. A sum that no gap set has may overflow; it is never looked up.
        let extend = |sums: &mut Vec<u32>, cells: u32, first: u32, below: u32| {
            let empty = sums.len();
            sums.push(0);
            for bits in 1..1usize << cells {
                let highest = bits.ilog2();
                let gap = below + bits.count_ones();
                let term = terms[(first + highest) as usize].get(gap as usize).copied().unwrap_or(0);
                sums.push(sums[empty + (bits ^ 1 << highest)].wrapping_add(term));
            }
        };
        let (mut low, mut high) = (Vec::new(), Vec::new());
        extend(&mut low, half, 0, 0);
        for below in 0..=half {
            extend(&mut high, rest, half, below);
        }
        let words = sets.len().div_ceil(64);
        let (mut with, mut all) = (vec![0; cells * words], vec![0; words]);
        for (number, &set) in sets.iter().enumerate() {
            all[number / 64] |= 1 << (number % 64);
            for cell in (0..cells).filter(|c| set >> c & 1 == 1) {
                with[cell * words + number / 64] |= 1 << (number % 64);
            }
        }
        Some(Self { sets, low, high, half, rest, with, all })
    }

    /// The number of sets.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.sets.len()
    }

    /// Words that hold a bit for each set.
    pub(super) fn words(&self) -> usize {
        self.all.len()
    }

    /// A bit mask of all sets.
    #[inline(always)]
    pub(super) fn all(&self) -> &[u64] {
        &self.all
    }

    /// The sets with a gap in this free cell.
    #[inline(always)]
    pub(super) fn with(&self, cell: u32) -> &[u64] {
        let words = self.all.len();
        &self.with[cell as usize * words..][..words]
    }

    /// The set with this number.
    #[inline(always)]
    pub(super) fn set(&self, number: usize) -> u32 {
        self.sets[number]
    }

    /// The number of a set.
    #[inline(always)]
    pub(super) fn number(&self, set: u32) -> usize {
        let low = set & ((1 << self.half) - 1);
        let high = low.count_ones() << self.rest | set >> self.half;
        (self.low[low as usize] + self.high[high as usize]) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_number() {
        for (cells, gaps) in [(1, 0), (1, 1), (2, 1), (9, 3), (14, 3), (18, 7), (13, 13), (12, 0)] {
            let holes = Holes::new(cells, gaps).unwrap();
            assert_eq!(Some(holes.count() as u64), choose(cells, gaps));
            for number in 0..holes.count() {
                let set = holes.set(number);
                assert_eq!((set.count_ones() as usize, holes.number(set)), (gaps, number));
                for cell in 0..cells as u32 {
                    assert_eq!(
                        holes.with(cell)[number / 64] >> (number % 64) & 1,
                        u64::from(set >> cell & 1)
                    );
                }
            }
            assert_eq!(holes.all().iter().map(|w| w.count_ones() as usize).sum::<usize>(), holes.count());
        }
        assert!(Holes::new(26, 13).is_none() && Holes::new(40, 1).is_none() && Holes::new(3, 4).is_none());
    }
}
