//! The schedule of FESS: which cell is visited next.
//!
//! Three orders take turns. Round robin over all cells, so that none starves. The cell with the fewest
//! visits, so that new cells catch up. The cells with the most progress, so that they are followed while
//! there are thousands of others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use beeline_search::memory::{Ledger, OutOfMemory};

/// Cells by index, in the order of their turns.
#[derive(Debug, Default)]
pub(crate) struct CellSchedule {
    clock: u64,
    /// The number of cells, and the cell that round robin took last.
    count: u32,
    last: u32,
    /// A heap of cells: those with the fewest visits on top, and of these the newest.
    by_visits: BinaryHeap<(Reverse<u32>, u32)>,
    /// For each value of progress: its cells, and the position taken last among them.
    by_progress: Vec<(Vec<u32>, usize)>,
}

impl CellSchedule {
    /// Adds a cell of positions with this progress.
    pub(crate) fn add(&mut self, ledger: &mut Ledger, progress: u16) -> Result<(), OutOfMemory> {
        ledger.claim(2 * (size_of::<(Reverse<u32>, u32)>() + size_of::<u32>()))?;
        let progress = usize::from(progress);
        if self.by_progress.len() <= progress {
            self.by_progress.resize(progress + 1, (Vec::new(), 0));
        }
        self.by_progress[progress].0.push(self.count);
        self.by_visits.push((Reverse(0), self.count));
        self.count += 1;
        Ok(())
    }

    /// The next cell for which `waits` holds; `best_progress` is the greatest progress of any cell.
    pub(crate) fn next(&mut self, best_progress: u16, waits: impl Fn(usize) -> bool) -> Option<usize> {
        self.clock += 1;
        let preferred = match self.clock % 3 {
            0 => self.by_best_progress(best_progress, &waits),
            1 => self.least_visited(&waits),
            _ => None,
        };
        preferred.or_else(|| {
            (0..self.count).find_map(|_| {
                self.last = (self.last + 1) % self.count;
                Some(self.last as usize).filter(|&cell| waits(cell))
            })
        })
    }

    /// Half of the time a cell with the most progress, a quarter of the time one with a step less, and so on.
    fn by_best_progress(&mut self, best_progress: u16, waits: impl Fn(usize) -> bool) -> Option<usize> {
        let below_best = (self.clock / 3).trailing_zeros() as usize;
        let (cells, last) = self.by_progress.get_mut(usize::from(best_progress).checked_sub(below_best)?)?;
        (0..cells.len()).find_map(|_| {
            *last = (*last + 1) % cells.len();
            Some(cells[*last] as usize).filter(|&cell| waits(cell))
        })
    }

    fn least_visited(&mut self, waits: impl Fn(usize) -> bool) -> Option<usize> {
        (0..self.count).find_map(|_| {
            let mut top = self.by_visits.peek_mut()?;
            let (Reverse(visits), cell) = &mut *top;
            *visits += 1;
            Some(*cell as usize).filter(|&cell| waits(cell))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_search::{Budget, Meter};

    #[test]
    fn none_waits_for_ever_and_those_ahead_wait_least() {
        let budget = Budget::default();
        let mut meter = Meter::new(&budget);
        let mut schedule = CellSchedule::default();
        for cell in 0..100 {
            schedule.add(&mut meter.ledger, cell / 10).expect("room");
        }
        let mut visits = [0; 100];
        for _ in 0..3000 {
            visits[schedule.next(9, |cell| cell != 7).expect("a cell")] += 1;
        }
        assert_eq!(visits[7], 0, "nothing waits there");
        assert!(visits.iter().enumerate().all(|(cell, &n)| cell == 7 || n >= 15));
        let by_best_progress: u32 = visits[90..].iter().sum();
        assert!(
            by_best_progress >= 500 + 200,
            "half of a third for the last ten, and their share of the rest"
        );
        schedule.add(&mut meter.ledger, 0).expect("room");
        let soon = (0..6).filter_map(|_| schedule.next(9, |_| true)).filter(|&cell| cell == 100).count();
        assert!(soon >= 2, "what is new is visited at once");
        assert_eq!(schedule.next(9, |_| false), None);
    }
}
