//! Searches for visitors: so many at a time, each on a thread of its own, each ended when its visitor leaves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use beeline_search::Cancel;
use hyper::body::{Body, Bytes, Frame};
use serde::Serialize;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Semaphore, mpsc};

/// Messages on their way to a visitor.
const QUEUE: usize = 16;
/// How long a visitor may leave a message lying after the time of the search is over.
const GRACE: Duration = Duration::from_secs(10);

/// The places for searches.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    places: Arc<Semaphore>,
    most: usize,
    end: Cancel,
}

/// All places are taken.
#[derive(Debug)]
pub(crate) struct Full;

impl Runs {
    pub(crate) fn new(most: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(most)), most, end: Cancel::default() }
    }

    /// How many searches may run at a time.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// How many searches are running.
    pub(crate) fn running(&self) -> usize {
        self.most - self.places.available_permits()
    }

    /// Ends every search.
    pub(crate) fn end(&self) {
        self.end.cancel();
    }

    /// Runs a search on its own thread. The stream is what it tells; when the stream is dropped, the search is cancelled.
    pub(crate) fn start(
        &self,
        time: Duration,
        search: impl FnOnce(&mut Teller) + Send + 'static,
    ) -> Result<Stream, Full> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Full)?;
        let (sender, receiver) = mpsc::channel(QUEUE);
        let cancel = Cancel::default();
        let until = Instant::now() + time + GRACE;
        let mut teller = Teller { sender, cancel: cancel.clone(), end: self.end.clone(), until };
        let started = std::thread::Builder::new().name("beeline-search".to_owned()).spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| search(&mut teller)));
            if ended.is_err() {
                let message =
                    "the search broke down; this is a bug in Beeline, please report it with the puzzle";
                teller.tell("failed", &serde_json::json!({ "message": message }));
            }
            drop(place);
        });
        // No thread to be had is as full as no place.
        started.map(|_| Stream { receiver, cancel }).map_err(|_| Full)
    }
}

/// How a search speaks to its visitor.
pub(crate) struct Teller {
    sender: mpsc::Sender<Bytes>,
    cancel: Cancel,
    end: Cancel,
    until: Instant,
}

impl Teller {
    /// The flag that ends this search.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Says something that must not be lost; waits while the visitor is slow, but not for ever.
    pub(crate) fn tell(&mut self, event: &str, data: &impl Serialize) {
        let Some(mut message) = message(event, data) else { return };
        loop {
            match self.sender.try_send(message) {
                Ok(()) => return,
                Err(TrySendError::Closed(_)) => break,
                Err(TrySendError::Full(back)) => message = back,
            }
            if self.end.is_cancelled() || Instant::now() > self.until {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.cancel.cancel();
    }

    /// Says something that may be left out, because there will be more like it.
    pub(crate) fn mention(&mut self, event: &str, data: &impl Serialize) {
        if self.end.is_cancelled() {
            self.cancel.cancel();
        }
        if let Some(message) = message(event, data)
            && let Err(TrySendError::Closed(_)) = self.sender.try_send(message)
        {
            self.cancel.cancel();
        }
    }
}

/// One server-sent event.
fn message(event: &str, data: &impl Serialize) -> Option<Bytes> {
    // Our own plain structures can always be written; if one could not, it would not be sent.
    let data = serde_json::to_string(data).ok()?;
    Some(Bytes::from(format!("event: {event}\ndata: {data}\n\n")))
}

/// What a search tells, as the body of an answer.
pub(crate) struct Stream {
    receiver: mpsc::Receiver<Bytes>,
    cancel: Cancel,
}

impl Body for Stream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.receiver.poll_recv(context).map(|message| message.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Whoever stops listening stops the search.
impl Drop for Stream {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
