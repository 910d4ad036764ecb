//! Exact values: the sweep to the fixed point, its certificate, and table files.

mod solver;
mod values;

pub use solver::{
    Checkpoint, Facts, Options, Report, SolveError, Solver, Unattended, Watch, residual,
};
pub use values::Values;
