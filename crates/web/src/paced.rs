//! A stream that reports its progress to its connection, so that a peer that reads nothing is noticed.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::connections::{Connection, Connections};

/// The TCP stream of a connection. Dropping it closes the connection.
pub(crate) struct Paced {
    stream: TcpStream,
    connection: Arc<Connection>,
    connections: Connections,
}

impl Paced {
    pub(crate) fn new(stream: TcpStream, connection: Arc<Connection>, connections: Connections) -> Self {
        Self { stream, connection, connections }
    }

    fn book(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Pending => self.connection.blocked(Instant::now()),
            Poll::Ready(Ok(bytes)) => self.connection.sent(*bytes, Instant::now()),
            Poll::Ready(Err(_)) => {}
        }
        written
    }
}

impl Drop for Paced {
    fn drop(&mut self) {
        if self.connection.evicted() {
            // If a peer does not read, the system would keep the rest of the answer for minutes. If this call fails,
            // it does.
            let _ = self.stream.set_zero_linger();
        }
        self.connections.close(&self.connection);
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.connection.received();
        }
        read
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.book(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.book(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
