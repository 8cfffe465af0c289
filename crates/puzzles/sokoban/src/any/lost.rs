//! Is a position lost? The rules that the search for any plan asks after a box was carried, the cheap ones first.
//!
//! Besides the rules that all solvers share, boxes that are frozen on goals count as walls: what is left must still have goals
//! of its own, and ways to them.

use std::collections::HashMap;

use super::super::board::Square;
use super::super::corral::Corral;
use super::super::diagonals;
use super::super::field::Field;
use super::super::freeze::{frozen, stuck};
use super::super::pairs::Pairs;
use super::super::walk::Position;
use super::terrain::Goals;

/// How many sets of frozen boxes are remembered.
const MEMORY: usize = 1 << 12;

/// The rules with the tables that they need.
pub(crate) struct Lost {
    pairs: Option<Pairs>,
    corral: Corral,
    /// For a set of frozen boxes: the goals that a box on each square can still get to.
    walls: HashMap<Box<[Square]>, Box<[Goals]>>,
    hard: Vec<bool>,
}

impl Lost {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        Self {
            pairs: Pairs::new(field),
            corral: Corral::new(field),
            walls: HashMap::new(),
            hard: vec![false; field.squares() + 1],
        }
    }

    /// The cheap rules, for the box on `square` that was moved last.
    #[inline]
    pub(crate) fn at_once(&mut self, field: &Field, position: &mut Position, square: Square) -> Option<&'static str> {
        if frozen(field, position, square) {
            return Some("freeze");
        }
        if self.pairs.as_ref().is_some_and(|p| p.any_lost(square, &position.boxes)) {
            return Some("pairs");
        }
        None
    }

    /// The dear rules.
    pub(crate) fn on_reflection(&mut self, field: &Field, position: &mut Position, square: Square) -> Option<&'static str> {
        if self.walled_off(field, position) {
            return Some("walled-off");
        }
        if diagonals::closed(field, position, square, &mut self.corral) {
            return Some("diagonals");
        }
        if self.corral.lost(field, position, square) {
            return Some("corral");
        }
        None
    }

    /// With boxes that are frozen on goals as walls: can the others not all have goals?
    pub(crate) fn walled_off(&mut self, field: &Field, position: &mut Position) -> bool {
        let goals = field.board().goals();
        if goals.len() > Goals::BITS as usize {
            return false;
        }
        let mut fixed: Vec<Square> = Vec::new();
        for i in 0..position.boxes.len() {
            let at = position.boxes[i];
            if field.board().is_goal(at) && stuck(field, position, at, &mut 200) {
                fixed.push(at);
            }
        }
        fixed.sort_unstable();
        if self.walls.len() >= MEMORY {
            self.walls.clear();
        }
        if !self.walls.contains_key(fixed.as_slice()) {
            let reach = self.reach(field, &fixed);
            self.walls.insert(fixed.clone().into_boxed_slice(), reach);
        }
        let Some(reach) = self.walls.get(fixed.as_slice()) else { return false };
        let rows: Vec<Goals> = position
            .boxes
            .iter()
            .filter(|b| fixed.binary_search(b).is_err())
            .map(|&b| reach[b as usize])
            .collect();
        !all_matched(&rows, goals.len())
    }

    /// The goals that a box on each square can get to when these squares are walls.
    fn reach(&mut self, field: &Field, fixed: &[Square]) -> Box<[Goals]> {
        let n = field.squares();
        self.hard.fill(false);
        self.hard[n] = true;
        for &at in fixed {
            self.hard[at as usize] = true;
        }
        let mut reach: Vec<Goals> = vec![0; n];
        let mut todo = Vec::new();
        for (i, &goal) in field.board().goals().iter().enumerate() {
            if self.hard[goal as usize] {
                continue;
            }
            let bit = 1 << i;
            reach[goal as usize] |= bit;
            todo.push(goal);
            while let Some(at) = todo.pop() {
                for dir in 0..4 {
                    let from = field.near()[at as usize][dir];
                    if self.hard[from as usize] || reach[from as usize] & bit != 0 {
                        continue;
                    }
                    if !self.hard[field.near()[from as usize][dir] as usize] {
                        reach[from as usize] |= bit;
                        todo.push(from);
                    }
                }
            }
        }
        reach.into_boxed_slice()
    }
}

/// Can every row have a column of its own?
fn all_matched(rows: &[Goals], columns: usize) -> bool {
    let mut owner: Vec<usize> = vec![usize::MAX; columns];
    (0..rows.len()).all(|row| matched(rows, &mut owner, row, &mut 0))
}

/// Kuhn's way: takes a free column, or one whose owner finds another.
fn matched(rows: &[Goals], owner: &mut [usize], row: usize, seen: &mut Goals) -> bool {
    loop {
        let open = rows[row] & !*seen;
        if open == 0 {
            return false;
        }
        let column = open.trailing_zeros() as usize;
        *seen |= 1 << column;
        if owner[column] == usize::MAX || matched(rows, owner, owner[column], seen) {
            owner[column] = row;
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_columns_of_their_own() {
        assert!(all_matched(&[0b11, 0b01, 0b100], 3));
        assert!(!all_matched(&[0b11, 0b01, 0b10], 3));
        assert!(all_matched(&[], 0));
        assert!(!all_matched(&[0], 1));
    }
}
