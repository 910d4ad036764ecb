//! The review of a game with a cube: what doubling, taking and moving each gave away.

use puabi_core::{CubeEvaluator, Game, Player, Record, Stakes};
use serde::Serialize;

use crate::analysis::cube::{CubeChoice, DoubleAnswer};
use crate::serial::{Pair, as_text};

/// What the errors of a game with a cube cost, in points of money or chances to win the match.
///
/// ```
/// use puabi_core::{Cube, Record};
/// use puabi_engine::CubeReview;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let text = "format: urg 1\nrules: finkel:1\nstakes: cube 1 to 4\nstart: 14:-:L\n\nL doubles\nD takes\nL 2 pass\nD 1\n";
/// let record: Record = text.parse()?;
/// let solver = Solver::new(record.game.rules(), Options::default())?;
/// let (cubeless, _) = solver.solve(&Unattended, &Unattended)?;
/// let money = solver.solve_money(cubeless, 2, &Unattended)?;
/// let review = CubeReview::new(&record, &money).expect("a game with a cube");
/// // Dark should have passed.
/// assert!(review.totals.dark.taking > 0.0);
/// assert_eq!(review.totals.light.moving, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CubeReview {
    /// What the game was played for at its start.
    #[serde(serialize_with = "as_text")]
    pub stakes: Stakes,
    /// The errors of each player.
    pub totals: Pair<CubeErrors>,
    /// The errors with the cube, in the order of the game.
    pub errors: Vec<CubeError>,
}

/// What the errors of a player cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct CubeErrors {
    /// The cost of wrong doubles and of missed ones.
    pub doubling: f64,
    /// The cost of takes that should have been passes, and of passes that should have been takes.
    pub taking: f64,
    /// The cost of moves, with the cube where it was.
    pub moving: f64,
}

/// An error with the cube.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CubeError {
    /// The number of plies before it.
    pub plies: usize,
    /// The player who made it.
    #[serde(serialize_with = "as_text")]
    pub player: Player,
    /// What was wrong.
    pub kind: CubeErrorKind,
    /// What it cost.
    pub cost: f64,
}

/// The kind of error of a choice with the cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CubeErrorKind {
    /// A roll that a double should have preceded.
    MissedDouble,
    /// A double that gave something away.
    WrongDouble,
    /// A take of a double that should have been passed.
    WrongTake,
    /// A pass of a double that should have been taken.
    WrongPass,
}

impl CubeErrorKind {
    /// Returns the kind in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::MissedDouble => "missed double",
            Self::WrongDouble => "wrong double",
            Self::WrongTake => "wrong take",
            Self::WrongPass => "wrong pass",
        }
    }
}

/// Costs below this are rounding.
const ROUNDING: f64 = 1e-9;

impl CubeReview {
    /// Returns the review of a game by `evaluator`, which has the values for the cube or the score of the game; `None` if the
    /// game has no cube. It takes some microseconds for each ply.
    ///
    /// # Panics
    ///
    /// Panics if the game was not played by its rules.
    pub fn new(record: &Record, evaluator: &dyn CubeEvaluator) -> Option<Self> {
        let stakes = record.stakes_at_start()?;
        let totals = Pair { light: CubeErrors::default(), dark: CubeErrors::default() };
        let mut review = Self { stakes, totals, errors: Vec::new() };
        let mut game =
            Game::from_setup((**record.game.rules()).clone(), record.game.start().clone())
                .expect("the start of a game is sound");
        for (at, ply) in record.game.plies().iter().enumerate() {
            // If the start names a roll, there is no time for a double before it.
            if game.pending().is_none() {
                review.cube(record, &game, at, evaluator);
                game.roll(ply.roll).expect("the roll of a game is sound");
            }
            let cube = record.stakes_before(at + 1)?.cube;
            let decision = game.decision()?;
            let worths = decision
                .afterstates()
                .map(|(action, after)| (action, evaluator.worth_after(cube, ply.player, after)));
            let worths: Vec<_> = worths.collect();
            let best = worths.iter().map(|(_, worth)| *worth).fold(f64::NEG_INFINITY, f64::max);
            let played = worths.iter().find(|(action, _)| *action == ply.action)?.1;
            review.totals[ply.player].moving += best - played;
            game.play(ply.action).expect("the move of a game is sound");
        }
        // A double before the last roll, which waits for its move or was never thrown.
        let is_doubled = || record.doubles().any(|(at, _)| at == game.plies().len());
        if game.pending().is_none() && (record.game.thrown().is_some() || is_doubled()) {
            review.cube(record, &game, game.plies().len(), evaluator);
        }
        Some(review)
    }

    /// Judges what was done with the cube before the ply at `at`.
    fn cube(&mut self, record: &Record, game: &Game, at: usize, evaluator: &dyn CubeEvaluator) {
        let Some((player, position)) = game.turn().zip(game.position()) else { return };
        let Some(stakes) = record.stakes_before(at) else { return };
        let (rules, asked) = (game.rules(), (position, player));
        let choice = CubeChoice::new(rules, stakes, asked, evaluator);
        let worth = choice.worth();
        let Some((_, answer)) = record.doubles().find(|(before, _)| *before == at) else {
            return self.add(at, player, CubeErrorKind::MissedDouble, worth - choice.rolling);
        };
        // `choice` lacks a double that cannot gain, but a player can make one.
        let Some(double) = DoubleAnswer::new(rules, stakes, asked, evaluator) else { return };
        self.add(at, player, CubeErrorKind::WrongDouble, worth - double.worth());
        let (opponent, least) = (player.opponent(), double.worth());
        match answer.is_taken {
            Some(true) => self.add(at, opponent, CubeErrorKind::WrongTake, double.take - least),
            Some(false) => self.add(at, opponent, CubeErrorKind::WrongPass, double.pass - least),
            None => {}
        }
    }

    fn add(&mut self, plies: usize, player: Player, kind: CubeErrorKind, cost: f64) {
        if cost <= ROUNDING {
            return;
        }
        let totals = &mut self.totals[player];
        match kind {
            CubeErrorKind::MissedDouble | CubeErrorKind::WrongDouble => totals.doubling += cost,
            CubeErrorKind::WrongTake | CubeErrorKind::WrongPass => totals.taking += cost,
        }
        self.errors.push(CubeError { plies, player, kind, cost });
    }
}
