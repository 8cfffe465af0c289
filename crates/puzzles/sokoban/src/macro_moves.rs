//! Macro moves: the squares to which one box can be pushed or pulled while all others stand still.
//!
//! A box on a square cuts the free squares around it into regions, and the player is in one of them. A depth-first walk over the free
//! squares finds the cut vertices (Hopcroft and Tarjan 1973), which tell for every square which of its neighbours stay connected
//! without it. The square that the box has left joins the regions around it. So one walk gives all macro moves of all boxes, with the
//! connectivity after each, instead of one walk for each.

use super::board::{DIRS, Dir, NOWHERE, Square};
use super::field::Field;
use super::walk::{Position, Reach, Reaches};
use crate::Steps;
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

    /// The keys with which a search begins: the start, or all boxes on goals and the player in each region of the board.
    pub(crate) fn roots<const N: usize>(self, space: &Steps<N>, field: &Field) -> Vec<[u64; N]> {
        let (mut position, mut walk) = (Position::start(field), Reach::new(field));
        if self == Self::Pushing {
            walk.flood(field, &position, position.player);
            return vec![space.pack(&space.state(walk.region(), &position.boxes))];
        }
        let goals = space.board().goals();
        position.lay(goals.iter().copied());
        let mut known = vec![false; field.squares()];
        let mut roots = Vec::new();
        for player in 0..field.squares() as Square {
            if position.free(player) && !known[player as usize] {
                walk.flood(field, &position, player);
                for &at in walk.reached() {
                    known[at as usize] = true;
                }
                roots.push(space.pack(&space.state(player, goals)));
            }
        }
        roots
    }
}

/// A place to which a box can be carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MacroMove {
    /// Where the box is then.
    pub(crate) to: Square,
    /// The way the box was moved last.
    pub(crate) dir: Dir,
    /// Into how many regions the box then cuts the free squares that hang together with it.
    pub(crate) connectivity: u8,
    /// The sides of the box that the player can get to then, as bits in the order of the directions.
    pub(crate) sides: u8,
    /// On how many squares the player can walk then.
    pub(crate) area: u16,
    /// The place before this one on the way, by its number; the box's own place is the first.
    pub(crate) before: u16,
}

impl MacroMove {
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
    /// When it was found, from one on; 0 means not at all.
    found: u16,
    /// The earliest square that the part of the walk below this one touches.
    low: u16,
    /// When the last square below this one was found.
    last: u16,
    /// The square from which it was found; for the first of an area, itself.
    parent: Square,
    /// The area that it lies in: all free squares that hang together.
    area: u16,
    /// Into how many parts its area falls without it.
    connectivity: u8,
    /// The side to look at next.
    side: u8,
}

/// The square that a box has left.
#[derive(Clone, Copy, Debug, Default)]
struct Left {
    /// [`NOWHERE`] if the box was on none.
    at: Square,
    /// How many squares hang together now, itself left out, in areas that were so many before.
    size: u16,
    areas: u8,
}

/// Finds the places. Its memory is used again and again.
#[derive(Clone, Debug)]
pub(crate) struct MacroMoves {
    marks: Vec<Mark>,
    /// How many squares each area has.
    areas: Vec<u16>,
    left: Left,
    met: Vec<u8>,
    /// The places of the last box that was carried, its own place first.
    pub(crate) places: Vec<MacroMove>,
}

impl MacroMoves {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self {
            marks: vec![Mark::default(); n],
            areas: Vec::new(),
            left: Left::default(),
            met: vec![0; n],
            places: Vec::with_capacity(4 * n),
        }
    }

    /// Carries the i-th box of a position that nobody has surveyed.
    pub(crate) fn go(
        &mut self,
        way: Way,
        field: &Field,
        position: &mut Position,
        i: usize,
        player: Option<Square>,
    ) {
        self.survey(field, position);
        self.carry(way, field, position, i, player);
    }

    /// Carries the i-th box of the position that was surveyed last. `player` is where the player is, or nothing if it may be
    /// on any side.
    pub(crate) fn carry(
        &mut self,
        way: Way,
        field: &Field,
        position: &mut Position,
        i: usize,
        player: Option<Square>,
    ) {
        self.carry_until(way, field, position, i, player, |_| false);
    }

    /// The same, until a place is found that is good enough.
    #[inline]
    pub(crate) fn carry_until(
        &mut self,
        way: Way,
        field: &Field,
        position: &mut Position,
        i: usize,
        player: Option<Square>,
        good: impl Fn(Square) -> bool,
    ) -> Option<MacroMove> {
        let at = position.boxes[i];
        position.lift(i);
        self.leave(field, at);
        let sides = match player.map(|player| &self.marks[player as usize]) {
            None => free_sides(field, position, at),
            Some(mark) if mark.found > 0 => self.sides_in(field, at, mark.area),
            Some(_) => 0,
        };
        self.start(at, sides);
        let found = self.spread(way, field, position, good);
        position.lower(i);
        found
    }

    /// Carries a box that was not there when the position was surveyed, with the player on any side of it.
    pub(crate) fn carry_new(&mut self, way: Way, field: &Field, position: &Position, at: Square) {
        let mark = self.marks[at as usize];
        self.left =
            Left { at: NOWHERE, size: self.areas[usize::from(mark.area)] - 1, areas: mark.connectivity };
        self.start(at, free_sides(field, position, at));
        self.spread(way, field, position, |_| false);
    }

    /// Finds all places from the first one on, or until one is good enough.
    #[inline]
    fn spread(
        &mut self,
        way: Way,
        field: &Field,
        position: &Position,
        good: impl Fn(Square) -> bool,
    ) -> Option<MacroMove> {
        let (mut next, mut found) = (0, None);
        'places: while next < self.places.len() {
            let place = self.places[next];
            for dir in DIRS {
                let to = field.near()[place.to as usize][dir as usize];
                // The player stands behind the box to push it, and before it to pull it.
                let box_states = if way == Way::Pushing { dir.back() } else { dir };
                if place.sides >> box_states as u8 & 1 == 0 {
                    continue;
                }
                let free = match way {
                    Way::Pushing => position.free(to) && field.alive(to),
                    Way::Pulling => position.free(field.near()[to as usize][dir as usize]),
                };
                if free && self.meet(field, position, to, dir, box_states, next) && good(to) {
                    found = self.places.last().copied();
                    break 'places;
                }
            }
            next += 1;
        }
        self.finish();
        found
    }

    /// Takes the box on a square away.
    fn leave(&mut self, field: &Field, at: Square) {
        let (mut size, mut areas) = (0, 0);
        let around = field.near()[at as usize].map(|beside| self.marks[beside as usize]);
        for (k, mark) in around.iter().enumerate().filter(|(_, mark)| mark.found > 0) {
            let new = around[..k].iter().all(|other| other.found == 0 || other.area != mark.area);
            if new {
                size += self.areas[usize::from(mark.area)];
                areas += 1;
            }
        }
        self.left = Left { at, size, areas };
    }

    fn start(&mut self, at: Square, sides: u8) {
        let areas = self.left.areas;
        self.places.clear();
        self.met[at as usize] = sides;
        self.places.push(MacroMove {
            to: at,
            dir: Dir::Left,
            connectivity: areas,
            sides,
            area: 0,
            before: 0,
        });
    }

    /// Notes a place, with the player beside it on this side, unless the player was met in the same part. Is it new?
    #[inline]
    fn meet(
        &mut self,
        field: &Field,
        position: &Position,
        to: Square,
        dir: Dir,
        side: Dir,
        before: usize,
    ) -> bool {
        if self.met[to as usize] >> side as u8 & 1 == 1 || before > usize::from(u16::MAX) {
            return false;
        }
        let near = field.near()[to as usize];
        let (connectivity, sides, area) = if to == self.left.at {
            self.back_again(field, near[side as usize])
        } else if self.marks[to as usize].connectivity == 1
            && near.iter().all(|&beside| beside != self.left.at)
        {
            (1, free_sides(field, position, to), self.left.size)
        } else {
            self.between_parts(field, to, near[side as usize])
        };
        self.met[to as usize] |= sides;
        self.places.push(MacroMove { to, dir, connectivity, sides, area, before: before as u16 });
        true
    }

    /// Parts, the sides that the player can get to, and the player's ground, for a box that is where it was.
    fn back_again(&self, field: &Field, player: Square) -> (u8, u8, u16) {
        let Left { at, areas, .. } = self.left;
        let area = self.marks[player as usize].area;
        (areas, self.sides_in(field, at, area), self.areas[usize::from(area)])
    }

    /// The same for a box on a square without which its area may fall into parts; those that touch the square that it left hang
    /// together nevertheless.
    fn between_parts(&self, field: &Field, to: Square, player: Square) -> (u8, u8, u16) {
        let (near, mark) = (field.near(), self.marks[to as usize]);
        let size = self.areas[usize::from(mark.area)];
        // The parts that are joined, each once; how large they are together with the other areas around, and how many parts that makes.
        let (mut joined, mut count) = ([0; 4], 0);
        let mut ground = self.left.size + 1 - size;
        let mut connectivity = mark.connectivity + u8::from(self.left.at != NOWHERE);
        let around = near.get(self.left.at as usize).copied().unwrap_or([to; 4]);
        for beside in around {
            let other = &self.marks[beside as usize];
            if beside == to || other.found == 0 || other.area != mark.area {
                continue;
            }
            let part = self.part(field, to, beside);
            if !joined[..count].contains(&part) {
                joined[count] = part;
                count += 1;
                ground += self.size(field, to, part);
                connectivity -= 1;
            }
        }
        let home = |square: Square| {
            let part = if square == self.left.at { None } else { Some(self.part(field, to, square)) };
            part.filter(|part| !joined[..count].contains(part))
        };
        let part = home(player);
        let mut sides = 0;
        for dir in DIRS {
            let beside = near[to as usize][dir as usize];
            let free = beside == self.left.at || self.marks[beside as usize].found > 0;
            sides |= u8::from(free && home(beside) == part) << dir as u8;
        }
        (connectivity, sides, part.map_or(ground, |part| self.size(field, to, part)))
    }

    /// The sides of a square that lie in an area.
    fn sides_in(&self, field: &Field, at: Square, area: u16) -> u8 {
        let mut sides = 0;
        for dir in DIRS {
            let mark = &self.marks[field.near()[at as usize][dir as usize] as usize];
            sides |= u8::from(mark.found > 0 && mark.area == area) << dir as u8;
        }
        sides
    }

    /// The branches of the walk below a square, by their first squares.
    #[inline(always)]
    fn below<'a>(&'a self, field: &'a Field, at: Square) -> impl Iterator<Item = &'a Mark> + 'a {
        let found = self.marks[at as usize].found;
        let near = field.near()[at as usize].into_iter().map(|branch| &self.marks[branch as usize]);
        near.filter(move |mark| mark.found > found && mark.parent == at)
    }

    /// The part in which another square of its area lies when the box is on `at`: when its first square was found, or 0 for what lies
    /// above.
    #[inline]
    fn part(&self, field: &Field, at: Square, square: Square) -> u16 {
        let (mark, when) = (&self.marks[at as usize], self.marks[square as usize].found);
        if when <= mark.found || when > mark.last {
            return 0;
        }
        let branch = self.below(field, at).find(|branch| branch.found <= when && when <= branch.last);
        branch.filter(|branch| branch.low >= mark.found).map_or(0, |branch| branch.found)
    }

    /// How many squares a part has when the box is on `at`.
    fn size(&self, field: &Field, at: Square, part: u16) -> u16 {
        let mark = &self.marks[at as usize];
        let mut above = self.areas[usize::from(mark.area)] - 1;
        for branch in self.below(field, at).filter(|branch| branch.low >= mark.found) {
            let size = branch.last - branch.found + 1;
            if part == branch.found {
                return size;
            }
            above -= size;
        }
        above
    }

    fn finish(&mut self) {
        for place in &self.places {
            self.met[place.to as usize] = 0;
        }
    }

    /// Walks over all free squares of a position, area by area.
    pub(crate) fn survey(&mut self, field: &Field, position: &Position) {
        self.marks.fill(Mark::default());
        self.areas.clear();
        let mut clock = 0;
        for root in 0..field.squares() as Square {
            if position.free(root) && self.marks[root as usize].found == 0 {
                let end = self.walk(field, position, root, clock);
                self.areas.push(end - clock);
                clock = end;
            }
        }
    }

    /// Walks over all free squares that hang together with one, and gives the time of the last.
    fn walk(&mut self, field: &Field, position: &Position, root: Square, mut clock: u16) -> u16 {
        let area = self.areas.len() as u16;
        let marks = &mut self.marks[..];
        // There is a part above every square but the first.
        let begun = |parent: Square, clock: u16, connectivity: u8| Mark {
            found: clock,
            low: clock,
            parent,
            area,
            connectivity,
            ..Mark::default()
        };
        let mut at = root;
        clock += 1;
        marks[at as usize] = begun(at, clock, 0);
        'squares: loop {
            let Mark { mut low, parent, side, .. } = marks[at as usize];
            let near = field.near()[at as usize];
            for side in side..4 {
                let to = near[side as usize];
                if !position.free(to) {
                    continue;
                }
                let found = marks[to as usize].found;
                if found == 0 {
                    let mark = &mut marks[at as usize];
                    (mark.low, mark.side) = (low, side + 1);
                    clock += 1;
                    marks[to as usize] = begun(at, clock, 1);
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
                return clock;
            }
            let above = &mut marks[parent as usize];
            above.low = above.low.min(low);
            above.connectivity += u8::from(low >= above.found);
            at = parent;
        }
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
