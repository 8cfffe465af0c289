//! Bits gathered and scattered by a mask: with the processor's own instructions where it has them, else without.
//!
//! The search is compiled for both; which of the two runs is decided once. That processor also counts bits at once, which
//! the search does all the time and programs for every processor must do step by step.
#![allow(unsafe_code)]

/// How bits are gathered and scattered.
pub(super) trait Bits {
    /// The bits under the mask, side by side at the lower end.
    fn gather(bits: u64, mask: u64) -> u64;
    /// A set of gaps after these cells, which must be in it, are taken away, and these given; the others keep their order.
    fn moved(set: u32, taken: u32, given: u32) -> u32;
}

/// On every processor.
pub(super) struct Plain;

impl Bits for Plain {
    #[inline(always)]
    fn gather(bits: u64, mask: u64) -> u64 {
        let (mut gathered, mut left) = (0, bits & mask);
        while left != 0 {
            let lower = (left & left.wrapping_neg()) - 1;
            left &= left - 1;
            gathered |= 1 << (mask & lower).count_ones();
        }
        gathered
    }

    #[inline(always)]
    fn moved(mut set: u32, mut taken: u32, mut given: u32) -> u32 {
        // What is above a cell that is taken moves down, what is at or above one that is given moves up.
        while taken != 0 {
            let top = 1 << taken.ilog2();
            taken ^= top;
            set = set & (top - 1) | (set >> 1) & !(top - 1);
        }
        while given != 0 {
            let lowest = given & given.wrapping_neg();
            given ^= lowest;
            set = set & (lowest - 1) | (set & !(lowest - 1)) << 1 | lowest;
        }
        set
    }
}

/// On processors of this family that have the instructions; only [`on_this_processor`] may choose it.
#[cfg(target_arch = "x86_64")]
pub(super) struct Native(());

#[cfg(target_arch = "x86_64")]
impl Bits for Native {
    #[inline(always)]
    fn gather(bits: u64, mask: u64) -> u64 {
        // SAFETY: only chosen where the processor was asked for this instruction.
        unsafe { std::arch::x86_64::_pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn moved(set: u32, taken: u32, given: u32) -> u32 {
        // SAFETY: only chosen where the processor was asked for these instructions.
        unsafe { std::arch::x86_64::_pdep_u32(std::arch::x86_64::_pext_u32(set, !taken), !given) | given }
    }
}

/// Something to be done by whichever way there is.
pub(super) trait Work {
    /// What comes of it.
    type Output;
    /// Does it. Must be inlined with everything that it calls, so as to be compiled for the processor.
    fn work<B: Bits>(self) -> Self::Output;
}

/// Does it the best way on this processor.
pub(super) fn on_this_processor<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { natively(work) };
    }
    work.work::<Plain>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn natively<W: Work>(work: W) -> W::Output {
    work.work::<Native>()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Compare;

    impl Work for Compare {
        type Output = ();
        fn work<B: Bits>(self) {
            let mut random = beeline_search::random::Random::new(7);
            for _ in 0..10_000 {
                let (bits, mask) = (random.bits(), random.bits() & random.bits());
                assert_eq!(B::gather(bits, mask), Plain::gather(bits, mask));
                let (set, given) =
                    (random.bits() as u32 >> 8, random.bits() as u32 >> 8 & random.bits() as u32);
                let taken = set & random.bits() as u32;
                assert_eq!(B::moved(set, taken, given), Plain::moved(set, taken, given));
            }
        }
    }

    #[test]
    fn both_ways_are_the_same() {
        on_this_processor(Compare);
    }

    #[test]
    fn cells_are_taken_and_given_in_order() {
        assert_eq!(Plain::moved(0b1011_0110, 0b0010_0010, 0), 0b10_1010);
        assert_eq!(Plain::moved(0b10_1010, 0, 0b0010_0010), 0b1011_0110);
        assert_eq!((Plain::moved(1, 1, 0), Plain::moved(0, 0, 1), Plain::moved(5, 0, 0)), (0, 1, 5));
        assert_eq!(Plain::gather(0b1010_0110, 0b1110_0011), 0b10110);
    }
}
