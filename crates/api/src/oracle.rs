//! Exact distances: the cost of a shortest plan from a position, or the proof that there is none.
//!
//! There are two methods. If the start reaches few enough positions, the oracle lists all of them once and searches backwards
//! from the goals ([`Method::Table`]). Otherwise it solves each position to optimality ([`Method::Solves`]) and keeps the
//! results.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use beeline_puzzles::environment::PLANES;
use beeline_puzzles::{Distances, Environment, Job, Position, Puzzle};
use beeline_search::{Budget, Cost, DEAD, Limit, Unsupported};

use crate::answer::{Ending, Promise, checker};

/// The most positions of a table unless the caller asks for more. The 1,814,400 positions of the 2×5 tiles fit. Where a space
/// does not fit, the attempt takes a few seconds.
pub const MOST_POSITIONS: u64 = 2_000_000;
/// The most bytes of a table if there is no memory limit.
const MOST_BYTES: usize = 1 << 30;

/// How an oracle finds distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From a table of this many positions, which are all that the start reaches. Positions outside of it are solved.
    Table(usize),
    /// By a search for each position that proves its plan shortest.
    Solves,
}

/// Why there is no distance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoDistance {
    /// A limit ended the computation.
    #[error("stopped by the {} limit", .0.name())]
    Stopped(Limit),
    /// The plan that was found is not proved shortest, or no plan was found without a proof that there is none.
    #[error("the solver of this puzzle does not prove its plans shortest")]
    Unproved,
    /// The checker does not accept the plan.
    #[error("the checker rejects a plan: {0}")]
    Rejected(String),
    /// The solver does not support the job.
    #[error("{0}")]
    Unsupported(String),
}

impl From<Limit> for NoDistance {
    fn from(limit: Limit) -> Self {
        Self::Stopped(limit)
    }
}

impl From<Unsupported> for NoDistance {
    fn from(error: Unsupported) -> Self {
        Self::Unsupported(error.to_string())
    }
}

/// The exact distances of one puzzle's positions.
pub struct Oracle {
    environment: Arc<dyn Environment>,
    most_positions: u64,
    /// Set once: the table, or `None` if there is none.
    table: OnceLock<Option<Box<dyn Distances>>>,
    /// Held while a thread makes the table.
    making: Mutex<()>,
    /// The distances of solved positions, by board.
    solved: Mutex<HashMap<Vec<u8>, Cost>>,
}

impl Oracle {
    /// An oracle for the positions of an environment. Its table has at most `most_positions` positions.
    pub fn new(environment: Arc<dyn Environment>, most_positions: u64) -> Self {
        let (table, making, solved) = (OnceLock::new(), Mutex::default(), Mutex::default());
        Self { environment, most_positions, table, making, solved }
    }

    /// The environment of its positions.
    pub fn environment(&self) -> &Arc<dyn Environment> {
        &self.environment
    }

    /// The method; makes the table if it is not made yet.
    pub fn method(&self, budget: &Budget) -> Result<Method, NoDistance> {
        Ok(self.table(budget)?.map_or(Method::Solves, |table| Method::Table(table.len())))
    }

    /// The distance of one position; [`DEAD`] if it is proved unsolvable.
    pub fn distance(&self, position: &dyn Position, budget: &Budget) -> Result<Cost, NoDistance> {
        if let Some(known) = self.table(budget)?.and_then(|table| table.get(position)) {
            return Ok(known);
        }
        let board = self.board(position);
        let kept = lock(&self.solved).get(&board).copied();
        kept.map_or_else(|| self.solve_and_keep(position, board, budget), Ok)
    }

    /// The distances of many positions, in their order. Equal positions are solved once, on this many threads (0: all cores).
    pub fn distances(
        &self,
        positions: &[Box<dyn Position>],
        threads: usize,
        budget: &Budget,
    ) -> Result<Vec<Cost>, NoDistance> {
        let started = Instant::now();
        let table = self.table(budget)?;
        let budget = budget.after(started.elapsed(), 0);
        let found: Vec<OnceLock<Cost>> = positions.iter().map(|_| OnceLock::new()).collect();
        let look = |i: usize| {
            if let Some(known) = table.and_then(|table| table.get(&*positions[i])) {
                // No other thread writes this entry.
                let _ = found[i].set(known);
            }
            Ok(())
        };
        run_parallel(positions.len(), 1 << 12, threads, look)?;
        let mut first: HashMap<Vec<u8>, usize> = HashMap::new();
        let (mut todo, mut same) = (Vec::new(), Vec::new());
        for i in (0..positions.len()).filter(|&i| found[i].get().is_none()) {
            let number = todo.len();
            let at = *first.entry(self.board(&*positions[i])).or_insert(number);
            if at == number {
                todo.push(i);
            }
            same.push((i, at));
        }
        let started = Instant::now();
        run_parallel(todo.len(), 1, threads, |n| {
            let left = budget.after(started.elapsed(), 0);
            let cost = self.distance(&*positions[todo[n]], &left)?;
            let _ = found[todo[n]].set(cost);
            Ok(())
        })?;
        for (i, at) in same {
            if let Some(&cost) = found[todo[at]].get() {
                let _ = found[i].set(cost);
            }
        }
        Ok(found.into_iter().map(|cost| cost.into_inner().unwrap_or(DEAD)).collect())
    }

    fn table(&self, budget: &Budget) -> Result<Option<&dyn Distances>, NoDistance> {
        if self.table.get().is_none() {
            let _making = lock(&self.making);
            if self.table.get().is_none() {
                let bytes = Some(budget.bytes.map_or(MOST_BYTES, |bytes| bytes.min(MOST_BYTES)));
                let nodes = Some(self.most_positions);
                let table = match self.environment.distances(&Budget { bytes, nodes, ..budget.clone() }) {
                    None | Some(Err(Limit::Nodes | Limit::Memory)) => None,
                    Some(Err(limit)) => return Err(limit.into()),
                    Some(Ok(table)) => Some(table),
                };
                let _ = self.table.set(table);
            }
        }
        Ok(self.table.get().and_then(Option::as_deref))
    }

    fn board(&self, position: &dyn Position) -> Vec<u8> {
        let (rows, columns) = self.environment.shape();
        let mut board = vec![0; PLANES * rows * columns];
        position.write(&mut board);
        board
    }

    fn solve_and_keep(
        &self,
        position: &dyn Position,
        board: Vec<u8>,
        budget: &Budget,
    ) -> Result<Cost, NoDistance> {
        let cost = if position.solved() { 0 } else { solve(&*position.puzzle(), budget)? };
        lock(&self.solved).insert(board, cost);
        Ok(cost)
    }
}

/// The cost of a shortest plan, checked; [`DEAD`] if there is proof that none exists.
fn solve(puzzle: &dyn Puzzle, budget: &Budget) -> Result<Cost, NoDistance> {
    Ok(shortest(puzzle, budget)?.map_or(DEAD, |(cost, _)| cost))
}

/// A shortest plan, checked, with its cost; `None` if there is proof that none exists.
pub fn shortest(puzzle: &dyn Puzzle, budget: &Budget) -> Result<Option<(Cost, Vec<String>)>, NoDistance> {
    // Where the kind's own solver proves nothing (Numberlink), use a search of the engine.
    for strategy in [None, Some("astar".to_owned())] {
        let outcome = puzzle.solve(&Job { strategy, ..Job::default() }, budget, &mut ())?;
        let stopped = outcome.stats.stopped;
        match Ending::of(outcome.verdict, checker(puzzle, None)) {
            Ending::Unsolvable => return Ok(None),
            Ending::Stopped(limit) => return Err(limit.into()),
            Ending::Rejected(why) => return Err(NoDistance::Rejected(why)),
            Ending::Solved(plan) if plan.promise() == Promise::Shortest => {
                return Ok(Some((Cost::try_from(plan.cost).unwrap_or(DEAD - 1), plan.steps)));
            }
            Ending::Solved(_) | Ending::GaveUp => {
                if let Some(limit) = stopped {
                    return Err(limit.into());
                }
            }
        }
    }
    Err(NoDistance::Unproved)
}

/// Distributes `count` work items over several threads, `stretch` at a time. The first error ends the work.
fn run_parallel(
    count: usize,
    stretch: usize,
    threads: usize,
    work: impl Fn(usize) -> Result<(), NoDistance> + Sync,
) -> Result<(), NoDistance> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = if threads == 0 { cores() } else { threads };
    if threads == 1 || count <= stretch {
        return (0..count).try_for_each(work);
    }
    let (next, failed, error) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count.div_ceil(stretch)) {
            scope.spawn(|| {
                loop {
                    let from = next.fetch_add(stretch, Ordering::Relaxed);
                    if from >= count || failed.load(Ordering::Relaxed) {
                        return;
                    }
                    if let Err(why) = (from..count.min(from + stretch)).try_for_each(&work) {
                        failed.store(true, Ordering::Relaxed);
                        lock(&error).get_or_insert(why);
                    }
                }
            });
        }
    });
    error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Locks a mutex and ignores poisoning: no thread leaves a value half written under these locks.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
