//! Two hand-written versions of the plain search for comparison: no limits, no plan, one order of steps.
//!
//! [`Plain`] is careful ordinary code: a board of bytes and a table of distances. [`Tuned`] uses every optimisation known to
//! pay: the board in a register, code for each square and last step, slack instead of cost and estimate, special code for slack
//! 0, children counted from visits.

use beeline_tiles::Step;
use beeline_tiles::word::{self, GOAL, Word, blank_of, manhattan, nearer, neighbour, pack, slide};

/// The board of bytes.
pub(crate) struct Plain {
    cells: [u8; 16],
    /// By tile, square and adjacent square: the change of its distance.
    change: Vec<[i8; 4]>,
    moves: [[i8; 4]; 16],
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
}

impl Plain {
    pub(crate) fn search(cells: [u8; 16]) -> Self {
        let far = |tile: usize, s: usize| (tile / 4).abs_diff(s / 4) as i8 + (tile % 4).abs_diff(s % 4) as i8;
        let mut twin =
            Self { cells, change: vec![[0; 4]; 256], moves: [[-1; 4]; 16], generated: 0, expanded: 0 };
        for square in 0..16 {
            for step in Step::ALL {
                if let Some(from) = word::neighbour(square, step) {
                    twin.moves[square][step as usize] = from as i8;
                    for tile in 1..16 {
                        twin.change[tile * 16 + square][step as usize] = far(tile, square) - far(tile, from);
                    }
                }
            }
        }
        let first = manhattan(pack(&cells)) as i32;
        let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
        let mut bound = first;
        while first > 0 && !twin.below(blank, 4, first, bound) {
            bound += 2;
        }
        twin
    }

    fn below(&mut self, blank: usize, back: usize, estimate: i32, room: i32) -> bool {
        for step in 0..4 {
            let from = self.moves[blank][step];
            if step == back || from < 0 {
                continue;
            }
            let from = from as usize;
            let tile = self.cells[from];
            self.generated += 1;
            let next = estimate + i32::from(self.change[usize::from(tile) * 16 + blank][step]);
            if next + 1 > room {
                continue;
            }
            self.expanded += 1;
            self.cells[blank] = tile;
            self.cells[from] = 0;
            if next == 0 || self.below(from, step ^ 1, next, room - 1) {
                return true;
            }
            self.cells[from] = tile;
            self.cells[blank] = 0;
        }
        false
    }
}

/// The tuned version.
#[derive(Default)]
pub(crate) struct Tuned {
    visits: [[u64; 4]; 16],
    /// Children that the search did not reach because it had found the goal.
    unmade: u64,
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
}

macro_rules! visit {
    ($name:ident, $blank:literal, $last:literal: $($to:ident $square:literal),*) => {
        #[inline(never)]
        fn $name<const TIGHT: bool>(board: Word, slack: u32, twin: &mut Tuned) -> bool {
            if $blank == 0 && board == GOAL {
                return true;
            }
            twin.visits[$blank][$last] += 1;
            let mut left = const { 0 $(+ { let _ = $square; 1 })* };
            $({
                left -= 1;
                let tile = board >> (4 * $square) & 15;
                let moved = board ^ (tile << (4 * $square)) ^ (tile << (4 * $blank));
                let found = if const { nearer($square, $blank) } >> tile & 1 == 1 {
                    $to::<TIGHT>(moved, slack, twin)
                } else if TIGHT {
                    false
                } else if slack == 1 {
                    $to::<true>(moved, 0, twin)
                } else {
                    $to::<false>(moved, slack - 1, twin)
                };
                if found {
                    twin.unmade += left;
                    return true;
                }
            })*
            let _ = left;
            false
        }
    };
}

visit!(left_0, 0, 0: down_4 4);
visit!(up_0, 0, 2: right_1 1);
visit!(left_1, 1, 0: left_0 0, down_5 5);
visit!(right_1, 1, 1: right_2 2, down_5 5);
visit!(up_1, 1, 2: left_0 0, right_2 2);
visit!(left_2, 2, 0: left_1 1, down_6 6);
visit!(right_2, 2, 1: right_3 3, down_6 6);
visit!(up_2, 2, 2: left_1 1, right_3 3);
visit!(right_3, 3, 1: down_7 7);
visit!(up_3, 3, 2: left_2 2);
visit!(left_4, 4, 0: up_0 0, down_8 8);
visit!(up_4, 4, 2: right_5 5, up_0 0);
visit!(down_4, 4, 3: right_5 5, down_8 8);
visit!(left_5, 5, 0: left_4 4, up_1 1, down_9 9);
visit!(right_5, 5, 1: right_6 6, up_1 1, down_9 9);
visit!(up_5, 5, 2: left_4 4, right_6 6, up_1 1);
visit!(down_5, 5, 3: left_4 4, right_6 6, down_9 9);
visit!(left_6, 6, 0: left_5 5, up_2 2, down_10 10);
visit!(right_6, 6, 1: right_7 7, up_2 2, down_10 10);
visit!(up_6, 6, 2: left_5 5, right_7 7, up_2 2);
visit!(down_6, 6, 3: left_5 5, right_7 7, down_10 10);
visit!(right_7, 7, 1: up_3 3, down_11 11);
visit!(up_7, 7, 2: left_6 6, up_3 3);
visit!(down_7, 7, 3: left_6 6, down_11 11);
visit!(left_8, 8, 0: up_4 4, down_12 12);
visit!(up_8, 8, 2: right_9 9, up_4 4);
visit!(down_8, 8, 3: right_9 9, down_12 12);
visit!(left_9, 9, 0: left_8 8, up_5 5, down_13 13);
visit!(right_9, 9, 1: right_10 10, up_5 5, down_13 13);
visit!(up_9, 9, 2: left_8 8, right_10 10, up_5 5);
visit!(down_9, 9, 3: left_8 8, right_10 10, down_13 13);
visit!(left_10, 10, 0: left_9 9, up_6 6, down_14 14);
visit!(right_10, 10, 1: right_11 11, up_6 6, down_14 14);
visit!(up_10, 10, 2: left_9 9, right_11 11, up_6 6);
visit!(down_10, 10, 3: left_9 9, right_11 11, down_14 14);
visit!(right_11, 11, 1: up_7 7, down_15 15);
visit!(up_11, 11, 2: left_10 10, up_7 7);
visit!(down_11, 11, 3: left_10 10, down_15 15);
visit!(left_12, 12, 0: up_8 8);
visit!(down_12, 12, 3: right_13 13);
visit!(left_13, 13, 0: left_12 12, up_9 9);
visit!(right_13, 13, 1: right_14 14, up_9 9);
visit!(down_13, 13, 3: left_12 12, right_14 14);
visit!(left_14, 14, 0: left_13 13, up_10 10);
visit!(right_14, 14, 1: right_15 15, up_10 10);
visit!(down_14, 14, 3: left_13 13, right_15 15);
visit!(right_15, 15, 1: up_11 11);
visit!(down_15, 15, 3: left_14 14);

impl Tuned {
    pub(crate) fn search(board: Word) -> Self {
        let mut twin = Self::default();
        let mut rounds = 0;
        for slack in 0.. {
            rounds += 1;
            if twin.round(board, slack) {
                break;
            }
        }
        let children = |square: usize, back: Option<Step>| {
            let open = |step: &Step| back != Some(*step) && neighbour(square, *step).is_some();
            Step::ALL.iter().filter(|step| open(step)).count() as u64
        };
        twin.expanded = twin.visits.iter().flatten().sum::<u64>() + 1;
        twin.generated = rounds * children(blank_of(board), None) - twin.unmade;
        for (square, visits) in twin.visits.iter().enumerate() {
            for (last, visits) in visits.iter().enumerate() {
                twin.generated += visits * children(square, Some(Step::from_index(last).back()));
            }
        }
        twin
    }

    fn round(&mut self, board: Word, slack: u32) -> bool {
        let open: Vec<(Step, Word, bool)> = Step::ALL
            .into_iter()
            .filter_map(|step| slide(board, step).map(|(moved, good)| (step, moved, good)))
            .collect();
        for (i, &(step, moved, good)) in open.iter().enumerate() {
            let Some(slack) = slack.checked_sub(u32::from(!good)) else { continue };
            if enter(moved, step, slack, self) {
                self.unmade += (open.len() - 1 - i) as u64;
                return true;
            }
        }
        false
    }
}

fn enter(board: Word, step: Step, slack: u32, twin: &mut Tuned) -> bool {
    macro_rules! dispatch {
        ($($square:literal $last:literal $name:ident),*) => {
            match (blank_of(board), step as usize) {
                $(($square, $last) if slack == 0 => $name::<true>(board, 0, twin),
                  ($square, $last) => $name::<false>(board, slack, twin),)*
                _ => false,
            }
        };
    }
    dispatch!(
        0 0 left_0, 0 2 up_0, 1 0 left_1, 1 1 right_1, 1 2 up_1, 2 0 left_2,
        2 1 right_2, 2 2 up_2, 3 1 right_3, 3 2 up_3, 4 0 left_4, 4 2 up_4,
        4 3 down_4, 5 0 left_5, 5 1 right_5, 5 2 up_5, 5 3 down_5, 6 0 left_6,
        6 1 right_6, 6 2 up_6, 6 3 down_6, 7 1 right_7, 7 2 up_7, 7 3 down_7,
        8 0 left_8, 8 2 up_8, 8 3 down_8, 9 0 left_9, 9 1 right_9, 9 2 up_9,
        9 3 down_9, 10 0 left_10, 10 1 right_10, 10 2 up_10, 10 3 down_10, 11 1 right_11,
        11 2 up_11, 11 3 down_11, 12 0 left_12, 12 3 down_12, 13 0 left_13, 13 1 right_13,
        13 3 down_13, 14 0 left_14, 14 1 right_14, 14 3 down_14, 15 1 right_15, 15 3 down_15
    )
}
