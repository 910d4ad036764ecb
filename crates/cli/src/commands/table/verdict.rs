//! The result of the verification of a table.

use std::fmt;
use std::path::Path;

use puabi_solve::Bounds;
use serde::Serialize;

use crate::output::text;
use crate::tables;

/// The result of a verification.
#[derive(Debug, Serialize)]
pub(super) struct Verdict<'a> {
    #[serde(serialize_with = "text::shown")]
    pub(super) table: &'a Path,
    pub(super) holds: bool,
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bounds: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unproved: Option<Unproved>,
}

/// The facts that a table states about its solve and that no verification can prove.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Unproved {
    pub(super) tolerance: f64,
    pub(super) sweeps_max: u32,
}

impl<'a> Verdict<'a> {
    /// Returns the verdict that the table at `table` does not hold.
    pub(super) fn damaged(table: &'a Path, error: String) -> Self {
        Self { table, holds: false, error: Some(error), bounds: None, unproved: None }
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.table.display();
        match &self.error {
            Some(error) => writeln!(f, "{path} does not hold: {error}"),
            None => writeln!(f, "{path} holds: checksums, hash and every backup"),
        }?;
        if let Some(bounds) = self.bounds {
            writeln!(f, "{}", tables::bounds_text(bounds))?;
        }
        let Some(Unproved { tolerance, sweeps_max }) = self.unproved else { return Ok(()) };
        let sweeps = text::counted(sweeps_max.into(), "sweep", "sweeps");
        writeln!(
            f,
            "unproved     at most {sweeps}, tolerance {tolerance:e}: what it says of its solve"
        )
    }
}
