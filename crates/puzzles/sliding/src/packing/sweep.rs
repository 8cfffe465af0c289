//! The search itself, layer by layer, by one thread or several.
//!
//! The threads share everything: each takes blocks of packings of the layer in turn, and marks what it meets wherever that
//! stands. Which packing gets which number depends on who was faster; what is met in which layer does not.

use beeline_search::budget::Meter;
use beeline_search::memory::OutOfMemory;
use beeline_search::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use beeline_search::sync::{PoisonError, RwLock, read, write};
use beeline_search::team::{self, Allowance};
use beeline_search::{Budget, Limit, Stats};

use super::back::{Position, way_back};
use super::bits::{Bits, Work, on_this_processor};
use super::field::{Field, Hop, Key};
use super::holes::MOST_CELLS;
use super::store::{Record, Shelf, Store};
use crate::solve::Census;

/// Words of notes (of 64 packings each) that a thread takes at a time.
const BLOCK: usize = 8;
/// Steps to other packings that wait for their look-up while memory is fetched.
const PENDING: usize = 192;
/// Packings that are asked for ahead of time.
const AHEAD: usize = 4;
/// More threads are not begun: they would wait for the lock of the store when it grows.
const MOST_THREADS: usize = 64;
/// Layers of fewer positions are made by one thread: help takes longer to come than the work itself. Under the model checker all
/// threads share every layer.
const SHARED: u64 = if cfg!(feature = "model") { 1 } else { 1 << 12 };

/// A step of a larger piece that some positions of a packing can make.
struct Pending {
    key: Key,
    hash: u64,
    /// The free cells that it takes and gives.
    taken: u32,
    given: u32,
    /// Where the positions' bits start.
    first: u32,
    /// The shelf of the packing and of the neighbour.
    from: u8,
    to: u8,
    /// The neighbour's record, if it is known.
    guess: Option<u32>,
}

/// What one thread works with.
struct Worker {
    /// The bits of the positions that are being expanded, packing by packing.
    layer: Vec<u64>,
    pending: Vec<Pending>,
    /// Bits of one packing.
    open: Vec<u64>,
    met: Vec<u64>,
    /// Packings to be visited.
    todo: Vec<u32>,
    /// How many of the pending steps go to each shelf.
    claims: Vec<usize>,
    found: Found,
}

/// What a thread found in a layer.
#[derive(Clone, Copy, Default)]
struct Found {
    new: u64,
    goals: u64,
    /// Positions that steps of larger pieces led to, and new ones that single cells' did: what these lead to otherwise is
    /// not looked at one by one.
    generated: u64,
    /// The first solved position, in the order of positions.
    goal: Option<Position>,
    /// Some new position that is not solved.
    last: Option<Position>,
}

/// What the threads share.
struct Team<'a> {
    field: &'a Field<'a>,
    store: RwLock<Store>,
    threads: usize,
    /// Are solved positions looked for, and do they end the search at once?
    stop_at_goal: bool,
    beyond_goals: bool,
    cursor: AtomicUsize,
    nodes: Allowance,
    expanded: AtomicU64,
    stop: AtomicBool,
    /// What ended the work of a thread that does not lead.
    short: AtomicBool,
    spent: AtomicBool,
}

/// A block of packings: its shelf and the first word of its notes.
type Block = (usize, usize);

/// Looks at the limits, with the expansions so far.
type Lead<'l> = dyn FnMut(u64) -> Result<(), Limit> + 'l;

impl<'a> Team<'a> {
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
        let most = (0..store.shelves()).map(|s| store.shelf(s).holes.words()).max().unwrap_or(0);
        let worker = || Worker {
            layer: Vec::new(),
            pending: Vec::new(),
            open: vec![0; most],
            met: vec![0; most],
            todo: Vec::new(),
            claims: vec![0; store.shelves()],
            found: Found::default(),
        };
        (0..self.threads).map(|_| worker()).collect()
    }

    /// The start, as the only position of the first layer.
    fn begin(&self, expand: bool) -> Result<(), OutOfMemory> {
        let mut store = write(&self.store);
        let (key, gaps) = (self.field.start(), self.field.start_gaps());
        let view = self.field.view(&key);
        let place = store.place(view.cells());
        store.shelf(place).claim(1);
        store.make_room()?;
        let shelf = store.shelf(place);
        let number = shelf.find_or_add(&key, view.hash, None);
        let set = shelf.holes.number(gaps);
        shelf.mark(shelf.record(number), set / 64, 1 << (set % 64), 0);
        if expand {
            shelf.activate(number, 0);
        }
        shelf.unclaim(1);
        Ok(())
    }

    /// Makes the layer after the one at this distance, which has `size` positions.
    fn expand(
        &self,
        workers: &mut [Worker],
        depth: u64,
        size: u64,
        lead: &mut Lead<'_>,
    ) -> Result<Found, Limit> {
        let blocks: Vec<Block> = {
            let store = read(&self.store);
            let words = |s: usize| store.shelf(s).len().div_ceil(64);
            // Those with the most free cells first: a piece that has left the box is near its goal.
            (0..store.shelves())
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
                    // Whoever is there shares the blocks.
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
            let Some(&(shelf, word)) = blocks.get(self.cursor.fetch_add(1, Ordering::Relaxed)) else { break };
            let parity = (depth % 2) as usize;
            {
                let store = read(&self.store);
                worker.todo.clear();
                for word in word..word + BLOCK {
                    let mut notes = store.shelf(shelf).take_active(word, parity);
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
                done = self.visit_some::<B>(worker, shelf, done, depth);
                if self.spent.load(Ordering::Relaxed) {
                    self.stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                if self.flush::<B>(worker, depth).is_err() {
                    self.short.store(true, Ordering::Relaxed);
                    self.stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                // By one thread the first solved position is always the same; of several threads the layer's first is.
                if self.threads == 1 && self.stop_at_goal && worker.found.goal.is_some() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Visits packings until there are enough pending steps; gives how many of those to do are done.
    #[inline(always)]
    fn visit_some<B: Bits>(&self, worker: &mut Worker, shelf: usize, mut done: usize, depth: u64) -> usize {
        let store = read(&self.store);
        worker.layer.clear();
        let mut expanded = 0;
        for &ahead in worker.todo[done..].iter().take(AHEAD) {
            store.shelf(shelf).announce_record(ahead as usize);
        }
        while done < worker.todo.len() && worker.pending.len() < PENDING {
            if let Some(&ahead) = worker.todo.get(done + AHEAD) {
                store.shelf(shelf).announce_record(ahead as usize);
            }
            let Some(visited) = self.visit::<B>(worker, &store, shelf, worker.todo[done], depth) else {
                self.spent.store(true, Ordering::Relaxed);
                break;
            };
            expanded += visited;
            done += 1;
        }
        self.expanded.fetch_add(expanded, Ordering::Relaxed);
        done
    }

    /// Makes the steps of the single cells of a packing and lists those of the larger pieces; gives how many positions had
    /// a share in it. `None` if so many may not be expanded any more.
    #[inline(always)]
    fn visit<B: Bits>(
        &self,
        worker: &mut Worker,
        store: &Store,
        place: usize,
        number: u32,
        depth: u64,
    ) -> Option<u64> {
        let shelf = store.shelf(place);
        let record = shelf.record(number as usize);
        let key = shelf.key(record);
        let view = self.field.view(&key);
        let first = worker.layer.len();
        let words = shelf.holes.words();
        let (mut here, mut left) = (0, 0);
        for (word, (all, open)) in shelf.holes.all().iter().zip(&mut worker.open).enumerate() {
            let (bits, planes) = shelf.take(record, word, depth % 3);
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
            step_units(shelf, &beside, layer, open, met, u64::from(left) < here);
            let new = self.keep(&mut worker.found, shelf, record, number, &key, met, depth);
            worker.found.generated += new;
        }
        let (pending, claims) = (&mut worker.pending, &mut worker.claims);
        let possible = |cells: u32| any_with(shelf, layer, cells);
        self.field.shifts::<B>(&key, &view, possible, |shift| {
            let to = store.place(shift.cells);
            store.shelf(to).announce(shift.hash);
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
            store.shelf(place).claim(more);
        }
        while !store.has_room() {
            drop(store);
            write(&self.store).make_room()?;
            store = read(&self.store);
        }
        for step in &mut worker.pending {
            let shelf = store.shelf(step.to as usize);
            let guess = shelf.guess(step.hash);
            step.guess = guess.map(|number| number as u32);
            if let Some(number) = guess {
                shelf.announce_record(number);
            }
        }
        for step in &worker.pending {
            let (from, to) = (store.shelf(step.from as usize), store.shelf(step.to as usize));
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
            store.shelf(place).unclaim(*more);
            *more = 0;
        }
        worker.pending.clear();
        Ok(())
    }

    /// Marks those sets of a packing that were not met before, and gives how many they are.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // all of them are the position in its parts
    fn keep(
        &self,
        found: &mut Found,
        shelf: &Shelf,
        record: Record<'_>,
        number: u32,
        key: &Key,
        met: &[u64],
        depth: u64,
    ) -> u64 {
        let mut count = 0;
        let mut first = None;
        for (word, &met) in met.iter().enumerate().filter(|(_, met)| **met != 0) {
            let planes = shelf.planes(record, word);
            let open = met & !(planes.0 | planes.1);
            if open != 0 {
                let new = shelf.mark(record, word, open, (depth + 1) % 3);
                count += u64::from(new.count_ones());
                // Whoever marked them: of those that are new to this layer, the first that this thread has met.
                first = first.or(Some(64 * word + open.trailing_zeros() as usize));
            }
        }
        if let Some(first) = first {
            found.new += count;
            let position = || Position { key: *key, gaps: shelf.holes.set(first) };
            let solved = self.field.is_goal(key);
            if solved {
                found.goals += count;
                found.goal = [found.goal, Some(position())].into_iter().flatten().min();
            }
            if !solved || self.beyond_goals {
                shelf.activate(number as usize, ((depth + 1) % 2) as usize);
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
    team: &'a Team<'a>,
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
fn with(shelf: &Shelf, mut bits: u64, word: usize, mut cells: u32) -> u64 {
    while cells != 0 {
        bits &= shelf.holes.with(cells.trailing_zeros())[word];
        cells &= cells - 1;
    }
    bits
}

/// Is there a set that has gaps in all these cells?
#[inline(always)]
fn any_with(shelf: &Shelf, layer: &[u64], cells: u32) -> bool {
    layer.iter().enumerate().any(|(word, &bits)| with(shelf, bits, word, cells) != 0)
}

/// The sets that a step of a single cell leads to from those of the layer, as far as they are open. Steps go both ways, so it
/// can as well be asked which of the open sets have a neighbour in the layer: `from_open`, when those are fewer.
#[inline(always)]
fn step_units(
    shelf: &Shelf,
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
            let set = shelf.holes.set(64 * word + bit.trailing_zeros() as usize);
            let mut gaps = set;
            while gaps != 0 {
                let gap = gaps & gaps.wrapping_neg();
                gaps ^= gap;
                let mut units = beside[gap.trailing_zeros() as usize % MOST_CELLS] & !set;
                while units != 0 {
                    let unit = units & units.wrapping_neg();
                    units ^= unit;
                    let there = shelf.holes.number(set ^ gap ^ unit);
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

/// Sweeps until a goal is met and gives the way to it; `None` if there is none.
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
    let team = Team::new(field, threads, budget)?;
    let end = run(&team, meter, stats, tick, |_| {});
    let store = team.store.into_inner().unwrap_or_else(PoisonError::into_inner);
    stats.bytes = stats.bytes.max(store.ledger.peak());
    Ok(end?.map(|goal| way_back(field, &store, goal, stats.depth + 1)))
}

/// Layer after layer, each told of; the first solved position, if the team looks for one.
fn run(
    team: &Team<'_>,
    meter: &mut Meter,
    stats: &mut Stats,
    tick: &mut dyn FnMut(&Stats),
    mut told: impl FnMut(&Found),
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
        told(&found);
        if let Some(goal) = found.goal.filter(|_| team.stop_at_goal) {
            return Ok(Some(goal));
        }
        size = if team.beyond_goals { found.new } else { found.new - found.goals };
    }
    Ok(None)
}

/// The whole space, as [`crate::solve::census`] wants it.
pub(crate) fn census(
    field: &Field<'_>,
    beyond_goals: bool,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Census, Limit> {
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let mut team = Team::new(field, 1, budget)?;
    (team.stop_at_goal, team.beyond_goals) = (false, beyond_goals);
    let solved = u64::from(field.is_goal(&field.start()));
    let mut census = Census { layers: vec![1], goals: solved, farthest: field.board.start.clone() };
    run(&team, &mut meter, &mut stats, tick, |found| {
        if let Some(last) = found.last {
            census.layers.push(found.new);
            census.goals += found.goals;
            census.farthest = field.at(&last.key, last.gaps);
        }
    })?;
    Ok(census)
}
