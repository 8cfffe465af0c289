//! A 4×4 board in one word.

use super::board::Step;

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

/// The tiles that come nearer to their homes when they move from square `from` to its neighbour `to`, as bits.
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
