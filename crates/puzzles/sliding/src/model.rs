//! Both parallel solvers under the model checker, on a tiny board.
//!
//! Run with `cargo test -p beeline-sliding --features model model_`.

#![allow(clippy::unwrap_used)]

use std::sync::OnceLock;

use beeline_search::budget::Meter;
use beeline_search::sync::model;
use beeline_search::{Budget, Limit, Stats, Verdict};

use crate::bricks::Bricks;
use crate::packing::{Field, until_goal};
use crate::solve::ranked_shortest;
use crate::{AnyBoard, Metric};

/// Schedules for each case and each scheduler.
const SCHEDULES: usize = 100;

/// Piece 2 must leave by the gap in the wall; two more pieces of one cell block it. 60 positions.
const TINY: &str = "5,4,\n1,1,1,1,1,\n1,2,3,0,1,\n1,4,0,0,-1,\n1,1,1,1,1,\n";

/// The end of a run: the plan's length (`None` if there is no plan), or a limit; and the counters.
type Ended = (Result<Option<u64>, Limit>, [u64; 3]);

fn counters(stats: &Stats) -> [u64; 3] {
    [stats.expanded, stats.generated, stats.stored]
}

/// By shards that send each other positions.
fn by_position(metric: Metric, threads: usize, budget: &Budget) -> Ended {
    let bricks = Bricks::parse(TINY).unwrap();
    let AnyBoard::Small(board) = bricks.board() else { panic!("it is a small board") };
    let outcome = ranked_shortest(board, metric, threads, budget, &mut |_| {}).unwrap();
    let end = match outcome.verdict {
        Verdict::Solved(solution) => Ok(Some(solution.cost)),
        Verdict::Exhausted => Ok(None),
        Verdict::Stopped(limit) => Err(limit),
        Verdict::GaveUp => panic!("it gave up"),
    };
    (end, counters(&outcome.stats))
}

/// Over packings shared by all threads.
fn over_packings(threads: usize, budget: &Budget) -> Ended {
    let bricks = Bricks::parse(TINY).unwrap();
    let AnyBoard::Small(board) = bricks.board() else { panic!("it is a small board") };
    let field = Field::of(board, &(1..=u64::MAX)).unwrap();
    let (mut meter, mut stats) = (Meter::new(budget), Stats::default());
    let end = until_goal(&field, threads, budget, &mut meter, &mut stats, &mut |_| {});
    (end.map(|way| way.map(|way| way.len() as u64)), counters(&stats))
}

/// Runs a solver without limits, with every limit on expansions, and with a cancel at any moment. `fixed`: every schedule must
/// give the same counters.
fn hold(fixed: bool, solve: impl Fn(&Budget) -> Ended + Clone + Send + Sync + 'static) {
    static KNOWN: OnceLock<std::sync::Mutex<Vec<Option<Ended>>>> = OnceLock::new();
    let known = KNOWN.get_or_init(std::sync::Mutex::default);
    let case = {
        let mut known = known.lock().unwrap();
        known.push(None);
        known.len() - 1
    };
    let run = solve.clone();
    model::check(SCHEDULES, move || {
        let ended = run(&Budget::default());
        assert!(ended.0.is_ok_and(|length| length.is_some()));
        let first = *known.lock().unwrap()[case].get_or_insert(ended);
        assert_eq!(first.0, ended.0);
        assert!(!fixed || first == ended, "{first:?}, then {ended:?}");
    });
    let (length, [most, ..]) = known.lock().unwrap()[case].unwrap();
    for nodes in 0..=most + 1 {
        let run = solve.clone();
        model::check(SCHEDULES / 4, move || {
            let (end, [expanded, ..]) = run(&Budget { nodes: Some(nodes), ..Budget::default() });
            assert!(end == length || end == Err(Limit::Nodes), "{end:?}");
            assert!(expanded <= nodes, "{expanded} of {nodes}");
        });
    }
    model::check(4 * SCHEDULES, move || {
        let (end, _) = solve(&model::cancelled_sometime());
        assert!(end == length || end == Err(Limit::Cancelled), "{end:?}");
    });
}

#[test]
fn model_shards_end_in_steps() {
    hold(true, |budget| by_position(Metric::Steps, 2, budget));
}

#[test]
fn model_shards_end_in_moves() {
    hold(true, |budget| by_position(Metric::Moves, 2, budget));
}

#[test]
fn model_four_shards_end() {
    hold(true, |budget| by_position(Metric::Lines, 4, budget));
}

#[test]
fn model_packings_end() {
    hold(false, |budget| over_packings(2, budget));
}

#[test]
fn model_packings_by_three_end() {
    hold(false, |budget| over_packings(3, budget));
}

#[test]
fn model_a_lack_of_memory_ends_both() {
    for bytes in [0, 1 << 10, 1 << 14, 1 << 17, 1 << 18] {
        model::check(SCHEDULES, move || {
            let budget = Budget { bytes: Some(bytes), ..Budget::default() };
            for (end, _) in [by_position(Metric::Steps, 2, &budget), over_packings(2, &budget)] {
                assert!(matches!(end, Ok(Some(_)) | Err(Limit::Memory)), "{end:?}");
            }
        });
    }
}
