//! Lower bounds of the optimal solver: the cheapest assignment of boxes to goals, or of boxes of the start to
//! boxes, in pushes or in steps.

use beeline_search::{Limit, Meter};

use super::conflicts::{Conflicts, PositionConflicts};
use super::potentials::Potentials;
use super::room::Room;
use super::store::End;
use super::symmetry::Symmetry;
use crate::board::Square;
use crate::field::{DistanceRows, Field, charge};
use crate::matching::Matching;
use crate::optimal::{Cost, Prices};
use crate::walk::Position;

/// Iterations of the ascent that chooses potentials.
const ASCENT_ROUNDS: usize = 100;
/// Searches with a smaller limit on expansions keep zero potentials.
const FEWEST_EXPANSIONS: u64 = 10_000;

/// Lower bounds on the cost of a position from one end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Estimate {
    /// With all conflicts.
    pub(crate) full: Cost,
    /// Without conflicts. It changes between two positions by no more than the cost of the way between them.
    pub(crate) even: Cost,
}

/// A bound in one unit, for a position and for its successors.
#[derive(Debug)]
struct Measure {
    /// Distances of lone boxes.
    rows: DistanceRows,
    /// `None` where pushes are counted.
    potentials: Option<Potentials>,
    /// By end: the assignment of the current position.
    assignments: [Matching; 2],
    /// Conflicts of pairs of boxes; `None` until the search has run for long.
    conflicts: Option<Conflicts>,
    position_conflicts: PositionConflicts,
}

impl Measure {
    fn of_steps(field: &Field, potentials: Potentials, meter: &mut Meter) -> Result<Self, Limit> {
        let price = |square, dir| potentials.push_price(field, square, dir);
        let rows = field.rows_by_price(price, &mut |bytes, work| charge(meter, bytes, work))?;
        Self::new(rows, Some(potentials), meter)
    }

    fn of_pushes(field: &Field, meter: &mut Meter) -> Result<Self, Limit> {
        let rows = field.rows_by_price(|_, _| 1, &mut |bytes, work| charge(meter, bytes, work))?;
        Self::new(rows, None, meter)
    }

    fn new(rows: DistanceRows, potentials: Option<Potentials>, meter: &mut Meter) -> Result<Self, Limit> {
        meter.ledger.claim(rows.bytes())?;
        Ok(Self {
            rows,
            potentials,
            assignments: [Matching::default(), Matching::default()],
            conflicts: None,
            position_conflicts: PositionConflicts::default(),
        })
    }

    /// Computes the conflicts.
    fn find_conflicts(&mut self, field: &Field, room: Option<&Room>, meter: &mut Meter) -> Result<(), Limit> {
        self.conflicts = match &self.potentials {
            None => Conflicts::new(field, room, &self.rows, |_, _| 1, meter)?,
            Some(potentials) => {
                let price = |square, dir| potentials.push_price(field, square, dir);
                Conflicts::new(field, room, &self.rows, price, meter)?
            }
        };
        Ok(())
    }

    fn set(&mut self, field: &Field, end: End, position: &Position) -> Option<Estimate> {
        let (board, player) = (field.board(), position.player);
        let box_states = position.boxes.iter().map(|&b| field.box_state(b, player));
        let (rows, assignments) = (&self.rows, &mut self.assignments[end as usize]);
        let least = match end {
            End::Front => {
                assignments.resolve(board.goals().len(), box_states.map(|s| rows.goal_distances(s)))
            }
            End::Back => {
                assignments.resolve(board.boxes().len(), box_states.map(|s| rows.start_distances(s)))
            }
        };
        let (least, mut more) = (least?, 0);
        if let (End::Front, Some(conflicts)) = (end, &self.conflicts) {
            more = self.position_conflicts.set(conflicts, &position.boxes, player)?;
        }
        Some(self.estimate(end, player, least, more))
    }

    #[inline]
    fn moved(
        &mut self,
        (field, position): (&Field, &Position),
        end: End,
        (i, to, player): (usize, Square, Square),
    ) -> Option<Estimate> {
        let (box_state, rows) = (field.box_state(to, player), &self.rows);
        let row =
            if end == End::Front { rows.goal_distances(box_state) } else { rows.start_distances(box_state) };
        let (least, mut more) = (self.assignments[end as usize].with(i, row)?, 0);
        if let (End::Front, Some(conflicts)) = (end, &self.conflicts) {
            more = self.position_conflicts.moved(conflicts, &position.boxes, (i, to, player))?;
        }
        Some(self.estimate(end, player, least, more))
    }

    #[inline]
    fn estimate(&self, end: End, player: Square, least: u32, more: u32) -> Estimate {
        let even = self.value(end, player, least);
        let full = if more == 0 { even } else { self.value(end, player, least + more) };
        Estimate { full: Cost::from(full), even: Cost::from(even) }
    }

    #[inline]
    fn value(&self, end: End, player: Square, least: u32) -> u32 {
        match (&self.potentials, end) {
            (None, _) => least,
            (Some(potentials), End::Front) => potentials.steps_to_goal(player, least),
            (Some(potentials), End::Back) => potentials.steps_from_start(player, least),
        }
    }
}

/// The bound under an objective: the price of a step times the steps, and the extra price of a push times the
/// pushes.
#[derive(Debug)]
pub(crate) struct Bound {
    steps: Option<Measure>,
    pushes: Option<Measure>,
    prices: Prices,
}

impl Bound {
    /// Computes the bound. A search with few expansions gets zero potentials, since the ascent would take
    /// longer than it saves.
    pub(crate) fn new(
        field: &Field,
        symmetry: &Symmetry,
        prices: Prices,
        meter: &mut Meter,
    ) -> Result<Self, Limit> {
        let worthwhile = meter.allowed() >= FEWEST_EXPANSIONS && Potentials::can_differ(field);
        let mut bound = Self { steps: None, pushes: None, prices };
        if prices.walk > 0 {
            let zero = Potentials::zero(field, symmetry);
            let rounds = if worthwhile { ASCENT_ROUNDS } else { 0 };
            let potentials = zero.optimized(field, symmetry, rounds, meter)?;
            bound.steps = Some(Measure::of_steps(field, potentials, meter)?);
        }
        if prices.push > prices.walk {
            bound.pushes = Some(Measure::of_pushes(field, meter)?);
        }
        Ok(bound)
    }

    /// Adds the extra cost of pairs of boxes to the bound.
    pub(crate) fn find_conflicts(
        &mut self,
        field: &Field,
        room: Option<&Room>,
        meter: &mut Meter,
    ) -> Result<(), Limit> {
        let mut measures = [&mut self.steps, &mut self.pushes].into_iter().flatten();
        measures.try_for_each(|measure| measure.find_conflicts(field, room, meter))
    }

    /// Lower bound on the cost of a position to the end opposite to `end`; `None` if it is a dead end. The
    /// position becomes the current one.
    pub(crate) fn set(&mut self, field: &Field, end: End, position: &Position) -> Option<Estimate> {
        self.sum(|measure| measure.set(field, end, position))
    }

    /// The same for a successor of the current position: the i-th box moves to a square, and the player
    /// stands on another.
    #[inline]
    pub(crate) fn moved(
        &mut self,
        before: (&Field, &Position),
        end: End,
        moved: (usize, Square, Square),
    ) -> Option<Estimate> {
        self.sum(|measure| measure.moved(before, end, moved))
    }

    #[inline]
    fn sum(&mut self, mut ask: impl FnMut(&mut Measure) -> Option<Estimate>) -> Option<Estimate> {
        let mut total = Estimate::default();
        let extra = self.prices.push - self.prices.walk;
        for (measure, price) in [(&mut self.steps, self.prices.walk), (&mut self.pushes, extra)] {
            if let Some(measure) = measure {
                let part = ask(measure)?;
                total.full += part.full * price;
                total.even += part.even * price;
            }
        }
        Some(total)
    }
}
