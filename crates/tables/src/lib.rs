//! Solved games on disk: table files, checkpoints of a solve, and the library that finds or makes them.
//!
//! Start with [`Library`], which says whether a rule set's values come from a table, a solve or a search. A [`Table`] is a
//! mapped file; [`Table::with_values`] lends its values to players and judges. [`make_table`] locks, resumes, solves and
//! writes. `docs/format.md` describes the files.

#[cfg(feature = "files")]
mod checkpoint;
#[cfg(feature = "files")]
mod cube;
#[cfg(feature = "files")]
mod disk;
mod error;
mod format;
#[cfg(feature = "files")]
mod library;
#[cfg(feature = "files")]
mod lookup;
mod memory;
mod precision;
#[cfg(feature = "files")]
mod read;
#[cfg(feature = "files")]
mod response;
#[cfg(feature = "files")]
mod store;
#[cfg(feature = "files")]
mod workers;
#[cfg(feature = "files")]
mod write;

pub use error::TableError;
pub use format::Header;
pub use format::cube_state::CubeState;
pub use memory::MemoryTable;
pub use precision::{Precision, PrecisionError};

#[cfg(feature = "files")]
pub use crate::{
    checkpoint::FileCheckpoint,
    cube::{CubeLevelReport, CubeTables, make_cube_tables},
    disk::free_memory::available_memory,
    disk::lock::SolveLock,
    disk::speed::DiskSpeed,
    disk::spilled::{SpillFolder, spilling_in},
    disk::{
        directory, ensure_regular, ensure_space, free_space, is_in_memory, is_one_disk, read_bytes,
        read_text, write_whole,
    },
    library::user::data_directory,
    library::{
        DiskUse, GameSize, Library, Source, make_table, make_table_by, remove_leftovers,
        rewrite_table,
    },
    read::{StoredValues, Table},
    response::Response,
    store::{StoredTable, TableStore, is_unfinished, remove_table},
    write::TableWriter,
};
