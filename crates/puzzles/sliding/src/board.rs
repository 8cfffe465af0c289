//! A layout prepared for search: cells become bits, placements become numbers.
//!
//! Only reachable placements matter. So each shape has a table of the anchors that it reaches on an otherwise empty board: the
//! cells it covers there, and the anchor one step away in each direction. A move is then two look-ups and one bit test.

use std::sync::Arc;

use super::layout::{Dir, Ground, Layout};
use super::mask::Mask;

/// "There is no anchor in that direction."
pub const STUCK: u16 = u16::MAX;

/// The placements of one shape.
#[derive(Clone, Debug)]
pub struct Shape<const N: usize> {
    /// The first cell of each placement, as a cell of the layout; ascending, so anchors are in row-major order.
    pub cells: Vec<u16>,
    /// What each placement covers.
    pub masks: Vec<Mask<N>>,
    /// The anchor one step up, down, left, right; or [`STUCK`].
    pub next: Vec<[u16; 4]>,
    /// The pieces of this shape, ascending.
    pub pieces: Vec<usize>,
}

impl<const N: usize> Shape<N> {
    /// The number of anchors.
    pub fn len(&self) -> usize {
        self.masks.len()
    }

    /// Always false: a piece of this shape stands somewhere.
    pub fn is_empty(&self) -> bool {
        self.masks.is_empty()
    }

    /// The anchor with this first cell.
    pub fn anchor(&self, cell: usize) -> Option<u16> {
        self.cells.binary_search(&(cell as u16)).ok().map(|i| i as u16)
    }
}

/// A board of up to `64 × N` open cells.
#[derive(Clone, Debug)]
pub struct Board<const N: usize> {
    /// The source layout.
    pub layout: Layout,
    /// The shapes; shape 0 is that of piece 0, and of it alone.
    pub shapes: Vec<Shape<N>>,
    /// The shape of each piece.
    pub shape_of: Vec<u8>,
    /// Where each piece starts.
    pub start: Vec<u16>,
    /// The cells that pieces of a shape must cover together: (shape, cells).
    pub targets: Vec<(usize, Mask<N>)>,
}

impl<const N: usize> Board<N> {
    /// Builds the tables with masks of this width; `None` if the board has more than `64 × N` open cells.
    pub fn of(layout: &Layout) -> Option<Self> {
        (layout.open() <= 64 * N).then(|| Self::new(layout))
    }

    /// Builds the tables. The layout must fit: at most `64 × N` open cells.
    fn new(layout: &Layout) -> Self {
        let mut bit = vec![usize::MAX; layout.ground.len()];
        let open = (0..layout.ground.len()).filter(|&c| layout.ground[c] != Ground::Wall);
        for (i, cell) in open.enumerate() {
            bit[cell] = i;
        }
        let shape_of: Vec<u8> = layout.classes().into_iter().map(|c| c as u8).collect();
        let kinds = shape_of.iter().copied().max().map_or(0, |m| m as usize + 1);
        let shapes: Vec<Shape<N>> = (0..kinds)
            .map(|k| {
                let members = (0..shape_of.len()).filter(|&p| shape_of[p] as usize == k).collect();
                placements(layout, &bit, members)
            })
            .collect();
        let start = (layout.pieces.iter().zip(&shape_of))
            .map(|(cells, &k)| shapes[k as usize].anchor(cells[0]).unwrap_or(0))
            .collect();
        let mut targets: Vec<(usize, Mask<N>)> = Vec::new();
        for target in &layout.targets {
            let shape = shape_of[target.piece] as usize;
            let mask = Mask::of(target.cells.iter().map(|&c| bit[c]));
            match targets.iter_mut().find(|t| t.0 == shape) {
                Some(t) => t.1 = t.1.with(&mask),
                None => targets.push((shape, mask)),
            }
        }
        Self { layout: layout.clone(), shapes, shape_of, start, targets }
    }

    /// The approximate bytes of the tables.
    pub fn bytes(&self) -> usize {
        let anchor = size_of::<Mask<N>>() + size_of::<[u16; 4]>() + size_of::<u16>();
        self.shapes.iter().map(|shape| shape.len() * anchor).sum()
    }

    /// The number of pieces.
    #[inline(always)]
    pub fn pieces(&self) -> usize {
        self.shape_of.len()
    }

    /// The shape of a piece.
    #[inline(always)]
    pub fn shape(&self, piece: usize) -> &Shape<N> {
        &self.shapes[self.shape_of[piece] as usize]
    }

    /// By anchor of piece 0: does it cover its target there? With no other target, such a position is solved.
    pub fn winning(&self) -> Vec<bool> {
        let target = self.targets.iter().find(|t| t.0 == 0).map_or(Mask::EMPTY, |t| t.1);
        self.shapes[0].masks.iter().map(|m| m.covers(&target)).collect()
    }

    /// Steps of piece 0 on an otherwise empty board, from each anchor to a winning one; `None` if there is no path.
    pub fn distances(&self) -> Vec<Option<u32>> {
        self.distances_through(|_| true)
    }

    /// The same through allowed anchors only. Steps are reversible, so the search runs backwards from the goal.
    pub(super) fn distances_through(&self, allowed: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
        let shape = &self.shapes[0];
        let winning = self.winning();
        let mut queue: Vec<usize> = (0..shape.len()).filter(|&a| winning[a] && allowed(a)).collect();
        let mut far = vec![None; shape.len()];
        for &a in &queue {
            far[a] = Some(0);
        }
        let mut head = 0;
        while let Some(&a) = queue.get(head) {
            head += 1;
            for &b in &shape.next[a] {
                let b = b as usize;
                if b < shape.len() && far[b].is_none() && allowed(b) {
                    far[b] = far[a].map(|d: u32| d + 1);
                    queue.push(b);
                }
            }
        }
        far
    }

    /// The layout with the pieces at these anchors.
    pub fn layout_at(&self, at: &[u16]) -> Layout {
        let mut layout = self.layout.clone();
        for (piece, cells) in layout.pieces.iter_mut().enumerate() {
            let from = cells[0];
            let to = self.shape(piece).cells[at[piece] as usize] as usize;
            for cell in cells {
                *cell = *cell + to - from;
            }
        }
        layout
    }
}

/// Every place that the pieces of one shape reach on an otherwise empty board.
fn placements<const N: usize>(layout: &Layout, bit: &[usize], members: Vec<usize>) -> Shape<N> {
    let (width, height) = (layout.width as isize, layout.height as isize);
    let offsets = layout.shape(&layout.pieces[members[0]]);
    let master = members[0] == 0;
    let fits = |row: isize, column: isize| {
        offsets.iter().all(|&(r, c)| {
            let (r, c) = (row + r, column + c);
            let inside = r >= 0 && r < height && c >= 0 && c < width;
            inside
                && match layout.ground[(r * width + c) as usize] {
                    Ground::Wall => false,
                    Ground::Floor => true,
                    Ground::Door => master,
                }
        })
    };
    let along = Dir::ALL.map(|dir| layout.moves_along(&layout.pieces[members[0]], dir));
    let step = |cell: usize, dir: Dir| -> Option<usize> {
        let (row, column) = (cell as isize / width, cell as isize % width);
        let (row, column) = match dir {
            Dir::Up => (row - 1, column),
            Dir::Down => (row + 1, column),
            Dir::Left => (row, column - 1),
            Dir::Right => (row, column + 1),
        };
        (along[dir as usize] && fits(row, column)).then(|| (row * width + column) as usize)
    };
    let mut reached = vec![false; layout.ground.len()];
    let mut todo: Vec<usize> = members.iter().map(|&p| layout.pieces[p][0]).collect();
    for &cell in &todo {
        reached[cell] = true;
    }
    while let Some(cell) = todo.pop() {
        for to in Dir::ALL.into_iter().filter_map(|dir| step(cell, dir)) {
            if !reached[to] {
                reached[to] = true;
                todo.push(to);
            }
        }
    }
    let cells: Vec<u16> = (0..reached.len()).filter(|&c| reached[c]).map(|c| c as u16).collect();
    let number = |cell: usize| cells.binary_search(&(cell as u16)).map_or(STUCK, |i| i as u16);
    let next = cells
        .iter()
        .map(|&cell| Dir::ALL.map(|dir| step(cell as usize, dir).map_or(STUCK, number)))
        .collect();
    let covered = |cell: u16| {
        let (row, column) = (cell as isize / width, cell as isize % width);
        Mask::of(offsets.iter().map(|&(r, c)| bit[((row + r) * width + column + c) as usize]))
    };
    let masks = cells.iter().map(|&cell| covered(cell)).collect();
    Shape { cells, masks, next, pieces: members }
}

/// A board with masks that fit it. All that a board does is compiled for each width, so there are only three.
#[derive(Clone, Debug)]
pub enum AnyBoard {
    /// Up to 64 open cells.
    Small(Arc<Board<1>>),
    /// Up to 256.
    Large(Arc<Board<4>>),
    /// Up to 4096: every board of 64 × 64.
    Huge(Arc<Board<64>>),
}

impl AnyBoard {
    /// Builds the tables.
    pub fn new(layout: &Layout) -> Self {
        match layout.open() {
            0..=64 => Self::Small(Arc::new(Board::new(layout))),
            65..=256 => Self::Large(Arc::new(Board::new(layout))),
            _ => Self::Huge(Arc::new(Board::new(layout))),
        }
    }
}

/// Runs the same code for any mask width: `on_board!(any, board => expression)`.
#[macro_export]
macro_rules! on_board {
    ($any:expr, $board:ident => $body:expr) => {
        match $any {
            $crate::AnyBoard::Small($board) => $body,
            $crate::AnyBoard::Large($board) => $body,
            $crate::AnyBoard::Huge($board) => $body,
        }
    };
}
