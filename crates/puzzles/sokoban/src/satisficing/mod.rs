//! Satisficing solver: finds some plan quickly. A portfolio of searches takes turns under one budget.
//!
//! | module | search |
//! |---|---|
//! | `greedy` | greedy best-first search over single pushes, from both ends |
//! | `features` | feature space search (FESS; Shoham and Schaeffer 2020) over macro moves |
//! | `open_ends` | opens the start and the goals first, and then solves the level between the two open positions |
//! | `macro_best_first` | opens an end: best-first search over macro moves, with limited discrepancies (Harvey and Ginsberg 1995) |
//!
//! The portfolio is a table of these with their settings. Turns grow, so no search starves, and their order
//! never depends on the clock. Every rule is sound, and every search but `open_ends` is complete: the first
//! that runs out of positions proves that there is no plan. The plan that is found is shortened with a
//! quarter of the expansions that finding it took.

mod advisors;
mod board_features;
pub(crate) mod context;
pub(crate) mod features;
mod greedy;
mod macro_best_first;
mod macro_plan;
mod open_ends;
mod packing;
mod packing_order;
pub(crate) mod portfolio;
mod push_state;
mod schedule;
mod tuning;
mod unpacking;
pub(crate) mod visited;

use beeline_search::{Budget, Cancel, Limit, Meter, Outcome, Random, Solution, Stats, Verdict};

use super::board::{Board, Dir};
use super::field::Field;
use super::improve::{Settings, improve};
use super::threads;
use crate::{Steps, WIDEST, state_bits};
use beeline_puzzle::puzzle::Watcher;
use context::{BoardAnalysis, Context, Status};
pub use portfolio::members;
use portfolio::{Portfolio, of_thread};
pub use tuning::Tuning;
use visited::Visited;

/// Random numbers that order equal moves. Seed 0 keeps the order of generation.
pub(crate) fn tie_breaker(seed: u64) -> Option<Random> {
    (seed != 0).then(|| Random::new(seed))
}

/// The result of a turn of a search.
pub(crate) enum Found {
    /// There is more to do.
    NotYet,
    /// The search space is exhausted without a plan.
    Nothing,
    /// A position was visited from both ends.
    Met,
}

/// Options of [`solve`].
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; 0 means one per core. They run the same members with other seeds, and the first to finish
    /// decides.
    pub threads: usize,
    /// Seeds tie-breaking and chooses the first attempts.
    pub seed: u64,
    /// Indices into [`members`] of the members that take part, in the order in which they start.
    pub members: Vec<usize>,
    /// The tuning constants.
    pub tuning: Tuning,
}

impl Default for Options {
    fn default() -> Self {
        let members = (0..members().count()).collect();
        Self { threads: 1, seed: 0, members, tuning: Tuning::default() }
    }
}

/// Finds some plan. With one thread, equal options and an equal budget of nodes always give the same result.
/// Threads share the limits on memory and expansions evenly.
pub fn solve(board: &Board, options: &Options, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
    let mut meter = Meter::new(budget);
    let field = match Field::within(board, false, &mut meter) {
        Ok(field) => field,
        Err(limit) => return Outcome::stopped(limit, &meter),
    };
    let budget = &meter.rest(budget);
    let threads = threads::useful(options.threads);
    let finished = Cancel::default();
    let work = |number: usize, budget: Budget, watcher: &mut dyn Watcher| {
        let cancel = if threads == 1 { budget.cancel.clone() } else { finished.clone() };
        let worker = Worker { number, options, caller_cancel: &budget.cancel, finished: &finished };
        let outcome = worker.solve(&field, &Budget { cancel, ..budget.clone() }, watcher);
        if !matches!(outcome.verdict, Verdict::Stopped(_)) {
            finished.cancel();
        }
        outcome
    };
    let mut outcomes = threads::run(threads, budget, watcher, &|| finished.cancel(), work);
    let decided = outcomes.iter().position(|o| !matches!(o.verdict, Verdict::Stopped(_)));
    let mut outcome = outcomes.swap_remove(decided.unwrap_or(0));
    for other in &outcomes {
        outcome.stats.absorb(&other.stats);
    }
    shorten(board, &mut outcome, &meter.rest(budget), watcher);
    outcome.stats.elapsed = meter.elapsed();
    outcome.stats.bytes += meter.ledger.used();
    outcome
}

/// Shortens the plan of an outcome with a quarter of the expansions that finding it took, within the rest of
/// the budget.
fn shorten(board: &Board, outcome: &mut Outcome<Dir>, left: &Budget, watcher: &mut dyn Watcher) {
    let Verdict::Solved(solution) = &mut outcome.verdict else { return };
    let nodes = Some(outcome.stats.expanded / 4);
    let left = Budget { nodes, ..left.clone() };
    solution.moves = improve(board, &solution.moves, &Settings::default(), &left, watcher).plan;
    solution.cost = solution.moves.len() as u64;
}

/// One thread of the solver.
struct Worker<'a> {
    number: usize,
    options: &'a Options,
    caller_cancel: &'a Cancel,
    finished: &'a Cancel,
}

impl Worker<'_> {
    fn solve(&self, field: &Field, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
        let mut meter = Meter::new(budget);
        let mut stats = Stats::default();
        let board = field.board();
        let found = match state_bits(board) {
            0..=256 => match Steps::<4>::new(board) {
                Some(space) => self.run(&space, field, &mut meter, &mut stats, watcher),
                None => Ok(None),
            },
            _ => self.run::<WIDEST>(&Steps::widest(board), field, &mut meter, &mut stats, watcher),
        };
        let verdict = match found {
            Ok(Some(moves)) => {
                let cost = moves.len() as u64;
                Verdict::Solved(Solution { moves, cost, lower_bound: 0 })
            }
            Ok(None) => Verdict::Exhausted,
            Err(limit) => Verdict::Stopped(limit),
        };
        stats.expanded = meter.expanded();
        stats.close(&meter);
        Outcome { verdict, stats }
    }

    fn run<const N: usize>(
        &self,
        space: &Steps<N>,
        field: &Field,
        meter: &mut Meter,
        stats: &mut Stats,
        watcher: &mut dyn Watcher,
    ) -> Result<Option<Vec<Dir>>, Limit> {
        meter.look()?;
        let board = field.board();
        if board.lost() > 0 || !board.boxes().iter().all(|&b| field.alive(b)) {
            return Ok(None);
        }
        if board.boxes().iter().all(|&b| board.is_goal(b)) {
            return Ok(Some(Vec::new()));
        }
        let members = of_thread(self.number, self.options);
        let mut visited = Visited::new(space, field, &mut meter.ledger)?;
        let mut context = Context {
            meter,
            stats,
            analysis: &mut BoardAnalysis::new(field, self.options.tuning),
            visited: &mut visited,
            status: &mut Status::default(),
            checkpoint: &mut |meter, stats, status| {
                if self.caller_cancel.is_cancelled() {
                    self.finished.cancel();
                    return Err(Limit::Cancelled);
                }
                stats.expanded = meter.expanded();
                stats.bytes = meter.ledger.used();
                watcher.status(&status.in_words(board));
                watcher.tick(stats);
                Ok(())
            },
            push_limit: None,
        };
        match (Portfolio { members: &members }).run(space, field, &mut context, None)? {
            Found::Met => Ok(visited.plan(field)),
            Found::Nothing | Found::NotYet => Ok(None),
        }
    }
}

#[cfg(all(test, feature = "model"))]
mod model;
#[cfg(test)]
mod tests;
