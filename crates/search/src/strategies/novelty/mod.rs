//! Novelty: does this state contain a new combination of variable values?
//!
//! A state is an assignment of variables ([`Space::domains`](crate::Space::domains)), and an *atom* is one variable with one
//! value. The novelty of a state is the size of the smallest set of atoms that no earlier state had together (Lipovetzky &
//! Geffner 2012). It is exact for every size.
//!
//! Every tuple of atoms has a number, computed from a table of counts; no list of tuples exists. If all numbers fit, they are
//! bits of one array, otherwise entries of a hash set. If that does not fit either, the search stops at the memory limit. It
//! never falls back to a smaller size. A state has as many tuples as there are sets of variables, which are millions at width
//! 4. So every enumeration is charged to the [`Meter`].

mod numbering;
mod rule;

use std::sync::Arc;

use crate::core::budget::{Limit, Meter};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::number_set::NumberSet;
pub(crate) use numbering::Numbering;
pub use rule::{NOT_NOVEL, NoveltyRule, Record};

/// The array of bits may take one part in this many of the memory that is left; without a limit, [`DENSE_MOST`] bytes.
const DENSE_SHARE: usize = 2;
const DENSE_MOST: usize = 256 << 20;

/// Work of a tuple in units of [`Meter::work`]: a bit of an array, or an entry of a hash set.
const WORK_DENSE: u64 = 2;
const WORK_HASHED: u64 = 64;

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

/// The sets of up to `width` atoms met so far.
#[derive(Debug)]
pub struct Novelty {
    numbering: Arc<Numbering>,
    met: Met,
}

impl Novelty {
    /// An empty set. `domains` are the sizes of the variables' domains.
    pub fn new(domains: &[u32], width: usize, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let numbering = Numbering::new(domains, width, ledger)?;
        Ok(Self::within(&Arc::new(numbering), DENSE_MOST, ledger))
    }

    /// The same, with an array of at most `most` bytes; beyond that, a hash set.
    pub(crate) fn within(numbering: &Arc<Numbering>, most: usize, ledger: &mut Ledger) -> Self {
        let met = Met::new(numbering.first(numbering.width + 1), most, ledger);
        Self { numbering: Arc::clone(numbering), met }
    }

    /// Records every tuple of a state; gives the size of the smallest one that was new, if any.
    ///
    /// With `changed`, only tuples with a changed variable are examined. That is exact if a state that differs only there has
    /// been recorded.
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

    /// Records the tuples of one size, or only those that contain a variable; was one of them new?
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

    /// Can a tuple with a changed variable be new? Every superset of a new tuple is new, so the largest size answers for all
    /// sizes. Most states of a search are not new, and this test is their only cost.
    #[inline]
    fn may_be_new(&self, values: &[u32], changed: &[u32], meter: &mut Meter) -> Result<bool, Limit> {
        let Met::Bits(bits) = &self.met else { return Ok(true) };
        let bits = &bits[..];
        for &variable in changed {
            let with = Some(variable as usize);
            let is_new = move |number, _: &mut Ledger| Ok(!has(bits, number));
            if self.numbering.any(self.numbering.width, values, with, (WORK_DENSE, meter), is_new)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records only the tuples of the smallest size that has a new one, and gives that size. One of the classic texts, read
    /// literally, does this.
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
        // The numbers ascend: those of a block differ only in the value of the last variable.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::budget::Budget;
    use std::collections::HashSet;
    use std::time::Duration;

    fn with_bytes(bytes: Option<usize>) -> Meter {
        Meter::new(&Budget { bytes, ..Budget::default() })
    }

    /// A literal implementation of the definition.
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
            // Where memory is short, either limit may come first.
            assert!(stopped == Some(Limit::Time) || bytes.is_some() && stopped == Some(Limit::Memory));
            assert!(meter.ledger.peak() <= bytes.unwrap_or(DENSE_MOST + (1 << 20)));

            let budget = Budget::default();
            let mut meter = Meter::new(&budget);
            budget.cancel.cancel();
            assert_eq!(novelty.record(&values, Some(&[7]), &mut meter), Err(Limit::Cancelled));
        }
    }
}
