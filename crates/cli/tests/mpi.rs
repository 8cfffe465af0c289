//! `beeline cluster solve` under mpirun: the same cost for 1, 2 and 4 ranks on every kind, and the death of a rank.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const BEELINE: &str = env!("CARGO_BIN_EXE_beeline");

/// A puzzle of each kind, small enough for one rank.
const PUZZLES: [&str; 6] =
    ["gate-first", "tiles-first", "flow-first", "sokoban-first", "bricks-first", "gate-never"];

fn mpirun(ranks: usize, args: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    // Tests run as root in containers, and with fewer cores than ranks.
    command.args(["--allow-run-as-root", "--oversubscribe", "-np", &ranks.to_string(), BEELINE]);
    command.args(["cluster", "solve"]).args(args).stdin(Stdio::null());
    command
}

/// A field of a line of JSON.
fn field(output: &Output, name: &str) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let value: serde_json::Value = serde_json::from_str(text.trim())
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    value[name].to_string()
}

#[test]
fn every_number_of_ranks_finds_the_same_cost_on_every_kind() {
    for puzzle in PUZZLES {
        for strategy in ["astar", "bfs"] {
            let alone = Command::new(BEELINE).args(["solve", puzzle, "--json", "--with", strategy]).output();
            let alone = alone.unwrap();
            for ranks in [1, 2, 4] {
                let together = mpirun(ranks, &[puzzle, "--json", "--with", strategy]).output().unwrap();
                for name in ["verdict", "cost", "promise"] {
                    let context = format!("{name} of {puzzle} by {strategy} with {ranks} ranks");
                    assert_eq!(field(&together, name), field(&alone, name), "{context}");
                }
            }
        }
    }
}

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("beeline-mpi-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The processes that mpirun started.
fn ranks_of(mpirun: &Child) -> Vec<u32> {
    let parent = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| parent(pid) == Some(mpirun.id())).collect()
}

/// Waits until a layer is reported, and returns its number.
fn layer_in(folder: &Path, at_least: u64) -> u64 {
    let clock = Instant::now();
    loop {
        let named = std::fs::read_to_string(folder.join("layers")).unwrap_or_default();
        let layer = named.lines().find_map(|line| line.strip_prefix("layer ")?.parse().ok());
        if let Some(layer) = layer.filter(|&layer| layer >= at_least) {
            return layer;
        }
        assert!(clock.elapsed() < Duration::from_secs(300), "no layer was written");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_rank_that_dies_ends_the_job_and_the_last_layer_goes_on() {
    let folder = folder("dies");
    let layers = folder.to_str().unwrap();
    // There are enough layers to kill a rank in the middle.
    let args = ["bricks-klotski", "--with", "bfs", "--json", "--layers", layers];
    let whole =
        Command::new(BEELINE).args(["solve", "bricks-klotski", "--json", "--with", "bfs"]).output().unwrap();
    let job = mpirun(2, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    layer_in(&folder, 3);
    let victim = *ranks_of(&job).iter().max().expect("mpirun has started its ranks");
    assert!(Command::new("kill").args(["-9", &victim.to_string()]).status().unwrap().success());
    let broken = job.wait_with_output().unwrap();
    assert!(!broken.status.success());
    assert!(String::from_utf8_lossy(&broken.stderr).contains("signal 9"), "{broken:?}");
    let resumed = mpirun(2, &[&args[..], &["--resume"]].concat()).output().unwrap();
    for name in ["verdict", "cost", "promise"] {
        assert_eq!(field(&resumed, name), field(&whole, name), "{name}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
