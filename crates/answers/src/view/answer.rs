//! What there is to know of a position, in JSON.

use puabi_core::{Player, Rules, Stakes};
use puabi_engine::{Answer, CubeChoice};
use serde::Serialize;
use utoipa::ToSchema;

use super::cube::ChoiceView;
use super::position::PositionView;
use super::roll::RollView;

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
    /// A sentence about the values of a search: that they are estimates, and how accurate they are if that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    caveat: Option<String>,
    /// `f32` or `u16` if the table has values rounded to that; no value is more exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<String>,
    /// The value before the roll.
    value: f64,
    /// In a hint of a game with a cube: what the cube is worth to the player about to roll, if the game is solved with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<ChoiceView>,
    /// The rolls asked about: one if the position names it, else all.
    rolls: Vec<RollView>,
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
            precision: None,
            value: answer.value,
            cube: None,
            rolls: answer.rolls.iter().map(|roll| RollView::new(rules, turn, roll)).collect(),
        }
    }
}

impl AnswerView {
    /// Returns the answer from a table whose values are rounded to this precision, if they are.
    #[must_use]
    pub fn rounded_to(self, precision: Option<impl ToString>) -> Self {
        Self { precision: precision.map(|precision| precision.to_string()), ..self }
    }

    /// Returns the answer with what the cube is worth to `player`, who is about to roll at these stakes.
    #[must_use]
    pub fn with_cube(self, choice: CubeChoice, stakes: Stakes, player: Player) -> Self {
        Self { cube: Some(ChoiceView::new(choice, stakes, player)), ..self }
    }
}
