//! Many boards stepped together; the basis of the environments in `beeline_puzzles.gym`.

use std::sync::{Arc, Mutex, MutexGuard};

use beeline_api::batch::{Level, Options, Reward, View};
use beeline_puzzles::environment::PLANES;
use beeline_search::Budget;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{UnsupportedError, no_distance, no_level};
use crate::limits::{budget, interruptible};
use crate::puzzle::Puzzle;

/// Boards of several puzzles that step together.
#[pyclass(frozen, module = "beeline_puzzles")]
pub(crate) struct Batch {
    inner: Mutex<beeline_api::batch::Batch>,
    budget: Budget,
    boards: usize,
    shape: (usize, usize),
    actions: usize,
    /// May a step solve positions for their distances?
    asks: bool,
}

impl Batch {
    /// The boards. A thread that holds the lock must not wait for the interpreter: two threads would deadlock.
    fn inner(&self) -> PyResult<MutexGuard<'_, beeline_api::batch::Batch>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("the boards were left in the middle of a step"))
    }

    /// Boards, masks, rewards, terminated, truncated, distances, optimal, levels, steps.
    fn arrays<'py>(&self, py: Python<'py>, view: &View) -> PyResult<Vec<Bound<'py, PyAny>>> {
        Ok(vec![
            arrays::array(py, &view.boards, "uint8", &[self.boards, PLANES, self.shape.0, self.shape.1])?,
            arrays::array(py, &view.masks, "int8", &[self.boards, self.actions])?,
            arrays::floats(py, &view.rewards)?,
            arrays::truths(py, &view.terminated)?,
            arrays::truths(py, &view.truncated)?,
            arrays::integers32(py, &view.distances)?,
            arrays::integers32(py, &view.optimal)?,
            arrays::integers32(py, &view.levels)?,
            arrays::integers32(py, &view.steps)?,
        ])
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (puzzles, boards=1, *, reward="sparse", gamma=1.0, max_steps=None, distances=false, distance=None, restart=true, time=None, memory=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        puzzles: Vec<PyRef<'_, Puzzle>>,
        boards: usize,
        reward: &str,
        gamma: f64,
        max_steps: Option<u32>,
        distances: bool,
        distance: Option<u32>,
        restart: bool,
        time: Option<f64>,
        memory: Option<usize>,
    ) -> PyResult<Self> {
        let reward = match reward {
            "sparse" => Reward::Sparse,
            "step" => Reward::Step,
            "potential" => Reward::Potential { gamma },
            other => {
                let message =
                    format!("there is no reward {other:?}; the rewards are sparse, step, potential");
                return Err(PyValueError::new_err(message));
            }
        };
        let limits = budget(time, memory, None)?;
        let mut levels = Vec::new();
        for puzzle in &puzzles {
            let (inner, oracle) = (Arc::clone(&puzzle.inner), Arc::clone(puzzle.oracle()?));
            let level = interruptible(py, &limits.cancel, || Level::new(&*inner, oracle, distance, &limits))?;
            levels.push(level.map_err(|error| no_level(py, &error))?);
        }
        let asks = distances || matches!(reward, Reward::Potential { .. });
        let options = Options { reward, most_steps: max_steps, distances, restart };
        // The time limit applied to the levels. Memory and Ctrl-C apply to every step.
        let budget = Budget { time: None, ..limits };
        let inner = beeline_api::batch::Batch::new(levels, boards, options, budget.clone());
        let inner = inner.ok_or_else(|| UnsupportedError::new_err("there is no level to start in"))?;
        let (shape, actions) = (inner.shape(), inner.actions());
        Ok(Self { inner: Mutex::new(inner), budget, boards, shape, actions, asks })
    }

    /// Rows and columns of all boards.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// How many actions there are.
    #[getter]
    fn actions(&self) -> usize {
        self.actions
    }

    /// The optimal length of each level.
    #[getter]
    fn optimal(&self) -> PyResult<Vec<u32>> {
        Ok(self.inner()?.levels().iter().map(Level::optimal).collect())
    }

    /// The puzzle that starts where a board stands.
    fn puzzle(&self, board: usize) -> PyResult<Puzzle> {
        let inner = self.inner()?;
        let position =
            inner.position(board).ok_or_else(|| PyValueError::new_err("there is no such board"))?;
        Ok(Puzzle::new(position.puzzle()))
    }

    /// The step that a legal action of a board is.
    fn step_name(&self, board: usize, action: usize) -> PyResult<Option<String>> {
        Ok(self.inner()?.step_name(board, action))
    }

    /// The action of a board that a step is.
    fn action_of(&self, board: usize, step: &str) -> PyResult<Option<usize>> {
        Ok(self.inner()?.action_of(board, step))
    }

    /// Starts every board anew.
    #[pyo3(signature = (seeds=None, level=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seeds: Option<Vec<Option<u64>>>,
        level: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let seeds = seeds.unwrap_or_default();
        let view = interruptible(py, &self.budget.cancel, || {
            let mut inner = self.inner()?;
            Ok(inner.reset(&seeds, level).map(|()| inner.view().clone()))
        })?;
        self.arrays(py, &view.and_then(|view| view.map_err(|error| no_distance(py, &error)))?)
    }

    /// Takes an action on each board: bytes of 64-bit numbers.
    fn step<'py>(&self, py: Python<'py>, actions: &[u8]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (words, rest) = actions.as_chunks::<8>();
        if words.len() != self.boards || !rest.is_empty() {
            return Err(PyValueError::new_err(format!("{} boards need as many actions", self.boards)));
        }
        let actions: Vec<i64> = words.iter().map(|word| i64::from_le_bytes(*word)).collect();
        let step = || {
            let mut inner = self.inner()?;
            PyResult::Ok(inner.step(&actions).map(|()| inner.view().clone()))
        };
        // A step takes microseconds and needs no thread of its own, unless it may solve positions for distances.
        let view = if self.asks { interruptible(py, &self.budget.cancel, step)? } else { py.detach(step) };
        self.arrays(py, &view?.map_err(|error| no_distance(py, &error))?)
    }
}
