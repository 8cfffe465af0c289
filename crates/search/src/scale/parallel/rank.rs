//! One rank of a search by many: reads its mail, expands what it owns, tells the leader when it has nothing to do.
//!
//! After Kishimoto, Fukunaga and Botea (2009), HDA*: every state belongs to the rank that the hash of its key names; a rank
//! expands its own states and sends each successor to its owner, in batches, without waiting. Where every move costs 1 the
//! search goes by layers (of equal depth, or of equal sums of path and estimate): the next one begins when the leader knows
//! that the last is done everywhere. Otherwise ranks run free: each takes its own best state, and the search is over when
//! nobody holds a state that could beat the best plan known.

use std::time::Duration;

use super::message::{Kind, Numbers, read};
use super::saving::Saver;
use super::shard::{Child, Record, Shard};
use super::termination::{Report, Termination, Then};
use super::transport::{Lost, Transport};
use super::{Order, RankContext};
use crate::core::arena::{NO_NODE, NodeId};
use crate::core::budget::{Budget, Limit, Meter};
use crate::core::clock::Instant;
use crate::core::memory::OutOfMemory;
use crate::core::outcome::{Share, Stats};
use crate::core::space::{Cost, Space};

/// How long a rank without work waits for mail before it looks at its limits.
const IDLE_WAIT: Duration = Duration::from_millis(2);
/// How often a rank that works reports for the progress line.
const REPORT_EVERY: Duration = Duration::from_millis(50);

const LIMITS: [Limit; 4] = [Limit::Time, Limit::Memory, Limit::Nodes, Limit::Cancelled];

/// How a search ended, as the leader knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The rank and number of a goal.
    Goal(usize, NodeId),
    Empty,
    Limit(Limit),
    /// The leader knows.
    Elsewhere,
}

/// Why a rank cannot go on as it would.
#[derive(Debug)]
pub(super) enum Stop {
    Limit(Limit),
    Lost(Lost),
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Self {
        Self::Limit(Limit::Memory)
    }
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<Lost> for Stop {
    fn from(lost: Lost) -> Self {
        Self::Lost(lost)
    }
}

/// What only the leader has.
struct Leading {
    termination: Termination,
    /// The cheapest goal: cost, rank, number.
    goal: Option<(u64, usize, NodeId)>,
    /// The layer that begins when so many more ranks have saved theirs.
    saving: Option<(u64, usize)>,
}

/// One rank.
pub(super) struct Rank<'a, S: Space> {
    pub(super) space: &'a S,
    pub(super) order: Order,
    pub(super) context: RankContext<'a, S>,
    pub(super) link: &'a mut dyn Transport,
    pub(super) meter: Meter,
    pub(super) stats: Stats,
    pub(super) share: Share,
    pub(super) shard: Shard<S::Key>,
    pub(super) record: Record,
    /// Successors that were not looked up yet.
    pub(super) pending: Vec<Child<S::Key>>,
    /// A batch for each other rank, and how many states wait in all of them.
    pub(super) out: Vec<Vec<u8>>,
    pub(super) unsent: usize,
    /// A batch is sent when it has this many bytes; no state is expanded while this many are on their way.
    pub(super) batch: usize,
    pub(super) most_backlog: usize,
    pub(super) since_flush: usize,
    /// The layer, where the search goes by layers.
    pub(super) layer: u64,
    /// The greatest sum of path and estimate that is expanded now.
    pub(super) ceiling: u64,
    /// A plan of this cost is known.
    pub(super) bound: Option<u64>,
    pub(super) ended: Option<End>,
    /// How many others have said their last word; some hear of the end before we do.
    pub(super) last: usize,
    pub(super) saver: Option<Saver>,
    /// A limit was reached here; nothing is expanded or kept any more.
    tripped: bool,
    sent: u64,
    received: u64,
    /// Has the leader heard that there is nothing to do?
    reported: bool,
    last_report: Instant,
    leading: Option<Leading>,
}

impl<'a, S: Space> Rank<'a, S> {
    pub(super) fn new(
        space: &'a S,
        order: Order,
        context: RankContext<'a, S>,
        link: &'a mut dyn Transport,
        budget: &Budget,
        saver: Option<Saver>,
    ) -> Self {
        let (rank, size) = (link.rank(), link.size());
        let meter = Meter::new(budget);
        // Mail takes at most a sixteenth of the memory.
        let room = meter.ledger.available() / 16;
        let leading =
            (rank == 0).then(|| Leading { termination: Termination::new(size), goal: None, saving: None });
        Self {
            space,
            order,
            context,
            link,
            stats: Stats::default(),
            share: Share::default(),
            shard: Shard::new(space.key_width(), order.queue),
            record: Record { width: space.key_width(), costs: !order.queue },
            pending: Vec::new(),
            out: (0..size).map(|_| Vec::new()).collect(),
            unsent: 0,
            batch: (room / size).clamp(1 << 9, 1 << 14),
            most_backlog: room.clamp(1 << 12, 1 << 22),
            since_flush: 0,
            layer: 0,
            ceiling: if order.layered { 0 } else { u64::MAX },
            bound: None,
            ended: None,
            last: 0,
            saver,
            tripped: false,
            sent: 0,
            received: 0,
            reported: false,
            last_report: Instant::now(),
            leading,
            meter,
        }
    }

    pub(super) fn me(&self) -> usize {
        self.link.rank()
    }

    /// Searches until the leader says that it is over.
    pub(super) fn run(&mut self, tick: &mut dyn FnMut(&Stats)) -> Result<(), Lost> {
        if let Err(stop) = self.begin() {
            self.stop(stop)?;
        }
        while self.ended.is_none() {
            if let Err(stop) = self.turn(tick) {
                self.stop(stop)?;
            }
        }
        Ok(())
    }

    fn stop(&mut self, stop: Stop) -> Result<(), Lost> {
        match stop {
            Stop::Lost(lost) => Err(lost),
            Stop::Limit(_) if self.tripped => Ok(()),
            Stop::Limit(limit) => {
                self.tripped = true;
                let code = LIMITS.iter().position(|&l| l == limit).unwrap_or(0);
                self.tell_leader(Kind::Trip, &[code as u64])
            }
        }
    }

    /// Puts the start where it belongs.
    fn begin(&mut self) -> Result<(), Stop> {
        let start = self.space.start();
        self.context.prune.begin(self.space, &start, &mut self.meter)?;
        // Buffers and mail on its way are booked at once.
        self.meter.ledger.claim(self.out.len() * (self.batch + 64) + self.most_backlog)?;
        if let Some(saver) = self.saver.as_mut().filter(|saver| saver.resumes()) {
            let layer = saver.restore(&mut self.shard, &mut self.meter.ledger, &mut self.stats)?;
            self.enter_layer(layer);
            return Ok(());
        }
        let key = self.space.pack(&start);
        let hash = self.shard.arena.keys.hash(&key);
        if super::shard::owner(hash, self.out.len()) == self.me() {
            let estimate =
                if self.order.informed { self.context.estimate.enter(self.space, &start) } else { 0 };
            let child = Child { key, hash, parent: NO_NODE, cost: 0, estimate };
            let me = self.me();
            if self.space.is_goal(&start) {
                self.keep_goal(&child, me)?;
            } else {
                self.shard.settle(&mut self.meter.ledger, &child, me, false)?;
            }
        }
        self.enter_layer(0);
        Ok(())
    }

    /// Mail, then a few expansions, or a wait if there is nothing to do.
    fn turn(&mut self, tick: &mut dyn FnMut(&Stats)) -> Result<(), Stop> {
        while let Some((from, message)) = self.link.receive()? {
            self.hear(from, &message)?;
            if self.ended.is_some() {
                return Ok(());
            }
        }
        if !self.tripped && self.link.backlog() < self.most_backlog && self.expand_some(tick)? {
            return Ok(());
        }
        self.flush()?;
        if !self.reported && self.is_idle() {
            self.reported = true;
            self.report(0)?;
            if self.ended.is_some() || !self.is_idle() {
                return Ok(());
            }
        }
        let clock = Instant::now();
        self.link.wait(IDLE_WAIT);
        self.share.idle += clock.elapsed();
        self.look(tick)
    }

    fn is_idle(&self) -> bool {
        self.tripped || self.unsent == 0 && !self.shard.has_work(self.ceiling)
    }

    /// Looks at the limits, and tells the figures so far.
    pub(super) fn look(&mut self, tick: &mut dyn FnMut(&Stats)) -> Result<(), Stop> {
        if self.tripped {
            return Ok(());
        }
        self.meter.look()?;
        let waiting = self.shard.waiting() as u64;
        self.stats.frontier_peak = self.stats.frontier_peak.max(waiting);
        self.stats.stored = self.shard.arena.len() as u64;
        self.stats.close(&self.meter);
        match &self.leading {
            Some(leading) => {
                let mut all = self.stats.clone();
                for report in leading.termination.reports.iter().skip(1) {
                    all.expanded += report.expanded;
                    all.generated += report.generated;
                    all.stored += report.stored;
                    all.bytes += report.bytes as usize;
                }
                tick(&all);
            }
            None if self.last_report.elapsed() >= REPORT_EVERY => self.report(0)?,
            None => {}
        }
        Ok(())
    }

    fn report(&mut self, wave: u64) -> Result<(), Lost> {
        self.last_report = Instant::now();
        let report = Report {
            wave,
            idle: self.is_idle(),
            sent: self.sent,
            received: self.received,
            least: self.shard.least(self.layer).unwrap_or(u64::MAX),
            expanded: self.stats.expanded,
            generated: self.stats.generated,
            stored: self.shard.arena.len() as u64,
            bytes: self.meter.ledger.used() as u64,
        };
        self.tell_leader(Kind::Report, &report.numbers())
    }

    pub(super) fn enter_layer(&mut self, layer: u64) {
        self.layer = layer;
        self.reported = false;
        if self.order.layered {
            self.ceiling = layer;
            self.shard.next_layer();
        }
    }

    /// Sends a batch, and counts it.
    pub(super) fn send(&mut self, to: usize, batch: Vec<u8>) -> Result<(), Lost> {
        self.sent += 1;
        self.share.batches += 1;
        self.share.sent_bytes += batch.len() as u64;
        self.link.send(to, batch)
    }

    pub(super) fn tell_leader(&mut self, kind: Kind, numbers: &[u64]) -> Result<(), Lost> {
        match self.me() {
            0 => self.lead(0, kind, Numbers(&kind.with(numbers)[1..])),
            _ => self.link.send(0, kind.with(numbers)),
        }
    }

    pub(super) fn tell_all(&mut self, kind: Kind, numbers: &[u64]) -> Result<(), Lost> {
        let me = self.me();
        (0..self.out.len()).filter(|&to| to != me).try_for_each(|to| self.link.send(to, kind.with(numbers)))
    }

    fn hear(&mut self, from: usize, message: &[u8]) -> Result<(), Stop> {
        let Some((kind, rest)) = read(message) else { return Ok(()) };
        let mut numbers = Numbers(rest);
        match kind {
            Kind::States | Kind::Goal => {
                self.received += 1;
                self.reported = false;
                let layer = numbers.next();
                if layer > self.layer {
                    // The sender was told of the new layer before we were.
                    self.enter_layer(layer);
                }
                if !self.tripped {
                    self.accept(from, kind == Kind::Goal, layer as Cost, numbers.0)?;
                }
            }
            Kind::Poll => self.report(numbers.next())?,
            Kind::Next => {
                let layer = numbers.next();
                if layer > self.layer {
                    self.enter_layer(layer);
                }
            }
            Kind::Save => self.save(numbers.next())?,
            Kind::Bound => self.lower(numbers.next()),
            Kind::End => self.ended = Some(End::Elsewhere),
            Kind::Last => self.last += 1,
            _ => self.lead(from, kind, numbers)?,
        }
        Ok(())
    }

    /// A plan of this cost is known: only states that could beat it are worth expanding.
    pub(super) fn lower(&mut self, cost: u64) {
        self.bound = Some(self.bound.map_or(cost, |bound| bound.min(cost)));
        if !self.order.layered {
            self.ceiling = self.ceiling.min(cost.saturating_sub(1));
        }
    }

    fn save(&mut self, layer: u64) -> Result<(), Lost> {
        if let Some(saver) = &mut self.saver {
            saver.layer(&self.shard, layer, &self.stats).map_err(Lost::Way)?;
        }
        self.tell_leader(Kind::Saved, &[])
    }

    /// What the leader does with a message to it.
    fn lead(&mut self, from: usize, kind: Kind, mut numbers: Numbers<'_>) -> Result<(), Lost> {
        let layer = self.layer;
        let (queue, layered) = (self.order.queue, self.order.layered);
        let Some(Leading { termination, goal, saving }) = &mut self.leading else { return Ok(()) };
        match kind {
            Kind::Report => match termination.hear(from, Report::read(&mut numbers)) {
                Then::Wait => Ok(()),
                Then::Poll(wave) => {
                    self.tell_all(Kind::Poll, &[wave])?;
                    self.report(wave)
                }
                Then::Quiet(least) => self.quiet(least),
            },
            Kind::Found => {
                let (cost, id) = (numbers.next(), numbers.next() as NodeId);
                if goal.is_none_or(|(least, ..)| cost < least) {
                    *goal = Some((cost, from, id));
                }
                // Nothing cheaper than the layer is left; in a queue, the states of a layer were asked when they were made.
                if queue || layered && cost <= layer {
                    return self.end(End::Goal(from, id));
                }
                self.lower(cost);
                self.tell_all(Kind::Bound, &[cost])
            }
            Kind::Trip => {
                let limit = LIMITS.get(numbers.next() as usize).copied().unwrap_or(Limit::Cancelled);
                self.end(End::Limit(limit))
            }
            Kind::Saved => {
                let Some((layer, left)) = saving else { return Ok(()) };
                *left -= 1;
                let (layer, left) = (*layer, *left);
                if left > 0 {
                    return Ok(());
                }
                *saving = None;
                if let Some(saver) = &mut self.saver {
                    saver.complete(layer).map_err(Lost::Way)?;
                }
                self.begin_layer(layer)
            }
            _ => Ok(()),
        }
    }

    /// Nobody has anything to do, and nothing is on its way.
    fn quiet(&mut self, least: Option<u64>) -> Result<(), Lost> {
        let size = self.out.len();
        let Some(Leading { goal, saving, .. }) = &mut self.leading else { return Ok(()) };
        match (*goal, least) {
            (Some((cost, rank, id)), least) if least.is_none_or(|l| cost <= l) => {
                self.end(End::Goal(rank, id))
            }
            (_, None) => self.end(End::Empty),
            (_, Some(layer)) if self.saver.is_some() => {
                *saving = Some((layer, size));
                self.tell_all(Kind::Save, &[layer])?;
                self.save(layer)
            }
            (_, Some(layer)) => self.begin_layer(layer),
        }
    }

    fn begin_layer(&mut self, layer: u64) -> Result<(), Lost> {
        if let Some(leading) = &mut self.leading {
            leading.termination.next_layer();
        }
        self.tell_all(Kind::Next, &[layer])?;
        self.enter_layer(layer);
        Ok(())
    }

    fn end(&mut self, end: End) -> Result<(), Lost> {
        if self.ended.is_some() {
            return Ok(());
        }
        self.ended = Some(end);
        self.tell_all(Kind::End, &[])
    }
}
