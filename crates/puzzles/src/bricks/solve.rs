//! Which solver does a job: the strongest one, the quick one, or a strategy of the engine by name.

use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Key, Outcome, Space};

use super::{Bricks, Numbers, metric};
use crate::Notation;
use crate::on_board;
use crate::puzzle::{Job, Watcher, by_name};
use crate::sliding::bounds::Blockers;
use crate::sliding::solve::shortest;
use crate::sliding::{AnyBoard, Board, Face, Metric, Slide};

/// Solves a board.
pub(super) fn solve(
    bricks: &Bricks,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let metric = metric(job.objective.as_deref())?;
    match job.strategy.as_deref() {
        None | Some("best") => best(bricks, metric, job, budget, watcher),
        Some("quick") => engine(bricks, "iw", metric, job, budget, watcher),
        Some(name) => engine(bricks, name, metric, job, budget, watcher),
    }
}

/// The shortest plan. A board that is too large for the strongest solver gets the engine's breadth-first search.
fn best(
    bricks: &Bricks,
    metric: Metric,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let found = {
        let threads = job.settings.threads;
        on_board!(&bricks.board, b => shortest(b, metric, threads, budget, &mut |stats| watcher.tick(stats)))
    };
    match found {
        Some(outcome) => Ok(outcome.map(|slid| bricks.numbers.show(slid.piece, &slid.way))),
        None => engine(bricks, "bfs", metric, job, budget, watcher),
    }
}

/// A strategy of the engine, on one of two spaces: each is compiled for every strategy, so there are no more than needed.
fn engine(
    bricks: &Bricks,
    name: &str,
    metric: Metric,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    if let AnyBoard::Small(b) = &bricks.board
        && Slide::<1, u128, _>::new(b.clone(), bricks.numbers.clone(), metric, true).is_some()
    {
        return run::<1, u128>(b, &bricks.numbers, name, metric, job, budget, watcher);
    }
    let wide = Board::<4>::of(&bricks.layout).map(Arc::new);
    match wide {
        Some(board) => run::<4, [u64; 8]>(&board, &bricks.numbers, name, metric, job, budget, watcher),
        None => Err(Unsupported::needs(name, "the board has more than 256 open cells")),
    }
}

fn run<const N: usize, K: Key>(
    board: &Arc<Board<N>>,
    numbers: &Numbers,
    name: &str,
    metric: Metric,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    // Bricks of one shape are merged, except where novelty asks which brick is where.
    let merged = !matches!(name, "iw" | "bfws");
    let Some(space) = Slide::<N, K, _>::new(board.clone(), numbers.clone(), metric, merged) else {
        return Err(Unsupported::needs(name, "the board has too many places for its bricks"));
    };
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
