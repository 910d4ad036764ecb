//! What can be done with a roll, in JSON.

use puabi_core::{Player, Rules};
use puabi_engine::{MoveAnswer, RollAnswer};
use serde::Serialize;
use utoipa::ToSchema;

use super::position::MoveView;

/// What can be done with a roll.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RollView {
    roll: u8,
    /// Its chance (0..=1).
    chance: f64,
    /// The legal moves, best first.
    moves: Vec<ValuedMove>,
}

/// A legal move and what it is worth.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ValuedMove {
    #[serde(flatten)]
    shape: MoveView,
    /// The value after it.
    value: f64,
    /// Whether no move is worth more.
    best: bool,
}

impl RollView {
    /// Returns the view of a roll of `turn`.
    pub(crate) fn new(rules: &Rules, turn: Player, answer: &RollAnswer) -> Self {
        let valued = |answer: &MoveAnswer| {
            let follows = (answer.capture, answer.again, answer.after.as_ref());
            let shape = MoveView::new(rules, turn, answer.action, follows);
            ValuedMove { shape, value: answer.value, best: answer.best }
        };
        let moves = answer.moves.iter().map(valued).collect();
        Self { roll: answer.roll.steps(), chance: answer.chance, moves }
    }
}
