//! PI-corral pruning: when a pocket must be dealt with, and only from outside, deal with it first.
//!
//! If every push that the player can make on the boxes around a pocket goes *into* it, and every push into it that could
//! ever be made can be made *now*, then these pushes can be brought forward in any plan without more pushes. So only they
//! need be tried. Steps are not preserved, only pushes: for fewest moves this rule is not used.

use super::board::{DIRS, Square};
use super::field::Field;
use super::walk::{Position, Reaches};

/// Finds pockets of this kind.
#[derive(Clone, Debug)]
pub struct PiCorral {
    /// The squares of one pocket, or of several that are dealt with together, and the boxes around them.
    inside: Squares,
    fence: Squares,
    /// The fewest boxes around a pocket so far.
    best: Squares,
    /// Pockets that were looked at.
    seen: Squares,
    /// Are pockets taken together?
    together: bool,
}

/// A set of squares that is cheap to empty.
#[derive(Clone, Debug)]
struct Squares {
    list: Vec<Square>,
    marks: Vec<bool>,
}

impl Squares {
    fn new(field: &Field) -> Self {
        Self { list: Vec::new(), marks: vec![false; field.squares() + 1] }
    }

    #[inline(always)]
    fn has(&self, square: Square) -> bool {
        self.marks[square as usize]
    }

    /// Adds a square that may be there already.
    #[inline(always)]
    fn add(&mut self, square: Square) {
        if !self.has(square) {
            self.marks[square as usize] = true;
            self.list.push(square);
        }
    }

    fn clear(&mut self) {
        for square in self.list.drain(..) {
            self.marks[square as usize] = false;
        }
    }
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
        let none = Squares::new(field);
        Self { inside: none.clone(), fence: none.clone(), best: none.clone(), seen: none, together: false }
    }

    /// Takes pockets together where one does not do alone.
    #[must_use]
    pub fn with_company(mut self) -> Self {
        self.together = true;
        self
    }

    /// Is there such a pocket? Then only pushes of the boxes around it need be tried, of which [`is_next`](Self::is_next)
    /// tells. `ground` is where the player can get.
    pub fn find(&mut self, field: &Field, position: &Position, ground: &impl Reaches) -> bool {
        self.seen.clear();
        self.best.clear();
        if ground.count() + position.boxes.len() == field.squares() {
            return false;
        }
        for &boxed in &position.boxes {
            for beside in field.near()[boxed as usize] {
                if !position.free(beside) || ground.reaches(beside) || self.seen.has(beside) {
                    continue;
                }
                let found = self.enclose(field, position, ground, beside);
                if found && (self.best.list.is_empty() || self.fence.list.len() < self.best.list.len()) {
                    std::mem::swap(&mut self.best, &mut self.fence);
                }
            }
        }
        !self.best.list.is_empty()
    }

    /// Is the box on this square one of those around the pocket that was found?
    #[inline(always)]
    pub fn is_next(&self, square: Square) -> bool {
        self.best.has(square)
    }

    /// Does the pocket at a square do, with those that it needs for company?
    fn enclose(
        &mut self,
        field: &Field,
        position: &Position,
        ground: &impl Reaches,
        mut beside: Square,
    ) -> bool {
        self.inside.clear();
        self.fence.clear();
        loop {
            let first = self.inside.list.is_empty();
            self.spread(field, position, beside);
            if first {
                self.inside.list.iter().for_each(|&square| self.seen.add(square));
            }
            match self.fault(field, position, ground) {
                None => return true,
                Some(Fault::Beyond(square)) if self.together => beside = square,
                Some(_) => return false,
            }
        }
    }

    /// Adds a pocket, and the boxes around it.
    fn spread(&mut self, field: &Field, position: &Position, from: Square) {
        let mut next = self.inside.list.len();
        self.inside.add(from);
        while let Some(&at) = self.inside.list.get(next) {
            next += 1;
            for to in field.near()[at as usize] {
                if position.free(to) {
                    self.inside.add(to);
                } else if position.boxed(to) {
                    self.fence.add(to);
                }
            }
        }
    }

    /// Why the present pocket is not of this kind, or done with.
    fn fault(&self, field: &Field, position: &Position, ground: &impl Reaches) -> Option<Fault> {
        let mut beyond = None;
        for &at in &self.fence.list {
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if position.walled(from) || position.walled(to) || !field.alive(to) {
                    continue;
                }
                // Free, not of this pocket and not the player's: another pocket.
                let other = |square: Square| {
                    position.free(square) && !ground.reaches(square) && !self.inside.has(square)
                };
                // From within the pocket: nobody is there before it is opened. Where a box of the fence is in the way, it must be dealt
                // with first.
                if self.inside.has(from)
                    || self.fence.has(from)
                    || self.fence.has(to) && (self.together || ground.reaches(from))
                {
                    continue;
                }
                if other(from) {
                    beyond = Some(from);
                } else if !ground.reaches(from) {
                    return Some(Fault::Final);
                } else if other(to) {
                    beyond = Some(to);
                } else if !self.inside.has(to) {
                    return Some(Fault::Final);
                }
            }
        }
        if let Some(square) = beyond {
            return Some(Fault::Beyond(square));
        }
        // With more goals than boxes an open goal may stay open.
        let all = position.boxes.len() == field.board().goals().len();
        let open_goal = all && self.inside.list.iter().any(|&s| field.board().is_goal(s));
        let done = !open_goal && self.fence.list.iter().all(|&b| field.board().is_goal(b));
        done.then_some(Fault::Final)
    }
}
