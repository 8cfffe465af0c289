//! A search that yields its events one by one.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use beeline_puzzles::environment::{PLANES, of_scene};
use beeline_puzzles::{EventKind, Job, Watcher};
use beeline_search::{Budget, Cancel, Outcome, Unsupported};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::unsupported;
use crate::limits::STACK;
use crate::puzzle::checked_answer;
use crate::result::Answer;

/// Events buffered for Python before the search waits.
const WAITING: usize = 1 << 12;
/// Time between two polls for signals while no event comes.
const LOOK: Duration = Duration::from_millis(50);

/// An event of a search.
#[pyclass(frozen, module = "beeline_puzzles")]
#[derive(Clone)]
pub(crate) struct Event {
    /// `expanded`, `generated`, `duplicate`, `pruned`, `round` or `found`.
    #[pyo3(get)]
    kind: &'static str,
    /// Of `pruned`: the rule.
    #[pyo3(get)]
    rule: Option<&'static str>,
    /// The path cost of the state; of `found`, that of the plan; of `round`, its bound or width.
    #[pyo3(get)]
    cost: u64,
    /// The estimate of the state.
    #[pyo3(get)]
    estimate: u32,
    /// Identifies the state.
    #[pyo3(get)]
    state: u64,
    /// Identifies the successor, where the event is about one.
    #[pyo3(get)]
    next: Option<u64>,
    /// The step to the successor.
    #[pyo3(get)]
    step: Option<String>,
    /// The board of the state with its rows and columns, where boards were asked for.
    board: Option<(Vec<u8>, usize, usize)>,
}

#[pymethods]
impl Event {
    /// The board of the state, where boards were asked for.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let array = |(bytes, rows, columns): &(Vec<u8>, usize, usize)| {
            arrays::array(py, bytes, "uint8", &[PLANES, *rows, *columns])
        };
        self.board.as_ref().map(array).transpose()
    }

    fn __repr__(&self) -> String {
        let rule = self.rule.map(|rule| format!(" by {rule}")).unwrap_or_default();
        let step = self.step.as_deref().map(|step| format!(" {step}")).unwrap_or_default();
        format!("<beeline event: {}{rule}{step}, cost {}, estimate {}>", self.kind, self.cost, self.estimate)
    }
}

/// Sends events to Python. Without a receiver, the search continues until it sees that it is cancelled.
struct Sender {
    events: SyncSender<Event>,
    boards: bool,
}

impl Sender {
    fn plain(&self, kind: &'static str, cost: u64) {
        let (rule, next, step, board) = (None, None, None, None);
        let _ = self.events.send(Event { kind, rule, cost, estimate: 0, state: 0, next, step, board });
    }
}

impl Watcher for Sender {
    fn wants_events(&self) -> bool {
        true
    }

    fn round(&mut self, bound: u64) {
        self.plain("round", bound);
    }

    fn found(&mut self, cost: u64) {
        self.plain("found", cost);
    }

    fn event(&mut self, event: &beeline_puzzles::Event<'_>) {
        let (kind, rule) = match event.kind {
            EventKind::Expanded => ("expanded", None),
            EventKind::Generated => ("generated", None),
            EventKind::Duplicate => ("duplicate", None),
            EventKind::Pruned(rule) => ("pruned", Some(rule)),
        };
        let board = self.boards.then(|| {
            let scene = (event.scene)();
            (of_scene(&scene), scene.height, scene.width)
        });
        let _ = self.events.send(Event {
            kind,
            rule,
            cost: event.cost.into(),
            estimate: event.estimate,
            state: event.state,
            next: (event.next)(),
            step: (event.step)(),
            board,
        });
    }
}

type Found = Result<Outcome<String>, Unsupported>;

/// The running half of a search.
struct Running {
    events: Receiver<Event>,
    thread: JoinHandle<Found>,
}

/// An iterator over the events of a search; `result` is there when it has ended.
#[pyclass(frozen, module = "beeline_puzzles")]
pub(crate) struct Search {
    puzzle: Arc<dyn beeline_puzzles::Puzzle>,
    job: Job,
    cancel: Cancel,
    running: Mutex<Option<Running>>,
    result: Mutex<Option<Answer>>,
}

impl Search {
    pub(crate) fn start(
        puzzle: &Arc<dyn beeline_puzzles::Puzzle>,
        job: Job,
        budget: Budget,
        boards: bool,
    ) -> PyResult<Self> {
        let (events, waiting) = mpsc::sync_channel(WAITING);
        let (searched, asked, cancel) = (Arc::clone(puzzle), job.clone(), budget.cancel.clone());
        let work = move || searched.solve(&asked, &budget, &mut Sender { events, boards });
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
        let thread =
            thread.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        let running = Mutex::new(Some(Running { events: waiting, thread }));
        Ok(Self { puzzle: Arc::clone(puzzle), job, cancel, running, result: Mutex::new(None) })
    }

    /// Cancels the search, and lets its thread end by itself.
    fn stop(&self) {
        self.cancel.cancel();
        if let Ok(mut running) = self.running.lock() {
            *running = None;
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
    }
}

fn poisoned<T>(_: T) -> PyErr {
    PyRuntimeError::new_err("internal error: a search panicked; please report it")
}

#[pymethods]
impl Search {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Event>> {
        loop {
            let Some(mut running) = self.running.lock().map_err(poisoned)?.take() else { return Ok(None) };
            let received;
            (running, received) = match running.events.try_recv() {
                Ok(event) => (running, Ok(event)),
                Err(_) => py.detach(move || {
                    let received = running.events.recv_timeout(LOOK);
                    (running, received)
                }),
            };
            match received {
                Ok(event) => {
                    *self.running.lock().map_err(poisoned)? = Some(running);
                    return Ok(Some(event));
                }
                Err(RecvTimeoutError::Timeout) => {
                    *self.running.lock().map_err(poisoned)? = Some(running);
                    if let Err(signal) = py.check_signals() {
                        self.stop();
                        return Err(signal);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let found = py.detach(move || running.thread.join()).map_err(poisoned)?;
                    let outcome = found.map_err(|error| unsupported(&error))?;
                    *self.result.lock().map_err(poisoned)? =
                        Some(checked_answer(&self.puzzle, &self.job, outcome));
                    return Ok(None);
                }
            }
        }
    }

    /// The answer, when the search has ended; `None` before.
    #[getter]
    fn result(&self) -> PyResult<Option<Answer>> {
        Ok(self.result.lock().map_err(poisoned)?.clone())
    }

    /// Ends the search without an answer.
    fn close(&self) {
        self.stop();
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, _args: &Bound<'_, PyAny>) {
        self.stop();
    }
}
