//! The one hint to the processor that the engine gives: "this line will be wanted soon".
//!
//! A search through a space larger than the cache spends its time waiting for memory. Asking for several lines before
//! reading the first lets the waits overlap. Nothing here changes a result.
#![allow(unsafe_code)]

/// Asks for the cache line of `slice[index]`; an index out of bounds asks for nothing.
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
