//! The only bound: every free cell needs its own move.

use beeline_search::{Claim, Cost, Heuristic, Space};

use super::{Flow, Rule, Step};

/// If the board must be filled: the number of free cells, which is exact wherever a solution exists. Otherwise: the number of
/// unjoined colours, each of which needs a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free {
    /// Return 0 always: blind search.
    pub blind: bool,
}

impl<const W: usize> Heuristic<Flow<W>> for Free {
    type Memo = Cost;
    type Scratch = ();

    #[inline]
    fn root(&self, space: &Flow<W>, state: &<Flow<W> as Space>::State, (): &mut ()) -> Cost {
        match space.board().rule {
            _ if self.blind => 0,
            Rule::Fill | Rule::Touching => space.free(state) as Cost,
            Rule::Numberlink => space.open_colours(state).count_ones(),
        }
    }

    #[inline]
    fn step(
        &self,
        space: &Flow<W>,
        after: &<Flow<W> as Space>::State,
        _: Step,
        memo: Cost,
        (): &mut (),
    ) -> Cost {
        match space.board().rule {
            _ if self.blind => 0,
            Rule::Fill | Rule::Touching => memo.saturating_sub(1),
            Rule::Numberlink => space.open_colours(after).count_ones(),
        }
    }

    #[inline(always)]
    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}
