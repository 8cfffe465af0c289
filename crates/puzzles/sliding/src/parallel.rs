//! The search by position on several threads.
//!
//! The highest bits of a position's mixed number name the shard that owns it. A shard expands its own positions and mails
//! successors to their owners. A round ([`rounds`]) has two phases: every shard expands a chunk of its layer, then every shard
//! reads its mail. Between rounds the leader looks at the limits and distributes the allowed expansions. When no shard has
//! positions left in the layer, it begins the next. The result is deterministic: a shard's work in a round depends only on its
//! state and its mail, in a fixed order.

use std::ops::ControlFlow;

use beeline_search::budget::Meter;
use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::sync::{Mutex, RwLock, lock, read, write};
use beeline_search::team::{Idle, rounds, useful};
use beeline_search::{Budget, Limit, Stats};

use super::board::Board;
use super::closed::Closed;
use super::rank::{Node, Tables};
use super::solve::{MergedMove, PENDING, Pending, trace_back};

/// Positions that a shard expands in one round: some milliseconds, the most by which a limit is overrun. Few under the model
/// checker, so that a layer of a tiny board takes several rounds.
const CHUNK: usize = if cfg!(feature = "model") { 3 } else { 1 << 14 };
/// Most shards: each sends mail to every other.
const MOST_SHARDS: usize = 64;

/// The data of one thread.
struct Shard<const P: usize> {
    closed: Closed,
    ledger: Ledger,
    next: Vec<Node<P>>,
    /// The number of expanded positions of the layer, and how many may be expanded in the next round.
    done: usize,
    allowed: usize,
    /// Outgoing successors by owner.
    out: Vec<Vec<Pending>>,
    goal: Option<Node<P>>,
    expanded: u64,
    generated: u64,
    duplicates: u64,
    /// Did the shard run out of memory?
    short: bool,
}

/// The data that the shards share.
struct SharedState<'a, const N: usize, const P: usize> {
    tables: &'a Tables<N>,
    /// Bits of a number below its owner's bits.
    bits: u32,
    /// The layer of each shard, readable by all. A mailed successor names a position and a move; only the one in four that
    /// turns out to be new is ever built.
    layers: Vec<RwLock<Vec<Node<P>>>>,
    /// Mail by sender, then receiver.
    mail: Vec<Vec<Mutex<Vec<Pending>>>>,
}

/// Searches until a goal is found and returns the path to it; `None` if there is none.
pub(super) fn until_goal<const N: usize, const P: usize>(
    board: &Board<N>,
    tables: &Tables<N>,
    threads: usize,
    budget: &Budget,
    meter: &mut Meter,
    stats: &mut Stats,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Option<Vec<MergedMove>>, Limit> {
    let start: Node<P> = tables.node(board, &board.start);
    if tables.is_goal(&start) {
        return Ok(Some(Vec::new()));
    }
    // A whole number of bits names the owner.
    let log = useful(threads).clamp(2, MOST_SHARDS).ilog2();
    let size = 1 << log;
    let team = SharedState {
        tables,
        bits: tables.bits() - log,
        layers: (0..size).map(|_| RwLock::default()).collect(),
        mail: (0..size).map(|_| (0..size).map(|_| Mutex::default()).collect()).collect(),
    };
    let mut shards = Vec::new();
    for me in 0..size {
        shards.push(team.shard(me, size, &start, budget)?);
    }
    let lead = |shards: &mut [Idle<'_, Shard<P>>]| -> ControlFlow<Result<(), Limit>, u64> {
        stats.expanded = shards.iter().map(|shard| shard.expanded).sum();
        stats.stored = shards.iter().map(|shard| shard.closed.len() as u64).sum();
        meter.count_many(stats.expanded - meter.expanded());
        if shards.iter().any(|shard| shard.short) {
            return ControlFlow::Break(Err(Limit::Memory));
        }
        if team.left(shards) == 0 {
            // A layer is finished even after a goal, so that the result does not depend on timing.
            let goal = shards.iter().any(|shard| shard.goal.is_some());
            if goal || shards.iter().all(|shard| shard.next.is_empty()) {
                return ControlFlow::Break(Ok(()));
            }
            team.next_layer(shards);
            stats.depth += 1;
        }
        if meter.due() {
            if let Err(limit) = meter.look() {
                return ControlFlow::Break(Err(limit));
            }
            stats.close(meter);
            tick(stats);
        }
        team.hand_out(shards, meter.allowed());
        ControlFlow::Continue(stats.depth)
    };
    let expand = |_: &u64, me: usize, shard: &mut Shard<P>| {
        shard.short |= team.expand(me, shard).is_err();
    };
    let collect = |depth: &u64, me: usize, shard: &mut Shard<P>| {
        shard.short |= team.collect(me, shard, *depth).is_err();
    };
    let (shards, verdict) = rounds(shards, &[&expand, &collect], lead);
    stats.generated = shards.iter().map(|s| s.generated).sum();
    stats.duplicates = shards.iter().map(|s| s.duplicates).sum();
    stats.bytes = shards.iter().map(|s| s.ledger.peak()).sum();
    verdict?;
    // Of several goals in the last layer, the one with the smallest numbers, whichever shard found it.
    let pieces = tables.len();
    let goals = shards.iter().filter_map(|s| s.goal);
    let Some(goal) = goals.min_by(|a, b| a[..pieces].cmp(&b[..pieces])) else { return Ok(None) };
    let age = |number: u64| {
        let (owner, number) = team.owner(number);
        shards[owner].closed.age(number)
    };
    Ok(Some(trace_back(board, tables, stats.depth + 1, &goal, &age)))
}

impl<const N: usize, const P: usize> SharedState<'_, N, P> {
    fn owner(&self, number: u64) -> (usize, u64) {
        ((number >> self.bits) as usize, number & ((1 << self.bits) - 1))
    }

    fn shard(
        &self,
        me: usize,
        size: usize,
        start: &Node<P>,
        budget: &Budget,
    ) -> Result<Shard<P>, OutOfMemory> {
        let mut ledger = Ledger::new(budget.bytes.map(|b| b / size));
        let mut shard = Shard {
            closed: Closed::new(self.bits, &mut ledger)?,
            ledger,
            next: Vec::new(),
            done: 0,
            allowed: 0,
            out: (0..size).map(|_| Vec::new()).collect(),
            goal: None,
            expanded: 0,
            generated: 0,
            duplicates: 0,
            short: false,
        };
        let (owner, number) = self.owner(self.tables.mix(self.tables.rank(start)));
        if owner == me {
            shard.closed.insert(&mut shard.ledger, number, 0)?;
            shard.ledger.push(&mut *write(&self.layers[me]), *start)?;
        }
        Ok(shard)
    }

    /// Positions of the layer not yet expanded.
    fn left(&self, shards: &[Idle<'_, Shard<P>>]) -> usize {
        shards.iter().zip(&self.layers).map(|(shard, layer)| read(layer).len() - shard.done).sum()
    }

    /// Begins the next layer.
    fn next_layer(&self, shards: &mut [Idle<'_, Shard<P>>]) {
        for (shard, layer) in shards.iter_mut().zip(&self.layers) {
            std::mem::swap(&mut *write(layer), &mut shard.next);
            shard.next.clear();
            shard.done = 0;
        }
    }

    /// Distributes expansions for a round; if they do not suffice for all, the first shards get theirs first.
    fn hand_out(&self, shards: &mut [Idle<'_, Shard<P>>], mut allowed: u64) {
        for (shard, layer) in shards.iter_mut().zip(&self.layers) {
            let wanted = (read(layer).len() - shard.done).min(CHUNK);
            shard.allowed = allowed.min(wanted as u64) as usize;
            allowed -= shard.allowed as u64;
        }
    }

    /// Expands a chunk. Every successor is mailed, even to this shard: its owner is unpredictable, so a branch would cost more
    /// than the detour through memory.
    fn expand(&self, me: usize, shard: &mut Shard<P>) -> Result<(), OutOfMemory> {
        let layer = read(&self.layers[me]);
        let end = shard.done + shard.allowed;
        let Shard { out, ledger, .. } = shard;
        let mut mailed = Ok(());
        for parent in shard.done..end {
            self.tables.successors(&layer[parent], |hop, rank| {
                let (owner, number) = self.owner(self.tables.mix(rank));
                if let Err(short) =
                    ledger.push(&mut out[owner], Pending { number, parent: parent as u32, hop })
                {
                    mailed = Err(short);
                }
            });
        }
        shard.expanded += shard.allowed as u64;
        shard.done = end;
        for (owner, letters) in shard.out.iter_mut().enumerate() {
            std::mem::swap(letters, &mut *lock(&self.mail[me][owner]));
        }
        mailed
    }

    /// Adds a successor that belongs to this shard, if it is new.
    #[inline(always)]
    fn add(
        &self,
        shard: &mut Shard<P>,
        layer: &[Node<P>],
        &Pending { number, parent, hop }: &Pending,
        depth: u64,
    ) -> Result<(), OutOfMemory> {
        shard.generated += 1;
        if !shard.closed.insert(&mut shard.ledger, number, (depth + 1) % 3)? {
            shard.duplicates += 1;
            return Ok(());
        }
        let node = self.tables.apply(&layer[parent as usize], hop);
        if self.tables.is_goal(&node) {
            let pieces = self.tables.len();
            if shard.goal.is_none_or(|best| node[..pieces] < best[..pieces]) {
                shard.goal = Some(node);
            }
        }
        shard.ledger.push(&mut shard.next, node)
    }

    /// Reads the mail.
    fn collect(&self, me: usize, shard: &mut Shard<P>, depth: u64) -> Result<(), OutOfMemory> {
        for (sender, mail) in self.mail.iter().enumerate() {
            let mut letters = lock(&mail[me]);
            let layer = read(&self.layers[sender]);
            for (i, letter) in letters.iter().enumerate() {
                if let Some(ahead) = letters.get(i + PENDING) {
                    shard.closed.announce(ahead.number);
                }
                self.add(shard, &layer, letter, depth)?;
            }
            letters.clear();
        }
        Ok(())
    }
}
