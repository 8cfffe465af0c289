//! How much visitors may ask for. The defaults are stated in docs/web.md; `beeline serve` sets some of them.

use std::time::Duration;

/// The least that requests and answers need: a few of the largest at one time.
const LEAST_BUFFERS: usize = 4 << 20;
/// The least memory for searches, so that each one can begin.
const LEAST_MEMORY: usize = 1 << 20;

/// What the server allows.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections open at one time. For one more, the connection that has waited longest for its visitor is closed.
    pub connections: usize,
    /// Searches at one time; one more is answered with 429.
    pub runs: usize,
    /// What one visitor from another machine may have of these.
    pub visitor: Quota,
    /// What the visitors on this machine may have of these together.
    pub local: Quota,
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
    /// The most memory of all searches together, in bytes.
    pub memory: usize,
    /// The most memory of all requests and answers together, in bytes.
    pub buffers: usize,
    /// The most states in the picture of a search.
    pub states: usize,
    /// How long a request may take to arrive, how long a connection may be idle, and how long a visitor may take nothing of an
    /// answer.
    pub stall_time: Duration,
    /// Bytes a second that a visitor takes of an answer; one who is `stall_time` behind this is shown out.
    pub rate: usize,
}

/// What one visitor may have at one time.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    /// Connections.
    pub connections: usize,
    /// Requests that have arrived and are not answered yet, searches included.
    pub requests: usize,
    /// Searches.
    pub runs: usize,
}

impl Quota {
    /// Everything that the server has.
    pub const ALL: Self = Self { connections: usize::MAX, requests: usize::MAX, runs: usize::MAX };
}

impl Limits {
    /// Divides `total` bytes: an eighth for requests and answers, the rest for searches.
    #[must_use]
    pub fn with_memory(self, total: usize) -> Self {
        let buffers = (total / 8).max(LEAST_BUFFERS);
        let memory = total.saturating_sub(buffers).max(LEAST_MEMORY);
        Self { memory, buffers, ..self }
    }

    /// What questions are held to.
    pub(crate) fn of_questions(&self) -> beeline_messages::Limits {
        beeline_messages::Limits {
            runs: self.runs,
            body: self.body,
            puzzle: self.puzzle,
            cells: self.cells,
            levels: self.levels,
            steps: self.steps,
            time: self.time,
            memory: self.memory_of_a_search(),
            states: self.states,
        }
    }

    /// The most memory that one search gets, in bytes: half of all, so that there is some for the next one.
    pub fn memory_of_a_search(&self) -> usize {
        if self.runs > 1 { self.memory / 2 } else { self.memory }
    }
}

impl Default for Limits {
    fn default() -> Self {
        let limits = Self {
            connections: 512,
            runs: 4,
            // A browser opens six connections; several people may share an address.
            visitor: Quota { connections: 128, requests: 32, runs: 2 },
            local: Quota::ALL,
            body: 256 << 10,
            puzzle: 32 << 10,
            cells: 4096,
            levels: 500,
            steps: 20_000,
            time: Duration::from_secs(60),
            memory: 0,
            buffers: 0,
            states: 50_000,
            stall_time: Duration::from_secs(10),
            // Half of what a slow mobile connection carries.
            rate: 8 << 10,
        };
        limits.with_memory(512 << 20)
    }
}
