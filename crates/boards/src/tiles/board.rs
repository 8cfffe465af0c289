//! The board: the tile on each square, and the goal.
//!
//! A board is plain data. [`super::text`] reads and writes it.

/// Most rows, and most columns.
pub const MAX_SIDE: usize = 6;
/// Most squares.
pub const MAX_SQUARES: usize = MAX_SIDE * MAX_SIDE;

/// The goal: the tiles in order, with the blank first or last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The blank in the upper left corner, then 1, 2, … (the convention of the search literature).
    #[default]
    BlankFirst,
    /// 1, 2, … and the blank in the lower right corner (the convention of the physical puzzle).
    BlankLast,
}

impl Goal {
    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::BlankFirst => "blank first",
            Self::BlankLast => "blank last",
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::BlankFirst => Self::BlankLast,
            Self::BlankLast => Self::BlankFirst,
        }
    }
}

/// A step of the blank. A tile moves the opposite way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Step {
    /// The blank goes left.
    Left,
    /// The blank goes right.
    Right,
    /// The blank goes up.
    Up,
    /// The blank goes down.
    Down,
}

impl Step {
    /// All four, in the order in which a search tries them.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// The step with this number.
    #[inline(always)]
    pub fn from_index(index: usize) -> Self {
        Self::ALL[index & 3]
    }

    /// The opposite step.
    #[inline(always)]
    #[must_use]
    pub fn back(self) -> Self {
        Self::from_index(self as usize ^ 1)
    }

    /// Its letter in a plan.
    #[inline]
    pub fn letter(self) -> char {
        ['L', 'R', 'U', 'D'][self as usize]
    }

    /// The step with this letter, large or small.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.letter() == letter.to_ascii_uppercase())
    }
}

/// A parsed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    rows: usize,
    columns: usize,
    cells: Vec<u8>,
    /// The goal.
    pub goal: Goal,
    /// The title in the file.
    pub title: Option<String>,
}

impl Board {
    /// A board, if the sides are in range and each tile occurs exactly once.
    pub fn new(rows: usize, columns: usize, cells: Vec<u8>, goal: Goal) -> Option<Self> {
        let sides = 2..=MAX_SIDE;
        if !sides.contains(&rows) || !sides.contains(&columns) || cells.len() != rows * columns {
            return None;
        }
        let mut seen = 0u64;
        for &tile in &cells {
            if usize::from(tile) >= cells.len() || seen >> tile & 1 == 1 {
                return None;
            }
            seen |= 1 << tile;
        }
        Some(Self { rows, columns, cells, goal, title: None })
    }

    /// The solved board of these sides.
    pub fn solved(rows: usize, columns: usize, goal: Goal) -> Option<Self> {
        let squares = rows.checked_mul(columns).filter(|&n| n <= MAX_SQUARES)?;
        let cells = (0..squares).map(|square| tile_at_home(square, squares, goal)).collect();
        Self::new(rows, columns, cells, goal)
    }

    /// The same board with this title.
    #[must_use]
    pub fn titled(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// The same tiles with this goal.
    #[must_use]
    pub fn with_goal(self, goal: Goal) -> Self {
        Self { goal, ..self }
    }

    /// How many rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The tiles row by row, 0 for the blank.
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// How many squares.
    #[inline]
    pub fn squares(&self) -> usize {
        self.cells.len()
    }

    /// Where the blank stands.
    pub fn blank(&self) -> usize {
        self.cells.iter().position(|&t| t == 0).unwrap_or_default()
    }

    /// Is it solved already?
    pub fn is_solved(&self) -> bool {
        (0..self.squares()).all(|s| self.cells[s] == tile_at_home(s, self.squares(), self.goal))
    }

    /// Is it solvable? Every step swaps two cells and moves the blank by one. So the parity of the permutation and that of the
    /// blank's distance from its corner change together. In half of all boards they differ.
    pub fn is_solvable(&self) -> bool {
        let squares = self.squares();
        let mut odd = false;
        let mut seen = 0u64;
        for first in 0..squares {
            let mut square = first;
            let mut length = 0;
            while seen >> square & 1 == 0 {
                seen |= 1 << square;
                square = home_of_tile(self.cells[square], squares, self.goal);
                length += 1;
            }
            odd ^= length > 0 && length % 2 == 0;
        }
        let (blank, home) = (self.blank(), home_of_tile(0, squares, self.goal));
        let row = (blank / self.columns).abs_diff(home / self.columns);
        let column = (blank % self.columns).abs_diff(home % self.columns);
        odd == ((row + column) % 2 == 1)
    }

    /// The equivalent puzzle with the blank first in the goal. A board whose goal has the blank last is rotated by 180 degrees,
    /// and its tiles are numbered from the other end. A plan for one becomes a plan for the other when each step is replaced by
    /// its opposite.
    #[must_use]
    pub fn blank_first(&self) -> Self {
        if self.goal == Goal::BlankFirst {
            return self.clone();
        }
        let squares = self.squares() as u8;
        let renamed = |&tile: &u8| if tile == 0 { 0 } else { squares - tile };
        let cells = self.cells.iter().rev().map(renamed).collect();
        Self { cells, goal: Goal::BlankFirst, ..self.clone() }
    }
}

/// The goal tile of a square.
#[inline]
pub fn tile_at_home(square: usize, squares: usize, goal: Goal) -> u8 {
    match goal {
        Goal::BlankFirst => square as u8,
        Goal::BlankLast => ((square + 1) % squares) as u8,
    }
}

/// The goal square of a tile.
#[inline]
pub fn home_of_tile(tile: u8, squares: usize, goal: Goal) -> usize {
    match goal {
        Goal::BlankFirst => usize::from(tile),
        Goal::BlankLast => (usize::from(tile) + squares - 1) % squares,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_all_boards_can_be_solved() {
        for goal in [Goal::BlankFirst, Goal::BlankLast] {
            let mut solvable = 0;
            let mut cells = vec![0, 1, 2, 3, 4, 5];
            permutations(&mut cells, 0, &mut |cells| {
                let board = Board::new(2, 3, cells.to_vec(), goal).unwrap();
                solvable += u32::from(board.is_solvable());
            });
            assert_eq!(solvable, 360);
        }
    }

    fn permutations(cells: &mut [u8], from: usize, each: &mut dyn FnMut(&[u8])) {
        if from == cells.len() {
            return each(cells);
        }
        for i in from..cells.len() {
            cells.swap(from, i);
            permutations(cells, from + 1, each);
            cells.swap(from, i);
        }
    }

    #[test]
    fn turning_keeps_solvability_and_the_goal() {
        for (rows, columns) in [(2, 2), (2, 5), (3, 3), (4, 4), (6, 6), (3, 6)] {
            let solved = Board::solved(rows, columns, Goal::BlankLast).unwrap();
            assert!(solved.is_solved() && solved.is_solvable());
            let turned = solved.blank_first();
            assert!(turned.is_solved() && turned.is_solvable());
            let mut cells = solved.cells().to_vec();
            cells.swap(0, 1);
            let swapped = Board::new(rows, columns, cells, Goal::BlankLast).unwrap();
            assert!(!swapped.is_solvable() && !swapped.blank_first().is_solvable());
        }
    }

    #[test]
    fn bad_boards_are_refused() {
        assert!(Board::new(1, 4, vec![0, 1, 2, 3], Goal::BlankFirst).is_none());
        assert!(Board::new(2, 2, vec![0, 1, 2, 2], Goal::BlankFirst).is_none());
        assert!(Board::new(2, 2, vec![0, 1, 2, 4], Goal::BlankFirst).is_none());
        assert!(Board::new(2, 2, vec![0, 1, 2], Goal::BlankFirst).is_none());
        assert!(Board::solved(usize::MAX, 2, Goal::BlankFirst).is_none());
    }
}
