//! Where one box can be carried while all others stand still: the moves of the search for any plan.
//!
//! A box on a square cuts the free squares around it into parts, and the player is in one of them. Which of the box's
//! neighbours lie in one part follows, for every square that the box could stand on, from a single depth-first walk over the
//! free squares with the box lifted (Hopcroft and Tarjan's cut vertices). So all places to which a box can be carried, and how
//! many parts the board has afterwards, cost one walk for each box, and not one for each place.

use super::super::board::{DIRS, Dir, Square};
use super::super::field::Field;
use super::super::walk::Position;
use super::super::{State, Steps};
use beeline_search::Space;

/// How boxes are moved: forwards in time by pushes, backwards by pulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Pushing,
    Pulling,
}

impl Way {
    /// The other way.
    pub(crate) fn back(self) -> Self {
        match self {
            Self::Pushing => Self::Pulling,
            Self::Pulling => Self::Pushing,
        }
    }

    /// Where a search begins: with the start, or with all boxes on goals and the player anywhere.
    pub(crate) fn roots<const N: usize>(self, space: &Steps<N>) -> Vec<State<N>> {
        let board = space.board();
        match self {
            Self::Pushing => vec![space.start()],
            Self::Pulling => {
                let anywhere = (0..board.squares() as Square).filter(|&s| !board.is_goal(s));
                anywhere.map(|player| space.state(player, board.goals())).collect()
            }
        }
    }
}

/// A place to which a box can be carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    /// Where the box is then.
    pub(crate) to: Square,
    /// The way the box was moved last.
    pub(crate) dir: Dir,
    /// Into how many parts the box then cuts the free squares that hang together with it.
    pub(crate) parts: u8,
    /// The sides of the box that the player can get to then, as bits in the order of the directions.
    pub(crate) sides: u8,
    /// On how many squares the player can walk then.
    pub(crate) area: u16,
    /// The place before this one on the way, by its number; the box's own place is the first.
    pub(crate) before: u16,
}

impl Carried {
    /// Where the player is when the box has just been brought here.
    #[inline]
    pub(crate) fn player(&self, field: &Field, way: Way) -> Square {
        let dir = if way == Way::Pushing { self.dir.back() } else { self.dir };
        field.near()[self.to as usize][dir as usize]
    }
}

/// The sides on which nothing stands, as bits.
#[inline(always)]
fn free_sides(field: &Field, position: &Position, at: Square) -> u8 {
    let free = |dir: Dir| u8::from(position.free(field.near()[at as usize][dir as usize]));
    DIRS.into_iter().fold(0, |all, dir| all | free(dir) << dir as u8)
}

/// Finds the places. Its memory is used again and again.
#[derive(Clone, Debug)]
pub(crate) struct Carry {
    /// When each square was found; older than `base` means not at all.
    found: Vec<u32>,
    /// The earliest square that the part of the walk below this one touches.
    low: Vec<u32>,
    /// When the last square below this one was found.
    last: Vec<u32>,
    parent: Vec<Square>,
    /// How many branches below a square hang on it alone.
    branches: Vec<u8>,
    base: u32,
    root: Square,
    stack: Vec<(Square, u8)>,
    met: Vec<u8>,
    /// The places of the last call, the box's own place first.
    pub(crate) places: Vec<Carried>,
}

impl Carry {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self {
            found: vec![0; n],
            low: vec![0; n],
            last: vec![0; n],
            parent: vec![0; n],
            branches: vec![0; n],
            base: 1,
            root: 0,
            stack: Vec::with_capacity(n),
            met: vec![0; n],
            places: Vec::with_capacity(4 * n),
        }
    }

    /// Carries the i-th box. `player` is where the player is, or nothing if it may be on any side.
    pub(crate) fn go(
        &mut self,
        way: Way,
        field: &Field,
        position: &mut Position,
        i: usize,
        player: Option<Square>,
    ) {
        let at = position.boxes[i];
        position.lift(i);
        self.survey(field, position, at);
        let sides = match player {
            Some(player) => self.sides(field, position, at, player),
            None => free_sides(field, position, at),
        };
        self.start(at, sides);
        let mut next = 0;
        while next < self.places.len() {
            let place = self.places[next];
            for dir in DIRS {
                let to = field.near()[place.to as usize][dir as usize];
                // The player stands behind the box to push it, and before it to pull it.
                let stands = if way == Way::Pushing { dir.back() } else { dir };
                if place.sides >> stands as u8 & 1 == 0 {
                    continue;
                }
                if way == Way::Pushing {
                    if position.free(to) && field.alive(to) {
                        self.meet(field, position, to, dir, dir.back(), next);
                    }
                    continue;
                }
                let beyond = field.near()[to as usize][dir as usize];
                if position.free(beyond) {
                    self.meet(field, position, to, dir, dir, next);
                }
            }
            next += 1;
        }
        position.lower(i);
        self.finish();
    }

    fn start(&mut self, at: Square, sides: u8) {
        self.places.clear();
        self.met[at as usize] = sides;
        let parts = self.branches[at as usize];
        self.places.push(Carried { to: at, dir: Dir::Left, parts, sides, area: 0, before: 0 });
    }

    /// Notes a place, with the player beside it on this side, unless the player was met in the same part.
    #[inline]
    fn meet(&mut self, field: &Field, position: &Position, to: Square, dir: Dir, side: Dir, before: usize) {
        if self.met[to as usize] >> side as u8 & 1 == 1 || before > usize::from(u16::MAX) {
            return;
        }
        let player = field.near()[to as usize][side as usize];
        let parts = self.branches[to as usize] + u8::from(to != self.root);
        let (sides, area) = if parts == 1 {
            let whole = self.last[self.root as usize] - self.base;
            (free_sides(field, position, to), whole as u16)
        } else {
            (self.sides(field, position, to, player), self.area(field, to, player))
        };
        self.met[to as usize] |= sides;
        self.places.push(Carried { to, dir, parts, sides, area, before: before as u16 });
    }

    /// How many squares lie in the player's part when the box is on `at`.
    fn area(&self, field: &Field, at: Square, player: Square) -> u16 {
        let part = self.part(field, at, player);
        let mut above = self.last[self.root as usize] - self.base;
        for branch in field.near()[at as usize] {
            let b = branch as usize;
            let began = self.found[b];
            if began >= self.base
                && self.parent[b] == at
                && branch != self.root
                && self.low[b] >= self.found[at as usize]
            {
                let size = self.last[b] - began + 1;
                if part == began {
                    return size as u16;
                }
                above -= size;
            }
        }
        above as u16
    }

    fn finish(&mut self) {
        for place in &self.places {
            self.met[place.to as usize] = 0;
        }
    }

    /// Walks over all free squares that hang together with the root.
    fn survey(&mut self, field: &Field, position: &Position, root: Square) {
        let n = field.squares() as u32 + 1;
        self.base += n;
        if self.base > u32::MAX - 2 * n {
            self.found.fill(0);
            self.base = 1;
        }
        let base = self.base;
        let mut clock = base;
        self.root = root;
        self.open(root, root, clock);
        while let Some((at, side)) = self.stack.last_mut() {
            let at = *at as usize;
            if *side == 4 {
                self.stack.pop();
                self.last[at] = clock;
                if let Some(&(above, _)) = self.stack.last() {
                    let above = above as usize;
                    self.low[above] = self.low[above].min(self.low[at]);
                    self.branches[above] += u8::from(self.low[at] >= self.found[above]);
                }
                continue;
            }
            let to = field.near()[at][*side as usize];
            *side += 1;
            if !position.free(to) {
                continue;
            }
            if self.found[to as usize] < base {
                clock += 1;
                self.open(to, at as Square, clock);
            } else if to != self.parent[at] {
                self.low[at] = self.low[at].min(self.found[to as usize]);
            }
        }
    }

    #[inline]
    fn open(&mut self, square: Square, parent: Square, clock: u32) {
        let at = square as usize;
        self.found[at] = clock;
        self.low[at] = clock;
        self.parent[at] = parent;
        self.branches[at] = 0;
        self.stack.push((square, 0));
    }

    /// The part in which another square lies when the box is on `at`: 0 for everything above it in the walk.
    #[inline]
    fn part(&self, field: &Field, at: Square, square: Square) -> u32 {
        let (a, when) = (at as usize, self.found[square as usize]);
        if when <= self.found[a] || when > self.last[a] {
            return 0;
        }
        for branch in field.near()[a] {
            let b = branch as usize;
            let began = self.found[b];
            if began >= self.base
                && self.parent[b] == at
                && branch != self.root
                && began <= when
                && when <= self.last[b]
            {
                return if self.low[b] >= self.found[a] { began } else { 0 };
            }
        }
        0
    }

    /// The sides of a box on `at` that a player on this square can get to.
    fn sides(&self, field: &Field, position: &Position, at: Square, player: Square) -> u8 {
        if self.found[player as usize] < self.base {
            return 0;
        }
        let part = self.part(field, at, player);
        let mut sides = 0;
        for dir in DIRS {
            let beside = field.near()[at as usize][dir as usize];
            if position.free(beside) && self.part(field, at, beside) == part {
                sides |= 1 << dir as u8;
            }
        }
        sides
    }

    /// The directions in which a box was moved to get to a place.
    pub(crate) fn way(&self, place: usize) -> Vec<Dir> {
        let mut way = Vec::new();
        let mut at = place;
        while at != 0 {
            way.push(self.places[at].dir);
            at = self.places[at].before as usize;
        }
        way.reverse();
        way
    }
}
