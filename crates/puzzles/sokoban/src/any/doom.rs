//! Boxes that hold each other for ever, found by taking away what holds nobody, and remembered.
//!
//! A position is made easier until it is easy to search: a box that can be carried to some goal now is taken off the board. In
//! the easier game that never hurts, since what is gone blocks nobody, so it is done at once and without choice. What
//! is left is a knot: boxes that cannot move, or not to a goal. Its moves are searched, each followed by taking away. If no line
//! unties the knot, the position is lost; for every real plan is a plan of the easier game, the pushes of boxes that are
//! gone read as walks.
//!
//! A knot that cannot be untied is made smaller for as long as it stays lost, and kept: any later position with boxes on
//! its squares, and the player in the same part of the board as those boxes cut it, is lost at a glance.

use std::collections::{HashMap, HashSet};

use super::super::board::Square;
use super::super::field::Field;
use super::super::freeze::{frozen, stuck};
use super::super::walk::{Position, Walk};
use super::carry::{Carry, Way};

/// How many boxes are carried about for one question before a knot gets the benefit of the doubt.
const PATIENCE: u32 = 60;
/// No group of boxes larger than this is looked at.
const LARGEST: usize = 10;
/// How many boxes may be carried about for each question on the average; beyond it only known knots are seen for a while.
const ALLOWANCE: u64 = 16;
/// How many verdicts are kept.
const MEMORY: usize = 1 << 16;
/// How many knots are kept.
const KNOTS: usize = 1 << 14;

/// Boxes that are lost while the player is in one part of the board.
#[derive(Clone, Debug)]
struct Knot {
    boxes: Box<[Square]>,
    /// A bit for each square of that part.
    part: Box<[u64]>,
}

/// What came out of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Untied,
    Lost,
    Unknown,
}

/// A knot: its boxes in order, and the least square of the player's part.
type Key = (Box<[Square]>, Square);

/// Finds and remembers knots.
#[derive(Clone, Debug)]
pub(crate) struct Doom {
    carry: Carry,
    walk: Walk,
    part: Position,
    /// Boxes frozen on goals, which are walls in `part`.
    walls: Vec<Square>,
    met: HashSet<Key>,
    todo: Vec<Key>,
    known: HashMap<(Box<[Square]>, Key), Answer>,
    knots: Vec<Knot>,
    /// The knots that have a box on each square.
    on: Vec<Vec<u32>>,
    region: Vec<u8>,
    stack: Vec<Square>,
    left: u32,
    /// Questions asked, and boxes carried about for them.
    asked: u64,
    carried: u64,
}

impl Doom {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        Self {
            carry: Carry::new(field),
            walk: Walk::new(field),
            part: Position::new(field),
            walls: Vec::new(),
            met: HashSet::new(),
            todo: Vec::new(),
            known: HashMap::new(),
            knots: Vec::new(),
            on: vec![Vec::new(); field.squares() + 1],
            region: vec![0; field.squares() + 1],
            stack: Vec::new(),
            left: 0,
            asked: 0,
            carried: 0,
        }
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self) -> usize {
        self.known.len() * 96 + self.knots.len() * (128 + 8 * self.on.len().div_ceil(64))
    }

    /// How many knots are known.
    pub(crate) fn knots(&self) -> u32 {
        self.knots.len() as u32
    }

    /// Does the position hold a known knot of which the box on `square` is a part?
    pub(crate) fn tied(&self, position: &Position, square: Square) -> bool {
        self.on[square as usize].iter().any(|&k| self.knots[k as usize].holds(position))
    }

    /// Does the position hold a knot that was found after the first so many?
    pub(crate) fn tied_since(&self, position: &Position, first: u32) -> bool {
        self.knots.iter().skip(first as usize).any(|knot| knot.holds(position))
    }

    /// Is the position lost by a knot around the box on `square`? One that is found is remembered.
    pub(crate) fn lost(&mut self, field: &Field, position: &mut Position, square: Square) -> bool {
        self.asked += 1;
        if self.carried > ALLOWANCE * self.asked {
            return false;
        }
        let mut group = vec![square];
        let mut size = 0;
        self.regions(field, position);
        while group.len() > size && size < LARGEST {
            size = group.len();
            self.grow(field, position, &mut group);
            let (walls, loose): (Vec<Square>, Vec<Square>) = group
                .iter()
                .partition(|&&at| field.board().is_goal(at) && stuck(field, position, at, &mut 200));
            // Walls must hold each other without help from outside the group.
            let walls = if self.hold(field, &walls) { walls } else { Vec::new() };
            self.left = PATIENCE;
            let Some(mut rest) = self.knot(field, &walls, &loose, position.player) else { continue };
            let mut answer = self.answer(field, &walls, &rest);
            let large = answer == Answer::Unknown;
            for _ in 0..2 {
                if answer != Answer::Unknown {
                    break;
                }
                // Too large to be searched: without the box that has most room.
                let Some(less) = self.without_the_freest(field, &walls, &rest) else { break };
                self.left = PATIENCE;
                let Some(next) = self.knot(field, &walls, &less, rest.1) else { break };
                rest = next;
                answer = self.answer(field, &walls, &rest);
            }
            if answer == Answer::Lost {
                self.learn(field, &walls, &rest);
                return true;
            }
            if large {
                return false;
            }
        }
        false
    }

    /// The boxes of a knot but the one that can be carried to most places; nothing if too few would be left to mean anything.
    fn without_the_freest(&mut self, field: &Field, walls: &[Square], knot: &Key) -> Option<Vec<Square>> {
        let (boxes, player) = knot;
        if boxes.len() < 3 {
            return None;
        }
        self.lay(walls, boxes);
        self.walk.flood(field, &self.part, *player);
        let mut freest = (0, 0);
        for i in 0..boxes.len() {
            if self.can_move(field, boxes[i]) {
                self.carry.go(Way::Pushing, field, &mut self.part, i, Some(*player));
                freest = freest.max((self.carry.places.len(), i));
            }
        }
        let (places, out) = freest;
        (places > 0).then(|| boxes.iter().enumerate().filter(|&(i, _)| i != out).map(|(_, &b)| b).collect())
    }

    /// Numbers the parts of the free squares that the player is not in.
    fn regions(&mut self, field: &Field, position: &Position) {
        self.region.fill(0);
        self.walk.flood(field, position, position.player);
        let mut count = 0;
        for from in 0..field.squares() as Square {
            if !position.free(from) || self.walk.reaches(from) || self.region[from as usize] != 0 {
                continue;
            }
            count = u8::min(count, 254) + 1;
            self.region[from as usize] = count;
            self.stack.push(from);
            while let Some(at) = self.stack.pop() {
                for to in field.near()[at as usize] {
                    if position.free(to) && self.region[to as usize] == 0 {
                        self.region[to as usize] = count;
                        self.stack.push(to);
                    }
                }
            }
        }
    }

    /// Adds the boxes that touch the group, and those around the same pockets out of the player's reach.
    fn grow(&self, field: &Field, position: &Position, group: &mut Vec<Square>) {
        let near = field.near();
        let old = group.len();
        let pockets: Vec<u8> = group
            .iter()
            .flat_map(|&at| near[at as usize])
            .map(|s| self.region[s as usize])
            .filter(|&r| r != 0)
            .collect();
        for &at in &position.boxes {
            if group.contains(&at) {
                continue;
            }
            let around = near[at as usize];
            let touches = |s: Square| group[..old].contains(&s);
            let joins = around.iter().any(|&s| touches(s) || pockets.contains(&self.region[s as usize]));
            if joins && group.len() < LARGEST {
                group.push(at);
            }
        }
        if group.len() > old {
            return;
        }
        // Nobody touches: those at one remove.
        for &at in &position.boxes {
            let around = near[at as usize].into_iter().filter(|&s| (s as usize) < field.squares());
            let close = around.flat_map(|s| near[s as usize]).any(|s| s != at && group[..old].contains(&s));
            if close && !group.contains(&at) && group.len() < LARGEST {
                group.push(at);
            }
        }
    }

    fn lay(&mut self, walls: &[Square], boxes: &[Square]) {
        self.part.clear();
        for &at in &self.walls {
            self.part.open(at);
        }
        self.walls.clear();
        self.walls.extend_from_slice(walls);
        for &at in walls {
            self.part.wall_up(at);
        }
        for &at in boxes {
            self.part.put(at);
        }
    }

    /// What is left when everything that can be taken away is gone; nothing if all is well then.
    fn knot(&mut self, field: &Field, walls: &[Square], boxes: &[Square], player: Square) -> Option<Key> {
        self.lay(walls, boxes);
        self.part.player = player;
        self.loosen(field)
    }

    /// Takes away what can be taken away from `part`.
    fn loosen(&mut self, field: &Field) -> Option<Key> {
        let player = self.part.player;
        self.walk.flood(field, &self.part, player);
        let mut asked = 0;
        let mut i = 0;
        // Once round without a change, and it is done.
        while asked < self.part.boxes.len() {
            if i >= self.part.boxes.len() {
                i = 0;
            }
            if self.can_leave(field, i) {
                self.part.remove(i);
                self.walk.flood(field, &self.part, player);
                asked = 0;
            } else {
                asked += 1;
                i += 1;
            }
        }
        if self.part.boxes.iter().all(|&b| field.board().is_goal(b)) {
            return None;
        }
        let mut rest = self.part.boxes.clone();
        rest.sort_unstable();
        let region = self.walk.reached().iter().copied().min().unwrap_or(player);
        Some((rest.into_boxed_slice(), region))
    }

    /// Can the i-th box of `part` be carried to a goal? `walk` is where the player can go.
    fn can_leave(&mut self, field: &Field, i: usize) -> bool {
        let at = self.part.boxes[i];
        if !self.can_move(field, at) {
            return false;
        }
        if field.board().is_goal(at) {
            return true;
        }
        self.left = self.left.saturating_sub(1);
        self.carried += 1;
        let player = self.part.player;
        self.carry.go(Way::Pushing, field, &mut self.part, i, Some(player));
        self.carry.places[1..].iter().any(|place| field.board().is_goal(place.to))
    }

    fn can_move(&self, field: &Field, at: Square) -> bool {
        let near = field.near()[at as usize];
        (0..4).any(|d| self.walk.reaches(near[d]) && self.part.free(near[d ^ 1]) && field.alive(near[d ^ 1]))
    }

    /// Can the knot be untied?
    fn answer(&mut self, field: &Field, walls: &[Square], knot: &Key) -> Answer {
        let question = (Box::from(walls), knot.clone());
        if let Some(&answer) = self.known.get(&question) {
            return answer;
        }
        let answer = self.search(field, walls, knot);
        if self.known.len() >= MEMORY {
            self.known.clear();
        }
        self.known.insert(question, answer);
        answer
    }

    fn search(&mut self, field: &Field, walls: &[Square], knot: &Key) -> Answer {
        self.met.clear();
        self.todo.clear();
        self.met.insert(knot.clone());
        self.todo.push(knot.clone());
        while let Some((boxes, player)) = self.todo.pop() {
            for i in 0..boxes.len() {
                self.lay(walls, &boxes);
                self.part.player = player;
                self.walk.flood(field, &self.part, player);
                if !self.can_move(field, boxes[i]) {
                    continue;
                }
                if self.left == 0 {
                    return Answer::Unknown;
                }
                self.left -= 1;
                self.carried += 1;
                self.carry.go(Way::Pushing, field, &mut self.part, i, Some(player));
                let places: Vec<(Square, Square)> = self.carry.places[1..]
                    .iter()
                    .filter(|place| place.to != boxes[i])
                    .map(|place| (place.to, place.player(field, Way::Pushing)))
                    .collect();
                for (to, after) in places {
                    self.lay(walls, &boxes);
                    self.part.shift(i, to);
                    self.part.player = after;
                    if frozen(field, &mut self.part, to) {
                        continue;
                    }
                    let Some(next) = self.loosen(field) else { return Answer::Untied };
                    if self.met.insert(next.clone()) {
                        self.todo.push(next);
                    }
                }
            }
        }
        Answer::Lost
    }

    /// Makes a lost knot as small as it gets, and keeps it.
    fn learn(&mut self, field: &Field, walls: &[Square], knot: &Key) {
        let (mut walls, mut knot) = (walls.to_vec(), knot.clone());
        if let Some(less) = self.still_lost(field, &[], &knot.0, knot.1) {
            walls.clear();
            knot = less;
        }
        let mut i = 0;
        while i < walls.len() {
            let mut fewer = walls.clone();
            fewer.remove(i);
            match self.hold(field, &fewer).then(|| self.still_lost(field, &fewer, &knot.0, knot.1)).flatten()
            {
                Some(less) => (walls, knot) = (fewer, less),
                None => i += 1,
            }
        }
        let mut i = 0;
        while i < knot.0.len() && knot.0.len() > 1 {
            let mut fewer = knot.0.to_vec();
            fewer.remove(i);
            match self.still_lost(field, &walls, &fewer, knot.1) {
                Some(less) => {
                    knot = less;
                    i = 0;
                }
                None => i += 1,
            }
        }
        self.keep(field, &walls, &knot);
    }

    /// Are boxes on these squares frozen by themselves?
    fn hold(&mut self, field: &Field, walls: &[Square]) -> bool {
        self.lay(&[], walls);
        walls.iter().all(|&at| stuck(field, &mut self.part, at, &mut 200))
    }

    /// The knot that is left of these boxes if they are lost.
    fn still_lost(
        &mut self,
        field: &Field,
        walls: &[Square],
        boxes: &[Square],
        player: Square,
    ) -> Option<Key> {
        self.left = PATIENCE;
        let knot = self.knot(field, walls, boxes, player)?;
        (self.answer(field, walls, &knot) == Answer::Lost).then_some(knot)
    }

    fn keep(&mut self, field: &Field, walls: &[Square], knot: &Key) {
        if self.knots.len() >= KNOTS {
            return;
        }
        self.lay(walls, &knot.0);
        self.walk.flood(field, &self.part, knot.1);
        let mut part = vec![0; field.squares().div_ceil(64)].into_boxed_slice();
        for &s in self.walk.reached() {
            part[s as usize / 64] |= 1 << (s % 64);
        }
        let boxes: Box<[Square]> = knot.0.iter().chain(walls).copied().collect();
        for &at in &boxes {
            self.on[at as usize].push(self.knots.len() as u32);
        }
        self.knots.push(Knot { boxes, part });
    }
}

impl Knot {
    fn holds(&self, position: &Position) -> bool {
        let player = position.player as usize;
        self.part[player / 64] >> (player % 64) & 1 == 1 && self.boxes.iter().all(|&b| position.boxed(b))
    }
}
