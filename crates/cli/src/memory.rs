//! The memory of the process: how the allocator gives it back, and what happens when there is none left.
//!
//! A search asks for memory in ways that can fail, and ends with a report when they do. What everything else needs (arguments,
//! pictures, the standard library) cannot fail in Rust: the process is aborted. A process whose address space is limited must
//! not die by a signal, so such an abort ends it with the exit code of the memory limit instead.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

#[global_allocator]
static ALLOCATOR: Noting = Noting;

/// Did the system ever refuse a request for memory? An abort after that is for want of memory.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// The system's allocator; it notes when memory is refused.
struct Noting;

#[inline(always)]
fn noted(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        REFUSED.store(true, Ordering::Relaxed);
    }
    memory
}

// SAFETY: every call is handed on to the system's allocator as it came, and its answer handed back.
unsafe impl GlobalAlloc for Noting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is the same.
        noted(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is the same.
        noted(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is the same.
        noted(unsafe { System.realloc(memory, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// To be called first by every command.
pub fn prepare() {
    give_back_at_once();
    end_without_a_signal();
}

/// Blocks of this many bytes and more come from the system one by one and go back to it when they are freed; growing them moves pages
/// and copies nothing. So what a search has booked is what the process holds. By default the C library raises this bound as
/// large blocks are freed, up to 32 MiB, and keeps them. A table in 64 parts, as Sokoban has it, grows through blocks of 16 to 64 KiB: with
/// a bound of 128 KiB half of the heap was holes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const BLOCK: i32 = 32 << 10;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back_at_once() {
    // SAFETY: it sets a number of the allocator, before there are other threads. If it is refused, the default stays.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, BLOCK);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back_at_once() {}

#[cfg(unix)]
fn end_without_a_signal() {
    let handler: extern "C" fn(libc::c_int) = on_abort;
    // SAFETY: the handler calls nothing but `write` and `_exit`, which a signal handler may.
    unsafe {
        libc::signal(libc::SIGABRT, handler as libc::sighandler_t);
    }
}

#[cfg(not(unix))]
fn end_without_a_signal() {}

#[cfg(unix)]
extern "C" fn on_abort(_: libc::c_int) {
    const MESSAGE: &[u8] = b"error: there is not enough memory to go on\n";
    if REFUSED.load(Ordering::Relaxed) {
        let code = i32::from(crate::commands::Exit::Memory.code());
        // SAFETY: the message is valid for its length; nothing comes after `_exit`.
        unsafe {
            libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
            libc::_exit(code);
        }
    }
    // Any other abort is none of ours: after this the system ends the process.
}
