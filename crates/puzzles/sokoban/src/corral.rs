//! Corral deadlocks: a pocket that the player cannot get into, and that can never be opened or filled.
//!
//! After a push some squares may be out of the player's reach. The boxes around such a pocket and in it are taken by
//! themselves, all others are removed, and their pushes are searched to the end. Removing boxes makes nothing harder: a
//! plan for all boxes is, with the other boxes' pushes read as walks, a plan for these. So if these alone cannot all get
//! to goals, the position is lost. The search gives up, and keeps the position, as soon as it grows.

use std::collections::{HashMap, HashSet};

use super::board::{DIRS, Square};
use super::field::Field;
use super::freeze::frozen;
use super::walk::{Position, Walk};

/// How many positions of a pocket are looked at before it gets the benefit of the doubt, unless told.
const PATIENCE: usize = 300;
/// How many verdicts are kept.
const MEMORY: usize = 1 << 15;

/// Finds pockets that cannot be solved.
#[derive(Clone, Debug)]
pub struct Corral {
    /// Where the player can go in the whole position.
    reach: Walk,
    patience: usize,
    walk: Walk,
    pocket: Walk,
    part: Position,
    met: HashSet<(Vec<Square>, Square)>,
    todo: Vec<(Vec<Square>, Square)>,
    /// The boxes that hang together with the one that was pushed, and the squares beside them out of the player's reach.
    cluster: Vec<Square>,
    beside: Vec<Square>,
    /// The squares of one pocket, and a mark on each of them.
    inside: Vec<Square>,
    seen: Vec<bool>,
    /// What was found out about boxes with the player in a region: the same pockets come up again and again.
    known: HashMap<(Vec<Square>, Square), bool>,
}

impl Corral {
    /// For one board.
    pub fn new(field: &Field) -> Self {
        Self::with_patience(field, PATIENCE)
    }

    /// Looks at no more positions of a pocket than this.
    pub(crate) fn with_patience(field: &Field, patience: usize) -> Self {
        Self {
            reach: Walk::new(field),
            patience,
            walk: Walk::new(field),
            pocket: Walk::new(field),
            part: Position::new(field),
            met: HashSet::new(),
            todo: Vec::new(),
            cluster: Vec::new(),
            beside: Vec::new(),
            inside: Vec::new(),
            seen: vec![false; field.squares() + 1],
            known: HashMap::new(),
        }
    }

    /// About how many bytes the verdicts take.
    pub(crate) fn bytes(&self) -> usize {
        self.known.len() * 64
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
        self.lay(boxes);
        self.walk.flood(field, &self.part, player);
        let region = self.walk.region();
        let question = (boxes.to_vec(), region);
        if let Some(&answer) = self.known.get(&question) {
            return answer;
        }
        let answer = self.search(field, boxes, region);
        if self.known.len() >= MEMORY {
            self.known.clear();
        }
        self.known.insert(question, answer);
        answer
    }

    fn search(&mut self, field: &Field, boxes: &[Square], player: Square) -> bool {
        self.met.clear();
        self.todo.clear();
        if self.note(field, boxes.to_vec(), player) {
            return false;
        }
        while let Some((boxes, player)) = self.todo.pop() {
            if self.met.len() > self.patience {
                return false;
            }
            self.lay(&boxes);
            self.walk.flood(field, &self.part, player);
            let mut pushed = Vec::new();
            for (i, &at) in boxes.iter().enumerate() {
                for dir in DIRS {
                    let from = field.near()[at as usize][dir.back() as usize];
                    let to = field.near()[at as usize][dir as usize];
                    if self.walk.reaches(from) && self.part.free(to) && field.alive(to) {
                        pushed.push((i, at, to));
                    }
                }
            }
            for (i, at, to) in pushed {
                let mut after = boxes.clone();
                after[i] = to;
                self.lay(&after);
                if frozen(field, &mut self.part, to) {
                    continue;
                }
                after.sort_unstable();
                if self.note(field, after, at) {
                    return false;
                }
            }
        }
        true
    }

    fn lay(&mut self, boxes: &[Square]) {
        self.part.clear();
        for &b in boxes {
            self.part.put(b);
        }
    }

    /// Notes a position to look at; `true` if it is solved.
    fn note(&mut self, field: &Field, boxes: Vec<Square>, player: Square) -> bool {
        if boxes.iter().all(|&b| field.board().is_goal(b)) {
            return true;
        }
        self.lay(&boxes);
        self.pocket.flood(field, &self.part, player);
        let region = self.pocket.region();
        if self.met.insert((boxes.clone(), region)) {
            self.todo.push((boxes, region));
        }
        false
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
        let mut position = Position::new(&field);
        position.player = board.player();
        for &at in board.boxes() {
            position.put(at);
        }
        let door = board.square(4, 4).expect("a square");
        assert!(Corral::new(&field).lost(&field, &position, door));
        // Without it the door can be pushed open.
        let middle = board.square(3, 4).expect("a square");
        let i = position.boxes.iter().position(|&b| b == middle).expect("a box");
        position.remove(i);
        assert!(!Corral::new(&field).lost(&field, &position, door));
    }
}
