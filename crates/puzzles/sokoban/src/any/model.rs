//! The race for any plan under the model checker, on a tiny level.
//!
//! Run with `cargo test --release -p beeline-sokoban --features model model_`.

use beeline_search::sync::model;
use beeline_search::{Budget, Limit, Verdict};

use super::solve;
use crate::board::Board;
use crate::make::make;

/// Schedules for each case and each scheduler.
const SCHEDULES: usize = 20;

fn level() -> Board {
    make(6, 5, 2, 1).unwrap()
}

#[test]
fn model_the_race_ends_with_a_plan() {
    for threads in [2, 3] {
        model::check(SCHEDULES, move || {
            let outcome = solve(&level(), threads, &Budget::default(), &mut ());
            assert!(matches!(outcome.verdict, Verdict::Solved(_)), "{:?}", outcome.verdict);
        });
    }
}

#[test]
fn model_the_race_ends_at_a_limit() {
    for nodes in [0, 1, 2, 3, 10, 50] {
        model::check(SCHEDULES, move || {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let outcome = solve(&level(), 2, &budget, &mut ());
            assert!(matches!(outcome.verdict, Verdict::Solved(_) | Verdict::Stopped(Limit::Nodes)));
            assert!(outcome.stats.expanded <= nodes, "{} of {nodes}", outcome.stats.expanded);
        });
    }
    model::check(2 * SCHEDULES, || {
        let outcome = solve(&level(), 2, &model::cancelled_sometime(), &mut ());
        assert!(matches!(outcome.verdict, Verdict::Solved(_) | Verdict::Stopped(Limit::Cancelled)));
    });
}
