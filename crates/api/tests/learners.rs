//! Distances, batches and training data on shipped puzzles, each checked against an independent method.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use beeline_api::batch::{Batch, DEAD_END, Level, Options, Reward};
use beeline_api::data::{self, File, Format};
use beeline_api::oracle::{MOST_POSITIONS, Method, NoDistance};
use beeline_api::{Oracle, oracle};
use beeline_puzzles::environment::{PLANES, of_scene};
use beeline_puzzles::{Environment, KINDS, Position, Puzzle, Recipe, kind};
use beeline_search::{Budget, DEAD, Limit, Random};

/// The first shipped puzzle with this name.
fn shipped(name: &str) -> Box<dyn Puzzle> {
    let mut all = KINDS.iter().flat_map(|kind| kind.examples().iter().map(move |example| (kind, example)));
    let (kind, example) = all.find(|(_, example)| example.name == name).unwrap();
    kind.parse(example.text).unwrap().remove(0)
}

fn oracle_of(puzzle: &dyn Puzzle) -> Arc<Oracle> {
    Arc::new(Oracle::new(puzzle.environment().unwrap().into(), MOST_POSITIONS))
}

fn board(environment: &dyn Environment, position: &dyn Position) -> Vec<u8> {
    let (rows, columns) = environment.shape();
    let mut board = vec![0; PLANES * rows * columns];
    position.write(&mut board);
    board
}

/// Walks randomly in the game and in the environment at the same time: both have the same legal steps and pictures,
/// and every board can be parsed again.
#[test]
fn an_environment_is_the_game() {
    for kind in KINDS {
        for example in kind.examples() {
            for puzzle in kind.parse(example.text).unwrap().into_iter().take(2) {
                walk(&*puzzle, example.name);
            }
        }
    }
}

fn walk(puzzle: &dyn Puzzle, name: &str) {
    let environment = puzzle.environment().unwrap();
    let (mut game, mut position) = (puzzle.game(), environment.start());
    let mut random = Random::new(7);
    let mut mask = vec![0; environment.actions()];
    for _ in 0..40 {
        let here = board(&*environment, &*position);
        assert_eq!(here, of_scene(&game.scene()), "{name}");
        assert_eq!(position.solved(), game.solved(), "{name}");
        let again = environment.read(&here).unwrap();
        assert_eq!(board(&*environment, &*again), here, "{name}");
        position.legal(&mut mask);
        let actions: Vec<usize> = (0..mask.len()).filter(|&action| mask[action] == 1).collect();
        let mut steps: Vec<String> = actions.iter().map(|&a| position.step(a).unwrap()).collect();
        let Some(&action) = random.pick(&actions) else { break };
        let step = position.step(action).unwrap();
        let mut legal = game.legal();
        steps.sort();
        legal.sort();
        assert_eq!(steps, legal, "{name}");
        game.play(&step).unwrap();
        assert!(position.act(action), "{name}");
    }
    let nonsense = vec![250; board(&*environment, &*position).len()];
    assert!(environment.read(&nonsense).is_none() && environment.read(&[]).is_none(), "{name}");
}

/// Compares the table with an independent solver, on states near the plan and far from it.
#[test]
fn tables_and_solves_agree() {
    for name in ["gate-first", "tiles-first", "sokoban-two", "bricks-first"] {
        let puzzle = shipped(name);
        let oracle = oracle_of(&*puzzle);
        assert!(matches!(oracle.method(&Budget::default()), Ok(Method::Table(_))), "{name}");
        let solves = Oracle::new(puzzle.environment().unwrap().into(), 1);
        assert_eq!(solves.method(&Budget::default()), Ok(Method::Solves), "{name}");
        let environment = oracle.environment();
        let (mut position, mut random) = (environment.start(), Random::new(1));
        let mut positions = vec![position.copy()];
        while positions.len() < 12 {
            let action = random.below(environment.actions());
            if position.act(action) {
                positions.push(position.copy());
            }
        }
        let table = oracle.distances(&positions, 2, &Budget::default()).unwrap();
        assert_eq!(table, solves.distances(&positions, 2, &Budget::default()).unwrap(), "{name}");
        let (cost, _) = oracle::shortest(&*puzzle, &Budget::default()).unwrap().unwrap();
        assert_eq!(table[0], cost, "{name}");
    }
}

#[test]
fn dead_ends_are_proved() {
    let puzzle =
        kind("sokoban").unwrap().parse("######\n#    #\n#@$. #\n#    #\n######\n").unwrap().remove(0);
    let oracle = oracle_of(&*puzzle);
    let mut position = oracle.environment().start();
    let ask = |position: &dyn Position| oracle.distance(position, &Budget::default()).unwrap();
    assert_eq!(ask(&*position), 1);
    // Down, right, up: the box is at a wall without a goal.
    for action in [3, 1, 2] {
        assert!(position.act(action));
    }
    assert_eq!(ask(&*position), DEAD);
    let never = shipped("gate-never");
    let oracle = oracle_of(&*never);
    assert_eq!(oracle.distance(&*oracle.environment().start(), &Budget::default()), Ok(DEAD));
    let crossing = shipped("flow-crossing");
    let oracle = oracle_of(&*crossing);
    assert_eq!(oracle.distance(&*oracle.environment().start(), &Budget::default()), Ok(DEAD));
}

#[test]
fn a_cancelled_oracle_says_so() {
    let puzzle = shipped("tiles-korf-88");
    let budget = Budget::default();
    budget.cancel.cancel();
    let oracle = oracle_of(&*puzzle);
    let asked = oracle.distance(&*oracle.environment().start(), &budget);
    assert_eq!(asked, Err(NoDistance::Stopped(Limit::Cancelled)));
}

fn batch(names: &[&str], distance: Option<u32>, reward: Reward, boards: usize) -> Batch {
    let level = |name: &&str| {
        let puzzle = shipped(name);
        Level::new(&*puzzle, oracle_of(&*puzzle), distance, &Budget::default()).unwrap()
    };
    let options = Options { reward, most_steps: None, distances: true, restart: true };
    Batch::new(names.iter().map(level).collect(), boards, options, Budget::default()).unwrap()
}

/// Every step of a greedy descent by distance gets the same reward, and boards of two sizes share one shape.
#[test]
fn a_batch_follows_the_distance_to_the_goal() {
    let mut batch = batch(&["sokoban-first", "sokoban-two"], None, Reward::Potential { gamma: 1.0 }, 6);
    batch.reset(&(0..6).map(Some).collect::<Vec<_>>(), None).unwrap();
    let optimal = batch.view().optimal.clone();
    assert!(optimal.iter().any(|&o| o != optimal[0]), "both levels are drawn");
    let mut rewards = [0.0; 6];
    for step in 0..*optimal.iter().max().unwrap() {
        let actions: Vec<i64> = (0..6).map(|board| best(&batch, board)).collect();
        batch.step(&actions).unwrap();
        for board in 0..6 {
            if step < optimal[board] {
                assert_eq!(batch.view().distances[board], optimal[board] - step - 1);
                rewards[board] += batch.view().rewards[board];
                assert_eq!(batch.view().terminated[board] == 1, step + 1 == optimal[board]);
            }
        }
    }
    assert!(rewards.iter().all(|&reward| (reward - 2.0_f64).abs() < 1e-9), "{rewards:?}");
}

/// The first legal action that leads nearer to the goal.
fn best(batch: &Batch, board: usize) -> i64 {
    let position = batch.position(board).unwrap();
    let oracle = batch.levels()[batch.view().levels[board] as usize].oracle();
    let here = batch.view().distances[board];
    let nearer = (0..batch.actions()).find(|&action| {
        let mut next = position.copy();
        next.act(action) && oracle.distance(&*next, &Budget::default()).unwrap() as i32 == here - 1
    });
    nearer.map_or(0, |action| action as i64)
}

#[test]
fn a_level_starts_at_the_distance_that_is_asked_for() {
    for name in ["gate-first", "tiles-first", "sokoban-two", "bricks-first", "flow-first"] {
        let mut batch = batch(&[name], Some(3), Reward::Step, 2);
        batch.reset(&[], None).unwrap();
        assert_eq!((batch.view().optimal[0], batch.view().distances[1]), (3, 3), "{name}");
        batch.step(&[-1, 1_000]).unwrap();
        assert_eq!((batch.view().distances[0], batch.view().rewards[1]), (3, -1.0), "no such action");
        assert_ne!(batch.view().distances[0], DEAD_END);
    }
}

/// Two runs make the same file, and its labels follow from the rules of the plan.
#[test]
fn data_is_the_same_byte_for_byte() {
    for (name, size) in
        [("tiles", (3, 3)), ("sokoban", (7, 7)), ("gate", (6, 6)), ("flow", (5, 5)), ("bricks", (5, 5))]
    {
        for format in [Format::JsonLines, Format::Parquet] {
            let write = |threads: usize| {
                let mut bytes = Vec::new();
                let mut file = File::new(&mut bytes, format).unwrap();
                for seed in 3..5 {
                    let recipe = Recipe { seed, size: Some(size), ..Recipe::default() };
                    let row = data::row(kind(name).unwrap(), &recipe, threads).unwrap();
                    check_row(&row);
                    file.push(row).unwrap();
                }
                file.finish().unwrap();
                bytes
            };
            assert_eq!(write(1), write(2), "{name}");
        }
    }
}

fn check_row(row: &data::Row) {
    assert_eq!((row.boards.len(), row.distances.len()), (row.plan.len() + 1, row.plan.len() + 1));
    assert_eq!((row.distances[0], row.distances.last()), (row.cost, Some(&0)));
    for (i, step) in row.plan.iter().enumerate() {
        let mut tried = (0..row.tried.len()).filter(|&t| row.tried_at[t] == i as i64);
        let taken = tried.find(|&t| row.tried[t] == *step).unwrap();
        assert_eq!(row.tried_distance[taken], row.distances[i + 1]);
        let here = row.distances[i];
        let near = (0..row.tried.len()).filter(|&t| row.tried_at[t] == i as i64);
        assert!(near.into_iter().all(|t| row.tried_distance[t] == -1 || row.tried_distance[t] >= here - 1));
    }
}
