//! Which of two chances of light's a player prefers.

use crate::mover::{Junior, Mover, Senior};

/// Returns the better of two chances of light's for the player who moves.
#[inline]
pub(super) fn better<const DARK: bool>(a: f64, b: f64) -> f64 {
    if (a < b) == DARK { a } else { b }
}

/// Returns the chance that a player never chooses.
#[inline]
pub(super) fn never<const DARK: bool>() -> f64 {
    if DARK { Junior::SENTINEL } else { Senior::SENTINEL }
}
