//! Memory from the system: the hint for large pages, and zeroed pages.
//!
//! With pages of 4 kB, nearly every look-up in a table of hundreds of megabytes misses the TLB too. A system without large
//! pages ignores the hint. Nothing here changes a result.
#![allow(unsafe_code)]

use std::alloc::Layout;

/// Bytes below which large pages gain nothing.
const LARGE: usize = 4 << 20;

/// Asks for large pages for the memory of a vector, used or not.
pub fn advise<T>(vec: &Vec<T>) {
    advise_memory(vec.as_ptr().cast(), vec.capacity().saturating_mul(size_of::<T>()));
}

/// Asks for large pages for the memory of a slice.
pub fn advise_slice<T>(slice: &[T]) {
    advise_memory(slice.as_ptr().cast(), size_of_val(slice));
}

/// Zeroed memory. The system makes each page on first write, so a large array takes no time. `None` if the system refuses.
pub(crate) fn zeroed<T: Zero>(len: usize) -> Option<Vec<T>> {
    if len == 0 {
        return Some(Vec::new());
    }
    let layout = Layout::array::<T>(len).ok()?;
    // SAFETY: the layout is not empty: `len` is not zero and `T` has a size.
    let start = unsafe { std::alloc::alloc_zeroed(layout) };
    if start.is_null() {
        return None;
    }
    let zeros = std::ptr::slice_from_raw_parts_mut(start.cast::<T>(), len);
    // SAFETY: the memory was allocated with the layout of `len` numbers and is ours. Zero bytes are a valid number.
    Some(unsafe { Box::from_raw(zeros) }.into_vec())
}

/// A number that takes room and whose bytes may all be zero.
pub trait Zero: private::Sealed {}

impl Zero for u8 {}
impl Zero for u64 {}

mod private {
    /// Sealed: only the types of this module are zero when their bytes are.
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for u64 {}
}

#[cfg(target_os = "linux")]
fn advise_memory(start: *const u8, bytes: usize) {
    const PAGE: usize = 4096;
    if bytes < LARGE {
        return;
    }
    // Advises all pages that hold some of the memory. Without the first or the last page the system would keep two mappings. It
    // could then not grow the memory by moving pages: growing would copy and briefly take twice the memory.
    let before = start.addr() % PAGE;
    let length = (before + bytes).next_multiple_of(PAGE);
    // SAFETY: the caller owns memory on every page. The advice changes neither contents nor protection of pages. The system may
    // refuse it, which does no harm.
    unsafe {
        libc::madvise(start.wrapping_sub(before).cast_mut().cast(), length, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_memory(_: *const u8, _: usize) {}

#[cfg(test)]
mod tests {
    #[test]
    fn what_was_there_stays_there() {
        let mut vec: Vec<u64> = Vec::with_capacity(3 << 20);
        vec.extend(0..1 << 20);
        super::advise(&vec);
        super::advise_slice(&vec);
        vec.extend(1 << 20..3 << 20);
        assert!(vec.iter().enumerate().all(|(i, &n)| i as u64 == n));
        super::advise(&Vec::<u64>::new());
        super::advise_slice(&[(); 8]);
    }

    #[test]
    fn zeroed_memory_is_zero_and_an_impossible_request_is_none() {
        assert!(
            super::zeroed::<u64>(100_000)
                .is_some_and(|words| words.len() == 100_000 && words.iter().all(|&w| w == 0))
        );
        assert_eq!((super::zeroed::<u8>(0), super::zeroed::<u8>(usize::MAX / 2)), (Some(Vec::new()), None));
    }
}
