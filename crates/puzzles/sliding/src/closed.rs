//! A set of numbers in few bits each, with the distance of each modulo 3.
//!
//! Quotienting after Cleary (1984): a number's high bits choose a cache line, so only its low bits are stored there, with
//! how many lines further than its own it had to go. Nothing is lost: line, offset and stored bits together are the number,
//! so membership is exact. Four bytes an entry as soon as the set is large enough for its numbers, eight before.
//!
//! The distances are enough to find a way back: in a graph whose edges go both ways, a neighbour's distance differs by at
//! most one, so modulo 3 tells which neighbours are nearer.

use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::prefetch::prefetch;

/// Bits of an entry besides those of the number: 2 for the distance (1 to 3, so that no entry is 0), 3 for the offset (1 to
/// 7, so that a free place matches nothing).
const EXTRA: u32 = 5;
const FARTHEST: u32 = 6;

/// One cache line of entries; they fill it from the front.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line<T, const L: usize>([T; L]);

/// Lines of narrow entries, or of wide ones.
#[derive(Debug)]
enum Lines {
    Narrow(Vec<Line<u32, 16>>),
    Wide(Vec<Line<u64, 8>>),
}

/// One part of the set.
#[derive(Debug)]
struct Part {
    lines: Lines,
    /// The number of lines is 2 to this power.
    log_lines: u32,
    /// Bits of a number.
    bits: u32,
    len: usize,
    /// How many entries there may be before the lines are doubled.
    roomy: usize,
}

/// The lines of a new part, as a power of 2.
const FIRST_LINES: u32 = 5;

macro_rules! line_work {
    ($find:ident, $add:ident, $move_in:ident, $t:ty, $l:literal) => {
        /// The entry of a number: its line and place.
        #[inline(always)]
        fn $find(lines: &[Line<$t, $l>], line: usize, rest: u64) -> Option<(usize, usize)> {
            let mut at = line;
            for offset in 1..=u64::from(FARTHEST) + 1 {
                let wanted = (rest << EXTRA | offset << 2) as $t;
                let mut hits = 0u32;
                let entries = &lines[at].0;
                for (i, &entry) in entries.iter().enumerate() {
                    hits |= u32::from(entry & !3 == wanted) << i;
                }
                if hits != 0 {
                    return Some((at, hits.trailing_zeros() as usize));
                }
                if entries[$l - 1] == 0 {
                    return None;
                }
                at = (at + 1) & (lines.len() - 1);
            }
            None
        }

        /// Adds a number; `None` if it is there already, `Some(false)` if there is no room near its line.
        #[inline(always)]
        fn $add(lines: &mut [Line<$t, $l>], line: usize, rest: u64, age: u64) -> Option<bool> {
            let last = lines.len() - 1;
            let mut at = line;
            for offset in 1..=u64::from(FARTHEST) + 1 {
                let wanted = (rest << EXTRA | offset << 2) as $t;
                let entries = &mut lines[at].0;
                let (mut hits, mut used) = (0u32, 0usize);
                for &entry in entries.iter() {
                    hits |= u32::from(entry & !3 == wanted);
                    used += usize::from(entry != 0);
                }
                if hits != 0 {
                    return None;
                }
                if used < $l {
                    entries[used] = wanted | (age + 1) as $t;
                    return Some(true);
                }
                at = (at + 1) & last;
            }
            Some(false)
        }

        /// Adds a number that is known to be new; `false` if there is no room near its line.
        #[inline(always)]
        fn $move_in(lines: &mut [Line<$t, $l>], line: usize, rest: u64, age: u64) -> bool {
            let last = lines.len() - 1;
            for offset in 0..=FARTHEST as usize {
                let entries = &mut lines[(line + offset) & last].0;
                let used = entries.iter().map(|&e| usize::from(e != 0)).sum::<usize>();
                if used < $l {
                    entries[used] = (rest << EXTRA | (offset as u64 + 1) << 2 | (age + 1)) as $t;
                    return true;
                }
            }
            false
        }
    };
}
line_work!(find_narrow, add_narrow, move_in_narrow, u32, 16);
line_work!(find_wide, add_wide, move_in_wide, u64, 8);

/// The set is kept in this many parts (as a power of 2), chosen by the highest bits: so the copy that is made when a part
/// is doubled is a small one.
const LOG_PARTS: u32 = 4;

/// The set.
#[derive(Debug)]
pub(super) struct Closed {
    parts: Vec<Part>,
    /// Bits of a number inside a part.
    bits: u32,
}

impl Closed {
    /// An empty set of numbers of this many bits (more than [`LOG_PARTS`]).
    pub(super) fn new(bits: u32, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let bits = bits.saturating_sub(LOG_PARTS);
        let mut parts = Vec::with_capacity(1 << LOG_PARTS);
        for _ in 0..1 << LOG_PARTS {
            parts.push(Part::new(bits, ledger)?);
        }
        Ok(Self { parts, bits })
    }

    /// How many numbers it holds.
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|p| p.len).sum()
    }

    #[inline(always)]
    fn part(&self, number: u64) -> (usize, u64) {
        ((number >> self.bits) as usize % (1 << LOG_PARTS), number & ((1 << self.bits) - 1))
    }

    /// Asks for the line of a number ahead of time.
    #[inline(always)]
    pub(super) fn announce(&self, number: u64) {
        let (part, number) = self.part(number);
        self.parts[part].announce(number);
    }

    /// Adds a number with its distance modulo 3; `true` if it is new.
    #[inline(always)]
    pub(super) fn insert(&mut self, ledger: &mut Ledger, number: u64, age: u64) -> Result<bool, OutOfMemory> {
        let (part, number) = self.part(number);
        self.parts[part].insert(ledger, number, age)
    }

    /// The distance modulo 3 of a number, if it is in the set.
    pub(super) fn age(&self, number: u64) -> Option<u64> {
        let (part, number) = self.part(number);
        self.parts[part].age(number)
    }
}

impl Part {
    fn new(bits: u32, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let log_lines = FIRST_LINES.min(bits);
        let lines = Self::empty(bits, log_lines, ledger)?;
        let mut closed = Self { lines, log_lines, bits, len: 0, roomy: 0 };
        closed.roomy = closed.places() / 8 * 7;
        Ok(closed)
    }

    fn empty(bits: u32, log_lines: u32, ledger: &mut Ledger) -> Result<Lines, OutOfMemory> {
        let count = 1 << log_lines;
        Ok(if bits - log_lines + EXTRA <= 32 {
            Lines::Narrow(ledger.filled(Line([0; 16]), count)?)
        } else {
            Lines::Wide(ledger.filled(Line([0; 8]), count)?)
        })
    }

    fn places(&self) -> usize {
        match &self.lines {
            Lines::Narrow(lines) => 16 * lines.len(),
            Lines::Wide(lines) => 8 * lines.len(),
        }
    }

    /// The line of a number, and the rest of it.
    #[inline(always)]
    fn split(&self, number: u64) -> (usize, u64) {
        let rest_bits = self.bits - self.log_lines;
        let line = number.checked_shr(rest_bits).unwrap_or(0) as usize;
        (line, number & ((1u64.checked_shl(rest_bits).unwrap_or(0)).wrapping_sub(1)))
    }

    #[inline(always)]
    fn announce(&self, number: u64) {
        let (line, _) = self.split(number);
        match &self.lines {
            Lines::Narrow(lines) => prefetch(lines, line),
            Lines::Wide(lines) => prefetch(lines, line),
        }
    }

    #[inline(always)]
    fn insert(&mut self, ledger: &mut Ledger, number: u64, age: u64) -> Result<bool, OutOfMemory> {
        if self.len >= self.roomy {
            self.grow(ledger)?;
        }
        loop {
            let (line, rest) = self.split(number);
            let added = match &mut self.lines {
                Lines::Narrow(lines) => add_narrow(lines, line, rest, age),
                Lines::Wide(lines) => add_wide(lines, line, rest, age),
            };
            match added {
                None => return Ok(false),
                Some(true) => {
                    self.len += 1;
                    return Ok(true);
                }
                Some(false) => self.grow(ledger)?,
            }
        }
    }

    fn age(&self, number: u64) -> Option<u64> {
        let (line, rest) = self.split(number);
        match &self.lines {
            Lines::Narrow(lines) => {
                find_narrow(lines, line, rest).map(|(at, i)| u64::from(lines[at].0[i] & 3) - 1)
            }
            Lines::Wide(lines) => find_wide(lines, line, rest).map(|(at, i)| (lines[at].0[i] & 3) - 1),
        }
    }

    /// Twice as many lines; narrow ones if the numbers' rests now fit.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let mut log_lines = self.log_lines + 1;
        loop {
            if log_lines > self.bits {
                return Err(OutOfMemory);
            }
            let lines = Self::empty(self.bits, log_lines, ledger)?;
            let mut bigger = Self { lines, log_lines, bits: self.bits, len: self.len, roomy: 0 };
            bigger.roomy = bigger.places() / 8 * 7;
            if self.pour_into(&mut bigger) {
                let old = std::mem::replace(self, bigger);
                old.free(ledger);
                return Ok(());
            }
            // So many rests in one place that even twice the lines are not enough: twice as many again.
            bigger.free(ledger);
            log_lines += 1;
        }
    }

    fn free(self, ledger: &mut Ledger) {
        match self.lines {
            Lines::Narrow(lines) => ledger.forget(lines),
            Lines::Wide(lines) => ledger.forget(lines),
        }
    }

    fn pour_into(&self, bigger: &mut Self) -> bool {
        let rest_bits = self.bits - self.log_lines;
        let mut pour = |at: usize, entry: u64| {
            let offset = (entry >> 2 & 7) - 1;
            let line = (at as u64).wrapping_sub(offset) & ((1 << self.log_lines) - 1);
            let number = line.checked_shl(rest_bits).unwrap_or(0) | entry >> EXTRA;
            let (line, rest) = bigger.split(number);
            match &mut bigger.lines {
                Lines::Narrow(lines) => move_in_narrow(lines, line, rest, (entry & 3) - 1),
                Lines::Wide(lines) => move_in_wide(lines, line, rest, (entry & 3) - 1),
            }
        };
        match &self.lines {
            Lines::Narrow(lines) => (0..lines.len())
                .all(|at| lines[at].0.iter().take_while(|&&e| e != 0).all(|&e| pour(at, u64::from(e)))),
            Lines::Wide(lines) => {
                (0..lines.len()).all(|at| lines[at].0.iter().take_while(|&&e| e != 0).all(|&e| pour(at, e)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_kept_with_its_distance_and_no_other_is_there() {
        for bits in [16, 24, 34, 41, 48, 63, 64] {
            let mask = u64::MAX >> (64 - bits);
            let number = |i: u64| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) & mask;
            let mut ledger = Ledger::new(None);
            let mut closed = Closed::new(bits, &mut ledger).unwrap();
            let count = if bits == 16 { 20_000u64 } else { 100_000 };
            let mut kept = std::collections::HashMap::new();
            for i in 0..count {
                let new = kept.insert(number(i), i % 3).is_none();
                assert_eq!(closed.insert(&mut ledger, number(i), i % 3).unwrap(), new);
                if !new {
                    // The first distance stays.
                    kept.insert(number(i), closed.age(number(i)).unwrap());
                }
            }
            assert_eq!(closed.len(), kept.len());
            for i in 0..2 * count {
                assert_eq!(closed.age(number(i)), kept.get(&number(i)).copied(), "bits {bits}");
            }
            closed.parts.into_iter().for_each(|part| part.free(&mut ledger));
            assert_eq!(ledger.used(), 0);
        }
    }

    #[test]
    fn crowded_lines_make_room() {
        let mut ledger = Ledger::new(None);
        let mut closed = Closed::new(40, &mut ledger).unwrap();
        // All in the first line, until there are enough lines to tell them apart: the offsets run out long before the set is full.
        let number = |i: u64| i << (40 - FIRST_LINES - 10);
        for i in 0..1_000 {
            assert!(closed.insert(&mut ledger, number(i), 0).unwrap());
        }
        assert!((0..1_000).all(|i| closed.age(number(i)) == Some(0)) && closed.age(number(1_000)).is_none());
        // Numbers that no reasonable number of lines could part end in an error, not in all the memory there is.
        let mut ledger = Ledger::new(Some(1 << 20));
        let mut closed = Closed::new(40, &mut ledger).unwrap();
        assert!((0..1_000).any(|i| closed.insert(&mut ledger, i, 0).is_err()));
    }

    #[test]
    fn a_tight_limit_is_an_error_and_loses_nothing() {
        let mut ledger = Ledger::new(Some(300_000));
        let mut closed = Closed::new(40, &mut ledger).unwrap();
        let number = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
        let count = (0..1 << 20).find(|&i| closed.insert(&mut ledger, number(i), 1).is_err()).unwrap();
        assert!(count > 5_000 && ledger.peak() <= 300_000);
        assert!((0..count).all(|i| closed.age(number(i)) == Some(1)));
    }
}
