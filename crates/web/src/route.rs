//! Which request is answered by what, and what a request must be like to be answered at all.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use beeline_messages::{Search, Task, Teller as Told, catalog, make, play, question, read, solve, watch};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::buffers::{Buffers, Claim};
use crate::connections::{Connection, Connections, Excess, Work};
use crate::limits::Limits;
use crate::page;
use crate::reply::{self, Refusal, Reply};
use crate::runs::{Full, RunRequest, Runs};
use crate::stop;

/// Threads that parse and replay puzzles; searches have their own.
pub(crate) const PARSER_THREADS: usize = 4;
/// How often and how long apart memory is looked for before a visitor is told that there is none.
const TRIES: usize = 20;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// Where requests arrive.
pub(crate) struct Router {
    limits: Limits,
    address: SocketAddr,
    runs: Runs,
    connections: Connections,
    buffers: Buffers,
    parser_threads: Arc<Semaphore>,
    /// Always the same, and the largest answer: written once.
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
        // Our own plain structures can always be written.
        let catalog =
            serde_json::to_vec(&catalog::catalog(&limits.of_questions())).unwrap_or_default().into();
        let parser_threads = Arc::new(Semaphore::new(PARSER_THREADS));
        Self { limits, address, runs, connections, buffers, parser_threads, catalog }
    }

    /// Answers anything.
    pub(crate) async fn answer(
        &self,
        request: Request<Incoming>,
        connection: &Arc<Connection>,
    ) -> Result<Reply, Infallible> {
        Ok(self.sort(request, connection).await.unwrap_or_else(Reply::from))
    }

    async fn sort(&self, request: Request<Incoming>, connection: &Arc<Connection>) -> Result<Reply, Refusal> {
        match connection.excess() {
            Some(Excess::Visitor) => {
                let message = "too many connections from your address; please close some or wait a moment";
                return Err(Refusal::too_many(message));
            }
            Some(Excess::Server) => return Err(Refusal::busy()),
            None => {}
        }
        self.meant_for_us(&request)?;
        let path = request.uri().path().to_owned();
        match *request.method() {
            Method::GET | Method::HEAD if path == "/api/catalog" => Ok(reply::json(self.catalog.clone())),
            Method::GET | Method::HEAD => page::file(&path)
                .ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "there is nothing of that name")),
            Method::POST => match path.as_str() {
                "/api/read" => self.ask(request, connection, read::read).await,
                "/api/play" => self.ask(request, connection, play::play).await,
                "/api/solve" => self.search(request, connection, solve::solve).await,
                "/api/watch" => self.search(request, connection, watch::watch).await,
                "/api/make" => self.make(request, connection).await,
                "/api/stop" => self.stop(request, connection).await,
                _ => Err(Refusal::new(StatusCode::NOT_FOUND, "there is nothing of that name")),
            },
            _ => Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "only GET, HEAD and POST are answered")),
        }
    }

    /// A page elsewhere must not speak through a visitor's browser: on loopback, only loopback names are ours (so that a
    /// foreign name cannot be pointed here), and what asks for work must be JSON (which a foreign page may not send unasked).
    fn meant_for_us(&self, request: &Request<Incoming>) -> Result<(), Refusal> {
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

    /// The body, if it is not too large and arrives in time.
    async fn body(&self, request: Request<Incoming>) -> Result<Question, Refusal> {
        let length = request.body().size_hint().upper().map_or(self.limits.body, |bytes| bytes as usize);
        let claim = self.room(|| self.buffers.claim(length.min(self.limits.body))).await?;
        let body = Limited::new(request.into_body(), self.limits.body).collect();
        let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive");
        let body = tokio::time::timeout(self.limits.stall_time, body).await.map_err(late)?;
        let bytes = body.map_err(|error| self.unread(&*error))?.to_bytes();
        Ok(Question { bytes, _claim: claim })
    }

    /// Why a body was not read to its end.
    fn unread(&self, error: &(dyn std::error::Error + 'static)) -> Refusal {
        if error.is::<LengthLimitError>() {
            let message = format!("the request is larger than {} KiB", self.limits.body >> 10);
            return Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message);
        }
        Refusal::bad("the request was cut short")
    }

    /// Waits a moment for memory; connections that wait for their visitors make room.
    async fn room<T>(&self, mut take: impl FnMut() -> Option<T>) -> Result<T, Refusal> {
        for _ in 0..TRIES {
            if let Some(taken) = take() {
                return Ok(taken);
            }
            self.connections.close_stalest(Instant::now());
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
        Err(Refusal::busy())
    }

    /// The server begins to work on a request, if its visitor has not too many at work.
    fn begin(&self, connection: &Arc<Connection>) -> Result<Work, Refusal> {
        if self.connections.admits_request(connection.visitor()) {
            return Ok(connection.work());
        }
        Err(Refusal::too_many(
            "too many requests from your address at one time; please try again in a moment",
        ))
    }

    /// Short work on one of the few threads for it, away from the one that serves the connections. The thread is taken until the
    /// second part of what is given is dropped.
    async fn clerk<T: Send + 'static>(
        &self,
        question: Question,
        work: impl FnOnce(&[u8], &beeline_messages::Limits) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<(T, OwnedSemaphorePermit), Refusal> {
        let clerk = self.parser_threads.clone().acquire_owned().await.map_err(|_| Refusal::broken())?;
        let limits = self.limits.of_questions();
        let done = tokio::task::spawn_blocking(move || work(&question.bytes, &limits).map(|t| (t, clerk)));
        done.await.unwrap_or_else(|_| Err(Refusal::broken()))
    }

    /// A question that is answered at once.
    async fn ask<Q: DeserializeOwned + 'static, A: Serialize + 'static>(
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
        let (answer, _clerk) = self.clerk(asked, work).await?;
        let mut answer = Some(answer);
        let hold = || match self.buffers.hold(answer.take()?) {
            Ok(held) => Some(held),
            Err(back) => {
                answer = Some(back);
                None
            }
        };
        self.room(hold).await.map(reply::json)
    }

    /// Long work, on a thread of its own, if there is a place.
    async fn search(
        &self,
        request: Request<Incoming>,
        connection: &Arc<Connection>,
        search: fn(&Task, &mut dyn Told),
    ) -> Result<Reply, Refusal> {
        let asked = self.body(request).await?;
        let work = self.begin(connection)?;
        let task =
            |bytes: &[u8], limits: &beeline_messages::Limits| Ok(question::<Search>(bytes)?.task(limits)?);
        let (task, _clerk) = self.clerk(asked, task).await?;
        let asked = RunRequest { visitor: connection.visitor(), time: task.time, memory: task.memory };
        let started = self.runs.start(&asked, work, move |teller| search(&task, teller));
        started.map(reply::stream).map_err(full)
    }

    /// A new puzzle, made on a thread of its own.
    async fn make(&self, request: Request<Incoming>, connection: &Arc<Connection>) -> Result<Reply, Refusal> {
        let asked = self.body(request).await?;
        let work = self.begin(connection)?;
        let order = question::<make::Question>(&asked.bytes)?.order(&self.limits.of_questions())?;
        let memory = self.limits.memory_of_a_search();
        let asked = RunRequest { visitor: connection.visitor(), time: order.time, memory };
        let started = self.runs.start(&asked, work, move |teller| make::make(order, teller));
        started.map(reply::stream).map_err(full)
    }

    /// Stops a search of the same visitor.
    async fn stop(&self, request: Request<Incoming>, connection: &Arc<Connection>) -> Result<Reply, Refusal> {
        let asked = self.body(request).await?;
        let answer = stop::stop(&question(&asked.bytes)?, connection.visitor(), &self.runs);
        serde_json::to_vec(&answer).map(|answer| reply::json(answer.into())).map_err(|_| Refusal::broken())
    }
}

/// A request that has arrived.
struct Question {
    bytes: Bytes,
    _claim: Claim,
}

/// Why a search was not begun.
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
