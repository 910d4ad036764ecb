//! The pace at which agents play.

use std::time::Duration;

/// The pace at which agents throw and move: an index into the list of paces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace(usize);

/// The name of each pace, and the milliseconds before each throw and each move.
const PACES: [(&str, u64); 4] = [("slow", 2000), ("steady", 700), ("quick", 200), ("instant", 0)];

impl Default for Pace {
    fn default() -> Self {
        Self(1)
    }
}

impl Pace {
    /// Returns the time before each throw and each move.
    pub(crate) const fn wait(self) -> Duration {
        Duration::from_millis(PACES[self.0].1)
    }

    /// Returns the name.
    pub(crate) const fn name(self) -> &'static str {
        PACES[self.0].0
    }

    /// Returns the pace that is `by` steps faster, or the last one in that direction.
    pub(crate) fn faster(self, by: isize) -> Self {
        Self(self.0.saturating_add_signed(by).min(PACES.len() - 1))
    }
}
