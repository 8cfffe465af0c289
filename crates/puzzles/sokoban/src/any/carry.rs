//! Where one box can be carried while all others stand still: the moves of the search for any plan.
//!
//! A box on a square cuts the free squares around it into parts, and the player is in one of them. Which of the box's
//! neighbours lie in one part follows, for every square that the box could stand on, from a single depth-first walk over the
//! free squares with the box lifted (Hopcroft and Tarjan's cut vertices). So all places to which a box can be carried, and how
//! many parts the board has afterwards, cost one walk for each box, and not one for each place.

use super::super::board::{DIRS, Dir, Square};
use super::super::field::Field;
use super::super::walk::{Position, Reach, Reaches};
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

/// Can the box on a square be moved at all, by a player who can get to these squares?
#[inline]
pub(crate) fn movable(way: Way, field: &Field, position: &Position, reach: &Reach, at: Square) -> bool {
    let near = field.near();
    (0..4).any(|d| {
        let beside = near[at as usize][d];
        reach.reaches(beside)
            && match way {
                Way::Pushing => position.free(near[at as usize][d ^ 1]),
                Way::Pulling => position.free(near[beside as usize][d]),
            }
    })
}

/// The sides on which nothing stands, as bits.
#[inline(always)]
fn free_sides(field: &Field, position: &Position, at: Square) -> u8 {
    let free = |dir: Dir| u8::from(position.free(field.near()[at as usize][dir as usize]));
    DIRS.into_iter().fold(0, |all, dir| all | free(dir) << dir as u8)
}

/// What the walk knows of a square.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// When it was found; earlier than the walk's base means not at all.
    found: u32,
    /// The earliest square that the part of the walk below this one touches.
    low: u32,
    /// When the last square below this one was found.
    last: u32,
    parent: Square,
    /// How many branches below it hang on it alone.
    branches: u8,
    /// The side to look at next.
    side: u8,
}

/// Finds the places. Its memory is used again and again.
#[derive(Clone, Debug)]
pub(crate) struct Carry {
    marks: Vec<Mark>,
    base: u32,
    root: Square,
    met: Vec<u8>,
    /// The places of the last call, the box's own place first.
    pub(crate) places: Vec<Carried>,
}

impl Carry {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self {
            marks: vec![Mark::default(); n],
            base: 1,
            root: 0,
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
        let parts = self.marks[at as usize].branches;
        self.places.push(Carried { to: at, dir: Dir::Left, parts, sides, area: 0, before: 0 });
    }

    /// Notes a place, with the player beside it on this side, unless the player was met in the same part.
    #[inline]
    fn meet(&mut self, field: &Field, position: &Position, to: Square, dir: Dir, side: Dir, before: usize) {
        if self.met[to as usize] >> side as u8 & 1 == 1 || before > usize::from(u16::MAX) {
            return;
        }
        let player = field.near()[to as usize][side as usize];
        let parts = self.marks[to as usize].branches + u8::from(to != self.root);
        let (sides, area) = if parts == 1 {
            (free_sides(field, position, to), self.whole() as u16)
        } else {
            (self.sides(field, position, to, player), self.area(field, to, player))
        };
        self.met[to as usize] |= sides;
        self.places.push(Carried { to, dir, parts, sides, area, before: before as u16 });
    }

    /// The branches of the walk below a square, by their first squares.
    #[inline(always)]
    fn below<'a>(&'a self, field: &'a Field, at: Square) -> impl Iterator<Item = &'a Mark> + 'a {
        let near = field.near()[at as usize].into_iter().filter(|&branch| branch != self.root);
        near.map(|branch| &self.marks[branch as usize])
            .filter(move |mark| mark.found >= self.base && mark.parent == at)
    }

    /// How many squares lie in the player's part when the box is on `at`.
    fn area(&self, field: &Field, at: Square, player: Square) -> u16 {
        let part = self.part(field, at, player);
        let mut above = self.whole();
        for branch in self.below(field, at).filter(|branch| branch.low >= self.marks[at as usize].found) {
            let size = branch.last - branch.found + 1;
            if part == branch.found {
                return size as u16;
            }
            above -= size;
        }
        above as u16
    }

    /// How many squares hang together with the root, itself left out.
    #[inline(always)]
    fn whole(&self) -> u32 {
        self.marks[self.root as usize].last - self.base
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
            self.marks.fill(Mark::default());
            self.base = 1;
        }
        self.root = root;
        let (marks, base) = (&mut self.marks, self.base);
        let begun = |parent: Square, clock: u32| Mark { found: clock, low: clock, parent, ..Mark::default() };
        let mut clock = base;
        let mut at = root;
        marks[at as usize] = begun(at, clock);
        'squares: loop {
            let Mark { mut low, parent, side, .. } = marks[at as usize];
            let near = field.near()[at as usize];
            for side in side..4 {
                let to = near[side as usize];
                if !position.free(to) {
                    continue;
                }
                let found = marks[to as usize].found;
                if found < base {
                    let mark = &mut marks[at as usize];
                    (mark.low, mark.side) = (low, side + 1);
                    clock += 1;
                    marks[to as usize] = begun(at, clock);
                    at = to;
                    continue 'squares;
                }
                if to != parent {
                    low = low.min(found);
                }
            }
            let mark = &mut marks[at as usize];
            (mark.low, mark.last) = (low, clock);
            if at == root {
                return;
            }
            let above = &mut marks[parent as usize];
            above.low = above.low.min(low);
            above.branches += u8::from(low >= above.found);
            at = parent;
        }
    }

    /// The part in which another square lies when the box is on `at`: 0 for everything above it in the walk.
    #[inline]
    fn part(&self, field: &Field, at: Square, square: Square) -> u32 {
        let (mark, when) = (&self.marks[at as usize], self.marks[square as usize].found);
        if when <= mark.found || when > mark.last {
            return 0;
        }
        let branch = self.below(field, at).find(|branch| branch.found <= when && when <= branch.last);
        branch.filter(|branch| branch.low >= mark.found).map_or(0, |branch| branch.found)
    }

    /// The sides of a box on `at` that a player on this square can get to.
    fn sides(&self, field: &Field, position: &Position, at: Square, player: Square) -> u8 {
        if self.marks[player as usize].found < self.base {
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
