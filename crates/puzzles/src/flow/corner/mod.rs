//! The strongest solver: sweeps by the corner theorem.
//!
//! **Theorem.** In an answer, let a path turn at a free cell. Then the cell diagonally inside the turn is a wall, an end, or a
//! turn of the same orientation. The proof is in docs/corner-theorem.md. So every turn stands in a diagonal run of equal turns
//! that begins at an end or a wall, and an answer is fixed by four run lengths for each of these.
//!
//! [`sweep`](self::sweep) walks the anti-diagonals from one corner and decides run lengths as it meets them. Four such searches, one
//! from each corner, take turns with growing shares: the time is that of the luckiest corner, times a small constant.
//! All of them are complete, so whichever ends first has the proof.

mod layout;
mod memo;
mod sweep;

use beeline_search::{Budget, Limit, Meter, Stats};

use super::board::{Board, DIRS, Paths, Rule};
use layout::{CORNERS, Layout, drawn_links};
use sweep::{Pause, Sweep};

/// What a solver found out.
#[derive(Clone, Debug)]
pub struct Found {
    /// Answers, as many as were asked for; all different.
    pub answers: Vec<Paths>,
    /// Are these all there are?
    pub all: bool,
    /// What stopped the search, if a limit did.
    pub stopped: Option<Limit>,
    /// The figures: `expanded` counts decisions.
    pub stats: Stats,
}

/// The first share of each corner, in steps; the first corner gets more, for it is the likeliest.
const FIRST_SHARE: u64 = 1 << 12;
const SHARE: u64 = 1 << 10;

/// Finds up to `limit` answers of a board that is to be filled.
///
/// The rule of the board is not looked at: an answer of this solver fills every cell.
pub fn solve(board: &Board, limit: usize, budget: &Budget, mut tick: impl FnMut(&Stats)) -> Found {
    debug_assert!(board.rule == Rule::Fill, "the corner theorem needs a board that is filled");
    let mut meter = Meter::new(budget);
    let mut found = Found { answers: Vec::new(), all: false, stopped: None, stats: Stats::default() };
    if let Err(stop) = search(board, limit, &mut meter, &mut found, &mut tick) {
        found.stopped = Some(stop);
    }
    found.stats.close(&meter);
    found
}

struct Corner {
    sweep: Sweep,
    answers: Vec<Paths>,
}

fn search(
    board: &Board,
    limit: usize,
    meter: &mut Meter,
    found: &mut Found,
    tick: &mut impl FnMut(&Stats),
) -> Result<(), Limit> {
    meter.look()?;
    if limit == 0 {
        return Ok(());
    }
    let links = drawn_links(board);
    let mut order = CORNERS;
    order.sort_by_key(|&turn| Layout::lateness(board, turn));
    let mut corners: Vec<Corner> = Vec::with_capacity(order.len());
    let mut share = FIRST_SHARE;
    for round in 0u32.. {
        for (i, &turn) in order.iter().enumerate() {
            if i == corners.len() {
                let sweep = Sweep::new(Layout::new(board, turn, &links), &mut meter.ledger)?;
                corners.push(Corner { sweep, answers: Vec::new() });
            }
            let before = corners[i].sweep.steps;
            let done = turn_of(&mut corners[i], board, limit, share, round > 0 || i > 0, meter);
            found.stats.expanded += corners[i].sweep.steps - before;
            let done = done?;
            if corners[i].answers.len() > found.answers.len() {
                found.answers.clone_from(&corners[i].answers);
            }
            if done || found.answers.len() >= limit {
                found.answers = std::mem::take(&mut corners[i].answers);
                found.all = found.answers.len() < limit;
                return Ok(());
            }
            spend(meter, found.stats.expanded)?;
            tick(&found.stats);
            if round == 0 {
                share = SHARE;
            }
        }
        share = SHARE << (round + 1).min(10);
    }
    Ok(())
}

/// Books the steps with the meter, and looks at the limits.
fn spend(meter: &mut Meter, steps: u64) -> Result<(), Limit> {
    while meter.expanded() < steps {
        meter.count();
    }
    meter.look()
}

/// Lets one corner search for its share; `true` when it has all answers or enough of them.
fn turn_of(
    corner: &mut Corner,
    board: &Board,
    limit: usize,
    share: u64,
    remember: bool,
    meter: &mut Meter,
) -> Result<bool, Limit> {
    let end = corner.sweep.steps + share;
    while corner.sweep.steps < end {
        let left = end - corner.sweep.steps;
        match corner.sweep.run(left, remember, &mut meter.ledger)? {
            Pause::Exhausted => return Ok(true),
            Pause::Quantum => return Ok(false),
            Pause::Candidate => {
                corner.sweep.kept += 1;
                let paths = corner.sweep.paths(board);
                if apart(board, &paths) {
                    corner.answers.push(paths);
                    if corner.answers.len() >= limit {
                        return Ok(true);
                    }
                }
            }
        }
    }
    Ok(false)
}

/// Does no path touch itself? The sweep does not see it, for the two sides of a touch may be far apart in time.
fn apart(board: &Board, paths: &Paths) -> bool {
    let owner = paths.colours(board);
    (0..board.cells().len()).all(|at| {
        DIRS.into_iter().all(|dir| match board.neighbour(at, dir) {
            Some(n) => owner[at].is_none() || owner[at] != owner[n] || paths.links[at] & Paths::bit(dir) != 0,
            None => true,
        })
    })
}

/// What the drawn steps say: cells with the links that are there and those that are not.
pub(super) fn drawn(board: &Board) -> Vec<(usize, u8, u8)> {
    drawn_links(board).into_iter().map(|f| (f.at, f.yes, f.no)).collect()
}
