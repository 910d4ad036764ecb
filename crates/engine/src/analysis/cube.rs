//! What a position is worth with a cube: whether to double, whether to take, and what each choice costs.

use puabi_core::{
    Cube, CubeEvaluator, Decision, Move, Player, Position, Roll, Rules, Setup, Stakes,
};
use serde::Serialize;

use crate::analysis::answer::{MoveAnswer, RollAnswer};
use crate::analysis::move_values::MoveValue;
use crate::serial::as_text;

/// What a position and its moves are worth with a cube. Text forms and JSON are made from it.
///
/// Every number is a worth to the player to move: the points won on average in a game for money, or the chance (0..=1) to
/// win the match.
///
/// ```
/// use puabi_core::{Cube, Player, RuleSet, Stakes};
/// use puabi_engine::{CubeAction, CubeAnswer};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let solver = Solver::new(&rules, Options::default())?;
/// let (cubeless, _) = solver.solve(&Unattended, &Unattended)?;
/// let money = solver.solve_money(cubeless, 2, &Unattended)?;
/// let stakes = Stakes::money(Cube::new(4));
/// let ahead = rules.position(&"9:-:L".parse()?)?;
/// let answer = CubeAnswer::new(&rules, stakes, (ahead, Player::Light), None, &money);
/// // Dark is so far behind that it passes.
/// assert_eq!(answer.action, CubeAction::DoublePass);
/// assert!(answer.worth > answer.rolling);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CubeAnswer {
    /// The name of the rule set.
    pub rules: String,
    /// The position, with the roll if one was given.
    #[serde(serialize_with = "as_text")]
    pub position: Setup,
    /// The cube and the score.
    #[serde(serialize_with = "as_text")]
    pub stakes: Stakes,
    /// What perfect play is worth before the roll and before a double.
    pub worth: f64,
    /// What it is worth to roll without a double.
    pub rolling: f64,
    /// What a double is worth, if the player may double and can gain by it.
    pub double: Option<DoubleAnswer>,
    /// What perfect players do.
    #[serde(serialize_with = "as_text")]
    pub action: CubeAction,
    /// The given roll, or all rolls, ascending, without a double before.
    pub rolls: Vec<RollAnswer>,
}

/// What a double is worth to the player who doubles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DoubleAnswer {
    /// If the opponent takes.
    pub take: f64,
    /// If the opponent passes.
    pub pass: f64,
}

impl DoubleAnswer {
    /// Returns what a double is worth to `mover`, who is about to roll; `None` if the stakes do not allow it.
    pub fn new(
        rules: &Rules,
        stakes: Stakes,
        (position, mover): (Position, Player),
        evaluator: &dyn CubeEvaluator,
    ) -> Option<Self> {
        let doubled = stakes.double(mover).ok()?;
        Some(Self {
            take: evaluator.worth_rolling(rules, doubled.cube, mover, position),
            pass: evaluator.ends(stakes.cube, mover)[1],
        })
    }

    /// Returns what the double is worth if the opponent gives the better answer.
    pub fn worth(self) -> f64 {
        self.take.min(self.pass)
    }
}

/// What perfect players do with the cube before a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CubeAction {
    /// The player rolls.
    NoDouble,
    /// The player doubles, and the opponent takes.
    DoubleTake,
    /// The player doubles, and the opponent passes.
    DoublePass,
    /// The player may not double, or gains nothing by it.
    NoChoice,
}

impl CubeAction {
    /// Returns whether the player doubles.
    pub const fn doubles(self) -> bool {
        matches!(self, Self::DoubleTake | Self::DoublePass)
    }
}

impl std::fmt::Display for CubeAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::NoDouble => "no double",
            Self::DoubleTake => "double, take",
            Self::DoublePass => "double, pass",
            Self::NoChoice => "no choice",
        })
    }
}

/// Differences of worths up to this may come from rounding.
const ROUNDING: f64 = 1e-12;

/// The choice between rolling and doubling before a roll, with what each is worth: a [`CubeAnswer`] without its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CubeChoice {
    /// What it is worth to roll without a double.
    pub rolling: f64,
    /// What a double is worth, if the player may double and can gain by it.
    pub double: Option<DoubleAnswer>,
}

impl CubeChoice {
    /// Returns the choice of `mover`, who is about to roll.
    pub fn new(
        rules: &Rules,
        stakes: Stakes,
        asked @ (position, mover): (Position, Player),
        evaluator: &dyn CubeEvaluator,
    ) -> Self {
        let rolling = evaluator.worth_rolling(rules, stakes.cube, mover, position);
        let double = || DoubleAnswer::new(rules, stakes, asked, evaluator);
        Self { rolling, double: stakes.may_double(mover).then(double).flatten() }
    }

    /// Returns what perfect play is worth.
    pub fn worth(self) -> f64 {
        self.double.map_or(self.rolling, |double| self.rolling.max(double.worth()))
    }

    /// Returns what perfect players do.
    pub fn action(self) -> CubeAction {
        match self.double {
            None => CubeAction::NoChoice,
            // If both are worth the same, the player keeps the cube.
            Some(double) if double.worth() <= self.rolling + ROUNDING => CubeAction::NoDouble,
            Some(DoubleAnswer { take, pass }) if take <= pass => CubeAction::DoubleTake,
            Some(_) => CubeAction::DoublePass,
        }
    }
}

impl CubeAnswer {
    /// Returns what `position` is worth at these stakes, with `turn` to roll or to move. It has the moves of `roll` if the roll
    /// is known, and those of every roll otherwise.
    pub fn new(
        rules: &Rules,
        stakes: Stakes,
        (position, turn): (Position, Player),
        roll: Option<Roll>,
        evaluator: &dyn CubeEvaluator,
    ) -> Self {
        let choice = CubeChoice::new(rules, stakes, (position, turn), evaluator);
        let asked =
            rules.rolls().iter().filter(|(known, _)| roll.is_none_or(|roll| roll == *known));
        let rolls = asked.map(|&(roll, chance)| {
            let decision = rules.decision(position, roll);
            let worth = |(action, after)| MoveValue {
                action,
                after,
                value: evaluator.worth_after(stakes.cube, turn, after),
            };
            let worths = decision.afterstates().map(worth).collect();
            RollAnswer { roll, chance, moves: MoveAnswer::ranked(&decision, turn, worths) }
        });
        Self {
            rules: rules.rule_set().to_string(),
            position: Setup { roll, ..rules.setup(position, turn) },
            stakes,
            worth: choice.worth(),
            rolling: choice.rolling,
            double: choice.double,
            action: choice.action(),
            rolls: rolls.collect(),
        }
    }
}

/// Returns the best move of a decision of `player` with this cube, the first of several equal ones.
///
/// # Panics
///
/// Never: a decision has at least one move.
pub fn best_with_cube(
    decision: &Decision<'_>,
    cube: Cube,
    player: Player,
    evaluator: &dyn CubeEvaluator,
) -> Move {
    let worths = decision
        .afterstates()
        .map(|(action, after)| (action, evaluator.worth_after(cube, player, after)));
    let best = worths.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.expect("a decision has at least one move").0
}
