//! Sets of cells as bits.

/// A set of up to `64 × N` cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask<const N: usize>(pub [u64; N]);

impl<const N: usize> Mask<N> {
    /// No cell.
    pub const EMPTY: Self = Self([0; N]);
    /// Every bit, also those beyond the board.
    pub const FULL: Self = Self([u64::MAX; N]);

    /// The set of these cells.
    pub fn of(cells: impl IntoIterator<Item = usize>) -> Self {
        let mut mask = Self::EMPTY;
        for cell in cells {
            mask.0[cell / 64] |= 1 << (cell % 64);
        }
        mask
    }

    /// Is this cell in it?
    #[inline(always)]
    pub fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Do the two share a cell?
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        let mut common = 0;
        for i in 0..N {
            common |= self.0[i] & other.0[i];
        }
        common != 0
    }

    /// Does this set contain every cell of the other?
    #[inline(always)]
    pub fn covers(&self, other: &Self) -> bool {
        let mut missing = 0;
        for i in 0..N {
            missing |= other.0[i] & !self.0[i];
        }
        missing == 0
    }

    /// The union.
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        for i in 0..N {
            self.0[i] |= other.0[i];
        }
        self
    }

    /// The difference.
    #[inline(always)]
    #[must_use]
    pub fn without(mut self, other: &Self) -> Self {
        for i in 0..N {
            self.0[i] &= !other.0[i];
        }
        self
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Is no cell in it?
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_sets() {
        let a = Mask::<2>::of([1, 63, 64, 127]);
        let b = Mask::<2>::of([64, 2]);
        assert!(a.meets(&b) && !a.covers(&b) && a.with(&b).covers(&b));
        assert!(!a.without(&b).meets(&b));
        assert_eq!((a.len(), a.with(&b).len(), a.without(&b).len()), (4, 5, 3));
        assert!(a.has(127) && !a.has(126) && Mask::<2>::EMPTY.is_empty() && !b.is_empty());
    }
}
