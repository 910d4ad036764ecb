//! Match-ups: the exact result of a game between two agents.

use puabi_core::{Agent, Decision, Move, Player};
use puabi_engine::{SharedEvaluator, best, move_values};
use puabi_solve::{
    ContestReport, Evaluation, GameLength, Measure, Outcome, Seat, SolveError, Solver, Watch,
    WinChance,
};
use serde::Serialize;

use crate::move_measure::MoveMeasure;

/// An agent that can be asked from several threads.
pub type SharedAgent<'a> = &'a (dyn Agent + Sync + 'a);

/// How often agent A wins against agent B, exactly: over all games that the dice can make.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Greedy, Random};
/// use puabi_study::Matchup;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let solver = Solver::new(&rules, Options::default())?;
/// let matchup = Matchup::new(&solver, [&Greedy, &Random], &Unattended)?;
/// assert!(matchup.a_first > matchup.a_second && matchup.a_second > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Matchup {
    /// Chance (0..=1) that A wins when A makes the first roll.
    pub a_first: f64,
    /// Chance that A wins when B makes the first roll.
    pub a_second: f64,
    /// Mean of the two.
    pub a_mean: f64,
    /// The value of the first roll: the win chance of the agent that makes it, less 1/2, each agent making it equally often.
    pub first_edge: f64,
    /// The parts of skill, seat and luck in the results.
    pub shares: Shares,
    /// Expected rolls of a game, passes among them, each agent making the first equally often.
    pub rolls: f64,
    /// Largest difference between a value and its backup.
    pub residual: f64,
}

/// The shares of skill, seat and luck in the mean square of the results of a match-up. With the games that nobody wins they add up
/// to one.
///
/// A result is 1 or -1 to A, or 0 if nobody wins, so its mean square is one less the share of such games. By the law of total
/// variance that is the square of what A wins on average (*skill*: who plays), the variance of what each seat wins (*seat*: who
/// begins) and the variance of the results from one seat (*luck*: everything else, the dice and what agents leave to chance).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Shares {
    /// The share that depends on which agent plays.
    pub skill: f64,
    /// The share that depends on which agent begins.
    pub seat: f64,
    /// The share of the dice, and of the agents' own random choices.
    pub luck: f64,
    /// The share of games that nobody wins.
    pub drawn: f64,
}

impl Shares {
    /// Returns the shares, given the points that A wins in a game when A begins and when B begins, and the share of games that
    /// nobody wins, which are half a point to each.
    pub(crate) fn new(a_first: f64, a_second: f64, drawn: f64) -> Self {
        let skill = (a_first + a_second - 1.0).powi(2);
        let seat = (a_first - a_second).powi(2);
        Self { skill, seat, luck: 1.0 - skill - seat - drawn, drawn }
    }

    /// Returns after how many games, each agent beginning every other game, the agent that wins more often is ahead in 95 of 100
    /// matches; `None` if both win equally often to ten digits.
    ///
    /// After N games the sum of the results has the mean N m, where m² is the skill, and the variance N luck. The number solves
    /// N m - c = z sqrt(N luck) with z = 1.645, as if sums were normally distributed, and is right to a few games if it is above
    /// ten. Here c is halfway from a level match to the next sum above it. That is 1, since the sum of an even number of results of
    /// 1 and -1 is even; but 1/2 if games are drawn so often that odd sums have the same chance.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number above nought, and one above 2^64 is that"
    )]
    pub fn games_to_lead(&self) -> Option<u64> {
        /// Standard deviations above the mean, below which 95 % of a normal distribution lies.
        const DEVIATIONS: f64 = 1.644_853_626_951_472;
        let Self { skill, luck, drawn, .. } = *self;
        let (mean, spread) = (skill.sqrt(), DEVIATIONS * luck.max(0.0).sqrt());
        let games = |c: f64| {
            let root = (spread + (spread.powi(2) + 4.0 * mean * c).sqrt()) / (2.0 * mean);
            root.powi(2)
        };
        // The chance of an even sum less that of an odd one.
        let evenness = (1.0 - 2.0 * drawn).abs().powf(games(0.5));
        let pairs = games(f64::midpoint(1.0, evenness)) / 2.0;
        (skill > 1e-20).then(|| (pairs.ceil().max(1.0) as u64).saturating_mul(2))
    }
}

impl Matchup {
    /// The number of measures taken at once, from which [`Solver::meeting_memory`] computes the memory that [`Matchup::new`]
    /// takes.
    pub const MEASURES: usize = 2;

    /// Returns the match-up of two agents, A first.
    ///
    /// Each agent is asked once for every position and roll that leaves a choice.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch stops it, or if the agents hardly ever end a game.
    pub fn new(
        solver: &Solver,
        agents: [SharedAgent<'_>; 2],
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        let measures: [&dyn Measure; Self::MEASURES] = [&WinChance, &GameLength];
        let ([wins, rolls], report) = solver.meet(agents, measures, watch)?;
        let drawn = drawn(solver, agents, report, watch)?;
        Ok(Self::from_outcomes([wins, rolls], drawn, report))
    }

    /// Returns after how many games the stronger agent is ahead in 95 of 100 matches, see [`Shares::games_to_lead`].
    pub fn games_to_lead(&self) -> Option<u64> {
        self.shares.games_to_lead()
    }

    fn from_outcomes([wins, rolls]: [Outcome; 2], drawn: f64, report: ContestReport) -> Self {
        let (a_first, a_second) = (wins.light_first, wins.dark_first);
        Self {
            a_first,
            a_second,
            a_mean: f64::midpoint(a_first, a_second),
            first_edge: (a_first - a_second) / 2.0,
            shares: Shares::new(a_first, a_second, drawn),
            rolls: rolls.mean(),
            residual: report.residual,
        }
    }
}

/// How much an agent gives away against perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Regret {
    /// Chance of winning given away in a game of this match-up, each agent beginning equally often.
    pub a_game: f64,
    /// Moves that the agent makes in a game, passes left out.
    pub moves: f64,
    /// Chance of winning given away in a move; 0 if there are no moves.
    pub a_move: f64,
    /// The chance given away in a move over all decisions that exist, each position counted once and each roll by its chance.
    pub everywhere: f64,
}

/// A match-up with what each agent gives away.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Argmax, Random};
/// use puabi_study::Audit;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let solver = Solver::new(&rules, Options::default())?;
/// let (values, _) = solver.solve(&Unattended, &Unattended)?;
/// let agents = [&Argmax(&values) as _, &Random as _];
/// let audit = Audit::new(&solver, agents, &values, &Unattended)?;
/// assert_eq!(audit.regrets[0].a_game, 0.0);
/// // What B gives away is what A wins beyond perfect play's half.
/// assert!((audit.regrets[1].a_game - (audit.matchup.a_mean - 0.5)).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Audit {
    /// The match-up.
    #[serde(flatten)]
    pub matchup: Matchup,
    /// What A and B give away.
    pub regrets: [Regret; 2],
}

impl Audit {
    /// The number of measures taken at once, see [`Matchup::MEASURES`].
    pub const MEASURES: usize = 6;

    /// Returns the match-up of two agents, A first, and what each gives away by `values`, those of the solved game.
    ///
    /// # Errors
    ///
    /// Returns an error if [`Matchup::new`] would.
    pub fn new(
        solver: &Solver,
        agents: [SharedAgent<'_>; 2],
        values: SharedEvaluator<'_>,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        let given = Player::BOTH.map(|by| given_away(by, values));
        let moves = Player::BOTH.map(moves_made);
        let measures: [&dyn Measure; Self::MEASURES] =
            [&WinChance, &GameLength, &given[0], &given[1], &moves[0], &moves[1]];
        let ([wins, rolls, given @ .., a_moves, b_moves], report) =
            solver.meet(agents, measures, watch)?;
        let a_move = |given: f64, moves: f64| if moves > 0.0 { given / moves } else { 0.0 };
        let regret = |given: Outcome, moves: Outcome| Regret {
            a_game: given.mean(),
            moves: moves.mean(),
            a_move: a_move(given.mean(), moves.mean()),
            everywhere: a_move(given.gathered, moves.gathered),
        };
        let drawn = drawn(solver, agents, report, watch)?;
        let matchup = Matchup::from_outcomes([wins, rolls], drawn, report);
        Ok(Self { matchup, regrets: [regret(given[0], a_moves), regret(given[1], b_moves)] })
    }
}

/// Returns the share of games that nobody wins, given the report of the match-up. It takes another contest, but only if there are
/// dead positions: few rule sets have any.
fn drawn(
    solver: &Solver,
    agents: [SharedAgent<'_>; 2],
    report: ContestReport,
    watch: &dyn Watch,
) -> Result<f64, SolveError> {
    if report.dead_positions == 0 {
        return Ok(0.0);
    }
    // As many measures as a match-up has: for each number of measures the code is compiled anew.
    let measures: [&dyn Measure; Matchup::MEASURES] = [&Draws, &GameLength];
    let ([draws, _], _) = solver.meet(agents, measures, watch)?;
    Ok(draws.mean())
}

/// A measure of the chance that a game ends without a winner.
pub(crate) struct Draws;

impl Measure for Draws {
    fn end(&self, winner: Option<Player>) -> f64 {
        f64::from(winner.is_none())
    }
}

/// Returns the measure of the chance of winning that a player gives away by moves that are not the best.
fn given_away(by: Player, values: SharedEvaluator<'_>) -> impl Measure {
    MoveMeasure(move |mover, decision: &Decision<'_>, gained: &mut [f64]| {
        if mover != by || gained.len() == 1 {
            return;
        }
        let judged = move_values(decision, values);
        let best = best(&judged).value;
        for (gained, judged) in gained.iter_mut().zip(&judged) {
            *gained = best - judged.value;
        }
    })
}

/// Returns a measure that counts the moves that a player makes, passes left out.
fn moves_made(by: Player) -> impl Measure {
    MoveMeasure(move |mover, decision: &Decision<'_>, gained: &mut [f64]| {
        if mover == by && !decision.allows(Move::Pass) {
            gained.fill(1.0);
        }
    })
}

/// The best response to an agent: how much it wins.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Greedy;
/// use puabi_study::Exploit;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let solver = Solver::new(&rules, Options::default())?;
/// let (exploit, _) = Exploit::new(&solver, &Greedy, &Unattended)?;
/// assert!(exploit.exploitability > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Exploit {
    /// Chance (0..=1) that the best response wins when it makes the first roll.
    pub best_first: f64,
    /// Chance that it wins when the agent makes the first roll.
    pub best_second: f64,
    /// Mean of the two.
    pub best_mean: f64,
    /// What an opponent can gain at most: the mean over seats of what perfect play would keep, less what the agent
    /// keeps. Perfect players win as much as they lose, so that is `best_mean` less 1/2.
    pub exploitability: f64,
    /// Largest difference between a value and its backup.
    pub residual: f64,
}

impl Exploit {
    /// Returns how much the best response to `agent` wins, and its chance in every position: with the response about to roll, and
    /// with the agent about to roll.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch stops it, or if the agent hardly ever ends a game.
    pub fn new(
        solver: &Solver,
        agent: SharedAgent<'_>,
        watch: &dyn Watch,
    ) -> Result<(Self, Evaluation), SolveError> {
        let seats = [Seat::Best, Seat::Plays(agent)];
        let evaluation = solver.evaluate(seats, &WinChance, watch)?;
        let best = evaluation.outcome;
        let exploit = Self {
            best_first: best.light_first,
            best_second: best.dark_first,
            best_mean: best.mean(),
            // Rounding may make it negative.
            exploitability: (best.mean() - 0.5).max(0.0),
            residual: evaluation.report.residual,
        };
        Ok((exploit, evaluation))
    }
}
