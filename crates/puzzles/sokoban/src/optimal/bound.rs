//! The lower bounds that guide the proving searches: the cheapest assignment of boxes to goals, or of boxes of the start to
//! boxes, in pushes or in steps.

use beeline_search::{Limit, Meter};

use super::conflicts::{Conflicts, Found};
use super::potentials::{Potentials, Sample};
use super::room::Room;
use super::store::End;
use super::symmetry::Symmetry;
use crate::board::{Dir, Square};
use crate::field::{Field, Rows, charge};
use crate::matching::Matching;
use crate::optimal::{Cost, Prices};
use crate::walk::Position;

/// How long good heights are looked for at first, and again for positions that wait.
const FIRST_ROUNDS: usize = 100;
/// Searches that look at fewer positions do without.
const FEW: u64 = 10_000;
const LATER_ROUNDS: usize = 60;

/// What a position costs from one end, at the least.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Estimate {
    /// With all that is known.
    pub(crate) full: Cost,
    /// Without conflicts: it never differs between two positions by more than the way from one to the other.
    pub(crate) even: Cost,
}

/// A bound in one unit, for a position and for its successors.
#[derive(Debug)]
struct Measure {
    /// By end: what lone boxes pay.
    rows: [Rows; 2],
    /// By end, where steps are counted; where pushes are, there are none.
    potentials: Option<[Potentials; 2]>,
    /// By end: the assignment of the position that was set.
    whole: [Matching; 2],
    /// What pairs of boxes add on the way to the goal, once the search has shown that it is a long one.
    conflicts: Option<Conflicts>,
    found: Found,
}

fn rows(field: &Field, potentials: &Potentials, meter: &mut Meter) -> Result<Rows, Limit> {
    let behind = |square: Square, dir: Dir| field.near()[square as usize][dir.back() as usize];
    let price = |square, dir| potentials.price(behind(square, dir), square);
    field.priced(price, &mut |bytes, work| charge(meter, bytes, work))
}

impl Measure {
    fn of_steps(field: &Field, potentials: Potentials, meter: &mut Meter) -> Result<Self, Limit> {
        let rows = rows(field, &potentials, meter)?;
        Self::new(rows, Some([potentials.clone(), potentials]), meter)
    }

    fn of_pushes(field: &Field, meter: &mut Meter) -> Result<Self, Limit> {
        let rows = field.priced(|_, _| 1, &mut |bytes, work| charge(meter, bytes, work))?;
        Self::new(rows, None, meter)
    }

    fn new(rows: Rows, potentials: Option<[Potentials; 2]>, meter: &mut Meter) -> Result<Self, Limit> {
        meter.ledger.claim(rows.bytes())?;
        Ok(Self {
            rows: [rows.clone(), rows],
            potentials,
            whole: [Matching::default(), Matching::default()],
            conflicts: None,
            found: Found::default(),
        })
    }

    /// Works the conflicts out, for the present prices.
    fn find_conflicts(&mut self, field: &Field, room: Option<&Room>, meter: &mut Meter) -> Result<(), Limit> {
        let behind = |square: Square, dir: Dir| field.near()[square as usize][dir.back() as usize];
        let rows = &self.rows[End::Front as usize];
        // What a push counts does not change.
        if self.potentials.is_none() && self.conflicts.is_some() {
            return Ok(());
        }
        if let Some(old) = self.conflicts.take() {
            meter.ledger.release(old.bytes());
        }
        self.conflicts = match &self.potentials {
            None => Conflicts::new(field, room, rows, |_, _| 1, meter)?,
            Some([potentials, _]) => {
                let price = |square, dir| potentials.price(behind(square, dir), square);
                Conflicts::new(field, room, rows, price, meter)?
            }
        };
        Ok(())
    }

    fn set(&mut self, field: &Field, end: End, position: &Position) -> Option<Estimate> {
        let (board, player) = (field.board(), position.player);
        let box_states = position.boxes.iter().map(|&b| field.box_state(b, player));
        let (rows, whole) = (&self.rows[end as usize], &mut self.whole[end as usize]);
        let least = match end {
            End::Front => whole.resolve(board.goals().len(), box_states.map(|s| rows.ahead(s))),
            End::Back => whole.resolve(board.boxes().len(), box_states.map(|s| rows.behind(s))),
        };
        let (least, mut more) = (least?, 0);
        if let (End::Front, Some(conflicts)) = (end, &self.conflicts) {
            more = self.found.set(conflicts, &position.boxes, player)?;
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
        let (box_state, rows) = (field.box_state(to, player), &self.rows[end as usize]);
        let row = if end == End::Front { rows.ahead(box_state) } else { rows.behind(box_state) };
        let (least, mut more) = (self.whole[end as usize].with(i, row)?, 0);
        if let (End::Front, Some(conflicts)) = (end, &self.conflicts) {
            more = self.found.moved(conflicts, &position.boxes, (i, to, player))?;
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
            (Some([potentials, _]), End::Front) => potentials.ahead(player, least),
            (Some([_, potentials]), End::Back) => potentials.behind(player, least),
        }
    }
}

/// The bound under an objective. A plan costs the price of a step for each step, and what a push is dearer for each push.
#[derive(Debug)]
pub(crate) struct Bound {
    steps: Option<Measure>,
    pushes: Option<Measure>,
    prices: Prices,
}

impl Bound {
    /// If the search may look at few positions only, good heights are not worth looking for.
    pub(crate) fn new(
        field: &Field,
        symmetry: &Symmetry,
        prices: Prices,
        meter: &mut Meter,
    ) -> Result<Self, Limit> {
        let worthwhile = meter.allowed() >= FEW && Potentials::can_differ(field);
        let mut bound = Self { steps: None, pushes: None, prices };
        if prices.walk > 0 {
            let level = Potentials::level(field, symmetry);
            let root = (field.board().boxes().to_vec(), field.board().player());
            let rounds = if worthwhile { FIRST_ROUNDS } else { 0 };
            let potentials = level.climb(field, symmetry, End::Front, &[root], rounds, meter)?;
            bound.steps = Some(Measure::of_steps(field, potentials, meter)?);
        }
        if prices.push > prices.walk {
            bound.pushes = Some(Measure::of_pushes(field, meter)?);
        }
        Ok(bound)
    }

    /// Makes the bound larger for positions like these, if it can; other positions may get a smaller one.
    pub(crate) fn fit(
        &mut self,
        field: &Field,
        symmetry: &Symmetry,
        end: End,
        samples: &[Sample],
        meter: &mut Meter,
    ) -> Result<(), Limit> {
        if let Some(Measure { potentials: Some(potentials), rows: priced, conflicts, .. }) = &mut self.steps
            && Potentials::can_differ(field)
        {
            let potentials = &mut potentials[end as usize];
            *potentials = potentials.climb(field, symmetry, end, samples, LATER_ROUNDS, meter)?;
            let old = std::mem::replace(&mut priced[end as usize], rows(field, potentials, meter)?);
            meter.ledger.release(old.bytes());
            // They were worked out with the old prices.
            if end == End::Front
                && let Some(old) = conflicts.take()
            {
                meter.ledger.release(old.bytes());
            }
        }
        Ok(())
    }

    /// Adds what pairs of boxes cost beyond what each costs alone.
    pub(crate) fn find_conflicts(
        &mut self,
        field: &Field,
        room: Option<&Room>,
        meter: &mut Meter,
    ) -> Result<(), Limit> {
        let mut measures = [&mut self.steps, &mut self.pushes].into_iter().flatten();
        measures.try_for_each(|measure| measure.find_conflicts(field, room, meter))
    }

    /// What a position still costs (or, from the other end, has cost), at the least; `None` if it cannot be.
    pub(crate) fn set(&mut self, field: &Field, end: End, position: &Position) -> Option<Estimate> {
        self.sum(|measure| measure.set(field, end, position))
    }

    /// The same of the successor in which the i-th box of the position that was set has moved to a square and the player stands
    /// on another.
    #[inline]
    pub(crate) fn moved(
        &mut self,
        ground: (&Field, &Position),
        end: End,
        moved: (usize, Square, Square),
    ) -> Option<Estimate> {
        self.sum(|measure| measure.moved(ground, end, moved))
    }

    #[inline]
    fn sum(&mut self, mut ask: impl FnMut(&mut Measure) -> Option<Estimate>) -> Option<Estimate> {
        let mut total = Estimate::default();
        let dearer = self.prices.push - self.prices.walk;
        for (measure, price) in [(&mut self.steps, self.prices.walk), (&mut self.pushes, dearer)] {
            if let Some(measure) = measure {
                let part = ask(measure)?;
                total.full += part.full * price;
                total.even += part.even * price;
            }
        }
        Some(total)
    }
}
