//! The visited packings, each with three bits per gap set: two for "not visited" or the distance modulo 3, and one while the
//! position is still to be expanded.
//!
//! Packings that leave equally many cells free share a bucket. A record is the packing itself and the bits of its gap sets; a
//! hash table finds it. A table entry holds only some bits of the hash, but a match is compared with the packing in the record,
//! so the store is exact.
//!
//! Several threads may read, mark and add at the same time: a record's words are atomic, and one store into the table publishes
//! an addition. Only growing needs exclusive access, so threads claim room before they use it.

use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::prefetch::prefetch;
use beeline_search::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use beeline_search::sync::{Mutex, lock};

use super::field::{Key, MOST_LARGE};
use super::holes::Holes;

/// Slots of a table, of which at most [`MOST_FULL`] are used.
const OF_SLOTS: usize = 16;
const MOST_FULL: usize = 11;

/// Bits per position.
const PLANES: usize = 3;

/// Packings that leave equally many cells free.
#[derive(Debug)]
pub(super) struct Bucket {
    pub(super) holes: Holes,
    /// Words of a packing, and of a whole record.
    header: usize,
    row: usize,
    len: AtomicUsize,
    /// Additions for which threads have claimed room.
    claims: AtomicUsize,
    room: usize,
    records: Segments,
    /// By parity of the distance: the packings with positions in that layer, as bits.
    active: [Vec<AtomicU64>; 2],
    /// The upper half of the hash and the number of the record, counted from 1; 0 if free.
    table: Vec<AtomicU64>,
    adding: Mutex<()>,
    /// Is there only one thread?
    single_threaded: bool,
}

/// All buckets; the first is that of `least` free cells.
#[derive(Debug)]
pub(super) struct Store {
    buckets: Vec<Bucket>,
    least: usize,
    pub(super) ledger: Ledger,
}

/// The record of a packing.
#[derive(Clone, Copy)]
pub(super) struct Record<'a>(&'a [AtomicU64]);

fn zeros(vec: &mut Vec<AtomicU64>, len: usize, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
    ledger.grow_to(vec, len)?;
    vec.resize_with(len, AtomicU64::default);
    Ok(())
}

/// Records in segments that never move. While small, each segment is as large as all before it together.
#[derive(Debug)]
struct Segments {
    all: Vec<Vec<AtomicU64>>,
    /// Words of a record.
    row: usize,
    /// Base-2 logarithm of the records of the largest segment.
    log: u32,
}

/// Base-2 logarithm of the records of the first segment.
const LOG_FIRST: u32 = 6;
/// Words that the largest segments do not exceed.
const SEGMENT: usize = 1 << 22;

impl Segments {
    fn new(row: usize) -> Self {
        let log = (SEGMENT / row.max(1)).max(1).ilog2().max(LOG_FIRST);
        Self { all: Vec::new(), row, log }
    }

    /// The segment of a record, and the index of its first word there.
    #[inline(always)]
    fn place(&self, number: usize) -> (&[AtomicU64], usize) {
        let (segment, place) = if number >> self.log > 0 {
            ((number >> self.log) + (self.log - LOG_FIRST) as usize, number & ((1 << self.log) - 1))
        } else if number >> LOG_FIRST > 0 {
            let log = number.ilog2();
            ((log - LOG_FIRST + 1) as usize, number ^ 1 << log)
        } else {
            (0, number)
        };
        (&self.all[segment], place * self.row)
    }

    /// The capacity in records.
    fn room(&self) -> usize {
        self.all.iter().map(Vec::len).sum::<usize>() / self.row.max(1)
    }

    /// Makes room for this many.
    fn grow(&mut self, room: usize, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        while self.room() < room {
            let records = self.room().clamp(1 << LOG_FIRST, 1 << self.log);
            let mut segment = Vec::new();
            zeros(&mut segment, records * self.row, ledger)?;
            ledger.push(&mut self.all, segment)?;
        }
        Ok(())
    }
}

/// A packing as words.
#[inline(always)]
fn words(key: &Key) -> [u64; MOST_LARGE / 8] {
    let mut words = [0; MOST_LARGE / 8];
    for (word, bytes) in words.iter_mut().zip(key.chunks_exact(8)) {
        *word = bytes.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
    }
    words
}

impl Store {
    /// Empty buckets for packings of `large` pieces that leave from `least` to `most` cells free to `units` single ones; `None`
    /// if these are too many.
    pub(super) fn new(
        large: usize,
        least: usize,
        most: usize,
        units: usize,
        single_threaded: bool,
        bytes: Option<usize>,
    ) -> Option<Self> {
        let mut buckets = Vec::new();
        for cells in least..=most {
            let holes = Holes::new(cells, cells.checked_sub(units)?)?;
            let header = large.div_ceil(8);
            let row = header + PLANES * holes.words();
            buckets.push(Bucket {
                holes,
                header,
                row,
                len: AtomicUsize::new(0),
                claims: AtomicUsize::new(0),
                room: 0,
                records: Segments::new(row),
                active: [Vec::new(), Vec::new()],
                table: Vec::new(),
                adding: Mutex::new(()),
                single_threaded,
            });
        }
        Some(Self { buckets, least, ledger: Ledger::new(bytes) })
    }

    /// The index of the bucket for packings with this many free cells.
    #[inline(always)]
    pub(super) fn place(&self, cells: usize) -> usize {
        (cells - self.least).min(self.buckets.len() - 1)
    }

    /// A bucket.
    #[inline(always)]
    pub(super) fn bucket(&self, place: usize) -> &Bucket {
        &self.buckets[place]
    }

    /// The number of buckets.
    pub(super) fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// Is there room for everything claimed?
    pub(super) fn has_room(&self) -> bool {
        self.buckets.iter().all(Bucket::has_room)
    }

    /// Makes room for everything claimed.
    pub(super) fn make_room(&mut self) -> Result<(), OutOfMemory> {
        for bucket in self.buckets.iter_mut().filter(|bucket| !bucket.has_room()) {
            bucket.grow(&mut self.ledger)?;
        }
        Ok(())
    }
}

impl Bucket {
    /// The number of its packings.
    pub(super) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// Claims room for more.
    pub(super) fn claim(&self, more: usize) {
        self.claims.fetch_add(more, Ordering::Relaxed);
    }

    /// Returns claimed room, used or not.
    pub(super) fn unclaim(&self, more: usize) {
        self.claims.fetch_sub(more, Ordering::Relaxed);
    }

    fn has_room(&self) -> bool {
        let claims = self.claims.load(Ordering::Relaxed);
        claims == 0 || self.len() + claims <= self.room
    }

    /// Adds a segment, or as many as are claimed.
    #[cold]
    fn grow(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let need = self.len() + self.claims.load(Ordering::Relaxed);
        self.records.grow(need, ledger)?;
        let room = self.records.room();
        if room >= u32::MAX as usize {
            return Err(OutOfMemory);
        }
        for active in &mut self.active {
            zeros(active, room.div_ceil(64), ledger)?;
        }
        if room * OF_SLOTS > self.table.len() * MOST_FULL {
            // The table grows in larger steps than the records, because its entries must be rehashed.
            let mut table = Vec::new();
            zeros(&mut table, (room + room / 4) * OF_SLOTS / MOST_FULL + 1, ledger)?;
            for entry in self.table.iter().map(|e| e.load(Ordering::Relaxed)).filter(|&e| e != 0) {
                let mut slot = slot_of(entry >> 32, table.len());
                while table[slot].load(Ordering::Relaxed) != 0 {
                    slot = if slot + 1 == table.len() { 0 } else { slot + 1 };
                }
                table[slot] = AtomicU64::new(entry);
            }
            ledger.forget(std::mem::replace(&mut self.table, table));
        }
        self.room = room;
        Ok(())
    }

    /// Prefetches the slot of a hash.
    #[inline(always)]
    pub(super) fn announce(&self, hash: u64) {
        if !self.table.is_empty() {
            prefetch(&self.table, slot_of(hash >> 32, self.table.len()));
        }
    }

    /// Prefetches a record.
    #[inline(always)]
    pub(super) fn announce_record(&self, number: usize) {
        let (segment, first) = self.records.place(number);
        for at in (0..self.row.min(32)).step_by(8) {
            prefetch(segment, first + at);
        }
        prefetch(segment, first + self.row - 1);
    }

    /// The record with this number.
    #[inline(always)]
    pub(super) fn record(&self, number: usize) -> Record<'_> {
        let (segment, first) = self.records.place(number);
        Record(&segment[first..first + self.row])
    }

    /// The packing of a record.
    #[inline(always)]
    pub(super) fn key(&self, record: Record<'_>) -> Key {
        let mut key = [0; MOST_LARGE];
        for (bytes, word) in key.chunks_exact_mut(8).zip(&record.0[..self.header]) {
            bytes.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
        }
        key
    }

    /// Both words of 64 sets: together, the bits of a set give whether it was visited and its distance modulo 3.
    #[inline(always)]
    pub(super) fn planes(&self, record: Record<'_>, word: usize) -> (u64, u64) {
        let at = self.header + PLANES * word;
        (record.0[at].load(Ordering::Relaxed), record.0[at + 1].load(Ordering::Relaxed))
    }

    /// Marks unvisited sets with a distance and as to be expanded. Returns those that no other thread marked in the meantime.
    #[inline(always)]
    pub(super) fn mark(&self, record: Record<'_>, word: usize, sets: u64, age: u64) -> u64 {
        let at = self.header + PLANES * word;
        let (first, second, fresh) = (&record.0[at], &record.0[at + 1], &record.0[at + 2]);
        let new = match age {
            0 => sets & !self.or(first, sets),
            1 => sets & !self.or(second, sets),
            _ => {
                self.or(second, sets);
                sets & !self.or(first, sets)
            }
        };
        // Last, so that a thread that sees it also sees the distance.
        self.or(fresh, sets);
        new
    }

    /// Takes those of 64 sets that are to be expanded at this distance, clears their mark, and returns them with both words.
    #[inline(always)]
    pub(super) fn take(&self, record: Record<'_>, word: usize, age: u64) -> (u64, (u64, u64)) {
        let fresh = &record.0[self.header + PLANES * word + 2];
        let marked = fresh.load(Ordering::Acquire);
        let planes = self.planes(record, word);
        let taken = marked & Self::of_age(planes, age);
        if taken != 0 {
            if self.single_threaded {
                fresh.store(marked ^ taken, Ordering::Relaxed);
            } else {
                fresh.fetch_xor(taken, Ordering::Relaxed);
            }
        }
        (taken, planes)
    }

    /// Sets bits of a word and returns its previous value. A single thread needs no atomic operation, which is slower.
    #[inline(always)]
    fn or(&self, word: &AtomicU64, bits: u64) -> u64 {
        if self.single_threaded {
            let was = word.load(Ordering::Relaxed);
            word.store(was | bits, Ordering::Relaxed);
            was
        } else {
            word.fetch_or(bits, Ordering::Release)
        }
    }

    /// Those of 64 sets whose distance modulo 3 is this.
    #[inline(always)]
    pub(super) fn of_age((first, second): (u64, u64), age: u64) -> u64 {
        match age {
            0 => first & !second,
            1 => second & !first,
            _ => first & second,
        }
    }

    /// Records that the layer of this parity has positions of a packing.
    #[inline(always)]
    pub(super) fn activate(&self, number: usize, parity: usize) {
        let (word, bit) = (&self.active[parity][number / 64], 1 << (number % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            self.or(word, bit);
        }
    }

    /// Takes the active marks of 64 packings.
    pub(super) fn take_active(&self, word: usize, parity: usize) -> u64 {
        self.active[parity].get(word).map_or(0, |w| w.swap(0, Ordering::Relaxed))
    }

    /// The number of the first record that may be this packing's, for prefetching.
    #[inline(always)]
    pub(super) fn guess(&self, hash: u64) -> Option<usize> {
        let mut slot = slot_of(hash >> 32, self.table.len());
        loop {
            let entry = self.table[slot].load(Ordering::Acquire);
            if entry == 0 {
                return None;
            }
            if entry >> 32 == hash >> 32 {
                return Some(entry as u32 as usize - 1);
            }
            slot = if slot + 1 == self.table.len() { 0 } else { slot + 1 };
        }
    }

    /// Is this the record of a packing?
    #[inline(always)]
    fn holds(&self, number: usize, key: &[u64; MOST_LARGE / 8]) -> bool {
        let header = &self.record(number).0[..self.header];
        header.iter().zip(key).all(|(a, b)| a.load(Ordering::Relaxed) == *b)
    }

    /// The number of a packing's record if it was visited, otherwise the slot where its entry belongs.
    #[inline(always)]
    fn look(&self, key: &[u64; MOST_LARGE / 8], hash: u64) -> Result<usize, usize> {
        let mut slot = slot_of(hash >> 32, self.table.len());
        loop {
            let entry = self.table[slot].load(Ordering::Acquire);
            if entry == 0 {
                return Err(slot);
            }
            if entry >> 32 == hash >> 32 {
                let number = entry as u32 as usize - 1;
                if self.holds(number, key) {
                    return Ok(number);
                }
            }
            slot = if slot + 1 == self.table.len() { 0 } else { slot + 1 };
        }
    }

    /// The number of a packing's record, if it was visited.
    pub(super) fn find(&self, key: &Key, hash: u64) -> Option<usize> {
        if self.table.is_empty() { None } else { self.look(&words(key), hash).ok() }
    }

    /// The number of a packing's record, which is added if missing. Room must have been claimed and made.
    #[inline(always)]
    pub(super) fn find_or_add(&self, key: &Key, hash: u64, guess: Option<usize>) -> usize {
        let key = words(key);
        if let Some(number) = guess.filter(|&number| self.holds(number, &key)) {
            return number;
        }
        self.look(&key, hash).unwrap_or_else(|_| self.add(&key, hash))
    }

    fn add(&self, key: &[u64; MOST_LARGE / 8], hash: u64) -> usize {
        let _adding = lock(&self.adding);
        // Another thread may have added it, or something else in this slot.
        match self.look(key, hash) {
            Ok(number) => number,
            Err(slot) => {
                let number = self.len.load(Ordering::Relaxed);
                let header = &self.record(number).0[..self.header];
                for (place, word) in header.iter().zip(key) {
                    place.store(*word, Ordering::Relaxed);
                }
                self.len.store(number + 1, Ordering::Relaxed);
                self.table[slot].store(hash >> 32 << 32 | (number as u64 + 1), Ordering::Release);
                number
            }
        }
    }
}

/// The slot of the upper half of a hash.
#[inline(always)]
fn slot_of(upper: u64, slots: usize) -> usize {
    ((upper * slots as u64) >> 32) as usize
}
