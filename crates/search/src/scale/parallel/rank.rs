//! One rank of a parallel search: it reads messages, expands its own states, and reports to the leader when idle.
//!
//! After Kishimoto, Fukunaga and Botea (2009), HDA*: the hash of a state's key names the rank that owns it. A rank expands its
//! own states and sends each successor to its owner, in batches, without waiting. Where every move costs 1 the search goes by
//! layers (of equal depth, or of equal f). The next layer begins when the leader knows that the last is done on all ranks.
//! Otherwise ranks run free: each takes its own best state, and the search ends when no rank holds a state that could beat the
//! best known plan.

use std::time::Duration;

use super::message::{Kind, Numbers, read};
use super::saving::Saver;
use super::shard::{Child, Record, Shard};
use super::termination::{Action, Report, Termination};
use super::transport::{Lost, Transport};
use super::{Order, RankContext};
use crate::core::arena::{NO_NODE, NodeId};
use crate::core::budget::{Budget, Limit, Meter};
use crate::core::clock::Instant;
use crate::core::memory::OutOfMemory;
use crate::core::outcome::{Share, Stats};
use crate::core::space::{Cost, Space};

/// How long an idle rank waits for messages before it looks at its limits.
const IDLE_WAIT: Duration = Duration::from_millis(2);
/// Time between two reports of a busy rank for the progress line.
const REPORT_EVERY: Duration = Duration::from_millis(50);

const LIMITS: [Limit; 4] = [Limit::Time, Limit::Memory, Limit::Nodes, Limit::Cancelled];

/// How a search ended, as far as this rank knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The rank and number of a goal.
    Goal(usize, NodeId),
    Empty,
    Limit(Limit),
    /// Only the leader knows.
    Elsewhere,
}

/// Why a rank stops its work.
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

/// The state that only the leader has.
struct Leading {
    termination: Termination,
    /// The cheapest goal: cost, rank, number.
    goal: Option<(u64, usize, NodeId)>,
    /// The layer that begins after this many more ranks have saved theirs.
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
    /// Successors not yet looked up.
    pub(super) pending: Vec<Child<S::Key>>,
    /// A batch for each other rank, and the number of states in all batches.
    pub(super) out: Vec<Vec<u8>>,
    pub(super) unsent: usize,
    /// Bytes at which a batch is sent. No state is expanded while this many are on their way.
    pub(super) batch: usize,
    pub(super) most_backlog: usize,
    pub(super) since_flush: usize,
    /// The current layer, where the search goes by layers.
    pub(super) layer: u64,
    /// The greatest f that is expanded now.
    pub(super) ceiling: u64,
    /// The cost of the best known plan.
    pub(super) bound: Option<u64>,
    pub(super) ended: Option<End>,
    /// How many other ranks have sent their last message. Some hear of the end before this rank does.
    pub(super) last: usize,
    pub(super) saver: Option<Saver>,
    /// This rank reached a limit: it expands and keeps nothing more.
    tripped: bool,
    sent: u64,
    received: u64,
    /// Has this rank reported that it is idle?
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
        // Messages take at most a sixteenth of the memory.
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

    /// Searches until the leader announces the end.
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
                self.send_to_leader(Kind::Trip, &[code as u64])
            }
        }
    }

    /// Puts the start into its owner's frontier.
    fn begin(&mut self) -> Result<(), Stop> {
        let start = self.space.start();
        self.context.prune.begin(self.space, &start, &mut self.meter)?;
        // Claims the memory of buffers and of messages on their way at once.
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

    /// Reads messages, then expands a few states, or waits if there are none.
    fn turn(&mut self, tick: &mut dyn FnMut(&Stats)) -> Result<(), Stop> {
        while let Some((from, message)) = self.link.receive()? {
            self.handle(from, &message)?;
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

    /// Looks at the limits and reports the figures so far.
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
        self.send_to_leader(Kind::Report, &report.numbers())
    }

    pub(super) fn enter_layer(&mut self, layer: u64) {
        self.layer = layer;
        self.reported = false;
        if self.order.layered {
            self.ceiling = layer;
            self.shard.next_layer();
        }
    }

    /// Sends and counts a batch.
    pub(super) fn send(&mut self, to: usize, batch: Vec<u8>) -> Result<(), Lost> {
        self.sent += 1;
        self.share.batches += 1;
        self.share.sent_bytes += batch.len() as u64;
        self.link.send(to, batch)
    }

    pub(super) fn send_to_leader(&mut self, kind: Kind, numbers: &[u64]) -> Result<(), Lost> {
        match self.me() {
            0 => self.lead(0, kind, Numbers(&kind.with(numbers)[1..])),
            _ => self.link.send(0, kind.with(numbers)),
        }
    }

    pub(super) fn broadcast(&mut self, kind: Kind, numbers: &[u64]) -> Result<(), Lost> {
        let me = self.me();
        (0..self.out.len()).filter(|&to| to != me).try_for_each(|to| self.link.send(to, kind.with(numbers)))
    }

    fn handle(&mut self, from: usize, message: &[u8]) -> Result<(), Stop> {
        let Some((kind, rest)) = read(message) else { return Ok(()) };
        let mut numbers = Numbers(rest);
        match kind {
            Kind::States | Kind::Goal => {
                self.received += 1;
                self.reported = false;
                let layer = numbers.next();
                if layer > self.layer {
                    // The sender heard of the new layer before this rank did.
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

    /// Lowers the bound to the cost of a known plan: only states that could beat it are expanded.
    pub(super) fn lower(&mut self, cost: u64) {
        self.bound = Some(self.bound.map_or(cost, |bound| bound.min(cost)));
        if !self.order.layered {
            self.ceiling = self.ceiling.min(cost.saturating_sub(1));
        }
    }

    fn save(&mut self, layer: u64) -> Result<(), Lost> {
        if let Some(saver) = &mut self.saver {
            saver.layer(&self.shard, layer, &self.stats).map_err(Lost::Failed)?;
        }
        self.send_to_leader(Kind::Saved, &[])
    }

    /// The leader's reaction to a message.
    fn lead(&mut self, from: usize, kind: Kind, mut numbers: Numbers<'_>) -> Result<(), Lost> {
        let layer = self.layer;
        let (queue, layered) = (self.order.queue, self.order.layered);
        let Some(Leading { termination, goal, saving }) = &mut self.leading else { return Ok(()) };
        match kind {
            Kind::Report => match termination.handle(from, Report::read(&mut numbers)) {
                Action::Wait => Ok(()),
                Action::Poll(wave) => {
                    self.broadcast(Kind::Poll, &[wave])?;
                    self.report(wave)
                }
                Action::Quiescent(least) => self.quiet(least),
            },
            Kind::Found => {
                let (cost, id) = (numbers.next(), numbers.next() as NodeId);
                if goal.is_none_or(|(least, ..)| cost < least) {
                    *goal = Some((cost, from, id));
                }
                // No cheaper state than the layer is left. In a queue, states were tested when they were generated.
                if queue || layered && cost <= layer {
                    return self.end(End::Goal(from, id));
                }
                self.lower(cost);
                self.broadcast(Kind::Bound, &[cost])
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
                    saver.complete(layer).map_err(Lost::Failed)?;
                }
                self.begin_layer(layer)
            }
            _ => Ok(()),
        }
    }

    /// All ranks are idle and no message is on its way.
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
                self.broadcast(Kind::Save, &[layer])?;
                self.save(layer)
            }
            (_, Some(layer)) => self.begin_layer(layer),
        }
    }

    fn begin_layer(&mut self, layer: u64) -> Result<(), Lost> {
        if let Some(leading) = &mut self.leading {
            leading.termination.next_layer();
        }
        self.broadcast(Kind::Next, &[layer])?;
        self.enter_layer(layer);
        Ok(())
    }

    fn end(&mut self, end: End) -> Result<(), Lost> {
        if self.ended.is_some() {
            return Ok(());
        }
        self.ended = Some(end);
        self.broadcast(Kind::End, &[])
    }
}
