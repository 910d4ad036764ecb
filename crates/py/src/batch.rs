//! Positions from Python: one or many, as texts or as indices.

use std::fmt::Display;

use numpy::{PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use puabi_core::Indexer;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;

use crate::arrays::{array, integer, shaped, whole_numbers};
use crate::errors::of_position;
use crate::rules::Rules;

/// The indices of positions, and the form in which they were given.
pub(crate) struct Batch {
    pub(crate) indices: Vec<u64>,
    /// The shape of the array; `None` if a single position was given.
    shape: Option<Vec<usize>>,
}

impl Batch {
    /// Returns the positions that a Python value names: a text, an index, or an array or sequence of either.
    pub(crate) fn read(
        given: &Bound<'_, PyAny>,
        rules: &Rules,
        indexer: &Indexer,
    ) -> PyResult<Self> {
        if let Some(index) = one(given, rules, indexer) {
            return Ok(Self { indices: vec![index?], shape: None });
        }
        let array = array(given)?;
        let shape = Some(array.shape().to_vec());
        let indices: PyResult<_> = match array.dtype().kind() {
            b'U' | b'T' | b'O' => {
                let items = array.call_method0("ravel")?.call_method0("tolist")?;
                items.try_iter()?.map(|item| index_of(&item?, rules, indexer)).collect()
            }
            b'u' => {
                let numbers = array.call_method1("astype", ("uint64",))?;
                let numbers = numbers.cast_into::<PyArrayDyn<u64>>()?.try_readonly()?;
                numbers.as_array().iter().map(|&index| checked(index, indexer)).collect()
            }
            b'i' => {
                let numbers = whole_numbers(given)?;
                numbers.as_array().iter().map(|&index| checked(index, indexer)).collect()
            }
            _ if array.len() == 0 => Ok(Vec::new()),
            _ => Err(PyTypeError::new_err(format!(
                "an array of {} found: expected texts or whole numbers",
                array.dtype()
            ))),
        };
        Ok(Self { indices: indices?, shape })
    }

    /// Returns whether a single position was given.
    pub(crate) fn is_one(&self) -> bool {
        self.shape.is_none()
    }

    /// Returns the shape in which positions were given; it is empty for a single position.
    pub(crate) fn shape(&self) -> &[usize] {
        self.shape.as_deref().unwrap_or_default()
    }

    /// Returns the numbers that were found for the positions, in the form in which these were given: a number for one, an array of
    /// the same shape for many.
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

/// Returns the position that a text or an index names; `None` if the value is neither.
fn one(given: &Bound<'_, PyAny>, rules: &Rules, indexer: &Indexer) -> Option<PyResult<u64>> {
    if let Ok(text) = given.extract::<&str>() {
        return Some(rank(text, rules, indexer));
    }
    let index = integer(given)?;
    Some(index.map_or_else(|digits| Err(beyond(digits, indexer)), |it| checked(it, indexer)))
}

/// Returns the position that an element of an array names.
fn index_of(given: &Bound<'_, PyAny>, rules: &Rules, indexer: &Indexer) -> PyResult<u64> {
    one(given, rules, indexer).unwrap_or_else(|| {
        let found = given.get_type();
        Err(PyTypeError::new_err(format!("{found} found: expected texts or whole numbers")))
    })
}

fn checked<I: TryInto<u64> + Display + Copy>(index: I, indexer: &Indexer) -> PyResult<u64> {
    let found = index.try_into().ok().filter(|&index| index < indexer.len());
    found.ok_or_else(|| beyond(index, indexer))
}

fn beyond(index: impl Display, indexer: &Indexer) -> PyErr {
    let last = indexer.len() - 1;
    PyIndexError::new_err(format!("{index} is not a position: expected 0 to {last}"))
}
