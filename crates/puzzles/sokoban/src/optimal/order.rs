//! Search order of states within the bound, where only pushes count.
//!
//! Once the bound equals the optimal cost, any plan within it will do. A depth-first order then gets lost
//! among positions in which all boxes are half-way, because the mistake was made long before. So two kinds of
//! states come late: those with boxes *under way*, neither where they began nor on a goal, and those with
//! goals filled too early. The order only changes which state is expanded next.
//!
//! A goal is filled too early if an empty goal lies behind it: with a wall in its place, every lone box would
//! have a longer way to that goal, or none.

use crate::board::{DIRS, Square};
use crate::field::Field;
use crate::optimal::Cost;

/// Penalty for each box under way, in pushes.
const UNDER_WAY: u32 = 64;
/// Penalty for each box on a goal that has an empty goal behind it, in pushes.
const TOO_EARLY: u32 = 40;
/// Offset that keeps depths positive.
const ORIGIN: Cost = 1 << 20;
/// Goals that fit into a bit set; with more of them, no goal counts as behind another.
const MOST_GOALS: usize = 64;

/// The penalties of a box on each square.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Does a box begin here?
    start: Vec<bool>,
    /// The index of the goal here.
    goal: Vec<Option<u8>>,
    /// For each goal, the set of goals behind it.
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
                let open = pull_distances(field, there, None);
                for (i, &here) in goals.iter().enumerate().filter(|&(i, _)| i != j) {
                    let closed = pull_distances(field, there, Some(here));
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

    /// The depth of a state with this path cost: the deepest states are expanded first.
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

/// The number of pulls that take a lone box from a goal to each square, wherever the player is, with a wall
/// at `wall`.
fn pull_distances(field: &Field, goal: Square, wall: Option<Square>) -> Vec<u32> {
    let (n, near) = (field.squares(), field.near());
    let free = |s: Square| (s as usize) < n && Some(s) != wall;
    let mut distance = vec![u32::MAX; n];
    distance[goal as usize] = 0;
    let mut todo = std::collections::VecDeque::from([goal]);
    while let Some(at) = todo.pop_front() {
        for dir in DIRS {
            let to = near[at as usize][dir as usize];
            if free(to) && distance[to as usize] == u32::MAX && free(near[to as usize][dir as usize]) {
                distance[to as usize] = distance[at as usize] + 1;
                todo.push_back(to);
            }
        }
    }
    distance
}
