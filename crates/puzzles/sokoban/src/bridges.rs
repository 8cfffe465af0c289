//! How often the player must come back: what a bound on pushes does not see.
//!
//! A *bridge* is a step between two neighbouring squares that is the only way between two parts of the board. If more
//! boxes are in one part, S, than there are goals in it, that many boxes must be pushed across into the other part, T. The
//! box that has just crossed stands on the far end of the bridge and must be cleared away before the next can cross; so
//! the player goes over into T, and must come back over the bridge before pushing the next box. With n boxes still to
//! cross, at least n steps lead from T to S, one less if the player is in S and the far end is free.
//!
//! Such a step is a walk, or it pushes a box the wrong way. Pushes are already counted in the matching of boxes to goals;
//! so in that matching a push from T to S is free, and nothing is counted twice.

use super::board::{Board, DIRS, Dir, NOWHERE, Square};

/// Boards with more squares than this are searched without bridges.
const LARGEST: usize = 1000;

/// A bridge that boxes must cross.
#[derive(Clone, Debug)]
struct Bridge {
    /// Goals in S.
    goals: i32,
    /// Boxes in S at the start.
    boxes: i32,
}

/// The bridges of a board, as far as boxes must cross them; at most 128.
#[derive(Clone, Debug, Default)]
pub struct Bridges {
    all: Vec<Bridge>,
    /// For each square, the bridges in whose S it is.
    inside: Vec<u128>,
    /// For each square, the bridges whose far end it is.
    far: Vec<u128>,
    /// The direction from S to T, by bridge.
    dirs: Vec<Dir>,
    /// The bridges in whose S the player starts.
    start: u128,
}

/// What a position owes to the bridges, kept while its successors are made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Toll {
    /// Boxes still to cross (or, backwards, already across), summed over the bridges.
    sum: u32,
    /// The bridges that some box must cross (or has crossed).
    some: u128,
    /// The bridges with a box on their far end.
    taken: u128,
}

impl Bridges {
    /// Finds the bridges.
    pub fn new(board: &Board) -> Self {
        let n = board.squares();
        let mut found = Self { inside: vec![0; n], far: vec![0; n], ..Self::default() };
        if n > LARGEST {
            return found;
        }
        for near in 0..n as Square {
            for dir in DIRS {
                let far = board.next(near, dir);
                if far == NOWHERE || found.all.len() == 128 {
                    continue;
                }
                let Some(side) = cut(board, near, far) else { continue };
                let count = |of: &[Square]| of.iter().filter(|&&s| side[s as usize]).count() as i32;
                let (boxes, goals) = (count(board.boxes()), count(board.goals()));
                if boxes > goals {
                    let bit = 1 << found.all.len();
                    for square in (0..n).filter(|&s| side[s]) {
                        found.inside[square] |= bit;
                    }
                    found.far[far as usize] |= bit;
                    found.dirs.push(dir);
                    found.all.push(Bridge { goals, boxes });
                }
            }
        }
        found.start = found.inside[board.player() as usize];
        found
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Does a push of a box from this square lead over a bridge the wrong way?
    pub fn is_return(&self, from: Square, dir: Dir) -> bool {
        let ends_here = |i: usize| self.far[from as usize] >> i & 1 == 1;
        self.dirs.iter().enumerate().any(|(i, &way)| ends_here(i) && way == dir.back())
    }

    fn toll(&self, boxes: &[Square], owed: impl Fn(&Bridge, i32) -> i32) -> Toll {
        let mut toll = Toll::default();
        if self.is_empty() {
            return toll;
        }
        for &at in boxes {
            toll.taken |= self.far[at as usize];
        }
        for (i, bridge) in self.all.iter().enumerate() {
            let inside = boxes.iter().filter(|&&b| self.inside[b as usize] >> i & 1 == 1).count() as i32;
            let owed = owed(bridge, inside);
            if owed > 0 {
                toll.sum += owed as u32;
                toll.some |= 1 << i;
            }
        }
        toll
    }

    /// What is still owed on the way to the goal.
    pub fn ahead(&self, boxes: &[Square]) -> Toll {
        self.toll(boxes, |bridge, inside| inside - bridge.goals)
    }

    /// What must have been paid on the way from the start.
    pub fn behind(&self, boxes: &[Square]) -> Toll {
        self.toll(boxes, |bridge, inside| bridge.boxes - inside)
    }

    /// Steps back over bridges that are still to come, with the player here.
    #[inline]
    pub fn steps_ahead(&self, toll: &Toll, player: Square) -> u32 {
        if toll.some == 0 {
            return 0;
        }
        toll.sum - (self.inside[player as usize] & toll.some & !toll.taken).count_ones()
    }

    /// Steps back over bridges that were taken, with the player here: one fewer than boxes crossed where the player
    /// began in S, unless the far end is free again and the player is back in S.
    #[inline]
    pub fn steps_behind(&self, toll: &Toll, player: Square) -> u32 {
        if toll.some == 0 {
            return 0;
        }
        let back = self.inside[player as usize] & !toll.taken;
        toll.sum - (self.start & toll.some & !back).count_ones()
    }

    /// Does a push from one square to the next change what is owed?
    #[inline]
    pub fn touches(&self, from: Square, to: Square) -> bool {
        !self.is_empty()
            && (self.inside[from as usize] != self.inside[to as usize]
                || self.far[from as usize] | self.far[to as usize] != 0)
    }
}

/// The part of the board on the side of `near` when the step to `far` is taken away; `None` if there is another way.
fn cut(board: &Board, near: Square, far: Square) -> Option<Vec<bool>> {
    let mut side = vec![false; board.squares()];
    side[near as usize] = true;
    let mut todo = vec![near];
    while let Some(at) = todo.pop() {
        for to in board.near()[at as usize] {
            if to == NOWHERE || side[to as usize] || at == near && to == far {
                continue;
            }
            if to == far {
                return None;
            }
            side[to as usize] = true;
            todo.push(to);
        }
    }
    Some(side)
}
