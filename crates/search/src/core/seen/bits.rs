//! One bit a state, for spaces whose states are numbered.

use super::Seen;
use crate::core::arena::{Keys, NO_NODE, NodeId};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::space::Ranked;

/// A bit for each rank.
#[derive(Debug)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// All clear, for a space of this many states.
    pub fn new(states: u64, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let words = usize::try_from(states.div_ceil(64)).map_err(|_| OutOfMemory)?;
        Ok(Self(ledger.filled(0, words)?))
    }
}

impl<S: Ranked> Seen<S> for Bits {
    #[inline]
    fn digest(&self, space: &S, state: &S::State, _: &S::Key, _: &Keys<S::Key>) -> u64 {
        space.rank(state)
    }
    #[inline(always)]
    fn announce(&self, digest: u64) {
        crate::core::prefetch::prefetch(&self.0, (digest / 64) as usize);
    }
    #[inline]
    fn find(&self, _: &Keys<S::Key>, digest: u64, _: &S::Key) -> Option<NodeId> {
        (self.0[(digest / 64) as usize] >> (digest % 64) & 1 == 1).then_some(NO_NODE)
    }
    #[inline]
    fn insert(
        &mut self,
        _: &mut Ledger,
        _: &Keys<S::Key>,
        digest: u64,
        _: NodeId,
    ) -> Result<(), OutOfMemory> {
        self.0[(digest / 64) as usize] |= 1 << (digest % 64);
        Ok(())
    }
}
