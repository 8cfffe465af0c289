//! The position of a push search, and the reach of the player in it.

use beeline_search::Random;

use super::board::{Dir, Square};
use super::field::Field;

/// The contents of a square.
const FREE: u8 = 0;
const BOX: u8 = 1;
const WALL: u8 = 2;
/// In a copy of a position: the player can reach this square.
const HERE: u8 = 3;

/// Boxes and player, with the contents of each square. The square `squares` is a sentinel wall.
#[derive(Clone, Debug)]
pub struct Position {
    /// The squares of the boxes, in no special order.
    pub boxes: Vec<Square>,
    /// The player's square.
    pub player: Square,
    holds: Vec<u8>,
}

impl Position {
    /// No boxes; the player's square is arbitrary.
    pub fn new(field: &Field) -> Self {
        let mut holds = vec![FREE; field.squares() + 1];
        holds[field.squares()] = WALL;
        Self { boxes: Vec::with_capacity(field.board().boxes().len()), player: 0, holds }
    }

    /// Removes all boxes.
    #[inline]
    pub fn clear(&mut self) {
        for &at in &self.boxes {
            self.holds[at as usize] = FREE;
        }
        self.boxes.clear();
    }

    /// Replaces all boxes.
    #[inline]
    pub fn set_boxes(&mut self, boxes: impl IntoIterator<Item = Square>) {
        self.clear();
        boxes.into_iter().for_each(|at| self.put(at));
    }

    /// The start of a level.
    pub fn start(field: &Field) -> Self {
        let mut start = Self { player: field.board().player(), ..Self::new(field) };
        start.set_boxes(field.board().boxes().iter().copied());
        start
    }

    /// Adds a box.
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

    /// Removes the i-th box; the last one takes its index.
    #[inline]
    pub(crate) fn remove(&mut self, i: usize) {
        self.holds[self.boxes[i] as usize] = FREE;
        self.boxes.swap_remove(i);
    }

    /// Frees the square of the i-th box for a moment; the box keeps its index.
    #[inline(always)]
    pub(crate) fn lift(&mut self, i: usize) {
        self.holds[self.boxes[i] as usize] = FREE;
    }

    /// Puts the lifted i-th box back.
    #[inline(always)]
    pub(crate) fn lower(&mut self, i: usize) {
        self.holds[self.boxes[i] as usize] = BOX;
    }

    /// Turns a free square into a wall.
    #[inline(always)]
    pub(crate) fn wall_up(&mut self, square: Square) {
        self.holds[square as usize] = WALL;
    }

    /// Turns a wall back into a free square.
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

    /// Is a wall here, or a box that counts as one?
    #[inline(always)]
    pub fn walled(&self, square: Square) -> bool {
        self.holds[square as usize] == WALL
    }

    /// Makes a box count as a wall, or as a box again.
    #[inline(always)]
    pub(crate) fn count_as_wall(&mut self, square: Square, as_wall: bool) {
        self.holds[square as usize] = if as_wall { WALL } else { BOX };
    }
}

/// The share of a box in the hash of a set of boxes (Zobrist 1970).
#[inline]
pub(crate) fn zobrist(square: Square) -> u64 {
    Random::new(square.into()).bits()
}

/// Are the free sides of a square connected through its eight neighbours?
#[inline]
pub(crate) fn connected_around(field: &Field, at: Square, free: impl Fn(Square) -> bool) -> bool {
    let near = field.near();
    let [left, right, up, down] = near[at as usize];
    let round = [(left, Dir::Up), (up, Dir::Right), (right, Dir::Down), (down, Dir::Left)];
    // The number of components is the number of sides less the corners that join two of them.
    let (mut sides, mut corners) = (0, 0);
    for (k, (side, turn)) in round.into_iter().enumerate() {
        let next = round[(k + 1) % 4].0;
        sides += u32::from(free(side));
        corners += u32::from(free(side) && free(next) && free(near[side as usize][turn as usize]));
    }
    sides <= corners + 1
}

/// The squares that the player can reach, with the steps to each.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The position with [`HERE`] on every square that was reached.
    holds: Vec<u8>,
    distance: Vec<u16>,
    reached: Vec<Square>,
}

impl Reach {
    /// Room for a board.
    pub fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self { holds: vec![WALL; n], distance: vec![0; n], reached: Vec::with_capacity(n) }
    }

    /// Computes reach and distances from a square.
    #[inline]
    pub fn flood(&mut self, field: &Field, position: &Position, from: Square) {
        self.holds.copy_from_slice(&position.holds);
        self.holds[from as usize] = HERE;
        self.distance[from as usize] = 0;
        self.reached.clear();
        self.reached.push(from);
        let mut next = 0;
        while let Some(&at) = self.reached.get(next) {
            next += 1;
            let far = self.distance[at as usize] + 1;
            for to in field.near()[at as usize] {
                if self.holds[to as usize] == FREE {
                    self.holds[to as usize] = HERE;
                    self.distance[to as usize] = far;
                    self.reached.push(to);
                }
            }
        }
    }

    /// Can the player get there?
    #[inline(always)]
    pub fn reaches(&self, square: Square) -> bool {
        self.holds[square as usize] == HERE
    }

    /// Steps to a square; valid only for squares that are reached.
    #[inline(always)]
    pub fn distance(&self, square: Square) -> u16 {
        self.distance[square as usize]
    }

    /// All squares reached, nearest first.
    #[inline(always)]
    pub fn reached(&self) -> &[Square] {
        &self.reached
    }

    /// The least square reached, which represents the region.
    #[inline]
    pub fn region(&self) -> Square {
        self.reached.iter().copied().min().unwrap_or_default()
    }

    /// The least square reached after a push, if it follows from this reach, of which `least` is the least
    /// square; `position` is the one after the push. It follows if the box opens no new ground, and if the
    /// squares around it stay connected without the square that it takes.
    #[inline]
    pub(crate) fn region_after_push(
        &self,
        (field, position): (&Field, &Position),
        least: Square,
        (from, to): (Square, Square),
    ) -> Option<Square> {
        let new = |&beside: &Square| position.free(beside) && !self.reaches(beside);
        let around = |square| position.free(square) && (self.reaches(square) || square == from);
        let same = !field.near()[from as usize].iter().any(new)
            && (!self.reaches(to) || connected_around(field, to, around));
        (same && to != least).then(|| least.min(from))
    }

    /// Connectivity: regions into which the boxes cut the free squares of the position.
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
