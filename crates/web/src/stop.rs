//! `POST /api/stop`: a search of the same visitor ends, and tells what it has found so far. A visitor who just leaves ends it, too, and
//! hears nothing.

use serde::{Deserialize, Serialize};

use crate::connections::Visitor;
use crate::runs::Runs;

#[derive(Deserialize)]
pub(crate) struct Question {
    /// The number that the event `begin` brought.
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
