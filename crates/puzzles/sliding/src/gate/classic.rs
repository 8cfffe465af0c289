//! The three classic algorithms with their exact counters.
//!
//! Breadth-first search without and with duplicate detection, and Iterated Width: all three are the engine's graph search with
//! different components. The counting rule is the one that reproduces the published example. The start is counted as generated
//! and is *not* recorded. A successor is tested for the goal when it is generated, before anything else, and the winner is not
//! counted. An illegal move counts nowhere.
//!
//! The auxiliary memory is that of a binary radix tree over packed atoms. It depends only on the set of keys, so it is computed
//! at the end without building the tree.

use std::time::Duration;

use std::sync::Arc;

use beeline_search::budget::Meter;
use beeline_search::evaluator::Evaluator;
use beeline_search::frontier::Fifo;
use beeline_search::graph::{self, End, Finished, GoalTest, Parts, Policy};
use beeline_search::memory::OutOfMemory;
use beeline_search::novelty::{NoveltyRule, Record};
use beeline_search::seen::{Seen, Table, Unseen};
use beeline_search::{Blind, Budget, Key, Limit, Space, Stats};

use super::Gate;
use super::atoms::{Atoms, state_tree, tuple_trees};
use crate::{AnyBoard, Board, Metric, Slide};
use beeline_puzzle::game::Notation;

/// The algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Breadth-first search without duplicate detection.
    Plain,
    /// Breadth-first search with duplicate detection.
    Duplicates,
    /// Iterated Width.
    #[default]
    Width,
}

/// Options that the example leaves open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Iterated Width: which tuples of a kept state are recorded.
    pub record: Record,
    /// Iterated Width: do the counters cover all widths, or only the last one?
    pub all_widths: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Piece 0 covers the goal.
    Solved,
    /// The queue is empty.
    NoSolution,
    /// A limit.
    Stopped(Limit),
}

/// The contents of the classic report.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub ending: Ending,
    /// The moves, as `0l`; empty if there is no solution.
    pub plan: Vec<String>,
    /// Time of the search.
    pub elapsed: Duration,
    /// Nodes taken off the queue.
    pub expanded: u64,
    /// Nodes put into the queue.
    pub generated: u64,
    /// Successors dropped.
    pub duplicated: u64,
    /// Bytes of the radix trees.
    pub auxiliary: u64,
    /// Pieces on the board.
    pub pieces: usize,
    /// Open cells that no piece covers.
    pub empty: usize,
    /// The number in "Solved by IW(…)".
    pub width: usize,
    /// The peak bytes of the actual search.
    pub bytes: usize,
}

/// Runs an algorithm on a board.
pub fn report(gate: &Gate, options: Options, budget: &Budget) -> Report {
    match &gate.board {
        AnyBoard::Small(b) => run::<1, u64>(b, gate, options, budget),
        AnyBoard::Large(b) => run::<4, u128>(b, gate, options, budget),
        AnyBoard::Huge(b) => run::<64, u128>(b, gate, options, budget),
    }
}

fn run<const N: usize, K: Key>(
    board: &std::sync::Arc<Board<N>>,
    gate: &Gate,
    options: Options,
    budget: &Budget,
) -> Report {
    let pieces = board.pieces();
    let mut report = Report {
        ending: Ending::NoSolution,
        plan: Vec::new(),
        elapsed: Duration::ZERO,
        expanded: 0,
        generated: 0,
        duplicated: 0,
        auxiliary: 0,
        pieces,
        empty: gate.layout.empty(),
        width: pieces,
        bytes: 0,
    };
    let mut meter = Meter::new(budget);
    // Ten anchors of at most twelve bits fit into 128, and of at most six into 64.
    let Some(space) = Slide::<N, K>::new(board.clone(), Arc::new(gate.digits.clone()), Metric::Steps, false)
    else {
        report.ending = Ending::Stopped(Limit::Memory);
        return report;
    };
    let atoms = Atoms::new(board, &gate.digits);
    let trees = match options.algorithm {
        Algorithm::Plain => {
            report.width = pieces + 1;
            let done = search(&space, Unseen, None, &mut meter);
            report.take(&space, &done, false);
            report.elapsed = meter.elapsed();
            Ok(0)
        }
        Algorithm::Duplicates => {
            let done = search(&space, Table::new(), None, &mut meter);
            report.take(&space, &done, false);
            report.elapsed = meter.elapsed();
            let mut state = space.start();
            let mut values = vec![0; pieces];
            // Every node but the start was recorded.
            state_tree(&atoms, done.arena.len() - 1, &mut meter.ledger, |push| {
                for id in 1..done.arena.len() {
                    space.unpack_into(&done.arena.keys.get(id as u32), &mut state);
                    space.values(&state, &mut values);
                    push(&values);
                }
            })
        }
        Algorithm::Width => widths(&space, &atoms, options, &mut meter, &mut report),
    };
    match trees {
        Ok(bytes) => report.auxiliary = bytes,
        Err(OutOfMemory) => report.ending = Ending::Stopped(Limit::Memory),
    }
    report.bytes = meter.ledger.peak();
    report
}

/// Iterated Width: widths 1, 2, … up to the number of pieces, until one finds a plan.
fn widths<const N: usize, K: Key>(
    space: &Slide<N, K>,
    atoms: &Atoms,
    options: Options,
    meter: &mut Meter,
    report: &mut Report,
) -> Result<u64, OutOfMemory> {
    let domains = space.domains().unwrap_or_default();
    for width in 1..=domains.len() {
        report.width = width;
        let before = meter.ledger.used();
        let rule = NoveltyRule::new(domains.clone(), width, options.record, false);
        let done = search(space, Unseen, Some(rule), meter);
        report.take(space, &done, options.all_widths && width > 1);
        if report.ending != Ending::NoSolution || width == domains.len() {
            report.elapsed = meter.elapsed();
            return match done.prune.as_ref().and_then(NoveltyRule::novelty) {
                Some(novelty) => tuple_trees(atoms, novelty, width, &mut meter.ledger),
                None => Ok(0),
            };
        }
        drop(done);
        meter.ledger.rewind(before);
    }
    Ok(0)
}

type Done<const N: usize, K, T> = Finished<Slide<N, K>, Fifo, T, Blind, Option<NoveltyRule>, ()>;

fn search<const N: usize, K: Key, T: Seen<Slide<N, K>>>(
    space: &Slide<N, K>,
    seen: T,
    prune: Option<NoveltyRule>,
    meter: &mut Meter,
) -> Done<N, K, T> {
    let parts = Parts {
        space,
        frontier: Fifo::default(),
        seen,
        heuristic: &Blind,
        prune,
        observer: (),
        evaluator: Evaluator::NONE,
        policy: Policy { goal_test: GoalTest::WhenMade, record_start: false, reopen: false },
    };
    graph::search(parts, meter)
}

impl Report {
    /// Takes the counters of a search, or adds them.
    fn take<const N: usize, K: Key, T>(&mut self, space: &Slide<N, K>, done: &Done<N, K, T>, add: bool) {
        let Stats { expanded, generated, duplicates, .. } = done.stats;
        let dropped = duplicates + done.stats.pruned_total();
        let won = matches!(done.end, End::Goal(_, Some(_), _));
        let kept = 1 + generated - dropped - u64::from(won);
        if !add {
            (self.expanded, self.generated, self.duplicated) = (0, 0, 0);
        }
        self.expanded += expanded;
        self.generated += kept;
        self.duplicated += dropped;
        self.ending = match done.end {
            End::Goal(node, last, _) => {
                let moves = done.arena.plan(space, node, last).0.into_iter();
                let mut state = space.start();
                self.plan = moves
                    .map(|mv| {
                        let name = space.show(&state, mv);
                        space.apply(&mut state, mv);
                        name
                    })
                    .collect();
                Ending::Solved
            }
            End::Empty => Ending::NoSolution,
            End::Limit(limit) => Ending::Stopped(limit),
        };
    }
}
