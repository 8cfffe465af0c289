//! Sliding bricks: the classics' published lengths, the homework's figures, and the solvers against each other.
#![allow(clippy::unwrap_used)]

use beeline_puzzles::bricks::classic::{Ending, Estimate, Search, search};
use beeline_puzzles::bricks::{Bricks, BricksKind, Grid};
use beeline_puzzles::{Job, Kind, Puzzle};
use beeline_search::{Budget, Verdict};

fn example(name: &str) -> Bricks {
    let all = BricksKind.examples();
    let example = all.iter().find(|e| e.name == name).unwrap_or_else(|| panic!("no example {name}"));
    Bricks::parse(example.text).unwrap()
}

/// The length of the plan; the steps are replayed as a game.
fn length(bricks: &Bricks, strategy: Option<&str>, objective: &str) -> Option<u64> {
    let job = Job {
        strategy: strategy.map(str::to_owned),
        objective: Some(objective.to_owned()),
        ..Job::default()
    };
    match bricks.solve(&job, &Budget::default(), &mut ()).unwrap().verdict {
        Verdict::Solved(plan) => {
            assert!(replays(bricks, &plan.moves), "{strategy:?} {objective}: {:?}", plan.moves);
            assert_eq!(plan.moves.len() as u64, plan.cost);
            Some(plan.cost)
        }
        Verdict::Exhausted => None,
        other => panic!("{strategy:?} {objective}: {other:?}"),
    }
}

fn replays(bricks: &Bricks, steps: &[String]) -> bool {
    let mut game = bricks.game();
    for step in steps {
        let inside = step.trim_matches(['(', ')']);
        let (brick, way) = inside.split_once(',').unwrap();
        for dir in way.split(',') {
            if game.play(&format!("({brick},{dir})")).is_err() {
                return false;
            }
        }
    }
    game.solved()
}

#[test]
fn the_classics_have_their_published_lengths() {
    let classics = [
        ("bricks-simplicity", Some((18, 23, 31))),
        ("bricks-four-sides", Some((56, 60, 73))),
        ("bricks-pennant", Some((59, 62, 83))),
        ("bricks-three-roads", Some((72, 77, 92))),
        ("bricks-klotski", Some((81, 90, 116))),
        ("bricks-century", Some((99, 111, 131))),
        ("bricks-trail", Some((102, 111, 138))),
        ("bricks-ambush", Some((120, 130, 158))),
        ("bricks-four-by-four", Some((131, 152, 179))),
        ("bricks-super-century", Some((138, 150, 179))),
        ("bricks-no-way-out", None),
    ];
    for (name, published) in classics {
        let bricks = example(name);
        let found = ["moves", "lines", "steps"].map(|objective| length(&bricks, None, objective));
        let published = published.map_or([None; 3], |(m, l, s)| [Some(m), Some(l), Some(s)]);
        assert_eq!(found, published, "{name}");
    }
}

/// A level of our own, 6 × 5, like those of the course.
const LEVEL: &str = "6,5,\n1,1,1,1,1,1,\n1,3,4,2,2,1,\n-1,0,5,6,7,1,\n1,0,5,8,8,1,\n1,1,1,1,1,1,\n";

#[test]
fn all_four_searches_agree_where_they_must() {
    for text in [LEVEL, "3,1,\n2,0,-1,\n", "3,1,\n2,3,-1,\n"] {
        let bricks = Bricks::parse(text).unwrap();
        let best = length(&bricks, None, "steps");
        for which in [Search::Breadth, Search::Depth, Search::Deepening, Search::Astar] {
            for estimate in [Estimate::Blockers, Estimate::Way, Estimate::Blind] {
                let report = search(&bricks, which, estimate, &Budget::default()).unwrap();
                let solved = report.ending == Ending::Solved;
                assert_eq!(solved, best.is_some(), "{which:?}");
                if solved && which != Search::Depth {
                    assert_eq!(Some(report.steps.len() as u64), best, "{which:?} {estimate:?}");
                }
                assert_eq!(report.end.solved(), solved);
                let mut normal = bricks.grid().normal();
                for &step in &report.normal_steps {
                    normal.apply(step).unwrap();
                    normal.normalise();
                }
                assert_eq!(normal, report.end.normal());
                let rounds: u64 = report.rounds.iter().map(|r| r.expanded).sum();
                assert!(which != Search::Deepening || rounds == report.nodes);
            }
        }
    }
}

#[test]
fn a_solved_board_takes_one_node_and_no_move() {
    let grid = Grid::parse("5,4,\n1,2,2,1,1,\n1,0,0,3,1,\n1,0,0,4,1,\n1,1,1,1,1,\n").unwrap();
    let bricks = Bricks::new(&grid).unwrap();
    for which in [Search::Breadth, Search::Depth, Search::Deepening, Search::Astar] {
        let report = search(&bricks, which, Estimate::Blockers, &Budget::default()).unwrap();
        assert_eq!((report.ending, report.nodes, report.steps.len()), (Ending::Solved, 1, 0), "{which:?}");
    }
}
