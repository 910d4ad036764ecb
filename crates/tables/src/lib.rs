//! Solved games on disk: table files, checkpoints of a solve, and the library that finds or makes them.
//!
//! Start with [`Library`], which says whether a rule set's values come from a table, a solve or a search. A [`Table`] is a
//! mapped file; [`Table::with_values`] lends its values to players and judges. [`make_table`] locks, resumes, solves and
//! writes. `docs/format.md` describes the files.

mod checkpoint;
mod cube;
mod disk;
mod error;
mod format;
mod library;
mod lookup;
mod precision;
mod read;
mod response;
mod store;
mod workers;
mod write;

pub use checkpoint::FileCheckpoint;
pub use cube::state::CubeState;
pub use cube::{CubeLevelReport, CubeTables, make_cube_tables};
pub use disk::lock::SolveLock;
pub use disk::{ensure_space, free_space, read_text, write_whole};
pub use error::TableError;
pub use format::Header;
pub use library::user::{available_memory, data_directory};
pub use library::{
    DiskUse, GameSize, Library, Source, make_table, remove_leftovers, rewrite_table,
};
pub use precision::{Precision, PrecisionError};
pub use read::{StoredValues, Table};
pub use response::Response;
pub use store::{StoredTable, TableStore, remove_table};
pub use write::TableWriter;
