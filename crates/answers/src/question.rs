//! What a position is worth.

use puabi_core::{Evaluator, Player, Position, Roll, Rules, Setup};
use puabi_engine::{Answer, ValueSource};

use crate::error::{ApiError, ApiResult};
use crate::view::answer::AnswerView;

/// A position that a request asks about.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// The position, seen by the player to roll or move.
    pub position: Position,
    /// The player to roll or move.
    pub turn: Player,
    /// The roll, if one is given.
    pub roll: Option<Roll>,
}

impl Question {
    /// Reads a position under these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a position, or if the position breaks the rules.
    pub fn read(rules: &Rules, text: &str) -> ApiResult<Self> {
        let wrong = |error: &dyn std::fmt::Display| {
            ApiError::field("position", text, error)
                .expected("LIGHT:DARK:TURN, as in `-:-:L` or `4,8,12+2:1,5:D3`")
        };
        let setup: Setup = text.parse().map_err(|error| wrong(&error))?;
        let position = rules.position(&setup).map_err(|error| wrong(&error))?;
        Ok(Self { position, turn: setup.turn, roll: setup.roll })
    }

    /// Returns the answer by these values, which come from `source`. If that is a search, it takes some milliseconds.
    pub fn answer(self, rules: &Rules, source: ValueSource, values: &dyn Evaluator) -> AnswerView {
        let asked = (self.position, self.turn);
        AnswerView::new(rules, &Answer::by(source, rules, asked, self.roll, values))
    }
}
