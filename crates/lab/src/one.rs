//! One run, inside the process that was started for it: parse, search, check, measure.

use std::collections::BTreeMap;
use std::time::Instant;

use beeline_api::answer::{Ending, Promise, checker};
use beeline_api::usage;
use beeline_puzzles::{Puzzle, kind};
use beeline_search::{Cancel, Outcome};
use serde::{Deserialize, Serialize};

use crate::classic;
use crate::task::Task;

/// The verdict on a run that did not end by itself after its time limit and was killed. It is a fault of the solver, never a
/// result.
pub const HUNG: &str = "hung";

/// What a run found and what it took. Counts that a search does not keep are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// `solved`, `unsolvable`, `gave up`, `stopped`, `rejected`, `unsupported`, `crashed` or [`HUNG`].
    pub verdict: String,
    /// Which limit, or why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Steps of the plan, which passed the checker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Its cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// Is it proved shortest?
    #[serde(default)]
    pub optimal: bool,
    /// Counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expanded: Option<u64>,
    /// Counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<u64>,
    /// Counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<u64>,
    /// Successors dropped, by rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pruned: BTreeMap<String, u64>,
    /// Bounds or widths of the rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<u64>,
    /// Our own bytes, exact, at their largest.
    pub bytes: u64,
    /// Wall seconds of the search, without making tables that serve all boards (`set-up` in the figures).
    pub seconds: f64,
    /// Processor seconds of the search, of all its threads.
    pub cpu: f64,
    /// Resident bytes of the process at their largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rss: Option<u64>,
    /// Figures of the puzzle (pieces, cells, ...) and of the search (auxiliary, width, ...).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
}

impl Measured {
    /// A run that came to nothing.
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

/// Makes the run.
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

/// Checks the plan and takes the counters.
fn judge(puzzle: &dyn Puzzle, task: &Task, outcome: Outcome<String>) -> Measured {
    let stats = outcome.stats;
    let count = |n: u64| (n > 0).then_some(n);
    let mut measured = Measured {
        // A search that expands nothing, and one that does not count, look the same; the first is an empty plan.
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
    // A plan has no reason in a record: the limit that kept it from being proved shows in `optimal`.
    Measured { verdict: ending.word().to_owned(), reason: ending.reason(None), ..measured }
}

/// The facts of a puzzle that are numbers; a size gives columns, rows and cells. Sizes are columns × rows; of tiles, as
/// everywhere where tiles are written, rows × columns.
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
