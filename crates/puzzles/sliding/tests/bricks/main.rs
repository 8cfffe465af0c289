//! Sliding bricks: the classics' published lengths, the homework's figures, and the solvers against each other.
#![allow(clippy::unwrap_used, clippy::format_collect)]

mod letters;

use std::collections::HashMap;

use beeline_puzzle::{Game, Job, Kind, Puzzle};
use beeline_search::{Budget, Limit, Random, Verdict};
use beeline_sliding::Metric;
use beeline_sliding::bricks::classic::{Ending, Estimate, Search, search};
use beeline_sliding::bricks::space::{self, Graph};
use beeline_sliding::bricks::{Bricks, Grid, KIND, make};

fn example(name: &str) -> Bricks {
    let all = KIND.examples();
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

/// Our own level, 6 × 5, like those of the course.
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

#[test]
fn our_own_boards_have_plans() {
    for (name, steps) in
        [("bricks-first", 9), ("bricks-doorway", 23), ("bricks-hook", 37), ("bricks-yard", 96)]
    {
        assert_eq!(length(&example(name), None, "steps"), Some(steps), "{name}");
    }
}

/// The board in every description of the homework.
const FIRST: &str = "5,4,\n1,-1,-1,1,1,\n1,0,3,4,1,\n1,0,2,2,1,\n1,1,1,1,1,\n";

#[test]
fn the_whole_space_is_counted() {
    let bricks = Bricks::parse(FIRST).unwrap();
    let census =
        space::census(&bricks, Metric::Steps, false, &Budget::default(), &mut |_| {}).unwrap().unwrap();
    assert_eq!((census.layers.iter().sum::<u64>(), census.goals, census.layers.len() - 1), (30, 6, 9));
    assert_eq!((census.layers[..5].iter().sum::<u64>(), census.layers[..6].iter().sum::<u64>()), (13, 16));
    let graph = Graph::reachable(&bricks, Metric::Steps, false, &Budget::default()).unwrap();
    assert_eq!((graph.len(), graph.goals(), graph.layers()), (30, 6, census.layers));
    assert_eq!(graph.components(), [30]);
    let far = space::at(&bricks, &census.farthest);
    assert!(far.is_normal() && far != bricks.grid());
}

#[test]
fn klotski_has_its_published_space() {
    let bricks = example("bricks-klotski");
    let budget = Budget::default();
    let census = space::census(&bricks, Metric::Steps, true, &budget, &mut |_| {}).unwrap().unwrap();
    assert_eq!(census.layers.iter().sum::<u64>(), 25_955);
    let all = Graph::placements(&bricks, Metric::Steps, true, &budget).unwrap();
    let components = all.components();
    assert_eq!((all.len(), components.len(), components[0]), (65_880, 898, 25_955));
    let graph = Graph::reachable(&bricks, Metric::Steps, true, &budget).unwrap();
    let layers: Vec<u64> = graph.layers();
    assert_eq!(layers, census.layers, "the census merges images, the graph does not");
    let (hardest, length) = graph.hardest().unwrap();
    let solved = Bricks::new(&hardest).unwrap();
    assert_eq!(self::length(&solved, None, "steps"), Some(u64::from(length)));
}

#[test]
fn graphs_are_written() {
    let bricks = Bricks::parse("3,1,\n2,0,-1,\n").unwrap();
    let graph = Graph::reachable(&bricks, Metric::Steps, false, &Budget::default()).unwrap();
    let mut json = Vec::new();
    graph.write_json(&mut json).unwrap();
    assert_eq!(
        String::from_utf8(json).unwrap(),
        "{\"states\": [\n  {\"distance\": 0, \"solved\": false, \"board\": [[2, 0, -1]]},\n  \
         {\"distance\": 1, \"solved\": false, \"board\": [[0, 2, -1]]},\n  \
         {\"distance\": 2, \"solved\": true, \"board\": [[0, 0, 2]]}\n], \"moves\": [\n  \
         [0, 1, \"(2,right)\"],\n  [1, 2, \"(2,right)\"]\n]}\n"
    );
    let mut xml = Vec::new();
    graph.write_graphml(&mut xml).unwrap();
    let xml = String::from_utf8(xml).unwrap();
    assert_eq!((xml.matches("<node ").count(), xml.matches("<edge ").count()), (3, 2));
    assert!(xml.contains("<data key=\"board\">3,1, 0,2,-1,</data>"), "{xml}");
    let budget = Budget { nodes: Some(2), ..Budget::default() };
    assert_eq!(Graph::reachable(&bricks, Metric::Steps, false, &budget).err(), Some(Limit::Nodes));
}

/// A corridor in which 26 bricks must all make room: few states, but numbers of more than 64 bits if cells were counted over
/// the whole board.
#[test]
fn single_cells_are_numbered_among_what_is_left() {
    let mut row = vec![2];
    for number in 3..28 {
        let size = if (number - 3) % 5 < 2 { 2 } else { 1 };
        row.extend(std::iter::repeat_n(number, size));
    }
    row.extend([0, 0, 0]);
    let width = row.len();
    let mut wanted = vec![0; width];
    wanted[2] = 2;
    let text = |row: &[i32]| row.iter().map(|n| format!("{n},")).collect::<String>();
    let bricks = Bricks::parse(&format!("{width},1,\n{}\n{}\n", text(&row), text(&wanted))).unwrap();
    for objective in ["steps", "moves", "lines"] {
        let best = length(&bricks, None, objective);
        assert_eq!(best, Some(if objective == "steps" { 52 } else { 26 }));
        assert_eq!(length(&bricks, Some("bfs"), objective), best);
    }
}

/// Every state of a board by the plain rules, each brick with its own number, with the distance to the nearest solved one.
fn plain_distances(start: &Grid) -> HashMap<Grid, Option<u32>> {
    let mut states = vec![start.clone()];
    let mut numbers = HashMap::from([(start.clone(), 0usize)]);
    let mut into: Vec<Vec<usize>> = vec![Vec::new()];
    let mut head = 0;
    while head < states.len() {
        let state = states[head].clone();
        for step in if state.solved() { Vec::new() } else { state.moves() } {
            let after = state.applied(step).unwrap();
            let id = *numbers.entry(after.clone()).or_insert_with(|| {
                states.push(after);
                into.push(Vec::new());
                states.len() - 1
            });
            into[id].push(head);
        }
        head += 1;
    }
    let mut far: Vec<Option<u32>> = states.iter().map(|s| s.solved().then_some(0)).collect();
    let mut queue: Vec<usize> = (0..states.len()).filter(|&s| far[s] == Some(0)).collect();
    let mut head = 0;
    while head < queue.len() {
        let s = queue[head];
        head += 1;
        for &before in &into[s] {
            if far[before].is_none() {
                far[before] = far[s].map(|d| d + 1);
                queue.push(before);
            }
        }
    }
    states.into_iter().zip(far).collect()
}

#[test]
fn boards_with_one_normal_form_are_equally_far_from_the_goal() {
    let mut random = Random::new(11);
    let (mut boards, mut twins) = (0, 0);
    while boards < 60 {
        let Some(grid) = make::scatter((5, 5), 4, &mut random) else { continue };
        boards += 1;
        let mut normal: HashMap<Grid, Option<u32>> = HashMap::new();
        for (state, far) in plain_distances(&grid) {
            let form = state.normal();
            assert!(form.is_normal() && form.normal() == form);
            if let Some(known) = normal.insert(form, far) {
                twins += 1;
                assert_eq!(known, far);
            }
        }
        let bricks = Bricks::new(&grid).unwrap();
        let graph = Graph::reachable(&bricks, Metric::Steps, false, &Budget::default()).unwrap();
        assert_eq!(graph.len(), normal.len());
        let census = space::census(&bricks, Metric::Steps, false, &Budget::default(), &mut |_| {});
        assert_eq!(census.unwrap().unwrap().layers, graph.layers());
    }
    assert!(twins > 1000, "{twins}");
}

/// Paths by depth, counted on the matrix and by the engine's moves.
#[test]
fn perft() {
    fn plain(grid: &Grid, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        grid.moves().into_iter().map(|step| plain(&grid.applied(step).unwrap(), depth - 1)).sum()
    }
    fn played(game: &mut dyn Game, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sum = 0;
        for step in game.legal() {
            game.play(&step).unwrap();
            sum += played(game, depth - 1);
            game.undo();
        }
        sum
    }
    for (text, depth, paths) in [(FIRST, 8, None), (LEVEL, 6, None), (FIRST, 1, Some(2)), (FIRST, 2, Some(7))]
    {
        let bricks = Bricks::parse(text).unwrap();
        let counted = plain(&bricks.grid(), depth);
        assert_eq!(played(&mut *bricks.game(), depth), counted);
        assert!(paths.is_none_or(|p| p == counted), "{counted}");
    }
}

#[test]
fn all_optimal_strategies_agree_on_generated_boards() {
    let mut random = Random::new(7);
    let (mut boards, mut solved) = (0, 0);
    while boards < 5000 {
        let size = (5 + random.below(2), 4 + random.below(3));
        let bricks = 2 + random.below(4);
        let Some(grid) = make::scatter(size, bricks, &mut random) else { continue };
        boards += 1;
        let bricks = Bricks::new(&grid).unwrap();
        let best = length(&bricks, None, "steps");
        solved += u32::from(best.is_some());
        for strategy in ["bfs", "astar", "bidirectional"] {
            assert_eq!(length(&bricks, Some(strategy), "steps"), best, "{strategy}\n{grid}");
        }
        // The other strategies run on a sample.
        if boards % 10 == 0 {
            for strategy in ["ids", "idastar", "ucs"] {
                let quick = best.is_some_and(|b| b < 14) || strategy == "ucs";
                if quick {
                    assert_eq!(length(&bricks, Some(strategy), "steps"), best, "{strategy}\n{grid}");
                }
            }
            for objective in ["moves", "lines"] {
                let best = length(&bricks, None, objective);
                for strategy in ["bfs", "astar"] {
                    assert_eq!(length(&bricks, Some(strategy), objective), best, "{objective}\n{grid}");
                }
            }
        }
    }
    assert!(solved > 1000 && solved < 4900, "{solved}");
}

#[test]
fn two_threads_find_the_same_length() {
    for name in ["bricks-klotski", "bricks-no-way-out", "bricks-four-sides"] {
        let bricks = example(name);
        let mut job = Job::default();
        job.settings.threads = 2;
        let both = bricks.solve(&job, &Budget::default(), &mut ()).unwrap();
        assert_eq!(both.solution().map(|s| s.cost), length(&bricks, None, "steps"), "{name}");
        assert!(both.solution().is_none_or(|s| replays(&bricks, &s.moves)));
    }
}

#[test]
fn budgets_stop_the_search() {
    let bricks = example("bricks-klotski");
    for (budget, limit) in [
        (Budget { nodes: Some(100), ..Budget::default() }, Limit::Nodes),
        (Budget { bytes: Some(60_000), ..Budget::default() }, Limit::Memory),
    ] {
        let outcome = bricks.solve(&Job::default(), &budget, &mut ()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Stopped(limit));
    }
}

#[test]
fn plans_of_whole_moves_are_played_and_taken_back() {
    for objective in ["steps", "lines", "moves"] {
        for example in KIND.examples().iter().filter(|e| ["bricks-klotski", "bricks-hook"].contains(&e.name))
        {
            let bricks = Bricks::parse(example.text).unwrap();
            let job = Job { objective: Some(objective.into()), ..Job::default() };
            let outcome = bricks.solve(&job, &Budget::default(), &mut ()).unwrap();
            let plan = outcome.solution().unwrap().moves.clone();
            let mut game = bricks.game();
            let before = format!("{:?}", game.scene());
            for step in &plan {
                game.play(step).unwrap();
            }
            assert!(game.solved() && game.history() == plan);
            assert!(game.play("(2,left,left,left,left,left)").is_err(), "all of a move or nothing");
            assert!(game.solved());
            while game.undo() {}
            assert_eq!(format!("{:?}", game.scene()), before);
        }
    }
}
