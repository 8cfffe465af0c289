//! A server inside the test, and a minimal client.

// Each test file uses only a part of this.
#![allow(dead_code)]

pub(crate) mod folder;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use beeline_search::Cancel;
use beeline_web::{Limits, Server, Usage};
use serde_json::Value;

/// A timeout that is longer than anything takes on a loaded machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A server that ends when this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) usage: Usage,
    stop: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(limits: Limits) -> Self {
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), limits).unwrap();
        let (address, usage, stop) = (server.address(), server.usage(), Cancel::default());
        let flag = stop.clone();
        let thread = std::thread::spawn(move || server.run(&flag, &mut |_| {}).unwrap());
        Self { address, usage, stop, thread: Some(thread) }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        request(self.address, "GET", path, &[], b"").unwrap()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        let headers = [("content-type", "application/json")];
        request(self.address, "POST", path, &headers, body.to_string().as_bytes()).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server broke down");
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// The events of a stream: name and data.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        let text = self.text();
        let messages = text.split("\n\n").filter(|m| !m.is_empty() && !m.starts_with(':')).map(|message| {
            let mut lines = message.lines();
            let event = lines.next().unwrap().strip_prefix("event: ").unwrap();
            let data = lines.next().unwrap().strip_prefix("data: ").unwrap();
            (event.to_owned(), serde_json::from_str(data).unwrap())
        });
        messages.collect()
    }
}

/// Sends a request on a connection of its own, without reading the answer.
pub(crate) fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<TcpStream> {
    send_on(TcpStream::connect(address)?, method, path, headers, body)
}

/// Sends a request on an open connection, without reading the answer.
pub(crate) fn send_on(
    mut stream: TcpStream,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<TcpStream> {
    let address = stream.peer_addr()?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let host = headers
        .iter()
        .find(|(n, _)| *n == "host")
        .map_or_else(|| address.to_string(), |(_, v)| (*v).to_owned());
    let more: String = headers
        .iter()
        .filter(|(n, _)| *n != "host")
        .flat_map(|&(name, value)| [name, ": ", value, "\r\n"])
        .collect();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}Content-Length: {length}\r\n\r\n"
    );
    let mut message = head.into_bytes();
    message.extend_from_slice(body);
    stream.write_all(&message)?;
    Ok(stream)
}

/// Opens a connection from this local address, as another visitor would have.
pub(crate) fn connect_from(source: [u8; 4], address: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind((source, 0).into())?;
        socket.connect(address).await?.into_std()
    });
    let stream = stream.unwrap();
    stream.set_nonblocking(false).unwrap();
    stream
}

/// Reads an answer to its end.
pub(crate) fn receive(stream: TcpStream) -> std::io::Result<Reply> {
    let bad = |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, what.to_owned());
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|s| s.parse().ok()).ok_or_else(|| bad("no status"))?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let find =
        |name: &str| headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.clone());
    let mut body = Vec::new();
    if find("transfer-encoding").is_some() {
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            let size = usize::from_str_radix(line.trim(), 16).map_err(|_| bad("no chunk"))?;
            let start = body.len();
            body.resize(start + size, 0);
            reader.read_exact(&mut body[start..])?;
            line.clear();
            reader.read_line(&mut line)?;
            if size == 0 {
                break;
            }
        }
    } else if let Some(size) = find("content-length").and_then(|s| s.parse().ok()) {
        body.resize(size, 0);
        reader.read_exact(&mut body)?;
    }
    Ok(Reply { status, headers, body })
}

/// Sends a request and waits for the answer.
pub(crate) fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<Reply> {
    receive(send(address, method, path, headers, body)?)
}

/// Waits until something is true; fails with `what` if it never is.
pub(crate) fn until(what: &str, mut test: impl FnMut() -> bool) {
    let start = Instant::now();
    while !test() {
        assert!(start.elapsed() < PATIENCE, "it took too long until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The text of a puzzle that ships.
pub(crate) fn example(kind: &str, index: usize) -> &'static str {
    beeline_puzzles::kind(kind).unwrap().examples()[index].text
}
