//! Profiles: what kind of game a rule set makes.

use std::ops::ControlFlow;

use puabi_core::Rules;
use puabi_engine::{Argmax, Greedy, Random, SharedEvaluator};
use puabi_solve::{GameLength, Measure, Report, SolveError, Solver, Watch};
use serde::{Deserialize, Serialize};

use crate::games::match_score::MatchScore;
use crate::games::simulate::Simulation;
use crate::lab::figure::Figure;
use crate::lab::measures::{choices, lead_changes, options, stakes};
use crate::lab::played::{SampledPlay, Totals};
use crate::matchup::{Draws, Matchup, SharedAgent};

/// How a laboratory finds the numbers that the solution alone does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Over every game that the dice can make.
    Exact,
    /// From games that are played by the values of the solved game.
    Sampled {
        /// The number of games between every two players.
        games: u64,
        /// The seed of their dice.
        seed: u64,
    },
}

/// A solved game, from which a profile is computed.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_study::{Lab, Method};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let solver = Solver::new(&rules, Options::default())?;
/// let (values, report) = solver.solve(&Unattended, &Unattended)?;
/// let lab = Lab { rules: &rules, solver: &solver, values: &values, report };
/// let profile = lab.profile(Method::Exact, &Unattended)?;
/// assert_eq!(profile.first_edge, report.start_value - 0.5);
/// assert!(profile.forced.value > 0.3 && profile.forced.value < 0.7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Lab<'a> {
    /// The rules of the game.
    pub rules: &'a Rules,
    /// The solver of the game.
    pub solver: &'a Solver,
    /// The values of the solved game.
    pub values: SharedEvaluator<'a>,
    /// The report of the solve.
    pub report: Report,
}

/// What kind of game a rule set makes. The players are perfect unless a field says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Unfinished positions.
    pub positions: u64,
    /// Positions in which neither player can ever move.
    pub dead_positions: u64,
    /// The largest difference between a value of the solution and its backup.
    pub residual: f64,
    /// What the first roll is worth: the first player's chance to win, less 1/2.
    pub first_edge: f64,
    /// Expected rolls of a game, passes among them.
    pub rolls: Figure,
    /// Expected changes of the lead in a game: crossings of 1/2 by the win chance before each roll, and at the end.
    pub lead_changes: Figure,
    /// Share (0..=1) of the rolls that leave nothing to decide: a pass, or a single legal move.
    pub forced: Figure,
    /// Mean number of legal moves of the other rolls; `None` if there is never a choice.
    pub options: Option<Figure>,
    /// Mean chance of winning that a move drawn at random would lose at one of these other rolls; `None` if there is never a
    /// choice.
    pub stakes: Option<Figure>,
    /// Chance (0..=1) that a game ends without a winner, in a dead position.
    pub draws: Figure,
    /// Elo points by which the perfect player is above one that draws its moves at random; infinite if it won all games.
    pub random_elo: Figure,
    /// Share (0..=1) of the results between the greedy and the perfect player that is due to skill.
    pub greedy_skill: Figure,
}

/// The places of the measures of perfect play.
const ROLLS: usize = 0;
const LEAD_CHANGES: usize = 1;
const CHOICES: usize = 2;
const OPTIONS: usize = 3;
const STAKES: usize = 4;
const DRAWS: usize = 5;
/// The number of measures.
const MEASURES: usize = 6;

impl Lab<'_> {
    /// The number of measures taken at once, from which [`Solver::meeting_memory`] computes the memory that [`Method::Exact`]
    /// needs.
    pub const MEASURES: usize = MEASURES;

    /// Returns the profile of the game.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch stops it, or if the players hardly ever end a game.
    pub fn profile(&self, method: Method, watch: &dyn Watch) -> Result<Profile, SolveError> {
        let play = self.perfect_play(method, watch)?;
        let random = self.perfect_wins(&Random, method, watch)?;
        let greedy = self.perfect_wins(&Greedy, method, watch)?;
        let Report { positions, dead_positions, residual, start_value, .. } = self.report;
        let free = play.ratio(CHOICES, ROLLS).unwrap_or(Figure::exact(0.0));
        Ok(Profile {
            positions,
            dead_positions,
            residual,
            first_edge: start_value - 0.5,
            rolls: play.mean(ROLLS),
            lead_changes: play.mean(LEAD_CHANGES),
            forced: free.map(|free| 1.0 - free),
            options: play.ratio(OPTIONS, CHOICES),
            stakes: play.ratio(STAKES, CHOICES),
            draws: if dead_positions == 0 { Figure::exact(0.0) } else { play.chance(DRAWS) },
            random_elo: random.map(elo),
            greedy_skill: greedy.map(skill),
        })
    }

    /// Returns the measures of a game between perfect players.
    fn perfect_play(
        &self,
        method: Method,
        watch: &dyn Watch,
    ) -> Result<Totals<MEASURES>, SolveError> {
        let perfect = Argmax(self.values);
        let (leads, stakes) = (lead_changes(self.values), stakes(self.values));
        // In the order of their places above.
        let measures: [&dyn Measure; MEASURES] =
            [&GameLength, &leads, &choices(), &options(), &stakes, &Draws];
        match method {
            Method::Exact => {
                let (outcomes, _) = self.solver.meet([&perfect, &perfect], measures, watch)?;
                Ok(Totals::exact(outcomes))
            }
            Method::Sampled { games, seed } => {
                let play = SampledPlay { rules: self.rules, agent: &perfect, measures, seed };
                play.play(games, watch)
            }
        }
    }

    /// Returns the chance that the perfect player wins against another, each beginning equally often.
    fn perfect_wins(
        &self,
        other: SharedAgent<'_>,
        method: Method,
        watch: &dyn Watch,
    ) -> Result<Figure, SolveError> {
        let perfect = Argmax(self.values);
        match method {
            Method::Exact => {
                let matchup = Matchup::new(self.solver, [&perfect, other], watch)?;
                Ok(Figure::exact(matchup.a_mean))
            }
            Method::Sampled { games, seed } => {
                let simulation =
                    Simulation { rules: self.rules, agents: [&perfect, other], seed, watch };
                let score = simulation.play(games.div_ceil(2), |score: &MatchScore| {
                    watch.progress(score.games(), games);
                    if watch.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                if score.games() < games {
                    return Err(SolveError::Stopped);
                }
                Ok(Figure { value: score.mean(), interval: Some(score.interval()) })
            }
        }
    }
}

/// Returns the Elo points by which a player that wins this share of the games is ahead.
fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// Returns the part of the mean square of results that is due to the players' skill, given the share of the better player.
fn skill(share: f64) -> f64 {
    (2.0 * share - 1.0).max(0.0).powi(2)
}
