//! Limits seen from outside: the memory of the process, its delay, and its exit when the system refuses memory.
//!
//! The searches come from the registry of kinds, strategies and solvers, so that none is left out. A small part of
//! the matrix always runs; all of it takes minutes.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)] // only `wait4` tells what one child held

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use beeline_puzzles::{KINDS, Kind};
use beeline_search::strategies::STRATEGIES;

#[path = "../../puzzles/tests/boards/mod.rs"]
mod boards;

const BEELINE: &str = env!("CARGO_BIN_EXE_beeline");
const MIB: usize = 1 << 20;

/// A board of each kind that an uninformed search cannot solve.
fn hard(kind: &dyn Kind) -> &'static str {
    static FILES: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let keep = |kind: &'static dyn Kind| {
            let path = folder.join(format!("hard-{}.txt", kind.name()));
            fs::write(&path, boards::hard(kind)).expect("a file for a board");
            (kind.name(), path.to_str().expect("a plain name").to_owned())
        };
        KINDS.iter().map(|kind| keep(*kind)).collect()
    });
    &FILES[kind.name()]
}

/// The names of everything that `--with` accepts.
fn searches(kind: &dyn Kind) -> impl Iterator<Item = &'static str> {
    kind.solvers().iter().map(|solver| solver.name).chain(STRATEGIES.iter().map(|strategy| strategy.name))
}

/// A process that runs longer than this hangs, because no time limit here exceeds 3 s.
const HUNG: Duration = Duration::from_secs(60);

/// How a process ended, and its costs.
struct Ended {
    status: ExitStatus,
    resident: usize,
    wall: Duration,
}

/// Runs a command to its end, without a table cache.
fn run(command: &mut Command) -> Ended {
    let clock = Instant::now();
    #[allow(clippy::zombie_processes)] // `wait4` below waits for it
    let mut child = command
        .env("BEELINE_CACHE", no_cache())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let id = child.id() as libc::pid_t;
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: the child is ours and no other thread waits for it; both pointers are valid.
    while unsafe { libc::wait4(id, &raw mut status, libc::WNOHANG, usage.as_mut_ptr()) } != id {
        if clock.elapsed() > HUNG {
            // The next call finds the child ended by a signal.
            child.kill().expect("a child that hangs can be ended");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // SAFETY: an all-zero `rusage` is valid, and it was filled when the child had ended.
    let resident = unsafe { usage.assume_init() }.ru_maxrss as usize * 1024;
    Ended { status: ExitStatus::from_raw(status), resident, wall: clock.elapsed() }
}

/// A folder that does not exist and cannot be created, so that no test depends on a cache.
fn no_cache() -> PathBuf {
    PathBuf::from("/dev/null/beeline")
}

fn solve(puzzle: &str, more: &[&str]) -> Command {
    let mut command = Command::new(BEELINE);
    command.args(["solve", puzzle, "--quiet"]).args(more);
    command
}

/// The allowance: ten percent, and sixteen mebibytes for the program itself.
fn most(limit: usize) -> usize {
    limit + limit / 10 + 16 * MIB
}

/// Runs a search with a memory limit, and adds to `over` if the process used more.
fn hold(puzzle: &str, more: &[&str], (limit, time): (usize, &str), over: &mut Vec<String>) {
    let memory = limit.to_string();
    let arguments = [more, &["--memory", &memory, "--time", time]].concat();
    let ended = run(&mut solve(puzzle, &arguments));
    let line = format!(
        "{puzzle} {} at {} MiB: {} MiB in {:.1?}, {}",
        more.join(" "),
        limit / MIB,
        ended.resident / MIB,
        ended.wall,
        ended.status
    );
    println!("{line}");
    if ended.resident > most(limit) || ended.status.signal().is_some() {
        over.push(line);
    }
}

#[test]
fn a_process_holds_what_it_may() {
    let mut over = Vec::new();
    for (kind, with) in KINDS.iter().zip(["bfs", "astar", "bfs", "best", "astar"]) {
        hold(hard(*kind), &["--with", with, "--threads", "1"], (24 * MIB, "1s"), &mut over);
    }
    hold("tiles-twenty-four", &["--threads", "1"], (24 * MIB, "1s"), &mut over);
    hold("flow-twelve", &["--with", "iw", "--width", "4"], (24 * MIB, "1s"), &mut over);
    assert!(over.is_empty(), "{over:#?}");
}

#[test]
#[ignore = "long: cargo xtask prove (every search of every kind, up to its limit of memory)"]
fn every_search_of_every_kind_holds_what_it_may() {
    let mut over = Vec::new();
    let folder = std::env::temp_dir().join(format!("beeline-limits-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for layers");
    for limit in [24 * MIB, 160 * MIB] {
        for kind in KINDS {
            let puzzle = hard(*kind);
            for with in searches(*kind) {
                for (objective, threads) in kind.objectives().iter().flat_map(|o| [(o, "1"), (o, "2")]) {
                    let depth = ["--depth", "1000000", "--threads", threads];
                    let search = [&["--with", with, "--objective", objective.name], &depth[..]].concat();
                    hold(puzzle, &search, (limit, "2s"), &mut over);
                    for width in ["3", "4"].into_iter().filter(|_| matches!(with, "iw" | "bfws")) {
                        hold(puzzle, &[&search[..], &["--width", width]].concat(), (limit, "2s"), &mut over);
                    }
                }
            }
            let layers = folder.join(kind.name());
            let disk = layers.to_str().expect("a plain name");
            hold(puzzle, &["--disk", disk], (limit, "2s"), &mut over);
        }
    }
    fs::remove_dir_all(&folder).expect("the folder can be removed");
    assert!(over.is_empty(), "{over:#?}");
}

/// A search that stops for lack of memory has used its limit, unless the limit is too small to begin with.
#[test]
fn a_search_that_stops_for_memory_has_used_it() {
    let mut idle = Vec::new();
    for kind in KINDS {
        for (puzzle, mebibytes) in [(hard(*kind), 4), (hard(*kind), 24)] {
            stopped_for_memory(puzzle, mebibytes, "500ms", &mut idle);
        }
    }
    stopped_for_memory("tiles-korf-88", 24, "500ms", &mut idle);
    assert!(idle.is_empty(), "{idle:#?}");
}

#[test]
#[ignore = "long: cargo xtask prove (every search of every kind, up to its limit of memory)"]
fn every_search_that_stops_for_memory_has_used_it() {
    let mut idle = Vec::new();
    for kind in KINDS {
        let shipped = kind.examples().iter().map(|example| example.name);
        for puzzle in shipped.chain([hard(*kind)]) {
            for mebibytes in [4, 8, 16, 24, 32, 64, 128] {
                stopped_for_memory(puzzle, mebibytes, "3s", &mut idle);
            }
        }
    }
    assert!(idle.is_empty(), "{idle:#?}");
}

/// Runs the default solver. Adds to `idle` if it stops at the memory limit without having used half of it.
fn stopped_for_memory(puzzle: &str, mebibytes: usize, time: &str, idle: &mut Vec<String>) {
    let memory = format!("{mebibytes}M");
    let mut command = Command::new(BEELINE);
    command.env("BEELINE_CACHE", no_cache());
    command.args(["solve", puzzle, "--json", "--threads", "1", "--memory", &memory, "--time", time]);
    let output = command.output().expect("the command runs");
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a record");
    let bytes = record["stats"]["bytes"].as_u64().expect("bytes") as usize;
    let line = format!("{puzzle} at {memory}: {} after {} KiB", output.status, bytes >> 10);
    println!("{line}");
    if output.status.code() == Some(21) && bytes < mebibytes * MIB / 2 {
        idle.push(line);
    }
}

/// Runs a search in an address space of this many kilobytes. It must end by itself.
fn confine(kilobytes: usize, puzzle: &str, more: &[&str], bad: &mut Vec<String>) {
    let script = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, BEELINE, "solve", puzzle, "--quiet", "--time", "200ms"]).args(more);
    let ended = run(&mut command);
    let fine = matches!(ended.status.code(), Some(0 | 10 | 11 | 20 | 21 | 32));
    let line = format!("ulimit -v {kilobytes}: {puzzle} {}: {}", more.join(" "), ended.status);
    println!("{line}");
    if !fine {
        bad.push(line);
    }
}

#[test]
fn no_address_space_ends_in_an_abort() {
    let mut bad = Vec::new();
    for kind in KINDS {
        for kilobytes in [40_000, 100_000] {
            confine(kilobytes, hard(*kind), &["--threads", "1"], &mut bad);
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
#[ignore = "long: cargo xtask prove (ten address spaces for every search)"]
fn no_address_space_ends_any_search_in_an_abort() {
    let mut bad = Vec::new();
    for kilobytes in [30_000, 40_000, 50_000, 65_000, 80_000, 100_000, 150_000, 200_000, 300_000, 400_000] {
        for kind in KINDS {
            for with in searches(*kind) {
                for more in [&["--threads", "1"][..], &["--threads", "2"]] {
                    let search = [&["--with", with, "--depth", "1000000"], more].concat();
                    confine(kilobytes, hard(*kind), &search, &mut bad);
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
