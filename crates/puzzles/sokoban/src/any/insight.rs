//! What the searches for any plan find out about a board and share.

use beeline_search::Limit;
use beeline_search::memory::Ledger;

use super::super::field::Field;
use super::carry::Way;
use super::lost::Lost;
use super::packing::Packing;
use super::terrain::Terrain;

/// The tables, which grow while they are used.
pub(crate) struct Insight {
    pub(crate) lost: Lost,
    pub(crate) terrain: Terrain,
    pub(crate) packing: [Packing; 2],
    booked: usize,
}

impl Insight {
    /// For one board; nothing is worked out yet.
    pub(crate) fn new(field: &Field) -> Self {
        Self {
            lost: Lost::new(field),
            terrain: Terrain::new(field),
            packing: [Packing::new(field, Way::Pushing), Packing::new(field, Way::Pulling)],
            booked: 0,
        }
    }

    /// Books what has been added since the last time.
    pub(crate) fn book(&mut self, field: &Field, ledger: &mut Ledger) -> Result<(), Limit> {
        let packing: usize = self.packing.iter().map(Packing::bytes).sum();
        let bytes = self.lost.bytes(field) + self.terrain.bytes() + packing;
        ledger.claim(bytes.saturating_sub(self.booked))?;
        ledger.release(self.booked.saturating_sub(bytes));
        self.booked = bytes;
        Ok(())
    }
}
