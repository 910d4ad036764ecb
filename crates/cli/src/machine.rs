//! What the machine has and what this process took of it.

use sysinfo::System;

/// Returns the bytes of memory that can be had, within the limits of a container.
pub(crate) fn available_memory() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0)?;
    let limit = system.cgroup_limits().map(|limits| limits.total_memory.saturating_sub(limits.rss));
    Some(limit.map_or(free, |limit| limit.min(free)))
}

/// What this process has taken so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    /// Seconds of all processors.
    pub(crate) cpu_seconds: f64,
    /// The most bytes of memory at one time.
    pub(crate) peak_bytes: u64,
}

/// Returns what this process has taken so far.
#[cfg(unix)]
pub(crate) fn usage() -> Usage {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return Usage::default() };
    let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
    // Apple counts bytes, the others kibibytes.
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    Usage {
        cpu_seconds: microseconds as f64 / 1e6,
        peak_bytes: usage.max_rss().unsigned_abs() * unit,
    }
}

/// Returns zeros: this platform is not asked.
#[cfg(not(unix))]
pub(crate) fn usage() -> Usage {
    Usage::default()
}
