//! Leagues: every agent against every other, and how well each plays against itself.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use puabi_core::{Agent, Decision, Forfeit, Move, Rules};
use puabi_engine::{DiceRng, Playout, SharedEvaluator, move_values};
use puabi_solve::{Alone, Exchange, Watch};
use serde::{Deserialize, Serialize};

use crate::games::match_score::{Interval, MatchScore};
use crate::games::rating::{Anchor, Rating, ratings};
use crate::games::sharing::in_turn;
use crate::games::simulate::{BATCH, Simulation, pairs_of};
use crate::matchup::{SharedAgent, Shares};

/// Agents that all play each other.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Greedy, Random};
/// use puabi_solve::Unattended;
/// use puabi_study::{Anchor, League};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let league = League { rules: &rules, agents: &[&Greedy, &Random], pairs: 50, seed: 1 };
/// let results = league.play(&Unattended).expect("it was not stopped");
/// assert_eq!(results.share(0, 1) + results.share(1, 0), 1.0);
/// assert!(results.ratings(Anchor::Mean(1500.0))[0].elo > 1500.0);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct League<'a> {
    /// The rules of the game.
    pub rules: &'a Rules,
    /// The agents that play.
    pub agents: &'a [SharedAgent<'a>],
    /// The number of pairs of games between every two agents.
    pub pairs: u64,
    /// The seed of the dice, the same for every two agents.
    pub seed: u64,
}

/// The results of a league: the score of every two players.
#[derive(Debug, Clone, PartialEq)]
pub struct Crosstable {
    /// By a player and its opponent: the games and the points of the player.
    results: Vec<Vec<(f64, f64)>>,
    /// By a player and its opponent: the share of points of the player when it begins.
    first: Vec<Vec<f64>>,
    /// By a player and its opponent: the share of games that nobody won.
    drawn: Vec<Vec<f64>>,
    /// By a player and its opponent: the interval of the share of points.
    intervals: Vec<Vec<Option<Interval>>>,
    /// By a player: the number of games that it gave up.
    forfeits: Vec<u64>,
}

impl League<'_> {
    /// Plays the league on all threads and returns its results, or `None` if `watch` stops it.
    ///
    /// Its progress is the number of games.
    ///
    /// # Panics
    ///
    /// Panics if an agent plays a move that is not legal.
    pub fn play(&self, watch: &dyn Watch) -> Option<Crosstable> {
        self.play_among(&Alone, watch)
    }

    /// Plays the league as [`League::play`] does; `ranks` share its games, and each rank gets the results of all games.
    ///
    /// # Panics
    ///
    /// Panics if an agent plays a move that is not legal.
    pub fn play_among(&self, ranks: &dyn Exchange, watch: &dyn Watch) -> Option<Crosstable> {
        let players = self.agents.len();
        let couples: Vec<_> =
            (0..players).flat_map(|i| (i + 1..players).map(move |j| (i, j))).collect();
        let batches = self.pairs.div_ceil(BATCH).max(1);
        let at = |batch: u64| couples[usize::try_from(batch / batches).expect("couples are few")];
        let play = |batch| {
            let (i, j) = at(batch);
            let agents = [self.agents[i], self.agents[j]];
            let simulation = Simulation { rules: self.rules, agents, seed: self.seed, watch };
            simulation.batch(pairs_of(batch % batches, self.pairs), None)
        };
        let total = 2 * self.pairs * couples.len() as u64;
        let (mut done, mut score) = (0, MatchScore::default());
        let mut table = Crosstable::new(players);
        let played = in_turn(ranks, batches * couples.len() as u64, play, |batch, of_batch| {
            done += of_batch.games();
            score = score + of_batch;
            if batch % batches == batches - 1 {
                table.set(at(batch), std::mem::take(&mut score));
            }
            watch.progress(done, total);
            if watch.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // A watch that breaks at the end has not stopped anything.
        (played.is_continue() || done == total).then_some(table)
    }
}

impl Crosstable {
    /// Returns a table without results.
    fn new(players: usize) -> Self {
        Self {
            results: vec![vec![(0.0, 0.0); players]; players],
            first: vec![vec![0.5; players]; players],
            drawn: vec![vec![0.0; players]; players],
            intervals: vec![vec![None; players]; players],
            forfeits: vec![0; players],
        }
    }

    /// Sets the score of two players, the first of whom is A.
    fn set(&mut self, (i, j): (usize, usize), score: MatchScore) {
        self.forfeits[i] += score.forfeits()[0];
        self.forfeits[j] += score.forfeits()[1];
        (self.first[i][j], self.first[j][i]) = (score.first(), 1.0 - score.second());
        let drawn = score.unfinished() as f64 / score.games() as f64;
        (self.drawn[i][j], self.drawn[j][i]) = (drawn, drawn);
        let Interval { low, high } = score.interval();
        self.intervals[i][j] = Some(Interval { low, high });
        self.intervals[j][i] = Some(Interval { low: 1.0 - high, high: 1.0 - low });
        let (games, points) = (score.games() as f64, score.points());
        (self.results[i][j], self.results[j][i]) = ((games, points), (games, games - points));
    }

    /// Returns the share of points (0..=1) that one player won against another; NaN for a player and itself.
    pub fn share(&self, player: usize, opponent: usize) -> f64 {
        let (games, points) = self.results[player][opponent];
        points / games
    }

    /// Returns the shares of skill, seat and luck in the results of two players.
    pub fn shares(&self, player: usize, opponent: usize) -> Shares {
        let second = 1.0 - self.first[opponent][player];
        Shares::new(self.first[player][opponent], second, self.drawn[player][opponent])
    }

    /// Returns after how many games the better of two players is ahead in 95 of 100 matches, as far as these games show it;
    /// `None` if they do not show which of the two is better.
    pub fn games_to_lead(&self, player: usize, opponent: usize) -> Option<u64> {
        let Interval { low, high } = self.intervals[player][opponent]?;
        let is_clear = low > 0.5 || high < 0.5;
        self.shares(player, opponent).games_to_lead().filter(|_| is_clear)
    }

    /// Returns the share of points (0..=1) that a player won.
    pub fn mean(&self, player: usize) -> f64 {
        let opponents = (0..self.results.len()).filter(|&other| other != player);
        let shares: f64 = opponents.map(|other| self.share(player, other)).sum();
        shares / (self.results.len() - 1) as f64
    }

    /// Returns the number of games that a player gave up.
    pub fn forfeits(&self, player: usize) -> u64 {
        self.forfeits[player]
    }

    /// Returns the rating of each player, in the order of the players.
    pub fn ratings(&self, anchor: Anchor) -> Vec<Rating> {
        ratings(self.results.len(), |i, j| self.results[i][j], anchor)
    }
}

/// How well an agent plays against itself, and how fast.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SelfPlayReport {
    /// The mean of what its moves lost against the best ones, as a chance (0..=1); passes do not count. `None` without values, or
    /// if no game has a move.
    pub regret: Option<f64>,
    /// The mean time of a decision; passes do not count.
    pub time: Duration,
}

impl SelfPlayReport {
    /// Returns how well and how fast `agent` plays `moves` moves against itself (no moves if games of these rules have none).
    /// `values` are those of the solved game. Returns `None` if the watch ends it.
    ///
    /// # Errors
    ///
    /// Returns an error if the agent gives up.
    ///
    /// # Panics
    ///
    /// Panics if the agent plays a move that is not legal.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_engine::{Greedy, Pips};
    /// use puabi_solve::Unattended;
    /// use puabi_study::SelfPlayReport;
    ///
    /// let rules = RuleSet::FINKEL.compile()?;
    /// let values = Pips::new(&rules);
    /// let report = SelfPlayReport::of(&Greedy, &rules, Some(&values), (1_000, 1), &Unattended)?;
    /// assert!(report.expect("nothing ends it").regret > Some(0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        agent: &dyn Agent,
        rules: &Rules,
        values: Option<SharedEvaluator<'_>>,
        (moves, seed): (u32, u64),
        watch: &dyn Watch,
    ) -> Result<Option<Self>, Forfeit> {
        let Some((played, time)) = self_play(agent, rules, (moves, seed), watch)? else {
            return Ok(None);
        };
        let count = u32::try_from(played.len()).unwrap_or(moves);
        let regret = |values: SharedEvaluator<'_>| {
            let regrets = played.iter().map(|(decision, action)| regret(decision, *action, values));
            regrets.sum::<f64>() / f64::from(count)
        };
        let regret = values.filter(|_| count > 0).map(regret);
        Ok(Some(Self { regret, time: time / count.max(1) }))
    }
}

/// Returns what a move loses against the best one, as a chance (0..=1).
fn regret(decision: &Decision<'_>, action: Move, values: SharedEvaluator<'_>) -> f64 {
    let judged = move_values(decision, values);
    let best = judged.iter().map(|judged| judged.value).fold(0.0, f64::max);
    let played = judged.iter().find(|judged| judged.action == action);
    best - played.map_or(best, |judged| judged.value)
}

/// Decisions, each with the move that was played in it.
type PlayedMoves<'r> = Vec<(Decision<'r>, Move)>;

/// Plays games of an agent against itself. Returns their first decisions, each with the move played, and the time that the agent
/// took for all of them; passes are left out. Returns no decisions if games have none, and `None` if the watch ends it.
fn self_play<'r>(
    agent: &dyn Agent,
    rules: &'r Rules,
    (moves, seed): (u32, u64),
    watch: &dyn Watch,
) -> Result<Option<(PlayedMoves<'r>, Duration)>, Forfeit> {
    let mut playout = Playout::new(rules, DiceRng::new(seed));
    let (mut played, mut before, mut time) = (Vec::new(), 0, Duration::ZERO);
    while played.len() < moves as usize {
        if watch.stop() {
            return Ok(None);
        }
        let (decision, number) = (playout.roll(), playout.number());
        let began = Instant::now();
        let action = agent.play(&decision, number)?;
        let thought = began.elapsed();
        let after = decision.play(action).expect("an agent plays a legal move");
        let ending = playout.follow(after);
        if action != Move::Pass {
            played.push((decision, action));
            time += thought;
        }
        if ending.is_some() {
            // If one game ends without a move, so do the others.
            if played.len() == before {
                break;
            }
            (playout, before) = (playout.again(), played.len());
        }
    }
    Ok(Some((played, time)))
}
