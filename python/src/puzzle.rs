//! One puzzle.

use std::sync::{Arc, OnceLock};

use beeline_api::answer::{Ending, checker, default_objective, default_solver};
use beeline_api::oracle::{MOST_POSITIONS, Method};
use beeline_api::{NoDistance, Oracle};
use beeline_check::Flaw;
use beeline_puzzles::environment::PLANES;
use beeline_puzzles::{Choice, Job, Kind, Position};
use beeline_search::strategies::STRATEGIES;
use beeline_search::{Budget, DEAD, Settings};
use beeline_view::{Style, canvas, svg};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::arrays;
use crate::errors::{UnsupportedError, in_text, no_distance, unsupported};
use crate::game::Game;
use crate::limits::{budget, interruptible};
use crate::result::{Answer, Check};
use crate::search::Search;

/// A puzzle of any kind. It never changes.
#[pyclass(frozen, module = "beeline_puzzles")]
pub(crate) struct Puzzle {
    pub(crate) inner: Arc<dyn beeline_puzzles::Puzzle>,
    oracle: OnceLock<Option<Arc<Oracle>>>,
    /// The answer with which a generated puzzle came.
    pub(crate) known: Option<Arc<Answer>>,
}

impl Puzzle {
    pub(crate) fn new(puzzle: Box<dyn beeline_puzzles::Puzzle>) -> Self {
        Self { inner: puzzle.into(), oracle: OnceLock::new(), known: None }
    }

    /// The oracle of its positions, shared by all calls.
    pub(crate) fn oracle(&self) -> PyResult<&Arc<Oracle>> {
        let make = || {
            let environment = self.inner.environment()?;
            Some(Arc::new(Oracle::new(environment.into(), MOST_POSITIONS)))
        };
        let oracle = self.oracle.get_or_init(make).as_ref();
        oracle.ok_or_else(|| UnsupportedError::new_err("the puzzle has no form in which a learner can act"))
    }

    /// The positions given by `states`, and whether it is a single one.
    fn positions(&self, states: Option<&Bound<'_, PyAny>>) -> PyResult<(Vec<Box<dyn Position>>, bool)> {
        let environment = self.oracle()?.environment();
        let Some(states) = states else { return Ok((vec![environment.start()], true)) };
        let (rows, columns) = environment.shape();
        let cells = PLANES * rows * columns;
        let read = |board: &[u8]| {
            environment
                .read(board)
                .ok_or_else(|| PyValueError::new_err("a board belongs to no state of this puzzle"))
        };
        if states.is_instance_of::<PyList>() || states.is_instance_of::<PyTuple>() {
            let mut all = Vec::new();
            for state in states.try_iter()? {
                all.extend(self.positions(Some(&state?))?.0);
            }
            return Ok((all, false));
        }
        let scene = if let Ok(game) = states.cast::<Game>() {
            Some(game.borrow().scene()?)
        } else {
            states.cast::<Self>().ok().map(|puzzle| puzzle.get().inner.game().scene())
        };
        if let Some(scene) = scene {
            return Ok((vec![read(&beeline_puzzles::environment::of_scene(&scene))?], true));
        }
        let (bytes, shape) = arrays::bytes_of(states, "uint8")?;
        let single = match shape[..] {
            [planes, r, c] if (planes, r, c) == (PLANES, rows, columns) => true,
            [_, planes, r, c] if (planes, r, c) == (PLANES, rows, columns) => false,
            _ => {
                let message = format!(
                    "boards of this puzzle have the shape ({PLANES}, {rows}, {columns}), or one more axis in front; got {shape:?}"
                );
                return Err(PyValueError::new_err(message));
            }
        };
        Ok((bytes.chunks(cells).map(read).collect::<PyResult<_>>()?, single))
    }

    fn costs(
        &self,
        py: Python<'_>,
        states: Option<&Bound<'_, PyAny>>,
        threads: usize,
        budget: &Budget,
    ) -> PyResult<(Vec<u32>, bool)> {
        let (positions, single) = self.positions(states)?;
        let oracle = self.oracle()?;
        let costs = interruptible(py, &budget.cancel, || oracle.distances(&positions, threads, budget))?;
        Ok((costs.map_err(|error: NoDistance| no_distance(py, &error))?, single))
    }
}

/// The job that arguments describe.
#[derive(Default)]
pub(crate) struct JobArgs {
    pub(crate) strategy: Option<String>,
    pub(crate) objective: Option<String>,
    pub(crate) heuristic: Option<String>,
    pub(crate) rules: Option<Vec<String>>,
    /// 0 for all cores.
    pub(crate) threads: usize,
    pub(crate) width: Option<usize>,
    pub(crate) weight: Option<f64>,
    pub(crate) depth: Option<u64>,
    pub(crate) seed: u64,
}

impl JobArgs {
    /// The job for puzzles of a kind, which must know all names.
    pub(crate) fn job(self, kind: &dyn Kind) -> PyResult<Job> {
        let names = |choices: &[Choice]| choices.iter().map(|choice| choice.name).collect::<Vec<_>>();
        let mut strategies = names(kind.solvers());
        strategies.extend(STRATEGIES.iter().map(|strategy| strategy.name));
        known(kind, "strategy", self.strategy.as_ref(), &strategies)?;
        known(kind, "heuristic", self.heuristic.as_ref(), &names(kind.heuristics()))?;
        known(kind, "objective", self.objective.as_ref(), &names(kind.objectives()))?;
        for rule in self.rules.iter().flatten() {
            known(kind, "rule", Some(rule), &names(kind.rules()))?;
        }
        let usual = Settings::default();
        let weight = self.weight.unwrap_or(usual.weight);
        if weight.is_nan() || weight < 1.0 {
            return Err(PyValueError::new_err(format!("weight must be at least 1, not {weight}")));
        }
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let threads = if self.threads == 0 { cores() } else { self.threads };
        let (width, depth, seed) = (self.width, self.depth, self.seed);
        let settings = Settings { width, weight, depth, seed, threads, ..usual };
        let Self { strategy, objective, heuristic, rules, .. } = self;
        Ok(Job { strategy, heuristic, objective, rules, settings })
    }
}

/// Refuses a name that a kind does not have.
fn known(kind: &dyn Kind, what: &str, name: Option<&String>, names: &[&str]) -> PyResult<()> {
    match name.filter(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let (kind, names) = (kind.name(), names.join(", "));
            Err(UnsupportedError::new_err(format!("{kind} has no {what} {name:?}; it has {names}")))
        }
    }
}

/// Solves and checks.
pub(crate) fn solve(
    py: Python<'_>,
    puzzle: &Arc<dyn beeline_puzzles::Puzzle>,
    job: &Job,
    budget: &Budget,
) -> PyResult<Answer> {
    let outcome = interruptible(py, &budget.cancel, || puzzle.solve(job, budget, &mut ()))?;
    let outcome = outcome.map_err(|error| unsupported(&error))?;
    Ok(checked_answer(puzzle, job, outcome))
}

/// Checks the outcome of a search.
pub(crate) fn checked_answer(
    puzzle: &Arc<dyn beeline_puzzles::Puzzle>,
    job: &Job,
    outcome: beeline_search::Outcome<String>,
) -> Answer {
    let kind = puzzle.kind();
    let ending = Ending::of(outcome.verdict, checker(&**puzzle, job.objective.as_deref()));
    Answer {
        puzzle: Arc::clone(puzzle),
        ending,
        stats: outcome.stats,
        strategy: job.strategy.clone().unwrap_or_else(|| default_solver(kind).to_owned()),
        heuristic: job.heuristic.clone(),
        objective: job.objective.clone().unwrap_or_else(|| default_objective(kind).to_owned()),
    }
}

#[pymethods]
impl Puzzle {
    /// The name of the kind.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind().name()
    }

    /// The title that its file gives.
    #[getter]
    fn title(&self) -> Option<String> {
        self.inner.title()
    }

    /// The puzzle as a file.
    #[getter]
    fn text(&self) -> String {
        self.inner.text()
    }

    /// What is worth knowing before solving.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        self.inner.facts().into_iter().try_for_each(|(name, value)| facts.set_item(name, value))?;
        Ok(facts)
    }

    /// What is odd about it.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings()
    }

    /// The answer with which it was made.
    #[getter]
    fn known(&self) -> Option<Answer> {
        self.known.as_deref().cloned()
    }

    /// The start as an array of planes, rows and columns.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrays::board(py, &self.inner.game().scene())
    }

    /// The names of the actions of its environment, by number.
    #[getter]
    fn actions(&self) -> PyResult<Vec<String>> {
        let environment = self.oracle()?.environment();
        Ok((0..environment.actions()).map(|action| environment.action_name(action)).collect())
    }

    /// Solves it; a limit that is reached is a result like others.
    #[pyo3(signature = (strategy=None, objective=None, heuristic=None, *, time=None, memory=None, nodes=None, threads=1, rules=None, width=None, weight=None, depth=None, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn solve(
        &self,
        py: Python<'_>,
        strategy: Option<String>,
        objective: Option<String>,
        heuristic: Option<String>,
        time: Option<f64>,
        memory: Option<usize>,
        nodes: Option<u64>,
        threads: usize,
        rules: Option<Vec<String>>,
        width: Option<usize>,
        weight: Option<f64>,
        depth: Option<u64>,
        seed: u64,
    ) -> PyResult<Answer> {
        let wanted = JobArgs { strategy, objective, heuristic, rules, threads, width, weight, depth, seed };
        solve(py, &self.inner, &wanted.job(self.inner.kind())?, &budget(time, memory, nodes)?)
    }

    /// Searches, and gives the events of the search one by one.
    #[pyo3(signature = (strategy, heuristic=None, objective=None, *, boards=false, time=None, memory=None, nodes=None, rules=None, width=None, weight=None, depth=None, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn search(
        &self,
        strategy: String,
        heuristic: Option<String>,
        objective: Option<String>,
        boards: bool,
        time: Option<f64>,
        memory: Option<usize>,
        nodes: Option<u64>,
        rules: Option<Vec<String>>,
        width: Option<usize>,
        weight: Option<f64>,
        depth: Option<u64>,
        seed: u64,
    ) -> PyResult<Search> {
        let strategy = Some(strategy);
        let wanted =
            JobArgs { strategy, objective, heuristic, rules, threads: 1, width, weight, depth, seed };
        Search::start(&self.inner, wanted.job(self.inner.kind())?, budget(time, memory, nodes)?, boards)
    }

    /// Replays a plan (a list of steps, or as people write it) with the independent checker.
    #[pyo3(signature = (plan, objective=None))]
    fn check(&self, py: Python<'_>, plan: &Bound<'_, PyAny>, objective: Option<&str>) -> PyResult<Check> {
        let steps: Vec<String> = if let Ok(text) = plan.cast::<PyString>() {
            let text = text.to_str()?;
            self.inner.read_plan(text).map_err(|error| in_text(py, "<plan>", text, &error))?
        } else {
            plan.extract()?
        };
        match checker(&*self.inner, objective)(&steps) {
            Ok(checked) => Ok(Check { cost: Some(checked.cost), bad_step: None, reason: None }),
            Err(flaw @ (Flaw::Unsupported(_) | Flaw::Text(_))) => {
                Err(UnsupportedError::new_err(flaw.to_string()))
            }
            Err(flaw) => {
                let bad_step = if let Flaw::Step { number, .. } = flaw { Some(number) } else { None };
                Ok(Check { cost: None, bad_step, reason: Some(flaw.to_string()) })
            }
        }
    }

    /// A game from the start.
    fn play(&self) -> Game {
        Game::new(self.inner.game())
    }

    /// The puzzle that starts with this board.
    fn at(&self, board: &Bound<'_, PyAny>) -> PyResult<Self> {
        match self.positions(Some(board))? {
            (positions, true) => Ok(Self::new(positions[0].puzzle())),
            _ => Err(PyValueError::new_err("one board is needed")),
        }
    }

    /// The exact cost to go from a state, or from many; -1 where it is proved that no plan exists.
    #[pyo3(signature = (states=None, *, time=None, memory=None, threads=0))]
    fn distance<'py>(
        &self,
        py: Python<'py>,
        states: Option<&Bound<'py, PyAny>>,
        time: Option<f64>,
        memory: Option<usize>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (costs, single) = self.costs(py, states, threads, &budget(time, memory, None)?)?;
        let shown = |cost: &u32| if *cost == DEAD { beeline_api::data::DEAD_END } else { i64::from(*cost) };
        if single {
            return Ok(shown(&costs[0]).into_pyobject(py)?.into_any());
        }
        arrays::integers(py, &costs.iter().map(shown).collect::<Vec<_>>())
    }

    /// Is it proved that no plan exists from a state, or from each of many?
    #[pyo3(signature = (states=None, *, time=None, memory=None, threads=0))]
    fn dead<'py>(
        &self,
        py: Python<'py>,
        states: Option<&Bound<'py, PyAny>>,
        time: Option<f64>,
        memory: Option<usize>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (costs, single) = self.costs(py, states, threads, &budget(time, memory, None)?)?;
        if single {
            return Ok((costs[0] == DEAD).into_pyobject(py)?.to_owned().into_any());
        }
        arrays::truths(py, &costs.iter().map(|&cost| u8::from(cost == DEAD)).collect::<Vec<_>>())
    }

    /// How distances are found: `("table", positions)` or `("solves", None)`.
    #[pyo3(signature = (*, time=None, memory=None))]
    fn distance_method(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        memory: Option<usize>,
    ) -> PyResult<(&'static str, Option<usize>)> {
        let (oracle, budget) = (self.oracle()?, budget(time, memory, None)?);
        let method = interruptible(py, &budget.cancel, || oracle.method(&budget))?;
        match method.map_err(|error| no_distance(py, &error))? {
            Method::Table(positions) => Ok(("table", Some(positions))),
            Method::Solves => Ok(("solves", None)),
        }
    }

    /// The picture as SVG.
    fn svg(&self) -> String {
        svg(&self.inner.game().scene(), self.inner.kind().title())
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        canvas(&self.inner.game().scene(), Style::default()).to_text(beeline_view::Colour::None)
    }

    fn __repr__(&self) -> String {
        let facts: Vec<String> =
            self.inner.facts().iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!("<beeline {} puzzle, {}>", self.inner.kind().name(), facts.join(", "))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().text() == self.text() && other.get().kind() == self.kind())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.kind(), self.text()).hash(&mut hasher);
        hasher.finish()
    }

    /// Pickled as its file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, &'static str))> {
        let load = py.import("beeline_puzzles")?.getattr("load")?;
        Ok((load, (self.text(), self.kind())))
    }
}
