//! Numbers pieces of one cell by the cells that the larger pieces leave to them.
//!
//! Counted over the whole board, eleven single cells among 36 have 600 million placements; among the fourteen that the larger
//! pieces leave, 364. Boards whose positions would not fit into 64 bits are numbered this way. It costs more: the number of the
//! single cells cannot be updated by a move, but is recomputed from the covered cells.

use super::board::Board;
use super::mask::Mask;

/// The numbering of the single cells.
#[derive(Clone, Debug)]
pub(super) struct Units<const N: usize> {
    /// Their shape.
    pub shape: usize,
    /// The cells where they can stand.
    room: Mask<N>,
    /// Are empty cells counted instead of single cells? The smaller number is counted.
    by_gaps: bool,
    /// `choose[i][n]`: the choices of i + 1 among n cells.
    choose: Vec<Vec<u64>>,
    /// The number of numbers.
    pub count: u64,
    /// The weight of this number in the number of the position.
    pub radix: u64,
}

impl<const N: usize> Units<N> {
    /// The numbering for this board, if there are at least two single cells. The caller sets the radix.
    pub(super) fn of(board: &Board<N>) -> Option<Self> {
        let single = |k: &usize| board.shapes[*k].masks.first().is_some_and(|m| m.len() == 1);
        let shape = (1..board.shapes.len()).find(single)?;
        let pieces = board.shapes[shape].pieces.len();
        if pieces < 2 {
            return None;
        }
        let room = board.shapes[shape].masks.iter().fold(Mask::EMPTY, Mask::with);
        let mut free = room.len();
        for (k, other) in board.shapes.iter().enumerate().filter(|(k, _)| *k != shape) {
            let within = |m: &Mask<N>| m.len() - m.without(&room).len();
            let least = other.masks.iter().map(within).min().unwrap_or(0);
            free = free.saturating_sub(least * board.shapes[k].pieces.len());
        }
        // When piece 0 is outside, more cells are free, and there are as many more gaps.
        let gaps = free.checked_sub(pieces)?;
        let by_gaps = gaps < pieces;
        let most = gaps.min(pieces);
        let mut choose: Vec<Vec<u64>> = Vec::with_capacity(most);
        for i in 0..most {
            let mut row = vec![0u64; free + 1];
            for n in 1..=free {
                let without = row[n - 1];
                let with = if i == 0 { 1 } else { choose[i - 1][n - 1] };
                row[n] = without.checked_add(with)?;
            }
            choose.push(row);
        }
        let count = choose.last().map_or(1, |row| row[free]);
        Some(Self { shape, room, by_gaps, choose, count, radix: 0 })
    }

    /// The number of the single cells, from all covered cells and those that larger pieces cover.
    #[inline(always)]
    pub(super) fn rank(&self, occupied: &Mask<N>, large: &Mask<N>) -> u64 {
        let free = self.room.without(large);
        let counted = if self.by_gaps {
            self.room.without(occupied)
        } else {
            free.without(&self.room.without(occupied))
        };
        let (mut sum, mut i, mut below) = (0u64, 0, 0);
        for (word, &cells) in counted.0.iter().enumerate() {
            let mut bits = cells;
            while bits != 0 {
                let lower = (bits & bits.wrapping_neg()) - 1;
                bits &= bits - 1;
                let n = below + (free.0[word] & lower).count_ones() as usize;
                sum += self.choose.get(i).and_then(|row| row.get(n)).copied().unwrap_or(0);
                i += 1;
            }
            below += free.0[word].count_ones() as usize;
        }
        sum.wrapping_mul(self.radix)
    }
}
