//! A parsed level: its grid, and the same grid as numbered squares.
//!
//! Searches do not work on the grid. They work on *squares*: the cells that the player could reach without boxes, numbered row
//! by row, with a table of neighbours. Everything outside the walls is omitted, so tables and keys stay small.
//!
//! The rules are not in here: the space and the solvers know which moves are legal.

use std::sync::Arc;

/// The number of a square.
pub type Square = u16;

/// "No square here": a wall, or the end of the board.
pub const NOWHERE: Square = Square::MAX;

/// Most squares of a board: it bounds the size of a packed state.
pub const MAX_SQUARES: usize = 4096;

/// The four directions, in the order in which moves are tried: left, right, up, down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Dir {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

/// All directions, in the order in which moves are tried.
pub const DIRS: [Dir; 4] = [Dir::Left, Dir::Right, Dir::Up, Dir::Down];

impl Dir {
    /// The opposite direction.
    #[inline(always)]
    #[must_use]
    pub fn back(self) -> Self {
        DIRS[self as usize ^ 1]
    }

    /// The two directions at right angles.
    #[inline(always)]
    #[must_use]
    pub fn sides(self) -> [Self; 2] {
        let other = (self as usize ^ 2) & 2;
        [DIRS[other], DIRS[other + 1]]
    }

    /// The letter of a step; capital for a push.
    #[inline]
    pub fn letter(self, push: bool) -> char {
        match (self, push) {
            (Self::Left, false) => 'l',
            (Self::Right, false) => 'r',
            (Self::Up, false) => 'u',
            (Self::Down, false) => 'd',
            (Self::Left, true) => 'L',
            (Self::Right, true) => 'R',
            (Self::Up, true) => 'U',
            (Self::Down, true) => 'D',
        }
    }

    /// The direction that a letter names, small or capital.
    #[inline]
    pub fn of(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            'l' => Some(Self::Left),
            'r' => Some(Self::Right),
            'u' => Some(Self::Up),
            'd' => Some(Self::Down),
            _ => None,
        }
    }
}

/// The content of a cell in the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is one of the marks that a symbol combines
pub struct Cell {
    /// A wall: nothing can stand here.
    pub wall: bool,
    /// A goal is here.
    pub goal: bool,
    /// A box is here at the start.
    pub boxed: bool,
    /// The player is here at the start.
    pub player: bool,
}

impl Cell {
    /// Open floor.
    pub const FLOOR: Self = Self { wall: false, goal: false, boxed: false, player: false };
    /// A wall.
    pub const WALL: Self = Self { wall: true, ..Self::FLOOR };

    /// The cell of a symbol in the usual notation.
    #[inline]
    pub fn of(symbol: char) -> Option<Self> {
        let floor = Self::FLOOR;
        Some(match symbol {
            '#' => Self::WALL,
            ' ' | '-' | '_' => floor,
            '.' => Self { goal: true, ..floor },
            '$' => Self { boxed: true, ..floor },
            '*' => Self { boxed: true, goal: true, ..floor },
            '@' => Self { player: true, ..floor },
            '+' => Self { player: true, goal: true, ..floor },
            _ => return None,
        })
    }

    /// The symbol of the cell.
    pub fn symbol(self) -> char {
        match (self.wall, self.goal, self.boxed, self.player) {
            (true, ..) => '#',
            (_, false, false, false) => ' ',
            (_, true, false, false) => '.',
            (_, false, true, _) => '$',
            (_, true, true, _) => '*',
            (_, false, _, true) => '@',
            (_, true, _, true) => '+',
        }
    }
}

/// A level: grid and squares. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Board(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
    /// For each cell, its square or [`NOWHERE`].
    square_of: Vec<Square>,
    /// For each square, its cell.
    cell_of: Vec<u32>,
    /// For each square, its neighbours in the order of [`DIRS`].
    near: Vec<[Square; 4]>,
    goal: Vec<bool>,
    goals: Vec<Square>,
    boxes: Vec<Square>,
    player: Square,
    /// Boxes off goal that the player can never reach.
    lost: usize,
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        (self.0.width, self.0.height, &self.0.cells) == (other.0.width, other.0.height, &other.0.cells)
    }
}
impl Eq for Board {}

/// Why a grid is not a level. Places are (row, column).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no player.
    NoPlayer,
    /// There is a second player, here.
    TwoPlayers(usize, usize),
    /// The player can walk off the board here.
    Open(usize, usize),
    /// More boxes than goals: (boxes, goals).
    TooManyBoxes(usize, usize),
    /// More squares than [`MAX_SQUARES`].
    TooLarge(usize),
}

impl Board {
    /// Numbers the squares of a grid (row by row, `width` cells a row; missing cells at the end are floor).
    pub fn new(width: usize, mut cells: Vec<Cell>) -> Result<Self, Fault> {
        let height = cells.len().div_ceil(width.max(1));
        cells.resize(width * height, Cell::FLOOR);
        let place = |cell: usize| (cell / width, cell % width);
        let mut players = cells.iter().enumerate().filter(|(_, c)| c.player).map(|(i, _)| i);
        let start = players.next().ok_or(Fault::NoPlayer)?;
        if let Some(second) = players.next() {
            let (row, column) = place(second);
            return Err(Fault::TwoPlayers(row, column));
        }
        let boxes = cells.iter().filter(|c| c.boxed).count();
        let goals = cells.iter().filter(|c| c.goal).count();
        if boxes > goals {
            return Err(Fault::TooManyBoxes(boxes, goals));
        }
        let reached = reach(width, height, &cells, start).map_err(|cell| {
            let (row, column) = place(cell);
            Fault::Open(row, column)
        })?;
        let count = reached.iter().filter(|&&r| r).count();
        if count > MAX_SQUARES {
            return Err(Fault::TooLarge(count));
        }
        Ok(Self(Arc::new(Inner::new(width, height, cells, &reached, start))))
    }

    /// Columns of the grid.
    #[inline]
    pub fn width(&self) -> usize {
        self.0.width
    }

    /// Rows of the grid.
    #[inline]
    pub fn height(&self) -> usize {
        self.0.height
    }

    /// The cell at this row and column of the grid.
    #[inline]
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        self.0.cells[row * self.0.width + column]
    }

    /// The number of squares.
    #[inline]
    pub fn squares(&self) -> usize {
        self.0.near.len()
    }

    /// The neighbour of a square, or [`NOWHERE`].
    #[inline(always)]
    pub fn next(&self, square: Square, dir: Dir) -> Square {
        self.0.near[square as usize][dir as usize]
    }

    /// The neighbours of every square, in the order of [`DIRS`].
    #[inline(always)]
    pub fn near(&self) -> &[[Square; 4]] {
        &self.0.near
    }

    /// Is this square a goal?
    #[inline(always)]
    pub fn is_goal(&self, square: Square) -> bool {
        self.0.goal[square as usize]
    }

    /// The reachable goals, by number.
    #[inline]
    pub fn goals(&self) -> &[Square] {
        &self.0.goals
    }

    /// The boxes at the start, by number, without boxes that the player can never reach.
    #[inline]
    pub fn boxes(&self) -> &[Square] {
        &self.0.boxes
    }

    /// The player's square at the start.
    #[inline]
    pub fn player(&self) -> Square {
        self.0.player
    }

    /// Boxes that can never be on a goal: unreachable ones, or more than there are reachable goals. If it is not 0, the level
    /// has no plan.
    #[inline]
    pub fn lost(&self) -> usize {
        self.0.lost
    }

    /// Row and column of a square.
    #[inline]
    pub fn place(&self, square: Square) -> (usize, usize) {
        let cell = self.0.cell_of[square as usize] as usize;
        (cell / self.0.width, cell % self.0.width)
    }

    /// The square at this row and column, if there is one.
    #[inline]
    pub fn square(&self, row: usize, column: usize) -> Option<Square> {
        let cell = row * self.0.width + column;
        self.0.square_of.get(cell).copied().filter(|&s| column < self.0.width && s != NOWHERE)
    }

    /// The same walls and goals with boxes and player elsewhere. Unreachable boxes stay.
    #[must_use]
    pub fn with(&self, player: Square, boxes: &[Square]) -> Self {
        self.set(player, boxes, None)
    }

    /// The same walls with boxes, player and goals elsewhere.
    #[must_use]
    pub fn with_goals(&self, player: Square, boxes: &[Square], goals: &[Square]) -> Self {
        self.set(player, boxes, Some(goals))
    }

    fn set(&self, player: Square, boxes: &[Square], goals: Option<&[Square]>) -> Self {
        let inner = &self.0;
        let mut cells = inner.cells.clone();
        if let Some(goals) = goals {
            for &cell in &inner.cell_of {
                cells[cell as usize].goal = false;
            }
            for &at in goals {
                cells[inner.cell_of[at as usize] as usize].goal = true;
            }
        }
        for &cell in &inner.cell_of {
            cells[cell as usize].boxed = false;
            cells[cell as usize].player = false;
        }
        for &at in boxes {
            cells[inner.cell_of[at as usize] as usize].boxed = true;
        }
        cells[inner.cell_of[player as usize] as usize].player = true;
        let reached: Vec<bool> = inner.square_of.iter().map(|&s| s != NOWHERE).collect();
        let start = inner.cell_of[player as usize] as usize;
        Self(Arc::new(Inner::new(inner.width, inner.height, cells, &reached, start)))
    }
}

/// The cells that the player could reach without boxes. The error is a cell from which the way leads off the board.
fn reach(width: usize, height: usize, cells: &[Cell], start: usize) -> Result<Vec<bool>, usize> {
    let mut reached = vec![false; cells.len()];
    let mut todo = vec![start];
    reached[start] = true;
    while let Some(cell) = todo.pop() {
        let (row, column) = (cell / width, cell % width);
        if row == 0 || column == 0 || row + 1 == height || column + 1 == width {
            return Err(cell);
        }
        for next in [cell - 1, cell + 1, cell - width, cell + width] {
            if !cells[next].wall && !reached[next] {
                reached[next] = true;
                todo.push(next);
            }
        }
    }
    Ok(reached)
}

impl Inner {
    fn new(width: usize, height: usize, cells: Vec<Cell>, reached: &[bool], start: usize) -> Self {
        let mut square_of = vec![NOWHERE; cells.len()];
        let mut cell_of = Vec::new();
        for (cell, _) in reached.iter().enumerate().filter(|(_, r)| **r) {
            square_of[cell] = cell_of.len() as Square;
            cell_of.push(cell as u32);
        }
        // Squares never touch the edge of the grid, so all four neighbours exist.
        let near = cell_of
            .iter()
            .map(|&c| {
                let c = c as usize;
                [c - 1, c + 1, c - width, c + width].map(|n| square_of[n])
            })
            .collect();
        let goal: Vec<bool> = cell_of.iter().map(|&c| cells[c as usize].goal).collect();
        let numbered = |f: &dyn Fn(&Cell) -> bool| -> Vec<Square> {
            (0..cell_of.len()).filter(|&s| f(&cells[cell_of[s] as usize])).map(|s| s as Square).collect()
        };
        let (goals, boxes) = (numbered(&|c| c.goal), numbered(&|c| c.boxed));
        let apart =
            cells.iter().zip(&square_of).filter(|(c, s)| **s == NOWHERE && c.boxed && !c.goal).count();
        let lost = apart + boxes.len().saturating_sub(goals.len());
        let player = square_of[start];
        Self { width, height, cells, square_of, cell_of, near, goal, goals, boxes, player, lost }
    }
}
