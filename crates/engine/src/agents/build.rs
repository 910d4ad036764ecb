//! From the text of an agent to one that plays: the one place where agents are put together.

use std::{fs, io};

use puabi_core::{Agent, Evaluator, RuleSet, Rules};

use crate::agents::expectimax::Expectimax;
use crate::agents::ladder::{LadderError, temperature};
use crate::agents::leaves::{Material, Pips};
use crate::agents::levels::{LevelError, Levelled, Manner};
use crate::agents::likely::Likely;
use crate::agents::principles::{PrincipleError, Principles};
use crate::agents::simple::{FirstMove, Greedy, LastMove, Random};
use crate::agents::spec::{AgentSpec, Kind, Leaf};
use crate::agents::valued::{Accuracy, Epsilon, Perfect, Softmax, Worst};
use crate::models::brain::{Brain, BrainError};
use crate::models::linear::{Linear, LinearError};

/// An agent ready to play, on any thread.
pub type BoxedAgent<'a> = Box<dyn Agent + Send + Sync + 'a>;

/// An evaluator that can be asked on any thread.
pub type SharedEvaluator<'a> = &'a (dyn Evaluator + Sync + 'a);

/// Why an agent cannot play a game.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::AgentSpec;
/// let rules = RuleSet::FINKEL.compile()?;
/// let error = AgentSpec::PERFECT.build(&rules, None).err().unwrap();
/// assert_eq!(error.to_string(), "`perfect` plays by the values of finkel, and none are given");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The agent plays by values that are not there.
    #[error("`{agent}` plays by the values of {rules}, and none are given")]
    NoValues {
        /// The agent.
        agent: AgentSpec,
        /// The rules.
        rules: RuleSet,
    },
    /// No trained brain ships for the rules.
    #[error(
        "no trained brain ships for {rules}: `ur train` makes one, and `brain:FILE` plays by it"
    )]
    NoBrain {
        /// The rules.
        rules: RuleSet,
    },
    /// No trained linear model ships for the rules.
    #[error(
        "no trained linear model ships for {rules}: `ur train` makes one with `--model linear`, and `linear:FILE` plays \
         by it"
    )]
    NoLinear {
        /// The rules.
        rules: RuleSet,
    },
    /// The file of a brain or linear model cannot be read.
    #[error("`{name}` is no {what}: expected `trained`, `start`, or a file that can be read")]
    Unreadable {
        /// What it should hold.
        what: &'static str,
        /// The name of the file.
        name: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The file of a brain holds none.
    #[error("`{name}` holds no brain")]
    Brain {
        /// The name of the file.
        name: String,
        /// Why not.
        #[source]
        source: BrainError,
    },
    /// The file of a linear model holds none.
    #[error("`{name}` holds no linear model")]
    Linear {
        /// The name of the file.
        name: String,
        /// Why not.
        #[source]
        source: LinearError,
    },
    /// The rules lack what a principle is about.
    #[error(transparent)]
    Principle(#[from] PrincipleError),
    /// The rules lack what a level is about.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// Ratings are not fitted for these rules.
    #[error(transparent)]
    Ladder(#[from] LadderError),
}

impl AgentSpec {
    /// Returns the agent, ready to play under these rules; `values` are those of the solved game.
    ///
    /// # Errors
    ///
    /// Where the rules lack what the agent is about, or where it plays by values or a brain that are not there.
    pub fn build<'a>(
        &self,
        rules: &'a Rules,
        values: Option<SharedEvaluator<'a>>,
    ) -> Result<BoxedAgent<'a>, BuildError> {
        Ok(match &self.0 {
            Kind::Random => Box::new(Random),
            Kind::FirstMove => Box::new(FirstMove),
            Kind::LastMove => Box::new(LastMove),
            Kind::Greedy => Box::new(Greedy),
            Kind::Principles(chain) => Box::new(Principles::new(rules, chain)?),
            Kind::Level(level) => Box::new(Levelled::new(rules, *level, Manner::Strict)?),
            Kind::Humanised(level) => Box::new(Levelled::new(rules, *level, Manner::Humanised)?),
            Kind::Difficulty(difficulty) => {
                Box::new(Levelled::new(rules, difficulty.level_under(rules), Manner::Strict)?)
            }
            Kind::Pips => Box::new(Perfect(Pips::new(rules))),
            &Kind::Expectimax { depth, ref leaf } => leaf.ends(rules, Search::Full { depth })?,
            &Kind::Likely { depth, least, ref leaf } => {
                leaf.ends(rules, Search::Likely { depth, least })?
            }
            Kind::Brain(name) => Box::new(brain(name, rules)?),
            Kind::Linear(name) => Box::new(linear(name, rules)?),
            _ => self.valued(rules, values)?,
        })
    }

    /// The agents that play by the values of the solved game.
    fn valued<'a>(
        &self,
        rules: &'a Rules,
        values: Option<SharedEvaluator<'a>>,
    ) -> Result<BoxedAgent<'a>, BuildError> {
        let lacking =
            || BuildError::NoValues { agent: self.clone(), rules: rules.rule_set().clone() };
        let values = values.ok_or_else(lacking)?;
        let softmax = |temperature| Box::new(Softmax { values, temperature });
        Ok(match self.0 {
            Kind::Worst => Box::new(Worst(values)),
            Kind::Epsilon(chance) => Box::new(Epsilon { values, chance }),
            Kind::Accuracy(percent) => Box::new(Accuracy { values, chance: percent / 100.0 }),
            Kind::Softmax(temperature) => softmax(temperature),
            Kind::Elo(elo) if elo < Self::PERFECT_ELO => softmax(temperature(rules, elo)?),
            _ => Box::new(Perfect(values)),
        })
    }
}

/// How a search goes about it.
#[derive(Clone, Copy)]
enum Search {
    Full { depth: u8 },
    Likely { depth: u8, least: f64 },
}

impl Leaf {
    /// The search that ends with this leaf.
    fn ends<'a>(&self, rules: &'a Rules, search: Search) -> Result<BoxedAgent<'a>, BuildError> {
        Ok(match self {
            Self::Pips => search.over(Pips::new(rules)),
            Self::Material => search.over(Material::new(rules)),
            Self::Brain(name) => search.over(brain(name, rules)?),
            Self::Linear(name) => search.over(linear(name, rules)?),
        })
    }
}

impl Search {
    fn over<'a, E: Evaluator + Send + Sync + 'a>(self, leaf: E) -> BoxedAgent<'a> {
        match self {
            Self::Full { depth } => Box::new(Expectimax { depth, leaf }),
            Self::Likely { depth, least } => Box::new(Likely { depth, least, leaf }),
        }
    }
}

/// Returns the brain of this name: `trained` is the one that ships, `start` the one that learning starts from, anything
/// else is a file.
fn brain(name: &str, rules: &Rules) -> Result<Brain, BuildError> {
    match name {
        "trained" => Brain::shipped(rules)
            .ok_or_else(|| BuildError::NoBrain { rules: rules.rule_set().clone() }),
        "start" => Ok(Brain::start(rules)),
        file => Brain::read(&read(file, "brain")?, rules)
            .map_err(|source| BuildError::Brain { name: file.to_owned(), source }),
    }
}

/// Returns the linear model of this name, in the same way.
fn linear(name: &str, rules: &Rules) -> Result<Linear, BuildError> {
    match name {
        "trained" => Linear::shipped(rules)
            .ok_or_else(|| BuildError::NoLinear { rules: rules.rule_set().clone() }),
        "start" => Ok(Linear::start(rules)),
        file => Linear::read(&read(file, "linear model")?, rules)
            .map_err(|source| BuildError::Linear { name: file.to_owned(), source }),
    }
}

fn read(file: &str, what: &'static str) -> Result<String, BuildError> {
    let name = || file.to_owned();
    fs::read_to_string(file).map_err(|source| BuildError::Unreadable { what, name: name(), source })
}
