//! The search for an order in which goals can be filled, from behind: all of them are full, and one box after the other leaves.
//!
//! A box leaves by being pulled to where some box starts. Of the boxes that can leave, that one goes first which leaves most to
//! choose from. Where none can leave, boxes are pulled aside and wait; and since it may be too late for that by then, every other turn of
//! a patient search goes to boxes that wait where others could leave.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasher;

use beeline_search::{Limit, Meter};
use foldhash::fast::FixedState;

use super::packing_order::StepSet;
use super::tie_breaker::TieBreaker;
use crate::board::Square;
use crate::field::Field;
use crate::macro_moves::{MacroMove, MacroMoves, Way};
use crate::rules::deadlocks::matched_rows;
use crate::walk::{Position, Reach, Reaches};

/// A position on the way from full to empty.
struct Node {
    boxes: Vec<Square>,
    /// Where the player is; at first anywhere.
    player: Option<Square>,
    /// Where the box may have come from that left last, unless one was pulled aside.
    from: Option<StepSet>,
    before: usize,
    /// Boxes pulled aside on the way.
    waits: usize,
    /// Have boxes left from here?
    left: bool,
    /// Could none?
    stuck: bool,
    /// Have boxes been pulled aside?
    waited: bool,
}

/// The boxes that are left, where the player is, and where the box that has left may have come from.
type Child = (Vec<Square>, Square, Option<StepSet>);

/// Positions by the number of boxes that were pulled aside on the way.
type Row = Vec<VecDeque<usize>>;

/// The positions that wait to be looked at, each of them twice: for boxes to leave, and for boxes to be pulled aside.
struct Queue {
    /// By the number of boxes that are left.
    rows: Vec<Row>,
    /// The same for those from which too few places are left for the others.
    short: Vec<Row>,
    /// By what they look like: boxes that are left, parts of the floor, the player's ground.
    cells: Vec<Row>,
    classes: HashMap<(usize, u16, u16), usize, FixedState>,
    /// The cell whose turn was last, and whether it was the last turn of all.
    turn: usize,
    was_aside: bool,
    /// Is there a second time at all?
    patient: bool,
}

/// Positions in which the player has about as much ground are alike.
const ALIKE: u16 = 8;
/// Squares looked at between two looks at the limits.
const BREATH: usize = 1_000_000;
/// The most bytes that an attempt may fill.
const LARGEST: usize = 1 << 28;

/// What is done with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Boxes leave, and are pulled aside if none can.
    Ahead,
    /// Boxes leave and are pulled aside.
    Aside,
    /// Boxes leave: after some were pulled aside, one after the other for as long as they can.
    Dive,
}

impl Queue {
    fn new(most: usize, patient: bool) -> Self {
        let rows = vec![Vec::new(); most + 1];
        Self {
            short: rows.clone(),
            rows,
            cells: Vec::new(),
            classes: HashMap::default(),
            turn: 0,
            was_aside: false,
            patient,
        }
    }

    fn push(&mut self, id: usize, node: &Node, enough: bool, (connectivity, ground): (u16, u16)) {
        let left = node.boxes.len();
        put(if enough { &mut self.rows[left] } else { &mut self.short[left] }, node.waits, id);
        if self.patient {
            let new = self.cells.len();
            let cell = *self.classes.entry((left, connectivity, ground / ALIKE)).or_insert(new);
            if cell == new {
                self.cells.push(Row::new());
            }
            put(&mut self.cells[cell], node.waits, id);
        }
    }

    /// The fewest boxes first, and then the fewest waits. What leaves too few places comes after all others, unless one is `tired`
    /// of these.
    fn ahead(&mut self, tired: bool) -> Option<usize> {
        let Self { rows, short, .. } = self;
        let (first, then) = if tired { (short, rows) } else { (rows, short) };
        first.iter_mut().chain(then).find_map(first_of)
    }

    /// The position to look at next, and what for.
    fn next(&mut self, tired: bool) -> Option<(usize, Turn)> {
        self.was_aside = !self.was_aside;
        let first = if self.was_aside { self.aside().map(|id| (id, Turn::Aside)) } else { None };
        let then = first.or_else(|| self.ahead(tired).map(|id| (id, Turn::Ahead)));
        then.or_else(|| self.aside().map(|id| (id, Turn::Aside)))
    }

    /// The kinds of positions in turn.
    fn aside(&mut self) -> Option<usize> {
        let count = self.cells.len();
        (0..count).find_map(|_| {
            self.turn = (self.turn + 1) % count;
            first_of(&mut self.cells[self.turn])
        })
    }
}

fn put(row: &mut Row, waits: usize, id: usize) {
    row.resize(row.len().max(waits + 1), VecDeque::new());
    row[waits].push_back(id);
}

fn first_of(row: &mut Row) -> Option<usize> {
    row.iter_mut().find_map(VecDeque::pop_front)
}

/// How hard an attempt tries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Squares that may be looked at.
    pub(crate) work: usize,
    /// Shuffles what can leave; 0 takes the best first.
    pub(crate) chance: u64,
    /// Do boxes wait also where others could leave?
    pub(crate) patient: bool,
}

/// The search for a plan from full to empty.
pub(crate) struct Unpacking<'a> {
    field: &'a Field,
    /// A bit for each square where boxes leave.
    exits: Vec<StepSet>,
    pub(crate) carry: MacroMoves,
    pub(crate) position: Position,
    walk: Reach,
    ties: TieBreaker,
    /// Squares that may still be looked at, and bytes that may still be filled.
    work: usize,
    room: usize,
}

impl<'a> Unpacking<'a> {
    /// For one board.
    pub(crate) fn new(field: &'a Field) -> Self {
        let mut exits = vec![0; field.squares() + 1];
        for (i, &at) in field.board().boxes().iter().enumerate() {
            exits[at as usize] = 1 << (i as u32 % StepSet::BITS);
        }
        Self {
            field,
            exits,
            carry: MacroMoves::new(field),
            position: Position::new(field),
            walk: Reach::new(field),
            ties: TieBreaker(0),
            work: 0,
            room: 0,
        }
    }

    /// The positions from empty to full, if a way from full to empty is found.
    pub(crate) fn run(
        &mut self,
        effort: Effort,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Vec<Square>>>, Limit> {
        let Effort { work, chance, patient } = effort;
        (self.work, self.ties) = (work, TieBreaker(chance));
        self.room = meter.ledger.available().min(LARGEST);
        let mut nodes = vec![Node {
            boxes: self.field.board().goals().to_vec(),
            player: None,
            from: None,
            before: usize::MAX,
            waits: 0,
            left: false,
            stuck: false,
            waited: false,
        }];
        let mut met: HashSet<u64, FixedState> = HashSet::default();
        let mut queue = Queue::new(self.field.board().goals().len(), patient);
        queue.push(0, &nodes[0], true, (0, 0));
        let (mut look, mut dive) = (work, None);
        while self.work > 0 {
            if self.work < look {
                meter.look()?;
                look = self.work.saturating_sub(BREATH);
            }
            let tired = self.work < work / 2;
            let next = dive.take().map(|id| (id, Turn::Dive)).or_else(|| queue.next(tired));
            let Some((id, turn)) = next else { return Ok(None) };
            let Node { boxes, player, waits, left, waited, .. } = &mut nodes[id];
            if boxes.is_empty() {
                return Ok(Some(lineage(&nodes, id).map(|node| node.boxes.clone()).collect()));
            }
            let (boxes, player, waits) = (boxes.clone(), *player, *waits);
            let (first, wait) = (!std::mem::replace(left, true), !*waited);
            let gone: Vec<StepSet> = lineage(&nodes, id).filter_map(|node| node.from).collect();
            let with = |from: Option<StepSet>| gone.iter().copied().chain(from).collect::<Vec<_>>();
            let enough = |gone: &[StepSet]| matched_rows(gone) == gone.len();
            let mut children = if first { self.removals(&boxes, player) } else { Vec::new() };
            if first {
                nodes[id].stuck = !children.iter().any(|(_, _, from)| !patient || enough(&with(*from)));
            }
            if wait && (turn == Turn::Aside || turn == Turn::Ahead && nodes[id].stuck) {
                children.extend(self.waits(&boxes, player));
                nodes[id].waited = true;
            }
            for (boxes, after, from) in children {
                self.pay(boxes.len());
                self.position.lay(boxes.iter().copied());
                self.walk.flood(self.field, &self.position, after);
                let mut gone = with(from);
                gone.sort_unstable();
                // Two that look the same by mistake cost a plan at worst.
                if !met.insert(FixedState::default().hash_one((&boxes, self.walk.region(), &gone))) {
                    continue;
                }
                let ground = (self.walk.connectivity(self.field), self.walk.reached().len() as u16);
                let waits = waits + usize::from(from.is_none());
                let node = Node {
                    boxes,
                    player: Some(after),
                    from,
                    before: id,
                    waits,
                    left: false,
                    stuck: false,
                    waited: false,
                };
                let enough = enough(&gone);
                if turn != Turn::Ahead && dive.is_none() && from.is_some() && enough {
                    dive = Some(nodes.len());
                }
                queue.push(nodes.len(), &node, enough, ground);
                nodes.push(node);
            }
        }
        Ok(None)
    }

    /// The same for boxes that are then to be carried.
    fn lay_out(&mut self, boxes: &[Square]) {
        self.position.lay(boxes.iter().copied());
        self.carry.survey(self.field, &self.position);
    }

    /// What is left when a box leaves, the best first.
    fn removals(&mut self, boxes: &[Square], player: Option<Square>) -> Vec<Child> {
        let mut found = Vec::new();
        self.lay_out(boxes);
        for i in 0..boxes.len() {
            found.extend(self.leave(i, player).map(|(from, after)| (i, after, from)));
        }
        let choice = found.len() > 1;
        let mut ranked: Vec<_> = found
            .into_iter()
            .map(|(i, after, from)| {
                let mut rest = boxes.to_vec();
                rest.remove(i);
                let (mut free, mut ways) = (0, 0);
                if choice {
                    self.lay_out(&rest);
                }
                for k in (0..rest.len()).filter(|_| choice) {
                    if let Some((from, _)) = self.leave(k, Some(after)) {
                        free += 1;
                        ways += from.count_ones() as usize;
                    }
                }
                let chance = self.ties.bits() >> 8 & 3;
                ((chance, usize::MAX - free, usize::MAX - ways), (rest, after, Some(from)))
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut children: Vec<Child> = ranked.into_iter().map(|(_, child)| child).collect();
        // A box that starts on its goal can have been there all the time.
        self.position.lay(boxes.iter().copied());
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
            self.carry.carry(Way::Pulling, self.field, &mut self.position, i, player);
            for k in 1..self.carry.places.len() {
                if self.work == 0 {
                    return children;
                }
                let place = self.carry.places[k];
                self.pay(boxes.len());
                let mut moved = boxes.to_vec();
                moved[i] = place.to;
                moved.sort_unstable();
                children.push((moved, place.player(self.field, Way::Pulling), None));
            }
        }
        children
    }

    /// Can the i-th box of those that are laid out leave? Gives by which exits, and a square of the player's part afterwards: the one
    /// that the box stood in.
    fn leave(&mut self, i: usize, player: Option<Square>) -> Option<(StepSet, Square)> {
        self.work = self.work.saturating_sub(self.field.squares());
        self.carry.carry(Way::Pulling, self.field, &mut self.position, i, player);
        let exits = |place: &MacroMove| self.exits[place.to as usize];
        let mut gone = self.carry.places.iter().skip(1).filter(|place| exits(place) != 0);
        let first = gone.next()?;
        let from = gone.fold(exits(first), |all, place| all | exits(place));
        Some((from, first.player(self.field, Way::Pulling)))
    }

    /// Pays for keeping a position. When there is no room left the search is over.
    fn pay(&mut self, boxes: usize) {
        // In the list, in the set of those that were met, and in both queues.
        let bytes = boxes * size_of::<Square>() + size_of::<Node>() + 6 * size_of::<usize>();
        self.room = self.room.saturating_sub(bytes);
        if self.room == 0 {
            self.work = 0;
        }
    }
}

/// A position and those before it, back to the first.
fn lineage(nodes: &[Node], id: usize) -> impl Iterator<Item = &Node> {
    std::iter::successors(nodes.get(id), |node| nodes.get(node.before))
}
