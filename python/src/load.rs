//! Loads puzzles from a path, a name, a text or rows of cells, and lists kinds, examples and strategies.

use std::path::PathBuf;

use beeline_puzzles::{KINDS, Kind, Parsed, Unrecognised, encoding, file, kind, recognise};
use beeline_search::strategies::STRATEGIES;
use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{in_text, no_puzzle};
use crate::puzzle::Puzzle;

/// The kind with this name.
pub(crate) fn kind_named(name: &str) -> PyResult<&'static dyn Kind> {
    kind(name).ok_or_else(|| {
        let all: Vec<&str> = KINDS.iter().map(|kind| kind.name()).collect();
        PyValueError::new_err(format!("there is no kind {name:?}; the kinds are {}", all.join(", ")))
    })
}

/// A name for errors, and the text.
fn read(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
    let given = source.extract::<String>().ok();
    if let Some(text) = given.as_ref().filter(|text| text.contains('\n')) {
        return Ok(("<text>".to_owned(), text.clone()));
    }
    if given.is_none() && !source.hasattr("__fspath__")? {
        return Ok(("<rows>".to_owned(), rows(source)?));
    }
    let path: PathBuf = source.extract()?;
    let name = path.display().to_string();
    if !path.exists() {
        let shipped = KINDS.iter().flat_map(|kind| kind.examples()).find(|example| example.name == name);
        // A text may have one line only.
        let text = given.filter(|text| KINDS.iter().any(|kind| kind.recognises(text)));
        return match (shipped, text) {
            (Some(example), _) => Ok((name, example.text.to_owned())),
            (None, Some(text)) => Ok(("<text>".to_owned(), text)),
            (None, None) => Err(PyFileNotFoundError::new_err(format!(
                "there is no file {name:?} and no puzzle of that name"
            ))),
        };
    }
    let unread = |why: String| no_puzzle(py, format!("{name}: {why}"));
    let bytes = file::read_file(&path).map_err(|error| match error {
        file::ReadError::Io(error) => PyErr::from(error),
        error @ file::ReadError::TooLarge(_) => unread(error.to_string()),
    })?;
    let (text, _) = encoding::decode(bytes).map_err(|error| unread(error.to_string()))?;
    Ok((name, text))
}

/// The text of rows: lists of cells, an array, or one string a row. Cells that are single characters are joined without blanks.
fn rows(source: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut text = String::new();
    for row in source.try_iter()? {
        let row = row?;
        if let Ok(line) = row.extract::<String>() {
            text.push_str(&line);
        } else {
            let cells = row.try_iter()?.collect::<PyResult<Vec<_>>>()?;
            let symbols = cells.iter().all(|cell| cell.extract::<char>().is_ok());
            let words: Vec<String> = cells.iter().map(ToString::to_string).collect();
            text.push_str(&words.join(if symbols { "" } else { " " }));
        }
        text.push('\n');
    }
    Ok(text)
}

fn parse(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    kind: Option<&str>,
) -> PyResult<(String, String, Parsed)> {
    let (name, text) = read(py, source)?;
    let parsed = match kind {
        Some(kind) => kind_named(kind)?.parse_each(&text),
        None => recognise(KINDS, &text).map_err(|error| {
            no_puzzle(
                py,
                match error {
                    Unrecognised::Nobody(near) => {
                        let near = near.iter().map(|(kind, error)| {
                            let (line, column) = error.position(&text);
                            format!("; as {}, {line}:{column}: {error}", kind.name())
                        });
                        let near = near.collect::<String>();
                        format!("no kind of puzzle recognises {name}; say which with kind={near}")
                    }
                    Unrecognised::Several(kinds) => {
                        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                        format!("{name} may be of several kinds: {}; say which with kind=", names.join(", "))
                    }
                },
            )
        })?,
    };
    if parsed.is_empty() {
        Err(no_puzzle(py, format!("{name} holds no puzzle")))
    } else {
        Ok((name, text, parsed))
    }
}

/// Selects a puzzle of a file.
#[derive(FromPyObject)]
pub(crate) enum Which {
    /// From 1.
    Number(usize),
    /// By title, case-insensitively.
    Title(String),
}

/// One puzzle: from a file, from the name of a puzzle that ships, or from a text (which has a line break). A file that holds
/// several needs `level`, a number from 1 or a title.
#[pyfunction]
#[pyo3(signature = (source, kind=None, level=None))]
pub(crate) fn load(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    kind: Option<&str>,
    level: Option<Which>,
) -> PyResult<Puzzle> {
    let (name, text, parsed) = parse(py, source, kind)?;
    let count = parsed.len();
    let (at, wanted) = match level {
        None if count == 1 => (Some(0), String::new()),
        None => {
            let message = format!("{name} holds {count} puzzles: choose one with level=, or use load_all");
            return Err(PyValueError::new_err(message));
        }
        Some(Which::Number(number)) => (number.checked_sub(1).filter(|&at| at < count), number.to_string()),
        Some(Which::Title(title)) => {
            let same = |own: String| own.eq_ignore_ascii_case(&title);
            let at = parsed
                .iter()
                .position(|puzzle| puzzle.as_ref().is_ok_and(|puzzle| puzzle.title().is_some_and(same)));
            (at, title)
        }
    };
    let missing = || PyValueError::new_err(format!("{name} holds {count} puzzles and no level {wanted}"));
    let at = at.ok_or_else(missing)?;
    match parsed.into_iter().nth(at) {
        Some(Ok(puzzle)) => Ok(Puzzle::new(puzzle)),
        Some(Err(error)) => Err(in_text(py, &name, &text, &error)),
        None => Err(no_puzzle(py, format!("{name} holds no puzzle"))),
    }
}

/// All puzzles of a file or a text; the first that cannot be read raises.
#[pyfunction]
#[pyo3(signature = (source, kind=None))]
pub(crate) fn load_all(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    kind: Option<&str>,
) -> PyResult<Vec<Puzzle>> {
    let (name, text, parsed) = parse(py, source, kind)?;
    let read = parsed.into_iter().map(|puzzle| puzzle.map(Puzzle::new));
    read.collect::<Result<_, _>>().map_err(|error| in_text(py, &name, &text, &error))
}

/// The names of the kinds.
#[pyfunction]
pub(crate) fn kinds() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.name()).collect()
}

/// The puzzles that ship: their names with their titles, of one kind or of all.
#[pyfunction]
#[pyo3(signature = (kind=None))]
pub(crate) fn examples<'py>(py: Python<'py>, kind: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
    let kinds = kind.map(kind_named).transpose()?.map_or_else(|| KINDS.to_vec(), |kind| vec![kind]);
    let all = PyDict::new(py);
    kinds
        .iter()
        .flat_map(|kind| kind.examples())
        .try_for_each(|example| all.set_item(example.name, example.title))?;
    Ok(all)
}

/// The strategies that can be asked for, with what they do: those of the engine, and the solvers of a kind.
#[pyfunction]
#[pyo3(signature = (kind=None))]
pub(crate) fn strategies<'py>(py: Python<'py>, kind: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    if let Some(kind) = kind {
        kind_named(kind)?.solvers().iter().try_for_each(|solver| all.set_item(solver.name, solver.about))?;
    }
    STRATEGIES.iter().try_for_each(|strategy| all.set_item(strategy.name, strategy.about))?;
    Ok(all)
}
