//! The size of a small subtree that holds no goal.
//!
//! The same functions as in [`super::plain`], without everything that only a search needs: no goal, no plan, no limits.
//! What a subtree counts comes back as a sum in a register.

use super::{Word, nearer};

/// Children made in the upper half, nodes within the bound (the subtree's root among them) in the lower.
pub(super) type Sizes = u64;

/// The largest slack for which there are functions, plus one.
pub(super) const SLACKS: u32 = 3;

/// With `ALL`, the subtree counts once for its slack and once for each smaller one, so a node counts once more than the slack
/// that is left there.
macro_rules! subtree {
    ($name:ident, $blank:literal: $($to:ident $square:literal),*) => {
        #[inline(never)]
        fn $name<const SLACK: u32, const ALL: bool>(board: Word) -> Sizes {
            let once = const { (0 $(+ { let _ = $square; 1 })*) << 32 | 1 };
            let mut sizes = if ALL { (SLACK as u64 + 1) * once } else { once };
            $({
                let tile = board >> (4 * $square) & 15;
                let moved = board ^ (tile << (4 * $square)) ^ (tile << (4 * $blank));
                if const { nearer($square, $blank) } >> tile & 1 == 1 {
                    sizes += $to::<SLACK, ALL>(moved);
                } else if SLACK == 1 {
                    sizes += $to::<0, ALL>(moved);
                } else if SLACK == 2 {
                    sizes += $to::<1, ALL>(moved);
                }
            })*
            sizes
        }
    };
}

subtree!(left_0, 0: down_4 4);
subtree!(up_0, 0: right_1 1);
subtree!(left_1, 1: left_0 0, down_5 5);
subtree!(right_1, 1: right_2 2, down_5 5);
subtree!(up_1, 1: left_0 0, right_2 2);
subtree!(left_2, 2: left_1 1, down_6 6);
subtree!(right_2, 2: right_3 3, down_6 6);
subtree!(up_2, 2: left_1 1, right_3 3);
subtree!(right_3, 3: down_7 7);
subtree!(up_3, 3: left_2 2);
subtree!(left_4, 4: up_0 0, down_8 8);
subtree!(up_4, 4: right_5 5, up_0 0);
subtree!(down_4, 4: right_5 5, down_8 8);
subtree!(left_5, 5: left_4 4, up_1 1, down_9 9);
subtree!(right_5, 5: right_6 6, up_1 1, down_9 9);
subtree!(up_5, 5: left_4 4, right_6 6, up_1 1);
subtree!(down_5, 5: left_4 4, right_6 6, down_9 9);
subtree!(left_6, 6: left_5 5, up_2 2, down_10 10);
subtree!(right_6, 6: right_7 7, up_2 2, down_10 10);
subtree!(up_6, 6: left_5 5, right_7 7, up_2 2);
subtree!(down_6, 6: left_5 5, right_7 7, down_10 10);
subtree!(right_7, 7: up_3 3, down_11 11);
subtree!(up_7, 7: left_6 6, up_3 3);
subtree!(down_7, 7: left_6 6, down_11 11);
subtree!(left_8, 8: up_4 4, down_12 12);
subtree!(up_8, 8: right_9 9, up_4 4);
subtree!(down_8, 8: right_9 9, down_12 12);
subtree!(left_9, 9: left_8 8, up_5 5, down_13 13);
subtree!(right_9, 9: right_10 10, up_5 5, down_13 13);
subtree!(up_9, 9: left_8 8, right_10 10, up_5 5);
subtree!(down_9, 9: left_8 8, right_10 10, down_13 13);
subtree!(left_10, 10: left_9 9, up_6 6, down_14 14);
subtree!(right_10, 10: right_11 11, up_6 6, down_14 14);
subtree!(up_10, 10: left_9 9, right_11 11, up_6 6);
subtree!(down_10, 10: left_9 9, right_11 11, down_14 14);
subtree!(right_11, 11: up_7 7, down_15 15);
subtree!(up_11, 11: left_10 10, up_7 7);
subtree!(down_11, 11: left_10 10, down_15 15);
subtree!(left_12, 12: up_8 8);
subtree!(down_12, 12: right_13 13);
subtree!(left_13, 13: left_12 12, up_9 9);
subtree!(right_13, 13: right_14 14, up_9 9);
subtree!(down_13, 13: left_12 12, right_14 14);
subtree!(left_14, 14: left_13 13, up_10 10);
subtree!(right_14, 14: right_15 15, up_10 10);
subtree!(down_14, 14: left_13 13, right_15 15);
subtree!(right_15, 15: up_11 11);
subtree!(down_15, 15: left_14 14);

/// No path comes here by that step.
fn none<const SLACK: u32, const ALL: bool>(_: Word) -> Sizes {
    0
}

macro_rules! forms {
    ($name:ident) => {
        [
            [$name::<0, false>, $name::<1, false>, $name::<2, false>],
            [$name::<0, true>, $name::<1, true>, $name::<2, true>],
        ]
    };
}

/// The size of one kind of subtree.
type Subtree = fn(Word) -> Sizes;

/// By square and last step: the functions for one round and for all, by slack.
static SUBTREES: [[[[Subtree; SLACKS as usize]; 2]; 4]; 16] = [
    [forms!(left_0), forms!(none), forms!(up_0), forms!(none)],
    [forms!(left_1), forms!(right_1), forms!(up_1), forms!(none)],
    [forms!(left_2), forms!(right_2), forms!(up_2), forms!(none)],
    [forms!(none), forms!(right_3), forms!(up_3), forms!(none)],
    [forms!(left_4), forms!(none), forms!(up_4), forms!(down_4)],
    [forms!(left_5), forms!(right_5), forms!(up_5), forms!(down_5)],
    [forms!(left_6), forms!(right_6), forms!(up_6), forms!(down_6)],
    [forms!(none), forms!(right_7), forms!(up_7), forms!(down_7)],
    [forms!(left_8), forms!(none), forms!(up_8), forms!(down_8)],
    [forms!(left_9), forms!(right_9), forms!(up_9), forms!(down_9)],
    [forms!(left_10), forms!(right_10), forms!(up_10), forms!(down_10)],
    [forms!(none), forms!(right_11), forms!(up_11), forms!(down_11)],
    [forms!(left_12), forms!(none), forms!(none), forms!(down_12)],
    [forms!(left_13), forms!(right_13), forms!(none), forms!(down_13)],
    [forms!(left_14), forms!(right_14), forms!(none), forms!(down_14)],
    [forms!(none), forms!(right_15), forms!(none), forms!(down_15)],
];

/// What the subtree of a board counts, which was reached by a step with number `last` and has a slack below [`SLACKS`]; for
/// this slack, or for it and every smaller one.
#[inline(always)]
pub(super) fn sizes(board: Word, blank: usize, last: usize, slack: usize, all: bool) -> Sizes {
    SUBTREES[blank][last][usize::from(all)][slack](board)
}
