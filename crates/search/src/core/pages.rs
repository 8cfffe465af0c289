//! Memory straight from the system: the hint "this will be used all over, give it large pages", and pages of zeros.
//!
//! A table of hundreds of megabytes in pages of 4 kB makes nearly every look-up wait for the address of its page as well. A
//! system that knows no large pages gives small ones, which hold the same. Nothing here changes a result.
#![allow(unsafe_code)]

use std::alloc::Layout;

/// Memory smaller than this gains nothing.
const LARGE: usize = 4 << 20;

/// Asks for large pages for the memory of a vector, used or not.
pub fn advise<T>(vec: &Vec<T>) {
    advise_memory(vec.as_ptr().cast(), vec.capacity().saturating_mul(size_of::<T>()));
}

/// Asks for large pages for the memory of a slice.
pub fn advise_slice<T>(slice: &[T]) {
    advise_memory(slice.as_ptr().cast(), size_of_val(slice));
}

/// Memory that is zero: the system makes a page when it is first written, so a large array takes no time to make. `None` if there
/// is not so much.
pub(crate) fn zeroed<T: Zero>(len: usize) -> Option<Vec<T>> {
    if len == 0 {
        return Some(Vec::new());
    }
    let layout = Layout::array::<T>(len).ok()?;
    // SAFETY: the layout is not empty, for no such number is.
    let start = unsafe { std::alloc::alloc_zeroed(layout) };
    if start.is_null() {
        return None;
    }
    let zeros = std::ptr::slice_from_raw_parts_mut(start.cast::<T>(), len);
    // SAFETY: the memory was allocated with the layout of so many numbers and is ours, and zeros are numbers.
    Some(unsafe { Box::from_raw(zeros) }.into_vec())
}

/// A number that takes room and whose bytes may all be zero.
pub trait Zero: private::Sealed {}

impl Zero for u8 {}
impl Zero for u64 {}

mod private {
    /// Only the types of this module are zero when their bytes are.
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
    // All pages that hold some of it. Were the first or the last left out, the system would keep two mappings for it, and could not
    // grow it by moving its pages: growing would copy, and for that moment take twice the memory.
    let before = start.addr() % PAGE;
    let length = (before + bytes).next_multiple_of(PAGE);
    // SAFETY: every page holds memory that the caller owns, and this advice leaves contents and protection of pages as they are;
    // it may be refused, which is as good.
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
