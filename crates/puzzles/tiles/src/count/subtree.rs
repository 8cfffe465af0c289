//! The size of a small subtree that holds no goal.
//!
//! The same functions as in [`super::plain`], without everything that only a search needs: no goal, no plan, no limits.
//! What a subtree counts comes back as a sum in a register.

use super::{Word, nearer};

/// Children made in the upper half, nodes within the bound (the subtree's root among them) in the lower.
pub(super) type Sizes = u64;

macro_rules! subtree {
    ($name:ident, $blank:literal: $($to:ident $square:literal),*) => {
        #[inline(never)]
        fn $name<const TIGHT: bool>(board: Word, slack: u32) -> Sizes {
            let mut sizes = const { (0 $(+ { let _ = $square; 1 })*) << 32 | 1 };
            $({
                let tile = board >> (4 * $square) & 15;
                let moved = board ^ (tile << (4 * $square)) ^ (tile << (4 * $blank));
                if const { nearer($square, $blank) } >> tile & 1 == 1 {
                    sizes += $to::<TIGHT>(moved, slack);
                } else if !TIGHT {
                    sizes += if slack == 1 { $to::<true>(moved, 0) } else { $to::<false>(moved, slack - 1) };
                }
            })*
            let _ = slack;
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
fn none<const TIGHT: bool>(_: Word, _: u32) -> Sizes {
    0
}

macro_rules! both {
    ($name:ident) => {
        [$name::<true>, $name::<false>]
    };
}

/// The size of one kind of subtree.
type Subtree = fn(Word, u32) -> Sizes;

/// By square and last step: the function for slack 0 and the one for more.
static SUBTREES: [[[Subtree; 2]; 4]; 16] = [
    [both!(left_0), both!(none), both!(up_0), both!(none)],
    [both!(left_1), both!(right_1), both!(up_1), both!(none)],
    [both!(left_2), both!(right_2), both!(up_2), both!(none)],
    [both!(none), both!(right_3), both!(up_3), both!(none)],
    [both!(left_4), both!(none), both!(up_4), both!(down_4)],
    [both!(left_5), both!(right_5), both!(up_5), both!(down_5)],
    [both!(left_6), both!(right_6), both!(up_6), both!(down_6)],
    [both!(none), both!(right_7), both!(up_7), both!(down_7)],
    [both!(left_8), both!(none), both!(up_8), both!(down_8)],
    [both!(left_9), both!(right_9), both!(up_9), both!(down_9)],
    [both!(left_10), both!(right_10), both!(up_10), both!(down_10)],
    [both!(none), both!(right_11), both!(up_11), both!(down_11)],
    [both!(left_12), both!(none), both!(none), both!(down_12)],
    [both!(left_13), both!(right_13), both!(none), both!(down_13)],
    [both!(left_14), both!(right_14), both!(none), both!(down_14)],
    [both!(none), both!(right_15), both!(none), both!(down_15)],
];

/// How many nodes the subtree of a board has, which was reached by a step with number `last`.
#[inline(always)]
pub(super) fn sizes(board: Word, blank: usize, last: usize, slack: u32) -> Sizes {
    SUBTREES[blank][last][usize::from(slack > 0)](board, slack)
}
