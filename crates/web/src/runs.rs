//! Searches for visitors: so many at a time, each on a thread of its own with a part of the memory, each ended when its visitor
//! leaves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use beeline_messages::Teller as _;
use beeline_search::Cancel;
use hyper::body::{Body, Bytes, Frame};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::Sleep;

use crate::buffers::Buffers;
use crate::connections::{Visitor, Work, lock};
use crate::limits::Limits;

/// Messages on their way to a visitor.
const QUEUE: usize = 16;
/// How long a visitor may leave a message lying after the time of the search is over.
const GRACE: Duration = Duration::from_secs(10);
/// How long a search may go on after it was cancelled. Searches look at the flag every few milliseconds.
const PROMPT: Duration = Duration::from_secs(5);
/// A stream that has nothing to tell for so long says so: writing is how a visitor is noticed who left without a word.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// A comment in the format of server-sent events.
const NOTHING: Bytes = Bytes::from_static(b":\n\n");

/// The places for searches.
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

/// A search that is running.
#[derive(Debug)]
struct Run {
    /// Its number, by which its visitor can stop it.
    number: u64,
    visitor: Visitor,
    /// Its part of the memory, in bytes.
    memory: usize,
    cancel: Cancel,
    /// When it must be over, answer included.
    until: Instant,
    late: Mutex<Late>,
}

/// What is known about a search that was cancelled.
#[derive(Debug, Default)]
struct Late {
    cancelled: Option<Instant>,
    reported: bool,
}

/// There is no place for one more search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// This visitor has so many.
    Visitor(usize),
    /// There are so many in all, and of those so many were cancelled and have not ended.
    Server {
        /// Places in all.
        places: usize,
        /// Of those, held by searches that do not end.
        overdue: usize,
    },
}

/// What a search asks for.
pub(crate) struct RunRequest {
    pub(crate) visitor: Visitor,
    pub(crate) time: Duration,
    /// The most memory that it wants, in bytes.
    pub(crate) memory: usize,
}

impl Runs {
    pub(crate) fn new(limits: &Limits, buffers: Buffers) -> Self {
        let (end, running, next) = Default::default();
        Self(Arc::new(Shared { limits: limits.clone(), buffers, end, running, next }))
    }

    /// How many searches are running.
    pub(crate) fn running(&self) -> usize {
        lock(&self.0.running).len()
    }

    /// How many of them were cancelled some seconds ago and have not ended.
    pub(crate) fn overdue(&self) -> usize {
        overdue(&lock(&self.0.running))
    }

    /// Ends every search, and waits a moment until they have ended.
    pub(crate) fn end(&self) {
        self.0.end.cancel();
        for run in lock(&self.0.running).iter() {
            run.cancel.cancel();
        }
        let until = Instant::now() + PROMPT;
        while self.running() > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Stops a search of this visitor; it goes on to tell what it has found. `false` if there is none of that number.
    pub(crate) fn stop(&self, visitor: Visitor, number: u64) -> bool {
        let running = lock(&self.0.running);
        let run = running.iter().find(|run| run.number == number && run.visitor == visitor);
        run.map(|run| run.cancel.cancel()).is_some()
    }

    /// Cancels the searches whose time is over. Gives the number of those that were cancelled long enough ago to have ended
    /// and were not given before.
    pub(crate) fn watch_over(&self, now: Instant) -> usize {
        let mut late_now = 0;
        for run in lock(&self.0.running).iter() {
            if now > run.until {
                run.cancel.cancel();
            }
            let mut late = lock(&run.late);
            if run.cancel.is_cancelled() {
                late.cancelled.get_or_insert(now);
            }
            if !late.reported && late.is_overdue(now) {
                late.reported = true;
                late_now += 1;
            }
        }
        late_now
    }

    /// Runs a search on its own thread. The stream is what it tells; when the stream is dropped, the search is cancelled.
    pub(crate) fn start(
        &self,
        asked: &RunRequest,
        work: Work,
        search: impl FnOnce(&mut Teller) + Send + 'static,
    ) -> Result<Stream, Full> {
        let place = self.place(asked)?;
        let (sender, receiver) = mpsc::channel(QUEUE);
        let cancel = place.run.cancel.clone();
        let mut teller = Teller {
            sender,
            run: place.run.clone(),
            end: self.0.end.clone(),
            buffers: self.0.buffers.clone(),
        };
        let started = std::thread::Builder::new().name("beeline-search".to_owned()).spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| search(&mut teller)));
            if ended.is_err() {
                let message =
                    "the search broke down; this is a bug in Beeline, please report it with the puzzle";
                teller.send("failed", serde_json::json!({ "message": message }).to_string());
            }
            drop(place);
        });
        let heartbeat = Box::pin(tokio::time::sleep(HEARTBEAT));
        // No thread to be had is as full as no place.
        started
            .map(|_| Stream { receiver, cancel, heartbeat, _work: work })
            .map_err(|_| Full::Server { places: self.0.limits.runs, overdue: self.overdue() })
    }

    /// Takes a place with its part of the memory: half of what is free, or all of it for the last place. So a search on its own has
    /// half of everything, and there is always something for the next one.
    fn place(&self, asked: &RunRequest) -> Result<Place, Full> {
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
            late: Mutex::default(),
        });
        running.push(run.clone());
        Ok(Place { runs: self.clone(), run })
    }
}

fn overdue(running: &[Arc<Run>]) -> usize {
    let now = Instant::now();
    running.iter().filter(|run| lock(&run.late).is_overdue(now)).count()
}

impl Late {
    fn is_overdue(&self, now: Instant) -> bool {
        self.cancelled.is_some_and(|since| now.saturating_duration_since(since) > PROMPT)
    }
}

/// A place, until dropped.
struct Place {
    runs: Runs,
    run: Arc<Run>,
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.runs.0.running).retain(|run| !Arc::ptr_eq(run, &self.run));
    }
}

/// How a search speaks to its visitor.
pub(crate) struct Teller {
    sender: mpsc::Sender<Bytes>,
    run: Arc<Run>,
    end: Cancel,
    buffers: Buffers,
}

impl beeline_messages::Teller for Teller {
    fn cancel(&self) -> &Cancel {
        &self.run.cancel
    }

    fn run(&self) -> u64 {
        self.run.number
    }

    fn memory(&self) -> usize {
        self.run.memory
    }

    /// Waits while the visitor is slow, but not for ever.
    fn send(&mut self, event: &str, json: String) {
        let mut message = message(event, &json);
        loop {
            // One sender only: a place that is free stays free until the message is put there.
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

    fn offer(&mut self, event: &str, json: String) {
        if let Ok(held) = self.buffers.hold(message(event, &json))
            && let Err(TrySendError::Closed(_)) = self.sender.try_send(held)
        {
            self.cancel().cancel();
        }
    }
}

/// One server-sent event.
fn message(event: &str, json: &str) -> Vec<u8> {
    format!("event: {event}\ndata: {json}\n\n").into_bytes()
}

/// What a search tells, as the body of an answer.
pub(crate) struct Stream {
    receiver: mpsc::Receiver<Bytes>,
    cancel: Cancel,
    heartbeat: Pin<Box<Sleep>>,
    _work: Work,
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

/// Whoever stops listening stops the search.
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
            let held: Vec<_> = (0..places).map(|_| runs.place(&ask([127, 0, 0, 1])).unwrap()).collect();
            let parts: Vec<usize> = held.iter().map(|place| place.run.memory).collect();
            assert_eq!(parts[0], limits.memory_of_a_search());
            assert_eq!(parts.iter().sum::<usize>(), 1000, "{parts:?}");
            assert!(parts.iter().all(|&part| part > 0), "{parts:?}");
            assert!(runs.place(&ask([127, 0, 0, 1])).is_err());
            drop(held);
            assert_eq!(runs.place(&ask([127, 0, 0, 1])).unwrap().run.memory, parts[0]);
        }
    }

    #[test]
    fn a_visitor_over_quota_leaves_places_for_others() {
        let runs = runs(&Limits::default());
        let (one, other) = ([192, 0, 2, 1], [192, 0, 2, 2]);
        let _held: Vec<_> = (0..2).map(|_| runs.place(&ask(one)).unwrap()).collect();
        assert_eq!(runs.place(&ask(one)).err(), Some(Full::Visitor(2)));
        assert!(runs.place(&ask(other)).is_ok());
    }

    #[test]
    fn a_search_with_nothing_to_tell_is_heard_of_and_ends_with_its_stream() {
        let limits = Limits::default();
        let (runs, visitor) = (runs(&limits), ask([127, 0, 0, 1]).visitor);
        let work = Connections::new(&limits).open(visitor, Instant::now()).unwrap().work();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let silent = |teller: &mut Teller| {
                while !teller.cancel().is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            };
            let mut stream = runs.start(&ask([127, 0, 0, 1]), work, silent).unwrap();
            let frame = tokio::time::timeout(HEARTBEAT * 30, stream.frame()).await.unwrap();
            assert_eq!(frame.unwrap().unwrap().into_data().unwrap(), NOTHING);
        });
        let until = Instant::now() + PROMPT;
        while runs.running() > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(runs.running(), 0);
    }

    #[test]
    fn a_search_that_does_not_end_is_cancelled_counted_and_reported_once() {
        let runs = runs(&Limits { runs: 1, ..Limits::default() });
        let place = runs.place(&ask([127, 0, 0, 1])).unwrap();
        let start = place.run.until;
        assert_eq!(runs.watch_over(start), 0);
        assert!(!place.run.cancel.is_cancelled());
        assert_eq!(runs.watch_over(start + PROMPT), 0, "now it is told to end");
        assert!(place.run.cancel.is_cancelled());
        assert_eq!(runs.watch_over(start + PROMPT * 3), 1);
        assert_eq!(runs.watch_over(start + PROMPT * 4), 0, "once is enough");
        drop(place);
        assert_eq!((runs.running(), runs.overdue()), (0, 0));
    }
}
