//! Measures: what a game is worth to light, at its end and on the way.

use puabi_core::{Decision, Player};

/// What a game is worth to light: what its end brings, and what each move gathers.
///
/// ```
/// use puabi_core::{Decision, Player};
/// use puabi_solve::Measure;
///
/// /// Counts the captures of one player.
/// struct Captures(Player);
///
/// impl Measure for Captures {
///     fn end(&self, _winner: Option<Player>) -> f64 {
///         0.0
///     }
///
///     fn gather(&self, mover: Player, decision: &Decision<'_>, gained: &mut [f64]) {
///         for (gained, &action) in gained.iter_mut().zip(&decision.moves()) {
///             *gained = f64::from(mover == self.0 && decision.captures(action).is_some());
///         }
///     }
/// }
/// ```
pub trait Measure: Sync {
    /// Returns what the end of the game is worth. `winner` is `None` if the game ends in a dead position that neither player wins
    /// by the rules.
    fn end(&self, winner: Option<Player>) -> f64;

    /// Writes to `gained` what each move of `decision` gathers for light if `mover` makes it. `gained` holds a zero for each
    /// move.
    fn gather(&self, mover: Player, decision: &Decision<'_>, gained: &mut [f64]) {
        let _ = (mover, decision, gained);
    }
}

/// The chance (0..=1) that light wins; a game without a winner counts 1/2.
///
/// ```
/// use puabi_core::Player;
/// use puabi_solve::{Measure, WinChance};
/// assert_eq!(WinChance.end(Some(Player::Light)), 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WinChance;

impl Measure for WinChance {
    fn end(&self, winner: Option<Player>) -> f64 {
        winner.map_or(0.5, |winner| f64::from(winner == Player::Light))
    }
}

/// The number of rolls until the game ends, those of both players, including rolls that are passed.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{GameLength, Measure};
/// assert_eq!(GameLength.end(None), 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameLength;

impl Measure for GameLength {
    fn end(&self, _winner: Option<Player>) -> f64 {
        0.0
    }

    fn gather(&self, _mover: Player, _decision: &Decision<'_>, gained: &mut [f64]) {
        gained.fill(1.0);
    }
}
