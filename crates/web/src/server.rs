//! Listening, and what bounds every connection: their number, the time a request may take to arrive, the end of the server.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use beeline_search::Cancel;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::Semaphore;

use crate::limits::Limits;
use crate::route::Desk;
use crate::runs::Runs;

/// Threads that parse and replay puzzles; searches have their own.
const CLERKS: usize = 4;
/// How often a server that should end looks up.
const LOOK: Duration = Duration::from_millis(100);

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    runs: Runs,
}

/// What a running server is doing; for those who watch over it.
#[derive(Clone, Debug)]
pub struct Usage(Runs);

impl Usage {
    /// Searches that are running.
    pub fn runs(&self) -> usize {
        self.0.running()
    }
}

impl Server {
    /// Takes an address. Port 0 takes any that is free.
    pub fn bind(address: SocketAddr, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runs = Runs::new(limits.runs);
        Ok(Self { listener, address, limits, runs })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A view of what it is doing.
    pub fn usage(&self) -> Usage {
        Usage(self.runs.clone())
    }

    /// Answers until `stop` is set; then every search is ended as well.
    pub fn run(self, stop: &Cancel) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(CLERKS)
            .thread_name("beeline-web")
            .enable_io()
            .enable_time()
            .build()?;
        let runs = self.runs.clone();
        let result = runtime.block_on(self.listen(stop));
        runs.end();
        runtime.shutdown_timeout(Duration::from_secs(2));
        result
    }

    async fn listen(self, stop: &Cancel) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let places = Arc::new(Semaphore::new(self.limits.connections));
        let patience = self.limits.patience;
        let desk = Arc::new(Desk::new(self.limits, self.address, self.runs));
        while !stop.is_cancelled() {
            // Look up now and then; neither waiting for a place nor for a visitor may keep the server from ending.
            let Ok(Ok(place)) = tokio::time::timeout(LOOK, places.clone().acquire_owned()).await else {
                continue;
            };
            let Ok(accepted) = tokio::time::timeout(LOOK, listener.accept()).await else { continue };
            let Ok((stream, _)) = accepted else {
                // Too many open files, or a visitor who left at once: others may still come.
                tokio::time::sleep(LOOK).await;
                continue;
            };
            // Small answers must not wait for more to come; where that cannot be said, they come later.
            let _ = stream.set_nodelay(true);
            let desk = desk.clone();
            tokio::spawn(async move {
                let service = service_fn(move |request| {
                    let desk = desk.clone();
                    async move { desk.answer(request).await }
                });
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(patience)
                    .max_buf_size(64 << 10)
                    .serve_connection(TokioIo::new(stream), service);
                // A connection that breaks is the visitor's affair; what it was doing ends with it.
                let _ = connection.await;
                drop(place);
            });
        }
        Ok(())
    }
}
