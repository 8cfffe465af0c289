//! Selects the solver of a job: the strongest one, the quick one, or a strategy of the engine by name. Shared by both puzzles.

use std::sync::Arc;

use beeline_puzzle::{Choice, Job, Watcher};
use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Key, Meter, Outcome, Solution, Space, Verdict};

use crate::bounds::Blockers;
use crate::solve::{Slid, shortest};
use crate::{AnyBoard, Board, Face, Layout, Metric, Slide, on_board};

/// The objectives.
pub(crate) const OBJECTIVES: &[Choice] = &[
    Choice { name: "steps", about: "one piece, one cell = 1" },
    Choice { name: "moves", about: "one piece, any path = 1" },
    Choice { name: "lines", about: "one piece, any distance in one direction = 1" },
];

/// The solvers beside the engine's strategies.
pub(crate) const SOLVERS: &[Choice] = &[
    Choice { name: "best", about: "the shortest plan: breadth-first over boards with equal shapes merged" },
    Choice { name: "quick", about: "some plan soon: Iterated Width in dense bit tables" },
];

/// The metric of an objective.
pub(crate) fn metric(objective: Option<&str>) -> Result<Metric, Unsupported> {
    match objective {
        None | Some("steps") => Ok(Metric::Steps),
        Some("moves") => Ok(Metric::Moves),
        Some("lines") => Ok(Metric::Lines),
        Some(name) => Err(Unsupported::Unknown { what: "objective", name: name.to_owned() }),
    }
}

/// Solves a board.
pub(crate) fn solve(
    layout: &Layout,
    board: &AnyBoard,
    face: Arc<dyn Face>,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let metric = metric(job.objective.as_deref())?;
    let name = match job.strategy.as_deref() {
        None | Some("best") => {
            let threads = job.settings.threads;
            let found =
                on_board!(board, b => shortest(b, metric, threads, budget, &mut |stats| watcher.tick(stats)));
            if let Some(outcome) = found {
                return Ok(outcome.map(|slid| face.show(slid.piece, &slid.way)));
            }
            // The board is too large for the strongest solver.
            "bfs"
        }
        Some("quick") => "iw",
        Some(name) => name,
    };
    Engine { face, name, metric, job }.solve(layout, board, budget, watcher)
}

/// An engine strategy and its job.
struct Engine<'a> {
    face: Arc<dyn Face>,
    name: &'a str,
    metric: Metric,
    job: &'a Job,
}

impl Engine<'_> {
    /// Every space is compiled for every strategy, so there are only three: small boards (most are), those that fit into four
    /// words, and the rest.
    fn solve(
        &self,
        layout: &Layout,
        board: &AnyBoard,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        if let AnyBoard::Small(small) = board
            && let Some(space) = self.space::<1, u128>(small.clone())
        {
            return self.run(&space, small, budget, watcher);
        }
        match board {
            AnyBoard::Huge(huge) => self.wide(Some(huge.clone()), budget, watcher),
            AnyBoard::Large(large) => self.wide(Some(large.clone()), budget, watcher),
            AnyBoard::Small(_) => self.wide(Board::<4>::of(layout).map(Arc::new), budget, watcher),
        }
    }

    fn wide<const N: usize>(
        &self,
        board: Option<Arc<Board<N>>>,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        let space = board.as_ref().and_then(|b| self.space::<N, [u64; 8]>(b.clone()));
        match (board, space) {
            (Some(board), Some(space)) => self.run(&space, &board, budget, watcher),
            _ => Err(Unsupported::needs(self.name, "the board has too many places for its pieces")),
        }
    }

    /// Merges pieces of one shape, except for novelty, which distinguishes them.
    fn space<const N: usize, K: Key>(&self, board: Arc<Board<N>>) -> Option<Slide<N, K>> {
        let merged = !matches!(self.name, "iw" | "bfws");
        Slide::new(board, self.face.clone(), self.metric, merged)
    }

    fn run<const N: usize, K: Key>(
        &self,
        space: &Slide<N, K>,
        board: &Board<N>,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        let mut meter = Meter::new(budget);
        // One type for all three, so that the strategies are compiled once.
        let bound = match self.job.heuristic.as_deref() {
            None | Some("blockers") => Blockers::within(board, self.metric, &mut meter),
            Some("way") => Ok(Blockers::way_only(board, self.metric)),
            Some("blind") => Ok(Blockers::blind(board)),
            Some(other) => return Err(Unsupported::Unknown { what: "heuristic", name: other.to_owned() }),
        };
        let bound = match bound {
            Ok(bound) => bound,
            Err(limit) => return Ok(Outcome::stopped(limit, &meter)),
        };
        // The board's tables were built when it was read; the largest ones take 20 MB.
        let (rest, set_up) = (meter.rest(budget), meter.elapsed());
        let rest = Budget { bytes: rest.bytes.map(|bytes| bytes.saturating_sub(board.bytes())), ..rest };
        let outcome = self.job.search(space, &rest, watcher).heuristic(bound).run(self.name)?;
        let outcome = outcome.after(set_up, meter.ledger.used());
        let mut state = space.start();
        let outcome = outcome.map(|mv| {
            let slid = Slid { piece: mv.piece as usize, way: space.way(&state, mv) };
            space.apply(&mut state, mv);
            slid
        });
        Ok(joined(outcome, self.metric).map(|slid| self.face.show(slid.piece, &slid.way)))
    }
}

/// The plan as the objective counts it. A strategy that is not optimal may move one piece twice in a row. If the metric makes
/// that one move, it is written and counted as one.
fn joined(outcome: Outcome<Slid>, metric: Metric) -> Outcome<Slid> {
    let Outcome { verdict, stats } = outcome;
    let Verdict::Solved(Solution { moves, cost, lower_bound }) = verdict else {
        return Outcome { verdict, stats };
    };
    let before = moves.len();
    let mut plan: Vec<Slid> = Vec::with_capacity(before);
    for slid in moves {
        let goes_on = |last: &Slid| match metric {
            Metric::Steps => false,
            Metric::Lines => last.way.last() == slid.way.first(),
            Metric::Moves => true,
        };
        match plan.last_mut().filter(|last| last.piece == slid.piece && goes_on(last)) {
            Some(last) => last.way.extend(slid.way),
            None => plan.push(slid),
        }
    }
    let cost = cost - (before - plan.len()) as u64;
    Outcome { verdict: Verdict::Solved(Solution { moves: plan, cost, lower_bound }), stats }
}
