//! The result of a search, after the check.

use beeline_api::answer::{Ending, checker, default_objective, default_solver};
use beeline_api::figures::Figures;
use beeline_puzzles::{Job, Puzzle};
use beeline_search::Outcome;
use serde::Serialize;

/// The answer to a finished search.
#[derive(Serialize)]
pub(crate) struct Answer {
    /// `solved`, `unsolvable`, `gave up`, `stopped` or `rejected`.
    pub(crate) verdict: &'static str,
    /// For `stopped`, and for a plan without proof: the limit. For `rejected`: the checker's message.
    reason: Option<String>,
    strategy: String,
    objective: String,
    plan: Option<Plan>,
    /// The tables that the solver used last; "none" if it could have used some.
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<String>,
    stats: Figures,
}

/// A plan that the checker accepted.
#[derive(Serialize)]
struct Plan {
    steps: Vec<String>,
    written: String,
    cost: u64,
    lower_bound: u64,
    checked: bool,
}

/// Checks the outcome of a search. A plan that the checker rejects is left out.
pub(crate) fn answer(puzzle: &dyn Puzzle, job: &Job, outcome: Outcome<String>) -> Answer {
    let kind = puzzle.kind();
    let objective = job.objective.as_deref();
    let ending = Ending::of(outcome.verdict, checker(puzzle, objective));
    let (verdict, reason) = (ending.word(), ending.reason(outcome.stats.stopped));
    let plan = ending.into_plan().map(|plan| {
        let written = puzzle.write_plan(&plan.steps);
        Plan { steps: plan.steps, written, cost: plan.cost, lower_bound: plan.lower_bound, checked: true }
    });
    Answer {
        verdict,
        reason,
        strategy: job.strategy.clone().unwrap_or_else(|| default_solver(kind).to_owned()),
        objective: objective.unwrap_or_else(|| default_objective(kind)).to_owned(),
        plan,
        tables: None,
        stats: Figures::of_page(&outcome.stats),
    }
}

impl Answer {
    /// Adds the tables that were used.
    pub(crate) fn with_tables(self, tables: Option<String>) -> Self {
        Self { tables, ..self }
    }

    /// The steps of the plan, if there is one.
    pub(crate) fn steps(&self) -> &[String] {
        self.plan.as_ref().map_or(&[], |plan| &plan.steps)
    }
}
