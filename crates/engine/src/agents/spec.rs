//! Agents by their names and arguments. `docs/notation.md` has the grammar.

use std::str::FromStr;
use std::{fmt, io};

use puabi_core::{Evaluator, Position, Rules};

use crate::agents::error::{AgentSpecError, BuildError};
use crate::agents::leaf::{Leaf, ReadFile};
use crate::agents::registry::{
    Arguments, BoxedAgent, Build, EXPECTIMAX, PERFECT, Row, SharedEvaluator, Takes,
};
use crate::agents::thumb::levels::Level;
use crate::agents::{ladder, reading};

/// An agent by its name and arguments; [`AgentSpec::build`] makes it ready to play.
///
/// ```
/// use puabi_engine::AgentSpec;
/// let spec: AgentSpec = "expectimax:3@material".parse()?;
/// assert_eq!(spec.to_string(), "expectimax:3@material");
/// let error = "greddy".parse::<AgentSpec>().unwrap_err();
/// assert!(error.to_string().contains("did you mean `greedy`?"));
/// # Ok::<(), puabi_engine::AgentSpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AgentSpec {
    row: &'static Row,
    arguments: Arguments,
}

impl AgentSpec {
    /// The perfect player.
    pub const PERFECT: Self = Self { row: &PERFECT, arguments: Arguments::NONE };

    /// The most moves that a search looks ahead.
    pub const MAX_DEPTH: u8 = reading::MAX_DEPTH;
    /// The rating of the perfect player, the highest there is.
    pub const PERFECT_ELO: u16 = ladder::PERFECT_ELO;

    /// Returns the search of this depth that judges by `leaf`, for its name.
    pub(crate) fn search(depth: u8, leaf: Leaf) -> Self {
        Self { row: &EXPECTIMAX, arguments: Arguments { depth, leaf, ..Arguments::NONE } }
    }

    /// Returns the name of every kind of agent, with the form of its argument.
    pub fn forms() -> impl Iterator<Item = &'static str> {
        reading::forms()
    }

    /// Returns the lowest N of `elo:N` under these rules; `None` if ratings are not fitted for them.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_engine::AgentSpec;
    /// assert!(AgentSpec::weakest_elo(&RuleSet::FINKEL.compile()?).is_some_and(|elo| elo < 1000));
    /// assert_eq!(AgentSpec::weakest_elo(&RuleSet::SKIRIUK.compile()?), None);
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn weakest_elo(rules: &Rules) -> Option<u16> {
        ladder::weakest(rules)
    }

    /// Returns the rating that was chosen, for an agent of the form `elo:N`.
    pub fn chosen_elo(&self) -> Option<u16> {
        (self.row.name() == "elo").then_some(self.arguments.elo)
    }

    /// Returns the level by whose rules it plays, if it is one of the four difficulties.
    pub(crate) fn difficulty(&self) -> Option<Level> {
        matches!(self.row.takes, Takes::Fixed(_)).then_some(self.arguments.level)
    }

    /// Returns whether the agent plays by the values of the solved game.
    pub fn needs_values(&self) -> bool {
        matches!(self.row.build, Build::Values(_))
    }

    /// Returns whether a decision takes it well below a millisecond: it looks at the moves alone and not beyond.
    ///
    /// Such an agent can play every position of a game in turn, as an exact match-up has it do.
    pub fn is_cheap(&self) -> bool {
        self.arguments.depth <= 1 && self.command().is_none()
    }

    /// Returns whether it plays light's pieces otherwise than dark's.
    ///
    /// An exact match-up tells who begins from who does not, but not light from dark, so such an agent is measured in games.
    pub fn sees_colours(&self) -> bool {
        self.row.name() == "brain-absolute"
    }

    /// Returns how many moves it looks ahead, if it searches.
    pub fn depth(&self) -> Option<u8> {
        Some(self.arguments.depth).filter(|&depth| depth > 0)
    }

    /// Returns the name of the brain or linear model that it plays or judges by; a name may be that of a file.
    pub fn learnt(&self) -> Option<&str> {
        self.arguments.leaf.model()
    }

    /// Returns the command that starts the program that plays, for an agent of the form `engine:COMMAND`.
    ///
    /// Such an agent may fail and give a game up, and what it plays is known only by asking it.
    pub fn command(&self) -> Option<&str> {
        matches!(self.row.build, Build::Outside).then_some(&*self.arguments.command)
    }

    /// Returns the file of the pocket that it plays by, for an agent of the form `pocket:FILE`.
    pub fn pocket_file(&self) -> Option<&str> {
        self.arguments.file.as_deref()
    }

    /// Describes how the agent chooses, in a few words.
    pub fn thinking(&self) -> String {
        (self.row.thinking)(&self.arguments)
    }

    /// Returns the agent, ready to play; `values` are those of the solved game, if they are known.
    ///
    /// # Errors
    ///
    /// Returns an error if the agent needs values and there are none, if the rules lack what it plays by, if it is
    /// another program, or if it plays by the model of a file: [`AgentSpec::build_reading`] reads one.
    pub fn build<'a>(
        &self,
        rules: &Rules,
        values: Option<SharedEvaluator<'a>>,
    ) -> Result<BoxedAgent<'a>, BuildError> {
        self.build_reading(rules, values, &|_| Err(io::ErrorKind::Unsupported.into()))
    }

    /// Returns the agent, as [`AgentSpec::build`] does, with `read` for the file that its model is in.
    ///
    /// # Errors
    ///
    /// Returns those of [`AgentSpec::build`], and an error if the file cannot be read or holds no model.
    pub fn build_reading<'a>(
        &self,
        rules: &Rules,
        values: Option<SharedEvaluator<'a>>,
        read: ReadFile<'_>,
    ) -> Result<BoxedAgent<'a>, BuildError> {
        match (&self.row.build, values) {
            (Build::Rules(build), _) => build(&self.arguments, rules, read),
            (Build::Values(build), Some(values)) => build(&self.arguments, rules, values),
            (Build::Values(_), None) => {
                let (agent, rules) = (self.to_string(), rules.rule_set().clone());
                Err(BuildError::NoValues { agent, rules })
            }
            (Build::Outside, _) => Err(BuildError::Outside { agent: self.to_string() }),
        }
    }

    /// Checks that the agent can play these rules once the game is solved, without its values. Of another program that
    /// is not known before it is started.
    ///
    /// # Errors
    ///
    /// Returns those of [`AgentSpec::build_reading`] with values.
    pub fn check(&self, rules: &Rules, read: ReadFile<'_>) -> Result<(), BuildError> {
        match self.command() {
            Some(_) => Ok(()),
            None => self.build_reading(rules, Some(&Even), read).map(drop),
        }
    }
}

/// Judges every position as even: stands for values that are not there yet.
struct Even;

impl Evaluator for Even {
    fn evaluate(&self, _: &[Position], values: &mut [f64]) {
        values.fill(0.5);
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.row.write(&self.arguments))
    }
}

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<Self, AgentSpecError> {
        let (row, arguments) = reading::read(text)?;
        Ok(Self { row, arguments })
    }
}
