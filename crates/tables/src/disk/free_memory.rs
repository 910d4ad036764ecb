//! How much memory a solve may take.

use sysinfo::System;

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
