//! Which states were there before.
//!
//! Keys live once, in the arena; what is here holds node numbers only. All variants are exact: a state is never taken
//! for another because two hashes agree.

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

    /// Announces a look-up, so that memory can be fetched meanwhile.
    #[inline(always)]
    fn announce(&self, digest: u64) {
        let _ = digest;
    }

    /// Announces that the keys behind an announced look-up will be compared next.
    #[inline(always)]
    fn approach(&self, keys: &Keys<S::Key>, digest: u64) {
        let _ = (keys, digest);
    }

    /// The node with this key, if there is one. A variant that does not know which node it was gives
    /// [`NO_NODE`](crate::core::arena::NO_NODE).
    fn find(&self, keys: &Keys<S::Key>, digest: u64, key: &S::Key) -> Option<NodeId>;

    /// Records a node that is in the arena and not in here.
    fn insert(
        &mut self,
        ledger: &mut Ledger,
        keys: &Keys<S::Key>,
        digest: u64,
        id: NodeId,
    ) -> Result<(), OutOfMemory>;
}
