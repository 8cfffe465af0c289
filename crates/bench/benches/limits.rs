//! How far searches overrun their time limits: `cargo bench -p beeline-bench --bench limits`. Fails if one overruns a limit by
//! more than 50 ms and 1 %.
//!
//! First every strategy on an infinite space, at widths 3 and 4. Then every strategy and solver of every kind, for every
//! objective, on the largest readable boards, where the set-up takes longest.

use std::time::{Duration, Instant};

use beeline_puzzles::{Job, KINDS, Puzzle};
use beeline_search::strategies::STRATEGIES;
use beeline_search::{Budget, Limit, Search, Settings, Verdict};

#[path = "../../puzzles/tests/boards/mod.rs"]
mod boards;
#[path = "../../search/tests/engine/common/wild.rs"]
mod wild;

fn main() {
    let mut late = Vec::new();
    strategies(&mut late);
    solvers(&mut late);
    assert!(late.is_empty(), "late: {late:#?}");
}

/// Is the overrun larger than allowed?
fn is_late(over: Duration, limit: Duration) -> bool {
    over > Duration::from_millis(50) && over > limit / 100
}

/// Every strategy and solver of every kind on its largest boards.
fn solvers(late: &mut Vec<String>) {
    let limit = Duration::from_millis(300);
    println!("\n{:<10} {:<18} {:<22} {:>10} {:>12}", "kind", "board", "search", "overrun", "expanded");
    for kind in KINDS {
        for (name, text) in boards::largest(*kind) {
            let Ok(puzzles) = kind.parse(&text) else { panic!("{} cannot read {name}", kind.name()) };
            let searches = kind.solvers().iter().map(|s| s.name).chain(STRATEGIES.iter().map(|s| s.name));
            for (search, objective) in
                searches.flat_map(|s| kind.objectives().iter().map(move |o| (s, o.name)))
            {
                for width in if matches!(search, "iw" | "bfws") { &[Some(3), Some(4)][..] } else { &[None] } {
                    let job = Job {
                        strategy: Some(search.to_owned()),
                        objective: Some(objective.to_owned()),
                        settings: Settings { depth: Some(1 << 30), width: *width, ..Settings::default() },
                        ..Job::default()
                    };
                    let Some((over, expanded)) = least_overrun(puzzles[0].as_ref(), &job, limit) else {
                        continue;
                    };
                    let what =
                        format!("{search} {objective} {}", width.map_or(String::new(), |w| w.to_string()));
                    println!("{:<10} {name:<18} {what:<22} {over:>10.1?} {expanded:>12}", kind.name());
                    if is_late(over, limit) {
                        late.push(format!("{} {name}: {what}: {over:.1?}", kind.name()));
                    }
                }
            }
        }
    }
}

/// The overrun of a search and its expansions: the first of three runs that is in time, or the last, because other processes
/// can delay one run. `None` if the search is refused.
fn least_overrun(puzzle: &dyn Puzzle, job: &Job, limit: Duration) -> Option<(Duration, u64)> {
    let budget = Budget { time: Some(limit), bytes: Some(4 << 30), ..Budget::default() };
    let run = || {
        let clock = Instant::now();
        let outcome = puzzle.solve(job, &budget, &mut ()).ok()?;
        Some((clock.elapsed().saturating_sub(limit), outcome.stats.expanded))
    };
    let mut seen = run()?;
    for _ in 1..3 {
        if !is_late(seen.0, limit) {
            break;
        }
        seen = run()?;
    }
    Some(seen)
}

/// Every strategy of the engine.
fn strategies(late: &mut Vec<String>) {
    println!("{:<14} {:>10} {:>12} {:>12}", "strategy", "limit", "overrun", "expanded");
    for (strategy, width) in STRATEGIES.iter().flat_map(|strategy| [(strategy, 3), (strategy, 4)]) {
        for limit in [Duration::from_millis(100), Duration::from_secs(2)] {
            let settings = Settings { depth: Some(1 << 30), width: Some(width), ..Settings::default() };
            let budget = Budget { time: Some(limit), bytes: Some(4 << 30), ..Budget::default() };
            let clock = Instant::now();
            let outcome = Search::new(&wild::Wild).settings(settings).budget(budget).run(strategy.name);
            let over = clock.elapsed().saturating_sub(limit);
            let Ok(outcome) = outcome else { continue };
            let ended = outcome.verdict == Verdict::Stopped(Limit::Time);
            println!("{:<14} {limit:>10.1?} {over:>12.1?} {:>12}", strategy.name, outcome.stats.expanded);
            // No table holds all tuples of this space at width 4.
            let refused = width == 4 && outcome.verdict == Verdict::Stopped(Limit::Memory);
            if !ended && !refused || is_late(over, limit) {
                late.push(format!("{} at width {width}: {over:.1?}", strategy.name));
            }
        }
    }
}
