//! A set of rows of a diagonal: one machine word, or four if the shorter side of the board exceeds 64.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A bit set with the operations of an unsigned number.
pub(super) trait Word:
    Copy
    + Debug
    + Default
    + Eq
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of bits.
    const BITS: u32;
    /// No bit, every bit.
    const NONE: Self;
    const ALL: Self;

    /// A number below 2⁶⁴.
    fn small(value: u64) -> Self;
    /// The bits as machine words, the lowest first.
    fn words(self) -> impl Iterator<Item = u64>;
    fn trailing_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn wrapping_sub(self, other: Self) -> Self;

    /// One bit.
    #[inline(always)]
    fn bit(at: usize) -> Self {
        Self::small(1) << at as u32
    }

    #[inline(always)]
    fn has(self, at: usize) -> bool {
        self & Self::bit(at) != Self::NONE
    }

    /// Only the lowest bit.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & !self.wrapping_sub(Self::small(1))
    }

    /// Only the highest bit; the set must not be empty.
    #[inline(always)]
    fn highest(self) -> Self {
        Self::small(1) << (Self::BITS - 1 - self.leading_zeros())
    }

    /// The rows of the bits, ascending.
    #[inline(always)]
    fn rows(self) -> Rows<Self> {
        Rows(self)
    }
}

/// The rows of a set, ascending.
pub(super) struct Rows<W>(W);

impl<W: Word> Iterator for Rows<W> {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == W::NONE {
            return None;
        }
        let row = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(W::small(1));
        Some(row)
    }
}

impl Word for u64 {
    const BITS: u32 = 64;
    const NONE: Self = 0;
    const ALL: Self = Self::MAX;

    #[inline(always)]
    fn small(value: u64) -> Self {
        value
    }
    #[inline(always)]
    fn words(self) -> impl Iterator<Item = u64> {
        std::iter::once(self)
    }
    #[inline(always)]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
    #[inline(always)]
    fn leading_zeros(self) -> u32 {
        self.leading_zeros()
    }
    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn has(self, at: usize) -> bool {
        self >> at & 1 != 0
    }
}

/// Four words, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wide([u64; 4]);

impl Wide {
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl BitAnd for Wide {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Wide {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Wide {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl BitAndAssign for Wide {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Wide {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXorAssign for Wide {
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl Not for Wide {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl Shl<u32> for Wide {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        let word = |i: usize| if i < words { 0 } else { self.0[i - words] };
        Self(std::array::from_fn(|i| {
            let carry = if bits == 0 || i == 0 { 0 } else { word(i - 1) >> (64 - bits) };
            word(i) << bits | carry
        }))
    }
}

impl Shr<u32> for Wide {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        let word = |i: usize| self.0.get(i + words).copied().unwrap_or(0);
        Self(std::array::from_fn(|i| {
            let carry = if bits == 0 { 0 } else { word(i + 1) << (64 - bits) };
            word(i) >> bits | carry
        }))
    }
}

impl Word for Wide {
    const BITS: u32 = 256;
    const NONE: Self = Self([0; 4]);
    const ALL: Self = Self([u64::MAX; 4]);

    fn small(value: u64) -> Self {
        Self([value, 0, 0, 0])
    }
    fn words(self) -> impl Iterator<Item = u64> {
        self.0.into_iter()
    }
    fn trailing_zeros(self) -> u32 {
        let first = self.0.iter().position(|&word| word != 0);
        first.map_or(Self::BITS, |i| 64 * i as u32 + self.0[i].trailing_zeros())
    }
    fn leading_zeros(self) -> u32 {
        let last = self.0.iter().rposition(|&word| word != 0);
        last.map_or(Self::BITS, |i| 64 * (3 - i as u32) + self.0[i].leading_zeros())
    }
    fn wrapping_sub(self, other: Self) -> Self {
        let mut borrow = false;
        Self(std::array::from_fn(|i| {
            let (part, first) = self.0[i].overflowing_sub(other.0[i]);
            let (part, second) = part.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            part
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lower half of a wide word as a number.
    fn half(word: Wide) -> u128 {
        u128::from(word.0[1]) << 64 | u128::from(word.0[0])
    }

    #[test]
    fn wide_words_count_like_numbers() {
        let numbers = [1, 5, 1 << 63, 1 << 64, (1 << 100) - 1, u128::MAX / 3, 3 << 62];
        for a in numbers {
            let wide = |n: u128| Wide([n as u64, (n >> 64) as u64, 0, 0]);
            assert_eq!(wide(a).trailing_zeros(), a.trailing_zeros());
            assert_eq!(wide(a).leading_zeros(), 128 + a.leading_zeros());
            assert_eq!(half(wide(a).lowest()), a & a.wrapping_neg());
            assert_eq!(half(wide(a).highest()), 1 << a.ilog2());
            assert_eq!(wide(a).rows().count() as u32, a.count_ones());
            for b in numbers {
                assert_eq!(half(wide(a).wrapping_sub(wide(b))), a.wrapping_sub(b));
                assert_eq!(half(wide(a) & wide(b)), a & b);
                assert_eq!(half(wide(a) ^ wide(b)), a ^ b);
            }
            for by in [0, 1, 63, 64, 65, 127] {
                assert_eq!(half(wide(a) << by), a << by);
                assert_eq!(half(wide(a) >> by), a >> by);
                assert_eq!(half(wide(a) << 128 >> 128 << by), a << by, "the upper half comes back");
            }
        }
        assert_eq!(Wide::NONE.trailing_zeros(), 256);
        assert_eq!(Wide::NONE.leading_zeros(), 256);
        assert_eq!(Wide::NONE.wrapping_sub(Wide::small(1)), Wide::ALL);
        assert!(Wide::bit(200).has(200) && !Wide::bit(200).has(199));
        assert_eq!((Wide::ALL << 255).words().collect::<Vec<_>>(), [0, 0, 0, 1 << 63]);
    }
}
