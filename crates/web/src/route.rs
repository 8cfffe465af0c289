//! Which request is answered by what, and what a request must be like to be answered at all.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use beeline_puzzles::TextError;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::{self, catalog, play, read, solve, watch};
use crate::limits::Limits;
use crate::page;
use crate::reply::{self, Place, Refusal, Reply};
use crate::runs::{Full, Runs, Stream};

/// Where requests arrive.
pub(crate) struct Desk {
    limits: Limits,
    address: SocketAddr,
    runs: Runs,
    /// Always the same, and the largest answer: written once.
    catalog: Bytes,
}

impl Desk {
    pub(crate) fn new(limits: Limits, address: SocketAddr, runs: Runs) -> Self {
        // Our own plain structures can always be written.
        let catalog = serde_json::to_vec(&catalog::catalog(&limits)).unwrap_or_default().into();
        Self { limits, address, runs, catalog }
    }

    /// Answers anything.
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Result<Reply, Infallible> {
        Ok(self.sort(request).await.unwrap_or_else(Reply::from))
    }

    async fn sort(&self, request: Request<Incoming>) -> Result<Reply, Refusal> {
        self.meant_for_us(&request)?;
        let path = request.uri().path().to_owned();
        match *request.method() {
            Method::GET | Method::HEAD if path == "/api/catalog" => Ok(reply::written(self.catalog.clone())),
            Method::GET | Method::HEAD => page::file(&path)
                .ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "there is nothing of that name")),
            Method::POST => match path.as_str() {
                "/api/read" => self.clerk(request, read::read).await,
                "/api/play" => self.clerk(request, play::play).await,
                "/api/solve" => self.search(request, solve::solve).await,
                "/api/watch" => self.search(request, watch::watch).await,
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
    async fn body<T: DeserializeOwned>(&self, request: Request<Incoming>) -> Result<T, Refusal> {
        let body = Limited::new(request.into_body(), self.limits.body).collect();
        let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive");
        let body = tokio::time::timeout(self.limits.patience, body).await.map_err(late)?;
        let body: Bytes = body.map_err(|error| self.unread(&*error))?.to_bytes();
        serde_json::from_slice(&body)
            .map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))
    }

    /// Why a body was not read to its end.
    fn unread(&self, error: &(dyn std::error::Error + 'static)) -> Refusal {
        if error.is::<LengthLimitError>() {
            let message = format!("the request is larger than {} KiB", self.limits.body >> 10);
            return Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message);
        }
        Refusal::bad("the request was cut short")
    }

    /// Short work, away from the thread that serves the connections.
    async fn clerk<Q, A>(
        &self,
        request: Request<Incoming>,
        work: fn(&Q, &Limits) -> Result<A, Refusal>,
    ) -> Result<Reply, Refusal>
    where
        Q: DeserializeOwned + Send + 'static,
        A: Serialize + Send + 'static,
    {
        let question: Q = self.body(request).await?;
        let limits = self.limits.clone();
        let work =
            tokio::task::spawn_blocking(move || work(&question, &limits).map(|answer| reply::json(&answer)));
        work.await.unwrap_or_else(|_| {
            Err(Refusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "this broke down; it is a bug in Beeline, please report it",
            ))
        })
    }

    /// Long work, on a thread of its own, if there is a place.
    async fn search(
        &self,
        request: Request<Incoming>,
        start: fn(api::Task, &Runs) -> Result<Stream, Full>,
    ) -> Result<Reply, Refusal> {
        let question: api::Search = self.body(request).await?;
        let limits = self.limits.clone();
        let task = tokio::task::spawn_blocking(move || question.task(&limits)).await;
        let task =
            task.unwrap_or_else(|_| Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "this broke down")))?;
        start(task, &self.runs).map(reply::stream).map_err(|Full| {
            let message = format!(
                "all {} places for searches are taken; please try again in a moment",
                self.runs.most()
            );
            Refusal::new(StatusCode::TOO_MANY_REQUESTS, message)
        })
    }
}

/// A parser's error, with its place.
pub(crate) fn unreadable(text: &str, error: &TextError) -> Refusal {
    let (line, column) = error.position(text);
    let length = text.get(error.span.clone()).map_or(1, |s| s.chars().count().max(1));
    let place = Place { line, column, length, expected: error.expected.clone(), help: error.help.clone() };
    let mut refusal = Refusal::unable(error.message.clone());
    refusal.trouble.place = Some(place);
    refusal
}
