//! A puzzle being played.

use std::sync::{Mutex, MutexGuard};

use beeline_puzzles::scene::Scene;
use beeline_view::{Colour, Style, canvas, svg};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;
use crate::puzzle::Puzzle;

/// A game from the start of a puzzle.
#[pyclass(module = "beeline_puzzles")]
pub(crate) struct Game(Mutex<Box<dyn beeline_puzzles::Game>>);

impl Game {
    pub(crate) fn new(game: Box<dyn beeline_puzzles::Game>) -> Self {
        Self(Mutex::new(game))
    }

    fn game(&self) -> PyResult<MutexGuard<'_, Box<dyn beeline_puzzles::Game>>> {
        self.0.lock().map_err(|_| PyRuntimeError::new_err("the game was left in the middle of a step"))
    }

    pub(crate) fn scene(&self) -> PyResult<Scene> {
        Ok(self.game()?.scene())
    }
}

#[pymethods]
impl Game {
    /// The steps that are possible now.
    fn legal(&self) -> PyResult<Vec<String>> {
        Ok(self.game()?.legal())
    }

    /// Plays a step; one that is not possible raises `ValueError` and says why.
    fn step(&self, step: &str) -> PyResult<()> {
        self.game()?.play(step).map_err(PyValueError::new_err)
    }

    /// Takes the last step back; `False` at the start.
    fn undo(&self) -> PyResult<bool> {
        Ok(self.game()?.undo())
    }

    /// Is it solved?
    #[getter]
    fn solved(&self) -> PyResult<bool> {
        Ok(self.game()?.solved())
    }

    /// The steps so far.
    #[getter]
    fn history(&self) -> PyResult<Vec<String>> {
        Ok(self.game()?.history().to_vec())
    }

    /// What players count beside the steps.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        self.game()?.counts().into_iter().try_for_each(|(name, count)| counts.set_item(name, count))?;
        Ok(counts)
    }

    /// The board as an array of planes, rows and columns.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrays::board(py, &self.scene()?)
    }

    /// The board as a picture in characters.
    #[getter]
    fn text(&self) -> PyResult<String> {
        Ok(canvas(&self.scene()?, Style::default()).to_text(Colour::None))
    }

    /// The puzzle that starts here.
    fn puzzle(&self) -> PyResult<Puzzle> {
        Ok(Puzzle::new(self.game()?.here()))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(svg(&self.scene()?, "a game"))
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn __repr__(&self) -> PyResult<String> {
        let game = self.game()?;
        let solved = if game.solved() { ", solved" } else { "" };
        Ok(format!("<beeline game after {} steps{solved}>", game.history().len()))
    }
}
