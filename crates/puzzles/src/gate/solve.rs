//! Which solver does a job: the strongest one, the quick one, or a strategy of the engine by name.

use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Blind, Budget, Key, Outcome};

use super::{Digits, Gate, metric};
use crate::Notation;
use crate::puzzle::{Job, Watcher, by_name};
use crate::sliding::bounds::Blockers;
use crate::sliding::{AnyBoard, Board, Metric, Slide};

/// Solves a board.
pub(super) fn solve(
    gate: &Gate,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let metric = metric(job.objective.as_deref())?;
    match job.strategy.as_deref() {
        None | Some("best" | "quick") => engine(gate, "bfs", metric, job, budget, watcher),
        Some(name) => engine(gate, name, metric, job, budget, watcher),
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
    let outcome = match job.heuristic.as_deref() {
        None | Some("blockers") => watched(&space, &Blockers::new(board, metric), name, job, budget, watcher),
        Some("way") => watched(&space, &Blockers::way_only(board, metric), name, job, budget, watcher),
        Some("blind") => watched(&space, &Blind, name, job, budget, watcher),
        Some(other) => Err(Unsupported::Unknown { what: "heuristic", name: other.to_owned() }),
    }?;
    let mut state = beeline_search::Space::start(&space);
    Ok(outcome.map(|mv| {
        let shown = space.show(&state, mv);
        beeline_search::Space::apply(&space, &mut state, mv);
        shown
    }))
}

fn watched<const N: usize, K: Key, H: beeline_search::Heuristic<Slide<N, K, Digits>>>(
    space: &Slide<N, K, Digits>,
    heuristic: &H,
    name: &str,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<crate::sliding::Move>, Unsupported> {
    by_name(name, space, heuristic, (), job, budget, watcher)
}
