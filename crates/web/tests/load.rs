//! Two hundred good and bad visitors at once, on loopback. Every answer is correct, and afterwards the server has
//! freed all threads, searches and memory. (`benches/latency.rs` measures the latency.)
#![allow(clippy::unwrap_used)] // a test that cannot go on should say so

mod common;

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use beeline_web::Limits;
use serde_json::json;

use common::{PATIENCE, Running, example, request, send, until};

const VISITORS: usize = 200;
const ROUNDS: usize = 6;

/// How often each answer occurred.
#[derive(Default)]
struct Seen {
    fine: AtomicUsize,
    refused: AtomicUsize,
    full: AtomicUsize,
}

#[test]
fn nothing_is_left_of_two_hundred_visitors() {
    let limits = Limits { runs: 2, stall_time: Duration::from_secs(2), ..Limits::default() };
    let server = Running::start(limits);
    // The first crowd makes the server grow to its full size. After the second it must not be larger.
    crowd(&server);
    let (threads, memory) = settle(&server);
    crowd(&server);
    let (threads_after, memory_after) = settle(&server);
    assert!(threads_after <= threads, "{threads_after} threads after {threads}");
    assert!(memory_after < memory + (48 << 20), "{memory_after} bytes after {memory}");
    assert_eq!(server.get("/").status, 200);
}

fn crowd(server: &Running) {
    let seen = Seen::default();
    std::thread::scope(|scope| {
        for visitor in 0..VISITORS {
            let (seen, address) = (&seen, server.address);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    visit(address, visitor * ROUNDS + round, seen);
                }
            });
        }
    });
    let count = |n: &AtomicUsize| n.load(Ordering::Relaxed);
    assert!(count(&seen.fine) > VISITORS, "{} good answers", count(&seen.fine));
    assert!(count(&seen.refused) > VISITORS, "{} refusals", count(&seen.refused));
    assert!(count(&seen.full) > 0, "the house was never full");
}

/// One visit; the number selects its kind.
fn visit(address: SocketAddr, number: usize, seen: &Seen) {
    let headers = [("content-type", "application/json")];
    let expect = |method: &str, path: &str, body: &str, status: u16| {
        let reply = request(address, method, path, &headers, body.as_bytes()).unwrap();
        assert_eq!(reply.status, status, "{method} {path}: {}", reply.text());
        let counter = if status == 200 { &seen.fine } else { &seen.refused };
        counter.fetch_add(1, Ordering::Relaxed);
    };
    let play = json!({ "kind": "sokoban", "text": example("sokoban", 0), "steps": ["l"] }).to_string();
    let hard = json!({ "kind": "tiles", "text": example("tiles", 5), "strategy": "bfs", "seconds": 0.2 })
        .to_string();
    match number % 12 {
        0 => expect("GET", "/", "", 200),
        1 => expect("GET", "/main.js", "", 200),
        2 => expect("POST", "/api/play", &play, 200),
        3 => expect("POST", "/api/read", &json!({ "text": example("flow", 0) }).to_string(), 200),
        4 => expect("GET", "/../../etc/passwd", "", 404),
        5 => expect("POST", "/api/play", "{\"kind\":", 400),
        6 => expect("POST", "/api/read", &" ".repeat(300 << 10), 413),
        7 => expect("POST", "/api/read", &json!({ "text": "\u{0}<script>" }).to_string(), 200),
        8 => expect("POST", "/api/play", &"[".repeat(100_000), 400),
        // Half a request, then a disconnect.
        9 => drop(TcpStream::connect(address).unwrap().write_all(b"POST /api/solve HTTP/1.1\r\nHost: 127")),
        // A search, then a disconnect before its end.
        10 => {
            let stream = send(address, "POST", "/api/solve", &headers, hard.as_bytes()).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            drop(stream);
        }
        _ => {
            let reply = request(address, "POST", "/api/solve", &headers, hard.as_bytes()).unwrap();
            match reply.status {
                200 => &seen.fine,
                429 => &seen.full,
                other => panic!("{other}: {}", reply.text()),
            }
            .fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Threads and bytes after everything has settled.
fn settle(server: &Running) -> (usize, usize) {
    until("the searches end", || server.usage.runs() == 0);
    let mut last = (usize::MAX, usize::MAX);
    until("threads and memory are still", || {
        std::thread::sleep(Duration::from_millis(300));
        let now = (threads(), memory());
        let still = now.0 == last.0 && now.1.abs_diff(last.1) < 1 << 20;
        last = now;
        still
    });
    last
}

fn status(field: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    line.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn threads() -> usize {
    status("Threads:")
}

fn memory() -> usize {
    status("VmRSS:") << 10
}
