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
            known: HashMap::new(),
        }
    }

    /// About how many bytes the verdicts take.
    pub(crate) fn bytes(&self) -> usize {
        self.known.len() * 64
    }

    /// Is the position lost because of a pocket beside the box on `square`, which was pushed last?
    pub fn lost(&mut self, field: &Field, position: &Position, square: Square) -> bool {
        self.reach.flood(field, position, position.player);
        for beside in field.near()[square as usize] {
            if !position.free(beside) || self.reach.reaches(beside) {
                continue;
            }
            self.pocket.flood(field, position, beside);
            let fence = self.fence(field, position);
            if fence.iter().any(|&b| !field.board().is_goal(b))
                && self.unsolvable(field, &fence, position.player)
            {
                return true;
            }
        }
        false
    }

    /// The boxes that touch the pocket.
    fn fence(&self, field: &Field, position: &Position) -> Vec<Square> {
        let touches = |at: Square| field.near()[at as usize].iter().any(|&s| self.pocket.reaches(s));
        let mut fence: Vec<Square> = position.boxes.iter().copied().filter(|&b| touches(b)).collect();
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
