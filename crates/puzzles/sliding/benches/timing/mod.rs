//! Times a job and prints the result; shared by both benchmarks of this crate.

use std::time::{Duration, Instant};

use beeline_puzzle::{Job, Puzzle, Watcher};
use beeline_search::{Budget, Stats, Verdict};

/// Processor time of this thread so far (of several threads, only of the first).
pub(crate) fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

/// The budget of a job. Some boards would take hours: a job that no filter names is given up after a while.
pub(crate) fn budget() -> Budget {
    Budget { time: filter().is_empty().then_some(Duration::from_secs(10)), ..Budget::default() }
}

/// The filter: only jobs whose name contains it run.
pub(crate) fn filter() -> String {
    argument(0).unwrap_or_default()
}

/// An argument of the command, not counting those that start with a hyphen.
pub(crate) fn argument(place: usize) -> Option<String> {
    std::env::args().skip(1).filter(|a| !a.starts_with('-')).nth(place)
}

/// Reports long jobs at intervals, and whenever a long layer ends.
struct Progress {
    start: Instant,
    told: Instant,
    depth: u64,
}

impl Watcher for Progress {
    fn tick(&mut self, stats: &Stats) {
        let deeper = stats.depth > self.depth;
        self.depth = stats.depth;
        let since = self.told.elapsed();
        if since > Duration::from_secs(60) || deeper && since > Duration::from_secs(3) {
            self.told = Instant::now();
            eprintln!(
                "{:>7.0} s: {} at depth {}, {} expanded, {:.0} MB",
                self.start.elapsed().as_secs_f64(),
                stats.stored,
                stats.depth,
                stats.expanded,
                stats.bytes as f64 / 1e6
            );
        }
    }
}

/// Solves a puzzle and prints a line; returns the processor time.
pub(crate) fn solved(
    name: &str,
    puzzle: &dyn Puzzle,
    strategy: Option<&str>,
    objective: &str,
    threads: usize,
) -> Duration {
    let mut job = Job {
        strategy: strategy.map(str::to_owned),
        objective: Some(objective.to_owned()),
        ..Job::default()
    };
    job.settings.threads = threads;
    let (before, start, mut runs) = (processor(), Instant::now(), 0);
    // Short jobs are repeated: the processor clock ticks every few milliseconds.
    let outcome = loop {
        let mut progress = Progress { start: Instant::now(), told: Instant::now(), depth: 0 };
        let outcome = match puzzle.solve(&job, &budget(), &mut progress) {
            Ok(outcome) => outcome,
            Err(why) => {
                println!("{name:<28} {why}");
                return Duration::ZERO;
            }
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
    if let Verdict::Solved(s) = &outcome.verdict
        && std::env::var_os("BEELINE_PLAN").is_some()
    {
        println!("{}", puzzle.write_plan(&s.moves));
    }
    let s = &outcome.stats;
    println!(
        "{name:<28} {:<5} {objective:<6} {threads} {length:>9} {:>9} stored {:>9.2} ms cpu {:>9.2} ms wall {:>6.2} M states/s {:>8.2} MB {:>6.2} B/state {:>5.2} made/state",
        strategy.unwrap_or("best"),
        s.stored,
        took.as_secs_f64() * 1e3,
        wall.as_secs_f64() * 1e3,
        s.stored as f64 / took.as_secs_f64() / 1e6,
        s.bytes as f64 / 1e6,
        s.bytes_per_state().unwrap_or(0.0),
        s.generated as f64 / s.expanded.max(1) as f64,
    );
    took
}
