//! What the laboratory gathers in a game, roll by roll; both players' together.

use puabi_core::{Decision, Player};
use puabi_engine::{SharedEvaluator, best, move_values};
use puabi_solve::Measure;

/// The rolls that leave a choice: those with two legal moves or more.
pub(super) struct Choices;

impl Measure for Choices {
    fn end(&self, _winner: Option<Player>) -> f64 {
        0.0
    }

    fn gather(&self, _mover: Player, _decision: &Decision<'_>, gained: &mut [f64]) {
        if gained.len() > 1 {
            gained.fill(1.0);
        }
    }
}

/// The legal moves of the rolls that leave a choice.
pub(super) struct Options;

impl Measure for Options {
    fn end(&self, _winner: Option<Player>) -> f64 {
        0.0
    }

    fn gather(&self, _mover: Player, _decision: &Decision<'_>, gained: &mut [f64]) {
        let moves = gained.len();
        if moves > 1 {
            gained.fill(moves as f64);
        }
    }
}

/// What a move drawn at random would lose at the rolls that leave a choice, whatever is played.
pub(super) struct Stakes<'a>(pub(super) SharedEvaluator<'a>);

impl Measure for Stakes<'_> {
    fn end(&self, _winner: Option<Player>) -> f64 {
        0.0
    }

    fn gather(&self, _mover: Player, decision: &Decision<'_>, gained: &mut [f64]) {
        if gained.len() > 1 {
            let judged = move_values(decision, self.0);
            let sum: f64 = judged.iter().map(|judged| judged.value).sum();
            gained.fill(best(&judged).value - sum / judged.len() as f64);
        }
    }
}

/// How often the lead changes hands: the win chance crosses one half from one roll to the next, or with the last move.
///
/// A step to or from an even game counts half.
pub(super) struct LeadChanges<'a>(pub(super) SharedEvaluator<'a>);

impl Measure for LeadChanges<'_> {
    fn end(&self, _winner: Option<Player>) -> f64 {
        0.0
    }

    fn gather(&self, _mover: Player, decision: &Decision<'_>, gained: &mut [f64]) {
        let mut value = [0.5];
        self.0.evaluate(&[decision.position()], &mut value);
        let before = lead(value[0]);
        for (gained, judged) in gained.iter_mut().zip(move_values(decision, self.0)) {
            *gained = (lead(judged.value) - before).abs() / 2.0;
        }
    }
}

/// The most by which rounding moves the value of an even game.
const ROUNDING: f64 = 1e-12;

/// Who leads: 1 the player whose chance this is, -1 the other, 0 neither.
fn lead(value: f64) -> f64 {
    f64::from(value > 0.5 + ROUNDING) - f64::from(value < 0.5 - ROUNDING)
}

/// The chance that a game ends without a winner.
pub(super) struct Draws;

impl Measure for Draws {
    fn end(&self, winner: Option<Player>) -> f64 {
        f64::from(winner.is_none())
    }
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
