//! `watch`: a search with its trace. `trace` events bring what happened (see `trace.rs`); `done` brings the answer, and
//! for each state of the plan its number in the trace and its estimate.

use std::time::Duration;

use beeline_puzzles::{Event, EventKind, Job, Puzzle, Watcher};
use beeline_search::Budget;
use beeline_search::clock::Instant;
use beeline_search::strategies;
use serde::Serialize;
use serde_json::json;

use crate::answer::{Answer, answer};
use crate::task::{Begun, Task};
use crate::teller::Teller;
use crate::trace::Trace;

/// Plans longer than this, or that take longer to look up, are shown without their states.
const LONGEST: usize = 500;
const LOOK_UP: Duration = Duration::from_secs(3);

#[derive(Serialize)]
struct Done {
    #[serde(flatten)]
    answer: Answer,
    /// The search outgrew the picture and was ended there.
    full: bool,
    path: Vec<Stop>,
}

/// A state of the plan.
#[derive(Serialize)]
struct Stop {
    state: Option<u32>,
    estimate: Option<u32>,
}

/// Searches, and writes the search down.
pub fn watch(task: &Task, teller: &mut dyn Teller) {
    let name = task.job.strategy.as_deref().unwrap_or_default();
    if strategies::strategy(name).is_none() {
        let message = "only the engine's strategies can be watched; the kind's own solvers do not look at single states";
        return teller.tell("failed", &json!({ "message": message }));
    }
    // A search that fits the picture needs little memory; the trace has its part of it.
    let memory = teller.memory() - Trace::bytes(task.limits.states).min(teller.memory() / 2);
    teller.tell("begin", &Begun::new(teller.run(), task.time, memory));
    let budget = task.budget(memory, teller.cancel());
    let mut trace = Trace::new(teller, task.limits.states, matches!(name, "iw" | "bfws"));
    let result = task.puzzle.solve(&task.job, &budget, &mut trace);
    trace.flush();
    match result {
        Err(error) => teller.tell("failed", &json!({ "message": error.to_string() })),
        Ok(outcome) => {
            let full = trace.is_full();
            let answer = answer(&*task.puzzle, &task.job, outcome);
            let path = path(&*task.puzzle, &task.job, &budget, answer.steps(), &trace);
            teller.tell("done", &Done { answer, full, path });
        }
    }
}

/// The states along a plan: each is found by asking the same strategy to begin there.
fn path(puzzle: &dyn Puzzle, job: &Job, budget: &Budget, steps: &[String], trace: &Trace<'_>) -> Vec<Stop> {
    let until = Instant::now() + LOOK_UP;
    let mut game = puzzle.game();
    let mut stops = Vec::new();
    if steps.is_empty() || steps.len() > LONGEST {
        return stops;
    }
    // A search in place counts its start before it takes it up, so that two are needed to see the first.
    let budget = Budget { nodes: Some(2), time: Some(LOOK_UP), ..budget.clone() };
    let informed = Job { strategy: Some("astar".to_owned()), ..job.clone() };
    for step in steps.iter().map(Some).chain([None]) {
        if Instant::now() > until || budget.cancel.is_cancelled() {
            return Vec::new();
        }
        let here = game.here();
        let state = begin(&*here, job, &budget).and_then(|first| trace.number(first.0));
        // The goal itself is never expanded; nothing is left to do there.
        let estimate =
            if step.is_none() { Some(0) } else { begin(&*here, &informed, &budget).map(|first| first.1) };
        stops.push(Stop { state, estimate });
        if step.is_some_and(|step| game.play(step).is_err()) {
            return Vec::new();
        }
    }
    stops
}

/// The first state that a search from here takes up: who it is, and its estimate.
fn begin(puzzle: &dyn Puzzle, job: &Job, budget: &Budget) -> Option<(u64, u32)> {
    struct First(Option<(u64, u32)>);
    impl Watcher for First {
        fn wants_events(&self) -> bool {
            true
        }
        fn event(&mut self, event: &Event<'_>) {
            if event.kind == EventKind::Expanded && self.0.is_none() {
                self.0 = Some((event.state, event.estimate));
            }
        }
    }
    let mut first = First(None);
    // A strategy that could search from the start can search from here; if not, there is nothing to show.
    puzzle.solve(job, budget, &mut first).ok()?;
    first.0
}
