//! Optimal solver: a bidirectional search over pushes that proves the fewest moves, the fewest pushes, or both in either order.
//!
//! One search serves every objective that can be proved: it differs in what a step of walking and a push cost.

mod bound;
mod bounded_cost;
mod codec;
mod conflicts;
mod plan;
mod plan_writer;
mod potentials;
mod queue;
mod room;
mod search;
mod store;
mod symmetry;
mod tunnel;

#[cfg(test)]
mod tests;

use beeline_search::{Budget, COMPACT, Limit, Meter, Outcome, Verdict};

use super::board::{Board, Dir, MAX_SQUARES};
use super::field::Field;
use crate::rules::prune::Rules;
use crate::{Steps, WIDEST};
use beeline_puzzle::puzzle::Watcher;
pub(crate) use bound::Bound;
use bounded_cost::{BoundedCost, BoundedFess};
pub(crate) use plan_writer::PlanWriter;
pub(crate) use store::End;
use store::{Stored, Wide};

/// The objective that a plan minimises.
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

/// The cost of a path under an objective.
///
/// A mixed objective packs two counts into [`COST_BITS`] bits, the primary count above the secondary one.
/// Such costs are ordered as the objective requires while the secondary count stays below the unit of the
/// primary one; see [`Objective::prices`].
pub(crate) type Cost = u64;

/// Bits of a cost that can be stored. A search that needs more ends at its memory limit.
pub(crate) const COST_BITS: u32 = 48;

/// The prices of an objective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prices {
    /// Price of a step without a push.
    pub(crate) walk: Cost,
    /// Price of a push.
    pub(crate) push: Cost,
    /// Unit of the primary count; 1 where there is only one count.
    pub(crate) unit: Cost,
}

/// Moves first: 24 bits of moves over 24 bits of pushes. No plan has more pushes than moves, so pushes fit where moves do.
const MOVE_UNIT: Cost = 1 << 24;

/// Pushes first: 18 bits of pushes over 30 bits of moves. Before each push the player walks over fewer squares than the board
/// has, so a plan has at most [`MAX_SQUARES`] (2^12) moves a push, and moves fit where pushes do.
const PUSH_UNIT: Cost = 1 << 30;

const _: () = assert!(MOVE_UNIT * MOVE_UNIT <= 1 << COST_BITS);
const _: () = assert!((MAX_SQUARES as Cost) << COST_BITS <= PUSH_UNIT * PUSH_UNIT);

impl Objective {
    fn prices(self) -> Prices {
        match self {
            Self::Moves => Prices { walk: 1, push: 1, unit: 1 },
            Self::Pushes => Prices { walk: 0, push: 1, unit: 1 },
            Self::MovesPushes => Prices { walk: MOVE_UNIT, push: MOVE_UNIT + 1, unit: MOVE_UNIT },
            Self::PushesMoves => Prices { walk: 1, push: PUSH_UNIT + 1, unit: PUSH_UNIT },
        }
    }
}

/// Finds an optimal plan under an objective. The cost of the outcome is in moves, or in pushes where pushes
/// come first.
pub fn best(board: &Board, objective: Objective, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
    best_with(board, objective, None, (budget, Meter::new(budget)), watcher)
}

/// Like [`best`], with these dead-end rules instead of the default ones, and for a budget of which the meter has
/// recorded a part as used.
pub fn best_with(
    board: &Board,
    objective: Objective,
    rules: Option<&Rules>,
    watched: (&Budget, Meter),
    watcher: &mut dyn Watcher,
) -> Outcome<Dir> {
    best_stored::<u16>(board, objective, rules, watched, watcher)
}

/// Objectives with one count store path costs as `C` first, and in a wider type if `C` overflows.
fn best_stored<C: Stored>(
    board: &Board,
    objective: Objective,
    rules: Option<&Rules>,
    (budget, mut meter): (&Budget, Meter),
    watcher: &mut dyn Watcher,
) -> Outcome<Dir> {
    let prices = objective.prices();
    let wanted = |rule| rules.is_none_or(|rules| rules.has(rule));
    let (field, symmetry, room, estimator) = match set_up(board, prices, wanted("goal-room"), &mut meter) {
        Ok(set_up) => set_up,
        Err(limit) => return Outcome::stopped(limit, &meter),
    };
    let tunnels = if wanted("tunnel") { tunnel::Tunnels::new(&field) } else { tunnel::Tunnels::none(&field) };
    let codec = codec::Codec::new(&field);
    let room = room.as_ref();
    let tables =
        search::BoardTables { field: &field, codec: &codec, symmetry: &symmetry, room, tunnels: &tunnels };
    let pushes_alone = objective == Objective::Pushes && rules.is_none();
    let narrow = if pushes_alone { Steps::<4>::new(board) } else { None };
    let wide = (pushes_alone && narrow.is_none()).then(|| Steps::widest(board));
    let mut bounded_cost: Option<Box<dyn BoundedCost + '_>> = match (&narrow, &wide) {
        (Some(space), _) => Some(Box::new(BoundedFess::new(space, &field))),
        (_, Some(space)) => Some(Box::new(BoundedFess::<WIDEST>::new(space, &field))),
        (None, None) => None,
    };
    macro_rules! run {
        ($n:expr, $cost:ty, $estimator:expr, $meter:expr) => {
            search::Search::<{ $n }, $cost>::new(tables, $estimator, prices, $meter, &mut *watcher)
                .with_rules(rules.cloned())
                .with_bounded_cost(bounded_cost.take())
                .run()
        };
    }
    // Each search is compiled for its width and its type of costs, so there are only four. Narrow costs halve the memory of a
    // record and suffice for nearly every level.
    macro_rules! run_wide {
        ($estimator:expr, $meter:expr) => {
            match codec.bits() {
                0..=256 => run!(4, Wide, $estimator, $meter),
                _ => run!(WIDEST, Wide, $estimator, $meter),
            }
        };
    }
    let bytes = meter.rest(budget).bytes;
    let run = match codec.bits() {
        _ if prices.unit > 1 || COMPACT => run_wide!(estimator, meter),
        0..=128 => run!(2, C, estimator, meter),
        129..=256 => run!(4, C, estimator, meter),
        _ => run_wide!(estimator, meter),
    };
    let outcome = match run {
        // The costs of a few levels overflow. They are searched again with the rest of the budget.
        search::Run { outcome, cost_overflow: true } if prices.unit == 1 => {
            let left = budget.after(outcome.stats.elapsed, outcome.stats.expanded);
            let mut meter = Meter::new(&Budget { bytes, ..left });
            match bound::Bound::new(&field, &symmetry, prices, &mut meter) {
                Ok(estimator) => run_wide!(estimator, meter).outcome,
                Err(limit) => Outcome::stopped(limit, &meter),
            }
        }
        search::Run { outcome, .. } => outcome,
    };
    in_counts(outcome, prices.unit)
}

/// Converts costs and bounds from packed units to the primary count.
fn in_counts(outcome: Outcome<Dir>, unit: Cost) -> Outcome<Dir> {
    let Outcome { mut verdict, mut stats } = outcome;
    if let Verdict::Solved(solution) = &mut verdict {
        if unit > 1 && solution.cost >> COST_BITS > 0 {
            // Each half fits, but their sum does not, so its two counts cannot be separated.
            verdict = Verdict::Stopped(Limit::Memory);
        } else {
            solution.cost /= unit;
            solution.lower_bound = solution.cost;
        }
    }
    for round in &mut stats.rounds {
        round.bound /= unit;
    }
    Outcome { verdict, stats }
}

/// Everything that is computed once for a board and takes longer than reading it.
type SetUp = (Field, symmetry::Symmetry, Option<room::Room>, bound::Bound);

fn set_up(board: &Board, prices: Prices, rooms: bool, meter: &mut Meter) -> Result<SetUp, Limit> {
    let mut symmetry = symmetry::Symmetry::new(board);
    let field = Field::within(board, !symmetry.is_trivial(), meter)?;
    let room = if prices.walk == 0 && rooms { room::Room::find(&field, meter)? } else { None };
    if room.is_some() {
        // The order in which the room is filled has no mirror image.
        symmetry = symmetry::Symmetry::none();
    }
    let estimator = bound::Bound::new(&field, &symmetry, prices, meter)?;
    Ok((field, symmetry, room, estimator))
}
