//! Positions as Python gives them: one or many, as texts or as indices.

use std::fmt::Display;

use numpy::{PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use puabi_core::Indexer;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::arrays::{array, shaped, whole_numbers};
use crate::errors::of_position;
use crate::rules::Rules;

/// Positions by their indices, and how they were given.
pub(crate) struct Batch {
    pub(crate) indices: Vec<u64>,
    /// The shape of the array; `None` if a single position was given.
    shape: Option<Vec<usize>>,
}

impl Batch {
    /// Returns the positions that a Python value gives: a text, an index, or an array or sequence of either.
    pub(crate) fn read(
        given: &Bound<'_, PyAny>,
        rules: &Rules,
        indexer: &Indexer,
    ) -> PyResult<Self> {
        if let Ok(text) = given.extract::<&str>() {
            return Ok(Self { indices: vec![rank(text, rules, indexer)?], shape: None });
        }
        if let Ok(index) = given.extract::<i64>() {
            return Ok(Self { indices: vec![checked(index, indexer)?], shape: None });
        }
        let array = array(given)?;
        let shape = Some(array.shape().to_vec());
        let indices: PyResult<_> = if array.dtype().kind() == b'U' {
            let texts: Vec<String> = array.call_method0("ravel")?.extract()?;
            texts.iter().map(|text| rank(text, rules, indexer)).collect()
        } else if let Ok(numbers) = array.cast::<PyArrayDyn<u64>>() {
            let numbers = numbers.try_readonly()?;
            numbers.as_array().iter().map(|&index| checked(index, indexer)).collect()
        } else {
            let numbers = whole_numbers(given)?;
            numbers.as_array().iter().map(|&index| checked(index, indexer)).collect()
        };
        Ok(Self { indices: indices?, shape })
    }

    /// Returns whether a single position was given.
    pub(crate) fn is_one(&self) -> bool {
        self.shape.is_none()
    }

    /// Returns the shape in which positions were given; that of one is empty.
    pub(crate) fn shape(&self) -> &[usize] {
        self.shape.as_deref().unwrap_or_default()
    }

    /// Returns a number for each position as it was asked for: a number for one, an array of the same shape for many.
    pub(crate) fn answer<'py, T>(
        &self,
        py: Python<'py>,
        found: Vec<T>,
    ) -> PyResult<Bound<'py, PyAny>>
    where
        T: numpy::Element + Copy + IntoPyObject<'py>,
    {
        match &self.shape {
            None => found[0].into_bound_py_any(py),
            Some(shape) => shaped(py, found, shape.as_slice()).map(Bound::into_any),
        }
    }
}

fn rank(text: &str, rules: &Rules, indexer: &Indexer) -> PyResult<u64> {
    let (position, setup) = rules.read(text)?;
    match setup.roll {
        None => Ok(indexer.rank(position)),
        Some(roll) => Err(of_position(format!(
            "`{text}` has the roll {roll}: expected a position before the roll; `Table.moves` values moves"
        ))),
    }
}

fn checked<I: TryInto<u64> + Display + Copy>(index: I, indexer: &Indexer) -> PyResult<u64> {
    let error = || {
        let last = indexer.len() - 1;
        PyIndexError::new_err(format!("{index} is no position: expected 0 to {last}"))
    };
    index.try_into().ok().filter(|&index| index < indexer.len()).ok_or_else(error)
}
