//! What the shape of the board says about a position: narrow ways that a box blocks, and boxes that stand in the way of
//! others.

use super::super::bits::Sets;
use super::super::board::{Dir, Square};
use super::super::field::Field;
use super::super::walk::Position;
use super::carry::{Carry, Way};

/// A set of goals by number; boards with more goals do without.
pub(crate) type Goals = u128;

/// Boards with more squares than this do without the table, which grows with the square of it.
const LARGEST: usize = 600;

/// Narrow ways, and for each box square what a box there takes from others.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    /// The narrow way that each square belongs to; 0 where there is none.
    gate: Vec<u16>,
    goal_bit: Vec<Goals>,
    squares: usize,
    /// For each square, the goals to which a lone box on it can be pushed.
    reach: Vec<Goals>,
    /// For each square (worked out when first asked): the goals that a box there takes from a box on every other square.
    taken: Vec<Option<Box<[Goals]>>>,
    /// The squares from which it takes any: most take nothing from most.
    victims: Sets,
    /// How many of these there are.
    rows: usize,
    carry: Carry,
    position: Position,
}

impl Terrain {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares();
        let mut goal_bit = vec![0; n + 1];
        for (i, &goal) in field.board().goals().iter().enumerate().take(128) {
            goal_bit[goal as usize] = 1 << i;
        }
        Self {
            gate: gates(field),
            goal_bit,
            squares: n,
            reach: Vec::new(),
            taken: vec![None; n],
            victims: Sets::new(n, n),
            rows: 0,
            carry: Carry::new(field),
            position: Position::new(field),
        }
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self) -> usize {
        self.rows * self.squares * size_of::<Goals>()
    }

    /// The bit of a goal; 0 for other squares.
    #[inline(always)]
    pub(crate) fn goal_bit(&self, square: Square) -> Goals {
        self.goal_bit[square as usize]
    }

    /// The narrow way that a square belongs to; 0 where there is none.
    #[inline(always)]
    pub(crate) fn gate(&self, square: Square) -> u16 {
        self.gate[square as usize]
    }

    /// How many narrow ways are blocked.
    pub(crate) fn blocked(&self, boxes: impl Iterator<Item = Square>) -> u16 {
        let mut gates: Vec<u16> = boxes.map(|b| self.gate(b)).filter(|&g| g > 0).collect();
        gates.sort_unstable();
        gates.dedup();
        gates.len() as u16
    }

    /// How many of the other boxes a box on `at` keeps from goals that are still open, and how many keep it from them.
    pub(crate) fn trouble(
        &mut self,
        field: &Field,
        at: Square,
        boxes: &[Square],
        skip: Square,
        open: Goals,
    ) -> i32 {
        let mut trouble = 0;
        if self.squares > LARGEST {
            return trouble;
        }
        self.prepare(field, at);
        for &other in boxes {
            if other == skip || other == at {
                continue;
            }
            self.prepare(field, other);
            trouble += i32::from(self.takes(at, other, open)) + i32::from(self.takes(other, at, open));
        }
        trouble
    }

    #[inline(always)]
    fn takes(&self, wall: Square, from: Square, open: Goals) -> bool {
        self.victims.has(wall.into(), from)
            && self.taken[usize::from(wall)]
                .as_ref()
                .is_some_and(|goals| goals[usize::from(from)] & open != 0)
    }

    #[inline(always)]
    fn prepare(&mut self, field: &Field, wall: Square) {
        if self.taken[usize::from(wall)].is_none() {
            self.work_out(field, wall);
        }
    }

    #[cold]
    fn work_out(&mut self, field: &Field, wall: Square) {
        if self.reach.is_empty() {
            self.reach = self.spread(field);
        }
        self.rows += 1;
        self.position.wall_up(wall);
        let around = self.spread(field);
        self.position.open(wall);
        let own = self.goal_bit(wall);
        let goals: Box<[Goals]> =
            self.reach.iter().zip(&around).map(|(all, left)| all & !left & !own).collect();
        let any: Vec<Square> =
            (0..self.squares as Square).filter(|&at| goals[usize::from(at)] != 0).collect();
        self.victims.insert(wall.into(), &any);
        self.taken[usize::from(wall)] = Some(goals);
    }

    /// For each square, the goals to which a lone box on it can be pushed among the present walls.
    fn spread(&mut self, field: &Field) -> Vec<Goals> {
        let mut reach = vec![0; self.squares];
        for (i, &goal) in field.board().goals().iter().enumerate().take(128) {
            if !self.position.free(goal) {
                continue;
            }
            self.position.put(goal);
            self.carry.go(Way::Pulling, field, &mut self.position, 0, None);
            self.position.clear();
            for place in &self.carry.places {
                reach[place.to as usize] |= 1 << i;
            }
        }
        reach
    }
}

/// Numbers the narrow ways: runs of squares with walls on two opposite sides, goals left out.
fn gates(field: &Field) -> Vec<u16> {
    let n = field.squares();
    let wall = |s: usize, dir: Dir| field.near()[s][dir as usize] as usize == n;
    let narrow = |s: usize| {
        !field.board().is_goal(s as Square)
            && (wall(s, Dir::Left) && wall(s, Dir::Right) || wall(s, Dir::Up) && wall(s, Dir::Down))
    };
    let mut gate = vec![0; n + 1];
    let mut count = 0;
    for from in 0..n {
        if gate[from] != 0 || !narrow(from) {
            continue;
        }
        count += 1;
        gate[from] = count;
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            for to in field.near()[at] {
                let to = to as usize;
                if to < n && gate[to] == 0 && narrow(to) {
                    gate[to] = count;
                    todo.push(to);
                }
            }
        }
    }
    gate
}
