//! A binary radix tree over the bits of the keys.
//!
//! Slower than the table, and kept for what it can say: how many nodes and how many prefix bits a path-compressed tree
//! of these keys has, the figure that one of the classic reports prints as its auxiliary memory.

use super::Seen;
use crate::core::arena::{Keys, NO_NODE, NodeId};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::space::{Key, Space};

/// An inner node asks one bit and has two children; a child with the top bit set is a leaf: a node of the arena.
#[derive(Clone, Copy, Debug)]
struct Fork {
    bit: u32,
    children: [u32; 2],
}

const LEAF: u32 = 1 << 31;

/// The radix tree of the states met; holds at most 2³¹ of them.
#[derive(Debug, Default)]
pub struct Radix {
    forks: Vec<Fork>,
    root: Option<u32>,
    len: usize,
}

/// Bit `i` of a key, in the order in which the tree reads it: least significant first.
#[inline]
fn bit<K: Key>(key: &K, i: u32) -> usize {
    (key.word(i as usize / 64) >> (i % 64) & 1) as usize
}

/// The first bit in which two keys differ.
#[inline]
fn first_difference<K: Key>(a: &K, b: &K) -> Option<u32> {
    (0..K::WORDS).find_map(|i| {
        let x = a.word(i) ^ b.word(i);
        (x != 0).then(|| 64 * i as u32 + x.trailing_zeros())
    })
}

impl Radix {
    /// An empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many keys it holds.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Does it hold none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The leaf to which the bits of `key` lead.
    fn nearest<K: Key>(&self, key: &K) -> Option<NodeId> {
        let mut at = self.root?;
        while at & LEAF == 0 {
            let fork = &self.forks[at as usize];
            at = fork.children[bit(key, fork.bit)];
        }
        Some(at & !LEAF)
    }
}

impl<S: Space> Seen<S> for Radix {
    #[inline(always)]
    fn digest(&self, _: &S, _: &S::State, _: &S::Key, _: &Keys<S::Key>) -> u64 {
        0
    }

    fn find(&self, keys: &Keys<S::Key>, _: u64, key: &S::Key) -> Option<NodeId> {
        self.nearest(key).filter(|&id| keys.is(id, key))
    }

    fn insert(
        &mut self,
        ledger: &mut Ledger,
        keys: &Keys<S::Key>,
        _: u64,
        id: NodeId,
    ) -> Result<(), OutOfMemory> {
        if id >= LEAF || id == NO_NODE {
            return Err(OutOfMemory);
        }
        let key = keys.get(id);
        let Some(near) = self.nearest(&key) else {
            (self.root, self.len) = (Some(id | LEAF), 1);
            return Ok(());
        };
        let Some(split) = first_difference(&keys.get(near), &key) else {
            return Ok(());
        };
        // The new fork goes where the path first asks a later bit than the one that tells the two apart.
        let mut above: Option<(usize, usize)> = None;
        let mut at = self.root.unwrap_or(id | LEAF);
        while at & LEAF == 0 && self.forks[at as usize].bit < split {
            let side = bit(&key, self.forks[at as usize].bit);
            above = Some((at as usize, side));
            at = self.forks[at as usize].children[side];
        }
        let mut children = [at; 2];
        children[bit(&key, split)] = id | LEAF;
        let fork = self.forks.len() as u32;
        ledger.push(&mut self.forks, Fork { bit: split, children })?;
        match above {
            Some((parent, side)) => self.forks[parent].children[side] = fork,
            None => self.root = Some(fork),
        }
        self.len += 1;
        Ok(())
    }
}
