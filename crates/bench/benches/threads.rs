//! The speed-up from a second thread: `cargo bench -p beeline-bench --bench threads`.
//!
//! The same work by one thread and by several, alternating in one run. The efficiency by the clock (time of one thread, divided
//! by the number of threads and by their time) holds only on a quiet machine. The ratio of processor times shows the overhead
//! of sharing on any machine. Together with the share of idle time it bounds the efficiency on a quiet machine.

#[path = "engine/fifteen.rs"]
mod fifteen;

use std::time::{Duration, Instant};

use beeline_search::{Budget, Outcome, Search, Settings};
use fifteen::{Fifteen, Manhattan};

/// Boards of the 15-puzzle: hundreds of millions of expansions by IDA*, millions by the others.
const LONG: [u8; 16] = [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3];
const DEEP: [u8; 16] = [13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6];
const WIDE: [u8; 16] = [13, 8, 14, 3, 9, 1, 0, 7, 15, 5, 4, 10, 12, 2, 6, 11];
const ROUNDS: usize = 3;

/// A job: its name, the strategy, the board and the limit on expansions.
type Job = (&'static str, &'static str, [u8; 16], Option<u64>);

const JOBS: [Job; 3] = [
    ("IDA*, 60 million states", "idastar", LONG, Some(60_000_000)),
    ("breadth-first, 3 million states", "bfs", WIDE, Some(3_000_000)),
    ("A*, 3 million states", "astar", DEEP, Some(3_000_000)),
];

/// The figures of one run.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    processor: Duration,
    expanded: u64,
    /// The share of time in which threads were idle.
    idle: f64,
    bytes_per_node: f64,
}

/// Processor time of all threads of this process so far, to hundredths of a second; `None` if the system does not report it.
fn on_processors() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

fn once((_, strategy, board, nodes): &Job, threads: usize) -> Option<Took> {
    let settings = Settings { threads, ..Settings::default() };
    let budget = Budget { nodes: *nodes, ..Budget::default() };
    let (clock, before) = (Instant::now(), on_processors());
    let outcome: Outcome<u32> = Search::new(&Fifteen(*board))
        .heuristic(Manhattan)
        .settings(settings)
        .budget(budget)
        .run(strategy)
        .ok()?;
    let wall = clock.elapsed();
    let processor = before.zip(on_processors()).map_or(wall, |(before, after)| after.saturating_sub(before));
    let stats = &outcome.stats;
    let idle = stats.shares.iter().fold(0.0, |sum, share| sum + share.idle.as_secs_f64());
    let sent: u64 = stats.shares.iter().map(|share| share.sent_bytes).sum();
    Some(Took {
        wall,
        processor,
        expanded: stats.expanded,
        idle: idle / (threads as f64 * wall.as_secs_f64()),
        bytes_per_node: sent as f64 / stats.expanded as f64,
    })
}

fn main() {
    println!(
        "{:<34} {:>7} {:>12} {:>9} {:>9} {:>10} {:>9} {:>7} {:>9}",
        "job", "threads", "expanded", "wall s", "cpu s", "efficiency", "cpu cost", "idle", "sent B/n"
    );
    for job in &JOBS {
        let mut alone: Option<Took> = None;
        for threads in [1, 2, 4] {
            // The best run is the least disturbed one.
            let runs = (0..ROUNDS).filter_map(|_| once(job, threads));
            let Some(best) = runs.min_by_key(|took| took.wall) else { continue };
            let alone = *alone.get_or_insert(best);
            // Per state, because several threads may expand a few more than one.
            let per_node = |time: Duration, took: Took| time.as_secs_f64() / took.expanded as f64;
            let efficiency = per_node(alone.wall, alone) / per_node(best.wall, best) / threads as f64;
            let cost = per_node(best.processor, best) / per_node(alone.processor, alone);
            println!(
                "{:<34} {threads:>7} {:>12} {:>9.3} {:>9.3} {efficiency:>10.2} {cost:>9.2} {:>6.1}% {:>9.1}",
                job.0,
                best.expanded,
                best.wall.as_secs_f64(),
                best.processor.as_secs_f64(),
                100.0 * best.idle,
                best.bytes_per_node
            );
        }
    }
}
