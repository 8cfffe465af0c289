//! The hot part of a rank: generates successors, sends them to their owners, looks up its own.

use super::message::Kind;
use super::rank::{Rank, Stop};
use super::shard::{Child, Lookup, Record, owner};
use crate::core::arena::NodeId;
use crate::core::memory::OutOfMemory;
use crate::core::outcome::{DEAD, Stats};
use crate::core::prune::Ruling;
use crate::core::space::{Cost, Space};

/// States expanded between two rounds of look-ups.
const EXPANSIONS_AT_ONCE: usize = 16;
/// States of a batch looked up at a time.
const WINDOW: usize = 32;
/// Expansions for each rank after which a free-running rank sends its batches. A good state is useless in a buffer.
const FLUSH_AFTER: usize = 64;

impl<S: Space> Rank<'_, S> {
    /// Expands a few states; `false` if none was waiting.
    pub(super) fn expand_some(&mut self, tick: &mut dyn FnMut(&Stats)) -> Result<bool, Stop> {
        let mut state = self.space.start();
        let mut made = 0;
        while made < EXPANSIONS_AT_ONCE {
            if self.meter.due() {
                self.look(tick)?;
            }
            let Some((id, cost)) = self.shard.pop(self.ceiling) else { break };
            self.expand(&mut state, id, cost)?;
            made += 1;
        }
        self.settle(self.me())?;
        self.since_flush += made;
        if !self.order.layered && self.since_flush >= FLUSH_AFTER * self.out.len() {
            self.flush()?;
        }
        Ok(made > 0)
    }

    fn expand(&mut self, state: &mut S::State, id: NodeId, cost: Cost) -> Result<(), Stop> {
        let space = self.space;
        let (me, size) = (self.me(), self.out.len());
        space.unpack_into(&self.shard.arena.keys.get(id), state);
        self.meter.count();
        self.stats.expanded += 1;
        self.stats.depth = self.stats.depth.max(u64::from(cost));
        if self.order.informed {
            self.context.estimate.enter(space, state);
        }
        self.context.prune.enter(space, state);
        for mv in space.moves(state) {
            // A queue counts moves: the cost of a state is its layer.
            let price = if self.order.queue { 1 } else { space.cost(state, mv) };
            let child_cost = cost.saturating_add(price);
            self.stats.generated += 1;
            let token = space.apply(state, mv);
            let goal = space.is_goal(state);
            let (ruling, estimate) = if goal {
                (Ruling::Keep, 0)
            } else {
                let ruling = self.context.prune.judge(space, state, mv, child_cost, &mut self.meter)?;
                let estimate = if self.order.informed && ruling == Ruling::Keep {
                    self.context.estimate.step(space, state, mv)
                } else {
                    0
                };
                (ruling, estimate)
            };
            let key = space.pack(state);
            space.undo(state, mv, token);
            let reach = u64::from(child_cost) + u64::from(estimate);
            if let Ruling::Drop(rule) = ruling {
                self.stats.add_pruned(rule, 1);
                continue;
            }
            if estimate == DEAD || self.bound.is_some_and(|bound| reach >= bound) {
                self.stats.add_pruned("bound", 1);
                continue;
            }
            let hash = self.shard.arena.keys.hash(&key);
            let child = Child { key, hash, parent: id, cost: child_cost, estimate };
            let to = owner(hash, size);
            if goal {
                self.send_goal(&child, to)?;
            } else if to == me {
                self.shard.announce(&child);
                self.meter.ledger.push(&mut self.pending, child)?;
            } else {
                self.post(&child, to)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn post(&mut self, child: &Child<S::Key>, to: usize) -> Result<(), Stop> {
        let batch = &mut self.out[to];
        if batch.is_empty() {
            // The memory was claimed at the start.
            let room = self.batch + self.record.bytes() + 2 * Record::PAD;
            batch.try_reserve_exact(room).map_err(|_| OutOfMemory)?;
            batch.push(Kind::States as u8);
            batch.extend_from_slice(&self.layer.to_le_bytes());
        }
        self.record.write(batch, child);
        self.unsent += 1;
        self.share.sent += 1;
        if batch.len() >= self.batch { self.flush_to(to) } else { Ok(()) }
    }

    fn flush_to(&mut self, to: usize) -> Result<(), Stop> {
        let mut batch = std::mem::take(&mut self.out[to]);
        self.unsent -= (batch.len() - 9) / self.record.bytes();
        batch.extend_from_slice(&[0; Record::PAD]);
        Ok(self.send(to, batch)?)
    }

    /// Sends every non-empty batch.
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        self.since_flush = 0;
        if self.unsent > 0 {
            for to in 0..self.out.len() {
                if !self.out[to].is_empty() {
                    self.flush_to(to)?;
                }
            }
        }
        Ok(())
    }

    /// Sends a goal to its owner at once.
    fn send_goal(&mut self, child: &Child<S::Key>, to: usize) -> Result<(), Stop> {
        if to == self.me() {
            return self.keep_goal(child, to);
        }
        let mut message = Kind::Goal.with(&[self.layer]);
        self.record.write(&mut message, child);
        message.extend_from_slice(&[0; Record::PAD]);
        self.share.sent += 1;
        Ok(self.send(to, message)?)
    }

    pub(super) fn keep_goal(&mut self, child: &Child<S::Key>, maker: usize) -> Result<(), Stop> {
        let (fate, id) = self.shard.settle(&mut self.meter.ledger, child, maker, true)?;
        if fate != Lookup::Duplicate {
            self.send_to_leader(Kind::Found, &[u64::from(child.cost), u64::from(id)])?;
        }
        Ok(())
    }

    /// Receives the successors that another rank generated.
    pub(super) fn accept(
        &mut self,
        from: usize,
        goal: bool,
        layer: Cost,
        records: &[u8],
    ) -> Result<(), Stop> {
        let bytes = self.record.bytes();
        let count = records.len().saturating_sub(Record::PAD) / bytes;
        let mut at = 0;
        while at < count {
            let end = count.min(at + WINDOW);
            for i in at..end {
                let child: Child<S::Key> = self.record.read(&records[i * bytes..], layer.saturating_add(1));
                if goal {
                    self.keep_goal(&child, from)?;
                } else {
                    self.shard.announce(&child);
                    self.meter.ledger.push(&mut self.pending, child)?;
                }
            }
            self.settle(from)?;
            at = end;
        }
        Ok(())
    }

    /// Looks up the pending successors in the order of their arrival.
    fn settle(&mut self, maker: usize) -> Result<(), OutOfMemory> {
        for child in &self.pending {
            self.shard.approach(child);
        }
        let (mut duplicates, mut reopened) = (0, 0);
        for child in &self.pending {
            match self.shard.settle(&mut self.meter.ledger, child, maker, false)?.0 {
                Lookup::New => {}
                Lookup::Reopened => reopened += 1,
                Lookup::Duplicate => duplicates += 1,
            }
        }
        self.pending.clear();
        self.stats.duplicates += duplicates;
        self.stats.reopened += reopened;
        Ok(())
    }
}
