//! The transport between threads of one process: a channel for each rank.

use std::sync::Arc;
use std::time::Duration;

pub use crate::core::ranks::{Lost, Transport};
use crate::core::sync::atomic::{AtomicUsize, Ordering};
use crate::core::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

type Envelope = (usize, Vec<u8>);

/// Joins the threads of one process.
pub struct Channel {
    rank: usize,
    inbox: Receiver<Envelope>,
    outboxes: Vec<Sender<Envelope>>,
    /// A message that ended a wait.
    kept: Option<Envelope>,
    shared: Arc<Shared>,
}

struct Shared {
    /// Bytes on their way, by sender.
    backlog: Vec<AtomicUsize>,
    /// One more than the rank that was lost, or 0.
    lost: AtomicUsize,
}

/// Connects `size` threads; one channel for each.
pub fn channels(size: usize) -> Vec<Channel> {
    let shared = Arc::new(Shared {
        backlog: (0..size).map(|_| AtomicUsize::new(0)).collect(),
        lost: AtomicUsize::new(0),
    });
    let (outboxes, inboxes): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
    let ends = inboxes.into_iter().enumerate();
    ends.map(|(rank, inbox)| Channel {
        rank,
        inbox,
        outboxes: outboxes.clone(),
        kept: None,
        shared: shared.clone(),
    })
    .collect()
}

impl Transport for Channel {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.outboxes.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), Lost> {
        self.shared.backlog[self.rank].fetch_add(message.len(), Ordering::Relaxed);
        self.outboxes[to].send((self.rank, message)).map_err(|_| Lost::Rank(to))
    }

    fn receive(&mut self) -> Result<Option<Envelope>, Lost> {
        while let Some((from, message)) = self.kept.take().or_else(|| self.inbox.try_recv().ok()) {
            // An empty message only wakes: see `abandon`.
            if !message.is_empty() {
                self.shared.backlog[from].fetch_sub(message.len(), Ordering::Relaxed);
                return Ok(Some((from, message)));
            }
        }
        match self.shared.lost.load(Ordering::Relaxed) {
            0 => Ok(None),
            rank => Err(Lost::Rank(rank - 1)),
        }
    }

    fn wait(&mut self, longest: Duration) {
        if self.kept.is_none() {
            match self.inbox.recv_timeout(longest) {
                Ok(parcel) => self.kept = Some(parcel),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }

    fn backlog(&mut self) -> usize {
        self.shared.backlog[self.rank].load(Ordering::Relaxed)
    }

    fn abandon(&mut self, _: &Lost) {
        self.shared.lost.store(self.rank + 1, Ordering::Relaxed);
        for outbox in &self.outboxes {
            // An empty message wakes a waiting rank. A rank that is gone needs no message.
            let _ = outbox.send((self.rank, Vec::new()));
        }
    }
}

impl Drop for Channel {
    /// A thread that panics ends its search: the others must not wait for it.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.abandon(&Lost::Rank(self.rank));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_in_order_and_are_counted_on_their_way() {
        let mut ends = channels(2);
        let (mut b, mut a) = (ends.pop().unwrap(), ends.pop().unwrap());
        a.send(1, vec![1; 10]).unwrap();
        a.send(1, vec![2; 20]).unwrap();
        assert_eq!((a.backlog(), b.backlog()), (30, 0));
        b.wait(Duration::ZERO);
        assert_eq!(b.receive(), Ok(Some((0, vec![1; 10]))));
        assert_eq!(b.receive(), Ok(Some((0, vec![2; 20]))));
        assert_eq!((b.receive(), a.backlog()), (Ok(None), 0));
    }

    #[test]
    fn a_thread_that_panics_is_noticed() {
        let mut ends = channels(2);
        let (b, mut a) = (ends.pop().unwrap(), ends.pop().unwrap());
        let gone = std::thread::spawn(move || {
            let _b = b;
            std::panic::resume_unwind(Box::new("on purpose"));
        });
        assert!(gone.join().is_err());
        assert_eq!(a.receive(), Err(Lost::Rank(1)));
    }
}
