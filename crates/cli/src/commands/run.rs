//! Runs a search and checks its result, for `solve`, `compare` and the tour.

use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub(super) use beeline_api::answer::{Ending, Plan, default_objective, default_solver};
use beeline_puzzles::{Job, Kind, Puzzle};
use beeline_search::strategies::{Settings, TableCache, Unsupported};
use beeline_search::{Budget, Limit, Outcome};

use super::args::{Limits, Search};
use super::interrupt::SearchGuard;
use super::{Exit, Session, World, machine, names};
use crate::report::Trouble;
use crate::report::answer::Run;
use crate::report::instance::Instance;
use crate::report::progress::Progress;

/// The job of the command line for this kind. All names are looked up here, once.
pub(super) fn job(kind: &dyn Kind, with: Option<&str>, search: &Search) -> Result<Job, Trouble> {
    let threads = match search.threads {
        None => 1,
        Some(0) => cores(),
        Some(n) => n,
    };
    let settings = Settings {
        width: search.width.map(NonZeroUsize::get),
        weight: search.weight,
        depth: search.depth,
        seed: search.seed,
        threads,
        deterministic: search.deterministic,
        tables: if search.no_cache { TableCache::Ignore } else { TableCache::Keep },
        ..Settings::default()
    };
    let pick = |what, typed: &Option<String>, choices| {
        typed.as_ref().map(|typed| names::choice(kind, what, typed, choices)).transpose()
    };
    let rules = match search.rules.as_deref() {
        None => None,
        Some([none]) if none == "none" => Some(Vec::new()),
        Some(rules) => {
            let named = rules.iter().map(|rule| names::choice(kind, "rule", rule, kind.rules()));
            Some(named.collect::<Result<_, _>>()?)
        }
    };
    Ok(Job {
        strategy: with.map(|typed| names::strategy(kind, typed)).transpose()?,
        heuristic: pick("heuristic", &search.heuristic, kind.heuristics())?,
        objective: pick("objective", &search.objective, kind.objectives())?,
        rules,
        settings,
    })
}

/// The number of cores. The system reads several files of `/proc` for it, so the value is cached.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// The number of threads: 0 means one per core.
pub(super) fn threads(wanted: usize) -> usize {
    if wanted == 0 { cores() } else { wanted }
}

/// Expansions with one thread before a search restarts with all cores. Nearly every puzzle in practice ends before
/// that, with the same plan and the same counters on every machine.
const ALONE: u64 = 1 << 18;

/// Searches with one thread, and if that takes long, again from the start with all cores. The limits hold for both
/// runs together. The figures are those of the run that gave the answer.
pub(super) fn run_alone_first(
    puzzle: &dyn Puzzle,
    job: &Job,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Run, Trouble> {
    if cores() == 1 || budget.nodes.is_some_and(|nodes| nodes <= ALONE) {
        return run(puzzle, job, budget, session);
    }
    let begun = Instant::now();
    let first = run(puzzle, job, &Budget { nodes: Some(ALONE), ..budget.clone() }, session)?;
    let ended = match &first.ending {
        Ending::Stopped(limit) => *limit != Limit::Nodes,
        // Solvers that keep improving their plan may already have one when they are stopped.
        Ending::Solved(_) => first.stats.stopped != Some(Limit::Nodes),
        Ending::Unsolvable | Ending::GaveUp | Ending::Rejected(_) => true,
    };
    let alone = begun.elapsed();
    let time = budget.time.map(|time| time.saturating_sub(alone));
    if ended || time.is_some_and(|time| time == Duration::ZERO) {
        return Ok(first);
    }
    let mut together = job.clone();
    together.settings.threads = cores();
    let nodes = budget.nodes.map(|nodes| nodes.saturating_sub(first.stats.expanded));
    let mut second = run(puzzle, &together, &Budget { time, nodes, ..budget.clone() }, session)?;
    second.stats.elapsed += alone;
    Ok(second)
}

/// The budget of the command line. It queries the system's free memory, so a command creates it once and not for each
/// puzzle.
pub(super) fn budget(limits: &Limits, session: &Session<'_, '_>) -> Budget {
    Budget {
        nodes: limits.nodes,
        bytes: machine::memory_to_use(limits.memory),
        time: limits.time,
        cancel: session.cancel.clone(),
        checkpoint: None,
    }
}

/// Runs a search with a progress line, and checks the result.
pub(super) fn run(
    puzzle: &dyn Puzzle,
    job: &Job,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Run, Trouble> {
    let outcome = {
        let _searching = SearchGuard::begin(budget);
        let screen = session.io.screen;
        let progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
        let mut progress = progress.with_notes(screen.notes);
        puzzle.solve(job, budget, &mut progress)
    };
    judge(puzzle, job, outcome, session.world)
}

/// Checks the result of a search.
pub(super) fn judge(
    puzzle: &dyn Puzzle,
    job: &Job,
    outcome: Result<Outcome<String>, Unsupported>,
    world: World,
) -> Result<Run, Trouble> {
    let kind = puzzle.kind();
    let outcome = outcome.map_err(|error| unsupported(kind, &error))?;
    let objective = job.objective.as_deref();
    let ending = Ending::of(outcome.verdict, |steps| (world.check)(puzzle, objective, steps));
    Ok(Run {
        strategy: job.strategy.clone().unwrap_or_else(|| default_solver(kind).to_owned()),
        heuristic: job.heuristic.clone(),
        objective: job.objective.clone().unwrap_or_else(|| default_objective(kind).to_owned()),
        ending,
        stats: outcome.stats,
        certificate: None,
    })
}

/// The puzzle's description of a plan, in place of its length. A kind may search to find it.
pub(super) fn in_words(instance: &Instance, run: &Run, budget: &Budget) -> Option<String> {
    let plan = run.ending.plan()?;
    instance.puzzle.solved_in_words(&plan.steps, budget)
}

/// The error for an unsupported job. All names were looked up before, so an unknown name belongs to another kind.
fn unsupported(kind: &dyn Kind, error: &Unsupported) -> Trouble {
    let exit = match error {
        Unsupported::Disk(_) => Exit::Usage,
        Unsupported::Saved(_) => Exit::Input,
        _ => Exit::Unsupported,
    };
    let trouble = Trouble::new(exit, error.to_string());
    match error {
        Unsupported::Disk(_) | Unsupported::Saved(_) | Unsupported::Broken { .. } => trouble,
        Unsupported::Unknown { what, .. } => {
            trouble.help(format!("{} has no such {what} for this job", kind.name()))
        }
        Unsupported::Needs { .. } => {
            trouble.help(format!("'beeline explain {}' shows what there is", kind.name()))
        }
    }
}
