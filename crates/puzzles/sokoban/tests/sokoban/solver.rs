//! Strategies, limits, memory, files and long plans.

use beeline_puzzle::{Job, Kind};
use beeline_search::{Budget, Limit, Verdict};
use beeline_sokoban::board::Board;
use beeline_sokoban::make::make;
use beeline_sokoban::optimal::{Objective, best};
use beeline_sokoban::rules::prune::RULES;
use beeline_sokoban::{KIND, text};
use proptest::prelude::*;

use super::oracle::{example, replay};

#[test]
fn engine_strategies_and_rules_agree_with_the_solver() {
    for name in ["sokoban-first", "sokoban-two", "sokoban-lost", "sokoban-detour"] {
        let puzzle = KIND.parse(example(name)).unwrap().remove(0);
        let cost = |job: &Job| {
            let outcome = puzzle.solve(job, &Budget::default(), &mut ()).unwrap();
            outcome.solution().unwrap_or_else(|| panic!("{job:?}")).cost
        };
        let least = cost(&Job::default());
        for rule in RULES {
            let job = Job { rules: Some(vec![rule.name.to_owned()]), ..Job::default() };
            assert_eq!(cost(&job), least, "{name} with {} alone", rule.name);
        }
        let pushes = Some("pushes".to_owned());
        let fewest = cost(&Job { objective: pushes.clone(), ..Job::default() });
        for strategy in ["bfs", "ucs", "astar", "idastar"] {
            let job =
                Job { strategy: Some(strategy.to_owned()), objective: pushes.clone(), ..Job::default() };
            assert_eq!(cost(&job), fewest, "{name} by pushes: {job:?}");
        }
        for strategy in ["bfs", "ucs", "astar"] {
            for heuristic in KIND.heuristics() {
                let (strategy, heuristic) = (Some(strategy.to_owned()), Some(heuristic.name.to_owned()));
                let job = Job { strategy, heuristic, ..Job::default() };
                assert_eq!(cost(&job), least, "{name} {job:?}");
                assert_eq!(cost(&Job { rules: Some(Vec::new()), ..job }), least, "{name} without rules");
            }
        }
    }
}

#[test]
fn limits_are_kept_and_reported() {
    let board = text::parse(example("sokoban-hall")).unwrap().remove(0).board;
    let budget = Budget { nodes: Some(500), ..Budget::default() };
    let outcome = best(&board, Objective::Moves, &budget, &mut ());
    assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Nodes));
    assert_eq!(outcome.stats.expanded, 500);
    let budget = Budget { bytes: Some(200_000), ..Budget::default() };
    let outcome = best(&board, Objective::Moves, &budget, &mut ());
    assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Memory));
    assert!(outcome.stats.bytes <= 200_000);
}

#[test]
fn a_state_of_sixteen_boxes_stays_small() {
    let board = text::parse(example("sokoban-hall")).unwrap().remove(0).board;
    assert_eq!(board.boxes().len(), 16);
    let after = |nodes| {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        best(&board, Objective::Moves, &budget, &mut ()).stats
    };
    // The tables of the board are computed before the first expansion.
    let (set_up, searched) = (after(0), after(60_000));
    let bytes = (searched.bytes - set_up.bytes) as f64 / searched.stored as f64;
    assert!(bytes <= 24.0, "{bytes} bytes");
}

proptest! {
    #[test]
    fn boards_survive_printing_and_encoding(
        seed in 0u64..1_000_000, width in 4usize..12, height in 4usize..12, boxes in 1usize..6
    ) {
        if let Some(board) = make(width, height, boxes, seed) {
            prop_assert_eq!(&text::parse(&text::draw(&board)).unwrap()[0].board, &board);
            prop_assert_eq!(&text::parse(&text::encode(&board)).unwrap()[0].board, &board);
        }
    }

    #[test]
    fn collections_survive_printing(
        seeds in proptest::collection::vec(0u64..10_000, 1..5), title in "[a-z]{1,9}( [a-z]{1,5})?"
    ) {
        let level = |seed: u64| Some(text::Level {
            title: (seed.is_multiple_of(2)).then(|| title.clone()),
            author: (seed.is_multiple_of(3)).then(|| format!("{title} jr")),
            remarks: if seed.is_multiple_of(5) { vec![title.clone()] } else { Vec::new() },
            games: seed.is_multiple_of(7).then(|| text::Recorded { letters: "rR2l".into(), saved: seed.is_multiple_of(2) }).into_iter().collect(),
            ..text::Level::new(make(6, 6, 2, seed)?)
        });
        let levels: Vec<_> = seeds.iter().filter_map(|&seed| level(seed)).collect();
        prop_assume!(!levels.is_empty());
        prop_assert_eq!(text::parse(&text::print_all(&levels)).unwrap(), levels);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[#@$.*+ 0-9|;%a-z:\n_-]{0,200}") {
        if let Ok(levels) = text::parse(&text) {
            prop_assert!(!levels.is_empty());
        }
        KIND.recognises(&text);
    }
}

/// Boxes one below the other, each of which must go down one long shaft; the player must come up again for
/// the next.
fn long_shaft(boxes: usize, length: usize) -> Board {
    let pairs = "# $#\n#  #\n".repeat(boxes);
    let (shaft, goals) = ("## #\n".repeat(length - boxes), "##.#\n".repeat(boxes));
    let text = format!("####\n# @#\n{pairs}{shaft}{goals}####\n");
    text::parse(&text).unwrap().remove(0).board
}

#[test]
fn plans_of_many_thousand_moves_are_counted_right() {
    use Objective::{Moves, MovesPushes, Pushes, PushesMoves};
    let (boxes, short, long) = (3, 40, 3400);
    let mut lengths = Vec::new();
    // The long level is solved only for the objective whose secondary count is large: moves below pushes.
    let cases: [(usize, &[Objective]); 2] =
        [(short, &[Moves, MovesPushes, PushesMoves, Pushes]), (long, &[PushesMoves])];
    for (length, objectives) in cases {
        let board = long_shaft(boxes, length);
        // Every box goes the same way in every plan, so the plan with the fewest moves has the fewest pushes.
        let pushes = (boxes * (length + 1) + boxes * (boxes - 1) / 2) as u32;
        let mut least = None;
        for &objective in objectives {
            let outcome = best(&board, objective, &Budget::default(), &mut ());
            let plan = outcome.solution().unwrap_or_else(|| panic!("{objective:?}: {:?}", outcome.stats));
            let (moves, pushed) = replay(&board, &plan.moves).unwrap();
            assert_eq!(pushed, pushes, "{objective:?}");
            let first = matches!(objective, Moves | MovesPushes);
            assert_eq!(plan.cost, u64::from(if first { moves } else { pushed }), "{objective:?}");
            assert!(plan.is_optimal());
            if objective != Pushes {
                assert_eq!(*least.get_or_insert(moves), moves, "{objective:?}");
            }
            let bounds = outcome.stats.rounds.iter().map(|round| round.bound);
            assert!(bounds.into_iter().all(|bound| bound <= plan.cost), "{objective:?}");
        }
        lengths.extend(least);
    }
    // The shaft is passed once down for each box and up again for all but the last.
    assert_eq!(lengths[1] - lengths[0], (2 * boxes as u32 - 1) * (long - short) as u32);
    assert!(lengths[1] > 1 << 14, "{} moves fit into 14 bits", lengths[1]);
}
