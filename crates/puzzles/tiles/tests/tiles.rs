//! Sliding tiles against the true distances: whole spaces searched breadth-first, compared with every estimate and every
//! strategy.

#![allow(clippy::unwrap_used)] // Helpers of tests: a panic is the failure.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use beeline_puzzle::{Choice, Job, Kind, Puzzle, Watcher};
use beeline_search::strategies::{Settings, TableCache};
use beeline_search::{Budget, Cancel, Claim, Heuristic, Limit, Space, Stats, Verdict};
use beeline_tiles::bounds::{ErasedHeuristic, LinearConflict, Manhattan, WalkingDistance};
use beeline_tiles::count::{self, Order};
use beeline_tiles::improved::Improved;
use beeline_tiles::move_fsm::MoveFsm;
use beeline_tiles::pattern::Patterns;
use beeline_tiles::pattern::database::{Database, Pattern, TableError};
use beeline_tiles::pattern::places::Places;
use beeline_tiles::pattern::tables::tables;
use beeline_tiles::table_free::{self, TableFreeIda};
use beeline_tiles::word::pack;
use beeline_tiles::{Board, Goal, KIND, Sliding, Step, Tiles, TilesPuzzle};

type Distances = HashMap<[u64; 4], u32>;

/// The distance of every state from the goal, and the number of states at the greatest distance.
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

/// Admissible everywhere, consistent where claimed, 0 at the goal, and the same incrementally as from scratch.
fn hold<H: Heuristic<Sliding, Scratch = ()>>(
    name: &str,
    space: &Sliding,
    heuristic: &H,
    distances: &Distances,
) {
    for (key, &distance) in distances {
        let state = space.unpack(key);
        let memo = heuristic.root(space, &state, &mut ());
        let value = heuristic.value(memo);
        assert!(value <= distance, "{name}: {value} > {distance} at {state:?}");
        assert_eq!((value + distance) % 2, 0, "{name}: the parity of an estimate is that of the distance");
        for step in space.moves(&state) {
            let mut child: Tiles = state;
            space.apply(&mut child, step);
            let stepped = heuristic.value(heuristic.step(space, &child, step, memo, &mut ()));
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

/// Admissible and of the right parity on every state whose number is a multiple of `every`: the improvements of Korf and Taylor
/// and walking distance in every combination.
fn improved_hold(space: &Sliding, distances: &Distances, every: usize) {
    let all: Vec<Improved> = (0..32)
        .filter(|features| features & table_free::MACHINE == 0)
        .map(|features| Improved::new(space, features))
        .collect();
    let mut keys: Vec<_> = distances.iter().collect();
    keys.sort_unstable();
    for (key, &distance) in keys.into_iter().step_by(every) {
        let state = space.unpack(key);
        for improved in &all {
            let value = improved.estimate(space, &state);
            assert!(value <= distance, "{improved:?}: {value} > {distance} at {state:?}");
            assert_eq!((value + distance) % 2, 0);
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
        let erased = ErasedHeuristic::linear_conflict(LinearConflict::new(&space));
        hold("linear conflict, erased", &space, &erased, &distances);
        let erased = ErasedHeuristic::walking_distance(WalkingDistance::new(&space).unwrap());
        hold("walking distance, erased", &space, &erased, &distances);
        improved_hold(&space, &distances, 11);
        // Boards with the blank last are transformed before look-up: one form of the tables suffices to test that.
        let forms = if goal == Goal::BlankFirst { 4 } else { 1 };
        for (name, tables) in eight_puzzle_tables().into_iter().take(forms) {
            hold(name, &space, &ErasedHeuristic::patterns(&tables), &distances);
            if goal == Goal::BlankFirst {
                // The search with databases and move FSM, on every state that is a multiple of 101 in the order of keys.
                shortest(name, &space, &tables, &distances, 101);
            }
        }
    }
}

/// No more memory than this for spreading tables out.
fn within(bytes: Option<usize>) -> Budget {
    Budget { bytes, ..Budget::default() }
}

#[test]
fn spreading_tables_out_keeps_to_the_limit_of_time() {
    let databases = databases(3, 3, &[&[1, 2, 4, 5], &[3, 6, 7, 8]], true);
    let budget = Budget { time: Some(Duration::ZERO), ..Budget::default() };
    let spread = Patterns::new(&databases, &budget, MoveFsm::new(3, 3, 12, Step::ALL), Step::ALL);
    assert!(matches!(spread, Err(TableError::Stopped(Limit::Time))));
}

/// The predefined partition in both forms, a form that ignores the blank's region, and several partitions at once: without and
/// with shared patterns.
fn eight_puzzle_tables() -> Vec<(&'static str, Patterns)> {
    let machine = || MoveFsm::new(3, 3, 12, Step::ALL);
    let set = tables("4-4", 3, 3).unwrap();
    let known = || set.get(None, 2, &Budget::default(), &mut |_| {}, &mut |_| {}).unwrap();
    let blunt = databases(3, 3, &[&[1, 2, 4, 5], &[3, 6, 7, 8]], false);
    let mut two = known();
    two.extend(databases(3, 3, &[&[1, 3, 4], &[2, 5, 6, 7, 8]], true));
    let halves: [&[usize]; 8] = [&[1, 2], &[3, 4], &[5, 6], &[7, 8], &[1, 3], &[2, 4], &[5, 7], &[6, 8]];
    let halves = databases(3, 3, &halves, true);
    let mut three = known();
    three.extend(databases(3, 3, &[&[1, 2, 4, 5], &[3, 6], &[7, 8]], true));
    three.extend(databases(3, 3, &[&[1, 4], &[2, 5], &[3, 7, 8, 6]], true));
    let patterns =
        |databases: Vec<_>, room| Patterns::new(&databases, &within(room), machine(), Step::ALL).unwrap();
    vec![
        ("4-4 spread out", patterns(known(), None)),
        ("4-4 compact", patterns(known(), Some(0))),
        ("4-4 without regions", patterns(blunt, Some(0))),
        ("two partitions", patterns(two, None)),
        ("two parts", patterns(halves, None)),
        ("three partitions", patterns(three, None)),
    ]
}

fn databases(rows: usize, columns: usize, patterns: &[&[usize]], aware: bool) -> Vec<Arc<Database>> {
    let build = |tiles: &&[usize]| {
        let pattern = Pattern { rows, columns, tiles: tiles.to_vec(), aware };
        let places = Arc::new(Places::new(rows, columns, tiles.len()).unwrap());
        Arc::new(Database::build(&pattern, &places, 2, &Budget::default(), &mut |_| {}).unwrap())
    };
    patterns.iter().map(build).collect()
}

/// The search finds the distance of every state whose number in the order of keys is a multiple of `every`, with one thread and
/// with three, and the same plan.
fn shortest(name: &str, space: &Sliding, tables: &Patterns, distances: &Distances, every: usize) {
    let mut keys: Vec<_> = distances.iter().collect();
    keys.sort_unstable();
    for (key, &distance) in keys.into_iter().step_by(every) {
        let state = space.unpack(key);
        let cells: Vec<u8> = (0..space.board().squares()).map(|s| state.tile(s)).collect();
        let (found, limit) = tables.search(&cells, 0, 1, &Budget::default());
        let plan = found.plan.unwrap();
        assert_eq!((limit, plan.len() as u32), (None, distance), "{name}");
        if distance > 24 {
            // Known bounds split the rounds into tasks from the start.
            let (found, _) = tables.search(&cells, distance.saturating_sub(4), 3, &Budget::default());
            assert_eq!(found.plan, Some(plan), "{name}: with threads");
        }
    }
}

#[test]
#[ignore = "long: cargo xtask prove"] // 181,440 states with both goals, sixteen estimates each; searches on every fifth state.
fn the_whole_eight_puzzle_with_every_improvement_and_table() {
    for goal in [Goal::BlankFirst, Goal::BlankLast] {
        let space = Sliding::new(&board(3, 3, goal));
        let (distances, _) = all_distances(&space);
        improved_hold(&space, &distances, 1);
        for (name, tables) in eight_puzzle_tables() {
            hold(name, &space, &ErasedHeuristic::patterns(&tables), &distances);
            if goal == Goal::BlankFirst {
                shortest(name, &space, &tables, &distances, 5);
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
        improved_hold(&space, &distances, 1);
        let one: &[&[usize]] = &[&[1, 2, 3, 5, 6], &[4, 7, 8, 9]];
        let two: &[&[usize]] = &[&[1, 2, 3, 5, 6], &[4, 7, 8, 9], &[1, 2, 5], &[3, 6], &[4, 9, 8, 7]];
        for (name, patterns, room) in
            [("5-4 spread out", one, None), ("5-4 compact", one, Some(0)), ("two partitions", two, None)]
        {
            let machine = MoveFsm::new(rows, columns, 12, Step::ALL);
            let databases = databases(rows, columns, patterns, true);
            let tables = Patterns::new(&databases, &within(room), machine, Step::ALL).unwrap();
            hold(name, &space, &ErasedHeuristic::patterns(&tables), &distances);
            shortest(name, &space, &tables, &distances, 997);
        }
    }
}

/// Every combination of Korf and Taylor's improvements and walking distance on all 4×4 boards within a distance of the goal,
/// where last moves and corner tiles take effect.
fn improved_near_the_goal(deepest: u32, all: &[u8]) {
    let space = Sliding::new(&board(4, 4, Goal::BlankFirst));
    let goal = space.goals().unwrap()[0];
    let lights: Vec<TableFreeIda> =
        all.iter().map(|&features| TableFreeIda::new(features, Step::ALL)).collect();
    let mut before = std::collections::HashSet::new();
    let mut layer = HashMap::from([(space.pack(&goal), goal)]);
    for distance in 0..=deepest {
        let mut next = HashMap::new();
        for state in layer.values() {
            let word = pack(&(0..16).map(|s| state.tile(s)).collect::<Vec<_>>());
            for (table_free, features) in lights.iter().zip(all) {
                let estimate = table_free.estimate(word);
                assert!(estimate <= distance, "{features}: {estimate} > {distance} at {state:?}");
                assert_eq!((estimate + distance) % 2, 0);
            }
            for step in space.moves(state) {
                let mut child = *state;
                space.apply(&mut child, step);
                let key = space.pack(&child);
                if !before.contains(&key) {
                    next.insert(key, child);
                }
            }
        }
        before = layer.into_keys().collect();
        layer = next;
    }
}

#[test]
fn the_improvements_are_admissible_near_the_goal() {
    improved_near_the_goal(12, &(0..32).collect::<Vec<_>>());
}

#[test]
#[ignore = "long: cargo xtask prove"] // Millions of boards, each asked for seven estimates.
fn the_improvements_are_admissible_not_so_near_the_goal() {
    use table_free::{ALL, CORNER, LAST, LINEAR, WALKING};
    improved_near_the_goal(19, &[LINEAR, LAST, CORNER, LINEAR | LAST, LINEAR | CORNER, WALKING, ALL]);
}

/// A board reached from the goal by this many random steps.
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
        let puzzle = TilesPuzzle::new(shuffled(3, 3, Goal::BlankLast, 60, seed));
        let truth = distances[&space.pack(&Sliding::new(puzzle.board()).start())];
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
                // Iterative deepening without an estimate is hopeless on deep boards, so it runs only on shallow ones.
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

#[test]
#[ignore = "long: cargo xtask prove"] // Thousands of searches, some of them blind.
fn every_strategy_is_optimal_all_over_the_eight_puzzle() {
    let space = Sliding::new(&board(3, 3, Goal::BlankFirst));
    let (distances, _) = all_distances(&space);
    let mut keys: Vec<_> = distances.iter().collect();
    keys.sort_unstable();
    let informed = ["manhattan", "linear-conflict", "walking-distance", "improved"];
    for (key, &distance) in keys.into_iter().step_by(601) {
        let state = space.unpack(key);
        let cells = (0..9).map(|s| state.tile(s)).collect();
        let puzzle = TilesPuzzle::new(Board::new(3, 3, cells, Goal::BlankFirst).unwrap());
        let mut jobs = vec![(None, None), (Some("bfs"), None), (Some("bidirectional"), None)];
        for heuristic in informed {
            jobs.extend([(Some("astar"), Some(heuristic)), (Some("idastar"), Some(heuristic))]);
        }
        for (strategy, heuristic) in jobs {
            let [strategy, heuristic] = [strategy, heuristic].map(|name| name.map(str::to_owned));
            let job = Job { strategy, heuristic, ..Job::default() };
            let outcome = puzzle.solve(&job, &Budget::default(), &mut ()).unwrap();
            let solution = outcome.solution().unwrap();
            assert_eq!(solution.cost, u64::from(distance), "{job:?}");
            assert!(solution.is_optimal());
            replay(&puzzle, &solution.moves);
        }
    }
}

/// Plays a plan through the game and asserts that it solves the puzzle.
fn replay(puzzle: &TilesPuzzle, plan: &[String]) {
    let mut game = puzzle.game();
    for step in plan {
        game.play(step).unwrap();
    }
    assert!(game.solved());
}

#[test]
fn every_feature_of_the_search_without_tables_finds_the_same_length() {
    let all: Vec<TableFreeIda> = (0..32).map(|f| TableFreeIda::new(f, Step::ALL)).collect();
    let korf = TableFreeIda::new(table_free::ALL, Order::Korf.steps());
    for seed in 0..25 {
        let puzzle = shuffled(4, 4, Goal::BlankFirst, 70, seed);
        let word = pack(puzzle.cells());
        let (walked, _) = count::plain::search(word, Order::Classic, &Budget::default());
        let plan = walked.plan.clone().unwrap();
        for table_free in &all {
            let (found, _) = table_free.search(word, &Budget::default());
            assert_eq!(found.plan.as_ref(), Some(&plan), "the same plan, not only the same length");
            assert!(table_free.estimate(word) as usize <= plan.len());
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
fn both_forms_of_the_improvements_are_the_same() {
    let lights: Vec<(u8, TableFreeIda)> =
        (0..8).map(|features| (features, TableFreeIda::new(features, Step::ALL))).collect();
    for goal in [Goal::BlankFirst, Goal::BlankLast] {
        let space = Sliding::new(&board(4, 4, goal));
        let improved: Vec<Improved> =
            lights.iter().map(|(features, _)| Improved::new(&space, *features)).collect();
        for seed in 0..400 {
            let puzzle = shuffled(4, 4, goal, 4 + seed as usize / 4, seed);
            let state = Sliding::new(&puzzle).start();
            let word = pack(puzzle.blank_first().cells());
            for ((features, table_free), improved) in lights.iter().zip(&improved) {
                assert_eq!(
                    improved.estimate(&space, &state),
                    table_free.estimate(word),
                    "{features} {puzzle:?}"
                );
            }
        }
    }
}

/// The six boards whose figures are published, in the order left, right, up, down.
const PUBLISHED: [([u8; 16], usize, u64, u64); 6] = [
    ([14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3], 57, 499_911_606, 253_079_561),
    ([13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6], 55, 18_983_862, 9_777_811),
    ([14, 7, 8, 2, 13, 11, 10, 4, 9, 12, 5, 0, 3, 6, 1, 15], 59, 455_125_298, 229_658_355),
    ([5, 12, 10, 7, 15, 11, 14, 0, 8, 2, 1, 13, 3, 4, 9, 6], 56, 82_631_583, 41_689_054),
    ([7, 6, 8, 1, 11, 5, 14, 10, 3, 4, 9, 13, 15, 2, 0, 12], 59, 937_956_626, 475_109_931),
    ([15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4], 65, 6_195_467_140, 3_176_234_869),
];

#[test]
#[ignore = "long: cargo xtask prove"] // 4.2 billion nodes walked, and the same figures computed.
fn the_published_figures_walked_and_computed() {
    for (cells, cost, generated, expanded) in PUBLISHED {
        let word = pack(&cells);
        let (walked, limit) = count::plain::search(word, Order::Classic, &Budget::default());
        let plan = walked.plan.clone().unwrap();
        let figures = (plan.len(), walked.generated, walked.expanded);
        assert_eq!((limit, figures), (None, (cost, generated, expanded)));
        let computed = count::layers::count(word, &plan, Order::Classic, 2, &Budget::default()).unwrap();
        assert_eq!(computed, walked);
    }
}

#[test]
#[ignore = "long: cargo xtask prove"] // A hundred boards with four estimates, from the suites' folder.
fn the_costs_of_korfs_hundred() {
    let folder = std::env::var_os("BEELINE_SUITES").map(std::path::PathBuf::from);
    let Some(text) = folder.and_then(|f| std::fs::read_to_string(f.join("tiles/korf100.tsv")).ok()) else {
        eprintln!("not proved: BEELINE_SUITES does not name the folder of the suites");
        return;
    };
    let board = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let cells: Vec<u8> = fields.last().unwrap().split(' ').map(|t| t.parse().unwrap()).collect();
        (fields[2].parse::<usize>().unwrap(), cells)
    };
    let boards: Vec<(usize, Vec<u8>)> = text.lines().skip(1).map(board).collect();
    assert_eq!((boards.len(), boards.iter().map(|b| b.0).sum()), (100, 5305));
    let table_free = TableFreeIda::new(table_free::ALL, Step::ALL);
    let table_sets = ["5-5-5", "6-6-3"].map(|name| {
        let set = tables(name, 4, 4).unwrap();
        let databases = set.get(None, 2, &Budget::default(), &mut |_| {}, &mut |_| {}).unwrap();
        let room = (name == "5-5-5").then_some(0);
        Patterns::new(&databases, &within(room), MoveFsm::new(4, 4, 12, Step::ALL), Step::ALL).unwrap()
    });
    for (cost, cells) in &boards {
        let mut plans = vec![table_free.search(pack(cells), &Budget::default()).0.plan.unwrap()];
        for tables in &table_sets {
            plans.push(tables.search(cells, 0, 1, &Budget::default()).0.plan.unwrap());
        }
        assert!(plans.iter().all(|plan| plan.len() == *cost && *plan == plans[0]), "{cells:?}");
    }
}

#[test]
fn the_default_solver_on_every_size() {
    for rows in 2..=6 {
        for columns in 2..=6 {
            let goal = if (rows + columns) % 2 == 0 { Goal::BlankLast } else { Goal::BlankFirst };
            let board = shuffled(rows, columns, goal, 24, (rows * 7 + columns) as u64);
            let puzzle = TilesPuzzle::new(board);
            let outcome = puzzle.solve(&Job::default(), &Budget::default(), &mut ()).unwrap();
            let solution = outcome.solution().expect("a plan").clone();
            assert!(solution.is_optimal() && solution.cost <= 24, "{rows}x{columns}");
            replay(&puzzle, &solution.moves);
        }
    }
}

#[test]
fn a_large_board_gets_a_plan_and_a_bound_within_a_limit() {
    let puzzle = TilesPuzzle::new(shuffled(6, 6, Goal::BlankFirst, 5000, 3));
    let budget = Budget { nodes: Some(1_000_000), ..Budget::default() };
    let outcome = puzzle.solve(&Job::default(), &budget, &mut ()).unwrap();
    let Verdict::Solved(solution) = outcome.verdict else { panic!("no plan: {:?}", outcome.verdict) };
    assert!(solution.lower_bound <= solution.cost && solution.lower_bound > 0);
    replay(&puzzle, &solution.moves);
}

/// Cancels when a search has expanded this many states.
struct CancelsAt(u64, Cancel);

impl Watcher for CancelsAt {
    fn tick(&mut self, stats: &Stats) {
        if stats.expanded >= self.0 {
            self.1.cancel();
        }
    }
}

/// The first stage ends after 4,096 expansions. A cancel at that moment must be reported as the reason.
#[test]
fn a_cancel_between_two_stages_is_told_as_a_cancel() {
    let puzzle = KIND.parse("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n").unwrap().remove(0);
    let budget = Budget::default();
    let outcome =
        puzzle.solve(&Job::default(), &budget, &mut CancelsAt(4096, budget.cancel.clone())).unwrap();
    assert!(matches!(outcome.verdict, Verdict::Stopped(Limit::Cancelled)), "{:?}", outcome.verdict);
}

#[test]
fn a_heuristic_fits_where_the_solver_takes_it() {
    let budget = Budget { nodes: Some(1), ..Budget::default() };
    let settings = Settings { tables: TableCache::Read, ..Settings::default() };
    for (rows, columns) in [(3, 3), (2, 5), (5, 4), (6, 6)] {
        let puzzle = TilesPuzzle::new(Board::solved(rows, columns, Goal::BlankFirst).unwrap());
        for Choice { name, .. } in KIND.heuristics() {
            let heuristic = Some((*name).to_owned());
            let strategy = Some("astar".to_owned());
            let job = Job { heuristic, strategy, settings: settings.clone(), ..Job::default() };
            let taken = puzzle.solve(&job, &budget, &mut ()).is_ok();
            assert_eq!(puzzle.fits(name), taken, "{name} on {rows}x{columns}");
        }
    }
}

#[test]
fn an_unsolvable_board_is_known_at_once() {
    let puzzle = TilesPuzzle::new(Board::new(2, 2, vec![0, 1, 3, 2], Goal::BlankFirst).unwrap());
    let outcome = puzzle.solve(&Job::default(), &Budget::default(), &mut ()).unwrap();
    assert_eq!(outcome.verdict, Verdict::Exhausted);
    assert_eq!(puzzle.warnings().len(), 1);
}
