//! Any plan, quickly: several searches take turns under one budget, each better at some levels than the others.
//!
//! `greedy` works push by push from both ends: small and tight levels. `features` carries boxes as far as they go and
//! balances several kinds of progress: large levels with rooms to fill. It is begun again with other tastes when one
//! line of work stalls. Turns grow, so no search waits for ever, and the order never depends on the clock.
//!
//! Every search is complete and every rule is sound: the first that runs out of positions proves that there is no plan.
//! The plan that is found is shortened for half as long again as finding it took.

mod advice;
mod carry;
mod drift;
mod features;
mod greedy;
mod insight;
mod lost;
mod middle;
mod packing;
mod terrain;
mod write;

use std::thread;

use beeline_search::{Budget, Cancel, Limit, Meter, Outcome, Solution, Stats, Verdict};

use super::board::{Board, Dir};
use super::field::Field;
use super::improve::improve;
use super::{Steps, WIDEST, state_bits};
use advice::Taste;
use beeline_puzzle::puzzle::Watcher;
use carry::Way;
use drift::{Aim, Drift};
use features::Features;
use greedy::Greedy;
use insight::Insight;
use middle::Middle;

/// Packing, parts and narrow ways, and nothing else.
const PLAIN: Taste =
    Taste { way: Way::Pushing, trouble: 0, ground: false, astray: false, mobile: false, seed: 0 };

/// The searches of features in the order in which they begin.
const TASTES: [Taste; 10] = [
    PLAIN,
    Taste { trouble: 4, ground: true, astray: true, ..PLAIN },
    Taste { way: Way::Pulling, ground: true, ..PLAIN },
    Taste { ground: true, mobile: true, ..PLAIN },
    Taste { ground: true, astray: true, seed: 11, ..PLAIN },
    Taste { trouble: 2, astray: true, seed: 12, ..PLAIN },
    Taste { way: Way::Pulling, mobile: true, seed: 13, ..PLAIN },
    Taste { trouble: 1, ground: true, seed: 14, ..PLAIN },
    Taste { trouble: 8, mobile: true, seed: 15, ..PLAIN },
    Taste { astray: true, seed: 16, ..PLAIN },
];

/// All searches: the greedy one, and one for each taste.
const SEARCHES: usize = 2 + TASTES.len();

/// The first turn of a search; every round is half as long again as the one before.
const TURN: u64 = 500;

/// On a level with more boxes than this the greedy search gets a quarter of a turn.
const CROWD: usize = 12;

/// Positions between two looks at whether the race is over.
const STRETCH: u64 = 1000;

/// How a turn of a search ended.
pub(crate) enum Found {
    /// There is more to do.
    NotYet,
    /// There is nothing left to do, and no plan.
    Nothing,
    /// A plan.
    Plan(Vec<Dir>),
}

/// Finds some plan. More threads share the searches among them and race; with one, the same budget of nodes always gives the
/// same answer.
pub fn solve(board: &Board, threads: usize, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
    let field = Field::new(board);
    let threads = threads.clamp(1, SEARCHES);
    let over = Cancel::default();
    let team = |first: usize, watcher: &mut dyn Watcher| {
        let bytes = budget.bytes.map(|bytes| bytes / threads);
        let cancel = if threads == 1 { budget.cancel.clone() } else { over.clone() };
        let own = Budget { bytes, cancel, ..budget.clone() };
        let team = Team { first, of: threads, outer: &budget.cancel, over: &over };
        let outcome = team.solve(&field, &own, watcher);
        if !matches!(outcome.verdict, Verdict::Stopped(_)) {
            over.cancel();
        }
        outcome
    };
    let mut outcomes = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|first| scope.spawn(move || team(first, &mut ()))).collect();
        let own = team(0, watcher);
        let others = others.into_iter().filter_map(|handle| handle.join().ok());
        std::iter::once(own).chain(others).collect::<Vec<_>>()
    });
    let decided = outcomes.iter().position(|o| !matches!(o.verdict, Verdict::Stopped(_)));
    let mut outcome = outcomes.swap_remove(decided.unwrap_or(0));
    for other in &outcomes {
        outcome.stats.absorb(&other.stats);
    }
    shorten(board, &mut outcome, budget);
    outcome
}

/// Shortens the plan of an outcome with half as many expansions as were needed to find it, in the time that is left.
fn shorten(board: &Board, outcome: &mut Outcome<Dir>, budget: &Budget) {
    let Verdict::Solved(solution) = &mut outcome.verdict else { return };
    let left = Budget {
        nodes: Some(outcome.stats.expanded / 2),
        time: budget.time.map(|time| time.saturating_sub(outcome.stats.elapsed)),
        ..budget.clone()
    };
    solution.moves = improve(board, &solution.moves, &left);
    solution.cost = solution.moves.len() as u64;
}

/// The searches that one thread does.
struct Team<'a> {
    first: usize,
    of: usize,
    outer: &'a Cancel,
    over: &'a Cancel,
}

impl Team<'_> {
    fn solve(&self, field: &Field, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
        let mut meter = Meter::new(budget);
        let mut stats = Stats::default();
        let board = field.board();
        let found = match state_bits(board) {
            0..=256 => match Steps::<4>::new(board) {
                Some(space) => self.run(&space, field, &mut meter, &mut stats, watcher),
                None => Ok(None),
            },
            _ => self.run::<WIDEST>(&Steps::widest(board), field, &mut meter, &mut stats, watcher),
        };
        let verdict = match found {
            Ok(Some(moves)) => {
                let cost = moves.len() as u64;
                Verdict::Solved(Solution { moves, cost, lower_bound: 0 })
            }
            Ok(None) => Verdict::Exhausted,
            Err(limit) => Verdict::Stopped(limit),
        };
        stats.expanded = meter.expanded();
        stats.close(&meter);
        Outcome { verdict, stats }
    }

    fn run<const N: usize>(
        &self,
        space: &Steps<N>,
        field: &Field,
        meter: &mut Meter,
        stats: &mut Stats,
        watcher: &mut dyn Watcher,
    ) -> Result<Option<Vec<Dir>>, Limit> {
        meter.look()?;
        let board = field.board();
        if board.lost() > 0 || !board.boxes().iter().all(|&b| field.alive(b)) {
            return Ok(None);
        }
        if board.boxes().iter().all(|&b| board.is_goal(b)) {
            return Ok(Some(Vec::new()));
        }
        if std::env::var_os("BEELINE_MIDDLE").is_some() {
            let mut middle = Middle::new(space, field);
            let mut insight = Insight::new(field);
            insight.lost.study(field);
            let mut work = 4000;
            loop {
                if let Found::Plan(plan) = middle.advance(meter, work, &mut insight, stats)? {
                    return Ok(Some(plan));
                }
                work = work * 5 / 4;
            }
        }
        let mut race = Race { first: self.first, of: self.of, ..Race::new(space, field) };
        let found = race.run(meter, None, stats, &mut |meter, stats| {
            if self.outer.is_cancelled() {
                self.over.cancel();
                return Err(Limit::Cancelled);
            }
            stats.expanded = meter.expanded();
            stats.bytes = meter.ledger.used();
            watcher.tick(stats);
            Ok(())
        })?;
        Ok(match found {
            Found::Plan(plan) => Some(plan),
            Found::Nothing | Found::NotYet => None,
        })
    }
}

/// What is asked between two stretches of work.
type Between<'a> = &'a mut dyn FnMut(&mut Meter, &mut Stats) -> Result<(), Limit>;

/// The searches for a plan of one board, which take turns.
pub(crate) struct Race<'a, const N: usize> {
    space: &'a Steps<N>,
    field: &'a Field,
    /// The number of the first search, and the step to the next.
    first: usize,
    of: usize,
    /// Is it a part of another race?
    inner: bool,
}

impl<'a, const N: usize> Race<'a, N> {
    /// All searches but the one that would begin another race.
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field) -> Self {
        Self { space, field, first: 0, of: 1, inner: false }
    }

    /// Runs until a search has an answer, or for about so many visits.
    pub(crate) fn run(
        &mut self,
        meter: &mut Meter,
        work: Option<u64>,
        stats: &mut Stats,
        between: Between<'_>,
    ) -> Result<Found, Limit> {
        let field = self.field;
        let mut insight = Insight::new(field);
        let mut lines: Vec<Line<'_, N>> = Vec::new();
        let mut turn = TURN;
        let end = work.map_or(u64::MAX, |work| meter.expanded() + work);
        loop {
            let next = self.first + self.of * lines.len();
            if next < SEARCHES {
                lines.push(Line::begin(next, self.space, field, meter, &mut insight, stats)?);
            }
            for number in 0..lines.len() {
                let crowded =
                    matches!(lines[number], Line::Greedy(_)) && field.board().boxes().len() > CROWD;
                let mut left = if crowded { turn / 4 } else { turn };
                while left > 0 {
                    let work = left.min(STRETCH);
                    left -= work;
                    let found = lines[number].advance(meter, work, &mut insight, stats);
                    stats.stored = lines.iter().map(|line| line.stored() as u64).sum();
                    match found? {
                        Found::NotYet => {}
                        found => return Ok(found),
                    }
                    insight.book(field, &mut meter.ledger)?;
                    between(meter, stats)?;
                    if meter.expanded() >= end {
                        return Ok(Found::NotYet);
                    }
                }
            }
            insight.lost.study(field);
            turn = turn * 3 / 2;
        }
    }
}

/// One search of several.
enum Line<'a, const N: usize> {
    Drift(Box<Drift<'a, N>>),
    Greedy(Box<Greedy<'a, N>>),
    Features(Box<Features<'a, N>>),
}

impl<'a, const N: usize> Line<'a, N> {
    /// Begins a search by its number, below [`SEARCHES`].
    fn begin(
        number: usize,
        space: &'a Steps<N>,
        field: &'a Field,
        meter: &mut Meter,
        insight: &mut Insight,
        stats: &mut Stats,
    ) -> Result<Self, Limit> {
        if number == 0 {
            let mut search = Box::new(Drift::new(space, field, Way::Pushing, Aim::Goals, 0));
            search.begin(&mut meter.ledger, insight)?;
            return Ok(Self::Drift(search));
        }
        match number.checked_sub(2).and_then(|i| TASTES.get(i)) {
            None => {
                let mut search = Box::new(Greedy::new(space, field));
                search.begin(meter)?;
                Ok(Self::Greedy(search))
            }
            Some(&taste) => {
                // With more goals than boxes it is not known where a search backwards would begin.
                let board = field.board();
                let way = if board.boxes().len() == board.goals().len() { taste.way } else { Way::Pushing };
                let taste = Taste { way, ..taste };
                let mut search = Box::new(Features::new(space, field, taste));
                search.begin(meter, insight, stats)?;
                Ok(Self::Features(search))
            }
        }
    }

    fn advance(
        &mut self,
        meter: &mut Meter,
        work: u64,
        insight: &mut Insight,
        stats: &mut Stats,
    ) -> Result<Found, Limit> {
        match self {
            Self::Drift(search) => match search.advance(meter, work, insight)? { Found::Nothing => Ok(Found::NotYet), found => Ok(found) },
            Self::Greedy(search) => search.advance(meter, work, &mut insight.lost, stats),
            Self::Features(search) => search.advance(meter, work, insight, stats),
        }
    }

    fn stored(&self) -> usize {
        match self {
            Self::Drift(search) => search.stored(),
            Self::Greedy(search) => search.stored(),
            Self::Features(search) => search.stored(),
        }
    }
}

#[cfg(test)]
mod tests;
