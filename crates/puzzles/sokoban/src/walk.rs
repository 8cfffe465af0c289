//! A position that a push search works on, and where the player can walk in it.

use super::board::Square;
use super::field::Field;

/// What blocks a square.
const FREE: u8 = 0;
const BOX: u8 = 1;
const WALL: u8 = 2;
/// In a copy of a position: the player can get here.
const HERE: u8 = 3;

/// Boxes and player, with what each square holds. The square numbered `squares` is a wall that stands for all walls.
#[derive(Clone, Debug)]
pub struct Position {
    /// Where the boxes are, in no special order.
    pub boxes: Vec<Square>,
    /// Where the player is.
    pub player: Square,
    holds: Vec<u8>,
}

impl Position {
    /// No boxes; the player nowhere in particular.
    pub fn new(field: &Field) -> Self {
        let mut holds = vec![FREE; field.squares() + 1];
        holds[field.squares()] = WALL;
        Self { boxes: Vec::with_capacity(field.board().boxes().len()), player: 0, holds }
    }

    /// Takes all boxes off.
    #[inline]
    pub fn clear(&mut self) {
        for &at in &self.boxes {
            self.holds[at as usize] = FREE;
        }
        self.boxes.clear();
    }

    /// Takes all boxes off and puts others down.
    #[inline]
    pub fn lay(&mut self, boxes: impl IntoIterator<Item = Square>) {
        self.clear();
        boxes.into_iter().for_each(|at| self.put(at));
    }

    /// The start of a level.
    pub fn start(field: &Field) -> Self {
        let mut start = Self { player: field.board().player(), ..Self::new(field) };
        start.lay(field.board().boxes().iter().copied());
        start
    }

    /// Puts one more box down.
    #[inline]
    pub fn put(&mut self, square: Square) {
        self.holds[square as usize] = BOX;
        self.boxes.push(square);
    }

    /// Moves the i-th box.
    #[inline]
    pub fn shift(&mut self, i: usize, to: Square) {
        self.holds[self.boxes[i] as usize] = FREE;
        self.holds[to as usize] = BOX;
        self.boxes[i] = to;
    }

    /// Takes the i-th box off; the last one gets its number.
    #[inline]
    pub(crate) fn remove(&mut self, i: usize) {
        self.holds[self.boxes[i] as usize] = FREE;
        self.boxes.swap_remove(i);
    }

    /// Takes the i-th box up for a moment: its square is free, and it keeps its place in the list.
    #[inline(always)]
    pub(crate) fn lift(&mut self, i: usize) {
        self.holds[self.boxes[i] as usize] = FREE;
    }

    /// Sets the i-th box down again where it was.
    #[inline(always)]
    pub(crate) fn lower(&mut self, i: usize) {
        self.holds[self.boxes[i] as usize] = BOX;
    }

    /// Builds a wall on a free square.
    #[inline(always)]
    pub(crate) fn wall_up(&mut self, square: Square) {
        self.holds[square as usize] = WALL;
    }

    /// Makes a square free that was walled up.
    #[inline(always)]
    pub(crate) fn open(&mut self, square: Square) {
        self.holds[square as usize] = FREE;
    }

    /// Is nothing here?
    #[inline(always)]
    pub fn free(&self, square: Square) -> bool {
        self.holds[square as usize] == FREE
    }

    /// Is a box here?
    #[inline(always)]
    pub fn boxed(&self, square: Square) -> bool {
        self.holds[square as usize] == BOX
    }

    /// Is a wall here, or a box that is for the moment to count as one?
    #[inline(always)]
    pub fn walled(&self, square: Square) -> bool {
        self.holds[square as usize] == WALL
    }

    /// Makes a box count as a wall, or no longer.
    #[inline(always)]
    pub(crate) fn harden(&mut self, square: Square, hard: bool) {
        self.holds[square as usize] = if hard { WALL } else { BOX };
    }
}

/// Squares to which the player can get.
pub trait Reaches {
    /// Can the player get there?
    fn reaches(&self, square: Square) -> bool;

    /// All of them, those that were reached first at the front.
    fn reached(&self) -> &[Square];

    /// The least of them, which stands for all.
    #[inline]
    fn region(&self) -> Square {
        self.reached().iter().copied().min().unwrap_or_default()
    }
}

/// Where the player can walk.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The position with [`HERE`] on every square that was reached.
    holds: Vec<u8>,
    reached: Vec<Square>,
}

impl Reach {
    /// Room for a board.
    pub fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self { holds: vec![WALL; n], reached: Vec::with_capacity(n) }
    }

    /// Walks everywhere from a square.
    #[inline]
    pub fn flood(&mut self, field: &Field, position: &Position, from: Square) {
        self.holds.copy_from_slice(&position.holds);
        self.holds[from as usize] = HERE;
        self.reached.clear();
        self.reached.push(from);
        let mut next = 0;
        while let Some(&at) = self.reached.get(next) {
            next += 1;
            for to in field.near()[at as usize] {
                if self.holds[to as usize] == FREE {
                    self.holds[to as usize] = HERE;
                    self.reached.push(to);
                }
            }
        }
    }

    /// Into how many parts the boxes cut the free squares of the position.
    pub(crate) fn connectivity(&self, field: &Field) -> u16 {
        let mut connectivity = 1;
        let mut holds = self.holds.clone();
        let mut todo: Vec<Square> = Vec::new();
        for from in 0..field.squares() as Square {
            if holds[from as usize] != FREE {
                continue;
            }
            connectivity += 1;
            holds[from as usize] = HERE;
            todo.push(from);
            while let Some(at) = todo.pop() {
                for to in field.near()[at as usize] {
                    if holds[to as usize] == FREE {
                        holds[to as usize] = HERE;
                        todo.push(to);
                    }
                }
            }
        }
        connectivity
    }
}

impl Reaches for Reach {
    #[inline(always)]
    fn reaches(&self, square: Square) -> bool {
        self.holds[square as usize] == HERE
    }

    #[inline(always)]
    fn reached(&self) -> &[Square] {
        &self.reached
    }
}

/// Where the player can walk, and how far it is.
#[derive(Clone, Debug)]
pub struct Walk {
    /// Round in the upper half, distance in the lower: a square was reached if its round is the present one.
    marks: Vec<u32>,
    round: u32,
    /// The squares reached, nearest first.
    reached: Vec<Square>,
}

const ROUND: u32 = 1 << 16;

impl Walk {
    /// Room for a board.
    pub fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self { marks: vec![0; n], round: 0, reached: Vec::with_capacity(n) }
    }

    /// Walks everywhere from a square.
    #[inline]
    pub fn flood(&mut self, field: &Field, position: &Position, from: Square) {
        self.round = self.round.wrapping_add(ROUND);
        if self.round == 0 {
            self.marks.fill(0);
            self.round = ROUND;
        }
        self.reached.clear();
        self.reached.push(from);
        self.marks[from as usize] = self.round;
        let mut head = 0;
        while head < self.reached.len() {
            let at = self.reached[head] as usize;
            head += 1;
            let far = self.marks[at] + 1;
            for to in field.near()[at] {
                if position.free(to) && self.marks[to as usize] < self.round {
                    self.marks[to as usize] = far;
                    self.reached.push(to);
                }
            }
        }
    }

    /// How many steps it takes; only of squares that are reached.
    #[inline(always)]
    pub fn distance(&self, square: Square) -> u16 {
        self.marks[square as usize] as u16
    }
}

impl Reaches for Walk {
    #[inline(always)]
    fn reaches(&self, square: Square) -> bool {
        self.marks[square as usize] >= self.round
    }

    #[inline(always)]
    fn reached(&self) -> &[Square] {
        &self.reached
    }
}
