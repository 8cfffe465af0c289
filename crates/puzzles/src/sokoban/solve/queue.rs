//! The states that wait at one end of a search: by path cost where the bound lets them in, by the cost of a whole plan
//! through them where it does not yet.

use std::collections::BTreeMap;

use beeline_search::arena::NodeId;
use beeline_search::memory::{Ledger, OutOfMemory};

/// Waiting states of one end. A state is named by its box set; which of the set's players is meant follows from the cost.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// By path cost: a plan through them may be within the bound.
    ready: BTreeMap<u32, Vec<NodeId>>,
    /// By (cost of a plan, path cost): above the bound.
    later: BTreeMap<(u32, u32), Vec<NodeId>>,
    /// States with a smaller path cost than this are given out.
    pub(crate) limit: u32,
    /// How many wait.
    pub(crate) waiting: usize,
}

impl Queue {
    pub(crate) fn new(limit: u32) -> Self {
        Self { limit, ..Self::default() }
    }

    pub(crate) fn push(
        &mut self,
        ledger: &mut Ledger,
        set: NodeId,
        cost: u32,
        total: u32,
        bound: u32,
    ) -> Result<(), OutOfMemory> {
        let shelf = if total <= bound {
            self.ready.entry(cost).or_default()
        } else {
            self.later.entry((total, cost)).or_default()
        };
        ledger.push(shelf, set)?;
        self.waiting += 1;
        Ok(())
    }

    /// The next state below the limit, with its path cost.
    pub(crate) fn pop(&mut self, ledger: &mut Ledger) -> Option<(NodeId, u32)> {
        loop {
            let mut shelf = self.ready.first_entry()?;
            let cost = *shelf.key();
            if cost >= self.limit {
                return None;
            }
            if let Some(set) = shelf.get_mut().pop() {
                self.waiting -= 1;
                return Some((set, cost));
            }
            ledger.forget(shelf.remove());
        }
    }

    /// The smallest plan cost above the bound.
    pub(crate) fn next_total(&self) -> Option<u32> {
        self.later.first_key_value().map(|((total, _), _)| *total)
    }

    /// The smallest path cost that the bound lets in but the limit does not.
    pub(crate) fn next_cost(&self) -> Option<u32> {
        self.ready.first_key_value().map(|(cost, _)| *cost)
    }

    /// The bound has grown: lets in whoever fits now.
    pub(crate) fn admit(&mut self, ledger: &mut Ledger, bound: u32) -> Result<(), OutOfMemory> {
        while let Some(shelf) = self.later.first_entry() {
            let (total, cost) = *shelf.key();
            if total > bound {
                break;
            }
            let sets = shelf.remove();
            let ready = self.ready.entry(cost).or_default();
            if ready.is_empty() {
                ledger.forget(std::mem::replace(ready, sets));
            } else {
                ledger.reserve(ready, sets.len())?;
                ready.extend_from_slice(&sets);
                ledger.forget(sets);
            }
        }
        Ok(())
    }
}
