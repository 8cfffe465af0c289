//! Every strategy on thousands of small worlds, against the true distances.

use crate::common::replayed;
use crate::common::world::{Estimates, World};
use beeline_search::strategies::STRATEGIES;
use beeline_search::{Budget, Complete, Limit, Optimal, Search, Settings, Unsupported, Verdict};

/// Runs all strategies on one world and checks their promises.
fn hold(world: &World, seed: u64) {
    let truth = world.distances()[0];
    let heuristic = Estimates::admissible(world, seed);
    // Strategies that may run for ever on an unsolvable world get a limit, and only the limit may end them.
    let budget = Budget { nodes: Some(50_000), ..Budget::default() };
    let settings = Settings { depth: Some(12), seed, weight: 1.5, ..Settings::default() };
    for strategy in STRATEGIES {
        let context = || format!("{} on seed {seed}: {world:?}", strategy.name);
        let outcome = match Search::new(world)
            .heuristic(&heuristic)
            .settings(settings.clone())
            .budget(budget.clone())
            .run(strategy.name)
        {
            Ok(outcome) => outcome,
            Err(Unsupported::Needs { .. }) => {
                assert_eq!(strategy.name, "bidirectional", "{}", context());
                assert!(!world.both_ways || !world.unit, "{}", context());
                continue;
            }
            Err(other) => panic!("{other}: {}", context()),
        };
        match outcome.verdict {
            Verdict::Solved(solution) => {
                let truth = truth.unwrap_or_else(|| panic!("a plan where there is none: {}", context()));
                assert_eq!(replayed(world, &solution.moves), solution.cost, "{}", context());
                assert!(solution.lower_bound <= truth, "a false bound: {}", context());
                let promised = match strategy.optimal {
                    Optimal::Yes | Optimal::Admissible => true,
                    Optimal::UnitCosts => world.unit,
                    Optimal::Bounded => {
                        assert!(2 * solution.cost <= 3 * truth, "{}", context());
                        assert!(3 * solution.lower_bound >= 2 * solution.cost, "{}", context());
                        false
                    }
                    Optimal::No => false,
                };
                if promised {
                    assert_eq!(solution.cost, truth, "{}", context());
                    assert!(solution.is_optimal(), "{}", context());
                }
            }
            Verdict::Exhausted => assert_eq!(truth, None, "{}", context()),
            Verdict::GaveUp => assert_eq!(strategy.complete, Complete::No, "{}", context()),
            Verdict::Stopped(Limit::Nodes) => {
                // With unequal costs, iterative deepening proves that there is no plan only when its bound exceeds every
                // loop-free path. That may take longer than this test allows.
                let slow_proof = strategy.name == "ids" && !world.unit && truth.is_none();
                assert!(strategy.complete == Complete::Semi || slow_proof, "{}", context());
            }
            Verdict::Stopped(limit) => panic!("{limit:?}: {}", context()),
        }
    }
}

#[test]
fn all_strategies_keep_their_promises_where_every_move_costs_one() {
    for seed in 0..3000 {
        hold(&World::random(seed, 3 + seed as usize % 30, true, seed % 2 == 0), seed);
    }
}

#[test]
fn all_strategies_keep_their_promises_where_costs_differ() {
    for seed in 0..3000 {
        hold(&World::random(seed, 3 + seed as usize % 30, false, seed % 2 == 0), seed);
    }
}

#[test]
fn an_unknown_strategy_is_an_error() {
    let world = World::random(1, 5, true, true);
    let result = Search::new(&world).run("bsf");
    assert_eq!(result.err(), Some(Unsupported::Unknown { what: "strategy", name: "bsf".into() }));
}

#[test]
fn the_same_input_gives_the_same_figures() {
    let world = World::random(77, 40, false, true);
    let heuristic = Estimates::admissible(&world, 5);
    for strategy in STRATEGIES.iter().filter(|s| s.name != "idastar") {
        let settings = Settings { depth: Some(9), ..Settings::default() };
        let figures = || {
            let outcome = Search::new(&world)
                .heuristic(&heuristic)
                .settings(settings.clone())
                .run(strategy.name)
                .ok()?;
            let mut stats = outcome.stats;
            stats.elapsed = std::time::Duration::ZERO;
            Some((outcome.verdict, stats))
        };
        assert_eq!(figures(), figures(), "{}", strategy.name);
    }
}
