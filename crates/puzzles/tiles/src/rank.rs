//! Boards as numbers without gaps: two bits then suffice per board.
//!
//! A rank combines the square of the blank with the other tiles row by row as a permutation in lexicographic order. Half of all
//! permutations are reachable, and the blank's square determines which half. So the last two tiles follow from the others. A
//! horizontal step changes only the blank's square.

use beeline_search::Ranked;

use super::board::MAX_SQUARES;
use super::{Sliding, Tiles};

impl Sliding {
    /// Permutations of the tiles with the blank on one square: half of all, capped at what a number can hold.
    fn orders(&self) -> u64 {
        (3..self.board.squares() as u64).fold(1, u64::saturating_mul)
    }

    /// The parity class of a board: steps do not change it.
    pub(super) fn half_of(&self, state: &Tiles) -> bool {
        let columns = self.board.columns();
        let mut before = 0u64;
        let mut odd = columns.is_multiple_of(2) && !(state.blank() / columns).is_multiple_of(2);
        for &tile in state.cells[..self.board.squares()].iter().filter(|&&tile| tile != 0) {
            odd ^= (before >> tile).count_ones() % 2 == 1;
            before |= 1 << tile;
        }
        odd
    }
}

/// Boards of up to twenty squares. Larger ones exceed 64-bit numbers, so no table of them is made.
impl Ranked for Sliding {
    fn states(&self) -> u64 {
        self.orders().saturating_mul(self.board.squares() as u64)
    }

    #[inline]
    fn rank(&self, state: &Tiles) -> u64 {
        let squares = self.board.squares();
        let mut left = (1u64 << squares) - 2;
        let mut base = squares as u64 - 1;
        let mut order = 0u64;
        for &tile in state.cells[..squares].iter().filter(|&&tile| tile != 0) {
            if base < 3 {
                break;
            }
            let smaller = (left & ((1 << tile) - 1)).count_ones();
            order = order.wrapping_mul(base).wrapping_add(u64::from(smaller));
            left &= !(1 << tile);
            base -= 1;
        }
        (state.blank() as u64).wrapping_mul(self.orders()).wrapping_add(order)
    }

    fn unrank(&self, rank: u64) -> Tiles {
        let squares = self.board.squares();
        let blank = (rank / self.orders()) as usize;
        let mut order = rank % self.orders();
        let mut digits = [0u8; MAX_SQUARES];
        for base in 3..squares as u64 {
            let i = squares - 1 - base as usize;
            // Most counted boards have few enough tiles for the faster division.
            (order, digits[i]) = match u32::try_from(order) {
                Ok(small) => (u64::from(small / base as u32), (small % base as u32) as u8),
                Err(_) => (order / base, (order % base) as u8),
            };
        }
        let mut state = Tiles { cells: [0; MAX_SQUARES], blank: blank as u8 };
        let mut left = (1u64 << squares) - 2;
        let open = (0..squares).filter(|&square| square != blank);
        for (square, &digit) in open.zip(&digits) {
            let mut from = left;
            for _ in 0..digit {
                from &= from - 1;
            }
            let tile = from.trailing_zeros();
            left &= !(1 << tile);
            state.cells[square] = tile as u8;
        }
        if squares > 2 && self.half_of(&state) != self.half {
            let mut last = (0..squares).rev().filter(|&square| square != blank);
            if let (Some(a), Some(b)) = (last.next(), last.next()) {
                state.cells.swap(a, b);
            }
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Goal};
    use beeline_search::{Budget, census};

    fn space(rows: usize, columns: usize) -> Sliding {
        Sliding::new(&Board::solved(rows, columns, Goal::BlankFirst).unwrap())
    }

    #[test]
    fn numbers_have_no_gaps() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
            let space = space(rows, columns);
            let states = space.states();
            assert_eq!(states, (3..=(rows * columns) as u64).product::<u64>());
            for rank in 0..states {
                let state = space.unrank(rank);
                assert_eq!(space.rank(&state), rank, "{rows} x {columns}");
                assert_eq!(space.half_of(&state), space.half);
            }
        }
    }

    /// OEIS A089473: boards of the 8-puzzle by distance from the solved one, the blank in a corner.
    const EIGHT: [u64; 32] = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10_878,
        16_993, 17_110, 23_952, 20_224, 24_047, 15_578, 14_560, 6274, 3910, 760, 221, 2,
    ];

    /// OEIS A090166: the same of 3 by 4.
    const ELEVEN: [u64; 54] = [
        1, 2, 4, 9, 20, 37, 63, 122, 232, 431, 781, 1392, 2494, 4442, 7854, 13_899, 24_215, 41_802, 71_167,
        119_888, 198_363, 323_206, 515_778, 811_000, 1_248_011, 1_885_279, 2_782_396, 4_009_722, 5_621_354,
        7_647_872, 10_065_800, 12_760_413, 15_570_786, 18_171_606, 20_299_876, 21_587_248, 21_841_159,
        20_906_905, 18_899_357, 16_058_335, 12_772_603, 9_515_217, 6_583_181, 4_242_753, 2_503_873,
        1_350_268, 643_245, 270_303, 92_311, 27_116, 5390, 1115, 86, 18,
    ];

    #[test]
    fn the_eight_puzzle_is_as_published() {
        let (census, _) = census::count(&space(3, 3), &Budget::default(), &mut |_| {});
        assert_eq!(census.unwrap().layers, EIGHT);
    }

    #[test]
    #[ignore = "long: cargo xtask prove (239,500,800 boards)"]
    fn three_by_four_is_as_published_inside_a_gibibyte() {
        let budget = Budget { bytes: Some(1 << 30), ..Budget::default() };
        let board = Board::solved(3, 4, Goal::BlankFirst).unwrap();
        let (census, stats) = crate::census::count(&board, 2, &budget, &mut |_| {});
        let census = census.unwrap();
        assert_eq!(census.layers, ELEVEN);
        assert_eq!(census.states(), 239_500_800);
        assert!(stats.bytes < 64 << 20, "{}", stats.bytes);
    }

    #[test]
    fn whole_spaces_have_the_published_sizes() {
        // States, the greatest distance, and the number of states there.
        for (rows, columns, states, radius, farthest) in [
            (2, 2, 12, 6, 1),
            (2, 3, 360, 21, 1),
            (3, 2, 360, 21, 1),
            (3, 3, 181_440, 31, 2),
            (2, 4, 20_160, 36, 1),
        ] {
            let space = space(rows, columns);
            let (census, stats) = census::count(&space, &Budget::default(), &mut |_| {});
            let census = census.unwrap();
            assert_eq!((census.states(), census.layers.len() - 1), (states, radius));
            assert_eq!(census.layers[radius], farthest);
            assert!(stats.bytes as u64 <= states / 4 + 8);
            let far = space.unrank(census.farthest);
            assert_eq!(space.rank(&far), census.farthest);
        }
    }
}
