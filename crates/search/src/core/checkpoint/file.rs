//! The file of a checkpoint: a header, plain columns, a checksum and an end mark.
//!
//! All numbers are little-endian. Opening a file reads it through once and verifies the checksum, so later reads see a file
//! that was written whole. Counts are still bounded by the file's length. Against a deliberate forgery with a valid checksum
//! only the plan checker protects.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use crate::core::atomic_file::Transfer;

const MAGIC: &[u8; 8] = b"BEELINE\x1a";
/// Format version. Increased with every change of the format.
const VERSION: u32 = 2;
const END: &[u8; 8] = b"THE END\n";
/// Bytes of checksum and end mark.
const TRAILER: u64 = 16;
const BLOCK: usize = 1 << 16;
/// Bytes of the longest text in a header.
const LONGEST: u64 = 256 << 20;

/// Why a checkpoint is unusable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Some other file.
    #[error("it is no checkpoint of Beeline")]
    Foreign,
    /// A checkpoint in another format.
    #[error("it was written by another version of Beeline (format {0}, this one reads format {VERSION})")]
    Version(u32),
    /// The file was cut off or changed.
    #[error("it is damaged: something in it is missing or was changed")]
    Torn,
    /// The file is intact and belongs to another search.
    #[error("it belongs to another search: {0}")]
    Misfit(&'static str),
    /// The file is unreadable.
    #[error("{0}")]
    Unreadable(String),
}

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            Self::Torn
        } else {
            Self::Unreadable(error.to_string())
        }
    }
}

/// A checksum of blocks. All but the last must be multiples of eight bytes long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum(u64);

impl Sum {
    pub(crate) fn new() -> Self {
        Self(0x0BEE_11E5_0BEE_11E5)
    }

    pub(crate) fn block(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.word(u64::from_le_bytes(last));
            self.word(rest.len() as u64);
        }
    }

    #[inline]
    fn word(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(0x9FB2_1C65_1E98_DF25);
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

/// A 64-bit fingerprint of a text, the same in every run and on every machine.
pub fn fingerprint(text: &str) -> u64 {
    let mut sum = Sum::new();
    sum.block(text.as_bytes());
    sum.value()
}

/// Writes a checkpoint. It keeps the first error until the end, so that callers need not check each write.
#[derive(Debug)]
pub struct Out {
    file: File,
    buffer: Vec<u8>,
    sum: Sum,
    failed: Option<io::Error>,
}

impl Out {
    pub(super) fn new(file: File) -> Self {
        let mut out = Self { file, buffer: Vec::with_capacity(BLOCK), sum: Sum::new(), failed: None };
        out.bytes(MAGIC);
        out.u32(VERSION);
        out
    }

    /// Writes bytes.
    pub fn bytes(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() == BLOCK {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        self.sum.block(&self.buffer);
        if self.failed.is_none() {
            self.failed = self.file.write_all(&self.buffer).err();
        }
        self.buffer.clear();
    }

    /// Writes a number.
    pub fn u32(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    /// Writes a number.
    pub fn u64(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// Ends the file and syncs it to the disk.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.buffer.extend_from_slice(&self.sum.value().to_le_bytes());
        self.buffer.extend_from_slice(END);
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        self.file.write_all(&self.buffer)?;
        self.file.sync_all()
    }
}

/// Reads a checkpoint.
#[derive(Debug)]
pub struct In {
    file: BufReader<File>,
    left: u64,
    /// Held while an engine reads.
    pub(super) transfer: Option<Transfer>,
}

impl In {
    /// Opens a file and reads it through once to verify that it is intact.
    pub(super) fn open(path: &Path) -> Result<Self, Damage> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut head = Vec::new();
        Read::by_ref(&mut file).take(12).read_to_end(&mut head)?;
        let (magic, version) = head.split_at(head.len().min(MAGIC.len()));
        if magic.is_empty() || !MAGIC.starts_with(magic) {
            return Err(Damage::Foreign);
        }
        let version = version.try_into().map(u32::from_le_bytes).map_err(|_| Damage::Torn)?;
        if version != VERSION {
            return Err(Damage::Version(version));
        }
        let content = length.checked_sub(TRAILER).ok_or(Damage::Torn)?;
        file.rewind()?;
        verify(&mut file, content)?;
        file.rewind()?;
        let file = BufReader::with_capacity(BLOCK, file);
        let mut reader = Self { file, left: content, transfer: None };
        reader.bytes(&mut [0; 12])?;
        Ok(reader)
    }

    /// Reads bytes.
    pub fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), Damage> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(Damage::Torn)?;
        Ok(self.file.read_exact(bytes)?)
    }

    /// Reads a number.
    pub fn u32(&mut self) -> Result<u32, Damage> {
        let mut bytes = [0; 4];
        self.bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads a number.
    pub fn u64(&mut self) -> Result<u64, Damage> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads the number of items of this size that follow. More than the file can hold is damage.
    pub fn count(&mut self, size: usize) -> Result<usize, Damage> {
        let count = self.u64()?;
        let fits = count.checked_mul(size.max(1) as u64).is_some_and(|bytes| bytes <= self.left);
        if fits { Ok(count as usize) } else { Err(Damage::Torn) }
    }

    /// Reads a text.
    pub fn text(&mut self) -> Result<String, Damage> {
        let length = self.count(1)?;
        if length as u64 > LONGEST {
            return Err(Damage::Torn);
        }
        let mut bytes = vec![0; length];
        self.bytes(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| Damage::Torn)
    }

    /// Reads a number that must equal `wanted`. Otherwise the checkpoint belongs to another search.
    pub fn expect(&mut self, wanted: u64, what: &'static str) -> Result<(), Damage> {
        if self.u64()? == wanted { Ok(()) } else { Err(Damage::Misfit(what)) }
    }
}

/// Do checksum and end mark follow the first `content` bytes?
fn verify(file: &mut File, content: u64) -> Result<(), Damage> {
    let mut sum = Sum::new();
    let mut block = vec![0; BLOCK];
    let mut left = content;
    while left > 0 {
        let part = &mut block[..(BLOCK as u64).min(left) as usize];
        file.read_exact(part)?;
        sum.block(part);
        left -= part.len() as u64;
    }
    let mut trailer = [0; TRAILER as usize];
    file.read_exact(&mut trailer)?;
    let whole = trailer[..8] == sum.value().to_le_bytes() && trailer[8..] == *END;
    if whole { Ok(()) } else { Err(Damage::Torn) }
}
