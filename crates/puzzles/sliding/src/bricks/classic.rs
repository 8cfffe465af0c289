//! The homework's four searches with their counters.
//!
//! All of them compare normal forms (bricks of one shape are interchangeable). They try the moves of a state in the order of
//! the normalised numbers: the master first, then the bricks row by row; up, down, left, right. A node is *explored* when it is
//! taken off the queue, or entered by the depth-first search. Then the goal test runs, and only then is it expanded. So a goal
//! is counted and never expanded.
//!
//! Depth-first search is recursive with a set of all visited states. Iterative deepening stores, in each round, the greatest
//! remaining depth at each state: a plain set would miss the shortest plan.

use std::sync::Arc;
use std::time::Duration;

use beeline_puzzle::puzzle::Relay;
use beeline_search::budget::Meter;
use beeline_search::depth::{self, Memory, SlackTable};
use beeline_search::evaluator::Evaluator;
use beeline_search::frontier::{Buckets, Fifo, Frontier};
use beeline_search::graph::{self, GoalTest, Policy};
use beeline_search::seen::Table;
use beeline_search::strategies::Unsupported;
use beeline_search::{Blind, Budget, Cost, Heuristic, Limit, Round, Stats};

use super::Bricks;
use super::grid::{Grid, MASTER, Step};
use crate::bounds::Blockers;
use crate::space::Move;
use crate::{Board, Dir, Metric, Slide};

/// One space for all boards: this module optimises for counters, not for speed.
type Homework = Slide<4, [u64; 8]>;
/// The observer of a job, here for the watcher that ignores everything: so the searches are compiled once for both.
type IdleRelay<'a> = Relay<'a, Homework>;

/// The search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Breadth-first search.
    Breadth,
    /// Depth-first search.
    Depth,
    /// Iterative deepening.
    Deepening,
    /// A*.
    Astar,
}

/// The estimate of A*; all are admissible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Estimate {
    /// The master's steps to the goal on an otherwise empty board, plus one for each brick that stands where it must pass.
    #[default]
    Blockers,
    /// The master's steps to the goal on an otherwise empty board.
    Way,
    /// 0.
    Blind,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The goal was reached.
    Solved,
    /// Every state was explored.
    NoSolution,
    /// A limit.
    Stopped(Limit),
}

/// The figures that the homework prints of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub ending: Ending,
    /// The plan, for replay on the given board.
    pub steps: Vec<Step>,
    /// The same plan with the numbers of the bricks in the normal form before each move.
    pub normal_steps: Vec<Step>,
    /// The board after the plan; the start if there is none.
    pub end: Grid,
    /// Nodes explored.
    pub nodes: u64,
    /// Iterative deepening: the nodes explored in each round.
    pub rounds: Vec<Round>,
    /// Time of the search.
    pub elapsed: Duration,
    /// The most bytes that the search took.
    pub bytes: usize,
}

/// Runs a search on a board.
pub fn search(
    bricks: &Bricks,
    which: Search,
    estimate: Estimate,
    budget: &Budget,
) -> Result<Report, Unsupported> {
    run(bricks, which, estimate, true, budget)
}

/// The same search without normal forms: bricks of one shape are distinct. It shows what normalising saves.
pub fn search_without_normalising(
    bricks: &Bricks,
    which: Search,
    estimate: Estimate,
    budget: &Budget,
) -> Result<Report, Unsupported> {
    run(bricks, which, estimate, false, budget)
}

fn run(
    bricks: &Bricks,
    which: Search,
    estimate: Estimate,
    merged: bool,
    budget: &Budget,
) -> Result<Report, Unsupported> {
    let refuse = || Unsupported::needs("hw1", "the board has more than 256 open cells");
    let board = Arc::new(Board::<4>::of(&bricks.layout).ok_or_else(refuse)?);
    let space = Homework::new(board.clone(), Arc::new(bricks.numbers.clone()), Metric::Steps, merged);
    let space = space.ok_or_else(refuse)?.by_place();
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let end = match which {
        Search::Breadth => graph(&space, Fifo::default(), &Blind, &mut meter, &mut stats),
        Search::Astar => {
            let bound = match estimate {
                Estimate::Blockers => Blockers::new(&board, Metric::Steps),
                Estimate::Way => Blockers::way_only(&board, Metric::Steps),
                Estimate::Blind => Blockers::blind(&board),
            };
            graph(&space, Buckets::default(), &bound, &mut meter, &mut stats)
        }
        Search::Depth => {
            let mut watcher = ();
            let mut parts = parts(&space, SlackTable::once(&space), &mut watcher);
            round(&mut parts, Cost::MAX - 1, &mut meter, &mut stats).map(Result::ok)
        }
        Search::Deepening => deepening(&space, &mut meter, &mut stats),
    };
    stats.close(&meter);
    Ok(report(bricks, end, &stats))
}

/// A plan, or `None` because everything was explored.
type End = Result<Option<Vec<Move>>, Limit>;

fn report(bricks: &Bricks, end: End, stats: &Stats) -> Report {
    let (ending, moves) = match end {
        Ok(Some(moves)) => (Ending::Solved, moves),
        Ok(None) => (Ending::NoSolution, Vec::new()),
        Err(limit) => (Ending::Stopped(limit), Vec::new()),
    };
    let steps: Vec<Step> = moves
        .iter()
        .map(|mv| Step { brick: bricks.numbers.0[mv.piece as usize], dir: Dir::number(mv.dir as usize) })
        .collect();
    let mut grid = bricks.grid();
    let mut normal_steps = Vec::with_capacity(steps.len());
    for step in &steps {
        let renumbering = grid.renumbering();
        let new = renumbering.iter().find(|(old, _)| *old == step.brick).map_or(MASTER, |n| n.1);
        normal_steps.push(Step { brick: new, dir: step.dir });
        if grid.apply(*step).is_err() {
            debug_assert!(false, "a move of a plan is not possible");
        }
    }
    Report {
        ending,
        steps,
        normal_steps,
        end: grid,
        nodes: stats.expanded + u64::from(ending == Ending::Solved),
        rounds: stats.rounds.clone(),
        elapsed: stats.elapsed,
        bytes: stats.bytes,
    }
}

/// Breadth-first search and A*, which differ in the frontier and the estimate.
fn graph<F: Frontier, H: Heuristic<Homework>>(
    space: &Homework,
    frontier: F,
    heuristic: &H,
    meter: &mut Meter,
    stats: &mut Stats,
) -> End {
    let mut watcher = ();
    let parts = graph::Parts {
        space,
        frontier,
        seen: Table::new(),
        heuristic,
        prune: (),
        observer: IdleRelay::new(space, &mut watcher),
        evaluator: Evaluator::SUM,
        policy: Policy { goal_test: GoalTest::WhenTaken, record_start: true, reopen: true },
    };
    let done = graph::search(parts, meter);
    stats.absorb(&done.stats);
    match done.end {
        graph::End::Goal(id, last, _) => Ok(Some(done.arena.plan(space, id, last).0)),
        graph::End::Empty => Ok(None),
        graph::End::Limit(limit) => Err(limit),
    }
}

type Parts<'a> = depth::Parts<'a, Homework, Blind, (), IdleRelay<'a>, SlackTable<Homework>, false>;

fn parts<'a>(space: &'a Homework, memory: SlackTable<Homework>, watcher: &'a mut ()) -> Parts<'a> {
    depth::Parts { space, heuristic: &Blind, prune: (), observer: IdleRelay::new(space, watcher), memory }
}

/// One depth-first search within a bound: the plan, or the next bound.
fn round(
    parts: &mut Parts<'_>,
    bound: Cost,
    meter: &mut Meter,
    stats: &mut Stats,
) -> Result<Result<Vec<Move>, Option<Cost>>, Limit> {
    match depth::search(parts, bound, meter, stats) {
        depth::End::Goal(moves, _) => Ok(Ok(moves)),
        depth::End::Over(next) => Ok(Err(next)),
        depth::End::Limit(limit) => Err(limit),
    }
}

fn deepening(space: &Homework, meter: &mut Meter, stats: &mut Stats) -> End {
    let mut watcher = ();
    let mut parts = parts(space, SlackTable::new(space), &mut watcher);
    let mut bound = 0;
    loop {
        let before = stats.expanded;
        let end = round(&mut parts, bound, meter, stats)?;
        let goal = u64::from(end.is_ok());
        let nodes = stats.expanded - before + goal;
        stats.rounds.push(Round { bound: u64::from(bound), expanded: nodes, ..Round::default() });
        match end {
            Ok(moves) => return Ok(Some(moves)),
            Err(None) => return Ok(None),
            Err(Some(next)) => bound = next,
        }
        parts.memory.clear();
    }
}
