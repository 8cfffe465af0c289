//! Corral deadlocks: a corral whose boxes can never all get to goals, with all other boxes off the board.
//!
//! After a push the player may be unable to reach some squares. The boxes around and in such a corral are
//! searched alone, to the end. The search has a limit; past it the position is kept. A corral that comes up
//! repeatedly gets a higher limit each time.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::patterns::Patterns;
use super::subset_solver::{Solvability, SubsetSolver};
use crate::board::Square;
use crate::field::Field;
use crate::walk::{Position, Reach};

/// Default limit on the positions searched for one corral. Past it the corral counts as solvable.
const POSITIONS_PER_CORRAL: usize = 300;
/// Results cached. The cache is cleared when it is full.
const MOST_CACHED: usize = 1 << 15;

/// What is known about a corral.
#[derive(Clone, Copy, Debug)]
struct CachedResult {
    solvability: Solvability,
    /// Times that the corral came up, and the limit of its last search.
    queries: u32,
    searched: u32,
}

/// Limit on the positions of a corral search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimit {
    /// Positions for each time that the corral came up.
    pub(crate) each: usize,
    /// Positions at most.
    pub(crate) most: usize,
}

/// Finds corrals that cannot be solved.
#[derive(Clone, Debug)]
pub struct Corral {
    /// The reach of the player in the whole position.
    reach: Reach,
    pub(crate) limit: SearchLimit,
    subset_solver: SubsetSolver,
    /// The boxes connected with the one pushed last, and the squares beside them that the player cannot
    /// reach.
    cluster: Vec<Square>,
    beside: Vec<Square>,
    /// The squares of one corral, and marks on the squares visited.
    inside: Vec<Square>,
    seen: Vec<bool>,
    /// Results by boxes and region of the player.
    cache: HashMap<(Vec<Square>, Square), CachedResult, FixedState>,
}

impl Corral {
    /// For one board.
    pub fn new(field: &Field) -> Self {
        Self {
            reach: Reach::new(field),
            limit: SearchLimit { each: POSITIONS_PER_CORRAL, most: POSITIONS_PER_CORRAL },
            subset_solver: SubsetSolver::new(field),
            cluster: Vec::new(),
            beside: Vec::new(),
            inside: Vec::new(),
            seen: vec![false; field.squares() + 1],
            cache: HashMap::default(),
        }
    }

    /// Approximate bytes of the cache and of the searches.
    pub(crate) fn bytes(&self) -> usize {
        self.cache.len() * 80 + self.subset_solver.bytes()
    }

    /// The learnt patterns of boxes that form deadlocks.
    #[inline]
    pub(crate) fn learnt(&self) -> &Patterns {
        self.subset_solver.learnt()
    }

    /// Is the position as a whole a deadlock? Searches at most `limit` positions.
    pub(crate) fn is_position_lost(&mut self, field: &Field, position: &Position, limit: usize) -> bool {
        let mut boxes = position.boxes.clone();
        boxes.sort_unstable();
        self.subset_solver.solve(field, &boxes, position.player, limit) == Solvability::Unsolvable
    }

    /// Is there a deadlocked corral near the box on `square`, which was pushed last: beside it, or beside a
    /// box connected with it?
    pub fn lost(&mut self, field: &Field, position: &Position, square: Square) -> bool {
        self.reach.flood(field, position, position.player);
        self.cluster.clear();
        self.cluster.push(square);
        self.beside.clear();
        let mut next = 0;
        while let Some(&at) = self.cluster.get(next) {
            next += 1;
            for to in field.near()[at as usize] {
                if position.boxed(to) && !self.cluster.contains(&to) {
                    self.cluster.push(to);
                } else if position.free(to) && !self.reach.reaches(to) && !self.beside.contains(&to) {
                    self.beside.push(to);
                }
            }
        }
        self.any_lost(field, position)
    }

    /// Is one of the corrals at the squares in `beside` a deadlock?
    fn any_lost(&mut self, field: &Field, position: &Position) -> bool {
        while let Some(beside) = self.beside.pop() {
            let boxes = self.corral_boxes(field, position, beside);
            if boxes.iter().any(|&b| !field.board().is_goal(b))
                && self.unsolvable(field, &boxes, position.player)
            {
                return true;
            }
        }
        false
    }

    /// The boxes around and in the corral of a square, sorted. A box that the player cannot reach from any
    /// side belongs to the corral like its free squares.
    fn corral_boxes(&mut self, field: &Field, position: &Position, from: Square) -> Vec<Square> {
        let reach = &self.reach;
        let outside = |at: Square| field.near()[at as usize].iter().any(|&s| reach.reaches(s));
        let mut boxes = Vec::new();
        self.inside.clear();
        self.inside.push(from);
        self.seen[from as usize] = true;
        let mut next = 0;
        while let Some(&at) = self.inside.get(next) {
            next += 1;
            for to in field.near()[at as usize] {
                if position.walled(to) || self.seen[to as usize] {
                    continue;
                }
                self.seen[to as usize] = true;
                if position.boxed(to) {
                    boxes.push(to);
                    if outside(to) {
                        continue;
                    }
                }
                self.inside.push(to);
            }
        }
        let seen = &mut self.seen;
        self.beside.retain(|&square| !seen[square as usize]);
        self.inside.iter().chain(&boxes).for_each(|&square| seen[square as usize] = false);
        boxes.sort_unstable();
        boxes
    }

    /// Can these boxes (sorted) never all get to goals with all others off the board?
    pub fn unsolvable(&mut self, field: &Field, boxes: &[Square], player: Square) -> bool {
        let region = self.subset_solver.region(field, boxes, player);
        if self.cache.len() >= MOST_CACHED {
            self.cache.clear();
        }
        let nothing = CachedResult { solvability: Solvability::Unknown, queries: 0, searched: 0 };
        let cached = self.cache.entry((boxes.to_vec(), region)).or_insert(nothing);
        cached.queries = cached.queries.saturating_add(1);
        let limit = self.limit.most.min(self.limit.each * cached.queries as usize);
        if cached.solvability == Solvability::Unknown && limit >= 2 * cached.searched as usize {
            cached.solvability = self.subset_solver.solve(field, boxes, region, limit);
            cached.searched = limit as u32;
        }
        cached.solvability == Solvability::Unsolvable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// The box in the middle touches no free square at all, and yet it blocks all others.
    #[test]
    fn a_box_among_boxes_belongs_to_the_corral() {
        let map = "\
#########
#       #
#   $   #
#  $$$  #
#   $   #
####@####
#  .....#
#########
";
        let board = text::parse(map).expect("a level").remove(0).board;
        let field = Field::new(&board);
        let mut position = Position::start(&field);
        let door = board.square(4, 4).expect("a square");
        assert!(Corral::new(&field).lost(&field, &position, door));
        // Without it the door can be pushed open.
        let middle = board.square(3, 4).expect("a square");
        let i = position.boxes.iter().position(|&b| b == middle).expect("a box");
        position.remove(i);
        assert!(!Corral::new(&field).lost(&field, &position, door));
    }
}
