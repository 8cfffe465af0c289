//! The server's main loop, and the limits of every connection: their number, the time for a request to arrive, and
//! the time for a visitor to read an answer.

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

/// How often the server checks whether it should end, which visitors read nothing, and which searches do not end.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// The size of the read buffer in bytes, and of the write buffer beyond its largest part. The head of a request must
/// fit.
const READ_AHEAD: usize = 32 << 10;

/// The send buffer of the system, in bytes. By default it would be megabytes on loopback, for every peer that never
/// reads. This size is enough for a megabyte per second around the world.
const SEND_AHEAD: usize = 128 << 10;

/// A server that is bound to its address but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    runs: Runs,
    connections: Connections,
    buffers: Buffers,
}

/// A monitor of a running server.
#[derive(Clone, Debug)]
pub struct Usage(Runs, Connections);

impl Usage {
    /// The number of running searches.
    pub fn runs(&self) -> usize {
        self.0.running()
    }

    /// Searches that were cancelled some seconds ago and have not ended.
    pub fn overdue(&self) -> usize {
        self.0.overdue()
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        self.1.count()
    }
}

impl Server {
    /// Binds an address. Port 0 takes any free port.
    pub fn bind(address: SocketAddr, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let buffers = Buffers::new(limits.buffers);
        let runs = Runs::new(&limits, buffers.clone());
        let connections = Connections::new(&limits);
        Ok(Self { listener, address, limits, runs, connections, buffers })
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A monitor of this server.
    pub fn usage(&self) -> Usage {
        Usage(self.runs.clone(), self.connections.clone())
    }

    /// Answers requests until `stop` is set, then ends every search. `report` gets messages for the operator.
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
        let mut next_check = Instant::now();
        while !stop.is_cancelled() {
            let now = Instant::now();
            if now >= next_check {
                next_check = now + CHECK_INTERVAL;
                connections.close_stalled(now);
                let overdue = runs.cancel_expired(now);
                if overdue > 0 {
                    report(&format!(
                        "{} did not end after being stopped; the place stays taken",
                        searches(overdue)
                    ));
                }
            }
            // The wait for a visitor must not keep the server from its checks.
            match tokio::time::timeout(CHECK_INTERVAL, listener.accept()).await {
                Err(_) => {}
                Ok(Ok((stream, peer))) => serve(stream, peer, &connections, &router, stall_time),
                Ok(Err(_)) => {
                    // There may be too many open files, or the visitor left at once. Others may still come.
                    connections.close_stalest(now);
                    tokio::time::sleep(CHECK_INTERVAL).await;
                }
            }
        }
        Ok(())
    }
}

fn searches(count: usize) -> String {
    if count == 1 { "a search".to_owned() } else { format!("{count} searches") }
}

/// Serves one connection in its own task.
fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    connections: &Connections,
    router: &Arc<Router>,
    stall_time: Duration,
) {
    // Small answers should not wait for more data. If this fails, they only arrive later.
    let _ = stream.set_nodelay(true);
    // If this fails, the system's default size applies.
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
        // A broken connection concerns only its visitor. Its work ends with it.
        let _ = serving.await;
    });
    connection.served_by(task.abort_handle());
}
