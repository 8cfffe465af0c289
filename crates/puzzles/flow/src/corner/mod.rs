//! The strongest solver: four sweeps based on the corner theorem.
//!
//! **Theorem.** In a solution, let a path turn at a free cell. Then the cell diagonally inside the turn is a wall, an end, or a
//! turn of the same orientation. docs/corner-theorem.md has the proof. So every turn belongs to a diagonal run of equal turns
//! that begins at an end or a wall. A solution is determined by four run lengths for each end and wall.
//!
//! `sweep` follows the anti-diagonals from one corner and decides run lengths when it meets them. Four such searches, one from
//! each corner, alternate with growing shares. The total time is that of the fastest corner times a small constant. All of them
//! are complete, so the first to end provides the proof.

mod deduce;
mod layout;
mod memo;
mod sweep;
mod word;

use beeline_search::{Budget, Limit, Meter, Stats};

use super::board::{Board, Dir, Paths, Rule};
use deduce::Deduction;
use layout::{Forced, Layout, Turn, corners, drawn_links};
use sweep::{Pause, Sweep};
use word::{Wide, Word};

/// The result of a solver.
#[derive(Clone, Debug)]
pub struct Found {
    /// Solutions, at most as many as requested; all different.
    pub answers: Vec<Paths>,
    /// Are these all solutions?
    pub all: bool,
    /// The limit that stopped the search, if any.
    pub stopped: Option<Limit>,
    /// The figures: `expanded` counts decisions.
    pub stats: Stats,
}

/// How decisions are divided between the sweeps. The default suits all boards; tests use others, to reach every part with small
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Decisions of the most promising corner before deduction: by default enough for nearly every board of usual size.
    pub first: u64,
    /// Its decisions after deduction; the other corners get a quarter of that. Enough for most large boards.
    pub second: u64,
    /// Decisions of every other corner in the first round after probing. It doubles in every round.
    pub next: u64,
}

impl Default for Shares {
    fn default() -> Self {
        Self { first: 1 << 13, second: 1 << 17, next: 1 << 12 }
    }
}

/// Cells above which deduction costs little compared with the search that it saves.
const SMALL: usize = 400;

/// Shares of the most promising corner in each round, where the others have one. On symmetric boards all corners take about as
/// long, so the others' work is lost: with 4 shares, 11 hand-made boards of 36×20 to 80×30 take 17 M decisions, with 1 share 30
/// M. A board whose best corner is another one takes at most 7/4 as many.
const LIKELIEST: u64 = 4;

/// Work of the deduction between two looks at the limits.
const PORTION: u64 = 1 << 15;

/// Does the theorem hold for every solution of this board?
///
/// It fails if a path may touch itself, with walls between cells, or with warped edges: all of these can lie inside a turn.
pub fn applies(board: &Board) -> bool {
    board.rule == Rule::Fill && board.is_plain()
}

/// Finds up to `limit` solutions of a board that must be filled.
///
/// The rule of the board is ignored: a solution of this solver fills every cell.
pub fn solve(board: &Board, limit: usize, budget: &Budget, tick: impl FnMut(&Stats)) -> Found {
    solve_with(board, limit, Shares::default(), budget, tick)
}

/// The same, with other shares.
pub fn solve_with(
    board: &Board,
    limit: usize,
    shares: Shares,
    budget: &Budget,
    mut tick: impl FnMut(&Stats),
) -> Found {
    debug_assert!(applies(board), "the corner theorem needs a plain board that is filled");
    let mut meter = Meter::new(budget);
    let mut found = Found { answers: Vec::new(), all: false, stopped: None, stats: Stats::default() };
    // A diagonal has at most as many cells as the shorter side, and no board has a shorter side above 256.
    let narrow = board.width().min(board.height()) <= u64::BITS as usize;
    let search = if narrow { search::<u64, _> } else { search::<Wide, _> };
    if let Err(stop) = search(board, limit, shares, &mut meter, &mut found, &mut tick) {
        found.stopped = Some(stop);
    }
    found.stats.close(&meter);
    found
}

struct Corner<W> {
    sweep: Sweep<W>,
    answers: Vec<Paths>,
}

fn search<W: Word, T: FnMut(&Stats)>(
    board: &Board,
    limit: usize,
    shares: Shares,
    meter: &mut Meter,
    found: &mut Found,
    tick: &mut T,
) -> Result<(), Limit> {
    meter.look()?;
    if limit == 0 {
        return Ok(());
    }
    let mut order = corners(board);
    order.sort_by_key(|turn| turn.lateness(board));
    if board.cells().len() <= SMALL {
        let mut corner = Corner::<W>::new(board, order[0], &drawn_links(board), meter)?;
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
        let mut corner = Corner::<W>::new(board, turn, &links, meter)?;
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
        corners.push(Corner::<W>::new(board, turn, &links, meter)?);
    }
    for round in 0u32.. {
        for (i, corner) in corners.iter_mut().enumerate() {
            let share = shares.next << round.min(10);
            let share = if i == 0 { LIKELIEST * share } else { share };
            if corner.turn(board, limit, share, true, meter, found)? {
                return Ok(());
            }
            tick(&found.stats);
        }
    }
    Ok(())
}

/// Probes every open link in both states; `false` if there is no solution.
fn probe(deduction: &mut Deduction, meter: &mut Meter) -> Result<bool, Limit> {
    loop {
        match deduction.probe(PORTION) {
            Ok(true) => return Ok(true),
            Ok(false) => meter.look()?,
            Err(_) => return Ok(false),
        }
    }
}

/// Does deduction alone determine the result: no solution, or exactly one?
fn settled(deduction: &Deduction, sound: bool, board: &Board, found: &mut Found) -> bool {
    let answer = deduction.answer(board);
    if sound && answer.is_none() {
        return false;
    }
    // Everything is known, so there is at most one solution. A path that touches itself is none.
    found.answers = answer.into_iter().filter(|paths| sound && apart(board, paths)).collect();
    found.all = true;
    true
}

/// Charges the steps to the meter and looks at the limits.
fn spend(meter: &mut Meter, steps: u64) -> Result<(), Limit> {
    meter.count_many(steps.saturating_sub(meter.expanded()));
    meter.look()
}

impl<W: Word> Corner<W> {
    fn new(board: &Board, turn: Turn, links: &[Forced], meter: &mut Meter) -> Result<Self, Limit> {
        let sweep = Sweep::new(Layout::new(board, turn, links), &mut meter.ledger)?;
        Ok(Self { sweep, answers: Vec::new() })
    }

    /// Lets this corner search for its share; `true` when it has found all solutions or enough of them.
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

/// Does no path touch itself? The sweep does not test it: the two sides of a touch may be decided far apart.
///
/// The board is plain, so neighbours are the next cell of the row and the cell one row below.
fn apart(board: &Board, paths: &Paths) -> bool {
    let owner = paths.colours(board);
    let width = board.width();
    let apart = |a: usize, b: usize, dir: Dir| {
        owner[a].is_none() || owner[a] != owner[b] || paths.links[a] & Paths::bit(dir) != 0
    };
    let mut rows = (0..owner.len()).step_by(width);
    rows.all(|row| (row..row + width - 1).all(|at| apart(at, at + 1, Dir::Right)))
        && (width..owner.len()).all(|at| apart(at - width, at, Dir::Down))
}

/// The links that drawn steps imply: cells with their present and absent links.
pub(super) fn drawn(board: &Board) -> Vec<(usize, u8, u8)> {
    drawn_links(board).into_iter().map(|f| (f.at, f.yes, f.no)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::make;
    use crate::pen::with_drawn;

    fn found<W: Word>(board: &Board, shares: Shares) -> Found {
        let mut meter = Meter::new(&Budget::default());
        let mut found = Found { answers: Vec::new(), all: false, stopped: None, stats: Stats::default() };
        search::<W, _>(board, 3, shares, &mut meter, &mut found, &mut |_| {}).unwrap();
        found
    }

    /// The board with rows and columns exchanged.
    fn transposed(board: &Board) -> Board {
        let (w, h) = (board.width(), board.height());
        let cells = (0..w * h).map(|at| board.cells()[at % h * w + at / h]).collect();
        let labels = board.colours().iter().map(|colour| colour.label.clone()).collect();
        Board::new(h, cells, labels).unwrap()
    }

    /// Stacks boards, each with its own colours.
    fn stacked(boards: &[Board]) -> Board {
        let (mut cells, mut colours) = (Vec::new(), 0);
        for board in boards {
            cells.extend(board.cells().iter().map(|&cell| match cell {
                Cell::End(c) => Cell::End(c + colours),
                other => other,
            }));
            colours += board.colours().len() as u16;
        }
        let labels = (0..colours).map(|c| c.to_string()).collect();
        Board::new(boards[0].width(), cells, labels).unwrap()
    }

    #[test]
    fn wide_words_find_what_narrow_ones_find() {
        let small = Shares { first: 8, second: 8, next: 8 };
        for seed in 0..40 {
            let (width, height) = (4 + seed as usize % 6, 4 + seed as usize % 5);
            let Some(board) = make::solvable(width, height, 3 + seed as usize % 4, seed) else { continue };
            for shares in [Shares::default(), small] {
                let (narrow, wide) = (found::<u64>(&board, shares), found::<Wide>(&board, shares));
                assert_eq!(narrow.answers, wide.answers, "{board}");
                assert_eq!((narrow.all, narrow.stats.expanded), (wide.all, wide.stats.expanded));
            }
        }
    }

    #[test]
    fn boards_beyond_one_word_are_solved() {
        let parts: Vec<Board> = (0..12).filter_map(|seed| make::solvable(7, 8, 5, seed)).collect();
        let tall = stacked(&parts);
        assert!(tall.height() > 64);
        for board in [&tall, &transposed(&tall)] {
            let answer = solve(board, 1, &Budget::default(), |_| {}).answers.remove(0);
            assert!(with_drawn(board.clone(), &answer.steps(board)).is_ok());
            assert!(answer.links.iter().all(|&links| links != 0));
        }
        // 80 columns, each a path from top to bottom: only wide words hold its diagonals.
        let ends = || (0..80).map(Cell::End);
        let cells = ends().chain(vec![Cell::Free; 80 * 78]).chain(ends()).collect();
        let square = Board::new(80, cells, (0..80).map(|c: u16| c.to_string()).collect()).unwrap();
        let found = solve(&square, 2, &Budget::default(), |_| {});
        assert_eq!((found.answers.len(), found.all), (1, true));
    }
}
