//! Every solver of every kind by several threads, stopped by each limit at many moments, while more threads are busy than
//! there are cores. A run that does not end fails the test; it does not hang it.
//!
//! The cases come from the lists of kinds and strategies, so a new solver is among them without a change here.

#![allow(clippy::unwrap_used)]

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use beeline_puzzles::tiles::count::{self, layers};
use beeline_puzzles::tiles::pattern::Patterns;
use beeline_puzzles::tiles::pattern::database::TableError;
use beeline_puzzles::tiles::pattern::tables::tables;
use beeline_puzzles::tiles::{Step, move_fsm::MoveFsm, word};
use beeline_puzzles::{Job, KINDS, Kind, Puzzle, Watcher};
use beeline_search::strategies::{STRATEGIES, Settings};
use beeline_search::{Budget, Cancel, Limit, Random, Stats, Verdict};

/// A run that takes longer hangs: every run has a limit of time beside its own, a thousandth of this.
const HANGS: Duration = Duration::from_secs(60);
const AT_MOST: Duration = Duration::from_millis(60);
/// The last is more than are of use.
const THREADS: [usize; 5] = [2, 3, 4, 8, 1000];

/// What ends a run.
#[derive(Clone, Copy, Debug)]
enum End {
    Nodes(u64),
    Bytes(usize),
    Time(Duration),
    /// A cancel when the search has shown its figures so often: at its looks at the limits, between rounds.
    AtTick(u32),
    /// A cancel from another thread.
    After(Duration),
}

impl End {
    fn limit(self) -> Limit {
        match self {
            Self::Nodes(_) => Limit::Nodes,
            Self::Bytes(_) => Limit::Memory,
            Self::Time(_) => Limit::Time,
            Self::AtTick(_) | Self::After(_) => Limit::Cancelled,
        }
    }

    fn budget(self) -> Budget {
        let budget = Budget { time: Some(AT_MOST), ..Budget::default() };
        match self {
            Self::Nodes(nodes) => Budget { nodes: Some(nodes), ..budget },
            Self::Bytes(bytes) => Budget { bytes: Some(bytes), ..budget },
            Self::Time(time) => Budget { time: Some(time), ..budget },
            Self::AtTick(_) => budget,
            Self::After(time) => {
                let cancel = budget.cancel.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(time);
                    cancel.cancel();
                });
                budget
            }
        }
    }

    fn random(random: &mut Random) -> Self {
        // Small and large numbers are equally frequent: a search has as many rounds while it is small.
        let mut number = |bits| (1u64 << random.below(bits)) - 1 + random.below(3) as u64;
        let (nodes, bytes, micros, ticks) = (number(15), number(24), number(15), number(5));
        match random.below(5) {
            0 => Self::Nodes(nodes),
            1 => Self::Bytes(bytes as usize),
            2 => Self::Time(Duration::from_micros(micros)),
            3 => Self::AtTick(ticks as u32),
            _ => Self::After(Duration::from_micros(micros)),
        }
    }
}

/// Cancels at the given tick.
struct Canceller {
    left: Option<u32>,
    cancel: Cancel,
}

impl Watcher for Canceller {
    fn tick(&mut self, _: &Stats) {
        self.left = self.left.and_then(|left| left.checked_sub(1));
        if self.left == Some(0) {
            self.cancel.cancel();
        }
    }
}

/// A solver with a goal: the strategy, and what it minimises.
#[derive(Clone)]
struct Solver {
    kind: &'static dyn Kind,
    strategy: &'static str,
    objective: &'static str,
}

fn solvers() -> Vec<Solver> {
    let mut all = Vec::new();
    for &kind in KINDS {
        let own = kind.solvers().iter().map(|solver| solver.name);
        for strategy in own.chain(STRATEGIES.iter().map(|strategy| strategy.name)) {
            for objective in kind.objectives() {
                all.push(Solver { kind, strategy, objective: objective.name });
            }
        }
    }
    all
}

impl Solver {
    fn run(&self, puzzle: &dyn Puzzle, threads: usize, end: End) {
        let budget = end.budget();
        let job = Job {
            strategy: Some(self.strategy.to_owned()),
            objective: Some(self.objective.to_owned()),
            // Greater widths make tables before they look at a limit.
            settings: Settings { threads, width: Some(1), depth: Some(20), ..Settings::default() },
            ..Job::default()
        };
        let left = if let End::AtTick(tick) = end { Some(tick + 1) } else { None };
        let mut watcher = Canceller { left, cancel: budget.cancel.clone() };
        // What cannot be done is refused at once.
        let Ok(outcome) = puzzle.solve(&job, &budget, &mut watcher) else { return };
        if let Verdict::Stopped(limit) = outcome.verdict {
            assert!(limit == end.limit() || limit == Limit::Time, "stopped by {limit:?}");
        }
        let expanded = outcome.stats.expanded;
        assert!(budget.nodes.is_none_or(|nodes| expanded <= nodes), "{expanded} expanded");
    }
}

/// Keeps more threads busy than there are cores while `body` runs. One test at a time: it is load enough.
fn under_load<T>(body: impl FnOnce() -> T) -> T {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..=cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        over.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Runs the cases one after the other in a thread of their own; none may take longer than [`HANGS`].
fn all_end(cases: impl IntoIterator<Item = (String, Box<dyn FnOnce() + Send>)> + Send + 'static) {
    let (send, receive) = channel();
    let running = std::thread::spawn(move || {
        for (name, case) in cases {
            send.send(name).unwrap();
            case();
        }
    });
    let mut last = String::new();
    loop {
        match receive.recv_timeout(HANGS) {
            Ok(name) => last = name,
            Err(RecvTimeoutError::Timeout) => panic!("hangs: {last}"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if let Err(panic) = running.join() {
        eprintln!("in: {last}");
        resume_unwind(panic);
    }
}

/// The examples of a kind.
fn puzzles(kind: &dyn Kind) -> Vec<(&'static str, Arc<dyn Puzzle>)> {
    let parsed = |text| kind.parse(text).unwrap().into_iter().next().unwrap();
    kind.examples().iter().map(|example| (example.name, Arc::from(parsed(example.text)))).collect()
}

/// So many runs of each of these solvers, with threads, limits and examples drawn from a seed.
fn stopped_at_random(solvers: Vec<Solver>, runs: usize, seed: u64) {
    let mut random = Random::new(seed);
    let cases = solvers.into_iter().flat_map(move |solver| {
        let puzzles = puzzles(solver.kind);
        let cases: Vec<(String, Box<dyn FnOnce() + Send>)> = (0..runs)
            .map(|_| {
                let (example, puzzle) = puzzles[random.below(puzzles.len())].clone();
                let (threads, end) = (THREADS[random.below(THREADS.len())], End::random(&mut random));
                let name = format!(
                    "{example} --with {} --objective {} --threads {threads}, {end:?}",
                    solver.strategy, solver.objective
                );
                let solver = solver.clone();
                (name, Box::new(move || solver.run(&*puzzle, threads, end)) as Box<_>)
            })
            .collect();
        cases
    });
    under_load(|| all_end(cases));
}

#[test]
fn every_solver_ends_at_every_limit() {
    stopped_at_random(solvers(), 1, 29);
}

#[test]
#[ignore = "long: cargo xtask prove (200 runs of each solver)"]
fn every_solver_ends_at_every_limit_many_times() {
    stopped_at_random(solvers(), 200, 2029);
}

/// The limits that stop a search in each of its first rounds, and in later ones.
fn at_every_round(first: u32) -> Vec<End> {
    let nodes = (0..u64::from(first)).chain((4..15).map(|bits| 1 << bits));
    nodes.map(End::Nodes).chain((0..first).map(End::AtTick)).collect()
}

/// The kinds' own solvers are those with the most intricate threads.
fn own_solvers_at_every_round(first: u32, threads: &[usize]) {
    let own = solvers().into_iter().filter(|s| s.kind.solvers().iter().any(|own| own.name == s.strategy));
    let threads = threads.to_vec();
    let cases = own.flat_map(move |solver| {
        let (example, puzzle) = puzzles(solver.kind).pop().unwrap();
        let threads = threads.clone();
        let cases = at_every_round(first).into_iter().flat_map(move |end| {
            let (solver, puzzle) = (solver.clone(), puzzle.clone());
            threads.clone().into_iter().map(move |threads| {
                let (solver, puzzle) = (solver.clone(), puzzle.clone());
                let name =
                    format!("{example} {} {} by {threads}, {end:?}", solver.strategy, solver.objective);
                (name, Box::new(move || solver.run(&*puzzle, threads, end)) as Box<dyn FnOnce() + Send>)
            })
        });
        cases.collect::<Vec<_>>()
    });
    let cases: Vec<_> = cases.collect();
    under_load(|| all_end(cases));
}

#[test]
fn own_solvers_end_in_every_round() {
    own_solvers_at_every_round(5, &[2]);
}

#[test]
#[ignore = "long: cargo xtask prove (50 rounds of each solver, five times, at every width)"]
fn own_solvers_end_in_every_round_by_more_threads() {
    for _ in 0..5 {
        own_solvers_at_every_round(50, &THREADS);
    }
}

/// Building tables, searching with them, and counting: what has threads and is not asked for by the name of a solver.
fn tables_end(runs: u64) {
    let cells = [8, 6, 7, 2, 5, 4, 3, 0, 1];
    let round = [Step::Right, Step::Down, Step::Right, Step::Down, Step::Left, Step::Up];
    let walk = round.iter().cycle().take(24);
    let board = walk.fold(word::GOAL, |at, &step| word::slide(at, step).map_or(at, |(next, _)| next));
    let (counted, _) = count::plain::search(board, count::Order::Classic, &Budget::default());
    let plan = counted.plan.unwrap();
    let set = tables("4-4", 3, 3).unwrap();
    let databases = set.get(None, 2, &Budget::default(), &mut |_| {}, &mut |_| {}).unwrap();
    let machine = MoveFsm::new(3, 3, 4, Step::ALL);
    let patterns = Arc::new(Patterns::new(&databases, &Budget::default(), machine, Step::ALL).unwrap());
    let cases = (0..runs).map(move |seed| {
        let mut random = Random::new(seed);
        let (threads, end) = (THREADS[random.below(THREADS.len())], End::random(&mut random));
        let (patterns, plan) = (patterns.clone(), plan.clone());
        let case = move || {
            let fits = |limit: Limit| assert!(limit == end.limit() || limit == Limit::Time, "{limit:?}");
            match set.get(None, threads, &end.budget(), &mut |_| {}, &mut |_| {}) {
                Ok(_) => {}
                Err(TableError::Stopped(limit)) => fits(limit),
                Err(other) => panic!("{other}"),
            }
            let budget = end.budget();
            let (found, limit) = patterns.search(&cells, 0, threads, &budget);
            assert!(budget.nodes.is_none_or(|nodes| found.expanded <= nodes), "{}", found.expanded);
            limit.into_iter().for_each(fits);
            let counted = layers::count(board, &plan, count::Order::Classic, threads, &end.budget());
            counted.err().into_iter().for_each(fits);
        };
        (format!("tables by {threads}, {end:?}"), Box::new(case) as Box<dyn FnOnce() + Send>)
    });
    under_load(|| all_end(cases));
}

#[test]
fn tables_end_at_every_limit() {
    tables_end(20);
}

#[test]
#[ignore = "long: cargo xtask prove (5,000 searches with tables)"]
fn tables_end_at_every_limit_many_times() {
    tables_end(5000);
}
