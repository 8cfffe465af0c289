//! `NumPy` arrays, built by `NumPy` from bytes.

use beeline_puzzles::environment::{PLANES, of_scene};
use beeline_puzzles::scene::Scene;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyTuple};

/// The bytes as a writable array of this type and shape.
pub(crate) fn array<'py>(
    py: Python<'py>,
    bytes: &[u8],
    dtype: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let flat = py.import("numpy")?.call_method1("frombuffer", (PyByteArray::new(py, bytes), dtype))?;
    flat.call_method1("reshape", (PyTuple::new(py, shape)?,))
}

/// Whole numbers of 64 bits.
pub(crate) fn integers<'py>(py: Python<'py>, values: &[i64]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array(py, &bytes, "<i8", &[values.len()])
}

/// Whole numbers of 32 bits.
pub(crate) fn integers32<'py>(py: Python<'py>, values: &[i32]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array(py, &bytes, "<i4", &[values.len()])
}

/// Floating-point numbers.
pub(crate) fn floats<'py>(py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array(py, &bytes, "<f8", &[values.len()])
}

/// Truth values, a byte each.
pub(crate) fn truths<'py>(py: Python<'py>, values: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    array(py, values, "bool", &[values.len()])
}

/// A scene as an array of planes, rows and columns.
pub(crate) fn board<'py>(py: Python<'py>, scene: &Scene) -> PyResult<Bound<'py, PyAny>> {
    array(py, &of_scene(scene), "uint8", &[PLANES, scene.height, scene.width])
}

/// The bytes of an array of any type that `NumPy` converts, in row-major order, and its shape.
pub(crate) fn bytes_of(value: &Bound<'_, PyAny>, dtype: &str) -> PyResult<(Vec<u8>, Vec<usize>)> {
    let array = value.py().import("numpy")?.call_method1("ascontiguousarray", (value, dtype))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    Ok((array.call_method0("tobytes")?.extract()?, shape))
}
