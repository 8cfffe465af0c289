//! `POST /api/stop`: ends a search of the same visitor, which then sends what it has found. A visitor who disconnects
//! also ends the search, but gets no answer.

use serde::{Deserialize, Serialize};

use crate::connections::Visitor;
use crate::runs::Runs;

#[derive(Deserialize)]
pub(crate) struct Question {
    /// The number from the event `begin`.
    run: u64,
}

#[derive(Serialize)]
pub(crate) struct Answer {
    /// Was there such a search?
    stopped: bool,
}

/// Stops a search.
pub(crate) fn stop(question: &Question, visitor: Visitor, runs: &Runs) -> Answer {
    Answer { stopped: runs.stop(visitor, question.run) }
}
