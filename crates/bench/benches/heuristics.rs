//! The cost of heuristics inside A* and IDA*: `cargo bench -p beeline-bench --bench heuristics`.
//!
//! Each job solves a puzzle as `beeline solve --with` and `beeline compare` do, and stops after the same number of expansions.
//! Reading the board and building the heuristic's tables are part of the job.

use beeline_bench::{Job, Timing, measure, time};
use beeline_puzzles::{Job as Task, kind};
use beeline_search::Budget;

/// Expansions of a job that is counted, and of a job that is timed.
const COUNTED: u64 = 50_000;
const TIMED: u64 = 500_000;

/// A 15-puzzle far from its goal.
const TILES: &str = "13 5 4 10\n9 12 8 14\n2 3 7 1\n0 15 11 6\n";
/// Eight boxes in a hall.
const SOKOBAN: &str = "
############
#  .   .   #
# $. $ .$  #
#      $   #
#  .   .   #
#   $ @    #
#  .   .   #
# $ $ $. $ #
#          #
############
";
const GATE: &str = include_str!("../../puzzles/sliding/boards/gate/long.gate");

/// Runs a search on a board up to `most` expansions.
fn expand(name: &str, text: &str, strategy: &str, heuristic: &str, most: u64) -> u64 {
    let kind = kind(name).unwrap_or_else(|| panic!("there is no puzzle {name}"));
    let puzzles = kind.parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (strategy, heuristic) = (Some(strategy.to_owned()), Some(heuristic.to_owned()));
    let task = Task { strategy, heuristic, ..Task::default() };
    let budget = Budget { nodes: Some(most), ..Budget::default() };
    let outcome = puzzles[0].solve(&task, &budget, &mut ());
    outcome.unwrap_or_else(|why| panic!("{name}: {why}")).stats.expanded
}

macro_rules! jobs {
    ($($name:literal, $text:ident, $strategy:literal, $heuristic:literal;)*) => {
        [$(Job {
            name: concat!($name, " ", $strategy, " ", $heuristic),
            unit: "nodes",
            counted: Some(|| expand($name, $text, $strategy, $heuristic, COUNTED)),
            timed: || -> Timing { time(|| expand($name, $text, $strategy, $heuristic, TIMED)) },
        }),*]
    };
}

fn main() {
    measure(
        "Strategies of the engine with each heuristic",
        &jobs! {
            "tiles", TILES, "astar", "manhattan";
            "tiles", TILES, "astar", "linear-conflict";
            "tiles", TILES, "astar", "walking-distance";
            "tiles", TILES, "astar", "improved";
            "tiles", TILES, "idastar", "manhattan";
            "tiles", TILES, "idastar", "linear-conflict";
            "tiles", TILES, "idastar", "walking-distance";
            "tiles", TILES, "idastar", "improved";
            "sokoban", SOKOBAN, "astar", "matching";
            "sokoban", SOKOBAN, "idastar", "matching";
            "gate", GATE, "astar", "way";
            "gate", GATE, "idastar", "way";
        },
    );
}
