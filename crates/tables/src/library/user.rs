//! The library of the user who runs the program, and the directory of its tables.

use std::env;
use std::path::PathBuf;

use directories::ProjectDirs;

use crate::disk::free_memory::available_memory;
use crate::library::Library;

impl Library {
    /// Returns the library that every program of this user shares, in the folder `tables` of [`data_directory`]; `None` if the
    /// system names no directory for data.
    pub fn of_user() -> Option<Self> {
        Some(Self::new(data_directory()?.join("tables"), available_memory))
    }
}

/// Returns the data directory: `UR_DATA_DIR`, or else that of the platform, if it has one.
pub fn data_directory() -> Option<PathBuf> {
    if let Some(directory) = env::var_os("UR_DATA_DIR").filter(|path| !path.is_empty()) {
        return Some(directory.into());
    }
    let directories = ProjectDirs::from("", "", "puabi");
    directories.map(|directories| directories.data_dir().to_owned())
}
