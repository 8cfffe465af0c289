//! One order in which the goals are filled, settled beforehand, and how far a position has got with it.
//!
//! Looked at from behind: all goals are full, and a box leaves by being pulled to where some box starts. Of the boxes that can
//! leave, that one goes first which leaves most to choose from: what stands in the way of others is filled last. Where none can
//! leave, boxes are pulled aside and wait. The sequence of positions, from empty to full, is the plan.
//!
//! A plan narrows the search: a box that arrives counts only if all before it have. And it tells early which boxes will be shut
//! out: each box must be able to serve one of the steps that are left, with all that is packed by then standing in its way.

use std::collections::{HashSet, VecDeque};

use foldhash::fast::FixedState;

use super::super::board::Square;
use super::super::field::Field;
use super::super::walk::{Position, Reach, Reaches};
use super::carry::{Carried, Carry, Way};
use super::dice::Dice;
use super::lost::{left_over, matched_rows};

/// A set of steps by number; longer plans do without.
type Steps = u128;

/// Squares looked at in the last attempt to find a plan; the others have an eighth each.
const PATIENCE: usize = 4_000_000;
/// The most bytes that an attempt may fill.
const LARGEST: usize = 1 << 26;
/// Attempts to find a plan that all boxes can serve.
const ATTEMPTS: u64 = 12;
/// Where so many find none, the last one follows at once.
const VAIN: u64 = 2;

/// An order in which the goals are filled.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What has to be full after each step, the newest first; from empty to full.
    line: Vec<Vec<Square>>,
    /// For each square, the steps that a lone box there could serve.
    serves: Vec<Steps>,
    /// Squares that are part of the plan.
    matters: Vec<bool>,
    /// How many steps bring a box from elsewhere, up to each step.
    arrivals: Vec<u16>,
}

impl Plan {
    /// Looks for a plan; there may be none that is easy to find. With other seeds, other plans.
    /// No more bytes are filled on the way than there is room for.
    pub(crate) fn find(field: &Field, way: Way, seed: u64, room: usize) -> Option<Self> {
        Self::best_of(field, way, seed, room, ATTEMPTS)
    }

    /// The same in one attempt, for a board where boxes have to wait.
    pub(crate) fn with_waits(field: &Field, way: Way, room: usize) -> Option<Self> {
        Self::best_of(field, way, 0, room, 1)
    }

    fn best_of(field: &Field, way: Way, seed: u64, room: usize, attempts: u64) -> Option<Self> {
        let board = field.board();
        // With more goals than boxes it is not known which of them will be full.
        if board.boxes().len() < board.goals().len() {
            return None;
        }
        let (wanted, from) = match way {
            Way::Pushing => (board.goals(), board.boxes()),
            Way::Pulling => (board.boxes(), board.goals()),
        };
        let mut exits = vec![0; field.squares() + 1];
        for (i, &at) in from.iter().enumerate() {
            exits[at as usize] = 1 << (i as u32 % Steps::BITS);
        }
        let mut unpacking = Unpacking {
            way,
            field,
            exits,
            carry: Carry::new(field),
            walk: Reach::new(field),
            position: Position::new(field),
            dice: Dice(seed),
            work: 0,
            room: 0,
        };
        let mut start = Position::new(field);
        for &at in from {
            start.put(at);
        }
        let mut best: Option<(u16, Self)> = None;
        let mut attempt = 0;
        while attempt < attempts {
            // The last one has most time, and lets boxes wait where others could leave that should not.
            let last = attempt + 1 == attempts;
            let chance = (seed + attempt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            unpacking.dice = Dice(if last { 0 } else { chance });
            unpacking.work = if last { PATIENCE } else { PATIENCE / 8 };
            unpacking.room = room.min(LARGEST);
            attempt += 1;
            if let Some(line) = unpacking.run(wanted, last) {
                let plan = Self::along(field, way, line, &mut unpacking);
                let astray = plan.astray(&start, plan.done(&start));
                if best.as_ref().is_none_or(|(least, _)| astray < *least) {
                    best = Some((astray, plan));
                }
                if astray == 0 {
                    break;
                }
            } else if best.is_none() && attempt >= VAIN {
                attempt = attempt.max(attempts - 1);
            }
        }
        best.map(|(_, plan)| plan)
    }

    /// What can be told beforehand about a sequence of positions.
    fn along(field: &Field, way: Way, mut line: Vec<Vec<Square>>, unpacking: &mut Unpacking<'_>) -> Self {
        let n = field.squares() + 1;
        let (mut serves, mut matters, mut arrivals) = (vec![0; n], vec![false; n], vec![0; line.len()]);
        let Unpacking { carry, position, .. } = unpacking;
        position.clear();
        for step in 1..line.len() {
            let (before, after) = (&line[step - 1], &line[step]);
            let new = after.len() > before.len();
            arrivals[step] = arrivals[step - 1] + u16::from(new);
            // A box may also be where it was, with the player on another side.
            let Some(&to) = after.iter().find(|at| !before.contains(at)) else { continue };
            matters[to as usize] = true;
            if !new || arrivals[step] as u32 > Steps::BITS {
                continue;
            }
            for &at in before {
                position.wall_up(at);
            }
            position.put(to);
            carry.go(way.back(), field, position, 0, None);
            position.clear();
            for place in &carry.places {
                serves[place.to as usize] |= 1 << (arrivals[step] - 1);
            }
            for &at in before {
                position.open(at);
            }
        }
        // What came last is missing most often.
        for step in (1..line.len()).rev() {
            let (before, after) = line.split_at_mut(step);
            let before = &before[step - 1];
            after[0].sort_by_key(|at| before.contains(at));
        }
        Self { line, serves, matters, arrivals }
    }

    /// The bytes that are used.
    pub(crate) fn bytes(&self) -> usize {
        let squares: usize = self.line.iter().map(Vec::len).sum();
        squares * size_of::<Square>() + self.serves.len() * (size_of::<Steps>() + 1) + self.line.len() * 26
    }

    /// Does a box that comes or goes here change anything?
    #[inline(always)]
    pub(crate) fn matters(&self, square: Square) -> bool {
        self.matters[square as usize]
    }

    /// How many steps a position has done.
    pub(crate) fn done(&self, position: &Position) -> u16 {
        self.line.iter().rposition(|step| step.iter().all(|&b| position.boxed(b))).unwrap_or(0) as u16
    }

    /// How many boxes cannot serve any step after this one.
    pub(crate) fn astray(&self, position: &Position, done: u16) -> u16 {
        self.service(position, done, None).astray
    }

    /// What the boxes of a position can serve after this step, the i-th left out if told. It is not one that has been packed.
    pub(crate) fn service(&self, position: &Position, done: u16, without: Option<usize>) -> Service {
        let packed = &self.line[usize::from(done)];
        let past = self.arrivals[usize::from(done)];
        let all = self.arrivals.last().copied().unwrap_or(0);
        if u32::from(all) > Steps::BITS {
            return Service { astray: 0, open: Steps::MAX, all: true };
        }
        let later = Steps::MAX.checked_shl(u32::from(past)).unwrap_or(0);
        let loose = |i: usize, b: Square| Some(i) != without && !(self.matters(b) && packed.contains(&b));
        let mut rows: Vec<Steps> = Vec::with_capacity(position.boxes.len());
        let boxes = position.boxes.iter().enumerate().filter(|(i, b)| loose(*i, **b));
        rows.extend(boxes.map(|(_, &b)| self.serves[b as usize] & later));
        let (astray, open) = left_over(&rows);
        Service { astray: astray as u16, open: open & later, all: false }
    }

    /// How many boxes are astray if one more stands here.
    #[inline]
    pub(crate) fn astray_with(&self, service: &Service, square: Square) -> u16 {
        let serves = service.all || self.serves[square as usize] & service.open != 0;
        service.astray + u16::from(!serves)
    }
}

/// What some boxes can serve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Service {
    /// How many of them have no step of their own.
    astray: u16,
    /// The steps of which one more box would have to serve one.
    open: Steps,
    /// Is nothing asked of it?
    all: bool,
}

/// A position on the way from full to empty.
struct Node {
    boxes: Vec<Square>,
    player: Option<Square>,
    /// Where the boxes may have come from that have left, each.
    gone: Vec<Steps>,
    before: usize,
    waits: usize,
}

/// The boxes that are left, where the player is, and where the box that has left may have come from.
type Child = (Vec<Square>, Square, Option<Steps>);

/// The search for a plan from full to empty.
struct Unpacking<'a> {
    way: Way,
    field: &'a Field,
    /// A bit for each square where boxes leave.
    exits: Vec<Steps>,
    carry: Carry,
    walk: Reach,
    position: Position,
    dice: Dice,
    /// Squares that may still be looked at, and bytes that may still be filled.
    work: usize,
    room: usize,
}

impl Unpacking<'_> {
    /// Fewest boxes first, and then fewest waits. `patient` boxes wait also where others could leave, if those would take
    /// places from which only boxes that are left can have come.
    fn run(&mut self, wanted: &[Square], patient: bool) -> Option<Vec<Vec<Square>>> {
        let mut met: HashSet<(Vec<Square>, Square, Vec<Steps>), FixedState> = HashSet::default();
        let mut rows: Vec<Vec<VecDeque<usize>>> = vec![Vec::new(); wanted.len() + 1];
        let mut nodes = vec![Node {
            boxes: wanted.to_vec(),
            player: None,
            gone: Vec::new(),
            before: usize::MAX,
            waits: 0,
        }];
        rows[wanted.len()].push(VecDeque::from([0]));
        let mut short = rows.clone();
        short.iter_mut().for_each(Vec::clear);
        let half = self.work / 2;
        while self.work > 0 {
            // What leaves too few places for the others only when there is nothing else.
            let tired = self.work < half;
            let full = rows.iter_mut().filter(|_| !tired);
            let row = full.chain(&mut short).find(|row| row.iter().any(|list| !list.is_empty()))?;
            let id = row.iter_mut().find_map(VecDeque::pop_front)?;
            if nodes[id].boxes.is_empty() {
                let mut line = Vec::new();
                let mut id = id;
                while id != usize::MAX {
                    line.push(nodes[id].boxes.clone());
                    id = nodes[id].before;
                }
                return Some(line);
            }
            let (boxes, player, waits) = (nodes[id].boxes.clone(), nodes[id].player, nodes[id].waits);
            let gone = nodes[id].gone.clone();
            let mut children = self.removals(&boxes, player);
            let enough = |from: &Option<Steps>| {
                let gone: Vec<Steps> = gone.iter().copied().chain(*from).collect();
                matched_rows(&gone) == gone.len()
            };
            if children.is_empty() || patient && !children.iter().any(|(_, _, from)| enough(from)) {
                children.extend(self.waits(&boxes, player));
            }
            for (boxes, after, from) in children {
                self.pay(boxes.len(), gone.len());
                self.lay(&boxes);
                self.walk.flood(self.field, &self.position, after);
                let region = self.walk.region();
                let full = enough(&from);
                let waits = waits + usize::from(from.is_none());
                let mut gone: Vec<Steps> = gone.iter().copied().chain(from).collect();
                gone.sort_unstable();
                if met.insert((boxes.clone(), region, gone.clone())) {
                    let row = if full { &mut rows[boxes.len()] } else { &mut short[boxes.len()] };
                    row.resize(row.len().max(waits + 1), VecDeque::new());
                    row[waits].push_back(nodes.len());
                    nodes.push(Node { boxes, player: Some(after), gone, before: id, waits });
                }
            }
        }
        None
    }

    fn lay(&mut self, boxes: &[Square]) {
        self.position.clear();
        for &at in boxes {
            self.position.put(at);
        }
    }

    /// The same for boxes that are then to be carried.
    fn lay_out(&mut self, boxes: &[Square]) {
        self.lay(boxes);
        self.carry.survey(self.field, &self.position);
    }

    /// What is left when a box leaves, the best first.
    fn removals(&mut self, boxes: &[Square], player: Option<Square>) -> Vec<Child> {
        let mut found = Vec::new();
        self.lay_out(boxes);
        for i in 0..boxes.len() {
            found.extend(self.leave(i, player).map(|(from, after)| (i, after, from)));
        }
        let mut ranked: Vec<_> = found
            .into_iter()
            .map(|(i, after, from)| {
                let mut rest = boxes.to_vec();
                rest.remove(i);
                self.lay_out(&rest);
                let (mut free, mut ways) = (0, 0);
                for k in 0..rest.len() {
                    if let Some((from, _)) = self.leave(k, Some(after)) {
                        free += 1;
                        ways += from.count_ones() as usize;
                    }
                }
                let chance = self.dice.roll() >> 8 & 3;
                ((chance, usize::MAX - free, usize::MAX - ways), (rest, after, Some(from)))
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut children: Vec<Child> = ranked.into_iter().map(|(_, child)| child).collect();
        // A box that starts on its goal can have been there all the time.
        self.lay(boxes);
        let anywhere = (0..self.field.squares() as Square).find(|&square| self.position.free(square));
        for (i, &at) in boxes.iter().enumerate().filter(|(_, at)| self.exits[**at as usize] != 0) {
            let mut rest = boxes.to_vec();
            rest.remove(i);
            let player = player.or(anywhere).unwrap_or(at);
            children.push((rest, player, Some(self.exits[at as usize])));
        }
        children
    }

    /// Boxes pulled aside.
    fn waits(&mut self, boxes: &[Square], player: Option<Square>) -> Vec<Child> {
        let mut children = Vec::new();
        self.lay_out(boxes);
        for i in 0..boxes.len() {
            self.work = self.work.saturating_sub(self.field.squares());
            self.carry.carry(self.way.back(), self.field, &mut self.position, i, player);
            for k in 1..self.carry.places.len() {
                if self.work == 0 {
                    return children;
                }
                let place = self.carry.places[k];
                self.pay(boxes.len(), 0);
                let mut moved = boxes.to_vec();
                moved[i] = place.to;
                moved.sort_unstable();
                children.push((moved, place.player(self.field, self.way.back()), None));
            }
        }
        children
    }

    /// Can the i-th box of those that are laid out leave? Gives by which exits, and a square of the player's part afterwards: the one
    /// that the box stood in.
    fn leave(&mut self, i: usize, player: Option<Square>) -> Option<(Steps, Square)> {
        self.work = self.work.saturating_sub(self.field.squares());
        self.carry.carry(self.way.back(), self.field, &mut self.position, i, player);
        let exits = |place: &Carried| self.exits[place.to as usize];
        let mut gone = self.carry.places.iter().skip(1).filter(|place| exits(place) != 0);
        let first = gone.next()?;
        let from = gone.fold(exits(first), |all, place| all | exits(place));
        Some((from, first.player(self.field, self.way.back())))
    }

    /// Pays for keeping a position. When there is no room left the search is over.
    fn pay(&mut self, boxes: usize, gone: usize) {
        let vectors = boxes * size_of::<Square>() + gone * size_of::<Steps>();
        // In the list of positions, in the set of those that were met, and while it waits to be looked at.
        self.room = self.room.saturating_sub(3 * (vectors + size_of::<Node>()));
        if self.room == 0 {
            self.work = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::make::make;
    use crate::text;

    fn plan(map: &str) -> (Field, Plan) {
        let board = text::parse(map).expect("a level").remove(0).board;
        let field = Field::new(&board);
        let plan = Plan::find(&field, Way::Pushing, 0, usize::MAX).expect("a plan");
        (field, plan)
    }

    fn with(field: &Field, boxes: &[Square]) -> Position {
        let mut position = Position::new(field);
        for &at in boxes {
            position.put(at);
        }
        position
    }

    #[test]
    fn what_lies_deep_is_filled_first() {
        let (field, plan) = plan("##########\n#...     #\n### $ $$ #\n  #   @  #\n  ########\n");
        let goals = field.board().goals().to_vec();
        for full in 0..=goals.len() {
            assert_eq!(plan.done(&with(&field, &goals[..full])), full as u16);
        }
        // The one beside the entrance counts for nothing while those behind it are empty.
        assert_eq!(plan.done(&with(&field, &goals[2..])), 0);
    }

    #[test]
    fn boxes_that_are_shut_out_are_astray() {
        let (field, plan) = plan("##########\n#...     #\n### $ $$ #\n  #   @  #\n  ########\n");
        let board = field.board();
        let start = with(&field, board.boxes());
        assert_eq!(plan.astray(&start, plan.done(&start)), 0);
        // On the last goal first: the two others can no longer get in.
        let shut = with(&field, &[board.goals()[2], board.boxes()[1], board.boxes()[2]]);
        assert_eq!(plan.astray(&shut, plan.done(&shut)), 0, "the box on the last goal can still go deeper");
        let corner = board.square(3, 3).expect("a square");
        let lost = with(&field, &[corner, board.boxes()[1], board.boxes()[2]]);
        assert_eq!(plan.astray(&lost, 0), 1);
    }

    #[test]
    fn every_step_of_a_plan_counts_one_more() {
        let mut waits = 0;
        for seed in 0..1000 {
            let side = 5 + seed as usize % 4;
            let Some(board) = make(side, side, 3 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            for way in [Way::Pushing, Way::Pulling] {
                let Some(plan) = Plan::find(&field, way, seed % 3, usize::MAX) else { continue };
                assert!(plan.line[0].is_empty());
                waits += usize::from(plan.line.len() > 1 + board.goals().len());
                for (step, full) in plan.line.iter().enumerate() {
                    let position = with(&field, full);
                    let done = plan.done(&position);
                    assert!(usize::from(done) >= step, "a later step may hold the same squares");
                    assert_eq!(plan.line[usize::from(done)].len(), full.len());
                    assert_eq!(plan.astray(&position, done), 0, "what is packed is not astray");
                    let others = with(&field, board.boxes());
                    assert!(usize::from(plan.astray(&others, done)) <= board.boxes().len());
                }
            }
        }
        assert!(waits > 0, "some plans have boxes that wait");
    }

    #[test]
    fn without_room_there_is_no_plan() {
        let board = make(8, 8, 5, 1).expect("a board");
        let field = Field::new(&board);
        assert!(Plan::find(&field, Way::Pushing, 0, 100).is_none());
        assert!(Plan::find(&field, Way::Pushing, 0, usize::MAX).is_some());
    }
}
