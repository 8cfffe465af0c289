//! Prefetching of cache lines.
//!
//! A search through a space larger than the cache mostly waits for memory. Prefetching several lines before reading the first
//! lets the waits overlap. Nothing here changes a result.
#![allow(unsafe_code)]

/// Prefetches the cache line of `slice[index]`; does nothing if the index is out of bounds.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    if let Some(place) = slice.get(index) {
        let address = std::ptr::from_ref(place).cast::<i8>();
        // SAFETY: a prefetch reads nothing and may be given any address; this one is inside a live slice besides.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = address;
    }
}
