//! Bidirectional search over pushes, with the player's exact square.
//!
//! Forward states are positions just *after* a push, backward states are positions just *before* one. An edge
//! is a walk and a push, and costs both. A walk between a forward and a backward state with equal boxes joins
//! the two halves. The player's exact square is kept, because it decides the cost of a plan.
//!
//! Both ends grow under one bound c on the cost of the plan. A forward state with path cost g has the depth
//! 2g + a − b, where a is the lower bound on its remaining cost and b the one on its path cost. A backward
//! state has the depth 2g + b − a. Neither bound changes by more than the cost of the way between two
//! positions. So depth never falls along a plan. At each position of a plan of cost C, its depths from the
//! two ends add up to 2C. A forward state is expanded if its depth is below F, a backward state if its depth
//! is below B, always with path cost + lower bound ≤ c.
//!
//! Claim: F + B > 2c implies that every plan of cost at most c has been met. Let s be its last forward state
//! before the first one of depth F or more, s' that one, and t' the backward state before the push after it.
//! The depth of t' from the start is at least that of s', so its depth from the goal is less than B. Both s
//! and t' were expanded. If s came first, s' was stored when t' was expanded. If t' came first, the state
//! before the push to s' was stored when s was expanded. Then c grows. (Average potentials, Ikeda and others
//! 1994; DIBBS, Sewell and Jacobson 2021. Cutting at equal path costs instead, as GBFHS does, took five times
//! as many expansions on the first level of `XSokoban`.)
//!
//! A push through a tunnel is one edge, and the state before its last push has other boxes than s. So the
//! search checks at once whether the other end has met the state after such an edge. The backward search
//! stores every state between the pushes of an optimal plan at which the forward search may stop.
//!
//! Dominance: of two players with equal boxes, one who could walk to the other's square at no greater cost
//! makes the other superfluous. Where walking is free this merges all players of a region.

mod steps;

use beeline_search::arena::NodeId;
use beeline_search::{Limit, Meter, Outcome, Round, Solution, Stats, Verdict};

use super::bound::Bound;
use super::bounded_cost::BoundedCost;
use super::codec::Codec;
use super::queue::Queue;
use super::room::Room;
use super::store::{End, Entry, Slot, Store, Stored};
use super::symmetry::Symmetry;
use super::tunnel::Tunnels;
use crate::bits::Bits;
use crate::board::{Dir, Square};
use crate::field::Field;
use crate::optimal::{Cost, Prices};
use crate::rules::pairs::Pairs;
use crate::rules::pi_corral::PiCorral;
use crate::rules::prune::Rules;
use crate::walk::{Position, Reach};
use beeline_puzzle::puzzle::Watcher;
use steps::Child;

/// States expanded before the limits on the depths of the two ends are chosen again.
const BATCH: usize = 64;

/// Visits of the bounded-cost search for each batch. It finds plans within few visits or late.
const VISITS_PER_BATCH: u64 = 16;

/// Expansions after which the tables of pairs of boxes are worth computing.
const REFINE_AT: u64 = 2_000;

/// Offset that keeps depths positive.
const ORIGIN: Cost = 1 << 52;

/// The depth of a state with this path cost and these bounds for its own end and the other end.
#[inline]
fn depth(cost: Cost, own: Cost, other: Cost) -> Cost {
    ORIGIN + 2 * cost + own - other
}

/// Where the two halves of the best plan meet: the box set, and the forward player there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeetingPoint<const N: usize> {
    pub(crate) boxes: Bits<N>,
    pub(crate) player: Square,
    /// The cost of the path to it.
    pub(crate) paid: Cost,
}

/// Tables computed once for a board.
#[derive(Clone, Copy)]
pub(crate) struct BoardTables<'a> {
    pub(crate) field: &'a Field,
    pub(crate) codec: &'a Codec,
    pub(crate) symmetry: &'a Symmetry,
    /// The goal room, where only pushes count.
    pub(crate) room: Option<&'a Room>,
    pub(crate) tunnels: &'a Tunnels,
}

pub(crate) struct Search<'a, const N: usize, C: Stored> {
    pub(crate) field: &'a Field,
    pub(crate) codec: &'a Codec,
    pub(crate) symmetry: &'a Symmetry,
    pub(crate) room: Option<&'a Room>,
    pub(crate) tunnels: &'a Tunnels,
    pub(crate) prices: Prices,
    pub(crate) store: Store<N, C>,
    front: Queue,
    back: Queue,
    /// Is there a backward search? Not with more goals than boxes, and not where walking is free.
    two_ends: bool,
    bound: Cost,
    best: Option<(Cost, MeetingPoint<N>)>,
    pub(crate) position: Position,
    pub(crate) walk: Reach,
    /// The least square of that reach.
    region: Square,
    /// The reach of the player of a successor.
    child_walk: Reach,
    estimator: Bound,
    /// Have the tables of pairs of boxes been computed?
    refined: bool,
    children: Vec<Child<N>>,
    /// Is the current successor more than one push away?
    through_tunnel: bool,
    pi: PiCorral,
    /// Looks for a plan within the bound, once the search has run for long.
    bounded_cost: Option<Box<dyn BoundedCost + 'a>>,
    /// Rules chosen by the caller instead of the default ones.
    rules: Option<Rules>,
    /// Deadlocks of two boxes, computed once the search has run for long.
    pairs: Option<Pairs>,
    meter: Meter,
    stats: Stats,
    watcher: &'a mut dyn Watcher,
    prune_counts: PruneCounts,
    /// The cost of a state that does not fit into the store.
    cost_overflow: Option<Cost>,
}

/// How a search ended.
pub(crate) struct Run {
    pub(crate) outcome: Outcome<Dir>,
    /// Did a cost overflow end the search?
    pub(crate) cost_overflow: bool,
}

/// Successors dropped, by rule.
#[derive(Default)]
struct PruneCounts {
    squares: u64,
    frozen: u64,
    paired: u64,
    unmatched: u64,
    outside_pi_corral: u64,
    tunnel: u64,
    dominated: u64,
}

impl<'a, const N: usize, C: Stored> Search<'a, N, C> {
    pub(crate) fn new(
        tables: BoardTables<'a>,
        estimator: Bound,
        prices: Prices,
        meter: Meter,
        watcher: &'a mut dyn Watcher,
    ) -> Self {
        let BoardTables { field, codec, symmetry, room, tunnels } = tables;
        Self {
            field,
            codec,
            symmetry,
            room,
            tunnels,
            prices,
            store: Store::new(codec),
            front: Queue::default(),
            back: Queue::default(),
            two_ends: false,
            bound: 0,
            best: None,
            position: Position::new(field),
            walk: Reach::new(field),
            region: 0,
            child_walk: Reach::new(field),
            estimator,
            refined: false,
            children: Vec::new(),
            through_tunnel: false,
            pi: PiCorral::new(field).combining(),
            bounded_cost: None,
            rules: None,
            pairs: None,
            meter,
            stats: Stats::default(),
            watcher,
            prune_counts: PruneCounts::default(),
            cost_overflow: None,
        }
    }

    /// Applies these rules and no others. Dead squares and the matching belong to the bound and always apply.
    pub(crate) fn with_rules(mut self, rules: Option<Rules>) -> Self {
        self.rules = rules;
        self
    }

    /// Takes turns with a bounded-cost search.
    pub(crate) fn with_bounded_cost(mut self, search: Option<Box<dyn BoundedCost + 'a>>) -> Self {
        self.bounded_cost = search;
        self
    }

    pub(crate) fn run(mut self) -> Run {
        let verdict = match self.search() {
            Ok(Some(moves)) => Verdict::Solved(Solution { moves, cost: self.bound, lower_bound: self.bound }),
            Ok(None) => match self.best {
                Some((cost, meeting)) => {
                    let moves = self.plan(&meeting, cost);
                    Verdict::Solved(Solution { moves, cost, lower_bound: cost })
                }
                None => Verdict::Exhausted,
            },
            Err(limit) => {
                // No plan costs less than the bound of the last round.
                self.end_round();
                Verdict::Stopped(limit)
            }
        };
        let mut stats = self.stats;
        stats.expanded = self.meter.expanded();
        stats.stored = self.store.len() as u64;
        for (rule, count) in [
            ("dead-squares", self.prune_counts.squares),
            ("freeze", self.prune_counts.frozen),
            ("pairs", self.prune_counts.paired),
            ("matching", self.prune_counts.unmatched),
            ("pi-corral", self.prune_counts.outside_pi_corral),
            ("tunnel", self.prune_counts.tunnel),
            ("dominated", self.prune_counts.dominated),
        ] {
            stats.add_pruned(rule, count);
        }
        stats.close(&self.meter);
        Run { outcome: Outcome { verdict, stats }, cost_overflow: self.cost_overflow.is_some() }
    }

    /// The plan of the bounded-cost search; without one, `best` holds the optimal plan, or there is none.
    fn search(&mut self) -> Result<Option<Vec<Dir>>, Limit> {
        if !self.begin()? {
            return Ok(None);
        }
        loop {
            // Mixed prices have thousands of distinct totals. All totals with the same primary count are
            // admitted at once.
            let fine = self.prices.unit - 1;
            while let Some((end, limit)) = self.next_end() {
                self.refine_bound()?;
                self.expand_batch(end, limit)?;
                // No plan costs less than the bound.
                if self.best.is_some_and(|(cost, _)| cost <= self.bound.saturating_sub(fine)) {
                    return Ok(None);
                }
                if let Some(plan) = self.look_for_plan()? {
                    return Ok(Some(plan));
                }
            }
            if self.front.waiting == 0 || self.two_ends && self.back.waiting == 0 {
                return Ok(None);
            }
            let next = self.next_bound() | fine;
            if self.best.is_some_and(|(cost, _)| cost <= next - fine) {
                return Ok(None);
            }
            self.end_round();
            self.watcher.round(next / self.prices.unit);
            self.bound = next;
            self.front.admit(&mut self.meter.ledger, next)?;
            self.back.admit(&mut self.meter.ledger, next)?;
        }
    }

    /// The next bound: the least possible cost of a plan that has not been met. An end without open states
    /// within the bound gives the least cost of its later states; an end that has such states gives no value.
    /// The greater value counts.
    fn next_bound(&self) -> Cost {
        let beyond = |queue: &Queue| if queue.is_ready() { None } else { queue.next_total() };
        let back = if self.two_ends { beyond(&self.back) } else { None };
        [beyond(&self.front), back].into_iter().flatten().max().unwrap_or(0).max(self.bound + 1)
    }

    /// Computes the tables of pairs of boxes once the search has run for long: deadlocks, and conflicts for the bound.
    /// States that were queued before are evaluated again when they are expanded.
    fn refine_bound(&mut self) -> Result<(), Limit> {
        if self.refined || self.meter.expanded() < REFINE_AT {
            return Ok(());
        }
        self.refined = true;
        if self.rules.is_none() {
            self.pairs = Pairs::new(self.field, &mut self.meter)?;
        }
        self.estimator.find_conflicts(self.field, self.room, &mut self.meter)
    }

    /// Gives the bounded-cost search a turn. Its plan costs as much as the bound, and is optimal.
    fn look_for_plan(&mut self) -> Result<Option<Vec<Dir>>, Limit> {
        let Some(search) = self.bounded_cost.as_mut().filter(|_| self.refined) else { return Ok(None) };
        let watched = (&mut self.meter, &mut self.stats);
        match search.advance(self.bound, &mut self.estimator, watched, VISITS_PER_BATCH) {
            Err(Limit::Memory) => {
                // The proof takes less.
                self.meter.ledger.release(search.bytes());
                self.bounded_cost = None;
                Ok(None)
            }
            plan => plan,
        }
    }

    /// Records the statistics of the present bound.
    fn end_round(&mut self) {
        let before = self.stats.rounds.iter().map(|r| (r.expanded, r.generated, r.duplicates));
        let (expanded, generated, duplicates) =
            before.fold((0, 0, 0), |sum, r| (sum.0 + r.0, sum.1 + r.1, sum.2 + r.2));
        self.stats.rounds.push(Round {
            bound: self.bound,
            expanded: self.meter.expanded() - expanded,
            generated: self.stats.generated - generated,
            duplicates: self.stats.duplicates - duplicates,
        });
    }

    /// The end to expand next, and the depth below which its states are expanded. `None` once every plan
    /// within the bound has been met.
    ///
    /// Any F and B with F + B > 2c are valid, and they may change at any time. So the pair with the fewest
    /// open states is taken, and of the two ends the one with fewer.
    fn next_end(&self) -> Option<(End, Cost)> {
        if !self.two_ends {
            return self.front.ready().next().map(|_| (End::Front, Cost::MAX));
        }
        let whole = 2 * ORIGIN + 2 * self.bound + 1;
        // F falls from `whole` past the forward rows. B = whole - F admits ever more backward rows.
        let mut ahead: usize = self.front.ready().filter(|(cost, _)| *cost < whole).map(|(_, n)| n).sum();
        let mut behind = 0;
        let mut back = self.back.ready().peekable();
        let mut best = (ahead, 0, whole);
        for (cost, count) in self.front.ready().rev().filter(|(cost, _)| *cost < whole) {
            // F = cost: this row and those above it are not expanded.
            ahead -= count;
            while let Some((_, more)) = back.next_if(|(there, _)| *there < whole - cost) {
                behind += more;
            }
            if ahead + behind < best.0 + best.1 {
                best = (ahead, behind, cost);
            }
        }
        let (ahead, behind, limit) = best;
        match (ahead, behind) {
            (0, 0) => None,
            (_, 0) => Some((End::Front, limit)),
            (0, _) => Some((End::Back, whole - limit)),
            _ if ahead <= behind => Some((End::Front, limit)),
            _ => Some((End::Back, whole - limit)),
        }
    }

    /// Expands up to [`BATCH`] states of an end whose depth is below the limit.
    fn expand_batch(&mut self, end: End, limit: Cost) -> Result<(), Limit> {
        for _ in 0..BATCH {
            let ledger = &mut self.meter.ledger;
            let next = match end {
                End::Front if self.prices.walk == 0 => self.front.pop_deepest(ledger),
                End::Front => self.front.pop(ledger, limit),
                End::Back => self.back.pop(ledger, limit),
            };
            let Some((set, cost)) = next else { break };
            self.expand(set, end, cost)?;
        }
        Ok(())
    }

    #[inline]
    fn exceeds_best(&self, total: Cost) -> bool {
        self.best.is_some_and(|(cost, _)| total >= cost)
    }

    fn tick(&mut self) -> Result<(), Limit> {
        if self.meter.due() {
            self.meter.look()?;
            self.stats.expanded = self.meter.expanded();
            self.stats.stored = self.store.len() as u64;
            self.stats.bytes = self.meter.ledger.used();
            self.watcher.tick(&self.stats);
        }
        self.meter.count();
        Ok(())
    }

    /// Expands one player of a box set that was met from this end at this cost.
    fn expand(&mut self, set: NodeId, end: End, cost: Cost) -> Result<(), Limit> {
        let Some((slot, entry)) = self.open_entry(set, end, cost)? else { return Ok(()) };
        self.store.close(slot);
        let boxes = self.store.boxes(set);
        self.codec.unpack(&boxes, &mut self.position);
        let player = entry.player();
        self.position.player = player;
        self.walk.flood(self.field, &self.position, player);
        self.region = self.walk.region();
        if self.compare_players(set, slot, end, cost, &boxes) {
            self.prune_counts.dominated += 1;
            return Ok(());
        }
        let Some((estimate, depth)) = self.evaluate(end, cost) else { return Ok(()) };
        // The bound may have been refined since the state was queued.
        if cost + estimate > self.bound {
            self.store.reopen(slot);
            return self.enqueue(set, end, (depth, cost, cost + estimate));
        }
        self.tick()?;
        match end {
            End::Front => {
                self.pushes(&boxes, cost)?;
            }
            End::Back => self.pulls(&boxes, cost)?,
        }
        self.store_children(end)
    }

    /// The player meant by a box set and a cost. Of several with the same cost, the shallowest through whom a
    /// plan is within the bound. If there is none, the set is queued again.
    fn open_entry(&mut self, set: NodeId, end: End, cost: Cost) -> Result<Option<(Slot, Entry<C>)>, Limit> {
        let open = |e: &Entry<C>| e.end() == end && e.cost() == cost && !e.is_closed();
        let mut open = self.store.entries(set).filter(|(_, e)| open(e));
        let (first, second) = (open.next(), open.next());
        let Some(second) = second else { return Ok(first) };
        let all: Vec<_> = first.into_iter().chain([second]).chain(open).collect();
        let boxes = self.store.boxes(set);
        self.codec.unpack(&boxes, &mut self.position);
        let mut best: Option<(Cost, Slot, Entry<C>)> = None;
        let mut least: Option<(Cost, Cost)> = None;
        for (slot, entry) in all {
            self.position.player = entry.player();
            let Some((estimate, depth)) = self.evaluate(end, cost) else { continue };
            let total = cost + estimate;
            if total <= self.bound && best.is_none_or(|(shallowest, ..)| depth < shallowest) {
                best = Some((depth, slot, entry));
            }
            least = Some(least.map_or((total, depth), |(t, d)| (t.min(total), d.min(depth))));
        }
        if let (None, Some((total, depth))) = (best, least) {
            self.enqueue(set, end, (depth, cost, total))?;
        }
        Ok(best.map(|(_, slot, entry)| (slot, entry)))
    }

    /// Lower bound on the remaining cost of the current position, and its depth, if it was met from this end
    /// at this cost.
    fn evaluate(&mut self, end: End, cost: Cost) -> Option<(Cost, Cost)> {
        let own = self.estimator.set(self.field, end, &self.position)?;
        if !self.two_ends {
            return Some((own.full, cost));
        }
        let other = self.estimator.set(self.field, end.other(), &self.position)?;
        Some((own.full, depth(cost, own.even, other.even)))
    }

    /// The same for a successor of the current position.
    #[inline]
    fn evaluate_moved(
        &mut self,
        end: End,
        cost: Cost,
        moved: (usize, Square, Square),
    ) -> Option<(Cost, Cost)> {
        let tables = (self.field, &self.position);
        let own = self.estimator.moved(tables, end, moved)?;
        if !self.two_ends {
            return Some((own.full, cost));
        }
        let other = self.estimator.moved(tables, end.other(), moved)?;
        Some((own.full, depth(cost, own.even, other.even)))
    }

    /// Queues a box set again, for a later bound.
    fn enqueue(&mut self, set: NodeId, end: End, place: (Cost, Cost, Cost)) -> Result<(), Limit> {
        if !self.exceeds_best(place.2) {
            let queue = if end == End::Front { &mut self.front } else { &mut self.back };
            queue.push(&mut self.meter.ledger, set, place, self.bound)?;
        }
        Ok(())
    }

    /// Compares a state with the other players of its box set. A player of the other end completes a plan. A
    /// player of the same end may be dominated by this one. Returns `true` if this one is dominated.
    fn compare_players(&mut self, set: NodeId, own: Slot, end: End, cost: Cost, boxes: &Bits<N>) -> bool {
        let mut at = Some(self.store.first(set));
        while let Some(slot) = at {
            let entry = self.store.get(slot);
            at = Store::<N, C>::next_slot(slot, &entry);
            if slot == own {
                continue;
            }
            let Some(steps) = self.steps_to(entry.player(), boxes) else { continue };
            let walk = steps * self.prices.walk;
            if entry.end() == end {
                // Of two players that dominate each other, the first stays.
                let theirs = entry.cost() + walk;
                if theirs < cost || theirs == cost && entry.is_closed() {
                    return true;
                }
                if !entry.is_closed() && cost + walk <= entry.cost() {
                    self.prune_counts.dominated += 1;
                    self.store.close(slot);
                }
            } else if !self.exceeds_best(cost + walk + entry.cost()) {
                let total = cost + walk + entry.cost();
                let (player, paid) = match end {
                    End::Front => (self.position.player, cost),
                    End::Back => (entry.player(), entry.cost()),
                };
                self.best = Some((total, MeetingPoint { boxes: *boxes, player, paid }));
            }
        }
        false
    }

    /// Steps from the player to a square, or to an image of it under a symmetry that keeps the boxes.
    #[inline]
    fn steps_to(&self, square: Square, bits: &Bits<N>) -> Option<Cost> {
        let one = |s: Square| self.walk.reaches(s).then(|| Cost::from(self.walk.distance(s)));
        if self.symmetry.is_trivial() {
            return one(square);
        }
        let images = self.symmetry.images(self.codec, bits, &self.position.boxes, square);
        std::iter::once(square).chain(images).filter_map(one).min()
    }
}
