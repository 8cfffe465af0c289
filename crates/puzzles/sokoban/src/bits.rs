//! Small sets of squares as bit sets, and numbers packed beside them.

use super::board::Square;

/// A set of squares below `64 * N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const N: usize>(pub [u64; N]);

impl<const N: usize> Default for Bits<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

/// Bits that a number below `count` needs.
pub fn field(count: usize) -> usize {
    (usize::BITS - count.saturating_sub(1).leading_zeros()) as usize
}

impl<const N: usize> Bits<N> {
    /// Is this square in the set?
    #[inline(always)]
    pub fn has(&self, square: Square) -> bool {
        self.0[square as usize / 64] >> (square % 64) & 1 != 0
    }

    /// Inserts a square.
    #[inline(always)]
    pub fn set(&mut self, square: Square) {
        self.0[square as usize / 64] |= 1 << (square % 64);
    }

    /// Removes a square.
    #[inline(always)]
    pub fn clear(&mut self, square: Square) {
        self.0[square as usize / 64] &= !(1 << (square % 64));
    }

    /// The squares in the set, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        ones(&self.0).map(|at| at as Square)
    }

    /// Writes a number into a field (first bit, width) that holds 0.
    #[inline]
    pub fn put(&mut self, (at, width): (usize, usize), value: u64) {
        if width == 0 {
            return;
        }
        let (word, shift) = (at / 64, at % 64);
        self.0[word] |= value << shift;
        if shift + width > 64 {
            self.0[word + 1] |= value >> (64 - shift);
        }
    }

    /// Reads a field and leaves 0 in it.
    #[inline]
    pub fn take(&mut self, (at, width): (usize, usize)) -> u64 {
        if width == 0 {
            return 0;
        }
        let (word, shift) = (at / 64, at % 64);
        let mask = u64::MAX >> (64 - width);
        let mut value = self.0[word] >> shift & mask;
        self.0[word] &= !(mask << shift);
        if shift + width > 64 {
            value |= self.0[word + 1] << (64 - shift) & mask;
            self.0[word + 1] &= !(mask >> (64 - shift));
        }
        value
    }
}

/// The numbers of the bits that are set, in ascending order.
#[inline]
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + Clone + '_ {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let at = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                64 * i + at
            })
        })
    })
}

/// A list of sets of squares, stored side by side and addressed by index.
#[derive(Clone, Debug)]
pub(crate) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    /// `count` empty sets for a board with this many squares.
    pub(crate) fn new(squares: usize, count: usize) -> Self {
        let words = squares.div_ceil(64);
        Self { words, bits: vec![0; words * count] }
    }

    /// How many sets there are.
    pub(crate) fn len(&self) -> usize {
        self.bits.len() / self.words
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.bits.capacity() * size_of::<u64>()
    }

    /// Removes all sets.
    pub(crate) fn clear(&mut self) {
        self.bits.clear();
    }

    /// Appends a set with these squares.
    #[inline]
    pub(crate) fn push(&mut self, squares: &[Square]) {
        let number = self.len();
        self.bits.resize(self.bits.len() + self.words, 0);
        self.insert(number, squares);
    }

    /// Appends a copy of the set `like` without `less` and with `more`.
    #[inline]
    pub(crate) fn push_changed(&mut self, like: usize, less: Square, more: Square) {
        let start = self.bits.len();
        self.bits.extend_from_within(like * self.words..(like + 1) * self.words);
        self.bits[start + usize::from(less) / 64] &= !(1 << (less % 64));
        self.bits[start + usize::from(more) / 64] |= 1 << (more % 64);
    }

    /// Inserts squares into a set.
    #[inline]
    pub(crate) fn insert(&mut self, number: usize, squares: &[Square]) {
        let set = &mut self.bits[number * self.words..(number + 1) * self.words];
        for &at in squares {
            set[usize::from(at) / 64] |= 1 << (at % 64);
        }
    }

    /// The words of a set.
    #[inline(always)]
    pub(crate) fn of(&self, number: usize) -> &[u64] {
        &self.bits[number * self.words..(number + 1) * self.words]
    }

    /// Is this square in the set?
    #[inline(always)]
    pub(crate) fn has(&self, number: usize, square: Square) -> bool {
        self.bits[number * self.words + usize::from(square) / 64] >> (square % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_cross_words() {
        for at in 50..70 {
            let mut bits = Bits::<2>::default();
            bits.set(3);
            bits.put((at, 11), 0x5A3);
            let whole = bits;
            assert_eq!(bits.take((at, 11)), 0x5A3, "at {at}");
            assert_eq!(bits.iter().collect::<Vec<_>>(), [3]);
            assert_ne!(whole, bits);
        }
    }

    #[test]
    fn sets_lie_side_by_side() {
        let mut sets = Sets::new(70, 2);
        sets.insert(1, &[0, 69]);
        sets.push(&[64]);
        assert_eq!(sets.len(), 3);
        let all = |set: usize| (0..70).filter(|&s| sets.has(set, s)).collect::<Vec<_>>();
        assert_eq!([all(0), all(1), all(2)], [vec![], vec![0, 69], vec![64]]);
        sets.push_changed(1, 69, 68);
        sets.push_changed(0, 3, 2);
        let all = |set: usize| (0..70).filter(|&s| sets.has(set, s)).collect::<Vec<_>>();
        assert_eq!([all(1), all(3), all(4)], [vec![0, 69], vec![0, 68], vec![2]]);
    }

    #[test]
    fn field_widths() {
        assert_eq!([1, 2, 3, 4, 5, 256, 257, 4096].map(field), [0, 1, 2, 2, 3, 8, 9, 12]);
    }
}
