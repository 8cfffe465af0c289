//! The strategies, by name.
//!
//! Each strategy is a file here and a line in the list below. Dispatch by name happens once, in
//! [`Search::run`](crate::Search::run); inside, everything is monomorphic. A strategy composes one of the two loops ([`graph`],
//! [`depth`]) with its parts, and cites the pseudocode that it implements. It runs on one thread and in memory; `scale` has the
//! parallel and disk-based searches.

pub mod depth;
pub mod graph;
pub mod novelty;

use std::path::PathBuf;

use crate::core::budget::{Budget, Meter};
use crate::core::checkpoint::Damage;
use crate::core::heuristic::{Blind, Claim, Heuristic};
use crate::core::observer::Observer;
use crate::core::outcome::{Complete, Optimal, Outcome, Stats, Verdict};
use crate::core::prune::Prune;
use crate::core::ranks::Cluster;
use crate::core::space::Space;

/// Declares the modules, the table of descriptions and the dispatch by name in one list.
macro_rules! strategies {
    ($($name:literal => $knowledge:ident $module:ident),* $(,)?) => {
        $(pub mod $module;)*

        /// All strategies.
        pub static STRATEGIES: &[&Strategy] = &[$(&$module::ABOUT),*];

        /// Runs the strategy of this name on this thread.
        pub(crate) fn run<S, H, P, O>(name: &str, task: Task<'_, S, H, P, O>) -> Result<Outcome<S::Move>, Unsupported>
        where
            S: Space,
            H: Heuristic<S>,
            P: Prune<S> + Clone + Send,
            O: Observer<S>,
        {
            match name {
                $($name => $module::run(task.$knowledge()),)*
                _ => Err(Unsupported::Unknown { what: "strategy", name: name.to_owned() }),
            }
        }
    };
}

strategies! {
    "bfs" => blind breadth_first,
    "dfs" => blind depth_first,
    "dls" => blind depth_limited,
    "ids" => blind iterative_deepening,
    "ucs" => blind uniform_cost,
    "greedy" => informed greedy,
    "astar" => informed astar,
    "wastar" => informed weighted_astar,
    "idastar" => informed idastar,
    "iw" => blind iterated_width,
    "bfws" => informed bfws,
    "bidirectional" => blind bidirectional,
    "walk" => blind random_walk,
}

/// The strategies that can resume from a checkpoint.
pub const RESUMABLE: [&str; 10] =
    ["bfs", "dfs", "dls", "ids", "ucs", "greedy", "astar", "wastar", "idastar", "iw"];

/// Settings besides the budget. Each strategy uses those that concern it.
///
/// ```
/// use beeline_search::example::{Knight, Leaps};
/// use beeline_search::{Search, Settings};
///
/// let settings = Settings { weight: 3.0, ..Settings::default() };
/// let outcome = Search::new(&Knight::across(8)).heuristic(Leaps).settings(settings).run("wastar")?;
/// assert!(outcome.solution().is_some_and(|plan| plan.cost <= 3 * 6));
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Iterated Width: the only width to search with, instead of 1, 2, … in turn. Best-first width search: the greatest novelty
    /// that is computed (2 by default).
    pub width: Option<usize>,
    /// Weighted A*: how much the estimate counts, at least 1.
    pub weight: f64,
    /// Depth-limited search: the limit on path cost. Random walk: the number of moves.
    pub depth: Option<u64>,
    /// Random walk: the seed.
    pub seed: u64,
    /// How many threads may be used.
    pub threads: usize,
    /// Require the same plan and the same counters every time. Strategies of the engine that could use several threads use one.
    pub deterministic: bool,
    /// The ranks of a cluster that search together, instead of threads.
    pub cluster: Option<Cluster>,
    /// Breadth-first search: a folder that holds its layers instead of memory.
    pub disk: Option<PathBuf>,
    /// How a solver uses the folder of cached tables.
    pub tables: TableCache,
}

/// How a solver uses the user's cache folder for its tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableCache {
    /// Reads tables from the folder and writes new ones there. A process keeps the tables that it has used.
    #[default]
    Keep,
    /// Reads tables from the folder and writes nothing. A set of tables is freed with the last search that uses it.
    Read,
    /// Ignores the folder. A process keeps the tables that it has used.
    Ignore,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            width: None,
            weight: 2.0,
            depth: None,
            seed: 0,
            threads: 1,
            deterministic: false,
            cluster: None,
            disk: None,
            tables: TableCache::default(),
        }
    }
}

/// A job that cannot run, and why.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::{Search, Unsupported};
///
/// let error = Search::new(&Knight::across(8)).run("bsf").unwrap_err();
/// assert!(matches!(&error, Unsupported::Unknown { what: "strategy", .. }));
/// assert_eq!(error.to_string(), "there is no strategy called 'bsf'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// There is no strategy (or heuristic, objective, rule) of this name.
    #[error("there is no {what} called '{name}'")]
    Unknown {
        /// What the name should have been: "strategy".
        what: &'static str,
        /// The name that was given.
        name: String,
    },
    /// The strategy needs something that this space or this job does not provide.
    #[error("{strategy} cannot be used here: {why}")]
    Needs {
        /// Which strategy.
        strategy: String,
        /// What is missing.
        why: String,
    },
    /// The search began and then failed: a rank died, or a file cannot be written or does not fit.
    #[error("the search cannot go on: {why}")]
    Broken {
        /// What broke.
        why: String,
    },
    /// The disk is full, or a file on it is damaged.
    #[error("{0}")]
    Disk(String),
    /// The saved search cannot be resumed.
    #[error("the search cannot go on from its checkpoint: {0}")]
    Saved(Damage),
}

impl Unsupported {
    /// The error for a missing requirement.
    pub fn needs(strategy: &str, why: impl Into<String>) -> Self {
        Self::Needs { strategy: strategy.to_owned(), why: why.into() }
    }
}

/// The description of a strategy, as `beeline explain` prints it.
///
/// ```
/// use beeline_search::strategies::STRATEGIES;
///
/// for strategy in STRATEGIES {
///     println!("{:<14} {}", strategy.name, strategy.title);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// What it is, in a few sentences.
    pub about: &'static str,
    /// Is its plan the cheapest?
    pub optimal: Optimal,
    /// Does it find a plan whenever there is one?
    pub complete: Complete,
    /// Does it use a heuristic?
    pub informed: bool,
    /// The pseudocode that it implements, and its source.
    pub pseudocode: &'static str,
    /// Time and memory, in the usual letters (b branching, d depth of the plan, m deepest path, n states).
    pub cost: &'static str,
}

/// The strategy with this name.
///
/// ```
/// use beeline_search::strategies::strategy;
///
/// assert_eq!(strategy("astar").map(|s| s.title), Some("A*"));
/// assert!(strategy("dijkstra").is_none());
/// ```
pub fn strategy(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().copied().find(|s| s.name == name)
}

/// The arguments of a strategy.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::strategies::{Task, breadth_first};
/// use beeline_search::{Blind, Budget, Settings};
///
/// // What Search::run does for "bfs".
/// let outcome = breadth_first::run(Task {
///     space: &Knight::across(8),
///     heuristic: &Blind,
///     prune: (),
///     settings: &Settings::default(),
///     budget: &Budget::default(),
///     observer: (),
/// })?;
/// assert!(outcome.solution().is_some());
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
pub struct Task<'a, S: Space, H, P, O> {
    /// The space.
    pub space: &'a S,
    /// The estimate; blind strategies ignore it.
    pub heuristic: &'a H,
    /// The rules that drop successors.
    pub prune: P,
    /// The settings.
    pub settings: &'a Settings,
    /// The budget.
    pub budget: &'a Budget,
    /// The observer.
    pub observer: O,
}

impl<'a, S: Space, H, P, O> Task<'a, S, H, P, O> {
    /// Keeps the heuristic, for an informed strategy.
    pub(crate) fn informed(self) -> Self {
        self
    }

    /// Drops the heuristic, for a blind strategy: it is compiled only once for a space.
    pub(crate) fn blind(self) -> Task<'a, S, Blind, P, O> {
        let Self { space, prune, settings, budget, observer, .. } = self;
        Task { space, heuristic: &Blind, prune, settings, budget, observer }
    }
}

/// The outcome of a run, with the meter's figures.
pub(crate) fn outcome<M>(verdict: Verdict<M>, mut stats: Stats, meter: &Meter) -> Outcome<M> {
    stats.close(meter);
    Outcome { verdict, stats }
}

/// May a strategy that relies on the estimate claim that its plan is the cheapest?
pub(crate) fn trusts<S: Space, H: Heuristic<S>>(heuristic: &H) -> bool {
    heuristic.claim() >= Claim::Admissible
}
