//! Exact values: the sweep to the fixed point, its certificate, and table files.

mod arena;
mod estimate;
mod exits;
mod instructions;
mod kernel;
mod lanes;
mod memory;
mod plan;
mod rows;
mod schedule;
mod shape;
mod solver;
mod sweep;
mod terrain;
mod values;

pub use instructions::{InstructionSet, InstructionSetError};
pub use solver::{
    Checkpoint, Facts, Options, Report, SolveError, Solver, Unattended, Watch, residual,
};
pub use values::Values;
