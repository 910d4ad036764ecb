//! Whole numbers from Python, which may be too large for any type of ours.

use std::fmt::Display;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::errors::unusable;

/// Returns a value as a whole number, or its digits if it is too large for `i64`; `None` if it is not a whole number. True and
/// false are not: they never mean an index or an action.
pub(crate) fn integer(given: &Bound<'_, PyAny>) -> Option<Result<i64, String>> {
    if given.is_instance_of::<PyBool>() {
        return None;
    }
    match given.extract::<i64>() {
        Ok(number) => Some(Ok(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
            Some(Err(given.to_string()))
        }
        Err(_) => None,
    }
}

/// A type of whole numbers, with its smallest and its largest number.
pub(crate) trait Ranged: Display + Sized {
    const LEAST: Self;
    const MOST: Self;
}

macro_rules! ranged {
    ($($kind:ident),*) => { $(impl Ranged for $kind {
        const LEAST: Self = Self::MIN;
        const MOST: Self = Self::MAX;
    })* };
}

ranged!(u8, u32, u64, usize, i64);

/// Returns the whole number of an argument. A number out of range raises the exception for unusable arguments, as everywhere, and
/// not `OverflowError`.
pub(crate) fn whole<T>(given: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: Ranged + for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    given.extract::<T>().map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(given.py()) {
            let (least, most) = (T::LEAST, T::MOST);
            return unusable(format!("{given} found: expected a number from {least} to {most}"));
        }
        error
    })
}

/// Returns the whole number of an argument that may be None.
pub(crate) fn whole_or_none<T>(given: &Bound<'_, PyAny>) -> PyResult<Option<T>>
where
    T: Ranged + for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    if given.is_none() { Ok(None) } else { whole(given).map(Some) }
}
