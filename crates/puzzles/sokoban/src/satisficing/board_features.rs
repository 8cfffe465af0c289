//! Board features of FESS (Shoham and Schaeffer 2020): room connectivity and hotspots.

use crate::bits::Sets;
use crate::board::{Dir, Square};
use crate::field::Field;
use crate::macro_moves::{MacroMoves, MoveKind};
use crate::rules::deadlocks::Goals;
use crate::walk::Position;

/// Squares of a board, beyond which hotspots are not counted. Their table grows with the square of it.
const MOST_SQUARES: usize = 600;

/// Narrow passages, and for each square the goals that a box there takes from boxes elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct BoardFeatures {
    /// The index of the passage that each square belongs to; 0 where there is none.
    passage: Vec<u16>,
    /// The number of the current query, and for each passage the query that counted it last.
    query: u64,
    counted_in: Vec<u64>,
    goal_bit: Vec<Goals>,
    squares: usize,
    /// For each square, the goals to which a lone box on it can be pushed.
    goals_from: Vec<Goals>,
    /// For each square, computed at first use: the goals that a box there takes from a box on every other
    /// square.
    blocked_goals: Vec<Option<Box<[Goals]>>>,
    /// For each square, the squares that interact with it: one takes goals from the other. Most pairs do not.
    related: Sets,
    /// Rows computed so far.
    rows: usize,
    /// The current boxes, as bits, and the goals that none of them is on.
    boxes_set: Vec<u64>,
    open_goals: Goals,
    macro_moves: MacroMoves,
    position: Position,
}

impl BoardFeatures {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares();
        let mut goal_bit = vec![0; n + 1];
        for (i, &goal) in field.board().goals().iter().enumerate().take(128) {
            goal_bit[goal as usize] = 1 << i;
        }
        Self {
            passage: passages(field),
            query: 0,
            counted_in: vec![0; n + 1],
            goal_bit,
            squares: n,
            goals_from: Vec::new(),
            blocked_goals: vec![None; n],
            related: Sets::new(n, n),
            rows: 0,
            boxes_set: Vec::new(),
            open_goals: Goals::MAX,
            macro_moves: MacroMoves::new(field),
            position: Position::new(field),
        }
    }

    /// Approximate bytes used.
    pub(crate) fn bytes(&self) -> usize {
        self.rows * self.squares * size_of::<Goals>()
    }

    /// The index of the passage that a square belongs to; 0 where there is none.
    #[inline(always)]
    pub(crate) fn passage(&self, square: Square) -> u16 {
        self.passage[square as usize]
    }

    /// Room connectivity: the number of passages with a box in them.
    pub(crate) fn room_connectivity(&mut self, boxes: &[Square]) -> u16 {
        self.query += 1;
        let mut room_connectivity = 0;
        for &at in boxes {
            let passage = self.passage[usize::from(at)];
            if passage > 0 && self.counted_in[usize::from(passage)] < self.query {
                self.counted_in[usize::from(passage)] = self.query;
                room_connectivity += 1;
            }
        }
        room_connectivity
    }

    /// Sets the current boxes, among which hotspots are counted.
    pub(crate) fn set_boxes(&mut self, field: &Field, boxes: &[Square]) {
        self.boxes_set.clear();
        if self.squares > MOST_SQUARES {
            return;
        }
        self.boxes_set.resize(self.squares.div_ceil(64), 0);
        self.open_goals = Goals::MAX;
        for &at in boxes {
            self.prepare_row(field, at);
            self.toggle(at);
            self.open_goals &= !self.goal_bit[usize::from(at)];
        }
    }

    /// Removes one of the current boxes, or puts it back. The open goals stay the same.
    #[inline]
    pub(crate) fn toggle(&mut self, at: Square) {
        if let Some(word) = self.boxes_set.get_mut(usize::from(at) / 64) {
            *word ^= 1 << (at % 64);
        }
    }

    /// Counts pairs of a box on `at` and another current box in which one keeps the other from an open goal.
    /// Each direction counts once.
    pub(crate) fn hotspots(&mut self, field: &Field, at: Square) -> i32 {
        if self.boxes_set.is_empty() {
            return 0;
        }
        self.prepare_row(field, at);
        let mut hotspots = 0;
        for (i, (related, boxes_set)) in self.related.of(at.into()).iter().zip(&self.boxes_set).enumerate() {
            let mut both = related & boxes_set;
            while both != 0 {
                let other = (64 * i) as Square + both.trailing_zeros() as Square;
                both &= both - 1;
                if other != at {
                    hotspots += i32::from(self.blocks(at, other)) + i32::from(self.blocks(other, at));
                }
            }
        }
        hotspots
    }

    /// The hotspots of all these boxes; each pair is counted once.
    pub(crate) fn total_hotspots(&mut self, field: &Field, boxes: &[Square]) -> i32 {
        self.set_boxes(field, boxes);
        boxes.iter().map(|&at| self.hotspots(field, at)).sum::<i32>() / 2
    }

    #[inline(always)]
    fn blocks(&self, wall: Square, from: Square) -> bool {
        let goals = self.blocked_goals[usize::from(wall)].as_ref();
        goals.is_some_and(|goals| goals[usize::from(from)] & self.open_goals != 0)
    }

    #[inline(always)]
    fn prepare_row(&mut self, field: &Field, wall: Square) {
        if self.blocked_goals[usize::from(wall)].is_none() {
            self.compute_row(field, wall);
        }
    }

    #[cold]
    fn compute_row(&mut self, field: &Field, wall: Square) {
        if self.goals_from.is_empty() {
            self.goals_from = self.reachable_goals(field);
        }
        self.rows += 1;
        self.position.wall_up(wall);
        let around = self.reachable_goals(field);
        self.position.open(wall);
        let own = self.goal_bit[usize::from(wall)];
        let goals: Box<[Goals]> =
            self.goals_from.iter().zip(&around).map(|(all, left)| all & !left & !own).collect();
        let any: Vec<Square> =
            (0..self.squares as Square).filter(|&at| goals[usize::from(at)] != 0).collect();
        for &from in &any {
            self.related.insert(from.into(), &[wall]);
        }
        self.related.insert(wall.into(), &any);
        self.blocked_goals[usize::from(wall)] = Some(goals);
    }

    /// For each square, the goals to which a lone box on it can be pushed, with the walls of `position`.
    fn reachable_goals(&mut self, field: &Field) -> Vec<Goals> {
        let mut goals_from = vec![0; self.squares];
        for (i, &goal) in field.board().goals().iter().enumerate().take(128) {
            if !self.position.free(goal) {
                continue;
            }
            self.position.put(goal);
            self.macro_moves.survey_and_generate(MoveKind::Pull, field, &mut self.position, 0, None);
            self.position.clear();
            for place in &self.macro_moves.places {
                goals_from[place.to as usize] |= 1 << i;
            }
        }
        goals_from
    }
}

/// Numbers the narrow passages: runs of squares with walls on two opposite sides, goals left out.
fn passages(field: &Field) -> Vec<u16> {
    let n = field.squares();
    let wall = |s: usize, dir: Dir| field.near()[s][dir as usize] as usize == n;
    let narrow = |s: usize| {
        !field.board().is_goal(s as Square)
            && (wall(s, Dir::Left) && wall(s, Dir::Right) || wall(s, Dir::Up) && wall(s, Dir::Down))
    };
    let mut passage = vec![0; n + 1];
    let mut count = 0;
    for from in 0..n {
        if passage[from] != 0 || !narrow(from) {
            continue;
        }
        count += 1;
        passage[from] = count;
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            for to in field.near()[at] {
                let to = to as usize;
                if to < n && passage[to] == 0 && narrow(to) {
                    passage[to] = count;
                    todo.push(to);
                }
            }
        }
    }
    passage
}
