//! Which solver does a job: the strongest one, the quick one, or a strategy of the engine by name.

use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Key, Outcome, Space};

use super::{Digits, Gate, metric};
use crate::Notation;
use crate::on_board;
use crate::puzzle::{Job, Watcher, by_name};
use crate::sliding::bounds::Blockers;
use crate::sliding::solve::shortest;
use crate::sliding::{AnyBoard, Board, Face, Metric, Slide};

/// Solves a board.
pub(super) fn solve(
    gate: &Gate,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let metric = metric(job.objective.as_deref())?;
    match job.strategy.as_deref() {
        None | Some("best") => best(gate, metric, job, budget, watcher),
        Some("quick") => engine(gate, "iw", metric, job, budget, watcher),
        Some(name) => engine(gate, name, metric, job, budget, watcher),
    }
}

/// The shortest plan. A board that is too large for the strongest solver gets the engine's breadth-first search.
fn best(
    gate: &Gate,
    metric: Metric,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let found = on_board!(&gate.board, b => shortest(b, metric, budget, &mut |stats| watcher.tick(stats)));
    match found {
        Some(outcome) => Ok(outcome.map(|slid| gate.digits.show(slid.piece, &slid.way))),
        None => engine(gate, "bfs", metric, job, budget, watcher),
    }
}

/// A strategy of the engine. Pieces of one shape are merged, except where novelty asks which piece is where.
fn engine(
    gate: &Gate,
    name: &str,
    metric: Metric,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    match &gate.board {
        AnyBoard::Small(b) => run::<1, u64>(b, &gate.digits, name, metric, job, budget, watcher),
        AnyBoard::Medium(b) => run::<2, u128>(b, &gate.digits, name, metric, job, budget, watcher),
        AnyBoard::Large(b) => run::<4, u128>(b, &gate.digits, name, metric, job, budget, watcher),
        AnyBoard::Huge(b) => run::<64, u128>(b, &gate.digits, name, metric, job, budget, watcher),
    }
}

fn run<const N: usize, K: Key>(
    board: &Arc<Board<N>>,
    digits: &Digits,
    name: &str,
    metric: Metric,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let merged = !matches!(name, "iw" | "bfws");
    let Some(space) = Slide::<N, K, _>::new(board.clone(), digits.clone(), metric, merged) else {
        let why = "the board has too many places for its pieces".to_owned();
        return Err(Unsupported::Needs { strategy: name.to_owned(), why });
    };
    // One type for all three, so that the strategies are compiled once.
    let bound = match job.heuristic.as_deref() {
        None | Some("blockers") => Blockers::new(board, metric),
        Some("way") => Blockers::way_only(board, metric),
        Some("blind") => Blockers::blind(board),
        Some(other) => return Err(Unsupported::Unknown { what: "heuristic", name: other.to_owned() }),
    };
    let outcome = by_name(name, &space, &bound, (), job, budget, watcher)?;
    let mut state = space.start();
    Ok(outcome.map(|mv| {
        let shown = space.show(&state, mv);
        space.apply(&mut state, mv);
        shown
    }))
}
