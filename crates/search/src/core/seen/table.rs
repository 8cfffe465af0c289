//! The exact table: a look-up touches one cache line, and a second one only to compare a key.
//!
//! A line holds twelve node numbers and a one-byte tag of each. An entry goes to the first free place in its line or in the
//! lines after it. A tag that agrees is checked against the key in the arena, so the table is exact. It takes about 5⅓ bytes a
//! place, 6–10 a state.

use super::{Seen, tags};
use crate::core::arena::{Keys, NodeId, hash_words};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::space::{Key, Space};

const PLACES: usize = 12;

/// Parts of a large table, which grow one at a time. Rehashing all entries at once would overrun the time limit and briefly
/// take twice the memory.
const PARTS: usize = 64;
/// Lines of a table above which it is cut into parts.
const CUT_AT: usize = 4096;

/// Lines between the one that is rehashed and the one whose keys are prefetched.
const AHEAD: usize = 4;

/// One cache line: tags first (0 = free place), then the node numbers.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Line {
    tags: [u8; 16],
    ids: [NodeId; PLACES],
}

const EMPTY: Line = Line { tags: [0; 16], ids: [0; PLACES] };

impl Line {
    /// The places whose tag is `tag`, as bits. The last four bits are no places and stay 0.
    #[inline(always)]
    fn matches(&self, tag: u8) -> u32 {
        tags::matches(&self.tags, tag)
    }
}

/// The exact table of the states met.
#[derive(Debug, Default)]
pub struct Table {
    /// None, one, or [`PARTS`].
    parts: Vec<Part>,
    len: usize,
    thrifty: bool,
}

/// The states whose hashes share their leading bits.
#[derive(Debug, Default)]
struct Part {
    lines: Vec<Line>,
    len: usize,
    /// Entries at which the part grows. It differs from part to part, so that parts grow at different times.
    grow_at: usize,
}

impl Part {
    fn new(number: usize, lines: Vec<Line>) -> Self {
        let mut part = Self { lines, len: 0, grow_at: 0 };
        part.set_threshold(number);
        part
    }

    /// Sets the threshold between eleven and thirteen sixteenths of the places.
    fn set_threshold(&mut self, number: usize) {
        self.grow_at = self.lines.len() * PLACES * (11 * PARTS / 2 + number) / (8 * PARTS);
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        // The leading bits chose the part. The next bits choose the line, by multiplication instead of division.
        ((u128::from(hash << PARTS.trailing_zeros()) * self.lines.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn tag(hash: u64) -> u8 {
        // The trailing bits, which the choice of a line does not use. 0 marks free places.
        (hash as u8).max(1)
    }

    #[inline]
    fn lookup<K: Key>(&self, keys: &Keys<K>, hash: u64, key: &K) -> Option<NodeId> {
        let tag = Self::tag(hash);
        let mut at = self.home(hash);
        loop {
            let line = &self.lines[at];
            let mut hits = line.matches(tag);
            while hits != 0 {
                let id = line.ids[hits.trailing_zeros() as usize];
                if keys.is(id, key) {
                    return Some(id);
                }
                hits &= hits - 1;
            }
            if line.tags[PLACES - 1] == 0 {
                return None;
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    #[inline]
    fn place(&mut self, hash: u64, id: NodeId) {
        let tag = Self::tag(hash);
        let mut at = self.home(hash);
        loop {
            let line = &mut self.lines[at];
            // Places fill from the front and are never freed, so the free ones are a suffix.
            if line.tags[PLACES - 1] == 0 {
                let free = line.matches(0).trailing_zeros() as usize;
                line.tags[free] = tag;
                line.ids[free] = id;
                self.len += 1;
                return;
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    /// Doubles the lines (or adds a quarter, if `thrifty`), or takes what still fits.
    #[cold]
    #[inline(never)]
    fn grow<K: Key>(
        &mut self,
        number: usize,
        thrifty: bool,
        ledger: &mut Ledger,
        keys: &Keys<K>,
    ) -> Result<(), OutOfMemory> {
        let lines = self.lines.len();
        let bigger = ledger.filled(EMPTY, if thrifty { lines + lines / 4 + 1 } else { 2 * lines });
        let bigger = bigger.or_else(|_| ledger.filled(EMPTY, lines + lines / 4 + 1))?;
        let old = std::mem::replace(self, Self::new(number, bigger));
        old.rehash(keys, |hash, id| self.place(hash, id));
        ledger.forget(old.lines);
        Ok(())
    }

    /// Rehashes every entry from the arena and passes it to `to`.
    fn rehash<K: Key>(&self, keys: &Keys<K>, mut to: impl FnMut(u64, NodeId)) {
        for (at, line) in self.lines.iter().enumerate() {
            // Lines are read in order, and entries stay nearly in that order. Only the keys are scattered over the arena.
            if let Some(ahead) = self.lines.get(at + AHEAD) {
                for (&tag, &id) in ahead.tags.iter().zip(&ahead.ids) {
                    if tag != 0 {
                        keys.prefetch(id);
                    }
                }
            }
            for (&tag, &id) in line.tags[..PLACES].iter().zip(&line.ids) {
                if tag != 0 {
                    to(hash_words(&keys.get(id), keys.width()), id);
                }
            }
        }
    }
}

impl Table {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty table whose parts grow by a quarter instead of twofold. It peaks at two thirds of the bytes and rehashes more
    /// often. That pays where generating a state takes much longer than rehashing its number.
    pub fn thrifty() -> Self {
        Self { thrifty: true, ..Self::new() }
    }

    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Does it hold none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes every state and keeps the memory.
    pub fn clear(&mut self) {
        for part in &mut self.parts {
            part.lines.fill(EMPTY);
            part.len = 0;
        }
        self.len = 0;
    }

    /// The part of a hash; 0 while there is only one.
    #[inline(always)]
    fn part(&self, hash: u64) -> usize {
        (hash >> (64 - PARTS.trailing_zeros())) as usize & self.parts.len().wrapping_sub(1)
    }

    /// Prefetches the memory of a look-up.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        if let Some(part) = self.parts.get(self.part(hash)) {
            crate::core::prefetch::prefetch(&part.lines, part.home(hash));
        }
    }

    /// Prefetches the keys that an announced look-up will compare.
    #[inline(always)]
    pub(crate) fn prefetch_keys<K: Key>(&self, keys: &Keys<K>, hash: u64) {
        let Some(part) = self.parts.get(self.part(hash)) else { return };
        if let Some(line) = part.lines.get(part.home(hash)) {
            let hits = line.matches(Part::tag(hash));
            if hits != 0 {
                keys.prefetch(line.ids[hits.trailing_zeros() as usize]);
            }
        }
    }

    /// The node with this key.
    #[inline]
    pub fn lookup<K: Key>(&self, keys: &Keys<K>, hash: u64, key: &K) -> Option<NodeId> {
        self.parts.get(self.part(hash))?.lookup(keys, hash, key)
    }

    /// Records a node that is not yet in the table.
    #[inline]
    pub fn record<K: Key>(
        &mut self,
        ledger: &mut Ledger,
        keys: &Keys<K>,
        hash: u64,
        id: NodeId,
    ) -> Result<(), OutOfMemory> {
        let mut at = self.part(hash);
        if self.parts.get(at).is_none_or(|part| part.len >= part.grow_at) {
            self.make_room(at, ledger, keys)?;
            at = self.part(hash);
        }
        self.parts[at].place(hash, id);
        self.len += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn make_room<K: Key>(
        &mut self,
        at: usize,
        ledger: &mut Ledger,
        keys: &Keys<K>,
    ) -> Result<(), OutOfMemory> {
        match &mut self.parts[..] {
            [] => {
                ledger.reserve(&mut self.parts, 1)?;
                self.parts.push(Part::new(0, ledger.filled(EMPTY, 4)?));
                Ok(())
            }
            [whole] if whole.lines.len() >= CUT_AT => self.cut(ledger, keys),
            parts => parts[at].grow(at, self.thrifty, ledger, keys),
        }
    }

    /// Cuts the only part into [`PARTS`], with twice the lines in total.
    fn cut<K: Key>(&mut self, ledger: &mut Ledger, keys: &Keys<K>) -> Result<(), OutOfMemory> {
        let lines = 2 * self.parts[0].lines.len() / PARTS;
        let mut parts: Vec<Part> = Vec::new();
        ledger.grow_to(&mut parts, PARTS)?;
        for number in 0..PARTS {
            parts.push(Part::new(number, ledger.filled(EMPTY, lines)?));
        }
        let old = std::mem::replace(&mut self.parts, parts);
        for whole in old {
            whole.rehash(keys, |hash, id| {
                let at = self.part(hash);
                self.parts[at].place(hash, id);
            });
            ledger.forget(whole.lines);
        }
        Ok(())
    }
}

impl<S: Space> Seen<S> for Table {
    #[inline]
    fn digest(&self, _: &S, _: &S::State, key: &S::Key, keys: &Keys<S::Key>) -> u64 {
        keys.hash(key)
    }
    #[inline(always)]
    fn announce(&self, digest: u64) {
        self.prefetch(digest);
    }
    #[inline(always)]
    fn approach(&self, keys: &Keys<S::Key>, digest: u64) {
        self.prefetch_keys(keys, digest);
    }
    #[inline]
    fn find(&self, keys: &Keys<S::Key>, digest: u64, key: &S::Key) -> Option<NodeId> {
        self.lookup(keys, digest, key)
    }
    #[inline]
    fn insert(
        &mut self,
        ledger: &mut Ledger,
        keys: &Keys<S::Key>,
        digest: u64,
        id: NodeId,
    ) -> Result<(), OutOfMemory> {
        self.record(ledger, keys, digest, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_cache_line() {
        assert_eq!(size_of::<Line>(), 64);
        assert_eq!(align_of::<Line>(), 64);
    }

    #[test]
    fn every_key_is_found_again_and_no_other() {
        let mut ledger = Ledger::new(None);
        let mut keys: Keys<u64> = Keys::new(8);
        let mut table = Table::new();
        let key = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for i in 0..100_000u64 {
            let hash = keys.hash(&key(i));
            assert_eq!(table.lookup(&keys, hash, &key(i)), None);
            let id = keys.push(&mut ledger, &key(i)).unwrap();
            table.record(&mut ledger, &keys, hash, id).unwrap();
        }
        for i in 0..100_000u64 {
            assert_eq!(table.lookup(&keys, keys.hash(&key(i)), &key(i)), Some(i as NodeId));
        }
        for i in 100_000..200_000u64 {
            assert_eq!(table.lookup(&keys, keys.hash(&key(i)), &key(i)), None);
        }
    }

    #[test]
    fn a_thrifty_table_finds_as_much_in_less() {
        let key = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // Peak bytes for each state that the table holds.
        let fill = |mut table: Table| {
            let mut ledger = Ledger::new(None);
            let mut keys: Keys<u64> = Keys::new(8);
            let mut worst = 0.0f64;
            for i in 0..300_000u64 {
                let id = keys.push(&mut Ledger::new(None), &key(i)).unwrap();
                table.record(&mut ledger, &keys, keys.hash(&key(i)), id).unwrap();
                if i > 100_000 {
                    worst = worst.max(ledger.used() as f64 / i as f64);
                }
            }
            for i in 0..300_000u64 {
                assert_eq!(table.lookup(&keys, keys.hash(&key(i)), &key(i)), Some(i as NodeId));
            }
            worst
        };
        let (usual, thrifty) = (fill(Table::new()), fill(Table::thrifty()));
        assert!(thrifty < 0.8 * usual, "{thrifty} of {usual} bytes");
    }

    #[test]
    fn equal_hashes_do_not_make_equal_states() {
        let mut ledger = Ledger::new(None);
        let mut keys: Keys<u64> = Keys::new(8);
        let mut table = Table::new();
        for i in 0..40u64 {
            // One hash for all: a chain through several lines.
            assert_eq!(table.lookup(&keys, 7, &i), None);
            let id = keys.push(&mut ledger, &i).unwrap();
            table.place_for_test(&mut ledger, id);
        }
        for i in 0..40u64 {
            assert_eq!(table.lookup(&keys, 7, &i), Some(i as NodeId));
        }
    }

    impl Table {
        fn place_for_test(&mut self, ledger: &mut Ledger, id: NodeId) {
            if self.parts.is_empty() {
                self.parts.push(Part::new(0, ledger.filled(EMPTY, 64).unwrap()));
            }
            self.parts[0].place(7, id);
        }
    }

    #[test]
    fn a_tight_limit_is_an_error_and_loses_nothing() {
        let mut ledger = Ledger::new(Some(100_000));
        let mut keys: Keys<u64> = Keys::new(8);
        let mut table = Table::new();
        let mut n = 0u64;
        while let Ok(id) = keys.push(&mut ledger, &n) {
            if table.record(&mut ledger, &keys, keys.hash(&n), id).is_err() {
                break;
            }
            n += 1;
        }
        assert!(n > 1000 && ledger.peak() <= 100_000);
        for i in 0..n {
            assert_eq!(table.lookup(&keys, keys.hash(&i), &i), Some(i as NodeId));
        }
    }
}
