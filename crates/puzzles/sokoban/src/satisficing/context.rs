//! State that the searches of a board share: its analysis, the meter, the statistics and the visited
//! positions.

use beeline_search::memory::Ledger;
use beeline_search::{Limit, Meter, Stats};

use super::advisors::Move;
use super::board_features::BoardFeatures;
use super::packing::Packing;
use super::tuning::Tuning;
use super::visited::Visited;
#[cfg(test)]
use crate::Steps;
use crate::board::Board;
use crate::field::Field;
use crate::macro_moves::MoveKind;
use crate::optimal::{Bound, Cost, End};
use crate::rules::deadlocks::Deadlocks;
use crate::walk::Position;

/// Squares visited by the long search for a packing order: about 0.3 s.
const LONG_ORDER_SEARCH: usize = 16_000_000;

/// Tables of a board that grow while they are used.
pub(crate) struct BoardAnalysis {
    pub(crate) deadlocks: Deadlocks,
    pub(crate) board_features: BoardFeatures,
    pub(crate) packing: Packing,
    pub(crate) tuning: Tuning,
    booked: usize,
}

impl BoardAnalysis {
    /// For one board; the tables are empty.
    pub(crate) fn new(field: &Field, tuning: Tuning) -> Self {
        Self {
            deadlocks: Deadlocks::new(field),
            board_features: BoardFeatures::new(field),
            packing: Packing::new(field, LONG_ORDER_SEARCH),
            tuning,
            booked: 0,
        }
    }

    /// For a board on which there are many attempts: the next one may have a packing order that is found at
    /// once.
    pub(crate) fn for_attempts(field: &Field, tuning: Tuning) -> Self {
        Self { packing: Packing::new(field, LONG_ORDER_SEARCH / 16), ..Self::new(field, tuning) }
    }

    /// Converts the macro moves generated since the last call to visits.
    pub(crate) fn visits_for_macro_moves(&mut self) -> u64 {
        let moves = std::mem::take(&mut self.packing.macro_moves_generated)
            + std::mem::take(&mut self.deadlocks.macro_moves_generated);
        moves / self.tuning.macro_moves_per_visit
    }

    /// Claims the bytes added since the last call.
    pub(crate) fn book(&mut self, field: &Field, ledger: &mut Ledger) -> Result<(), Limit> {
        let bytes = self.deadlocks.bytes(field) + self.board_features.bytes() + self.packing.bytes();
        ledger.claim(bytes.saturating_sub(self.booked))?;
        ledger.release(self.booked.saturating_sub(bytes));
        self.booked = bytes;
        Ok(())
    }
}

/// What the portfolio is doing, for the progress line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Status {
    /// The search whose turn it is: its number from 1, the number of searches, and its name.
    pub(crate) member: (usize, usize, &'static str),
    /// The most boxes that a forward search has packed.
    pub(crate) packed: u16,
}

impl Status {
    /// The text of the progress line.
    pub(crate) fn in_words(&self, board: &Board) -> String {
        let (number, all, name) = self.member;
        format!("search {number} of {all} ({name}), {} of {} boxes packed", self.packed, board.boxes().len())
    }
}

/// Called between two stretches of work; checks for cancellation and reports progress.
pub(crate) type Checkpoint<'b> = dyn FnMut(&Meter, &mut Stats, &Status) -> Result<(), Limit> + 'b;

/// A limit on the pushes of a plan, for a bounded-cost search (Stern, Puzis and Felner 2011).
pub(crate) struct PushLimit<'d> {
    /// The most pushes that a plan may have.
    pub(crate) most: Cost,
    /// Lower bounds on the remaining pushes of a position.
    pub(crate) bound: &'d mut Bound,
}

impl PushLimit<'_> {
    /// Can the position before a move lead to a plan at all? Its successors are asked about next.
    pub(crate) fn set(&mut self, field: &Field, position: &Position) -> bool {
        self.bound.set(field, End::Front, position).is_some()
    }

    /// Can the position after a move of the i-th box, made with this many pushes from the start, lead to a
    /// plan within the limit?
    pub(crate) fn admits(
        &mut self,
        (field, position): (&Field, &Position),
        i: usize,
        mv: Move,
        pushes: u32,
    ) -> bool {
        let least = self.bound.moved((field, position), End::Front, (i, mv.to, mv.player));
        least.is_some_and(|least| Cost::from(pushes) + least.full <= self.most)
    }
}

/// The state that every search works with.
pub(crate) struct Context<'d, 't, const N: usize> {
    pub(crate) meter: &'d mut Meter,
    pub(crate) stats: &'d mut Stats,
    pub(crate) analysis: &'d mut BoardAnalysis,
    pub(crate) visited: &'d mut Visited<'t, N>,
    pub(crate) status: &'d mut Status,
    pub(crate) checkpoint: &'d mut Checkpoint<'d>,
    /// For FESS: moves that lead to no plan within the limit are left out.
    pub(crate) push_limit: Option<PushLimit<'d>>,
}

impl<'t, const N: usize> Context<'_, 't, N> {
    /// The same context with the analysis of another board of the same level.
    pub(crate) fn at<'e>(&'e mut self, analysis: &'e mut BoardAnalysis) -> Context<'e, 't, N> {
        let Self { meter, stats, visited, status, checkpoint, .. } = self;
        Context { meter, stats, analysis, visited, status, checkpoint: &mut **checkpoint, push_limit: None }
    }

    /// Counts a visit, and checks the limits at intervals.
    pub(crate) fn tick(&mut self) -> Result<(), Limit> {
        if self.meter.due() {
            self.meter.look()?;
        }
        self.meter.count();
        Ok(())
    }

    /// Records a visited position. Returns `true` if there is a plan now.
    pub(crate) fn record(
        &mut self,
        kind: MoveKind,
        key: &[u64; N],
        before: Option<&[u64; N]>,
        mv: Move,
    ) -> Result<bool, Limit> {
        self.visited.record(&mut self.meter.ledger, kind, key, before, mv)
    }
}

/// Runs `work` with a context without limits.
#[cfg(test)]
pub(crate) fn with_context<const N: usize, T>(
    space: &Steps<N>,
    field: &Field,
    tuning: Tuning,
    work: impl FnOnce(&mut Context<'_, '_, N>) -> T,
) -> T {
    let (mut meter, mut stats) = (Meter::new(&beeline_search::Budget::default()), Stats::default());
    let mut visited = Visited::new(space, field, &mut meter.ledger).expect("room");
    work(&mut Context {
        meter: &mut meter,
        stats: &mut stats,
        analysis: &mut BoardAnalysis::new(field, tuning),
        visited: &mut visited,
        status: &mut Status::default(),
        checkpoint: &mut |_, _, _| Ok(()),
        push_limit: None,
    })
}
