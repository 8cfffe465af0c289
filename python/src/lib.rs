//! The native half of the Python package `beeline_puzzles`: see docs/python.md.
//!
//! Every search runs on its own thread with the interpreter released. The calling thread polls for signals meanwhile, so that
//! Ctrl-C ends the search. Arrays cross the boundary as bytes, which `NumPy` takes without a copy.

// The macros of pyo3 generate functions that take their arguments by value.
#![allow(clippy::needless_pass_by_value)]

mod arrays;
mod batch;
mod calls;
mod errors;
mod game;
mod limits;
mod load;
mod puzzle;
mod result;
mod search;

use pyo3::prelude::*;

/// The module `beeline_puzzles._beeline`.
#[pymodule]
fn _beeline(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<puzzle::Puzzle>()?;
    module.add_class::<result::Answer>()?;
    module.add_class::<result::Check>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<search::Search>()?;
    module.add_class::<search::Event>()?;
    module.add_class::<batch::Batch>()?;
    module.add("PuzzleError", py.get_type::<errors::PuzzleError>())?;
    module.add("LimitError", py.get_type::<errors::LimitError>())?;
    module.add("UnsupportedError", py.get_type::<errors::UnsupportedError>())?;
    module.add("RejectedError", py.get_type::<errors::RejectedError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("DEAD", beeline_api::data::DEAD_END)?;
    module.add_function(wrap_pyfunction!(load::load, module)?)?;
    module.add_function(wrap_pyfunction!(load::load_all, module)?)?;
    module.add_function(wrap_pyfunction!(load::kinds, module)?)?;
    module.add_function(wrap_pyfunction!(load::examples, module)?)?;
    module.add_function(wrap_pyfunction!(load::strategies, module)?)?;
    module.add_function(wrap_pyfunction!(calls::make, module)?)?;
    module.add_function(wrap_pyfunction!(calls::compare, module)?)?;
    module.add_function(wrap_pyfunction!(calls::dataset, module)?)?;
    Ok(())
}
