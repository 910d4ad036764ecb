//! `ur solve --spill`: values at work on a disk instead of in memory.

use std::path::Path;

use anyhow::{Result, anyhow};
use puabi_core::RuleSet;
use puabi_solve::Solver;
use puabi_tables::{ensure_space, is_in_memory};

use crate::errors::Advise;

/// Returns the solver with its values at work in `folder`, if the game needs more memory than `limit`, or else as it is.
pub(super) fn spill(
    solver: Solver,
    rules: &RuleSet,
    folder: Option<&Path>,
    limit: u64,
) -> Result<Solver> {
    let Some(folder) = folder.filter(|_| solver.memory() > limit) else { return Ok(solver) };
    let solver = solver.spilling(folder).ok_or_else(|| {
        anyhow!("{rules} cannot spill in this version: expected a game with at most one piece on a square")
    })?;
    let place = folder.display();
    if is_in_memory(folder).doing("looking at", &place)? {
        return Err(anyhow!("{place} is memory itself: expected a folder on a disk"))
            .hint(|| "--spill DIR names one; /tmp often is none, and /var/tmp is");
    }
    ensure_space(folder, solver.spilled()).hint(|| "--spill DIR names a folder on another disk")?;
    Ok(solver)
}
