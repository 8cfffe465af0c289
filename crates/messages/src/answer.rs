//! What came of a search, after the checker has looked at it.

use beeline_puzzles::{Job, Puzzle};
use beeline_search::{Outcome, Stats, Verdict};
use serde::Serialize;

/// A search that is over.
#[derive(Serialize)]
pub(crate) struct Answer {
    /// `solved`, `unsolvable`, `gave up`, `stopped` or `rejected`.
    pub(crate) verdict: &'static str,
    /// For `stopped`, and for a plan that is not proved: which limit. For `rejected`: what the checker said.
    reason: Option<String>,
    strategy: String,
    objective: String,
    plan: Option<Plan>,
    /// The tables that the solver used last; "none" where it could have used some.
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<String>,
    stats: Figures,
}

/// A plan that the checker passed; there is no other kind.
#[derive(Serialize)]
struct Plan {
    steps: Vec<String>,
    written: String,
    cost: u64,
    lower_bound: u64,
    checked: bool,
}

/// The figures of a run, in the words of docs/json.md.
#[derive(Serialize)]
pub(crate) struct Figures {
    expanded: u64,
    generated: u64,
    duplicates: u64,
    reopened: u64,
    pruned: u64,
    rules: Vec<(&'static str, u64)>,
    depth: u64,
    stored: u64,
    frontier_peak: u64,
    bytes: usize,
    seconds: f64,
    rounds: Vec<Round>,
}

#[derive(Serialize)]
struct Round {
    bound: u64,
    expanded: u64,
    generated: u64,
    duplicates: u64,
}

impl From<&Stats> for Figures {
    fn from(stats: &Stats) -> Self {
        let rounds = stats.rounds.iter().map(|round| Round {
            bound: round.bound,
            expanded: round.expanded,
            generated: round.generated,
            duplicates: round.duplicates,
        });
        Self {
            expanded: stats.expanded,
            generated: stats.generated,
            duplicates: stats.duplicates,
            reopened: stats.reopened,
            pruned: stats.pruned_total(),
            rules: stats.pruned.clone(),
            depth: stats.depth,
            stored: stats.stored,
            frontier_peak: stats.frontier_peak,
            bytes: stats.bytes,
            seconds: stats.elapsed.as_secs_f64(),
            rounds: rounds.collect(),
        }
    }
}

/// Checks what was found. A plan that the checker does not pass is not shown.
pub(crate) fn answer(puzzle: &dyn Puzzle, job: &Job, outcome: Outcome<String>) -> Answer {
    let kind = puzzle.kind();
    let stats = Figures::from(&outcome.stats);
    let (verdict, reason, plan) = match outcome.verdict {
        Verdict::Solved(found) => {
            match beeline_check::check(kind.name(), &puzzle.text(), job.objective.as_deref(), &found.moves) {
                Ok(checked) if checked.cost == found.cost => {
                    let written = puzzle.write_plan(&found.moves);
                    let lower_bound = found.lower_bound.min(found.cost);
                    let plan =
                        Plan { steps: found.moves, written, cost: found.cost, lower_bound, checked: true };
                    ("solved", outcome.stats.stopped.map(|limit| limit.name().to_owned()), Some(plan))
                }
                Ok(checked) => {
                    let reason = format!("the solver counts {}, the checker {}", found.cost, checked.cost);
                    ("rejected", Some(reason), None)
                }
                Err(flaw) => ("rejected", Some(flaw.to_string()), None),
            }
        }
        Verdict::Exhausted => ("unsolvable", None, None),
        Verdict::GaveUp => ("gave up", None, None),
        Verdict::Stopped(limit) => ("stopped", Some(limit.name().to_owned()), None),
    };
    let first = |choices: &[beeline_puzzles::Choice]| choices.first().map_or("", |c| c.name).to_owned();
    Answer {
        verdict,
        reason,
        strategy: job.strategy.clone().unwrap_or_else(|| first(kind.solvers())),
        objective: job.objective.clone().unwrap_or_else(|| first(kind.objectives())),
        plan,
        tables: None,
        stats,
    }
}

impl Answer {
    /// Says which tables were used.
    pub(crate) fn with_tables(self, tables: Option<String>) -> Self {
        Self { tables, ..self }
    }

    /// The steps of the plan, if there is one.
    pub(crate) fn steps(&self) -> &[String] {
        self.plan.as_ref().map_or(&[], |plan| &plan.steps)
    }
}
