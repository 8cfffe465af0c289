//! Any plan, quickly: several searches take turns under one budget, each better at some levels than the others.
//!
//! [`greedy`] works push by push from both ends: small and tight levels. [`features`] carries boxes as far as they go and
//! balances several kinds of progress: large levels with rooms to fill. It is started again with other tastes when one
//! line of work stalls. Turns grow, so no search waits for ever, and the order never depends on the clock.

mod carry;
mod features;
mod greedy;
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
const TASTES: [Taste; 9] = [
    Taste { way: Way::Pushing, trouble: 0, ground: false, astray: false, seed: 0 },
    Taste { way: Way::Pushing, trouble: 4, ground: true, astray: true, seed: 0 },
    Taste { way: Way::Pulling, trouble: 0, ground: true, astray: false, seed: 0 },
    Taste { way: Way::Pushing, trouble: 0, ground: true, astray: true, seed: 0 },
    Taste { way: Way::Pushing, trouble: 2, ground: false, astray: true, seed: 11 },
    Taste { way: Way::Pushing, trouble: 0, ground: true, astray: false, seed: 12 },
    Taste { way: Way::Pushing, trouble: 1, ground: true, astray: false, seed: 13 },
    Taste { way: Way::Pushing, trouble: 8, ground: false, astray: false, seed: 14 },
    Taste { way: Way::Pushing, trouble: 0, ground: false, astray: true, seed: 15 },
];

enum Line<'a, const N: usize> {
    Greedy(Box<Greedy<'a, N>>),
    Features(Box<Features<'a, N>>),
}

impl<const N: usize> Line<'_, N> {
    fn advance(&mut self, meter: &mut Meter, work: u64, stats: &mut Stats) -> Result<Found, Limit> {
        match self {
            Self::Greedy(search) => search.advance(meter, work, stats),
            Self::Features(search) => search.advance(meter, work, stats),
        }
    }

    fn stored(&self) -> usize {
        match self {
            Self::Greedy(search) => search.stored(),
            Self::Features(search) => search.stored(),
        }
    }
}

/// The first turn of a search; every round is twice as long as the one before.
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
    let only: Option<usize> = std::env::var("VAR").ok().map(|x| x.parse().unwrap());
    let mut lines: Vec<Line<'_, N>> = Vec::new();
    let mut turn = TURN;
    loop {
        let next = lines.len();
        if next == 0 && only.is_none() {
            let mut search = Box::new(Greedy::new(space, field));
            search.begin(meter)?;
            lines.push(Line::Greedy(search));
        }
        let taste = if let Some(v) = only { if next > 0 { None } else { TASTES.get(v) } } else { TASTES.get(next.saturating_sub(1)) };
        if let Some(&taste) = taste {
            let mut search = Box::new(Features::new(space, field, taste));
            search.begin(meter, stats)?;
            lines.push(Line::Features(search));
        }
        for line in &mut lines {
            let found = line.advance(meter, turn, stats);
            stats.expanded = meter.expanded();
            if std::env::var_os("DBG").is_some() && found.is_err() && let Line::Features(f) = line {
                eprintln!("best {} of {:?} {:?}", f.best, f.cells(), stats);
            }
            match found? {
                Found::NotYet => {}
                Found::Nothing => return Ok(None),
                Found::Plan(plan) => return Ok(Some(plan)),
            }
        }
        stats.stored = lines.iter().map(|line| line.stored() as u64).sum();
        watcher.tick(stats);
        turn *= 2;
    }
}
