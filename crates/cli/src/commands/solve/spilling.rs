//! `ur solve --spill`: values at work on a disk instead of in memory.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use puabi_core::RuleSet;
use puabi_solve::Solver;
use puabi_tables::{DiskUse, SpillFolder, free_space, is_in_memory, is_one_disk};
use serde::Serialize;

use crate::errors::Advise;
use crate::files;
use crate::output::text;

/// What helps if the disk of values at work is too small.
pub(super) const ANOTHER_DISK: &str = "--spill DIR names a folder on another disk";

/// The bytes that a solve spills, and the disk for them.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Spilled<'a> {
    #[serde(rename = "spill_folder")]
    pub(super) folder: &'a Path,
    /// The most bytes at a time.
    #[serde(rename = "spilled")]
    pub(super) bytes: u64,
    /// What is free there, less what the table still takes if it is on the same disk.
    #[serde(rename = "spill_free")]
    pub(super) free: u64,
}

/// Returns the solver with its values at work in `folder`, and what that takes, if the game needs more memory than `limit`; or else
/// as it is. The table will be at `path`.
pub(super) fn spill<'a>(
    solver: Solver,
    folder: Option<&'a Path>,
    limit: u64,
    (path, disk): (&Path, DiskUse),
) -> Result<(Solver, Option<Spilled<'a>>)> {
    let Some(folder) = folder.filter(|_| solver.memory() > limit) else {
        return Ok((solver, None));
    };
    let place = folder.display();
    if !folder.is_dir() {
        bail!("there is no folder {place}: expected one for values at work");
    }
    if is_in_memory(folder).doing("looking at", &place)? {
        return Err(anyhow!("{place} is memory itself: expected a folder on a disk"))
            .hint(|| "/tmp may be memory too; /var/tmp is a disk");
    }
    let solver = solver.spilling(Arc::new(SpillFolder::new(folder))).ok_or_else(|| {
        anyhow!("this game cannot spill in this version: expected at most one piece on a square")
    })?;
    let free = free_space(folder).doing("reading the free space of", &place)?;
    let shares = is_one_disk(folder, files::folder(path)).doing("looking at", &place)?;
    let table = if shares { disk.most - disk.taken.min(disk.most) } else { 0 };
    let spilled = Spilled { folder, bytes: solver.spilled(), free: free.saturating_sub(table) };
    Ok((solver, Some(spilled)))
}

impl Spilled<'_> {
    /// Returns an error if the disk has too little room.
    pub(super) fn ensure_room(&self) -> Result<()> {
        if self.bytes <= self.free {
            return Ok(());
        }
        let [needed, free] = [self.bytes, self.free].map(text::bytes);
        let place = self.folder.display();
        Err(anyhow!("values at work take {needed} in {place}, {free} are free beside the table"))
            .hint(|| ANOTHER_DISK)
    }
}

/// Returns what helps a game that needs more memory than `limit`: a disk, if that suffices.
pub(super) fn advice(solver: &Solver, rules: &RuleSet, limit: u64) -> String {
    let smaller = crate::tables::smaller(rules, limit, Solver::memory);
    let spilling = solver.clone().spilling(Arc::new(SpillFolder::new(Path::new("."))));
    match spilling.filter(|spilling| spilling.memory() <= limit) {
        Some(_) => format!("--spill DIR puts values at work on a disk; {smaller}"),
        None => smaller,
    }
}
