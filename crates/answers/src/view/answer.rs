//! What there is to know of a position, in JSON.

use puabi_core::{Player, Rules};
use puabi_engine::{Answer, MoveAnswer, RollAnswer};
use serde::Serialize;
use utoipa::ToSchema;

use super::position::{MoveView, PositionView};

/// All that is known of a position: the output of `ur value --json`, and the pieces on the board.
///
/// Every value is the chance (0..=1) that the player to move in the asked position wins.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnswerView {
    /// The rule set.
    #[schema(example = "finkel")]
    rules: String,
    #[serde(flatten)]
    asked: PositionView,
    /// `table`, or the search that judges a game which is too large to be solved here.
    #[schema(example = "table")]
    judge: String,
    /// What is to be said of the values of a search: they are estimates, and how good ones where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    caveat: Option<String>,
    /// The value before the roll.
    value: f64,
    /// The rolls asked about: one if the position names it, else all.
    rolls: Vec<RollView>,
}

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

impl AnswerView {
    /// Returns the view of an answer under these rules.
    pub fn new(rules: &Rules, answer: &Answer) -> Self {
        let turn = answer.position.turn;
        Self {
            rules: answer.rules.clone(),
            asked: PositionView::new(rules, &answer.position),
            judge: answer.source.to_string(),
            caveat: answer.source.caveat(),
            value: answer.value,
            rolls: answer.rolls.iter().map(|roll| RollView::new(rules, turn, roll)).collect(),
        }
    }
}

impl RollView {
    fn new(rules: &Rules, turn: Player, answer: &RollAnswer) -> Self {
        let valued = |answer: &MoveAnswer| {
            let follows = (answer.capture, answer.again, answer.after.as_ref());
            let shape = MoveView::new(rules, turn, answer.action, follows);
            ValuedMove { shape, value: answer.value, best: answer.best }
        };
        let moves = answer.moves.iter().map(valued).collect();
        Self { roll: answer.roll.steps(), chance: answer.chance, moves }
    }
}
