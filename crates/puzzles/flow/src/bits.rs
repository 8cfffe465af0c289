//! Sets of cells as a few machine words.

/// A set of cell numbers below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask<const W: usize>(pub [u64; W]);

impl<const W: usize> Mask<W> {
    /// No cell.
    pub const EMPTY: Self = Self([0; W]);

    /// Is this cell in it?
    #[inline(always)]
    pub fn has(&self, at: usize) -> bool {
        self.0[at >> 6] >> (at & 63) & 1 != 0
    }

    /// Puts a cell in.
    #[inline(always)]
    pub fn add(&mut self, at: usize) {
        self.0[at >> 6] |= 1 << (at & 63);
    }

    /// Takes a cell out.
    #[inline(always)]
    pub fn remove(&mut self, at: usize) {
        self.0[at >> 6] &= !(1 << (at & 63));
    }

    /// The intersection.
    #[inline(always)]
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The union.
    #[inline(always)]
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The difference: in this and not in the other.
    #[inline(always)]
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The number of cells.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Is there none?
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// The cells in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, mut word)| {
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as usize;
                    word &= word - 1;
                    64 * i + bit
                })
            })
        })
    }
}
