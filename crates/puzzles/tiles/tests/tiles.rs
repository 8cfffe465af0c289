//! Sliding tiles against the truth: whole spaces searched breadth-first, every estimate and every strategy held to them.

#![allow(clippy::unwrap_used)] // Helpers of tests: a panic is the failure.

use std::collections::HashMap;

use beeline_puzzle::{Job, Puzzle};
use beeline_search::{Budget, Claim, Heuristic, Space, Verdict};
use beeline_tiles::bounds::{LinearConflict, Manhattan, WalkingDistance, Whole};
use beeline_tiles::count::{self, Order, pack};
use beeline_tiles::light::{self, Light};
use beeline_tiles::machine::Machine;
use beeline_tiles::pattern::additive::Additive;
use beeline_tiles::pattern::tables::tables;
use beeline_tiles::{Board, Goal, Sliding, Step, Tiles};

type Distances = HashMap<[u64; 4], u32>;

/// The distance of every state from the goal, and how many there are at the largest.
fn all_distances(space: &Sliding) -> (Distances, u32) {
    let goal = space.goals().unwrap()[0];
    let mut distances = HashMap::from([(space.pack(&goal), 0)]);
    let mut layer = vec![goal];
    let mut depth = 0;
    loop {
        let mut next = Vec::new();
        for state in &layer {
            for step in space.moves(state) {
                let mut child = *state;
                space.apply(&mut child, step);
                distances.entry(space.pack(&child)).or_insert_with(|| {
                    next.push(child);
                    depth + 1
                });
            }
        }
        if next.is_empty() {
            return (distances, depth);
        }
        layer = next;
        depth += 1;
    }
}

/// Admissible everywhere, consistent where claimed, 0 at the goal, and the same by steps as from scratch.
fn hold<H: Heuristic<Sliding>>(name: &str, space: &Sliding, heuristic: &H, distances: &Distances) {
    for (key, &distance) in distances {
        let state = space.unpack(key);
        let memo = heuristic.root(space, &state);
        let value = heuristic.value(memo);
        assert!(value <= distance, "{name}: {value} > {distance} at {state:?}");
        assert_eq!((value + distance) % 2, 0, "{name}: the parity of an estimate is that of the distance");
        for step in space.moves(&state) {
            let mut child: Tiles = state;
            space.apply(&mut child, step);
            let stepped = heuristic.value(heuristic.step(space, &child, step, memo));
            assert_eq!(stepped, heuristic.estimate(space, &child), "{name}: by step and from scratch");
            if H::PEEKS {
                assert_eq!(heuristic.value(heuristic.peek(space, &state, step, memo)), stepped, "{name}");
            }
            if heuristic.claim() == Claim::Consistent {
                assert!(stepped.abs_diff(value) <= 1, "{name}: {value} to {stepped} at {state:?}");
            }
        }
    }
}

fn board(rows: usize, columns: usize, goal: Goal) -> Board {
    Board::solved(rows, columns, goal).unwrap()
}

#[test]
fn the_whole_eight_puzzle() {
    for goal in [Goal::BlankFirst, Goal::BlankLast] {
        let space = Sliding::new(&board(3, 3, goal));
        let (distances, deepest) = all_distances(&space);
        assert_eq!((distances.len(), deepest), (181_440, 31));
        hold("manhattan", &space, &Manhattan::new(&space), &distances);
        hold("linear conflict", &space, &LinearConflict::new(&space), &distances);
        hold("walking distance", &space, &WalkingDistance::new(&space).unwrap(), &distances);
        let set = tables("4-4", 3, 3).unwrap();
        let databases = set.get(None, 2, &Budget::default(), &mut |_| {}, &mut |_| {}).unwrap();
        let machine = std::sync::Arc::new(Machine::new(3, 3, 12, Step::ALL));
        let additive = Additive::new(&databases, true, machine, Step::ALL).unwrap();
        hold("4-4", &space, &Whole::patterns(&additive), &distances);
        if goal == Goal::BlankFirst {
            // The search with databases and machine, on every state that is a multiple of 7 in the map's order of keys.
            let mut keys: Vec<_> = distances.iter().collect();
            keys.sort_unstable();
            for (key, &distance) in keys.into_iter().step_by(7) {
                let state = space.unpack(key);
                let cells: Vec<u8> = (0..9).map(|s| state.tile(s)).collect();
                let (found, limit) = additive.search(&cells, &Budget::default());
                assert_eq!((limit, found.plan.unwrap().len() as u32), (None, distance));
            }
        }
    }
}

#[test]
#[ignore = "long: cargo xtask prove"] // 1.8 million states, every estimate from scratch at each of their neighbours.
fn the_whole_five_by_two() {
    for (rows, columns) in [(2, 5), (5, 2)] {
        let space = Sliding::new(&board(rows, columns, Goal::BlankFirst));
        let (distances, deepest) = all_distances(&space);
        assert_eq!((distances.len(), deepest), (1_814_400, 55));
        hold("manhattan", &space, &Manhattan::new(&space), &distances);
        hold("linear conflict", &space, &LinearConflict::new(&space), &distances);
        hold("walking distance", &space, &WalkingDistance::new(&space).unwrap(), &distances);
    }
}

/// A board reached from the goal by so many random steps.
fn shuffled(rows: usize, columns: usize, goal: Goal, steps: usize, seed: u64) -> Board {
    let space = Sliding::new(&board(rows, columns, goal));
    let mut state = space.start();
    let mut random = seed.wrapping_mul(2) + 1;
    for _ in 0..steps {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves: Vec<Step> = space.moves(&state).collect();
        space.apply(&mut state, moves[(random >> 33) as usize % moves.len()]);
    }
    let cells = (0..rows * columns).map(|s| state.tile(s)).collect();
    Board::new(rows, columns, cells, goal).unwrap()
}

#[test]
fn strategies_that_promise_a_shortest_plan_keep_it() {
    let space = Sliding::new(&board(3, 3, Goal::BlankLast));
    let (distances, _) = all_distances(&space);
    for seed in 0..12 {
        let puzzle = shuffled(3, 3, Goal::BlankLast, 60, seed);
        let truth = distances[&space.pack(&Sliding::new(&puzzle).start())];
        for strategy in
            [None, Some("bfs"), Some("astar"), Some("idastar"), Some("ids"), Some("bidirectional")]
        {
            let heuristics = match strategy {
                Some("astar" | "idastar") => {
                    &["manhattan", "linear-conflict", "walking-distance", "blind"][..]
                }
                _ => &["manhattan"],
            };
            for heuristic in heuristics {
                let job = Job {
                    strategy: strategy.map(str::to_owned),
                    heuristic: strategy.map(|_| (*heuristic).to_owned()),
                    ..Job::default()
                };
                // Iterative deepening without an estimate is hopeless on deep boards; it is shown on shallow ones.
                if (strategy == Some("ids") || *heuristic == "blind") && truth > 14 {
                    continue;
                }
                let outcome = puzzle.solve(&job, &Budget::default(), &mut ()).unwrap();
                let Verdict::Solved(solution) = outcome.verdict else { panic!("{strategy:?} {heuristic}") };
                assert_eq!(solution.cost, u64::from(truth), "{strategy:?} {heuristic}");
                assert!(solution.is_optimal());
                replay(&puzzle, &solution.moves);
            }
        }
    }
}

/// Plays a plan through the game and wants it solved.
fn replay(puzzle: &Board, plan: &[String]) {
    let mut game = puzzle.game();
    for step in plan {
        game.play(step).unwrap();
    }
    assert!(game.solved());
}

#[test]
fn every_feature_of_the_search_without_tables_finds_the_same_length() {
    let all: Vec<Light> = (0..32).map(|f| Light::new(f, Step::ALL)).collect();
    let korf = Light::new(light::ALL, Order::Korf.steps());
    for seed in 0..25 {
        let puzzle = shuffled(4, 4, Goal::BlankFirst, 70, seed);
        let word = pack(puzzle.cells());
        let (walked, _) = count::plain::search(word, Order::Classic, &Budget::default());
        let plan = walked.plan.clone().unwrap();
        for light in &all {
            let (found, _) = light.search(word, &Budget::default());
            assert_eq!(found.plan.as_ref(), Some(&plan), "the same plan, not only the same length");
            assert!(light.estimate(word) as usize <= plan.len());
        }
        for threads in [1, 3] {
            let counted =
                count::layers::count(word, &plan, Order::Classic, threads, &Budget::default()).unwrap();
            assert_eq!(counted, walked, "computed and walked");
        }
        let (walked, _) = count::plain::search(word, Order::Korf, &Budget::default());
        let (found, _) = korf.search(word, &Budget::default());
        assert_eq!(found.plan, walked.plan);
        let plan = walked.plan.clone().unwrap();
        assert_eq!(count::layers::count(word, &plan, Order::Korf, 2, &Budget::default()).unwrap(), walked);
    }
}

#[test]
fn the_default_solver_on_every_size() {
    for rows in 2..=6 {
        for columns in 2..=6 {
            let goal = if (rows + columns) % 2 == 0 { Goal::BlankLast } else { Goal::BlankFirst };
            let puzzle = shuffled(rows, columns, goal, 24, (rows * 7 + columns) as u64);
            let outcome = puzzle.solve(&Job::default(), &Budget::default(), &mut ()).unwrap();
            let solution = outcome.solution().expect("a plan").clone();
            assert!(solution.is_optimal() && solution.cost <= 24, "{rows}x{columns}");
            replay(&puzzle, &solution.moves);
        }
    }
}

#[test]
fn a_large_board_gets_a_plan_and_a_bound_within_a_limit() {
    let puzzle = shuffled(6, 6, Goal::BlankFirst, 5000, 3);
    let budget = Budget { nodes: Some(1_000_000), ..Budget::default() };
    let outcome = puzzle.solve(&Job::default(), &budget, &mut ()).unwrap();
    let Verdict::Solved(solution) = outcome.verdict else { panic!("no plan: {:?}", outcome.verdict) };
    assert!(solution.lower_bound <= solution.cost && solution.lower_bound > 0);
    replay(&puzzle, &solution.moves);
}
