//! `solve`: runs a search. It sends `begin`, then `tick`, `round` and `building` while it runs, then `done` or `failed`.

use std::time::Duration;

use beeline_api::figures::Figures;
use beeline_puzzles::{Preparation, Watcher};
use beeline_search::Stats;
use beeline_search::clock::Instant;
use serde_json::json;

use crate::EventSink;
use crate::answer::answer;
use crate::task::{Begun, Task};

/// The least time between two events with figures.
const TICK_INTERVAL: Duration = Duration::from_millis(100);

/// Runs a search and sends its events.
pub fn solve(task: &Task, sink: &mut dyn EventSink) {
    let memory = sink.memory();
    sink.emit("begin", &Begun::new(sink.run(), task.time, memory));
    let budget = task.budget(memory, sink.cancel());
    let mut ticker = Ticker::new(sink);
    let result = task.puzzle.solve(&task.job, &budget, &mut ticker);
    let tables = ticker.tables.take();
    match result {
        Ok(outcome) => sink.emit("done", &answer(&*task.puzzle, &task.job, outcome).with_tables(tables)),
        Err(error) => sink.emit("failed", &json!({ "message": error.to_string() })),
    }
}

/// Sends the figures at intervals.
struct Ticker<'a> {
    sink: &'a mut dyn EventSink,
    next: Instant,
    /// The tables that the solver used last.
    tables: Option<String>,
}

impl<'a> Ticker<'a> {
    fn new(sink: &'a mut dyn EventSink) -> Self {
        Self { sink, next: Instant::now(), tables: None }
    }
}

impl Watcher for Ticker<'_> {
    fn tick(&mut self, stats: &Stats) {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + TICK_INTERVAL;
            self.sink.try_emit("tick", &Figures::of_page(stats));
        }
    }

    fn tables(&mut self, name: &str) {
        self.tables = Some(name.to_owned());
    }

    fn building(&mut self, preparation: &Preparation<'_>) {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + TICK_INTERVAL;
            let Preparation { what, done, all, .. } = preparation;
            self.sink.try_emit("building", &json!({ "what": what, "done": done, "all": all }));
        }
    }

    fn round(&mut self, bound: u64) {
        self.sink.try_emit("round", &json!({ "bound": bound }));
    }
}
