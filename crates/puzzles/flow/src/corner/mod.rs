//! The strongest solver: sweeps by the corner theorem.
//!
//! **Theorem.** In an answer, let a path turn at a free cell. Then the cell diagonally inside the turn is a wall, an end, or a
//! turn of the same orientation. The proof is in docs/corner-theorem.md. So every turn stands in a diagonal run of equal turns
//! that begins at an end or a wall, and an answer is fixed by four run lengths for each of these.
//!
//! `sweep` walks the anti-diagonals from one corner and decides run lengths as it meets them. Four such searches, one
//! from each corner, take turns with growing shares: the time is that of the luckiest corner, times a small constant.
//! All of them are complete, so whichever ends first has the proof.

mod deduce;
mod layout;
mod memo;
mod sweep;

use beeline_search::{Budget, Limit, Meter, Stats};

use super::board::{Board, DIRS, Paths, Rule};
use deduce::Deduction;
use layout::{CORNERS, Forced, Layout, Turn, drawn_links};
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

/// How the work is shared out. The default is right for all boards; tests use others, to reach every part with small ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// What the likeliest corner may try before anything is deduced: by default enough for nearly every board of the size that
    /// people play.
    pub first: u64,
    /// What it may try again when what follows link by link is known, and the other corners a quarter of that: enough for
    /// most large boards.
    pub second: u64,
    /// The share of each corner in the first round after probing; it doubles from round to round.
    pub next: u64,
}

impl Default for Shares {
    fn default() -> Self {
        Self { first: 1 << 13, second: 1 << 17, next: 1 << 12 }
    }
}

/// On larger boards (in cells) deduction costs little beside the search that it saves.
const SMALL: usize = 400;

/// Deduction looks at the limits after so much work.
const PORTION: u64 = 1 << 15;

/// Finds up to `limit` answers of a board that is to be filled.
///
/// The rule of the board is not looked at: an answer of this solver fills every cell.
pub fn solve(board: &Board, limit: usize, budget: &Budget, tick: impl FnMut(&Stats)) -> Found {
    solve_with(board, limit, Shares::default(), budget, tick)
}

/// The same, with the work shared out in another way.
pub fn solve_with(
    board: &Board,
    limit: usize,
    shares: Shares,
    budget: &Budget,
    mut tick: impl FnMut(&Stats),
) -> Found {
    debug_assert!(board.rule == Rule::Fill, "the corner theorem needs a board that is filled");
    let mut meter = Meter::new(budget);
    let mut found = Found { answers: Vec::new(), all: false, stopped: None, stats: Stats::default() };
    if let Err(stop) = search(board, limit, shares, &mut meter, &mut found, &mut tick) {
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
    shares: Shares,
    meter: &mut Meter,
    found: &mut Found,
    tick: &mut impl FnMut(&Stats),
) -> Result<(), Limit> {
    meter.look()?;
    if limit == 0 {
        return Ok(());
    }
    let mut order = CORNERS;
    order.sort_by_key(|&turn| Layout::lateness(board, turn));
    if board.cells().len() <= SMALL {
        let mut corner = Corner::new(board, order[0], &drawn_links(board), meter)?;
        if corner.turn(board, limit, shares.first, false, meter, found)? {
            return Ok(());
        }
    }
    let mut deduction = Deduction::new(board);
    let sound = deduction.begin(board).is_ok();
    if settled(&deduction, sound, board, found) {
        return Ok(());
    }
    let links = deduction.links(board);
    for (i, turn) in order.into_iter().enumerate() {
        let share = if i == 0 { shares.second } else { shares.second / 4 };
        let mut corner = Corner::new(board, turn, &links, meter)?;
        if corner.turn(board, limit, share, false, meter, found)? {
            return Ok(());
        }
    }
    let sound = probe(&mut deduction, meter)?;
    if settled(&deduction, sound, board, found) {
        return Ok(());
    }
    let links = deduction.links(board);
    let mut corners = Vec::with_capacity(order.len());
    for turn in order {
        corners.push(Corner::new(board, turn, &links, meter)?);
    }
    for round in 0u32.. {
        for corner in &mut corners {
            if corner.turn(board, limit, shares.next << round.min(10), true, meter, found)? {
                return Ok(());
            }
            tick(&found.stats);
        }
    }
    Ok(())
}

/// Tries every open link both ways, as far as can be seen without search; `false` if there is no answer.
fn probe(deduction: &mut Deduction, meter: &mut Meter) -> Result<bool, Limit> {
    loop {
        match deduction.probe(PORTION) {
            Ok(true) => return Ok(true),
            Ok(false) => meter.look()?,
            Err(_) => return Ok(false),
        }
    }
}

/// Does what is deduced settle the board: no answer, or one?
fn settled(deduction: &Deduction, sound: bool, board: &Board, found: &mut Found) -> bool {
    let answer = deduction.answer(board);
    if sound && answer.is_none() {
        return false;
    }
    // Everything is known, so there is one answer at the most; a path that touches itself is none.
    found.answers = answer.into_iter().filter(|paths| sound && apart(board, paths)).collect();
    found.all = true;
    true
}

/// Books the steps with the meter, and looks at the limits.
fn spend(meter: &mut Meter, steps: u64) -> Result<(), Limit> {
    while meter.expanded() < steps {
        meter.count();
    }
    meter.look()
}

impl Corner {
    fn new(board: &Board, turn: Turn, links: &[Forced], meter: &mut Meter) -> Result<Self, Limit> {
        let sweep = Sweep::new(Layout::new(board, turn, links), &mut meter.ledger)?;
        Ok(Self { sweep, answers: Vec::new() })
    }

    /// Lets this corner search for its share; `true` when it has all answers or enough of them.
    fn turn(
        &mut self,
        board: &Board,
        limit: usize,
        share: u64,
        remember: bool,
        meter: &mut Meter,
        found: &mut Found,
    ) -> Result<bool, Limit> {
        let before = self.sweep.steps;
        let done = self.search(board, limit, before + share, remember, meter);
        found.stats.expanded += self.sweep.steps - before;
        if self.answers.len() > found.answers.len() {
            found.answers.clone_from(&self.answers);
        }
        if done? {
            found.answers = std::mem::take(&mut self.answers);
            found.all = found.answers.len() < limit;
            return Ok(true);
        }
        spend(meter, found.stats.expanded)?;
        Ok(false)
    }

    fn search(
        &mut self,
        board: &Board,
        limit: usize,
        end: u64,
        remember: bool,
        meter: &mut Meter,
    ) -> Result<bool, Limit> {
        let allowed = self.sweep.steps.saturating_add(meter.allowed());
        while self.sweep.steps < end.min(allowed) {
            let (left, most) = (end - self.sweep.steps, allowed - self.sweep.steps);
            match self.sweep.run(left, most, remember, &mut meter.ledger)? {
                Pause::Exhausted => return Ok(true),
                Pause::Quantum => return Ok(false),
                Pause::Candidate => {
                    self.sweep.kept += 1;
                    let paths = self.sweep.paths(board);
                    if apart(board, &paths) {
                        self.answers.push(paths);
                        if self.answers.len() >= limit {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }
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
