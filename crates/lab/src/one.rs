//! One run, inside the child process that was started for it: parse, search, check, measure.

use std::collections::BTreeMap;
use std::time::Instant;

use beeline_api::answer::{Ending, Promise, checker};
use beeline_api::usage;
use beeline_puzzles::{Puzzle, kind};
use beeline_search::{Cancel, Outcome};
use serde::{Deserialize, Serialize};

use crate::classic;
use crate::task::Task;

/// The verdict on a run that had to be killed because it did not end after its time limit. It is a fault of the solver, never
/// a result.
pub const HUNG: &str = "hung";

/// The result of a run and its measurements. A count is `None` where a search does not keep it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// `solved`, `unsolvable`, `gave up`, `stopped`, `rejected`, `unsupported`, `crashed` or [`HUNG`].
    pub verdict: String,
    /// The limit that ended the search, or the reason of the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Steps of the plan. The checker accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Cost of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// Is the plan proved shortest?
    #[serde(default)]
    pub optimal: bool,
    /// Expanded states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expanded: Option<u64>,
    /// Generated states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<u64>,
    /// Duplicate states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<u64>,
    /// Pruned successors, by rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pruned: BTreeMap<String, u64>,
    /// Bounds or widths of the search's rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<u64>,
    /// Peak bytes in the search's own accounting, exact.
    pub bytes: u64,
    /// Wall seconds of the search. Tables that serve all boards do not count; see `set-up` in the figures.
    pub seconds: f64,
    /// Processor seconds of the search, over all threads.
    pub cpu: f64,
    /// Peak resident bytes of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rss: Option<u64>,
    /// Figures of the puzzle (pieces, cells, ...) and of the search (auxiliary, width, ...).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
}

impl Measured {
    /// A run without a result: verdict and reason only.
    pub fn failed(verdict: &str, reason: impl Into<String>) -> Self {
        Self { verdict: verdict.to_owned(), reason: Some(reason.into()), ..Self::default() }
    }

    /// Did it have to be killed?
    pub fn hung(&self) -> bool {
        self.verdict == HUNG
    }

    /// Is there a plan?
    pub fn solved(&self) -> bool {
        self.verdict == "solved"
    }
}

/// Runs a task and measures it.
pub fn measure(task: &Task, cancel: Cancel) -> Measured {
    let puzzle = kind(&task.kind).map(|k| k.parse(&task.text));
    let puzzle = match puzzle {
        Some(Ok(mut all)) if all.len() == 1 => all.swap_remove(0),
        Some(Ok(all)) => {
            return Measured::failed("unsupported", format!("{} puzzles in one text", all.len()));
        }
        Some(Err(error)) => return Measured::failed("unsupported", error.to_string()),
        None => return Measured::failed("unsupported", format!("no kind {}", task.kind)),
    };
    let budget = task.limits.budget(cancel);
    let (started, before) = (Instant::now(), usage::cpu());
    let found = match classic::run(&*puzzle, &task.options, &budget) {
        Some(found) => found,
        None => puzzle.solve(&task.options.job(), &budget, &mut ()).map(|outcome| (outcome, Vec::new())),
    };
    let (seconds, cpu) = (started.elapsed().as_secs_f64(), (usage::cpu() - before).max(0.0));
    let (outcome, own) = match found {
        Ok(found) => found,
        Err(error) => return Measured::failed("unsupported", error.to_string()),
    };
    let ready = own.iter().find(|(name, _)| *name == classic::SET_UP).map_or(0.0, |(_, seconds)| *seconds);
    let (seconds, cpu) = ((seconds - ready).max(0.0), (cpu - ready).max(0.0));
    let mut measured = judge(&*puzzle, task, outcome);
    measured.figures = facts(&*puzzle);
    measured.figures.extend(own.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Measured { seconds, cpu, rss: usage::rss(), ..measured }
}

/// Checks the plan and collects the counters.
fn judge(puzzle: &dyn Puzzle, task: &Task, outcome: Outcome<String>) -> Measured {
    let stats = outcome.stats;
    let count = |n: u64| (n > 0).then_some(n);
    let mut measured = Measured {
        // A search that does not count reports 0, like a search that expands nothing because its plan is empty.
        expanded: count(stats.expanded),
        generated: count(stats.generated),
        duplicates: count(stats.duplicates),
        pruned: stats.pruned.iter().map(|&(rule, n)| (rule.to_owned(), n)).collect(),
        rounds: stats.rounds.iter().map(|r| r.bound).collect(),
        bytes: stats.bytes as u64,
        ..Measured::default()
    };
    let ending = Ending::of(outcome.verdict, checker(puzzle, task.options.choices.objective.as_deref()));
    if let Some(plan) = ending.plan() {
        measured.steps = Some(plan.steps.len() as u64);
        measured.cost = Some(plan.cost);
        measured.optimal = plan.promise() == Promise::Shortest;
    }
    // A plan has no reason in a record. `optimal` shows whether a limit kept it from being proved.
    Measured { verdict: ending.word().to_owned(), reason: ending.reason(None), ..measured }
}

/// The facts of a puzzle that are numbers. A size gives columns, rows and cells. Sizes are columns × rows, except for tiles,
/// which are rows × columns everywhere.
fn facts(puzzle: &dyn Puzzle) -> BTreeMap<String, f64> {
    let mut figures = BTreeMap::new();
    for (name, value) in puzzle.facts() {
        if let Ok(number) = value.parse::<f64>() {
            figures.insert(name.to_owned(), number);
        } else if let Some((first, second)) = value.split_once(['×', 'x'])
            && let (Ok(first), Ok(second)) = (first.trim().parse::<f64>(), second.trim().parse::<f64>())
        {
            let (columns, rows) =
                if puzzle.kind().name() == "tiles" { (second, first) } else { (first, second) };
            let parts = [("columns", columns), ("rows", rows), ("cells", columns * rows)];
            figures.extend(parts.map(|(name, n)| (name.to_owned(), n)));
        }
    }
    figures
}
