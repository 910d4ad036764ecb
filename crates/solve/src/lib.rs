//! Exact values: the sweep to the fixed point and its certificate.

mod dense;
mod drive;
mod general;
mod memory;
mod plan;
mod policy;
mod simd;
mod solver;
mod types;
mod values;

pub use memory::prefetch::prefetch;
pub use policy::{ContestReport, Evaluation, GameLength, Measure, Outcome, Seat, WinChance};
pub use simd::select::{InstructionSet, InstructionSetError};
pub use solver::{Solver, residual};
pub use types::{Checkpoint, Facts, Options, Part, Report, SolveError, Sweep, Unattended, Watch};
pub use values::Values;
