//! `ur lab --fair`: how to begin a game so that neither player has an edge.

use std::fmt;

use puabi_study::OpeningValue;
use serde::Serialize;

use crate::output::text;

/// The ways to begin a game, the fairest first.
#[derive(Debug, Serialize)]
pub(super) struct Ways {
    pub(super) rules: String,
    pub(super) openings: Vec<OpeningValue>,
}

impl fmt::Display for Ways {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: the first player's chance to win, the fairest start first", self.rules)?;
        for OpeningValue { opening, first } in &self.openings {
            let edge = (first - 0.5) * 100.0;
            writeln!(f, "  {opening:<48} {:>8}  {edge:+.2}", text::percent(*first))?;
        }
        Ok(())
    }
}
