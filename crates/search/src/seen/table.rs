//! The exact table: a look-up touches one cache line, and a second one only to compare a key.
//!
//! A line holds twelve node numbers and a one-byte tag of each; an entry goes to the first free place in its line or in
//! the lines after it. A tag that agrees is checked against the key in the arena, so nothing rests on hashes. About 5⅓
//! bytes a place, 6–10 a state.

use super::{Seen, tags};
use crate::arena::{Keys, NodeId, hash_words};
use crate::memory::{Ledger, OutOfMemory};
use crate::space::{Key, Space};

const PLACES: usize = 12;
/// A line is split when thirteen sixteenths of all places are taken.
const FULL: (usize, usize) = (13, 16);

/// How many lines ahead of the one that moves the keys are fetched when the table grows.
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
    /// The tags that are `tag`, as bits. (The last four stay 0: they are no places.)
    #[inline(always)]
    fn matches(&self, tag: u8) -> u32 {
        tags::matches(&self.tags, tag)
    }
}

/// The exact table of the states met.
#[derive(Debug, Default)]
pub struct Table {
    lines: Vec<Line>,
    len: usize,
}

impl Table {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Does it hold none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets every state and keeps the memory.
    pub fn clear(&mut self) {
        self.lines.fill(EMPTY);
        self.len = 0;
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        // The high bits choose the line, by multiplication instead of division.
        ((u128::from(hash) * self.lines.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn tag(hash: u64) -> u8 {
        // The low bits, which the choice of a line does not use; 0 is kept for free places.
        (hash as u8).max(1)
    }

    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        crate::prefetch::prefetch(&self.lines, self.home(hash));
    }

    /// The node with this key.
    #[inline]
    pub fn lookup<K: Key>(&self, keys: &Keys<K>, hash: u64, key: &K) -> Option<NodeId> {
        if self.lines.is_empty() {
            return None;
        }
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

    /// Records a node that is not in here.
    #[inline]
    pub fn record<K: Key>(
        &mut self,
        ledger: &mut Ledger,
        keys: &Keys<K>,
        hash: u64,
        id: NodeId,
    ) -> Result<(), OutOfMemory> {
        if self.len * FULL.1 >= self.lines.len() * PLACES * FULL.0 {
            self.grow(ledger, keys)?;
        }
        self.place(hash, id);
        self.len += 1;
        Ok(())
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
                return;
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    /// Twice the lines, or what still fits. The node numbers are collected first and hashed again from the arena.
    #[cold]
    #[inline(never)]
    fn grow<K: Key>(&mut self, ledger: &mut Ledger, keys: &Keys<K>) -> Result<(), OutOfMemory> {
        let lines = self.lines.len();
        let double = (2 * lines).max(4);
        let mut bigger = match ledger.filled(EMPTY, double) {
            Ok(bigger) => bigger,
            Err(OutOfMemory) => ledger.filled(EMPTY, lines + lines / 4 + 1)?,
        };
        std::mem::swap(&mut self.lines, &mut bigger);
        for (at, line) in bigger.iter().enumerate() {
            // Lines are read in order and entries stay nearly in that order; only the keys are all over the arena.
            if let Some(ahead) = bigger.get(at + AHEAD) {
                for (&tag, &id) in ahead.tags.iter().zip(&ahead.ids) {
                    if tag != 0 {
                        keys.prefetch(id);
                    }
                }
            }
            for (&tag, &id) in line.tags[..PLACES].iter().zip(&line.ids) {
                if tag != 0 {
                    let hash = hash_words(&keys.get(id), keys.width());
                    self.place(hash, id);
                }
            }
        }
        ledger.forget(bigger);
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
        if let Some(line) = self.lines.get(self.home(digest)) {
            let hits = line.matches(Self::tag(digest));
            if hits != 0 {
                keys.prefetch(line.ids[hits.trailing_zeros() as usize]);
            }
        }
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
            if self.lines.is_empty() {
                self.lines = ledger.filled(EMPTY, 64).unwrap();
            }
            self.place(7, id);
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
