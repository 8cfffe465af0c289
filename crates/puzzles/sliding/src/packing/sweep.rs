//! The search over packings itself, layer by layer, on one or several threads.
//!
//! The threads share everything: each takes blocks of packings of the layer in turn, and marks what it visits wherever that is
//! stored. The numbers of packings depend on timing; the content of each layer does not.

use beeline_search::budget::Meter;
use beeline_search::memory::OutOfMemory;
use beeline_search::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use beeline_search::sync::{PoisonError, RwLock, read, write};
use beeline_search::team::{self, Allowance};
use beeline_search::{Budget, Limit, Stats};

use super::back::{Position, trace_back};
use super::bits::{Bits, Work, on_this_processor};
use super::field::{Field, Hop, Key};
use super::holes::MOST_CELLS;
use super::store::{Bucket, Record, Store};
use crate::solve::Positions;

/// Words of active marks (of 64 packings each) that a thread takes at a time.
const BLOCK: usize = 8;
/// Steps to other packings buffered while their memory is prefetched.
const PENDING: usize = 192;
/// Packings prefetched ahead.
const AHEAD: usize = 4;
/// Most threads: more would wait for the lock of the store when it grows.
const MOST_THREADS: usize = 64;
/// Positions below which one thread makes a layer: starting help takes longer than the work. Under the model checker all
/// threads share every layer.
const SHARED: u64 = if cfg!(feature = "model") { 1 } else { 1 << 12 };

/// A step of a larger piece that some positions of a packing can make.
struct Pending {
    key: Key,
    hash: u64,
    /// The free cells that it takes and gives.
    taken: u32,
    given: u32,
    /// The index of the positions' first bit word.
    first: u32,
    /// The buckets of the packing and of the neighbour.
    from: u8,
    to: u8,
    /// The neighbour's probable record, if there is one.
    guess: Option<u32>,
}

/// The working memory of one thread.
struct Worker {
    /// The bits of the positions being expanded, packing by packing.
    layer: Vec<u64>,
    pending: Vec<Pending>,
    /// Bits of one packing.
    open: Vec<u64>,
    met: Vec<u64>,
    /// Packings to be visited.
    todo: Vec<u32>,
    /// By bucket: the number of pending steps into it.
    claims: Vec<usize>,
    found: Found,
}

/// The results of a thread in a layer.
#[derive(Clone, Copy, Default)]
struct Found {
    new: u64,
    goals: u64,
    /// Positions reached by steps of larger pieces, and new ones by those of single cells. Duplicates of the latter are not
    /// enumerated.
    generated: u64,
    /// The first solved position, in the order of positions.
    goal: Option<Position>,
    /// Some new position that is not solved.
    last: Option<Position>,
}

/// What the threads share.
struct SharedState<'a> {
    field: &'a Field<'a>,
    store: RwLock<Store>,
    threads: usize,
    /// Does the search look for solved positions, and end at the first?
    stop_at_goal: bool,
    beyond_goals: bool,
    cursor: AtomicUsize,
    nodes: Allowance,
    expanded: AtomicU64,
    stop: AtomicBool,
    /// The flags of why a thread that does not lead ended its work.
    short: AtomicBool,
    spent: AtomicBool,
}

/// A block of packings: its bucket and the first word of its active marks.
type Block = (usize, usize);

/// Looks at the limits, given the expansions so far.
type Lead<'l> = dyn FnMut(u64) -> Result<(), Limit> + 'l;

impl<'a> SharedState<'a> {
    fn new(field: &'a Field<'a>, threads: usize, budget: &Budget) -> Result<Self, OutOfMemory> {
        let threads = team::useful(threads).min(MOST_THREADS);
        let store =
            Store::new(field.large(), field.least, field.most, field.count, threads <= 1, budget.bytes);
        Ok(Self {
            field,
            store: RwLock::new(store.ok_or(OutOfMemory)?),
            threads,
            stop_at_goal: true,
            beyond_goals: false,
            cursor: AtomicUsize::new(0),
            nodes: Allowance::new(budget.nodes),
            expanded: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            short: AtomicBool::new(false),
            spent: AtomicBool::new(false),
        })
    }

    fn workers(&self) -> Vec<Worker> {
        let store = read(&self.store);
        let most = (0..store.buckets()).map(|s| store.bucket(s).holes.words()).max().unwrap_or(0);
        let worker = || Worker {
            layer: Vec::new(),
            pending: Vec::new(),
            open: vec![0; most],
            met: vec![0; most],
            todo: Vec::new(),
            claims: vec![0; store.buckets()],
            found: Found::default(),
        };
        (0..self.threads).map(|_| worker()).collect()
    }

    /// Stores the start as the only position of the first layer.
    fn begin(&self, expand: bool) -> Result<(), OutOfMemory> {
        let mut store = write(&self.store);
        let (key, gaps) = (self.field.start(), self.field.start_gaps());
        let view = self.field.view(&key);
        let place = store.place(view.cells());
        store.bucket(place).claim(1);
        store.make_room()?;
        let bucket = store.bucket(place);
        let number = bucket.find_or_add(&key, view.hash, None);
        let set = bucket.holes.number(gaps);
        bucket.mark(bucket.record(number), set / 64, 1 << (set % 64), 0);
        if expand {
            bucket.activate(number, 0);
        }
        bucket.unclaim(1);
        Ok(())
    }

    /// Makes the layer after the one at distance `depth`, which has `size` positions.
    fn expand(
        &self,
        workers: &mut [Worker],
        depth: u64,
        size: u64,
        lead: &mut Lead<'_>,
    ) -> Result<Found, Limit> {
        let blocks: Vec<Block> = {
            let store = read(&self.store);
            let words = |s: usize| store.bucket(s).len().div_ceil(64);
            // Packings with the most free cells first: a piece that has left the box is near its goal.
            (0..store.buckets())
                .rev()
                .flat_map(|s| (0..words(s)).step_by(BLOCK).map(move |w| (s, w)))
                .collect()
        };
        self.cursor.store(0, Ordering::Relaxed);
        let Some((first, others)) = workers.split_first_mut() else { return Ok(Found::default()) };
        let blocks = &blocks;
        let share = |worker, lead: &mut Lead<'_>| {
            on_this_processor(Share { team: self, worker, blocks, depth, lead })
        };
        team::scope(&|| self.stop.store(true, Ordering::Relaxed), |team| {
            if size >= SHARED {
                for other in others.iter_mut() {
                    // All available threads share the blocks.
                    if team.spawn(|| share(other, &mut |_| Ok(()))).is_err() {
                        break;
                    }
                }
            }
            share(first, lead)
        })?;
        if self.short.load(Ordering::Relaxed) {
            return Err(Limit::Memory);
        }
        if self.spent.load(Ordering::Relaxed) {
            return Err(Limit::Nodes);
        }
        let mut found = Found::default();
        for worker in workers {
            let own = std::mem::take(&mut worker.found);
            found.new += own.new;
            found.goals += own.goals;
            found.generated += own.generated;
            found.goal = [found.goal, own.goal].into_iter().flatten().min();
            found.last = [found.last, own.last].into_iter().flatten().min();
        }
        Ok(found)
    }

    /// One thread's share of a layer.
    #[inline(always)]
    fn work<B: Bits>(
        &self,
        worker: &mut Worker,
        blocks: &[Block],
        depth: u64,
        lead: &mut Lead<'_>,
    ) -> Result<(), Limit> {
        while !self.stop.load(Ordering::Relaxed) {
            let Some(&(bucket, word)) = blocks.get(self.cursor.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let parity = (depth % 2) as usize;
            {
                let store = read(&self.store);
                worker.todo.clear();
                for word in word..word + BLOCK {
                    let mut notes = store.bucket(bucket).take_active(word, parity);
                    while notes != 0 {
                        worker.todo.push(64 * word as u32 + notes.trailing_zeros());
                        notes &= notes - 1;
                    }
                }
            }
            let mut done = 0;
            while done < worker.todo.len() {
                if let Err(limit) = lead(self.expanded.load(Ordering::Relaxed)) {
                    self.stop.store(true, Ordering::Relaxed);
                    return Err(limit);
                }
                done = self.visit_some::<B>(worker, bucket, done, depth);
                if self.spent.load(Ordering::Relaxed) {
                    self.stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                if self.flush::<B>(worker, depth).is_err() {
                    self.short.store(true, Ordering::Relaxed);
                    self.stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                // One thread always finds the same first solved position. Several threads take the layer's first.
                if self.threads == 1 && self.stop_at_goal && worker.found.goal.is_some() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Visits packings until enough steps are pending; returns how many of `todo` are done.
    #[inline(always)]
    fn visit_some<B: Bits>(&self, worker: &mut Worker, bucket: usize, mut done: usize, depth: u64) -> usize {
        let store = read(&self.store);
        worker.layer.clear();
        let mut expanded = 0;
        for &ahead in worker.todo[done..].iter().take(AHEAD) {
            store.bucket(bucket).announce_record(ahead as usize);
        }
        while done < worker.todo.len() && worker.pending.len() < PENDING {
            if let Some(&ahead) = worker.todo.get(done + AHEAD) {
                store.bucket(bucket).announce_record(ahead as usize);
            }
            let Some(visited) = self.visit::<B>(worker, &store, bucket, worker.todo[done], depth) else {
                self.spent.store(true, Ordering::Relaxed);
                break;
            };
            expanded += visited;
            done += 1;
        }
        self.expanded.fetch_add(expanded, Ordering::Relaxed);
        done
    }

    /// Makes the steps of the single cells of a packing and collects those of the larger pieces. Returns the number of expanded
    /// positions, or `None` if the limit does not allow that many.
    #[inline(always)]
    fn visit<B: Bits>(
        &self,
        worker: &mut Worker,
        store: &Store,
        place: usize,
        number: u32,
        depth: u64,
    ) -> Option<u64> {
        let bucket = store.bucket(place);
        let record = bucket.record(number as usize);
        let key = bucket.key(record);
        let view = self.field.view(&key);
        let first = worker.layer.len();
        let words = bucket.holes.words();
        let (mut here, mut left) = (0, 0);
        for (word, (all, open)) in bucket.holes.all().iter().zip(&mut worker.open).enumerate() {
            let (bits, planes) = bucket.take(record, word, depth % 3);
            worker.layer.push(bits);
            *open = all & !(planes.0 | planes.1);
            here += bits.count_ones();
            left += open.count_ones();
        }
        let here = u64::from(here);
        if self.nodes.take(here) < here {
            return None;
        }
        let layer = &worker.layer[first..];
        if left > 0 {
            let mut beside = [0; MOST_CELLS];
            self.field.beside::<B>(view.free, &mut beside);
            let (open, met) = (&worker.open[..words], &mut worker.met[..words]);
            step_units(bucket, &beside, layer, open, met, u64::from(left) < here);
            let new = self.keep(&mut worker.found, bucket, record, number, &key, met, depth);
            worker.found.generated += new;
        }
        let (pending, claims) = (&mut worker.pending, &mut worker.claims);
        let possible = |cells: u32| any_with(bucket, layer, cells);
        self.field.shifts::<B>(&key, &view, possible, |shift| {
            let to = store.place(shift.cells);
            store.bucket(to).announce(shift.hash);
            claims[to] += 1;
            pending.push(Pending {
                key: self.field.shifted(&key, &shift),
                hash: shift.hash,
                taken: shift.taken,
                given: shift.given,
                first: first as u32,
                from: place as u8,
                to: to as u8,
                guess: None,
            });
        });
        Some(here)
    }

    /// Makes the pending steps.
    #[inline(always)]
    fn flush<B: Bits>(&self, worker: &mut Worker, depth: u64) -> Result<(), OutOfMemory> {
        if worker.pending.is_empty() {
            return Ok(());
        }
        let mut store = read(&self.store);
        for (place, &more) in worker.claims.iter().enumerate().filter(|(_, more)| **more > 0) {
            store.bucket(place).claim(more);
        }
        while !store.has_room() {
            drop(store);
            write(&self.store).make_room()?;
            store = read(&self.store);
        }
        for step in &mut worker.pending {
            let bucket = store.bucket(step.to as usize);
            let guess = bucket.guess(step.hash);
            step.guess = guess.map(|number| number as u32);
            if let Some(number) = guess {
                bucket.announce_record(number);
            }
        }
        for step in &worker.pending {
            let (from, to) = (store.bucket(step.from as usize), store.bucket(step.to as usize));
            let layer = &worker.layer[step.first as usize..][..from.holes.words()];
            let met = &mut worker.met[..to.holes.words()];
            met.fill(0);
            for (word, &bits) in layer.iter().enumerate() {
                let mut bits = with(from, bits, word, step.taken);
                while bits != 0 {
                    let set = from.holes.set(64 * word + bits.trailing_zeros() as usize);
                    bits &= bits - 1;
                    let there = to.holes.number(B::moved(set, step.taken, step.given));
                    met[there / 64] |= 1 << (there % 64);
                    worker.found.generated += 1;
                }
            }
            let number = to.find_or_add(&step.key, step.hash, step.guess.map(|n| n as usize));
            self.keep(&mut worker.found, to, to.record(number), number as u32, &step.key, met, depth);
        }
        for (place, more) in worker.claims.iter_mut().enumerate().filter(|(_, more)| **more > 0) {
            store.bucket(place).unclaim(*more);
            *more = 0;
        }
        worker.pending.clear();
        Ok(())
    }

    /// Marks the unvisited sets of a packing, and returns their number.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // all of them are the position in its parts
    fn keep(
        &self,
        found: &mut Found,
        bucket: &Bucket,
        record: Record<'_>,
        number: u32,
        key: &Key,
        met: &[u64],
        depth: u64,
    ) -> u64 {
        let mut count = 0;
        let mut first = None;
        for (word, &met) in met.iter().enumerate().filter(|(_, met)| **met != 0) {
            let planes = bucket.planes(record, word);
            let open = met & !(planes.0 | planes.1);
            if open != 0 {
                let new = bucket.mark(record, word, open, (depth + 1) % 3);
                count += u64::from(new.count_ones());
                // Of those new in this layer, the first that this thread visited, whichever thread marked them.
                first = first.or(Some(64 * word + open.trailing_zeros() as usize));
            }
        }
        if let Some(first) = first {
            found.new += count;
            let position = || Position { key: *key, gaps: bucket.holes.set(first) };
            let solved = self.field.is_goal(key);
            if solved {
                found.goals += count;
                found.goal = [found.goal, Some(position())].into_iter().flatten().min();
            }
            if !solved || self.beyond_goals {
                bucket.activate(number as usize, ((depth + 1) % 2) as usize);
            }
            if !self.stop_at_goal {
                found.last = [found.last, Some(position())].into_iter().flatten().min();
            }
        }
        count
    }
}

/// One thread's share of a layer.
struct Share<'a, 'l> {
    team: &'a SharedState<'a>,
    worker: &'a mut Worker,
    blocks: &'a [Block],
    depth: u64,
    lead: &'a mut Lead<'l>,
}

impl Work for Share<'_, '_> {
    type Output = Result<(), Limit>;
    #[inline(always)]
    fn work<B: Bits>(self) -> Self::Output {
        self.team.work::<B>(self.worker, self.blocks, self.depth, self.lead)
    }
}

/// Those of 64 sets that have gaps in all these cells.
#[inline(always)]
fn with(bucket: &Bucket, mut bits: u64, word: usize, mut cells: u32) -> u64 {
    while cells != 0 {
        bits &= bucket.holes.with(cells.trailing_zeros())[word];
        cells &= cells - 1;
    }
    bits
}

/// Is there a set that has gaps in all these cells?
#[inline(always)]
fn any_with(bucket: &Bucket, layer: &[u64], cells: u32) -> bool {
    layer.iter().enumerate().any(|(word, &bits)| with(bucket, bits, word, cells) != 0)
}

/// The open sets that a step of a single cell reaches from those of the layer. Steps are reversible, so the converse works too:
/// which open sets have a neighbour in the layer. `from_open` selects that if those are fewer.
#[inline(always)]
fn step_units(
    bucket: &Bucket,
    beside: &[u32; MOST_CELLS],
    layer: &[u64],
    open: &[u64],
    met: &mut [u64],
    from_open: bool,
) {
    met.fill(0);
    for (word, &bits) in if from_open { open } else { layer }.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            let bit = bits & bits.wrapping_neg();
            bits ^= bit;
            let set = bucket.holes.set(64 * word + bit.trailing_zeros() as usize);
            let mut gaps = set;
            while gaps != 0 {
                let gap = gaps & gaps.wrapping_neg();
                gaps ^= gap;
                let mut units = beside[gap.trailing_zeros() as usize % MOST_CELLS] & !set;
                while units != 0 {
                    let unit = units & units.wrapping_neg();
                    units ^= unit;
                    let there = bucket.holes.number(set ^ gap ^ unit);
                    if from_open {
                        let hit = layer[there / 64] >> (there % 64) & 1;
                        met[word] |= bit & hit.wrapping_neg();
                    } else {
                        met[there / 64] |= 1 << (there % 64);
                    }
                }
            }
        }
    }
    if !from_open {
        for (met, open) in met.iter_mut().zip(open) {
            *met &= open;
        }
    }
}

/// Searches until a goal is found and returns the path to it; `None` if there is none.
pub(crate) fn until_goal(
    field: &Field<'_>,
    threads: usize,
    budget: &Budget,
    meter: &mut Meter,
    stats: &mut Stats,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Option<Vec<Hop>>, Limit> {
    if field.is_goal(&field.start()) {
        return Ok(Some(Vec::new()));
    }
    let team = SharedState::new(field, threads, budget)?;
    let end = run(&team, meter, stats, tick, |_| {});
    let store = team.store.into_inner().unwrap_or_else(PoisonError::into_inner);
    stats.bytes = stats.bytes.max(store.ledger.peak());
    Ok(end?.map(|goal| trace_back(field, &store, goal, stats.depth + 1)))
}

/// Expands layer after layer and reports each. Returns the first solved position, if the team looks for one.
fn run(
    team: &SharedState<'_>,
    meter: &mut Meter,
    stats: &mut Stats,
    tick: &mut dyn FnMut(&Stats),
    mut report: impl FnMut(&Found),
) -> Result<Option<Position>, Limit> {
    let solved = team.field.is_goal(&team.field.start());
    team.begin(!solved || team.beyond_goals)?;
    let mut workers = team.workers();
    let mut size = u64::from(!solved || team.beyond_goals);
    stats.stored = 1;
    for depth in 0.. {
        if size == 0 {
            break;
        }
        stats.depth = depth;
        let found = team.expand(&mut workers, depth, size, &mut |expanded| {
            meter.count_many(expanded.saturating_sub(meter.expanded()));
            if meter.due() {
                meter.look()?;
                stats.expanded = expanded;
                stats.bytes = stats.bytes.max(read(&team.store).ledger.peak());
                stats.close(meter);
                tick(stats);
            }
            Ok(())
        });
        stats.expanded = team.expanded.load(Ordering::Relaxed);
        let found = found?;
        stats.generated += found.generated;
        stats.duplicates += found.generated - found.new.min(found.generated);
        stats.stored += found.new;
        stats.frontier_peak = stats.frontier_peak.max(size + found.new);
        report(&found);
        if let Some(goal) = found.goal.filter(|_| team.stop_at_goal) {
            return Ok(Some(goal));
        }
        size = if team.beyond_goals { found.new } else { found.new - found.goals };
    }
    Ok(None)
}

/// The whole space, for [`crate::solve::census`].
pub(crate) fn census(
    field: &Field<'_>,
    beyond_goals: bool,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Positions, Limit> {
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let mut team = SharedState::new(field, 1, budget)?;
    (team.stop_at_goal, team.beyond_goals) = (false, beyond_goals);
    let solved = u64::from(field.is_goal(&field.start()));
    let mut census = Positions { layers: vec![1], goals: solved, farthest: field.board.start.clone() };
    run(&team, &mut meter, &mut stats, tick, |found| {
        if let Some(last) = found.last {
            census.layers.push(found.new);
            census.goals += found.goals;
            census.farthest = field.at(&last.key, last.gaps);
        }
    })?;
    Ok(census)
}
