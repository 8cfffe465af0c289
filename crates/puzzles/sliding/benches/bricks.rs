//! Sliding bricks: jobs, processor time, rates and bytes.
//!
//! `cargo bench --bench bricks [FILTER]`. Jobs on the shipped boards always run; with `BEELINE_SUITES` set to the folder of
//! suites, those on `bricks/levels` and `bricks/classics` run too (the largest only when the filter names them). Every plan
//! is printed with its length, so that a change of results shows beside a change of speed.

use std::path::Path;
use std::time::{Duration, Instant};

use beeline_puzzle::{Job, Kind, Puzzle};
use beeline_search::{Budget, Verdict};
use beeline_sliding::Metric;
use beeline_sliding::bricks::{Bricks, BricksKind, space};

/// Processor time of this thread so far.
fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

/// Some boards would take hours: without a filter that names them, a job is given up after a while.
fn budget() -> Budget {
    let named = std::env::args().skip(1).any(|a| !a.starts_with('-'));
    Budget { time: (!named).then_some(Duration::from_secs(10)), ..Budget::default() }
}

fn solved(name: &str, bricks: &Bricks, objective: &str, threads: usize) {
    let mut job = Job { objective: Some(objective.to_owned()), ..Job::default() };
    job.settings.threads = threads;
    let (before, start, mut runs) = (processor(), Instant::now(), 0);
    // Short jobs are repeated: the clock of the processor ticks every few milliseconds.
    let outcome = loop {
        let outcome = match bricks.solve(&job, &budget(), &mut ()) {
            Ok(outcome) => outcome,
            Err(why) => return println!("{name:<28} {why}"),
        };
        runs += 1;
        if start.elapsed() > Duration::from_millis(100) {
            break outcome;
        }
    };
    let (took, wall) = (processor().saturating_sub(before) / runs, start.elapsed() / runs);
    let length = match &outcome.verdict {
        Verdict::Solved(s) => s.cost.to_string(),
        other => format!("{other:?}"),
    };
    let s = &outcome.stats;
    println!(
        "{name:<28} {objective:<6} {threads} {length:>10} {:>10} stored {:>9.2} ms cpu {:>9.2} ms wall {:>6.2} M states/s {:>8.2} MB {:>6.2} B/state",
        s.stored,
        took.as_secs_f64() * 1e3,
        wall.as_secs_f64() * 1e3,
        s.stored as f64 / took.as_secs_f64() / 1e6,
        s.bytes as f64 / 1e6,
        s.bytes_per_state().unwrap_or(0.0),
    );
}

fn counted(name: &str, bricks: &Bricks) {
    let before = processor();
    let census = space::census(bricks, Metric::Steps, false, &budget(), &mut |_| {});
    let took = processor().saturating_sub(before);
    if let Some(Ok(census)) = census {
        println!(
            "{name:<28} space  1 {:>10} states {} solved {} deep {:.2} ms cpu",
            census.layers.iter().sum::<u64>(),
            census.goals,
            census.layers.len() - 1,
            took.as_secs_f64() * 1e3
        );
    }
}

fn folder(path: &Path, filter: &str) {
    /// Boards with tens of millions of states and more.
    const LARGE: [&str; 7] =
        ["lodzianka", "pelopones", "shark", "transeuropa", "american-pie", "ithaca", "sunshine"];
    let mut files: Vec<_> = std::fs::read_dir(path)
        .map(|dir| dir.filter_map(Result::ok).map(|f| f.path()).collect())
        .unwrap_or_default();
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let large = LARGE.iter().any(|l| name.contains(l));
        if !name.contains(filter) || large && filter.is_empty() {
            continue;
        }
        match Bricks::parse(&std::fs::read_to_string(&file).unwrap_or_default()) {
            Ok(bricks) => {
                solved(&name, &bricks, "steps", 1);
                solved(&name, &bricks, "moves", 1);
                if !large {
                    solved(&name, &bricks, "lines", 1);
                    counted(&name, &bricks);
                }
            }
            Err(error) => println!("{name}: {error}"),
        }
    }
}

fn main() {
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    for example in BricksKind.examples().iter().filter(|e| e.name.contains(&filter)) {
        let Ok(bricks) = Bricks::parse(example.text) else { continue };
        for objective in ["steps", "moves", "lines"] {
            solved(example.name, &bricks, objective, 1);
        }
        solved(example.name, &bricks, "steps", 2);
        counted(example.name, &bricks);
    }
    let Some(suites) = std::env::var_os("BEELINE_SUITES").map(std::path::PathBuf::from) else {
        println!("BEELINE_SUITES is not set: the jobs on the suites are left out");
        return;
    };
    folder(&suites.join("bricks/levels"), &filter);
    folder(&suites.join("bricks/classics/ext"), &filter);
}
