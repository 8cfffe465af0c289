//! Sixteen tags compared at once.
//!
//! Every x86-64 processor has the instructions, but calling them is unsafe, hence this module. Auto-vectorised code takes five
//! times as many instructions for the comparison, the most frequent operation of a table.
#![allow(unsafe_code)]

/// The tags that are `tag`, as bits.
#[inline(always)]
pub(super) fn matches(tags: &[u8; 16], tag: u8) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8};
        // SAFETY: SSE2 is part of x86-64; the load reads the sixteen bytes of `tags` and asks for no alignment.
        unsafe {
            let tags = _mm_loadu_si128(tags.as_ptr().cast());
            _mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8(tag as i8))) as u32
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    plain(tags, tag)
}

/// The same in portable code.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn plain(tags: &[u8; 16], tag: u8) -> u32 {
    tags.iter().rev().fold(0, |hits, &t| hits << 1 | u32::from(t == tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_found() {
        let mut random = crate::Random::new(7);
        for _ in 0..10_000 {
            let tags: [u8; 16] = std::array::from_fn(|_| random.below(4) as u8 * 85);
            for tag in [0, 1, 85, 170, 255] {
                assert_eq!(matches(&tags, tag), plain(&tags, tag));
            }
        }
        assert_eq!(matches(&[9; 16], 9), 0xFFFF);
    }
}
