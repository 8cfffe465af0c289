//! Bit gather and scatter: BMI2 instructions where the processor has them, otherwise portable code.
//!
//! The search is compiled for both, and one is selected at run time. BMI2 processors also have a population count instruction,
//! which the search uses everywhere and portable builds must emulate.
#![allow(unsafe_code)]

/// Bit gathering and scattering.
pub(super) trait Bits {
    /// The bits under the mask, moved together at the lower end.
    fn gather(bits: u64, mask: u64) -> u64;
    /// A set of gaps after removing the cells `taken`, which must be in it, and inserting the cells `given`; the others keep
    /// their order.
    fn moved(set: u32, taken: u32, given: u32) -> u32;
}

/// The portable implementation.
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
        // Bits above a removed cell move down; bits at or above an inserted one move up.
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

/// The BMI2 implementation; only [`on_this_processor`] may select it.
#[cfg(target_arch = "x86_64")]
pub(super) struct Native(());

#[cfg(target_arch = "x86_64")]
impl Bits for Native {
    #[inline(always)]
    fn gather(bits: u64, mask: u64) -> u64 {
        // SAFETY: selected only on processors with this instruction.
        unsafe { std::arch::x86_64::_pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn moved(set: u32, taken: u32, given: u32) -> u32 {
        // SAFETY: selected only on processors with these instructions.
        unsafe { std::arch::x86_64::_pdep_u32(std::arch::x86_64::_pext_u32(set, !taken), !given) | given }
    }
}

/// A computation that is generic over the implementation.
pub(super) trait Work {
    /// Its result.
    type Output;
    /// Runs it. Must be inlined with everything that it calls, so as to be compiled for the processor.
    fn work<B: Bits>(self) -> Self::Output;
}

/// Runs the work with the best implementation for this processor.
pub(super) fn on_this_processor<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has the features that the function is compiled for.
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
