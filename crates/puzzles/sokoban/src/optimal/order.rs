//! In which order states within the bound are tried, where only pushes count.
//!
//! Once the bound has come to the cost of the best plans, any of them will do, and a search that only goes deep gets lost among boxes that
//! are all half-way: whatever is tried there, the mistake was made long before. So states come first in which few boxes are *under way*,
//! neither where they began nor on a goal, and in which few goals are filled too early. The order changes nothing but which state is next.
//!
//! A goal is filled too early if an empty goal lies behind it: with a wall in its place, every lone box would have a longer way to that
//! one, or none at all.

use crate::board::{DIRS, Square};
use crate::field::Field;
use crate::optimal::Cost;

/// A box that is under way counts as much as this many pushes.
const UNDER_WAY: u32 = 64;
/// A box on a goal that others lie behind counts as much as this many.
const TOO_EARLY: u32 = 40;
/// Depths are counted from here, so that none is negative.
const ORIGIN: Cost = 1 << 20;
/// So many goals can be told apart; with more of them, none lies behind another.
const MOST_GOALS: usize = 64;

/// What each square means for a box on it.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Does a box begin here?
    start: Vec<bool>,
    /// The number of the goal here.
    goal: Vec<Option<u8>>,
    /// For each goal, those that lie behind it.
    behind: Vec<u64>,
}

impl Order {
    pub(crate) fn new(field: &Field) -> Self {
        let (board, n) = (field.board(), field.squares() as Square);
        let start = (0..n).map(|s| board.boxes().contains(&s)).collect();
        let number = |s: Square| board.goals().iter().position(|&goal| goal == s).map(|i| i as u8);
        let goal = (0..n).map(number).collect();
        let goals = board.goals();
        let mut behind = vec![0; goals.len()];
        if goals.len() <= MOST_GOALS {
            for (j, &there) in goals.iter().enumerate() {
                let open = ways(field, there, None);
                for (i, &here) in goals.iter().enumerate().filter(|&(i, _)| i != j) {
                    let closed = ways(field, there, Some(here));
                    let longer = |&b: &Square| closed[b as usize] > open[b as usize];
                    if board.boxes().iter().filter(|&&b| b != here && open[b as usize] < u32::MAX).all(longer)
                    {
                        behind[i] |= 1 << j;
                    }
                }
            }
        }
        Self { start, goal, behind }
    }

    /// How deep a state lies that was met at this cost: the deepest are tried first.
    #[inline]
    pub(crate) fn depth(&self, cost: Cost, boxes: impl Iterator<Item = Square> + Clone) -> Cost {
        let goals =
            boxes.clone().filter_map(|b| self.goal[b as usize]).filter(|&i| usize::from(i) < MOST_GOALS);
        let full = goals.fold(0u64, |full, i| full | 1 << i);
        let away = |b: Square| match self.goal[b as usize] {
            Some(i) if self.behind[usize::from(i)] & !full == 0 => 0,
            Some(_) => TOO_EARLY,
            None if self.start[b as usize] => 0,
            None => UNDER_WAY,
        };
        let away: u32 = boxes.map(away).sum();
        ORIGIN + cost - Cost::from(away).min(ORIGIN)
    }
}

/// How many pulls take a lone box from a goal to each square, wherever the player is, with a wall here.
fn ways(field: &Field, goal: Square, wall: Option<Square>) -> Vec<u32> {
    let (n, near) = (field.squares(), field.near());
    let free = |s: Square| (s as usize) < n && Some(s) != wall;
    let mut far = vec![u32::MAX; n];
    far[goal as usize] = 0;
    let mut todo = std::collections::VecDeque::from([goal]);
    while let Some(at) = todo.pop_front() {
        for dir in DIRS {
            let to = near[at as usize][dir as usize];
            if free(to) && far[to as usize] == u32::MAX && free(near[to as usize][dir as usize]) {
                far[to as usize] = far[at as usize] + 1;
                todo.push_back(to);
            }
        }
    }
    far
}
