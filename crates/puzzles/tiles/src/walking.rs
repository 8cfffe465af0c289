//! Walking distance (Ken'ichiro Takahashi 2001): the moves that tiles must make between rows, if tiles of the same goal row
//! were indistinguishable and could change places freely within their row; and the same for columns.
//!
//! A state of this smaller puzzle gives, for each row, the number of its tiles that belong in each row, and the blank's row. A
//! breadth-first search from its solved state gives every distance. Rows and columns add up, because a move changes either the
//! row or the column of a tile. The sum never drops by more than one: it is consistent.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::board::{Board, MAX_SIDE, home_of_tile};

/// Most states of a table. Boards of five lines and more have millions of states.
const MAX_STATES: usize = 100_000;

/// By line: the number of its tiles that belong in each line.
type Counts = [[u8; MAX_SIDE]; MAX_SIDE];

/// The distances of one direction: of rows, or of columns.
#[derive(Clone, Debug)]
pub struct Walking {
    lines: usize,
    states: HashMap<Counts, u16, FixedState>,
    /// By state.
    distance: Vec<u8>,
    /// By state, direction of the blank (0 to the previous line, 1 to the next) and goal line of the tile.
    next: Vec<[[u16; MAX_SIDE]; 2]>,
}

impl Walking {
    /// Are there few enough states for a table of this many lines with this many squares each?
    pub fn fits(lines: usize, squares: usize) -> bool {
        lines <= 4 || squares <= 3
    }

    /// The distances for this many lines with this many squares each, where `home` is the blank's goal line; `None` if there
    /// are too many states.
    pub fn new(lines: usize, squares: usize, home: usize) -> Option<Self> {
        if !Self::fits(lines, squares) {
            return None;
        }
        let mut solved: Counts = [[0; MAX_SIDE]; MAX_SIDE];
        for (line, counts) in solved.iter_mut().enumerate().take(lines) {
            counts[line] = (squares - usize::from(line == home)) as u8;
        }
        let mut walking = Self {
            lines,
            states: HashMap::from_iter([(solved, 0)]),
            distance: vec![0],
            next: vec![[[u16::MAX; MAX_SIDE]; 2]],
        };
        let mut queue = vec![(solved, home)];
        let mut at = 0;
        while at < queue.len() {
            let (counts, blank) = queue[at];
            for direction in 0..2 {
                let Some(from) = walking.line_beside(blank, direction) else { continue };
                for tile in (0..lines).filter(|&tile| counts[from][tile] > 0) {
                    let mut moved = counts;
                    moved[from][tile] -= 1;
                    moved[blank][tile] += 1;
                    let fresh = walking.distance.len() as u16;
                    let id = *walking.states.entry(moved).or_insert(fresh);
                    if id == fresh {
                        if queue.len() == MAX_STATES.min(usize::from(u16::MAX)) {
                            return None;
                        }
                        walking.distance.push(walking.distance[at] + 1);
                        walking.next.push([[u16::MAX; MAX_SIDE]; 2]);
                        queue.push((moved, from));
                    }
                    walking.next[at][direction][tile] = id;
                }
            }
            at += 1;
        }
        Some(walking)
    }

    fn line_beside(&self, line: usize, direction: usize) -> Option<usize> {
        if direction == 0 { line.checked_sub(1) } else { Some(line + 1).filter(|&l| l < self.lines) }
    }

    /// The state of a board. `line_of` gives the line of a square: its row or its column.
    pub fn state(&self, board: &Board, cells: &[u8], line_of: impl Fn(usize) -> usize) -> Option<u16> {
        let mut counts: Counts = [[0; MAX_SIDE]; MAX_SIDE];
        for (square, &tile) in cells.iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            counts[line_of(square)][line_of(home_of_tile(tile, board.squares(), board.goal))] += 1;
        }
        self.states.get(&counts).copied()
    }

    /// The distance of a state.
    #[inline(always)]
    pub fn distance(&self, state: u16) -> u32 {
        u32::from(self.distance[usize::from(state)])
    }

    /// The state after the blank moves to the previous line (0) or the next (1), exchanging places with a tile that belongs in
    /// line `tile`.
    #[inline(always)]
    pub fn after(&self, state: u16, direction: usize, tile: usize) -> u16 {
        self.next[usize::from(state)][direction & 1][tile]
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.distance.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_fifteen_puzzle_has_its_known_size() {
        let walking = Walking::new(4, 4, 0).unwrap();
        assert_eq!(walking.states(), 24_964);
        assert_eq!(walking.distance.iter().max(), Some(&35));
        assert!(Walking::new(5, 5, 0).is_none());
        assert!(Walking::new(6, 6, 5).is_none());
        assert!(Walking::new(5, 2, 0).is_some());
    }
}
