//! A search, configured step by step and run by the name of a strategy.

use crate::core::FILES;
use crate::core::budget::Budget;
use crate::core::heuristic::{Blind, Heuristic};
use crate::core::observer::Observer;
use crate::core::outcome::Outcome;
use crate::core::prune::Prune;
use crate::core::space::Space;
use crate::scale::{disk, parallel};
use crate::strategies::{self, RESUMABLE, Settings, Task, Unsupported, breadth_first};

/// A search of a space. Only the space is required; everything else has a default.
///
/// | part | default |
/// |---|---|
/// | [`heuristic`](Search::heuristic) | [`Blind`]: the estimate is always 0 |
/// | [`prune`](Search::prune) | `()`: no rule drops a successor |
/// | [`settings`](Search::settings) | [`Settings::default`] |
/// | [`budget`](Search::budget) | [`Budget::default`]: no limit |
/// | [`observer`](Search::observer) | `()`: ignores everything |
///
/// [`run`](Search::run) takes the name of a strategy, one of [`STRATEGIES`](crate::strategies::STRATEGIES).
///
/// ```
/// use beeline_search::example::{Knight, Leaps};
/// use beeline_search::{Budget, Search};
///
/// let space = Knight::across(8);
/// let budget = Budget { nodes: Some(1_000), ..Budget::default() };
/// let outcome = Search::new(&space).heuristic(Leaps).budget(budget).run("astar")?;
///
/// let plan = outcome.solution().expect("a knight reaches every square");
/// assert_eq!(plan.cost, 6);
/// assert!(plan.is_optimal());
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a search does nothing until it is run"]
pub struct Search<'a, S, H = Blind, P = (), O = ()> {
    pub(crate) space: &'a S,
    pub(crate) heuristic: H,
    pub(crate) prune: P,
    pub(crate) settings: Settings,
    pub(crate) budget: Budget,
    pub(crate) observer: O,
}

impl<'a, S: Space> Search<'a, S> {
    /// A search of this space, blind and without limits.
    pub fn new(space: &'a S) -> Self {
        Self {
            space,
            heuristic: Blind,
            prune: (),
            settings: Settings::default(),
            budget: Budget::default(),
            observer: (),
        }
    }
}

impl<'a, S: Space, H, P, O> Search<'a, S, H, P, O> {
    /// The estimate. A reference to a heuristic is a heuristic too.
    pub fn heuristic<G: Heuristic<S>>(self, heuristic: G) -> Search<'a, S, G, P, O> {
        let Self { space, prune, settings, budget, observer, .. } = self;
        Search { space, heuristic, prune, settings, budget, observer }
    }

    /// The rules that drop successors: one, or a pair of rules.
    pub fn prune<Q: Prune<S> + Clone + Send>(self, prune: Q) -> Search<'a, S, H, Q, O> {
        let Self { space, heuristic, settings, budget, observer, .. } = self;
        Search { space, heuristic, prune, settings, budget, observer }
    }

    /// Sets the observer. A `&mut` reference to an observer is an observer too.
    pub fn observer<W: Observer<S>>(self, observer: W) -> Search<'a, S, H, P, W> {
        let Self { space, heuristic, prune, settings, budget, .. } = self;
        Search { space, heuristic, prune, settings, budget, observer }
    }

    /// Sets width, weight, depth, seed and threads.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// What the search may use.
    pub fn budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }
}

impl<S, H, P, O> Search<'_, S, H, P, O>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S> + Clone + Send,
    O: Observer<S>,
{
    /// Runs the strategy of this name. The error names a requirement that is not met.
    pub fn run(self, name: &str) -> Result<Outcome<S::Move>, Unsupported> {
        self.check(name)?;
        let Self { space, heuristic, prune, settings, budget, observer } = self;
        let task =
            Task { space, heuristic: &heuristic, prune, settings: &settings, budget: &budget, observer };
        let outcome = if FILES && let Some(folder) = &settings.disk {
            disk::run(task.blind(), folder)?
        } else if let Some(cluster) = parallel::ranks_for(name, &task) {
            parallel::run(name, task, cluster)?
        } else {
            strategies::run(name, task)?
        };
        match budget.checkpoint.and_then(|checkpoint| checkpoint.refused()) {
            Some(damage) => Err(Unsupported::Saved(damage)),
            None => Ok(outcome),
        }
    }

    /// Does the strategy support the settings?
    fn check(&self, name: &str) -> Result<(), Unsupported> {
        let Self { settings, budget, .. } = self;
        if settings.cluster.is_some() && !parallel::STRATEGIES.contains(&name) {
            return Err(Unsupported::needs(name, "only bfs, ucs and astar can be searched by several ranks"));
        }
        if settings.disk.is_some() && name != breadth_first::ABOUT.name {
            return Err(Unsupported::needs(name, "only bfs can keep its states on disk"));
        }
        if !FILES && (settings.disk.is_some() || budget.checkpoint.is_some()) {
            return Err(Unsupported::needs(name, "this build has no files to keep states or checkpoints in"));
        }
        let Some(checkpoint) = &budget.checkpoint else { return Ok(()) };
        if !RESUMABLE.contains(&name) {
            let why = format!("it cannot be stopped and go on; {} can", RESUMABLE.join(", "));
            return Err(Unsupported::needs(name, why));
        }
        checkpoint.begin(name).map_err(Unsupported::Saved)
    }
}
