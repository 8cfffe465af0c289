//! Lower bounds on the steps still to take, for the space of steps.

use std::sync::Arc;

use beeline_search::{Claim, Cost, DEAD, Heuristic};

use super::board::{Dir, Square};
use super::field::{FAR, Field};
use super::matching::Matching;
use super::{State, Steps};
use beeline_puzzle::puzzle::Choice;

/// The bounds by name, the default first.
pub const BOUNDS: &[Choice] = &[
    Choice { name: "matching", about: "pushes to give every box a goal of its own, at the least" },
    Choice { name: "nearest", about: "pushes of every box to the goal nearest to it, summed" },
    Choice { name: "blind", about: "nothing: always 0" },
];

/// One of the heuristics in [`BOUNDS`].
pub struct Bound {
    which: usize,
    field: Arc<Field>,
}

impl Bound {
    /// The index in [`BOUNDS`] of the heuristic with this name, or of the default.
    pub fn named(name: Option<&str>) -> Option<usize> {
        name.map_or(Some(0), |name| BOUNDS.iter().position(|b| b.name == name))
    }

    /// The heuristic with this index in [`BOUNDS`].
    pub fn new(field: Arc<Field>, which: usize) -> Self {
        Self { which, field }
    }

    /// Lower bound on the pushes that remain. The assignment starts from the potentials of the previous call
    /// and allocates nothing.
    pub(crate) fn pushes(
        &self,
        player: Square,
        boxes: impl Iterator<Item = Square>,
        assignment: &mut Matching,
    ) -> Cost {
        let rows = boxes.map(|b| self.field.goal_row(self.field.box_state(b, player)));
        match self.which {
            0 => assignment.resolve(self.field.board().goals().len(), rows).unwrap_or(DEAD),
            1 => {
                let nearest = rows.map(|row| row.iter().copied().min().unwrap_or(FAR));
                nearest.fold(0, |sum, d| if d == FAR || sum == DEAD { DEAD } else { sum + Cost::from(d) })
            }
            _ => 0,
        }
    }
}

impl<const N: usize> Heuristic<Steps<N>> for Bound {
    type Memo = Cost;
    type Scratch = Matching;

    fn root(&self, _: &Steps<N>, state: &State<N>, assignment: &mut Matching) -> Cost {
        self.pushes(state.player, state.boxes.iter(), assignment)
    }

    fn step(
        &self,
        space: &Steps<N>,
        after: &State<N>,
        mv: Dir,
        memo: Cost,
        assignment: &mut Matching,
    ) -> Cost {
        // Only a push changes the bound. After a push there is a box ahead of the player.
        if space.ahead(after, mv).is_some() { self.root(space, after, assignment) } else { memo }
    }

    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}
