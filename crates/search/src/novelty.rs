//! Novelty: is anything in this state true together for the first time?
//!
//! A state is an assignment of variables ([`Space::domains`]); an *atom* is one variable with one value; the novelty of a
//! state is the size of the smallest set of atoms that no state before it had together. Exact for every size.
//!
//! Each set of variables has a block of numbers, one for each combination of their values, so a tuple of atoms is one
//! number. Where all numbers fit they are bits of one array; where they do not, they are entries of a hash set; where
//! that does not fit either, the search stops for want of memory. It never falls back to a smaller size.

use crate::memory::{Ledger, OutOfMemory};
use crate::numbers::NumberSet;
use crate::prune::{Prune, Ruling};
use crate::space::{Cost, Space};

/// The name under which states without novelty are counted.
pub const NOT_NOVEL: &str = "not novel";

/// The array of bits may take this share of the memory that is left, and this many bytes where there is no limit.
const DENSE_SHARE: usize = 2;
const DENSE_MOST: usize = 256 << 20;

/// The sets of variables of the sizes 1 to w, and the numbers of their tuples.
#[derive(Debug)]
struct Subsets {
    /// All sets, by size, each size in lexicographic order: where their members start in `members`, their first number.
    sets: Vec<Set>,
    /// Variable and stride of each member.
    members: Vec<(u32, u64)>,
    /// For each variable, the sets that contain it.
    containing: Vec<Vec<u32>>,
    /// For each variable, the sets of the largest size that contain it, laid out to be read in one go: the first number,
    /// then variable and stride of each member.
    largest: Vec<Vec<u64>>,
    /// How many tuples there are in all.
    tuples: u64,
}

#[derive(Clone, Copy, Debug)]
struct Set {
    first_member: u32,
    size: u32,
    first_number: u64,
}

impl Subsets {
    fn new(domains: &[u32], width: usize, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let mut subsets = Self {
            sets: Vec::new(),
            members: Vec::new(),
            containing: Vec::new(),
            largest: Vec::new(),
            tuples: 0,
        };
        ledger.grow_to(&mut subsets.containing, domains.len())?;
        subsets.containing.resize_with(domains.len(), Vec::new);
        ledger.grow_to(&mut subsets.largest, domains.len())?;
        subsets.largest.resize_with(domains.len(), Vec::new);
        for size in 1..=width.min(domains.len()) {
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                subsets.add(domains, &chosen, ledger)?;
                // The next combination in lexicographic order.
                let Some(i) = (0..size).rev().find(|&i| chosen[i] + size < domains.len() + i) else { break };
                chosen[i] += 1;
                for j in i + 1..size {
                    chosen[j] = chosen[j - 1] + 1;
                }
            }
        }
        subsets.lay_out(ledger)?;
        Ok(subsets)
    }

    /// Fills `largest`.
    fn lay_out(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let Some(size) = self.sets.last().map(|s| s.size) else { return Ok(()) };
        let first = self.sets.partition_point(|s| s.size < size);
        for &set in &self.sets[first..] {
            let members = &self.members[set.first_member as usize..][..size as usize];
            for &(variable, _) in members {
                let row = &mut self.largest[variable as usize];
                ledger.push(row, set.first_number)?;
                for &(member, stride) in members {
                    ledger.push(row, u64::from(member))?;
                    ledger.push(row, stride)?;
                }
            }
        }
        Ok(())
    }

    /// Has a set of the largest size with this variable a tuple that is not among `bits`? With the size as a constant, the
    /// sums are straight code.
    #[inline(always)]
    fn any_new<const SIZE: usize>(&self, variable: u32, values: &[u32], bits: &[u64]) -> bool {
        self.largest[variable as usize].chunks_exact(1 + 2 * SIZE).any(|row| {
            let number = (0..SIZE)
                .fold(row[0], |sum, i| sum + u64::from(values[row[1 + 2 * i] as usize]) * row[2 + 2 * i]);
            bits[(number / 64) as usize] >> (number % 64) & 1 == 0
        })
    }

    fn add(&mut self, domains: &[u32], chosen: &[usize], ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let first_member = self.members.len() as u32;
        let mut stride = 1u64;
        for &variable in chosen {
            ledger.push(&mut self.members, (variable as u32, stride))?;
            stride = stride.checked_mul(u64::from(domains[variable].max(1))).ok_or(OutOfMemory)?;
            ledger.push(&mut self.containing[variable], self.sets.len() as u32)?;
        }
        let set = Set { first_member, size: chosen.len() as u32, first_number: self.tuples };
        self.tuples = self.tuples.checked_add(stride).ok_or(OutOfMemory)?;
        ledger.push(&mut self.sets, set)
    }

    #[inline(always)]
    fn members(&self, set: Set) -> &[(u32, u64)] {
        &self.members[set.first_member as usize..(set.first_member + set.size) as usize]
    }

    #[inline(always)]
    fn number(&self, set: Set, values: &[u32]) -> u64 {
        self.members(set).iter().fold(set.first_number, |sum, &(variable, stride)| {
            sum + u64::from(values[variable as usize]) * stride
        })
    }
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
            && let Ok(bits) = ledger.filled(0, tuples.div_ceil(64) as usize)
        {
            return Self::Bits(bits);
        }
        Self::Hashed(Box::default())
    }

    /// Records a tuple; `true` if it is new.
    #[inline(always)]
    fn insert(&mut self, number: u64, ledger: &mut Ledger) -> Result<bool, OutOfMemory> {
        match self {
            Self::Bits(bits) => {
                let word = &mut bits[(number / 64) as usize];
                let bit = 1 << (number % 64);
                let new = *word & bit == 0;
                *word |= bit;
                Ok(new)
            }
            Self::Hashed(set) => set.insert(number, ledger),
        }
    }

    #[inline(always)]
    fn contains(&self, number: u64) -> bool {
        match self {
            Self::Bits(bits) => bits[(number / 64) as usize] >> (number % 64) & 1 == 1,
            Self::Hashed(set) => set.contains(number),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Bits(bits) => bits.fill(0),
            Self::Hashed(set) => set.clear(),
        }
    }
}

/// Every set of up to `width` atoms that was met, and the question whether a state has a new one.
#[derive(Debug)]
pub struct Novelty {
    subsets: Subsets,
    met: Met,
}

impl Novelty {
    /// Nothing met yet. `domains` are the sizes of the variables' domains.
    pub fn new(domains: &[u32], width: usize, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        Self::within(domains, width, DENSE_MOST, ledger)
    }

    /// The same, with an array of bits of at most `most` bytes; beyond that, a hash set.
    pub fn within(
        domains: &[u32],
        width: usize,
        most: usize,
        ledger: &mut Ledger,
    ) -> Result<Self, OutOfMemory> {
        let subsets = Subsets::new(domains, width, ledger)?;
        let met = Met::new(subsets.tuples, most, ledger);
        Ok(Self { subsets, met })
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
        ledger: &mut Ledger,
    ) -> Result<Option<usize>, OutOfMemory> {
        let mut smallest = u32::MAX;
        let Some(changed) = changed else {
            for &set in &self.subsets.sets {
                if self.met.insert(self.subsets.number(set, values), ledger)? {
                    smallest = smallest.min(set.size);
                }
            }
            return Ok((smallest != u32::MAX).then_some(smallest as usize));
        };
        if !self.may_be_new(values, changed) {
            return Ok(None);
        }
        for &variable in changed {
            for &set in &self.subsets.containing[variable as usize] {
                let set = self.subsets.sets[set as usize];
                if self.met.insert(self.subsets.number(set, values), ledger)? {
                    smallest = smallest.min(set.size);
                }
            }
        }
        Ok((smallest != u32::MAX).then_some(smallest as usize))
    }

    /// Can a tuple with a changed variable be new? A new tuple makes every larger one around it new, so the largest size
    /// answers for all sizes; most states of a search are not new, and this is all that they cost.
    #[inline]
    fn may_be_new(&self, values: &[u32], changed: &[u32]) -> bool {
        let Met::Bits(bits) = &self.met else { return true };
        let subsets = &self.subsets;
        let mut each = changed.iter().copied();
        match subsets.sets.last().map_or(0, |s| s.size) {
            1 => each.any(|v| subsets.any_new::<1>(v, values, bits)),
            2 => each.any(|v| subsets.any_new::<2>(v, values, bits)),
            3 => each.any(|v| subsets.any_new::<3>(v, values, bits)),
            4 => each.any(|v| subsets.any_new::<4>(v, values, bits)),
            _ => true,
        }
    }

    /// Records only the tuples of the smallest size that has a new one, as a literal reading of one of the classic texts
    /// does; gives that size.
    pub fn record_smallest(
        &mut self,
        values: &[u32],
        ledger: &mut Ledger,
    ) -> Result<Option<usize>, OutOfMemory> {
        let mut rest = &self.subsets.sets[..];
        while let Some(first) = rest.first() {
            let (group, larger) = rest.split_at(rest.partition_point(|set| set.size == first.size));
            let is_new = |set: &Set| !self.met.contains(self.subsets.number(*set, values));
            if group.iter().any(is_new) {
                for &set in group {
                    self.met.insert(self.subsets.number(set, values), ledger)?;
                }
                return Ok(Some(first.size as usize));
            }
            rest = larger;
        }
        Ok(None)
    }

    /// Forgets every tuple and keeps the memory.
    pub fn clear(&mut self) {
        self.met.clear();
    }

    /// Calls `f` with the variables and the values of every recorded tuple, set by set.
    pub fn for_each(&self, domains: &[u32], mut f: impl FnMut(&[u32], &[u32])) {
        let mut numbers: Vec<u64> = match &self.met {
            Met::Bits(bits) => bits
                .iter()
                .enumerate()
                .flat_map(|(i, &word)| {
                    (0..64).filter(move |b| word >> b & 1 == 1).map(move |b| 64 * i as u64 + b)
                })
                .collect(),
            Met::Hashed(set) => set.iter().collect(),
        };
        numbers.sort_unstable();
        let mut numbers = numbers.into_iter().peekable();
        let ends = self.subsets.sets.iter().skip(1).map(|s| s.first_number).chain([self.subsets.tuples]);
        for (&set, end) in self.subsets.sets.iter().zip(ends) {
            let variables: Vec<u32> = self.subsets.members(set).iter().map(|&(v, _)| v).collect();
            let mut values = vec![0; variables.len()];
            while let Some(number) = numbers.next_if(|&n| n < end) {
                let mut rest = number - set.first_number;
                for (value, &variable) in values.iter_mut().zip(&variables) {
                    let size = u64::from(domains[variable as usize].max(1));
                    *value = (rest % size) as u32;
                    rest /= size;
                }
                f(&variables, &values);
            }
        }
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

    fn begin(&mut self, space: &S, start: &S::State, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let mut novelty = Novelty::new(&self.domains, self.width, ledger)?;
        if self.record_start {
            space.values(start, &mut self.values);
            novelty.record(&self.values, None, ledger)?;
        }
        self.novelty = Some(novelty);
        (self.entered, self.parent_recorded) = (false, false);
        Ok(())
    }

    /// What was dropped had nothing new in it, so what was kept is all there was to record.
    fn recall(&mut self, space: &S, kept: &S::State, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let Some(novelty) = &mut self.novelty else { return Ok(()) };
        space.values(kept, &mut self.values);
        match self.record {
            Record::All => novelty.record(&self.values, None, ledger)?,
            Record::Smallest => novelty.record_smallest(&self.values, ledger)?,
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
        ledger: &mut Ledger,
    ) -> Result<Ruling, OutOfMemory> {
        let Some(novelty) = &mut self.novelty else { return Ok(Ruling::Keep) };
        space.values(after, &mut self.values);
        let new = if self.record == Record::Smallest {
            novelty.record_smallest(&self.values, ledger)?
        } else if self.parent_recorded {
            self.changed.clear();
            let pairs = self.values.iter().zip(&self.parent).enumerate();
            self.changed.extend(pairs.filter(|(_, (a, b))| a != b).map(|(i, _)| i as u32));
            novelty.record(&self.values, Some(&self.changed), ledger)?
        } else {
            novelty.record(&self.values, None, ledger)?
        };
        Ok(if new.is_some() { Ruling::Keep } else { Ruling::Drop(NOT_NOVEL) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

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
        let mut random = crate::random::Random::new(1);
        for width in 1..=5 {
            for limit in [None, Some(40_000)] {
                let mut ledger = Ledger::new(limit);
                let mut novelty = Novelty::new(&domains, width, &mut ledger).unwrap();
                let mut plain = Plain { width, met: HashSet::new() };
                for _ in 0..400 {
                    let values: Vec<u32> = domains.iter().map(|&d| random.below(d as usize) as u32).collect();
                    assert_eq!(
                        novelty.record(&values, None, &mut ledger).unwrap(),
                        plain.record(&values),
                        "width {width}"
                    );
                }
                let mut count = 0;
                novelty.for_each(&domains, |variables, values| {
                    let tuple: Vec<_> =
                        variables.iter().zip(values).map(|(&v, &x)| (v as usize, x)).collect();
                    assert!(plain.met.contains(&tuple));
                    count += 1;
                });
                assert_eq!(count, plain.met.len());
            }
        }
    }

    #[test]
    fn changed_variables_are_enough_after_a_recorded_neighbour() {
        let domains = [4, 4, 4, 4];
        let mut random = crate::random::Random::new(2);
        let mut ledger = Ledger::new(None);
        let (mut quick, mut full) = (
            Novelty::new(&domains, 3, &mut ledger).unwrap(),
            Novelty::new(&domains, 3, &mut ledger).unwrap(),
        );
        let mut values = vec![0, 0, 0, 0];
        quick.record(&values, None, &mut ledger).unwrap();
        full.record(&values, None, &mut ledger).unwrap();
        for _ in 0..500 {
            let variable = random.below(4);
            values[variable] = random.below(4) as u32;
            assert_eq!(
                quick.record(&values, Some(&[variable as u32]), &mut ledger).unwrap(),
                full.record(&values, None, &mut ledger).unwrap()
            );
        }
    }

    #[test]
    fn hashed_and_dense_agree() {
        let domains = [100, 100, 100];
        let mut random = crate::random::Random::new(3);
        let mut roomy = Ledger::new(None);
        let mut tight = Ledger::new(Some(200_000));
        let mut dense = Novelty::new(&domains, 3, &mut roomy).unwrap();
        let mut hashed = Novelty::new(&domains, 3, &mut tight).unwrap();
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
        let mut ledger = Ledger::new(Some(1 << 20));
        let domains = [u32::MAX; 3];
        assert_eq!(Novelty::new(&domains, 3, &mut ledger).err(), Some(OutOfMemory));
        let mut random = crate::random::Random::new(4);
        let mut novelty = Novelty::new(&[1 << 20; 3], 2, &mut ledger).unwrap();
        let stopped = (0..100_000).any(|_| {
            let values: Vec<u32> = (0..3).map(|_| random.below(1 << 20) as u32).collect();
            novelty.record(&values, None, &mut ledger).is_err()
        });
        assert!(stopped);
    }
}
