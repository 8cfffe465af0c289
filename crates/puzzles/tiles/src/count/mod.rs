//! The search that the classic command reports on: iterative-deepening A* with Manhattan distances on a 4×4 board,
//! counted to the digit.
//!
//! The counting rule: steps of the blank are tried in a fixed order; the step that takes the last one back is left out
//! (at the root nothing is); *generated* counts every child made, *expanded* every child within the bound, the goal
//! included and the root never; children after the goal are not made. Both run over all rounds.
//!
//! [`plain`] walks the tree node by node. [`layers`] gets the same figures without walking it.

mod batch;
pub mod layers;
pub mod plain;

use beeline_search::{Budget, Limit};

use super::board::Step;
use super::table_free::{self, TableFreeIda};

/// In which order steps are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Left, right, up, down.
    #[default]
    Classic,
    /// Up, left, right, down: with it the figures are those that Korf published in 1985.
    Korf,
}

impl Order {
    /// The steps in this order.
    pub fn steps(self) -> [Step; 4] {
        match self {
            Self::Classic => [Step::Left, Step::Right, Step::Up, Step::Down],
            Self::Korf => [Step::Up, Step::Left, Step::Right, Step::Down],
        }
    }
}

/// A 4×4 board in a word: the tile on square `s` in bits `4s` to `4s + 3`.
pub type Word = u64;

/// The solved board: tile `t` on square `t`.
pub const GOAL: Word = 0xFEDC_BA98_7654_3210;

/// Sixteen tiles as a word; each must be below 16.
pub fn pack(cells: &[u8]) -> Word {
    cells
        .iter()
        .take(16)
        .enumerate()
        .fold(0, |word, (square, &tile)| word | u64::from(tile & 15) << (4 * square))
}

/// The square of the blank.
#[inline(always)]
pub fn blank_of(board: Word) -> usize {
    // The lowest zero nibble; borrows only spoil the bits above it.
    let zero = board.wrapping_sub(0x1111_1111_1111_1111) & !board & 0x8888_8888_8888_8888;
    (zero.trailing_zeros() / 4) as usize
}

/// The tile on a square.
#[inline(always)]
pub fn tile_on(board: Word, square: usize) -> usize {
    (board >> (4 * square) & 15) as usize
}

/// Which tiles come nearer to their homes when they go from square `from` to its neighbour `to`, as bits.
pub const fn nearer(from: usize, to: usize) -> u16 {
    let mut tiles = 0;
    let mut tile = 1;
    while tile < 16 {
        let before = (from / 4).abs_diff(tile / 4) + (from % 4).abs_diff(tile % 4);
        let after = (to / 4).abs_diff(tile / 4) + (to % 4).abs_diff(tile % 4);
        if after < before {
            tiles |= 1 << tile;
        }
        tile += 1;
    }
    tiles
}

/// The sum of Manhattan distances.
pub fn manhattan(board: Word) -> u32 {
    let distance = |square: usize| match tile_on(board, square) {
        0 => 0,
        tile => (square / 4).abs_diff(tile / 4) + (square % 4).abs_diff(tile % 4),
    };
    (0..16).map(|square| distance(square) as u32).sum()
}

/// The square next to `square` in the direction of a step.
pub fn neighbour(square: usize, step: Step) -> Option<usize> {
    let (row, column) = (square / 4, square % 4);
    match step {
        Step::Left => (column > 0).then(|| square - 1),
        Step::Right => (column < 3).then(|| square + 1),
        Step::Up => (row > 0).then(|| square - 4),
        Step::Down => (row < 3).then(|| square + 4),
    }
}

/// The board after a step, and whether the tile came nearer to its home.
pub fn slide(board: Word, step: Step) -> Option<(Word, bool)> {
    let blank = blank_of(board);
    let from = neighbour(blank, step)?;
    let tile = tile_on(board, from);
    let moved = board ^ (tile as u64) << (4 * from) ^ (tile as u64) << (4 * blank);
    Some((moved, nearer(from, blank) >> tile & 1 == 1))
}

/// A round of more expansions than this takes longer than to compute the figures: half a second. (The last round ends at
/// the plan, about half way.)
const WORTH_COMPUTING: u64 = 1 << 27;

/// What the search did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The bounds, round by round.
    pub thresholds: Vec<u32>,
    /// Children made.
    pub generated: u64,
    /// Children within the bound.
    pub expanded: u64,
    /// The plan; `None` when a limit ended the search.
    pub plan: Option<Vec<Step>>,
    /// The figures were computed: most of these nodes were never walked.
    pub computed: bool,
}

/// The plain search's figures. If it is expected to take longer than to compute them and shortcuts are allowed, the plan is found
/// by a stronger search in the same order and the figures are computed from it; they are the same.
pub fn figures(
    board: Word,
    order: Order,
    shortcut: bool,
    threads: usize,
    budget: &Budget,
) -> (Counted, Option<Limit>) {
    if !shortcut || budget.nodes.is_some() {
        return plain::search(board, order, budget);
    }
    let started = beeline_search::clock::Instant::now();
    let (walked, limit) = plain::search_rounds(board, order, WORTH_COMPUTING, budget);
    if limit != Some(Limit::Nodes) {
        return (walked, limit);
    }
    let rest = |budget: &Budget| budget.after(started.elapsed(), 0);
    let table_free = TableFreeIda::new(table_free::ALL, order.steps());
    let (found, limit) = table_free.search(board, &rest(budget));
    let Some(plan) = found.plan else { return (walked, limit) };
    match layers::count(board, &plan, order, threads, &rest(budget)) {
        Ok(counted) => (Counted { computed: true, ..counted }, None),
        Err(limit) => (walked, Some(limit)),
    }
}

/// How many children a search that went down this path and then returned at once has not made: those after the path's
/// steps, and (unless the end is the goal) those of its end.
fn unmade(board: Word, path: &[Step], order: Order, end_too: bool) -> u64 {
    let mut board = board;
    let mut children = 0;
    let mut last: Option<Step> = None;
    let open = |board, step: Step, last: Option<Step>| {
        u64::from(last != Some(step.back()) && neighbour(blank_of(board), step).is_some())
    };
    for &taken in path {
        let later = order.steps().into_iter().skip_while(|&step| step != taken).skip(1);
        children += later.map(|step| open(board, step, last)).sum::<u64>();
        board = slide(board, taken).map_or(board, |(moved, _)| moved);
        last = Some(taken);
    }
    if end_too {
        children += Step::ALL.into_iter().map(|step| open(board, step, last)).sum::<u64>();
    }
    children
}
