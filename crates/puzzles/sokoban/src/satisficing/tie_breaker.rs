//! Seeded tie-breaking.

/// Random numbers that order equal moves (xorshift). Seed 0 gives only zeros, which keeps the order of
/// generation; [`Random`](beeline_search::Random) does not.
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
