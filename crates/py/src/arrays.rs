//! Arrays of numpy: loading it, making arrays, and reading whole numbers.

mod numbers;

use numpy::ndarray::IntoDimension;
use numpy::{
    Element, PyArray, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::IntoPyDict;

pub(crate) use crate::arrays::numbers::{integer, whole, whole_or_none};
use crate::errors::of_move;
use crate::running::{Work, run};

/// Loads numpy, which must happen before the first array is made. Anything that goes wrong meanwhile, even a Ctrl-C, is an
/// exception.
///
/// Signals reach the main thread alone, so numpy is loaded on another thread: a Ctrl-C inside numpy's own files would sometimes be
/// lost, or be reported as a broken installation. It is not loaded with the module, because that would double the time of `import
/// puabi`.
pub(crate) fn load(py: Python<'_>) -> PyResult<()> {
    static LOADED: PyOnceLock<()> = PyOnceLock::new();
    let first_array = |_: &Work| {
        Python::attach(|py| {
            py.import("numpy")?;
            drop(PyArray1::from_vec(py, vec![0_u8]));
            Ok(())
        })
    };
    LOADED.get_or_try_init(py, || run(py, None, first_array)).copied()
}

/// Returns an array of one dimension.
pub(crate) fn array_of<T: Element>(
    py: Python<'_>,
    values: impl IntoIterator<Item = T>,
) -> PyResult<Bound<'_, PyArray1<T>>> {
    load(py)?;
    Ok(PyArray1::from_vec(py, values.into_iter().collect()))
}

/// Returns an array of this shape.
pub(crate) fn shaped<D: IntoDimension, T: Element>(
    py: Python<'_>,
    values: impl IntoIterator<Item = T>,
    shape: D,
) -> PyResult<Bound<'_, PyArray<T, D::Dim>>> {
    array_of(py, values)?.reshape(shape)
}

/// Converts a Python value to an array of numpy.
pub(crate) fn array<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let array = given.py().import("numpy")?.call_method1("asarray", (given,))?;
    Ok(array.cast_into()?)
}

/// Converts whole numbers, of actions or rolls, to an array of int64. Raises `TypeError` if the values are of another kind, and
/// `MoveError` if a number is too large for int64.
pub(crate) fn whole_numbers<'py>(
    given: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArrayDyn<'py, i64>> {
    let array = array(given)?;
    if !matches!(array.dtype().kind(), b'i' | b'u') && array.len() > 0 {
        let found = array.dtype().to_string();
        return Err(PyTypeError::new_err(format!(
            "an array of {found} found: expected whole numbers"
        )));
    }
    if array.dtype().kind() == b'u' {
        let most =
            array.call_method("max", (), Some(&[("initial", 0)].into_py_dict(given.py())?))?;
        if let Some(Err(large)) = integer(&most) {
            return Err(of_move(format!("{large} found: expected at most {}", i64::MAX)));
        }
    }
    // A field of a packed structure may be unaligned, and a view of an array cannot read it then.
    let array = given.py().import("numpy")?.call_method1("require", (array, "int64", "CA"))?;
    Ok(array.cast_into::<PyArrayDyn<i64>>()?.try_readonly()?)
}
