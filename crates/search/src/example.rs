//! A small space for the examples of this crate: a knight on a chessboard.

use crate::core::heuristic::{Claim, Heuristic};
use crate::core::space::{Cost, Ranked, Space};

/// Columns and rows that a knight moves at once.
type Leap = (i8, i8);

const LEAPS: [Leap; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A knight on a square board that is to reach one square. A state is a column and a row, each from 0.
///
/// ```
/// use beeline_search::Space;
/// use beeline_search::example::Knight;
///
/// let space = Knight::across(8);
/// assert_eq!(space.moves(&space.start()).count(), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Knight {
    /// Columns and rows of the board.
    side: u8,
    start: (u8, u8),
    goal: (u8, u8),
}

impl Knight {
    /// From one corner of a board with this many columns and rows to the opposite one.
    pub fn across(side: u8) -> Self {
        let last = side.saturating_sub(1);
        Self { side, start: (0, 0), goal: (last, last) }
    }

    fn after(self, (column, row): (u8, u8), (right, down): Leap) -> Option<(u8, u8)> {
        let column = column.checked_add_signed(right).filter(|&c| c < self.side)?;
        let row = row.checked_add_signed(down).filter(|&r| r < self.side)?;
        Some((column, row))
    }
}

impl Space for Knight {
    type State = (u8, u8);
    type Move = Leap;
    /// The square that the knight left.
    type Undo = (u8, u8);
    type Moves = std::vec::IntoIter<Leap>;
    /// The column and the row.
    type Key = [u8; 2];

    fn start(&self) -> (u8, u8) {
        self.start
    }

    /// Clockwise, beginning with one column to the right and two rows down.
    fn moves(&self, &square: &(u8, u8)) -> Self::Moves {
        let legal: Vec<Leap> = LEAPS.into_iter().filter(|&leap| self.after(square, leap).is_some()).collect();
        legal.into_iter()
    }

    fn apply(&self, square: &mut (u8, u8), leap: Leap) -> (u8, u8) {
        let left = *square;
        *square = self.after(left, leap).unwrap_or(left);
        left
    }

    fn undo(&self, square: &mut (u8, u8), _: Leap, left: (u8, u8)) {
        *square = left;
    }

    fn is_goal(&self, &square: &(u8, u8)) -> bool {
        square == self.goal
    }

    fn pack(&self, &(column, row): &(u8, u8)) -> [u8; 2] {
        [column, row]
    }

    fn unpack(&self, &[column, row]: &[u8; 2]) -> (u8, u8) {
        (column, row)
    }

    fn reversible(&self) -> bool {
        true
    }

    fn goals(&self) -> Option<Vec<(u8, u8)>> {
        Some(vec![self.goal])
    }

    /// Two variables: the column and the row.
    fn domains(&self) -> Option<Vec<u32>> {
        Some(vec![u32::from(self.side); 2])
    }

    fn values(&self, &(column, row): &(u8, u8), values: &mut [u32]) {
        values.copy_from_slice(&[column.into(), row.into()]);
    }
}

/// Squares are numbered row by row.
impl Ranked for Knight {
    fn states(&self) -> u64 {
        u64::from(self.side) * u64::from(self.side)
    }

    fn rank(&self, &(column, row): &(u8, u8)) -> u64 {
        u64::from(row) * u64::from(self.side) + u64::from(column)
    }

    fn unrank(&self, rank: u64) -> (u8, u8) {
        let side = u64::from(self.side);
        ((rank % side) as u8, (rank / side) as u8)
    }
}

/// How many leaps the knight needs at least: one brings it nearer by two columns or two rows at most.
///
/// ```
/// use beeline_search::example::{Knight, Leaps};
/// use beeline_search::{Heuristic, Space};
///
/// let space = Knight::across(8);
/// assert_eq!(Leaps.estimate(&space, &space.start()), 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Leaps;

impl Heuristic<Knight> for Leaps {
    type Memo = Cost;
    type Scratch = ();

    fn root(&self, space: &Knight, &(column, row): &(u8, u8), (): &mut ()) -> Cost {
        let (right, down) = (space.goal.0.abs_diff(column), space.goal.1.abs_diff(row));
        Cost::from(right.max(down).div_ceil(2))
    }

    fn value(&self, leaps: Cost) -> Cost {
        leaps
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}
