//! Parallel searches find the same costs and the same proofs as sequential ones.

use crate::common::replayed;
use crate::common::world::{Estimates, World};
use beeline_search::parallel::{Cluster, Ranks, Saving};
use beeline_search::{Budget, Limit, Outcome, Search, Settings, Verdict};

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
                let outcome = Search::new(&world).heuristic(&heuristic).settings(settings(ranks)).run(name);
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
            let outcome = Search::new(&world).heuristic(&heuristic).settings(settings).run("idastar");
            hold(&world, outcome.unwrap(), Some(truth), &format!("{threads} threads on seed {seed}"));
        }
    }
}

#[test]
fn other_strategies_say_that_they_cannot() {
    let world = World::random(1, 9, true, true);
    let heuristic = Estimates::admissible(&world, 1);
    for name in ["idastar", "greedy", "iw", "bidirectional"] {
        let outcome = Search::new(&world).heuristic(&heuristic).settings(settings(2)).run(name);
        assert!(outcome.unwrap_err().to_string().contains("several ranks"));
    }
}

#[test]
fn limits_end_a_search_by_several() {
    let pancakes = crate::common::pancakes::Pancakes::new(&[3, 9, 1, 7, 5, 8, 2, 0, 6, 4]).unwrap();
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
            let outcome = Search::new(&pancakes).settings(settings).budget(budget.clone()).run(name).unwrap();
            assert_eq!(outcome.verdict, Verdict::Stopped(*limit), "{name}");
            assert!(outcome.stats.expanded <= 1000 || *limit == Limit::Memory, "{name}");
            assert!(budget.bytes.is_none_or(|bytes| outcome.stats.bytes <= bytes), "{name}");
        }
    }
}

/// A stack of eight pancakes.
fn stack() -> crate::common::pancakes::Pancakes {
    crate::common::pancakes::Pancakes::new(&[3, 7, 1, 6, 4, 0, 5, 2]).expect("a stack")
}

fn layers(name: &str, ranks: usize, resume: bool, instance: u64) -> Settings {
    let folder = std::env::temp_dir().join(format!("beeline-layers-{}-{name}", std::process::id()));
    let saving = Some(Saving { folder, resume, instance });
    Settings { cluster: Some(Cluster { ranks: Ranks::Threads(ranks), saving }), ..Settings::default() }
}

fn folder(settings: &Settings) -> std::path::PathBuf {
    let saving = settings.cluster.as_ref().and_then(|c| c.saving.as_ref());
    saving.map(|saving| saving.folder.clone()).expect("a folder")
}

#[test]
fn a_search_that_was_stopped_goes_on_from_its_last_layer() {
    let whole = Search::new(&stack()).run("bfs").unwrap();
    let cost = whole.solution().unwrap().cost;
    for ranks in [1, 2, 4, 7] {
        // Stops earlier and later: after the first layers, in the middle, in the last one.
        for nodes in [20, 400, 3000, 8000] {
            let begin = layers("stopped", ranks, false, 7);
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let stopped = Search::new(&stack()).settings(begin.clone()).budget(budget).run("bfs").unwrap();
            assert_eq!(stopped.verdict, Verdict::Stopped(Limit::Nodes), "{ranks} ranks, {nodes} nodes");
            let resume = layers("stopped", ranks, true, 7);
            let ended = Search::new(&stack()).settings(resume).run("bfs").unwrap();
            let solution = ended.solution().unwrap();
            assert_eq!(replayed(&stack(), &solution.moves), cost);
            assert!(solution.is_optimal());
            std::fs::remove_dir_all(folder(&begin)).unwrap();
        }
    }
}

#[test]
fn the_counters_of_a_resumed_search_are_those_of_a_whole_one() {
    // Without a goal, every layer is searched to its end, so that nothing depends on timing.
    let world = World { goals: vec![false; 3000], ..World::random(5, 3000, true, false) };
    let whole = Search::new(&world).settings(settings(3)).run("bfs").unwrap();
    assert_eq!(whole.verdict, Verdict::Exhausted);
    let begin = layers("counters", 3, false, 9);
    let budget = Budget { nodes: Some(whole.stats.expanded / 2), ..Budget::default() };
    Search::new(&world).settings(begin.clone()).budget(budget).run("bfs").unwrap();
    let resume = layers("counters", 3, true, 9);
    let ended = Search::new(&world).settings(resume).run("bfs").unwrap();
    let figures =
        |o: &Outcome<u16>| (o.stats.expanded, o.stats.generated, o.stats.duplicates, o.stats.stored);
    assert_eq!(figures(&ended), figures(&whole));
    std::fs::remove_dir_all(folder(&begin)).unwrap();
}

#[test]
fn foreign_and_damaged_layers_are_refused() {
    let begin = layers("refused", 2, false, 1);
    let refused = |settings: &Settings| {
        Search::new(&stack()).settings(settings.clone()).run("bfs").unwrap_err().to_string()
    };
    assert!(refused(&layers("refused", 2, true, 1)).contains("nothing to resume"));
    let budget = Budget { nodes: Some(3000), ..Budget::default() };
    Search::new(&stack()).settings(begin.clone()).budget(budget).run("bfs").unwrap();
    assert!(refused(&layers("refused", 2, true, 2)).contains("another puzzle"));
    assert!(refused(&layers("refused", 3, true, 1)).contains("by 2 ranks, and there are 3"));
    let file = folder(&begin).join("rank1-layer2");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() - 12;
    bytes[middle] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    assert!(refused(&layers("refused", 2, true, 1)).contains("damaged"));
    std::fs::write(&file, &bytes[..middle]).unwrap();
    assert!(refused(&layers("refused", 2, true, 1)).contains("cannot read"));
    std::fs::remove_dir_all(folder(&begin)).unwrap();
}

#[test]
fn completed_rounds_of_several_threads_count_what_one_counts() {
    let pancakes = crate::common::pancakes::Pancakes::new(&[5, 2, 7, 0, 4, 1, 6, 3]).unwrap();
    let rounds = |threads| {
        let settings = Settings { threads, ..Settings::default() };
        let outcome = Search::new(&pancakes).settings(settings).run("idastar").unwrap();
        (outcome.solution().unwrap().cost, outcome.stats.rounds)
    };
    let (cost, mut alone) = rounds(1);
    alone.pop();
    for threads in [2, 4] {
        let (same, mut together) = rounds(threads);
        together.pop();
        assert_eq!((same, together), (cost, alone.clone()), "{threads} threads");
    }
}

#[test]
fn a_deterministic_search_is_that_of_one_thread() {
    let figures = |settings: Settings| {
        let outcome = Search::new(&stack()).settings(settings).run("bfs").unwrap();
        (outcome.verdict, outcome.stats.expanded, outcome.stats.generated, outcome.stats.stored)
    };
    let several = Settings { threads: 4, deterministic: true, ..Settings::default() };
    assert_eq!(figures(several), figures(Settings::default()));
}
