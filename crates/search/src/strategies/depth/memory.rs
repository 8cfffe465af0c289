//! The memory of a depth-first search.

use crate::core::arena::{Keys, NodeId};
use crate::core::checkpoint::{In, Out, Unloadable};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::seen::Table;
use crate::core::space::{Cost, Space};

/// What a depth-first search remembers of visited states.
pub trait Memory<S: Space> {
    /// Is a state with this much remaining cost worth searching? If so, remembers it.
    fn admit(
        &mut self,
        space: &S,
        state: &S::State,
        slack: Cost,
        ledger: &mut Ledger,
    ) -> Result<bool, OutOfMemory>;
    /// Clears the memory before a round with another bound.
    fn clear(&mut self);
    /// How many states are held.
    fn stored(&self) -> u64;
    /// Writes the memory to a checkpoint.
    fn save(&self, out: &mut Out) {
        let _ = out;
    }
    /// Reads the memory from a checkpoint.
    fn load(&mut self, from: &mut In, ledger: &mut Ledger) -> Result<(), Unloadable> {
        let _ = (from, ledger);
        Ok(())
    }
}

/// Remembers nothing: the tree search of IDA*.
impl<S: Space> Memory<S> for () {
    #[inline(always)]
    fn admit(&mut self, _: &S, _: &S::State, _: Cost, _: &mut Ledger) -> Result<bool, OutOfMemory> {
        Ok(true)
    }
    fn clear(&mut self) {}
    fn stored(&self) -> u64 {
        0
    }
}

/// Remembers each state with the most cost that remained there. A state is searched again only if more remains now. With a
/// plain set of visited states, a depth-limited search would miss plans.
#[derive(Debug)]
pub struct SlackTable<S: Space> {
    keys: Keys<S::Key>,
    slack: Vec<Cost>,
    table: Table,
    /// More remaining cost than this makes no difference.
    most: Cost,
}

impl<S: Space> SlackTable<S> {
    /// An empty table.
    pub fn new(space: &S) -> Self {
        Self { keys: Keys::new(space.key_width()), slack: Vec::new(), table: Table::new(), most: Cost::MAX }
    }

    /// An empty table that admits each state once, however much cost remains: a plain set of visited states.
    pub fn once(space: &S) -> Self {
        Self { most: 0, ..Self::new(space) }
    }
}

impl<S: Space> Memory<S> for SlackTable<S> {
    fn admit(
        &mut self,
        space: &S,
        state: &S::State,
        slack: Cost,
        ledger: &mut Ledger,
    ) -> Result<bool, OutOfMemory> {
        let slack = slack.min(self.most);
        let key = space.pack(state);
        let hash = self.keys.hash(&key);
        if let Some(id) = self.table.lookup(&self.keys, hash, &key) {
            let known = &mut self.slack[id as usize];
            let more = slack > *known;
            if more {
                *known = slack;
            }
            return Ok(more);
        }
        self.slack.truncate(self.keys.len());
        ledger.push(&mut self.slack, slack)?;
        let id: NodeId = self.keys.push(ledger, &key)?;
        if let Err(full) = self.table.record(ledger, &self.keys, hash, id) {
            // The table does not have it, so the keys must not either: a resumed search must find the state new.
            self.keys.truncate(id as usize);
            return Err(full);
        }
        Ok(true)
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.slack.clear();
        self.table.clear();
    }

    fn stored(&self) -> u64 {
        self.keys.len() as u64
    }

    fn save(&self, out: &mut Out) {
        let count = self.keys.len();
        out.u64(count as u64);
        self.keys.save(out, count);
        self.slack[..count].iter().for_each(|&slack| out.u32(slack));
    }

    fn load(&mut self, from: &mut In, ledger: &mut Ledger) -> Result<(), Unloadable> {
        let count = from.count(self.keys.width())?;
        self.keys.load(from, ledger, count)?;
        for id in 0..count as NodeId {
            ledger.push(&mut self.slack, from.u32()?)?;
            let hash = self.keys.hash(&self.keys.get(id));
            self.table.record(ledger, &self.keys, hash, id)?;
        }
        Ok(())
    }
}
