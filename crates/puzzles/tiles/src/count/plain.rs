//! The plain search, node by node, optimised for one thread.
//!
//! There is one function for each pair of the blank's square and the last step, so that the moves, the shifts and the test
//! "does this tile come nearer?" are constants. The search carries neither path cost nor estimate. A step changes f by 0 or 2,
//! so the rest of the bound is a small number, the *slack*. A child is cut off only when its step is a bad one and the slack is
//! spent. Special forms serve slack 0, where only good steps are followed, and slack 1. Together they visit nearly all nodes,
//! and test neither the slack nor the limits.
//!
//! The recursion is as deep as the bound, which is at most 80 on this board.

use beeline_search::{Budget, Limit, Meter};

use super::super::board::Step;
use super::super::word::{GOAL, Word, blank_of, manhattan, nearer, neighbour, slide};
use super::{Counted, Order, unmade};

/// Most moves of a path. 80 moves lead from any solvable board to the goal. On an unsolvable one the bound grows until a limit
/// ends the search, long before 256.
const MAX_PATH: usize = 256;

/// The shared state of the functions.
struct Walk {
    /// Calls of each function, by square and last step. Children are counted from them afterwards.
    visits: [[u64; 4]; 16],
    /// The positions of the calls that found the goal or a limit, the deepest first: board, slack and the step taken. Calls at
    /// their last child are missing: they were left by a jump.
    trail: Vec<(Word, u32, Step)>,
    /// The end of the search: board and slack.
    end: (Word, u32),
    /// Calls with a slack of two or more until the next look at the meter.
    calls_left: u32,
    meter: Meter,
    /// The limit on expanded nodes, tested as rarely as the clock.
    nodes: u64,
    stopped: Option<Limit>,
}

/// Calls with a slack of two or more between two looks at the meter.
const CALLS_BETWEEN_CHECKS: u32 = 1 << 8;

impl Walk {
    #[cold]
    fn look(&mut self, board: Word, slack: u32) -> bool {
        self.calls_left = CALLS_BETWEEN_CHECKS;
        self.stopped = self.meter.look().err();
        if self.visits.iter().flatten().sum::<u64>() >= self.nodes {
            self.stopped = Some(Limit::Nodes);
        }
        if self.stopped.is_some() {
            self.end = (board, slack);
        }
        self.stopped.is_some()
    }

    /// Records the position on the way back from the end.
    #[cold]
    #[inline(never)]
    fn record_step(&mut self, board: Word, slack: u32, step: Step) -> bool {
        self.trail.push((board, slack, step));
        true
    }

    /// The steps from the root to the end. Where the trail has no entry, the last child was taken. The slack distinguishes two
    /// visits of the same board. A path is never longer than the largest bound.
    fn path(&self, root: Word, slack: u32, order: Order) -> Vec<Step> {
        let (mut board, mut slack) = (root, slack);
        let mut trail = self.trail.iter().rev().peekable();
        let mut path: Vec<Step> = Vec::new();
        while (board, slack) != self.end && path.len() < MAX_PATH {
            let noted = trail.next_if(|&&(at, left, _)| (at, left) == (board, slack));
            let back = path.last().map(|step| step.back());
            let mut open = order.steps().into_iter().rev().filter(|&step| Some(step) != back);
            let step = match noted {
                Some(&(_, _, step)) => Some(step),
                None => open.find(|&step| neighbour(blank_of(board), step).is_some()),
            };
            let Some((step, (moved, good))) = step.and_then(|step| Some((step, slide(board, step)?))) else {
                break;
            };
            (board, slack) = (moved, slack.saturating_sub(u32::from(!good)));
            path.push(step);
        }
        path
    }
}

/// Tries one child, unless the previous one led to the end. A bad step costs one slack. `LEVEL` is the slack itself up to 1,
/// and 2 for more. The last child is not recorded, so that the call is a jump.
macro_rules! child {
    ($walk:ident, $board:ident, $slack:ident, $level:ident, $korf:ident, $found:ident, $blank:literal, $step:expr, ) => {};
    ($walk:ident, $board:ident, $slack:ident, $level:ident, $korf:ident, $found:ident, $blank:literal, $step:expr, $to:ident $square:literal) => {
        const _: () = assert!($square < 16);
        if $found.0 {
            return $walk.record_step($board, if $level == 2 { $slack } else { $level }, $found.1);
        }
        let tile = $board >> (4 * $square) & 15;
        let moved = $board ^ (tile << (4 * $square)) ^ (tile << (4 * $blank));
        $found.0 = if const { nearer($square, $blank) } >> tile & 1 == 1 {
            $to::<$korf, $level>(moved, $slack, $walk)
        } else if $level == 0 {
            false
        } else if $level == 1 {
            $to::<$korf, 0>(moved, 0, $walk)
        } else if $slack == 2 {
            $to::<$korf, 1>(moved, 1, $walk)
        } else {
            $to::<$korf, 2>(moved, $slack - 1, $walk)
        };
        $found.1 = $step;
    };
}

/// The function for one square and last step. The brackets list its children: left, right, up, down.
macro_rules! visit {
    ($name:ident, $blank:literal, $last:literal, [$($left:tt)*] [$($right:tt)*] [$($up:tt)*] [$($down:tt)*]) => {
        #[inline(never)]
        fn $name<const KORF: bool, const LEVEL: u32>(board: Word, slack: u32, walk: &mut Walk) -> bool {
            if $blank == 0 && board == GOAL {
                return true;
            }
            walk.visits[$blank][$last] += 1;
            if LEVEL == 2 {
                walk.calls_left -= 1;
                if walk.calls_left == 0 && walk.look(board, slack) {
                    return true;
                }
            }
            let mut found = (false, Step::Left);
            if KORF {
                child!(walk, board, slack, LEVEL, KORF, found, $blank, Step::Up, $($up)*);
            }
            child!(walk, board, slack, LEVEL, KORF, found, $blank, Step::Left, $($left)*);
            child!(walk, board, slack, LEVEL, KORF, found, $blank, Step::Right, $($right)*);
            if !KORF {
                child!(walk, board, slack, LEVEL, KORF, found, $blank, Step::Up, $($up)*);
            }
            child!(walk, board, slack, LEVEL, KORF, found, $blank, Step::Down, $($down)*);
            let _ = slack;
            found.0
        }
    };
}

visit!(left_0, 0, 0, [] [] [] [down_4 4]);
visit!(up_0, 0, 2, [] [right_1 1] [] []);
visit!(left_1, 1, 0, [left_0 0] [] [] [down_5 5]);
visit!(right_1, 1, 1, [] [right_2 2] [] [down_5 5]);
visit!(up_1, 1, 2, [left_0 0] [right_2 2] [] []);
visit!(left_2, 2, 0, [left_1 1] [] [] [down_6 6]);
visit!(right_2, 2, 1, [] [right_3 3] [] [down_6 6]);
visit!(up_2, 2, 2, [left_1 1] [right_3 3] [] []);
visit!(right_3, 3, 1, [] [] [] [down_7 7]);
visit!(up_3, 3, 2, [left_2 2] [] [] []);
visit!(left_4, 4, 0, [] [] [up_0 0] [down_8 8]);
visit!(up_4, 4, 2, [] [right_5 5] [up_0 0] []);
visit!(down_4, 4, 3, [] [right_5 5] [] [down_8 8]);
visit!(left_5, 5, 0, [left_4 4] [] [up_1 1] [down_9 9]);
visit!(right_5, 5, 1, [] [right_6 6] [up_1 1] [down_9 9]);
visit!(up_5, 5, 2, [left_4 4] [right_6 6] [up_1 1] []);
visit!(down_5, 5, 3, [left_4 4] [right_6 6] [] [down_9 9]);
visit!(left_6, 6, 0, [left_5 5] [] [up_2 2] [down_10 10]);
visit!(right_6, 6, 1, [] [right_7 7] [up_2 2] [down_10 10]);
visit!(up_6, 6, 2, [left_5 5] [right_7 7] [up_2 2] []);
visit!(down_6, 6, 3, [left_5 5] [right_7 7] [] [down_10 10]);
visit!(right_7, 7, 1, [] [] [up_3 3] [down_11 11]);
visit!(up_7, 7, 2, [left_6 6] [] [up_3 3] []);
visit!(down_7, 7, 3, [left_6 6] [] [] [down_11 11]);
visit!(left_8, 8, 0, [] [] [up_4 4] [down_12 12]);
visit!(up_8, 8, 2, [] [right_9 9] [up_4 4] []);
visit!(down_8, 8, 3, [] [right_9 9] [] [down_12 12]);
visit!(left_9, 9, 0, [left_8 8] [] [up_5 5] [down_13 13]);
visit!(right_9, 9, 1, [] [right_10 10] [up_5 5] [down_13 13]);
visit!(up_9, 9, 2, [left_8 8] [right_10 10] [up_5 5] []);
visit!(down_9, 9, 3, [left_8 8] [right_10 10] [] [down_13 13]);
visit!(left_10, 10, 0, [left_9 9] [] [up_6 6] [down_14 14]);
visit!(right_10, 10, 1, [] [right_11 11] [up_6 6] [down_14 14]);
visit!(up_10, 10, 2, [left_9 9] [right_11 11] [up_6 6] []);
visit!(down_10, 10, 3, [left_9 9] [right_11 11] [] [down_14 14]);
visit!(right_11, 11, 1, [] [] [up_7 7] [down_15 15]);
visit!(up_11, 11, 2, [left_10 10] [] [up_7 7] []);
visit!(down_11, 11, 3, [left_10 10] [] [] [down_15 15]);
visit!(left_12, 12, 0, [] [] [up_8 8] []);
visit!(down_12, 12, 3, [] [right_13 13] [] []);
visit!(left_13, 13, 0, [left_12 12] [] [up_9 9] []);
visit!(right_13, 13, 1, [] [right_14 14] [up_9 9] []);
visit!(down_13, 13, 3, [left_12 12] [right_14 14] [] []);
visit!(left_14, 14, 0, [left_13 13] [] [up_10 10] []);
visit!(right_14, 14, 1, [] [right_15 15] [up_10 10] []);
visit!(down_14, 14, 3, [left_13 13] [right_15 15] [] []);
visit!(right_15, 15, 1, [] [] [up_11 11] []);
visit!(down_15, 15, 3, [left_14 14] [] [] []);

/// Calls the function for a step from the root.
fn enter<const KORF: bool>(board: Word, slack: u32, square: usize, step: Step, walk: &mut Walk) -> bool {
    macro_rules! dispatch {
        ($($number:literal $left:ident $right:ident $up:ident $down:ident;)*) => {
            match (square, step) {
                $(($number, Step::Left) => dispatch!(@ $left), ($number, Step::Right) => dispatch!(@ $right),
                  ($number, Step::Up) => dispatch!(@ $up), ($number, Step::Down) => dispatch!(@ $down),)*
                _ => false,
            }
        };
        (@ none) => { false };
        (@ $name:ident) => {
            match slack {
                0 => $name::<KORF, 0>(board, 0, walk),
                1 => $name::<KORF, 1>(board, 1, walk),
                _ => $name::<KORF, 2>(board, slack, walk),
            }
        };
    }
    dispatch! {
        0 left_0 none up_0 none;
        1 left_1 right_1 up_1 none;
        2 left_2 right_2 up_2 none;
        3 none right_3 up_3 none;
        4 left_4 none up_4 down_4;
        5 left_5 right_5 up_5 down_5;
        6 left_6 right_6 up_6 down_6;
        7 none right_7 up_7 down_7;
        8 left_8 none up_8 down_8;
        9 left_9 right_9 up_9 down_9;
        10 left_10 right_10 up_10 down_10;
        11 none right_11 up_11 down_11;
        12 left_12 none none down_12;
        13 left_13 right_13 none down_13;
        14 left_14 right_14 none down_14;
        15 none right_15 none down_15;
    }
}

/// One round from the root, where no step is skipped.
fn round(board: Word, slack: u32, order: Order, walk: &mut Walk) -> bool {
    let blank = blank_of(board);
    for step in order.steps() {
        let Some((moved, good)) = slide(board, step) else { continue };
        let Some(left) = slack.checked_sub(u32::from(!good)) else { continue };
        let Some(square) = neighbour(blank, step) else { continue };
        let found = match order {
            Order::Classic => enter::<false>(moved, left, square, step, walk),
            Order::Korf => enter::<true>(moved, left, square, step, walk),
        };
        if found {
            return walk.record_step(board, slack, step);
        }
    }
    false
}

/// Searches. A solved board gets an empty plan. An unsolvable one is searched until a limit ends it, so test its parity first.
pub fn search(board: Word, order: Order, budget: &Budget) -> (Counted, Option<Limit>) {
    search_rounds(board, order, u64::MAX, budget)
}

/// The same, but a round is begun only if at most `most` expansions are expected; otherwise the search stops with the node
/// limit. A round is expected to grow as the previous one did.
pub fn search_rounds(board: Word, order: Order, most: u64, budget: &Budget) -> (Counted, Option<Limit>) {
    let mut counted = Counted::default();
    let estimate = manhattan(board);
    if board == GOAL {
        counted.thresholds.push(0);
        counted.plan = Some(Vec::new());
        return (counted, None);
    }
    let mut walk = Walk {
        visits: [[0; 4]; 16],
        trail: Vec::new(),
        end: (GOAL, 0),
        calls_left: CALLS_BETWEEN_CHECKS,
        meter: Meter::new(budget),
        nodes: budget.nodes.unwrap_or(u64::MAX),
        stopped: None,
    };
    let mut path = Vec::new();
    // Expansions of all rounds, of all but the last, and of all but the last two.
    let mut ends = [0u64; 3];
    for slack in 0.. {
        let [now, last, before] = ends.map(u128::from);
        if (now - last).pow(2) > u128::from(most) * (last - before).max(1) {
            walk.stopped = Some(Limit::Nodes);
            break;
        }
        counted.thresholds.push(estimate + 2 * slack);
        if round(board, slack, order, &mut walk) {
            path = walk.path(board, slack, order);
            break;
        }
        ends = [walk.visits.iter().flatten().sum(), ends[0], ends[1]];
    }
    counted.expanded = walk.visits.iter().flatten().sum();
    counted.generated = children(blank_of(board), None) * counted.thresholds.len() as u64;
    for (square, visits) in walk.visits.iter().enumerate() {
        for (last, visits) in visits.iter().enumerate() {
            counted.generated += children(square, Some(Step::from_index(last))) * visits;
        }
    }
    counted.generated -= unmade(board, &path, order, walk.stopped.is_some());
    if walk.stopped.is_none() {
        // The goal returns before its visit is counted; it still counts as expanded.
        counted.expanded += 1;
        counted.plan = Some(path);
    }
    (counted, walk.stopped)
}

/// The number of children of a node with the blank on this square.
fn children(square: usize, last: Option<Step>) -> u64 {
    let open = |step: &Step| last != Some(step.back()) && neighbour(square, *step).is_some();
    Step::ALL.iter().filter(|step| open(step)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::pack;

    fn counts(cells: [u8; 16], order: Order) -> (u32, usize, u64, u64) {
        let (counted, limit) = search(pack(&cells), order, &Budget::default());
        assert_eq!(limit, None);
        let plan = counted.plan.unwrap();
        let end = plan.iter().try_fold(pack(&cells), |b, &s| slide(b, s).map(|(b, _)| b));
        assert_eq!(end, Some(GOAL));
        (counted.thresholds[0], plan.len(), counted.generated, counted.expanded)
    }

    #[test]
    fn the_figures_are_exact() {
        let figure = [1, 2, 7, 6, 3, 4, 5, 8, 9, 10, 11, 12, 0, 14, 15, 13];
        assert_eq!(counts(figure, Order::Classic), (27, 45, 3_903_119, 1_943_452));
        let one = [1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        assert_eq!(counts(one, Order::Classic), (1, 1, 1, 1));
        let second = [13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6];
        assert_eq!(counts(second, Order::Classic), (43, 55, 18_983_862, 9_777_811));
        assert_eq!(counts(second, Order::Korf).2 + 1, 15_300_442);
    }

    #[test]
    fn a_limit_stops_it_with_true_counts() {
        let board = pack(&[15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4]);
        let budget = Budget { time: Some(std::time::Duration::from_millis(20)), ..Budget::default() };
        let (counted, limit) = search(board, Order::Classic, &budget);
        assert_eq!((limit, counted.plan), (Some(Limit::Time), None));
        assert!(counted.expanded > 0 && counted.generated > counted.expanded);
    }
}
