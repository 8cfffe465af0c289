//! Heuristics for the engine's strategies.
//!
//! They support every board and every strategy. The solver of [`super::solve`] has faster forms of the same estimates.

use beeline_search::{Claim, Cost, Heuristic};

use super::board::{Goal, MAX_SIDE, MAX_SQUARES, home_of_tile};
use super::pattern::Patterns;
use super::table_free::must_leave;
use super::walking::Walking;
use super::{Sliding, Step, Tiles};

/// The sum of the tiles' distances from home, each counted along rows and columns.
#[derive(Clone, Debug)]
pub struct Manhattan {
    /// By tile and square.
    distance: Vec<[u8; MAX_SQUARES]>,
}

impl Manhattan {
    /// The distances on this board.
    pub fn new(space: &Sliding) -> Self {
        let board = space.board();
        let (squares, columns) = (board.squares(), board.columns());
        let mut distance = vec![[0; MAX_SQUARES]; squares];
        for (tile, distance) in distance.iter_mut().enumerate().skip(1) {
            let home = home_of_tile(tile as u8, squares, board.goal);
            for (square, distance) in distance.iter_mut().enumerate().take(squares) {
                let rows = (square / columns).abs_diff(home / columns);
                let cols = (square % columns).abs_diff(home % columns);
                *distance = (rows + cols) as u8;
            }
        }
        Self { distance }
    }

    #[inline(always)]
    fn of(&self, tile: u8, square: usize) -> Cost {
        Cost::from(self.distance[usize::from(tile)][square])
    }
}

impl Heuristic<Sliding> for Manhattan {
    type Memo = Cost;
    type Scratch = ();
    const PEEKS: bool = true;

    fn root(&self, space: &Sliding, state: &Tiles, (): &mut ()) -> Cost {
        (0..space.board().squares()).map(|s| self.of(state.tile(s), s)).sum()
    }

    #[inline(always)]
    fn peek(&self, space: &Sliding, before: &Tiles, step: Step, memo: Cost) -> Cost {
        let (to, from) = (before.blank(), space.target(before.blank(), step));
        let tile = before.tile(from);
        memo + self.of(tile, to) - self.of(tile, from)
    }

    #[inline(always)]
    fn step(&self, space: &Sliding, after: &Tiles, step: Step, memo: Cost, (): &mut ()) -> Cost {
        let (from, to) = (after.blank(), space.target(after.blank(), step.back()));
        let tile = after.tile(to);
        memo + self.of(tile, to) - self.of(tile, from)
    }

    #[inline(always)]
    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}

/// Manhattan distance plus linear conflicts (Hansson, Mayer & Yung 1992). Of the tiles in wrong order in their goal line, some
/// must leave it and return, at two moves each.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    /// Goal row and column of each tile; the blank belongs to no line.
    home: Vec<[u8; 2]>,
}

/// A direction of lines, as the index of its coordinate in [`LinearConflict::home`].
#[derive(Clone, Copy)]
enum Lines {
    Rows = 0,
    Columns = 1,
}

impl LinearConflict {
    /// The conflicts on this board.
    pub fn new(space: &Sliding) -> Self {
        let board = space.board();
        let mut home = vec![[u8::MAX; 2]; board.squares()];
        for (tile, home) in home.iter_mut().enumerate().skip(1) {
            let square = home_of_tile(tile as u8, board.squares(), board.goal);
            *home = [(square / board.columns()) as u8, (square % board.columns()) as u8];
        }
        Self { manhattan: Manhattan::new(space), home }
    }

    /// For each tile of a line: its goal place in the line; `None` for tiles of other lines.
    #[inline]
    fn homes(&self, space: &Sliding, state: &Tiles, lines: Lines, line: usize) -> [Option<usize>; MAX_SIDE] {
        let (rows, columns) = (space.board().rows(), space.board().columns());
        let (first, step, count) = match lines {
            Lines::Rows => (line * columns, 1, columns),
            Lines::Columns => (line, columns, rows),
        };
        let mut homes = [None; MAX_SIDE];
        for (i, place) in homes.iter_mut().enumerate().take(count) {
            let home = self.home[usize::from(state.tile(first + i * step))];
            if usize::from(home[lines as usize]) == line {
                *place = Some(usize::from(home[1 - lines as usize]));
            }
        }
        homes
    }
}

impl Heuristic<Sliding> for LinearConflict {
    type Memo = Cost;
    type Scratch = ();

    fn root(&self, space: &Sliding, state: &Tiles, (): &mut ()) -> Cost {
        let rows = (0..space.board().rows()).map(|row| self.homes(space, state, Lines::Rows, row));
        let columns =
            (0..space.board().columns()).map(|column| self.homes(space, state, Lines::Columns, column));
        let leaving: Cost = rows.chain(columns).map(|homes| must_leave(&homes)).sum();
        self.manhattan.root(space, state, &mut ()) + 2 * leaving
    }

    /// A tile keeps its order among the tiles of the line that it moves along. So only the perpendicular lines that it leaves
    /// and enters change, and only if the tile belongs there.
    #[inline]
    fn step(&self, space: &Sliding, after: &Tiles, step: Step, memo: Cost, (): &mut ()) -> Cost {
        let columns = space.board().columns();
        let (from, to) = (after.blank(), space.target(after.blank(), step.back()));
        let tile = after.tile(to);
        let memo = self.manhattan.step(space, after, step, memo, &mut ());
        let (lines, from, to) = match step {
            Step::Up | Step::Down => {
                (Lines::Rows, [from / columns, from % columns], [to / columns, to % columns])
            }
            Step::Left | Step::Right => {
                (Lines::Columns, [from % columns, from / columns], [to % columns, to / columns])
            }
        };
        let home = self.home[usize::from(tile)];
        let (line, place) = (usize::from(home[lines as usize]), usize::from(home[1 - lines as usize]));
        let at = from[1];
        if line == to[0] {
            let mut homes = self.homes(space, after, lines, line);
            let entered = must_leave(&homes);
            homes[at] = None;
            memo + 2 * entered - 2 * must_leave(&homes)
        } else if line == from[0] {
            let mut homes = self.homes(space, after, lines, line);
            let left = must_leave(&homes);
            homes[at] = Some(place);
            memo + 2 * left - 2 * must_leave(&homes)
        } else {
            memo
        }
    }

    #[inline(always)]
    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}

/// Walking distance.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    rows: Walking,
    columns: Walking,
}

impl WalkingDistance {
    /// Are the tables for boards of these sides small enough?
    pub fn fits(rows: usize, columns: usize) -> bool {
        Walking::fits(rows, columns) && Walking::fits(columns, rows)
    }

    /// The distances for this board; `None` if the tables would be too large.
    pub fn new(space: &Sliding) -> Option<Self> {
        let board = space.board();
        let home = home_of_tile(0, board.squares(), board.goal);
        Some(Self {
            rows: Walking::new(board.rows(), board.columns(), home / board.columns())?,
            columns: Walking::new(board.columns(), board.rows(), home % board.columns())?,
        })
    }
}

impl Heuristic<Sliding> for WalkingDistance {
    type Memo = [u16; 2];
    type Scratch = ();

    fn root(&self, space: &Sliding, state: &Tiles, (): &mut ()) -> [u16; 2] {
        let board = space.board();
        let columns = board.columns();
        let cells = &state.cells[..board.squares()];
        let rows = self.rows.state(board, cells, |s| s / columns);
        let columns = self.columns.state(board, cells, |s| s % columns);
        [rows.unwrap_or(0), columns.unwrap_or(0)]
    }

    #[inline]
    fn step(&self, space: &Sliding, after: &Tiles, step: Step, memo: [u16; 2], (): &mut ()) -> [u16; 2] {
        let board = space.board();
        let moved = after.tile(space.target(after.blank(), step.back()));
        let home = home_of_tile(moved, board.squares(), board.goal);
        let (side, [rows, columns]) = (step as usize & 1, memo);
        match step {
            Step::Up | Step::Down => [self.rows.after(rows, side, home / board.columns()), columns],
            Step::Left | Step::Right => [rows, self.columns.after(columns, side, home % board.columns())],
        }
    }

    fn value(&self, [rows, columns]: [u16; 2]) -> Cost {
        self.rows.distance(rows) + self.columns.distance(columns)
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}

/// Any estimate of a board, without its type: every strategy is compiled once for each type of heuristic. Incremental estimates
/// are updated by each step; the others are computed from the whole board every time.
pub struct ErasedHeuristic<'a> {
    claim: Claim,
    estimate: Estimate<'a>,
}

enum Estimate<'a> {
    LinearConflict(LinearConflict),
    WalkingDistance(WalkingDistance),
    Whole(Box<OfBoard<'a>>),
}

/// An estimate computed from a whole board.
type OfBoard<'a> = dyn Fn(&Sliding, &Tiles) -> Cost + Sync + 'a;

impl<'a> ErasedHeuristic<'a> {
    /// Linear conflicts, incremental.
    pub fn linear_conflict(heuristic: LinearConflict) -> Self {
        Self { claim: heuristic.claim(), estimate: Estimate::LinearConflict(heuristic) }
    }

    /// Walking distance, incremental.
    pub fn walking_distance(heuristic: WalkingDistance) -> Self {
        Self { claim: heuristic.claim(), estimate: Estimate::WalkingDistance(heuristic) }
    }

    /// This heuristic, computed from the whole board.
    pub fn of<H: Heuristic<Sliding> + 'a>(heuristic: H) -> Self {
        let claim = heuristic.claim();
        let estimate = Estimate::Whole(Box::new(move |space, state| heuristic.estimate(space, state)));
        Self { claim, estimate }
    }

    /// Pattern databases.
    pub fn patterns(tables: &'a Patterns) -> Self {
        let estimate = |space: &Sliding, state: &Tiles| {
            tables.estimate(&blank_first(space, state)[..space.board().squares()])
        };
        let claim = if tables.consistent() { Claim::Consistent } else { Claim::Admissible };
        Self { claim, estimate: Estimate::Whole(Box::new(estimate)) }
    }
}

/// The tiles of a state, transformed so that the goal has the blank first.
pub(super) fn blank_first(space: &Sliding, state: &Tiles) -> [u8; MAX_SQUARES] {
    if space.board().goal == Goal::BlankFirst {
        return state.cells;
    }
    let squares = space.board().squares();
    let mut turned = [0; MAX_SQUARES];
    for (place, &tile) in turned.iter_mut().zip(state.cells[..squares].iter().rev()) {
        *place = if tile == 0 { 0 } else { squares as u8 - tile };
    }
    turned
}

/// The memo of a walking distance as a number.
fn pack([rows, columns]: [u16; 2]) -> u32 {
    u32::from(rows) | u32::from(columns) << 16
}

fn unpack(memo: u32) -> [u16; 2] {
    [memo as u16, (memo >> 16) as u16]
}

impl Heuristic<Sliding> for ErasedHeuristic<'_> {
    /// The estimate, or the states of a walking distance.
    type Memo = u32;
    type Scratch = ();

    fn root(&self, space: &Sliding, state: &Tiles, (): &mut ()) -> u32 {
        match &self.estimate {
            Estimate::LinearConflict(conflict) => conflict.root(space, state, &mut ()),
            Estimate::WalkingDistance(walking) => pack(walking.root(space, state, &mut ())),
            Estimate::Whole(estimate) => estimate(space, state),
        }
    }

    #[inline]
    fn step(&self, space: &Sliding, after: &Tiles, step: Step, memo: u32, (): &mut ()) -> u32 {
        match &self.estimate {
            Estimate::LinearConflict(conflict) => conflict.step(space, after, step, memo, &mut ()),
            Estimate::WalkingDistance(walking) => {
                pack(walking.step(space, after, step, unpack(memo), &mut ()))
            }
            Estimate::Whole(estimate) => estimate(space, after),
        }
    }

    #[inline]
    fn value(&self, memo: u32) -> Cost {
        match &self.estimate {
            Estimate::WalkingDistance(walking) => walking.value(unpack(memo)),
            Estimate::LinearConflict(_) | Estimate::Whole(_) => memo,
        }
    }

    fn claim(&self) -> Claim {
        self.claim
    }
}
