//! What the searches of a board share: its analysis, the meter, the statistics and the positions met so far.

use beeline_search::memory::Ledger;
use beeline_search::{Limit, Meter, Stats};

use super::advisors::Move;
use super::packing::Packing;
use super::terrain::Terrain;
use super::trails::Trails;
use super::tuning::Tuning;
#[cfg(test)]
use crate::Steps;
use crate::board::Board;
use crate::field::Field;
use crate::macro_moves::Way;
use crate::rules::deadlocks::Deadlocks;

/// The analysis of a board: tables that grow while they are used.
pub(crate) struct BoardAnalysis {
    pub(crate) deadlocks: Deadlocks,
    pub(crate) terrain: Terrain,
    pub(crate) packing: Packing,
    pub(crate) tuning: Tuning,
    booked: usize,
}

impl BoardAnalysis {
    /// For one board; nothing is worked out yet.
    pub(crate) fn new(field: &Field, tuning: Tuning) -> Self {
        Self {
            deadlocks: Deadlocks::new(field),
            terrain: Terrain::new(field),
            packing: Packing::new(field, tuning),
            tuning,
            booked: 0,
        }
    }

    /// The visits that count for the macro moves generated since the last call.
    pub(crate) fn visits_for_macro_moves(&mut self) -> u64 {
        let moves = std::mem::take(&mut self.packing.carried) + std::mem::take(&mut self.deadlocks.carried);
        moves / self.tuning.macro_moves_per_visit
    }

    /// Books what has been added since the last time.
    pub(crate) fn book(&mut self, field: &Field, ledger: &mut Ledger) -> Result<(), Limit> {
        let bytes = self.deadlocks.bytes(field) + self.terrain.bytes() + self.packing.bytes();
        ledger.claim(bytes.saturating_sub(self.booked))?;
        ledger.release(self.booked.saturating_sub(bytes));
        self.booked = bytes;
        Ok(())
    }
}

/// What the portfolio is doing, for those who watch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Status {
    /// The search whose turn it is: its number from 1 on, how many there are, and its name.
    pub(crate) member: (usize, usize, &'static str),
    /// The most boxes that a search from the start has packed.
    pub(crate) packed: u16,
}

impl Status {
    /// The status as a progress line shows it.
    pub(crate) fn in_words(&self, board: &Board) -> String {
        let (number, all, name) = self.member;
        format!("search {number} of {all} ({name}), {} of {} boxes packed", self.packed, board.boxes().len())
    }
}

/// What is asked between two stretches of work.
pub(crate) type Between<'b> = dyn FnMut(&Meter, &mut Stats, &Status) -> Result<(), Limit> + 'b;

/// What every search works with.
pub(crate) struct Context<'d, 't, const N: usize> {
    pub(crate) meter: &'d mut Meter,
    pub(crate) stats: &'d mut Stats,
    pub(crate) analysis: &'d mut BoardAnalysis,
    pub(crate) trails: &'d mut Trails<'t, N>,
    pub(crate) status: &'d mut Status,
    pub(crate) between: &'d mut Between<'d>,
}

impl<'t, const N: usize> Context<'_, 't, N> {
    /// The same context for another board of the same level.
    pub(crate) fn at<'e>(&'e mut self, analysis: &'e mut BoardAnalysis) -> Context<'e, 't, N> {
        let Self { meter, stats, trails, status, between, .. } = self;
        Context { meter, stats, analysis, trails, status, between: &mut **between }
    }

    /// Counts a visit, and looks at the limits now and then.
    pub(crate) fn tick(&mut self) -> Result<(), Limit> {
        if self.meter.due() {
            self.meter.look()?;
        }
        self.meter.count();
        Ok(())
    }

    /// Notes a position on the trails. Is there a plan now?
    pub(crate) fn note(
        &mut self,
        way: Way,
        key: &[u64; N],
        before: Option<&[u64; N]>,
        mv: Move,
    ) -> Result<bool, Limit> {
        self.trails.note(&mut self.meter.ledger, way, key, before, mv)
    }
}

/// Does something with a context for one board, without limits.
#[cfg(test)]
pub(crate) fn with_context<const N: usize, T>(
    space: &Steps<N>,
    field: &Field,
    tuning: Tuning,
    work: impl FnOnce(&mut Context<'_, '_, N>) -> T,
) -> T {
    let (mut meter, mut stats) = (Meter::new(&beeline_search::Budget::default()), Stats::default());
    let mut trails = Trails::new(space, field, &mut meter.ledger).expect("room");
    work(&mut Context {
        meter: &mut meter,
        stats: &mut stats,
        analysis: &mut BoardAnalysis::new(field, tuning),
        trails: &mut trails,
        status: &mut Status::default(),
        between: &mut |_, _, _| Ok(()),
    })
}
