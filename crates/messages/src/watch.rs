//! `watch`: runs a search with its trace. The events `trace` carry it (see `trace.rs`). `done` carries the answer and, for each
//! state of the plan, its number in the trace and its estimate.

use std::time::Duration;

use beeline_puzzles::{Event, EventKind, Job, Puzzle, Watcher};
use beeline_search::Budget;
use beeline_search::clock::Instant;
use beeline_search::strategies;
use serde::Serialize;
use serde_json::json;

use crate::EventSink;
use crate::answer::{Answer, answer};
use crate::task::{Begun, Task};
use crate::trace::Trace;

/// Longer plans, in steps, are shown without their states. So are plans whose states take longer than `LOOK_UP_TIME` to find.
const MAX_STEPS: usize = 500;
const LOOK_UP_TIME: Duration = Duration::from_secs(3);

#[derive(Serialize)]
struct Done {
    #[serde(flatten)]
    answer: Answer,
    /// The search exceeded the bounds of the trace and was ended.
    full: bool,
    path: Vec<Stop>,
}

/// A state of the plan: its number in the trace, and its estimate.
#[derive(Serialize)]
struct Stop {
    state: Option<u32>,
    estimate: Option<u32>,
}

/// Runs a search and sends its trace.
pub fn watch(task: &Task, sink: &mut dyn EventSink) {
    let name = task.job.strategy.as_deref().unwrap_or_default();
    if strategies::strategy(name).is_none() {
        let message = "only the engine's strategies can be watched; the kind's own solvers do not look at single states";
        return sink.emit("failed", &json!({ "message": message }));
    }
    // The trace takes a part of the memory. A search whose trace fits needs little.
    let memory = sink.memory() - Trace::bytes(task.limits.states).min(sink.memory() / 2);
    sink.emit("begin", &Begun::new(sink.run(), task.time, memory));
    let budget = task.budget(memory, sink.cancel());
    let mut trace = Trace::new(sink, task.limits.states, matches!(name, "iw" | "bfws"));
    let result = task.puzzle.solve(&task.job, &budget, &mut trace);
    trace.flush();
    match result {
        Err(error) => sink.emit("failed", &json!({ "message": error.to_string() })),
        Ok(outcome) => {
            let full = trace.is_full();
            let answer = answer(&*task.puzzle, &task.job, outcome);
            let path = path(&*task.puzzle, &task.job, &budget, answer.steps(), &trace);
            sink.emit("done", &Done { answer, full, path });
        }
    }
}

/// The states along a plan. The same strategy starts at each of them to identify it.
fn path(puzzle: &dyn Puzzle, job: &Job, budget: &Budget, steps: &[String], trace: &Trace<'_>) -> Vec<Stop> {
    let until = Instant::now() + LOOK_UP_TIME;
    let mut game = puzzle.game();
    let mut stops = Vec::new();
    if steps.is_empty() || steps.len() > MAX_STEPS {
        return stops;
    }
    // A search in place counts its start before it expands it, so only a limit of two lets it expand the start.
    let budget = Budget { nodes: Some(2), time: Some(LOOK_UP_TIME), ..budget.clone() };
    let informed = Job { strategy: Some("astar".to_owned()), ..job.clone() };
    for step in steps.iter().map(Some).chain([None]) {
        if Instant::now() > until || budget.cancel.is_cancelled() {
            return Vec::new();
        }
        let here = game.here();
        let state = begin(&*here, job, &budget).and_then(|first| trace.number(first.0));
        // The goal is never expanded. Its estimate is 0.
        let estimate =
            if step.is_none() { Some(0) } else { begin(&*here, &informed, &budget).map(|first| first.1) };
        stops.push(Stop { state, estimate });
        if step.is_some_and(|step| game.play(step).is_err()) {
            return Vec::new();
        }
    }
    stops
}

/// The first state that a search from here expands: its identity and its estimate.
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
    // A strategy that could search from the start can search from here. If not, there is nothing to show.
    puzzle.solve(job, budget, &mut first).ok()?;
    first.0
}
