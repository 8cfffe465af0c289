//! Open ends: opens the start, the goals or both, and then solves the level between the open positions (an
//! idea of Yaron Shoham's solver Festival).
//!
//! Pushes open the start, pulls open the goals. In the level between, goals lie apart and boxes can move, so
//! a small portfolio solves it easily. The parts of the plan are then joined. It is not known beforehand
//! which open positions are good. So there are many attempts, each with other open positions and a tenth more
//! work than the one before.

use std::ops::ControlFlow::{self, Break, Continue};

use beeline_search::Limit;

use super::context::{BoardAnalysis, Context};
use super::macro_best_first::{MacroBestFirst, QueueOrder};
use super::portfolio::{Member, Portfolio, inner};
use super::tuning::Tuning;
use crate::Steps;
use crate::board::Board;
use crate::field::Field;
use crate::macro_moves::MoveKind;
use crate::satisficing::Found;

/// Which ends an attempt opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    Goals,
    Start,
    Both,
}

/// The ends to open, in turn.
const ENDS: [Ends; 3] = [Ends::Goals, Ends::Both, Ends::Start];
/// The queue orders, in turn after every round of the ends.
const QUEUE_ORDERS: [QueueOrder; 4] =
    [QueueOrder::LimitedDiscrepancy, QueueOrder::Child, QueueOrder::Parent, QueueOrder::BestAncestor];
/// Visits per box without a better position before an end counts as open, at least.
const IDLE_VISITS_PER_BOX: u64 = 20;
/// An end counts as open after this share of the attempt's visits without a better position: a quarter, or a
/// half once every kind of attempt was made. With shorter ones, later attempts open the same positions again.
const IDLE_SHARE: [u64; 2] = [4, 2];
/// Kinds of attempts: which ends, and which queue order.
const KINDS: usize = ENDS.len() * QUEUE_ORDERS.len();
/// Visits between two checks of the limits.
const VISITS_BETWEEN_CHECKS: u64 = 50;

pub(crate) struct OpenEnds<'a> {
    field: &'a Field,
    tuning: Tuning,
    /// Attempts so far.
    attempts: usize,
    /// Visits of the next attempt, and unused visits saved for it.
    work: u64,
    saved: u64,
    /// The level with the goals that the previous attempt opened.
    open_goals: Option<Board>,
}

impl<'a> OpenEnds<'a> {
    pub(crate) fn new(field: &'a Field, tuning: Tuning, first: usize) -> Self {
        Self { field, tuning, attempts: first, work: tuning.first_attempt, saved: 0, open_goals: None }
    }

    fn attempt<const N: usize>(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        let level = self.field.board();
        let ends = match ENDS[self.attempts % ENDS.len()] {
            // With more goals than boxes it is not known which of them will be full.
            _ if level.boxes().len() < level.goals().len() => Ends::Start,
            ends => ends,
        };
        let mut board = level.clone();
        // The goals are opened first: whether the start can be opened depends on the squares where its boxes
        // must go.
        if ends != Ends::Start {
            // An attempt at both ends follows one at the goals alone, with the same queue order and seed.
            let opened = match self.open_goals.take().filter(|_| ends == Ends::Both) {
                Some(board) => Continue(board),
                None => self.opened(context, &board, MoveKind::Pull)?,
            };
            board = match opened {
                Continue(board) => board,
                Break(found) => return Ok(found),
            };
            self.open_goals = (ends == Ends::Goals).then(|| board.clone());
        }
        if ends != Ends::Goals {
            board = match self.opened(context, &board, MoveKind::Push)? {
                Continue(board) => board,
                Break(found) => return Ok(found),
            };
        }
        let Some(space) = Steps::<N>::new(&board) else { return Ok(Found::NotYet) };
        let field = Field::within(&board, false, context.meter)?;
        let between = Portfolio { members: &inner(self.attempts) };
        between.run(
            &space,
            &field,
            &mut context.at(&mut BoardAnalysis::for_attempts(&field, self.tuning)),
            Some(self.work),
        )
    }

    /// The queue order and the tie-breaking seed of the attempt.
    fn ties(&self) -> (QueueOrder, u64) {
        let round = self.attempts / ENDS.len();
        (QUEUE_ORDERS[round % QUEUE_ORDERS.len()], (round / QUEUE_ORDERS.len()) as u64)
    }

    /// The level after one of its ends has been opened: the start by pushes, or the goals by pulls.
    fn opened<const N: usize>(
        &self,
        context: &mut Context<'_, '_, N>,
        board: &Board,
        kind: MoveKind,
    ) -> Result<ControlFlow<Found, Board>, Limit> {
        let Some(space) = Steps::<N>::new(board) else { return Ok(Break(Found::NotYet)) };
        let field = Field::within(board, false, context.meter)?;
        let (order, seed) = self.ties();
        let mut search = MacroBestFirst::new(&space, &field, kind, order, seed);
        if let Found::Met =
            self.open(&mut search, &mut context.at(&mut BoardAnalysis::for_attempts(&field, self.tuning)))?
        {
            return Ok(Break(Found::Met));
        }
        Ok(match (kind, search.best()) {
            (MoveKind::Push, Some(best)) => {
                Continue(board.with_goals(best.player, &best.boxes, board.goals()))
            }
            (MoveKind::Pull, Some(best)) => {
                Continue(board.with_goals(board.player(), board.boxes(), &best.boxes))
            }
            (_, None) => Break(Found::NotYet),
        })
    }

    /// Opens an end until it stops improving.
    fn open<const N: usize>(
        &self,
        search: &mut MacroBestFirst<'_, N>,
        context: &mut Context<'_, '_, N>,
    ) -> Result<Found, Limit> {
        let mut found = search.begin(context)?;
        let boxes = self.field.board().boxes().len() as u64;
        let most_idle =
            (IDLE_VISITS_PER_BOX * boxes).max(self.work / IDLE_SHARE[usize::from(self.attempts >= KINDS)]);
        let end = context.meter.expanded() + self.work;
        while matches!(found, Found::NotYet) && search.idle() < most_idle && context.meter.expanded() < end {
            found = search.advance(context, VISITS_BETWEEN_CHECKS)?;
        }
        Ok(found)
    }
}

impl<const N: usize> Member<N> for OpenEnds<'_> {
    fn begin(&mut self, _: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        Ok(Found::NotYet)
    }

    // An attempt begins when enough visits have been saved for it.
    fn advance(&mut self, context: &mut Context<'_, '_, N>, work: u64) -> Result<Found, Limit> {
        self.saved = self.saved.saturating_add(work);
        while self.saved >= self.work {
            self.saved -= self.work;
            let (used, kept) = (context.meter.ledger.used(), context.visited.bytes());
            let found = self.attempt(context);
            // The visited positions stay; everything else has been dropped.
            context.meter.ledger.rewind(used);
            context.meter.ledger.claim(context.visited.bytes() - kept)?;
            match found {
                Ok(Found::Met) => return Ok(Found::Met),
                // Its memory is released. The next attempt may need less, and the other searches go on.
                Ok(_) | Err(Limit::Memory) => {}
                Err(limit) => return Err(limit),
            }
            self.attempts += 1;
            self.work += self.work / 10;
        }
        Ok(Found::NotYet)
    }

    // Half as much again as the usual turn, for many attempts.
    fn turn(&self, turn: u64) -> u64 {
        turn * 3 / 2
    }

    fn stored(&self) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::context::with_context;
    use super::*;
    use crate::make::make;
    use crate::text;

    /// The visits of several attempts from `first` on, all of the same length; `None` if one of them finds a
    /// plan.
    fn visits(board: &Board, first: usize, attempts: usize) -> Option<Vec<u64>> {
        let (field, space) = (Field::new(board), Steps::<4>::new(board).expect("a small level"));
        with_context(&space, &field, Tuning::default(), |context| {
            let mut open_ends = OpenEnds::new(&field, Tuning::default(), first);
            let mut visits = || {
                let before = context.meter.expanded();
                open_ends.work = open_ends.tuning.first_attempt;
                let found = open_ends.advance(context, open_ends.tuning.first_attempt).expect("no limit");
                matches!(found, Found::NotYet).then(|| context.meter.expanded() - before)
            };
            (0..attempts).map(|_| visits()).collect()
        })
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
