//! What a pass reads once of some blocks.

use std::ops::Range;

use crate::drive::statistics::Mode;

/// Which of the arrays that a pass reads once are meant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Streamed {
    pub(crate) externals: bool,
    pub(crate) deltas: bool,
}

impl Streamed {
    /// Returns what a pass reads in a mode.
    pub(crate) const fn of(mode: Mode) -> Self {
        Self { externals: true, deltas: matches!(mode, Mode::Record | Mode::Compare) }
    }

    /// Returns those that are also in the other.
    pub(crate) const fn and(self, other: Self) -> Self {
        let (externals, deltas) = (self.externals && other.externals, self.deltas && other.deltas);
        Self { externals, deltas }
    }

    pub(crate) const fn is_none(self) -> bool {
        !self.externals && !self.deltas
    }
}

/// Where a part of what a pass reads once lies: one block, or several that follow each other.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    /// Places of external values.
    pub(crate) externals: Range<usize>,
    /// Places of deltas, with the senior about to roll.
    pub(crate) deltas: Range<usize>,
}
