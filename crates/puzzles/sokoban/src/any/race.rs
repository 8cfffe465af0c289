//! The searches for a plan of one board, which take turns.

use beeline_search::Limit;

use super::super::Steps;
use super::super::field::Field;
use super::Found;
use super::advice::{Order, Taste};
use super::carry::Way;
use super::drift::{Aim, Drift, Sort};
use super::features::Features;
use super::greedy::Greedy;
use super::insight::Desk;
use super::middle::Middle;

/// A way to look for a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Search {
    /// Push by push from both ends: how much more a push still to come counts than one already made, and the seed of ties.
    Greedy(u32, u64),
    /// Boxes carried to where the position has the best rank.
    Drift(Sort),
    /// By the features of positions.
    Features(Taste),
    /// By way of open positions; the number says where in the list of attempts it begins.
    Middle(usize),
}

/// Packing, parts and narrow ways, and nothing else.
const PLAIN: Taste = Taste {
    way: Way::Pushing,
    order: Order::Free,
    trouble: 0,
    ground: false,
    astray: false,
    mobile: false,
    seed: 0,
};
/// The goals by a plan, no box left astray.
const STRICT: Taste = Taste { order: Order::Settled, astray: true, ground: true, ..PLAIN };

/// And none brought too early.
const TIMELY: Taste = Taste { order: Order::Timely, ..STRICT };

/// The goals in any order that is possible, no box left astray.
const FREE: Taste = Taste { trouble: 4, ground: true, astray: true, ..PLAIN };

/// How greedy the search push by push is: on the first thread, the second, and so on.
const GREED: [u32; 3] = [3, 10, 6];

/// The searches in the order in which they begin.
pub(crate) const OUTER: &[Search] = &[
    Search::Greedy(GREED[0], 0),
    Search::Middle(0),
    Search::Features(Taste { trouble: 2, seed: 224, ..TIMELY }),
    Search::Features(Taste { seed: 207, ..FREE }),
    Search::Features(Taste { trouble: 2, seed: 207, ..TIMELY }),
    Search::Features(Taste { trouble: 2, seed: 224, ..STRICT }),
    Search::Features(Taste { trouble: 4, seed: 225, ..TIMELY }),
    Search::Features(Taste { trouble: 4, seed: 221, ..STRICT }),
    Search::Features(STRICT),
    Search::Features(PLAIN),
    Search::Features(Taste { seed: 223, ground: false, ..STRICT }),
    Search::Drift(Sort::Past),
    Search::Features(Taste { way: Way::Pulling, seed: 222, ..STRICT }),
    Search::Features(Taste { trouble: 2, seed: 226, ..STRICT }),
    Search::Features(Taste { way: Way::Pulling, ground: true, ..PLAIN }),
    Search::Features(Taste { ground: true, mobile: true, ..PLAIN }),
    Search::Features(Taste { trouble: 8, mobile: true, seed: 15, ..PLAIN }),
];

/// Where in the list of attempts the search by way of open positions begins on the next thread.
const APART: usize = 14;
/// And how far apart the seeds are, from thread to thread and from one seed of the caller to the next.
const DICE: u64 = 1000;
const SEEDS: u64 = 1_000_000;
/// With a seed of the caller, the search by way of open positions begins at one of so many attempts.
const BEGINNINGS: u64 = 1024;

impl Search {
    /// The search of another thread in the place of this one: the same with other seeds. What has none is not done twice. The seed of
    /// the caller is added to all of them.
    fn again(self, thread: usize, seed: u64) -> Option<Self> {
        let own =
            |first: u64| first.wrapping_add(DICE * thread as u64).wrapping_add(SEEDS.wrapping_mul(seed));
        match self {
            Self::Greedy(..) => GREED.get(thread).map(|&greed| Self::Greedy(greed, seed)),
            Self::Drift(_) => (thread == 0).then_some(self),
            Self::Features(taste) => Some(Self::Features(Taste { seed: own(taste.seed), ..taste })),
            Self::Middle(first) => Some(Self::Middle(first + APART * thread + (seed % BEGINNINGS) as usize)),
        }
    }

    /// Its name in a progress line.
    fn name(self) -> &'static str {
        match self {
            Self::Greedy(..) => "greedy pushes",
            Self::Drift(_) => "macro moves",
            Self::Features(Taste { way: Way::Pulling, .. }) => "features, backwards",
            Self::Features(_) => "features",
            Self::Middle(_) => "open positions",
        }
    }
}

/// The searches of one thread. The first does what there is to do; on hard levels success depends on the dice, so the others
/// do it again with other ones.
pub(crate) fn of_thread(thread: usize, seed: u64) -> Vec<Search> {
    OUTER.iter().filter_map(|search| search.again(thread, seed)).collect()
}

/// The searches between two open positions: in every other attempt the goals are filled by a plan.
pub(crate) fn inner(sort: Sort, attempt: usize) -> [Search; 4] {
    let settled = Taste { trouble: 4, seed: attempt as u64, ..STRICT };
    let [plain, free, settled] = [PLAIN, FREE, settled].map(Search::Features);
    let greedy = Search::Greedy(GREED[0], 0);
    match attempt % 2 {
        0 => [Search::Drift(sort), greedy, plain, free],
        _ => [Search::Drift(sort), settled, greedy, plain],
    }
}

/// The first turn of a search; every round is half as long again as the one before.
const TURN: u64 = 500;

/// In each of the first rounds a search begins. The others are there for what these cannot do, and take time from them: they begin
/// in every third round.
const FIRST: usize = 4;
const PAUSE: usize = 3;

/// Positions between two looks at whether the race is over.
const STRETCH: u64 = 1000;

/// Searches that take turns.
pub(crate) struct Race<'s> {
    pub(crate) searches: &'s [Search],
}

impl Race<'_> {
    /// Runs until a search has an answer, or for about so many visits.
    pub(crate) fn run<const N: usize>(
        &self,
        space: &Steps<N>,
        field: &Field,
        desk: &mut Desk<'_, '_, N>,
        work: Option<u64>,
    ) -> Result<Found, Limit> {
        let mut lines: Vec<Line<'_, N>> = Vec::new();
        let mut turn = TURN;
        let mut round: usize = 0;
        let end = work.map_or(u64::MAX, |work| desk.meter.expanded() + work);
        loop {
            let due = lines.len() < FIRST || round.is_multiple_of(PAUSE);
            if let Some(&search) = self.searches.get(lines.len()).filter(|_| due) {
                let (line, found) = Line::begin(search, space, field, desk)?;
                if !matches!(found, Found::NotYet) {
                    return Ok(found);
                }
                lines.push(line);
            }
            for number in 0..lines.len() {
                // A race between open positions is a part of a search of the outer one, which has no end.
                if work.is_none() {
                    desk.status.member = (number + 1, self.searches.len(), self.searches[number].name());
                }
                let mut left = lines[number].turn(turn);
                while left > 0 {
                    let part = left.min(STRETCH);
                    left -= part;
                    let found = lines[number].advance(desk, part);
                    desk.stats.stored = lines.iter().map(|line| line.stored() as u64).sum();
                    match found? {
                        Found::NotYet => {}
                        found => return Ok(found),
                    }
                    desk.insight.book(field, &mut desk.meter.ledger)?;
                    if work.is_none() {
                        desk.status.packed = desk.status.packed.max(lines[number].packed());
                    }
                    (desk.between)(desk.meter, desk.stats, desk.status)?;
                    if desk.meter.expanded() >= end {
                        return Ok(Found::NotYet);
                    }
                }
            }
            desk.insight.lost.study(field, desk.meter)?;
            turn = turn * 3 / 2;
            round += 1;
        }
    }
}

/// One search of several.
pub(crate) enum Line<'a, const N: usize> {
    Drift(Box<Drift<'a, N>>),
    Greedy(Box<Greedy<'a, N>>),
    Features(Box<Features<'a, N>>),
    Middle(Middle<'a>),
}

impl<'a, const N: usize> Line<'a, N> {
    /// Begins a search, which may find at once that there is a plan.
    pub(crate) fn begin(
        search: Search,
        space: &'a Steps<N>,
        field: &'a Field,
        desk: &mut Desk<'_, '_, N>,
    ) -> Result<(Self, Found), Limit> {
        match search {
            Search::Greedy(greed, seed) => {
                let mut search = Box::new(Greedy::new(space, field, greed, seed));
                search.begin(&mut desk.meter.ledger)?;
                Ok((Self::Greedy(search), Found::NotYet))
            }
            Search::Drift(sort) => {
                let mut search = Box::new(Drift::new(space, field, Way::Pushing, Aim::Goals, sort, 0));
                let found = search.begin(desk)?;
                Ok((Self::Drift(search), found))
            }
            Search::Features(taste) => {
                // With more goals than boxes it is not known where a search backwards would begin.
                let board = field.board();
                let way = if board.boxes().len() == board.goals().len() { taste.way } else { Way::Pushing };
                let taste = Taste { way, ..taste };
                let mut search = Box::new(Features::new(space, field, taste));
                let found = search.begin(desk)?;
                Ok((Self::Features(search), found))
            }
            Search::Middle(first) => Ok((Self::Middle(Middle::new(field, first)), Found::NotYet)),
        }
    }

    /// How long its turn is when the usual one is so long.
    fn turn(&self, turn: u64) -> u64 {
        match self {
            Self::Greedy(search) => search.turn(turn),
            // Many attempts in one.
            Self::Middle(_) => turn * 3 / 2,
            Self::Features(search) => search.turn(turn),
            Self::Drift(_) => turn,
        }
    }

    pub(crate) fn advance(&mut self, desk: &mut Desk<'_, '_, N>, work: u64) -> Result<Found, Limit> {
        match self {
            Self::Drift(search) => search.advance(desk, work),
            Self::Greedy(search) => search.advance(desk, work),
            Self::Features(search) => search.advance(desk, work),
            Self::Middle(search) => search.advance(desk, work),
        }
    }

    /// The most boxes that it has packed, if it counts them.
    fn packed(&self) -> u16 {
        match self {
            Self::Features(search) => search.packed(),
            Self::Drift(_) | Self::Greedy(_) | Self::Middle(_) => 0,
        }
    }

    fn stored(&self) -> usize {
        match self {
            Self::Drift(search) => search.stored(),
            Self::Greedy(search) => search.stored(),
            Self::Features(search) => search.stored(),
            Self::Middle(_) => 0,
        }
    }
}
