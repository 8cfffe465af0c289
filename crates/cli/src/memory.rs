//! The memory of the process: how freed memory returns to the system, and what happens when memory runs out.
//!
//! A search requests memory in ways that can fail, and ends with a report if they do. Other allocations (arguments,
//! pictures, the standard library) cannot fail in Rust: the process aborts. A process with a limited address space
//! must not die by a signal. So such an abort ends it with the exit code of the memory limit.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

#[global_allocator]
static ALLOCATOR: RecordingAllocator = RecordingAllocator;

/// Did the system ever refuse memory? If so, an abort is due to lack of memory.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// The system's allocator, which also records refused requests.
struct RecordingAllocator;

#[inline(always)]
fn record_refusal(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        REFUSED.store(true, Ordering::Relaxed);
    }
    memory
}

// SAFETY: every call and its result are passed through unchanged.
unsafe impl GlobalAlloc for RecordingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract, which is the same.
        record_refusal(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract, which is the same.
        record_refusal(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller fulfils the contract, which is the same.
        record_refusal(unsafe { System.realloc(memory, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfils the contract, which is the same.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Sets up the allocator and the abort handler. Every command calls this first.
pub fn prepare() {
    set_mmap_threshold();
    install_abort_handler();
}

/// Blocks of at least this many bytes are mapped individually and return to the system when they are freed. Growing
/// them moves pages and copies nothing. So the process holds what a search has booked. By default the C library
/// raises this threshold up to 32 MiB as large blocks are freed, and keeps the memory. A table in 64 parts, as in
/// Sokoban, grows through blocks of 16 to 64 KiB. With a threshold of 128 KiB, half of the heap was holes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MMAP_THRESHOLD: i32 = 32 << 10;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn set_mmap_threshold() {
    // SAFETY: this sets a parameter of the allocator before there are other threads. If it fails, the default stays.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn set_mmap_threshold() {}

#[cfg(unix)]
fn install_abort_handler() {
    let handler: extern "C" fn(libc::c_int) = on_abort;
    // SAFETY: the handler calls only `write` and `_exit`, which are async-signal-safe.
    unsafe {
        libc::signal(libc::SIGABRT, handler as libc::sighandler_t);
    }
}

#[cfg(not(unix))]
fn install_abort_handler() {}

#[cfg(unix)]
extern "C" fn on_abort(_: libc::c_int) {
    const MESSAGE: &[u8] = b"error: there is not enough memory to go on\n";
    if REFUSED.load(Ordering::Relaxed) {
        let code = i32::from(crate::commands::Exit::Memory.code());
        // SAFETY: the message is valid for its length, and nothing follows `_exit`.
        unsafe {
            libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
            libc::_exit(code);
        }
    }
    // Any other abort has another cause. After this function, the system ends the process.
}
