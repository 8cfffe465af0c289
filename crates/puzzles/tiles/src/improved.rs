//! The improvements of Korf and Taylor (1996) for every size of board, computed from scratch. They serve the engine's
//! strategies and tests on small boards. [`super::table_free`] has the fast form for 4×4 and explains each improvement; on 4×4
//! the two are the same.
//!
//! On narrow boards a tile may have to make way for two corners, or for a corner and the last moves. It counts once.

use beeline_search::{Claim, Cost, Heuristic};

use super::board::{MAX_SIDE, MAX_SQUARES};
use super::bounds::{Manhattan, WalkingDistance, blank_first};
use super::table_free::{CORNER, LAST, LINEAR, WALKING, must_leave};
use super::{Sliding, Tiles};

/// The Manhattan distance with some of the improvements.
#[derive(Clone, Debug)]
pub struct Improved {
    features: u8,
    manhattan: Manhattan,
    walking: Option<WalkingDistance>,
}

impl Improved {
    /// The improvements in `features`, by the names of [`super::table_free`]. Walking distance is omitted where its tables
    /// would be too large; the move FSM is no estimate.
    pub fn new(space: &Sliding, features: u8) -> Self {
        let walking = (features & WALKING != 0).then(|| WalkingDistance::new(space)).flatten();
        Self { features, manhattan: Manhattan::new(space), walking }
    }
}

impl Heuristic<Sliding> for Improved {
    type Memo = Cost;
    type Scratch = ();

    fn root(&self, space: &Sliding, state: &Tiles, (): &mut ()) -> Cost {
        let distance = self.manhattan.estimate(space, state);
        let walked = self.walking.as_ref().map_or(0, |walking| walking.estimate(space, state));
        let (rows, columns) = (space.board().rows(), space.board().columns());
        let cells = blank_first(space, state);
        let lines = Lines::new(&cells, rows, columns);
        let mut pairs = if self.features & LINEAR == 0 { 0 } else { lines.leaving() };
        // One move from the goal there is no move before the last, so nothing is added.
        if distance > 1 {
            pairs += lines.extras(self.features);
        }
        walked.max(distance + 2 * pairs)
    }

    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> Claim {
        Claim::Admissible
    }
}

/// A board whose goal has the blank first, and the number of tiles that must leave each of its lines.
struct Lines<'a> {
    cells: &'a [u8],
    rows: usize,
    columns: usize,
    in_rows: [Cost; MAX_SIDE],
    in_columns: [Cost; MAX_SIDE],
}

impl<'a> Lines<'a> {
    fn new(cells: &'a [u8; MAX_SQUARES], rows: usize, columns: usize) -> Self {
        let cells = &cells[..rows * columns];
        let (mut in_rows, mut in_columns) = ([0; MAX_SIDE], [0; MAX_SIDE]);
        let home = |square: usize| Some(usize::from(cells[square])).filter(|&tile| tile != 0);
        let mut homes = [None; MAX_SIDE];
        for (row, leaving) in in_rows.iter_mut().enumerate().take(rows) {
            for (column, place) in homes.iter_mut().enumerate().take(columns) {
                *place = home(row * columns + column).filter(|h| h / columns == row).map(|h| h % columns);
            }
            *leaving = must_leave(&homes[..columns]);
        }
        for (column, leaving) in in_columns.iter_mut().enumerate().take(columns) {
            for (row, place) in homes.iter_mut().enumerate().take(rows) {
                *place = home(row * columns + column).filter(|h| h % columns == column).map(|h| h / columns);
            }
            *leaving = must_leave(&homes[..rows]);
        }
        Self { cells, rows, columns, in_rows, in_columns }
    }

    fn leaving(&self) -> Cost {
        self.in_rows.iter().sum::<Cost>() + self.in_columns.iter().sum::<Cost>()
    }

    fn row_of(&self, tile: usize) -> Option<usize> {
        self.cells.iter().position(|&t| usize::from(t) == tile).map(|square| square / self.columns)
    }

    fn column_of(&self, tile: usize) -> Option<usize> {
        self.cells.iter().position(|&t| usize::from(t) == tile).map(|square| square % self.columns)
    }

    /// Last moves and corner tiles, in pairs of moves.
    fn extras(&self, features: u8) -> Cost {
        // Without linear conflicts in the sum nothing could be counted twice.
        let row_free = |row: usize| features & LINEAR == 0 || self.in_rows[row] == 0;
        let column_free = |column: usize| features & LINEAR == 0 || self.in_columns[column] == 0;
        let columns = self.columns;
        // The tiles that make way for a corner, as bits.
        let mut way = 0u64;
        if features & CORNER != 0 {
            let (low, right) = (self.rows - 1, columns - 1);
            for (row, column) in [(0, right), (low, 0), (low, right)] {
                let corner = row * columns + column;
                if [0, corner].contains(&usize::from(self.cells[corner])) {
                    continue;
                }
                let beside = [
                    (row, if column == 0 { 1 } else { column - 1 }),
                    (if row == 0 { 1 } else { row - 1 }, column),
                ];
                for (row, column) in beside {
                    let square = row * columns + column;
                    let at_home = square != 0 && usize::from(self.cells[square]) == square;
                    if at_home && row_free(row) && column_free(column) {
                        way |= 1 << square;
                    }
                }
            }
        }
        let mut extras = way.count_ones();
        if features & LAST != 0 {
            // The tile makes a detour: it stands in none of the first lines, its own line has no conflict, and nothing else
            // moves it away. A tile without room on the board always makes a detour.
            let by_column = |tile: usize, before: usize| {
                self.column_of(tile).is_none_or(|c| c >= before)
                    && column_free(tile % columns)
                    && way >> tile & 1 == 0
            };
            let by_row = |tile: usize, before: usize| {
                self.row_of(tile).is_none_or(|r| r >= before)
                    && row_free(tile / columns)
                    && way >> tile & 1 == 0
            };
            let (middle, wide, high) = (columns + 1, columns > 2, self.rows > 2);
            let right =
                Cost::from(by_column(1, 1)) + Cost::from((!wide || by_column(2, 2)) && by_row(middle, 1));
            let down = Cost::from(by_row(columns, 1))
                + Cost::from((!high || by_row(2 * columns, 2)) && by_column(middle, 1));
            extras += right.min(down);
        }
        extras
    }
}
