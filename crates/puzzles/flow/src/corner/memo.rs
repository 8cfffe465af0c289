//! States of the sweep that are known to fail.
//!
//! What can still come after a diagonal depends on the links that cross into it, on the turns just before it, and on which open
//! strands belong together: not on how it came about. A state all of whose continuations failed is kept, whole and not
//! as a hash, and never searched again. The memo is a help and not a need: where memory ends, it stops growing.

use std::hash::{BuildHasher, Hasher};

use beeline_search::memory::{Ledger, OutOfMemory};

/// Mates from here on are colours.
pub(super) const COLOUR: u32 = 1 << 31;

/// A mate in a key: 15 bits, and the highest one for a colour.
const NAMED_COLOUR: u16 = 1 << 15;

const EMPTY: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct Memo {
    /// Keys of states that are being searched, one behind the other.
    pending: Vec<u64>,
    /// Keys of states that failed: a length and the words.
    failed: Vec<u64>,
    /// Where a key begins in `failed`, by hash.
    table: Vec<u32>,
    count: usize,
    /// The number of each strand on the frontier, while a key is made.
    number: Vec<u16>,
    full: bool,
}

impl Memo {
    /// Begins a state; `None` if it is known to fail. The strands are given in their order along the frontier.
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
        if self.find(&self.pending[start..]) {
            self.pending.truncate(start);
            return Ok(None);
        }
        Ok(Some(start as u32))
    }

    /// Ends the state that was begun last.
    pub(super) fn close(&mut self, key: u32, failed: bool, ledger: &mut Ledger) {
        let start = key as usize;
        if failed && !self.full && self.insert(start, ledger).is_err() {
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
        if 2 * (self.count + 1) > self.table.len() {
            self.grow(ledger)?;
        }
        let length = self.pending.len() - start;
        let at = u32::try_from(self.failed.len()).map_err(|_| OutOfMemory)?;
        ledger.reserve(&mut self.failed, length + 1)?;
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
