//! Some boxes by themselves: can they all get to goals, if there were no others?
//!
//! Removing boxes makes nothing harder: a plan for all boxes is, with the other boxes' pushes read as walks, a plan for
//! these. So what is lost by itself is lost in every position that contains it. Boxes that have nothing to do with it are left
//! out, and the rest is kept as a pattern: it is recognised later without a search, and helps to find others.

use super::bits::Sets;
use super::board::{DIRS, Square};
use super::field::Field;
use super::freeze::frozen;
use super::patterns::{LARGEST, Patterns};
use super::picorral::PiCorral;
use super::walk::{Position, Reach, Reaches};

/// What was found out about boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// They can never all get to goals.
    Lost,
    /// They can, by themselves.
    Fine,
    /// Nobody has looked far enough.
    Open,
}

/// Searches the positions of some boxes. Its memory is used again and again.
#[derive(Clone, Debug)]
pub(crate) struct Alone {
    reach: Reach,
    pi: PiCorral,
    position: Position,
    /// The boxes of the position that is looked at, in order.
    boxes: Vec<Square>,
    /// Positions to look at: the boxes in order, and then the player; and the boxes of those that were met.
    todo: Vec<Square>,
    met: Vec<Square>,
    /// For each of them, the squares to which the player can get.
    regions: Sets,
    /// Numbers of positions that were met, from one on, by hash.
    table: Vec<u32>,
    learnt: Patterns,
}

impl Alone {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        Self {
            reach: Reach::new(field),
            pi: PiCorral::new(field),
            position: Position::new(field),
            boxes: Vec::new(),
            todo: Vec::new(),
            met: Vec::new(),
            regions: Sets::new(field.squares(), 0),
            table: Vec::new(),
            learnt: Patterns::new(field),
        }
    }

    /// What has been learnt so far.
    pub(crate) fn learnt(&self) -> &Patterns {
        &self.learnt
    }

    /// A square that stands for the player's region when there are only these boxes.
    pub(crate) fn region(&mut self, field: &Field, boxes: &[Square], player: Square) -> Square {
        self.lay(boxes);
        self.reach.flood(field, &self.position, player);
        self.reach.region()
    }

    /// Looks at all positions that boxes (in order) can get to, but at no more than so many. If they are lost, what that is
    /// due to is learnt.
    pub(crate) fn ask(&mut self, field: &Field, boxes: &[Square], player: Square, patience: usize) -> Answer {
        let answer = self.search(field, boxes, player, patience);
        if answer == Answer::Lost {
            self.learn(field, boxes, player, patience);
        }
        answer
    }

    fn search(&mut self, field: &Field, boxes: &[Square], player: Square, patience: usize) -> Answer {
        self.met.clear();
        self.regions.clear();
        self.table.clear();
        self.table.resize((2 * patience + 2).next_power_of_two(), 0);
        self.todo.clear();
        self.todo.extend_from_slice(boxes);
        self.todo.push(player);
        while let Some(player) = self.todo.pop() {
            let from = self.todo.len() - boxes.len();
            self.boxes.clear();
            self.boxes.extend(self.todo.drain(from..));
            if self.boxes.iter().all(|&b| field.board().is_goal(b)) {
                return Answer::Fine;
            }
            let Some(slot) = self.unmet(player) else { continue };
            if self.regions.len() >= patience {
                return Answer::Open;
            }
            self.position.clear();
            for &at in &self.boxes {
                self.position.put(at);
            }
            self.reach.flood(field, &self.position, player);
            self.meet(slot);
            self.expand(field);
        }
        Answer::Lost
    }

    /// Where to note the present boxes with the player here, if they were not met before.
    fn unmet(&self, player: Square) -> Option<usize> {
        let mix = |hash: u64, &at: &Square| {
            (hash.rotate_left(5) ^ u64::from(at)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        let hash = self.boxes.iter().fold(0, mix);
        let (count, mask) = (self.boxes.len(), self.table.len() - 1);
        let mut slot = (hash >> 32) as usize & mask;
        while self.table[slot] > 0 {
            let number = self.table[slot] as usize - 1;
            let boxes = &self.met[number * count..(number + 1) * count];
            if boxes == self.boxes && self.regions.has(number, player) {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    /// Notes the present position.
    fn meet(&mut self, slot: usize) {
        self.met.extend_from_slice(&self.boxes);
        self.regions.push(self.reach.reached());
        self.table[slot] = self.regions.len() as u32;
    }

    /// Puts all that can be pushed from the present position on the list.
    fn expand(&mut self, field: &Field) {
        let pocket = self.pi.find(field, &self.position, &self.reach);
        for i in 0..self.boxes.len() {
            let at = self.boxes[i];
            if pocket && !self.pi.is_next(at) {
                continue;
            }
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if !self.reach.reaches(from) || !self.position.free(to) || !field.alive(to) {
                    continue;
                }
                self.position.shift(i, to);
                if !frozen(field, &mut self.position, to) && !self.learnt.lost(&self.position, to, at) {
                    let start = self.todo.len();
                    self.todo.extend_from_slice(&self.boxes);
                    self.todo[start + i] = to;
                    self.todo[start..].sort_unstable();
                    self.todo.push(at);
                }
                self.position.shift(i, at);
            }
        }
    }

    /// Leaves boxes out for as long as the others are lost by themselves, first many at a time, and remembers these.
    fn learn(&mut self, field: &Field, boxes: &[Square], player: Square, patience: usize) {
        // What shows itself quickly with a box shows itself as quickly without it, or not at all.
        let mut looked = self.regions.len();
        let mut boxes = boxes.to_vec();
        // Those that have arrived mostly have nothing to do with it.
        boxes.sort_by_key(|&b| !field.board().is_goal(b));
        let mut many = boxes.len().div_ceil(2);
        while many > 0 {
            let mut from = 0;
            while from < boxes.len() {
                let to = (from + many).min(boxes.len());
                let rest: Vec<Square> = boxes[..from].iter().chain(&boxes[to..]).copied().collect();
                let mut sorted = rest.clone();
                sorted.sort_unstable();
                let enough = (looked + looked / 4 + 3).min(patience);
                if self.search(field, &sorted, player, enough) == Answer::Lost {
                    boxes = rest;
                    looked = self.regions.len();
                } else {
                    from = to;
                }
                // None of the boxes before can be left out.
                if many == 1 && from > LARGEST {
                    return;
                }
            }
            many /= 2;
        }
        self.lay(&boxes);
        self.reach.flood(field, &self.position, player);
        self.learnt.add(&boxes, self.reach.reached());
    }

    fn lay(&mut self, boxes: &[Square]) {
        self.position.clear();
        for &at in boxes {
            self.position.put(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn only_what_a_loss_is_due_to_is_learnt() {
        let map = "\
#########
#       #
# $ $   #
#  $$$  #
#   $   #
####@####
# ......#
#########
";
        let board = text::parse(map).expect("a level").remove(0).board;
        let field = Field::new(&board);
        let at = |row, column| board.square(row, column).expect("a square");
        let mut alone = Alone::new(&field);
        let knows = |alone: &Alone, boxes: &[Square]| {
            let mut position = Position::new(&field);
            position.player = board.player();
            for &at in boxes {
                position.put(at);
            }
            alone.learnt().anywhere(&position)
        };
        let (middle, aside) = (at(3, 4), at(2, 2));
        let without = |gone: Square| board.boxes().iter().copied().filter(|&b| b != gone).collect::<Vec<_>>();
        assert!(!knows(&alone, board.boxes()));
        assert_eq!(alone.ask(&field, board.boxes(), board.player(), 1), Answer::Lost);
        assert!(knows(&alone, board.boxes()));
        assert!(knows(&alone, &without(aside)), "it has nothing to do with it");
        assert!(!knows(&alone, &without(middle)), "the door can be pushed open");
        assert_eq!(alone.ask(&field, &without(middle), board.player(), 1), Answer::Open);
        assert_eq!(alone.ask(&field, &[at(6, 2)], board.player(), 1), Answer::Fine);
    }
}
