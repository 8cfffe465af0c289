//! The limits on visitors. docs/web.md states the defaults; `beeline serve` sets some of them.

use std::time::Duration;

/// The least memory for requests and answers, in bytes: enough for a few of the largest at one time.
const LEAST_BUFFERS: usize = 4 << 20;
/// The least memory for searches, in bytes, so that each one can begin.
const LEAST_MEMORY: usize = 1 << 20;

/// The limits of the server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Concurrent connections. For one more, the connection that has waited longest for its visitor is closed.
    pub connections: usize,
    /// Concurrent searches. One more is answered with 429.
    pub runs: usize,
    /// The quota of a visitor from another machine.
    pub visitor: Quota,
    /// The common quota of all visitors on this machine.
    pub local: Quota,
    /// Bytes of a request body, which may hold several puzzles.
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
    /// The most memory of all searches together, in bytes.
    pub memory: usize,
    /// The most memory of all requests and answers together, in bytes.
    pub buffers: usize,
    /// The most states in a search trace.
    pub states: usize,
    /// The longest time for a request to arrive, for a connection to be idle, and for a visitor to read nothing of an
    /// answer.
    pub stall_time: Duration,
    /// Bytes per second at which a visitor must read an answer. A visitor that is `stall_time` behind is disconnected.
    pub rate: usize,
}

/// The most that one visitor may use at one time.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    /// Connections.
    pub connections: usize,
    /// Requests that have arrived and are not yet answered, searches included.
    pub requests: usize,
    /// Searches.
    pub runs: usize,
}

impl Quota {
    /// No limit besides those of the server.
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

    /// The limits on requests.
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

    /// The most memory of one search, in bytes: half of all, so that the next one gets some.
    pub fn memory_of_a_search(&self) -> usize {
        if self.runs > 1 { self.memory / 2 } else { self.memory }
    }
}

impl Default for Limits {
    fn default() -> Self {
        let limits = Self {
            connections: 512,
            runs: 4,
            // A browser opens six connections, and several people may share an address.
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
            // Half of the rate of a slow mobile connection.
            rate: 8 << 10,
        };
        limits.with_memory(512 << 20)
    }
}
