//! Hard positions for new boards: the reachable position farthest from the goal.

use beeline_puzzle::puzzle::Job;
use beeline_puzzle::recipe::{Hardness, Measure, Recipe, Scale, Spending, Trial};
use beeline_search::Limit;

use crate::bricks::space::Graph;
use crate::{Layout, Metric};

/// Most states of a board to explore, and most expansions of its solver. A board with more takes over a tenth of a second and
/// is used as generated.
const MOST_STATES: u64 = 60_000;
/// Boards' worth of [`MOST_STATES`] before the closest candidate is taken: a few seconds.
const MOST_BOARDS: u64 = 64;

/// How a candidate is solved and judged. A person sees a plan of nine steps or fewer at once; the usual hard candidate has 20
/// to 60 steps.
pub(crate) fn trial() -> Trial {
    Trial {
        job: Job::default(),
        expansions: MOST_STATES,
        expansions_in_all: MOST_BOARDS * MOST_STATES,
        scale: Scale {
            least: 3,
            medium: Measure { plan: 10, effort: 50 },
            hard: Measure { plan: 20, effort: 200 },
        },
    }
}

/// Does this recipe need positions far from the goal? Easy and unsolvable boards do not.
pub(crate) fn wanted(recipe: &Recipe) -> bool {
    !recipe.unsolvable && (recipe.hardness != Hardness::Easy || recipe.distance.is_some())
}

/// The layout with the pieces as far from the goal as possible; the layout itself if the board has too many states to explore,
/// and `None` if no goal is reachable.
pub(crate) fn farthest(layout: &Layout, spending: &mut Spending<'_>) -> Result<Option<Layout>, Limit> {
    let budget = spending.search(MOST_STATES)?;
    let explored = Graph::of_layout(layout, Metric::Steps, false, &budget);
    let states = explored.as_ref().map_or(MOST_STATES, |graph| graph.len() as u64);
    spending.count(states, explored.as_ref().err().copied())?;
    match explored {
        Ok(graph) => Ok(graph.hardest_layout().map(|(layout, _)| layout)),
        Err(_) => Ok(Some(layout.clone())),
    }
}
