//! Builds a pattern database: for every placement of the pattern's tiles, the number of moves *of these tiles* that bring them
//! home. Moves of other tiles are free, so databases of disjoint patterns may be added (Korf & Felner 2002).
//!
//! Breadth-first search from the solved placement. A state is (placement, region of the blank), because the blank moves freely
//! within its region. The regions seen of a placement are bits of a byte. The frontier is a list for each shape. A level is
//! computed by *pulling*: each shape reads the lists of the few shapes that lead to it. So every thread writes only to its own
//! shapes, and a shape's placements (k! bytes) stay in the nearest cache while its sources are read in order.

use beeline_search::memory::Ledger;
use beeline_search::sync::atomic::{AtomicBool, Ordering};
use beeline_search::sync::{Mutex, PoisonError, lock};
use beeline_search::{Budget, Limit, Meter, team};

use super::places::Places;

/// Shapes passed to a thread at once. Few under the model checker, so that a tiny pattern has work for several threads.
const SHAPES_AT_ONCE: usize = if cfg!(feature = "model") { 2 } else { 32 };

/// Bytes packed between two looks at the clock.
const PACKED_AT_ONCE: usize = 1 << 16;

/// The progress of building.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The last finished level.
    pub level: u32,
    /// States found so far.
    pub done: u64,
    /// An upper bound on the number of states.
    pub all: u64,
}

/// A finished database: the moves beyond the Manhattan distance of the tiles, in pairs, two entries per byte.
#[derive(Debug)]
pub struct Built {
    /// The entries.
    pub nibbles: Vec<u8>,
    /// The largest number of moves.
    pub deepest: u32,
}

/// A state of the frontier: its arrangement in the lower 16 bits, above them one bit for each of its regions.
type Item = u32;
const REGION_BITS: u32 = 16;

/// The frontier within a few neighbouring shapes: the states of each shape in a row, and the row boundaries.
struct Front {
    items: Vec<Item>,
    ends: [usize; SHAPES_AT_ONCE + 1],
}

impl Front {
    /// The states of the shape with this index among the neighbours.
    #[inline(always)]
    fn of(&self, place: usize) -> &[Item] {
        &self.items[self.ends[place]..self.ends[place + 1]]
    }
}

/// The part of the arrays that one job writes.
struct Part<'a> {
    first: usize,
    shapes: usize,
    seen: &'a mut [u8],
    values: &'a mut [u8],
    unseen: &'a mut [u32],
    next: &'a mut Front,
}

/// Builds the database of these tiles (in order; a tile's home is the square of its number, and the blank's is 0). With
/// `aware`, each region of the blank has its own entry; otherwise the minimum represents all.
pub fn build(
    places: &Places,
    tiles: &[usize],
    aware: bool,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<Built, Limit> {
    let threads = team::useful(threads);
    let mut meter = Meter::new(budget);
    let size = places.placements();
    let ledger = &mut meter.ledger;
    let mut seen = ledger.zeroed::<u8>(size)?;
    let entries = if aware { places.regions() * places.arrangements } else { size };
    let mut values = ledger.zeroed::<u8>(entries)?;
    let mut unseen: Vec<u32> =
        (0..places.shapes()).map(|s| (places.region_count(s) * places.arrangements) as u32).collect();
    let parts = places.shapes().div_ceil(SHAPES_AT_ONCE);
    let fronts =
        || (0..parts).map(|_| Front { items: Vec::new(), ends: [0; SHAPES_AT_ONCE + 1] }).collect::<Vec<_>>();
    let (mut now, mut next) = (fronts(), fronts());

    let (squares, arrangement) = places.place(tiles);
    let shape = places.shape(squares);
    let start = shape * places.arrangements + arrangement;
    let region = places.regions_of(shape).of(0);
    seen[start] = 1 << region;
    unseen[shape] -= 1;
    let home = &mut now[shape / SHAPES_AT_ONCE];
    ledger.push(&mut home.items, 1 << (REGION_BITS + region) | arrangement as Item)?;
    home.ends = std::array::from_fn(|place| usize::from(place > shape % SHAPES_AT_ONCE));
    let all = (places.regions() * places.arrangements) as u64;
    let mut done = 1;
    let mut level = 0;
    while now.iter().any(|front| !front.items.is_empty()) {
        level += 1;
        let jobs = split(places, aware, &mut seen, &mut values, &mut unseen, &mut next);
        let step = Level { places, aware, moves: level as u8, now: &now };
        done += step.run(jobs, threads, &mut meter)?;
        progress(Progress { level, done, all });
        std::mem::swap(&mut now, &mut next);
    }
    let ledger = &mut meter.ledger;
    ledger.forget(seen);
    for front in now.into_iter().chain(next) {
        ledger.forget(front.items);
    }
    drop(unseen);
    less_manhattan(places, tiles, aware, &mut values, threads);
    let nibbles = pack(&values, &mut meter)?;
    Ok(Built { nibbles, deepest: level.saturating_sub(1) })
}

/// Splits the arrays into parts of a few shapes.
fn split<'a>(
    places: &Places,
    aware: bool,
    mut seen: &'a mut [u8],
    mut values: &'a mut [u8],
    mut unseen: &'a mut [u32],
    next: &'a mut [Front],
) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for (number, next) in next.iter_mut().enumerate() {
        let first = number * SHAPES_AT_ONCE;
        let shapes = SHAPES_AT_ONCE.min(places.shapes() - first);
        let length = shapes * places.arrangements;
        parts.push(Part {
            first,
            shapes,
            seen: cut(&mut seen, length),
            values: cut(&mut values, entries_of(places, aware, first, shapes)),
            unseen: cut(&mut unseen, shapes),
            next,
        });
    }
    parts
}

/// The number of entries of some neighbouring shapes.
fn entries_of(places: &Places, aware: bool, first: usize, shapes: usize) -> usize {
    let regions = |shape: usize| places.regions_of(shape).before as usize;
    let blocks = if aware { regions(first + shapes) - regions(first) } else { shapes };
    blocks * places.arrangements
}

/// Takes the first elements from a slice.
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
    now: &'a [Front],
}

impl Level<'_> {
    /// Processes all parts; returns the number of states found.
    fn run(&self, parts: Vec<Part<'_>>, threads: usize, meter: &mut Meter) -> Result<u64, Limit> {
        let threads = threads.min(parts.len());
        let jobs = Mutex::new(parts.into_iter());
        let ledger = Mutex::new(std::mem::replace(&mut meter.ledger, Ledger::new(Some(0))));
        let stopped = AtomicBool::new(false);
        let stop = || stopped.store(true, Ordering::Relaxed);
        let work = |watch: &mut dyn FnMut() -> Result<(), Limit>| {
            let mut scratch = vec![0; self.places.arrangements];
            let mut count = 0;
            while !stopped.load(Ordering::Relaxed) {
                let job = lock(&jobs).next();
                let Some(mut part) = job else { break };
                match self.part(&mut part, &mut scratch, &ledger).and_then(|new| watch().map(|()| new)) {
                    Ok(new) => count += new,
                    Err(limit) => {
                        stop();
                        return Err(limit);
                    }
                }
            }
            Ok(count)
        };
        let found = team::scope(&stop, |team| {
            let others: Vec<_> =
                (1..threads).map_while(|_| team.spawn(|| work(&mut || Ok(()))).ok()).collect();
            let own = work(&mut || meter.look());
            others.into_iter().filter_map(team::Handle::join).fold(own, |all, more| Ok(all? + more?))
        });
        meter.ledger = ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        found
    }

    fn part(&self, part: &mut Part<'_>, scratch: &mut [u8], ledger: &Mutex<Ledger>) -> Result<u64, Limit> {
        let size = self.places.arrangements;
        let mut found = 0;
        part.next.items.clear();
        let mut entry = 0;
        for i in 0..part.shapes {
            let shape = part.first + i;
            let entries = entries_of(self.places, self.aware, shape, 1);
            if part.unseen[i] > 0 && self.pull(shape, scratch) {
                let items = &mut part.next.items;
                if items.capacity() - items.len() < size {
                    lock(ledger).reserve(items, size)?;
                }
                let seen = &mut part.seen[i * size..(i + 1) * size];
                let values = &mut part.values[entry..entry + entries];
                let new = self.settle(seen, scratch, values, items);
                part.unseen[i] -= new;
                found += u64::from(new);
            }
            part.next.ends[i + 1] = part.next.items.len();
            entry += entries;
        }
        Ok(found)
    }

    /// Gathers into `next` all states that lead to a shape; `false` if there are none.
    fn pull(&self, shape: usize, next: &mut [u8]) -> bool {
        let places = self.places;
        let squares = places.squares(shape);
        let mut any = false;
        let mut tiles = squares;
        while tiles != 0 {
            let here = tiles.trailing_zeros() as usize;
            tiles &= tiles - 1;
            for from in places.beside(here).filter(|from| squares >> from & 1 == 0) {
                // A tile came from `from` to `here`; so the blank was here and is there now.
                let before = squares ^ 1 << here ^ 1 << from;
                let source = places.shape(before);
                let items = self.now[source / SHAPES_AT_ONCE].of(source % SHAPES_AT_ONCE);
                if items.is_empty() {
                    continue;
                }
                any = true;
                let was = REGION_BITS + places.regions_of(source).of(here);
                let is = places.regions_of(shape).of(from);
                let index = (squares & ((1 << here) - 1)).count_ones() as usize;
                let old = (before & ((1 << from) - 1)).count_ones() as usize;
                let mark = |item: Item| ((item >> was & 1) << is) as u8;
                if index == old {
                    for &item in items {
                        next[usize::from(item as u16)] |= mark(item);
                    }
                } else {
                    let shifts = places.shifts(old, index);
                    for &item in items {
                        next[usize::from(shifts[usize::from(item as u16)])] |= mark(item);
                    }
                }
            }
        }
        any
    }

    /// Moves the new states from `next`, which is left empty, into `items`, and counts them.
    fn settle(&self, seen: &mut [u8], next: &mut [u8], values: &mut [u8], items: &mut Vec<Item>) -> u32 {
        let size = seen.len();
        let mut found = 0;
        let mut take = |at: usize, seen: &mut u8, next: u8| {
            let mut regions = next & !*seen;
            if regions == 0 {
                return;
            }
            items.push(Item::from(regions) << REGION_BITS | at as Item);
            found += regions.count_ones();
            let first = *seen == 0;
            *seen |= regions;
            if self.aware {
                while regions != 0 {
                    values[regions.trailing_zeros() as usize * size + at] = self.moves;
                    regions &= regions - 1;
                }
            } else if first {
                values[at] = self.moves;
            }
        };
        let (seen_words, seen_rest) = seen.as_chunks_mut::<8>();
        let (next_words, next_rest) = next.as_chunks_mut::<8>();
        let words = seen_words.len();
        for (word, (seen, next)) in seen_words.iter_mut().zip(next_words).enumerate() {
            // Nearly all words have nothing new, and the others have little.
            let mut new = u64::from_le_bytes(*next) & !u64::from_le_bytes(*seen);
            while new != 0 {
                let i = (new.trailing_zeros() / 8) as usize;
                take(8 * word + i, &mut seen[i], (new >> (8 * i)) as u8);
                new &= !(0xFF << (8 * i));
            }
            *next = [0; 8];
        }
        for (i, (seen, next)) in seen_rest.iter_mut().zip(next_rest).enumerate() {
            take(8 * words + i, seen, *next);
            *next = 0;
        }
        found
    }
}

/// Subtracts the Manhattan distances and halves the rest, which is even.
fn less_manhattan(places: &Places, tiles: &[usize], aware: bool, values: &mut [u8], threads: usize) {
    let mut rest = values;
    let mut blocks = Vec::new();
    for shape in 0..places.shapes() {
        blocks.push((shape, cut(&mut rest, entries_of(places, aware, shape, 1))));
    }
    let columns = places.columns;
    let distance = |tile: usize, square: usize| {
        ((tile / columns).abs_diff(square / columns) + (tile % columns).abs_diff(square % columns)) as u8
    };
    let threads = threads.min(blocks.len().div_ceil(SHAPES_AT_ONCE));
    let jobs = Mutex::new(blocks.into_iter());
    let stopped = AtomicBool::new(false);
    let work = || {
        let mut manhattan = vec![0; places.arrangements];
        loop {
            let some: Vec<_> = lock(&jobs).by_ref().take(SHAPES_AT_ONCE).collect();
            if some.is_empty() || stopped.load(Ordering::Relaxed) {
                return;
            }
            for (shape, block) in some {
                places.sums(shape, |tile, square| distance(tiles[tile], square), &mut manhattan);
                for values in block.chunks_mut(manhattan.len()) {
                    for (value, far) in values.iter_mut().zip(&manhattan) {
                        *value = (value.saturating_sub(*far) / 2).min(15);
                    }
                }
            }
        }
    };
    team::scope(&|| stopped.store(true, Ordering::Relaxed), |team| {
        // All available threads share the blocks.
        let _others: Vec<_> = (1..threads).map_while(|_| team.spawn(work).ok()).collect();
        work();
    });
}

/// Packs two entries into each byte.
fn pack(values: &[u8], meter: &mut Meter) -> Result<Vec<u8>, Limit> {
    let mut nibbles = meter.ledger.zeroed::<u8>(values.len().div_ceil(2))?;
    for (bytes, values) in nibbles.chunks_mut(PACKED_AT_ONCE).zip(values.chunks(2 * PACKED_AT_ONCE)) {
        meter.work(values.len() as u64)?;
        for (byte, pair) in bytes.iter_mut().zip(values.chunks(2)) {
            *byte = pair[0] | pair.get(1).map_or(0, |high| high << 4);
        }
    }
    Ok(nibbles)
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, VecDeque};

    use super::*;

    /// The moves of these tiles for every placement and blank square, found square by square.
    fn truth(places: &Places, tiles: &[usize]) -> HashMap<(Vec<usize>, usize), u32> {
        let start = (tiles.to_vec(), 0);
        let mut known = HashMap::new();
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some(((at, blank), moves)) = queue.pop_front() {
            if known.contains_key(&(at.clone(), blank)) {
                continue;
            }
            known.insert((at.clone(), blank), moves);
            for to in places.beside(blank) {
                let mut moved = at.clone();
                match at.iter().position(|&square| square == to) {
                    Some(tile) => {
                        moved[tile] = blank;
                        queue.push_back(((moved, to), moves + 1));
                    }
                    None => queue.push_front(((moved, to), moves)),
                }
            }
        }
        known
    }

    #[test]
    fn every_entry_is_the_true_number_of_moves() {
        for (rows, columns, tiles, threads) in
            [(3, 3, &[1, 4, 8][..], 1), (2, 4, &[2, 3, 5, 6], 3), (3, 2, &[5], 2)]
        {
            let places = Places::new(rows, columns, tiles.len()).unwrap();
            let built = build(&places, tiles, true, threads, &Budget::default(), &mut |_| {}).unwrap();
            let truth = truth(&places, tiles);
            for ((at, blank), moves) in &truth {
                let (squares, arrangement) = places.place(at);
                let regions = places.regions_of(places.shape(squares));
                let entry =
                    (regions.before + regions.of(*blank)) as usize * places.arrangements + arrangement;
                let extra = built.nibbles[entry / 2] >> (4 * (entry % 2)) & 15;
                let far = |(&tile, &square): (&usize, &usize)| {
                    (tile / columns).abs_diff(square / columns) + (tile % columns).abs_diff(square % columns)
                };
                let manhattan: usize = tiles.iter().zip(at).map(far).sum();
                assert_eq!(u32::from(extra) * 2 + manhattan as u32, *moves, "{at:?} {blank}");
            }
            assert_eq!(built.deepest, truth.values().copied().max().unwrap());
        }
    }
}
