//! Functions of the module: new puzzles, comparisons, data.

use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::Arc;

use beeline_api::answer::usual_strategies;
use beeline_api::data::{self, File, Format, Row};
use beeline_puzzles::{Hardness, Job, Recipe};
use beeline_search::Budget;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{UnsupportedError, no_row, not_made};
use crate::limits::{budget, interruptible};
use crate::load::kind_named;
use crate::puzzle::{JobArgs, Puzzle, checked_answer, solve};

/// The arguments of a recipe.
struct RecipeArgs {
    size: Option<(usize, usize)>,
    pieces: Option<usize>,
    distance: Option<u64>,
    walk: Option<u64>,
    hardness: Option<String>,
    unsolvable: bool,
}

impl RecipeArgs {
    fn recipe(&self, seed: u64, budget: Budget) -> PyResult<Recipe> {
        let named = |name: &String| {
            let found = Hardness::ALL.iter().find(|(known, _)| known == name).map(|(_, hardness)| *hardness);
            found.ok_or_else(|| {
                PyValueError::new_err(format!("hardness is easy, medium or hard, not {name:?}"))
            })
        };
        let hardness = self.hardness.as_ref().map(named).transpose()?.unwrap_or_default();
        let (size, pieces, distance, walk) = (self.size, self.pieces, self.distance, self.walk);
        Ok(Recipe { size, pieces, distance, walk, hardness, seed, unsolvable: self.unsolvable, budget })
    }
}

/// A new puzzle from a seed, with its answer in `known`.
#[pyfunction]
#[pyo3(signature = (kind, seed=0, *, size=None, pieces=None, distance=None, hardness=None, walk=None, unsolvable=false, time=None, memory=None, nodes=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn make(
    py: Python<'_>,
    kind: &str,
    seed: u64,
    size: Option<(usize, usize)>,
    pieces: Option<usize>,
    distance: Option<u64>,
    hardness: Option<String>,
    walk: Option<u64>,
    unsolvable: bool,
    time: Option<f64>,
    memory: Option<usize>,
    nodes: Option<u64>,
) -> PyResult<Puzzle> {
    let kind = kind_named(kind)?;
    let asked = hardness.is_some() && distance.is_none() && walk.is_none();
    let args = RecipeArgs { size, pieces, distance, walk, hardness, unsolvable };
    let recipe = args.recipe(seed, budget(time, memory, nodes)?)?;
    let made = interruptible(py, &recipe.budget.cancel, || kind.make(&recipe))?;
    let made = made.map_err(|error| not_made(py, &error))?;
    if let Some(level) = made.level.filter(|&level| asked && level < recipe.hardness) {
        let (wanted, level) = (recipe.hardness.name(), level.name());
        let message =
            format!("no {wanted} puzzle of this size was found with seed {seed}: the hardest is {level}");
        return Err(UnsupportedError::new_err(message));
    }
    let mut puzzle = Puzzle::new(made.puzzle);
    let answer = checked_answer(&puzzle.inner, &Job::default(), made.outcome);
    answer.raise_if_rejected()?;
    puzzle.known = Some(Arc::new(answer));
    Ok(puzzle)
}

/// One row for each puzzle and strategy, with equal counters: `pandas.DataFrame(beeline.compare(...))`.
#[pyfunction]
#[pyo3(signature = (puzzles, strategies=None, *, heuristic=None, objective=None, time=10.0, memory=None, nodes=None, threads=1))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    puzzles: &Bound<'py, PyAny>,
    strategies: Option<Vec<String>>,
    heuristic: Option<String>,
    objective: Option<String>,
    time: Option<f64>,
    memory: Option<usize>,
    nodes: Option<u64>,
    threads: usize,
) -> PyResult<Bound<'py, PyList>> {
    let puzzles: Vec<PyRef<'_, Puzzle>> = match puzzles.cast::<Puzzle>() {
        Ok(one) => vec![one.borrow()],
        Err(_) => puzzles.extract()?,
    };
    let rows = PyList::empty(py);
    for (number, puzzle) in puzzles.iter().enumerate() {
        let names = strategies.clone().unwrap_or_else(|| usual_strategies(puzzle.inner.kind()));
        for name in names {
            let wanted = JobArgs {
                strategy: Some(name),
                heuristic: heuristic.clone(),
                objective: objective.clone(),
                threads,
                ..JobArgs::default()
            };
            let job = wanted.job(puzzle.inner.kind())?;
            let answer = solve(py, &puzzle.inner, &job, &budget(time, memory, nodes)?)?;
            let plan = answer.ending.plan();
            let row = PyDict::new(py);
            row.set_item("puzzle", number)?;
            row.set_item("title", puzzle.inner.title())?;
            row.set_item("kind", puzzle.inner.kind().name())?;
            row.set_item("strategy", &answer.strategy)?;
            row.set_item("objective", &answer.objective)?;
            row.set_item("result", answer.ending.word())?;
            row.set_item("reason", answer.ending.reason(answer.stats.stopped))?;
            row.set_item("steps", plan.map(|plan| plan.steps.len()))?;
            row.set_item("cost", plan.map(|plan| plan.cost))?;
            row.set_item("lower_bound", plan.map(|plan| plan.lower_bound))?;
            row.set_item("promise", plan.map(|plan| plan.promise().word()))?;
            let stats = &answer.stats;
            row.set_item("expanded", stats.expanded)?;
            row.set_item("generated", stats.generated)?;
            row.set_item("duplicates", stats.duplicates)?;
            row.set_item("reopened", stats.reopened)?;
            row.set_item("pruned", stats.pruned_total())?;
            row.set_item("depth", stats.depth)?;
            row.set_item("stored", stats.stored)?;
            row.set_item("bytes", stats.bytes)?;
            row.set_item("seconds", stats.elapsed.as_secs_f64())?;
            rows.append(row)?;
        }
    }
    Ok(rows)
}

/// So many new puzzles with optimal plans, exact distances and dead-end labels; the same seed gives the same rows, and the same
/// bytes in a file.
#[pyfunction]
#[pyo3(signature = (kind, n, seed=0, *, out=None, size=None, pieces=None, distance=None, hardness=None, walk=None, unsolvable=false, time=None, memory=None, threads=0))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn dataset<'py>(
    py: Python<'py>,
    kind: &str,
    n: u64,
    seed: u64,
    out: Option<PathBuf>,
    size: Option<(usize, usize)>,
    pieces: Option<usize>,
    distance: Option<u64>,
    hardness: Option<String>,
    walk: Option<u64>,
    unsolvable: bool,
    time: Option<f64>,
    memory: Option<usize>,
    threads: usize,
) -> PyResult<Bound<'py, PyList>> {
    let kind = kind_named(kind)?;
    let args = RecipeArgs { size, pieces, distance, walk, hardness, unsolvable };
    let limits = budget(time, memory, None)?;
    let mut file = match &out {
        None => None,
        Some(path) => {
            let format = Format::of(path);
            let format = format.ok_or_else(|| PyValueError::new_err("out must end in .jsonl or .parquet"))?;
            Some(File::new(BufWriter::new(std::fs::File::create(path)?), format)?)
        }
    };
    let started = std::time::Instant::now();
    let rows = PyList::empty(py);
    for number in 0..n {
        let recipe = args.recipe(seed.wrapping_add(number), limits.after(started.elapsed(), 0))?;
        let row = interruptible(py, &limits.cancel, || data::row(kind, &recipe, threads))?;
        let row = row.map_err(|error| no_row(py, &error))?;
        rows.append(dictionary(py, &row)?)?;
        if let Some(file) = &mut file {
            file.push(row)?;
        }
    }
    file.map_or(Ok(()), File::finish).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(rows)
}

fn dictionary<'py>(py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("schema", row.schema)?;
    all.set_item("kind", row.kind)?;
    all.set_item("seed", row.seed)?;
    all.set_item("text", &row.text)?;
    all.set_item("cost", row.cost)?;
    all.set_item("plan", &row.plan)?;
    all.set_item("boards", &row.boards)?;
    all.set_item("distances", &row.distances)?;
    all.set_item("tried_at", &row.tried_at)?;
    all.set_item("tried", &row.tried)?;
    all.set_item("tried_distance", &row.tried_distance)?;
    Ok(all)
}
