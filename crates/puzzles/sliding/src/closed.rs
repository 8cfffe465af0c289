//! A compact exact set of numbers, with the distance of each modulo 3.
//!
//! Quotienting after Cleary (1984). A number's high bits choose a cache line. The line stores the low bits and the entry's
//! displacement: how many lines it lies behind its home line. Line, displacement and stored bits together are the number, so
//! membership is exact. An entry takes four bytes once the set is large enough for its numbers, before that five or eight.
//!
//! The number of lines is arbitrary: a number's line is its share of all numbers, the upper half of a product. So a large set
//! can grow by a quarter instead of doubling. Its parts do so at different times, so it is never much too large.
//!
//! The distances suffice to recover a path: in an undirected graph a neighbour's distance differs by at most one, so modulo 3
//! tells which neighbours are nearer.

use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::prefetch::prefetch;

use super::line::{FARTHEST, Line, Middle, Narrow, Wide};

/// Lines of one width.
#[derive(Debug)]
enum Lines {
    Narrow(Vec<Narrow>),
    Middle(Vec<Middle>),
    Wide(Vec<Wide>),
}

/// Runs the same code for any line width.
macro_rules! on_lines {
    ($any:expr, $lines:ident => $body:expr) => {
        match $any {
            Lines::Narrow($lines) => $body,
            Lines::Middle($lines) => $body,
            Lines::Wide($lines) => $body,
        }
    };
}

/// One part of the set.
#[derive(Debug)]
struct Part {
    /// `count` lines, and a few more for entries displaced from the last ones.
    lines: Lines,
    count: u64,
    /// Bits of a number inside the part, and how many of them are stored.
    bits: u32,
    rest_bits: u32,
    len: usize,
    /// Entries at which the part grows.
    grow_at: usize,
}

/// Base-2 logarithm of the number of parts. The highest bits choose the part, so that growing copies only a small one.
const LOG_PARTS: u32 = 6;
/// Lines of the smallest new part. The largest has nearly twice as many, so that they do not grow together.
const FIRST_LINES: u64 = 8;
/// Lines below which a part doubles when it grows.
const DOUBLED_BELOW: u64 = 256;

/// The set.
#[derive(Debug)]
pub(super) struct Closed {
    parts: Vec<Part>,
    /// Bits of a number.
    bits: u32,
}

impl Closed {
    /// An empty set of numbers of this many bits (at least [`LOG_PARTS`]).
    pub(super) fn new(bits: u32, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let mut parts = Vec::with_capacity(1 << LOG_PARTS);
        for i in 0..1 << LOG_PARTS {
            let count = FIRST_LINES + ((FIRST_LINES * i) >> LOG_PARTS);
            parts.push(Part::new(bits.saturating_sub(LOG_PARTS), count, ledger)?);
        }
        Ok(Self { parts, bits })
    }

    /// The size of the set.
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|p| p.len).sum()
    }

    /// The part of a number, and its other bits as a fraction of all possible ones.
    #[inline(always)]
    fn part(&self, number: u64) -> (usize, u64) {
        let fraction = number << (64 - self.bits);
        ((fraction >> (64 - LOG_PARTS)) as usize, fraction << LOG_PARTS)
    }

    /// Prefetches the line of a number.
    #[inline(always)]
    pub(super) fn announce(&self, number: u64) {
        let (part, fraction) = self.part(number);
        self.parts[part].announce(fraction);
    }

    /// Adds a number with its distance modulo 3; `true` if it is new.
    #[inline(always)]
    pub(super) fn insert(&mut self, ledger: &mut Ledger, number: u64, age: u64) -> Result<bool, OutOfMemory> {
        let (part, fraction) = self.part(number);
        self.parts[part].insert(ledger, number, fraction, age)
    }

    /// The distance modulo 3 of a number, if it is in the set.
    pub(super) fn age(&self, number: u64) -> Option<u64> {
        let (part, fraction) = self.part(number);
        self.parts[part].age(number, fraction)
    }
}

impl Part {
    fn new(bits: u32, count: u64, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let rest_bits = bits.saturating_sub(count.ilog2());
        let len = count as usize + FARTHEST as usize;
        let (lines, places) = if rest_bits <= Narrow::REST_BITS {
            (Lines::Narrow(ledger.filled(Narrow::EMPTY, len)?), Narrow::PLACES)
        } else if rest_bits <= Middle::REST_BITS {
            (Lines::Middle(ledger.filled(Middle::EMPTY, len)?), Middle::PLACES)
        } else {
            (Lines::Wide(ledger.filled(Wide::EMPTY, len)?), Wide::PLACES)
        };
        let grow_at = count as usize * places / 16 * 14;
        Ok(Self { lines, count, bits, rest_bits, len: 0, grow_at })
    }

    #[inline(always)]
    fn line(&self, fraction: u64) -> usize {
        line_of(fraction, self.count)
    }

    #[inline(always)]
    fn rest(&self, number: u64) -> u64 {
        number & ((1 << self.rest_bits) - 1)
    }

    #[inline(always)]
    fn announce(&self, fraction: u64) {
        let line = self.line(fraction);
        on_lines!(&self.lines, lines => prefetch(lines, line));
    }

    #[inline(always)]
    fn insert(
        &mut self,
        ledger: &mut Ledger,
        number: u64,
        fraction: u64,
        age: u64,
    ) -> Result<bool, OutOfMemory> {
        if self.len >= self.grow_at {
            self.grow(ledger)?;
        }
        loop {
            let (line, rest) = (self.line(fraction), self.rest(number));
            let added = on_lines!(&mut self.lines, lines => add(lines, line, rest, age));
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

    fn age(&self, number: u64, fraction: u64) -> Option<u64> {
        let (line, rest) = (self.line(fraction), self.rest(number));
        on_lines!(&self.lines, lines => find(lines, line, rest))
    }

    /// Grows by a quarter, or twofold if small; takes narrower lines if the stored bits now fit.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let mut count = self.count;
        loop {
            count = if count < DOUBLED_BELOW { 2 * count } else { count + count / 4 };
            // One line per number would have room for all.
            if count.ilog2() > self.bits + 1 {
                return Err(OutOfMemory);
            }
            let mut bigger = Self::new(self.bits, count, ledger)?;
            bigger.len = self.len;
            let moved = on_lines!(&self.lines, lines => self.move_into(lines, &mut bigger));
            if moved {
                std::mem::replace(self, bigger).free(ledger);
                return Ok(());
            }
            // So many entries fall in one place that even these lines do not suffice: takes more.
            bigger.free(ledger);
        }
    }

    fn free(self, ledger: &mut Ledger) {
        on_lines!(self.lines, lines => ledger.forget(lines));
    }

    /// Moves everything into another part; `false` if there is no room somewhere.
    fn move_into<T: Line>(&self, lines: &[T], bigger: &mut Self) -> bool {
        on_lines!(&mut bigger.lines, to => {
            let step = Starts::new(self.bits, self.count);
            let up = 64 - self.bits;
            let mask = (1u64 << self.rest_bits) - 1;
            let new_mask = (1u64 << bigger.rest_bits) - 1;
            let count = bigger.count;
            // The first numbers of this line and of those before it.
            let mut starts = [0u64; 8];
            let mut next = step;
            // Kept beside the lines: counting them for each entry took most of the time.
            let mut used = vec![0u8; to.len()];
            for (at, line) in lines.iter().enumerate() {
                starts[at % 8] = next.take();
                for i in 0..line.used() {
                    let entry = line.get(i);
                    let home = at.wrapping_sub((entry >> 2 & 7) as usize - 1);
                    let start = starts[home % 8];
                    let number = start + ((entry >> 5).wrapping_sub(start) & mask);
                    let place = line_of(number.checked_shl(up).unwrap_or(0), count);
                    if !move_in(to, &mut used, place, number & new_mask, (entry & 3) - 1) {
                        return false;
                    }
                }
            }
            true
        })
    }
}

/// The home line of a number, given as a fraction of all, among `count` lines.
#[inline(always)]
fn line_of(fraction: u64, count: u64) -> usize {
    ((u128::from(fraction) * u128::from(count)) >> 64) as usize
}

/// Iterates over the first number of each line without divisions.
#[derive(Clone, Copy)]
struct Starts {
    /// Numbers per line, and the remainder.
    share: u64,
    over: u64,
    count: u64,
    /// The start of the next line, rounded down, and the fraction that was cut off.
    start: u64,
    cut: u64,
}

impl Starts {
    fn new(bits: u32, count: u64) -> Self {
        let all = 1u64 << bits;
        Self { share: all / count, over: all % count, count, start: 0, cut: 0 }
    }

    fn take(&mut self) -> u64 {
        let now = self.start + u64::from(self.cut > 0);
        self.start = self.start.wrapping_add(self.share);
        self.cut += self.over;
        if self.cut >= self.count {
            self.cut -= self.count;
            self.start += 1;
        }
        now
    }
}

/// Adds a number; `None` if it is present, `Some(false)` if there is no room near its line.
#[inline(always)]
fn add<T: Line>(lines: &mut [T], line: usize, rest: u64, age: u64) -> Option<bool> {
    for offset in 0..=FARTHEST {
        let entries = &mut lines[line + offset as usize];
        let entry = rest << 5 | (offset + 1) << 2;
        let (found, used) = entries.look(entry);
        if found {
            return None;
        }
        if used < T::PLACES {
            entries.set(used, entry | (age + 1));
            return Some(true);
        }
    }
    Some(false)
}

/// Adds a number known to be new; `false` if there is no room near its line.
#[inline(always)]
fn move_in<T: Line>(lines: &mut [T], used: &mut [u8], line: usize, rest: u64, age: u64) -> bool {
    for offset in 0..=FARTHEST {
        let at = line + offset as usize;
        let place = used[at] as usize;
        if place < T::PLACES {
            used[at] += 1;
            lines[at].set(place, rest << 5 | (offset + 1) << 2 | (age + 1));
            return true;
        }
    }
    false
}

/// The distance of a number, if it is present.
fn find<T: Line>(lines: &[T], line: usize, rest: u64) -> Option<u64> {
    for offset in 0..=FARTHEST {
        let entries = &lines[line + offset as usize];
        let entry = rest << 5 | (offset + 1) << 2;
        let used = entries.used();
        if let Some(i) = (0..used).find(|&i| entries.get(i) & !3 == entry) {
            return Some((entries.get(i) & 3) - 1);
        }
        if used < T::PLACES {
            return None;
        }
    }
    None
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
        // All in the first line, until there are enough lines to separate them: displacements run out long before the set is
        // full.
        let number = |i: u64| i << (40 - LOG_PARTS - FIRST_LINES.ilog2() - 10);
        for i in 0..1_000 {
            assert!(closed.insert(&mut ledger, number(i), 0).unwrap());
        }
        assert!((0..1_000).all(|i| closed.age(number(i)) == Some(0)) && closed.age(number(1_000)).is_none());
        // Numbers that no reasonable number of lines could separate cause an error, and do not exhaust the memory.
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

    #[test]
    fn a_large_set_is_never_much_too_large() {
        for (bits, most) in [(40, 6.0), (48, 7.9)] {
            let mut ledger = Ledger::new(None);
            let mut closed = Closed::new(bits, &mut ledger).unwrap();
            let number = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits);
            for i in 0..1_500_000 {
                closed.insert(&mut ledger, number(i), 2).unwrap();
                if i > 300_000 && i % 1_000 == 0 {
                    let bytes = ledger.used() as f64 / i as f64;
                    assert!(bytes < most, "{bytes} bytes each for {i} numbers of {bits} bits");
                }
            }
        }
    }
}
