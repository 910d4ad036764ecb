//! The facts that the archive lists of a game without reading its plies.

use puabi_core::{Ending, Player, Record};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::{IntoParams, ToSchema};

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, FromRow, ToSchema)]
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
    /// How it ended: `won`, `drawn`, `resigned` or `abandoned`; none while it goes on.
    pub ending: Option<String>,
}

/// Which games to list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Filter {
    /// Part of a name or of the rules.
    pub search: String,
    /// The rule set.
    pub rules: String,
    /// A player's whole name.
    pub player: String,
    /// Lists games older than the one of this number.
    pub after: i64,
}

/// A finished game, as a player's progress needs it.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub(crate) struct PlayedEntry {
    /// The number of the game.
    pub(crate) id: i64,
    /// The rule set.
    pub(crate) rules: String,
    /// Who played light.
    pub(crate) light: String,
    /// Who played dark.
    pub(crate) dark: String,
    /// When it ended, in seconds since 1970.
    pub(crate) changed: i64,
    /// Plies played.
    pub(crate) plies: i64,
    /// Who has won.
    pub(crate) winner: Option<String>,
    /// The results of its review, if it was reviewed.
    #[sqlx(flatten)]
    pub(crate) marks: Marks,
}

/// What the review of a game says of its players.
#[derive(Debug, Clone, Copy, PartialEq, Default, FromRow)]
pub(crate) struct Marks {
    /// Light's accuracy in percent, if anything was at stake.
    pub(crate) light_accuracy: Option<f64>,
    /// Dark's accuracy.
    pub(crate) dark_accuracy: Option<f64>,
    /// What light's rolls gained, in chances; absent if the game was not reviewed.
    pub(crate) light_luck: Option<f64>,
    /// What dark's rolls gained.
    pub(crate) dark_luck: Option<f64>,
}

/// Returns the player's name: the one in the record, or else the colour.
pub(super) fn name(record: &Record, player: Player) -> String {
    record.header(player.name()).unwrap_or(player.name()).to_owned()
}

pub(super) fn plies(record: &Record) -> i64 {
    i64::try_from(record.game.plies().len()).unwrap_or(i64::MAX)
}

pub(super) fn winner(record: &Record) -> Option<&'static str> {
    record.winner().map(Player::name)
}

pub(super) fn ending(record: &Record) -> Option<&'static str> {
    match (record.game.winner(), record.ending) {
        (Some(_), _) => Some("won"),
        (None, _) if record.game.is_over() => Some("drawn"),
        (None, Some(Ending::Resigned(_))) => Some("resigned"),
        (None, Some(Ending::Abandoned { .. })) => Some("abandoned"),
        (None, None) => None,
    }
}
