//! A doubling cube and the score of a match in JSON, and what positions are worth with them.

use puabi_core::{Away, Double, Player, Rules, Stakes};
use puabi_engine::{CubeAnswer, CubeChoice, DoubleAnswer};
use serde::Serialize;
use utoipa::ToSchema;

use super::position::PositionView;
use super::roll::RollView;

/// What a game is played for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct StakesView {
    /// The text of the stakes, as records have it.
    #[schema(example = "cube 2:dark, match 3-5")]
    text: String,
    /// The points that the game counts.
    value: u32,
    /// Who owns the cube: `light` or `dark`; none if it is in the middle.
    owner: Option<&'static str>,
    /// The value that is not doubled.
    cap: u32,
    /// The score, if the game is one of a match.
    score: Option<ScoreView>,
}

impl StakesView {
    /// Returns the view of stakes.
    pub(crate) fn new(stakes: Stakes) -> Self {
        Self {
            text: stakes.to_string(),
            value: stakes.cube.value(),
            owner: stakes.cube.owner().map(Player::name),
            cap: stakes.cube.cap(),
            score: stakes.score.map(ScoreView::new),
        }
    }
}

/// The score of a match.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScoreView {
    /// The points that light needs.
    light: u32,
    /// The points that dark needs.
    dark: u32,
    /// Whether nobody may double: in the Crawford game, and at 1-1, where no double would change anything.
    crawford: bool,
}

impl ScoreView {
    /// Returns the view of a score.
    pub(crate) fn new(score: Away) -> Self {
        let [light, dark] = Player::BOTH.map(|player| score.of(player));
        Self { light, dark, crawford: score.is_crawford() }
    }
}

/// A double before a roll.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DoubleView {
    /// The plies before it.
    plies: usize,
    /// Who doubled.
    player: &'static str,
    /// Whether the opponent took; null until that is known.
    taken: Option<bool>,
}

impl DoubleView {
    /// Returns the view of a double after `plies` plies.
    pub(crate) fn new(plies: usize, double: Double) -> Self {
        Self { plies, player: double.by.name(), taken: double.is_taken }
    }
}

/// What a double is worth to the player who doubles.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct DoubleWorth {
    /// If the opponent takes.
    take: f64,
    /// If the opponent passes.
    pass: f64,
}

/// What the cube is worth before a roll.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ChoiceView {
    /// What perfect play is worth, to the player about to roll.
    worth: f64,
    /// What it is worth to roll without a double.
    rolling: f64,
    /// What a double is worth; null if the player may not double, or cannot gain by it.
    double: Option<DoubleWorth>,
    /// Why there is no double, if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// What perfect players do: `no double`, `double, take`, `double, pass` or `no choice`.
    #[schema(example = "double, take")]
    action: String,
}

impl ChoiceView {
    /// Returns the view of what `player`, who is about to roll, can do with the cube.
    pub(crate) fn new(choice: CubeChoice, stakes: Stakes, player: Player) -> Self {
        let worth = |DoubleAnswer { take, pass }| DoubleWorth { take, pass };
        let why = choice.double.is_none().then(|| match stakes.double(player) {
            Err(error) => error.to_string(),
            Ok(_) => "the match is won with the cube as it is".to_owned(),
        });
        Self {
            worth: choice.worth(),
            rolling: choice.rolling,
            double: choice.double.map(worth),
            why,
            action: choice.action().to_string(),
        }
    }
}

/// What a position is worth in a game with a doubling cube: the output of `ur value --cube --json`, and the pieces on the board.
///
/// Every number is a worth to the player to move: the points won on average in a game for money, or the chance (0..=1) to win
/// the match.
#[derive(Debug, Serialize, ToSchema)]
pub struct CubeView {
    /// The rule set.
    #[schema(example = "finkel:2")]
    rules: String,
    #[serde(flatten)]
    asked: PositionView,
    stakes: StakesView,
    #[serde(flatten)]
    choice: ChoiceView,
    /// The rolls asked about, without a double before: one if the position names it, else all.
    rolls: Vec<RollView>,
}

impl CubeView {
    /// Returns the view of an answer under these rules.
    pub(crate) fn new(rules: &Rules, answer: &CubeAnswer) -> Self {
        let (turn, stakes) = (answer.position.turn, answer.stakes);
        let choice = CubeChoice { rolling: answer.rolling, double: answer.double };
        Self {
            rules: answer.rules.clone(),
            asked: PositionView::new(rules, &answer.position),
            stakes: StakesView::new(stakes),
            choice: ChoiceView::new(choice, stakes, turn),
            rolls: answer.rolls.iter().map(|roll| RollView::new(rules, turn, roll)).collect(),
        }
    }
}
