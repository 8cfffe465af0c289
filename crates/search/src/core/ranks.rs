//! The ranks of a search by several: who they are, how they reach each other, where they save.
//!
//! A rank is one of several equal searchers: a thread here, a process on another machine there. The engine asks little of
//! the way between them: messages are bytes, and those from one rank to another arrive in the order in which they were
//! sent. `parallel::transport` joins threads of this process; crates/cluster joins processes by MPI.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A message that cannot be delivered, because a rank is gone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// This one.
    #[error("rank {0} is gone")]
    Rank(usize),
    /// The system gives no more threads than these.
    #[error("the system gives no more than {given} threads")]
    Thread {
        /// How many ranks have one.
        given: usize,
    },
    /// The way itself is broken.
    #[error("{0}")]
    Way(String),
}

/// The way from one rank to the others. One search for each transport: nothing tells the messages of two apart.
pub trait Transport: Send {
    /// Who am I, counted from 0? The first rank leads.
    fn rank(&self) -> usize;
    /// How many are we?
    fn size(&self) -> usize;
    /// Sends a message, and does not wait until it is read.
    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), Lost>;
    /// The next message that has arrived, and who sent it. Does not wait.
    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, Lost>;
    /// Waits until a message arrives, but not longer than this.
    fn wait(&mut self, longest: Duration);
    /// Bytes that were sent from here and are still on their way.
    fn backlog(&mut self) -> usize;
    /// Tells the others that this rank cannot go on.
    fn abandon(&mut self, why: &Lost);
}

/// The way of this process to the other ranks of its cluster.
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

/// Who the ranks are.
#[derive(Clone, Debug, PartialEq)]
pub enum Ranks {
    /// So many threads of this process.
    Threads(usize),
    /// Processes, of which this is one.
    Link(Link),
}

/// A search by the ranks of a cluster. Its budget of memory is meant for each rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// Who they are.
    pub ranks: Ranks,
    /// Where the layers of a breadth-first search are kept.
    pub saving: Option<Saving>,
}

/// Where the layers of a search are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saving {
    /// A folder that every rank can reach.
    pub folder: PathBuf,
    /// Go on from what is there, instead of starting anew.
    pub resume: bool,
    /// Tells this puzzle and this job from all others.
    pub instance: u64,
}
