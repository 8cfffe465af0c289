//! PI-corral pruning: when a pocket must be dealt with, and only from outside, deal with it first.
//!
//! If every push that the player can make on the boxes around a pocket goes *into* it, and every push into it that could
//! ever be made can be made *now*, then these pushes can be brought forward in any plan without more pushes. So only they
//! need be tried. Steps are not preserved, only pushes: for fewest moves this rule is not used.

use super::board::{DIRS, Square};
use super::field::Field;
use super::walk::{Position, Walk};

/// Finds pockets of this kind.
#[derive(Clone, Debug)]
pub struct PiCorral {
    pocket: Walk,
    seen: Vec<bool>,
}

impl PiCorral {
    /// For one board.
    pub fn new(field: &Field) -> Self {
        Self { pocket: Walk::new(field), seen: vec![false; field.squares()] }
    }

    /// The boxes around such a pocket: only their pushes need be tried. `walk` is where the player can get.
    pub fn boxes(&mut self, field: &Field, position: &Position, walk: &Walk) -> Option<Vec<Square>> {
        self.seen.fill(false);
        let mut best: Option<Vec<Square>> = None;
        for &boxed in &position.boxes {
            for beside in field.near()[boxed as usize] {
                if !position.free(beside) || walk.reaches(beside) || self.seen[beside as usize] {
                    continue;
                }
                self.pocket.flood(field, position, beside);
                for &square in self.pocket.reached() {
                    self.seen[square as usize] = true;
                }
                let Some(fence) = self.fence(field, position, walk) else { continue };
                if best.as_ref().is_none_or(|b| fence.len() < b.len()) {
                    best = Some(fence);
                }
            }
        }
        best
    }

    /// The boxes around the present pocket, if it is of this kind and not yet done with.
    fn fence(&self, field: &Field, position: &Position, walk: &Walk) -> Option<Vec<Square>> {
        let touches = |at: Square| field.near()[at as usize].iter().any(|&s| self.pocket.reaches(s));
        let fence: Vec<Square> = position.boxes.iter().copied().filter(|&b| touches(b)).collect();
        let open_goal = self.pocket.reached().iter().any(|&s| field.board().is_goal(s));
        if !open_goal && fence.iter().all(|&b| field.board().is_goal(b)) {
            return None;
        }
        for &at in &fence {
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if position.walled(from) || position.walled(to) || !field.alive(to) {
                    continue;
                }
                let inward = self.pocket.reaches(to);
                let outside = walk.reaches(from);
                let held = |square: Square| position.boxed(square) && fence.contains(&square);
                let fine = match (outside, inward) {
                    (true, true) => true,
                    // A push that would leave the pocket closed: possible now, so the pocket is not all there is.
                    (true, false) => held(to),
                    // From within the pocket: nobody is there before it is opened.
                    (false, _) if self.pocket.reaches(from) => true,
                    (false, _) => held(from),
                };
                if !fine {
                    return None;
                }
            }
        }
        Some(fence)
    }
}
