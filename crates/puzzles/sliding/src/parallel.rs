//! The same search by several threads.
//!
//! Every position belongs to one thread: the highest bits of its mixed number say to which. A thread expands its own
//! positions; successors that belong to others it puts into their mail. A round is a chunk of each thread's layer, then the
//! mail; a layer ends when nobody has anything left of it. No locks on the way, and the same result each time: what a
//! thread does in a round depends on nothing but what it had and what it was sent, in a fixed order.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

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

/// What one thread owns.
struct Shard<const P: usize> {
    closed: Closed,
    ledger: Ledger,
    next: Vec<Node<P>>,
    /// How much of the layer is expanded.
    done: usize,
    /// Successors on their way to their owners.
    out: Vec<Vec<Pending>>,
    goal: Option<Node<P>>,
    generated: u64,
    duplicates: u64,
}

/// What the threads tell each other.
struct Shared<const P: usize> {
    barrier: Barrier,
    /// The layer of each thread. Everybody may read it: a letter says which position and which move, and only the one in
    /// four that turns out to be new is ever made.
    layers: Vec<RwLock<Vec<Node<P>>>>,
    /// By sender, then receiver.
    mail: Vec<Vec<Mutex<Vec<Pending>>>>,
    /// Of odd and of even rounds: those of one are read while those of the other are cleared.
    reports: [Report; 2],
    expanded: AtomicU64,
    goal: AtomicBool,
    short: AtomicBool,
    stop: AtomicBool,
}

/// Sums over all threads after a round.
#[derive(Default)]
struct Report {
    /// Positions of this layer that are not yet expanded, of the next layer, all stored ones.
    left: AtomicUsize,
    next: AtomicUsize,
    stored: AtomicUsize,
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

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
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
        layers: (0..threads).map(|_| RwLock::default()).collect(),
        mail,
        reports: [Report::default(), Report::default()],
        expanded: AtomicU64::new(0),
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
            let stored = |report: &Report| report.stored.load(Ordering::Relaxed);
            stats.stored = team.shared.reports.iter().map(stored).max().unwrap_or(0) as u64;
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
            next: Vec::new(),
            done: 0,
            out: (0..threads).map(|_| Vec::new()).collect(),
            goal: None,
            generated: 0,
            duplicates: 0,
        };
        let (owner, number) = self.owner(self.tables.mix(self.tables.rank(start)));
        if owner == me {
            shard.closed.insert(&mut shard.ledger, number, 0)?;
            let mut layer = self.shared.layers[me].write().unwrap_or_else(PoisonError::into_inner);
            shard.ledger.push(&mut *layer, *start)?;
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
        for report in self.shared.reports.iter().cycle() {
            let led = lead(depth);
            if led.is_err() {
                self.shared.stop.store(true, Ordering::Relaxed);
            }
            if let Err(OutOfMemory) = self.expand(me, &mut shard) {
                self.shared.short.store(true, Ordering::Relaxed);
            }
            // Everybody's mail is out, and everybody has read the report of the round before.
            self.shared.barrier.wait();
            if me == 0 {
                let [even, odd] = &self.shared.reports;
                if std::ptr::eq(report, even) { odd } else { even }.clear();
            }
            if let Err(OutOfMemory) = self.collect(me, &mut shard, depth) {
                self.shared.short.store(true, Ordering::Relaxed);
            }
            self.write(me, &shard, report);
            // Everybody has reported.
            self.shared.barrier.wait();
            match self.decide(report) {
                Then::GoOn => {}
                Then::NextLayer => {
                    depth += 1;
                    let mut layer = self.shared.layers[me].write().unwrap_or_else(PoisonError::into_inner);
                    std::mem::swap(&mut *layer, &mut shard.next);
                    shard.next.clear();
                    shard.done = 0;
                }
                Then::Stop => return (shard, depth + 1, led),
            }
        }
        unreachable!("the reports are read in turn for ever")
    }

    fn write(&self, me: usize, shard: &Shard<P>, report: &Report) {
        report.left.fetch_add(read(&self.shared.layers[me]).len() - shard.done, Ordering::Relaxed);
        report.next.fetch_add(shard.next.len(), Ordering::Relaxed);
        report.stored.fetch_add(shard.closed.len(), Ordering::Relaxed);
        if shard.goal.is_some() {
            self.shared.goal.store(true, Ordering::Relaxed);
        }
    }

    /// The same for every thread, since it rests on the reports alone.
    fn decide(&self, report: &Report) -> Then {
        let Shared { goal, short, stop, .. } = &self.shared;
        if short.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
            return Then::Stop;
        }
        if report.left.load(Ordering::Relaxed) > 0 {
            return Then::GoOn;
        }
        // A layer is finished even after a goal, so that the result does not depend on who was faster.
        if goal.load(Ordering::Relaxed) || report.next.load(Ordering::Relaxed) == 0 {
            Then::Stop
        } else {
            Then::NextLayer
        }
    }

    /// Expands a chunk. Every successor is mailed, even to ourselves: whose it is cannot be foretold, so a branch would cost more
    /// than the way through memory.
    fn expand(&self, me: usize, shard: &mut Shard<P>) -> Result<(), OutOfMemory> {
        let layer = read(&self.shared.layers[me]);
        let end = layer.len().min(shard.done + CHUNK);
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
        self.shared.expanded.fetch_add((end - shard.done) as u64, Ordering::Relaxed);
        shard.done = end;
        for (owner, letters) in shard.out.iter_mut().enumerate() {
            std::mem::swap(letters, &mut *lock(&self.shared.mail[me][owner]));
        }
        mailed
    }

    /// Adds a successor that belongs to this thread, if it is new.
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
        for (sender, mail) in self.shared.mail.iter().enumerate() {
            let mut letters = lock(&mail[me]);
            let layer = read(&self.shared.layers[sender]);
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

impl Report {
    fn clear(&self) {
        for sum in [&self.left, &self.next, &self.stored] {
            sum.store(0, Ordering::Relaxed);
        }
    }
}
