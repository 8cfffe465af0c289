//! Measures the page's latency while two searches run. Two hundred visitors on loopback repeatedly request the page,
//! its largest file and a move. Fails if one request in a hundred for the page takes longer than 100 ms.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use beeline_search::Cancel;
use beeline_web::{Limits, Server};

const VISITORS: usize = 200;
const VISITS: usize = 30;
/// The pause between a visitor's requests. Two hundred people do not all ask in the same millisecond.
const PAUSE: Duration = Duration::from_millis(200);
const GOAL: Duration = Duration::from_millis(100);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::bind("127.0.0.1:0".parse()?, Limits::default())?;
    let (address, usage, stop) = (server.address(), server.usage(), Cancel::default());
    let flag = stop.clone();
    let serving = std::thread::spawn(move || server.run(&flag, &mut |line| println!("{line}")));
    let searches = [search(address)?, search(address)?];
    while usage.runs() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let kinds = [("page", page_request()), ("catalog", get("/api/catalog")), ("move", move_request())];
    println!("{VISITORS} visitors, {VISITS} visits each, two searches running\n");
    println!("{:<10} {:>9} {:>9} {:>9} {:>9}", "what", "median", "99 %", "99.9 %", "longest");
    let mut page = Duration::ZERO;
    for (name, request) in &kinds {
        let times = crowd(address, request);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!("{name:<10} {:>9.1?} {:>9.1?} {:>9.1?} {:>9.1?}", at(0.5), at(0.99), at(0.999), at(1.0));
        if *name == "page" {
            page = at(0.99);
        }
    }
    let running = usage.runs();
    drop(searches);
    stop.cancel();
    serving.join().map_err(|_| "the server broke down")??;
    if running < 2 {
        return Err("the searches ended before the visitors did".into());
    }
    if page > GOAL {
        Err(format!("the page takes {page:.1?} at 99 %; the goal is {GOAL:?}").into())
    } else {
        Ok(())
    }
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
}

fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

fn page_request() -> String {
    get("/")
}

fn move_request() -> String {
    post("/api/play", r#"{"kind":"tiles","text":"6 5 7 2 0 4 1 3 8","steps":["L","U","R"]}"#)
}

/// Starts a search that outlasts the measurement and takes no memory, and reads its events. The server drops visitors
/// who do not.
fn search(address: SocketAddr) -> std::io::Result<TcpStream> {
    let body = r#"{"kind":"tiles","text":"5 4 0 9 14\n13 10 15 12 2\n1 6 11 18 19\n16 7 3 22 24\n21 17 23 20 8","strategy":"idastar","heuristic":"manhattan","seconds":60}"#;
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(post("/api/solve", body).as_bytes())?;
    let mut reading = stream.try_clone()?;
    std::thread::spawn(move || std::io::copy(&mut reading, &mut std::io::sink()));
    Ok(stream)
}

/// The times of all visits, shortest first.
fn crowd(address: SocketAddr, request: &str) -> Vec<Duration> {
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let visitors: Vec<_> = (0..VISITORS)
            .map(|i| {
                scope.spawn(move || {
                    std::thread::sleep(PAUSE * i as u32 / VISITORS as u32);
                    (0..VISITS).filter_map(|_| visit(address, request)).collect::<Vec<_>>()
                })
            })
            .collect();
        let times = |visitor: std::thread::ScopedJoinHandle<'_, Vec<Duration>>| {
            visitor.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        visitors.into_iter().flat_map(times).collect()
    });
    assert_eq!(times.len(), VISITORS * VISITS, "every visitor is answered");
    times.sort();
    times
}

fn visit(address: SocketAddr, request: &str) -> Option<Duration> {
    let start = Instant::now();
    let mut stream = TcpStream::connect(address).ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let took = start.elapsed();
    std::thread::sleep(PAUSE.saturating_sub(took));
    answer.starts_with(b"HTTP/1.1 200").then_some(took)
}
