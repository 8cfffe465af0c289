//! What the shape of the board says about a position: narrow ways that a box blocks, and boxes that stand in the way of
//! others.

use crate::bits::Sets;
use crate::board::{Dir, Square};
use crate::field::Field;
use crate::macro_moves::{MacroMoves, Way};
use crate::rules::deadlocks::Goals;
use crate::walk::Position;

/// Boards with more squares than this do without the table, which grows with the square of it.
const LARGEST: usize = 600;

/// Narrow ways, and for each box square what a box there takes from others.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    /// The narrow way that each square belongs to; 0 where there is none.
    gate: Vec<u16>,
    /// How often it was asked how many are blocked, and when each was last counted.
    asked: u64,
    counted: Vec<u64>,
    goal_bit: Vec<Goals>,
    squares: usize,
    /// For each square, the goals to which a lone box on it can be pushed.
    reach: Vec<Goals>,
    /// For each square (worked out when first asked): the goals that a box there takes from a box on every other square.
    taken: Vec<Option<Box<[Goals]>>>,
    /// The squares that it takes any from, or that take any from it: most have nothing to do with most.
    tied: Sets,
    /// For how many squares that is known.
    rows: usize,
    /// The boxes among which trouble is asked for, as bits, and the goals that none of them is on.
    crowd: Vec<u64>,
    open: Goals,
    carry: MacroMoves,
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
            asked: 0,
            counted: vec![0; n + 1],
            goal_bit,
            squares: n,
            reach: Vec::new(),
            taken: vec![None; n],
            tied: Sets::new(n, n),
            rows: 0,
            crowd: Vec::new(),
            open: Goals::MAX,
            carry: MacroMoves::new(field),
            position: Position::new(field),
        }
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self) -> usize {
        self.rows * self.squares * size_of::<Goals>()
    }

    /// The narrow way that a square belongs to; 0 where there is none.
    #[inline(always)]
    pub(crate) fn gate(&self, square: Square) -> u16 {
        self.gate[square as usize]
    }

    /// How many narrow ways are blocked.
    pub(crate) fn room_connectivity(&mut self, boxes: &[Square]) -> u16 {
        self.asked += 1;
        let mut room_connectivity = 0;
        for &at in boxes {
            let gate = self.gate[usize::from(at)];
            if gate > 0 && self.counted[usize::from(gate)] < self.asked {
                self.counted[usize::from(gate)] = self.asked;
                room_connectivity += 1;
            }
        }
        room_connectivity
    }

    /// Trouble is asked for among these boxes from now on.
    pub(crate) fn gather(&mut self, field: &Field, boxes: &[Square]) {
        self.crowd.clear();
        if self.squares > LARGEST {
            return;
        }
        self.crowd.resize(self.squares.div_ceil(64), 0);
        self.open = Goals::MAX;
        for &at in boxes {
            self.prepare(field, at);
            self.toggle(at);
            self.open &= !self.goal_bit[usize::from(at)];
        }
    }

    /// Takes a box out of them, or puts it back; the goals that are open stay the same.
    #[inline]
    pub(crate) fn toggle(&mut self, at: Square) {
        if let Some(word) = self.crowd.get_mut(usize::from(at) / 64) {
            *word ^= 1 << (at % 64);
        }
    }

    /// How many of the other boxes a box on `at` keeps from goals that are still open, and how many keep it from them.
    pub(crate) fn hotspots(&mut self, field: &Field, at: Square) -> i32 {
        if self.crowd.is_empty() {
            return 0;
        }
        self.prepare(field, at);
        let mut hotspots = 0;
        for (i, (tied, crowd)) in self.tied.of(at.into()).iter().zip(&self.crowd).enumerate() {
            let mut both = tied & crowd;
            while both != 0 {
                let other = (64 * i) as Square + both.trailing_zeros() as Square;
                both &= both - 1;
                if other != at {
                    hotspots += i32::from(self.takes(at, other)) + i32::from(self.takes(other, at));
                }
            }
        }
        hotspots
    }

    /// The trouble of all these boxes, that of any two counted once.
    pub(crate) fn total(&mut self, field: &Field, boxes: &[Square]) -> i32 {
        self.gather(field, boxes);
        boxes.iter().map(|&at| self.hotspots(field, at)).sum::<i32>() / 2
    }

    #[inline(always)]
    fn takes(&self, wall: Square, from: Square) -> bool {
        let goals = self.taken[usize::from(wall)].as_ref();
        goals.is_some_and(|goals| goals[usize::from(from)] & self.open != 0)
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
        let own = self.goal_bit[usize::from(wall)];
        let goals: Box<[Goals]> =
            self.reach.iter().zip(&around).map(|(all, left)| all & !left & !own).collect();
        let any: Vec<Square> =
            (0..self.squares as Square).filter(|&at| goals[usize::from(at)] != 0).collect();
        for &from in &any {
            self.tied.insert(from.into(), &[wall]);
        }
        self.tied.insert(wall.into(), &any);
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
