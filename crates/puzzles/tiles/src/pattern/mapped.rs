//! Bytes in memory, or a part of a file mapped into memory.
//!
//! Tables of hundreds of megabytes are mapped, so that programs share them and only the pages used are read. Tables with random
//! look-ups lie in huge pages where the system has them: otherwise nearly every look-up would also miss the TLB. Without the
//! feature `files` all bytes are in memory.

use std::fs::File;
use std::io;
use std::ops::Deref;

pub use pages::{Pages, frozen, map, zeroed};

/// Bytes from either source.
#[derive(Debug)]
pub enum Bytes {
    /// In this process's memory.
    Owned(Vec<u8>),
    /// In a file.
    Mapped(Pages),
}

impl Bytes {
    /// Bytes in memory.
    pub fn owned(bytes: Vec<u8>) -> Self {
        Self::Owned(bytes)
    }
}

impl Deref for Bytes {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

#[cfg(feature = "files")]
mod pages {
    #![allow(unsafe_code)]

    use super::{File, io};
    pub use memmap2::Mmap as Pages;
    use memmap2::{MmapMut, MmapOptions};

    /// Maps `length` bytes of a file from `offset` on; a file that is shorter is an error.
    pub fn map(file: &File, offset: usize, length: usize) -> io::Result<Pages> {
        let end = (offset + length) as u64;
        if length == 0 || file.metadata()?.len() < end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: the map is only read. We never write files in the cache folder in place: a rename replaces the old file, so a
        // mapped one keeps its content. Another program that truncates a mapped file can end this process, as with any
        // memory-mapped program. Entries are plain numbers, so changed bytes cause no further unsoundness.
        unsafe { MmapOptions::new().offset(offset as u64).len(length).map(file) }
    }

    /// A writable array of zeros, in huge pages if there are any; `None` without memory.
    pub fn zeroed(length: usize) -> Option<MmapMut> {
        let pages = MmapMut::map_anon(length.max(1)).ok()?;
        beeline_search::pages::advise_slice(&pages);
        Some(pages)
    }

    /// Makes pages read-only; `None` if the system refuses.
    pub fn frozen(pages: MmapMut) -> Option<Pages> {
        pages.make_read_only().ok()
    }
}

#[cfg(not(feature = "files"))]
mod pages {
    use super::{File, io};
    /// A table, read into memory.
    pub type Pages = Vec<u8>;

    /// Fails: this build has no files.
    pub fn map(_: &File, _: usize, _: usize) -> io::Result<Pages> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// A writable array of zeros; `None` without memory.
    pub fn zeroed(length: usize) -> Option<Pages> {
        beeline_search::memory::Ledger::new(None).zeroed(length).ok()
    }

    /// Makes pages read-only.
    pub fn frozen(pages: Pages) -> Option<Pages> {
        Some(pages)
    }
}
