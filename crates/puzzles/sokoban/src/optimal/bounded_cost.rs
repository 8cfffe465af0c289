//! Bounded-cost search (Stern, Puzis and Felner 2011) for the fewest pushes: finds a plan whose pushes do not
//! exceed a lower bound that is proved.
//!
//! The proof raises its bound until no plan with fewer pushes is left. By then some plan within the bound
//! exists, but the proof, which visits all positions within the bound, may come to it late. Feature space
//! search (FESS) finds plans quickly where they need not be short. Here it leaves out the moves after which no
//! plan is within the bound, and most that remain are good. Both searches take turns, and the first that
//! finds a plan within the bound ends them.
//!
//! FESS with one packing order may be lost where another one leads to a plan at once. So it makes attempts
//! (restarts; Gomes, Selman and Kautz 1998), each with another seed and more visits than the one before.

use beeline_search::{Limit, Meter, Stats};

use super::{Bound, Cost};
use crate::Steps;
use crate::board::Dir;
use crate::field::Field;
use crate::satisficing::context::{BoardAnalysis, Context, PushLimit, Status};
use crate::satisficing::features::Features;
use crate::satisficing::portfolio::{Member, bounded_cost};
use crate::satisficing::visited::Visited;
use crate::satisficing::{Found, Tuning};

/// A bounded-cost search that takes turns with the proof.
pub(crate) trait BoundedCost {
    /// Visits some positions in search of a plan with at most `most` pushes.
    fn advance(
        &mut self,
        most: Cost,
        bound: &mut Bound,
        watched: (&mut Meter, &mut Stats),
        visits: u64,
    ) -> Result<Option<Vec<Dir>>, Limit>;

    /// Bytes claimed.
    fn bytes(&self) -> usize;
}

/// Visits of the first attempt under each limit; each has half as many again as the one before.
const FIRST_ATTEMPT: u64 = 2000;

/// Feature space search (FESS) with a limit on pushes.
pub(crate) struct BoundedFess<'a, const N: usize> {
    space: &'a Steps<N>,
    field: &'a Field,
    analysis: BoardAnalysis,
    /// Attempts so far, and the visits of the last one.
    attempts: u64,
    visits: u64,
    attempt: Option<Attempt<'a, N>>,
    bytes: usize,
}

/// A search under one limit, with one seed.
struct Attempt<'a, const N: usize> {
    /// The limit on pushes.
    most: Cost,
    search: Features<'a, N>,
    visited: Visited<'a, N>,
    /// Visits left.
    left: u64,
    /// `None` before the first visit.
    found: Option<Found>,
}

impl<'a, const N: usize> BoundedFess<'a, N> {
    /// For one board; nothing is computed before the first turn.
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field) -> Self {
        let analysis = BoardAnalysis::for_attempts(field, Tuning::default());
        Self { space, field, analysis, attempts: 0, visits: 0, attempt: None, bytes: 0 }
    }

    fn turn(
        &mut self,
        most: Cost,
        bound: &mut Bound,
        (meter, stats): (&mut Meter, &mut Stats),
        visits: u64,
    ) -> Result<Option<Vec<Dir>>, Limit> {
        let field = self.field;
        let mut attempt = match self.attempt.take() {
            Some(attempt) if attempt.most == most && attempt.left > 0 => attempt,
            old => self.next_attempt(old, most, meter)?,
        };
        let mut context = Context {
            meter,
            stats,
            analysis: &mut self.analysis,
            visited: &mut attempt.visited,
            status: &mut Status::default(),
            checkpoint: &mut |_, _, _| Ok(()),
            push_limit: Some(PushLimit { most, bound }),
        };
        if attempt.found.is_none() {
            attempt.found = Some(attempt.search.begin(&mut context)?);
        }
        if let Some(Found::NotYet) = attempt.found {
            attempt.left = attempt.left.saturating_sub(visits);
            attempt.found = Some(attempt.search.advance(&mut context, visits)?);
        }
        self.analysis.book(field, &mut meter.ledger)?;
        let attempt = self.attempt.insert(attempt);
        Ok(match attempt.found {
            Some(Found::Met) => attempt.visited.plan(field),
            // With nothing left to visit it waits for another limit.
            _ => None,
        })
    }

    /// The attempt after the last one. The first under a limit is short.
    fn next_attempt(
        &mut self,
        old: Option<Attempt<'a, N>>,
        most: Cost,
        meter: &mut Meter,
    ) -> Result<Attempt<'a, N>, Limit> {
        self.visits = match &old {
            Some(old) if old.most == most => self.visits + self.visits / 2,
            _ => FIRST_ATTEMPT,
        };
        match old {
            Some(old) => meter.ledger.release(old.search.bytes + old.visited.bytes()),
            None => self.analysis.deadlocks.make_pair_table(self.field, meter)?,
        }
        let search = Features::new(self.space, self.field, bounded_cost(self.attempts));
        let visited = Visited::new(self.space, self.field, &mut meter.ledger)?;
        self.attempts += 1;
        Ok(Attempt { most, search, visited, left: self.visits, found: None })
    }
}

impl<const N: usize> BoundedCost for BoundedFess<'_, N> {
    fn advance(
        &mut self,
        most: Cost,
        bound: &mut Bound,
        (meter, stats): (&mut Meter, &mut Stats),
        visits: u64,
    ) -> Result<Option<Vec<Dir>>, Limit> {
        let used = meter.ledger.used();
        let plan = self.turn(most, bound, (meter, stats), visits);
        self.bytes = self.bytes + meter.ledger.used() - used;
        plan
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
