//! `make`: generates a puzzle. It sends the events `begin`, then `done` or `failed`.

use std::time::Duration;

use beeline_puzzles::{Hardness, Kind, Recipe};
use beeline_search::Budget;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::EventSink;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::task::{Begun, kind, time};

/// The request.
#[derive(Deserialize)]
pub struct Question {
    kind: String,
    /// The two sides, in the order of the kind's notation.
    size: Option<(usize, usize)>,
    pieces: Option<usize>,
    hardness: Option<String>,
    #[serde(default)]
    seed: u64,
    seconds: Option<f64>,
}

/// A checked request for a new puzzle.
pub struct Order {
    kind: &'static dyn Kind,
    recipe: Recipe,
    /// The time limit.
    pub time: Duration,
    /// The most bytes of the puzzle's text.
    largest: usize,
}

#[derive(Serialize)]
struct Made {
    kind: &'static str,
    text: String,
    facts: Vec<(&'static str, String)>,
    /// Steps of its shortest plan.
    shortest: Option<usize>,
}

impl Question {
    /// Checks the request.
    pub fn order(&self, limits: &Limits) -> Result<Order, Refusal> {
        let hardness = match self.hardness.as_deref() {
            None => Hardness::default(),
            Some(name) => {
                let known = Hardness::ALL.iter().find(|(known, _)| *known == name);
                known.ok_or_else(|| Refusal::unable("the difficulty is easy, medium or hard"))?.1
            }
        };
        if self.size.is_some_and(|(a, b)| a.saturating_mul(b) > limits.cells) {
            return Err(Refusal::unable(format!("the board has more than {} cells", limits.cells)));
        }
        let recipe =
            Recipe { size: self.size, pieces: self.pieces, hardness, seed: self.seed, ..Recipe::default() };
        let time = time(self.seconds, limits)?;
        Ok(Order { kind: kind(&self.kind)?, recipe, time, largest: limits.puzzle })
    }
}

/// Generates a puzzle and sends it to `sink`.
pub fn make(order: Order, sink: &mut dyn EventSink) {
    let Order { kind, recipe, time, largest } = order;
    let memory = sink.memory();
    sink.emit("begin", &Begun::new(sink.run(), time, memory));
    let cancel = sink.cancel().clone();
    let budget = Budget { bytes: Some(memory), time: Some(time), cancel, ..Budget::default() };
    let failed = |message: String| ("failed", json!({ "message": message }));
    let (event, data) = match kind.make(&Recipe { budget, ..recipe }) {
        Err(error) => failed(error.to_string()),
        Ok(made) => {
            let text = made.puzzle.text();
            let shortest = made.outcome.solution().map(|plan| plan.moves.len());
            let made = Made { kind: kind.name(), facts: made.puzzle.facts(), shortest, text };
            if made.text.len() > largest {
                failed(format!("the new puzzle is larger than {} KiB", largest >> 10))
            } else {
                ("done", json!(made))
            }
        }
    };
    sink.emit(event, &data);
}
