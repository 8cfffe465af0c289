//! Ranks of sets: the combinatorial number system.

use crate::board::Square;

/// Ranks sets of a fixed size. The set with members a < b < c … has the number C(a, 1) + C(b, 2) + C(c, 3) +
/// …
#[derive(Clone, Debug)]
pub(crate) struct CombinationNumbers {
    members: usize,
    /// The number of possible members.
    universe: usize,
    /// `choose[k * universe + n]` is C(n, k + 1).
    choose: Vec<u128>,
    /// The number of sets.
    pub(crate) count: u128,
}

impl CombinationNumbers {
    /// `None` if there are too many sets.
    pub(crate) fn new(universe: usize, members: usize) -> Option<Self> {
        // C(n, 1) = n; C(n + 1, k) = C(n, k) + C(n, k - 1).
        let mut choose: Vec<u128> = (0..universe as u128).collect();
        let mut count = universe as u128;
        for k in 1..members {
            let mut sum: u128 = 0;
            for n in 0..universe {
                choose.push(sum);
                sum = sum.checked_add(choose[(k - 1) * universe + n])?;
            }
            count = sum;
        }
        (members > 0 && count < 1 << 120).then_some(Self { members, universe, choose, count })
    }

    /// Bytes of the largest number.
    pub(crate) fn width(&self) -> usize {
        ((128 - self.count.leading_zeros()) as usize).div_ceil(8)
    }

    /// The number of a set with these members in ascending order. (A fold, because it is faster over a set of bits than a loop.)
    #[inline]
    pub(crate) fn of(&self, members: impl Iterator<Item = Square>) -> u128 {
        let add =
            |(number, from), member| (number + self.choose[from + member as usize], from + self.universe);
        members.fold((0, 0), add).0
    }

    /// The lower 64 bits of the same.
    #[inline]
    pub(crate) fn low(&self, members: impl Iterator<Item = Square>) -> u64 {
        let low = |at: usize| self.choose[at] as u64;
        let add =
            |(number, from), member| (low(from + member as usize).wrapping_add(number), from + self.universe);
        members.fold((0, 0), add).0
    }

    /// Calls `member` for each member of the set with this number, in descending order.
    #[inline]
    pub(crate) fn each(&self, mut number: u128, mut member: impl FnMut(Square)) {
        let mut at = self.universe;
        for k in (0..self.members).rev() {
            // The greatest member whose binomial coefficient still fits.
            let row = &self.choose[k * self.universe..(k + 1) * self.universe];
            while at > 0 {
                at -= 1;
                if row[at] <= number {
                    number -= row[at];
                    member(at as Square);
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;

    #[test]
    fn numbers_are_those_of_the_sets_in_order() {
        for (universe, members) in [(5, 1), (6, 3), (9, 4), (7, 7)] {
            let numbers = CombinationNumbers::new(universe, members).unwrap();
            let mut met = 0;
            for bits in 0u64..1 << universe {
                if bits.count_ones() as usize != members {
                    continue;
                }
                // Bit patterns of one size ascend in the same order as their numbers.
                assert_eq!(numbers.of(Bits([bits]).iter()), met);
                let mut back = Bits([0u64]);
                numbers.each(met, |member| back.set(member));
                assert_eq!(back.0[0], bits);
                met += 1;
            }
            assert_eq!(numbers.count, met);
        }
    }

    #[test]
    fn more_sets_than_numbers_are_refused() {
        assert!(CombinationNumbers::new(400, 200).is_none());
        assert!(CombinationNumbers::new(64, 16).is_some_and(|numbers| numbers.width() == 7));
    }
}
