//! The memo of failed sweep states.
//!
//! What can follow a diagonal depends only on three things: the links that cross into it, the turns just before it, and which
//! open strands are connected. A state whose continuations all failed is stored in full, not as a hash, and not searched again.
//! The memo is optional: when full it starts empty again, and at the memory limit it stops growing.

use std::hash::{BuildHasher, Hasher};

use beeline_search::memory::{Ledger, OutOfMemory};

/// Bit that marks a mate as a colour.
pub(super) const COLOUR: u32 = 1 << 31;

/// Bit that marks a mate in a key as a colour, above 15 bits of number.
const NAMED_COLOUR: u16 = 1 << 15;

const EMPTY: u32 = u32::MAX;

/// Most words of keys in a memo: 8 MiB, so that the four sweeps of a board stay below 40 MiB. The search is depth-first, so a
/// repeated state was usually met not long before.
const MOST_WORDS: usize = 1 << 20;

/// Look-ups after which the memo is assessed, and how many look-ups one hit must pay for. Hand-made boards of 36×40 to 58×38
/// have no hit in 70,000 look-ups and take twice as long with the memo. On one of 80×30 every fifth look-up is a hit, and the
/// memo saves six sevenths of the work. Not tuned between these.
const TRIAL: u64 = 1 << 12;
const RARE: u64 = 64;

#[derive(Debug, Default)]
pub(super) struct Memo {
    /// Keys of states that are being searched, concatenated.
    pending: Vec<u64>,
    /// Keys of failed states: a length and the words.
    failed: Vec<u64>,
    /// Offset of a key in `failed`, by hash.
    table: Vec<u32>,
    count: usize,
    /// The number of each strand on the frontier while a key is built.
    number: Vec<u16>,
    full: bool,
    /// States that were looked up, and how many of them were known to fail.
    lookups: u64,
    hits: u64,
}

impl Memo {
    /// Are look-ups worth their cost? Yes, until enough of them found nothing.
    #[inline]
    pub(super) fn pays(&self) -> bool {
        self.lookups < TRIAL || self.hits * RARE >= self.lookups
    }

    /// Begins a state; `None` if it is known to fail. Strands come in their order along the frontier.
    pub(super) fn open(
        &mut self,
        fixed: impl Iterator<Item = u64>,
        strands: &[u32],
        mates: &[u32],
        ledger: &mut Ledger,
    ) -> Result<Option<u32>, OutOfMemory> {
        if self.number.len() < mates.len() {
            self.number = ledger.filled(0, mates.len())?;
        }
        for (i, &s) in strands.iter().enumerate() {
            self.number[s as usize] = i as u16;
        }
        let start = self.pending.len();
        for word in fixed {
            ledger.push(&mut self.pending, word)?;
        }
        ledger.reserve(&mut self.pending, strands.len().div_ceil(4))?;
        for four in strands.chunks(4) {
            let mut word = 0;
            for &s in four {
                let mate = mates[s as usize];
                let name =
                    if mate >= COLOUR { mate as u16 | NAMED_COLOUR } else { self.number[mate as usize] };
                word = word << 16 | u64::from(name);
            }
            self.pending.push(word);
        }
        self.lookups += 1;
        if self.find(&self.pending[start..]) {
            self.hits += 1;
            self.pending.truncate(start);
            return Ok(None);
        }
        Ok(Some(start as u32))
    }

    /// Ends the last begun state.
    pub(super) fn close(&mut self, key: u32, failed: bool, ledger: &mut Ledger) {
        let start = key as usize;
        if failed && !self.full && self.pays() && self.insert(start, ledger).is_err() {
            self.full = true;
        }
        self.pending.truncate(start);
    }

    fn hash(key: &[u64]) -> usize {
        let mut hasher = foldhash::fast::FixedState::with_seed(0xF10).build_hasher();
        for &word in key {
            hasher.write_u64(word);
        }
        hasher.finish() as usize
    }

    fn key(&self, at: u32) -> &[u64] {
        let at = at as usize;
        let length = self.failed[at] as usize;
        &self.failed[at + 1..at + 1 + length]
    }

    fn find(&self, key: &[u64]) -> bool {
        if self.table.is_empty() {
            return false;
        }
        let mask = self.table.len() - 1;
        let mut slot = Self::hash(key) & mask;
        while self.table[slot] != EMPTY {
            if self.key(self.table[slot]) == key {
                return true;
            }
            slot = (slot + 1) & mask;
        }
        false
    }

    fn insert(&mut self, start: usize, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let length = self.pending.len() - start;
        if self.failed.len() + length >= MOST_WORDS {
            self.failed.clear();
            self.table.fill(EMPTY);
            self.count = 0;
        }
        if 2 * (self.count + 1) > self.table.len() {
            self.grow(ledger)?;
        }
        let at = self.failed.len() as u32;
        let need = self.failed.len() + length + 1;
        if need > self.failed.capacity() {
            let doubled = (2 * self.failed.capacity()).min(MOST_WORDS);
            ledger.grow_to(&mut self.failed, need.max(doubled))?;
        }
        self.failed.push(length as u64);
        self.failed.extend_from_slice(&self.pending[start..]);
        let mask = self.table.len() - 1;
        let mut slot = Self::hash(&self.pending[start..]) & mask;
        while self.table[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        self.table[slot] = at;
        self.count += 1;
        Ok(())
    }

    fn grow(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let size = (2 * self.table.len()).max(256);
        let bigger = ledger.filled(EMPTY, size)?;
        let old = std::mem::replace(&mut self.table, bigger);
        for &at in old.iter().filter(|&&at| at != EMPTY) {
            let mut slot = Self::hash(self.key(at)) & (size - 1);
            while self.table[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = at;
        }
        ledger.forget(old);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_memo_begins_anew_and_keeps_the_latest_states() {
        let mut ledger = Ledger::new(None);
        let mut memo = Memo::default();
        let state = |n: u64| (0..30).map(move |i| n << 8 | i);
        let most = MOST_WORDS as u64 / 31;
        for n in 0..2 * most + 100 {
            let key = memo.open(state(n), &[], &[], &mut ledger).unwrap().expect("a new state");
            memo.close(key, true, &mut ledger);
            assert!(memo.open(state(n), &[], &[], &mut ledger).unwrap().is_none());
        }
        assert!(memo.open(state(2 * most + 99), &[], &[], &mut ledger).unwrap().is_none());
        assert!(memo.open(state(0), &[], &[], &mut ledger).unwrap().is_some());
        assert!(ledger.peak() < 10 << 20, "{}", ledger.peak());
    }

    #[test]
    fn a_memo_that_is_never_hit_is_given_up() {
        let mut ledger = Ledger::new(None);
        let mut memo = Memo::default();
        for n in 0..2 * TRIAL {
            if memo.pays() {
                let key = memo.open([n].into_iter(), &[], &[], &mut ledger).unwrap().expect("a new state");
                memo.close(key, true, &mut ledger);
            }
        }
        assert!(!memo.pays());
        assert_eq!(memo.lookups, TRIAL);
    }
}
