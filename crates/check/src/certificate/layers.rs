//! Layers: states with costs, closed under moves that stay below the claim.
//!
//! Let C be the claim. The states come in ascending order, in blocks. Five conditions must hold. The start has cost 0. No state
//! is a goal. Every cost is below C. A move of cost c from a state of cost g leads to a state listed with cost at most g + c,
//! or whose bound h has g + c + h >= C. By induction, each state of a plan below C is listed with at most its path cost, so
//! such a plan never reaches a goal. If C is infinite, costs do not matter: the set is closed and contains no goal.
//!
//! Each thread takes blocks, collects the successors of their states, sorts them and merges them with the sorted blocks. So
//! memory is the compressed file and a fixed number of such demands per thread.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::file::{Certificate, states_of};
use super::{ENDED, Fault, Figures, GoOn, Graph};

/// Demands that a thread sorts and merges at once: 32 bytes each, so 64 MiB per thread.
const DEMANDS: usize = 1 << 21;

/// A state that must be listed with at most this cost, or be cut off by its bound.
type Demand = (u128, u32);

struct Layers<'a> {
    graph: &'a dyn Graph,
    /// The claim; greater than every cost if it is infinite.
    limit: u64,
    /// Is the claim finite? Otherwise there are no costs.
    finite: bool,
    /// The first state of each block, and the block.
    blocks: Vec<(u128, &'a [u8])>,
}

/// Verifies layers with all cores.
pub(super) fn verify(
    graph: &dyn Graph,
    limit: Option<u32>,
    certificate: &Certificate<'_>,
    go_on: GoOn<'_>,
) -> Result<Figures, Fault> {
    let mut blocks: Vec<(u128, &[u8])> = Vec::with_capacity(certificate.blocks.len());
    for (i, block) in certificate.blocks.iter().enumerate() {
        let place = || format!("block {}", i + 1);
        let (first, _) =
            states_of(block).next().unwrap_or(Err("no states")).map_err(|why| Fault::at(place(), why))?;
        blocks.push((first, block));
    }
    let layers = Layers { graph, limit: limit.map_or(u64::MAX, u64::from), finite: limit.is_some(), blocks };
    if let Some(start) = graph.start() {
        layers.settle(&mut vec![(start, 0)]).map_err(|fault| Fault { place: "start".to_owned(), ..fault })?;
    }
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(layers.blocks.len()).max(1);
    let ended: Vec<Result<u64, Fault>> = std::thread::scope(|scope| {
        let thread = || {
            let ended = layers.take_blocks(&next, go_on);
            if ended.is_err() {
                next.store(layers.blocks.len(), Ordering::Relaxed);
            }
            ended
        };
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(thread)).collect();
        let own = thread();
        let lost = || Err(Fault::at("verification", "a thread ended early"));
        others.into_iter().map(|other| other.join().unwrap_or_else(|_| lost())).chain([own]).collect()
    });
    let mut items = 0;
    for count in ended {
        items += count?;
    }
    Ok(Figures { items })
}

impl Layers<'_> {
    /// Verifies blocks until none is left, and returns the number of their states.
    fn take_blocks(&self, next: &AtomicUsize, go_on: GoOn<'_>) -> Result<u64, Fault> {
        let (mut count, mut demands) = (0, Vec::new());
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= self.blocks.len() {
                break;
            }
            if !go_on(i as u64, self.blocks.len() as u64) {
                return Err(Fault::at(format!("block {}", i + 1), ENDED));
            }
            count += self.block(i, &mut demands)?;
        }
        self.settle(&mut demands)?;
        Ok(count)
    }

    /// Verifies the states of a block in isolation, and collects the demands of their moves.
    fn block(&self, i: usize, demands: &mut Vec<Demand>) -> Result<u64, Fault> {
        let beyond = self.blocks.get(i + 1).map(|next| next.0);
        let mut count = 0;
        for state in states_of(self.blocks[i].1) {
            count += 1;
            let fault = |why: &str| Fault::at(format!("block {}, state {count}", i + 1), why);
            let (state, cost) = state.map_err(fault)?;
            if beyond.is_some_and(|beyond| state >= beyond) {
                return Err(fault("the blocks do not ascend"));
            }
            if u64::from(cost) >= self.limit {
                return Err(fault("its cost is not below the claim"));
            }
            if !self.graph.is_state(state) {
                return Err(fault("no state has this number"));
            }
            if self.graph.is_goal(state) {
                return Err(fault(&format!("a goal at cost {cost}")));
            }
            self.graph.successors(state, &mut |to, step| {
                let cost = if self.finite { cost.saturating_add(step) } else { 0 };
                if u64::from(cost) < self.limit {
                    demands.push((to, cost));
                }
            });
            if demands.len() >= DEMANDS {
                self.settle(demands)?;
            }
        }
        Ok(count)
    }

    /// Checks that all demands are met, or returns the first that is not.
    fn settle(&self, demands: &mut Vec<Demand>) -> Result<(), Fault> {
        demands.sort_unstable();
        // Of equal states the cheapest comes first and is the hardest to meet.
        demands.dedup_by_key(|demand| demand.0);
        let mut rest = &demands[..];
        let mut i = 0;
        while let Some(&(state, _)) = rest.first() {
            // The last block that begins at or before the state.
            i += self.blocks[i..].partition_point(|block| block.0 <= state);
            let here = i.checked_sub(1);
            let beyond = self.blocks.get(i).map_or(u128::MAX, |next| next.0);
            let here_count = rest.partition_point(|demand| demand.0 < beyond || i >= self.blocks.len());
            let (demanded, after) = rest.split_at(here_count);
            self.settle_in(here, demanded)?;
            rest = after;
            i = here.unwrap_or(0);
        }
        demands.clear();
        Ok(())
    }

    /// Checks demands that fall into one block, or before all blocks.
    fn settle_in(&self, block: Option<usize>, demands: &[Demand]) -> Result<(), Fault> {
        let mut there = block.map(|i| states_of(self.blocks[i].1)).into_iter().flatten().peekable();
        for &(state, cost) in demands {
            let place = || block.map_or("before block 1".to_owned(), |i| format!("block {}", i + 1));
            let mut found = None;
            while let Some(next) = there.peek() {
                let (next, at) = (*next).map_err(|why| Fault::at(place(), why))?;
                if next >= state {
                    found = (next == state).then_some(at);
                    break;
                }
                there.next();
            }
            let met = match found {
                Some(at) => !self.finite || at <= cost,
                None => self.graph.bound(state).is_none_or(|h| u64::from(cost) + u64::from(h) >= self.limit),
            };
            if !met {
                let what = if found.is_some() { "its cost is too large" } else { "it is missing" };
                let why = format!("state {state:#x} can be reached at cost {cost}, and {what}");
                return Err(Fault::at(place(), why));
            }
        }
        Ok(())
    }
}
