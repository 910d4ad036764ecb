//! Errors as Python exceptions: each text says what was found and what was expected.

use std::iter::successors;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    puabi,
    Error,
    PyValueError,
    "The input cannot be used. The text says what was found and what was expected."
);
create_exception!(
    puabi,
    RulesError,
    Error,
    "A text that is not a rule set, or rules that do not make a game."
);
create_exception!(
    puabi,
    PositionError,
    Error,
    "A text or a number that is not a position of the rules."
);
create_exception!(puabi, MoveError, Error, "A roll or a move that the rules do not allow now.");
create_exception!(puabi, TableError, Error, "A table that cannot be found, read, made or trusted.");
create_exception!(puabi, RecordError, Error, "A text that is not a record of a game.");
create_exception!(
    puabi,
    AgentError,
    Error,
    "A text that is not an agent, or an agent that cannot play."
);

/// Returns the text of an error with its causes, which our errors leave to the caller.
fn text(error: &(dyn std::error::Error + 'static)) -> String {
    let causes =
        successors(Some(error), |error: &&(dyn std::error::Error + 'static)| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// An error of the other crates as a Python exception.
pub(crate) trait OrRaise<T> {
    /// Returns the result, or the exception that `class` makes of the error's text.
    fn or_raise(self, class: fn(String) -> PyErr) -> PyResult<T>;
}

impl<T, E: std::error::Error + 'static> OrRaise<T> for Result<T, E> {
    fn or_raise(self, class: fn(String) -> PyErr) -> PyResult<T> {
        self.map_err(|error| class(text(&error)))
    }
}

/// Makes functions that raise an exception with a text, a line each.
macro_rules! raised {
    ($($name:ident: $class:ident),*) => {
        $(
            #[doc = concat!("Returns a `", stringify!($class), "` with this text.")]
            pub(crate) fn $name(text: impl Into<String>) -> PyErr {
                $class::new_err(text.into())
            }
        )*
    };
}

raised!(unusable: Error, of_rules: RulesError, of_position: PositionError, of_move: MoveError, of_table: TableError,
    of_record: RecordError, of_agent: AgentError);
