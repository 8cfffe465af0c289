//! The satisficing solver under the model checker, on a tiny level.
//!
//! Run with `cargo test -p beeline-sokoban --features model model_`.

#![allow(clippy::unwrap_used)]

use beeline_search::sync::model;
use beeline_search::{Budget, Limit, Verdict};

use super::{Options, solve};
use crate::board::Board;
use crate::make::make;

/// Schedules for each case and each scheduler.
const SCHEDULES: usize = 30;

/// Levels that are not solved at once.
fn levels() -> impl Iterator<Item = Board> {
    (0..12).filter_map(|seed| make(8, 7, 3, seed)).take(4)
}

#[test]
fn model_the_race_ends_with_a_plan() {
    for (threads, level) in levels().flat_map(|level| [(2, level.clone()), (3, level)]) {
        model::check(SCHEDULES, move || {
            let outcome =
                solve(&level, &Options { threads, ..Options::default() }, &Budget::default(), &mut ());
            assert!(matches!(outcome.verdict, Verdict::Solved(_)), "{:?}", outcome.verdict);
        });
    }
}

#[test]
fn model_the_race_ends_at_a_limit() {
    for (nodes, level) in levels().flat_map(|level| [0, 1, 2, 3, 10, 50].map(|nodes| (nodes, level.clone())))
    {
        model::check(SCHEDULES, move || {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let outcome = solve(&level, &Options { threads: 2, ..Options::default() }, &budget, &mut ());
            assert!(matches!(outcome.verdict, Verdict::Solved(_) | Verdict::Stopped(Limit::Nodes)));
            assert!(outcome.stats.expanded <= nodes, "{} of {nodes}", outcome.stats.expanded);
        });
    }
    for level in levels() {
        model::check(2 * SCHEDULES, move || {
            let outcome = solve(
                &level,
                &Options { threads: 2, ..Options::default() },
                &model::cancelled_sometime(),
                &mut (),
            );
            assert!(matches!(outcome.verdict, Verdict::Solved(_) | Verdict::Stopped(Limit::Cancelled)));
        });
    }
}
