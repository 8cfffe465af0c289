//! Routing of requests, and the checks before a request is handled.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use beeline_messages::{EventSink, Search, Task, catalog, make, play, question, read, solve, watch};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::buffers::{Buffers, Reservation};
use crate::connections::{Connection, Connections, Excess, RequestGuard};
use crate::limits::Limits;
use crate::page;
use crate::reply::{self, Refusal, Reply};
use crate::runs::{Full, RunRequest, Runs};
use crate::stop;

/// Threads that parse and replay puzzles. Searches have their own threads.
pub(crate) const PARSER_THREADS: usize = 4;
/// The number of attempts to reserve memory, and the delay between them. After the last one, the visitor gets a
/// refusal.
const TRIES: usize = 20;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// Handles requests.
pub(crate) struct Router {
    limits: Limits,
    address: SocketAddr,
    runs: Runs,
    connections: Connections,
    buffers: Buffers,
    parser_threads: Arc<Semaphore>,
    /// The catalog never changes and is the largest answer, so it is serialised once.
    catalog: Bytes,
}

impl Router {
    pub(crate) fn new(
        limits: Limits,
        address: SocketAddr,
        runs: Runs,
        connections: Connections,
        buffers: Buffers,
    ) -> Self {
        // Serialising our own plain structures cannot fail.
        let catalog =
            serde_json::to_vec(&catalog::catalog(&limits.of_questions())).unwrap_or_default().into();
        let parser_threads = Arc::new(Semaphore::new(PARSER_THREADS));
        Self { limits, address, runs, connections, buffers, parser_threads, catalog }
    }

    /// Answers a request.
    pub(crate) async fn answer(
        &self,
        request: Request<Incoming>,
        connection: &Arc<Connection>,
    ) -> Result<Reply, Infallible> {
        Ok(self.dispatch(request, connection).await.unwrap_or_else(Reply::from))
    }

    async fn dispatch(
        &self,
        request: Request<Incoming>,
        connection: &Arc<Connection>,
    ) -> Result<Reply, Refusal> {
        match connection.excess() {
            Some(Excess::Visitor) => {
                let message = "too many connections from your address; please close some or wait a moment";
                return Err(Refusal::too_many(message));
            }
            Some(Excess::Server) => return Err(Refusal::busy()),
            None => {}
        }
        self.check_origin(&request)?;
        let path = request.uri().path().to_owned();
        match *request.method() {
            Method::GET | Method::HEAD if path == "/api/catalog" => Ok(reply::json(self.catalog.clone())),
            Method::GET | Method::HEAD => page::file(&path)
                .ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "there is nothing of that name")),
            Method::POST => match path.as_str() {
                "/api/read" => self.answer_at_once(request, connection, read::read).await,
                "/api/play" => self.answer_at_once(request, connection, play::play).await,
                "/api/solve" => self.search(request, connection, solve::solve).await,
                "/api/watch" => self.search(request, connection, watch::watch).await,
                "/api/make" => self.make(request, connection).await,
                "/api/stop" => self.stop(request, connection).await,
                _ => Err(Refusal::new(StatusCode::NOT_FOUND, "there is nothing of that name")),
            },
            _ => Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "only GET, HEAD and POST are answered")),
        }
    }

    /// Protects visitors from requests that another page makes their browser send. On loopback, only loopback names
    /// are accepted, so that a foreign name cannot be pointed here. Requests for work must be JSON, which a foreign
    /// page may not send unasked.
    fn check_origin(&self, request: &Request<Incoming>) -> Result<(), Refusal> {
        let host = request.headers().get(HOST).and_then(|h| h.to_str().ok()).unwrap_or_default();
        let name =
            host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(n, _)| n);
        let local = name == "localhost"
            || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if self.address.ip().is_loopback() && !local {
            return Err(Refusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this server answers on this machine only",
            ));
        }
        let kind = request.headers().get(CONTENT_TYPE).and_then(|k| k.to_str().ok()).unwrap_or_default();
        if request.method() == Method::POST
            && kind.split(';').next().map(str::trim) != Some("application/json")
        {
            return Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be application/json",
            ));
        }
        Ok(())
    }

    /// Reads the body, if it is not too large and arrives in time.
    async fn body(&self, request: Request<Incoming>) -> Result<Question, Refusal> {
        let length = request.body().size_hint().upper().map_or(self.limits.body, |bytes| bytes as usize);
        let reservation =
            self.retry_for_memory(|| self.buffers.reserve(length.min(self.limits.body))).await?;
        let body = Limited::new(request.into_body(), self.limits.body).collect();
        let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive");
        let body = tokio::time::timeout(self.limits.stall_time, body).await.map_err(late)?;
        let bytes = body.map_err(|error| self.body_refusal(&*error))?.to_bytes();
        Ok(Question { bytes, _reservation: reservation })
    }

    /// The refusal for a body that could not be read.
    fn body_refusal(&self, error: &(dyn std::error::Error + 'static)) -> Refusal {
        if error.is::<LengthLimitError>() {
            let message = format!("the request is larger than {} KiB", self.limits.body >> 10);
            return Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message);
        }
        Refusal::bad("the request was cut short")
    }

    /// Retries a reservation of memory for a moment, and closes connections that wait for their visitors.
    async fn retry_for_memory<T>(&self, mut take: impl FnMut() -> Option<T>) -> Result<T, Refusal> {
        for _ in 0..TRIES {
            if let Some(taken) = take() {
                return Ok(taken);
            }
            self.connections.close_stalest(Instant::now());
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
        Err(Refusal::busy())
    }

    /// Marks the connection as worked on, unless its visitor has too many requests in progress.
    fn begin(&self, connection: &Arc<Connection>) -> Result<RequestGuard, Refusal> {
        if self.connections.admits_request(connection.visitor()) {
            return Ok(connection.work());
        }
        Err(Refusal::too_many(
            "too many requests from your address at one time; please try again in a moment",
        ))
    }

    /// Runs short work on one of a few threads, away from the one that serves the connections. The thread stays
    /// reserved until the returned permit is dropped.
    async fn on_parser_thread<T: Send + 'static>(
        &self,
        question: Question,
        work: impl FnOnce(&[u8], &beeline_messages::Limits) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<(T, OwnedSemaphorePermit), Refusal> {
        let permit = self.parser_threads.clone().acquire_owned().await.map_err(|_| Refusal::broken())?;
        let limits = self.limits.of_questions();
        let done = tokio::task::spawn_blocking(move || work(&question.bytes, &limits).map(|t| (t, permit)));
        done.await.unwrap_or_else(|_| Err(Refusal::broken()))
    }

    /// Handles a request that is answered at once.
    async fn answer_at_once<Q: DeserializeOwned + 'static, A: Serialize + 'static>(
        &self,
        request: Request<Incoming>,
        connection: &Arc<Connection>,
        answer: fn(&Q, &beeline_messages::Limits) -> Result<A, beeline_messages::Refusal>,
    ) -> Result<Reply, Refusal> {
        let asked = self.body(request).await?;
        let _work = self.begin(connection)?;
        let work = move |bytes: &[u8], limits: &beeline_messages::Limits| {
            let answer = answer(&question(bytes)?, limits)?;
            serde_json::to_vec(&answer).map_err(|_| Refusal::broken())
        };
        let (answer, _permit) = self.on_parser_thread(asked, work).await?;
        let mut answer = Some(answer);
        let hold = || match self.buffers.hold(answer.take()?) {
            Ok(held) => Some(held),
            Err(back) => {
                answer = Some(back);
                None
            }
        };
        self.retry_for_memory(hold).await.map(reply::json)
    }

    /// Starts a search on its own thread, if there is a free slot.
    async fn search(
        &self,
        request: Request<Incoming>,
        connection: &Arc<Connection>,
        search: fn(&Task, &mut dyn EventSink),
    ) -> Result<Reply, Refusal> {
        let asked = self.body(request).await?;
        let work = self.begin(connection)?;
        let task =
            |bytes: &[u8], limits: &beeline_messages::Limits| Ok(question::<Search>(bytes)?.task(limits)?);
        let (task, _permit) = self.on_parser_thread(asked, task).await?;
        let asked = RunRequest { visitor: connection.visitor(), time: task.time, memory: task.memory };
        let started = self.runs.start(&asked, work, move |sink| search(&task, sink));
        started.map(reply::stream).map_err(full)
    }

    /// Generates a puzzle on its own thread.
    async fn make(&self, request: Request<Incoming>, connection: &Arc<Connection>) -> Result<Reply, Refusal> {
        let asked = self.body(request).await?;
        let work = self.begin(connection)?;
        let order = question::<make::Question>(&asked.bytes)?.order(&self.limits.of_questions())?;
        let memory = self.limits.memory_of_a_search();
        let asked = RunRequest { visitor: connection.visitor(), time: order.time, memory };
        let started = self.runs.start(&asked, work, move |sink| make::make(order, sink));
        started.map(reply::stream).map_err(full)
    }

    /// Stops a search of the same visitor.
    async fn stop(&self, request: Request<Incoming>, connection: &Arc<Connection>) -> Result<Reply, Refusal> {
        let asked = self.body(request).await?;
        let answer = stop::stop(&question(&asked.bytes)?, connection.visitor(), &self.runs);
        serde_json::to_vec(&answer).map(|answer| reply::json(answer.into())).map_err(|_| Refusal::broken())
    }
}

/// The body of a request, with its memory reservation.
struct Question {
    bytes: Bytes,
    _reservation: Reservation,
}

/// The refusal of a search that could not start.
fn full(full: Full) -> Refusal {
    let searches = |n: usize| if n == 1 { "1 search".to_owned() } else { format!("{n} searches") };
    Refusal::too_many(match full {
        Full::Visitor(most) => {
            format!("a visitor may run {} at one time; please stop one or wait for its end", searches(most))
        }
        Full::Server { places, overdue: 0 } => {
            format!("all {places} places for searches are taken; please try again in a moment")
        }
        Full::Server { places, overdue } => format!(
            "all {places} places for searches are taken, {overdue} by searches that were stopped and have not ended; \
             please try again in a moment"
        ),
    })
}
