//! The overhead of the generic engine over hand-written code: `cargo bench -p beeline-bench --bench engine`.

#[path = "engine/chase.rs"]
mod chase;
#[path = "engine/fifteen.rs"]
mod fifteen;
#[path = "engine/twin.rs"]
mod twin;

use beeline_bench::{Job, compare, measure, time};
use beeline_search::Search;

/// A board for the clock: 9.8 million expansions.
const BOARD: [u8; 16] = [13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6];
/// A board for callgrind.
const SMALL: [u8; 16] = [1, 2, 7, 6, 3, 4, 5, 8, 9, 10, 11, 12, 0, 14, 15, 13];

fn generic(board: &[u8; 16]) -> u64 {
    let space = fifteen::Fifteen(*board);
    let outcome = Search::new(&space).heuristic(fifteen::Manhattan).run("idastar");
    outcome.map_or(0, |outcome| outcome.stats.expanded)
}

fn main() {
    let ida = measure(
        "IDA* on the 15-puzzle, Manhattan distance: the generic loop and a twin written by hand",
        &[
            Job {
                name: "generic",
                unit: "nodes",
                counted: Some(|| generic(&SMALL)),
                timed: || time(|| generic(&BOARD)),
            },
            Job {
                name: "twin",
                unit: "nodes",
                counted: Some(|| twin::expanded(&SMALL)),
                timed: || time(|| twin::expanded(&BOARD)),
            },
        ],
    );
    if let [generic, twin] = &ida[..] {
        compare("generic beside twin", generic, twin);
    }
    chase::main();
}
