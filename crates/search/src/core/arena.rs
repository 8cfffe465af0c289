//! The nodes of a graph search, stored in columns and addressed by number.
//!
//! A node is a packed state and the number of its parent. Searches that need them add a path cost and a heuristic memo. Keys
//! are stored only here: tables and frontiers hold node numbers. The move that led to a node is not stored. A plan is recovered
//! by walking the parents and regenerating each move. That costs a few dozen move generations once and saves a column, and it
//! works for spaces whose keys are canonical forms.

use crate::core::budget::Meter;
use crate::core::checkpoint::{Damage, In, Out, Unloadable};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::space::{Cost, Key, Space};

/// The number of a node.
pub type NodeId = u32;

/// "No node": the parent of a root.
pub const NO_NODE: NodeId = NodeId::MAX;

const SEGMENT_BITS: u32 = 16;
const SEGMENT: usize = 1 << SEGMENT_BITS;
const IN_SEGMENT: usize = SEGMENT - 1;
/// Bytes behind a segment: a key is read in whole words, so the last key needs room behind it.
const PAD: usize = 8;

/// Work of computing a loaded node's memo from scratch, in units of [`Meter::work`] (microseconds).
const WORK_PER_NODE: u64 = 1 << 8;

/// A growing column of values in segments. Growth never copies existing values.
#[derive(Debug)]
pub struct Column<T> {
    segments: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Default for Column<T> {
    fn default() -> Self {
        Self { segments: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Column<T> {
    /// Appends a value.
    #[inline]
    pub fn push(&mut self, ledger: &mut Ledger, value: T) -> Result<(), OutOfMemory> {
        if size_of::<T>() == 0 {
            // A zero-sized value needs no storage: one segment stands for all.
            if self.segments.is_empty() {
                self.segments.push(vec![value]);
            }
            self.len += 1;
            return Ok(());
        }
        let segment = self.len >> SEGMENT_BITS;
        if segment == self.segments.len() {
            self.open(ledger)?;
        }
        let last = &mut self.segments[segment];
        if last.len() == last.capacity() {
            // Only the first segment starts small.
            let capacity = (2 * last.capacity()).clamp(64, SEGMENT);
            ledger.grow_to(last, capacity)?;
        }
        last.push(value);
        self.len += 1;
        Ok(())
    }

    #[cold]
    fn open(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        ledger.reserve(&mut self.segments, 1)?;
        let mut segment = Vec::new();
        if !self.segments.is_empty() {
            ledger.grow_to(&mut segment, SEGMENT)?;
        }
        self.segments.push(segment);
        Ok(())
    }

    /// The value of a node.
    #[inline]
    pub fn get(&self, id: NodeId) -> T {
        if size_of::<T>() == 0 {
            return self.segments[0][0];
        }
        let i = id as usize;
        self.segments[i >> SEGMENT_BITS][i & IN_SEGMENT]
    }

    /// Changes the value of a node.
    #[inline]
    pub fn set(&mut self, id: NodeId, value: T) {
        if size_of::<T>() > 0 {
            let i = id as usize;
            self.segments[i >> SEGMENT_BITS][i & IN_SEGMENT] = value;
        }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Column<u32> {
    /// Writes the first `count` values.
    fn save(&self, out: &mut Out, count: usize) {
        (0..count as NodeId).for_each(|id| out.u32(self.get(id)));
    }

    /// Reads `count` values.
    fn load(&mut self, from: &mut In, ledger: &mut Ledger, count: usize) -> Result<(), Unloadable> {
        for _ in 0..count {
            self.push(ledger, from.u32()?)?;
        }
        Ok(())
    }
}

/// Packed states, `width` bytes each, known by number.
#[derive(Debug)]
pub struct Keys<K> {
    width: usize,
    segments: Vec<Vec<u8>>,
    len: usize,
    /// Masks the last, partial word of a key, so that the neighbour's bytes do not leak into it.
    last_mask: u64,
    key: std::marker::PhantomData<K>,
}

impl<K: Key> Keys<K> {
    /// Room for keys of this width.
    pub fn new(width: usize) -> Self {
        let width = width.clamp(1, K::BYTES);
        let tail = width % 8;
        let last_mask = if tail == 0 { u64::MAX } else { (1 << (8 * tail)) - 1 };
        Self { width, segments: Vec::new(), len: 0, last_mask, key: std::marker::PhantomData }
    }

    /// Bytes a key.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes every key and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes all keys from this number on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends a key and gives its number. The last number is 2³²−2; a larger search is out of memory by definition.
    #[inline]
    pub fn push(&mut self, ledger: &mut Ledger, key: &K) -> Result<NodeId, OutOfMemory> {
        let (segment, slot) = (self.len >> SEGMENT_BITS, self.len & IN_SEGMENT);
        if self.len >= NO_NODE as usize {
            return Err(OutOfMemory);
        }
        if segment == self.segments.len() {
            ledger.reserve(&mut self.segments, 1)?;
            self.segments.push(Vec::new());
        }
        let bytes = &mut self.segments[segment];
        let need = (slot + 1) * self.width + PAD;
        if bytes.len() < need {
            Self::extend(bytes, ledger, segment, slot, self.width)?;
        }
        let at = slot * self.width;
        for i in 0..K::WORDS {
            let from = 8 * i;
            if from >= self.width {
                break;
            }
            // Writes whole words. The next key overwrites what goes beyond this one.
            bytes[at + from..at + from + 8].copy_from_slice(&key.word(i).to_le_bytes());
        }
        let id = self.len as NodeId;
        self.len += 1;
        Ok(id)
    }

    #[cold]
    fn extend(
        bytes: &mut Vec<u8>,
        ledger: &mut Ledger,
        segment: usize,
        slot: usize,
        width: usize,
    ) -> Result<(), OutOfMemory> {
        let slots = if segment == 0 { (2 * slot).clamp(64, SEGMENT) } else { SEGMENT };
        let len = slots * width + PAD;
        ledger.grow_to(bytes, len)?;
        bytes.resize(len, 0);
        Ok(())
    }

    #[inline]
    fn load_word(bytes: &[u8], at: usize) -> u64 {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(word)
    }

    /// The key with this number.
    #[inline]
    pub fn get(&self, id: NodeId) -> K {
        let i = id as usize;
        let bytes = &self.segments[i >> SEGMENT_BITS];
        let at = (i & IN_SEGMENT) * self.width;
        K::from_words(|w| {
            let from = 8 * w;
            if from >= self.width {
                return 0;
            }
            let word = Self::load_word(bytes, at + from);
            if from + 8 >= self.width { word & self.last_mask } else { word }
        })
    }

    /// Is this the key with that number?
    #[inline]
    pub fn is(&self, id: NodeId, key: &K) -> bool {
        let i = id as usize;
        let bytes = &self.segments[i >> SEGMENT_BITS];
        let at = (i & IN_SEGMENT) * self.width;
        (0..K::WORDS).all(|w| {
            let from = 8 * w;
            if from >= self.width {
                return true;
            }
            let word = Self::load_word(bytes, at + from);
            let word = if from + 8 >= self.width { word & self.last_mask } else { word };
            word == key.word(w)
        })
    }

    /// A 64-bit hash of a key, the same in every run.
    #[inline]
    pub fn hash(&self, key: &K) -> u64 {
        hash_words(key, self.width)
    }

    /// Writes the first `count` keys.
    pub(crate) fn save(&self, out: &mut Out, count: usize) {
        for (i, bytes) in self.segments.iter().enumerate() {
            let slots = count.saturating_sub(i * SEGMENT).min(SEGMENT);
            out.bytes(&bytes[..slots * self.width]);
        }
    }

    /// Reads `count` keys.
    pub(crate) fn load(
        &mut self,
        from: &mut In,
        ledger: &mut Ledger,
        count: usize,
    ) -> Result<(), Unloadable> {
        let mut bytes = vec![0; K::WORDS * 8];
        for _ in 0..count {
            from.bytes(&mut bytes[..self.width])?;
            self.push(ledger, &K::from_words(|word| Self::load_word(&bytes, 8 * word)))?;
        }
        Ok(())
    }

    /// Prefetches the key.
    #[inline]
    pub(crate) fn prefetch(&self, id: NodeId) {
        let i = id as usize;
        if let Some(bytes) = self.segments.get(i >> SEGMENT_BITS) {
            crate::core::prefetch::prefetch(bytes, (i & IN_SEGMENT) * self.width);
        }
    }
}

/// Hashes the words of a key: the multiply-and-fold of foldhash, with constants that never change.
#[inline]
pub fn hash_words<K: Key>(key: &K, width: usize) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = foldhash::fast::FixedState::with_seed(0x0BEE_11E5).build_hasher();
    for i in 0..K::WORDS {
        if 8 * i >= width {
            break;
        }
        hasher.write_u64(key.word(i));
    }
    hasher.finish()
}

/// The nodes of a graph search.
#[derive(Debug)]
pub struct Arena<K, M = ()> {
    /// The packed states.
    pub keys: Keys<K>,
    parents: Column<NodeId>,
    costs: Column<Cost>,
    memos: Column<M>,
    with_costs: bool,
}

impl<K: Key, M: Copy> Arena<K, M> {
    /// An empty arena. Without costs (a breadth-first search knows them by layer) a node is smaller.
    pub fn new(key_width: usize, with_costs: bool) -> Self {
        Self {
            keys: Keys::new(key_width),
            parents: Column::default(),
            costs: Column::default(),
            memos: Column::default(),
            with_costs,
        }
    }

    /// Appends a node.
    #[inline]
    pub fn push(
        &mut self,
        ledger: &mut Ledger,
        key: &K,
        parent: NodeId,
        cost: Cost,
        memo: M,
    ) -> Result<NodeId, OutOfMemory> {
        let id = self.keys.push(ledger, key)?;
        self.parents.push(ledger, parent)?;
        if self.with_costs {
            self.costs.push(ledger, cost)?;
        }
        self.memos.push(ledger, memo)?;
        Ok(id)
    }

    /// The node's parent, or [`NO_NODE`].
    #[inline]
    pub fn parent(&self, id: NodeId) -> NodeId {
        self.parents.get(id)
    }

    /// The path cost of a node (0 in an arena without costs).
    #[inline]
    pub fn cost(&self, id: NodeId) -> Cost {
        if self.with_costs { self.costs.get(id) } else { 0 }
    }

    /// The heuristic's memo of a node.
    #[inline]
    pub fn memo(&self, id: NodeId) -> M {
        self.memos.get(id)
    }

    /// Records a cheaper way to a node.
    #[inline]
    pub fn rewire(&mut self, id: NodeId, parent: NodeId, cost: Cost, memo: M) {
        self.parents.set(id, parent);
        if self.with_costs {
            self.costs.set(id, cost);
        }
        self.memos.set(id, memo);
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Writes the first `count` nodes. Memos are not written: they follow from the states.
    pub(crate) fn save(&self, out: &mut Out, count: usize) {
        out.u64(count as u64);
        self.keys.save(out, count);
        self.parents.save(out, count);
        if self.with_costs {
            self.costs.save(out, count);
        }
    }

    /// Reads nodes into an empty arena; `memo` makes each node's memo from its key.
    pub(crate) fn load(
        &mut self,
        from: &mut In,
        meter: &mut Meter,
        memo: &mut dyn FnMut(&K) -> M,
    ) -> Result<(), Unloadable> {
        let count = from.count(self.keys.width())?;
        self.keys.load(from, &mut meter.ledger, count)?;
        self.parents.load(from, &mut meter.ledger, count)?;
        if self.with_costs {
            self.costs.load(from, &mut meter.ledger, count)?;
        }
        for id in 0..count as NodeId {
            // Only the root has no parent. Every other parent comes earlier, or the node was rewired to it.
            let parent = self.parents.get(id);
            if (parent == NO_NODE) != (id == 0) || (parent != NO_NODE && parent as usize >= count) {
                return Err(Damage::Torn.into());
            }
            self.memos.push(&mut meter.ledger, memo(&self.keys.get(id)))?;
            meter.work(WORK_PER_NODE)?;
        }
        Ok(())
    }

    /// The nodes from a root to `id`, root first.
    pub fn lineage(&self, mut id: NodeId) -> Vec<NodeId> {
        let mut line = Vec::new();
        // A chain of parents has no loop; a forged checkpoint might, and must not hang.
        while id != NO_NODE && line.len() < self.len() {
            line.push(id);
            id = self.parent(id);
        }
        line.reverse();
        line
    }

    /// The plan to `id`, followed by `last` if given, and its cost.
    ///
    /// Each move is found again by its effect, the cheapest where several have the same effect. So the plan may cost less than
    /// the node's recorded path cost. The plan is replayed from the real start, so it uses the start's own names even where
    /// keys are canonical.
    pub fn plan<S: Space<Key = K>>(
        &self,
        space: &S,
        id: NodeId,
        last: Option<S::Move>,
    ) -> (Vec<S::Move>, u64) {
        let mut state = space.start();
        let line = self.lineage(id);
        let keys = line.iter().skip(1).map(|&node| self.keys.get(node));
        // The last move was made from the unpacked state of its node. In the replayed state it may have another name.
        let end = last.map(|mv| {
            let mut end = space.unpack(&self.keys.get(id));
            space.apply(&mut end, mv);
            space.pack(&end)
        });
        replay(space, &mut state, keys.chain(end))
    }
}

/// The moves that lead from `state` through these keys in order, and their cost.
///
/// Every key must be one move away from its predecessor. A key that is not (a caller's defect or a forged checkpoint) ends the
/// plan there, and the checker rejects the plan.
pub(crate) fn replay<S: Space>(
    space: &S,
    state: &mut S::State,
    keys: impl Iterator<Item = S::Key>,
) -> (Vec<S::Move>, u64) {
    let (mut plan, mut total) = (Vec::new(), 0);
    for key in keys {
        let mut best: Option<(Cost, S::Move)> = None;
        for mv in space.moves(state) {
            let cost = space.cost(state, mv);
            let token = space.apply(state, mv);
            let hit = space.pack(state) == key;
            space.undo(state, mv, token);
            if hit && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, mv));
            }
        }
        let Some((cost, mv)) = best else { break };
        space.apply(state, mv);
        plan.push(mv);
        total += u64::from(cost);
    }
    (plan, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_odd_width_come_back() {
        let mut ledger = Ledger::new(None);
        let mut keys: Keys<[u8; 11]> = Keys::new(11);
        let make = |i: u32| {
            let mut k = [0u8; 11];
            k[..4].copy_from_slice(&i.to_le_bytes());
            k[10] = (i % 251) as u8;
            k
        };
        for i in 0..150_000 {
            assert_eq!(keys.push(&mut ledger, &make(i)).unwrap(), i);
        }
        for i in (0..150_000).step_by(37) {
            assert_eq!(keys.get(i), make(i));
            assert!(keys.is(i, &make(i)));
            assert!(!keys.is(i, &make(i + 1)));
        }
        assert!(ledger.used() >= 150_000 * 11);
    }

    #[test]
    fn only_the_significant_bytes_are_stored() {
        let mut ledger = Ledger::new(None);
        let mut keys: Keys<u64> = Keys::new(3);
        keys.push(&mut ledger, &0x11_2233).unwrap();
        keys.push(&mut ledger, &0x44_5566).unwrap();
        assert_eq!((keys.get(0), keys.get(1)), (0x11_2233, 0x44_5566));
    }

    #[test]
    fn columns_grow_by_segments() {
        let mut ledger = Ledger::new(None);
        let mut column = Column::default();
        for i in 0..200_000u32 {
            column.push(&mut ledger, i).unwrap();
        }
        assert_eq!((column.get(0), column.get(65_536), column.get(199_999)), (0, 65_536, 199_999));
        column.set(70_000, 1);
        assert_eq!(column.get(70_000), 1);
    }
}
