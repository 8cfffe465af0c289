//! The numbers of tuples of atoms, computed from a table of counts.

use std::ops::Range;

use crate::core::budget::{Limit, Meter};
use crate::core::memory::{Ledger, OutOfMemory};

/// The numbers of all tuples of up to `width` atoms.
///
/// Numbers are grouped by size. Tuples of one size are ordered by their first variable, then by its value, then by the other
/// atoms in the same way. So the number of a tuple is a sum with two terms for each atom: the tuples with an earlier variable
/// in its place, and those with an earlier value.
#[derive(Debug)]
pub(crate) struct Numbering {
    variables: usize,
    pub(super) width: usize,
    /// `counts[size * (variables + 1) + first]`: tuples of `size` atoms that use only variables from `first` on.
    counts: Vec<u64>,
}

impl Numbering {
    pub(crate) fn new(domains: &[u32], width: usize, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let (variables, width) = (domains.len(), width.min(domains.len()));
        let row = variables + 1;
        let mut counts = ledger.filled(0u64, (width + 1).checked_mul(row).ok_or(OutOfMemory)?)?;
        counts[..row].fill(1);
        let mut all = 0u64;
        for size in 1..=width {
            let (smaller, counts) = counts[(size - 1) * row..(size + 1) * row].split_at_mut(row);
            for (first, &values) in domains.iter().enumerate().rev() {
                let with_first = smaller[first + 1].checked_mul(u64::from(values.max(1)));
                let count = with_first.and_then(|with| with.checked_add(counts[first + 1]));
                counts[first] = count.ok_or(OutOfMemory)?;
            }
            all = all.checked_add(counts[0]).ok_or(OutOfMemory)?;
        }
        Ok(Self { variables, width, counts })
    }

    /// The counts of one size, by the first variable allowed.
    #[inline(always)]
    fn of_size(&self, size: usize) -> &[u64] {
        &self.counts[size * (self.variables + 1)..(size + 1) * (self.variables + 1)]
    }

    /// The first number of a size; for `width + 1`, the number of all tuples.
    #[inline]
    pub(super) fn first(&self, size: usize) -> u64 {
        (1..size).map(|smaller| self.of_size(smaller)[0]).sum()
    }

    /// Calls `visit` with the number of each tuple of `size` atoms of a state, or only those with the variable `with`, until it
    /// returns `true`. Returns whether it did. Each tuple is charged with `work`.
    #[inline(always)]
    pub(super) fn any(
        &self,
        size: usize,
        values: &[u32],
        with: Option<usize>,
        (work, meter): (u64, &mut Meter),
        mut visit: impl FnMut(u64, &mut Ledger) -> Result<bool, OutOfMemory>,
    ) -> Result<bool, Limit> {
        let sum = self.first(size).wrapping_add(self.of_size(size)[0]);
        let place = Place { left: size, from: 0, sum, with, work };
        match size {
            1 => self.any_single(place, values, meter, &mut visit),
            2 => self.any_pair(place, values, meter, &mut visit),
            3 => self.any_triple(place, values, meter, &mut visit),
            _ => self.any_larger(place, values, meter, &mut visit),
        }
    }

    #[inline(always)]
    fn any_single(
        &self,
        Place { from, sum, with, work, .. }: Place,
        values: &[u32],
        meter: &mut Meter,
        visit: &mut impl FnMut(u64, &mut Ledger) -> Result<bool, OutOfMemory>,
    ) -> Result<bool, Limit> {
        let counts = self.of_size(1);
        let last = with.map_or(from..self.variables, |with| with..with + 1);
        meter.work(work * (1 + last.len() as u64))?;
        for i in last {
            if visit(sum.wrapping_sub(counts[i]).wrapping_add(u64::from(values[i])), &mut meter.ledger)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The last two atoms, with plain loops: novelty searches spend most of their time here and in `any_triple`.
    #[inline(always)]
    fn any_pair(
        &self,
        Place { from, sum, with, work, .. }: Place,
        values: &[u32],
        meter: &mut Meter,
        visit: &mut impl FnMut(u64, &mut Ledger) -> Result<bool, OutOfMemory>,
    ) -> Result<bool, Limit> {
        let end = self.variables;
        let (values, singles, pairs) = (&values[..end], &self.of_size(1)[..=end], &self.of_size(2)[..=end]);
        // The number of a pair is the sum of the contributions of its two atoms.
        let first = |i: usize| {
            let behind = singles[i + 1];
            sum.wrapping_sub(pairs[i]).wrapping_add(u64::from(values[i]) * behind).wrapping_add(behind)
        };
        let second = |i: usize| u64::from(values[i]).wrapping_sub(singles[i]);
        // A required variable is the second of some pairs and the first of the others.
        let firsts = match with {
            Some(with) => {
                meter.work(work * (1 + with - from) as u64)?;
                let of_with = second(with);
                for i in from..with {
                    if visit(first(i).wrapping_add(of_with), &mut meter.ledger)? {
                        return Ok(true);
                    }
                }
                with..with + 1
            }
            None => from..end - 1,
        };
        for i in firsts {
            meter.work(work * (end - i) as u64)?;
            let of_first = first(i);
            for j in i + 1..end {
                if visit(of_first.wrapping_add(second(j)), &mut meter.ledger)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The last three atoms, in one function with the last two. With a call for each pair, impassable 3 of the gate course took
    /// 1.98 instead of 1.66 thousand million instructions at width 3. Its loop is that of `any_larger`: a closure that both share
    /// takes a tenth more.
    #[inline(always)]
    fn any_triple(
        &self,
        place: Place,
        values: &[u32],
        meter: &mut Meter,
        visit: &mut impl FnMut(u64, &mut Ledger) -> Result<bool, OutOfMemory>,
    ) -> Result<bool, Limit> {
        for i in place.from..self.after_last(&place) {
            if self.any_pair(self.after(&place, i, values), values, meter, visit)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Four atoms or more.
    fn any_larger(
        &self,
        place: Place,
        values: &[u32],
        meter: &mut Meter,
        visit: &mut impl FnMut(u64, &mut Ledger) -> Result<bool, OutOfMemory>,
    ) -> Result<bool, Limit> {
        for i in place.from..self.after_last(&place) {
            let rest = self.after(&place, i, values);
            let found = match rest.left {
                3 => self.any_triple(rest, values, meter, visit)?,
                _ => self.any_larger(rest, values, meter, visit)?,
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first variable that cannot be the next one: enough must remain for the other atoms, and `with` among them.
    #[inline(always)]
    fn after_last(&self, place: &Place) -> usize {
        1 + (self.variables - place.left).min(place.with.unwrap_or(self.variables))
    }

    /// The place behind the atom of variable `i`.
    #[inline(always)]
    fn after(&self, &Place { left, sum, with, work, .. }: &Place, i: usize, values: &[u32]) -> Place {
        let behind = self.of_size(left - 1)[i + 1];
        let sum = sum.wrapping_sub(self.of_size(left)[i]).wrapping_add((u64::from(values[i]) + 1) * behind);
        Place { left: left - 1, from: i + 1, sum, with: with.filter(|&with| with != i), work }
    }

    /// The variables and the values of the tuple with this number. Returns the numbers of the tuples that differ from it at
    /// most in the value of the last variable.
    pub(super) fn decode(&self, tuple: u64, variables: &mut Vec<u32>, values: &mut Vec<u32>) -> Range<u64> {
        variables.clear();
        values.clear();
        let mut number = tuple;
        let mut size = 1;
        while size < self.width && number >= self.of_size(size)[0] {
            number -= self.of_size(size)[0];
            size += 1;
        }
        let mut from = 0;
        for left in (1..=size).rev() {
            let (counts, smaller) = (self.of_size(left), self.of_size(left - 1));
            // The last variable before which there are at most `number` tuples.
            let after = counts[from..].partition_point(|&count| counts[from] - count <= number);
            let variable = from + after - 1;
            number -= counts[from] - counts[variable];
            variables.push(variable as u32);
            values.push((number / smaller[variable + 1]) as u32);
            number %= smaller[variable + 1];
            from = variable + 1;
        }
        let singles = self.of_size(1);
        let last = values.last().map_or(0, |&value| u64::from(value));
        tuple - last..tuple - last + (singles[from - 1] - singles[from])
    }
}

/// A step of the enumeration: `left` atoms of the variables from `from` on are to be chosen, `with` among them.
#[derive(Clone, Copy)]
struct Place {
    left: usize,
    from: usize,
    /// The number behind those of all tuples of this place. The tuples with a next variable `i` or a later one come last among
    /// them, so the numbers of those with `i` begin at this sum less their count. Only the number of a whole tuple is sure not to
    /// be negative.
    sum: u64,
    with: Option<usize>,
    /// The work charged for each tuple.
    work: u64,
}
