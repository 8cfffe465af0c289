//! Errors as Python exceptions.

use beeline_api::NoDistance;
use beeline_api::batch::NoLevel;
use beeline_api::data::NoRow;
use beeline_puzzles::{NotMade, TextError};
use beeline_search::{Limit, Unsupported};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(beeline_puzzles, PuzzleError, PyValueError, "A text that is no puzzle or no plan.");
create_exception!(
    beeline_puzzles,
    LimitError,
    PyRuntimeError,
    "A limit on time, memory or nodes was reached."
);
create_exception!(beeline_puzzles, UnsupportedError, PyValueError, "A puzzle or a strategy cannot do this.");
create_exception!(
    beeline_puzzles,
    RejectedError,
    PyRuntimeError,
    "The checker rejected a plan: a bug in Beeline."
);

/// An error at its place in a text: `line` and `column` count from 1.
pub(crate) fn in_text(py: Python<'_>, name: &str, text: &str, error: &TextError) -> PyErr {
    let (line, column) = error.position(text);
    let message = format!("{name}:{line}:{column}: {}; expected {}", error.message, error.expected);
    let raised = PuzzleError::new_err(message);
    let value = raised.value(py);
    let set = value
        .setattr("line", line)
        .and_then(|()| value.setattr("column", column))
        .and_then(|()| value.setattr("expected", error.expected.as_str()))
        .and_then(|()| value.setattr("help", error.help.as_deref()));
    set.map_or_else(|error| error, |()| raised)
}

/// An error about a text as a whole.
pub(crate) fn no_puzzle(py: Python<'_>, message: String) -> PyErr {
    let raised = PuzzleError::new_err(message);
    let value = raised.value(py);
    let none = ["line", "column", "expected", "help"]
        .into_iter()
        .try_for_each(|name| value.setattr(name, py.None()));
    none.map_or_else(|error| error, |()| raised)
}

/// A limit that ended something; `limit` is its name.
pub(crate) fn stopped(py: Python<'_>, limit: Limit) -> PyErr {
    let raised = LimitError::new_err(format!("stopped by the {} limit", limit.name()));
    raised.value(py).setattr("limit", limit.name()).map_or_else(|error| error, |()| raised)
}

/// A request that is not supported.
pub(crate) fn unsupported(error: &Unsupported) -> PyErr {
    UnsupportedError::new_err(error.to_string())
}

/// Why there is no distance.
pub(crate) fn no_distance(py: Python<'_>, error: &NoDistance) -> PyErr {
    match error {
        NoDistance::Stopped(limit) => stopped(py, *limit),
        NoDistance::Rejected(why) => RejectedError::new_err(why.clone()),
        NoDistance::Unproved | NoDistance::Unsupported(_) => UnsupportedError::new_err(error.to_string()),
    }
}

/// Why a puzzle was not made.
pub(crate) fn not_made(py: Python<'_>, error: &NotMade) -> PyErr {
    match error {
        NotMade::Stopped(limit) => stopped(py, *limit),
        NotMade::Refused(why) => UnsupportedError::new_err(why.clone()),
    }
}

/// Why there is no level.
pub(crate) fn no_level(py: Python<'_>, error: &NoLevel) -> PyErr {
    match error {
        NoLevel::Distance(error) => no_distance(py, error),
        _ => UnsupportedError::new_err(error.to_string()),
    }
}

/// Why there is no row of data.
pub(crate) fn no_row(py: Python<'_>, error: &NoRow) -> PyErr {
    match error {
        NoRow::NotMade(error) => not_made(py, error),
        NoRow::Distance(error) => no_distance(py, error),
        NoRow::Rejected(why) => RejectedError::new_err(why.clone()),
        NoRow::NoEnvironment => UnsupportedError::new_err(error.to_string()),
    }
}
