//! Feature space search (FESS; Shoham and Schaeffer, "The FESS algorithm: a feature-based approach to single-agent search", 2020).
//!
//! The features of a position make it a point in a small space: boxes packed, connectivity (regions into which boxes cut the floor), room
//! connectivity (narrow passages with a box in them), out-of-plan boxes, hotspots. Every point has a queue of its own. The
//! search visits the points in turn (`turns` says in which order) and makes one macro move a visit. So each kind of progress gets its share.
//!
//! Within a point, the position comes first whose path has the fewest moves that no advisor named.

use std::collections::{HashMap, VecDeque};

use beeline_search::arena::{Arena, Column, NO_NODE, NodeId};
use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::seen::Table;
use beeline_search::{Limit, Space, Stats};
use foldhash::fast::FixedState;

use super::advisors::{FeatureConfig, Move, NO_MOVE, Now, Offer, Point, advise};
use super::context::{BoardAnalysis, Context};
use super::packing_order::{BoxAssignment, Rated};
use super::portfolio::Member;
use super::push_state::PushState;
use super::tie_breaker::TieBreaker;
use super::tuning::Tuning;
use super::turns::Turns;
use crate::Steps;
use crate::board::Square;
use crate::field::Field;
use crate::macro_moves::{MacroMoves, Way, movable};
use crate::rules::pi_corral::PiCorral;
use crate::satisficing::Found;
use crate::walk::Reaches;

/// What is stored of a position besides its key. Half of all positions are never visited: moves are looked for when one is.
#[derive(Clone, Copy, Debug)]
struct Memo {
    /// The first of its moves, how many there are ([`UNSEEN`] before they are generated), how many of them are advised, and
    /// which is next.
    first: u32,
    count: u32,
    next: u32,
    advised: u16,
    weight: u16,
}

/// The moves of the position were not generated yet.
const UNSEEN: u32 = u32::MAX;

impl Memo {
    /// What its next move costs.
    fn price(&self) -> usize {
        usize::from(self.weight) + usize::from(self.next >= u32::from(self.advised))
    }
}

/// The queue of one point.
#[derive(Debug)]
struct Cell {
    point: Point,
    /// Positions by the price of their next move, and how many there are.
    rows: Vec<VecDeque<NodeId>>,
    waiting: usize,
    visits: u32,
}

impl Cell {
    fn new(point: Point) -> Self {
        Self { point, rows: Vec::new(), waiting: 0, visits: 0 }
    }

    /// Takes the first position of the cheapest row in which something waits, with its price.
    fn pop(&mut self) -> Option<(NodeId, usize)> {
        let first = self.rows.iter_mut().enumerate().find_map(|(price, row)| Some((row.pop_front()?, price)));
        self.waiting -= usize::from(first.is_some());
        first
    }

    /// Puts a position that was popped back where it was.
    fn put_back(&mut self, price: usize, id: NodeId) {
        self.waiting += 1;
        self.rows[price].push_front(id);
    }

    /// Puts a position after all others of its price.
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

/// What a search does next.
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
    turns: Turns,
    pi: PiCorral,
    carry: MacroMoves,
    offers: Vec<Offer>,
    config: FeatureConfig,
    ties: TieBreaker,
    /// The packing order, if the search has one.
    plan: Option<Rated>,
    /// Positions that deadlock searches may still visit.
    credit: u64,
    /// The furthest lead so far.
    most: u16,
    /// Bytes that were claimed for all this.
    bytes: usize,
}

impl<'a, const N: usize> Features<'a, N> {
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, config: FeatureConfig) -> Self {
        Self {
            field,
            state: PushState::new(space, field),
            arena: Arena::new(space.key_width(), false),
            memos: Column::default(),
            moves: Column::default(),
            table: Table::new(),
            cells: Vec::new(),
            points: HashMap::default(),
            turns: Turns::default(),
            pi: PiCorral::new(field),
            carry: MacroMoves::new(field),
            offers: Vec::new(),
            config,
            ties: TieBreaker(config.seed),
            plan: None,
            credit: 0,
            most: 0,
            bytes: 0,
        }
    }

    /// Does some work, and notes how many bytes were claimed for it; the trails are not its own.
    fn booked<T>(
        &mut self,
        context: &mut Context<'_, '_, N>,
        work: impl FnOnce(&mut Self, &mut Context<'_, '_, N>) -> Result<T, Limit>,
    ) -> Result<T, Limit> {
        let (used, kept) = (context.meter.ledger.used(), context.trails.bytes());
        let done = work(self, context);
        self.bytes += context.meter.ledger.used() - used - (context.trails.bytes() - kept);
        done
    }

    /// Begins anew if a longer search of another member has found a better packing order.
    fn reconsider(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        let finder = &context.analysis.packing.finder;
        let better = finder.better_than(self.plan.as_ref()).filter(|_| self.config.packing_order);
        let Some(better) = better.cloned() else { return Ok(Found::NotYet) };
        context.meter.ledger.release(self.bytes);
        // What has been found out on the way stays on the trails.
        *self = Self::new(self.state.space, self.field, self.config);
        self.plan = Some(better);
        self.booked(context, Self::put_roots)
    }

    /// Puts the start in.
    fn put_roots(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        if let Some((_, plan)) = &self.plan {
            context.meter.ledger.claim(plan.bytes())?;
        }
        for key in Way::Pushing.roots(self.state.space, self.field) {
            self.state.load(&key);
            self.state.flood();
            if context.note(Way::Pushing, &key, None, NO_MOVE)? {
                return Ok(Found::Met);
            }
            self.add(context, &key, NO_NODE, 0)?;
        }
        Ok(Found::NotYet)
    }

    fn work(&mut self, context: &mut Context<'_, '_, N>, visits: u64) -> Result<Found, Limit> {
        let mut left = visits;
        while left > 0 {
            left = left.saturating_sub(1 + context.analysis.visits_for_macro_moves());
            context.tick()?;
            match self.next(context)? {
                Next::Try(id, mv) if !self.carry_out(context, id, mv)? => {}
                Next::Try(..) | Next::Met => return Ok(Found::Met),
                Next::Nothing => return Ok(Found::Nothing),
            }
        }
        Ok(Found::NotYet)
    }

    /// The move to try next: of the cell whose turn it is, the cheapest.
    fn next(&mut self, context: &mut Context<'_, '_, N>) -> Result<Next, Limit> {
        loop {
            let cells = &self.cells;
            let Some(turn) = self.turns.next(self.most, |cell| cells[cell].waiting > 0) else {
                return Ok(Next::Nothing);
            };
            while let Some((id, price)) = self.cells[turn].pop() {
                let cell = &mut self.cells[turn];
                cell.visits += 1;
                let (visits, point) = (u64::from(cell.visits), cell.point);
                if self.given_up(context, id, visits) {
                    continue;
                }
                if self.memos.get(id).count == UNSEEN && self.unfold(context, id, point)? {
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

    /// Is a position lost by what has been learnt since it was met? Of cells that have been visited often, a position is looked
    /// at more closely now and then.
    fn given_up(&mut self, context: &mut Context<'_, '_, N>, id: NodeId, visits: u64) -> bool {
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
        let given_up = deadlocks.by_search(self.field, &self.state.position, limit as usize);
        if given_up {
            context.stats.add_pruned("doubt", 1);
            self.credit += credit_per_deadlock;
        } else {
            self.credit -= limit;
        }
        given_up
    }

    /// Makes a move. Is there a plan now?
    fn carry_out(&mut self, context: &mut Context<'_, '_, N>, id: NodeId, mv: Move) -> Result<bool, Limit> {
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
        if context.note(Way::Pushing, &key, Some(&before), mv)? {
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
        self.add(context, &key, id, weight)?;
        Ok(false)
    }

    /// Stores the present position, in which `walk` knows where the player can go.
    fn add(
        &mut self,
        context: &mut Context<'_, '_, N>,
        key: &[u64; N],
        parent: NodeId,
        weight: u16,
    ) -> Result<(), Limit> {
        let Context { meter, analysis, stats, .. } = context;
        let ledger = &mut meter.ledger;
        let hash = self.arena.keys.hash(key);
        let id = self.arena.push(ledger, key, parent, 0, ())?;
        self.table.record(ledger, &self.arena.keys, hash, id)?;
        let connectivity = self.state.walk.connectivity(self.field);
        let hotspots = analysis.terrain.total(self.field, &self.state.position.boxes) / self.config.hotspots;
        let packed = match &self.plan {
            Some((_, plan)) => plan.done(&self.state.position),
            None => analysis.packing.value(self.field, &self.state.position),
        };
        let point = Point {
            hotspots: hotspots as u16,
            packed,
            out_of_plan: match &self.plan {
                Some((_, plan)) => plan.out_of_plan(&self.state.position, packed),
                None => analysis.deadlocks.out_of_plan(self.field, &self.state.position, packed),
            },
            connectivity,
            room_connectivity: analysis.terrain.room_connectivity(&self.state.position.boxes),
        };
        // A step that was paid for with a box out of plan is none; to bring one back that the plan leaves out of plan at the start is as good as
        // a step. One ahead of all others leads the whole search on: it is worth a closer look.
        let at_first = self.plan.as_ref().map_or(0, |(out_of_plan, _)| *out_of_plan);
        let lead = (packed + at_first).saturating_sub(point.out_of_plan);
        let ahead = lead > self.most;
        let most = analysis.tuning.deadlock_positions as usize;
        let lost = ahead && analysis.deadlocks.by_search(self.field, &self.state.position, most);
        if lost {
            stats.add_pruned("doubt", 1);
        } else {
            self.most = self.most.max(lead);
        }
        let count = if lost { 0 } else { UNSEEN };
        self.memos.push(ledger, Memo { first: 0, count, advised: 0, next: 0, weight })?;
        let cell = *self.points.entry(point).or_insert(self.cells.len() as u32);
        if cell as usize == self.cells.len() {
            ledger.push(&mut self.cells, Cell::new(point))?;
            self.turns.add(ledger, lead)?;
        }
        if !lost {
            self.cells[cell as usize].place(ledger, usize::from(weight), id)?;
        }
        Ok(())
    }

    /// Looks for the moves of a position, those that are advised first. Is there a plan now?
    fn unfold(&mut self, context: &mut Context<'_, '_, N>, id: NodeId, point: Point) -> Result<bool, Limit> {
        let Context { meter, analysis, stats, trails, .. } = context;
        let ledger = &mut meter.ledger;
        let key = self.arena.keys.get(id);
        self.state.load(&key);
        self.state.flood();
        let early = self.find_offers(point, analysis, stats);
        if let Some(scout) = trails.scout(Way::Pushing, &key) {
            for offer in &self.offers {
                if trails.look(ledger, &scout, offer.mv)? {
                    return Ok(true);
                }
            }
        }
        self.shuffle();
        let now = Now {
            point,
            area: self.state.walk.reached().len() as u16,
            early: if self.plan.is_some() { early } else { u16::MAX },
        };
        let advised = advise(&mut self.offers, now);
        let (first, count) = (self.moves.len() as u32, self.offers.len() as u32);
        for offer in &self.offers {
            self.moves.push(ledger, offer.mv)?;
        }
        self.memos.set(id, Memo { first, count, advised, ..self.memos.get(id) });
        Ok(false)
    }

    /// All boxes that can be carried, and where to, with the features of what comes out. Gives how many come too early as it is.
    fn find_offers(&mut self, point: Point, analysis: &mut BoardAnalysis, stats: &mut Stats) -> u16 {
        let BoardAnalysis { deadlocks, terrain, packing, .. } = analysis;
        let field = self.field;
        self.offers.clear();
        let player = self.state.position.player;
        let pocket = self.pi.find(field, &self.state.position, &self.state.walk);
        terrain.gather(field, &self.state.position.boxes);
        let mut roster =
            self.plan.as_ref().map(|(_, plan)| BoxAssignment::new(plan, &self.state.position, point.packed));
        self.carry.survey(field, &self.state.position);
        for i in 0..self.state.position.boxes.len() {
            let at = self.state.position.boxes[i];
            if pocket && !self.pi.is_next(at) || !self.can_move(at) {
                continue;
            }
            self.carry.carry(Way::Pushing, field, &mut self.state.position, i, Some(player));
            let others = point.connectivity - u16::from(self.carry.places[0].connectivity);
            if let Some(roster) = &mut roster {
                roster.carry(i);
            }
            let before = terrain.hotspots(field, at);
            terrain.toggle(at);
            for k in 1..self.carry.places.len() {
                let place = self.carry.places[k];
                let to = place.to;
                if to == at {
                    continue;
                }
                self.state.position.shift(i, to);
                let player = place.player(field, Way::Pushing);
                if let Some(rule) = deadlocks.quick(field, &mut self.state.position, to, player) {
                    stats.add_pruned(rule, 1);
                } else {
                    let packed = match &self.plan {
                        Some((_, plan)) if plan.matters(at) || plan.matters(to) => {
                            plan.done(&self.state.position)
                        }
                        None if packing.matters(at) || packing.matters(to) => {
                            packing.value(field, &self.state.position)
                        }
                        _ => point.packed,
                    };
                    let room_connectivity = if terrain.gate(at) == terrain.gate(to) {
                        point.room_connectivity
                    } else {
                        terrain.room_connectivity(&self.state.position.boxes)
                    };
                    let same = packed == point.packed;
                    let (out_of_plan, early) = match &mut roster {
                        Some(roster) => roster.serve(&self.state.position, packed, to),
                        None if same => (point.out_of_plan, 0),
                        None => (deadlocks.out_of_plan(field, &self.state.position, packed), 0),
                    };
                    self.offers.push(Offer {
                        mv: Move { from: at, to, player },
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
                        hotspots: terrain.hotspots(field, to) - before,
                    });
                }
                self.state.position.shift(i, at);
            }
            terrain.toggle(at);
        }
        roster.map_or(0, |roster| roster.early())
    }

    fn shuffle(&mut self) {
        if self.config.seed == 0 {
            return;
        }
        for i in (1..self.offers.len()).rev() {
            self.offers.swap(i, (self.ties.bits() % (i as u64 + 1)) as usize);
        }
    }

    /// Can the box be moved at all? `walk` holds the player's part.
    fn can_move(&self, at: Square) -> bool {
        movable(Way::Pushing, self.field, &self.state.position, &self.state.walk, at)
    }
}

impl<const N: usize> Member<N> for Features<'_, N> {
    fn begin(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        let packing = &mut context.analysis.packing;
        if self.config.packing_order {
            self.plan = packing.finder.find(self.field, self.config.seed, context.meter)?;
        }
        if self.plan.is_none() {
            packing.study(self.field, context.meter)?;
        }
        self.booked(context, Self::put_roots)
    }

    fn advance(&mut self, context: &mut Context<'_, '_, N>, visits: u64) -> Result<Found, Limit> {
        match self.reconsider(context)? {
            Found::NotYet => self.booked(context, |own, context| own.work(context, visits)),
            found => Ok(found),
        }
    }

    // The best for what is hard.
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

#[cfg(test)]
mod tests {
    use super::super::context::with_context;
    use super::*;
    use crate::make::make;

    /// The first search is too short to find a packing order, and a later one finds it.
    #[test]
    fn a_search_begins_anew_with_a_better_plan() {
        let board = make(12, 12, 10, 1).expect("a board");
        let (field, space) = (Field::new(&board), Steps::<4>::new(&board).expect("room"));
        let tuning = Tuning { order_search: 1, long_order_search: 1, ..Tuning::default() };
        with_context(&space, &field, tuning, |context| {
            let config = FeatureConfig { packing_order: true, hotspots: 2, seed: 0 };
            let mut search = Features::new(&space, &field, config);
            assert!(matches!(search.begin(context), Ok(Found::NotYet)));
            assert!(search.plan.is_none());
            assert!(matches!(search.advance(context, 8), Ok(Found::NotYet)));
            let (stored, bytes) = (search.stored(), search.bytes);
            assert!(stored > 2);
            let Context { analysis, meter, .. } = context;
            let mut find = || analysis.packing.finder.find(&field, 0, meter).expect("no limit");
            let better = (0..12).find_map(|_| find());
            let used = context.meter.ledger.used() - context.trails.bytes();
            assert!(matches!(search.advance(context, 1), Ok(Found::NotYet)));
            assert_eq!(
                search.plan.as_ref().map(|(out_of_plan, _)| *out_of_plan),
                better.map(|(out_of_plan, _)| out_of_plan)
            );
            assert!(search.plan.is_some() && search.stored() < stored);
            let now = context.meter.ledger.used() - context.trails.bytes();
            assert_eq!(now - search.bytes, used - bytes, "what the old one had is given back");
            // The more boxes a plan leaves out of plan at the start, the more are brought back by a position that has as many as before.
            let (out_of_plan, plan) = search.plan.expect("a plan");
            let mut lead = |at_first: u16| {
                let mut search = Features::new(&space, &field, config);
                search.plan = Some((at_first, plan.clone()));
                assert!(matches!(search.put_roots(context), Ok(Found::NotYet)));
                search.most
            };
            assert_eq!(lead(out_of_plan + 2), lead(out_of_plan) + 2);
        });
    }
}
