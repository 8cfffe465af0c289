//! Searches for visitors: a limited number, each on its own thread with a part of the memory. A search ends when its
//! visitor leaves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use beeline_messages::EventSink as _;
use beeline_search::Cancel;
use hyper::body::{Body, Bytes, Frame};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::Sleep;

use crate::buffers::Buffers;
use crate::connections::{RequestGuard, Visitor, lock};
use crate::limits::Limits;

/// The most messages in transit to a visitor.
const QUEUE: usize = 16;
/// After the time limit of a search, its visitor has this long to read a message.
const GRACE: Duration = Duration::from_secs(10);
/// How long a search may continue after it was cancelled. Searches check the flag every few milliseconds.
const CANCEL_TIME: Duration = Duration::from_secs(5);
/// After this long without an event, a stream sends a comment. Only a write reveals that a visitor left silently.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// A comment in the format of server-sent events.
const NOTHING: Bytes = Bytes::from_static(b":\n\n");

/// The registry of running searches.
#[derive(Clone, Debug)]
pub(crate) struct Runs(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: Limits,
    buffers: Buffers,
    end: Cancel,
    running: Mutex<Vec<Arc<Run>>>,
    /// The number of the next search.
    next: AtomicU64,
}

/// A running search.
#[derive(Debug)]
struct Run {
    /// The number by which its visitor can stop it.
    number: u64,
    visitor: Visitor,
    /// Its part of the memory, in bytes.
    memory: usize,
    cancel: Cancel,
    /// The time at which it must have ended and sent its answer.
    until: Instant,
    cancel_state: Mutex<CancelState>,
}

/// The state of a search that was cancelled.
#[derive(Debug, Default)]
struct CancelState {
    cancelled: Option<Instant>,
    reported: bool,
}

/// Why no further search can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// This visitor has that many searches.
    Visitor(usize),
    /// All slots are taken, some of them by searches that were cancelled and have not ended.
    Server {
        /// The number of slots.
        places: usize,
        /// Slots of searches that were cancelled and do not end.
        overdue: usize,
    },
}

/// A request for a search slot.
pub(crate) struct RunRequest {
    pub(crate) visitor: Visitor,
    pub(crate) time: Duration,
    /// The most memory that the search can use, in bytes.
    pub(crate) memory: usize,
}

impl Runs {
    pub(crate) fn new(limits: &Limits, buffers: Buffers) -> Self {
        let (end, running, next) = Default::default();
        Self(Arc::new(Shared { limits: limits.clone(), buffers, end, running, next }))
    }

    /// The number of running searches.
    pub(crate) fn running(&self) -> usize {
        lock(&self.0.running).len()
    }

    /// The number of searches that were cancelled some seconds ago and have not ended.
    pub(crate) fn overdue(&self) -> usize {
        overdue(&lock(&self.0.running))
    }

    /// Cancels every search, and waits a moment for them to end.
    pub(crate) fn end(&self) {
        self.0.end.cancel();
        for run in lock(&self.0.running).iter() {
            run.cancel.cancel();
        }
        let until = Instant::now() + CANCEL_TIME;
        while self.running() > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Stops a search of this visitor, which then sends what it has found. `false` if there is no search with that
    /// number.
    pub(crate) fn stop(&self, visitor: Visitor, number: u64) -> bool {
        let running = lock(&self.0.running);
        let run = running.iter().find(|run| run.number == number && run.visitor == visitor);
        run.map(|run| run.cancel.cancel()).is_some()
    }

    /// Cancels searches that have exceeded their time. Returns the number of searches that did not end in time after
    /// they were cancelled and that were not reported before.
    pub(crate) fn cancel_expired(&self, now: Instant) -> usize {
        let mut newly_overdue = 0;
        for run in lock(&self.0.running).iter() {
            if now > run.until {
                run.cancel.cancel();
            }
            let mut cancel_state = lock(&run.cancel_state);
            if run.cancel.is_cancelled() {
                cancel_state.cancelled.get_or_insert(now);
            }
            if !cancel_state.reported && cancel_state.is_overdue(now) {
                cancel_state.reported = true;
                newly_overdue += 1;
            }
        }
        newly_overdue
    }

    /// Runs a search on its own thread. The stream carries its events; dropping the stream cancels the search.
    pub(crate) fn start(
        &self,
        asked: &RunRequest,
        work: RequestGuard,
        search: impl FnOnce(&mut EventSender) + Send + 'static,
    ) -> Result<Stream, Full> {
        let slot = self.take_slot(asked)?;
        let (sender, receiver) = mpsc::channel(QUEUE);
        let cancel = slot.run.cancel.clone();
        let mut sink = EventSender {
            sender,
            run: slot.run.clone(),
            end: self.0.end.clone(),
            buffers: self.0.buffers.clone(),
        };
        let started = std::thread::Builder::new().name("beeline-search".to_owned()).spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| search(&mut sink)));
            if ended.is_err() {
                let message =
                    "the search broke down; this is a bug in Beeline, please report it with the puzzle";
                sink.send("failed", serde_json::json!({ "message": message }).to_string());
            }
            drop(slot);
        });
        let heartbeat = Box::pin(tokio::time::sleep(HEARTBEAT));
        // If no thread can be started, the visitor gets the same answer as without a free slot.
        started
            .map(|_| Stream { receiver, cancel, heartbeat, _work: work })
            .map_err(|_| Full::Server { places: self.0.limits.runs, overdue: self.overdue() })
    }

    /// Takes a slot and a part of the memory: half of what is free, or all of it for the last slot. So a single
    /// search gets half of everything, and there is always memory for the next one.
    fn take_slot(&self, asked: &RunRequest) -> Result<Slot, Full> {
        let limits = &self.0.limits;
        let most = asked.visitor.quota(limits).runs;
        let mut running = lock(&self.0.running);
        if running.iter().filter(|run| run.visitor == asked.visitor).count() >= most {
            return Err(Full::Visitor(most));
        }
        let places = limits.runs.saturating_sub(running.len());
        if places == 0 {
            return Err(Full::Server { places: limits.runs, overdue: overdue(&running) });
        }
        let taken: usize = running.iter().map(|run| run.memory).sum();
        let free = limits.memory.saturating_sub(taken);
        let part = if places == 1 { free } else { free / 2 };
        let run = Arc::new(Run {
            number: self.0.next.fetch_add(1, Ordering::Relaxed),
            visitor: asked.visitor,
            memory: asked.memory.min(part),
            cancel: Cancel::default(),
            until: Instant::now() + asked.time + GRACE,
            cancel_state: Mutex::default(),
        });
        running.push(run.clone());
        Ok(Slot { runs: self.clone(), run })
    }
}

fn overdue(running: &[Arc<Run>]) -> usize {
    let now = Instant::now();
    running.iter().filter(|run| lock(&run.cancel_state).is_overdue(now)).count()
}

impl CancelState {
    fn is_overdue(&self, now: Instant) -> bool {
        self.cancelled.is_some_and(|since| now.saturating_duration_since(since) > CANCEL_TIME)
    }
}

/// A slot, which is freed when this is dropped.
struct Slot {
    runs: Runs,
    run: Arc<Run>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.runs.0.running).retain(|run| !Arc::ptr_eq(run, &self.run));
    }
}

/// Sends the events of a search to its visitor.
pub(crate) struct EventSender {
    sender: mpsc::Sender<Bytes>,
    run: Arc<Run>,
    end: Cancel,
    buffers: Buffers,
}

impl beeline_messages::EventSink for EventSender {
    fn cancel(&self) -> &Cancel {
        &self.run.cancel
    }

    fn run(&self) -> u64 {
        self.run.number
    }

    fn memory(&self) -> usize {
        self.run.memory
    }

    /// Waits while the visitor reads slowly, up to a limit.
    fn send(&mut self, event: &str, json: String) {
        let mut message = message(event, &json);
        loop {
            // There is only one sender, so free capacity stays free until the message is sent.
            match (self.sender.is_closed(), self.sender.capacity()) {
                (true, _) => break,
                (false, 0) => {}
                (false, _) => match self.buffers.hold(message) {
                    Ok(held) => match self.sender.try_send(held) {
                        Ok(()) => return,
                        Err(_) => break,
                    },
                    Err(back) => message = back,
                },
            }
            if self.end.is_cancelled() || Instant::now() > self.run.until {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.cancel().cancel();
    }

    fn try_send(&mut self, event: &str, json: String) {
        if let Ok(held) = self.buffers.hold(message(event, &json))
            && let Err(TrySendError::Closed(_)) = self.sender.try_send(held)
        {
            self.cancel().cancel();
        }
    }
}

/// Formats a server-sent event.
fn message(event: &str, json: &str) -> Vec<u8> {
    format!("event: {event}\ndata: {json}\n\n").into_bytes()
}

/// The events of a search, as the body of an answer.
pub(crate) struct Stream {
    receiver: mpsc::Receiver<Bytes>,
    cancel: Cancel,
    heartbeat: Pin<Box<Sleep>>,
    _work: RequestGuard,
}

impl Body for Stream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let message = match self.receiver.poll_recv(context) {
            Poll::Ready(message) => message,
            Poll::Pending => {
                ready!(self.heartbeat.as_mut().poll(context));
                Some(NOTHING)
            }
        };
        self.heartbeat.as_mut().reset(tokio::time::Instant::now() + HEARTBEAT);
        Poll::Ready(message.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// When the receiver goes away, the search is cancelled.
impl Drop for Stream {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;
    use crate::connections::Connections;

    fn runs(limits: &Limits) -> Runs {
        Runs::new(limits, Buffers::new(limits.buffers))
    }

    fn ask(address: [u8; 4]) -> RunRequest {
        RunRequest { visitor: Visitor::of(address.into()), time: Duration::from_secs(1), memory: usize::MAX }
    }

    #[test]
    fn all_searches_together_keep_to_the_memory_and_each_gets_some() {
        for places in 1..6 {
            let limits = Limits { runs: places, memory: 1000, ..Limits::default() };
            let runs = runs(&limits);
            let held: Vec<_> = (0..places).map(|_| runs.take_slot(&ask([127, 0, 0, 1])).unwrap()).collect();
            let parts: Vec<usize> = held.iter().map(|slot| slot.run.memory).collect();
            assert_eq!(parts[0], limits.memory_of_a_search());
            assert_eq!(parts.iter().sum::<usize>(), 1000, "{parts:?}");
            assert!(parts.iter().all(|&part| part > 0), "{parts:?}");
            assert!(runs.take_slot(&ask([127, 0, 0, 1])).is_err());
            drop(held);
            assert_eq!(runs.take_slot(&ask([127, 0, 0, 1])).unwrap().run.memory, parts[0]);
        }
    }

    #[test]
    fn a_visitor_over_quota_leaves_places_for_others() {
        let runs = runs(&Limits::default());
        let (one, other) = ([192, 0, 2, 1], [192, 0, 2, 2]);
        let _held: Vec<_> = (0..2).map(|_| runs.take_slot(&ask(one)).unwrap()).collect();
        assert_eq!(runs.take_slot(&ask(one)).err(), Some(Full::Visitor(2)));
        assert!(runs.take_slot(&ask(other)).is_ok());
    }

    #[test]
    fn a_search_with_nothing_to_tell_is_heard_of_and_ends_with_its_stream() {
        let limits = Limits::default();
        let (runs, visitor) = (runs(&limits), ask([127, 0, 0, 1]).visitor);
        let work = Connections::new(&limits).open(visitor, Instant::now()).unwrap().work();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let silent = |sink: &mut EventSender| {
                while !sink.cancel().is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            };
            let mut stream = runs.start(&ask([127, 0, 0, 1]), work, silent).unwrap();
            let frame = tokio::time::timeout(HEARTBEAT * 30, stream.frame()).await.unwrap();
            assert_eq!(frame.unwrap().unwrap().into_data().unwrap(), NOTHING);
        });
        let until = Instant::now() + CANCEL_TIME;
        while runs.running() > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(runs.running(), 0);
    }

    #[test]
    fn a_search_that_does_not_end_is_cancelled_counted_and_reported_once() {
        let runs = runs(&Limits { runs: 1, ..Limits::default() });
        let slot = runs.take_slot(&ask([127, 0, 0, 1])).unwrap();
        let start = slot.run.until;
        assert_eq!(runs.cancel_expired(start), 0);
        assert!(!slot.run.cancel.is_cancelled());
        assert_eq!(runs.cancel_expired(start + CANCEL_TIME), 0, "now it is told to end");
        assert!(slot.run.cancel.is_cancelled());
        assert_eq!(runs.cancel_expired(start + CANCEL_TIME * 3), 1);
        assert_eq!(runs.cancel_expired(start + CANCEL_TIME * 4), 0, "once is enough");
        drop(slot);
        assert_eq!((runs.running(), runs.overdue()), (0, 0));
    }
}
