//! How much memory a solve may take.

use sysinfo::{CGroupLimits, Process, ProcessesToUpdate, System};

/// Returns the bytes of memory that are free, within the limits of a container, of the control groups of this process (as those of
/// a batch system or a service), and of the process itself.
pub fn available_memory() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0)?;
    let own = sysinfo::get_current_pid().ok();
    if let Some(own) = own {
        system.refresh_processes(ProcessesToUpdate::Some(&[own]), true);
    }
    let process = own.and_then(|own| system.process(own));
    let left = |limits: CGroupLimits| limits.total_memory.saturating_sub(limits.rss);
    // A container may show its own control group as the root of all groups.
    let of_root = system.cgroup_limits().map(left);
    let of_groups = process.and_then(Process::cgroup_limits).map(left);
    [of_root, of_groups, process.and_then(room)].into_iter().flatten().chain([free]).min()
}

/// Returns the bytes of memory that this process may still ask for, if it has a limit (`ulimit -v`).
#[cfg(unix)]
fn room(process: &Process) -> Option<u64> {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    let (limit, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
    let limit = Some(limit).filter(|&limit| limit != RLIM_INFINITY)?;
    Some(limit.saturating_sub(process.virtual_memory()))
}

/// Returns `None`: there is no portable call for this.
#[cfg(not(unix))]
const fn room(_process: &Process) -> Option<u64> {
    None
}
