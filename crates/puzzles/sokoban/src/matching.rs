//! The assignment problem: the cheapest way to give every box a goal of its own, updated after each push.
//!
//! The Hungarian method (Kuhn 1955) with potentials. Solving from scratch adds one row at a time. After a
//! push only one row differs, so the new total is found with the old potentials. Where there are more goals
//! than boxes, zero rows fill the square: without them, a freed column would keep an invalid potential.

use super::field::FAR;

/// An infinite cost, small enough that sums of it do not overflow. On boards of thousands of squares with
/// hundreds of boxes, finite costs may add up to more. A total is then returned although some row may have no
/// column.
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
    /// The largest finite cost.
    max_cost: i32,
    /// Did the last total contain an infinite cost?
    was_infeasible: bool,
    // Working memory of one augmentation.
    slack: Vec<i32>,
    from: Vec<usize>,
    done: Vec<bool>,
}

impl Matching {
    /// Solves from scratch, for rows of costs as [`Field`](super::field::Field) gives them. `None` if some
    /// row cannot be matched, or if there are more rows than columns.
    pub fn solve<'a>(&mut self, columns: usize, rows: impl Iterator<Item = &'a [u16]>) -> Option<u32> {
        self.column_potential.clear();
        self.resolve(columns, rows)
    }

    /// Like [`solve`](Self::solve), starting from the column potentials of the last call, which are usually
    /// nearly right.
    pub fn resolve<'a>(&mut self, columns: usize, mut rows: impl Iterator<Item = &'a [u16]>) -> Option<u32> {
        let n = columns;
        self.size = n;
        self.costs.clear();
        let mut max_cost = 0;
        for row in rows.by_ref().take(n) {
            self.costs.extend(row.iter().map(|&c| {
                max_cost = max_cost.max(if c == FAR { 0 } else { i32::from(c) });
                if c == FAR { NEVER } else { i32::from(c) }
            }));
        }
        if rows.next().is_some() {
            return None;
        }
        self.max_cost = max_cost;
        self.costs.resize(n * n, 0);
        self.column_potential.resize(n, 0);
        if self.was_infeasible {
            self.column_potential.fill(0);
        }
        // Only differences count, and augmenting lowers the potentials. This keeps them small.
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
        self.was_infeasible = total >= NEVER;
        self.checked_total(total, self.max_cost)
    }

    /// Sets each row's potential to its least reduced cost, and matches rows that find a free column at that
    /// cost.
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

    /// The total, or `None` if some row cannot be matched: the total then exceeds what all rows together can
    /// pay. If finite costs can add up to [`NEVER`], such a total is still a lower bound.
    #[inline]
    fn checked_total(&self, total: i32, max_cost: i32) -> Option<u32> {
        (total < NEVER || !self.is_beyond(max_cost)).then_some(total as u32)
    }

    /// Does [`NEVER`] exceed the sum of all rows, if no row pays more than `max_cost`?
    #[cold]
    fn is_beyond(&self, max_cost: i32) -> bool {
        self.size as i64 * i64::from(max_cost) < i64::from(NEVER)
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
        // Columns reached before the end are nearer by the difference.
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

    /// Finds the nearest column from `row` that is free or equals `freed`; `slack` then holds its distance.
    /// With `freed`, the caller has put the new reduced costs of the row into `slack`.
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

    /// The total with other costs for one row. The matching itself does not change.
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
        // Often the box moves towards its own goal. Then nothing else changes.
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
        self.checked_total(total, payable.fold(self.max_cost, i32::max))
    }

    /// The column of a row.
    pub fn column(&self, row: usize) -> usize {
        self.column_of[row]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All assignments, one after another.
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
            let expected = |rows: &[Vec<u16>]| Some(by_hand(rows, 0)).filter(|&n| n != u32::MAX);
            assert_eq!(matching.solve(columns, rows.iter().map(Vec::as_slice)), expected(&rows), "{rows:?}");
            for i in 0..6 {
                let row = i % count;
                rows[row] =
                    (0..columns).map(|c| if i % 4 == 3 { FAR } else { (i * 7 + c * 5) as u16 % 9 }).collect();
                assert_eq!(matching.with(row, &rows[row].clone()), expected(&rows), "{rows:?}");
                rows.rotate_left(1);
                assert_eq!(
                    matching.resolve(columns, rows.iter().map(Vec::as_slice)),
                    expected(&rows),
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
