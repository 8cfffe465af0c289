//! Sorted files of packed states: rows of one width, then their number and a checksum.
//!
//! A row in memory is one of four types, chosen by width. So sorting and merging are compiled four times and not once for each
//! space.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Fault;
use crate::core::checkpoint::Sum;

/// Bytes of the row count and checksum behind the rows.
const TRAILER: u64 = 16;

/// A packed state in its sortable form.
pub(super) trait Row: Copy + Ord {
    fn of(words: &[u64]) -> Self;
    fn words(&self, words: &mut [u64]);
}

impl Row for u64 {
    #[inline]
    fn of(words: &[u64]) -> Self {
        words[0]
    }
    #[inline]
    fn words(&self, words: &mut [u64]) {
        words[0] = *self;
    }
}

impl Row for u128 {
    #[inline]
    fn of(words: &[u64]) -> Self {
        u128::from(words[1]) << 64 | u128::from(words[0])
    }
    #[inline]
    fn words(&self, words: &mut [u64]) {
        (words[0], words[1]) = (*self as u64, (*self >> 64) as u64);
    }
}

impl<const N: usize> Row for [u64; N] {
    #[inline]
    fn of(words: &[u64]) -> Self {
        std::array::from_fn(|i| words[i])
    }
    #[inline]
    fn words(&self, words: &mut [u64]) {
        words[..N].copy_from_slice(self);
    }
}

#[inline]
fn encode<T: Row>(row: &T, width: usize, bytes: &mut Vec<u8>) {
    let mut words = [0; 8];
    row.words(&mut words);
    for (i, word) in words.iter().enumerate().take(width.div_ceil(8)) {
        bytes.extend_from_slice(&word.to_le_bytes()[..(width - 8 * i).min(8)]);
    }
}

#[inline]
fn decode<T: Row>(bytes: &[u8]) -> T {
    let mut words = [0; 8];
    for (word, part) in words.iter_mut().zip(bytes.chunks(8)) {
        let mut whole = [0; 8];
        whole[..part.len()].copy_from_slice(part);
        *word = u64::from_le_bytes(whole);
    }
    T::of(&words)
}

/// Adds the file's name to an error.
fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, Fault> {
    result.map_err(|error| Fault::Disk(format!("'{}': {error}", path.display())))
}

/// The size and checksum that identify a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// How many rows it has.
    pub(crate) rows: u64,
    pub(crate) sum: u64,
}

/// Writes a file.
pub(super) struct Writer {
    path: PathBuf,
    file: File,
    width: usize,
    buffer: Vec<u8>,
    block: usize,
    sum: Sum,
    rows: u64,
}

impl Writer {
    /// Writes `block` bytes at a time: a multiple of eight rows.
    pub(super) fn create(path: PathBuf, width: usize, block: usize) -> Result<Self, Fault> {
        let file = at(&path, File::create(&path))?;
        let buffer = Vec::with_capacity(block);
        Ok(Self { path, file, width, buffer, block, sum: Sum::new(), rows: 0 })
    }

    #[inline]
    pub(super) fn push<T: Row>(&mut self, row: &T) -> Result<(), Fault> {
        encode(row, self.width, &mut self.buffer);
        self.rows += 1;
        if self.buffer.len() >= self.block { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Fault> {
        self.sum.block(&self.buffer);
        at(&self.path, self.file.write_all(&self.buffer))?;
        self.buffer.clear();
        Ok(())
    }

    /// Ends the file and, if `safe`, syncs it to the disk.
    pub(super) fn finish(mut self, safe: bool) -> Result<Stamp, Fault> {
        self.flush()?;
        let stamp = Stamp { rows: self.rows, sum: self.sum.value() };
        self.buffer.extend_from_slice(&stamp.rows.to_le_bytes());
        self.buffer.extend_from_slice(&stamp.sum.to_le_bytes());
        at(&self.path, self.file.write_all(&self.buffer))?;
        if safe { at(&self.path, self.file.sync_all()) } else { Ok(()) }.map(|()| stamp)
    }
}

/// Reads a file from its beginning.
pub(super) struct Reader<T> {
    path: PathBuf,
    file: File,
    width: usize,
    buffer: Vec<u8>,
    at: usize,
    left: u64,
    sum: Sum,
    stamp: Stamp,
    row: std::marker::PhantomData<T>,
}

impl<T: Row> Reader<T> {
    pub(super) fn open(path: &Path, width: usize, block: usize) -> Result<Self, Fault> {
        let mut file = at(path, File::open(path))?;
        let stamp = stamp(&mut file, path, width)?;
        at(path, file.rewind())?;
        Ok(Self {
            path: path.to_owned(),
            file,
            width,
            buffer: vec![0; block],
            at: block,
            left: stamp.rows * width as u64,
            sum: Sum::new(),
            stamp,
            row: std::marker::PhantomData,
        })
    }

    /// The next row. After the last row it verifies the checksum: a damaged file is an error, not an end.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<T>, Fault> {
        if self.at == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        let row = decode(&self.buffer[self.at..self.at + self.width]);
        self.at += self.width;
        Ok(Some(row))
    }

    #[cold]
    fn fill(&mut self) -> Result<bool, Fault> {
        if self.left == 0 {
            return if self.sum.value() == self.stamp.sum { Ok(false) } else { Err(damaged(&self.path)) };
        }
        let part = (self.buffer.len() as u64).min(self.left) as usize;
        self.buffer.truncate(part);
        at(&self.path, self.file.read_exact(&mut self.buffer))?;
        self.sum.block(&self.buffer);
        self.left -= part as u64;
        self.at = 0;
        Ok(true)
    }
}

fn damaged(path: &Path) -> Fault {
    Fault::Disk(format!("'{}' is damaged", path.display()))
}

/// The stamp stored in a file, if its length agrees.
pub(super) fn stamp(file: &mut File, path: &Path, width: usize) -> Result<Stamp, Fault> {
    let length = at(path, file.metadata())?.len();
    let content = length.checked_sub(TRAILER).ok_or_else(|| damaged(path))?;
    at(path, file.seek(SeekFrom::Start(content)))?;
    let mut numbers = [[0; 8]; 2];
    for number in &mut numbers {
        at(path, file.read_exact(number))?;
    }
    let [rows, sum] = numbers.map(u64::from_le_bytes);
    if rows.checked_mul(width as u64) == Some(content) { Ok(Stamp { rows, sum }) } else { Err(damaged(path)) }
}

/// Is this row in a sorted file?
pub(super) fn contains<T: Row>(path: &Path, width: usize, row: &T) -> Result<bool, Fault> {
    let mut file = at(path, File::open(path))?;
    let mut range = 0..stamp(&mut file, path, width)?.rows;
    let mut bytes = vec![0; width];
    while !range.is_empty() {
        let middle = range.start + (range.end - range.start) / 2;
        at(path, file.seek(SeekFrom::Start(middle * width as u64)))?;
        at(path, file.read_exact(&mut bytes))?;
        match decode::<T>(&bytes).cmp(row) {
            std::cmp::Ordering::Less => range.start = middle + 1,
            std::cmp::Ordering::Equal => return Ok(true),
            std::cmp::Ordering::Greater => range.end = middle,
        }
    }
    Ok(false)
}
