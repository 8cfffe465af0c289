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
    /// The squares of one pocket, or of several that are dealt with together.
    inside: Vec<bool>,
    listed: Vec<Square>,
    /// Are pockets taken together?
    together: bool,
}

/// What is wrong with a pocket.
enum Fault {
    /// There is nothing to be done about it.
    Final,
    /// A push leads to or comes from another pocket, at this square: the two may do together.
    Beyond(Square),
}

impl PiCorral {
    /// For one board; each pocket by itself.
    pub fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self {
            pocket: Walk::new(field),
            seen: vec![false; n],
            inside: vec![false; n],
            listed: Vec::new(),
            together: false,
        }
    }

    /// Takes pockets together where one does not do alone.
    #[must_use]
    pub fn with_company(mut self) -> Self {
        self.together = true;
        self
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
                let Some(fence) = self.enclose(field, position, walk, beside) else { continue };
                if best.as_ref().is_none_or(|b| fence.len() < b.len()) {
                    best = Some(fence);
                }
            }
        }
        best
    }

    /// The boxes around the pocket at a square, and around those that it needs for company.
    fn enclose(
        &mut self,
        field: &Field,
        position: &Position,
        walk: &Walk,
        mut beside: Square,
    ) -> Option<Vec<Square>> {
        for square in self.listed.drain(..) {
            self.inside[square as usize] = false;
        }
        let mut first = true;
        loop {
            self.pocket.flood(field, position, beside);
            for &square in self.pocket.reached() {
                self.inside[square as usize] = true;
                self.seen[square as usize] |= first;
            }
            self.listed.extend_from_slice(self.pocket.reached());
            first = false;
            match self.fence(field, position, walk) {
                Ok(fence) => return Some(fence),
                Err(Fault::Final) => return None,
                Err(Fault::Beyond(_)) if !self.together => return None,
                Err(Fault::Beyond(square)) => beside = square,
            }
        }
    }

    /// The boxes around the present pocket, if it is of this kind and not yet done with.
    fn fence(&self, field: &Field, position: &Position, walk: &Walk) -> Result<Vec<Square>, Fault> {
        let within = |square: Square| self.inside[square as usize];
        let touches = |at: Square| field.near()[at as usize].iter().any(|&s| within(s));
        let fence: Vec<Square> = position.boxes.iter().copied().filter(|&b| touches(b)).collect();
        let mut beyond = None;
        for &at in &fence {
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if position.walled(from) || position.walled(to) || !field.alive(to) {
                    continue;
                }
                let held = |square: Square| position.boxed(square) && fence.contains(&square);
                // Free, not of this pocket and not the player's: another pocket.
                let other =
                    |square: Square| position.free(square) && !walk.reaches(square) && !within(square);
                // From within the pocket: nobody is there before it is opened. Where a box of the fence is in the way, it must be dealt
                // with first.
                if within(from) || held(from) || held(to) && (self.together || walk.reaches(from)) {
                    continue;
                }
                if other(from) {
                    beyond = Some(from);
                } else if !walk.reaches(from) {
                    return Err(Fault::Final);
                } else if other(to) {
                    beyond = Some(to);
                } else if !within(to) {
                    return Err(Fault::Final);
                }
            }
        }
        if let Some(square) = beyond {
            return Err(Fault::Beyond(square));
        }
        // With more goals than boxes an open goal may stay open.
        let all = position.boxes.len() == field.board().goals().len();
        let open_goal = all && self.listed.iter().any(|&s| field.board().is_goal(s));
        if !open_goal && fence.iter().all(|&b| field.board().is_goal(b)) {
            return Err(Fault::Final);
        }
        Ok(fence)
    }
}
