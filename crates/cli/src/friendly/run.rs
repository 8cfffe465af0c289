//! One search and its check: what `solve`, `compare` and the tour have in common.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use beeline_puzzles::{Job, Kind, Puzzle};
use beeline_search::strategies::{Settings, TableCache, Unsupported};
use beeline_search::{Budget, Limit, Outcome, Stats, Verdict};

use super::args::{Limits, Search};
use super::certificate::Certified;
use super::interrupt::Searching;
use super::progress::Progress;
use super::report::Trouble;
use super::{Exit, Session, World, machine, names};

/// A search that is over.
pub(super) struct Run {
    /// The name of what ran.
    pub(super) strategy: String,
    /// The heuristic that was asked for.
    pub(super) heuristic: Option<String>,
    /// What was minimised.
    pub(super) objective: String,
    /// How it ended.
    pub(super) ending: Ending,
    /// What it took.
    pub(super) stats: Stats,
    /// The certificate, where one was asked for.
    pub(super) certificate: Option<Certified>,
}

/// How a search ended, after the check.
pub(super) enum Ending {
    /// A plan that passed the checker.
    Solved(Plan),
    /// There is no plan.
    Unsolvable,
    /// None was found.
    GaveUp,
    /// A limit.
    Stopped(Limit),
    /// A plan was found that the checker does not accept, and why. The plan itself is not kept: nobody is to see it.
    Rejected(String),
}

/// A plan that was checked.
pub(super) struct Plan {
    /// The steps.
    pub(super) steps: Vec<String>,
    /// What they cost.
    pub(super) cost: u64,
    /// No plan costs less than this.
    pub(super) lower_bound: u64,
}

/// What is proved about a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Promise {
    /// There is no cheaper one.
    Shortest,
    /// It costs at most this many times the cheapest.
    Within(f64),
    /// Nothing.
    Nothing,
}

impl Plan {
    pub(super) fn promise(&self) -> Promise {
        match self.lower_bound {
            bound if bound >= self.cost => Promise::Shortest,
            0 => Promise::Nothing,
            bound => Promise::Within(self.cost as f64 / bound as f64),
        }
    }
}

impl Promise {
    /// The promise in a sentence.
    pub(super) fn sentence(self, lower_bound: u64) -> String {
        match self {
            Self::Shortest => "proved shortest".to_owned(),
            Self::Within(times) => {
                format!("at most {times:.2} times the shortest (no plan costs less than {lower_bound})")
            }
            Self::Nothing => "nothing proved".to_owned(),
        }
    }

    /// The promise in a table.
    pub(super) fn cell(self) -> String {
        match self {
            Self::Shortest => "shortest".to_owned(),
            Self::Within(times) => format!("≤ {times:.2}×"),
            Self::Nothing => "–".to_owned(),
        }
    }

    /// The promise for programs.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Shortest => "optimal",
            Self::Within(_) => "bounded",
            Self::Nothing => "none",
        }
    }
}

impl Run {
    pub(super) fn exit(&self) -> Exit {
        self.ended().max(self.certificate.as_ref().map_or(Exit::Done, |there| there.exit))
    }

    /// The exit code of the search alone.
    fn ended(&self) -> Exit {
        match &self.ending {
            Ending::Solved(_) => self.stats.stopped.map_or(Exit::Done, Exit::from),
            Ending::Unsolvable => Exit::Unsolvable,
            Ending::GaveUp => Exit::GaveUp,
            Ending::Stopped(limit) => (*limit).into(),
            Ending::Rejected(_) => Exit::Rejected,
        }
    }

    /// Which limit ended the search, with or without a plan, or why the checker rejected the plan.
    pub(super) fn reason(&self) -> Option<String> {
        match &self.ending {
            Ending::Solved(_) => self.stats.stopped.map(|limit| limit.name().to_owned()),
            Ending::Stopped(limit) => Some(limit.name().to_owned()),
            Ending::Rejected(why) => Some(why.clone()),
            Ending::Unsolvable | Ending::GaveUp => None,
        }
    }
}

impl Ending {
    /// The ending for programs and tables.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Solved(_) => "solved",
            Self::Unsolvable => "unsolvable",
            Self::GaveUp => "gave up",
            Self::Stopped(_) => "stopped",
            Self::Rejected(_) => "rejected",
        }
    }

    /// The plan itself, if there is one.
    pub(super) fn into_plan(self) -> Option<Plan> {
        match self {
            Self::Solved(plan) => Some(plan),
            _ => None,
        }
    }

    /// The plan, if there is one.
    pub(super) fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Solved(plan) => Some(plan),
            _ => None,
        }
    }
}

/// The job that the command line describes, for this kind; names are looked up here, once.
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

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// How many threads were asked for: 0 means one for each core.
pub(super) fn threads(wanted: usize) -> usize {
    if wanted == 0 { cores() } else { wanted }
}

/// So many expansions a search makes alone before it asks for all cores: nearly every puzzle that is met in practice ends
/// before that, with the same plan and the same counters on every machine.
const ALONE: u64 = 1 << 18;

/// Searches with one thread, and if that turns out to be long, again from the start with all cores. The limits are for both runs
/// together; the figures are those of the run that gave the answer.
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
        // Solvers that improve their plan as long as they may have one when they are stopped.
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

/// The budget that the command line allows.
pub(super) fn budget(limits: &Limits, session: &Session<'_, '_>) -> Budget {
    Budget {
        nodes: limits.nodes,
        bytes: machine::memory_to_use(limits.memory),
        time: limits.time,
        cancel: session.cancel.clone(),
        checkpoint: None,
    }
}

/// Searches, shows progress, and checks what was found.
pub(super) fn run(
    puzzle: &dyn Puzzle,
    job: &Job,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Run, Trouble> {
    let outcome = {
        let _searching = Searching::begin(budget);
        let screen = session.io.screen;
        let progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
        let mut progress = progress.with_notes(screen.notes);
        puzzle.solve(job, budget, &mut progress)
    };
    judge(puzzle, job, outcome, session.world)
}

/// Checks what a search has found.
pub(super) fn judge(
    puzzle: &dyn Puzzle,
    job: &Job,
    outcome: Result<Outcome<String>, Unsupported>,
    world: World,
) -> Result<Run, Trouble> {
    let kind = puzzle.kind();
    let outcome = outcome.map_err(|error| unsupported(kind, &error))?;
    let objective = job.objective.as_deref();
    let ending = match outcome.verdict {
        Verdict::Solved(found) => match (world.check)(puzzle, objective, &found.moves) {
            Ok(checked) if checked.cost == found.cost => {
                let (cost, lower_bound) = (found.cost, found.lower_bound.min(found.cost));
                Ending::Solved(Plan { steps: found.moves, cost, lower_bound })
            }
            Ok(checked) => Ending::Rejected(format!(
                "the solver says that the plan costs {}, the checker counts {}",
                found.cost, checked.cost
            )),
            Err(flaw) => Ending::Rejected(flaw.to_string()),
        },
        Verdict::Exhausted => Ending::Unsolvable,
        Verdict::GaveUp => Ending::GaveUp,
        Verdict::Stopped(limit) => Ending::Stopped(limit),
    };
    Ok(Run {
        strategy: job.strategy.clone().unwrap_or_else(|| default_solver(kind).to_owned()),
        heuristic: job.heuristic.clone(),
        objective: job.objective.clone().unwrap_or_else(|| default_objective(kind).to_owned()),
        ending,
        stats: outcome.stats,
        certificate: None,
    })
}

/// What runs when nothing is asked for.
pub(super) fn default_solver(kind: &dyn Kind) -> &'static str {
    kind.solvers().first().map_or("best", |c| c.name)
}

/// What is minimised when nothing is asked for.
pub(super) fn default_objective(kind: &dyn Kind) -> &'static str {
    kind.objectives().first().map_or("cost", |c| c.name)
}

/// A job that cannot be done. The names were looked up before, so an unknown one here means that it exists elsewhere.
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
