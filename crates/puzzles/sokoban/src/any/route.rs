//! What stands in the way of the next box: the route to an open goal that crosses the fewest other boxes.
//!
//! A level whose boxes block each other cannot be packed at first, and how many boxes are packed says nothing about whether
//! that gets better. So a box is followed to a goal as if it could pass through other boxes, and the player too; each box
//! crossed costs one. The cost says how far the next delivery is, and the boxes crossed are the ones to move away.

use std::collections::VecDeque;

use super::super::board::{DIRS, Square};
use super::super::field::Field;
use super::super::walk::Position;

/// No route at all, or one that is blocked more often than is worth counting.
pub(crate) const BLOCKED: u8 = 15;

const NONE: u16 = u16::MAX;

/// Finds routes; holds the last one.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    /// Boxes that the player crosses on the way to each square, and the square before.
    walked: Vec<(u8, Square)>,
    /// For a box on each square with the player on each side of it: boxes crossed, and the state before.
    pushed: Vec<(u8, u16)>,
    queue: VecDeque<u16>,
    goal: Vec<bool>,
    /// The squares of the last route, the player's included.
    used: Vec<bool>,
}

impl Route {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self {
            walked: vec![(u8::MAX, 0); n],
            pushed: vec![(u8::MAX, NONE); 4 * n],
            queue: VecDeque::new(),
            goal: vec![false; n],
            used: vec![false; n],
        }
    }

    /// Is the square on the last route?
    #[inline(always)]
    pub(crate) fn uses(&self, square: Square) -> bool {
        self.used[square as usize]
    }

    /// Looks for the best route of a box that is off goal to one of these goals; gives how many boxes it crosses.
    pub(crate) fn find(&mut self, field: &Field, position: &Position, goals: &[Square]) -> u8 {
        self.used.fill(false);
        if field.squares() * 4 >= usize::from(NONE) {
            return BLOCKED;
        }
        for &goal in goals {
            self.goal[goal as usize] = true;
        }
        self.walk(field, position);
        let end = self.push(field, position);
        for &goal in goals {
            self.goal[goal as usize] = false;
        }
        let Some((cost, mut state)) = end else { return BLOCKED };
        loop {
            let (square, side) = (state / 4, state as usize % 4);
            self.used[square as usize] = true;
            let behind = field.near()[square as usize][side];
            self.used[behind as usize] = true;
            let before = self.pushed[state as usize].1;
            if before == NONE {
                // Where the box starts it does not stand in its own way; the player's walk to it counts.
                self.used[square as usize] = false;
                let mut at = behind;
                while self.walked[at as usize].1 != at {
                    self.used[at as usize] = true;
                    at = self.walked[at as usize].1;
                }
                return cost.min(BLOCKED);
            }
            state = before;
        }
    }

    fn walk(&mut self, field: &Field, position: &Position) {
        self.walked.fill((u8::MAX, 0));
        self.queue.clear();
        self.walked[position.player as usize] = (0, position.player);
        self.queue.push_back(position.player);
        while let Some(at) = self.queue.pop_front() {
            let far = self.walked[at as usize].0;
            for to in field.near()[at as usize] {
                if to as usize == field.squares() {
                    continue;
                }
                let boxed = position.boxed(to);
                let cost = far.saturating_add(u8::from(boxed));
                if cost < self.walked[to as usize].0 {
                    self.walked[to as usize] = (cost, at);
                    if boxed {
                        self.queue.push_back(to);
                    } else {
                        self.queue.push_front(to);
                    }
                }
            }
        }
    }

    fn push(&mut self, field: &Field, position: &Position) -> Option<(u8, u16)> {
        let near = field.near();
        self.pushed.fill((u8::MAX, NONE));
        self.queue.clear();
        let mut first: Vec<(u8, u16)> = Vec::new();
        for &at in position.boxes.iter().filter(|&&b| !field.board().is_goal(b)) {
            for side in DIRS {
                let behind = near[at as usize][side as usize];
                if (behind as usize) < field.squares() {
                    first.push((self.walked[behind as usize].0, at * 4 + side as u16));
                }
            }
        }
        first.sort_unstable();
        for &(cost, state) in &first {
            if cost < self.pushed[state as usize].0 {
                self.pushed[state as usize] = (cost, NONE);
                self.queue.push_back(state);
            }
        }
        // Costs grow by nought or one; a state may be met again more cheaply, and is then looked at again.
        let mut best: Option<(u8, u16)> = None;
        while let Some(state) = self.queue.pop_front() {
            let (cost, _) = self.pushed[state as usize];
            if best.is_some_and(|(least, _)| cost >= least) {
                continue;
            }
            let (square, side) = (state / 4, state as usize % 4);
            if self.goal[square as usize] && self.pushed[state as usize].1 != NONE {
                best = Some((cost, state));
                continue;
            }
            let behind = near[square as usize][side];
            for other in DIRS {
                let beside = near[square as usize][other as usize];
                if other as usize != side
                    && (beside as usize) < field.squares()
                    && field.stand(square, beside) == field.stand(square, behind)
                {
                    let price = u8::from(position.boxed(beside));
                    self.meet(square * 4 + other as u16, cost, price, state);
                }
            }
            let to = near[square as usize][side ^ 1];
            if (to as usize) < field.squares() && field.alive(to) {
                self.meet(to * 4 + side as u16, cost, u8::from(position.boxed(to)), state);
            }
        }
        best
    }

    #[inline]
    fn meet(&mut self, state: u16, cost: u8, price: u8, before: u16) {
        let cost = cost.saturating_add(price);
        if cost >= self.pushed[state as usize].0 {
            return;
        }
        self.pushed[state as usize] = (cost, before);
        if price == 0 {
            self.queue.push_front(state);
        } else {
            self.queue.push_back(state);
        }
    }
}
