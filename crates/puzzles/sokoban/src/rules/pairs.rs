//! Deadlocks of two boxes, all of them, worked out once for a board.
//!
//! From every pair of goals, two boxes are pulled about until nothing new turns up. What was never met cannot be solved,
//! wherever the player is; and boxes added to it make nothing easier. So a position with such a pair is lost.

use beeline_search::{Limit, Meter};

use crate::bits::Sets;
use crate::board::{DIRS, Square};
use crate::field::{FLOOD, Field};
use crate::walk::{Position, Reach, Reaches};

/// Boards with more squares than this get no table: it grows with the square of it.
const LARGEST: usize = 220;

/// The pairs of squares on which two boxes are lost.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    squares: usize,
    lost: Vec<bool>,
}

impl Pairs {
    /// Works the table out, within the limits of a search. `None` if the board is too large for it, or the memory too small: then the
    /// search does without.
    pub fn new(field: &Field, meter: &mut Meter) -> Result<Option<Self>, Limit> {
        let n = field.squares();
        let booked = meter.ledger.used();
        // The table, and while it is made a bit for each player of each pair.
        if n > LARGEST || meter.ledger.claim(n * n + n * n * n.div_ceil(64) * 8).is_err() {
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
        // A square that is dead for one box needs no pair to say so, and a pair needs two squares.
        for one in 0..n {
            for two in 0..n {
                lost[one * n + two] &= alive[one] && alive[two] && one != two;
            }
        }
        meter.ledger.rewind(booked + n * n);
        Ok(Some(Self { squares: n, lost }))
    }

    /// Are two boxes on these squares lost?
    #[inline(always)]
    pub fn lost(&self, one: Square, two: Square) -> bool {
        self.lost[one as usize * self.squares + two as usize]
    }

    /// Is the box on `square` lost together with some other?
    #[inline]
    pub fn any_lost(&self, square: Square, boxes: &[Square]) -> bool {
        let row = &self.lost[square as usize * self.squares..(square as usize + 1) * self.squares];
        boxes.iter().any(|&other| row[other as usize])
    }
}

/// Two boxes pulled about.
struct Pulls<'a> {
    field: &'a Field,
    position: Position,
    walk: Reach,
    /// For each pair, where the player was or could have walked to.
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

    /// Both boxes on goals, and the player anywhere.
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
            meter.work(FLOOD * self.field.squares() as u64)?;
            each(one, two);
            self.position.lay([one, two]);
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
