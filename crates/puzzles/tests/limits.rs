//! Every search of every kind against the clock, on the largest boards that can be read, where set-up takes the time, and
//! on one where the search does: set-up is inside the limits, and no time is counted twice.

mod boards;

use std::time::{Duration, Instant};

use beeline_puzzles::{Job, KINDS, Kind};
use beeline_search::strategies::Settings;
use beeline_search::{Budget, Limit, Verdict};

/// How late a search may be here: a busy machine may stall any process for a while. How close it comes is measured by
/// `cargo bench -p beeline-bench --bench limits`.
const GRACE: Duration = Duration::from_secs(4);

/// The default solver for every objective, and searches whose set-up or whose expansions are long.
fn jobs(kind: &dyn Kind) -> Vec<Job> {
    let mut jobs = Vec::new();
    for objective in kind.objectives() {
        jobs.push(Job { objective: Some(objective.name.to_owned()), ..Job::default() });
    }
    for (strategy, width) in [("astar", None), ("iw", Some(3)), ("bfws", Some(4))] {
        let settings = Settings { width, ..Settings::default() };
        jobs.push(Job { strategy: Some(strategy.to_owned()), settings, ..Job::default() });
    }
    jobs
}

#[test]
fn searches_stop_in_time_and_count_it_once() {
    for kind in KINDS {
        for (name, text) in boards::largest(*kind).into_iter().chain([("hard", boards::hard(*kind))]) {
            let puzzles =
                kind.parse(&text).unwrap_or_else(|error| panic!("{} {name}: {error:?}", kind.name()));
            for job in jobs(*kind) {
                let bytes = 64 << 20;
                let budget =
                    Budget { time: Some(Duration::from_millis(20)), bytes: Some(bytes), ..Budget::default() };
                let clock = Instant::now();
                let outcome = puzzles[0].solve(&job, &budget, &mut ());
                let took = clock.elapsed();
                let what = format!("{} {name}: {:?} {:?}", kind.name(), job.strategy, job.objective);
                assert!(took < budget.time.unwrap_or_default() + GRACE, "{what}: {took:?}");
                let Ok(outcome) = outcome else { continue };
                assert!(outcome.stats.elapsed <= took, "{what}: {:?} of {took:?}", outcome.stats.elapsed);
                assert!(outcome.stats.bytes <= bytes, "{what}: {} bytes", outcome.stats.bytes);
                if let Verdict::Stopped(limit) = outcome.verdict {
                    assert!(matches!(limit, Limit::Time | Limit::Memory), "{what}: {limit:?}");
                }
            }
        }
    }
}
