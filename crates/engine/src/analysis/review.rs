//! Reviews: a played game seen through the values of the solved one. `docs/review.md` has the method.
//!
//! Every ply has luck, what the roll gained over expectation, and an error, what the move lost against the best. In light's view,
//! result minus start is the sum of luck minus the sum of errors, exactly: the terms telescope. The balance fails only at plies
//! at which the evaluator prefers another move than the one with the best value ([`Evaluator::preferred`]).

mod choice;
mod class;
mod ply;
mod reason;
mod report;
mod source;
mod strength;
mod totals;

use std::sync::Arc;

use puabi_core::{Ending, Evaluator, Player, Record, Rules};
use serde::Serialize;

use crate::serial::{Pair, as_optional_text, as_text};

pub use class::{Class, Classes};
pub use ply::PlyReview;
pub use reason::{Kind, Phase, Reason};
pub use report::{Leak, PlayedGame, PlayerReport};
pub use source::{KnownError, Lookahead, ValueSource};
pub use strength::{Estimate, Strength};
pub use totals::Totals;

/// The largest number of turning points in a review.
const TURNING_POINTS: usize = 5;
/// The smallest swing (of a chance, 0..=1) that makes a turning point.
const SWING: f64 = 0.05;

/// A played game, judged ply by ply.
///
/// ```
/// use puabi_core::{Record, RuleSet};
/// use puabi_engine::Review;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let record: Record = "format: urg 1\nrules: finkel:1\n\nL 4 0-4\nL 1 4-5\nD 3 0-3\n".parse()?;
/// let (values, report) =
///     Solver::new(record.game.rules(), Options::default())?.solve(&Unattended, &Unattended)?;
/// let review = Review::new(&record, &values);
/// assert_eq!(review.start, report.start_value);
/// let balance = review.plies.iter().map(|ply| ply.light_luck() - ply.light_error()).sum::<f64>();
/// assert!((review.result - review.start - balance).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Review {
    /// The name of the rule set.
    pub rules: String,
    /// The source of the values.
    #[serde(rename = "judge", serialize_with = "as_text")]
    pub source: ValueSource,
    /// The names of the players, if they are known.
    pub names: Pair<Option<String>>,
    /// Light's chance at the start; after the given roll if the start names one.
    pub start: f64,
    /// Light's chance at the position in which the game stopped: 1 or 0 if it ended with a winner, 1/2 if without one.
    pub result: f64,
    /// The winner, if there is one: by the last piece, or because the other player gave up or left.
    #[serde(serialize_with = "as_optional_text")]
    pub winner: Option<Player>,
    /// Whether the game is over without a winner, because neither player can ever move again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drawn: bool,
    /// How the game ended before the last piece was home.
    #[serde(serialize_with = "as_optional_text", skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// Luck and skill of each player.
    pub totals: Pair<Totals>,
    /// The plies, counted from 1, after which the chances had changed most, in the order of the game.
    pub turning_points: Vec<usize>,
    /// Every ply.
    pub plies: Vec<PlyReview>,
    /// How the game ended early, in words; `None` if it did not end early.
    #[serde(skip)]
    early_end: Option<String>,
    /// The rules on whose ladder players are rated.
    #[serde(skip)]
    rated: Option<Arc<Rules>>,
}

impl Review {
    /// Returns the review of a game by the values of the solved game, which `evaluator` has.
    ///
    /// A roll that waits for its move is left out. A review takes some microseconds for each ply.
    pub fn new(record: &Record, evaluator: &dyn Evaluator) -> Self {
        Self::by(ValueSource::Table, record, evaluator)
    }

    /// Returns the review of a game by the values that `evaluator` gives its positions; `source` names where they come from.
    pub fn by(source: ValueSource, record: &Record, evaluator: &dyn Evaluator) -> Self {
        let game = &record.game;
        let before = ply::values_before(game, evaluator);
        let plies: Vec<_> = game
            .plies()
            .iter()
            .zip(&before)
            .enumerate()
            .map(|(at, (ply, &before))| PlyReview::new(game, at, *ply, before, evaluator))
            .collect();
        let result = ply::result(game, evaluator);
        let start = plies.first().map_or(result, PlyReview::light_before);
        let name = |player: Player| record.header(player.name()).map(str::to_owned);
        let rated = (!source.is_estimate()).then(|| game.rules().clone());
        let totals = |player| {
            let own = plies.iter().filter(move |ply| ply.player == player);
            Totals::new(own, rated.as_deref())
        };
        Self {
            rules: game.rules().rule_set().to_string(),
            source,
            names: Pair { light: name(Player::Light), dark: name(Player::Dark) },
            start,
            result,
            winner: record.winner(),
            drawn: game.is_over() && record.winner().is_none(),
            ending: record.ending.filter(|_| !game.is_over()),
            totals: Pair { light: totals(Player::Light), dark: totals(Player::Dark) },
            turning_points: turning_points(&plies),
            plies,
            early_end: record
                .early_end(|player| record.header(player.name()).unwrap_or(player.name())),
            rated,
        }
    }

    /// Returns light's chances: at the start, and after every ply.
    pub fn chances(&self) -> Vec<f64> {
        let after = self.plies.iter().map(PlyReview::light_after);
        std::iter::once(self.start).chain(after).collect()
    }

    /// Returns how the game ended early, such as `Bea resigned`: by a passed double, or because it was given up or abandoned;
    /// `None` if it did not end early.
    pub fn early_end(&self) -> Option<&str> {
        self.early_end.as_deref()
    }

    /// Returns the name of `player`, or the colour if the player has no name.
    pub fn name(&self, player: Player) -> &str {
        self.names[player].as_deref().unwrap_or(player.name())
    }
}

fn turning_points(plies: &[PlyReview]) -> Vec<usize> {
    let swing = |ply: &PlyReview| (ply.light_after() - ply.light_before()).abs();
    let mut turns: Vec<_> = plies.iter().filter(|ply| swing(ply) >= SWING).collect();
    turns.sort_by(|first, second| swing(second).total_cmp(&swing(first)));
    let mut turns: Vec<_> = turns.into_iter().take(TURNING_POINTS).map(|ply| ply.number).collect();
    turns.sort_unstable();
    turns
}
