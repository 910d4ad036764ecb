//! The sums over the rolls of one player.
#![expect(
    clippy::inline_always,
    reason = "compiled with the instructions of the strip that it is part of"
)]

/// The sums over a player's rolls: of chance times value over those that move, and of the chances of the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlayerSums {
    pub(super) value: f64,
    /// The chance of a pass.
    pub(super) pass: f64,
}

impl PlayerSums {
    /// Returns the sums before the rolls that move pieces, given what a backup adds to a value (zero, except for bounds) and the
    /// chance of a roll that moves no piece.
    pub(super) fn start(slack: f64, still: f64) -> Self {
        Self { value: slack, pass: still }
    }

    /// Adds a roll that moves pieces: its best move, or a pass if there is none.
    #[inline(always)]
    pub(super) fn add_roll(&mut self, chance: f64, best: f64) {
        // Only the chance that is never chosen is that far from one half.
        let is_pass = (best - 0.5).abs() > 1.0;
        self.value += if is_pass { 0.0 } else { chance * best };
        self.pass += if is_pass { chance } else { 0.0 };
    }
}
