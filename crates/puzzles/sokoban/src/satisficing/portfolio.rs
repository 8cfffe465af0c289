//! The portfolio of the satisficing solver: the searches for a plan of one board, which take turns.
//!
//! No member solves every level, and which one will is not known beforehand. [`PORTFOLIO`] has a row for each. A turn is a number of
//! visits, and turns grow by half each round, so the same level always gives the same plan.

use beeline_search::Limit;

use super::advisors::FeatureConfig;
use super::context::Context;
use super::features::Features;
use super::greedy::Greedy;
use super::open_ends::OpenEnds;
use super::tuning::Tuning;
use crate::Steps;
use crate::field::Field;
use crate::satisficing::{Found, Options};

/// A kind of search with its settings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Search {
    /// Greedy search over single pushes, with the tie-breaking seed; 0 keeps the order of generation.
    Greedy(u64),
    /// Feature space search (FESS).
    Features(FeatureConfig),
    /// Both ends opened first; the number is the index of the first attempt.
    OpenEnds(usize),
}

/// A member of the portfolio.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// A short description.
    pub(crate) name: &'static str,
    /// The levels that it is meant for.
    pub(crate) levels: &'static str,
    pub(crate) search: Search,
}

/// A member, as a function so that the table stays readable.
const fn row(name: &'static str, levels: &'static str, search: Search) -> Row {
    Row { name, levels, search }
}

/// The members in the order in which they start. What each won in the ablation: docs/sokoban.md.
#[rustfmt::skip] // what it is and for which levels, then its settings
pub(crate) const PORTFOLIO: [Row; 4] = [
    row("greedy pushes", "few boxes, tight floor; boxes beside their goals",
        Search::Greedy(0)),
    row("open ends", "tangled at the start, or packed tightly at the goals",
        Search::OpenEnds(0)),
    row("FESS, packing order, fine hotspots", "a packing order exists",
        Search::Features(FeatureConfig { packing_order: true, hotspots: 2, seed: 0 })),
    row("FESS, free order, coarse hotspots", "no single packing order fits",
        Search::Features(FeatureConfig { packing_order: false, hotspots: 4, seed: 0 })),
];

/// FESS in an attempt to find a plan with few pushes.
pub(crate) fn bounded_cost(attempt: u64) -> FeatureConfig {
    FeatureConfig { packing_order: true, hotspots: 2, seed: attempt }
}

/// The members of the portfolio: a short description, and the levels that each is meant for.
pub fn members() -> impl Iterator<Item = (&'static str, &'static str)> {
    PORTFOLIO.iter().map(|row| (row.name, row.levels))
}

/// Attempts between the first attempts of open ends on two threads.
const ATTEMPTS_BETWEEN_THREADS: usize = 14;
/// Distance between the seeds of a member on two threads, and for two seeds of the caller.
const SEEDS_BETWEEN_THREADS: u64 = 1000;
const SEEDS_BETWEEN_CALLS: u64 = 1_000_000;
/// Number of first attempts of open ends among which the seed of the caller chooses.
const FIRST_ATTEMPTS: u64 = 1024;

impl Search {
    /// The same search with the seed for another thread and another seed of the caller.
    fn reseeded(self, member: usize, thread: usize, seed: u64) -> Self {
        let own = |first: u64| {
            first
                .wrapping_add(SEEDS_BETWEEN_THREADS * thread as u64)
                .wrapping_add(SEEDS_BETWEEN_CALLS.wrapping_mul(seed))
        };
        match self {
            Self::Greedy(_) => Self::Greedy(own(0)),
            Self::Features(config) => Self::Features(FeatureConfig { seed: own(member as u64), ..config }),
            Self::OpenEnds(first) => {
                Self::OpenEnds(first + ATTEMPTS_BETWEEN_THREADS * thread + (seed % FIRST_ATTEMPTS) as usize)
            }
        }
    }
}

/// The members of one thread. Every thread has the same members with other seeds, because success on hard
/// levels depends on the seed.
pub(crate) fn of_thread(thread: usize, options: &Options) -> Vec<Row> {
    let rows = options.members.iter().filter_map(|&member| Some((member, *PORTFOLIO.get(member)?)));
    rows.map(|(member, row)| Row { search: row.search.reseeded(member, thread, options.seed), ..row })
        .collect()
}

/// The members between two open positions. Every other attempt has one with a packing order.
pub(crate) fn inner(attempt: usize) -> [Row; 2] {
    let member = |name, search| row(name, "between open ends", search);
    let config = FeatureConfig { packing_order: attempt % 2 == 1, hotspots: 4, seed: attempt as u64 };
    [member("greedy pushes", Search::Greedy(0)), member("FESS", Search::Features(config))]
}

/// Visits between two checks of the limits and reports of the status.
const VISITS_BETWEEN_CHECKS: u64 = 1000;

/// Members that take turns.
pub(crate) struct Portfolio<'s> {
    pub(crate) members: &'s [Row],
}

impl Portfolio<'_> {
    /// Runs until a search has a result, or for about `work` visits.
    pub(crate) fn run<const N: usize>(
        &self,
        space: &Steps<N>,
        field: &Field,
        context: &mut Context<'_, '_, N>,
        work: Option<u64>,
    ) -> Result<Found, Limit> {
        let mut members: Vec<Box<dyn Member<N> + '_>> = Vec::new();
        let mut turn = context.analysis.tuning.first_turn;
        let end = work.map_or(u64::MAX, |work| context.meter.expanded() + work);
        loop {
            if let Some(row) = self.members.get(members.len()) {
                let mut member = row.search.on(space, field, context.analysis.tuning);
                match member.begin(context)? {
                    Found::NotYet => members.push(member),
                    found => return Ok(found),
                }
            }
            for number in 0..members.len() {
                // A portfolio between open ends has a limit on its work, and does not report progress.
                if work.is_none() {
                    context.status.member = (number + 1, self.members.len(), self.members[number].name);
                }
                let mut left = members[number].turn(turn);
                while left > 0 {
                    (context.checkpoint)(context.meter, context.stats, context.status)?;
                    let part = left.min(VISITS_BETWEEN_CHECKS);
                    left -= part;
                    let found = members[number].advance(context, part);
                    context.stats.stored = members.iter().map(|member| member.stored() as u64).sum();
                    match found? {
                        Found::NotYet => {}
                        found => return Ok(found),
                    }
                    context.analysis.book(field, &mut context.meter.ledger)?;
                    if work.is_none() {
                        context.status.packed = context.status.packed.max(members[number].packed());
                    }
                    if context.meter.expanded() >= end {
                        return Ok(Found::NotYet);
                    }
                }
            }
            context.analysis.deadlocks.make_pair_table(field, context.meter)?;
            turn = turn * 3 / 2;
        }
    }
}

/// A search that takes turns with others.
pub(crate) trait Member<const N: usize> {
    /// Stores the roots. There may be a plan at once.
    fn begin(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit>;

    /// Works for about this many visits.
    fn advance(&mut self, context: &mut Context<'_, '_, N>, visits: u64) -> Result<Found, Limit>;

    /// The visits of its turn when the usual turn has this many.
    fn turn(&self, turn: u64) -> u64 {
        turn
    }

    /// The most boxes that it has packed; 0 if it does not count them.
    fn packed(&self) -> u16 {
        0
    }

    /// Positions stored.
    fn stored(&self) -> usize;
}

impl Search {
    /// The search on one board; it has not begun.
    pub(crate) fn on<'a, const N: usize>(
        self,
        space: &'a Steps<N>,
        field: &'a Field,
        tuning: Tuning,
    ) -> Box<dyn Member<N> + 'a> {
        match self {
            Self::Greedy(seed) => Box::new(Greedy::new(space, field, tuning, seed)),
            Self::Features(config) => Box::new(Features::new(space, field, config)),
            Self::OpenEnds(first) => Box::new(OpenEnds::new(field, tuning, first)),
        }
    }
}
