//! Hand-written IDA* for the 15-puzzle: board in a register, recursion, the same tables as the space beside it. A yardstick,
//! never product code.

use super::fifteen::{DELTA, MOVES, NONE, OFFSET};

struct Twin {
    bound: i32,
    next: i32,
    expanded: u64,
    generated: u64,
    path: Vec<u8>,
}

impl Twin {
    fn search(&mut self, tiles: u64, blank: u32, last: usize, cost: i32, h: i32) -> bool {
        self.expanded += 1;
        let mut moves = MOVES[blank as usize & 15][last];
        while moves & 7 < 4 {
            let mv = (moves & 3) as usize;
            moves >>= 3;
            self.generated += 1;
            let to = blank.wrapping_add_signed(OFFSET[mv]);
            let tile = tiles >> (4 * to) & 15;
            let child = h + i32::from(DELTA[tile as usize][blank as usize & 15][mv]);
            if cost + 1 + child > self.bound {
                self.next = self.next.min(cost + 1 + child);
                continue;
            }
            let board = tiles ^ (tile << (4 * to) | tile << (4 * blank));
            if child == 0 || self.search(board, to, mv, cost + 1, child) {
                self.path.push(mv as u8);
                return true;
            }
        }
        false
    }
}

fn distance(tile: i32, square: i32) -> i32 {
    (tile / 4 - square / 4).abs() + (tile % 4 - square % 4).abs()
}

pub(crate) fn expanded(board: &[u8; 16]) -> u64 {
    let mut twin = Twin { bound: 0, next: 0, expanded: 0, generated: 0, path: Vec::new() };
    let tiles = board.iter().rev().fold(0, |all, &t| all << 4 | u64::from(t));
    let blank = board.iter().position(|&t| t == 0).unwrap_or(0) as u32;
    let squares = board.iter().zip(0..).filter(|(t, _)| **t != 0);
    let h = squares.map(|(&t, square)| distance(i32::from(t), square)).sum();
    twin.bound = h;
    loop {
        twin.next = i32::MAX;
        if twin.search(tiles, blank, NONE, 0, h) {
            return std::hint::black_box(&twin).expanded;
        }
        twin.bound = twin.next;
    }
}
