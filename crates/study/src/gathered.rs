//! A measure of the moves of a game alone.

use puabi_core::{Decision, Player};
use puabi_solve::Measure;

/// What the moves of a game gather, by a function; the end of the game adds nothing.
pub(crate) struct Gathered<F>(pub(crate) F);

impl<F: Fn(Player, &Decision<'_>, &mut [f64]) + Sync> Measure for Gathered<F> {
    fn end(&self, _winner: Option<Player>) -> f64 {
        0.0
    }

    fn gather(&self, mover: Player, decision: &Decision<'_>, gained: &mut [f64]) {
        (self.0)(mover, decision, gained);
    }
}
