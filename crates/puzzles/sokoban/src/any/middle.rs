//! Both ends opened first, and then the way between them.
//!
//! The start is opened by pushes, the goals by pulls, or both. What is left is a level of its own: from one open position to
//! another. Its goals lie apart from each other and its boxes can be moved, so that other searches solve it easily; the plan is
//! then put together. There are many attempts, each with a little more work than the one before, and each with other open
//! positions: which of them are good cannot be told beforehand.

use std::ops::ControlFlow::{self, Break, Continue};

use beeline_search::Limit;

use super::super::Steps;
use super::super::board::Board;
use super::super::field::Field;
use super::Found;
use super::carry::Way;
use super::drift::{Aim, Drift, Sort};
use super::insight::{Desk, Insight};
use super::plan::PATIENCE as PATIENCE_OF_PLANS;
use super::race::{Race, inner};

/// Which ends an attempt opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    Goals,
    Start,
    Both,
}

/// The ends that are opened, in turn.
const ENDS: [Ends; 3] = [Ends::Goals, Ends::Both, Ends::Start];
/// The queues, after every round of the ends.
const SORTS: [Sort; 4] = [Sort::Odd, Sort::Child, Sort::Parent, Sort::Past];
/// Visits of the first attempt; every other has a tenth more than the one before.
const FIRST: u64 = 2000;
/// An end is opened until nothing better was found for so many visits a box, or for as many as the attempt has.
const PATIENCE: u64 = 20;
/// And for a quarter of these, if that is more; for half of them once every kind of attempt was made. With less patience later attempts
/// open the same positions again.
const PATIENT: [u64; 2] = [4, 2];
const KINDS: usize = ENDS.len() * SORTS.len();
/// An attempt has this much patience for a plan: another board may have one that is found at once.
const HASTE: usize = PATIENCE_OF_PLANS / 16;
/// Visits between two looks at that.
const BREATH: u64 = 50;

pub(crate) struct Middle<'a> {
    field: &'a Field,
    /// Attempts so far.
    attempts: usize,
    /// Visits of the next attempt, and those that were allowed and not yet used.
    work: u64,
    saved: u64,
    /// The level with the goals that the attempt before has opened.
    open_goals: Option<Board>,
}

impl<'a> Middle<'a> {
    pub(crate) fn new(field: &'a Field, first: usize) -> Self {
        Self { field, attempts: first, work: FIRST, saved: 0, open_goals: None }
    }

    /// Works for about so many visits on the average: an attempt begins when enough of them have been saved for it.
    pub(crate) fn advance<const N: usize>(
        &mut self,
        desk: &mut Desk<'_, '_, N>,
        work: u64,
    ) -> Result<Found, Limit> {
        self.saved = self.saved.saturating_add(work);
        while self.saved >= self.work {
            self.saved -= self.work;
            let (used, kept) = (desk.meter.ledger.used(), desk.trails.bytes());
            let found = self.attempt(desk);
            // The trails stay; everything else has been dropped.
            desk.meter.ledger.rewind(used);
            desk.meter.ledger.claim(desk.trails.bytes() - kept)?;
            match found {
                Ok(Found::Met) => return Ok(Found::Met),
                // What it took is given back: the next attempt may do with less, and the other searches go on.
                Ok(_) | Err(Limit::Memory) => {}
                Err(limit) => return Err(limit),
            }
            self.attempts += 1;
            self.work += self.work / 10;
        }
        Ok(Found::NotYet)
    }

    fn attempt<const N: usize>(&mut self, desk: &mut Desk<'_, '_, N>) -> Result<Found, Limit> {
        let whole = self.field.board();
        let ends = match ENDS[self.attempts % ENDS.len()] {
            // With more goals than boxes it is not known which of them will be full.
            _ if whole.boxes().len() < whole.goals().len() => Ends::Start,
            ends => ends,
        };
        let mut board = whole.clone();
        // The goals first: whether the start can be opened depends on where its boxes will have to go.
        if ends != Ends::Start {
            // Both ends come right after the goals alone, with the same queue and the same dice.
            let opened = match self.open_goals.take().filter(|_| ends == Ends::Both) {
                Some(board) => Continue(board),
                None => self.opened(desk, &board, Way::Pulling)?,
            };
            board = match opened {
                Continue(board) => board,
                Break(found) => return Ok(found),
            };
            self.open_goals = (ends == Ends::Goals).then(|| board.clone());
        }
        if ends != Ends::Goals {
            board = match self.opened(desk, &board, Way::Pushing)? {
                Continue(board) => board,
                Break(found) => return Ok(found),
            };
        }
        let Some(space) = Steps::<N>::new(&board) else { return Ok(Found::NotYet) };
        let field = Field::within(&board, false, desk.meter)?;
        let race = Race { searches: &inner(self.dice().0, self.attempts) };
        race.run(&space, &field, &mut desk.at(&mut Insight::new(&field, HASTE)), Some(self.work))
    }

    /// The queue of an attempt, and what settles ties.
    fn dice(&self) -> (Sort, u64) {
        let round = self.attempts / ENDS.len();
        (SORTS[round % SORTS.len()], (round / SORTS.len()) as u64)
    }

    /// The level when one of its ends is opened: the start by pushes, or the goals by pulls.
    fn opened<const N: usize>(
        &self,
        desk: &mut Desk<'_, '_, N>,
        board: &Board,
        way: Way,
    ) -> Result<ControlFlow<Found, Board>, Limit> {
        let Some(space) = Steps::<N>::new(board) else { return Ok(Break(Found::NotYet)) };
        let field = Field::within(board, false, desk.meter)?;
        let (sort, seed) = self.dice();
        let mut drift = Drift::new(&space, &field, way, Aim::Open, sort, seed);
        if let Found::Met = self.open(&mut drift, &mut desk.at(&mut Insight::new(&field, HASTE)))? {
            return Ok(Break(Found::Met));
        }
        Ok(match (way, drift.best()) {
            (Way::Pushing, Some(best)) => Continue(board.with_goals(best.player, &best.boxes, board.goals())),
            (Way::Pulling, Some(best)) => {
                Continue(board.with_goals(board.player(), board.boxes(), &best.boxes))
            }
            (_, None) => Break(Found::NotYet),
        })
    }

    /// Opens an end until it does not get better.
    fn open<const N: usize>(
        &self,
        drift: &mut Drift<'_, N>,
        desk: &mut Desk<'_, '_, N>,
    ) -> Result<Found, Limit> {
        let mut found = drift.begin(desk)?;
        let boxes = self.field.board().boxes().len() as u64;
        let patience = (PATIENCE * boxes).max(self.work / PATIENT[usize::from(self.attempts >= KINDS)]);
        let end = desk.meter.expanded() + self.work;
        while matches!(found, Found::NotYet) && drift.idle() < patience && desk.meter.expanded() < end {
            found = drift.advance(desk, BREATH)?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::insight::Status;
    use super::super::trails::Trails;
    use super::*;
    use crate::make::make;
    use crate::text;
    use beeline_search::{Budget, Meter, Stats};

    /// The visits of so many attempts from this one on, all of the same length; nothing if one of them finds a plan.
    fn visits(board: &Board, first: usize, attempts: usize) -> Option<Vec<u64>> {
        let (field, space) = (Field::new(board), Steps::<4>::new(board).expect("a small level"));
        let (mut meter, mut stats) = (Meter::new(&Budget::default()), Stats::default());
        let mut trails = Trails::new(&space, &field, &mut meter.ledger).expect("room");
        let mut desk = Desk {
            meter: &mut meter,
            stats: &mut stats,
            insight: &mut Insight::new(&field, PATIENCE_OF_PLANS),
            trails: &mut trails,
            status: &mut Status::default(),
            between: &mut |_, _, _| Ok(()),
        };
        let mut middle = Middle::new(&field, first);
        let mut visits = || {
            let before = desk.meter.expanded();
            middle.work = FIRST;
            let found = middle.advance(&mut desk, FIRST).expect("no limit");
            matches!(found, Found::NotYet).then(|| desk.meter.expanded() - before)
        };
        (0..attempts).map(|_| visits()).collect()
    }

    #[test]
    fn goals_that_are_open_are_not_opened_again() {
        let mut compared = 0;
        for seed in 0..60 {
            let Some(board) = make(9, 9, 8, seed) else { continue };
            let (Some(two), Some(anew)) = (visits(&board, 0, 2), visits(&board, 1, 1)) else { continue };
            assert!(
                two[1] < anew[0],
                "{two:?} visits, instead of {anew:?} for the second\n{}",
                text::draw(&board)
            );
            compared += 1;
        }
        assert!(compared > 3, "{compared}");
    }
}
