//! Bytes that are owned, or part of a file that the system maps into memory.
//!
//! Tables of hundreds of megabytes are mapped, so that several programs share them and only what is looked up is read.
//! Tables made for look-ups all over them lie in huge pages, where the system has them: otherwise nearly every look-up
//! would also wait for the address of its page. Without the feature `files` there are only bytes of our own.

use std::fs::File;
use std::io;
use std::ops::Deref;

pub use pages::{Pages, frozen, map, zeroed};

/// Bytes from either source.
#[derive(Debug)]
pub enum Bytes {
    /// In our own memory.
    Owned(Vec<u8>),
    /// In a file.
    Mapped(Pages),
}

impl Bytes {
    /// Bytes of our own.
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
        // SAFETY: the map is only read. Files in the cache folder are never written in place by us: a new one replaces
        // the old by renaming, so the mapped one keeps its content. Somebody else who cuts a mapped file short can end
        // this process, as with any memory-mapped program; entries are plain numbers, so changed bytes are no unsoundness
        // beyond that.
        unsafe { MmapOptions::new().offset(offset as u64).len(length).map(file) }
    }

    /// So many zeros to be written to, in huge pages if there are any; `None` without memory.
    pub fn zeroed(length: usize) -> Option<MmapMut> {
        let pages = MmapMut::map_anon(length.max(1)).ok()?;
        beeline_search::pages::advise_slice(&pages);
        Some(pages)
    }

    /// Pages that are written no more; `None` if the system does not agree.
    pub fn frozen(pages: MmapMut) -> Option<Pages> {
        pages.make_read_only().ok()
    }
}

#[cfg(not(feature = "files"))]
mod pages {
    use super::{File, io};
    /// A table, read into memory.
    pub type Pages = Vec<u8>;

    /// There are no files.
    pub fn map(_: &File, _: usize, _: usize) -> io::Result<Pages> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// So many zeros to be written to; `None` without memory.
    pub fn zeroed(length: usize) -> Option<Pages> {
        beeline_search::memory::Ledger::new(None).zeroed(length).ok()
    }

    /// Pages that are written no more.
    pub fn frozen(pages: Pages) -> Option<Pages> {
        Some(pages)
    }
}
