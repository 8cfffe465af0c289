//! Estimates for the engine's strategies.
//!
//! These serve every board and every strategy. The solver of [`super::solve`] has faster forms of the same estimates.

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
    const PEEKS: bool = true;

    fn root(&self, space: &Sliding, state: &Tiles) -> Cost {
        (0..space.board().squares()).map(|s| self.of(state.tile(s), s)).sum()
    }

    #[inline(always)]
    fn peek(&self, space: &Sliding, before: &Tiles, step: Step, memo: Cost) -> Cost {
        let (to, from) = (before.blank(), space.target(before.blank(), step));
        let tile = before.tile(from);
        memo + self.of(tile, to) - self.of(tile, from)
    }

    #[inline(always)]
    fn step(&self, space: &Sliding, after: &Tiles, step: Step, memo: Cost) -> Cost {
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

/// Manhattan distance and linear conflicts: of the tiles that stand in their goal line in the wrong order, some must leave it
/// and come back, two moves each.
#[derive(Clone, Debug)]
pub struct LinearConflict(Manhattan);

impl LinearConflict {
    /// The conflicts on this board.
    pub fn new(space: &Sliding) -> Self {
        Self(Manhattan::new(space))
    }
}

impl Heuristic<Sliding> for LinearConflict {
    type Memo = Cost;

    fn root(&self, space: &Sliding, state: &Tiles) -> Cost {
        let board = space.board();
        let (rows, columns) = (board.rows(), board.columns());
        let home = |square: usize| match state.tile(square) {
            0 => None,
            tile => Some(home_of_tile(tile, board.squares(), board.goal)),
        };
        let mut leaving = 0;
        let mut homes = [None; MAX_SIDE];
        for row in 0..rows {
            for (column, place) in homes.iter_mut().enumerate().take(columns) {
                *place = home(row * columns + column).filter(|h| h / columns == row).map(|h| h % columns);
            }
            leaving += must_leave(&homes[..columns]);
        }
        for column in 0..columns {
            for (row, place) in homes.iter_mut().enumerate().take(rows) {
                *place = home(row * columns + column).filter(|h| h % columns == column).map(|h| h / columns);
            }
            leaving += must_leave(&homes[..rows]);
        }
        self.0.root(space, state) + 2 * leaving
    }

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
    /// Are its tables small enough for boards of these sides?
    pub fn fits(rows: usize, columns: usize) -> bool {
        Walking::fits(rows, columns) && Walking::fits(columns, rows)
    }

    /// The distances for this board; `None` where the tables would be too large.
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

    fn root(&self, space: &Sliding, state: &Tiles) -> [u16; 2] {
        let board = space.board();
        let columns = board.columns();
        let cells = &state.cells[..board.squares()];
        let rows = self.rows.state(board, cells, |s| s / columns);
        let columns = self.columns.state(board, cells, |s| s % columns);
        [rows.unwrap_or(0), columns.unwrap_or(0)]
    }

    #[inline]
    fn step(&self, space: &Sliding, after: &Tiles, step: Step, memo: [u16; 2]) -> [u16; 2] {
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

/// Any estimate, asked of the whole board every time: for the engine's strategies, which are there to be compared. One type for
/// all of them, because every strategy is compiled once for each type of heuristic.
pub struct ErasedHeuristic<'a> {
    claim: Claim,
    estimate: Box<Estimate<'a>>,
}

type Estimate<'a> = dyn Fn(&Sliding, &Tiles) -> Cost + Sync + 'a;

impl<'a> ErasedHeuristic<'a> {
    /// This heuristic.
    pub fn of<H: Heuristic<Sliding> + 'a>(heuristic: H) -> Self {
        let claim = heuristic.claim();
        Self { claim, estimate: Box::new(move |space, state| heuristic.estimate(space, state)) }
    }

    /// Pattern databases.
    pub fn patterns(tables: &'a Patterns) -> Self {
        let estimate = |space: &Sliding, state: &Tiles| {
            tables.estimate(&blank_first(space, state)[..space.board().squares()])
        };
        let claim = if tables.consistent() { Claim::Consistent } else { Claim::Admissible };
        Self { claim, estimate: Box::new(estimate) }
    }
}

/// The tiles of a state, turned if need be so that the goal has the blank first.
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

impl Heuristic<Sliding> for ErasedHeuristic<'_> {
    type Memo = Cost;

    fn root(&self, space: &Sliding, state: &Tiles) -> Cost {
        (self.estimate)(space, state)
    }

    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> Claim {
        self.claim
    }
}
