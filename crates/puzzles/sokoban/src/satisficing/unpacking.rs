//! Finds a packing order backwards: all goals are full, and one box after the other leaves.
//!
//! A box leaves by being pulled to where some box starts. Of the boxes that can leave, the one goes first
//! that leaves the most choice. Where none can leave, boxes are pulled aside and *parked*. By then it may be
//! too late for parking. So a search that parks early gives every other turn to parking although others could
//! leave.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasher;

use beeline_search::{Limit, Meter, Random};
use foldhash::fast::FixedState;

use super::packing_order::StepSet;
use super::tie_breaker;
use crate::board::Square;
use crate::field::Field;
use crate::macro_moves::{MacroMove, MacroMoves, MoveKind};
use crate::rules::deadlocks::matched_rows;
use crate::walk::{Position, Reach};

/// A position between full and empty.
struct Node {
    boxes: Vec<Square>,
    /// The player's square; `None` at the root, where it may be anywhere.
    player: Option<Square>,
    /// The exits of the box that left last; `None` if a box was parked.
    from: Option<StepSet>,
    before: usize,
    /// Boxes parked on the path.
    parked: usize,
    /// Have removals been generated?
    has_removed: bool,
    /// Could no box leave?
    stuck: bool,
    /// Has parking been generated?
    has_parked: bool,
}

/// The boxes that remain, the player's square, and the exits of the box that left.
type Child = (Vec<Square>, Square, Option<StepSet>);

/// Positions by the number of boxes parked on the path.
type ByParked = Vec<VecDeque<usize>>;

/// Open positions. Each is queued twice: for removals and for parking.
struct Queue {
    /// By the number of boxes that remain.
    rows: Vec<ByParked>,
    /// The same for positions whose removed boxes cannot all have exits of their own.
    short: Vec<ByParked>,
    /// By class: boxes that remain, regions of the floor, squares that the player can reach.
    cells: Vec<ByParked>,
    classes: HashMap<(usize, u16, u16), usize, FixedState>,
    /// The cell taken last, and whether the last turn went to parking.
    turn: usize,
    was_park: bool,
    /// Are turns given to parking although boxes can leave?
    parks_early: bool,
}

/// Squares of reach per class of positions.
const REACH_PER_CLASS: u16 = 8;
/// Squares visited between two checks of the limits.
const SQUARES_BETWEEN_CHECKS: usize = 1_000_000;
/// Bytes that a search may fill, at most.
const MOST_BYTES: usize = 1 << 28;

/// How a position is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Removes boxes; parks boxes if none can leave.
    Remove,
    /// Removes boxes and parks boxes.
    Park,
    /// Removes boxes, one after the other for as long as possible, after some were parked.
    Dive,
}

impl Queue {
    fn new(most: usize, parks_early: bool) -> Self {
        let rows = vec![Vec::new(); most + 1];
        Self {
            short: rows.clone(),
            rows,
            cells: Vec::new(),
            classes: HashMap::default(),
            turn: 0,
            was_park: false,
            parks_early,
        }
    }

    fn push(&mut self, id: usize, node: &Node, enough: bool, (connectivity, reach): (u16, u16)) {
        let has_removed = node.boxes.len();
        put(if enough { &mut self.rows[has_removed] } else { &mut self.short[has_removed] }, node.parked, id);
        if self.parks_early {
            let new = self.cells.len();
            let cell =
                *self.classes.entry((has_removed, connectivity, reach / REACH_PER_CLASS)).or_insert(new);
            if cell == new {
                self.cells.push(ByParked::new());
            }
            put(&mut self.cells[cell], node.parked, id);
        }
    }

    /// The fewest remaining boxes first, then the fewest parked. Positions without enough exits come last, or
    /// first with `prefer_short`.
    fn next_to_remove(&mut self, prefer_short: bool) -> Option<usize> {
        let Self { rows, short, .. } = self;
        let (first, then) = if prefer_short { (short, rows) } else { (rows, short) };
        first.iter_mut().chain(then).find_map(first_of)
    }

    /// The next position, and how to expand it.
    fn next(&mut self, prefer_short: bool) -> Option<(usize, Turn)> {
        self.was_park = !self.was_park;
        let first = if self.was_park { self.next_to_park().map(|id| (id, Turn::Park)) } else { None };
        let then = first.or_else(|| self.next_to_remove(prefer_short).map(|id| (id, Turn::Remove)));
        then.or_else(|| self.next_to_park().map(|id| (id, Turn::Park)))
    }

    /// The cells in turn.
    fn next_to_park(&mut self) -> Option<usize> {
        let count = self.cells.len();
        (0..count).find_map(|_| {
            self.turn = (self.turn + 1) % count;
            first_of(&mut self.cells[self.turn])
        })
    }
}

fn put(row: &mut ByParked, parked: usize, id: usize) {
    row.resize(row.len().max(parked + 1), VecDeque::new());
    row[parked].push_back(id);
}

fn first_of(row: &mut ByParked) -> Option<usize> {
    row.iter_mut().find_map(VecDeque::pop_front)
}

/// The settings of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Squares that it may visit.
    pub(crate) work: usize,
    /// Shuffles the removals; 0 takes the best first.
    pub(crate) seed: u64,
    /// Are boxes parked also where others could leave?
    pub(crate) parks_early: bool,
}

/// Searches for a sequence from full to empty.
pub(crate) struct Unpacking<'a> {
    field: &'a Field,
    /// One bit for each square where boxes leave.
    exits: Vec<StepSet>,
    pub(crate) macro_moves: MacroMoves,
    pub(crate) position: Position,
    walk: Reach,
    ties: Option<Random>,
    /// Squares that it may still visit, and bytes that it may still fill.
    work: usize,
    bytes_left: usize,
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
            macro_moves: MacroMoves::new(field),
            position: Position::new(field),
            walk: Reach::new(field),
            ties: None,
            work: 0,
            bytes_left: 0,
        }
    }

    /// The positions from empty to full; `None` if the search finds no way from full to empty.
    pub(crate) fn run(
        &mut self,
        effort: Effort,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Vec<Square>>>, Limit> {
        let Effort { work, seed, parks_early } = effort;
        (self.work, self.ties) = (work, tie_breaker(seed));
        self.bytes_left = meter.ledger.available().min(MOST_BYTES);
        let mut nodes = vec![Node {
            boxes: self.field.board().goals().to_vec(),
            player: None,
            from: None,
            before: usize::MAX,
            parked: 0,
            has_removed: false,
            stuck: false,
            has_parked: false,
        }];
        let mut met: HashSet<u64, FixedState> = HashSet::default();
        let mut queue = Queue::new(self.field.board().goals().len(), parks_early);
        queue.push(0, &nodes[0], true, (0, 0));
        let (mut next_check, mut dive) = (work, None);
        while self.work > 0 {
            if self.work < next_check {
                meter.look()?;
                next_check = self.work.saturating_sub(SQUARES_BETWEEN_CHECKS);
            }
            let prefer_short = self.work < work / 2;
            let next = dive.take().map(|id| (id, Turn::Dive)).or_else(|| queue.next(prefer_short));
            let Some((id, turn)) = next else { return Ok(None) };
            let Node { boxes, player, parked, has_removed, has_parked, .. } = &mut nodes[id];
            if boxes.is_empty() {
                return Ok(Some(lineage(&nodes, id).map(|node| node.boxes.clone()).collect()));
            }
            let (boxes, player, parked) = (boxes.clone(), *player, *parked);
            let (first, wait) = (!std::mem::replace(has_removed, true), !*has_parked);
            let exits_used: Vec<StepSet> = lineage(&nodes, id).filter_map(|node| node.from).collect();
            let with = |from: Option<StepSet>| exits_used.iter().copied().chain(from).collect::<Vec<_>>();
            let enough = |exits_used: &[StepSet]| matched_rows(exits_used) == exits_used.len();
            let mut children = if first { self.removals(&boxes, player) } else { Vec::new() };
            if first {
                nodes[id].stuck = !children.iter().any(|(_, _, from)| !parks_early || enough(&with(*from)));
            }
            if wait && (turn == Turn::Park || turn == Turn::Remove && nodes[id].stuck) {
                children.extend(self.parked(&boxes, player));
                nodes[id].has_parked = true;
            }
            for (boxes, after, from) in children {
                self.charge(boxes.len());
                self.position.set_boxes(boxes.iter().copied());
                self.walk.flood(self.field, &self.position, after);
                let mut exits_used = with(from);
                exits_used.sort_unstable();
                // A hash collision loses an order at worst.
                if !met.insert(FixedState::default().hash_one((&boxes, self.walk.region(), &exits_used))) {
                    continue;
                }
                let reach = (self.walk.connectivity(self.field), self.walk.reached().len() as u16);
                let parked = parked + usize::from(from.is_none());
                let node = Node {
                    boxes,
                    player: Some(after),
                    from,
                    before: id,
                    parked,
                    has_removed: false,
                    stuck: false,
                    has_parked: false,
                };
                let enough = enough(&exits_used);
                if turn != Turn::Remove && dive.is_none() && from.is_some() && enough {
                    dive = Some(nodes.len());
                }
                queue.push(nodes.len(), &node, enough, reach);
                nodes.push(node);
            }
        }
        Ok(None)
    }

    /// Sets up boxes and surveys their macro moves.
    fn set_up(&mut self, boxes: &[Square]) {
        self.position.set_boxes(boxes.iter().copied());
        self.macro_moves.survey(self.field, &self.position);
    }

    /// The children in which a box leaves, the best first.
    fn removals(&mut self, boxes: &[Square], player: Option<Square>) -> Vec<Child> {
        let mut found = Vec::new();
        self.set_up(boxes);
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
                    self.set_up(&rest);
                }
                for k in (0..rest.len()).filter(|_| choice) {
                    if let Some((from, _)) = self.leave(k, Some(after)) {
                        free += 1;
                        ways += from.count_ones() as usize;
                    }
                }
                let seed = self.ties.as_mut().map_or(0, |ties| ties.below(4));
                ((seed, usize::MAX - free, usize::MAX - ways), (rest, after, Some(from)))
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut children: Vec<Child> = ranked.into_iter().map(|(_, child)| child).collect();
        // A box that starts on its goal can have been there all the time.
        self.position.set_boxes(boxes.iter().copied());
        let anywhere = (0..self.field.squares() as Square).find(|&square| self.position.free(square));
        for (i, &at) in boxes.iter().enumerate().filter(|(_, at)| self.exits[**at as usize] != 0) {
            let mut rest = boxes.to_vec();
            rest.remove(i);
            let player = player.or(anywhere).unwrap_or(at);
            children.push((rest, player, Some(self.exits[at as usize])));
        }
        children
    }

    /// The children in which a box is parked.
    fn parked(&mut self, boxes: &[Square], player: Option<Square>) -> Vec<Child> {
        let mut children = Vec::new();
        self.set_up(boxes);
        for i in 0..boxes.len() {
            self.work = self.work.saturating_sub(self.field.squares());
            self.macro_moves.generate(MoveKind::Pull, self.field, &mut self.position, i, player);
            for k in 1..self.macro_moves.places.len() {
                if self.work == 0 {
                    return children;
                }
                let place = self.macro_moves.places[k];
                self.charge(boxes.len());
                let mut moved = boxes.to_vec();
                moved[i] = place.to;
                moved.sort_unstable();
                children.push((moved, place.player(self.field, MoveKind::Pull), None));
            }
        }
        children
    }

    /// Can the i-th box leave? Returns its exits, and a square of the player's region afterwards.
    fn leave(&mut self, i: usize, player: Option<Square>) -> Option<(StepSet, Square)> {
        self.work = self.work.saturating_sub(self.field.squares());
        self.macro_moves.generate(MoveKind::Pull, self.field, &mut self.position, i, player);
        let exits = |place: &MacroMove| self.exits[place.to as usize];
        let mut exits_used = self.macro_moves.places.iter().skip(1).filter(|place| exits(place) != 0);
        let first = exits_used.next()?;
        let from = exits_used.fold(exits(first), |all, place| all | exits(place));
        Some((from, first.player(self.field, MoveKind::Pull)))
    }

    /// Charges the bytes of a position. Without bytes left, the search ends.
    fn charge(&mut self, boxes: usize) {
        // A position is stored in the list, in the set of those met, and in both queues.
        let bytes = boxes * size_of::<Square>() + size_of::<Node>() + 6 * size_of::<usize>();
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        if self.bytes_left == 0 {
            self.work = 0;
        }
    }
}

/// A position and those before it, back to the first.
fn lineage(nodes: &[Node], id: usize) -> impl Iterator<Item = &Node> {
    std::iter::successors(nodes.get(id), |node| nodes.get(node.before))
}
