//! Limits as arguments, and work that Ctrl-C can end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use beeline_api::machine::memory_to_use;
use beeline_search::{Budget, Cancel};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Time between two polls for signals while a search runs.
const LOOK: Duration = Duration::from_millis(50);
/// Bytes of a searching thread's stack, as large as a main thread's usually is.
pub(crate) const STACK: usize = 8 << 20;

/// A budget from seconds, bytes and expansions. The default memory limit is four fifths of the free memory.
pub(crate) fn budget(time: Option<f64>, memory: Option<usize>, nodes: Option<u64>) -> PyResult<Budget> {
    let time = time.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|error| PyValueError::new_err(format!("time: {error}")))?;
    Ok(Budget { nodes, bytes: memory_to_use(memory), time, ..Budget::default() })
}

/// Runs work on its own thread with the interpreter released. A signal whose handler raises (Ctrl-C) cancels the work, waits
/// for its end and is raised.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (done, mut wait) = mpsc::channel();
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
            // An interrupted call no longer waits for the result.
            let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
        });
        worker.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        loop {
            let received;
            (wait, received) = py.detach(move || {
                let received = wait.recv_timeout(LOOK);
                (wait, received)
            });
            match received {
                Ok(Ok(result)) => return Ok(result),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err(
                        "internal error: a search panicked; please report it",
                    ));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(signal) = py.check_signals() {
                        cancel.cancel();
                        // The end of the scope waits for the thread, which must not need the interpreter.
                        py.detach(move || drop(wait.recv()));
                        return Err(signal);
                    }
                }
            }
        }
    })
}
