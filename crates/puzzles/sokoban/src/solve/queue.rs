//! The states that wait at one end of a search: by path cost where the bound lets them in, by the cost of a whole plan
//! through them where it does not yet.

use std::collections::BTreeMap;
use std::collections::btree_map::OccupiedEntry;

use beeline_search::arena::NodeId;
use beeline_search::memory::{Ledger, OutOfMemory};

/// Waiting states of one end. A state is named by its box set; which of the set's players is meant follows from the cost.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// By path cost: a plan through them may be within the bound.
    ready: BTreeMap<u32, Vec<NodeId>>,
    /// By (cost of a plan, path cost): above the bound.
    later: BTreeMap<(u32, u32), Vec<NodeId>>,
    /// How many wait.
    pub(crate) waiting: usize,
}

impl Queue {
    pub(crate) fn push(
        &mut self,
        ledger: &mut Ledger,
        set: NodeId,
        cost: u32,
        total: u32,
        bound: u32,
    ) -> Result<(), OutOfMemory> {
        let row = if total <= bound {
            self.ready.entry(cost).or_default()
        } else {
            self.later.entry((total, cost)).or_default()
        };
        if row.len() == row.capacity() {
            // Most states of a search wait, so doubling would show in the bytes a state.
            ledger.grow_to(row, row.len() + row.len() / 4 + 8)?;
        }
        row.push(set);
        self.waiting += 1;
        Ok(())
    }

    /// The state with the smallest path cost, if that is below the limit.
    pub(crate) fn pop(&mut self, ledger: &mut Ledger, limit: u32) -> Option<(NodeId, u32)> {
        let row = self.ready.first_entry().filter(|row| *row.key() < limit)?;
        let taken = take(row, ledger);
        self.waiting -= usize::from(taken.is_some());
        taken
    }

    /// A state with the greatest path cost within the bound.
    pub(crate) fn pop_deepest(&mut self, ledger: &mut Ledger) -> Option<(NodeId, u32)> {
        let taken = take(self.ready.last_entry()?, ledger);
        self.waiting -= usize::from(taken.is_some());
        taken
    }

    /// Some of those who wait, taken evenly from all that the bound lets in, with their path costs.
    pub(crate) fn sample(&self, count: usize) -> Vec<(NodeId, u32)> {
        let total: usize = self.ready.values().map(Vec::len).sum();
        let stride = (total / count.max(1)).max(1);
        let all = self.ready.iter().flat_map(|(&cost, row)| row.iter().map(move |&set| (set, cost)));
        all.step_by(stride).take(count).collect()
    }

    /// How many wait within the bound, by path cost.
    pub(crate) fn ready(&self) -> impl DoubleEndedIterator<Item = (u32, usize)> + '_ {
        self.ready.iter().map(|(&cost, row)| (cost, row.len()))
    }

    /// The smallest plan cost above the bound.
    pub(crate) fn next_total(&self) -> Option<u32> {
        self.later.first_key_value().map(|((total, _), _)| *total)
    }

    /// The bound has grown: lets in whoever fits now.
    pub(crate) fn admit(&mut self, ledger: &mut Ledger, bound: u32) -> Result<(), OutOfMemory> {
        while let Some(row) = self.later.first_entry() {
            let (total, cost) = *row.key();
            if total > bound {
                break;
            }
            let sets = row.remove();
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

/// Takes one state from a row, and the row away when it is empty.
fn take(mut row: OccupiedEntry<'_, u32, Vec<NodeId>>, ledger: &mut Ledger) -> Option<(NodeId, u32)> {
    let cost = *row.key();
    let set = row.get_mut().pop();
    if row.get().is_empty() {
        ledger.forget(row.remove());
    }
    set.map(|set| (set, cost))
}
