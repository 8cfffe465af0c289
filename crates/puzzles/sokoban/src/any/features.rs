//! Search in the space of features (after Shoham and Schaeffer's FESS).
//!
//! A position is seen as a point with a few coordinates: how many boxes are packed, into how many parts the player's ground is
//! cut, how many narrow ways are blocked. Every point that was met has a queue of its own, and the search visits the points
//! in turn, one box carried for each visit. So progress of every kind gets its share of the work, and no single
//! estimate has to weigh one kind against another.
//!
//! Within a point the path decides that followed advice most often: each adviser names one move of a position that serves its
//! feature best, and only moves that nobody named have a price.

use std::collections::{HashMap, VecDeque};

use beeline_search::arena::{Arena, Column, NO_NODE, NodeId};
use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::seen::Table;
use beeline_search::{Limit, Meter, Space, Stats};

use super::super::board::{Dir, Square};
use super::super::field::Field;
use super::super::picorral::PiCorral;
use super::super::walk::{Position, Walk};
use super::super::{State, Steps};
use super::carry::Carry;
use super::lost::Lost;
use super::packing::Packing;
use super::terrain::{Goals, Terrain};

/// A box carried from one square to another, the last push in this direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) dir: Dir,
}

/// A position's place in the space of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Point {
    packed: u16,
    parts: u16,
    blocked: u16,
}

/// What is stored of a position besides its key.
#[derive(Clone, Copy, Debug)]
struct Memo {
    made_by: Move,
    /// The first of its moves, how many there are, how many of them are advised, and which is next.
    first: u32,
    count: u16,
    advised: u16,
    next: u16,
    weight: u16,
    cell: u32,
}

/// A move with the features of the position that it leads to.
#[derive(Clone, Copy, Debug)]
struct Option_ {
    mv: Move,
    point: Point,
    trouble: i32,
}

/// The queue of one point.
#[derive(Debug, Default)]
struct Cell {
    /// Positions by the price of their next move.
    rows: Vec<VecDeque<NodeId>>,
}

pub(crate) struct Features<'a, const N: usize> {
    space: &'a Steps<N>,
    field: &'a Field,
    arena: Arena<[u64; N], ()>,
    memos: Column<Memo>,
    moves: Column<Move>,
    table: Table,
    cells: Vec<Cell>,
    points: HashMap<Point, u32>,
    turn: usize,
    packing: Packing,
    terrain: Terrain,
    lost: Lost,
    pi: PiCorral,
    carry: Carry,
    position: Position,
    walk: Walk,
    options: Vec<Option_>,
    pub(crate) best: u16,
}

impl<'a, const N: usize> Features<'a, N> {
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field) -> Self {
        Self {
            space,
            field,
            arena: Arena::new(space.key_width(), false),
            memos: Column::default(),
            moves: Column::default(),
            table: Table::new(),
            cells: Vec::new(),
            points: HashMap::new(),
            turn: 0,
            packing: Packing::new(field),
            terrain: Terrain::new(field),
            lost: Lost::new(field),
            pi: PiCorral::new(field),
            carry: Carry::new(field),
            position: Position::new(field),
            walk: Walk::new(field),
            options: Vec::new(),
            best: 0,
        }
    }

    pub(crate) fn stored(&self) -> usize {
        self.arena.len()
    }

    pub(crate) fn cells(&self) -> (usize, u16) {
        (self.cells.len(), self.packing.whole)
    }

    /// Puts the start in. The answer is its node if it is solved already.
    pub(crate) fn begin(&mut self, meter: &mut Meter, stats: &mut Stats) -> Result<Option<NodeId>, Limit> {
        let mut start = self.space.start();
        self.set_up(&start);
        self.walk.flood(self.field, &self.position, start.player);
        start.player = self.walk.reached().iter().copied().min().unwrap_or(start.player);
        let key = self.space.pack(&start);
        let nothing = Move { from: 0, to: 0, dir: Dir::Left };
        let solved = self.solved();
        let id = self.add(meter, &key, NO_NODE, nothing, 0, stats)?;
        Ok(solved.then_some(id))
    }

    fn set_up(&mut self, state: &State<N>) {
        self.position.clear();
        for at in state.boxes.iter() {
            self.position.put(at);
        }
        self.position.player = state.player;
    }

    fn solved(&self) -> bool {
        self.position.boxes.iter().all(|&b| self.field.board().is_goal(b))
    }

    /// Works for so many visits. Gives the node of a solved position; `None` in an `Err`-free way when time is up, and
    /// `exhausted` when nothing is left.
    pub(crate) fn advance(&mut self, meter: &mut Meter, visits: u64, stats: &mut Stats) -> Result<Step, Limit> {
        for _ in 0..visits {
            if meter.due() {
                meter.look()?;
            }
            meter.count();
            let Some((id, mv)) = self.next(&mut meter.ledger)? else { return Ok(Step::Exhausted) };
            if let Some(goal) = self.carry_out(meter, id, mv, stats)? {
                return Ok(Step::Solved(goal));
            }
        }
        Ok(Step::Going)
    }

    /// The move to try next: of the cell whose turn it is, the cheapest.
    fn next(&mut self, ledger: &mut Ledger) -> Result<Option<(NodeId, Move)>, OutOfMemory> {
        for _ in 0..self.cells.len() {
            self.turn = (self.turn + 1) % self.cells.len();
            let cell = &mut self.cells[self.turn];
            let Some((weight, row)) = cell.rows.iter_mut().enumerate().find(|(_, row)| !row.is_empty()) else { continue };
            let Some(id) = row.pop_front() else { continue };
            let mut memo = self.memos.get(id);
            let mv = self.moves.get(memo.first + u32::from(memo.next));
            memo.next += 1;
            self.memos.set(id, memo);
            if memo.next < memo.count {
                let price = usize::from(memo.weight) + usize::from(memo.next >= memo.advised);
                if price == weight && memo.next < memo.advised {
                    cell.rows[price].push_front(id);
                } else {
                    place(ledger, cell, price, id)?;
                }
            }
            return Ok(Some((id, mv)));
        }
        Ok(None)
    }

    /// Makes a move; gives its node if it solves the level.
    fn carry_out(&mut self, meter: &mut Meter, id: NodeId, mv: Move, stats: &mut Stats) -> Result<Option<NodeId>, Limit> {
        let field = self.field;
        let mut state = self.space.unpack(&self.arena.keys.get(id));
        self.set_up(&state);
        stats.generated += 1;
        let Some(i) = self.position.boxes.iter().position(|&b| b == mv.from) else { return Ok(None) };
        self.position.shift(i, mv.to);
        self.position.player = field.near()[mv.to as usize][mv.dir.back() as usize];
        self.walk.flood(field, &self.position, self.position.player);
        state.player = self.walk.reached().iter().copied().min().unwrap_or(self.position.player);
        state.boxes.clear(mv.from);
        state.boxes.set(mv.to);
        let key = self.space.pack(&state);
        let hash = self.arena.keys.hash(&key);
        if self.table.lookup(&self.arena.keys, hash, &key).is_some() {
            stats.duplicates += 1;
            return Ok(None);
        }
        let solved = self.solved();
        if !solved && let Some(rule) = self.lost.on_reflection(field, &mut self.position, mv.to) {
            stats.add_pruned(rule, 1);
            return Ok(None);
        }
        let memo = self.memos.get(id);
        let weight = memo.weight + u16::from(memo.next > memo.advised);
        let child = self.add(meter, &key, id, mv, weight, stats)?;
        Ok(solved.then_some(child))
    }

    /// Stores the present position with its moves.
    fn add(
        &mut self,
        meter: &mut Meter,
        key: &[u64; N],
        parent: NodeId,
        made_by: Move,
        weight: u16,
        stats: &mut Stats,
    ) -> Result<NodeId, Limit> {
        let ledger = &mut meter.ledger;
        let hash = self.arena.keys.hash(key);
        let id = self.arena.push(ledger, key, parent, 0, ())?;
        self.table.record(ledger, &self.arena.keys, hash, id)?;
        self.walk.flood(self.field, &self.position, self.position.player);
        let parts = self.parts();
        let point = Point {
            packed: self.packing.value(self.field, &self.position),
            parts,
            blocked: self.terrain.blocked(self.position.boxes.iter().copied()),
        };
        self.best = self.best.max(point.packed);
        self.find_options(point, stats);
        let advised = advise(&mut self.options, point);
        let first = self.moves.len() as u32;
        for option in &self.options {
            self.moves.push(ledger, option.mv)?;
        }
        let cell = *self.points.entry(point).or_insert(self.cells.len() as u32);
        if cell as usize == self.cells.len() {
            ledger.push(&mut self.cells, Cell::default())?;
        }
        let count = self.options.len() as u16;
        let memo = Memo { made_by, first, count, advised, next: 0, weight, cell };
        self.memos.push(ledger, memo)?;
        if count > 0 {
            let price = usize::from(weight) + usize::from(advised == 0);
            place(ledger, &mut self.cells[cell as usize], price, id)?;
        }
        Ok(id)
    }

    /// Into how many parts the boxes cut the free squares. `walk` holds the player's part.
    fn parts(&mut self) -> u16 {
        let mut parts = 1;
        let mut seen = vec![false; self.field.squares() + 1];
        let mut todo: Vec<Square> = Vec::new();
        for from in 0..self.field.squares() as Square {
            if seen[from as usize] || !self.position.free(from) || self.walk.reaches(from) {
                continue;
            }
            parts += 1;
            seen[from as usize] = true;
            todo.push(from);
            while let Some(at) = todo.pop() {
                for to in self.field.near()[at as usize] {
                    if self.position.free(to) && !seen[to as usize] {
                        seen[to as usize] = true;
                        todo.push(to);
                    }
                }
            }
        }
        parts
    }

    /// All boxes that can be carried, and where to, with the features of what comes out.
    fn find_options(&mut self, point: Point, stats: &mut Stats) {
        let field = self.field;
        self.options.clear();
        let first = self.pi.boxes(field, &self.position, &self.walk);
        let open: Goals = self
            .position
            .boxes
            .iter()
            .fold(Goals::MAX, |open, &b| open & !self.terrain.goal_bit(b));
        for i in 0..self.position.boxes.len() {
            let at = self.position.boxes[i];
            if first.as_ref().is_some_and(|boxes| !boxes.contains(&at)) || !self.can_move(at) {
                continue;
            }
            self.carry.push(field, &mut self.position, i, |s| field.alive(s));
            let others = point.parts - u16::from(self.carry.places[0].parts);
            let before = self.terrain.trouble(field, at, &self.position.boxes, at, open);
            for k in 1..self.carry.places.len() {
                let place = self.carry.places[k];
                let to = place.to;
                if to == at {
                    continue;
                }
                self.position.shift(i, to);
                let lost = self.lost.at_once(field, &mut self.position, to);
                if let Some(rule) = lost {
                    stats.add_pruned(rule, 1);
                } else {
                    let packed = if self.packing.matters(at) || self.packing.matters(to) {
                        self.packing.value(field, &self.position)
                    } else {
                        point.packed
                    };
                    let blocked = if self.terrain.gate(at) == self.terrain.gate(to) {
                        point.blocked
                    } else {
                        self.terrain.blocked(self.position.boxes.iter().copied())
                    };
                    let after = self.terrain.trouble(field, to, &self.position.boxes, to, open);
                    self.options.push(Option_ {
                        mv: Move { from: at, to, dir: place.dir },
                        point: Point { packed, parts: others + u16::from(place.parts), blocked },
                        trouble: after - before,
                    });
                }
                self.position.shift(i, at);
            }
        }
    }

    /// Can the box be pushed at all? `walk` holds the player's part.
    fn can_move(&self, at: Square) -> bool {
        let near = self.field.near()[at as usize];
        (0..4).any(|d| self.walk.reaches(near[d]) && self.position.free(near[d ^ 1]))
    }

    /// The moves that led to a node.
    pub(crate) fn line(&self, goal: NodeId) -> Vec<Move> {
        self.arena.lineage(goal).iter().skip(1).map(|&id| self.memos.get(id).made_by).collect()
    }
}

/// How a stretch of work ended.
pub(crate) enum Step {
    Going,
    Solved(NodeId),
    Exhausted,
}

fn place(ledger: &mut Ledger, cell: &mut Cell, price: usize, id: NodeId) -> Result<(), OutOfMemory> {
    while cell.rows.len() <= price {
        ledger.push(&mut cell.rows, VecDeque::new())?;
    }
    let row = &mut cell.rows[price];
    if row.len() == row.capacity() {
        ledger.claim((row.len().max(4)) * size_of::<NodeId>())?;
    }
    row.push_back(id);
    Ok(())
}

/// Brings the moves that advisers name to the front; gives their number.
fn advise(options: &mut [Option_], now: Point) -> u16 {
    type Rank = (u16, u16, u16, i32);
    let advisers: [(fn(&Option_, Point) -> bool, fn(&Option_) -> Rank); 4] = [
        (|o, now| o.point.packed > now.packed, |o| (u16::MAX - o.point.packed, o.point.parts, o.point.blocked, o.trouble)),
        (|o, now| o.point.parts < now.parts, |o| (o.point.parts, u16::MAX - o.point.packed, o.point.blocked, o.trouble)),
        (|o, now| o.point.blocked < now.blocked, |o| (o.point.blocked, u16::MAX - o.point.packed, o.point.parts, o.trouble)),
        (|o, _| o.trouble < 0, |o| ((o.trouble + 10_000) as u16, u16::MAX - o.point.packed, o.point.parts, 0)),
    ];
    let mut advised = 0;
    for (serves, rank) in advisers {
        let named = (0..options.len())
            .filter(|&i| serves(&options[i], now) && options[i].point.packed >= now.packed)
            .min_by_key(|&i| rank(&options[i]));
        if let Some(i) = named
            && i >= advised
        {
            options[advised..=i].rotate_right(1);
            advised += 1;
        }
    }
    advised as u16
}
