//! Limits on requests.

use std::time::Duration;

/// The limits on requests. The server and the page in the browser each set their own.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The number of concurrent searches.
    pub runs: usize,
    /// Bytes of a request, which may hold several puzzles.
    pub body: usize,
    /// Bytes of one puzzle.
    pub puzzle: usize,
    /// Cells of one board.
    pub cells: usize,
    /// Puzzles read from one text. The rest is left out, and the answer says so.
    pub levels: usize,
    /// Steps of one game.
    pub steps: usize,
    /// The longest time of a search.
    pub time: Duration,
    /// The most memory of one search, in bytes.
    pub memory: usize,
    /// The most states in a search trace.
    pub states: usize,
}
