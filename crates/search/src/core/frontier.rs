//! Frontiers: the states that wait to be expanded, and their order.
//!
//! Breadth-first, depth-first, uniform-cost, greedy and A* are one loop with different frontiers. A frontier holds node
//! numbers; it never sees a state.

use crate::core::arena::NodeId;
use crate::core::checkpoint::{Damage, In, Out, Unloadable};
pub use crate::core::evaluator::Priority;
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::space::Cost;

/// A waiting node: its number and its path cost at insertion. An entry whose cost is no longer the node's is stale and is
/// skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which node.
    pub id: NodeId,
    /// Its path cost at insertion.
    pub cost: Cost,
}

/// The order of expansion.
pub trait Frontier {
    /// May the search take several nodes at once without changing the order in which it generates states? True for a queue.
    const IN_ORDER: bool = false;

    /// Puts a node in.
    fn push(&mut self, ledger: &mut Ledger, node: Waiting, priority: Priority) -> Result<(), OutOfMemory>;
    /// Takes the next one out.
    fn pop(&mut self) -> Option<Waiting>;
    /// How many wait.
    fn len(&self) -> usize;
    /// Does none wait?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The smallest waiting key, if the frontier sorts by it.
    fn least(&self) -> Option<u64> {
        None
    }
    /// Writes the waiting entries, in an order that [`restore`](Frontier::restore) understands.
    fn save(&self, out: &mut Out);
    /// Reads `waiting` entries into an empty frontier. Their numbers are below `nodes`.
    fn restore(
        &mut self,
        from: &mut In,
        ledger: &mut Ledger,
        nodes: NodeId,
        waiting: NodeId,
    ) -> Result<(), Unloadable>;
}

impl Waiting {
    fn save(self, out: &mut Out) {
        out.u32(self.id);
        out.u32(self.cost);
    }

    fn load(from: &mut In, nodes: NodeId) -> Result<Self, Damage> {
        let waiting = Self { id: from.u32()?, cost: from.u32()? };
        if waiting.id < nodes { Ok(waiting) } else { Err(Damage::Torn) }
    }
}

/// First in, first out. Nodes are numbered in the order of generation, so the queue is two numbers.
#[derive(Debug, Default)]
pub struct Fifo {
    next: NodeId,
    end: NodeId,
}

impl Frontier for Fifo {
    const IN_ORDER: bool = true;

    #[inline]
    fn push(&mut self, _: &mut Ledger, node: Waiting, _: Priority) -> Result<(), OutOfMemory> {
        debug_assert_eq!(node.id, self.end, "a queue takes nodes in the order of their numbers");
        self.end = node.id + 1;
        Ok(())
    }

    #[inline]
    fn pop(&mut self) -> Option<Waiting> {
        (self.next < self.end).then(|| {
            self.next += 1;
            Waiting { id: self.next - 1, cost: 0 }
        })
    }

    fn len(&self) -> usize {
        (self.end - self.next) as usize
    }

    /// Writes nothing: the number of nodes and the number of waiting ones determine the queue.
    fn save(&self, _: &mut Out) {}

    fn restore(
        &mut self,
        _: &mut In,
        _: &mut Ledger,
        nodes: NodeId,
        waiting: NodeId,
    ) -> Result<(), Unloadable> {
        (self.next, self.end) = (nodes.checked_sub(waiting).ok_or(Damage::Torn)?, nodes);
        Ok(())
    }
}

/// A bucket for each (key, tie): least first, last in first out within a bucket. With equal keys it is a stack.
///
/// Searches with small integer costs use few buckets. Finding one is a short binary search, and popping takes constant time.
#[derive(Debug, Default)]
pub struct Buckets {
    /// Sorted, the least *last*: the bucket in use is at the end.
    sorted: Vec<Bucket>,
    /// Emptied buckets, whose memory is reused.
    spare: Vec<Vec<Waiting>>,
    len: usize,
}

#[derive(Debug)]
struct Bucket {
    key: u64,
    tie: Cost,
    nodes: Vec<Waiting>,
}

impl Frontier for Buckets {
    fn push(&mut self, ledger: &mut Ledger, node: Waiting, priority: Priority) -> Result<(), OutOfMemory> {
        let wanted = (priority.key, priority.tie);
        let at = match self.sorted.binary_search_by(|b| wanted.cmp(&(b.key, b.tie))) {
            Ok(at) => at,
            Err(at) => {
                ledger.reserve(&mut self.sorted, 1)?;
                // Every bucket must find room here when it is emptied.
                ledger.reserve(&mut self.spare, self.sorted.len() + 1)?;
                let nodes = self.spare.pop().unwrap_or_default();
                self.sorted.insert(at, Bucket { key: priority.key, tie: priority.tie, nodes });
                at
            }
        };
        ledger.push(&mut self.sorted[at].nodes, node)?;
        self.len += 1;
        Ok(())
    }

    fn pop(&mut self) -> Option<Waiting> {
        loop {
            if let Some(node) = self.sorted.last_mut()?.nodes.pop() {
                self.len -= 1;
                return Some(node);
            }
            if let Some(empty) = self.sorted.pop() {
                self.spare.push(empty.nodes);
            }
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn least(&self) -> Option<u64> {
        self.sorted.iter().rev().find(|b| !b.nodes.is_empty()).map(|b| b.key)
    }

    fn save(&self, out: &mut Out) {
        for bucket in self.sorted.iter().filter(|b| !b.nodes.is_empty()) {
            out.u64(bucket.key);
            out.u32(bucket.tie);
            out.u32(bucket.nodes.len() as u32);
            bucket.nodes.iter().for_each(|node| node.save(out));
        }
    }

    fn restore(
        &mut self,
        from: &mut In,
        ledger: &mut Ledger,
        nodes: NodeId,
        waiting: NodeId,
    ) -> Result<(), Unloadable> {
        while self.len < waiting as usize {
            let priority = Priority { key: from.u64()?, tie: from.u32()? };
            for _ in 0..from.u32()?.max(1) {
                self.push(ledger, Waiting::load(from, nodes)?, priority)?;
            }
        }
        Ok(())
    }
}

/// A binary heap, least key first, with a fixed order among equal keys. An element rises until its parent is equal or smaller;
/// sinking prefers staying over the left child, and the left child over the right. One of the classic commands counts nodes in
/// exactly this order.
#[derive(Debug, Default)]
pub struct Heap(Vec<(u64, Waiting)>);

impl Frontier for Heap {
    fn push(&mut self, ledger: &mut Ledger, node: Waiting, priority: Priority) -> Result<(), OutOfMemory> {
        ledger.push(&mut self.0, (priority.key, node))?;
        let heap = &mut self.0;
        let mut at = heap.len() - 1;
        while at > 0 && heap[(at - 1) / 2].0 > heap[at].0 {
            heap.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        Ok(())
    }

    fn pop(&mut self) -> Option<Waiting> {
        let heap = &mut self.0;
        if heap.is_empty() {
            return None;
        }
        let (_, node) = heap.swap_remove(0);
        let mut at = 0;
        loop {
            let mut least = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < heap.len() && heap[child].0 < heap[least].0 {
                    least = child;
                }
            }
            if least == at {
                return Some(node);
            }
            heap.swap(at, least);
            at = least;
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn least(&self) -> Option<u64> {
        self.0.first().map(|(key, _)| *key)
    }

    fn save(&self, out: &mut Out) {
        for (key, node) in &self.0 {
            out.u64(*key);
            node.save(out);
        }
    }

    fn restore(
        &mut self,
        from: &mut In,
        ledger: &mut Ledger,
        nodes: NodeId,
        waiting: NodeId,
    ) -> Result<(), Unloadable> {
        for _ in 0..waiting {
            let key = from.u64()?;
            ledger.push(&mut self.0, (key, Waiting::load(from, nodes)?))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(frontier: &mut impl Frontier) -> Vec<NodeId> {
        std::iter::from_fn(|| frontier.pop()).map(|w| w.id).collect()
    }

    fn fill(frontier: &mut impl Frontier, keys: &[(u64, Cost)]) {
        let mut ledger = Ledger::new(None);
        for (id, &(key, tie)) in keys.iter().enumerate() {
            let node = Waiting { id: id as NodeId, cost: 0 };
            frontier.push(&mut ledger, node, Priority { key, tie }).unwrap();
        }
    }

    #[test]
    fn a_queue_and_a_stack() {
        let keys = [(0, 0); 5];
        let (mut queue, mut stack) = (Fifo::default(), Buckets::default());
        fill(&mut queue, &keys);
        fill(&mut stack, &keys);
        assert_eq!(drain(&mut queue), [0, 1, 2, 3, 4]);
        assert_eq!(drain(&mut stack), [4, 3, 2, 1, 0]);
    }

    #[test]
    fn buckets_sort_by_key_then_tie_then_newest() {
        let mut buckets = Buckets::default();
        fill(&mut buckets, &[(5, 1), (3, 9), (3, 2), (5, 0), (3, 2)]);
        assert_eq!(buckets.least(), Some(3));
        assert_eq!(drain(&mut buckets), [4, 2, 1, 3, 0]);
        assert_eq!((buckets.len(), buckets.least()), (0, None));
    }

    #[test]
    fn a_bucket_can_come_back_below_the_least() {
        let mut ledger = Ledger::new(None);
        let mut buckets = Buckets::default();
        fill(&mut buckets, &[(7, 0)]);
        assert_eq!(drain(&mut buckets), [0]);
        let node = Waiting { id: 9, cost: 0 };
        buckets.push(&mut ledger, node, Priority { key: 2, tie: 0 }).unwrap();
        assert_eq!(buckets.pop(), Some(node));
    }

    #[test]
    fn the_heap_keeps_its_documented_order_among_equals() {
        let mut heap = Heap::default();
        fill(&mut heap, &[(1, 0), (1, 0), (1, 0), (0, 0), (1, 0)]);
        // 3 rises to the top. Then the last element replaces the root each time and stays, for none is smaller.
        assert_eq!(drain(&mut heap), [3, 4, 1, 2, 0]);
    }
}
