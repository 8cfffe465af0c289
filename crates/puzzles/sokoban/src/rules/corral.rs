//! Corral deadlocks: a pocket that the player cannot get into, and that can never be opened or filled.
//!
//! After a push some squares may be out of the player's reach. The boxes around such a pocket and in it are taken by
//! themselves, and their pushes are searched to the end. The search gives up, and keeps the position, as soon as it grows; but
//! a pocket that is asked for again and again is looked at longer each time.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::patterns::Patterns;
use super::subset_solver::{Answer, SubsetSolver};
use crate::board::Square;
use crate::field::Field;
use crate::walk::{Position, Reach, Reaches};

/// Positions searched for one corral before it counts as solvable, unless told.
const POSITIONS_PER_CORRAL: usize = 300;
/// Verdicts that are kept.
const MEMORY: usize = 1 << 15;

/// What is known about a pocket.
#[derive(Clone, Copy, Debug)]
struct Verdict {
    answer: Answer,
    /// How often it was asked for, and at how many of its positions somebody has looked.
    asked: u32,
    looked: u32,
}

/// How many positions are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimit {
    /// For each time that a pocket is asked for.
    pub(crate) each: usize,
    /// At most.
    pub(crate) most: usize,
}

/// Finds pockets that cannot be solved.
#[derive(Clone, Debug)]
pub struct Corral {
    /// Where the player can go in the whole position.
    reach: Reach,
    pub(crate) limit: SearchLimit,
    alone: SubsetSolver,
    /// The boxes that hang together with the one that was pushed, and the squares beside them out of the player's reach.
    cluster: Vec<Square>,
    beside: Vec<Square>,
    /// The squares of one pocket, and a mark on each of them.
    inside: Vec<Square>,
    seen: Vec<bool>,
    /// What was found out about boxes with the player in a region: the same pockets come up again and again.
    known: HashMap<(Vec<Square>, Square), Verdict, FixedState>,
}

impl Corral {
    /// For one board.
    pub fn new(field: &Field) -> Self {
        Self {
            reach: Reach::new(field),
            limit: SearchLimit { each: POSITIONS_PER_CORRAL, most: POSITIONS_PER_CORRAL },
            alone: SubsetSolver::new(field),
            cluster: Vec::new(),
            beside: Vec::new(),
            inside: Vec::new(),
            seen: vec![false; field.squares() + 1],
            known: HashMap::default(),
        }
    }

    /// About how many bytes the verdicts take, and finding them.
    pub(crate) fn bytes(&self) -> usize {
        self.known.len() * 80 + self.alone.bytes()
    }

    /// The boxes that pockets were lost by.
    #[inline]
    pub(crate) fn learnt(&self) -> &Patterns {
        self.alone.learnt()
    }

    /// Is the position lost as a whole? Looks at no more than so many that can come of it.
    pub(crate) fn whole_lost(&mut self, field: &Field, position: &Position, limit: usize) -> bool {
        let mut boxes = position.boxes.clone();
        boxes.sort_unstable();
        self.alone.ask(field, &boxes, position.player, limit) == Answer::Lost
    }

    /// Is the position lost because of a pocket near the box on `square`, which was pushed last: beside it, or beside a box of
    /// the cluster that it belongs to?
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

    /// Is one of the pockets lost that lie beside boxes?
    fn any_lost(&mut self, field: &Field, position: &Position) -> bool {
        while let Some(beside) = self.beside.pop() {
            let fence = self.fence(field, position, beside);
            if fence.iter().any(|&b| !field.board().is_goal(b))
                && self.unsolvable(field, &fence, position.player)
            {
                return true;
            }
        }
        false
    }

    /// The boxes around the pocket that a square belongs to, and those in it. A box to which the player cannot get from
    /// any side lies in the pocket as its free squares do.
    fn fence(&mut self, field: &Field, position: &Position, from: Square) -> Vec<Square> {
        let reach = &self.reach;
        let outside = |at: Square| field.near()[at as usize].iter().any(|&s| reach.reaches(s));
        let mut fence = Vec::new();
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
                    fence.push(to);
                    if outside(to) {
                        continue;
                    }
                }
                self.inside.push(to);
            }
        }
        let seen = &mut self.seen;
        self.beside.retain(|&square| !seen[square as usize]);
        self.inside.iter().chain(&fence).for_each(|&square| seen[square as usize] = false);
        fence.sort_unstable();
        fence
    }

    /// Can these boxes (in order) alone never all get to goals?
    pub fn unsolvable(&mut self, field: &Field, boxes: &[Square], player: Square) -> bool {
        let region = self.alone.region(field, boxes, player);
        if self.known.len() >= MEMORY {
            self.known.clear();
        }
        let nothing = Verdict { answer: Answer::Open, asked: 0, looked: 0 };
        let verdict = self.known.entry((boxes.to_vec(), region)).or_insert(nothing);
        verdict.asked = verdict.asked.saturating_add(1);
        let limit = self.limit.most.min(self.limit.each * verdict.asked as usize);
        if verdict.answer == Answer::Open && limit >= 2 * verdict.looked as usize {
            verdict.answer = self.alone.ask(field, boxes, region, limit);
            verdict.looked = limit as u32;
        }
        verdict.answer == Answer::Lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// The box in the middle touches no free square at all, and yet nothing moves because of it.
    #[test]
    fn a_box_among_boxes_belongs_to_the_pocket() {
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
