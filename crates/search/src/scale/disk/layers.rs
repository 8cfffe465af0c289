//! Layers of states on disk with delayed duplicate detection: each layer is made by sorting.
//!
//! Memory gathers successors. When it is full they are sorted and written as a *run*. At the end of a layer the runs are merged
//! without the states of the last two layers. Where every move is reversible, a duplicate cannot lie in any other layer (Korf
//! 2004; Zhou & Hansen 2006).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;

use super::Fault;
use super::folder::Folder;
use super::rows::{Reader, Row, Stamp, Writer, contains, stamp};
use crate::core::budget::Meter;
use crate::core::memory::{Ledger, OutOfMemory};

/// Files merged at once.
const FAN_IN: usize = 16;
/// Files open besides these: the last two layers and the output.
const OTHER_FILES: usize = 3;
/// Most bytes read or written at a time.
const BLOCK: usize = 1 << 18;
/// Bytes of memory used if there is no limit.
const MEMORY: usize = 512 << 20;
/// Work of merging or writing a row, in units of [`Meter::work`].
const ROW: u64 = 64;

/// Layers, independent of their row type.
pub(super) trait Layers {
    /// Adds a successor to the next layer.
    fn push(&mut self, words: &[u64], meter: &mut Meter) -> Result<(), Fault>;
    /// Starts reading the last layer.
    fn open(&mut self) -> Result<(), Fault>;
    /// The next state of the last layer; `false` at its end.
    fn next(&mut self, words: &mut [u64]) -> Result<bool, Fault>;
    /// Makes the next layer from the pushed states, and counts its states.
    fn close(&mut self, meter: &mut Meter) -> Result<u64, Fault>;
    /// Is this state in that layer?
    fn contains(&self, depth: usize, words: &[u64]) -> Result<bool, Fault>;
    /// Size and checksum of each layer.
    fn stamps(&self) -> &[Stamp];
    /// Keep the files for a search that resumes?
    fn keep(&mut self, keep: bool);
}

/// Layers of states of this many bytes. `stamps` are the saved layers; empty for a new search.
pub(super) fn layers(
    folder: Folder,
    width: usize,
    saved: Vec<Stamp>,
    safe: bool,
    ledger: &mut Ledger,
) -> Result<Box<dyn Layers>, Fault> {
    Ok(match width.div_ceil(8) {
        ..=1 => Box::new(Sorted::<u64>::new(folder, width, saved, safe, ledger)?),
        2 => Box::new(Sorted::<u128>::new(folder, width, saved, safe, ledger)?),
        3..=4 => Box::new(Sorted::<[u64; 4]>::new(folder, width, saved, safe, ledger)?),
        _ => Box::new(Sorted::<[u64; 8]>::new(folder, width, saved, safe, ledger)?),
    })
}

struct Sorted<T> {
    folder: Folder,
    width: usize,
    block: usize,
    /// Sync files before they are closed?
    safe: bool,
    stamps: Vec<Stamp>,
    reader: Option<Reader<T>>,
    /// Successors not yet in a run.
    gathered: Vec<T>,
    most: usize,
    /// The runs of the next layer, and the number of runs made so far.
    runs: Vec<PathBuf>,
    made: usize,
}

impl<T: Row> Sorted<T> {
    fn new(
        folder: Folder,
        width: usize,
        stamps: Vec<Stamp>,
        safe: bool,
        ledger: &mut Ledger,
    ) -> Result<Self, Fault> {
        for (depth, saved) in stamps.iter().enumerate() {
            let path = folder.layer(depth);
            let found = std::fs::File::open(&path).map_err(|_| Fault::Misfit)?;
            if stamp(&mut { found }, &path, width).map_err(|_| Fault::Misfit)? != *saved {
                return Err(Fault::Misfit);
            }
        }
        let memory = ledger.available().min(MEMORY);
        let rows = (memory / 4 / (FAN_IN + OTHER_FILES)).min(BLOCK) / width / 8 * 8;
        let block = rows.max(8) * width;
        ledger.claim((FAN_IN + OTHER_FILES) * block)?;
        let most = (memory.saturating_sub((FAN_IN + OTHER_FILES) * block) / size_of::<T>() / 8 * 7).max(1);
        let (reader, gathered, runs) = (None, Vec::new(), Vec::new());
        Ok(Self { folder, width, block, safe, stamps, reader, gathered, most, runs, made: 0 })
    }

    /// Doubles the buffer, or takes what the limit allows.
    #[cold]
    fn grow(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let wanted = (2 * self.gathered.len()).max(64).min(self.most);
        let grown = ledger.grow_to(&mut self.gathered, wanted);
        grown.or_else(|_| {
            let one_more = self.gathered.len() + 1;
            ledger.grow_to(&mut self.gathered, one_more)
        })
    }

    /// Sorts the gathered successors and writes them to disk.
    fn write_run(&mut self, meter: &mut Meter) -> Result<(), Fault> {
        self.gathered.sort_unstable();
        self.gathered.dedup();
        let mut writer = Writer::create(self.next_run(), self.width, self.block)?;
        for row in &self.gathered {
            writer.push(row)?;
            meter.work(ROW)?;
        }
        writer.finish(false)?;
        self.gathered.clear();
        if self.runs.len() == FAN_IN {
            self.merge_runs(meter)?;
        }
        Ok(())
    }

    fn next_run(&mut self) -> PathBuf {
        let path = self.folder.run(self.made);
        self.made += 1;
        self.runs.push(path.clone());
        path
    }

    /// Merges all runs into one.
    fn merge_runs(&mut self, meter: &mut Meter) -> Result<(), Fault> {
        let old = std::mem::take(&mut self.runs);
        let mut merge = Merge::<T>::new(&old, &[], self.width, self.block)?;
        let mut writer = Writer::create(self.next_run(), self.width, self.block)?;
        while let Some(row) = merge.next()? {
            writer.push(&row)?;
            meter.work(ROW)?;
        }
        writer.finish(false)?;
        discard(&old)
    }
}

/// Removes merged runs.
fn discard(runs: &[PathBuf]) -> Result<(), Fault> {
    runs.iter().try_for_each(|run| {
        std::fs::remove_file(run).map_err(|error| Fault::Disk(format!("'{}': {error}", run.display())))
    })
}

impl<T: Row> Layers for Sorted<T> {
    #[inline]
    fn push(&mut self, words: &[u64], meter: &mut Meter) -> Result<(), Fault> {
        // Without memory for more, what is gathered goes to disk, unless that is nothing.
        let full = self.gathered.len() == self.gathered.capacity()
            && (self.gathered.len() >= self.most || self.grow(&mut meter.ledger).is_err());
        if full {
            if self.gathered.is_empty() {
                return Err(OutOfMemory.into());
            }
            self.write_run(meter)?;
        }
        self.gathered.push(T::of(words));
        Ok(())
    }

    fn open(&mut self) -> Result<(), Fault> {
        let last = self.stamps.len().saturating_sub(1);
        self.reader = Some(Reader::open(&self.folder.layer(last), self.width, self.block)?);
        Ok(())
    }

    #[inline]
    fn next(&mut self, words: &mut [u64]) -> Result<bool, Fault> {
        let row = match &mut self.reader {
            Some(reader) => reader.next()?,
            None => None,
        };
        row.inspect(|row| row.words(words));
        Ok(row.is_some())
    }

    fn close(&mut self, meter: &mut Meter) -> Result<u64, Fault> {
        self.reader = None;
        self.gathered.sort_unstable();
        self.gathered.dedup();
        let depth = self.stamps.len();
        let known: Vec<PathBuf> = (depth.saturating_sub(2)..depth).map(|d| self.folder.layer(d)).collect();
        let runs = std::mem::take(&mut self.runs);
        let mut merge = Merge::new(&runs, &known, self.width, self.block)?;
        merge.memory = std::mem::take(&mut self.gathered);
        merge.advance_memory();
        let mut writer = Writer::create(self.folder.layer(depth), self.width, self.block)?;
        while let Some(row) = merge.next()? {
            writer.push(&row)?;
            meter.work(ROW)?;
        }
        let stamp = writer.finish(self.safe)?;
        self.gathered = merge.memory;
        self.gathered.clear();
        discard(&runs)?;
        self.stamps.push(stamp);
        Ok(stamp.rows)
    }

    fn contains(&self, depth: usize, words: &[u64]) -> Result<bool, Fault> {
        contains(&self.folder.layer(depth), self.width, &T::of(words))
    }

    fn stamps(&self) -> &[Stamp] {
        &self.stamps
    }

    fn keep(&mut self, keep: bool) {
        self.folder.keep = keep;
    }
}

/// Merges several sorted sources: each row once, without known rows.
struct Merge<T> {
    runs: Vec<Reader<T>>,
    known: Vec<(Reader<T>, Option<T>)>,
    memory: Vec<T>,
    at: usize,
    /// The next row of each source. The memory is the last source.
    heap: BinaryHeap<Reverse<(T, usize)>>,
    last: Option<T>,
}

impl<T: Row> Merge<T> {
    fn new(runs: &[PathBuf], known: &[PathBuf], width: usize, block: usize) -> Result<Self, Fault> {
        let open = |path: &PathBuf| Reader::open(path, width, block);
        let mut merge = Self {
            runs: runs.iter().map(open).collect::<Result<_, _>>()?,
            known: Vec::new(),
            memory: Vec::new(),
            at: 0,
            heap: BinaryHeap::with_capacity(runs.len() + 1),
            last: None,
        };
        for path in known {
            let mut reader = open(path)?;
            let first = reader.next()?;
            merge.known.push((reader, first));
        }
        for source in 0..runs.len() {
            merge.advance(source)?;
        }
        Ok(merge)
    }

    fn advance(&mut self, source: usize) -> Result<(), Fault> {
        match self.runs.get_mut(source) {
            Some(run) => self.heap.extend(run.next()?.map(|row| Reverse((row, source)))),
            None => self.advance_memory(),
        }
        Ok(())
    }

    fn advance_memory(&mut self) {
        if let Some(&row) = self.memory.get(self.at) {
            self.at += 1;
            self.heap.push(Reverse((row, self.runs.len())));
        }
    }

    fn next(&mut self) -> Result<Option<T>, Fault> {
        while let Some(Reverse((row, source))) = self.heap.pop() {
            self.advance(source)?;
            if self.last == Some(row) {
                continue;
            }
            self.last = Some(row);
            if !self.is_known(&row)? {
                return Ok(Some(row));
            }
        }
        // Reads to the ends, so that the checksums are verified.
        for (reader, next) in &mut self.known {
            while next.is_some() {
                *next = reader.next()?;
            }
        }
        Ok(None)
    }

    fn is_known(&mut self, row: &T) -> Result<bool, Fault> {
        let mut found = false;
        for (reader, next) in &mut self.known {
            while next.is_some_and(|known| known < *row) {
                *next = reader.next()?;
            }
            found |= *next == Some(*row);
        }
        Ok(found)
    }
}
