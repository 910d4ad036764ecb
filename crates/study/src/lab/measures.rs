//! The measures of the laboratory: what it gathers in a game, roll by roll, for both players together.

use puabi_core::Decision;
use puabi_engine::{SharedEvaluator, best, move_values};
use puabi_solve::Measure;

use crate::move_measure::MoveMeasure;

/// Returns a measure that counts the rolls that leave a choice: those with two legal moves or more.
pub(super) fn choices() -> impl Measure {
    MoveMeasure(|_, _: &Decision<'_>, gained: &mut [f64]| gained.fill(f64::from(gained.len() > 1)))
}

/// Returns a measure that counts the legal moves at the rolls that leave a choice.
pub(super) fn options() -> impl Measure {
    MoveMeasure(|_, _: &Decision<'_>, gained: &mut [f64]| {
        let moves = gained.len();
        gained.fill(if moves > 1 { moves as f64 } else { 0.0 });
    })
}

/// Returns the measure of what a move drawn at random would lose at the rolls that leave a choice, whatever is played.
pub(super) fn stakes(values: SharedEvaluator<'_>) -> impl Measure {
    MoveMeasure(move |_, decision: &Decision<'_>, gained: &mut [f64]| {
        if gained.len() > 1 {
            let judged = move_values(decision, values);
            let sum: f64 = judged.iter().map(|judged| judged.value).sum();
            gained.fill(best(&judged).value - sum / judged.len() as f64);
        }
    })
}

/// Returns a measure that counts how often the lead changes hands: the win chance crosses one half from one roll to the next, or
/// with the last move.
///
/// A step to or from an even game counts half.
pub(super) fn lead_changes(values: SharedEvaluator<'_>) -> impl Measure {
    MoveMeasure(move |_, decision: &Decision<'_>, gained: &mut [f64]| {
        let before = lead(values.value(decision.position()));
        for (gained, judged) in gained.iter_mut().zip(move_values(decision, values)) {
            *gained = (lead(judged.value) - before).abs() / 2.0;
        }
    })
}

/// The most by which rounding moves the value of an even game.
const ROUNDING: f64 = 1e-12;

/// Returns who leads: 1 for the player whose chance this is, -1 for the other, 0 for neither.
fn lead(value: f64) -> f64 {
    f64::from(value > 0.5 + ROUNDING) - f64::from(value < 0.5 - ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_game_has_no_leader_even_after_rounding() {
        let leads = [0.7, 0.5 + 1e-15, 0.5, 0.5 - 1e-15, 0.2].map(lead);
        assert_eq!(leads.map(|lead| lead.to_string()), ["1", "0", "0", "0", "-1"]);
    }
}
