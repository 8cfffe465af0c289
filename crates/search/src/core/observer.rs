//! Observers of a search.
//!
//! An observer sees what happens and can change nothing. All its methods are empty by default and compile to nothing. Progress
//! lines, traces for a page and recorders are observers.

use crate::core::outcome::Stats;
use crate::core::space::{Cost, Space};

/// A node as an observer sees it.
///
/// ```
/// use beeline_search::Observer;
/// use beeline_search::example::Knight;
/// use beeline_search::observer::NodeView;
///
/// struct Trace;
///
/// impl Observer<Knight> for Trace {
///     fn expanded(&mut self, node: &NodeView<'_, Knight>) {
///         println!("{:?}: {} leaps so far, at least {} to go", node.state, node.cost, node.estimate);
///     }
/// }
/// ```
#[derive(Debug)]
pub struct NodeView<'a, S: Space> {
    /// The state.
    pub state: &'a S::State,
    /// Path cost from the start.
    pub cost: Cost,
    /// The heuristic's value there (0 for blind strategies).
    pub estimate: Cost,
}

/// The events of a running search. No method may block for long.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::observer::NodeView;
/// use beeline_search::{Observer, Search};
///
/// #[derive(Default)]
/// struct Count(u64);
///
/// impl Observer<Knight> for Count {
///     fn expanded(&mut self, _: &NodeView<'_, Knight>) {
///         self.0 += 1;
///     }
/// }
///
/// let mut count = Count::default();
/// let outcome = Search::new(&Knight::across(8)).observer(&mut count).run("bfs")?;
/// assert_eq!(count.0, outcome.stats.expanded);
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
pub trait Observer<S: Space> {
    /// Does it need single states? Then a search reports them one by one; otherwise it may work in batches. Called once, before
    /// the search.
    #[inline(always)]
    fn watches_states(&self) -> bool {
        true
    }

    /// The search is about to enumerate a state's moves.
    #[inline(always)]
    fn expanded(&mut self, node: &NodeView<'_, S>) {
        let _ = node;
    }
    /// A successor was kept: it is new, or reached more cheaply than before.
    #[inline(always)]
    fn generated(&mut self, parent: &NodeView<'_, S>, mv: S::Move) {
        let _ = (parent, mv);
    }
    /// A successor was dropped because its state is already known.
    #[inline(always)]
    fn duplicate(&mut self, parent: &NodeView<'_, S>, mv: S::Move) {
        let _ = (parent, mv);
    }
    /// A successor was dropped by a rule.
    #[inline(always)]
    fn pruned(&mut self, parent: &NodeView<'_, S>, mv: S::Move, rule: &'static str) {
        let _ = (parent, mv, rule);
    }
    /// A round of an iterated strategy begins: its bound or width.
    #[inline(always)]
    fn round(&mut self, bound: u64) {
        let _ = bound;
    }
    /// A plan was found.
    #[inline(always)]
    fn found(&mut self, cost: u64) {
        let _ = cost;
    }
    /// The meter looked at the clock (every few milliseconds): the figures so far.
    #[inline(always)]
    fn tick(&mut self, stats: &Stats) {
        let _ = stats;
    }
}

/// The observer that ignores everything.
impl<S: Space> Observer<S> for () {
    #[inline(always)]
    fn watches_states(&self) -> bool {
        false
    }
}

impl<S: Space, O: Observer<S>> Observer<S> for &mut O {
    #[inline(always)]
    fn watches_states(&self) -> bool {
        (**self).watches_states()
    }

    #[inline(always)]
    fn expanded(&mut self, node: &NodeView<'_, S>) {
        (**self).expanded(node);
    }
    #[inline(always)]
    fn generated(&mut self, parent: &NodeView<'_, S>, mv: S::Move) {
        (**self).generated(parent, mv);
    }
    #[inline(always)]
    fn duplicate(&mut self, parent: &NodeView<'_, S>, mv: S::Move) {
        (**self).duplicate(parent, mv);
    }
    #[inline(always)]
    fn pruned(&mut self, parent: &NodeView<'_, S>, mv: S::Move, rule: &'static str) {
        (**self).pruned(parent, mv, rule);
    }
    #[inline(always)]
    fn round(&mut self, bound: u64) {
        (**self).round(bound);
    }
    #[inline(always)]
    fn found(&mut self, cost: u64) {
        (**self).found(cost);
    }
    #[inline(always)]
    fn tick(&mut self, stats: &Stats) {
        (**self).tick(stats);
    }
}
