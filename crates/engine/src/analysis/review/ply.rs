//! A ply judged by values: the luck of its roll and the error of its move.

use puabi_core::{Evaluator, Game, Move, Player, Ply, Position, Roll, Setup};
use serde::Serialize;

use super::class::Class;
use super::reason::Reason;
use crate::analysis::answer::MoveAnswer;
use crate::serial::{as_steps, as_text};

/// A ply of a reviewed game. Chances are those of the player who moves; luck and error are differences of such chances.
///
/// ```
/// use puabi_core::{Record, RuleSet};
/// use puabi_engine::{Class, Review};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let record: Record = "format: urg 1\nrules: finkel:1\n\nL 4 0-4\n".parse()?;
/// let (values, _) =
///     Solver::new(record.game.rules(), Options::default())?.solve(&Unattended, &Unattended)?;
/// let ply = &Review::new(&record, &values).plies[0];
/// assert_eq!((ply.class, ply.error), (Class::Forced, 0.0));
/// assert!(ply.luck > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlyReview {
    /// The number of the ply, from 1.
    pub number: usize,
    /// The player who moves.
    #[serde(serialize_with = "as_text")]
    pub player: Player,
    /// The position before, with the roll.
    #[serde(serialize_with = "as_text")]
    pub position: Setup,
    /// The roll.
    #[serde(serialize_with = "as_steps")]
    pub roll: Roll,
    /// The move played.
    #[serde(rename = "move", serialize_with = "as_text")]
    pub action: Move,
    /// The best move; the played one if no move is better.
    #[serde(serialize_with = "as_text")]
    pub best: Move,
    /// The chance before the roll.
    pub before: f64,
    /// The chance after the roll with the best move.
    pub best_value: f64,
    /// The chance after the move played.
    pub value: f64,
    /// What the roll gained: `best_value - before`.
    pub luck: f64,
    /// What the move lost: `best_value - value`, never below 0.
    pub error: f64,
    /// The class of the move.
    pub class: Class,
    /// What was wrong with the move, if it is an inaccuracy or worse.
    pub reason: Option<Reason>,
    /// Every legal move, best first.
    pub moves: Vec<MoveAnswer>,
}

impl PlyReview {
    pub(super) fn new(
        game: &Game,
        at: usize,
        ply: Ply,
        before: f64,
        evaluator: &dyn Evaluator,
    ) -> Self {
        let decision = game.rules().decision(ply.before, ply.roll);
        let moves = MoveAnswer::all(&decision, ply.player, evaluator);
        let played = moves.iter().find(|answer| answer.action == ply.action);
        let (best_value, value) =
            (moves[0].value, played.map_or(moves[0].value, |played| played.value));
        let is_given = at == 0 && game.start().roll.is_some();
        let before = if is_given { best_value } else { before };
        let error = best_value - value;
        let class = if moves.len() == 1 { Class::Forced } else { Class::of(error) };
        let best = if error > 0.0 { moves[0].action } else { ply.action };
        let reason = class.is_slip().then(|| Reason::new(&decision, &ply, best, error));
        Self {
            number: at + 1,
            player: ply.player,
            position: Setup { roll: Some(ply.roll), ..game.rules().setup(ply.before, ply.player) },
            roll: ply.roll,
            action: ply.action,
            best,
            before,
            best_value,
            value,
            luck: best_value - before,
            error,
            class,
            reason,
            moves,
        }
    }

    /// Returns light's chance before the roll.
    pub fn light_before(&self) -> f64 {
        self.lights(self.before)
    }

    /// Returns light's chance after the move.
    pub fn light_after(&self) -> f64 {
        self.lights(self.value)
    }

    /// Returns what the roll gained for light.
    pub fn light_luck(&self) -> f64 {
        self.signed(self.luck)
    }

    /// Returns what the move lost for light.
    pub fn light_error(&self) -> f64 {
        self.signed(self.error)
    }

    fn lights(&self, chance: f64) -> f64 {
        if self.player == Player::Light { chance } else { 1.0 - chance }
    }

    fn signed(&self, amount: f64) -> f64 {
        if self.player == Player::Light { amount } else { -amount }
    }
}

/// Returns the chance of each ply's mover before the roll, by one call of the evaluator.
pub(super) fn values_before(game: &Game, evaluator: &dyn Evaluator) -> Vec<f64> {
    let positions: Vec<Position> = game.plies().iter().map(|ply| ply.before).collect();
    let mut values = vec![0.0; positions.len()];
    evaluator.evaluate(&positions, &mut values);
    values
}

/// Returns light's chance after the last ply.
pub(super) fn result(game: &Game, evaluator: &dyn Evaluator) -> f64 {
    let (Some(position), Some(turn)) = (game.position(), game.turn()) else {
        return match game.winner() {
            Some(winner) => f64::from(winner == Player::Light),
            None => 0.5,
        };
    };
    let given = game.pending().filter(|_| game.thrown().is_none());
    let value = if let Some(roll) = given {
        MoveAnswer::all(&game.rules().decision(position, roll), turn, evaluator)[0].value
    } else {
        evaluator.value(position)
    };
    if turn == Player::Light { value } else { 1.0 - value }
}
