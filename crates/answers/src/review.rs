//! Reviews of games in any notation.

use std::sync::Arc;

use http::StatusCode;
use puabi_core::{Game, Record, Rules, Setup};
use puabi_engine::{CubeReview, Review};
use puabi_formats::Notation;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::error::{ApiError, ApiResult};
use crate::view::position::PositionView;

/// A game to review.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewBody {
    /// The game as text.
    #[schema(example = "format: urg 1\nrules: finkel:1\n\nL 4 0-4\nL 1 4-5\n")]
    text: String,
    /// The notation: `urg`, `rgn`, `json` or `ur`; recognised from the text if it is not given.
    notation: Option<String>,
    /// The rule set, if the text does not name it.
    rules: Option<String>,
}

impl ReviewBody {
    /// Reads the game, and returns it with remarks on what was odd about its text; `find` returns the rules of a name.
    ///
    /// # Errors
    ///
    /// Returns an error if the notation or the rules are unknown, or if the text is not a game in the notation.
    pub fn read(
        &self,
        find: impl FnOnce(&str) -> ApiResult<Arc<Rules>>,
    ) -> ApiResult<(Record, Vec<String>)> {
        let text = self.text();
        let notation = match &self.notation {
            None => Notation::guess(text),
            Some(name) => name.parse().map_err(|error| {
                ApiError::field("notation", name, error).expected("urg, rgn, json or ur")
            })?,
        };
        let rules = self.rules.as_deref().map(find).transpose()?;
        let rule_set = rules.as_ref().map(|rules| rules.rule_set());
        let reading = notation.read(text, rule_set).map_err(|error| {
            let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
            ApiError::field("text", line, &error)
                .expected(format!("a game in the notation {notation}"))
        })?;
        let remarks = reading.remarks.iter().map(ToString::to_string).collect();
        Ok((reading.record, remarks))
    }

    /// Returns about how many plies the game has. In our own notation a ply takes some eight bytes, in others as many or more.
    pub fn about_plies(&self) -> usize {
        self.text.len() / 8
    }

    /// Returns the text without the mark that some editors write before UTF-8.
    fn text(&self) -> &str {
        self.text.strip_prefix('\u{feff}').unwrap_or(&self.text)
    }
}

/// A reviewed game.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reviewed<'a> {
    /// The game in our own notation.
    record: String,
    /// What was odd about the text, with its place.
    remarks: Vec<String>,
    /// The review, the same as `ur review --json` gives it.
    #[schema(value_type = Object)]
    review: Review,
    /// The errors with the cube and what moves cost with it, if the game has one and is solved with it: `totals` by player
    /// with `doubling`, `taking` and `moving`, and `errors` one by one.
    #[schema(value_type = Option<Object>)]
    cube: Option<CubeReview>,
    /// The board before every ply, with its roll, and at last how the game stands.
    #[schema(value_type = Vec<PositionView>)]
    #[serde(serialize_with = "as_frames")]
    frames: &'a Game,
}

impl<'a> Reviewed<'a> {
    /// Returns the review of a game; `remarks` list what was odd about its text.
    pub fn new(record: &'a Record, remarks: Vec<String>, review: Review) -> Self {
        Self { record: record.to_string(), remarks, review, cube: None, frames: &record.game }
    }

    /// Returns the review with that of the cube.
    #[must_use]
    pub fn with_cube(self, cube: Option<CubeReview>) -> Self {
        Self { cube, ..self }
    }
}

/// Refuses to review a game of more than `most` plies.
///
/// # Errors
///
/// Returns an error if the game is longer.
pub fn ensure_plies(record: &Record, most: usize) -> ApiResult<()> {
    let found = record.game.plies().len();
    if found <= most {
        return Ok(());
    }
    let message = format!("the game has {found} plies");
    let error = ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message);
    Err(error.expected(format!("at most {most} plies")))
}

/// The most plies of a game that is judged by a search, which takes a fraction of a millisecond for each.
const MAX_SEARCHED: usize = 5_000;

/// Refuses to judge a game of `found` plies by a search if that is too long.
///
/// # Errors
///
/// Returns a conflict if the game has more plies than a search may judge.
pub fn ensure_short(found: usize) -> ApiResult<()> {
    if found <= MAX_SEARCHED {
        return Ok(());
    }
    let message = format!("the game has {found} plies and cannot be solved here");
    Err(ApiError::conflict(message)
        .expected(format!("at most {MAX_SEARCHED} plies, which a search can judge")))
}

/// Writes the boards of a game one by one: all of them at once take several times the memory of the text that is written.
fn as_frames<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
    let before = game
        .plies()
        .iter()
        .map(|ply| Setup { roll: Some(ply.roll), ..game.rules().setup(ply.before, ply.player) });
    let setups = before.chain(std::iter::once(game.setup()));
    serializer.collect_seq(setups.map(|setup| PositionView::new(game.rules(), &setup)))
}
