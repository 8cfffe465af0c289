//! Messages over MPI: non-blocking sends, and receives after a probe.
//!
//! A message must stay in memory until MPI has sent it. The safe interface of rsmpi guarantees that only for buffers that live
//! for a whole block of code, which would keep every batch of a search in memory. So a message is leaked, and reclaimed when
//! its request is done.
#![allow(unsafe_code)]

use std::time::{Duration, Instant};

use beeline_search::parallel::transport::{Lost, Transport};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::Status;
use mpi::request::{Request, StaticScope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};

/// How long a waiting rank sleeps between two probes. Ranks may share cores, so none spins.
const NAP: Duration = Duration::from_micros(50);

/// A message on its way.
struct Sending {
    request: Option<Request<'static, [u8], StaticScope>>,
    message: &'static [u8],
}

/// The transport to the other ranks of `MPI_COMM_WORLD`.
pub struct Mpi {
    sending: Vec<Sending>,
    kept: Option<(usize, Vec<u8>)>,
    world: SimpleCommunicator,
    rank: usize,
    size: usize,
    /// Ends MPI when dropped, so it must be the last field.
    _universe: Universe,
}

// SAFETY: requests and communicators are handles of the MPI library. `join` requested (and got) at least serialized threading:
// any thread may call it, one at a time, and `&mut self` ensures that.
unsafe impl Send for Mpi {}

impl Mpi {
    /// Joins the ranks that were started with this process. The error says why it cannot.
    pub fn join() -> Result<Self, String> {
        let (universe, threading) =
            mpi::initialize_with_threading(Threading::Serialized).ok_or("MPI was started before")?;
        if threading < Threading::Serialized {
            return Err("this MPI library does not allow calls from several threads".to_owned());
        }
        let world = universe.world();
        let (rank, size) = (world.rank() as usize, world.size() as usize);
        Ok(Self { sending: Vec::new(), kept: None, world, rank, size, _universe: universe })
    }

    /// Reclaims the messages that have been sent.
    fn reap(&mut self) {
        self.sending.retain_mut(|sending| {
            let Some(request) = sending.request.take() else { return false };
            match request.test() {
                Ok(_) => {
                    // SAFETY: the slice came from `Box::leak` in `send`. Its request is done, so MPI no longer reads it, and
                    // this entry, the only other owner, is dropped here.
                    drop(unsafe { Box::from_raw(std::ptr::from_ref(sending.message).cast_mut()) });
                    false
                }
                Err(request) => {
                    sending.request = Some(request);
                    true
                }
            }
        });
    }

    fn probe(&mut self) -> Option<(usize, Vec<u8>)> {
        let (message, status): (_, Status) = self.world.any_process().immediate_matched_probe()?;
        let mut bytes = vec![0; status.count(u8::equivalent_datatype()) as usize];
        message.matched_receive_into(&mut bytes[..]);
        Some((status.source_rank() as usize, bytes))
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), Lost> {
        let message: &'static [u8] = Box::leak(message.into_boxed_slice());
        let to = self.world.process_at_rank(to as i32);
        let request = Some(to.immediate_send(StaticScope, message));
        self.sending.push(Sending { request, message });
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, Lost> {
        Ok(self.kept.take().or_else(|| self.probe()))
    }

    fn wait(&mut self, longest: Duration) {
        let clock = Instant::now();
        while self.kept.is_none() {
            self.kept = self.probe();
            if self.kept.is_none() {
                if clock.elapsed() >= longest {
                    return;
                }
                std::thread::sleep(NAP);
            }
        }
    }

    fn backlog(&mut self) -> usize {
        self.reap();
        self.sending.iter().map(|sending| sending.message.len()).sum()
    }

    /// Aborts every rank: MPI cannot end a single one.
    fn abandon(&mut self, why: &Lost) {
        eprintln!("rank {}: {why}; the other ranks are ended", self.rank);
        self.world.abort(1)
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        while !self.sending.is_empty() {
            self.reap();
            std::thread::sleep(NAP);
        }
    }
}
