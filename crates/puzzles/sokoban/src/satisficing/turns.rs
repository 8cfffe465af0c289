//! Whose turn it is: in a search that keeps many cells, the cell to be visited next.
//!
//! Three orders take turns. All cells one after the other, so that none waits for ever; the cell that was visited least, so that
//! what is new gets the attention that the others have had; and the cells that are ahead, so that what leads somewhere
//! is followed while there are thousands of others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use beeline_search::memory::{Ledger, OutOfMemory};

/// Cells by number, in the order of their turns.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    clock: u64,
    /// How many there are, and the one of all whose turn was last.
    count: u32,
    last: u32,
    /// Those visited least on top, and of these the newest.
    fresh: BinaryHeap<(Reverse<u32>, u32)>,
    /// For each number of steps done: the cells, and whose turn was last.
    rungs: Vec<(Vec<u32>, usize)>,
}

impl Turns {
    /// One more cell, of positions with so many steps done.
    pub(crate) fn add(&mut self, ledger: &mut Ledger, done: u16) -> Result<(), OutOfMemory> {
        ledger.claim(2 * (size_of::<(Reverse<u32>, u32)>() + size_of::<u32>()))?;
        let rung = usize::from(done);
        if self.rungs.len() <= rung {
            self.rungs.resize(rung + 1, (Vec::new(), 0));
        }
        self.rungs[rung].0.push(self.count);
        self.fresh.push((Reverse(0), self.count));
        self.count += 1;
        Ok(())
    }

    /// The next cell of those in which something waits; `most` is the greatest number of steps done.
    pub(crate) fn next(&mut self, most: u16, waits: impl Fn(usize) -> bool) -> Option<usize> {
        self.clock += 1;
        let favoured = match self.clock % 3 {
            0 => self.ahead(most, &waits),
            1 => self.least_visited(&waits),
            _ => None,
        };
        favoured.or_else(|| {
            (0..self.count).find_map(|_| {
                self.last = (self.last + 1) % self.count;
                Some(self.last as usize).filter(|&cell| waits(cell))
            })
        })
    }

    /// Half of the time one of those with most steps done, half of the rest one with a step less, and so on.
    fn ahead(&mut self, most: u16, waits: impl Fn(usize) -> bool) -> Option<usize> {
        let back = (self.clock / 3).trailing_zeros() as usize;
        let (cells, last) = self.rungs.get_mut(usize::from(most).checked_sub(back)?)?;
        (0..cells.len()).find_map(|_| {
            *last = (*last + 1) % cells.len();
            Some(cells[*last] as usize).filter(|&cell| waits(cell))
        })
    }

    fn least_visited(&mut self, waits: impl Fn(usize) -> bool) -> Option<usize> {
        (0..self.count).find_map(|_| {
            let mut top = self.fresh.peek_mut()?;
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
        let mut turns = Turns::default();
        for cell in 0..100 {
            turns.add(&mut meter.ledger, cell / 10).expect("room");
        }
        let mut visits = [0; 100];
        for _ in 0..3000 {
            visits[turns.next(9, |cell| cell != 7).expect("a cell")] += 1;
        }
        assert_eq!(visits[7], 0, "nothing waits there");
        assert!(visits.iter().enumerate().all(|(cell, &n)| cell == 7 || n >= 15));
        let ahead: u32 = visits[90..].iter().sum();
        assert!(ahead >= 500 + 200, "half of a third for the last ten, and their share of the rest");
        turns.add(&mut meter.ledger, 0).expect("room");
        let soon = (0..6).filter_map(|_| turns.next(9, |_| true)).filter(|&cell| cell == 100).count();
        assert!(soon >= 2, "what is new is visited at once");
        assert_eq!(turns.next(9, |_| false), None);
    }
}
