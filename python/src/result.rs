//! The result of a search.

use std::sync::Arc;

use beeline_api::answer::{Ending, Promise};
use beeline_puzzles::environment::{PLANES, of_scene};
use beeline_puzzles::scene::Scene;
use beeline_search::Stats;
use beeline_view::svg;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays;
use crate::errors::RejectedError;

/// The answer of a search, after the check.
#[pyclass(frozen, name = "Result", module = "beeline_puzzles")]
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) puzzle: Arc<dyn beeline_puzzles::Puzzle>,
    pub(crate) ending: Ending,
    pub(crate) stats: Stats,
    pub(crate) strategy: String,
    pub(crate) heuristic: Option<String>,
    pub(crate) objective: String,
}

impl Answer {
    fn scenes(&self) -> PyResult<Vec<Scene>> {
        let mut game = self.puzzle.game();
        let mut scenes = vec![game.scene()];
        for step in self.ending.plan().iter().flat_map(|plan| &plan.steps) {
            // The checker accepted the plan.
            game.play(step).map_err(PyRuntimeError::new_err)?;
            scenes.push(game.scene());
        }
        Ok(scenes)
    }

    /// The error of an answer whose plan the checker rejected.
    pub(crate) fn raise_if_rejected(&self) -> PyResult<()> {
        match &self.ending {
            Ending::Rejected(why) => Err(RejectedError::new_err(why.clone())),
            _ => Ok(()),
        }
    }
}

/// The counters as a dictionary, in the words of docs/json.md.
pub(crate) fn stats<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let counts = [
        ("expanded", stats.expanded),
        ("generated", stats.generated),
        ("duplicates", stats.duplicates),
        ("reopened", stats.reopened),
        ("depth", stats.depth),
        ("stored", stats.stored),
        ("frontier_peak", stats.frontier_peak),
        ("bytes", stats.bytes as u64),
    ];
    counts.into_iter().try_for_each(|(name, count)| all.set_item(name, count))?;
    let pruned = PyDict::new(py);
    stats.pruned.iter().try_for_each(|(rule, count)| pruned.set_item(rule, count))?;
    all.set_item("pruned", pruned)?;
    all.set_item("seconds", stats.elapsed.as_secs_f64())?;
    let rounds = PyList::empty(py);
    for round in &stats.rounds {
        let one = PyDict::new(py);
        one.set_item("bound", round.bound)?;
        one.set_item("expanded", round.expanded)?;
        one.set_item("generated", round.generated)?;
        one.set_item("duplicates", round.duplicates)?;
        rounds.append(one)?;
    }
    all.set_item("rounds", rounds)?;
    Ok(all)
}

#[pymethods]
impl Answer {
    /// `solved`, `unsolvable`, `gave up`, `stopped` or `rejected`.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.ending.word()
    }

    /// Is there a plan?
    #[getter]
    fn solved(&self) -> bool {
        self.ending.plan().is_some()
    }

    /// Which limit ended the search, or why the checker rejected its plan.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.ending.reason(self.stats.stopped)
    }

    /// The steps of the plan; `None` if there is no plan.
    #[getter]
    fn plan(&self) -> Option<Vec<String>> {
        self.ending.plan().map(|plan| plan.steps.clone())
    }

    /// The plan as people write it.
    #[getter]
    fn plan_text(&self) -> Option<String> {
        self.ending.plan().map(|plan| self.puzzle.write_plan(&plan.steps))
    }

    /// What the plan costs, counted by the checker.
    #[getter]
    fn cost(&self) -> Option<u64> {
        self.ending.plan().map(|plan| plan.cost)
    }

    /// It is proved that no plan costs less.
    #[getter]
    fn lower_bound(&self) -> Option<u64> {
        self.ending.plan().map(|plan| plan.lower_bound)
    }

    /// Is it proved that the plan is a cheapest one, or that there is none?
    #[getter]
    fn proved(&self) -> bool {
        match &self.ending {
            Ending::Solved(plan) => plan.promise() == Promise::Shortest,
            other => *other == Ending::Unsolvable,
        }
    }

    /// Did the independent checker accept the plan? A plan that it does not accept is never given out.
    #[getter]
    fn checked(&self) -> bool {
        self.solved()
    }

    /// The counters.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats(py, &self.stats)
    }

    /// What ran.
    #[getter]
    fn strategy(&self) -> &str {
        &self.strategy
    }

    /// The heuristic that was asked for.
    #[getter]
    fn heuristic(&self) -> Option<&str> {
        self.heuristic.as_deref()
    }

    /// What was minimised.
    #[getter]
    fn objective(&self) -> &str {
        &self.objective
    }

    /// The boards from the start to the goal: an array of states, planes, rows and columns.
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let scenes = self.scenes()?;
        let bytes: Vec<u8> = scenes.iter().flat_map(of_scene).collect();
        arrays::array(py, &bytes, "uint8", &[scenes.len(), PLANES, scenes[0].height, scenes[0].width])
    }

    /// The pictures from the start to the goal as SVG.
    fn frames(&self) -> PyResult<Vec<String>> {
        let title = self.puzzle.kind().title();
        Ok(self.scenes()?.iter().map(|scene| svg(scene, title)).collect())
    }

    /// The plan as a moving picture, so many seconds a step.
    #[pyo3(signature = (seconds=0.4))]
    fn animate<'py>(&self, py: Python<'py>, seconds: f64) -> PyResult<Bound<'py, PyAny>> {
        let animation = py.import("beeline_puzzles.animation")?.getattr("Animation")?;
        animation.call1((self.frames()?, seconds))
    }

    /// The picture of the end of the plan.
    fn _repr_svg_(&self) -> PyResult<Option<String>> {
        Ok(self.frames()?.pop())
    }

    fn __bool__(&self) -> bool {
        self.solved()
    }

    fn __repr__(&self) -> String {
        let about = match &self.ending {
            Ending::Solved(plan) => {
                format!("cost {}, {}", plan.cost, plan.promise().sentence(plan.lower_bound))
            }
            Ending::Stopped(limit) => format!("stopped by the {} limit", limit.name()),
            other => other.word().to_owned(),
        };
        format!("<beeline result: {about}; {} expanded {}>", self.strategy, self.stats.expanded)
    }
}

/// The verdict of the checker on a plan.
#[pyclass(frozen, get_all, module = "beeline_puzzles")]
pub(crate) struct Check {
    /// What the plan costs; `None` if it does not hold.
    pub(crate) cost: Option<u64>,
    /// The number of the step that breaks the rules, from 1.
    pub(crate) bad_step: Option<usize>,
    /// What is wrong.
    pub(crate) reason: Option<String>,
}

#[pymethods]
impl Check {
    /// Does the plan hold?
    #[getter]
    fn valid(&self) -> bool {
        self.cost.is_some()
    }

    fn __bool__(&self) -> bool {
        self.valid()
    }

    fn __repr__(&self) -> String {
        match (&self.cost, &self.reason) {
            (Some(cost), _) => format!("<beeline check: valid, cost {cost}>"),
            (_, reason) => format!("<beeline check: {}>", reason.as_deref().unwrap_or_default()),
        }
    }
}
