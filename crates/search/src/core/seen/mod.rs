//! The set of known states.
//!
//! Keys live once, in the arena; these sets hold node numbers only. All variants are exact: equal hashes never make equal
//! states.

mod none;
mod table;
mod tags;

pub use none::Unseen;
pub use table::Table;

use crate::core::arena::{Keys, NodeId};
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::space::Space;

/// A set of the states met so far.
pub trait Seen<S: Space> {
    /// The number under which a state is looked up: a hash of its key, or its rank.
    fn digest(&self, space: &S, state: &S::State, key: &S::Key, keys: &Keys<S::Key>) -> u64;

    /// Prefetches the memory of a look-up.
    #[inline(always)]
    fn announce(&self, digest: u64) {
        let _ = digest;
    }

    /// Prefetches the keys that a look-up announced earlier will compare.
    #[inline(always)]
    fn approach(&self, keys: &Keys<S::Key>, digest: u64) {
        let _ = (keys, digest);
    }

    /// The node with this key, if known. A variant that does not store which node it was gives
    /// [`NO_NODE`](crate::core::arena::NO_NODE).
    fn find(&self, keys: &Keys<S::Key>, digest: u64, key: &S::Key) -> Option<NodeId>;

    /// Records a node of the arena that is not yet in the set.
    fn insert(
        &mut self,
        ledger: &mut Ledger,
        keys: &Keys<S::Key>,
        digest: u64,
        id: NodeId,
    ) -> Result<(), OutOfMemory>;
}
