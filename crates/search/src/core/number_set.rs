//! A set of numbers, for tuples that are too many for an array of bits.
//!
//! Open addressing in parts that grow one at a time. Rehashing a large set at once would overrun the time limit.

use crate::core::memory::{Ledger, OutOfMemory};

const PARTS: usize = 64;

/// A set of numbers below 2⁶⁴ − 1.
#[derive(Debug)]
pub(crate) struct NumberSet {
    parts: [Part; PARTS],
}

/// A place holds a number plus one; 0 is free.
#[derive(Debug, Default)]
struct Part {
    places: Vec<u64>,
    len: usize,
}

impl Default for NumberSet {
    fn default() -> Self {
        Self { parts: std::array::from_fn(|_| Part::default()) }
    }
}

fn hash(number: u64) -> u64 {
    let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

impl NumberSet {
    /// The leading bits of the hash choose the part, the others the place.
    #[inline]
    fn split(hash: u64) -> (usize, u64) {
        let bits = PARTS.trailing_zeros();
        ((hash >> (64 - bits)) as usize, hash << bits)
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        let (part, hash) = Self::split(hash(number));
        let part = &self.parts[part];
        !part.places.is_empty() && part.find(hash, number).is_ok()
    }

    /// Adds a number; `true` if it is new.
    pub(crate) fn insert(&mut self, number: u64, ledger: &mut Ledger) -> Result<bool, OutOfMemory> {
        let (at, hash) = Self::split(hash(number));
        let part = &mut self.parts[at];
        // Grows at between five and six eighths full. The threshold depends on the part, so that parts grow at different times.
        if (part.len + 1) * 8 * PARTS > part.places.len() * (5 * PARTS + at) {
            part.grow(ledger)?;
        }
        let place = part.find(hash, number);
        if let Err(free) = place {
            part.places[free] = number + 1;
            part.len += 1;
        }
        Ok(place.is_err())
    }

    /// All numbers, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.parts.iter().flat_map(|part| &part.places).filter(|&&n| n != 0).map(|n| n - 1)
    }
}

impl Part {
    /// The place of a number, or the free one where it would go.
    fn find(&self, hash: u64, number: u64) -> Result<usize, usize> {
        let mut at = ((u128::from(hash) * self.places.len() as u128) >> 64) as usize;
        loop {
            match self.places[at] {
                0 => return Err(at),
                n if n == number + 1 => return Ok(at),
                _ => at = if at + 1 == self.places.len() { 0 } else { at + 1 },
            }
        }
    }

    #[cold]
    fn grow(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let bigger = ledger.filled(0, (2 * self.places.len()).max(8))?;
        let old = std::mem::replace(&mut self.places, bigger);
        for &n in old.iter().filter(|&&n| n != 0) {
            if let Err(free) = self.find(NumberSet::split(hash(n - 1)).1, n - 1) {
                self.places[free] = n;
            }
        }
        ledger.forget(old);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_once() {
        let mut ledger = Ledger::new(None);
        let mut set = NumberSet::default();
        for n in (0..200_000u64).map(|n| n * 7) {
            assert!(!set.contains(n));
            assert!(set.insert(n, &mut ledger).unwrap() && !set.insert(n, &mut ledger).unwrap());
            assert!(set.contains(n));
        }
        let mut all: Vec<u64> = set.iter().collect();
        all.sort_unstable();
        assert!(all.into_iter().eq((0..200_000).map(|n| n * 7)));
    }
}
