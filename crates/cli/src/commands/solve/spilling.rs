//! Values at work on a disk instead of in memory: `ur solve --spill`, and games that memory has no room for.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use puabi_solve::Solver;
use puabi_tables::{
    DiskUse, Precision, SpillFolder, directory, free_space, is_in_memory, is_one_disk, spilling_in,
};
use serde::Serialize;

use crate::errors::Advise;
use crate::output::{status, text};

/// The hint if the disk of values at work is too small.
pub(super) const ANOTHER_DISK: &str = "--spill DIR names a folder on another disk";

/// The bytes that a solve spills, and the disk for them.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Spilled<'a> {
    #[serde(rename = "spill_folder", serialize_with = "text::shown")]
    pub(super) folder: &'a Path,
    /// The most bytes at a time.
    #[serde(rename = "spilled")]
    pub(super) bytes: u64,
    /// The free bytes in the folder, less those that the table still takes if it is on the same disk.
    #[serde(rename = "spill_free")]
    pub(super) free: u64,
    /// The bytes of the table that wait until the last sublayer is settled, if `free` is too little otherwise.
    #[serde(rename = "table_later")]
    later: u64,
    /// The bytes that the disk lacks, even if the table waits.
    #[serde(skip)]
    missing: u64,
}

/// Returns the part of `memory` that is left beside the future table: a table whose folder is in memory takes its bytes from it.
pub(super) fn memory_beside_table(memory: u64, path: &Path, disk: DiskUse) -> u64 {
    if !is_in_memory(directory(path)).unwrap_or(false) {
        return memory;
    }
    let (folder, table) = (directory(path).display(), disk.most.saturating_sub(disk.taken));
    status(format_args!("{folder} is memory: the table takes {} of it", text::bytes(table)));
    memory.saturating_sub(table)
}

/// Returns the solver. If the game needs more memory than `limit`, the solver has its values at work on a disk, and the bytes for
/// this are returned, too. The values are in `folder` or, if the user names no folder, beside the table at `path` if that is
/// possible.
pub(super) fn spill_if_short<'a>(
    solver: Solver,
    (folder, store): (Option<&'a Path>, Precision),
    limit: u64,
    (path, disk): (&'a Path, DiskUse),
) -> Result<(Solver, Option<Spilled<'a>>)> {
    if let Some(folder) = folder {
        ensure_disk(folder)?;
    }
    if solver.memory() <= limit {
        return Ok((solver, None));
    }
    let spilling = match folder {
        Some(folder) => Some(spilling_solver(&solver, folder, limit)),
        None => spilling_in(&solver, directory(path), limit),
    };
    let Some(solver) = spilling else { return Ok((solver, None)) };
    let folder = folder.unwrap_or(directory(path));
    let spilled = Spilled::new((&solver, store), folder, path, disk)?;
    Ok((solver, Some(spilled)))
}

/// Returns the most bytes that the solver spills for a table of this precision. A precision below `f64` needs the rounded values
/// on the disk, too, to measure the effect of rounding.
fn spilled_bytes(solver: &Solver, store: Precision) -> u64 {
    let opened = if store == Precision::F64 { 0 } else { solver.opened() };
    solver.spilled().saturating_add(opened)
}

fn spilling_solver(solver: &Solver, folder: &Path, limit: u64) -> Solver {
    solver.clone().spilling(Arc::new(SpillFolder::new(folder)), limit)
}

/// Checks that the folder that the user names is on a disk and can be written to.
fn ensure_disk(folder: &Path) -> Result<()> {
    let place = folder.display();
    if !folder.is_dir() {
        bail!("there is no folder {place}: expected one for values at work");
    }
    if is_in_memory(folder).doing("looking at", &place)? {
        return Err(anyhow!("{place} is memory itself: expected a folder on a disk"))
            .hint(|| "/tmp may be memory too; /var/tmp is a disk");
    }
    SpillFolder::new(folder).ensure_writable().doing("writing values at work to", place)
}

impl<'a> Spilled<'a> {
    /// Returns what the solver spills to `folder` for the table at `path`, with the bytes that are free.
    fn new(
        (solver, store): (&Solver, Precision),
        folder: &'a Path,
        path: &Path,
        disk: DiskUse,
    ) -> Result<Self> {
        let place = folder.display();
        let free = free_space(folder).doing("reading the free space of", &place)?;
        let shares = is_one_disk(folder, directory(path)).doing("looking at", &place)?;
        let (table, later) = if shares {
            (disk.most - disk.taken.min(disk.most), disk.later(solver))
        } else {
            (0, 0)
        };
        let bytes = spilled_bytes(solver, store);
        let missing = bytes.saturating_add(table).saturating_sub(free + later);
        let free = free.saturating_sub(table);
        let later = if bytes > free { later } else { 0 };
        Ok(Self { folder, bytes, free, later, missing })
    }

    /// Returns words that say how many bytes the disk lacks, if any.
    pub(super) fn missing(&self) -> Option<String> {
        let [missing, later] = [self.missing, self.later].map(text::bytes);
        match (self.missing, self.later) {
            (0, _) => None,
            (_, 0) => Some(format!("{missing} are missing")),
            _ => Some(format!("{missing} are missing, even if {later} of the table come later")),
        }
    }

    /// Returns a sentence that says how many bytes of the table wait, if some do.
    pub(super) fn waiting(&self) -> Option<String> {
        let later = Some(self.later).filter(|&later| later > 0 && self.missing == 0)?;
        Some(format!(
            "the table takes {} of its bytes once these are gone: leave them free till then",
            text::bytes(later)
        ))
    }

    /// Returns an error if the disk has too little room.
    pub(super) fn ensure_room(&self) -> Result<()> {
        let Some(missing) = self.missing() else { return Ok(()) };
        let (needed, place) = (text::bytes(self.bytes), self.folder.display());
        Err(anyhow!("memory is short, and values at work take {needed} in {place}: {missing}"))
            .hint(|| ANOTHER_DISK)
    }
}

impl fmt::Display for Spilled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (most, folder) = (text::bytes(self.bytes), self.folder.display());
        write!(
            f,
            "memory is short: values at work, {most} at most, are in nameless files in {folder}"
        )?;
        self.waiting().map_or(Ok(()), |waiting| write!(f, "; {waiting}"))
    }
}

/// Returns the hint for a game that needs more memory than `limit`: a disk, or more memory beside it, or fewer pieces.
pub(super) fn advice(solver: &Solver, store: Precision, limit: u64) -> String {
    let smaller = crate::tables::smaller(solver, limit, Solver::memory);
    let spilling = spilling_solver(solver, Path::new("."), limit);
    if spilling.memory() <= limit {
        let bytes = text::bytes(spilled_bytes(&spilling, store));
        return format!("--spill DIR puts {bytes} of values at work on a disk; {smaller}");
    }
    if solver.memory() <= spilling.memory() {
        // The values at work are on a disk already.
        return smaller;
    }
    let memory = text::bytes(spilling.memory());
    format!("with values at work on a disk it needs {memory}; {smaller}")
}
