//! Parts of the arrays that a pass reads once.

use std::ops::Range;

use crate::drive::statistics::Mode;

/// Some of the arrays that a pass reads once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Streamed {
    pub(crate) externals: bool,
    pub(crate) deltas: bool,
}

impl Streamed {
    /// Returns the arrays that a pass in `mode` reads.
    pub(crate) const fn in_mode(mode: Mode) -> Self {
        Self { externals: true, deltas: matches!(mode, Mode::Record | Mode::Compare) }
    }

    /// Returns the arrays that are in both.
    pub(crate) const fn and(self, other: Self) -> Self {
        let (externals, deltas) = (self.externals && other.externals, self.deltas && other.deltas);
        Self { externals, deltas }
    }

    pub(crate) const fn is_none(self) -> bool {
        !self.externals && !self.deltas
    }
}

/// The places of what a pass reads once for one block, or for several that follow each other.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    /// Places of external values.
    pub(crate) externals: Range<usize>,
    /// Places of deltas, with the senior about to roll.
    pub(crate) deltas: Range<usize>,
}
