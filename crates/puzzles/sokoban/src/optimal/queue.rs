//! Open list of one end of the search: ordered by depth where the bound admits a state, and by the cost of a
//! whole plan where it does not yet.

use std::collections::BTreeMap;
use std::collections::btree_map::{Entry, OccupiedEntry};

use beeline_search::arena::NodeId;
use beeline_search::memory::{Ledger, OutOfMemory};

use crate::optimal::Cost;

/// The open states of one end. A state is given by its box set and cost; the cost determines which players of
/// the set are meant.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// By (depth, path cost): states through which a plan may be within the bound.
    ready: BTreeMap<(Cost, Cost), Vec<NodeId>>,
    /// The number of ready states, by depth.
    counts: BTreeMap<Cost, usize>,
    /// By (cost of a plan, depth, path cost): states above the bound.
    later: BTreeMap<(Cost, Cost, Cost), Vec<NodeId>>,
    /// The number of open states.
    pub(crate) waiting: usize,
}

impl Queue {
    pub(crate) fn push(
        &mut self,
        ledger: &mut Ledger,
        set: NodeId,
        (depth, cost, total): (Cost, Cost, Cost),
        bound: Cost,
    ) -> Result<(), OutOfMemory> {
        let row = if total <= bound {
            *self.counts.entry(depth).or_default() += 1;
            self.ready.entry((depth, cost)).or_default()
        } else {
            self.later.entry((total, depth, cost)).or_default()
        };
        if row.len() == row.capacity() {
            // Most states of a search are open, so doubling the capacity would cost too many bytes per state.
            ledger.grow_to(row, row.len() + row.len() / 4 + 8)?;
        }
        row.push(set);
        self.waiting += 1;
        Ok(())
    }

    /// The shallowest ready state, if its depth is below the limit.
    pub(crate) fn pop(&mut self, ledger: &mut Ledger, limit: Cost) -> Option<(NodeId, Cost)> {
        let row = self.ready.first_entry().filter(|row| row.key().0 < limit)?;
        let (depth, taken) = (row.key().0, take(row, ledger));
        self.decrement(depth, taken.is_some());
        taken
    }

    /// Decrements the count of this depth if a state was taken.
    fn decrement(&mut self, depth: Cost, taken: bool) {
        let Entry::Occupied(mut count) = self.counts.entry(depth) else { return };
        *count.get_mut() -= usize::from(taken);
        self.waiting -= usize::from(taken);
        if *count.get() == 0 {
            count.remove();
        }
    }

    /// The deepest ready state.
    pub(crate) fn pop_deepest(&mut self, ledger: &mut Ledger) -> Option<(NodeId, Cost)> {
        let row = self.ready.last_entry()?;
        let (depth, taken) = (row.key().0, take(row, ledger));
        self.decrement(depth, taken.is_some());
        taken
    }

    /// The number of ready states, by depth.
    pub(crate) fn ready(&self) -> impl DoubleEndedIterator<Item = (Cost, usize)> + '_ {
        self.counts.iter().map(|(&depth, &count)| (depth, count))
    }

    /// Is any state within the bound?
    pub(crate) fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The smallest plan cost above the bound.
    pub(crate) fn next_total(&self) -> Option<Cost> {
        self.later.first_key_value().map(|((total, ..), _)| *total)
    }

    /// Moves states that the new bound admits to the ready states.
    pub(crate) fn admit(&mut self, ledger: &mut Ledger, bound: Cost) -> Result<(), OutOfMemory> {
        while let Some(row) = self.later.first_entry() {
            let (total, depth, cost) = *row.key();
            if total > bound {
                break;
            }
            let sets = row.remove();
            *self.counts.entry(depth).or_default() += sets.len();
            let ready = self.ready.entry((depth, cost)).or_default();
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

/// Takes one state from a row, and removes the row when it is empty.
fn take(
    mut row: OccupiedEntry<'_, (Cost, Cost), Vec<NodeId>>,
    ledger: &mut Ledger,
) -> Option<(NodeId, Cost)> {
    let cost = row.key().1;
    let set = row.get_mut().pop();
    if row.get().is_empty() {
        ledger.forget(row.remove());
    }
    set.map(|set| (set, cost))
}
