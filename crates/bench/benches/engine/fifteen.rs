//! The 15-puzzle as a space, written the way a careful user of the library would.

use beeline_search::{Claim, Cost, Heuristic, Space};

/// Blank moves left, right, up, down.
pub(super) const OFFSET: [i32; 4] = [-1, 1, -4, 4];
pub(super) const NONE: usize = 4;

/// The moves from each blank square after each last move (4: none), three bits each, 7 ends the list.
pub(super) static MOVES: [[u32; 5]; 16] = {
    let mut table = [[0; 5]; 16];
    let mut blank = 0;
    while blank < 16 {
        let mut last = 0;
        while last < 5 {
            let (mut list, mut mv) = (0o7777_u32, 4);
            while mv > 0 {
                mv -= 1;
                let inside = match mv {
                    0 => blank % 4 > 0,
                    1 => blank % 4 < 3,
                    2 => blank >= 4,
                    _ => blank < 12,
                };
                if inside && (last == NONE || last != mv ^ 1) {
                    list = list << 3 | mv as u32;
                }
            }
            table[blank][last] = list;
            last += 1;
        }
        blank += 1;
    }
    table
};

/// The change of the Manhattan distance when the blank moves and the tile there slides: [tile][square][move].
pub(super) static DELTA: [[[i8; 4]; 16]; 16] = {
    let mut table = [[[0; 4]; 16]; 16];
    let mut tile = 1;
    while tile < 16 {
        let mut blank = 0;
        while blank < 16 {
            let mut mv = 0;
            while mv < 4 {
                let from = blank as i32 + OFFSET[mv];
                if from >= 0 && from < 16 {
                    let (f, t, b) = (from, tile as i32, blank as i32);
                    let before = (f / 4 - t / 4).abs() + (f % 4 - t % 4).abs();
                    let after = (b / 4 - t / 4).abs() + (b % 4 - t % 4).abs();
                    table[tile][blank][mv] = (after - before) as i8;
                }
                mv += 1;
            }
            blank += 1;
        }
        tile += 1;
    }
    table
};

pub(crate) struct Fifteen(pub(crate) [u8; 16]);

#[derive(Clone, Copy)]
pub(crate) struct Board {
    tiles: u64,
    blank: u32,
}

pub(crate) struct Moves(u32);

impl Iterator for Moves {
    type Item = u32;
    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        let mv = self.0 & 7;
        self.0 >>= 3;
        (mv < 4).then_some(mv)
    }
}

impl Board {
    #[inline(always)]
    fn tile(self, square: u32) -> u64 {
        self.tiles >> (4 * square) & 15
    }

    #[inline(always)]
    fn slide(&mut self, mv: u32) {
        let to = self.blank.wrapping_add_signed(OFFSET[mv as usize & 3]);
        let tile = self.tile(to);
        self.tiles ^= tile << (4 * to) | tile << (4 * self.blank);
        self.blank = to;
    }
}

impl Space for Fifteen {
    type State = Board;
    type Move = u32;
    /// The board before: copying two words back is faster than undoing the slide.
    type Undo = Board;
    type Moves = Moves;
    type Key = u64;

    fn start(&self) -> Board {
        let tiles = self.0.iter().rev().fold(0, |board, &t| board << 4 | u64::from(t));
        let blank = self.0.iter().position(|&t| t == 0).unwrap_or(0) as u32;
        Board { tiles, blank }
    }
    #[inline(always)]
    fn moves(&self, state: &Board) -> Moves {
        Moves(MOVES[state.blank as usize & 15][NONE])
    }
    #[inline(always)]
    fn moves_after(&self, state: &Board, last: u32) -> Moves {
        Moves(MOVES[state.blank as usize & 15][last as usize & 3])
    }
    #[inline(always)]
    fn apply(&self, state: &mut Board, mv: u32) -> Board {
        let before = *state;
        state.slide(mv);
        before
    }
    #[inline(always)]
    fn undo(&self, state: &mut Board, _: u32, before: Board) {
        *state = before;
    }
    #[inline(always)]
    fn is_goal(&self, state: &Board) -> bool {
        state.tiles == 0xFEDC_BA98_7654_3210
    }
    fn pack(&self, state: &Board) -> u64 {
        state.tiles
    }
    fn unpack(&self, key: &u64) -> Board {
        let blank = (0..16).find(|s| (key >> (4 * s)).trailing_zeros() >= 4).unwrap_or(0);
        Board { tiles: *key, blank }
    }
}

pub(crate) struct Manhattan;

impl Heuristic<Fifteen> for Manhattan {
    type Memo = Cost;
    type Scratch = ();
    const PEEKS: bool = true;

    fn root(&self, _: &Fifteen, board: &Board, (): &mut ()) -> Cost {
        let distance = |square: i32| {
            let tile = board.tile(square as u32) as i32;
            if tile == 0 { 0 } else { (square / 4 - tile / 4).abs() + (square % 4 - tile % 4).abs() }
        };
        (0..16).map(distance).sum::<i32>() as Cost
    }
    #[inline(always)]
    fn peek(&self, _: &Fifteen, before: &Board, mv: u32, memo: Cost) -> Cost {
        let from = before.blank.wrapping_add_signed(OFFSET[mv as usize & 3]);
        let tile = before.tile(from) as usize;
        memo.wrapping_add_signed(i32::from(DELTA[tile][before.blank as usize & 15][mv as usize & 3]))
    }
    #[inline(always)]
    fn value(&self, memo: Cost) -> Cost {
        memo
    }
    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}
