//! Every kind of puzzle by several ranks and threads: the cost, and the proof that there is no plan, are those of one.

#![allow(clippy::unwrap_used, clippy::option_option)]

use beeline_puzzles::{Job, Puzzle, bricks, flow, gate, sokoban, tiles};
use beeline_search::parallel::{Cluster, Ranks};
use beeline_search::strategies::Settings;
use beeline_search::{Budget, Random, Verdict};

/// The cost of a shortest plan, or none if there is none. A search that is too long for a test says nothing.
fn cost(puzzle: &dyn Puzzle, strategy: &str, settings: Settings) -> Option<Option<u64>> {
    let job = Job { strategy: Some(strategy.to_owned()), settings, ..Job::default() };
    let budget = Budget { nodes: Some(30_000), ..Budget::default() };
    let outcome = puzzle.solve(&job, &budget, &mut ()).unwrap();
    match outcome.verdict {
        Verdict::Solved(solution) => {
            assert!(solution.is_optimal(), "{strategy}: {}", puzzle.text());
            Some(Some(solution.cost))
        }
        Verdict::Exhausted => Some(None),
        Verdict::Stopped(_) => None,
        Verdict::GaveUp => panic!("{strategy} gave up: {}", puzzle.text()),
    }
}

/// Compares every number of ranks with one thread; how many puzzles said something.
fn agree(puzzles: impl Iterator<Item = Box<dyn Puzzle>>) -> usize {
    let mut told = 0;
    for puzzle in puzzles {
        for strategy in ["bfs", "ucs", "astar"] {
            let Some(alone) = cost(&*puzzle, strategy, Settings::default()) else { continue };
            told += 1;
            for ranks in [1, 2, 4, 7] {
                let cluster = Some(Cluster { ranks: Ranks::Threads(ranks), saving: None });
                let together = cost(&*puzzle, strategy, Settings { cluster, ..Settings::default() });
                // Several may expand more than one, so some reach the limit of this test.
                assert!(
                    together.is_none_or(|cost| cost == alone),
                    "{strategy} by {ranks} ranks: {together:?}, alone {alone:?}\n{}",
                    puzzle.text()
                );
            }
        }
        if let Some(alone) = cost(&*puzzle, "idastar", Settings::default()) {
            let together = cost(&*puzzle, "idastar", Settings { threads: 3, ..Settings::default() });
            assert_eq!(together, Some(alone), "{}", puzzle.text());
        }
    }
    told
}

/// Puzzles that are made from seeds; some seeds make none.
fn made<P: Puzzle + 'static>(
    seeds: u64,
    make: impl Fn(u64) -> Option<P>,
) -> impl Iterator<Item = Box<dyn Puzzle>> {
    (0..seeds).filter_map(move |seed| Some(Box::new(make(seed)?) as Box<dyn Puzzle>))
}

#[test]
fn gates() {
    assert!(agree(made(30, |seed| gate::make::scatter(6, 6, 3, &mut Random::new(seed)))) > 40);
}

#[test]
fn tiles() {
    let shuffled = |seed| {
        let mut random = Random::new(seed);
        let mut cells: Vec<u8> = (0..6).collect();
        (1..cells.len()).rev().for_each(|i| cells.swap(i, random.below(i + 1)));
        tiles::Board::new(2, 3, cells, tiles::Goal::BlankFirst).map(tiles::TilesPuzzle::new)
    };
    assert!(agree(made(40, shuffled)) > 100);
}

#[test]
fn flows() {
    assert!(agree(made(30, |seed| flow::make::solvable(5, 5, 4, seed).map(flow::FlowPuzzle::new))) > 60);
}

#[test]
fn sokobans() {
    let level = |seed| sokoban::make::make(6, 6, 2, seed).map(sokoban::Sokoban::new);
    assert!(agree(made(30, level)) > 40);
}

#[test]
fn bricks() {
    let scattered = |seed| {
        let grid = bricks::make::scatter((6, 6), 4, &mut Random::new(seed))?;
        bricks::Bricks::new(&grid).ok()
    };
    assert!(agree(made(30, scattered)) > 40);
}
