//! Macro moves (Junghanns and Schaeffer 2001): the squares to which one box can be pushed or pulled while all
//! others stand still.
//!
//! A box on a square cuts the free squares around it into regions, and the player is in one of them. A
//! depth-first walk over the free squares finds the cut vertices (Hopcroft and Tarjan 1973). They tell for
//! every square which of its neighbours stay connected without it. The square that the box has left joins the
//! regions around it. So one walk gives all macro moves of all boxes, with the connectivity after each.

use super::board::{DIRS, Dir, NOWHERE, Square};
use super::field::Field;
use super::walk::{Position, Reach};
use crate::Steps;
use beeline_search::Space;

/// Do boxes move by pushes (forward search) or by pulls (backward search)?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveKind {
    Push,
    Pull,
}

impl MoveKind {
    /// The opposite kind.
    pub(crate) fn back(self) -> Self {
        match self {
            Self::Push => Self::Pull,
            Self::Pull => Self::Push,
        }
    }

    /// The root keys of a search: the start, or all boxes on goals with the player in each region of the
    /// board.
    pub(crate) fn roots<const N: usize>(self, space: &Steps<N>, field: &Field) -> Vec<[u64; N]> {
        let (mut position, mut walk) = (Position::start(field), Reach::new(field));
        if self == Self::Push {
            walk.flood(field, &position, position.player);
            return vec![space.pack(&space.state(walk.region(), &position.boxes))];
        }
        let goals = space.board().goals();
        position.set_boxes(goals.iter().copied());
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

/// One destination of a macro move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MacroMove {
    /// The square of the box after the move.
    pub(crate) to: Square,
    /// The direction of the last push or pull.
    pub(crate) dir: Dir,
    /// Connectivity around the box after the move: regions into which it cuts its area of free squares.
    pub(crate) connectivity: u8,
    /// The sides of the box that the player can reach after the move, as bits in the order of the directions.
    pub(crate) sides: u8,
    /// Squares that the player can reach after the move.
    pub(crate) area: u16,
    /// The number of pushes or pulls.
    pub(crate) pushes: u16,
    /// Index of the preceding place on the path of the box; the origin of the box has index 0.
    pub(crate) before: u16,
}

impl MacroMove {
    /// The player's square right after the move.
    #[inline]
    pub(crate) fn player(&self, field: &Field, kind: MoveKind) -> Square {
        let dir = if kind == MoveKind::Push { self.dir.back() } else { self.dir };
        field.near()[self.to as usize][dir as usize]
    }
}

/// Can the box on a square be moved at all by a player with this reach?
#[inline]
pub(crate) fn movable(kind: MoveKind, field: &Field, position: &Position, reach: &Reach, at: Square) -> bool {
    let near = field.near();
    (0..4).any(|d| {
        let beside = near[at as usize][d];
        reach.reaches(beside)
            && match kind {
                MoveKind::Push => position.free(near[at as usize][d ^ 1]),
                MoveKind::Pull => position.free(near[beside as usize][d]),
            }
    })
}

/// The free sides of a square, as bits.
#[inline(always)]
fn free_sides(field: &Field, position: &Position, at: Square) -> u8 {
    let free = |dir: Dir| u8::from(position.free(field.near()[at as usize][dir as usize]));
    DIRS.into_iter().fold(0, |all, dir| all | free(dir) << dir as u8)
}

/// What the depth-first walk records for a square.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// Discovery time, from 1; 0 means not found.
    found: u16,
    /// The low point of Tarjan's algorithm: the earliest discovery time adjacent to the subtree.
    low: u16,
    /// Discovery time of the last square in the subtree.
    last: u16,
    /// The parent in the depth-first tree; the root of an area is its own parent.
    parent: Square,
    /// The index of its area. An area is a connected component of the free squares.
    area: u16,
    /// Components into which its area falls without this square.
    connectivity: u8,
    /// The next side to explore.
    side: u8,
}

/// The square that the moving box has left.
#[derive(Clone, Copy, Debug, Default)]
struct Vacated {
    /// [`NOWHERE`] if the box was on none.
    at: Square,
    /// Squares of the areas that this square joins, itself not counted, and the number of these areas.
    size: u16,
    areas: u8,
}

/// Generates macro moves. Its memory is reused.
#[derive(Clone, Debug)]
pub(crate) struct MacroMoves {
    marks: Vec<Mark>,
    /// Squares of each area.
    areas: Vec<u16>,
    vacated: Vacated,
    met_sides: Vec<u8>,
    /// The destinations of the last box, its origin first.
    pub(crate) places: Vec<MacroMove>,
}

impl MacroMoves {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self {
            marks: vec![Mark::default(); n],
            areas: Vec::new(),
            vacated: Vacated::default(),
            met_sides: vec![0; n],
            places: Vec::with_capacity(4 * n),
        }
    }

    /// Surveys a position and generates the macro moves of its i-th box.
    pub(crate) fn survey_and_generate(
        &mut self,
        kind: MoveKind,
        field: &Field,
        position: &mut Position,
        i: usize,
        player: Option<Square>,
    ) {
        self.survey(field, position);
        self.generate(kind, field, position, i, player);
    }

    /// Generates the macro moves of the i-th box of the position surveyed last. With `player` as `None`, the
    /// player may be on any side of the box.
    pub(crate) fn generate(
        &mut self,
        kind: MoveKind,
        field: &Field,
        position: &mut Position,
        i: usize,
        player: Option<Square>,
    ) {
        self.generate_until(kind, field, position, i, player, |_| false);
    }

    /// Like [`generate`](Self::generate), but stops at the first destination that is a target and returns it.
    #[inline]
    pub(crate) fn generate_until(
        &mut self,
        kind: MoveKind,
        field: &Field,
        position: &mut Position,
        i: usize,
        player: Option<Square>,
        is_target: impl Fn(Square) -> bool,
    ) -> Option<MacroMove> {
        let at = position.boxes[i];
        position.lift(i);
        self.vacate(field, at);
        let sides = match player.map(|player| &self.marks[player as usize]) {
            None => free_sides(field, position, at),
            Some(mark) if mark.found > 0 => self.sides_in(field, at, mark.area),
            Some(_) => 0,
        };
        self.start(at, sides);
        let found = self.generate_places(kind, field, position, is_target);
        position.lower(i);
        found
    }

    /// Generates the macro moves of a box that was not there during the survey, with the player on any side
    /// of it.
    pub(crate) fn generate_for_new_box(
        &mut self,
        kind: MoveKind,
        field: &Field,
        position: &Position,
        at: Square,
    ) {
        let mark = self.marks[at as usize];
        self.vacated =
            Vacated { at: NOWHERE, size: self.areas[usize::from(mark.area)] - 1, areas: mark.connectivity };
        self.start(at, free_sides(field, position, at));
        self.generate_places(kind, field, position, |_| false);
    }

    /// Expands the places in breadth-first order until one is a target.
    #[inline]
    fn generate_places(
        &mut self,
        kind: MoveKind,
        field: &Field,
        position: &Position,
        is_target: impl Fn(Square) -> bool,
    ) -> Option<MacroMove> {
        let (mut next, mut found) = (0, None);
        'places: while next < self.places.len() {
            let place = self.places[next];
            for dir in DIRS {
                let to = field.near()[place.to as usize][dir as usize];
                // The player stands behind the box to push it, and in front of it to pull it.
                let player_side = if kind == MoveKind::Push { dir.back() } else { dir };
                if place.sides >> player_side as u8 & 1 == 0 {
                    continue;
                }
                let free = match kind {
                    MoveKind::Push => position.free(to) && field.alive(to),
                    MoveKind::Pull => position.free(field.near()[to as usize][dir as usize]),
                };
                if free && self.add_place(field, position, to, dir, player_side, next) && is_target(to) {
                    found = self.places.last().copied();
                    break 'places;
                }
            }
            next += 1;
        }
        self.reset();
        found
    }

    /// Removes the box from its square.
    fn vacate(&mut self, field: &Field, at: Square) {
        let (mut size, mut areas) = (0, 0);
        let around = field.near()[at as usize].map(|beside| self.marks[beside as usize]);
        for (k, mark) in around.iter().enumerate().filter(|(_, mark)| mark.found > 0) {
            let new = around[..k].iter().all(|other| other.found == 0 || other.area != mark.area);
            if new {
                size += self.areas[usize::from(mark.area)];
                areas += 1;
            }
        }
        self.vacated = Vacated { at, size, areas };
    }

    fn start(&mut self, at: Square, sides: u8) {
        let areas = self.vacated.areas;
        self.places.clear();
        self.met_sides[at as usize] = sides;
        self.places.push(MacroMove {
            to: at,
            dir: Dir::Left,
            connectivity: areas,
            sides,
            area: 0,
            pushes: 0,
            before: 0,
        });
    }

    /// Adds a place with the player on this side of the box. Returns `false` if a place with the same square
    /// and the same region of the player is known.
    #[inline]
    fn add_place(
        &mut self,
        field: &Field,
        position: &Position,
        to: Square,
        dir: Dir,
        side: Dir,
        before: usize,
    ) -> bool {
        if self.met_sides[to as usize] >> side as u8 & 1 == 1 || before > usize::from(u16::MAX) {
            return false;
        }
        let near = field.near()[to as usize];
        let (connectivity, sides, area) = if to == self.vacated.at {
            self.at_origin(field, near[side as usize])
        } else if self.marks[to as usize].connectivity == 1
            && near.iter().all(|&beside| beside != self.vacated.at)
        {
            (1, free_sides(field, position, to), self.vacated.size)
        } else {
            self.at_cut_square(field, to, near[side as usize])
        };
        self.met_sides[to as usize] |= sides;
        let pushes = self.places[before].pushes + 1;
        self.places.push(MacroMove { to, dir, connectivity, sides, area, pushes, before: before as u16 });
        true
    }

    /// Connectivity, reachable sides and reachable area when the box is back at its origin.
    fn at_origin(&self, field: &Field, player: Square) -> (u8, u8, u16) {
        let Vacated { at, areas, .. } = self.vacated;
        let area = self.marks[player as usize].area;
        (areas, self.sides_in(field, at, area), self.areas[usize::from(area)])
    }

    /// The same when the box stands on a cut square. Components that touch the vacated square stay connected.
    fn at_cut_square(&self, field: &Field, to: Square, player: Square) -> (u8, u8, u16) {
        let (near, mark) = (field.near(), self.marks[to as usize]);
        let size = self.areas[usize::from(mark.area)];
        // The components that are joined, each once; the squares of these and of the other areas around; the
        // number of components that results.
        let (mut joined, mut count) = ([0; 4], 0);
        let mut reach_size = self.vacated.size + 1 - size;
        let mut connectivity = mark.connectivity + u8::from(self.vacated.at != NOWHERE);
        let around = near.get(self.vacated.at as usize).copied().unwrap_or([to; 4]);
        for beside in around {
            let other = &self.marks[beside as usize];
            if beside == to || other.found == 0 || other.area != mark.area {
                continue;
            }
            let component = self.component(field, to, beside);
            if !joined[..count].contains(&component) {
                joined[count] = component;
                count += 1;
                reach_size += self.size(field, to, component);
                connectivity -= 1;
            }
        }
        let component_of = |square: Square| {
            let component =
                if square == self.vacated.at { None } else { Some(self.component(field, to, square)) };
            component.filter(|component| !joined[..count].contains(component))
        };
        let component = component_of(player);
        let mut sides = 0;
        for dir in DIRS {
            let beside = near[to as usize][dir as usize];
            let free = beside == self.vacated.at || self.marks[beside as usize].found > 0;
            sides |= u8::from(free && component_of(beside) == component) << dir as u8;
        }
        (connectivity, sides, component.map_or(reach_size, |component| self.size(field, to, component)))
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

    /// The subtrees below a square, by their first squares.
    #[inline(always)]
    fn child_branches<'a>(&'a self, field: &'a Field, at: Square) -> impl Iterator<Item = &'a Mark> + 'a {
        let found = self.marks[at as usize].found;
        let near = field.near()[at as usize].into_iter().map(|branch| &self.marks[branch as usize]);
        near.filter(move |mark| mark.found > found && mark.parent == at)
    }

    /// The component of another square of the area when the box is on `at`: the discovery time of its first
    /// square, or 0 for the component above.
    #[inline]
    fn component(&self, field: &Field, at: Square, square: Square) -> u16 {
        let (mark, when) = (&self.marks[at as usize], self.marks[square as usize].found);
        if when <= mark.found || when > mark.last {
            return 0;
        }
        let branch =
            self.child_branches(field, at).find(|branch| branch.found <= when && when <= branch.last);
        branch.filter(|branch| branch.low >= mark.found).map_or(0, |branch| branch.found)
    }

    /// The number of squares in a component when the box is on `at`.
    fn size(&self, field: &Field, at: Square, component: u16) -> u16 {
        let mark = &self.marks[at as usize];
        let mut above = self.areas[usize::from(mark.area)] - 1;
        for branch in self.child_branches(field, at).filter(|branch| branch.low >= mark.found) {
            let size = branch.last - branch.found + 1;
            if component == branch.found {
                return size;
            }
            above -= size;
        }
        above
    }

    fn reset(&mut self) {
        for place in &self.places {
            self.met_sides[place.to as usize] = 0;
        }
    }

    /// Walks all free squares of a position, area by area.
    pub(crate) fn survey(&mut self, field: &Field, position: &Position) {
        self.marks.fill(Mark::default());
        self.areas.clear();
        let mut clock = 0;
        for root in 0..field.squares() as Square {
            if position.free(root) && self.marks[root as usize].found == 0 {
                let end = self.depth_first_walk(field, position, root, clock);
                self.areas.push(end - clock);
                clock = end;
            }
        }
    }

    /// Walks the area of a square depth first. Returns the discovery time of its last square.
    fn depth_first_walk(&mut self, field: &Field, position: &Position, root: Square, mut clock: u16) -> u16 {
        let area = self.areas.len() as u16;
        let marks = &mut self.marks[..];
        // Every square but the root has a component above it.
        let new_mark = |parent: Square, clock: u16, connectivity: u8| Mark {
            found: clock,
            low: clock,
            parent,
            area,
            connectivity,
            ..Mark::default()
        };
        let mut at = root;
        clock += 1;
        marks[at as usize] = new_mark(at, clock, 0);
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
                    marks[to as usize] = new_mark(at, clock, 1);
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

    /// The directions in which the box moves to a place.
    pub(crate) fn directions(&self, place: usize) -> Vec<Dir> {
        let mut directions = Vec::new();
        let mut at = place;
        while at != 0 {
            directions.push(self.places[at].dir);
            at = self.places[at].before as usize;
        }
        directions.reverse();
        directions
    }
}
