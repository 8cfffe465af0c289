//! Plans that need not be the shortest, and their improvement.

use beeline_puzzle::Watcher;
use beeline_search::{Budget, Limit, Random, Verdict};
use beeline_sokoban::board::{Board, DIRS, Dir};
use beeline_sokoban::improve::{Figure, Settings, improve};
use beeline_sokoban::make::make;
use beeline_sokoban::satisficing::Options;
use beeline_sokoban::{satisficing, text};

use super::oracle::{example, levels, oracle, replay, start, step};

#[test]
fn any_plan_is_a_plan_and_improving_it_keeps_it_one() {
    for board in levels(300) {
        let least = oracle(&board, (1, 0), (1, 1)).map(|o| o.0);
        match satisficing::solve(&board, &Options::default(), &Budget::default(), &mut ()).verdict {
            Verdict::Solved(solution) => {
                let (moves, _) = replay(&board, &solution.moves).expect("a plan that solves");
                let budget = Budget { nodes: Some(2000), ..Budget::default() };
                let shorter = improve(&board, &solution.moves, &Settings::default(), &budget, &mut ()).plan;
                let (after, _) = replay(&board, &shorter).expect("still a plan that solves");
                assert!(after <= moves && Some(after) >= least);
            }
            Verdict::Exhausted => assert_eq!(least, None, "\n{}", text::draw(&board)),
            other => panic!("{other:?}"),
        }
    }
}

/// A plan with detours: random steps, and a plan from there. `None` if the steps have made the level unsolvable.
fn long_plan(board: &Board, seed: u64) -> Option<Vec<Dir>> {
    let mut random = Random::new(seed);
    let (mut at, mut plan) = (start(board), Vec::new());
    for _ in 0..60 {
        let dir = DIRS[random.below(4)];
        if let Some((next, _)) = step(board, &at, dir) {
            (at, plan) = (next, [&plan[..], &[dir]].concat());
        }
    }
    let outcome =
        satisficing::solve(&board.with(at.0, &at.1), &Options::default(), &Budget::default(), &mut ());
    Some([&plan[..], &outcome.solution()?.moves].concat())
}

#[test]
fn improving_without_limits_ends_with_the_best_plan_of_a_small_level() {
    let mut improved = 0;
    for (seed, board) in levels(60).enumerate() {
        let Some(plan) = long_plan(&board, seed as u64) else { continue };
        let before = replay(&board, &plan).expect("a plan that solves");
        for (figure, walk) in [(Figure::Moves, (1, 0)), (Figure::Pushes, (0, 1))] {
            let best = oracle(&board, walk, (1, 1)).expect("a plan");
            for (trade, threads) in [(true, 1), (false, 2)] {
                let settings = Settings { figure, trade, threads };
                let better = improve(&board, &plan, &settings, &Budget::default(), &mut ());
                let (moves, pushes) = replay(&board, &better.plan).expect("still a plan that solves");
                assert_eq!(better.stats.stopped, None);
                if trade {
                    let found = if figure == Figure::Moves { (moves, pushes) } else { (pushes, moves) };
                    assert_eq!(found, best, "{figure:?}\n{}", text::draw(&board));
                } else {
                    assert!(moves <= before.0 && pushes <= before.1, "neither figure becomes worse");
                }
                improved += u32::from((moves, pushes) != before);
            }
        }
    }
    assert!(improved > 50, "{improved} plans became better: too few to mean anything");
}

/// The status lines of a search.
struct StatusLog(Vec<String>);

impl Watcher for StatusLog {
    fn status(&mut self, status: &str) {
        self.0.push(status.to_owned());
    }
}

#[test]
fn any_plan_tells_whose_turn_it_is_and_how_many_boxes_are_packed() {
    let first = (0..20).filter_map(|seed| make(12, 12, 16, seed)).find_map(|board| {
        let mut log = StatusLog(Vec::new());
        let budget = Budget { nodes: Some(5000), ..Budget::default() };
        satisficing::solve(&board, &Options::default(), &budget, &mut log);
        log.0.into_iter().next().filter(|status| status.starts_with("search "))
    });
    let first = first.expect("a level that takes more than a turn");
    assert!(first.starts_with("search 1 of 4 (greedy pushes), "), "{first}");
    assert!(first.ends_with(" of 16 boxes packed"), "{first}");
}

#[test]
fn improving_tells_the_figures_of_the_best_plan_and_stops_at_limits() {
    let board = text::parse(example("sokoban-hall")).unwrap().remove(0).board;
    let plan = satisficing::solve(&board, &Options::default(), &Budget::default(), &mut ())
        .solution()
        .expect("a plan")
        .moves
        .clone();
    let mut log = StatusLog(Vec::new());
    let budget = Budget { nodes: Some(20_000), ..Budget::default() };
    let better = improve(&board, &plan, &Settings::default(), &budget, &mut log);
    let (moves, pushes) = replay(&board, &better.plan).expect("still a plan that solves");
    assert_eq!(better.stats.stopped, Some(Limit::Nodes));
    assert_eq!(better.stats.expanded, 20_000);
    assert_eq!(log.0.last(), Some(&format!("{moves} moves, {pushes} pushes")));
    let little = Budget { bytes: Some(1000), ..Budget::default() };
    let unchanged = improve(&board, &plan, &Settings::default(), &little, &mut ());
    assert_eq!((unchanged.plan, unchanged.stats.stopped), (plan, Some(Limit::Memory)));
}

#[test]
fn a_plan_that_is_none_comes_back_unchanged() {
    let board = make(6, 6, 2, 1).unwrap();
    let plan = [Dir::Left; 50];
    assert_eq!(improve(&board, &plan, &Settings::default(), &Budget::default(), &mut ()).plan, plan);
}
