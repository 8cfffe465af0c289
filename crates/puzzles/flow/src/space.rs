//! The *classic* space: one colour is finished before the next begins, and at most four moves are possible.

use beeline_search::{Key, Space};

use super::bits::Mask;
use super::board::{Board, Cell, DIRS, Dir, Step};
use super::kind::FlowPuzzle;
use super::pen::with_drawn;
use super::scene::scene;
use super::{plan, solve};
use beeline_puzzle::game::Notation;
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::scene::Scene;

/// Most cells of a board in the classic space.
pub const MAX_CELLS: usize = 256;
/// Most colours.
pub const MAX_COLOURS: usize = 64;

/// No colour is being drawn.
pub(super) const NONE: u8 = u8::MAX;

/// The order in which colours are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The colours; ties go to the earlier one.
    pub list: Vec<u8>,
    /// Take the colour whose head has the fewest free neighbours; otherwise the first that is not joined.
    pub most_constrained: bool,
}

impl Order {
    /// Orders colours by the distance of their start from the edge of the board, nearest first.
    pub fn by_edge(board: &Board, most_constrained: bool) -> Self {
        let mut list: Vec<u8> = (0..board.colours().len().min(MAX_COLOURS) as u8).collect();
        list.sort_by_key(|&c| board.edge_distance(board.colours()[usize::from(c)].start));
        Self { list, most_constrained }
    }
}

/// The classic space of a board with at most `64 * W` cells.
#[derive(Clone, Debug)]
pub struct Flow<const W: usize> {
    board: Board,
    order: Order,
    /// All cells that are not free at the start: walls, ends, drawn cells.
    taken: Mask<W>,
    /// All cells.
    within: Mask<W>,
    /// The neighbours of each cell that are not walls.
    around: Vec<Mask<W>>,
    /// The neighbour in each direction, or `NOWHERE`.
    steps: Vec<[u16; 4]>,
    pub(super) begin: Vec<Begin<W>>,
    all: u64,
    joined: u64,
    cells: usize,
}

/// The start of a colour's path: its start cell, or the end of its drawn steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin<const W: usize> {
    pub(super) head: u16,
    goal: u16,
    pub(super) own: Mask<W>,
}

const NOWHERE: u16 = u16::MAX;

/// A partly drawn board: the joined colours and the occupied cells. Which colour occupies a cell is not stored, because it does
/// not affect what can still be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State<const W: usize> {
    /// Cells that are not free.
    pub taken: Mask<W>,
    /// The path of the colour that is being drawn, its head included.
    pub own: Mask<W>,
    /// Colours that are joined.
    pub joined: u64,
    /// The head of the colour being drawn.
    pub head: u16,
    /// That colour; [`u8::MAX`] if none is.
    pub colour: u8,
}

/// The undo data of a move.
#[derive(Clone, Copy, Debug)]
pub struct Before<const W: usize> {
    own: Mask<W>,
    head: u16,
    colour: u8,
}

/// The moves of a state: one colour, some of the four directions.
#[derive(Clone, Debug)]
pub struct Moves {
    colour: u8,
    dirs: u8,
}

impl Iterator for Moves {
    type Item = Step;
    #[inline(always)]
    fn next(&mut self) -> Option<Step> {
        if self.dirs == 0 {
            return None;
        }
        let dir = DIRS[(self.dirs.trailing_zeros() & 3) as usize];
        self.dirs &= self.dirs - 1;
        Some(Step { colour: u16::from(self.colour), dir })
    }
}

impl<const W: usize> Flow<W> {
    /// The space of a board; `None` if the board is too large, or its rule lets a path pass beside its goal.
    pub fn new(board: &Board, order: Order) -> Option<Self> {
        let cells = board.cells().len();
        if board.rule.may_touch() {
            return None;
        }
        if cells > (64 * W).min(MAX_CELLS) || board.colours().len() > MAX_COLOURS {
            return None;
        }
        let (mut taken, mut within) = (Mask::EMPTY, Mask::EMPTY);
        let mut around = vec![Mask::EMPTY; cells];
        let mut steps = vec![[NOWHERE; 4]; cells];
        for at in 0..cells {
            within.add(at);
            if board.cells()[at] != Cell::Free {
                taken.add(at);
            }
            for dir in DIRS {
                if let Some(n) = board.neighbour(at, dir).filter(|&n| board.cells()[n].is_open()) {
                    around[at].add(n);
                    steps[at][dir as usize] = n as u16;
                }
            }
        }
        let mut begin = Vec::new();
        for colour in board.colours() {
            let mut own = Mask::EMPTY;
            own.add(colour.start);
            begin.push(Begin { head: colour.start as u16, goal: colour.goal as u16, own });
        }
        for step in board.drawn() {
            let begin = &mut begin[usize::from(step.colour)];
            let to = board.neighbour(usize::from(begin.head), step.dir)?;
            begin.own.add(to);
            begin.head = to as u16;
            taken.add(to);
        }
        let mut joined = 0;
        for (c, b) in begin.iter().enumerate() {
            if board.adjacent(usize::from(b.head), usize::from(b.goal)) {
                joined |= 1 << c;
            }
        }
        let all = if begin.len() == 64 { u64::MAX } else { (1 << begin.len()) - 1 };
        Some(Self { board: board.clone(), order, taken, within, around, steps, begin, all, joined, cells })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Cells that are still free.
    pub fn free(&self, state: &State<W>) -> usize {
        self.cells - state.taken.count() as usize
    }

    /// The last cell of an unjoined colour's path.
    #[inline]
    pub fn head(&self, state: &State<W>, colour: u8) -> usize {
        usize::from(if state.colour == colour { state.head } else { self.begin[usize::from(colour)].head })
    }

    /// The goal of a colour's path.
    #[inline]
    pub fn goal(&self, colour: u8) -> usize {
        usize::from(self.begin[usize::from(colour)].goal)
    }

    /// The neighbours of a cell that are not walls.
    #[inline]
    pub fn around(&self, at: usize) -> &Mask<W> {
        &self.around[at]
    }

    /// The neighbour of a cell in a direction in which a move is legal.
    #[inline]
    pub fn neighbour(&self, at: usize, dir: Dir) -> usize {
        usize::from(self.steps[at][dir as usize])
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The colours that are not joined, as bits.
    #[inline]
    pub fn open_colours(&self, state: &State<W>) -> u64 {
        self.all & !state.joined
    }

    /// The colour to draw next; `None` when all are joined.
    #[inline]
    fn next_colour(&self, state: &State<W>) -> Option<u8> {
        if state.colour != NONE {
            return Some(state.colour);
        }
        let open = self.open_colours(state);
        let mut waiting = self.order.list.iter().copied().filter(|&c| open >> c & 1 != 0);
        if !self.order.most_constrained {
            return waiting.next();
        }
        let mut best = None;
        for colour in waiting {
            let head = usize::from(self.begin[usize::from(colour)].head);
            let free = self.around[head].without(&state.taken).count();
            if best.is_none_or(|(least, _)| free < least) {
                best = Some((free, colour));
            }
        }
        best.map(|(_, colour)| colour)
    }
}

impl<const W: usize> Space for Flow<W> {
    type State = State<W>;
    type Move = Step;
    type Undo = Before<W>;
    type Moves = Moves;
    type Key = Packed<W>;

    fn start(&self) -> State<W> {
        State { taken: self.taken, own: Mask::EMPTY, joined: self.joined, head: 0, colour: NONE }
    }

    #[inline]
    fn moves(&self, state: &State<W>) -> Moves {
        let Some(colour) = self.next_colour(state) else { return Moves { colour: NONE, dirs: 0 } };
        let fresh = &self.begin[usize::from(colour)];
        let (head, own) =
            if state.colour == NONE { (fresh.head, &fresh.own) } else { (state.head, &state.own) };
        let mut dirs = 0;
        for (d, &to) in self.steps[usize::from(head)].iter().enumerate() {
            // Of the same colour, only the head itself may be a neighbour, and the goal, which is not in `own`.
            if to != NOWHERE
                && !state.taken.has(usize::from(to))
                && self.around[usize::from(to)].and(own).count() == 1
            {
                dirs |= 1 << d;
            }
        }
        Moves { colour, dirs }
    }

    #[inline]
    fn apply(&self, state: &mut State<W>, mv: Step) -> Before<W> {
        let before = Before { own: state.own, head: state.head, colour: state.colour };
        let begin = &self.begin[usize::from(mv.colour)];
        if state.colour == NONE {
            state.own = begin.own;
            state.head = begin.head;
            state.colour = mv.colour as u8;
        }
        let to = self.steps[usize::from(state.head)][mv.dir as usize];
        state.taken.add(usize::from(to));
        if self.around[usize::from(to)].has(usize::from(begin.goal)) {
            state.joined |= 1 << mv.colour;
            state.own = Mask::EMPTY;
            state.head = 0;
            state.colour = NONE;
        } else {
            state.own.add(usize::from(to));
            state.head = to;
        }
        before
    }

    #[inline]
    fn undo(&self, state: &mut State<W>, mv: Step, before: Before<W>) {
        let head = if before.colour == NONE { self.begin[usize::from(mv.colour)].head } else { before.head };
        let to = self.steps[usize::from(head)][mv.dir as usize];
        state.taken.remove(usize::from(to));
        state.joined &= !(1 << mv.colour);
        state.own = before.own;
        state.head = before.head;
        state.colour = before.colour;
    }

    #[inline]
    fn is_goal(&self, state: &State<W>) -> bool {
        state.joined == self.all && (!self.board.rule.fills() || state.taken.count() as usize == self.cells)
    }

    #[inline]
    fn pack(&self, state: &State<W>) -> Packed<W> {
        let mut key = Packed([[0; W]; 2], [0; 2]);
        let n = self.cells;
        // Words beyond the last cell are zero. Writing them too keeps the loops free of branches.
        key.0[0] = state.taken.0;
        for i in 0..W {
            key.put(n + 64 * i, state.own.0[i]);
        }
        let small = u64::from(state.head) | u64::from(state.colour & 127) << 8;
        key.put(2 * n, small);
        key.put(2 * n + 15, state.joined);
        key
    }

    #[inline]
    fn unpack(&self, key: &Packed<W>) -> State<W> {
        let n = self.cells;
        let own = Mask(std::array::from_fn(|i| key.get(n + 64 * i)));
        let small = key.get(2 * n);
        let colour = (small >> 8 & 127) as u8;
        State {
            taken: Mask(key.0[0]).and(&self.within),
            own: own.and(&self.within),
            joined: key.get(2 * n + 15) & self.all,
            head: (small & 255) as u16,
            colour: if colour == NONE & 127 { NONE } else { colour },
        }
    }

    fn key_width(&self) -> usize {
        (2 * self.cells + 15 + self.begin.len()).div_ceil(8)
    }

    fn domains(&self) -> Option<Vec<u32>> {
        let mut sizes = vec![3; self.cells];
        sizes.push(self.cells as u32 + 1);
        Some(sizes)
    }

    fn values(&self, state: &State<W>, values: &mut [u32]) {
        for (at, value) in values.iter_mut().enumerate().take(self.cells) {
            *value = if state.own.has(at) { 2 } else { u32::from(state.taken.has(at)) };
        }
        if let Some(head) = values.get_mut(self.cells) {
            *head = if state.colour == NONE { 0 } else { 1 + u32::from(state.head) };
        }
    }
}

/// A packed state: occupied cells, own cells, head, colour, joined colours, concatenated without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed<const W: usize>([[u64; W]; 2], [u64; 2]);

impl<const W: usize> Packed<W> {
    /// Writes a word at a bit position where all bits are zero.
    #[inline]
    fn put(&mut self, bit: usize, value: u64) {
        let (word, shift) = (bit / 64, bit % 64);
        *self.at(word) |= value << shift;
        if shift > 0 && word + 1 < Self::WORDS {
            *self.at(word + 1) |= value >> (64 - shift);
        }
    }

    #[inline]
    fn get(&self, bit: usize) -> u64 {
        let (word, shift) = (bit / 64, bit % 64);
        let low = self.word(word) >> shift;
        if shift > 0 && word + 1 < Self::WORDS { low | self.word(word + 1) << (64 - shift) } else { low }
    }

    #[inline]
    fn at(&mut self, i: usize) -> &mut u64 {
        if i < 2 * W { &mut self.0[i / W][i % W] } else { &mut self.1[i - 2 * W] }
    }
}

impl<const W: usize> Key for Packed<W> {
    const BYTES: usize = 16 * W + 16;
    #[inline(always)]
    fn word(&self, i: usize) -> u64 {
        if i < 2 * W { self.0[i / W][i % W] } else { self.1[i - 2 * W] }
    }
    #[inline(always)]
    fn from_words(mut words: impl FnMut(usize) -> u64) -> Self {
        let mut key = Self([[0; W]; 2], [0; 2]);
        for i in 0..Self::WORDS {
            *key.at(i) = words(i);
        }
        key
    }
}

impl<const W: usize> Notation for Flow<W> {
    fn show(&self, _: &State<W>, mv: Step) -> String {
        plan::show_step(&self.board, mv)
    }

    fn scene(&self, state: &State<W>) -> Scene {
        let (owner, links) = solve::picture(self, state);
        scene(&self.board, &owner, &links)
    }

    fn puzzle_at(&self, state: &State<W>) -> Box<dyn Puzzle> {
        let steps = solve::redraw(self, state);
        let mut drawn = self.board.drawn().to_vec();
        drawn.extend(steps);
        // If the state cannot be redrawn, the puzzle is the original one.
        let board = with_drawn(self.board.clone(), &drawn).unwrap_or_else(|_| self.board.clone());
        Box::new(FlowPuzzle::new(board))
    }
}
