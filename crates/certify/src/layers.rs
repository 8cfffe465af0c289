//! Layers: uniform-cost search through all states with f (cost plus bound) below the claim.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use beeline_check::certificate::{Graph, put_number};
use beeline_search::{Budget, Limit, Meter};
use foldhash::fast::FixedState;

use crate::NotWritten;
use crate::watch::Tick;

/// States per block. The checker's threads take blocks and its merge skips them: small enough to skip, large enough that the
/// absolute number at the beginning (up to 19 bytes) is negligible.
const BLOCK: usize = 2048;
/// Bytes of a table slot: the state, cost and bound, and a control byte; a growing table is at most seven eighths full.
const SLOT: usize = (size_of::<(u128, Seen)>() + 1) * 8 / 7;
/// States between two progress reports.
const TICK: u64 = 1 << 16;

/// The known values of a state.
#[derive(Clone, Copy)]
struct Seen {
    cost: u32,
    /// The bound; `DEAD` if no goal is reachable.
    bound: u32,
}

const DEAD: u32 = u32::MAX;

/// The search.
struct Sweep<'a> {
    graph: &'a dyn Graph,
    limit: u64,
    finite: bool,
    seen: HashMap<u128, Seen, FixedState>,
    /// Waiting states by cost.
    waiting: Vec<Vec<u128>>,
    meter: Meter,
}

/// The blocks of evidence and the number of their states. `limit` is `None` if there is no plan at all.
pub(crate) fn sweep(
    graph: &dyn Graph,
    limit: Option<u32>,
    budget: &Budget,
    tick: Tick<'_>,
) -> Result<(Vec<Vec<u8>>, u64), NotWritten> {
    let mut sweep = Sweep {
        graph,
        limit: limit.map_or(u64::MAX, u64::from),
        finite: limit.is_some(),
        seen: HashMap::default(),
        waiting: Vec::new(),
        meter: Meter::new(&Budget { nodes: None, checkpoint: None, ..budget.clone() }),
    };
    if let Some(start) = graph.start() {
        sweep.add(start, 0)?;
    }
    let mut cost = 0;
    while cost < sweep.waiting.len() {
        while let Some(state) = sweep.waiting[cost].pop() {
            sweep.expand(state, cost as u32, tick)?;
        }
        let empty = std::mem::take(&mut sweep.waiting[cost]);
        sweep.meter.ledger.forget(empty);
        cost += 1;
    }
    sweep.write()
}

impl Sweep<'_> {
    fn expand(&mut self, state: u128, cost: u32, tick: Tick<'_>) -> Result<(), NotWritten> {
        if self.seen.get(&state).is_some_and(|seen| seen.cost < cost) {
            return Ok(());
        }
        if self.meter.due() {
            self.meter.look()?;
        }
        self.meter.count();
        if self.meter.expanded().is_multiple_of(TICK) {
            tick(self.meter.expanded(), 0, self.meter.ledger.used());
        }
        if self.graph.is_goal(state) {
            let what = if self.finite { format!("a plan of cost {cost}") } else { "a plan".to_owned() };
            return Err(NotWritten::Contradicted(format!(
                "the checker's rules find {what}, and the solver says that there is none"
            )));
        }
        let graph = self.graph;
        let mut ended = Ok(());
        graph.successors(state, &mut |to, step| {
            let cost = if self.finite { cost.saturating_add(step) } else { 0 };
            if ended.is_ok() && u64::from(cost) < self.limit {
                ended = self.add(to, cost);
            }
        });
        Ok(ended?)
    }

    /// Records a state that is reachable at this cost.
    fn add(&mut self, state: u128, cost: u32) -> Result<(), Limit> {
        self.make_room()?;
        let seen = match self.seen.entry(state) {
            Entry::Occupied(mut there) if cost < there.get().cost => {
                there.get_mut().cost = cost;
                *there.get()
            }
            Entry::Occupied(_) => return Ok(()),
            Entry::Vacant(free) => {
                *free.insert(Seen { cost, bound: self.graph.bound(state).unwrap_or(DEAD) })
            }
        };
        if self.is_needed(seen) {
            let cost = cost as usize;
            if self.waiting.len() <= cost {
                self.waiting.resize_with(cost + 1, Vec::new);
            }
            self.meter.ledger.push(&mut self.waiting[cost], state)?;
        }
        Ok(())
    }

    /// Is cost plus bound below the claim?
    fn is_needed(&self, seen: Seen) -> bool {
        seen.bound != DEAD && u64::from(seen.cost) + u64::from(seen.bound) < self.limit
    }

    /// Claims memory and makes room for one more state.
    fn make_room(&mut self) -> Result<(), Limit> {
        let (length, capacity) = (self.seen.len(), self.seen.capacity());
        if length < capacity {
            return Ok(());
        }
        // Both tables exist while the states are moved.
        let more = capacity.max(1024);
        self.meter.ledger.claim((capacity + more) * SLOT)?;
        self.seen.try_reserve(more).map_err(|_| Limit::Memory)?;
        self.meter.ledger.release(capacity * SLOT);
        Ok(())
    }

    fn write(mut self) -> Result<(Vec<Vec<u8>>, u64), NotWritten> {
        let mut states: Vec<(u128, u32)> = Vec::new();
        let needed = self.seen.iter().filter(|(_, seen)| self.is_needed(**seen)).count();
        self.meter.ledger.grow_to(&mut states, needed).map_err(Limit::from)?;
        states.extend(
            self.seen
                .iter()
                .filter(|(_, seen)| self.is_needed(**seen))
                .map(|(&state, seen)| (state, seen.cost)),
        );
        states.sort_unstable();
        let mut blocks = Vec::new();
        for chunk in states.chunks(BLOCK) {
            let mut block = Vec::with_capacity(4 * BLOCK);
            let mut before = 0;
            for &(state, cost) in chunk {
                put_number(&mut block, state - before);
                put_number(&mut block, u128::from(cost));
                before = state;
            }
            block.shrink_to_fit();
            self.meter.ledger.claim(block.capacity()).map_err(Limit::from)?;
            blocks.push(block);
        }
        Ok((blocks, states.len() as u64))
    }
}
