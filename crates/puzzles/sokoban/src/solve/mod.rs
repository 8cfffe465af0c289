//! The strong solvers: searches over pushes instead of steps.
//!
//! One search serves every objective that can be proved: it differs in what a step of walking and a push cost.

mod bound;
mod codec;
mod conflicts;
mod heights;
mod order;
mod plan;
mod queue;
mod room;
mod search;
mod store;
mod symmetry;
mod trace;
mod tunnel;

#[cfg(test)]
mod tests;

use beeline_search::{Budget, Outcome};

use super::board::{Board, Dir};
use super::field::Field;
use super::prune::Rules;
use beeline_puzzle::puzzle::Watcher;
pub(crate) use trace::Pen;

/// What a plan should have as little of as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Moves.
    Moves,
    /// Pushes.
    Pushes,
    /// Moves, and among equals pushes.
    MovesPushes,
    /// Pushes, and among equals moves.
    PushesMoves,
}

/// The prices that make an objective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prices {
    /// A step that pushes nothing.
    pub(crate) walk: u32,
    /// A step that pushes.
    pub(crate) push: u32,
}

/// The lesser objective counts in units of this; no plan that could be found has so many moves.
const UNIT: u32 = 1 << 14;

impl Objective {
    fn prices(self) -> Prices {
        match self {
            Self::Moves => Prices { walk: 1, push: 1 },
            Self::Pushes => Prices { walk: 0, push: 1 },
            Self::MovesPushes => Prices { walk: UNIT, push: UNIT + 1 },
            Self::PushesMoves => Prices { walk: 1, push: UNIT + 1 },
        }
    }
}

/// Finds a plan that is best under an objective. The cost of the outcome is in moves, or in pushes where these come
/// first.
pub fn best(board: &Board, objective: Objective, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
    best_with(board, objective, None, budget, watcher)
}

/// Like [`best`], with dead-end rules of one's own choice instead of those that pay.
pub fn best_with(
    board: &Board,
    objective: Objective,
    rules: Option<Rules>,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Outcome<Dir> {
    let mut symmetry = symmetry::Symmetry::new(board);
    let prices = objective.prices();
    let field = Field::build(board, !symmetry.is_trivial());
    let codec = codec::Codec::new(&field);
    let wanted = rules.as_ref().is_none_or(|rules| rules.has("goal-room"));
    let room = if prices.walk == 0 && wanted { room::Room::find(&field) } else { None };
    if room.is_some() {
        // The order in which the room is filled has no mirror image.
        symmetry = symmetry::Symmetry::none();
    }
    let wanted = rules.as_ref().is_none_or(|rules| rules.has("tunnel"));
    let tunnels = if wanted { tunnel::Tunnels::new(&field) } else { tunnel::Tunnels::none(&field) };
    let room = room.as_ref();
    let ground =
        search::Ground { field: &field, codec: &codec, symmetry: &symmetry, room, tunnels: &tunnels };
    let measure = bound::Bound::new(&field, &symmetry, prices, budget.nodes);
    macro_rules! run {
        ($n:expr) => {
            match objective {
                Objective::Moves | Objective::Pushes => {
                    search::Search::<{ $n }, u16>::new(ground, measure, prices, budget, watcher)
                        .with_rules(rules)
                        .run()
                }
                _ => search::Search::<{ $n }, u32>::new(ground, measure, prices, budget, watcher)
                    .with_rules(rules)
                    .run(),
            }
        };
    }
    let mut outcome = match codec.bits() {
        0..=64 => run!(1),
        65..=128 => run!(2),
        129..=256 => run!(4),
        _ => run!(super::WIDEST),
    };
    if let beeline_search::Verdict::Solved(solution) = &mut outcome.verdict {
        solution.cost = match objective {
            Objective::Moves | Objective::MovesPushes => solution.moves.len() as u64,
            Objective::Pushes => solution.cost,
            Objective::PushesMoves => solution.cost / u64::from(UNIT),
        };
        solution.lower_bound = solution.cost;
    }
    outcome
}

/// A plan with the fewest moves.
pub fn fewest_moves(board: &Board, budget: &Budget) -> Outcome<Dir> {
    best(board, Objective::Moves, budget, &mut ())
}
