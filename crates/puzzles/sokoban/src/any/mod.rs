//! Any plan, quickly: several searches take turns under one budget, each better at some levels than the others.
//!
//! [`greedy`] works push by push from both ends: small and tight levels. [`features`] carries boxes as far as they go and
//! balances several kinds of progress: large levels with rooms to fill. It is started again with other tastes when one
//! line of work stalls. Turns grow, so no search waits for ever, and the order never depends on the clock.

mod carry;
mod features;
mod greedy;
mod insight;
mod lost;
mod packing;
mod terrain;
mod write;

use beeline_search::{Budget, Limit, Meter, Outcome, Solution, Stats, Verdict};

use super::board::{Board, Dir};
use super::field::Field;
use super::{Steps, WIDEST, state_bits};
use beeline_puzzle::puzzle::Watcher;
use carry::Way;
use features::{Features, Taste};
use greedy::Greedy;
use insight::Insight;

/// How a turn of a search ended.
pub(crate) enum Found {
    /// There is more to do.
    NotYet,
    /// There is nothing left to do, and no plan.
    Nothing,
    /// A plan.
    Plan(Vec<Dir>),
}

/// Finds some plan.
pub fn solve(board: &Board, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
    let field = Field::new(board);
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let found = match state_bits(board) {
        0..=256 => Steps::<4>::new(board).map(|space| run(&space, &field, &mut meter, &mut stats, watcher)),
        _ => Some(run::<WIDEST>(&Steps::widest(board), &field, &mut meter, &mut stats, watcher)),
    };
    let verdict = match found {
        Some(Ok(Some(moves))) => {
            let cost = moves.len() as u64;
            Verdict::Solved(Solution { moves, cost, lower_bound: 0 })
        }
        Some(Ok(None)) => Verdict::Exhausted,
        Some(Err(limit)) => Verdict::Stopped(limit),
        None => Verdict::GaveUp,
    };
    stats.expanded = meter.expanded();
    stats.close(&meter);
    Outcome { verdict, stats }
}

/// The searches in the order in which they begin.
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

/// Packing, parts and narrow ways, and nothing else.
const PLAIN: Taste =
    Taste { way: Way::Pushing, trouble: 0, ground: false, astray: false, mobile: false, seed: 0 };

enum Line<'a, const N: usize> {
    Greedy(Box<Greedy<'a, N>>),
    Features(Box<Features<'a, N>>),
}

impl<const N: usize> Line<'_, N> {
    fn advance(
        &mut self,
        meter: &mut Meter,
        work: u64,
        insight: &mut Insight,
        stats: &mut Stats,
    ) -> Result<Found, Limit> {
        match self {
            Self::Greedy(search) => search.advance(meter, work, &mut insight.lost, stats),
            Self::Features(search) => search.advance(meter, work, insight, stats),
        }
    }

    fn stored(&self) -> usize {
        match self {
            Self::Greedy(search) => search.stored(),
            Self::Features(search) => search.stored(),
        }
    }
}

/// The first turn of a search; every round is half as long again as the one before.
const TURN: u64 = 500;

fn run<const N: usize>(
    space: &Steps<N>,
    field: &Field,
    meter: &mut Meter,
    stats: &mut Stats,
    watcher: &mut dyn Watcher,
) -> Result<Option<Vec<Dir>>, Limit> {
    meter.look()?;
    let board = field.board();
    if board.boxes().iter().all(|&b| board.is_goal(b)) && board.lost() == 0 {
        return Ok(Some(Vec::new()));
    }
    if board.lost() > 0 || !board.boxes().iter().all(|&b| field.alive(b)) {
        return Ok(None);
    }
    let mut insight = Insight::new(field);
    let mut lines: Vec<Line<'_, N>> = Vec::new();
    let only: Option<usize> = std::env::var("VAR").ok().map(|x| x.parse().unwrap());
    let mut turn = TURN;
    loop {
        if lines.is_empty() && only.is_none() {
            let mut search = Box::new(Greedy::new(space, field));
            search.begin(meter)?;
            lines.push(Line::Greedy(search));
        } else if only.is_none() || lines.is_empty() {
        if let Some(&taste) = TASTES.get(only.unwrap_or_else(|| lines.len() - 1)) {
            let mut search = Box::new(Features::new(space, field, taste));
            search.begin(meter, &mut insight, stats)?;
            lines.push(Line::Features(search));
        }
        }
        for line in &mut lines {
            let found = line.advance(meter, turn, &mut insight, stats)?;
            match found {
                Found::NotYet => {}
                Found::Nothing => return Ok(None),
                Found::Plan(plan) => return Ok(Some(plan)),
            }
            insight.book(field, &mut meter.ledger)?;
            stats.expanded = meter.expanded();
            watcher.tick(stats);
        }
        stats.stored = lines.iter().map(|line| line.stored() as u64).sum();
        insight.lost.study(field);
        turn = turn * 3 / 2;
    }
}
