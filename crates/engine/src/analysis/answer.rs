//! The value of a position, and the value of every move for every roll.

use puabi_core::{Decision, Evaluator, Move, Player, Position, Roll, Rules, Setup};
use serde::Serialize;

use crate::analysis::move_values::{MoveValue, MoveValues, move_values};
use crate::analysis::review::ValueSource;
use crate::serial::{as_optional_text, as_steps, as_text};

/// The values of a position and of its moves. Text forms and JSON are made from it.
///
/// Every value is the chance (0..=1) that the player to move in the position wins.
///
/// ```
/// use puabi_core::{Player, Roll, RuleSet};
/// use puabi_engine::Answer;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let position = rules.position(&"-:14:D1".parse()?)?;
/// let answer = Answer::new(&rules, (position, Player::Dark), Some(Roll::new(1)), &values);
/// let best = &answer.rolls[0].moves[0];
/// assert_eq!((best.action.to_string(), best.value), ("14-off".to_owned(), 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The name of the rule set.
    pub rules: String,
    /// The position, with the roll if one was given.
    #[serde(serialize_with = "as_text")]
    pub position: Setup,
    /// The source of the values.
    #[serde(rename = "judge", serialize_with = "as_text")]
    pub source: ValueSource,
    /// The chance of the player to move before the roll.
    pub value: f64,
    /// The given roll, or all rolls, ascending.
    pub rolls: Vec<RollAnswer>,
}

/// A roll with its legal moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RollAnswer {
    /// The roll.
    #[serde(serialize_with = "as_steps")]
    pub roll: Roll,
    /// Its chance (0..=1).
    pub chance: f64,
    /// The legal moves, best first; equal ones in the order of [`Decision::moves`].
    pub moves: Vec<MoveAnswer>,
}

/// A legal move with its result and its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveAnswer {
    /// The move.
    #[serde(rename = "move", serialize_with = "as_text")]
    pub action: Move,
    /// The position that follows; `None` if the game is won.
    #[serde(serialize_with = "as_optional_text")]
    pub after: Option<Setup>,
    /// Whether it captures.
    pub capture: bool,
    /// Whether the same player rolls again.
    pub again: bool,
    /// The chance of the player who moves.
    pub value: f64,
    /// Whether no move is worth more.
    pub best: bool,
}

impl Answer {
    /// Returns the same as [`Answer::by`], by the values of the solved game, which `evaluator` has.
    pub fn new(
        rules: &Rules,
        asked: (Position, Player),
        roll: Option<Roll>,
        evaluator: &dyn Evaluator,
    ) -> Self {
        Self::by(ValueSource::Table, rules, asked, roll, evaluator)
    }

    /// Returns the values of `position` with `turn` to roll or to move: those of the moves of `roll` if it is known, and of every
    /// roll otherwise. They are computed by `evaluator`, and `source` names where they come from.
    pub fn by(
        source: ValueSource,
        rules: &Rules,
        (position, turn): (Position, Player),
        roll: Option<Roll>,
        evaluator: &dyn Evaluator,
    ) -> Self {
        let asked =
            rules.rolls().iter().filter(|(known, _)| roll.is_none_or(|roll| roll == *known));
        let rolls = asked.map(|&(roll, chance)| {
            let decision = rules.decision(position, roll);
            RollAnswer { roll, chance, moves: MoveAnswer::all(&decision, turn, evaluator) }
        });
        Self {
            rules: rules.rule_set().to_string(),
            position: Setup { roll, ..rules.setup(position, turn) },
            source,
            value: evaluator.value(position),
            rolls: rolls.collect(),
        }
    }
}

impl MoveAnswer {
    /// Returns the legal moves of `decision` with their values by `evaluator`, the best first; `turn` is the player to move.
    pub fn all(decision: &Decision<'_>, turn: Player, evaluator: &dyn Evaluator) -> Vec<Self> {
        Self::ranked(decision, turn, move_values(decision, evaluator))
    }

    /// Returns the legal moves of `decision` with these values, best first.
    pub(crate) fn ranked(
        decision: &Decision<'_>,
        turn: Player,
        mut moves: MoveValues,
    ) -> Vec<Self> {
        moves.sort_by(|first, second| second.value.total_cmp(&first.value));
        let best = moves[0].value;
        let answer = |it: MoveValue| {
            let again = it.after.rolls_again();
            let next = if again { turn } else { turn.opponent() };
            Self {
                action: it.action,
                after: it.after.position().map(|position| decision.rules().setup(position, next)),
                capture: decision.captures(it.action).is_some(),
                again,
                value: it.value,
                best: it.value >= best,
            }
        };
        moves.into_iter().map(answer).collect()
    }
}
