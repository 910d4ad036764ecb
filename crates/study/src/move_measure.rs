//! A measure that depends only on the moves of a game.

use puabi_core::{Decision, Player};
use puabi_solve::Measure;

/// A measure whose moves gather what a function says; the end of the game adds nothing.
pub(crate) struct MoveMeasure<F>(pub(crate) F);

impl<F: Fn(Player, &Decision<'_>, &mut [f64]) + Sync> Measure for MoveMeasure<F> {
    fn end(&self, _winner: Option<Player>) -> f64 {
        0.0
    }

    fn gather(&self, mover: Player, decision: &Decision<'_>, gained: &mut [f64]) {
        (self.0)(mover, decision, gained);
    }
}
