//! The real command, killed (SIGKILL) at random moments and resumed, ends with the same plan and the same counters.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use beeline_search::Random;
use serde_json::Value;

/// Strategies, each with a puzzle that takes a moment.
const JOBS: [&[&str]; 11] = [
    &["hard.txt", "--with", "bfs"],
    &["hard.txt", "--with", "dfs"],
    &["hard.txt", "--with", "ucs"],
    &["hard.txt", "--with", "iw"],
    &["hard.txt", "--with", "astar", "--heuristic", "blind"],
    &["hard.txt", "--with", "wastar", "--weight", "1.1"],
    &["hard.txt", "--with", "greedy", "--heuristic", "blind"],
    &["hard.txt", "--with", "idastar"],
    &["easy.txt", "--with", "ids"],
    &["easy.txt", "--with", "dls", "--depth", "16"],
    &["hard.txt", "--with", "bfs", "--disk", "layers", "--memory", "1M"],
];

/// A folder for one test, removed afterwards.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("beeline-killed-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        // A hardest 8-puzzle, and one of at most sixteen moves.
        std::fs::write(path.join("hard.txt"), "8 0 6\n5 4 7\n2 3 1\n").unwrap();
        std::fs::write(path.join("easy.txt"), "2 5 8\n4 0 7\n1 3 6\n").unwrap();
        Self(path)
    }

    fn start(&self, args: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_beeline"))
            .args(args)
            .arg("--json")
            .current_dir(&self.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }
}

/// The results of a run, without its time and memory.
fn found(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    let mut record: Value = serde_json::from_slice(&output.stdout).unwrap();
    record["command"] = Value::Null;
    for own in ["seconds", "bytes"] {
        record["stats"][own] = Value::Null;
    }
    record
}

fn survive(job: &[&str], kills: usize, random: &mut Random) {
    let folder = Folder::new(&job[2..].concat().replace(['-', '.'], ""));
    let clock = Instant::now();
    let whole = found(folder.start(&[&["solve"], job, &["--threads", "1"]].concat()));
    let took = clock.elapsed();
    assert!(["solved", "gave up"].contains(&whole["verdict"].as_str().unwrap()), "{job:?}: {whole}");
    let saved = folder.0.join("saved");
    let begin = [&["solve"], job, &["--checkpoint", "saved", "--every", "1ms"]].concat();
    let go_on = || {
        if saved.exists() {
            return folder.start(&["resume", "saved"]);
        }
        // A search that was killed before its first checkpoint starts again, in an empty folder.
        let _ = std::fs::remove_dir_all(folder.0.join("layers"));
        folder.start(&begin)
    };
    let mut killed = 0;
    while killed < kills {
        let mut child = go_on();
        let wait = took.as_micros() as usize + 1000;
        std::thread::sleep(Duration::from_micros(random.below(wait) as u64));
        child.kill().unwrap();
        if child.wait().unwrap().code().is_none() {
            killed += 1;
        }
    }
    assert_eq!(found(go_on()), whole, "{job:?}");
    assert!(!saved.exists(), "{job:?}: the checkpoint goes with the search");
    let layers = std::fs::read_dir(folder.0.join("layers")).into_iter().flatten().count();
    assert_eq!(layers, 0, "{job:?}: the layers go with the search");
}

/// Kills each job so many times, two jobs at a time: they mostly wait.
fn every_job(kills: usize, seed: u64) {
    std::thread::scope(|scope| {
        for (half, seed) in JOBS.chunks(JOBS.len().div_ceil(2)).zip(seed..) {
            let mut random = Random::new(seed);
            scope.spawn(move || half.iter().for_each(|job| survive(job, kills, &mut random)));
        }
    });
}

#[test]
fn a_killed_search_goes_on() {
    every_job(2, 1);
}

#[test]
#[ignore = "long: cargo xtask prove (fifty kills of each strategy take minutes)"]
fn fifty_kills_of_each_strategy() {
    every_job(50, 2);
}
