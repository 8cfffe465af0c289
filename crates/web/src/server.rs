//! Listening, and what bounds every connection: their number, the time a request may take to arrive, the time a visitor may take
//! to read an answer, the end of the server.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use beeline_search::Cancel;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::TcpStream;

use crate::buffers::Buffers;
use crate::connections::{Connections, Visitor};
use crate::limits::Limits;
use crate::paced::Paced;
use crate::route::{PARSER_THREADS, Router};
use crate::runs::Runs;

/// How often the server looks whether it should end, which visitors take nothing, and which searches do not end.
const LOOK: Duration = Duration::from_millis(100);
/// Bytes of a request that are read ahead, and of an answer beyond its largest part. The head of a request must fit.
const READ_AHEAD: usize = 32 << 10;

/// Bytes of answers that the system takes ahead of a peer. It would take megabytes on loopback, for every peer that never reads;
/// this is enough for a megabyte a second around the world.
const SEND_AHEAD: usize = 128 << 10;

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    runs: Runs,
    connections: Connections,
    buffers: Buffers,
}

/// What a running server is doing; for those who watch over it.
#[derive(Clone, Debug)]
pub struct Usage(Runs, Connections);

impl Usage {
    /// Searches that are running.
    pub fn runs(&self) -> usize {
        self.0.running()
    }

    /// Searches that were cancelled some seconds ago and have not ended.
    pub fn overdue(&self) -> usize {
        self.0.overdue()
    }

    /// Connections that are open.
    pub fn connections(&self) -> usize {
        self.1.count()
    }
}

impl Server {
    /// Takes an address. Port 0 takes any that is free.
    pub fn bind(address: SocketAddr, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let buffers = Buffers::new(limits.buffers);
        let runs = Runs::new(&limits, buffers.clone());
        let connections = Connections::new(&limits);
        Ok(Self { listener, address, limits, runs, connections, buffers })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A view of what it is doing.
    pub fn usage(&self) -> Usage {
        Usage(self.runs.clone(), self.connections.clone())
    }

    /// Answers until `stop` is set; then every search is ended as well. `report` is told what whoever runs the server should know.
    pub fn run(self, stop: &Cancel, report: &mut dyn FnMut(&str)) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(PARSER_THREADS)
            .thread_name("beeline-web")
            .enable_io()
            .enable_time()
            .build()?;
        let runs = self.runs.clone();
        let result = runtime.block_on(self.listen(stop, report));
        runs.end();
        if runs.running() > 0 {
            report(&format!("{} did not end when the server did", searches(runs.running())));
        }
        runtime.shutdown_timeout(Duration::from_secs(2));
        result
    }

    async fn listen(self, stop: &Cancel, report: &mut dyn FnMut(&str)) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let (runs, connections) = (self.runs, self.connections);
        let stall_time = self.limits.stall_time;
        let router = Router::new(self.limits, self.address, runs.clone(), connections.clone(), self.buffers);
        let router = Arc::new(router);
        let mut next_look = Instant::now();
        while !stop.is_cancelled() {
            let now = Instant::now();
            if now >= next_look {
                next_look = now + LOOK;
                connections.close_stalled(now);
                let late = runs.watch_over(now);
                if late > 0 {
                    report(&format!(
                        "{} did not end after being stopped; the place stays taken",
                        searches(late)
                    ));
                }
            }
            // Waiting for a visitor may not keep the server from looking.
            match tokio::time::timeout(LOOK, listener.accept()).await {
                Err(_) => {}
                Ok(Ok((stream, peer))) => serve(stream, peer, &connections, &router, stall_time),
                Ok(Err(_)) => {
                    // Too many open files, or a visitor who left at once: others may still come.
                    connections.close_stalest(now);
                    tokio::time::sleep(LOOK).await;
                }
            }
        }
        Ok(())
    }
}

fn searches(count: usize) -> String {
    if count == 1 { "a search".to_owned() } else { format!("{count} searches") }
}

/// Serves one connection in a task of its own.
fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    connections: &Connections,
    router: &Arc<Router>,
    stall_time: Duration,
) {
    // Small answers must not wait for more to come; where that cannot be said, they come later.
    let _ = stream.set_nodelay(true);
    // Where this cannot be said, the system has a limit of its own.
    let _ = SockRef::from(&stream).set_send_buffer_size(SEND_AHEAD);
    let Some(connection) = connections.open(Visitor::of(peer.ip()), Instant::now()) else { return };
    let stream = Paced::new(stream, connection.clone(), connections.clone());
    let (router, served) = (router.clone(), connection.clone());
    let task = tokio::spawn(async move {
        let keep_alive = served.excess().is_none();
        let service = service_fn(move |request| {
            let (router, served) = (router.clone(), served.clone());
            async move { router.answer(request, &served).await }
        });
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(stall_time)
            .keep_alive(keep_alive)
            .max_buf_size(READ_AHEAD)
            .serve_connection(TokioIo::new(stream), service);
        // A connection that breaks is the visitor's affair; what it was doing ends with it.
        let _ = serving.await;
    });
    connection.served_by(task.abort_handle());
}
