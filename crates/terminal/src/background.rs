//! A search in its own thread, which ends when its result is no longer needed.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use beeline_puzzle::{Job, Puzzle};
use beeline_search::{Budget, Cancel, Verdict};

/// The result of a search for a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A plan, and whether it is proved shortest.
    Plan { steps: Vec<String>, shortest: bool },
    /// There is no plan, and that is proved.
    Impossible,
    /// No plan was found; the reason in a few words.
    Unknown(String),
}

/// A running search. Dropping it cancels the search.
pub(crate) struct Worker {
    cancel: Cancel,
    answer: Receiver<Answer>,
}

impl Worker {
    /// Starts a search for the best plan of this puzzle.
    pub(crate) fn start(puzzle: Box<dyn Puzzle>, budget: &Budget) -> Self {
        let cancel = Cancel::default();
        let budget = Budget { cancel: cancel.clone(), ..budget.clone() };
        let (send, answer) = channel();
        std::thread::spawn(move || {
            // The receiver may be gone. Then the answer is not needed.
            let _ = send.send(solve(&*puzzle, &budget));
        });
        Self { cancel, answer }
    }

    /// The answer, once the search has ended.
    pub(crate) fn answer(&self) -> Option<Answer> {
        match self.answer.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            // The thread ended without an answer. That is a bug of ours, and the game goes on.
            Err(TryRecvError::Disconnected) => Some(Answer::Unknown("the solver broke".to_owned())),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

fn solve(puzzle: &dyn Puzzle, budget: &Budget) -> Answer {
    let outcome = match puzzle.solve(&Job::default(), budget, &mut ()) {
        Ok(outcome) => outcome,
        Err(why) => return Answer::Unknown(why.to_string()),
    };
    match outcome.verdict {
        Verdict::Solved(plan) => Answer::Plan { shortest: plan.is_optimal(), steps: plan.moves },
        Verdict::Exhausted => Answer::Impossible,
        Verdict::GaveUp => Answer::Unknown("the solver found no plan".to_owned()),
        Verdict::Stopped(limit) => Answer::Unknown(format!("the {} limit was reached", limit.name())),
    }
}
