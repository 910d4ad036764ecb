//! Agents by their names and arguments. `docs/notation.md` has the grammar.

use std::str::FromStr;
use std::{fmt, io};

use puabi_core::{Evaluator, Position, Rules};

use crate::agents::error::{AgentSpecError, BuildError};
use crate::agents::leaf::{Leaf, ReadFile};
use crate::agents::registry::{
    AgentKind, ArgumentForm, Arguments, BoxedAgent, Build, EXPECTIMAX, PERFECT, SharedEvaluator,
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
    kind: &'static AgentKind,
    arguments: Arguments,
}

impl AgentSpec {
    /// The perfect player.
    pub const PERFECT: Self = Self { kind: &PERFECT, arguments: Arguments::NONE };

    /// The most moves that a search looks ahead.
    pub const MAX_DEPTH: u8 = reading::MAX_DEPTH;
    /// The rating of the perfect player, the highest there is.
    pub const PERFECT_ELO: u16 = ladder::PERFECT_ELO;

    /// Returns the search of this depth that judges by `leaf`.
    pub(crate) fn search(depth: u8, leaf: Leaf) -> Self {
        Self { kind: &EXPECTIMAX, arguments: Arguments { depth, leaf, ..Arguments::NONE } }
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
        (self.kind.name() == "elo").then_some(self.arguments.elo)
    }

    /// Returns the level by whose rules the agent plays, if it is one of the four difficulties.
    pub(crate) fn difficulty(&self) -> Option<Level> {
        matches!(self.kind.argument, ArgumentForm::Fixed(_)).then_some(self.arguments.level)
    }

    /// Returns whether the agent plays by the values of the solved game.
    pub fn needs_values(&self) -> bool {
        matches!(self.kind.build, Build::Values(_))
    }

    /// Returns whether the agent decides in well below a millisecond, because it looks no further than its next move.
    ///
    /// Such an agent can play every position of a game in turn, as an exact match-up requires.
    pub fn is_cheap(&self) -> bool {
        self.arguments.depth <= 1 && self.command().is_none()
    }

    /// Returns whether the agent plays light's pieces differently from dark's.
    ///
    /// An exact match-up distinguishes the player who begins from the other one, but not light from dark, so such an agent is
    /// measured in games.
    pub fn sees_colours(&self) -> bool {
        self.kind.name() == "brain-absolute"
    }

    /// Returns the number of moves that the agent looks ahead, if it searches.
    pub fn depth(&self) -> Option<u8> {
        Some(self.arguments.depth).filter(|&depth| depth > 0)
    }

    /// Returns the name of the brain or linear model by which the agent plays or judges; it may be the name of a file.
    pub fn learnt(&self) -> Option<&str> {
        self.arguments.leaf.model()
    }

    /// Returns the command that starts the program that plays, for an agent of the form `engine:COMMAND`.
    ///
    /// Such an agent may fail and so give a game up. What it plays is known only by asking it.
    pub fn command(&self) -> Option<&str> {
        matches!(self.kind.build, Build::Outside).then_some(&*self.arguments.command)
    }

    /// Returns the file of the pocket by which the agent plays, if it is of the form `pocket:FILE`.
    pub fn pocket_file(&self) -> Option<&str> {
        self.arguments.file.as_deref()
    }

    /// Describes how the agent chooses, in a few words.
    pub fn thinking(&self) -> String {
        (self.kind.thinking)(&self.arguments)
    }

    /// Returns the agent, ready to play; `values` are those of the solved game, if they are known.
    ///
    /// # Errors
    ///
    /// Returns an error if the agent needs values and `values` is `None`, if the rules lack what the agent needs, if it is
    /// another program, or if it plays by a model in a file, which only [`AgentSpec::build_reading`] reads.
    pub fn build<'a>(
        &self,
        rules: &Rules,
        values: Option<SharedEvaluator<'a>>,
    ) -> Result<BoxedAgent<'a>, BuildError> {
        self.build_reading(rules, values, &|_| Err(io::ErrorKind::Unsupported.into()))
    }

    /// Returns the agent as [`AgentSpec::build`] does; `read` reads the file of its model.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`AgentSpec::build`], and an error if the file cannot be read or holds no model.
    pub fn build_reading<'a>(
        &self,
        rules: &Rules,
        values: Option<SharedEvaluator<'a>>,
        read: ReadFile<'_>,
    ) -> Result<BoxedAgent<'a>, BuildError> {
        match (&self.kind.build, values) {
            (Build::Rules(build), _) => build(&self.arguments, rules, read),
            (Build::Values(build), Some(values)) => build(&self.arguments, rules, values),
            (Build::Values(_), None) => {
                let (agent, rules) = (self.to_string(), rules.rule_set().clone());
                Err(BuildError::NoValues { agent, rules })
            }
            (Build::Outside, _) => Err(BuildError::Outside { agent: self.to_string() }),
        }
    }

    /// Checks that the agent can play these rules once the game is solved; the check needs no values. If the agent is another
    /// program, the check always succeeds, since the answer is known only once that program runs.
    ///
    /// # Errors
    ///
    /// Returns the errors that [`AgentSpec::build_reading`] returns if it is given values.
    pub fn check(&self, rules: &Rules, read: ReadFile<'_>) -> Result<(), BuildError> {
        match self.command() {
            Some(_) => Ok(()),
            None => self.build_reading(rules, Some(&Even), read).map(drop),
        }
    }
}

/// An evaluator that judges every position as even; it stands in for values that do not exist yet.
struct Even;

impl Evaluator for Even {
    fn evaluate(&self, _: &[Position], values: &mut [f64]) {
        values.fill(0.5);
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.kind.text(&self.arguments))
    }
}

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<Self, AgentSpecError> {
        let (kind, arguments) = reading::read(text)?;
        Ok(Self { kind, arguments })
    }
}
