//! The empty set of known states: a tree search.

use super::Seen;
use crate::core::arena::{Keys, NodeId};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::space::Space;

/// Remembers no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unseen;

impl<S: Space> Seen<S> for Unseen {
    #[inline(always)]
    fn digest(&self, _: &S, _: &S::State, _: &S::Key, _: &Keys<S::Key>) -> u64 {
        0
    }
    #[inline(always)]
    fn find(&self, _: &Keys<S::Key>, _: u64, _: &S::Key) -> Option<NodeId> {
        None
    }
    #[inline(always)]
    fn insert(&mut self, _: &mut Ledger, _: &Keys<S::Key>, _: u64, _: NodeId) -> Result<(), OutOfMemory> {
        Ok(())
    }
}
