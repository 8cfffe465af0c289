//! Reports on new puzzles and their measurements.

use std::io;
use std::path::Path;
use std::time::Duration;

use beeline_api::units::{commas, plural, time};
use beeline_puzzles::{Hardness, Made, Measure, Recipe};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Io;
use super::json::{self, SCHEMA};

/// The report on a new puzzle, and its file if it was written.
pub(crate) struct PuzzleReport<'a> {
    pub(crate) recipe: &'a Recipe,
    pub(crate) made: &'a Made,
    pub(crate) file: Option<&'a Path>,
}

/// One new puzzle.
#[derive(Serialize)]
struct Record<'a> {
    schema: &'static str,
    command: &'static str,
    kind: &'static str,
    seed: u64,
    hardness: &'static str,
    /// The measured difficulty; none for a puzzle that cannot be solved.
    level: Option<&'static str>,
    candidates: usize,
    verdict: &'static str,
    cost: Option<u64>,
    steps: Option<usize>,
    expanded: u64,
    facts: Map<String, Value>,
    file: Option<String>,
    text: &'a str,
}

impl PuzzleReport<'_> {
    /// Prints it as a JSON object.
    pub(crate) fn json(&self, io: &mut Io<'_>) -> io::Result<()> {
        let (made, recipe) = (self.made, self.recipe);
        let plan = made.outcome.solution();
        let facts = made.puzzle.facts().into_iter().map(|(name, value)| (name.to_owned(), value.into()));
        let record = Record {
            schema: SCHEMA,
            command: "make",
            kind: made.puzzle.kind().name(),
            seed: recipe.seed,
            hardness: recipe.hardness.name(),
            level: made.level.map(Hardness::name),
            candidates: made.candidates,
            verdict: if plan.is_some() { "solved" } else { "unsolvable" },
            cost: plan.map(|p| p.cost),
            steps: plan.map(|p| p.moves.len()),
            expanded: made.outcome.stats.expanded,
            facts: facts.collect(),
            file: self.file.map(|path| path.display().to_string()),
            text: &made.puzzle.text(),
        };
        json::line(io.out, &record)
    }

    /// Prints the puzzle, or the measurements of a puzzle that was written to a file. `number` counts from 0.
    pub(crate) fn text(&self, number: u64, io: &mut Io<'_>) -> io::Result<()> {
        if self.file.is_some() {
            let name = file_name(self.recipe, self.made);
            return writeln!(io.err, "{name}: {}", statement(self.made, self.recipe.seed));
        }
        if number > 0 {
            writeln!(io.out)?;
        }
        let file = file(self.recipe, self.made);
        io.out.write_all(file.as_bytes())?;
        if file.ends_with('\n') { Ok(()) } else { writeln!(io.out) }
    }
}

/// The file name of a puzzle.
pub(crate) fn file_name(recipe: &Recipe, made: &Made) -> String {
    format!("{}-{}.txt", made.puzzle.kind().name(), recipe.seed)
}

/// The file of a puzzle. Its first line is a comment with the measurements.
pub(crate) fn file(recipe: &Recipe, made: &Made) -> String {
    let remark = made.puzzle.kind().remark();
    format!("{remark} {}\n{}", statement(made, recipe.seed), made.puzzle.text())
}

/// The measurements as text: "shortest plan 24 steps, 1,204 states expanded".
pub(crate) fn figures(measure: Measure) -> String {
    let steps = plural(usize::try_from(measure.plan).unwrap_or(usize::MAX), "step");
    format!("shortest plan {steps}, {} states expanded", commas(measure.effort))
}

/// The measurements with difficulty and seed: "hard: shortest plan 24 steps, 1,204 states expanded; seed 3".
fn statement(made: &Made, seed: u64) -> String {
    match (made.level, Measure::of(&made.outcome)) {
        (Some(level), Some(measure)) => format!("{}: {}; seed {seed}", level.name(), figures(measure)),
        _ => format!(
            "cannot be solved: proved by {} expanded states; seed {seed}",
            commas(made.outcome.stats.expanded)
        ),
    }
}

pub(crate) fn plural_of(count: u64) -> String {
    plural(usize::try_from(count).unwrap_or(usize::MAX), "puzzle")
}

/// Prints a summary of all new puzzles.
pub(crate) fn summary(
    count: u64,
    unsolvable: bool,
    lengths: &mut [u64],
    took: Duration,
    io: &mut Io<'_>,
) -> io::Result<()> {
    writeln!(io.err, "{}", in_a_line(count, unsolvable, lengths, &time(took)))
}

/// Prints where the data were written.
pub(crate) fn data(path: &Path, count: u64, took: Duration, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.err, "{}: {} · {}", path.display(), plural_of(count), time(took))
}

fn in_a_line(count: u64, unsolvable: bool, lengths: &mut [u64], time: &str) -> String {
    let made = plural_of(count);
    lengths.sort_unstable();
    match (lengths.first(), lengths.get(lengths.len() / 2), lengths.last()) {
        (Some(low), Some(middle), Some(high)) => {
            let [low, middle, high] = [low, middle, high].map(|n| commas(*n));
            format!("{made}, all solvable; shortest plans of {low} to {high} steps, median {middle} · {time}")
        }
        _ if unsolvable && count > 0 => format!("{made}, all proved unsolvable · {time}"),
        _ => format!("{made} · {time}"),
    }
}
