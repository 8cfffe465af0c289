//! Searches by several threads and ranks: the same costs and the same proofs as by one.

mod common;

use beeline_search::parallel::{Cluster, Ranks};
use beeline_search::strategies::{Settings, run};
use beeline_search::{Budget, Limit, Outcome, Verdict};
use common::replayed;
use common::world::{Estimates, World};

fn settings(ranks: usize) -> Settings {
    Settings { cluster: Some(Cluster { ranks: Ranks::Threads(ranks), saving: None }), ..Settings::default() }
}

fn hold(world: &World, outcome: Outcome<u16>, truth: Option<u64>, context: &str) {
    match (outcome.verdict, truth) {
        (Verdict::Solved(solution), Some(truth)) => {
            assert_eq!(replayed(world, &solution.moves), solution.cost, "{context}");
            assert_eq!((solution.cost, solution.is_optimal()), (truth, true), "{context}");
        }
        (Verdict::Exhausted, None) => {}
        (verdict, truth) => panic!("{verdict:?} where the cost is {truth:?}: {context}"),
    }
}

#[test]
fn every_number_of_ranks_finds_the_true_distance() {
    for seed in 0..400 {
        let unit = seed % 3 == 0;
        let world = World::random(seed, 3 + seed as usize % 60, unit, seed % 2 == 0);
        let truth = world.distances()[0];
        let heuristic = Estimates::admissible(&world, seed);
        for ranks in [1, 2, 4, 7] {
            for name in ["bfs", "ucs", "astar"].into_iter().filter(|&name| unit || name != "bfs") {
                let context = format!("{name} by {ranks} ranks on seed {seed}");
                let outcome = run(name, &world, &heuristic, (), &settings(ranks), &Budget::default(), ());
                hold(&world, outcome.unwrap(), truth, &context);
            }
        }
    }
}

#[test]
fn deepening_by_several_threads_finds_the_true_distance() {
    for seed in 0..300 {
        let world = World::random(seed, 3 + seed as usize % 30, seed % 3 == 0, seed % 2 == 0);
        let Some(truth) = world.distances()[0] else { continue };
        let heuristic = Estimates::admissible(&world, seed);
        for threads in [1, 2, 5] {
            let settings = Settings { threads, ..Settings::default() };
            let outcome = run("idastar", &world, &heuristic, (), &settings, &Budget::default(), ());
            hold(&world, outcome.unwrap(), Some(truth), &format!("{threads} threads on seed {seed}"));
        }
    }
}

#[test]
fn other_strategies_say_that_they_cannot() {
    let world = World::random(1, 9, true, true);
    let heuristic = Estimates::admissible(&world, 1);
    for name in ["idastar", "greedy", "iw", "bidirectional"] {
        let outcome = run(name, &world, &heuristic, (), &settings(2), &Budget::default(), ());
        assert!(outcome.unwrap_err().to_string().contains("several ranks"));
    }
}

#[test]
fn limits_end_a_search_by_several() {
    let pancakes = common::pancakes::Pancakes::new(&[3, 9, 1, 7, 5, 8, 2, 0, 6, 4]).unwrap();
    let cancelled = Budget::default();
    cancelled.cancel.cancel();
    let budgets = [
        (Budget { nodes: Some(1000), ..Budget::default() }, Limit::Nodes),
        (Budget { bytes: Some(200_000), ..Budget::default() }, Limit::Memory),
        (Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() }, Limit::Time),
        (cancelled, Limit::Cancelled),
    ];
    for name in ["bfs", "ucs", "idastar"] {
        for (budget, limit) in &budgets {
            if name == "idastar" && *limit == Limit::Memory {
                continue; // it has no use for memory
            }
            let settings = Settings { threads: 3, ..Settings::default() };
            let outcome = run(name, &pancakes, &beeline_search::Blind, (), &settings, budget, ()).unwrap();
            assert_eq!(outcome.verdict, Verdict::Stopped(*limit), "{name}");
            assert!(outcome.stats.expanded <= 1000 || *limit == Limit::Memory, "{name}");
            assert!(budget.bytes.is_none_or(|bytes| outcome.stats.bytes <= bytes), "{name}");
        }
    }
}
