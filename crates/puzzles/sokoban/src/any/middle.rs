//! Both ends opened first, and then the way between them.
//!
//! The start is opened by pushes, the goals by pulls, or both. What is left is a level of its own: from one open position to
//! another. Its goals lie apart from each other and its boxes can be moved, so that other searches solve it easily; the plan is
//! then put together. There are many attempts, each with a little more work than the one before, and each with other open
//! positions: which of them are good cannot be told beforehand.

use beeline_search::{Limit, Meter, Stats};

use super::super::Steps;
use super::super::board::{Board, Dir, Square};
use super::super::field::Field;
use super::super::improve::pushes_of;
use super::Found;
use super::advice::Move;
use super::carry::Way;
use super::drift::{Aim, Drift, Opened, Sort};
use super::insight::Insight;
use super::race::{Between, Race, inner};
use super::write;

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
const SORTS: [Sort; 3] = [Sort::Child, Sort::Parent, Sort::Past];
/// Visits of the first attempt; every other has a tenth more than the one before.
const FIRST: u64 = 2000;
/// An end is opened until nothing better was found for so many visits a box, or for as many as the attempt has.
const PATIENCE: u64 = 20;
/// Visits between two looks at that.
const BREATH: u64 = 50;

pub(crate) struct Middle<'a, const N: usize> {
    space: &'a Steps<N>,
    field: &'a Field,
    /// Attempts so far.
    attempts: usize,
    /// Visits of the next attempt, and those that were allowed and not yet used.
    work: u64,
    saved: u64,
}

impl<'a, const N: usize> Middle<'a, N> {
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, first: usize) -> Self {
        Self { space, field, attempts: first, work: FIRST, saved: 0 }
    }

    /// Works for about so many visits on the average: an attempt begins when enough of them have been saved for it.
    pub(crate) fn advance(
        &mut self,
        meter: &mut Meter,
        work: u64,
        insight: &mut Insight,
        stats: &mut Stats,
        between: &mut Between<'_>,
    ) -> Result<Found, Limit> {
        self.saved = self.saved.saturating_add(work);
        while self.saved >= self.work {
            self.saved -= self.work;
            let used = meter.ledger.used();
            let found = self.attempt(meter, insight, stats, between);
            meter.ledger.rewind(used);
            match found {
                Ok(Some(plan)) => return Ok(Found::Plan(plan)),
                // What it took is given back: the next attempt may do with less, and the other searches go on.
                Ok(None) | Err(Limit::Memory) => {}
                Err(limit) => return Err(limit),
            }
            self.attempts += 1;
            self.work += self.work / 10;
        }
        Ok(Found::NotYet)
    }

    fn attempt(
        &self,
        meter: &mut Meter,
        insight: &mut Insight,
        stats: &mut Stats,
        between: &mut Between<'_>,
    ) -> Result<Option<Vec<Dir>>, Limit> {
        let whole = self.field.board();
        let ends = match ENDS[self.attempts % ENDS.len()] {
            // With more goals than boxes it is not known which of them will be full.
            _ if whole.boxes().len() < whole.goals().len() => Ends::Start,
            ends => ends,
        };
        let round = self.attempts / ENDS.len();
        let (sort, seed) = (SORTS[round % SORTS.len()], (round / SORTS.len()) as u64);
        let patience = PATIENCE * whole.boxes().len() as u64;
        let mut open = |way| {
            let mut drift = Drift::new(self.space, self.field, way, Aim::Open, sort, seed);
            drift.begin(&mut meter.ledger, insight)?;
            let end = meter.expanded() + self.work;
            while drift.idle() < patience && meter.expanded() < end {
                if matches!(drift.advance(meter, BREATH, insight)?, Found::Nothing) {
                    break;
                }
            }
            Ok::<_, Limit>(drift.best())
        };
        let start = if ends == Ends::Goals { None } else { open(Way::Pushing)? };
        let goals = if ends == Ends::Start { None } else { open(Way::Pulling)? };
        let mut plan = start.as_ref().map_or(Vec::new(), |opened| write::carried(self.field, &opened.moves));
        let boxes = start.as_ref().map_or(whole.boxes(), |opened| &opened.boxes);
        let targets = goals.as_ref().map_or(whole.goals(), |opened| &opened.boxes);
        let board = whole.with_goals(walked(whole, &plan), boxes, targets);
        let Some(space) = Steps::<N>::new(&board) else { return Ok(None) };
        let searches = inner(sort);
        let race = Race { searches: &searches };
        let found = race.run(&space, &Field::new(&board), meter, Some(self.work), stats, between)?;
        let Found::Plan(between) = found else { return Ok(None) };
        plan.extend(between);
        if let Some(opened) = goals {
            let last = whole.with(walked(whole, &plan), &opened.boxes);
            plan.extend(write::carried(&Field::new(&last), &back(&opened)));
        }
        // The parts may not fit together: the player can be on the wrong side.
        Ok(Some(plan).filter(|plan| pushes_of(self.field, plan).is_some()))
    }
}

/// The pulls the other way round, each with the player where it was before it.
fn back(opened: &Opened) -> Vec<Move> {
    let befores = std::iter::once(opened.first_player).chain(opened.moves.iter().map(|mv| mv.player));
    let pairs: Vec<_> = befores.zip(&opened.moves).collect();
    pairs.into_iter().rev().map(|(player, mv)| Move { from: mv.to, to: mv.from, player }).collect()
}

/// Where the player is after these steps.
fn walked(board: &Board, steps: &[Dir]) -> Square {
    steps.iter().fold(board.player(), |at, &dir| board.next(at, dir))
}
