//! Subset solver: can some boxes all get to goals, with all others off the board?
//!
//! Removing boxes makes nothing harder. A plan for all boxes is also a plan for a subset, with the pushes of
//! the other boxes read as walks. So a subset that is a deadlock is one in every position that contains it.
//! Boxes that do not contribute are left out, and the rest is kept as a pattern. Patterns are recognised
//! later without a search, and prune further searches.

use super::freeze::frozen;
use super::patterns::{MOST_BOXES, Patterns};
use super::pi_corral::{CorralSet, PiCorral};
use crate::bits::Sets;
use crate::board::{DIRS, Square};
use crate::field::Field;
use crate::walk::{Position, Reach, connected_around, zobrist};

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solvability {
    /// The boxes can never all get to goals.
    Unsolvable,
    /// The boxes can all get to goals, with all others off the board.
    Solvable,
    /// The search reached its limit.
    Unknown,
}

/// A push to try: the index of the position before it, and the squares of the box before and after.
#[derive(Clone, Copy, Debug)]
struct Push {
    parent: u32,
    from: Square,
    to: Square,
}

/// Searches the positions of a subset of boxes. Its memory is reused.
#[derive(Clone, Debug)]
pub(crate) struct SubsetSolver {
    reach: Reach,
    pi_corral: PiCorral,
    position: Position,
    /// The boxes of the current position, sorted.
    boxes: Vec<Square>,
    todo: Vec<Push>,
    /// Positions met, by index: their boxes, ...
    boxes_met: Vec<Square>,
    /// ... the hashes of their boxes, ...
    hashes: Vec<u64>,
    /// ... the squares that the player can reach, ...
    regions: Sets,
    /// ... and the corrals of each square.
    corrals: Vec<CorralSet>,
    /// Hash table of indices from 1; 0 marks an empty slot.
    table: Vec<u32>,
    learnt: Patterns,
}

impl SubsetSolver {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        Self {
            reach: Reach::new(field),
            pi_corral: PiCorral::new(field),
            position: Position::new(field),
            boxes: Vec::new(),
            todo: Vec::new(),
            boxes_met: Vec::new(),
            hashes: Vec::new(),
            // The sentinel for walls is never in these sets, but it may be looked up.
            regions: Sets::new(field.squares() + 1, 0),
            corrals: Vec::new(),
            table: Vec::new(),
            learnt: Patterns::new(field),
        }
    }

    /// The patterns learnt so far.
    pub(crate) fn learnt(&self) -> &Patterns {
        &self.learnt
    }

    /// Approximate bytes used.
    pub(crate) fn bytes(&self) -> usize {
        let met = self.boxes_met.capacity() * size_of::<Square>() + self.hashes.capacity() * size_of::<u64>();
        met + self.regions.bytes() + self.corrals.capacity() * size_of::<CorralSet>() + self.learnt.bytes()
    }

    /// The representative of the player's region with only these boxes on the board.
    pub(crate) fn region(&mut self, field: &Field, boxes: &[Square], player: Square) -> Square {
        self.position.set_boxes(boxes.iter().copied());
        self.reach.flood(field, &self.position, player);
        self.reach.region()
    }

    /// Searches the positions that sorted boxes can reach, at most `limit` of them. An unsolvable set is
    /// learnt as a pattern.
    pub(crate) fn solve(
        &mut self,
        field: &Field,
        boxes: &[Square],
        player: Square,
        limit: usize,
    ) -> Solvability {
        let solvability = self.search(field, boxes, player, limit);
        if solvability == Solvability::Unsolvable {
            self.learn(field, boxes, player, limit);
        }
        solvability
    }

    fn search(&mut self, field: &Field, boxes: &[Square], player: Square, limit: usize) -> Solvability {
        self.boxes_met.clear();
        self.hashes.clear();
        self.regions.clear();
        self.corrals.clear();
        self.table.clear();
        self.table.resize((2 * limit + 2).next_power_of_two(), 0);
        self.todo.clear();
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
        let mut hash = boxes.iter().fold(0, |hash, &at| hash ^ zobrist(at));
        let (mut player, mut push) = (player, None);
        loop {
            if self.boxes.iter().all(|&b| field.board().is_goal(b)) {
                return Solvability::Solvable;
            }
            if let Some(slot) = self.free_slot(hash, player) {
                if self.hashes.len() >= limit {
                    return Solvability::Unknown;
                }
                self.store(field, slot, hash, player, push);
                self.expand(field);
            }
            let Some(next) = self.todo.pop() else { return Solvability::Unsolvable };
            hash = self.apply(next);
            (player, push) = (next.from, Some(next));
        }
    }

    /// Sets up the boxes after a push; returns their hash.
    fn apply(&mut self, Push { parent, from, to }: Push) -> u64 {
        let (count, number) = (self.boxes.len(), parent as usize);
        self.boxes.copy_from_slice(&self.boxes_met[number * count..(number + 1) * count]);
        // The boxes between the two squares move up or down by one place.
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
        self.hashes[number] ^ zobrist(from) ^ zobrist(to)
    }

    /// A slot for the current boxes with the player here; `None` if that position was met.
    fn free_slot(&self, hash: u64, player: Square) -> Option<usize> {
        let (count, mask) = (self.boxes.len(), self.table.len() - 1);
        let mut slot = (hash >> 32) as usize & mask;
        while self.table[slot] > 0 {
            let number = self.table[slot] as usize - 1;
            if self.hashes[number] == hash
                && self.regions.has(number, player)
                && self.boxes_met[number * count..(number + 1) * count] == self.boxes
            {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    /// Stores the current boxes, the reach of the player, and the corrals.
    fn store(&mut self, field: &Field, slot: usize, hash: u64, player: Square, push: Option<Push>) {
        self.position.set_boxes(self.boxes.iter().copied());
        if let Some(Push { parent, from, to }) = push.filter(|&push| self.keeps_regions(field, push)) {
            let (parent, width) = (parent as usize, field.squares() + 1);
            self.regions.push_changed(parent, to, from);
            let corrals = &self.corrals[parent * width..(parent + 1) * width];
            self.pi_corral.find_among(field, &self.position, corrals, from);
        } else {
            self.reach.flood(field, &self.position, player);
            self.regions.push(self.reach.reached());
            self.pi_corral.find(field, &self.position, &self.reach);
        }
        self.corrals.extend_from_slice(self.pi_corral.corrals());
        self.boxes_met.extend_from_slice(&self.boxes);
        self.hashes.push(hash);
        self.table[slot] = self.hashes.len() as u32;
    }

    /// Does a push leave the player's reach and the corrals unchanged but for the two squares of the box? It
    /// does if two conditions hold. The square that the box left opens no new ground. The reach or corral
    /// that the box was pushed into stays connected around it.
    fn keeps_regions(&self, field: &Field, Push { parent, from, to }: Push) -> bool {
        let old = |square: Square| self.regions.has(parent as usize, square);
        let new = |&beside: &Square| self.position.free(beside) && !old(beside);
        let within = |square: Square| self.position.free(square) && (square != from || old(to));
        !field.near()[from as usize].iter().any(new) && connected_around(field, to, within)
    }

    /// Adds all pushes from the position met last.
    fn expand(&mut self, field: &Field) {
        let number = self.hashes.len() - 1;
        let restricted = self.pi_corral.found();
        for i in 0..self.boxes.len() {
            let at = self.boxes[i];
            if restricted && !self.pi_corral.is_next(at) {
                continue;
            }
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if !self.regions.has(number, from) || !self.position.free(to) || !field.alive(to) {
                    continue;
                }
                self.position.shift(i, to);
                if !frozen(field, &mut self.position, to) && !self.learnt.match_at(&self.position, to, at) {
                    self.todo.push(Push { parent: number as u32, from: at, to });
                }
                self.position.shift(i, at);
            }
        }
    }

    /// Leaves boxes out while the rest stays unsolvable, first many at a time. Stores the rest as a pattern.
    fn learn(&mut self, field: &Field, boxes: &[Square], player: Square, limit: usize) {
        // A deadlock that shows within few positions with a box shows within as few without it, or not at
        // all.
        let mut searched = self.hashes.len();
        let mut boxes = boxes.to_vec();
        // Boxes on goals usually do not contribute, so they are left out first.
        boxes.sort_by_key(|&b| !field.board().is_goal(b));
        let mut group = boxes.len().div_ceil(2);
        while group > 0 {
            let mut from = 0;
            while from < boxes.len() {
                let to = (from + group).min(boxes.len());
                let rest: Vec<Square> = boxes[..from].iter().chain(&boxes[to..]).copied().collect();
                let mut sorted = rest.clone();
                sorted.sort_unstable();
                let enough = (searched + searched / 4 + 3).min(limit);
                if self.search(field, &sorted, player, enough) == Solvability::Unsolvable {
                    boxes = rest;
                    searched = self.hashes.len();
                } else {
                    from = to;
                }
                // None of the boxes before `from` can be left out, so the pattern would be too large.
                if group == 1 && from > MOST_BOXES {
                    return;
                }
            }
            group /= 2;
        }
        self.position.set_boxes(boxes.iter().copied());
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
    fn regions_taken_over_from_the_parent_are_right() {
        for seed in 0..300 {
            let side = 5 + seed as usize % 4;
            let Some(board) = make(side, side, 3 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            let mut solver = SubsetSolver::new(&field);
            solver.search(&field, board.boxes(), board.player(), 300);
            let (count, squares) = (board.boxes().len(), field.squares());
            let mut reach = Reach::new(&field);
            for number in 0..solver.hashes.len() {
                let mut position = Position::new(&field);
                solver.boxes_met[number * count..(number + 1) * count]
                    .iter()
                    .for_each(|&at| position.put(at));
                let free: Vec<Square> = (0..squares as Square).filter(|&s| position.free(s)).collect();
                let mut region: Vec<Square> =
                    free.iter().copied().filter(|&s| solver.regions.has(number, s)).collect();
                let all = (0..=squares as Square).filter(|&s| solver.regions.has(number, s)).count();
                assert_eq!(all, region.len(), "no box and no wall");
                reach.flood(&field, &position, region[0]);
                region.retain(|&s| !reach.reaches(s));
                assert!(region.is_empty() && reach.reached().len() == all);
                let corrals = &solver.corrals[number * (squares + 1)..(number + 1) * (squares + 1)];
                for &at in &free {
                    assert_eq!(corrals[at as usize] == 0, reach.reaches(at));
                }
                for &at in free.iter().filter(|&&at| corrals[at as usize] != 0) {
                    let mut restricted = Reach::new(&field);
                    restricted.flood(&field, &position, at);
                    for &other in &free {
                        assert_eq!(
                            corrals[at as usize] == corrals[other as usize],
                            restricted.reaches(other)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn learnt_patterns_leave_out_irrelevant_boxes() {
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
        let mut solver = SubsetSolver::new(&field);
        let knows = |solver: &SubsetSolver, boxes: &[Square]| {
            let mut position = Position::start(&field);
            position.set_boxes(boxes.iter().copied());
            solver.learnt().any_match(&position)
        };
        let (middle, aside) = (at(3, 4), at(2, 2));
        let without = |gone: Square| board.boxes().iter().copied().filter(|&b| b != gone).collect::<Vec<_>>();
        assert!(!knows(&solver, board.boxes()));
        assert_eq!(solver.solve(&field, board.boxes(), board.player(), 1), Solvability::Unsolvable);
        assert!(knows(&solver, board.boxes()));
        assert!(knows(&solver, &without(aside)), "it has nothing to do with it");
        assert!(!knows(&solver, &without(middle)), "the door can be pushed open");
        assert_eq!(solver.solve(&field, &without(middle), board.player(), 1), Solvability::Unknown);
        assert_eq!(solver.solve(&field, &[at(6, 2)], board.player(), 1), Solvability::Solvable);
    }
}
