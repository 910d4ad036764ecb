//! Samples: decisions with the exact value of every move, to learn from and to measure regret on.

use puabi_core::{
    Agent, Decision, Evaluator, Indexer, Move, Position, Roll, Rules, TooManyPositions,
};
use puabi_engine::{DiceRng, Playout, move_values};
use rand::RngExt;
use rand_pcg::Pcg64;
use rayon::prelude::*;

/// A decision with the exact value of every move.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_study::Samples;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let samples = Samples::all(&rules, &values)?;
/// assert!(samples.choices().iter().all(|sample| sample.values().len() > 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    position: Position,
    roll: Roll,
    weight: f64,
    values: Box<[f64]>,
}

impl Sample {
    /// Returns the decision.
    pub fn decision<'r>(&self, rules: &'r Rules) -> Decision<'r> {
        rules.decision(self.position, self.roll)
    }

    /// Returns the exact chance (0..=1) that each move gives the player who makes it, in the order of
    /// [`Decision::moves`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the weight of the decision in means.
    pub const fn weight(&self) -> f64 {
        self.weight
    }

    /// Returns the value of the best move: a chance (0..=1) of the player who makes it.
    pub fn best(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }
}

/// A set of decisions with exact values.
///
/// Decisions with one move count, with no regret, but need not be kept; forced passes do not count as decisions.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Greedy, Argmax, Random};
/// use puabi_study::Samples;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let samples = Samples::all(&rules, &values)?;
/// assert_eq!(samples.regret(&Argmax(values)), 0.0);
/// assert!(samples.regret(&Greedy) < samples.regret(&Random));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Samples {
    rules: Rules,
    choices: Vec<Sample>,
    /// The total weight of the decisions with one move.
    forced: f64,
}

impl Samples {
    /// Returns every decision of the game, each counting once.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules have more positions than an index can count.
    pub fn all(rules: &Rules, exact: &(impl Evaluator + Sync)) -> Result<Self, TooManyPositions> {
        let indexer = Indexer::new(rules)?;
        let positions = (0..indexer.len()).into_par_iter().filter_map(|at| indexer.position(at));
        Ok(Self::collect(rules, exact, positions, |_| 1.0))
    }

    /// Returns the decisions of `positions` random positions, each as likely to be drawn as any other; every decision counts
    /// once.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules have more positions than an index can count.
    pub fn spread(
        rules: &Rules,
        exact: &(impl Evaluator + Sync),
        positions: u64,
        seed: u64,
    ) -> Result<Self, TooManyPositions> {
        let indexer = Indexer::new(rules)?;
        let drawn = |at| {
            let index = generator(seed, at).random_range(0..indexer.len());
            indexer.position(index)
        };
        let positions = (0..positions).into_par_iter().filter_map(drawn);
        Ok(Self::collect(rules, exact, positions, |_| 1.0))
    }

    /// Returns the decisions of `games` games of `player` against itself, every roll weighted by its chance.
    ///
    /// With chance `stray` (0..=1) a move is drawn from all legal ones instead, so that the set also holds positions
    /// that follow errors.
    pub fn played(
        rules: &Rules,
        exact: &(impl Evaluator + Sync),
        player: &(impl Agent + Sync),
        (games, stray): (u64, f64),
        seed: u64,
    ) -> Self {
        let positions = |game| met(rules, player, stray, generator(seed, game));
        let positions = (0..games).into_par_iter().flat_map_iter(positions);
        Self::collect(rules, exact, positions, |chance| chance)
    }

    fn collect(
        rules: &Rules,
        exact: &(impl Evaluator + Sync),
        positions: impl ParallelIterator<Item = Position>,
        weight: impl Fn(f64) -> f64 + Sync,
    ) -> Self {
        let judge = &|position: Position, roll: Roll, chance: f64| {
            let decision = rules.decision(position, roll);
            let moves = decision.moves();
            if moves[0] == Move::Pass {
                return None;
            }
            let values = match moves.len() {
                1 => Box::default(),
                _ => move_values(&decision, exact).iter().map(|judged| judged.value).collect(),
            };
            Some(Sample { position, roll, weight: weight(chance), values })
        };
        let rolls = |position| {
            rules.rolls().iter().filter_map(move |&(roll, chance)| judge(position, roll, chance))
        };
        let judged: Vec<_> = positions.flat_map_iter(rolls).collect();
        let is_forced = |sample: &&Sample| sample.values.is_empty();
        let forced = judged.iter().filter(is_forced).map(Sample::weight).sum();
        let choices = judged.into_iter().filter(|sample| !sample.values.is_empty()).collect();
        Self { rules: rules.clone(), choices, forced }
    }

    /// Returns a set with the decisions of both sets.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.choices.extend(other.choices);
        Self { forced: self.forced + other.forced, ..self }
    }

    /// Returns the rules of the game.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the decisions between two moves or more.
    pub fn choices(&self) -> &[Sample] {
        &self.choices
    }

    /// Returns the mean over decisions of the chance (0..=1) that `agent` gives away: best value less the value of its move.
    pub fn regret(&self, agent: &(impl Agent + Sync + ?Sized)) -> f64 {
        let lost = |sample: &Sample| {
            let policy = agent.policy(&sample.decision(&self.rules));
            let kept: f64 = policy.iter().zip(&sample.values).map(|(p, v)| p * v).sum();
            sample.weight * (sample.best() - kept)
        };
        // In chunks of fixed size, so that the sum does not depend on the threads.
        let chunks = self.choices.par_chunks(4096).map(|chunk| chunk.iter().map(lost).sum::<f64>());
        let total: f64 = chunks.collect::<Vec<_>>().iter().sum();
        let weight = self.choices.iter().map(Sample::weight).sum::<f64>() + self.forced;
        if weight > 0.0 { total / weight } else { 0.0 }
    }
}

/// Returns the positions of a game of `player` against itself.
fn met(rules: &Rules, player: &impl Agent, stray: f64, mut generator: Pcg64) -> Vec<Position> {
    let mut playout = Playout::new(rules, DiceRng::new(generator.random()));
    let mut positions = Vec::new();
    loop {
        positions.push(playout.position());
        let decision = playout.roll();
        let after = if generator.random_bool(stray) {
            let count = decision.moves().len();
            let mut options = decision.afterstates();
            options.nth(generator.random_range(0..count)).expect("one of the moves").1
        } else {
            decision.after(player.choose(&decision, playout.number()))
        };
        if playout.follow(after).is_some() {
            return positions;
        }
    }
}

/// Returns the generator number `stream` of `seed`; streams 1 and 2 of small seeds are the dice of games.
pub(super) fn generator(seed: u64, stream: u64) -> Pcg64 {
    Pcg64::new(u128::from(seed) << 64 | u128::from(stream), 3)
}
