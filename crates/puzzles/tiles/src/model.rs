//! Building and searching with pattern databases, and counting by layers, under the model checker.
//!
//! Run with `cargo test -p beeline-tiles --features model model_`.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex, OnceLock};

use beeline_search::sync::model;
use beeline_search::{Budget, Limit};

use crate::board::Step;
use crate::count::{Order, layers, plain};
use crate::move_fsm::MoveFsm;
use crate::pattern::Patterns;
use crate::pattern::build::{Built, build};
use crate::pattern::database::Database;
use crate::pattern::places::Places;
use crate::pattern::tables::tables;
use crate::word::{GOAL, Word, slide};

/// Schedules for each case and each scheduler.
const SCHEDULES: usize = 100;

fn built(threads: usize, budget: &Budget) -> Result<Built, Limit> {
    let places = Places::new(2, 3, 2).unwrap();
    build(&places, &[1, 4], true, threads, budget, &mut |_| {})
}

#[test]
fn model_a_database_is_the_same_whoever_builds_it() {
    let known = Arc::new(Mutex::new(None));
    model::check(SCHEDULES, move || {
        let built = built(3, &Budget::default()).unwrap();
        let mut known = known.lock().unwrap();
        assert_eq!(*known.get_or_insert_with(|| built.nibbles.clone()), built.nibbles);
    });
}

#[test]
fn model_building_ends_at_a_limit() {
    model::check(3 * SCHEDULES, || {
        let ended = built(3, &model::cancelled_sometime());
        assert!(matches!(ended, Ok(_) | Err(Limit::Cancelled)), "{ended:?}");
    });
    for bytes in [0, 100, 200, 300, 400, 600] {
        model::check(SCHEDULES / 2, move || {
            let ended = built(2, &Budget { bytes: Some(bytes), ..Budget::default() });
            assert!(matches!(ended, Ok(_) | Err(Limit::Memory)), "{ended:?}");
        });
    }
}

/// The databases of the 8-puzzle, built once, without primitives of the model checker.
fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let set = tables("4-4", 3, 3).unwrap();
        let databases: Vec<Arc<Database>> =
            set.get(None, 1, &Budget::default(), &mut |_| {}, &mut |_| {}).unwrap();
        let machine = MoveFsm::new(3, 3, 4, Step::ALL);
        Patterns::new(&databases, &Budget::default(), machine, Step::ALL).unwrap()
    })
}

#[test]
fn model_searching_with_databases_ends() {
    // 16 moves from the goal.
    let cells = [1, 4, 2, 3, 0, 5, 8, 6, 7];
    let known = Arc::new(Mutex::new(None));
    let first = known.clone();
    model::check(SCHEDULES, move || {
        let (found, limit) = patterns().search(&cells, 0, 3, &Budget::default());
        let plan = found.plan.unwrap();
        assert!(limit.is_none());
        assert_eq!(first.lock().unwrap().get_or_insert_with(|| (plan.clone(), found.expanded)).0, plan);
    });
    let most = known.lock().unwrap().as_ref().unwrap().1;
    for nodes in 0..=most {
        model::check(SCHEDULES / 4, move || {
            let (found, limit) =
                patterns().search(&cells, 0, 2, &Budget { nodes: Some(nodes), ..Budget::default() });
            assert!(limit == Some(Limit::Nodes) || found.plan.is_some(), "{limit:?}");
            assert!(found.expanded <= nodes, "{} of {nodes}", found.expanded);
        });
    }
    model::check(3 * SCHEDULES, move || {
        let (found, limit) = patterns().search(&cells, 0, 3, &model::cancelled_sometime());
        assert!(limit == Some(Limit::Cancelled) || found.plan.is_some(), "{limit:?}");
    });
}

#[test]
fn model_counting_by_layers_is_exact_and_ends() {
    let steps =
        [Step::Right, Step::Down, Step::Right, Step::Down, Step::Left, Step::Up, Step::Left, Step::Down];
    let board = steps.iter().fold(GOAL, |board: Word, &step| slide(board, step).unwrap().0);
    let known = Arc::new(Mutex::new(None));
    model::check(SCHEDULES, move || {
        let (truth, limit) = plain::search(board, Order::Classic, &Budget::default());
        assert!(limit.is_none());
        let plan = truth.plan.clone().unwrap();
        let counted = layers::count(board, &plan, Order::Classic, 3, &Budget::default()).unwrap();
        assert_eq!(counted, truth);
        known.lock().unwrap().get_or_insert(plan);
        let cancelled = layers::count(
            board,
            known.lock().unwrap().as_ref().unwrap(),
            Order::Classic,
            3,
            &model::cancelled_sometime(),
        );
        assert!(cancelled == Ok(truth) || cancelled == Err(Limit::Cancelled), "{cancelled:?}");
    });
}
