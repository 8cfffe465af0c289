//! How much a visitor may ask for. The defaults are stated in docs/web.md; `beeline serve` sets some of them.

use std::time::Duration;

/// What the server allows.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections open at one time; more wait to be accepted.
    pub connections: usize,
    /// Searches at one time; one more is answered with 429.
    pub runs: usize,
    /// Bytes of a request body, which may hold a pack of puzzles.
    pub body: usize,
    /// Bytes of one puzzle.
    pub puzzle: usize,
    /// Cells of one board.
    pub cells: usize,
    /// Puzzles read from one pack; the rest is left out, and the answer says so.
    pub levels: usize,
    /// Steps of one game.
    pub steps: usize,
    /// The longest time of a search.
    pub time: Duration,
    /// The most memory of a search, in bytes.
    pub memory: usize,
    /// The most states in the picture of a search.
    pub states: usize,
    /// How long a request may take to arrive, and how long a connection may be idle.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            runs: 4,
            body: 256 << 10,
            puzzle: 32 << 10,
            cells: 4096,
            levels: 500,
            steps: 20_000,
            time: Duration::from_mins(1),
            memory: 512 << 20,
            states: 50_000,
            patience: Duration::from_secs(10),
        }
    }
}
