//! Training data: new puzzles with an optimal plan, the exact distance at each of its states, and the result of every other
//! legal action there.
//!
//! Nothing here depends on the clock or on the number of threads: the same recipe makes the same file, byte for byte.

use std::io::{self, Write};

use beeline_puzzles::{Kind, Made, NotMade, Position, Recipe};
use beeline_search::{Budget, Cost, DEAD, Verdict};
use serde::Serialize;

use crate::answer::{Ending, checker};
use crate::batch::action_of;
use crate::oracle::{NoDistance, Oracle};
use crate::parquet::{Column, Writer};

/// The name and version of the rows' schema.
pub const SCHEMA: &str = "beeline-data/1";
/// The distance of a state that is proved unsolvable.
pub const DEAD_END: i64 = -1;
/// The most positions of a table for one puzzle. A puzzle has about a hundred labels, and solving for them takes as long as a
/// table of this size.
const MOST_POSITIONS: u64 = 20_000;
/// Rows in one row group of a Parquet file.
const GROUP: usize = 1 << 10;

/// One puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The seed that makes this puzzle.
    pub seed: u64,
    /// The puzzle as a file.
    pub text: String,
    /// The cost of a shortest plan; [`DEAD_END`] if the puzzle cannot be solved.
    pub cost: i64,
    /// A shortest plan.
    pub plan: Vec<String>,
    /// The states of the plan as files, from the start to the goal.
    pub boards: Vec<String>,
    /// The exact distance of each of them.
    pub distances: Vec<i64>,
    /// For each legal action of each state before the goal: the index of that state.
    pub tried_at: Vec<i64>,
    /// The step.
    pub tried: Vec<String>,
    /// The exact distance after it, or [`DEAD_END`].
    pub tried_distance: Vec<i64>,
}

/// Why a puzzle has no row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRow {
    /// The puzzle was not made.
    #[error(transparent)]
    NotMade(#[from] NotMade),
    /// A distance was not found.
    #[error(transparent)]
    Distance(#[from] NoDistance),
    /// The checker does not accept the plan.
    #[error("the checker rejects the new puzzle's plan: {0}")]
    Rejected(String),
    /// The kind has no environment in which a learner can act.
    #[error("the puzzle has no form in which a learner can act")]
    NoEnvironment,
}

/// Makes and labels the puzzle of a recipe, on this many threads.
pub fn row(kind: &dyn Kind, recipe: &Recipe, threads: usize) -> Result<Row, NoRow> {
    label(&kind.make(recipe)?, recipe.seed, threads, &recipe.budget)
}

/// Labels a new puzzle.
pub fn label(made: &Made, seed: u64, threads: usize, budget: &Budget) -> Result<Row, NoRow> {
    let puzzle = &*made.puzzle;
    let environment = puzzle.environment().ok_or(NoRow::NoEnvironment)?;
    let oracle = Oracle::new(environment.into(), MOST_POSITIONS);
    let environment = oracle.environment();
    let verdict: Verdict<String> = made.outcome.verdict.clone();
    let plan = match Ending::of(verdict, checker(puzzle, None)) {
        Ending::Solved(plan) => Some(plan),
        Ending::Rejected(why) => return Err(NoRow::Rejected(why)),
        _ => None,
    };
    let (cost, steps) = plan.map_or((DEAD_END, Vec::new()), |plan| (plan.cost as i64, plan.steps));
    let mut row = Row {
        schema: SCHEMA,
        kind: puzzle.kind().name(),
        seed,
        text: puzzle.text(),
        cost,
        plan: steps,
        boards: Vec::new(),
        distances: Vec::new(),
        tried_at: Vec::new(),
        tried: Vec::new(),
        tried_distance: Vec::new(),
    };
    let (mut position, mut after): (_, Vec<Box<dyn Position>>) = (environment.start(), Vec::new());
    for number in 0..=row.plan.len() {
        row.boards.push(position.puzzle().text());
        // Every suffix of a shortest plan is a shortest plan.
        row.distances.push(if cost == DEAD_END { DEAD_END } else { cost - number as i64 });
        if position.solved() {
            break;
        }
        for action in 0..environment.actions() {
            let Some(step) = position.step(action) else { continue };
            let mut next = position.copy();
            next.act(action);
            row.tried_at.push(number as i64);
            row.tried.push(step);
            after.push(next);
        }
        let Some(step) = row.plan.get(number) else { break };
        let action = action_of(&**environment, &*position, step).ok_or(NoRow::NoEnvironment)?;
        position.act(action);
    }
    let distances = oracle.distances(&after, threads, budget)?;
    row.tried_distance = distances.into_iter().map(distance).collect();
    Ok(row)
}

fn distance(cost: Cost) -> i64 {
    if cost == DEAD { DEAD_END } else { i64::from(cost) }
}

/// The file format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object per line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// The format for a file name that ends in `.jsonl` or `.parquet`.
    pub fn of(path: &std::path::Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "jsonl" => Some(Self::JsonLines),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// A file of rows that is open for writing.
pub enum File<W: Write> {
    /// One JSON object per line.
    JsonLines(W),
    /// Apache Parquet, and the rows of the next row group.
    Parquet(Writer<W>, Vec<Row>),
}

impl<W: Write> File<W> {
    /// Begins a file.
    pub fn new(out: W, format: Format) -> io::Result<Self> {
        Ok(match format {
            Format::JsonLines => Self::JsonLines(out),
            Format::Parquet => Self::Parquet(Writer::new(out)?, Vec::new()),
        })
    }

    /// Adds a row.
    pub fn push(&mut self, row: Row) -> io::Result<()> {
        match self {
            Self::JsonLines(out) => {
                serde_json::to_writer(&mut *out, &row)?;
                out.write_all(b"\n")
            }
            Self::Parquet(writer, waiting) => {
                waiting.push(row);
                if waiting.len() == GROUP {
                    write_group(writer, waiting)?;
                    waiting.clear();
                }
                Ok(())
            }
        }
    }

    /// Writes the remaining rows and the footer.
    pub fn finish(self) -> io::Result<()> {
        let mut out = match self {
            Self::JsonLines(out) => out,
            Self::Parquet(mut writer, waiting) => {
                write_group(&mut writer, &waiting)?;
                writer.finish()?
            }
        };
        out.flush()
    }
}

fn write_group<W: Write>(writer: &mut Writer<W>, rows: &[Row]) -> io::Result<()> {
    let text = |of: fn(&Row) -> &str| Column::Text(rows.iter().map(of).collect());
    let texts = |of: fn(&Row) -> &[String]| Column::Texts(rows.iter().map(of).collect());
    let numbers = |of: fn(&Row) -> &[i64]| Column::Numbers(rows.iter().map(of).collect());
    writer.group(
        rows.len(),
        &[
            ("schema", text(|row| row.schema)),
            ("kind", text(|row| row.kind)),
            // A seed of 2⁶³ or more is stored with a negative sign; its bits are unchanged.
            ("seed", Column::Number(rows.iter().map(|row| row.seed as i64).collect())),
            ("text", text(|row| &row.text)),
            ("cost", Column::Number(rows.iter().map(|row| row.cost).collect())),
            ("plan", texts(|row| &row.plan)),
            ("boards", texts(|row| &row.boards)),
            ("distances", numbers(|row| &row.distances)),
            ("tried_at", numbers(|row| &row.tried_at)),
            ("tried", texts(|row| &row.tried)),
            ("tried_distance", numbers(|row| &row.tried_distance)),
        ],
    )
}
