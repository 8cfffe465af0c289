//! Computes the figures of the plain search without walking its tree.
//!
//! Once the plan that the search will find is known (the first shortest plan in the order of the steps), its counters follow by
//! arithmetic. A round below the last counts every path whose nodes all stay within the bound; the last round counts the paths
//! that branch off before the plan. The estimate is consistent, so a node belongs to a round exactly when its own f does, and
//! paths that meet at the same depth have the same futures. So paths are *counted*, not walked: layer by layer, with one entry
//! per board that holds the number of paths by last step.
//!
//! One pass counts all rounds. A node that the last round leaves with slack `s` is visited by `s` earlier rounds, with a slack
//! of `s - 1`, `s - 2` and so on. Only what lies behind the plan is missing in the last round.
//!
//! Nearly all nodes have little slack left, and their subtrees are small. From slack `MERGE - 1` downwards subtrees are walked,
//! many at once (`batch`), on several threads.
//!
//! The result equals the plain search's exactly, as tests verify.

use beeline_search::memory::OutOfMemory;
use beeline_search::sync::atomic::{AtomicBool, Ordering};
use beeline_search::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use beeline_search::sync::{Mutex, lock};
use beeline_search::{Budget, Limit, Meter, team};

use super::super::board::Step;
use super::super::word::{Word, blank_of, manhattan, nearer, neighbour, slide, tile_on};
use super::batch::{Batches, SLACKS};
use super::{Counted, Order};

/// Boards with at least this much slack are merged; below, walking is cheaper than a look-up.
const MERGE: u32 = SLACKS as u32;
/// Subtrees passed to a thread at once. Few under the model checker, so that even a short plan produces batches.
const BATCH: usize = if cfg!(feature = "model") { 2 } else { 4096 };

/// A board in a layer, and the number of paths that reach it by each last step.
#[derive(Clone, Copy, Default)]
struct Entry {
    board: Word,
    paths: [u32; 4],
    slack: u32,
}

/// A layer: its entries in a row, and an open-addressing table from boards to entries.
#[derive(Default)]
struct Layer {
    entries: Vec<Entry>,
    /// 32 bits of the board's hash above the entry's number plus one; 0 marks a free place.
    places: Vec<u64>,
}

impl Layer {
    /// Clears it and makes room for about `expected` entries.
    fn reset(&mut self, expected: usize, meter: &mut Meter) -> Result<(), OutOfMemory> {
        self.entries.clear();
        self.resize((2 * expected).next_power_of_two().max(1 << 10), meter)
    }

    /// Gives the table this many free places.
    fn resize(&mut self, places: usize, meter: &mut Meter) -> Result<(), OutOfMemory> {
        if places > self.places.capacity() {
            meter.ledger.forget(std::mem::take(&mut self.places));
            self.places = meter.ledger.filled(0, places)?;
        } else {
            self.places.clear();
            self.places.resize(places, 0);
        }
        Ok(())
    }

    #[inline(always)]
    fn add(&mut self, add: Entry, meter: &mut Meter) -> Result<(), OutOfMemory> {
        if 2 * self.entries.len() >= self.places.len() {
            self.grow(meter)?;
        }
        let hash = hash(add.board);
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let place = self.places[at];
            if place == 0 {
                self.places[at] = hash & TAG | (self.entries.len() as u64 + 1);
                return meter.ledger.push(&mut self.entries, add);
            }
            if place & TAG == hash & TAG {
                let entry = &mut self.entries[(place & !TAG) as usize - 1];
                // A node that the last round misses has less slack on the same board.
                if (entry.board, entry.slack) == (add.board, add.slack) && merge(entry, &add) {
                    return Ok(());
                }
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self, meter: &mut Meter) -> Result<(), OutOfMemory> {
        self.resize(4 * self.places.len(), meter)?;
        let mask = self.places.len() - 1;
        for (number, entry) in self.entries.iter().enumerate() {
            let hash = hash(entry.board);
            let mut at = hash as usize & mask;
            while self.places[at] != 0 {
                at = (at + 1) & mask;
            }
            self.places[at] = hash & TAG | (number as u64 + 1);
        }
        Ok(())
    }
}

/// The part of a place that holds bits of the hash.
const TAG: u64 = 0xFFFF_FFFF_0000_0000;

#[inline(always)]
fn hash(board: Word) -> u64 {
    let product = u128::from(board) * 0x9E37_79B9_7F4A_7C15_u128;
    (product >> 64) as u64 ^ product as u64
}

/// Adds the paths of one entry to another of the same board. A sum that does not fit stays apart as a second entry, which is
/// equally correct.
#[inline(always)]
fn merge(place: &mut Entry, add: &Entry) -> bool {
    let mut sums = [0; 4];
    for (sum, (a, b)) in sums.iter_mut().zip(place.paths.iter().zip(&add.paths)) {
        let Some(fits) = a.checked_add(*b) else { return false };
        *sum = fits;
    }
    place.paths = sums;
    true
}

/// A subtree to be walked: a board reached by a last step, and its multiplicity.
#[derive(Clone, Copy)]
struct Task {
    board: Word,
    paths: u32,
    slack: u8,
    last: u8,
    blank: u8,
}

/// Generated and expanded nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    generated: u64,
    expanded: u64,
}

impl Totals {
    fn add(&mut self, other: Self) {
        self.generated += other.generated;
        self.expanded += other.expanded;
    }
}

/// The moves of the blank from each square: the target, and the tiles that come nearer to home.
struct Graph([[Option<(usize, u16)>; 4]; 16]);

impl Graph {
    fn new() -> Self {
        let step = |square: usize, step: usize| {
            neighbour(square, Step::from_index(step)).map(|to| (to, nearer(to, square)))
        };
        Self(std::array::from_fn(|square| std::array::from_fn(|s| step(square, s))))
    }
}

/// One pass over the layers.
struct Pass<'a> {
    graph: &'a Graph,
    totals: Totals,
    batch: Vec<Task>,
    queue: Option<&'a SyncSender<Vec<Task>>>,
    batches: Batches,
}

impl Pass<'_> {
    /// Adds a child within the bound: merged into the next layer, or queued as a subtree to be walked.
    #[inline(always)]
    fn child(&mut self, child: &Task, next: &mut Layer, meter: &mut Meter) -> Result<(), OutOfMemory> {
        let slack = u32::from(child.slack);
        if slack >= MERGE {
            self.totals.expanded += (u64::from(slack) + 1) * u64::from(child.paths);
            let mut paths = [0; 4];
            paths[usize::from(child.last)] = child.paths;
            return next.add(Entry { board: child.board, paths, slack }, meter);
        }
        self.batch.push(*child);
        if self.batch.len() == BATCH {
            let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
            self.hand_over(batch);
        }
        Ok(())
    }

    fn hand_over(&mut self, batch: Vec<Task>) {
        let refused = match self.queue {
            Some(queue) => queue.try_send(batch).err(),
            None => Some(TrySendError::Full(batch)),
        };
        if let Some(TrySendError::Full(batch) | TrySendError::Disconnected(batch)) = refused {
            walk(&mut self.batches, &batch);
        }
    }

    #[inline(always)]
    fn expand(&mut self, entry: &Entry, next: &mut Layer, meter: &mut Meter) -> Result<(), OutOfMemory> {
        let blank = blank_of(entry.board);
        let all: u64 = entry.paths.iter().map(|&p| u64::from(p)).sum();
        let rounds = u64::from(entry.slack) + 1;
        for step in 0..4 {
            let Some((to, nearer)) = self.graph.0[blank][step] else { continue };
            let paths = all - u64::from(entry.paths[step ^ 1]);
            self.totals.generated += rounds * paths;
            let tile = tile_on(entry.board, to);
            let bad = u32::from(nearer >> tile & 1 == 0);
            if paths == 0 || bad > entry.slack {
                continue;
            }
            let moved = entry.board ^ (tile as u64) << (4 * to) ^ (tile as u64) << (4 * blank);
            let mut left = paths;
            while left > 0 {
                // More paths than fit in an entry are split over several.
                let some = left.min(u64::from(u32::MAX));
                left -= some;
                let child = Task {
                    board: moved,
                    paths: some as u32,
                    slack: (entry.slack - bad) as u8,
                    last: step as u8,
                    blank: to as u8,
                };
                self.child(&child, next, meter)?;
            }
        }
        Ok(())
    }
}

/// The paths that the pass starts with, by depth: those that branch off the plan. Also returns the counts of the plan's own
/// nodes.
///
/// A path that branches off before the plan's step is walked by all rounds that have the slack for it. The last round misses
/// one that branches off behind it.
fn branches(board: Word, slack: u32, plan: &[Step], order: Order) -> (Vec<Vec<Task>>, Totals) {
    let (mut board, mut slack) = (board, slack);
    let mut totals = Totals::default();
    let mut last: Option<Step> = None;
    let mut seeds = Vec::new();
    for &taken in plan {
        let mut here = Vec::new();
        let mut next = None;
        for step in order.steps().into_iter().filter(|s| last != Some(s.back())) {
            let Some((moved, good)) = slide(board, step) else { continue };
            // Rounds before the last, and the last until it reaches its goal.
            totals.generated += u64::from(slack) + u64::from(next.is_none());
            let left = (slack + u32::from(good)).checked_sub(1);
            if step == taken {
                let left = left.unwrap_or(0);
                totals.expanded += u64::from(left) + 1;
                next = Some((moved, left));
                continue;
            }
            let left = if next.is_none() { left } else { left.and_then(|left| left.checked_sub(1)) };
            here.extend(left.map(|left| seed(moved, step, left)));
        }
        seeds.push(here);
        last = Some(taken);
        (board, slack) = next.unwrap_or((board, slack));
    }
    (seeds, totals)
}

fn seed(board: Word, last: Step, slack: u32) -> Task {
    Task { board, paths: 1, slack: slack as u8, last: last as u8, blank: blank_of(board) as u8 }
}

/// Runs the pass: seeds enter at their depth, and layers follow each other until none is left.
fn run(
    seeds: &[Vec<Task>],
    queue: Option<&SyncSender<Vec<Task>>>,
    stop: &AtomicBool,
    meter: &mut Meter,
) -> Result<Totals, Limit> {
    let graph = Graph::new();
    let (totals, batch, batches) = (Totals::default(), Vec::with_capacity(BATCH), Batches::default());
    let mut pass = Pass { graph: &graph, totals, batch, queue, batches };
    let (mut layer, mut next) = (Layer::default(), Layer::default());
    let mut depth = 0;
    while !layer.entries.is_empty() || depth < seeds.len() {
        next.reset(2 * layer.entries.len(), meter)?;
        for seed in seeds.get(depth).into_iter().flatten() {
            pass.child(seed, &mut next, meter)?;
        }
        for part in layer.entries.chunks(1 << 14) {
            meter.look()?;
            // A thread panicked; its panic is passed on.
            if stop.load(Ordering::Relaxed) {
                return Err(Limit::Cancelled);
            }
            for entry in part {
                pass.expand(entry, &mut next, meter)?;
            }
        }
        std::mem::swap(&mut layer, &mut next);
        depth += 1;
    }
    walk(&mut pass.batches, &pass.batch);
    pass.totals.add(finish(pass.batches));
    for layer in [layer, next] {
        meter.ledger.forget(layer.entries);
        meter.ledger.forget(layer.places);
    }
    Ok(pass.totals)
}

/// The plain search's counts, given that `plan` is the first shortest plan in this order of steps.
pub fn count(
    board: Word,
    plan: &[Step],
    order: Order,
    threads: usize,
    budget: &Budget,
) -> Result<Counted, Limit> {
    let estimate = manhattan(board);
    let slack = (plan.len() as u32).saturating_sub(estimate) / 2;
    let mut meter = Meter::new(budget);
    let (seeds, mut totals) = branches(board, slack, plan, order);
    let (queue, tasks) = sync_channel::<Vec<Task>>(64);
    let tasks = Mutex::new(tasks);
    let stop = AtomicBool::new(false);
    let passed = team::scope(&|| stop.store(true, Ordering::Relaxed), |team| {
        let workers: Vec<_> =
            (1..team::useful(threads)).map_while(|_| team.spawn(|| work(&tasks, &stop)).ok()).collect();
        let passed = run(&seeds, (!workers.is_empty()).then_some(&queue), &stop, &mut meter);
        // After a limit, the rest of the queue is dropped.
        stop.fetch_or(passed.is_err(), Ordering::Relaxed);
        drop(queue);
        for worker in workers {
            totals.add(worker.join().unwrap_or_default());
        }
        passed
    });
    totals.add(passed?);
    Ok(Counted {
        computed: false,
        thresholds: (0..=slack).map(|s| estimate + 2 * s).collect(),
        generated: totals.generated,
        expanded: totals.expanded,
        plan: Some(plan.to_vec()),
    })
}

/// Walks the subtrees that arrive until no more come; once stopped, drops the rest.
fn work(tasks: &Mutex<Receiver<Vec<Task>>>, stop: &AtomicBool) -> Totals {
    let mut batches = Batches::default();
    loop {
        let batch = lock(tasks).recv();
        if stop.load(Ordering::Relaxed) {
            return Totals::default();
        }
        let Ok(batch) = batch else { return finish(batches) };
        walk(&mut batches, &batch);
    }
}

/// Walks most of the subtrees of a batch. Small batches stay for later ones.
fn walk(batches: &mut Batches, batch: &[Task]) {
    for task in batch {
        batches.add(task.board, task.blank.into(), task.last.into(), task.slack.into(), task.paths);
    }
    batches.expand_ready(false);
}

/// Walks the rest, and returns the sum.
fn finish(mut batches: Batches) -> Totals {
    batches.expand_ready(true);
    Totals { generated: batches.generated, expanded: batches.expanded }
}
