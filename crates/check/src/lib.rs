//! The independent checker: replays a plan with its own plain rules.
//!
//! It shares the parsed board with the solver and nothing else: no move generator, no goal test, no cost function. One
//! small file a puzzle, written to be read, not to be fast.

mod bricks;
mod flow;
mod gate;
mod sokoban;
mod tiles;

use beeline_puzzles::Puzzle;

/// A plan that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What it costs under the objective it was made for, counted by the checker.
    pub cost: u64,
}

/// A plan that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A step that the rules forbid.
    #[error("step {number} ({step}): {why}")]
    Step {
        /// Which one, from 1.
        number: usize,
        /// The step.
        step: String,
        /// What is wrong with it.
        why: String,
    },
    /// Every step is legal, and the goal is not met at the end.
    #[error("all {steps} steps are legal, but the goal is not met: {why}")]
    Goal {
        /// How many steps there are.
        steps: usize,
        /// What is missing.
        why: String,
    },
    /// There is no checker for this kind or this objective.
    #[error("{0}")]
    Unsupported(String),
}

/// Checks a plan.
pub fn check(puzzle: &dyn Puzzle, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let kind = puzzle.kind().name();
    let rules = RULES.iter().find(|(name, _)| *name == kind);
    let (_, rules) = rules.ok_or_else(|| Flaw::Unsupported(format!("no checker knows the kind {kind}")))?;
    rules(puzzle, objective, steps)
}

type Rules = fn(&dyn Puzzle, Option<&str>, &[String]) -> Result<Checked, Flaw>;

/// The plain rules, by kind.
const RULES: &[(&str, Rules)] = &[
    ("gate", gate::check),
    ("tiles", tiles::check),
    ("flow", flow::check),
    ("sokoban", sokoban::check),
    ("bricks", bricks::check),
];
