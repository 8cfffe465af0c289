//! A server in its own process: its resident memory with every slot taken, and what it leaves on the disk.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a test that cannot go on should say so

mod common;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use beeline_search::Cancel;
use beeline_web::{Limits, Server};
use serde_json::{Value, json};

use common::{Reply, example, receive, request, send};

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];
const MIB: usize = 1 << 20;

/// Not a test: the server process of the tests below.
#[test]
#[ignore = "the child process of the tests in this file"]
fn child() {
    let Ok(memory) = std::env::var("BEELINE_TEST_MEMORY") else { return };
    let limits = Limits::default().with_memory(memory.parse().unwrap());
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), limits).unwrap();
    println!("\nlistening on {}", server.address());
    let stop = Cancel::default();
    let flag = stop.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read(&mut [0]);
        flag.cancel();
    });
    server.run(&stop, &mut |line| println!("{line}")).unwrap();
}

/// A server with this much memory in all, and this folder for tables.
struct Process {
    child: Child,
    /// Kept open, because the server prints to it.
    _output: BufReader<ChildStdout>,
    address: SocketAddr,
}

impl Process {
    fn start(memory: usize, cache: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child", "--ignored", "--nocapture"])
            .env("BEELINE_TEST_MEMORY", memory.to_string())
            .env("BEELINE_CACHE", cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut lines = output.by_ref().lines();
        let address = lines.find_map(|line| line.unwrap().strip_prefix("listening on ")?.parse().ok());
        Self { child, _output: output, address: address.unwrap() }
    }

    /// Peak resident bytes.
    fn peak(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<usize>().unwrap() << 10
    }

    fn solve(&self, job: &Value) -> Reply {
        request(self.address, "POST", "/api/solve", &JSON, job.to_string().as_bytes()).unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let ended = self.child.wait();
        assert!(ended.is_ok_and(|code| code.success()) || std::thread::panicking());
    }
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("beeline-web-{name}-{}", std::process::id()))
}

/// Fills every slot with a search that wants more memory than there is, and measures the peak.
fn fill(total: usize, searches: [(&str, &str); 4]) {
    let server = Process::start(total, &folder("fill"));
    let begin = server.peak();
    let text = example("tiles", 5);
    let streams = searches.map(|(path, strategy)| {
        let job = json!({ "kind": "tiles", "text": text, "strategy": strategy, "seconds": 60 }).to_string();
        send(server.address, "POST", path, &JSON, job.as_bytes()).unwrap()
    });
    for (stream, (path, strategy)) in streams.into_iter().zip(searches) {
        let events = receive(stream).unwrap().events();
        let (event, done) = events.last().unwrap();
        let why = done["reason"].as_str();
        assert!(event == "done" && matches!(why, Some("memory" | "cancelled")), "{path} {strategy}: {done}");
    }
    let peak = server.peak();
    println!("{} MiB in all: {} MiB resident at most, {} at the start", total / MIB, peak / MIB, begin / MIB);
    assert!(peak <= total + total / 10 + 16 * MIB, "{} MiB are resident of {}", peak / MIB, total / MIB);
}

#[test]
fn four_searches_at_the_limit_keep_to_the_memory_of_the_server() {
    fill(64 * MIB, [("/api/solve", "bfs"); 4]);
}

#[test]
#[ignore = "long: cargo xtask prove (four searches of 512 MiB)"]
fn four_searches_at_the_limit_keep_to_the_usual_memory_of_the_server() {
    fill(512 * MIB, [("/api/solve", "bfs"); 4]);
    fill(
        512 * MIB,
        [("/api/solve", "bfs"), ("/api/solve", "astar"), ("/api/watch", "bfs"), ("/api/solve", "ucs")],
    );
}

#[test]
fn nothing_is_written_to_the_folder_of_tables() {
    let folder = folder("cache");
    let server = Process::start(512 * MIB, &folder);
    for (board, heuristic) in [(0, "4-4"), (5, "5-5-5")] {
        let job = json!({
            "kind": "tiles", "text": example("tiles", board), "strategy": "astar", "heuristic": heuristic, "nodes": 100_000,
        });
        let events = server.solve(&job).events();
        assert_eq!(events.last().unwrap().0, "done", "{heuristic}: {events:?}");
    }
    assert!(!folder.exists(), "a visitor has filled the folder of tables");
}
