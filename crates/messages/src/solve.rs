//! `solve`: a search, told by events: `begin`, then `tick`, `round` and `building` while it runs, then `done` or `failed`.

use std::time::Duration;

use beeline_api::figures::Figures;
use beeline_puzzles::{Preparation, Watcher};
use beeline_search::Stats;
use beeline_search::clock::Instant;
use serde_json::json;

use crate::answer::answer;
use crate::task::{Begun, Task};
use crate::teller::Teller;

/// How often the figures are told.
const EVERY: Duration = Duration::from_millis(100);

/// Searches.
pub fn solve(task: &Task, teller: &mut dyn Teller) {
    let memory = teller.memory();
    teller.tell("begin", &Begun::new(teller.run(), task.time, memory));
    let budget = task.budget(memory, teller.cancel());
    let mut ticker = Ticker::new(teller);
    let result = task.puzzle.solve(&task.job, &budget, &mut ticker);
    let tables = ticker.tables.take();
    match result {
        Ok(outcome) => teller.tell("done", &answer(&*task.puzzle, &task.job, outcome).with_tables(tables)),
        Err(error) => teller.tell("failed", &json!({ "message": error.to_string() })),
    }
}

/// Tells the figures now and then.
struct Ticker<'a> {
    teller: &'a mut dyn Teller,
    next: Instant,
    /// The tables that the solver used last.
    tables: Option<String>,
}

impl<'a> Ticker<'a> {
    fn new(teller: &'a mut dyn Teller) -> Self {
        Self { teller, next: Instant::now(), tables: None }
    }
}

impl Watcher for Ticker<'_> {
    fn tick(&mut self, stats: &Stats) {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + EVERY;
            self.teller.mention("tick", &Figures::of_page(stats));
        }
    }

    fn tables(&mut self, name: &str) {
        self.tables = Some(name.to_owned());
    }

    fn building(&mut self, preparation: &Preparation<'_>) {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + EVERY;
            let Preparation { what, done, all, .. } = preparation;
            self.teller.mention("building", &json!({ "what": what, "done": done, "all": all }));
        }
    }

    fn round(&mut self, bound: u64) {
        self.teller.mention("round", &json!({ "bound": bound }));
    }
}
