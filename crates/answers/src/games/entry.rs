//! The facts that the archive lists of a game without reading its plies.

use puabi_core::{Ending, Evaluator, Player, Record, ascii};
use puabi_engine::Review;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "server", derive(sqlx::FromRow))]
pub struct Entry {
    /// The number of the game.
    pub id: i64,
    /// The rule set.
    #[schema(example = "finkel")]
    pub rules: String,
    /// Who plays light: a person's name or an agent.
    pub light: String,
    /// Who plays dark.
    pub dark: String,
    /// When it began, in seconds since 1970.
    pub started: i64,
    /// When it was changed last, in seconds since 1970.
    pub changed: i64,
    /// Plies played.
    pub plies: i64,
    /// Who has won: `light` or `dark`.
    pub winner: Option<String>,
    /// How it ended: `won`, `drawn`, `resigned`, `passed` (a double) or `abandoned`; none while it goes on.
    pub ending: Option<String>,
}

/// Which games to list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Filter {
    /// Part of a name or of the rules.
    pub search: String,
    /// The rule set, by the name that games have or the one that it is kept under. A preset's name without a number of pieces
    /// finds its games with any number.
    pub rules: String,
    /// A player's whole name.
    pub player: String,
    /// Lists games older than the one of this number.
    #[serde(deserialize_with = "id")]
    #[param(minimum = 0)]
    pub after: i64,
}

impl Filter {
    /// Returns whether these rules, as games name them, are the wanted ones.
    pub fn wants(&self, rules: &str) -> bool {
        let pieces =
            |rest: &str| rest.strip_prefix(':').is_some_and(|it| ascii::number::<u8>(it).is_some());
        let rest = rules.strip_prefix(&*self.rules);
        self.rules.is_empty() || rest.is_some_and(|rest| rest.is_empty() || pieces(rest))
    }
}

/// Reads the number of a game.
fn id<'de, D: Deserializer<'de>>(source: D) -> Result<i64, D::Error> {
    let text = String::deserialize(source)?;
    let message =
        "that is not a number of a game: expected a whole number, as GET /api/games lists them";
    ascii::number(&text).ok_or_else(|| D::Error::custom(message))
}

/// A finished game, as a player's progress needs it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "server", derive(sqlx::FromRow))]
pub struct PlayedEntry {
    /// The number of the game.
    pub id: i64,
    /// The rule set.
    pub rules: String,
    /// Who played light.
    pub light: String,
    /// Who played dark.
    pub dark: String,
    /// When it ended, in seconds since 1970.
    pub changed: i64,
    /// Plies played.
    pub plies: i64,
    /// Who has won.
    pub winner: Option<String>,
    /// The results of its review, if it was reviewed.
    #[serde(flatten)]
    #[cfg_attr(feature = "server", sqlx(flatten))]
    pub marks: Marks,
}

/// What the review of a game says of its players.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "server", derive(sqlx::FromRow))]
pub struct Marks {
    /// Light's accuracy in percent, if anything was at stake.
    pub light_accuracy: Option<f64>,
    /// Dark's accuracy.
    pub dark_accuracy: Option<f64>,
    /// What light's rolls gained, in chances; absent if the game was not reviewed.
    pub light_luck: Option<f64>,
    /// What dark's rolls gained.
    pub dark_luck: Option<f64>,
}

impl Marks {
    /// Reviews a game by these values, and returns what the review says of its players.
    pub fn of(record: &Record, values: &dyn Evaluator) -> Self {
        let totals = Review::new(record, values).totals;
        Self {
            light_accuracy: totals.light.accuracy,
            dark_accuracy: totals.dark.accuracy,
            light_luck: Some(totals.light.luck),
            dark_luck: Some(totals.dark.luck),
        }
    }
}

/// Returns the player's name: the one in the record, or else the colour.
pub fn name(record: &Record, player: Player) -> String {
    record.header(player.name()).unwrap_or(player.name()).to_owned()
}

/// Returns the number of plies played.
pub fn plies(record: &Record) -> i64 {
    i64::try_from(record.game.plies().len()).unwrap_or(i64::MAX)
}

/// Returns who has won.
pub fn winner(record: &Record) -> Option<&'static str> {
    record.winner().map(Player::name)
}

/// Returns how the game ended: `won`, `drawn`, `resigned`, `passed` (a double) or `abandoned`; `None` while it goes on.
pub fn ending(record: &Record) -> Option<&'static str> {
    match (record.game.winner(), record.ending) {
        (Some(_), _) => Some("won"),
        (None, _) if record.game.is_over() => Some("drawn"),
        (None, Some(Ending::Resigned(_))) if record.double_passed_by().is_some() => Some("passed"),
        (None, Some(Ending::Resigned(_))) => Some("resigned"),
        (None, Some(Ending::Abandoned { .. })) => Some("abandoned"),
        (None, None) => None,
    }
}
