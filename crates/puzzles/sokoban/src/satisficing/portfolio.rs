//! The portfolio of the satisficing solver: the searches for a plan of one board, which take turns.
//!
//! No member solves every level, and which one will is not known beforehand. [`PORTFOLIO`] has a row for each. A turn is a number of
//! visits, and turns grow by half each round, so the same level always gives the same plan.

use beeline_search::Limit;

use super::advisors::{FeatureConfig, Order};
use super::context::Context;
use super::features::Features;
use super::greedy::Greedy;
use super::macro_best_first::{Aim, MacroBestFirst, QueueOrder};
use super::open_ends::OpenEnds;
use super::tuning::Tuning;
use crate::Steps;
use crate::field::Field;
use crate::macro_moves::Way;
use crate::satisficing::{Found, Options};

/// A kind of search with its settings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Search {
    /// Push by push from both ends, with the seed of ties; 0 keeps the order of generation.
    Greedy(u64),
    /// Best-first search over macro moves.
    MacroBestFirst(QueueOrder),
    /// Feature space search (FESS).
    Features(FeatureConfig),
    /// Both ends opened first; the number says where in the list of attempts it begins.
    OpenEnds(usize),
}

/// Packing, connectivity and room connectivity, and nothing else.
const PLAIN: FeatureConfig = FeatureConfig {
    way: Way::Pushing,
    order: Order::Free,
    hotspots: 0,
    explorer: false,
    out_of_plan: false,
    mobile: false,
    seed: 0,
};
/// The goals in a packing order, and an advisor against out-of-plan boxes.
const STRICT: FeatureConfig =
    FeatureConfig { order: Order::Settled, out_of_plan: true, explorer: true, ..PLAIN };

/// The same, and no advisor brings a box too early.
const TIMELY: FeatureConfig = FeatureConfig { order: Order::Timely, ..STRICT };

/// The goals in any order that is possible, and an advisor against out-of-plan boxes.
const FREE: FeatureConfig = FeatureConfig { hotspots: 4, explorer: true, out_of_plan: true, ..PLAIN };

/// A member of the portfolio.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// What it is, in a few words.
    pub(crate) name: &'static str,
    /// For which levels it is there.
    pub(crate) levels: &'static str,
    pub(crate) search: Search,
}

/// A member, spelled so that the table stays readable.
const fn row(name: &'static str, levels: &'static str, search: Search) -> Row {
    Row { name, levels, search }
}

/// The members in the order in which they start. The levels are those that a member's settings are meant for. The seeds were chosen on the
/// odd levels of `XSokoban` and Sasquatch.
#[rustfmt::skip] // what it is and for which levels, then its settings
pub(crate) const PORTFOLIO: &[Row] = &[
    row("greedy pushes", "few boxes, tight floor; boxes beside their goals",
        Search::Greedy(0)),
    row("open ends", "tangled at the start, or packed tightly at the goals",
        Search::OpenEnds(0)),
    row("FESS, timely order, hotspots", "a packing order exists, and early boxes would block it",
        Search::Features(FeatureConfig { hotspots: 2, seed: 224, ..TIMELY })),
    row("FESS, free order, hotspots", "no single packing order fits",
        Search::Features(FeatureConfig { seed: 207, ..FREE })),
    row("FESS, timely order, hotspots, second seed", "as the third member, with other orders of equal moves",
        Search::Features(FeatureConfig { hotspots: 2, seed: 207, ..TIMELY })),
    row("FESS, packing order, hotspots", "a packing order exists, and boxes must come early",
        Search::Features(FeatureConfig { hotspots: 2, seed: 224, ..STRICT })),
    row("FESS, timely order, coarse hotspots", "many boxes in each other's way",
        Search::Features(FeatureConfig { hotspots: 4, seed: 225, ..TIMELY })),
    row("FESS, packing order, coarse hotspots", "many boxes in each other's way, and boxes must come early",
        Search::Features(FeatureConfig { hotspots: 4, seed: 221, ..STRICT })),
    row("FESS, packing order", "rooms to fill, boxes seldom in each other's way",
        Search::Features(STRICT)),
    row("FESS, packing and connectivity alone", "easy to pack, hard to walk",
        Search::Features(PLAIN)),
    row("FESS, packing order, no explorer", "the player's reach misleads",
        Search::Features(FeatureConfig { seed: 223, explorer: false, ..STRICT })),
    row("macro best-first", "goals that lie apart",
        Search::MacroBestFirst(QueueOrder::Past)),
    row("FESS backwards, packing order", "the goals are easier to unpack than to pack",
        Search::Features(FeatureConfig { way: Way::Pulling, seed: 222, ..STRICT })),
    row("FESS, packing order, hotspots, second seed", "as the sixth member, with other orders of equal moves",
        Search::Features(FeatureConfig { hotspots: 2, seed: 226, ..STRICT })),
    row("FESS backwards, free order", "the goals are easier to unpack, in no single order",
        Search::Features(FeatureConfig { way: Way::Pulling, explorer: true, ..PLAIN })),
    row("FESS, mobility", "few boxes can move at the start",
        Search::Features(FeatureConfig { explorer: true, mobile: true, ..PLAIN })),
    row("FESS, mobility, very coarse hotspots", "few boxes can move, and they are in each other's way",
        Search::Features(FeatureConfig { hotspots: 8, mobile: true, seed: 15, ..PLAIN })),
];

/// The members of the portfolio: what each is, and for which levels it is there.
pub fn members() -> impl Iterator<Item = (&'static str, &'static str)> {
    PORTFOLIO.iter().map(|row| (row.name, row.levels))
}

/// Attempts of the open ends by which the first attempts of two threads differ.
const ATTEMPTS_BETWEEN_THREADS: usize = 14;
/// How far apart the seeds of a member are, from thread to thread and from one seed of the caller to the next.
const SEEDS_BETWEEN_THREADS: u64 = 1000;
const SEEDS_BETWEEN_CALLS: u64 = 1_000_000;
/// The seed of the caller chooses among so many first attempts of the open ends.
const FIRST_ATTEMPTS: u64 = 1024;

impl Search {
    /// The same search for another thread and another seed of the caller. `None` if it would not differ from that of the first thread.
    fn again(self, thread: usize, seed: u64) -> Option<Self> {
        let own = |first: u64| {
            first
                .wrapping_add(SEEDS_BETWEEN_THREADS * thread as u64)
                .wrapping_add(SEEDS_BETWEEN_CALLS.wrapping_mul(seed))
        };
        match self {
            Self::Greedy(_) => Some(Self::Greedy(own(0))),
            Self::MacroBestFirst(_) => (thread == 0).then_some(self),
            Self::Features(config) => {
                Some(Self::Features(FeatureConfig { seed: own(config.seed), ..config }))
            }
            Self::OpenEnds(first) => Some(Self::OpenEnds(
                first + ATTEMPTS_BETWEEN_THREADS * thread + (seed % FIRST_ATTEMPTS) as usize,
            )),
        }
    }
}

/// The members of one thread. Every thread has the same members with other seeds, since success on hard levels depends on them.
pub(crate) fn of_thread(thread: usize, options: &Options) -> Vec<Row> {
    let rows = options.members.iter().filter_map(|&member| PORTFOLIO.get(member));
    rows.filter_map(|row| Some(Row { search: row.search.again(thread, options.seed)?, ..*row })).collect()
}

/// The members between two open positions. Every other attempt has one with a packing order.
pub(crate) fn inner(order: QueueOrder, attempt: usize) -> [Row; 4] {
    let member = |name, search| row(name, "between open ends", search);
    let settled = FeatureConfig { hotspots: 4, seed: attempt as u64, ..STRICT };
    let settled = member("FESS, packing order", Search::Features(settled));
    let plain = member("FESS, packing and connectivity alone", Search::Features(PLAIN));
    let free = member("FESS, free order, hotspots", Search::Features(FREE));
    let best_first = member("macro best-first", Search::MacroBestFirst(order));
    let greedy = member("greedy pushes", Search::Greedy(0));
    match attempt % 2 {
        0 => [best_first, greedy, plain, free],
        _ => [best_first, settled, greedy, plain],
    }
}

/// Members that start one after the other, a round apart.
const EARLY_MEMBERS: usize = 4;

/// Visits between two checks of the limits and reports of the status.
const VISITS_BETWEEN_CHECKS: u64 = 1000;

/// Members that take turns.
pub(crate) struct Portfolio<'s> {
    pub(crate) members: &'s [Row],
}

impl Portfolio<'_> {
    /// Runs until a search has an answer, or for about so many visits.
    pub(crate) fn run<const N: usize>(
        &self,
        space: &Steps<N>,
        field: &Field,
        context: &mut Context<'_, '_, N>,
        work: Option<u64>,
    ) -> Result<Found, Limit> {
        let mut members: Vec<Member<'_, N>> = Vec::new();
        let Tuning { first_turn: mut turn, rounds_between_starts, .. } = context.analysis.tuning;
        let mut round: u64 = 0;
        let end = work.map_or(u64::MAX, |work| context.meter.expanded() + work);
        loop {
            let due = members.len() < EARLY_MEMBERS || round.is_multiple_of(rounds_between_starts);
            if let Some(row) = self.members.get(members.len()).filter(|_| due) {
                let (member, found) = Member::begin(row.search, space, field, context)?;
                if !matches!(found, Found::NotYet) {
                    return Ok(found);
                }
                members.push(member);
            }
            for number in 0..members.len() {
                // A portfolio between open ends has a limit on its work, and does not report.
                if work.is_none() {
                    context.status.member = (number + 1, self.members.len(), self.members[number].name);
                }
                let mut left = members[number].turn(turn);
                while left > 0 {
                    (context.between)(context.meter, context.stats, context.status)?;
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
            context.analysis.deadlocks.study(field, context.meter)?;
            turn = turn * 3 / 2;
            round += 1;
        }
    }
}

/// A member that has started.
pub(crate) enum Member<'a, const N: usize> {
    MacroBestFirst(Box<MacroBestFirst<'a, N>>),
    Greedy(Box<Greedy<'a, N>>),
    Features(Box<Features<'a, N>>),
    OpenEnds(OpenEnds<'a>),
}

impl<'a, const N: usize> Member<'a, N> {
    /// Begins a search, which may find at once that there is a plan.
    pub(crate) fn begin(
        search: Search,
        space: &'a Steps<N>,
        field: &'a Field,
        context: &mut Context<'_, '_, N>,
    ) -> Result<(Self, Found), Limit> {
        match search {
            Search::Greedy(seed) => {
                let mut search = Box::new(Greedy::new(space, field, context.analysis.tuning, seed));
                search.begin(&mut context.meter.ledger)?;
                Ok((Self::Greedy(search), Found::NotYet))
            }
            Search::MacroBestFirst(sort) => {
                let mut search =
                    Box::new(MacroBestFirst::new(space, field, Way::Pushing, Aim::Goals, sort, 0));
                let found = search.begin(context)?;
                Ok((Self::MacroBestFirst(search), found))
            }
            Search::Features(config) => {
                // With more goals than boxes it is not known where a search backwards would begin.
                let board = field.board();
                let way = if board.boxes().len() == board.goals().len() { config.way } else { Way::Pushing };
                let config = FeatureConfig { way, ..config };
                let mut search = Box::new(Features::new(space, field, config));
                let found = search.begin(context)?;
                Ok((Self::Features(search), found))
            }
            Search::OpenEnds(first) => {
                Ok((Self::OpenEnds(OpenEnds::new(field, context.analysis.tuning, first)), Found::NotYet))
            }
        }
    }

    /// How long its turn is when the usual one is so long.
    fn turn(&self, turn: u64) -> u64 {
        match self {
            Self::Greedy(search) => search.turn(turn),
            // Many attempts in one.
            Self::OpenEnds(_) => turn * 3 / 2,
            Self::Features(search) => search.turn(turn),
            Self::MacroBestFirst(_) => turn,
        }
    }

    pub(crate) fn advance(&mut self, context: &mut Context<'_, '_, N>, work: u64) -> Result<Found, Limit> {
        match self {
            Self::MacroBestFirst(search) => search.advance(context, work),
            Self::Greedy(search) => search.advance(context, work),
            Self::Features(search) => search.advance(context, work),
            Self::OpenEnds(search) => search.advance(context, work),
        }
    }

    /// The most boxes that it has packed, if it counts them.
    fn packed(&self) -> u16 {
        match self {
            Self::Features(search) => search.packed(),
            Self::MacroBestFirst(_) | Self::Greedy(_) | Self::OpenEnds(_) => 0,
        }
    }

    fn stored(&self) -> usize {
        match self {
            Self::MacroBestFirst(search) => search.stored(),
            Self::Greedy(search) => search.stored(),
            Self::Features(search) => search.stored(),
            Self::OpenEnds(_) => 0,
        }
    }
}
