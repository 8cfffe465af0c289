//! Search over pushes from both ends, with the player's exact square.
//!
//! Forward states are positions just *after* a push, backward states are positions just *before* one. An edge is a walk
//! and a push, and costs both. The walk between a forward and a backward state with equal boxes joins the halves, so the
//! square of the player, which alone decides what a plan costs, is never rounded away.
//!
//! Both ends grow under one bound c on the plan. A forward state that was met at cost g lies 2g + a − b deep, where a is the
//! lower bound on what it still costs and b the one on what it has cost; a backward state lies 2g + b − a deep. Neither bound
//! changes by more than the way between two positions costs. So depth never falls along a plan, and at each position of a
//! plan that costs C, its depth from one end and its depth from the other add up to 2C. Forward states are expanded that lie
//! less than F deep, backward ones less than B, always with path + lower bound ≤ c. Then F + B > 2c means that every plan that
//! costs at most c has been met: let s be its last forward state before one that is F deep or more, s' that one, and t' the
//! backward state before the push after it. t' is at least as deep as s' from the start, so less than B deep from the goal: both s and t'
//! were expanded. If s came first, s' was there when t' was expanded; if t' came first, the state before the push to s' was there
//! when s was. Then c grows. (Average potentials, Ikeda and others 1994; DIBBS, Sewell and Jacobson 2021. Cutting at equal path costs
//! instead, as GBFHS does, took five times as many expansions on the first level of `XSokoban`.)
//!
//! Where a forward step is a leap through a tunnel, the state before its last push has other boxes than s. So a leap asks at once whether the other end
//! was where it lands. The backward search stores every state between the pushes of a best plan at which the forward search may stop.
//!
//! Of two players with equal boxes, one who could walk to the other's place and still have paid no more makes the other
//! superfluous. Where walking is free this merges all players of a region.

mod steps;

use beeline_search::arena::NodeId;
use beeline_search::{Limit, Meter, Outcome, Round, Solution, Stats, Verdict};

use super::bound::Bound;
use super::codec::Codec;
use super::order::Order;
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
use crate::walk::{Position, Reaches, Walk};
use beeline_puzzle::puzzle::Watcher;
use steps::Child;

/// How many states are expanded before the ends are weighed against each other again.
const BATCH: usize = 64;

/// Where only pushes count, of so many states one is taken from the depths in turn, the others from the deepest. Who only goes deep
/// never gets back to a mistake that was made early.
const IN_TURN: usize = 8;

/// Expansions after which the bound is fitted to the states that wait for the first time, how many times as many it takes
/// until the next time, and to how many states.
const LEARN_AT: u64 = 10_000;
const LEARN_AGAIN: u64 = 4;
const SAMPLES: usize = 32;
/// After how many states that are weighed anew the limits are looked at.
const LOOK: usize = 4096;

/// Depths are counted from here, so that none is negative.
const ORIGIN: Cost = 1 << 52;

/// How deep a state lies that was met at this cost, with these bounds for its own end and for the other.
#[inline]
fn depth(cost: Cost, own: Cost, other: Cost) -> Cost {
    ORIGIN + 2 * cost + own - other
}

/// Where the halves of the best plan meet: the box set, and the forward player there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint<const N: usize> {
    pub(crate) boxes: Bits<N>,
    pub(crate) player: Square,
    /// What the way there costs.
    pub(crate) paid: Cost,
}

/// What is worked out once for a board.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) field: &'a Field,
    pub(crate) codec: &'a Codec,
    pub(crate) symmetry: &'a Symmetry,
    /// Where only pushes count: a room in which boxes are put away.
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
    /// Is there a backward search? Not where boxes may choose among more goals.
    two_ends: bool,
    bound: Cost,
    best: Option<(Cost, Joint<N>)>,
    pub(crate) position: Position,
    pub(crate) walk: Walk,
    /// Where the player of a successor can get.
    ground: Walk,
    measure: Bound,
    /// Expansions at which the bound is fitted next.
    learn_at: u64,
    children: Vec<Child<N>>,
    /// Is the successor that is noted more than one push away?
    leap: bool,
    /// Where there is one end.
    order: Order,
    pi: PiCorral,
    /// Rules that were asked for by name, instead of those that pay.
    rules: Option<Rules>,
    /// Made once the search has shown that it is a long one.
    pairs: Option<Pairs>,
    asked_for_pairs: bool,
    meter: Meter,
    stats: Stats,
    watcher: &'a mut dyn Watcher,
    dead: Dead,
    /// The cost of a state that was met and cannot be stored.
    too_dear: Option<Cost>,
}

/// How a search ended.
pub(crate) struct Run {
    pub(crate) outcome: Outcome<Dir>,
    /// It was stopped by a cost that cannot be stored.
    pub(crate) too_dear: bool,
}

/// Successors dropped, by rule.
#[derive(Default)]
struct Dead {
    squares: u64,
    frozen: u64,
    paired: u64,
    unmatched: u64,
    later: u64,
    in_tunnels: u64,
    dominated: u64,
}

impl<'a, const N: usize, C: Stored> Search<'a, N, C> {
    pub(crate) fn new(
        ground: Ground<'a>,
        measure: Bound,
        prices: Prices,
        meter: Meter,
        watcher: &'a mut dyn Watcher,
    ) -> Self {
        let Ground { field, codec, symmetry, room, tunnels } = ground;
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
            walk: Walk::new(field),
            ground: Walk::new(field),
            measure,
            learn_at: LEARN_AT,
            children: Vec::new(),
            leap: false,
            order: Order::new(field),
            pi: PiCorral::new(field).with_company(),
            rules: None,
            pairs: None,
            asked_for_pairs: false,
            meter,
            stats: Stats::default(),
            watcher,
            dead: Dead::default(),
            too_dear: None,
        }
    }

    /// Asks these rules and no others. Dead squares and the matching belong to the bound and stay.
    pub(crate) fn with_rules(mut self, rules: Option<Rules>) -> Self {
        self.asked_for_pairs = rules.is_some();
        self.rules = rules;
        self
    }

    pub(crate) fn run(mut self) -> Run {
        let verdict = match self.search() {
            Ok(()) => match self.best {
                Some((cost, joint)) => {
                    let moves = self.plan(&joint, cost);
                    Verdict::Solved(Solution { moves, cost, lower_bound: cost })
                }
                None => Verdict::Exhausted,
            },
            Err(limit) => {
                // How far the proof had come: no plan costs less than the bound of the last round.
                self.end_round();
                Verdict::Stopped(limit)
            }
        };
        let mut stats = self.stats;
        stats.expanded = self.meter.expanded();
        stats.stored = self.store.len() as u64;
        for (rule, count) in [
            ("dead-squares", self.dead.squares),
            ("freeze", self.dead.frozen),
            ("pairs", self.dead.paired),
            ("matching", self.dead.unmatched),
            ("pi-corral", self.dead.later),
            ("tunnel", self.dead.in_tunnels),
            ("dominated", self.dead.dominated),
        ] {
            stats.add_pruned(rule, count);
        }
        stats.close(&self.meter);
        Run { outcome: Outcome { verdict, stats }, too_dear: self.too_dear.is_some() }
    }

    /// After it, `best` is the best plan, or there is none.
    fn search(&mut self) -> Result<(), Limit> {
        if !self.begin()? {
            return Ok(());
        }
        loop {
            // Mixed prices have thousands of totals: all that agree in the greater part are let in at once.
            let fine = self.prices.unit - 1;
            while let Some((end, limit)) = self.next_end() {
                self.learn()?;
                self.spend(end, limit)?;
                // No plan costs less than the bound.
                if self.best.is_some_and(|(cost, _)| cost <= self.bound.saturating_sub(fine)) {
                    return Ok(());
                }
            }
            if self.front.waiting == 0 || self.two_ends && self.back.waiting == 0 {
                return Ok(());
            }
            let next = self.next_bound() | fine;
            if self.best.is_some_and(|(cost, _)| cost <= next - fine) {
                return Ok(());
            }
            self.end_round();
            self.watcher.round(next / self.prices.unit);
            self.bound = next;
            self.front.admit(&mut self.meter.ledger, next)?;
            self.back.admit(&mut self.meter.ledger, next)?;
        }
    }

    /// The least that a plan can cost of those that were not met. Where nobody waits within the bound, some state of such a plan
    /// waits for a later one; where somebody does, the plan may go through him.
    fn next_bound(&self) -> Cost {
        let beyond = |queue: &Queue| if queue.is_ready() { None } else { queue.next_total() };
        let back = if self.two_ends { beyond(&self.back) } else { None };
        [beyond(&self.front), back].into_iter().flatten().max().unwrap_or(0).max(self.bound + 1)
    }

    /// Fits the bound to the states that wait, now and then.
    fn learn(&mut self) -> Result<(), Limit> {
        if self.meter.expanded() < self.learn_at {
            return Ok(());
        }
        self.learn_at *= LEARN_AGAIN;
        // A bound that has changed asks for all states to be weighed anew. Where there is no room for that, it stays as it is.
        let room =
            if self.two_ends { self.front.refill_bytes::<C>().max(self.back.refill_bytes::<C>()) } else { 0 };
        if self.meter.ledger.claim(room).is_err() {
            return Ok(());
        }
        if self.prices.walk > 0 {
            self.fit()?;
        }
        self.measure.find_conflicts(self.field, self.room, &mut self.meter)?;
        self.meter.ledger.release(room);
        if self.two_ends {
            self.requeue()?;
        }
        Ok(())
    }

    /// Weighs all states that wait anew.
    fn requeue(&mut self) -> Result<(), Limit> {
        for end in [End::Front, End::Back] {
            let queue = if end == End::Front { &mut self.front } else { &mut self.back };
            let (waiting, rows) = queue.drain::<C>(&mut self.meter.ledger)?;
            for (i, &(set, cost)) in waiting.iter().enumerate() {
                // It takes seconds where there are millions of them.
                if i % LOOK == LOOK - 1 {
                    self.meter.look()?;
                }
                let cost = cost.get();
                let boxes = self.store.boxes(set);
                self.codec.unpack(&boxes, &mut self.position);
                let open = |e: &Entry<C>| e.end() == end && e.cost() == cost && !e.is_closed();
                let players: Vec<Square> =
                    self.store.entries(set).filter(|(_, e)| open(e)).map(|(_, e)| e.player()).collect();
                for player in players {
                    self.position.player = player;
                    if let Some((estimate, depth)) = self.weigh(end, cost) {
                        self.wait(set, end, (depth, cost, cost + estimate))?;
                    }
                }
            }
            self.meter.ledger.forget(waiting);
            self.meter.ledger.release(rows);
        }
        Ok(())
    }

    /// Chooses heights by the states that wait.
    fn fit(&mut self) -> Result<(), Limit> {
        for end in [End::Front, End::Back] {
            let queue = if end == End::Front { &self.front } else { &self.back };
            let mut samples = Vec::new();
            for (set, cost) in queue.sample(SAMPLES) {
                let mut entries = self.store.entries(set).map(|(_, entry)| entry);
                let Some(entry) = entries.find(|e| e.end() == end && e.cost() == cost) else { continue };
                self.codec.unpack(&self.store.boxes(set), &mut self.position);
                samples.push((self.position.boxes.clone(), entry.player()));
            }
            self.measure.fit(self.field, self.symmetry, end, &samples, &mut self.meter)?;
        }
        Ok(())
    }

    /// Books what the present bound took.
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

    /// Which states to expand next: an end, and the depth above which it has work. `None` once every plan within the
    /// bound is met.
    ///
    /// Any F and B with F + B > 2c will do, and they need not be the same as a moment ago. So the pair is taken for
    /// which the fewest states wait, and of the two ends the one that has fewer of them.
    fn next_end(&self) -> Option<(End, Cost)> {
        if !self.two_ends {
            return self.front.ready().next().map(|_| (End::Front, Cost::MAX));
        }
        let whole = 2 * ORIGIN + 2 * self.bound + 1;
        // F falls from `whole` past the forward rows; B = whole - F lets ever more backward rows in.
        let mut ahead: usize = self.front.ready().filter(|(cost, _)| *cost < whole).map(|(_, n)| n).sum();
        let mut behind = 0;
        let mut back = self.back.ready().peekable();
        let mut best = (ahead, 0, whole);
        for (cost, count) in self.front.ready().rev().filter(|(cost, _)| *cost < whole) {
            // F = cost: this row and those above it may wait.
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

    /// Expands states of an end, the cheapest first, until none below the limit waits or it is time to think again.
    fn spend(&mut self, end: End, limit: Cost) -> Result<(), Limit> {
        for turn in 0..BATCH {
            let ledger = &mut self.meter.ledger;
            let next = match end {
                End::Front if self.prices.walk == 0 && turn % IN_TURN == IN_TURN - 1 => {
                    self.front.pop_in_turn(ledger)
                }
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
    fn too_long(&self, total: Cost) -> bool {
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

    /// Expands one player of a box set who was met from this end at this cost.
    fn expand(&mut self, set: NodeId, end: End, cost: Cost) -> Result<(), Limit> {
        let Some((slot, entry)) = self.waiting(set, end, cost)? else { return Ok(()) };
        self.store.close(slot);
        let boxes = self.store.boxes(set);
        self.codec.unpack(&boxes, &mut self.position);
        let player = entry.player();
        self.position.player = player;
        self.walk.flood(self.field, &self.position, player);
        if self.meet_others(set, slot, end, cost, &boxes) {
            self.dead.dominated += 1;
            return Ok(());
        }
        let Some((estimate, depth)) = self.weigh(end, cost) else { return Ok(()) };
        // The bound may have learnt something since the state was queued.
        if cost + estimate > self.bound {
            self.store.reopen(slot);
            return self.wait(set, end, (depth, cost, cost + estimate));
        }
        self.tick()?;
        match end {
            End::Front => {
                self.study_pairs()?;
                self.pushes(&boxes, cost)?;
            }
            End::Back => self.pulls(&boxes, cost)?,
        }
        self.take_in(end)
    }

    /// The player that is meant by a box set and a cost. If several have paid as much, one through whom a plan is within the
    /// bound; if there is none, the set goes on waiting.
    fn waiting(&mut self, set: NodeId, end: End, cost: Cost) -> Result<Option<(Slot, Entry<C>)>, Limit> {
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
            let Some((estimate, depth)) = self.weigh(end, cost) else { continue };
            let total = cost + estimate;
            if total <= self.bound && best.is_none_or(|(shallowest, ..)| depth < shallowest) {
                best = Some((depth, slot, entry));
            }
            least = Some(least.map_or((total, depth), |(t, d)| (t.min(total), d.min(depth))));
        }
        if let (None, Some((total, depth))) = (best, least) {
            self.wait(set, end, (depth, cost, total))?;
        }
        Ok(best.map(|(_, slot, entry)| (slot, entry)))
    }

    /// What the position has to pay at the least, and its depth, if it was met from this end at this cost.
    fn weigh(&mut self, end: End, cost: Cost) -> Option<(Cost, Cost)> {
        let own = self.measure.set(self.field, end, &self.position)?;
        if !self.two_ends {
            return Some((own.full, self.rank(cost, self.position.boxes.iter().copied())));
        }
        let other = self.measure.set(self.field, end.other(), &self.position)?;
        Some((own.full, depth(cost, own.even, other.even)))
    }

    /// The depth of a state where there is one end: by cost, or, where only pushes count, by what is likely to lead to a plan.
    #[inline]
    fn rank(&self, cost: Cost, boxes: impl Iterator<Item = Square> + Clone) -> Cost {
        if self.prices.walk == 0 { self.order.depth(cost, boxes) } else { cost }
    }

    /// The same of a successor of the position that was weighed.
    #[inline]
    fn weigh_moved(&mut self, end: End, cost: Cost, moved: (usize, Square, Square)) -> Option<(Cost, Cost)> {
        let ground = (self.field, &self.position);
        let own = self.measure.moved(ground, end, moved)?;
        if !self.two_ends {
            let (i, to, _) = moved;
            let boxes = self.position.boxes.iter().enumerate();
            return Some((own.full, self.rank(cost, boxes.map(|(j, &b)| if i == j { to } else { b }))));
        }
        let other = self.measure.moved(ground, end.other(), moved)?;
        Some((own.full, depth(cost, own.even, other.even)))
    }

    /// Queues a box set again, for a later bound.
    fn wait(&mut self, set: NodeId, end: End, place: (Cost, Cost, Cost)) -> Result<(), Limit> {
        if !self.too_long(place.2) {
            let queue = if end == End::Front { &mut self.front } else { &mut self.back };
            queue.push(&mut self.meter.ledger, set, place, self.bound)?;
        }
        Ok(())
    }

    /// Looks at the other players with these boxes: those of the other end complete a plan, those of this end may be
    /// superfluous now, or may make this one so (then the answer is yes).
    fn meet_others(&mut self, set: NodeId, own: Slot, end: End, cost: Cost, boxes: &Bits<N>) -> bool {
        let mut at = Some(self.store.first(set));
        while let Some(slot) = at {
            let entry = self.store.get(slot);
            at = Store::<N, C>::after(slot, &entry);
            if slot == own {
                continue;
            }
            let Some(steps) = self.steps_to(entry.player(), boxes) else { continue };
            let walk = steps * self.prices.walk;
            if entry.end() == end {
                // Of two that make each other superfluous, the one that comes first stays.
                let theirs = entry.cost() + walk;
                if theirs < cost || theirs == cost && entry.is_closed() {
                    return true;
                }
                if !entry.is_closed() && cost + walk <= entry.cost() {
                    self.dead.dominated += 1;
                    self.store.close(slot);
                }
            } else if !self.too_long(cost + walk + entry.cost()) {
                let total = cost + walk + entry.cost();
                let (player, paid) = match end {
                    End::Front => (self.position.player, cost),
                    End::Back => (entry.player(), entry.cost()),
                };
                self.best = Some((total, Joint { boxes: *boxes, player, paid }));
            }
        }
        false
    }

    /// How far the player has to walk to a square or to one that stands for it.
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
