//! Exact values: the sweep to the fixed point, its certificate, and table files.

mod arena;
mod best;
mod checkpoint;
mod contest;
mod course;
mod disk;
mod estimate;
mod exits;
mod general;
mod header;
mod instructions;
mod kernel;
mod lanes;
mod links;
mod lock;
mod lookup;
mod make;
mod memory;
mod plan;
mod precision;
mod recast;
mod response;
mod rows;
mod scatter;
mod schedule;
mod shape;
mod solver;
mod store;
mod sweep;
mod table;
mod table_error;
mod tally;
mod terrain;
mod turn;
mod unrest;
mod values;
mod workers;
mod writer;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use checkpoint::FileCheckpoint;
pub use contest::{ContestReport, Evaluation, GameLength, Measure, Outcome, Seat, WinChance};
pub use disk::ensure_space;
pub use header::Header;
pub use instructions::{InstructionSet, InstructionSetError};
pub use lock::SolveLock;
pub use lookup::Lookup;
pub use make::{MakeError, make_table, rewrite_table};
pub use precision::{Precision, PrecisionError};
pub use response::{Response, ResponseError};
pub use solver::{
    Checkpoint, Facts, Options, Report, SolveError, Solver, Unattended, Watch, residual,
};
pub use store::{StoredTable, TableStore, remove_table};
pub use table::{CheckedTable, Table};
pub use table_error::TableError;
pub use values::Values;
pub use writer::TableWriter;
