//! One search, put together step by step and run by the name of a strategy.

use crate::budget::Budget;
use crate::heuristic::{Blind, Heuristic};
use crate::observer::Observer;
use crate::prune::Prune;
use crate::space::Space;
use crate::strategies::Settings;

/// A search of a space. Only the space is required; everything else has a default.
///
/// | part | default |
/// |---|---|
/// | [`heuristic`](Search::heuristic) | [`Blind`]: the estimate is always 0 |
/// | [`prune`](Search::prune) | `()`: no rule drops a successor |
/// | [`settings`](Search::settings) | [`Settings::default`] |
/// | [`budget`](Search::budget) | [`Budget::default`]: no limit |
/// | [`observer`](Search::observer) | `()`: nobody watches |
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

    /// Who is told what the search does. A `&mut` reference to an observer is an observer too.
    pub fn observer<W: Observer<S>>(self, observer: W) -> Search<'a, S, H, P, W> {
        let Self { space, heuristic, prune, settings, budget, .. } = self;
        Search { space, heuristic, prune, settings, budget, observer }
    }

    /// Width, weight, depth, seed, threads.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// What the search may use.
    pub fn budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }
}
