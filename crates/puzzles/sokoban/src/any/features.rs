//! Search in the space of features (after Shoham and Schaeffer's FESS).
//!
//! A position is seen as a point with a few coordinates: how many boxes are packed, into how many parts the player's ground is
//! cut, how many narrow ways are blocked. Every point that was met has a queue of its own, and the search visits the points
//! in turn (`turns` says in which), one box carried for each visit. So progress of every kind gets its share of the work, and no single
//! estimate has to weigh one kind against another.
//!
//! Within a point the path decides that followed advice most often: each adviser names one move of a position that serves its
//! feature best, and only moves that nobody named have a price.

use std::collections::{HashMap, VecDeque};

use beeline_search::arena::{Arena, Column, NO_NODE, NodeId};
use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::seen::Table;
use beeline_search::{Limit, Space, Stats};
use foldhash::fast::FixedState;

use super::super::board::Square;
use super::super::field::Field;
use super::super::picorral::PiCorral;
use super::super::walk::{Position, Reach, Reaches};
use super::super::{State, Steps};
use super::Found;
use super::advice::{Move, Now, Offer, Order, Point, Taste, advise};
use super::carry::{Carry, Way, movable};
use super::dice::Dice;
use super::insight::{Desk, Insight};
use super::lost::{PATIENT, unreachable};
use super::plan::{Rated, Roster};
use super::turns::Turns;

/// A position of a cell that was visited so often is doubted: as many positions that can come of it are looked at for each visit.
const DOUBT: usize = 16;
/// And no more than this: what is lost nearly always shows it within a hundred.
const LONGEST: usize = 200;
/// Each visit earns so many of them, and each doubt that was right.
const CREDIT: usize = 3;
const REWARD: usize = 500;

/// So many boxes carried to find out what is packed and what is astray cost as much as a visit: with goals all over the board and no
/// settled plan they took half of the time of a race.
const DEAR: u64 = 10;

/// What is stored of a position besides its key. Half of all positions are never visited: moves are looked for when one is.
#[derive(Clone, Copy, Debug)]
struct Memo {
    /// The first of its moves, how many there are ([`UNSEEN`] if nobody has looked), how many of them are advised, and
    /// which is next.
    first: u32,
    count: u32,
    next: u32,
    advised: u16,
    weight: u16,
}

/// Nobody has looked for moves.
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
    space: &'a Steps<N>,
    field: &'a Field,
    arena: Arena<[u64; N], ()>,
    memos: Column<Memo>,
    moves: Column<Move>,
    table: Table,
    cells: Vec<Cell>,
    points: HashMap<Point, u32, FixedState>,
    turns: Turns,
    pi: PiCorral,
    carry: Carry,
    position: Position,
    walk: Reach,
    offers: Vec<Offer>,
    taste: Taste,
    dice: Dice,
    /// The order in which goals are filled, where it is settled beforehand.
    plan: Option<Rated>,
    /// Positions that may still be looked at when a position is doubted.
    credit: usize,
    /// The furthest lead so far.
    most: u16,
    /// Bytes that were claimed for all this.
    bytes: usize,
}

impl<'a, const N: usize> Features<'a, N> {
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, taste: Taste) -> Self {
        Self {
            space,
            field,
            arena: Arena::new(space.key_width(), false),
            memos: Column::default(),
            moves: Column::default(),
            table: Table::new(),
            cells: Vec::new(),
            points: HashMap::default(),
            turns: Turns::default(),
            pi: PiCorral::new(field),
            carry: Carry::new(field),
            position: Position::new(field),
            walk: Reach::new(field),
            offers: Vec::new(),
            taste,
            dice: Dice(taste.seed),
            plan: None,
            credit: 0,
            most: 0,
            bytes: 0,
        }
    }

    /// The most boxes packed in a position; none if the search begins at the goals.
    pub(crate) fn packed(&self) -> u16 {
        let from_start = self.cells.iter().filter(|_| self.taste.way == Way::Pushing);
        from_start.map(|cell| cell.point.packed).max().unwrap_or(0)
    }

    pub(crate) fn stored(&self) -> usize {
        self.arena.len()
    }

    /// How long its turn is when the usual one is so long: those that know trouble are the best for what is hard.
    pub(crate) fn turn(&self, turn: u64) -> u64 {
        match self.taste {
            Taste { trouble: 1.., way: Way::Pushing, .. } => turn * 2,
            _ => turn,
        }
    }

    /// Settles the order of the goals, and puts the roots in.
    pub(crate) fn begin(&mut self, desk: &mut Desk<'_, '_, N>) -> Result<Found, Limit> {
        let packing = &mut desk.insight.packing[self.taste.way as usize];
        if self.taste.order != Order::Free {
            self.plan = packing.planner.settle(self.field, self.taste.seed, desk.meter)?;
        }
        if self.plan.is_none() {
            packing.study(self.field, desk.meter)?;
        }
        self.booked(desk, Self::put_roots)
    }

    /// Does some work, and notes how many bytes were claimed for it; the trails are not its own.
    fn booked<T>(
        &mut self,
        desk: &mut Desk<'_, '_, N>,
        work: impl FnOnce(&mut Self, &mut Desk<'_, '_, N>) -> Result<T, Limit>,
    ) -> Result<T, Limit> {
        let (used, kept) = (desk.meter.ledger.used(), desk.trails.bytes());
        let done = work(self, desk);
        self.bytes += desk.meter.ledger.used() - used - (desk.trails.bytes() - kept);
        done
    }

    /// Begins anew if patience has found a better plan for another search.
    fn reconsider(&mut self, desk: &mut Desk<'_, '_, N>) -> Result<Found, Limit> {
        let planner = &desk.insight.packing[self.taste.way as usize].planner;
        let better = planner.better_than(self.plan.as_ref()).filter(|_| self.taste.order != Order::Free);
        let Some(better) = better.cloned() else { return Ok(Found::NotYet) };
        desk.meter.ledger.release(self.bytes);
        // What has been found out on the way stays on the trails.
        *self = Self::new(self.space, self.field, self.taste);
        self.plan = Some(better);
        self.booked(desk, Self::put_roots)
    }

    /// Puts the start in; going backwards, all boxes on goals with the player in every region.
    fn put_roots(&mut self, desk: &mut Desk<'_, '_, N>) -> Result<Found, Limit> {
        if let Some((_, plan)) = &self.plan {
            desk.meter.ledger.claim(plan.bytes())?;
        }
        for mut root in self.taste.way.roots(self.space, self.field) {
            self.set_up(&root);
            self.walk.flood(self.field, &self.position, root.player);
            root.player = self.walk.region();
            let key = self.space.pack(&root);
            let hash = self.arena.keys.hash(&key);
            if self.table.lookup(&self.arena.keys, hash, &key).is_none() {
                let nothing = Move { from: 0, to: 0, player: root.player };
                if desk.note(self.taste.way, &key, None, nothing)? {
                    return Ok(Found::Met);
                }
                self.add(desk, &key, NO_NODE, 0)?;
            }
        }
        Ok(Found::NotYet)
    }

    fn set_up(&mut self, state: &State<N>) {
        self.position.clear();
        for at in state.boxes.iter() {
            self.position.put(at);
        }
        self.position.player = state.player;
    }

    /// Works for so many visits, or fewer where these are dear.
    pub(crate) fn advance(&mut self, desk: &mut Desk<'_, '_, N>, visits: u64) -> Result<Found, Limit> {
        match self.reconsider(desk)? {
            Found::NotYet => self.booked(desk, |own, desk| own.work(desk, visits)),
            found => Ok(found),
        }
    }

    fn work(&mut self, desk: &mut Desk<'_, '_, N>, visits: u64) -> Result<Found, Limit> {
        let mut left = visits;
        while left > 0 {
            left = left.saturating_sub(1 + desk.insight.take_carried() / DEAR);
            desk.tick()?;
            match self.next(desk)? {
                Next::Try(id, mv) if !self.carry_out(desk, id, mv)? => {}
                Next::Try(..) | Next::Met => return Ok(Found::Met),
                Next::Nothing => return Ok(Found::Nothing),
            }
        }
        Ok(Found::NotYet)
    }

    /// The move to try next: of the cell whose turn it is, the cheapest.
    fn next(&mut self, desk: &mut Desk<'_, '_, N>) -> Result<Next, Limit> {
        loop {
            let cells = &self.cells;
            let Some(turn) = self.turns.next(self.most, |cell| cells[cell].waiting > 0) else {
                return Ok(Next::Nothing);
            };
            while let Some((id, price)) = self.cells[turn].pop() {
                let cell = &mut self.cells[turn];
                cell.visits += 1;
                let (visits, point) = (cell.visits as usize, cell.point);
                if self.taste.way == Way::Pushing && self.given_up(desk, id, visits) {
                    continue;
                }
                if self.memos.get(id).count == UNSEEN && self.unfold(desk, id, point)? {
                    return Ok(Next::Met);
                }
                let mut memo = self.memos.get(id);
                if memo.next == memo.count {
                    continue;
                }
                let cell = &mut self.cells[turn];
                if memo.price() > price {
                    cell.place(&mut desk.meter.ledger, memo.price(), id)?;
                    continue;
                }
                let mv = self.moves.get(memo.first + memo.next);
                memo.next += 1;
                self.memos.set(id, memo);
                if memo.next < memo.count {
                    if memo.next < u32::from(memo.advised) {
                        cell.put_back(price, id);
                    } else {
                        cell.place(&mut desk.meter.ledger, memo.price(), id)?;
                    }
                }
                return Ok(Next::Try(id, mv));
            }
        }
    }

    /// Is a position lost by what has been learnt since it was met? Of cells that have been visited often, a position is looked
    /// at more closely now and then.
    fn given_up(&mut self, desk: &mut Desk<'_, '_, N>, id: NodeId, visits: usize) -> bool {
        let state = self.space.unpack(&self.arena.keys.get(id));
        self.set_up(&state);
        let lost = &mut desk.insight.lost;
        if lost.in_hindsight(&self.position) {
            desk.stats.add_pruned("learnt", 1);
            return true;
        }
        self.credit += CREDIT;
        let patience = (DOUBT * visits).min(LONGEST);
        if !visits.is_power_of_two() || visits == 1 || self.credit < patience {
            return false;
        }
        let given_up = lost.in_doubt(self.field, &self.position, patience);
        if given_up {
            desk.stats.add_pruned("doubt", 1);
            self.credit += REWARD;
        } else {
            self.credit -= patience;
        }
        given_up
    }

    /// Makes a move. Is there a plan now?
    fn carry_out(&mut self, desk: &mut Desk<'_, '_, N>, id: NodeId, mv: Move) -> Result<bool, Limit> {
        let field = self.field;
        let before = self.arena.keys.get(id);
        let mut state = self.space.unpack(&before);
        self.set_up(&state);
        desk.stats.generated += 1;
        let Some(i) = self.position.boxes.iter().position(|&b| b == mv.from) else { return Ok(false) };
        self.position.shift(i, mv.to);
        self.position.player = mv.player;
        self.walk.flood(field, &self.position, self.position.player);
        state.player = self.walk.region();
        state.boxes.clear(mv.from);
        state.boxes.set(mv.to);
        let key = self.space.pack(&state);
        let hash = self.arena.keys.hash(&key);
        if self.table.lookup(&self.arena.keys, hash, &key).is_some() {
            desk.stats.duplicates += 1;
            return Ok(false);
        }
        if desk.note(self.taste.way, &key, Some(&before), mv)? {
            return Ok(true);
        }
        let lost = match self.taste.way {
            Way::Pushing => desk.insight.lost.on_reflection(field, &mut self.position, mv.to, PATIENT),
            Way::Pulling => unreachable(field, &self.position).then_some("matching"),
        };
        if let Some(rule) = lost {
            desk.stats.add_pruned(rule, 1);
            return Ok(false);
        }
        let memo = self.memos.get(id);
        let weight = memo.weight.saturating_add(u16::from(memo.next > u32::from(memo.advised)));
        self.add(desk, &key, id, weight)?;
        Ok(false)
    }

    /// Stores the present position, in which `walk` knows where the player can go.
    fn add(
        &mut self,
        desk: &mut Desk<'_, '_, N>,
        key: &[u64; N],
        parent: NodeId,
        weight: u16,
    ) -> Result<(), Limit> {
        let Desk { meter, insight, stats, .. } = desk;
        let ledger = &mut meter.ledger;
        let hash = self.arena.keys.hash(key);
        let id = self.arena.push(ledger, key, parent, 0, ())?;
        self.table.record(ledger, &self.arena.keys, hash, id)?;
        let parts = self.walk.parts(self.field);
        let trouble = if self.taste.trouble == 0 {
            0
        } else {
            (insight.terrain.total(self.field, &self.position.boxes) / self.taste.trouble) as u16
        };
        let packed = match &self.plan {
            Some((_, plan)) => plan.done(&self.position),
            None => insight.packing[self.taste.way as usize].value(self.field, &self.position),
        };
        let counted = self.position.boxes.iter().filter(|_| self.taste.mobile);
        let mobile = counted.filter(|&&b| self.can_move(b)).count();
        let point = Point {
            mobile: mobile as u16,
            trouble,
            packed,
            astray: match &self.plan {
                _ if !self.taste.astray => 0,
                Some((_, plan)) => plan.astray(&self.position, packed),
                None => insight.lost.astray(self.field, &self.position, packed),
            },
            parts,
            blocked: insight.terrain.blocked(&self.position.boxes),
        };
        // A step that was paid for with a box astray is none; to bring one back that the plan leaves astray at the start is as good as
        // a step. One ahead of all others leads the whole search on: it is worth a closer look.
        let at_first = self.plan.as_ref().map_or(0, |(astray, _)| *astray);
        let lead = (packed + at_first).saturating_sub(point.astray);
        let ahead = self.taste.way == Way::Pushing && lead > self.most;
        let lost = ahead && insight.lost.in_doubt(self.field, &self.position, LONGEST);
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
    fn unfold(&mut self, desk: &mut Desk<'_, '_, N>, id: NodeId, point: Point) -> Result<bool, Limit> {
        let Desk { meter, insight, stats, trails, .. } = desk;
        let ledger = &mut meter.ledger;
        let key = self.arena.keys.get(id);
        let state = self.space.unpack(&key);
        self.set_up(&state);
        self.walk.flood(self.field, &self.position, state.player);
        let early = self.find_offers(point, insight, stats);
        if let Some(scout) = trails.scout(self.taste.way, &key) {
            for offer in &self.offers {
                if trails.look(ledger, &scout, offer.mv)? {
                    return Ok(true);
                }
            }
        }
        self.shuffle();
        let now = Now {
            point,
            area: if self.taste.ground { self.walk.reached().len() as u16 } else { u16::MAX },
            early: if self.taste.order == Order::Timely && self.plan.is_some() { early } else { u16::MAX },
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
    fn find_offers(&mut self, point: Point, insight: &mut Insight, stats: &mut Stats) -> u16 {
        let Insight { lost, terrain, packing, .. } = insight;
        let packing = &mut packing[self.taste.way as usize];
        let field = self.field;
        self.offers.clear();
        let way = self.taste.way;
        let pushing = way == Way::Pushing;
        let player = self.position.player;
        let pocket = pushing && self.pi.find(field, &self.position, &self.walk);
        if pushing {
            terrain.gather(field, &self.position.boxes);
        }
        let plan = self.plan.as_ref().filter(|_| self.taste.astray);
        let mut roster = plan.map(|(_, plan)| Roster::new(plan, &self.position, point.packed));
        self.carry.survey(field, &self.position);
        for i in 0..self.position.boxes.len() {
            let at = self.position.boxes[i];
            if pocket && !self.pi.is_next(at) || !self.can_move(at) {
                continue;
            }
            self.carry.carry(way, field, &mut self.position, i, Some(player));
            let others = point.parts - u16::from(self.carry.places[0].parts);
            if let Some(roster) = &mut roster {
                roster.carry(i);
            }
            let mut before = 0;
            if pushing {
                before = terrain.trouble(field, at);
                terrain.toggle(at);
            }
            for k in 1..self.carry.places.len() {
                let place = self.carry.places[k];
                let to = place.to;
                if to == at || !pushing && !field.useful(to) {
                    continue;
                }
                self.position.shift(i, to);
                let player = place.player(field, way);
                let rule = if pushing { lost.at_once(field, &mut self.position, to, player) } else { None };
                if let Some(rule) = rule {
                    stats.add_pruned(rule, 1);
                } else {
                    let packed = match &self.plan {
                        Some((_, plan)) if plan.matters(at) || plan.matters(to) => plan.done(&self.position),
                        None if packing.matters(at) || packing.matters(to) => {
                            packing.value(field, &self.position)
                        }
                        _ => point.packed,
                    };
                    let blocked = if terrain.gate(at) == terrain.gate(to) {
                        point.blocked
                    } else {
                        terrain.blocked(&self.position.boxes)
                    };
                    let same = packed == point.packed;
                    let (astray, early) = match &mut roster {
                        _ if !self.taste.astray => (0, 0),
                        Some(roster) => roster.serve(&self.position, packed, to),
                        None if same => (point.astray, 0),
                        None => (lost.astray(field, &self.position, packed), 0),
                    };
                    let after = if pushing { terrain.trouble(field, to) } else { 0 };
                    self.offers.push(Offer {
                        mv: Move { from: at, to, player },
                        point: Point {
                            packed,
                            parts: others + u16::from(place.parts),
                            blocked,
                            astray,
                            ..point
                        },
                        area: place.area,
                        early,
                        depth: packing.depth(to),
                        trouble: after - before,
                    });
                }
                self.position.shift(i, at);
            }
            if pushing {
                terrain.toggle(at);
            }
        }
        roster.map_or(0, |roster| roster.early())
    }

    fn shuffle(&mut self) {
        if self.taste.seed == 0 {
            return;
        }
        for i in (1..self.offers.len()).rev() {
            self.offers.swap(i, (self.dice.roll() % (i as u64 + 1)) as usize);
        }
    }

    /// Can the box be moved at all? `walk` holds the player's part.
    fn can_move(&self, at: Square) -> bool {
        movable(self.taste.way, self.field, &self.position, &self.walk, at)
    }
}

#[cfg(test)]
mod tests {
    use beeline_search::{Budget, Meter};

    use super::super::insight::Status;
    use super::super::trails::Trails;
    use super::*;
    use crate::text;

    /// The first search has no patience for a plan, and a later one finds it.
    #[test]
    fn a_search_begins_anew_with_a_better_plan() {
        let map = "#######\n#  #* #\n## *  #\n#.  **#\n##$$. #\n##@#* #\n#######\n";
        let board = text::parse(map).expect("a level").remove(0).board;
        let (field, space) = (Field::new(&board), Steps::<4>::new(&board).expect("room"));
        let (mut meter, mut stats) = (Meter::new(&Budget::default()), Stats::default());
        let mut trails = Trails::new(&space, &field, &mut meter.ledger).expect("room");
        let mut insight = Insight::new(&field, 1);
        let mut desk = Desk {
            meter: &mut meter,
            stats: &mut stats,
            insight: &mut insight,
            trails: &mut trails,
            status: &mut Status::default(),
            between: &mut |_, _, _| Ok(()),
        };
        let taste = Taste {
            way: Way::Pulling,
            order: Order::Settled,
            trouble: 0,
            ground: false,
            astray: true,
            mobile: false,
            seed: 0,
        };
        let mut search = Features::new(&space, &field, taste);
        assert!(matches!(search.begin(&mut desk), Ok(Found::NotYet)));
        assert!(search.plan.is_none());
        assert!(matches!(search.advance(&mut desk, 8), Ok(Found::NotYet)));
        let (stored, bytes) = (search.stored(), search.bytes);
        assert!(stored > 2);
        let better = (0..12).find_map(|_| {
            let planner = &mut desk.insight.packing[Way::Pulling as usize].planner;
            planner.settle(&field, 0, desk.meter).expect("no limit")
        });
        let used = desk.meter.ledger.used() - desk.trails.bytes();
        assert!(matches!(search.advance(&mut desk, 1), Ok(Found::NotYet)));
        assert_eq!(search.plan.as_ref().map(|(astray, _)| *astray), better.map(|(astray, _)| astray));
        assert!(search.plan.is_some() && search.stored() < stored);
        let now = desk.meter.ledger.used() - desk.trails.bytes();
        assert_eq!(now - search.bytes, used - bytes, "what the old one had is given back");
        // The more boxes a plan leaves astray at the start, the more are brought back by a position that has as many as before.
        let (astray, plan) = search.plan.expect("a plan");
        let mut lead = |at_first: u16| {
            let mut search = Features::new(&space, &field, taste);
            search.plan = Some((at_first, plan.clone()));
            assert!(matches!(search.put_roots(&mut desk), Ok(Found::NotYet)));
            search.most
        };
        assert_eq!(lead(astray + 2), lead(astray) + 2);
    }
}
