//! Deadlocks of two boxes: a complete table, computed once for a board.
//!
//! From every pair of goals, two boxes are pulled until no new position is found. A pair that was never met
//! cannot be solved, wherever the player is. Additional boxes make nothing easier, so a position with such a
//! pair is a deadlock.

use beeline_search::{Limit, Meter};

use crate::bits::Sets;
use crate::board::{DIRS, Square};
use crate::field::{FLOOD_WORK, Field};
use crate::walk::{Position, Reach};

/// Squares of a board, beyond which there is no table. It grows with their square.
const MOST_SQUARES: usize = 220;

/// The pairs of squares on which two boxes form a deadlock.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    squares: usize,
    lost: Vec<bool>,
}

impl Pairs {
    /// Computes the table within the limits of a search. `None` if the board is too large or memory too
    /// small; the search then runs without it.
    pub fn new(field: &Field, meter: &mut Meter) -> Result<Option<Self>, Limit> {
        let n = field.squares();
        let booked = meter.ledger.used();
        // The table, and, while it is computed, one bit for each square of the player and each pair.
        if n > MOST_SQUARES || meter.ledger.claim(n * n + n * n * n.div_ceil(64) * 8).is_err() {
            return Ok(None);
        }
        let alive: Vec<bool> = (0..n as Square).map(|s| field.alive(s)).collect();
        let mut lost = vec![true; n * n];
        let mut search = Pulls::new(field);
        let goals = field.board().goals();
        for (i, &one) in goals.iter().enumerate() {
            for &two in &goals[i + 1..] {
                search.seed(one, two);
            }
        }
        search.run(meter, |one, two| {
            lost[one as usize * n + two as usize] = false;
            lost[two as usize * n + one as usize] = false;
        })?;
        // The table leaves out pairs with a dead square, and pairs of equal squares.
        for one in 0..n {
            for two in 0..n {
                lost[one * n + two] &= alive[one] && alive[two] && one != two;
            }
        }
        meter.ledger.rewind(booked + n * n);
        Ok(Some(Self { squares: n, lost }))
    }

    /// Do boxes on these two squares form a deadlock?
    #[inline(always)]
    pub fn lost(&self, one: Square, two: Square) -> bool {
        self.lost[one as usize * self.squares + two as usize]
    }

    /// Does the box on `square` form a deadlock with one of the others?
    #[inline]
    pub fn any_lost(&self, square: Square, boxes: &[Square]) -> bool {
        let row = &self.lost[square as usize * self.squares..(square as usize + 1) * self.squares];
        boxes.iter().any(|&other| row[other as usize])
    }
}

/// Exhaustive search by pulls of two boxes.
struct Pulls<'a> {
    field: &'a Field,
    position: Position,
    walk: Reach,
    /// For each pair, the squares that the player has reached.
    met: Sets,
    todo: Vec<(Square, Square, Square)>,
}

impl<'a> Pulls<'a> {
    fn new(field: &'a Field) -> Self {
        let n = field.squares();
        Self {
            field,
            position: Position::new(field),
            walk: Reach::new(field),
            met: Sets::new(n, n * n),
            todo: Vec::new(),
        }
    }

    /// Adds a root: both boxes on goals, and the player anywhere.
    fn seed(&mut self, one: Square, two: Square) {
        let anywhere = (0..self.field.squares() as Square).filter(|&player| player != one && player != two);
        self.todo.extend(anywhere.map(|player| (one, two, player)));
    }

    fn run(&mut self, meter: &mut Meter, mut each: impl FnMut(Square, Square)) -> Result<(), Limit> {
        while let Some((one, two, player)) = self.todo.pop() {
            let (one, two) = (one.min(two), one.max(two));
            let pair = usize::from(one) * self.field.squares() + usize::from(two);
            if self.met.has(pair, player) {
                continue;
            }
            meter.work(FLOOD_WORK * self.field.squares() as u64)?;
            each(one, two);
            self.position.set_boxes([one, two]);
            self.walk.flood(self.field, &self.position, player);
            self.met.insert(pair, self.walk.reached());
            for (boxed, other) in [(one, two), (two, one)] {
                for dir in DIRS {
                    let at = self.field.near()[boxed as usize][dir as usize];
                    if !self.walk.reaches(at) {
                        continue;
                    }
                    let beyond = self.field.near()[at as usize][dir as usize];
                    if self.position.free(beyond) {
                        self.todo.push((at, other, beyond));
                    }
                }
            }
        }
        Ok(())
    }
}
