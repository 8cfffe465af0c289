//! The module's memory, with a limit that leaves room for a final report.
//!
//! A browser may refuse memory long before the 4 GiB that an address can name, and a refused allocation ends a module. What grows
//! with a search is allocated fallibly and becomes `Stopped(memory)`. Everything else may use a reserve: small allocations
//! succeed after large ones are refused.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Allocations below this many bytes may use the reserve. Tables and arenas of a search that runs out of memory are larger.
const SMALL: usize = 64 << 10;
/// Bytes reserved for small allocations.
const RESERVE: usize = 16 << 20;

#[global_allocator]
static MEMORY: Limited =
    Limited { used: AtomicUsize::new(0), limit: AtomicUsize::new(2 << 30), refused: AtomicUsize::new(0) };

/// An allocator that counts bytes and refuses what exceeds the limit.
struct Limited {
    used: AtomicUsize,
    limit: AtomicUsize,
    /// The number of refused allocations.
    refused: AtomicUsize,
}

impl Limited {
    fn admits(&self, bytes: usize, more: usize) -> bool {
        let limit = self.limit.load(Ordering::Relaxed);
        let room = if bytes < SMALL { limit.saturating_add(RESERVE) } else { limit };
        let fits = self.used.load(Ordering::Relaxed).saturating_add(more) <= room;
        if !fits {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
        fits
    }

    fn given(&self, start: *mut u8, more: usize) -> *mut u8 {
        let count = if start.is_null() { &self.refused } else { &self.used };
        count.fetch_add(if start.is_null() { 1 } else { more }, Ordering::Relaxed);
        start
    }
}

// SAFETY: every call is passed to the system's allocator or refused.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !self.admits(layout.size(), layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's layout.
        self.given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !self.admits(layout.size(), layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's layout.
        self.given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        self.used.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's memory and layout.
        unsafe { System.dealloc(start, layout) }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let more = size.saturating_sub(layout.size());
        if !self.admits(size, more) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's memory, layout and size.
        let grown = unsafe { System.realloc(start, layout, size) };
        if !grown.is_null() {
            self.used.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        self.given(grown, size)
    }
}

/// Sets the most bytes that the module may allocate.
#[unsafe(no_mangle)]
extern "C" fn limit_memory(bytes: usize) {
    MEMORY.limit.store(bytes, Ordering::Relaxed);
}

/// The number of refused allocations. If a request ends without an answer, this shows whether memory was the reason.
#[unsafe(no_mangle)]
extern "C" fn refusals() -> usize {
    MEMORY.refused.load(Ordering::Relaxed)
}
