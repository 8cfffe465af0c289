//! Some boxes by themselves: can they all get to goals, if there were no others?
//!
//! Removing boxes makes nothing harder: a plan for all boxes is, with the other boxes' pushes read as walks, a plan for
//! these. So what is lost by itself is lost in every position that contains it. Boxes that have nothing to do with it are left
//! out, and the rest is kept as a pattern: it is recognised later without a search, and helps to find others.

use super::freeze::frozen;
use super::patterns::{LARGEST, Patterns};
use super::pi_corral::{PiCorral, Zones};
use crate::bits::Sets;
use crate::board::{DIRS, Dir, Square};
use crate::field::Field;
use crate::walk::{Position, Reach, Reaches};

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

/// A push to try: the number of the position before it, and where the box was and is then.
#[derive(Clone, Copy, Debug)]
struct Push {
    before: u32,
    from: Square,
    to: Square,
}

/// Searches the positions of some boxes. Its memory is used again and again.
#[derive(Clone, Debug)]
pub(crate) struct SubsetSolver {
    reach: Reach,
    pi: PiCorral,
    position: Position,
    /// The boxes of the position that is looked at, in order.
    boxes: Vec<Square>,
    todo: Vec<Push>,
    /// Positions that were met, by number: their boxes, ...
    met: Vec<Square>,
    /// ... what their boxes add up to, ...
    sums: Vec<u64>,
    /// ... the squares to which the player can get, ...
    regions: Sets,
    /// ... and the pockets, by square.
    zones: Vec<Zones>,
    /// Their numbers, from one on, by sum.
    table: Vec<u32>,
    learnt: Patterns,
}

/// What a box adds to a sum that tells sets of boxes apart.
#[inline]
fn worth(at: Square) -> u64 {
    let mixed = (u64::from(at) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Do the sides of a square hang together around it?
#[inline]
fn hangs_together(field: &Field, at: Square, free: impl Fn(Square) -> bool) -> bool {
    let near = field.near();
    let [left, right, up, down] = near[at as usize];
    let round = [(left, Dir::Up), (up, Dir::Right), (right, Dir::Down), (down, Dir::Left)];
    // As many parts as there are sides, less one for each corner that joins two of them.
    let (mut sides, mut corners) = (0, 0);
    for (k, (side, turn)) in round.into_iter().enumerate() {
        let next = round[(k + 1) % 4].0;
        sides += u32::from(free(side));
        corners += u32::from(free(side) && free(next) && free(near[side as usize][turn as usize]));
    }
    sides <= corners + 1
}

impl SubsetSolver {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        Self {
            reach: Reach::new(field),
            pi: PiCorral::new(field),
            position: Position::new(field),
            boxes: Vec::new(),
            todo: Vec::new(),
            met: Vec::new(),
            sums: Vec::new(),
            // The wall that stands for all walls is never in them, but may be asked for.
            regions: Sets::new(field.squares() + 1, 0),
            zones: Vec::new(),
            table: Vec::new(),
            learnt: Patterns::new(field),
        }
    }

    /// What has been learnt so far.
    pub(crate) fn learnt(&self) -> &Patterns {
        &self.learnt
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self) -> usize {
        let met = self.met.capacity() * size_of::<Square>() + self.sums.capacity() * size_of::<u64>();
        met + self.regions.bytes() + self.zones.capacity() * size_of::<Zones>() + self.learnt.bytes()
    }

    /// A square that stands for the player's region when there are only these boxes.
    pub(crate) fn region(&mut self, field: &Field, boxes: &[Square], player: Square) -> Square {
        self.position.lay(boxes.iter().copied());
        self.reach.flood(field, &self.position, player);
        self.reach.region()
    }

    /// Looks at all positions that boxes (in order) can get to, but at no more than so many. If they are lost, what that is
    /// due to is learnt.
    pub(crate) fn ask(&mut self, field: &Field, boxes: &[Square], player: Square, limit: usize) -> Answer {
        let answer = self.search(field, boxes, player, limit);
        if answer == Answer::Lost {
            self.learn(field, boxes, player, limit);
        }
        answer
    }

    fn search(&mut self, field: &Field, boxes: &[Square], player: Square, limit: usize) -> Answer {
        self.met.clear();
        self.sums.clear();
        self.regions.clear();
        self.zones.clear();
        self.table.clear();
        self.table.resize((2 * limit + 2).next_power_of_two(), 0);
        self.todo.clear();
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
        let mut sum = boxes.iter().fold(0, |sum: u64, &at| sum.wrapping_add(worth(at)));
        let (mut player, mut push) = (player, None);
        loop {
            if self.boxes.iter().all(|&b| field.board().is_goal(b)) {
                return Answer::Fine;
            }
            if let Some(slot) = self.unmet(sum, player) {
                if self.sums.len() >= limit {
                    return Answer::Open;
                }
                self.meet(field, slot, sum, player, push);
                self.expand(field);
            }
            let Some(next) = self.todo.pop() else { return Answer::Lost };
            sum = self.make(next);
            (player, push) = (next.from, Some(next));
        }
    }

    /// Makes the boxes those after a push; gives their sum.
    fn make(&mut self, Push { before, from, to }: Push) -> u64 {
        let (count, number) = (self.boxes.len(), before as usize);
        self.boxes.copy_from_slice(&self.met[number * count..(number + 1) * count]);
        // The others between the two squares move up or down by one.
        let mut i = self.boxes.iter().position(|&b| b == from).unwrap_or_default();
        while i + 1 < count && self.boxes[i + 1] < to {
            self.boxes[i] = self.boxes[i + 1];
            i += 1;
        }
        while i > 0 && self.boxes[i - 1] > to {
            self.boxes[i] = self.boxes[i - 1];
            i -= 1;
        }
        self.boxes[i] = to;
        self.sums[number].wrapping_sub(worth(from)).wrapping_add(worth(to))
    }

    /// Where to note the present boxes with the player here, if they were not met before.
    fn unmet(&self, sum: u64, player: Square) -> Option<usize> {
        let (count, mask) = (self.boxes.len(), self.table.len() - 1);
        let mut slot = (sum >> 32) as usize & mask;
        while self.table[slot] > 0 {
            let number = self.table[slot] as usize - 1;
            if self.sums[number] == sum
                && self.regions.has(number, player)
                && self.met[number * count..(number + 1) * count] == self.boxes
            {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    /// Notes the present boxes, where the player can get, and the pockets.
    fn meet(&mut self, field: &Field, slot: usize, sum: u64, player: Square, push: Option<Push>) {
        self.position.lay(self.boxes.iter().copied());
        if let Some(Push { before, from, to }) = push.filter(|&push| self.changes_nothing(field, push)) {
            let (before, width) = (before as usize, field.squares() + 1);
            self.regions.push_changed(before, to, from);
            let zones = &self.zones[before * width..(before + 1) * width];
            self.pi.find_among(field, &self.position, zones, from);
        } else {
            self.reach.flood(field, &self.position, player);
            self.regions.push(self.reach.reached());
            self.pi.find(field, &self.position, &self.reach);
        }
        self.zones.extend_from_slice(self.pi.zones());
        self.met.extend_from_slice(&self.boxes);
        self.sums.push(sum);
        self.table[slot] = self.sums.len() as u32;
    }

    /// Are the player's ground and the pockets the same after a push, but for the two squares of the box? So it is if the square that
    /// the box has left opens no new ground, and if what the box was pushed into, the ground or a pocket, still hangs together around it.
    fn changes_nothing(&self, field: &Field, Push { before, from, to }: Push) -> bool {
        let old = |square: Square| self.regions.has(before as usize, square);
        let new = |&beside: &Square| self.position.free(beside) && !old(beside);
        let within = |square: Square| self.position.free(square) && (square != from || old(to));
        !field.near()[from as usize].iter().any(new) && hangs_together(field, to, within)
    }

    /// Puts all that can be pushed from the position that was met last on the list.
    fn expand(&mut self, field: &Field) {
        let number = self.sums.len() - 1;
        let pocket = self.pi.found();
        for i in 0..self.boxes.len() {
            let at = self.boxes[i];
            if pocket && !self.pi.is_next(at) {
                continue;
            }
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if !self.regions.has(number, from) || !self.position.free(to) || !field.alive(to) {
                    continue;
                }
                self.position.shift(i, to);
                if !frozen(field, &mut self.position, to) && !self.learnt.lost(&self.position, to, at) {
                    self.todo.push(Push { before: number as u32, from: at, to });
                }
                self.position.shift(i, at);
            }
        }
    }

    /// Leaves boxes out for as long as the others are lost by themselves, first many at a time, and remembers these.
    fn learn(&mut self, field: &Field, boxes: &[Square], player: Square, limit: usize) {
        // What shows itself quickly with a box shows itself as quickly without it, or not at all.
        let mut looked = self.sums.len();
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
                let enough = (looked + looked / 4 + 3).min(limit);
                if self.search(field, &sorted, player, enough) == Answer::Lost {
                    boxes = rest;
                    looked = self.sums.len();
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
        self.position.lay(boxes.iter().copied());
        self.reach.flood(field, &self.position, player);
        self.learnt.add(&boxes, self.reach.reached());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::make::make;
    use crate::text;

    #[test]
    fn what_is_taken_over_from_the_position_before_is_true() {
        for seed in 0..300 {
            let side = 5 + seed as usize % 4;
            let Some(board) = make(side, side, 3 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            let mut alone = SubsetSolver::new(&field);
            alone.search(&field, board.boxes(), board.player(), 300);
            let (count, squares) = (board.boxes().len(), field.squares());
            let mut reach = Reach::new(&field);
            for number in 0..alone.sums.len() {
                let mut position = Position::new(&field);
                alone.met[number * count..(number + 1) * count].iter().for_each(|&at| position.put(at));
                let free: Vec<Square> = (0..squares as Square).filter(|&s| position.free(s)).collect();
                let mut region: Vec<Square> =
                    free.iter().copied().filter(|&s| alone.regions.has(number, s)).collect();
                let all = (0..=squares as Square).filter(|&s| alone.regions.has(number, s)).count();
                assert_eq!(all, region.len(), "no box and no wall");
                reach.flood(&field, &position, region[0]);
                region.retain(|&s| !reach.reaches(s));
                assert!(region.is_empty() && reach.reached().len() == all);
                let zones = &alone.zones[number * (squares + 1)..(number + 1) * (squares + 1)];
                for &at in &free {
                    assert_eq!(zones[at as usize] == 0, reach.reaches(at));
                }
                for &at in free.iter().filter(|&&at| zones[at as usize] != 0) {
                    let mut pocket = Reach::new(&field);
                    pocket.flood(&field, &position, at);
                    for &other in &free {
                        assert_eq!(zones[at as usize] == zones[other as usize], pocket.reaches(other));
                    }
                }
            }
        }
    }

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
        let mut alone = SubsetSolver::new(&field);
        let knows = |alone: &SubsetSolver, boxes: &[Square]| {
            let mut position = Position::start(&field);
            position.lay(boxes.iter().copied());
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
