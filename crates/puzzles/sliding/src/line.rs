//! Cache lines of entries, in three entry widths.
//!
//! An entry has three fields, from the lowest bit. Two bits hold the distance (1 to 3, so that no entry is 0). Three bits hold
//! the displacement from the home line (1 to 7, so that a free place matches nothing). The rest holds the bits of the number
//! that its line does not determine. Entries fill a line from the front.

/// Most lines between an entry and its home line.
pub(super) const FARTHEST: u64 = 6;
/// Bits of an entry besides those of the number.
const EXTRA: u32 = 5;

/// A cache line of entries.
pub(super) trait Line: Copy {
    const EMPTY: Self;
    /// The number of entries that fit.
    const PLACES: usize;
    /// Bits of a number that fit in an entry.
    const REST_BITS: u32;
    /// Is this entry here, whatever its distance? And how many entries are here?
    fn look(&self, entry: u64) -> (bool, usize);
    /// The number of entries here.
    fn used(&self) -> usize;
    fn get(&self, place: usize) -> u64;
    fn set(&mut self, place: usize, entry: u64);
}

/// Entries of four bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Narrow([u32; 16]);

impl Line for Narrow {
    const EMPTY: Self = Self([0; 16]);
    const PLACES: usize = 16;
    const REST_BITS: u32 = 32 - EXTRA;

    #[inline(always)]
    fn look(&self, entry: u64) -> (bool, usize) {
        let wanted = entry as u32;
        let (mut hits, mut used) = (0u32, 0u32);
        for &here in &self.0 {
            hits |= u32::from(here & !3 == wanted);
            used += u32::from(here != 0);
        }
        (hits != 0, used as usize)
    }

    #[inline(always)]
    fn used(&self) -> usize {
        self.0.iter().map(|&e| u32::from(e != 0)).sum::<u32>() as usize
    }

    #[inline(always)]
    fn get(&self, place: usize) -> u64 {
        u64::from(self.0[place])
    }

    #[inline(always)]
    fn set(&mut self, place: usize, entry: u64) {
        self.0[place] = entry as u32;
    }
}

/// Entries of five bytes; the highest byte of each is stored separately.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Middle {
    low: [u32; 12],
    high: [u8; 12],
}

impl Line for Middle {
    const EMPTY: Self = Self { low: [0; 12], high: [0; 12] };
    const PLACES: usize = 12;
    const REST_BITS: u32 = 40 - EXTRA;

    #[inline(always)]
    fn look(&self, entry: u64) -> (bool, usize) {
        let (low, high) = (entry as u32, (entry >> 32) as u8);
        let (mut hits, mut used) = (0u32, 0u32);
        for (&here, &top) in self.low.iter().zip(&self.high) {
            hits |= u32::from(here & !3 == low) & u32::from(top == high);
            used += u32::from(here != 0);
        }
        (hits != 0, used as usize)
    }

    #[inline(always)]
    fn used(&self) -> usize {
        self.low.iter().map(|&e| u32::from(e != 0)).sum::<u32>() as usize
    }

    #[inline(always)]
    fn get(&self, place: usize) -> u64 {
        u64::from(self.low[place]) | u64::from(self.high[place]) << 32
    }

    #[inline(always)]
    fn set(&mut self, place: usize, entry: u64) {
        self.low[place] = entry as u32;
        self.high[place] = (entry >> 32) as u8;
    }
}

/// Entries of eight bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Wide([u64; 8]);

impl Line for Wide {
    const EMPTY: Self = Self([0; 8]);
    const PLACES: usize = 8;
    const REST_BITS: u32 = 64 - EXTRA;

    #[inline(always)]
    fn look(&self, entry: u64) -> (bool, usize) {
        let (mut hits, mut used) = (0u32, 0u32);
        for &here in &self.0 {
            hits |= u32::from(here & !3 == entry);
            used += u32::from(here != 0);
        }
        (hits != 0, used as usize)
    }

    #[inline(always)]
    fn used(&self) -> usize {
        self.0.iter().map(|&e| u32::from(e != 0)).sum::<u32>() as usize
    }

    #[inline(always)]
    fn get(&self, place: usize) -> u64 {
        self.0[place]
    }

    #[inline(always)]
    fn set(&mut self, place: usize, entry: u64) {
        self.0[place] = entry;
    }
}
