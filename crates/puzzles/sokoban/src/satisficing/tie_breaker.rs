//! Seeded tie-breaking.

/// Random numbers that order equally good moves (xorshift). Seed 0 gives only zeros, which keeps the order of generation; that is why this
/// is not [`Random`](beeline_search::Random).
#[derive(Clone, Copy, Debug)]
pub(crate) struct TieBreaker(pub(crate) u64);

impl TieBreaker {
    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
