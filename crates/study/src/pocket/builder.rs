//! The builder of pockets.

use std::ops::ControlFlow;
use std::sync::Arc;

use puabi_core::{Agent, Decision, Indexer, Move, Policy, Rules};
use puabi_engine::{
    Argmax, Equation, NEVER, Pocket, PocketError, PocketFacts, PocketParts, SharedEvaluator, best,
    move_values,
};
use puabi_solve::{Alone, SolveError, Solver, Watch};

use super::chance_cache::{ChanceCache, PocketModel};
use super::equations::ribbon;
use super::flow::{Flow, Played};
use super::plan::{ClassHistograms, Plan};
use super::survey::{Survey, Surveyor};
use crate::games::simulate::Simulation;
use crate::matchup::{Exploit, Matchup};

/// How good or how small a pocket is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PocketGoal {
    /// The chance (0..=1) to win that the pocket may give away in a game, as far as foreseen.
    pub loss: Option<f64>,
    /// The most bytes of the pocket, approximately.
    pub bytes: Option<u64>,
}

impl PocketGoal {
    /// Returns the least chance that is worth following for this goal: rarer positions would change the loss little, or would
    /// find no room in the pocket.
    #[expect(clippy::cast_possible_truncation, reason = "seven digits suffice")]
    pub fn followed(self) -> f32 {
        let by_loss = self.loss.map_or(0.0, |loss| loss * 1e-5);
        // Challenges that pay in 478,815 bytes of full finkel are met more than 1e-7 times a game.
        let by_bytes = self.bytes.map_or(0.0, |bytes| 0.05 / bytes as f64);
        by_loss.max(by_bytes).clamp(1e-12, 1e-6) as f32
    }
}

/// Makes pockets of a solved game.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Layers, Net, Shape};
/// use puabi_study::{PocketBuilder, PocketGoal, PocketModel};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let net = Net::new(&rules, &Layers::random(Shape::new(&rules, 16, 16), 1));
/// let model = PocketModel { net, backups: 1 };
/// let goal = PocketGoal { loss: Some(1e-3), bytes: None };
/// let builder = PocketBuilder::new(&rules, &values, model, goal.followed(), &Unattended)?;
/// let pocket = builder.build(goal, "a test")?;
/// let pocket = builder.measure(pocket, &Unattended)?;
/// assert!(pocket.facts().loss < 2e-3 && builder.net_loss() > 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PocketBuilder<'a> {
    rules: &'a Rules,
    exact: SharedEvaluator<'a>,
    cache: ChanceCache<'a>,
    least: f32,
    survey: Survey,
    histograms: ClassHistograms,
}

/// The reason why no pocket was made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PocketBuildError {
    /// The watch ended it, or the game has too many positions.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The parts that were made are not a valid pocket.
    #[error(transparent)]
    Pocket(#[from] PocketError),
    /// The pocket loses more than was asked for, whatever it stores.
    #[error(
        "the pocket loses {} a game, more than {asked}: ask for a larger loss, or use a better net",
        .best.facts().loss
    )]
    Missed {
        /// The pocket that loses least of those that were made.
        best: Box<Pocket>,
        /// The loss that was asked for.
        asked: f64,
    },
}

impl<'a> PocketBuilder<'a> {
    /// Looks at all decisions that perfect players meet; chances below `least` are not followed.
    ///
    /// `exact` are the values of the solved game. This takes 8 to 12 bytes of memory a position. The builder keeps 4 to 8 of
    /// them, and 16 bytes for each challenge that is worth something.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch ends it, or if the game has too many positions.
    pub fn new(
        rules: &'a Rules,
        exact: SharedEvaluator<'a>,
        model: PocketModel,
        least: f32,
        watch: &dyn Watch,
    ) -> Result<Self, PocketBuildError> {
        let indexer = Indexer::new(rules).map_err(PocketError::from)?;
        let perfect = |_: usize, decision: &Decision<'_>| {
            let judged = move_values(decision, exact);
            Played { after: best(&judged).after, cost: 0.0 }
        };
        let flow = Flow::new((rules, &indexer), 1, least, perfect, watch)?;
        let visits = &flow.visits[0];
        let cache = ChanceCache::new(rules, indexer, model);
        let surveyor = Surveyor { rules, exact, cache: &cache, least: least / 100.0 };
        let survey = surveyor.survey(visits, watch)?;
        let histograms = ClassHistograms::new(&survey);
        Ok(Self { rules, exact, cache, least, survey, histograms })
    }

    /// Returns the pocket that comes nearest to the goal; its loss is the foreseen one.
    ///
    /// # Errors
    ///
    /// Returns an error if the game has too many positions.
    pub fn build(&self, goal: PocketGoal, origin: &str) -> Result<Pocket, PocketBuildError> {
        let fixed = self.cache.model.net.to_bytes().len() as f64 + 2000.0;
        let bits = goal.bytes.map(|bytes| (bytes as f64 - fixed).max(0.0) * 8.0);
        Ok(self.fill(&self.histograms.plan(goal.loss, bits), origin)?)
    }

    /// Returns the pocket that comes nearest to the goal by its measured loss, which `measure` finds.
    ///
    /// The foreseen loss counts the visits of perfect players alone, but errors lead to other positions. So if a loss is asked
    /// for, and no size, a pocket that loses more is made again for a smaller loss, a few times.
    ///
    /// # Errors
    ///
    /// Returns the errors of `measure`, or an error if the game has too many positions or the loss is not reached.
    pub fn reach<E: From<PocketBuildError>>(
        &self,
        mut goal: PocketGoal,
        origin: &str,
        mut measure: impl FnMut(Pocket) -> Result<Pocket, E>,
    ) -> Result<Pocket, E> {
        let asked = goal.loss.filter(|_| goal.bytes.is_none());
        let (mut round, mut best) = (1, None::<Pocket>);
        loop {
            let pocket = measure(self.build(goal, origin)?)?;
            let loss = pocket.facts().loss;
            let Some(asked) = asked.filter(|asked| loss > *asked) else { return Ok(pocket) };
            goal.loss = goal.loss.map(|aim| 0.95 * aim * asked / loss);
            let better = match best {
                Some(best) if best.facts().loss <= loss => best,
                _ => pocket,
            };
            if round == ROUNDS {
                return Err(PocketBuildError::Missed { best: Box::new(better), asked }.into());
            }
            (round, best) = (round + 1, Some(better));
        }
    }

    /// Returns what the net alone gives away in a game in the decisions that were looked at.
    pub fn net_loss(&self) -> f64 {
        self.survey.net_loss
    }

    /// Returns the number of challenges that are worth something, for better or worse.
    pub fn challenges(&self) -> usize {
        self.survey.candidates.len()
    }

    /// Returns the pocket that stores what a plan says.
    fn fill(&self, plan: &Plan, origin: &str) -> Result<Pocket, PocketError> {
        let stored = self.survey.candidates.iter().filter(|candidate| plan.stores(candidate));
        let bits = |class: u16| plan.filter_bits[usize::from(class)];
        let filter = ribbon(
            stored
                .clone()
                .flat_map(|it| (0..bits(it.class)).map(|bit| (Equation::new(it.key, bit), true)))
                .collect(),
        );
        let passes = |key: u64, class: u16| {
            bits(class) != NEVER && (0..bits(class)).all(|bit| filter.get(Equation::new(key, bit)))
        };
        let protected =
            self.survey.candidates.iter().filter(|candidate| {
                plan.protects(candidate) && passes(candidate.key, candidate.class)
            });
        let verdict = |key, verdict| (Equation::new(key, NEVER), verdict);
        let mut verdicts: Vec<_> = stored.map(|it| verdict(it.key, true)).collect();
        let exceptions = verdicts.len();
        verdicts.extend(protected.map(|it| verdict(it.key, false)));
        let facts = PocketFacts {
            rules: self.rules.rule_set().to_toml(),
            loss: plan.loss.max(0.0),
            off_by: plan.loss.max(0.0),
            found: FORESEEN.to_owned(),
            exploitability: None,
            backups: self.cache.model.backups,
            exceptions: exceptions as u64,
            protected: (verdicts.len() - exceptions) as u64,
            origin: origin.to_owned(),
            filter_bits: plan.filter_bits.clone(),
        };
        let parts = PocketParts {
            facts,
            net: self.cache.model.net.clone(),
            filter,
            verdicts: ribbon(verdicts),
        };
        Pocket::new(Arc::new(self.rules.clone()), parts)
    }

    /// Returns the pocket with what it gives away in a game against perfect play, found by following every chance from the
    /// start.
    ///
    /// Chances below a limit are not followed; the games left out would lose about as much as games by the net. This takes 16
    /// more bytes of memory a position.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch ends it.
    ///
    /// # Panics
    ///
    /// Never: a pocket plays a legal move.
    pub fn measure(&self, pocket: Pocket, watch: &dyn Watch) -> Result<Pocket, PocketBuildError> {
        let perfect = Argmax(self.exact);
        let play = |player: usize, decision: &Decision<'_>| {
            if player == 1 {
                return Played { after: decision.after(perfect.choose(decision, 0.0)), cost: 0.0 };
            }
            let action = pocket.best_by(decision, |position| self.cache.chance(position));
            let judged = move_values(decision, self.exact);
            let chosen = judged.iter().find(|judged| judged.action == action);
            let chosen = chosen.expect("an agent plays a legal move");
            Played { after: chosen.after, cost: best(&judged).value - chosen.value }
        };
        let flow = Flow::new((self.rules, &self.cache.indexer), 2, self.least, play, watch)?;
        let (loss, off_by) = (flow.costs[0], (flow.dropped * self.survey.net_loss).min(1.0));
        let facts = PocketFacts { loss, off_by, found: FOUND.to_owned(), ..pocket.facts().clone() };
        Ok(pocket.with_facts(facts))
    }

    /// Returns the pocket with what it gives away, found by `pairs` pairs of games against perfect play, luck taken out.
    ///
    /// The loss may be off by half of the interval that holds it in 95 of 100 such matches, unless the games are few: errors are
    /// rare and large, so a few hundred games may show too little of both the loss and its spread.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch ends it before all games are played.
    pub fn measure_by_games(
        &self,
        pocket: Pocket,
        (pairs, seed): (u64, u64),
        watch: &dyn Watch,
    ) -> Result<Pocket, PocketBuildError> {
        let perfect = Argmax(self.exact);
        let simulation = Simulation { rules: self.rules, agents: [&pocket, &perfect], seed, watch };
        let (score, adjusted) = simulation.play_adjusted(&Alone, pairs, self.exact, |score| {
            watch.progress(score.games(), 2 * pairs);
            if watch.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if score.games() < 2 * pairs {
            return Err(SolveError::Stopped.into());
        }
        let facts = PocketFacts {
            loss: (0.5 - adjusted.a_mean).max(0.0),
            off_by: (adjusted.interval.high - adjusted.interval.low) / 2.0,
            found: format!(
                "{} games with perfect play, luck taken out, 95 of 100 sure",
                score.games()
            ),
            ..pocket.facts().clone()
        };
        Ok(pocket.with_facts(facts))
    }
}

impl PocketBuilder<'_> {
    /// Returns the pocket with its loss found exactly, over all games that the dice can make; if `exploits`, with its
    /// exploitability too.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch ends it.
    pub fn measure_exactly(
        &self,
        pocket: Pocket,
        solver: &Solver,
        exploits: bool,
        watch: &dyn Watch,
    ) -> Result<Pocket, PocketBuildError> {
        let (perfect, player) =
            (Argmax(self.exact), CachedPocket { pocket: &pocket, cache: &self.cache });
        let matchup = Matchup::new(solver, [&player, &perfect], watch)?;
        let exploit = exploits.then(|| Exploit::new(solver, &player, watch)).transpose()?;
        let facts = PocketFacts {
            loss: (0.5 - matchup.a_mean).max(0.0),
            // The residual is that of one step, and a game has about a hundred.
            off_by: (matchup.residual * 1e3).max(1e-12),
            found: FOUND_EXACTLY.to_owned(),
            exploitability: exploit.map(|(exploit, _)| exploit.exploitability),
            ..pocket.facts().clone()
        };
        Ok(pocket.with_facts(facts))
    }
}

/// A pocket that plays by the chances of its net that `cache` keeps.
struct CachedPocket<'a> {
    pocket: &'a Pocket,
    cache: &'a ChanceCache<'a>,
}

impl Agent for CachedPocket<'_> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let chosen = self.choose(decision, 0.0);
        decision.moves().iter().map(|&action| f64::from(action == chosen)).collect()
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        self.pocket.best_by(decision, |position| self.cache.chance(position))
    }
}

/// The most pockets that are made to reach a loss.
const ROUNDS: u32 = 6;

/// How the loss was found if it was not measured.
const FORESEEN: &str = "foreseen from the decisions that perfect players meet";
/// How the loss was found by match-ups.
const FOUND_EXACTLY: &str = "exact match-up, both seats, against perfect play";
/// How the loss was found by following all chances.
const FOUND: &str = "every chance followed from the start, both seats, against perfect play";
