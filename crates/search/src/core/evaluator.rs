//! The order in which a best-first search expands states.

use crate::core::budget::{Limit, Meter};
use crate::core::space::{Cost, Space};

/// The sort key of a frontier entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priority {
    /// Smaller goes first: path cost, estimate, or their sum.
    pub key: u64,
    /// Among equals, smaller goes first: usually the estimate.
    pub tie: Cost,
}

/// f = a g + b h, with the path cost g and the estimate h. The weights are data, so A*, weighted A* and greedy search share one
/// compiled loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The weight of the path cost.
    pub cost: u32,
    /// The weight of the estimate.
    pub estimate: u32,
    /// Among states with equal f, does one with a smaller estimate go first?
    pub break_ties: bool,
}

impl Weights {
    /// The priority of a state with this path cost and this estimate.
    #[inline]
    pub fn priority(self, cost: Cost, estimate: Cost) -> Priority {
        let key = u64::from(self.cost) * u64::from(cost) + u64::from(self.estimate) * u64::from(estimate);
        Priority { key, tie: if self.break_ties { estimate } else { 0 } }
    }
}

/// An evaluator of whole states that may remember earlier states, as novelty does.
pub trait Evaluate<S: Space> {
    /// The priority of a new state. Called once for each state, in the order in which states are stored.
    fn priority(
        &mut self,
        space: &S,
        state: &S::State,
        cost: Cost,
        estimate: Cost,
        meter: &mut Meter,
    ) -> Result<Priority, Limit>;
}

/// Gives a new state its priority.
pub enum Evaluator<'a, S: Space> {
    /// By path cost and estimate.
    Weighted(Weights),
    /// By the state. Such a search has no checkpoints: they do not save what the evaluator remembers.
    Own(&'a mut dyn Evaluate<S>),
}

impl<S: Space> Evaluator<'_, S> {
    /// All states are equal, so they come by arrival: the first of a queue, the last of buckets.
    pub const NONE: Self = Self::Weighted(Weights { cost: 0, estimate: 0, break_ties: false });
    /// f = g: uniform-cost search.
    pub const COST: Self = Self::Weighted(Weights { cost: 1, estimate: 0, break_ties: false });
    /// f = h: greedy best-first search.
    pub const ESTIMATE: Self = Self::Weighted(Weights { cost: 0, estimate: 1, break_ties: false });
    /// f = g + h: A*.
    pub const SUM: Self = Self::Weighted(Weights { cost: 1, estimate: 1, break_ties: true });
}
