//! The same search by several threads.
//!
//! Every position belongs to one thread: the highest bits of its mixed number say to which. A thread expands its own
//! positions; successors that belong to others it puts into their mail. A round is a chunk of each thread's layer, then the
//! mail; a layer ends when nobody has anything left of it. No locks on the way, and the same result each time: what a
//! thread does in a round depends on nothing but what it had and what it was sent, in a fixed order.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};

use beeline_search::budget::Meter;
use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::{Budget, Limit, Stats};

use super::board::Board;
use super::closed::Closed;
use super::rank::{Node, Tables};
use super::solve::{Hopped, PENDING, Pending, way_back};

/// Positions that a thread expands in one round.
const CHUNK: usize = 1 << 14;
const MOST_THREADS: usize = 64;

/// A successor on its way to its owner.
type Letter<const P: usize> = (u64, Node<P>);

/// What one thread owns.
struct Shard<const P: usize> {
    closed: Closed,
    ledger: Ledger,
    layer: Vec<Node<P>>,
    next: Vec<Node<P>>,
    /// How much of the layer is expanded.
    done: usize,
    pending: Vec<Pending>,
    out: Vec<Vec<Letter<P>>>,
    goal: Option<Node<P>>,
    generated: u64,
    duplicates: u64,
}

/// What the threads tell each other.
struct Shared<const P: usize> {
    barrier: Barrier,
    /// By sender, then receiver.
    mail: Vec<Vec<Mutex<Vec<Letter<P>>>>>,
    /// Positions of this layer that are not yet expanded, of the next, all expanded ones; all stored ones.
    left: AtomicUsize,
    next: AtomicUsize,
    expanded: AtomicU64,
    stored: AtomicUsize,
    goal: AtomicBool,
    short: AtomicBool,
    stop: AtomicBool,
}

/// What all threads agree on after a round.
enum Then {
    GoOn,
    NextLayer,
    Stop,
}

struct Team<'a, const N: usize, const P: usize> {
    tables: &'a Tables<N>,
    /// Bits of a number that are left once its owner is known.
    bits: u32,
    shared: Shared<P>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A poisoned lock means that another thread panicked; its panic is passed on when it is joined.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sweeps until a goal is met and gives the way to it; `None` if there is none.
pub(super) fn until_goal<const N: usize, const P: usize>(
    board: &Board<N>,
    tables: &Tables<N>,
    threads: usize,
    budget: &Budget,
    meter: &mut Meter,
    stats: &mut Stats,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Option<Vec<Hopped>>, Limit> {
    let start: Node<P> = tables.node(board, &board.start);
    if tables.is_goal(&start) {
        return Ok(Some(Vec::new()));
    }
    // Owners are named by whole bits.
    let log = threads.clamp(2, MOST_THREADS).ilog2();
    let threads = 1 << log;
    let mail = (0..threads).map(|_| (0..threads).map(|_| Mutex::default()).collect()).collect();
    let shared = Shared {
        barrier: Barrier::new(threads),
        mail,
        left: AtomicUsize::new(0),
        next: AtomicUsize::new(0),
        expanded: AtomicU64::new(0),
        stored: AtomicUsize::new(0),
        goal: AtomicBool::new(false),
        short: AtomicBool::new(false),
        stop: AtomicBool::new(false),
    };
    let team = Team { tables, bits: tables.bits() - log, shared };
    let mut shards = Vec::new();
    for me in 0..threads {
        shards.push(team.shard(me, threads, &start, budget)?);
    }
    let mut verdict = Ok(());
    let mut distance = 0;
    let shards: Vec<Shard<P>> = std::thread::scope(|scope| {
        let mut rest = shards.drain(..);
        let first = rest.next();
        let team = &team;
        let others: Vec<_> = rest
            .enumerate()
            .map(|(i, shard)| scope.spawn(move || team.work(i + 1, shard, &mut |_| Ok(())).0))
            .collect();
        let mut lead = |depth: u64| -> Result<(), Limit> {
            let expanded = team.shared.expanded.load(Ordering::Relaxed);
            while meter.expanded() < expanded {
                meter.count();
            }
            stats.expanded = expanded;
            stats.depth = depth;
            stats.stored = team.shared.stored.load(Ordering::Relaxed) as u64;
            if meter.due() {
                meter.look()?;
                stats.close(meter);
                tick(stats);
            }
            Ok(())
        };
        let mut done = Vec::new();
        if let Some(first) = first {
            let (shard, depth, result) = team.work(0, first, &mut lead);
            (distance, verdict) = (depth, result);
            done.push(shard);
        }
        for other in others {
            match other.join() {
                Ok(shard) => done.push(shard),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    stats.expanded = team.shared.expanded.load(Ordering::Relaxed);
    stats.generated = shards.iter().map(|s| s.generated).sum();
    stats.duplicates = shards.iter().map(|s| s.duplicates).sum();
    stats.stored = shards.iter().map(|s| s.closed.len() as u64).sum();
    stats.bytes = shards.iter().map(|s| s.ledger.peak()).sum();
    verdict?;
    if team.shared.short.load(Ordering::Relaxed) {
        return Err(Limit::Memory);
    }
    // Of several goals in the last layer, the one whose numbers come first, whoever found it.
    let pieces = tables.len();
    let goals = shards.iter().filter_map(|s| s.goal);
    let Some(goal) = goals.min_by(|a, b| a[..pieces].cmp(&b[..pieces])) else { return Ok(None) };
    let age = |number: u64| {
        let (owner, number) = team.owner(number);
        shards[owner].closed.age(number)
    };
    Ok(Some(way_back(board, tables, distance, goal, age)))
}

impl<const N: usize, const P: usize> Team<'_, N, P> {
    fn owner(&self, number: u64) -> (usize, u64) {
        ((number >> self.bits) as usize, number & ((1 << self.bits) - 1))
    }

    fn shard(
        &self,
        me: usize,
        threads: usize,
        start: &Node<P>,
        budget: &Budget,
    ) -> Result<Shard<P>, OutOfMemory> {
        let mut ledger = Ledger::new(budget.bytes.map(|b| b / threads));
        let mut shard = Shard {
            closed: Closed::new(self.bits, &mut ledger)?,
            ledger,
            layer: Vec::new(),
            next: Vec::new(),
            done: 0,
            pending: Vec::with_capacity(2 * PENDING),
            out: (0..threads).map(|_| Vec::new()).collect(),
            goal: None,
            generated: 0,
            duplicates: 0,
        };
        let (owner, number) = self.owner(self.tables.mix(self.tables.rank(start)));
        if owner == me {
            shard.closed.insert(&mut shard.ledger, number, 0)?;
            shard.ledger.push(&mut shard.layer, *start)?;
        }
        Ok(shard)
    }

    /// The rounds of one thread. `lead` is asked before each; only the first thread's says anything.
    fn work(
        &self,
        me: usize,
        mut shard: Shard<P>,
        lead: &mut dyn FnMut(u64) -> Result<(), Limit>,
    ) -> (Shard<P>, u64, Result<(), Limit>) {
        let mut depth = 0;
        loop {
            let led = lead(depth);
            if led.is_err() {
                self.shared.stop.store(true, Ordering::Relaxed);
            }
            if let Err(OutOfMemory) = self.expand(me, &mut shard, depth) {
                self.shared.short.store(true, Ordering::Relaxed);
            }
            // Everybody's mail is out.
            self.shared.barrier.wait();
            if let Err(OutOfMemory) = self.collect(me, &mut shard, depth) {
                self.shared.short.store(true, Ordering::Relaxed);
            }
            self.report(&shard);
            // Everybody has reported.
            self.shared.barrier.wait();
            let then = self.decide();
            // Everybody has read the reports, so the first may clear them.
            self.shared.barrier.wait();
            if me == 0 {
                self.shared.left.store(0, Ordering::Relaxed);
                self.shared.next.store(0, Ordering::Relaxed);
                self.shared.stored.store(0, Ordering::Relaxed);
            }
            self.shared.barrier.wait();
            match then {
                Then::GoOn => {}
                Then::NextLayer => {
                    depth += 1;
                    std::mem::swap(&mut shard.layer, &mut shard.next);
                    shard.next.clear();
                    shard.done = 0;
                }
                Then::Stop => return (shard, depth + 1, led),
            }
        }
    }

    fn report(&self, shard: &Shard<P>) {
        let Shared { left, next, stored, goal, .. } = &self.shared;
        left.fetch_add(shard.layer.len() - shard.done, Ordering::Relaxed);
        next.fetch_add(shard.next.len(), Ordering::Relaxed);
        stored.fetch_add(shard.closed.len(), Ordering::Relaxed);
        if shard.goal.is_some() {
            goal.store(true, Ordering::Relaxed);
        }
    }

    /// The same for every thread, since it rests on the reports alone.
    fn decide(&self) -> Then {
        let Shared { left, next, goal, short, stop, .. } = &self.shared;
        if short.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
            return Then::Stop;
        }
        if left.load(Ordering::Relaxed) > 0 {
            return Then::GoOn;
        }
        // A layer is finished even after a goal, so that the result does not depend on who was faster.
        if goal.load(Ordering::Relaxed) || next.load(Ordering::Relaxed) == 0 {
            Then::Stop
        } else {
            Then::NextLayer
        }
    }

    /// Expands a chunk: own successors are looked up, others' are mailed.
    fn expand(&self, me: usize, shard: &mut Shard<P>, depth: u64) -> Result<(), OutOfMemory> {
        let end = shard.layer.len().min(shard.done + CHUNK);
        let mut result = Ok(());
        for parent in shard.done..end {
            let node = shard.layer[parent];
            let Shard { closed, pending, out, ledger, generated, .. } = shard;
            self.tables.successors(&node, |hop, rank| {
                *generated += 1;
                let (owner, number) = self.owner(self.tables.mix(rank));
                if owner == me {
                    closed.announce(number);
                    pending.push(Pending { number, parent: parent as u32, hop });
                } else {
                    let letter = (number, self.tables.apply(&node, hop));
                    result = result.and(ledger.push(&mut out[owner], letter));
                }
            });
            if shard.pending.len() >= PENDING || parent + 1 == end {
                self.settle(shard, depth)?;
            }
        }
        self.shared.expanded.fetch_add((end - shard.done) as u64, Ordering::Relaxed);
        shard.done = end;
        for (owner, letters) in shard.out.iter_mut().enumerate() {
            std::mem::swap(letters, &mut *lock(&self.shared.mail[me][owner]));
        }
        result
    }

    fn settle(&self, shard: &mut Shard<P>, depth: u64) -> Result<(), OutOfMemory> {
        let pending = std::mem::take(&mut shard.pending);
        let mut result = Ok(());
        for &Pending { number, parent, hop } in &pending {
            let keep = |shard: &Shard<P>| self.tables.apply(&shard.layer[parent as usize], hop);
            result = result.and(self.add(shard, number, depth, keep));
        }
        shard.pending = pending;
        shard.pending.clear();
        result
    }

    fn add(
        &self,
        shard: &mut Shard<P>,
        number: u64,
        depth: u64,
        node: impl FnOnce(&Shard<P>) -> Node<P>,
    ) -> Result<(), OutOfMemory> {
        if !shard.closed.insert(&mut shard.ledger, number, (depth + 1) % 3)? {
            shard.duplicates += 1;
            return Ok(());
        }
        let node = node(shard);
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
        let mut result = Ok(());
        for sender in &self.shared.mail {
            let mut letters = lock(&sender[me]);
            for i in 0..letters.len() {
                if let Some(&(ahead, _)) = letters.get(i + PENDING) {
                    shard.closed.announce(ahead);
                }
                let (number, node) = letters[i];
                result = result.and(self.add(shard, number, depth, |_| node));
            }
            letters.clear();
        }
        result
    }
}
