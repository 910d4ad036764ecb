//! The library of the user who runs the program: where its tables lie, and how much memory a solve may take.

use std::env;
use std::path::PathBuf;

use directories::ProjectDirs;
use sysinfo::System;

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

/// Returns the bytes of memory that are free, within the limits of a container and of this process.
pub fn available_memory() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0)?;
    let limit = system.cgroup_limits().map(|limits| limits.total_memory.saturating_sub(limits.rss));
    [limit, room()].into_iter().flatten().chain([free]).min()
}

/// Returns the bytes of memory that this process may still ask for, if it has a limit (`ulimit -v`).
#[cfg(unix)]
fn room() -> Option<u64> {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    let (limit, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
    let limit = Some(limit).filter(|&limit| limit != RLIM_INFINITY)?;
    let own = sysinfo::get_current_pid().ok()?;
    let mut system = System::new().ok()?;
    system.refresh_processes(sysinfo::ProcessesToUpdate::Some(&[own]), true);
    Some(limit.saturating_sub(system.process(own)?.virtual_memory()))
}

/// Returns `None`: there is no portable call for this.
#[cfg(not(unix))]
const fn room() -> Option<u64> {
    None
}
