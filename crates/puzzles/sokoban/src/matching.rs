//! The cheapest way to give every box a goal of its own: the assignment problem, kept from one push to the next.
//!
//! The Hungarian method with potentials. Solving from nothing takes a row at a time; after a push only one row differs,
//! so what that comes to is found with the old potentials. Where there are more goals than boxes, rows of zeros fill
//! the square: without them a freed column would keep a potential that it must not have.

use super::field::FAR;

/// A cost that cannot be paid. Large, but sums of it stay far from overflow. On boards of thousands of squares with hundreds
/// of boxes, costs that can be paid may add up to more: there, a total is given though some row may have no column.
pub const NEVER: i32 = 1 << 20;

/// An assignment of rows (boxes) to columns (goals).
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// Rows and columns, zero rows included.
    size: usize,
    costs: Vec<i32>,
    row_potential: Vec<i32>,
    column_potential: Vec<i32>,
    /// The row of each column; `size` while it has none.
    row_of: Vec<usize>,
    column_of: Vec<usize>,
    /// The largest cost that can be paid.
    dearest: i32,
    /// Is what cannot be paid in the potentials?
    unpaid: bool,
    // Working memory of one augmentation.
    slack: Vec<i32>,
    from: Vec<usize>,
    done: Vec<bool>,
}

impl Matching {
    /// Matches rows of costs (as [`Field`](super::field::Field) gives them) from scratch. `None` if some row cannot be matched: also if
    /// there are more rows than columns.
    pub fn solve<'a>(&mut self, columns: usize, rows: impl Iterator<Item = &'a [u16]>) -> Option<u32> {
        self.column_potential.clear();
        self.resolve(columns, rows)
    }

    /// Like [`solve`](Self::solve), beginning with what columns cost last time: mostly that is nearly right.
    pub fn resolve<'a>(&mut self, columns: usize, mut rows: impl Iterator<Item = &'a [u16]>) -> Option<u32> {
        let n = columns;
        self.size = n;
        self.costs.clear();
        let mut dearest = 0;
        for row in rows.by_ref().take(n) {
            self.costs.extend(row.iter().map(|&c| {
                dearest = dearest.max(if c == FAR { 0 } else { i32::from(c) });
                if c == FAR { NEVER } else { i32::from(c) }
            }));
        }
        if rows.next().is_some() {
            return None;
        }
        self.dearest = dearest;
        self.costs.resize(n * n, 0);
        self.column_potential.resize(n, 0);
        if self.unpaid {
            self.column_potential.fill(0);
        }
        // Only their differences count, and augmenting lowers them: this keeps them small.
        let most = self.column_potential.iter().copied().max().unwrap_or(0);
        self.column_potential.iter_mut().for_each(|potential| *potential -= most);
        for v in [&mut self.row_potential, &mut self.slack] {
            v.clear();
            v.resize(n, 0);
        }
        for v in [&mut self.row_of, &mut self.column_of, &mut self.from] {
            v.clear();
            v.resize(n, n);
        }
        self.done.clear();
        self.done.resize(n, false);
        self.start();
        for row in 0..n {
            if self.column_of[row] == n {
                self.augment(row);
            }
        }
        let total = self.total();
        self.unpaid = total >= NEVER;
        self.told(total, self.dearest)
    }

    /// Rows pay their least cost; those that find a free column at it take it.
    fn start(&mut self) {
        let n = self.size;
        for row in 0..n {
            let costs = &self.costs[row * n..(row + 1) * n];
            let potential = &self.column_potential[..n];
            let least = costs.iter().zip(potential).map(|(c, p)| c - p).min().unwrap_or(0);
            self.row_potential[row] = least;
            if let Some(column) = (0..n).find(|&c| costs[c] - potential[c] == least && self.row_of[c] == n) {
                self.row_of[column] = row;
                self.column_of[row] = column;
            }
        }
    }

    /// A total, unless it tells that some row cannot be matched: it is more than all rows together can pay. If they can pay
    /// that much, a total in which [`NEVER`] stands for more is still a lower bound.
    #[inline]
    fn told(&self, total: i32, dearest: i32) -> Option<u32> {
        (total < NEVER || !self.is_beyond(dearest)).then_some(total as u32)
    }

    /// Is [`NEVER`] more than all rows together can pay, if none pays more than this?
    #[cold]
    fn is_beyond(&self, dearest: i32) -> bool {
        self.size as i64 * i64::from(dearest) < i64::from(NEVER)
    }

    #[inline]
    fn total(&self) -> i32 {
        self.row_potential.iter().sum::<i32>() + self.column_potential.iter().sum::<i32>()
    }

    /// Finds a free column for `row` along the cheapest alternating path (Dijkstra over columns).
    fn augment(&mut self, row: usize) {
        let n = self.size;
        let end = self.explore(row, None);
        let far = self.slack[end];
        // What was reached before the end is nearer by the difference.
        self.row_potential[row] += far;
        for column in (0..n).filter(|&column| column != end && self.done[column]) {
            let nearer = far - self.slack[column];
            self.row_potential[self.row_of[column]] += nearer;
            self.column_potential[column] -= nearer;
        }
        let mut column = end;
        loop {
            let before = self.from[column];
            let owner = if before == n { row } else { self.row_of[before] };
            self.row_of[column] = owner;
            self.column_of[owner] = column;
            if before == n {
                break;
            }
            column = before;
        }
    }

    /// Goes from `row` to the nearest column that is free, or that is `freed`; `slack` then tells how far it is. The row may have
    /// other costs than the matching knows: then they are in `slack` already, less what is to be paid of them.
    fn explore(&mut self, row: usize, freed: Option<usize>) -> usize {
        let n = self.size;
        self.done[..n].fill(false);
        let (mut at_row, mut at_column, mut far) = (row, n, 0);
        let mut known = freed.is_some();
        if !known {
            self.slack[..n].fill(i32::MAX);
        }
        loop {
            if !known {
                let base = far - self.row_potential[at_row];
                let costs = &self.costs[at_row * n..(at_row + 1) * n];
                let (slack, from) = (&mut self.slack[..n], &mut self.from[..n]);
                let (done, potential) = (&self.done[..n], &self.column_potential[..n]);
                for column in 0..n {
                    let through = costs[column] + base - potential[column];
                    if through < slack[column] && !done[column] {
                        slack[column] = through;
                        from[column] = at_column;
                    }
                }
            }
            known = false;
            let mut next = (i32::MAX, n);
            for (column, (&slack, &done)) in self.slack[..n].iter().zip(&self.done[..n]).enumerate() {
                if slack < next.0 && !done {
                    next = (slack, column);
                }
            }
            (far, at_column) = next;
            self.done[at_column] = true;
            at_row = self.row_of[at_column];
            if at_row == n || freed == Some(at_column) {
                return at_column;
            }
        }
    }

    /// What the total would be if a row had other costs.
    pub fn with(&mut self, row: usize, costs: &[u16]) -> Option<u32> {
        let n = self.size;
        let freed = self.column_of[row];
        let mut least = i32::MAX;
        let columns = costs.iter().zip(&self.column_potential).zip(&mut self.slack);
        for ((&cost, &potential), slack) in columns {
            let cost = if cost == FAR { NEVER } else { i32::from(cost) };
            *slack = cost - potential;
            least = least.min(*slack);
        }
        let base = self.total() - self.row_potential[row];
        // Often the box moves towards the goal that it has: then nothing else changes.
        let far = if self.slack[freed] == least {
            least
        } else {
            let end = self.explore(row, Some(freed));
            debug_assert!(end == freed && end < n, "all other columns are taken");
            self.slack[end]
        };
        let total = base + far;
        if total < NEVER {
            return Some(total as u32);
        }
        let payable = costs.iter().filter(|&&cost| cost != FAR).map(|&cost| i32::from(cost));
        self.told(total, payable.fold(self.dearest, i32::max))
    }

    /// The column of a row.
    pub fn column(&self, row: usize) -> usize {
        self.column_of[row]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways, one after another.
    fn by_hand(rows: &[Vec<u16>], used: u32) -> u32 {
        let Some((first, rest)) = rows.split_first() else { return 0 };
        let free = (0..first.len()).filter(|c| used >> c & 1 == 0 && first[*c] != FAR);
        free.map(|c| u32::from(first[c]).saturating_add(by_hand(rest, used | 1 << c)))
            .min()
            .unwrap_or(u32::MAX)
    }

    #[test]
    fn agrees_with_trying_everything_and_keeps_agreeing() {
        let mut seed = 7u64;
        let mut next = |limit: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % limit
        };
        for _ in 0..2000 {
            let columns = 1 + next(5) as usize;
            let count = 1 + next(columns as u64) as usize;
            let mut cost = || if next(5) == 0 { FAR } else { next(12) as u16 };
            let mut rows: Vec<Vec<u16>> =
                (0..count).map(|_| (0..columns).map(|_| cost()).collect()).collect();
            let mut matching = Matching::default();
            let answer = |rows: &[Vec<u16>]| Some(by_hand(rows, 0)).filter(|&n| n != u32::MAX);
            assert_eq!(matching.solve(columns, rows.iter().map(Vec::as_slice)), answer(&rows), "{rows:?}");
            for i in 0..6 {
                let row = i % count;
                rows[row] =
                    (0..columns).map(|c| if i % 4 == 3 { FAR } else { (i * 7 + c * 5) as u16 % 9 }).collect();
                assert_eq!(matching.with(row, &rows[row].clone()), answer(&rows), "{rows:?}");
                rows.rotate_left(1);
                assert_eq!(
                    matching.resolve(columns, rows.iter().map(Vec::as_slice)),
                    answer(&rows),
                    "{rows:?}"
                );
            }
        }
    }

    #[test]
    fn sums_that_are_large_are_not_taken_for_none() {
        let rows = vec![vec![60_000; 30]; 30];
        let mut matching = Matching::default();
        assert_eq!(matching.solve(30, rows.iter().map(Vec::as_slice)), Some(1_800_000));
        assert_eq!(matching.with(3, &[59_000; 30]), Some(1_799_000));
        let mut dead = vec![vec![50; 30]; 30];
        dead[7] = vec![FAR; 30];
        assert_eq!(matching.solve(30, dead.iter().map(Vec::as_slice)), None);
        assert_eq!(matching.with(7, &[1; 30]), Some(29 * 50 + 1));
        assert_eq!(matching.with(8, &[FAR; 30]), None);
    }
}
