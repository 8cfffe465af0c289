//! The board as a matrix of numbers: the homework's own functions, implemented literally.
//!
//! | number | meaning |
//! |---|---|
//! | -2 | a door: only the master brick may stand here (an extension) |
//! | -1 | a goal cell: only the master brick may stand here, and it must in the end |
//! | 0 | free |
//! | 1 | wall |
//! | 2 | the master brick |
//! | 3 and up | the other bricks |
//!
//! A brick is all cells with its number, whether they touch or not. Solvers do not search this form: they work on a
//! [`Layout`](crate::sliding::Layout), and their tests compare the two.

use std::fmt;
use std::ops::RangeInclusive;

use super::text;
use crate::sliding::Dir;
use crate::text::TextError;

/// The number of the master brick.
pub const MASTER: i32 = 2;
/// The number of a wall.
pub const WALL: i32 = 1;
/// The number of a free cell.
pub const FREE: i32 = 0;
/// The number of a goal cell that nothing covers.
pub const GOAL: i32 = -1;
/// The number of a door that nothing covers.
pub const DOOR: i32 = -2;
/// The numbers of the bricks other than the master.
pub(super) const OTHERS: RangeInclusive<i32> = MASTER + 1..=i32::MAX;

/// A move: a brick and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The number of the brick.
    pub brick: i32,
    /// The direction in which it moves.
    pub dir: Dir,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gap = if f.alternate() { " " } else { "" };
        write!(f, "({},{gap}{})", self.brick, self.dir.word())
    }
}

/// A move that the board does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not possible here")]
pub struct Blocked(pub Step);

/// A state of the game. Two states are equal if all their numbers are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The visible numbers, row by row.
    pub(super) cells: Vec<i32>,
    /// The ground under the bricks: [`FREE`], [`GOAL`] or [`DOOR`], and [`WALL`] where there are walls.
    pub(super) under: Vec<i32>,
    /// The second matrix. A positive number: this brick, or one of its shape, must cover the cell in the end. A negative
    /// number: the brick of its absolute value itself must. 0: no condition.
    pub(super) targets: Vec<i32>,
    /// Bricks that are wider than tall move only left and right, those taller than wide only up and down.
    pub(super) lengthwise: bool,
}

impl Grid {
    /// Reads a state. A board without a goal cell counts as solved.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        text::parse(text)
    }

    /// The state with these numbers, row by row, and nothing under its bricks.
    pub fn new(width: usize, cells: Vec<i32>) -> Self {
        let under = cells.iter().map(|&n| if n >= MASTER { FREE } else { n }).collect();
        let (height, targets) = (cells.len().checked_div(width).unwrap_or(0), vec![0; cells.len()]);
        Self { width, height, cells, under, targets, lengthwise: false }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The number in a cell; everything outside the board is wall.
    pub fn at(&self, row: usize, column: usize) -> i32 {
        if row < self.height && column < self.width { self.cells[row * self.width + column] } else { WALL }
    }

    /// The numbers, row by row.
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// The numbers of all bricks, ascending: the master comes first.
    pub fn bricks(&self) -> Vec<i32> {
        let mut all: Vec<i32> = self.cells.iter().copied().filter(|&n| n >= MASTER).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Is the puzzle solved? Every goal cell is covered, and each cell of the second matrix is covered as it demands.
    pub fn solved(&self) -> bool {
        let covered = |cell: usize| {
            let (wanted, there) = (self.targets[cell], self.cells[cell]);
            wanted == 0
                || wanted.abs() == there
                || wanted > MASTER && there > MASTER && self.shape(wanted) == self.shape(there)
        };
        !self.cells.contains(&GOAL) && (0..self.cells.len()).all(covered)
    }

    /// The cells of a brick, ascending.
    fn cells_of(&self, brick: i32) -> impl Iterator<Item = usize> + '_ {
        (0..self.cells.len()).filter(move |&c| self.cells[c] == brick)
    }

    /// The cells of a brick as (row, column) from its first one.
    fn shape(&self, brick: i32) -> Vec<(isize, isize)> {
        let places: Vec<(isize, isize)> =
            self.cells_of(brick).map(|c| ((c / self.width) as isize, (c % self.width) as isize)).collect();
        let Some(&(row, column)) = places.first() else { return places };
        places.into_iter().map(|(r, c)| (r - row, c - column)).collect()
    }

    /// The cell one step away.
    fn beside(&self, cell: usize, dir: Dir) -> Option<usize> {
        let (row, column) = (cell / self.width, cell % self.width);
        match dir {
            Dir::Up => (row > 0).then(|| cell - self.width),
            Dir::Down => (row + 1 < self.height).then_some(cell + self.width),
            Dir::Left => (column > 0).then(|| cell - 1),
            Dir::Right => (column + 1 < self.width).then_some(cell + 1),
        }
    }

    /// Is a step possible?
    pub fn allows(&self, step: Step) -> bool {
        let Step { brick, dir } = step;
        let may_enter = |cell: usize| match self.cells[cell] {
            FREE => true,
            GOAL | DOOR => brick == MASTER,
            there => there == brick,
        };
        brick >= MASTER
            && self.cells.contains(&brick)
            && self.moves_along(brick, dir)
            && self.cells_of(brick).all(|cell| self.beside(cell, dir).is_some_and(may_enter))
    }

    /// Does the rule allow a brick of this shape to move in this direction?
    fn moves_along(&self, brick: i32, dir: Dir) -> bool {
        let side = |place: fn((isize, isize)) -> isize| {
            let places = || self.shape(brick).into_iter().map(place);
            places().max().unwrap_or(0) - places().min().unwrap_or(0)
        };
        !self.lengthwise
            || match dir {
                Dir::Up | Dir::Down => side(|p| p.0) >= side(|p| p.1),
                Dir::Left | Dir::Right => side(|p| p.1) >= side(|p| p.0),
            }
    }

    /// The moves of one brick in the order up, down, left, right. Empty if there is no such brick.
    pub fn moves_of(&self, brick: i32) -> Vec<Step> {
        let steps = Dir::ALL.into_iter().map(|dir| Step { brick, dir });
        steps.filter(|&step| self.allows(step)).collect()
    }

    /// All moves, brick by brick in the order of their numbers.
    pub fn moves(&self) -> Vec<Step> {
        self.bricks().into_iter().flat_map(|brick| self.moves_of(brick)).collect()
    }

    /// Makes a move. A cell that the master leaves shows its ground again, such as a goal cell.
    pub fn apply(&mut self, step: Step) -> Result<(), Blocked> {
        if !self.allows(step) {
            return Err(Blocked(step));
        }
        let from: Vec<usize> = self.cells_of(step.brick).collect();
        for &cell in &from {
            self.cells[cell] = self.under[cell];
        }
        for cell in from {
            if let Some(to) = self.beside(cell, step.dir) {
                self.cells[to] = step.brick;
            }
        }
        Ok(())
    }

    /// The state after a move; this one stays as it is.
    pub fn applied(&self, step: Step) -> Result<Self, Blocked> {
        let mut after = self.clone();
        after.apply(step)?;
        Ok(after)
    }

    /// Each brick's number and its new number in normal form: the bricks other than the master are numbered from 3 in the order
    /// of their first cells, row by row.
    pub fn renumbering(&self) -> Vec<(i32, i32)> {
        let mut met = Vec::new();
        for &n in &self.cells {
            if OTHERS.contains(&n) && !met.contains(&n) {
                met.push(n);
            }
        }
        met.into_iter().zip(OTHERS).collect()
    }

    /// Brings the state into normal form.
    pub fn normalise(&mut self) {
        let renumbering = self.renumbering();
        for n in self.cells.iter_mut().chain(&mut self.targets) {
            if let Some(&(_, new)) = renumbering.iter().find(|(old, _)| *old == n.abs()) {
                *n = new * n.signum();
            }
        }
    }

    /// The normal form of the state.
    #[must_use]
    pub fn normal(&self) -> Self {
        let mut normal = self.clone();
        normal.normalise();
        normal
    }

    /// Is it in normal form?
    pub fn is_normal(&self) -> bool {
        self.renumbering().into_iter().all(|(old, new)| old == new)
    }

    /// A walk of moves chosen by `pick`. After each move it normalises and calls `each`. It ends at the goal, after `most`
    /// moves, or when `pick` returns none. Returns the number of moves.
    pub fn walk(
        &mut self,
        most: usize,
        mut pick: impl FnMut(&[Step]) -> Option<Step>,
        mut each: impl FnMut(Step, &Self),
    ) -> usize {
        for made in 0..most {
            if self.solved() {
                return made;
            }
            let Some(step) = pick(&self.moves()) else { return made };
            if self.apply(step).is_err() {
                return made;
            }
            self.normalise();
            each(step, self);
        }
        most
    }

    /// The state as text, in the file's format; with `spaces`, a space after each comma that another number follows.
    pub fn display(&self, spaces: bool) -> String {
        text::matrix(self.width, self.height, &self.cells, spaces, true)
    }

    /// The whole board as a file, with the second matrix where one is needed.
    pub fn file(&self) -> String {
        text::file(self)
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display(f.alternate()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "5,4,\n1,-1,-1,1,1,\n1,0,3,4,1,\n1,0,2,2,1,\n1,1,1,1,1,\n";

    fn step(brick: i32, dir: Dir) -> Step {
        Step { brick, dir }
    }

    #[test]
    fn moves_are_those_of_the_bricks_in_order() {
        let grid = Grid::parse(FIRST).unwrap();
        assert_eq!(grid.moves_of(2), [step(2, Dir::Left)]);
        assert_eq!(grid.moves_of(3), [step(3, Dir::Left)], "a goal cell is no place for brick 3");
        assert_eq!(grid.moves_of(4), []);
        assert_eq!(grid.moves_of(9), []);
        assert_eq!(grid.moves(), [step(2, Dir::Left), step(3, Dir::Left)]);
        assert_eq!(grid.applied(step(4, Dir::Up)), Err(Blocked(step(4, Dir::Up))));
        let shown: Vec<String> = grid.moves().iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["(2,left)", "(3,left)"]);
        assert_eq!(format!("{:#}", grid.moves()[0]), "(2, left)");
    }

    #[test]
    fn a_goal_cell_that_is_left_is_a_goal_cell_again() {
        let mut grid = Grid::parse("4,3,\n1,-1,-1,1,\n1,-1,-1,1,\n1,2,2,1,\n").unwrap();
        let start = grid.clone();
        grid.apply(step(2, Dir::Up)).unwrap();
        assert_eq!(grid.display(false), "4,3,\n1,-1,-1,1,\n1,2,2,1,\n1,0,0,1,\n");
        assert!(!grid.solved());
        let seen_again = Grid::parse(&grid.file()).unwrap();
        assert_eq!(seen_again, grid, "what is under the master survives the file");
        grid.apply(step(2, Dir::Down)).unwrap();
        assert_eq!(grid, start);
    }

    #[test]
    fn edges_are_walls_and_parts_move_as_one() {
        let grid = Grid::parse("3,2,\n2,0,2,\n0,3,0,\n").unwrap();
        assert_eq!(grid.moves_of(2), [step(2, Dir::Down)]);
        let grid = Grid::parse("3,2,\n2,0,2,\n0,3,3,\n").unwrap();
        assert_eq!(grid.moves(), [step(3, Dir::Left)], "one part of the master is blocked");
        let grid = Grid::parse("3,2,\n2,0,2,\n0,0,-1,\n").unwrap();
        let down = grid.applied(step(2, Dir::Down)).unwrap();
        assert!(down.solved());
        assert_eq!(down.to_string(), "3,2,\n0,0,0,\n2,0,2,\n");
    }

    #[test]
    fn the_normal_form_is_that_of_the_swaps() {
        let text = "4,3,\n12,2,2,4,\n3,2,2,7,\n5,5,21,-1,\n";
        let mut grid = Grid::parse(text).unwrap();
        let mut swapped = grid.clone();
        by_swaps(&mut swapped);
        assert!(!grid.is_normal());
        grid.normalise();
        assert_eq!(grid, swapped);
        assert_eq!(grid.to_string(), "4,3,\n3,2,2,4,\n5,2,2,6,\n7,7,8,-1,\n");
        assert!(grid.is_normal() && grid.normal() == grid);
    }

    /// The usual formulation of the normal form: swap numbers until each is in its place.
    fn by_swaps(grid: &mut Grid) {
        let mut next = 3;
        for cell in 0..grid.cells.len() {
            let there = grid.cells[cell];
            if there == next {
                next += 1;
            } else if there > next {
                for n in &mut grid.cells {
                    *n = if *n == there {
                        next
                    } else if *n == next {
                        there
                    } else {
                        *n
                    };
                }
                next += 1;
            }
        }
    }

    #[test]
    fn walks_stop_at_the_goal_at_the_number_and_where_nothing_moves() {
        let last = |moves: &[Step]| moves.last().copied();
        let mut grid = Grid::parse("3,1,\n2,0,-1,\n").unwrap();
        let mut seen = Vec::new();
        let made = grid.walk(1000, last, |step, after| {
            seen.push((step, after.solved()));
        });
        assert!(made == 2 && made == seen.len() && seen.last().unwrap().1);
        let mut stuck = Grid::parse("2,1,\n2,1,\n").unwrap();
        assert_eq!(stuck.walk(5, last, |_, _| {}), 0);
        let mut grid = Grid::parse(FIRST).unwrap();
        assert_eq!(grid.walk(3, last, |_, _| {}), 3);
    }

    #[test]
    fn targets_ask_for_this_very_brick() {
        let mut grid = Grid::parse("3,2,\n2,3,4,\n0,0,0,\n0,0,-3,\n0,0,0,\n").unwrap();
        assert!(!grid.solved(), "brick 4 does not stand for brick 3");
        for (brick, dir) in [(4, Dir::Down), (3, Dir::Right)] {
            grid.apply(step(brick, dir)).unwrap();
        }
        assert!(grid.solved());
        assert_eq!(Grid::parse(&grid.file()).unwrap(), grid);
        assert!(grid.normal().solved());
    }

    #[test]
    fn bricks_that_move_lengthwise() {
        let text = "rule: lengthwise\n4,3,\n0,3,0,-1,\n2,2,0,0,\n0,4,0,0,\n";
        let grid = Grid::parse(text).unwrap();
        let shown: Vec<String> = grid.moves().iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["(2,right)", "(3,left)", "(3,right)", "(4,left)", "(4,right)"]);
        assert_eq!(grid.file(), text);
    }

    #[test]
    fn targets_ask_for_a_brick_or_its_twin() {
        let grid = Grid::parse("3,2,\n2,3,4,\n0,0,0,\n0,0,3,\n0,0,0,\n").unwrap();
        assert!(grid.solved(), "brick 4 has the shape of brick 3");
        let grid = Grid::parse("3,2,\n2,3,4,\n0,0,4,\n0,0,3,\n0,0,0,\n").unwrap();
        assert!(!grid.solved(), "brick 4 has another shape");
        let grid = Grid::parse("3,2,\n2,3,4,\n0,0,0,\n0,2,0,\n0,0,0,\n").unwrap();
        assert!(!grid.solved(), "nothing takes the place of the master");
    }
}
