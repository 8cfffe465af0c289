//! The ranks of a parallel search: identity, transport and saved layers.
//!
//! A rank is one of several equal searchers: a thread, or a process on another machine. The engine requires little of the
//! transport: messages are bytes, and those from one rank to another arrive in the order sent. `parallel::transport` joins
//! threads of this process; crates/cluster joins processes by MPI.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A message that cannot be delivered because a rank is gone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// This rank is gone.
    #[error("rank {0} is gone")]
    Rank(usize),
    /// The system refused a thread.
    #[error("the system gives no more than {given} threads")]
    Thread {
        /// How many ranks have a thread.
        given: usize,
    },
    /// The transport or the folder of saved layers failed, with the reason.
    #[error("{0}")]
    Failed(String),
}

/// The transport of one rank. Each search needs its own: nothing distinguishes the messages of two searches.
pub trait Transport: Send {
    /// This rank's number, from 0. Rank 0 leads.
    fn rank(&self) -> usize;
    /// The number of ranks.
    fn size(&self) -> usize;
    /// Sends a message, and does not wait until it is read.
    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), Lost>;
    /// The next message that has arrived, and its sender. Does not wait.
    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, Lost>;
    /// Waits until a message arrives, but not longer than this.
    fn wait(&mut self, longest: Duration);
    /// Bytes sent from here that have not been received.
    fn backlog(&mut self) -> usize;
    /// Announces that this rank cannot continue.
    fn abandon(&mut self, why: &Lost);
}

/// The transport of this process within its cluster.
#[derive(Clone)]
pub struct Link(pub(crate) Arc<Mutex<dyn Transport>>);

impl Link {
    /// Wraps a transport.
    pub fn new(transport: impl Transport + 'static) -> Self {
        Self(Arc::new(Mutex::new(transport)))
    }
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Link")
    }
}

impl PartialEq for Link {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The kind of ranks.
#[derive(Clone, Debug, PartialEq)]
pub enum Ranks {
    /// So many threads of this process.
    Threads(usize),
    /// Processes of a cluster, of which this is one.
    Link(Link),
}

/// A search by the ranks of a cluster. The memory budget applies to each rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The ranks.
    pub ranks: Ranks,
    /// Where the layers of a breadth-first search are kept.
    pub saving: Option<Saving>,
}

/// Where the layers of a search are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saving {
    /// A folder that every rank can reach.
    pub folder: PathBuf,
    /// Resume from the saved layers instead of starting anew.
    pub resume: bool,
    /// Identifies this puzzle and this job.
    pub instance: u64,
}
