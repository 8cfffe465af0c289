//! The board: cells, walls, coloured ends, and the steps already drawn.
//!
//! This is only the content of a file. The rules of play are elsewhere.

/// Most rows, and most columns.
pub const MAX_SIDE: usize = 1024;
/// Most cells of a board: 256 × 256. A colour then fits into 15 bits.
pub const MAX_CELLS: usize = 65_536;

/// A direction, in the order in which moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Dir {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// The four directions in order.
pub const DIRS: [Dir; 4] = [Dir::Left, Dir::Right, Dir::Up, Dir::Down];

impl Dir {
    /// The letter of the plan notation.
    #[inline]
    pub fn letter(self) -> char {
        ['l', 'r', 'u', 'd'][self as usize]
    }

    /// The direction with this letter, small or capital.
    pub fn from_letter(letter: char) -> Option<Self> {
        DIRS.into_iter().find(|d| d.letter() == letter.to_ascii_lowercase())
    }

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub fn back(self) -> Self {
        [Self::Right, Self::Left, Self::Down, Self::Up][self as usize]
    }
}

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A path fills it.
    Free,
    /// No path enters it.
    Wall,
    /// Not part of the board; otherwise like a wall.
    Hole,
    /// An end of the path of this colour.
    End(u16),
}

impl Cell {
    /// May a path be here?
    #[inline]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Free | Self::End(_))
    }
}

/// A colour: two ends to be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Its name in the file: usually one letter.
    pub label: String,
    /// The end from which its path is drawn: the end nearer to the edge of the board, and of two equally near ones the first in
    /// reading order.
    pub start: usize,
    /// The end that its path must reach.
    pub goal: usize,
}

/// The condition for a solved board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Every pair is joined and every cell is used: Flow Free.
    #[default]
    Fill,
    /// Every pair is joined; cells may stay empty: Numberlink.
    Numberlink,
    /// Every pair is joined and every cell is used; a path may touch itself.
    Touching,
}

impl Rule {
    /// Every rule, the default first.
    pub const ALL: [Self; 3] = [Self::Fill, Self::Numberlink, Self::Touching];

    /// The rule with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Must every cell be used?
    #[inline]
    pub fn fills(self) -> bool {
        self != Self::Numberlink
    }

    /// May a path touch itself, and pass beside its goal without ending there?
    #[inline]
    pub fn may_touch(self) -> bool {
        self == Self::Touching
    }

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::Numberlink => "numberlink",
            Self::Touching => "touching",
        }
    }
}

/// One step of a plan: a colour's path grows by one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The colour.
    pub colour: u16,
    /// The direction.
    pub dir: Dir,
}

/// A parsed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
    colours: Vec<Colour>,
    /// The condition for a solved board.
    pub rule: Rule,
    /// The title in the file.
    pub title: Option<String>,
    drawn: Vec<Step>,
    /// The closed sides of each cell, as the bits of [`Paths::bit`]; empty without walls between cells.
    walls: Vec<u8>,
    /// Does a path that leaves the board re-enter on the opposite side?
    warp: bool,
}

/// Why cells do not form a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A side is 0 or longer than [`MAX_SIDE`], there are more than [`MAX_CELLS`] cells, or they do not fill the rectangle.
    #[error("a board has 1 to {MAX_SIDE} rows and columns and at most {MAX_CELLS} cells")]
    Size,
    /// There is no colour.
    #[error("the board has no colours")]
    NoColours,
    /// A colour does not have exactly two ends.
    #[error("colour {label} has {count} ends instead of 2")]
    Ends {
        /// The colour.
        label: String,
        /// The number of its ends.
        count: usize,
    },
    /// A wall lies between cells that are not neighbours.
    #[error("the cells of wall {0} are not side by side")]
    Wall(usize),
    /// Opposite sides cannot be joined on a board this small: two cells would be neighbours twice.
    #[error("a board whose edges warp has at least 3 rows and columns")]
    Warp,
}

impl Board {
    /// A board from its cells, row by row, with the labels of its colours. Colours are renumbered in order of first appearance,
    /// so that a board equals the board read from its text.
    pub fn new(width: usize, mut cells: Vec<Cell>, labels: Vec<String>) -> Result<Self, BoardError> {
        let sized = (1..=MAX_SIDE).contains(&width) && (1..=MAX_CELLS).contains(&cells.len());
        if !sized || !cells.len().is_multiple_of(width) {
            return Err(BoardError::Size);
        }
        let height = cells.len() / width;
        if height > MAX_SIDE {
            return Err(BoardError::Size);
        }
        // The first two ends of each colour, and the number of its ends.
        let mut ends = vec![([0; 2], 0); labels.len()];
        for (at, cell) in cells.iter().enumerate() {
            if let Cell::End(c) = cell {
                let (places, count) = ends.get_mut(usize::from(*c)).ok_or(BoardError::NoColours)?;
                if let Some(place) = places.get_mut(*count) {
                    *place = at;
                }
                *count += 1;
            }
        }
        if ends.is_empty() {
            return Err(BoardError::NoColours);
        }
        let edge = |at: usize| {
            let (row, column) = (at / width, at % width);
            row.min(column).min(height - 1 - row).min(width - 1 - column)
        };
        let mut colours = Vec::with_capacity(labels.len());
        for (label, ([first, second], count)) in labels.into_iter().zip(ends) {
            if count != 2 {
                return Err(BoardError::Ends { label, count });
            }
            let swap = edge(second) < edge(first);
            let (start, goal) = if swap { (second, first) } else { (first, second) };
            colours.push(Colour { label, start, goal });
        }
        colours.sort_by_key(|colour| colour.start.min(colour.goal));
        for (c, colour) in colours.iter().enumerate() {
            for end in [colour.start, colour.goal] {
                cells[end] = Cell::End(c as u16);
            }
        }
        Ok(Self {
            width,
            height,
            cells,
            colours,
            rule: Rule::Fill,
            title: None,
            drawn: Vec::new(),
            walls: Vec::new(),
            warp: false,
        })
    }

    /// The same board with these steps drawn. They are not validated here; [`pen`](super::pen) does that.
    pub(super) fn holding(mut self, drawn: Vec<Step>) -> Self {
        self.drawn = drawn;
        self
    }

    /// The same board with its opposite sides joined: a path that leaves the board re-enters on the other side.
    pub fn with_warp(mut self) -> Result<Self, BoardError> {
        if self.width < 3 || self.height < 3 {
            return Err(BoardError::Warp);
        }
        self.warp = true;
        Ok(self)
    }

    /// The same board with walls between these pairs of neighbours. No path crosses a wall, and cells do not touch across it.
    pub fn with_walls(mut self, pairs: &[(usize, usize)]) -> Result<Self, BoardError> {
        let mut walls = vec![0; self.cells.len()];
        for (i, &(a, b)) in pairs.iter().enumerate() {
            let beside = |dir: &Dir| a < walls.len() && self.neighbour(a, *dir) == Some(b);
            let dir = DIRS.into_iter().find(beside).ok_or(BoardError::Wall(i + 1))?;
            walls[a] |= Paths::bit(dir);
            walls[b] |= Paths::bit(dir.back());
        }
        self.walls = if pairs.is_empty() { Vec::new() } else { walls };
        Ok(self)
    }

    /// The same board with the walls between cells, and the edges, of another board of its size.
    #[must_use]
    pub fn with_sides_of(mut self, other: &Self) -> Self {
        (self.walls, self.warp) = (other.walls.clone(), other.warp);
        self
    }

    /// Is the board a plain rectangle, without walls between cells or joined edges?
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.walls.is_empty() && !self.warp
    }

    /// Are opposite sides joined?
    #[inline]
    pub fn warps(&self) -> bool {
        self.warp
    }

    /// The closed sides of a cell, as the bits of [`Paths::bit`].
    #[inline]
    pub fn closed_sides(&self, at: usize) -> u8 {
        self.walls.get(at).copied().unwrap_or(0)
    }

    /// The walls between cells, each once.
    pub fn walls(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let sides = (0..self.walls.len()).flat_map(|at| [(at, Dir::Right), (at, Dir::Down)]);
        let closed = sides.filter(|&(at, dir)| self.walls[at] & Paths::bit(dir) != 0);
        closed.filter_map(|(at, dir)| Some((at, self.beyond(at, dir)?)))
    }

    /// The same board under another rule.
    #[must_use]
    pub fn with_rule(mut self, rule: Rule) -> Self {
        self.rule = rule;
        self
    }

    /// Columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The cells, row by row.
    #[inline]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The colours, in order of first appearance.
    #[inline]
    pub fn colours(&self) -> &[Colour] {
        &self.colours
    }

    /// The steps already drawn, in order.
    #[inline]
    pub fn drawn(&self) -> &[Step] {
        &self.drawn
    }

    /// The colour of this label.
    pub fn colour(&self, label: &str) -> Option<u16> {
        self.colours.iter().position(|c| c.label == label).map(|c| c as u16)
    }

    /// The number of free cells before any step is drawn.
    pub fn free_cells(&self) -> usize {
        self.cells.iter().filter(|&&c| c == Cell::Free).count()
    }

    /// The neighbour of a cell, if the board has one there and no wall lies between them (it may be a wall or a hole itself).
    #[inline]
    pub fn neighbour(&self, at: usize, dir: Dir) -> Option<usize> {
        self.beyond(at, dir).filter(|_| self.closed_sides(at) & Paths::bit(dir) == 0)
    }

    /// The cell on this side of a cell, whether or not a wall lies between.
    #[inline]
    fn beyond(&self, at: usize, dir: Dir) -> Option<usize> {
        let (width, last) = (self.width, self.cells.len() - self.width);
        // Cell numbers fit into 32 bits; 32-bit division is faster.
        let column = || (at as u32 % width as u32) as usize;
        let (inside, step, around) = match dir {
            Dir::Left => (column() > 0, at.wrapping_sub(1), at + width - 1),
            Dir::Right => (column() + 1 < width, at + 1, (at + 1).wrapping_sub(width)),
            Dir::Up => (at >= width, at.wrapping_sub(width), at + last),
            Dir::Down => (at < last, at + width, at.wrapping_sub(last)),
        };
        if inside { Some(step) } else { self.warp.then_some(around) }
    }

    /// The neighbours of a cell, in the order of [`DIRS`].
    #[inline]
    pub fn neighbours(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        DIRS.into_iter().filter_map(move |d| self.neighbour(at, d))
    }

    /// Do these cells share a side?
    #[inline]
    pub fn adjacent(&self, a: usize, b: usize) -> bool {
        self.neighbours(a).any(|n| n == b)
    }

    /// Distance of a cell to the nearest edge: 0 on the border.
    #[inline]
    pub fn edge_distance(&self, at: usize) -> usize {
        let (row, column) = (at / self.width, at % self.width);
        row.min(column).min(self.height - 1 - row).min(self.width - 1 - column)
    }
}

/// A complete solution: for each cell, the sides to which its path continues, as the bits of [`scene`](crate::scene).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Paths {
    /// The links of each cell; 0 for an unused cell or a wall.
    pub links: Vec<u8>,
}

impl Paths {
    /// The bit of a direction.
    #[inline]
    pub fn bit(dir: Dir) -> u8 {
        1 << dir as u8
    }

    /// The steps that draw these paths, after the steps that the board has: colour by colour, from start to goal.
    ///
    /// Links that do not lead to the goal end a colour early; the checker then refuses the plan.
    pub fn steps(&self, board: &Board) -> Vec<Step> {
        let mut steps = Vec::new();
        for (c, colour) in board.colours.iter().enumerate() {
            let skip = board.drawn.iter().filter(|s| usize::from(s.colour) == c).count();
            let inside = self.way(board, colour.start).take_while(|&(_, cell)| cell != colour.goal);
            steps.extend(inside.skip(skip).map(|(dir, _)| Step { colour: c as u16, dir }));
        }
        steps
    }

    /// The colour of each cell, by following each path from its start.
    #[inline]
    pub fn colours(&self, board: &Board) -> Vec<Option<u16>> {
        let mut owner = vec![None; board.cells.len()];
        for (c, colour) in board.colours.iter().enumerate() {
            owner[colour.start] = Some(c as u16);
            for (_, cell) in self.way(board, colour.start) {
                owner[cell] = Some(c as u16);
            }
        }
        owner
    }

    /// A path from one of its ends: each direction, and the cell that it leads to.
    fn way<'a>(&'a self, board: &'a Board, start: usize) -> impl Iterator<Item = (Dir, usize)> + 'a {
        let (mut at, mut entered) = (start, 0);
        (0..board.cells.len()).map_while(move |_| {
            let links = self.links[at] & !entered;
            let dir = *DIRS.get(links.trailing_zeros() as usize)?;
            at = board.neighbour(at, dir)?;
            entered = Self::bit(dir.back());
            Some((dir, at))
        })
    }
}
