//! Lists of games, and a player's progress.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::games::entry::{Entry, Marks, PlayedEntry};

/// A page of the list of games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameList {
    /// The number of games that match the filter.
    pub total: i64,
    /// One page of them, the newest first; for the next page, set `after` to the last number.
    pub games: Vec<Entry>,
}

/// Whose progress is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Whose {
    /// The player's whole name.
    #[param(example = "human")]
    pub player: String,
}

/// A player's finished games, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Progress {
    player: String,
    /// Games won.
    won: usize,
    /// The mean accuracy in percent, of the games that were reviewed.
    accuracy: Option<f64>,
    games: Vec<PlayedView>,
}

/// A finished game of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayedView {
    id: i64,
    rules: String,
    /// When it ended, in seconds since 1970.
    ended: i64,
    /// Which side the player had.
    side: &'static str,
    opponent: String,
    plies: i64,
    /// Whether the player won; absent if the game had no winner.
    won: Option<bool>,
    /// The accuracy in percent; absent if the game was not reviewed or nothing was at stake.
    accuracy: Option<f64>,
    /// What the player's rolls gained less what the opponent's did, in chances.
    luck: Option<f64>,
}

impl Progress {
    /// Returns the progress of a player who has played these games.
    pub fn new(player: String, entries: Vec<PlayedEntry>) -> Self {
        let games: Vec<_> =
            entries.into_iter().map(|game| PlayedView::new(game, &player)).collect();
        let accuracies: Vec<_> = games.iter().filter_map(|game| game.accuracy).collect();
        let mean = accuracies.iter().sum::<f64>() / accuracies.len().max(1) as f64;
        Self {
            won: games.iter().filter(|game| game.won == Some(true)).count(),
            accuracy: Some(mean).filter(|_| !accuracies.is_empty()),
            games,
            player,
        }
    }
}

impl PlayedView {
    /// Returns the view of a game that `player` has played.
    fn new(game: PlayedEntry, player: &str) -> Self {
        let Marks { light_accuracy, dark_accuracy, light_luck, dark_luck } = game.marks;
        let luck = light_luck.zip(dark_luck).map(|(light, dark)| light - dark);
        let (side, opponent, accuracy, luck) = if game.light == player {
            ("light", game.dark, light_accuracy, luck)
        } else {
            ("dark", game.light, dark_accuracy, luck.map(|luck| -luck))
        };
        Self {
            id: game.id,
            rules: game.rules,
            ended: game.changed,
            side,
            opponent,
            plies: game.plies,
            won: game.winner.as_deref().map(|winner| winner == side),
            accuracy,
            luck,
        }
    }
}
