//! A board in the sweep's coordinates: turned so that the sweep starts at the top left, and cut into anti-diagonals.
//!
//! Cell (row, column) lies on diagonal `row + column` and is bit `row` of its masks. So a link to the right keeps its bit from
//! one diagonal to the next, and a link downwards moves up by one bit.

use super::word::Word;
use crate::board::{Board, Cell, DIRS, Dir, Paths};

/// The corner where a sweep starts, and the side along which its bits run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) flip_rows: bool,
    pub(super) flip_columns: bool,
    pub(super) transpose: bool,
}

/// The four corners. The bits run along the rows unless only the columns fit into one machine word.
pub(super) fn corners(board: &Board) -> [Turn; 4] {
    let transpose = board.height() > u64::BITS as usize && board.height() > board.width();
    [(false, false), (true, true), (true, false), (false, true)].map(|(flip_rows, flip_columns)| Turn {
        flip_rows,
        flip_columns,
        transpose,
    })
}

/// The constraints of a diagonal before any decision.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Diagonal<W> {
    /// Cells that a path must cross.
    pub(super) free: W,
    /// Ends of colours.
    pub(super) ends: W,
    /// Cells where a run of turns may begin: ends and walls.
    pub(super) anchors: W,
    /// Cells that need not be entered from the left or from above: ends, walls, and free cells from which a run of such turns
    /// reaches an anchor. Bits outside the diagonal are set.
    pub(super) may_open: W,
    /// No link to the right; no link downwards.
    pub(super) no_right: W,
    pub(super) no_down: W,
    /// Links that are drawn already.
    pub(super) must_right: W,
    pub(super) must_down: W,
}

/// A turned board.
#[derive(Clone, Debug)]
pub(super) struct Layout<W> {
    pub(super) turn: Turn,
    pub(super) height: usize,
    pub(super) width: usize,
    /// One per diagonal, and two empty ones behind the last.
    pub(super) diagonals: Vec<Diagonal<W>>,
    /// The colour of each end, row by row of the turned board.
    colours: Vec<u16>,
}

impl Turn {
    /// The board's cell for a row and a column of the turned board.
    pub(super) fn cell(self, width: usize, height: usize, row: usize, column: usize) -> usize {
        let (mut r, mut c) = if self.transpose { (column, row) } else { (row, column) };
        if self.flip_rows {
            r = height - 1 - r;
        }
        if self.flip_columns {
            c = width - 1 - c;
        }
        r * width + c
    }

    /// The turned board's row and column of a cell.
    pub(super) fn place(self, width: usize, height: usize, at: usize) -> (usize, usize) {
        let (mut r, mut c) = (at / width, at % width);
        if self.flip_rows {
            r = height - 1 - r;
        }
        if self.flip_columns {
            c = width - 1 - c;
        }
        if self.transpose { (c, r) } else { (r, c) }
    }

    /// A score for how late a sweep from this corner meets the ends; less is earlier.
    pub(super) fn lateness(self, board: &Board) -> u64 {
        let (w, h) = (board.width(), board.height());
        let far = (w + h) as u64;
        let late = |at: usize| {
            let (row, column) = self.place(w, h, at);
            // The first diagonals determine how wide the search becomes.
            let diagonal = (row + column) as u64;
            diagonal * (2 * far - diagonal)
        };
        board.colours().iter().map(|c| late(c.start) + late(c.goal)).sum()
    }

    /// The board's direction for a direction of the turned board.
    pub(super) fn dir(self, dir: Dir) -> Dir {
        let dir = match (self.transpose, dir) {
            (false, d) => d,
            (true, Dir::Left) => Dir::Up,
            (true, Dir::Up) => Dir::Left,
            (true, Dir::Right) => Dir::Down,
            (true, Dir::Down) => Dir::Right,
        };
        let flip = match dir {
            Dir::Left | Dir::Right => self.flip_columns,
            Dir::Up | Dir::Down => self.flip_rows,
        };
        if flip { dir.back() } else { dir }
    }
}

impl<W: Word> Layout<W> {
    pub(super) fn new(board: &Board, turn: Turn, links: &[Forced]) -> Self {
        let (w, h) = (board.width(), board.height());
        let (height, width) = if turn.transpose { (w, h) } else { (h, w) };
        let mut diagonals = vec![Diagonal { may_open: W::ALL, ..Diagonal::default() }; height + width + 1];
        let mut colours = vec![u16::MAX; height * width];
        let cells = board.cells();
        for row in 0..height {
            for column in 0..width {
                let bit = W::bit(row);
                let diagonal = &mut diagonals[row + column];
                match cells[turn.cell(w, h, row, column)] {
                    Cell::Free => diagonal.free |= bit,
                    Cell::Wall | Cell::Hole => diagonal.anchors |= bit,
                    Cell::End(c) => {
                        diagonal.anchors |= bit;
                        diagonal.ends |= bit;
                        colours[row * width + column] = c;
                    }
                }
            }
        }
        // Backwards from the last diagonal: a run of opening turns continues until it meets an anchor.
        for d in (0..height + width - 1).rev() {
            let behind = diagonals[d + 2];
            let ahead = (behind.anchors | behind.free & behind.may_open) >> 1;
            let closed = diagonals[d].free & !ahead;
            diagonals[d].may_open &= !closed;
        }
        for d in 0..height + width - 1 {
            let next = diagonals[d + 1];
            let open = next.free | next.ends;
            let here = &mut diagonals[d];
            let usable = here.free | here.ends;
            here.no_right = !(usable & open);
            here.no_down = !(usable & open >> 1);
        }
        let mut layout = Self { turn, height, width, diagonals, colours };
        layout.force(board, links);
        layout
    }

    /// Applies the links that are drawn or deduced.
    fn force(&mut self, board: &Board, links: &[Forced]) {
        for forced in links {
            let (row, column) = self.turn.place(board.width(), board.height(), forced.at);
            for dir in DIRS {
                let bit = Paths::bit(self.turn.dir(dir));
                let (yes, no) = (forced.yes & bit != 0, forced.no & bit != 0);
                let (r, c) = match dir {
                    Dir::Left if column > 0 => (row, column - 1),
                    Dir::Up if row > 0 => (row - 1, column),
                    Dir::Right | Dir::Down => (row, column),
                    _ => continue,
                };
                let diagonal = &mut self.diagonals[r + c];
                let across = matches!(dir, Dir::Left | Dir::Right);
                let (must, none) = if across {
                    (&mut diagonal.must_right, &mut diagonal.no_right)
                } else {
                    (&mut diagonal.must_down, &mut diagonal.no_down)
                };
                *must |= if yes { W::bit(r) } else { W::NONE };
                *none |= if no { W::bit(r) } else { W::NONE };
            }
        }
    }

    /// The colour of the end in this row and on this diagonal.
    #[inline]
    pub(super) fn colour(&self, row: usize, diagonal: usize) -> u16 {
        self.colours[row * self.width + diagonal - row]
    }

    /// The number of diagonals.
    pub(super) fn len(&self) -> usize {
        self.height + self.width - 1
    }
}

/// Known links of a cell, present or absent, in the board's own directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forced {
    pub(super) at: usize,
    pub(super) yes: u8,
    pub(super) no: u8,
}

/// The links that the drawn steps imply.
pub(super) fn drawn_links(board: &Board) -> Vec<Forced> {
    let mut forced = Vec::new();
    for (c, colour) in board.colours().iter().enumerate() {
        let mut at = colour.start;
        let mut entered = 0;
        for step in board.drawn().iter().filter(|s| usize::from(s.colour) == c) {
            let yes = entered | Paths::bit(step.dir);
            forced.push(Forced { at, yes, no: !yes });
            entered = Paths::bit(step.dir.back());
            at = board.neighbour(at, step.dir).unwrap_or(at);
        }
        let join = DIRS.into_iter().find(|&d| board.neighbour(at, d) == Some(colour.goal));
        match join {
            // A path that may not touch itself is joined as soon as it can be.
            Some(dir) if !board.rule.may_touch() => {
                let yes = entered | Paths::bit(dir);
                forced.push(Forced { at, yes, no: !yes });
            }
            _ if entered != 0 => forced.push(Forced { at, yes: entered, no: 0 }),
            _ => {}
        }
    }
    forced
}
