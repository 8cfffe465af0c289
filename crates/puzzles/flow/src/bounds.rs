//! The one bound there is: every free cell needs a move of its own.

use beeline_search::{Claim, Cost, Heuristic, Space};

use super::{Flow, Rule, Step};

/// Where the board must be filled, the free cells, which is exact wherever there is an answer at all; otherwise the colours that
/// are not joined, each of which needs a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free {
    /// Know nothing instead, and say 0 always.
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
