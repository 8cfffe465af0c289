//! A board of any sliding-block puzzle: walls, pieces of any shape, who may enter which cell, and the cells to cover.

/// Most pieces of a board.
pub const MAX_PIECES: usize = 64;

/// A direction, in the order in which moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dir {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
}

impl Dir {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The direction with this number.
    #[inline(always)]
    pub fn number(i: usize) -> Self {
        Self::ALL[i & 3]
    }

    /// The opposite.
    #[inline(always)]
    #[must_use]
    pub fn back(self) -> Self {
        Self::ALL[self as usize ^ 1]
    }

    /// Its letter: u, d, l, r.
    pub fn letter(self) -> char {
        ['u', 'd', 'l', 'r'][self as usize]
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        ["up", "down", "left", "right"][self as usize]
    }

    /// The direction with this letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.letter() == letter)
    }
}

/// The pieces that may stand in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// None.
    Wall,
    /// Every piece.
    Floor,
    /// Only piece 0.
    Door,
}

/// Cells that must be covered at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// By this piece, or by any pieces interchangeable with it (see [`Layout::classes`]).
    pub piece: usize,
    /// Only this piece itself may cover the cells.
    pub exact: bool,
    /// The cells, as `row * width + column`, in ascending order.
    pub cells: Vec<usize>,
}

/// Most open cells.
pub const MAX_OPEN: usize = 4096;

/// Walls, pieces and targets. Cells are numbered `row * width + column`; everything outside the board is wall.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layout {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The ground of each cell.
    pub ground: Vec<Ground>,
    /// The cells of each piece, ascending. Piece 0 is the one that may enter doors. At least one piece, none empty, no two on
    /// one cell, at most [`MAX_PIECES`].
    pub pieces: Vec<Vec<usize>>,
    /// The goal: cells that must be covered.
    pub targets: Vec<Target>,
    /// Pieces that are wider than tall move only left and right, those taller than wide only up and down.
    pub lengthwise: bool,
}

/// Why a layout is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLayout {
    /// The ground has not `width × height` cells, or there are more than 65,535.
    #[error("the ground does not fit the size")]
    Size,
    /// More than [`MAX_OPEN`] cells are open.
    #[error("more than 4096 open cells")]
    Open,
    /// No piece, or more than [`MAX_PIECES`].
    #[error("there must be 1 to 64 pieces")]
    Pieces,
    /// A piece is empty, its cells are not ascending, or one of them is not allowed or taken by another piece.
    #[error("piece {0} cannot stand where it is")]
    Piece(usize),
    /// A target names no piece, or no open cell.
    #[error("target {0} cannot be covered")]
    Target(usize),
}

impl Layout {
    /// A layout, if it satisfies the conditions of each field.
    pub fn new(
        width: usize,
        ground: Vec<Ground>,
        pieces: Vec<Vec<usize>>,
        targets: Vec<Target>,
    ) -> Result<Self, BadLayout> {
        let height = ground.len().checked_div(width).unwrap_or(0);
        let layout = Self { width, height, ground, pieces, targets, lengthwise: false };
        layout.check()?;
        Ok(layout)
    }

    fn check(&self) -> Result<(), BadLayout> {
        let cells = self.ground.len();
        if cells == 0 || self.width * self.height != cells || cells > usize::from(u16::MAX) {
            return Err(BadLayout::Size);
        }
        if self.open() > MAX_OPEN {
            return Err(BadLayout::Open);
        }
        if self.pieces.is_empty() || self.pieces.len() > MAX_PIECES {
            return Err(BadLayout::Pieces);
        }
        let mut taken = vec![false; cells];
        for (i, piece) in self.pieces.iter().enumerate() {
            let ascending = !piece.is_empty() && piece.windows(2).all(|w| w[0] < w[1]);
            let stands = |&c: &usize| match self.ground.get(c) {
                None | Some(Ground::Wall) => false,
                Some(Ground::Floor) => true,
                Some(Ground::Door) => i == 0,
            };
            if !ascending
                || !piece.iter().all(stands)
                || piece.iter().any(|&c| std::mem::replace(&mut taken[c], true))
            {
                return Err(BadLayout::Piece(i));
            }
        }
        for (i, target) in self.targets.iter().enumerate() {
            let open = |&c: &usize| self.ground.get(c).is_some_and(|&g| g != Ground::Wall);
            if target.piece >= self.pieces.len() || !target.cells.iter().all(open) {
                return Err(BadLayout::Target(i));
            }
        }
        Ok(())
    }

    /// The number of cells that are not wall.
    pub fn open(&self) -> usize {
        self.ground.iter().filter(|&&g| g != Ground::Wall).count()
    }

    /// The number of open cells that no piece covers; no move changes it.
    pub fn empty(&self) -> usize {
        self.open().saturating_sub(self.pieces.iter().map(Vec::len).sum())
    }

    /// The same layout with or without the lengthwise rule.
    #[must_use]
    pub fn with_lengthwise(mut self, lengthwise: bool) -> Self {
        self.lengthwise = lengthwise;
        self
    }

    /// May a piece of these cells move in this direction?
    pub fn moves_along(&self, cells: &[usize], dir: Dir) -> bool {
        let side = |place: fn(usize, usize) -> usize| {
            let all = || cells.iter().map(|&cell| place(cell, self.width));
            all().max().unwrap_or(0) - all().min().unwrap_or(0)
        };
        let (tall, wide) = (side(|cell, width| cell / width), side(|cell, width| cell % width));
        !self.lengthwise
            || match dir {
                Dir::Up | Dir::Down => tall >= wide,
                Dir::Left | Dir::Right => wide >= tall,
            }
    }

    /// Does a target require this piece itself?
    fn is_exact(&self, piece: usize) -> bool {
        self.targets.iter().any(|target| target.exact && target.piece == piece)
    }

    /// The class of each piece. Pieces of one shape (translated, not turned) form a class and are interchangeable in any plan.
    /// Piece 0 has its own class, class 0, and so does each piece with an exact target. The others are numbered by their first
    /// piece.
    pub fn classes(&self) -> Vec<usize> {
        // The shape of each class; `None` for a class that always has a single piece.
        let mut shapes: Vec<Option<Vec<(isize, isize)>>> = Vec::new();
        let mut classes = Vec::with_capacity(self.pieces.len());
        for (i, cells) in self.pieces.iter().enumerate() {
            let shape = (i > 0 && !self.is_exact(i)).then(|| self.shape(cells));
            let known = shape.as_ref().and_then(|_| shapes.iter().position(|s| *s == shape));
            classes.push(known.unwrap_or_else(|| {
                shapes.push(shape);
                shapes.len() - 1
            }));
        }
        classes
    }

    /// Cells as (row, column) relative to the first one.
    pub fn shape(&self, cells: &[usize]) -> Vec<(isize, isize)> {
        let place = |c: usize| ((c / self.width) as isize, (c % self.width) as isize);
        let (row, column) = cells.first().map_or((0, 0), |&c| place(c));
        cells.iter().map(|&c| (place(c).0 - row, place(c).1 - column)).collect()
    }

    /// The piece on each cell.
    pub fn owners(&self) -> Vec<Option<usize>> {
        let mut owners = vec![None; self.ground.len()];
        for (i, cells) in self.pieces.iter().enumerate() {
            for &c in cells {
                owners[c] = Some(i);
            }
        }
        owners
    }

    /// Are the piece's cells connected?
    pub fn connected(&self, piece: usize) -> bool {
        let cells = &self.pieces[piece];
        let mut seen = vec![false; cells.len()];
        let mut todo = vec![0];
        seen[0] = true;
        while let Some(i) = todo.pop() {
            for (j, &other) in cells.iter().enumerate() {
                let (a, b) = (cells[i].min(other), cells[i].max(other));
                let beside = b - a == self.width || (b - a == 1 && b % self.width != 0);
                if beside && !seen[j] {
                    seen[j] = true;
                    todo.push(j);
                }
            }
        }
        seen.into_iter().all(|s| s)
    }
}
