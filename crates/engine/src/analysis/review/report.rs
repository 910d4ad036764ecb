//! A player's report: many reviewed games of one player.

use puabi_core::Player;
use serde::Serialize;

use super::Review;
use super::class::Classes;
use super::reason::{Kind, Phase};
use super::source::ValueSource;
use super::strength::{Estimate, Strength};
use super::totals::Totals;
use crate::serial::as_text;

/// A reviewed game in a player's report.
///
/// ```
/// use puabi_core::Player;
/// use puabi_engine::{ValueSource, PlayedGame};
/// let game = PlayedGame {
///     label: "1.urg".into(),
///     player: Player::Light,
///     source: ValueSource::Table,
///     won: Some(true),
///     drawn: false,
///     accuracy: None,
///     error: 0.0,
///     luck: 0.1,
/// };
/// assert_eq!(game.won, Some(true));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayedGame {
    /// The label of the game, such as its file or its date.
    pub label: String,
    /// The side that the player had.
    #[serde(serialize_with = "as_text")]
    pub player: Player,
    /// The source of the values.
    #[serde(rename = "judge", serialize_with = "as_text")]
    pub source: ValueSource,
    /// Whether the player won, if the game has a winner.
    pub won: Option<bool>,
    /// Whether the game is over without a winner, because neither player can ever move again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drawn: bool,
    /// The accuracy in percent, if anything was at stake.
    pub accuracy: Option<f64>,
    /// The error: the chances that the moves lost.
    pub error: f64,
    /// What the player's own rolls gained less what the opponent's did, in chances.
    pub luck: f64,
}

/// What the slips of one kind in one phase cost in all games.
///
/// ```
/// use puabi_engine::{Kind, Leak, Phase};
/// let leak = Leak { kind: Kind::Exposed, phase: Phase::Middle, count: 3, error: 0.12 };
/// assert_eq!(leak.kind.name(), "exposed a piece");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Leak {
    /// The kind.
    pub kind: Kind,
    /// The phase of the game.
    pub phase: Phase,
    /// The number of such slips.
    pub count: u32,
    /// What they cost together, in chances.
    pub error: f64,
}

/// The report on a player over many reviewed games.
///
/// ```
/// use puabi_engine::PlayerReport;
/// let report = PlayerReport::new("Ann", &[]);
/// assert_eq!((report.games.len(), report.accuracy), (0, None));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerReport {
    /// The player.
    pub name: String,
    /// The games, in the order in which they were given.
    pub games: Vec<PlayedGame>,
    /// Games won.
    pub won: usize,
    /// The number of decisions with two legal moves or more.
    pub decisions: usize,
    /// The accuracy of all decisions together, in percent.
    pub accuracy: Option<f64>,
    /// The mean loss of a decision, in chances.
    pub error_per_decision: f64,
    /// Moves by class.
    pub classes: Classes,
    /// The strength of all the moves together.
    pub strength: Option<Strength>,
    /// The strength as a rating, if all games have one rule set whose ratings are known and all are judged by exact values.
    pub rating: Option<Estimate>,
    /// What the slips of each kind and phase cost, the dearest first.
    pub leaks: Vec<Leak>,
    /// The luckiest game, counted from 0 in `games`.
    pub luckiest: Option<usize>,
    /// The unluckiest game.
    pub unluckiest: Option<usize>,
}

impl PlayedGame {
    /// Returns the outcome of the game for the player, in a word.
    pub const fn outcome(&self) -> &'static str {
        match self.won {
            Some(true) => "won",
            Some(false) => "lost",
            None if self.drawn => "drawn",
            None => "unfinished",
        }
    }
}

impl PlayerReport {
    /// Returns a sentence about the values of a search, if one has judged games: some of them, or all.
    pub fn caveat(&self) -> Option<String> {
        let caveat = self.games.iter().find_map(|game| game.source.caveat())?;
        let is_all = self.games.iter().all(|game| game.source.is_estimate());
        Some(if is_all { caveat } else { format!("Some games: {caveat}") })
    }

    /// Returns the report on `name` from reviewed games, each with a label and the side that the player had.
    pub fn new(name: &str, reviews: &[(String, Player, Review)]) -> Self {
        let own = reviews
            .iter()
            .flat_map(|(_, player, it)| it.plies.iter().filter(move |ply| ply.player == *player));
        let leaks = leaks(own.clone().filter_map(|ply| Some((ply.reason.as_ref()?, ply.error))));
        let games: Vec<_> =
            reviews.iter().map(|(label, player, it)| game(label, *player, it)).collect();
        let by_luck =
            |first: &usize, second: &usize| games[*first].luck.total_cmp(&games[*second].luck);
        let rules = reviews.first().and_then(|(.., first)| first.rated.as_deref());
        let rated = rules.filter(|_| reviews.iter().all(|(.., it)| it.rated.as_deref() == rules));
        let totals = Totals::new(own, rated);
        Self {
            name: name.to_owned(),
            won: games.iter().filter(|game| game.won == Some(true)).count(),
            decisions: totals.decisions,
            accuracy: totals.accuracy,
            error_per_decision: totals.error_per_decision,
            classes: totals.classes,
            strength: totals.strength,
            rating: totals.rating,
            leaks,
            luckiest: (0..games.len()).max_by(by_luck),
            unluckiest: (0..games.len()).min_by(by_luck),
            games,
        }
    }
}

fn game(label: &str, player: Player, review: &Review) -> PlayedGame {
    let (own, other) = (&review.totals[player], &review.totals[player.opponent()]);
    PlayedGame {
        label: label.to_owned(),
        player,
        source: review.source.clone(),
        won: review.winner.map(|winner| winner == player),
        drawn: review.drawn,
        accuracy: own.accuracy,
        error: own.error,
        luck: own.luck - other.luck,
    }
}

fn leaks<'a>(slips: impl Iterator<Item = (&'a super::Reason, f64)>) -> Vec<Leak> {
    let mut leaks: Vec<Leak> = Vec::new();
    for (reason, error) in slips {
        let (kind, phase) = (reason.kind, reason.phase);
        match leaks.iter_mut().find(|leak| (leak.kind, leak.phase) == (kind, phase)) {
            Some(leak) => {
                leak.count += 1;
                leak.error += error;
            }
            None => leaks.push(Leak { kind, phase, count: 1, error }),
        }
    }
    leaks.sort_by(|first, second| second.error.total_cmp(&first.error));
    leaks
}
