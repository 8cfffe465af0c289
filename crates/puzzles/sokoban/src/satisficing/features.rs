//! Feature space search (FESS; Shoham and Schaeffer, "The FESS algorithm: a feature-based approach to
//! single-agent search", 2020).
//!
//! The features of a position make it a point in a small space: boxes packed, connectivity (regions into
//! which boxes cut the floor), room connectivity (narrow passages with a box in them), out-of-plan boxes,
//! hotspots. Every point has a queue of its own, a *cell*. The search visits the cells in the order of
//! `schedule` and makes one macro move per visit. So each kind of progress gets its share.
//!
//! Within a cell, the position comes first whose path has the fewest moves that no advisor named.

use std::collections::{HashMap, VecDeque};

use beeline_search::arena::{Arena, Column, NO_NODE, NodeId};
use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::seen::Table;
use beeline_search::{Limit, Random, Space};
use foldhash::fast::FixedState;

use super::advisors::{Candidate, Current, FeatureConfig, Move, NO_MOVE, Point, advise};
use super::context::{BoardAnalysis, Context};
use super::packing_order::{BoxAssignment, RatedOrder};
use super::portfolio::Member;
use super::push_state::PushState;
use super::schedule::CellSchedule;
use super::tuning::Tuning;
use crate::Steps;
use crate::board::Square;
use crate::field::Field;
use crate::macro_moves::{MacroMoves, MoveKind, movable};
use crate::rules::pi_corral::PiCorral;
use crate::satisficing::{Found, tie_breaker};

/// The stored data of a position besides its key. Half of all positions are never visited, so moves are
/// generated at the first visit.
#[derive(Clone, Copy, Debug)]
struct Memo {
    /// The index of its first move, the number of moves ([`NOT_GENERATED`] before the first visit), the next
    /// move to try, and the number of advised moves.
    first: u32,
    count: u32,
    next: u32,
    advised: u16,
    weight: u16,
}

/// The moves of the position have not been generated.
const NOT_GENERATED: u32 = u32::MAX;

impl Memo {
    /// The weight of its path after the next move: one more if no advisor named that move.
    fn price(&self) -> usize {
        usize::from(self.weight) + usize::from(self.next >= u32::from(self.advised))
    }
}

/// The queue of one point of the feature space.
#[derive(Debug)]
struct Cell {
    point: Point,
    /// Positions by the price of their next move, and their number.
    rows: Vec<VecDeque<NodeId>>,
    waiting: usize,
    visits: u32,
}

impl Cell {
    fn new(point: Point) -> Self {
        Self { point, rows: Vec::new(), waiting: 0, visits: 0 }
    }

    /// Takes the first position of the cheapest row, with its price.
    fn pop(&mut self) -> Option<(NodeId, usize)> {
        let first = self.rows.iter_mut().enumerate().find_map(|(price, row)| Some((row.pop_front()?, price)));
        self.waiting -= usize::from(first.is_some());
        first
    }

    /// Puts back a position that was popped.
    fn put_back(&mut self, price: usize, id: NodeId) {
        self.waiting += 1;
        self.rows[price].push_front(id);
    }

    /// Appends a position to the row of its price.
    fn place(&mut self, ledger: &mut Ledger, price: usize, id: NodeId) -> Result<(), OutOfMemory> {
        while self.rows.len() <= price {
            ledger.push(&mut self.rows, VecDeque::new())?;
        }
        let row = &mut self.rows[price];
        if row.len() == row.capacity() {
            ledger.claim((row.len().max(4)) * size_of::<NodeId>())?;
        }
        self.waiting += 1;
        row.push_back(id);
        Ok(())
    }
}

/// The next action of a search.
enum Next {
    Try(NodeId, Move),
    Met,
    Nothing,
}

pub(crate) struct Features<'a, const N: usize> {
    field: &'a Field,
    state: PushState<'a, N>,
    arena: Arena<[u64; N], ()>,
    memos: Column<Memo>,
    moves: Column<Move>,
    table: Table,
    cells: Vec<Cell>,
    points: HashMap<Point, u32, FixedState>,
    schedule: CellSchedule,
    pi: PiCorral,
    macro_moves: MacroMoves,
    candidates: Vec<Candidate>,
    config: FeatureConfig,
    ties: Option<Random>,
    /// The packing order, if the search has one.
    order: Option<RatedOrder>,
    /// Positions that deadlock searches may still visit.
    credit: u64,
    /// The greatest progress so far.
    best_progress: u16,
    /// Bytes claimed by this search.
    pub(crate) bytes: usize,
}

impl<'a, const N: usize> Features<'a, N> {
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, config: FeatureConfig) -> Self {
        Self {
            field,
            state: PushState::new(space, field),
            arena: Arena::new(space.key_width(), true),
            memos: Column::default(),
            moves: Column::default(),
            table: Table::new(),
            cells: Vec::new(),
            points: HashMap::default(),
            schedule: CellSchedule::default(),
            pi: PiCorral::new(field),
            macro_moves: MacroMoves::new(field),
            candidates: Vec::new(),
            config,
            ties: tie_breaker(config.seed),
            order: None,
            credit: 0,
            best_progress: 0,
            bytes: 0,
        }
    }

    /// Runs `work` and adds the bytes that it claims, those for visited positions left out.
    fn booked<T>(
        &mut self,
        context: &mut Context<'_, '_, N>,
        work: impl FnOnce(&mut Self, &mut Context<'_, '_, N>) -> Result<T, Limit>,
    ) -> Result<T, Limit> {
        let (used, kept) = (context.meter.ledger.used(), context.visited.bytes());
        let done = work(self, context);
        self.bytes += context.meter.ledger.used() - used - (context.visited.bytes() - kept);
        done
    }

    /// Stores the start.
    fn put_roots(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        if let Some((_, order)) = &self.order {
            context.meter.ledger.claim(order.bytes())?;
        }
        for key in MoveKind::Push.roots(self.state.space, self.field) {
            self.state.load(&key);
            self.state.flood();
            if context.record(MoveKind::Push, &key, None, NO_MOVE)? {
                return Ok(Found::Met);
            }
            self.add(context, &key, (NO_NODE, 0), 0)?;
        }
        Ok(Found::NotYet)
    }

    fn work(&mut self, context: &mut Context<'_, '_, N>, visits: u64) -> Result<Found, Limit> {
        let mut left = visits;
        while left > 0 {
            left = left.saturating_sub(1 + context.analysis.visits_for_macro_moves());
            context.tick()?;
            match self.next(context)? {
                Next::Try(id, mv) if !self.make_move(context, id, mv)? => {}
                Next::Try(..) | Next::Met => return Ok(Found::Met),
                Next::Nothing => return Ok(Found::Nothing),
            }
        }
        Ok(Found::NotYet)
    }

    /// The next move: the cheapest one of the next cell in the schedule.
    fn next(&mut self, context: &mut Context<'_, '_, N>) -> Result<Next, Limit> {
        loop {
            let cells = &self.cells;
            let Some(turn) = self.schedule.next(self.best_progress, |cell| cells[cell].waiting > 0) else {
                return Ok(Next::Nothing);
            };
            while let Some((id, price)) = self.cells[turn].pop() {
                let cell = &mut self.cells[turn];
                cell.visits += 1;
                let (visits, point) = (u64::from(cell.visits), cell.point);
                if self.is_lost(context, id, visits) {
                    continue;
                }
                if self.memos.get(id).count == NOT_GENERATED && self.generate_moves(context, id, point)? {
                    return Ok(Next::Met);
                }
                let mut memo = self.memos.get(id);
                if memo.next == memo.count {
                    continue;
                }
                let cell = &mut self.cells[turn];
                if memo.price() > price {
                    cell.place(&mut context.meter.ledger, memo.price(), id)?;
                    continue;
                }
                let mv = self.moves.get(memo.first + memo.next);
                memo.next += 1;
                self.memos.set(id, memo);
                if memo.next < memo.count {
                    if memo.next < u32::from(memo.advised) {
                        cell.put_back(price, id);
                    } else {
                        cell.place(&mut context.meter.ledger, memo.price(), id)?;
                    }
                }
                return Ok(Next::Try(id, mv));
            }
        }
    }

    /// Is a position a deadlock by the patterns learnt since it was stored? In cells with many visits, some
    /// positions are also searched for deadlocks, at intervals that double.
    fn is_lost(&mut self, context: &mut Context<'_, '_, N>, id: NodeId, visits: u64) -> bool {
        self.state.load(&self.arena.keys.get(id));
        let deadlocks = &mut context.analysis.deadlocks;
        if deadlocks.by_learnt_patterns(&self.state.position) {
            context.stats.add_pruned("learnt", 1);
            return true;
        }
        let Tuning { credit_per_visit, credit_per_deadlock, .. } = context.analysis.tuning;
        self.credit += credit_per_visit;
        let Tuning { deadlock_positions: most, deadlock_positions_per_visit: each, .. } =
            context.analysis.tuning;
        let limit = (each * visits).min(most);
        if !visits.is_power_of_two() || visits == 1 || self.credit < limit {
            return false;
        }
        let is_lost = deadlocks.by_search(self.field, &self.state.position, limit as usize);
        if is_lost {
            context.stats.add_pruned("doubt", 1);
            self.credit += credit_per_deadlock;
        } else {
            self.credit -= limit;
        }
        is_lost
    }

    /// Makes a move. Returns `true` if there is a plan now.
    fn make_move(&mut self, context: &mut Context<'_, '_, N>, id: NodeId, mv: Move) -> Result<bool, Limit> {
        let field = self.field;
        let before = self.arena.keys.get(id);
        context.stats.generated += 1;
        if self.state.load_after(&before, mv).is_none() {
            return Ok(false);
        }
        let key = self.state.key();
        let hash = self.arena.keys.hash(&key);
        if self.table.lookup(&self.arena.keys, hash, &key).is_some() {
            context.stats.duplicates += 1;
            return Ok(false);
        }
        if context.record(MoveKind::Push, &key, Some(&before), mv)? {
            return Ok(true);
        }
        let corral_positions = context.analysis.tuning.corral_positions;
        let deadlocks = &mut context.analysis.deadlocks;
        let lost = deadlocks.thorough(field, &mut self.state.position, mv.to, corral_positions);
        if let Some(rule) = lost {
            context.stats.add_pruned(rule, 1);
            return Ok(false);
        }
        let memo = self.memos.get(id);
        let weight = memo.weight.saturating_add(u16::from(memo.next > u32::from(memo.advised)));
        let pushes = self.arena.cost(id) + u32::from(mv.pushes);
        self.add(context, &key, (id, pushes), weight)?;
        Ok(false)
    }

    /// Stores the current position; `walk` must hold its reach.
    fn add(
        &mut self,
        context: &mut Context<'_, '_, N>,
        key: &[u64; N],
        (parent, pushes): (NodeId, u32),
        weight: u16,
    ) -> Result<(), Limit> {
        let Context { meter, analysis, stats, .. } = context;
        let ledger = &mut meter.ledger;
        let hash = self.arena.keys.hash(key);
        let id = self.arena.push(ledger, key, parent, pushes, ())?;
        self.table.record(ledger, &self.arena.keys, hash, id)?;
        let connectivity = self.state.walk.connectivity(self.field);
        let hotspots = analysis.board_features.total_hotspots(self.field, &self.state.position.boxes)
            / self.config.hotspots;
        let packed = match &self.order {
            Some((_, order)) => order.steps_done(&self.state.position),
            None => analysis.packing.value(self.field, &self.state.position),
        };
        let point = Point {
            hotspots: hotspots as u16,
            packed,
            out_of_plan: match &self.order {
                Some((_, order)) => order.out_of_plan(&self.state.position, packed),
                None => analysis.deadlocks.out_of_plan(self.field, &self.state.position, packed),
            },
            connectivity,
            room_connectivity: analysis.board_features.room_connectivity(&self.state.position.boxes),
        };
        // Progress counts packed boxes minus boxes newly out of plan. A box that the packing order leaves out
        // of plan at the start counts like a packed one once it is back in plan. A position with more
        // progress than all others directs the whole search, so it gets a deadlock search.
        let at_first = self.order.as_ref().map_or(0, |(out_of_plan, _)| *out_of_plan);
        let progress = (packed + at_first).saturating_sub(point.out_of_plan);
        let ahead = progress > self.best_progress;
        let most = analysis.tuning.deadlock_positions as usize;
        let lost = ahead && analysis.deadlocks.by_search(self.field, &self.state.position, most);
        if lost {
            stats.add_pruned("doubt", 1);
        } else {
            self.best_progress = self.best_progress.max(progress);
        }
        let count = if lost { 0 } else { NOT_GENERATED };
        self.memos.push(ledger, Memo { first: 0, count, advised: 0, next: 0, weight })?;
        let cell = *self.points.entry(point).or_insert(self.cells.len() as u32);
        if cell as usize == self.cells.len() {
            ledger.push(&mut self.cells, Cell::new(point))?;
            self.schedule.add(ledger, progress)?;
        }
        if !lost {
            self.cells[cell as usize].place(ledger, usize::from(weight), id)?;
        }
        Ok(())
    }

    /// Generates the moves of a position, advised ones first. Returns `true` if there is a plan now.
    fn generate_moves(
        &mut self,
        context: &mut Context<'_, '_, N>,
        id: NodeId,
        point: Point,
    ) -> Result<bool, Limit> {
        let key = self.arena.keys.get(id);
        self.state.load(&key);
        self.state.flood();
        let early = self.find_candidates(context, point, self.arena.cost(id));
        let Context { meter, visited, .. } = context;
        let ledger = &mut meter.ledger;
        if let Some(parent) = visited.parent(MoveKind::Push, &key) {
            for candidate in &self.candidates {
                if visited.probe(ledger, &parent, candidate.mv)? {
                    return Ok(true);
                }
            }
        }
        if let Some(ties) = &mut self.ties {
            ties.shuffle(&mut self.candidates);
        }
        let current = Current {
            point,
            area: self.state.walk.reached().len() as u16,
            early: if self.order.is_some() { early } else { u16::MAX },
        };
        let advised = advise(&mut self.candidates, current);
        let (first, count) = (self.moves.len() as u32, self.candidates.len() as u32);
        for candidate in &self.candidates {
            self.moves.push(ledger, candidate.mv)?;
        }
        self.memos.set(id, Memo { first, count, advised, ..self.memos.get(id) });
        Ok(false)
    }

    /// Generates the candidate moves of a position that was reached with this many pushes, and their features.
    /// Returns the number of boxes that are too early before any move.
    fn find_candidates(&mut self, context: &mut Context<'_, '_, N>, point: Point, pushes: u32) -> u16 {
        let Context { analysis, stats, push_limit, .. } = context;
        let BoardAnalysis { deadlocks, board_features, packing, .. } = analysis;
        let field = self.field;
        self.candidates.clear();
        if push_limit.as_mut().is_some_and(|limit| !limit.set(field, &self.state.position)) {
            return 0;
        }
        let player = self.state.position.player;
        let restricted = self.pi.find(field, &self.state.position, &self.state.walk);
        board_features.set_boxes(field, &self.state.position.boxes);
        let mut assignment = self
            .order
            .as_ref()
            .map(|(_, order)| BoxAssignment::new(order, &self.state.position, point.packed));
        self.macro_moves.survey(field, &self.state.position);
        for i in 0..self.state.position.boxes.len() {
            let at = self.state.position.boxes[i];
            if restricted && !self.pi.is_next(at) || !self.can_move(at) {
                continue;
            }
            self.macro_moves.generate(MoveKind::Push, field, &mut self.state.position, i, Some(player));
            let others = point.connectivity - u16::from(self.macro_moves.places[0].connectivity);
            if let Some(assignment) = &mut assignment {
                assignment.select(i);
            }
            let before = board_features.hotspots(field, at);
            board_features.toggle(at);
            for k in 1..self.macro_moves.places.len() {
                let place = self.macro_moves.places[k];
                let to = place.to;
                if to == at {
                    continue;
                }
                let player = place.player(field, MoveKind::Push);
                let mv = Move { from: at, to, player, pushes: place.pushes };
                let pushes = pushes + u32::from(place.pushes);
                let before_move = (field, &self.state.position);
                if push_limit.as_mut().is_some_and(|limit| !limit.admits(before_move, i, mv, pushes)) {
                    continue;
                }
                self.state.position.shift(i, to);
                if let Some(rule) = deadlocks.quick(field, &mut self.state.position, to, player) {
                    stats.add_pruned(rule, 1);
                } else {
                    let packed = match &self.order {
                        Some((_, order)) if order.is_relevant(at) || order.is_relevant(to) => {
                            order.steps_done(&self.state.position)
                        }
                        None if packing.is_relevant(at) || packing.is_relevant(to) => {
                            packing.value(field, &self.state.position)
                        }
                        _ => point.packed,
                    };
                    let room_connectivity = if board_features.passage(at) == board_features.passage(to) {
                        point.room_connectivity
                    } else {
                        board_features.room_connectivity(&self.state.position.boxes)
                    };
                    let same = packed == point.packed;
                    let (out_of_plan, early) = match &mut assignment {
                        Some(assignment) => assignment.evaluate(&self.state.position, packed, to),
                        None if same => (point.out_of_plan, 0),
                        None => (deadlocks.out_of_plan(field, &self.state.position, packed), 0),
                    };
                    self.candidates.push(Candidate {
                        mv,
                        point: Point {
                            packed,
                            connectivity: others + u16::from(place.connectivity),
                            room_connectivity,
                            out_of_plan,
                            ..point
                        },
                        area: place.area,
                        early,
                        depth: packing.depth(to),
                        hotspots: board_features.hotspots(field, to) - before,
                    });
                }
                self.state.position.shift(i, at);
            }
            board_features.toggle(at);
        }
        assignment.map_or(0, |assignment| assignment.early())
    }

    /// Can the box be moved at all? `walk` must hold the reach of the player.
    fn can_move(&self, at: Square) -> bool {
        movable(MoveKind::Push, self.field, &self.state.position, &self.state.walk, at)
    }
}

impl<const N: usize> Member<N> for Features<'_, N> {
    fn begin(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        let packing = &mut context.analysis.packing;
        if self.config.packing_order {
            self.order = packing.finder.find(self.field, self.config.seed, context.meter)?;
        }
        if self.order.is_none() {
            packing.prepare(self.field, context.meter)?;
        }
        self.booked(context, Self::put_roots)
    }

    fn advance(&mut self, context: &mut Context<'_, '_, N>, visits: u64) -> Result<Found, Limit> {
        self.booked(context, |own, context| own.work(context, visits))
    }

    // Twice the usual turn: the best search for hard levels.
    fn turn(&self, turn: u64) -> u64 {
        2 * turn
    }

    fn packed(&self) -> u16 {
        self.cells.iter().map(|cell| cell.point.packed).max().unwrap_or(0)
    }

    fn stored(&self) -> usize {
        self.arena.len()
    }
}
