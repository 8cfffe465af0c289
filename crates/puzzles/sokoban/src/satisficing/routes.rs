//! Which boxes stand in the way of others that have not arrived.
//!
//! For every box that is not on its goal: how would it get there, and how would the player get to it, if boxes could be walked
//! and pushed through, each for a price of one? The boxes on the cheapest way will have to move, also those that
//! are on goals.

use crate::board::Square;
use crate::field::Field;
use crate::walk::{Position, Reach, Reaches};

/// Dearer ways are not looked for.
const DEAREST: usize = 12;

/// How a square was reached: what it cost, and from where.
#[derive(Clone, Copy)]
struct Mark {
    price: u8,
    from: Square,
}

const UNMARKED: Mark = Mark { price: u8::MAX, from: 0 };

pub(crate) struct Routes {
    walked: Vec<Mark>,
    pushed: Vec<Mark>,
    rows: Vec<Vec<Square>>,
    /// Squares with boxes that are in the way.
    blocking: Vec<bool>,
}

impl Routes {
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self {
            walked: vec![UNMARKED; n],
            pushed: vec![UNMARKED; n],
            rows: vec![Vec::new(); DEAREST + 1],
            blocking: vec![false; n],
        }
    }

    /// Is the box on this square in the way of another?
    #[inline]
    pub(crate) fn blocks(&self, square: Square) -> bool {
        self.blocking[square as usize]
    }

    /// Finds the boxes that are in the way. `goal_of` gives the goal of the i-th box, `walk` holds where the player can go.
    pub(crate) fn find(
        &mut self,
        field: &Field,
        position: &mut Position,
        walk: &Reach,
        goal_of: impl Fn(usize) -> Square,
    ) {
        self.blocking.fill(false);
        self.walk_through(field, position, walk);
        for i in 0..position.boxes.len() {
            if !field.board().is_goal(position.boxes[i]) {
                position.lift(i);
                self.push_through(field, position, position.boxes[i], goal_of(i));
                position.lower(i);
            }
        }
    }

    fn put(rows: &mut [Vec<Square>], marks: &mut [Mark], square: Square, mark: Mark) {
        if usize::from(mark.price) < rows.len() && mark.price < marks[square as usize].price {
            marks[square as usize] = mark;
            rows[usize::from(mark.price)].push(square);
        }
    }

    /// What it costs the player to get anywhere.
    fn walk_through(&mut self, field: &Field, position: &Position, walk: &Reach) {
        self.walked.fill(UNMARKED);
        let Self { walked, rows, .. } = self;
        for &at in walk.reached() {
            Self::put(rows, walked, at, Mark { price: 0, from: at });
        }
        for price in 0..=DEAREST {
            while let Some(at) = rows[price].pop() {
                if usize::from(walked[at as usize].price) < price {
                    continue;
                }
                for to in field.near()[at as usize] {
                    if !position.walled(to) {
                        let price = price as u8 + u8::from(position.boxed(to));
                        Self::put(rows, walked, to, Mark { price, from: at });
                    }
                }
            }
        }
    }

    /// The cheapest way of a box to its goal, whose boxes are then marked.
    fn push_through(&mut self, field: &Field, position: &Position, start: Square, goal: Square) {
        self.pushed.fill(UNMARKED);
        let Self { walked, pushed, rows, .. } = self;
        Self::put(rows, pushed, start, Mark { price: 0, from: start });
        for price in 0..=DEAREST {
            while let Some(at) = rows[price].pop() {
                if usize::from(pushed[at as usize].price) < price {
                    continue;
                }
                for dir in 0..4 {
                    let (to, behind) = (field.near()[at as usize][dir], field.near()[at as usize][dir ^ 1]);
                    if position.walled(to) || position.walled(behind) || !field.alive(to) {
                        continue;
                    }
                    // Where the player stands costs what it costs to get there; later, only what is on the square itself.
                    let box_state = if at == start {
                        walked[behind as usize].price
                    } else {
                        u8::from(position.boxed(behind))
                    };
                    let price =
                        (price as u8).saturating_add(box_state).saturating_add(u8::from(position.boxed(to)));
                    Self::put(rows, pushed, to, Mark { price, from: at });
                }
            }
        }
        if pushed[goal as usize].price == u8::MAX {
            return;
        }
        let mut at = goal;
        while at != start {
            let before = pushed[at as usize].from;
            self.blocking[at as usize] |= position.boxed(at);
            let dir = (0..4).find(|&d| field.near()[before as usize][d] == at).unwrap_or(0);
            let mut box_state = field.near()[before as usize][dir ^ 1];
            self.blocking[box_state as usize] |= position.boxed(box_state);
            while before == start
                && walked[box_state as usize].from != box_state
                && walked[box_state as usize].price > 0
            {
                box_state = walked[box_state as usize].from;
                self.blocking[box_state as usize] |= position.boxed(box_state);
            }
            at = before;
        }
    }
}
