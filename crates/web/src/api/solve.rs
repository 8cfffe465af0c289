//! `POST /api/solve`: a search, told by server-sent events: `begin`, then `tick` and `round` while it runs, then `done` or `failed`.

use std::time::{Duration, Instant};

use beeline_puzzles::Watcher;
use beeline_search::Stats;
use serde_json::json;

use super::{Begun, Task};
use crate::answer::{Figures, answer};
use crate::connections::Work;
use crate::runs::{Full, RunRequest, Runs, Stream, Teller};

/// How often the figures are told.
const EVERY: Duration = Duration::from_millis(100);

/// Starts a search.
pub(crate) fn solve(task: Task, asked: &RunRequest, work: Work, runs: &Runs) -> Result<Stream, Full> {
    runs.start(asked, work, move |teller| {
        let memory = teller.memory();
        teller.tell("begin", &Begun::new(teller.run(), task.time, memory));
        let budget = task.budget(memory, teller.cancel());
        let result = task.puzzle.solve(&task.job, &budget, &mut Ticker::new(teller));
        match result {
            Ok(outcome) => teller.tell("done", &answer(&*task.puzzle, &task.job, outcome)),
            Err(error) => teller.tell("failed", &json!({ "message": error.to_string() })),
        }
    })
}

/// Tells the figures now and then.
pub(crate) struct Ticker<'a> {
    teller: &'a mut Teller,
    next: Instant,
}

impl<'a> Ticker<'a> {
    pub(crate) fn new(teller: &'a mut Teller) -> Self {
        Self { teller, next: Instant::now() }
    }
}

impl Watcher for Ticker<'_> {
    fn tick(&mut self, stats: &Stats) {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + EVERY;
            self.teller.mention("tick", &Figures::from(stats));
        }
    }

    fn round(&mut self, bound: u64) {
        self.teller.mention("round", &json!({ "bound": bound }));
    }
}
