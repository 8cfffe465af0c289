//! Novelty: is anything in this state true together for the first time?
//!
//! A state is an assignment of variables ([`Space::domains`]); an *atom* is one variable with one value; the novelty of a
//! state is the size of the smallest set of atoms that no state before it had together. Exact for every size.
//!
//! Every tuple of atoms has a number, which is computed from a table of counts; no list of tuples is ever made. Where all
//! numbers fit they are bits of one array; where they do not, they are entries of a hash set; where that does not fit either,
//! the search stops for want of memory. It never falls back to a smaller size. A state has as many tuples as there are sets
//! of variables, which are millions at width 4, so every enumeration is charged to the [`Meter`].

use std::ops::Range;
use std::sync::Arc;

use crate::core::budget::{Limit, Meter};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::number_set::NumberSet;
use crate::core::prune::{Prune, Ruling};
use crate::core::space::{Cost, Space};

/// The name under which states without novelty are counted.
pub const NOT_NOVEL: &str = "not novel";

/// The array of bits may take this share of the memory that is left, and this many bytes where there is no limit.
const DENSE_SHARE: usize = 2;
const DENSE_MOST: usize = 256 << 20;

/// What a tuple is charged with in units of [`Meter::work`]: a bit of an array, and an entry of a hash set.
const WORK_DENSE: u64 = 2;
const WORK_HASHED: u64 = 64;

/// The numbers of all tuples of up to `width` atoms.
///
/// Sizes follow each other. Tuples of one size are in the order of their first variable, then of its value, then of the other
/// atoms in the same way. So the number of a tuple is a sum with two terms for each atom: the tuples with an earlier variable
/// in its place, and those with an earlier value.
#[derive(Debug)]
pub(crate) struct Numbering {
    variables: usize,
    width: usize,
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

    /// The counts of one size, by the first variable that may be used.
    #[inline(always)]
    fn of_size(&self, size: usize) -> &[u64] {
        &self.counts[size * (self.variables + 1)..(size + 1) * (self.variables + 1)]
    }

    /// The first number of a size; that of `width + 1` is the number of all tuples.
    #[inline]
    fn first(&self, size: usize) -> u64 {
        (1..size).map(|smaller| self.of_size(smaller)[0]).sum()
    }

    /// Calls `visit` with the number of each tuple of `size` atoms of a state, or of those with the variable `with`, until it
    /// answers `true`. Answers whether it did. Each is charged with `work`.
    fn any(
        &self,
        size: usize,
        values: &[u32],
        with: Option<usize>,
        (work, meter): (u64, &mut Meter),
        mut visit: impl FnMut(u64, &mut Ledger) -> Result<bool, OutOfMemory>,
    ) -> Result<bool, Limit> {
        let place = Place { left: size, from: 0, sum: self.first(size), with, work };
        self.any_from(place, values, meter, &mut visit)
    }

    fn any_from(
        &self,
        Place { left, from, sum, with, work }: Place,
        values: &[u32],
        meter: &mut Meter,
        visit: &mut impl FnMut(u64, &mut Ledger) -> Result<bool, OutOfMemory>,
    ) -> Result<bool, Limit> {
        let counts = self.of_size(left);
        // The numbers before a tuple whose next variable is `i`: sum + counts[from] - counts[i], where only the total is sure not
        // to be negative.
        let sum = sum.wrapping_add(counts[from]);
        if left == 1 {
            let last = with.map_or(from..self.variables, |with| with..with + 1);
            meter.work(work * (1 + last.len() as u64))?;
            for i in last {
                if visit(sum.wrapping_sub(counts[i]).wrapping_add(u64::from(values[i])), &mut meter.ledger)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if left == 2 {
            return self.any_pair(Place { left, from, sum, with, work }, values, meter, visit);
        }
        let smaller = self.of_size(left - 1);
        // The variables behind must be enough for the other atoms, and must include `with`.
        let last = (self.variables - left).min(with.unwrap_or(self.variables));
        for i in from..=last {
            let sum = sum.wrapping_sub(counts[i]).wrapping_add(u64::from(values[i]) * smaller[i + 1]);
            let with = with.filter(|&with| with != i);
            let place = Place { left: left - 1, from: i + 1, sum, with, work };
            if self.any_from(place, values, meter, visit)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same for the last two atoms, with plain loops: most of the time of a search by novelty is spent here. `sum` is the
    /// number before all tuples of this place.
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
        // The number of a pair is the sum of what its first atom and its second atom add.
        let first = |i: usize| {
            let behind = singles[i + 1];
            sum.wrapping_sub(pairs[i]).wrapping_add(u64::from(values[i]) * behind).wrapping_add(behind)
        };
        let second = |i: usize| u64::from(values[i]).wrapping_sub(singles[i]);
        // With a variable that must be in the pair, it is the second of some pairs and the first of the others.
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

    /// The variables and the values of the tuple with this number. Gives the numbers of the tuples that differ from it in the value of
    /// the last variable at most.
    fn decode(&self, tuple: u64, variables: &mut Vec<u32>, values: &mut Vec<u32>) -> Range<u64> {
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
            // The last variable before which there are no more than `number` tuples.
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

/// A place in the enumeration of tuples: so many atoms are to be chosen from the variables from `from` on, `with` among them.
#[derive(Clone, Copy)]
struct Place {
    left: usize,
    from: usize,
    sum: u64,
    with: Option<usize>,
    /// What a tuple is charged with.
    work: u64,
}

/// The tuples met so far.
#[derive(Debug)]
enum Met {
    Bits(Vec<u64>),
    Hashed(Box<NumberSet>),
}

impl Met {
    fn new(tuples: u64, most: usize, ledger: &mut Ledger) -> Self {
        let room = (ledger.available() / DENSE_SHARE).min(most) as u64;
        if tuples.div_ceil(8) <= room
            && let Ok(bits) = ledger.zeroed(tuples.div_ceil(64) as usize)
        {
            return Self::Bits(bits);
        }
        Self::Hashed(Box::default())
    }

    #[inline(always)]
    fn contains(&self, number: u64) -> bool {
        match self {
            Self::Bits(bits) => has(bits, number),
            Self::Hashed(set) => set.contains(number),
        }
    }
}

#[inline(always)]
fn has(bits: &[u64], number: u64) -> bool {
    bits[(number / 64) as usize] >> (number % 64) & 1 == 1
}

/// Every set of up to `width` atoms that was met, and the question whether a state has a new one.
#[derive(Debug)]
pub struct Novelty {
    numbering: Arc<Numbering>,
    met: Met,
}

impl Novelty {
    /// Nothing met yet. `domains` are the sizes of the variables' domains.
    pub fn new(domains: &[u32], width: usize, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let numbering = Numbering::new(domains, width, ledger)?;
        Ok(Self::within(&Arc::new(numbering), DENSE_MOST, ledger))
    }

    /// The same, with an array of bits of at most `most` bytes; beyond that, a hash set.
    pub(crate) fn within(numbering: &Arc<Numbering>, most: usize, ledger: &mut Ledger) -> Self {
        let met = Met::new(numbering.first(numbering.width + 1), most, ledger);
        Self { numbering: Arc::clone(numbering), met }
    }

    /// Records every tuple of a state; gives the size of the smallest one that was new, if any.
    ///
    /// With `changed`, only tuples with a changed variable are looked at. That is exact if a state that differs only there
    /// has been recorded.
    #[inline]
    pub fn record(
        &mut self,
        values: &[u32],
        changed: Option<&[u32]>,
        meter: &mut Meter,
    ) -> Result<Option<usize>, Limit> {
        match changed {
            None => {
                let mut smallest = None;
                for size in 1..=self.numbering.width {
                    let new = self.insert(size, values, None, meter)?;
                    smallest = smallest.or(new.then_some(size));
                }
                Ok(smallest)
            }
            Some(changed) => {
                if !self.may_be_new(values, changed, meter)? {
                    return Ok(None);
                }
                let mut smallest = None;
                for size in 1..=self.numbering.width {
                    let mut new = false;
                    for &variable in changed {
                        new |= self.insert(size, values, Some(variable as usize), meter)?;
                    }
                    smallest = smallest.or(new.then_some(size));
                }
                Ok(smallest)
            }
        }
    }

    /// Records the tuples of one size, or those of them with a variable; was one of them new?
    fn insert(
        &mut self,
        size: usize,
        values: &[u32],
        with: Option<usize>,
        meter: &mut Meter,
    ) -> Result<bool, Limit> {
        let mut new = false;
        match &mut self.met {
            Met::Bits(bits) => self.numbering.any(size, values, with, (WORK_DENSE, meter), |number, _| {
                let word = &mut bits[(number / 64) as usize];
                new |= *word >> (number % 64) & 1 == 0;
                *word |= 1 << (number % 64);
                Ok(false)
            })?,
            Met::Hashed(set) => {
                self.numbering.any(size, values, with, (WORK_HASHED, meter), |number, ledger| {
                    new |= set.insert(number, ledger)?;
                    Ok(false)
                })?
            }
        };
        Ok(new)
    }

    /// Can a tuple with a changed variable be new? A new tuple makes every larger one around it new, so the largest size
    /// answers for all sizes; most states of a search are not new, and this is all that they cost.
    #[inline]
    fn may_be_new(&self, values: &[u32], changed: &[u32], meter: &mut Meter) -> Result<bool, Limit> {
        let Met::Bits(bits) = &self.met else { return Ok(true) };
        for &variable in changed {
            let with = Some(variable as usize);
            let is_new = |number, _: &mut Ledger| Ok(!has(bits, number));
            if self.numbering.any(self.numbering.width, values, with, (WORK_DENSE, meter), is_new)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records only the tuples of the smallest size that has a new one, as a literal reading of one of the classic texts
    /// does; gives that size.
    pub fn record_smallest(&mut self, values: &[u32], meter: &mut Meter) -> Result<Option<usize>, Limit> {
        for size in 1..=self.numbering.width {
            let is_new = |number, _: &mut Ledger| Ok(!self.met.contains(number));
            if self.numbering.any(size, values, None, (WORK_HASHED, meter), is_new)? {
                self.insert(size, values, None, meter)?;
                return Ok(Some(size));
            }
        }
        Ok(None)
    }

    /// Calls `f` with the variables and the values of every recorded tuple, the small ones first.
    pub fn for_each(
        &self,
        ledger: &mut Ledger,
        mut f: impl FnMut(&[u32], &[u32], &mut Ledger) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        let (mut variables, mut values) = (Vec::new(), Vec::new());
        // The numbers come in ascending order: those of a block differ in the value of the last variable only.
        let mut block = 0..0;
        let mut each = |number: u64, ledger: &mut Ledger| {
            if block.contains(&number) {
                if let Some(last) = values.last_mut() {
                    *last = (number - block.start) as u32;
                }
            } else {
                block = self.numbering.decode(number, &mut variables, &mut values);
            }
            f(&variables, &values, ledger)
        };
        match &self.met {
            Met::Bits(bits) => {
                for (i, &word) in bits.iter().enumerate().filter(|&(_, &word)| word != 0) {
                    for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                        each(64 * i as u64 + bit, ledger)?;
                    }
                }
            }
            Met::Hashed(set) => {
                let mut numbers = Vec::new();
                set.iter().try_for_each(|number| ledger.push(&mut numbers, number))?;
                numbers.sort_unstable();
                numbers.iter().try_for_each(|&number| each(number, ledger))?;
                ledger.forget(numbers);
            }
        }
        Ok(())
    }
}

/// Which tuples of a kept state are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// All of them, of every size: what novelty means.
    #[default]
    All,
    /// Only those of the smallest new size.
    Smallest,
}

/// The rule of Iterated Width: a successor must have a new tuple of at most `width` atoms.
#[derive(Debug)]
pub struct NoveltyRule {
    width: usize,
    record: Record,
    record_start: bool,
    domains: Vec<u32>,
    novelty: Option<Novelty>,
    parent: Vec<u32>,
    values: Vec<u32>,
    changed: Vec<u32>,
    /// Was the state whose successors are being judged recorded itself? Only then may unchanged tuples be passed over.
    parent_recorded: bool,
    entered: bool,
}

impl NoveltyRule {
    /// The rule for this width.
    pub fn new(domains: Vec<u32>, width: usize, record: Record, record_start: bool) -> Self {
        let n = domains.len();
        Self {
            width,
            record,
            record_start,
            domains,
            novelty: None,
            parent: vec![0; n],
            values: vec![0; n],
            changed: Vec::with_capacity(n),
            parent_recorded: false,
            entered: false,
        }
    }

    /// The tuples met, after a search.
    pub fn novelty(&self) -> Option<&Novelty> {
        self.novelty.as_ref()
    }
}

impl<S: Space> Prune<S> for NoveltyRule {
    fn is_sound(&self) -> bool {
        // With all variables at once, only true duplicates are dropped.
        self.width >= self.domains.len() && self.record == Record::All
    }

    fn begin(&mut self, space: &S, start: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        let mut novelty = Novelty::new(&self.domains, self.width, &mut meter.ledger)?;
        if self.record_start {
            space.values(start, &mut self.values);
            novelty.record(&self.values, None, meter)?;
        }
        self.novelty = Some(novelty);
        (self.entered, self.parent_recorded) = (false, false);
        Ok(())
    }

    /// What was dropped had nothing new in it, so what was kept is all there was to record.
    fn recall(&mut self, space: &S, kept: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        let Some(novelty) = &mut self.novelty else { return Ok(()) };
        space.values(kept, &mut self.values);
        match self.record {
            Record::All => novelty.record(&self.values, None, meter)?,
            Record::Smallest => novelty.record_smallest(&self.values, meter)?,
        };
        self.entered = true;
        Ok(())
    }

    #[inline]
    fn enter(&mut self, space: &S, parent: &S::State) {
        space.values(parent, &mut self.parent);
        // The first state to be entered is the start; every other one was recorded when it was kept.
        self.parent_recorded = self.entered || self.record_start;
        self.entered = true;
    }

    #[inline]
    fn judge(
        &mut self,
        space: &S,
        after: &S::State,
        _: S::Move,
        _: Cost,
        meter: &mut Meter,
    ) -> Result<Ruling, Limit> {
        let Some(novelty) = &mut self.novelty else { return Ok(Ruling::Keep) };
        space.values(after, &mut self.values);
        let new = if self.record == Record::Smallest {
            novelty.record_smallest(&self.values, meter)?
        } else if self.parent_recorded {
            self.changed.clear();
            let pairs = self.values.iter().zip(&self.parent).enumerate();
            self.changed.extend(pairs.filter(|(_, (a, b))| a != b).map(|(i, _)| i as u32));
            novelty.record(&self.values, Some(&self.changed), meter)?
        } else {
            novelty.record(&self.values, None, meter)?
        };
        Ok(if new.is_some() { Ruling::Keep } else { Ruling::Drop(NOT_NOVEL) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::budget::Budget;
    use std::collections::HashSet;
    use std::time::Duration;

    fn with_bytes(bytes: Option<usize>) -> Meter {
        Meter::new(&Budget { bytes, ..Budget::default() })
    }

    /// The definition, word for word.
    struct Plain {
        width: usize,
        met: HashSet<Vec<(usize, u32)>>,
    }

    impl Plain {
        fn record(&mut self, values: &[u32]) -> Option<usize> {
            let n = values.len();
            let mut smallest = None;
            for mask in 1u32..1 << n {
                let size = mask.count_ones() as usize;
                if size <= self.width {
                    let tuple: Vec<_> =
                        (0..n).filter(|i| mask >> i & 1 == 1).map(|i| (i, values[i])).collect();
                    if self.met.insert(tuple) && smallest.is_none_or(|s| size < s) {
                        smallest = Some(size);
                    }
                }
            }
            smallest
        }
    }

    #[test]
    fn novelty_is_what_the_definition_says() {
        let domains = [3, 4, 2, 5, 3];
        let mut random = crate::core::random::Random::new(1);
        for width in 1..=5 {
            for limit in [None, Some(40_000)] {
                let mut meter = with_bytes(limit);
                let mut novelty = Novelty::new(&domains, width, &mut meter.ledger).unwrap();
                let mut plain = Plain { width, met: HashSet::new() };
                for _ in 0..400 {
                    let values: Vec<u32> = domains.iter().map(|&d| random.below(d as usize) as u32).collect();
                    assert_eq!(
                        novelty.record(&values, None, &mut meter).unwrap(),
                        plain.record(&values),
                        "width {width}"
                    );
                }
                let mut count = 0;
                let each = |variables: &[u32], values: &[u32], _: &mut Ledger| {
                    let tuple: Vec<_> =
                        variables.iter().zip(values).map(|(&v, &x)| (v as usize, x)).collect();
                    assert!(plain.met.contains(&tuple));
                    count += 1;
                    Ok(())
                };
                novelty.for_each(&mut meter.ledger, each).unwrap();
                assert_eq!(count, plain.met.len());
            }
        }
    }

    #[test]
    fn changed_variables_are_enough_after_a_recorded_neighbour() {
        let domains = [4, 4, 4, 4];
        let mut random = crate::core::random::Random::new(2);
        let mut meter = with_bytes(None);
        let (mut quick, mut full) = (
            Novelty::new(&domains, 3, &mut meter.ledger).unwrap(),
            Novelty::new(&domains, 3, &mut meter.ledger).unwrap(),
        );
        let mut values = vec![0, 0, 0, 0];
        quick.record(&values, None, &mut meter).unwrap();
        full.record(&values, None, &mut meter).unwrap();
        for _ in 0..500 {
            let variable = random.below(4);
            values[variable] = random.below(4) as u32;
            assert_eq!(
                quick.record(&values, Some(&[variable as u32]), &mut meter).unwrap(),
                full.record(&values, None, &mut meter).unwrap()
            );
        }
    }

    #[test]
    fn hashed_and_dense_agree() {
        let domains = [100, 100, 100];
        let mut random = crate::core::random::Random::new(3);
        let (mut roomy, mut tight) = (with_bytes(None), with_bytes(Some(200_000)));
        let mut dense = Novelty::new(&domains, 3, &mut roomy.ledger).unwrap();
        let mut hashed = Novelty::new(&domains, 3, &mut tight.ledger).unwrap();
        assert!(matches!(dense.met, Met::Bits(_)) && matches!(hashed.met, Met::Hashed(_)));
        for _ in 0..200 {
            let values: Vec<u32> = (0..3).map(|_| random.below(100) as u32).collect();
            assert_eq!(
                dense.record(&values, None, &mut roomy).unwrap(),
                hashed.record(&values, None, &mut tight).unwrap()
            );
        }
    }

    #[test]
    fn too_many_tuples_is_out_of_memory_not_less_novelty() {
        let mut meter = with_bytes(Some(1 << 20));
        let domains = [u32::MAX; 3];
        assert_eq!(Novelty::new(&domains, 3, &mut meter.ledger).err(), Some(OutOfMemory));
        let mut random = crate::core::random::Random::new(4);
        let mut novelty = Novelty::new(&[1 << 20; 3], 2, &mut meter.ledger).unwrap();
        let stopped = (0..100_000).any(|_| {
            let values: Vec<u32> = (0..3).map(|_| random.below(1 << 20) as u32).collect();
            novelty.record(&values, None, &mut meter).is_err()
        });
        assert!(stopped);
    }

    /// 200 variables have 64 million sets of four: seconds of work, and gigabytes if they were listed.
    #[test]
    fn limits_hold_inside_the_tuples_of_one_state() {
        let (domains, values) = ([2; 200], [1; 200]);
        for bytes in [None, Some(8 << 20)] {
            let time = Some(Duration::from_millis(5));
            let mut meter = Meter::new(&Budget { bytes, time, ..Budget::default() });
            let mut novelty = Novelty::new(&domains, 4, &mut meter.ledger).unwrap();
            let stopped = novelty.record(&values, None, &mut meter).err();
            // Whichever comes first where memory is short.
            assert!(stopped == Some(Limit::Time) || bytes.is_some() && stopped == Some(Limit::Memory));
            assert!(meter.ledger.peak() <= bytes.unwrap_or(DENSE_MOST + (1 << 20)));

            let budget = Budget::default();
            let mut meter = Meter::new(&budget);
            budget.cancel.cancel();
            assert_eq!(novelty.record(&values, Some(&[7]), &mut meter), Err(Limit::Cancelled));
        }
    }
}
