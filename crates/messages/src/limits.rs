//! How much a question may ask for.

use std::time::Duration;

/// What questions are held to. The server and the page in the browser each set their own.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Searches at one time.
    pub runs: usize,
    /// Bytes of a request, which may hold a pack of puzzles.
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
    /// The most memory of one search, in bytes.
    pub memory: usize,
    /// The most states in the picture of a search.
    pub states: usize,
}
