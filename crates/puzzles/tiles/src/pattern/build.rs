//! Building a pattern database: for every placement of the pattern's tiles, how many moves *of these tiles* it takes to
//! bring them home; moves of other tiles are free. Databases of disjoint patterns may be added up.
//!
//! Breadth-first from the solved placement. What is searched is (placement, region of the blank), because the blank walks
//! for nothing within its region. A placement has one byte in each of three arrays: the regions seen, those of this level,
//! and those of the next, one bit each. A level is computed by *pulling*: each shape looks at the few shapes that lead to
//! it. So every thread writes to its own shapes only, and a shape's placements (k! bytes) stay in the nearest cache while
//! all its sources are read in one loop each.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use beeline_search::memory::Ledger;
use beeline_search::{Budget, Limit, Meter};

use super::places::Places;

/// Shapes handed to a thread at once.
const SHAPES_AT_ONCE: usize = 32;

/// What is known while building.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Which level is done.
    pub level: u32,
    /// States found so far.
    pub done: u64,
    /// States there are at the most.
    pub all: u64,
}

/// A finished database: the moves beyond the Manhattan distance of the tiles, in pairs, two entries a byte.
#[derive(Debug)]
pub struct Built {
    /// The entries.
    pub nibbles: Vec<u8>,
    /// The largest number of moves.
    pub deepest: u32,
}

/// The part of the arrays that one job owns.
struct Part<'a> {
    first: usize,
    seen: &'a mut [u8],
    next: &'a mut [u8],
    values: &'a mut [u8],
    active: &'a mut [bool],
    unseen: &'a mut [u32],
}

/// Builds the database of these tiles (in order, their homes are the squares of the same number, the blank's is 0).
/// With `aware`, each region of the blank has its own entry; otherwise the smallest one stands for all.
pub fn build(
    places: &Places,
    tiles: &[usize],
    aware: bool,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<Built, Limit> {
    let mut meter = Meter::new(budget);
    let size = places.placements();
    let ledger = &mut meter.ledger;
    let mut seen = ledger.filled(0u8, size)?;
    let mut level_of = ledger.filled(0u8, size)?;
    let mut next = ledger.filled(0u8, size)?;
    let entries = if aware { places.regions() * places.arrangements } else { size };
    let mut values = ledger.filled(0u8, entries)?;
    let mut active = ledger.filled(false, places.shapes())?;
    let mut next_active = ledger.filled(false, places.shapes())?;
    let mut unseen: Vec<u32> =
        (0..places.shapes()).map(|s| (places.region_count(s) * places.arrangements) as u32).collect();

    let (squares, arrangement) = places.place(tiles);
    let shape = places.shape(squares);
    let start = shape * places.arrangements + arrangement;
    level_of[start] = 1 << places.regions_of(shape).of(0);
    seen[start] = level_of[start];
    active[shape] = true;
    unseen[shape] -= 1;
    let all = (places.regions() * places.arrangements) as u64;
    let mut done = 1;
    let mut level = 0;
    while active.iter().any(|&a| a) {
        level += 1;
        let found = {
            let parts =
                split(places, aware, &mut seen, &mut next, &mut values, &mut next_active, &mut unseen);
            let step = Level { places, aware, moves: level as u8, now: &level_of, active: &active };
            step.run(parts, threads, &mut meter)?
        };
        done += found;
        progress(Progress { level, done, all });
        std::mem::swap(&mut level_of, &mut next);
        std::mem::swap(&mut active, &mut next_active);
    }
    let ledger = &mut meter.ledger;
    for array in [seen, level_of, next] {
        ledger.forget(array);
    }
    let nibbles = compress(places, tiles, aware, &values, ledger)?;
    Ok(Built { nibbles, deepest: level.saturating_sub(1) })
}

/// Cuts the arrays into parts of a few shapes.
fn split<'a>(
    places: &Places,
    aware: bool,
    mut seen: &'a mut [u8],
    mut next: &'a mut [u8],
    mut values: &'a mut [u8],
    mut active: &'a mut [bool],
    mut unseen: &'a mut [u32],
) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut first = 0;
    while first < places.shapes() {
        let shapes = SHAPES_AT_ONCE.min(places.shapes() - first);
        let length = shapes * places.arrangements;
        let regions = |shape: usize| places.regions_of(shape).before as usize;
        let entries =
            if aware { (regions(first + shapes) - regions(first)) * places.arrangements } else { length };
        let part = Part {
            first,
            seen: cut(&mut seen, length),
            next: cut(&mut next, length),
            values: cut(&mut values, entries),
            active: cut(&mut active, shapes),
            unseen: cut(&mut unseen, shapes),
        };
        parts.push(part);
        first += shapes;
    }
    parts
}

/// Takes the first elements off a slice.
#[allow(clippy::mut_mut)] // The outer reference is the cursor, the inner one the slice that is handed out.
fn cut<'a, T>(rest: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let (head, tail) = std::mem::take(rest).split_at_mut(length);
    *rest = tail;
    head
}

/// One level of the breadth-first search.
struct Level<'a> {
    places: &'a Places,
    aware: bool,
    moves: u8,
    now: &'a [u8],
    active: &'a [bool],
}

impl Level<'_> {
    fn run(&self, parts: Vec<Part<'_>>, threads: usize, meter: &mut Meter) -> Result<u64, Limit> {
        let jobs = Mutex::new(parts.into_iter());
        let found = AtomicU64::new(0);
        let stop = AtomicBool::new(false);
        let work = |watch: &mut dyn FnMut() -> bool| {
            let mut count = 0;
            while !stop.load(Ordering::Relaxed) {
                let job = jobs.lock().ok().and_then(|mut jobs| jobs.next());
                let Some(mut part) = job else { break };
                count += self.part(&mut part);
                if watch() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            found.fetch_add(count, Ordering::Relaxed);
        };
        let mut limit = None;
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| work(&mut || false));
            }
            work(&mut || {
                limit = meter.look().err();
                limit.is_some()
            });
        });
        limit.map_or(Ok(found.into_inner()), Err)
    }

    fn part(&self, part: &mut Part<'_>) -> u64 {
        let size = self.places.arrangements;
        let mut found = 0;
        for i in 0..part.active.len() {
            let shape = part.first + i;
            let next = &mut part.next[i * size..(i + 1) * size];
            part.active[i] = part.unseen[i] > 0 && self.pull(shape, next);
            if !part.active[i] {
                next.fill(0);
                continue;
            }
            let seen = &mut part.seen[i * size..(i + 1) * size];
            let values = if self.aware {
                let base = |s: usize| self.places.regions_of(s).before as usize * size;
                &mut part.values[base(shape) - base(part.first)..base(shape + 1) - base(part.first)]
            } else {
                &mut part.values[i * size..(i + 1) * size]
            };
            let new = self.settle(seen, next, values);
            part.active[i] = new > 0;
            part.unseen[i] -= new;
            found += u64::from(new);
        }
        found
    }

    /// Gathers into `next` all that leads to a shape; `false` if nothing does.
    fn pull(&self, shape: usize, next: &mut [u8]) -> bool {
        let places = self.places;
        let squares = places.squares(shape);
        let size = places.arrangements;
        let mut any = false;
        let mut tiles = squares;
        while tiles != 0 {
            let here = tiles.trailing_zeros() as usize;
            tiles &= tiles - 1;
            for from in places.beside(here).filter(|from| squares >> from & 1 == 0) {
                // A tile came from `from` to `here`; so the blank was here and is there now.
                let before = squares ^ 1 << here ^ 1 << from;
                let source = places.shape(before);
                if !self.active[source] {
                    continue;
                }
                if !any {
                    next.fill(0);
                    any = true;
                }
                let now = &self.now[source * size..(source + 1) * size];
                let was = 1 << places.regions_of(source).of(here);
                let is = 1 << places.regions_of(shape).of(from);
                let index = (squares & ((1 << here) - 1)).count_ones() as usize;
                let old = (before & ((1 << from) - 1)).count_ones() as usize;
                if index == old {
                    for (next, now) in next.iter_mut().zip(now) {
                        *next |= if now & was != 0 { is } else { 0 };
                    }
                } else {
                    for (next, &at) in next.iter_mut().zip(places.shifts(index, old)) {
                        *next |= if now[usize::from(at)] & was != 0 { is } else { 0 };
                    }
                }
            }
        }
        any
    }

    /// Drops from `next` what was seen before, notes the rest, and counts it.
    fn settle(&self, seen: &mut [u8], next: &mut [u8], values: &mut [u8]) -> u32 {
        let mut found = 0;
        let size = seen.len();
        for (at, (seen, next)) in seen.iter_mut().zip(next).enumerate() {
            *next &= !*seen;
            if *next == 0 {
                continue;
            }
            found += next.count_ones();
            if self.aware {
                let mut regions = *next;
                while regions != 0 {
                    values[regions.trailing_zeros() as usize * size + at] = self.moves;
                    regions &= regions - 1;
                }
            } else if *seen == 0 {
                values[at] = self.moves;
            }
            *seen |= *next;
        }
        found
    }
}

/// Takes the Manhattan distances off, halves what is left (it is even) and puts two entries in a byte.
fn compress(
    places: &Places,
    tiles: &[usize],
    aware: bool,
    values: &[u8],
    ledger: &mut Ledger,
) -> Result<Vec<u8>, Limit> {
    let mut nibbles = ledger.filled(0u8, values.len().div_ceil(2))?;
    let size = places.arrangements;
    let indexes: Vec<[usize; super::places::MAX_TILES]> = (0..size).map(|a| places.indexes(a)).collect();
    let columns = places.columns;
    let mut entry = 0;
    for shape in 0..places.shapes() {
        let squares: Vec<usize> =
            (0..places.rows * columns).filter(|&s| places.squares(shape) >> s & 1 == 1).collect();
        let distance = |tile: usize, square: usize| {
            ((tile / columns).abs_diff(square / columns) + (tile % columns).abs_diff(square % columns)) as u8
        };
        let mut distances = [[0; super::places::MAX_TILES]; super::places::MAX_TILES];
        for (t, &tile) in tiles.iter().enumerate() {
            for (i, &square) in squares.iter().enumerate() {
                distances[t][i] = distance(tile, square);
            }
        }
        for _ in 0..if aware { places.region_count(shape) } else { 1 } {
            for indexes in &indexes {
                let manhattan: u8 = (0..tiles.len()).map(|t| distances[t][indexes[t]]).sum();
                let extra = (values[entry].saturating_sub(manhattan) / 2).min(15);
                nibbles[entry / 2] |= extra << (4 * (entry % 2));
                entry += 1;
            }
        }
    }
    Ok(nibbles)
}
